// SPDX-License-Identifier: MIT
// A cable of finite elements that another integrator steps than `rt`: its ends are led, nothing is pushed by it.
//
// Bodies that it is on are the world's, static or prescribed: they go by h V from where they are, V the velocity of the
// step. Within it a held node is on the cubic from where the step begins to where it ends, with the speeds there. V
// lives at the middle of the step; where it changes as it did before, by c a step, the speeds are V - c/2 and V + c/2:
// a steady acceleration is followed exactly. Where it jumps (fe_jump.c) all of it moves with V from the start, and the
// jump is taken up by the mass (rv_ancf_jump). The adaptive, the explicit and the series' steps hold nodes there; the
// four of the paper by Baumgarte's equation, 10/s.
#include "cable/fe/fe.h"
#include "reference/parts.h"

rvStatus rv_fe_accept(rvCable* cable, const rvBodyStore* bodies, rvError* error)
{
    rvFe* fe = cable->fe;
    const char* name = rv_ancf_method_name(fe->method);
    for (int k = 0; k < fe->gripCount; ++k) {
        const rvGrip* grip = &fe->grips[k];
        if (grip->pushed)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': integrator: %s moves no bodies, and places[%d] is on one that forces move; "
                           "expected rt, or places on the world, static and kinematic bodies",
                           cable->name, name, grip->place);
        if (fe->method == RV_ANCF_TAYLOR && grip->body >= 0 && bodies->items[grip->body].type != RV_BODY_STATIC)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': integrator: taylor needs places that do not move, and places[%d] may",
                           cable->name, grip->place);
    }
    rvAncfOptions options = rv_ancf_default_options(fe->method);
    rvError why = {0};
    if (rv_ancf_check_method(fe->ancf, &options, &why) != RV_OK)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': integrator: %s", cable->name, why.text);
    return fe->method == RV_ANCF_TAYLOR ? rv_ancf_make_series(fe->ancf, error) : RV_OK;
}

void rv_fe_start_led(rvCable* cable)
{
    rvFe* fe = cable->fe;
    rvError ignored = {0};
    rvAncfOptions options = rv_ancf_default_options(fe->method);
    options.guarded = false; // the energy is that of the whole machine
    options.rho = 0.5;       // the shares of a port's force are those of this one
    rv_ancf_start(fe->ancf, &options, &ignored);
}

static void lead(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    const rvFe* fe = context;
    int k = 0;
    while (fe->grips[k].node != node)
        k += 1;
    rv_ancf_follow_cubic(time, &fe->leads[k], b, rate, accel);
}

// The impulses that holds give for a jump: M times the change of the speeds, `before` those that were.
static void keep_kicks(rvFe* fe, const rvBodyStore* bodies, double* before)
{
    rvAncf* ancf = fe->ancf;
    double* impulse = ancf->work[3];
    for (int i = 0; i < ancf->dofCount; ++i)
        before[i] = ancf->v[i] - before[i];
    rv_ancf_mass_product(ancf, before, impulse);
    for (int k = 0; k < fe->gripCount; ++k)
        if (!fe->grips[k].off)
            rv_grip_wrench(&fe->grips[k], bodies, impulse + 6 * fe->grips[k].node, fe->grips[k].kick);
}

void rv_fe_begin_led(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvFe* fe = cable->fe;
    rvAncf* ancf = fe->ancf;
    bool any = false;
    for (int k = 0; k < fe->gripCount; ++k) {
        rvAncfLead* at = &fe->leads[k];
        double rate[6], unused[6], jump[6];
        bool goesOn;
        memset(fe->grips[k].kick, 0, sizeof fe->grips[k].kick);
        *at = (rvAncfLead){.time = ancf->scalars[RV_ANCF_TIME], .h = h};
        rv_grip_aim(&fe->grips[k], bodies, 0.0, at->q, at->v, unused);
        rv_grip_aim(&fe->grips[k], bodies, h, at->end, rate, unused);
        bool jumps = rv_fe_jump_of(rate, &fe->states[k], jump, &goesOn);
        for (int c = 0; c < 6; ++c) {
            double goes = jumps ? 0.0 : 0.5 * (fe->states[k].change[c] - jump[c]);
            at->v[c] = rate[c] - goes;
            at->endRate[c] = rate[c] + goes;
        }
        any = any || (jumps && !fe->grips[k].off);
    }
    double before = rv_ancf_energy(ancf).total, *speeds = ancf->work[2];
    if (any) {
        rv_ancf_copy(ancf, speeds, ancf->v);
        rv_ancf_set_motion(ancf, lead, fe);
        rv_ancf_jump(ancf);
        for (int i = 0; i < ancf->dofCount; ++i) // for those that look back: as if it had always moved so
            ancf->qOld[i] = ancf->q[i] - h * ancf->v[i];
        keep_kicks(fe, bodies, speeds);
    }
    fe->guard.before = rv_ancf_note_middle(ancf) - 0.5 * (rv_ancf_energy(ancf).total - before);
    fe->guard.debt = 0.0;
}

bool rv_fe_step_led(rvCable* cable, double h)
{
    rvFe* fe = cable->fe;
    rvAncf* ancf = fe->ancf;
    if (fe->method != RV_ANCF_TAYLOR)
        rv_ancf_set_motion(ancf, lead, fe);
    double before = rv_ancf_energy(ancf).total;
    bool good = rv_ancf_step(ancf, h) == RV_OK;
    rv_fe_set_motion(fe);
    if (!good)
        return false;
    // what is read is by the tensions of the step: those of its end
    if (ancf->hasWater)
        rv_ancf_water_update(ancf, ancf->q);
    rv_ancf_linearise(ancf, ancf->q, ancf->v, &(rvAncfWish){.massFactor = 1.0}, ancf->work[0]);
    memcpy(ancf->stored, ancf->tensions, (size_t)ancf->slotCount * sizeof *ancf->tensions);
    double* s = ancf->scalars;
    s[RV_ANCF_KINETIC] = rv_ancf_kinetic(ancf, ancf->v);
    s[RV_ANCF_ENERGY] = rv_ancf_energy(ancf).total;
    s[RV_ANCF_BEND] = 0.0;
    cable->state.heat += fe->guard.before + fe->guard.given - 0.5 * (before + s[RV_ANCF_ENERGY]);
    return isfinite(s[RV_ANCF_ENERGY]);
}
