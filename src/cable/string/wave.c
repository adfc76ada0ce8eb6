// SPDX-License-Identifier: MIT
#include "cable/string/wave.h"
#include "solve/lanes.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

// Four modes at a time. Sums are kept in four parts, so that every compiler adds in the same order.
typedef rvFour Four;

#define ALL(x) ((Four){(x), (x), (x), (x)})
#define LOAD(p) (*(const Four*)(p))
#define SUM(v) (((v)[0] + (v)[1]) + ((v)[2] + (v)[3]))

size_t rv_wave_table_size(int intervals)
{
    size_t stride = (size_t)(intervals - 1 + 3) / 4 * 4;
    return 2 * stride + 2 * (size_t)intervals + RV_WAVE_ALIGN - 1;
}

void rv_wave_table_fill(rvWaveTable* table, int intervals, double* room)
{
    int stride = (intervals - 1 + 3) / 4 * 4;
    room = rv_wave_align(room);
    *table = (rvWaveTable){intervals, stride, room, room + stride, room + 2 * stride};
    for (int k = 1; k <= stride; ++k) {
        double half = k * PI / (2.0 * intervals), s = sin(half);
        table->stiff[k - 1] = k < intervals ? s * s : 0.0;
        table->drive[k - 1] = k < intervals ? 2.0 / intervals * cos(half) / s : 0.0;
    }
    for (int i = 0; i < 2 * intervals; ++i)
        table->sines[i] = sin(PI * i / intervals);
}

// h^2 r/2 for four modes from k on, an odd mode first.
#define PUSH(step, d)                                                                                                  \
    (0.5 * (step)->h * (step)->h *                                                                                     \
     (Four){(step)->load[d][0], -0.5 * (step)->load[d][1], (step)->load[d][0], -0.5 * (step)->load[d][1]})

RV_KERNEL double predict(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double* slope)
{
    int n = table->stride;
    const double *y0 = wave, *w0 = wave + n, *y1 = wave + 2 * n, *w1 = wave + 3 * n;
    Four nu2 = ALL(step->nu2), one = ALL(1.0 + step->damping), two = ALL((2.0 + 2.0 * step->damping) * step->scaleY);
    Four sy = ALL(step->scaleY), hw = ALL(step->h * step->scaleW), push0 = PUSH(step, 0), push1 = PUSH(step, 1);
    Four half = ALL(0.5 * step->h * step->h), arc = ALL(0.0), bend = ALL(0.0);
    for (int k = 0; k < n; k += 4) {
        Four s = LOAD(table->stiff + k), c = ALL(1.0) / (one + nu2 * s), drive = LOAD(table->drive + k);
        Four a = LOAD(y0 + k), b = LOAD(y1 + k);
        Four qa = two * a + hw * LOAD(w0 + k) + push0 * drive, qb = two * b + hw * LOAD(w1 + k) + push1 * drive;
        if (step->more) {
            qa += half * LOAD(step->more + k);
            qb += half * LOAD(step->more + n + k);
        }
        qa *= c;
        qb *= c;
        Four ya = qa - sy * a, yb = qb - sy * b;
        arc += s * (ya * ya + yb * yb);
        bend += s * s * c * (ya * qa + yb * qb);
    }
    *slope = -2.0 * step->arc * SUM(bend);
    return step->arc * SUM(arc);
}

// What of a step is asked for: known where the kernel is put in, so that the rest costs nothing.
typedef struct {
    bool general; // scales, damping, further loads
    bool ahead;   // arcs of the step after
} Cases;

// What the arcs of the step after are found from, once y+ is known: half of q, c doubled; their sums.
typedef struct {
    Four qa, qb, c, arc, bend;
} Ahead;

RV_KERNEL void look_ahead(const rvWaveTable* table, const double* y, int k, Ahead* ahead)
{
    Four s = LOAD(table->stiff + k), qa = ahead->qa * ahead->c, qb = ahead->qb * ahead->c;
    Four a = qa - LOAD(y + k), b = qb - LOAD(y + 2 * table->stride + k);
    ahead->arc += s * (a * a + b * b);
    ahead->bend += s * s * ahead->c * (a * qa + b * qb);
}

// It is the instructions that take the time, and that they wait for each other; then memory. So c is found a round
// early and the arcs of the step after a round late, the waves of the next span are asked for ahead, and all goes by
// x = y- + h w-/2, where the mode is between both steps:
//   q/2 = x + h^2 r/4 + beta y-,   h w+/2 = y+ - x,   of the step after: q/2 = 2 y+ - x + h^2 r/4 + beta y+
// c is doubled for these halves.
RV_KERNEL double advance(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                         rvWaveNext* next, Cases cases)
{
    int n = table->stride;
    const double *stiff = table->stiff, *drives = table->drive, *more = step->more;
    Four nu2 = ALL(0.5 * step->nu2), one = ALL(0.5 * (1.0 + step->damping)), lost = ALL(step->damping),
         two = ALL(2.0) + lost;
    Four sy = ALL(step->scaleY), sw = ALL(step->scaleW), h = ALL(0.5 * step->h), rate = ALL(2.0 / step->h);
    Four push0 = 0.5 * PUSH(step, 0), push1 = 0.5 * PUSH(step, 1), half = ALL(0.25 * step->h * step->h);
    Four arc = ALL(0.0), way = ALL(0.0), soon = ALL(1.0) / (one + nu2 * LOAD(stiff));
    Ahead ahead = {.arc = ALL(0.0), .bend = ALL(0.0)};
    for (int k = 0; k < n; k += 4) {
        Four s = LOAD(stiff + k), c = soon, drive = LOAD(drives + k);
        soon = ALL(1.0) / (one + nu2 * LOAD(stiff + k + 4)); // behind the last is the first drive: not used
        if (cases.ahead && k > 0)
            look_ahead(table, to, k - 4, &ahead);
        Four a = LOAD(from + k), b = LOAD(from + 2 * n + k), va = LOAD(from + n + k), vb = LOAD(from + 3 * n + k);
        for (int line = 0; line < 16; line += 8) { // two of eight doubles a round: as much as is used
            __builtin_prefetch(from + 4 * n + 4 * k + line);
            __builtin_prefetch(to + 4 * n + 4 * k + line);
        }
        Four pushA = push0 * drive, pushB = push1 * drive;
        if (cases.general) {
            a *= sy;
            b *= sy;
            va *= sw;
            vb *= sw;
            if (more) {
                pushA += half * LOAD(more + k);
                pushB += half * LOAD(more + n + k);
            }
        }
        Four xa = a + h * va, xb = b + h * vb, qa = xa + pushA, qb = xb + pushB;
        if (cases.general) {
            qa += lost * a;
            qb += lost * b;
        }
        Four ya = qa * c - a, yb = qb * c - b;
        *(Four*)(to + k) = ya;
        *(Four*)(to + 2 * n + k) = yb;
        *(Four*)(to + n + k) = rate * (ya - xa);
        *(Four*)(to + 3 * n + k) = rate * (yb - xb);
        arc += s * (ya * ya + yb * yb);
        if (cases.ahead && cases.general)
            way += (ya - a) * (ya - a) + (yb - b) * (yb - b);
        if (cases.ahead) {
            ahead.qa = (cases.general ? two * ya : ya + ya) + (pushA - xa);
            ahead.qb = (cases.general ? two * yb : yb + yb) + (pushB - xb);
            ahead.c = c;
        }
    }
    if (cases.ahead) {
        look_ahead(table, to, n - 4, &ahead);
        *next = (rvWaveNext){step->arc * SUM(ahead.arc), -step->arc * SUM(ahead.bend),
                             2.0 * step->damping / (step->h * step->h) * SUM(way)};
    }
    return step->arc * SUM(arc);
}

RV_KERNEL double choose(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                        rvWaveNext* next)
{
    if (step->scaleY != 1.0 || step->scaleW != 1.0 || step->damping != 0.0 || step->more)
        return next ? advance(table, step, from, to, next, (Cases){true, true})
                    : advance(table, step, from, to, next, (Cases){true, false});
    return next ? advance(table, step, from, to, next, (Cases){false, true})
                : advance(table, step, from, to, next, (Cases){false, false});
}

// A step that rests: y+ of a mode, its slope by nu^2, and the mode's beta. y, w: before it, with their scales; push:
// h^2 r/2.
typedef struct {
    double y, slope, beta;
} Rested;

static Rested rest_mode(const rvWaveStep* step, double s, double y, double w, double push)
{
    double beyond = fmax(0.0, step->nu2 * s - 1.0), beta = step->damping + beyond;
    double c = 1.0 / (1.0 + step->nu2 * s + beta), q = c * ((2.0 + 2.0 * beta) * y + step->h * w + push);
    double more = beyond > 0.0 ? s : 0.0; // of beta by nu^2
    return (Rested){q - y, c * (2.0 * more * y - (s + more) * q), beta};
}

// Such steps are rare: one mode after the other. `to` may be NULL.
static double rest(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to, double* slope,
                   double* lost)
{
    int n = table->stride;
    double arc = 0.0, half = 0.5 * step->h * step->h;
    *slope = *lost = 0.0;
    for (int d = 0; d < 2; ++d)
        for (int k = 0, at = 2 * d * n; k < n; ++k, ++at) {
            double s = table->stiff[k], y = step->scaleY * from[at], w = step->scaleW * from[at + n];
            double load = table->drive[k] * (k % 2 == 0 ? step->load[d][0] : -0.5 * step->load[d][1]);
            Rested r = rest_mode(step, s, y, w, half * (load + (step->more ? step->more[d * n + k] : 0.0)));
            arc += s * r.y * r.y;
            *slope += 2.0 * step->arc * s * r.y * r.slope;
            *lost += 2.0 * r.beta / (step->h * step->h) * (r.y - y) * (r.y - y);
            if (to) {
                to[at] = r.y;
                to[at + n] = 2.0 / step->h * (r.y - y) - w;
            }
        }
    return step->arc * arc;
}

RV_WITH_AVX static double predict_avx(const rvWaveTable* table, const rvWaveStep* step, const double* wave,
                                      double* slope)
{
    return predict(table, step, wave, slope);
}

double rv_wave_predict(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double* slope)
{
    double lost;
    if (step->rests)
        return rest(table, step, wave, NULL, slope, &lost);
    return RV_HAS_AVX ? predict_avx(table, step, wave, slope) : predict(table, step, wave, slope);
}

RV_WITH_AVX static double advance_avx(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                                      rvWaveNext* next)
{
    return choose(table, step, from, to, next);
}

double rv_wave_advance(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                       rvWaveNext* next)
{
    if (step->rests) {
        rvWaveNext after = {0};
        double slope, arc = rest(table, step, from, to, &slope, &after.lost);
        if (next)
            *next = after;
        return arc;
    }
    return RV_HAS_AVX ? advance_avx(table, step, from, to, next) : choose(table, step, from, to, next);
}

double rv_wave_arc(const rvWaveTable* table, double arc, const double* wave)
{
    int n = table->stride;
    Four sum = ALL(0.0);
    for (int k = 0; k < n; k += 4) {
        Four a = LOAD(wave + k), b = LOAD(wave + 2 * n + k);
        sum += LOAD(table->stiff + k) * (a * a + b * b);
    }
    return arc * SUM(sum);
}

void rv_wave_energy(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double* kinetic,
                    double* potential)
{
    int n = table->stride;
    *kinetic = *potential = 0.0;
    for (int d = 0; d < 2; ++d) {
        const double *y = wave + 2 * d * n, *w = y + n;
        Four push = {step->load[d][0], -0.5 * step->load[d][1], step->load[d][0], -0.5 * step->load[d][1]};
        Four moving = ALL(0.0), hanging = ALL(0.0);
        for (int k = 0; k < n; k += 4) {
            moving += LOAD(w + k) * LOAD(w + k);
            hanging += push * LOAD(table->drive + k) * LOAD(y + k);
        }
        *kinetic += 0.5 * SUM(moving);
        *potential -= SUM(hanging);
    }
}

// Odd modes are the first and third of four.
static rvWaveMomentum momentum_of(const Four sums[2])
{
    rvWaveMomentum p;
    for (int d = 0; d < 2; ++d) {
        p.mean[d] = 0.5 * (sums[d][0] + sums[d][2]);
        p.tilt[d] = 0.25 * (sums[d][1] + sums[d][3]);
    }
    return p;
}

rvWaveMomentum rv_wave_momentum(const rvWaveTable* table, const double* wave)
{
    int n = table->stride;
    Four sums[2] = {ALL(0.0), ALL(0.0)};
    for (int k = 0; k < n; k += 4)
        for (int d = 0; d < 2; ++d)
            sums[d] += LOAD(table->drive + k) * LOAD(wave + (2 * d + 1) * n + k);
    return momentum_of(sums);
}

rvWaveMomentum rv_wave_respond(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double give[2])
{
    int n = table->stride;
    Four nu2 = ALL(step->nu2), one = ALL(1.0 + step->damping), two = ALL(2.0 + 2.0 * step->damping);
    Four sy = ALL(step->scaleY), sw = ALL(step->scaleW), h = ALL(step->h), rate = ALL(2.0 / step->h);
    Four push[2] = {PUSH(step, 0), PUSH(step, 1)}, sums[2] = {ALL(0.0), ALL(0.0)}, gives = ALL(0.0);
    for (int k = 0; k < n; k += 4) {
        Four drive = LOAD(table->drive + k), c = ALL(1.0) / (one + nu2 * LOAD(table->stiff + k));
        gives += drive * drive * c;
        for (int d = 0; d < 2; ++d) {
            Four y = sy * LOAD(wave + 2 * d * n + k), w = sw * LOAD(wave + (2 * d + 1) * n + k);
            Four next = (two * y + h * w + push[d] * drive) * c - y;
            sums[d] += drive * (rate * (next - y) - w);
        }
    }
    give[0] = 0.5 * (gives[0] + gives[2]);
    give[1] = 0.125 * (gives[1] + gives[3]);
    return momentum_of(sums);
}

void rv_wave_slow(const rvWaveTable* table, double factor, double* wave)
{
    int n = table->stride;
    for (int k = 0; k < n; ++k) {
        wave[n + k] *= factor;
        wave[3 * n + k] *= factor;
    }
}

void rv_wave_mean(const rvWaveTable* table, const double* wave, double mean[2])
{
    for (int d = 0; d < 2; ++d) {
        const double* y = wave + 2 * d * table->stride;
        mean[d] = 0.0;
        for (int k = 0; k < table->intervals - 1; k += 2) // even modes have none
            mean[d] += 0.5 * table->drive[k] * y[k];
    }
}

static void transform(const rvWaveTable* table, double factor, const double* from, double* to)
{
    int m = table->intervals;
    for (int k = 1; k < m; ++k) {
        double sum = 0.0;
        for (int j = 1, at = k; j < m; ++j, at += k) {
            if (at >= 2 * m)
                at -= 2 * m;
            sum += from[j - 1] * table->sines[at];
        }
        to[k - 1] = factor * sum;
    }
}

void rv_wave_to_points(const rvWaveTable* table, const double* modes, double* points)
{
    transform(table, 1.0, modes, points);
}

void rv_wave_to_modes(const rvWaveTable* table, const double* points, double* modes)
{
    transform(table, 2.0 / table->intervals, points, modes);
}

void rv_wave_add_flow(const rvWaveTable* table, const double v[2], double length, const double* y, const double* w,
                      double* more, double* scratch)
{
    int m = table->intervals;
    double *u = scratch, *ut = scratch + table->stride, *load = scratch + 2 * table->stride;
    rv_wave_to_points(table, y, u);
    rv_wave_to_points(table, w, ut);
    double cx = (v[1] - v[0]) / length;
    for (int j = 0; j < m - 1; ++j) {
        double c = v[0] / length + cx * (j + 1.0) / m;
        double left = j > 0 ? u[j - 1] : 0.0, right = j + 2 < m ? u[j + 1] : 0.0;
        double leftRate = j > 0 ? ut[j - 1] : 0.0, rightRate = j + 2 < m ? ut[j + 1] : 0.0;
        load[j] = -c * m * (rightRate - leftRate) - c * c * m * m * (left - 2.0 * u[j] + right) -
                  0.5 * c * cx * m * (right - left);
    }
    rv_wave_to_modes(table, load, u);
    for (int k = 0; k < m - 1; ++k)
        more[k] += u[k];
}

rvVec3 rv_wave_transport(rvVec3 across, rvVec3 before, rvVec3 now)
{
    rvVec3 axis = rvCross(before, now);
    double c = rvDot(before, now);
    // the least turn from one to the other; where they are opposite none is least, and any will do
    rvVec3 turned = c > -0.999999 ? rvAdd(rvMulAdd(rvCross(axis, across), c, across),
                                          rvScale(rvDot(axis, across) / (1.0 + c), axis))
                                  : across;
    turned = rvMulAdd(turned, -rvDot(turned, now), now);
    return rvNormalizeOr(turned, rvAcross(now));
}
