// SPDX-License-Identifier: MIT
#include "cable/route/mobility.h"

double rv_row_mobility(const rvBodyStore* bodies, const rvRows* rows, int group, int row, double* freeRate)
{
    double mobility = 0.0;
    *freeRate = 0.0;
    const rvRowGroup* g = &rows->groups[group];
    for (int slot = 0; slot < g->slotCount; ++slot) {
        int body = rows->slots[g->firstSlot + slot].body;
        const double* j = rv_group_jacobian(rows, group, slot)[row];
        const double* m = bodies->inverse[body];
        const double* v = bodies->freeVelocity[body];
        mobility += m[0] * (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) + m[1] * j[3] * j[3] + m[4] * j[4] * j[4] +
                    m[6] * j[5] * j[5] + 2.0 * (m[2] * j[3] * j[4] + m[3] * j[3] * j[5] + m[5] * j[4] * j[5]);
        for (int c = 0; c < 6; ++c)
            *freeRate -= j[c] * v[c];
    }
    return mobility;
}
