// SPDX-License-Identifier: MIT
// Where a curve, in a plane or in space, meets an obstacle: the nearest points of its intervals, and no pass through.
//
// An interval is nearest to an obstacle where out . t = 0, out the direction away from it. From what is convex the
// distance along any line is, too: there is one such point, on a face or over an edge, and as the curve is drawn along
// it wanders evenly. Intervals are looked at in quarters where the obstacle has edges: one that is bent around an edge
// comes near twice, and so may one over a surface.
//
// In a plane all of that is the same, with distances in space: what lies in the plane is as far from a shape as it is
// in space, and along a line of the plane that is convex. Only how deep it is inside is counted along the plane: the
// nearest face may be one that lies along it (`across`).
#pragma once

#include "cable/curve/gauss.h"
#include "cable/curve/space_box.h"
#include "cable/curve/space_solid.h"

typedef enum { RV_SPACE_SPHERE = 0, RV_SPACE_CAPSULE, RV_SPACE_CYLINDER, RV_SPACE_SOLID } rvSpaceObstacleKind;

// May move: a step takes where it is at the end, or, where that would lead it through the curve, as far as it comes.
typedef struct {
    rvSpaceObstacleKind kind;
    rvVec3 center;
    rvVec3 axis; // of unit length; capsules and cylinders
    double half; // of the length between the middles of its ends, or between its ends [m]
    double radius;
    const rvShape* shape;      // of a solid: what is not round, with its centre here
    rvQuat turn;               //   and turned like that
    rvVec3 wasCenter, wasAxis; // where the curve was last outside, where `rigid` asks for it
    rvQuat wasTurn;
    rvVec3 way, turning; // all of the step
    rvVec3 velocity, spin;
    rvVec3 force, moment; // of the curve on it, about its centre, at the end of the last step
    rvSpaceBox box;       // around it where it is, of the last look
} rvSpaceObstacle;

typedef struct {
    rvCurveSpot spot;
    rvVec3 x, t; // where it is, and its tangent there
} rvMeetPoint;

enum { RV_MEET_PARTS = 4 }; // of an interval

// An end of a part, and how far it is from the obstacle at hand.
typedef struct {
    rvMeetPoint at;
    rvSpaceDistance distance;
    bool known;
} rvMeetEnd;

// A curve as it is placed.
typedef struct {
    const void* of;
    int intervals;
    rvVec3 across; // of the plane that it stays in; zero: it is in space
    rvMeetPoint (*look)(const void* of, int interval, double xi);
    rvMeetEnd* ends; // of all its parts, so that none is looked at twice; NULL: they are not kept
} rvMeetLine;

// Of a point from a surface; `otherwise`: the direction away from it where it has none; `reach`: what is farther away
// need not be known.
rvSpaceDistance rv_meet_distance(const rvSpaceObstacle* o, rvVec3 x, rvVec3 otherwise, rvVec3 across, double reach);

// End k of the parts of an interval, where ends are kept.
const rvMeetEnd* rv_meet_end(const rvMeetLine* line, const rvSpaceObstacle* o, int interval, int k, double reach);

// The next nearest point of an interval from part *part on, which is set to the one after it; false: there is none.
// `reach`: parts of a solid's interval with an end that is as far away are left out.
bool rv_meet_next(const rvMeetLine* line, const rvSpaceObstacle* o, int interval, double reach, int* part,
                  rvMeetPoint* at);
// Inside a shape an interval is least deep in an edge where two faces are as near: out(1) . t < 0 < out(2) . t. It is
// the edge that it must clear, across both: out = (a out(1) + b out(2))/m with out . t = 0, a + b = 1; and it is gap/m
// away.
void rv_meet_edge(const rvMeetLine* line, const rvSpaceObstacle* o, const rvMeetPoint* at, double reach, double* gap,
                  rvVec3* out);

// May what is told be seen from the far side? Around an edge it turns as it does through the middle: a solid has one
// only where the curve is beyond its middle, and so has the end of a cylinder. A surface has none.
bool rv_meet_has_far_side(const rvSpaceObstacle* o, const rvSpaceDistance* d);

// Does a chord of a curve with that radius, or its first end, of the last one the other, too, go through a solid on its
// way? *at: with which share of it; *out: where it came from.
rvSpacePassing rv_meet_pass(const rvSpaceObstacle* o, const rvVec3 from[2], const rvVec3 to[2], bool last,
                            double radius, double* at, rvVec3* out);

// Leads it on by shares of all its way in the step: where it was, and where it is. Then it is where it was.
void rv_meet_lead(rvSpaceObstacle* o, double was, double is);
void rv_meet_arrive(rvSpaceObstacle* o);
// How far a point at x that goes with it comes on along a direction by a share of its way; at most, any point of it.
double rv_meet_advance(const rvSpaceObstacle* o, rvVec3 x, rvVec3 along, double share);
double rv_meet_most_advance(const rvSpaceObstacle* o, double share);
