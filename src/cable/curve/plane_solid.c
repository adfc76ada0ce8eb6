// SPDX-License-Identifier: MIT
#include "cable/curve/plane_solid.h"

#include <math.h>
#include <string.h>

enum { PARTS = 4 };    // of an interval, see meet.c
#define NEAR_POINT 0.2 // intervals: beside a nearest point

static double radius_of(const rvPlaneContacts* contacts)
{
    return 0.5 * contacts->thickness;
}

static rvVec3 raise(const rvPlaneContacts* contacts, rvVec2 x)
{
    return rvMulAdd(rvMulAdd(contacts->origin, x.x, contacts->axis[0]), x.y, contacts->axis[1]);
}

// What of a normal in space lies in the plane, of unit length. False: so little that such a face holds nothing.
static bool flatten(const rvPlaneContacts* contacts, rvVec3 normal, rvVec2* flat, double* slope)
{
    rvVec2 n = rv_vec2(rvDot(contacts->axis[0], normal), rvDot(contacts->axis[1], normal));
    *slope = sqrt(rv_vec2_dot(n, n));
    if (*slope < RV_SPACE_LEAST_SLOPE)
        return false;
    *flat = rv_vec2(n.x / *slope, n.y / *slope);
    return true;
}

// ---- nearest points -------------------------------------------------------------------------------------------------

typedef struct {
    const rvPlaneContacts* contacts;
    const rvPlane* plane;
} Curve;

static rvMeetPoint look(const void* of, int interval, double xi)
{
    const Curve* curve = of;
    rvMeetPoint at = {.spot = rv_plane_spot_in(curve->plane, interval, xi)};
    at.x = raise(curve->contacts, rv_plane_point(curve->plane, &at.spot));
    rvVec2 slope = rv_plane_slope(curve->plane, &at.spot);
    const rvVec3* axis = curve->contacts->axis;
    at.t = rvNormalizeOr(rvAdd(rvScale(slope.x, axis[0]), rvScale(slope.y, axis[1])), axis[0]);
    return at;
}

static rvMeetLine line_of(const Curve* curve)
{
    return (rvMeetLine){
        .of = curve, .intervals = curve->plane->intervals, .across = curve->contacts->axis[2], .look = look};
}

// Seen along the plane, less the curve's own radius. False: the face holds nothing, or the curve is behind it.
static bool see(const rvPlaneContacts* contacts, const rvSpaceObstacle* o, rvVec3 out, double gap, rvPlaneTouch* touch)
{
    double slope;
    if (rv_space_solid_is_behind(o->shape, gap, radius_of(contacts)) || !flatten(contacts, out, &touch->out, &slope))
        return false;
    touch->gap = (gap - radius_of(contacts)) / slope;
    return true;
}

// A touch at a point; `line`: which is a nearest one of it.
static bool touch_at(const rvPlaneContacts* contacts, const rvMeetLine* line, int k, const rvMeetPoint* at,
                     double reach, rvPlaneTouch* touch)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k].solid;
    rvSpaceDistance d = rv_meet_distance(o, at->x, rvAcross(at->t), contacts->axis[2], reach);
    if (!contacts->rigid && rv_meet_has_far_side(o, &d)) {
        int side = rv_plane_contacts_side(contacts, k, at->spot.interval);
        if (side * rvDot(rvCross(contacts->axis[2], at->t), d.out) < 0.0) { // it has passed its middle
            d.out = rvNeg(d.out);
            d.gap = -d.gap - 2.0 * d.inside;
        }
    }
    if (line)
        rv_meet_edge(line, o, at, reach, &d.gap, &d.out);
    *touch = (rvPlaneTouch){.spot = at->spot, .obstacle = k};
    return see(contacts, o, d.out, d.gap, touch);
}

static bool is_far(const Curve* curve, const rvSpaceObstacle* o, int i, double reach)
{
    rvVec2 a = curve->plane->nodes[i], b = curve->plane->nodes[i + 1];
    rvVec3 x = raise(curve->contacts, rv_vec2(0.5 * (a.x + b.x), 0.5 * (a.y + b.y)));
    return rv_space_box_is_off(&o->box, x, reach) ||
           !(rv_meet_distance(o, x, rvVec(0, 0, 0), curve->contacts->axis[2], reach).gap < reach);
}

static bool is_far_from_all(const Curve* curve, const rvSpaceObstacle* o, double reach)
{
    rvSpaceBox all = {raise(curve->contacts, curve->plane->nodes[0]), raise(curve->contacts, curve->plane->nodes[0])};
    for (int i = 1; i <= curve->plane->intervals; ++i)
        all = rv_space_box_with(all, raise(curve->contacts, curve->plane->nodes[i]));
    all = rv_space_box_widened(all, reach);
    return rv_space_boxes_apart(&all, &o->box);
}

// Is there a touch with the same obstacle as near as this one along the curve, from `first` on?
static bool is_near_touch(const rvPlaneContacts* contacts, int first, const rvCurveSpot* spot)
{
    for (int i = first; i < contacts->touchCount; ++i) {
        const rvCurveSpot* other = &contacts->touches[i].spot;
        if (fabs(other->interval + other->xi - spot->interval - spot->xi) < NEAR_POINT)
            return true;
    }
    return false;
}

// Along a face nodes and middles touch, but not beside a nearest point; nodes come first: there may be no room for all.
// contacts->nextSides: intervals that are near.
static void add_samples(rvPlaneContacts* contacts, const Curve* curve, int k, int first, double margin)
{
    int n = contacts->intervals;
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i < n + 1 - half; ++i) {
            int interval = i < n ? i : n - 1;
            if (!contacts->nextSides[interval])
                continue;
            rvPlaneTouch touch;
            rvMeetPoint at = look(curve, interval, half ? 0.5 : i - interval);
            if (!is_near_touch(contacts, first, &at.spot) &&
                touch_at(contacts, NULL, k, &at, margin + radius_of(contacts), &touch) && touch.gap < margin)
                rv_plane_contacts_touch(contacts, &touch);
        }
}

// What is up to `near` away along the plane is no farther in space. Points of an interval are no farther from the
// middle of its chord than half of its length.
void rv_plane_solid_find(rvPlaneContacts* contacts, const rvPlane* plane, int k, double margin, double stride)
{
    Curve curve = {contacts, plane};
    rvMeetLine line = line_of(&curve);
    rvSpaceObstacle* o = &contacts->obstacles[k].solid;
    double near = radius_of(contacts) + margin, reach = near + stride / PARTS;
    int first = contacts->touchCount;
    o->box = rv_space_box_of(o);
    if (is_far_from_all(&curve, o, near + 0.5 * stride))
        return;
    for (int i = 0; i < contacts->intervals; ++i) {
        rvPlaneTouch touch;
        rvMeetPoint at;
        contacts->nextSides[i] = !is_far(&curve, o, i, near + 0.5 * stride);
        for (int part = 0; contacts->nextSides[i] && rv_meet_next(&line, o, i, reach, &part, &at);)
            if (touch_at(contacts, &line, k, &at, reach, &touch) && touch.gap < margin)
                rv_plane_contacts_touch(contacts, &touch);
    }
    add_samples(contacts, &curve, k, first, margin);
}

void rv_plane_solid_remember(rvPlaneContacts* contacts, const rvPlane* plane, int k, double stride)
{
    Curve curve = {contacts, plane};
    rvMeetLine line = line_of(&curve);
    rvSpaceObstacle* o = &contacts->obstacles[k].solid;
    double near = radius_of(contacts) + plane->step, reach = near + stride / PARTS;
    int8_t* sides = contacts->sides + k * contacts->intervals;
    memset(contacts->nextSides, 0, (size_t)contacts->intervals);
    o->box = rv_space_box_of(o);
    for (int i = 0; !contacts->rigid && i < contacts->intervals; ++i) {
        rvPlaneTouch touch = {.gap = HUGE_VAL};
        rvMeetPoint at;
        bool found = false;
        if (is_far(&curve, o, i, near + 0.5 * stride))
            continue;
        for (int part = 0; !found && rv_meet_next(&line, o, i, reach, &part, &at);)
            found = touch_at(contacts, &line, k, &at, reach, &touch);
        at = found ? at : look(&curve, i, 0.5); // along a face none is nearest
        if ((found || touch_at(contacts, NULL, k, &at, reach, &touch)) && touch.gap < plane->step) {
            rvVec2 slope = rv_plane_slope(plane, &at.spot);
            contacts->nextSides[i] = slope.x * touch.out.y - slope.y * touch.out.x < 0.0 ? -1 : 1;
        }
    }
    memcpy(sides, contacts->nextSides, (size_t)contacts->intervals);
}

bool rv_plane_solid_find_again(const rvPlaneContacts* contacts, const rvPlane* plane, double margin,
                               rvPlaneTouch* touch)
{
    Curve curve = {contacts, plane};
    rvMeetPoint at = look(&curve, touch->spot.interval, touch->spot.xi);
    return touch_at(contacts, NULL, touch->obstacle, &at, margin + radius_of(contacts), touch) && touch->gap < margin;
}

// ---- through --------------------------------------------------------------------------------------------------------

rvSpacePassing rv_plane_solid_pass(const rvPlaneContacts* contacts, int k, const rvSpaceSwept* swept, int i, double* at,
                                   rvVec2* out)
{
    const rvSpaceObstacle* o = &contacts->obstacles[k].solid;
    int count = rv_plane_trail_count(contacts->intervals);
    const rvVec2* line = contacts->trail + i;
    rvVec3 from[2] = {raise(contacts, line[0]), raise(contacts, line[1])}, normal = rvVec(0, 0, 0);
    rvVec3 to[2] = {raise(contacts, line[count]), raise(contacts, line[count + 1])};
    rvSpaceBox way = rv_space_box_with(rv_space_box_with((rvSpaceBox){from[0], from[0]}, from[1]), to[0]);
    way = rv_space_box_with(way, to[1]);
    double slope;
    if (rv_space_swept_apart(swept, &way))
        return RV_SPACE_OUTSIDE;
    rvSpacePassing passing = rv_meet_pass(o, from, to, i + 2 == count, radius_of(contacts), at, &normal);
    return passing != RV_SPACE_OUTSIDE && flatten(contacts, normal, out, &slope) ? passing : RV_SPACE_OUTSIDE;
}
