// SPDX-License-Identifier: MIT
// Energies of a rope that flows, and the step that it makes again by itself.
//
// A body's velocity lives at the middle of steps, the rope's state at their ends: read beside the bodies the rope's
// energy is the mean of those at both ends of the last step less their bend, as of finite elements that do not flow.
//
// Guard, as that of fe_guard.c: what bodies give the rope through its ports from one middle of a step to the next is,
// with the impulses J on them,  W = - J.(v + v')/2  to the last digit, whatever else holds them. So no energy is made
// in the whole machine if the rope's own, read at the middles, stays within what it had, W, and what winches, friction
// and led bodies gave: the rest may be 2 % of the energies that move, its bodies' among them; what it lost leaks out of
// that budget within half a second. E(n+1/2) is the mean of the step's ends less the bend h v'.(l(n+1) - l(n))/8, at
// most a quarter of their difference. What is beyond is taken from the rope's rates, then from its shape, which goes
// downhill between its ends, and what that does not have is owed by the bodies around (src/world/guard.c).
#include "cable/ale/ale_rope.h"

#include "cable/route/force_filter.h"

enum { MOST_TRIES = 3 };
// Of the energies that move: what may stay, also beside other ropes (fe_guard.c); and what is more than its speed can
// pay and is owed no longer.
static const double TOLERANCE = 1e-3, ROPES = 0.02, MUCH = 0.002, LEAK = 0.5 /* s */;
static const double TURNS = 0.01; // of the square of a change of speed: what its mean is less than turns back

enum { KINETIC, ELASTIC, POTENTIAL };
// Of the guard's numbers: by how much its energy is above its budget, with what it may, and what it still owes; the
// scale; of the last step the changes, OWN that of the rope's own energy.
enum { ABOVE, SCALE, CHANGE, BEND, OWN, LATE };

static void add_falls(const rvAle* ale, double parts[3])
{
    rvAncfEnergy energy = rv_ale_energy(ale);
    parts[KINETIC] += energy.kinetic;
    parts[ELASTIC] += energy.stretch + energy.bend;
    parts[POTENTIAL] += energy.potential;
}

// What lies on place j, from one point to another; share: rope a metre of it.
static void add_arc(const rvAle* ale, int j, double share, rvVec3 in, rvVec3 out, double parts[3])
{
    double arc = ale->flow[RV_ALE_P][ale->placeCount + j], mass = ale->mass * arc, rate = ale->flow[RV_ALE_RATE][j];
    double strain = 0.5 * (1.0 / (share * share) - 1.0);
    parts[KINETIC] += 0.5 * mass * rate * rate;
    parts[ELASTIC] += 0.5 * ale->EA * strain * strain * arc;
    parts[POTENTIAL] -= 0.5 * mass * rvDot(ale->gravity, rvAdd(in, out));
    if (ale->water.on)
        parts[POTENTIAL] += 0.5 * arc * (rv_ale_lift_energy(ale, in.z) + rv_ale_lift_energy(ale, out.z));
}

// As the rope is now, with what lies on wheels: stretched as it lies there. (The tension beside it has that of damping
// in it, which is no energy.)
static void rope_energies(const rvCable* cable, double parts[3])
{
    const rvAle* ale = cable->rope->ale;
    memset(parts, 0, 3 * sizeof(double));
    add_falls(ale, parts);
    for (int j = 1; j < cable->route.spanCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        add_arc(ale, j, rv_ale_rope_arc_share(cable, j), place->in, place->out, parts);
    }
}

// With its wheels, which turn as it flows.
static void energies_now(const rvCable* cable, double parts[3])
{
    rope_energies(cable, parts);
    for (int j = 0; j < cable->route.placeCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        parts[KINETIC] += 0.5 * place->inertia * place->state.spin * place->state.spin;
    }
}

// Of rope that is bent on wheels; bodies feel it as they turn the falls (model_ale.c), so it is not in the rope's own
// books.
static double bent_on_wheels(const rvCable* cable)
{
    const rvAle* ale = cable->rope->ale;
    double sum = 0.0;
    for (int j = 1; j < cable->route.spanCount; ++j) {
        double r = cable->route.places[j].radius, rope = ale->flow[RV_ALE_P][ale->placeCount + j];
        sum += r > 0.0 ? 0.5 * cable->rope->wheelEI / (r * r) * rope : 0.0;
    }
    return sum;
}

void rv_ale_rope_note_energies(rvCable* cable)
{
    energies_now(cable, cable->rope->ale->was);
}

double rv_ale_rope_energy(const rvCable* cable)
{
    double parts[3];
    energies_now(cable, parts);
    return parts[KINETIC] + parts[ELASTIC] + parts[POTENTIAL];
}

// At the middle of the last step: the bend is of the elastic, as far as that goes.
static void read_middle(const rvCable* cable, double parts[3])
{
    const double *was = cable->rope->ale->was, bend = cable->rope->ale->above[BEND];
    energies_now(cable, parts);
    for (int i = 0; i < 3; ++i)
        parts[i] = 0.5 * (parts[i] + was[i]);
    double off = fmin(bend, parts[ELASTIC]);
    parts[ELASTIC] -= off;
    parts[POTENTIAL] -= bend - off;
}

static void swap(double* a, double* b, int count)
{
    for (int i = 0; i < count; ++i) {
        double was = a[i];
        a[i] = b[i];
        b[i] = was;
    }
}

static void swap_rates(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; ++f)
        swap(ale->falls[f].ancf->v, ale->falls[f].ancf->work[7], ale->falls[f].ancf->dofCount);
    swap(ale->flow[RV_ALE_RATE], ale->flowWork[7], 2 * ale->placeCount);
}

// Of falls and arcs at the shape as it is.
static double kinetic_of_way(const rvCable* cable)
{
    double parts[3];
    swap_rates(cable->rope->ale);
    rope_energies(cable, parts);
    swap_rates(cable->rope->ale);
    return parts[KINETIC];
}

// Of a rope that its winches run, E at the middle is not found by what its ports do: they change at the beginning of a
// step, by forces that swing about what moves the rope (a rate that changes makes generalised-alpha's end rate change
// by 15/8 of that). It is that of the way of the step: its kinetic energy has the rates way/h, and stretch the mean
// tension.
double rv_ale_rope_begin_way(const rvCable* cable)
{
    const rvAle* ale = cable->rope->ale;
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        for (int i = 0; i < ancf->dofCount; ++i)
            ancf->work[7][i] = (ale->falls[f].rt.p[i] - ancf->q[i]) / ale->rt.h;
    }
    for (int i = 0; i < 2 * ale->placeCount; ++i)
        ale->flowWork[7][i] = (ale->rt.p[i] - ale->flow[RV_ALE_P][i]) / ale->rt.h;
    return kinetic_of_way(cable);
}

double rv_ale_rope_end_way(const rvCable* cable, double begun)
{
    const double* was = cable->rope->ale->was;
    double now[3], kinetic = 0.5 * (begun + kinetic_of_way(cable));
    for (int j = 0; j < cable->route.placeCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        double rate = place->inertia > 0.0 ? cable->rope->rims[j].mean / place->radius : 0.0;
        kinetic += 0.5 * place->inertia * rate * rate;
    }
    energies_now(cable, now);
    double stretch = sqrt(now[ELASTIC]) - sqrt(was[ELASTIC]);
    return 0.5 * (was[KINETIC] + now[KINETIC]) - kinetic + 0.25 * stretch * stretch;
}

void rv_ale_rope_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h,
                          rvRopeEnergy* energy)
{
    (void)bodies, (void)gravity, (void)h;
    double parts[3];
    read_middle(cable, parts);
    energy->elastic = parts[ELASTIC] + bent_on_wheels(cable);
    energy->kinetic = parts[KINETIC];
    energy->potential = parts[POTENTIAL];
}

static bool is_carried(const rvGrip* grip)
{
    return grip->body >= 0 && !grip->off;
}

void rv_ale_rope_begin_carries(rvAleRope* rope, const rvBodyStore* bodies)
{
    for (int k = 0; k < rope->gripCount; ++k)
        if (rope->grips[k].body >= 0) {
            const rvBodyState* s = &bodies->items[rope->grips[k].body].state;
            rope->carries[k] = (rvAleCarry){.from = {s->x, s->q}, .speed = s->v, .spin = s->w};
        }
}

// The point is the body's: that the way on to it slides along the body is between the fall and the rope on the arc,
// which the one loses and the other gains.
void rv_ale_rope_end_carries(rvAleRope* rope, const rvBodyStore* bodies)
{
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        rvAleCarry* carry = &rope->carries[k];
        if (!is_carried(grip))
            continue;
        const rvBodyState* s = &bodies->items[grip->body].state;
        const rvAleFall* fall = &rope->ale->falls[k / 2];
        int node = 6 * rv_ale_end_node(fall, k % 2);
        const double *old = fall->ancf->q + node, *now = fall->rt.p + node;
        rvVec3 before = rvRotateBack(carry->from.q, rvSub(rvVec(old[0], old[1], old[2]), carry->from.p));
        rvVec3 after = rvRotateBack(s->q, rvSub(rvVec(now[0], now[1], now[2]), s->x));
        rvVec3 point = rvScale(0.5, rvAdd(before, after));
        rvQuat turn = rvQuatMul(s->q, rvQuatConj(carry->from.q));
        carry->way = rvSub(rvAdd(s->x, rvRotate(s->q, point)), rvPosePoint(carry->from, point));
        carry->turn = rvScale(turn.w < 0.0 ? -2.0 : 2.0, rvVec(turn.x, turn.y, turn.z));
    }
}

// What lies on wheels is carried by their bodies: start and end of a step are read where the wheels are at its end.
double rv_ale_rope_led_work(const rvAleRope* rope, const rvBodyStore* bodies)
{
    double work = 0.0;
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        const rvAleCarry* carry = &rope->carries[k];
        if (grip->pushed || !is_carried(grip))
            continue;
        double mean[6];
        rv_grip_mean_force(&rope->states[k], mean);
        rvVec3 force = rvVec(mean[0], mean[1], mean[2]);
        work += rvDot(force, carry->way);
        if (grip->clamped) {
            rvVec3 arm = rvRotate(bodies->items[grip->body].state.q, grip->local);
            work += rvDot(rvSub(rvVec(mean[3], mean[4], mean[5]), rvCross(arm, force)), carry->turn);
        }
    }
    return work;
}

double rv_ale_rope_port_work(const rvAleRope* rope, const rvBodyStore* bodies, double h, double* rise)
{
    double work = 0.0;
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        const rvAleCarry* carry = &rope->carries[k];
        if (!rv_ale_is_port(grip))
            continue;
        const rvBodyState* s = &bodies->items[grip->body].state;
        const double(*l)[6] = (const double(*)[6])rope->states[k].past;
        rvVec3 linear = rvScale(0.5, rvAdd(carry->speed, s->v)), angular = rvScale(0.5, rvAdd(carry->spin, s->w));
        const double mean[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        const double end[6] = {s->v.x, s->v.y, s->v.z, s->w.x, s->w.y, s->w.z};
        for (int c = 0; c < 6; ++c) {
            work += h * mean[c] * rv_force_sum(grip->force[c], l[0] + c, 6) / RV_FORCE_TAP_SUM;
            *rise += h * end[c] * (grip->force[c] - l[0][c]);
        }
    }
    return work;
}

// Of those that are led, as the world counts it: by the force at the start of the step, which lies between the middles.
double rv_ale_rope_support_work(const rvAleRope* rope, const rvBodyStore* bodies, double h)
{
    double work = 0.0, mean[6];
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        if (grip->pushed || !is_carried(grip))
            continue;
        rv_grip_mean_velocity(bodies, grip->body, mean);
        for (int c = 0; c < 6; ++c)
            work += h * mean[c] * rope->states[k].past[0][c];
        const rvAleCarry* carry = &rope->carries[k];
        rvVec3 turning = rvCross(rvRotate(carry->from.q, grip->local), carry->push);
        work += h * (rvDot(carry->push, rvVec(mean[0], mean[1], mean[2])) +
                     rvDot(turning, rvVec(mean[3], mean[4], mean[5])));
    }
    return work;
}

// An impulse J that changes a speed does J.(mean of both): as a force of one step, along that mean, it is in the
// world's books.
void rv_ale_rope_book_start(rvCable* cable, int k, rvVec3 speed, rvVec3 change, double before, double h)
{
    rvAleCarry* carry = &cable->rope->carries[k];
    double gained = rv_ale_rope_energy(cable) - before;
    rvVec3 mean = rvMulAdd(speed, 0.5, change);
    double square = rvDot(mean, mean);
    cable->state.heat -= gained;
    if (gained > 0.0 && square > TURNS * rvDot(change, change)) // what turns back has no way for a force to work along
        carry->push = rvMulAdd(carry->push, gained / (h * square), mean);
}

// Energies that move: the rope's, at least a tenth of what it would fall by its length, and those of its bodies.
static double scale_of(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvAle* ale = cable->rope->ale;
    double length = cable->state.restLength, moving = *ale->kinetic;
    for (int i = 0; i < cable->route.bodyCount; ++i) {
        const rvBody* body = &bodies->items[cable->route.bodies[i]];
        moving += rv_body_is_pushed(body) ? 0.5 * body->mass * rvDot(body->state.v, body->state.v) : 0.0;
    }
    double floor = 0.1 * ale->mass * length * rvLength(ale->gravity) * length;
    return fmax(fmax(floor, moving), ale->above[SCALE] * (1.0 - fmin(1.0, h / LEAK)));
}

double rv_ale_rope_moving(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    double parts[3];
    energies_now(cable, parts);
    return scale_of(cable, bodies, h) + parts[KINETIC] + parts[ELASTIC];
}

// Bodies of a host are not ours to slow down.
static bool bodies_pay(const rvAleRope* rope, const rvBodyStore* bodies)
{
    bool pay = false;
    for (int k = 0; k < rope->gripCount; ++k)
        if (rv_ale_is_port(&rope->grips[k])) {
            if (bodies->items[rope->grips[k].body].type == RV_BODY_PROXY)
                return false;
            pay = true;
        }
    return pay;
}

// Rates of flows as their ends lead them, and what they have more.
typedef struct {
    double led[RV_ALE_MAX_FALLS + 1], own[RV_ALE_MAX_FALLS + 1];
} Flows;

static bool is_led(const rvAleFall* fall, int end)
{
    return fall->gripped[end] || fall->ancf->held[rv_ale_end_node(fall, end)] != 0;
}

// The drum of a winch, which has inertia: the rope goes with it.
static bool is_drum(const rvAleRope* rope, int j)
{
    return (j == 0 || j == rope->ale->fallCount) && rope->holds[j].rim > 0.0;
}

// Does the rope at a place go as something else tells it? What slips does not.
static bool is_flow_led(const rvAleRope* rope, int j)
{
    return rope->ale->flowHeld[j] || rv_ale_sticks(&rope->holds[j]) || is_drum(rope, j);
}

// How fast a fall's way grows as its ends move, by the rope that it takes; *share: how much of what is left over it may
// have beside others.
static double way_rate(const rvAle* ale, int f, double* share)
{
    static const double LOOSE = 1e9; // it has all
    const rvAleFall* fall = &ale->falls[f];
    int node = 6 * rv_ale_end_node(fall, RV_ALE_END);
    const double *q = fall->ancf->q, *v = fall->ancf->v;
    rvVec3 way = rvVec(q[node] - q[0], q[node + 1] - q[1], q[node + 2] - q[2]);
    rvVec3 rate = rvVec(v[node] - v[0], v[node + 1] - v[1], v[node + 2] - v[2]);
    double length = rvLength(way), rest = rv_ale_fall_length(ale, f);
    bool led = is_led(fall, RV_ALE_BEGIN) && is_led(fall, RV_ALE_END);
    *share = led ? rest : LOOSE * rest;
    return led && length > 0.0 ? fmin(1.0, rest / length) * rvDot(rate, way) / length : 0.0;
}

// What flows as the ways of the falls grow, from one place where it is led to the next: what these ways take more or
// less than comes in is spread over the falls between by their rope; one with a loose end has all of it. Beyond the
// last such place it flows as the ways take it.
static void lead_flows(const rvAleRope* rope, double* led)
{
    const rvAle* ale = rope->ale;
    const double* rate = ale->flow[RV_ALE_RATE];
    double grows[RV_ALE_MAX_FALLS], share[RV_ALE_MAX_FALLS];
    for (int first = 0, last; first < ale->fallCount; first = last) {
        double sum = 0.0, all = 0.0;
        for (last = first; last < ale->fallCount && (last == first || !is_flow_led(rope, last)); ++last) {
            // with the rope on the arc before it
            grows[last] = way_rate(ale, last, &share[last]) + rate[ale->placeCount + last];
            sum += grows[last];
            all += share[last];
        }
        bool begins = is_flow_led(rope, first), ends = is_flow_led(rope, last);
        double over = begins && ends ? rate[last] - rate[first] - sum : 0.0;
        led[first] = begins || !ends ? rate[first] : rate[last] - sum;
        for (int f = first; f < last; ++f)
            led[f + 1] = led[f] + grows[f] + over * share[f] / all;
    }
}

// Of the rope that lies on the places beside a fall and counts to it.
static double arcs_rate(const rvAle* ale, int f)
{
    const double* rate = ale->flow[RV_ALE_RATE];
    double flows = rate[f + 1] - rate[f];
    return flows - (rv_ale_end_of(ale, rate, f) - rv_ale_begin_of(ale, rate, f));
}

// How fast a fall moves as its ends lead it: evenly between them; one with a loose end goes along with the place that
// holds it, as long as the rope in it is then: nothing of it is stretched. (Let stay, it was torn by a winch that draws
// it in.)
static void lead_fall(const rvAle* ale, int f, const double* flows, double* speeds)
{
    const rvAleFall* fall = &ale->falls[f];
    const rvAncf* ancf = fall->ancf;
    bool first = is_led(fall, RV_ALE_BEGIN), last = is_led(fall, RV_ALE_END);
    int ends[2] = {0, 6 * rv_ale_end_node(fall, RV_ALE_END)}, held = first ? ends[0] : ends[1];
    double per = first != last ? (flows[f + 1] - flows[f] - arcs_rate(ale, f)) / rv_ale_fall_length(ale, f) : 0.0;
    for (int i = 0; i < ancf->dofCount; ++i) {
        int c = i % 3;
        bool slope = i % 6 >= 3;
        double x = ancf->places[i / 6] / fall->mesh, from = ancf->v[ends[0] + c], to = ancf->v[ends[1] + c];
        if (first && last)
            speeds[i] = slope ? (to - from) / fall->mesh : from + x * (to - from);
        else
            speeds[i] = (first || last) && !slope ? ancf->v[held + c] + per * (ancf->q[i] - ancf->q[held + c])
                                                  : per * ancf->q[i];
    }
}

// Into two lists of work: a fall's motion as its ends lead it, and by itself. Rope that were stopped beside ends that
// go on would be torn by them in the next step, which made more energy than it lost; so what flows as the ends need it
// is not its own either. (Braked at its winch and its wheel it stopped below a load that went on down.)
static void part_motion(const rvAleRope* rope, Flows* flows)
{
    const rvAle* ale = rope->ale;
    lead_flows(rope, flows->led);
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        lead_fall(ale, f, flows->led, ancf->work[0]);
        for (int i = 0; i < ancf->dofCount; ++i)
            ancf->work[1][i] = ancf->v[i] - ancf->work[0][i];
    }
    for (int j = 0; j < ale->placeCount; ++j)
        flows->own[j] = ale->flow[RV_ALE_RATE][j] - flows->led[j];
}

// Answers the kinetic energy with this share of its own motion.
static double move_by(rvAle* ale, const Flows* flows, double share)
{
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        for (int i = 0; i < ancf->dofCount; ++i)
            ancf->v[i] = ancf->work[0][i] + share * ancf->work[1][i];
    }
    for (int j = 0; j < ale->placeCount; ++j)
        ale->flow[RV_ALE_RATE][j] = flows->led[j] + share * flows->own[j];
    return rv_ale_energy(ale).kinetic;
}

// Takes as much of its kinetic energy, or what there is; it is of second degree in the share.
static void slow_down(const rvAleRope* rope, double wanted)
{
    Flows flows;
    part_motion(rope, &flows);
    double all = rv_ale_energy(rope->ale).kinetic, none = move_by(rope->ale, &flows, 0.0);
    double half = move_by(rope->ale, &flows, 0.5);
    double c = 2.0 * (all - 2.0 * half + none), b = all - none - c, share = all < none ? 1.0 : 0.0;
    if (c > 0.0) {
        share = fmin(fmax(-0.5 * b / c, 0.0), 1.0);
        double more = b * b - 4.0 * c * (none - all + wanted);
        if (more > 0.0)
            share = fmin(fmax(share, 0.5 * (sqrt(more) - b) / c), 1.0);
    }
    move_by(rope->ale, &flows, share);
}

// Ports and flows that rows hold are held inside meanwhile; wheels with inertia that the rope sticks on are mass of it.
static void hold_all(rvAleRope* rope, bool* held)
{
    rvAle* ale = rope->ale;
    memcpy(held, ale->flowHeld, (size_t)ale->placeCount * sizeof(bool));
    for (int j = 0; j < ale->placeCount; ++j) {
        const rvAleHold* hold = &rope->holds[j];
        bool turns = hold->row >= 0 && hold->rim > 0.0 && !hold->slips && !is_drum(rope, j);
        ale->flowHeld[j] = held[j] || (hold->row >= 0 && !turns);
        ale->inertia[j] = turns ? hold->rim : 0.0;
    }
    rv_ale_stops_hold(rope, ale->flowHeld);
    rv_ale_rope_hold_ports(rope);
}

static void let_go(rvAleRope* rope, const bool* held)
{
    rv_ale_rope_let_ports_go(rope);
    memcpy(rope->ale->flowHeld, held, (size_t)rope->ale->placeCount * sizeof(bool));
    memset(rope->ale->inertia, 0, (size_t)rope->ale->placeCount * sizeof(double));
}

// Nodes of elements that lie on shapes stay where they are, or not; ends are held otherwise.
static void hold_touching(const rvAleRope* rope, bool hold)
{
    rvError ignored = {0};
    for (int i = 0; i < rope->touches.list.count; ++i) {
        const rvFeTouch* touch = &rope->touches.list.items[i];
        rvAncf* ancf = rope->ale->falls[touch->fall].ancf;
        for (int n = touch->element; n <= touch->element + 1; ++n) {
            if (n == 0 || n == ancf->nodeCount - 1 || (ancf->held[n] != 0) == hold)
                continue;
            if (hold)
                rv_ancf_hold(ancf, n, RV_ANCF_PIN, &ignored);
            else
                rv_ancf_let_go(ancf, n);
        }
    }
}

static void calm(rvAleRope* rope, double wanted, double h)
{
    bool held[RV_ALE_MAX_FALLS + 1];
    hold_all(rope, held);
    hold_touching(rope, true); // else it would sink into what it lies on
    rv_ale_port_calm(rope->ale, wanted, h);
    hold_touching(rope, false);
    let_go(rope, held);
}

static rvVec3 end_of_fall(const rvAle* ale, int f, int end)
{
    const double* q = ale->falls[f].ancf->q + 6 * rv_ale_end_node(&ale->falls[f], end);
    return rvVec(q[0], q[1], q[2]);
}

double rv_ale_rope_held(rvAleRope* rope)
{
    const rvAle* ale = rope->ale;
    double parts[3] = {0};
    add_falls(ale, parts);
    for (int j = 1; j < ale->fallCount; ++j)
        add_arc(ale, j, rv_ale_rope_tension_share(rope, j), end_of_fall(ale, j - 1, RV_ALE_END),
                end_of_fall(ale, j, RV_ALE_BEGIN), parts);
    return parts[KINETIC] + parts[ELASTIC] + parts[POTENTIAL];
}

// What the mesh alone made between two steps is the guard's to take. Energies are read as means of both ends of a step,
// so half of what changed is in the books now and half of it after the next step.
static void book_jump(rvCable* cable, double more)
{
    double* above = cable->rope->ale->above;
    above[ABOVE] += 0.5 * fmax(0.0, more);
    above[CHANGE] += fmax(0.0, more);
    above[OWN] += more;
    cable->state.heat -= 0.5 * more;
}

// Nodes that were at contacts stay where they are, or not.
static void hold_kinks(const rvAle* ale, const rvVec3* kinks, int count, bool hold)
{
    rvError ignored = {0};
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        for (int n = 1; n + 1 < ancf->nodeCount; ++n)
            for (int i = 0; i < count; ++i) {
                const double* q = ancf->q + 6 * n;
                if (q[0] != kinks[i].x || q[1] != kinks[i].y || q[2] != kinks[i].z || (ancf->held[n] != 0) == hold)
                    continue;
                if (hold)
                    rv_ancf_hold(ancf, n, RV_ANCF_PIN, &ignored);
                else
                    rv_ancf_let_go(ancf, n);
            }
    }
}

// Where falls are cut and joined nothing is put in: what their elements have more then, of slopes that became one at a
// kink, the inside gives back, its ends and its flow as they are. Slack rope goes on around what bent it, so its nodes
// there stay where they are. (Else it came to lie inside the corner of a box, and was caught.)
void rv_ale_rope_settle_route(rvCable* cable, double before, const rvVec3* kinks, int count)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    bool held[RV_ALE_MAX_FALLS + 1];
    if (!(rope->h > 0.0) || rope->resting) // there was no step
        return;
    double more = rv_ale_rope_held(rope) - before;
    if (more > 0.0) {
        memcpy(held, ale->flowHeld, (size_t)ale->placeCount * sizeof(bool));
        for (int j = 0; j < ale->placeCount; ++j)
            ale->flowHeld[j] = true;
        rvVec3 gravity = ale->gravity;
        rv_ale_rope_hold_ports(rope);
        hold_kinks(ale, kinks, count, true);
        ale->gravity = rvVec(0, 0, 0); // what is stretched gives way; nothing sinks into what it lies on for that
        rv_ale_port_calm(ale, more, rope->h);
        ale->gravity = gravity;
        hold_kinks(ale, kinks, count, false);
        let_go(rope, held);
        more = rv_ale_rope_held(rope) - before;
    }
    book_jump(cable, more);
}

void rv_ale_rope_adapt(rvCable* cable)
{
    double more = 0.0;
    rv_ale_adapt(cable->rope->ale, cable->rope->wished, &more);
    if (more != 0.0)
        book_jump(cable, more);
}

void rv_ale_guard_at_once(rvAle* ale)
{
    ale->above[SCALE] = *ale->floor; // of a past at rest
}

double rv_ale_rope_guard(rvCable* cable, const rvBodyStore* bodies, double h, const rvAleBooks* books)
{
    rvAleRope* rope = cable->rope;
    double *above = rope->ale->above, scale = scale_of(cable, bodies, h), taken = 0.0;
    bool near = cable->line.beside || rope->touches.list.near;
    double change = books->change - books->known, most = 0.25 * fabs(books->change);
    double bend = books->runs ? books->bend : fmin(fmax(-most, 0.125 * books->rise), most), over = 0.0;
    if (above[SCALE] > 0.0) { // else there is no past, and no budget
        // what was above it within the tolerance may stay as the scale falls
        most = fmax((cable->line.beside ? ROPES : TOLERANCE) * scale, above[ABOVE]);
        above[ABOVE] += 0.5 * (above[CHANGE] + change) - (bend - above[BEND]) - books->ports;
        if (above[ABOVE] < 0.0)
            above[ABOVE] *= 1.0 - fmin(1.0, h / LEAK);
        over = above[ABOVE] + above[LATE] - most;
    }
    above[LATE] = 0.0;
    if (over > 0.0) { // half of what is taken from the end counts at the middle
        double had = rv_ale_rope_energy(cable);
        slow_down(rope, 2.0 * over);
        taken = had - rv_ale_rope_energy(cable); // that of the rope on arcs too
        double left = over - 0.5 * taken;
        bool much = left > MUCH * scale;
        // its shape would go through what is there; beyond all that moves that is the lesser harm
        if (much && (!near || left > scale)) {
            calm(rope, 2.0 * left, h);
            taken = had - rv_ale_rope_energy(cable);
            left = over - 0.5 * taken;
        }
        rope->debt = much && bodies_pay(rope, bodies) ? fmax(0.0, left) : 0.0;
        above[LATE] = fmax(0.0, left - rope->debt) * (1.0 - fmin(1.0, h / LEAK));
        above[ABOVE] = most + fmin(0.0, left);
    }
    // from one reading of its energies to the next it is half of either step's change, and how much more they bend
    double own = books->change - taken, lost = books->booked - 0.5 * (above[OWN] + own) + bend - above[BEND];
    above[SCALE] = scale;
    above[CHANGE] = change - taken;
    above[BEND] = bend;
    above[OWN] = own;
    return lost;
}

// The rope that a winch draws at, to where something else holds it [m].
static double drawn_rope(const rvAleRope* rope, int j)
{
    int last = rope->ale->fallCount, by = j == 0 ? 1 : -1;
    double length = 0.0;
    do {
        length += rv_ale_fall_length(rope->ale, by > 0 ? j : j - 1);
        j += by;
    } while (j > 0 && j < last && !is_flow_led(rope, j));
    return length;
}

// Could what holds the rope at a place not hold what the step of the rope by itself left beside it? Then it slips:
// where it rubs as it likes, at a winch by what it is stretched too much.
static bool let_slip(const rvAleRope* rope, int j)
{
    static const double CLEARLY = 2.0;
    const rvAle* ale = rope->ale;
    rvAleHold* hold = &rope->holds[j];
    double length = ale->rt.p[ale->fallCount] - ale->rt.p[0], weight = ale->mass * rvLength(ale->gravity) * length;
    bool first = j == 0, last = j == ale->fallCount, winch = first || last;
    if (hold->row < 0 || hold->ended || (!winch && (hold->compliance > 0.0 || hold->slips)))
        return false;
    double before = first ? 0.0 : fmax(0.0, rv_ale_rope_next_tension(rope, j - 1, RV_ALE_END));
    double behind = last ? 0.0 : fmax(0.0, rv_ale_rope_next_tension(rope, j, RV_ALE_BEGIN));
    double most = hold->leanMost > 0.0 ? hold->leanMost * fmin(before, behind) : first ? hold->most : -hold->least;
    double over = fabs(behind - before) - most;
    if (!(over > (CLEARLY - 1.0) * most + CLEARLY * weight))
        return false;
    hold->slips = true;
    if (!winch)
        return true;
    double sign = first ? -1.0 : 1.0, way = drawn_rope(rope, j) * over / (ale->EA * (1.0 + ale->axialTime / ale->rt.h));
    double out = fmin(sign * ale->rt.p[j] + way, sign * hold->endTarget);
    hold->ended = out == sign * hold->endTarget;
    ale->rt.p[j] = sign * out;
    return true;
}

// Ends that bodies move have the rates that generalised-alpha makes of their way: what one step throws them off the
// next throws back, and where passes do not settle it grew to a hundred times the speed of their body. There they have
// the mean of the step.
static void even_ends(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; ++f)
        for (int end = 0; end < 2; ++end) {
            const rvAleFall* fall = &ale->falls[f];
            int i = 6 * rv_ale_end_node(fall, end);
            for (int c = i; fall->gripped[end] && c < i + 3; ++c) {
                fall->rt.v1[c] = (fall->rt.p[c] - fall->ancf->q[c]) / ale->rt.h;
                fall->rt.a1[c] = fall->rt.at1[c] = 0.0;
            }
        }
}

// Rows hold flows where they shall be, not where a pass left them that had not settled: put there only after the step,
// rope at a winch was torn by all that it was off. Where that is more than what rubs can hold it slips. (Held all the
// same, it had one side torn, by a hundred times what moved, and the other pressed.)
void rv_ale_rope_step_again(rvAleRope* rope)
{
    rvAle* ale = rope->ale;
    bool held[RV_ALE_MAX_FALLS + 1], overcome = true;
    rv_ale_give_ends(ale);
    even_ends(ale);
    for (int tries = 0; tries < MOST_TRIES && overcome; ++tries) {
        rv_ale_rope_keep_targets(rope);
        hold_all(rope, held);
        for (int j = 1; j < ale->fallCount; ++j)
            ale->flowHeld[j] = ale->flowHeld[j] && (held[j] || !rope->holds[j].slips);
        rv_ale_port_again(ale);
        let_go(rope, held);
        overcome = false;
        for (int j = 0; j <= ale->fallCount; ++j)
            overcome = let_slip(rope, j) || overcome;
    }
}

bool rv_ale_rope_relax(rvAleRope* rope, double remainder)
{
    bool held[RV_ALE_MAX_FALLS + 1];
    hold_all(rope, held);
    bool settled = rv_ale_port_relax(rope->ale, remainder);
    let_go(rope, held);
    return settled;
}
