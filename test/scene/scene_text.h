// SPDX-License-Identifier: MIT
// Scenes from text, for tests.
#pragma once

#include "check.h"

#include "reeve/reference.h"
#include "reeve/scene.h"

#include <string.h>

static inline rvScene* load_good(const char* text)
{
    char error[8192];
    rvScene* scene;
    rvStatus status = rvScene_LoadText(text, strlen(text), "t.yaml", NULL, &scene, error, sizeof error);
    if (status != RV_OK)
        print_error("%s\n", error);
    assert_int_equal(status, RV_OK);
    rvScene_SetReference(scene, rvReference_GetMethods());
    return scene;
}

static inline rvWorld* build_good(rvScene* scene)
{
    char error[2048];
    rvWorld* world;
    rvStatus status = rvScene_CreateWorld(scene, NULL, &world, error, sizeof error);
    if (status != RV_OK)
        print_error("%s\n", error);
    assert_int_equal(status, RV_OK);
    return world;
}

// The text must be refused, with exactly this message.
static inline void expect_refused(const char* text, const char* message)
{
    char error[8192];
    rvScene* scene;
    assert_int_equal(rvScene_LoadText(text, strlen(text), "t.yaml", NULL, &scene, error, sizeof error), RV_BAD_INPUT);
    assert_null(scene);
    assert_string_equal(error, message);
}
