// SPDX-License-Identifier: MIT
// The four semi-implicit steps of paper 001 for rope that flows: all forces, those of inertia too, are linear about the start
// of the step.
//
// With v1 = cV d + vc and a1 = cA d + ac of Table 1 (ancf_paper.c), the acceleration of the equations at the end
// A1 = (a1 + alpha A)/(1 + alpha), A that of the start, and R = Q(q, v) - M(q) a, it is
//   R + R_q d + R_v (v1 - v) - M (A1 - A) = 0
// For a mass that is constant this is Table 1. What of R_q and R_v is symmetric is in the matrix H, the rest, of the inertia of
// what flows, is not (ale_tangent.c): d is found from  H d = known + that of d,  in two turns from d = h v. A turn brings it
// nearer by h f/l, f the speed of the flow, l an element's length; where it does not, the turn before counts.
// Friction of rope on a table goes by the rates of the start, as in the paper. Drag is in the matrix.
#include "cable/ale/ale_parts.h"

enum { TURNS = 2 }; // v1 - v is of first order at h v, of third after two

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

static double distance(int count, const double* a, const double* b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

// Known forces of the start, the matrix, and d in two turns. The first one's forces on the nodes are solved with the columns.
static void find_motion(rvMarch* s, const rvAncfRule* rule, double h, const double* a, double* d)
{
    const rvAle* ale = s->of;
    double *r = s->work[2], *x = s->work[5], *rates = s->work[6], *flows = rv_ale_march_flows(s, r), last = HUGE_VAL;
    rvAleWish wish = {.massFactor = rule->cA / (1.0 + rule->alpha), .dampFactor = rule->cV};
    size_t size = (size_t)s->count * sizeof(double), some = 2 * (size_t)ale->placeCount * sizeof(double);
    double reeled[RV_ALE_MAX_FALLS + 1] = {0};
    rv_ale_march_forces(s, s->q, s->v, rule->vc, a, &wish, r);
    memset(flows, 0, some);
    add_reeled(s, h, r, reeled);
    for (int i = 0; i < s->count; i++)
        d[i] = h * s->v[i];
    memcpy(x, r, size);
    add_inertia(s, rule, d, rates, x);
    rv_ale_march_close(s, &wish, x, r);
    for (int j = 0; j < ale->placeCount; j++) {
        flows[j] += reeled[j];
        rv_ale_march_flows(s, x)[j] += flows[j];
    }
    rv_ale_march_solve_flows(s, x);
    for (int turn = 0;; turn++) {
        set_reeled(s, h, x);
        double moved = distance(s->count, x, d);
        if (!(moved < last))
            return;
        last = moved;
        memcpy(d, x, size);
        if (turn == TURNS - 1)
            return;
        memcpy(x, r, size);
        add_inertia(s, rule, d, rates, x);
        s->ops->solve(s, x);
    }
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
    double* end = s->work[5];
    for (int i = 0; i < s->count; i++)
        end[i] = s->q[i] + d[i];
    if (!isfinite(distance(s->count, end, s->q)) || !s->ops->isSound(s, end))
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
