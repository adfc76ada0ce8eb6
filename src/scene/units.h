// SPDX-License-Identifier: MIT
// Units: "kN/m", "deg/s", "kg m^2", "m/(s N)". A unit is a factor to SI and exponents of metre, kilogram, second,
// radian.
#pragma once

#include <stdbool.h>

typedef struct {
    double factor; // what one of it is in SI
    int m, kg, s, rad;
} rvUnit;

// False where the text is no unit. "" is the number 1.
bool rv_unit_read(const char* text, rvUnit* unit);

// The symbols there are, for the documentation; NULL behind the last.
const char* rv_unit_symbol(int index);
bool rv_unit_same_kind(const rvUnit* a, const rvUnit* b);

// A number at the start of `text` as YAML 1.2 writes them (also .inf and .nan); *end is behind it. False: there is
// none.
bool rv_number_read(const char* text, double* value, const char** end);
