// SPDX-License-Identifier: MIT
// The inside of an ANCF cable, for the files of this folder.
//
// Nodes are folded: the cable is worked on from both ends towards the node in the middle, two elements at a time, one a
// lane of a pair of doubles. Slot k holds the k-th node from either end, and couples to slot k + 1. So every kernel is
// vectorised without shuffling, the factor has two independent chains, and each lane is plain IEEE arithmetic: the same
// bits on every machine. Lanes without a node (an even node count, the middle) are those of a dummy node.
#pragma once

#include "cable/ancf/ancf.h"
#include "cable/ancf/ancf_step.h"
#include "reeve/world.h"

#include <string.h>

typedef double rvPair __attribute__((vector_size(16)));
typedef long long rvPairMask __attribute__((vector_size(16)));

static inline rvPair rv_ancf_positive_part(rvPair x)
{
    return (rvPair)((rvPairMask)x & (rvPairMask)(x > 0.0));
}

static inline rvPair rv_ancf_negative_part(rvPair x)
{
    return (rvPair)((rvPairMask)x & (rvPairMask)(x < 0.0));
}

// At which an element with hinged ends gives way when it is pressed.
static inline double rv_ancf_euler_strain(double EA, double EI, double length)
{
    return 9.869604401089358 /* pi^2 */ * EI / (EA * length * length);
}

// Kernels are compiled thrice, and the machine's own is chosen as the program starts: AVX2 has instructions of three
// operands, which saves moving registers, AVX-512 twice as many of these. No fused operations in any, so the bits are
// the same. Wider registers are of no use: one cable has two chains. Sanitizers start too late for it, and clang's
// clones do not take what is inlined along.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RV_ANCF_PLAIN)
#define RV_ANCF_CLONED __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RV_ANCF_CLONED
#endif

// RV_ANCF_STORED: numbers of a pair that are stored, see `stored`; RV_ANCF_SOLVED: right-hand sides at once;
// RV_ANCF_PULLS: `pulls` of an element
enum {
    RV_ANCF_POINTS = 5,
    RV_ANCF_STORED = RV_ANCF_POINTS + 1,
    RV_ANCF_RETRIES = 2,
    RV_ANCF_SOLVED = 3,
    RV_ANCF_PULLS = 4
};

// One slot of a symmetric block-tridiagonal matrix, or of its factor.
typedef struct {
    rvPair d[21]; // the node's own block, lower triangle by rows; factored: L, and 1/D in the diagonal
    rvPair c[36]; // coupling, rows: the inner node, columns: this one; factored: C L^-T D^-1
} rvAncfSlot;

// A matrix with the same 2 x 2 blocks (position, slope) for x, y and z, as mass and linear bending have.
typedef struct {
    double node[3]; // rr, rt, tt
    double edge[4]; // with the next node: r r', t r' (r of the next, t of this), and so on: rr, rt, tr, tt
} rvAncfIso;

// The same in the order of slots; edge rows: the inner node.
typedef struct {
    rvPair node[3], edge[4];
} rvAncfIsoPair;

// An element pair, from the outer node to the inner one.
typedef struct {
    rvPair side;      // +1/l in lane 0, -1/l in lane 1: the lower half is run through backwards
    rvPair stiffness; // EA l
    rvPair axialTime; // [s]
    rvPair bend;      // 2 EI/l, 0 where bending goes by Gauss points
    rvPair euler; // strain at which it gives way when it is pressed, see ancf_element.c; of rope that flows times g^2
} rvAncfSpan;

// Water at a Gauss point.
typedef struct {
    double t[3];  // tangent
    double added; // mass of the point [kg], across the tangent
    double start; // the same at the start of a real-time step
} rvAncfWet;

// A dof that does not move: row and column are taken out of the matrix.
typedef struct {
    int slot, lane, dof;
    double one; // what stands on the diagonal instead
    bool dummy; // of no node: nothing else was there
} rvAncfGap;

// A real-time step on its way.
typedef struct {
    double time, h, am, af, gam, bet, cM, cV;
    double *qh, *p, *r, *product; // vectors of the step; r: what is left of the equations, then the motion
    double *v1, *a1, *at1;        // rates at p
    const rvPair* stored;         // tensions of the last pass
    bool moves;                   // forces depend on speeds
    bool refines;                 // solutions are improved, elements are so short that rounding counts
    bool atRest;                  // implicit Euler from rest, for statics
    int retries;                  // how often a pass may leave p where it is
    bool stays;                   // the last one did
    bool holdsMove;               // of ports: held nodes are moved, with this work [J]
    double holdWork, holdStart;   // holdStart: as they move and pull at the start, in a step
} rvAncfRt;

typedef struct rvAncfRows rvAncfRows; // reference/ancf_rows.c

struct rvAncf {
    rvMemory* memory;
    void* block;
    size_t size;

    int nodeCount, elementCount, slotCount; // slots of pairs; the middle is slot slotCount
    int dofCount;                           // 6 nodeCount
    rvAncfElement* elements;
    double* places;   // p of each node [m]
    int (*fold)[2];   // node of a slot and lane; nodeCount is the dummy
    int (*inner)[2];  // node that a slot's element leads to
    int (*slotOf)[2]; // slot and lane of a node
    rvVec3 gravity;
    bool exactCurvature, hasBending, hasDamping, hasWater; // hasBending: by Gauss points, not by the constant matrix
    bool buckles;
    // Of a cable whose rope flows (src/cable/ale) the lengths of elements are those of its mesh, rope fills them g
    // times:
    double elastic;    // 1/g^3, of stretching and linear bending; 1
    double restSquare; // g^2, of r' without strain; 1
    rvAncfWater water;
    rvAncfCurrent* currents;

    // constant matrices and loads
    rvAncfIso *mass, *bend;
    rvAncfIsoPair *massPair, *bendPair;
    rvAncfSpan* spans;
    double *weight, *applied; // generalised forces
    double totalMass;
    double stiffest; // the largest EI/(m l^4) of an element [1/s^2]

    // holds
    unsigned char* held; // mask of each node
    int* heldNodes;
    int heldCount;
    rvAncfGap* gaps;
    int gapCount;
    rvAncfMotionFn motion;
    void* motionContext;
    double *aim, *aimRate, *aimAccel; // 6 a node, of held dofs
    rvAncfRows* rows;                 // NULL: none
    const rvReference* reference;     // whose rows these are

    // state, one block of doubles
    double* state;
    int stateCount;
    double *q, *v, *a, *at, *qOld, *vOld; // at: algorithmic acceleration
    double *pull, *pullMean;              // what the holds give, and the same filtered as the accelerations are
    rvPair*
        stored; // of each pair: tensions of the Gauss points, times the element's length, and the s of ancf_element.c
    double* scalars; // RV_ANCF_TIME and so on
    double* pulls;   // in the world: EA eps of each element, its mean, at the ends of the last four steps [N]

    // work of a step
    rvAncfSlot* slots;
    rvAncfSlot* plain; // room of whoever wants the matrix of a real-time step as it was before it was factored, or NULL
    rvAncfSlot* massSlots; // factored mass, for those that need it
    rvPair (*slopes)[RV_ANCF_POINTS][3];
    rvPair (*tensions)[RV_ANCF_STORED];
    rvPairMask* gives; // pairs that give way in the last matrix
    rvPair* nextStored;
    double* saved;       // the state at the start of a step
    rvPair (*folded)[6]; // RV_ANCF_SOLVED vectors in the order of slots
    rvAncfWet (*wet)[RV_ANCF_POINTS];
    double* work[RV_ANCF_WORK_COUNT]; // vectors

    rvAncfOptions options;
    rvAncfCounts counts;
    bool massFactored;
    rvAncfPort* portList;
    int portCount;
    double* portColumns; // H^-1 P^T, 3 a port
    void* ports;         // room for both
    size_t portsSize;
    rvAncfRt rt;  // the step that ports are in
    void* series; // room of another integrator
    size_t seriesSize;
};

// Scalars of the state.
enum {
    RV_ANCF_TIME,
    RV_ANCF_BUDGET,     // energy that the guard allows [J]
    RV_ANCF_SCALE,      // size of the energies that move [J]
    RV_ANCF_FLOOR,      // least scale [J]
    RV_ANCF_KINETIC,    // [J]
    RV_ANCF_ENERGY,     // all of it, at the end of the last step [J]
    RV_ANCF_TRIAL_STEP, // next step of the adaptive methods [s]
    RV_ANCF_HIGHEST,    // of the explicit ones: two by the critical step at the start [1/s]
    // of a cable with ports: its energies at the start of the last step [J]
    RV_ANCF_WAS_KINETIC,
    RV_ANCF_WAS_ELASTIC,
    RV_ANCF_WAS_POTENTIAL,
    RV_ANCF_BEND,       // how far its energy at the middle of the last step lay below the mean of both ends [J]
    RV_ANCF_ABOVE,      // energy at the middle of the last step, less its budget; >= 0 [J]
    RV_ANCF_HOLD_WORK,  // of held nodes in the last step [J]
    RV_ANCF_HOLDS_MOVE, // 1: `pull` is that of the last step
    RV_ANCF_SCALAR_COUNT
};

// Gauss points on (0, 1), five: exact to degree 9. The strain energy has degree 8 (eps is quartic), so stretching is
// integrated exactly; bending by |r''| (degree 2) and mass (degree 6) are closed forms. The exact curvature is no
// polynomial: five points integrate it to the order of the element.
extern const double rv_ancf_gauss[RV_ANCF_POINTS], rv_ancf_gauss_weight[RV_ANCF_POINTS];

// Shape functions at x of (0, 1) for the element's r1, t1, r2, t2: r, r' and r''.
static inline void rv_ancf_shape(double x, double l, double s[4])
{
    s[0] = 1.0 - x * x * (3.0 - 2.0 * x);
    s[1] = l * x * (1.0 - x) * (1.0 - x);
    s[2] = x * x * (3.0 - 2.0 * x);
    s[3] = -l * x * x * (1.0 - x);
}

static inline void rv_ancf_shape_slope(double x, double l, double s[4])
{
    s[2] = 6.0 * x * (1.0 - x) / l;
    s[0] = -s[2];
    s[1] = 1.0 - x * (4.0 - 3.0 * x);
    s[3] = x * (3.0 * x - 2.0);
}

static inline void rv_ancf_shape_bend(double x, double l, double s[4])
{
    s[0] = (12.0 * x - 6.0) / (l * l);
    s[2] = -s[0];
    s[1] = (6.0 * x - 4.0) / l;
    s[3] = (6.0 * x - 2.0) / l;
}

// sum of s_i x_i over the two nodes of element e
static inline void rv_ancf_blend(const double* x, int e, const double s[4], double out[3])
{
    const double* n = x + 6 * e;
    for (int c = 0; c < 3; c++)
        out[c] = s[0] * n[c] + s[1] * n[3 + c] + s[2] * n[6 + c] + s[3] * n[9 + c];
}

static inline double rv_ancf_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- vectors of all dofs

static inline void rv_ancf_copy(const rvAncf* cable, double* to, const double* from)
{
    memcpy(to, from, (size_t)cable->dofCount * sizeof(double));
}

static inline double rv_ancf_dot(const rvAncf* cable, const double* a, const double* b)
{
    // four sums: short chains of additions, in a fixed order
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= cable->dofCount; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < cable->dofCount; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// ---- ancf_element.c: stretching and the constant matrices

// y = A x
void rv_ancf_iso_product(const rvAncf* cable, const rvAncfIso* matrix, const double* x, double* y);
// force += that of stretching and linear bending at q with the rates v (NULL: none)
void rv_ancf_elastic_force(const rvAncf* cable, const double* q, const double* v, double* force);
// B x: what a motion x of the dofs does to r' at the Gauss points of a pair
void rv_ancf_pair_slopes(const rvAncf* cable, int k, const double* x, rvPair out[RV_ANCF_POINTS][3]);
// y -= B^T of forces at the Gauss points, by their weights, and linear bending of x
void rv_ancf_pair_forces(const rvAncf* cable, int k, const double* x, rvPair forces[RV_ANCF_POINTS][3], double* y);
// y += (-dQ/dv) x of stretching; what gives way is as in the last matrix
void rv_ancf_stretch_damping(const rvAncf* cable, const double* q, const double* x, double* y);
void rv_ancf_elastic_energy(const rvAncf* cable, const double* q, double* stretch, double* bend);

// How a matrix is wanted.
typedef struct {
    double massFactor; // cM
    double dampFactor; // cV, of -dQ/dv
    const rvPair*
        stored;    // tensions for the geometric stiffness, what pulls only, and what gives way; NULL: the true ones
    bool positive; // leave out what could make bending indefinite
    bool kept;     // what gives way is as in the last matrix, or rv_ancf_keep_giving
    bool bars;     // nothing gives way: of a jump, which may draw straight what is pressed before it
} rvAncfWish;

// slots = cM M + cV (-dQ/dv) + (-dQ/dq) at q, v; force as above. Fills cable->slopes, tensions and gives.
void rv_ancf_elastic_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish, double* force);
// Of rope that flows: what its elastic energy U does as the fill g of the elements grows, times powers of g. bending:
// that of linear bending in the columns.
typedef struct {
    double bending;
    rvPair (*columns)[9]; // by pair: on u, t_o and t_i, of stretching the part that pulls; of a matrix only
    double force;         // -g dU/dg of all
    double tangent;       // g^2 times its change; of a matrix only
} rvAncfGrowth;
void rv_ancf_growing_force(const rvAncf* cable, const double* q, const double* v, rvAncfGrowth* growth, double* force);
void rv_ancf_growing_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish,
                            rvAncfGrowth* growth, double* force);
// After that: tensions of a pair whose strains change by `more`, with damping `damped` times that, as the motion that
// was solved says. Answers the energy by which the matrix misses them: of elements that come to give way, or are drawn
// straight.
rvPair rv_ancf_pair_tensions(const rvAncf* cable, int k, rvPair damped, const rvPair more[RV_ANCF_POINTS],
                             rvPair* tensions);
// The same of all pairs after a motion d that was solved, and the energy of the strain that it leaves out, |B d|^2/2;
// growth: by how much of g rope fills the elements more after it, dg/g.
typedef struct {
    double strain, missed;
} rvAncfLeft;
rvAncfLeft rv_ancf_take_tensions(const rvAncf* cable, const double* d, double dampFactor, double growth,
                                 rvPair* tensions);
// After all pairs: what was straight in the matrix stays so in `stored`, though it is pressed. While a motion leaves
// out too much strain it is not known what is pressed, and an element that gives way by mistake is flung.
void rv_ancf_keep_straight(const rvAncf* cable, rvPair* stored);
void rv_ancf_keep_giving(rvAncf* cable, const rvPair* stored); // for a matrix with `kept`: what gives way is as stored
// `along` at the Gauss points of a pair without its mean, where it gives way.
void rv_ancf_leave_mean_out(const rvAncf* cable, int k, rvPair along[RV_ANCF_POINTS]);
// slots = the constant part of the mass
void rv_ancf_mass_matrix(rvAncf* cable, rvAncfSlot* slots);

// ---- ancf_bending.c: bending by Gauss points: exact curvature, initial curvature, damping

void rv_ancf_bending_force(const rvAncf* cable, const double* q, const double* v, double* force);
void rv_ancf_bending_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish);
double rv_ancf_bending_energy(const rvAncf* cable, const double* q);
// pull += what such bending of element e does to its second end, at rest
void rv_ancf_bending_pull(const rvAncf* cable, int e, double pull[3]);
// y += (-dQ/dv) x of bending
void rv_ancf_bending_damping(const rvAncf* cable, const double* q, const double* x, double* y);
double rv_ancf_curvature(const rvAncf* cable, const double slope[3], const double second[3]);
// dkappa/dt for rates of r' and r''
double rv_ancf_curvature_rate(const rvAncf* cable, const double slope[3], const double second[3],
                              const double slopeRate[3], const double secondRate[3]);
// slots of element e += blocks of 3 x 3 for its r1, t1, r2, t2
void rv_ancf_add_element(const rvAncf* cable, rvAncfSlot* slots, int e, double h[12][12]);

// ---- ancf_water.c: at a point of any cable, at a height; r, t: place and tangent

rvVec3 rv_water_current(const rvAncfWater* water, double height);
double rv_water_displaced(const rvAncfWater* water, double diameter, double height); // [kg/m]
double rv_water_lift_energy(const rvAncfWater* water, double diameter,
                            double height); // from z = 0, a length, by |gravity|
// On so much length; d, where it is not NULL: minus its derivative by the speed of the cable.
void rv_water_drag(const rvAncfWater* water, double diameter, double length, const double r[3], const double t[3],
                   const double speed[3], double force[3], double d[3][3]);
// Of an ANCF cable:
void rv_ancf_water_update(rvAncf* cable, const double* q); // tangents and added masses
// Of a real-time step, see the head of the file: at its start; at q, without the water that it has come into; and the
// jump of v at its end, held dofs apart, by which that water moves along. False: it has come into none.
void rv_ancf_water_begin(rvAncf* cable, const double* q);
void rv_ancf_water_update_before(rvAncf* cable, const double* q);
bool rv_ancf_water_enter(rvAncf* cable, const double* q, double* v);
void rv_ancf_water_force(const rvAncf* cable, const double* q, const double* v, double* force); // drag
void rv_ancf_buoyancy_force(const rvAncf* cable, const double* q, double* force);
double rv_ancf_buoyancy_energy(const rvAncf* cable, const double* q);
void rv_ancf_water_mass(const rvAncf* cable, const double* x, double* y); // y += M_added x
void rv_ancf_water_matrix(rvAncf* cable, rvAncfSlot* slots, const double* q, const double* v, const rvAncfWish* wish);
void rv_ancf_water_damping(const rvAncf* cable, const double* q, const double* v, const double* x, double* y);

// ---- ancf_force.c: all forces together

// force = Q(q, v): everything but the holds
void rv_ancf_force(const rvAncf* cable, const double* q, const double* v, double* force);
// The same by the stored tensions of a real-time step, as its solve has them: strain that a pass left out is no force.
// And force += what these alone do.
void rv_ancf_stepped_force(const rvAncf* cable, const double* q, const double* v, const rvPair* stored, double* force);
void rv_ancf_stored_force(const rvAncf* cable, const double* q, const rvPair* stored, double* force);
// As rv_ancf_force, and the matrix in cable->slots, holds not yet taken out.
void rv_ancf_linearise(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish, double* force);
void rv_ancf_mass_product(const rvAncf* cable, const double* x, double* y); // y = M x
void rv_ancf_damping_product(const rvAncf* cable, const double* q, const double* v, const double* x, double* y);
double rv_ancf_potential(const rvAncf* cable, const double* q); // all potential energies
double rv_ancf_kinetic(const rvAncf* cable, const double* v);
// x = M^-1 f with held dofs at 0; the mass is factored when it must be
void rv_ancf_mass_solve(rvAncf* cable, double* x);
// Accelerations at q, v with the holds' accelerations given.
void rv_ancf_accelerate(rvAncf* cable, const double* q, const double* v, double* a);

// ---- ancf_solve.c: the folded block-tridiagonal LDL^T

void rv_ancf_take_out(const rvAncf* cable, rvAncfSlot* slots); // rows and columns of held dofs and dummies
void rv_ancf_factor(const rvAncf* cable, rvAncfSlot* slots);
void rv_ancf_solve(const rvAncf* cable, const rvAncfSlot* slots, double* x); // in place; held dofs come out as 0
// The same bits for one to RV_ANCF_SOLVED right-hand sides, into others or in place.
void rv_ancf_solve_several(const rvAncf* cable, const rvAncfSlot* slots, double* const* from, double* const* x,
                           int count);
void rv_ancf_slot_product(const rvAncf* cable, const rvAncfSlot* slots, const double* x,
                          double* y);                                      // y = A x, unfactored
int rv_ancf_negative_pivots(const rvAncf* cable, const rvAncfSlot* slots); // of a factor; -1: not finite

// ---- ancf_rt.c: the largest of stored tensions that pull

double rv_ancf_largest_pull(const rvAncf* cable, const rvPair* stored);

// ---- ancf_point.c

int rv_ancf_element_at(const rvAncf* cable, double p);
// What the hold gave the cable in the last real-time step, by its stored tensions.
void rv_ancf_step_reaction(rvAncf* cable, int node, double force[6]);
// What the second end of an element does to its first by the tensions of the last step: the mean of N r' by 6x(1-x),
// and shear. elastic: as that of the cable; more: to be added to N over the stretch of the mesh [N].
rvVec3 rv_ancf_element_force(const rvAncf* cable, int e, double elastic, double more);
// EA eps of an element, the mean along it, as bodies feel it (ancf_point.c); how far it is from that of the step's end.
double rv_ancf_told_pull(const rvAncf* cable, int e);
double rv_ancf_mean_pull(const rvAncf* cable, int e); // as it is stored, over the stretch of the mesh
double rv_ancf_told_change(const rvAncf* cable, int e, double fill);
// After a step of the world; anew: it has no past.
void rv_ancf_note_pulls(rvAncf* cable, double fill, bool anew);

// ---- ancf_port.c: where a node that is led is within a step: cubic, from q and v to the end and its speed

typedef struct {
    double q[6], v[6], end[6], endRate[6];
    double rates[2][6]; // accelerations of the end, the second as the method filters it
    double time, h;
} rvAncfLead;
void rv_ancf_follow_cubic(double time, const rvAncfLead* lead, double b[6], double rate[6], double accel[6]);

// ---- ancf.c: holds

void rv_ancf_hold_dofs(rvAncf* cable, int node, unsigned mask); // these, whatever was held
void rv_ancf_aim(rvAncf* cable, double time);                   // fills aim, aimRate, aimAccel
// Other elements in the room of those that the cable was made with, at most as many; its shape is left to the caller,
// and holds are those of the nodes with the same numbers; rows are gone.
void rv_ancf_lay_mesh(rvAncf* cable, const rvAncfElement* elements, int count);

// ---- ancf_rt.c: the real-time step in parts, for ports

// Predictor (p and qh) and rates at p (v1, a1, at1) of any coordinates.
void rv_ancf_rt_predict_of(const rvAncfRt* s, int count, const double* q, const double* v, const double* at);
void rv_ancf_rt_rates_of(const rvAncfRt* s, int count, const double* v, const double* a, const double* at);
rvAncfRt rv_ancf_rt_of(const rvAncf* cable, double rho, double time, double h);
// Before the first step of a cable with so short elements that round-off of their bending, over their mass, makes
// accelerations without sense (1e7/s^2 of slopes at l = 0.1 mm): those of the step's matrix, a = cM (cM M + K)^-1 Q,
// which differ by (h w)^2 for what the step resolves.
void rv_ancf_rt_soften_start(rvAncf* cable, rvAncfRt* s);
void rv_ancf_rt_predict(rvAncf* cable, const rvAncfRt* s);
void rv_ancf_rt_rates(const rvAncf* cable, const rvAncfRt* s);
void rv_ancf_rt_linearise(rvAncf* cable, rvAncfRt* s); // r and the factor at p
// p += d; answers the energy that the pass left out. Where that is more than enough and the pull more than doubled, p
// stays while s->retries last: the next pass is from there with the new pull.
double rv_ancf_rt_advance(rvAncf* cable, rvAncfRt* s, const double* d, double enough);
void rv_ancf_rt_solve(const rvAncf* cable, const rvAncfRt* s, double* x); // H x = b in place, by the factor
void rv_ancf_rt_keep(rvAncf* cable, const rvAncfRt* s);
// Work of currents, and of held nodes with their forces into `pull`; and those kept.
double rv_ancf_rt_current_work(rvAncf* cable, const rvAncfRt* s);
double rv_ancf_rt_hold_work(rvAncf* cable, const rvAncfRt* s, double* pull);
void rv_ancf_rt_keep_pull(rvAncf* cable, const rvAncfRt* s, const double* pull);
// A step, in halves where it does not settle, halvings times at most. False: not finite.
bool rv_ancf_rt_go(rvAncf* cable, double time, double h, int halvings);

// ---- ancf_jump.c: x = rates that follow those of the held dofs of v as a step of h would: (M + h D + h^2 K) x = 0 in
// all other rows

void rv_ancf_follow_holds(rvAncf* cable, const double* q, const double* v, const rvPair* stored, double h, double* x);
// v, as far as a step of h could go on so: (M + h D + h^2 K) v1 = M v. What stretches at no speed of its ends is left.
void rv_ancf_lead_speeds(rvAncf* cable, double h);
// Held dofs are elsewhere by `way`, which is 0 of all others: the shape follows as it would within 10 ms, or less where
// a node would go further than `most` [m]; speeds stay. False: it does not settle, and is as it was.
bool rv_ancf_draw(rvAncf* cable, const double* way, double most);

// ---- ancf_port.c

// Notes them; answers the energy at the middle of the last step, as rv_ancf_port_energy reads it.
double rv_ancf_note_middle(rvAncf* cable);
void rv_ancf_note_energies(rvAncf* cable); // as those of the start of a step

// ---- ancf_static.c

// The force at q, at rest, and the factor of K + mu M; where that is not positive, of what is left of it with only what
// pulls back. False: nor is that. kept: as in rvAncfWish.
bool rv_ancf_rest_factor(rvAncf* cable, const double* q, const double* still, double mu, bool kept, double* force);

// ---- ancf_step.c

// Held dofs of `to` are set from those of `from`.
void rv_ancf_set_held(const rvAncf* cable, const double* from, double* to);
bool rv_ancf_is_finite(const rvAncf* cable, const double* x);
// Could a world have these places and speeds? The largest are those of bodies.
bool rv_ancf_is_sound(const rvAncf* cable, const double* q, const double* v);
