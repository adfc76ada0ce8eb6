// SPDX-License-Identifier: MIT
#include "cable/curve/space_kernels.h"
#include "cable/curve/space_parts.h"

#include "math/cholesky.h"

#include <string.h>

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

// What only a curve that stretches has.
static bool create_stretch(rvSpace* space, rvMemory* memory)
{
    size_t n = (size_t)space->intervals;
    space->lambda = rv_memory_take(memory, n * sizeof(rvFour));
    space->along = rv_memory_take(memory, n * sizeof *space->along);
    space->sums = rv_memory_take(memory, n * sizeof(rvSpaceSums));
    space->order = rv_memory_take(memory, (size_t)space->count * sizeof(int));
    for (int k = 0; space->order && k < space->count; ++k)
        space->order[rv_space_slot(space, k)] = k;
    return space->lambda && space->along && space->sums && space->order;
}

static size_t placed_count(const rvSpace* space)
{
    return 3 + ((size_t)space->intervals + 1) * (space->stretches ? 5 : 4);
}

bool rv_space_create(rvSpace* space, rvMemory* memory, int intervals, bool stretches)
{
    *space = (rvSpace){.kernels = &rv_space_any, .intervals = intervals, .stretches = stretches};
    space->count = 3 * intervals + 6 + (stretches ? intervals + 1 : 0);
#ifdef RV_SPACE_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        space->kernels = &rv_space_avx2;
#endif
    size_t n = (size_t)intervals;
    space->parts = rv_memory_take(memory, n * sizeof(rvSpacePart));
    space->tail = rv_memory_take(memory, n * sizeof(double));
    space->weights = rv_memory_take(memory, n * sizeof(rvFour));
    space->masses = rv_memory_take(memory, n * sizeof(rvFour));
    space->inner = rv_memory_take(memory, n * POINTS * sizeof(rvFour));
    space->outer = rv_memory_take(memory, n * sizeof(rvFour));
    space->pieces = rv_memory_take(memory, n * sizeof(rvSpacePiece));
    space->nodes = rv_memory_take(memory, (n + 1) * sizeof(rvVec3));
    space->placed = rv_memory_take(memory, placed_count(space) * sizeof(double));
    space->load = rv_memory_take(memory, n * sizeof(rvFour3));
    space->own = rv_memory_take(memory, (size_t)space->count * sizeof(double));
    space->flow = rv_memory_take(memory, n * sizeof(rvFour3));
    space->rates = rv_memory_take(memory, n * sizeof(rvFour3));
    if (!space->parts || !space->tail || !space->weights || !space->masses || !space->inner || !space->outer ||
        !space->pieces || !space->nodes || !space->placed || !space->load || !space->own || !space->flow ||
        !space->rates || (stretches && !create_stretch(space, memory))) {
        rv_space_release(space, memory);
        return false;
    }
    rv_gauss_powers(space->powers);
    rv_gauss_partials(space->partials);
    for (int g = 0; g < POINTS; ++g)
        for (int m = 0; m < POINTS; ++m) {
            space->downTo[g][m] = space->partials[g * POINTS + m];
            space->upTo[m][g] = space->partials[g * POINTS + m];
        }
    find_series(space);
    return true;
}

void rv_space_release(rvSpace* space, rvMemory* memory)
{
    size_t n = (size_t)space->intervals;
    rv_memory_give(memory, space->parts, n * sizeof(rvSpacePart));
    rv_memory_give(memory, space->tail, n * sizeof(double));
    rv_memory_give(memory, space->weights, n * sizeof(rvFour));
    rv_memory_give(memory, space->masses, n * sizeof(rvFour));
    rv_memory_give(memory, space->inner, n * POINTS * sizeof(rvFour));
    rv_memory_give(memory, space->outer, n * sizeof(rvFour));
    rv_memory_give(memory, space->pieces, n * sizeof(rvSpacePiece));
    rv_memory_give(memory, space->nodes, (n + 1) * sizeof(rvVec3));
    rv_memory_give(memory, space->placed, placed_count(space) * sizeof(double));
    rv_memory_give(memory, space->load, n * sizeof(rvFour3));
    rv_memory_give(memory, space->own, (size_t)space->count * sizeof(double));
    rv_memory_give(memory, space->flow, n * sizeof(rvFour3));
    rv_memory_give(memory, space->rates, n * sizeof(rvFour3));
    rv_memory_give(memory, space->lambda, n * sizeof(rvFour));
    rv_memory_give(memory, space->along, n * sizeof *space->along);
    rv_memory_give(memory, space->sums, n * sizeof(rvSpaceSums));
    rv_memory_give(memory, space->order, (size_t)space->count * sizeof(int));
    *space = (rvSpace){0};
}

void rv_space_begin(rvSpace* space)
{
    double mass = 0.0;
    space->length = 0.0;
    space->placed[0] = (double)NAN;
    for (int i = space->intervals - 1; i >= 0; --i) {
        const rvSpacePart* part = &space->parts[i];
        space->tail[i] = mass;
        double inner[POINTS * POINTS], outer[POINTS];
        rv_gauss_weigh(part->length, part->density, mass, space->partials, inner, outer);
        rv_cholesky_factor(inner, POINTS);
        for (int m = 0; m < POINTS; ++m) {
            space->weights[i][m] = part->length * WEIGHT[m];
            space->masses[i][m] = part->density * part->length * WEIGHT[m];
            space->outer[i][m] = outer[m];
            for (int k = 0; k < POINTS; ++k)
                space->inner[i * POINTS + m][k] = k <= m ? inner[m * POINTS + k] : 0.0;
        }
        mass += part->density * part->length;
        space->length += part->length;
    }
    space->mass = mass;
}

// ---- shape ----------------------------------------------------------------------------------------------------------

void rv_space_align(rvQuat* frames, int count)
{
    for (int i = 1; i < count; ++i) {
        rvQuat a = frames[i - 1], b = frames[i];
        if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0)
            frames[i] = (rvQuat){-b.w, -b.x, -b.y, -b.z};
    }
}

// What is there already is not placed again: a step asks for where it is more often than it moves.
void rv_space_place(rvSpace* space, rvVec3 start, const rvQuat* frames, const double* stretch)
{
    size_t nodes = (size_t)space->intervals + 1;
    double *first = space->placed, *turns = first + 3, *longer = turns + 4 * nodes;
    space->frames = frames;
    space->stretch = stretch;
    const double at[3] = {start.x, start.y, start.z};
    if (first[0] == at[0] && memcmp(first, at, sizeof at) == 0 && memcmp(turns, frames, nodes * sizeof(rvQuat)) == 0 &&
        (!space->stretches || memcmp(longer, stretch, nodes * sizeof(double)) == 0))
        return;
    memcpy(first, at, sizeof at);
    memcpy(turns, frames, nodes * sizeof(rvQuat));
    if (space->stretches)
        memcpy(longer, stretch, nodes * sizeof(double));
    space->kernels->place(space, start);
}

rvVec3 rv_space_curvature(const rvSpace* space, int i)
{
    return rvScale(1.0 / space->parts[i].length, rvRotateBack(space->frames[i], space->pieces[i].turn));
}

void rv_space_node_rates(rvSpace* space, const double* v, rvVec3* rates)
{
    space->kernels->nodeRates(space, v, rates);
}

void rv_space_node_drift(rvSpace* space, const double* v, rvVec3* drift)
{
    space->kernels->nodeDrift(space, v, drift);
}

void rv_space_add_row(const rvSpace* space, int node, rvVec3 f, double* row)
{
    add_to(row, 1.0, f);
    for (int i = 0; i < node; ++i)
        for (int end = 0; end < 2; ++end)
            add_to(row + rv_space_spin(i + end), 1.0, back(&space->pieces[i].p[end], f));
    for (int i = 0; i < node && space->stretches; ++i)
        for (int end = 0; end < 2; ++end)
            row[rv_space_stretch(space, i + end)] += rvDot(space->along[i][end], f);
}

void rv_space_add_turning(const rvSpace* space, int i, const rvFour3* load, double* row)
{
    rvFour3 turning = *load;
    if (space->stretches) {
        rvFour along;
        dot_lanes(&space->pieces[i].t, load, &along);
        scale_lanes(&turning, &space->lambda[i]);
        for (int m = 0; m < POINTS; ++m) {
            row[rv_space_stretch(space, i)] += (1.0 - NODE[m]) * along[m];
            row[rv_space_stretch(space, i + 1)] += NODE[m] * along[m];
        }
    }
    space->kernels->addTurning(&space->pieces[i], &turning, row + rv_space_spin(i));
}

// ---- loads ----------------------------------------------------------------------------------------------------------

void rv_space_clear_loads(rvSpace* space)
{
    memset(space->load, 0, (size_t)space->intervals * sizeof(rvFour3));
    memset(space->own, 0, (size_t)space->count * sizeof(double));
    space->base = rvVec(0, 0, 0);
}

void rv_space_add_force(rvSpace* space, int node, rvVec3 force)
{
    space->base = rvAdd(space->base, force);
    for (int i = 0; i < node; ++i)
        add_lanes(&space->load[i], &space->weights[i], force);
}

void rv_space_add_forces(rvSpace* space, const rvVec3* forces)
{
    rvVec3 sum = rvVec(0, 0, 0);
    for (int i = space->intervals - 1; i >= 0; --i) {
        sum = rvAdd(sum, forces[i + 1]);
        add_lanes(&space->load[i], &space->weights[i], sum);
    }
    space->base = rvAdd(space->base, rvAdd(sum, forces[0]));
}

void rv_space_add_moment(rvSpace* space, int node, rvVec3 moment)
{
    add_to(space->own + rv_space_spin(node), 1.0, moment);
}

void rv_space_add_gravity(rvSpace* space, rvVec3 gravity)
{
    for (int i = 0; i < space->intervals; ++i) // what is gathered of masses is `outer`
        add_lanes(&space->load[i], &space->outer[i], gravity);
    space->base = rvMulAdd(space->base, space->mass, gravity);
}

void rv_space_add_inertia(rvSpace* space, const double* v, const double* acceleration)
{
    rv_space_add_inertia_drift(space, v, acceleration, NULL);
}

void rv_space_add_inertia_drift(rvSpace* space, const double* v, const double* acceleration, rvVec3* drift)
{
    space->kernels->addInertia(space, v, acceleration, drift);
}

void rv_space_way(const rvSpace* space, rvVec3 start, double* way)
{
    const double first[3] = {start.x, start.y, start.z};
    rvFour3* at = (rvFour3*)(way + 3);
    memcpy(way, first, sizeof first);
    for (int i = 0; i < space->intervals; ++i) {
        at[i] = space->pieces[i].t;
        if (space->stretches)
            scale_lanes(&at[i], &space->lambda[i]);
    }
}

void rv_space_way_rate(const rvSpace* space, const double* v, double* way)
{
    space->kernels->wayRate(space, v, way);
}

void rv_space_way_acceleration(const rvSpace* space, const double* v, const double* a, double* way)
{
    space->kernels->wayAcceleration(space, v, a, way);
}

void rv_space_add_way_inertia(rvSpace* space, const double* way, const double* acceleration)
{
    space->kernels->addWayInertia(space, way);
    for (int i = 0; i <= space->intervals; ++i)
        rv_space_add_moment(space, i, rvScale(-inertia_of(space, i), spin_of(acceleration, i)));
}

// Forces against the stretch of an interval, those of its nodes given: e is linear, so N N is h/6 (2, 1; 1, 2).
static void add_stretch_stress(rvSpace* space, int i, double a, double b)
{
    double *own = space->own + rv_space_stretch(space, i), third = space->parts[i].length / 3.0;
    own[0] -= third * (a + 0.5 * b);
    own[1] -= third * (0.5 * a + b);
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
        if (space->stretches)
            add_stretch_stress(space, i, part->stiffness * space->stretch[i], part->stiffness * space->stretch[i + 1]);
    }
    if (v)
        rv_space_add_stretching(space, 1.0, v);
}

void rv_space_add_stretching(rvSpace* space, double times, const double* v)
{
    for (int i = 0; i < space->intervals && space->stretches; ++i) {
        const double *rate = v + rv_space_stretch(space, i), damping = times * space->parts[i].stretching;
        add_stretch_stress(space, i, damping * rate[0], damping * rate[1]);
    }
}

void rv_space_sum_loads(const rvSpace* space, double* forces)
{
    space->kernels->sumLoads(space, forces);
}

void rv_space_line_loads(const rvSpace* space, rvVec3 gravity, const double* acceleration, rvVec3* line,
                         rvVec3* turning)
{
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            line[i * POINTS + m] = rvMulAdd(lane(&space->flow[i], m), space->masses[i][m], gravity);
    for (int i = 0; i <= space->intervals; ++i)
        turning[i] = rvScale(-inertia_of(space, i), spin_of(acceleration, i));
}

rvVec3 rv_space_gauss_point(const rvSpace* space, int interval, int m)
{
    return lane(&space->pieces[interval].x, m);
}

double rv_space_tension(const rvSpace* space, int i)
{
    double sum = 0.0;
    for (int m = 0; m < POINTS; ++m)
        sum += rvDot(lane(&space->load[i], m), lane(&space->pieces[i].t, m));
    return sum / space->parts[i].length;
}

// ---- energies -------------------------------------------------------------------------------------------------------

double rv_space_kinetic_energy(rvSpace* space, const double* v)
{
    return space->kernels->kineticEnergy(space, v);
}

double rv_space_elastic_energy(const rvSpace* space)
{
    double energy = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        const rvSpacePart* part = &space->parts[i];
        rvVec3 bent = rvSub(rv_space_curvature(space, i), part->natural);
        energy += 0.5 * part->length * rvDot(bent, times(part->rigidity, bent));
        if (space->stretches) {
            double a = space->stretch[i], b = space->stretch[i + 1];
            energy += part->stiffness * part->length / 6.0 * (a * a + a * b + b * b);
        }
    }
    return energy;
}

double rv_space_height_energy(const rvSpace* space, rvVec3 gravity)
{
    double energy = 0.0;
    for (int i = 0; i < space->intervals; ++i)
        for (int m = 0; m < POINTS; ++m)
            energy -= space->masses[i][m] * rvDot(gravity, lane(&space->pieces[i].x, m));
    return energy;
}
