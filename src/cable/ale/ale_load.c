// SPDX-License-Identifier: MIT
// What a rope that flows puts on bodies beside its rows: past forces of its grips, the weight of rope on wheels and the
// moment of rope that is bent on them, the stiffness by which its ends hold what turns.
#include "cable/ale/ale_rope.h"

#include "cable/route/twist.h"

static void push_end(const rvCable* cable, int k, rvVec3 force, rvBodyStore* bodies)
{
    const rvGrip* grip = &cable->rope->grips[k];
    if (grip->body < 0 || grip->off)
        return;
    rvBody* body = &bodies->items[grip->body];
    const rvPlace* place = &cable->route.places[grip->place];
    rvVec3 arm = rvSub(k % 2 == RV_ALE_BEGIN ? place->out : place->in, body->state.x);
    body->ropeForce = rvAdd(body->ropeForce, force);
    body->ropeTorque = rvAdd(body->ropeTorque, rvCross(arm, force));
}

// Rope on a wheel of radius r has the energy EI/(2 r) a radian of wrap: so a fall beside it is turned away from the
// wheel by the moment EI/(2 r), as two forces at its ends. The pull T then acts at the arm r + EI/(2 r T), as that of
// the elastica does, whose bend fades out in the fall.
static void add_bends(const rvCable* cable, rvBodyStore* bodies)
{
    for (int k = 0; k < cable->rope->gripCount; ++k) {
        int j = k / 2 + k % 2;
        const rvPlace* place = &cable->route.places[j];
        const rvSpan* span = &cable->route.spans[k / 2];
        bool inner = j > 0 && j < cable->route.spanCount;
        if (!inner || !rv_place_is_wheel(place) || !place->on || !(span->length > place->radius))
            continue;
        double moment = 0.5 * cable->rope->wheelEI / place->radius, sign = k % 2 == RV_ALE_BEGIN ? -1.0 : 1.0;
        rvVec3 force = rvScale(sign * place->side * moment / span->length, rvCross(place->axis, span->u));
        push_end(cable, k / 2 * 2 + RV_ALE_END, force, bodies);
        push_end(cable, k / 2 * 2 + RV_ALE_BEGIN, rvNeg(force), bodies);
    }
}

// Where the rope on a place has its middle: of a wheel's arc the mean of C + r n, n turning from the way in by the
// wrap.
static rvVec3 middle_of(const rvPlace* place)
{
    if (!rv_place_is_wheel(place) || !(place->turn > 1e-6))
        return rvScale(0.5, rvAdd(place->in, place->out));
    rvVec3 n = rvSub(place->in, place->point), t = rvScale(place->side, rvCross(place->axis, n));
    rvVec3 sum = rvMulAdd(rvScale(sin(place->turn), n), 1.0 - cos(place->turn), t);
    return rvMulAdd(place->point, 1.0 / place->turn, sum);
}

// The weight of the rope on an inner place, which hangs on its body; what it does along the rope is in the flow.
static rvVec3 arc_weight(const rvCable* cable, int j)
{
    const rvAle* ale = cable->rope->ale;
    double rope = fmax(0.0, ale->flow[RV_ALE_P][ale->placeCount + j]);
    rvVec3 weight = rvScale(ale->mass * rope, ale->gravity);
    weight.z += ale->water.on ? rope * rv_ale_lift(ale, middle_of(&cable->route.places[j]).z) : 0.0;
    return weight;
}

// The weight of the rope on place j, and its torque about the centre of its body.
static rvVec3 weigh(const rvCable* cable, int j, const rvBodyStore* bodies, rvVec3* torque)
{
    const rvPlace* place = &cable->route.places[j];
    rvVec3 weight = arc_weight(cable, j);
    *torque = rvCross(rvSub(middle_of(place), bodies->items[place->body].state.x), weight);
    return weight;
}

static void add_arcs(const rvCable* cable, rvBodyStore* bodies)
{
    for (int j = 1; j < cable->route.spanCount; ++j) {
        if (cable->route.places[j].body < 0)
            continue;
        rvBody* body = &bodies->items[cable->route.places[j].body];
        rvVec3 turning, weight = weigh(cable, j, bodies, &turning);
        body->ropeForce = rvAdd(body->ropeForce, weight);
        body->ropeTorque = rvAdd(body->ropeTorque, turning);
    }
}

void rv_ale_rope_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force,
                          rvVec3* torque)
{
    (void)h;
    const rvAleRope* rope = cable->rope;
    rv_grips_force_on(rope->grips, rope->states, rope->gripCount, body, force, torque);
    for (int j = 0; j < cable->route.placeCount && cable->state.broken == 0.0; ++j) {
        const rvPlace* place = &cable->route.places[j];
        if (place->body != body)
            continue;
        if (j > 0 && j < cable->route.spanCount) {
            rvVec3 turning, weight = weigh(cable, j, bodies, &turning);
            *force = rvAdd(*force, weight);
            *torque = rvAdd(*torque, turning);
        }
        if (place->inertia > 0.0) // the wheel has its turning for itself
            *torque = rvMulAdd(*torque, rope->rims[j].past[0], place->axis);
    }
    rv_twist_force_on(cable, bodies, body, force, torque);
}

void rv_ale_rope_add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    const rvAleRope* rope = cable->rope;
    rv_pushes_add_loads(rope->pushes, bodies);
    if (cable->state.broken == 0.0)
        add_arcs(cable, bodies);
    if (cable->wheelCount > 0 && !context->atRest)
        rv_ale_wheels_add_loads(cable, bodies);
    if (rope->wheelEI > 0.0 && cable->state.broken == 0.0)
        add_bends(cable, bodies);
    for (int k = 0; k < rope->gripCount; ++k) {
        const rvGrip* grip = &rope->grips[k];
        if (grip->body < 0 || grip->off)
            continue;
        rvBody* body = &bodies->items[grip->body];
        if (!(grip->pushed && context->atRest))
            rv_grip_add_load(body, rope->states[k].past[0], grip->pushed);
        if (!grip->pushed && !context->atRest)
            push_end(cable, k, rvNeg(rope->carries[k].push), bodies);
    }
}

void rv_ale_rope_add_stiffness(rvCable* cable, rvBodyStore* bodies)
{
    const rvAleRope* rope = cable->rope;
    for (int k = 0; k < rope->gripCount; ++k)
        if (rv_ale_is_port(&rope->grips[k]))
            // inertia is lent by the forces of all passes: there are few, and a rod of grams needs it
            rv_grip_add_hold(&rope->grips[k], &rope->states[k], bodies, rope->h, rv_ale_port_factor(rope->ale),
                             rope->passes > 0);
}
