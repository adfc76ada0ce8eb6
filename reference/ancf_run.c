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

void rv_ancf_set_shape(rvAncf* cable, const double* q, const double* v)
{
    rv_ancf_copy(cable, cable->q, q);
    if (v)
        rv_ancf_copy(cable, cable->v, v);
    else
        memset(cable->v, 0, (size_t)cable->dofCount * sizeof(double));
}

int rv_ancf_node_count(const rvAncf* cable)
{
    return cable->nodeCount;
}

const double* rv_ancf_positions(const rvAncf* cable)
{
    return cable->q;
}

const double* rv_ancf_velocities(const rvAncf* cable)
{
    return cable->v;
}

double rv_ancf_time(const rvAncf* cable)
{
    return cable->scalars[RV_ANCF_TIME];
}

static rvVec3 vec_of(const double x[3])
{
    return rvVec(x[0], x[1], x[2]);
}

// Along x: the velocity of a shift is 1 in position and 0 in slope.
rvVec3 rv_ancf_momentum(const rvAncf* cable)
{
    double* y = cable->work[RV_ANCF_WORK_COUNT - 1];
    rv_ancf_mass_product(cable, cable->v, y);
    rvVec3 sum = rvVec(0, 0, 0);
    for (int i = 0; i < cable->nodeCount; i++)
        sum = rvAdd(sum, vec_of(y + 6 * i));
    return sum;
}

// The velocity of a turn w is w x r in position and w x r' in slope.
rvVec3 rv_ancf_angular_momentum(const rvAncf* cable)
{
    double* y = cable->work[RV_ANCF_WORK_COUNT - 1];
    rv_ancf_mass_product(cable, cable->v, y);
    rvVec3 sum = rvVec(0, 0, 0);
    for (int i = 0; i < 2 * cable->nodeCount; i++)
        sum = rvAdd(sum, rvCross(vec_of(cable->q + 3 * i), vec_of(y + 3 * i)));
    return sum;
}

void rv_ancf_jump(rvAncf* cable)
{
    double* jump = cable->work[0];
    double* impulse = cable->work[1];
    memset(jump, 0, (size_t)cable->dofCount * sizeof(double));
    rv_ancf_aim(cable, cable->scalars[RV_ANCF_TIME]);
    rv_ancf_set_held(cable, cable->aimRate, jump);
    for (int i = 0; i < cable->heldCount; i++)
        for (int dof = 0, node = cable->heldNodes[i]; dof < 6; dof++)
            if (cable->held[node] >> dof & 1)
                jump[6 * node + dof] -= cable->v[6 * node + dof];
    // M dv = impulse of the holds alone
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    rv_ancf_mass_product(cable, jump, impulse);
    rv_ancf_mass_solve(cable, impulse);
    double before = rv_ancf_kinetic(cable, cable->v);
    for (int i = 0; i < cable->dofCount; i++)
        cable->v[i] += jump[i] - impulse[i];
    if (cable->rows)
        rv_ancf_rows_jump(cable); // holds keep their speeds, so both together are one projection
    cable->scalars[RV_ANCF_KINETIC] = rv_ancf_kinetic(cable, cable->v);
    cable->scalars[RV_ANCF_BUDGET] += cable->scalars[RV_ANCF_KINETIC] - before;
    cable->scalars[RV_ANCF_ENERGY] += cable->scalars[RV_ANCF_KINETIC] - before;
    rv_ancf_accelerate(cable, cable->q, cable->v, cable->a);
    rv_ancf_copy(cable, cable->at, cable->a);
    rv_ancf_copy(cable, cable->vOld, cable->v);
    rv_ancf_copy(cable, cable->qOld, cable->q);
}
