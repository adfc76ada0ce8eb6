// SPDX-License-Identifier: MIT
// The kernel of a curve: what a curve in a plane (curve_plane.c) and one in space (curve_space.c) do each in their own
// way, for the files of this folder only. Its order is that of a curve's life: creation, start, steps, read-out.
//
// A call stands here where both do it; what only one of them has is called directly, where curve->dims says so, and
// what does not change within a step is a field of rvCurve.
#pragma once

#include "cable/curve/curve_cable.h"

// What is asked of a point of the curve, as placed.
typedef struct {
    bool moves;               // its velocity is wanted, too
    rvVec3 tangent, velocity; // in the curve's coordinates
    double curvature, torsion, strain;
} rvCurveFrame;

struct rvCurveKernel {
    // ---- creation and start
    rvStatus (*checkDefinition)(const rvCable* cable, const rvCableDef* def, rvError* error);
    rvStatus (*create)(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                       rvError* error);
    // the same as `old`, but with a node at grasp->s or near it, where it must lie at one; its parts and where it is
    bool (*createWithNode)(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory);
    void (*release)(rvCurve* curve, rvMemory* memory); // also of one half made
    void (*initialise)(rvCable* cable);                // an arc over each span, from which equilibrium is searched
    void (*setGrip)(rvCurve* curve, int k, const rvCurveHold* hold);
    void (*findEquilibrium)(rvCurve* curve);
    void (*takeMotion)(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h); // of another model
    // rates that the holds ask for, accelerations; what holds do becomes the forces of the grips, and there are no
    // holds any more
    void (*start)(rvCurve* curve, const rvBodyStore* bodies);

    // ---- state
    void (*place)(rvCurve* curve);      // where the state is
    void (*cacheSides)(rvCurve* curve); // on which side of what it touches it is there
    void (*visitSides)(rvCurve* curve, rvVisitor* v);
    void (*dropObstacle)(rvCurve* curve, int peg); // from the contact cache

    // ---- a step
    void (*predict)(rvCurve* curve, double h, bool euler);
    bool (*linearise)(rvCurve* curve); // with the stiffness of curve->forces. False: not positive
    // how interval i is turned from its first node to its last, as placed [rad]; how far it is without load
    rvVec3 (*turnOfInterval)(const rvCurve* curve, int i, double* natural);
    void (*writeRow)(const rvCurve* curve, const rvCurveRow* row, double* gradient);
    // how a point of an interval, NULL: its last node, moves as the two nodes turn, its first node held: two matrices
    // of dims x turns
    void (*columns)(const rvCurve* curve, int interval, const rvCurveSpot* spot, double* two);
    rvVec3 (*turnAtGrip)(const rvCurve* curve, int k);              // how the curve is turned at grip k, as placed
    double (*turnTarget)(const rvCurve* curve, int k, double near); // where its body wants that
    bool (*endPass)(rvCable* cable, bool solved);                   // moves on by it; true: it needs another
    bool (*endRates)(rvCurve* curve);             // rates[0] at the end of the step; false: it is not finite
    void (*endAccelerations)(rvCurve* curve);     // rates[1] and [2], with rates[0] as it is
    void (*findDrift)(rvCurve* curve, int count); // of the rows in curve->list
    bool (*acceptStep)(rvCurve* curve);           // false: not finite
    const char* (*failure)(const rvCurve* curve, double gap); // that grips leave [m]
    // of the search for equilibrium: goes a share of the displacement; how far all of it goes and turns, answers the
    // residual [N]
    void (*relax)(rvCurve* curve, double share);
    double (*measureResidual)(const rvCurve* curve, double* way, double* turn);
    bool (*perturb)(rvCurve* curve); // where its equilibrium may not be stable; false: it is
    void (*broadPhase)(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
    void (*narrowPhase)(rvCable* cable); // and how far their points have come in this step
    void (*moveObstacles)(rvCurve* curve, const rvBodyStore* bodies, double h); // after the step, for the sides

    // ---- read-out, by the state as placed
    void (*findTensions)(rvCurve* curve);
    // accelerations that balance the forces; its matrix becomes the factor of inertia. False: there is none
    bool (*balance)(rvCurve* curve, double* a);
    void (*findLineLoads)(rvCurve* curve, const double* a); // line, gauss, turning, by these accelerations
    rvVec3 (*point)(const rvCurve* curve, const rvCurveSpot* spot);
    void (*frame)(const rvCurve* curve, const rvCurveSpot* spot, rvCurveFrame* out);
    rvCurveSpot (*spotAt)(const rvCurve* curve, double s);
    rvCurveSpot (*spotIn)(const rvCurve* curve, int interval, double xi);
    void (*energies)(const rvCable* cable, rvVec3 gravity, double parts[3]); // kinetic, elastic, potential
    // The same at the end of the step, before it is kept: kinetic of these rates; elastic and potential.
    double (*endKinetic)(rvCurve* curve, const double* v);
    double (*endStored)(const rvCable* cable);
};

extern const rvCurveKernel rv_plane_curve_kernel, rv_space_curve_kernel;

// ---- what only one of them has

int rv_plane_curve_count_needed(const rvCurve* curve); // intervals that its turns need; 0: it has enough
rvCurveSpot rv_space_curve_node_spot(const rvCable* cable, int place); // the node at a place
void rv_space_curve_take_frame(rvCurve* curve, int k, rvQuat body);    // of a clamp, as it is
double rv_space_curve_twist(const rvCurve* curve, double* energy);     // see rvRopeEnergy

static inline const rvCurveKernel* rv_curve_kernel(int dims)
{
    return dims == 3 ? &rv_space_curve_kernel : &rv_plane_curve_kernel;
}

static inline rvPlane* rv_plane_of(const rvCurve* curve)
{
    return &curve->plane->motion.plane;
}

static inline rvSpace* rv_space_of(const rvCurve* curve)
{
    return &curve->space->run.space;
}

// ---- parts of the kernels that have files of their own: curve_plane_create.c, curve_space_create.c, curve_rest.c,
// curve_sides.c, curve_contact.c, curve_space_contact.c

rvStatus rv_plane_curve_check_definition(const rvCable* cable, const rvCableDef* def, rvError* error);
rvStatus rv_plane_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error);
bool rv_plane_curve_create_with_node(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory);
void rv_plane_curve_release(rvCurve* curve, rvMemory* memory);
rvStatus rv_space_curve_check_definition(const rvCable* cable, const rvCableDef* def, rvError* error);
rvStatus rv_space_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error);
bool rv_space_curve_create_with_node(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory);
void rv_space_curve_release(rvCurve* curve, rvMemory* memory);
int rv_space_curve_node_of_place(const rvCable* cable, int place);

void rv_plane_curve_relax(rvCurve* curve, double share);
double rv_plane_curve_measure_residual(const rvCurve* curve, double* way, double* turn);
bool rv_plane_curve_perturb(rvCurve* curve);
void rv_space_curve_relax(rvCurve* curve, double share);
double rv_space_curve_measure_residual(const rvCurve* curve, double* way, double* turn);
bool rv_space_curve_perturb(rvCurve* curve);
void rv_plane_curve_visit_sides(rvCurve* curve, rvVisitor* v);
void rv_plane_curve_broad_phase(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
void rv_plane_curve_begin_touches(rvCurve* curve); // where it is as the step begins
void rv_plane_curve_narrow_phase(rvCable* cable);
void rv_plane_curve_move_obstacles(rvCurve* curve, const rvBodyStore* bodies, double h);
void rv_plane_curve_drop_obstacle(rvCurve* curve, int peg);
// From where the step begins to where its passes do, once shapes were looked at.
void rv_space_curve_go_ahead(rvCurve* curve);
void rv_space_curve_broad_phase(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
void rv_space_curve_begin_touches(rvCurve* curve);
void rv_space_curve_narrow_phase(rvCable* cable);
void rv_space_curve_move_obstacles(rvCurve* curve, const rvBodyStore* bodies, double h);
void rv_space_curve_drop_obstacle(rvCurve* curve, int peg);
