// SPDX-License-Identifier: MIT
// The shape that a cable with a curvature of its own starts from.
//
// A straight one would stay so: there all directions across it are alike, and no force tells where to bend. Where only
// one end is held, or none, it is drawn as it is without load, element by element: over the length l its tangent turns
// by kappa l about tangent x bulge. Held twice and more it gets a small bow that way.
#include "cable/fe/fe.h"

#define BOW 0.01 // of the length

// The way across the cable that its bulge or gravity names, if it does.
static rvVec3 side_of(const rvFe* fe, rvVec3 along, rvVec3 gravity)
{
    const rvVec3 wanted[] = {fe->bulge, gravity, rvVec(0, 0, -1)};
    for (int i = 0; i < 3; ++i) {
        rvVec3 across = rvMulAdd(wanted[i], -rvDot(wanted[i], along), along);
        if (rvLength(across) > 1e-6 * rvLength(wanted[i]))
            return rvNormalizeOr(across, along);
    }
    return rvAcross(along);
}

// From node `from` on to the last, or back to the first, with the tangent that it has there.
static void draw_circle(rvAncf* ancf, int from, int step, rvVec3 side)
{
    double* q = ancf->q + 6 * from;
    rvVec3 x = rvVec(q[0], q[1], q[2]), t = rvNormalizeOr(rvVec(q[3], q[4], q[5]), rvVec(1, 0, 0));
    for (int n = from;; n += step) {
        const double node[6] = {x.x, x.y, x.z, t.x, t.y, t.z};
        memcpy(ancf->q + 6 * n, node, sizeof node);
        int e = step > 0 ? n : n - 1;
        if (e < 0 || e >= ancf->elementCount)
            return;
        double l = step * ancf->elements[e].length, a = ancf->elements[e].curvature * l;
        // by l on the circle of this curvature: sin(a)/a along and (1 - cos(a))/a to the side
        double along = fabs(a) > 1e-6 ? sin(a) / a : 1.0, off = fabs(a) > 1e-6 ? (1.0 - cos(a)) / a : 0.5 * a;
        x = rvMulAdd(rvMulAdd(x, l * along, t), l * off, side);
        rvVec3 turned = rvAdd(rvScale(cos(a), t), rvScale(sin(a), side));
        side = rvSub(rvScale(cos(a), side), rvScale(sin(a), t));
        t = turned;
    }
}

static void bow(rvAncf* ancf, rvVec3 side)
{
    const double PI = 3.14159265358979323846;
    double length = rv_ancf_length(ancf);
    for (int n = 0; n < ancf->nodeCount; ++n) {
        double* q = ancf->q + 6 * n;
        double a = PI * ancf->places[n] / length;
        const double way[3] = {side.x, side.y, side.z};
        for (int c = 0; c < 3; ++c) {
            q[c] += BOW * length * sin(a) * way[c];
            q[3 + c] += BOW * PI * cos(a) * way[c];
        }
    }
}

void rv_fe_curl(rvCable* cable, rvVec3 gravity)
{
    const rvFe* fe = cable->fe;
    rvAncf* ancf = fe->ancf;
    double most = 0.0;
    for (int e = 0; e < ancf->elementCount; ++e)
        most = fmax(most, ancf->elements[e].curvature);
    if (most == 0.0)
        return;
    rv_fe_put_held(ancf); // with the slopes of clamps
    int from = fe->gripCount > 0 ? fe->grips[0].node : 0;
    const double* q = ancf->q + 6 * from;
    rvVec3 side = side_of(fe, rvNormalizeOr(rvVec(q[3], q[4], q[5]), rvVec(1, 0, 0)), gravity);
    if (fe->gripCount > 1) {
        bow(ancf, side);
        return;
    }
    draw_circle(ancf, from, 1, side);
    draw_circle(ancf, from, -1, side);
}
