// SPDX-License-Identifier: MIT
// A rope that flows, while its route changes: places that come and go between steps; its state.
//
// A new place cuts the fall that it lies in at the point nearest to it (ale/ale_falls.c): what the rope does stays, so
// its tension does. From then on the rope flows through that point. Along itself the flow takes up what it is faster
// than the place's body,  p' = f + g (v_body - v).d/d^2,  v, d, f of the mesh at the cut; across itself it is stopped
// there. Where it is off the place it is led there within a few steps (come_near): a place is found by the chord
// of a fall, and a node that jumps makes a blow.
// A place that goes joins the falls beside it. What its body has still to get of past forces it gets (rvPush).
#include "cable/ale/ale_rope.h"

#include "base/hash.h"
#include "cable/fe/fe.h"
#include "cable/route/winch.h"

#define LEAST 1e-3        // of a fall: what a cut leaves on either side
#define TAUT 0.98         // what a cut may leave less of rope than of way, where all of it is taut
#define NEIGHBOUR 0.3     // of the shorter fall: how far away a contact may be that takes the place of another
#define TEAR 0.05         // of the pull: how much more of it a contact may make within a step as it slides on
#define STRAIGHTENED 0.5  // of the wished length: so short an end is turned into the rope beside it
#define SHORT_ELEMENT 0.1 // of the wished length: rope on a place that goes is an element if it is longer

// ---- where a place lies in a fall

static rvVec3 point_at(const rvAncf* ancf, int e, double x)
{
    double s[4], r[3];
    rv_ancf_shape(x, ancf->places[e + 1] - ancf->places[e], s);
    rv_ancf_blend(ancf->q, e, s, r);
    return rvVec(r[0], r[1], r[2]);
}

// The share of a fall at which it is nearest to a point.
static double nearest(const rvAleFall* fall, rvVec3 point)
{
    enum { PIECES = 8, HALVINGS = 40 };
    const rvAncf* ancf = fall->ancf;
    double best = HUGE_VAL, at = 0.0;
    for (int e = 0; e < ancf->elementCount; ++e) {
        double length = ancf->places[e + 1] - ancf->places[e];
        for (int i = 0; i < PIECES; ++i) {
            double low = (double)i / PIECES, high = (i + 1.0) / PIECES;
            for (int k = 0; k < HALVINGS && high - low > 1e-9; ++k) { // thirds: the distance falls, then grows
                double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
                *(rvDistance(point_at(ancf, e, a), point) < rvDistance(point_at(ancf, e, b), point) ? &high : &low) =
                    rvDistance(point_at(ancf, e, a), point) < rvDistance(point_at(ancf, e, b), point) ? b : a;
            }
            double x = 0.5 * (low + high), away = rvDistance(point_at(ancf, e, x), point);
            if (away < best) {
                best = away;
                at = (ancf->places[e] + x * length) / fall->mesh;
            }
        }
    }
    return at;
}

// ---- lists by place and by grip

static void open_gap(void* list, size_t size, int count, int at, int more)
{
    char* from = (char*)list + (size_t)at * size;
    memmove(from + (size_t)more * size, from, (size_t)(count - at) * size);
    memset(from, 0, (size_t)more * size);
}

static void close_gap(void* list, size_t size, int count, int at, int less)
{
    char* to = (char*)list + (size_t)at * size;
    memmove(to, to + (size_t)less * size, (size_t)(count - at - less) * size);
    memset((char*)list + (size_t)(count - less) * size, 0, (size_t)less * size);
}

typedef void (*Shift)(void* list, size_t size, int count, int at, int by);

// Place j and its two grips in all lists; n, grips: before.
static void shift_lists(rvAleRope* rope, Shift shift, int n, int j)
{
    int grips = 2 * (n - 1), first = 2 * j - 1;
    shift(rope->states, sizeof *rope->states, grips, first, 2);
    shift(rope->slides, sizeof *rope->slides, grips, first, 2);
    shift(rope->rims, sizeof *rope->rims, n, j, 1);
    shift(rope->arcs, sizeof(double), n, j, 1);
    shift(rope->arcs + rope->placeRoom, sizeof(double), n, j, 1);
    shift(rv_ale_rope_means(rope), 2 * sizeof(double), n, j, 1);
    shift(rv_ale_rope_shares(rope), sizeof(double), n, j, 1);
}

static void let_run_out(rvAleRope* rope, int k)
{
    const rvGrip* grip = &rope->grips[k];
    rvPush* push = NULL;
    if (!rv_ale_is_port(grip))
        return;
    for (int i = RV_PUSHES - 1; i >= 0; --i)
        if (rope->pushes[i].body == grip->body + 1 || (rope->pushes[i].body == 0.0 && !push))
            push = &rope->pushes[i];
    if (!push)
        return;
    push->body = grip->body + 1;
    for (int i = 0; i < 18; ++i)
        push->past[i / 6][i % 6] += rope->states[k].past[i / 6][i % 6];
}

// ---- places that go and come

// A step of it: how far the rope is off its place at its end, critically damped.
static rvVec3 come_near(rvAleSlide* slide, double h)
{
    static const double MOST = 0.2, NONE = 1e-9; // a step; [m]
    double rate = fmin(MOST, h / RV_ALE_SMOOTH), decay = exp(-rate);
    rvVec3 moved = rvMulAdd(rvScale(h, slide->offRate), rate, slide->off);
    slide->off = rvScale(decay, rvAdd(slide->off, moved));
    slide->offRate = rvMulAdd(rvScale(decay / h, moved), -rate / h, slide->off);
    if (rvLength(slide->off) < NONE && h * rvLength(slide->offRate) < NONE)
        slide->off = slide->offRate = rvVec(0, 0, 0);
    return slide->off;
}

// A crumb of rope between a place that goes and an end of the rope that passes it turns into the rope on the other
// side: at the end nothing holds its bend, and joined with it an element would be stretched by it.
static bool straighten_end(const rvAleRope* rope, int j)
{
    const rvAle* ale = rope->ale;
    bool straight = false;
    for (int end = 0; end < 2; ++end) {
        int f = end == RV_ALE_BEGIN ? 0 : ale->fallCount - 1, next = end == RV_ALE_BEGIN ? 1 : f - 1;
        if (j != (end == RV_ALE_BEGIN ? 1 : f) || rv_ale_fall_length(ale, f) > STRAIGHTENED * rope->wished ||
            rope->grips[2 * f + end].clamped)
            continue;
        const rvAncf *crumb = ale->falls[f].ancf, *rest = ale->falls[next].ancf;
        int at = 6 * rv_ale_end_node(&ale->falls[next], 1 - end) + 3;
        double size = sqrt(rv_ancf_dot3(rest->q + at, rest->q + at));
        for (int n = 0; n < crumb->nodeCount; ++n) {
            double *d = crumb->q + 6 * n + 3, scale = sqrt(rv_ancf_dot3(d, d)) / size;
            for (int c = 0; c < 3; ++c) {
                d[c] = scale * rest->q[at + c];
                crumb->v[6 * n + 3 + c] = scale * rest->v[at + c];
            }
        }
        straight = true;
    }
    return straight;
}

static void take_out(rvAleRope* rope, int j)
{
    int elements = rope->ale->falls[j - 1].ancf->elementCount;
    bool straight = rope->ale->fallCount > 1 && straighten_end(rope, j);
    for (int k = 2 * j - 1; k <= 2 * j; ++k)
        let_run_out(rope, k);
    int n = rope->ale->placeCount;
    rv_ale_join(rope->ale, j, SHORT_ELEMENT * rope->wished);
    if (straight && rope->ale->falls[j - 1].ancf->elementCount > 1)
        rv_ale_merge(rope->ale, j - 1, elements - 1);
    shift_lists(rope, close_gap, n, j);
    memmove(&rope->grips[2 * j - 1], &rope->grips[2 * j + 1], (size_t)(2 * n - 3 - 2 * j) * sizeof *rope->grips);
}

// The flow takes up what the rope is faster along itself than the place; across itself it is stopped there.
static void land(rvAle* ale, int j, rvVec3 speed)
{
    const rvAleFall* fall = &ale->falls[j - 1];
    int node = 6 * rv_ale_end_node(fall, RV_ALE_END);
    const double *at = fall->ancf->q + node, *rate = fall->ancf->v + node;
    double g = rv_ale_fall_length(ale, j - 1) / fall->mesh;
    rvVec3 d = rvVec(at[3], at[4], at[5]), slip = rvSub(speed, rvVec(rate[0], rate[1], rate[2]));
    double more = g * rvDot(slip, d) / rvDot(d, d);
    rv_ale_lead_mesh(ale, j - 1, 0.0, more);
    rv_ale_lead_mesh(ale, j, more, 0.0);
    ale->flow[RV_ALE_RATE][j] += more;
    const double numbers[3] = {speed.x, speed.y, speed.z};
    for (int end = 0; end < 2; ++end) {
        const rvAncf* ancf = ale->falls[j - end].ancf;
        node = 6 * rv_ale_end_node(&ale->falls[j - end], end);
        memcpy(ancf->v + node, numbers, sizeof numbers);
        memset(ancf->a + node, 0, sizeof numbers);
        memset(ancf->at + node, 0, sizeof numbers);
    }
}

// How far the rope is off the place at its two grips, in the axes of its body.
static void keep_off(rvCable* cable, int j, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    const rvPlace* place = &cable->route.places[j];
    rvQuat turned = place->body >= 0 ? bodies->items[place->body].state.q : rvQuatIdentity();
    for (int end = 0; end < 2; ++end) {
        const rvAleFall* fall = &rope->ale->falls[j - end];
        const double* q = fall->ancf->q + 6 * rv_ale_end_node(fall, end);
        rvAleSlide* slide = &rope->slides[2 * (j - end) + end];
        slide->off = rvRotateBack(turned, rvSub(rvVec(q[0], q[1], q[2]), end == RV_ALE_BEGIN ? place->out : place->in));
        slide->offRate = rvVec(0, 0, 0);
    }
}

// How fast a new place slides over its body: as the rope does across itself, without what it goes into the surface,
// whose normal is that of the rope's kink.
static rvVec3 speed_of_slide(const rvCable* cable, int j, rvVec3 body)
{
    const rvAle* ale = cable->rope->ale;
    const rvAleFall* fall = &ale->falls[j - 1];
    int node = 6 * rv_ale_end_node(fall, RV_ALE_END);
    const double *d = fall->ancf->q + node + 3, *v = fall->ancf->v + node;
    rvVec3 along = rvNormalizeOr(rvVec(d[0], d[1], d[2]), rvVec(1, 0, 0)), slip = rvSub(rvVec(v[0], v[1], v[2]), body);
    rvVec3 bend = rvSub(cable->route.spans[j].u, cable->route.spans[j - 1].u);
    slip = rvMulAdd(slip, -rvDot(slip, along), along); // that of the mesh is that of the rope but for what is along it
    bend = rvNormalizeOr(rvMulAdd(bend, -rvDot(bend, along), along), rvVec(0, 0, 0));
    return rvMulAdd(slip, -rvDot(slip, bend), bend);
}

// The share of fall j - 1 at which place j cuts it: where the rope is nearest to it, but so that either side has rope
// for its way, as taut as all of it is. (What hangs far off its chord is nearest by an end: the rest of it would have
// to be drawn out many times.)
static double cut_at(const rvCable* cable, int j, double arc)
{
    const rvRoute* route = &cable->route;
    const rvAle* ale = cable->rope->ale;
    double before = route->spans[j - 1].length, after = route->spans[j].length, rest = rv_ale_fall_length(ale, j - 1);
    for (int k = j + 1; k < route->spanCount && route->places[k].rank == 0; ++k)
        after += rv_ale_rope_arc(&route->places[k]) + route->spans[k].length;
    double scale = fmin(1.0 / rest, TAUT * (1.0 - arc) / fmax(before + after, 1e-300));
    double least = fmax(LEAST, scale * before), most = 1.0 - arc - fmax(LEAST, scale * after);
    return fmin(fmax(nearest(&ale->falls[j - 1], route->places[j].in), least), most);
}

static void put_in(rvCable* cable, int j, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    const rvPlace* place = &cable->route.places[j];
    double rest = rv_ale_fall_length(ale, j - 1), arc = rv_ale_rope_arc(place) * rope->arcShare / rest;
    arc = fmin(arc, 1.0 - 2.0 * LEAST);
    double from = cut_at(cable, j, arc);
    int n = ale->placeCount;
    rv_ale_cut(ale, j - 1, from, from + arc);
    ale->arcAim[j] = ale->flow[RV_ALE_P][ale->placeCount + j];
    shift_lists(rope, open_gap, n, j);
    rvVec3 speed = rv_place_speed(bodies, place, place->in);
    land(ale, j, rvAdd(speed, speed_of_slide(cable, j, speed)));
    keep_off(cable, j, bodies);
    rope->arcs[j] = rope->arcs[rope->placeRoom + j] = rv_ale_rope_arc(place);
    rv_ale_rope_shares(rope)[j] = rope->arcShare;
}

void rv_ale_rope_name_grips(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    rope->gripCount = 2 * cable->route.spanCount;
    for (int k = 0; k < rope->gripCount; ++k) {
        int j = k / 2 + k % 2;
        const rvPlace* place = &cable->route.places[j];
        rope->grips[k] = rv_grip_of(place, j, bodies);
        rope->grips[k].clamped = place->clamped && place->type == RV_PLACE_ATTACH;
        if (place->rank == 0) {
            rope->states[k] = (rvGripState){0};
            rope->slides[k].was = rope->slides[k].now = rv_ale_rope_local(cable, k, bodies);
        }
    }
    for (int j = 0; j < cable->route.placeCount; ++j)
        cable->route.places[j].rank = j + 1;
}

// How far it may slide: of a wheel or a round shape its radius, and as far as there is rope beside it, for where what
// the rope holds comes to the rim the way on to it runs around the wheel as fast as that straight rope ends; on an edge
// a tenth of the rope beside it: one that rope lies on nearly straight crosses it at any speed.
double rv_ale_rope_reach(const rvCable* cable, int j)
{
    const rvPlace* place = &cable->route.places[j];
    double least = HUGE_VAL;
    for (int f = j > 0 ? j - 1 : 0; f <= j && f < cable->route.spanCount; ++f)
        least = fmin(least, fmin(cable->route.spans[f].length, rv_ale_fall_length(cable->rope->ale, f)));
    if (rv_place_is_wheel(place))
        return fmin(place->radius, least);
    if (rv_ale_rope_arc(place) > 0.0 && place->turn > 1e-6)
        return rv_ale_rope_arc(place) / place->turn;
    return 0.1 * least;
}

// How far a tangent point slides along its wheel in a step of h where the rope lies in the wheel's plane, or comes out
// of that by no more than STEEP: as its carrier turns, and the spans beside it.
static double roll_of(const rvCable* cable, int j, const rvBodyStore* bodies, double h)
{
    static const double STEEP = 3.0, FEW = 0.02; // 1/cos of that angle; of the radius
    const rvRoute* route = &cable->route;
    const rvPlace* place = &route->places[j];
    double turn = 0.0, own = place->body >= 0 ? rvLength(bodies->items[place->body].state.w) : 0.0;
    for (int f = j > 0 ? j - 1 : 0; f <= j && f < route->spanCount; ++f) {
        const rvPlace *a = &route->places[f], *b = &route->places[f + 1];
        rvVec3 apart = rvSub(rv_place_speed(bodies, b, b->in), rv_place_speed(bodies, a, a->out));
        turn = fmax(turn, rvLength(apart) / route->spans[f].length);
    }
    return place->radius * fmax(STEEP * h * (own + turn), FEW);
}

// The end of a fall at a grip, in the axes of its body.
static rvVec3 end_of(const rvCable* cable, int k, const rvBodyStore* bodies)
{
    const rvAleFall* fall = &cable->rope->ale->falls[k / 2];
    const double* q = fall->ancf->q + 6 * rv_ale_end_node(fall, k % 2);
    int body = cable->rope->grips[k].body;
    rvVec3 at = rvVec(q[0], q[1], q[2]);
    return body < 0 ? at : rvRotateBack(bodies->items[body].state.q, rvSub(at, bodies->items[body].state.x));
}

// Would the rope be stretched by more than a little of its pull, if its end at a contact were `off` from where its
// motion takes it?
static bool tears(const rvCable* cable, int k, const rvBodyStore* bodies, rvVec3 off, double h)
{
    const rvAle* ale = cable->rope->ale;
    int j = k / 2 + k % 2;
    rvVec3 bend = rvSub(cable->route.spans[j - 1].u, cable->route.spans[j].u);
    int body = cable->rope->grips[k].body;
    off = body < 0 ? off : rvRotate(bodies->items[body].state.q, off);
    double length = rv_ale_fall_length(ale, j - 1) + rv_ale_fall_length(ale, j);
    double pull = fmax(cable->route.places[k / 2].state.endTension, ale->mass * rvLength(ale->gravity) * length);
    return ale->EA * (1.0 + ale->axialTime / h) * fabs(rvDot(off, bend)) > TEAR * pull * length;
}

// What of a way in the axes of a grip's body is across its span.
static rvVec3 across(const rvCable* cable, int k, const rvBodyStore* bodies, rvVec3 way)
{
    int body = cable->rope->grips[k].body;
    rvVec3 u = cable->route.spans[k / 2].u;
    u = body < 0 ? u : rvRotateBack(bodies->items[body].state.q, u);
    return rvMulAdd(way, -rvDot(way, u), u);
}

// Would the end of the rope on a wheel be thrown across itself by more than a little of its pull, `off` in a step from
// where its motion takes it? In its wheel's plane rope slides along itself. Where the wheel is turned out of that its
// tangent point goes across, and at any speed where its axis comes to lie along the rope: the rope's end was thrown to
// and fro then by metres a second, its body with it, which turned the wheel by more.
static bool throws(const rvCable* cable, int k, rvVec3 off, double h)
{
    const rvAle* ale = cable->rope->ale;
    const rvAleFall* fall = &ale->falls[k / 2];
    double length = rv_ale_fall_length(ale, k / 2), weight = ale->mass * rvLength(ale->gravity) * length;
    int e = k % 2 == RV_ALE_BEGIN ? 0 : fall->ancf->elementCount - 1;
    double mass = ale->mass * length * fall->elements[e].length / fall->mesh;
    return mass * rvLength(off) > TEAR * h * h * fmax(cable->route.places[k / 2].state.endTension, weight);
}

// Tangent points slide on as they did. The route leads contacts as rope without mass would lie: from one edge to the
// next they jump, or turn off at once. The rope's end goes on from where it is as fast as it does, and is led there.
static rvVec3 expect_end(rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    rvAleRope* rope = cable->rope;
    rvAleSlide* slide = &rope->slides[k];
    int j = rope->grips[k].place;
    const rvPlace* place = &cable->route.places[j];
    rvVec3 way = rv_ale_slides(place) ? rvSub(slide->now, slide->was) : rvVec(0, 0, 0), at = end_of(cable, k, bodies);
    double most = 0.5 * rv_ale_rope_reach(cable, j);
    if (rv_place_is_wheel(place))
        most = fmin(most, roll_of(cable, j, bodies, h));
    if (rv_ale_slides(place) && rvLength(way) >= most) { // it jumps
        double fast = h * rvLength(slide->rate) / most;
        way = rvScale(h / fmax(1.0, fast), slide->rate);
        slide->off = rvSub(at, slide->now);
        slide->offRate = rvVec(0, 0, 0);
    }
    rvAleSlide start = *slide;
    rvVec3 to = rvAdd(rvAdd(slide->now, way), come_near(slide, h)), off = rvSub(to, rvMulAdd(at, h, slide->rate));
    bool edge = place->type == RV_PLACE_CONTACT && rv_ale_rope_arc(place) == 0.0, wheel = rv_place_is_wheel(place);
    if (wheel)
        off = across(cable, k, bodies, off);
    if ((edge && tears(cable, k, bodies, off, h)) || (wheel && throws(cable, k, off, h))) {
        *slide = start;
        slide->off = rvSub(at, slide->now);
        slide->offRate = rvMulAdd(slide->rate, -1.0 / h, way);
        if (wheel) {
            slide->off = across(cable, k, bodies, slide->off);
            slide->offRate = across(cable, k, bodies, slide->offRate);
        }
        to = rvAdd(rvAdd(slide->now, way), come_near(slide, h));
        // as it is led across, without what it is put along: that turns across as the body does, as if it were thrown
        // out, and where a wheel turned by more than a fifth of a radian a step its rope was led away from it, by
        // metres
        if (wheel) {
            slide->rate = rvMulAdd(slide->offRate, 1.0 / h, way);
            return to;
        }
    }
    slide->rate = rvScale(1.0 / h, rvSub(to, at));
    return to;
}

// An arc that is to be `now` long: as its tangent points, it grows no faster than a wheel rolls along its rope, and is
// led there.
static double lead_arc(const rvCable* cable, int j, const rvBodyStore* bodies, double was, double now, double h)
{
    static const double MOST = 0.2; // of what is left, a step
    double roll = 2.0 * roll_of(cable, j, bodies, h), gap = now - was;
    if (fabs(gap) <= roll)
        return now;
    return was + copysign(roll + fmin(MOST, h / RV_ALE_SMOOTH) * (fabs(gap) - roll), gap);
}

// The grip at the drum of winch i.
static int drum_grip(const rvCable* cable, int i)
{
    return i == 0 ? 0 : cable->rope->gripCount - 1;
}

// The rope leaves a drum from another layer: its end is where it was, and is led to the new one as it slid so far.
static void change_layers(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    for (int i = 0; i < 2; ++i) {
        int j = rv_cable_winch_place(cable, i), k = drum_grip(cable, i);
        double radius = cable->route.places[j].radius, last = rope->rims[j].radius;
        rope->rims[j].radius = radius;
        if (!cable->winch[i].exists || last == 0.0 || radius == last)
            continue;
        rvAleSlide* slide = &rope->slides[k];
        double way = rope->arcs[rope->placeRoom + j] - rope->arcs[j];
        slide->was = rvSub(rope->grips[k].local, rvSub(slide->now, slide->was));
        slide->off = rvSub(end_of(cable, k, bodies), rope->grips[k].local);
        slide->offRate = rvVec(0, 0, 0);
        rope->arcs[j] = rv_ale_rope_arc(&cable->route.places[j]) - way;
        rope->rims[j].off = rvLength(slide->off);
        rope->rims[j].arcOff = rope->arcs[rope->placeRoom + j] - rv_ale_rope_arc(&cable->route.places[j]);
    }
}

// What the arc on a drum is still longer than on its layer, while the rope's end is led there [m].
static double arc_off(const rvCable* cable, int j)
{
    int i = rv_cable_winch_at(cable, j);
    const rvAleRim* rim = &cable->rope->rims[j];
    if (i < 0 || rim->off == 0.0)
        return 0.0;
    return rim->arcOff * rvLength(cable->rope->slides[drum_grip(cable, i)].off) / rim->off;
}

// Tangent points and arcs slide on as they did.
void rv_ale_rope_expect_slides(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    int places = cable->route.placeCount;
    change_layers(cable, bodies);
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGrip* grip = &rope->grips[k];
        rope->slides[k].now = grip->local;
        grip->local = expect_end(cable, k, bodies, h);
    }
    for (int j = 0; j < places; ++j) {
        const rvPlace* place = &cable->route.places[j];
        double now = rv_ale_rope_arc(place), way = now - rope->arcs[j];
        rope->arcs[rope->placeRoom + j] = now;
        if (place->on && fabs(way) < 0.5 * rv_ale_rope_reach(cable, j))
            now += way;
        now += arc_off(cable, j);
        double share = rv_ale_rope_arc_share(cable, j), was = ale->flow[RV_ALE_P][places + j] / share;
        ale->arcAim[j] =
            share * (rv_place_is_wheel(place) && place->on ? lead_arc(cable, j, bodies, was, now, h) : now);
        if (cable->state.broken != 0.0) // it lies on nothing any more
            ale->arcAim[j] = ale->flow[RV_ALE_P][places + j];
    }
}

// How much the rope turns at place `old` of the falls [rad].
static double kink_at(const rvAle* ale, int old)
{
    const rvAleFall* before = &ale->falls[old - 1];
    const double *a = before->ancf->q + 6 * rv_ale_end_node(before, RV_ALE_END) + 3, *b = ale->falls[old].ancf->q + 3;
    rvVec3 in = rvVec(a[0], a[1], a[2]), out = rvVec(b[0], b[1], b[2]);
    return atan2(rvLength(rvCross(in, out)), rvDot(in, out));
}

// May the rope be led from place `old` of the falls, a contact that goes, to the new one j?
static bool is_near(const rvCable* cable, int old, int j)
{
    const rvAleRope* rope = cable->rope;
    const rvAle* ale = rope->ale;
    const rvPlace* place = &cable->route.places[j];
    const rvAleFall* fall = &ale->falls[old - 1];
    const double* q = fall->ancf->q + 6 * rv_ale_end_node(fall, RV_ALE_END);
    double shorter = fmin(cable->route.spans[j - 1].length, cable->route.spans[j].length);
    bool arc = ale->flow[RV_ALE_P][ale->placeCount + old] > 0.0 || rv_ale_rope_arc(place) > 0.0;
    return place->type == RV_PLACE_CONTACT && place->body == rope->grips[2 * old].body && !arc &&
           rvDistance(rvVec(q[0], q[1], q[2]), place->in) < NEIGHBOUR * shorter;
}

// Rope that goes over from one edge to the next is bent on it as before: a contact that goes and one that comes next to
// it, between the same others, are one place. (Two falls that meet at an angle are no fall: elements have no kinks, and
// a mean of slopes would be shorter than both, a stretch that nothing made.)
static void pair_contacts(rvCable* cable, bool* paired)
{
    rvPlace* places = cable->route.places;
    const rvAle* ale = cable->rope->ale;
    int last = cable->route.spanCount, from = 1, old = 1; // of what came and of what was since the last one that stays
    for (int j = 1; j <= last; ++j) {
        if (j < last && places[j].rank == 0)
            continue;
        int until = j < last ? places[j].rank - 1 : ale->fallCount;
        for (int k = from; k < j; ++k) {
            int best = -1;
            for (int i = old; i < until; ++i)
                if (is_near(cable, i, k) && (best < 0 || kink_at(ale, i) > kink_at(ale, best)))
                    best = i;
            if (best < 0)
                continue;
            places[k].rank = best + 1;
            paired[k] = true;
            old = best + 1;
        }
        from = j + 1;
        old = until + 1;
    }
}

// A contact slides on as the rope there does.
static void let_slide(rvCable* cable, int j, const rvBodyStore* bodies)
{
    const rvPlace* place = &cable->route.places[j];
    const double* v = cable->rope->ale->falls[j].ancf->v;
    rvVec3 way = rvScale(cable->rope->h, rvSub(rvVec(v[0], v[1], v[2]), rv_place_speed(bodies, place, place->in)));
    way = place->body >= 0 ? rvRotateBack(bodies->items[place->body].state.q, way) : way;
    for (int k = 2 * j - 1; k <= 2 * j; ++k) {
        rvAleSlide* slide = &cable->rope->slides[k];
        slide->now = rv_ale_rope_local(cable, k, bodies);
        slide->was = rvSub(slide->now, way);
        slide->rate = rvScale(1.0 / cable->rope->h, way);
    }
}

// Of pairs the rope is where it was, and is led from there.
static void begin_slides(rvCable* cable, const bool* fresh, const bool* paired, const rvBodyStore* bodies)
{
    for (int j = 1; j < cable->route.spanCount; ++j) {
        if (paired[j])
            keep_off(cable, j, bodies);
        if ((fresh[j] || paired[j]) && cable->route.places[j].type == RV_PLACE_CONTACT)
            let_slide(cable, j, bodies);
    }
}

static void new_tensions(rvCable* cable, const bool* fresh)
{
    rvAleRope* rope = cable->rope;
    double* mean = rv_ale_rope_means(rope);
    for (int j = 1; j < cable->route.spanCount; ++j)
        if (fresh[j]) {
            mean[2 * j] = fmax(0.0, rv_ale_rope_end_tension(rope, j - 1, RV_ALE_END));
            mean[2 * j + 1] = fmax(0.0, rv_ale_rope_end_tension(rope, j, RV_ALE_BEGIN));
        }
    rv_ale_rope_tensions(cable);
}

void rv_ale_rope_follow_route(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    const rvRoute* route = &cable->route;
    if (!rope->laid) {
        rv_ale_rope_lay_falls(cable);
        rv_ale_rope_name_grips(cable, bodies);
        rv_ale_rope_match(cable, bodies);
        return;
    }
    bool stays[RV_ALE_MAX_FALLS + 1] = {false}, fresh[RV_ALE_MAX_FALLS + 1] = {false}, changed = false;
    bool paired[RV_ALE_MAX_FALLS + 1] = {false};
    pair_contacts(cable, paired);
    for (int j = 0; j < route->placeCount; ++j) {
        if (j > 0 && j < route->spanCount && route->places[j].rank > 0)
            stays[route->places[j].rank - 1] = true;
        changed = changed || route->places[j].rank != j + 1;
    }
    if (!changed && route->spanCount == rope->ale->fallCount) {
        begin_slides(cable, fresh, paired, bodies);
        return;
    }
    double before = rv_ale_rope_held(rope);
    rvVec3 kinks[RV_ALE_MAX_FALLS];
    int count = 0;
    for (int j = rope->ale->fallCount - 1; j > 0; --j)
        if (!stays[j]) {
            const double* q = rope->ale->falls[j].ancf->q;
            kinks[count] = rvVec(q[0], q[1], q[2]);
            count += rv_ale_rope_sags(rope->ale, j - 1) || rv_ale_rope_sags(rope->ale, j);
            take_out(rope, j);
        }
    for (int j = 1; j < route->spanCount; ++j) {
        fresh[j] = route->places[j].rank == 0;
        if (fresh[j])
            put_in(cable, j, bodies);
    }
    rv_ale_rope_name_grips(cable, bodies);
    begin_slides(cable, fresh, paired, bodies);
    rv_ale_rope_match(cable, bodies);
    new_tensions(cable, fresh);
    rv_ale_rope_settle_route(cable, before, kinks, count);
    new_tensions(cable, fresh);
}

// ---- another route between steps

rvVec3 rv_ale_rope_gap(const rvCable* cable, int k)
{
    const rvAleFall* fall = &cable->rope->ale->falls[k / 2];
    const double* q = fall->ancf->q + 6 * rv_ale_end_node(fall, k % 2);
    const rvPlace* place = &cable->route.places[k / 2 + k % 2];
    return rvSub(k % 2 == RV_ALE_BEGIN ? place->out : place->in, rvVec(q[0], q[1], q[2]));
}

// The ways of a fall's ends to where they are attached, into `way`: false where one is not near.
static bool lay_way(const rvCable* cable, int fall, double most, double* way)
{
    const rvAleFall* f = &cable->rope->ale->falls[fall];
    bool near = true;
    memset(way, 0, (size_t)(f->ancf->dofCount + 6) * sizeof(double));
    for (int end = 0; end < 2; ++end) {
        const rvPlace* place = &cable->route.places[fall + end];
        int node = rv_ale_end_node(f, end);
        if (place->type != RV_PLACE_ATTACH || cable->rope->grips[2 * fall + end].off)
            continue;
        rvVec3 gap = rv_ale_rope_gap(cable, 2 * fall + end);
        near = near && rvLength(gap) <= rv_fe_near(f->ancf, node, most);
        way[6 * node] = gap.x;
        way[6 * node + 1] = gap.y;
        way[6 * node + 2] = gap.z;
    }
    return near;
}

// Ends that are elsewhere, but near, draw their falls along; what flows stays where it is.
static bool draw(rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    double most = cable->def.collides ? 0.5 * cable->diameter : HUGE_VAL;
    bool drawn = true;
    rv_ale_rope_hold_ports(rope);
    for (int f = 0; f < ale->fallCount && drawn; ++f) {
        double* way = ale->falls[f].ancf->work[1];
        rv_ale_set_scale(ale, f, ale->flow[RV_ALE_P]);
        drawn = lay_way(cable, f, most, way) && rv_ancf_draw(ale->falls[f].ancf, way, most);
    }
    rv_ale_rope_let_ports_go(rope);
    if (drawn) { // the guard begins anew
        rv_ale_rope_note_energies(cable);
        memset(ale->above, 0, RV_ALE_GUARD_NUMBERS * sizeof(double));
    }
    return drawn;
}

void rv_ale_rope_follow(rvCable* cable, const rvBodyStore* bodies)
{
    double gap = 0.0, running = 0.0, slack = 0.0; // running: where it is not attached
    if (cable->rope->gripCount != 2 * cable->route.spanCount)
        rv_ale_rope_name_grips(cable, bodies);
    for (int k = 0; k < cable->rope->gripCount; ++k)
        if (!cable->rope->grips[k].off) {
            const rvPlace* place = &cable->route.places[k / 2 + k % 2];
            double off = fabs(rvLength(rv_ale_rope_gap(cable, k)) - rvLength(cable->rope->slides[k].off));
            gap = fmax(gap, off);
            running = fmax(running, place->type == RV_PLACE_ATTACH ? 0.0 : off);
            slack = fmax(slack, rv_ale_slides(place) ? 1e-3 : 1e-6);
        }
    slack *= cable->state.restLength;
    cable->hangsAnew = gap > slack && (running > slack || !draw(cable));
    if (cable->hangsAnew)
        rv_ale_rope_hang(cable, bodies, cable->rope->ale->gravity, false);
}

// The falls of the old rope, and all that belongs to its places.
static void take_over(rvAleRope* rope, const rvAleRope* old)
{
    rvAle *to = rope->ale, *from = old->ale;
    int n = from->placeCount;
    rv_ale_set_falls(to, from->fallCount);
    for (int f = 0; f < from->fallCount; ++f) {
        const rvAncf* ancf = from->falls[f].ancf;
        rv_ale_lay_mesh(to, f, from->falls[f].meshState + 1, ancf->elementCount);
        memcpy(to->falls[f].ancf->state, ancf->state, (size_t)ancf->stateCount * sizeof(double));
    }
    for (int i = 0; i < RV_ALE_VECTORS; ++i)
        memcpy(to->flow[i], from->flow[i], 2 * (size_t)n * sizeof(double));
    *to->kinetic = *from->kinetic;
    *to->floor = *from->floor;
    memcpy(to->was, from->was, 3 * sizeof(double));
    memcpy(to->above, from->above, RV_ALE_GUARD_NUMBERS * sizeof(double));
    to->gravity = from->gravity;
    to->options = from->options;
    to->time = from->time;
    to->ranOut = -1;
    memcpy(rope->grips, old->grips, 2 * (size_t)(n - 1) * sizeof *rope->grips);
    memcpy(rope->states, old->states, 2 * (size_t)(n - 1) * sizeof *rope->states);
    memcpy(rope->slides, old->slides, 2 * (size_t)(n - 1) * sizeof *rope->slides);
    memcpy(rope->rims, old->rims, (size_t)n * sizeof *rope->rims);
    for (int part = 0; part < 2; ++part)
        memcpy(rope->arcs + part * rope->placeRoom, old->arcs + part * old->placeRoom, (size_t)n * sizeof(double));
    memcpy(rv_ale_rope_means(rope), rv_ale_rope_means((rvAleRope*)old), 2 * (size_t)n * sizeof(double));
    memcpy(rv_ale_rope_shares(rope), rv_ale_rope_shares((rvAleRope*)old), (size_t)n * sizeof(double));
    memcpy(rope->drawn, old->drawn, sizeof rope->drawn);
    memcpy(rope->quicker, old->quicker, sizeof rope->quicker);
    memcpy(rope->braked, old->braked, sizeof rope->braked);
    memcpy(rope->pushes, old->pushes, sizeof rope->pushes);
    const rvTouches* was = &old->touches.list;
    if (was->guessCount > 0 && was->guessCount == rope->touches.list.guessCount)
        memcpy(rope->touches.list.guesses, was->guesses, (size_t)was->guessCount * sizeof *was->guesses);
    rope->arcShare = old->arcShare;
}

rvStatus rv_ale_rope_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory,
                             rvError* error)
{
    const rvAleRope* old = cable->rope;
    bool spliced = false;
    for (int j = 0; j < copy->route.placeCount; ++j)
        spliced = spliced || copy->route.places[j].rank < 0;
    rvStatus status = rv_ale_rope_make(copy, &copy->def, memory, error, old);
    if (status != RV_OK)
        return status;
    rvAleRope* rope = copy->rope;
    if (spliced) { // of two ropes: it hangs anew
        rv_ale_rope_follow_route(copy, bodies);
        rv_ale_rope_hang(copy, bodies, old->ale->gravity, false);
        copy->hangsAnew = true;
        return RV_OK;
    }
    rope->laid = true;
    take_over(rope, old);
    for (int k = 0; k < old->gripCount; ++k) // bodies that are unhooked get nothing more
        rope->grips[k].off = true;
    rv_ale_rope_follow_route(copy, bodies);
    rv_ale_rope_follow(copy, bodies);
    return RV_OK;
}

// ---- state

// Pieces of the state, in order; answers how many there are.
static void visit_fall(rvAle* ale, int f, rvVisitor* v)
{
    rvAncf* ancf = ale->falls[f].ancf;
    rv_visit_numbers(v, "elements", ancf->state, (size_t)ancf->stateCount * sizeof(double));
}

// The state of nodes lies on meshes, which the state of the rope holds.
static void lay_meshes(rvCable* cable)
{
    rvAle* ale = cable->rope->ale;
    for (int f = 0; f < ale->fallCount; ++f) {
        const double* mesh = ale->falls[f].meshState;
        double lengths[RV_ALE_MESH];
        bool sound = mesh[0] >= 1.0 && mesh[0] <= ale->falls[f].room;
        int n = sound ? (int)mesh[0] : ale->falls[f].ancf->elementCount;
        memcpy(lengths, mesh + 1, (size_t)n * sizeof(double));
        rv_ale_lay_mesh(ale, f, lengths, n);
    }
}

void rv_ale_rope_visit(rvCable* cable, rvVisitor* v)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    size_t places = (size_t)rope->placeRoom, grips = 2 * places - 2, size = (size_t)ale->stateCount * sizeof(double);
    bool all = v->kind == RV_VISIT_SIZE || v->kind == RV_VISIT_CHECK;
    if (v->kind == RV_VISIT_READ) {
        rope->gripCount = 0; // they are named when the bodies are known
        rv_ale_set_falls(ale, cable->route.spanCount);
        for (int j = 0; j < ale->placeCount; ++j)
            cable->route.places[j].rank = j + 1;
        memcpy(ale->state, v->from, size);
        lay_meshes(cable);
    }
    rv_visit_numbers(v, "rope", ale->state, size);
    rv_visit_numbers(v, "forces of its grips", rope->states, grips * sizeof *rope->states);
    rv_visit_numbers(v, "slides", rope->slides, grips * sizeof *rope->slides);
    rv_visit_numbers(v, "arcs", rope->arcs, RV_ALE_ARC_NUMBERS(places) * sizeof(double));
    rv_visit_numbers(v, "rims", rope->rims, places * sizeof *rope->rims);
    rv_visit_numbers(v, "drawn", rope->drawn, sizeof rope->drawn);
    rv_visit_numbers(v, "quicker", rope->quicker, sizeof rope->quicker);
    rv_visit_numbers(v, "braked", rope->braked, sizeof rope->braked);
    rv_visit_numbers(v, "forces on shapes", rope->pushes, sizeof rope->pushes);
    const rvTouches* touches = &rope->touches.list;
    rv_visit_numbers(v, "contact forces", touches->guesses, (size_t)touches->guessCount * sizeof *touches->guesses);
    for (int f = 0; f < ale->fallRoom; ++f) {
        if (all || f < ale->fallCount)
            visit_fall(ale, f, v);
        else
            rv_visit_gap(v, (size_t)ale->falls[f].ancf->stateCount * sizeof(double));
    }
}
