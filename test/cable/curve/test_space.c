// SPDX-License-Identifier: MIT
#include "cable/curve/plane.h"
#include "cable/curve/space.h"
#include "cable/curve/space_kernels.h"

#include "check.h"
#include "support/random.h"

#include <string.h>

#define MOST 64
#define PI 3.14159265358979323846

static double noise(uint64_t* seed)
{
    return rv_draw_between(seed, -0.5, 0.5);
}

static rvVec3 noisy(uint64_t* seed, double size)
{
    double x = noise(seed), y = noise(seed), z = noise(seed);
    return rvVec(2.0 * size * x, 2.0 * size * y, 2.0 * size * z);
}

// A curve whose parts all differ, thrown about.
typedef struct {
    rvMemory memory;
    rvSpace space;
    rvVec3 start;
    rvQuat frames[MOST];
    double stretch[MOST];
    double v[MOST], a[MOST];
} Curve;

static void make(Curve* c, int intervals, bool stretches)
{
    *c = (Curve){0};
    uint64_t seed = 11;
    assert_true(rv_space_create(&c->space, &c->memory, intervals, stretches));
    assert_true(c->space.count <= MOST);
    for (int i = 0; i < intervals; ++i)
        c->space.parts[i] = (rvSpacePart){.length = 0.2 + 0.05 * i,
                                          .density = 1.0 + 0.3 * i,
                                          .rigidity = rvVec(2.0 + i, 3.0, 1.0 + 0.1 * i),
                                          .natural = noisy(&seed, 1.0),
                                          .damping = 0.01,
                                          .inertia = 0.02,
                                          .stiffness = 20.0 + i,
                                          .stretching = 0.3};
    rv_space_begin(&c->space);
    c->start = noisy(&seed, 1.0);
    rvQuat frame = rvQuatFromRotation(noisy(&seed, 1.0));
    for (int i = 0; i <= intervals; ++i) {
        c->frames[i] = frame;
        frame = rvQuatMul(rvQuatFromRotation(noisy(&seed, 0.8)), frame);
    }
    for (int i = 0; i < c->space.count; ++i) {
        c->v[i] = 2.0 * noise(&seed);
        c->a[i] = 2.0 * noise(&seed);
    }
    for (int i = 0; i <= intervals && stretches; ++i)
        c->stretch[i] = 0.6 * noise(&seed);
    rv_space_place(&c->space, c->start, c->frames, c->stretch);
}

static void drop(Curve* c)
{
    rv_space_release(&c->space, &c->memory);
    assert_true(c->memory.taken == 0);
}

// Placed at where it is after `share` of a motion d.
static void place_along(Curve* c, double share, const double* d)
{
    static rvQuat frames[MOST];
    static double stretch[MOST];
    for (int i = 0; i <= c->space.intervals; ++i) {
        if (c->space.stretches)
            stretch[i] = c->stretch[i] + share * d[rv_space_stretch(&c->space, i)];
        const double* w = d + rv_space_spin(i);
        frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(share * w[0], share * w[1], share * w[2])), c->frames[i]);
    }
    rv_space_place(&c->space, rvMulAdd(c->start, share, rvVec(d[0], d[1], d[2])), frames, stretch);
}

// Of two of the matrix's own unknowns.
static double entry_at(const rvSeparable* a, int i, int j)
{
    if (i < j)
        return entry_at(a, j, i);
    if (i <= j + a->width)
        return *rv_separable_at(a, i, j);
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
        sum += a->p[3 * j + c] * a->q[3 * i + c];
    return sum;
}

// Of two rates.
static double entry(const Curve* c, const rvSeparable* a, int i, int j)
{
    return entry_at(a, rv_space_slot(&c->space, i), rv_space_slot(&c->space, j));
}

static double dot(const double* a, const double* b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

#define STEP 1e-4
#define BY_DIFFERENCES 1e-6 // central differences: STEP^2 times third derivatives of some 10

static void RatesOfNodesAreThoseOfPlaces(void** state)
{
    for (int n = 1; n <= 7; n += 2) {
        Curve c;
        make(&c, n, *state != NULL);
        rvVec3 rates[MOST], ahead[MOST], behind[MOST];
        rv_space_node_rates(&c.space, c.v, rates);
        place_along(&c, STEP, c.v);
        memcpy(ahead, c.space.nodes, (size_t)(n + 1) * sizeof(rvVec3));
        place_along(&c, -STEP, c.v);
        memcpy(behind, c.space.nodes, (size_t)(n + 1) * sizeof(rvVec3));
        rv_space_place(&c.space, c.start, c.frames, c.stretch);
        for (int i = 0; i <= n; ++i) {
            rvVec3 rate = rvScale(0.5 / STEP, rvSub(ahead[i], behind[i]));
            CHECK_NEAR(rvDistance(rate, rates[i]), 0.0, BY_DIFFERENCES);
            double row[MOST] = {0};
            rvVec3 f = rvVec(0.3, -0.8, 0.5);
            rv_space_add_row(&c.space, i, f, row);
            CHECK_NEAR(dot(row, c.v, c.space.count), rvDot(f, rates[i]), 1e-13); // the same sums
        }
        drop(&c);
    }
}

static void DriftIsThatOfRates(void** state)
{
    for (int n = 1; n <= 7; n += 2) {
        Curve c;
        make(&c, n, *state != NULL);
        rvVec3 drift[MOST], ahead[MOST], behind[MOST];
        rv_space_node_drift(&c.space, c.v, drift);
        place_along(&c, STEP, c.v);
        rv_space_node_rates(&c.space, c.v, ahead);
        place_along(&c, -STEP, c.v);
        rv_space_node_rates(&c.space, c.v, behind);
        for (int i = 0; i <= n; ++i)
            CHECK_NEAR(rvDistance(rvScale(0.5 / STEP, rvSub(ahead[i], behind[i])), drift[i]), 0.0, BY_DIFFERENCES);
        drop(&c);
    }
}

static void MatrixIsThatOfTheEnergy(void** state)
{
    for (int n = 1; n <= 7; n += 2) {
        Curve c;
        make(&c, n, *state != NULL);
        rvSeparable m;
        assert_true(rv_space_create_matrix(&c.space, &c.memory, &m));
        rv_space_matrix(&c.space, (rvSpaceWish){.mass = 1.0}, &m);
        int count = c.space.count;
        double t = rv_space_kinetic_energy(&c.space, c.v);
        for (int i = 0; i < count; ++i) { // by polarisation: v M e_i = T(v + e_i) - T(v) - T(e_i)
            double row = 0.0, e[MOST] = {0}, both[MOST];
            memcpy(both, c.v, sizeof both);
            e[i] = 1.0;
            both[i] += 1.0;
            for (int j = 0; j < count; ++j)
                row += entry(&c, &m, i, j) * c.v[j];
            CHECK_NEAR(row, rv_space_kinetic_energy(&c.space, both) - t - rv_space_kinetic_energy(&c.space, e),
                       1e-12); // round-off of energies of some 10
        }
        rv_separable_release(&m, &c.memory);
        drop(&c);
    }
}

static void InertiaMovesWhatItSays(void** state)
{
    Curve c;
    make(&c, 5, *state != NULL);
    int count = c.space.count;
    rvSeparable m;
    assert_true(rv_space_create_matrix(&c.space, &c.memory, &m));
    rv_space_matrix(&c.space, (rvSpaceWish){.mass = 1.0}, &m);
    double quadratic[MOST], whole[MOST], x[MOST];
    rv_space_clear_loads(&c.space);
    rv_space_add_inertia(&c.space, c.v, NULL);
    rv_space_sum_loads(&c.space, quadratic);
    rv_space_clear_loads(&c.space);
    rv_space_add_inertia(&c.space, c.v, c.a);
    rv_space_sum_loads(&c.space, whole);
    for (int i = 0; i < count; ++i)
        x[i] = quadratic[i] - whole[i]; // M a
    assert_true(rv_separable_factor(&m));
    rv_separable_solve(&m, x);
    for (int i = 0; i < count; ++i)
        CHECK_NEAR(x[i], c.a[i], 1e-10); // round-off times a condition of 1e4
    // power of inertia = -dT/dt along the motion
    double ahead[MOST], behind[MOST];
    for (int i = 0; i < count; ++i) {
        ahead[i] = c.v[i] + STEP * c.a[i];
        behind[i] = c.v[i] - STEP * c.a[i];
    }
    place_along(&c, STEP, c.v);
    double t = rv_space_kinetic_energy(&c.space, ahead);
    place_along(&c, -STEP, c.v);
    t -= rv_space_kinetic_energy(&c.space, behind);
    CHECK_NEAR(dot(whole, c.v, count), -0.5 / STEP * t, 10.0 * BY_DIFFERENCES); // of energies of 10
    rv_separable_release(&m, &c.memory);
    drop(&c);
}

static void ForcesAreSlopesOfEnergies(void** state)
{
    Curve c;
    make(&c, 5, *state != NULL);
    rvVec3 gravity = rvVec(1.0, 2.0, -9.0), force = rvVec(1, -2, 0.5);
    double forces[MOST];
    rv_space_clear_loads(&c.space);
    rv_space_add_gravity(&c.space, gravity);
    rv_space_add_stresses(&c.space, NULL);
    rv_space_add_force(&c.space, 3, force);
    rv_space_sum_loads(&c.space, forces);
    double e = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        place_along(&c, side * STEP, c.v);
        e -= side * (rv_space_elastic_energy(&c.space) + rv_space_height_energy(&c.space, gravity) -
                     rvDot(force, c.space.nodes[3]));
    }
    CHECK_NEAR(dot(forces, c.v, c.space.count), 0.5 / STEP * e, 100.0 * BY_DIFFERENCES); // of energies of 100
    drop(&c);
}

// Forces of weight, bending, torsion and a load on a node, with the curve as placed.
static void sum_still_forces(Curve* c, double* forces)
{
    rv_space_clear_loads(&c->space);
    rv_space_add_gravity(&c->space, rvVec(1.0, 2.0, -9.0));
    rv_space_add_stresses(&c->space, NULL);
    rv_space_add_force(&c->space, 3, rvVec(1, -2, 0.5));
    rv_space_sum_loads(&c->space, forces);
}

static double quadratic(const Curve* c, const rvSeparable* a, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < a->count; ++j)
            sum += x[i] * entry(c, a, i, j) * x[j];
    return sum;
}

// Along each motion the second derivative of the energy is that of the matrix; pairs of motions give all of its
// entries.
static void StiffnessIsTheSecondDerivativeOfTheEnergy(void** state)
{
    Curve c;
    make(&c, 5, *state != NULL);
    int count = c.space.count;
    rvSeparable k;
    assert_true(rv_space_create_matrix(&c.space, &c.memory, &k));
    double forces[2][MOST];
    sum_still_forces(&c, forces[0]);
    rv_space_matrix(&c.space, (rvSpaceWish){.stiffness = 1.0}, &k);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j) {
            double z[MOST] = {0};
            z[i] += 1.0;
            z[j] += 1.0;
            for (int side = 0; side < 2; ++side) {
                place_along(&c, side ? -STEP : STEP, z);
                sum_still_forces(&c, forces[side]);
            }
            double curving = -0.5 / STEP * (dot(forces[0], z, count) - dot(forces[1], z, count));
            CHECK_NEAR(quadratic(&c, &k, z), curving, 100.0 * BY_DIFFERENCES); // of energies of 100
        }
    rv_separable_release(&k, &c.memory);
    drop(&c);
}

static void SquaresAreThoseOfRows(void** state)
{
    Curve c;
    make(&c, 6, *state != NULL);
    int count = c.space.count;
    rvSeparable a;
    assert_true(rv_space_create_matrix(&c.space, &c.memory, &a));
    rvVec3 factor = rvVec(1.0, 2.0, 3.0);
    for (int node = 0; node <= 6; ++node) {
        double row[3][MOST] = {{0}};
        for (int r = 0; r < 3; ++r)
            rv_space_add_row(&c.space, node, rvVec(r == 0, r == 1, r == 2), row[r]);
        rv_space_matrix(&c.space, (rvSpaceWish){0}, &a);
        rv_space_add_squares(&c.space, node, factor, &a);
        rv_space_add_squares(&c.space, 2, factor, &a); // both together
        double other[3][MOST] = {{0}};
        for (int r = 0; r < 3; ++r)
            rv_space_add_row(&c.space, 2, rvVec(r == 0, r == 1, r == 2), other[r]);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) {
                double sum = 0.0;
                for (int r = 0; r < 3; ++r)
                    sum += (r + 1.0) * (row[r][i] * row[r][j] + other[r][i] * other[r][j]);
                CHECK_NEAR(entry(&c, &a, i, j), sum, 1e-14); // the same sums
            }
    }
    rv_separable_release(&a, &c.memory);
    drop(&c);
}

// In the x-y plane it is the curve of plane.h.
static void PlanarCurveIsThatOfThePlane(void** state)
{
    enum { N = 6 };
    bool stretches = *state != NULL;
    rvMemory memory = {0};
    rvPlane plane;
    rvSpace space;
    assert_true(rv_plane_create(&plane, &memory, N, 1.2, stretches) && rv_space_create(&space, &memory, N, stretches));
    double q[MOST] = {0.3, -0.2}, v[MOST], forces[MOST], rates[MOST] = {0}, spatial[MOST], stretch[MOST];
    rvQuat frames[N + 1], along = rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI);
    uint64_t seed = 3;
    for (int i = 0; i < N; ++i) {
        plane.parts[i] =
            (rvPlanePart){.density = 1.0 + i, .rigidity = 2.0, .natural = 0.3, .stiffness = 30.0, .stretching = 0.2};
        // the frame's second axis is z's opposite or itself: bending about z is the material axis x turned to -z
        space.parts[i] = (rvSpacePart){.length = 0.2,
                                       .density = 1.0 + i,
                                       .rigidity = rvVec(2.0, 2.0, 1.0),
                                       .natural = rvRotateBack(along, rvVec(0, 0, 0.3)),
                                       .inertia = 1e-30,
                                       .stiffness = 30.0,
                                       .stretching = 0.2};
    }
    rv_plane_begin(&plane);
    rv_space_begin(&space);
    for (int i = 0; i < plane.count; ++i)
        v[i] = noise(&seed);
    for (int i = 0; i <= N; ++i) {
        int angle = rv_plane_angle(&plane, i);
        q[angle] = 2.0 * noise(&seed);
        frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0, 0, q[angle])), along);
        rates[rv_space_spin(i) + 2] = v[angle];
        if (stretches) {
            q[angle + 1] = stretch[i] = 0.5 * noise(&seed);
            rates[rv_space_stretch(&space, i)] = v[angle + 1];
        }
    }
    rates[0] = v[0];
    rates[1] = v[1];
    rv_plane_place(&plane, q);
    rv_space_place(&space, rvVec(q[0], q[1], 0), frames, stretch);
    for (int i = 0; i <= N; ++i) // round-off, here and below
        CHECK_NEAR(rvDistance(space.nodes[i], rvVec(plane.nodes[i].x, plane.nodes[i].y, 0)), 0.0, 1e-14);
    rv_plane_clear_loads(&plane);
    rv_plane_add_gravity(&plane, rv_vec2(1, -9));
    rv_plane_add_stresses(&plane, q, v);
    rv_plane_add_inertia(&plane, v, NULL);
    rv_plane_sum_loads(&plane, forces);
    rv_space_clear_loads(&space);
    rv_space_add_gravity(&space, rvVec(1, -9, 0));
    rv_space_add_stresses(&space, rates);
    rv_space_add_inertia(&space, rates, NULL);
    rv_space_sum_loads(&space, spatial);
    CHECK_NEAR(spatial[0], forces[0], 1e-11);
    for (int i = 0; i <= N; ++i) {
        int angle = rv_plane_angle(&plane, i);
        CHECK_NEAR(spatial[rv_space_spin(i) + 2], forces[angle], 1e-11);
        if (stretches)
            CHECK_NEAR(spatial[rv_space_stretch(&space, i)], forces[angle + 1], 1e-11);
    }
    CHECK_NEAR(rv_space_kinetic_energy(&space, rates), rv_plane_kinetic_energy(&plane, v), 1e-13);
    CHECK_NEAR(rv_space_elastic_energy(&space), rv_plane_elastic_energy(&plane, q), 1e-12);
    rv_plane_release(&plane, &memory);
    rv_space_release(&space, &memory);
}

// A frame that turns at a constant rate (material axes) draws a helix.
static void ConstantCurvatureAndTorsionIsAHelix(void** state)
{
    (void)state;
    enum { N = 10 };
    rvMemory memory = {0};
    rvSpace space;
    assert_true(rv_space_create(&space, &memory, N, false));
    for (int i = 0; i < N; ++i)
        space.parts[i] = (rvSpacePart){.length = 0.1, .density = 1.0, .inertia = 1.0};
    rv_space_begin(&space);
    rvVec3 kappa = rvVec(3.0, 2.0, 4.0), n = rvNormalizeOr(kappa, kappa);
    double k = rvLength(kappa), up = n.z; // part of the tangent along the axis
    rvQuat frames[N + 1];
    for (int i = 0; i <= N; ++i)
        frames[i] = rvQuatFromRotation(rvScale(0.1 * i, kappa));
    rv_space_place(&space, rvVec(0, 0, 0), frames, NULL);
    rvVec3 across = rvSub(rvVec(0, 0, 1), rvScale(up, n)), aside = rvCross(n, across);
    rvVec3 end = rvMulAdd(rvMulAdd(rvScale(up, n), sin(k) / k, across), (1.0 - cos(k)) / k, aside);
    // Gauss' error of an interval of angle 0.54: 0.54^8 4!^4/(9 8!^3)
    CHECK_NEAR(rvDistance(space.nodes[N], end), 0.0, 1e-12);
    for (int i = 0; i < N; ++i)
        CHECK_NEAR(rvDistance(rv_space_curvature(&space, i), kappa), 0.0, 1e-13); // round-off over an interval of 0.1
    rv_space_release(&space, &memory);
}

// Kernels for any processor and those for this one give the same bits.
static void KernelsAgreeToTheLastBit(void** state)
{
    Curve c[2];
    rvSeparable a[2];
    double forces[2][MOST];
    rvVec3 rates[2][MOST], drift[2][MOST];
    for (int k = 0; k < 2; ++k) {
        make(&c[k], 6, *state != NULL);
        if (k == 0)
            c[k].space.kernels = &rv_space_any;
        rvSpace* space = &c[k].space;
        rv_space_begin(space); // else it stays where the other kernels placed it
        rv_space_place(space, c[k].start, c[k].frames, c[k].stretch);
        assert_true(rv_space_create_matrix(space, &c[k].memory, &a[k]));
        rv_space_matrix(space, (rvSpaceWish){.mass = 1.3}, &a[k]);
        rv_space_clear_loads(space);
        rv_space_add_gravity(space, rvVec(1, 2, -9));
        rv_space_add_inertia(space, c[k].v, c[k].a);
        rv_space_sum_loads(space, forces[k]);
        rv_space_node_rates(space, c[k].v, rates[k]);
        rv_space_node_drift(space, c[k].v, drift[k]);
    }
    size_t count = (size_t)c[0].space.count, nodes = (size_t)c[0].space.intervals + 1;
    assert_memory_equal(forces[0], forces[1], count * sizeof(double));
    assert_memory_equal(rates[0], rates[1], nodes * sizeof(rvVec3));
    assert_memory_equal(drift[0], drift[1], nodes * sizeof(rvVec3));
    size_t wide = (size_t)a[0].width + 1;
    assert_memory_equal(a[0].band, a[1].band,
                        (count - wide) * wide * sizeof(double)); // beyond the last there is nothing
    assert_memory_equal(a[0].p, a[1].p, 3 * count * sizeof(double));
    assert_memory_equal(a[0].q, a[1].q, 3 * count * sizeof(double));
    assert_true(rv_space_kinetic_energy(&c[0].space, c[0].v) == rv_space_kinetic_energy(&c[1].space, c[1].v));
    for (int k = 0; k < 2; ++k) {
        rv_separable_release(&a[k], &c[k].memory);
        drop(&c[k]);
    }
}

// Each of them for a curve that does not stretch and for one that does.
#define BOTH(test) cmocka_unit_test(test), cmocka_unit_test_prestate(test, &stretching)

int main(void)
{
    static bool stretching = true;
    const struct CMUnitTest tests[] = {
        BOTH(KernelsAgreeToTheLastBit),
        BOTH(RatesOfNodesAreThoseOfPlaces),
        BOTH(DriftIsThatOfRates),
        BOTH(MatrixIsThatOfTheEnergy),
        BOTH(InertiaMovesWhatItSays),
        BOTH(ForcesAreSlopesOfEnergies),
        BOTH(StiffnessIsTheSecondDerivativeOfTheEnergy),
        BOTH(SquaresAreThoseOfRows),
        BOTH(PlanarCurveIsThatOfThePlane),
        cmocka_unit_test(ConstantCurvatureAndTorsionIsAHelix),
    };
    return RUN_TESTS(tests);
}
