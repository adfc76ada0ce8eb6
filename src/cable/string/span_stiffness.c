// SPDX-License-Identifier: MIT
// Geometric stiffness of spans: what keeps a light hook under a heavy load stable at 60 Hz.
//
// A span with tension T and length l resists the relative transverse motion of its ends with T/l. Left explicit this is
// unstable for h^2 T/(l m) > 4. Two rows a span carry it by the average-acceleration rule, weight c:
//   t . (v_B' - v_A') + (4 l/(c h^2 T)) y = t . (v_B - v_A)         for two t across the span
// With constant T these rows give back what they took. Where T rose while the ends moved they would give more, so each
// span keeps a *tank* of what was taken; one that owes energy keeps only a share of t . (v_B - v_A) on the right side,
// which takes energy, until it is even. So the rows never make any.
// A light body between stiff spans also gets its *kink* damped, two more rows for the body:
//   J v' + y/(h^2 k) = 0,  J v = sum_i w_i t . (v_here,i - v_there,i),  k_i = T_i/l_i,  k = sum k_i,  w_i = k_i/k
// J v is the speed of the body across the line through its neighbours: it is zero for a swing of the straight cable, so
// the swing is left alone. Both only where h^2 T/(l m) is not small: ordinary cables keep their one row.
// A wheel that the rope has left holds nothing: the spans beside it are one, from the place before it to the one
// after.
#include "cable/string/span_stiffness.h"

#include "cable/core/model.h"
#include "cable/route/route.h"

// h^2 T/(l m) at which a span gets its rows, and below which it loses them again: apart, so that rows do not come and
// go.
#define STIFF_ON 0.1
#define STIFF_OFF 0.02
#define STIFF_LEAST 1e-6 // for spans that owe energy
#define MOST_PAID 0.5    // share of the speed that they give up at most in a step

static double inverse_mass(const rvBodyStore* bodies, const rvPlace* place)
{
    return place->slot >= 0 ? bodies->inverse[place->body][0] : 0.0;
}

// The place where the span from place i on ends.
static int end_of(const rvRoute* route, int i)
{
    int end = i + 1;
    while (end < route->spanCount && !route->places[end].on)
        end += 1;
    return end;
}

static double length_of(const rvRoute* route, int span)
{
    double length = 0.0;
    for (int i = span, end = end_of(route, span); i < end; ++i)
        length += route->spans[i].length;
    return length;
}

static double span_rate(const rvCable* cable, int span)
{
    double length = length_of(&cable->route, span);
    return length > 0.0 ? fmax(0.0, rv_cable_tension(cable, span)) / length : 0.0;
}

int rv_span_stiffness_count(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    cable->stiffCount = 0;
    if (context->geometricStiffness <= 0.0)
        return 0;
    rvRoute* route = &cable->route;
    double h2 = context->h * context->h;
    int count = 0;
    for (int i = 0; i < route->spanCount; ++i) {
        double w = inverse_mass(bodies, &route->places[i]) + inverse_mass(bodies, &route->places[end_of(route, i)]);
        double ratio = w > 0.0 && route->places[i].on ? h2 * span_rate(cable, i) * w : 0.0;
        rvPlaceState* state = &route->places[i].state;
        // one that owes energy keeps its rows as long as they hold anything
        bool stiff = ratio > (state->tank < 0.0 ? STIFF_LEAST : state->stiff != 0.0 ? STIFF_OFF : STIFF_ON);
        state->stiff = stiff ? 1.0 : 0.0;
        count += stiff;
    }
    cable->stiffCount = count;
    return count;
}

// The end of a span at a place: the way out where the span begins there, else the way in.
static rvVec3 arm_of(const rvPlace* place, bool begins)
{
    return begins ? place->armOut : place->armIn;
}

// Adds factor * t . (velocity of the body at `arm`) to a Jacobian row.
static void add_point(double j[6], rvVec3 arm, double factor, rvVec3 t)
{
    rvVec3 turning = rvCross(arm, t);
    j[0] += factor * t.x;
    j[1] += factor * t.y;
    j[2] += factor * t.z;
    j[3] += factor * turning.x;
    j[4] += factor * turning.y;
    j[5] += factor * turning.z;
}

static double speed_of(const rvBodyStore* bodies, const rvPlace* place, bool begins, rvVec3 t)
{
    if (rv_place_is_crossing(place))
        return rvDot(t, place->state.node.out);
    if (place->slot < 0)
        return 0.0;
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvDot(t, rvAdd(s->v, rvCross(s->w, arm_of(place, begins))));
}

void rv_span_stiffness_write(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                             int group, int first)
{
    rvRoute* route = &cable->route;
    double weight = 0.25 * context->geometricStiffness * context->h * context->h;
    int row = first;
    for (int i = 0; i < route->spanCount; ++i) {
        if (route->places[i].state.stiff == 0.0)
            continue;
        const rvPlace* a = &route->places[i];
        const rvPlace* b = &route->places[end_of(route, i)];
        rvVec3 t[2];
        t[0] = rvAcross(route->spans[i].u);
        t[1] = rvCross(route->spans[i].u, t[0]);
        double speed[2], square = 0.0;
        for (int k = 0; k < 2; ++k) {
            speed[k] = speed_of(bodies, b, false, t[k]) - speed_of(bodies, a, true, t[k]);
            square += speed[k] * speed[k];
        }
        double stiffness = weight * span_rate(cable, i), debt = -route->places[i].state.tank;
        double keep = 1.0 - (debt > 0.0 ? fmin(MOST_PAID, debt / (stiffness * square + 1e-300)) : 0.0);
        route->places[i].kept = keep;
        for (int k = 0; k < 2; ++k, ++row) {
            rv_route_add_point(a, a->armOut, -1.0, t[k], rows, group, row);
            rv_route_add_point(b, b->armIn, 1.0, t[k], rows, group, row);
            rvRow* r = &rv_group_rows(rows, group)[row];
            r->compliance = 1.0 / stiffness;
            r->bias = keep * speed[k];
        }
    }
}

void rv_span_stiffness_read(rvCable* cable, const rvRows* rows, int group, int first)
{
    const rvRow* row = rv_group_rows(rows, group) + first;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvPlace* place = &cable->route.places[i];
        place->taken = 0.0;
        for (int k = 0; k < 2 && place->state.stiff != 0.0; ++k, ++row)
            place->taken -= 0.5 * row->impulse * (row->bias / place->kept + row->bias - row->compliance * row->impulse);
    }
}

void rv_span_stiffness_advance(rvCable* cable)
{
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvPlace* place = &cable->route.places[i];
        if (place->state.stiff != 0.0 && cable->group >= 0)
            place->state.tank += place->taken;
        else
            place->state.tank = fmin(place->state.tank, 0.0);
    }
}

static const rvPlace* place_at(const rvCableStore* store, const rvSpanEnd* end, bool start)
{
    const rvRoute* route = &store->items[end->cable].route;
    return &route->places[start ? end->span : end_of(route, end->span)];
}

static const rvPlace* place_here(const rvCableStore* store, const rvSpanEnd* end)
{
    return place_at(store, end, end->atStart);
}

static const rvPlace* place_there(const rvCableStore* store, const rvSpanEnd* end)
{
    return place_at(store, end, !end->atStart);
}

// Sorts the ends of stiff spans by body: lists from firstEnd[body] on. Answers how many there are.
static int list_ends(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int i = 0; i < bodies->pool.count; ++i)
        store->firstEnd[i] = -1;
    int count = 0;
    for (int c = 0; c < store->pool.count; ++c) {
        const rvCable* cable = &store->items[c];
        if (!rv_id_pool_alive(&store->pool, c) || cable->group < 0 || cable->stiffCount == 0)
            continue;
        for (int i = 0; i < cable->route.spanCount; ++i)
            for (int side = 0; side < 2; ++side) {
                int end = end_of(&cable->route, i), body = cable->route.places[side == 0 ? i : end].body;
                bool crosses = rv_place_is_crossing(&cable->route.places[side == 0 ? end : i]);
                if (cable->route.places[i].state.stiff == 0.0 || crosses || body < 0 ||
                    !rv_body_is_pushed(&bodies->items[body]))
                    continue;
                store->ends[count] = (rvSpanEnd){c, i, side == 0, store->firstEnd[body]};
                store->firstEnd[body] = count++;
            }
    }
    return count;
}

// The bodies of a kink: the light one first, then those at the far ends. Answers how many.
static int kink_bodies(const rvCableStore* store, const rvBodyStore* bodies, int body)
{
    int* list = store->kinkBodies;
    int count = 1;
    list[0] = body;
    for (int e = store->firstEnd[body]; e >= 0; e = store->ends[e].next) {
        int other = place_there(store, &store->ends[e])->body;
        if (other < 0 || !rv_body_moves(&bodies->items[other]))
            continue;
        int slot = 0;
        while (slot < count && list[slot] != other)
            slot += 1;
        if (slot == count)
            list[count++] = other;
    }
    return count;
}

rvPlace* rv_kink_place(const rvCableStore* store, int owner, int body)
{
    for (int e = store->firstEnd[owner]; e >= 0; e = store->ends[e].next) {
        const rvSpanEnd* end = &store->ends[e];
        rvRoute* route = &store->items[end->cable].route;
        int ends[] = {end->span, end_of(route, end->span)};
        for (int i = 0; i < 2; ++i)
            if (route->places[ends[i]].body == body)
                return &route->places[ends[i]];
    }
    return NULL;
}

static void write_kink(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                       int body, double k, rvVec3 along)
{
    int bodyCount = kink_bodies(store, bodies, body);
    int group = rv_rows_add(rows, RV_GROUP_KINK, body, 2, store->kinkBodies, bodyCount);
    if (group < 0)
        return;
    rows->groups[group].ownCount = 2;
    rvVec3 t[2];
    t[0] = rvAcross(along);
    t[1] = rvCross(along, t[0]);
    for (int e = store->firstEnd[body]; e >= 0; e = store->ends[e].next) {
        const rvSpanEnd* end = &store->ends[e];
        const rvPlace* there = place_there(store, end);
        double w = span_rate(&store->items[end->cable], end->span) / k;
        int slot = 0;
        while (slot < bodyCount && store->kinkBodies[slot] != there->body)
            slot += 1;
        for (int i = 0; i < 2; ++i) {
            add_point(rv_group_jacobian(rows, group, 0)[i], arm_of(place_here(store, end), end->atStart), w, t[i]);
            if (slot < bodyCount)
                add_point(rv_group_jacobian(rows, group, slot)[i], arm_of(there, !end->atStart), -w, t[i]);
        }
    }
    for (int i = 0; i < 2; ++i)
        rv_group_rows(rows, group)[i].compliance = 1.0 / (context->h * context->h * k);
}

void rv_kinks_write(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows)
{
    if (context->geometricStiffness <= 0.0)
        return;
    int ends = list_ends(store, bodies);
    for (int body = 0; ends > 0 && body < bodies->pool.count; ++body) {
        int first = store->firstEnd[body];
        if (first < 0 || store->ends[first].next < 0)
            continue;
        double k = 0.0, strongest = -1.0;
        rvVec3 along = rvVec(0, 0, 1);
        for (int e = first; e >= 0; e = store->ends[e].next) {
            const rvCable* cable = &store->items[store->ends[e].cable];
            k += span_rate(cable, store->ends[e].span);
            if (cable->peakTension > strongest) {
                strongest = cable->peakTension;
                along = cable->route.spans[store->ends[e].span].u;
            }
        }
        if (context->h * context->h * k * bodies->inverse[body][0] > STIFF_OFF)
            write_kink(store, bodies, context, rows, body, k, along);
    }
}

// Did the tension of a span that is stiff, or should be, change so much that its rows were wrong?
bool rv_cables_changed(const rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    double h2 = context->h * context->h;
    for (int c = 0; c < store->pool.count; ++c) {
        const rvCable* cable = &store->items[c];
        if (!rv_id_pool_alive(&store->pool, c) || cable->group < 0)
            continue;
        if (cable->again)
            return true;
        double now = cable->peakTension, used = cable->usedTension;
        if (fabs(now - used) <= RV_PASS_TOLERANCE * fmax(now, used))
            continue;
        for (int i = 0; i < cable->route.spanCount; ++i) {
            const rvPlace* a = &cable->route.places[i];
            double w = inverse_mass(bodies, a) + inverse_mass(bodies, &cable->route.places[end_of(&cable->route, i)]);
            if (rv_place_is_crossing(a)) // its mass was made with the tension that was
                return true;
            if (a->on && h2 * fmax(now, used) * w > STIFF_ON * length_of(&cable->route, i))
                return true;
        }
    }
    return false;
}

// ---- geometric stiffness: the tension of a taut cable turns with its spans, and so do the forces on its bodies

// The turning of a body's span: of the line from its centre to the centre of the body (or to the place) at the other
// end. By the centres: the turning of a short span by its own ends would follow the body's own.
static rvVec3 span_turning(const rvPlace* here, const rvPlace* there, const rvBodyStore* bodies, double arm)
{
    const rvBodyState* s = &bodies->items[here->body].state;
    bool moves = there->slot >= 0;
    rvVec3 x = moves ? bodies->items[there->body].state.x : there->point;
    rvVec3 v = moves ? bodies->items[there->body].state.v : rvVec(0, 0, 0);
    if (rv_place_is_crossing(there))
        v = there->state.node.out;
    rvVec3 d = rvSub(x, s->x);
    return rvScale(1.0 / fmax(rvDot(d, d), arm * arm), rvCross(d, rvSub(v, s->v)));
}

static void add_span_drag(const rvRoute* route, int k, int other, rvVec3 arm, double tension, rvBodyStore* bodies,
                          double h)
{
    const rvPlace* place = &route->places[k];
    double size = rvLength(arm);
    if (tension * size > 0.0)
        rv_body_add_span_drag(&bodies->items[place->body], arm, tension,
                              span_turning(place, &route->places[other], bodies, size), h);
}

void rv_string_add_stiffness(const rvCable* cable, rvBodyStore* bodies, const rvStepContext* step)
{
    const rvRoute* route = &cable->route;
    if (!(cable->peakTension > 0.0 && step->geometricStiffness > 0.0))
        return;
    for (int k = 0; k < route->placeCount; ++k) {
        const rvPlace* place = &route->places[k];
        if (place->slot < 0 || !place->on || !rv_body_is_pushed(&bodies->items[place->body]))
            continue;
        double before = k > 0 ? rv_cable_tension(cable, k - 1) : 0.0;
        double after = k < route->spanCount ? rv_cable_tension(cable, k) : 0.0;
        rvBody* body = &bodies->items[place->body];
        if (before != 0.0)
            rv_body_add_stiffness(body, place->armIn, rv_route_force_in(route, k, before));
        if (after != 0.0)
            rv_body_add_stiffness(body, place->armOut, rv_route_force_out(route, k, after));
        if (place->before >= 0 && before > 0.0)
            add_span_drag(route, k, place->before, place->armIn, before, bodies, step->h);
        if (place->after >= 0 && after > 0.0)
            add_span_drag(route, k, place->after, place->armOut, after, bodies, step->h);
    }
}
