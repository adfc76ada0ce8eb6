// SPDX-License-Identifier: MIT
// A finite-element cable that stands alone: options, start, and the door to each integrator.
#include "reference/parts.h"

rvAncfOptions rv_ancf_default_options(rvAncfMethod method)
{
    rvAncfOptions options = rv_ancf_rt_options();
    options.method = method;
    options.hhtAlpha = method == RV_ANCF_SI_HHT || method == RV_ANCF_IMPLICIT_HHT ? -0.05 : 0.0;
    options.baumgarte[0] = options.baumgarte[1] = 10.0;
    options.tolerance = 1e-6;
    options.largestStep = 0.01;
    options.courant = method == RV_ANCF_TAYLOR ? 0.6 : 0.7;
    return options;
}

rvAncfMethod rv_ancf_method_by_name(const char* name)
{
    int i = 0;
    while (i < RV_ANCF_METHOD_COUNT && strcmp(rv_ancf_method_name((rvAncfMethod)i), name) != 0)
        i++;
    return (rvAncfMethod)i;
}

rvAncfCounts rv_ancf_counts(const rvAncf* cable)
{
    return cable->counts;
}

rvStatus rv_ancf_check_options(const rvAncfOptions* o, rvError* error)
{
    if ((unsigned)o->method >= RV_ANCF_METHOD_COUNT)
        return rv_fail(error, RV_BAD_INPUT, "method is %d; expected 0 to %d", (int)o->method, RV_ANCF_METHOD_COUNT - 1);
    const struct {
        const char* name;
        double value, low, high;
    } fields[] = {
        {"rho", o->rho, 0.0, 1.0},
        {"halvings", o->halvings, 0.0, 10.0},
        {"hhtAlpha", o->hhtAlpha, -1.0 / 3.0, 0.0},
        {"baumgarte[0]", o->baumgarte[0], 0.0, 1e6},
        {"baumgarte[1]", o->baumgarte[1], 0.0, 1e6},
        {"tolerance", o->tolerance, 1e-14, 1.0},
        {"largestStep", o->largestStep, 1e-9, 1e3},
        {"courant", o->courant, 0.01, 1.0},
    };
    for (int i = 0; i < (int)(sizeof fields / sizeof fields[0]); i++)
        if (!(fields[i].value >= fields[i].low && fields[i].value <= fields[i].high))
            return rv_fail(error, RV_BAD_INPUT, "%s is %g; expected %g to %g", fields[i].name, fields[i].value,
                           fields[i].low, fields[i].high);
    return RV_OK;
}

rvStatus rv_ancf_check_method(const rvAncf* cable, const rvAncfOptions* o, rvError* error)
{
    rvStatus status = rv_ancf_check_options(o, error);
    if (status)
        return status;
    bool curved = cable->exactCurvature;
    for (int i = 0; i < cable->elementCount; i++)
        curved = curved || cable->elements[i].curvature > 0.0;
    bool bent = curved || cable->buckles;
    if (o->method == RV_ANCF_TAYLOR && (bent || cable->hasDamping || cable->hasWater || cable->motion))
        return rv_fail(error, RV_BAD_INPUT,
                       "method taylor needs forces that are polynomials: no exact or initial curvature, no damping, no "
                       "water, no moving holds, no elements that buckle");
    if (cable->rows && !rv_ancf_is_of_paper(o->method))
        return rv_fail(error, RV_BAD_INPUT,
                       "method %s cannot have rows; expected si-be, si-bdf2, si-newmark or si-hht, or holds instead",
                       rv_ancf_method_name(o->method));
    return RV_OK;
}

rvStatus rv_ancf_make_series(rvAncf* cable, rvError* error)
{
    if (cable->series)
        return RV_OK;
    size_t size = rv_ancf_series_size(cable);
    cable->series = rv_memory_take(cable->memory, size);
    if (!cable->series)
        return rv_fail(error, RV_NO_MEMORY, "no memory for the series of %d elements", cable->elementCount);
    cable->seriesSize = size;
    return RV_OK;
}

rvStatus rv_ancf_start(rvAncf* cable, const rvAncfOptions* options, rvError* error)
{
    rvStatus status = rv_ancf_check_method(cable, options, error);
    if (!status && options->method == RV_ANCF_TAYLOR)
        status = rv_ancf_make_series(cable, error);
    if (!status)
        status = rv_ancf_initialise(cable, options, error);
    if (!status && (options->method == RV_ANCF_VERLET || options->method == RV_ANCF_TAYLOR))
        rv_ancf_find_highest(cable);
    return status;
}

static bool step_rt(rvAncf* cable, double h)
{
    if (cable->scalars[RV_ANCF_TIME] <= 0.0) {
        rvAncfRt first = rv_ancf_rt_of(cable, cable->options.rho, 0.0, h);
        rv_ancf_rt_soften_start(cable, &first);
    }
    return rv_ancf_rt_go(cable, cable->scalars[RV_ANCF_TIME], h, cable->options.halvings);
}

static bool step_by(rvAncf* cable, double h)
{
    if (cable->options.method == RV_ANCF_RT)
        return step_rt(cable, h);
    return rv_ancf_is_of_paper(cable->options.method) ? rv_ancf_step_paper(cable, h) : rv_ancf_step_march(cable, h);
}

rvStatus rv_ancf_step(rvAncf* cable, double h)
{
    if (!(h > 0.0) || !isfinite(h) || (cable->rows && !rv_ancf_is_of_paper(cable->options.method)))
        return RV_BAD_INPUT;
    if (!step_by(cable, h))
        return RV_DIVERGED;
    cable->scalars[RV_ANCF_TIME] += h;
    cable->counts.steps++;
    return RV_OK;
}
