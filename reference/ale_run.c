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

void rv_ale_lay(rvAle* ale, int f, rvVec3 from, rvVec3 to)
{
    rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    rvVec3 slope = rvScale(1.0 / fall->mesh, rvSub(to, from));
    for (int i = 0; i < cable->nodeCount; i++) {
        rvVec3 r = rvMulAdd(from, cable->places[i], slope);
        const double x[6] = {r.x, r.y, r.z, slope.x, slope.y, slope.z};
        memcpy(cable->q + 6 * i, x, sizeof x);
    }
    memset(cable->v, 0, (size_t)cable->dofCount * sizeof(double));
    rv_ancf_copy(cable, cable->aim, cable->q);
}

void rv_ale_lay_on_table(rvAle* ale, int fall, double friction, double slow)
{
    ale->falls[fall].friction = friction;
    ale->falls[fall].slow = slow;
}

void rv_ale_set_flow(rvAle* ale, int place, double rate)
{
    ale->flowRate[place] = rate;
}

void rv_ale_set_load(rvAle* ale, int fall, int end, double mass)
{
    ale->falls[fall].load[end] = mass;
}

double rv_ale_flow_at(const rvAle* ale, int place, double* rate)
{
    if (rate)
        *rate = ale->flow[RV_ALE_RATE][place];
    return ale->flow[RV_ALE_P][place];
}

double rv_ale_time(const rvAle* ale)
{
    return ale->time;
}

void rv_ale_hold_flow(rvAle* ale, int place, bool held)
{
    ale->flowHeld[place] = held;
}
