// SPDX-License-Identifier: MIT
// The shape of S = J M^-1 J^T + C: islands, elimination order and the blocks of its factor.
//
// It depends only on which groups stand on which pushed bodies, so it is kept from step to step and found again when
// the groups change. One *column* of the factor belongs to one group. A column is stored as a panel by rows:
//   its own block (width x width), then for each later column that it meets a block of that column's rows,
//   all of that width. The columns that a column meets are its *below* list, in rising order.
#pragma once

#include "solve/solver.h"

typedef struct {
    int group;
    int firstRow, rowCount;
    int width; // its rows that are not inside (row.h): those of its panel
    int firstSlot, slotCount;
    int firstBelow, belowCount;
    size_t panel; // where its panel begins in S of the island, in doubles
} rvColumn;

typedef struct {
    int firstColumn, columnCount;
    size_t size; // of S, in doubles
    bool fits;   // false: no room for S, solve by sweeps
} rvIsland;

typedef struct {
    int firstRow, rowCount, width, firstSlot, slotCount;
} rvGroupKey;

typedef struct {
    int groupCapacity, slotCapacity, bodyCapacity, belowCapacity;
    size_t sizeLimit; // doubles that S of an island may take
    // what the shape was made of
    bool known;
    int groupCount, slotCount, bodyCount;
    rvGroupKey* groupKeys;
    int* slotKeys; // 2 body + pushed
    // the shape
    int islandCount;
    rvIsland* islands;
    rvColumn* columns;
    int* below;
    int* slotColumn;
    int* slotPlace; // where the slot stands in bodySlots; -1 for a body that nothing pushes
    int* bodyFirst; // the slots of body b: bodySlots[bodyFirst[b] .. bodyFirst[b + 1] - 1], in the order of columns
    int* bodySlots;
    // scratch of the ordering, by group, by slot and by element (bodies, then groups)
    int *islandOf, *islandGroups, *columnOf, *degree, *heap, *heapPlace, *mark, *touched, *elementFirst, *elementCount;
    int* elements;
    int* bodyGroups;
    int *listFirst, *listCount, *listWeight, *outside, *outsideMark;
} rvStructure;

static inline bool rv_is_pushed(const rvSolveBodies* bodies, int body)
{
    const double* m = bodies->inverse[body];
    return m[0] != 0.0 || m[1] != 0.0 || m[4] != 0.0 || m[6] != 0.0;
}

// The shape for these rows; true when it had to be found anew.
bool rv_structure_update(rvStructure* structure, const rvRows* rows, const rvSolveBodies* bodies);

// Elimination order of an island and the below lists of its columns (as group indices, unsorted), by minimum degree.
// Writes columns from `firstColumn` on, uses `below` from *belowCount on. False: the lists or S do not fit.
bool rv_order_island(rvStructure* structure, const int* groups, int groupCount, int firstColumn, int* belowCount,
                     size_t* size);
