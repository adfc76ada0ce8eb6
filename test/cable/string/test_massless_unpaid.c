// SPDX-License-Identifier: MIT
// Stretch that a light block opens by its turning, and that no force worked for, does not pull.
#include "world/machines.h"
#include "world/world.h"

#define BLOCK 1.0      // [kg]
#define LOAD 20000.0   // [kg]
#define ARM 0.3        // [m]
#define STEP 0.025     // [s]
#define STIFF 1e9      // [N]
#define ROPE 4.0       // [m]
#define SHORT_ROPE 1.0 // [m]

typedef struct {
    rvWorld* world;
    rvBodyId block, load;
    rvCableId above, below;
} Rig;

// A load on a short rope below a block on a long one; both ropes hold the block by arms. The block whirls about a level
// axis at so many radians a second, the load falls at 2 m/s and has 0.1 m to go until its rope is taut.
static Rig make_rig(double spin)
{
    Rig rig = {.world = make_world()};
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = BLOCK;
    def.inertia = rvBoxInertia(BLOCK, rvVec(0.2, 0.2, 0.4));
    def.pose.p = rvVec(0, 0, -ROPE - ARM);
    def.angularVelocity = rvVec(0.3 * spin, spin, 0);
    rig.block = add_body(rig.world, &def);
    def = rvDefaultBodyDef();
    def.mass = LOAD;
    def.inertia = rvBallInertia(LOAD, 1.0);
    def.pose.p = rvVec(0.2, 0, -ROPE - 2.0 * ARM - SHORT_ROPE);
    def.velocity = rvVec(0, 0, -2.0);
    rig.load = add_body(rig.world, &def);
    rvPlaceDef above[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(rig.block, rvVec(0, 0, ARM))};
    rvPlaceDef below[] = {rvAttachPlace(rig.block, rvVec(0, 0, -ARM)), rvAttachPlace(rig.load, rvVec(0, 0, 0))};
    rig.above = add_cable(rig.world, above, 2, STIFF, ROPE);
    rig.below = add_cable(rig.world, below, 2, STIFF, SHORT_ROPE + 0.1);
    return rig;
}

// How much longer a rope is than its tension says [m].
static double beyond(const Rig* rig, rvCableId rope)
{
    double rest = rvCable_GetRestLength(rig->world, rope), tension = rvCable_GetTension(rig->world, rope, 0);
    return rvCable_GetLength(rig->world, rope) - rest * (1.0 + tension / STIFF);
}

static void check_below(double value, double limit, double spin)
{
    if (!(value <= limit)) {
        print_error("spin %g: %g, must be at most %g\n", spin, value, limit);
        fail();
    }
}

static double energy_of(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

static void WhirlingBlocksDoNotThrowTheirLoad(void** state)
{
    (void)state;
    for (double spin = 20.0; spin <= 100.0; spin += 1.0) {
        Rig rig = make_rig(spin);
        CHECK_OK(rig.world, rvWorld_Step(rig.world, STEP));
        double start = energy_of(rig.world), scale = 0.5 * LOAD * 2.0 * 2.0, most = 0.0;
        for (int i = 1; i < 200; ++i) {
            CHECK_OK(rig.world, rvWorld_Step(rig.world, STEP));
            most = fmax(most, energy_of(rig.world) - start);
        }
        check_below(most, 0.01 * scale,
                    spin); // as the sweep of random machines; the step loses more, the rest is round-off
        rvDestroyWorld(rig.world);
    }
}

// What was set apart comes back: in the end a rope is as long as its tension says.
static void RopesAreAsLongAsTheyPullInTheEnd(void** state)
{
    (void)state;
    for (double spin = 20.0; spin <= 100.0; spin += 10.0) {
        Rig rig = make_rig(spin);
        double opened = 0.0, left = 0.0;
        for (int i = 0; i < 800; ++i) {
            CHECK_OK(rig.world, rvWorld_Step(rig.world, STEP));
            double most = fmax(beyond(&rig, rig.above), beyond(&rig, rig.below));
            opened = fmax(opened, most);
            left = i < 600 ? 0.0 : fmax(left, most);
        }
        assert_true(opened > 0.01);
        check_below(left, LOAD * GRAVITY * ROPE / STIFF,
                    spin); // as much as the load stretches it: within a step it may
        rvDestroyWorld(rig.world);
    }
}

// A block of a kilogram hangs on a rope that is stretched by a fiftieth and creeps back: its damping holds most of what
// the stretch pulls with. p + tau p' = 0 but for the weight, so p = p0 e^(-t/tau), and the rope pulls with m (g - p'').
// That is no stretch that never pulled: when it was taken for such, strings of loads were let down by metres and rose
// again from nothing.
static void DampedRopesCreepBack(void** state)
{
    (void)state;
    const double step = 0.002, tau = 0.15, stretch = 0.1, rest = 5.0;
    rvWorld* world = make_world();
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = BLOCK;
    def.inertia = rvBallInertia(BLOCK, 0.1);
    def.pose.p = rvVec(0, 0, -rest - stretch);
    def.velocity = rvVec(0, 0, stretch / tau);
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                           rvAttachPlace(add_body(world, &def), rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_MASSLESS);
    rope.axialStiffness = STIFF;
    rope.length = rest;
    rope.damping = tau;
    rvCableId id = add_cable_of(world, rope, places, 2);
    for (int i = 1; i <= 100; ++i) {
        CHECK_OK(world, rvWorld_Step(world, step));
        double exact = stretch * exp(-i * step / tau), p = rvCable_GetLength(world, id) - rest;
        // the damping of a row is that of the speed at the end of the step: of first order, (1 - h/tau)^i for the power
        // of e
        CHECK_NEAR(p, exact, 0.5 * stretch * step / tau);
        if (i > 1) // the first is that of a velocity that was set
            CHECK_NEAR(rvCable_GetTension(world, id, 0), BLOCK * (GRAVITY - exact / (tau * tau)),
                       2.0 * BLOCK * stretch / (tau * tau) * step / tau); // the same, and half a step on
    }
    // nothing was made: work of the weight and what the stretch held less what it holds are damping's
    CHECK_BELOW(fabs(rvWorld_GetEnergy(world).guard), 1e-9);
    rvDestroyWorld(world);
}

// ---- stretch that is set apart by hand ------------------------------------------------------------------------------

#define HUNG 1000.0   // [kg]
#define SOFT 1e7      // [N]
#define SHORT 0.002   // [s]
#define FALL 0.3      // [s] of free fall make the least scale of the guard
#define APART_FOR 0.5 // [s] in which it comes back

static rvPlaceState* first_place(rvWorld* world)
{
    return &world->cables.items[0].route.places[0].state;
}

static void run(rvWorld* world, rvBodyId load, rvVec3 force, double seconds)
{
    for (int i = 0; i < lround(seconds / SHORT); ++i) {
        CHECK_OK(world, rvBody_ApplyForce(world, load, force, rvBody_GetCenter(world, load)));
        CHECK_OK(world, rvWorld_Step(world, SHORT));
    }
}

// A load on a rope from above, which is `apart` shorter than it looks: so much of it is set apart.
static rvWorld* hang_apart(double apart, bool held, rvBodyId* load)
{
    rvWorld* world = make_world();
    *load = add_ball(world, HUNG, 0.3, rvVec(0, 0, -2));
    hang_on_cable(world, rvVec(0, 0, 0), *load, SOFT, 2.0);
    if (held)
        hang_on_cable(world, rvVec(0, 0, -4), *load, SOFT, 2.0);
    run(world, *load, rvVec(0, 0, 0), 5.0);
    first_place(world)->unpaid = apart;
    first_place(world)->rest -= apart;
    return world;
}

// Between two fixed points nothing moves that could pay. What comes back would store a hundred kilojoules.
static void HeldLoadsOweNoMoreThanTheyMayMoveWith(void** state)
{
    (void)state;
    rvBodyId load;
    rvWorld* world = hang_apart(0.3, true, &load);
    double start = energy_of(world), scale = 0.5 * HUNG * GRAVITY * FALL * GRAVITY * FALL, tension = 0.0;
    for (int i = 0; i < 10; ++i) {
        run(world, load, rvVec(0, 0, 0), 1.0);
        tension = fmax(tension, first_place(world)->tension);
    }
    double part = 0.3 * SHORT / APART_FOR; // what comes back in a step, before it is owed
    CHECK_BELOW(energy_of(world) - start, scale + part * (tension + 0.5 * SOFT / 1.7 * part));
    assert_true(first_place(world)->unpaid > 0.1);
    rvDestroyWorld(world);
}

// A load that hangs still is lifted again by as much as it may owe, m g z = m (g t)^2/2. The rest waits until it moves,
// which pays for some of it, or until the rope is slack.
static void LoadsThatHangLowRiseWhenTheyMove(void** state)
{
    (void)state;
    rvBodyId load;
    const double apart = 0.8, most = 0.5 * GRAVITY * FALL * FALL;
    rvWorld* world = hang_apart(apart, false, &load);
    run(world, load, rvVec(0, 0, 0), 10.0);
    double still = first_place(world)->unpaid;
    CHECK_NEAR(still, apart - most, apart * SHORT / APART_FOR); // what comes back in a step
    run(world, load, rvVec(HUNG * GRAVITY, 0, 0), 4.0);
    double pushed = first_place(world)->unpaid;
    assert_true(pushed < still);
    run(world, load, rvVec(0, 0, 2.0 * HUNG * GRAVITY), 3.0);
    CHECK_NEAR(first_place(world)->unpaid, 0.0, 0.0);
    rvDestroyWorld(world);
    world = hang_apart(0.5 * most, false, &load);
    run(world, load, rvVec(0, 0, 0), 10.0);
    CHECK_BELOW(first_place(world)->unpaid, most * exp(-10.0 / APART_FOR)); // all of it, as it fades
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhirlingBlocksDoNotThrowTheirLoad),
        cmocka_unit_test(RopesAreAsLongAsTheyPullInTheEnd),
        cmocka_unit_test(DampedRopesCreepBack),
        cmocka_unit_test(HeldLoadsOweNoMoreThanTheyMayMoveWith),
        cmocka_unit_test(LoadsThatHangLowRiseWhenTheyMove),
    };
    return RUN_TESTS(tests);
}
