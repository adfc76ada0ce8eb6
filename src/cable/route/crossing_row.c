// SPDX-License-Identifier: MIT
// Jacobian of a place where two ropes cross: its point moves with the bodies next to it and by itself.
#include "cable/route/route.h"

static rvVec3 transposed_vec(const rvMat3* a, rvVec3 v)
{
    return rvVec(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                 a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                 a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

void rv_crossing_add_carried(const rvCrossing* crossing, const rvMat3 share[4], const int slot[4], double factor,
                             rvVec3 u, const rvRows* rows, int group, int row)
{
    for (int i = 0; i < 4; ++i)
        if (slot[i] >= 0) {
            rvPlace carried = {.slot = slot[i]};
            rv_place_add_force(&carried, crossing->arm[i], factor, transposed_vec(&share[i], u), rows, group, row);
        }
}

void rv_crossing_add(const rvPlace* place, double factor, rvVec3 u, const rvRows* rows, int group, int row)
{
    const rvCrossing* crossing = place->crossing;
    const int* slot = crossing->slot[place->crossingSide];
    double* own = rv_group_jacobian(rows, group, slot[4])[row];
    own[3] += factor * u.x;
    own[4] += factor * u.y;
    own[5] += factor * u.z;
    rv_crossing_add_carried(crossing, crossing->share, slot, factor, u, rows, group, row);
}
