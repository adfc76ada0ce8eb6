// SPDX-License-Identifier: MIT
// What every test includes: cmocka, and checks of doubles that print value, expectation and tolerance.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define CHECK_NEAR(value, expected, tolerance) check_near_((value), (expected), (tolerance), #value, __FILE__, __LINE__)

static inline void check_near_(double value, double expected, double tolerance, const char* what, const char* file,
                               int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%s:%d: %s is %.17g, expected %.17g within %g (off by %g)\n", file, line, what, value, expected,
                    tolerance, fabs(value - expected));
        _fail(file, line);
    }
}

#define CHECK_BELOW(value, limit) check_below_((value), (limit), #value, __FILE__, __LINE__)

static inline void check_below_(double value, double limit, const char* what, const char* file, int line)
{
    if (!(value < limit)) {
        print_error("%s:%d: %s is %.17g, expected below %g\n", file, line, what, value, limit);
        _fail(file, line);
    }
}

#define RUN_TESTS(tests) cmocka_run_group_tests((tests), NULL, NULL)
