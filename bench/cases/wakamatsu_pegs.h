// SPDX-License-Identifier: MIT
// A cable around pegs, by an adaptive reference and by steps: a part of `reeve bench wakamatsu`.
#pragma once

#include "bench.h"

void rv_bench_wakamatsu_pegs(rvBench* bench);
