// SPDX-License-Identifier: MIT
#include "cable/curve/space_spot.h"

#include "cable/curve/space_kernels.h"
#include "cable/curve/space_parts.h"

rvCurveSpot rv_space_spot_in(const rvSpace* space, int interval, double xi)
{
    rvCurveSpot spot = {.interval = interval, .xi = xi};
    double h = space->parts[interval].length;
    const double* c = space->powers;
    for (int m = 0; m < POINTS; ++m)
        spot.weight[m] = h * xi * (c[m] + xi * (c[POINTS + m] + xi * (c[2 * POINTS + m] + xi * c[3 * POINTS + m])));
    return spot;
}

rvCurveSpot rv_space_spot(const rvSpace* space, double s)
{
    int i = 0;
    for (; i < space->intervals - 1 && s >= space->parts[i].length; ++i)
        s -= space->parts[i].length;
    return rv_space_spot_in(space, i, fmin(fmax(s / space->parts[i].length, 0.0), 1.0));
}

double rv_space_spot_along(const rvSpace* space, const rvCurveSpot* spot)
{
    double s = spot->xi * space->parts[spot->interval].length;
    for (int i = 0; i < spot->interval; ++i)
        s += space->parts[i].length;
    return s;
}

rvVec3 rv_space_point(const rvSpace* space, const rvCurveSpot* spot)
{
    rvVec3 x = space->nodes[spot->interval];
    for (int m = 0; m < POINTS; ++m)
        x = rvMulAdd(x, spot->weight[m] * (space->stretches ? space->lambda[spot->interval][m] : 1.0),
                     lane(&space->pieces[spot->interval].t, m));
    return x;
}

rvVec3 rv_space_tangent(const rvSpace* space, const rvCurveSpot* spot)
{
    const rvQuat* frame = space->frames + spot->interval;
    const rvVec3 along = rvVec(0, 0, 1);
    if (spot->xi >= 1.0)
        return rvRotate(frame[1], along);
    rvVec3 start = rvRotate(frame[0], along), f = space->pieces[spot->interval].turn;
    double y = rvDot(f, f), whole = sqrt(y), half = 0.5 * spot->xi * whole;
    if (half < 1e-9) // its square is nothing
        return rvMulAdd(start, spot->xi, rvCross(f, start));
    double s = sin(half);
    rvVec3 once = rvCross(f, start);
    return rvMulAdd(rvMulAdd(start, 2.0 * s * cos(half) / whole, once), 2.0 * s * s / y, rvCross(f, once));
}

rvQuat rv_space_frame(const rvSpace* space, const rvCurveSpot* spot)
{
    int i = spot->interval;
    return rvQuatMul(rvQuatFromRotation(rvScale(spot->xi, space->pieces[i].turn)), space->frames[i]);
}

// S(xi) = xi J(xi Phi) T, J = (e^P - 1)/P, as T is P/(e^P - 1).
rvVec3 rv_space_spin_at(const rvSpace* space, const double* v, const rvCurveSpot* spot)
{
    int i = spot->interval;
    rvVec3 first = spin_of(v, i), u = times_t(&space->pieces[i], 1.0, rvSub(spin_of(v, i + 1), first));
    rvVec3 f = rvScale(spot->xi, space->pieces[i].turn), once = rvCross(f, u);
    double y = rvDot(f, f), angle = sqrt(y);
    double b = y > 1e-6 ? (1.0 - cos(angle)) / y : 0.5 - y / 24.0;
    double g = y > 1e-6 ? (angle - sin(angle)) / (y * angle) : 1.0 / 6.0 - y / 120.0;
    return rvMulAdd(first, spot->xi, rvMulAdd(rvMulAdd(u, b, once), g, rvCross(f, once)));
}

void rv_space_add_spot_row(const rvSpace* space, const rvCurveSpot* spot, rvVec3 f, double* row)
{
    rv_space_add_row(space, spot->interval, f, row);
    rvFour3 load = {0};
    add_lanes(&load, (const rvFour*)spot->weight, f);
    rv_space_add_turning(space, spot->interval, &load, row);
}

void rv_space_spot_columns(const rvSpace* space, const rvCurveSpot* spot, double two[18])
{
    for (int c = 0; c < 3; ++c) {
        rvFour3 load = {0};
        double six[6] = {0};
        add_lanes(&load, (const rvFour*)spot->weight, axis(c));
        space->kernels->addTurning(&space->pieces[spot->interval], &load, six);
        for (int k = 0; k < 6; ++k)
            two[9 * (k / 3) + 3 * c + k % 3] = six[k];
    }
}

void rv_space_last_columns(const rvSpace* space, int interval, double two[18])
{
    for (int end = 0; end < 2; ++end)
        for (int k = 0; k < 9; ++k)
            two[9 * end + k] = entry(&space->pieces[interval].p[end], k / 3, k % 3);
}

void rv_space_add_spot_force(rvSpace* space, const rvCurveSpot* spot, rvVec3 force)
{
    rv_space_add_force(space, spot->interval, force);
    rv_space_add_spot_load(space, spot, force);
}

void rv_space_add_spot_load(rvSpace* space, const rvCurveSpot* spot, rvVec3 force)
{
    add_lanes(&space->load[spot->interval], (const rvFour*)spot->weight, force);
}
