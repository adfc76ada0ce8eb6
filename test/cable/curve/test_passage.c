// SPDX-License-Identifier: MIT
#include "cable/curve/passage.h"
#include "check.h"

#include "support/random.h"

enum { POINTS = 4 };

// A line of three chords: the first along x, the last across it at x = shift and height z.
static void draw(rvVec3* line, double shift, double z)
{
    line[0] = rvVec(-1, 0, 0);
    line[1] = rvVec(1, 0, 0);
    line[2] = rvVec(shift, -1, z);
    line[3] = rvVec(shift, 1, z);
}

static int passages(const rvVec3* from, const rvVec3* to, rvPassage* found)
{
    rvSpaceBox boxes[POINTS];
    rv_passage_find_boxes(from, to, POINTS, boxes);
    return rv_find_passages(from, to, POINTS, 1.0, boxes, found, 1);
}

// From above to below: where they met and from where it came, whichever way.
static void WhatGoesThroughIsFound(void** state)
{
    (void)state;
    rvVec3 from[POINTS], to[POINTS];
    rvPassage found;
    for (int sign = -1; sign <= 1; sign += 2) {
        draw(from, 0.5, sign * 0.3);
        draw(to, 0.5, sign * -0.1);
        assert_int_equal(passages(from, to, &found), 1);
        CHECK_NEAR(found.at[0], 0.75, 1e-12); // the root's
        CHECK_NEAR(found.at[1], 2.5, 1e-12);
        CHECK_NEAR(rvDistance(found.out, rvVec(0, 0, sign)), 0.0, 1e-15);
    }
}

// It goes along the first one while it falls, and is through it half way, at x = 0.1.
static void PlaceIsThatOfTheMeeting(void** state)
{
    (void)state;
    rvVec3 from[POINTS], to[POINTS];
    rvPassage found;
    draw(from, 0.9, 0.4);
    draw(to, -0.7, -0.4);
    assert_int_equal(passages(from, to, &found), 1);
    CHECK_NEAR(found.at[0], 0.55, 1e-12);
}

static void WhatPassesBesideIsNot(void** state)
{
    (void)state;
    rvVec3 from[POINTS], to[POINTS];
    rvPassage found;
    draw(from, 1.2, 0.3); // past the end of the first chord
    draw(to, 1.2, -0.3);
    assert_int_equal(passages(from, to, &found), 0);
    draw(from, 0.5, 0.3); // it stays above
    draw(to, -0.5, 0.1);
    assert_int_equal(passages(from, to, &found), 0);
    draw(to, 0.5, -0.3); // nearer along the line than is looked at
    rvSpaceBox boxes[POINTS];
    rv_passage_find_boxes(from, to, POINTS, boxes);
    assert_int_equal(rv_find_passages(from, to, POINTS, 2.0, boxes, &found, 1), 0);
}

// The first one tilts to and fro, z = (0.2 - 0.4 t) x, the second goes along it, x = t - 0.5: below it, z = -0.4 x^2,
// for a while.
static void ThereAndBackIsNone(void** state)
{
    (void)state;
    rvVec3 from[POINTS], to[POINTS];
    rvPassage found;
    draw(from, -0.5, -0.05);
    draw(to, 0.5, -0.05);
    from[0].z = to[1].z = -0.2;
    from[1].z = to[0].z = 0.2;
    assert_int_equal(passages(from, to, &found), 0);
    to[2].x = to[3].x = 0.0; // it stops half way: there, below
    from[0].z = -0.2;
    from[1].z = 0.2;
    to[0].z = to[1].z = 0.0;
    assert_int_equal(passages(from, to, &found), 1);
    assert_true(found.out.z > 0.0);
}

// A line through a plane has no volume at all.
static void PlaneHasNoSides(void** state)
{
    (void)state;
    rvVec3 from[POINTS], to[POINTS];
    rvPassage found;
    draw(from, 2.0, 0.0);
    draw(to, 0.0, 0.0);
    assert_int_equal(passages(from, to, &found), 0);
}

static int flat_passages(const rvVec3* from, const rvVec3* to, double apart, rvPassage* found)
{
    rvSpaceBox boxes[POINTS];
    rv_passage_find_boxes(from, to, POINTS, boxes);
    return rv_find_flat_passages(from, to, POINTS, apart, boxes, found, 1);
}

// In a plane a free end goes through the first chord, or past its end; a corner of the line does as well.
static void InAPlanePointsGoThroughChords(void** state)
{
    (void)state;
    rvVec3 from[POINTS] = {{-1, 0, 0}, {1, 0, 0}, {2, 1, 0}, {0.5, 0.25, 0}}, to[POINTS];
    rvPassage found;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < POINTS; ++i) {
            from[i].y = sign * fabs(from[i].y);
            to[i] = from[i];
        }
        to[3].y = sign * -0.25;
        assert_int_equal(flat_passages(from, to, 1.0, &found), 1);
        CHECK_NEAR(found.at[0], 0.75, 1e-12); // the root's
        CHECK_NEAR(found.at[1], 3.0, 0.0);
        CHECK_NEAR(found.out.y, sign, 1e-12);                      // from the first to the second, as it was
        assert_int_equal(flat_passages(from, to, 2.5, &found), 0); // nearer along the line
        to[3] = rvVec(-3, sign * -0.25, 0);                        // around the first end
        from[3].x = -3;
        assert_int_equal(flat_passages(from, to, 1.0, &found), 0);
        from[3].x = 0.5;
    }
    rvVec3 bent[POINTS] = {{-0.2, 0.5, 0}, {2, 0.5, 0}, {1, -1, 0}, {-1, -1, 0}}, on[POINTS];
    for (int i = 0; i < POINTS; ++i)
        on[i] = bent[i];
    on[0] = rvVec(-0.2, -1.5, 0); // the first end, through the last chord
    assert_int_equal(flat_passages(bent, on, 1.0, &found), 1);
    CHECK_NEAR(found.at[0], 0.0, 0.0);
    CHECK_NEAR(found.at[1], 2.6, 1e-12);
    CHECK_NEAR(found.out.y, -1.0, 1e-12);
}

// A chord along x falls through an axis along y that comes up, or passes beside its end.
static void AxisIsMet(void** state)
{
    (void)state;
    rvVec3 from[2] = {{-1, 0.2, 1}, {3, 0.2, 1}}, to[2] = {{-1, 0.2, -1}, {3, 0.2, -1}};
    rvVec3 was[2] = {{0, -0.5, -1}, {0, 0.5, -1}}, is[2] = {{0, -0.5, -0.5}, {0, 0.5, -0.5}}, out;
    double at;
    assert_true(rv_find_passage(from, to, was, is, &at, &out));
    CHECK_NEAR(at, 0.25, 1e-12);
    CHECK_NEAR(out.z, 1.0, 1e-12); // from where it came
    from[0].y = from[1].y = to[0].y = to[1].y = 0.6;
    assert_false(rv_find_passage(from, to, was, is, &at, &out));
}

// Of a long line whose points move at random each pair of chords is found as by itself: boxes of many chords hide none.
static void LongLinesHideNothing(void** state)
{
    (void)state;
    enum { LONG = 150, ROOM = 400 };
    rvVec3 from[LONG], to[LONG];
    rvSpaceBox boxes[ROOM];
    rvPassage passages[ROOM];
    uint64_t seed = 7;
    int all = 0;
    assert_true(rv_passage_boxes(LONG) <= ROOM);
    for (int run = 0; run < 60; ++run) {
        rvVec3 at = rvVec(0, 0, 0), way = at;
        double goesOn = run < 20 ? 0.0 : 0.9, flat = run < 20 ? 1.0 : 0.1; // zigzag, then lines that run on in loops
        for (int i = 0; i < LONG; ++i) {
            double x = rv_draw_between(&seed, -1, 1), y = rv_draw_between(&seed, -1, 1);
            way = rvAdd(rvScale(goesOn, way), rvVec(x, y, flat * rv_draw_between(&seed, -1, 1)));
            at = rvAdd(at, way);
            double dx = rv_draw_between(&seed, -0.3, 0.3), dy = rv_draw_between(&seed, -0.3, 0.3);
            from[i] = at;
            to[i] = rvAdd(at, rvVec(dx, dy, rv_draw_between(&seed, -0.3, 0.3)));
        }
        rv_passage_find_boxes(from, to, LONG, boxes);
        int count = 0, found = rv_find_passages(from, to, LONG, 0.0, boxes, passages, ROOM);
        for (int i = 0; i < LONG - 1; ++i)
            for (int k = i + 2; k < LONG - 1; ++k) {
                double share;
                rvVec3 out;
                if (!rv_find_passage(from + k, to + k, from + i, to + i, &share, &out))
                    continue;
                assert_true(count < found && (int)passages[count].at[0] == i && (int)passages[count].at[1] == k);
                count += 1;
            }
        assert_int_equal(found, count);
        all += count;
    }
    assert_true(all > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LongLinesHideNothing),
        cmocka_unit_test(WhatGoesThroughIsFound),
        cmocka_unit_test(PlaceIsThatOfTheMeeting),
        cmocka_unit_test(WhatPassesBesideIsNot),
        cmocka_unit_test(ThereAndBackIsNone),
        cmocka_unit_test(PlaneHasNoSides),
        cmocka_unit_test(InAPlanePointsGoThroughChords),
        cmocka_unit_test(AxisIsMet),
    };
    return RUN_TESTS(tests);
}
