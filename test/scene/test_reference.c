// SPDX-License-Identifier: MIT
// The pages in docs/ are those that the tables give now.
#include "check.h"

#include "reeve/scene.h"

#include <stdlib.h>
#include <string.h>

static char* read_all(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    assert_true(length > 0);
    fclose(file);
    return text;
}

static void expect_page(const char* name, size_t (*write)(char* text, size_t capacity), const char* command)
{
    char path[400];
    snprintf(path, sizeof path, "%s/../docs/%s", REEVE_SCENES, name);
    char* committed = read_all(path);
    size_t size = write(NULL, 0);
    char* made = malloc(size + 1);
    assert_non_null(made);
    assert_int_equal(write(made, size + 1), size);
    if (strcmp(made, committed) != 0)
        fail_msg("docs/%s is not up to date: run `%s > docs/%s`", name, command, name);
    free(made);
    free(committed);
}

static void ThePageOfScenesIsUpToDate(void** state)
{
    (void)state;
    expect_page("scene.md", rvScene_WriteReference, "reeve docs scene");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThePageOfScenesIsUpToDate),
    };
    return RUN_TESTS(tests);
}
