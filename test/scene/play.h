// SPDX-License-Identifier: MIT
// Runs scenes of scenes/, for tests.
#pragma once

#include "scene_text.h"

typedef struct {
    rvScene* scene;
    rvWorld* world;
    int steps; // taken
} Play;

static inline Play play(const char* name)
{
    char path[400], error[4000];
    Play p = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", REEVE_SCENES, name);
    assert_int_equal(rvScene_LoadFile(path, NULL, &p.scene, error, sizeof error), RV_OK);
    rvScene_SetReference(p.scene, rvReference_GetMethods());
    p.world = build_good(p.scene);
    return p;
}

// The scene as from now on with `assignment`, from its start.
static inline void play_with(Play* p, const char* assignment)
{
    char error[400];
    rvDestroyWorld(p->world);
    assert_int_equal(rvScene_Set(p->scene, assignment, error, sizeof error), RV_OK);
    p->world = build_good(p->scene);
    p->steps = 0;
}

static inline void play_step(Play* p)
{
    double h = rvScene_GetStep(p->scene);
    assert_int_equal(rvScene_Apply(p->scene, p->world, p->steps * h, h), RV_OK);
    assert_int_equal(rvWorld_Step(p->world, h), RV_OK);
    p->steps += 1;
}

static inline void play_until(Play* p, double time)
{
    while ((p->steps + 0.5) * rvScene_GetStep(p->scene) < time)
        play_step(p);
}

static inline void stop(Play* p)
{
    rvDestroyWorld(p->world);
    rvScene_Destroy(p->scene);
}

static inline rvVec3 position(const Play* p, const char* body)
{
    return rvBody_GetPose(p->world, rvScene_FindBody(p->scene, body)).p;
}

static inline double tension(const Play* p, const char* cable)
{
    return rvCable_GetTension(p->world, rvScene_FindCable(p->scene, cable), 0);
}
