// SPDX-License-Identifier: MIT
// Counts every allocation of this thread, ours and that of the libraries below us (C++ `new` ends in malloc too):
//
//   count_alloc_begin();
//   rvWorld_Step(world, dt);
//   assert_int_equal(count_alloc_end(), 0);
//
// And lets one of them fail, but for those of libraries that crash then:
//
//   if (count_alloc_can_fail())
//       count_alloc_fail_at(7, "libode");
#pragma once

#include <stdbool.h>

void count_alloc_begin(void);
// Allocations and releases since begin.
long count_alloc_end(void);

// Not under a sanitizer.
bool count_alloc_can_fail(void);

// The number-th allocation from now on fails; those that are asked for by the library of that name are not counted.
void count_alloc_fail_at(long number, const char* spared);

// Has it failed?
bool count_alloc_has_failed(void);
