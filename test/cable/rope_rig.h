// SPDX-License-Identifier: MIT
// A rope among a few shapes, for tests of obstacles.
#pragma once

#include "cable/taut/obstacle.h"
#include "check.h"
#include "contact/shapes_apart.h"

#include <stdlib.h>

enum { RIG_NODES = 256 };

typedef struct {
    apart shapes;
    rvPose before[APART_MAX];
    int near[APART_MAX];
    rvObstacles obstacles;
    rvRopeNode nodes[RIG_NODES];
    rvRopeTouch touches[RIG_NODES];
    rvRopePath path;
    uint64_t seed;
} rig;

static inline void rig_init(rig* r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    apart_init(&r->shapes);
    r->path = (rvRopePath){.nodes = r->nodes, .touches = r->touches, .capacity = RIG_NODES};
    r->seed = seed;
}

// All that a path remembers from step to step.
typedef struct {
    rvVec3 ends[2];
    int count;
    rvRopeNode nodes[RIG_NODES];
} rig_memory;

static inline void rig_save(const rig* r, rig_memory* memory)
{
    memset(memory, 0, sizeof *memory);
    memcpy(memory->ends, r->path.ends, sizeof memory->ends);
    memory->count = r->path.count;
    memcpy(memory->nodes, r->nodes, (size_t)r->path.count * sizeof r->nodes[0]);
}

static inline void rig_restore(rig* r, const rig_memory* memory)
{
    memcpy(r->path.ends, memory->ends, sizeof memory->ends);
    r->path.count = memory->count;
    memcpy(r->nodes, memory->nodes, sizeof memory->nodes);
}

static inline double rig_random(rig* r)
{
    uint64_t z = (r->seed += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double rig_between(rig* r, double low, double high)
{
    return low + (high - low) * rig_random(r);
}

static inline rvVec3 rig_in_ball(rig* r, double radius)
{
    for (;;) {
        double x = rig_between(r, -1, 1), y = rig_between(r, -1, 1), z = rig_between(r, -1, 1);
        if (x * x + y * y + z * z <= 1.0)
            return rvScale(radius, rvVec(x, y, z));
    }
}

static inline int rig_add(rig* r, rvPose pose, const rvShapeDef* def)
{
    int index = apart_add(&r->shapes, RV_BODY_STATIC, pose, def);
    assert_true(index >= 0);
    r->before[index] = r->shapes.shapes.items[index].pose;
    r->near[index] = index;
    r->obstacles = (rvObstacles){.shapes = r->shapes.shapes.items, .before = r->before, .near = r->near};
    r->obstacles.nearCount = r->shapes.count;
    return index;
}

static inline void rig_move(rig* r, int index, rvPose pose)
{
    r->before[index] = r->shapes.shapes.items[index].pose;
    apart_move(&r->shapes, index, pose);
}

static inline void rig_settle(rig* r)
{
    for (int i = 0; i < r->shapes.count; ++i)
        r->before[i] = r->shapes.shapes.items[i].pose;
}

static inline void rig_begin(rig* r, rvVec3 a, rvVec3 b)
{
    rv_rope_begin(&r->path, &r->obstacles, a, b);
}

static inline void rig_update(rig* r, rvVec3 a, rvVec3 b)
{
    rv_rope_update(&r->path, &r->obstacles, a, b);
    rig_settle(r);
}

static inline const rvShape* rig_shape(const rig* r, int index)
{
    return &r->shapes.shapes.items[index];
}

// The deepest that any span passes through any shape.
static inline double rig_depth(const rig* r)
{
    double depth = 0.0;
    for (int s = 0; s <= r->path.count; ++s) {
        rvVec3 p = s > 0 ? r->touches[s - 1].out : r->path.ends[0];
        rvVec3 n = s < r->path.count ? r->touches[s].in : r->path.ends[1];
        for (int k = 0; k < r->shapes.count; ++k)
            depth = fmax(depth, rv_rope_depth(rig_shape(r, k), p, n));
    }
    return depth;
}

static inline double rig_point_depth(const rig* r, rvVec3 p)
{
    double depth = 0.0;
    for (int k = 0; k < r->shapes.count; ++k)
        depth = fmax(depth, rv_rope_depth(rig_shape(r, k), p, p));
    return depth;
}

// A random convex shape of about half a metre around the origin.
static inline rvShapeDef rig_def(rig* r, rvShapeType type, rvVec3* points)
{
    rvShapeDef def = rvDefaultShapeDef(type);
    def.radius = rig_between(r, 0.1, 0.5);
    def.length = rig_between(r, 0.2, 1.0);
    def.sides = rvVec(rig_between(r, 0.2, 1.0), rig_between(r, 0.2, 1.0), rig_between(r, 0.2, 1.0));
    def.points = points;
    def.pointCount = 12;
    for (int i = 0; i < def.pointCount; ++i)
        points[i] = rvScale(rig_between(r, 0.3, 0.6), rvNormalizeOr(rig_in_ball(r, 1.0), rvVec(1, 0, 0)));
    return def;
}

static inline rvPose rig_pose(rig* r, double far)
{
    rvPose pose = {rig_in_ball(r, far),
                   {rig_between(r, -1, 1), rig_between(r, -1, 1), rig_between(r, -1, 1), rig_between(r, -1, 1)}};
    pose.q = rvQuatNormalize(pose.q);
    return pose;
}
