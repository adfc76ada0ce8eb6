// SPDX-License-Identifier: MIT
// What the spans of the layered cable look like, and how tight deep ones are at their ends.
//
// A wave is a parabola across the chord where it is at rest; rope at rest is a catenary, which hangs below the lower
// end where it is long. So the curve is the catenary of the rope that there is in the span, c(x) by the share x of its
// length, and on it what the wave is off from its own rest:
//   r(x) = chord(x) + u(x) + q (c(x) - chord(x) - u_rest(x) + m (u(x) - u_rest(x)))
//   u_rest = x (1 - x) f rho L^2 g/(2 T),  g across the chord
//   1 + m: how much deeper than u_rest the catenary is, halfway
// so that rope whose ends are moved sideways leans as far as it hangs deep. T the tension of that catenary along the
// chord, f and L of the wave (model_layered.c). q is how much of what the catenary has beyond the arc the rope has come
// to, D over that at rest: 0 where it is straight yet or lies on something, 1 at rest.
//
// Tensions of spans meet at the places between them as if none was bent by more than 1: beyond that the ends get
// tighter as the tension along the chord falls. What that leaves out is known by the rope that there is. It is told
// with q, but that rope in the arc of a wave that is off its rest hangs on the ends as well.
#include "cable/string/layered.h"

#include "cable/core/reference.h"
#include "cable/route/route.h"

#include <string.h>

#define LEAST_BEYOND 1e-9 // of the rope: less than that is none
#define LEAST_SAG 1e-3    // of the rope: rope whose wave sags less is upright, or its ends meet

static rvVec3 off_chord(const rvSpanHung* hung, double x)
{
    double along, height;
    rv_catenary_point(&hung->rest, hung->lie.weight, hung->stiffness, x, &along, &height);
    rvVec3 at = rvAdd(rvScale(along, hung->level), rvScale(height, hung->lie.up));
    return rvMulAdd(at, -x, hung->chord);
}

double rv_layered_wave_arc(const rvCable* cable, double unit, const double* wave)
{
    const rvWaveTable* table = &cable->string->layer.table;
    return cable->string->layer.scheme == RV_WAVE_MODAL ? rv_wave_arc(table, unit, wave)
                                                        : cable->reference->arc(table, unit, wave);
}

void rv_layered_take_row(const rvCable* cable, const double* points, double* row)
{
    const rvWaveTable* table = &cable->string->layer.table;
    if (cable->string->layer.scheme == RV_WAVE_MODAL)
        rv_wave_to_modes(table, points, row);
    else
        memcpy(row, points, (size_t)(table->intervals - 1) * sizeof(double));
}

double rv_layered_at_point(const rvCable* cable, const double* row, int j)
{
    const rvWaveTable* table = &cable->string->layer.table;
    if (cable->string->layer.scheme == RV_WAVE_EXPLICIT)
        return row[j - 1];
    int m = table->intervals;
    double u = 0.0;
    for (int n = 1, at = j; n < m; ++n, at = (at + j) % (2 * m))
        u += row[n - 1] * table->sines[at];
    return u;
}

rvSpanHung rv_layered_hung(const rvCable* cable, int span)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    rvSpanHung hung = {.stiffness = cable->axialStiffness};
    if (cable->string->layer.scheme != RV_WAVE_MODAL || !(rvLength(wave->gravity) > 0.0) || !(wave->rest > 0.0) ||
        !(wave->length > 0.0))
        return hung;
    hung.lie = rv_layered_lie(cable, span, wave->gravity);
    if (hung.lie.lies && !(wave->beyond > 0.0))
        return hung;
    hung.lie.lies = false; // what it had before is on its way to none
    const rvSpanLie* lie = &hung.lie;
    hung.rest = rv_catenary_by_length(lie->d, lie->z, lie->weight, cable->axialStiffness, wave->rest);
    hung.chord = rvSub(cable->route.places[span + 1].in, cable->route.places[span].out);
    hung.level = rvNormalizeOr(rvMulAdd(wave->u, -rvDot(wave->u, lie->up), lie->up), rvVec(0, 0, 0));
    double tension = rv_layered_along(&hung.rest, lie), slope;
    double beyond = rv_layered_beyond(cable, lie, tension, (rvReach){.by = HUGE_VAL}, &slope);
    double least = LEAST_BEYOND * wave->rest, all = fmax(beyond, 0.0) + least;
    hung.share = fmin(fmax((wave->beyond + least) / all, 0.0), 1.0);
    double hangs = wave->arc + wave->beyond - rv_layered_arc_at_rest(cable, lie, tension) + least;
    hung.carried = wave->lies != 0.0 ? hung.share : fmin(fmax(hangs / all, hung.share), 1.0);
    rvVec3 across = rvMulAdd(wave->gravity, -rvDot(wave->gravity, wave->u), wave->u);
    double bent = 0.5 * wave->feels * cable->massPerLength * wave->length * wave->length;
    hung.sag = rvScale(bent / fmax(tension, 1e-9 * lie->weight * wave->rest), across);
    double sag = 0.25 * rvLength(hung.sag);
    if (sag > LEAST_SAG * wave->rest)
        hung.deeper = fmax(0.0, 0.25 * rvDot(hung.sag, off_chord(&hung, 0.5)) / (sag * sag) - 1.0);
    return hung;
}

rvVec3 rv_layered_hung_at(const rvSpanHung* hung, double x, rvVec3 u)
{
    if (!(hung->share > 0.0))
        return rvVec(0, 0, 0);
    rvVec3 rest = rvScale(x * (1.0 - x), hung->sag), at = rvSub(off_chord(hung, x), rest);
    return rvScale(hung->share, rvMulAdd(at, hung->deeper, rvSub(u, rest)));
}

void rv_layered_end_tensions(const rvCable* cable, int span, double along, double ends[2])
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    for (int e = 0; e < 2; ++e)
        ends[e] = along + wave->ends[e];
    rvSpanLie lie = rv_layered_lie(cable, span, wave->gravity);
    if (!rv_catenary_is_bent(lie.d, lie.z, lie.weight, cable->axialStiffness, wave->rest, RV_LARGEST_LEVEL_BEND))
        return; // as nearly every span at work: what follows costs more than all else of its step
    rvSpanHung hung = rv_layered_hung(cable, span);
    if (!(hung.share > 0.0))
        return;
    double deep[2], level[2];
    rv_layered_tighter(&hung.rest, &hung.lie, deep);
    rv_layered_level_ends(cable, &hung.lie, rv_layered_along(&hung.rest, &hung.lie), level);
    for (int e = 0; e < 2; ++e)
        ends[e] += hung.carried * (deep[e] - level[e]);
}

// A span that is drawn: the curve that it hangs about is found once.
typedef struct {
    const rvCable* cable;
    rvSpanHung* hung;
    int* span; // that it belongs to
} Drawn;

static rvVec3 curve_point(const void* object, int span, int k)
{
    const Drawn* drawn = object;
    const rvCable* cable = drawn->cable;
    const rvWaveTable* table = &cable->string->layer.table;
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    const double* a = rv_layered_amplitudes(cable, span, 0);
    rvVec3 from = cable->route.places[span].out, to = cable->route.places[span + 1].in;
    int m = table->intervals, j = k + 1;
    double u[2] = {0.0, 0.0};
    for (int d = 0; d < 2; ++d)
        u[d] = rv_layered_at_point(cable, a + 2 * d * table->stride, j);
    if (*drawn->span != span) {
        *drawn->hung = rv_layered_hung(cable, span);
        *drawn->span = span;
    }
    rvVec3 other = rvCross(wave->u, wave->across);
    rvVec3 point = rvMulAdd(from, (double)j / m, rvSub(to, from));
    rvVec3 off = rvAdd(rvScale(u[0], wave->across), rvScale(u[1], other));
    return rvAdd(rvAdd(point, off), rv_layered_hung_at(drawn->hung, (double)j / m, off));
}

static int curve_count(const void* object, int span)
{
    const rvCable* cable = ((const Drawn*)object)->cable;
    (void)span;
    bool hangs = rv_layered_wave(cable, 0)->length > 0.0 && cable->state.broken == 0.0;
    return hangs ? cable->string->layer.subdivisions - 1 : 0;
}

int rv_layered_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                     int capacity)
{
    rvSpanHung hung;
    int span = -1;
    Drawn drawn = {cable, &hung, &span};
    rvSpanCurve curve = {&drawn, curve_count, curve_point};
    return sections ? 0 : rv_route_shape(&cable->route, shapes, &curve, points, capacity);
}
