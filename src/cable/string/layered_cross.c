// SPDX-License-Identifier: MIT
// Layered ropes that cross others: their curves meet, not their chords.
//
// A span's curve has the points  a + (b - a) j/M + u_j, a and b its ends, u by the wave. What the amplitudes of the
// last step say of the ends and the frame at its start is, to round-off, the curve that the step before ended with:
// nothing slips between. Where spans become one again, because a crossing let go, all points of their curves, by their
// shares of the sum of the chords, are put on the new chord, and the rope keeps its length: what the chords were longer
// by becomes arc.
#include "cable/string/layered.h"

#include <string.h>

#define MOST_ARC 1.5 // of the arc of a rope: what it may have more to lie beside another

static rvVec3 other_of(rvVec3 u, rvVec3 across)
{
    return rvCross(u, across);
}

// Displacement at points j = 1 .. M - 1 in one direction, to every third number from `to` on, times e.
static void add_points(const rvCable* cable, const double* y, rvVec3 e, rvVec3* to)
{
    int m = cable->string->layer.table.intervals;
    for (int j = 1; j < m; ++j)
        to[j - 1] = rvMulAdd(to[j - 1], rv_layered_at_point(cable, y, j), e);
}

// The inner points of a curve between a and b, with the wave's rows in the directions `across` and beside it.
static void lay_curve(const rvCable* cable, const double* rows, rvVec3 a, rvVec3 b, rvVec3 u, rvVec3 across, rvVec3* to)
{
    int m = cable->string->layer.table.intervals;
    for (int j = 1; j < m; ++j)
        to[j - 1] = rvMulAdd(a, (double)j / m, rvSub(b, a));
    add_points(cable, rows, across, to);
    add_points(cable, rows + 2 * cable->string->layer.table.stride, other_of(u, across), to);
}

int rv_layered_trace(const rvCable* cable, int span, rvVec3* was, rvVec3* now, int most)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvPlace* places = &cable->route.places[span];
    int m = cable->string->layer.table.intervals;
    if (!(wave->length > 0.0) || !(wave->slot > 0.0) || most < m - 1)
        return 0;
    rvVec3 u = rvNormalizeOr(rvSub(places[1].in, places[0].out), wave->u);
    lay_curve(cable, rv_layered_amplitudes(cable, span, 0), places[0].out, places[1].in, u,
              rv_wave_transport(wave->across, wave->u, u), now);
    if (wave->moving != 0.0)
        lay_curve(cable, rv_layered_amplitudes(cable, span, 1), wave->points[0], wave->points[1], wave->u, wave->across,
                  was);
    for (int j = 1; j < m && wave->moving == 0.0; ++j) { // cut or joined just now: it moved with its chord
        rvVec3 first = rvSub(places[0].state.crossOut, places[0].out),
               last = rvSub(places[1].state.crossIn, places[1].in);
        was[j - 1] = rvAdd(now[j - 1], rvMulAdd(first, (double)j / m, rvSub(last, first)));
    }
    return m - 1;
}

static double bulge_of(const rvCable* cable, int span)
{
    const rvWaveTable* table = &cable->string->layer.table;
    if (!(rv_layered_wave(cable, span)->slot > 0.0))
        return 0.0;
    double most = 0.0;
    for (int side = 0; side < 2; ++side) {
        const double* a = rv_layered_amplitudes(cable, span, side);
        double sum = 0.0, largest = 0.0;
        for (int k = 0; k < table->stride; ++k) {
            double y = fabs(a[k]), z = fabs(a[2 * table->stride + k]);
            sum += y + z;
            largest = fmax(largest, y + z);
        }
        most = fmax(most, cable->string->layer.scheme == RV_WAVE_MODAL ? sum : largest);
    }
    return most;
}

void rv_layered_measure_span(const rvCable* cable, int span, rvSpanShape* shape)
{
    *shape = (rvSpanShape){.bulge = bulge_of(cable, span)};
}

// A chord that spans first .. last - 1 come to lie on: where it begins, its direction, the two across it.
typedef struct {
    int first, last;
    rvVec3 from, u, across[2];
    double length;
} NewChord;

// How far along it a place is, as a share.
static double along(const rvCable* cable, const NewChord* chord, int place)
{
    if (place == chord->first || place == chord->last)
        return place == chord->first ? 0.0 : 1.0;
    return rvDot(rvSub(cable->route.places[place].point, chord->from), chord->u) / fmax(chord->length, 1e-9);
}

// Where the rope is beside a share of it (rate 0), or how fast (rate 1).
static rvVec3 value_at(const rvCable* cable, const NewChord* chord, double share, int rate)
{
    const rvWaveTable* table = &cable->string->layer.table;
    int i = chord->first, m = table->intervals;
    while (i + 1 < chord->last && share > along(cable, chord, i + 1))
        i += 1;
    const rvPlace* places = &cable->route.places[i];
    const rvSpanWave* wave = rv_layered_wave(cable, i);
    double from = along(cable, chord, i), to = along(cable, chord, i + 1);
    double x = to > from ? fmin(fmax((share - from) / (to - from), 0.0), 1.0) : 0.5;
    rvVec3 a = rate ? wave->endSpeeds[0] : places[0].out, b = rate ? wave->endSpeeds[1] : places[1].in;
    rvVec3 value = rvMulAdd(a, x, rvSub(b, a)), axes[2] = {wave->across, other_of(wave->u, wave->across)};
    for (int d = 0; d < 2; ++d) {
        const double* y = rv_layered_amplitudes(cable, i, 0) + (2 * d + rate) * table->stride;
        double u = 0.0;
        if (cable->string->layer.scheme == RV_WAVE_MODAL) {
            for (int k = 1; k < m; ++k)
                u += y[k - 1] * sin(3.14159265358979323846 * k * x);
        } else {
            int j = (int)(x * m) < m ? (int)(x * m) : m - 1;
            double left = j > 0 ? y[j - 1] : 0.0, right = j + 1 < m ? y[j] : 0.0;
            u = left + (x * m - j) * (right - left);
        }
        value = rvMulAdd(value, u, axes[d]);
    }
    return value;
}

// Ropes that let go of each other lie beside each other, as far as they are thick: so where they meet again it is seen
// from which side. The points of a curve cut the corner that it had there: those around it go along.
static void lay_beside(const rvCable* cable, const NewChord* chord, double* points, int row)
{
    int m = cable->string->layer.table.intervals;
    for (int p = chord->first + 1; p < chord->last; ++p) {
        const rvPlace* place = &cable->route.places[p];
        double far = place->crossingSide == 0 ? -0.5 * place->state.node.t : 0.5 * place->state.node.t;
        rvVec3 goal = rvSub(rvMulAdd(place->point, far, place->state.node.in), chord->from);
        double at = fmin(fmax(along(cable, chord, p), 0.0), 1.0) * m;
        int j = (int)at < m ? (int)at : m - 1;
        double left = j > 0 ? points[j - 1] : 0.0, right = j + 1 < m ? points[j] : 0.0;
        double miss = rvDot(chord->across[row], goal) - left - (at - j) * (right - left);
        double weight = (j > 0 ? 1.0 - (at - j) : 0.0) + (j + 1 < m ? at - j : 0.0);
        if (j > 0)
            points[j - 1] += miss / fmax(weight, 0.25);
        if (j + 1 < m)
            points[j] += miss / fmax(weight, 0.25);
    }
}

// The arc of points in both directions, small slopes.
static double arc_of(const rvCable* cable, const double* rows, double length)
{
    int m = cable->string->layer.table.intervals, n = cable->string->layer.table.stride;
    double sum = 0.0;
    for (int d = 0; d < 2; ++d)
        for (int j = 0; j < m; ++j) {
            const double* y = rows + 2 * d * n;
            double step = (j + 1 < m ? y[j] : 0.0) - (j > 0 ? y[j - 1] : 0.0);
            sum += 0.5 * step * step * m / fmax(length, 1e-6);
        }
    return sum;
}

// The rows of points of the new curve, in the scratch: where the rope is, as long as `arc` says but beside what it
// crossed.
static void lay_points(rvCable* cable, const NewChord* chord, const rvVec3 speeds[2], double arc)
{
    int m = cable->string->layer.table.intervals, n = cable->string->layer.table.stride;
    double* rows = cable->string->layer.scratch;
    for (int j = 1; j < m; ++j) {
        double t = (double)j / m;
        rvVec3 off = rvSub(value_at(cable, chord, t, 0), chord->from), faster = {0, 0, 0};
        if (cable->string->layer.scheme == RV_WAVE_MODAL)
            faster = rvSub(value_at(cable, chord, t, 1), rvMulAdd(speeds[0], t, rvSub(speeds[1], speeds[0])));
        for (int d = 0; d < 2; ++d) {
            rows[2 * d * n + j - 1] = rvDot(chord->across[d], off);
            rows[(2 * d + 1) * n + j - 1] = rvDot(chord->across[d], faster);
        }
    }
    for (int round = 0; round < 2; ++round) { // again where going beside the other rope would be far out of its way
        double now = arc_of(cable, rows, chord->length);
        if (round > 0 && now < MOST_ARC * arc)
            break;
        double scale = sqrt(arc / fmax(now, 1e-12));
        for (int d = 0; d < 2; ++d) {
            for (int j = 1; j < m; ++j)
                rows[2 * d * n + j - 1] *= scale;
            if (round == 0)
                lay_beside(cable, chord, rows + 2 * d * n, d);
        }
    }
    for (int d = 0; d < 2 && cable->string->layer.scheme == RV_WAVE_EXPLICIT;
         ++d) // which keeps where it was: it stands
        memcpy(rows + (2 * d + 1) * n, rows + 2 * d * n, (size_t)(m - 1) * sizeof(double));
}

void rv_layered_unite(rvCable* cable, int first, int last)
{
    const rvWaveTable* table = &cable->string->layer.table;
    rvSpanWave* wave = rv_layered_wave(cable, first);
    if (!(wave->length > 0.0) || !(wave->slot > 0.0))
        return;
    rvVec3 from = cable->route.places[first].out, to = cable->route.places[last].in;
    NewChord chord = {
        first, last, from, rvNormalizeOr(rvSub(to, from), wave->u), {{0, 0, 0}, {0, 0, 0}}, rvDistance(from, to)};
    chord.across[0] = rv_wave_transport(wave->across, wave->u, chord.u);
    chord.across[1] = other_of(chord.u, chord.across[0]);
    double more = -chord.length, lengths = 0.0, arcs = 0.0, beyond = 0.0;
    for (int i = first; i < last; ++i) {
        const rvSpanWave* part = rv_layered_wave(cable, i);
        more += cable->route.spans[i].length;
        lengths += part->length;
        arcs += part->arc;
        beyond += part->beyond;
    }
    const rvVec3 speeds[2] = {wave->endSpeeds[0], rv_layered_wave(cable, last - 1)->endSpeeds[1]};
    lay_points(cable, &chord, speeds, rv_layered_arc_of(arcs + beyond + more, chord.length, beyond));
    double* a = rv_layered_amplitudes(cable, first, 0);
    const double* rows = cable->string->layer.scratch;
    for (int row = 0; row < 4; ++row)
        rv_layered_take_row(cable, rows + row * table->stride, a + row * table->stride);
    wave->u = chord.u;
    wave->across = chord.across[0];
    // the sums, once they are joined
    double arc = arc_of(cable, rows, chord.length);
    wave->beyond += arcs + more - arc;
    cable->route.places[first].state.sag += more;
    wave->arc += arc - arcs;
    wave->length += chord.length - lengths;
    wave->feels = 1.0;
}
