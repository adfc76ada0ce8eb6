// SPDX-License-Identifier: MIT
// The tension of a segment of a layered rope in a step: that of the stretch which it makes itself, with the arcs that
// its spans have by it after the step.
#include "cable/string/layered.h"

#define TENSION_ERROR 1e-10 // of a tension, where it was

rvReach rv_layered_reach_of(const rvCable* cable, int span)
{
    const rvSpanWork* work = &cable->string->layer.work[span];
    return (rvReach){work->beyond, work->reach, work->drawn, work->poised};
}

double rv_layered_nu2_by_tension(const rvCable* cable, int span, double h)
{
    double m = cable->string->layer.subdivisions, l = cable->string->layer.work[span].length;
    return h * h * m * m / (cable->massPerLength * l * l);
}

void rv_layered_find_flow(const rvCable* cable, double h, double* flow)
{
    double before = 0.0, paidOut = cable->winch[0].exists ? cable->winch[0].state.rate : 0.0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        before += i > 0 ? cable->route.spans[i - 1].length : 0.0;
        flow[i] = paidOut - (before - place->passed) / h;
        before += place->arcBefore + place->arcAfter;
    }
}

// The terms of running rope, as a further load.
static void add_flow(rvCable* cable, int span, const double* speed, rvWaveStep* step)
{
    rvLayer* layer = &cable->string->layer;
    int n = layer->table.stride;
    double* more = layer->scratch;
    const double* a = rv_layered_amplitudes(cable, span, 0);
    for (int k = 0; k < 2 * n; ++k)
        more[k] = 0.0;
    for (int d = 0; d < 2; ++d)
        rv_wave_add_flow(&layer->table, speed, layer->work[span].length, a + 2 * d * n, a + (2 * d + 1) * n,
                         more + d * n, layer->scratch + 2 * n);
    step->more = more;
}

rvWaveStep rv_layered_driven_step(rvCable* cable, int i, double tension, bool snaps, const double* flow,
                                  const rvStepContext* context)
{
    const rvSpanWork* work = &cable->string->layer.work[i];
    rvWaveStep step = rv_layered_step(cable, i, tension, context->h);
    step.rests = snaps;
    const rvSpanWave* wave = rv_layered_wave(cable, i);
    rv_layered_set_load(&step, wave, rvAdd(context->gravity, work->push), wave->faster);
    if (cable->string->layer.runs && flow && cable->string->layer.scheme == RV_WAVE_MODAL)
        add_flow(cable, i, flow + i, &step);
    return step;
}

rvLayeredStretch rv_layered_stretch_of(const rvCable* cable, int k, double grown, double h)
{
    const rvSegment* segment = &cable->string->segments[k];
    const rvPlaceState* s = rv_massless_state(cable, k);
    rvLayeredStretch stretch = {.before = segment->stretch - 0.5 * h * s->rate,
                                .base = segment->stretch + 0.5 * grown,
                                .compliance = s->rest / cable->axialStiffness,
                                .share = cable->string->layer.tau / h,
                                .lead = 0.5 * (grown - h * s->rate)};
    for (int i = segment->first; i < segment->last; ++i)
        stretch.base -= rv_layered_wave(cable, i)->arc + rv_layered_wave(cable, i)->beyond;
    return stretch;
}

double rv_layered_growth_of(const rvCable* cable, const rvBodyStore* bodies, int k, const rvStepContext* context)
{
    const rvSegment* segment = &cable->string->segments[k];
    double h = context->h, grown = h * segment->seen;
    if (!rv_massless_saw_turning(cable, bodies, context)) {
        grown = rv_segment_length(&cable->route, segment->first, segment->last) - segment->length;
        grown += k + 1 < cable->string->segmentCount ? rv_massless_carried(cable, k + 1, bodies, h) : 0.0;
        grown -= k > 0 ? rv_massless_carried(cable, k, bodies, h) : 0.0;
    }
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists && rv_massless_holds(segment, rv_cable_winch_place(cable, i)))
            grown -= h * (cable->winch[i].step.driveSpeed +
                          cable->winch[i].step.driveCompliance * rv_massless_state(cable, k)->tension);
    return grown;
}

double rv_layered_tension_between(const rvLayeredStretch* stretch, double t, double extra)
{
    double after = stretch->base - stretch->give * t + extra;
    double p = fmax(0.0, stretch->before), q = fmax(0.0, after), way = after - stretch->before;
    double mean = 0.5 * (p + q), damped = q - p;
    if ((p == 0.0 || q == 0.0) && way != 0.0)
        mean *= (q - p) / way;
    else
        damped += stretch->lead - stretch->give * t;
    return fmax(0.0, (mean + stretch->share * damped) / stretch->compliance);
}

double rv_layered_tension_in(const rvCable* cable, int k, double t)
{
    const rvSegment* segment = &cable->string->segments[k];
    return fmax(0.0, segment->weight * t + segment->extraStrain * cable->axialStiffness);
}

double rv_layered_extra_with(rvCable* cable, int k, int end, double t, const double* flow, const rvStepContext* context,
                             double* slope)
{
    double sum = 0.0, own;
    *slope = 0.0;
    for (; k < end; ++k)
        for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i) {
            double tension = rv_layered_tension_in(cable, k, t) + rv_layered_wave(cable, i)->offset;
            double weight = cable->string->segments[k].weight;
            rvWaveStep step =
                rv_layered_driven_step(cable, i, tension, cable->string->segments[k].snaps, flow, context);
            sum += rv_wave_predict(&cable->string->layer.table, &step, rv_layered_amplitudes(cable, i, 0), &own);
            *slope += weight * own * rv_layered_nu2_by_tension(cable, i, context->h);
            rvSpanLie lie = rv_layered_lie(cable, i, context->gravity);
            sum += rv_layered_beyond(cable, &lie, tension, rv_layered_reach_of(cable, i), &own);
            *slope += weight * own;
        }
    return sum;
}

double rv_layered_settle_tension(rvCable* cable, int k, int end, const rvLayeredStretch* stretch, const double* flow,
                                 const rvStepContext* context)
{
    // From below: the arcs fall as the tension grows, and rise again where it is so high that the step turns them over;
    // where they fall Newton does not pass the first root.
    double slope, low = 0.0, high = HUGE_VAL, t = 0.0;
    for (int i = 0; i < 100; ++i) {
        double extra = rv_layered_extra_with(cable, k, end, t, flow, context, &slope);
        double found = rv_layered_tension_between(stretch, t, extra);
        if (found >= t)
            low = t;
        else
            high = t;
        slope = (0.5 + stretch->share) * (fmin(0.0, slope) - stretch->give) / stretch->compliance;
        double next = t + (found - t) / (1.0 - slope);
        if (fabs(next - t) <= TENSION_ERROR * t || found == t)
            return next;
        bool slow = isfinite(high) && i % 3 == 2; // Newton with slopes that are cut off may creep
        t = next >= low && next < high && !slow ? next : isfinite(high) ? 0.5 * (low + high) : found;
    }
    return t;
}
