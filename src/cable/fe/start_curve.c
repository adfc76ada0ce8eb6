// SPDX-License-Identifier: MIT
#include "cable/fe/start_curve.h"

static double draw(rvStartCurve* curve, double sag)
{
    double bulge = fmax(0.0, 0.15 * sag - 0.25 * rvLength(curve->chord));
    for (int i = 0; i < RV_START_CURVE_POINTS; ++i) {
        double t = (double)i / (RV_START_CURVE_POINTS - 1), turn = 6.283185307179586 * t;
        rvVec3 x = rvMulAdd(curve->from, t, curve->chord);
        x = rvMulAdd(x, 4.0 * sag * t * (1.0 - t), curve->down);
        curve->points[i] = rvMulAdd(x, -bulge * sin(turn), curve->aside);
        curve->lengths[i] = i > 0 ? curve->lengths[i - 1] + rvDistance(curve->points[i - 1], curve->points[i]) : 0.0;
    }
    return curve->lengths[RV_START_CURVE_POINTS - 1];
}

void rv_start_curve_draw(rvStartCurve* curve, const rvCable* cable, int span, double rest, rvVec3 down)
{
    rvVec3 a = cable->route.places[span].out, b = cable->route.places[span + 1].in, u = cable->route.spans[span].u;
    double low = 0.0, high = rest;
    *curve = (rvStartCurve){.from = a, .chord = rvSub(b, a)};
    rvVec3 across = rvMulAdd(down, -rvDot(down, u), u);
    bool steep = rvLength(across) < 0.3 && rvLength(curve->chord) > 0.3 * rest;
    curve->down = steep ? rvAcross(rvNormalizeOr(u, down)) : down;
    across = rvMulAdd(curve->chord, -rvDot(curve->chord, curve->down), curve->down);
    curve->aside = rvNormalizeOr(across, rvAcross(curve->down));
    for (int i = 0; i < 50; ++i)
        *(draw(curve, 0.5 * (low + high)) < rest ? &low : &high) = 0.5 * (low + high);
    draw(curve, low);
}

double rv_start_curve_length(const rvStartCurve* curve)
{
    return curve->lengths[RV_START_CURVE_POINTS - 1];
}

rvVec3 rv_start_curve_point(const rvStartCurve* curve, double share, rvVec3* way)
{
    double at = share * rv_start_curve_length(curve);
    int i = 1;
    while (i < RV_START_CURVE_POINTS - 1 && curve->lengths[i] < at)
        i += 1;
    double part = (at - curve->lengths[i - 1]) / (curve->lengths[i] - curve->lengths[i - 1]);
    int before = i > 1 ? i - 2 : i - 1, after = i < RV_START_CURVE_POINTS - 1 ? i + 1 : i;
    *way = rvNormalizeOr(rvSub(curve->points[after], curve->points[before]), curve->down);
    return rvMulAdd(curve->points[i - 1], part, rvSub(curve->points[i], curve->points[i - 1]));
}
