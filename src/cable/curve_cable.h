// SPDX-License-Identifier: MIT
// The inextensible curve in the world (paper 004): a curve in a plane, held by bodies, on shapes and on itself.
//
// The plane is fixed: it goes through the places of the cable. What bodies do across it the curve does not see, and a body
// that leaves it is an error. Every condition on the curve is a row g with a force l along it, and all of them go to the one
// solver, as those of finite elements do (grip.h):
//   J v' + C y = bias,   C = cM g H^-1 g^T dense over all rows,   l(n+1) = -cM h y
// - a grip: its place along both axes of the plane; with a clamp the angle too (of the world and of prescribed bodies as well)
// - a touch: the gap along its normal, y >= 0; along the tangent friction, |y| <= mu y_n
// H is the matrix of the curve's step (plane_step.h), with the geometric stiffness of the forces of the last pass.
// A row on positions makes the step throw back what it stops (the velocity would change by gam/bet, 1.9 times). So at the end
// of the step the rates of rows that hold are set: of touches that press to that of the body (impacts are inelastic), of
// grips at prescribed bodies to that of the body, extrapolated where it does not jump.
//
// The mean that a body gets of the forces has a past, and where a force jumps (a rope comes taut, a start) that past answers
// with forces of changing sign, under which a light curve would buckle. Such a step is of implicit Euler, for curve and body:
// cM = 1/h^2, and the body gets J = -h l(n+1), what is known of it (12, 6, 1) taken off.
//
// What the rows need of the curve is in rvCurveRow: another curve (in space) takes the place of this one by its own rows.
#pragma once

#include "cable/cable_model.h"
#include "cable/curve/plane_rest.h"
#include "cable/curve/plane_step.h"
#include "cable/grip.h"

// One condition: a coordinate of a point of the curve, of two points' distance, or an angle.
typedef struct {
    rvPlaneSpot spot, other;
    bool both;    // less the same of `other`
    bool turns;   // the angle
    rvVec2 along; // of a coordinate
} rvCurveRow;

// Where the curve touches something, within a step.
typedef struct {
    rvPlaneTouch at;
    int body; // that moves; -1: none
    int slot;
    rvVec3 arm;      // of the surface from the body's centre of mass
    rvVec2 velocity; // of the surface, by which it was moved ahead to the end of the step [m/s]
    rvVec2 moved;    // of the curve's point to p in this step, that of the other taken off [m]
    double friction;
    double force[2]; // on the curve, along `out` and along the tangent
    bool holds[2];   // it presses, it sticks
    int row;
} rvCurveTouch;

// What is round in the plane: the cut of a shape, or a corner of one.
typedef struct {
    double key; // of shape and corner: state, as the sides that are remembered are by peg; 0: the place is free
    int body;   // that moves; -1: none
    bool seen;
    rvVec2 center, velocity; // as the step begins
    rvVec3 arm;
    double friction;
} rvCurvePeg;

#define RV_CURVE_NO_PEG ((rvPlaneObstacle){{1e150, 1e150}, 0.0}) // so far away that nothing is near

// Where the surface of another shape is near a point of the curve: a half-plane.
typedef struct {
    rvPlaneSpot spot;
    rvVec2 out;
    double offset; // out . x on the surface, moved ahead [m]
    int body;
    rvVec2 velocity;
    rvVec3 arm;
    double friction;
} rvCurveFace;

// What passes at a grip beside its forces: rates of its body in the last two steps, along the rows. State.
typedef struct {
    double rate[2][3];
} rvCurvePast;

typedef struct rvCurve {
    rvMemory* memory; // for the search for rest, between steps
    rvPlaneMotion motion;
    rvPlaneRun run;
    rvPlaneRest rest; // of the last search
    rvVec3 origin, axis[2], normal;
    rvVec3 bulge;   // where it bends to at the start
    bool rigid;     // contacts are
    double radius;  // of the rope [m]
    double regular; // least compliance of a row, against those that say the same thing twice [1/kg]
    // grips
    rvGrip* grips;
    int gripCount, gripRows;
    // contacts
    bool collides;
    rvCurvePeg* pegs;
    int pegCapacity;
    rvCurveFace* faces;
    int faceCount;
    rvCurveTouch* touches;
    int touchCount, touchCapacity, pressing;
    // rows
    rvCurveRow* rows;
    double *gradients, *columns; // of the rows: g, H^-1 g
    double *values, *held;       // where they would be without forces; forces
    double* known;               // of the grips' rows: impulse on the body by the past [N s]
    double* block;               // of rows that hold, which they are, and what is wanted of them
    int* list;
    double (*targets)[2]; // rate, acceleration
    bool* stays;          // neither changes
    int* slots;
    int rowCount, rowCapacity, passes;
    double strongest; // force of a grip in the last pass [N]
    double* tension;  // of the intervals [N]
    bool again;
    bool atRest; // the step is an iteration towards rest
    const char* failure;
    // state: forces as loads, of grips and of touches; grips; what touched bodies still get
    rvPlaneLoad* loads;
    double loadCount;
    double fresh; // 1: forces have no past, and the next step is of implicit Euler
    rvGripState* states;
    rvCurvePast* pasts;
    rvPush pushes[RV_PUSHES];
    uint8_t* room; // of all of these
    size_t roomSize;
} rvCurve;

static inline rvCurve* rv_curve_of(const rvCable* cable)
{
    return cable->inner;
}

static inline rvVec2 rv_curve_flat(const rvCurve* curve, rvVec3 v)
{
    return rv_vec2(rvDot(curve->axis[0], v), rvDot(curve->axis[1], v));
}

static inline rvVec2 rv_curve_down(const rvCurve* curve, rvVec3 point) // on to the plane
{
    return rv_curve_flat(curve, rvSub(point, curve->origin));
}

static inline rvVec3 rv_curve_up(const rvCurve* curve, rvVec2 v) // a direction, in the world
{
    return rvAdd(rvScale(v.x, curve->axis[0]), rvScale(v.y, curve->axis[1]));
}

// ---- curve_lay.c: creation, start, state

rvStatus rv_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error);
void rv_curve_release(rvCable* cable, rvMemory* memory);
void rv_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);
// The same; `old`, where it is not NULL: the model that was, by which it moves after a last step of h.
void rv_curve_start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight,
                    double h);
void rv_curve_follow(rvCable* cable, const rvBodyStore* bodies);
size_t rv_curve_state_size(const rvCable* cable);
void rv_curve_write_state(const rvCable* cable, uint8_t* bytes);
void rv_curve_read_state(rvCable* cable, const uint8_t* bytes);
// What others look at: the force that the curve carries along it, by the loads as they are, and where its free ends are.
void rv_curve_publish(rvCable* cable);

// ---- curve_take.c: the motion of another model

void rv_curve_take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h);
void rv_curve_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h);

// ---- curve_rest.c: settling

void rv_curve_begin_rest(rvCable* cable, double h);
void rv_curve_end_rest(rvCable* cable, double h);
double rv_curve_measure_rest(const rvCable* cable, double gravity, double* way, double* turn, double* carried);

// ---- curve_read.c: read-out, see cable_model.h

double rv_curve_elastic_energy(const rvCable* cable, double h);
void rv_curve_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                       double* potential);
double rv_curve_tension(const rvCable* cable, int span, int end);
int rv_curve_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity);
int rv_curve_sections(const rvCable* cable, rvCableSection* sections, int capacity);
bool rv_curve_rest(const rvCable* cable, rvCableRest* rest);
void rv_curve_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                    rvVec3* speed);

// ---- curve_contact.c: touches

void rv_curve_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
// Touches at p, and how far their points have come in this step.
void rv_curve_find_touches(rvCable* cable);
// Where the pegs are after the step, for the sides that are remembered.
void rv_curve_move_pegs(rvCurve* curve, const rvBodyStore* bodies, double h);
