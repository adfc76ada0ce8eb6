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
#include "cable/ale/ale_rope.h"

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

void rv_ale_wheels_expect(const rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    const rvAncfRt* rt = &rope->ale->rt;
    for (int j = 1; j < cable->route.spanCount; ++j) {
        rvAleHold* hold = &rope->holds[j];
        if (hold->row < 0 || !(hold->rim > 0.0))
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
    add_carrier(place, -arm, rows, cable->group, hold->row);
    couple(rope, hold->row, bearing, -yields);
    couple(rope, hold->row, drive, -yields);
    couple(rope, bearing, drive, yields);
    if (bearing >= 0) {
        row[bearing].bias = hold->free / h;
        row[bearing].lower = row[bearing].upper = 0.0;
        row[bearing].leanFirst = (int16_t)hold->tension;
        row[bearing].leanCount = 1;
        row[bearing].leanExtra = (int16_t)hold->row; // T behind is T before + l
        row[bearing].leanExtraWeight = -0.5;
        row[bearing].leanUpper = 2.0 * hold->bearing;
        row[bearing].leanLower = -2.0 * hold->bearing;
        block[bearing * (size + 1)] += (1.0 + SHARED) * yields;
        add_carrier(place, arm, rows, cable->group, bearing);
    }
    if (drive >= 0) {
        row[drive].bias = (hold->free - h * arm * place->state.driveSpeed) / h;
        row[drive].upper = per * place->state.driveTorque / place->radius;
        row[drive].lower = -row[drive].upper;
        block[drive * (size + 1)] += yields;
        add_carrier(place, arm, rows, cable->group, drive);
    }
}

void rv_ale_wheels_write(rvCable* cable, double h, rvRows* rows, double* block, int size)
{
    cable->rope->coupleCount = 0;
    for (int j = 1; j < cable->route.spanCount; ++j)
        if (cable->rope->holds[j].row >= 0 && cable->rope->holds[j].rim > 0.0)
            write_wheel(cable, j, h, rows, block, size);
    rv_ale_wheels_couple(cable->rope, block, size);
}

static double turning_force(const rvAleRope* rope, const rvAleHold* hold, int which)
{
    return hold->turning[which] >= 0 ? rope->forces[hold->turning[which]] : 0.0;
}

// What it does to its carrier about the axis, beside what the falls do there [N m].
static double torque_on_carrier(const rvAleRope* rope, const rvPlace* place, const rvAleHold* hold)
{
    double turning = turning_force(rope, hold, RV_ALE_BEARING) + turning_force(rope, hold, RV_ALE_DRIVE);
    return arm_of(place) * (hold->force - turning);
}

static double carrier_spin(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 ? rvDot(bodies->items[place->body].state.w, place->axis) : 0.0;
}

// A rim alone: nothing turns it.
static void coast(rvPlace* place, rvAleRim* rim, double h)
{
    rim->accel = rim->algo = 0.0;
    place->state.wheelImpulse = place->state.motorImpulse = 0.0;
    place->state.wheelSpeed = rim->rate / arm_of(place);
    place->state.turned += h * place->state.wheelSpeed;
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
    double force = b + d - hold->force, way = hold->free + hold->compliance * force, arm = arm_of(place);
    double carried = h * arm * carrier_spin(place, bodies), start = ale->flow[RV_ALE_P][j];
    hold->target += way - hold->free - carried;
    step_rim(&ale->rt, force, hold->rim, rim);
    if (alone && !hold->slips) {
        double off = ale->rt.p[j] - hold->target, along = (way + off - (ale->rt.p[j] - start)) / h;
        hold->target += off;
        way += off;
        *rim = (rvAleRim){ale->rt.v1[j] + along, ale->rt.a1[j], ale->rt.at1[j], {0.0, rim->past[1], rim->past[2]}};
    } else if (!hold->slips && s->mode != 0.0) {
        rim->rate = way / h;
        ale->rt.v1[j] = (ale->rt.p[j] - start) / h;
        rim->accel = rim->algo = ale->rt.a1[j] = ale->rt.at1[j] = 0.0;
    }
    rim->past[0] = torque_on_carrier(rope, place, hold);
    s->mode = !hold->slips ? 0.0 : hold->force > 0.0 ? 1.0 : -1.0;
    s->slip = (hold->target - ale->rt.p[j]) / h;
    s->spin = rim->rate / arm;
    s->wheelSpeed = (way - carried) / (h * arm);
    s->turned += h * s->wheelSpeed;
    s->wheelImpulse = h * arm * b;
    s->motorImpulse = h * arm * d;
    s->heat -= fmin(0.0, b * (way - carried));
    s->driveWork += d * (way - carried);
}

void rv_ale_wheels_end(rvCable* cable, const rvBodyStore* bodies, double h, bool alone)
{
    rvAleRope* rope = cable->rope;
    for (int j = 1; j < cable->route.spanCount; ++j) {
        rvPlace* place = &cable->route.places[j];
        if (!(place->inertia > 0.0))
            continue;
        memmove(rope->rims[j].past + 1, rope->rims[j].past, 2 * sizeof(double));
        rope->rims[j].past[0] = 0.0;
        if (rope->holds[j].row >= 0)
            end_wheel(cable, j, bodies, h, alone);
        else
            coast(place, &rope->rims[j], h);
    }
}

double rv_ale_wheels_work(const rvCable* cable, const rvBodyStore* bodies, double h, bool pushed)
{
    const rvAleRope* rope = cable->rope;
    double work = 0.0;
    for (int j = 1; j < cable->route.spanCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        const double* past = rope->rims[j].past;
        if (!(place->inertia > 0.0) || place->body < 0 || rope->grips[2 * j].pushed != pushed)
            continue;
        double now = rope->holds[j].row >= 0 ? torque_on_carrier(rope, place, &rope->holds[j]) : 0.0;
        double turn =
            h * rvDot(place->axis, rvScale(0.5, rvAdd(rope->carries[2 * j].spin, bodies->items[place->body].state.w)));
        work -= turn * (8.0 * now + 12.0 * past[0] + 6.0 * past[1] + past[2]) / 27.0;
    }
    return work;
}

void rv_ale_wheels_add_loads(const rvCable* cable, rvBodyStore* bodies)
{
    for (int j = 1; j < cable->route.spanCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        const double* past = cable->rope->rims[j].past;
        if (!(place->inertia > 0.0) || place->body < 0)
            continue;
        rvBody* body = &bodies->items[place->body];
        body->ropeTorque = rvMulAdd(body->ropeTorque, (12.0 * past[0] + 6.0 * past[1] + past[2]) / 27.0, place->axis);
    }
}

// Rope that cannot slip has its wheel with it, other rope finds it as it turns.
void rv_ale_wheels_start(rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    double* const* flow = rope->ale->flow;
    for (int j = 1; j < cable->route.spanCount; ++j) {
        rvPlace* place = &cable->route.places[j];
        rope->rims[j] = (rvAleRim){0};
        if (!(place->inertia > 0.0))
            continue;
        double with = flow[RV_ALE_RATE][j], rate = isinf(place->friction) ? with : arm_of(place) * place->state.spin;
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
    for (int j = 1; j < cable->route.spanCount; ++j)
        if (cable->rope->ale->inertia[j] > 0.0)
            cable->rope->rims[j].rate += cable->rope->ale->flow[RV_ALE_RATE][j] - before[j];
}
