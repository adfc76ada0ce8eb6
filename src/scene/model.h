// SPDX-License-Identifier: MIT
// A scene as plain structs: what the table of fields (fields.c) fills and the builder (build.c) hands to the world.
#pragma once

#include "scene/tree.h"

// Head of every described object.
typedef struct {
    uint64_t given;     // bit i: field i of its kind was written
    const rvNode* node; // where it stands, for messages
    const char* name;   // its key in a map; NULL in a list
    bool unread;        // its type is wrong, which was told; nothing else of it was read
} rvSceneHead;

// Objects of one kind, one behind the other.
typedef struct {
    void* items;
    int count;
} rvSceneList;

// A value over time: rows of 1 + width numbers, the time first, straight lines between them, constant outside.
typedef struct {
    double* rows;
    int count, width;
} rvCurve;

typedef struct {
    double lower, upper;
} rvLimits;

typedef struct {
    rvSceneHead head;
    rvWorldDef def;
} rvSceneWorld;

typedef struct {
    rvSceneHead head;
    rvShapeDef def;
    const char* file; // of a mesh, or NULL
} rvSceneShape;

typedef struct {
    rvSceneHead head;
    rvBodyDef def;
    rvSceneList shapes;                              // of rvSceneShape
    const rvCurve *positionCurve, *orientationCurve; // of its commands, or NULL
    rvBodyId id;
} rvSceneBody;

typedef struct {
    rvSceneHead head;
    rvLimits limits;
    double speed, position; // of the motor
    rvJointAxis def;
} rvSceneAxis;

typedef struct {
    rvSceneHead head;
    rvJointDef def;
    const char *a, *b; // bodies by name
    int bodyA, bodyB;  // their indices, -1 for the world
    rvVec3 point, axis;
    rvSceneAxis slide, turn, turn2;
    rvJointId id;
} rvSceneJoint;

typedef struct {
    rvSceneHead head;
    rvPlaceDef def;
    double drumSpeed, targetLength, targetTension; // of a winch; which of them counts is said by its control
    const char* body;                              // by name
    int bodyIndex;                                 // -1 for the world
} rvScenePlace;

typedef struct {
    rvSceneHead head;
    rvCableProfile def;
} rvSceneProfile;

typedef struct {
    rvSceneHead head;
    rvCableCurrent def;
} rvSceneCurrent;

typedef struct {
    rvSceneHead head;
    rvCableDef def;
    rvSceneList route;   // of rvScenePlace
    rvSceneList profile; // of rvSceneProfile
    rvSceneList current; // of rvSceneCurrent
    rvCableId id;
} rvSceneCable;

typedef struct {
    rvSceneHead head;
    double at;
    // cables that break, are hooked, changed, taken hold of or let go, and the body, by name
    const char *broken, *hooked, *changed, *grasped, *freed, *to;
    double along;
    rvCableModel model;
    int cableIndex, bodyIndex; // body: -1 for the world
    rvVec3 point;
} rvSceneEvent;

// What a channel's name was found to mean.
typedef struct {
    const struct rvChannel* channel;
    int object;    // index in bodies, joints or cables
    int place;     // place or span of a cable; -1: none was named
    double at;     // rest length along a cable [m]; negative: none was named
    int component; // 0.. of a vector; -1: all
} rvChannelRef;

// One command, or one column of the results.
typedef struct {
    rvSceneHead head;
    rvChannelRef ref;
    rvCurve curve; // of a command
} rvSceneChannel;

typedef struct {
    rvSceneHead head;
    double version;
    const char* title;
    double step, until, every, ground;
    bool settle;
    rvSettleDef settleDef;
    rvSceneWorld world;
    rvSceneList bodies, joints, cables, commands, events;
    rvSceneList outputs; // as written, of rvSceneChannel
} rvSceneRoot;

// The names of all bodies, joints and cables, sorted.
typedef enum { RV_NAMED_BODY, RV_NAMED_JOINT, RV_NAMED_CABLE, RV_NAMED_WORLD } rvNamedKind;

typedef struct {
    const char* name;
    rvNamedKind kind;
    int index;
    const rvNode* node;
} rvNamed;

typedef struct {
    rvNamed* items;
    int count;
} rvNameIndex;

// NULL where there is none.
const rvNamed* rv_name_find(const rvNameIndex* index, const char* name);

// The name that was likely meant, of one kind (-1: of any); NULL: none is near.
const char* rv_name_suggest(const rvNameIndex* index, const char* name, int kind);

typedef struct {
    char name[96];
    rvChannelRef ref;
} rvColumn;

struct rvScene {
    const rvReference* reference; // methods of the papers, for its worlds; NULL: none
    rvArena arena;
    rvSceneLimits limits;
    const char* file;
    const rvNode* tree;
    rvSceneRoot root;
    rvNameIndex names;
    rvColumn* columns;
    int columnCount;
    rvSettleReport settled; // of the world that was created last
};

static inline rvSceneBody* rv_scene_body(const rvScene* scene, int index)
{
    return (rvSceneBody*)scene->root.bodies.items + index;
}

static inline rvSceneJoint* rv_scene_joint(const rvScene* scene, int index)
{
    return (rvSceneJoint*)scene->root.joints.items + index;
}

static inline rvSceneCable* rv_scene_cable(const rvScene* scene, int index)
{
    return (rvSceneCable*)scene->root.cables.items + index;
}

static inline rvSceneShape* rv_scene_shape(const rvSceneBody* body, int index)
{
    return (rvSceneShape*)body->shapes.items + index;
}

static inline rvScenePlace* rv_scene_place(const rvSceneCable* cable, int index)
{
    return (rvScenePlace*)cable->route.items + index;
}
