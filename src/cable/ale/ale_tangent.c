// SPDX-License-Identifier: MIT
// How the inertia of what flows changes with shape and rates: the part of its tangent that is not symmetric and so is in no
// matrix. By Gauss points, symbols as in ale_flow.c: with i = 1/g, e = f i and k = g' i the rope's acceleration is
//   a = N q'' + (2 k e - f' i) d - 2 e d' + e^2 b
// and for changes dq, dq', dp, dp' of nodes and flows
//   da = (2 dk e + 2 k de + f' i^2 dg) d + (2 k e - f' i) dd - 2 de d' - 2 e dd' + 2 e de b + e^2 db
//   de = i (df - e dg),  dk = i (dg' - k dg)
//   on the nodes - rho N^T (dg a + g da),   on p_a, p_b  rho (dd.a + d.da) by 1 - x and x
#include "cable/ale/ale_parts.h"

// At a point: the acceleration of the rope, d, and their changes.
typedef struct {
    double accel[3], d[3], accelChange[3], dChange[3];
} Point;

static Point point_of(const rvAleFall* fall, const rvAleState* at, const rvAleFlow* flow, const rvAleChange* change,
                      int e, int n)
{
    double l = fall->elements[e].length, x = (fall->ancf->places[e] + rv_ancf_gauss[n] * l) / fall->mesh;
    double i = 1.0 / flow->g, dg = (change->p[1] - change->p[0]) / fall->mesh;
    double f = (flow->rate[0] + x * (flow->rate[1] - flow->rate[0])) * i;
    double k = (flow->rate[1] - flow->rate[0]) / fall->mesh * i;
    double ft = (flow->accel[0] + x * (flow->accel[1] - flow->accel[0])) * i;
    double df = i * (change->rate[0] + x * (change->rate[1] - change->rate[0]) - f * dg);
    double dk = i * ((change->rate[1] - change->rate[0]) / fall->mesh - k * dg);
    double onSlope = 2.0 * k * f - ft, onSlopeChange = 2.0 * (dk * f + k * df) + ft * i * dg;
    double s[4], s1[4], s2[4], rate[3], b[3], dRate[3], db[3];
    Point p;
    rv_ancf_shape(rv_ancf_gauss[n], l, s);
    rv_ancf_shape_slope(rv_ancf_gauss[n], l, s1);
    rv_ancf_shape_bend(rv_ancf_gauss[n], l, s2);
    rv_ancf_blend(at->a, e, s, p.accel);
    rv_ancf_blend(at->q, e, s1, p.d);
    rv_ancf_blend(at->v, e, s1, rate);
    rv_ancf_blend(at->q, e, s2, b);
    rv_ancf_blend(change->q, e, s1, p.dChange);
    rv_ancf_blend(change->v, e, s1, dRate);
    rv_ancf_blend(change->q, e, s2, db);
    for (int c = 0; c < 3; c++) {
        p.accel[c] += onSlope * p.d[c] - 2.0 * f * rate[c] + f * f * b[c];
        p.accelChange[c] = onSlopeChange * p.d[c] + onSlope * p.dChange[c] - 2.0 * (df * rate[c] + f * dRate[c]) +
                           2.0 * f * df * b[c] + f * f * db[c];
    }
    return p;
}

void rv_ale_inertia_change(const rvAleFall* fall, const rvAleState* at, const rvAleFlow* flow,
                           const rvAleChange* change, double* force, double forceP[2])
{
    double dg = (change->p[1] - change->p[0]) / fall->mesh;
    for (int e = 0; e < fall->ancf->elementCount; e++)
        for (int n = 0; n < RV_ANCF_POINTS; n++) {
            double l = fall->elements[e].length, x = (fall->ancf->places[e] + rv_ancf_gauss[n] * l) / fall->mesh;
            double mass = rv_ancf_gauss_weight[n] * l * fall->elements[e].massPerLength, s[4];
            Point p = point_of(fall, at, flow, change, e, n);
            double along = mass * (rv_ancf_dot3(p.dChange, p.accel) + rv_ancf_dot3(p.d, p.accelChange));
            rv_ancf_shape(rv_ancf_gauss[n], l, s);
            for (int i = 0; i < 12; i++)
                force[6 * e + i] -= mass * s[i / 3] * (dg * p.accel[i % 3] + flow->g * p.accelChange[i % 3]);
            forceP[0] += (1.0 - x) * along;
            forceP[1] += x * along;
        }
}
