// SPDX-License-Identifier: MIT
#include "world/machines.h"

static const double LENGTH = 2.0, BENDING = 50.0, MASS = 0.4;

static rvCableDef wire(const rvPlaceDef* places, int count, double length, bool inSpace)
{
    rvCableDef def = thread(places, count, length, inSpace);
    def.bendingStiffness = BENDING;
    def.massPerLength = MASS;
    def.waveDamping = 5.0;
    def.torsionalStiffness = inSpace ? 0.8 * BENDING : 0.0;
    return def;
}

static rvCableSection section(const rvWorld* world, rvCableId id, double at)
{
    rvCableSection out;
    assert_true(rvCable_GetSection(world, id, at, &out));
    CHECK_NEAR(out.at, at, 0.0);
    return out;
}

// A cantilever by its weight w, so stiff that it sags by 8 mm of 2 m: shear w (L - s), moment w (L - s)^2/2. The clamp
// carries what it reads at 0.
static void CantileverCarriesItsWeight(void** state)
{
    (void)state;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
        rvPlaceDef places[2] = {clamp(hand, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(LENGTH, 0, 0))};
        rvCableDef def = wire(places, 2, LENGTH, inSpace);
        def.bendingStiffness = 1000.0;
        def.torsionalStiffness = inSpace ? 800.0 : 0.0;
        rvCableId id = create_cable(world, &def);
        run_world(world, 0.005, 0.02);
        double w = MASS * GRAVITY;
        for (int i = 0; i <= 7; ++i) {
            double s = i * LENGTH / 7, left = LENGTH - s;
            rvCableSection at = section(world, id, s);
            // slopes stay below w L^3/(6 EI) = 0.0052: their square of the way and the tension of them
            CHECK_NEAR(at.shear, w * left, 1e-4 * w * LENGTH);
            CHECK_NEAR(at.tension, 0.0, 0.006 * w * LENGTH);
            CHECK_NEAR(at.couple.y, 0.5 * w * left * left, 1e-4 * w * LENGTH * LENGTH);
            CHECK_NEAR(fabs(at.moment), 0.5 * w * left * left, 1e-4 * w * LENGTH * LENGTH);
            CHECK_NEAR(at.torque, 0.0, 1e-9);
            CHECK_NEAR(at.force.z, -w * left, 1e-6 * w * LENGTH); // at rest but for what the search left, 1e-8
            CHECK_NEAR(at.point.x, s, 1e-4);
            // curvature is one of an interval l: off by the slope of the moment times l/2, and w l^2/6
            double l = LENGTH / 16;
            CHECK_NEAR(fabs(1000.0 * at.curvature), fabs(at.moment), 0.5 * w * left * l + 0.17 * w * l * l);
        }
        rvVec3 force, torque;
        rvBody_GetWrench(world, hand, &force, &torque);
        rvCableSection clamped = section(world, id, 0.0);
        CHECK_NEAR(rvDistance(force, clamped.force), 0.0, 1e-6 * w * LENGTH);
        CHECK_NEAR(rvDistance(torque, clamped.couple), 0.0, 1e-6 * w * LENGTH);
        rvDestroyWorld(world);
    }
}

// Complete elliptic integrals by the arithmetic-geometric mean.
static void elliptic(double k, double* first, double* second)
{
    double a = 1.0, b = sqrt(1.0 - k * k), c = k, sum = 0.5 * c * c, power = 0.5;
    for (int i = 0; i < 30; ++i) {
        double mean = 0.5 * (a + b);
        c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = mean;
        power *= 2.0;
        sum += power * c * c;
    }
    *first = 3.14159265358979323846 / (2.0 * a);
    *second = *first * (1.0 - sum);
}

// Pinned ends pressed together: force P = 4 EI K^2/L^2 along the chord (2 E/K - 1) L, height k L/K; moment P y.
static void ElasticaCarriesOneForce(void** state)
{
    (void)state;
    double k = 0.5, first, second;
    elliptic(k, &first, &second);
    double chord = (2.0 * second / first - 1.0) * LENGTH, press = 4.0 * BENDING * first * first / (LENGTH * LENGTH);
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_weightless_world();
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(chord, 0, 0))};
        rvCableDef def = wire(places, 2, LENGTH, inSpace);
        def.elements = 40;
        def.bulge = rvVec(0, 0, 1);
        rvCableId id = create_cable(world, &def);
        run_world(world, 0.005, 0.02);
        double error = 1.0 / (40 * 40); // of second order, with a constant of about 1
        for (int i = 0; i <= 10; ++i) {
            rvCableSection at = section(world, id, LENGTH * i / 10);
            CHECK_NEAR(at.force.x, -press, error * press);
            CHECK_NEAR(hypot(at.force.y, at.force.z), 0.0, error * press);
            CHECK_NEAR(fabs(at.moment), -at.force.x * at.point.z, 1e-6 * press);
            CHECK_NEAR(hypot(at.tension, at.shear), rvLength(at.force), 1e-9 * press);
        }
        rvCableSection middle = section(world, id, 0.5 * LENGTH);
        CHECK_NEAR(middle.point.z, k * LENGTH / first, error * LENGTH);
        CHECK_NEAR(middle.tension, -press, error * press);
        CHECK_NEAR(BENDING * fabs(middle.curvature), press * k * LENGTH / first, 3.0 * error * press);
        rvDestroyWorld(world);
    }
}

// A chain between two points: tension w sqrt(a^2 + s^2) from the middle on, its part across the pull w a, with L = 2 a
// sinh(d/2a).
static void ChainCarriesItsTension(void** state)
{
    (void)state;
    double a = 1.0, length = 2.0 * a * sinh(0.8 / a), w = MASS * GRAVITY;
    for (int inSpace = 0; inSpace < 2; ++inSpace) {
        rvWorld* world = make_world();
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(-0.8, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(0.8, 0, 0))};
        rvCableDef def = wire(places, 2, length, inSpace);
        def.elements = 40;
        def.bendingStiffness = 1e-4;
        def.torsionalStiffness = inSpace ? 1e-4 : 0.0;
        rvCableId id = create_cable(world, &def);
        run_world(world, 0.005, 0.02);
        for (int i = 0; i <= 12; ++i) {
            double s = length * (i / 12.0 - 0.5);
            rvCableSection at = section(world, id, length * i / 12);
            double error = 2.0 / (40 * 40) * w * a; // of second order, with a constant of about 1 for each part
            CHECK_NEAR(at.tension, w * sqrt(a * a + s * s), error);
            CHECK_NEAR(at.force.x, w * a, error);
            CHECK_NEAR(at.force.z, w * s, error);
        }
        rvDestroyWorld(world);
    }
}

// A wire over three hands, the one in the middle clamped or not: what jumps there is what that hand carries; hands that
// move carry inertia as well. What its start throws has died away by then (exp(-5 t/2), 4 s). Forces of steps are those
// of the equations of motion, by which sections are told, up to what two passes of a step leave, d^2: steps are short.
static void InnerPlaceCarriesTheJump(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        bool inSpace = k & 1, clamped = k & 2, moves = k & 4;
        rvWorld* world = make_world();
        rvBodyId left = add_hand(world, rvVec(-1, 0, 0)), middle = add_hand(world, rvVec(0, 0, 0.1));
        rvPlaceDef places[3] = {rvAttachPlace(left, rvVec(0, 0, 0)), rvAttachPlace(middle, rvVec(0, 0, 0)),
                                rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
        if (clamped)
            places[1] = clamp(middle, rvVec(0, 0, 0), rvVec(0.9, 0, 0.2));
        rvCableDef def = wire(places, 3, 2.3, inSpace);
        rvCableId id = create_cable(world, &def);
        const double h = 0.00125;
        run_world(world, h, 0.5);
        if (moves)
            CHECK_OK(world, rvBody_SetVelocity(world, middle, rvVec(0.005, 0, 0.025), rvVec(0, 0, 0)));
        double at = 1.15; // of the middle place: both chords are as long
        rvVec3 jump[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)}, force, torque;
        rvCableSection before = {0}, after = {0};
        for (int i = moves ? -3197 : -97; i < 3; ++i) { // of a hand the mean of two steps is read
            static const double share[3] = {0.25, 0.5, 0.25};
            CHECK_OK(world, rvWorld_Step(world, h));
            before = section(world, id, at);
            after = section(world, id, at + 1e-7);
            jump[0] = rvMulAdd(jump[0], i >= 0 ? share[i] : 0.0, rvSub(after.force, before.force));
            jump[1] = rvMulAdd(jump[1], i >= 0 ? share[i] : 0.0, rvSub(after.couple, before.couple));
        }
        rvBody_GetWrench(world, middle, &force, &torque);
        double slack = 1e-6 * rvLength(force); // a tenth of a micrometre of the wire lies between the two readings
        CHECK_NEAR(rvDistance(jump[0], force), 0.0, slack);
        CHECK_NEAR(rvDistance(jump[1], torque), 0.0, slack);
        assert_true(rvLength(force) > 5.0);
        assert_true(clamped ? rvLength(torque) > 0.5 : rvLength(torque) < 1e-9);
        CHECK_NEAR(rvDistance(before.point, rvBody_GetPose(world, middle).p), 0.0, 1e-5);
        rvDestroyWorld(world);
    }
}

// What a wire carries at 0.3 of its length, when it swings from a hand that moves evenly (0.2 s), or two steps of 4 ms
// after its clamp let go; `reads` all along the way.
static rvVec3 carried_by(bool inSpace, bool released, double h, bool reads, uint64_t* hash)
{
    rvWorld* world = make_world();
    rvBodyId hand = add_hand(world, rvVec(0, 0, 0));
    rvPlaceDef places[2] = {released ? clamp(hand, rvVec(0, 0, 0), rvVec(1, 0, 0))
                                     : rvAttachPlace(hand, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(0.9, 0, 0))};
    rvCableDef def = wire(places, 2, 1.0, inSpace);
    def.elements = 6;
    def.bendingStiffness = 0.05;
    def.torsionalStiffness = inSpace ? 0.05 : 0.0;
    rvCableId id = create_cable(world, &def);
    CHECK_OK(world, rvCable_SetHeld(world, id, released ? 0 : 1, false));
    long steps = lround((released ? 0.008 : 0.2) / h);
    rvCableSection at = {0};
    for (long i = 0; i < steps; ++i) {
        double phase = 6.0 * (i + 0.5) * h;
        rvVec3 speed = rvVec(0.5 * sin(phase), 0, 0.5 * (1.0 - cos(phase)));
        CHECK_OK(world, rvBody_SetVelocity(world, hand, released ? rvVec(0, 0, 0) : speed, rvVec(0, 0, 0)));
        CHECK_OK(world, rvWorld_Step(world, h));
        at = reads ? section(world, id, 0.3) : at;
    }
    at = section(world, id, 0.3);
    rvCableSection end = section(world, id, released ? 0.0 : 1.0);
    CHECK_NEAR(rvLength(end.force) + fabs(end.moment), 0.0,
               inSpace ? 0.03 : 1e-10); // in space its nodes turn with inertia
    *hash = rvWorld_Hash(world);
    rvDestroyWorld(world);
    return at.force;
}

static void SectionsAreOfSecondOrder(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        rvVec3 force[3];
        uint64_t hash, other;
        for (int i = 0; i < 3; ++i)
            force[i] = carried_by(k & 1, k & 2, 1e-3 / (1 << i), false, &hash);
        double ratio = rvDistance(force[0], force[1]) / rvDistance(force[1], force[2]);
        CHECK_NEAR(ratio, 4.0, 0.4); // the next order: h w = 0.1 of the bending of an interval, 110 rad/s
        carried_by(k & 1, k & 2, 1e-3, false, &hash);
        carried_by(k & 1, k & 2, 1e-3, true, &other);
        assert_true(hash == other); // reading changes nothing
    }
}

// A rope hangs straight down with a load at its end and one in the middle: what each point carries is what hangs below
// it, by every model that can; its strain is by that, too.
static void EveryModelCarriesWhatHangsBelow(void** state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        rvCableModel model = k == 5 ? RV_CABLE_CURVE : (rvCableModel)k;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 20.0, 0.1, rvVec(0, 0, -4));
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(model);
        def.places = places;
        def.placeCount = 2;
        def.length = 4.0;
        def.diameter = 0.01;
        def.massPerLength = model == RV_CABLE_MASSLESS ? 0.0 : 2.0;
        def.axialStiffness = model == RV_CABLE_CURVE && k != 5 ? 0.0 : 1e5;
        def.bendingStiffness = model >= RV_CABLE_ANCF ? 0.1 : 0.0;
        if (k == 5)
            def.plane = rvVec(0, 1, 0);
        rvCableId id = create_cable(world, &def);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        assert_true(report.settled);
        double w = model == RV_CABLE_MASSLESS ? 0.0 : 2.0 * GRAVITY;
        for (int i = 0; i <= 8; ++i) {
            rvCableSection at = section(world, id, 0.5 * i);
            double pull = 20.0 * GRAVITY + w * (4.0 - 0.5 * i);
            // settling leaves 1e-6 of the load; elements of 0.4 m have a strain linear in them, which is exact here
            CHECK_NEAR(at.tension, pull, 1e-4 * pull);
            CHECK_NEAR(rvDistance(at.force, rvVec(0, 0, -pull)), 0.0, 1e-3 * pull);
            double strain = def.axialStiffness > 0.0 ? pull / 1e5 : 0.0;
            CHECK_NEAR(at.strain, strain, 1e-4 * strain + 2.0 * strain * strain); // ANCF: T = EA (e + e^2/2)(1 + e)
            CHECK_NEAR(at.moment, 0.0, 1e-6);
            CHECK_NEAR(at.point.z, -0.5 * i, 0.02); // stretched by 0.3 % at most
        }
        rvCableSection none;
        assert_false(rvCable_GetSection(world, id, -0.1, &none));
        assert_false(rvCable_GetSection(world, id, 4.1, &none));
        assert_false(rvCable_GetSection(world, id, (double)NAN, &none));
        assert_false(rvCable_GetSection(world, (rvCableId){77, 3}, 1.0, &none));
        rvDestroyWorld(world);
    }
}

// A rope of elements along gravity, not along an axis: it stretches more and more upwards, which is no bending. Its
// |r''| was taken for that, about any direction: a shear of kN.
static void StretchedRopeDoesNotBend(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE};
    const double REST = 4.0, STIFF = 1000.0, OFF = 10 * 1e-15 * REST * 6.0 / (0.4 * 0.4);
    for (int m = 0; m < 2; ++m) {
        rvWorldDef what = rvDefaultWorldDef();
        what.gravity = rvVec(0.6 * GRAVITY, 0.2, -0.8 * GRAVITY);
        double g = rvLength(what.gravity);
        rvWorld* world = make_world_of(&what);
        rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                                rvFreePlace(rvScale(REST / g, what.gravity))};
        rvCableDef def = rvDefaultCableDef(models[m]);
        def.length = REST;
        def.axialStiffness = 1e5;
        def.bendingStiffness = STIFF;
        def.massPerLength = 2.0;
        rvCableId id = add_cable_of(world, def, places, 2);
        CHECK_OK(world, rvWorld_Settle(world, NULL, NULL));
        for (int i = 0; i <= 16; ++i) {
            rvCableSection at;
            assert_true(rvCable_GetSection(world, id, REST * i / 16, &at));
            CHECK_NEAR(at.curvature, 0.0, OFF); // round-off of ten sums of places, over an element of 0.4 m squared
            CHECK_NEAR(at.moment, 0.0, STIFF * OFF);       // of that
            CHECK_NEAR(at.shear, 0.0, STIFF * OFF / 4e-4); // how that changes over a thousandth of an element
        }
        rvDestroyWorld(world);
    }
}

// What nothing holds begins where it is laid: ropes with two free ends, and broken ones that get another model, were
// let fall by hundreds of metres while rest was looked for.
static void LooseRopesBeginWhereTheyAre(void** state)
{
    (void)state;
    static const rvCableModel models[] = {RV_CABLE_ANCF, RV_CABLE_ALE};
    for (int m = 0; m < 2; ++m) {
        rvWorld* world = make_world();
        rvPlaceDef loose[2] = {rvFreePlace(rvVec(0, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
        rvPlaceDef hung[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 1, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(2, 1, 0))};
        rvCableDef def = rvDefaultCableDef(models[m]), before = rvDefaultCableDef(RV_CABLE_MASSLESS);
        def.massPerLength = 0.5;
        def.length = before.length = 2.2;
        rvCableId ids[2] = {add_cable_of(world, def, loose, 2), add_cable_of(world, before, hung, 2)};
        CHECK_OK(world, rvCable_Break(world, ids[1]));
        CHECK_OK(world, rvCable_SetModel(world, ids[1], &def));
        for (int step = 0; step < 2; ++step) {
            for (int i = 0; i <= 20; ++i) {
                rvCableSection at;
                assert_true(rvCable_GetSection(world, ids[i % 2], 2.2 * i / 20, &at));
                CHECK_NEAR(at.point.z, 0.0, 1.1); // half its length: it cannot hang lower
            }
            CHECK_OK(world, rvWorld_Step(world, 0.01));
        }
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CantileverCarriesItsWeight), cmocka_unit_test(ElasticaCarriesOneForce),
        cmocka_unit_test(ChainCarriesItsTension),     cmocka_unit_test(InnerPlaceCarriesTheJump),
        cmocka_unit_test(SectionsAreOfSecondOrder),   cmocka_unit_test(EveryModelCarriesWhatHangsBelow),
        cmocka_unit_test(StretchedRopeDoesNotBend),   cmocka_unit_test(LooseRopesBeginWhereTheyAre),
    };
    return RUN_TESTS(tests);
}
