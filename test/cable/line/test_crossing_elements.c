// SPDX-License-Identifier: MIT
// Ropes of finite elements that cross: each other, and themselves.
#include <stdlib.h>

#include "cable/ale/ale_parts.h"
#include "cable/ale/ale_rope.h"
#include "cable/crossing_ropes.h"
#include "cable/fe/fe.h"
#include "cable/line/crossing_elements.h"
#include "world/world.h"

enum { PAIRS = 4 };
static const rvCableModel pairs[PAIRS][2] = {{RV_CABLE_ANCF, RV_CABLE_ANCF},
                                             {RV_CABLE_ALE, RV_CABLE_ANCF},
                                             {RV_CABLE_ANCF, RV_CABLE_ALE},
                                             {RV_CABLE_ALE, RV_CABLE_ALE}};

static Rope rope_of(rvCableModel model, double stiffness, double length)
{
    return (Rope){.model = model,
                  .stiffness = stiffness,
                  .friction = 0.2,
                  .damping = 0.05,
                  .length = length,
                  .diameter = 0.02,
                  .mass = 0.5,
                  .elements = 10};
}

// A load of 100 kg on a sling falls into the bight of a rope and comes to rest. Answers the tension at a quarter of the
// rope.
static double tension_of_bight(const rvCableModel models[2], int elements, double carried)
{
    rvWorld* world = make_world();
    Rope rope = rope_of(models[0], 1e6, 4.2), sling = rope_of(models[1], 1e6, 1.6);
    rope.elements = sling.elements = elements;
    rvCableId a = new_span(world, ground, rvVec(-2, 0, 0), ground, rvVec(2, 0, 0), rope);
    rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 10, rvVec(0, 0, -0.9));
    rvCableId b = new_span(world, load, rvVec(0, -0.5, 1), load, rvVec(0, 0.5, 1), sling);
    run_world(world, 0.01, 8.0);
    rvCableCrossing over, under;
    assert_int_equal(rvCable_GetCrossings(world, a, &over, 1), 1);
    assert_int_equal(rvCable_GetCrossings(world, b, &under, 1), 1);
    CHECK_NEAR(over.force.z / carried, 1.0, 4e-3); // swings of the load that fade slowly
    CHECK_BELOW(rvLength(rvAdd(over.force, under.force)), 1e-12);
    rvCableSection section;
    assert_true(rvCable_GetSection(world, a, 1.05, &section));
    rvDestroyWorld(world);
    return section.tension;
}

// Rope of length L(1 + T/EA) makes two straight legs; what it carries is the load, the sling and half of itself, at a
// quarter of it. A cubic is smooth where the rope is bent: its legs are too steep by a share of the length of an
// element. That is of first order, and goes with two meshes.
static void LoadHangsInTheSaddleOfElements(void** state)
{
    (void)state;
    double carried = 100.8 * GRAVITY, pull = 1600.0;
    for (int i = 0; i < 50; ++i) {
        double leg = 2.1 * (1.0 + pull / 1e6);
        pull = 0.5 * (carried + 1.05 * GRAVITY) * leg / sqrt(leg * leg - 4.0);
    }
    for (int p = 0; p < PAIRS; ++p) {
        double coarse = tension_of_bight(pairs[p], 10, carried), fine = tension_of_bight(pairs[p], 20, carried);
        CHECK_NEAR((2.0 * fine - coarse) / pull, 1.0, 5e-3); // second order: the square of 3.5 %, and swings of 4e-3
    }
}

static void FastElementsDoNotPassThroughEachOther(void** state)
{
    (void)state;
    for (int p = 0; p < PAIRS; ++p)
        for (int k = 0; k < 8; ++k) {
            // taut and with sag, in the middle, where nodes meet, and beside it
            Sweep s =
                new_sweep(make_world(), pairs[p], rope_of(RV_CABLE_ANCF, 1e5, k % 2 ? 4.1 : -1.0), 0.17 * k, 10.0);
            run_world(s.world, 1.0 / 60, 0.3);
            rvCableCrossing crossing;
            assert_int_equal(rvCable_GetCrossings(s.world, s.a, &crossing, 1), 1);
            // above the ends of the other, and pressed
            assert_true(crossing.point.z > -2.45 && crossing.force.z > 100.0);
            rvDestroyWorld(s.world);
        }
}

// Laid on each other at leisure, at rest and lifted again: they meet once and part once, and the books balance.
static void ElementsMeetAndPart(void** state)
{
    (void)state;
    for (int p = 0; p < PAIRS; ++p) {
        Sweep s = new_sweep(make_world(), pairs[p], rope_of(RV_CABLE_ANCF, 1e5, 4.2), 0.3, 0.2);
        int met = 0, parted = 0;
        double books = 0.0, lightest = HUGE_VAL, off = 0.0;
        for (int i = 0; i < 600; ++i) {
            if (i == 300)
                lead(&s, 0.2);
            run_world(s.world, 1.0 / 60, 1.0 / 60);
            met += count_pairs(s.world, RV_EVENT_CABLES_CROSS, s.a, s.b);
            parted += count_pairs(s.world, RV_EVENT_CABLES_PART, s.a, s.b);
            if (i == 0)
                books = energy_books(s.world);
            off = fmax(off, fabs(energy_books(s.world) - books));
            if (i > 60) // the hands start at once, and the rope jerks
                lightest = fmin(lightest, rvCable_GetTension(s.world, s.b, 0));
        }
        assert_int_equal(met, 1);
        assert_int_equal(parted, 1);
        CHECK_BELOW(off, 1e-5); // J: round-off of the 20 J that the hands move
        assert_true(lightest < 0.6 * rvCable_GetTension(s.world, s.b, 0)); // the lower one did carry
        rvDestroyWorld(s.world);
    }
}

static void CrossingElementsAreSavedAndRestored(void** state)
{
    (void)state;
    for (int p = 0; p < PAIRS; ++p) {
        Sweep s = new_sweep(make_world(), pairs[p], rope_of(RV_CABLE_ANCF, 1e5, 4.2), 0.3, 1.0);
        run_world(s.world, 1.0 / 60, 0.7);
        check_sweep_is_saved(&s);
        rvDestroyWorld(s.world);
    }
}

// The middle of a rope of elements, exact for cubics: Boole's rule over the points of its shape.
static rvVec3 middle_of(const rvWorld* world, rvCableId rope)
{
    static const double weights[5] = {7, 32, 12, 32, 7};
    rvVec3 points[200], sum = {0, 0, 0};
    int count = rvCable_GetShape(world, rope, points, 200);
    assert_true(count % 4 == 1 && count <= 200);
    for (int i = 0; i + 4 < count; i += 4)
        for (int k = 0; k < 5; ++k)
            sum = rvMulAdd(sum, weights[k] / 90.0, points[i + k]);
    return rvScale(4.0 / (count - 1), sum);
}

// Four bodies on two ropes that meet at speed, without weight.
static void CrossingElementsKeepMomentum(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId bodies[4];
    const rvVec3 at[4] = {{-1, 0.1, 0}, {1.2, -0.2, 0}, {0.1, -0.9, 0.2}, {-0.2, 1.1, 0.15}};
    const double mass[4] = {3, 2, 1, 4}, h = 1.0 / 240;
    for (int i = 0; i < 4; ++i) {
        bodies[i] = add_mass(world, RV_BODY_DYNAMIC, mass[i], 0.1 * mass[i], at[i]);
        CHECK_OK(world,
                 rvBody_SetVelocity(world, bodies[i], i < 2 ? rvVec(0, 0, 0.8) : rvVec(0, 0, -0.8), rvVec(0, 0, 0)));
    }
    rvCableId ropes[2];
    for (int r = 0; r < 2; ++r)
        ropes[r] = new_span(world, bodies[2 * r], rvVec(0, 0, 0), bodies[2 * r + 1], rvVec(0, 0, 0),
                            rope_of(RV_CABLE_ANCF, 1e4, -1.0));
    rvVec3 first = {0, 0, 0};
    double largest = 0.0;
    int touched = 0;
    for (int i = 0; i < 480; ++i) {
        rvVec3 p = {0, 0, 0}, before[2];
        for (int r = 0; r < 2; ++r)
            before[r] = middle_of(world, ropes[r]);
        run_world(world, h, h);
        for (int r = 0; r < 2; ++r) // velocities of bodies are those of the middle of the step too
            p = rvMulAdd(p, 0.5 * rvDistance(at[2 * r], at[2 * r + 1]) / h,
                         rvSub(middle_of(world, ropes[r]), before[r]));
        for (int k = 0; k < 4; ++k)
            p = rvMulAdd(p, mass[k], rvBody_GetVelocity(world, bodies[k]));
        if (i == 0)
            first = p;
        touched += rvCable_GetCrossings(world, ropes[0], NULL, 0);
        largest = fmax(largest, rvDistance(p, first));
    }
    assert_true(touched > 240);
    CHECK_BELOW(largest, 1e-4); // the point has 1e-5 of the mass of a rope: of 4 kg m/s that meet
    rvDestroyWorld(world);
}

// The legs of a bight that is held below change places, pass beside each other and are pressed together: they do not
// pass.
static void ElementsHoldThemselves(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId ends[2] = {add_hand(world, rvVec(-0.6, -0.1, 0)), add_hand(world, rvVec(0.6, 0.1, 0))};
    rvPlaceDef places[4] = {rvAttachPlace(ends[0], rvVec(0, 0, 0)), rvAttachPlace(ground, rvVec(-0.2, 0, -1)),
                            rvAttachPlace(ground, rvVec(0.2, 0, -1)), rvAttachPlace(ends[1], rvVec(0, 0, 0))};
    Rope rope = rope_of(RV_CABLE_ANCF, 1e4, 3.3);
    rope.elements = 24;
    rvCableId cable = new_rope(world, places, 4, rope);
    const rvVec3 ways[2] = {{1.2, 0, 0}, {0, 0.8, 0}}; // of the first end, the other goes against it
    for (int leg = 0; leg < 2; ++leg) {
        for (int e = 0; e < 2; ++e)
            CHECK_OK(world, rvBody_SetVelocity(world, ends[e], rvScale(e ? -0.5 : 0.5, ways[leg]), rvVec(0, 0, 0)));
        run_world(world, 1.0 / 120, 2.0);
    }
    rvCableCrossing crossings[2];
    assert_int_equal(rvCable_GetCrossings(world, cable, crossings, 2), 2); // of either leg
    assert_true(fabs(crossings[0].point.x) < 0.2 && crossings[0].point.z < 0.0 && crossings[0].point.z > -1.0);
    assert_true(fabs(crossings[0].force.y) > 1.0);
    CHECK_BELOW(rvLength(rvAdd(crossings[0].force, crossings[1].force)), 1e-12);
    rvDestroyWorld(world);
}

// A rope whose contacts are used up by a ball that it lies on lets another one through: nothing is told of a touch that
// there is no room for. (The other one's first contact was taken for it, and memory before the list was read.)
static void RopesWithoutRoomForATouchPass(void** state)
{
    (void)state;
    for (int p = 0; p < PAIRS; ++p) {
        rvWorld* world = make_world();
        add_ground(world);
        rvShapeDef ball = rvDefaultShapeDef(RV_SHAPE_SPHERE);
        ball.radius = 0.05;
        const rvVec3 below[2] = {rvVec(0.5, 0, -0.02), rvVec(0, -0.5, 0.05)}; // a point of each rope
        for (int r = 0; r < 2; ++r)
            add_shape(world, add_mass(world, RV_BODY_STATIC, 0, 0, below[r]), &ball);
        rvCableId ropes[2];
        for (int r = 0; r < 2; ++r) {
            rvCableDef def = rvDefaultCableDef(pairs[p][r]);
            def.axialStiffness = 1e5;
            def.bendingStiffness = 0.1;
            def.massPerLength = 0.5;
            def.damping = 0.05;
            def.collides = true;
            def.length = r == 0 ? 1.99 : 2.2;
            def.maxContacts = r == 0 ? 1 : 32;
            def.straight = r == 1; // falls on the other
            rvVec3 way = r == 0 ? rvVec(1, 0, 0) : rvVec(0, 1, 0), up = rvVec(0, 0, r == 0 ? 0.03 : 0.2);
            rvPlaceDef places[] = {rvAttachPlace(ground, rvSub(up, way)), rvAttachPlace(ground, rvAdd(up, way))};
            ropes[r] = add_cable_of(world, def, places, 2);
        }
        int came = 0;
        for (int n = 0; n < 200; ++n) {
            step_world(world, 0.005, 1);
            came += count_pairs(world, RV_EVENT_CABLES_CROSS, ropes[0], ropes[1]);
        }
        assert_int_equal(came, 0);
        assert_int_equal(rvCable_GetCrossings(world, ropes[1], NULL, 0), 0);
        rvDestroyWorld(world);
    }
}

// What becomes a rope without elements touches none of them any more; its image can be read.
static void ChangeOfModelEndsTheTouch(void** state)
{
    (void)state;
    Sweep s = new_sweep(make_world(), pairs[0], rope_of(RV_CABLE_ANCF, 1e5, 4.2), 0.3, 1.0);
    run_world(s.world, 1.0 / 60, 0.7);
    assert_int_equal(rvCable_GetCrossings(s.world, s.a, NULL, 0), 1);
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    CHECK_OK(s.world, rvCable_SetModel(s.world, s.b, &def));
    assert_int_equal(rvCable_GetCrossings(s.world, s.a, NULL, 0), 0);
    size_t size = rvWorld_Save(s.world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    rvWorld_Save(s.world, image, size);
    CHECK_OK(s.world, rvWorld_Restore(s.world, image, size));
    run_world(s.world, 1.0 / 60, 0.1);
    free(image);
    rvDestroyWorld(s.world);
}

// A host solves the rows of its own bodies: points between ropes are none of these, and ropes pass each other.
static void RowsOfAHostAreOfItsBodies(void** state)
{
    (void)state;
    for (int model = 0; model < 2; ++model) {
        rvWorld* world = make_weightless_world();
        rvProxyState moved[4] = {0};
        rvBodyId bodies[4];
        for (int i = 0; i < 4; ++i) {
            rvVec3 at = i < 2 ? rvVec(i ? 2 : -2, 0, 0) : rvVec(0, i > 2 ? 2 : -2, 0.1);
            bodies[i] = add_mass(world, RV_BODY_PROXY, 1.0, 1.0, at);
            moved[i] = (rvProxyState){.body = bodies[i], .pose = {.p = at, .q = rvQuatIdentity()}};
            moved[i].velocity = rvVec(0, 0, i < 2 ? 0.0 : -1.0);
        }
        Rope rope = rope_of(model ? RV_CABLE_ANCF : RV_CABLE_MASSLESS, 1e5, -1.0);
        rope.mass = model ? 0.5 : 0.0;
        rope.elements = model ? 10 : 0;
        rvCableId first = {0};
        for (int r = 0; r < 2; ++r) {
            rvCableId id = new_span(world, bodies[2 * r], rvVec(0, 0, 0), bodies[2 * r + 1], rvVec(0, 0, 0), rope);
            first = r == 0 ? id : first;
        }
        for (int k = 0; k < 20; ++k) {
            double impulses[200] = {0};
            CHECK_OK(world, rvWorld_BeginStep(world, 0.01));
            int rows = rvWorld_GetRowCount(world);
            assert_true(rows <= 200);
            for (int row = 0; row < rows; ++row) {
                rvRowBody of[8];
                int count = rvWorld_GetRowBodies(world, row, of, 8);
                for (int b = 0; b < count; ++b)
                    assert_true(of[b].body.index1 <= 4);
            }
            for (int i = 2; i < 4; ++i)
                moved[i].pose.p.z -= 0.01;
            CHECK_OK(world, rvWorld_EndStep(world, impulses, rows, moved, 4));
            assert_int_equal(rvCable_GetCrossings(world, first, NULL, 0), 0);
        }
        rvDestroyWorld(world);
    }
}

// Rate of a contact along its normal, of the vectors that the elements themselves go on with.
static double rate_of(const rvCable* cable, const rvLineContact* contact, bool algorithmic)
{
    const rvFeTouch* touch = (const rvFeTouch*)((const char*)contact - offsetof(rvFeTouch, contact));
    if (cable->def.model == RV_CABLE_ANCF) {
        const rvAncfRt* rt = &cable->fe->ancf->rt;
        return rvDot(rv_touch_direction(touch, 0), rv_touch_at(touch, algorithmic ? rt->at1 : rt->a1));
    }
    const rvAleRope* rope = cable->rope;
    return rv_ale_port_rate(rope->ale, &rope->ports[touch->row], algorithmic ? RV_ALE_ALGO : RV_ALE_ACCEL);
}

// Both accelerations of points that press are made equal, each with its own of the other cable, whatever the models.
static void AccelerationsOfBothKindsAgree(void** state)
{
    (void)state;
    for (int p = 0; p < PAIRS; ++p) {
        rvWorld* world = make_world();
        Rope rope = rope_of(pairs[p][0], 1e6, 4.2), sling = rope_of(pairs[p][1], 1e6, 1.6);
        new_span(world, ground, rvVec(-2, 0, 0), ground, rvVec(2, 0, 0), rope);
        rvBodyId load = add_mass(world, RV_BODY_DYNAMIC, 100, 10, rvVec(0, 0, -0.9));
        new_span(world, load, rvVec(0, -0.5, 1), load, rvVec(0, 0.5, 1), sling);
        int pressed = 0;
        double largest = 0.0, off[2] = {0.0, 0.0};
        for (int i = 0; i < 200; ++i) {
            CHECK_OK(world, rvWorld_Step(world, 0.01));
            const rvCableStore* store = &world->cables;
            for (int k = 0; k < store->ropePointCount; ++k) {
                const rvRopePoint* point = &store->ropePoints[k];
                for (int kind = 0; point->pressed && kind < 2; ++kind) {
                    double a = rate_of(&store->items[point->cable[0]], point->contact[0], kind == 1),
                           b = rate_of(&store->items[point->cable[1]], point->contact[1], kind == 1);
                    pressed += 1;
                    largest = fmax(largest, fabs(a));
                    off[kind] = fmax(off[kind], fabs(a + b)); // normals are opposite
                }
            }
        }
        assert_true(pressed > 20);
        for (int kind = 0; kind < 2; ++kind)
            CHECK_BELOW(off[kind], 1e-6 * largest); // the sweeps end at this share of the largest push
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LoadHangsInTheSaddleOfElements),
        cmocka_unit_test(AccelerationsOfBothKindsAgree),
        cmocka_unit_test(FastElementsDoNotPassThroughEachOther),
        cmocka_unit_test(ElementsMeetAndPart),
        cmocka_unit_test(CrossingElementsAreSavedAndRestored),
        cmocka_unit_test(CrossingElementsKeepMomentum),
        cmocka_unit_test(RopesWithoutRoomForATouchPass),
        cmocka_unit_test(ElementsHoldThemselves),
        cmocka_unit_test(ChangeOfModelEndsTheTouch),
        cmocka_unit_test(RowsOfAHostAreOfItsBodies),
    };
    return RUN_TESTS(tests);
}
