// SPDX-License-Identifier: MIT
// Blocks, a wheel and the tower crane by three models of their rope: the same where they share their physics, different
// where they do not. `reeve bench reeving` shows the figures, with the reason of each.
#include "check.h"

#include "bench.h"

#include <string.h>

static const rvBenchEntry* find(const char* name)
{
    int count;
    const rvBenchEntry* entries = rv_bench_entries(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

static void ModelsOfAHoistAgreeWhereTheyShould(void** state)
{
    (void)state;
    rvBench bench = rv_bench_run(find("reeving"), false, 0, false, NULL);
    int goals = 0, missed = 0;
    assert_int_equal(bench.leftOutCount, 0);
    for (int i = 0; i < bench.rowCount; ++i) {
        goals += rv_bench_holds(&bench.rows[i]) >= 0;
        if (rv_bench_holds(&bench.rows[i]) != 0)
            continue;
        print_error("%s: %g beside %g\n", bench.rows[i].name, bench.rows[i].ours, bench.rows[i].reference);
        missed += 1;
    }
    assert_true(goals > 0);
    assert_int_equal(missed, 0);
    rv_bench_release(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ModelsOfAHoistAgreeWhereTheyShould),
    };
    return RUN_TESTS(tests);
}
