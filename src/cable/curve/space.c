// SPDX-License-Identifier: MIT
#include "cable/curve/space_parts.h"

#include "math/cholesky.h"

#include <string.h>

#define WHOLE_TURN2 39.478417604357434475 // (2 pi)^2: where the series end

// ---- creation -------------------------------------------------------------------------------------------------------

// s_n of (e^(xi z) - 1)/(e^z - 1) = sum s_n z^n: s_n = xi^(n+1)/(n+1)! - sum over k < n of s_k/(n+1-k)!
static void expand(double xi, double* s, int count)
{
    double inverse[2 * RV_SPACE_TERMS + 4] = {1.0}, power = 1.0; // 1/n!, xi^n
    for (int n = 1; n < 2 * RV_SPACE_TERMS + 4; ++n)
        inverse[n] = inverse[n - 1] / n;
    for (int n = 0; n < count; ++n) {
        power *= xi;
        s[n] = power * inverse[n + 1];
        for (int k = 0; k < n; ++k)
            s[n] -= s[k] * inverse[n + 1 - k];
    }
}

// The same of z/(e^z - 1).
static void expand_slope(double* s, int count)
{
    double inverse[2 * RV_SPACE_TERMS + 4] = {1.0};
    for (int n = 1; n < 2 * RV_SPACE_TERMS + 4; ++n)
        inverse[n] = inverse[n - 1] / n;
    for (int n = 0; n < count; ++n) {
        s[n] = n == 0 ? 1.0 : 0.0;
        for (int k = 0; k < n; ++k)
            s[n] -= s[k] * inverse[n + 1 - k];
    }
}

// P^3 = -y P: odd and even powers as series in y.
static void find_series(rvSpace* space)
{
    double s[2 * RV_SPACE_TERMS + 2];
    for (int m = 0; m < POINTS; ++m) {
        expand(NODE[m], s, 2 * RV_SPACE_TERMS + 1);
        double sign = 1.0, power = NODE[m]; // xi^(2 k + 1)/(2 k + 1)!
        for (int k = 0; k < RV_SPACE_TERMS; ++k, sign = -sign) {
            space->series[k][0][m] = sign * s[2 * k + 1];
            space->series[k][1][m] = sign * s[2 * k + 2];
            space->series[k][2][m] = sign * power;
            power *= NODE[m] / (2 * k + 2);
            space->series[k][3][m] = sign * power;
            power *= NODE[m] / (2 * k + 3);
        }
    }
    expand_slope(s, 2 * RV_SPACE_TERMS + 1);
    for (int k = 0; k < RV_SPACE_TERMS; ++k)
        space->bernoulli[k] = (k % 2 ? -1.0 : 1.0) * s[2 * k + 2];
}

static size_t points_of(const rvSpace* space)
{
    return (size_t)space->intervals * POINTS;
}

bool rv_space_create(rvSpace* space, rvMemory* memory, int intervals)
{
    *space = (rvSpace){.intervals = intervals, .count = 3 * intervals + 6};
    size_t points = points_of(space), n = (size_t)intervals;
    space->parts = rv_memory_take(memory, n * sizeof(rvSpacePart));
    space->tail = rv_memory_take(memory, n * sizeof(double));
    space->inner = rv_memory_take(memory, points * POINTS * sizeof(double));
    space->outer = rv_memory_take(memory, points * sizeof(double));
    space->points = rv_memory_take(memory, points * sizeof(rvSpacePoint));
    space->pieces = rv_memory_take(memory, n * sizeof(rvSpacePiece));
    space->nodes = rv_memory_take(memory, (n + 1) * sizeof(rvVec3));
    space->load = rv_memory_take(memory, points * sizeof(rvVec3));
    space->own = rv_memory_take(memory, (size_t)space->count * sizeof(double));
    space->flow = rv_memory_take(memory, points * sizeof(rvVec3));
    space->rates = rv_memory_take(memory, points * sizeof(rvVec3));
    if (!space->parts || !space->tail || !space->inner || !space->outer || !space->points || !space->pieces ||
        !space->nodes || !space->load || !space->own || !space->flow || !space->rates) {
        rv_space_release(space, memory);
        return false;
    }
    rv_gauss_partials(space->partials);
    find_series(space);
    return true;
}

void rv_space_release(rvSpace* space, rvMemory* memory)
{
    size_t points = points_of(space), n = (size_t)space->intervals;
    rv_memory_give(memory, space->parts, n * sizeof(rvSpacePart));
    rv_memory_give(memory, space->tail, n * sizeof(double));
    rv_memory_give(memory, space->inner, points * POINTS * sizeof(double));
    rv_memory_give(memory, space->outer, points * sizeof(double));
    rv_memory_give(memory, space->points, points * sizeof(rvSpacePoint));
    rv_memory_give(memory, space->pieces, n * sizeof(rvSpacePiece));
    rv_memory_give(memory, space->nodes, (n + 1) * sizeof(rvVec3));
    rv_memory_give(memory, space->load, points * sizeof(rvVec3));
    rv_memory_give(memory, space->own, (size_t)space->count * sizeof(double));
    rv_memory_give(memory, space->flow, points * sizeof(rvVec3));
    rv_memory_give(memory, space->rates, points * sizeof(rvVec3));
    *space = (rvSpace){0};
}

void rv_space_begin(rvSpace* space)
{
    double mass = 0.0;
    space->length = 0.0;
    for (int i = space->intervals - 1; i >= 0; --i) {
        const rvSpacePart* part = &space->parts[i];
        space->tail[i] = mass;
        rv_gauss_weigh(part->length, part->density, mass, space->partials, space->inner + i * POINTS * POINTS,
                       space->outer + i * POINTS);
        rv_cholesky_factor(space->inner + i * POINTS * POINTS, POINTS);
        mass += part->density * part->length;
        space->length += part->length;
    }
}

static double mass_of(const rvSpace* space, int k)
{
    const rvSpacePart* part = &space->parts[k / POINTS];
    return part->density * part->length * WEIGHT[k % POINTS];
}

// ---- shape ----------------------------------------------------------------------------------------------------------

// A vector given at the Gauss points, integrated to the Gauss points (out, or NULL) and to the nodes (or NULL).
static void integrate(const rvSpace* space, rvVec3 start, const rvVec3* flow, rvVec3* out, rvVec3* nodes)
{
    const double* a = space->partials;
    for (int i = 0; i < space->intervals; ++i) {
        const rvVec3* f = flow + i * POINTS;
        double h = space->parts[i].length;
        rvVec3 whole = start;
        if (nodes)
            nodes[i] = start;
        for (int g = 0; g < POINTS; ++g) {
            whole = rvMulAdd(whole, h * WEIGHT[g], f[g]);
            if (!out)
                continue;
            rvVec3 sum = start;
            for (int m = 0; m < POINTS; ++m)
                sum = rvMulAdd(sum, h * a[g * POINTS + m], f[m]);
            out[i * POINTS + g] = sum;
        }
        start = whole;
    }
    if (nodes)
        nodes[space->intervals] = start;
}

// Terms that the series need at y.
static int terms_at(double y)
{
    double share = y / WHOLE_TURN2, left = share;
    int terms = 1;
    while (left > 1e-17 && terms < RV_SPACE_TERMS) {
        left *= share;
        terms += 1;
    }
    return terms;
}

// Sums of the series at y, and slopes of the first two, for all Gauss points.
static void sum_series(const rvSpace* space, int terms, double y, double sum[4][POINTS], double slope[2][POINTS])
{
    memset(sum, 0, 4 * sizeof *sum);
    memset(slope, 0, 2 * sizeof *slope);
    for (int k = terms - 1; k >= 0; --k)
        for (int c = 0; c < 4; ++c)
            for (int m = 0; m < POINTS; ++m) {
                if (c < 2)
                    slope[c][m] = slope[c][m] * y + sum[c][m];
                sum[c][m] = sum[c][m] * y + space->series[k][c][m];
            }
}

// (xi + b P + g P^2) u
static rvVec3 times_s(const rvSpacePoint* point, double xi, rvVec3 turn, rvVec3 u)
{
    rvVec3 once = rvCross(turn, u);
    return rvMulAdd(rvMulAdd(rvScale(xi, u), point->b, once), point->g, rvCross(turn, once));
}

// The rotation vector of q as its sign says: up to a whole turn.
static rvVec3 turn_of(rvQuat q)
{
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double f = s > 1e-8 ? 2.0 * atan2(s, q.w) / s : 2.0;
    return rvVec(f * q.x, f * q.y, f * q.z);
}

void rv_space_align(rvQuat* frames, int count)
{
    for (int i = 1; i < count; ++i) {
        rvQuat a = frames[i - 1], b = frames[i];
        if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0)
            frames[i] = (rvQuat){-b.w, -b.x, -b.y, -b.z};
    }
}

// Columns of a Gauss point: C_1 e = (S e) x t, C_0 e = e x t - C_1 e. p: P, p2: P^2.
static void place_columns(rvSpacePoint* point, double xi, const rvMat3* p, const rvMat3* p2)
{
    rvVec3 t = point->t;
    const double e[3][3] = {{0, t.z, -t.y}, {-t.z, 0, t.x}, {t.y, -t.x, 0}}; // -[t]x
    for (int c = 0; c < 3; ++c) {
        double s[3];
        for (int r = 0; r < 3; ++r)
            s[r] = (r == c ? xi : 0.0) + point->b * p->m[r][c] + point->g * p2->m[r][c];
        const double x[3] = {s[1] * t.z - s[2] * t.y, s[2] * t.x - s[0] * t.z, s[0] * t.y - s[1] * t.x};
        for (int r = 0; r < 3; ++r) {
            point->column[1].m[r][c] = x[r];
            point->column[0].m[r][c] = e[r][c] - x[r];
        }
    }
}

static void place_piece(rvSpace* space, int i)
{
    rvSpacePiece* piece = &space->pieces[i];
    rvQuat from = space->frames[i], way = rvQuatMul(space->frames[i + 1], rvQuatConj(from));
    rvVec3 f = piece->turn = turn_of(way);
    double y = rvDot(f, f), sum[4][POINTS], slope[2][POINTS];
    int terms = terms_at(y);
    sum_series(space, terms, y, sum, slope);
    piece->e = piece->de = 0.0;
    for (int k = terms - 1; k >= 0; --k) {
        piece->de = piece->de * y + piece->e;
        piece->e = piece->e * y + space->bernoulli[k];
    }
    const rvMat3 p = {{{0, -f.z, f.y}, {f.z, 0, -f.x}, {-f.y, f.x, 0}}};
    const rvMat3 p2 = {{{f.x * f.x - y, f.x * f.y, f.x * f.z},
                        {f.y * f.x, f.y * f.y - y, f.y * f.z},
                        {f.z * f.x, f.z * f.y, f.z * f.z - y}}};
    rvVec3 start = rvRotate(from, rvVec(0, 0, 1)), once = rvCross(f, start), twice = rvCross(f, once);
    memset(piece->p, 0, sizeof piece->p);
    for (int m = 0; m < POINTS; ++m) {
        rvSpacePoint* point = &space->points[i * POINTS + m];
        point->b = sum[0][m];
        point->g = sum[1][m];
        point->db = slope[0][m];
        point->dg = slope[1][m];
        point->t = space->flow[i * POINTS + m] = rvMulAdd(rvMulAdd(start, sum[2][m], once), sum[3][m], twice);
        place_columns(point, NODE[m], &p, &p2);
        for (int end = 0; end < 2; ++end)
            add_scaled(&piece->p[end], space->parts[i].length * WEIGHT[m], &point->column[end]);
    }
}

void rv_space_place(rvSpace* space, rvVec3 start, const rvQuat* frames)
{
    space->frames = frames;
    for (int i = 0; i < space->intervals; ++i)
        place_piece(space, i);
    integrate(space, start, space->flow, space->rates, space->nodes);
    for (int k = 0; k < space->intervals * POINTS; ++k)
        space->points[k].x = space->rates[k];
}

rvVec3 rv_space_curvature(const rvSpace* space, int i)
{
    return rvScale(1.0 / space->parts[i].length, rvRotateBack(space->frames[i], space->pieces[i].turn));
}

// dt/dt at Gauss point m of interval i.
static rvVec3 rate_of(const rvSpace* space, const double* v, int i, int m)
{
    const rvSpacePoint* point = &space->points[i * POINTS + m];
    return rvAdd(rvMat3Vec(&point->column[0], spin_of(v, i)), rvMat3Vec(&point->column[1], spin_of(v, i + 1)));
}

// The part of d^2 t/dt^2 that is quadratic in the rates: w x (w x t) + (dS/dt u) x t.
static rvVec3 quadratic_of(const rvSpace* space, const double* v, int i, int m)
{
    const rvSpacePoint* point = &space->points[i * POINTS + m];
    const rvSpacePiece* piece = &space->pieces[i];
    rvVec3 turn = piece->turn, first = spin_of(v, i), u = rvSub(spin_of(v, i + 1), first);
    rvVec3 change = rvAdd(rvCross(first, turn), times_t(piece, 1.0, u)); // of Phi, world
    double dy = 2.0 * rvDot(turn, change);
    rvVec3 once = rvCross(turn, u), twice = rvCross(turn, once), moved = rvCross(change, u);
    rvVec3 more = rvMulAdd(rvScale(point->db * dy, once), point->b, moved);
    more = rvMulAdd(more, point->dg * dy, twice);
    more = rvMulAdd(more, point->g, rvAdd(rvCross(change, once), rvCross(turn, moved)));
    rvVec3 w = rvAdd(first, times_s(point, NODE[m], turn, u));
    return rvAdd(rvCross(w, rvCross(w, point->t)), rvCross(more, point->t));
}

static rvVec3 start_of(const double* v)
{
    return v ? rvVec(v[0], v[1], v[2]) : rvVec(0, 0, 0);
}

void rv_space_node_rates(const rvSpace* space, const double* v, rvVec3* rates)
{
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            space->rates[i * POINTS + m] = rate_of(space, v, i, m);
    integrate(space, start_of(v), space->rates, NULL, rates);
}

void rv_space_node_drift(rvSpace* space, const double* v, rvVec3* drift)
{
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            space->rates[i * POINTS + m] = quadratic_of(space, v, i, m);
    integrate(space, rvVec(0, 0, 0), space->rates, NULL, drift);
}

void rv_space_add_row(const rvSpace* space, int node, rvVec3 f, double* row)
{
    add_to(row, 1.0, f);
    for (int i = 0; i < node; ++i)
        for (int end = 0; end < 2; ++end)
            add_to(row + rv_space_spin(i + end), 1.0, back(&space->pieces[i].p[end], f));
}

// ---- loads ----------------------------------------------------------------------------------------------------------

void rv_space_clear_loads(rvSpace* space)
{
    memset(space->load, 0, points_of(space) * sizeof(rvVec3));
    memset(space->own, 0, (size_t)space->count * sizeof(double));
    space->base = rvVec(0, 0, 0);
}

void rv_space_add_force(rvSpace* space, int node, rvVec3 force)
{
    space->base = rvAdd(space->base, force);
    for (int k = 0; k < node * POINTS; ++k)
        space->load[k] = rvMulAdd(space->load[k], space->parts[k / POINTS].length * WEIGHT[k % POINTS], force);
}

void rv_space_add_moment(rvSpace* space, int node, rvVec3 moment)
{
    add_to(space->own + rv_space_spin(node), 1.0, moment);
}

// Forces on the Gauss points, in space->flow, gathered from the far end on.
static void gather(rvSpace* space)
{
    const double* a = space->partials;
    rvVec3 beyond = rvVec(0, 0, 0);
    for (int i = space->intervals - 1; i >= 0; --i) {
        const rvVec3* f = space->flow + i * POINTS;
        rvVec3 here = beyond;
        for (int m = 0; m < POINTS; ++m) {
            rvVec3 sum = rvScale(WEIGHT[m], beyond);
            for (int g = 0; g < POINTS; ++g)
                sum = rvMulAdd(sum, a[g * POINTS + m], f[g]);
            rvVec3* load = &space->load[i * POINTS + m];
            *load = rvMulAdd(*load, space->parts[i].length, sum);
            here = rvAdd(here, f[m]);
        }
        beyond = here;
    }
    space->base = rvAdd(space->base, beyond);
}

void rv_space_add_gravity(rvSpace* space, rvVec3 gravity)
{
    for (int k = 0; k < space->intervals * POINTS; ++k)
        space->flow[k] = rvScale(mass_of(space, k), gravity);
    gather(space);
}

void rv_space_add_inertia(rvSpace* space, const double* v, const double* acceleration)
{
    rv_space_add_inertia_drift(space, v, acceleration, NULL);
}

void rv_space_add_inertia_drift(rvSpace* space, const double* v, const double* acceleration, rvVec3* drift)
{
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m) {
            rvVec3* rate = &space->rates[i * POINTS + m];
            *rate = quadratic_of(space, v, i, m);
            if (acceleration)
                *rate = rvAdd(*rate, rate_of(space, acceleration, i, m));
        }
    integrate(space, start_of(acceleration), space->rates, space->flow, drift);
    for (int k = 0; k < space->intervals * POINTS; ++k)
        space->flow[k] = rvScale(-mass_of(space, k), space->flow[k]);
    gather(space);
    for (int i = 0; acceleration && i <= space->intervals; ++i)
        rv_space_add_moment(space, i, rvScale(-inertia_of(space, i), spin_of(acceleration, i)));
}

void rv_space_add_stresses(rvSpace* space, const double* v)
{
    for (int i = 0; i < space->intervals; ++i) {
        const rvSpacePart* part = &space->parts[i];
        const rvSpacePiece* piece = &space->pieces[i];
        rvVec3 bent = rvSub(rv_space_curvature(space, i), part->natural);
        if (v && part->damping > 0.0) {
            rvVec3 rate = times_t(piece, 1.0, rvSub(spin_of(v, i + 1), spin_of(v, i)));
            bent = rvMulAdd(bent, part->damping / part->length, rvRotateBack(space->frames[i], rate));
        }
        rvVec3 moment = times_t(piece, -1.0, rvRotate(space->frames[i], times(part->rigidity, bent)));
        rv_space_add_moment(space, i, moment);
        rv_space_add_moment(space, i + 1, rvNeg(moment));
    }
}

void rv_space_sum_loads(const rvSpace* space, double* forces)
{
    memcpy(forces, space->own, (size_t)space->count * sizeof(double));
    add_to(forces, 1.0, space->base);
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            for (int end = 0; end < 2; ++end)
                add_to(forces + rv_space_spin(i + end), 1.0,
                       back(&space->points[i * POINTS + m].column[end], space->load[i * POINTS + m]));
}

double rv_space_tension(const rvSpace* space, int i)
{
    double sum = 0.0;
    for (int k = i * POINTS; k < (i + 1) * POINTS; ++k)
        sum += rvDot(space->load[k], space->points[k].t);
    return sum / space->parts[i].length;
}

// ---- energies -------------------------------------------------------------------------------------------------------

double rv_space_kinetic_energy(rvSpace* space, const double* v)
{
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            space->rates[i * POINTS + m] = rate_of(space, v, i, m);
    integrate(space, start_of(v), space->rates, space->flow, NULL);
    double energy = 0.0;
    for (int k = 0; k < space->intervals * POINTS; ++k)
        energy += 0.5 * mass_of(space, k) * rvDot(space->flow[k], space->flow[k]);
    for (int i = 0; i <= space->intervals; ++i)
        energy += 0.5 * inertia_of(space, i) * rvDot(spin_of(v, i), spin_of(v, i));
    return energy;
}

double rv_space_elastic_energy(const rvSpace* space)
{
    double energy = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        const rvSpacePart* part = &space->parts[i];
        rvVec3 bent = rvSub(rv_space_curvature(space, i), part->natural);
        energy += 0.5 * part->length * rvDot(bent, times(part->rigidity, bent));
    }
    return energy;
}

double rv_space_height_energy(const rvSpace* space, rvVec3 gravity)
{
    double energy = 0.0;
    for (int k = 0; k < space->intervals * POINTS; ++k)
        energy -= mass_of(space, k) * rvDot(gravity, space->points[k].x);
    return energy;
}
