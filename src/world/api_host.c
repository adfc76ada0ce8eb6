// SPDX-License-Identifier: MIT
// The rows of a step that a host solves; see reeve/host.h. The step itself is in step.c.
#include "world/world.h"

int rvWorld_GetRowCount(const rvWorld* world)
{
    return world->begun > 0.0 ? world->rows.rowCount : 0;
}

// The group of a row, -1: there is no such row.
static int group_of(const rvWorld* world, int row)
{
    if (row < 0 || row >= rvWorld_GetRowCount(world))
        return -1;
    int low = 0, high = world->rows.groupCount - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (world->rows.groups[middle].firstRow <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool rvWorld_GetRow(const rvWorld* world, int row, rvHostRow* out)
{
    int index = group_of(world, row);
    if (index < 0 || !out)
        return false;
    const rvRowGroup* group = &world->rows.groups[index];
    const rvRow* r = &world->rows.rows[row];
    *out = (rvHostRow){.cable = group->kind == RV_GROUP_CABLE ? rv_world_cable_id(world, group->owner) : RV_NULL_CABLE,
                       .first = group->firstRow,
                       .count = group->rowCount,
                       .bias = r->bias,
                       .compliance = rvWorld_GetRowCompliance(world, row, row),
                       .lower = r->lower,
                       .upper = r->upper,
                       .leanLower = r->leanLower,
                       .leanUpper = r->leanUpper,
                       .leanFirst = group->firstRow + r->leanFirst,
                       .leanCount = r->leanCount,
                       .leanExtra = group->firstRow + r->leanExtra,
                       .leanExtraWeight = r->leanExtraWeight,
                       .guess = r->impulse};
    return true;
}

int rvWorld_GetRowBodies(const rvWorld* world, int row, rvRowBody* bodies, int capacity)
{
    int index = group_of(world, row);
    if (index < 0)
        return 0;
    const rvRowGroup* group = &world->rows.groups[index];
    for (int slot = 0; bodies && slot < group->slotCount && slot < capacity; ++slot) {
        int body = world->rows.slots[group->firstSlot + slot].body;
        const double* j = rv_group_jacobian(&world->rows, index, slot)[row - group->firstRow];
        bodies[slot] = (rvRowBody){{(uint32_t)body + 1, world->bodies.pool.generations[body]},
                                   rvVec(j[0], j[1], j[2]),
                                   rvVec(j[3], j[4], j[5])};
    }
    return group->slotCount;
}

double rvWorld_GetRowCompliance(const rvWorld* world, int row, int other)
{
    int index = group_of(world, row);
    if (index < 0 || group_of(world, other) != index)
        return 0.0;
    const rvRowGroup* group = &world->rows.groups[index];
    if (group->block)
        return group->block[(row - group->firstRow) * group->rowCount + (other - group->firstRow)];
    return row == other ? world->rows.rows[row].compliance : 0.0;
}
