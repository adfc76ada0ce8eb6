// SPDX-License-Identifier: MIT
// Ropes have a tension for each span. Those of model curve have one at each point and are smooth: between two points
// p1, p2 with neighbours p0, p3 they are drawn by the cubic whose slopes are (p2 - p0)/2 and (p3 - p1)/2 (Catmull-Rom).
#include "output/picture_rope.h"

#include <stdlib.h>

enum { PIECES = 6 }; // of a smooth rope, between two of its points

static rvVec3 between(const rvVec3* p, int count, int i, double s)
{
    rvVec3 p1 = p[i], p2 = p[i + 1], p0 = p[i > 0 ? i - 1 : 0], p3 = p[i + 2 < count ? i + 2 : count - 1];
    double a = 2.0 * s * s * s - 3.0 * s * s + 1.0, b = s * s * s - 2.0 * s * s + s, c = s * s * s - s * s;
    rvVec3 at = rvMulAdd(rvScale(a, p1), 1.0 - a, p2);
    return rvMulAdd(rvMulAdd(at, 0.5 * b, rvSub(p2, p0)), 0.5 * c, rvSub(p3, p1));
}

static bool make_smooth(rvPictureRope* rope, const rvWorld* world, rvCableId id)
{
    int count = rope->line.count, fine = PIECES * (count - 1) + 1;
    rvCableSection* sections = calloc((size_t)count, sizeof *sections);
    rvVec3* points = calloc((size_t)fine, sizeof *points);
    rope->tension = calloc((size_t)fine, sizeof *rope->tension);
    bool made = sections && points && rope->tension;
    if (made) {
        bool known = rvCable_GetSections(world, id, sections, count) == count;
        for (int i = 0; i < fine; ++i) {
            int k = i < fine - 1 ? i / PIECES : count - 2;
            points[i] = between(rope->line.points, count, k, (double)(i - k * PIECES) / PIECES);
            rope->tension[i] = known ? 0.5 * (sections[k].tension + sections[k + 1].tension) : 0.0;
        }
        rv_rope_line_release(&rope->line);
        rope->line = (rvRopeLine){.points = points, .count = fine, .capacity = fine};
    } else {
        free(points);
    }
    free(sections);
    return made;
}

static bool make_rope(rvPictureRope* rope, const rvWorld* world, rvCableId id)
{
    if (!rv_rope_line_fetch(&rope->line, world, id))
        return false;
    rope->cut = rvCable_IsBroken(world, id);
    rope->bends = rvCable_GetModel(world, id) == RV_CABLE_CURVE;
    if (rope->bends && rope->line.count > 1)
        return make_smooth(rope, world, id);
    rope->tension = calloc((size_t)rope->line.count + 1, sizeof *rope->tension);
    if (!rope->tension)
        return false;
    int spans = rvCable_GetPlaceCount(world, id) - 1;
    for (int i = 0, at = 0; i < spans && !rope->cut; ++i) {
        at = rv_rope_line_begin(&rope->line, world, id, i, at);
        for (int k = at; k < rope->line.count; ++k)
            rope->tension[k] = rvCable_GetTension(world, id, i);
    }
    return true;
}

bool rv_picture_ropes_make(rvPictureRopes* ropes, const rvScene* scene, const rvWorld* world)
{
    *ropes = (rvPictureRopes){.count = rvScene_GetCableCount(scene)};
    ropes->items = calloc((size_t)ropes->count + 1, sizeof *ropes->items);
    if (!ropes->items)
        return false;
    for (int c = 0; c < ropes->count; ++c) {
        rvPictureRope* rope = &ropes->items[c];
        if (!make_rope(rope, world, rvScene_GetCable(scene, c)))
            return false;
        for (int i = 0; i + 1 < rope->line.count; ++i) {
            ropes->low = fmin(ropes->low, rope->tension[i]);
            ropes->high = fmax(ropes->high, rope->tension[i]);
        }
    }
    return true;
}

void rv_picture_ropes_release(rvPictureRopes* ropes)
{
    for (int c = 0; ropes->items && c < ropes->count; ++c) {
        rv_rope_line_release(&ropes->items[c].line);
        free(ropes->items[c].tension);
    }
    free(ropes->items);
    *ropes = (rvPictureRopes){0};
}
