// SPDX-License-Identifier: MIT
// Values over time: straight lines between the rows of a table, constant before the first and after the last. Two rows
// at one time make a jump.
#include "scene/curve.h"
#include "scene/read.h"

#include <string.h>

static const double* row_at(const rvCurve* curve, int row)
{
    return curve->rows + (size_t)row * (size_t)(1 + curve->width);
}

// The last row that is not after `time`, or -1.
static int find_row(const rvCurve* curve, double time)
{
    int low = 0, high = curve->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (row_at(curve, middle)[0] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

void rv_curve_at(const rvCurve* curve, double time, double* value)
{
    int row = find_row(curve, time);
    const double* from = row_at(curve, row < 0 ? 0 : row);
    if (row < 0 || row == curve->count - 1) {
        memcpy(value, from + 1, (size_t)curve->width * sizeof *value);
        return;
    }
    const double* to = row_at(curve, row + 1);
    double s = (time - from[0]) / (to[0] - from[0]);
    if (curve->width == 4) {
        rvQuat a = {from[1], from[2], from[3], from[4]}, b = {to[1], to[2], to[3], to[4]};
        rvVec3 turn = rvQuatToRotation(rvQuatMul(rvQuatConj(a), b));
        rvQuat q = rvQuatNormalize(rvQuatMul(a, rvQuatFromRotation(rvScale(s, turn))));
        value[0] = q.w, value[1] = q.x, value[2] = q.y, value[3] = q.z;
        return;
    }
    for (int i = 0; i < curve->width; ++i)
        value[i] = from[1 + i] + s * (to[1 + i] - from[1 + i]);
}

void rv_curve_mean(const rvCurve* curve, double start, double end, double* value)
{
    double middle[RV_CURVE_MAX_WIDTH];
    memset(value, 0, (size_t)curve->width * sizeof *value);
    double from = start;
    for (int row = find_row(curve, start) + 1; from < end; ++row) {
        double to = row < curve->count && row_at(curve, row)[0] < end ? row_at(curve, row)[0] : end;
        // on a straight piece the mean is the value in the middle
        rv_curve_at(curve, 0.5 * (from + to), middle);
        for (int i = 0; i < curve->width && to > from; ++i)
            value[i] += middle[i] * (to - from) / (end - start);
        from = to;
    }
}

static bool read_value(rvReader* reader, const rvNode* node, const char* unit, int width, double* value)
{
    static const rvRange free = {-HUGE_VAL, HUGE_VAL, false};
    if (width == 1)
        return rv_read_number(reader, node, unit, &free, false, value);
    if (width == 3)
        return rv_read_numbers(reader, node, unit, &free, value, 3);
    rvQuat q;
    if (!rv_read_orientation(reader, node, &q))
        return false;
    value[0] = q.w, value[1] = q.x, value[2] = q.y, value[3] = q.z;
    return true;
}

bool rv_read_curve(rvReader* reader, const rvNode* node, const char* unit, int width, rvCurve* curve)
{
    static const rvRange times = {-HUGE_VAL, HUGE_VAL, false};
    bool table = node->kind == RV_NODE_LIST && node->first && node->first->kind == RV_NODE_LIST;
    int count = table ? node->count : 1, stride = 1 + width;
    double* rows = rv_arena_take_array(&reader->scene->arena, (size_t)count * (size_t)stride, sizeof *rows);
    if (!rows)
        return false;
    curve->rows = rows;
    curve->count = count;
    curve->width = width;
    if (!table && width == 1 && node->kind == RV_NODE_LIST)
        return rv_reader_mistake(reader, node, "is %s, expected a number in %s or rows [[time, value], ...]",
                                 node->first ? "a list of numbers" : "an empty list", unit);
    if (!table)
        return read_value(reader, node, unit, width, rows + 1);
    int i = 0;
    for (const rvNode* item = node->first; item; item = item->next, ++i, rows += stride) {
        size_t outer = rv_reader_enter(reader, "[%d]", i);
        bool good = true;
        if (item->kind != RV_NODE_LIST || item->count != 2)
            good = rv_reader_mistake(reader, item, "expected a row [time, value]");
        else
            good = rv_read_number(reader, item->first, "s", &times, false, &rows[0]) &&
                   read_value(reader, item->first->next, unit, width, rows + 1);
        if (good && i > 0 && rows[0] < rows[-stride])
            good = rv_reader_mistake(reader, item, "its time is before that of the row above");
        rv_reader_leave(reader, outer);
        if (!good)
            return false;
    }
    return true;
}
