// SPDX-License-Identifier: MIT
// A cable's model is changed while the world runs: every pair of the suite's models.
//
// A change brings or takes the weight of the rope, shared by both ends: a load that hung at rest is off its new rest by
// that much, and by how the laws of two models differ at its stretch. What it does then is a bounce of twice that.
#include "models/models.h"
#include "world/hooks.h"

// What of a definition the model needs, as it stands in the suite.
static rvCableDef model_def(const Model* m)
{
    return rope_def(m, NULL, 0, 0.0, -1.0);
}

static void change(rvWorld* world, rvCableId rope, const Model* m)
{
    rvCableDef def = model_def(m);
    CHECK_OK(world, rvCable_SetModel(world, rope, &def));
    assert_int_equal(rvCable_GetModel(world, rope), m->type);
}

static void settle(rvWorld* world)
{
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
}

static void HangingMassKeepsItsTension(const Model* a, const Model* b)
{
    rvWorld* world = make_world();
    double weight = 100.0 * GRAVITY, stretch = weight / 1e6;
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10.0 * (1.0 + stretch)));
    rvCableId rope = hang(world, a, rvVec(0, 0, 0), load, 1e6, 10.0);
    if (a->claims & CAN_SETTLE) // else it begins where a rope without weight is at rest
        settle(world);
    run_world(world, 1.0 / 240.0, 0.1);
    change(world, rope, b);
    CHECK_NEAR(rvCable_GetRestLength(world, rope), 10.0, 1e-12);
    double off = a->share + b->share + 1.5 * (a->green || b->green) * stretch; // of the linear law
    // the bounce; a tension along the unstretched rope is less by the stretch; the start of the finite elements, 1e-6
    double tolerance = 2.0 * off + stretch + 1e-6;
    for (int i = 0; i < 240; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1.0 / 240.0));
        assert_int_equal(count_events(world, RV_EVENT_MODEL, NULL), i == 0);
        CHECK_NEAR(rvCable_GetTension(world, rope, 0) / weight, 1.0, tolerance);
        CHECK_NEAR(rvBody_GetPose(world, load).p.z, -10.0 * (1.0 + stretch), 10.0 * stretch * tolerance + 1e-6);
    }
    rvDestroyWorld(world);
}

// A refused change is as if it had not been asked for: the world runs on as its twin does.
static void check_refused(rvWorld* world, rvWorld* twin, rvCableId rope, const rvCableDef* def, const char* field)
{
    uint64_t before = rvWorld_Hash(world);
    rvCableModel model = rvCable_GetModel(world, rope);
    size_t memory = rvWorld_GetStepInfo(world).memory;
    assert_int_equal(rvCable_SetModel(world, rope, def), RV_BAD_INPUT);
    if (!strstr(rvWorld_GetError(world), field)) {
        print_error("'%s' does not name %s\n", rvWorld_GetError(world), field);
        fail();
    }
    assert_true(rvWorld_Hash(world) == before);
    assert_int_equal(rvCable_GetModel(world, rope), model);
    assert_true(rvWorld_GetStepInfo(world).memory == memory);
    run_world(world, 0.01, 0.2);
    run_world(twin, 0.01, 0.2);
    assert_true(rvWorld_Hash(world) == rvWorld_Hash(twin));
}

static rvWorld* make_winch(const Model* m, rvBodyId* load, rvCableId* rope)
{
    rvWorld* world = make_world();
    *load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0), rvAttachPlace(*load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(m, places, 2, 1e6, 10.0);
    def.damping = 0.05;
    *rope = create_cable(world, &def);
    return world;
}

static void WinchGoesOnLifting(const Model* a, const Model* b)
{
    if (!(a->claims & CAN_REEL))
        return;
    rvBodyId load;
    rvCableId rope;
    rvWorld* world = make_winch(a, &load, &rope);
    if (!(b->claims & CAN_REEL)) {
        rvWorld* twin = make_winch(a, &load, &rope);
        rvCableDef def = model_def(b);
        check_refused(world, twin, rope, &def, "places[0].type");
        rvDestroyWorld(twin);
        rvDestroyWorld(world);
        return;
    }
    settle(world);
    double weight = 100.0 * GRAVITY, h = 0.005;
    CHECK_OK(world, rvWorld_Step(world, h)); // energies are read by the step
    rvEnergy before = rvWorld_GetEnergy(world);
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -0.5));
    run_world(world, h, 2.0);
    change(world, rope, b);
    run_world(world, h, 2.0);
    CHECK_NEAR(rvCable_GetWinchSpeed(world, rope, 0), -0.5, 1e-12);
    CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, 0.0));
    run_world(world, h, 6.0); // the bounce is damped: 2.5 s^-1 of it
    double off = a->share + b->share;
    CHECK_NEAR(rvCable_GetRestLength(world, rope), 8.0, 1e-9); // steps of 2.5 mm, summed
    CHECK_NEAR(rvBody_GetPose(world, load).p.z, -8.0 * (1.0 + weight / 1e6), 1e-5 + 8.0 * off); // what is left of it
    rvEnergy e = rvWorld_GetEnergy(world);
    double gained = e.kinetic + e.potential + e.elastic - before.kinetic - before.potential - before.elastic;
    double given = e.work - before.work - (e.heat - before.heat);
    // the books go on; what comes or goes is the rope's own, at most 10 m down. The stretch begins anew with the
    // change: a rate by velocities of half a step before, 0.5 m/s * h of travel * the share of T that changes in a
    // step, 1e-3
    CHECK_NEAR(given - gained, 0.0, 2.0 * weight * (1e-6 + off) + 10.0 * weight * off + 0.5 * h * 1e-3 * weight);
    rvDestroyWorld(world);
}

// The rope's mass comes, goes or stays as it swings, and as a winch hauls it in over a wheel: height that comes with it
// is work, and the books go on.
static void HeavyRopeKeepsTheBooks(const Model* a, const Model* b)
{
    bool reels = a->claims & b->claims & CAN_REEL;
    const double h = 0.005, mass = 1.0, speed = 1.0;
    for (int i = 0; i < 1 + reels; ++i) {
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, 1000.0, 0.5, rvVec(0.25 * i, 0, -10));
        rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-3, 0, 0.25), 0.0),
                               i == 1 ? rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 0.25)
                                      : rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rope_def(a, places + 1 - i, 2 + i, 1e7, -1.0), next = model_def(b);
        def.massPerLength = next.massPerLength = mass;
        def.damping = 0.02;
        rvCableId rope = create_cable(world, &def);
        CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(1.5, 0, 0), rvVec(0, 0, 0)));
        if (i == 1)
            CHECK_OK(world, rvCable_SetWinchSpeed(world, rope, 0, -speed));
        run_world(world, h, 1.0);
        rvEnergy before = rvWorld_GetEnergy(world);
        double begun = energy_books(world);
        CHECK_OK(world, rvCable_SetModel(world, rope, &next));
        rvEnergy after = rvWorld_GetEnergy(world);
        CHECK_NEAR(energy_books(world), begun, 1e-12 * fabs(before.potential)); // round-off of sums
        // the rope's kinetic energy and stretch at most: 13 m of it, no faster than the load
        CHECK_BELOW(fabs(after.heat - before.heat), 0.5 * 13.0 * mass * 4.0 + 0.1 * before.elastic);
        begun = energy_books(world);
        run_world(world, h, 2.0 * h);
        // weight is read to half a step of rope that runs or swings
        CHECK_NEAR(energy_books(world), begun, 0.5 * h * speed * 10.0 * mass * GRAVITY);
        rvDestroyWorld(world);
    }
}

// A load in the bight of its rope: rope that a model counts fall by fall is whole again in one that does not, and back.
static void BightKeepsItsRope(const Model* a, const Model* b)
{
    unsigned both = a->claims & b->claims;
    if (!(both & CAN_REEL) || !(both & CAN_SLIDE))
        return;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 100.0, 0.5, rvVec(0, 0, -10));
    rvPlaceDef places[] = {rvWinchPlace(RV_NULL_BODY, rvVec(-0.1, 0, 0), 0.0), rvEyePlace(load, rvVec(0, 0, 0)),
                           rvAttachPlace(RV_NULL_BODY, rvVec(0.1, 0, 0))};
    places[1].friction = 0.1; // where others have two segments
    rvCableDef def = rope_def(a, places, 3, 1e6, 20.0);
    def.damping = 0.05;
    rvCableId rope = create_cable(world, &def);
    settle(world);
    double z = rvBody_GetPose(world, load).p.z, stretch = 50.0 * GRAVITY / 1e6;
    double off = a->share + b->share + 1.5 * (a->green || b->green) * stretch; // as of HangingMassKeepsItsTension
    for (int k = 0; k < 3; ++k) {
        change(world, rope, k % 2 == 0 ? b : a);
        CHECK_NEAR(rvCable_GetRestLength(world, rope), 20.0, 1e-9); // sums of falls
        for (int i = 0; i < 100; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 0.005));
            // a bounce of twice the way between the two rests for each change so far; the start of the elements, 1e-6 m
            CHECK_NEAR(rvBody_GetPose(world, load).p.z, z, (k + 1) * (10.0 * stretch * 2.0 * off + 1e-6));
        }
    }
    rvDestroyWorld(world);
}

static void LoadGoesOnSwinging(const Model* a, const Model* b)
{
    rvWorld* world = make_world();
    double h = 1.0 / 240.0, lowest = -10.0 * 100.0 * GRAVITY, angle = 0.5, most = 0.0;
    rvBodyId load = add_ball(world, 100.0, 0.1, rvVec(10.0 * sin(angle), 0, -10.0 * cos(angle)));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(a, places, 2, 1e6, 10.0 / (1.0 + 100.0 * GRAVITY * cos(angle) / 1e6));
    def.damping = 0.02; // the start's bounce dies away
    rvCableId rope = create_cable(world, &def);
    run_world(world, h, 2.0);
    double energy = total_energy(world) - lowest;
    change(world, rope, b);
    Crossings crossings = {0};
    for (int i = 0; i < 240 * 20; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        watch(&crossings, rvWorld_GetTime(world), rvBody_GetPose(world, load).p.x);
        // at the change it is past the lowest point: the tension falls, unless the change makes a blow
        if (i < 120)
            most = fmax(most, rvCable_GetTension(world, rope, 0));
    }
    double off = a->share + b->share;
    double period = 2.0 * 3.14159265358979323846 * sqrt(10.0 / GRAVITY) * large_swing(angle);
    CHECK_NEAR(mean_period(&crossings) / period, 1.0, 1e-3 + off); // the stretch of 1e-3; see the suite
    CHECK_NEAR((total_energy(world) - lowest) / energy, 1.0, 0.01 + 10.0 * 10 * off); // the rope's own: 10 m, of 1.2 m
    double highest = 100.0 * GRAVITY * (3.0 - 2.0 * cos(angle));
    CHECK_BELOW(most / highest, 1.0 + 0.02 + 2.0 * off); // damping by a rate that is half a step old: v^2/l h/2 tau k
    rvDestroyWorld(world);
}

static void ImagesGoOverAChange(const Model* a, const Model* b)
{
    static uint8_t early[1 << 18], late[1 << 18];
    rvBodyId load = {0};
    rvCableId rope = {0};
    rvWorld* worlds[2];
    for (int i = 0; i < 2; ++i) {
        worlds[i] = make_world();
        load = add_ball(worlds[i], 100.0, 0.3, rvVec(3, 0.5, -6));
        rope = hang(worlds[i], a, rvVec(0, 0, 0), load, 1e6, -1.0);
    }
    run_world(worlds[0], 0.01, 0.5);
    size_t earlySize = rvWorld_Save(worlds[0], NULL, 0);
    assert_true(earlySize <= sizeof early);
    rvWorld_Save(worlds[0], early, earlySize);
    change(worlds[0], rope, b);
    run_world(worlds[0], 0.01, 0.5);
    size_t lateSize = rvWorld_Save(worlds[0], NULL, 0);
    assert_true(lateSize <= sizeof late);
    rvWorld_Save(worlds[0], late, lateSize);
    run_world(worlds[0], 0.01, 1.0);
    uint64_t end = rvWorld_Hash(worlds[0]);
    CHECK_OK(worlds[0], rvWorld_Restore(worlds[0], late, lateSize));
    run_world(worlds[0], 0.01, 1.0);
    assert_true(rvWorld_Hash(worlds[0]) == end);
    // what was before is of another model; changed back it fits again
    if (a->type != b->type)
        assert_int_equal(rvWorld_Restore(worlds[0], early, earlySize), RV_BAD_IMAGE);
    assert_true(rvWorld_Hash(worlds[0]) == end);
    change(worlds[0], rope, a);
    CHECK_OK(worlds[0], rvWorld_Restore(worlds[0], early, earlySize));
    change(worlds[0], rope, b);
    run_world(worlds[0], 0.01, 1.5);
    assert_true(rvWorld_Hash(worlds[0]) == end); // the very same change again
    // and a world that was changed at another time
    change(worlds[1], rope, b);
    CHECK_OK(worlds[1], rvWorld_Restore(worlds[1], late, lateSize));
    run_world(worlds[1], 0.01, 1.0);
    assert_true(rvWorld_Hash(worlds[1]) == end);
    rvDestroyWorld(worlds[0]);
    rvDestroyWorld(worlds[1]);
}

static void NoMemoryNoChange(const Model* a, const Model* b)
{
    bool done = false;
    for (long fail = 0; !done; ++fail) {
        assert_true(fail < 200);
        Hooks hooks = {.left = 1000000};
        rvWorldDef def = rvDefaultWorldDef();
        def.maxContacts = 16;
        def.solverMemory = 1 << 16;
        def.alloc = hook_alloc;
        def.free = hook_free;
        def.context = &hooks;
        rvWorld* world = make_world_of(&def);
        rvBodyId load = add_ball(world, 100.0, 0.3, rvVec(3, 0.5, -6));
        rvCableId rope = hang(world, a, rvVec(0, 0, 0), load, 1e6, -1.0);
        run_world(world, 0.01, 0.1);
        uint64_t before = rvWorld_Hash(world);
        hooks.left = fail;
        rvCableDef wanted = model_def(b);
        rvStatus status = rvCable_SetModel(world, rope, &wanted);
        hooks.left = 1000000;
        done = status == RV_OK;
        if (!done) {
            assert_int_equal(status, RV_NO_MEMORY);
            assert_int_equal(rvCable_GetModel(world, rope), a->type);
            assert_true(rvWorld_Hash(world) == before);
            run_world(world, 0.01, 0.02);
            change(world, rope, b); // memory is back
        }
        run_world(world, 0.01, 0.05);
        rvDestroyWorld(world);
        assert_int_equal(hooks.blocks, 0);
        assert_int_equal(hooks.bytes, 0);
    }
}

static const struct {
    const char* name;
    void (*run)(const Model* a, const Model* b);
} cases[] = {
#define CASE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
    CASE(HangingMassKeepsItsTension), CASE(WinchGoesOnLifting), CASE(BightKeepsItsRope),      CASE(LoadGoesOnSwinging),
    CASE(ImagesGoOverAChange),        CASE(NoMemoryNoChange),   CASE(HeavyRopeKeepsTheBooks),
#undef CASE
};

enum { CASE_COUNT = sizeof cases / sizeof cases[0], PAIRS = MODEL_COUNT * MODEL_COUNT, TESTS = CASE_COUNT * PAIRS };

static void run_case(void** state)
{
    int i = *(int*)*state;
    const Model *from = &models[i % PAIRS / MODEL_COUNT], *to = &models[i % MODEL_COUNT];
    if (!(from->claims & to->claims & CAN_STRETCH))
        skip();
    cases[i / PAIRS].run(from, to);
}

// ---- what is not of a pair

// Two grids for the same wave: a rope that sags and swings keeps its shape, its motion and its tension.
static void FinerGridKeepsTheWave(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 2))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.places = places;
    def.placeCount = 2;
    def.length = 20.3;
    def.axialStiffness = 1e6;
    rvCableId rope = create_cable(world, &def);
    CHECK_OK(world, rvWorld_SetGravity(world, rvVec(0, 3, -9))); // it swings to the side
    run_world(world, 0.005, 1.0);
    double tension = rvCable_GetTension(world, rope, 0), energy = total_energy(world);
    rvVec3 coarse[64], fine[64];
    assert_int_equal(rvCable_GetShape(world, rope, coarse, 64), 21);
    def.subdivisions = 40;
    CHECK_OK(world, rvCable_SetModel(world, rope, &def));
    assert_int_equal(rvCable_GetShape(world, rope, fine, 64), 41);
    double size = 0.0;
    for (int i = 0; i <= 20; ++i)
        size = fmax(size, fabs(coarse[i].z - 0.1 * coarse[i].x));
    assert_true(size > 0.5); // it hangs
    for (int i = 0; i <= 20;
         ++i) // drawn until the arc of the finer grid fits: (k pi/M)^2/24 of the first mode's is 1e-3
        CHECK_BELOW(rvDistance(coarse[i], fine[2 * i]), 2e-3 * size);
    CHECK_NEAR(rvCable_GetTension(world, rope, 0), tension, 1e-9 * tension);
    CHECK_OK(world, rvWorld_Step(world, 0.005));
    CHECK_NEAR(rvCable_GetTension(world, rope, 0) / tension, 1.0, 0.1); // a step on: it swings
    CHECK_NEAR(total_energy(world) / energy, 1.0, 0.02);                // what the step cannot follow has gone
    rvDestroyWorld(world);
}

static void ContactsStay(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_drum(world, 0.5);
    rvBodyId load = add_ball(world, 50.0, 0.2, rvVec(2.5, 0, 0.55));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0.5)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rope_def(&models[0], places, 2, 1e6, -1.0);
    def.collides = true;
    rvCableId rope = create_cable(world, &def);
    settle(world);
    assert_int_equal(rvCable_GetContactCount(world, rope), 1);
    rvVec3 p = rvBody_GetPose(world, load).p;
    double tension = rvCable_GetTension(world, rope, 0);
    for (int i = 0; i < 4; ++i) {
        change(world, rope, &models[1 - i % 2]);
        assert_int_equal(rvCable_GetContactCount(world, rope), 1);
        run_world(world, 0.005, 0.5);
        assert_int_equal(rvCable_GetContactCount(world, rope), 1);
        CHECK_NEAR(rvCable_GetTension(world, rope, 0) / tension, 1.0, 1e-6 + 3.0 * models[1].share); // the settling's
        CHECK_BELOW(rvDistance(rvBody_GetPose(world, load).p, p), 1e-4);
    }
    rvDestroyWorld(world);
}

// Where a rope was looked at while it met shapes at places is not in images of a model that does so otherwise.
static void ImagesFitAfterOtherContacts(void** state)
{
    (void)state;
    static uint8_t image[1 << 18];
    rvWorld* worlds[2];
    size_t size = 0;
    for (int i = 0; i < 2; ++i) {
        worlds[i] = make_world();
        rvBodyId load = add_ball(worlds[i], 50.0, 0.2, rvVec(2.5, 0, -1));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0.5)), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = rope_def(&models[0], places, 2, 1e6, -1.0);
        def.collides = true;
        rvCableId rope = create_cable(worlds[i], &def);
        run_world(worlds[i], 0.01, i == 0 ? 0.5 : 0.1);
        rvCableDef other = rvDefaultCableDef(RV_CABLE_ANCF);
        other.massPerLength = 1.0;
        other.diameter = 0.01;
        CHECK_OK(worlds[i], rvCable_SetModel(worlds[i], rope, &other));
        if (i == 0) {
            size = rvWorld_Save(worlds[0], NULL, 0);
            assert_true(size <= sizeof image);
            rvWorld_Save(worlds[0], image, size);
        }
    }
    CHECK_OK(worlds[1], rvWorld_Restore(worlds[1], image, size));
    assert_true(rvWorld_Hash(worlds[0]) == rvWorld_Hash(worlds[1]));
    for (int i = 0; i < 2; ++i)
        rvDestroyWorld(worlds[i]);
}

// A model without crossings lets go of the rope that it held.
static void CrossingsEndWithTheModel(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvCableId ropes[2];
    rvBodyId load = add_ball(world, 20.0, 0.1, rvVec(0, 0, 1.5));
    for (int i = 0; i < 2; ++i) {
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-2, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0))};
        if (i == 1) {
            places[0] = rvAttachPlace(RV_NULL_BODY, rvVec(0, -2, 0.5));
            places[1] = rvAttachPlace(load, rvVec(0, 0, 0));
            CHECK_OK(world, rvBody_SetPose(world, load, (rvPose){rvVec(0, 2, 0.5), rvQuatIdentity()}));
        }
        rvCableDef def = rope_def(&models[0], places, 2, 1e6, i == 0 ? 4.05 : -1.0);
        def.collides = true;
        def.damping = 0.05;
        ropes[i] = create_cable(world, &def);
    }
    int most = 0;
    for (int i = 0; i < 400 && most == 0; ++i) { // the load swings down, its rope through the other
        CHECK_OK(world, rvWorld_Step(world, 0.005));
        most = rvCable_GetCrossings(world, ropes[0], NULL, 0);
    }
    assert_int_equal(most, 1);
    change(world, ropes[1], &models[2]); // ropes of elements have none
    run_world(world, 0.005, 0.1);
    assert_int_equal(rvCable_GetCrossings(world, ropes[0], NULL, 0), 0);
    assert_int_equal(rvCable_GetCrossings(world, ropes[1], NULL, 0), 0);
    rvDestroyWorld(world);
}

typedef struct {
    rvWorld *world, *twin;
    rvCableId rope;
} Pair;

static Pair make_pair(rvCableDef def, rvPlaceDef* places, int count)
{
    Pair pair;
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = 1e6;
    for (int i = 0; i < 2; ++i) {
        rvWorld* world = make_world();
        places[count - 1].body = add_ball(world, 100.0, 0.3, rvVec(1, 0, -5));
        pair.rope = create_cable(world, &def);
        *(i == 0 ? &pair.world : &pair.twin) = world;
    }
    return pair;
}

static void check_pair(Pair pair, rvCableDef def, const char* field)
{
    check_refused(pair.world, pair.twin, pair.rope, &def, field);
    rvDestroyWorld(pair.world);
    rvDestroyWorld(pair.twin);
}

static void RefusalsNameTheField(void** state)
{
    (void)state;
    rvPlaceDef two[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0))};
    rvPlaceDef three[] = {two[0], rvSheavePlace(RV_NULL_BODY, rvVec(1, 0, 1), rvVec(0, 1, 0), 0.2), two[1]};
    rvPlaceDef held[] = {two[0], rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0)), two[1]};
    rvCableDef massless = rvDefaultCableDef(RV_CABLE_MASSLESS), layered = rvDefaultCableDef(RV_CABLE_LAYERED);
    rvCableDef ancf = rvDefaultCableDef(RV_CABLE_ANCF), def;
    check_pair(make_pair(massless, three, 3), ancf, "places[1].type");
    check_pair(make_pair(ancf, held, 3), massless, "places[1].type");
    def = massless, def.pushes = true;
    check_pair(make_pair(def, two, 2), layered, "pushes");
    def = layered, def.torsionalStiffness = 1.0;
    rvCableDef plane = rvDefaultCableDef(RV_CABLE_CURVE);
    plane.plane = rvVec(0, 1, 0);
    check_pair(make_pair(def, two, 2), plane, "torsionalStiffness");
    def = ancf, def.elements = 0;
    check_pair(make_pair(massless, two, 2), def, "elements");
    def = layered, def.subdivisions = 1;
    check_pair(make_pair(layered, two, 2), def, "subdivisions");
    def = massless, def.model = (rvCableModel)99;
    check_pair(make_pair(layered, two, 2), def, "model");
    def.cookie = 0;
    check_pair(make_pair(layered, two, 2), def, "rvDefaultCableDef");
    rvWorld* world = make_world();
    assert_int_equal(rvCable_SetModel(world, RV_NULL_CABLE, &massless), RV_BAD_ID);
    assert_int_equal(rvCable_GetDef(world, RV_NULL_CABLE, &def), RV_BAD_ID);
    rvDestroyWorld(world);
}

static void DefinitionIsThatOfTheCable(void** state)
{
    (void)state;
    rvPlaceDef two[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS), now;
    def.elements = 7;
    def.friction = 0.1;
    Pair pair = make_pair(def, two, 2);
    CHECK_OK(pair.world, rvCable_GetDef(pair.world, pair.rope, &now));
    assert_int_equal(now.elements, 7); // of a model that it does not have yet
    now.model = RV_CABLE_ANCF;
    now.axialStiffness = 1.0; // is not read
    CHECK_OK(pair.world, rvCable_SetModel(pair.world, pair.rope, &now));
    CHECK_OK(pair.world, rvCable_GetDef(pair.world, pair.rope, &now));
    assert_int_equal(now.model, RV_CABLE_ANCF);
    CHECK_NEAR(now.axialStiffness, 1e6, 0.0);
    CHECK_NEAR(now.friction, 0.1, 0.0);
    assert_null(now.places);
    rvDestroyWorld(pair.world);
    rvDestroyWorld(pair.twin);
}

// A slack rope of 24 g, a metre and a fifth, and a tenth of a kilogram that swings down on it by a metre: what the new
// model holds more is its work, and the steps after the change make no more than 2 % of that fall, the guard's share.
static void check_slack(rvCableModel from, rvCableModel to, double h)
{
    rvWorld* world = make_world();
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 0.1, 1e-4, rvVec(1, 0, -0.2));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(from);
    def.places = places;
    def.placeCount = 2;
    def.length = 1.2;
    def.elements = 12;
    def.diameter = 4e-3;
    def.bendingStiffness = 0.01;
    def.massPerLength = 0.02;
    def.damping = 5e-3;
    rvCableId rope = add_cable_of(world, def, places, 2);
    run_world(world, h, 0.1);
    double before = total_energy(world) - rvWorld_GetEnergy(world).work;
    def.model = to;
    CHECK_OK(world, rvCable_SetModel(world, rope, &def));
    double work = rvWorld_GetEnergy(world).work;
    double height = 0.024 * GRAVITY * 0.3; // of a rope's middle: from its chord to where it hangs
    CHECK_NEAR(work, 0.0, height);
    while (rvWorld_GetTime(world) < 0.25) { // it is taut at 0.3 s
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy e = rvWorld_GetEnergy(world);
        CHECK_BELOW(total_energy(world) - e.work, before + 0.02 * 0.1 * GRAVITY * 1.0);
        CHECK_NEAR(e.work, work, 1e-12);
    }
    rvDestroyWorld(world);
}

static void SlackRopeGetsNoEnergy(void** state)
{
    (void)state;
    for (int i = 0; i < 75; ++i)
        check_slack((rvCableModel)(i / 5 % 5), (rvCableModel)(i % 5), (double[]){0.001, 0.005, 0.017}[i / 25]);
}

int main(void)
{
    static char names[TESTS][96];
    static int numbers[TESTS];
    struct CMUnitTest tests[TESTS + 7] = {[TESTS] = cmocka_unit_test(FinerGridKeepsTheWave),
                                          cmocka_unit_test(ContactsStay),
                                          cmocka_unit_test(ImagesFitAfterOtherContacts),
                                          cmocka_unit_test(CrossingsEndWithTheModel),
                                          cmocka_unit_test(RefusalsNameTheField),
                                          cmocka_unit_test(DefinitionIsThatOfTheCable),
                                          cmocka_unit_test(SlackRopeGetsNoEnergy)};
    for (int i = 0; i < TESTS; ++i) {
        snprintf(names[i], sizeof names[i], "%s (%s to %s)", cases[i / PAIRS].name,
                 models[i % PAIRS / MODEL_COUNT].name, models[i % MODEL_COUNT].name);
        numbers[i] = i;
        tests[i] = (struct CMUnitTest){names[i], run_case, NULL, NULL, &numbers[i]};
    }
    return RUN_TESTS(tests);
}
