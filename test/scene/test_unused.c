// SPDX-License-Identifier: MIT
// Fields of a cable that no model of it makes use of are told, and where they stand.
#include "scene/scene_text.h"

static const char HEAD[] = "reeve: 1\nbodies: {load: {mass: 100, position: [2, 0, -5]}}\ncables:\n  rope:\n";
static const char TAIL[] = "    route: [{attach: world, point: [0, 0, 0]}, {attach: load, point: [0, 0, 0]}]\n";

static void check_warnings(const char* fields, const char* events, const char* expected)
{
    char text[2048], warnings[2048];
    snprintf(text, sizeof text, "%s%s%s%s", HEAD, fields, TAIL, events);
    rvScene* scene = load_good(text);
    int lines = 0, count = rvScene_GetWarnings(scene, warnings, sizeof warnings);
    for (const char* at = expected; *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : "")
        lines += 1;
    assert_string_equal(warnings, expected);
    assert_int_equal(count, lines);
    assert_int_equal(rvScene_GetWarnings(scene, NULL, 0), lines); // counting alone
    rvScene_Destroy(scene);
}

static void FieldsOfOtherModelsAreTold(void** state)
{
    (void)state;
    check_warnings("    diameter: 10 mm\n    damping: 1 ms\n", "", "");
    check_warnings("    model: layered\n    mass_per_length: 1\n    subdivisions: 10\n    wind: [1, 0, 0]\n", "", "");
    check_warnings("    subdivisions: 10\n    elements: 3\n", "",
                   "t.yaml:5:19: cables.rope.subdivisions: is not used: it is for layered, the model is massless\n"
                   "t.yaml:6:15: cables.rope.elements: is not used: it is for ancf, curve, ale, the model is massless");
}

static void ModelsThatComeLaterCount(void** state)
{
    (void)state;
    check_warnings(
        "    subdivisions: 10\n    elements: 3\n", "events: [{at: 1, change: rope, model: layered}]\n",
        "t.yaml:6:15: cables.rope.elements: is not used: it is for ancf, curve, ale, the model is massless, layered");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(FieldsOfOtherModelsAreTold),
        cmocka_unit_test(ModelsThatComeLaterCount),
    };
    return RUN_TESTS(tests);
}
