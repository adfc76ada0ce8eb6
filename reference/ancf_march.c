// SPDX-License-Identifier: MIT
// A cable as a system of march.h: mass and matrix are those of its elements, what is held follows its motion.
#include "reference/parts.h"

// Numbers of no node: the dummy's.
static void clear_dummy(const rvAncf* cable, double* x)
{
    memset(x + cable->dofCount, 0, 6 * sizeof(double));
}

static void residual(rvMarch* s, const double* q, const double* v, const double* a, double massFactor,
                     double dampFactor, double* r)
{
    rvAncf* cable = s->of;
    double* product = cable->work[RV_MARCH_VECTORS];
    if (cable->hasWater)
        rv_ancf_water_update(cable, q);
    if (massFactor > 0.0) {
        rv_ancf_linearise(cable, q, v, &(rvAncfWish){.massFactor = massFactor, .dampFactor = dampFactor}, r);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
    } else
        rv_ancf_force(cable, q, v, r);
    if (a)
        rv_ancf_mass_product(cable, a, product);
    for (int i = 0; i < cable->dofCount; i++)
        r[i] -= a ? product[i] : 0.0;
    for (int n = 0; n < cable->heldCount; n++)
        for (int node = cable->heldNodes[n], dof = 0; dof < 6; dof++)
            if (cable->held[node] >> dof & 1)
                r[6 * node + dof] = 0.0;
    clear_dummy(cable, r);
}

static void solve(rvMarch* s, double* x)
{
    const rvAncf* cable = s->of;
    rv_ancf_solve(cable, cable->slots, x);
    clear_dummy(cable, x);
}

static void mass_solve(rvMarch* s, const double* q, double* x)
{
    (void)q; // the water's mass is that of the state
    rv_ancf_mass_solve(s->of, x);
    clear_dummy(s->of, x);
}

static void accelerate(rvMarch* s, const double* q, const double* v, double* a)
{
    rv_ancf_accelerate(s->of, q, v, a);
}

static void aim(rvMarch* s, double time, double* q, double* v)
{
    rvAncf* cable = s->of;
    if (!cable->motion)
        return;
    rv_ancf_aim(cable, time);
    if (q)
        rv_ancf_set_held(cable, cable->aim, q);
    if (v)
        rv_ancf_set_held(cable, cable->aimRate, v);
}

static void lead(rvMarch* s, double time, double* v, double* algo, double* a)
{
    rvAncf* cable = s->of;
    if (!cable->motion)
        return;
    rv_ancf_aim(cable, time);
    rv_ancf_set_held(cable, cable->aimRate, v);
    rv_ancf_set_held(cable, cable->aimAccel, algo);
    rv_ancf_set_held(cable, cable->aimAccel, a);
}

static double measure(const rvMarch* s, const double* r)
{
    const rvAncf* cable = s->of;
    double sum = 0.0;
    for (int i = 0; i < cable->dofCount; i++)
        sum += r[i] * r[i] / cable->mass[i / 6].node[i % 6 < 3 ? 0 : 2];
    return sum;
}

static bool is_sound(rvMarch* s, const double* q)
{
    (void)s, (void)q;
    return true;
}

static void expand(rvMarch* s, double* terms)
{
    rv_ancf_expand(s->of, terms);
}

static const rvMarchOps OPS = {.residual = residual,
                               .solve = solve,
                               .massSolve = mass_solve,
                               .accelerate = accelerate,
                               .aim = aim,
                               .lead = lead,
                               .measure = measure,
                               .isSound = is_sound,
                               .expand = expand};

static rvMarch march_of(rvAncf* cable)
{
    rvMarch s = {.ops = &OPS,
                 .of = cable,
                 .count = cable->dofCount + 6,
                 .free = cable->dofCount,
                 .q = cable->q,
                 .v = cable->v,
                 .a = cable->a,
                 .algo = cable->at,
                 .time = cable->scalars[RV_ANCF_TIME],
                 .options = &cable->options,
                 .counts = &cable->counts,
                 .trial = &cable->scalars[RV_ANCF_TRIAL_STEP],
                 .highest = cable->scalars[RV_ANCF_HIGHEST]};
    for (int i = 0; i < RV_MARCH_VECTORS; i++)
        s.work[i] = cable->work[i];
    if (cable->series)
        s.terms = rv_ancf_series_terms(cable);
    return s;
}

bool rv_ancf_step_march(rvAncf* cable, double h)
{
    rvMarch s = march_of(cable);
    if (cable->options.method == RV_ANCF_VERLET)
        return rv_march_verlet(&s, h);
    if (cable->options.method == RV_ANCF_TAYLOR)
        return rv_march_taylor(&s, h);
    return rv_march_implicit(&s, h);
}

void rv_ancf_find_highest(rvAncf* cable)
{
    enum { STEPS = 60 };
    rvMarch s = march_of(cable);
    cable->scalars[RV_ANCF_HIGHEST] = rv_march_highest(&s, s.work[3], true, STEPS);
}
