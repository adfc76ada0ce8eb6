// SPDX-License-Identifier: MIT
// Torsion of cables: the angle, its gradient, momenta, and vibrations against closed forms.
#include "cable/route/twist.h"
#include "support/random.h"
#include "world/machines.h"
#include "world/world.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static rvWorld* new_world(rvStepper stepper)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, 0);
    def.stepper = stepper;
    return make_world_of(&def);
}

static rvBodyId new_body(rvWorld* world, rvVec3 at, rvVec3 spin)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = 1000.0;
    def.inertia = rvMat3Diagonal(2000.0 / 3.0, 2000.0 / 3.0, 2000.0 / 3.0);
    def.pose.p = at;
    def.angularVelocity = spin;
    return add_body(world, &def);
}

// The models that take part: the state of each test is one of them.
static rvCableModel massless = RV_CABLE_MASSLESS, layered = RV_CABLE_LAYERED, ale = RV_CABLE_ALE, ancf = RV_CABLE_ANCF;

static rvCableModel model_of(void** state)
{
    return *(rvCableModel*)*state;
}

// Of models with mass a thread of a thousandth of the bodies', limp, whose own motion does not count.
static rvCableDef new_def(rvCableModel model)
{
    rvCableDef def = rvDefaultCableDef(model);
    if (model != RV_CABLE_MASSLESS) {
        def.massPerLength = 1e-3;
        def.bendingStiffness = 1e-3;
        def.elements = 6;
    }
    return def;
}

static rvCableId new_cable(rvWorld* world, rvCableModel model, const rvPlaceDef* places, int count, double torsion,
                           double twist)
{
    rvCableDef def = new_def(model);
    def.axialStiffness = 1e4;
    def.torsionalStiffness = torsion;
    def.twist = twist;
    return add_cable_of(world, def, places, count);
}

// ---- the angle and its gradient

// -1..1, the same on every machine.
static double draw(uint64_t* seed)
{
    return rv_draw_between(seed, -1.0, 1.0);
}

static rvVec3 draw_vec(uint64_t* seed, double size)
{
    double x = draw(seed), y = draw(seed), z = draw(seed);
    return rvVec(size * x, size * y, size * z);
}

typedef enum { STRAIGHT, EYES, WHEELS, DRUMS, TO_WORLD, ROUTE_COUNT } RouteKind;
enum { BODY_COUNT = 4 };

typedef struct {
    rvWorld* world;
    rvBodyId bodies[BODY_COUNT];
    rvPose poses[BODY_COUNT];
    rvCableId cable;
} Rig;

// Bodies along a zigzag, with a cable past points and wheels on them, all turned at random.
static Rig new_rig(RouteKind kind, uint64_t* seed)
{
    static const rvVec3 at[BODY_COUNT] = {{0, 0, 0}, {4, 0.5, 3}, {8, -0.5, -0.4}, {12, 1, 2}};
    Rig rig = {.world = new_world(RV_STEPPER_SPOOK)};
    for (int i = 0; i < BODY_COUNT; ++i)
        rig.bodies[i] = new_body(rig.world, rvAdd(at[i], draw_vec(seed, 0.3)), rvVec(0, 0, 0));
    bool wheels = kind == WHEELS || kind == DRUMS;
    rvPlaceDef places[BODY_COUNT];
    for (int i = 0; i < BODY_COUNT; ++i) {
        rvVec3 axis = rvAdd(rvVec(0, 1, 0), draw_vec(seed, 0.3)), point = draw_vec(seed, 0.3);
        bool end = i == 0 || i == BODY_COUNT - 1;
        places[i] = end      ? rvAttachPlace(rig.bodies[i], point)
                    : wheels ? rvSheavePlace(rig.bodies[i], point, axis, 0.4)
                             : rvEyePlace(rig.bodies[i], point);
        places[i].friction = 0.0;
        if (end && kind == DRUMS) {
            places[i] = rvWinchPlace(rig.bodies[i], point, 0.0);
            places[i].wheel.axis = axis;
            places[i].wheel.radius = 0.5;
        }
    }
    if (kind == STRAIGHT)
        places[1] = places[BODY_COUNT - 1];
    if (kind == TO_WORLD)
        places[0] = rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0));
    rig.cable = new_cable(rig.world, RV_CABLE_MASSLESS, places, kind == STRAIGHT ? 2 : BODY_COUNT, 10.0, 0.0);
    for (int i = 0; i < BODY_COUNT; ++i) { // away from where the twist was set to zero
        rig.poses[i] = rvBody_GetPose(rig.world, rig.bodies[i]);
        rig.poses[i].p = rvAdd(rig.poses[i].p, draw_vec(seed, 0.2));
        rig.poses[i].q = rvQuatFromRotation(draw_vec(seed, 0.4));
        assert_int_equal(rvBody_SetPose(rig.world, rig.bodies[i], rig.poses[i]), RV_OK);
    }
    return rig;
}

// The row's Jacobian of body i at the rig's poses; zero where it has none.
static void jacobian_of(const Rig* rig, int i, double j[6])
{
    const rvRows* rows = &rig->world->rows;
    int group = rig->world->cables.items[0].twistGroup;
    assert_true(group >= 0);
    for (int c = 0; c < 6; ++c)
        j[c] = 0.0;
    const rvRowGroup* g = &rows->groups[group];
    for (int slot = 0; slot < g->slotCount; ++slot)
        if (rows->slots[g->firstSlot + slot].body == i)
            for (int c = 0; c < 6; ++c)
                j[c] = rv_group_jacobian(rows, group, slot)[0][c];
}

static double twist_at(const Rig* rig, int body, int direction, double by)
{
    rvPose pose = rig->poses[body];
    rvVec3 d = rvVec(direction % 3 == 0 ? by : 0.0, direction % 3 == 1 ? by : 0.0, direction % 3 == 2 ? by : 0.0);
    if (direction < 3)
        pose.p = rvAdd(pose.p, d);
    else
        pose.q = rvQuatMul(rvQuatFromRotation(d), pose.q);
    assert_int_equal(rvBody_SetPose(rig->world, rig->bodies[body], pose), RV_OK);
    double twist = rvCable_GetTwist(rig->world, rig->cable);
    assert_int_equal(rvBody_SetPose(rig->world, rig->bodies[body], rig->poses[body]), RV_OK);
    return twist;
}

static void JacobianIsTheSlopeOfTheTwist(void** state)
{
    (void)state;
    uint64_t seed = 7;
    const double by = 1e-5;
    for (int run = 0; run < 12 * ROUTE_COUNT; ++run) {
        Rig rig = new_rig(run % ROUTE_COUNT, &seed);
        CHECK_OK(rig.world, rvWorld_Step(rig.world, 1e-9));
        double jacobian[BODY_COUNT][6];
        for (int i = 0; i < BODY_COUNT; ++i)
            jacobian_of(&rig, i, jacobian[i]);
        for (int i = 0; i < BODY_COUNT; ++i)
            assert_int_equal(rvBody_SetPose(rig.world, rig.bodies[i], rig.poses[i]), RV_OK);
        for (int i = 0; i < BODY_COUNT; ++i)
            for (int c = 0; c < 6; ++c) {
                double slope = (twist_at(&rig, i, c, by) - twist_at(&rig, i, c, -by)) / (2.0 * by);
                // central difference: error by^2 times a third derivative of some units, and 1e-15/by of round-off; the
                // sweeps of the wheels' tangents settle to 1e-13
                CHECK_NEAR(jacobian[i][c], slope,
                           run % ROUTE_COUNT == WHEELS || run % ROUTE_COUNT == DRUMS ? 3e-8 : 3e-9);
            }
        rvDestroyWorld(rig.world);
    }
}

static void check_momenta(const Rig* rig)
{
    rvVec3 force = rvVec(0, 0, 0), torque = rvVec(0, 0, 0);
    double size = 0.0;
    for (int i = 0; i < BODY_COUNT; ++i) {
        double j[6];
        jacobian_of(rig, i, j);
        rvVec3 f = rvVec(j[0], j[1], j[2]);
        force = rvAdd(force, f);
        torque = rvAdd(torque, rvAdd(rvVec(j[3], j[4], j[5]), rvCross(rig->poses[i].p, f)));
        size = fmax(size, rvLength(f));
    }
    CHECK_NEAR(rvLength(force), 0.0, 1e-14 * (1.0 + size));  // round-off
    CHECK_NEAR(rvLength(torque), 0.0, 1e-12 * (1.0 + size)); // round-off at some 10 m from the origin
}

static void RowKeepsBothMomenta(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int run = 0; run < 12 * TO_WORLD; ++run) {
        Rig rig = new_rig(run % TO_WORLD, &seed);
        CHECK_OK(rig.world, rvWorld_Step(rig.world, 1e-9));
        check_momenta(&rig);
        rvDestroyWorld(rig.world);
    }
}

// The second body is turned over, so that the cable comes back along its own end: still finite, still balanced.
static void FoldedEndsKeepMomentaToo(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int run = 0; run < 20; ++run) {
        Rig rig = new_rig(STRAIGHT, &seed);
        double angle = PI - 0.05 * run;
        rig.poses[3].q = rvQuatFromRotation(rvScale(angle, rvVec(0, 1, 0)));
        rvBody_SetPose(rig.world, rig.bodies[3], rig.poses[3]);
        CHECK_OK(rig.world, rvWorld_Step(rig.world, 1e-9));
        check_momenta(&rig);
        double j[6];
        jacobian_of(&rig, 3, j);
        // no more than the bend of 154 degrees has, tan(77 degrees), and 1 along the cable
        CHECK_BELOW(rvLength(rvVec(j[3], j[4], j[5])), 1.0 + 4.4 * 1.1);
        rvDestroyWorld(rig.world);
    }
}

// A body tumbles over and over at the end of a twisted cable: what the cable gives back it had stored.
static void TumblingEndsKeepEnergy(void** state)
{
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvBodyId a = new_body(world, rvVec(0, 0, 0), rvVec(0, 0, 0));
    rvBodyId b = new_body(world, rvVec(4, 0, 0), rvVec(0.05, 1.0, 0.02));
    rvPlaceDef places[2] = {rvAttachPlace(a, rvVec(0.1, 0, 0)), rvAttachPlace(b, rvVec(-0.1, 0, 0))};
    rvCableId cable = new_cable(world, model_of(state), places, 2, 40.0, 2.0);
    CHECK_OK(world, rvWorld_Step(world, 1e-3));
    rvEnergy e = rvWorld_GetEnergy(world);
    double start = e.kinetic + e.elastic, most = 0.0, worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        e = rvWorld_GetEnergy(world);
        worst = fmax(worst, fabs(e.kinetic + e.elastic - start));
        most = fmax(most, fabs(rvCable_GetTwist(world, cable)));
    }
    assert_true(most > 2.0);
    CHECK_BELOW(worst, 0.01 * start); // rates of the fold are those at the start of each step: first order in h
    rvDestroyWorld(world);
}

// Spans along x, y and z carry a director past the corner of a cube: an eighth of the sphere, a quarter of a turn.
static void WritheIsTheSolidAngleOfTheTangents(void** state)
{
    (void)state;
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = rvVec(1, 0, 0);
    rvBodyId first, second;
    rvCreateBody(world, &def, &first);
    def.pose.p = rvVec(1, 1, 0);
    rvCreateBody(world, &def, &second);
    rvPlaceDef places[4] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvEyePlace(first, rvVec(0, 0, 0)),
                            rvEyePlace(second, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 1, 1))};
    rvCableId cable = new_cable(world, RV_CABLE_MASSLESS, places, 4, 10.0, 0.0);
    // now the span between the eyes stands upright, as the last one: x, z, and y no more
    rvBody_SetPose(world, first, (rvPose){{1, 0, 0}, {1, 0, 0, 0}});
    for (int i = 1; i <= 90; ++i) {
        double angle = i * PI / 180.0;
        rvBody_SetPose(world, second, (rvPose){{1, cos(angle), sin(angle)}, {1, 0, 0, 0}});
    }
    // tangents x, z and (1, 1, 1) - (1, 0, 1) = y, then z of the end: round x z y z the area of x z y is left out
    CHECK_NEAR(fabs(rvCable_GetTwist(world, cable)), PI / 2.0, 1e-14); // round-off
    for (int i = 89; i >= 0; --i) {
        double angle = i * PI / 180.0;
        rvBody_SetPose(world, second, (rvPose){{1, cos(angle), sin(angle)}, {1, 0, 0, 0}});
    }
    CHECK_NEAR(rvCable_GetTwist(world, cable), 0.0, 1e-14); // as before: the twist depends on where things are
    rvDestroyWorld(world);
}

// ---- vibrations

typedef struct {
    rvWorld* world;
    rvBodyId a, b;
    rvCableId cable;
} Pair;

// The boxes of Servin and Lacoursiere on a cable of 4 m along `way`, spinning against each other by `spin` in all.
static Pair new_pair(rvStepper stepper, rvCableModel model, rvVec3 way, double c, double spin)
{
    Pair pair = {.world = new_world(stepper)};
    pair.a = new_body(pair.world, rvScale(-3.0, way), rvScale(-0.5 * spin, way));
    pair.b = new_body(pair.world, rvScale(3.0, way), rvScale(0.5 * spin, way));
    rvPlaceDef places[2] = {rvAttachPlace(pair.a, way), rvAttachPlace(pair.b, rvNeg(way))};
    pair.cable = new_cable(pair.world, model, places, 2, 4.0 * c, 0.0);
    return pair;
}

static const rvVec3 ways[] = {{1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}};
enum { WAY_COUNT = sizeof ways / sizeof ways[0] };

static void PrintedStepperIsImplicitEuler(void** state)
{
    (void)state;
    static const double stiffness[] = {10, 1e3, 1e6};
    const double h = 0.01, spin = 0.2;
    for (int k = 0; k < 3 * WAY_COUNT; ++k) {
        Pair pair = new_pair(RV_STEPPER_PAPER, RV_CABLE_MASSLESS, ways[k / 3], stiffness[k % 3], spin);
        double w = sqrt(stiffness[k % 3] * 3.0 / 1000.0);
        double rho = 1.0 / sqrt(1.0 + h * h * w * w), theta = atan(h * w);
        for (int n = 1; n <= 1000; ++n) {
            CHECK_OK(pair.world, rvWorld_Step(pair.world, h));
            double twist = spin / w * pow(rho, n) * sin(n * theta);
            CHECK_NEAR(rvCable_GetTwist(pair.world, pair.cable), twist, 1e-9 * spin / w); // goal of the validation
            CHECK_NEAR(rvCable_GetTwistTorque(pair.world, pair.cable), stiffness[k % 3] * twist,
                       1e-9 * stiffness[k % 3] * spin / w); // the same
        }
        rvDestroyWorld(pair.world);
    }
}

static void SpookKeepsEnergyAndAngle(void** state)
{
    static const double stiffness[] = {10, 1e3, 1e6};
    const double h = 0.01, spin = 0.2;
    for (int k = 0; k < 3; ++k) {
        Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[k], stiffness[k], spin);
        double w = sqrt(stiffness[k] * 3.0 / 1000.0), theta = 2.0 * atan(0.5 * h * w), start = 0.0;
        double first = 0.0;
        for (int n = 1; n <= 10000; ++n) {
            CHECK_OK(pair.world, rvWorld_Step(pair.world, h));
            rvEnergy e = rvWorld_GetEnergy(pair.world);
            double twist = rvCable_GetTwist(pair.world, pair.cable);
            if (n == 1) {
                start = e.kinetic + e.elastic;
                first = twist;
            }
            CHECK_NEAR(e.kinetic + e.elastic, start, 1e-11 * start);                  // round-off of 1e4 steps
            CHECK_NEAR(twist, first * sin(n * theta) / sin(theta), 1e-10 * spin / w); // round-off of 1e4 steps
        }
        rvDestroyWorld(pair.world);
    }
}

// Wound up by 20 turns, it unwinds and winds up the other way; the period does not depend on how far.
static void ManyTurnsAreCounted(void** state)
{
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvBodyId b = new_body(world, rvVec(0, 0, -4), rvVec(0, 0, 0));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(b, rvVec(0, 0, 1))};
    double turns = 40.0 * PI, c = 10.0, w = sqrt(c * 3.0 / 2000.0), h = 0.01, theta = 2.0 * atan(0.5 * h * w);
    rvCableId cable = new_cable(world, model_of(state), places, 2, 3.0 * c, turns);
    CHECK_NEAR(rvCable_GetTwist(world, cable), turns, 1e-13 * turns); // round-off
    for (int n = 1; n <= 6000; ++n) {
        CHECK_OK(world, rvWorld_Step(world, h));
        // at rest before the first step too: phi_-1 = phi_0
        double twist = turns * cos((n + 0.5) * theta) / cos(0.5 * theta);
        // a turn of 0.15 rad a step is right to the seventh order, 2e-9 rad, summed over a swing of 5000 steps
        CHECK_NEAR(rvCable_GetTwist(world, cable), twist, 1e-7 * turns);
    }
    // with the axis down the cable's travel: B turned about -z is positive
    rvQuat q = rvBody_GetPose(world, b).q;
    double seen = -2.0 * atan2(q.z, q.w), twist = rvCable_GetTwist(world, cable) - turns;
    CHECK_NEAR(remainder(seen - twist, 2.0 * PI), 0.0, 1e-11); // the same angle, round-off of the pose
    rvDestroyWorld(world);
}

static void BrokenCablesHaveNoTorsionAndSlackOnesDo(void** state)
{
    Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[0], 1e3, 0.2);
    rvBody_SetPose(pair.world, pair.b, (rvPose){{2.5, 0, 0}, {1, 0, 0, 0}});
    for (int i = 0; i < 50; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    bool elements = model_of(state) == ale || model_of(state) == ancf; // always in motion, with their rows
    assert_true(elements || !rvCable_IsTaut(pair.world, pair.cable));
    assert_true(rvCable_GetTwistTorque(pair.world, pair.cable) > 1.0);
    assert_true(elements || rvWorld_GetStepInfo(pair.world).rows == 2);
    double elastic = rvWorld_GetEnergy(pair.world).elastic;
    assert_true(elastic > 0.1);
    rvCable_Break(pair.world, pair.cable);
    CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    CHECK_NEAR(rvCable_GetTwistTorque(pair.world, pair.cable), 0.0, 0.0);  // none
    CHECK_NEAR(rvCable_GetEnergy(pair.world, pair.cable).twist, 0.0, 0.0); // none
    assert_true(elements || rvWorld_GetEnergy(pair.world).elastic == 0.0);
    assert_int_equal(rvWorld_GetStepInfo(pair.world).rows, 0);
    rvDestroyWorld(pair.world);
}

static void StiffnessOfARodIsThatOfTheExample(void** state)
{
    (void)state;
    // steel, 10 mm: 18.9 N m/rad on 4 m
    CHECK_NEAR(rvTorsionalStiffness(200e9, 0.3, 0.01) / 4.0, 18.9, 0.05); // digits of the example
}

static void BadNumbersAreRefused(void** state)
{
    (void)state;
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef good = rvDefaultCableDef(RV_CABLE_MASSLESS);
    good.places = places;
    good.placeCount = 2;
    rvCableDef bad[3] = {good, good, good};
    bad[0].torsionalStiffness = -1.0;
    bad[1].twistDamping = (double)NAN;
    bad[2].twist = HUGE_VAL;
    rvCableId id;
    for (int i = 0; i < 3; ++i)
        assert_int_equal(rvCreateCable(world, &bad[i], &id), RV_BAD_INPUT);
    rvDestroyWorld(world);
}

// A run goes on bit for bit from an image, turns and all; an image with half a turn's count is refused.
static void ImagesHoldTheTwist(void** state)
{
    Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[3], 10.0, 4.0);
    for (int i = 0; i < 700; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    assert_true(rvCable_GetTwist(pair.world, pair.cable) > 4.0 * PI);
    size_t size = rvWorld_Save(pair.world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(pair.world, image, size);
    for (int i = 0; i < 100; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    uint64_t hash = rvWorld_Hash(pair.world);
    assert_int_equal(rvWorld_Restore(pair.world, image, size), RV_OK);
    for (int i = 0; i < 100; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    assert_true(rvWorld_Hash(pair.world) == hash);
    free(image);
    rvDestroyWorld(pair.world);
}

// The rope swings against a box and lies over its edge: the twist does not jump, and images hold it there too.
static void ContactsDoNotDisturbTheTwist(void** state)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world;
    assert_int_equal(rvCreateWorld(&worldDef, &world, NULL, 0), RV_OK);
    rvBodyDef wallDef = rvDefaultBodyDef();
    wallDef.type = RV_BODY_STATIC;
    wallDef.pose.p = rvVec(1.2, 0, -2.5);
    rvBodyId wall, load = new_body(world, rvVec(-1.5, 0.2, -5), rvVec(0, 0, 0));
    rvShapeId shape;
    assert_int_equal(rvCreateBody(world, &wallDef, &wall), RV_OK);
    rvShapeDef shapeDef = rvDefaultShapeDef(RV_SHAPE_BOX);
    shapeDef.sides = rvVec(2, 2, 1);
    assert_int_equal(rvCreateShape(world, wall, &shapeDef, &shape), RV_OK);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 1))};
    rvCableDef def = new_def(model_of(state));
    def.axialStiffness = 1e7;
    def.damping = 0.02;
    def.torsionalStiffness = 100.0;
    def.twist = 20.0;
    def.collides = true;
    def.places = places;
    def.placeCount = 2;
    rvCableId cable;
    assert_int_equal(rvCreateCable(world, &def, &cable), RV_OK);
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    double before = 20.0;
    int touching = 0;
    for (int i = 0; i < 600; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 0.01));
        double twist = rvCable_GetTwist(world, cable);
        CHECK_NEAR(twist, before, 0.15); // up to 6 rad/s of the load, and the swing; a lost turn would be 6.28
        before = twist;
        touching += rvCable_GetContactCount(world, cable) > 0;
        if (i == 200 || (touching == 5 && rvCable_GetContactCount(world, cable) > 0)) {
            rvWorld_Save(world, image, size);
            for (int k = 0; k < 20; ++k)
                CHECK_OK(world, rvWorld_Step(world, 0.01));
            uint64_t hash = rvWorld_Hash(world);
            assert_int_equal(rvWorld_Restore(world, image, size), RV_OK);
            assert_true(rvCable_GetTwist(world, cable) == twist);
            for (int k = 0; k < 20; ++k)
                CHECK_OK(world, rvWorld_Step(world, 0.01));
            assert_true(rvWorld_Hash(world) == hash);
            assert_int_equal(rvWorld_Restore(world, image, size), RV_OK);
        }
    }
    assert_true(touching > 20);
    free(image);
    rvDestroyWorld(world);
}

// A winch takes in rope under twist: the stiffness GJ/L grows, and the energy comes from the winch.
static void WinchPaysForTheTwistThatItTightens(void** state)
{
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvBodyId b = new_body(world, rvVec(0, 0, -10), rvVec(0, 0, 0));
    rvPlaceDef places[2] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), -0.5), rvAttachPlace(b, rvVec(0, 0, 1))};
    rvCableDef def = new_def(model_of(state));
    def.axialStiffness = 1e5;
    def.damping = 0.0;
    def.torsionalStiffness = 200.0;
    def.twist = 6.0;
    def.places = places;
    def.placeCount = 2;
    rvCableId cable;
    assert_int_equal(rvCreateCable(world, &def, &cable), RV_OK);
    CHECK_OK(world, rvWorld_Step(world, 0.002));
    rvEnergy e = rvWorld_GetEnergy(world);
    double start = e.kinetic + e.elastic - e.work;
    double twistOnly = 0.0, worst = 0.0;
    for (int i = 0; i < 4000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 0.002));
        e = rvWorld_GetEnergy(world);
        worst = fmax(worst, fabs(e.kinetic + e.elastic - e.work - start));
        twistOnly = fmax(twistOnly, rv_twist_energy(&world->cables.items[0], 0.002));
    }
    assert_true(twistOnly > 300.0);
    CHECK_BELOW(worst, 0.01 * twistOnly); // the winch's work is summed with forces of the step: first order in h
    rvDestroyWorld(world);
}

// A bent cable: what it gives the bodies adds up to nothing; a straight one turns its ends about itself.
static void ForcesOnBodiesBalance(void** state)
{
    uint64_t seed = 11;
    for (int kind = STRAIGHT; kind < TO_WORLD; ++kind) {
        Rig rig = new_rig(kind, &seed);
        CHECK_OK(rig.world, rvWorld_Step(rig.world, 0.01));
        rvVec3 force = rvVec(0, 0, 0), torque = rvVec(0, 0, 0);
        for (int i = 0; i < BODY_COUNT; ++i) {
            rvVec3 f, t;
            rvCable_GetForceOn(rig.world, rig.cable, rig.bodies[i], &f, &t);
            force = rvAdd(force, f);
            torque = rvAdd(torque, rvAdd(t, rvCross(rvBody_GetPose(rig.world, rig.bodies[i]).p, f)));
        }
        CHECK_NEAR(rvLength(force), 0.0, 1e-9);  // round-off of some 1e4 N
        CHECK_NEAR(rvLength(torque), 0.0, 1e-8); // and of its torque at 10 m
        rvDestroyWorld(rig.world);
    }
    Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[0], 10.0, 1.0);
    for (int i = 0; i < 10; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    rvVec3 f, t;
    rvCable_GetForceOn(pair.world, pair.cable, pair.b, &f, &t);
    CHECK_NEAR(t.x, -rvCable_GetTwistTorque(pair.world, pair.cable), 1e-15); // round-off
    assert_true(t.x < -0.01);
    rvDestroyWorld(pair.world);
}

// Hooked elsewhere or led through an eye, the rope keeps the twist that it has.
static void RopeKeepsItsTwistWhenReeved(void** state)
{
    Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[0], 10.0, 4.0);
    for (int i = 0; i < 700; ++i)
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
    double twist = rvCable_GetTwist(pair.world, pair.cable);
    assert_true(twist > 4.0 * PI);
    rvPlaceDef eye = rvEyePlace(RV_NULL_BODY, rvVec(0.5, 0.5, 0.5)), end = rvAttachPlace(pair.b, rvVec(-1, 0.2, 0));
    assert_int_equal(rvCable_InsertPlace(pair.world, pair.cable, 1, &eye), RV_OK);
    CHECK_NEAR(rvCable_GetTwist(pair.world, pair.cable), twist, 1e-14 * twist); // round-off
    assert_int_equal(rvCable_SetPlace(pair.world, pair.cable, 2, &end), RV_OK);
    CHECK_NEAR(rvCable_GetTwist(pair.world, pair.cable), twist, 1e-14 * twist); // round-off
    CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.001));
    CHECK_NEAR(rvCable_GetTwist(pair.world, pair.cable), twist, 0.01); // 4 rad/s at most, and the new bends
    rvDestroyWorld(pair.world);
}

// From one model to each other one and on: the twist goes along, and its torque.
static void ChangedModelsKeepTheTwist(void** state)
{
    Pair pair = new_pair(RV_STEPPER_SPOOK, model_of(state), ways[0], 10.0, 4.0);
    const rvCableModel to[] = {ale, ancf, massless, layered};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 100; ++i)
            CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
        double twist = rvCable_GetTwist(pair.world, pair.cable),
               torque = rvCable_GetTwistTorque(pair.world, pair.cable);
        rvCableDef def = new_def(to[k]);
        CHECK_OK(pair.world, rvCable_SetModel(pair.world, pair.cable, &def));
        assert_true(rvCable_GetTwist(pair.world, pair.cable) == twist);
        CHECK_OK(pair.world, rvWorld_Step(pair.world, 0.01));
        CHECK_NEAR(rvCable_GetTwist(pair.world, pair.cable), twist, 4.0 * 0.01); // 4 rad/s at most, a step of it
        CHECK_NEAR(rvCable_GetTwistTorque(pair.world, pair.cable), torque, 10.0 * 0.04); // the same
    }
    rvDestroyWorld(pair.world);
}

// A hose of elements that is clamped out of the line between its ends turns with its ends about the clamps: one that is
// turned about its own clamp by an angle is twisted by it, though no span lies along that.
static void ClampsTurnTheHoseAboutThemselves(void** state)
{
    rvWorld* world = new_world(RV_STEPPER_SPOOK);
    rvVec3 up = rvVec(0.6, 0, 0.8);
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    rvBodyId hand = add_body(world, &def);
    rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(4, 0, 0))};
    places[0].clamped = true;
    places[0].direction = up;
    rvCableDef hose = new_def(model_of(state));
    hose.torsionalStiffness = 5.0;
    rvCableId cable = add_cable_of(world, hose, places, 2);
    for (int i = 1; i <= 100; ++i)
        rvBody_SetPose(world, hand, (rvPose){{0, 0, 0}, rvQuatFromRotation(rvScale(0.1 * i, up))});
    CHECK_NEAR(rvCable_GetTwist(world, cable), -10.0, 1e-12); // round-off
    CHECK_OK(world, rvWorld_Step(world, 1e-3));
    rvCableSection section;
    assert_true(rvCable_GetSection(world, cable, 2.0, &section));
    CHECK_NEAR(section.torque, 5.0 / rvCable_GetRestLength(world, cable) * -10.0, 1e-9); // round-off, nothing moves
    rvDestroyWorld(world);
}

#define OF(model, test)                                                                                                \
    {                                                                                                                  \
#test " of " #model, test, NULL, NULL, &(model)                                                                \
    }
#define OF_ROUTES(test) OF(massless, test), OF(layered, test), OF(ale, test)
#define OF_ALL(test) OF_ROUTES(test), OF(ancf, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(JacobianIsTheSlopeOfTheTwist),
        cmocka_unit_test(RowKeepsBothMomenta),
        cmocka_unit_test(FoldedEndsKeepMomentaToo),
        OF_ALL(TumblingEndsKeepEnergy),
        cmocka_unit_test(WritheIsTheSolidAngleOfTheTangents),
        cmocka_unit_test(PrintedStepperIsImplicitEuler),
        OF_ALL(SpookKeepsEnergyAndAngle),
        OF_ALL(ManyTurnsAreCounted),
        OF_ALL(BrokenCablesHaveNoTorsionAndSlackOnesDo),
        cmocka_unit_test(StiffnessOfARodIsThatOfTheExample),
        cmocka_unit_test(BadNumbersAreRefused),
        OF_ALL(ImagesHoldTheTwist),
        OF_ROUTES(WinchPaysForTheTwistThatItTightens),
        OF_ALL(ForcesOnBodiesBalance),
        OF_ALL(ContactsDoNotDisturbTheTwist),
        OF_ROUTES(RopeKeepsItsTwistWhenReeved),
        OF_ALL(ChangedModelsKeepTheTwist),
        OF(ale, ClampsTurnTheHoseAboutThemselves),
        OF(ancf, ClampsTurnTheHoseAboutThemselves),
    };
    return RUN_TESTS(tests);
}
