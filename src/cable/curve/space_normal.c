// SPDX-License-Identifier: MIT
#include "cable/curve/space_normal.h"

#include "math/extreme.h"

#include <math.h>
#include <string.h>

#define LEAST_SLIDE 0.1 // of 1/d: of strands along each other no point is nearest, and it would slide without end

typedef struct {
    const rvSpacePress* press;
    rvVec3 n, t[2];
    double d;
} Look;

static bool look_at(const rvSpace* space, const rvSpacePress* press, double least, Look* look)
{
    rvVec3 x[2];
    for (int k = 0; k < 2; ++k) {
        x[k] = rv_space_point(space, &press->spot[k]);
        look->t[k] = rv_space_tangent(space, &press->spot[k]);
    }
    rvVec3 apart = rvSub(x[0], x[1]);
    look->press = press;
    look->d = rvLength(apart);
    look->n = rvNormalizeOr(apart, rvVec(0, 0, 1));
    return look->d > least;
}

static void add_apart(const rvSpace* space, const Look* look, rvVec3 along, double* row)
{
    rv_space_add_spot_row(space, &look->press->spot[0], along, row);
    rv_space_add_spot_row(space, &look->press->spot[1], rvNeg(along), row);
}

static void add_turn(const rvCurveSpot* spot, rvVec3 about, double* row)
{
    for (int end = 0; end < 2; ++end) {
        double share = end ? spot->xi : 1.0 - spot->xi, *spin = row + rv_space_spin(spot->interval + end);
        spin[0] += share * about.x;
        spin[1] += share * about.y;
        spin[2] += share * about.z;
    }
}

bool rv_space_softening(const rvSpace* space, const rvSpacePress* press, double least, double* rows, double* weight)
{
    Look look;
    if (!look_at(space, press, least, &look))
        return false;
    rvVec3 along = rvMulAdd(look.t[0], -rvDot(look.n, look.t[0]), look.n);
    rvVec3 first = rvNormalizeOr(along, rvAcross(look.n));
    memset(rows, 0, 2 * (size_t)space->count * sizeof(double));
    add_apart(space, &look, first, rows);
    add_apart(space, &look, rvCross(look.n, first), rows + space->count);
    *weight = press->force / look.d;
    return true;
}

// By the two directions of M.
bool rv_space_stiffening(const rvSpace* space, const rvSpacePress* press, double least, double* rows, double weights[2])
{
    Look look;
    if (press->kept || !look_at(space, press, least, &look))
        return false;
    double bent[2], inverse = 1.0 / look.d;
    for (int k = 0; k < 2; ++k) {
        int i = press->spot[k].interval;
        bent[k] = rvDot(look.n, rvCross(space->pieces[i].turn, look.t[k])) / space->parts[i].length;
    }
    double a = inverse + bent[0], b = -inverse * rvDot(look.t[0], look.t[1]), c = inverse - bent[1];
    double angle = 0.5 * atan2(2.0 * b, a - c), middle = 0.5 * (a + c), half = 0.5 * hypot(a - c, 2.0 * b);
    memset(rows, 0, 2 * (size_t)space->count * sizeof(double));
    for (int k = 0; k < 2; ++k) {
        double* row = rows + k * space->count;
        double x = k ? -sin(angle) : cos(angle), y = k ? cos(angle) : sin(angle);
        add_apart(space, &look, rvAdd(rvScale(x * inverse, look.t[0]), rvScale(-y * inverse, look.t[1])), row);
        add_turn(&press->spot[0], rvScale(x, rvCross(look.t[0], look.n)), row);
        add_turn(&press->spot[1], rvScale(-y, rvCross(look.t[1], look.n)), row);
        weights[k] = press->force / rv_larger(k ? middle - half : middle + half, LEAST_SLIDE * inverse);
    }
    return true;
}
