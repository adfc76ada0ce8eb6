// SPDX-License-Identifier: MIT
// Ropes on random walks are the shortest way around convex bodies: 4000 configurations; more by `reeve bench route
// --walk N`.
#include "check.h"

#include "bench.h"

#include <string.h>

static double value_of(const rvBench* bench, const char* name)
{
    for (int i = 0; i < bench->rowCount; ++i)
        if (strcmp(bench->rows[i].name, name) == 0)
            return bench->rows[i].ours;
    return RV_NO_NUMBER;
}

static void check_walk(long first, long configurations)
{
    rvBench bench = {.name = "walk", .first = first};
    rv_bench_walk(&bench, configurations);
    assert_int_equal(bench.leftOutCount, 0);
    assert_true(value_of(&bench, "walk: configurations") == (double)configurations);
    assert_true(value_of(&bench, "walk: on bodies, held against a chain pulled taut") > 200.0); // it meets the bodies
    for (int i = 0; i < bench.rowCount; ++i)
        if (rv_bench_holds(&bench.rows[i]) == 0)
            fail_msg("%s: %g", bench.rows[i].name, bench.rows[i].ours);
    rv_bench_release(&bench);
}

static void RopesOnWalksAreTheShortestWay(void** state)
{
    (void)state;
    check_walk(0, 4000);
}

// A rope wound around a box held itself, and its two parts came off each other in step 910: it goes on sliding in that
// step.
static void RopeThatComesOffItselfIsShortestAtOnce(void** state)
{
    (void)state;
    check_walk(220, 911);
}

// One that ends before its time has nothing wrong in it, and must not hold for that.
static void WalkMustBeWhole(void** state)
{
    (void)state;
    rvBench bench = {.name = "walk"};
    rv_bench_walk(&bench, 10);
    assert_string_equal(bench.rows[0].name, "walk: configurations");
    assert_int_equal(rv_bench_holds(&bench.rows[0]), 1);
    bench.rows[0].ours = 9.0;
    assert_int_equal(rv_bench_holds(&bench.rows[0]), 0);
    rv_bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopesOnWalksAreTheShortestWay),
        cmocka_unit_test(RopeThatComesOffItselfIsShortestAtOnce),
        cmocka_unit_test(WalkMustBeWhole),
    };
    return RUN_TESTS(tests);
}
