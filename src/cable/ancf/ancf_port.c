// SPDX-License-Identifier: MIT
// Ports of an ANCF cable: condensing a real-time step to the nodes that bodies hold.
#include "cable/ancf/ancf_port.h"

#include "cable/ancf/ancf_parts.h"

static const double RHO = 0.5;

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

// Fills the columns A^-1 P^T with a factor of A, and P A^-1 P^T.
static void condense(rvAncf* cable, const rvAncfSlot* factor, double* matrix)
{
    int count = 3 * cable->portCount;
    for (int j = 0; j < count; j++) {
        double* column = column_of(cable, j);
        memset(column, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        column[rv_ancf_port_dof(cable, j)] = 1.0;
        rv_ancf_solve(cable, factor, column);
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

void rv_ancf_port_start(rvAncf* cable, double* accel, double* mobility)
{
    rv_ancf_accelerate(cable, cable->q, cable->v, cable->a);
    for (int i = 0; i < 3 * cable->portCount; i++)
        accel[i] = cable->a[rv_ancf_port_dof(cable, i)];
    condense(cable, cable->massSlots, mobility);
}

void rv_ancf_port_start_force(rvAncf* cable, const double* force)
{
    add_columns(cable, force, cable->a);
    rv_ancf_copy(cable, cable->at, cable->a);
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
    e.stretch = share * elastic;
    e.bend = elastic - e.stretch;
    e.total = e.kinetic + elastic + e.potential;
    return e;
}

void rv_ancf_port_begin(rvAncf* cable, double h)
{
    rv_ancf_note_energies(cable);
    cable->rt = rv_ancf_rt_of(cable, RHO, cable->scalars[RV_ANCF_TIME], h);
    rv_ancf_rt_predict(cable, &cable->rt);
}

// Of an iteration towards rest: the equations at p, and their factor.
static void linearise_rest(rvAncf* cable, rvAncfRt* s)
{
    if (cable->hasWater)
        rv_ancf_water_update(cable, s->p);
    rv_ancf_rest_factor(cable, s->p, s->v1, s->cM, s->r);
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
    rv_ancf_solve(cable, cable->slots, s->r);
    condense(cable, cable->slots, compliance);
    for (int i = 0; i < 3 * cable->portCount; i++)
        places[i] = s->p[rv_ancf_port_dof(cable, i)] + s->r[rv_ancf_port_dof(cable, i)];
}

double rv_ancf_port_take(rvAncf* cable, const double* force)
{
    rvAncfRt* s = &cable->rt;
    add_columns(cable, force, s->r);
    double left = rv_ancf_rt_advance(cable, s, s->r);
    if (!s->atRest)
        rv_ancf_rt_rates(cable, s);
    return left;
}

double rv_ancf_port_scale(const rvAncf* cable)
{
    return fmax(cable->scalars[RV_ANCF_FLOOR], cable->scalars[RV_ANCF_KINETIC]);
}

bool rv_ancf_port_end(rvAncf* cable)
{
    const rvAncfRt* s = &cable->rt;
    if (!rv_ancf_is_finite(cable, s->p) || !rv_ancf_is_finite(cable, s->v1))
        return false;
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

void rv_ancf_rest(rvAncf* cable)
{
    double* still[] = {cable->v, cable->a, cable->at, cable->vOld};
    for (int i = 0; i < 4; i++)
        memset(still[i], 0, (size_t)cable->dofCount * sizeof(double));
    rv_ancf_copy(cable, cable->qOld, cable->q);
    rv_ancf_linearise(cable, cable->q, cable->v, &(rvAncfWish){.massFactor = 1.0}, cable->work[0]);
    memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    cable->scalars[RV_ANCF_KINETIC] = 0.0;
    rv_ancf_note_energies(cable);
}
