// SPDX-License-Identifier: MIT
// Any text at all: the scene reader says yes or no. What it takes is written, read back and built, and gives the same
// text again.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    rvSceneLimits limits = small_limits();
    rvScene* scene = load((const char*)data, size, &limits);
    if (!scene)
        return 0;
    check_round_trip(scene);
    run_scene(scene, 3);
    rvScene_Destroy(scene);
    return 0;
}
