// SPDX-License-Identifier: MIT
// The massless cable (Servin and Lacoursiere), with friction at its places.
//
// A *junction* is a place where the cable can slip against friction; it cuts the cable into *segments*, each with its
// own rest length N, stretch phi = l - N, stretch rate d and tension T = phi EA/N >= 0. Without friction there is one.
// Segment rows, P = h T, G = dl/dq (route.h), w and xi rate and compliance of a winch at one of its ends:
//   -G_k v' + (Sig_k + xi/h) P_k = beta_k - w - flow_k,   Sig = 4 g N/(EA h^2),  beta = (4 g/h) phi - g d
// with flow_k the rest length that slips in a second. Unknowns x_0 = P_0, x_j = P_j - P_j-1 give the rows written here:
//   row i:  J = -sum_{k>=i} G_k,  bias = sum_{k>=i} beta_k - w,  C_ij = sum_{k>=max(i,j)} (Sig_k + xi_k/h)
//   row 0:  0 <= x_0 <= h F        row j:  -(1 - 1/e) P_j-1 <= x_j <= (e - 1) P_j-1
// Where the rope cannot slip (e infinite) a new *chain* of segments begins: sums end there, and its first row is one
// like row 0. (In one chain the slack of a segment lets rope flow to it from the one before.)
// F is the winch's force limit, e = exp(mu theta) the capstan ratio: stick and slip are exact, in the one solve. A
// wheel that turns without inertia has e from its bearing, (1+k)/(1-k), k = bearing sin(theta/2), if that is less. A
// wheel with inertia has a spin of its own and a row for it: J = spin - a.w, bounds by the bearing; its motor has
// another. The drum of a winch with inertia is such a wheel at an end, its motor or brake the row of it. Viscous drag D
// at an eye: the row of a junction with 1/(h D) more compliance and no bound but T_j >= 0. With friction beside it x_j
// is the sum of a dry part z, within the bounds of friction, and a viscous one, h D times what slips: a row for z
// without a Jacobian,
//   row j:  ... + (x_j - z)/(h D) = bias        row of z:  (z - x_j)/(h D) = 0,  |z| <= 2 (e-1)/(e+1) (P_j-1 + P_j)/2
// so that without drag T_tight = e T_slack, and neither way over the eye is favoured.
// A cable too stiff for the step, h^2 G M^-1 G^T > 4 N/EA, is damped with at least tau = h/2: with less, a snap makes
// energy. Where a dragging eye levels the tensions beside it within a step tau is 2 h at least: with 0 the flow, which
// has no mass, alternates and grows; with h/2 it is stable but loses track of its energy.
// A slack cable that stays slack in this step has its bounds closed: its damping must not pull before it is taut.
// Segments are counted from the winch on (from place 0 where there is none): that is where F acts. Of two winches it is
// the one nearer to its limit, as the last step left it.
#include "cable/crossing/crossing.h"
#include "cable/route/friction.h"
#include "cable/route/mobility.h"
#include "cable/route/route.h"
#include "cable/route/twist.h"
#include "cable/string/massless.h"
#include "cable/string/span_stiffness.h"
#include "cable/string/string_read.h"

#define LEAST_SHARE 1e-9 // of a segment that is cut: no part is without rope

static bool wants_junction(const rvRoute* route, int i, bool atRest)
{
    const rvPlace* place = &route->places[i];
    if (i == 0 || i == route->spanCount || !place->on)
        return false;
    return (place->drag > 0.0 && !atRest) || rv_place_ratio(place) > 1.0 + 1e-9;
}

// The wheel turned with its body until the mark that parts its segments came out of the arc: it is set anew, and the
// rope between goes to the other segment as it is stretched there.
static void move_mark(rvCable* cable, const rvBodyStore* bodies, int i, int start)
{
    rvPlaceState* before = &cable->route.places[start].state;
    rvPlace* wheel = &cable->route.places[i];
    double arc = wheel->arcBefore;
    rv_route_set_mark(&cable->route, bodies, i);
    rv_wheel_split_arc(wheel);
    double more = wheel->arcBefore - arc;
    rvPlaceState* from = more > 0.0 ? &wheel->state : before;
    double rest = more / (1.0 + from->tension / cable->axialStiffness);
    if (from->unpaid > 0.0) { // with its share of what is set apart: the rope is stretched by that, too
        int first = from == before ? start : i, last = from == before ? i : rv_segment_end(&cable->route, i);
        double length = rv_segment_length(&cable->route, first, last) + from->unpaid + fabs(more);
        double share = copysign(fabs(more) < length ? fabs(more) / length : 1.0, more), unpaid = share * from->unpaid;
        rest = from->rest * share;
        before->unpaid += unpaid;
        wheel->state.unpaid -= unpaid;
    }
    rest = copysign(fmin(fabs(rest), rv_massless_spare(from->rest)), rest);
    before->rest += rest;
    wheel->state.rest -= rest;
}

// Where a junction appears a segment is cut in proportion to its parts' lengths; where one goes two become one.
static void update_junctions(rvCable* cable, const rvBodyStore* bodies, bool atRest)
{
    rvRoute* route = &cable->route;
    int start = 0;
    for (int i = 1; i < route->spanCount; ++i) {
        rvPlaceState* s = &route->places[i].state;
        rvPlaceState* before = &route->places[start].state;
        bool wanted = wants_junction(route, i, atRest);
        if (wanted && s->isJunction == 0.0) {
            if (rv_place_is_wheel(&route->places[i])) {
                rv_route_set_mark(route, bodies, i);
                rv_wheel_split_arc(&route->places[i]);
            }
            int end = i + 1;
            while (end < route->spanCount && route->places[end].state.isJunction == 0.0)
                end += 1;
            double a = fmax(0.0, rv_segment_length(route, start, i)); // below 0: all of it is set apart
            double b = fmax(0.0, rv_segment_length(route, i, end));
            double share = a + b > 0.0 ? fmin(fmax(b / (a + b), LEAST_SHARE), 1.0 - LEAST_SHARE) : 0.5;
            s->rest = share * before->rest;
            s->rate = share * before->rate;
            s->laid = share * before->laid;
            s->tension = before->tension;
            s->heldBack = before->heldBack;
            before->rest -= s->rest;
            before->rate -= s->rate;
            before->laid -= s->laid;
            s->unpaid = share * before->unpaid;
            before->unpaid -= s->unpaid;
            s->mode = 0.0;
            s->slip = 0.0;
        } else if (!wanted && s->isJunction != 0.0) {
            before->rest += s->rest;
            before->rate += s->rate;
            before->laid += s->laid;
            s->rest = s->rate = s->laid = s->slip = 0.0;
        } else if (wanted && rv_place_is_wheel(&route->places[i]) &&
                   fmin(route->places[i].arcBefore, route->places[i].arcAfter) < 0.0) {
            move_mark(cable, bodies, i, start);
        }
        s->isJunction = wanted ? 1.0 : 0.0;
        if (wanted)
            start = i;
    }
}

static void list_segments(rvCable* cable, bool atRest)
{
    rvRoute* route = &cable->route;
    int count = 0;
    for (int i = 0; i < route->spanCount; ++i) {
        if (i > 0 && route->places[i].state.isJunction == 0.0)
            continue;
        if (count > 0)
            cable->string->segments[count - 1].last = i;
        cable->string->segments[count++] = (rvSegment){.first = i, .last = route->spanCount};
    }
    if (rv_massless_reversed(cable))
        for (int i = 0, j = count - 1; i < j; ++i, --j) {
            rvSegment swap = cable->string->segments[i];
            cable->string->segments[i] = cable->string->segments[j];
            cable->string->segments[j] = swap;
        }
    cable->string->segmentCount = count;
    for (int k = 0; k < count; ++k) {
        rvSegment* segment = &cable->string->segments[k];
        segment->length = rv_segment_length(route, segment->first, segment->last);
        segment->stretch = segment->length - route->places[segment->first].state.rest;
        segment->ratio = k > 0 ? rv_place_ratio(rv_massless_junction(cable, k)) : 1.0;
        segment->drag = k > 0 && !atRest ? rv_massless_junction(cable, k)->drag : 0.0;
        segment->head = k > 0 && isfinite(segment->ratio) ? segment[-1].head : k;
    }
}

static double compliance_of(const rvCable* cable, int k)
{
    return rv_massless_state(cable, k)->rest / cable->axialStiffness;
}

// Of two winches, with friction between them, only one limit can bound row 0. The other is looked at in each step, and
// takes over a step after its tension passed its limit. A slack cable begins at the weaker one.
static void choose_end(rvCable* cable)
{
    rvStringState* s = &cable->string->state;
    if (!cable->winch[0].exists || !cable->winch[1].exists)
        return;
    int other = s->winchEnd != 0.0 ? 0 : 1;
    bool passed = rv_winch_tension(cable, other) > cable->winch[other].step.driveLimit * (1.0 + 1e-9);
    if (cable->peakTension == 0.0)
        passed = cable->winch[other].step.driveLimit < cable->winch[1 - other].step.driveLimit;
    double end = passed ? other : 1 - other;
    if (end == s->winchEnd)
        return;
    s->winchEnd = end;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvPlaceState* place = &cable->route.places[i].state;
        place->mode = -place->mode;
        place->slip = -place->slip;
    }
}

void rv_massless_begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    for (int i = 0; i < cable->route.spanCount && cable->state.fresh != 0.0; ++i)
        cable->route.places[i].state.unpaid = 0.0; // it was of another motion
    update_junctions(cable, bodies, context->atRest);
    rv_massless_spread_unpaid(cable);
    choose_end(cable);
    list_segments(cable, context->atRest);
    rv_massless_note_stored(cable, context);
    cable->limitingWinch = rv_massless_reversed(cable) ? 1 : 0;
    if (cable->string->segmentCount == 1 && cable->winch[1].step.driveLimit < cable->winch[0].step.driveLimit)
        cable->limitingWinch = 1;
    double before = 0.0;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        rvPlace* place = &cable->route.places[i];
        before += i > 0 ? cable->route.spans[i - 1].length : 0.0;
        place->passed = before;
        before += place->arcBefore + place->arcAfter;
    }
    cable->string->asked = cable->state.fresh != 0.0;
    cable->string->firstPass = true;
    if (cable->state.fresh != 0.0)
        rv_segments_find_rates(cable, bodies);
    cable->state.fresh = 0.0;
}

// -G_k into row k.
static void write_gradients(const rvCable* cable, rvRows* rows, int group)
{
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        const rvSegment* segment = &cable->string->segments[k];
        for (int i = segment->first; i <= segment->last; ++i) {
            if (i > segment->first)
                rv_route_add_in(&cable->route, i, -1.0, rows, group, k);
            if (i < segment->last)
                rv_route_add_out(&cable->route, i, -1.0, rows, group, k);
        }
    }
}

static void sum_gradients(const rvCable* cable, rvRows* rows, int group)
{
    int slotCount = rows->groups[group].slotCount;
    for (int slot = 0; slot < slotCount && cable->string->segmentCount > 1; ++slot) {
        double(*j)[6] = rv_group_jacobian(rows, group, slot);
        for (int k = cable->string->segmentCount - 2; k >= 0; --k)
            for (int c = 0; c < 6 && !rv_massless_ends_chain(cable, k); ++c)
                j[k][c] += j[k + 1][c];
    }
}

// Is it, or the part of it behind a junction, too stiff for the step? A light wheel moves its segments faster than the
// bodies do, against each other.
static bool is_over_stiff(rvCable* cable, const rvBodyStore* bodies, const rvRows* rows, int group, double h)
{
    double eps = 0.0, rate;
    bool stiff = false;
    for (int k = cable->string->segmentCount - 1; k >= 0; --k) {
        eps = compliance_of(cable, k) + (rv_massless_ends_chain(cable, k) ? 0.0 : eps);
        // the last of a chain has its own gradient in its row, as look_ahead found it
        cable->string->segments[k].chainMobility = rv_massless_ends_chain(cable, k)
                                                       ? cable->string->segments[k].mobility
                                                       : rv_row_mobility(bodies, rows, group, k, &rate);
        stiff = stiff || h * h * cable->string->segments[k].chainMobility > 4.0 * eps;
    }
    return stiff;
}

// SPOOK's force is the mean of the stretch p at the middle of the last step and that of this step, n. While the cable
// was slack p < 0 is no stretch: counted in full, a snap gains p^2/(2 eps); not counted, it loses |p| n/(2 eps).
// Counted as a p with a = n/(n + |p|) it keeps its energy; n is taken too small here rather than too large: as if
// nothing held back the bodies. Answers what to add to the rate. Each segment has its own p: one may hang slack beside
// one that is taut.
static double rate_correction(double stretch, double rate, double rise, double h, double stiffness, double freeRate)
{
    double p = stretch - 0.5 * h * rate;
    if (p >= 0.0)
        return 0.0;
    double n = fmax(0.0, (stretch + rise + 0.5 * h * freeRate) / (1.0 + 0.25 * stiffness));
    return 2.0 / h * (stretch - n / (n - p) * p) - rate;
}

// Where the step would lead if nothing held the bodies back: corrections of the segments, and the stretch of the chains
// at its end. The rows hold the segments' own gradients.
static void look_ahead(rvCable* cable, const rvBodyStore* bodies, const rvRows* rows, double h)
{
    for (int k = cable->string->segmentCount - 1; k >= 0; --k) {
        rvSegment* segment = &cable->string->segments[k];
        double freeRate, mobility = rv_row_mobility(bodies, rows, cable->group, k, &freeRate);
        for (int i = 0; i < 2; ++i)
            if (cable->winch[i].exists && rv_massless_holds(segment, rv_cable_winch_place(cable, i)))
                freeRate -= cable->winch[i].step.driveSpeed;
        segment->mobility = mobility;
        segment->freeRate = freeRate;
        // where it crosses a rope the other one may pull it taut within the step: two spans by the drift of the point
        double way = h * (freeRate + 2.0 * cable->drift),
               after = rv_massless_ends_chain(cable, k) ? 0.0 : segment[1].ahead;
        way = segment->swings ? fmax(way, 0.5 * way) : way; // arcs may draw it taut before its ends make it slack
        segment->ahead = segment->stretch + segment->rise + way + after;
        segment->correction = cable->pushes
                                  ? 0.0
                                  : rate_correction(segment->stretch, rv_massless_state(cable, k)->rate, segment->rise,
                                                    h, h * h * mobility / compliance_of(cable, k), freeRate);
    }
}

// Chains that a wheel with a spin of its own parts: one that comes taut draws rope over the wheel, which weighs
// little, out of the next one within the step. So the most counts that a run of chains with it among them is
// stretched by.
static void join_chains(rvCable* cable)
{
    double before = 0.0, behind = 0.0;
    for (int k = cable->string->segmentCount - 1; k >= 0; --k) {
        if (cable->string->segments[k].head != k)
            continue;
        cable->string->segments[k].joined = cable->string->segments[k].ahead + fmax(0.0, behind);
        behind = k > 0 && rv_massless_junction(cable, k)->wheelSlot >= 0 ? cable->string->segments[k].joined : 0.0;
    }
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        if (cable->string->segments[k].head != k)
            continue;
        if (k == 0 || rv_massless_junction(cable, k)->wheelSlot < 0)
            before = 0.0;
        cable->string->segments[k].joined += fmax(0.0, before);
        before = cable->string->segments[k].ahead + fmax(0.0, before);
    }
}

// Bias and compliance of all segments, gathered from the last one up. `block` may be NULL for a single segment.
static void write_stretch(rvCable* cable, const rvStepContext* context, double tau, rvRow* row, double* block, int size)
{
    double bias = 0.0, compliance = 0.0;
    for (int k = cable->string->segmentCount - 1; k >= 0; --k) {
        const rvSegment* segment = &cable->string->segments[k];
        rvRow own;
        double rate = rv_massless_state(cable, k)->rate + segment->correction;
        rv_row_set_position(&own, context, -segment->stretch - segment->shift, -rate,
                            compliance_of(cable, k) + segment->softness, tau);
        for (int i = 0; i < 2; ++i)
            if (cable->winch[i].exists && rv_massless_holds(segment, i == 0 ? 0 : cable->route.spanCount)) {
                own.bias -= cable->winch[i].step.driveSpeed;
                own.compliance += cable->winch[i].step.driveCompliance / context->h;
            }
        bool last = rv_massless_ends_chain(cable, k);
        bias = own.bias + (last ? 0.0 : bias);
        compliance = own.compliance + (last ? 0.0 : compliance);
        row[k].bias = bias;
        row[k].compliance = compliance;
        for (int i = segment->head; block && i <= k; ++i)
            block[i * size + k] = block[k * size + i] = compliance;
    }
}

// The first row of a chain: its tension. A chain that is slack and stays so is closed.
static void write_head(const rvCable* cable, int k, double h, rvRow* row)
{
    row->lower = cable->pushes ? -HUGE_VAL : 0.0;
    row->upper = k == 0 ? h * cable->winch[cable->limitingWinch].step.driveLimit : HUGE_VAL;
    row->mode = (int16_t)(k == 0 ? cable->string->state.mode : rv_massless_junction(cable, k)->state.mode);
    row->impulse = h * rv_massless_state(cable, k)->tension;
    double largest = 0.0;
    for (int i = k; i < cable->string->segmentCount && cable->string->segments[i].head == k; ++i)
        largest = fmax(largest, rv_massless_state(cable, i)->tension);
    if (!cable->pushes && largest <= 0.0 && cable->string->segments[k].joined <= 0.0) {
        row->upper = 0.0;
        row->mode = RV_ROW_LOWER;
    }
}

// Has junction k friction beside its drag?
static bool is_dry_too(const rvCable* cable, int k)
{
    return cable->string->segments[k].head != k && rv_massless_drags(cable, k) &&
           rv_massless_junction(cable, k)->friction > 0.0;
}

static int count_dry(const rvCable* cable)
{
    int count = 0;
    for (int k = 1; k < cable->string->segmentCount; ++k)
        count += is_dry_too(cable, k);
    return count;
}

// The dry parts of junctions that drag too, from row `first` on. The rows' own compliance is not counted here.
static void write_dry(const rvCable* cable, double h, rvRow* rows, int first, double* block, int size)
{
    for (int k = 1, r = first; k < cable->string->segmentCount; ++k) {
        if (!is_dry_too(cable, k))
            continue;
        const rvPlace* place = rv_massless_junction(cable, k);
        double e = cable->string->segments[k].ratio, c = 1.0 / (h * cable->string->segments[k].drag);
        rvRow* row = &rows[r];
        row->lower = row->upper = 0.0;
        row->leanFirst = (int16_t)cable->string->segments[k].head;
        row->leanCount = (int16_t)(k - cable->string->segments[k].head);
        row->leanExtra = (int16_t)k;
        row->leanExtraWeight = 0.5;
        row->leanUpper = 2.0 * (e - 1.0) / (e + 1.0);
        row->leanLower = -row->leanUpper;
        row->mode = (int16_t)place->state.mode;
        row->compliance = block[r * size + r] = c;
        block[k * size + r] = block[r * size + k] = -c;
        r += 1;
    }
}

static void write_junction(const rvCable* cable, int k, double h, rvRow* row, double* diagonal)
{
    const rvPlace* place = rv_massless_junction(cable, k);
    double e = cable->string->segments[k].ratio;
    const double* at = cable->string->segments[k].atJunction; // what rubs is the tension there, with the weight of rope
    row->leanFirst = (int16_t)cable->string->segments[k].head;
    row->leanCount = (int16_t)(k - cable->string->segments[k].head);
    row->leanLower = -(1.0 - 1.0 / e);
    row->leanUpper = e - 1.0;
    row->upper = fmax(0.0, h * (e * at[0] - at[1]));
    row->lower = fmin(0.0, h * (at[0] / e - at[1]));
    // a segment does not push, whatever its rope weighs
    if (at[1] > 0.0 && rv_massless_state(cable, k - 1)->tension + at[0] < e * at[1]) {
        row->leanLower = -1.0;
        row->lower = 0.0;
    }
    row->mode = (int16_t)place->state.mode;
    if (rv_massless_drags(cable, k)) {
        row->leanLower = -1.0;
        row->leanUpper = 0.0;
        row->lower = 0.0;
        row->upper = HUGE_VAL;
        *diagonal += 1.0 / (h * cable->string->segments[k].drag);
        if (is_dry_too(cable, k))
            row->mode = RV_ROW_FREE;
    }
    row->impulse = h * (rv_massless_state(cable, k)->tension - rv_massless_state(cable, k - 1)->tension);
}

// Is there an eye whose drag levels the tensions beside it within a step? Its flow has no mass, and would alternate.
static bool drags(const rvCable* cable, double h)
{
    for (int k = 1; k < cable->string->segmentCount; ++k) {
        double drag = cable->string->segments[k].drag;
        if (drag > 0.0 && drag * compliance_of(cable, k) <
                              h * (1.0 + rv_massless_state(cable, k)->rest / rv_massless_state(cable, k - 1)->rest))
            return true;
    }
    return false;
}

void rv_massless_write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                            int owner, rvMasslessPrepare* prepare)
{
    cable->group = -1;
    rvCableState* s = &cable->state;
    int slotCount = cable->slotCount;
    if (s->broken != 0.0 || cable->loose)
        return;
    int stiff = rv_span_stiffness_count(cable, bodies, context);
    int first = cable->string->segmentCount + (cable->wheelCount > 0 ? rv_massless_count_wheel_rows(cable) : 0);
    int apart = first + 2 * stiff;
    int dry = apart + (cable->collides ? rv_crossings_apart_count(cable) : 0);
    int size = dry + count_dry(cable);
    int group = rv_rows_add(rows, RV_GROUP_CABLE, owner, size, cable->slots, slotCount);
    if (group < 0)
        return;
    cable->group = group;
    write_gradients(cable, rows, group);
    rv_massless_run_past(cable, bodies, context, rows);
    double h = context->h;
    rv_massless_set_apart(cable, bodies, context, rows);
    look_ahead(cable, bodies, rows, h);
    join_chains(cable);
    sum_gradients(cable, rows, group);
    double tau = rv_damping_time(context, cable->damping);
    bool flows = drags(cable, h); // too stiff for the step as well, whatever its bodies weigh
    rvStringState* state = &cable->string->state;
    state->overStiff =
        is_over_stiff(cable, bodies, rows, group, h) || flows ? 1.0 : 0.0; // it finds how chains move, too
    if (state->overStiff != 0.0)
        tau = fmax(tau, flows ? 2.0 * h : 0.5 * h);
    if (prepare)
        tau = prepare(cable, context, tau);
    rvRow* row = rv_group_rows(rows, group);
    double* block = cable->string->segmentCount > 1 ? cable->string->block : NULL;
    for (int i = 0; block && i < size * size; ++i)
        block[i] = 0.0;
    write_stretch(cable, context, tau, row, block, size);
    for (int k = 0; k < cable->string->segmentCount; ++k)
        if (cable->string->segments[k].head == k)
            write_head(cable, k, h, &row[k]);
        else if (block)
            write_junction(cable, k, h, &row[k], &block[k * size + k]);
    if (cable->wheelCount > 0)
        rv_massless_write_wheels(cable, h, rows, group);
    if (stiff > 0)
        rv_span_stiffness_write(cable, bodies, context, rows, group, first);
    if (apart < dry)
        rv_crossings_apart_write(cable, h, rows, group, apart);
    if (block && dry < size)
        write_dry(cable, h, row, dry, block, size);
    for (int i = cable->string->segmentCount; block && i < dry; ++i)
        block[i * size + i] = row[i].compliance;
    rows->groups[group].block = block;
    rows->groups[group].firstOwn = first;
    rows->groups[group].ownCount = 2 * stiff;
}

// One tension for each place: that of the span that begins there.
static void set_tension(rvCable* cable, int k, double tension)
{
    for (int i = cable->string->segments[k].first; i < cable->string->segments[k].last; ++i)
        cable->route.places[i].state.tension = tension;
}

rvPass rv_massless_read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context,
                             const rvRows* rows)
{
    const rvRow* row = cable->group >= 0 ? rv_group_rows(rows, cable->group) : NULL;
    cable->string->state.mode = row ? row[0].mode : RV_ROW_LOWER;
    double impulse = 0.0;
    int dry = row ? rows->groups[cable->group].rowCount - count_dry(cable) : 0;
    if (row)
        rv_span_stiffness_read(cable, rows, cable->group,
                               cable->string->segmentCount +
                                   (cable->wheelCount > 0 ? rv_massless_count_wheel_rows(cable) : 0));
    cable->peakTension = 0.0;
    for (int k = 0; k < cable->string->segmentCount; ++k) {
        impulse = (row ? row[k].impulse : 0.0) + (cable->string->segments[k].head == k ? 0.0 : impulse);
        double tension = cable->pushes ? impulse / context->h : fmax(0.0, impulse / context->h);
        set_tension(cable, k, tension);
        cable->peakTension = fmax(cable->peakTension, tension);
        if (k > 0)
            rv_massless_junction(cable, k)->state.mode = row ? row[is_dry_too(cable, k) ? dry++ : k].mode : 0.0;
    }
    if (cable->wheelCount > 0)
        rv_massless_read_wheels(cable, row);
    if (!context->atRest)
        rv_massless_see(cable, bodies, rows);
    return (rvPass){.again = rv_massless_missed(cable, bodies, context)};
}

static void load(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    (void)pass;
    rv_string_add_stiffness(cable, bodies, step);
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rv_massless_write_rows(cable, bodies, context, rows, owner, NULL);
}

static const char* end(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step)
{
    rv_massless_advance(cable, bodies, step);
    return NULL;
}

// ---- read-out

static void energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* energy)
{
    (void)bodies, (void)gravity;
    energy->elastic = energy->stretch = rv_segments_energy(cable, h);
    energy->known = true;
}

// Of a cable that took part in no step yet: what its stretch and the velocities of its bodies make of it [N].
static double first_tension(const rvCable* cable, const rvBodyStore* bodies)
{
    int last = cable->route.spanCount;
    double rest = cable->state.restLength, phi = rv_segment_length(&cable->route, 0, last) - rest;
    bool pulls = cable->state.broken == 0.0 && !cable->loose && (phi > 0.0 || cable->pushes);
    double tau = fmax(0.0, cable->damping); // a share of a step where it is negative: there is no step
    double force = cable->axialStiffness / rest * (phi + tau * rv_segment_rate(cable, bodies, 0, last, false));
    return !pulls ? 0.0 : cable->pushes ? force : fmax(0.0, force);
}

// The same all along a span.
static double tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    (void)end;
    return bodies && rv_cable_is_untried(cable) ? first_tension(cable, bodies)
                                                : cable->route.places[span].state.tension;
}

static void point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                  rvVec3* velocity)
{
    (void)h;
    rv_route_chord_point(&cable->route, bodies, span, share, at, velocity);
}

static int shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                 int capacity)
{
    return sections ? 0 : rv_route_shape(&cable->route, shapes, NULL, points, capacity);
}

// By the impulses of its rows, kept at its places (driver/wrench.c), once there are some.
static void force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force, rvVec3* torque)
{
    const rvRoute* route = &cable->route;
    if (rv_cable_is_untried(cable)) {
        rv_string_force_on(cable, bodies, body, h, NULL, force, torque);
        rv_twist_force_on(cable, bodies, body, force, torque);
        return;
    }
    for (int i = 0; i < route->placeCount; ++i)
        if (route->places[i].body == body) {
            *force = rvAdd(*force, route->places[i].state.pullForce);
            *torque = rvAdd(*torque, route->places[i].state.pullTorque);
        }
}

// ---- existence

static rvStatus create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error)
{
    (void)bodies;
    return rv_string_create(cable, def, from, memory, error);
}

// It lies on its route.
static void place(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how)
{
    (void)cable, (void)bodies, (void)how;
}

static const rvModelLife life = {.create = create,
                                 .destroy = rv_string_destroy,
                                 .place = place,
                                 .follow = rv_string_follow,
                                 .visit = rv_string_visit};

static const rvModelStep steps = {
    .begin = rv_massless_begin, .load = load, .write = write_rows, .read = rv_massless_read_rows, .end = end};

static const rvModelRead readings = {.energy = energy,
                                     .tension = tension,
                                     .section = rv_string_section,
                                     .point = point,
                                     .shape = shape,
                                     .forceOn = force_on};

const rvModel rv_model_massless = {
    .name = "massless", .traits = RV_SEGMENTS, .life = &life, .step = &steps, .read = &readings};
