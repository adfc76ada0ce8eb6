// SPDX-License-Identifier: MIT
// The spans of the layered cable: how a rope at rest hangs in them, cutting and joining them.
#include "cable/string/layered.h"

#include "base/hash.h"
#include "cable/route/friction.h"

#include <string.h>

// Bends beyond this are as good as a loop; sinh of it is 34 times it. But of rope that is so long that it hangs deeper
// still.
#define LARGEST_BEND 6.0
#define BEYOND_BEND 2.0   // how much more than at rest: 7 times the rope
#define LEAST_SLACK 0.05  // of the chord: rope that has no more is as long as its chord to its wave
#define LEAST_LENGTH 0.02 // of the rope: of a wave between ends that meet
#define DEEP_RATIO 3.0    // of rope to chord, from where on it is bent by more than 2.8
#define DEEP_BEYOND 0.05  // of the chord: rope beyond the arc swings itself, not with the wave
#define DEEP_FROM 0.3     // a bend: up to it the wave turns the chord as a catenary does, to 1 %,
#define DEEP_TO 0.6       //   from here on a catenary does

static double rope_of(const rvCable* cable, int span)
{
    double rest = rv_layered_wave(cable, span)->rest;
    return rest > 0.0 ? rest : cable->state.restLength; // before it is shared
}

// At rest sinh p/p = sqrt(N^2 - z^2)/d, so p = log(2 p sinh p/p) but for exp(-2 p).
static double largest_bend(double d, double z, double rope)
{
    double ratio = sqrt(fmax(0.0, rope * rope - z * z)) / fmax(d, 1e-9 * rope), p = LARGEST_BEND - BEYOND_BEND;
    if (!(ratio * p > sinh(p)))
        return LARGEST_BEND;
    for (int i = 0; i < 20; ++i)
        p = log(2.0 * p * ratio);
    return fmax(LARGEST_BEND, p + BEYOND_BEND);
}

rvSpanLie rv_layered_lie(const rvCable* cable, int span, rvVec3 gravity)
{
    const rvSpan* s = &cable->route.spans[span];
    double g = rvLength(gravity), l = fmax(s->length, 1e-6);
    rvVec3 up = g > 0.0 ? rvScale(-1.0 / g, gravity) : rvVec(0, 0, 1);
    double rise = rvDot(s->u, up);
    bool lies = rv_layered_wave(cable, span)->lies != 0.0;
    double d = l * sqrt(fmax(0.0, 1.0 - rise * rise)), z = l * rise;
    return (rvSpanLie){d, z, cable->massPerLength * g, largest_bend(d, z, rope_of(cable, span)), up, lies};
}

// Rope at rest with this sinh p/p.
static double bend_of(double ratio)
{
    double p = ratio < DEEP_RATIO ? sqrt(6.0 * fmax(0.0, ratio - 1.0)) : log(2.0 * ratio * log(2.0 * ratio));
    for (int i = 0; i < 8 && p > 0.0; ++i) {
        double s = sinh(p) / p, slope = (cosh(p) - s) / p;
        p = fmax(p - (s - ratio) / slope, 0.5 * p);
    }
    return p;
}

// A rope that hangs deep swings slower across its chord than one of that length would at the tension along it. Of small
// motions across the plane of a level catenary (a the length H/w, s its arc from below), (T u_s)_s = rho u_tt is with s
// = a sinh t
//   u_tt + lambda cosh(t) u = 0,   u = 0 at t = -p and p,   lambda = omega^2 a/g
// From the chord to two parallel falls, omega^2 = 2.891 g/N, its first root is that of a string of length L at the
// tension T,
//   L^2 = 3.414 (T N/w) tanh(0.6 p),   within 2 %,
// and L = l where that is less, 5 % of it taken off: so rope that hardly sags is left alone. Of rope whose ends are
// above each other only the bight below the lower one swings.
double rv_layered_length(const rvCable* cable, int span, rvVec3 gravity)
{
    double rope = rv_layered_wave(cable, span)->rest, l = fmax(cable->route.spans[span].length, 1e-6);
    if (!(rope > (1.0 + LEAST_SLACK) * l) || !(rvLength(gravity) > 0.0))
        return l;
    rvSpanLie lie = rv_layered_lie(cable, span, gravity);
    double p = bend_of(sqrt(rope * rope - lie.z * lie.z) / fmax(lie.d, 1e-9 * rope)), loose = 1.0 - l / rope;
    double pull = 0.5 / l * (lie.d * lie.d / p + lie.z * lie.z / tanh(p)); // T/w
    double bight = 1.0 - lie.z * lie.z / (rope * rope), deep = 0.95 + 0.05 * loose * loose;
    double square = deep * 3.414 * pull * rope * tanh(0.6 * p) * bight;
    return fmax(l, fmax(sqrt(square), LEAST_LENGTH * rope));
}

double rv_layered_reach(const rvCable* cable, int span, double h, rvVec3 gravity)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    double l = cable->string->layer.work[span].length;
    double all = wave->arc + fmax(0.0, wave->beyond - DEEP_BEYOND * cable->string->layer.work[span].chord);
    return h * sqrt(rvLength(gravity) / fmax(l, 0.5 * wave->rest)) * (0.2 * all + 1e-4 * l);
}

// What goes over junction k from the segment before it: what slips, as in the last step, and what a wheel with inertia
// carries along, as that turns now (bodies NULL: as in the last step) [m].
static double goes_over(const rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    if (k <= 0 || k >= cable->string->segmentCount)
        return 0.0;
    const rvPlace* place = rv_massless_junction(cable, k);
    double turned = place->wheelSlot >= 0 ? h * place->side * place->radius * place->state.wheelSpeed : 0.0;
    double carried = bodies ? rv_massless_carried(cable, k, bodies, h) : rv_massless_reversed(cable) ? -turned : turned;
    return h * place->state.slip + carried;
}

void rv_layered_find_drawn(rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    const rvSegment* segment = &cable->string->segments[k];
    double paid = 0.0, growth = goes_over(cable, k + 1, bodies, h) - goes_over(cable, k, bodies, h);
    for (int i = 0; i < 2; ++i)
        paid += cable->winch[i].exists ? h * cable->winch[i].state.rate : 0.0;
    for (int i = segment->first; i < segment->last; ++i)
        growth += cable->string->layer.work[i].apart;
    for (int i = segment->first; i < segment->last; ++i) {
        rvSpanWork* work = &cable->string->layer.work[i];
        double given = paid * rv_layered_wave(cable, i)->rest / fmax(cable->state.restLength, 1e-9);
        double share = work->coupled > 0.0 ? work->coupled : 1.0;
        work->drawn = share * fmax(0.0, fmax(work->apart, growth) - given);
    }
}

// Within reach.
static double clamp_reach(const rvReach* reach, double beyond)
{
    return fmin(fmax(beyond, reach->from - reach->by - reach->drawn), reach->from + reach->by);
}

double rv_layered_arc_at_rest(const rvCable* cable, const rvSpanLie* lie, double tension)
{
    double m = cable->string->layer.subdivisions, l = sqrt(lie->d * lie->d + lie->z * lie->z);
    double sag = lie->weight * lie->d / tension; // across the chord, times l/8
    return (1.0 - 1.0 / (m * m)) * l * sag * sag / 24.0;
}

// What it would be if nothing held it back, and its slope. A rope that lies on something is no catenary: nothing.
// *catenary: the rope at rest, where one was looked for.
static double beyond_at_rest(const rvCable* cable, const rvSpanLie* lie, double tension, double* slope,
                             rvCatenary* catenary)
{
    *slope = 0.0;
    *catenary = (rvCatenary){.bend = HUGE_VAL};
    if (cable->string->layer.scheme == RV_WAVE_EXPLICIT || !(lie->weight > 0.0) || lie->lies)
        return 0.0;
    rvCatenary c =
        rv_catenary_by_tension(lie->d, lie->z, lie->weight, cable->axialStiffness, fmax(tension, 0.0), lie->largest);
    double along = rv_layered_along(&c, lie), arc = rv_layered_arc_at_rest(cable, lie, along),
           l = sqrt(lie->d * lie->d + lie->z * lie->z);
    double beyond = c.length * (1.0 + along / cable->axialStiffness) - l - arc;
    if (c.bend < lie->largest)
        *slope = fmin(0.0, c.slope + 2.0 * arc / along);
    *catenary = c;
    return beyond;
}

double rv_layered_beyond(const rvCable* cable, const rvSpanLie* lie, double tension, rvReach reach, double* slope)
{
    rvCatenary c;
    double goal = beyond_at_rest(cable, lie, tension, slope, &c), beyond = clamp_reach(&reach, goal);
    if (beyond != goal)
        *slope = 0.0;
    return beyond;
}

// The tension at which a rope at rest has this beyond the wave's arc, between those of before and now: false position
// by the logarithms of the tensions, for there it bends least.
static double poised_at(const rvCable* cable, const rvSpanLie* lie, double beyond, double before, double now)
{
    double least = 1e-9 * lie->weight * (lie->d + fabs(lie->z)), slope;
    double a = log(fmax(before, least)), b = log(fmax(now, least)), x = b;
    rvCatenary c;
    double fa = beyond_at_rest(cable, lie, exp(a), &slope, &c) - beyond;
    double fb = beyond_at_rest(cable, lie, exp(b), &slope, &c) - beyond;
    if (!(fa * fb < 0.0)) // the chord moved meanwhile: the nearer one
        return fabs(fa) < fabs(fb) ? before : now;
    for (int i = 0; i < 30 && fabs(b - a) > 1e-6; ++i) {
        x = (a * fb - b * fa) / (fb - fa);
        double f = beyond_at_rest(cable, lie, exp(x), &slope, &c) - beyond;
        if (f * fb < 0.0) {
            a = b;
            fa = fb;
        } else
            fa *= 0.5;
        b = x;
        fb = f;
    }
    return exp(x);
}

void rv_layered_tighter(const rvCatenary* c, const rvSpanLie* lie, double ends[2])
{
    for (int e = 0; e < 2; ++e)
        ends[e] = rv_catenary_end(c, lie->weight, e) - rv_layered_along(c, lie);
}

void rv_layered_level_ends(const rvCable* cable, const rvSpanLie* lie, double tension, double ends[2])
{
    rvCatenary c =
        rv_catenary_by_tension(lie->d, lie->z, lie->weight, cable->axialStiffness, tension, RV_LARGEST_LEVEL_BEND);
    rv_layered_tighter(&c, lie, ends);
}

// Rope that hangs beside its chord turns it. At rest its ends pull across the chord as a catenary does, of which the
// wave, a parabola, has w.u w_across l^2/(12 T) (layered_ends.c; what it lacks between grid points is left out). The
// rest, on the first end.
static rvVec3 turning_beyond(const rvCable* cable, const rvCatenary* c, const rvSpanLie* lie, rvVec3 u)
{
    double l = sqrt(lie->d * lie->d + lie->z * lie->z);
    double wave = lie->weight * lie->weight * lie->z * lie->d / (12.0 * rv_layered_along(c, lie));
    double left = rv_catenary_across(c, lie->d, lie->z, lie->weight, cable->axialStiffness) - wave;
    rvVec3 across = rvMulAdd(lie->up, -rvDot(u, lie->up), u);
    return lie->d > 0.0 ? rvScale(left * l / lie->d, across) : rvVec(0, 0, 0);
}

// Where a rope snaps taut T grows by decades while D goes, as a power of it: T ~ D^-k, so the integral of T dD is that
// of T D over 1 - k. D goes with the fourth power of 1/T at last, and what rounding leaves of it there holds nothing.
double rv_layered_mean_tension(const double D[2], const double T[2])
{
    const double NEAR = 1.1; // the line between both is good enough
    int tight = T[1] > T[0], slack = !tight;
    double way = D[slack] - D[tight], k = 0.25, held = T[slack] * D[slack];
    if (!(T[slack] > 0.0 && way > 0.0 && T[tight] > NEAR * T[slack]))
        return 0.5 * (T[0] + T[1]);
    if (D[tight] > 0.0) {
        k = log(T[tight] / T[slack]) / log(D[slack] / D[tight]);
        held -= T[tight] * D[tight];
    }
    if (fabs(1.0 - k) < 1e-3)
        return T[slack] * D[slack] * log(D[slack] / D[tight]) / way;
    return held / ((1.0 - k) * way);
}

void rv_layered_sag(rvCable* cable, int span, double tension, rvReach reach, rvVec3 gravity)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    rvSpanLie lie = rv_layered_lie(cable, span, gravity);
    wave->tension = tension = fmax(0.0, tension);
    wave->gravity = gravity;
    rvCatenary c;
    double goal = beyond_at_rest(cable, &lie, tension, &wave->beyondSlope, &c);
    wave->beyond = clamp_reach(&reach, goal);
    wave->poised = tension;
    if (wave->beyond != goal) { // on the way between what it was poised at and this tension
        wave->beyondSlope = 0.0;
        wave->poised = poised_at(cable, &lie, wave->beyond, reach.poised, tension);
    }
    wave->ends[0] = wave->ends[1] = 0.0;
    wave->pair = rvVec(0, 0, 0);
    if (!(lie.weight > 0.0))
        return;
    if (goal > 0.0 && c.bend > DEEP_FROM) {
        double deep = fmin((c.bend - DEEP_FROM) / (DEEP_TO - DEEP_FROM), 1.0);
        wave->pair =
            rvScale(deep * fmin(fmax(wave->beyond / goal, 0.0), 1.0), turning_beyond(cable, &c, &lie, wave->u));
    }
    if (lie.lies) { // tension grows from what lies to the ends, by height
        wave->ends[0] = lie.weight * fmax(0.0, rvDot(cable->route.places[span].out, lie.up) - wave->floor);
        wave->ends[1] = lie.weight * fmax(0.0, rvDot(cable->route.places[span + 1].in, lie.up) - wave->floor);
        return;
    }
    if (c.bend < RV_LARGEST_LEVEL_BEND)
        rv_layered_tighter(&c, &lie, wave->ends);
    else
        rv_layered_level_ends(cable, &lie, tension, wave->ends);
}

// By how much the tensions on both sides of a place may differ while its rope is loose: as friction has it. Drag and
// wheels that turn know of the segments' tensions alone.
static double ratio_at(const rvPlace* place)
{
    bool level = place->drag > 0.0 || place->wheelSlot >= 0 || rv_place_is_crossing(place);
    return level ? 1.0 : rv_place_ratio(place);
}

void rv_layered_at_junction(const rvCable* cable, int i, double sides[2])
{
    const rvSpanWave *before = rv_layered_wave(cable, i - 1), *after = rv_layered_wave(cable, i);
    const rvPlace* place = &cable->route.places[i];
    double rise = -cable->massPerLength * rvDot(before->gravity, rvSub(place->out, place->in)); // over a wheel
    sides[0] = before->offset + before->ends[1] + rise;
    sides[1] = after->offset + after->ends[0];
}

static void raise(rvCable* cable, int span, double by)
{
    for (int i = span, last = rv_segment_end(&cable->route, span); i < last; ++i)
        rv_layered_wave(cable, i)->offset += by;
}

// Loose rope on one side of a junction pulls at the other, less what friction holds.
static void level_junction(rvCable* cable, int start, int i)
{
    double sides[2], e = ratio_at(&cable->route.places[i]);
    rv_layered_at_junction(cable, i, sides);
    if (sides[0] > e * sides[1])
        raise(cable, i, sides[0] / e - sides[1]);
    else if (sides[1] > e * sides[0])
        raise(cable, start, sides[1] / e - sides[0]);
}

// Of the segment that begins at place `first`, by itself; answers its end.
static int weigh_segment(rvCable* cable, int first, rvVec3 gravity)
{
    double most = -HUGE_VAL, offset = 0.0;
    int last = rv_segment_end(&cable->route, first);
    for (int i = first; i < last; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        rvSpanLie lie = rv_layered_lie(cable, i, gravity);
        const rvPlace* place = &cable->route.places[i];
        // over a wheel it grows with height, too
        offset += i > first ? lie.weight * rvDot(rvSub(place->out, place->in), lie.up) - wave->ends[0] : 0.0;
        wave->offset = offset;
        offset += wave->ends[1];
        // a rope in a loop: half of the weight of what its ends are apart in height, less what its own stretches it by
        double strain = 0.5 * lie.weight * rope_of(cable, i) / cable->axialStiffness;
        double least = 0.5 * lie.weight * lie.z * lie.z / ((1.0 + strain) * sqrt(lie.d * lie.d + lie.z * lie.z));
        most = fmax(most, least - wave->offset);
    }
    for (int i = first; i < last; ++i)
        rv_layered_wave(cable, i)->offset += most;
    return last;
}

// There and back: what a junction raises behind it the ones before it have seen.
void rv_layered_weigh(rvCable* cable, rvVec3 gravity)
{
    const rvRoute* route = &cable->route;
    int start = 0;
    for (int i = weigh_segment(cable, 0, gravity), next; i < route->spanCount; start = i, i = next) {
        next = weigh_segment(cable, i, gravity);
        level_junction(cable, start, i);
    }
    for (int i = start; i > 0; i = start) {
        start = i - 1;
        while (start > 0 && route->places[start].state.isJunction == 0.0)
            start -= 1;
        level_junction(cable, start, i);
    }
}

// What a span holds, unstretched.
static double rope_in(const rvCable* cable, int span)
{
    const rvSpanWave* wave = rv_layered_wave(cable, span);
    double length = cable->route.spans[span].length + wave->arc + wave->beyond;
    return length / (1.0 + wave->tension / cable->axialStiffness);
}

double rv_layered_own_stretch(const rvCable* cable, int span)
{
    return rv_layered_wave(cable, span)->offset * rope_in(cable, span) / cable->axialStiffness;
}

// The rope of the segment that begins at place `first`, less what is on its arcs; answers its end.
static int share_segment(rvCable* cable, int first)
{
    const rvRoute* route = &cable->route;
    int last = rv_segment_end(route, first);
    bool whole = first == 0 && last == route->spanCount; // at creation only the whole is known
    double length = 0.0, rest = whole ? cable->state.restLength : route->places[first].state.rest;
    for (int i = first; i <= last; ++i) {
        const rvPlace* place = &route->places[i];
        double tension = rv_layered_wave(cable, i < route->spanCount ? i : i - 1)->tension;
        double before = i == first && i > 0 ? 0.0 : place->arcBefore;
        double after = i == last && i < route->spanCount ? 0.0 : place->arcAfter;
        rest -= (before + after) / (1.0 + tension / cable->axialStiffness);
    }
    for (int i = first; i < last; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        wave->rest = rope_in(cable, i);
        length += wave->rest;
    }
    for (int i = first; i < last; ++i)
        rv_layered_wave(cable, i)->rest *= fmax(rest, 0.0) / fmax(length, 1e-9);
    return last;
}

static void share_rest(rvCable* cable)
{
    const rvRoute* route = &cable->route;
    for (int i = 0; i < route->placeCount; ++i) {
        rvPlace* place = &route->places[i];
        double tension = rv_layered_wave(cable, i < route->spanCount ? i : i - 1)->tension;
        place->state.wound = (place->arcBefore + place->arcAfter) / (1.0 + tension / cable->axialStiffness);
    }
    for (int first = 0; first < route->spanCount;)
        first = share_segment(cable, first);
}

// Of an arc about the axis a from n0 to n1, dn = s a x n dphi: the sum of n dphi is -s a x (n1 - n0). At the ends of
// the cable it begins or ends at the mark.
rvVec3 rv_layered_wound_at(const rvCable* cable, const rvBodyStore* bodies, int i)
{
    const rvPlace* place = &cable->route.places[i];
    double arc = place->arcBefore + place->arcAfter;
    if (!rv_place_is_wheel(place))
        return rvScale(0.5, rvAdd(place->in, place->out));
    rvVec3 mark = place->state.mark, from = place->in, to = place->out;
    if (place->body >= 0)
        mark = rvRotate(bodies->items[place->body].state.q, mark);
    if (i == 0)
        from = rvMulAdd(place->point, place->radius, mark);
    if (i == cable->route.spanCount)
        to = rvMulAdd(place->point, place->radius, mark);
    rvVec3 sum = rvCross(place->axis, rvSub(to, from));
    return arc != 0.0 ? rvMulAdd(place->point, -place->side * place->radius / arc, sum) : place->point;
}

void rv_layered_share_rope(rvCable* cable)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        cable->string->layer.work[i].rest = rv_layered_wave(cable, i)->rest;
        cable->string->layer.work[i].wound = cable->route.places[i].state.wound;
    }
    share_rest(cable);
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        double filled = cable->route.spans[i].length + wave->arc + wave->beyond;
        if (wave->moving != 0.0 && cable->route.places[i].state.tension == 0.0)
            wave->held += wave->offset * (filled - wave->filled - (wave->rest - cable->string->layer.work[i].rest));
        wave->filled = filled;
    }
}

// ---- at rest

static const rvReach anywhere = {.by = HUGE_VAL};

// Rope that the spans first..last - 1 of a segment would hold at rest with this tension, and the arcs of its wheels.
static double rope_at(const rvCable* cable, rvVec3 gravity, int first, int last, double tension)
{
    const rvRoute* route = &cable->route;
    double stretch = 1.0 + tension / cable->axialStiffness;
    double rope = (route->places[first].arcAfter + route->places[last].arcBefore) / stretch;
    for (int i = first; i < last; ++i) {
        rvSpanLie lie = rv_layered_lie(cable, i, gravity);
        double along = tension + rv_layered_wave(cable, i)->offset;
        rope += rv_catenary_by_tension(lie.d, lie.z, lie.weight, cable->axialStiffness, along, lie.largest).length;
        const rvPlace* place = &route->places[i];
        rope += i > first ? (place->arcBefore + place->arcAfter) / stretch : 0.0; // as the row has it
    }
    return rope;
}

// The tension at which a segment holds its rope.
static double tension_at_rest(const rvCable* cable, rvVec3 gravity, int first, int last, double rest)
{
    double weight = cable->massPerLength * rvLength(gravity);
    double low = 1e-6 * weight, high = fmax(weight, 1e-9) * rest;
    while (rope_at(cable, gravity, first, last, high) > rest && high < 1e15)
        high *= 4.0;
    for (int i = 0; i < 100 && high > low * (1.0 + 1e-14); ++i) {
        double middle = sqrt(low * high);
        if (rope_at(cable, gravity, first, last, middle) > rest)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// Tensions of all segments, each by the rope that it has, with the offsets that belong to them.
static void find_rest(rvCable* cable, rvVec3 gravity)
{
    rvRoute* route = &cable->route;
    double change = 1.0;
    for (int round = 0; round < 30 && change > 1e-13; ++round) {
        change = 0.0;
        for (int first = 0, last; first < route->spanCount; first = last) {
            last = rv_segment_end(route, first);
            bool whole = first == 0 && last == route->spanCount; // at creation only the whole is known
            double rest = whole ? cable->state.restLength : route->places[first].state.rest;
            double tension = tension_at_rest(cable, gravity, first, last, rest);
            change = fmax(change, fabs(route->places[first].state.tension - tension) / tension);
            for (int i = first; i < last; ++i) {
                route->places[i].state.tension = tension;
                rv_layered_sag(cable, i, tension + rv_layered_wave(cable, i)->offset, anywhere, gravity);
            }
        }
        rv_layered_weigh(cable, gravity);
    }
}

static void set_at_rest(rvCable* cable, int span, double tension, const rvSpanLie* lie)
{
    rvSpanWave* wave = rv_layered_wave(cable, span);
    const rvWaveTable* table = &cable->string->layer.table;
    double l = cable->string->layer.work[span].length, m = table->intervals;
    double least = 0.5 * lie->weight * l / lie->largest; // as the catenary is limited
    double factor = cable->massPerLength * l * l / (4.0 * fmax(tension, least) * m * m);
    rvVec3 across[2] = {wave->across, rvCross(wave->u, wave->across)}, gravity = rvScale(-lie->weight, lie->up);
    double* a = rv_layered_amplitudes(cable, span, 0);
    for (int d = 0; d < 2; ++d) {
        double field = rvDot(across[d], gravity) / cable->massPerLength, *y = a + 2 * d * table->stride;
        for (int k = 0; k < table->intervals - 1; k += 2)
            y[k] = factor * field * table->drive[k] / table->stiff[k];
        if (cable->string->layer.scheme == RV_WAVE_EXPLICIT) {
            rv_wave_to_points(table, y, y + table->stride);
            memcpy(y, y + table->stride, (size_t)table->stride * sizeof(double));
        }
    }
    wave->arc = rv_layered_wave_arc(cable, m * m / l, a);
}

void rv_layered_hang(rvCable* cable, rvVec3 gravity, bool straight)
{
    rvRoute* route = &cable->route;
    const rvWaveTable* table = &cable->string->layer.table;
    straight = straight || cable->loose || !(rvLength(gravity) > 0.0);
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        wave->u = route->spans[i].u;
        wave->across = rvAcross(wave->u);
        wave->length = cable->string->layer.work[i].length = fmax(route->spans[i].length, 1e-6);
        wave->offset = wave->arc = wave->lies = route->places[i].state.sag = 0.0;
        wave->feels = 1.0;
        memset(rv_layered_amplitudes(cable, i, 0), 0, rv_wave_size(table) * sizeof(double));
    }
    double rest = cable->state.restLength;
    double pulled = fmax(0.0, cable->axialStiffness * (route->length - rest) / rest);
    if (!straight)
        find_rest(cable, gravity);
    for (int i = 0; i < route->spanCount; ++i) {
        rvSpanLie lie = rv_layered_lie(cable, i, gravity);
        rvPlaceState* place = &route->places[i].state;
        double along = (straight ? pulled : place->tension) + rv_layered_wave(cable, i)->offset;
        if (straight)
            place->tension = cable->loose ? 0.0 : pulled;
        if (!straight)
            set_at_rest(cable, i, along, &lie);
        rv_layered_sag(cable, i, along, straight ? (rvReach){.poised = along} : anywhere, gravity);
    }
    share_rest(cable);
    for (int i = 0; i < route->spanCount; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        route->places[i].state.sag = wave->arc + wave->beyond - rv_layered_own_stretch(cable, i);
    }
}
