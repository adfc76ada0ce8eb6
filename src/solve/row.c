// SPDX-License-Identifier: MIT
#include "solve/row.h"

#include <math.h>
#include <string.h>

bool rv_rows_reserve(rvRows* rows, rvMemory* memory, int rowCount, int groupCount, int slotCount, int entryCount)
{
    return rv_memory_grow(memory, (void**)&rows->rows, &rows->rowCapacity, rowCount, sizeof(rvRow)) &&
           rv_memory_grow(memory, (void**)&rows->groups, &rows->groupCapacity, groupCount, sizeof(rvRowGroup)) &&
           rv_memory_grow(memory, (void**)&rows->slots, &rows->slotCapacity, slotCount, sizeof(rvSlot)) &&
           rv_memory_grow(memory, (void**)&rows->entries, &rows->entryCapacity, entryCount, sizeof(double));
}

void rv_rows_release(rvRows* rows, rvMemory* memory)
{
    rv_memory_give(memory, rows->rows, (size_t)rows->rowCapacity * sizeof(rvRow));
    rv_memory_give(memory, rows->groups, (size_t)rows->groupCapacity * sizeof(rvRowGroup));
    rv_memory_give(memory, rows->slots, (size_t)rows->slotCapacity * sizeof(rvSlot));
    rv_memory_give(memory, rows->entries, (size_t)rows->entryCapacity * sizeof(double));
    *rows = (rvRows){0};
}

void rv_rows_clear(rvRows* rows)
{
    rows->rowCount = 0;
    rows->groupCount = 0;
    rows->slotCount = 0;
    rows->entryCount = 0;
}

int rv_rows_add(rvRows* rows, rvGroupKind kind, int owner, int rowCount, const int* bodies, int bodyCount)
{
    int entryCount = rowCount * bodyCount * 6;
    if (rows->rowCount + rowCount > rows->rowCapacity || rows->groupCount + 1 > rows->groupCapacity ||
        rows->slotCount + bodyCount > rows->slotCapacity || rows->entryCount + entryCount > rows->entryCapacity)
        return -1;
    int group = rows->groupCount++;
    rows->groups[group] = (rvRowGroup){.kind = kind,
                                       .owner = owner,
                                       .firstRow = rows->rowCount,
                                       .rowCount = rowCount,
                                       .firstSlot = rows->slotCount,
                                       .slotCount = bodyCount};
    for (int i = 0; i < rowCount; ++i)
        rows->rows[rows->rowCount + i] = (rvRow){.lower = -HUGE_VAL, .upper = HUGE_VAL};
    for (int i = 0; i < bodyCount; ++i)
        rows->slots[rows->slotCount + i] = (rvSlot){bodies[i], rows->entryCount + i * rowCount * 6};
    memset(rows->entries + rows->entryCount, 0, (size_t)entryCount * sizeof(double));
    rows->rowCount += rowCount;
    rows->slotCount += bodyCount;
    rows->entryCount += entryCount;
    return group;
}
