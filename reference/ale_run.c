// SPDX-License-Identifier: MIT
// Rope that flows and stands alone: start, and the door to each integrator.
#include "reference/parts.h"

static rvStatus check_method(const rvAle* ale, const rvAncfOptions* o, rvError* error)
{
    rvStatus status = rv_ancf_check_options(o, error);
    if (status)
        return status;
    bool damped = ale->axialTime > 0.0 || ale->bendTime > 0.0 || ale->water.on, rubs = false;
    for (int f = 0; f < ale->fallCount; f++)
        rubs = rubs || (ale->falls[f].slow > 0.0 && ale->falls[f].friction > 0.0);
    if (o->method == RV_ANCF_TAYLOR && (damped || rubs || ale->buckles))
        return rv_fail(error, RV_BAD_INPUT,
                       "method taylor needs forces that are polynomials: no damping, no water, no friction on a table, "
                       "no elements that buckle");
    return RV_OK;
}

rvStatus rv_ale_start(rvAle* ale, const rvAncfOptions* options, rvError* error)
{
    rvStatus status = check_method(ale, options, error);
    if (!status)
        status = rv_ale_initialise(ale, options, error);
    if (!status && options->method != RV_ANCF_RT)
        status = rv_ale_march_start(ale, error);
    return status;
}

static bool step_rt(rvAle* ale, double h)
{
    static const double REMAINDER = 1e-5; // as in a world
    enum { MAX_PASSES = 5 };
    rv_ale_begin(ale, ale->options.rho, h);
    bool again = true;
    for (int pass = 0; again && pass < MAX_PASSES; pass++) {
        rv_ale_pass(ale);
        again = rv_ale_take(ale) > REMAINDER * rv_ale_scale(ale);
    }
    return rv_ale_finish(ale);
}

rvStatus rv_ale_step(rvAle* ale, double h)
{
    if (!(h > 0.0) || !isfinite(h))
        return RV_BAD_INPUT;
    bool good = ale->options.method == RV_ANCF_RT ? step_rt(ale, h) : rv_ale_step_march(ale, h);
    return good ? RV_OK : RV_DIVERGED;
}

rvAncfCounts rv_ale_counts(const rvAle* ale)
{
    return ale->counts;
}
