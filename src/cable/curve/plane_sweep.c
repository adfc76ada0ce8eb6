// SPDX-License-Identifier: MIT
// No pass leads a curve in a plane through a solid, or the middle of an obstacle that is round.
//
// A chord a, b and a middle c, all of them linear in t = 0..1, can only meet where their area
//   A(t) = (b - a) x (c - a)
// is zero, which is quadratic in t; they do if c is between a and b there. The sign of A before is the side from which
// the chord came. Two that go through each other and back have met for nothing.
#include "cable/curve/plane_solid.h"

#include <math.h>
#include <string.h>

enum { CHORDS = RV_PLANE_CHORDS };
#define CORNER 1e-9   // of a chord: what meets at the end of one counts for both
#define STRIDE 1.0001 // of the longest chord, for what is skipped

int rv_plane_trail_count(int intervals)
{
    return CHORDS * intervals + 1;
}

static void draw(const rvPlane* plane, rvVec2* line)
{
    for (int i = 0; i < plane->intervals; ++i)
        for (int k = 0; k < CHORDS; ++k) {
            rvCurveSpot spot = rv_plane_spot_in(plane, i, k / (double)CHORDS);
            line[CHORDS * i + k] = rv_plane_point(plane, &spot);
        }
    line[CHORDS * plane->intervals] = plane->nodes[plane->intervals];
}

static void lead(rvPlaneContacts* contacts, double was, double is)
{
    double before = was - contacts->wasLed, now = is - contacts->led;
    for (int k = 0; k < contacts->obstacleCount; ++k) {
        rvPlaneObstacle* o = &contacts->obstacles[k];
        o->was = rv_vec2_add(o->was, before, o->way);
        o->center = rv_vec2_add(o->center, now, o->way);
        rv_meet_lead(&o->solid, before, now);
    }
    contacts->wasLed = was;
    contacts->led = is;
}

void rv_plane_contacts_begin(rvPlaneContacts* contacts, const rvPlane* plane)
{
    lead(contacts, 0.0, contacts->rigid ? 0.0 : 1.0);
    draw(plane, contacts->trail);
}

void rv_plane_contacts_lead(rvPlaneContacts* contacts, double share)
{
    lead(contacts, contacts->wasLed, contacts->rigid ? share : 1.0);
}

static double cross(rvVec2 a, rvVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

// Of a chord and a middle, seen from its first end: the other end and the middle, and by how much they go on.
typedef struct {
    rvVec2 other[2], center[2];
} Chord;

// Is the middle within the chord at t? *at: its share.
static bool is_within(const Chord* chord, double t, double* at)
{
    rvVec2 b = rv_vec2_add(chord->other[0], t, chord->other[1]), c = rv_vec2_add(chord->center[0], t, chord->center[1]);
    double length = rv_vec2_dot(b, b);
    *at = length > 0.0 ? rv_vec2_dot(b, c) / length : 0.0;
    return *at >= -CORNER && *at <= 1.0 + CORNER;
}

// Does it go through, and not back? *at: where along it first does; *side: on which side of it the middle was.
static bool goes_through(const Chord* chord, double* at, double* side)
{
    double f = cross(chord->other[0], chord->center[0]), h = cross(chord->other[1], chord->center[1]);
    double g = cross(chord->other[0], chord->center[1]) + cross(chord->other[1], chord->center[0]); // f + g t + h t^2
    double roots[2], root = g * g - 4.0 * f * h;
    int met = 0;
    if (!(root >= 0.0) || f == 0.0)
        return false;
    double w = -0.5 * (g + copysign(sqrt(root), g)); // without cancellation
    roots[0] = f / w;
    roots[1] = w / h;
    if (roots[0] > roots[1]) { // false of what is no number
        roots[0] = w / h;
        roots[1] = f / w;
    }
    for (int i = 0; i < 2; ++i) {
        double share;
        if (!(roots[i] > 0.0 && roots[i] <= 1.0) || !is_within(chord, roots[i], &share))
            continue;
        if (met++ == 0)
            *at = fmin(fmax(share, 0.0), 1.0);
    }
    *side = f > 0.0 ? 1.0 : -1.0;
    return met == 1;
}

double rv_plane_contacts_way(const rvPlaneContacts* contacts, int i)
{
    const rvVec2 *from = contacts->trail, *to = from + rv_plane_trail_count(contacts->intervals);
    rvVec2 d = rv_vec2_minus(to[i], from[i]);
    return sqrt(rv_vec2_dot(d, d));
}

// How far away chord i was at most from what it goes through, which goes on by `go`. Beyond the margin of looks it
// would not be a touch, and the next pass would want the same.
static double find_near(const rvPlaneContacts* contacts, int i, double go)
{
    return go + fmax(rv_plane_contacts_way(contacts, i), rv_plane_contacts_way(contacts, i + 1));
}

static void meet(rvPlaneContacts* contacts, const rvPlane* plane, int obstacle, double at, double near, rvVec2 out)
{
    // a solid may have another edge beside
    double same = contacts->obstacles[obstacle].solid.shape ? RV_PLANE_ONE_EDGE : 1.0 / CHORDS;
    int interval = (int)fmin(at, plane->intervals - 1.0);
    for (int k = 0; k < contacts->metCount; ++k) {
        rvPlaneTouch* met = &contacts->met[k];
        if (met->both || met->obstacle != obstacle || fabs(met->spot.interval + met->spot.xi - at) >= same)
            continue;
        met->near = fmax(met->near, near);
        return;
    }
    if (contacts->metCount < contacts->most)
        contacts->met[contacts->metCount++] = (rvPlaneTouch){
            .spot = rv_plane_spot_in(plane, interval, at - interval), .obstacle = obstacle, .out = out, .near = near};
}

// How far points of the line go, and how long its chords are, at most.
static void measure(const rvVec2* from, const rvVec2* to, int count, double* way, double* length)
{
    *way = *length = 0.0;
    for (int i = 0; i < count; ++i) {
        rvVec2 d = rv_vec2_minus(to[i], from[i]), chord = i > 0 ? rv_vec2_minus(to[i], to[i - 1]) : rv_vec2(0, 0);
        *way = fmax(*way, rv_vec2_dot(d, d));
        *length = fmax(*length, rv_vec2_dot(chord, chord));
    }
    *way = sqrt(*way);
    *length = STRIDE * sqrt(*length);
}

// What is not round.
static int sweep_solid(rvPlaneContacts* contacts, const rvPlane* plane, int k, bool* sunk)
{
    int chords = rv_plane_trail_count(contacts->intervals) - 1, found = 0;
    const rvSpaceObstacle* o = &contacts->obstacles[k].solid;
    rvSpaceSwept swept = rv_space_sweep_of(o);
    double go = rvDistance(o->wasCenter, o->center);
    for (int i = 0; i < chords; ++i) {
        double at;
        rvVec2 out;
        rvSpacePassing passing = rv_plane_solid_pass(contacts, k, &swept, i, &at, &out);
        if (passing != RV_SPACE_OUTSIDE)
            meet(contacts, plane, k, (i + at) / CHORDS, passing == RV_SPACE_THROUGH ? find_near(contacts, i, go) : 0.0,
                 out);
        *sunk = *sunk || passing == RV_SPACE_SUNK;
        found += passing == RV_SPACE_THROUGH;
    }
    return found;
}

int rv_plane_contacts_sweep(rvPlaneContacts* contacts, const rvPlane* plane, bool* sunk)
{
    int count = rv_plane_trail_count(contacts->intervals), found = 0;
    rvVec2 *from = contacts->trail, *to = from + count;
    double way, length;
    *sunk = false;
    draw(plane, to);
    measure(from, to, count, &way, &length);
    for (int k = 0; k < contacts->obstacleCount; ++k) {
        const rvPlaneObstacle* o = &contacts->obstacles[k];
        if (o->solid.shape)
            found += sweep_solid(contacts, plane, k, sunk);
        if (o->solid.shape || o->corner) // its solid is what is not gone through
            continue;
        rvVec2 was = o->was, go = rv_vec2_minus(o->center, was);
        double reach = way + sqrt(rv_vec2_dot(go, go)) + length;
        for (int i = 0, skip; i + 1 < count; i += skip) {
            rvVec2 d = rv_vec2_minus(to[i], o->center);
            skip = rv_curve_skip(rv_vec2_dot(d, d), reach, length);
            if (skip > 0)
                continue;
            skip = 1;
            rvVec2 b = rv_vec2_minus(from[i + 1], from[i]), c = rv_vec2_minus(was, from[i]),
                   b1 = rv_vec2_minus(to[i + 1], to[i]);
            Chord chord = {{b, rv_vec2_minus(b1, b)}, {c, rv_vec2_minus(rv_vec2_minus(o->center, to[i]), c)}};
            double at, side;
            if (!goes_through(&chord, &at, &side))
                continue;
            double size = fmax(sqrt(rv_vec2_dot(b1, b1)), 1e-300);
            meet(contacts, plane, k, (i + at) / CHORDS, find_near(contacts, i, sqrt(rv_vec2_dot(go, go))),
                 rv_vec2(side * b1.y / size, -side * b1.x / size));
            found += 1;
        }
    }
    return found;
}

void rv_plane_contacts_arrive(rvPlaneContacts* contacts)
{
    int count = rv_plane_trail_count(contacts->intervals);
    memcpy(contacts->trail, contacts->trail + count, (size_t)count * sizeof(rvVec2));
    for (int k = 0; k < contacts->obstacleCount; ++k) {
        contacts->obstacles[k].was = contacts->obstacles[k].center;
        rv_meet_arrive(&contacts->obstacles[k].solid);
    }
    contacts->wasLed = contacts->led;
}
