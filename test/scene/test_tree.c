// SPDX-License-Identifier: MIT
// YAML: aliases, merges, double keys, limits.
#include "scene_text.h"

#include <stdlib.h>

static void CyclesOfAliasesAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies: &all\n  load: *all\n", "t.yaml:3:9: the alias *all leads back to itself");
    expect_refused("reeve: 1\noutputs: &a [*a]\n", "t.yaml:2:14: the alias *a leads back to itself");
    expect_refused("reeve: 1\noutputs: *b\n", "t.yaml:2:10: the alias *b has no anchor before it");
}

static void ABillionLaughsAreRefused(void** state)
{
    (void)state;
    char text[2000] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; ++k)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s*a%d", k ? ", " : "", i - 1);
        snprintf(text + strlen(text), sizeof text - strlen(text), "]\n");
    }
    char error[1000];
    rvScene* scene;
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", NULL, &scene, error, sizeof error), RV_BAD_INPUT);
    assert_non_null(strstr(error, "more than 2000000 values, aliases counted as often as they are used"));
    assert_int_equal(strncmp(error, "t.yaml:7:", 9), 0); // 10^6 fit, of 10^7 there are too many
}

static void DoubleKeysAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n  a: {mass: 1}\n  a: {mass: 2}\n",
                   "t.yaml:4:3: the key \"a\" stands twice in one map, first in line 3");
}

static void TabsAndOpenBracketsAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nbodies:\n\ta: 1\n", "t.yaml:3:1: not YAML: tab character may not be used as indentation");
    expect_refused("reeve: 1\noutputs: [\n", "t.yaml:3:1: not YAML: flow sequence without a closing bracket");
    expect_refused("reeve: 1\n% x\n", "t.yaml:2:1: begins with %, a directive; scenes have none but %YAML 1.2");
    expect_refused("", "t.yaml:1:1: is empty, expected a scene");
    expect_refused("reeve: 1\n---\nreeve: 1\n", "t.yaml:1:1: holds more than one document");
}

static void TagsAreRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\nuntil: !!float 3\n", "t.yaml:2:16: the tag tag:yaml.org,2002:float: scenes have no tags");
    expect_refused("reeve: 1\nbodies: !mine {}\n", "t.yaml:2:15: the tag !mine: scenes have no tags");
    expect_refused("reeve: 1\noutputs: !mine []\n", "t.yaml:2:16: the tag !mine: scenes have no tags");
}

// A parser that stops there would pass over the rest in silence.
static void ZeroBytesAreRefused(void** state)
{
    (void)state;
    static const char text[] = "reeve: 1\nuntil: 3\0\nstep: 1 kg\n";
    char error[400];
    rvScene* scene;
    assert_int_equal(rvScene_LoadText(text, sizeof text - 1, "t.yaml", NULL, &scene, error, sizeof error),
                     RV_BAD_INPUT);
    assert_non_null(strstr(error, "t.yaml:2:9: is a zero byte"));
}

static void DeepNestingIsRefused(void** state)
{
    (void)state;
    expect_refused("reeve: 1\noutputs: [[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]\n",
                   "t.yaml:2:25: more than 16 lists and maps inside each other");
}

static void ASceneOf100MegabytesIsRefused(void** state)
{
    (void)state;
    const char* path = "scene_of_100_mb.yaml";
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("reeve: 1\ntitle: large\n", file);
    static char line[1 << 16];
    memset(line, '#', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 1526; ++i) // 100 MB of comments
        fwrite(line, 1, sizeof line, file);
    assert_int_equal(fclose(file), 0);
    char error[1000];
    rvScene* scene;
    rvStatus status = rvScene_LoadFile(path, NULL, &scene, error, sizeof error);
    remove(path);
    assert_int_equal(status, RV_BAD_INPUT);
    assert_null(scene);
    assert_string_equal(error, "scene_of_100_mb.yaml:1:1: is too large: 100.0 MB, the limit is 64.0 MB");
}

static void LimitsAreTheCallers(void** state)
{
    (void)state;
    const char* text = "reeve: 1\ntitle: small\n";
    rvSceneLimits limits = rvDefaultSceneLimits();
    limits.maxBytes = 10;
    char error[400];
    rvScene* scene;
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", &limits, &scene, error, sizeof error),
                     RV_BAD_INPUT);
    limits = rvDefaultSceneLimits();
    limits.maxNodes = 4;
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", &limits, &scene, error, sizeof error),
                     RV_BAD_INPUT);
    limits.maxNodes = 5; // a map, two keys, two values
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", &limits, &scene, error, sizeof error), RV_OK);
    rvScene_Destroy(scene);
}

static void MergedFieldsCanBeOverridden(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nbodies:\n  a: &a {mass: 2, position: [1, 2, 3]}\n"
                               "  b: {<<: *a, position: [4, 5, 6]}\n  c: *a\n");
    rvWorld* world = build_good(scene);
    CHECK_NEAR(rvBody_GetMass(world, rvScene_FindBody(scene, "b")), 2.0, 0.0);     // copied as it is
    CHECK_NEAR(rvBody_GetPose(world, rvScene_FindBody(scene, "b")).p.x, 4.0, 0.0); // copied as it is
    CHECK_NEAR(rvBody_GetPose(world, rvScene_FindBody(scene, "c")).p.y, 2.0, 0.0); // copied as it is
    // changing one does not change those that share its fields
    char error[400];
    assert_int_equal(rvScene_Set(scene, "bodies.c.mass=7", error, sizeof error), RV_OK);
    rvDestroyWorld(world);
    world = build_good(scene);
    CHECK_NEAR(rvBody_GetMass(world, rvScene_FindBody(scene, "c")), 7.0, 0.0); // copied as it is
    CHECK_NEAR(rvBody_GetMass(world, rvScene_FindBody(scene, "a")), 2.0, 0.0); // copied as it is
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void JsonIsYaml(void** state)
{
    (void)state;
    rvScene* scene = load_good("{\"reeve\": 1, \"title\": \"json\", \"bodies\": {\"load\": {\"mass\": 3e0}}}");
    assert_string_equal(rvScene_GetTitle(scene), "json");
    assert_int_equal(rvScene_GetBodyCount(scene), 1);
    rvScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CyclesOfAliasesAreRefused),
        cmocka_unit_test(ABillionLaughsAreRefused),
        cmocka_unit_test(DoubleKeysAreRefused),
        cmocka_unit_test(TabsAndOpenBracketsAreRefused),
        cmocka_unit_test(TagsAreRefused),
        cmocka_unit_test(ZeroBytesAreRefused),
        cmocka_unit_test(DeepNestingIsRefused),
        cmocka_unit_test(ASceneOf100MegabytesIsRefused),
        cmocka_unit_test(LimitsAreTheCallers),
        cmocka_unit_test(MergedFieldsCanBeOverridden),
        cmocka_unit_test(JsonIsYaml),
    };
    return RUN_TESTS(tests);
}
