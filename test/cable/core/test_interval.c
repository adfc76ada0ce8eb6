// SPDX-License-Identifier: MIT
// Sorted intervals find what a look at all of them finds.
#include "cable/core/interval.h"

#include "check.h"
#include "support/random.h"

#include <stdint.h>

enum { COUNT = 200, ROOM = 64 };

static void OverlapsAreFoundInTheOrderOfTheirIds(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n <= COUNT; n += 20) {
        rvInterval a[COUNT], sorted[COUNT];
        for (int i = 0; i < n; ++i) {
            double low = floor(50.0 * rv_draw(&seed)); // many begin at the same place
            a[i] = sorted[i] = (rvInterval){low, low + 10.0 * rv_draw(&seed) * rv_draw(&seed), 0.0, i};
        }
        rv_intervals_sort(sorted, n);
        for (int i = 1; i < n; ++i)
            assert_true(rv_interval_before(&sorted[i - 1], &sorted[i]));
        for (int k = 0; k < 500; ++k) {
            double low = 60.0 * rv_draw(&seed) - 5.0, high = low + 4.0 * rv_draw(&seed);
            int found[ROOM], expected[COUNT], count = 0;
            for (int i = 0; i < n; ++i)
                if (a[i].low <= high && a[i].high >= low)
                    expected[count++] = i;
            int got = rv_intervals_find(sorted, n, low, high, found, ROOM);
            assert_int_equal(got, count);
            for (int i = 0; i < count; ++i)
                assert_int_equal(found[i], expected[i]);
            if (count > 0)
                assert_int_equal(rv_intervals_find(sorted, n, low, high, found, count - 1), -1); // no room
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(OverlapsAreFoundInTheOrderOfTheirIds)};
    return RUN_TESTS(tests);
}
