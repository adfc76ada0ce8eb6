// SPDX-License-Identifier: MIT
// The real-time step: generalised-alpha, linearised at the predictor q + h v, with stored tensions and an energy guard.
//
//   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gam = 1/2 + af - am, bet = (gam + 1/2)^2/4
//   qh = q + h v + h^2 (1/2 - bet) at,  p = q + h v, held dofs at their place of the end
//   ap = [(1-am)(p - qh)/(bet h^2) + am at - af a]/(1-af)
//   H d = Q(p, vp) - M ap,  H = cM M + gam/(bet h) D + K with the geometric stiffness of the stored tension, if it
//   pulls p += d,  stored = N + EA r'.(B d)
// Remainder rule: the strain that the linearisation left out is |B d|^2/2; while its energy is above 1e-5 of the scale
// of energies, another pass from the new p, five at most. Guard: where the energy rises above its budget, another pass.
// What does not settle or does not fit is made in halves, and those in halves again; where that ends, by a step of
// implicit Euler with descent. So the energy never exceeds the budget by more than 2 % of the scale. A step that loses
// more than half a percent of the scale, of a cable that has neither damping nor drag, is made in halves too: it went
// over a snap.
#include "cable/ancf/ancf_parts.h"

static const double TOLERANCE = 0.02, LEAK = 0.5 /* s */, REMAINDER = 1e-5, LOSS = 0.005;
enum { MAX_PASSES = 5 };

// What rounding does to the smooth motion of short elements: their bending is as much stiffer than the mass of a step
// as h^2 EI/(m l^4), and a factor loses that many digits.
static bool loses_digits(const rvAncf* cable, const rvAncfRt* s)
{
    return !cable->exactCurvature && 12.0 * cable->stiffest > 1e-8 / 2.2e-16 * s->cM;
}

rvAncfRt rv_ancf_rt_of(const rvAncf* cable, double rho, double time, double h)
{
    rvAncfRt s = {.time = time, .h = h, .am = (2.0 * rho - 1.0) / (rho + 1.0), .af = rho / (rho + 1.0)};
    s.gam = 0.5 + s.af - s.am;
    s.bet = 0.25 * (s.gam + 0.5) * (s.gam + 0.5);
    s.cM = (1.0 - s.am) / ((1.0 - s.af) * s.bet * h * h);
    s.cV = s.gam / (s.bet * h);
    double** vectors[] = {&s.qh, &s.p, &s.r, &s.product, &s.v1, &s.a1, &s.at1};
    for (int i = 0; i < 7; i++)
        *vectors[i] = cable->work[i];
    s.stored = cable->stored;
    s.moves = cable->hasDamping || cable->hasWater;
    s.refines = loses_digits(cable, &s);
    return s;
}

// After the solve: tensions of the linear step, and the energy that it left out.
static double take_tensions(const rvAncf* cable, const rvAncfRt* s, const double* d, double enough, rvPair* stored)
{
    rvAncfLeft left = rv_ancf_take_tensions(cable, d, s->cV, 0.0, stored);
    if (left.strain > enough)
        rv_ancf_keep_straight(cable, stored);
    return left.strain + left.missed;
}

// Vectors are none of the others: so it runs several at a time.
static inline __attribute__((always_inline)) void find_rates(const rvAncfRt* s, int count, const double* restrict v,
                                                             const double* restrict a, const double* restrict at,
                                                             const double* restrict p, const double* restrict qh,
                                                             double* restrict v1, double* restrict a1,
                                                             double* restrict at1)
{
    double f = 1.0 / (s->bet * s->h * s->h), g = 1.0 / (1.0 - s->af);
    double h = s->h, gam = s->gam, rest = 1.0 - s->gam, am = s->am, less = 1.0 - s->am, af = s->af;
    for (int i = 0; i < count; i++) {
        double now = (p[i] - qh[i]) * f;
        at1[i] = now;
        v1[i] = v[i] + h * (rest * at[i] + gam * now);
        a1[i] = (less * now + am * at[i] - af * a[i]) * g;
    }
}

RV_ANCF_CLONED void rv_ancf_rt_rates_of(const rvAncfRt* s, int count, const double* v, const double* a,
                                        const double* at)
{
    find_rates(s, count, v, a, at, s->p, s->qh, s->v1, s->a1, s->at1);
}

void rv_ancf_rt_rates(const rvAncf* cable, const rvAncfRt* s)
{
    rv_ancf_rt_rates_of(s, cable->dofCount, cable->v, cable->a, cable->at);
}

void rv_ancf_rt_linearise(rvAncf* cable, rvAncfRt* s)
{
    if (cable->hasWater)
        rv_ancf_water_update(cable, s->p);
    rv_ancf_rt_rates(cable, s); // those of the predictor: a1 is ap
    rvAncfWish wish = {.massFactor = s->cM, .dampFactor = s->cV, .stored = s->stored, .positive = true};
    rv_ancf_linearise(cable, s->p, s->moves ? s->v1 : cable->v, &wish, s->r);
    rv_ancf_mass_product(cable, s->a1, s->product);
    for (int i = 0; i < cable->dofCount; i++)
        s->r[i] -= s->product[i];
    rv_ancf_take_out(cable, cable->slots);
    if (cable->plain)
        memcpy(cable->plain, cable->slots, ((size_t)cable->slotCount + 1) * sizeof *cable->plain);
    rv_ancf_factor(cable, cable->slots);
    cable->counts.passes++;
}

double rv_ancf_largest_pull(const rvAncf* cable, const rvPair* stored)
{
    rvPair most = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++)
        for (int i = RV_ANCF_STORED * k; i < RV_ANCF_STORED * k + RV_ANCF_POINTS; i++)
            for (int lane = 0; lane < 2; lane++)
                most[lane] = fmax(most[lane], stored[i][lane]);
    return fmax(most[0], most[1]);
}

double rv_ancf_rt_advance(rvAncf* cable, rvAncfRt* s, const double* d, double enough)
{
    bool first = s->stored == cable->stored; // else it is written over
    double used = first || s->retries == 0 ? 0.0 : rv_ancf_largest_pull(cable, s->stored);
    double left = take_tensions(cable, s, d, enough, cable->nextStored);
    s->stored = cable->nextStored;
    s->stays = left > enough && s->retries > 0;
    if (s->stays)
        s->stays =
            rv_ancf_largest_pull(cable, s->stored) > 2.0 * (first ? rv_ancf_largest_pull(cable, cable->stored) : used);
    if (s->stays) {
        s->retries--;
        return left;
    }
    for (int i = 0; i < cable->dofCount; i++)
        s->p[i] += d[i];
    return left;
}

// b - H x, by differences of neighbours: there x loses nothing, where products with the sums of H would.
static void residual(const rvAncf* cable, const rvAncfRt* s, const double* b, const double* x, double* out)
{
    double* y = cable->work[8];
    memset(out, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int k = 0; k < cable->slotCount; k++) {
        rvPair moved[RV_ANCF_POINTS][3], along[RV_ANCF_POINTS];
        rvPair stiffness = cable->spans[k].stiffness * cable->elastic;
        rv_ancf_pair_slopes(cable, k, x, moved);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const rvPair* r = cable->slopes[k][g];
            along[g] = stiffness * (r[0] * moved[g][0] + r[1] * moved[g][1] + r[2] * moved[g][2]);
        }
        rv_ancf_leave_mean_out(cable, k, along);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const rvPair* r = cable->slopes[k][g];
            rvPair pull = rv_ancf_positive_part(s->stored[RV_ANCF_STORED * k + g]);
            for (int c = 0; c < 3; c++)
                moved[g][c] = along[g] * r[c] + pull * moved[g][c];
        }
        rv_ancf_pair_forces(cable, k, x, moved, out);
    }
    rv_ancf_mass_product(cable, x, y);
    for (int i = 0; i < cable->dofCount; i++)
        out[i] += b[i] - s->cM * y[i];
    if (!s->moves)
        return;
    rv_ancf_damping_product(cable, s->p, s->v1, x, y);
    for (int i = 0; i < cable->dofCount; i++)
        out[i] -= s->cV * y[i];
}

void rv_ancf_rt_solve(const rvAncf* cable, const rvAncfRt* s, double* x)
{
    double *b = cable->work[7], *left = cable->work[9];
    if (s->refines)
        rv_ancf_copy(cable, b, x);
    rv_ancf_solve(cable, cable->slots, x);
    for (int n = 0; n < 2 && s->refines; n++) {
        residual(cable, s, b, x, left);
        rv_ancf_solve(cable, cable->slots, left);
        for (int i = 0; i < cable->dofCount; i++)
            x[i] += left[i];
    }
}

// One pass: p moves on; answers the energy that was left out.
static double pass(rvAncf* cable, rvAncfRt* s, double enough)
{
    rv_ancf_rt_linearise(cable, s);
    rv_ancf_rt_solve(cable, s, s->r);
    return rv_ancf_rt_advance(cable, s, s->r, enough);
}

void rv_ancf_rt_keep(rvAncf* cable, const rvAncfRt* s)
{
    rv_ancf_copy(cable, cable->q, s->p);
    rv_ancf_copy(cable, cable->v, s->v1);
    rv_ancf_copy(cable, cable->a, s->a1);
    rv_ancf_copy(cable, cable->at, s->at1);
    memcpy(cable->stored, cable->nextStored, (size_t)cable->slotCount * sizeof *cable->tensions);
}

double rv_ancf_rt_current_work(rvAncf* cable, const rvAncfRt* s)
{
    double work = 0.0;
    if (!cable->hasWater || cable->water.currentCount == 0)
        return work;
    memset(s->r, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_water_force(cable, s->p, s->v1, s->r);
    for (int i = 0; i < cable->dofCount; i++)
        work += s->r[i] * (s->p[i] - cable->q[i]);
    return work;
}

double rv_ancf_rt_hold_work(rvAncf* cable, const rvAncfRt* s, double* pull)
{
    double work = 0.0;
    rv_ancf_stepped_force(cable, s->p, s->v1, cable->nextStored, s->r);
    rv_ancf_mass_product(cable, s->a1, s->product);
    for (int n = 0; n < cable->heldCount; n++)
        for (int dof = 0; dof < 6; dof++) {
            int i = 6 * cable->heldNodes[n] + dof;
            bool held = cable->held[cable->heldNodes[n]] >> dof & 1;
            pull[i] = held ? s->product[i] - s->r[i] : 0.0;
            if (held) {
                double mean =
                    ((1.0 - s->af) * pull[i] + s->af * cable->pull[i] - s->am * cable->pullMean[i]) / (1.0 - s->am);
                work += ((1.0 - s->gam) * cable->pullMean[i] + s->gam * mean) * (s->p[i] - cable->q[i]);
            }
        }
    return work;
}

// What drag and moving holds put in; elastic, weight and constant forces are in the energy already, and damping only
// takes out.
static double outside_work(rvAncf* cable, const rvAncfRt* s, double* pull)
{
    double work = rv_ancf_rt_current_work(cable, s);
    return cable->motion ? work + rv_ancf_rt_hold_work(cable, s, pull) : work;
}

void rv_ancf_rt_keep_pull(rvAncf* cable, const rvAncfRt* s, const double* pull)
{
    for (int n = 0; cable->motion && n < cable->heldCount; n++)
        for (int i = 6 * cable->heldNodes[n]; i < 6 * cable->heldNodes[n] + 6; i++) {
            cable->pullMean[i] =
                ((1.0 - s->af) * pull[i] + s->af * cable->pull[i] - s->am * cable->pullMean[i]) / (1.0 - s->am);
            cable->pull[i] = pull[i];
        }
}

// Phi(x) = |x - q - h v|^2 in the mass/(2 h^2) + U(x)
static double phi_of(rvAncf* cable, double h, const double* x)
{
    double* y = cable->work[7];
    for (int i = 0; i < cable->dofCount; i++)
        y[i] = x[i] - cable->q[i] - h * cable->v[i];
    return rv_ancf_kinetic(cable, y) / (h * h) + rv_ancf_potential(cable, x);
}

// Implicit Euler with descent: it cannot raise the energy, whatever happens. Fills p, v1, a1, at1 and the stored
// tensions.
static bool fall_back(rvAncf* cable, rvAncfRt* s, double budget)
{
    rvPair* stored = cable->nextStored;
    double h = s->h, *x = cable->work[8], *trial = cable->work[9], *d = s->r;
    for (int i = 0; i < cable->dofCount; i++)
        s->p[i] = cable->q[i] + h * cable->v[i];
    rv_ancf_copy(cable, x, cable->q);
    if (cable->motion) {
        rv_ancf_set_held(cable, cable->aim, s->p);
        rv_ancf_set_held(cable, cable->aim, x);
    }
    double phi = phi_of(cable, h, x), other = phi_of(cable, h, s->p);
    if (other < phi) {
        rv_ancf_copy(cable, x, s->p);
        phi = other;
    }
    // minus the gradient and a positive matrix at x; tensions of x itself, what pulls only
    rv_ancf_linearise(cable, x, cable->v, &(rvAncfWish){.massFactor = 1.0, .positive = true}, d);
    memcpy(stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    rvAncfWish wish = {.massFactor = 1.0 / (h * h), .dampFactor = 1.0 / h, .stored = stored, .positive = true};
    rv_ancf_linearise(cable, x, cable->v, &wish, d);
    for (int i = 0; i < cable->dofCount; i++)
        trial[i] = x[i] - cable->q[i] - h * cable->v[i];
    rv_ancf_mass_product(cable, trial, s->product);
    for (int i = 0; i < cable->dofCount; i++)
        d[i] -= s->product[i] / (h * h);
    rv_ancf_take_out(cable, cable->slots);
    rv_ancf_factor(cable, cable->slots);
    rv_ancf_solve(cable, cable->slots, d);
    double share = 1.0;
    bool falls = false;
    for (int cut = 0; cut < 6 && !falls; cut++, share *= 0.5) {
        for (int i = 0; i < cable->dofCount; i++)
            trial[i] = x[i] + share * d[i];
        falls = phi_of(cable, h, trial) <= phi;
    }
    rv_ancf_copy(cable, s->p, falls ? trial : x);
    for (int i = 0; i < cable->dofCount; i++)
        s->v1[i] = (s->p[i] - cable->q[i]) / h;
    double kinetic = rv_ancf_kinetic(cable, s->v1), potential = rv_ancf_potential(cable, s->p);
    if (kinetic > 0.0 && kinetic + potential > budget) {
        double scale = sqrt(fmax(0.0, budget - potential) / kinetic);
        for (int i = 0; i < cable->dofCount; i++)
            s->v1[i] *= scale;
        if (cable->motion)
            rv_ancf_set_held(cable, cable->aimRate, s->v1);
    }
    for (int i = 0; i < cable->dofCount; i++)
        s->a1[i] = s->at1[i] = (s->v1[i] - cable->v[i]) / h;
    rv_ancf_linearise(cable, s->p, s->v1, &(rvAncfWish){.massFactor = 1.0, .positive = true}, d);
    memcpy(stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    cable->counts.fallbacks++;
    return rv_ancf_is_finite(cable, s->p) && rv_ancf_is_finite(cable, s->v1);
}

RV_ANCF_CLONED void rv_ancf_rt_predict_of(const rvAncfRt* s, int count, const double* q, const double* v,
                                          const double* at)
{
    double h = s->h, f = h * h * (0.5 - s->bet), *restrict p = s->p, *restrict qh = s->qh;
    for (int i = 0; i < count; i++) {
        double on = q[i] + h * v[i];
        p[i] = on;
        qh[i] = on + f * at[i];
    }
}

void rv_ancf_rt_predict(rvAncf* cable, const rvAncfRt* s)
{
    rv_ancf_rt_predict_of(s, cable->dofCount, cable->q, cable->v, cable->at);
    if (cable->hasWater)
        rv_ancf_water_begin(cable, cable->q);
    if (cable->motion) {
        rv_ancf_aim(cable, s->time + s->h);
        rv_ancf_set_held(cable, cable->aim, s->p);
    }
}

// The end of a step that was tried.
typedef struct {
    double scale, kinetic, energy, work;
    bool fits;    // the energy is within its budget
    bool settled; // the strain left out is small
    bool keeps;   // it loses little of the energy by itself
} Trial;

static void weigh(rvAncf* cable, const rvAncfRt* s, Trial* trial, double* pull)
{
    trial->work = outside_work(cable, s, pull);
    if (cable->hasWater)
        rv_ancf_water_update_before(cable, s->p);
    trial->kinetic = rv_ancf_kinetic(cable, s->v1);
    trial->energy = trial->kinetic + rv_ancf_potential(cable, s->p);
}

static Trial attempt(rvAncf* cable, rvAncfRt* s, double* pull)
{
    const double* state = cable->scalars;
    Trial trial = {
        .scale = fmax(fmax(state[RV_ANCF_FLOOR], state[RV_ANCF_KINETIC]), state[RV_ANCF_SCALE] * (1.0 - s->h / LEAK))};
    rv_ancf_rt_predict(cable, s);
    s->retries = RV_ANCF_RETRIES;
    bool again = true;
    for (int count = 1; again; count++) {
        trial.settled = pass(cable, s, REMAINDER * trial.scale) <= REMAINDER * trial.scale;
        again = s->stays || (!trial.settled && count < MAX_PASSES);
        if (again)
            continue;
        rv_ancf_rt_rates(cable, s);
        weigh(cable, s, &trial, pull);
        // what was above the budget before may stay, though the scale has fallen since; it may not grow
        double above = fmax(TOLERANCE * trial.scale, state[RV_ANCF_ENERGY] - state[RV_ANCF_BUDGET]);
        trial.fits = trial.energy <= state[RV_ANCF_BUDGET] + trial.work + above;
        trial.keeps = !cable->options.guarded || s->moves ||
                      trial.energy >= state[RV_ANCF_ENERGY] + trial.work - LOSS * trial.scale;
        again = !trial.fits && count == 1 && cable->options.guarded;
    }
    return trial;
}

static void keep(rvAncf* cable, const rvAncfRt* s, const Trial* trial, const double* pull)
{
    double* state = cable->scalars;
    double kinetic = trial->kinetic, energy = trial->energy;
    if (cable->hasWater && rv_ancf_water_enter(cable, s->p, s->v1)) {
        kinetic = rv_ancf_kinetic(cable, s->v1);
        energy += kinetic - trial->kinetic;
    }
    rv_ancf_rt_keep_pull(cable, s, pull);
    rv_ancf_rt_keep(cable, s);
    state[RV_ANCF_KINETIC] = kinetic;
    state[RV_ANCF_ENERGY] = energy;
    state[RV_ANCF_SCALE] = trial->scale;
    state[RV_ANCF_BUDGET] += trial->work + energy - trial->energy;
    if (energy < state[RV_ANCF_BUDGET])
        state[RV_ANCF_BUDGET] -= (state[RV_ANCF_BUDGET] - energy) * fmin(1.0, s->h / LEAK);
}

// A step that does not settle or does not fit is made in halves, as often as the options allow.
bool rv_ancf_rt_go(rvAncf* cable, double time, double h, int halvings)
{
    rvAncfRt s = rv_ancf_rt_of(cable, cable->options.rho, time, h);
    double* pull = cable->work[10];
    Trial trial = attempt(cable, &s, pull);
    if (halvings > 0 && !(trial.fits && trial.settled && trial.keeps)) {
        bool outermost = halvings == cable->options.halvings;
        if (outermost) // a half that fails must not leave the other half behind
            memcpy(cable->saved, cable->state, (size_t)cable->stateCount * sizeof(double));
        cable->counts.halvings++;
        bool good = rv_ancf_rt_go(cable, time, 0.5 * h, halvings - 1) &&
                    rv_ancf_rt_go(cable, time + 0.5 * h, 0.5 * h, halvings - 1);
        if (!good && outermost)
            memcpy(cable->state, cable->saved, (size_t)cable->stateCount * sizeof(double));
        return good;
    }
    if (cable->options.guarded && !trial.fits) {
        double work = isfinite(trial.work) ? trial.work : 0.0;
        if (!fall_back(cable, &s, cable->scalars[RV_ANCF_BUDGET] + work))
            return false;
        weigh(cable, &s, &trial, pull);
        trial.work = work;
    }
    if (!isfinite(trial.energy))
        return false;
    keep(cable, &s, &trial, pull);
    return true;
}

void rv_ancf_rt_soften_start(rvAncf* cable, rvAncfRt* s)
{
    if (!s->refines || cable->scalars[RV_ANCF_TIME] > 0.0)
        return;
    rv_ancf_copy(cable, s->p, cable->q);
    rv_ancf_copy(cable, s->v1, cable->v);
    if (cable->hasWater)
        rv_ancf_water_update(cable, s->p);
    rvAncfWish wish = {.massFactor = s->cM, .dampFactor = s->cV, .stored = s->stored, .positive = true};
    rv_ancf_linearise(cable, s->p, s->v1, &wish, s->r);
    rv_ancf_take_out(cable, cable->slots);
    rv_ancf_factor(cable, cable->slots);
    rv_ancf_rt_solve(cable, s, s->r);
    for (int i = 0; i < cable->dofCount; i++)
        cable->a[i] = cable->at[i] = s->cM * s->r[i];
    if (cable->motion) {
        rv_ancf_aim(cable, s->time);
        rv_ancf_set_held(cable, cable->aimAccel, cable->a);
        rv_ancf_set_held(cable, cable->aimAccel, cable->at);
    }
}
