// SPDX-License-Identifier: MIT
// The four semi-implicit steps of Westin and Irani for rope that flows: forces are linear about the start of the step,
// inertia is taken where the start foretells its end.
//
// With v1 = cV d + vc and a1 = cA d + ac of Table 1 (ancf_paper.c), the acceleration of the equations at the end
// A1 = (a1 + alpha A)/(1 + alpha), A that of the start, forces Q and inertia I = -(M(q) a + what its rates add), it is
//   Q + Q_q d + Q_v (v1 - v) + I(q^, v^, A1) = 0,   q^ = q + h v + h^2 A/2,   v^ = cV (q^ - q) + vc
// I is linear in A1: M(q^) is in the matrix, and nothing else of it. How it changes with shape and rates is not
// symmetric. q^ is off by a third order of h and v^ by a second, as is what forces linear about the start leave out: d
// and v1 are right to the order of the rules. For a mass that is constant this is Table 1. The weight of what flows is
// taken at q^, too. Friction of rope on a table goes by the rates of the start, as in the paper. Drag is in the matrix.
#include "reference/parts.h"

// Vectors of the nodes of a fall, or of the flows.
typedef struct {
    int count;
    double *q, *v, *a, *algo, *oldQ, *oldV;      // the state
    double *vc, *ac, *ahead, *aheadRate, *known; // of the rule; q^, v^; A1 without what d adds
} Vectors;

static Vectors of_fall(const rvAleFall* fall)
{
    const rvAncf* c = fall->ancf;
    double* const* w = c->work;
    return (Vectors){c->dofCount, c->q, c->v, c->a, c->at, c->qOld, c->vOld, w[1], w[2], w[3], w[4], w[5]};
}

// Places, then arcs, which stay.
static Vectors of_flows(const rvAle* ale)
{
    double *const *s = ale->flow, *const *w = ale->flowWork;
    return (Vectors){2 * ale->placeCount,
                     s[RV_ALE_P],
                     s[RV_ALE_RATE],
                     s[RV_ALE_ACCEL],
                     s[RV_ALE_ALGO],
                     s[RV_ALE_OLD],
                     s[RV_ALE_OLD_RATE],
                     w[0],
                     w[1],
                     w[2],
                     w[3],
                     w[4]};
}

// Held flows go on as told.
static void hold_flows(const rvAle* ale)
{
    Vectors x = of_flows(ale);
    for (int j = 0; j < x.count; j++)
        if (j >= ale->placeCount || ale->flowHeld[j]) {
            x.v[j] = j < ale->placeCount ? ale->flowRate[j] : 0.0;
            x.a[j] = x.algo[j] = 0.0;
        }
}

RV_ANCF_CLONED static void foretell(const rvAncfRule* rule, double h, int count, const double* restrict q,
                                    const double* restrict v, const double* restrict a, double* restrict ahead,
                                    double* restrict aheadRate, double* restrict known)
{
    const double* restrict vc = rule->vc, * restrict ac = rule->ac;
    double alpha = rule->alpha, share = 1.0 / (1.0 + alpha), cV = rule->cV;
    for (int i = 0; i < count; i++) {
        double way = h * (v[i] + 0.5 * h * a[i]);
        ahead[i] = q[i] + way;
        aheadRate[i] = cV * way + vc[i];
        known[i] = share * (ac[i] + alpha * a[i]);
    }
}

static rvAncfRule begin(const rvAle* ale, const Vectors* x, double h)
{
    rvAncfRule rule = {.vc = x->vc, .ac = x->ac};
    rv_ancf_paper_rule(&ale->options, &(rvAncfPast){x->count, x->q, x->v, x->algo, x->oldQ, x->oldV}, h, &rule);
    foretell(&rule, h, x->count, x->q, x->v, x->a, x->ahead, x->aheadRate, x->known);
    return rule;
}

// The motion d is made.
RV_ANCF_CLONED static void move(const rvAncfRule* rule, int count, const double* restrict d, double* restrict q,
                                double* restrict v, double* restrict a, double* restrict algo, double* restrict oldQ,
                                double* restrict oldV)
{
    const double* restrict vc = rule->vc, * restrict ac = rule->ac;
    double alpha = rule->alpha, share = 1.0 / (1.0 + alpha), cV = rule->cV, cA = rule->cA;
    for (int i = 0; i < count; i++) {
        oldQ[i] = q[i];
        oldV[i] = v[i];
        q[i] += d[i];
        v[i] = cV * d[i] + vc[i];
        algo[i] = cA * d[i] + ac[i];
        a[i] = share * (algo[i] + alpha * a[i]);
    }
}

static void end(rvAncfRule rule, const Vectors* x, const double* d)
{
    rule.vc = x->vc;
    rule.ac = x->ac;
    move(&rule, x->count, d, x->q, x->v, x->a, x->algo, x->oldQ, x->oldV);
}

// Of flows that are held, what their way does to all else.
static void add_reeled(const rvAle* ale, double h, double* flows)
{
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        const rvAleBorder* border = &fall->border;
        double first = ale->flowHeld[f] ? h * ale->flowRate[f] : 0.0;
        double last = ale->flowHeld[f + 1] ? h * ale->flowRate[f + 1] : 0.0;
        if (first == 0.0 && last == 0.0)
            continue;
        rv_ale_take_off(fall->ancf->dofCount, border->column[0], first, border->column[1], last, fall->rt.r);
        flows[f] -= border->corner[1] * last;
        flows[f + 1] -= border->corner[1] * first;
    }
}

// Forces and the matrix, and the motion: of nodes in rt.r, of flows in d. False: it is not finite.
static bool find_motion(rvAle* ale, const rvAncfRule* rule, double h, double* d)
{
    Vectors flows = of_flows(ale);
    rvAleWish wish = {.massFactor = rule->cA / (1.0 + rule->alpha), .dampFactor = rule->cV};
    double way = 0.0;
    ale->rt = (rvAncfRt){.p = flows.q, .v1 = flows.v, .a1 = flows.known};
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        Vectors x = of_fall(fall);
        rvAleAhead ahead = {.q = x.ahead, .v = x.aheadRate, .p = flows.ahead, .rate = flows.aheadRate};
        rvAleState at = {.q = x.q, .v = x.v, .vd = x.vc, .a = x.known, .pd = flows.vc, .aboutV = true, .ahead = &ahead};
        fall->rt.p = x.q;
        fall->rt.r = fall->ancf->work[0];
        for (int i = 0; i < 2; i++) // of a flow that is reeled the column tells what it does to all else
            wish.stays[i] = rv_ale_is_unasked(ale, f, i) && ale->flowRate[f + i] == 0.0;
        rv_ale_residual(ale, f, &at, &wish, fall->rt.r);
    }
    add_reeled(ale, h, d);
    rv_ale_finish_flows(ale, wish.massFactor, true);
    for (int j = 0; j < ale->placeCount; j++)
        ale->flowForce[j] += d[j];
    rv_ale_factor_flows(ale);
    rv_ale_solve(ale);
    for (int j = 0; j < ale->placeCount; j++) {
        d[j] = ale->flowHeld[j] ? h * ale->flowRate[j] : ale->flowForce[j];
        way += d[j] * d[j];
    }
    for (int f = 0; f < ale->fallCount; f++)
        way += rv_ancf_dot(ale->falls[f].ancf, ale->falls[f].rt.r, ale->falls[f].rt.r);
    ale->counts.passes++;
    return isfinite(way);
}

bool rv_ale_step_paper(rvAle* ale, double h)
{
    hold_flows(ale);
    Vectors flows = of_flows(ale);
    rvAncfRule rule = begin(ale, &flows, h);
    for (int f = 0; f < ale->fallCount; f++) {
        Vectors x = of_fall(&ale->falls[f]);
        begin(ale, &x, h);
    }
    double *d = ale->flowWork[5], *after = flows.ahead;
    memset(d, 0, (size_t)flows.count * sizeof(double));
    if (!find_motion(ale, &rule, h, d))
        return false;
    for (int j = 0; j < flows.count; j++)
        after[j] = flows.q[j] + d[j];
    if (!rv_ale_falls_are_sound(ale, after))
        return false;
    for (int f = 0; f < ale->fallCount; f++) {
        Vectors x = of_fall(&ale->falls[f]);
        end(rule, &x, ale->falls[f].rt.r);
    }
    end(rule, &flows, d);
    hold_flows(ale);
    return true;
}
