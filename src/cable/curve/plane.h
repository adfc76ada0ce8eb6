// SPDX-License-Identifier: MIT
// A linear object in the plane, in the coordinates of differential geometry (Wakamatsu et al.): the angle theta(s) of
// its tangent, piecewise linear along it, so that the shape is a chain of circular arcs; with `stretches` also its
// stretch e(s).
//
// Unknowns q: the first end x0, y0, then for each node theta_i (and e_i). With t = (cos, sin) theta, n = (-sin, cos)
// theta and lambda = 1 + e (1 where it does not stretch)
//   x(s) = x0 + integral of lambda t        dx/dtheta: lambda n,  dx/de: t, along what lies before s
// Four Gauss points to an interval; integrals up to a Gauss point by the polynomial through the four (weights A, as in
// Gauss' implicit Runge-Kutta method): x_g = x0 + sum_m W_gm lambda_m t_m with constant W. All else follows from this
// without further error: the mass matrix M = sum m_g J_g^T J_g, the quadratic terms, energy and its conservation.
//
// W_gm is h b_m for every g beyond m's interval, so M is separable off its band (separable.h): unknowns i before j give
// p_i . q_j,  p_i = sum N_i h b_m c_m,  q_j = sum N_j w_m c_m,  w_m = sum_g m_g W_gm, c the column n lambda or t.
// Loads (forces on points, weight, inertia) are gathered as F_m = sum_g W_gm f_g, weight times the force that the curve
// carries; then Q_i = sum N_i c_m . F_m, and its derivative is a band too: -N_i N_j lambda t . F for theta. Nothing
// costs more than O(intervals).
#pragma once

#include "cable/curve/gauss.h"
#include "solve/separable.h"

#include <stdlib.h>

#define RV_PLANE_POINTS RV_GAUSS_POINTS // to an interval
#define RV_PLANE_RIGID 15               // numbers

typedef struct {
    double x, y;
} rvVec2;

static inline rvVec2 rv_vec2(double x, double y)
{
    return (rvVec2){x, y};
}

static inline rvVec2 rv_vec2_add(rvVec2 a, double factor, rvVec2 b)
{
    return (rvVec2){a.x + factor * b.x, a.y + factor * b.y};
}

static inline double rv_vec2_dot(rvVec2 a, rvVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline rvVec2 rv_vec2_minus(rvVec2 a, rvVec2 b)
{
    return rv_vec2(a.x - b.x, a.y - b.y);
}

// To the left of a direction.
static inline rvVec2 rv_vec2_across(rvVec2 t)
{
    return rv_vec2(-t.y, t.x);
}

// The shape function of an interval's end (0 or 1) at a Gauss point.
static inline double rv_plane_shape(int end, int m)
{
    return end == 0 ? 1.0 - rv_gauss_node[m] : rv_gauss_node[m];
}

// How far apart two Gauss points are, as a number: the same (0), 0 1 and 2 3 (1), 0 2 and 1 3 (2), 1 2 (3), 0 3 (4).
static inline int rv_plane_points_apart(int m, int l)
{
    int far = abs(m - l);
    return far == 0 ? 0 : far == 3 ? 4 : far == 2 ? 2 : m + l == 3 ? 3 : 1;
}

// What an interval is made of.
typedef struct {
    double density;    // [kg/m], > 0
    double rigidity;   // R_f = EI [N m^2], >= 0
    double natural;    // curvature without load [1/m]
    double damping;    // of bending: moment a rate of curvature [N m^2 s], >= 0
    double stiffness;  // EA [N], used where it stretches
    double stretching; // damping of the stretch [N s], >= 0
    double drag;       // viscous, of its points through the surroundings [N s/m^2], >= 0
} rvPlanePart;

// Over an interval's Gauss points: N c times h b and times w, for each of its unknowns (node 0 or 1 times fields +
// field).
typedef struct {
    rvVec2 p[4], q[4];
} rvPlaneSums;

typedef struct {
    int intervals;
    int fields;    // 1, or 2 where it stretches
    int count;     // of unknowns: 2 + fields (intervals + 1)
    double length; // [m]
    double step;   // of an interval [m]
    rvPlanePart* parts;
    // computed at creation
    double mass, *tail; // of all [kg]; beyond each interval
    bool drags;         // some part does
    double*
        inner; // of each interval and end: POINTS x POINTS, (sum over its points of m A A + mass beyond times b b) N
    double* outer;                                      // of each interval: POINTS, w
    double* rigid;                                      // of each interval: its inertia where it does not stretch,
                                                        // see add_rigid: RV_PLANE_RIGID
    double partials[RV_PLANE_POINTS * RV_PLANE_POINTS]; // A
    double powers[RV_PLANE_POINTS * RV_PLANE_POINTS];   // weights of an integral up to xi, as powers of xi
    // computed by rv_plane_place
    rvVec2* t;      // unit tangent at the Gauss points
    double* lambda; // stretch there
    rvVec2* x;      // where they are
    rvVec2* nodes;  // where the nodes are
    double* placed; // the unknowns there; the first is no number where it is not placed
    // loads, gathered
    rvVec2* load; // F_m
    rvVec2 base;  // force on the first end's coordinates
    double* own;  // on the unknowns themselves: moments, bending
    // scratch
    rvVec2 *flow, *rates, *line; // at the Gauss points
    rvPlaneSums* sums;           // of the intervals
} rvPlane;

bool rv_plane_create(rvPlane* plane, rvMemory* memory, int intervals, double length, bool stretches);
void rv_plane_release(rvPlane* plane, rvMemory* memory);
// After parts were set.
void rv_plane_begin(rvPlane* plane);

static inline int rv_plane_angle(const rvPlane* plane, int node) // index of theta_node among the unknowns
{
    return 2 + node * plane->fields;
}

// Where everything is. The rest looks at this.
void rv_plane_place(rvPlane* plane, const double* q);

// A point at s in 0..length.
rvCurveSpot rv_plane_spot(const rvPlane* plane, double s);
rvCurveSpot rv_plane_spot_in(const rvPlane* plane, int interval, double xi);
rvVec2 rv_plane_point(const rvPlane* plane, const rvCurveSpot* spot);
// dx/dxi there. The curve goes through its Gauss points: its own tangent, by the polynomial through the four, differs
// from that of the angle by w^4/1680 in an interval that turns by w. A contact that slides along another direction than
// the curve's own makes energy or loses it.
rvVec2 rv_plane_slope(const rvPlane* plane, const rvCurveSpot* spot);
double rv_plane_angle_at(const rvPlane* plane, const double* q, const rvCurveSpot* spot);
double rv_plane_curvature(const rvPlane* plane, const double* q, int interval);
rvVec2 rv_plane_velocity(const rvPlane* plane, const double* v, const rvCurveSpot* spot);
void rv_plane_node_rates(const rvPlane* plane, const double* v, rvVec2* rates); // velocities of all nodes
// The part of a point's acceleration that is quadratic in the rates.
rvVec2 rv_plane_drift(const rvPlane* plane, const double* v, const rvCurveSpot* spot);
// Adds f . dx/dq to a row of the unknowns.
void rv_plane_add_row(const rvPlane* plane, const rvCurveSpot* spot, rvVec2 f, double* row);
// How a point moves as the angles of its interval's two nodes change, its first node held.
void rv_plane_spot_columns(const rvPlane* plane, int interval, const double weight[RV_PLANE_POINTS], rvVec2 columns[2]);

// A way: x0 and lambda t at the Gauss points (one more vector than there are Gauss points), of which every point of the
// curve is a linear function; its first and second derivative in time (a NULL: of what is quadratic in the rates
// alone). All as placed.
void rv_plane_way(const rvPlane* plane, const double* q, rvVec2* way);
void rv_plane_way_rate(const rvPlane* plane, const double* v, rvVec2* way);
void rv_plane_way_acceleration(const rvPlane* plane, const double* v, const double* a, rvVec2* way);

// Loads: clear, add, then sum into generalised forces.
void rv_plane_clear_loads(rvPlane* plane);
void rv_plane_add_force(rvPlane* plane, const rvCurveSpot* spot, rvVec2 force);
void rv_plane_add_spot_load(rvPlane* plane, const rvCurveSpot* spot,
                            rvVec2 force);                      // of that what acts within its interval
void rv_plane_add_forces(rvPlane* plane, const rvVec2* forces); // one on the first node of each interval
void rv_plane_add_moment(rvPlane* plane, const rvCurveSpot* spot, double moment);
void rv_plane_add_gravity(rvPlane* plane, rvVec2 gravity);
// Inertia with the sign of a force: of the terms that are quadratic in the rates and, unless it is NULL, of
// accelerations.
void rv_plane_add_inertia(rvPlane* plane, const double* v, const double* acceleration);
void rv_plane_add_way_inertia(rvPlane* plane, const rvVec2* way); // the same of a way's second derivative
void rv_plane_add_drag(rvPlane* plane, const double* v);
void rv_plane_add_stresses(rvPlane* plane, const double* q, const double* v); // bending, stretch, their damping
// So many times what dampers of the stretch do against rates.
void rv_plane_add_stretching(rvPlane* plane, double times, const double* v);
void rv_plane_sum_loads(const rvPlane* plane, double* forces);
// What the Gauss points get [N], once inertia was added as the last load: that, weight and drag, into plane->line.
void rv_plane_line_loads(rvPlane* plane, rvVec2 gravity, const double* v);
// The part along the curve of the force that it carries, at both ends of an interval, by the gathered loads.
void rv_plane_tension(const rvPlane* plane, int interval, double tension[2]);

// What a matrix is made of: so many times the inertia, so many times the stiffness of stresses and gathered loads, so
// many times the damping, and that of the stretch alone. `positive`: loads that press do not soften it.
typedef struct {
    double mass, stiffness, damping, stretching;
    bool positive;
} rvPlaneWish;

void rv_plane_matrix(rvPlane* plane, rvPlaneWish wish, rvSeparable* a);
bool rv_plane_create_matrix(const rvPlane* plane, rvMemory* memory, rvSeparable* a);

double rv_plane_kinetic_energy(rvPlane* plane, const double* v);
double rv_plane_elastic_energy(const rvPlane* plane, const double* q);
double rv_plane_height_energy(const rvPlane* plane, rvVec2 gravity);
