// SPDX-License-Identifier: MIT
// The curve in the world (Wakamatsu et al.; it stretches only where it is asked to): in a plane or in space, held by
// bodies, on shapes and on itself.
//
// A plane is fixed: it goes through the places of the cable. What bodies do across it the curve does not see, and a
// body that leaves it is an error. A curve is in space where its places or clamps do not lie in a plane, or where it is
// given a torsional stiffness or a torsion without load, and `plane` is not. Only the kernel depends on which of the
// two it is (curve_kernel.h); all else is the same for both and works in the curve's own coordinates: along two axes of
// the plane and 0, or those of the world.
//
// Every condition on the curve is a row g with a force l along it, and all of them go to the one solver, as those of
// finite elements do (grip.h):
//   J v' + C y = bias,   C = cM g H^-1 g^T dense over all rows,   l(n+1) = -cM h y
// - a grip: its place along the axes; with a clamp how it turns, too (of the world and of prescribed bodies as well).
// In space
//   that is a frame: a clamp carries twist
// - a touch: the gap along its normal, y >= 0; across it, in one or two directions, friction, |y| <= mu y_n each
// H is the matrix of the curve's step (plane_step.h, space_step.h), with the geometric stiffness of the forces of the
// last pass. A row on positions makes the step throw back what it stops (the velocity would change by gam/bet, 1.9
// times). So at the end of the step the rates of rows that hold are set: of touches that press to that of the body
// (impacts are inelastic), of grips at prescribed bodies to that of the body, extrapolated where it does not jump.
//
// The mean that a body gets of the forces has a past, and where a force jumps (a rope comes taut, a start) that past
// answers with forces of changing sign, under which a light curve would buckle. Such a step is of implicit Euler, for
// curve and body: cM = 1/h^2, and the body gets J = -h l(n+1) and nothing of the past.
//
// The arms of grips follow the passes (grip.h): what a body turns beyond what was expected is in no row.
#pragma once

#include "cable/core/model.h"
#include "cable/curve/plane_rest.h"
#include "cable/curve/plane_step.h"
#include "cable/curve/space_motion.h"
#include "cable/curve/space_normal.h"
#include "cable/curve/space_rest.h"
#include "cable/curve/space_step.h"
#include "cable/route/grip.h"

#define RV_CURVE_GRASP 0.01     // of the length: how far from a place it may be to be held again
#define RV_CURVE_FOLDS 8        // intervals that can be stopped from bending further at once
#define RV_CURVE_REACH 0.1      // of the length: bodies may be farther away than it reaches by so much
#define RV_CURVE_SOFTENING 1e-3 // of touches, as a share of how the curve gives way there

// One condition: a coordinate of a point of the curve, of two points' distance, or a turning.
typedef struct {
    rvCurveSpot spot, other;
    bool both;  // less the same of `other`
    bool turns; // of the curve at the spot, about `along`; of both: nodes
    int grip;   // it is of
    rvVec3 along;
} rvCurveRow;

// Where it touches another curve, found as the step begins: see curve_line.c.
typedef struct {
    rvCurveSpot spot;
    rvRopeSide side;
    rvLineContact contact;
} rvCurveRope;

// Where the curve touches something, within a step.
typedef struct {
    rvCurveSpot spot, other;
    rvCurveRope* rope; // the body is the point between it and another curve; NULL: it is not
    bool both;         // the other is of the curve too
    bool kept;         // of a pass before
    int obstacle;      // the peg; -1: none
    rvVec3 out;        // towards the first point
    double gap;        // negative: they overlap [m]
    int body;          // that moves; -1: none
    int slot;
    rvVec3 arm;       // of the surface from the body's centre of mass, world
    rvVec3 velocity;  // of the surface, by which it was moved ahead to the end of the step [m/s]
    rvVec3 moved;     // of the curve's point in this step, that of the other taken off [m]
    rvVec3 across[2]; // on the surface: along the curve; across it, in space
    double friction;
    double force[3]; // on the curve, along `out` and across it
    bool holds[3];   // it presses, it sticks
    int row;
    bool inside; // its rows stay in the curve in this pass (curve_inside.c)
} rvCurveTouch;

enum { RV_CURVE_SAMPLES = 8, RV_CURVE_WIDEST = 40 }; // nodes; rows beside those that stay inside

// A touch whose rows stay inside.
typedef struct {
    int interval, row, parts; // its first row, and how many
    double columns[18];       // how it moves as the two nodes of its interval turn: dims x turns, twice
    double ways[3][3];        // of its rows
} rvCurveInner;

// Rows of touches that stay inside the curve (curve_inside.c).
typedef struct {
    rvInside ops; // count 0: none do in this pass
    rvCurveInner* touches;
    int count;
    double* whole;                       // of each interval, as columns of a touch: of its last node
    double *push, *moved;                // by node, scratch: forces, ways
    void* sums;                          // of springs, by interval
    double *gives, *compliance;          // by row: how it gives way by itself; with the curve, about
    double* extra;                       // of the rows that are not inside: the former
    double *asked, *right, *outer;       // by row, scratch
    bool* held;                          // by row
    double soft;                         // see row.h
    double samples[RV_CURVE_SAMPLES][9]; // how nodes give way
    double* block;                       // of the rows that are not inside, with springs for those that are held
    double* room;                        // vectors; NULL: no row stays inside
    rvSeparable plain, stiff;            // H as it was summed; with these springs, factored
} rvCurveInside;

enum { RV_CURVE_PRESSES = 16, RV_CURVE_NORMAL_ROWS = 2 * RV_CURVE_PRESSES };

// An interval that is bent so far that it may have to be stopped, within a step (curve_fold.c).
typedef struct {
    int interval;
    rvVec3 along; // about which it is bent
    double gap;   // how much further it may [rad]
    int row;
    bool holds;
} rvCurveFold;

// A shape, or what is round where the plane cuts it.
typedef struct {
    double key; // of shape and corner: state, as the sides that are remembered are by peg; 0: the place is free
    int body;   // that moves; -1: none
    bool seen;
    rvVec3 center;         // in a plane, of what is round
    rvVec3 velocity, spin; // as the step begins, in the world
    rvVec3 arm;
    double friction;
} rvCurvePeg;

// What a grip remembers beside its forces. State.
typedef struct {
    double rate[2][6]; // of its body in the last two steps, along the rows
    rvQuat frame;      // of a clamp in space: the curve's frame in the body's axes, or the world's
    double off;        // 1: it has let go; 2: and was to hold since, but missed
    // from where the curve is to where it is held, in the step that takes hold: its place [m], in a plane its angle
    // [rad]
    rvVec3 drawn;
    double turned;
    double unread[6]; // of a body that is led: what of the last step's force is read in the next, see curve_books.c
    double blow;      // 1: the last step was of implicit Euler
} rvCurvePast;

// A force on the curve: where along it, in intervals. State.
typedef struct {
    double at;
    rvVec3 force, moment;
} rvCurveForce;

// The step at hand, of the kernel.
typedef struct {
    int count, intervals; // unknowns
    double length;
    double* state; // of the kernel
    size_t stateCount;
    rvSeparable* matrix;  // H
    double* step;         // of this pass
    double* before[3];    // velocities and accelerations at the start of the step: v, a, at
    double* rates[3];     // and at its end: v1, a1, at1
    const rvAlpha* alpha; // of the step that was begun
} rvCurveStep;

typedef struct {
    rvPlaneMotion motion;
    rvPlaneRun run;
    rvPlaneLoad* pushed; // the forces, for a pass
} rvPlaneCurve;

typedef struct {
    rvSpaceRun run;
    rvSpacePush* pushed;
    rvSpaceTie* ties;
    rvVec3* drift; // of the nodes
    void* room;    // of all three
    size_t roomSize;
} rvSpaceCurve;

// Where a new place takes hold.
typedef struct {
    int place;    // -1: none does
    double s;     // along the curve [m]
    int interval; // that is cut there, and where in it; -1: none is
    double xi;
} rvCurveGrasp;

typedef struct rvCurveKernel rvCurveKernel;

// Energy that steps made and that was not taken back, see curve_books.c; all doubles.
typedef struct {
    double late[3]; // after the last steps [J]
    double step;    // after the last step, from its start to its end, where no body that moves freely feels it [J]
    double lively;  // what moved it of late, kinetic energy and work [J]
} rvCurveExcess;

typedef struct rvCurve {
    const rvCurveKernel* kernel;
    int dims;            // coordinates of a point
    int turns;           // and of a rotation, held by a clamp
    rvPlaneCurve* plane; // one of the two
    rvSpaceCurve* space;
    rvCurveStep now;
    rvMemory* memory; // for the search for rest, between steps
    rvCableRest rest; // of the last search
    rvVec3 origin;    // of its coordinates
    rvVec3 axis[3];   // the third across a plane
    rvVec3 gravity;   // of the world
    rvVec3 bulge;     // where it bends to at the start
    bool rigid;       // contacts are; else their spring [N/m] and damper [N s/m]
    double spring, damping;
    double radius;  // of the rope [m]
    double regular; // least compliance of a row, against those that say the same thing twice [1/kg]
    rvGrip* grips;
    rvCurveSpot* spots;      // of the grips
    rvCurveSpot* placeSpots; // of all places
    double* lengths;         // of the intervals [m]
    rvQuat* frames;          // of clamps in space, as they are expected after the step
    rvVec3* aims;            // where grips of bodies that are led will be after it
    int gripCount, gripRows;
    // contacts
    bool collides;
    bool looked; // obstacles are those of the step: before, the curve goes nowhere
    rvCurvePeg* pegs;
    int pegCapacity;
    rvCurveTouch* touches;
    int touchCount, touchCapacity, pressing;
    rvSpacePress presses[RV_CURVE_PRESSES]; // of it on itself, in the last pass; in space
    int pressCount;
    rvCurveFold folds[RV_CURVE_FOLDS];
    int foldCount;
    bool folded;        // one of them holds
    rvCurveRope* ropes; // other curves
    int ropeCount;
    rvCurveInside inner;
    rvVec3* begun; // where it was as the step began: its nodes, then h lambda t at the Gauss points
    // rows
    rvCurveRow* rows;
    double *gradients, *columns; // of the rows: g, H^-1 g
    double *values, *held;       // where they would be without forces; forces
    double* rowBlock;            // dense compliance of the rows
    size_t rowBlockSize;
    double* block; // of rows that hold, which they are, and what is wanted of them
    int* list;
    double (*targets)[2]; // rate, acceleration
    double* drift;        // acceleration that they have by the rates
    bool* stays;          // neither changes
    int outerHeld;        // rows in the list that are not inside
    int* slots;
    int rowCount, rowCapacity, passes;
    int width;                 // rows that are not inside: they come first
    const rvBodyStore* bodies; // of the pass
    // what sections are told by, see curve_read.c: accelerations, forces; whether they are of the state as it is
    double* balanced;
    rvCurveForce* carried;
    bool told;
    double* tension; // at both ends of each interval [N]
    rvVec3* line;    // on the Gauss points: weight, drag, inertia [N]
    rvVec3* gauss;   // where those are
    rvVec3* turning; // on the nodes: inertia of turning [N m]; in a plane there is none
    rvVec3* beyond;  // of each node: force and moment about it of all of these that lie beyond it
    bool again;
    bool unsettled; // what touches still turned in the last pass
    bool stopped;   // before it would have gone through something, itself among them
    double share;   // of its way that a pass goes, by the passes before
    double gone;    // that it went
    double turned;  // by how much it wanted to turn [rad]
    double loose;   // by how much it may in the last pass
    double* last;   // the step that it wanted
    bool hasPast;   // bodies get what is left of past forces
    bool tied;      // grips hold it, in this pass
    bool atRest;    // the step is an iteration towards rest
    bool hosted;    // by a host that solves, or at rest
    double before;  // its energy at the middle of the last step [J]
    const char* failure;
    bool torn;  // it fails by what holds it, which can slip
    bool leapt; // it fails by the energy that it made: it is to be of implicit Euler
    bool anew;  // and so it is
    // state, beside that of the kernel: forces of grips and of touches; grips; what touched bodies still get
    rvCurveForce* forces;
    double forceCount;
    double fresh;   // 1: forces have no past, and the next step is of implicit Euler
    double inside;  // for how long it has been in a shape that it began in [s], more than 0; 0: it came out
    double pressed; // energy in contacts that give [J]
    double left;    // what the last step made and the curve could not give back [J]
    rvCurveExcess excess;
    double was[3]; // as the last step began: kinetic, elastic, potential energy [J]
    rvGripState* states;
    rvCurvePast* pasts;
    rvPush pushes[RV_PUSHES];
    uint8_t* room; // of all of these
    size_t roomSize;
} rvCurve;

// Where a grip's body holds the curve, in the world.
typedef struct {
    rvVec3 place, way;
    rvVec3 rate, spin;
} rvCurveHold;

static inline int rv_curve_turns(int dims)
{
    return dims == 3 ? 3 : 1;
}

static inline rvCurve* rv_curve_of(const rvCable* cable)
{
    return cable->inner;
}

// A direction in the curve's coordinates; in a plane without what goes across it. And back.
static inline rvVec3 rv_curve_in(const rvCurve* curve, rvVec3 v)
{
    return rvVec(rvDot(curve->axis[0], v), rvDot(curve->axis[1], v), curve->dims == 3 ? rvDot(curve->axis[2], v) : 0.0);
}

static inline rvVec3 rv_curve_out(const rvCurve* curve, rvVec3 v)
{
    rvVec3 flat = rvAdd(rvScale(v.x, curve->axis[0]), rvScale(v.y, curve->axis[1]));
    return rvMulAdd(flat, v.z, curve->axis[2]);
}

// The same in a plane.
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

static inline rvVec2 rv_curve_cut(rvVec3 v)
{
    return rv_vec2(v.x, v.y);
}

static inline rvVec3 rv_curve_raise(rvVec2 v)
{
    return rvVec(v.x, v.y, 0.0);
}

static inline double rv_curve_part(rvVec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static inline double* rv_curve_gradient(const rvCurve* curve, int row)
{
    return curve->gradients + row * curve->now.count;
}

static inline double* rv_curve_column(const rvCurve* curve, int row)
{
    return curve->columns + row * curve->now.count;
}

static inline int rv_curve_rows_of(const rvCurve* curve, const rvGrip* grip)
{
    return grip->off ? 0 : curve->dims + (grip->clamped ? curve->turns : 0);
}

// Which axis a turning t of a clamp is about: that across the plane, or all.
static inline int rv_curve_turn_axis(const rvCurve* curve, int t)
{
    return 3 - curve->turns + t;
}

// Does a touch not give way? Those with other curves never do.
static inline bool rv_curve_is_rigid(const rvCurve* curve, const rvCurveTouch* touch)
{
    return curve->rigid || touch->rope;
}

// Where a grip's body holds it now, in the world.
static inline rvVec3 rv_curve_grip_place(const rvGrip* grip, const rvBodyStore* bodies)
{
    if (grip->body < 0)
        return grip->local;
    const rvBodyState* s = &bodies->items[grip->body].state;
    return rvAdd(s->x, rvRotate(s->q, grip->local));
}

// Where a point was as the step began, of a curve that can touch.
static inline rvVec3 rv_curve_begun(const rvCurve* curve, const rvCurveSpot* spot)
{
    const rvVec3* flow = curve->begun + curve->now.intervals + 1 + RV_GAUSS_POINTS * spot->interval;
    rvVec3 x = curve->begun[spot->interval];
    for (int m = 0; m < RV_GAUSS_POINTS; ++m)
        x = rvMulAdd(x, spot->weight[m], flow[m]);
    return x;
}

// ---- curve_rows.c

// Where row r of a grip is, as placed.
double rv_curve_value(const rvCurve* curve, int r);
// A velocity of a grip's point and its spin, along its rows; a force and its moment as well.
void rv_curve_project(const rvCurve* curve, rvVec3 v, rvVec3 w, double rows[6]);
void rv_curve_write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                         int owner);

// ---- model_curve.c

// How far a pass goes that wants to turn nodes by up to `turn`, at most `largest`: curve->gone. Answers whether a curve
// that touches is to have another pass.
bool rv_curve_find_share(rvCurve* curve, double turn, double largest);

// Of a touch on the curve, in its coordinates.
rvVec3 rv_curve_touch_force(const rvCurve* curve, const rvCurveTouch* touch);

// ---- curve_rates.c: of what holds it

// How fast grip k's body takes its rows along now.
void rv_curve_find_rates(const rvCurve* curve, int k, const rvBodyStore* bodies, double rate[6]);
// Does a body that is led start, stop or turn off at once? Its rate differs from that of the step before by more than
// half, more than twice as much as that one did from the one before it, and by more than gravity does in a step.
bool rv_curve_starts_at_once(const rvCurve* curve, const rvBodyStore* bodies, double h);
// What takes the listed rows by curve->held, times sign, into rates; by their factored block.
void rv_curve_meet_rates(const rvCurve* curve, int rows, double* rates, double sign);
// How fast the listed rows go by rates v, into curve->held.
void rv_curve_read_rates(const rvCurve* curve, int rows, const double* v);
void rv_curve_set_rates(rvCable* cable, const rvBodyStore* bodies, double h); // at the end of the step

// ---- curve_touch.c: what contacts in a plane and in space have in common

// One shape, as a curve looks at it.
typedef struct {
    rvCable* cable;
    rvCurve* curve;
    const rvBodyStore* bodies;
    const rvShape* shape;
    int index, body; // of the shape; that moves, -1: none
    double h, friction;
} rvCurveLook;

// Gaps up to this may close within the step; in an iteration towards rest as far as it goes where it sees shapes [m].
double rv_curve_margin(const rvCurve* curve);
bool rv_curve_sees_shapes(const rvCurve* curve);
// At shape k. Answers false where it is none, or one that the curve does not meet.
bool rv_curve_look(rvCurveLook* look, const rvShapeStore* shapes, int k);
// Of a point of the shape's body, and its arm.
rvVec3 rv_curve_look_velocity(const rvCurveLook* look, rvVec3 point, rvVec3* arm);
// The place of the peg with this key, or a free one; -1: all are taken.
int rv_curve_peg_slot(const rvCurveLook* look, double key);
void rv_curve_sight_pegs(rvCurve* curve);          // before a look at all shapes
void rv_curve_forget_unseen(rvCurve* curve);       // after it
double rv_curve_look_way(const rvCurveLook* look); // of any point of it in the step, at most [m]
// The shape as an obstacle of space.
void rv_curve_put_solid(const rvCurveLook* look, double key, rvSpaceObstacleKind kind, rvCurvePeg* peg,
                        rvSpaceObstacle* obstacle);
void rv_curve_add_touch(rvCable* cable, rvCurveTouch touch);
// As placed: how far they have come in this step, how many came and went.
void rv_curve_tell_touches(rvCable* cable, int before);
// How deep in a shape a touch may leave a curve that began there: it is pushed out as fast as bodies are, not at once,
// which would take any force there is.
double rv_curve_find_sunk(const rvCurve* curve, const rvCurveTouch* touch, double h);
void rv_curve_leave_shapes(rvCurve* curve, double h); // at the end of a step: is it still in one?

// ---- curve_books.c: heat

void rv_curve_begin_books(rvCable* cable); // it is at rest, or was put where it is
void rv_curve_open_books(rvCable* cable);  // of a step
// What a step made and must be taken back from its rates at the end; those of the first `rows` of curve->list stay:
// curve->block is their factored block.
double rv_curve_made(const rvCable* cable, const rvBodyStore* bodies, double h);
void rv_curve_take_back(rvCurve* curve, double made, int rows);
// Has a step that is not of implicit Euler made energy, from its start to its end, beyond what follows well?
bool rv_curve_leaps(const rvCable* cable, const rvBodyStore* bodies, double h);
// Has a step of implicit Euler made more than there was, and cannot give it back? Then it ends at another extreme.
bool rv_curve_is_unreal(const rvCable* cable, const rvBodyStore* bodies, double h);
// Towards the rates before those of rows were set, by as much as takes what is left of what the step made.
void rv_curve_go_back(rvCurve* curve, const double* before);
void rv_curve_close_books(rvCable* cable, const rvBodyStore* bodies, double h); // before the pasts move on
// What is read in a step of the forces at a body that is led, the new one among them.
void rv_curve_read_force(const rvCurve* curve, int k, const double now[6], bool euler, double read[6]);
// What a grip that goes had still to be read of its forces.
double rv_curve_unread(const rvCurve* curve, int k, const rvBodyStore* bodies);
// Kinetic, elastic and potential energy at the middle of the last step.
void rv_curve_middle(const rvCable* cable, rvVec3 gravity, double parts[3]);

// ---- curve_check.c: what a definition must be, and what it says

rvStatus rv_curve_check(const rvCable* cable, const rvCableDef* def, int dims, rvError* error);
// Are the places of a new curve within its reach? Of one that took the place of a rope which was stretched they may not
// be.
// The mass of the heaviest body that it holds, if it is too light for that [kg]; 0: it is not.
double rv_curve_find_too_heavy(const rvCable* cable, const rvBodyStore* bodies);
rvStatus rv_curve_check_mass(const rvCable* cable, const rvBodyStore* bodies, rvError* error);
rvStatus rv_curve_check_reach(const rvCable* cable, rvError* error);
// Are its places those that a curve can have, and not too many?
rvStatus rv_curve_check_places(const rvCable* cable, int dims, rvError* error);
// Is it twisted without load?
bool rv_curve_is_twisted(const rvCableDef* def);
// Does the definition ask for a curve in space?
bool rv_curve_is_in_space(const rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies);
rvVec3 rv_curve_clamp_way(const rvPlace* place, const rvBodyStore* bodies); // world
// EI: as given, or of a round rod.
double rv_curve_bending(const rvCable* cable, const rvCableDef* def);

// ---- curve_lay.c: creation, start, state

rvStatus rv_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error);
void rv_curve_release(rvCable* cable, rvMemory* memory);
void rv_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);
void rv_curve_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h);
void rv_curve_follow(rvCable* cable, const rvBodyStore* bodies);
void rv_curve_visit(rvCable* cable, rvVisitor* visitor);
// The place lets go of it, or holds it again where it is: within RV_CURVE_GRASP of its length.
rvStatus rv_curve_set_held(rvCable* cable, const rvBodyStore* bodies, int place, bool held, double* missed,
                           rvError* error);
// Grip k takes hold of it: how far it is from where the curve is, as placed.
void rv_curve_take_hold(rvCurve* curve, int k, const rvBodyStore* bodies);
// Grips as its places say: how many, and where, once there is room for them.
void rv_curve_count_grips(rvCable* cable);
bool rv_curve_take_room(rvCable* cable, rvMemory* memory);
void rv_curve_lay_grips(rvCable* cable, const rvBodyStore* bodies);
// What others look at: the force that the curve carries along it, by the forces as they are, and where its free ends
// are.
void rv_curve_publish(rvCable* cable);
// How fast the model that it takes over from moved at s along it, in the world; old NULL: as its places move.
rvVec3 rv_curve_old_speed(const rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h, double s);
// The angle of the start's arc about its chord, which is so long, at a share u = 0..1 of a span.
double rv_curve_arc(const rvCable* cable, int span, double chord, double u);
// What a span whose chord is longer than its rope is stretched by at the start, if it can be: its ends are where they
// are held.
double rv_curve_reach(const rvCable* cable, int span, double chord);

// ---- curve_grasp.c: places that come, go and change while the program runs

// The rest lengths of the spans beside a place that takes hold: it is at grasp->s.
void rv_curve_split_rests(rvCable* cable, const rvCurveGrasp* grasp);
rvStatus rv_curve_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory,
                          rvError* error);

// ---- curve_fold.c: how far it can be bent

void rv_curve_find_folds(rvCurve* curve); // where the pass is

// ---- curve_inside.c: rows of touches that stay inside

int rv_curve_touch_rows(const rvCurve* curve, const rvCurveTouch* touch);
void rv_curve_choose_inside(rvCable* cable);                                    // of the pass, by its touches
void rv_curve_lay_inside(rvCurve* curve, double regular);                       // once rows are listed and H is there
void rv_curve_read_inside(const rvCurve* curve, const double* u, double* y);    // y = G u of the rows inside
void rv_curve_push_inside(const rvCurve* curve, const double* x, double* step); // step += H^-1 G^T x
// At the end of the step: the listed rows are held, the first `outer` of which are not inside, their block factored;
// and rates go by sign times what takes them by curve->held.
void rv_curve_hold_rates(rvCurve* curve, int m);
void rv_curve_meet_inside(const rvCurve* curve, int outer, int m, double* rates, double sign);

// ---- curve_normal.c: the columns of rows, and how normals of a curve on itself turn

void rv_curve_keep_presses(rvCurve* curve); // of a pass, by its touches
// The columns of the first rows of a pass. Where the last pass did not settle they, and the step, are those of H with
// how the normals of its presses turn.
void rv_curve_solve_rows(rvCurve* curve, int rows);

// ---- curve_slip.c: what cannot be held

extern const char RV_CURVE_WENT_THROUGH[];

// What of the step that ends cannot be; NULL: nothing.
const char* rv_curve_find_failure(rvCable* cable, const rvBodyStore* bodies);
int rv_curve_slip(rvCable* cable, const rvBodyStore* bodies, double* force);

// ---- curve_rest.c: settling

void rv_curve_begin_rest(rvCable* cable, double h);
void rv_curve_end_rest(rvCable* cable, double h);
void rv_curve_measure_rest(const rvCable* cable, double gravity, rvBalance* balance);
bool rv_curve_nudge(rvCable* cable);

// ---- curve_read.c: read-out, see core/model.h

extern const rvModelRead rv_curve_readings;
bool rv_curve_is_held_fast(const rvCurve* curve); // by what does not move freely

// ---- curve_cut.c: where the plane of a curve cuts shapes

typedef struct {
    rvCurveLook at;
    rvVec2 low, high; // box around the curve, widened
    double way;       // of its points in the step, at most [m]
} rvCurveCut;

void rv_curve_cut_shape(const rvCurveCut* cut); // its pegs

// ---- curve_sweep.c: no pass leads a curve in a plane through a shape

// p goes a share of the step, by as much of it, halved and halved again, as does not lead through a shape.
void rv_curve_go(rvCurve* curve, double share);
// From where the step begins to where its passes do, once shapes were looked at.
void rv_plane_curve_go_ahead(rvCurve* curve);

// ---- curve_line.c: curves that touch each other

enum { RV_CURVE_ROPES = 16 };

extern const rvModelLine rv_curve_line;
void rv_curve_add_ropes(rvCable* cable);                                  // to the touches of a pass, as placed
void rv_curve_tell_rope(const rvCurve* curve, const rvCurveTouch* touch); // what the solve found
