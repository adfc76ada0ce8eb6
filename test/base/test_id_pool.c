// SPDX-License-Identifier: MIT
#include "base/id_pool.h"
#include "check.h"

static void TakesTheLowestFreePlace(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvIdPool pool = {0};
    for (int i = 0; i < 100; ++i)
        assert_int_equal(rv_id_pool_take(&pool, &memory), i);
    rv_id_pool_give(&pool, 70);
    rv_id_pool_give(&pool, 3);
    assert_int_equal(pool.alive, 98);
    assert_int_equal(rv_id_pool_take(&pool, &memory), 3);
    assert_int_equal(rv_id_pool_take(&pool, &memory), 70);
    assert_int_equal(rv_id_pool_take(&pool, &memory), 100);
    rv_id_pool_clear(&pool, &memory);
    assert_int_equal(memory.taken, 0);
}

static void StaleIdsAreNotFound(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvIdPool pool = {0};
    int index = rv_id_pool_take(&pool, &memory);
    uint32_t index1 = (uint32_t)index + 1, generation = pool.generations[index];
    assert_int_equal(rv_id_pool_find(&pool, index1, generation), index);

    rv_id_pool_give(&pool, index);
    assert_false(rv_id_pool_alive(&pool, index));
    assert_int_equal(rv_id_pool_find(&pool, index1, generation), -1);

    // The same place lives again, under another generation.
    assert_int_equal(rv_id_pool_take(&pool, &memory), index);
    assert_int_equal(rv_id_pool_find(&pool, index1, generation), -1);
    assert_int_equal(rv_id_pool_find(&pool, index1, pool.generations[index]), index);
    rv_id_pool_clear(&pool, &memory);
}

static void NullAndMadeUpIdsAreNotFound(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvIdPool pool = {0};
    assert_int_equal(rv_id_pool_find(&pool, 1, 1), -1);
    int index = rv_id_pool_take(&pool, &memory);
    assert_int_equal(rv_id_pool_find(&pool, 0, pool.generations[index]), -1);
    assert_int_equal(rv_id_pool_find(&pool, 2, pool.generations[index]), -1);
    assert_int_equal(rv_id_pool_find(&pool, UINT32_MAX, pool.generations[index]), -1);
    assert_int_equal(rv_id_pool_find(&pool, 1, 0), -1);
    rv_id_pool_clear(&pool, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TakesTheLowestFreePlace),
        cmocka_unit_test(StaleIdsAreNotFound),
        cmocka_unit_test(NullAndMadeUpIdsAreNotFound),
    };
    return RUN_TESTS(tests);
}
