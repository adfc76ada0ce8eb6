// SPDX-License-Identifier: MIT
// A curve in space against spheres, capsules and cylinders and against itself: Voigt contact, one-sided, remembered.
//
// An interval meets an obstacle where its distance from the surface is least: out . t = 0, out the direction away from
// it. Of the sides from which the curve may have come the one is remembered on which it was before it came near: where
// `out` has turned round against it the curve has passed the middle, the push goes on as it was and the gap is counted
// from the far side. So nothing tunnels and nothing is thrown out behind. Contacts wander along the curve: an interval
// that is deep and remembers nothing asks its neighbours, whose direction turns along with the tangent.
//   force on the curve along out: max(0, -k gap - b gap')
// With itself: two intervals meet at their common normal, the nearest points of both (Newton from those of their
// chords), less the thickness. The nearest point at an end of an interval is another's, but at an end of the curve.
// Strands that wind around each other lie along each other, and the nearest points wander from look to look: those that
// were found since the step began stay touches, by the gap between them. Where chords of the curve go through each
// other on its way (passage.h) is one too; who steps it stops before (rv_space_run_go), so that it needs no sides of
// its own. Without such looks, what is remembered counts where the nearest points are still near to where they were:
// two bent intervals may be near at two places. Rigid contacts with obstacles (`rigid`) are the same: points that were
// near stay touches, and no chord goes through the axis of an obstacle, or through a ball across its way, so that it
// needs no side of it either. What is not round (space_solid.h) has flat faces, along which nodes and middles are
// touches too, but beside a nearest point, whose gap is the least.
#pragma once

#include "cable/curve/meet.h"
#include "cable/curve/passage.h"
#include "cable/curve/space_spot.h"

#define RV_SPACE_MOST_TOUCHES 64 // for steps of its own
#define RV_SPACE_MOST_PASSAGES 16

// Where the curve touches something: a point of it, or two.
typedef struct {
    rvCurveSpot spot, other;
    int obstacle; // -1: the other is of the curve too
    bool kept;    // nearest in a look before
    rvVec3 out;   // towards the first point
    double gap;   // negative: they overlap [m]
    double force; // on the first point along out
} rvSpaceTouch;

// Where the curve came from.
typedef struct {
    rvVec3 out;     // zero: it is not near
    double xi[2];   // where it was nearest, in both intervals
    double pressed; // 1: it did
} rvSpaceSide;

typedef struct {
    double spring, damping; // [N/m], [N s/m]
    double radius;          // of the curve: obstacles meet it so much earlier, itself by two of them [m]
    bool itself;
    bool rigid; // contacts are: obstacles, too, are what it does not go through
    rvSpaceObstacle* obstacles;
    int obstacleCount;
    int intervals;
    rvSpaceSide* sides; // obstacle x interval, then interval x interval: state
    int sideCount;
    rvSpaceSide* nextSides;
    // of a step: ends of chords as they were after the last move and as they are; boxes of where the chords went
    rvVec3* trail;
    rvSpaceBox* boxes;
    rvMeetEnd* ends; // of a look at one obstacle, and which intervals are far from it
    bool* far;
    bool swept;         // the curve does not go through itself: it has no sides of its own
    double led, wasLed; // how much of their way in the step obstacles have gone, and had where it last did not
    rvSpaceTouch* met;  // touches that were near in this step: pairs of points of the curve, of `rigid` all
    int metCount;
    double same; // pairs that are as near to each other are one [intervals]
    // of the last look
    rvSpaceTouch* touches;
    int touchCapacity;       // of both
    int touchCount, dropped; // dropped: there was no room for them
} rvSpaceContacts;

bool rv_space_contacts_create(rvSpaceContacts* contacts, rvMemory* memory, int intervals, int obstacleCount,
                              bool itself, int touchCapacity);
void rv_space_contacts_release(rvSpaceContacts* contacts, rvMemory* memory);

// Remembers where the curve came from: at the start, and after each step that is kept.
void rv_space_contacts_remember(rvSpaceContacts* contacts, const rvSpace* space);
// A step begins where the curve is placed. Did it go through itself on the way from there, or from where it was last
// asked and did not, to where it is placed now? Answers how often; where it did is a touch from then on.
void rv_space_contacts_begin(rvSpaceContacts* contacts, const rvSpace* space);
// Two points of the curve, in intervals along it, that are a touch from the first look of the step on.
void rv_space_contacts_keep(rvSpaceContacts* contacts, const rvSpace* space, double at, double other);
int rv_space_contacts_sweep(rvSpaceContacts* contacts, const rvSpace* space);
// Obstacles go that share of their way in the step, those that are rigid: others are met where they will be.
void rv_space_contacts_lead(rvSpaceContacts* contacts, double share);
// Touches with a gap below `margin`, once obstacles have gone all of their way.
void rv_space_contacts_find(rvSpaceContacts* contacts, const rvSpace* space, double margin);
// The gap's row: d(gap)/dq, and how fast the gap opens because the obstacle moves.
double rv_space_touch_row(const rvSpaceContacts* contacts, const rvSpace* space, const rvSpaceTouch* touch,
                          double* row);
// Adds the touches' forces, with the gaps and rates as they are, to the loads: for integrators with steps of their own.
// row: room for the curve's count.
void rv_space_contacts_add(rvSpaceContacts* contacts, rvSpace* space, const double* v, double* row);
// Marks what presses, by the touches' forces; did it, or a neighbour of it, before?
void rv_space_contacts_mark(rvSpaceContacts* contacts);
bool rv_space_contacts_pressed(const rvSpaceContacts* contacts, const rvSpaceTouch* touch);
double rv_space_contacts_energy(const rvSpaceContacts* contacts); // in the springs, of the last look [J]
