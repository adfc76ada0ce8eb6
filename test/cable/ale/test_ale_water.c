// SPDX-License-Identifier: MIT
// Water on rope that flows: the same forces whatever the mesh does, derivatives, closed forms, and beside ANCF.
#include "cable/ale/ale_port.h"
#include "check.h"
#include "reference/parts.h"

static rvMemory memory;
static const double PI = 3.14159265358979323846, PER_METRE = 0.6, DIAMETER = 0.02;

enum { ELEMENTS = 4, SIZE = 6 * (ELEMENTS + 2) };

static const rvAncfWater SEA = {
    .on = true, .level = 100.0, .density = 1000.0, .normalDrag = 1.2, .tangentDrag = 0.02, .addedMass = 0.8};

static rvAle* create(const rvAleFallDef* falls, int count, rvAncfWater water, double stiffness, rvVec3 gravity)
{
    rvAleDef def = {.fallCount = count,
                    .falls = falls,
                    .EA = stiffness,
                    .EI = 0.01,
                    .massPerLength = PER_METRE,
                    .axialTime = 0.01,
                    .gravity = gravity,
                    .diameter = DIAMETER,
                    .water = water};
    rvAle* ale;
    rvError error = {0};
    if (rv_ale_create(&def, &memory, &ale, &error) != RV_OK)
        print_error("%s\n", error.text);
    assert_non_null(ale);
    return ale;
}

static rvAle* create_one(rvAncfWater water, double stiffness, rvVec3 gravity)
{
    const rvAleFallDef fall = {1.2, ELEMENTS, ELEMENTS};
    return create(&fall, 1, water, stiffness, gravity);
}

static void pin(rvAle* ale, int fall, int end)
{
    rvError error;
    assert_int_equal(rv_ale_hold(ale, fall, end, RV_ANCF_PIN, &error), RV_OK);
}

static void start(rvAle* ale)
{
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    rvError error = {0};
    if (rv_ale_start(ale, &options, &error) != RV_OK)
        print_error("%s\n", error.text);
}

static void run(rvAle* ale, double seconds, double h)
{
    for (long i = 0; i < lround(seconds / h); i++)
        assert_int_equal(rv_ale_step(ale, h), RV_OK);
}

static void settle(rvAle* ale)
{
    rvError error = {0};
    if (rv_ale_settle(ale, 1e-11, &error) != RV_OK) {
        print_error("%s\n", error.text);
        fail();
    }
}

// ---- forces

// Rope that moves as X(p) + V t + A t^2/2, and a mesh that rides along with it or not.
static rvVec3 rope(double p, double t, rvVec3* slope)
{
    *slope = rvVec(1.0 - 0.4 * p + 0.3 * p * p, 0.5 * p, -0.3 + 0.6 * p * p);
    return rvVec(p - 0.2 * p * p + 0.1 * p * p * p + 0.7 * t + 0.15 * t * t, 0.25 * p * p - 0.4 * t - 0.1 * t * t,
                 -0.3 * p + 0.2 * p * p * p + 0.2 * t - 1.3 * t * t);
}

static void ride(const rvAle* ale, double runs, double t, double* q, double p[2])
{
    const rvAncf* cable = ale->falls[0].ancf;
    p[0] = 0.1 + runs * (0.8 * t - 0.5 * t * t);
    p[1] = 1.3 - runs * (1.1 * t - 0.9 * t * t);
    double g = (p[1] - p[0]) / ale->falls[0].mesh;
    for (int i = 0; i < cable->nodeCount; i++) {
        rvVec3 slope, r = rope(p[0] + g * cable->places[i], t, &slope);
        const double x[6] = {r.x, r.y, r.z, g * slope.x, g * slope.y, g * slope.z};
        memcpy(q + 6 * i, x, sizeof x);
    }
}

static void water_of(rvAle* ale, double runs, double force[SIZE], double forceP[2])
{
    double q[3][SIZE] = {{0}}, p[3][2], v[SIZE] = {0}, a[SIZE] = {0}, h = 1e-3, at[4] = {0}, rate[4] = {0};
    double accel[4] = {0};
    for (int i = 0; i < 3; i++)
        ride(ale, runs, (i - 1) * h, q[i], p[i]);
    for (int i = 0; i < SIZE; i++) {
        v[i] = (q[2][i] - q[0][i]) / (2.0 * h);
        a[i] = (q[2][i] - 2.0 * q[1][i] + q[0][i]) / (h * h);
    }
    for (int i = 0; i < 2; i++) {
        at[i] = p[1][i];
        rate[i] = (p[2][i] - p[0][i]) / (2.0 * h);
        accel[i] = (p[2][i] - 2.0 * p[1][i] + p[0][i]) / (h * h);
    }
    ale->rt.p = at;
    ale->rt.v1 = rate;
    ale->rt.a1 = accel;
    rvAleFlow flow = rv_ale_flow_of(ale, 0, at, rate, accel);
    memset(force, 0, SIZE * sizeof(double));
    ale->falls[0].forceP[0] = ale->falls[0].forceP[1] = 0.0;
    rv_ale_water(ale, 0, &(rvAleState){.q = q[1], .v = v, .vd = v, .a = a}, &flow, NULL, force);
    memcpy(forceP, ale->falls[0].forceP, 2 * sizeof(double));
}

static void WaterIsTheSameWhateverTheMeshDoes(void** state)
{
    (void)state;
    rvAle* ale = create_one(SEA, 1e4, rvVec(0, 0, -9.81));
    double force[2][SIZE], forceP[2][2], size = 1000.0 * 0.25 * PI * DIAMETER * DIAMETER * 1.2 * 9.81; // the lift
    for (int i = 0; i < 2; i++)
        water_of(ale, i, force[i], forceP[i]);
    for (int i = 0; i < 6 * (ELEMENTS + 1); i++)
        CHECK_NEAR(force[0][i], force[1][i], 1e-5 * size); // differences: h^2 times third rates of order 10
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(forceP[0][i], forceP[1][i], 1e-5 * size); // as above
    assert_true(fabs(forceP[0][0]) > 0.01 * size);
    rv_ale_destroy(ale);
}

// The part of the matrix that drag and added mass have, nodes and flows at once.
static void MatrixOfWaterIsItsDerivative(void** state)
{
    (void)state;
    rvAle* ale = create_one(SEA, 1e4, rvVec(0, 0, 0));
    rvAleFall* fall = &ale->falls[0];
    rvAncf* cable = fall->ancf;
    double q[SIZE] = {0}, v[SIZE] = {0}, a[SIZE] = {0}, vd[SIZE] = {0}, x[SIZE] = {0}, y[SIZE] = {0};
    double p[4], rate[4] = {0.7, -0.4}, accel[4] = {0.3, 0.2}, pd[4], xp[2] = {0.8, -0.6}, left[2][SIZE], leftP[2][2];
    double e = 1e-6;
    ride(ale, 0.0, 0.0, q, p);
    p[2] = p[3] = pd[2] = pd[3] = 0.0;
    for (int i = 0; i < cable->dofCount; i++) {
        v[i] = sin(1.3 * i);
        a[i] = cos(2.1 * i);
        x[i] = sin(0.7 * i + 0.2);
    }
    ale->rt.p = p;
    ale->rt.v1 = rate;
    ale->rt.a1 = accel;
    rvAleFlow flow = rv_ale_flow_of(ale, 0, p, rate, accel);
    for (int mass = 0; mass < 2; mass++) {
        double step = mass ? 1.0 : e; // forces are linear in accelerations
        for (int side = 0; side < 2; side++) {
            double s = side ? step : -step;
            double moved[SIZE] = {0};
            for (int i = 0; i < cable->dofCount; i++) {
                vd[i] = v[i] + (mass ? 0.0 : s * x[i]);
                moved[i] = a[i] + (mass ? s * x[i] : 0.0);
            }
            for (int i = 0; i < 2; i++)
                pd[i] = rate[i] + (mass ? 0.0 : s * xp[i]);
            memset(left[side], 0, sizeof left[side]);
            fall->forceP[0] = fall->forceP[1] = 0.0;
            rv_ale_water(ale, 0, &(rvAleState){.q = q, .v = v, .vd = vd, .a = moved, .pd = pd}, &flow, NULL,
                         left[side]);
            memcpy(leftP[side], fall->forceP, sizeof leftP[side]);
        }
        rvAleWish wish = {.massFactor = mass, .dampFactor = 1.0 - mass, .weightless = true};
        double unused[SIZE] = {0};
        memset(cable->slots, 0, (size_t)(cable->slotCount + 1) * sizeof *cable->slots);
        memset(fall->border.corner, 0, sizeof fall->border.corner);
        for (int i = 0; i < 2; i++)
            memset(fall->border.column[i], 0, SIZE * sizeof(double));
        rv_ale_water(ale, 0, &(rvAleState){.q = q, .v = v, .vd = v, .a = a}, &flow, &wish, unused);
        rv_ancf_slot_product(cable, cable->slots, x, y);
        const double *c0 = fall->border.column[0], *c1 = fall->border.column[1], *corner = fall->border.corner;
        for (int i = 0; i < cable->dofCount; i++) // forces of 10 N to 16 digits by e, and e^2
            CHECK_NEAR(y[i] + c0[i] * xp[0] + c1[i] * xp[1], (left[0][i] - left[1][i]) / (2.0 * step), 1e-7);
        double onP[2] = {corner[0] * xp[0] + corner[1] * xp[1], corner[1] * xp[0] + corner[2] * xp[1]};
        for (int i = 0; i < 2; i++) // as above
            CHECK_NEAR(rv_ancf_dot(cable, i ? c1 : c0, x) + onP[i], (leftP[0][i] - leftP[1][i]) / (2.0 * step), 1e-7);
    }
    rv_ale_destroy(ale);
}

// ---- closed forms

// 2 m of rope in two falls hang through an eye, half a metre of them above the water.
static void RopeInStillWaterWeighsLessByWhatItDisplaces(void** state)
{
    (void)state;
    const rvAleFallDef falls[2] = {{1.0, 4, 4}, {1.0, 4, 4}};
    rvAncfWater water = SEA;
    water.level = -0.5; // at a node: a Gauss point is farther off than half a diameter, 0.047 * 0.25 m
    rvAle* ale = create(falls, 2, water, 1e7, rvVec(0, 0, -9.81));
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(0, 0, -1));
    rv_ale_lay(ale, 1, rvVec(0, 0, -1), rvVec(0, 0, -2));
    pin(ale, 0, RV_ALE_BEGIN);
    pin(ale, 0, RV_ALE_END);
    pin(ale, 1, RV_ALE_BEGIN);
    rv_ale_hold_flow(ale, 1, false);
    settle(ale);
    double top[6], lift = 1000.0 * 0.25 * PI * DIAMETER * DIAMETER * 9.81, weight = PER_METRE * 9.81;
    rv_ale_reaction(ale, 0, RV_ALE_BEGIN, false, top);
    double pull = 2.0 * weight - 1.5 * lift;
    // beside stretch, 1e-6 of the way, and T/(2 EA) between the pull and what works on p; settling ends at 1e-11 of 2 m
    CHECK_NEAR(top[2], pull, 1e-4);
    double before, behind;
    rv_ale_pulls(ale, 1, &before, &behind);
    CHECK_NEAR(before, behind, 1e-4); // EA times 1e-11: the eye does not rub
    CHECK_NEAR(behind, weight - lift, 1e-4);
    start(ale);
    run(ale, 0.2, 1e-3);
    rv_ale_reaction(ale, 0, RV_ALE_BEGIN, false, top);
    CHECK_NEAR(top[2], pull, 1e-4); // at rest it stays so
    rv_ale_destroy(ale);
}

// Rope that is drawn straight through water at u, through an eye: its skin drags 1/2 rho d pi C_t u^2 a metre.
static void RopeThatIsDrawnThroughWaterIsDraggedAlongItself(void** state)
{
    (void)state;
    const rvAleFallDef falls[2] = {{3.0, 6, 6}, {2.0, 4, 4}};
    for (int k = 0; k < 2; k++) {
        double u = k ? 3.0 : -3.0, EA = 1e6; // p rises: rope goes towards the beginning
        rvAle* ale = create(falls, 2, SEA, EA, rvVec(0, 0, 0));
        rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(3.003, 0, 0)); // taut by 1 kN
        rv_ale_lay(ale, 1, rvVec(3.003, 0, 0), rvVec(5.005, 0, 0));
        for (int f = 0; f < 2; f++)
            for (int end = 0; end < 2; end++)
                pin(ale, f, end);
        rv_ale_hold_flow(ale, 1, false);
        rv_ale_set_flow(ale, 0, u);
        rv_ale_set_flow(ale, 2, u);
        ale->flow[RV_ALE_RATE][1] = u;
        start(ale);
        run(ale, 1.0, 1e-3);
        double drag = 0.5 * 1000.0 * DIAMETER * PI * 0.02 * u * u * 1.001 * 1.001, rate; // stretched
        rv_ale_flow_at(ale, 1, &rate);
        CHECK_NEAR(rate, u, 1e-6); // a second is a hundred times the damping's time
        double from = rv_ale_point(ale, 0, 0.1).tension, to = rv_ale_point(ale, 1, 0.9).tension;
        double way = 0.9 * 3.0 + 0.9 * 2.0; // of rope
        // the drag's own strain, 2.8e-5, changes lengths, and momentum by rho u^2 of it; cubics hold this parabola
        CHECK_NEAR(from - to, (u > 0.0 ? 1.0 : -1.0) * drag * way, 1e-3);
        rv_ale_destroy(ale);
    }
}

// A free end that is let go sinks along itself at the speed where drag on its skin carries its weight.
static void RopeSinksAlongItselfAtItsSpeed(void** state)
{
    (void)state;
    rvAle* ale = create_one(SEA, 1e5, rvVec(0, 0, -9.81));
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(0, 0, -1.2));
    start(ale);
    run(ale, 20.0, 1e-2);
    double weight = (PER_METRE - 1000.0 * 0.25 * PI * DIAMETER * DIAMETER) * 9.81;
    double speed = sqrt(weight / (0.5 * 1000.0 * DIAMETER * PI * 0.02));
    // 20 s are 2 m' t/(m + ...) = 40 times rho/(2 c v): gone to 1e-10
    CHECK_NEAR(-rv_ale_point(ale, 0, 0.5).velocity.z, speed, 1e-6);
    rv_ale_destroy(ale);
}

// w cos a = 1/2 rho d C_n U^2 sin^2 a, whatever drags along it.
static void RopeInACurrentHangsAtTheTowAngle(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double speed = k == 0 ? 0.6 : 0.3 * k + 0.3; // 0.6 by both ways, and faster
        rvAncfCurrent current = {0.0, {speed, 0, 0}};
        rvAncfWater water = SEA;
        water.currents = &current;
        water.currentCount = 1;
        rvAle* ale = create_one(water, 1e4, rvVec(0, 0, -9.81));
        rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(0.45, 0, -1.1));
        pin(ale, 0, RV_ALE_BEGIN);
        if (k != 1)
            settle(ale);
        else { // the same, by waiting
            start(ale);
            run(ale, 40.0, 1e-2);
        }
        double ratio = (PER_METRE - 1000.0 * 0.25 * PI * DIAMETER * DIAMETER) * 9.81 / (10.0 * 1.2 * speed * speed);
        double cosine = 0.5 * (sqrt(ratio * ratio + 4.0) - ratio);
        for (int i = 0; i < 5; i++) {
            rvVec3 slope = rv_ale_point(ale, 0, 0.25 * i).slope;
            CHECK_NEAR(slope.x / rvLength(slope), cosine, 1e-6); // where settling ends
        }
        rv_ale_destroy(ale);
    }
}

// ---- beside ANCF

static rvVec3 tip_of_ancf(rvAncfWater water, double h, double seconds)
{
    rvAncfElement e[ELEMENTS];
    rvAncf* cable;
    rvError error;
    for (int i = 0; i < ELEMENTS; i++)
        e[i] = (rvAncfElement){.length = 1.2 / ELEMENTS,
                               .EA = 1e4,
                               .EI = 0.01,
                               .massPerLength = PER_METRE,
                               .axialTime = 0.01,
                               .diameter = DIAMETER};
    rvAncfDef def = {.elementCount = ELEMENTS, .elements = e, .gravity = {0, 0, -9.81}, .water = water};
    assert_int_equal(rv_ancf_create(&def, &memory, &cable, &error), RV_OK);
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(-1, 0, -0.1));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &error), RV_OK);
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    options.guarded = false; // falls alone have no guard; it takes what added mass has that comes at the surface
    assert_int_equal(rv_ancf_start(cable, &options, &error), RV_OK);
    for (long i = 0; i < lround(seconds / h); i++)
        assert_int_equal(rv_ancf_step(cable, h), RV_OK);
    rvVec3 tip = rv_ancf_point(cable, 1.2).position;
    rv_ancf_destroy(cable);
    return tip;
}

static rvVec3 tip_of_ale(rvAncfWater water, double h, double seconds)
{
    rvAle* ale = create_one(water, 1e4, rvVec(0, 0, -9.81));
    rvVec3 way = rvNormalizeOr(rvVec(-1, 0, -0.1), rvVec(1, 0, 0));
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvScale(1.2, way));
    pin(ale, 0, RV_ALE_BEGIN);
    start(ale);
    run(ale, seconds, h);
    rvVec3 tip = rv_ale_point(ale, 0, 1.0).position;
    rv_ale_destroy(ale);
    return tip;
}

// A rope that trails behind its tow sweeps down, in a current that grows upwards, half of it out of the water at first.
static void RopeThatDoesNotFlowMovesAsAnAncfCable(void** state)
{
    (void)state;
    const rvAncfCurrent currents[2] = {{-1.0, {-0.3, 0, 0}}, {0.0, {-0.8, 0.2, 0}}};
    rvAncfWater water = SEA;
    water.level = -0.05;
    water.implicitDrag = true;
    water.currents = currents;
    water.currentCount = 2;
    for (int k = 1; k <= 2; k++) {
        double seconds = 0.5 * k, h = 2e-3;
        rvVec3 ancf[2], ale[2];
        for (int i = 0; i < 2; i++) {
            ancf[i] = tip_of_ancf(water, h / (1 + i), seconds);
            ale[i] = tip_of_ale(water, h / (1 + i), seconds);
        }
        // both are of second order: their own errors are 1/3 of what half the step changes
        double bound = (rvLength(rvSub(ancf[0], ancf[1])) + rvLength(rvSub(ale[0], ale[1]))) / 3.0;
        CHECK_BELOW(rvLength(rvSub(ancf[1], ale[1])), bound);
        CHECK_BELOW(bound, 1e-3); // of a way of half a metre
        assert_true(rvLength(rvSub(ancf[1], rvVec(-1.2, 0, -0.12))) > 0.1);
    }
}

static void BadWaterIsNamed(void** state)
{
    (void)state;
    const rvAleFallDef fall = {1.0, 2, 2};
    rvAleDef def = {.fallCount = 1, .falls = &fall, .EA = 1.0, .EI = 1.0, .massPerLength = 1.0, .water = SEA};
    rvAle* ale;
    rvError error = {0};
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_BAD_INPUT);
    assert_non_null(strstr(error.text, "diameter"));
    def.diameter = 0.02;
    def.water.density = -1.0;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_BAD_INPUT);
    assert_non_null(strstr(error.text, "water.density"));
}

// Thrown flat into the water it takes some along and keeps the momentum, at any step; thrown out of it, it leaves that
// behind and keeps its speed. No energy comes of either.
static void SurfaceKeepsTheMomentum(void** state)
{
    (void)state;
    static const double steps[] = {1e-4, 1.0 / 240, 1.0 / 60};
    for (int k = 0; k < 6; k++) {
        bool in = k < 3;
        rvAncfWater water = SEA;
        water.level = water.normalDrag = water.tangentDrag = 0.0;
        water.takenAlong = true;
        rvAle* ale = create_one(water, 1e5, rvVec(0, 0, 0));
        double z = in ? 0.05 : -0.05, down = in ? -2.0 : 2.0, energy;
        rv_ale_lay(ale, 0, rvVec(0, 0, z), rvVec(1.2, 0, z));
        rvAncf* cable = ale->falls[0].ancf;
        for (int i = 0; i < cable->nodeCount; i++) {
            cable->v[6 * i] = 0.3;
            cable->v[6 * i + 1] = 0.5;
            cable->v[6 * i + 2] = down;
        }
        start(ale);
        energy = rv_ale_energy(ale).total;
        for (int n = 0; n < lround(0.1 / steps[k % 3]); n++) {
            assert_int_equal(rv_ale_step(ale, steps[k % 3]), RV_OK);
            double now = rv_ale_energy(ale).total;
            CHECK_BELOW(now, energy + 1e-12); // round-off
            energy = now;
        }
        double added = 0.8 * 1000.0 * PI * 0.25 * DIAMETER * DIAMETER,
               share = in ? PER_METRE / (PER_METRE + added) : 1.0;
        for (int i = 0; i < cable->nodeCount; i++) {
            CHECK_NEAR(cable->v[6 * i], 0.3, 1e-9); // along it nothing is taken along; round-off of stretching
            CHECK_NEAR(cable->v[6 * i + 1], 0.5 * share, 1e-9);
            CHECK_NEAR(cable->v[6 * i + 2], down * share, 1e-9);
        }
        rv_ale_destroy(ale);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SurfaceKeepsTheMomentum),
        cmocka_unit_test(WaterIsTheSameWhateverTheMeshDoes),
        cmocka_unit_test(MatrixOfWaterIsItsDerivative),
        cmocka_unit_test(RopeInStillWaterWeighsLessByWhatItDisplaces),
        cmocka_unit_test(RopeThatIsDrawnThroughWaterIsDraggedAlongItself),
        cmocka_unit_test(RopeSinksAlongItselfAtItsSpeed),
        cmocka_unit_test(RopeInACurrentHangsAtTheTowAngle),
        cmocka_unit_test(RopeThatDoesNotFlowMovesAsAnAncfCable),
        cmocka_unit_test(BadWaterIsNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
