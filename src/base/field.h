// SPDX-License-Identifier: MIT
// Numbers of definitions that must lie in a range, checked in one way and told of in one form:
//   cable 'hoist': places[0].winch.width: is -1 m, must be finite and >= 0
#pragma once

#include "base/error.h"

// What a field must be; bits. None may be not a number.
typedef enum {
    RV_FINITE = 1,
    RV_NOT_NEGATIVE = 2,
    RV_POSITIVE = 4,
    RV_FINITE_NOT_NEGATIVE = RV_FINITE | RV_NOT_NEGATIVE,
    RV_FINITE_POSITIVE = RV_FINITE | RV_POSITIVE,
} rvRange;

typedef struct {
    const char* name;
    double value;
    rvRange range;
    const char* unit; // NULL: none
} rvField;

// The first that breaks its rule is refused, as RV_BAD_INPUT; `of` stands before its name.
rvStatus rv_check_fields(rvError* error, const char* of, const rvField* fields, int count);

#define RV_CHECK_FIELDS(error, of, fields)                                                                             \
    rv_check_fields((error), (of), (fields), (int)(sizeof(fields) / sizeof((fields)[0])))
