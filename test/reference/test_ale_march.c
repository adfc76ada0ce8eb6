// SPDX-License-Identifier: MIT
// All integrators of rope that flows: they come to the same, each with its order.
#include "check.h"
#include "reference/parts.h"

static rvMemory memory;
static const double GRAVITY = 9.81, PER_METRE = 0.4;

typedef struct {
    int elements; // of each fall
    double stiffness, damping, reeled, friction;
    bool wet;
} Case;

// Half of 1 m of rope on a table, the other half over its edge; or reeled in at the table's far end.
static rvAle* table(const Case* with, const rvAncfOptions* options)
{
    const rvAleFallDef falls[2] = {{0.5, with->elements, with->elements}, {0.5, with->elements, with->elements}};
    rvAleDef def = {
        .fallCount = 2,
        .falls = falls,
        .EA = with->stiffness,
        .EI = 0.01,
        .massPerLength = PER_METRE,
        .axialTime = with->damping,
        .gravity = {0, 0, -GRAVITY},
        .diameter = 0.01,
        .water = {.on = with->wet, .level = -0.2, .density = 1000.0, .normalDrag = 1.2, .tangentDrag = 0.1}};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    rv_ale_lay(ale, 0, rvVec(-0.5, 0, 0), rvVec(0, 0, 0));
    rv_ale_lay(ale, 1, rvVec(0, 0, 0), rvVec(0, 0, -0.5));
    rv_ale_lay_on_table(ale, 0, with->friction, 1e-3);
    if (with->reeled != 0.0) {
        assert_int_equal(rv_ale_hold(ale, 0, RV_ALE_BEGIN, RV_ANCF_PIN, &error), RV_OK);
        rv_ale_set_flow(ale, 0, with->reeled);
    }
    assert_int_equal(rv_ale_hold(ale, 0, RV_ALE_END, RV_ANCF_PIN, &error), RV_OK);
    assert_int_equal(rv_ale_hold(ale, 1, RV_ALE_BEGIN, RV_ANCF_PIN, &error), RV_OK);
    rv_ale_hold_flow(ale, 1, false);
    assert_int_equal(rv_ale_start(ale, options, &error), RV_OK);
    return ale;
}

typedef struct {
    double end, energy; // height of the hanging end [m]; all of it [J]
} Found;

static Found run(const Case* with, const rvAncfOptions* options, double h, double seconds)
{
    rvAle* ale = table(with, options);
    for (int i = 0; i < (int)lround(seconds / h); i++)
        assert_int_equal(rv_ale_step(ale, h), RV_OK);
    Found found = {rv_ale_point(ale, 1, 1.0).position.z, rv_ale_energy(ale).total};
    rv_ale_destroy(ale);
    return found;
}

static Found reference(const Case* with, double seconds)
{
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_TAYLOR);
    return run(with, &options, 0.01, seconds);
}

static void SeriesAreExactToRounding(void** state)
{
    (void)state;
    Case with = {.elements = 3, .stiffness = 785.0};
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_TAYLOR);
    Found all = run(&with, &options, 0.01, 0.3);
    options.courant *= 0.5;
    Found half = run(&with, &options, 0.01, 0.3);
    // a term of order 13 at 0.6 of the critical step: (w h)^13/13! = 1.7e-9 of motions of w, of half the steps 8000
    // times less; w moves 1e-6 m (elastic waves of the stretch of 0.2 mm, in their highest modes)
    CHECK_NEAR(all.end, half.end, 1e-12);
    CHECK_NEAR(all.energy, half.energy, 1e-10);
}

// Steps so short that all waves of soft rope are resolved: then errors fall with the power that the method has.
static void OrdersAreThoseOfTheMethods(void** state)
{
    (void)state;
    static const int orders[] = {[RV_ANCF_RT] = 2,           [RV_ANCF_SI_BE] = 1,
                                 [RV_ANCF_SI_BDF2] = 1, // of its start at rest, as the paper has it
                                 [RV_ANCF_SI_NEWMARK] = 2,   [RV_ANCF_SI_HHT] = 2, [RV_ANCF_IMPLICIT_NEWMARK] = 2,
                                 [RV_ANCF_IMPLICIT_HHT] = 2, [RV_ANCF_VERLET] = 2};
    Case with = {.elements = 2, .stiffness = 20.0};
    Found exact = reference(&with, 0.2);
    for (rvAncfMethod m = RV_ANCF_RT; m < RV_ANCF_TAYLOR; m++) {
        double off[2], drift[2];
        for (int i = 0; i < 2; i++) {
            double h = i == 0 ? 2.5e-4 : 1.25e-4;
            rvAncfOptions options = rv_ancf_default_options(m);
            options.largestStep = h; // the adaptive ones take it
            options.tolerance = 1e-7;
            Found found = run(&with, &options, h, 0.2);
            off[i] = fabs(found.end - exact.end);
            drift[i] = fabs(found.energy - exact.energy);
        }
        double times = pow(2.0, orders[m]);
        CHECK_NEAR(off[0] / off[1], times,
                   0.15 * times); // the next power: w h, 0.06 of the highest wave, and of the slower less
        // of energy the leading term may be small: it falls at least so
        CHECK_BELOW(drift[1], 1.15 * drift[0] / times + 1e-9); // and Newton's own: 1e-10 m a step at 4 N
        CHECK_BELOW(off[1],
                    orders[m] == 1 ? 2e-4 : 1e-6); // x'' h t/2 = 6e-5 m; (h w)^2/12 of 3 mm that swing, w 60 rad/s
    }
}

static void AdaptiveStepsComeNearerAsTheirToleranceFalls(void** state)
{
    (void)state;
    Case with = {.elements = 5, .stiffness = 785.0};
    Found exact = reference(&with, 0.3);
    for (rvAncfMethod m = RV_ANCF_IMPLICIT_NEWMARK; m <= RV_ANCF_IMPLICIT_HHT; m++) {
        double off[2];
        for (int i = 0; i < 2; i++) {
            rvAncfOptions options = rv_ancf_default_options(m);
            options.tolerance = i == 0 ? 1e-5 : 1e-7;
            off[i] = fabs(run(&with, &options, 0.01, 0.3).end - exact.end);
        }
        CHECK_BELOW(off[0], 2e-4); // a wave of 0.6 mm whose phase is lost by then is a third of it
        CHECK_BELOW(off[1],
                    0.3 * off[0]); // a step follows tol^(1/3), the error its square: 21 times; half of it is phase
    }
}

// Rope that friction holds back, that is damped, that is reeled in, and in water: those that can agree.
static void EveryMethodDoesWhatTheOthersDo(void** state)
{
    (void)state;
    static const Case cases[] = {
        {.elements = 3, .stiffness = 785.0, .friction = 0.3, .damping = 1e-3},
        {.elements = 3, .stiffness = 785.0, .damping = 1e-3},
        {.elements = 3, .stiffness = 785.0, .damping = 1e-3, .reeled = -0.4},
        {.elements = 3, .stiffness = 785.0, .damping = 1e-3, .wet = true},
    };
    for (int k = 0; k < 4; k++) {
        double exact = 0.0;
        for (int i = 0; i < RV_ANCF_TAYLOR; i++) {
            rvAncfMethod m = (rvAncfMethod)(RV_ANCF_VERLET - i);
            rvAncfOptions options = rv_ancf_default_options(m);
            options.tolerance = 1e-7;
            double end = run(&cases[k], &options, 2.5e-4, 0.25).end;
            exact = i == 0 ? end : exact;
            bool low = m == RV_ANCF_SI_BE || m == RV_ANCF_SI_BDF2, paper = m >= RV_ANCF_SI_BE && m <= RV_ANCF_SI_HHT;
            // of first order a step's way, at less than 2 m/s; of second (h w)^2/12 of 1 mm that swings at 200 rad/s.
            // Friction of the paper's lags behind by a step as it starts: mu g h t/2
            double lag = paper ? 0.5 * cases[k].friction * GRAVITY * 2.5e-4 * 0.25 : 0.0;
            CHECK_NEAR(end, exact, (low ? 5e-4 : 5e-6) + lag);
        }
    }
}

static void RopeRunsOffWithAnyMethod(void** state)
{
    (void)state;
    Case with = {.elements = 2, .stiffness = 7850.0};
    const rvAncfMethod methods[] = {RV_ANCF_SI_NEWMARK, RV_ANCF_IMPLICIT_HHT, RV_ANCF_VERLET, RV_ANCF_TAYLOR};
    for (int i = 0; i < 4; i++) {
        rvAncfOptions options = rv_ancf_default_options(methods[i]);
        rvAle* ale = table(&with, &options);
        double rate;
        rvStatus status = RV_OK;
        for (int n = 0; n < 600 && status == RV_OK; n++)
            status = rv_ale_step(ale, 1e-3);
        assert_int_equal(rv_ale_ran_out(ale), 0);
        rv_ale_flow_at(ale, 1, &rate);
        // 0.42047 s of the inextensible chain, 0.06 mm of stretch at 3 m/s; it is caught in the step in which the last
        // bit goes
        CHECK_NEAR(rv_ale_time(ale) + rv_ale_fall_length(ale, 0) / -rate, 0.42047, 1e-4);
        rv_ale_destroy(ale);
    }
}

static void SeriesSayWhatTheyCannotDo(void** state)
{
    (void)state;
    Case with = {.elements = 2, .stiffness = 785.0, .damping = 1e-3};
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    rvError error;
    rvAle* ale = table(&with, &options);
    options = rv_ancf_default_options(RV_ANCF_TAYLOR);
    assert_int_equal(rv_ale_start(ale, &options, &error), RV_BAD_INPUT);
    assert_non_null(strstr(error.text, "taylor"));
    options = rv_ancf_default_options(RV_ANCF_IMPLICIT_HHT);
    options.tolerance = -1.0;
    assert_int_equal(rv_ale_start(ale, &options, &error), RV_BAD_INPUT);
    assert_non_null(strstr(error.text, "tolerance"));
    rv_ale_destroy(ale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SeriesAreExactToRounding),
        cmocka_unit_test(OrdersAreThoseOfTheMethods),
        cmocka_unit_test(AdaptiveStepsComeNearerAsTheirToleranceFalls),
        cmocka_unit_test(EveryMethodDoesWhatTheOthersDo),
        cmocka_unit_test(RopeRunsOffWithAnyMethod),
        cmocka_unit_test(SeriesSayWhatTheyCannotDo),
    };
    return RUN_TESTS(tests);
}
