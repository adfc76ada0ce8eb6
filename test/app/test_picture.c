// SPDX-License-Identifier: MIT
#include "check.h"

#include "output/picture.h"

#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "reeve: 1\n"
    "title: \"a <ball> ]]> & a \\erope\"\n"
    "ground: -5\n"
    "bodies: {ball: {mass: 10, shapes: [{type: sphere, radius: 0.3}]}}\n"
    "cables: {rope: {EA: 1e6, route: [{attach: world, point: [0, 0, 3]}, {attach: ball, point: [0, 0, 0]}]}}\n";

static char* draw(rvScene** scene, rvWorld** world)
{
    char error[500] = "";
    rvStatus status = rvScene_LoadText(scene_text, strlen(scene_text), "test", NULL, scene, error, sizeof error);
    if (status != RV_OK)
        print_error("%s\n", error);
    assert_int_equal(status, RV_OK);
    assert_int_equal(rvScene_CreateWorld(*scene, NULL, world, error, sizeof error), RV_OK);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(rvWorld_Step(*world, 0.01), RV_OK);
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(rv_picture_print(out, *scene, *world));
    assert_int_equal(fclose(out), 0);
    return text;
}

static int count_of(const char* text, const char* what)
{
    int count = 0;
    for (const char* p = text; (p = strstr(p, what)) != NULL; ++p)
        count += 1;
    return count;
}

// The picture of a scene after a step. `cut`: its first cable is cut before.
static char* picture_of(const char* text, bool cut)
{
    char error[500] = "", *picture = NULL;
    size_t size;
    rvScene* scene;
    rvWorld* world;
    if (rvScene_LoadText(text, strlen(text), "test", NULL, &scene, error, sizeof error) != RV_OK)
        fail_msg("%s", error);
    assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_OK);
    if (cut)
        assert_int_equal(rvCable_Break(world, rvScene_GetCable(scene, 0)), RV_OK);
    assert_int_equal(rvWorld_Step(world, 0.001), RV_OK);
    FILE* file = open_memstream(&picture, &size);
    assert_true(rv_picture_print(file, scene, world));
    fclose(file);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
    return picture;
}

static void PictureHoldsSheavesAndDrums(void** state)
{
    (void)state;
    static const char* const places[2] = {"{sheave: world, radius: 0.5, point: [0, 0, 3]}",
                                          "{eye: world, point: [0, 0, 3]}"};
    int wheels[2];
    for (int i = 0; i < 2; ++i) {
        char text[1000];
        snprintf(text, sizeof text,
                 "reeve: 1\nbodies: {ball: {mass: 10}}\n"
                 "cables: {rope: {route: [{winch: world, radius: 0.4, point: [-3, 0, 0]}, %s, {attach: ball, point: "
                 "[0, 0, 0]}]}}\n",
                 places[i]);
        char* picture = picture_of(text, false);
        wheels[i] = count_of(picture, "hsl(215,10%");
        assert_true(wheels[i] > 20); // the drum: half of a cylinder, fill and stroke
        free(picture);
    }
    assert_true(wheels[0] > wheels[1] + 20); // and the sheave
}

static void PictureHoldsBodiesCablesAndAnEscapedTitle(void** state)
{
    (void)state;
    rvScene* scene;
    rvWorld* world;
    char* text = draw(&scene, &world);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_non_null(strstr(text, "a &lt;ball&gt; ]]&gt; &amp; a ?rope"));
    assert_non_null(strstr(text, "<polyline"));
    assert_true(count_of(text, "<path") > 20); // the half of a ball that faces us
    assert_null(strstr(text, "nan"));
    free(text);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void PictureShowsCutRopesDashed(void** state)
{
    (void)state;
    for (int cut = 0; cut < 2; ++cut) {
        char* picture = picture_of(scene_text, cut);
        assert_int_equal(count_of(picture, "stroke-dasharray") > 0, cut);
        assert_int_equal(count_of(picture, ">tension</text>"), 1 - cut);
        free(picture);
    }
}

// No ropes: none; all slack: that word; a wire that is pushed: from its largest pressure on.
static void ScaleOfThePictureTellsWhatTheColoursMean(void** state)
{
    (void)state;
    static const char* const scenes[] = {
        "reeve: 1\nbodies: {ball: {mass: 10, shapes: [{type: sphere, radius: 0.3}]}}\n",
        "reeve: 1\nbodies: {ball: {mass: 10}}\ncables: {rope: {length: 9 m, route: [{attach: world, point: [0, 0, 3]}, "
        "{attach: ball, point: [0, 0, 0]}]}}\n",
        "reeve: 1\nworld: {gravity: [0, 0, 0]}\ncables: {wire: {model: curve, elements: 10, length: 1.2, plane: [0, 1, "
        "0], "
        "diameter: 2 mm, mass_per_length: 0.03, route: [{attach: world, point: [0, 0, 0]}, "
        "{attach: world, point: [1, 0, 0]}]}}\n",
    };
    for (int i = 0; i < 3; ++i) {
        char* picture = picture_of(scenes[i], false);
        assert_int_equal(count_of(picture, "height='10'"), i == 0 ? 0 : i == 1 ? 1 : 5);
        assert_int_equal(count_of(picture, ">slack</text>"), i == 1);
        assert_int_equal(count_of(picture, ">pressure to tension</text>"), i == 2);
        assert_int_equal(count_of(picture, "<circle"), i == 2 ? 2 : i); // where the world holds them
        free(picture);
    }
}

static void RopeBehindABodyIsPale(void** state)
{
    (void)state;
    for (int behind = 0; behind < 2; ++behind) {
        char text[500];
        snprintf(text, sizeof text,
                 "reeve: 1\nbodies: {wall: {type: static, position: [0, %d, 0], shapes: [{type: box, sides: [2, 0.1, "
                 "2]}]}}\ncables: {rope: {route: [{attach: world, point: [-2, 0, 0]}, {attach: world, point: [2, 0, "
                 "0]}]}}\n",
                 behind ? -1 : 1);
        char* picture = picture_of(text, false);
        assert_int_equal(count_of(picture, "stroke-opacity"), behind);
        assert_int_equal(count_of(picture, "<polyline"), behind ? 3 : 1);
        free(picture);
    }
}

// A rope from left to right has as much room above it as below, where the legend begins.
static void FlatMachinesStandInTheMiddle(void** state)
{
    (void)state;
    char* picture = picture_of("reeve: 1\ncables: {rope: {route: [{attach: world, point: [-2, 0, 0]}, {attach: world, "
                               "point: [2, 0, 0]}]}}\n",
                               false);
    const char* line = strstr(picture, "points='");
    double x[2], y[2];
    assert_non_null(line);
    char* at = (char*)line + strlen("points='");
    for (int i = 0; i < 2; ++i) {
        x[i] = strtod(at, &at);
        y[i] = strtod(at + 1, &at);
    }
    assert_true(x[1] - x[0] > 800.0);
    CHECK_NEAR(0.5 * (y[0] + y[1]), 290.0, 0.1); // half of 640 less 60 pixels, printed to a tenth
    free(picture);
}

// Painted from far to near by their middles, the parts of a beam that leads away from us must be short.
static void BeamsThatLeadAwayArePaintedInParts(void** state)
{
    (void)state;
    static const char* const sides[2] = {"[8, 0.5, 0.5]", "[0.5, 8, 0.5]"};
    int facets[2];
    for (int i = 0; i < 2; ++i) {
        char text[300];
        snprintf(text, sizeof text,
                 "reeve: 1\nbodies: {beam: {type: static, shapes: [{type: box, sides: %s}]}, post: {type: static, "
                 "shapes: [{type: box, sides: [0.5, 0.5, 8]}]}}\n",
                 sides[i]);
        char* picture = picture_of(text, false);
        facets[i] = count_of(picture, "<path");
        free(picture);
    }
    assert_true(facets[1] > facets[0] + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PictureHoldsBodiesCablesAndAnEscapedTitle),
        cmocka_unit_test(PictureHoldsSheavesAndDrums),
        cmocka_unit_test(PictureShowsCutRopesDashed),
        cmocka_unit_test(ScaleOfThePictureTellsWhatTheColoursMean),
        cmocka_unit_test(RopeBehindABodyIsPale),
        cmocka_unit_test(FlatMachinesStandInTheMiddle),
        cmocka_unit_test(BeamsThatLeadAwayArePaintedInParts),
    };
    return RUN_TESTS(tests);
}
