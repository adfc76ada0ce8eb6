// SPDX-License-Identifier: MIT
// The delay before a hook lifts off (Fig. 9 of Garcia-Fernandez et al. (Elevation)): the winch first takes in the sag
// of the spans.
#include "cable/string/catenary.h"
#include "world/machines.h"

#define HOOK 500.0
#define STIFFNESS 2e7

// Winch, two eyes, the hook's ear.
static const double xs[] = {-12, 0, 30, 30}, zs[] = {20, 22, 20, 1.5};

// Rope at rest with this tension at the hook: catenaries from the hook back, end tensions equal at the eyes.
static double rope_at(double weight, double hook)
{
    double next = hook, sum = 0.0;
    for (int i = 2; i >= 0; --i) {
        double d = xs[i + 1] - xs[i], z = zs[i + 1] - zs[i], low = 1e-3, high = next + weight * 40.0 + 1.0;
        rvCatenary c = {0};
        for (int k = 0; k < 100; ++k) {
            double middle = 0.5 * (low + high);
            c = rv_catenary_by_tension(d, z, weight, STIFFNESS, middle, 6.0);
            if (rv_catenary_end(&c, weight, 1) > next)
                high = middle;
            else
                low = middle;
        }
        sum += c.length;
        next = rv_catenary_end(&c, weight, 0);
    }
    return sum;
}

// Time until the rope carries the hook [s].
static double lift(double mass, double speed, double length)
{
    rvWorld* world = make_world();
    rvBodyDef floor = rvDefaultBodyDef();
    floor.type = RV_BODY_STATIC;
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    add_shape(world, add_body(world, &floor), &plane);
    rvBodyId hook = add_box(world, HOOK, rvVec(2, 2, 2), rvVec(30, 0, 1));
    add_box_shape(world, hook, rvVec(2, 2, 2));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(xs[0], 0, zs[0]), 0.0),
                           rvEyePlace(RV_NULL_BODY, rvVec(xs[1], 0, zs[1])),
                           rvEyePlace(RV_NULL_BODY, rvVec(xs[2], 0, zs[2])), rvAttachPlace(hook, rvVec(0, 0, 0.5))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = STIFFNESS;
    def.massPerLength = mass;
    def.length = length;
    def.waveDamping = 0.1;
    def.places = places;
    def.placeCount = 4;
    rvCableId rope;
    CHECK_OK(world, rvCreateCable(world, &def, &rope));
    double h = 0.004, time = 0.0, last = 0.0, tension = 0.0;
    for (int i = 0; i < 100; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -speed));
    while (tension < HOOK * GRAVITY && time < 300.0) {
        last = tension;
        CHECK_OK(world, rvWorld_Step(world, h));
        tension = rvCable_GetEndTension(world, rope, 2, 1);
        time += h;
    }
    rvDestroyWorld(world);
    // a step's tension is that of its middle
    return time - 0.5 * h - h * (tension - HOOK * GRAVITY) / (tension - last);
}

static void check_delay(double speed, double share)
{
    const double masses[] = {0.2, 0.5, 1.5, 4.0};
    for (int i = 0; i < 4; ++i) {
        double weight = masses[i] * GRAVITY;
        double start = rope_at(weight, 0.05 * HOOK * GRAVITY), end = rope_at(weight, HOOK * GRAVITY);
        double delay = (start - end) / speed;
        CHECK_NEAR(lift(masses[i], speed, start), delay, share * delay); // asked
    }
}

static void DelayIsThatOfTheSagAtTwentyCentimetresASecond(void** state)
{
    (void)state;
    check_delay(0.2, 0.01);
}

static void DelayIsThatOfTheSagAtTwoCentimetresASecond(void** state)
{
    (void)state;
    check_delay(0.02, 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DelayIsThatOfTheSagAtTwentyCentimetresASecond),
        cmocka_unit_test(DelayIsThatOfTheSagAtTwoCentimetresASecond),
    };
    return RUN_TESTS(tests);
}
