// SPDX-License-Identifier: MIT
// The four semi-implicit steps of paper 001 for rope that flows: all forces, those of inertia too, are linear about the
// start of the step.
//
// With v1 = cV d + vc and a1 = cA d + ac of Table 1 (ancf_paper.c), the acceleration of the equations at the end
// A1 = (a1 + alpha A)/(1 + alpha), A that of the start, and R = Q(q, v) - M(q) a, it is
//   R + R_q d + R_v (v1 - v) - M (A1 - A) = 0
// For a mass that is constant this is Table 1. What of R_q and R_v is symmetric is in the matrix H, the rest, of the
// inertia of what flows, is not (ale_tangent.c): it is taken at the way that the start foretells, d0 = h v + h^2 A/2,
// and
//   H d = known + that of d0
// d0 is off by a third order of h, and v1 there by a second; it comes in times h f/l, f the speed of the flow, l an
// element's length, so that d and v1 are right to the order of the rules.
// Friction of rope on a table goes by the rates of the start, as in the paper. Drag is in the matrix.
#include "cable/ale/ale_parts.h"

// x += what d does to the inertia of what flows.
static void add_inertia(const rvMarch* s, const rvAncfRule* rule, const double* d, double* rates, double* x)
{
    const rvAle* ale = s->of;
    int at = 0;
    for (int i = 0; i < s->count; i++)
        rates[i] = rule->cV * d[i] + rule->vc[i] - s->v[i];
    const double *flows = rv_ale_march_flows(s, d), *more = rv_ale_march_flows(s, rates);
    const double* now[3] = {rv_ale_march_flows(s, s->q), rv_ale_march_flows(s, s->v), rv_ale_march_flows(s, s->a)};
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        rvAleFlow flow = rv_ale_flow_of(ale, f, now[0], now[1], now[2]);
        rvAleState state = {.q = s->q + at, .v = s->v + at, .a = s->a + at};
        rvAleChange change = {.q = d + at,
                              .v = rates + at,
                              .p = {rv_ale_begin_of(ale, flows, f), rv_ale_end_of(ale, flows, f)},
                              .rate = {rv_ale_begin_of(ale, more, f), rv_ale_end_of(ale, more, f)}};
        rv_ale_inertia_change(fall, &state, &flow, &change, x + at, rv_ale_march_flows(s, x) + f);
        at += fall->ancf->dofCount + 6;
    }
}

// Of flows that are held, what their way does to all else.
static void add_reeled(const rvMarch* s, double h, double* r, double* flows)
{
    const rvAle* ale = s->of;
    int at = 0;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        const rvAleBorder* border = &fall->border;
        double first = ale->flowHeld[f] ? h * ale->flowRate[f] : 0.0;
        double last = ale->flowHeld[f + 1] ? h * ale->flowRate[f + 1] : 0.0;
        rv_ale_take_off(fall->ancf->dofCount, border->column[0], first, border->column[1], last, r + at);
        flows[f] -= border->corner[1] * last;
        flows[f + 1] -= border->corner[1] * first;
        at += fall->ancf->dofCount + 6;
    }
}

static void set_reeled(const rvMarch* s, double h, double* d)
{
    const rvAle* ale = s->of;
    for (int j = 0; j < ale->placeCount; j++)
        if (ale->flowHeld[j])
            rv_ale_march_flows(s, d)[j] = h * ale->flowRate[j];
}

// Known forces of the start, the matrix, and d. The forces on the nodes are solved with the columns.
static void find_motion(rvMarch* s, const rvAncfRule* rule, double h, const double* a, double* d)
{
    const rvAle* ale = s->of;
    double *r = s->work[2], *ahead = s->work[5], *rates = s->work[6], *flows = rv_ale_march_flows(s, r);
    rvAleWish wish = {.massFactor = rule->cA / (1.0 + rule->alpha), .dampFactor = rule->cV};
    double reeled[RV_ALE_MAX_FALLS + 1] = {0};
    rv_ale_march_forces(s, s->q, s->v, rule->vc, a, &wish, r);
    memset(flows, 0, 2 * (size_t)ale->placeCount * sizeof(double));
    add_reeled(s, h, r, reeled);
    for (int i = 0; i < s->count; i++)
        ahead[i] = h * (s->v[i] + 0.5 * h * s->a[i]);
    memcpy(d, r, (size_t)s->count * sizeof(double));
    add_inertia(s, rule, ahead, rates, d);
    rv_ale_march_close(s, &wish, d, r);
    for (int j = 0; j < ale->placeCount; j++)
        rv_ale_march_flows(s, d)[j] += flows[j] + reeled[j];
    rv_ale_march_solve_flows(s, d);
    set_reeled(s, h, d);
}

bool rv_ale_step_paper(rvMarch* s, double h)
{
    rvAle* ale = s->of;
    double *a = s->work[3], *d = s->work[4], *past[] = {rv_ale_march_past(s, false), rv_ale_march_past(s, true)};
    rvAncfRule rule = {.vc = s->work[0], .ac = s->work[1]};
    rv_ancf_paper_rule(s->options, &(rvAncfPast){s->count, s->q, s->v, s->algo, past[0], past[1]}, h, &rule);
    double share = 1.0 / (1.0 + rule.alpha);
    for (int i = 0; i < s->count; i++)
        a[i] = share * (rule.ac[i] + rule.alpha * s->a[i]);
    find_motion(s, &rule, h, a, d);
    s->counts->passes++;
    double *end = s->work[5], way = 0.0;
    for (int i = 0; i < s->count; i++) {
        end[i] = s->q[i] + d[i];
        way += d[i] * d[i];
    }
    if (!isfinite(way) || !s->ops->isSound(s, end))
        return false;
    for (int i = 0; i < s->count; i++) {
        past[0][i] = s->q[i];
        past[1][i] = s->v[i];
        s->q[i] = end[i];
        s->v[i] = rule.cV * d[i] + rule.vc[i];
        s->algo[i] = rule.cA * d[i] + rule.ac[i];
        s->a[i] = share * (s->algo[i] + rule.alpha * s->a[i]);
    }
    for (int j = 0; j < ale->placeCount; j++)
        if (ale->flowHeld[j]) {
            rv_ale_march_flows(s, s->v)[j] = ale->flowRate[j];
            rv_ale_march_flows(s, s->a)[j] = rv_ale_march_flows(s, s->algo)[j] = 0.0;
        }
    return true;
}
