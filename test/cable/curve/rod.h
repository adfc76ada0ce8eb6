// SPDX-License-Identifier: MIT
// Rods for tests of the curve in space: of one stuff, 1 m long, along x from the origin; the tangent is the third axis.
#pragma once

#include "cable/curve/space_run.h"

#include "check.h"

#define PI 3.14159265358979323846

static inline rvQuat along_x(void)
{
    return rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI);
}

static inline void make_rod(rvSpaceRun* run, rvMemory* memory, int intervals, double density, rvVec3 rigidity,
                            const rvSpaceHold* holds, int count)
{
    rvSpaceDef def = {.intervals = intervals, .holds = holds, .holdCount = count};
    assert_true(rv_space_run_create(run, memory, &def));
    for (int i = 0; i < intervals; ++i)
        run->space.parts[i] = (rvSpacePart){
            .length = 1.0 / intervals, .density = density, .rigidity = rigidity, .inertia = 1e-6 * density};
    rv_space_begin(&run->space);
    for (int i = 0; i <= intervals; ++i)
        run->frames[i] = along_x();
}

static inline rvVec3 node_of(rvSpaceRun* run, int i)
{
    rv_space_place(&run->space, rvVec(run->start[0], run->start[1], run->start[2]), run->frames, run->stretch);
    return run->space.nodes[i];
}
