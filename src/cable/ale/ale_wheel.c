// SPDX-License-Identifier: MIT
// Wheels with inertia under a rope that flows.
//
// The rim has a way z of its own, counted as p is: z' = -side r Omega, Omega the wheel's spin, with the mass m = I/r^2:
//   m z'' = -l + b + d     l: what it gives the rope, the force of the friction's row; b, d: of its bearing, its drive
// Steps are those of the rope, generalised-alpha: without forces z goes by z0 in a step, with a force f by
// z0 + f/(cM m). So z is no unknown: of its rows, each with y = -force/(cM h), any two share the compliance 1/m,
//   friction  p + d - slide - z = side r h w       bounds of capstan, which lean on the tension before the place
//   bearing   z + side r h w = 0                   |b| <= k (T before + T behind)
//   drive     z + side r h w = -side r h speed     |d| <= torque/r
// w: the spin of the carrier about the axis. The falls pull the carrier by s r (T behind - T before) about the axis;
// by the first row it gets that back, by the others it gets what bearing and drive do.
//
// The drum of a winch is such a wheel at an end, which the rope never slips on: the first row has no bounds, its force
// is the tension T. Its motor or brake is the drive,
//   drive     z + side r h w = +- h (speed + xi F),  F = what it holds, |F| <= its limit
// and the bearing, pulled from one side, has |b| <= k T. Rope that leaves it has the speed of the rim already: it takes
// no momentum from the drum, whose inertia is that of all that turns, and stays as it was given.
#include "cable/ale/ale_rope.h"

#include "cable/route/force_filter.h"
#include "cable/route/winch.h"

// Bearing and drive may hold the same rim: one of them yields a little more, so that what each does is known.
#define SHARED 1e-9

// dz/d(angle of the wheel)
static double arm_of(const rvPlace* place)
{
    return -place->side * place->radius;
}

// By generalised-alpha, a force f at the end of the step.
static void step_rim(const rvAncfRt* rt, double force, double m, rvAleRim* rim)
{
    double accel = force / m,
           algo = ((1.0 - rt->af) * accel + rt->af * rim->accel - rt->am * rim->algo) / (1.0 - rt->am);
    rim->rate += rt->h * ((1.0 - rt->gam) * rim->algo + rt->gam * algo);
    rim->accel = accel;
    rim->algo = algo;
}

static double free_way(const rvAncfRt* rt, const rvAleRim* rim)
{
    double algo = (rt->af * rim->accel - rt->am * rim->algo) / (1.0 - rt->am), h = rt->h;
    return h * rim->rate + h * h * ((0.5 - rt->bet) * rim->algo + rt->bet * algo);
}

static bool is_drum(const rvCable* cable, int j)
{
    return rv_cable_winch_at(cable, j) >= 0;
}

// Which way rope goes past the place as a winch there pays out.
static double out_of(int j)
{
    return j == 0 ? -1.0 : 1.0;
}

// The grip that has its carrier.
static int grip_at(const rvCable* cable, int j)
{
    return j < cable->route.spanCount ? 2 * j : 2 * j - 1;
}

static bool has_rim(const rvAleRope* rope, int j)
{
    return rope->holds[j].row >= 0 && rope->holds[j].rim > 0.0;
}

void rv_ale_wheels_expect(const rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    const rvAncfRt* rt = &rope->ale->rt;
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rvAleHold* hold = &rope->holds[j];
        if (!has_rim(rope, j))
            continue;
        hold->free = rt->atRest ? 0.0 : free_way(rt, &rope->rims[j]);
        hold->compliance = 1.0 / (rt->cM * hold->rim);
        hold->target += hold->free;
    }
}

// Rows that share the compliance of a rim, in pairs.
static void couple(rvAleRope* rope, int a, int b, double yields)
{
    if (a >= 0 && b >= 0)
        rope->couples[rope->coupleCount++] = (rvAleCouple){a, b, yields};
}

void rv_ale_wheels_couple(const rvAleRope* rope, double* block, int size)
{
    for (int i = 0; i < rope->coupleCount; ++i) {
        const rvAleCouple* c = &rope->couples[i];
        block[c->a * size + c->b] += c->yields;
        block[c->b * size + c->a] += c->yields;
    }
}

void rv_ale_wheels_apply(const rvAleRope* rope, const double* x, double* y)
{
    for (int i = 0; i < rope->coupleCount; ++i) {
        const rvAleCouple* c = &rope->couples[i];
        y[c->a] += c->yields * x[c->b];
        y[c->b] += c->yields * x[c->a];
    }
}

// How fast the carrier turns about the axis, times `factor`.
static void add_carrier(const rvPlace* place, double factor, rvRows* rows, int group, int row)
{
    if (place->slot < 0)
        return;
    double* j = rv_group_jacobian(rows, group, place->slot)[row];
    j[3] = factor * place->axis.x;
    j[4] = factor * place->axis.y;
    j[5] = factor * place->axis.z;
}

static void write_wheel(rvCable* cable, int j, double h, rvRows* rows, double* block, int size)
{
    rvAleRope* rope = cable->rope;
    const rvAleHold* hold = &rope->holds[j];
    const rvPlace* place = &cable->route.places[j];
    rvRow* row = rv_group_rows(rows, cable->group);
    double per = 1.0 / (rv_ale_port_factor(rope->ale) * h), yields = 1.0 / hold->rim, arm = arm_of(place);
    int bearing = hold->turning[RV_ALE_BEARING], drive = hold->turning[RV_ALE_DRIVE];
    bool drum = is_drum(cable, j);
    add_carrier(place, -arm, rows, cable->group, hold->row);
    couple(rope, hold->row, bearing, -yields);
    couple(rope, hold->row, drive, -yields);
    couple(rope, bearing, drive, yields);
    if (bearing >= 0) {
        row[bearing].bias = hold->free / h;
        row[bearing].lower = row[bearing].upper = 0.0;
        row[bearing].leanCount = 1;
        if (drum) {
            row[bearing].leanFirst = (int16_t)hold->row; // what pushes does not rub: its bounds would be crossed
            row[bearing].leanUpper = out_of(j) * hold->bearing;
        } else {
            row[bearing].leanFirst = (int16_t)hold->tension;
            row[bearing].leanExtra = (int16_t)hold->row; // T behind is T before + l
            row[bearing].leanExtraWeight = -0.5;
            row[bearing].leanUpper = 2.0 * hold->bearing;
        }
        row[bearing].leanLower = -row[bearing].leanUpper;
        block[bearing * (size + 1)] += (1.0 + SHARED) * yields;
        add_carrier(place, arm, rows, cable->group, bearing);
    }
    if (drive >= 0) {
        int i = rv_cable_winch_at(cable, j);
        double speed = drum ? out_of(j) * cable->winch[i].step.motorSpeed : arm * place->state.driveSpeed;
        row[drive].bias = hold->free / h - speed;
        row[drive].upper = per * (drum ? cable->winch[i].step.motorLimit : place->state.driveTorque / place->radius);
        row[drive].lower = -row[drive].upper;
        block[drive * (size + 1)] += yields;
        if (drum)
            block[drive * (size + 1)] += rv_ale_port_factor(rope->ale) * h * cable->winch[i].step.motorCompliance;
        add_carrier(place, arm, rows, cable->group, drive);
    }
}

void rv_ale_wheels_write(rvCable* cable, double h, rvRows* rows, double* block, int size)
{
    cable->rope->coupleCount = 0;
    for (int j = 0; j < cable->route.placeCount; ++j)
        if (has_rim(cable->rope, j))
            write_wheel(cable, j, h, rows, block, size);
    rv_ale_wheels_couple(cable->rope, block, size);
}

// What the rim gives the rope; where that ends on a drum it is held by more.
static double rim_force(const rvAleRope* rope, const rvAleHold* hold)
{
    return rope->forces[hold->row];
}

static double turning_force(const rvAleRope* rope, const rvAleHold* hold, int which)
{
    return hold->turning[which] >= 0 ? rope->forces[hold->turning[which]] : 0.0;
}

// What it does to its carrier about the axis, beside what the falls do there [N m].
static double torque_on_carrier(const rvAleRope* rope, const rvPlace* place, const rvAleHold* hold)
{
    double turning = turning_force(rope, hold, RV_ALE_BEARING) + turning_force(rope, hold, RV_ALE_DRIVE);
    return arm_of(place) * (rim_force(rope, hold) - turning);
}

static double carrier_spin(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 ? rvDot(bodies->items[place->body].state.w, place->axis) : 0.0;
}

// A rim alone: nothing turns it.
static void coast(rvPlace* place, rvAleRim* rim, double h)
{
    rim->accel = rim->algo = rim->begun = 0.0;
    rim->mean = rim->rate;
    rim->work[1] = rim->work[0];
    rim->work[0] = 0.0;
    place->state.wheelImpulse = place->state.motorImpulse = 0.0;
    place->state.wheelSpeed = rim->rate / arm_of(place);
    place->state.turned += h * place->state.wheelSpeed;
}

enum { ROPE, BEARING, MOTOR };

// What generalised-alpha makes of forces at the ends of the last steps: m times the change of a rate is h times that.
static double mean_of(double now, const double past[2])
{
    return (10.0 * now + 7.0 * past[0] + past[1]) / 18.0;
}

// The work of its motor in a step, from end to end of it: with the mean of both rates it is exact,
//   m (v1^2 - v0^2)/2 = h (bearing + motor - rope) (v0 + v1)/2
// Where the motor turns a drum as it is told, and the rates are those of the step, it is what the others leave.
// Energies are read at the middles of steps: half of it is booked now, and half of it with the next step. (By the force
// at the end of a step, and at once, it was booked a step before it was in the energies.)
static void book_motor(const rvAleHold* hold, rvAleRim* rim, const double now[3], double before, double carried,
                       double h)
{
    double means[3], way = 0.5 * h * (before + rim->rate);
    for (int i = 0; i < 3; ++i) {
        if (rim->begun == 0.0)
            rim->forces[i][0] = rim->forces[i][1] = now[i];
        means[i] = mean_of(now[i], rim->forces[i]);
        rim->forces[i][1] = rim->forces[i][0];
        rim->forces[i][0] = now[i];
    }
    rim->begun = 1.0;
    rim->work[1] = rim->work[0];
    rim->work[0] = means[MOTOR] * (way - carried);
    if (hold->jumps && !hold->ended)
        rim->work[0] = 0.5 * hold->rim * (rim->rate * rim->rate - before * before) +
                       way * (means[ROPE] - means[BEARING]) - means[MOTOR] * carried;
}

// Where rope comes to stick on its rim both have the mean rate of the step: generalised-alpha would throw them back.
static void end_wheel(rvCable* cable, int j, const rvBodyStore* bodies, double h, bool alone)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    rvAleHold* hold = &rope->holds[j];
    rvPlace* place = &cable->route.places[j];
    rvPlaceState* s = &place->state;
    rvAleRim* rim = &rope->rims[j];
    double b = turning_force(rope, hold, RV_ALE_BEARING), d = turning_force(rope, hold, RV_ALE_DRIVE);
    double force = b + d - rim_force(rope, hold), way = hold->free + hold->compliance * force, arm = arm_of(place);
    double carried = h * arm * carrier_spin(place, bodies), start = ale->flow[RV_ALE_P][j];
    double before = rim->rate;
    bool drum = is_drum(cable, j), stopped = drum && (hold->jumps || rope->stops[j == 0 ? 0 : j - 1].holds);
    hold->target += way - hold->free - carried;
    step_rim(&ale->rt, force, hold->rim, rim);
    if ((alone || stopped) && !hold->slips) {
        double off = ale->rt.p[j] - hold->target, along = (way + off - (ale->rt.p[j] - start)) / h;
        hold->target += off;
        way += off;
        rim->rate = ale->rt.v1[j] + along;
        rim->accel = ale->rt.a1[j];
        rim->algo = ale->rt.at1[j];
    } else if (!hold->slips && s->mode != 0.0) {
        rim->rate = way / h;
        ale->rt.v1[j] = (ale->rt.p[j] - start) / h;
        rim->accel = rim->algo = ale->rt.a1[j] = ale->rt.at1[j] = 0.0;
    }
    rim->past[0] = torque_on_carrier(rope, place, hold);
    s->mode = !hold->slips ? 0.0 : hold->force > 0.0 ? 1.0 : -1.0;
    s->slip = (hold->target - ale->rt.p[j]) / h;
    s->spin = rim->rate / arm;
    rim->mean = way / h;
    s->wheelSpeed = (way - carried) / (h * arm);
    s->turned += h * s->wheelSpeed;
    s->wheelImpulse = h * arm * b;
    s->motorImpulse = h * arm * d;
    s->heat -= fmin(0.0, b * (way - carried));
    s->motorMode = hold->limited ? 1.0 : 0.0;
    book_motor(hold, rim, (const double[3]){rim_force(rope, hold), b, d}, before, carried, h);
}

void rv_ale_wheels_end(rvCable* cable, const rvBodyStore* bodies, double h, bool alone)
{
    rvAleRope* rope = cable->rope;
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rvPlace* place = &cable->route.places[j];
        if (!(place->inertia > 0.0))
            continue;
        memmove(rope->rims[j].past + 1, rope->rims[j].past, 2 * sizeof(double));
        rope->rims[j].past[0] = 0.0;
        if (has_rim(rope, j))
            end_wheel(cable, j, bodies, h, alone);
        else
            coast(place, &rope->rims[j], h);
        const double* work = rope->rims[j].work;
        place->state.driveWork += is_drum(cable, j) ? 0.0 : 0.5 * (work[0] + work[1]); // winches book theirs
    }
}

double rv_ale_wheels_ahead(const rvCable* cable)
{
    double sum = 0.0;
    for (int j = 1; j < cable->route.spanCount; ++j)
        sum += 0.5 * (cable->rope->rims[j].work[0] - cable->rope->rims[j].work[1]);
    return sum;
}

double rv_ale_wheels_work(const rvCable* cable, const rvBodyStore* bodies, double h, bool pushed)
{
    const rvAleRope* rope = cable->rope;
    double work = 0.0;
    for (int j = 0; j < cable->route.placeCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        const double* past = rope->rims[j].past;
        if (!(place->inertia > 0.0) || place->body < 0 || rope->grips[grip_at(cable, j)].pushed != pushed)
            continue;
        double now = has_rim(rope, j) ? torque_on_carrier(rope, place, &rope->holds[j]) : 0.0;
        rvVec3 spin = rvAdd(rope->carries[grip_at(cable, j)].spin, bodies->items[place->body].state.w);
        double turn = 0.5 * h * rvDot(place->axis, spin);
        work -= turn * rv_force_sum(now, past, 1) / RV_FORCE_TAP_SUM;
    }
    return work;
}

void rv_ale_wheels_add_loads(const rvCable* cable, rvBodyStore* bodies)
{
    for (int j = 0; j < cable->route.placeCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        const double* past = cable->rope->rims[j].past;
        if (!(place->inertia > 0.0) || place->body < 0)
            continue;
        rvBody* body = &bodies->items[place->body];
        body->ropeTorque = rvMulAdd(body->ropeTorque, rv_past_force_sum(past, 1) / RV_FORCE_TAP_SUM, place->axis);
    }
}

// Rope that cannot slip has its wheel with it, other rope finds it as it turns.
void rv_ale_wheels_start(rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    double* const* flow = rope->ale->flow;
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rvPlace* place = &cable->route.places[j];
        rope->rims[j] = (rvAleRim){0};
        if (!(place->inertia > 0.0))
            continue;
        bool stuck = isinf(place->friction) || is_drum(cable, j);
        double with = flow[RV_ALE_RATE][j], rate = stuck ? with : arm_of(place) * place->state.spin;
        rope->rims[j].rate = rate;
        if (rate == with) {
            rope->rims[j].accel = flow[RV_ALE_ACCEL][j];
            rope->rims[j].algo = flow[RV_ALE_ALGO][j];
        }
        place->state.spin = rate / arm_of(place);
        place->state.mode = rate == with ? 0.0 : 1.0;
    }
}

// What jumps takes wheels along that the rope sticks on.
void rv_ale_wheels_jump(const rvCable* cable, const double* before)
{
    for (int j = 0; j < cable->route.placeCount; ++j) {
        rvAleRim* rim = &cable->rope->rims[j];
        rvPlace* place = &cable->route.places[j];
        if (!(cable->rope->ale->inertia[j] > 0.0))
            continue;
        rim->rate += cable->rope->ale->flow[RV_ALE_RATE][j] - before[j];
        if (is_drum(cable, j)) // the winch books what it gains; of the others that is in the books of the step
            place->state.spin = rim->rate / arm_of(place);
    }
}

void rv_ale_wheels_set_drum(const rvCable* cable, int j, const rvBodyStore* bodies, double rate)
{
    rvPlace* place = &cable->route.places[j];
    double* now = &cable->rope->rims[j].rate;
    *now = rate + arm_of(place) * carrier_spin(place, bodies);
    place->state.spin = *now / arm_of(place);
}

// Rope leaves a drum from another layer than in the last step: the rim there is as fast as the drum turns.
bool rv_ale_wheels_changed_layer(const rvCable* cable, int j)
{
    const rvPlace* place = &cable->route.places[j];
    double now = arm_of(place) * place->state.spin, *rate = &cable->rope->rims[j].rate;
    bool changed = fabs(now - *rate) > 1e-9 * fabs(now);
    *rate = changed ? now : *rate;
    return changed;
}
