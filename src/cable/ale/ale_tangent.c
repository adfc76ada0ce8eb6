// SPDX-License-Identifier: MIT
// How the inertia of what flows changes with shape and rates: the part of its tangent that is not symmetric and so is
// in no matrix. Symbols as in ale_flow.c: with i = 1/g, e = f i, k = g' i and c = 2 k e - f' i the rope's acceleration
// is
//   a = N q'' + c d - 2 e d' + e^2 b
// and for changes dq, dq', dp, dp' of nodes and flows
//   da = dc d + c dd - 2 de d' - 2 e dd' + 2 e de b + e^2 db
//   de = i (df - e dg),  dk = i (dg' - k dg),  dc = 2 dk e + 2 k de + f' i^2 dg
//   on the nodes - rho N^T (dg a + g da),   on p_a, p_b  rho (dd.a + d.da) by 1 - x and x
// dc and de are linear on an element and da is a cubic: no points are needed (ale_pairs.h).
#include "cable/ale/ale_pairs.h"

// dc and de at the nodes of a pair.
typedef struct {
    rvPair f[2], onSlope[2];
} CarriedChange;

INLINE CarriedChange change_of(const rvAleSpan* span, const rvAleFlow* flow, const Carried* by,
                               const rvAleChange* change, double mesh)
{
    CarriedChange out;
    double i = 1.0 / flow->g, k = (flow->rate[1] - flow->rate[0]) / mesh * i;
    double dg = (change->p[1] - change->p[0]) / mesh, dk = i * ((change->rate[1] - change->rate[0]) / mesh - k * dg);
    for (int n = 0; n < 2; n++) {
        rvPair x = span->share[n], accel = flow->accel[0] + x * (flow->accel[1] - flow->accel[0]);
        out.f[n] = i * (change->rate[0] + x * (change->rate[1] - change->rate[0]) - dg * by->f[n]);
        out.onSlope[n] = 2.0 * (dk * by->f[n] + k * out.f[n]) + accel * (i * i * dg);
    }
    return out;
}

// da. At a node n by f, its change df and the steps of both to the inner node: q, v, and their changes dq, dv.
INLINE void acceleration_change(const Carried* by, const CarriedChange* change, const Nodes nodes[4],
                                const Bent bent[4], Cubic* out)
{
    const Nodes *q = &nodes[0], *v = &nodes[1], *dq = &nodes[2], *dv = &nodes[3];
    rvPair stepSlope = change->onSlope[1] - change->onSlope[0], step = change->f[1] - change->f[0];
    rvPair square[2], twice[2], onBend[2], onBendChange[2];
    for (int n = 0; n < 2; n++) {
        square[n] = by->f[n] * by->f[n] * by->side;
        twice[n] = 2.0 * by->f[n] * change->f[n] * by->side;
        onBend[n] = change->onSlope[n] + 2.0 * by->side * (by->more * change->f[n] + by->f[n] * step);
        onBendChange[n] = by->onSlope[n] + 2.0 * by->side * by->more * by->f[n];
    }
    onBend[0] -= twice[0];
    onBendChange[0] -= square[0];
    onBend[1] += twice[1];
    onBendChange[1] += square[1];
    for (int c = 0; c < 3; c++) {
        rvPair bo = bent[0].o[c], bi = bent[0].i[c], dbo = bent[2].o[c], dbi = bent[2].i[c];
        out->vo[c] = change->onSlope[0] * q->to[c] + by->onSlope[0] * dq->to[c] + twice[0] * bo + square[0] * dbo -
                     2.0 * (change->f[0] * v->to[c] + by->f[0] * dv->to[c]);
        out->vi[c] = change->onSlope[1] * q->ti[c] + by->onSlope[1] * dq->ti[c] + twice[1] * bi + square[1] * dbi -
                     2.0 * (change->f[1] * v->ti[c] + by->f[1] * dv->ti[c]);
        rvPair so = step * v->to[c] + by->more * dv->to[c] + change->f[0] * bent[1].o[c] + by->f[0] * bent[3].o[c];
        rvPair si = step * v->ti[c] + by->more * dv->ti[c] + change->f[1] * bent[1].i[c] + by->f[1] * bent[3].i[c];
        out->so[c] = stepSlope * q->to[c] + by->moreSlope * dq->to[c] + onBend[0] * bo + onBendChange[0] * dbo +
                     twice[0] * bi + square[0] * dbi - 2.0 * so;
        out->si[c] = stepSlope * q->ti[c] + by->moreSlope * dq->ti[c] + onBend[1] * bi + onBendChange[1] * dbi -
                     twice[1] * bo - square[1] * dbo - 2.0 * si;
    }
}

RV_ANCF_CLONED void rv_ale_inertia_change(const rvAleFall* fall, const rvAleState* at, const rvAleFlow* flow,
                                          const rvAleChange* change, double* force, double forceP[2])
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const rvAncf* cable = fall->ancf;
    const double* const vectors[5] = {at->q, at->v, change->q, change->v, at->a};
    double dg = (change->p[1] - change->p[0]) / fall->mesh;
    rvPair onA = {0.0, 0.0}, onB = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++) {
        const rvAleSpan* span = &fall->spans[k];
        Nodes nodes[5];
        Bent bent[4];
        Cubic a, da, onShape, onChange;
        for (int i = 0; i < 5; i++)
            load(cable, k, vectors[i], &nodes[i]);
        for (int i = 0; i < 4; i++)
            bend_of(&nodes[i], &bent[i]);
        Carried by = carried_by(span, cable->spans[k].side, flow, fall->mesh);
        CarriedChange byChange = change_of(span, flow, &by, change, fall->mesh);
        rope_acceleration(&by, span->length, &nodes[0], &nodes[1], &nodes[4], bent, none, &a);
        acceleration_change(&by, &byChange, nodes, bent, &da);
        mass_times(span->mass, &a, &onChange);
        mass_times(span->mass, &da, &onShape);
        along_both(span, &nodes[2], &bent[2], &onChange, &onA, &onB);
        along_both(span, &nodes[0], &bent[0], &onShape, &onA, &onB);
        for (int c = 0; c < 3; c++) {
            onShape.vo[c] = flow->g * onShape.vo[c] + dg * onChange.vo[c];
            onShape.so[c] = flow->g * onShape.so[c] + dg * onChange.so[c];
            onShape.vi[c] = flow->g * onShape.vi[c] + dg * onChange.vi[c];
            onShape.si[c] = flow->g * onShape.si[c] + dg * onChange.si[c];
        }
        store(cable, k, -1.0, span->length, &onShape, force);
    }
    forceP[0] += onA[0] + onA[1];
    forceP[1] += onB[0] + onB[1];
}
