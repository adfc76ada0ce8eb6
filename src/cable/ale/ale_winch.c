// SPDX-License-Identifier: MIT
// Winches at the ends of a rope that flows: what they hold its flow by, how they start at once, and their books. Drums
// with inertia are wheels of ale_wheel.c.
#include "cable/ale/ale_rope.h"

#include "cable/route/force_filter.h"
#include "cable/route/winch.h"

// EA eps of the element at an end of a fall, its mean: what rope pulls there, damping apart.
static double elastic_pull(const rvAle* ale, int fall, int end)
{
    int count = rv_ale_element_count(ale, fall);
    double l = ale->falls[fall].elements[end == RV_ALE_BEGIN ? 0 : count - 1].length / ale->falls[fall].mesh, sum = 0.0;
    for (int i = 0; i < RV_ANCF_POINTS; ++i) {
        double share = l * rv_ancf_gauss[i];
        sum += rv_ancf_gauss_weight[i] * rv_ale_point(ale, fall, end == RV_ALE_BEGIN ? share : 1.0 - share).strain;
    }
    return fmax(0.0, ale->EA * sum);
}

// Rope that leaves a drum takes the momentum rho v^2 a second along, v as fast as stretched rope is. What gives it that
// is the tension T: a drive that yields, v = w + xi F, feels F = T - rho v^2. (By v = w + xi T a drum that runs free
// would throw its rope out, by a motor that it does not have.) With u of the last step rho v^2 is rho u v; where the
// rope's stretch would make it faster than u that is too little, it pays for less than it gives and runs away: then it
// is 2 rho u v - rho u^2, Newton's step.
static void pay_for_speed(rvCable* cable, int i)
{
    const rvAle* ale = cable->rope->ale;
    double rate = ale->flow[RV_ALE_RATE][rv_cable_winch_place(cable, i)] * (i == 0 ? -1.0 : 1.0), steady = 0.0;
    if (cable->winch[i].step.driveCompliance == 0.0)
        return;
    double pull = elastic_pull(ale, i == 0 ? 0 : ale->fallCount - 1, i == 0 ? RV_ALE_BEGIN : RV_ALE_END);
    double heavy =
        cable->winch[i].step.driveCompliance * ale->mass * (1.0 + 2.0 * pull / ale->EA); // EA (r'^2 - 1)/2 is the pull
    double free = cable->winch[i].step.driveSpeed + cable->winch[i].step.driveCompliance * pull;
    if (free > 0.0)
        steady = (sqrt(1.0 + 4.0 * heavy * free) - 1.0) / (2.0 * heavy);
    double u = fmax(0.0, rate), more = steady > u ? heavy * u : 0.0, give = 1.0 / (1.0 + heavy * u + more);
    cable->winch[i].step.driveSpeed = (cable->winch[i].step.driveSpeed + more * u) * give;
    cable->winch[i].step.driveCompliance *= give;
}

static bool has_drum(const rvCable* cable, int i)
{
    return cable->winch[i].exists && cable->route.places[rv_cable_winch_place(cable, i)].inertia > 0.0;
}

// A drum with inertia goes on as it turns; at rest it is held by its brake, as any.
static rvAleHold drum_hold(const rvCable* cable, int i)
{
    const rvPlace* drum = &cable->route.places[rv_cable_winch_place(cable, i)];
    return (rvAleHold){.target = cable->rope->ale->flow[RV_ALE_P][rv_cable_winch_place(cable, i)],
                       .least = -HUGE_VAL,
                       .most = HUGE_VAL,
                       .rim = drum->inertia / (drum->radius * drum->radius),
                       .drives = true,
                       .bearing = drum->bearing};
}

// A limit is one of the tension T = N r', N = EA eps: on p that is T r' less the energy of a metre, N^2/(2 EA). Rope
// that is stretched by more than the limit gets no push by that.
static double limit_on_flow(const rvCable* cable, int i, double limit)
{
    const rvAle* ale = cable->rope->ale;
    double pull = elastic_pull(ale, i == 0 ? 0 : ale->fallCount - 1, i == 0 ? RV_ALE_BEGIN : RV_ALE_END);
    pull = fmin(pull, limit);
    return limit * sqrt(1.0 + 2.0 * pull / ale->EA) - 0.5 * pull * pull / ale->EA;
}

static rvAleHold drive_hold(const rvCable* cable, int i, double h)
{
    double sign = i == 0 ? -1.0 : 1.0, p = cable->rope->ale->flow[RV_ALE_P][rv_cable_winch_place(cable, i)];
    bool drum = has_drum(cable, i);
    double speed = drum ? cable->winch[i].step.motorSpeed : cable->winch[i].step.driveSpeed;
    double limit = limit_on_flow(cable, i, drum ? cable->winch[i].step.motorLimit : cable->winch[i].step.driveLimit);
    double yields = drum ? cable->winch[i].step.motorCompliance : cable->winch[i].step.driveCompliance;
    return (rvAleHold){.target = p + sign * h * speed,
                       .compliance = h * yields,
                       .least = i == 0 ? -HUGE_VAL : -limit,
                       .most = i == 0 ? limit : HUGE_VAL};
}

void rv_ale_winch_hold(rvCable* cable, int i, double h)
{
    rvAleRope* rope = cable->rope;
    int j = rv_cable_winch_place(cable, i);
    bool drum = has_drum(cable, i) && !rope->resting;
    if (!drum)
        pay_for_speed(cable, i);
    rvAleHold hold = drum ? drum_hold(cable, i) : drive_hold(cable, i, h);
    bool yields = drum || hold.compliance > 0.0 || fmin(-hold.least, hold.most) < HUGE_VAL;
    double room = yields ? rv_winch_room_out(cable, i, h) : HUGE_VAL;
    hold.endTarget = rope->ale->flow[RV_ALE_P][j] + (i == 0 ? -room : room);
    rv_ale_add_hold(rope, j, hold);
    if (isinf(room))
        return;
    rope->holds[j].end = rope->rowCount;
    rope->ports[rope->rowCount++] = (rvAlePort){.fall = -1, .place = j};
}

// A drive starts or stops at once by `change`: what it gives is work, what it takes is heat.
static void jump_winch(rvCable* cable, int i, double change, const rvBodyStore* bodies, double h)
{
    rvAle* ale = cable->rope->ale;
    int j = rv_cable_winch_place(cable, i);
    double sign = i == 0 ? -1.0 : 1.0, before = rv_ale_rope_energy(cable), rates[RV_ALE_MAX_FALLS + 1];
    memcpy(rates, ale->flow[RV_ALE_RATE], (size_t)ale->placeCount * sizeof(double));
    if (fabs(change) > 1e-9) {
        rv_ale_jump(ale, j, sign * change, h);
        cable->rope->jumped = true;
    }
    rv_ale_wheels_jump(cable, rates);
    if (has_drum(cable, i))
        rv_ale_wheels_set_drum(cable, j, bodies, sign * (cable->winch[i].state.rate + change));
    double gained = rv_ale_rope_energy(cable) - before;
    *(gained > 0.0 ? &cable->winch[i].state.work : &cable->state.heat) += fabs(gained);
}

// What of a change goes on as the one before did: along it, and no more of it.
static double going_on(double change, double before)
{
    return change * before > 0.0 ? copysign(fmin(fabs(change), fabs(before)), change) : 0.0;
}

bool rv_ale_winch_would_slip(const rvCable* cable, int i, double more)
{
    return !has_drum(cable, i) && rv_winch_tension(cable, i) + more >= cable->winch[i].step.driveLimit;
}

// What a change of the speed of a drive pulls its fall by, within a step [N].
static double pull_of(const rvCable* cable, int i, double change, double h)
{
    const rvAle* ale = cable->rope->ale;
    return -ale->EA * (h + ale->axialTime) * change / rv_ale_fall_length(ale, i == 0 ? 0 : ale->fallCount - 1);
}

// How much a drive gets faster at once; 0: it is led smoothly, or so little that the rope would not be pulled harder
// within a step by that than it is, or as it weighs (as starts_at_once of model_ale.c). What goes on as in the last
// step is no jump, nor is what a motor gets faster by; its brake and its stops know no acceleration.
static double jump_of(const rvCable* cable, int i, double h)
{
    const rvAle* ale = cable->rope->ale;
    const rvWinchSettings* winch = &cable->winch[i].settings;
    int fall = i == 0 ? 0 : ale->fallCount - 1;
    double speed = has_drum(cable, i) ? cable->winch[i].step.motorSpeed : cable->winch[i].step.driveSpeed;
    double change = speed - cable->winch[i].state.rate, sudden = change - going_on(change, cable->rope->quicker[i]);
    bool motor = isfinite(winch->acceleration) && fabs(change) <= (1.0 + 1e-9) * h * winch->acceleration;
    if (motor || cable->state.slipping != 0.0 || fabs(sudden) <= fmax(1e-9, 0.5 * fabs(change)))
        return 0.0;
    double more = pull_of(cable, i, sudden, h), weight = ale->mass * rvLength(ale->gravity);
    double carried = fmax(cable->route.places[fall].state.endTension, weight * rv_ale_fall_length(ale, fall));
    return fabs(more) > carried && !rv_ale_winch_would_slip(cable, i, more) ? sudden : 0.0;
}

// At a drum with inertia: nothing bounds what its motor does.
static bool is_firm(const rvCable* cable, int i)
{
    if (has_drum(cable, i))
        return cable->winch[i].step.motorLimit == HUGE_VAL && cable->winch[i].step.motorCompliance == 0.0;
    return cable->winch[i].step.driveCompliance == 0.0;
}

// A drive that starts or stops at once: the rope does so too, and does not learn it from a stretch. The winch at the
// other end holds its rope meanwhile, as far as it can. (Where it did not that rope stopped with the first of two
// winches, and went backwards with the second.)
void rv_ale_winches_jump(rvCable* cable, const rvBodyStore* bodies, double h)
{
    for (int i = 0; i < 2; ++i) {
        if (!cable->winch[i].exists || cable->state.broken != 0.0 || !is_firm(cable, i))
            continue;
        bool layer = has_drum(cable, i) && rv_ale_wheels_changed_layer(cable, rv_cable_winch_place(cable, i));
        double change = jump_of(cable, i, h), more = fabs(pull_of(cable, i, change, h));
        if (change == 0.0 && !layer)
            continue;
        int other = 1 - i;
        bool *held = &cable->rope->ale->flowHeld[rv_cable_winch_place(cable, other)], was = *held;
        bool holds =
            cable->winch[other].exists && is_firm(cable, other) && !rv_ale_winch_would_slip(cable, other, more);
        *held = was || holds;
        jump_winch(cable, i, change, bodies, h);
        *held = was;
    }
}

// Between the middles of steps half of its work is of the last one: of what held it then, its motor or its brake. What
// rope brings along from it is neither's. (All of it was the brake's as it closed, which made energy for a step.)
static void book_work(rvCable* cable, int i, double brought, double last, double now, const rvStepContext* context)
{
    double* braked = &cable->rope->braked[i];
    cable->winch[i].state.work += brought;
    if (*braked != 0.0)
        cable->winch[i].state.heat -= last;
    else
        cable->winch[i].state.work += last;
    *braked = cable->winch[i].settings.brake;
    rv_winch_finish(cable, i, now, context);
}

// Its work is that between the middles of steps, as bodies do theirs (rv_ale_rope_port_work): by the same share of the
// last pulls. (By the pull at the start of a step a blow was in the energies a step before it was in the work.)
void rv_ale_winch_run(rvCable* cable, int i, double before, const rvStepContext* context, rvAleBooks* books)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    int j = rv_cable_winch_place(cable, i), fall = i == 0 ? 0 : ale->fallCount - 1, end = i == 0 ? 0 : 1;
    double sign = i == 0 ? -1.0 : 1.0, out = sign * (ale->flow[RV_ALE_P][j] - before);
    const rvAncf* ancf = ale->falls[fall].ancf;
    const double* r = ancf->q + 6 * rv_ale_end_node(&ale->falls[fall], end);
    double tension = rope->holds[j].row >= 0 ? -sign * rope->holds[j].force : rv_ale_rope_end_tension(rope, fall, end);
    double stretch = 1.0 + 2.0 * elastic_pull(ale, fall, end) / ale->EA; // of the element there; a node's slope quivers
    double speed = ale->flow[RV_ALE_RATE][j] * sqrt(stretch);
    bool drum = has_drum(cable, i);
    if (drum)
        rv_winch_unwind(cable, i, out, context);
    else {
        double planned = rv_winch_advance(cable, i, tension, context);
        if (out - planned > 1e-12 * cable->state.restLength)
            rv_winch_slip(cable, i, out - planned, context);
        // what a step that has not settled leaves out is no slip
        bool off = fabs(out - planned) > 1e-12 * cable->state.restLength;
        if (off && rope->holds[j].slips)
            cable->state.slipping = 1.0;
    }
    // a metre that enters brings its height and its speed along, which is that of stretched rope; its stretch is in the
    // pull
    double energy = ale->mass * (rvDot(ale->gravity, rvVec(r[0], r[1], r[2])) - 0.5 * speed * speed);
    energy -= ale->water.on ? rv_ale_lift_energy(ale, r[2]) : 0.0;
    double *l = rope->drawn[i], last = 0.5 * context->h * cable->winch[i].step.lastRate;
    double now = 0.5 * context->h * cable->winch[i].state.rate, brought = -(last + now) * energy;
    double pull = rv_force_sum(tension, l, 1) / RV_FORCE_TAP_SUM;
    memmove(l + 1, l, 2 * sizeof *l);
    l[0] = tension;
    rope->quicker[i] = cable->winch[i].state.rate - cable->winch[i].step.lastRate;
    if (drum) { // the rope turns it, and its motor does the work
        const double* work = rope->rims[j].work;
        book_work(cable, i, brought, 0.5 * work[1], 0.5 * work[0], context);
        books->ports += brought;
        books->known += work[0];
    } else {
        book_work(cable, i, brought, -last * pull, -now * pull, context);
        books->ports += brought - (last + now) * pull;
        books->rise -= context->h * cable->winch[i].state.rate * (tension - l[1]);
    }
}

// Does the motor of a drum with inertia turn it as it is told?
bool rv_ale_winch_drives(const rvCable* cable, int j)
{
    const rvAleHold* hold = &cable->rope->holds[j];
    int winch = rv_cable_winch_at(cable, j);
    return winch >= 0 && hold->row >= 0 && hold->rim > 0.0 && !hold->limited &&
           cable->winch[winch].step.motorCompliance == 0.0;
}
