// SPDX-License-Identifier: MIT
// Stacks stand: light and heavy, askew, light under heavy, from a gram to thirty tonnes.
#include "check.h"
#include "reeve/reeve.h"

static const double G = 9.81;

enum { MOST = 10 };

typedef struct {
    int count;
    double mass, ratio;    // every second box weighs ratio times the mass
    double offset, yaw;    // up to so far off the middle [m] and turned [rad]
    rvVec3 sides;          // of a box [m]
    double h, settle, run; // step, time to settle, time that it must stay for [s]
} Pile;

typedef struct {
    rvWorld* world;
    rvBodyId boxes[MOST];
    double weight; // [N]
} Built;

static void check(rvWorld* world, rvStatus status)
{
    if (status != RV_OK)
        fail_msg("%s", rvWorld_GetError(world));
}

static Built build(const Pile* pile)
{
    Built built = {0};
    rvWorldDef def = rvDefaultWorldDef();
    assert_int_equal(rvCreateWorld(&def, &built.world, NULL, 0), RV_OK);
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    rvBodyId groundId;
    check(built.world, rvCreateBody(built.world, &ground, &groundId));
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE), box = rvDefaultShapeDef(RV_SHAPE_BOX);
    rvShapeId shape;
    check(built.world, rvCreateShape(built.world, groundId, &plane, &shape));
    box.sides = pile->sides;
    for (int i = 0; i < pile->count; ++i) {
        rvBodyDef body = rvDefaultBodyDef();
        body.mass = i % 2 == 1 ? pile->ratio * pile->mass : pile->mass;
        body.inertia = rvBoxInertia(body.mass, pile->sides);
        body.pose.p = rvVec(pile->offset * (i % 3 - 1), pile->offset * (i % 2), pile->sides.z * (i + 0.5));
        body.pose.q = rvQuatFromRotation(rvVec(0, 0, 0.5 * pile->yaw * (i % 5 - 2)));
        check(built.world, rvCreateBody(built.world, &body, &built.boxes[i]));
        check(built.world, rvCreateShape(built.world, built.boxes[i], &box, &shape));
        built.weight += body.mass * G;
    }
    return built;
}

static void run(rvWorld* world, double h, double seconds)
{
    int steps = (int)lround(seconds / h);
    for (int i = 0; i < steps; ++i)
        check(world, rvWorld_Step(world, h));
}

static void check_stays(const Pile* pile)
{
    Built built = build(pile);
    run(built.world, pile->h, pile->settle);
    rvVec3 start[MOST];
    for (int i = 0; i < pile->count; ++i)
        start[i] = rvBody_GetPose(built.world, built.boxes[i]).p;
    double top = start[pile->count - 1].z - pile->sides.z * (pile->count - 0.5);
    CHECK_NEAR(top, 0.0, 1.5e-3); // ten of 30 t: 55 weights on four points of 2e-10 m/N each, and the overlaps at rest
    run(built.world, pile->h, pile->run);
    for (int i = 0; i < pile->count; ++i) // what is left of the rocking of the heaviest; the others are at round-off
        CHECK_BELOW(rvDistance(start[i], rvBody_GetPose(built.world, built.boxes[i]).p), 2e-4);
    CHECK_BELOW(rvWorld_GetEnergy(built.world).kinetic, 1e-6 * fmin(1.0, pile->mass)); // at rest
    rvContactPoint points[8 * MOST];
    int count = rvWorld_GetContacts(built.world, points, 8 * MOST);
    double force = 0.0;
    for (int i = 0; i < count; ++i)
        force += points[i].point.z < 0.1 * pile->sides.z ? points[i].force : 0.0;
    CHECK_NEAR(force, built.weight, 1e-6 * built.weight);         // in balance
    assert_int_equal(rvWorld_GetStepInfo(built.world).pivots, 1); // warm start: the bounds of the last step hold
    rvDestroyWorld(built.world);
}

static const rvVec3 Container = {6.06, 2.44, 2.6};

static void TenContainersStayForAMinute(void** state)
{
    (void)state;
    const double masses[3] = {100, 4000, 30000};
    for (int i = 0; i < 3; ++i) {
        check_stays(&(Pile){10, masses[i], 1, 0.0, 0.0, Container, 1.0 / 60, 4, 60});
        check_stays(&(Pile){10, masses[i], 1, 0.1, 0.1, Container, 1.0 / 60, 4, 60});
        check_stays(&(Pile){10, masses[i], 1, 0.05, 1.2, Container, 1.0 / 60, 4, 60});
    }
}

static void TenContainersStayAtAQuarterOfTheStep(void** state)
{
    (void)state;
    check_stays(&(Pile){10, 4000, 1, 0.0, 0.0, Container, 1.0 / 240, 4, 10});
    check_stays(&(Pile){10, 30000, 1, 0.1, 0.1, Container, 1.0 / 240, 6, 14});
}

static void HeavyContainersStayOnLightOnes(void** state)
{
    (void)state;
    check_stays(&(Pile){10, 1000, 10, 0.0, 0.0, Container, 1.0 / 60, 4, 60});
    check_stays(&(Pile){10, 1000, 10, 0.05, 0.1, Container, 1.0 / 60, 4, 60});
    check_stays(&(Pile){2, 100, 300, 0.05, 0.1, Container, 1.0 / 60, 4, 10});
}

static void BodiesFromAGramToThirtyTonnesRest(void** state)
{
    (void)state;
    const double masses[6] = {0.001, 0.1, 1, 50, 1000, 30000};
    for (int i = 0; i < 6; ++i)
        for (int count = 1; count <= 5; count += 4) {
            double side = 0.1 * cbrt(masses[i]); // as heavy as water
            check_stays(&(Pile){count, masses[i], 1, 0.05 * side, 0.2, {side, side, side}, 1.0 / 60, 4, 4});
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TenContainersStayForAMinute),
        cmocka_unit_test(TenContainersStayAtAQuarterOfTheStep),
        cmocka_unit_test(HeavyContainersStayOnLightOnes),
        cmocka_unit_test(BodiesFromAGramToThirtyTonnesRest),
    };
    return RUN_TESTS(tests);
}
