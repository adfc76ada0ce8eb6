// SPDX-License-Identifier: MIT
// Every benchmark gives rows of the form that its readers expect. Never their times.
#include "bench/read_back.h"

static void EveryBenchGivesRowsWithAllFields(void** state)
{
    (void)state;
    static const char* const names[] = {"case", "unit", "ours", "reference", "source", "ratio", "goal", "holds"};
    int count;
    const rvBenchEntry* entries = rv_bench_entries(&count);
    assert_true(count >= 3);
    for (int i = 0; i < count; i++) {
        rvBench bench = rv_bench_run(&entries[i], true, 0, false, NULL);
        assert_true(bench.rowCount + bench.leftOutCount > 0); // one that only compares engines has no rows without them
        struct fy_document* document = read_back(&bench);
        assert_non_null(document);
        struct fy_node *rows = field(fy_document_root(document), "rows"), *row;
        assert_int_equal(fy_node_sequence_item_count(rows), bench.rowCount);
        for (void* at = NULL; (row = fy_node_sequence_iterate(rows, &at));)
            for (int k = 0; k < 8; k++)
                field(row, names[k]);
        assert_int_equal(fy_node_sequence_item_count(field(fy_document_root(document), "left_out")),
                         bench.leftOutCount);
        fy_document_destroy(document);
        rv_bench_release(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryBenchGivesRowsWithAllFields),
    };
    return RUN_TESTS(tests);
}
