// SPDX-License-Identifier: MIT
// Rope that flows in the world (ALE-ANCF, docs/theory/ale.md): falls of finite elements, condensed to where bodies hold
// their ends and to where winches and friction hold the rope.
//
// Rows of a body are those of a grip (grip.h). A row of the flow at a place has no body: with l = -cM h y the force on
// p,
//   C y = (p + d - target)/h,     C = cM (compliance of the flow) + what the holder gives
//   winch   target p -+ h w, h xi cM more compliance; at its limit F it slips, until its rope is all out: a second row,
//     which only pulls, is the end of that, and has no limit
//   rope friction, bearing   target: p as the rim carries it; (1/e - 1) T <= l <= (e - 1) T, T the tension before the
//     place, so that neither tension exceeds e times the other. The rope is parted there, and two rows join it again:
//     one that pulls, its force is T, and one that pushes, so that rope that is pressed together is not rubbed. Bounds
//     that lean on the first are exact within the solve. What the turning of fast rope takes off its pressure,
//     rho p'^2, is taken off T.
//   drag D  h cM/D more compliance
// A wheel with inertia has a rim with a way of its own, which the row of friction goes by: ale_wheel.c. A place
// turns the rope: the momentum that passes, rho |r'| p'^2, takes as much off the pull on it as its tension gives.
#include "cable/ale/ale_rope.h"
#include "cable/fe/fe_section.h"
#include "cable/route/friction.h"
#include "cable/route/route.h"
#include "cable/route/winch.h"

#define REMAINDER 1e-5 // of the energies that move: strain energy that a pass may leave out
// The same of a rope that no body feels: the pull on what leads it, which its books go by, is as exact as the strain
// is.
#define FINE 1e-10
// Of the rows that join parted rope the one that pushes yields a little more: so only one of them acts.
#define PUSH 1e-6
#define FELT 0.05      // of what the rope carries: a start at once of a drum that slips
enum { PATIENCE = 3 }; // passes, before the inside of the rope is relaxed between them
#define PI 3.14159265358979323846

// ---- what holds the flow

void rv_ale_add_hold(rvAleRope* rope, int j, rvAleHold hold)
{
    bool inner = j > 0 && j < rope->ale->fallCount;
    hold.tension = hold.turning[RV_ALE_BEARING] = hold.turning[RV_ALE_DRIVE] = hold.end = -1;
    if (inner && (hold.leanMost > 0.0 || hold.bearing > 0.0)) {
        hold.tension = rope->rowCount;
        for (int i = 0; i < 2; ++i)
            rope->ports[rope->rowCount++] = (rvAlePort){.fall = -1, .place = j, .parting = true};
        rope->ale->parted[j] = true;
    }
    hold.row = rope->rowCount;
    rope->ports[rope->rowCount++] = (rvAlePort){.fall = -1, .place = j};
    for (int i = 0; i < 2; ++i)
        if (i == RV_ALE_BEARING ? hold.bearing > 0.0 : hold.drives) {
            hold.turning[i] = rope->rowCount;
            rope->ports[rope->rowCount++] = (rvAlePort){.fall = -1, .place = j, .none = true};
        }
    rope->ale->inertia[j] = 0.0; // rows of the wheel have it
    rope->holds[j] = hold;
}

static void hold_place(rvCable* cable, int j, const rvBodyStore* bodies, double h)
{
    rvAleRope* rope = cable->rope;
    const rvPlace* place = &cable->route.places[j];
    double before = rv_ale_rope_means(rope)[2 * j], p = rope->ale->flow[RV_ALE_P][j], e = rv_place_ratio(place);
    bool wheel = place->inertia > 0.0;
    if (!place->on)
        return;
    rvAleHold hold = {.target = p, .rim = wheel ? place->inertia / (place->radius * place->radius) : 0.0};
    if (!wheel && place->drag > 0.0 && place->friction == 0.0) {
        hold.compliance = h / place->drag;
        hold.least = -HUGE_VAL;
        hold.most = HUGE_VAL;
        rv_ale_add_hold(rope, j, hold);
        return;
    }
    double rate = rope->ale->flow[RV_ALE_RATE][j], turning = rope->ale->mass * rate * rate;
    double press = before > 0.0 ? fmax(0.0, 1.0 - turning / before) : 1.0; // what turning leaves of the tension
    if (!wheel && (!(e > 1.0 + 1e-9) || (press == 0.0 && !isinf(e))))
        return; // it is flung off: nothing rubs
    hold.target += rv_ale_slides(place) ? rv_ale_rope_slide(cable, j, bodies, rope->slides[2 * j - 1].now) : 0.0;
    hold.most = isinf(e) ? HUGE_VAL : 0.0;
    hold.least = -hold.most;
    hold.leanMost = isinf(e) ? 0.0 : (e - 1.0) * press;
    hold.leanLeast = isinf(e) ? 0.0 : -(1.0 - 1.0 / e) * press;
    hold.bearing = wheel ? press * place->bearing * sin(0.5 * fmin(place->turn, PI)) : 0.0;
    hold.drives = wheel && place->state.driveTorque > 0.0;
    rv_ale_add_hold(rope, j, hold);
}

// How much faster a body that is led takes its end of a fall along than in the step before. Answers what that pulls the
// rope by within a step [N]; 0: no harder than it is pulled, or as it weighs. Where a drum that the body carries would
// slip by that the rope is not pulled at all, it flows: FELT of it is enough.
static double starts_at_once(const rvCable* cable, int k, const rvBodyStore* bodies, double h, double change[3])
{
    const rvAle* ale = cable->rope->ale;
    const rvGrip* grip = &cable->rope->grips[k];
    const rvAleFall* fall = &ale->falls[k / 2];
    const double *v = fall->ancf->v + 6 * rv_ale_end_node(fall, k % 2),
                 *d = fall->ancf->q + 6 * rv_ale_end_node(fall, k % 2) + 3;
    double at[6], rate[6], length = rv_ale_fall_length(ale, k / 2);
    if (grip->body < 0 || grip->pushed || grip->off)
        return 0.0;
    rv_ale_rope_aim(cable->rope, k, bodies, h, at, rate);
    for (int c = 0; c < 3; ++c)
        change[c] = rate[c] - v[c];
    double along = fabs(rv_ancf_dot3(change, d)) / sqrt(rv_ancf_dot3(d, d));
    double carried = fmax(cable->route.places[k / 2].state.endTension, ale->mass * rvLength(ale->gravity) * length);
    double more = ale->EA * (h + ale->axialTime) * along / length;
    int winch = rv_cable_winch_at(cable, grip->place);
    bool slips = winch >= 0 && rv_ale_winch_would_slip(cable, winch, more);
    bool slides = rv_ale_slides(&cable->route.places[grip->place]); // the route leads it
    return (slips || !slides) && more > (slips ? FELT : 1.0) * carried ? more : 0.0;
}

// A body that is led and starts or stops at once: the same. Drums hold their rope, but where that would pull it off
// them.
static void jump_ends(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvAle* ale = cable->rope->ale;
    for (int k = 0; k < cable->rope->gripCount; ++k) {
        double change[3] = {0}, more = starts_at_once(cable, k, bodies, h, change);
        if (more == 0.0)
            continue;
        bool held[2];
        for (int i = 0; i < 2; ++i) {
            bool* flow = &ale->flowHeld[rv_cable_winch_place(cable, i)];
            held[i] = *flow;
            *flow = *flow || (cable->winch[i].exists && !rv_ale_winch_would_slip(cable, i, more));
        }
        const double* v = ale->falls[k / 2].ancf->v + 6 * rv_ale_end_node(&ale->falls[k / 2], k % 2);
        rvVec3 speed = rvVec(v[0], v[1], v[2]);
        double before = rv_ale_rope_energy(cable), rates[RV_ALE_MAX_FALLS + 1];
        memcpy(rates, ale->flow[RV_ALE_RATE], (size_t)ale->placeCount * sizeof(double));
        cable->rope->jumped = true;
        rv_ale_jump_end(ale, k / 2, k % 2, change, h);
        rv_ale_wheels_jump(cable, rates);
        rv_ale_rope_book_start(cable, k, speed, rvVec(change[0], change[1], change[2]), before, h);
        for (int i = 0; i < 2; ++i)
            ale->flowHeld[rv_cable_winch_place(cable, i)] = held[i];
    }
}

static void list_rows(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvAleRope* rope = cable->rope;
    rope->rowCount = 0;
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGrip* grip = &rope->grips[k];
        grip->row = -1;
        if (!rv_ale_is_port(grip))
            continue;
        grip->row = rope->rowCount;
        for (int dof = 0; dof < (grip->clamped ? 6 : 3); ++dof)
            rope->ports[rope->rowCount++] = (rvAlePort){.fall = k / 2, .end = k % 2, .dof = dof};
    }
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rope->holds[j] = (rvAleHold){.row = -1};
        int winch = rv_cable_winch_at(cable, j);
        if (rope->ale->flowHeld[j])
            continue;
        if (winch >= 0)
            rv_ale_winch_hold(cable, winch, h);
        else
            hold_place(cable, j, bodies, h);
    }
    rv_ale_stops_list(cable, h);
    rope->touches.list.count = 0;
    rv_ale_count_flows(rope->ale);
}

// An edge that the rope slides along: where its speed along the rope changes the mesh goes along with it, and rope
// flows through the mesh as much faster. The rope's own motion stays, so nothing rings.
static void lead_slides(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    for (int j = 1; j < ale->fallCount; ++j) {
        const rvGrip* grip = &rope->grips[2 * j];
        if (cable->route.places[j].type != RV_PLACE_CONTACT || grip->pushed || grip->off ||
            ale->flow[RV_ALE_P][ale->placeCount + j] > 0.0)
            continue;
        const double *d = ale->falls[j].ancf->q + 3, *v = ale->falls[j].ancf->v;
        double at[6], rate[6], g = rv_ale_fall_length(ale, j) / ale->falls[j].mesh;
        rv_ale_rope_aim(rope, 2 * j, bodies, h, at, rate);
        const double change[3] = {rate[0] - v[0], rate[1] - v[1], rate[2] - v[2]};
        double more = g * rv_ancf_dot3(change, d) / rv_ancf_dot3(d, d);
        rv_ale_lead_mesh(ale, j - 1, 0.0, more);
        rv_ale_lead_mesh(ale, j, more, 0.0);
        ale->flow[RV_ALE_RATE][j] += more;
    }
}

// A rope that is broken, or has run off, flows through nothing: what it flowed its mesh goes on by from then on, at the
// same motion of the rope. Its winches stand, with nothing on them.
static void stop_flowing(rvCable* cable)
{
    rvAle* ale = cable->rope->ale;
    double *rate = ale->flow[RV_ALE_RATE], before = rv_ale_rope_energy(cable);
    for (int f = 0; f < ale->fallCount; ++f)
        rv_ale_lead_mesh(ale, f, -rv_ale_begin_of(ale, rate, f), -rv_ale_end_of(ale, rate, f));
    for (int i = RV_ALE_RATE; i <= RV_ALE_ALGO; ++i)
        memset(ale->flow[i], 0, 2 * (size_t)ale->placeCount * sizeof(double));
    for (int i = 0; i < 2; ++i) {
        cable->winch[i].step.driveSpeed = cable->winch[i].step.driveCompliance = 0.0;
        cable->winch[i].state.rate = 0.0;
    }
    cable->state.heat += before - rv_ale_rope_energy(cable); // of what lay on wheels
}

// Of rope with a free end: what is left of its last fall goes through its place within the next two steps. (In the last
// one a fall shrinks to nothing, which no linear equations tell: at long steps it pulled with kilonewtons.) Answers how
// the rope is then, 0: as before.
static double runs_off(const rvCable* cable, double h)
{
    const rvAle* ale = cable->rope->ale;
    const double* rate = ale->flow[RV_ALE_RATE];
    for (int end = 0; end < 2; ++end) {
        int f = end == 0 ? 0 : ale->fallCount - 1;
        double more = 2.0 * h * (rv_ale_end_of(ale, rate, f) - rv_ale_begin_of(ale, rate, f));
        if (cable->route.places[end == 0 ? 0 : ale->fallCount].type == RV_PLACE_FREE &&
            rv_ale_fall_length(ale, f) + more <= RV_ALE_SHORTEST * ale->falls[f].mesh)
            return RV_RAN_OFF + end;
    }
    return 0.0;
}

// ---- the step

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvAleRope* rope = cable->rope;
    if (!context->atRest && cable->state.broken == 0.0)
        cable->state.broken = runs_off(cable, context->h); // it leaves its place: nothing holds it any more
    rv_ale_rope_match(cable, bodies);
    rope->bodies = bodies;
    rope->again = rope->failed = rope->left = rope->jumped = false;
    rope->passes = 0;
    rope->debt = rope->lent = 0.0;
    rope->ale->gravity = context->gravity;
    rv_ale_join_flows(rope->ale);
    if (cable->state.broken != 0.0)
        stop_flowing(cable);
    rope->resting = context->atRest;
    if (context->atRest)
        rv_ale_rope_begin_rest(cable, bodies, context);
    else {
        rope->lies = false;
        rope->tries = 0;
        rv_ale_rope_begin_carries(rope, bodies);
        rv_ale_rope_expect_slides(cable, bodies, context->h);
        lead_slides(cable, bodies, context->h);
        rv_ale_winches_jump(cable, bodies, context->h);
        jump_ends(cable, bodies, context->h);
    }
    list_rows(cable, bodies, context->h);
    rope->bodies = bodies;
    rope->h = context->h;
    if (!context->atRest)
        rv_ale_port_begin(rope->ale, context->h);
    rv_ale_wheels_expect(cable);
    rope->bodies = NULL;
}

// Of the end of the rope on a drum: it only pulls. It yields a little more than the drive, which goes first.
static void write_end(const rvAleRope* rope, int j, double h, rvRow* rows, double* block, int size)
{
    const rvAleHold* hold = &rope->holds[j];
    rvRow* row = &rows[hold->end];
    block[hold->end * (size + 1)] *= 1.0 + PUSH;
    row->bias = (rope->places[hold->end] - hold->endTarget) / h;
    row->lower = j == 0 ? -HUGE_VAL : 0.0; // y = -l/(cM h)
    row->upper = j == 0 ? 0.0 : HUGE_VAL;
}

static void write_hold(const rvAleRope* rope, int j, double h, rvRow* rows, double* block, int size)
{
    const rvAleHold* hold = &rope->holds[j];
    double factor = rv_ale_port_factor(rope->ale), per = 1.0 / (factor * h);
    rvRow* row = &rows[hold->row];
    block[hold->row * size + hold->row] += factor * hold->compliance;
    row->bias = (rope->places[hold->row] - hold->target) / h;
    row->lower = -hold->most * per; // y = -l/(cM h)
    row->upper = -hold->least * per;
    if (hold->end >= 0)
        write_end(rope, j, h, rows, block, size);
    if (hold->tension < 0)
        return;
    rvRow *pull = &rows[hold->tension], *push = pull + 1;
    pull->bias = push->bias = rope->places[hold->tension] / h;
    pull->lower = push->upper = 0.0;
    double* yields = &block[(hold->tension + 1) * (size + 1)];
    if (rope->ale->rt.atRest) // by as much as that would be it is pressed already: else a soft rope never comes to rest
        push->bias += PUSH * *yields * rope->pressed[j] * per;
    *yields *= 1.0 + PUSH;
    if (!(hold->leanMost > 0.0))
        return;
    row->leanFirst = (int16_t)hold->tension;
    row->leanCount = 1;
    row->leanLower = -hold->leanMost;
    row->leanUpper = -hold->leanLeast;
    row->lower = row->upper = 0.0;
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rvAleRope* rope = cable->rope;
    rvAleTouches* lying = &rope->touches;
    rv_ale_inside_number(cable, bodies);
    int n = lying->width;
    double* block = rope->compliance;
    cable->group = -1;
    rope->bodies = bodies;
    // relaxed by itself it would let go of what it touches
    if (rope->passes >= PATIENCE && !rope->settled && !context->atRest && rope->touches.list.count == 0)
        rv_ale_rope_relax(rope, REMAINDER);
    rv_ale_port_pass(rope->ale, rope->ports, n, rope->places, block, rope->spread);
    if (rope->rowCount == 0)
        return;
    rvTouches* touches = &lying->list;
    bool lies = touches->count > 0;
    int slots = lies ? rv_touches_list_slots(touches, cable) : cable->route.bodyCount;
    cable->group =
        rv_rows_add(rows, RV_GROUP_CABLE, owner, rope->rowCount, lies ? touches->slots : cable->route.bodies, slots);
    if (cable->group < 0)
        return;
    rvRow* row = rv_group_rows(rows, cable->group);
    double factor = rv_ale_port_factor(rope->ale);
    for (int i = 0; i < n; ++i) // round-off apart it is symmetric
        for (int k = 0; k <= i; ++k)
            block[i * n + k] = block[k * n + i] = 0.5 * factor * (block[i * n + k] + block[k * n + i]);
    for (int i = 0; lying->inside.count > 0 && i < n; ++i)
        lying->more[i] = -block[i * n + i];
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGrip* grip = &rope->grips[k];
        if (!rv_ale_is_port(grip))
            continue;
        rv_grip_expect_port(grip, bodies, context->h);
        rv_grip_write_rows(grip, bodies, rope->places, context->h, rows, cable->group,
                           cable->route.places[grip->place].slot);
    }
    for (int j = 0; j < cable->route.placeCount; ++j)
        if (rope->holds[j].row >= 0)
            write_hold(rope, j, context->h, row, block, n);
    rv_ale_wheels_write(cable, context->h, rows, block, n);
    rv_ale_stops_write(rope, context->h, row, block, n);
    rv_ale_inside_write(cable, context->atRest, rows);
    rv_touches_write(touches, lying->moved, context->h, rows, cable->group);
    for (int i = 0; i < n; ++i)
        row[i].compliance = block[i * n + i];
    for (int i = 0; lying->inside.count > 0 && i < n; ++i)
        lying->more[i] += block[i * n + i];
    rows->groups[cable->group].block = block;
    if (!context->atRest)
        rv_ale_stops_write_bodies(cable, bodies, context->h, rows, owner);
}

// What the last solve gives the bodies of its ports [J].
static double given_away(const rvAleRope* rope, double h)
{
    double work = 0.0, mean[6];
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        if (!rv_ale_is_port(grip))
            continue;
        rv_grip_mean_velocity(rope->bodies, grip->body, mean);
        work -= rv_grip_body_work(mean, grip->force, (const double(*)[6])rope->states[k].past, h);
    }
    return work;
}

static rvPass read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows)
{
    (void)bodies;
    rvAleRope* rope = cable->rope;
    double factor = -rv_ale_port_factor(rope->ale) * context->h, most = 0.0;
    for (int r = 0; r < rope->rowCount; ++r)
        rope->forces[r] = cable->group >= 0 ? factor * rv_group_rows(rows, cable->group)[r].impulse : 0.0;
    for (int k = 0; k < rope->gripCount; ++k)
        if (rv_ale_is_port(&rope->grips[k]))
            most = fmax(most, rv_grip_take_force(&rope->grips[k], rope->forces));
    for (int j = 0; j < cable->route.placeCount; ++j)
        if (rope->holds[j].row >= 0) {
            rvAleHold* hold = &rope->holds[j];
            hold->ended = hold->end >= 0 && rope->forces[hold->end] != 0.0;
            hold->force = rope->forces[hold->row] + (hold->ended ? rope->forces[hold->end] : 0.0);
            hold->slips = cable->group >= 0 && rv_group_rows(rows, cable->group)[hold->row].mode != RV_ROW_FREE;
            int drive = hold->turning[RV_ALE_DRIVE];
            hold->limited = drive >= 0 && rv_group_rows(rows, cable->group)[drive].mode != RV_ROW_FREE;
        }
    rv_ale_stops_read(rope, rows);
    if (cable->group >= 0)
        rv_touches_read(&rope->touches.list, rows, cable->group, factor);
    rv_ale_inside_take(rope);
    double left = rv_ale_port_take(rope->ale, rope->ports, rope->touches.width, rope->forces, rope->spread);
    for (int k = 0; k < rope->gripCount && cable->group >= 0 && !context->atRest; ++k)
        if (rv_ale_is_port(&rope->grips[k]))
            left += rv_grip_left_out(&rope->grips[k], rope->bodies, context->h, rope->compliance, rope->touches.width,
                                     rv_ale_port_factor(rope->ale));
    rope->passes += context->atRest ? 0 : 1;
    rope->settled = left <= REMAINDER * rv_ale_port_scale(rope->ale);
    rope->fine = left <= FINE * rv_ale_port_scale(rope->ale);
    rope->again = !rope->settled;
    rope->wild = !rope->settled && !context->atRest &&
                 given_away(rope, context->h) > rv_ale_rope_moving(cable, rope->bodies, context->h);
    cable->peakTension = most;
    if (rope->wild)
        return (rvPass){rope->again, 2 * RV_EXTRA_PASSES};
    return (rvPass){rope->again, rope->met || rope->again ? RV_EXTRA_PASSES : 0};
}

void rv_ale_rope_go_on(rvAleRope* rope)
{
    if (!rope->fine && rope->rowCount == 0)
        rope->settled = rv_ale_rope_relax(rope, FINE);
    rope->again = !rope->settled;
}

// ---- after the bodies moved

static void turn_wheels(rvCable* cable, const double* before, double h)
{
    rvAleRope* rope = cable->rope;
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rvPlace* place = &cable->route.places[j];
        rvPlaceState* s = &place->state;
        const rvAleHold* hold = &rope->holds[j];
        double passed = before[j] - rope->ale->flow[RV_ALE_P][j];
        bool end = j == 0 || j == cable->route.spanCount;
        if (hold->row >= 0 && !end) {
            double work = hold->force * (rope->ale->flow[RV_ALE_P][j] - hold->target);
            s->heat -= fmin(work, 0.0);
        }
        if (!rv_place_is_wheel(place) || end || place->inertia > 0.0)
            continue;
        bool turns = place->on && !place->locked;
        s->wheelSpeed = turns ? place->side * passed / (h * place->radius) : 0.0;
        s->turned += h * s->wheelSpeed;
    }
}

static void keep_past(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    rv_pushes_shift(rope->pushes);
    rv_touches_keep_pushes(&rope->touches.list, rope->pushes);
    rv_touches_keep_guesses(&rope->touches.list);
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGripState* s = &rope->states[k];
        const rvGrip* grip = &rope->grips[k];
        rope->slides[k].was = rope->slides[k].now;
        if (grip->off || grip->body < 0)
            continue;
        if (grip->pushed) {
            rv_grip_keep_force(grip, s, bodies, rope->forces);
            continue;
        }
        memmove(s->past[1], s->past[0], 2 * sizeof s->past[0]);
        rv_ale_rope_read_force(rope, k, bodies, true, s->past[0]);
    }
    int places = cable->route.placeCount;
    memcpy(rope->arcs, rope->arcs + rope->placeRoom, (size_t)places * sizeof(double));
}

// The end that ran off: the fall beside a free end has no rope left. As runs_off.
static double ran_off(const rvCable* cable)
{
    int fall = rv_ale_ran_out(cable->rope->ale), last = cable->route.spanCount;
    if (fall == 0 && cable->route.places[0].type == RV_PLACE_FREE)
        return RV_RAN_OFF;
    return fall == last - 1 && cable->route.places[last].type == RV_PLACE_FREE ? RV_RAN_OFF + 1 : 0.0;
}

// Does the rope go as something tells it at the place beside a winch?
static bool is_held_beside(const rvAleRope* rope, int winch)
{
    int j = winch == 0 ? 1 : rope->ale->fallCount - 1;
    return rope->ale->flowHeld[j] || rv_ale_sticks(&rope->holds[j]);
}

// Generalised-alpha would throw back what a row stops: its velocity changes by gam/bet = 1.9 times. Rope that sticks at
// a place in the middle has the rate of its target, and no acceleration; at a drum it is off the rate of the step by no
// more than that changed (after a slip it went on at four times the speed of its drum, and tore at what was behind it),
// or than it was off before: where a ramp ends rates at ends of steps are half of a step's change ahead, and stopped at
// once while the rope goes on they drew a twentieth of its energy out of it from nothing.
// So has rope at a drum that slips, where it is held beside it: thrown back there and not here it was stretched by as
// much a second, and where damping lasts for longer than a step that went on in the next one without any force.
static void stop_flows(const rvCable* cable, double h)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    rv_ale_rope_keep_targets(rope);
    for (int j = 0; j <= ale->fallCount; ++j) {
        rvAleHold* hold = &rope->holds[j];
        hold->jumps = false;
        int winch = rv_cable_winch_at(cable, j);
        bool sticks = rv_ale_sticks(hold) || rv_ale_winch_drives(cable, j);
        if (!sticks && !(winch >= 0 && hold->row >= 0 && hold->slips && is_held_beside(rope, winch)))
            continue;
        double rate = ((rv_ale_sticks(hold) ? rv_ale_stuck_at(hold) : ale->rt.p[j]) - ale->flow[RV_ALE_P][j]) / h;
        double past = winch < 0 || !sticks ? rate : (winch == 0 ? -1.0 : 1.0) * cable->winch[winch].state.rate;
        double *now = &ale->rt.v1[j], off = fabs(rate - past);
        if (winch >= 0 && sticks && cable->state.slipping == 0.0)
            off = fmax(off, fabs(ale->flow[RV_ALE_RATE][j] - past));
        if (winch >= 0 && fabs(*now - rate) <= off)
            continue;
        *now = rate;
        ale->rt.a1[j] = ale->rt.at1[j] = 0.0;
        hold->jumps = true;
    }
    rv_ale_stops_end(rope);
}

// Of friction at places less what drives of wheels put in.
static double friction_heat(const rvCable* cable)
{
    double sum = 0.0;
    for (int j = 0; j < cable->route.placeCount; ++j)
        sum += cable->route.places[j].state.heat - cable->route.places[j].state.driveWork;
    return sum;
}

// What its books say of winches, wheels and places: put in.
static double booked(const rvCable* cable)
{
    double sum = -friction_heat(cable);
    for (int i = 0; i < 2; ++i)
        sum += cable->winch[i].state.work - cable->winch[i].state.heat;
    return sum;
}

// Does a winch of it run, and did it in the last step? What the motors of drums with inertia do is booked by the ends
// of steps.
static bool runs(const rvCable* cable)
{
    bool runs = false;
    for (int i = 0; i < 2; ++i) {
        if (!cable->winch[i].exists)
            continue;
        if (cable->route.places[rv_cable_winch_place(cable, i)].inertia > 0.0)
            return false;
        runs = runs || (cable->winch[i].state.rate != 0.0 && cable->winch[i].step.driveSpeed != 0.0);
    }
    return runs;
}

static void end_step(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvAleRope* rope = cable->rope;
    double before[RV_ALE_MAX_FALLS + 1];
    memcpy(before, rope->ale->flow[RV_ALE_P], (size_t)rope->ale->placeCount * sizeof(double));
    rvAleBooks books = {0};
    double rubbed = friction_heat(cable);
    rv_ale_rope_end_carries(rope, bodies);
    books.ports = rv_ale_rope_port_work(rope, bodies, context->h, &books.rise);
    books.ports += rv_ale_wheels_work(cable, bodies, context->h, true);
    double led = rv_ale_wheels_work(cable, bodies, context->h, false);
    books.booked = books.ports + led + rv_ale_rope_support_work(rope, bodies, context->h) +
                   rv_ale_stops_take(cable, bodies) - booked(cable);
    rv_ale_rope_note_energies(cable);
    double start = rv_ale_rope_energy(cable), current = rv_ale_current_power(rope->ale);
    bool lies = cable->group >= 0 && rv_ale_touches_count(cable) > 0;
    bool near = rope->touches.list.near; // by itself it knows no shapes
    if (!near)
        rv_ale_rope_go_on(rope);
    bool alone = !rope->settled && !lies && !near;
    if (alone)
        rv_ale_rope_step_again(rope);
    stop_flows(cable, context->h);
    rv_ale_wheels_end(cable, bodies, context->h, alone);
    double lifted = rv_ale_touches_lift(rope);
    if (lies)
        rv_ale_touches_end(rope, bodies);
    books.runs = runs(cable);
    double way = books.runs ? rv_ale_rope_begin_way(cable) : 0.0;
    bool good = rv_ale_port_end(rope->ale);
    if (books.runs && good)
        books.bend = rv_ale_rope_end_way(cable, way);
    double off = good ? 0.0 : ran_off(cable);
    rope->left = off > 0.0;
    if (rope->left && cable->state.broken == 0.0)
        cable->state.broken = off; // so it does here, sooner than its rate told
    keep_past(cable, bodies);
    rv_ale_rope_note_tensions(cable, rope->jumped);
    rv_ale_stops_tell(cable);
    cable->state.slipping = 0.0;
    rv_ale_rope_smooth(rope, fmin(1.0, context->h / RV_ALE_SMOOTH));
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists && (good || rope->left))
            rv_ale_winch_run(cable, i, before[rv_cable_winch_place(cable, i)], context, &books);
    turn_wheels(cable, before, context->h);
    if (cable->state.broken == 0.0)
        rv_ale_rope_exchange_arcs(cable, before, context->h);
    const double* p = rope->ale->flow[RV_ALE_P];
    cable->state.restLength = p[rope->ale->placeCount - 1] - p[0];
    // what was put in and is not stored is lost to damping, that of the material and the little of the step, and to
    // drag, less what water that moves gave
    double driven = 0.5 * context->h * (current + rv_ale_current_power(rope->ale));
    books.change = rv_ale_rope_energy(cable) - start;
    books.known += rv_ale_rope_led_work(rope, bodies) + rv_ale_touches_work(rope, bodies, context->h) -
                   (friction_heat(cable) - rubbed);
    books.booked += booked(cable) + rv_ale_touches_work(rope, bodies, context->h) + rope->lent;
    books.known += rope->lent + driven + lifted + led + rv_ale_wheels_ahead(cable);
    books.known -= rv_ale_stops_heat(rope, before); // what stops take is no budget of the step
    good = good && isfinite(books.change) && isfinite(books.booked);
    rope->failed = !good && !rope->left;
    if (good) {
        cable->state.heat += rv_ale_rope_guard(cable, bodies, context->h, &books);
        rv_ale_rope_adapt(cable);
    }
}

// What of the step cannot be; NULL: nothing.
static const char* failure(const rvCable* cable)
{
    if (!cable->rope->failed)
        return NULL;
    return rv_ale_ran_out(cable->rope->ale) >= 0 ? "a fall of it has no rope left"
                                                 : "its elements would be farther or faster than bodies may be";
}

static const char* end(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    const rvAleRope* rope = cable->rope;
    if (context->atRest) {
        rv_ale_rope_end_rest(cable, bodies, context);
        rv_ale_rope_note_tensions(cable, true);
    } else {
        cable->peakTension = rv_grips_pull(rope->grips, rope->states, rope->gripCount);
        end_step(cable, bodies, context);
    }
    cable->loosePull = cable->state.restLength * cable->massPerLength * rvLength(context->gravity);
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->peakTension = fmax(cable->peakTension, cable->route.places[i].state.tension);
    cable->account.excess = rope->debt;
    cable->contactCount = rv_ale_touches_count(cable);
    return failure(cable);
}

// ---- read-out

static void section_at(const rvCable* cable, int span, double share, rvCableSection* out)
{
    const rvAle* ale = cable->rope->ale;
    const rvAncf* ancf = ale->falls[span].ancf;
    double mesh = ale->falls[span].mesh, length = rv_ale_fall_length(ale, span), fill = length / mesh;
    double tiny = 1e-3 / ancf->elementCount, from = fmax(0.0, share - tiny), to = fmin(1.0, share + tiny);
    const rvAncfPoint points[3] = {rv_ale_point(ale, span, from), rv_ale_point(ale, span, share),
                                   rv_ale_point(ale, span, to)};
    rvVec3 lift = rvVec(0, 0, ale->water.on ? rv_ale_lift(ale, points[1].position.z) : 0.0);
    rvElementSpan elements = {.ancf = ancf,
                              .last = ancf->elementCount - 1,
                              .elastic = 1.0 / (fill * fill * fill),
                              .fill = fill,
                              .EA = ale->EA,
                              .load = rvScale(fill, rvMulAdd(lift, ale->mass, ale->gravity))};
    out->point = points[1].position;
    rv_section_of_elements(&elements, share * mesh, points, (to - from) * length, out);
}

static void section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, rvCableSection* out)
{
    (void)gravity;
    const rvAle* ale = cable->rope->ale;
    rv_section_by(cable, bodies, h, section_at, ale->flow[RV_ALE_P] + ale->placeCount, out);
}

double rv_ale_rope_tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    (void)bodies;
    return rv_section_tension(cable, span, end, section_at);
}

static int shape_count(const void* object, int span)
{
    enum { PER_ELEMENT = 4 };
    const rvAle* ale = object;
    return PER_ELEMENT * ale->falls[span].ancf->elementCount - 1;
}

static rvVec3 shape_point(const void* object, int span, int k)
{
    return rv_ale_point(object, span, (k + 1.0) / (shape_count(object, span) + 1.0)).position;
}

static int shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections, int room)
{
    if (sections)
        return 0;
    const rvAle* ale = cable->rope->ale;
    rvSpanCurve curve = {.object = ale, .count = shape_count, .point = shape_point};
    int count = rv_route_shape(&cable->route, shapes, &curve, points, room), last = cable->route.spanCount;
    // free ends are where the rope is
    if (room > 0 && cable->route.places[0].type == RV_PLACE_FREE)
        points[0] = rv_ale_point(ale, 0, 0.0).position;
    if (count <= room && cable->route.places[last].type == RV_PLACE_FREE)
        points[count - 1] = rv_ale_point(ale, last - 1, 1.0).position;
    return count;
}

static void load(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    if (pass == 0)
        rv_ale_rope_add_loads(cable, bodies, step);
    if (step->geometricStiffness > 0.0)
        rv_ale_rope_add_stiffness(cable, bodies);
}

static rvStatus create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error)
{
    rvStatus status = def ? rv_ale_rope_create(cable, def, bodies, memory, error)
                          : rv_ale_rope_reroute(cable, from->cable, bodies, memory, error);
    // as many pieces as the longest rope has in one fall, and one element more for each of the others
    if (status == RV_OK && cable->rope->touches.list.capacity > 0)
        cable->line.room = RV_LINE_BLOCK * (cable->rope->ale->falls[0].room + cable->route.capacity);
    return status;
}

static void place(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how)
{
    if (how->kind == RV_START_LIKE)
        rv_ale_rope_take(cable, how->like, bodies, how->gravity, how->h);
    else
        rv_ale_rope_hang(cable, bodies, how->gravity, how->kind == RV_START_STRAIGHT);
}

static void follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    if (change->kind == RV_CHANGE_PLACES)
        rv_ale_rope_follow_route(cable, bodies);
    if (change->kind == RV_CHANGE_BODIES)
        rv_ale_rope_follow(cable, bodies);
}

static const rvModelLife life = {
    .create = create, .destroy = rv_ale_rope_release, .place = place, .follow = follow, .visit = rv_ale_rope_visit};

static const rvModelStep steps = {.begin = begin, .load = load, .write = write_rows, .read = read_rows, .end = end};

static const rvModelRead readings = {.energy = rv_ale_rope_energies,
                                     .tension = rv_ale_rope_tension,
                                     .section = section,
                                     .point = rv_ale_rope_point,
                                     .shape = shape,
                                     .forceOn = rv_ale_rope_force_on};

static const rvModelContact contacts = {.collide = rv_ale_touches_collide, .depth = rv_ale_touches_depth};

static const rvModelSpan spans = {.measure = rv_ale_rope_measure_span, .trace = rv_ale_rope_trace};

static const rvModelEquilibrium equilibrium = {.measure = rv_ale_rope_measure_rest, .nudge = rv_model_is_stable};

const rvModel rv_model_ale = {
    .name = "ale",
    .traits = RV_HAS_MASS | RV_TURNS_WHEELS | RV_MEETS_BY_CURVE,
    .life = &life,
    .step = &steps,
    .read = &readings,
    .contact = &contacts,
    .span = &spans,
    .equilibrium = &equilibrium,
    .line = &rv_ale_line,
};
