// SPDX-License-Identifier: MIT
// Insertion sort: from step to step the order hardly changes, so that a step costs about one pass. The axis is the one
// along which the boxes are spread most.
#include "contact/broad.h"

static double low_of(const rvShape* shape, int axis)
{
    return axis == 0 ? shape->low.x : axis == 1 ? shape->low.y : shape->low.z;
}

static double high_of(const rvShape* shape, int axis)
{
    return axis == 0 ? shape->high.x : axis == 1 ? shape->high.y : shape->high.z;
}

bool rv_broad_reserve(rvBroad* broad, rvMemory* memory, const rvShapeStore* shapes)
{
    int room = shapes->pool.count;
    if (!rv_memory_grow(memory, (void**)&broad->order, &broad->orderCapacity, room, sizeof(int)) ||
        !rv_memory_grow(memory, (void**)&broad->planes, &broad->planeCapacity, room, sizeof(int)))
        return false;
    broad->count = broad->planeCount = 0;
    for (int i = 0; i < shapes->pool.count; ++i) {
        if (!rv_id_pool_alive(&shapes->pool, i))
            continue;
        if (shapes->items[i].type == RV_SHAPE_PLANE)
            broad->planes[broad->planeCount++] = i;
        else
            broad->order[broad->count++] = i;
    }
    return true;
}

void rv_broad_release(rvBroad* broad, rvMemory* memory)
{
    rv_memory_give(memory, broad->order, (size_t)broad->orderCapacity * sizeof(int));
    rv_memory_give(memory, broad->planes, (size_t)broad->planeCapacity * sizeof(int));
    *broad = (rvBroad){0};
}

static int drop_dead(int* list, int count, const rvShapeStore* shapes)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (rv_id_pool_alive(&shapes->pool, list[i]))
            list[kept++] = list[i];
    return kept;
}

static double spread(const rvBroad* broad, const rvShapeStore* shapes, int axis)
{
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < broad->count; ++i) {
        const rvShape* shape = &shapes->items[broad->order[i]];
        sum += low_of(shape, axis) + high_of(shape, axis);
    }
    double twice = broad->count > 0 ? sum / broad->count : 0.0; // the mean of the centres, twice
    for (int i = 0; i < broad->count; ++i) {
        const rvShape* shape = &shapes->items[broad->order[i]];
        double away = low_of(shape, axis) + high_of(shape, axis) - twice;
        square += away * away;
    }
    return square;
}

static void choose_axis(rvBroad* broad, const rvShapeStore* shapes)
{
    double best = spread(broad, shapes, broad->axis);
    for (int i = 1, had = broad->axis; i < 3; ++i) {
        int axis = (had + i) % 3;
        double other = spread(broad, shapes, axis);
        // 4: a change costs a full sort, so it must be worth it
        if (other > 4.0 * best) {
            best = other;
            broad->axis = axis;
        }
    }
}

static void sort(rvBroad* broad, const rvShapeStore* shapes)
{
    for (int i = 1; i < broad->count; ++i) {
        int shape = broad->order[i];
        double low = low_of(&shapes->items[shape], broad->axis);
        int k = i;
        for (; k > 0 && low_of(&shapes->items[broad->order[k - 1]], broad->axis) > low; --k)
            broad->order[k] = broad->order[k - 1];
        broad->order[k] = shape;
    }
}

static bool boxes_meet(const rvShape* a, const rvShape* b)
{
    return a->low.x <= b->high.x && a->high.x >= b->low.x && a->low.y <= b->high.y && a->high.y >= b->low.y &&
           a->low.z <= b->high.z && a->high.z >= b->low.z;
}

// Is any corner of the box below the plane; each box has half of the margin already.
static bool plane_meets(const rvShape* plane, const rvShape* other)
{
    rvVec3 n = rvRotate(plane->pose.q, rvVec(0, 0, 1));
    rvVec3 deepest = rvVec(n.x > 0.0 ? other->low.x : other->high.x, n.y > 0.0 ? other->low.y : other->high.y,
                           n.z > 0.0 ? other->low.z : other->high.z);
    return rvDot(n, rvSub(deepest, plane->pose.p)) <= RV_CONTACT_MARGIN;
}

void rv_broad_visit(rvBroad* broad, const rvShapeStore* shapes, rvPairFn visit, void* context)
{
    broad->count = drop_dead(broad->order, broad->count, shapes);
    broad->planeCount = drop_dead(broad->planes, broad->planeCount, shapes);
    if (broad->count == 0)
        return;
    choose_axis(broad, shapes);
    sort(broad, shapes);
    for (int i = 0; i < broad->count; ++i) {
        const rvShape* a = &shapes->items[broad->order[i]];
        double high = high_of(a, broad->axis);
        for (int k = i + 1; k < broad->count; ++k) {
            const rvShape* b = &shapes->items[broad->order[k]];
            if (low_of(b, broad->axis) > high)
                break;
            if (boxes_meet(a, b))
                visit(broad->order[i], broad->order[k], context);
        }
        for (int k = 0; k < broad->planeCount; ++k)
            if (plane_meets(&shapes->items[broad->planes[k]], a))
                visit(broad->planes[k], broad->order[i], context);
    }
}
