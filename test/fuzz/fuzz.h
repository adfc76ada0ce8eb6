// SPDX-License-Identifier: MIT
// What fuzz targets share: choices out of bytes, and the promises that every scene and world keeps.
#pragma once

#include "reeve/reference.h"
#include "reeve/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Bytes that are spent one after the other; zeros behind the end.
typedef struct {
    const uint8_t* data;
    size_t size;
} Bytes;

static inline unsigned take_byte(Bytes* bytes)
{
    if (bytes->size == 0)
        return 0;
    bytes->size--;
    return *bytes->data++;
}

// A promise that is not kept stops the fuzzer, which keeps the input.
#define require(promise) require_((promise), #promise, __FILE__, __LINE__)

static inline void require_(bool kept, const char* promise, const char* file, int line)
{
    if (kept)
        return;
    fprintf(stderr, "%s:%d: not kept: %s\n", file, line, promise);
    abort();
}

static inline rvSceneLimits small_limits(void)
{
    rvSceneLimits limits = rvDefaultSceneLimits();
    limits.maxBytes = 32768;
    limits.maxNodes = 2000;
    return limits;
}

static inline rvScene* load(const char* text, size_t size, const rvSceneLimits* limits)
{
    char error[4096];
    rvScene* scene;
    if (rvScene_LoadText(text, size, "fuzz", limits, &scene, error, sizeof error) != RV_OK)
        return NULL;
    rvScene_SetReference(scene, rvReference_GetMethods());
    return scene;
}

// The text of a scene, to be freed.
static inline char* write_scene(const rvScene* scene)
{
    size_t length = rvScene_Write(scene, NULL, 0);
    char* text = malloc(length + 1);
    require(text != NULL);
    rvScene_Write(scene, text, length + 1);
    return text;
}

// What is written is a scene and gives the same text again.
static inline void check_round_trip(const rvScene* scene)
{
    char* first = write_scene(scene);
    // it may be longer than what was read: merged fields are written out
    rvSceneLimits limits = rvDefaultSceneLimits();
    rvScene* again = load(first, strlen(first), &limits);
    require(again != NULL);
    char* second = write_scene(again);
    require(strcmp(first, second) == 0);
    rvScene_Destroy(again);
    free(first);
    free(second);
}

// Large worlds take long under the sanitizers and show nothing new.
static inline bool is_small(const rvScene* scene)
{
    char* text = write_scene(scene);
    bool small = rvScene_GetBodyCount(scene) + rvScene_GetJointCount(scene) + rvScene_GetCableCount(scene) <= 16;
    for (const char* at = text; (at = strstr(at, "elements: ")) != NULL; ++at)
        small = small && atoi(at + strlen("elements: ")) <= 40;
    free(text);
    return small;
}

// A step that fails keeps the state; what is saved comes back as it was.
static inline void step_and_save(rvScene* scene, rvWorld* world, int steps)
{
    double h = rvScene_GetStep(scene);
    int made = 0;
    for (int i = 0; i < steps; ++i, ++made) {
        if (rvScene_Apply(scene, world, i * h, h) != RV_OK)
            break;
        uint64_t before = rvWorld_Hash(world);
        if (rvWorld_Step(world, h) != RV_OK) {
            require(rvWorld_Hash(world) == before);
            break;
        }
    }
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = malloc(size);
    require(image != NULL);
    rvWorld_Save(world, image, size);
    uint64_t hash = rvWorld_Hash(world);
    // the state at creation of a machine that cannot make a single step may hold numbers that no run can have
    require(rvWorld_Restore(world, image, size) == RV_OK || made == 0);
    require(rvWorld_Hash(world) == hash);
    free(image);
}

static inline void run_scene(rvScene* scene, int steps)
{
    char error[4096];
    rvWorld* world;
    if (!is_small(scene) || rvScene_CreateWorld(scene, NULL, &world, error, sizeof error) != RV_OK)
        return;
    step_and_save(scene, world, steps);
    rvDestroyWorld(world);
}
