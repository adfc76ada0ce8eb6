// SPDX-License-Identifier: MIT
// Fully implicit Newmark and HHT with an adaptive step, after Negrut and others (DETC2005-85096): the offline reference
// of Westin and Irani.
//
// Newmark's formulas lead to q1, v1 by an acceleration a1 of their own, beta = (1-alpha)^2/4, gamma = 1/2 - alpha. That
// of the equations at the end is (a1 + alpha a0)/(1 + alpha), a0 that of the equations at the start, and
//   Q(q1, v1) - M(q1) (a1 + alpha a0)/(1 + alpha) = 0
// is solved by Newton with a line search on q1. Where the mass is constant this is HHT's  M a1 = (1 + alpha) Q1 - alpha
// Q0; where it changes that would be of first order, by alpha h dM/dt. Rates of what is led are those of its motion: by
// its places alone a jump of its acceleration would ring for ever.
// Error of a step: |beta - 1/6| h^2 (a1 - a1 of the last step) (plus its counterpart for alpha), weighed by max(1,
// |q|), root mean square. Next step: 0.9 h (tolerance/error)^(1/3); above the tolerance the step is repeated.
#include "reference/march.h"

#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 12, MAX_TRIALS = 4000000 };

typedef struct {
    rvMarch* of;
    double time, h, alpha, beta, gamma, cA, cV, share;
    double *q, *v, *a, *algo; // of the end
    double *qh, *vh;          // Newmark's predictors
    double *r, *d, *trial;
} Step;

static void rates(const Step* s, const double* q)
{
    for (int i = 0; i < s->of->count; i++) {
        s->algo[i] = (q[i] - s->qh[i]) * s->cA;
        s->v[i] = s->vh[i] + s->h * s->gamma * s->algo[i];
        s->a[i] = s->share * (s->algo[i] + s->alpha * s->of->a[i]);
    }
    if (s->of->ops->lead)
        s->of->ops->lead(s->of, s->time, s->v, s->algo, s->a);
}

// Into r, and with it the factor if `matrix`; answers the size of it.
static double residual(const Step* s, const double* q, bool matrix)
{
    rates(s, q);
    s->of->ops->residual(s->of, q, s->v, s->a, matrix ? s->share * s->cA : 0.0, s->cV, s->r);
    return s->of->ops->measure(s->of, s->r);
}

// Root mean square of x weighed by max(1, |q|).
static double norm(const rvMarch* s, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; i++) {
        double y = x[i] / fmax(1.0, fabs(s->q[i]));
        sum += y * y;
    }
    return sqrt(sum / s->free);
}

// Newton to a thousandth of the tolerance.
static bool solve(const Step* s)
{
    const rvMarch* of = s->of;
    size_t size = (size_t)of->count * sizeof(double);
    double left = residual(s, s->q, true), goal = 1e-3 * of->options->tolerance;
    for (int n = 0; n < MAX_NEWTON && isfinite(left); n++) {
        memcpy(s->d, s->r, size);
        of->ops->solve(s->of, s->d);
        of->counts->passes++;
        bool small = norm(of, s->d) <= goal;
        double part = 1.0;
        for (int cut = 0; cut < 6; cut++, part *= 0.5) {
            for (int i = 0; i < of->count; i++)
                s->trial[i] = s->q[i] + part * s->d[i];
            if (residual(s, s->trial, false) < left || small)
                break;
        }
        memcpy(s->q, s->trial, size);
        if (small)
            return true;
        left = residual(s, s->q, true);
    }
    return false;
}

// One step of h; true: the end is in s, with its error.
static bool attempt(Step* s, double time, double h, double* error)
{
    rvMarch* of = s->of;
    s->h = h;
    s->time = time + h;
    s->cA = 1.0 / (s->beta * h * h);
    s->cV = s->gamma / (s->beta * h);
    for (int i = 0; i < of->count; i++) {
        s->qh[i] = of->q[i] + h * (of->v[i] + h * (0.5 - s->beta) * of->algo[i]);
        s->vh[i] = of->v[i] + h * (1.0 - s->gamma) * of->algo[i];
        s->q[i] = of->q[i] + h * (of->v[i] + 0.5 * h * of->algo[i]);
    }
    of->ops->aim(of, time + h, s->q, NULL);
    if (!of->ops->isSound(of, s->q) || !solve(s) || !of->ops->isSound(of, s->q))
        return false;
    rates(s, s->q);
    double f = fabs(s->beta - s->share / 6.0) * h * h;
    for (int i = 0; i < of->count; i++)
        s->d[i] = f * (s->algo[i] - of->algo[i]);
    *error = norm(of, s->d);
    return isfinite(*error);
}

static void copy_state(double* const to[4], double* const from[4], int count)
{
    for (int i = 0; i < 4; i++)
        memcpy(to[i], from[i], (size_t)count * sizeof(double));
}

bool rv_march_implicit(rvMarch* of, double h)
{
    double alpha = of->options->method == RV_ANCF_IMPLICIT_HHT ? of->options->hhtAlpha : 0.0;
    Step s = {.of = of, .alpha = alpha, .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha), .gamma = 0.5 - alpha};
    s.share = 1.0 / (1.0 + alpha);
    double** vectors[] = {&s.q, &s.v, &s.a, &s.algo, &s.qh, &s.vh, &s.r, &s.d, &s.trial};
    for (int i = 0; i < 9; i++)
        *vectors[i] = of->work[i];
    // a step that fails half way must leave the state as it was
    double* const state[4] = {of->q, of->v, of->a, of->algo};
    double* const end[4] = {s.q, s.v, s.a, s.algo};
    double* const start[4] = {of->work[9], of->work[10], of->work[11], of->work[12]};
    copy_state(start, state, of->count);
    double done = 0.0, *trial = of->trial;
    if (!(*trial > 0.0))
        *trial = fmin(of->options->largestStep, sqrt(of->options->tolerance));
    for (int n = 0; n < MAX_TRIALS; n++) {
        double left = h - done,
               part = *trial < 0.999 * left ? fmin(*trial, 0.5 * left < *trial ? 0.5 * left : *trial) : left;
        double error = 0.0;
        if (!attempt(&s, of->time + done, part, &error)) {
            *trial = 0.25 * part;
            of->counts->rejected++;
            if (*trial < 1e-12 * h)
                break;
            continue;
        }
        double factor = error > 0.0 ? 0.9 * cbrt(of->options->tolerance / error) : 2.0;
        double wanted = fmin(part * fmin(fmax(factor, 0.2), 2.0), of->options->largestStep);
        if (error > of->options->tolerance) {
            *trial = wanted;
            of->counts->rejected++;
            continue;
        }
        // a last part that was cut short says little about the next step
        if (part >= 0.5 * *trial || wanted > *trial)
            *trial = wanted;
        copy_state(state, end, of->count);
        done += part;
        if (part == left)
            return true;
    }
    copy_state(state, start, of->count);
    return false;
}
