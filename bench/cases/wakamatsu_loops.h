// SPDX-License-Identifier: MIT
#pragma once

#include "bench.h"
#include "reeve/world.h"

void rv_bench_wakamatsu_loops(rvBench* bench);
rvWorld* rv_wakamatsu_world(double gravity); // an empty one; NULL: failed
