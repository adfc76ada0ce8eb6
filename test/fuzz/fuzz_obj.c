// SPDX-License-Identifier: MIT
// Any bytes as an OBJ file: the mesh is refused with a reason or built, and a ball and a rope meet it.
#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

static const char SCENE[] =
    "reeve: 1\nbodies:\n"
    "  hull: {type: static, shapes: [{type: mesh, file: /proc/self/fd/%d}]}\n"
    "  ball: {mass: 1, position: [0.3, 0.2, 0.4], shapes: [{type: sphere, radius: 0.5}]}\n"
    "cables:\n  rope:\n    collides: true\n    route:\n"
    "      - {attach: world, point: [-2, 0.1, 0.3]}\n      - {attach: world, point: [2, 0, 0.5]}\n";

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static int file = -1;
    char text[sizeof SCENE + 20], error[4096];
    if (file < 0)
        file = memfd_create("mesh", 0);
    require(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    snprintf(text, sizeof text, SCENE, file);
    rvSceneLimits limits = small_limits();
    rvScene* scene;
    rvStatus status = rvScene_LoadText(text, strlen(text), "fuzz", &limits, &scene, error, sizeof error);
    require(status == RV_OK || strstr(error, "mesh") || strstr(error, "shapes[0]"));
    if (status != RV_OK)
        return 0;
    run_scene(scene, 3);
    rvScene_Destroy(scene);
    return 0;
}
