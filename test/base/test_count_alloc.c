// SPDX-License-Identifier: MIT
// The counter behind the claim that a step takes no memory must itself be able to count.
#include "check.h"
#include "count_alloc.h"

#include <ode/ode.h>
#include <stdlib.h>

static void EveryWayToTakeMemoryIsCounted(void** state)
{
    (void)state;
    void* volatile block; // volatile: the compiler may not drop the pairs
    count_alloc_begin();
    block = malloc(10);
    block = realloc(block, 20);
    free(block);
    assert_in_range(count_alloc_end(), 3, 4); // a sanitizer sees realloc as taking and giving

    count_alloc_begin();
    block = calloc(3, 4);
    free(block);
    block = aligned_alloc(64, 64);
    free(block);
    assert_in_range(count_alloc_end(), 3, 4); // the thread sanitizer's hook does not see aligned_alloc
}

static void WhatLibrariesTakeIsCounted(void** state)
{
    (void)state;
    dInitODE();
    count_alloc_begin();
    dGeomID geom = dCreateSphere(NULL, 1.0);
    assert_true(count_alloc_end() > 0);
    dGeomDestroy(geom);
    dCloseODE();
}

static void NothingIsCountedWhereNothingIsTaken(void** state)
{
    (void)state;
    count_alloc_begin();
    volatile double sum = 0.0;
    for (int i = 0; i < 100; ++i)
        sum = sum + sqrt(i);
    assert_int_equal(count_alloc_end(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryWayToTakeMemoryIsCounted),
        cmocka_unit_test(WhatLibrariesTakeIsCounted),
        cmocka_unit_test(NothingIsCountedWhereNothingIsTaken),
    };
    return RUN_TESTS(tests);
}
