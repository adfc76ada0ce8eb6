// SPDX-License-Identifier: MIT
// Taut ropes on random walks: two ends wander around convex shapes, the rope wraps and unwraps. After every step the
// rope is free of all shapes, balanced and pressed on at every node, no longer than it was plus what the ends moved.
// That no other way is shorter is held against brute force by bench/cases/walk.c.
#include "cable/rope_rig.h"
#include "cable/taut/obstacle_parts.h"

static rvVec3 span_start(const rig* r, int s)
{
    return s > 0 ? r->touches[s - 1].out : r->path.ends[0];
}

static rvVec3 span_end(const rig* r, int s)
{
    return s < r->path.count ? r->touches[s].in : r->path.ends[1];
}

// The rope is in balance: no pull along edges and rims, tangent on round surfaces, its length the sum of its parts.
static void check_balance(const rig* r)
{
    double length = 0.0;
    for (int s = 0; s <= r->path.count; ++s)
        length += rvDistance(span_start(r, s), span_end(r, s)) + (s < r->path.count ? r->touches[s].arc : 0.0);
    CHECK_NEAR(r->path.length, length, 1e-12); // rounding
    for (int i = 0; i < r->path.count; ++i) {
        const rvRopeNode* node = &r->nodes[i];
        const rvRopeTouch* touch = &r->touches[i];
        const rvShape* shape = rig_shape(r, node->shape);
        rvVec3 pull = rvSub(touch->leave, touch->arrive), along = {0, 0, 0};
        if (node->kind == RV_ROPE_EDGE) {
            rvRopeEdge edge = rv_rope_edge(shape, node->feature);
            along = rvNormalizeOr(rvSub(edge.ends[1], edge.ends[0]), along);
            assert_true(node->t > 0.0 && node->t < 1.0); // a corner of a convex shape holds no rope
        } else if (!rv_rope_is_wrap(node)) {
            along = rvVec(-sin(node->t), cos(node->t), 0);
        }
        // it is drawn towards the middle of the shape; that of a random hull may lie outside it
        bool bends = node->kind == RV_ROPE_EDGE || node->kind == RV_ROPE_RIM;
        if (touch->turn > 1e-6 && bends && shape->type != RV_SHAPE_HULL)
            assert_true(rvDot(pull, rvSub(touch->in, shape->pose.p)) < 0.0);
        // the length shows a step of 1e-8 no more, and short spans turn that into larger angles
        CHECK_NEAR(rvDot(pull, rvRotate(shape->pose.q, along)), 0.0, 1e-5);
        rvVec3 before = rvSub(touch->in, span_start(r, i)), after = rvSub(span_end(r, i + 1), touch->out);
        if (rv_rope_is_wrap(node) && rvLength(before) > 1e-3)
            CHECK_NEAR(rvDot(rvNormalizeOr(before, before), touch->normalIn), 0.0, 1e-7); // tangents, by acos
        if (rv_rope_is_wrap(node) && rvLength(after) > 1e-3)
            CHECK_NEAR(rvDot(rvNormalizeOr(after, after), touch->normalOut), 0.0, 1e-7); // as above
    }
}

// One end goes on, not through shapes and not too far away.
static rvVec3 wander(rig* r, rvVec3 e, rvVec3* velocity, double step, double far)
{
    for (;;) {
        rvVec3 v = rvAdd(rvScale(0.95, *velocity), rig_in_ball(r, 0.3 * step));
        v = rvMulAdd(v, rvLength(e) > 0.6 * far ? -0.1 * step : 0.0, e);
        double size = rvLength(v);
        v = size > step ? rvScale(step / size, v) : v;
        rvVec3 next = rvAdd(e, v);
        bool free = rvLength(next) < far;
        for (int k = 0; k < r->shapes.count; ++k)
            free = free && rv_rope_depth(rig_shape(r, k), e, next) <= 0.0;
        *velocity = v;
        if (free)
            return next;
        *velocity = rig_in_ball(r, step);
    }
}

typedef struct {
    long steps, touching;
} tally;

static void walk(rig* r, int steps, double step, double far, tally* t)
{
    rvVec3 e[2], v[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 2; ++k)
        do
            e[k] = rig_in_ball(r, far);
        while (rig_point_depth(r, e[k]) > 0.0);
    rig_begin(r, e[0], e[1]);
    for (int i = 0; i < steps; ++i) {
        double last = r->path.length, moved = 0.0;
        for (int k = 0; k < 2; ++k) {
            rvVec3 next = wander(r, e[k], &v[k], step, far);
            moved += rvDistance(next, e[k]);
            e[k] = next;
        }
        rig_update(r, e[0], e[1]);
        // no jump up; it becomes shorter at once where it slips over a corner, which no rope withstands
        CHECK_BELOW(r->path.length, last + moved + 1e-9); // a node may come 1e-9 m late
        CHECK_BELOW(rig_depth(r), 2e-9);                  // as above
        check_balance(r);
        t->steps += 1;
        t->touching += r->path.count > 0;
    }
}

static const rvShapeType convexTypes[] = {RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_SPHERE, RV_SHAPE_CYLINDER,
                                          RV_SHAPE_CAPSULE};

static void RopeAroundOneShapeIsInBalance(void** state)
{
    (void)state;
    static rig r;
    tally t = {0};
    for (int i = 0; i < 50; ++i) {
        rig_init(&r, 4000 + (uint64_t)i);
        rvVec3 points[12];
        rvShapeDef def = rig_def(&r, convexTypes[i % 5], points);
        rig_add(&r, rig_pose(&r, 0.1), &def);
        walk(&r, 1200, i / 5 % 2 ? 0.01 : 0.1, 2.0, &t);
        apart_clear(&r.shapes);
    }
    assert_true(t.touching > t.steps / 20);
}

static void RopeAmongManyShapesIsInBalance(void** state)
{
    (void)state;
    static rig r;
    tally t = {0};
    for (int i = 0; i < 40; ++i) {
        rig_init(&r, 9000 + (uint64_t)i);
        for (int k = 0; k < 6; ++k) {
            rvVec3 points[12];
            rvShapeDef def = rig_def(&r, convexTypes[(i + k) % 5], points);
            // apart: no rope is pinched between two
            rvPose pose = rig_pose(&r, 2.2);
            for (int other = 0; other < k; ++other)
                if (rvDistance(pose.p, rig_shape(&r, other)->pose.p) < 1.8) {
                    pose = rig_pose(&r, 2.2);
                    other = -1;
                }
            rig_add(&r, pose, &def);
        }
        walk(&r, 1000, i % 2 ? 0.02 : 0.15, 3.0, &t);
        apart_clear(&r.shapes);
    }
    assert_true(t.touching > t.steps / 20);
}

static void ShapesThatMoveTakeTheRopeAlong(void** state)
{
    (void)state;
    static rig r;
    long touching = 0;
    for (int i = 0; i < 40; ++i) {
        rig_init(&r, 7000 + (uint64_t)i);
        rvVec3 points[12];
        rvShapeDef def = rig_def(&r, convexTypes[i % 5], points);
        rvPose pose = rig_pose(&r, 0.0);
        pose.p = rvVec(0, 0, 1.5);
        rig_add(&r, pose, &def);
        rvVec3 spin = rig_in_ball(&r, 0.2), a = rvVec(-3, 0, 0), b = rvVec(3, 0.1, 0);
        rig_begin(&r, a, b);
        for (int k = 0; k < 500; ++k) {
            // up and down through the line of the rope, turning
            pose.p = rvVec(0.5 * sin(0.03 * k), 0.2 * sin(0.021 * k), 1.5 * cos(0.05 * k));
            pose.q = rvQuatMul(rvQuatFromRotation(spin), pose.q);
            rig_move(&r, 0, pose);
            rig_update(&r, a, b);
            CHECK_BELOW(rig_depth(&r), 2e-9); // as in walk
            check_balance(&r);
            touching += r.path.count > 0;
        }
        apart_clear(&r.shapes);
    }
    assert_true(touching > 2000);
}

// ---- meeting a shape

enum { MEET_BOX, MEET_CYLINDER, MEET_MESH, MEET_KINDS };

static rvShapeDef meeting_def(rig* r, int kind)
{
    static const rvShapeType types[MEET_KINDS] = {RV_SHAPE_BOX, RV_SHAPE_CYLINDER, RV_SHAPE_MESH};
    static const int triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    static rvVec3 unused[12];
    rvShapeDef def = rig_def(r, types[kind], unused);
    if (kind == MEET_MESH) { // a cube
        def.points = apartCube;
        def.pointCount = 8;
        def.triangles = triangles;
        def.triangleCount = 12;
    }
    return def;
}

// An end on its way around the shape, 2 m from the middle.
static rvVec3 end_at(rvVec3 start, rvVec3 axis, double angle)
{
    return rvRotate(rvQuatFromAxisAngle(axis, angle), start);
}

// Between `low`, where the rope has `count` nodes, and `high`, where it has more: the two come together to 1e-9 rad.
// The rope is left at `low`.
static void close_in(rig* r, rvVec3 a, rvVec3 b, rvVec3 axis, int count, double* low, double* high)
{
    static rig_memory saved;
    rig_update(r, a, end_at(b, axis, *low));
    rig_save(r, &saved);
    while (*high - *low > 1e-9) {
        double middle = 0.5 * (*low + *high);
        rig_update(r, a, end_at(b, axis, middle));
        if (r->path.count == count) {
            *low = middle;
            rig_save(r, &saved);
        } else {
            *high = middle;
            rig_restore(r, &saved);
        }
    }
    rig_restore(r, &saved);
    rig_update(r, a, end_at(b, axis, *low));
}

// Just before the rope meets a shape, just after, and just before again: its length differs by no more than the end
// moved, its directions at the ends by what that turns them.
static void check_meeting(rig* r, rvVec3 a, rvVec3 before, rvVec3 after)
{
    const double late = 2e-9;     // [m] a node may come so much too late, at both steps
    const double least = 2.0 - 1; // [m] from an end to the shape
    double moved = rvDistance(before, after), length = r->path.length;
    rvVec3 leave[2] = {r->path.leave[0], r->path.leave[1]};
    for (int back = 0; back < 2; ++back) {
        rig_update(r, a, back ? before : after);
        CHECK_BELOW(fabs(r->path.length - length), moved + late);
        for (int k = 0; k < 2; ++k)
            CHECK_BELOW(rvDistance(r->path.leave[k], leave[k]), 2.0 * (moved + late) / least);
    }
    CHECK_NEAR(r->path.length, length, late);
}

static void MeetingAndLeavingHaveNoJumpAtThousandsOfPlaces(void** state)
{
    (void)state;
    static rig r;
    int met[MEET_KINDS] = {0};
    for (int i = 0; i < 1800; ++i) {
        rig_init(&r, 300 + (uint64_t)i);
        rvShapeDef def = meeting_def(&r, i % MEET_KINDS);
        rig_add(&r, rig_pose(&r, 0.1), &def);
        rvVec3 a = rvScale(2.0, rvNormalizeOr(rig_in_ball(&r, 1.0), rvVec(1, 0, 0)));
        // it goes by behind the shape
        rvVec3 axis = rvNormalizeOr(rvCross(a, rig_in_ball(&r, 1.0)), rvVec(0, 0, 1));
        rvVec3 b = rvScale(2.0, rvNormalizeOr(rvAdd(rvCross(axis, a), rig_in_ball(&r, 0.5)), axis));
        rig_begin(&r, a, b);
        double step = 0.04;
        for (double at = 0.0; at < 12.0; at += step) {
            int count = r.path.count;
            rig_update(&r, a, end_at(b, axis, at + step));
            if (r.path.count <= count || count > 0) // a rope that lies on a shape may slip over a corner, with a jump
                continue;
            double low = at, high = at + step;
            rig_update(&r, a, end_at(b, axis, low));
            close_in(&r, a, b, axis, count, &low, &high);
            check_meeting(&r, a, end_at(b, axis, low), end_at(b, axis, high));
            met[i % MEET_KINDS] += 1;
            rig_update(&r, a, end_at(b, axis, at + step));
        }
        apart_clear(&r.shapes);
    }
    for (int k = 0; k < MEET_KINDS; ++k)
        assert_true(met[k] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopeAroundOneShapeIsInBalance),
        cmocka_unit_test(RopeAmongManyShapesIsInBalance),
        cmocka_unit_test(ShapesThatMoveTakeTheRopeAlong),
        cmocka_unit_test(MeetingAndLeavingHaveNoJumpAtThousandsOfPlaces),
    };
    return RUN_TESTS(tests);
}
