// SPDX-License-Identifier: MIT
// A cable of falls as a system of march.h: one vector has the nodes of all falls, each with its dummy, then places and
// arcs.
//
// The mass depends on the shape and on how much rope is in a fall: it is assembled and factored anew wherever it is
// used. The matrix of Newton is that of the other methods, symmetric: how the inertia of what flows changes with rates
// and shape is not in it. That is h f/l of what is, f the speed of the flow, l an element's length: by so much a pass
// comes nearer, and the step is cut where that does not do.
#include "reference/parts.h"

// Vectors of the room; terms of the Taylor series follow them.
// STATE: q, v, a and the algorithmic a.
enum { STATE, WORK = STATE + 4, STILL = WORK + RV_MARCH_VECTORS, MODE, VECTORS };
enum { FIRST_LOOK = 60, NEXT_LOOK = 12 }; // steps of power iteration

static int count_of(const rvAle* ale)
{
    int count = 2 * ale->placeCount;
    for (int f = 0; f < ale->fallCount; f++)
        count += ale->falls[f].ancf->dofCount + 6;
    return count;
}

static int room_of(const rvAle* ale)
{
    int count = 2 * (ale->fallRoom + 1);
    for (int f = 0; f < ale->fallRoom; f++)
        count += 6 * (ale->falls[f].room + 2);
    return count;
}

static double* vector_of(const rvAle* ale, int i)
{
    return (double*)ale->march + (size_t)i * (size_t)room_of(ale);
}

double* rv_ale_march_flows(const rvMarch* s, const double* x)
{
    const rvAle* ale = s->of;
    return (double*)x + s->count - 2 * ale->placeCount;
}

// ---- the equations

static void equations(rvMarch* s, const double* q, const double* v, const double* a, const rvAleWish* wish, double* r)
{
    rvAle* ale = s->of;
    const double* accel = a ? a : vector_of(ale, STILL);
    int places = ale->placeCount, at = 0;
    ale->rt =
        (rvAncfRt){.p = rv_ale_march_flows(s, q), .v1 = rv_ale_march_flows(s, v), .a1 = rv_ale_march_flows(s, accel)};
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        const rvAncf* cable = fall->ancf;
        fall->rt.p = (double*)q + at;
        fall->rt.r = cable->work[0]; // solved beside the columns: of no use here
        rv_ale_residual(ale, f, &(rvAleState){.q = q + at, .v = v + at, .vd = v + at, .a = accel + at}, wish, r + at);
        for (int n = 0; n < cable->heldCount; n++)
            for (int node = cable->heldNodes[n], dof = 0; dof < 6; dof++)
                if (cable->held[node] >> dof & 1)
                    r[at + 6 * node + dof] = 0.0;
        memset(r + at + cable->dofCount, 0, 6 * sizeof(double));
        at += cable->dofCount + 6;
    }
    rv_ale_finish_flows(ale, wish ? wish->massFactor : 0.0, wish != NULL);
    for (int j = 0; j < places; j++)
        r[at + j] = ale->flowHeld[j] ? 0.0 : ale->flowForce[j];
    memset(r + at + places, 0, (size_t)places * sizeof(double));
    if (wish)
        rv_ale_factor_flows(ale);
}

static void residual(rvMarch* s, const double* q, const double* v, const double* a, double massFactor,
                     double dampFactor, double* r)
{
    rvAleWish wish = {.massFactor = massFactor, .dampFactor = dampFactor};
    equations(s, q, v, a, massFactor > 0.0 ? &wish : NULL, r);
}

static void solve(rvMarch* s, double* x)
{
    rvAle* ale = s->of;
    double* flows = rv_ale_march_flows(s, x);
    size_t size = (size_t)ale->placeCount * sizeof(double);
    int at = 0;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        const rvAncf* cable = fall->ancf;
        fall->rt.r = x + at;
        rv_ancf_solve(cable, cable->slots, x + at);
        at += cable->dofCount + 6;
    }
    memcpy(ale->flowForce, flows, size);
    rv_ale_solve(ale);
    memcpy(flows, ale->flowForce, size);
    memset(flows + ale->placeCount, 0, size);
}

static const rvAleWish MASS = {.massFactor = 1.0, .massOnly = true};

static void accelerate(rvMarch* s, const double* q, const double* v, double* a)
{
    equations(s, q, v, NULL, &MASS, a);
    solve(s, a);
}

static void mass_solve(rvMarch* s, const double* q, double* x)
{
    if (q)
        equations(s, q, s->v, NULL, &MASS, s->work[RV_MARCH_VECTORS - 1]);
    solve(s, x);
}

// What is held goes on at its rate by itself.
static void aim(rvMarch* s, double time, double* q, double* v)
{
    (void)s, (void)time, (void)q, (void)v;
}

static double measure(const rvMarch* s, const double* r)
{
    const rvAle* ale = s->of;
    double sum = 0.0, mass = ale->mass * (ale->flow[RV_ALE_P][ale->fallCount] - ale->flow[RV_ALE_P][0]);
    int at = 0;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++)
            sum += r[at + i] * r[at + i] / cable->mass[i / 6].node[i % 6 < 3 ? 0 : 2];
        at += cable->dofCount + 6;
    }
    for (int j = 0; j < ale->placeCount; j++)
        sum += r[at + j] * r[at + j] * ale->placeCount / mass;
    return sum;
}

static bool is_sound(rvMarch* s, const double* q)
{
    return rv_ale_falls_are_sound(s->of, rv_ale_march_flows(s, q));
}

static void expand(rvMarch* s, double* terms)
{
    rv_ale_expand(s, vector_of(s->of, VECTORS + RV_MARCH_ORDER + 1), terms);
}

static const rvMarchOps OPS = {.residual = residual,
                               .solve = solve,
                               .massSolve = mass_solve,
                               .accelerate = accelerate,
                               .aim = aim,
                               .measure = measure,
                               .isSound = is_sound,
                               .expand = expand};

// ---- the step

rvStatus rv_ale_march_start(rvAle* ale, rvError* error)
{
    bool taylor = ale->options.method == RV_ANCF_TAYLOR;
    size_t count = VECTORS + (taylor ? RV_MARCH_ORDER + 1 : 0);
    size_t size = count * (size_t)room_of(ale) * sizeof(double) + (taylor ? rv_ale_series_size(ale) : 0);
    rv_memory_give(ale->memory, ale->march, ale->marchSize);
    ale->marchSize = size;
    ale->marchTrial = 0.0;
    ale->marchCount = 0;
    ale->march = rv_memory_take(ale->memory, size);
    if (!ale->march)
        return rv_fail(error, RV_NO_MEMORY, "no memory for the steps of %d falls", ale->fallCount);
    memset(ale->march, 0, size);
    return RV_OK;
}

// The state between the falls' and flows' own room and that of the step.
static void copy_state(rvAle* ale, const rvMarch* s, bool back)
{
    double* const all[] = {s->q, s->v, s->a, s->algo};
    for (int i = 0; i < 4; i++) {
        static const int flows[] = {RV_ALE_P, RV_ALE_RATE, RV_ALE_ACCEL, RV_ALE_ALGO};
        int at = 0;
        for (int f = 0; f <= ale->fallCount; f++) {
            const rvAncf* cable = f < ale->fallCount ? ale->falls[f].ancf : NULL;
            double* own = ale->flow[flows[i]];
            if (cable)
                own = (double*[]){cable->q, cable->v, cable->a, cable->at}[i];
            int count = cable ? cable->dofCount : 2 * ale->placeCount;
            memcpy(back ? own : all[i] + at, back ? all[i] + at : own, (size_t)count * sizeof(double));
            if (cable && !back)
                memset(all[i] + at + count, 0, 6 * sizeof(double));
            at += count + 6;
        }
    }
}

rvMarch rv_ale_march_of(rvAle* ale)
{
    rvMarch s = {.ops = &OPS,
                 .of = ale,
                 .count = count_of(ale),
                 .time = ale->time,
                 .options = &ale->options,
                 .counts = &ale->counts,
                 .trial = &ale->marchTrial};
    double** vectors[4] = {&s.q, &s.v, &s.a, &s.algo};
    for (int i = 0; i < 4; i++)
        *vectors[i] = vector_of(ale, STATE + i);
    for (int i = 0; i < RV_MARCH_VECTORS; i++)
        s.work[i] = vector_of(ale, WORK + i);
    s.free = s.count - 6 * ale->fallCount - ale->placeCount;
    if (ale->options.method == RV_ANCF_TAYLOR)
        s.terms = vector_of(ale, VECTORS);
    copy_state(ale, &s, false);
    double* rest[] = {s.v, s.a, s.algo};
    for (int j = 0; j < 2 * ale->placeCount; j++)
        for (int i = 0; i < 3; i++)
            if (j >= ale->placeCount || ale->flowHeld[j])
                rv_ale_march_flows(&s, rest[i])[j] = i == 0 && j < ale->placeCount ? ale->flowRate[j] : 0.0;
    return s;
}

// In which no fall loses or gains much of its rope.
static double calm_time(const rvMarch* s)
{
    static const double SHARE = 0.1;
    const rvAle* ale = s->of;
    const double *p = rv_ale_march_flows(s, s->q), *rate = rv_ale_march_flows(s, s->v);
    double most = 1e-9;
    for (int f = 0; f < ale->fallCount; f++) {
        double length = rv_ale_end_of(ale, p, f) - rv_ale_begin_of(ale, p, f);
        most = fmax(most, fabs(rv_ale_end_of(ale, rate, f) - rv_ale_begin_of(ale, rate, f)) / length);
    }
    return SHARE / most;
}

// Rope that leaves a fall makes its elements shorter: the critical step changes as it runs.
static bool go_explicitly(const rvAle* ale, rvMarch* s, double h, bool fresh)
{
    double left = h;
    bool good = true;
    while (good && left > 0.0) {
        double calm = calm_time(s), part = calm < 0.999 * left ? calm : left;
        s->highest = rv_march_highest(s, vector_of(ale, MODE), fresh, fresh ? FIRST_LOOK : NEXT_LOOK);
        good = s->options->method == RV_ANCF_VERLET ? rv_march_verlet(s, part) : rv_march_taylor(s, part);
        s->time += part;
        left -= part;
        fresh = false;
    }
    return good;
}

// Elements have come or gone.
static void begin_anew(rvMarch* s)
{
    accelerate(s, s->q, s->v, s->a);
    memcpy(s->algo, s->a, (size_t)s->count * sizeof(double));
}

// They work on the state where it is: to copy it took a tenth of their time.
static bool step_paper(rvAle* ale, double h, bool fresh)
{
    if (fresh) {
        rvMarch s = rv_ale_march_of(ale);
        begin_anew(&s);
        copy_state(ale, &s, true);
    }
    return rv_ale_step_paper(ale, h);
}

static bool step_others(rvAle* ale, double h, bool fresh)
{
    rvMarch s = rv_ale_march_of(ale);
    rvAncfMethod method = ale->options.method;
    if (fresh)
        begin_anew(&s);
    bool explicitly = method == RV_ANCF_VERLET || method == RV_ANCF_TAYLOR;
    bool good = explicitly ? go_explicitly(ale, &s, h, fresh) : rv_march_implicit(&s, h);
    if (good)
        copy_state(ale, &s, true);
    return good;
}

bool rv_ale_step_march(rvAle* ale, double h)
{
    int count = count_of(ale);
    bool fresh = count != ale->marchCount;
    if (rv_ancf_is_of_paper(ale->options.method) ? !step_paper(ale, h, fresh) : !step_others(ale, h, fresh))
        return false;
    ale->marchCount = count;
    ale->time += h;
    ale->counts.steps++;
    return true;
}
