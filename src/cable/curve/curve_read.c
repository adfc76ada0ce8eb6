// SPDX-License-Identifier: MIT
// What others read of a curve in the world: energies, shape, what it carries.
#include "cable/curve/curve_kernel.h"
#include "cable/route/section.h"
#include "cable/route/twist.h"
#include "math/cholesky.h"

#include <string.h>

enum { PER_INTERVAL = 4 }; // points to draw it by

bool rv_curve_is_held_fast(const rvCurve* curve)
{
    for (int k = 0; k < curve->gripCount; ++k)
        if (!curve->grips[k].off && !curve->grips[k].pushed)
            return true;
    for (int i = 0; i < curve->touchCount; ++i)
        if (!curve->touches[i].both && (curve->touches[i].body < 0 || curve->touches[i].rope))
            return true;
    return false;
}

static void find_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* energy)
{
    (void)bodies, (void)h;
    const rvCurve* curve = rv_curve_of(cable);
    double parts[3];
    rv_curve_middle(cable, gravity, parts);
    energy->kinetic = parts[0];
    energy->elastic = parts[1];
    energy->potential = parts[2];
    if (curve->dims == 3 && cable->state.broken == 0.0)
        energy->twist = rv_space_curve_twist(curve, &energy->torsion);
}

// Between the ends of an interval.
static double tension_at(const rvCurve* curve, int interval, double xi)
{
    const double* t = curve->tension + 2 * interval;
    return (1.0 - xi) * t[0] + xi * t[1];
}

static double tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    (void)bodies;
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    const rvCurve* curve = rv_curve_of(cable);
    rvCurveSpot spot = curve->placeSpots[span + end];
    // an inner place may lie between two intervals: the one within the span
    bool before = end == 1 && spot.xi == 0.0 && spot.interval > 0;
    return before ? tension_at(curve, spot.interval - 1, 1.0) : tension_at(curve, spot.interval, spot.xi);
}

// Point i to draw it by: its interval, and where in it.
static int interval_of(const rvCurve* curve, int i, double* xi)
{
    int interval = i / PER_INTERVAL < curve->now.intervals ? i / PER_INTERVAL : curve->now.intervals - 1;
    *xi = (double)(i - interval * PER_INTERVAL) / PER_INTERVAL;
    return interval;
}

static void find_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                       rvVec3* speed)
{
    (void)bodies;
    (void)h;
    rvCurve* curve = rv_curve_of(cable);
    double s = rv_cable_rest_before(cable, span) + share * cable->route.places[span].state.rest;
    rvCurveSpot spot = curve->kernel->spotAt(curve, s);
    *at = rvAdd(curve->origin, rv_curve_out(curve, curve->kernel->point(curve, &spot)));
    rvCurveFrame is = {.moves = true};
    curve->kernel->frame(curve, &spot, &is);
    *speed = rv_curve_out(curve, is.velocity);
}

// ---- what it carries: all that lies beyond a point acts on what lies before it

static rvVec3 node_at(const rvCurve* curve, int node)
{
    bool last = node == curve->now.intervals;
    rvCurveSpot spot = curve->kernel->spotIn(curve, node - last, last);
    return curve->kernel->point(curve, &spot);
}

static void add_force(rvVec3 sum[2], rvVec3 from, rvVec3 at, rvVec3 force)
{
    sum[0] = rvAdd(sum[0], force);
    sum[1] = rvAdd(sum[1], rvCross(rvSub(at, from), force));
}

// From the end of an interval to a point of it: its Gauss points count by what of the interval lies beyond.
static void add_interval(const rvCurve* curve, const rvCurveSpot* spot, rvVec3 from, rvVec3 sum[2])
{
    int i = spot->interval;
    const rvVec3* end = curve->beyond + 2 * (i + 1);
    add_force(sum, from, node_at(curve, i + 1), end[0]);
    sum[1] = rvAdd(sum[1], rvAdd(end[1], curve->turning[i + 1]));
    for (int m = 0; m < RV_GAUSS_POINTS; ++m) {
        double share = 1.0 - rv_gauss_weight_to(m, spot->xi) / rv_gauss_weight[m];
        int k = i * RV_GAUSS_POINTS + m;
        add_force(sum, from, curve->gauss[k], rvScale(share, curve->line[k]));
    }
}

// Rows of the grips at bodies that are not pushed, and at the world, with M^-1 of them; answers how many.
static int list_led(rvCurve* curve)
{
    int n = 0, dims = curve->dims, turns = curve->turns;
    for (int k = 0; k < curve->gripCount; ++k)
        for (int r = 0; r < rv_curve_rows_of(curve, &curve->grips[k]) && !curve->grips[k].pushed; ++r) {
            int axis = r < dims ? r : 3 - turns + r - dims;
            curve->rows[n] = (rvCurveRow){.spot = curve->spots[k], .grip = k, .turns = r >= dims};
            curve->rows[n].along = rvVec(axis == 0, axis == 1, axis == 2);
            curve->kernel->writeRow(curve, &curve->rows[n], rv_curve_gradient(curve, n));
            memcpy(rv_curve_column(curve, n), rv_curve_gradient(curve, n), (size_t)curve->now.count * sizeof(double));
            rv_separable_solve(curve->now.matrix, rv_curve_column(curve, n));
            n += 1;
        }
    return n;
}

// Accelerations and forces by the equations of motion of the state, M a = Q + G^T l, where led grips have the
// accelerations that the step set: in the step itself those are set afterwards, so that they and the forces of its rows
// do not balance, by a first order.
static void balance(rvCurve* curve)
{
    int count = curve->now.count;
    memcpy(curve->carried, curve->forces, (size_t)curve->forceCount * sizeof *curve->forces);
    curve->kernel->place(curve);
    if (!curve->kernel->balance(curve, curve->balanced)) {
        memcpy(curve->balanced, curve->now.before[1], (size_t)count * sizeof(double));
        return;
    }
    int n = list_led(curve);
    for (int i = 0; i < n; ++i) {
        const double* g = rv_curve_gradient(curve, i);
        curve->held[i] = rv_curve_dot(g, curve->now.before[1], count) - rv_curve_dot(g, curve->balanced, count);
        for (int j = 0; j <= i; ++j)
            curve->block[i * n + j] = rv_curve_dot(g, rv_curve_column(curve, j), count);
    }
    rv_cholesky_factor(curve->block, n); // a row that the ones before it imply gets nothing
    rv_cholesky_solve(curve->block, n, curve->held);
    for (int i = 0; i < n; ++i) {
        const rvCurveRow* row = &curve->rows[i];
        rvCurveForce* force = &curve->carried[row->grip];
        rvVec3* sum = row->turns ? &force->moment : &force->force;
        *sum = rvMulAdd(*sum, curve->held[i], row->along);
        for (int c = 0; c < count; ++c)
            curve->balanced[c] += curve->held[i] * rv_curve_column(curve, i)[c];
    }
}

// What lies beyond each node.
static void gather(rvCurve* curve)
{
    if (curve->told)
        return;
    balance(curve);
    curve->kernel->findLineLoads(curve, curve->balanced);
    curve->told = true;
    rvVec3* beyond = curve->beyond + 2 * curve->now.intervals;
    beyond[0] = beyond[1] = rvVec(0, 0, 0);
    for (int i = curve->now.intervals - 1; i >= 0; --i) {
        rvCurveSpot spot = curve->kernel->spotIn(curve, i, 0.0);
        rvVec3 sum[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
        add_interval(curve, &spot, node_at(curve, i), sum);
        curve->beyond[2 * i] = sum[0];
        curve->beyond[2 * i + 1] = sum[1];
    }
}

static void find_section(const rvCurve* curve, const rvCurveSpot* spot, rvCableSection* section)
{
    const double SAME = 1e-9; // of an interval
    double at = spot->interval + spot->xi, first = at > SAME ? at - SAME : at + SAME;
    rvVec3 from = curve->kernel->point(curve, spot), sum[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
    add_interval(curve, spot, from, sum);
    for (int k = 0; k < (int)curve->forceCount; ++k) {
        const rvCurveForce* f = &curve->carried[k];
        if (f->at < first)
            continue;
        int i = f->at < curve->now.intervals ? (int)f->at : curve->now.intervals - 1;
        rvCurveSpot where = curve->kernel->spotIn(curve, i, f->at - i);
        add_force(sum, from, curve->kernel->point(curve, &where), f->force);
        sum[1] = rvAdd(sum[1], f->moment);
    }
    rvCurveFrame is = {.moves = false};
    curve->kernel->frame(curve, spot, &is);
    section->point = rvAdd(curve->origin, rv_curve_out(curve, from));
    rv_section_take(section, rv_curve_out(curve, is.tangent), rv_curve_out(curve, sum[0]), rv_curve_out(curve, sum[1]));
    if (curve->dims == 2)
        section->moment = sum[1].z;
    section->curvature = is.curvature;
    section->torsion = is.torsion;
    section->strain = is.strain;
}

static void section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, rvCableSection* out)
{
    (void)gravity;
    rvCurve* curve = rv_curve_of(cable);
    if (cable->state.broken != 0.0) {
        double share;
        int span = rv_section_span(cable, out->at, NULL, &share);
        rv_section_along(cable, bodies, h, span, share, 0.0, out);
        return;
    }
    gather(curve);
    rvCurveSpot spot = curve->kernel->spotAt(curve, out->at);
    find_section(curve, &spot, out);
    rv_section_add_twist(cable, out);
}

static void force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force, rvVec3* torque)
{
    (void)h;
    const rvCurve* curve = rv_curve_of(cable);
    rv_grips_force_on(curve->grips, curve->states, curve->gripCount, body, force, torque);
    rv_twist_force_on(cable, bodies, body, force, torque);
}

static int shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                 int capacity)
{
    (void)shapes;
    rvCurve* curve = rv_curve_of(cable);
    int count = PER_INTERVAL * curve->now.intervals + 1;
    double before = 0.0;
    if (sections)
        gather(curve);
    for (int i = 0; i < count && i < capacity; ++i) {
        double xi;
        int interval = interval_of(curve, i, &xi);
        rvCurveSpot spot = curve->kernel->spotIn(curve, interval, xi);
        if (points)
            points[i] = rvAdd(curve->origin, rv_curve_out(curve, curve->kernel->point(curve, &spot)));
        if (!sections)
            continue;
        sections[i] = (rvCableSection){.at = before + xi * curve->lengths[interval]};
        if (cable->state.broken == 0.0)
            find_section(curve, &spot, &sections[i]);
        before += (i + 1) % PER_INTERVAL == 0 && i + 2 < count ? curve->lengths[interval] : 0.0;
    }
    return count;
}

const rvModelRead rv_curve_readings = {.energy = find_energy,
                                       .tension = tension,
                                       .section = section,
                                       .point = find_point,
                                       .shape = shape,
                                       .forceOn = force_on};
