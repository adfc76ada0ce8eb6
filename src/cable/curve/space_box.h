// SPDX-License-Identifier: MIT
// Boxes along the axes of the world: what lies in two that are apart cannot meet.
#pragma once

#include "math/extreme.h"
#include "reeve/math.h"

typedef struct {
    rvVec3 low, high;
} rvSpaceBox;

// The least box around two.
static inline rvSpaceBox rv_space_box_both(rvSpaceBox a, rvSpaceBox b)
{
    return (rvSpaceBox){
        rvVec(rv_smaller(a.low.x, b.low.x), rv_smaller(a.low.y, b.low.y), rv_smaller(a.low.z, b.low.z)),
        rvVec(rv_larger(a.high.x, b.high.x), rv_larger(a.high.y, b.high.y), rv_larger(a.high.z, b.high.z))};
}

static inline rvSpaceBox rv_space_box_with(rvSpaceBox box, rvVec3 x)
{
    return rv_space_box_both(box, (rvSpaceBox){x, x});
}

static inline rvSpaceBox rv_space_box_widened(rvSpaceBox box, double by)
{
    return (rvSpaceBox){rvSub(box.low, rvVec(by, by, by)), rvAdd(box.high, rvVec(by, by, by))};
}

static inline bool rv_space_boxes_apart(const rvSpaceBox* a, const rvSpaceBox* b)
{
    return a->high.x < b->low.x || a->low.x > b->high.x || a->high.y < b->low.y || a->low.y > b->high.y ||
           a->high.z < b->low.z || a->low.z > b->high.z;
}

// Is a point farther from a box than `reach`?
static inline bool rv_space_box_is_off(const rvSpaceBox* box, rvVec3 x, double reach)
{
    return x.x - reach > box->high.x || x.x + reach < box->low.x || x.y - reach > box->high.y ||
           x.y + reach < box->low.y || x.z - reach > box->high.z || x.z + reach < box->low.z;
}
