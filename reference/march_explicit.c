// SPDX-License-Identifier: MIT
// Explicit steps of any system: velocity Verlet, and Taylor series, in parts of at most `courant` times the critical
// step.
//
// Verlet: v += h a/2, q += h v, a = M(q)^-1 Q(q, v + h a/2), v += h a/2. Forces that depend on speeds, of damping or of
// what flows, take the speed that the end is expected to have: of second order. For q'' = -w^2 q - c q' it is stable up
// to
//   h = 2/(c + sqrt(w^2 + c^2))
// w: the highest frequency, by power iteration; c: what damps that mode.
#include "reference/march.h"

#include <math.h>
#include <string.h>

static double dot(int count, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// y = K x, or D x where `rates`, by the difference of two states that are next to each other; r0: of the first of them.
static void product(rvMarch* s, bool rates, const double* r0, const double* x, double* there, double* y)
{
    static const double NEAR = 1e-7; // [m], and of slopes: forces are round to 1e-9 of their change then
    const double* from = rates ? s->v : s->q;
    double most = 0.0;
    for (int i = 0; i < s->count; i++)
        most = fmax(most, fabs(x[i]));
    double step = most > 0.0 ? NEAR / most : 0.0;
    for (int i = 0; i < s->count; i++)
        there[i] = from[i] + step * x[i];
    s->ops->residual(s, rates ? s->q : there, rates ? there : s->v, NULL, 0.0, 0.0, y);
    for (int i = 0; i < s->count; i++)
        y[i] = step > 0.0 ? (r0[i] - y[i]) / step : 0.0;
}

double rv_march_highest(rvMarch* s, double* x, bool fresh, int count)
{
    double *r0 = s->work[0], *y = s->work[1], *there = s->work[2], value = 0.0;
    s->ops->residual(s, s->q, s->v, NULL, 0.0, 0.0, r0);
    if (fresh)
        for (int i = 0; i < s->count; i++)
            x[i] = 1.0 + 0.5 * sin(1.7 * i) - (i / 6 % 2) * 1.9; // nothing special: rich in high modes
    s->ops->massSolve(s, s->q, x);                               // what is held stays
    for (int n = 0; n <= count; n++) {
        product(s, false, r0, x, there, y);
        if (n > 0)
            value = fmax(value, dot(s->count, x, y)); // Rayleigh's quotient: x M x is 1
        memcpy(x, y, (size_t)s->count * sizeof(double));
        s->ops->massSolve(s, NULL, x);
        double size = sqrt(fmax(dot(s->count, x, y), 0.0)); // of the mass: M x = y
        if (!(size > 0.0))
            break;
        for (int i = 0; i < s->count; i++)
            x[i] /= size;
    }
    product(s, true, r0, x, there, y);
    double damping = fmax(dot(s->count, x, y), 0.0);
    return damping + sqrt(value + damping * damping);
}

static int parts_of(const rvMarch* s, double h)
{
    double largest = s->options->courant * 2.0 / fmax(s->highest, 1e-9);
    return (int)fmin(fmax(ceil(h / largest), 1.0), 1e8);
}

// Is it finite?
static bool keep(rvMarch* s, const double* q, const double* v, const double* a)
{
    if (!isfinite(dot(s->count, q, q)) || !isfinite(dot(s->count, v, v)))
        return false;
    size_t size = (size_t)s->count * sizeof(double);
    memcpy(s->q, q, size);
    memcpy(s->v, v, size);
    memcpy(s->a, a, size);
    return true;
}

bool rv_march_verlet(rvMarch* s, double h)
{
    double *q = s->work[0], *v = s->work[1], *a = s->work[2], *expected = s->work[3];
    int count = parts_of(s, h);
    double part = h / count;
    size_t size = (size_t)s->count * sizeof(double);
    memcpy(q, s->q, size);
    memcpy(v, s->v, size);
    memcpy(a, s->a, size);
    for (int n = 1; n <= count; n++) {
        for (int i = 0; i < s->count; i++) {
            v[i] += 0.5 * part * a[i];
            q[i] += part * v[i];
            expected[i] = v[i] + 0.5 * part * a[i];
        }
        s->ops->aim(s, s->time + n * part, q, expected);
        if (!s->ops->isSound(s, q))
            return false;
        s->ops->accelerate(s, q, expected, a);
        for (int i = 0; i < s->count; i++)
            v[i] += 0.5 * part * a[i];
        s->ops->aim(s, s->time + n * part, NULL, v);
    }
    s->counts->passes += count;
    return keep(s, q, v, a);
}

bool rv_march_taylor(rvMarch* s, double h)
{
    double *q = s->work[0], *v = s->work[1], *a = s->work[2];
    size_t stride = (size_t)s->count, size = stride * sizeof(double);
    int count = parts_of(s, h);
    double part = h / count;
    memcpy(s->terms, s->q, size);
    memcpy(s->terms + stride, s->v, size);
    for (int n = 0; n < count; n++) {
        s->ops->expand(s, s->terms);
        for (int i = 0; i < s->count; i++) {
            const double* x = s->terms + i;
            double place = x[RV_MARCH_ORDER * stride], speed = RV_MARCH_ORDER * place;
            for (int k = RV_MARCH_ORDER - 1; k >= 1; k--) {
                place = place * part + x[(size_t)k * stride];
                speed = speed * part + k * x[(size_t)k * stride];
            }
            q[i] = place * part + x[0];
            v[i] = speed;
        }
        if (!s->ops->isSound(s, q))
            return false;
        memcpy(s->terms, q, size);
        memcpy(s->terms + stride, v, size);
    }
    s->counts->passes += count;
    s->ops->accelerate(s, q, v, a);
    return keep(s, q, v, a);
}
