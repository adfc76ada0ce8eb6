// SPDX-License-Identifier: MIT
#include "cable/curve/space_contact.h"

#include "cable/curve/space_near.h"
#include "cable/curve/space_pair.h"

#include "math/extreme.h"
#include "math/root.h"

#include <math.h>
#include <string.h>

#define CHORDS 4          // of the line that stands for an interval where the curve may go through itself
#define WANDERS 0.5       // of an interval in a step: beyond it, it is another place
#define APART 2.0         // diameters: what is as near along the curve is not a contact
#define SAME_POINT 0.05   // intervals
#define SAME_NORMAL 0.125 // of the thickness: normals of pairs as near as that differ by an eighth of a radian
#define NEAR_POINT 0.2    // intervals: beside a nearest point

// ---- creation -------------------------------------------------------------------------------------------------------

static size_t side_size(const rvSpaceContacts* contacts)
{
    return (size_t)contacts->sideCount * sizeof(rvSpaceSide);
}

// Points of the line.
static int line_count(const rvSpaceContacts* contacts)
{
    return contacts->itself || contacts->obstacleCount > 0 ? CHORDS * contacts->intervals + 1 : 0;
}

static size_t trail_size(const rvSpaceContacts* contacts)
{
    return 2 * (size_t)line_count(contacts) * sizeof(rvVec3);
}

static size_t boxes_size(const rvSpaceContacts* contacts)
{
    return (size_t)rv_passage_boxes(line_count(contacts)) * sizeof(rvSpaceBox);
}

static size_t touches_size(const rvSpaceContacts* contacts)
{
    return (size_t)contacts->touchCapacity * sizeof(rvSpaceTouch);
}

static size_t ends_size(const rvSpaceContacts* contacts)
{
    return (size_t)(RV_MEET_PARTS * contacts->intervals + 1) * sizeof(rvMeetEnd);
}

bool rv_space_contacts_create(rvSpaceContacts* contacts, rvMemory* memory, int intervals, int obstacleCount,
                              bool itself, int touchCapacity)
{
    *contacts = (rvSpaceContacts){.intervals = intervals,
                                  .obstacleCount = obstacleCount,
                                  .itself = itself,
                                  .same = SAME_POINT,
                                  .touchCapacity = touchCapacity,
                                  .led = 1.0};
    contacts->sideCount = obstacleCount * intervals + (itself ? intervals * intervals : 0);
    if (contacts->sideCount == 0)
        return true;
    contacts->obstacles = rv_memory_take(memory, (size_t)obstacleCount * sizeof(rvSpaceObstacle));
    contacts->sides = rv_memory_take(memory, side_size(contacts));
    contacts->nextSides = rv_memory_take(memory, side_size(contacts));
    contacts->trail = rv_memory_take(memory, trail_size(contacts));
    contacts->boxes = rv_memory_take(memory, boxes_size(contacts));
    contacts->ends = rv_memory_take(memory, ends_size(contacts));
    contacts->far = rv_memory_take(memory, (size_t)intervals * sizeof *contacts->far);
    contacts->met = rv_memory_take(memory, touches_size(contacts));
    contacts->touches = rv_memory_take(memory, touches_size(contacts));
    if ((contacts->obstacles || obstacleCount == 0) && contacts->sides && contacts->nextSides && contacts->trail &&
        contacts->boxes && contacts->ends && contacts->far && contacts->met && contacts->touches)
        return true;
    rv_space_contacts_release(contacts, memory);
    return false;
}

void rv_space_contacts_release(rvSpaceContacts* contacts, rvMemory* memory)
{
    rv_memory_give(memory, contacts->obstacles, (size_t)contacts->obstacleCount * sizeof(rvSpaceObstacle));
    rv_memory_give(memory, contacts->sides, side_size(contacts));
    rv_memory_give(memory, contacts->nextSides, side_size(contacts));
    rv_memory_give(memory, contacts->trail, trail_size(contacts));
    rv_memory_give(memory, contacts->boxes, boxes_size(contacts));
    rv_memory_give(memory, contacts->ends, ends_size(contacts));
    rv_memory_give(memory, contacts->far, (size_t)contacts->intervals * sizeof *contacts->far);
    rv_memory_give(memory, contacts->met, touches_size(contacts));
    rv_memory_give(memory, contacts->touches, touches_size(contacts));
    *contacts = (rvSpaceContacts){0};
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

static rvMeetPoint look(const void* of, int interval, double xi)
{
    rvMeetPoint at = {.spot = rv_space_spot_in(of, interval, xi)};
    at.x = rv_space_point(of, &at.spot);
    at.t = rv_space_tangent(of, &at.spot);
    return at;
}

static rvMeetLine line_of(const rvSpaceContacts* contacts, const rvSpace* space)
{
    return (rvMeetLine){.of = space, .intervals = space->intervals, .look = look, .ends = contacts->ends};
}

// Another obstacle, or the curve moved on.
static void forget_ends(rvSpaceContacts* contacts)
{
    for (int i = 0; i <= RV_MEET_PARTS * contacts->intervals; ++i)
        contacts->ends[i].known = false;
}

static double reach_of_part(const rvSpaceContacts* contacts, double stride, double near)
{
    return contacts->radius + near + stride / CHORDS; // ends of a part with a point as near are no farther away
}

// Of a point from a surface; `reach`: what is farther away need not be known.
static rvSpaceDistance distance_from(const rvSpaceObstacle* o, rvVec3 x, rvVec3 otherwise, double reach)
{
    return rv_meet_distance(o, x, otherwise, rvVec(0, 0, 0), reach);
}

static rvVec3 middle(const rvSpace* space, int i)
{
    return rvScale(0.5, rvAdd(space->nodes[i], space->nodes[i + 1]));
}

static bool is_zero(rvVec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

// Direction that interval j remembers, as it is for tangent t of another one.
static rvVec3 carried(const rvSpace* space, rvVec3 side, int j, rvVec3 t)
{
    rvCurveSpot spot = rv_space_spot_in(space, j, 0.5);
    return rvRotate(rvQuatBetween(rv_space_tangent(space, &spot), t), side);
}

// What is remembered in a row of intervals, for i or, where it is deep, by its neighbours; zero: nothing.
static rvVec3 remembered(const rvSpace* space, const rvSpaceSide* sides, int i, bool deep, rvVec3 t)
{
    if (!is_zero(sides[i].out) || !deep)
        return sides[i].out;
    for (int j = i - 1; j <= i + 1; j += 2)
        if (j >= 0 && j < space->intervals && !is_zero(sides[j].out))
            return carried(space, sides[j].out, j, t);
    return rvVec(0, 0, 0);
}

// A distance whose direction is against the one remembered is seen from the far side.
static void keep_side(rvVec3 side, double inside, rvVec3* out, double* gap)
{
    if (rvDot(side, *out) >= 0.0)
        return;
    *out = rvNeg(*out);
    *gap = -*gap - 2.0 * inside;
}

// A touch where the curve is placed, by the distance there.
static void touch_by(const rvSpaceContacts* contacts, const rvSpace* space, int k, rvSpaceDistance d,
                     const rvMeetPoint* at, rvSpaceTouch* touch)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k];
    touch->spot = at->spot;
    touch->obstacle = k;
    touch->out = d.out;
    touch->gap = d.gap;
    bool deep = d.gap < -0.5 * d.inside;
    if (!contacts->rigid && rv_meet_has_far_side(o, &d))
        keep_side(remembered(space, contacts->sides + k * contacts->intervals, at->spot.interval, deep, at->t),
                  d.inside, &touch->out, &touch->gap);
}

static void touch_at(const rvSpaceContacts* contacts, const rvSpace* space, int k, double reach, const rvMeetPoint* at,
                     rvSpaceTouch* touch)
{
    rvSpaceDistance d = distance_from(&contacts->obstacles[k], at->x, rvAcross(at->t), reach);
    touch_by(contacts, space, k, d, at, touch);
}

// How far the middle of its chord may be from what comes as near as `near` to an interval: no point is farther from it
// than half of its length, stretched as it is.
static double reach_of(const rvSpaceContacts* contacts, double stride, double near)
{
    return contacts->radius + near + 0.5 * stride;
}

static bool is_far(const rvSpaceContacts* contacts, const rvSpace* space, int k, int i, double stride, double near)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k];
    double reach = reach_of(contacts, stride, near);
    rvVec3 x = middle(space, i);
    return rv_space_box_is_off(&o->box, x, reach) || !(distance_from(o, x, rvVec(0, 0, 0), reach).gap < reach);
}

// Gives obstacle k its box; is all of the curve far from it? Middles lie between the nodes.
static bool is_far_from_all(rvSpaceContacts* contacts, const rvSpaceBox* all, int k)
{
    rvSpaceObstacle* o = &contacts->obstacles[k];
    o->box = rv_space_box_of(o);
    return rv_space_boxes_apart(all, &o->box);
}

// The next nearest point of interval i, as near as `near`, from part *part on, which is set to the one after it; false:
// there is none.
static bool meet(const rvSpaceContacts* contacts, const rvSpace* space, int k, int i, double stride, double near,
                 int* part, rvSpaceTouch* touch)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k];
    double reach = reach_of_part(contacts, stride, near);
    rvMeetLine line = line_of(contacts, space);
    rvMeetPoint at;
    while (rv_meet_next(&line, o, i, reach, part, &at)) {
        touch_at(contacts, space, k, reach, &at, touch);
        rv_meet_edge(&line, o, &at, reach, &touch->gap, &touch->out);
        touch->gap -= contacts->radius;
        if (touch->gap < near)
            return true;
    }
    return false;
}

// ---- itself ---------------------------------------------------------------------------------------------------------

// The direction that two intervals remember, or their neighbours where they are deep.
static rvVec3 side_of_pair(const rvSpaceContacts* contacts, const rvSpace* space, int i, int j, const rvSpacePair* pair,
                           double distance)
{
    const rvSpaceSide* sides = contacts->sides + contacts->obstacleCount * contacts->intervals;
    const rvSpaceSide* mine = &sides[i * contacts->intervals + j];
    double thickness = 2.0 * contacts->radius;
    bool stays = fabs(pair->xi[0] - mine->xi[0]) + fabs(pair->xi[1] - mine->xi[1]) < WANDERS;
    rvVec3 side = stays && distance < thickness ? mine->out : rvVec(0, 0, 0);
    bool deep = distance < 0.5 * thickness;
    for (int k = i > 0 ? i - 1 : 0; deep && is_zero(side) && k <= i + 1 && k < contacts->intervals; ++k)
        side = remembered(space, sides + k * contacts->intervals, j, true, pair->t[1]);
    return side;
}

// Of two intervals that are as near as `near`.
static bool meet_itself(const rvSpaceContacts* contacts, const rvSpace* space, int i, int j, double near,
                        rvSpaceTouch* touch)
{
    double thickness = 2.0 * contacts->radius, length = fmax(space->parts[i].length, space->parts[j].length);
    if (rv_space_is_far_pair(space, i, j, thickness + fmin(near, length)))
        return false;
    rvSpacePair pair;
    if (!rv_space_find_pair(space, i, j, &pair))
        return false;
    // what is near along the curve is not a contact
    if (rv_space_spot_along(space, &pair.spot[1]) - rv_space_spot_along(space, &pair.spot[0]) < APART * thickness)
        return false;
    touch->spot = pair.spot[1];
    touch->other = pair.spot[0];
    touch->obstacle = -1;
    touch->out = rvNormalizeOr(pair.d, rvNormalizeOr(rvCross(pair.t[0], pair.t[1]), rvAcross(pair.t[0])));
    touch->gap = rvLength(pair.d);
    rvVec3 side = contacts->swept ? rvVec(0, 0, 0) : side_of_pair(contacts, space, i, j, &pair, touch->gap);
    keep_side(side, 0.0, &touch->out, &touch->gap);
    touch->gap -= thickness;
    return touch->gap < length;
}

// ---- through itself and obstacles -----------------------------------------------------------------------------------

// The ends of its chords.
static void draw_line(const rvSpaceContacts* contacts, const rvSpace* space, rvVec3* line)
{
    for (int i = 0; i < contacts->intervals; ++i) {
        line[CHORDS * i] = space->nodes[i];
        for (int k = 1; k < CHORDS; ++k) {
            rvCurveSpot spot = rv_space_spot_in(space, i, (double)k / CHORDS);
            line[CHORDS * i + k] = rv_space_point(space, &spot);
        }
    }
    line[CHORDS * contacts->intervals] = space->nodes[contacts->intervals];
}

static rvCurveSpot spot_at(const rvSpace* space, double at)
{
    int interval = (int)fmin(at, space->intervals - 1);
    return rv_space_spot_in(space, interval, at - interval);
}

// Pairs of the curve must be nearer to each other to say the same.
static bool is_same(const rvSpaceContacts* contacts, const rvSpaceTouch* a, const rvSpaceTouch* b)
{
    double along = fabs(a->spot.interval + a->spot.xi - b->spot.interval - b->spot.xi);
    if (a->obstacle != b->obstacle || a->obstacle >= 0)
        return a->obstacle == b->obstacle && along < SAME_POINT;
    return along < contacts->same &&
           fabs(a->other.interval + a->other.xi - b->other.interval - b->other.xi) < contacts->same;
}

static void meet_again(rvSpaceContacts* contacts, const rvSpaceTouch* touch)
{
    for (int k = 0; k < contacts->metCount; ++k)
        if (is_same(contacts, touch, &contacts->met[k]))
            return;
    if (contacts->metCount < contacts->touchCapacity)
        contacts->met[contacts->metCount++] = *touch;
}

static void lead(rvSpaceContacts* contacts, double was, double is)
{
    for (int k = 0; k < contacts->obstacleCount; ++k)
        rv_meet_lead(&contacts->obstacles[k], was - contacts->wasLed, is - contacts->led);
    contacts->wasLed = was;
    contacts->led = is;
}

void rv_space_contacts_lead(rvSpaceContacts* contacts, double share)
{
    lead(contacts, contacts->wasLed, contacts->rigid ? share : 1.0);
}

void rv_space_contacts_begin(rvSpaceContacts* contacts, const rvSpace* space)
{
    contacts->metCount = 0;
    contacts->same = SAME_POINT;
    if (contacts->radius > 0.0)
        contacts->same =
            rv_smaller(SAME_POINT, SAME_NORMAL * 2.0 * contacts->radius * contacts->intervals / space->length);
    contacts->swept = contacts->itself;
    lead(contacts, 0.0, contacts->rigid ? 0.0 : 1.0);
    if (contacts->swept || contacts->rigid)
        draw_line(contacts, space, contacts->trail);
}

void rv_space_contacts_keep(rvSpaceContacts* contacts, const rvSpace* space, double at, double other)
{
    rvSpaceTouch touch = {.spot = spot_at(space, at), .other = spot_at(space, other), .obstacle = -1};
    rvVec3 d = rvSub(rv_space_point(space, &touch.spot), rv_space_point(space, &touch.other));
    touch.out = rvNormalizeOr(d, rvAcross(rv_space_tangent(space, &touch.spot)));
    meet_again(contacts, &touch);
}

// What a chord must not go through: the axis of an obstacle; of a ball a diameter across the chord and its way.
static void lay_axes(const rvSpaceObstacle* o, const rvVec3* from, const rvVec3* to, rvVec3 was[2], rvVec3 is[2])
{
    rvVec3 before = o->wasCenter, a = rvScale(o->half, o->wasAxis), b = rvScale(o->half, o->axis);
    if (o->kind == RV_SPACE_SPHERE) {
        rvVec3 way = rvSub(rvAdd(to[0], to[1]), rvAdd(from[0], from[1]));
        way = rvMulAdd(way, -2.0, rvSub(o->center, before));
        a = b = rvScale(o->radius, rvNormalizeOr(rvCross(rvSub(to[1], to[0]), way), rvVec(0, 0, 0)));
    }
    was[0] = rvSub(before, a);
    was[1] = rvAdd(before, a);
    is[0] = rvSub(o->center, b);
    is[1] = rvAdd(o->center, b);
}

// Can an obstacle be between two places of a chord?
static bool is_beyond(const rvSpaceObstacle* o, const rvVec3* from, const rvVec3* to)
{
    double reach = o->radius + o->half + rvDistance(from[0], from[1]) + rvDistance(from[0], to[0]) +
                   rvDistance(from[1], to[1]) + rvDistance(o->wasCenter, o->center);
    return rvDistance(from[0], o->center) > reach;
}

static rvSpacePassing pass_round(const rvSpaceObstacle* o, const rvVec3* from, const rvVec3* to, double* at,
                                 rvVec3* out)
{
    rvVec3 was[2], is[2];
    if (is_beyond(o, from, to))
        return RV_SPACE_OUTSIDE;
    lay_axes(o, from, to, was, is);
    return rv_find_passage(from, to, was, is, at, out) ? RV_SPACE_THROUGH : RV_SPACE_OUTSIDE;
}

// Does chord i go through obstacle k? Where it did is a touch from then on.
static rvSpacePassing sweep_chord(rvSpaceContacts* contacts, const rvSpace* space, const rvVec3* from, const rvVec3* to,
                                  int k, int i)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k];
    bool last = i == CHORDS * contacts->intervals - 1;
    double at;
    rvSpaceTouch touch = {.obstacle = k};
    rvSpacePassing passing = o->kind == RV_SPACE_SOLID
                                 ? rv_meet_pass(o, from + i, to + i, last, contacts->radius, &at, &touch.out)
                                 : pass_round(o, from + i, to + i, &at, &touch.out);
    if (passing != RV_SPACE_OUTSIDE) {
        touch.spot = spot_at(space, (i + at) / CHORDS);
        meet_again(contacts, &touch);
    }
    return passing;
}

// Answers how many chords went through obstacles; *sunk: some are in one, but not through.
static int sweep_obstacles(rvSpaceContacts* contacts, const rvSpace* space, const rvVec3* from, const rvVec3* to,
                           bool* sunk)
{
    int found = 0, chords = CHORDS * contacts->intervals;
    const rvSpaceBox *boxes = contacts->boxes, *blocks = boxes + chords;
    rvSpaceBox all = blocks[0];
    for (int i = RV_PASSAGE_BLOCK; i < chords; i += RV_PASSAGE_BLOCK)
        all = rv_space_box_both(all, blocks[i / RV_PASSAGE_BLOCK]);
    for (int k = 0; k < contacts->obstacleCount; ++k) {
        rvSpaceSwept swept = rv_space_sweep_of(&contacts->obstacles[k]);
        if (rv_space_swept_apart(&swept, &all))
            continue;
        bool apart = false;
        for (int i = 0; i < chords; ++i) {
            if (i % RV_PASSAGE_BLOCK == 0)
                apart = rv_space_swept_apart(&swept, blocks + i / RV_PASSAGE_BLOCK);
            if (apart || rv_space_swept_apart(&swept, boxes + i))
                continue;
            rvSpacePassing passing = sweep_chord(contacts, space, from, to, k, i);
            *sunk = *sunk || passing == RV_SPACE_SUNK;
            found += passing == RV_SPACE_THROUGH;
        }
    }
    return found;
}

static int sweep_itself(rvSpaceContacts* contacts, const rvSpace* space, const rvVec3* from, const rvVec3* to,
                        int count)
{
    rvPassage passages[RV_SPACE_MOST_PASSAGES];
    double length = space->length / (CHORDS * contacts->intervals); // of a mean chord
    int found = rv_find_passages(from, to, count, APART * 2.0 * contacts->radius / length, contacts->boxes, passages,
                                 RV_SPACE_MOST_PASSAGES);
    for (int k = 0; k < found && k < RV_SPACE_MOST_PASSAGES; ++k) {
        rvSpaceTouch touch = {.spot = spot_at(space, passages[k].at[1] / CHORDS),
                              .other = spot_at(space, passages[k].at[0] / CHORDS),
                              .obstacle = -1,
                              .out = passages[k].out};
        meet_again(contacts, &touch);
    }
    return found;
}

int rv_space_contacts_sweep(rvSpaceContacts* contacts, const rvSpace* space)
{
    int count = line_count(contacts), found = 0;
    if (!contacts->itself && !contacts->rigid)
        return 0;
    rvVec3 *from = contacts->trail, *to = from + count;
    draw_line(contacts, space, to);
    rv_passage_find_boxes(from, to, count, contacts->boxes);
    if (contacts->itself)
        found += sweep_itself(contacts, space, from, to, count);
    bool sunk = false;
    if (contacts->rigid)
        found += sweep_obstacles(contacts, space, from, to, &sunk);
    if (found > 0 || sunk) // the next look is from where it was outside
        return found;
    memcpy(from, to, (size_t)count * sizeof(rvVec3));
    for (int k = 0; k < contacts->obstacleCount; ++k)
        rv_meet_arrive(&contacts->obstacles[k]);
    contacts->wasLed = contacts->led;
    return 0;
}

// ---- both -----------------------------------------------------------------------------------------------------------

void rv_space_contacts_remember(rvSpaceContacts* contacts, const rvSpace* space)
{
    int n = contacts->intervals, own = contacts->obstacleCount * n;
    int first = contacts->rigid ? own : 0, end = contacts->swept ? own : contacts->sideCount; // rigid ones have none
    size_t size = (size_t)(end - first) * sizeof(rvSpaceSide);
    if (size == 0)
        return;
    memset(contacts->nextSides + first, 0, size);
    rvSpaceTouch touch;
    double stride = rv_space_find_stride(space);
    rvSpaceBox all = rv_space_box_around(space, reach_of(contacts, stride, stride));
    for (int k = 0; !contacts->rigid && k < contacts->obstacleCount; ++k) {
        forget_ends(contacts);
        for (int i = is_far_from_all(contacts, &all, k) ? n : 0; i < n; ++i)
            if (!is_far(contacts, space, k, i, stride, space->parts[i].length) &&
                meet(contacts, space, k, i, stride, space->parts[i].length, &(int){0}, &touch))
                contacts->nextSides[k * n + i] = (rvSpaceSide){touch.out, {touch.spot.xi, 0.0}, 0.0};
    }
    for (int i = 0; contacts->itself && !contacts->swept && i < n; ++i)
        for (int j = i + 2; j < n; ++j)
            if (meet_itself(contacts, space, i, j, HUGE_VAL, &touch))
                contacts->nextSides[own + i * n + j] = (rvSpaceSide){touch.out, {touch.other.xi, touch.spot.xi}, 0.0};
    memcpy(contacts->sides + first, contacts->nextSides + first, size);
}

// `touch` is of where obstacles are: what is left of their way counts to its gap.
static void add_touch(rvSpaceContacts* contacts, const rvSpace* space, rvSpaceTouch touch, double margin)
{
    const rvSpaceObstacle* o = touch.obstacle >= 0 ? &contacts->obstacles[touch.obstacle] : NULL;
    if (o && o->kind == RV_SPACE_SOLID &&
        rv_space_solid_is_behind(o->shape, touch.gap + contacts->radius, contacts->radius))
        return;
    if (o && contacts->led < 1.0)
        touch.gap -= rv_meet_advance(o, rv_space_point(space, &touch.spot), touch.out, 1.0 - contacts->led);
    if (touch.gap >= margin)
        return;
    if (contacts->touchCount < contacts->touchCapacity)
        contacts->touches[contacts->touchCount++] = touch;
    else
        contacts->dropped += 1;
}

// From how far away an obstacle may come as near as `margin`.
static double look_of(const rvSpaceContacts* contacts, const rvSpaceObstacle* o, double margin)
{
    return margin + rv_meet_most_advance(o, 1.0 - contacts->led);
}

// Pairs that were nearest in the looks before, where they are not again; those of this look are kept for the next.
static void add_met(rvSpaceContacts* contacts, const rvSpace* space, double margin)
{
    int fresh = contacts->touchCount;
    for (int k = 0; k < contacts->metCount; ++k) {
        rvSpaceTouch touch = contacts->met[k];
        bool again = false;
        for (int i = 0; i < fresh && !again; ++i)
            again = is_same(contacts, &contacts->touches[i], &touch);
        if (again)
            continue;
        touch.kept = true;
        touch.spot = rv_space_spot_in(space, touch.spot.interval, touch.spot.xi);
        rvVec3 side = touch.out;
        if (touch.obstacle >= 0) {
            const rvSpaceObstacle* o = &contacts->obstacles[touch.obstacle];
            rvSpaceDistance d = distance_from(o, rv_space_point(space, &touch.spot), side,
                                              look_of(contacts, o, margin) + contacts->radius);
            touch.gap = d.gap;
            touch.out = d.out;
            if (rv_meet_has_far_side(o, &d))
                keep_side(side, d.inside, &touch.out, &touch.gap);
            touch.gap -= contacts->radius;
        } else {
            touch.other = rv_space_spot_in(space, touch.other.interval, touch.other.xi);
            rvVec3 d = rvSub(rv_space_point(space, &touch.spot), rv_space_point(space, &touch.other));
            touch.gap = rvLength(d);
            touch.out = rvNormalizeOr(d, side);
            keep_side(side, 0.0, &touch.out, &touch.gap);
            touch.gap -= 2.0 * contacts->radius;
        }
        add_touch(contacts, space, touch, margin);
    }
    for (int i = 0; i < fresh; ++i)
        if (contacts->touches[i].obstacle < 0 || contacts->rigid)
            meet_again(contacts, &contacts->touches[i]);
}

// Is there a touch with the same obstacle as near as this one along the curve?
static bool is_near_touch(const rvSpaceContacts* contacts, int first, double at)
{
    for (int i = first; i < contacts->touchCount; ++i) {
        const rvCurveSpot* other = &contacts->touches[i].spot;
        if (fabs(other->interval + other->xi - at) < NEAR_POINT)
            return true;
    }
    return false;
}

// Along a face nodes and middles touch, but not beside a nearest point; `first`: of the touches of this obstacle. Nodes
// come first: there may be no room for all.
static void add_samples(rvSpaceContacts* contacts, const rvSpace* space, int k, int first, double stride, double margin)
{
    int n = contacts->intervals;
    rvMeetLine line = line_of(contacts, space);
    double reach = reach_of_part(contacts, stride, look_of(contacts, &contacts->obstacles[k], margin));
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i < n + 1 - half; ++i) {
            int interval = i < n ? i : n - 1;
            double xi = half ? 0.5 : i - interval;
            if (contacts->far[interval] || is_near_touch(contacts, first, interval + xi))
                continue;
            const rvMeetEnd* end =
                rv_meet_end(&line, &contacts->obstacles[k], interval, (int)(RV_MEET_PARTS * xi), reach);
            rvMeetPoint at = {.spot = rv_space_spot_in(space, interval, xi), .x = end->at.x, .t = end->at.t};
            rvSpaceTouch touch = {0};
            touch_by(contacts, space, k, end->distance, &at, &touch);
            touch.gap -= contacts->radius;
            add_touch(contacts, space, touch, margin);
        }
}

static void find_obstacle(rvSpaceContacts* contacts, const rvSpace* space, int k, double stride, double margin)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k];
    int first = contacts->touchCount;
    double far = look_of(contacts, o, margin);
    rvSpaceTouch touch = {0};
    forget_ends(contacts);
    for (int i = 0; i < contacts->intervals; ++i) {
        contacts->far[i] = is_far(contacts, space, k, i, stride, far);
        for (int part = 0; !contacts->far[i] && meet(contacts, space, k, i, stride, far, &part, &touch);)
            add_touch(contacts, space, touch, margin);
    }
    if (o->kind == RV_SPACE_SOLID)
        add_samples(contacts, space, k, first, stride, margin);
}

void rv_space_contacts_find(rvSpaceContacts* contacts, const rvSpace* space, double margin)
{
    contacts->touchCount = contacts->dropped = 0;
    rvSpaceTouch touch = {0};
    double stride = rv_space_find_stride(space);
    double far = margin;
    for (int k = 0; k < contacts->obstacleCount; ++k)
        far = rv_larger(far, look_of(contacts, &contacts->obstacles[k], margin));
    rvSpaceBox all = rv_space_box_around(space, reach_of(contacts, stride, far));
    for (int k = 0; k < contacts->obstacleCount; ++k)
        if (!is_far_from_all(contacts, &all, k))
            find_obstacle(contacts, space, k, stride, margin);
    double near = 2.0 * contacts->radius + fmin(margin, stride);
    for (int i = 0; contacts->itself && i < contacts->intervals; ++i)
        for (int j = i + 1; (j = rv_space_next_near(space, stride, i, j + 1, near)) < contacts->intervals;)
            if (meet_itself(contacts, space, i, j, margin, &touch))
                add_touch(contacts, space, touch, margin);
    add_met(contacts, space, margin);
}

double rv_space_touch_row(const rvSpaceContacts* contacts, const rvSpace* space, const rvSpaceTouch* touch, double* row)
{
    memset(row, 0, (size_t)space->count * sizeof(double));
    rv_space_add_spot_row(space, &touch->spot, touch->out, row);
    if (touch->obstacle < 0) {
        rv_space_add_spot_row(space, &touch->other, rvNeg(touch->out), row);
        return 0.0;
    }
    const rvSpaceObstacle* o = &contacts->obstacles[touch->obstacle];
    rvVec3 arm = rvSub(rv_space_point(space, &touch->spot), o->center);
    return -rvDot(touch->out, rvAdd(o->velocity, rvCross(o->spin, arm)));
}

void rv_space_contacts_add(rvSpaceContacts* contacts, rvSpace* space, const double* v, double* row)
{
    rv_space_contacts_find(contacts, space, 0.0);
    for (int i = 0; i < contacts->touchCount; ++i) {
        rvSpaceTouch* touch = &contacts->touches[i];
        double opening = rv_space_touch_row(contacts, space, touch, row);
        for (int k = 0; k < space->count; ++k)
            opening += row[k] * v[k];
        touch->force = fmax(0.0, -contacts->spring * touch->gap - contacts->damping * opening); // it never pulls
        rvVec3 force = rvScale(touch->force, touch->out);
        rv_space_add_spot_force(space, &touch->spot, force);
        if (touch->obstacle < 0)
            rv_space_add_spot_force(space, &touch->other, rvNeg(force));
    }
}

// Row and column of a touch among the sides.
static void side_of(const rvSpaceContacts* contacts, const rvSpaceTouch* touch, int* row, int* column)
{
    *row = touch->obstacle >= 0 ? touch->obstacle : contacts->obstacleCount + touch->other.interval;
    *column = touch->spot.interval;
}

void rv_space_contacts_mark(rvSpaceContacts* contacts)
{
    for (int i = contacts->obstacleCount * contacts->intervals; i < contacts->sideCount; ++i)
        contacts->sides[i].pressed = 0.0;
    for (int i = 0; i < contacts->touchCount; ++i) {
        int row, column;
        side_of(contacts, &contacts->touches[i], &row, &column);
        if (contacts->touches[i].force > 0.0)
            contacts->sides[row * contacts->intervals + column].pressed = 1.0;
    }
}

bool rv_space_contacts_pressed(const rvSpaceContacts* contacts, const rvSpaceTouch* touch)
{
    int row, column, n = contacts->intervals;
    side_of(contacts, touch, &row, &column);
    int first = touch->obstacle >= 0 ? row : contacts->obstacleCount, last = touch->obstacle >= 0 ? row : first + n - 1;
    for (int r = row - 1; r <= row + 1; ++r)
        for (int c = column - 1; c <= column + 1; ++c)
            if (r >= first && r <= last && c >= 0 && c < n && contacts->sides[r * n + c].pressed > 0.0)
                return true;
    return false;
}

double rv_space_contacts_energy(const rvSpaceContacts* contacts)
{
    double energy = 0.0;
    for (int i = 0; i < contacts->touchCount; ++i)
        energy += 0.5 * contacts->spring * contacts->touches[i].gap * contacts->touches[i].gap;
    return energy;
}
