// SPDX-License-Identifier: MIT
// Counts every allocation of this thread, ours and that of the libraries below us (C++ `new` ends in malloc too):
//
//   count_alloc_begin();
//   rvWorld_Step(world, dt);
//   assert_int_equal(count_alloc_end(), 0);
#pragma once

void count_alloc_begin(void);
// Allocations and releases since begin.
long count_alloc_end(void);
