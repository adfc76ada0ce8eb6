// SPDX-License-Identifier: MIT
// Sorting, ranks, correlation, share of variance.
#include "sweep/statistic.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

void rv_sort(double* values, int64_t count)
{
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
}

double rv_sorted_quantile(const double* sorted, int64_t count, double share)
{
    if (count == 0)
        return (double)NAN;
    double position = share * (double)(count - 1);
    int64_t below = (int64_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

rvColumnStatistic rv_statistic(const double* sorted, int64_t count)
{
    rvColumnStatistic s = {.count = count};
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < count; ++i)
        sum += sorted[i];
    s.mean = count > 0 ? sum / (double)count : (double)NAN;
    for (int64_t i = 0; i < count; ++i)
        squares += (sorted[i] - s.mean) * (sorted[i] - s.mean);
    s.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : (double)NAN;
    s.min = rv_sorted_quantile(sorted, count, 0.0);
    s.low = rv_sorted_quantile(sorted, count, 0.05);
    s.median = rv_sorted_quantile(sorted, count, 0.5);
    s.high = rv_sorted_quantile(sorted, count, 0.95);
    s.max = rv_sorted_quantile(sorted, count, 1.0);
    return s;
}

typedef struct {
    double value;
    int64_t index;
} Ranked;

static int compare_ranked(const void* a, const void* b)
{
    const Ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->index > y->index) - (x->index < y->index);
}

bool rv_ranks(const double* values, int64_t count, double* ranks)
{
    Ranked* order = malloc((size_t)(count + 1) * sizeof *order);
    if (!order)
        return false;
    for (int64_t i = 0; i < count; ++i)
        order[i] = (Ranked){.value = values[i], .index = i};
    qsort(order, (size_t)count, sizeof *order, compare_ranked);
    for (int64_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && order[next].value == order[first].value;)
            ++next;
        for (int64_t i = first; i < next; ++i)
            ranks[order[i].index] = 0.5 * (double)(first + 1 + next);
    }
    free(order);
    return true;
}

double rv_correlation(const double* a, const double* b, int64_t count)
{
    double meanA = 0.0, meanB = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        meanA += a[i] / (double)count;
        meanB += b[i] / (double)count;
    }
    for (int64_t i = 0; i < count; ++i) {
        aa += (a[i] - meanA) * (a[i] - meanA);
        bb += (b[i] - meanB) * (b[i] - meanB);
        ab += (a[i] - meanA) * (b[i] - meanB);
    }
    return aa > 0.0 && bb > 0.0 ? ab / sqrt(aa * bb) : 0.0;
}

double rv_first_order_index(const double* xRanks, const double* y, int64_t count)
{
    enum { GROUPS_MAX = 32 };
    int groups = count / 10 < GROUPS_MAX ? (int)(count / 10) : GROUPS_MAX;
    double sums[GROUPS_MAX] = {0}, mean = 0.0, total = 0.0, between = 0.0;
    int64_t sizes[GROUPS_MAX] = {0};
    if (groups < 2)
        return (double)NAN;
    for (int64_t i = 0; i < count; ++i) {
        // equal values have one rank and so one group
        int group = (int)((xRanks[i] - 0.5) / (double)count * groups);
        group = group < groups ? group : groups - 1;
        sums[group] += y[i];
        sizes[group]++;
        mean += y[i] / (double)count;
    }
    int used = 0;
    for (int g = 0; g < groups; ++g) {
        if (sizes[g] == 0)
            continue;
        double offset = sums[g] / (double)sizes[g] - mean;
        between += (double)sizes[g] * offset * offset;
        ++used;
    }
    for (int64_t i = 0; i < count; ++i)
        total += (y[i] - mean) * (y[i] - mean);
    if (!(total > 0.0) || used < 2 || count <= used)
        return used < 2 || total <= 0.0 ? 0.0 : (double)NAN;
    double within = (total - between) / (double)(count - used);
    return fmin(fmax((between - (double)(used - 1) * within) / total, 0.0), 1.0);
}
