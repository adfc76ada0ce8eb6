// SPDX-License-Identifier: MIT
// Fully implicit Newmark and HHT with an adaptive step, after Negrut and others (DETC2005-85096): the offline reference
// of paper 001.
//
// Equation of motion with f = 1/(1 + alpha):  f M a1 - Q(q1, v1) + (1 - f) Q(q0, v0) = 0, solved by Newton with a line
// search on q1; v1 and a1 follow from Newmark's formulas, beta = (1-alpha)^2/4, gamma = 1/2 - alpha.
// Error of a step: |beta - 1/6| h^2 (a1 - a0) (plus its counterpart for alpha), weighed by max(1, |q|), root mean square.
// Next step: 0.9 h (tolerance/error)^(1/3); above the tolerance the step is repeated.
#include "cable/ancf/ancf_parts.h"

enum { MAX_NEWTON = 12, MAX_TRIALS = 4000000 };

typedef struct {
    double h, alpha, beta, gamma, cA, cV, share;
    double *q, *v, *a;           // of the end
    double *qh, *vh;             // Newmark's predictors
    double *r, *product, *force; // residual; force: (1 - f) Q of the start
    double *d, *trial;
} Step;

static void rates(const rvAncf* cable, Step* s, const double* q)
{
    for (int i = 0; i < cable->dofCount; i++) {
        s->a[i] = (q[i] - s->qh[i]) * s->cA;
        s->v[i] = s->vh[i] + s->h * s->gamma * s->a[i];
    }
}

// The residual, and with it the matrix if `matrix`; answers the square of its norm over free dofs, each by its mass.
static double residual(rvAncf* cable, Step* s, const double* q, bool matrix)
{
    rates(cable, s, q);
    if (cable->hasWater)
        rv_ancf_water_update(cable, q);
    if (matrix) {
        rvAncfWish wish = {.massFactor = s->share * s->cA, .dampFactor = s->cV};
        rv_ancf_linearise(cable, q, s->v, &wish, s->r);
    } else
        rv_ancf_force(cable, q, s->v, s->r);
    rv_ancf_mass_product(cable, s->a, s->product);
    double sum = 0.0;
    for (int i = 0; i < cable->dofCount; i++) {
        s->r[i] -= s->share * s->product[i] + s->force[i];
        if (!(cable->held[i / 6] >> i % 6 & 1))
            sum += s->r[i] * s->r[i] / cable->mass[i / 6].node[i % 6 < 3 ? 0 : 2];
    }
    return sum;
}

// Root mean square of x weighed by max(1, |q|), free dofs.
static double norm(const rvAncf* cable, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < cable->dofCount; i++) {
        double y = x[i] / fmax(1.0, fabs(cable->q[i]));
        sum += y * y;
    }
    return sqrt(sum / cable->dofCount);
}

// Newton to a thousandth of the tolerance.
static bool solve(rvAncf* cable, Step* s)
{
    double size = residual(cable, s, s->q, true), goal = 1e-3 * cable->options.tolerance;
    for (int n = 0; n < MAX_NEWTON && isfinite(size); n++) {
        rv_ancf_copy(cable, s->d, s->r);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
        rv_ancf_solve(cable, cable->slots, s->d);
        cable->counts.passes++;
        bool small = norm(cable, s->d) <= goal;
        double part = 1.0;
        for (int cut = 0; cut < 6; cut++, part *= 0.5) {
            for (int i = 0; i < cable->dofCount; i++)
                s->trial[i] = s->q[i] + part * s->d[i];
            if (residual(cable, s, s->trial, false) < size || small)
                break;
        }
        rv_ancf_copy(cable, s->q, s->trial);
        if (small)
            return true;
        size = residual(cable, s, s->q, true);
    }
    return false;
}

// One step of h; true: the end is in s, with its error.
static bool attempt(rvAncf* cable, Step* s, double time, double h, double* error)
{
    s->h = h;
    s->cA = 1.0 / (s->beta * h * h);
    s->cV = s->gamma / (s->beta * h);
    for (int i = 0; i < cable->dofCount; i++) {
        s->qh[i] = cable->q[i] + h * (cable->v[i] + h * (0.5 - s->beta) * cable->a[i]);
        s->vh[i] = cable->v[i] + h * (1.0 - s->gamma) * cable->a[i];
        s->q[i] = cable->q[i] + h * (cable->v[i] + 0.5 * h * cable->a[i]);
    }
    rv_ancf_aim(cable, time + h);
    rv_ancf_set_held(cable, cable->aim, s->q);
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    rv_ancf_force(cable, cable->q, cable->v, s->force);
    for (int i = 0; i < cable->dofCount; i++)
        s->force[i] *= 1.0 - s->share;
    if (!solve(cable, s))
        return false;
    rates(cable, s, s->q);
    double f = fabs(s->beta - s->share / 6.0) * h * h;
    for (int i = 0; i < cable->dofCount; i++)
        s->d[i] = f * (s->a[i] - cable->a[i]);
    *error = norm(cable, s->d);
    return isfinite(*error);
}

bool rv_ancf_step_implicit(rvAncf* cable, double h)
{
    double alpha = cable->options.method == RV_ANCF_IMPLICIT_HHT ? cable->options.hhtAlpha : 0.0;
    Step s = {.alpha = alpha, .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha), .gamma = 0.5 - alpha};
    s.share = 1.0 / (1.0 + alpha);
    double** vectors[] = {&s.q, &s.v, &s.a, &s.qh, &s.vh, &s.r, &s.product, &s.force, &s.d, &s.trial};
    for (int i = 0; i < 10; i++)
        *vectors[i] = cable->work[i];
    // a step that fails half way must leave the state as it was
    double *q0 = cable->work[10], *v0 = cable->work[11], *a0 = cable->work[12];
    rv_ancf_copy(cable, q0, cable->q);
    rv_ancf_copy(cable, v0, cable->v);
    rv_ancf_copy(cable, a0, cable->a);
    double done = 0.0, *trial = &cable->scalars[RV_ANCF_TRIAL_STEP];
    if (!(*trial > 0.0))
        *trial = fmin(cable->options.largestStep, sqrt(cable->options.tolerance));
    for (int n = 0; n < MAX_TRIALS; n++) {
        double left = h - done,
               part = *trial < 0.999 * left ? fmin(*trial, 0.5 * left < *trial ? 0.5 * left : *trial) : left;
        double error = 0.0;
        if (!attempt(cable, &s, cable->scalars[RV_ANCF_TIME] + done, part, &error)) {
            *trial = 0.25 * part;
            cable->counts.rejected++;
            if (*trial < 1e-12 * h)
                break;
            continue;
        }
        double factor = error > 0.0 ? 0.9 * cbrt(cable->options.tolerance / error) : 2.0;
        double wanted = fmin(part * fmin(fmax(factor, 0.2), 2.0), cable->options.largestStep);
        if (error > cable->options.tolerance) {
            *trial = wanted;
            cable->counts.rejected++;
            continue;
        }
        // a last part that was cut short says little about the next step
        if (part >= 0.5 * *trial || wanted > *trial)
            *trial = wanted;
        rv_ancf_copy(cable, cable->q, s.q);
        rv_ancf_copy(cable, cable->v, s.v);
        rv_ancf_copy(cable, cable->a, s.a);
        done += part;
        if (part == left)
            return true;
    }
    rv_ancf_copy(cable, cable->q, q0);
    rv_ancf_copy(cable, cable->v, v0);
    rv_ancf_copy(cable, cable->a, a0);
    return false;
}
