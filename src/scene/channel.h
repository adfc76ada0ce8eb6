// SPDX-License-Identifier: MIT
// Channels: what can be driven and what can be written out, as "object.quantity". One table for commands, outputs and
// the documentation.
#pragma once

#include "scene/curve.h"

typedef enum {
    RV_INDEX_NONE,
    RV_INDEX_SPAN,
    RV_INDEX_WINCH,
    RV_INDEX_SHEAVE,
    RV_INDEX_ATTACH,
    RV_INDEX_PLACE
} rvIndexing;
typedef enum { RV_ALONG_NONE, RV_ALONG_MAY, RV_ALONG_MUST } rvAlong; // a length along a cable follows, as "@2.5"

typedef struct rvChannel {
    rvNamedKind kind;
    const char* name; // of a world channel with its group: "energy.kinetic"
    const char* unit;
    int width;        // 1, 3 (x, y, z) or 4 (w, x, y, z)
    rvIndexing index; // [i] may follow
    int slot;         // of a joint: 0 slide, 1 turn, 2 turn2; else -1
    rvAlong along;
    const char* help;
    void (*get)(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, double* value); // NULL: no output
    rvStatus (*set)(const rvScene* scene, rvWorld* world, const rvChannelRef* ref, const rvCurve* curve, double time,
                    double dt); // NULL: no command
} rvChannel;

extern const rvChannel rvChannels[];
extern const int rvChannelCount;

bool rv_channel_sets_pose(const rvChannel* channel); // only of a kinematic body

// Which axis of a joint of this type is its slide (0), turn (1) or second turn (2); -1: it has none.
int rv_joint_axis(rvJointType type, int slot);

// Where a body is at a time: at its start, or as its commands say.
rvPose rv_scene_pose_at(const rvSceneBody* body, double time);

// Finds what `name` means, for a command or an output. False: `why` says what is wrong.
bool rv_channel_find(const rvScene* scene, const char* name, bool command, rvChannelRef* ref, char* why,
                     size_t capacity);

// Whether the length along a cable that it names is there. A cable whose length is not said has one only in a world.
bool rv_channel_reaches(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, char* why,
                        size_t capacity);

// How many columns an output takes.
int rv_channel_columns(const rvChannelRef* ref);

// Names of the components: "x", "y", "z", with "w" first of four.
const char* rv_channel_component(const rvChannel* channel, int component);
