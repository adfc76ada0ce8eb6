// SPDX-License-Identifier: MIT
// Ports of an ANCF cable: condensing a real-time step to the nodes that bodies hold.
#include "cable/ancf/ancf_port.h"

#include "cable/ancf/ancf_parts.h"

static const double RHO = 0.5;
enum { CALM_STEPS = 12 };

rvStatus rv_ancf_set_ports(rvAncf* cable, const rvAncfPort* ports, int count, rvError* error)
{
    if (count < 1 || count > RV_ANCF_MAX_PORTS)
        return rv_fail(error, RV_BAD_INPUT, "count of ports is %d; expected 1 to %d", count, RV_ANCF_MAX_PORTS);
    for (int i = 0; i < count; i++) {
        int node = ports[i].node;
        if (node < 0 || node >= cable->nodeCount)
            return rv_fail(error, RV_BAD_INPUT, "node of port %d is %d; expected 0 to %d", i, node,
                           cable->nodeCount - 1);
        if (cable->held[node] & (ports[i].slope ? RV_ANCF_CLAMP & ~RV_ANCF_PIN : RV_ANCF_PIN))
            return rv_fail(error, RV_BAD_INPUT, "node %d is held; it cannot be a port", node);
        for (int k = 0; k < i; k++)
            if (ports[k].node == node && ports[k].slope == ports[i].slope)
                return rv_fail(error, RV_BAD_INPUT, "node %d is a port twice", node);
    }
    size_t columns = 3 * (size_t)count * ((size_t)cable->dofCount + 6) * sizeof(double);
    size_t size = columns + (size_t)count * sizeof(rvAncfPort);
    double* block = rv_memory_take(cable->memory, size);
    if (!block)
        return rv_fail(error, RV_NO_MEMORY, "no memory for %d ports", count);
    rv_memory_give(cable->memory, cable->ports, cable->portsSize);
    cable->ports = cable->portColumns = block;
    cable->portsSize = size;
    cable->portList = (rvAncfPort*)((char*)block + columns);
    cable->portCount = count;
    memcpy(cable->portList, ports, (size_t)count * sizeof *ports);
    return RV_OK;
}

static double* column_of(const rvAncf* cable, int i)
{
    return cable->portColumns + (size_t)i * ((size_t)cable->dofCount + 6);
}

int rv_ancf_port_dof(const rvAncf* cable, int i)
{
    const rvAncfPort* port = &cable->portList[i / 3];
    return 6 * port->node + (port->slope ? 3 : 0) + i % 3;
}

// H x = b in place, by the factor of the pass.
static void solve(const rvAncf* cable, double* x)
{
    if (cable->rt.atRest)
        rv_ancf_solve(cable, cable->slots, x);
    else
        rv_ancf_rt_solve(cable, &cable->rt, x);
}

// Fills the columns H^-1 P^T, and P H^-1 P^T.
static void condense(rvAncf* cable, double* matrix)
{
    int count = 3 * cable->portCount;
    for (int j = 0; j < count; j++) {
        double* column = column_of(cable, j);
        memset(column, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        column[rv_ancf_port_dof(cable, j)] = 1.0;
        solve(cable, column);
        for (int i = 0; i < count; i++)
            matrix[i * count + j] = column[rv_ancf_port_dof(cable, i)];
    }
}

static void add_columns(const rvAncf* cable, const double* force, double* x)
{
    for (int j = 0; j < 3 * cable->portCount; j++) {
        const double* column = column_of(cable, j);
        for (int i = 0; i < cable->dofCount; i++)
            x[i] += column[i] * force[j];
    }
}

void rv_ancf_note_energies(rvAncf* cable)
{
    rvAncfEnergy energy = rv_ancf_energy(cable);
    cable->scalars[RV_ANCF_WAS_KINETIC] = energy.kinetic;
    cable->scalars[RV_ANCF_WAS_ELASTIC] = energy.stretch + energy.bend;
    cable->scalars[RV_ANCF_WAS_POTENTIAL] = energy.potential;
}

rvAncfEnergy rv_ancf_port_energy(const rvAncf* cable)
{
    const double* was = cable->scalars;
    rvAncfEnergy e = rv_ancf_energy(cable);
    double elastic = e.stretch + e.bend, share = elastic > 0.0 ? e.stretch / elastic : 1.0;
    elastic = 0.5 * (elastic + was[RV_ANCF_WAS_ELASTIC]);
    e.kinetic = 0.5 * (e.kinetic + was[RV_ANCF_WAS_KINETIC]);
    e.potential = 0.5 * (e.potential + was[RV_ANCF_WAS_POTENTIAL]);
    double off = fmin(was[RV_ANCF_BEND], elastic); // of the elastic, as far as it goes
    elastic -= off;
    e.potential -= was[RV_ANCF_BEND] - off;
    e.stretch = share * elastic;
    e.bend = elastic - e.stretch;
    e.total = e.kinetic + elastic + e.potential;
    return e;
}

// At the start of the last step, or where energies were noted.
static double noted_energy(const rvAncf* cable)
{
    const double* s = cable->scalars;
    return s[RV_ANCF_WAS_KINETIC] + s[RV_ANCF_WAS_ELASTIC] + s[RV_ANCF_WAS_POTENTIAL];
}

double rv_ancf_note_middle(rvAncf* cable)
{
    double before = noted_energy(cable);
    rv_ancf_note_energies(cable);
    return 0.5 * (before + noted_energy(cable)) - cable->scalars[RV_ANCF_BEND];
}

double rv_ancf_port_begin(rvAncf* cable, double h)
{
    double middle = rv_ancf_note_middle(cable);
    cable->rt = rv_ancf_rt_of(cable, RHO, cable->scalars[RV_ANCF_TIME], h);
    rv_ancf_rt_soften_start(cable, &cable->rt);
    rv_ancf_rt_predict(cable, &cable->rt);
    return middle;
}

// Of an iteration towards rest: the equations at p, and their factor.
static void linearise_rest(rvAncf* cable, rvAncfRt* s)
{
    if (cable->hasWater)
        rv_ancf_water_update(cable, s->p);
    rv_ancf_rest_factor(cable, s->p, s->v1, s->cM, false, s->r);
    for (int i = 0; i < cable->dofCount; i++)
        s->at1[i] = s->cM * (s->p[i] - cable->q[i]);
    rv_ancf_mass_product(cable, s->at1, s->product);
    for (int i = 0; i < cable->dofCount; i++)
        s->r[i] -= s->product[i];
}

void rv_ancf_port_pass(rvAncf* cable, double* places, double* compliance)
{
    rvAncfRt* s = &cable->rt;
    if (s->atRest)
        linearise_rest(cable, s);
    else
        rv_ancf_rt_linearise(cable, s);
    solve(cable, s->r);
    condense(cable, compliance);
    for (int i = 0; i < 3 * cable->portCount; i++)
        places[i] = s->p[rv_ancf_port_dof(cable, i)] + s->r[rv_ancf_port_dof(cable, i)];
}

double rv_ancf_port_take(rvAncf* cable, const double* force, double enough)
{
    rvAncfRt* s = &cable->rt;
    add_columns(cable, force, s->r);
    double left = rv_ancf_rt_advance(cable, s, s->r, enough);
    if (!s->atRest)
        rv_ancf_rt_rates(cable, s);
    return left;
}

void rv_ancf_port_set_retries(rvAncf* cable, int retries)
{
    cable->rt.retries = retries;
}

bool rv_ancf_port_stays(const rvAncf* cable)
{
    return cable->rt.stays;
}

double rv_ancf_port_scale(const rvAncf* cable)
{
    return fmax(cable->scalars[RV_ANCF_FLOOR], cable->scalars[RV_ANCF_KINETIC]);
}

double rv_ancf_port_work(rvAncf* cable)
{
    rvAncfRt* s = &cable->rt;
    double *pull = cable->work[10], *state = cable->scalars, work = 0.0, before = state[RV_ANCF_HOLD_WORK];
    bool moves = false;
    for (int n = 0; n < cable->heldCount; n++)
        for (int i = 6 * cable->heldNodes[n]; i < 6 * cable->heldNodes[n] + 6; i++)
            moves = moves || ((cable->held[i / 6] >> i % 6 & 1) && s->p[i] != cable->q[i]);
    if (moves) {
        work = rv_ancf_rt_hold_work(cable, s, pull);
        if (state[RV_ANCF_HOLDS_MOVE] == 0.0) { // they stood: as if they had pulled like this before
            for (int n = 0; n < cable->heldCount; n++)
                for (int i = 6 * cable->heldNodes[n]; i < 6 * cable->heldNodes[n] + 6; i++)
                    cable->pull[i] = cable->pullMean[i] = pull[i];
            work = rv_ancf_rt_hold_work(cable, s, pull);
        }
    }
    s->holdWork = work;
    s->holdsMove = moves;
    s->holdStart = 0.0;
    for (int n = 0; moves && n < cable->heldCount; n++)
        for (int i = 6 * cable->heldNodes[n]; i < 6 * cable->heldNodes[n] + 6; i++)
            s->holdStart += s->h * cable->pull[i] * cable->v[i];
    return 0.5 * (before + work) + rv_ancf_rt_current_work(cable, s);
}

double rv_ancf_port_trial_energy(rvAncf* cable, double* kinetic)
{
    if (cable->hasWater)
        rv_ancf_water_update_before(cable, cable->rt.p);
    *kinetic = rv_ancf_kinetic(cable, cable->rt.v1);
    return *kinetic + rv_ancf_potential(cable, cable->rt.p);
}

// With N of the strain alone, and that of the step: N^2/(2 EA) of the one less that of the other, where damping lasts
// for more than the step. (Else it is gone in the next, which would find that much more.)
static double held_back(const rvAncf* cable, const double* q, const rvPair* stored)
{
    double sum = 0.0;
    for (int k = 0; k < cable->slotCount && cable->hasDamping; k++) {
        rvPair r[RV_ANCF_POINTS][3], strain[RV_ANCF_POINTS], part = {0.0, 0.0}, above = cable->spans[k].euler;
        rvPair stiffness = cable->spans[k].stiffness * cable->elastic;
        rv_ancf_pair_slopes(cable, k, q, r);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            rvPair square = r[g][0] * r[g][0] + r[g][1] * r[g][1] + r[g][2] * r[g][2];
            strain[g] = 0.5 * (square - cable->restSquare);
            above += rv_ancf_gauss_weight[g] * strain[g];
        }
        above = rv_ancf_negative_part(above);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            rvPair alone = strain[g] - above, now = stored[RV_ANCF_STORED * k + g] / stiffness;
            part += rv_ancf_gauss_weight[g] * (alone * alone - now * now);
        }
        for (int lane = 0; lane < 2; lane++)
            if (cable->spans[k].axialTime[lane] > cable->rt.h && part[lane] > 0.0)
                sum += 0.5 * stiffness[lane] * part[lane];
    }
    return sum;
}

double rv_ancf_port_held_back(const rvAncf* cable)
{
    return 0.5 * (held_back(cable, cable->q, cable->stored) + held_back(cable, cable->rt.p, cable->nextStored));
}

void rv_ancf_port_hold_dofs(rvAncf* cable, bool on)
{
    for (int i = 0; i < 3 * cable->portCount; i += 3) {
        int k = rv_ancf_port_dof(cable, i);
        unsigned mask = (unsigned)(7 << k % 6), held = cable->held[k / 6];
        rv_ancf_hold_dofs(cable, k / 6, on ? held | mask : held & ~mask);
    }
}

double rv_ancf_port_enter_water(rvAncf* cable, double kinetic)
{
    const rvAncfRt* s = &cable->rt;
    if (!cable->hasWater)
        return 0.0;
    rv_ancf_port_hold_dofs(cable, true);
    bool enters = rv_ancf_water_enter(cable, s->p, s->v1);
    rv_ancf_port_hold_dofs(cable, false);
    return enters ? kinetic - rv_ancf_kinetic(cable, s->v1) : 0.0;
}

void rv_ancf_port_slow_down(rvAncf* cable, double wanted)
{
    const rvAncfRt* s = &cable->rt;
    double *led = cable->work[8], *rest = cable->work[9], *product = cable->work[7];
    rv_ancf_port_hold_dofs(cable, true);
    rv_ancf_follow_holds(cable, s->p, s->v1, cable->nextStored, s->h, led);
    rv_ancf_port_hold_dofs(cable, false);
    for (int i = 0; i < cable->dofCount; i++)
        rest[i] = s->v1[i] - led[i];
    rv_ancf_mass_product(cable, rest, product);
    // T(x) = T0 + b x + c x^2 of led + x rest: down to what is wanted, or as far as it goes
    double b = rv_ancf_dot(cable, product, led), c = 0.5 * rv_ancf_dot(cable, product, rest), x = 0.0;
    double above = rv_ancf_kinetic(cable, led) - wanted;
    if (c > 0.0) {
        double least = -0.5 * b / c, root = least * least - above / c;
        x = fmin(fmax(root > 0.0 ? least + sqrt(root) : least, 0.0), 1.0);
    }
    for (int i = 0; i < cable->dofCount; i++)
        s->v1[i] = led[i] + x * rest[i];
}

void rv_ancf_follow_cubic(double time, const rvAncfLead* lead, double b[6], double rate[6], double accel[6])
{
    double h = lead->h, t = (time - lead->time) / h;
    for (int i = 0; i < 6; i++) {
        double d = lead->end[i] - lead->q[i], v0 = h * lead->v[i], v1 = h * lead->endRate[i];
        double c2 = 3.0 * d - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * d;
        b[i] = lead->q[i] + t * (v0 + t * (c2 + t * c3));
        rate[i] = (v0 + t * (2.0 * c2 + t * 3.0 * c3)) / h;
        accel[i] = (2.0 * c2 + 6.0 * c3 * t) / (h * h);
    }
}

// Held dofs within a step.
typedef struct {
    const double *q, *v, *end, *endRate;
    double time, h;
} Path;

static void follow_path(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    const Path* path = context;
    rvAncfLead lead = {.time = path->time, .h = path->h};
    size_t size = sizeof lead.q;
    memcpy(lead.q, path->q + 6 * node, size);
    memcpy(lead.v, path->v + 6 * node, size);
    memcpy(lead.end, path->end + 6 * node, size);
    memcpy(lead.endRate, path->endRate + 6 * node, size);
    rv_ancf_follow_cubic(time, &lead, b, rate, accel);
}

double rv_ancf_port_calm(rvAncf* cable, double wanted)
{
    rvAncfRt* s = &cable->rt;
    double *trial = cable->work[8], *still = cable->work[9], mu = s->cM;
    double before = rv_ancf_potential(cable, s->p), now = before;
    memset(still, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_port_hold_dofs(cable, true);
    rv_ancf_keep_giving(cable, cable->nextStored);
    for (int n = 0; n < CALM_STEPS && before - now < wanted; n++, mu *= 0.25) {
        if (!rv_ancf_rest_factor(cable, s->p, still, mu, true, s->r))
            break;
        rv_ancf_solve(cable, cable->slots, s->r);
        double fallen = now;
        for (double share = 1.0; share > 0.01 && !(fallen < now); share *= 0.5) {
            for (int i = 0; i < cable->dofCount; i++)
                trial[i] = s->p[i] + share * s->r[i];
            fallen = rv_ancf_potential(cable, trial);
        }
        if (!(fallen < now))
            break;
        rv_ancf_copy(cable, s->p, trial);
        now = fallen;
    }
    // it stands: no accelerations of the inside, tensions by the shape
    for (int i = 0; i < cable->dofCount; i++)
        if (!(cable->held[i / 6] >> i % 6 & 1))
            s->a1[i] = s->at1[i] = 0.0;
    rv_ancf_port_hold_dofs(cable, false);
    rv_ancf_linearise(cable, s->p, still, &(rvAncfWish){.massFactor = 1.0, .positive = true, .kept = true}, s->r);
    memcpy(cable->nextStored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    return before - now;
}

void rv_ancf_port_relax(rvAncf* cable, double enough)
{
    rvAncfRt* s = &cable->rt;
    double left = HUGE_VAL;
    rv_ancf_port_hold_dofs(cable, true);
    s->retries = RV_ANCF_RETRIES;
    for (int i = 0; i < 10 && left > enough; i++) {
        rv_ancf_rt_linearise(cable, s);
        rv_ancf_rt_solve(cable, s, s->r);
        left = rv_ancf_rt_advance(cable, s, s->r, enough);
    }
    rv_ancf_port_hold_dofs(cable, false);
}

bool rv_ancf_port_again(rvAncf* cable)
{
    double *end = cable->work[11], *q = cable->work[12], *v = cable->work[13], *endRate = cable->work[14];
    double rates[2][3 * RV_ANCF_MAX_PORTS] = {{0.0}};
    double h = cable->rt.h, time = cable->rt.time, *s = cable->scalars, kept[RV_ANCF_SCALAR_COUNT];
    double holdWork = cable->rt.holdWork, holdStart = cable->rt.holdStart;
    bool holdsMove = cable->rt.holdsMove;
    Path path = {q, v, end, endRate, time, h};
    rvAncfMotionFn motion = cable->motion;
    void* context = cable->motionContext;
    rv_ancf_copy(cable, end, cable->rt.p);
    rv_ancf_copy(cable, endRate, cable->rt.v1);
    rv_ancf_copy(cable, q, cable->q);
    rv_ancf_copy(cable, v, cable->v);
    memcpy(kept, s, sizeof kept);
    for (int i = 0; i < 3 * cable->portCount; i++) {
        int k = rv_ancf_port_dof(cable, i);
        rates[0][i] = cable->rt.a1[k];
        rates[1][i] = cable->rt.at1[k];
    }
    rv_ancf_port_hold_dofs(cable, true);
    rv_ancf_set_motion(cable, follow_path, &path);
    s[RV_ANCF_BUDGET] = 1e300; // that is for the guard of all that is coupled
    bool good = rv_ancf_rt_go(cable, time, h, cable->options.halvings);
    rv_ancf_set_motion(cable, motion, context);
    memcpy(s, kept, sizeof kept);
    rv_ancf_port_hold_dofs(cable, false);
    // as the end of the step that ports are in
    cable->rt = rv_ancf_rt_of(cable, RHO, time, h);
    cable->rt.holdWork = holdWork;
    cable->rt.holdStart = holdStart;
    cable->rt.holdsMove = holdsMove;
    rv_ancf_copy(cable, cable->rt.p, cable->q);
    rv_ancf_copy(cable, cable->rt.v1, cable->v);
    rv_ancf_copy(cable, cable->rt.a1, cable->a);
    rv_ancf_copy(cable, cable->rt.at1, cable->at);
    for (int i = 0; i < 3 * cable->portCount; i++) { // of ports: as the bodies have them
        int k = rv_ancf_port_dof(cable, i);
        cable->rt.v1[k] = endRate[k];
        cable->rt.a1[k] = rates[0][i];
        cable->rt.at1[k] = rates[1][i];
    }
    rv_ancf_copy(cable, cable->q, q);
    if (cable->hasWater) // what it came into moves along already
        rv_ancf_water_begin(cable, cable->rt.p);
    memcpy(cable->nextStored, cable->stored, (size_t)cable->slotCount * sizeof *cable->tensions);
    return good;
}

bool rv_ancf_port_end(rvAncf* cable)
{
    const rvAncfRt* s = &cable->rt;
    if (!rv_ancf_is_sound(cable, s->p, s->v1))
        return false;
    if (s->holdsMove)
        rv_ancf_rt_keep_pull(cable, s, cable->work[10]);
    cable->scalars[RV_ANCF_HOLDS_MOVE] = s->holdsMove ? 1.0 : 0.0;
    cable->scalars[RV_ANCF_HOLD_WORK] = s->holdWork;
    rv_ancf_rt_keep(cable, s);
    cable->scalars[RV_ANCF_KINETIC] = rv_ancf_kinetic(cable, cable->v);
    cable->scalars[RV_ANCF_TIME] += s->h;
    cable->counts.steps++;
    return true;
}

double rv_ancf_port_factor(const rvAncf* cable)
{
    return cable->rt.cM;
}

// ---- towards rest

void rv_ancf_port_begin_rest(rvAncf* cable, double h)
{
    cable->rt = rv_ancf_rt_of(cable, RHO, cable->scalars[RV_ANCF_TIME], h);
    cable->rt.cM = 1.0 / (h * h);
    cable->rt.cV = 0.0;
    cable->rt.atRest = true;
    memset(cable->rt.v1, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_copy(cable, cable->rt.p, cable->q);
    if (cable->motion) {
        rv_ancf_aim(cable, cable->rt.time);
        rv_ancf_set_held(cable, cable->aim, cable->rt.p);
    }
}

void rv_ancf_port_measure_rest(rvAncf* cable, double* way, double* turn, double* force)
{
    const rvAncfRt* s = &cable->rt;
    *way = *turn = *force = 0.0;
    for (int i = 0; i < cable->dofCount; i++)
        s->at1[i] = s->p[i] - cable->q[i];
    rv_ancf_mass_product(cable, s->at1, s->product);
    for (int n = 0; n < cable->nodeCount; n++) {
        const double *d = s->at1 + 6 * n, *f = s->product + 6 * n;
        *way = fmax(*way, sqrt(rv_ancf_dot3(d, d)));
        *turn = fmax(*turn, sqrt(rv_ancf_dot3(d + 3, d + 3)));
        *force += s->cM * sqrt(rv_ancf_dot3(f, f));
    }
}

void rv_ancf_port_end_rest(rvAncf* cable, double share)
{
    const rvAncfRt* s = &cable->rt;
    for (int i = 0; i < cable->dofCount; i++)
        cable->q[i] += share * (s->p[i] - cable->q[i]);
    rv_ancf_rest(cable);
}

void rv_ancf_begin_books(rvAncf* cable)
{
    double* s = cable->scalars;
    s[RV_ANCF_SCALE] = s[RV_ANCF_BEND] = s[RV_ANCF_ABOVE] = 0.0;
    s[RV_ANCF_ENERGY] = rv_ancf_energy(cable).total;
    rv_ancf_note_energies(cable);
}

void rv_ancf_rest(rvAncf* cable)
{
    double* still[] = {cable->v, cable->a, cable->at, cable->vOld};
    for (int i = 0; i < 4; i++)
        memset(still[i], 0, (size_t)cable->dofCount * sizeof(double));
    rv_ancf_copy(cable, cable->qOld, cable->q);
    rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 1.0}, cable->work[0]);
    memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    double* s = cable->scalars;
    s[RV_ANCF_KINETIC] = s[RV_ANCF_HOLD_WORK] = s[RV_ANCF_HOLDS_MOVE] = 0.0;
    rv_ancf_begin_books(cable);
}
