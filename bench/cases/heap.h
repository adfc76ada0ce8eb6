// SPDX-License-Identifier: MIT
// Heaps and stacks that every engine must hold, and the engines that hold them: ours and the peers.
//
// Ground: the plane z = 0. A heap is thrown into a pit of four walls, boxes, balls and capsules in turn; a stack is of
// equal boxes, set down. Friction 0.5 everywhere, no restitution, h = 1/60 s.
#pragma once

#include "reeve/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { RV_HEAP_BOX = 0, RV_HEAP_BALL, RV_HEAP_CAPSULE } rvHeapShape;

typedef struct {
    rvHeapShape shape;
    rvVec3 sides;          // of a box [m]
    double radius, length; // of a ball or capsule; its straight part, along z [m]
    double mass;           // [kg]; 0: it never moves
    rvVec3 moments;        // [kg m^2]
    rvPose pose;
    rvVec3 velocity;
} rvHeapBody;

typedef struct {
    rvHeapBody* bodies;
    int count;
} rvHeap;

// Of some bodies beside the walls, or of some boxes on each other. No memory: count 0.
rvHeap rv_heap_throw(int count);
rvHeap rv_heap_stack(int count, double mass, rvVec3 sides);
void rv_heap_release(rvHeap* heap);

// One engine that can hold a heap.
typedef struct {
    const char* name;
    void* (*create)(const rvHeap* heap); // NULL: it cannot
    void (*destroy)(void* state);
    bool (*step)(void* state, double h); // collides and steps; false: it lost the state
    double (*overlap)(void* state);      // deepest overlap that it found for the last step [m]
    double (*speed)(void* state);        // of its fastest body [m/s]
    bool (*fellBack)(void* state);       // did the last step miss the exact solution; NULL: it never seeks it
} rvHeapEngine;

extern const rvHeapEngine rv_heap_ours;

static const double RV_HEAP_GRAVITY = 9.81;
static const double RV_HEAP_FRICTION = 0.5;

#ifdef __cplusplus
}
#endif
