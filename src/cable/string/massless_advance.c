// SPDX-License-Identifier: MIT
// The inside of the massless cable after the bodies moved: rest lengths of its segments.
//
// What slips over junctions is shared by massless_share.c.
// A segment between sticking junctions keeps its rest length bit for bit. A wheel that turned by a = r h (spin) carried
// rope from the segment before it to the one after; the mark that parts them stays with the carrier, so a/(1 + T/EA) of
// rest length goes along.
//
// Turning. Within a step bodies move straight and the rope turns, so it grows by q ~ (h v)^2/(2 l), v across it, more
// than its row saw: dl = h G v' + q. The work of the tension on the bodies goes by G alone, half of it from the row of
// this step and half from that of the next: so the stretch at the middle, by which V is read and the next row is
// biased, is
//   p = phi - h rate/2 = phi_before + h G v'/2,   rate = (dl + q)/h = 2 dl/h - G v'
// With phi_before + dl/2 in its place each change of T beside a q made energy from nothing. What is left over is the
// error of the trapezoidal rule, dl - h (G + G') v'/2: of third order (past an eye of first, see massless_pass.c). No
// row sees it: it is laid, and what the tension does along it is heat.
//
// The books. With p the stretch at the middle of a step, N -> N' the rest length and T = EA (p + p')/(2 N), as the row
// has it without damping, the stretch energy V = EA p^2/(2 N) changes in a step by
//   V' - V = T (p' - p) - e (N' - N),   e = EA p'^2/(2 N N')
// T (p' - p) is what bodies, winches and slip put in by T times their way between the middles. So a metre of rest
// length that enters takes e beside T from whoever sends it: winch (winch.c) or junction. What is left over is
// damping's heat.
#include "cable/string/massless.h"

#include "cable/string/span_stiffness.h"

#define PART 0.1    // of a segment, that may go in a step by its row, off by that share of its tension then: chosen
#define ASTRAY 1e-3 // of a cable: more of it that is neither stretch nor rope was not followed, as in massless_unpaid.c
#define SHORTEST RV_MASSLESS_SHORTEST

// The rope of a junction that was left joins the segment before it.
static void drop_left_junctions(rvCable* cable)
{
    int count = 1;
    for (int k = 1; k < cable->string->segmentCount; ++k) {
        rvPlace* place = rv_massless_junction(cable, k);
        rvSegment* from = &cable->string->segments[k];
        rvSegment* to = &cable->string->segments[count - 1];
        if (place->on) {
            cable->string->segments[count++] = *from;
            continue;
        }
        rvPlaceState* a = &cable->route.places[to->first].state;
        rvPlaceState* b = &cable->route.places[from->first].state;
        double rest = a->rest + b->rest, rate = a->rate + b->rate, laid = a->laid + b->laid;
        to->stretch += from->stretch;
        to->seen += from->seen;
        to->seenBefore += from->seenBefore;
        to->grown += from->grown;
        to->middle += from->middle;
        to->stored += from->stored;
        to->restBefore += from->restBefore;
        int first = from->first < to->first ? from->first : to->first;
        to->last = from->last > to->last ? from->last : to->last;
        to->first = first;
        a->rest = a->rate = a->laid = b->rest = b->rate = b->laid = 0.0;
        cable->route.places[first].state.rest = rest;
        cable->route.places[first].state.rate = rate;
        cable->route.places[first].state.laid = laid;
        place->state.isJunction = 0.0;
        place->state.slip = 0.0;
    }
    cable->string->segmentCount = count;
}

// A winch took more than was left between it and the next junction: the rest comes over that.
static void refill(rvCable* cable, int k)
{
    rvPlaceState* s = rv_massless_state(cable, k);
    for (int other = k - 1; other <= k + 1 && s->rest < SHORTEST; other += 2) {
        if (other < 0 || other >= cable->string->segmentCount)
            continue;
        rvPlaceState* from = rv_massless_state(cable, other);
        double rest = fmin(SHORTEST - s->rest, rv_massless_spare(from->rest));
        s->rest += rest;
        from->rest -= rest;
    }
}

static void run_winches(rvCable* cable, const rvStepContext* context)
{
    for (int i = 0; i < 2; ++i) {
        int place = rv_cable_winch_place(cable, i);
        if (!cable->winch[i].exists || rv_massless_drum(cable, place) >= 0)
            continue;
        for (int k = 0; k < cable->string->segmentCount; ++k)
            if (rv_massless_holds(&cable->string->segments[k], place)) {
                rvPlaceState* s = rv_massless_state(cable, k);
                s->rest += rv_winch_advance(cable, i, s->tension, context);
                refill(cable, k);
                break;
            }
    }
}

// The segment at a winch.
static int segment_at(const rvCable* cable, int winch)
{
    int k = 0;
    while (k < cable->string->segmentCount - 1 &&
           !rv_massless_holds(&cable->string->segments[k], rv_cable_winch_place(cable, winch)))
        k += 1;
    return k;
}

// Rope that the drum of winch i, which has inertia, pays out [m].
static double unwound(const rvCable* cable, int i, const rvBodyStore* bodies, double h)
{
    const rvPlace* drum = &cable->route.places[rv_cable_winch_place(cable, i)];
    return rv_massless_drum_sign(cable, i) * drum->radius * h * rv_massless_spin(cable, drum, bodies);
}

// Drums with inertia turned: the mark stays with the carrier, so rest length comes to the segment, or goes.
static void turn_drums(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    for (int i = 0; i < 2; ++i) {
        if (rv_massless_drum(cable, rv_cable_winch_place(cable, i)) < 0)
            continue;
        rvPlaceState* s = rv_massless_state(cable, segment_at(cable, i));
        double way = unwound(cable, i, bodies, context->h), rest = way / (1.0 + s->tension / cable->axialStiffness);
        rest = rv_winch_unwind(cable, i, rest, context);
        s->rest += rest;
        cable->string->segments[segment_at(cable, i)].drumStretch += way - rest;
    }
}

// Rope that a wheel carried over junction k, in the order of the segments [m].
double rv_massless_carried(const rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    const rvPlace* place = rv_massless_junction(cable, k);
    if (place->wheelSlot < 0)
        return 0.0;
    double along = place->side * place->radius * h * rv_massless_spin(cable, place, bodies);
    return rv_massless_reversed(cable) ? -along : along;
}

// The same, as far as there is rope.
static double taken_over(const rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    double along = rv_massless_carried(cable, k, bodies, h);
    double rest = cable->string->segments[along > 0.0 ? k - 1 : k].restBefore;
    return copysign(fmin(fabs(along), rv_massless_spare(rest)), along);
}

// Of the step of tension over a junction that drags: what friction does of it.
static double dry_part(const rvCable* cable, int k, double step)
{
    const rvPlace* place = rv_massless_junction(cable, k);
    double e = cable->string->segments[k].ratio, mode = place->state.mode;
    if (!(place->friction > 0.0))
        return 0.0;
    double sum = rv_massless_state(cable, k - 1)->tension + rv_massless_state(cable, k)->tension;
    return mode == 0.0 ? step : copysign((e - 1.0) / (e + 1.0) * sum, mode);
}

// The rope that a viscous step of tension drags out of a segment into another [m]. Its row takes what there is of the
// rope for constant. More than a part of it goes only as without drag: until both are stretched alike, or it is just
// not slack. So where the end of a rope comes to an eye it stops there, and a segment does not give more rope than it
// has.
static double dragged_out(const rvCable* cable, int from, int into, double flow)
{
    double rest = rv_massless_state(cable, from)->rest, length = fmax(cable->string->segments[from].length, SHORTEST);
    double strain =
        (length + cable->string->segments[into].length) / (rest + rv_massless_state(cable, into)->rest) - 1.0;
    return fmin(flow, fmax(PART * rest, rest - length / (1.0 + fmax(0.0, strain))));
}

// The flow through dragging eyes, and the marks of wheels that turned.
static void pass_junctions(rvCable* cable, const rvBodyStore* bodies, double h)
{
    for (int k = 1; k < cable->string->segmentCount; ++k) {
        rvPlaceState* before = rv_massless_state(cable, k - 1);
        rvPlaceState* after = rv_massless_state(cable, k);
        double step = after->tension - before->tension;
        if (rv_massless_drags(cable, k)) {
            double flow = h * (step - dry_part(cable, k, step)) / cable->string->segments[k].drag;
            flow = flow > 0.0 ? dragged_out(cable, k - 1, k, flow) : -dragged_out(cable, k, k - 1, -flow);
            cable->string->segments[k].flow = flow;
            before->rest -= flow;
            after->rest += flow;
        }
        double a = taken_over(cable, k, bodies, h);
        rvPlaceState* from = a > 0.0 ? before : after;
        double rest = a / (1.0 + from->tension / cable->axialStiffness);
        rest = copysign(fmin(fabs(rest), rv_massless_spare(from->rest)), rest);
        cable->string->segments[k].carried = rest;
        before->rest -= rest;
        after->rest += rest;
    }
}

// e of all segments, once their rest lengths are known. Where rope neither slips nor comes from a winch nobody asks.
static void weigh_rope(rvCable* cable, double h)
{
    bool moves = cable->string->segmentCount > 1 || cable->winch[0].exists || cable->winch[1].exists;
    for (int k = 0; k < cable->string->segmentCount && moves; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        const rvPlaceState* s = rv_massless_state(cable, k);
        double force =
            rv_segments_persist(cable) ? rv_segment_elastic_force(cable, segment->first, segment->length, h) : 0.0;
        segment->energyOfRope = 0.5 * force * force * s->rest / (cable->axialStiffness * segment->restBefore);
    }
}

static double middle_now(const rvCable* cable, int k, double h)
{
    const rvSegment* segment = &cable->string->segments[k];
    const rvPlaceState* s = rv_massless_state(cable, k);
    return segment->length - s->rest - 0.5 * h * (s->rate + segment->unread);
}

// The stretch at the middle of this step as the rows had it. Segments that slip into each other share it by their
// tensions; where they end the step slack they lie otherwise, but that is no slip under tension. What is slack at the
// middle already lies where nothing pulls; where all of them pull, by damping alone, slack stays where it lay: shared
// like stretch it would be friction's way.
static double solved_middle(const rvCable* cable, int k, double now, double h)
{
    if (cable->string->segments[k].phi > 0.0)
        return now;
    int first = k;
    while (first > 0 && rv_massless_slips(cable, first))
        first -= 1;
    double all = 0.0, pulls = 0.0, idle = 0.0;
    for (int i = first; i == first || (i < cable->string->segmentCount && rv_massless_slips(cable, i)); ++i) {
        const rvPlaceState* s = rv_massless_state(cable, i);
        all += middle_now(cable, i, h);
        pulls += s->tension * s->rest;
        idle += s->tension > 0.0 ? 0.0 : s->rest;
    }
    double rest = rv_massless_state(cable, k)->rest, tension = rv_massless_state(cable, k)->tension;
    if (pulls > 0.0 && all < 0.0 && idle > 0.0)
        return tension > 0.0 ? 0.0 : all * rest / idle;
    return pulls > 0.0 && all >= 0.0 ? all * tension * rest / pulls : now;
}

// What came into segment k between the middles of the last step and of this one: what bodies, spans and winches made of
// its stretch, and is not there.
static double came_in(const rvCable* cable, int k, double middle, double h)
{
    const rvSegment* segment = &cable->string->segments[k];
    double way = 0.5 * h * (segment->seen + segment->seenBefore) + segment->grown + rv_massless_state(cable, k)->laid +
                 segment->drumStretch;
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists && rv_massless_holds(segment, rv_cable_winch_place(cable, i)) &&
            rv_massless_drum(cable, rv_cable_winch_place(cable, i)) < 0) // drums with inertia are bodies of the rows
            way -= 0.5 * h * (cable->winch[i].step.lastRate + cable->winch[i].state.rate);
    return way - (middle - segment->middle);
}

// Is what slips between the middles known by the motion? Not at crossings; nor where all segments together gain or
// lose: that is no rope that slips, but the error of a body that turns by a radian in the step (massless_unpaid.c), and
// times a blow of meganewtons it was heat from nothing.
static bool knows_flow(const rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool known = rv_massless_saw_turning(cable, bodies, context);
    for (int k = 1; k < cable->string->segmentCount && known; ++k)
        known = !rv_place_is_crossing(rv_massless_junction(cable, k));
    double all = 0.0, length = 0.0;
    for (int k = 0; k < cable->string->segmentCount && known; ++k) {
        all += came_in(cable, k, middle_now(cable, k, context->h), context->h);
        length += cable->string->segments[k].length;
    }
    return known && fabs(all) <= ASTRAY * length;
}

// Heat of what slipped over the junctions: by the step of tension on the way between the middles, and of e. Segments
// that slip into each other share their middles as they share their stretch, so that way is not the mean of what slips
// in the two steps: where a loose rope comes taut it is far from it. The mean counts only where nothing better is
// known. What falls from one to the other as the rope goes slack is the step's own. Rope that a wheel carries over
// brings its own stretch, a/(1 + T/EA), where the rows see all of a: with e that is the creep on the rim, (T' - T)^2/(2
// EA) a metre.
static void rub(rvCable* cable, double h, bool known)
{
    double gained = 0.0, fallen = 0.0;
    for (int k = cable->string->segmentCount - 1; k > 0; --k) {
        rvPlaceState* s = &rv_massless_junction(cable, k)->state;
        double step = rv_massless_state(cable, k)->tension - rv_massless_state(cable, k - 1)->tension;
        step += cable->string->segments[k].atJunction[1] - cable->string->segments[k].atJunction[0];
        double flow = cable->string->segments[k].flow, now = middle_now(cable, k, h),
               solved = solved_middle(cable, k, now, h);
        gained += known ? came_in(cable, k, solved, h) : 0.0;
        fallen += solved - now;
        double carried = cable->string->segments[k].carried,
               more = cable->string->segments[k].energyOfRope - cable->string->segments[k - 1].energyOfRope;
        s->heat += known ? step * gained + more * (flow + carried)
                         : 0.5 * step * (h * s->slip + flow) + more * flow +
                               0.5 * step * step / cable->axialStiffness * fabs(carried);
        cable->state.heat += known ? step * fallen : 0.0;
        s->slip = flow / h;
    }
}

// Wheels with inertia take their solved spin; the others turn with the rope that passes them.
static void turn_wheels(rvCable* cable, const rvBodyStore* bodies, double h)
{
    double before = 0.0, paidOut = cable->winch[0].exists ? cable->winch[0].state.rate : 0.0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvPlace* place = &cable->route.places[i];
        before += i > 0 ? cable->route.spans[i - 1].length : 0.0;
        double passed = before - place->passed;
        before += place->arcBefore + place->arcAfter;
        if (!rv_place_is_wheel(place))
            continue;
        double speed = paidOut - passed / h;
        rvPlaceState* s = &place->state;
        bool turns = place->on && !place->locked;
        double last = s->wheelSpeed;
        s->wheelSpeed = turns ? place->side * speed / place->radius : 0.0;
        if (place->wheelSlot >= 0) {
            s->wheelSpeed = rv_massless_spin(cable, place, bodies);
            const double* v = bodies->velocity[cable->slots[place->wheelSlot]];
            s->spin = rvDot(place->axis, rvVec(v[3], v[4], v[5]));
            // on the way between the middles of two steps, as all energies are read
            double mean = 0.5 * (last + s->wheelSpeed), work = s->motorImpulse * mean;
            int drum = rv_massless_drum(cable, i);
            if (drum >= 0)
                cable->winch[drum].step.motorWork = work;
            else
                s->driveWork += work;
            s->heat -= s->wheelImpulse * mean;
        }
        s->turned += h * s->wheelSpeed;
    }
}

static double begin_books(rvCable* cable, double h)
{
    double energy = 0.0;
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        const rvPlaceState* s = rv_massless_state(cable, k);
        segment->middle = segment->stretch - 0.5 * h * s->rate;
        segment->restBefore = s->rest;
        if (segment->middle > 0.0 || cable->pushes)
            energy += 0.5 * segment->middle * segment->middle * cable->axialStiffness / s->rest;
    }
    return cable->string->state.stiffEnergy >= 0.0 ? cable->string->state.stiffEnergy : energy;
}

// The same with the velocities of the last step, of one body of a row.
static double rate_before(const rvBodyStore* bodies, int index, const double* j)
{
    bool other = index >= bodies->pool.count; // no body of its own
    const double* free = bodies->freeVelocity[index];
    rvVec3 v = other ? rvVec(free[0], free[1], free[2]) : bodies->items[index].lastV;
    rvVec3 w = other ? rvVec(free[3], free[4], free[5]) : bodies->items[index].lastW;
    return rvDot(rvVec(j[0], j[1], j[2]), v) + rvDot(rvVec(j[3], j[4], j[5]), w);
}

// Row k has -G of its segment and of those behind it in its chain.
void rv_massless_see(rvCable* cable, const rvBodyStore* bodies, const rvRows* rows)
{
    double behind = 0.0, behindBefore = 0.0;
    for (int k = cable->string->segmentCount - 1; k >= 0 && cable->group >= 0; --k) {
        const rvRowGroup* group = &rows->groups[cable->group];
        double rate = 0.0, before = 0.0;
        for (int slot = 0; slot < group->slotCount; ++slot) {
            int index = rows->slots[group->firstSlot + slot].body;
            const double* j = rv_group_jacobian(rows, cable->group, slot)[k];
            const double* v = bodies->velocity[index];
            for (int c = 0; c < 6; ++c)
                rate -= j[c] * v[c];
            before -= rate_before(bodies, index, j);
        }
        bool last = k + 1 == cable->string->segmentCount || cable->string->segments[k + 1].head == k + 1;
        cable->string->segments[k].seen = rate - (last ? 0.0 : behind);
        cable->string->segments[k].seenBefore = before - (last ? 0.0 : behindBefore);
        behind = rate;
        behindBefore = before;
    }
}

// What the segments grew by beyond what their rows saw.
static void find_turning(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool known = rv_massless_saw_turning(cable, bodies, context);
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        double grown = segment->phi + rv_massless_state(cable, k)->rest - segment->stretch - segment->restBefore;
        segment->turning = known ? grown - context->h * segment->seen : 0.0;
    }
}

// Where the carrier of a place had its way in or out at the middle of the step.
static rvVec3 middle_of(const rvPlace* place, const rvBodyStore* bodies, bool out, double h)
{
    rvVec3 at = out ? place->out : place->in;
    if (place->slot < 0)
        return at;
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvMulAdd(at, -0.5 * h, rvAdd(s->v, rvCross(s->w, out ? place->armOut : place->armIn)));
}

// The length between two places at the middle of the step, had the rope crossed none there. -1: it crosses none.
static double straight_middle(const rvRoute* route, int first, int last, const rvBodyStore* bodies, double h)
{
    double length = route->places[first].arcAfter + route->places[last].arcBefore;
    bool crosses = false;
    for (int i = first, next; i < last; i = next) {
        for (next = i + 1; next < last && rv_place_is_crossing(&route->places[next]);)
            next += 1;
        crosses = crosses || next > i + 1;
        length += rvDistance(middle_of(&route->places[i], bodies, true, h),
                             middle_of(&route->places[next], bodies, false, h));
        if (next < last)
            length += route->places[next].arcBefore + route->places[next].arcAfter;
    }
    return crosses ? length : -1.0;
}

// Segments k up to `end` that a crossing with friction parts, between places first and last.
typedef struct {
    int first, last, end;
    double rate, rest;
    double restBefore; // the step
    double cameIn;     // over the junctions at its ends [m]
} Chain;

static Chain chain_at(const rvCable* cable, int k)
{
    Chain chain = {.first = cable->string->segments[k].first, .last = cable->string->segments[k].last, .end = k + 1};
    chain.rate = rv_massless_state(cable, k)->rate;
    chain.rest = rv_massless_state(cable, k)->rest;
    chain.restBefore = cable->string->segments[k].restBefore;
    chain.cameIn = cable->string->segments[k].loose - cable->string->segments[k].phi;
    for (; chain.end < cable->string->segmentCount && rv_place_is_crossing(rv_massless_junction(cable, chain.end));
         ++chain.end) {
        const rvSegment* segment = &cable->string->segments[chain.end];
        chain.first = chain.first < segment->first ? chain.first : segment->first;
        chain.last = chain.last > segment->last ? chain.last : segment->last;
        chain.rate += rv_massless_state(cable, chain.end)->rate;
        chain.rest += rv_massless_state(cable, chain.end)->rest;
        chain.restBefore += segment->restBefore;
        chain.cameIn += segment->loose - segment->phi;
    }
    return chain;
}

// Where the point of a crossing goes by itself is far from linear: what the rows saw of it may be more than all that a
// rope has beyond the straight line. At the middle of the step it was no shorter than that, with half of the rope that
// came in.
static void keep_to_straight(rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvRoute* route = &cable->route;
    for (int k = 0, end; route->placeCount > cable->definedCount && k < cable->string->segmentCount; k = end) {
        Chain chain = chain_at(cable, k);
        end = chain.end;
        double straight = straight_middle(route, chain.first, chain.last, bodies, h);
        if (straight < 0.0)
            continue;
        double most = 2.0 / h * (rv_segment_length(route, chain.first, chain.last) - straight) - chain.cameIn / h;
        for (int i = 0; i < 2; ++i)
            if (cable->winch[i].exists && (i == 0 ? chain.first == 0 : chain.last == route->spanCount))
                most -= cable->winch[i].state.rate;
        for (int m = k; m < end && chain.rate > most; ++m)
            rv_massless_state(cable, m)->rate += (most - chain.rate) * rv_massless_state(cable, m)->rest / chain.rest;
    }
}

// Is the rate of a segment's length that of its spans alone? Not where it leaves a wheel out of its plane (route.h),
// nor where it crosses a rope: there the stretch is set otherwise.
static bool is_plain(const rvRoute* route, int first, int last)
{
    for (int i = first; i <= last; ++i)
        if (rv_place_is_wheel(&route->places[i]) || rv_place_is_crossing(&route->places[i]))
            return false;
    return true;
}

// What the rows of this step and of the next see of the way together is not all of it; the rest is laid.
static void lay_turning(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool known = rv_massless_saw_turning(cable, bodies, context);
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        rv_massless_state(cable, k)->laid = -0.5 * context->h * segment->unread;
        if (!known || !is_plain(&cable->route, segment->first, segment->last))
            continue;
        double way = segment->loose - segment->stretch + segment->turning - context->h * segment->unread;
        for (int i = 0; i < 2; ++i)
            if (cable->winch[i].exists && rv_massless_holds(segment, rv_cable_winch_place(cable, i)))
                way += context->h * cable->winch[i].state.rate;
        double rate = rv_segment_rate(cable, bodies, segment->first, segment->last, false);
        rv_massless_state(cable, k)->laid = 0.5 * (way - context->h * rate);
    }
}

// Nor did it pull less than the straight line does, once it had sprung back there: what its row found is a mean over a
// way that it did not go (where friction parts it: one segment may be far above the other). It counts so once the row's
// own pull is in the books. Where damping holds it back it pulls with less than what it is stretched by.
static void pull_straight(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    const rvRoute* route = &cable->route;
    double h = context->h;
    bool asked = route->placeCount > cable->definedCount && !rv_massless_is_held_back(cable, context);
    for (int k = 0, end; asked && k < cable->string->segmentCount; k = end) {
        Chain chain = chain_at(cable, k);
        end = chain.end;
        if (end == k + 1) // without friction the point goes to where the ropes store least, and is not off by a step
            continue;
        double rest = 0.5 * (chain.rest + chain.restBefore);
        double lacks = straight_middle(route, chain.first, chain.last, bodies, h) - rest;
        for (int m = k; m < end; ++m)
            lacks -= rv_massless_state(cable, m)->tension * rv_massless_state(cable, m)->rest / cable->axialStiffness;
        for (int m = k; m < end && lacks > 0.0 && !rv_cable_has(cable, RV_HAS_MASS); ++m)
            rv_massless_state(cable, m)->tension += cable->axialStiffness * lacks / chain.rest;
    }
}

// What went into the stretch and is not stored there is the damping's:  T (p' - p) - e (N' - N) - (V' - V). What shapes
// made of its length (it slid to where it is shorter, or bends around what it met) nobody put in.
static void close_books(rvCable* cable, const rvBodyStore* bodies, double energyBefore, const rvStepContext* context)
{
    double in = 0.0, h = context->h;
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        const rvPlaceState* s = rv_massless_state(cable, k);
        in += s->tension * (middle_now(cable, k, h) - segment->middle - s->laid) -
              segment->energyOfRope * (s->rest - segment->restBefore);
    }
    pull_straight(cable, bodies, context);
    double energy = rv_segments_energy(cable, h);
    double heat = in - (energy - energyBefore);
    cable->state.heat += heat;
    bool held = rv_cable_has(cable, RV_HAS_MASS) && rv_massless_is_held_back(cable, context);
    cable->string->state.stiffEnergy = cable->string->state.overStiff != 0.0 || held ? energy : -1.0;
    cable->account.rowHeat = cable->damping > 0.0 && cable->string->state.overStiff == 0.0 ? heat : 0.0;
}

void rv_massless_advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    double energy = begin_books(cable, context->h);
    cable->account.rowHeat = 0.0;
    for (int k = 0; k < cable->string->segmentCount; ++k) // what the spans have grown by is no rate of the route
        cable->string->segments[k].stretch += cable->string->segments[k].grown;
    rv_span_stiffness_advance(cable);
    drop_left_junctions(cable);
    s->slipping = rv_massless_yields(cable) ? 1.0 : 0.0;
    run_winches(cable, context);
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        segment->length = fmax(SHORTEST, rv_segment_length(&cable->route, segment->first, segment->last));
        segment->phi = segment->length - rv_massless_state(cable, k)->rest;
    }
    for (int k = 1; k < cable->string->segmentCount; ++k) {
        double a = taken_over(cable, k, bodies, context->h);
        cable->string->segments[k - 1].phi += a;
        cable->string->segments[k].phi -= a;
    }
    for (int i = 0; i < 2; ++i)
        if (rv_massless_drum(cable, rv_cable_winch_place(cable, i)) >= 0)
            cable->string->segments[segment_at(cable, i)].phi -= unwound(cable, i, bodies, context->h);
    find_turning(cable, bodies, context);
    if (cable->peakTension > 0.0 || cable->pushes)
        rv_massless_share_taut(cable, context);
    else
        rv_massless_share_slack(cable, context->h);
    keep_to_straight(cable, bodies, context->h);
    pass_junctions(cable, bodies, context->h);
    turn_drums(cable, bodies, context);
    rv_massless_find_held_back(cable, context);
    weigh_rope(cable, context->h);
    if (cable->string->segmentCount > 1)
        rub(cable, context->h, knows_flow(cable, bodies, context));
    turn_wheels(cable, bodies, context->h);
    s->restLength = 0.0;
    for (int k = 0; k < cable->string->segmentCount; ++k)
        s->restLength += rv_massless_state(cable, k)->rest;
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists)
            rv_winch_finish(cable, i,
                            rv_winch_work(cable, i, rv_winch_tension(cable, i),
                                          cable->string->segments[segment_at(cable, i)].energyOfRope, context->h),
                            context);
    if (cable->group >= 0)
        close_books(cable, bodies, energy, context);
    lay_turning(cable, bodies, context);
}
