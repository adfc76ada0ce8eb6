// SPDX-License-Identifier: MIT
// The inside of a cable of falls, for the files of this folder and the model in the world.
//
// A fall is an ANCF cable over its mesh (lengths lambda, in all Lambda) that rope fills g = (p_b - p_a)/Lambda times:
// its slope is dr/dlambda = g r'. So shape functions and matrices of the mesh are constant, and what depends on g are
// factors:
//   strain    eps = (|dr/dlambda|^2 - g^2)/(2 g^2)
//   energy    integral of EA/(8 g^3) (|dr/dlambda|^2 - g^2)^2 + EI/(2 g^3) |d2r/dlambda2|^2 over lambda
//   velocity  v = dr/dt - (f/g) dr/dlambda,  f = p_a' (1 - x) + p_b' x, x = lambda/Lambda
#pragma once

#include "cable/ale/ale.h"
#include "cable/ancf/ancf_parts.h"

// An element pair of a fall, from the outer node to the inner one; 0 for a dummy.
typedef struct {
    rvPair length;   // of the mesh, negative in lane 1
    rvPair mass;     // rho lambda
    rvPair share[2]; // x of the outer and of the inner node
} rvAleSpan;

// Columns of a fall's matrix for p_a and p_b, and the corner; see ale_flow.c.
typedef struct {
    double *column[2], *solved[2]; // solved: by the factor
    double corner[3];              // aa, ab, bb
} rvAleBorder;

// The same with springs that hold points (ale_hold.c), and a force, then what it does; room of whoever holds.
typedef struct {
    rvAncfSlot* slots;
    rvAleBorder border;
    double* pushed;
} rvAleHeld;

typedef struct {
    rvAncf* ancf;
    rvAleSpan* spans;
    rvPair (*growth)[9];     // of rvAncfGrowth
    rvAncfElement* elements; // of the mesh: its lengths
    double* meshState;       // how many, and their lengths: as state
    int room;
    double mesh;     // Lambda [m]
    double load[2];  // point masses at the ends [kg]
    bool gripped[2]; // ends that a body moves
    double least;    // rope that a stop leaves in it, 0: it has none in this step [m]
    double friction, slow;
    rvAleBorder border;
    rvAleHeld hold;
    rvAncfRt rt;
    double* ports[12];   // H^-1 of unit forces at the coordinates of the ends
    double forceP[2];    // what is left at p_a and p_b
    double dp[2];        // their motion in a pass
    rvAncfLead leads[2]; // of its ends, while a step is made again
} rvAleFall;

// A fall that has less of its mesh's length in rope has run out.
#define RV_ALE_SHORTEST 1e-3

// Vectors of the flow: places first, then the rope on the arc of each.
enum { RV_ALE_FLOW_WORK = 8, RV_ALE_GUARD_NUMBERS = 6 };
enum { RV_ALE_P, RV_ALE_RATE, RV_ALE_ACCEL, RV_ALE_ALGO, RV_ALE_OLD, RV_ALE_OLD_RATE, RV_ALE_VECTORS };

struct rvAle {
    rvMemory* memory;
    void* block;
    size_t size;
    int fallCount, placeCount; // fallCount + 1
    int fallRoom;
    rvAleFall* falls;
    double EA, EI, mass, axialTime, bendTime;
    rvVec3 gravity;
    bool buckles;
    double diameter;
    rvAncfWater water; // its currents are kept by the first fall
    bool* flowHeld;
    double* flowRate; // of held flows: as told
    double* arcAim;   // rope on the arc of each place at the end of the step [m]
    double* inertia;  // added at a place, of the wheel: mass that moves with the rope [kg]
    // In a solve the rope may be parted at a place, p before it and p behind it an unknown each, and a row joins them:
    // its force is the tension there. The unknowns of the flows in order, at most two a place:
    bool* parted;
    int *before, *behind; // of each place; the same where it is not parted
    int unknownCount;

    // state
    double* flow[RV_ALE_VECTORS]; // 2 placeCount each
    double* state;
    int stateCount;          // all of it but that of the falls' nodes
    double *kinetic, *floor; // scale of energies [J]
    double* was;             // of a rope in the world: its energies at the start of the last step
    double* above;           // RV_ALE_GUARD_NUMBERS of its guard (ale_energy.c)
    double time;

    // work
    double* saved;                      // the state at the start of a step that is made again
    double* flowWork[RV_ALE_FLOW_WORK]; // 2 placeCount each
    double *diagonal, *lower;           // of the tridiagonal matrix of the flows, factored
    double *plainDiagonal, *plainLower; // before that
    double *heldDiagonal, *heldLower;   // with springs, factored; and forces on the flows beside them
    double* pushedFlows;
    double* flowForce; // what is left of the flows' unknowns, then their motion
    rvAncfRt rt;       // of the flows
    rvAncfOptions options;
    rvAncfCounts counts;
    bool first;  // pass of a step
    double owed; // share of the last pass's motion that was not made yet
    int retries; // how often a pass may leave the rope where it is
    bool stays;  // the last one did
    int ranOut;  // the fall that ran out in the last step, -1: none

    // of another method than rt (reference/ale_march.c)
    void* march; // room for their vectors
    size_t marchSize;
    double marchTrial; // their next step [s]
    int marchCount;    // numbers of a vector at the last step
};

// A fall's flow in the kernel.
typedef struct {
    double g, rate[2], accel[2]; // of p_a and p_b
    double elastic;              // g of what stretches and bends
    rvVec3 gravity;
} rvAleFlow;

typedef struct {
    double massFactor, dampFactor;
    const rvPair* stored; // tensions for the geometric stiffness, what pulls only; NULL: the true ones, all exact
    bool massOnly;        // no stiffness
    bool weightless;      // that weight grows with the rope in a fall is left out: it drives rope over a place
    bool still;           // no mass of the water: an iteration towards rest
    bool unfactored;      // the matrix is left as it is, with what is held in it
    bool bars;            // as in rvAncfWish
    bool stays[2];        // flows of which no column is wanted: it is left as it was
} rvAleWish;

// ---- ale_flow.c

// force += (all but stretching and bending) - M a, forceP likewise with those of `growth` (NULL: none); v: rates for
// what flows. border NULL: forces only.
void rv_ale_flow(const rvAleFall* fall, const double* q, const double* v, const double* a, const rvAleFlow* flow,
                 const rvAleWish* wish, const rvAncfGrowth* growth, rvAleBorder* border, double* force,
                 double forceP[2]);
// Onto both: friction of rope that lies on a table.
void rv_ale_rub(const rvAleFall* fall, const double* q, const double* v, const rvAleFlow* flow, double* force,
                double forceP[2]);
// Of the rope itself, and its second moments.
typedef struct {
    double kinetic, mass;
    rvVec3 momentum, angular;
} rvAleMotion;
rvAleMotion rv_ale_motion(const rvAleFall* fall, const double* q, const double* v, const rvAleFlow* flow);
void rv_ale_lay_spans(rvAleFall* fall, double massPerLength); // after the mesh changed

// ---- ale_solve.c

// What is left of the equations and, where wished, the matrix of all falls, factored, at q, v, a of the falls' rt and
// the flows' rt. With the matrix there is also, at the ends, the momentum of the rope that passes: it goes on to what
// holds them.
typedef struct {
    const double *q, *v, *p, *rate; // of a fall's nodes, of the flows
} rvAleAhead;
typedef struct {
    const double *q, *v, *vd, *a;
    const double* pd;        // rates of the flows for damping; NULL: those of the flows' rt
    bool aboutV;             // drag is linear about v: its matrix is that of v, and it goes by it to vd
    const rvPair* told;      // tensions of the step, for those of strain and rates: nodes only, without a matrix
    const rvAleAhead* ahead; // where the rope's inertia and weight are taken; NULL: at q and v
} rvAleState;
void rv_ale_residual(rvAle* ale, int fall, const rvAleState* at, const rvAleWish* wish, double* force);
// After all falls: forces of the flows; with `matrix` theirs too, and columns and forces (rt.r) are solved by each
// fall's factor.
void rv_ale_finish_flows(rvAle* ale, double massFactor, bool matrix);
// Rope that enters or leaves a fall at a place takes its momentum along, rho |r'| p'^2 a second: by so much the place
// is pulled less than the rope's tension says.
void rv_ale_add_passing(const rvAleFall* fall, int end, const double* q, const rvAleFlow* flow, double force[3]);
void rv_ale_factor_flows(rvAle* ale);
// Is the flow at an end of a fall held? Where the place is parted that is the flow before it.
bool rv_ale_flow_is_held(const rvAle* ale, int fall, int end);
bool rv_ale_is_unasked(const rvAle* ale, int fall, int end); // it is, and its column may be left out (rvAleWish)
void rv_ale_reduce(const rvAle* ale, int fall, const rvAleBorder* border, double out[3]); // corner - c^T Z
// Is each flow held by no less than it would be without what more weight does? Where a body moves the end of a fall
// both r and p are free within a solve, and what a fall that sags would gain by more rope may be more than all else
// there.
bool rv_ale_flows_are_firm(const rvAle* ale);
double rv_ale_arc_weight(const rvAle* ale, int place); // on p, of the rope on its arc [N]
// In place: what falls would do by themselves (rt.r) and forces of the flows become motions.
void rv_ale_solve(rvAle* ale);
void rv_ale_solve_flows(const rvAle* ale, double* x);
void rv_ale_count_flows(rvAle* ale);                              // after `parted` changed
void rv_ale_join_flows(rvAle* ale);                               // nothing is parted: for solves without rows
void rv_ale_set_scale(rvAle* ale, int fall, const double* flows); // g of a fall from these flows

// x -= a p + b q; none of the vectors is another
static inline void rv_ale_take_off(int count, const double* restrict a, double p, const double* restrict b, double q,
                                   double* restrict x)
{
    for (int i = 0; i < count; i++)
        x[i] -= a[i] * p + b[i] * q;
}

static inline double rv_ale_begin_of(const rvAle* ale, const double* flows, int fall)
{
    return flows[fall] + flows[ale->placeCount + fall];
}

// The rope on the last place's drum lies before its p.
static inline double rv_ale_end_of(const rvAle* ale, const double* flows, int fall)
{
    bool last = fall == ale->fallCount - 1;
    return flows[fall + 1] - (last ? flows[ale->placeCount + fall + 1] : 0.0);
}

static inline double* rv_ale_rate_of(const rvAncfRt* rt, int which)
{
    return which == RV_ALE_RATE ? rt->v1 : which == RV_ALE_ACCEL ? rt->a1 : rt->at1;
}

static inline int rv_ale_end_node(const rvAleFall* fall, int end)
{
    return end == RV_ALE_BEGIN ? 0 : fall->ancf->nodeCount - 1;
}

rvAleFlow rv_ale_flow_of(const rvAle* ale, int fall, const double* p, const double* rate, const double* accel);

// ---- ale_water.c

// What water does on a fall: onto force and the fall's forceP, and where wished into its matrix and border.
void rv_ale_water(rvAle* ale, int fall, const rvAleState* at, const rvAleFlow* flow, const rvAleWish* wish,
                  double* force);
void rv_ale_water_energy(const rvAle* ale, int fall, const rvAleFlow* flow, double* kinetic, double* potential);
// A metre of rope at a height: lift [N/m], its energy [J/m].
double rv_ale_lift(const rvAle* ale, double height);
double rv_ale_lift_energy(const rvAle* ale, double height);
// Before the end of a step is kept: what the water that a fall has come into in it gives its nodes; false: none.
bool rv_ale_water_blow(const rvAle* ale, int fall, double* blow);
bool rv_ale_is_driven(const rvAle* ale);       // by water that moves
double rv_ale_current_power(const rvAle* ale); // what that gives to the rope and to heat [W]
double rv_ale_drag_work(const rvAle* ale);     // at rest, of the motion that was solved: rt.r and dp of the falls [J]

// ---- ale_mesh.c

// Of the wished length of an element: longer ones are split, two that are shorter together become one. A split leaves
// two that are not merged, and a merge one that is not split. Two that bend become one when they are crumbs.
#define RV_ALE_LONG 1.5
#define RV_ALE_SHORT 1.2
#define RV_ALE_CRUMB 0.2

void rv_ale_split(rvAle* ale, int fall, int element);
void rv_ale_split_at(rvAle* ale, int fall, int element, double share);
void rv_ale_store_tensions(rvAle* ale, int fall);     // as the shape is
void rv_ale_merge(rvAle* ale, int fall, int element); // with the next one

// ---- ale_falls.c: between steps; holds of ends are let go

void rv_ale_set_falls(rvAle* ale, int count); // as many, whatever they are
// All falls anew, without shape; at most as many as there is room for.
void rv_ale_lay_falls(rvAle* ale, const rvAleFallDef* falls, int count);
// A place comes into a fall, from one share of it to another, with the rope between on its arc; it has the number fall
// + 1. False: there is no room.
bool rv_ale_cut(rvAle* ale, int fall, double from, double to);
// Place j between two falls goes. Rope on it that is shorter than `shortest` becomes part of the elements beside it.
void rv_ale_join(rvAle* ale, int place, double shortest);
// The flow of a fall changes by so much at its ends: its mesh moves along the rope, whose motion stays.
void rv_ale_lead_mesh(rvAle* ale, int fall, double first, double last);

// ---- ale_step.c: the real-time step in parts, for ports

void rv_ale_begin(rvAle* ale, double rho, double h);
void rv_ale_pass(rvAle* ale);      // linearised and solved without new forces: motions in rt.r and flowForce
double rv_ale_take(rvAle* ale);    // the motions are made; answers the strain energy that was left out
void rv_ale_give_ends(rvAle* ale); // of bodies: what the last pass owes them, if it was made in part
bool rv_ale_finish(rvAle* ale);    // false: not finite, nothing kept
double rv_ale_scale(const rvAle* ale);
void rv_ale_accelerate(rvAle* ale); // accelerations and stored tensions of the state as it is
// The rate of the flow at a place jumps: the rope takes up the impulse at once, as a step of implicit Euler over h
// would let it; ends that bodies hold keep their speed.
void rv_ale_jump(rvAle* ale, int place, double change, double h);
// The same of the velocity of an end that is held.
void rv_ale_jump_end(rvAle* ale, int fall, int end, const double change[3], double h);

bool rv_ale_falls_are_sound(rvAle* ale, const double* flows); // all have rope; else `ranOut` says which has not

// ---- ale_static.c

// The state as p of the falls' rt and the flows' rt, at rest: rates and accelerations are zero.
void rv_ale_lay_out(rvAle* ale, double massFactor);

// The equations at rest as the falls' rt and the flows' rt have it, factored, forces in rt.product; false: no positive
// matrix.
bool rv_ale_rest_factor(rvAle* ale, double massFactor);

// ---- ale.c

// The mesh of a fall is laid anew, with these lengths; its shape is left to the caller.
void rv_ale_lay_mesh(rvAle* ale, int fall, const double* lengths, int count);
