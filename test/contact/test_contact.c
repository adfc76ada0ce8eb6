// SPDX-License-Identifier: MIT
// Contacts from step to step: filters, knowing points again, dropping, Jacobians, images.
#include "check.h"
#include "contact/contact.h"
#include "contact/contact_store.h"
#include "shapes_apart.h"

#include <stdlib.h>

static const rvStepContext context = {.h = 1.0 / 60.0, .relaxation = 2.0, .stepper = RV_STEPPER_SPOOK};

typedef struct {
    apart a;
    rvJointStore joints;
    rvContactStore* contacts;
    rvRows rows;
    double inverse[APART_MAX][7];
    double velocity[APART_MAX][6];
} scene;

static void scene_start(scene* s, int maxContacts)
{
    memset(s, 0, sizeof *s);
    apart_init(&s->a);
    s->a.bodyStore.inverse = s->inverse;
    s->a.bodyStore.freeVelocity = s->velocity;
    s->a.bodyStore.velocity = s->velocity;
    s->contacts = rv_contacts_create(&s->a.memory, maxContacts);
}

static void scene_ready(scene* s)
{
    assert_true(rv_contacts_reserve(s->contacts, &s->a.memory, &s->a.shapes));
    int rows, groups, slots, entries;
    rv_contacts_capacity(s->contacts, &rows, &groups, &slots, &entries);
    assert_true(rv_rows_reserve(&s->rows, &s->a.memory, rows, groups, slots, entries));
}

static void collide(scene* s)
{
    rv_contacts_collide(s->contacts, &s->a.shapes, &s->a.bodyStore, &s->joints, &context);
}

static void write_rows(scene* s)
{
    rv_rows_clear(&s->rows);
    rv_contacts_write_rows(s->contacts, &s->a.bodyStore, &context, &s->rows);
}

static void scene_end(scene* s)
{
    rv_rows_release(&s->rows, &s->a.memory);
    rv_contacts_destroy(s->contacts, &s->a.memory);
    apart_clear(&s->a);
    assert_int_equal(s->a.memory.taken, 0);
}

static rvPose at(double x, double y, double z)
{
    return (rvPose){{x, y, z}, {1, 0, 0, 0}};
}

static void add_two_boxes(scene* s, rvBodyType lower, rvBodyType upper)
{
    rvShapeDef def = apart_def(RV_SHAPE_BOX);
    apart_add(&s->a, lower, at(0, 0, 0), &def);
    rvPose pose = {{0.1, 0.2, 0.999}, rvQuatFromRotation(rvVec(0, 0, 0.3))};
    apart_add(&s->a, upper, pose, &def);
    scene_ready(s);
}

// Two boxes on each other, collided.
static void start_two_boxes(scene* s, rvBodyType lower, rvBodyType upper)
{
    scene_start(s, 16);
    add_two_boxes(s, lower, upper);
    collide(s);
}

static void FiltersKeepShapesApart(void** state)
{
    (void)state;
    static const struct {
        uint32_t groupA, maskA, groupB, maskB;
        bool meet;
    } cases[] = {
        {1, ~0u, 1, ~0u, true}, {2, 1, 1, 2, true}, {2, 1, 1, 1, false}, {2, 2, 1, 2, false}, {0, ~0u, 1, ~0u, false}};
    for (int i = 0; i < 5; ++i) {
        scene s;
        scene_start(&s, 16);
        rvShapeDef def = apart_def(RV_SHAPE_BOX);
        def.group = cases[i].groupA;
        def.mask = cases[i].maskA;
        apart_add(&s.a, RV_BODY_DYNAMIC, at(0, 0, 0), &def);
        def.group = cases[i].groupB;
        def.mask = cases[i].maskB;
        apart_add(&s.a, RV_BODY_DYNAMIC, at(0, 0, 0.99), &def);
        scene_ready(&s);
        collide(&s);
        assert_int_equal(rv_contacts_count(s.contacts) > 0, cases[i].meet);
        scene_end(&s);
    }
}

static void BodiesThatNothingPushesDoNotMeet(void** state)
{
    (void)state;
    static const rvBodyType types[] = {RV_BODY_STATIC, RV_BODY_KINEMATIC, RV_BODY_DYNAMIC, RV_BODY_PROXY};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k) {
            scene s;
            start_two_boxes(&s, types[i], types[k]);
            assert_int_equal(rv_contacts_count(s.contacts) > 0, i >= 2 || k >= 2);
            scene_end(&s);
        }
}

// Each row's Jacobian is the rate of the gap between the two points that touch, fixed on their bodies.
static void JacobiansAreTheRatesOfTheGap(void** state)
{
    (void)state;
    scene s;
    start_two_boxes(&s, RV_BODY_DYNAMIC, RV_BODY_DYNAMIC);
    write_rows(&s);
    assert_int_equal(s.rows.groupCount, 1);
    assert_int_equal(s.rows.groups[0].rowCount, 3 * rv_contacts_count(s.contacts));
    for (int i = 0; i < rv_contacts_count(s.contacts); ++i) {
        const rvContact* c = &s.contacts->now.items[i];
        rvVec3 directions[3] = {c->state.normal, c->slip, c->across};
        for (int body = 0; body < 2; ++body)
            for (int k = 0; k < 6; ++k) {
                double gaps[2][3];
                for (int side = 0; side < 2; ++side) {
                    double e = side == 0 ? -1e-6 : 1e-6;
                    rvBody moved = s.a.bodies[body];
                    rvVec3 step = rvVec(k % 3 == 0 ? e : 0, k % 3 == 1 ? e : 0, k % 3 == 2 ? e : 0);
                    if (k < 3)
                        moved.state.x = rvAdd(moved.state.x, step);
                    else
                        moved.state.q = rvQuatMul(rvQuatFromRotation(step), moved.state.q);
                    rvVec3 a = rvPosePoint(rv_body_pose(body == 0 ? &moved : &s.a.bodies[0]), c->state.localA);
                    rvVec3 b = rvPosePoint(rv_body_pose(body == 1 ? &moved : &s.a.bodies[1]), c->state.localB);
                    for (int r = 0; r < 3; ++r)
                        gaps[side][r] = rvDot(directions[r], rvSub(b, a));
                }
                for (int r = 0; r < 3; ++r) {
                    double rate = (gaps[1][r] - gaps[0][r]) / 2e-6;
                    double j = rv_group_jacobian(&s.rows, 0, body)[c->row + r][k];
                    CHECK_NEAR(j, rate, 1e-8); // round-off 1e-16 over 1e-6, some times
                }
            }
    }
    scene_end(&s);
}

static void NormalsPointFromAToB(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        scene s;
        scene_start(&s, 16);
        rvShapeDef def = apart_def(RV_SHAPE_BOX);
        apart_add(&s.a, RV_BODY_DYNAMIC, at(0, 0, turned ? 0.999 : 0), &def);
        apart_add(&s.a, RV_BODY_DYNAMIC, at(0, 0, turned ? 0 : 0.999), &def);
        scene_ready(&s);
        collide(&s);
        rvContactView view = rv_contacts_view(s.contacts, 0);
        assert_int_equal(view.shapeA, 0);
        CHECK_NEAR(view.normal.z, turned ? -1.0 : 1.0, 1e-9); // along z but for round-off
        scene_end(&s);
    }
}

// Plays the solver: gives each row a mark as its impulse.
static void give_marks(scene* s)
{
    for (int i = 0; i < s->rows.rowCount; ++i) {
        s->rows.rows[i].impulse = i % 3 == 0 ? 1.0 + i : 0.1 * i;
        s->rows.rows[i].mode = i % 3 == 0 ? RV_ROW_FREE : i % 3 == 1 ? RV_ROW_LOWER : RV_ROW_UPPER;
    }
    rv_contacts_read_rows(s->contacts, &s->rows);
}

static void PointsAreKnownAgainAfterASmallMove(void** state)
{
    (void)state;
    scene s;
    start_two_boxes(&s, RV_BODY_STATIC, RV_BODY_DYNAMIC);
    write_rows(&s);
    give_marks(&s);
    int count = rv_contacts_count(s.contacts);
    assert_int_equal(count, 4);
    rvContactState before[4];
    for (int i = 0; i < 4; ++i)
        before[i] = s.contacts->now.items[i].state;
    apart_move(&s.a, 1, (rvPose){{0.109, 0.2, 0.999}, s.a.bodies[1].state.q}); // 9 mm
    collide(&s);
    assert_int_equal(rv_contacts_count(s.contacts), 4);
    for (int i = 0; i < 4; ++i) {
        const rvContact* c = &s.contacts->now.items[i];
        int same = -1;
        for (int k = 0; k < 4; ++k)
            if (rvDistance(c->state.localB, before[k].localB) < 1e-6 ||
                rvDistance(c->state.localA, before[k].localA) < 1e-2)
                same = k;
        assert_true(same >= 0);
        assert_true(c->lastNormal == before[same].normalImpulse);
        assert_true(c->state.mode[1] == RV_ROW_LOWER && c->state.mode[2] == RV_ROW_UPPER);
        CHECK_NEAR(rvLength(rvSub(c->lastFriction, before[same].frictionImpulse)), 0.0, 1e-15);
    }
    apart_move(&s.a, 1, (rvPose){{0.3, 0.4, 0.999}, s.a.bodies[1].state.q}); // far: the corners over the lower box move
    collide(&s);
    int fresh = 0;
    for (int i = 0; i < rv_contacts_count(s.contacts); ++i)
        fresh += s.contacts->now.items[i].lastNormal == 0.0;
    assert_true(fresh > 0);
    scene_end(&s);
}

static void TheDeepestStayWhereThereIsNoRoom(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        scene s;
        scene_start(&s, 5);
        rvShapeDef plane = apart_def(RV_SHAPE_PLANE), ball = apart_def(RV_SHAPE_SPHERE);
        apart_add(&s.a, RV_BODY_STATIC, at(0, 0, 0), &plane);
        for (int i = 0; i < 12; ++i) {
            int rank = turned ? 11 - i : i;
            apart_add(&s.a, RV_BODY_DYNAMIC, at(2.0 * i, 0, 0.5 - 0.001 * (rank + 1)), &ball);
        }
        scene_ready(&s);
        collide(&s);
        assert_int_equal(rv_contacts_count(s.contacts), 5);
        assert_int_equal(rv_contacts_dropped(s.contacts), 7);
        for (int i = 0; i < 5; ++i)
            assert_true(rv_contacts_view(s.contacts, i).depth > 0.0075); // the five deepest are 8 to 12 mm
        scene_end(&s);
    }
}

static void NoRoomAtAllIsNoContact(void** state)
{
    (void)state;
    scene s;
    scene_start(&s, 0);
    add_two_boxes(&s, RV_BODY_STATIC, RV_BODY_DYNAMIC);
    collide(&s);
    assert_int_equal(rv_contacts_count(s.contacts), 0);
    assert_int_equal(rv_contacts_dropped(s.contacts), 4);
    scene_end(&s);
}

static void OrderOfFindingDoesNotShow(void** state)
{
    (void)state;
    scene s;
    scene_start(&s, 64);
    rvShapeDef ball = apart_def(RV_SHAPE_SPHERE);
    for (int i = 0; i < 12; ++i)
        apart_add(&s.a, RV_BODY_DYNAMIC, at(0.99 * (i * 7 % 12), 0, 0), &ball);
    scene_ready(&s);
    collide(&s);
    assert_int_equal(rv_contacts_count(s.contacts), 11);
    for (int i = 1; i < 11; ++i) {
        const rvContactState* a = &s.contacts->now.items[i - 1].state;
        const rvContactState* b = &s.contacts->now.items[i].state;
        assert_true(a->bodyA < b->bodyA || (a->bodyA == b->bodyA && a->bodyB < b->bodyB));
    }
    scene_end(&s);
}

static rvVisitor visit(rvContactStore* contacts, rvVisitor visitor)
{
    rv_contacts_visit(contacts, &visitor);
    return visitor;
}

static void AnImageBringsBackWhatWasKnown(void** state)
{
    (void)state;
    scene s;
    start_two_boxes(&s, RV_BODY_STATIC, RV_BODY_DYNAMIC);
    write_rows(&s);
    give_marks(&s);
    rvVisitor sizes = visit(s.contacts, (rvVisitor){.kind = RV_VISIT_SIZE});
    uint8_t* image = calloc(1, sizes.size);
    visit(s.contacts, (rvVisitor){.kind = RV_VISIT_WRITE, .to = image});
    uint64_t hash = visit(s.contacts, (rvVisitor){.kind = RV_VISIT_HASH}).hash;
    apart_move(&s.a, 1, at(0, 0, 5));
    collide(&s);
    assert_int_equal(rv_contacts_count(s.contacts), 0);
    visit(s.contacts, (rvVisitor){.kind = RV_VISIT_READ, .from = image});
    assert_int_equal(rv_contacts_count(s.contacts), 4);
    assert_true(visit(s.contacts, (rvVisitor){.kind = RV_VISIT_HASH}).hash == hash);
    // rubbish is not believed
    memset(image, 0x7f, sizes.size);
    visit(s.contacts, (rvVisitor){.kind = RV_VISIT_READ, .from = image});
    assert_int_equal(rv_contacts_count(s.contacts), 0);
    free(image);
    scene_end(&s);
}

static void AShapeThatIsGoneIsForgotten(void** state)
{
    (void)state;
    scene s;
    start_two_boxes(&s, RV_BODY_STATIC, RV_BODY_DYNAMIC);
    write_rows(&s);
    give_marks(&s);
    const rvContactChange* changes;
    assert_int_equal(rv_contacts_changes(s.contacts, &changes), 1);
    assert_true(changes[0].began);
    rv_contacts_forget_shape(s.contacts, 1);
    rv_shape_destroy(&s.a.shapes, &s.a.memory, 1);
    assert_int_equal(rv_contacts_count(s.contacts), 0);
    collide(&s);
    write_rows(&s);
    rv_contacts_read_rows(s.contacts, &s.rows);
    assert_int_equal(rv_contacts_changes(s.contacts, &changes), 0);
    scene_end(&s);
}

// All points of a pair of bodies are one group, whatever shapes they belong to.
static void APairOfBodiesIsOneGroup(void** state)
{
    (void)state;
    scene s;
    scene_start(&s, 64);
    rvShapeDef plane = apart_def(RV_SHAPE_PLANE), ball = apart_def(RV_SHAPE_SPHERE);
    apart_add(&s.a, RV_BODY_STATIC, at(0, 0, 0), &plane);
    apart_add(&s.a, RV_BODY_DYNAMIC, at(0, 0, 0.499), &ball);
    int second = -1;
    ball.frame.p = rvVec(3, 0, 0);
    assert_int_equal(rv_shape_create(&s.a.shapes, &s.a.bodyStore, &s.a.memory, &s.a.error, &ball, 1, &second), RV_OK);
    scene_ready(&s);
    collide(&s);
    write_rows(&s);
    assert_int_equal(rv_contacts_count(s.contacts), 2);
    assert_int_equal(s.rows.groupCount, 1);
    assert_int_equal(s.rows.groups[0].slotCount, 1); // the static body has none
    assert_int_equal(s.rows.rows[4].leanFirst, 3);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FiltersKeepShapesApart),
        cmocka_unit_test(BodiesThatNothingPushesDoNotMeet),
        cmocka_unit_test(JacobiansAreTheRatesOfTheGap),
        cmocka_unit_test(NormalsPointFromAToB),
        cmocka_unit_test(PointsAreKnownAgainAfterASmallMove),
        cmocka_unit_test(TheDeepestStayWhereThereIsNoRoom),
        cmocka_unit_test(NoRoomAtAllIsNoContact),
        cmocka_unit_test(OrderOfFindingDoesNotShow),
        cmocka_unit_test(AnImageBringsBackWhatWasKnown),
        cmocka_unit_test(AShapeThatIsGoneIsForgotten),
        cmocka_unit_test(APairOfBodiesIsOneGroup),
    };
    return RUN_TESTS(tests);
}
