// SPDX-License-Identifier: MIT
// `--set`: lines of assignments to a scene that has one of everything. All fit, or none is made and the scene stays as
// it was.
#include "fuzz.h"

static const char BASE[] =
    "reeve: 1\ntitle: one of everything\nuntil: 1\nstep: 0.01\nground: -5\n"
    "bodies:\n"
    "  mast: {type: static, shapes: [{type: box, sides: [1, 1, 10]}]}\n"
    "  arm: {mass: 10, position: [3, 0, 0], shapes: [{type: capsule, radius: 0.1, length: 1}]}\n"
    "  load: {mass: 100, position: [6, 0, -3], shapes: [{type: sphere, radius: 0.4}]}\n"
    "joints:\n"
    "  pin: {type: hinge, b: arm, point: [2.5, 0, 0], axis: [0, 1, 0]}\n"
    "cables:\n"
    "  hoist:\n    diameter: 10 mm\n    route:\n"
    "      - {winch: world, point: [0, 0, 3], speed: -0.1, stored: 5}\n"
    "      - {sheave: world, point: [6, 0, 3], axis: [0, 1, 0], radius: 0.2}\n"
    "      - {attach: load, point: [0, 0, 0.4]}\n"
    "  wire:\n    model: ancf\n    elements: 4\n    diameter: 10 mm\n    bending_stiffness: 1\n    route:\n"
    "      - {attach: world, point: [3, 3, 0]}\n      - {attach: world, point: [5, 3, 0]}\n"
    "commands:\n  hoist.winch_speed: [[0, 0], [1, -0.5]]\n"
    "outputs: [load.position.z, hoist.tension]\n";

enum { MOST_SETS = 8, LONGEST = 500 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char lines[MOST_SETS][LONGEST], error[4096];
    const char* sets[MOST_SETS];
    int count = 0;
    for (const uint8_t* end = data + size; data < end && count < MOST_SETS; ++count) {
        const uint8_t* newline = memchr(data, '\n', (size_t)(end - data));
        const uint8_t* next = newline ? newline : end;
        snprintf(lines[count], LONGEST, "%.*s", (int)(next - data), (const char*)data);
        sets[count] = lines[count];
        data = next + 1;
    }
    rvSceneLimits limits = small_limits();
    rvScene* scene = load(BASE, strlen(BASE), &limits);
    require(scene != NULL);
    char* before = write_scene(scene);
    rvStatus status = rvScene_SetAll(scene, sets, count, error, sizeof error);
    if (status == RV_OK) {
        check_round_trip(scene);
        run_scene(scene, 3);
    } else {
        char* after = write_scene(scene);
        require(strcmp(before, after) == 0);
        require(error[0] != '\0');
        free(after);
    }
    free(before);
    rvScene_Destroy(scene);
    return 0;
}
