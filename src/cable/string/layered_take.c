// SPDX-License-Identifier: MIT
// The layered cable takes over from another model, and tells one where it is.
//
// Off the chord by u, a rope becomes a wave: its points across the chord and their speeds are that of the grid. It is
// drawn out or in, all of it alike, until it has the arc with which the rope carries the tension that it carried,
//   S = rest (1 + T/EA) - l - D
// as far as that is near: a model with bending lies otherwise at its ends.
#include "cable/string/layered.h"

#include <string.h>

#define NEAR 4.0 // of an arc: what is further off is no wave of that rope

// Off the chord in both directions across it: displacement or, where `rate` is 1, speed. What a step of h cannot
// follow, omega h > 1, flips to and fro in the scheme: it has no speed.
static void offset_of(const rvCable* cable, double h, int span, double share, int rate, double u[2])
{
    const rvWaveTable* table = &cable->string->layer.table;
    const double* a = rv_layered_amplitudes(cable, span, 0);
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    int m = table->intervals;
    double grid = 2.0 * h * m / wave->length, nu2 = grid * grid * wave->tension / cable->massPerLength;
    for (int d = 0; d < 2; ++d) {
        const double* y = a + (2 * d + rate) * table->stride;
        u[d] = 0.0;
        if (cable->string->layer.scheme == RV_WAVE_MODAL) {
            for (int k = 1; k < m && (rate == 0 || nu2 * table->stiff[k - 1] <= 1.0); ++k)
                u[d] += y[k - 1] * sin(3.14159265358979323846 * k * share);
        } else if (rate == 0) { // of the speed it knows only by the step
            double at = share * m;
            int j = (int)at < m ? (int)at : m - 1;
            double left = j > 0 ? y[j - 1] : 0.0, right = j + 1 < m ? y[j] : 0.0;
            u[d] = left + (at - j) * (right - left);
        }
    }
}

// By the wave alone.
static void wave_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                       rvVec3* speed)
{
    rv_route_chord_point(&cable->route, bodies, span, share, at, speed);
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    rvVec3 other = rvCross(wave->u, wave->across);
    double u[2], v[2];
    offset_of(cable, h, span, share, 0, u);
    offset_of(cable, h, span, share, 1, v);
    *at = rvMulAdd(rvMulAdd(*at, u[0], wave->across), u[1], other);
    *speed = rvMulAdd(rvMulAdd(*speed, v[0], wave->across), v[1], other);
}

void rv_layered_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                      rvVec3* speed)
{
    rvVec3 chord, carried;
    rv_route_chord_point(&cable->route, bodies, span, share, &chord, &carried);
    wave_point(cable, bodies, h, span, share, at, speed);
    rvSpanHung hung = rv_layered_hung(cable, span);
    *at = rvAdd(*at, rv_layered_hung_at(&hung, share, rvSub(*at, chord)));
    *speed = rvMulAdd(*speed, hung.share * hung.deeper, rvSub(*speed, carried));
}

static double arc_of(const rvCable* cable, int span)
{
    double m = cable->string->layer.table.intervals, unit = m * m / rv_layered_wave(cable, span)->length;
    const double* a = rv_layered_amplitudes(cable, span, 0);
    return rv_layered_wave_arc(cable, unit, a);
}

// The points of the old rope become the wave of a span.
static void take_points(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h, int span)
{
    const rvWaveTable* table = &cable->string->layer.table;
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    rvVec3 across[2] = {wave->across, rvCross(wave->u, wave->across)};
    int m = table->intervals, n = table->stride;
    double *rows = cable->string->layer.scratch, *a = rv_layered_amplitudes(cable, span, 0);
    for (int j = 1; j < m; ++j) {
        rvVec3 at, speed, chord, carried;
        if (old->model == cable->model) // a wave of a wave
            wave_point(old, bodies, h, span, (double)j / m, &at, &speed);
        else
            rv_cable_point(old, bodies, h, span, (double)j / m, &at, &speed);
        rv_route_chord_point(&cable->route, bodies, span, (double)j / m, &chord, &carried);
        for (int d = 0; d < 2; ++d) {
            rows[2 * d * n + j - 1] = rvDot(across[d], rvSub(at, chord));
            rows[(2 * d + 1) * n + j - 1] = rvDot(across[d], rvSub(speed, carried));
        }
    }
    bool modal = cable->string->layer.scheme == RV_WAVE_MODAL;
    for (int row = 0; row < 4; ++row) // the explicit scheme: the points, and where they were
        rv_layered_take_row(cable, rows + (modal ? row : row & ~1) * n, a + row * n);
}

// False: it is too far off.
static bool draw_to(rvCable* cable, int span, double arc)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    int n = cable->string->layer.table.stride;
    double *a = rv_layered_amplitudes(cable, span, 0), now = arc_of(cable, span), factor = 1.0;
    bool near = arc < NEAR * now && now < NEAR * arc;
    if (near)
        factor = sqrt(arc / now);
    bool points = cable->string->layer.scheme == RV_WAVE_EXPLICIT;
    for (int row = 0; row < 4; row += points ? 1 : 2)
        for (int k = 0; k < n; ++k)
            a[row * n + k] *= factor;
    wave->arc = arc_of(cable, span);
    return near;
}

// It hangs at rest, and moves with its ends at once.
static void begin(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity)
{
    rv_layered_hang(cable, gravity, false);
    for (int i = 0; i < cable->route.spanCount; ++i)
        for (int e = 0; e < 2; ++e) {
            const rvPlace* place = &cable->route.places[i + e];
            rv_layered_wave(cable, i)->along[e] = 0.5 * rv_layered_mass(cable, i);
            rv_layered_wave(cable, i)->endSpeeds[e] = rv_place_speed(bodies, place, e == 0 ? place->out : place->in);
        }
}

// A slack rope that flies about is no wave about its chord: where the one that was taken is far off the rope that there
// is, all of it hangs.
void rv_layered_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    begin(cable, bodies, gravity);
    bool fits = true, still = !rv_cable_has(old, RV_HAS_MASS) || cable->loose;
    for (int i = 0; i < cable->route.spanCount && fits && !still; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        double tension = rv_cable_tension(old, i);
        take_points(cable, old, bodies, h, i);
        rv_layered_sag(cable, i, tension, (rvReach){.by = HUGE_VAL}, gravity);
        double rope = wave->rest * (1.0 + tension / cable->axialStiffness);
        fits = draw_to(cable, i, rope - cable->route.spans[i].length - wave->beyond);
        cable->route.places[i].state.tension = fmax(0.0, tension - wave->offset);
        cable->route.places[i].state.sag = wave->arc + wave->beyond - rv_layered_own_stretch(cable, i);
    }
    if (!fits)
        begin(cable, bodies, gravity);
}
