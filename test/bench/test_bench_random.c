// SPDX-License-Identifier: MIT
// Random machines never explode, 10 s of 400, nor do 100 on ropes with mass, 500 loads on bridles, 60 machines that are
// re-routed and 100 hoists of rope that flows; thousands and longer runs by `reeve bench random`.
#include "check.h"

#include "random/machine.h"

#define MOST_GROWTH 0.01 // of the energy above the lowest place in reach, with the work done

// Runs it and destroys its world. False: it gains energy, which is told.
static bool holds(rvRandomMachine machine, uint64_t number, double seconds)
{
    assert_false(machine.failed);
    rvGrowth growth = rv_random_machine_run(&machine, (rvRandomRun){.seconds = seconds});
    if (!(growth.grown <= MOST_GROWTH))
        print_error("machine %llu:%s, h %.12g: energy grows by %.3g at %g s\n", (unsigned long long)number,
                    machine.kind, machine.h, growth.grown, growth.when);
    rvDestroyWorld(machine.world);
    return growth.grown <= MOST_GROWTH;
}

static void check_family(rvRandomMachine make(uint64_t number), uint64_t first, uint64_t last, double seconds)
{
    int failed = 0;
    for (uint64_t n = first; n <= last; ++n)
        failed += !holds(make(n), n, seconds);
    assert_int_equal(failed, 0);
}

static void RandomMachinesNeverExplode(void** state)
{
    (void)state;
    check_family(rv_random_machine, 1, 400, 10.0);
}

// On ropes with mass. The single ones: light bodies between stiff ropes, which turn by a radian in a step (105, 153),
// an eye that drags (113), a light string (134), a block that falls off its rope (199): up to three times their energy.
// A bight that friction holds (862), one that rope is drawn out of over a wheel (494, 731), soft rope that slips while
// it is stretched to twice its length (879): 1.4 to 8.4 %. Rope whose damping lasts for more than a step and that was
// read with more than was put into it (851, 1624, 1716): 1.2 to 15 %, but no more than it pulls with either (2432).
// 1903, 2034: below.
static void MachinesOnRopesWithMassNeverGainEnergy(void** state)
{
    (void)state;
    check_family(rv_random_heavy, 1, 100, 10.0);
    static const uint64_t numbers[] = {105, 113, 134, 153, 199, 494, 731, 851, 862, 879, 1624, 1716, 1903, 2034, 2432};
    for (int i = 0; i < 15; ++i)
        check_family(rv_random_heavy, numbers[i], numbers[i], 10.0);
}

static void put_in_thin_air(rvRandomMachine* machine)
{
    for (int k = 0; k < machine->ropeCount; ++k) {
        rvCableDef def;
        assert_int_equal(rvCable_GetDef(machine->world, machine->ropes[k], &def), RV_OK);
        def.fluidDensity = 1e-9;
        assert_int_equal(rvCable_SetModel(machine->world, machine->ropes[k], &def), RV_OK);
    }
}

// The same in air so thin that it does nothing: what fluid does to ropes is in the books of the guard, too.
static void MachinesInThinAirNeverGainEnergy(void** state)
{
    (void)state;
    rvRandomMachine machine = rv_random_heavy(105); // without the guard 24 %
    put_in_thin_air(&machine);
    assert_true(holds(machine, 105, 10.0));
}

// What the guard takes in 10 s, of what the machine can fall by.
static double taken_from(rvRandomMachine* machine)
{
    assert_false(machine->failed);
    double start = rvWorld_GetEnergy(machine->world).potential;
    rv_random_machine_run(machine, (rvRandomRun){.seconds = 10.0});
    double taken = rvWorld_GetEnergy(machine->world).guard / (start - machine->lowest);
    rvDestroyWorld(machine->world);
    return taken;
}

// Waves of rope that is dragged over an eye did not take the tension of the stretch that they make, and swung until
// they threw the load (113, also in thin air, and 1903). A row of such a rope that comes taut was led to the pull of
// bodies that nothing moves, for it was not asked how light they are (2034). Sag that a wheel with inertia draws rope
// out of was taken for one that stays, and what that seemed to make stopped the waves beside a block for ever, which
// felt their mass a step late from then on and shook (56). The guard took half to three times of what there was, and
// some of it came too late for it: 4 % to a million times. Whatever the last bit does, a tenth is far from that.
static void RopeBesideEyesAndWheelsNeedsNoGuard(void** state)
{
    (void)state;
    static const uint64_t numbers[] = {56, 113, 113, 1903, 2034};
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 4; ++k) {
            rvRandomMachine machine = rv_random_heavy(numbers[i]);
            machine.h *= 1.0 + 1e-9 * k;
            if (i == 2)
                put_in_thin_air(&machine);
            CHECK_BELOW(taken_from(&machine), 0.1);
        }
}

static void RandomHoistsNeverGainEnergy(void** state)
{
    (void)state;
    check_family(rv_random_hoist, 1, 100, 10.0);
}

// A winch whose work was booked a step after the blow that it gave (57, 179), a guard that stopped rope below a load
// that went on (74, 342), and steps that did not settle: rope put back to where its winch has it (699), held where
// friction cannot hold it (640), with ends a hundred times as fast as their bodies (717).
static void HoistsOfStiffLightRopeNeverGainEnergy(void** state)
{
    (void)state;
    static const uint64_t numbers[] = {179, 342, 640, 699, 717};
    for (int i = 0; i < 5; ++i)
        check_family(rv_random_hoist, numbers[i], numbers[i], 10.0);
}

// The same at other steps, a part in a thousand away, which is another run where rope is slack: some gained, by chance,
// up to a billion times what they had. Passes that never moved the rope on (640, 699, 717, 933, 1829), an end left
// behind by its body (699), a wheel turned across its rope, whose tangent points ran around it (180), a drum that
// slipped by metres for a tension that damping made (930), two elements that became one with more strain than both
// (180), rope between a drum that slipped and a wheel that held, stretched by rates that were not its own (1919), a
// guard that pushed slack rope out of its shape for a trace of energy (1755), rope that was led away from a wheel that
// tumbled, by metres (113 at 0.997), a brake that stopped rope of 14 m/s by its stretch (734).
static void HoistsNeverGainEnergyAtAnyStep(void** state)
{
    (void)state;
    static const uint64_t numbers[] = {113, 180, 640, 699, 717, 734, 930, 933, 1755, 1829, 1919};
    static const double steps[] = {1.0, 0.997, 0.999, 1.001, 1.003};
    int failed = 0;
    for (int i = 0; i < 11; ++i)
        for (int k = 0; k < 5; ++k) {
            rvRandomMachine machine = rv_random_hoist(numbers[i]);
            machine.h *= steps[k];
            failed += !holds(machine, numbers[i], 10.0);
        }
    assert_int_equal(failed, 0);
}

// Ropes that are hooked, let go, reeved, spliced and cut while all moves: loads are drawn into eyes and wheels,
// ropes run out, and no part of one ever has less rope than nothing. The single ones: more was set apart of a
// segment than it is long (229), spans of no length beside a wheel that was left (319, 3924), wheels of milligrams
// that lean on meganewtons (1630, 3551), a damped rope that was read at the pull of the straight line (4029), a
// winch that took more than was left before an eye (5785), stretch that never pulled and was counted as work when it
// was set apart (6337, 9505), an eye that felt one side of its rope beside a wheel that was left (11104), a rope across
// itself that was held against a straight line with too little rope, as much ran out of it within the step (13417).
static void ReroutedMachinesNeverGainEnergyNorRope(void** state)
{
    (void)state;
    check_family(rv_random_rerouting, 1, 60, 5.0);
    static const uint64_t numbers[] = {229, 319, 1630, 3551, 3924, 4029, 5785, 6337, 9505, 11104, 13417};
    for (int i = 0; i < 11; ++i)
        check_family(rv_random_rerouting, numbers[i], numbers[i], 5.0);
}

static void LoadsOnBridlesNeverGainEnergy(void** state)
{
    (void)state;
    check_family(rv_random_bridle, 1, 500, 10.0);
}

// Loads that tumble while their rope comes taut, so that the geometric stiffness rises with the tension (677, 2598),
// and thin ones that spin by a radian a step (1957, 2746).
static void TumblingLoadsNeverGainEnergy(void** state)
{
    (void)state;
    static const uint64_t numbers[] = {677, 1957, 2598, 2746};
    for (int i = 0; i < 4; ++i)
        check_family(rv_random_bridle, numbers[i], numbers[i], 10.0);
}

// Rope that flows through an eye of little drag into a slack part and stretches it within the step: of that stretch
// only what pulls is stored.
static void RopeThatFlowsIntoSlackStoresNothing(void** state)
{
    (void)state;
    check_family(rv_random_machine, 5545, 5545, 10.0);
    check_family(rv_random_machine, 7447, 7447, 10.0); // slack that lay where nothing pulled was heat of an eye
    check_family(rv_random_machine, 8561, 8561, 10.0); // and slack of a rope that damping holds before it is taut
}

// Blocks that tumble until their rope runs along the axis of their wheel.
static void ToppledBlocksNeverGainEnergy(void** state)
{
    (void)state;
    check_family(rv_random_machine, 5763, 5763, 10.0);
    check_family(rv_random_machine, 7573, 7573, 10.0);
}

// A light body between tonnes, on a rope with a long damping time: what it closes by is no stretch that never pulled.
static void DampedStringsNeverGainEnergy(void** state)
{
    (void)state;
    int failed = 0;
    for (int k = 0; k < 5; ++k) {
        rvRandomMachine machine = rv_random_machine(456);
        machine.h *= 1.0 + 1e-9 * k;
        failed += !holds(machine, 456, 60.0);
    }
    // where rope that was set apart came back under meganewtons while nothing moved
    rvRandomMachine held = rv_random_machine(456);
    held.h *= 1.0 + 52e-9;
    failed += !holds(held, 456, 104.0);
    assert_int_equal(failed, 0);
}

// Light blocks that whirl above a heavy load draw rope for nothing. What becomes of it hangs on the last bit: so with
// steps that differ by parts in 1e9 (once 88 of 100 of the first gained, up to 3.6 times their energy, and 5 of 100 of
// the second; -183 and 122 when rope that slid over the wheel while it was slack counted as friction's way in the blow
// after it).
static void WhirlingBlocksNeverGainEnergy(void** state)
{
    (void)state;
    static const uint64_t numbers[] = {4466, 7573};
    int failed = 0;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 102; ++k) {
            rvRandomMachine machine = rv_random_machine(numbers[i]);
            machine.h *= 1.0 + 1e-9 * (k < 100 ? k : k == 100 ? -183 : 122);
            failed += !holds(machine, numbers[i], 10.0);
        }
    assert_int_equal(failed, 0);
}

// A winch that pulls against a locked wheel, and a load that flies around a shaken support on a soft rope.
static void TenMinutesChangeNothing(void** state)
{
    (void)state;
    check_family(rv_random_machine, 29, 29, 600.0);
    check_family(rv_random_machine, 94, 94, 600.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RandomMachinesNeverExplode),
        cmocka_unit_test(MachinesOnRopesWithMassNeverGainEnergy),
        cmocka_unit_test(MachinesInThinAirNeverGainEnergy),
        cmocka_unit_test(RopeBesideEyesAndWheelsNeedsNoGuard),
        cmocka_unit_test(RandomHoistsNeverGainEnergy),
        cmocka_unit_test(HoistsOfStiffLightRopeNeverGainEnergy),
        cmocka_unit_test(HoistsNeverGainEnergyAtAnyStep),
        cmocka_unit_test(ReroutedMachinesNeverGainEnergyNorRope),
        cmocka_unit_test(LoadsOnBridlesNeverGainEnergy),
        cmocka_unit_test(TumblingLoadsNeverGainEnergy),
        cmocka_unit_test(RopeThatFlowsIntoSlackStoresNothing),
        cmocka_unit_test(ToppledBlocksNeverGainEnergy),
        cmocka_unit_test(DampedStringsNeverGainEnergy),
        cmocka_unit_test(WhirlingBlocksNeverGainEnergy),
        cmocka_unit_test(TenMinutesChangeNothing),
    };
    return RUN_TESTS(tests);
}
