// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

// Hooks that count what is out and answer NULL after `left` calls.
typedef struct {
    size_t out;
    int left;
} Hooks;

static void* take(size_t size, void* context)
{
    Hooks* hooks = context;
    if (hooks->left-- <= 0)
        return NULL;
    hooks->out += size;
    void* block = malloc(size);
    if (block)
        memset(block, 0xa5, size); // the library must clear it, not the hook
    return block;
}

static void give(void* block, size_t size, void* context)
{
    Hooks* hooks = context;
    hooks->out -= size;
    free(block);
}

static void HooksGetBackTheSizeThatWasAsked(void** state)
{
    (void)state;
    Hooks hooks = {.left = 10};
    rvMemory memory = {take, give, &hooks, 0};
    unsigned char* block = rv_memory_take(&memory, 48);
    for (int i = 0; i < 48; ++i)
        assert_int_equal(block[i], 0);
    char* text = rv_memory_copy_text(&memory, "hook");
    assert_string_equal(text, "hook");
    assert_int_equal(memory.taken, hooks.out);
    rv_memory_give(&memory, block, 48);
    rv_memory_give_text(&memory, text);
    assert_int_equal(hooks.out, 0);
    assert_int_equal(memory.taken, 0);
}

static void GrowKeepsTheContentsAndClearsTheRest(void** state)
{
    (void)state;
    Hooks hooks = {.left = 10};
    rvMemory memory = {take, give, &hooks, 0};
    int* items = NULL;
    int capacity = 0;
    assert_true(rv_memory_grow(&memory, (void**)&items, &capacity, 3, sizeof *items));
    items[2] = 42;
    assert_true(rv_memory_grow(&memory, (void**)&items, &capacity, 1000, sizeof *items));
    assert_true(capacity >= 1000);
    assert_int_equal(items[2], 42);
    for (int i = 3; i < capacity; ++i)
        assert_int_equal(items[i], 0);
    rv_memory_give(&memory, items, (size_t)capacity * sizeof *items);
    assert_int_equal(hooks.out, 0);
}

static void WithoutMemoryNothingChanges(void** state)
{
    (void)state;
    Hooks hooks = {.left = 1};
    rvMemory memory = {take, give, &hooks, 0};
    int* items = NULL;
    int capacity = 0;
    assert_true(rv_memory_grow(&memory, (void**)&items, &capacity, 3, sizeof *items));
    int* before = items;
    int capacityBefore = capacity;
    assert_false(rv_memory_grow(&memory, (void**)&items, &capacity, 1000, sizeof *items));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, capacityBefore);
    assert_null(rv_memory_copy_text(&memory, "hook"));
    rv_memory_give(&memory, items, (size_t)capacity * sizeof *items);
    assert_int_equal(hooks.out, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HooksGetBackTheSizeThatWasAsked),
        cmocka_unit_test(GrowKeepsTheContentsAndClearsTheRest),
        cmocka_unit_test(WithoutMemoryNothingChanges),
    };
    return RUN_TESTS(tests);
}
