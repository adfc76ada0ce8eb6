// SPDX-License-Identifier: MIT
#pragma once

#include "bench.h"

void rv_bench_wakamatsu_loops(rvBench* bench);
