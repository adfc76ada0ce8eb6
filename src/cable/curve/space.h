// SPDX-License-Identifier: MIT
// A linear object in space that bends and twists: the curve of plane.h with frames in place of angles; with `stretches`
// also its stretch e(s).
//
// Unknowns: the first end x0 and a frame R_i at each node, whose third axis is the tangent. Between two nodes the frame
// goes the shortest way, R(xi) = exp(xi Phi) R_i with Phi = log(R_i+1 R_i^T) (world axes): curvature and torsion
//   kappa = R^T Phi/h   (two directions of bending, then torsion; material axes)
// are constant in an interval, which is a piece of a helix. x(s) = x0 + integral of t, by the Gauss points and the
// weights W of gauss.h. The signs of the quaternions of two neighbours say which way round: by up to half a turn where
// they agree, by up to a whole one where they do not, so that a turn may grow beyond half of one.
//
// Rates: of x0, and the spin w_i of each node (world axes). With u = w_i+1 - w_i and P = [Phi]x the spin between them
// is
//   w(xi) = w_i + S(xi) u,   S = (e^(xi P) - 1)/(e^P - 1) = xi + b(xi, y) P + g(xi, y) P^2,   y = Phi . Phi
// b and g power series in y that converge below a whole turn. R d(kappa)/dt h = T u with T = dS/dxi at 0 = P/(e^P - 1).
// t' = w x t, so column blocks of a Gauss point are C_0 = -[t]x (1 - S), C_1 = -[t]x S, and all of plane.h holds with 3
// x 3 blocks: M is separable of rank 3 off its band, forces are gathered as F_m from the far end, Q_i = sum C^T F.
// Energy of bending and torsion: sum of h/2 (kappa - natural) . D (kappa - natural). Turning about the tangent has an
// inertia of its own, the same about all axes, at the nodes: without it twist would have no inertia at all.
//
// Where it stretches e(s) is linear between the nodes, N its shape functions, lambda = 1 + e:
//   x(s) = x0 + integral of lambda t,   columns lambda C and N t,   quadratic terms lambda (those of t) + 2 e' w x t
// with energy of EA e^2/2 a metre as it is without load. Rates of the stretch are behind all spins; the matrix has them
// beside those of their nodes (rv_space_slot), so that it keeps a band.
#pragma once

#include "cable/curve/gauss.h"
#include "reeve/math.h"
#include "solve/separable.h"

#define RV_SPACE_TERMS 72 // of the series, at most: 1e-15 at 0.78 of a turn, 1e-6 at 0.9

// What an interval is made of.
typedef struct {
    double length;                // [m], > 0
    double density;               // [kg/m], > 0
    rvVec3 rigidity;              // D: EI, EI, GJ [N m^2], >= 0
    rvVec3 natural;               // curvature and torsion without load [1/m]
    double damping;               // moments of D times this a rate of curvature [s], >= 0
    double inertia;               // of turning, a metre [kg m], > 0
    double stiffness, stretching; // EA [N], damping of the stretch [N s], >= 0; used where it stretches
} rvSpacePart;

// Numbers and vectors at the four Gauss points of an interval, or rows of a 3 x 3 matrix, of three lanes each. Whoever
// gives memory need not align it.
typedef double rvFour __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct {
    rvFour x, y, z;
} rvFour3;

// An interval, as placed, and its Gauss points.
typedef struct {
    rvVec3 turn;         // Phi, world
    double e, de;        // T = 1 - P/2 + e P^2, d/dy of e
    rvFour3 t, x;        // tangents, places
    rvFour b, g, db, dg; // S and d/dy of it
    rvFour3 p[2], q[2];  // sums over its points of h b C and of w C, for the node before and the one after it: rows
} rvSpacePiece;

// Over an interval's Gauss points, where it stretches: of its eight unknowns (the first node's spin and stretch, then
// the second's) h b times the column, w times it, and the inertia of the interval alone.
typedef struct {
    rvVec3 p[8], q[8];
    double inner[8][8];
} rvSpaceSums;

typedef struct rvSpaceKernels rvSpaceKernels;

typedef struct {
    const rvSpaceKernels* kernels; // those of the processor
    int intervals;
    bool stretches;
    int count; // of rates: 3 + 3 (intervals + 1), and intervals + 1 more where it stretches
    double length;
    rvSpacePart* parts;
    // computed by rv_space_begin
    double mass, *tail;                                    // of all [kg]; beyond each interval
    rvFour *weights, *masses;                              // of the Gauss points: h b; [kg]
    rvFour *inner, *outer;                                 // see gauss.h; of the inner ones rows of the Cholesky factor
    double partials[RV_GAUSS_POINTS * RV_GAUSS_POINTS];    // A
    double powers[RV_GAUSS_POINTS * RV_GAUSS_POINTS];      // see gauss.h
    rvFour downTo[RV_GAUSS_POINTS], upTo[RV_GAUSS_POINTS]; // A by rows, by columns
    // series in y: of b, g, sin(xi |Phi|)/|Phi| and (1 - cos(xi |Phi|))/y for all Gauss points, and of e
    rvFour series[RV_SPACE_TERMS][4];
    double bernoulli[RV_SPACE_TERMS];
    // computed by rv_space_place
    const rvQuat* frames; // those given
    rvSpacePiece* pieces;
    rvVec3* nodes;  // where they are
    double* placed; // what it was placed with: the start, frames, stretch; the first is no number where it is not
    // where it stretches, else NULL: that of the nodes, those given; lambda at the Gauss points; sums of h b N t; order
    // of the matrix
    const double* stretch;
    rvFour* lambda;
    rvVec3 (*along)[2];
    rvSpaceSums* sums;
    int* order;
    // loads, gathered
    rvFour3* load; // F_m
    rvVec3 base;
    double* own;
    // scratch
    rvFour3 *flow, *rates; // at the Gauss points
} rvSpace;

bool rv_space_create(rvSpace* space, rvMemory* memory, int intervals, bool stretches);
void rv_space_release(rvSpace* space, rvMemory* memory);
// After parts were set.
void rv_space_begin(rvSpace* space);

static inline int rv_space_spin(int node) // index of a node's spin among the rates
{
    return 3 + 3 * node;
}

static inline int rv_space_stretch(const rvSpace* space, int node) // that of its stretch
{
    return 6 + 3 * space->intervals + node;
}

// Where a rate is in the matrix.
static inline int rv_space_slot(const rvSpace* space, int rate)
{
    int spins = 6 + 3 * space->intervals;
    return !space->stretches || rate < 3 ? rate : rate < spins ? rate + rate / 3 - 1 : 6 + 4 * (rate - spins);
}

// Signs of frames for the shorter way from each to the next.
void rv_space_align(rvQuat* frames, int count);
// Where everything is. Frames, and the stretch of the nodes (NULL where it does not stretch), are looked at until the
// next call.
void rv_space_place(rvSpace* space, rvVec3 start, const rvQuat* frames, const double* stretch);
rvVec3 rv_space_curvature(const rvSpace* space, int interval); // material axes
// Rates of the nodes, count x 3 numbers of v to n + 1 vectors.
void rv_space_node_rates(rvSpace* space, const double* v, rvVec3* rates);
// The part of the nodes' accelerations that is quadratic in the rates.
void rv_space_node_drift(rvSpace* space, const double* v, rvVec3* drift);
// Adds f . dx/dq of a node to a row.
void rv_space_add_row(const rvSpace* space, int node, rvVec3 f, double* row);
// Adds what a load on the Gauss points of an interval does to the rates of its two nodes.
void rv_space_add_turning(const rvSpace* space, int interval, const rvFour3* load, double* row);

// A way: x0 and lambda t at the Gauss points (x, y and z of an interval's four), of which every point of the curve is a
// linear function; its first and second derivative in time (a NULL: of what is quadratic in the rates alone). All as
// placed.
static inline int rv_space_way_count(const rvSpace* space) // numbers of it
{
    return 3 + 3 * RV_GAUSS_POINTS * space->intervals;
}

void rv_space_way(const rvSpace* space, rvVec3 start, double* way);
void rv_space_way_rate(const rvSpace* space, const double* v, double* way);
void rv_space_way_acceleration(const rvSpace* space, const double* v, const double* a, double* way);

// Loads: clear, add, then sum into generalised forces.
void rv_space_clear_loads(rvSpace* space);
void rv_space_add_force(rvSpace* space, int node, rvVec3 force);
void rv_space_add_forces(rvSpace* space, const rvVec3* forces); // one on each node
void rv_space_add_moment(rvSpace* space, int node, rvVec3 moment);
void rv_space_add_gravity(rvSpace* space, rvVec3 gravity);
// With the sign of a force: of the terms that are quadratic in the rates and, unless it is NULL, of accelerations.
void rv_space_add_inertia(rvSpace* space, const double* v, const double* acceleration);
// The same; unless it is NULL the accelerations of the nodes into `drift`.
void rv_space_add_inertia_drift(rvSpace* space, const double* v, const double* acceleration, rvVec3* drift);
// The same of a way's second derivative, and of the nodes' spins in an acceleration.
void rv_space_add_way_inertia(rvSpace* space, const double* way, const double* acceleration);
void rv_space_add_stresses(rvSpace* space, const double* v); // v NULL: at rest
// So many times what dampers of the stretch do against rates.
void rv_space_add_stretching(rvSpace* space, double times, const double* v);
void rv_space_sum_loads(const rvSpace* space, double* forces);
// What Gauss points get [N], once inertia of these accelerations was added as the last load: that and weight; and
// nodes, by their inertia of turning [N m].
void rv_space_line_loads(const rvSpace* space, rvVec3 gravity, const double* acceleration, rvVec3* line,
                         rvVec3* turning);
rvVec3 rv_space_gauss_point(const rvSpace* space, int interval, int m);
double rv_space_tension(const rvSpace* space, int interval); // by the gathered loads: mean over the interval

// What a matrix is made of: so many times inertia, stiffness, damping, and damping of the stretch alone. Stiffness is
// the second derivative of the energy and of the gathered loads' potential where each node turns on as exp(theta) R; it
// need not be positive. With
// u = w_i+1 - w_i, w = w_i + S u at a Gauss point, M the moment that the interval carries and c = w_i x Phi + T u (how
// Phi changes) it is
//   u . (T^T R D R^T T/h) u + m . (dT along T u) u + w_i . (M x u)
//     + sum of F . t w . w - F . w t . w - F . (dS along c) u x t
// Where it stretches F is lambda F above, and the stretch has EA N N and -N C^T F with the spins.
// Otherwise (`pulling`) only what is positive is kept of it: T^T R D R^T T/h, and F . t C^T C where the load pulls.
typedef struct {
    double mass, stiffness, damping, stretching;
    bool pulling;
} rvSpaceWish;

bool rv_space_create_matrix(const rvSpace* space, rvMemory* memory, rvSeparable* a);
void rv_space_matrix(rvSpace* space, rvSpaceWish wish, rvSeparable* a);
// So many times the inertia of a curve that stretches, in place of what is in the matrix.
void rv_space_stretched_inertia(rvSpace* space, double mass, rvSeparable* a);
// Adds factor.x g g^T for g = d(x of a node)/dq, and so on for y and z.
void rv_space_add_squares(const rvSpace* space, int node, rvVec3 factor, rvSeparable* a);
// How stiff a matrix is against turning a node, at most; the square of the lever that turning has on a node's place.
double rv_space_largest_spin(const rvSpace* space, const rvSeparable* a);
double rv_space_lever(const rvSpace* space, int node);

double rv_space_kinetic_energy(rvSpace* space, const double* v);
double rv_space_elastic_energy(const rvSpace* space);
double rv_space_height_energy(const rvSpace* space, rvVec3 gravity);
