// SPDX-License-Identifier: MIT
// The equations of all falls together, in linear time.
//
// A fall's matrix is ANCF's block-tridiagonal H with two columns c for p_a and p_b. With Z = H^-1 c what is left for
// the flows is tridiagonal over the places, since place j takes part in the falls before and after it:
//   S = corner - c^T Z of each fall, summed into T;   T P = left - sum of c^T H^-1 force;   q = H^-1 force - Z P
// Flows that are held are taken out. The rope on the arc of a place, and a wheel that turns with it, add their mass
// there.
#include "cable/ale/ale_parts.h"

rvAleFlow rv_ale_flow_of(const rvAle* ale, int fall, const double* p, const double* rate, const double* accel)
{
    rvAleFlow flow = {.gravity = ale->gravity};
    flow.g = flow.elastic = (rv_ale_end_of(ale, p, fall) - rv_ale_begin_of(ale, p, fall)) / ale->falls[fall].mesh;
    flow.rate[0] = rv_ale_begin_of(ale, rate, fall);
    flow.rate[1] = rv_ale_end_of(ale, rate, fall);
    flow.accel[0] = rv_ale_begin_of(ale, accel, fall);
    flow.accel[1] = rv_ale_end_of(ale, accel, fall);
    return flow;
}

static void set_fill(rvAncf* cable, double g)
{
    cable->elastic = 1.0 / (g * g * g);
    cable->restSquare = g * g;
}

void rv_ale_set_scale(rvAle* ale, int fall, const double* flows)
{
    double length = rv_ale_end_of(ale, flows, fall) - rv_ale_begin_of(ale, flows, fall);
    set_fill(ale->falls[fall].ancf, length / ale->falls[fall].mesh);
}

// slots = the mass of the elements times a factor
static void mass_matrix(rvAncf* cable, double factor)
{
    rv_ancf_mass_matrix(cable, cable->slots);
    for (int k = 0; k <= cable->slotCount; k++) {
        for (int i = 0; i < 21; i++)
            cable->slots[k].d[i] *= factor;
        for (int i = 0; i < 36; i++)
            cable->slots[k].c[i] *= factor;
    }
}

static void add_load_matrix(const rvAleFall* fall, double factor)
{
    static const int diagonal[3] = {0, 2, 5};
    for (int end = 0; end < 2; end++) {
        const int* at = fall->ancf->slotOf[rv_ale_end_node(fall, end)];
        for (int c = 0; c < 3; c++)
            fall->ancf->slots[at[0]].d[diagonal[c]][at[1]] += factor * fall->load[end];
    }
}

// Rates of damping: of the rope's stretch, so without what the growth of the fall does to the slopes.
static const double* damping_rates(const rvAncf* cable, const double* q, const double* v, double growth)
{
    double* out = cable->work[12];
    for (int i = 0; i < cable->dofCount + 6; i++)
        out[i] = v[i] - growth * q[i];
    return out;
}

void rv_ale_add_passing(const rvAleFall* fall, int end, const double* q, const rvAleFlow* flow, double force[3])
{
    const double* d = q + 6 * rv_ale_end_node(fall, end) + 3;
    double f = flow->rate[end], size = fall->elements[0].massPerLength * f * f / flow->g;
    for (int c = 0; c < 3; c++)
        force[c] += (end == RV_ALE_BEGIN ? -size : size) * d[c];
}

// What flows, at `at` or ahead of it.
static void carry(rvAle* ale, int fall, const rvAleState* at, const rvAleFlow* flow, const rvAleWish* wish,
                  const rvAncfGrowth* growth, double* force)
{
    static const rvAleWish none;
    rvAleFall* f = &ale->falls[fall];
    rvAleWish with = wish ? *wish : none;
    const double *q = at->ahead ? at->ahead->q : at->q, *v = at->ahead ? at->ahead->v : at->v;
    with.weightless = with.weightless || at->ahead; // how weight grows is foretold then
    rv_ale_flow(f, q, v, at->a, flow, &with, growth, wish ? &f->border : NULL, force, f->forceP);
    for (int end = 0; wish && end < 2; end++)
        rv_ale_add_passing(f, end, q, flow, force + 6 * rv_ale_end_node(f, end));
}

void rv_ale_residual(rvAle* ale, int fall, const rvAleState* at, const rvAleWish* wish, double* force)
{
    rvAleFall* f = &ale->falls[fall];
    rvAncf* cable = f->ancf;
    const rvAncfRt* s = &ale->rt;
    rvAleFlow flow = rv_ale_flow_of(ale, fall, s->p, s->v1, s->a1), carried = flow;
    const double* vd = NULL;
    if (at->ahead) {
        carried = rv_ale_flow_of(ale, fall, at->ahead->p, at->ahead->rate, s->a1);
        carried.elastic = flow.g;
    }
    set_fill(cable, flow.g);
    memset(force, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    if (cable->hasDamping) {
        rvAleFlow now = rv_ale_flow_of(ale, fall, s->p, at->pd ? at->pd : s->v1, s->a1);
        vd = damping_rates(cable, at->q, at->vd, (now.rate[1] - now.rate[0]) / (f->mesh * flow.g));
    }
    rvAncfGrowth growth = {.bending = wish && wish->stored ? 2.0 : 3.0, .columns = f->growth};
    if (at->told)
        rv_ancf_stored_force(cable, at->q, at->told, force);
    else if (!wish)
        rv_ancf_growing_force(cable, at->q, vd, &growth, force);
    else {
        rvAncfWish inner = {.massFactor = carried.g * wish->massFactor,
                            .dampFactor = wish->dampFactor,
                            .stored = wish->stored,
                            .positive = wish->stored != NULL,
                            .bars = wish->bars};
        rv_ancf_growing_matrix(cable, at->q, vd, &inner, &growth, force);
        if (wish->massOnly)
            mass_matrix(cable, carried.g * wish->massFactor);
        else if (cable->hasBending)
            rv_ancf_bending_matrix(cable, at->q, vd, &inner);
        add_load_matrix(f, wish->massFactor);
    }
    if (cable->hasBending)
        rv_ancf_bending_force(cable, at->q, vd, force);
    carry(ale, fall, at, &carried, wish, at->told ? NULL : &growth, force);
    if (f->slow > 0.0)
        rv_ale_rub(f, at->q, at->v, &flow, force, f->forceP);
    if (ale->water.on)
        rv_ale_water(ale, fall, at, &flow, wish, force);
    if (!wish || wish->unfactored)
        return;
    rv_ancf_take_out(cable, cable->slots);
    if (cable->plain)
        memcpy(cable->plain, cable->slots, ((size_t)cable->slotCount + 1) * sizeof *cable->plain);
    rv_ancf_factor(cable, cable->slots);
}

// From the way in to the way out.
double rv_ale_arc_weight(const rvAle* ale, int j)
{
    const rvAleFall* before = &ale->falls[j - 1];
    const double *in = before->rt.p + 6 * rv_ale_end_node(before, RV_ALE_END), *out = ale->falls[j].rt.p;
    if (ale->rt.p[ale->placeCount + j] == 0.0)
        return 0.0;
    double lift = ale->water.on ? rv_ale_lift_energy(ale, out[2]) - rv_ale_lift_energy(ale, in[2]) : 0.0;
    return ale->mass * rvDot(ale->gravity, rvVec(in[0] - out[0], in[1] - out[1], in[2] - out[2])) + lift;
}

// An end that a body moves is free until the body's rows hold it: then an eye can slide along straight rope, which
// neither mass nor stiffness resists. A trace of both keeps the matrix regular: of the mass of the element there, and
// of rounding.
static double loose_mass(const rvAleFall* fall, int end, double massFactor, bool atRest)
{
    const rvAncf* cable = fall->ancf;
    const rvAncfElement* element = &cable->elements[end == RV_ALE_BEGIN ? 0 : cable->elementCount - 1];
    double rounding = atRest ? 1e-6 : 1e-9; // at rest it only slows the way there
    return 1e-3 * massFactor * element->massPerLength * element->length + rounding * fall->border.corner[2 * end];
}

bool rv_ale_flow_is_held(const rvAle* ale, int fall, int end)
{
    return ale->flowHeld[fall + end] && (end == RV_ALE_END || ale->behind[fall] == ale->before[fall]);
}

// What water does to a column is added to it.
bool rv_ale_is_unasked(const rvAle* ale, int fall, int end)
{
    return !ale->water.on && rv_ale_flow_is_held(ale, fall, end);
}

// H^-1 of the columns and, in place, of the forces. Of a flow that is held nothing is asked: it is taken out.
static void solve_fall(const rvAle* ale, int f)
{
    rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    const rvAleBorder* b = &fall->border;
    double *from[RV_ANCF_SOLVED], *x[RV_ANCF_SOLVED];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (rv_ale_flow_is_held(ale, f, i)) {
            memset(b->solved[i], 0, (size_t)(cable->dofCount + 6) * sizeof(double));
            continue;
        }
        from[count] = b->column[i];
        x[count++] = b->solved[i];
    }
    from[count] = x[count] = fall->rt.r;
    rv_ancf_solve_several(cable, cable->slots, from, x, count + 1);
}

void rv_ale_reduce(const rvAle* ale, int f, const rvAleBorder* b, double out[3])
{
    const rvAncf* cable = ale->falls[f].ancf;
    bool asked[2] = {!rv_ale_flow_is_held(ale, f, RV_ALE_BEGIN), !rv_ale_flow_is_held(ale, f, RV_ALE_END)};
    memcpy(out, b->corner, sizeof b->corner);
    for (int i = 0; i < 2; i++)
        if (asked[i])
            out[2 * i] -= rv_ancf_dot(cable, b->column[i], b->solved[i]);
    if (asked[0] && asked[1])
        out[1] -= rv_ancf_dot(cable, b->column[0], b->solved[1]);
}

void rv_ale_finish_flows(rvAle* ale, double massFactor, bool matrix)
{
    int places = ale->placeCount;
    const rvAncfRt* s = &ale->rt;
    for (int j = 0; j < places; j++) {
        bool inner = j > 0 && j < places - 1; // what lies on a drum at an end is the drum's
        double mass = ale->inertia[j] + (inner ? ale->mass * s->p[places + j] : 0.0), force = -mass * s->a1[j];
        if (inner)
            force += rv_ale_arc_weight(ale, j);
        double part = ale->parted[j] ? 0.5 : 1.0; // half of an arc on either side
        for (int k = ale->before[j]; k <= ale->behind[j]; k++) {
            ale->flowForce[k] = part * force;
            if (!matrix)
                continue; // the factor stays
            ale->diagonal[k] = massFactor * part * mass;
            ale->lower[k] = 0.0;
        }
    }
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        const int at = ale->behind[f]; // and the one after it
        for (int i = 0; i < 2; i++)
            ale->flowForce[at + i] += fall->forceP[i];
        if (!matrix)
            continue;
        solve_fall(ale, f);
        double reduced[3];
        rv_ale_reduce(ale, f, &fall->border, reduced);
        for (int end = 0; end < 2; end++)
            if (fall->gripped[end])
                ale->diagonal[at + end] += loose_mass(fall, end, massFactor, ale->rt.atRest);
        ale->diagonal[at] += reduced[0];
        ale->diagonal[at + 1] += reduced[2];
        ale->lower[at + 1] = reduced[1];
    }
    if (matrix) {
        memcpy(ale->plainDiagonal, ale->diagonal, (size_t)ale->unknownCount * sizeof(double));
        memcpy(ale->plainLower, ale->lower, (size_t)ale->unknownCount * sizeof(double));
    }
}

void rv_ale_join_flows(rvAle* ale)
{
    memset(ale->parted, 0, (size_t)ale->placeCount * sizeof(bool));
    rv_ale_count_flows(ale);
}

void rv_ale_count_flows(rvAle* ale)
{
    int n = 0;
    for (int j = 0; j < ale->placeCount; j++) {
        ale->before[j] = n;
        ale->behind[j] = n + (ale->parted[j] ? 1 : 0);
        n = ale->behind[j] + 1;
    }
    ale->unknownCount = n;
}

// L D L^T of a tridiagonal matrix: D in `diagonal`, L in `lower`.
void rv_ale_factor_flows(rvAle* ale)
{
    for (int j = 0; j < ale->placeCount; j++) {
        int k = ale->before[j];
        if (ale->flowHeld[j]) {
            ale->diagonal[k] = 1.0;
            ale->lower[k] = 0.0;
            if (k + 1 < ale->unknownCount)
                ale->lower[k + 1] = 0.0;
        }
    }
    for (int j = 1; j < ale->unknownCount; j++) {
        double off = ale->lower[j];
        ale->lower[j] = off / ale->diagonal[j - 1];
        ale->diagonal[j] -= off * ale->lower[j];
    }
}

bool rv_ale_flows_are_firm(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++) {
            const rvAleFall* fall = &ale->falls[f];
            if (rv_ale_flow_is_held(ale, f, end))
                continue;
            double loose = fall->gripped[end] ? loose_mass(fall, end, ale->rt.cM, ale->rt.atRest) : 0.0;
            if (!(ale->diagonal[ale->behind[f] + end] > 0.5 * loose))
                return false;
        }
    return true;
}

void rv_ale_solve_flows(const rvAle* ale, double* x)
{
    int last = ale->unknownCount - 1;
    for (int j = 0; j < ale->placeCount; j++)
        if (ale->flowHeld[j])
            x[ale->before[j]] = 0.0;
    for (int j = 1; j <= last; j++)
        x[j] -= ale->lower[j] * x[j - 1];
    for (int j = 0; j <= last; j++)
        x[j] /= ale->diagonal[j];
    for (int j = last - 1; j >= 0; j--)
        x[j] -= ale->lower[j + 1] * x[j + 1];
}

void rv_ale_solve(rvAle* ale)
{
    double* x = ale->flowForce;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        for (int i = 0; i < 2; i++)
            if (!rv_ale_flow_is_held(ale, f, i))
                x[ale->behind[f] + i] -= rv_ancf_dot(fall->ancf, fall->border.column[i], fall->rt.r);
    }
    rv_ale_solve_flows(ale, x);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        for (int i = 0; i < 2; i++)
            fall->dp[i] = x[ale->behind[f] + i];
        rv_ale_take_off(fall->ancf->dofCount, fall->border.solved[0], fall->dp[0], fall->border.solved[1], fall->dp[1],
                        fall->rt.r);
    }
}
