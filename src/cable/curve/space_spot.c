// SPDX-License-Identifier: MIT
#include "cable/curve/space_spot.h"

#include "cable/curve/space_parts.h"

rvSpaceSpot rv_space_spot_in(const rvSpace* space, int interval, double xi)
{
    rvSpaceSpot spot = {.interval = interval, .xi = xi};
    for (int m = 0; m < POINTS; ++m)
        spot.weight[m] = space->parts[interval].length * rv_gauss_weight_to(m, xi);
    return spot;
}

rvSpaceSpot rv_space_spot(const rvSpace* space, double s)
{
    int i = 0;
    for (; i < space->intervals - 1 && s >= space->parts[i].length; ++i)
        s -= space->parts[i].length;
    return rv_space_spot_in(space, i, fmin(fmax(s / space->parts[i].length, 0.0), 1.0));
}

double rv_space_spot_along(const rvSpace* space, const rvSpaceSpot* spot)
{
    double s = spot->xi * space->parts[spot->interval].length;
    for (int i = 0; i < spot->interval; ++i)
        s += space->parts[i].length;
    return s;
}

rvVec3 rv_space_point(const rvSpace* space, const rvSpaceSpot* spot)
{
    rvVec3 x = space->nodes[spot->interval];
    for (int m = 0; m < POINTS; ++m)
        x = rvMulAdd(x, spot->weight[m], space->points[spot->interval * POINTS + m].t);
    return x;
}

rvVec3 rv_space_tangent(const rvSpace* space, const rvSpaceSpot* spot)
{
    rvQuat turn = rvQuatFromRotation(rvScale(spot->xi, space->pieces[spot->interval].turn));
    return rvRotate(turn, rvRotate(space->frames[spot->interval], rvVec(0, 0, 1)));
}

void rv_space_add_spot_row(const rvSpace* space, const rvSpaceSpot* spot, rvVec3 f, double* row)
{
    rv_space_add_row(space, spot->interval, f, row);
    for (int m = 0; m < POINTS; ++m)
        for (int end = 0; end < 2; ++end)
            add_to(row + rv_space_spin(spot->interval + end), spot->weight[m],
                   back(&space->points[spot->interval * POINTS + m].column[end], f));
}

void rv_space_add_spot_force(rvSpace* space, const rvSpaceSpot* spot, rvVec3 force)
{
    rv_space_add_force(space, spot->interval, force);
    for (int m = 0; m < POINTS; ++m) {
        rvVec3* load = &space->load[spot->interval * POINTS + m];
        *load = rvMulAdd(*load, spot->weight[m], force);
    }
}
