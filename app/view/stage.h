// SPDX-License-Identifier: MIT
// The stage: what a viewer sees of a world. Described once as JSON, then as frames. docs/viewer.md has the layout.
#pragma once

#include "output/rope_line.h"
#include "support/bytes.h"

#include "reeve/scene.h"

// A sheave or a drum.
typedef struct {
    int cable, place, body; // body: in the scene, -1 for the world
    bool drum;
    rvWheelDef wheel;
    rvVec3 center;
    double width; // of a drum [m]; 0: unknown
    double angle; // of a sheave, turned so far [rad]
} rvViewWheel;

typedef struct {
    rvScene* scene;
    rvWorld* world;
    rvControl* controls;
    int controlCount;
    rvViewWheel* wheels;
    int wheelCount;
    double* values;  // of the scene's outputs
    rvRopeLine line; // of one cable
} rvStage;

// What stands at the head of a frame.
typedef struct {
    uint32_t number, flags;
    double time;   // [s]
    double pace;   // simulated seconds a second
    double cost;   // of a step, mean since the frame before [s]
    double worst;  // of a step, in the last second [s]
    double budget; // time there is for a step [s]
} rvFrameHead;

enum {
    RV_FRAME_PAUSED = 1,
    RV_FRAME_BEHIND = 2, // cannot keep up
    RV_FRAME_MANUAL = 4, // a person drives
    RV_FRAME_FAILED = 8, // the world diverged
    RV_FRAME_SAVED = 16, // there is a state to go back to
};

// False without memory; release it all the same. The world stays the caller's.
bool rv_stage_open(rvStage* stage, rvScene* scene, rvWorld* world);
void rv_stage_release(rvStage* stage);

// After each step: turns the sheaves.
void rv_stage_turn(rvStage* stage, double dt);

// Without memory json->failed or frame->failed is set.
void rv_stage_describe(const rvStage* stage, rvBytes* json);
void rv_stage_frame(rvStage* stage, const rvFrameHead* head, const double* levers, rvBytes* frame);
