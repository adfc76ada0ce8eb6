// SPDX-License-Identifier: MIT
#include "cable/curve/meet.h"

#include "contact/shape_geometry.h"
#include "math/root.h"

#include <math.h>

#define BESIDE 1e-6    // of an interval: as near to an edge as can be
#define LEAST_EDGE 0.1 // of two normals together: a sharper edge is none
#define LEANS 1e-6     // to the axis of a cylinder: its mantle's normals do not
#define PARALLEL 1e-3  // slope of the distance at both ends of an interval: it lies along the surface [rad]

// ---- distance -------------------------------------------------------------------------------------------------------

static rvSpaceDistance from_round(rvVec3 d, double radius, rvVec3 otherwise)
{
    return (rvSpaceDistance){rvLength(d) - radius, radius, rvNormalizeOr(d, otherwise)};
}

static rvSpaceDistance from_solid(const rvSpaceObstacle* o, rvVec3 x, rvVec3 across, double reach)
{
    rvPose pose = {o->center, o->turn};
    rvSpaceDistance d =
        rv_space_solid_distance(o->shape, rvPosePointBack(pose, x), rvRotate(rvQuatConj(o->turn), across), reach);
    d.out = rvRotate(o->turn, d.out);
    return d;
}

rvSpaceDistance rv_meet_distance(const rvSpaceObstacle* o, rvVec3 x, rvVec3 otherwise, rvVec3 across, double reach)
{
    if (o->kind == RV_SPACE_SOLID)
        return from_solid(o, x, across, reach);
    rvVec3 d = rvSub(x, o->center);
    double along = rvDot(o->axis, d);
    if (o->kind == RV_SPACE_SPHERE)
        return from_round(d, o->radius, otherwise);
    if (o->kind == RV_SPACE_CAPSULE)
        return from_round(rvMulAdd(d, -fmin(fmax(along, -o->half), o->half), o->axis), o->radius, otherwise);
    rvVec3 aside = rvMulAdd(d, -along, o->axis), end = rvScale(along < 0.0 ? -1.0 : 1.0, o->axis);
    rvSpaceDistance mantle = from_round(aside, o->radius, otherwise);
    double beyond = fabs(along) - o->half;
    if (mantle.gap > 0.0 && beyond > 0.0) { // the rim
        rvVec3 way = rvAdd(rvScale(mantle.gap, mantle.out), rvScale(beyond, end));
        return (rvSpaceDistance){rvLength(way), o->radius, rvNormalizeOr(way, otherwise)};
    }
    return mantle.gap > beyond ? mantle : (rvSpaceDistance){beyond, o->half, end};
}

bool rv_meet_has_far_side(const rvSpaceObstacle* o, const rvSpaceDistance* d)
{
    bool deep = d->gap < -0.5 * d->inside;
    if (o->kind == RV_SPACE_SOLID)
        return deep && !rv_shape_is_surface(o->shape);
    // what goes around the end of a cylinder is not beyond the other one
    return deep || o->kind != RV_SPACE_CYLINDER || fabs(rvDot(d->out, o->axis)) < LEANS;
}

// ---- nearest points -------------------------------------------------------------------------------------------------

// Where a part of an interval is, seen from an obstacle.
typedef struct {
    const rvMeetLine* line;
    const rvSpaceObstacle* obstacle;
    int interval;
    double from, to; // xi
    double reach;
} Approach;

// How the distance grows along the curve at a share of the part, and how far it is there; `lever`: times the distance
// from the axis, which near it is smooth where the slope is not.
static double slope_of(const Approach* approach, double share, bool lever, double* gap)
{
    const rvSpaceObstacle* o = approach->obstacle;
    double xi = approach->from + share * (approach->to - approach->from);
    rvMeetPoint at = approach->line->look(approach->line->of, approach->interval, xi);
    rvSpaceDistance d = rv_meet_distance(o, at.x, rvAcross(at.t), approach->line->across, approach->reach);
    *gap = d.gap;
    return rvDot(d.out, at.t) * (lever && o->kind != RV_SPACE_SOLID ? d.gap + o->radius : 1.0);
}

const rvMeetEnd* rv_meet_end(const rvMeetLine* line, const rvSpaceObstacle* o, int interval, int k, double reach)
{
    rvMeetEnd* end = &line->ends[RV_MEET_PARTS * interval + k];
    if (end->known)
        return end;
    end->at = line->look(line->of, interval, (double)k / RV_MEET_PARTS);
    end->distance = rv_meet_distance(o, end->at.x, rvAcross(end->at.t), line->across, reach);
    end->known = true;
    return end;
}

// The slope at an end of the part, its first or its last.
static double slope_at_end(const Approach* approach, int k, double share, double* gap)
{
    if (approach->obstacle->kind != RV_SPACE_SOLID || !approach->line->ends)
        return slope_of(approach, share, false, gap);
    const rvMeetEnd* end = rv_meet_end(approach->line, approach->obstacle, approach->interval, k, approach->reach);
    *gap = end->distance.gap;
    return rvDot(end->distance.out, end->at.t);
}

static double slope_at(const void* context, double share)
{
    double gap;
    return slope_of(context, share, true, &gap);
}

// xi of the nearest point, if it is of this part, with slopes at its ends. What lies along a flat face has none.
static bool find_nearest(const Approach* approach, double first, double last, double* xi)
{
    double share;
    if (fabs(first) < PARALLEL && fabs(last) < PARALLEL) {
        if (approach->obstacle->kind == RV_SPACE_SOLID)
            return false;
        share = 0.5;
    } else if (first >= 0.0 && approach->interval == 0 && approach->from == 0.0)
        share = 0.0;
    else if (last < 0.0 && approach->interval == approach->line->intervals - 1 && approach->to == 1.0)
        share = 1.0;
    else if (first < 0.0 && last >= 0.0)
        share = rv_root_between(slope_at, approach, slope_at(approach, 0.0), slope_at(approach, 1.0));
    else
        return false;
    *xi = approach->from + share * (approach->to - approach->from);
    return true;
}

bool rv_meet_next(const rvMeetLine* line, const rvSpaceObstacle* o, int interval, double reach, int* part,
                  rvMeetPoint* at)
{
    bool solid = o->kind == RV_SPACE_SOLID;
    int parts = solid ? RV_MEET_PARTS : 1;
    Approach approach = {line, o, interval, 0.0, (double)*part / parts, reach};
    double first, last = 0.0, gaps[2] = {0.0, 0.0}, xi;
    for (bool begun = false; *part < parts; begun = true) {
        approach.from = approach.to;
        approach.to = (double)++*part / parts;
        gaps[0] = gaps[1];
        first = begun ? last : slope_at_end(&approach, *part - 1, 0.0, &gaps[0]);
        last = slope_at_end(&approach, *part, 1.0, &gaps[1]);
        if ((solid && fmax(gaps[0], gaps[1]) >= reach) || !find_nearest(&approach, first, last, &xi))
            continue;
        *at = line->look(line->of, interval, xi);
        return true;
    }
    return false;
}

void rv_meet_edge(const rvMeetLine* line, const rvSpaceObstacle* o, const rvMeetPoint* at, double reach, double* gap,
                  rvVec3* out)
{
    rvVec3 outs[2];
    double slope[2];
    if (!(*gap < 0.0) || o->kind != RV_SPACE_SOLID)
        return;
    for (int side = 0; side < 2; ++side) {
        double xi = at->spot.xi + (side ? BESIDE : -BESIDE);
        rvVec3 x = line->look(line->of, at->spot.interval, fmin(fmax(xi, 0.0), 1.0)).x;
        outs[side] = rv_meet_distance(o, x, *out, line->across, reach).out;
        slope[side] = rvDot(outs[side], at->t);
    }
    if (!(slope[0] < -PARALLEL) || !(slope[1] > PARALLEL))
        return;
    double share = slope[1] / (slope[1] - slope[0]);
    rvVec3 both = rvMulAdd(outs[1], share, rvSub(outs[0], outs[1]));
    double length = rvLength(both);
    if (length < LEAST_EDGE)
        return;
    *out = rvScale(1.0 / length, both);
    *gap /= length;
}

// ---- through --------------------------------------------------------------------------------------------------------

rvSpacePassing rv_meet_pass(const rvSpaceObstacle* o, const rvVec3 from[2], const rvVec3 to[2], bool last,
                            double radius, double* at, rvVec3* out)
{
    if (o->shape->type == RV_SHAPE_PLANE) // has but one side
        return RV_SPACE_OUTSIDE;
    rvPose is = {o->center, o->turn}, was = {o->wasCenter, o->wasTurn};
    rvVec3 a[2] = {rvPosePointBack(was, from[0]), rvPosePointBack(was, from[1])};
    rvVec3 b[2] = {rvPosePointBack(is, to[0]), rvPosePointBack(is, to[1])};
    double sink = rv_space_solid_sink(o->shape, radius);
    rvSpacePassing passing = rv_space_solid_pass_chord(o->shape, a, b, sink, at, out);
    for (int end = 0; end <= last && passing != RV_SPACE_THROUGH; ++end) {
        rvVec3 in, side;
        rvSpacePassing other = rv_space_solid_pass_point(o->shape, a[end], b[end], sink, &in, &side);
        if (other <= passing)
            continue;
        passing = other;
        *at = end;
        *out = side;
    }
    *out = rvRotate(o->turn, *out);
    return passing;
}

// ---- on its way -----------------------------------------------------------------------------------------------------

static void lead(const rvSpaceObstacle* o, double share, rvVec3* center, rvVec3* axis, rvQuat* turn)
{
    if (share == 0.0)
        return;
    rvQuat more = rvQuatFromRotation(rvScale(share, o->turning));
    *center = rvMulAdd(*center, share, o->way);
    *axis = rvRotate(more, *axis);
    *turn = rvQuatMul(more, *turn);
}

void rv_meet_lead(rvSpaceObstacle* o, double was, double is)
{
    lead(o, was, &o->wasCenter, &o->wasAxis, &o->wasTurn);
    lead(o, is, &o->center, &o->axis, &o->turn);
}

void rv_meet_arrive(rvSpaceObstacle* o)
{
    o->wasCenter = o->center;
    o->wasAxis = o->axis;
    o->wasTurn = o->turn;
}

double rv_meet_advance(const rvSpaceObstacle* o, rvVec3 x, rvVec3 along, double share)
{
    return share * rvDot(along, rvAdd(o->way, rvCross(o->turning, rvSub(x, o->center))));
}

double rv_meet_most_advance(const rvSpaceObstacle* o, double share)
{
    if (share == 0.0 || !o->shape || o->shape->type == RV_SHAPE_PLANE) // a plane is not gone through
        return 0.0;
    return share * (rvLength(o->way) + rvLength(o->turning) * rvDistance(o->shape->low, o->shape->high));
}
