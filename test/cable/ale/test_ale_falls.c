// SPDX-License-Identifier: MIT
// Places that are put into falls and taken out: what the rope does stays.
#include "check.h"
#include "reference/parts.h"

static rvMemory memory;
static const double EA = 1e6, PER_METRE = 1.5, LENGTH = 8.0;

// A rope of one fall, bent, that moves and flows at its end.
static rvAle* create(void)
{
    rvAleFallDef fall = {LENGTH, 8, 16};
    rvAleDef def = {.fallCount = 1,
                    .falls = &fall,
                    .fallRoom = 4,
                    .EA = EA,
                    .EI = 10.0,
                    .massPerLength = PER_METRE,
                    .gravity = {0, 0, -9.81}};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    rvAncf* cable = ale->falls[0].ancf;
    for (int i = 0; i < cable->nodeCount; i++) {
        double s = cable->places[i], *q = cable->q + 6 * i, *v = cable->v + 6 * i;
        double x[6] = {s * 1.001, 0.1 * sin(0.3 * s),  0.05 * cos(0.5 * s),
                       1.001,     0.03 * cos(0.3 * s), -0.025 * sin(0.5 * s)};
        double y[6] = {0.3 * sin(0.2 * s), 1.0, -0.2 * s, 0.06 * cos(0.2 * s), 0.0, -0.2};
        memcpy(q, x, sizeof x);
        memcpy(v, y, sizeof y);
    }
    ale->flow[RV_ALE_P][1] = 1.02 * LENGTH; // g is not 1
    ale->flow[RV_ALE_RATE][0] = 0.5;
    ale->flow[RV_ALE_RATE][1] = -1.5;
    return ale;
}

typedef struct {
    double mass, kinetic, stretch, bend;
    rvVec3 momentum;
} Whole;

static Whole whole_of(const rvAle* ale)
{
    rvAncfEnergy e = rv_ale_energy(ale);
    return (Whole){rv_ale_mass(ale), e.kinetic, e.stretch, e.bend, rv_ale_momentum(ale)};
}

static void check_same(Whole a, Whole b, double rounding)
{
    CHECK_NEAR(a.mass, b.mass, rounding * b.mass);
    CHECK_NEAR(a.kinetic, b.kinetic, rounding * b.kinetic);
    CHECK_NEAR(a.stretch, b.stretch, 1e3 * rounding * b.stretch); // of strains of 1e-3
    CHECK_NEAR(a.bend, b.bend, 1e3 * rounding * b.bend);          // second differences
    CHECK_NEAR(rvDistance(a.momentum, b.momentum), 0.0, rounding * rvLength(b.momentum));
}

static void CutAndJoinKeepWhatTheRopeDoes(void** state)
{
    (void)state;
    rvAle* ale = create();
    Whole before = whole_of(ale);
    rvAncfPoint point = rv_ale_point(ale, 0, 0.9);
    assert_true(rv_ale_cut(ale, 0, 0.55, 0.55));
    assert_int_equal(ale->fallCount, 2);
    CHECK_NEAR(rv_ale_fall_length(ale, 0), 0.55 * 1.02 * LENGTH, 1e-12); // rounding
    check_same(whole_of(ale), before, 1e-12);                            // as many roundings as there are terms
    rvAncfPoint after = rv_ale_point(ale, 1, (0.9 - 0.55) / 0.45);
    CHECK_NEAR(after.tension, point.tension, 1e-9 * EA); // rounding of a strain
    CHECK_NEAR(rvDistance(after.velocity, point.velocity), 0.0, 1e-12);
    assert_true(rv_ale_cut(ale, 0, 0.33, 0.33));
    assert_int_equal(ale->fallCount, 3);
    check_same(whole_of(ale), before, 1e-12);
    rv_ale_join(ale, 1, 0.01);
    check_same(whole_of(ale), before, 1e-12);
    rv_ale_join(ale, 1, 0.01);
    assert_int_equal(ale->fallCount, 1);
    check_same(whole_of(ale), before, 1e-12);
    CHECK_NEAR(rv_ale_point(ale, 0, 0.9).tension, point.tension, 1e-9 * EA);
    rv_ale_destroy(ale);
}

// A join of falls whose slopes turn otherwise gives the node between them the mean by the elements' lengths, a and b:
// as a slope s alone moves an element, 1/2 rho l^3 s^2/105, what is left of w at the one is w b/(a + b) at both.
static void JoinTurnsTheLongerElementLess(void** state)
{
    (void)state;
    double a = 0.7, w = 5.0;
    rvAle* ale = create();
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(LENGTH, 0, 0));
    ale->flow[RV_ALE_P][1] = LENGTH;
    ale->flow[RV_ALE_RATE][0] = ale->flow[RV_ALE_RATE][1] = 0.0;
    assert_true(rv_ale_cut(ale, 0, 4.7 / LENGTH, 4.7 / LENGTH)); // 0.3 m of an element becomes one with the next
    double b = ale->falls[1].elements[0].length, turned = w * b / (a + b);
    ale->falls[1].ancf->v[4] = w;
    rv_ale_join(ale, 1, 0.01);
    double energy = 0.5 * PER_METRE * turned * turned * (a * a * a + b * b * b) / 105.0;
    CHECK_NEAR(rv_ale_energy(ale).kinetic, energy, 1e-12 * energy); // as many roundings as there are terms
    rv_ale_destroy(ale);
}

// The flow at the ends changes, the rope's own velocity does not: at nodes to rounding.
static void LedMeshLeavesTheRopeAsItMoves(void** state)
{
    (void)state;
    rvAle* ale = create();
    rvAncf* cable = ale->falls[0].ancf;
    rvVec3 before[9];
    for (int i = 0; i < 9; i++)
        before[i] = rv_ale_point(ale, 0, cable->places[i] / LENGTH).velocity;
    rvVec3 momentum = rv_ale_momentum(ale);
    rv_ale_lead_mesh(ale, 0, 0.7, -0.4);
    ale->flow[RV_ALE_RATE][0] += 0.7;
    ale->flow[RV_ALE_RATE][1] -= 0.4;
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(rvDistance(rv_ale_point(ale, 0, cable->places[i] / LENGTH).velocity, before[i]), 0.0, 1e-12);
    // between them the mesh's velocity is a cubic: what is missing is l^4 (df r')''''/384 of 12 kg, df r' of order 0.01
    CHECK_NEAR(rvDistance(rv_ale_momentum(ale), momentum), 0.0, 12.0 * 0.01 / 384.0);
    rv_ale_destroy(ale);
}

// Rope on an arc belongs to no fall; when the place goes it is an element again.
static void ArcTakesItsRopeAndGivesItBack(void** state)
{
    (void)state;
    rvAle* ale = create();
    double mass = rv_ale_mass(ale), rope = 1.02 * LENGTH;
    assert_true(rv_ale_cut(ale, 0, 0.3, 0.4));
    CHECK_NEAR(ale->flow[RV_ALE_P][ale->placeCount + 1], 0.1 * rope, 1e-12); // rounding
    CHECK_NEAR(rv_ale_mass(ale), mass - PER_METRE * 0.1 * rope, 1e-11);
    CHECK_NEAR(ale->flow[RV_ALE_P][2], rope, 1e-12);
    rv_ale_join(ale, 1, 0.01);
    CHECK_NEAR(rv_ale_mass(ale), mass, 1e-11);
    CHECK_NEAR(rv_ale_fall_length(ale, 0), rope, 1e-12);
    rv_ale_destroy(ale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CutAndJoinKeepWhatTheRopeDoes),
        cmocka_unit_test(JoinTurnsTheLongerElementLess),
        cmocka_unit_test(LedMeshLeavesTheRopeAsItMoves),
        cmocka_unit_test(ArcTakesItsRopeAndGivesItBack),
    };
    return RUN_TESTS(tests);
}
