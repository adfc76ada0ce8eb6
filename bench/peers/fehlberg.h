// SPDX-License-Identifier: MIT
// An adaptive reference for benchmarks: Runge-Kutta-Fehlberg 4(5) by SUNDIALS' ARKODE, where it is installed.
#pragma once

#include <stdbool.h>

typedef struct {
    int count;
    bool (*rates)(void* context, double t, const double* y, double* dy);
    void (*kept)(void* context, double t, const double* y); // after each step that is kept; may be NULL
    void* context;
    double relative, absolute; // tolerances
} rvFehlberg;

// From t to `until`, exactly; y is the state. False: it failed. *steps and *calls are added to.
bool rv_fehlberg_run(const rvFehlberg* method, double t, double until, double* y, long* steps, long* calls);
