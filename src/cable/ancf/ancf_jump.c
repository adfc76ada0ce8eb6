// SPDX-License-Identifier: MIT
// Held nodes of an ANCF cable that start or stop at once, before a real-time step of h.
//
// The mass alone would take the jump up in the elements beside the hold, as rates of stretch that no step follows: what
// is stiffer or more damped than the step must go along as it would within it. With M the mass, B = h D + h^2 K,
// damping and stiffness of the step, in all rows that are not held:
//   (M + B) x1 = 0,  (M + B) x2 = M x1,  held dofs of both: the jump,   v += 2 x1 - x2
// A mode that the jump excites, of b = h d + h^2 w^2, gets 1 - (b/(1 + b))^2 of what the mass alone would give it: all
// of it, to second order in h, where the step follows it, nothing where it does not. Accelerations change by what
// damping does to that, (M + B) da = -D dv. The holds give the impulse
//   J = M dv + B (x1 - x2),
// which is 0 in all rows that are not held: momentum is kept to the last digit. In the half step after the jump they
// pull more, by
//   (h/2 D + h^2/8 K) x3,  (M + B) x3 = M dv
// (x3 rather than dv: what is damped within that time pulls no longer).
#include "cable/ancf/ancf_parts.h"
#include "cable/ancf/ancf_port.h"

// slots = (M + B)/h^2
static void lay_matrix(rvAncf* cable, const double* q, const double* v, const rvPair* stored, double h)
{
    rvAncfWish wish = {
        .massFactor = 1.0 / (h * h), .dampFactor = 1.0 / h, .stored = stored, .positive = true, .bars = true};
    rv_ancf_linearise(cable, q, v, &wish, cable->work[13]);
}

// In place, from a force: the motion of a jump by it.
static void follow(const rvAncf* cable, const double* jump, const double* pulled, double* x)
{
    for (int i = 0; i < cable->dofCount; i++)
        x[i] -= pulled[i];
    rv_ancf_solve(cable, cable->slots, x);
    rv_ancf_set_held(cable, jump, x);
}

// x1 of a jump, by the matrix; its factor is left.
static void begin_follow(rvAncf* cable, const double* jump, double* pulled, double* x)
{
    rv_ancf_slot_product(cable, cable->slots, jump, pulled);
    rv_ancf_take_out(cable, cable->slots);
    rv_ancf_factor(cable, cable->slots);
    memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    follow(cable, jump, pulled, x);
}

void rv_ancf_follow_holds(rvAncf* cable, const double* q, const double* v, const rvPair* stored, double h, double* x)
{
    double *held = cable->work[11], *pulled = cable->work[12]; // none of a step that is on its way
    memset(held, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_set_held(cable, v, held);
    if (cable->hasWater)
        rv_ancf_water_update(cable, q);
    lay_matrix(cable, q, v, stored, h);
    begin_follow(cable, held, pulled, x);
}

void rv_ancf_lead_speeds(rvAncf* cable, double h)
{
    double *held = cable->work[11], *pulled = cable->work[12], *x = cable->work[10];
    memset(held, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_set_held(cable, cable->v, held);
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    lay_matrix(cable, cable->q, cable->v, NULL, h);
    begin_follow(cable, held, pulled, x);
    rv_ancf_mass_product(cable, cable->v, x);
    for (int i = 0; i < cable->dofCount; i++)
        x[i] /= h * h;
    follow(cable, held, pulled, x);
    rv_ancf_copy(cable, cable->v, x);
}

// M d/t^2 = Q(q + d) - Q(q), as in a step of implicit Euler from rest in which what acts on it now is balanced: without
// a way nothing moves. By Newton's steps, the way in parts: an element turns by a small angle in each. Whether it
// settles and no node goes further than `most`; `start`: q as it was.
static bool draw_within(rvAncf* cable, const double* way, double t, double most, double* start)
{
    enum { PARTS = 4, MORE = 4 };
    const double ENOUGH = 1e-3; // of the way: what the last of them still moves
    const rvAncfWish wish = {.massFactor = 1.0 / (t * t), .positive = true, .bars = true};
    double *before = cable->work[3], *x = cable->work[4], *part = cable->work[5], *pulled = cable->work[6];
    double *still = cable->work[7], last = 0.0, all = 0.0, far = 0.0;
    memset(still, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    memset(part, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_copy(cable, start, cable->q);
    for (int k = 0; k < PARTS + MORE; ++k) {
        if (cable->hasWater)
            rv_ancf_water_update(cable, cable->q);
        rv_ancf_linearise(cable, cable->q, still, &wish, x);
        if (k == 0)
            rv_ancf_copy(cable, before, x);
        for (int i = 0; i < cable->dofCount; ++i)
            part[i] = cable->q[i] - start[i];
        rv_ancf_mass_product(cable, part, pulled);
        for (int i = 0; i < cable->dofCount; ++i) {
            x[i] -= before[i] + pulled[i] * wish.massFactor;
            part[i] = k < PARTS ? way[i] / PARTS : 0.0;
        }
        rv_ancf_slot_product(cable, cable->slots, part, pulled);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
        follow(cable, part, pulled, x);
        for (int i = 0; i < cable->dofCount; ++i)
            cable->q[i] += x[i];
    }
    for (int i = 0; i < cable->dofCount; i += 6) {
        double moved[3] = {cable->q[i] - start[i], cable->q[i + 1] - start[i + 1], cable->q[i + 2] - start[i + 2]};
        last = fmax(last, rv_ancf_dot3(x + i, x + i));
        all = fmax(all, rv_ancf_dot3(way + i, way + i));
        far = fmax(far, rv_ancf_dot3(moved, moved));
    }
    return rv_ancf_is_finite(cable, cable->q) && sqrt(last) <= ENOUGH * sqrt(all) && sqrt(far) <= most;
}

bool rv_ancf_draw(rvAncf* cable, const double* way, double most)
{
    double *start = cable->work[2], t = 0.01; // [s]
    bool drawn = false;
    for (int i = 0; i < 4 && !drawn; ++i, t *= 0.1) {
        if (i > 0)
            rv_ancf_copy(cable, cable->q, start);
        drawn = draw_within(cable, way, t, most, start);
    }
    for (int i = 0; i < cable->dofCount; ++i) {
        cable->qOld[i] += drawn ? cable->q[i] - start[i] : 0.0;
        cable->q[i] = drawn ? cable->q[i] : start[i];
    }
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    return drawn;
}

static void add_rates(rvAncf* cable, double h, const double* dv)
{
    double* da = cable->work[5];
    rv_ancf_damping_product(cable, cable->q, cable->v, dv, da);
    rv_ancf_solve(cable, cable->slots, da); // held: 0
    for (int i = 0; i < cable->dofCount; i++) {
        cable->v[i] += dv[i];
        cable->a[i] -= da[i] / (h * h);
        cable->at[i] -= da[i] / (h * h);
    }
}

// (h/2 D + h^2/8 K) x; slots: (M + B)/h^2
static void pull_of_half(rvAncf* cable, double h, const double* x, double* pull)
{
    double *mass = cable->work[7], *damping = cable->work[8];
    rv_ancf_slot_product(cable, cable->slots, x, pull);
    rv_ancf_mass_product(cable, x, mass);
    rv_ancf_damping_product(cable, cable->q, cable->v, x, damping);
    for (int i = 0; i < cable->dofCount; i++)
        pull[i] = 0.125 * (h * h * pull[i] - mass[i]) + 0.375 * h * damping[i];
}

double rv_ancf_port_jump(rvAncf* cable, double h, double* jump, double* impulse, double* later)
{
    double *pulled = cable->work[2], *x1 = cable->work[3], *x2 = cable->work[4], *dv = cable->work[9];
    double before = rv_ancf_kinetic(cable, cable->v), h2 = h * h;
    rv_ancf_port_hold_dofs(cable, true); // bodies at ports go on as they do
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    lay_matrix(cable, cable->q, cable->v, cable->stored, h);
    begin_follow(cable, jump, pulled, x1);
    rv_ancf_mass_product(cable, x1, impulse);
    for (int i = 0; i < cable->dofCount; i++)
        x2[i] = impulse[i] / h2;
    follow(cable, jump, pulled, x2);
    for (int i = 0; i < cable->dofCount; i++) {
        dv[i] = 2.0 * x1[i] - x2[i];
        x2[i] = h2 * (x1[i] - x2[i]);
    }
    rv_ancf_mass_product(cable, dv, x1);
    for (int i = 0; i < cable->dofCount; i++)
        x1[i] /= h2;
    follow(cable, jump, pulled, x1);
    add_rates(cable, h, dv);
    lay_matrix(cable, cable->q, cable->v, cable->stored, h); // its factor is where it was
    memset(x1 + cable->dofCount, 0, 6 * sizeof(double));
    memset(x2 + cable->dofCount, 0, 6 * sizeof(double));
    rv_ancf_slot_product(cable, cable->slots, x2, pulled);
    pull_of_half(cable, h, x1, later);
    for (int i = 0; i < cable->dofCount; i++) {
        bool held = cable->held[i / 6] >> i % 6 & 1;
        impulse[i] = held ? impulse[i] + pulled[i] : 0.0;
        later[i] = held ? later[i] : 0.0;
    }
    rv_ancf_port_hold_dofs(cable, false);
    double gained = rv_ancf_kinetic(cable, cable->v) - before, *s = cable->scalars;
    s[RV_ANCF_KINETIC] += gained;
    s[RV_ANCF_ENERGY] += gained;
    s[RV_ANCF_BUDGET] += gained;
    return gained;
}
