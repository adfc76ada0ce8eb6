// SPDX-License-Identifier: MIT
// What costs time of a curve in space, for processors with AVX2 and for any other: the same operations in the same
// order on the four Gauss points of an interval (space_lanes.h), so the same bits.
#pragma once

#include "cable/curve/space.h"

// See the functions of space.h that they stand for.
struct rvSpaceKernels {
    void (*place)(rvSpace* space, rvVec3 start);
    void (*nodeRates)(rvSpace* space, const double* v, rvVec3* rates);
    void (*nodeDrift)(rvSpace* space, const double* v, rvVec3* drift);
    void (*addInertia)(rvSpace* space, const double* v, const double* acceleration, rvVec3* drift);
    void (*wayRate)(const rvSpace* space, const double* v, double* way);
    void (*wayAcceleration)(const rvSpace* space, const double* v, const double* a, double* way);
    void (*addWayInertia)(rvSpace* space, const double* way);
    void (*sumLoads)(const rvSpace* space, double* forces);
    double (*kineticEnergy)(rvSpace* space, const double* v);
    // So many times the inertia, in place of what is in the matrix.
    void (*findInertia)(rvSpace* space, double mass, rvSeparable* a);
    // Adds C^T F, summed over an interval's Gauss points, to the six numbers of its two nodes.
    void (*addTurning)(const rvSpacePiece* piece, const rvFour3* load, double* six);
};

extern const rvSpaceKernels rv_space_any;
#if defined(__x86_64__) && defined(__GNUC__)
#define RV_SPACE_HAS_AVX2
extern const rvSpaceKernels rv_space_avx2;
#endif
