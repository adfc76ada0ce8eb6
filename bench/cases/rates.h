// SPDX-License-Identifier: MIT
#pragma once

#include "bench.h"
#include "random/family.h"

// A row with the failures of a family in a block of numbers, one for each of them.
void rv_bench_rates(rvBench* bench, const rvRandomFamily* family);
