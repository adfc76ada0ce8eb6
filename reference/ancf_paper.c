// SPDX-License-Identifier: MIT
// The four semi-implicit steps of Westin and Irani, Table 1: forces are linearised once, at the start.
//
// Each method says how speed and acceleration at the end follow from d = q1 - q0:
//   v1 = cV d + vc,  a1 = cA d + ac
// and with Q1 = Q + Jq d + Jv (v1 - v), K = -Jq, D = -Jv its equation of motion M a1 = (1 + alpha) Q1 - alpha Q becomes
//   [cA/(1+alpha) M + cV D + K] d = (Q - M ac)/(1+alpha) - D (vc - v)
// which is Table 1 divided by cA. alpha is 0 but for HHT. Held dofs take the acceleration of Baumgarte's equation,
//   a1 = b''(t1) - 2 a1 (v - b') - a2^2 (q - b)
// that is d = (a1 - ac)/cA; taking them out of the matrix equals (25) for rows A that pick single coordinates.
// Other rows: ancf_rows.c.
#include "reference/parts.h"

RV_ANCF_CLONED static void newmark_rule(const rvAncfOptions* options, const rvAncfPast* past, double h,
                                        rvAncfRule* rule)
{
    double alpha = options->method == RV_ANCF_SI_HHT ? options->hhtAlpha : 0.0;
    double beta = 0.25 * (1.0 - alpha) * (1.0 - alpha), gamma = 0.5 - alpha, cA = 1.0 / (beta * h * h);
    const double* restrict v = past->v, * restrict a = past->a;
    double* restrict vc = rule->vc, * restrict ac = rule->ac;
    rule->alpha = alpha;
    rule->cA = cA;
    rule->cV = gamma / (beta * h);
    for (int i = 0; i < past->count; i++) {
        ac[i] = -cA * (h * v[i] + h * h * (0.5 - beta) * a[i]);
        vc[i] = v[i] + h * ((1.0 - gamma) * a[i] + gamma * ac[i]);
    }
}

RV_ANCF_CLONED static void euler_rule(const rvAncfPast* past, double h, rvAncfRule* rule)
{
    const double* restrict v = past->v;
    double* restrict vc = rule->vc, * restrict ac = rule->ac;
    rule->cV = 1.0 / h;
    rule->cA = 1.0 / (h * h);
    for (int i = 0; i < past->count; i++) {
        vc[i] = 0.0;
        ac[i] = -v[i] / h;
    }
}

RV_ANCF_CLONED static void bdf2_rule(const rvAncfPast* past, double h, rvAncfRule* rule)
{
    const double* restrict q = past->q, * restrict v = past->v;
    const double* restrict qOld = past->qOld, * restrict vOld = past->vOld;
    double* restrict vc = rule->vc, * restrict ac = rule->ac, cV = 1.5 / h;
    rule->cV = cV;
    rule->cA = cV * cV;
    for (int i = 0; i < past->count; i++) {
        vc[i] = -(q[i] - qOld[i]) / (2.0 * h);
        ac[i] = cV * (vc[i] - (4.0 * v[i] - vOld[i]) / 3.0);
    }
}

void rv_ancf_paper_rule(const rvAncfOptions* options, const rvAncfPast* past, double h, rvAncfRule* rule)
{
    if (options->method == RV_ANCF_SI_BE)
        euler_rule(past, h, rule);
    else if (options->method == RV_ANCF_SI_BDF2)
        bdf2_rule(past, h, rule);
    else
        newmark_rule(options, past, h, rule);
}

// Baumgarte: d of held dofs into `known`, the rest 0.
static void held_motion(rvAncf* cable, const rvAncfRule* rule, double h, double* known)
{
    double *b = cable->work[6], *rate = cable->work[7];
    double t = cable->scalars[RV_ANCF_TIME], a1 = cable->options.baumgarte[0], a2 = cable->options.baumgarte[1];
    memset(known, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_aim(cable, t);
    rv_ancf_copy(cable, b, cable->aim);
    rv_ancf_copy(cable, rate, cable->aimRate);
    rv_ancf_aim(cable, t + h);
    for (int n = 0; n < cable->heldCount; n++)
        for (int dof = 0; dof < 6; dof++) {
            int i = 6 * cable->heldNodes[n] + dof;
            if (!(cable->held[cable->heldNodes[n]] >> dof & 1))
                continue;
            double accel = cable->aimAccel[i] - 2.0 * a1 * (cable->v[i] - rate[i]) - a2 * a2 * (cable->q[i] - b[i]);
            known[i] = (accel - rule->ac[i]) / rule->cA;
        }
}

bool rv_ancf_step_paper(rvAncf* cable, double h)
{
    double *d = cable->work[0], *product = cable->work[1], *known = cable->work[2], *v1 = cable->work[3];
    rvAncfRule rule = {.vc = cable->work[4], .ac = cable->work[5]};
    rvAncfPast past = {cable->dofCount, cable->q, cable->v, cable->a, cable->qOld, cable->vOld};
    rv_ancf_paper_rule(&cable->options, &past, h, &rule);
    double share = 1.0 / (1.0 + rule.alpha);
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    rvAncfWish wish = {.massFactor = share * rule.cA, .dampFactor = rule.cV};
    rv_ancf_linearise(cable, cable->q, cable->v, &wish, d);
    rv_ancf_mass_product(cable, rule.ac, product);
    for (int i = 0; i < cable->dofCount; i++)
        d[i] = share * (d[i] - product[i]);
    if (cable->hasDamping || (cable->hasWater && cable->water.implicitDrag)) {
        for (int i = 0; i < cable->dofCount; i++)
            v1[i] = rule.vc[i] - cable->v[i];
        rv_ancf_damping_product(cable, cable->q, cable->v, v1, product);
        for (int i = 0; i < cable->dofCount; i++)
            d[i] -= product[i];
    }
    if (cable->motion) {
        held_motion(cable, &rule, h, known);
        rv_ancf_slot_product(cable, cable->slots, known, product);
        for (int i = 0; i < cable->dofCount; i++)
            d[i] -= product[i];
    }
    rv_ancf_take_out(cable, cable->slots);
    rv_ancf_factor(cable, cable->slots);
    rv_ancf_solve(cable, cable->slots, d);
    if (cable->motion)
        for (int i = 0; i < cable->dofCount; i++)
            d[i] += known[i];
    if (cable->rows)
        rv_ancf_rows_step(cable, &rule, h, d);
    if (!rv_ancf_is_finite(cable, d))
        return false;
    for (int i = 0; i < cable->dofCount; i++) {
        cable->qOld[i] = cable->q[i];
        cable->vOld[i] = cable->v[i];
        cable->q[i] += d[i];
        cable->v[i] = rule.cV * d[i] + rule.vc[i];
        cable->a[i] = rule.cA * d[i] + rule.ac[i];
    }
    cable->counts.passes++;
    return true;
}
