// SPDX-License-Identifier: MIT
// The rope of `reeve bench route`, for the other engines: over `sheaves` wheels in a zigzag, a load on its end.
#pragma once

#include "reeve/reeve.h"

#define RV_ZIGZAG_RADIUS 0.2
#define RV_ZIGZAG_MASS 100.0
#define RV_ZIGZAG_STIFFNESS 1e6 // EA [N]
#define RV_ZIGZAG_DROP 5.0      // of the load below the last wheel [m]

// The rope passes under the lower wheels and over the upper ones in turn; the last one is an upper one.
static inline bool rv_zigzag_is_upper(int sheaves, int i)
{
    return (sheaves - i) % 2 != 0;
}

// Centre of wheel i; their axes are y.
static inline rvVec3 rv_zigzag_wheel(int sheaves, int i)
{
    return rvVec(i, 0.0, rv_zigzag_is_upper(sheaves, i) ? 1.0 : 0.0);
}

// Where the rope begins, and where the load is.
static inline rvVec3 rv_zigzag_start(void)
{
    return rvVec(-1.0, 0.0, 0.5);
}

static inline rvVec3 rv_zigzag_load(int sheaves)
{
    rvVec3 last = rv_zigzag_wheel(sheaves, sheaves - 1);
    return rvVec(last.x + RV_ZIGZAG_RADIUS, 0.0, last.z - RV_ZIGZAG_DROP);
}

// Another engine with the same rope. create answers NULL where it cannot.
typedef struct {
    void* (*create)(int sheaves, double step);
    void (*step)(void* rope);
    double (*length)(const void* rope); // [m]
    void (*destroy)(void* rope);
} rvRopeEngine;
