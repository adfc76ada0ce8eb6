// SPDX-License-Identifier: MIT
// Any text at all: the scene reader says yes or no. What it takes is written, read back and built, and gives the same
// text again.
#include "reeve/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_round_trip(const rvScene* scene, const rvSceneLimits* limits)
{
    char error[4096];
    rvScene* again;
    size_t length = rvScene_Write(scene, NULL, 0);
    char* first = malloc(length + 1);
    char* second = malloc(length + 1);
    if (!first || !second)
        abort();
    rvScene_Write(scene, first, length + 1);
    // what is written may be longer than what was read (merged fields are written out)
    rvSceneLimits wider = *limits;
    wider.maxBytes = length;
    wider.maxNodes *= 16;
    if (rvScene_LoadText(first, length, "again", &wider, &again, error, sizeof error) != RV_OK)
        abort();
    if (rvScene_Write(again, second, length + 1) != length || strcmp(first, second) != 0)
        abort();
    rvScene_Destroy(again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    rvSceneLimits limits = rvDefaultSceneLimits();
    limits.maxBytes = 32768;
    limits.maxNodes = 2000;
    char error[4096];
    rvScene* scene;
    if (rvScene_LoadText((const char*)data, size, "fuzz", &limits, &scene, error, sizeof error) != RV_OK)
        return 0;
    check_round_trip(scene, &limits);
    // large worlds take long to build under the sanitizers and show nothing new
    bool small = rvScene_GetBodyCount(scene) + rvScene_GetJointCount(scene) + rvScene_GetCableCount(scene) <= 16;
    rvWorld* world;
    if (small && rvScene_CreateWorld(scene, NULL, &world, error, sizeof error) == RV_OK) {
        double h = rvScene_GetStep(scene);
        for (int i = 0; i < 3; ++i)
            if (rvScene_Apply(scene, world, i * h, h) != RV_OK || rvWorld_Step(world, h) != RV_OK)
                break;
        rvDestroyWorld(world);
    }
    rvScene_Destroy(scene);
    return 0;
}
