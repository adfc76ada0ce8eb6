// SPDX-License-Identifier: MIT
// The travelling wave on a span: kernels of the layered cable, without any notion of a cable.
//
// A string of chord l, mass rho a metre and tension T, its ends at rest: displacement u(x, t) across the chord in two
// directions, on a grid of M intervals,
//   u_tt + b u_t = (T/(rho l^2)) u_xx + R(x),   R = A + B (x - 1/2)  [m/s^2],   0 <= x <= 1.
// The second difference of the grid has the eigenvectors sin(k pi j/M) and the eigenvalues -4 M^2 s_k,
// s_k = sin^2(k pi/2M), so the amplitudes a_k, k = 1 .. M-1, do not know of each other:
//   a'' + b a' + 4 (T M^2/(rho l^2)) s_k a = r_k,   r_k = (2/M) cot(k pi/2M) (A for odd k, -B/2 for even k),
// and the length of the curve beyond its chord, small slopes, is S = (M^2/l) sum s_k a_k^2.
//
// By modes. y at the middle of a step, w the velocity there; minus: the step before, plus: this one.
//   w+ - w- = h (r - 4 (T M^2/(rho l^2)) s (y+ + y-)/2 - b (w+ + w-)/2),     y+ - y- = h (w+ + w-)/2
//   with nu^2 = T h^2 M^2/(rho l^2), beta = b h/2:
//   q = (2 + 2 beta) y- + h w- + h^2 r/2,   y+ = q/(1 + nu^2 s + beta) - y-,   w+ = 2 (y+ - y-)/h - w-
// What the string gains is exactly -T (S(y+) - S(y-)) plus the work of R, less b: stable at any tension.
// tan(omega h/2) = nu sin(k pi/2M).
// A mode whose frequency the step does not resolve turns over in it, so that its arc stays as it was, however tight the
// string: a rope that comes taut would stop at a length that it does not have. In such a step a mode gets as much more
// damping as it is beyond the step, beta + max(0, nu^2 s - 1): with nu its y+ goes to rest instead of to -y-.
#pragma once

#include "reeve/math.h"

#include <stdint.h>

// What all spans of M intervals share; numbers beyond mode M - 1 are zero.
typedef struct rvWaveTable {
    int intervals; // M >= 2
    int stride;    // room for the M - 1 modes, a multiple of 4
    double* stiff; // s_k
    double* drive; // (2/M) cot(k pi/2M)
    double* sines; // sin(pi i/M), i = 0 .. 2M - 1
} rvWaveTable;

size_t rv_wave_table_size(int intervals); // doubles that it needs
void rv_wave_table_fill(rvWaveTable* table, int intervals, double* room);

// A wave is 4 * stride doubles: for both directions one after the other y and w (of the explicit scheme of
// reference/: u and the u before it).
static inline size_t rv_wave_size(const rvWaveTable* table)
{
    return 4 * (size_t)table->stride;
}

// Four modes at a time are read and written; where waves begin at a multiple of them none lies in two lines of the
// cache. Room for RV_WAVE_ALIGN - 1 more is needed before.
enum { RV_WAVE_ALIGN = 4 };
static inline double* rv_wave_align(double* room)
{
    size_t off = (uintptr_t)room / sizeof(double) % RV_WAVE_ALIGN;
    return room + (off ? RV_WAVE_ALIGN - off : 0);
}

// One step of one span.
typedef struct rvWaveStep {
    double h;
    double nu2;            // T h^2 M^2/(rho l^2)
    double damping;        // beta
    double arc;            // M^2/l
    double scaleY, scaleW; // what the chord's change of length makes of y and w before the step; 1: nothing
    double load[2][2];     // A and B in each direction [m/s^2]
    bool rests;            // modes that the step does not resolve come to rest in it
    const double* more;    // further r_k, 2 * stride [m/s^2], or NULL
} rvWaveStep;

// S(y+) if the step were taken, and d S/d nu^2. The wave stays.
double rv_wave_predict(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double* slope);

// What rv_wave_predict would say of the step after this one, at the same tension, chord and load; and the sum of b h
// w^2 over both directions, w the mean of both speeds: times rho l/2 the heat of the damping. Found on the way.
typedef struct {
    double arc, slope, lost;
} rvWaveNext;

// Takes the step from one wave to another (or itself); answers S(y+). next may be NULL; in a step that rests it knows
// only what was lost.
double rv_wave_advance(const rvWaveTable* table, const rvWaveStep* step, const double* from, double* to,
                       rvWaveNext* next);
// Arc length beyond the chord of amplitudes.
double rv_wave_arc(const rvWaveTable* table, double arc, const double* wave);
// Sums over both directions of w^2/2 and of -r y by the step's load: times rho l/2 the kinetic and the load's potential
// energy.
void rv_wave_energy(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double* kinetic,
                    double* potential);
// Momentum of the wave, in each direction d: of its mean, sum over odd k of (drive_k/2) w_k, and of its tilt, sum over
// even k of (drive_k/4) w_k. Times rho l that is what couples to the ends' velocities v0, v1: the kinetic energy of the
// string is
//   rho l ((v0 + v1)^2/8 + K (v0 - v1)^2/2 + (mean/2 + tilt) v0 + (mean/2 - tilt) v1 + sum w_k^2/4)
//   K = 1/12 + 1/(6 M^2)
typedef struct {
    double mean[2], tilt[2];
} rvWaveMomentum;

rvWaveMomentum rv_wave_momentum(const rvWaveTable* table, const double* wave);
// That after the step if its ends keep their velocities, and by how much less each of both gets by a change of these:
// mean by give[0] (v0 + v1)/2, tilt by give[1] (v0 - v1).
rvWaveMomentum rv_wave_respond(const rvWaveTable* table, const rvWaveStep* step, const double* wave, double give[2]);
// Takes a share of the wave's speed.
void rv_wave_slow(const rvWaveTable* table, double factor, double* wave);
// Mean of u over the span in both directions; of the modal scheme.
void rv_wave_mean(const rvWaveTable* table, const double* wave, double mean[2]);
// u_j = sum a_k sin(k pi j/M) and back; `modes` and `points` hold M - 1 numbers.
void rv_wave_to_points(const rvWaveTable* table, const double* modes, double* points);
void rv_wave_to_modes(const rvWaveTable* table, const double* points, double* modes);

// Rope that runs through the span, at the speeds v[0] and v[1] against its ends: what it adds to r_k, one direction.
//   R -= 2 c u_xt + c^2 u_xx + c c_x u_x,   c = (v0 + (v1 - v0) x)/l
// The terms that Garcia-Fernandez et al. leave out. `scratch`: 3 * stride.
void rv_wave_add_flow(const rvWaveTable* table, const double v[2], double length, const double* y, const double* w,
                      double* more, double* scratch);

// The direction across a span, carried along without turning about it as the span turns from `before` to `now`.
rvVec3 rv_wave_transport(rvVec3 across, rvVec3 before, rvVec3 now);
