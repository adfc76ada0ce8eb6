// SPDX-License-Identifier: MIT
#include "cable/curve/passage.h"
#include "check.h"

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
    rvVec3 boxes[2 * POINTS];
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
    rvVec3 boxes[2 * POINTS];
    assert_int_equal(rv_find_passages(from, to, POINTS, 2.0, boxes, &found, 1), 0);
}

// The first one tilts to and fro, z = (0.2 - 0.4 t) x, the second goes along it, x = t - 0.5: below it, z = -0.4 x^2, for a
// while.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhatGoesThroughIsFound), cmocka_unit_test(PlaceIsThatOfTheMeeting),
        cmocka_unit_test(WhatPassesBesideIsNot),  cmocka_unit_test(ThereAndBackIsNone),
        cmocka_unit_test(PlaneHasNoSides),        cmocka_unit_test(AxisIsMet),
    };
    return RUN_TESTS(tests);
}
