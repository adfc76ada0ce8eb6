// SPDX-License-Identifier: MIT
// Ropes on random walks are the shortest way around convex bodies: 4000 configurations; more by `reeve bench route --walk N`.
#include "check.h"

#include "../app/bench.h"

#include <string.h>

static double value_of(const rvBench* bench, const char* name)
{
    for (int i = 0; i < bench->rowCount; ++i)
        if (strcmp(bench->rows[i].name, name) == 0)
            return bench->rows[i].ours;
    return RV_NO_NUMBER;
}

static void RopesOnWalksAreTheShortestWay(void** state)
{
    (void)state;
    rvBench bench = {.name = "walk"};
    rv_bench_walk(&bench, 4000);
    assert_int_equal(bench.leftOutCount, 0);
    assert_true(value_of(&bench, "walk: configurations") == 4000.0);
    assert_true(value_of(&bench, "walk: on bodies, held against a chain pulled taut") > 200.0); // it meets the bodies
    for (int i = 0; i < bench.rowCount; ++i)
        if (rv_bench_holds(&bench.rows[i]) == 0)
            fail_msg("%s: %g", bench.rows[i].name, bench.rows[i].ours);
    rv_bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RopesOnWalksAreTheShortestWay),
    };
    return RUN_TESTS(tests);
}
