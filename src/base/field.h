// SPDX-License-Identifier: MIT
// Numbers of definitions that must lie in a range, checked in one way and told of in one form:
//   cable 'hoist': places[0].winch.width: is -1 m, must be finite and >= 0
// Those that have a sign may be divided by, and must be 0 or of some size (least.h); the others must not be subnormal;
// but for those of any size.
#pragma once

#include "base/error.h"

#include <math.h>

// What a field must be; bits. None may be not a number.
typedef enum {
    RV_FINITE = 1,
    RV_NOT_NEGATIVE = 2,
    RV_POSITIVE = 4,
    RV_ANY_SIZE = 8, // a command or a state: it may come as near to 0 as it likes, and nothing is divided by it
    RV_FINITE_NOT_NEGATIVE = RV_FINITE | RV_NOT_NEGATIVE,
    RV_FINITE_POSITIVE = RV_FINITE | RV_POSITIVE,
} rvRange;

typedef struct {
    const char* name;
    double value;
    rvRange range;
    const char* unit; // NULL: none
} rvField;

// Of a damping time, which is another one where it is negative.
static inline rvRange rv_damping_range(double value)
{
    return value > 0.0 && isfinite(value) ? RV_FINITE_NOT_NEGATIVE : RV_FINITE;
}

bool rv_is_in_range(double value, rvRange range);

// The first that breaks its rule is refused, as RV_BAD_INPUT; `of` stands before its name.
rvStatus rv_check_fields(rvError* error, const char* of, const rvField* fields, int count);

// A number of an object alone: "body", "load", and its field.
rvStatus rv_check_number(rvError* error, const char* kind, const char* name, rvField field);

#define RV_CHECK_FIELDS(error, of, fields)                                                                             \
    rv_check_fields((error), (of), (fields), (int)(sizeof(fields) / sizeof((fields)[0])))
