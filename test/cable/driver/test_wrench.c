// SPDX-License-Identifier: MIT
// Force and torque of cables on bodies, as told, are what changed the momenta of these bodies.
#include "world/machines.h"

enum { MOST = 6 };

typedef struct {
    rvWorld* world;
    rvBodyId bodies[MOST];
    rvCableId cables[MOST];
    int bodyCount, cableCount;
} Machine;

static rvWorld* new_world(double stiffness, double gravity)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.geometricStiffness = stiffness;
    def.gravity = rvVec(0, 0, -gravity);
    return make_world_of(&def);
}

static rvBodyId new_ball(Machine* m, double mass, rvVec3 at, rvVec3 velocity)
{
    rvBodyId body = add_ball(m->world, mass, 0.3, at);
    CHECK_OK(m->world, rvBody_SetVelocity(m->world, body, velocity, rvVec(0.3, -0.2, 0.4)));
    return m->bodies[m->bodyCount++] = body;
}

static void sum_wrench(const Machine* m, rvBodyId body, rvVec3* force, rvVec3* torque)
{
    *force = *torque = rvVec(0, 0, 0);
    for (int c = 0; c < m->cableCount; ++c) {
        rvVec3 f, t;
        rvCable_GetForceOn(m->world, m->cables[c], body, &f, &t);
        *force = rvAdd(*force, f);
        *torque = rvAdd(*torque, t);
    }
}

// Steps, and compares with the change of momentum of each ball; `turns`: of angular momentum too.
static void check_steps(const Machine* m, double h, int steps, double gravity, bool turns, bool isolated)
{
    double largest = 0.0;
    for (int i = 0; i < steps; ++i) {
        rvVec3 v[MOST], w[MOST], all = {0, 0, 0};
        for (int k = 0; k < m->bodyCount; ++k) {
            v[k] = rvBody_GetVelocity(m->world, m->bodies[k]);
            w[k] = rvBody_GetAngularVelocity(m->world, m->bodies[k]);
        }
        CHECK_OK(m->world, rvWorld_Step(m->world, h));
        for (int k = 0; k < m->bodyCount; ++k) {
            rvVec3 force, torque;
            sum_wrench(m, m->bodies[k], &force, &torque);
            double mass = rvBody_GetMass(m->world, m->bodies[k]), inertia = 0.4 * mass * 0.09;
            rvVec3 dv = rvSub(rvBody_GetVelocity(m->world, m->bodies[k]), v[k]);
            rvVec3 dw = rvSub(rvBody_GetAngularVelocity(m->world, m->bodies[k]), w[k]);
            dv = rvAdd(dv, rvVec(0, 0, h * gravity));
            double scale = rvLength(force) + mass / h; // of what is subtracted: momenta of some m/s, by the time
            CHECK_BELOW(rvDistance(force, rvScale(mass / h, dv)), 1e-11 * scale); // round-off
            if (turns)
                CHECK_BELOW(rvDistance(torque, rvScale(inertia / h, dw)), 1e-11 * scale); // round-off
            largest = fmax(largest, rvLength(force));
            all = rvAdd(all, force);
        }
        if (isolated)
            CHECK_BELOW(rvLength(all), 1e-11 * (1.0 + largest)); // round-off
    }
    assert_true(largest > 1.0);
}

static void new_cable(Machine* m, const rvCableDef* def, const rvPlaceDef* places, int count)
{
    m->cables[m->cableCount++] = add_cable_of(m->world, *def, places, count);
}

static void PullsOfARopeAndItsTorsionAreTheChangeOfMomentum(void** state)
{
    (void)state;
    Machine m = {.world = new_world(0.0, 0.0)};
    rvBodyId a = new_ball(&m, 3.0, rvVec(-1, 0, 0), rvVec(-0.5, 0.2, 0)),
             b = new_ball(&m, 2.0, rvVec(1, 0.3, 0), rvVec(0.4, -0.3, 0.6)),
             c = new_ball(&m, 1.0, rvVec(0.2, -0.5, 1), rvVec(0, 0, 1.0));
    rvPlaceDef places[] = {rvAttachPlace(a, rvVec(0.1, 0.1, 0)), rvEyePlace(c, rvVec(0, 0.1, 0)),
                           rvAttachPlace(b, rvVec(0, 0, 0.2))};
    places[1].friction = 0.3;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e4;
    def.torsionalStiffness = 5.0;
    new_cable(&m, &def, places, 3);
    check_steps(&m, 1.0 / 240, 480, 0.0, true, true);
    rvDestroyWorld(m.world);
}

// A wheel with inertia and a bearing on a body that swings, a weight on each side, another rope that holds the body.
static void PullsOverAWheelAreTheChangeOfMomentum(void** state)
{
    (void)state;
    Machine m = {.world = new_world(0.0, GRAVITY)};
    rvBodyId block = new_ball(&m, 5.0, rvVec(0, 0, 0), rvVec(0.3, 0.1, 0)),
             left = new_ball(&m, 2.0, rvVec(-0.2, 0, -2), rvVec(0, 0, 0)),
             right = new_ball(&m, 1.0, rvVec(0.2, 0.1, -3), rvVec(0, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(left, rvVec(0, 0, 0.1)),
                           rvSheavePlace(block, rvVec(0, 0, -0.1), rvVec(0, 1, 0), 0.2),
                           rvAttachPlace(right, rvVec(0, 0, 0.1))};
    places[1].friction = 0.15;
    places[1].wheel.inertia = 0.02;
    places[1].wheel.bearing = 0.05;
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e5;
    new_cable(&m, &def, places, 3);
    rvPlaceDef sling[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 3)), rvAttachPlace(block, rvVec(0, 0, 0.1))};
    new_cable(&m, &def, sling, 2);
    check_steps(&m, 1.0 / 240, 240, GRAVITY, true, false);
    rvDestroyWorld(m.world);
}

// The rows of a light hook between stiff spans, transverse ones and those against its kink, are told too.
static void PullsOnALightHookAreTheChangeOfMomentum(void** state)
{
    (void)state;
    Machine m = {.world = new_world(4.0, GRAVITY)};
    rvBodyId hook = new_ball(&m, 0.01, rvVec(0, 0, -2), rvVec(0.1, 0, 0)),
             load = new_ball(&m, 100.0, rvVec(0.2, 0, -4), rvVec(0.3, 0.4, 0));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e6;
    rvPlaceDef above[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hook, rvVec(0, 0, 0))};
    rvPlaceDef below[] = {rvAttachPlace(hook, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    new_cable(&m, &def, above, 2);
    new_cable(&m, &def, below, 2);
    check_steps(&m, 1.0 / 60, 300, GRAVITY, false, false);
    rvDestroyWorld(m.world);
}

// Where ropes cross, the row of one reaches the bodies of the other.
static void PullsOfCrossingRopesAreTheChangeOfMomentum(void** state)
{
    (void)state;
    Machine m = {.world = new_world(0.0, 0.0)};
    const rvVec3 at[4] = {{-1, 0.1, 0}, {1.2, -0.2, 0}, {0.1, -0.9, 0.3}, {-0.2, 1.1, 0.25}};
    for (int i = 0; i < 4; ++i)
        new_ball(&m, 1.0 + i, at[i], i < 2 ? rvVec(0.5, 0, 1) : rvVec(0, 0.3, -1.5));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = 1e4;
    def.diameter = 0.004;
    def.collides = true;
    for (int i = 0; i < 4; i += 2) {
        rvPlaceDef places[] = {rvAttachPlace(m.bodies[i], rvVec(0.1, 0, 0)),
                               rvAttachPlace(m.bodies[i + 1], rvVec(0, 0, 0.05))};
        new_cable(&m, &def, places, 2);
    }
    check_steps(&m, 1.0 / 240, 240, 0.0, true, true);
    assert_int_equal(rvCable_GetCrossings(m.world, m.cables[0], NULL, 0), 1);
    rvDestroyWorld(m.world);
}

// Sensors are part of the state: after a restore they say what they said.
static void PullsAreSavedAndRestored(void** state)
{
    (void)state;
    Machine m = {.world = make_world()};
    rvBodyId load = new_ball(&m, 10.0, rvVec(0.5, 0, -2), rvVec(0, 0, 0));
    m.cables[m.cableCount++] = hang_on_cable(m.world, rvVec(0, 0, 0), load, 1e5, -1.0);
    for (int i = 0; i < 30; ++i)
        CHECK_OK(m.world, rvWorld_Step(m.world, 1.0 / 60));
    static char image[200000];
    size_t size = rvWorld_Save(m.world, NULL, 0);
    assert_true(size <= sizeof image);
    rvWorld_Save(m.world, image, size);
    rvVec3 force, torque, again;
    sum_wrench(&m, load, &force, &torque);
    CHECK_OK(m.world, rvWorld_Step(m.world, 1.0 / 60));
    CHECK_OK(m.world, rvWorld_Restore(m.world, image, size));
    sum_wrench(&m, load, &again, &torque);
    assert_true(rvDistance(force, again) == 0.0);
    assert_true(rvLength(force) > 1.0);
    rvDestroyWorld(m.world);
}

// ---- ropes with mass

#define PER_METRE 3.0 // [kg/m]

static rvCableDef heavy_rope(rvCableModel model, const rvPlaceDef* places, int count, double length)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = 1e7;
    def.bendingStiffness = 1.0;
    def.massPerLength = PER_METRE;
    def.diameter = 0.02;
    def.length = length;
    return def;
}

static void settle(rvWorld* world, const rvCableDef* def, rvCableId* rope)
{
    rvSettleReport report;
    CHECK_OK(world, rvCreateCable(world, def, rope));
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    CHECK_OK(world, rvWorld_Step(world, 1.0 / 60));
}

// The beam above carries the rope too, the load below only itself.
static void RopeThatHangsPullsByItsWeight(void** state)
{
    (void)state;
    for (int model = RV_CABLE_MASSLESS; rvCableModel_Name((rvCableModel)model); ++model) {
        rvWorld* world = make_world();
        rvBodyDef fixed = rvDefaultBodyDef();
        fixed.type = RV_BODY_STATIC;
        rvBodyId beam = add_body(world, &fixed), load = add_ball(world, 100.0, 0.3, rvVec(0, 0, -20));
        rvPlaceDef places[] = {rvAttachPlace(beam, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = heavy_rope((rvCableModel)model, places, 2, 20.0);
        rvCableId rope;
        settle(world, &def, &rope);
        rvVec3 up, down;
        rvCable_GetForceOn(world, rope, beam, &down, NULL);
        rvCable_GetForceOn(world, rope, load, &up, NULL);
        double mass = model == RV_CABLE_MASSLESS ? 0.0 : 20.0 * PER_METRE;
        CHECK_NEAR(up.z, 100.0 * GRAVITY, 1e-5 * 100.0 * GRAVITY); // settled to 1e-6 m/s^2 or so, and a step
        CHECK_NEAR(down.z, -(100.0 + mass) * GRAVITY, 1e-5 * 100.0 * GRAVITY);
        rvDestroyWorld(world);
    }
}

// Two posts carry half of a slack rope each and are drawn together by H = T at its lowest point.
static void RopeThatSagsPullsDownAndTogether(void** state)
{
    (void)state;
    for (int model = RV_CABLE_LAYERED; rvCableModel_Name((rvCableModel)model); ++model) {
        rvWorld* world = make_world();
        rvBodyDef fixed = rvDefaultBodyDef();
        fixed.type = RV_BODY_STATIC;
        rvBodyId left = add_body(world, &fixed), right = add_body(world, &fixed);
        rvPlaceDef places[] = {rvAttachPlace(left, rvVec(-10, 0, 0)), rvAttachPlace(right, rvVec(10, 0, 0))};
        rvCableDef def = heavy_rope((rvCableModel)model, places, 2, 20.1);
        def.axialStiffness = 1e9; // stretch would let it sag deeper
        rvCableId rope;
        settle(world, &def, &rope);
        rvVec3 force[2];
        rvCable_GetForceOn(world, rope, left, &force[0], NULL);
        rvCable_GetForceOn(world, rope, right, &force[1], NULL);
        double weight = 20.1 * PER_METRE * GRAVITY, a = 10.0 / sqrt(6.0 * 0.005); // of 2 a sinh(10/a) = 20.1
        for (int i = 0; i < 50; ++i)
            a *= pow(2.0 * a * sinh(10.0 / a) / 20.1, 0.5);
        double pull = PER_METRE * GRAVITY * a;
        for (int k = 0; k < 2; ++k) {
            CHECK_NEAR(force[k].z, -0.5 * weight, 1e-3 * weight);         // rope that bends, and a step
            CHECK_NEAR((k ? -1.0 : 1.0) * force[k].x, pull, 5e-3 * pull); // layered ones by a parabola: (sag/span)^2
        }
        rvDestroyWorld(world);
    }
}

// What carries a wheel carries both falls and the rope on it; the world holds one as the load does the other.
static void RopeOverAWheelHangsOnItsCarrier(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED, RV_CABLE_ALE};
    for (int m = 0; m < 3; ++m) {
        rvWorld* world = make_world();
        rvBodyDef fixed = rvDefaultBodyDef();
        fixed.type = RV_BODY_STATIC;
        rvBodyId beam = add_body(world, &fixed);
        rvBodyId load = add_ball(world, 100.0, 0.3, rvVec(0.5, 0, -8));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.5, 0, -8)),
                               rvSheavePlace(beam, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.5),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        double length = 16.0 + 0.5 * 3.14159265358979323846;
        rvCableDef def = heavy_rope(models[m], places, 3, length);
        rvCableId rope;
        settle(world, &def, &rope);
        rvVec3 force, torque;
        rvCable_GetForceOn(world, rope, beam, &force, &torque);
        double weight = (200.0 + (models[m] == RV_CABLE_MASSLESS ? 0.0 : length * PER_METRE)) * GRAVITY;
        CHECK_NEAR(force.z, -weight, 1e-4 * weight); // rope of the arc is longer by its stretch of 1e-4
        CHECK_BELOW(rvLength(torque), 1e-3 * weight * 0.5);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PullsOfARopeAndItsTorsionAreTheChangeOfMomentum),
        cmocka_unit_test(PullsOverAWheelAreTheChangeOfMomentum),
        cmocka_unit_test(PullsOnALightHookAreTheChangeOfMomentum),
        cmocka_unit_test(PullsOfCrossingRopesAreTheChangeOfMomentum),
        cmocka_unit_test(PullsAreSavedAndRestored),
        cmocka_unit_test(RopeThatHangsPullsByItsWeight),
        cmocka_unit_test(RopeThatSagsPullsDownAndTogether),
        cmocka_unit_test(RopeOverAWheelHangsOnItsCarrier),
    };
    return RUN_TESTS(tests);
}
