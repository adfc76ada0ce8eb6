// SPDX-License-Identifier: MIT
// Bodies that lead a cable of finite elements and start, stop or turn at once.
//
// Generalised-alpha knows a held node by its places: of a jump v of its speed it makes 1.9 v, 0.4 v, 1.4 v and so on,
// and a damped rope answers that with EA tau v/l. Where it would be felt, beside what the rope carries or weighs, the
// jump is made before the step (ancf_jump.c), and the rope goes on as if it had always moved so. What jumps is the
// change of its speed from the last step to this one, less what goes on of the change before: a motion that is smooth
// does not jump, and the step's own way is of second order there.
// An impulse J that changes a speed does J.(mean of both): as a force of one step it is in the world's books.
#include "cable/fe/fe.h"

#define FELT 0.05 // of what the rope carries

// What of a change goes on as the one before did: along it, and no more of it.
static double share_of(const double change[3], const double before[3])
{
    double square = rv_ancf_dot3(before, before);
    return square > 0.0 ? fmin(fmax(0.0, rv_ancf_dot3(change, before) / square), 1.0) : 0.0;
}

bool rv_fe_jump_of(const double rate[6], rvGripState* state, double jump[6], bool* goesOn)
{
    bool jumps = false;
    *goesOn = false;
    for (int part = 0; part < 6; part += 3) {
        double *before = state->change + part, *sudden = jump + part, change[3];
        for (int c = 0; c < 3; ++c)
            change[c] = rate[part + c] - state->rate[part + c];
        double share = share_of(change, before);
        for (int c = 0; c < 3; ++c)
            sudden[c] = change[c] - share * before[c];
        jumps = jumps || rv_ancf_dot3(sudden, sudden) > 0.25 * rv_ancf_dot3(change, change);
        *goesOn = *goesOn || share > 0.0;
        memcpy(before, change, sizeof change);
    }
    memcpy(state->rate, rate, sizeof state->rate);
    return jumps;
}

// What that pulls the elements beside the node with, within a step [N].
static double pull_of(const rvAncf* ancf, int node, bool clamped, const double jump[6], double h)
{
    double most = 0.0;
    for (int e = node - 1; e <= node; ++e) {
        if (e < 0 || e >= ancf->elementCount)
            continue;
        const rvAncfElement* element = &ancf->elements[e];
        double l = element->length, faster = sqrt(rv_ancf_dot3(jump, jump)),
               turning = clamped ? sqrt(rv_ancf_dot3(jump + 3, jump + 3)) : 0.0;
        most = fmax(most, element->EA * (h + element->axialTime) * faster / l);
        most = fmax(most, 6.0 * element->EI * (h + element->bendTime) * turning / (l * l));
    }
    return most;
}

// The larger pull of the spans beside a place, or the rope's weight [N].
static double carried_at(const rvCable* cable, int place)
{
    double most = cable->massPerLength * cable->state.restLength * rvLength(cable->fe->ancf->gravity);
    for (int i = place - 1; i <= place; ++i)
        if (i >= 0 && i < cable->route.spanCount)
            most = fmax(most, cable->route.places[i].state.tension);
    return most;
}

// The world counts the way of a body from one middle to the next by the mean of its speeds; `later` acts on what of it
// is behind the jump, half a step at the new speed.
static void keep_kick(rvGrip* grip, const rvBodyStore* bodies, const double* impulse, const double* later)
{
    double share = 1.0, after[6];
    if (grip->body >= 0) {
        const rvBody* body = &bodies->items[grip->body];
        rvVec3 mean = rvScale(0.5, rvAdd(body->lastV, body->state.v));
        share = rvDot(mean, mean) > 0.0 ? rvDot(body->state.v, mean) / rvDot(mean, mean) : 1.0;
        share = fmin(fmax(0.0, share), 2.0);
    }
    rv_grip_wrench(grip, bodies, impulse, grip->kick);
    rv_grip_wrench(grip, bodies, later, after);
    for (int c = 0; c < 6; ++c)
        grip->kick[c] += share * after[c];
}

double rv_fe_jump(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvFe* fe = cable->fe;
    rvAncf* ancf = fe->ancf;
    double *all = ancf->work[1], *impulse = ancf->work[6], *later = ancf->work[10], jump[6];
    bool any = false;
    fe->jumped = false;
    rv_ancf_aim(ancf, ancf->scalars[RV_ANCF_TIME] + h);
    memset(all, 0, (size_t)(ancf->dofCount + 6) * sizeof(double));
    for (int k = 0; k < fe->gripCount; ++k) {
        rvGrip* grip = &fe->grips[k];
        memset(grip->kick, 0, sizeof grip->kick);
        if (grip->body < 0 || grip->pushed || grip->off)
            continue;
        bool goesOn, jumps = rv_fe_jump_of(ancf->aimRate + 6 * grip->node, &fe->states[k], jump, &goesOn);
        if (!(jumps && pull_of(ancf, grip->node, grip->clamped, jump, h) > FELT * carried_at(cable, grip->place)))
            continue;
        for (int i = 6 * grip->node, c = 0; c < (grip->clamped ? 6 : 3); ++c) {
            all[i + c] = jump[c];
            if (!goesOn)
                ancf->a[i + c] = ancf->at[i + c] = 0.0;
        }
        any = true;
    }
    if (!any)
        return 0.0;
    fe->jumped = true;
    double gained = rv_ancf_port_jump(ancf, h, all, impulse, later);
    for (int k = 0; k < fe->gripCount; ++k)
        if (!fe->grips[k].pushed && !fe->grips[k].off)
            keep_kick(&fe->grips[k], bodies, impulse + 6 * fe->grips[k].node, later + 6 * fe->grips[k].node);
    return gained;
}

void rv_fe_add_kick(const rvGrip* grip, rvBodyStore* bodies, double h)
{
    rvBody* body = &bodies->items[grip->body];
    const double* kick = grip->kick;
    body->ropeForce = rvMulAdd(body->ropeForce, -1.0 / h, rvVec(kick[0], kick[1], kick[2]));
    body->ropeTorque = rvMulAdd(body->ropeTorque, -1.0 / h, rvVec(kick[3], kick[4], kick[5]));
}
