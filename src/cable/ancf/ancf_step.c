// SPDX-License-Identifier: MIT
// Steps of an ANCF cable: names, options, start, and the door to each integrator.
#include "body/body.h"
#include "cable/ancf/ancf_parts.h"

static const struct {
    const char* name;
    bool (*step)(rvAncf* cable, double h);
} METHODS[RV_ANCF_METHOD_COUNT] = {
    [RV_ANCF_RT] = {"rt", rv_ancf_step_rt},
    [RV_ANCF_SI_BE] = {"si-be", rv_ancf_step_paper},
    [RV_ANCF_SI_BDF2] = {"si-bdf2", rv_ancf_step_paper},
    [RV_ANCF_SI_NEWMARK] = {"si-newmark", rv_ancf_step_paper},
    [RV_ANCF_SI_HHT] = {"si-hht", rv_ancf_step_paper},
    [RV_ANCF_IMPLICIT_NEWMARK] = {"implicit-newmark", rv_ancf_step_march},
    [RV_ANCF_IMPLICIT_HHT] = {"implicit-hht", rv_ancf_step_march},
    [RV_ANCF_VERLET] = {"verlet", rv_ancf_step_march},
    [RV_ANCF_TAYLOR] = {"taylor", rv_ancf_step_march},
};

rvAncfOptions rv_ancf_default_options(rvAncfMethod method)
{
    bool hht = method == RV_ANCF_SI_HHT || method == RV_ANCF_IMPLICIT_HHT;
    return (rvAncfOptions){
        .method = method,
        .rho = 0.7,
        .guarded = true,
        .halvings = 4,
        .hhtAlpha = hht ? -0.05 : 0.0,
        .baumgarte = {10.0, 10.0},
        .tolerance = 1e-6,
        .largestStep = 0.01,
        .courant = method == RV_ANCF_TAYLOR ? 0.6 : 0.7,
    };
}

const char* rv_ancf_method_name(rvAncfMethod method)
{
    return METHODS[method].name;
}

rvAncfMethod rv_ancf_method_by_name(const char* name)
{
    int i = 0;
    while (i < RV_ANCF_METHOD_COUNT && strcmp(METHODS[i].name, name) != 0)
        i++;
    return (rvAncfMethod)i;
}

rvAncfCounts rv_ancf_counts(const rvAncf* cable)
{
    return cable->counts;
}

bool rv_ancf_is_finite(const rvAncf* cable, const double* x)
{
    return isfinite(rv_ancf_dot(cable, x, x));
}

bool rv_ancf_is_sound(const rvAncf* cable, const double* q, const double* v)
{
    return rv_ancf_dot(cable, q, q) <= cable->dofCount * (RV_LARGEST_POSITION * RV_LARGEST_POSITION) &&
           rv_ancf_dot(cable, v, v) <= cable->dofCount * (RV_LARGEST_SPEED * RV_LARGEST_SPEED);
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
    if (cable->rows && METHODS[o->method].step != rv_ancf_step_paper)
        return rv_fail(error, RV_BAD_INPUT,
                       "method %s cannot have rows; expected si-be, si-bdf2, si-newmark or si-hht, or holds instead",
                       METHODS[o->method].name);
    return RV_OK;
}

static rvStatus check_shape(const rvAncf* cable, rvError* error)
{
    if (!rv_ancf_is_finite(cable, cable->q) || !rv_ancf_is_finite(cable, cable->v))
        return rv_fail(error, RV_BAD_INPUT, "the shape is not finite");
    for (int e = 0; e < cable->elementCount; e++) {
        const double *a = cable->q + 6 * e, *b = a + 6;
        double chord[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, l = cable->elements[e].length;
        if (rv_ancf_dot3(chord, chord) < 1e-12 * l * l)
            return rv_fail(error, RV_BAD_INPUT, "element %d has no length: its nodes are in one place", e);
        for (int end = 0; end < 2; end++)
            if (!(rv_ancf_dot3(a + 6 * end + 3, a + 6 * end + 3) > 1e-12))
                return rv_fail(error, RV_BAD_INPUT, "the slope of node %d is 0; expected about 1", e + end);
        if (rv_ancf_dot3(chord, a + 3) < 0.0 && rv_ancf_dot3(chord, b + 3) < 0.0)
            return rv_fail(error, RV_BAD_INPUT, "element %d is inverted: its slopes point against its nodes", e);
    }
    return RV_OK;
}

// Held dofs start where and as fast as their motion says; without one they rest.
static rvStatus start_holds(rvAncf* cable, rvError* error)
{
    rv_ancf_copy(cable, cable->aim, cable->q);
    memset(cable->aimRate, 0, (size_t)cable->dofCount * sizeof(double));
    memset(cable->aimAccel, 0, (size_t)cable->dofCount * sizeof(double));
    rv_ancf_aim(cable, 0.0);
    for (int i = 0; i < cable->heldCount; i++)
        for (int dof = 0, node = cable->heldNodes[i]; dof < 6; dof++) {
            double gap = cable->aim[6 * node + dof] - cable->q[6 * node + dof];
            double size = dof < 3 ? rv_ancf_length(cable) : 1.0;
            if ((cable->held[node] >> dof & 1) && !(fabs(gap) <= 1e-6 * size))
                return rv_fail(error, RV_BAD_INPUT, "the hold of node %d starts %g from the node's %s %c", node, gap,
                               dof < 3 ? "position" : "slope", "xyz"[dof % 3]);
        }
    rv_ancf_set_held(cable, cable->aim, cable->q);
    rv_ancf_set_held(cable, cable->aimRate, cable->v);
    return RV_OK;
}

static void start_energy(rvAncf* cable)
{
    double* s = cable->scalars;
    double load = cable->totalMass * rvLength(cable->gravity) * rv_ancf_length(cable);
    rvAncfEnergy energy = rv_ancf_energy(cable);
    s[RV_ANCF_KINETIC] = energy.kinetic;
    s[RV_ANCF_BUDGET] = s[RV_ANCF_ENERGY] = energy.total;
    s[RV_ANCF_FLOOR] = 0.01 * (load + energy.kinetic + energy.stretch + energy.bend);
    s[RV_ANCF_SCALE] = s[RV_ANCF_FLOOR];
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
    if (!status)
        status = check_shape(cable, error);
    if (!status)
        status = start_holds(cable, error);
    if (!status && cable->rows)
        status = rv_ancf_rows_start(cable, error);
    if (!status && options->method == RV_ANCF_TAYLOR)
        status = rv_ancf_make_series(cable, error);
    if (status)
        return status;
    cable->options = *options;
    cable->counts = (rvAncfCounts){0};
    memset(cable->scalars, 0, RV_ANCF_SCALAR_COUNT * sizeof(double));
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    rv_ancf_accelerate(cable, cable->q, cable->v, cable->a);
    rv_ancf_copy(cable, cable->at, cable->a);
    rv_ancf_copy(cable, cable->qOld, cable->q);
    rv_ancf_copy(cable, cable->vOld, cable->v);
    rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 1.0}, cable->work[0]);
    memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    for (int i = 0; i < cable->heldCount; i++) {
        double* pull = cable->pull + 6 * cable->heldNodes[i];
        rv_ancf_reaction(cable, cable->heldNodes[i], pull);
        memcpy(cable->pullMean + 6 * cable->heldNodes[i], pull, 6 * sizeof(double));
    }
    start_energy(cable);
    rv_ancf_note_energies(cable);
    if (options->method == RV_ANCF_VERLET || options->method == RV_ANCF_TAYLOR)
        rv_ancf_find_highest(cable);
    if (!rv_ancf_is_finite(cable, cable->a))
        return rv_fail(error, RV_BAD_INPUT, "the accelerations of the start are not finite");
    return RV_OK;
}

rvStatus rv_ancf_step(rvAncf* cable, double h)
{
    bool rowless = METHODS[cable->options.method].step != rv_ancf_step_paper;
    if (!(h > 0.0) || !isfinite(h) || (cable->rows && rowless))
        return RV_BAD_INPUT;
    if (!METHODS[cable->options.method].step(cable, h))
        return RV_DIVERGED;
    cable->scalars[RV_ANCF_TIME] += h;
    cable->counts.steps++;
    return RV_OK;
}
