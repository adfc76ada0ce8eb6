// SPDX-License-Identifier: MIT
// ANCF cables for tests.
#pragma once

#include "cable/ancf/ancf_parts.h"
#include "check.h"
#include "reference/parts.h"
#include "support/random.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static rvMemory rigMemory;
static rvError rigError;

static inline rvAncf* rig_of(const rvAncfDef* def)
{
    rvAncf* cable = NULL;
    if (rv_ancf_create(def, &rigMemory, &cable, &rigError) != RV_OK)
        print_error("%s\n", rigError.text);
    assert_non_null(cable);
    return cable;
}

// n equal elements
static inline rvAncf* rig_uniform(int n, double length, rvAncfElement element, rvVec3 gravity, bool exact)
{
    rvAncfElement* elements = calloc((size_t)n, sizeof *elements);
    assert_non_null(elements);
    element.length = length / n;
    for (int i = 0; i < n; i++)
        elements[i] = element;
    rvAncf* cable =
        rig_of(&(rvAncfDef){.elementCount = n, .elements = elements, .gravity = gravity, .exactCurvature = exact});
    free(elements);
    return cable;
}

// The pendulum of Westin and Irani, as ERRATA reads it.
static inline rvAncf* rig_pendulum(double E, int n)
{
    double A = 0.25e-4 * PI;
    rvAncf* cable = rig_uniform(n, 1.0, (rvAncfElement){.EA = E * A, .EI = 1e-8 * E, .massPerLength = 5000.0 * A},
                                rvVec(0, 0, -9.81), false);
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    return cable;
}

static inline void rig_start(rvAncf* cable, rvAncfMethod method)
{
    rvAncfOptions options = rv_ancf_default_options(method);
    rvStatus status = rv_ancf_start(cable, &options, &rigError);
    if (status)
        print_error("%s\n", rigError.text);
    assert_int_equal(status, RV_OK);
}

// Numbers in (-1, 1) that are the same everywhere.
static inline double rig_random(uint64_t* seed)
{
    return rv_draw_between(seed, -1.0, 1.0);
}

// A bent, stretched, moving shape in space.
static inline void rig_shake(rvAncf* cable, double size, uint64_t seed)
{
    int count = 6 * rv_ancf_node_count(cable);
    double *q = calloc((size_t)count, sizeof *q), *v = calloc((size_t)count, sizeof *v);
    assert_non_null(q);
    assert_non_null(v);
    memcpy(q, rv_ancf_positions(cable), (size_t)count * sizeof *q);
    for (int i = 0; i < count; i++) {
        double unit = i % 6 < 3 ? cable->elements[0].length : 1.0;
        q[i] += size * unit * rig_random(&seed);
        v[i] = 10.0 * size * unit * rig_random(&seed);
    }
    rv_ancf_set_shape(cable, q, v);
    free(q);
    free(v);
}
