// SPDX-License-Identifier: MIT
#include "cable/curve/plane_near.h"
#include "cable/curve/plane_solid.h"

#include "math/extreme.h"
#include "math/root.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define CORNER 1e-9    // of an interval: so near to its end what is there counts for both that meet there
enum { RUNS_ON = 8 };  // intervals of which it is looked at whether they run on into each other
#define ONE_TOUCH 1e-2 // of an interval: squares that meet in a corner find the same touch so near to each other

// Round things that the curve meets: obstacles, then its own ends.
static int round_count(const rvPlaneContacts* contacts)
{
    return contacts->obstacleCount + (contacts->itself ? 2 : 0);
}

static size_t trail_size(const rvPlaneContacts* contacts)
{
    return 2 * (size_t)rv_plane_trail_count(contacts->intervals) * sizeof(rvVec2);
}

bool rv_plane_contacts_create(rvPlaneContacts* contacts, rvMemory* memory, const rvPlane* plane, int obstacleCount,
                              bool itself, int most)
{
    *contacts = (rvPlaneContacts){.itself = itself,
                                  .moved = HUGE_VAL,
                                  .obstacleCount = obstacleCount,
                                  .intervals = plane->intervals,
                                  .led = 1.0,
                                  .most = most};
    size_t n = (size_t)plane->intervals;
    contacts->obstacles = rv_memory_take(memory, (size_t)obstacleCount * sizeof(rvPlaneObstacle));
    contacts->sides = rv_memory_take(memory, (size_t)round_count(contacts) * n);
    contacts->ownSides = rv_memory_take(memory, itself ? n * n : 0);
    contacts->nextSides = rv_memory_take(memory, itself ? n * n : n);
    contacts->trail = rv_memory_take(memory, trail_size(contacts));
    contacts->line = rv_memory_take(memory, rv_plane_line_size(contacts));
    contacts->touches = rv_memory_take(memory, (size_t)most * sizeof(rvPlaneTouch));
    contacts->met = rv_memory_take(memory, (size_t)most * sizeof(rvPlaneTouch));
    if ((contacts->obstacles || obstacleCount == 0) && (contacts->sides || round_count(contacts) == 0))
        if (contacts->touches && contacts->met && contacts->nextSides && contacts->trail &&
            ((contacts->ownSides && contacts->line) || !itself))
            return true;
    rv_plane_contacts_release(contacts, memory);
    return false;
}

void rv_plane_contacts_release(rvPlaneContacts* contacts, rvMemory* memory)
{
    size_t n = (size_t)contacts->intervals;
    rv_memory_give(memory, contacts->obstacles, (size_t)contacts->obstacleCount * sizeof(rvPlaneObstacle));
    rv_memory_give(memory, contacts->sides, (size_t)round_count(contacts) * n);
    rv_memory_give(memory, contacts->ownSides, contacts->itself ? n * n : 0);
    rv_memory_give(memory, contacts->nextSides, contacts->itself ? n * n : n);
    rv_memory_give(memory, contacts->trail, trail_size(contacts));
    rv_memory_give(memory, contacts->line, rv_plane_line_size(contacts));
    rv_memory_give(memory, contacts->touches, (size_t)contacts->most * sizeof(rvPlaneTouch));
    rv_memory_give(memory, contacts->met, (size_t)contacts->most * sizeof(rvPlaneTouch));
    *contacts = (rvPlaneContacts){0};
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

typedef struct {
    const rvPlane* plane;
    const double* q;
    int interval;
    rvVec2 center;
} Approach;

static double along(const void* context, double xi)
{
    const Approach* approach = context;
    rvPlaneNear here = rv_plane_look(approach->plane, approach->q, approach->interval, xi);
    return rv_vec2_dot(rv_vec2_minus(here.x, approach->center), here.t);
}

// The point of an interval that is nearest to an obstacle's centre, if the nearest is inside it (the first end counts,
// the last one belongs to the next) or at an end of the curve. `free`: at such an end.
static bool find_nearest(const Approach* approach, rvPlaneNear* here, bool* atEnd)
{
    const rvPlane* plane = approach->plane;
    int i = approach->interval;
    double first = along(approach, 0.0), last = along(approach, 1.0);
    *atEnd = true;
    if (first >= 0.0 && i == 0) {
        *here = rv_plane_look(plane, approach->q, i, 0.0);
        return true;
    }
    if (last < 0.0 && i == plane->intervals - 1) {
        *here = rv_plane_look(plane, approach->q, i, 1.0);
        return true;
    }
    *atEnd = false;
    if (!(first < 0.0 && last >= 0.0))
        return false;
    *here = rv_plane_look(plane, approach->q, i, rv_root_between(along, approach, first, last));
    return true;
}

static int8_t side_of(rvVec2 n, rvVec2 d)
{
    return rv_vec2_dot(n, d) < 0.0 ? -1 : 1;
}

// The side that is remembered for an interval, or for its neighbours: contacts wander from one to the next.
static int8_t remembered(const int8_t* sides, int intervals, int i)
{
    if (sides[i] != 0)
        return sides[i];
    if (i > 0 && sides[i - 1] != 0)
        return sides[i - 1];
    return i + 1 < intervals ? sides[i + 1] : 0;
}

int rv_plane_contacts_side(const rvPlaneContacts* contacts, int obstacle, int interval)
{
    return remembered(contacts->sides + obstacle * contacts->intervals, contacts->intervals, interval);
}

static bool is_solid(const rvPlaneContacts* contacts, int k)
{
    return k < contacts->obstacleCount && contacts->obstacles[k].solid.shape;
}

// Is it a touch of a corner that does not count, as the curve is not behind it?
static bool is_beyond(const rvPlaneContacts* contacts, const rvPlaneTouch* touch)
{
    const rvPlaneObstacle* o = touch->obstacle >= 0 ? &contacts->obstacles[touch->obstacle] : NULL;
    return o && o->corner && touch->gap > -o->radius - RV_PLANE_BEHIND * contacts->thickness;
}

// Obstacle k, or an end of the curve; `end` is the interval at that end, -1: none.
static rvPlaneObstacle round_of(const rvPlaneContacts* contacts, const rvPlane* plane, int k, int* end)
{
    *end = -1;
    if (k < contacts->obstacleCount)
        return contacts->obstacles[k];
    bool last = k > contacts->obstacleCount;
    *end = last ? plane->intervals - 1 : 0;
    return (rvPlaneObstacle){.center = plane->nodes[last ? plane->intervals : 0], .radius = contacts->thickness};
}

// The next interval from i on that may meet obstacle k.
static int next_at(const rvPlaneContacts* contacts, const rvPlane* plane, int k, double stride, int i)
{
    int end;
    rvPlaneObstacle obstacle = round_of(contacts, plane, k, &end);
    return rv_plane_next_near(plane, obstacle.center, obstacle.radius + 2.0 * rv_plane_reach(plane), stride, i,
                              contacts->intervals);
}

// Where interval i, which is near, meets obstacle k: the point, the outward direction there and the gap. False: it does
// not.
static bool meet(const rvPlaneContacts* contacts, const rvPlane* plane, const double* q, int k, int i,
                 rvPlaneNear* here, rvVec2* out, double* gap)
{
    int end;
    rvPlaneObstacle obstacle = round_of(contacts, plane, k, &end);
    if (end >= 0 && abs(i - end) < 2)
        return false;
    Approach approach = {plane, q, i, obstacle.center};
    bool atEnd;
    if (!find_nearest(&approach, here, &atEnd))
        return false;
    if (!atEnd)
        rv_plane_refine(plane, q, obstacle.center, here);
    rvVec2 d = rv_vec2_minus(here->x, obstacle.center), n = rv_vec2_across(here->t);
    if (atEnd) {
        double distance = sqrt(rv_vec2_dot(d, d));
        *out = distance > 0.0 ? rv_vec2(d.x / distance, d.y / distance) : n;
    } else {
        int8_t side = remembered(contacts->sides + k * contacts->intervals, contacts->intervals, i);
        if (side == 0)
            side = side_of(n, d);
        *out = rv_vec2(side * n.x, side * n.y);
    }
    *gap = rv_vec2_dot(*out, d) - obstacle.radius;
    return true;
}

static bool lies_on(const rvPlaneContacts* contacts, const rvPlane* plane, int k, int i)
{
    int end;
    rvPlaneObstacle obstacle = round_of(contacts, plane, k, &end);
    double distance = obstacle.radius + 0.5 * rv_plane_reach(plane);
    return end < 0 && !rv_plane_is_far(rv_vec2_minus(plane->nodes[i], obstacle.center), distance) &&
           !rv_plane_is_far(rv_vec2_minus(plane->nodes[i + 1], obstacle.center), distance);
}

static void remember_obstacle(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, int k, double stride)
{
    int8_t* sides = contacts->sides + k * contacts->intervals;
    memset(contacts->nextSides, 0, (size_t)contacts->intervals);
    for (int i = -1; (i = next_at(contacts, plane, k, stride, i + 1)) < contacts->intervals;) {
        rvPlaneNear here;
        rvVec2 out;
        double gap;
        if (meet(contacts, plane, q, k, i, &here, &out, &gap))
            contacts->nextSides[i] = gap < rv_plane_reach(plane) ? side_of(rv_vec2_across(here.t), out) : 0;
        else // on an arc around the obstacle no point need be nearest
            contacts->nextSides[i] = lies_on(contacts, plane, k, i) ? remembered(sides, contacts->intervals, i) : 0;
    }
    memcpy(sides, contacts->nextSides, (size_t)contacts->intervals);
}

// ---- itself ---------------------------------------------------------------------------------------------------------

// Along the line of parallel tangents in the square of two intervals.
typedef struct {
    const rvPlane* plane;
    const double* q;
    int one, two;
    double from[2], to[2]; // xi of both at its ends
} Parallel;

static void look_both(const Parallel* line, double u, rvPlaneNear* one, rvPlaneNear* two)
{
    double xi = line->from[0] + u * (line->to[0] - line->from[0]),
           eta = line->from[1] + u * (line->to[1] - line->from[1]);
    *one = rv_plane_look(line->plane, line->q, line->one, fmin(fmax(xi, 0.0), 1.0));
    *two = rv_plane_look(line->plane, line->q, line->two, fmin(fmax(eta, 0.0), 1.0));
}

static double slant(const void* context, double u)
{
    rvPlaneNear one, two;
    look_both(context, u, &one, &two);
    return rv_vec2_dot(rv_vec2_minus(two.x, one.x), one.t);
}

// Clips a + u b to 0..1 for u in from..to. A corner of the square counts for all that meet in it: rounding must not
// lose what lies there.
static bool clip(double a, double b, double* from, double* to)
{
    if (fabs(b) < 1e-14)
        return a >= -CORNER && a <= 1.0 + CORNER;
    double u = (-CORNER - a) / b, w = (1.0 + CORNER - a) / b;
    *from = fmax(*from, fmin(u, w));
    *to = fmin(*to, fmax(u, w));
    return *from <= *to;
}

// The line theta_two - theta_one = turns * pi in the square; false: it misses it.
static bool find_line(Parallel* line, double turns)
{
    const double *a = line->q + rv_plane_angle(line->plane, line->one),
                 *b = line->q + rv_plane_angle(line->plane, line->two);
    int f = line->plane->fields;
    double da = a[f] - a[0], db = b[f] - b[0], miss = a[0] + turns * PI - b[0]; // da xi + miss = db eta
    double from = 0.0, to = 1.0;
    double norm = da * da + db * db;
    if (norm < 1e-24) { // both straight: parallel everywhere, or nowhere
        if (fabs(miss) > 1e-12)
            return false;
        line->from[0] = line->to[1] = 0.0;
        line->from[1] = line->to[0] = 1.0;
        return true;
    }
    // the point of the line nearest to the origin, and its direction, long enough for the square
    double xi = -da * miss / norm, eta = db * miss / norm, dx = 4.0 * db / sqrt(norm), de = 4.0 * da / sqrt(norm);
    from = -1.0;
    if (!clip(xi, dx, &from, &to) || !clip(eta, de, &from, &to))
        return false;
    line->from[0] = xi + from * dx;
    line->to[0] = xi + to * dx;
    line->from[1] = eta + from * de;
    line->to[1] = eta + to * de;
    return true;
}

static bool is_same_way(double halfTurns)
{
    return fmod(halfTurns, 2.0) == 0.0;
}

// The common normal of two intervals, if they have one, the shortest: where they run the same way, as turns of a coil
// do, or against each other, as legs of a loop.
static bool find_common(Parallel* line, bool same, rvPlaneNear* one, rvPlaneNear* two)
{
    const double *a = line->q + rv_plane_angle(line->plane, line->one),
                 *b = line->q + rv_plane_angle(line->plane, line->two);
    int f = line->plane->fields;
    double low = fmin(b[0], b[f]) - fmax(a[0], a[f]), high = fmax(b[0], b[f]) - fmin(a[0], a[f]);
    double turns = ceil(low / PI - 1e-9), more = floor(high / PI + 1e-9) - turns, least = HUGE_VAL;
    bool found = false;
    for (int k = 0; k <= more; ++k) {
        if (is_same_way(turns + k) != same || !find_line(line, turns + k))
            continue;
        double first = slant(line, 0.0), last = slant(line, 1.0), none = CORNER * line->plane->step, u;
        if (fabs(first) <= none && fabs(last) <= none) // parallel all along
            u = 0.5;
        else if (fabs(first) <= none || fabs(last) <= none)
            u = fabs(first) <= none ? 0.0 : 1.0;
        else if ((first < 0.0) != (last < 0.0))
            u = rv_root_between(slant, line, first, last);
        else
            continue;
        rvPlaneNear ends[2];
        look_both(line, u, &ends[0], &ends[1]);
        rvVec2 d = rv_vec2_minus(ends[1].x, ends[0].x);
        if (rv_vec2_dot(d, d) >= least)
            continue;
        least = rv_vec2_dot(d, d);
        *one = ends[0];
        *two = ends[1];
        found = true;
    }
    return found && least < HUGE_VAL;
}

// Of a pair of intervals, i before j, in the square of sides: beyond its diagonal where they run against each other,
// before it where they run the same way. In a coil an interval may lie along another in both ways, on opposite sides.
static size_t pair_index(const rvPlaneContacts* contacts, int i, int j, bool same)
{
    return same ? (size_t)(j * contacts->intervals + i) : (size_t)(i * contacts->intervals + j);
}

// The side that is remembered for a pair of intervals, or for their neighbours: contacts wander.
static int8_t own_side(const rvPlaneContacts* contacts, int i, int j, bool same)
{
    int8_t side = contacts->ownSides[pair_index(contacts, i, j, same)];
    int row = same ? j : i, last = contacts->intervals - 1;
    for (int k = row > 0 ? row - 1 : 0; k <= row + 1 && k <= last && side == 0; ++k)
        side = remembered(contacts->ownSides + k * contacts->intervals, contacts->intervals, same ? i : j);
    return side;
}

// The side on which the second of two parts is, d away across the first: the one remembered, where they can have come
// through each other. Parts of a coil half a turn and a whole turn apart are neighbours, too, and on opposite sides.
static int8_t side_across(const rvPlaneContacts* contacts, int8_t side, rvVec2 n, rvVec2 d)
{
    int8_t now = side_of(n, d);
    return side == 0 || fabs(rv_vec2_dot(n, d)) > contacts->moved ? now : side;
}

// The next interval from j on that may meet interval i.
static int next_pair(const rvPlaneContacts* contacts, const rvPlane* plane, double stride, int i, int j)
{
    return rv_plane_next_near(plane, rv_plane_middle(plane, i), contacts->thickness + 2.0 * rv_plane_reach(plane),
                              stride, j, contacts->intervals);
}

// Does the curve run on from one interval to another? Where it does not turn by a right angle what lies between them
// adds up along the tangent of the first, and they have no common normal. Told of near ones only: far ones are seldom.
static bool runs_on(const rvPlane* plane, const double* q, int i, int j)
{
    double low = q[rv_plane_angle(plane, i)], high = low;
    for (int k = i + 1; k <= j + 1 && j - i <= RUNS_ON; ++k) {
        low = rv_smaller(low, q[rv_plane_angle(plane, k)]);
        high = rv_larger(high, q[rv_plane_angle(plane, k)]);
    }
    return j - i <= RUNS_ON && high - low < 1.5;
}

// Of two that are near each other.
static bool meet_itself(const rvPlaneContacts* contacts, const rvPlane* plane, const double* q, int i, int j, bool same,
                        rvPlaneNear* one, rvPlaneNear* two, rvVec2* out, double* gap)
{
    Parallel line = {.plane = plane, .q = q, .one = i, .two = j};
    if (!find_common(&line, same, one, two))
        return false;
    rv_plane_refine_both(plane, q, one, two);
    rvVec2 d = rv_vec2_minus(two->x, one->x), n = rv_vec2_across(one->t);
    int8_t side = side_across(contacts, own_side(contacts, i, j, same), n, d);
    *out = rv_vec2(side * n.x, side * n.y);
    *gap = rv_vec2_dot(*out, d) - contacts->thickness;
    return true;
}

static void remember_itself(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, double stride)
{
    int n = contacts->intervals;
    memset(contacts->nextSides, 0,
           (size_t)n * (size_t)n); // far ones have none, and obstacles wrote there
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; (j = next_pair(contacts, plane, stride, i, j + 1)) < n;)
            for (int same = 0; same < 2 && !runs_on(plane, q, i, j); ++same) {
                rvPlaneNear one, two;
                rvVec2 out;
                double gap;
                bool near =
                    meet_itself(contacts, plane, q, i, j, same, &one, &two, &out, &gap) && gap < rv_plane_reach(plane);
                contacts->nextSides[pair_index(contacts, i, j, same)] = near ? side_of(rv_vec2_across(one.t), out) : 0;
            }
    int8_t* swap = contacts->ownSides;
    contacts->ownSides = contacts->nextSides;
    contacts->nextSides = swap;
}

// ---- through itself -------------------------------------------------------------------------------------------------

enum { PER_INTERVAL = 8 }; // chords to see crossings by: an arc of a radian is off its chords by 1/512 of its length
#define BESIDE 2           // intervals: touches so near to a crossing are of it

static void draw_interval(const rvPlane* plane, int i, rvVec2* line)
{
    for (int k = 0; k <= PER_INTERVAL; ++k) {
        rvCurveSpot spot = rv_plane_spot_in(plane, i, (double)k / PER_INTERVAL);
        line[k] = rv_plane_point(plane, &spot);
    }
}

static double turn(rvVec2 a, rvVec2 b, rvVec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool lines_cross(const rvVec2* a, const rvVec2* b)
{
    for (int i = 0; i < PER_INTERVAL; ++i)
        for (int k = 0; k < PER_INTERVAL; ++k)
            if (turn(a[i], a[i + 1], b[k]) * turn(a[i], a[i + 1], b[k + 1]) < 0.0 &&
                turn(b[k], b[k + 1], a[i]) * turn(b[k], b[k + 1], a[i + 1]) < 0.0)
                return true;
    return false;
}

static bool overlaps_beside(const rvPlaneContacts* contacts, int i, int j)
{
    for (int k = 0; k < contacts->touchCount; ++k) {
        const rvPlaneTouch* touch = &contacts->touches[k];
        int low = touch->other.interval, high = touch->spot.interval;
        if (touch->both && touch->gap < 0.0 && abs((low < high ? low : high) - i) <= BESIDE &&
            abs((low < high ? high : low) - j) <= BESIDE)
            return true;
    }
    return false;
}

bool rv_plane_contacts_lost(const rvPlaneContacts* contacts, const rvPlane* plane)
{
    double stride = rv_plane_stride(plane);
    for (int i = 0; contacts->itself && i < contacts->intervals; ++i) {
        rvVec2 one[PER_INTERVAL + 1], two[PER_INTERVAL + 1];
        bool drawn = false;
        rvVec2 x = rv_plane_middle(plane, i);
        for (int j = i + 1; (j = rv_plane_next_near(plane, x, rv_plane_reach(plane), stride, j + 1,
                                                    contacts->intervals)) < contacts->intervals;) {
            if (overlaps_beside(contacts, i, j))
                continue;
            if (!drawn)
                draw_interval(plane, i, one);
            drawn = true;
            draw_interval(plane, j, two);
            if (lines_cross(one, two))
                return true;
        }
    }
    return false;
}

// ---- both -----------------------------------------------------------------------------------------------------------

void rv_plane_contacts_remember(rvPlaneContacts* contacts, const rvPlane* plane, const double* q)
{
    double stride = rv_plane_stride(plane);
    for (int k = 0; k < round_count(contacts); ++k)
        if (is_solid(contacts, k))
            rv_plane_solid_remember(contacts, plane, k, stride);
        else
            remember_obstacle(contacts, plane, q, k, stride);
    if (contacts->itself)
        remember_itself(contacts, plane, q, stride);
}

void rv_plane_contacts_touch(rvPlaneContacts* contacts, const rvPlaneTouch* touch)
{
    if (contacts->touchCount < contacts->most)
        contacts->touches[contacts->touchCount++] = *touch;
    else
        contacts->dropped += 1;
}

// Is there a touch with the same thing, the curve itself or an obstacle, that is nearer than `apart`, in intervals, at
// both places?
static bool is_beside(const rvPlaneTouch* touches, int count, const rvPlaneTouch* touch, double apart)
{
    for (int i = 0; i < count; ++i) {
        const rvPlaneTouch* other = &touches[i];
        double s = touch->spot.interval + touch->spot.xi - other->spot.interval - other->spot.xi;
        double r = touch->other.interval + touch->other.xi - other->other.interval - other->other.xi;
        if (other->both == touch->both && other->obstacle == touch->obstacle && fabs(s) < apart &&
            (!touch->both || fabs(r) < apart))
            return true;
    }
    return false;
}

void rv_plane_contacts_find(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, double margin)
{
    double stride = rv_plane_stride(plane);
    contacts->touchCount = contacts->dropped = 0;
    for (int k = 0; k < contacts->obstacleCount; ++k)
        if (is_solid(contacts, k))
            rv_plane_solid_find(contacts, plane, k, margin, stride);
    for (int k = 0; k < round_count(contacts); ++k)
        for (int i = is_solid(contacts, k) ? contacts->intervals : -1;
             (i = next_at(contacts, plane, k, stride, i + 1)) < contacts->intervals;) {
            rvPlaneNear here;
            rvPlaneTouch touch = {.obstacle = k < contacts->obstacleCount ? k : -1};
            int end;
            if (!meet(contacts, plane, q, k, i, &here, &touch.out, &touch.gap) || touch.gap >= margin ||
                is_beyond(contacts, &touch))
                continue;
            round_of(contacts, plane, k, &end);
            touch.spot = here.spot;
            touch.both = end >= 0;
            if (touch.both)
                touch.other = rv_plane_spot_in(plane, end, end > 0 ? 1.0 : 0.0);
            rv_plane_contacts_touch(contacts, &touch);
        }
    for (int i = 0; contacts->itself && i < contacts->intervals; ++i)
        for (int j = i + 1; (j = next_pair(contacts, plane, stride, i, j + 1)) < contacts->intervals;)
            for (int same = 0; same < 2 && !runs_on(plane, q, i, j); ++same) {
                rvPlaneNear one, two;
                rvPlaneTouch touch = {.obstacle = -1, .both = true};
                if (!meet_itself(contacts, plane, q, i, j, same, &one, &two, &touch.out, &touch.gap) ||
                    touch.gap >= margin)
                    continue;
                touch.spot = two.spot;
                touch.other = one.spot;
                if (!is_beside(contacts->touches, contacts->touchCount, &touch,
                               ONE_TOUCH)) // two squares that meet in a corner find the same touch
                    rv_plane_contacts_touch(contacts, &touch);
            }
}

// Node k on an earlier interval j which is near, on the side that is remembered.
static bool lies_along(const rvPlaneContacts* contacts, const rvPlane* plane, const double* q, int k, int j,
                       double margin, rvPlaneTouch* touch)
{
    int i = k < contacts->intervals ? k : k - 1;
    rvVec2 x = plane->nodes[k];
    Approach approach = {plane, q, j, x};
    double first = along(&approach, 0.0), last = along(&approach, 1.0); // falls: it is the obstacle that is looked for
    if (!(first < 0.0 && last >= 0.0))
        return false;
    rvPlaneNear foot = rv_plane_look(plane, q, j, rv_root_between(along, &approach, first, last));
    rvPlaneNear here = rv_plane_look(plane, q, i, k - i);
    rvVec2 n = rv_vec2_across(foot.t);
    int8_t side = own_side(contacts, j, i, rv_vec2_dot(here.t, foot.t) > 0.0);
    if (side == 0)
        return false;
    side = side_across(contacts, side, n, rv_vec2_minus(x, foot.x));
    *touch = (rvPlaneTouch){.spot = here.spot, .other = foot.spot, .obstacle = -1, .both = true};
    touch->out = rv_vec2(side * n.x, side * n.y);
    touch->gap = rv_vec2_dot(touch->out, rv_vec2_minus(x, foot.x)) - contacts->thickness;
    return touch->gap < margin && touch->gap > -0.5 * contacts->thickness && fabs(rv_vec2_dot(here.t, foot.t)) > 0.5;
}

void rv_plane_contacts_find_turns(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, double margin,
                                  double apart)
{
    double stride = rv_plane_stride(plane), near = contacts->thickness + margin + rv_plane_reach(plane);
    for (int k = 3; contacts->itself && k <= contacts->intervals; ++k)
        for (int j = -1; (j = rv_plane_next_near(plane, plane->nodes[k], near, stride, j + 1, k - 2)) < k - 2;) {
            rvPlaneTouch touch;
            if (lies_along(contacts, plane, q, k, j, margin, &touch) &&
                !is_beside(contacts->touches, contacts->touchCount, &touch, apart))
                rv_plane_contacts_touch(contacts, &touch);
        }
}

// A touch of an earlier look, by the gap of its points.
static void find_again(const rvPlaneContacts* contacts, const rvPlane* plane, rvPlaneTouch* touch)
{
    touch->spot = rv_plane_spot_in(plane, touch->spot.interval, touch->spot.xi);
    rvVec2 d = rv_plane_point(plane, &touch->spot);
    double apart = contacts->thickness;
    if (touch->both) {
        touch->other = rv_plane_spot_in(plane, touch->other.interval, touch->other.xi);
        d = rv_vec2_minus(d, rv_plane_point(plane, &touch->other));
    } else {
        d = rv_vec2_minus(d, contacts->obstacles[touch->obstacle].center);
        apart = contacts->obstacles[touch->obstacle].radius;
    }
    double distance = sqrt(rv_vec2_dot(d, d));
    int8_t side = !touch->both || distance < contacts->moved ? side_of(touch->out, d) : 1;
    if (distance > 0.0)
        touch->out = rv_vec2(side * d.x / distance, side * d.y / distance);
    touch->gap = side * distance - apart;
}

void rv_plane_contacts_find_met(rvPlaneContacts* contacts, const rvPlane* plane, bool rounds, double margin)
{
    int fresh = contacts->touchCount, known = contacts->metCount;
    for (int i = 0; i < fresh; ++i)
        if ((contacts->touches[i].both || rounds) && contacts->metCount < contacts->most &&
            !is_beside(contacts->met, known, &contacts->touches[i], ONE_TOUCH))
            contacts->met[contacts->metCount++] = contacts->touches[i];
    for (int k = 0; k < known; ++k) {
        rvPlaneTouch touch = contacts->met[k];
        bool solid = !touch.both && is_solid(contacts, touch.obstacle);
        bool edge = solid || (!touch.both && contacts->obstacles[touch.obstacle].corner);
        double near = fmax(margin, touch.near);
        if (is_beside(contacts->touches, contacts->touchCount, &touch, edge ? RV_PLANE_ONE_EDGE : ONE_TOUCH))
            continue;
        if (!solid)
            find_again(contacts, plane, &touch);
        if (solid ? rv_plane_solid_find_again(contacts, plane, near, &touch)
                  : touch.gap < near && !is_beyond(contacts, &touch))
            rv_plane_contacts_touch(contacts, &touch);
    }
}

double rv_plane_touch_rate(const rvPlane* plane, const rvPlaneTouch* touch, const double* v)
{
    rvVec2 rate = rv_plane_velocity(plane, v, &touch->spot);
    if (touch->both)
        rate = rv_vec2_minus(rate, rv_plane_velocity(plane, v, &touch->other));
    return rv_vec2_dot(touch->out, rate);
}

void rv_plane_contacts_add(rvPlaneContacts* contacts, rvPlane* plane, const double* q, const double* v)
{
    contacts->deepest = contacts->energy = 0.0;
    rv_plane_contacts_find(contacts, plane, q, 0.0);
    for (int i = 0; i < contacts->touchCount; ++i) {
        const rvPlaneTouch* touch = &contacts->touches[i];
        contacts->deepest = fmax(contacts->deepest, -touch->gap);
        contacts->energy += 0.5 * contacts->spring * touch->gap * touch->gap;
        double opening = rv_plane_touch_rate(plane, touch, v);
        double push = fmax(0.0, -contacts->spring * touch->gap - contacts->damping * opening); // it never pulls
        rv_plane_add_force(plane, &touch->spot, rv_vec2(push * touch->out.x, push * touch->out.y));
        if (touch->both)
            rv_plane_add_force(plane, &touch->other, rv_vec2(-push * touch->out.x, -push * touch->out.y));
    }
}
