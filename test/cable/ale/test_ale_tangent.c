// SPDX-License-Identifier: MIT
#include "cable/ale/ale_parts.h"
#include "check.h"

enum { ELEMENTS = 3, SIZE = 6 * (ELEMENTS + 2) };

static rvMemory memory;

typedef struct {
    double q[SIZE], v[SIZE], p[2], rate[2];
} Place;

static double wave(int i)
{
    return sin(1.3 * i + 0.4) + 0.5 * cos(2.9 * i);
}

// What inertia does at a place, weightless.
static void inertia(const rvAle* ale, const Place* at, const double* a, const double accel[2], double* force,
                    double onP[2])
{
    const rvAleFall* fall = &ale->falls[0];
    rvAleFlow flow = {.g = (at->p[1] - at->p[0]) / fall->mesh};
    rvAleWish wish = {0};
    memcpy(flow.rate, at->rate, sizeof flow.rate);
    memcpy(flow.accel, accel, sizeof flow.accel);
    memset(force, 0, SIZE * sizeof(double));
    rv_ale_flow(fall, at->q, at->v, a, &flow, &wish, NULL, NULL, force, onP);
}

static void move(Place* at, const Place* by, double share)
{
    for (int i = 0; i < 6 * (ELEMENTS + 1); i++) {
        at->q[i] += share * by->q[i];
        at->v[i] += share * by->v[i];
    }
    for (int i = 0; i < 2; i++) {
        at->p[i] += share * by->p[i];
        at->rate[i] += share * by->rate[i];
    }
}

static void InertiaChangesAsDifferencesSay(void** state)
{
    (void)state;
    const rvAleFallDef falls[1] = {{1.2, ELEMENTS, ELEMENTS}};
    rvAleDef def = {.fallCount = 1, .falls = falls, .EA = 1.0, .EI = 0.01, .massPerLength = 0.4};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    Place at = {.p = {0.1, 1.4}, .rate = {0.9, -1.7}}, by = {.p = {0.7, -0.4}, .rate = {-1.3, 0.8}};
    double a[SIZE] = {0}, h = 1e-4, before[SIZE], after[SIZE], beforeP[2], afterP[2], found[SIZE] = {0},
           foundP[2] = {0};
    const double accel[2] = {3.1, -2.3};
    for (int i = 0; i < 6 * (ELEMENTS + 1); i++) {
        at.q[i] = (i % 6 == 0 ? 0.4 * (i / 6) : i % 6 == 3 ? 1.0 : 0.0) + 0.1 * wave(i);
        at.v[i] = wave(i + 20);
        a[i] = 3.0 * wave(i + 40);
        by.q[i] = wave(i + 60);
        by.v[i] = wave(i + 80);
    }
    rvAleFlow flow = {.g = 1.3 / ale->falls[0].mesh, .rate = {0.9, -1.7}, .accel = {3.1, -2.3}};
    rvAleChange change = {.q = by.q, .v = by.v, .p = {0.7, -0.4}, .rate = {-1.3, 0.8}};
    rv_ale_inertia_change(&ale->falls[0], &(rvAleState){.q = at.q, .v = at.v, .a = a}, &flow, &change, found, foundP);
    move(&at, &by, -h);
    inertia(ale, &at, a, accel, before, beforeP);
    move(&at, &by, 2.0 * h);
    inertia(ale, &at, a, accel, after, afterP);
    // central differences: h^2 of third derivatives of order 100
    for (int i = 0; i < 6 * (ELEMENTS + 1); i++)
        CHECK_NEAR((after[i] - before[i]) / (2.0 * h), found[i], 1e-6);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR((afterP[i] - beforeP[i]) / (2.0 * h), foundP[i], 1e-6); // as above
    rv_ale_destroy(ale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(InertiaChangesAsDifferencesSay),
    };
    return RUN_TESTS(tests);
}
