// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference/elements.h"

#include <string.h>

static rvMemory memory;
static const double GRAVITY = 9.81, PER_METRE = 0.4;

// Half of 1 m of rope on a table, the other half over its edge.
static rvAle* table(double stiffness)
{
    const rvAleFallDef falls[2] = {{0.5, 5, 5}, {0.5, 5, 5}};
    rvAleDef def = {.fallCount = 2,
                    .falls = falls,
                    .EA = stiffness,
                    .EI = 0.1,
                    .massPerLength = PER_METRE,
                    .gravity = {0, 0, -GRAVITY}};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    rv_ale_lay(ale, 0, rvVec(-0.5, 0, 0), rvVec(0, 0, 0));
    rv_ale_lay(ale, 1, rvVec(0, 0, 0), rvVec(0, 0, -0.5));
    rv_ale_lay_on_table(ale, 0, 0.0, 1e-3);
    assert_int_equal(rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error), RV_OK);
    assert_int_equal(rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error), RV_OK);
    rv_ale_hold_flow(ale, 1, false);
    return ale;
}

static void start(rvAle* ale, rvAncfMethod method)
{
    rvAncfOptions options = rv_ancf_default_options(method);
    rvError error;
    assert_int_equal(rv_ale_start(ale, &options, &error), RV_OK);
}

// Farthest from the inextensible chain, x = x0 cosh(sqrt(g/L) t), in 0.4 s.
static double off_the_chain(double stiffness, rvAncfMethod method, double h)
{
    rvAle* ale = table(stiffness);
    double worst = 0.0;
    start(ale, method);
    for (int i = 0; i < (int)lround(0.4 / h); i++) {
        assert_int_equal(rv_ale_step(ale, h), RV_OK);
        double x = 0.5 * cosh(sqrt(GRAVITY) * rv_ale_time(ale));
        worst = fmax(worst, fabs(1.0 + rv_ale_point(ale, 0, 0.0).position.x - x));
    }
    rv_ale_destroy(ale);
    return worst;
}

static void SlidingRopeFollowsTheChainAndComesNearerAsItGetsStiffer(void** state)
{
    (void)state;
    // the hanging half stretches by w L^2/(8 EA) = 0.62 mm at 785 N, ten times less for each decade
    double soft = off_the_chain(785.0, RV_ANCF_RT, 1e-3), stiff = off_the_chain(78500.0, RV_ANCF_RT, 1e-3);
    CHECK_BELOW(soft, 1e-3);         // that stretch, swinging
    CHECK_BELOW(stiff, 0.02 * soft); // a hundred times less stretch; the step's own error is 1e-6 m
}

static void EachMethodFollowsTheChain(void** state)
{
    (void)state;
    const rvAncfMethod methods[] = {RV_ANCF_SI_BE, RV_ANCF_SI_BDF2, RV_ANCF_SI_NEWMARK, RV_ANCF_SI_HHT};
    for (int i = 0; i < 4; i++) {
        // bdf2 is of first order too: of its start at rest, as the paper has it, x'' h t/3 stays
        bool low = methods[i] == RV_ANCF_SI_BE || methods[i] == RV_ANCF_SI_BDF2;
        double first = off_the_chain(78500.0, methods[i], 2e-3), second = off_the_chain(78500.0, methods[i], 1e-3);
        CHECK_BELOW(second, low ? 5e-3 : 1e-4);  // x'' h t/2 = 4 mm; of second order (h w)^2 x/12 and 6e-6 m of stretch
        CHECK_BELOW(second, 0.6 * first + 7e-6); // half or a quarter, and that stretch
    }
}

// Without friction nothing is lost: what the chain has fallen is in its speed.
static void SlidingRopeKeepsItsEnergy(void** state)
{
    (void)state;
    rvAle* ale = table(785.0);
    start(ale, RV_ANCF_RT);
    double before = rv_ale_energy(ale).total, most = 0.0;
    for (int i = 0; i < 400; i++) {
        assert_int_equal(rv_ale_step(ale, 1e-3), RV_OK);
        most = fmax(most, fabs(rv_ale_energy(ale).total - before));
    }
    CHECK_BELOW(most, 1e-4 * rv_ale_energy(ale).kinetic); // second order: (h w)^2 of the slide is 1e-5, and its ringing
    CHECK_NEAR(rv_ale_mass(ale), PER_METRE, 1e-12);       // rounding
    rv_ale_destroy(ale);
}

static void RopeThatLeavesTheTableEndsAsAnEvent(void** state)
{
    (void)state;
    rvAle* ale = table(78500.0);
    double h = 1e-3, rate;
    start(ale, RV_ANCF_RT);
    rvStatus status = RV_OK;
    for (int i = 0; i < 600 && status == RV_OK; i++)
        status = rv_ale_step(ale, h);
    assert_int_equal(rv_ale_ran_out(ale), 0);
    rv_ale_flow_at(ale, 1, &rate);
    // 0.42047 s of the inextensible chain; it is caught within the step in which the last bit goes
    CHECK_NEAR(rv_ale_time(ale) + rv_ale_fall_length(ale, 0) / -rate, 0.42047, 1e-4);
    rv_ale_destroy(ale);
}

static void AnEndWithNeitherPlaceNorRopeHeldIsRefused(void** state)
{
    (void)state;
    rvAle* ale = table(785.0);
    rvError error;
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    rv_ale_hold_flow(ale, 0, false); // the free end on the table
    assert_int_equal(rv_ale_start(ale, &options, &error), RV_BAD_INPUT);
    assert_non_null(strstr(error.text, "place 0"));
    rv_ale_destroy(ale);
}

// Two equal weights on a heavy rope over an eye, one side lower: Atwood with a heavy rope,
//   x'' (2 m + rho L) = 2 rho g x for the distance x that one hangs deeper than balance
static void HeavyRopeRunsAwayOverAnEyeAsTheClosedFormSays(void** state)
{
    (void)state;
    double m = 0.3, x0 = 0.2, h = 1e-3, length = 2.0;
    const rvAleFallDef falls[2] = {{1.0 - x0, 5, 5}, {1.0 + x0, 5, 5}};
    rvAleDef def = {
        .fallCount = 2, .falls = falls, .EA = 1e5, .EI = 0.01, .massPerLength = PER_METRE, .gravity = {0, 0, -GRAVITY}};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    rv_ale_lay(ale, 0, rvVec(0, 0, x0 - 1.0), rvVec(0, 0, 0));
    rv_ale_lay(ale, 1, rvVec(0, 0, 0), rvVec(0, 0, -1.0 - x0));
    rv_ale_set_load(ale, 0, RV_ALE_BEGIN, m);
    rv_ale_set_load(ale, 1, RV_ALE_END, m);
    rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error);
    rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_hold_flow(ale, 1, false);
    start(ale, RV_ANCF_RT);
    double w = sqrt(2.0 * PER_METRE * GRAVITY / (2.0 * m + PER_METRE * length)), worst = 0.0;
    for (int i = 0; i < 500; i++) {
        assert_int_equal(rv_ale_step(ale, h), RV_OK);
        double x = x0 * cosh(w * rv_ale_time(ale));
        worst = fmax(worst, fabs(-1.0 - rv_ale_point(ale, 1, 1.0).position.z - x));
    }
    // stretch of a side: (m g + w L/2) L/EA = 0.06 mm, ringing to twice that on either side
    CHECK_BELOW(worst, 2.5e-4);
    rv_ale_destroy(ale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlidingRopeFollowsTheChainAndComesNearerAsItGetsStiffer),
        cmocka_unit_test(EachMethodFollowsTheChain),
        cmocka_unit_test(SlidingRopeKeepsItsEnergy),
        cmocka_unit_test(RopeThatLeavesTheTableEndsAsAnEvent),
        cmocka_unit_test(AnEndWithNeitherPlaceNorRopeHeldIsRefused),
        cmocka_unit_test(HeavyRopeRunsAwayOverAnEyeAsTheClosedFormSays),
    };
    return RUN_TESTS(tests);
}
