// SPDX-License-Identifier: MIT
// One description of a state serves all walks over it.
#include "base/visitor.h"
#include "check.h"

#include <math.h>
#include <string.h>

typedef struct {
    double numbers[3];
    int32_t index;
    double more;
} State;

enum { ROOM = 4 }; // of which a state uses as many as its index says

static void visit(State* s, rvVisitor* v)
{
    rv_visit_numbers(v, "numbers", s->numbers, sizeof s->numbers);
    rv_visit_bytes(v, &s->index, sizeof s->index);
    rv_visit_gap(v, ROOM);
    const void* at = rv_visit_numbers(v, "more", &s->more, sizeof s->more);
    double more;
    memcpy(&more, at, sizeof more);
    rv_visit_require(v, "more is negative", more >= 0.0);
}

static rvVisitor walk(State* s, rvVisitor v)
{
    visit(s, &v);
    return v;
}

static void WhatIsWrittenIsRead(void** state)
{
    (void)state;
    State one = {{1.0, -2.5, 3e300}, 7, 4.0}, two = {{0.0, 0.0, 0.0}, 0, 0.0};
    uint8_t image[64];
    size_t size = walk(&one, (rvVisitor){.kind = RV_VISIT_SIZE}).size;
    assert_int_equal(size, 3 * sizeof(double) + sizeof(int32_t) + ROOM + sizeof(double));
    memset(image, 0xee, sizeof image);
    assert_true(walk(&one, (rvVisitor){.kind = RV_VISIT_WRITE, .to = image}).to == image + size);
    assert_int_equal(image[3 * sizeof(double) + sizeof(int32_t)], 0xee); // a gap stays as it is
    assert_int_equal(image[size], 0xee);
    assert_true(walk(&two, (rvVisitor){.kind = RV_VISIT_READ, .from = image}).from == image + size);
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(two.numbers[i], one.numbers[i], 0.0);
    assert_int_equal(two.index, 7);
    CHECK_NEAR(two.more, 4.0, 0.0);
    assert_true(walk(&one, (rvVisitor){.kind = RV_VISIT_HASH}).hash ==
                walk(&two, (rvVisitor){.kind = RV_VISIT_HASH}).hash);
    two.index = 8;
    assert_true(walk(&one, (rvVisitor){.kind = RV_VISIT_HASH}).hash !=
                walk(&two, (rvVisitor){.kind = RV_VISIT_HASH}).hash);
}

// The state stays as it is; the first block that cannot be is named. An image may lie anywhere in memory.
static void CheckingChangesNothing(void** state)
{
    (void)state;
    State good = {{1.0, 2.0, 3.0}, 1, 4.0}, live = {{9.0, 9.0, 9.0}, 9, 9.0};
    uint8_t image[64];
    walk(&good, (rvVisitor){.kind = RV_VISIT_WRITE, .to = image + 1});
    rvVisitor check = {.kind = RV_VISIT_CHECK, .from = image + 1};
    assert_null(walk(&live, check).unsound);
    good.more = -1.0;
    walk(&good, (rvVisitor){.kind = RV_VISIT_WRITE, .to = image + 1});
    assert_string_equal(walk(&live, check).unsound, "more is negative");
    good.numbers[1] = (double)NAN;
    walk(&good, (rvVisitor){.kind = RV_VISIT_WRITE, .to = image + 1});
    assert_string_equal(walk(&live, check).unsound, "numbers");
    CHECK_NEAR(live.numbers[1], 9.0, 0.0);
    assert_int_equal(live.index, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WhatIsWrittenIsRead),
        cmocka_unit_test(CheckingChangesNothing),
    };
    return RUN_TESTS(tests);
}
