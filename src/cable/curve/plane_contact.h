// SPDX-License-Identifier: MIT
// A curve in the plane against round obstacles and against itself: Voigt contact, one-sided, with a remembered side.
//
// Obstacle: centre c, radius r. Nearest point of the curve: d = x(s) - c with d . t = 0. There d is along the curve's
// normal n, and sigma n . d, with sigma the side on which the curve was before it came near, is a distance that goes on
// through the centre: the push never turns round, the curve cannot tunnel. Force on the curve along sigma n,
//   max(0, k (r - sigma n.d) - b sigma n.d')
//
// With itself: two parts x_1, x_2 with a common normal, d = x_2 - x_1: parallel tangents, and d . t_1 = 0. Theta is
// linear in both intervals, so parallel tangents are a line in the square of the two intervals: one root along it. The
// gap is sigma n_1 . d less the thickness; the force acts on both parts, equal and opposite. An end of the curve meets
// the rest of it as a round obstacle does whose radius is the thickness.
//
// What is not round, a solid, is met as in space (meet.h): at the nearest points of intervals, found anew in every
// look, and, where the curve lies along a face, at nodes and middles, but not beside a nearest point. A face that leans
// to the plane is slope times nearer in space than along the plane: gap/slope.
#pragma once

#include "cable/curve/meet.h"
#include "cable/curve/plane.h"

#define RV_PLANE_MOST_TOUCHES 64 // for steps of its own
#define RV_PLANE_CHORDS 4        // of an interval, for its way
#define RV_PLANE_BEHIND 0.25     // of the thickness: a corner holds what is farther behind it

typedef struct {
    rvVec2 center;
    double radius;
    rvVec2 was;            // its centre where the curve was last outside, where rv_plane_contacts_sweep asks for it
    rvVec2 way;            // all of the step
    bool corner;           // of a solid, which is met there itself: it holds what is behind it
    rvSpaceObstacle solid; // its shape is not NULL: it is not round, and this is all of it
} rvPlaneObstacle;

// Where the curve touches something: a point of it, or two.
typedef struct {
    rvCurveSpot spot, other;
    int obstacle; // -1: none, the curve touches itself
    bool both;    // the other is of the curve too
    rvVec2 out;   // towards the first point
    double gap;   // negative: they overlap [m]
    double near;  // where a pass was stopped: what it went through is a touch from so far on [m]
} rvPlaneTouch;

typedef struct {
    double spring, damping; // k_c [N/m], b_c [N s/m]
    double thickness;       // of the curve against itself [m]
    bool itself;            // the curve meets itself
    double moved; // two points towards each other since sides were remembered, at most; infinite: not known [m]
    bool rigid;   // contacts are: no side of a solid is remembered
    rvVec3 origin, axis[3]; // of the plane, where solids are; the third across it
    rvPlaneObstacle* obstacles;
    int obstacleCount;
    // which side the curve is on: -1, 1; 0: not near
    int8_t* sides; // obstacle x interval; where the curve meets itself its two ends are the last obstacles
    // interval x interval: of two that run against each other beyond the diagonal, of two that run the same way before
    // it; the second is scratch, also of the obstacles
    int8_t *ownSides, *nextSides;
    int intervals;      // of the curve
    rvVec2* trail;      // of a step: quarters of intervals as they were after the last move, as they are
    rvVec3* line;       // room to look at it as it goes through itself (plane_passage.c)
    double led, wasLed; // how much of their way in the step obstacles have gone, and had where it last arrived
    int most;           // touches in a look
    rvPlaneTouch* met;  // touches that were near in this step
    int metCount;
    // of the last look
    rvPlaneTouch* touches;
    int touchCount, dropped; // dropped: there was no room for them
    double deepest;          // [m]
    double energy;           // in the springs [J]
} rvPlaneContacts;

// `most`: touches in a look.
bool rv_plane_contacts_create(rvPlaneContacts* contacts, rvMemory* memory, const rvPlane* plane, int obstacleCount,
                              bool itself, int most);
void rv_plane_contacts_release(rvPlaneContacts* contacts, rvMemory* memory);

// Remembers sides: at the start, and after each step that is kept.
void rv_plane_contacts_remember(rvPlaneContacts* contacts, const rvPlane* plane, const double* q);
// The side of an obstacle on which an interval is, or its neighbours; 0: none of them was near.
int rv_plane_contacts_side(const rvPlaneContacts* contacts, int obstacle, int interval);
// Does the curve cross itself, as placed, where no touch of the last look overlaps: is a side lost?
bool rv_plane_contacts_lost(const rvPlaneContacts* contacts, const rvPlane* plane);
// Touches with a gap below `margin`.
void rv_plane_contacts_find(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, double margin);
// The same, beside those of the last look, of nodes on earlier parts of the curve along which they lie: turns on turns
// have no nearest points. Not where there is a touch that is nearer than `apart`, in intervals.
void rv_plane_contacts_find_turns(rvPlaneContacts* contacts, const rvPlane* plane, const double* q, double margin,
                                  double apart);
// The same, of those that were found by the looks before in this step (metCount 0: it begins), by the gaps of their
// points: where the curve lies along itself, or along an obstacle (`rounds`: these too), the nearest points wander from
// look to look.
void rv_plane_contacts_find_met(rvPlaneContacts* contacts, const rvPlane* plane, bool rounds, double margin);
// A step begins where the curve is placed. Did it go through a solid, or the middle of an obstacle on the way from
// there, or from where it last arrived, to where it is placed now? Answers how often; *sunk: it did, but hardly. Where
// it did is one of those that were found before. See plane_sweep.c.
void rv_plane_contacts_begin(rvPlaneContacts* contacts, const rvPlane* plane);
int rv_plane_contacts_sweep(rvPlaneContacts* contacts, const rvPlane* plane, bool* sunk);
// Obstacles go that share of their way in the step, those that are rigid: others are met where they will be.
void rv_plane_contacts_lead(rvPlaneContacts* contacts, double share);
// The same of the curve and itself, after that.
int rv_plane_contacts_sweep_itself(rvPlaneContacts* contacts, const rvPlane* plane);
size_t rv_plane_line_size(const rvPlaneContacts* contacts);
double rv_plane_contacts_way(const rvPlaneContacts* contacts, int i); // that point i of the trail went [m]
void rv_plane_contacts_arrive(rvPlaneContacts* contacts);             // the next way is from here
int rv_plane_trail_count(int intervals);                              // points of it
double rv_plane_touch_rate(const rvPlane* plane, const rvPlaneTouch* touch, const double* v); // of the gap [m/s]
// Adds the forces to the curve's loads.
void rv_plane_contacts_add(rvPlaneContacts* contacts, rvPlane* plane, const double* q, const double* v);
