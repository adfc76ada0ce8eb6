// SPDX-License-Identifier: MIT
#include "output/rope_line.h"

#include <stdlib.h>

bool rv_rope_line_fetch(rvRopeLine* line, const rvWorld* world, rvCableId id)
{
    line->count = rvCable_GetShape(world, id, line->points, line->capacity);
    if (line->count <= line->capacity)
        return true;
    rvVec3* points = realloc(line->points, 2 * (size_t)line->count * sizeof *points);
    if (!points) {
        line->count = 0;
        return false;
    }
    line->points = points;
    line->capacity = 2 * line->count;
    line->count = rvCable_GetShape(world, id, line->points, line->capacity);
    return true;
}

static bool is_same(rvVec3 a, rvVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

int rv_rope_line_begin(const rvRopeLine* line, const rvWorld* world, rvCableId id, int span, int after)
{
    rvVec3 in, out;
    rvCable_GetTangents(world, id, span, &in, &out);
    for (int k = after; span > 0 && k < line->count; ++k)
        if (is_same(line->points[k], in))
            return k;
    return after;
}

void rv_rope_line_release(rvRopeLine* line)
{
    free(line->points);
    *line = (rvRopeLine){0};
}
