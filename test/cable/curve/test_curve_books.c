// SPDX-License-Identifier: MIT
#include "world/machines.h"

static rvCableDef curve_def(const rvPlaceDef* places, double length, double bending, double mass, bool inSpace)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = 2;
    def.length = length;
    def.elements = 12;
    def.diameter = 0.02;
    def.bendingStiffness = bending;
    def.massPerLength = mass;
    def.torsionalStiffness = inSpace ? 0.8 * bending : 0.0;
    def.plane = inSpace ? rvVec(0, 0, 0) : rvVec(0, 1, 0);
    return def;
}

// A hand shakes and turns a clamped, damped curve with a load on a long arm, at three steps: what the curve did not
// keep is its heat, so all closes but what the turning of the load is off by, and it is the damping's, not the step's.
static void BooksOfAShakenLoadClose(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 1.0 / 240, 1.0 / 60};
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        double heats[3];
        for (int k = 0; k < 3; ++k) {
            rvWorld* world = make_world();
            rvBodyId hand = add_hand(world, rvVec(0, 0, 0)),
                     load = add_box(world, 200.0, rvVec(0.8, 0.8, 0.6), rvVec(0, 0, -10.3));
            rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0.3))};
            places[0].clamped = true;
            places[0].direction = rvVec(0, 0, -1);
            rvCableDef def = curve_def(places, 10.0, 500.0, 1.2, inSpace);
            def.waveDamping = 2.0;
            CHECK_OK(world, rvCreateCable(world, &def, NULL));
            double start = energy_books(world), off = 0.0, worked = 0.0, h = steps[k];
            for (int i = 1; i <= lround(6.0 / h); ++i) {
                double t = fmin(i * h, 3.0);
                rvPose pose = rvPoseIdentity();
                pose.p = rvVec(1.0 - cos(1.5 * t), inSpace ? 0.3 * sin(2.1 * t) : 0.0, 0.1 * (1.0 - cos(5.0 * t)));
                pose.q = rvQuatFromRotation(rvVec(0, 0.1 * (1.0 - cos(1.1 * t)), 0));
                CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
                CHECK_OK(world, rvWorld_Step(world, h));
                off = fmax(off, fabs(energy_books(world) - start));
                worked = fmax(worked, rvWorld_GetEnergy(world).work);
            }
            assert_true(worked > 500.0);
            CHECK_BELOW(off, 1e-3 * worked); // a tenth of a percent, as of all machines
            heats[k] = rvWorld_GetEnergy(world).dampingHeat;
            assert_true(heats[k] > 0.02 * worked);
            rvDestroyWorld(world);
        }
        // the damped motions, below 40 rad/s, are resolved to (h w)^2/12 at the coarsest
        CHECK_NEAR(heats[1], heats[0], 0.04 * heats[0]);
        CHECK_NEAR(heats[2], heats[0], 0.1 * heats[0]);
    }
}

// A hand twists a straight wire to and fro, far slower than the wire's own twist: torque and angle go with each other,
// so that the mean of the torques at both ends of a step times its turn is what is stored, and the work is that,
// whatever the hand's acceleration is. By the mean of two velocities it would be off by (w h)^2/8 of the largest, 4e-3.
static void WorkOfATwistIsStored(void** state)
{
    (void)state;
    const double w = 9.0, h = 0.02, stiffness = 0.4, length = 2.0;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_hand(world, rvVec(length, 0, 0));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    for (int i = 0; i < 2; ++i) {
        places[i].clamped = true;
        places[i].direction = rvVec(1, 0, 0);
    }
    rvCableDef def = curve_def(places, length, 0.5, 0.5, true);
    def.torsionalStiffness = stiffness;
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    double most = 0.0, off = 0.0, start = 0.0;
    for (int i = 1; i <= 150; ++i) {
        rvPose pose = {rvVec(length, 0, 0), rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.4 * (1.0 - cos(w * h * i)))};
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy e = rvWorld_GetEnergy(world);
        most = fmax(most, e.elastic);
        double left = e.elastic + e.kinetic - e.work;
        if (i == 5) // what the first step, of implicit Euler, took
            start = left;
        off = i < 5 ? 0.0 : fmax(off, fabs(left - start));
    }
    CHECK_NEAR(most, 0.5 * stiffness / length * 0.64, 0.01 * most); // read at middles of steps: (w h)^2/4
    CHECK_BELOW(off, w * w * h * h / 32.0 * most); // a quarter of it: the step damps the wire's own twist
    rvDestroyWorld(world);
}

// A hand presses a bent wire and goes on at once, at the same speed: what it gives by the force that stood before is
// that times its whole way, from the first step on; what jumps is a blow of next to no mass. So nothing but the blow's
// half is heat. (Half of the first step's way was not read: the guard took what seemed to come from nothing out of the
// motion.)
static void HandThatStartsWorksAlongItsWay(void** state)
{
    (void)state;
    const double h = 0.01, speed = 0.05;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(0.7, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = curve_def(places, 1.0, 1.0, 0.01, inSpace);
        def.bulge = rvVec(0, 0, 1);
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        double before = 0.0;
        for (int i = 0; i < 12; ++i) {
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(0.7 - fmax(0.0, i - 1) * h * speed, 0, 0);
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, h));
            rvEnergy e = rvWorld_GetEnergy(world);
            if (i > 2) // energies are read half a step late
                CHECK_NEAR(e.heat, 0.0, 0.5 * 0.01 * speed * speed + 1e-3 * (e.work - before)); // blow; order of steps
            before = e.work;
        }
        assert_true(before > 9.0 * 10.0 * h * speed); // more than pi^2 EI/l^2 over ten steps
        rvDestroyWorld(world);
    }
}

// A hand draws a curve of a kilogram through what slows it down: drag times mass times speed, all of it work and heat.
static void DragIsHeat(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvFreePlace(rvVec(-2, 0, 0))};
        rvCableDef def = curve_def(places, 2.0, 0.5, 0.5, inSpace);
        def.waveDamping = 3.0;
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0.7, 0, 0), rvVec(0, 0, 0)));
        run_world(world, 0.005, 1.0);
        double heat = rvWorld_GetEnergy(world).dampingHeat, work = rvWorld_GetEnergy(world).work,
               start = energy_books(world);
        run_world(world, 0.005, 1.0);
        double rate = 3.0 * 1.0 * 0.7 * 0.7;
        CHECK_NEAR(rvWorld_GetEnergy(world).dampingHeat - heat, rate, 1e-9 * rate); // it is steady: round-off
        CHECK_NEAR(rvWorld_GetEnergy(world).work - work, rate, 1e-9 * rate);
        CHECK_NEAR(energy_books(world), start, 1e-12);
        rvDestroyWorld(world);
    }
}

// A hand that moves already draws a kilogram along, at once or after a rest: the impulse m v is counted once, and half
// of its work m v^2 is heat.
static void StartOfAHandIsCountedOnce(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvFreePlace(rvVec(-2, 0, 0))};
        rvCableDef def = curve_def(places, 2.0, 0.5, 0.5, k & 1);
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        if (k & 2)
            run_world(world, 0.005, 0.1);
        CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0.7, 0, 0), rvVec(0, 0, 0)));
        double impulse = 0.0;
        for (int i = 0; i < 20; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 0.005));
            rvVec3 force, torque;
            rvBody_GetWrench(world, hand, &force, &torque);
            impulse -= 0.005 * force.x;
        }
        CHECK_NEAR(impulse, 0.7, 1e-9); // round-off
        CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.5 * 0.7 * 0.7, 1e-9);
        CHECK_NEAR(rvWorld_GetEnergy(world).work, 0.7 * 0.7, 1e-9);
        CHECK_NEAR(rvWorld_GetEnergy(world).heat, 0.5 * 0.7 * 0.7, 1e-9);
        rvDestroyWorld(world);
    }
}

// A hand lets go of a thread that hangs from it, and takes hold again when its end is a centimetre away: what draws it
// back is work of the hand, nothing else comes of it.
static void TakingHoldFromAsideIsWork(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1.9, 0, 0))};
        rvCableDef def = curve_def(places, 2.0, 0.5, 0.5, inSpace);
        rvCableId id;
        CHECK_OK(world, rvCreateCable(world, &def, &id));
        run_world(world, 0.005, 0.1);
        CHECK_OK(world, rvCable_SetHeld(world, id, 0, false));
        run_world(world, 0.005, 0.03);
        rvEnergy before = rvWorld_GetEnergy(world);
        CHECK_OK(world, rvCable_SetHeld(world, id, 0, true));
        double books = energy_books(world), start = before.kinetic + before.potential + before.elastic, most = 0.0;
        for (int i = 0; i < 40; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 0.005));
            rvEnergy e = rvWorld_GetEnergy(world);
            most = fmax(most, e.kinetic + e.potential + e.elastic - e.work - start + before.work);
            CHECK_NEAR(energy_books(world), books, 1e-9); // round-off
        }
        rvEnergy after = rvWorld_GetEnergy(world);
        assert_true(after.work - before.work > 0.01);         // a kilogram, half of which comes up by millimetres
        CHECK_BELOW(most, 1e-3 * (after.work - before.work)); // the guard's bound is 5e-3 of what moves
        rvDestroyWorld(world);
    }
}

// Left to itself, undamped and drawn aside by 0.3 rad, it turns nothing into heat.
static void UndampedSwingMakesNoHeat(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 100.0, 0.3, rvVec(5.0 * sin(0.3), 0, -5.0 * cos(0.3)));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = curve_def(places, 5.0, 0.1, 0.5, inSpace);
        def.damping = 0.0;
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        double swing = 100.0 * GRAVITY * 5.0 * (1.0 - cos(0.3)), start = energy_books(world);
        run_world(world, 1e-3, 10.0);
        CHECK_BELOW(fabs(energy_books(world) - start), 1e-9 * 100.0 * GRAVITY * 5.0); // round-off
        // the middle of a step is read by its ends: (h w)^2/8 of the swing, w 1.4 rad/s; 1e-4 holds for steps of 20 ms
        CHECK_BELOW(fabs(rvWorld_GetEnergy(world).heat), 1e-4 * swing);
        rvDestroyWorld(world);
    }
}

// A peg presses slowly on a curve by a contact that gives and goes back: what its spring stores is no heat.
static void PressedContactsAreNoHeat(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = 0.05;
    shape.length = 0.5;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.57079632679489662);
    shape.frame.p = rvVec(0.5, 0, -0.06);
    shape.friction = 0.0;
    add_shape(world, hand, &shape);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    places[0].clamped = places[1].clamped = true;
    places[0].direction = places[1].direction = rvVec(1, 0, 0);
    rvCableDef def = curve_def(places, 1.001, 5.0, 0.05, false);
    def.bulge = rvVec(0, 0, 1);
    def.collides = true;
    def.friction = 0.0;
    def.damping = 0.05; // so slow that it follows
    def.contactStiffness = 200.0;
    CHECK_OK(world, rvCreateCable(world, &def, NULL));
    run_world(world, 2e-3, 1.0);
    double before = rvWorld_GetEnergy(world).heat, start = energy_books(world), stored = 0.0;
    for (int i = 1; i <= 5000; ++i) { // up and down again in ten seconds
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(0, 0, 0.025 * (1.0 - cos(6.283185307179586 * i / 5000)));
        CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
        CHECK_OK(world, rvWorld_Step(world, 2e-3));
        stored = fmax(stored, rvWorld_GetEnergy(world).elastic);
    }
    double heat = rvWorld_GetEnergy(world).heat - before;
    CHECK_NEAR(energy_books(world), start, 1e-12);
    CHECK_BELOW(fabs(heat), 0.01 * stored); // damped within 0.05 s of a motion of ten: 2 pi 0.05/10, squared, twice
    rvDestroyWorld(world);
}

// A light hook between a curve and a sling, or four, with two tons on them, drawn aside; `drop`: they fall so far into
// the sling.
static rvBodyId hang_hook(rvWorld* world, double mass, int slings, double drop, bool inSpace)
{
    rvBodyId hook = add_box(world, mass, rvVec(0.15, 0.15, 0.2), rvVec(0, 0, 0));
    rvBodyId load = add_box(world, 2000.0, rvVec(4, 2, 1), rvVec(0, 0, drop - 5.0));
    for (int i = 0; i <= slings; ++i) {
        rvVec3 corner = slings == 1 ? rvVec(0, 0, 0.5) : rvVec(i > 2 ? -2 : 2, i % 2 ? 1 : -1, 0.5);
        rvPlaceDef hoist[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0.5, 0, 10)), rvAttachPlace(hook, rvVec(0, 0, 0.1))};
        rvPlaceDef sling[2] = {rvAttachPlace(hook, rvVec(0, 0, -0.1)), rvAttachPlace(load, corner)};
        rvCableDef def = curve_def(i == 0 ? hoist : sling, i > 0 && drop > 0.0 ? 4.4 : -1.0, 5.0, 1.5, inSpace);
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
    }
    return load;
}

// The arms of a hook that turns by most of a radian in a step follow the passes, and where a force jumps nothing is
// left of the torques of before: with either of the two missing hooks of all these masses made kilojoules at the frame
// rate.
static void LightHookMakesNoEnergy(void** state)
{
    (void)state;
    static const struct {
        int slings;
        double drop;
        bool inSpace;
    } kinds[] = {{1, 0.0, false}, {1, 0.0, true}, {4, 0.0, true}, {1, 0.5, false}, {1, 0.5, true}};
    static const double masses[] = {10.0, 1.0, 0.1}, steps[] = {1.0 / 30, 1.0 / 60};
    for (int k = 0; k < 30; ++k) {
        double drop = kinds[k % 5].drop, h = steps[k / 5 % 2];
        rvWorld* world = make_world();
        rvBodyId load = hang_hook(world, masses[k / 10], kinds[k % 5].slings, drop, kinds[k % 5].inSpace);
        double start = rvWorld_GetEnergy(world).potential, books = energy_books(world), deepest = 0.0;
        for (int i = 0; i < lround(6.0 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            rvEnergy e = rvWorld_GetEnergy(world);
            // what moves is at least 0.6 % of what the load would fall by the length of its ropes: the swing's
            double scale = 2000.0 * GRAVITY * (0.006 * 14.5 + drop);
            CHECK_BELOW(e.kinetic + e.potential + e.elastic - start, 1e-3 * scale);
            CHECK_BELOW(fabs(energy_books(world) - books),
                        0.02 * scale); // what passes leave at the arms, as of all machines
            deepest = fmax(deepest, -rvBody_GetPose(world, load).p.z);
        }
        // it swings by 0.5 m on 15 m of rope: 12 mm; a step of the fall is h v = 0.1 m, of which half may be missed
        CHECK_NEAR(deepest, 5.0125, drop > 0.0 ? 0.05 : 0.003);
        rvDestroyWorld(world);
    }
}

// 20 kg fall 7 m past the hand into a rope that stretches and is damped by more than a step: of a whip that turns by a
// radian in a step no rate of the stretch is left that the damper would carry into strain.
static void CatchByADampedRopeIsHeat(void** state)
{
    (void)state;
    static const double steps[] = {0.008, 0.02, 1.0 / 30};
    for (int k = 0; k < 6; ++k) {
        double h = steps[k % 3], most = 0.0, drop = 0.0;
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(1.01, 0, 0)),
                 load = add_box(world, 20.0, rvVec(0.2, 0.2, 0.2), rvVec(0, 0, 0));
        rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = curve_def(places, 7.0, 0.05, 0.05, k >= 3);
        def.elements = 60;
        def.axialStiffness = 2e6;
        def.damping = 0.02;
        CHECK_OK(world, rvCreateCable(world, &def, NULL));
        for (int i = 0; i < lround(1.6 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double heat = rvWorld_GetEnergy(world).dampingHeat;
            most = fmax(most, heat);
            drop = fmax(drop, most - heat);
        }
        double fall = 20.0 * GRAVITY * 7.0;
        assert_true(most > 0.8 * fall); // it is caught
        CHECK_BELOW(drop, 0.01 * fall); // what the guard lets steps make, 0.5 %, read by bodies over four of them
        rvDestroyWorld(world);
    }
}

// Two loads hang on a thread over two hands, too short for its corners, which throws them. When the hands have let go
// nothing holds it, and whatever is still owed for that, all falls freely.
static void NothingIsTakenFromAFreeFall(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 5e-3, 1.0 / 60};
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_world();
        rvBodyId loads[2] = {add_box(world, 0.3, rvVec(0.1, 0.1, 0.1), rvVec(-0.103, 0, -0.6)),
                             add_box(world, 0.4, rvVec(0.1, 0.1, 0.1), rvVec(0.103, 0, -0.4))};
        rvPlaceDef places[4] = {rvAttachPlace(loads[0], rvVec(0, 0, 0)),
                                rvAttachPlace(add_hand(world, rvVec(-0.103, 0, 0.113)), rvVec(0, 0, 0)),
                                rvAttachPlace(add_hand(world, rvVec(0.103, 0, 0.113)), rvVec(0, 0, 0)),
                                rvAttachPlace(loads[1], rvVec(0, 0, 0))};
        rvCableDef def = curve_def(places, rvDefaultCableDef(RV_CABLE_CURVE).length, 1e-4, 0.01, false);
        def.placeCount = 4;
        def.elements = 50;
        def.diameter = 4e-3;
        def.damping = 2e-3;
        rvCableId id;
        CHECK_OK(world, rvCreateCable(world, &def, &id));
        run_world(world, steps[k], 0.1);
        for (int place = 1; place <= 2; ++place)
            CHECK_OK(world, rvCable_SetHeld(world, id, place, false));
        run_world(world, steps[k], 0.1);
        double before = 0.0, after = 0.0, start = rvWorld_GetTime(world);
        for (int i = 0; i < 2; ++i)
            before += (i == 0 ? 3.0 : 4.0) / 7.0 * rvBody_GetVelocity(world, loads[i]).z;
        run_world(world, steps[k], 0.5);
        for (int i = 0; i < 2; ++i)
            after += (i == 0 ? 3.0 : 4.0) / 7.0 * rvBody_GetVelocity(world, loads[i]).z;
        double fall = 9.81 * (rvWorld_GetTime(world) - start);
        CHECK_NEAR(before - after, fall, 0.02 * fall); // the thread has a fiftieth of the mass, and moves in itself
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BooksOfAShakenLoadClose),
        cmocka_unit_test(HandThatStartsWorksAlongItsWay),
        cmocka_unit_test(DragIsHeat),
        cmocka_unit_test(StartOfAHandIsCountedOnce),
        cmocka_unit_test(TakingHoldFromAsideIsWork),
        cmocka_unit_test(UndampedSwingMakesNoHeat),
        cmocka_unit_test(PressedContactsAreNoHeat),
        cmocka_unit_test(LightHookMakesNoEnergy),
        cmocka_unit_test(CatchByADampedRopeIsHeat),
        cmocka_unit_test(NothingIsTakenFromAFreeFall),
        cmocka_unit_test(WorkOfATwistIsStored),
    };
    return RUN_TESTS(tests);
}
