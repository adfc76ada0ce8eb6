// SPDX-License-Identifier: MIT
// Handles: plain values that name an object of a world. Zero is null. A stale id is detected, never obeyed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t index1;     // 1 + index in the world's store; 0 is null
    uint32_t generation; // which life of that place
} rvBodyId;

typedef struct {
    uint32_t index1, generation;
} rvJointId;

typedef struct {
    uint32_t index1, generation;
} rvShapeId;

typedef struct {
    uint32_t index1, generation;
} rvCableId;

// C++ has no literals of this kind
#ifdef __cplusplus
#define RV_NULL_ID(type) (type{0, 0})
#else
#define RV_NULL_ID(type) ((type){0, 0})
#endif
#define RV_NULL_BODY RV_NULL_ID(rvBodyId)
#define RV_NULL_JOINT RV_NULL_ID(rvJointId)
#define RV_NULL_SHAPE RV_NULL_ID(rvShapeId)
#define RV_NULL_CABLE RV_NULL_ID(rvCableId)

#define RV_IS_NULL(id) ((id).index1 == 0)
#define RV_ID_EQUALS(a, b) ((a).index1 == (b).index1 && (a).generation == (b).generation)
