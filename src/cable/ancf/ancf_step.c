// SPDX-License-Identifier: MIT
// Steps of an ANCF cable: names, options and the start. Of other integrators than rt: reference/.
#include "body/body.h"
#include "cable/ancf/ancf_parts.h"
#include "cable/core/reference.h"

static const char* const NAMES[RV_ANCF_METHOD_COUNT] = {
    "rt", "si-be", "si-bdf2", "si-newmark", "si-hht", "implicit-newmark", "implicit-hht", "verlet", "taylor",
};

rvAncfOptions rv_ancf_rt_options(void)
{
    return (rvAncfOptions){.method = RV_ANCF_RT, .rho = 0.7, .guarded = true, .halvings = 4};
}

const char* rv_ancf_method_name(rvAncfMethod method)
{
    return NAMES[method];
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

rvStatus rv_ancf_initialise(rvAncf* cable, const rvAncfOptions* options, rvError* error)
{
    rvStatus status = check_shape(cable, error);
    if (!status)
        status = start_holds(cable, error);
    if (!status && cable->rows)
        status = cable->reference->startRows(cable, error);
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
    if (!rv_ancf_is_finite(cable, cable->a))
        return rv_fail(error, RV_BAD_INPUT, "the accelerations of the start are not finite");
    return RV_OK;
}
