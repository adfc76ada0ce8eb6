// SPDX-License-Identifier: MIT
// Rows of `reeve bench wakamatsu` for the curve in space.
#pragma once

#include "bench.h"

void rv_bench_wakamatsu_space(rvBench* bench);
