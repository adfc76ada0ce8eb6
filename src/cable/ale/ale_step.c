// SPDX-License-Identifier: MIT
// Steps of a cable of falls. Nodes and flows are one set of coordinates: the same rules for both, in one solve.
//
// rt: generalised-alpha, linearised at q + h v with stored tensions (see ancf_rt.c), the remainder rule with
//   w = B d - (dr/dlambda) dg/g  for what a pass moves g r'. The inertia of what flows depends on velocities; it is
//   taken at v + h a in the first pass (second order), at the last pass's in those after it, and does not enter the
//   matrix: so that stays symmetric.
// All others: reference/ale_march.c.
#include "cable/ale/ale_parts.h"

static const double REMAINDER = 1e-5, FAR = 0.3;

static rvAncfRt flow_rt(const rvAle* ale, const rvAncfRt* like)
{
    rvAncfRt s = *like;
    double** vectors[] = {&s.qh, &s.p, &s.r, &s.product, &s.v1, &s.a1, &s.at1};
    for (int i = 0; i < 7; i++)
        *vectors[i] = ale->flowWork[i];
    return s;
}

// A share of the motion that nodes of a fall are expected to make.
static void move_in_part(rvAleFall* fall, double share)
{
    for (int i = 0; i < fall->ancf->dofCount; i++)
        if (!(fall->ancf->held[i / 6] >> i % 6 & 1))
            fall->rt.p[i] = fall->ancf->q[i] + share * (fall->rt.p[i] - fall->ancf->q[i]);
}

static double chord_of(const rvAleFall* fall)
{
    const double *a = fall->rt.p, *b = a + 6 * rv_ale_end_node(fall, RV_ALE_END);
    return rvLength(rvVec(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
}

// Where a fall would go on to less rope than its stop leaves, or to a third of it, what moves it is made in part: the
// equations are linear about a fall that is there. A short fall is expected not to be pressed either: an element that
// is goes through itself.
static void expect_rope(rvAle* ale, int f)
{
    static const double THIRD = 0.3, PRESSED = 0.9;
    rvAleFall* fall = &ale->falls[f];
    const double* old = ale->flow[RV_ALE_P];
    double *now = ale->rt.p, before = rv_ale_end_of(ale, old, f) - rv_ale_begin_of(ale, old, f);
    double after = rv_ale_end_of(ale, now, f) - rv_ale_begin_of(ale, now, f);
    double least = fall->least > 0.0 ? fmin(fall->least, before) : THIRD * before;
    if (after < least) {
        double share = (before - least) / (before - after);
        for (int j = f; j <= f + 1; j++)
            if (!ale->flowHeld[j])
                now[j] = old[j] + share * (now[j] - old[j]);
        move_in_part(fall, share);
    }
    after = rv_ale_end_of(ale, now, f) - rv_ale_begin_of(ale, now, f);
    for (int i = 0; i < 5 && fall->least > 0.0 && chord_of(fall) < PRESSED * after; i++)
        move_in_part(fall, i < 4 ? 0.5 : 0.0);
}

void rv_ale_begin(rvAle* ale, double rho, double h)
{
    for (int f = 0; f < ale->fallCount; f++) {
        ale->falls[f].rt = rv_ancf_rt_of(ale->falls[f].ancf, rho, ale->time, h);
        rv_ancf_rt_predict(ale->falls[f].ancf, &ale->falls[f].rt);
    }
    ale->rt = flow_rt(ale, &ale->falls[0].rt);
    int places = ale->placeCount;
    rv_ancf_rt_predict_of(&ale->rt, 2 * places, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ALGO]);
    for (int j = 0; j < places; j++) {
        if (ale->flowHeld[j])
            ale->rt.p[j] = ale->flow[RV_ALE_P][j] + h * ale->flowRate[j];
        ale->rt.p[places + j] = ale->arcAim[j];
    }
    for (int f = 0; f < ale->fallCount; f++)
        expect_rope(ale, f);
    ale->first = true;
    ale->retries = RV_ANCF_RETRIES;
    ale->stays = false;
}

static void rates(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        rv_ancf_rt_rates(ale->falls[f].ancf, &ale->falls[f].rt);
    rv_ancf_rt_rates_of(&ale->rt, 2 * ale->placeCount, ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL],
                        ale->flow[RV_ALE_ALGO]);
}

// v + h a of what is not held, else the rate that its place tells
static void expect(double h, int count, const double* restrict v, const double* restrict at, double* restrict out)
{
    for (int i = 0; i < count; i++)
        out[i] = v[i] + h * at[i];
}

// Of an iteration towards rest: what the motion so far takes of the mass.
static void rest_pass(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAncfRt* s = &ale->falls[f].rt;
        for (int i = 0; i < ale->falls[f].ancf->dofCount; i++)
            s->a1[i] = s->cM * (s->p[i] - ale->falls[f].ancf->q[i]);
    }
    for (int j = 0; j < ale->placeCount; j++)
        ale->rt.a1[j] = ale->rt.cM * (ale->rt.p[j] - ale->flow[RV_ALE_P][j]);
    rv_ale_rest_factor(ale, ale->rt.cM);
    rv_ale_solve(ale);
}

// The equations of all falls at the motion so far, factored; damped: rates of the flows by that motion.
static void linearise(rvAle* ale, const double* damped, bool weightless)
{
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        const rvAncfRt* s = &fall->rt;
        double* v = s->v1;
        if (ale->first) {
            v = cable->work[7];
            expect(s->h, cable->dofCount, cable->v, cable->at, v);
            rv_ancf_set_held(cable, s->v1, v); // what of a node is not held is expected as all else
        }
        rvAleWish wish = {.massFactor = s->cM, .dampFactor = s->cV, .stored = s->stored, .weightless = weightless};
        rvAleState at = {.q = s->p, .v = v, .vd = s->v1, .a = s->a1, .pd = damped};
        // what is rounded does not hang on it: the column of p_a alone would be summed otherwise
        wish.stays[0] = rv_ale_is_unasked(ale, f, RV_ALE_BEGIN);
        wish.stays[1] = wish.stays[0] && rv_ale_is_unasked(ale, f, RV_ALE_END);
        rv_ale_residual(ale, f, &at, &wish, s->r);
    }
    rv_ale_finish_flows(ale, ale->rt.cM, true);
    rv_ale_factor_flows(ale);
}

void rv_ale_pass(rvAle* ale)
{
    if (ale->rt.atRest) {
        rest_pass(ale);
        return;
    }
    rates(ale);
    double* damped = ale->flowWork[7]; // rates of the flows by the motion so far, as vd has those of the nodes
    memcpy(damped, ale->rt.v1, 2 * (size_t)ale->placeCount * sizeof(double));
    if (ale->first)
        for (int j = 0; j < ale->placeCount; j++)
            if (!ale->flowHeld[j])
                ale->rt.v1[j] = ale->flow[RV_ALE_RATE][j] + ale->rt.h * ale->flow[RV_ALE_ALGO][j];
    linearise(ale, damped, false);
    if (!rv_ale_flows_are_firm(ale))
        linearise(ale, damped, true);
    rv_ale_solve(ale);
    ale->first = false;
    ale->counts.passes++;
}

// How much of the motion a pass makes where another one may follow: as far as slopes turn by no more than FAR of
// themselves.
static double share_of(const rvAle* ale)
{
    double most = 0.0;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        double per = 1.0 / fall->ancf->restSquare, growth = (fall->dp[1] - fall->dp[0]) / fall->mesh;
        for (int i = 3; i < fall->ancf->dofCount; i += 6) {
            double turn = per * rv_ancf_dot3(fall->rt.r + i, fall->rt.r + i);
            most = turn > most ? turn : most;
        }
        most = fmax(most, per * growth * growth);
    }
    return most > FAR * FAR ? FAR / sqrt(most) : 1.0;
}

// Tensions after the motion, and the energy that it left out. sqrt(g^2): of r' where it was linearised.
static rvAncfLeft take_tensions(const rvAleFall* fall)
{
    const rvAncf* cable = fall->ancf;
    double growth = (fall->dp[1] - fall->dp[0]) / fall->mesh / sqrt(cable->restSquare);
    return rv_ancf_take_tensions(cable, fall->rt.r, fall->rt.cV, growth, cable->nextStored);
}

// Of a motion that is made in part.
static void take_part(const rvAncf* cable, double part)
{
    for (int k = 0; k < cable->slotCount; k++)
        for (int g = 0; g < RV_ANCF_STORED; g++) {
            rvPair* next = &cable->nextStored[RV_ANCF_STORED * k + g];
            *next = cable->tensions[k][g] + part * (*next - cable->tensions[k][g]);
        }
}

static void move_on(rvAle* ale, double part)
{
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        for (int i = 0; i < fall->ancf->dofCount; i++)
            fall->rt.p[i] += part * fall->rt.r[i];
    }
    for (int j = 0; j < ale->placeCount; j++)
        ale->rt.p[j] += part * ale->flowForce[ale->before[j]];
}

// The largest pull by which the falls were linearised; `kept`: that of the step before.
static double largest_pull(const rvAle* ale, bool kept)
{
    double most = 0.0;
    for (int f = 0; f < ale->fallCount; f++)
        most = fmax(most, rv_ancf_largest_pull(ale->falls[f].ancf,
                                               kept ? ale->falls[f].ancf->stored : ale->falls[f].rt.stored));
    return most;
}

double rv_ale_take(rvAle* ale)
{
    bool first = ale->falls[0].rt.stored == ale->falls[0].ancf->stored; // else it is written over
    bool fresh = first || ale->retries == 0;
    double left = 0.0, missed = 0.0, part = ale->rt.atRest ? 1.0 : share_of(ale);
    double used = fresh ? 0.0 : largest_pull(ale, false);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncfLeft of = take_tensions(&ale->falls[f]);
        left += of.strain;
        missed += of.missed;
        ale->falls[f].rt.stored = ale->falls[f].ancf->nextStored;
    }
    for (int f = 0; f < ale->fallCount && left > REMAINDER * rv_ale_scale(ale); f++)
        rv_ancf_keep_straight(ale->falls[f].ancf, ale->falls[f].ancf->nextStored);
    left += missed;
    // what comes taut is stiff across itself by a tension that is known only now: it stays where it is for another pass
    ale->stays = !ale->rt.atRest && ale->retries > 0 && left > REMAINDER * rv_ale_scale(ale);
    if (ale->stays)
        ale->stays = largest_pull(ale, false) > 2.0 * (first ? largest_pull(ale, true) : used);
    if (ale->stays) {
        ale->retries--;
        ale->owed = 1.0;
        return left;
    }
    if (part < 1.0)
        for (int f = 0; f < ale->fallCount; f++)
            take_part(ale->falls[f].ancf, part);
    move_on(ale, part);
    ale->owed = 1.0 - part;
    if (!ale->rt.atRest)
        rates(ale);
    return left;
}

double rv_ale_scale(const rvAle* ale)
{
    return fmax(*ale->floor, *ale->kinetic);
}

// A scale only: that of the mesh, and of the rope as fast as it flows at the faster end.
static double kinetic_of(const rvAle* ale)
{
    double sum = 0.0;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        rvAleFlow flow = rv_ale_flow_of(ale, f, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
        double fast = fmax(fabs(flow.rate[0]), fabs(flow.rate[1]));
        sum += flow.g * (rv_ancf_kinetic(cable, cable->v) + 0.5 * cable->totalMass * fast * fast);
    }
    return sum;
}

bool rv_ale_falls_are_sound(rvAle* ale, const double* flows)
{
    bool good = true;
    ale->ranOut = -1;
    for (int f = 0; f < ale->fallCount; f++) {
        double length = rv_ale_end_of(ale, flows, f) - rv_ale_begin_of(ale, flows, f);
        if (length <= RV_ALE_SHORTEST * ale->falls[f].mesh)
            ale->ranOut = f;
        good = good && length > RV_ALE_SHORTEST * ale->falls[f].mesh;
    }
    return good;
}

int rv_ale_ran_out(const rvAle* ale)
{
    return ale->ranOut;
}

// A fall between two places that would lose half of its rope or more within a step keeps it: the flow stops there until
// the next one, unless a stop sees to it. (Slack rope that is flung.) Rope with a free end may run off.
static void keep_rope(rvAle* ale, int f)
{
    const rvAleFall* fall = &ale->falls[f];
    const double *old = ale->flow[RV_ALE_P], *now = ale->rt.p;
    for (int end = 0; end < 2; end++)
        if (!fall->gripped[end] && !fall->ancf->held[rv_ale_end_node(fall, end)])
            return;
    double before = rv_ale_end_of(ale, old, f) - rv_ale_begin_of(ale, old, f);
    double after = rv_ale_end_of(ale, now, f) - rv_ale_begin_of(ale, now, f);
    if (after > 0.5 * before && after > 2.0 * RV_ALE_SHORTEST * fall->mesh)
        return;
    if (fall->least > 0.0 && after > 0.9 * fall->least)
        return;
    for (int j = f; j <= f + 1; j++)
        if (!ale->flowHeld[j]) {
            ale->rt.p[j] = old[j];
            ale->rt.v1[j] = ale->rt.a1[j] = ale->rt.at1[j] = 0.0;
        }
}

// Ends that bodies move are held for a while; those that are held already stay so.
typedef bool Held[RV_ALE_MAX_FALLS][2];

static void hold_moved_ends(rvAle* ale, Held held)
{
    rvError ignored = {0};
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++) {
            const rvAleFall* fall = &ale->falls[f];
            held[f][end] = fall->gripped[end] && !fall->ancf->held[rv_ale_end_node(fall, end)];
            if (held[f][end])
                rv_ale_hold(ale, f, end, RV_ANCF_PIN, &ignored);
        }
}

static void let_moved_ends_go(rvAle* ale, Held held)
{
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++)
            if (held[f][end])
                rv_ale_let_go(ale, f, end);
}

// Rope that came into the water takes it along: rates change by the blows in rt.product, those of its ends and flows
// stay.
static void enter_water(rvAle* ale)
{
    Held held = {{false}};
    bool flows[RV_ALE_MAX_FALLS + 1];
    hold_moved_ends(ale, held);
    memcpy(flows, ale->flowHeld, (size_t)ale->placeCount * sizeof(bool));
    for (int j = 0; j < ale->placeCount; j++)
        ale->flowHeld[j] = true;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        rvAleState at = {.q = cable->q, .v = cable->v, .vd = cable->v, .a = cable->a};
        rv_ale_residual(ale, f, &at, &(rvAleWish){.massFactor = 1.0, .massOnly = true}, fall->rt.r);
        rv_ancf_copy(cable, fall->rt.r, fall->rt.product);
    }
    rv_ale_finish_flows(ale, 1.0, true); // falls by themselves
    for (int f = 0; f < ale->fallCount; f++)
        for (int i = 0; i < ale->falls[f].ancf->dofCount; i++)
            ale->falls[f].ancf->v[i] += ale->falls[f].rt.r[i];
    memcpy(ale->flowHeld, flows, (size_t)ale->placeCount * sizeof(bool));
    let_moved_ends_go(ale, held);
}

// No pass came after one that was made in part: rope and ends that are held stay where they are, bodies have theirs.
void rv_ale_give_ends(rvAle* ale)
{
    if (!(ale->owed > 0.0))
        return;
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++) {
            const rvAleFall* fall = &ale->falls[f];
            int node = 6 * rv_ale_end_node(fall, end);
            for (int i = node; fall->gripped[end] && i < node + 3; i++)
                fall->rt.p[i] += ale->owed * fall->rt.r[i];
        }
    ale->owed = 0.0;
    rates(ale);
}

bool rv_ale_finish(rvAle* ale)
{
    rv_ale_give_ends(ale);
    for (int f = 0; f < ale->fallCount; f++)
        keep_rope(ale, f);
    bool good = rv_ale_falls_are_sound(ale, ale->rt.p);
    for (int f = 0; good && f < ale->fallCount; f++)
        good = rv_ancf_is_sound(ale->falls[f].ancf, ale->falls[f].rt.p, ale->falls[f].rt.v1);
    if (!good)
        return false;
    bool enters = false;
    for (int f = 0; ale->water.on && ale->water.takenAlong && f < ale->fallCount; f++)
        enters = rv_ale_water_blow(ale, f, ale->falls[f].rt.product) || enters;
    for (int f = 0; f < ale->fallCount; f++)
        rv_ancf_rt_keep(ale->falls[f].ancf, &ale->falls[f].rt);
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    memcpy(ale->flow[RV_ALE_P], ale->rt.p, size);
    memcpy(ale->flow[RV_ALE_RATE], ale->rt.v1, size);
    memcpy(ale->flow[RV_ALE_ACCEL], ale->rt.a1, size);
    memcpy(ale->flow[RV_ALE_ALGO], ale->rt.at1, size);
    if (enters)
        enter_water(ale);
    *ale->kinetic = kinetic_of(ale);
    ale->time += ale->rt.h;
    ale->counts.steps++;
    return true;
}

static bool finite_motion(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        if (!rv_ancf_is_finite(ale->falls[f].ancf, ale->falls[f].rt.r))
            return false;
    for (int j = 0; j < ale->placeCount; j++)
        if (!isfinite(ale->flowForce[j]))
            return false;
    return true;
}

// ---- start

static rvStatus check(const rvAle* ale, rvError* error)
{
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++) {
            const rvAleFall* fall = &ale->falls[f];
            bool place = (fall->ancf->held[rv_ale_end_node(fall, end)] & RV_ANCF_PIN) == RV_ANCF_PIN;
            if (!place && !ale->flowHeld[f + end])
                return rv_fail(error, RV_BAD_INPUT,
                               "place %d: neither the end of fall %d nor the rope is held there; expected one of them",
                               f + end, f);
        }
    return RV_OK;
}

// M a = forces, at the state as it is.
void rv_ale_accelerate(rvAle* ale)
{
    int places = ale->placeCount;
    rvAncfRt none = {.h = 1.0};
    ale->rt = flow_rt(ale, &none);
    memcpy(ale->rt.p, ale->flow[RV_ALE_P], 2 * (size_t)places * sizeof(double));
    memcpy(ale->rt.v1, ale->flow[RV_ALE_RATE], 2 * (size_t)places * sizeof(double));
    memset(ale->rt.a1, 0, 2 * (size_t)places * sizeof(double));
    rvAleWish wish = {.massFactor = 1.0, .massOnly = true};
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        fall->rt = rv_ancf_rt_of(cable, 0.5, ale->time, 1.0);
        rv_ancf_copy(cable, fall->rt.p, cable->q);
        memset(fall->rt.a1, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        rvAleState at = {.q = cable->q, .v = cable->v, .vd = cable->v, .a = fall->rt.a1};
        rv_ale_residual(ale, f, &at, &wish, fall->rt.r);
        memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    }
    rv_ale_finish_flows(ale, 1.0, true);
    rv_ale_factor_flows(ale);
    rv_ale_solve(ale);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        rv_ancf_copy(cable, cable->a, ale->falls[f].rt.r);
        rv_ancf_copy(cable, cable->at, cable->a);
        rv_ancf_copy(cable, cable->qOld, cable->q);
        rv_ancf_copy(cable, cable->vOld, cable->v);
    }
    memcpy(ale->flow[RV_ALE_ACCEL], ale->flowForce, (size_t)places * sizeof(double));
    memcpy(ale->flow[RV_ALE_ALGO], ale->flowForce, (size_t)places * sizeof(double));
}

// rt.r and flowForce = - H times `change` of a flow, and the factor of H.
static void push_flow(rvAle* ale, int place, double change, double h)
{
    double mass = 1.0 / (h * h);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAleState at = {.q = fall->rt.p, .v = fall->rt.v1, .vd = fall->rt.v1, .a = fall->rt.a1};
        rvAleWish wish = {.massFactor = mass, .dampFactor = 1.0 / h, .stored = fall->ancf->stored, .bars = true};
        rv_ale_residual(ale, f, &at, &wish, fall->rt.r);
        for (int i = 0; i < fall->ancf->dofCount; i++)
            fall->rt.r[i] = (f == place ? -change * fall->border.column[0][i] : 0.0) -
                            (f + 1 == place ? change * fall->border.column[1][i] : 0.0);
    }
    rv_ale_finish_flows(ale, mass, true);
    memset(ale->flowForce, 0, (size_t)ale->placeCount * sizeof(double));
    if (place < ale->fallCount)
        ale->flowForce[place + 1] = -change * ale->falls[place].border.corner[1];
    if (place > 0)
        ale->flowForce[place - 1] = -change * ale->falls[place - 1].border.corner[1];
    rv_ale_factor_flows(ale);
}

// Ends that bodies hold keep their speed while something jumps.
static void hold_gripped(rvAle* ale, bool hold)
{
    rvError ignored = {0};
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++) {
            if (!ale->falls[f].gripped[end])
                continue;
            if (hold)
                rv_ale_hold(ale, f, end, RV_ANCF_PIN, &ignored);
            else
                rv_ale_let_go(ale, f, end);
        }
}

// Forces of a jump become changes of the rates. Rope that is pressed along itself gives way across, by any speed as it
// is straight: nodes get no more energy than all of it would have with the speed of the jump.
static void take_jump(rvAle* ale, double speed)
{
    rv_ale_solve(ale);
    double energy = 0.0, most = 0.0;
    for (int f = 0; f < ale->fallCount; f++) {
        energy += rv_ancf_kinetic(ale->falls[f].ancf, ale->falls[f].rt.r);
        most += 0.5 * ale->falls[f].ancf->totalMass * speed * speed;
    }
    double share = energy > most ? sqrt(most / energy) : 1.0;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++)
            cable->v[i] += share * ale->falls[f].rt.r[i];
    }
    for (int j = 0; j < ale->placeCount; j++)
        ale->flow[RV_ALE_RATE][j] += share * ale->flowForce[j];
}

void rv_ale_jump(rvAle* ale, int place, double change, double h)
{
    bool held = ale->flowHeld[place];
    hold_gripped(ale, true);
    ale->flowHeld[place] = true;
    rv_ale_lay_out(ale, 1.0);
    push_flow(ale, place, change, h);
    take_jump(ale, change);
    ale->flow[RV_ALE_RATE][place] += change;
    ale->flowHeld[place] = held;
    hold_gripped(ale, false);
}

// What a fall gets of an end that jumps: - H times that, of its coordinates into rt.product. By the matrix that is
// solved with, not by how forces change: strains within an element that bends, many times its tension, are none of its
// forces.
static void push_end(rvAle* ale, int f, int end, const double change[3], double h, double onFlow[2])
{
    rvAleFall* fall = &ale->falls[f];
    const rvAncf* cable = fall->ancf;
    double* jump = fall->rt.at1;
    int node = 6 * rv_ale_end_node(fall, end);
    rvAleState at = {.q = fall->rt.p, .v = fall->rt.v1, .vd = fall->rt.v1, .a = fall->rt.a1};
    rvAleWish wish = {
        .massFactor = 1.0 / (h * h), .dampFactor = 1.0 / h, .stored = cable->stored, .unfactored = true, .bars = true};
    rv_ale_residual(ale, f, &at, &wish, fall->rt.r);
    memset(jump, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int c = 0; c < 3; c++)
        jump[node + c] = -change[c];
    rv_ancf_slot_product(cable, cable->slots, jump, fall->rt.product);
    for (int i = 0; i < 2; i++)
        onFlow[i] = rv_ancf_dot(cable, fall->border.column[i], jump);
}

void rv_ale_jump_end(rvAle* ale, int f, int end, const double change[3], double h)
{
    double onFlow[2], *v = ale->falls[f].ancf->v + 6 * rv_ale_end_node(&ale->falls[f], end);
    hold_gripped(ale, true);
    rv_ale_lay_out(ale, 1.0);
    push_end(ale, f, end, change, h, onFlow);
    for (int i = 0; i < ale->fallCount; i++) {
        rvAleFall* fall = &ale->falls[i];
        rvAleState at = {.q = fall->rt.p, .v = fall->rt.v1, .vd = fall->rt.v1, .a = fall->rt.a1};
        rvAleWish wish = {
            .massFactor = 1.0 / (h * h), .dampFactor = 1.0 / h, .stored = fall->ancf->stored, .bars = true};
        rv_ale_residual(ale, i, &at, &wish, fall->rt.r);
        memset(fall->rt.r, 0, (size_t)(fall->ancf->dofCount + 6) * sizeof(double));
        if (i == f)
            rv_ancf_copy(fall->ancf, fall->rt.r, fall->rt.product);
    }
    rv_ale_finish_flows(ale, 1.0 / (h * h), true);
    memset(ale->flowForce, 0, (size_t)ale->placeCount * sizeof(double));
    for (int i = 0; i < 2; i++)
        ale->flowForce[f + i] = onFlow[i];
    rv_ale_factor_flows(ale);
    take_jump(ale, sqrt(rv_ancf_dot3(change, change)));
    for (int c = 0; c < 3; c++)
        v[c] += change[c];
    hold_gripped(ale, false);
}

rvStatus rv_ale_initialise(rvAle* ale, const rvAncfOptions* options, rvError* error)
{
    rvStatus status = check(ale, error);
    if (status)
        return status;
    ale->options = *options;
    ale->counts = (rvAncfCounts){0};
    ale->time = 0.0;
    ale->ranOut = -1;
    for (int j = 0; j < ale->placeCount; j++)
        if (ale->flowHeld[j])
            ale->flow[RV_ALE_RATE][j] = ale->flowRate[j];
    rv_ale_accelerate(ale);
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    memcpy(ale->flow[RV_ALE_OLD], ale->flow[RV_ALE_P], size);
    memcpy(ale->flow[RV_ALE_OLD_RATE], ale->flow[RV_ALE_RATE], size);
    if (!finite_motion(ale))
        return rv_fail(error, RV_BAD_INPUT, "the accelerations of the start are not finite");
    rvAncfEnergy energy = rv_ale_energy(ale);
    double length = ale->flow[RV_ALE_P][ale->placeCount - 1] - ale->flow[RV_ALE_P][0];
    *ale->kinetic = energy.kinetic;
    *ale->floor =
        0.01 * (rv_ale_mass(ale) * rvLength(ale->gravity) * length + energy.kinetic + energy.stretch + energy.bend);
    return RV_OK;
}
