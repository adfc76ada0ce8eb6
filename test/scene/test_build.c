// SPDX-License-Identifier: MIT
// The scenes of scenes/ do what they say.
#include "scene_text.h"

typedef struct {
    rvScene* scene;
    rvWorld* world;
    int steps; // taken
} Play;

static Play play(const char* name)
{
    char path[400], error[4000];
    Play p = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", REEVE_SCENES, name);
    assert_int_equal(rvScene_LoadFile(path, NULL, &p.scene, error, sizeof error), RV_OK);
    p.world = build_good(p.scene);
    return p;
}

static void play_until(Play* p, double time)
{
    double h = rvScene_GetStep(p->scene);
    for (; (p->steps + 0.5) * h < time; ++p->steps) {
        assert_int_equal(rvScene_Apply(p->scene, p->world, p->steps * h, h), RV_OK);
        assert_int_equal(rvWorld_Step(p->world, h), RV_OK);
    }
}

static void stop(Play* p)
{
    rvDestroyWorld(p->world);
    rvScene_Destroy(p->scene);
}

static rvVec3 position(const Play* p, const char* body)
{
    return rvBody_GetPose(p->world, rvScene_FindBody(p->scene, body)).p;
}

static double tension(const Play* p, const char* cable)
{
    return rvCable_GetTension(p->world, rvScene_FindCable(p->scene, cable), 0);
}

static void AtwoodFallsWithAThirdOfG(void** state)
{
    (void)state;
    Play p = play("atwood");
    play_until(&p, 1.5);
    rvVec3 v = rvBody_GetVelocity(p.world, rvScene_FindBody(p.scene, "heavy"));
    CHECK_NEAR(v.z, -9.81 / 3.0 * 1.5, 1e-3);     // what is left of the start's jerk after 1.5 s of damping
    CHECK_NEAR(tension(&p, "rope"), 13.08, 1e-2); // the same
    stop(&p);
}

static void TackleCarriesAQuarter(void** state)
{
    (void)state;
    Play p = play("tackle");
    play_until(&p, 12.0);
    // 14 m of rope over four falls; the rope's stretch of 4 mm a fall and the slant of the falls
    CHECK_NEAR(position(&p, "load").z, 0.5 + 14.0 / 4.0, 0.01);
    CHECK_NEAR(tension(&p, "tackle"), 1000.0 * 9.81 / 4.0, 50.0); // the last bounce: 2 %
    stop(&p);
}

static void PendulumSwingsAsTheorySays(void** state)
{
    (void)state;
    Play p = play("pendulum");
    double before = position(&p, "load").x, h = rvScene_GetStep(p.scene), crossings[2] = {0};
    int count = 0;
    // times at which it passes the middle from right to left
    while (count < 2 && p.steps < 2000) {
        play_until(&p, (p.steps + 1) * h);
        double now = position(&p, "load").x;
        if (before > 0.0 && now <= 0.0)
            crossings[count++] = (p.steps - now / (now - before)) * h;
        before = now;
    }
    assert_int_equal(count, 2);
    // 30 degrees: 1.017409 times 2 pi sqrt(L/g); the stretch of 4 mm in 10 m makes 2e-4 of it
    CHECK_NEAR((crossings[1] - crossings[0]) / (1.017409 * 2.0 * 3.14159265358979 * sqrt(10.0 / 9.81)), 1.0, 5e-4);
    stop(&p);
}

static void ElevatorGoesUpAndDown(void** state)
{
    (void)state;
    Play p = play("elevator");
    play_until(&p, 15.0);
    CHECK_NEAR(position(&p, "car").z, 1.2 + 15.0, 0.05); // the winch took in 15 m; stretch of the rope
    play_until(&p, 30.0);
    CHECK_NEAR(position(&p, "car").z, 1.2, 0.05); // the same
    stop(&p);
}

static void CraneLiftsMovesAndSetsDown(void** state)
{
    (void)state;
    Play p = play("crane");
    play_until(&p, 25.0);
    assert_true(position(&p, "container").z > 10.0);
    CHECK_NEAR(tension(&p, "hoist"), 0.5 * 8300.0 * 9.81, 0.02 * 40711.0); // two falls; the swing's 2 %
    play_until(&p, 48.0);
    rvVec3 end = position(&p, "container");
    CHECK_NEAR(end.z, 1.3, 0.005);             // on the ground; contacts give way by less than a millimetre
    CHECK_NEAR(end.x, 25.25 * cos(0.55), 0.3); // 31.5 degrees and 5.25 m further out; the swing
    CHECK_NEAR(end.y, 25.25 * sin(0.55), 0.3); // the same
    assert_false(rvCable_IsTaut(p.world, rvScene_FindCable(p.scene, "sling1")));
    stop(&p);
}

static void StackStaysForAMinute(void** state)
{
    (void)state;
    Play p = play("stack");
    play_until(&p, 2.0);
    rvVec3 top = position(&p, "box10");
    CHECK_NEAR(top.z, 24.7, 5e-4); // ten contacts give way by 10 to 30 micrometres each
    play_until(&p, 60.0);
    CHECK_BELOW(rvDistance(position(&p, "box10"), top), 1e-9); // at rest: round-off
    CHECK_BELOW(rvWorld_GetEnergy(p.world).kinetic, 1e-12);    // the same
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AtwoodFallsWithAThirdOfG),   cmocka_unit_test(TackleCarriesAQuarter),
        cmocka_unit_test(PendulumSwingsAsTheorySays), cmocka_unit_test(ElevatorGoesUpAndDown),
        cmocka_unit_test(CraneLiftsMovesAndSetsDown), cmocka_unit_test(StackStaysForAMinute),
    };
    return RUN_TESTS(tests);
}
