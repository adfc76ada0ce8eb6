// SPDX-License-Identifier: MIT
// Segments of a massless cable that slip into each other share their stretch.
//
// The flow over a slipping junction has no mass, so it is not integrated: the tensions of segments that slip into each
// other stand in known ratios (e or 1/e a junction) and the sum of their rest lengths is known, so each share is too:
//   N_k = l_k/(1 + w_k s),  sum N_k = N,   w = 1, then times e (mode +1) or 1/e (mode -1) a junction,
// s = T_0/EA the strain of the first, by Newton's rule from 0 (the sum is convex: it never overshoots).
#include "cable/string/massless.h"

#define MOST_ROUNDS 50 // of Newton's rule; strains that ropes have take three

bool rv_massless_slips(const rvCable* cable, int k)
{
    const rvPlace* place = rv_massless_junction(cable, k);
    bool damped = cable->string->segments[k].drag > 0.0 && place->friction > 0.0; // its flow is told by its drag
    return place->state.mode != 0.0 && !damped && isfinite(cable->string->segments[k].ratio) &&
           cable->string->segments[k].stuck == 0;
}

// Gives a segment's surplus to its neighbour, upwards then downwards: what a slack cable does with its slack.
static void level(rvCable* cable, int first, int last)
{
    for (int k = first; k < last; ++k)
        if (cable->string->segments[k].phi > 0.0) {
            cable->string->segments[k + 1].phi += cable->string->segments[k].phi;
            cable->string->segments[k].phi = 0.0;
        }
    for (int k = last; k > first; --k)
        if (cable->string->segments[k].phi > 0.0) {
            cable->string->segments[k - 1].phi += cable->string->segments[k].phi;
            cable->string->segments[k].phi = 0.0;
        }
}

// The winch at its limit lets go what is more than F stretches the group that begins at it. False: it has no more rope.
static bool let_go(rvCable* cable, double* f, double complianceSum, const rvStepContext* context)
{
    double more = *f - cable->winch[cable->limitingWinch].step.driveLimit * complianceSum;
    if (!(more > 0.0))
        return true;
    double given = rv_winch_slip(cable, cable->limitingWinch, more, context);
    rv_massless_state(cable, 0)->rest += given;
    cable->string->segments[0].phi -= given;
    *f -= given;
    return given == more;
}

// The strain of the first of segments that slip into each other, f the sum of their stretches. Newton, between what is
// too little and what is too much: it is bent where segments come taut, and soft rope is stretched by more than it is
// long.
static double common_strain(const rvCable* cable, int first, int last, double f)
{
    double s = 0.0, low = 0.0, high = HUGE_VAL;
    for (int k = first; k <= last; ++k)
        low = fmin(low, -cable->string->segments[k].extraStrain / cable->string->segments[k].weight); // all are slack
    for (int i = 0; i < MOST_ROUNDS; ++i) {
        double more = f, slope = 0.0;
        for (int k = first; k <= last; ++k) {
            const rvSegment* segment = &cable->string->segments[k];
            double length = segment->phi + rv_massless_state(cable, k)->rest, w = segment->weight;
            double own = w * s + segment->extraStrain;
            more -= length * fmax(0.0, own) / (1.0 + fmax(0.0, own));
            slope += own < 0.0 ? 0.0 : length * w / ((1.0 + own) * (1.0 + own));
        }
        if (more > 0.0)
            low = s;
        else
            high = s;
        double next = slope > 0.0 ? s + more / slope : HUGE_VAL;
        s = next >= low && next <= high && isfinite(next) ? next : isfinite(high) ? 0.5 * (low + high) : 2.0 * s + 1.0;
        if (fabs(more) <= 1e-15 * f)
            break;
    }
    return s;
}

void rv_massless_weigh_group(rvCable* cable, int first, int last)
{
    double weight = 1.0, extra = 0.0;
    for (int k = first; k <= last; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        if (k > first && !rv_massless_slips(cable, k)) { // against drag
            extra += (rv_massless_state(cable, k)->tension - rv_massless_state(cable, k - 1)->tension) /
                     cable->axialStiffness;
        } else if (k > first) {
            double ratio = rv_massless_junction(cable, k)->state.mode > 0.0 ? segment->ratio : 1.0 / segment->ratio;
            weight *= ratio;
            extra = ratio * extra + (ratio * segment->atJunction[0] - segment->atJunction[1]) / cable->axialStiffness;
        }
        segment->weight = weight;
        segment->extraStrain = extra;
    }
}

// Shares the stretch of segments first..last. False: a junction would slip backwards; it is marked as stuck.
static bool share_group(rvCable* cable, int first, int last, const rvStepContext* context)
{
    double f = 0.0, before = 0.0, sum = 0.0;
    rv_massless_weigh_group(cable, first, last);
    for (int k = first; k <= last; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        sum += segment->weight * rv_massless_state(cable, k)->rest;
        f += segment->phi;
        before += segment->stretch;
    }
    bool limited =
        first == 0 && cable->state.slipping != 0.0 && let_go(cable, &f, sum / cable->axialStiffness, context);
    double turning = 0.0;
    for (int k = first; k <= last; ++k) {
        cable->string->segments[k].loose = cable->string->segments[k].phi;
        turning += cable->string->segments[k].turning;
    }
    double rate = (f - before + turning) / context->h;
    if (f <= 0.0) {
        level(cable, first, last);
    } else if (first < last) {
        double strain = common_strain(cable, first, last, f);
        for (int k = first; k <= last; ++k) {
            rvSegment* segment = &cable->string->segments[k];
            double own = fmax(0.0, segment->weight * strain + segment->extraStrain);
            segment->phi = (segment->phi + rv_massless_state(cable, k)->rest) * own / (1.0 + own);
        }
    }
    double gained = 0.0;
    for (int k = last; k > first; --k) {
        rvSegment* segment = &cable->string->segments[k];
        gained += segment->loose - segment->phi;
        double mode = rv_massless_junction(cable, k)->state.mode;
        if (f > 0.0 && gained * mode < 0.0 && fabs(gained) > 1e-15 * rv_massless_state(cable, k)->rest) {
            segment->stuck = 1;
            for (int m = first; m <= last; ++m)
                cable->string->segments[m].phi = cable->string->segments[m].loose;
            return false;
        }
        segment->flow = gained;
    }
    for (int k = first; k <= last; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        rvPlaceState* s = rv_massless_state(cable, k);
        bool alone = first == last;
        double own = alone      ? (segment->phi - segment->stretch + segment->turning) / context->h
                     : f != 0.0 ? rate * segment->phi / f
                                : 0.0;
        s->rate = limited ? 0.0 : own;
        segment->unread = limited ? own : 0.0;
        if (!alone)
            s->rest += segment->loose - segment->phi;
    }
    return true;
}

// Groups of segments that slip into each other, each settled on its own.
void rv_massless_share_taut(rvCable* cable, const rvStepContext* context)
{
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        cable->string->segments[k].stuck = 0;
        cable->string->segments[k].flow = 0.0;
    }
    for (int first = 0; first < cable->string->segmentCount;) {
        int last = first;
        while (last + 1 < cable->string->segmentCount && rv_massless_slips(cable, last + 1))
            last += 1;
        if (share_group(cable, first, last, context))
            first = last + 1;
    }
}

void rv_massless_share_slack(rvCable* cable, double h)
{
    int last = cable->string->segmentCount - 1;
    double length = 0.0, f = 0.0, grown = 0.0;
    for (int k = 0; k <= last; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        cable->string->segments[k].loose = segment->phi;
        // what goes over a junction does no work, and all of it is there at the middle of the step: no rate holds any
        // of it
        cable->string->segments[k].flow = cable->string->segments[k].unread = 0.0;
        length += segment->length;
        f += segment->phi;
        grown += segment->phi - segment->stretch + segment->turning;
    }
    // longer than its rope although it carries nothing: broken, loose or about to snap taut; one strain in all of it
    if (f > 0.0)
        for (int k = 0; k <= last; ++k)
            cable->string->segments[k].phi = f * cable->string->segments[k].length / length;
    else
        level(cable, 0, last);
    for (int k = 0; k <= last; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        rvPlaceState* s = rv_massless_state(cable, k);
        s->rest += segment->loose - segment->phi;
        // what went over to another segment is no stretch
        s->rate = last == 0 ? grown / h : f != 0.0 ? grown / h * segment->phi / f : 0.0;
    }
}
