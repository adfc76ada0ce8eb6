// SPDX-License-Identifier: MIT
// Intervals on a line, sorted, so that those which overlap another are found without a look at all of them.
#pragma once

#include <stdbool.h>

typedef struct {
    double low, high;
    double reach; // the largest `high` up to here
    int id;
} rvInterval;

static inline bool rv_interval_before(const rvInterval* a, const rvInterval* b)
{
    return a->low < b->low || (a->low == b->low && a->id < b->id);
}

// Sorts by `low` (heap sort: in place, the same for every order that it began with) and finds the reaches.
static inline void rv_intervals_sort(rvInterval* a, int count)
{
    for (int end = count, root = count / 2; end > 1;) {
        rvInterval moved;
        if (root > 0) {
            moved = a[--root];
        } else {
            moved = a[--end];
            a[end] = a[0];
        }
        int at = root, child;
        while ((child = 2 * at + 1) < end) {
            if (child + 1 < end && rv_interval_before(&a[child], &a[child + 1]))
                child += 1;
            if (!rv_interval_before(&moved, &a[child]))
                break;
            a[at] = a[child];
            at = child;
        }
        a[at] = moved;
    }
    for (int i = 0; i < count; ++i)
        a[i].reach = i > 0 && a[i - 1].reach > a[i].high ? a[i - 1].reach : a[i].high;
}

// The ids of those that overlap low..high, ascending. Answers how many, or -1: more than there is room for.
static inline int rv_intervals_find(const rvInterval* a, int count, double low, double high, int* ids, int room)
{
    int first = 0, last = count; // the first that begins beyond
    while (first < last) {
        int middle = (first + last) / 2;
        if (a[middle].low <= high)
            first = middle + 1;
        else
            last = middle;
    }
    int found = 0;
    for (int i = first - 1; i >= 0 && a[i].reach >= low; --i) {
        if (a[i].high < low)
            continue;
        if (found == room)
            return -1;
        int at = found++;
        for (; at > 0 && ids[at - 1] > a[i].id; --at)
            ids[at] = ids[at - 1];
        ids[at] = a[i].id;
    }
    return found;
}
