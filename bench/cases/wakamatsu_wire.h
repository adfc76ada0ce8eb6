// SPDX-License-Identifier: MIT
// Rows of `reeve bench wakamatsu`: a wire in the world against finite elements, its order of convergence.
#pragma once

#include "bench.h"

void rv_bench_wakamatsu_wire(rvBench* bench);
