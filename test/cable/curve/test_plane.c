// SPDX-License-Identifier: MIT
#include "cable/curve/plane.h"

#include "check.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

#define MOST 64

static double noise(uint64_t* seed)
{
    return rv_draw_between(seed, -0.5, 0.5);
}

// A curve whose parts all differ.
static void make(rvPlane* plane, rvMemory* memory, int intervals, bool stretches)
{
    assert_true(rv_plane_create(plane, memory, intervals, 1.3, stretches));
    for (int i = 0; i < intervals; ++i)
        plane->parts[i] = (rvPlanePart){.density = 1.0 + 0.3 * i,
                                        .rigidity = 2.0 + 0.1 * i,
                                        .natural = 0.2 * i,
                                        .damping = 0.05 + 0.01 * i,
                                        .stiffness = 50.0 + i,
                                        .stretching = 0.3,
                                        .drag = 0.1};
    rv_plane_begin(plane);
}

static void scatter(const rvPlane* plane, uint64_t* seed, double* q, double* v)
{
    for (int i = 0; i < plane->count; ++i) {
        q[i] = 2.0 * noise(seed);
        v[i] = 2.0 * noise(seed);
        if (plane->fields == 2 && i >= 2 && i % 2 == 1) // stretch
            q[i] *= 0.1;
    }
}

static double entry(const rvSeparable* a, int i, int j)
{
    if (i < j)
        return entry(a, j, i);
    if (i <= j + a->width)
        return *rv_separable_at(a, i, j);
    return a->p[2 * j] * a->q[2 * i] + a->p[2 * j + 1] * a->q[2 * i + 1];
}

static void eachKind(void (*check)(rvPlane* plane, rvMemory* memory))
{
    for (int intervals = 1; intervals <= 7; intervals += 2)
        for (int stretches = 0; stretches < 2; ++stretches) {
            rvMemory memory = {0};
            rvPlane plane;
            make(&plane, &memory, intervals, stretches != 0);
            check(&plane, &memory);
            rv_plane_release(&plane, &memory);
            assert_true(memory.taken == 0);
        }
}

// Straight, with a uniform angle: x = s t.
static void StraightCurveIsStraight(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlane plane;
    make(&plane, &memory, 5, false);
    double q[MOST] = {0.5, -0.25};
    for (int i = 2; i < plane.count; ++i)
        q[i] = 0.7;
    rv_plane_place(&plane, q);
    rvCurveSpot spot = rv_plane_spot(&plane, 0.83);
    rvVec2 x = rv_plane_point(&plane, &spot);
    CHECK_NEAR(x.x, 0.5 + 0.83 * cos(0.7), 1e-15); // round-off
    CHECK_NEAR(x.y, -0.25 + 0.83 * sin(0.7), 1e-15);
    rv_plane_release(&plane, &memory);
}

// An arc: one interval turns by a; four Gauss points integrate cos to a^8/(8! 9 ...) of it.
static void UniformCurvatureIsACircle(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvPlane plane;
    make(&plane, &memory, 10, false);
    double q[MOST] = {0}, turn = 2.0 * 3.14159265358979323846;
    for (int i = 0; i <= 10; ++i)
        q[2 + i] = turn * i / 10;
    rv_plane_place(&plane, q);
    // Gauss' error with 4 points of an interval of angle 0.63 is 0.63^8 4!^4/(9 8!^3) = 1e-12 of it
    CHECK_NEAR(plane.nodes[10].x, 0.0, 1e-11);
    CHECK_NEAR(plane.nodes[10].y, 0.0, 1e-11);
    CHECK_NEAR(plane.nodes[5].y, 1.3 / 3.14159265358979323846, 1e-11);
    rv_plane_release(&plane, &memory);
}

static void check_rows(rvPlane* plane, rvMemory* memory)
{
    (void)memory;
    uint64_t seed = 7;
    double q[MOST], v[MOST], row[MOST];
    scatter(plane, &seed, q, v);
    for (int k = 0; k <= 8; ++k) {
        rvCurveSpot spot = rv_plane_spot(plane, plane->length * k / 8);
        rvVec2 f = rv_vec2(0.3, -0.8);
        memset(row, 0, sizeof row);
        rv_plane_place(plane, q);
        rv_plane_add_row(plane, &spot, f, row);
        double rate = rv_vec2_dot(rv_plane_velocity(plane, v, &spot), f), sum = 0.0;
        for (int i = 0; i < plane->count; ++i) {
            double d = 1e-5, before = q[i];
            q[i] = before + d;
            rv_plane_place(plane, q);
            double up = rv_vec2_dot(rv_plane_point(plane, &spot), f);
            q[i] = before - d;
            rv_plane_place(plane, q);
            double down = rv_vec2_dot(rv_plane_point(plane, &spot), f);
            q[i] = before;
            CHECK_NEAR(row[i], (up - down) / (2.0 * d), 1e-9); // d^2 of central differences, and round-off/d
            sum += row[i] * v[i];
        }
        CHECK_NEAR(rate, sum, 1e-13); // round-off
    }
}

static void RowsAreTheDerivativesOfPoints(void** state)
{
    (void)state;
    eachKind(check_rows);
}

// v M v/2 is the kinetic energy for any v, so the whole matrix is right.
static void check_mass(rvPlane* plane, rvMemory* memory)
{
    uint64_t seed = 11;
    double q[MOST], v[MOST];
    rvSeparable a;
    assert_true(rv_plane_create_matrix(plane, memory, &a));
    for (int round = 0; round < 4; ++round) {
        scatter(plane, &seed, q, v);
        rv_plane_place(plane, q);
        rv_plane_matrix(plane, (rvPlaneWish){.mass = 1.0}, &a);
        for (int k = 0; k < plane->count; ++k)
            for (int l = 0; l <= k; ++l) {
                double w[MOST] = {0};
                w[k] += 1.0;
                double one = rv_plane_kinetic_energy(plane, w);
                if (l == k) {
                    CHECK_NEAR(entry(&a, k, k), 2.0 * one, 1e-13); // round-off of sums of a few units
                    continue;
                }
                double other[MOST] = {0}, both[MOST] = {0};
                other[l] = both[l] = both[k] = 1.0;
                double mixed = rv_plane_kinetic_energy(plane, both) - one - rv_plane_kinetic_energy(plane, other);
                CHECK_NEAR(entry(&a, k, l), mixed, 1e-13);
            }
    }
    rv_separable_release(&a, memory);
}

static void MatrixIsThatOfTheKineticEnergy(void** state)
{
    (void)state;
    eachKind(check_mass);
}

static void loads(rvPlane* plane, const double* q, const double* v, double* forces)
{
    rv_plane_place(plane, q);
    rv_plane_clear_loads(plane);
    rv_plane_add_gravity(plane, rv_vec2(0.4, -9.8));
    rvCurveSpot spot = rv_plane_spot(plane, 0.77 * plane->length);
    rv_plane_add_force(plane, &spot, rv_vec2(3.0, 1.0));
    rv_plane_add_moment(plane, &spot, 0.6);
    rv_plane_add_stresses(plane, q, v);
    rv_plane_sum_loads(plane, forces);
}

// Forces are the derivative of the energies and of the loads' work; the matrix is the derivative of the forces.
static void check_forces(rvPlane* plane, rvMemory* memory)
{
    uint64_t seed = 13;
    double q[MOST], v[MOST], still[MOST] = {0}, forces[MOST], up[MOST], down[MOST];
    rvSeparable a;
    assert_true(rv_plane_create_matrix(plane, memory, &a));
    scatter(plane, &seed, q, v);
    loads(plane, q, still, forces);
    rv_plane_matrix(plane, (rvPlaneWish){.stiffness = 1.0}, &a);
    rvCurveSpot spot = rv_plane_spot(plane, 0.77 * plane->length);
    for (int i = 0; i < plane->count; ++i) {
        double d = 1e-5, before = q[i], energy[2];
        for (int side = 0; side < 2; ++side) {
            q[i] = before + (side ? d : -d);
            rv_plane_place(plane, q);
            rvVec2 x = rv_plane_point(plane, &spot);
            energy[side] = rv_plane_elastic_energy(plane, q) + rv_plane_height_energy(plane, rv_vec2(0.4, -9.8)) -
                           3.0 * x.x - x.y - 0.6 * rv_plane_angle_at(plane, q, &spot);
            loads(plane, q, still, side ? up : down);
        }
        q[i] = before;
        CHECK_NEAR(forces[i], -(energy[1] - energy[0]) / (2.0 * d), 1e-7); // round-off of tens over d
        for (int k = 0; k < plane->count; ++k) {
            int apart = abs(k - i);
            double slope = -(up[k] - down[k]) / (2.0 * d);
            CHECK_NEAR(apart <= a.width ? entry(&a, k, i) : 0.0, slope, 1e-7);
        }
    }
    rv_separable_release(&a, memory);
}

static void ForcesAndStiffnessAreDerivatives(void** state)
{
    (void)state;
    eachKind(check_forces);
}

// Inertia: d/dt (M v) along a free motion. With q(t) = q + v t the acceleration of every point is the quadratic part.
static void check_inertia(rvPlane* plane, rvMemory* memory)
{
    (void)memory;
    uint64_t seed = 17;
    double q[MOST], v[MOST], forces[MOST], moved[MOST];
    scatter(plane, &seed, q, v);
    rv_plane_place(plane, q);
    rv_plane_clear_loads(plane);
    rv_plane_add_inertia(plane, v, NULL);
    rv_plane_sum_loads(plane, forces);
    // Lagrange: d/dt(dT/dv) - dT/dq with q'' = 0, both by differences
    double d = 1e-4;
    for (int k = 0; k < plane->count; ++k) {
        double momentum[2], energy[2];
        for (int side = 0; side < 2; ++side) {
            double at = side ? d : -d, w[MOST];
            for (int i = 0; i < plane->count; ++i)
                moved[i] = q[i] + at * v[i];
            rv_plane_place(plane, moved);
            memcpy(w, v, sizeof w);
            w[k] += 1.0;
            double more = rv_plane_kinetic_energy(plane, w);
            w[k] -= 2.0;
            momentum[side] = 0.5 * (more - rv_plane_kinetic_energy(plane, w));
            memcpy(moved, q, sizeof moved);
            moved[k] += at;
            rv_plane_place(plane, moved);
            energy[side] = rv_plane_kinetic_energy(plane, v);
        }
        double inertia = (momentum[1] - momentum[0]) / (2.0 * d) - (energy[1] - energy[0]) / (2.0 * d);
        CHECK_NEAR(forces[k], -inertia, 1e-6); // d^2 times third derivatives of some tens
    }
    // and the drift of a point is its acceleration with q'' = 0
    rvCurveSpot spot = rv_plane_spot(plane, 0.6 * plane->length);
    rvVec2 x[3];
    for (int side = 0; side < 3; ++side) {
        for (int i = 0; i < plane->count; ++i)
            moved[i] = q[i] + (side - 1) * d * v[i];
        rv_plane_place(plane, moved);
        x[side] = rv_plane_point(plane, &spot);
    }
    rv_plane_place(plane, q);
    rvVec2 drift = rv_plane_drift(plane, v, &spot);
    CHECK_NEAR(drift.x, (x[0].x - 2.0 * x[1].x + x[2].x) / (d * d),
               1e-6); // round-off/d^2, d^2 times fourth derivatives
    CHECK_NEAR(drift.y, (x[0].y - 2.0 * x[1].y + x[2].y) / (d * d), 1e-6);
}

static void InertiaIsLagranges(void** state)
{
    (void)state;
    eachKind(check_inertia);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StraightCurveIsStraight),          cmocka_unit_test(UniformCurvatureIsACircle),
        cmocka_unit_test(RowsAreTheDerivativesOfPoints),    cmocka_unit_test(MatrixIsThatOfTheKineticEnergy),
        cmocka_unit_test(ForcesAndStiffnessAreDerivatives), cmocka_unit_test(InertiaIsLagranges),
    };
    return RUN_TESTS(tests);
}
