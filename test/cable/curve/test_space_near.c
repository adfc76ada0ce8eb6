// SPDX-License-Identifier: MIT
#include "cable/curve/space_near.h"
#include "check.h"
#include "random.h"

static rvVec3 anywhere(double size)
{
    double x = between(-size, size), y = between(-size, size);
    return rvVec(x, y, between(-size, size));
}

static rvVec3 beyond(rvVec3 sum, rvVec3 x)
{
    return rvVec(fmax(sum.x, fabs(x.x)), fmax(sum.y, fabs(x.y)), fmax(sum.z, fabs(x.z)));
}

// A block of 0.4 x 0.2 x 0.1 m, somewhere and turned, with the box that the world would give it.
static rvShape make_block(void)
{
    rvShape shape = {.type = RV_SHAPE_BOX, .halves = rvVec(0.2, 0.1, 0.05)};
    shape.pose = (rvPose){anywhere(0.3), rvQuatFromRotation(anywhere(2.0))};
    rvVec3 reach = rvVec(0, 0, 0);
    for (int i = 0; i < 8; ++i) {
        rvVec3 corner = rvVec(i & 1 ? 0.2 : -0.2, i & 2 ? 0.1 : -0.1, i & 4 ? 0.05 : -0.05);
        reach = beyond(reach, rvRotate(shape.pose.q, corner));
    }
    shape.low = rvSub(shape.pose.p, reach);
    shape.high = rvAdd(shape.pose.p, reach);
    return shape;
}

// It goes on by up to 0.3 m and turns by up to a radian.
static rvSpaceObstacle make_obstacle(const rvShape* shape, rvSpaceObstacleKind kind)
{
    rvSpaceObstacle o = {.kind = kind, .half = 0.2, .radius = 0.05, .shape = shape};
    rvVec3 way = anywhere(0.17);
    rvQuat turn = rvQuatFromRotation(anywhere(0.57));
    o.wasCenter = shape->pose.p;
    o.wasTurn = shape->pose.q;
    o.wasAxis = rvRotate(o.wasTurn, rvVec(0, 0, 1));
    o.center = rvAdd(o.wasCenter, way);
    o.turn = rvQuatMul(turn, o.wasTurn);
    o.axis = rvRotate(turn, o.wasAxis);
    return o;
}

static bool goes_through(const rvSpaceObstacle* o, const rvVec3 from[2], const rvVec3 to[2])
{
    double at;
    rvVec3 out;
    if (o->kind != RV_SPACE_SOLID) {
        rvVec3 a = rvScale(o->half, o->wasAxis), b = rvScale(o->half, o->axis);
        rvVec3 was[2] = {rvSub(o->wasCenter, a), rvAdd(o->wasCenter, a)};
        rvVec3 is[2] = {rvSub(o->center, b), rvAdd(o->center, b)};
        return rv_find_passage(from, to, was, is, &at, &out);
    }
    rvPose was = {o->wasCenter, o->wasTurn}, is = {o->center, o->turn};
    rvVec3 a[2] = {rvPosePointBack(was, from[0]), rvPosePointBack(was, from[1])};
    rvVec3 b[2] = {rvPosePointBack(is, to[0]), rvPosePointBack(is, to[1])};
    return rv_space_solid_pass_chord(o->shape, a, b, 0.0, &at, &out) != RV_SPACE_OUTSIDE;
}

// Chords that go anywhere while an obstacle moves and turns: none that goes through is left out, and most that do not
// are.
static void BoxesHideNoPassage(void** state)
{
    (void)state;
    seed = 5;
    for (int kind = RV_SPACE_CAPSULE; kind <= RV_SPACE_SOLID; ++kind) {
        int through = 0, apart = 0;
        for (int i = 0; i < 20000; ++i) {
            rvShape shape = make_block();
            rvSpaceObstacle o = make_obstacle(&shape, kind);
            rvVec3 from[2] = {anywhere(0.7)}, to[2];
            from[1] = rvAdd(from[0], anywhere(0.15));
            to[0] = rvAdd(from[0], anywhere(0.6));
            to[1] = rvAdd(from[1], anywhere(0.6));
            rvSpaceBox boxes[2];
            rv_passage_find_boxes(from, to, 2, boxes);
            rvSpaceSwept swept = rv_space_sweep_of(&o);
            bool away = rv_space_swept_apart(&swept, &boxes[0]), goes = goes_through(&o, from, to);
            assert_false(away && goes);
            through += goes;
            apart += away;
        }
        assert_true(through > 20 && apart > 200); // of 20000: there are both
    }
}

// A block turns by 1.2 rad about z while a chord along z goes from one side of it to the other, as the block sees it:
// in the world it stays beside it.
static void TurnsAreSeenFarAway(void** state)
{
    (void)state;
    rvShape shape = {.type = RV_SHAPE_BOX, .halves = rvVec(0.2, 0.1, 0.05), .pose = {.q = {1, 0, 0, 0}}};
    shape.low = rvNeg(shape.halves);
    shape.high = shape.halves;
    rvSpaceObstacle o = {.kind = RV_SPACE_SOLID, .shape = &shape, .wasTurn = shape.pose.q};
    o.turn = rvQuatFromRotation(rvVec(0, 0, 1.2));
    rvVec3 seen[2] = {rvVec(-1, -1, -0.01), rvVec(-1, -1, 0.2)}, to[2] = {rvVec(1, 1, -0.01), rvVec(1, 1, 0.2)};
    rvVec3 from[2] = {rvRotateBack(o.turn, seen[0]), rvRotateBack(o.turn, seen[1])};
    rvSpaceBox boxes[2];
    rv_passage_find_boxes(from, to, 2, boxes);
    rvSpaceSwept swept = rv_space_sweep_of(&o);
    assert_true(rv_space_boxes_apart(&swept.box, &boxes[0]));
    assert_true(goes_through(&o, from, to));
    assert_false(rv_space_swept_apart(&swept, &boxes[0]));
}

// A point that is off the box of an obstacle by a reach is no nearer to what is in the box.
static void WhatIsOffTheBoxIsFar(void** state)
{
    (void)state;
    seed = 6;
    int off = 0;
    for (int i = 0; i < 20000; ++i) {
        rvShape shape = make_block();
        rvSpaceObstacle o = make_obstacle(&shape, RV_SPACE_SOLID);
        rvSpaceBox box = rv_space_box_of(&o);
        rvVec3 x = anywhere(1.0);
        double reach = between(0.0, 0.3);
        if (!rv_space_box_is_off(&box, x, reach))
            continue;
        rvPose pose = {o.center, o.turn};
        assert_true(rv_space_solid_distance(&shape, rvPosePointBack(pose, x), rvVec(0, 0, 0), 2.0).gap >
                    reach - 1e-12); // round-off
        off += 1;
    }
    assert_true(off > 4000); // of 20000
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxesHideNoPassage),
        cmocka_unit_test(TurnsAreSeenFarAway),
        cmocka_unit_test(WhatIsOffTheBoxIsFar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
