// SPDX-License-Identifier: MIT
// A curve that whips: its free ends turn by radians in a step, and no step may make energy of that.
#include "support/random.h"
#include "world/machines.h"

// In a plane, in space, in space with stretch.
enum { KINDS = 3 };

static double held_energy(rvWorld* world) // less what hands did
{
    return total_energy(world) - rvWorld_GetEnergy(world).work;
}

// A soft thread without damping, held at its ends and about its middle, whose ends are let go.
static rvWorld* make_whip(int kind, double bending, double h, rvCableId* id)
{
    rvWorld* world = make_world();
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.9, 0, 0.1)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(0, kind > 0 ? 0.02 : 0.0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(0.95, 0, 0.2))};
    rvCableDef def = thread(places, 3, 2.0, kind > 0);
    def.bendingStiffness = bending;
    def.torsionalStiffness = kind > 0 ? bending : 0.0;
    def.massPerLength = 0.1;
    def.axialStiffness = kind == 2 ? 1e3 : 0.0;
    *id = create_cable(world, &def);
    run_world(world, h, 0.05);
    CHECK_OK(world, rvCable_LetGo(world, *id, 0));
    CHECK_OK(world, rvCable_LetGo(world, *id, 2));
    return world;
}

static void WhipMakesNoEnergy(void** state)
{
    (void)state;
    static const double steps[] = {1e-3, 2e-3, 2.5e-3, 5e-3, 0.01, 1.0 / 60};
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < 12; ++k) {
            double h = steps[k / 2], most = 0.0, kinetic = 0.0;
            rvCableId id;
            rvWorld* world = make_whip(kind, k % 2 ? 0.5 : 0.01, h, &id); // stiff, soft
            double start = held_energy(world);
            for (int i = 0; i < lround(2.0 / h); ++i) {
                CHECK_OK(world, rvWorld_Step(world, h));
                most = fmax(most, held_energy(world) - start);
                kinetic = fmax(kinetic, rvWorld_GetEnergy(world).kinetic);
            }
            CHECK_BELOW(most, 0.005 * kinetic); // what the guard lets pass
            CHECK_BELOW(0.05, kinetic);         // it whips
            rvDestroyWorld(world);
        }
}

// With small steps it loses none either: what the rule takes is of what it does not resolve.
static void ResolvedWhipKeepsItsEnergy(void** state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        double lost[2];
        for (int k = 0; k < 2; ++k) {
            double h = 1e-3 / (1 << k);
            rvCableId id;
            rvWorld* world = make_whip(kind, 0.01, h, &id);
            double start = held_energy(world);
            run_world(world, h, 0.8); // before it whips
            lost[k] = start - held_energy(world);
            CHECK_BELOW(fabs(lost[k]), 1e-3 * rvWorld_GetEnergy(world).kinetic); // of second order: (h w)^2, w to 30/s
            rvDestroyWorld(world);
        }
        CHECK_BELOW(fabs(lost[1]), 0.5 * fabs(lost[0])); // at least of first order
    }
}

// The rule is for points, the shape is still one of angles: each interval is an arc, in space a piece of a helix, of
// its own length.
static void LengthIsKeptByAnyStep(void** state)
{
    (void)state;
    enum { INTERVALS = 16, MOST = 4 * INTERVALS + 4 };
    for (int k = 0; k < 4; ++k) {
        rvCableSection at[MOST];
        double h = k / 2 ? 0.016 : 2e-3, bent = 0.0;
        rvCableId id;
        rvWorld* world = make_whip(k % 2, 0.01, h, &id);
        for (int i = 0; i < lround(1.5 / h); ++i) {
            CHECK_OK(world, rvWorld_Step(world, h));
            int count = rvCable_GetSections(world, id, at, MOST);
            assert_int_equal((count - 1) % INTERVALS, 0);
            for (int n = 0, each = (count - 1) / INTERVALS; n < INTERVALS; ++n) {
                const rvCableSection *a = &at[n * each], *b = &at[(n + 1) * each],
                                     *c = &at[n * each + 1]; // ends, within
                double length = b->at - a->at, turn = fmax(hypot(c->curvature, c->torsion), 1e-9),
                       half = 0.5 * turn * length;
                double along = length * c->torsion / turn, across = 2.0 * c->curvature / (turn * turn) * sin(half);
                double off = fabs(rvDistance(a->point, b->point) - hypot(along, across)) / length;
                CHECK_BELOW(off, 1e-12 + 6e-10 * pow(2.0 * half, 8.0)); // rounding; what four Gauss points leave
                bent = fmax(bent, 2.0 * half);
            }
        }
        CHECK_BELOW(0.5, bent); // it whips
        rvDestroyWorld(world);
    }
}

// ---- random grasps
// ----------------------------------------------------------------------------------------------------

// Hands that rest and a ball take hold of a thread that falls and swings and let go of it, anywhere: what they do not
// do it does not get.
static void RandomGraspsMakeNoEnergy(void** state)
{
    (void)state;
    for (int round = 0; round < 120; ++round) {
        uint64_t seed = 1000 + (uint64_t)round;
        double h = 1e-3 * exp(2.77 * rv_draw(&seed)); // 1 to 16 ms
        rvWorld* world = make_world();
        rvBodyId hands[2] = {add_hand(world, rvVec(0.5, 0, 0.2)), add_ball(world, 0.3, 0.1, rvVec(1, 0, -0.5))};
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(1.8, 0, 0))};
        rvCableDef def = thread(places, 2, 2.0, round % 2);
        def.elements = 12;
        def.bendingStiffness = 0.05;
        def.axialStiffness = round % 4 < 2 ? 0.0 : 2e3; // two of four do not stretch
        rvCableId id = create_cable(world, &def);
        double start = held_energy(world), most = 0.0, kinetic = 0.0;
        int every = 1 + (int)(0.014 / h);
        for (int i = 0; i < lround(0.9 / h); ++i) {
            int count = rvCable_GetPlaceCount(world, id), op = (int)(6.0 * rv_draw(&seed));
            if (i % every == 0 && op < 2 && count < 6)
                rvCable_Grasp(world, id, 2.0 * rv_draw(&seed), hands[op], false,
                              NULL); // refused: where one holds already
            else if (i % every == 0 && op < 5)
                rvCable_LetGo(world, id, (int)(count * rv_draw(&seed)));
            CHECK_OK(world, rvWorld_Step(world, h));
            most = fmax(most, held_energy(world) - start);
            kinetic = fmax(kinetic, rvWorld_GetEnergy(world).kinetic);
        }
        CHECK_BELOW(most, 0.005 * kinetic); // what the guard lets pass
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhipMakesNoEnergy),
        cmocka_unit_test(ResolvedWhipKeepsItsEnergy),
        cmocka_unit_test(LengthIsKeptByAnyStep),
        cmocka_unit_test(RandomGraspsMakeNoEnergy),
    };
    return RUN_TESTS(tests);
}
