// SPDX-License-Identifier: MIT
// Ropes with mass where they cross: half of the rope of each span rests on the point, as on a body at its end. With m
// that mass, f its weight and how much tighter the spans are than their segments' tensions, v* = v_X + h f/m, the step
// makes least
//   h^2 |v_X' - c|^2 in K + m |v_X' - v*|^2,   c = sum A_i v_i'   (crossing.h)
// beside what the bodies and the ropes do. With C = m (h^2 K + m)^-1 that is
//   |z - C v*|^2 in (h^2 K + m) + |c - v*|^2 in ((h^2 K)^-1 + 1/m)^-1,   v_X' = (1 - C) c + z:
// a body of its own, z, whose mass is all that holds the point, and three rows of the bodies. A rigid motion of the
// neighbours is one of the point, so momentum and angular momentum are kept as by the tensions.
// Of either rope f - m (v_X' - v_X)/h is kept: with its tensions that is what the ropes do to each other.
#include "cable/core/model.h"
#include "cable/crossing/crossing.h"
#include "cable/route/route.h"
#include "math/sym3.h"

void rv_crossings_clear_loads(rvCableStore* store)
{
    for (int k = 0; k < store->crossingCount; ++k)
        for (int s = 0; s < 2; ++s) {
            store->crossings[k].ropeMass[s] = 0.0;
            store->crossings[k].ropeForce[s] = store->crossings[k].ropePull[s] = rvVec(0, 0, 0);
        }
}

void rv_crossing_load(const rvPlace* place, double mass, rvVec3 force, rvVec3 tension)
{
    rvCrossing* crossing = place->crossing;
    int s = place->crossingSide;
    crossing->ropeMass[s] += mass;
    crossing->ropeForce[s] = rvAdd(crossing->ropeForce[s], force);
    crossing->ropePull[s] = rvAdd(crossing->ropePull[s], tension);
}

bool rv_crossing_is_heavy(const rvCableStore* store, const rvCrossing* crossing)
{
    return rv_cable_has(&store->items[crossing->cable[0]], RV_HAS_MASS) ||
           rv_cable_has(&store->items[crossing->cable[1]], RV_HAS_MASS);
}

rvVec3 rv_crossing_add_mass(const rvCableStore* store, rvCrossing* crossing, double inverse[6])
{
    const rvPlace* place = &store->items[crossing->cable[0]].route.places[crossing->place[0]];
    double mass = crossing->ropeMass[0] + crossing->ropeMass[1];
    if (!(mass > 0.0))
        return rvVec(0, 0, 0);
    rvVec3 force = rvAdd(crossing->ropeForce[0], crossing->ropeForce[1]);
    crossing->goes = rvMulAdd(place->state.node.out, crossing->h / mass, force);
    const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}, diagonal[3] = {0, 3, 5};
    for (int i = 0; i < 9; ++i)
        crossing->block[i] = inverse[at[i / 3][i % 3]] + (i % 4 == 0 ? 1.0 / mass : 0.0);
    double all[6], kept[6];
    for (int k = 0; k < 6; ++k)
        all[k] = crossing->mass[k];
    for (int k = 0; k < 3; ++k)
        all[diagonal[k]] += mass;
    rv_sym3_invert(all, inverse);
    for (int k = 0; k < 6; ++k) // 1 - C
        kept[k] = -mass * inverse[k];
    for (int k = 0; k < 3; ++k)
        kept[diagonal[k]] += 1.0;
    for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k)
                    sum += kept[at[r][k]] * crossing->carry[i].m[k][c];
                crossing->share[i].m[r][c] = sum;
            }
    return rvScale(mass, rv_sym3_vec(inverse, crossing->goes));
}

// The bodies of a crossing, each once, and the slot of each of its four neighbours.
static int list_bodies(const rvCrossing* crossing, int bodies[RV_CROSSING_SLOTS], int slot[4])
{
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        int k = 0;
        while (k < count && bodies[k] != crossing->body[i])
            k += 1;
        slot[i] = crossing->body[i] < 0 ? -1 : k;
        if (crossing->body[i] >= 0 && k == count)
            bodies[count++] = crossing->body[i];
    }
    return count;
}

void rv_crossings_write_mass(rvCableStore* store, rvRows* rows)
{
    const rvVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < store->crossingCount; ++k) {
        rvCrossing* crossing = &store->crossings[k];
        int bodies[RV_CROSSING_SLOTS], slot[4], count = list_bodies(crossing, bodies, slot);
        bool heavy = crossing->ropeMass[0] + crossing->ropeMass[1] > 0.0 && count > 0;
        crossing->group =
            heavy ? rv_rows_add(rows, RV_GROUP_CABLE, crossing->cable[0], RV_CROSSING_ROWS, bodies, count) : -1;
        if (crossing->group < 0)
            continue;
        rows->groups[crossing->group].block = crossing->block;
        for (int r = 0; r < RV_CROSSING_ROWS; ++r) {
            rv_crossing_add_carried(crossing, crossing->carry, slot, 1.0, axes[r], rows, crossing->group, r);
            rv_group_rows(rows, crossing->group)[r].bias = rvDot(axes[r], crossing->goes);
        }
    }
}

void rv_crossing_keep_load(const rvCableStore* store, const rvCrossing* crossing, rvVec3 velocity)
{
    for (int s = 0; s < 2; ++s) {
        rvPlaceState* state = &store->items[crossing->cable[s]].route.places[crossing->place[s]].state;
        rvVec3 faster = rvScale(1.0 / crossing->h, rvSub(velocity, state->node.out));
        state->crossLoad =
            rvMulAdd(rvSub(crossing->ropeForce[s], crossing->ropePull[s]), -crossing->ropeMass[s], faster);
    }
}
