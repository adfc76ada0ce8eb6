// SPDX-License-Identifier: MIT
// The waves of a layered rope where its route changed: a span that is cut hands its wave on in parts, what lies on it
// between is straightened; spans that join again make one wave.
#include "cable/string/layered.h"

#include <string.h>

static void claim_slot(rvCable* cable, int span, double* used)
{
    int slot = 0;
    while (used[slot] != 0.0)
        slot += 1;
    used[slot] = 1.0;
    rv_layered_wave(cable, span)->slot = slot + 1.0;
    memset(rv_layered_amplitudes(cable, span, 0), 0, rv_wave_size(&cable->string->layer.table) * sizeof(double));
}

// Makes the wave as long as it is said to be; where it is straight, by its first mode.
static void set_arc(rvCable* cable, int span, double arc)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvWaveTable* table = &cable->string->layer.table;
    double m = table->intervals, *a = rv_layered_amplitudes(cable, span, 0);
    double unit = m * m / fmax(wave->length, 1e-6), now = rv_layered_wave_arc(cable, unit, a);
    wave->arc = fmax(0.0, arc);
    wave->known = wave->moving = 0.0;
    if (now > 1e-3 * wave->arc) {
        double scale = sqrt(wave->arc / now);
        for (int d = 0; d < 2; ++d)
            for (int k = 0; k < table->stride; ++k)
                a[2 * d * table->stride + k] *= scale;
    } else if (cable->string->layer.scheme == RV_WAVE_MODAL)
        a[0] = sqrt(fmax(0.0, wave->arc - now) / (unit * table->stiff[0]) + a[0] * a[0]);
}

// u at x, 0 .. 1, of a span whose points are given.
static double value_at(const double* points, int intervals, double x)
{
    double at = fmin(fmax(x, 0.0), 1.0) * intervals;
    int j = (int)at < intervals ? (int)at : intervals - 1;
    double left = j > 0 ? points[j - 1] : 0.0, right = j + 1 < intervals ? points[j] : 0.0;
    return left + (at - j) * (right - left);
}

// Part x0 .. x1 of the wave whose four rows of points are in the scratch becomes the wave of a span.
static void take_part(rvCable* cable, int span, double x0, double x1)
{
    const rvWaveTable* table = &cable->string->layer.table;
    int n = table->stride, m = table->intervals;
    double *a = rv_layered_amplitudes(cable, span, 0), *part = cable->string->layer.scratch + 4 * n;
    for (int row = 0; row < 4; ++row) {
        const double* points = cable->string->layer.scratch + row * n;
        double from = value_at(points, m, x0), to = value_at(points, m, x1);
        for (int j = 1; j < m; ++j) {
            double t = (double)j / m;
            part[j - 1] = value_at(points, m, x0 + (x1 - x0) * t) - from - (to - from) * t;
        }
        rv_layered_take_row(cable, part, a + row * n);
    }
}

// Of a place on a body.
static rvVec3 speed_of(const rvPlace* place, const rvBodyStore* bodies)
{
    if (place->body < 0 || !rv_body_moves(&bodies->items[place->body]))
        return rv_place_is_crossing(place) ? place->state.node.out : rvVec(0, 0, 0);
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvAdd(s->v, rvCross(s->w, place->armIn));
}

// Spans first .. last - 1 were one, whose wave is at the first of them.
static void cut(rvCable* cable, const rvBodyStore* bodies, int first, int last, double* used)
{
    const rvWaveTable* table = &cable->string->layer.table;
    rvSpanWave whole = *rv_layered_wave(cable, first);
    double sag = cable->route.places[first].state.sag;
    const double* a = rv_layered_amplitudes(cable, first, 0);
    for (int row = 0; row < 4; ++row) {
        double* points = cable->string->layer.scratch + row * table->stride;
        if (cable->string->layer.scheme == RV_WAVE_MODAL)
            rv_wave_to_points(table, a + row * table->stride, points);
        else
            memcpy(points, a + row * table->stride, (size_t)table->stride * sizeof(double));
    }
    double length = 0.0, passed = 0.0, arcs = 0.0;
    for (int i = first; i < last; ++i)
        length += cable->route.spans[i].length;
    for (int i = first; i < last; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        double l = cable->route.spans[i].length, share = l / fmax(length, 1e-9);
        if (i > first) {
            *wave = whole;
            wave->owed[0] = rvVec(0, 0, 0);
            wave->running = wave->runs = 0.0;
            claim_slot(cable, i, used);
        }
        wave->pair = rvVec(0, 0, 0);
        take_part(cable, i, passed, passed + share);
        passed += share;
        wave->length = fmax(l, 1e-6);
        wave->feels = 1.0;
        wave->across = rv_wave_transport(whole.across, whole.u, cable->route.spans[i].u);
        wave->u = cable->route.spans[i].u;
        double unit = (double)table->intervals * table->intervals / wave->length;
        const double* part = rv_layered_amplitudes(cable, i, 0);
        wave->arc = rv_layered_wave_arc(cable, unit, part);
        arcs += wave->arc;
    }
    // together as long as the whole was. A crossing lies on the curve: chords to it are longer by what the curve had
    // there.
    bool crosses = rv_place_is_crossing(&cable->route.places[first + 1]);
    double all = whole.arc + whole.beyond;
    if (crosses)
        all -= length - rvDistance(cable->route.places[first].out, cable->route.places[last].in);
    for (int i = first; i < last; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        double share = cable->route.spans[i].length / fmax(length, 1e-9);
        double part = arcs > 0.0 ? wave->arc / arcs : share;
        double arc =
            crosses ? rv_layered_arc_of(part * all, cable->route.spans[i].length, whole.beyond) : part * whole.arc;
        set_arc(cable, i, arc);
        wave->beyond = crosses ? part * all - wave->arc : whole.beyond * share;
        cable->route.places[i].state.sag = wave->arc + wave->beyond + (sag - whole.arc - whole.beyond) * share;
        wave->rest = whole.rest * share;
        wave->filled = whole.filled * share;
        wave->held = whole.held * share;
        wave->tank = whole.tank * share;
        for (int e = 0; e < 2; ++e) {
            int place = i + e;
            if (place > first && place < last)
                wave->endSpeeds[e] = speed_of(&cable->route.places[place], bodies);
        }
    }
}

void rv_layered_match(rvCable* cable, const rvBodyStore* bodies)
{
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->spanCount; ++i)
        rv_layered_take_record(cable, &route->places[i]);
    double* used = cable->string->layer.scratch + 6 * cable->string->layer.table.stride;
    for (int i = 0; i < route->capacity; ++i)
        used[i] = 0.0;
    for (int i = 0; i < route->spanCount; ++i)
        if (rv_layered_wave(cable, i)->slot > 0.0)
            used[(int)rv_layered_wave(cable, i)->slot - 1] = 1.0;
    rv_layered_drop_record(cable, &route->places[route->spanCount]);
    route->places[route->spanCount].state.sag = 0.0;
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        if (wave->slot == 0.0)
            claim_slot(cable, i, used);
        int last = i + 1;
        while (wave->length > 0.0 && last < route->spanCount && rv_layered_wave(cable, last)->slot == 0.0)
            last += 1;
        if (last > i + 1)
            cut(cable, bodies, i, last, used);
        else if (wave->length > 0.0 && wave->known < 0.0)
            set_arc(cable, i, wave->arc);
        i = last - 1;
    }
    if (rv_layered_wave(cable, 0)->length > 0.0)
        rv_layered_share_rope(cable);
}
