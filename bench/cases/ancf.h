// SPDX-License-Identifier: MIT
// Cables of ANCF elements for benchmarks: the pendulum and the tether of Westin and Irani, and what a plot needs.
#pragma once

#include "bench.h"
#include "cable/ancf/ancf_step.h"

// The cable of Westin and Irani: 1 m, diameter 1 cm, density 5000 kg/m^3, I = 1e-8 m^4, g = 9.81, pinned at the origin,
// straight along +x.
typedef struct {
    int elementCount;
    double modulus; // E [Pa]
    bool wet;       // in water, with the numbers that reproduce Table 6
    bool implicitDrag;
    rvVec3 way;     // straight along it
    rvVec3 current; // of the water [m/s]
    rvAncfMotionFn motion;
    rvAncfOptions options;
} rvAncfCase;

// Ready to step; a benchmark without memory ends the program.
rvAncf* rv_ancf_case_create(const rvAncfCase* with);
void rv_ancf_case_destroy(rvAncf* cable);

// Error against processor time: one point a run.
typedef struct {
    double modulus, step, seconds, error; // [Pa], [s], of a run [s], [mm]
    rvAncfMethod method;
} rvAncfRun;

// Ropes of elements on the ground: ground.c.
void rv_bench_ground(rvBench* bench);
// Slack ropes of elements that come taut in the world, with bodies at their ends: snap.c.
void rv_bench_snap(rvBench* bench);
// Random slack ropes from a number on, at so many steps a second: the worst, and how many make too much energy.
void rv_bench_slack_ropes(rvBench* bench, long first, long count, int rate);
void rv_bench_slack_hooks(rvBench* bench, long first, long count);

// Benchmark 3 of Westin and Irani, the rope that slides off a table: sliding.c.
void rv_bench_sliding(rvBench* bench);

// Writes westin.csv and westin.svg into the folder. False: errno says why.
bool rv_bench_plot_runs(const char* folder, const rvAncfRun* runs, int count);
