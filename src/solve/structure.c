// SPDX-License-Identifier: MIT
// Islands by union of the groups that share a pushed body; then order, below lists and slot lists of each.
#include "solve/structure.h"

#include <string.h>

// Is the shape that of the last step? Remembers the new one on the way.
static bool remember(rvStructure* s, const rvRows* rows, const rvSolveBodies* bodies)
{
    bool same = s->known && s->groupCount == rows->groupCount && s->slotCount == rows->slotCount &&
                s->bodyCount == bodies->count;
    for (int g = 0; g < rows->groupCount; ++g) {
        const rvRowGroup* group = &rows->groups[g];
        rvGroupKey* key = &s->groupKeys[g];
        same = same && key->firstRow == group->firstRow && key->rowCount == group->rowCount &&
               key->width == rv_group_width(group) && key->firstSlot == group->firstSlot &&
               key->slotCount == group->slotCount;
        *key =
            (rvGroupKey){group->firstRow, group->rowCount, rv_group_width(group), group->firstSlot, group->slotCount};
        for (int i = group->firstSlot; i < group->firstSlot + group->slotCount; ++i) {
            int body = rows->slots[i].body;
            // a group without rows on bodies joins nothing
            int slotKey = 2 * body + (rv_group_width(group) > 0 && rv_is_pushed(bodies, body) ? 1 : 0);
            same = same && s->slotKeys[i] == slotKey;
            s->slotKeys[i] = slotKey;
        }
    }
    s->groupCount = rows->groupCount;
    s->slotCount = rows->slotCount;
    s->bodyCount = bodies->count;
    s->known = true;
    return same;
}

// The groups of each pushed body, as first elements of the ordering.
static void list_groups(rvStructure* s)
{
    memset(s->listCount, 0, (size_t)s->bodyCount * sizeof(int));
    memset(s->listWeight, 0, (size_t)s->bodyCount * sizeof(int));
    memset(s->outsideMark, 0, (size_t)s->bodyCount * sizeof(int));
    for (int i = 0; i < s->slotCount; ++i)
        s->listCount[s->slotKeys[i] >> 1] += s->slotKeys[i] & 1;
    int next = 0;
    for (int b = 0; b < s->bodyCount; ++b) {
        s->bodyFirst[b] = next;
        s->listFirst[b] = next;
        next += s->listCount[b];
        s->listCount[b] = 0;
    }
    s->bodyFirst[s->bodyCount] = next;
    for (int g = 0; g < s->groupCount; ++g) {
        const rvGroupKey* key = &s->groupKeys[g];
        for (int i = key->firstSlot; i < key->firstSlot + key->slotCount; ++i) {
            int body = s->slotKeys[i] >> 1;
            if (!(s->slotKeys[i] & 1))
                continue;
            s->bodyGroups[s->listFirst[body] + s->listCount[body]++] = g;
            s->listWeight[body] += key->width;
        }
    }
}

static int find_root(int* parent, int g)
{
    while (parent[g] != g) {
        parent[g] = parent[parent[g]];
        g = parent[g];
    }
    return g;
}

// Numbers the islands by their first group and lists their groups one island after the other.
static void find_islands(rvStructure* s)
{
    int* parent = s->mark;
    for (int g = 0; g < s->groupCount; ++g)
        parent[g] = g;
    for (int b = 0; b < s->bodyCount; ++b)
        for (int i = 1; i < s->listCount[b]; ++i) {
            int a = find_root(parent, s->bodyGroups[s->listFirst[b]]);
            int c = find_root(parent, s->bodyGroups[s->listFirst[b] + i]);
            parent[a > c ? a : c] = a > c ? c : a;
        }
    s->islandCount = 0;
    for (int g = 0; g < s->groupCount; ++g) {
        int root = find_root(parent, g);
        if (root == g) {
            s->islandOf[g] = s->islandCount;
            s->islands[s->islandCount++] = (rvIsland){0};
        }
        s->islandOf[g] = s->islandOf[root];
        ++s->islands[s->islandOf[g]].columnCount;
    }
    int next = 0;
    for (int i = 0; i < s->islandCount; ++i) {
        s->islands[i].firstColumn = next;
        next += s->islands[i].columnCount;
    }
    for (int g = 0; g < s->groupCount; ++g)
        s->islandGroups[s->islands[s->islandOf[g]].firstColumn++] = g;
    for (int i = 0; i < s->islandCount; ++i)
        s->islands[i].firstColumn -= s->islands[i].columnCount;
}

static void sift(int* items, int start, int count)
{
    int item = items[start];
    for (;;) {
        int child = 2 * start + 1;
        if (child >= count)
            break;
        if (child + 1 < count && items[child + 1] > items[child])
            ++child;
        if (items[child] <= item)
            break;
        items[start] = items[child];
        start = child;
    }
    items[start] = item;
}

// Heap sort: the library's qsort may take memory.
static void sort(int* items, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i)
        sift(items, i, count);
    for (int i = count - 1; i > 0; --i) {
        int last = items[i];
        items[i] = items[0];
        items[0] = last;
        sift(items, 0, i);
    }
}

// Without room for S the columns stand in the order of the groups and meet nothing.
static void list_columns_only(rvStructure* s, const rvIsland* island)
{
    for (int i = 0; i < island->columnCount; ++i) {
        int g = s->islandGroups[island->firstColumn + i];
        const rvGroupKey* key = &s->groupKeys[g];
        s->columns[island->firstColumn + i] =
            (rvColumn){g, key->firstRow, key->rowCount, key->width, key->firstSlot, key->slotCount, 0, 0, 0};
    }
}

static void finish_island(rvStructure* s, const rvIsland* island)
{
    int end = island->firstColumn + island->columnCount;
    for (int c = island->firstColumn; c < end; ++c)
        s->columnOf[s->columns[c].group] = c;
    int done = 0; // lists may share their ends (see order.c): what stands before it is finished
    for (int c = island->firstColumn; c < end; ++c) {
        const rvColumn* column = &s->columns[c];
        if (column->firstBelow < done)
            continue;
        int* below = s->below + column->firstBelow;
        for (int i = 0; i < column->belowCount; ++i)
            below[i] = s->columnOf[below[i]];
        sort(below, column->belowCount);
        done = column->firstBelow + column->belowCount;
    }
}

static void list_slots(rvStructure* s)
{
    int* next = s->outside;
    memcpy(next, s->bodyFirst, (size_t)s->bodyCount * sizeof(int));
    for (int c = 0; c < s->groupCount; ++c)
        for (int i = s->columns[c].firstSlot; i < s->columns[c].firstSlot + s->columns[c].slotCount; ++i) {
            int body = s->slotKeys[i] >> 1;
            s->slotColumn[i] = c;
            s->slotPlace[i] = -1;
            if (s->slotKeys[i] & 1) {
                s->slotPlace[i] = next[body];
                s->bodySlots[next[body]++] = i;
            }
        }
}

bool rv_structure_update(rvStructure* s, const rvRows* rows, const rvSolveBodies* bodies)
{
    if (remember(s, rows, bodies))
        return false;
    list_groups(s);
    find_islands(s);
    int belowCount = 0;
    for (int i = 0; i < s->islandCount; ++i) {
        rvIsland* island = &s->islands[i];
        island->fits = rv_order_island(s, s->islandGroups + island->firstColumn, island->columnCount,
                                       island->firstColumn, &belowCount, &island->size);
        if (!island->fits)
            list_columns_only(s, island);
        finish_island(s, island);
    }
    list_slots(s);
    return true;
}
