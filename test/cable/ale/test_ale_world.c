// SPDX-License-Identifier: MIT
// What drives rope that flows in the world: wind and water.
#include "world/machines.h"

static const double PI = 3.14159265358979323846, DENSITY = 1000.0, DIAMETER = 0.02, PER_METRE = 1.5;

static rvCableDef wet(const rvPlaceDef* places, int count)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = 1e6;
    def.bendingStiffness = 0.01;
    def.massPerLength = PER_METRE;
    def.diameter = DIAMETER;
    def.damping = 0.01;
    def.fluidDensity = DENSITY;
    return def;
}

static rvCableId add(rvWorld* world, const rvCableDef* def)
{
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, def, &id));
    return id;
}

static void run(rvWorld* world, double seconds, double h)
{
    for (long i = 0; i < lround(seconds / h); ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
}

// A tether towed through water, as ancf has it: w cos a = rho d C_n v^2 sin^2 a/2, a from the way of the tow.
static void TowedTetherHangsAtItsAngle(void** state)
{
    (void)state;
    double cosine[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyDef ship = rvDefaultBodyDef();
        ship.type = RV_BODY_KINEMATIC;
        rvBodyId body = add_body(world, &ship);
        rvPlaceDef places[2] = {rvAttachPlace(body, rvVec(0, 0, 0)), rvFreePlace(rvVec(-7, 0, -7))};
        rvCableDef def = wet(places, 2);
        def.model = k ? RV_CABLE_ANCF : RV_CABLE_ALE;
        def.tangentDrag = 0.0;
        def.straight = true;
        rvCableId cable = add(world, &def);
        CHECK_OK(world, rvBody_SetVelocity(world, body, rvVec(1, 0, 0), rvVec(0, 0, 0)));
        run(world, 60.0, 0.01);
        rvVec3 points[64];
        int count = rvCable_GetShape(world, cable, points, 64);
        rvVec3 along = rvSub(points[count - 1], points[0]);
        cosine[k] = -along.x / rvLength(along);
        rvDestroyWorld(world);
    }
    double weight = (PER_METRE - DENSITY * 0.25 * PI * DIAMETER * DIAMETER) * GRAVITY,
           drag = 0.5 * DENSITY * DIAMETER * 1.2;
    double c = (sqrt(weight * weight + 4.0 * drag * drag) - weight) / (2.0 * drag);
    CHECK_NEAR(cosine[0], c, 1e-3); // 60 s are six times the 10 m by the tow's speed: what turns is gone to e^-6
    CHECK_NEAR(cosine[0], cosine[1], 1e-3); // as above
}

// Two winches draw a level rope through water at u: the skin's drag 1/2 rho d pi C_t u^2 L turns into heat by u.
static void DragIsBookedAsHeat(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId post = add_ball(world, 1e6, 0.1, rvVec(0, 0, 0));
    rvPlaceDef places[] = {rvWinchPlace(post, rvVec(0, 0, 0), 0.0), rvEyePlace(post, rvVec(4, 0, 0)),
                           rvWinchPlace(post, rvVec(10, 0, 0), 0.0)};
    rvCableDef def = wet(places, 3);
    def.length = 9.99; // taut by 1 kN
    rvCableId cable = add(world, &def);
    double u = 2.0, seconds = 2.0;
    CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 0, -u));
    CHECK_OK(world, rvCable_SetWinchSpeed(world, cable, 2, u));
    run(world, 1.0, 0.005); // what rings is damped
    rvEnergy before = rvWorld_GetEnergy(world);
    run(world, seconds, 0.005);
    rvEnergy after = rvWorld_GetEnergy(world);
    double speed = u * 10.0 / 9.99, drag = 0.5 * DENSITY * DIAMETER * PI * 0.02 * speed * speed * 9.99;
    double heat = after.dampingHeat - before.dampingHeat;
    // the drag's own strain, 8e-5 of length and three times of speed; and what still rings
    CHECK_NEAR(heat, drag * speed * seconds, 1e-3 * heat);
    rvDestroyWorld(world);
}

// A load on a rope over a sheave, both falls in the water: the rope weighs less by what it displaces.
static void SubmergedFallPullsLess(void** state)
{
    (void)state;
    double pull[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.1, rvVec(0.2, 0, -20));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.2, 0, -10)),
                               rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.2),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = wet(places, 3);
        def.elements = 30;
        def.fluidDensity = k ? DENSITY : 0.0;
        def.fluidLevel = -5.0;
        rvCableId cable = add(world, &def);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        assert_true(report.settled);
        run(world, 1.0, 0.005);
        pull[k] = rvCable_GetTension(world, cable, 0);
        rvDestroyWorld(world);
    }
    // of the second fall 15 m are lifted; of the first, in the mean of its tension, 5 m by a quarter
    double lift = DENSITY * 0.25 * PI * DIAMETER * DIAMETER * GRAVITY;
    // the surface is within an element of 1 m: half of a Gauss weight of it, 0.44 N, and of 20 m stretch by 1e-3
    CHECK_NEAR(pull[0] - pull[1], lift * (15.0 - 1.25), 0.5);
}

static rvVec3 blown_load(rvCableModel model, double h)
{
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 5.0, 0.1, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = wet(places, 2);
    def.model = model;
    def.straight = true;
    def.fluidDensity = 1.2;
    def.wind = rvVec(15, 20, 0);
    add(world, &def);
    run(world, 3.0, h);
    rvVec3 at = rvBody_GetPose(world, load).p;
    rvDestroyWorld(world);
    return at;
}

// Wind brings energy: no guard takes it for that of the method.
static void WindDrivesALoadAsWithAncf(void** state)
{
    (void)state;
    rvVec3 at[2][2];
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i)
            at[k][i] = blown_load(k ? RV_CABLE_ANCF : RV_CABLE_ALE, 0.005 / (1 + i));
    // bodies step with first order: half the step leaves as much error as it takes away, for either
    double bound = rvLength(rvSub(at[0][0], at[0][1])) + rvLength(rvSub(at[1][0], at[1][1]));
    CHECK_BELOW(rvLength(rvSub(at[0][1], at[1][1])), bound);
    CHECK_BELOW(bound, 0.05); // of a way of five metres
    assert_true(at[0][1].y > 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TowedTetherHangsAtItsAngle),
        cmocka_unit_test(DragIsBookedAsHeat),
        cmocka_unit_test(SubmergedFallPullsLess),
        cmocka_unit_test(WindDrivesALoadAsWithAncf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
