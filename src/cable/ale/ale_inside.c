// SPDX-License-Identifier: MIT
// Rows of touches that stay inside rope that flows (row.h, touch.h): as those of elements that do not flow
// (fe_inside.c), on all falls and their flows together.
#include "cable/ale/ale_rope.h"

static void apply(void* object, const double* x, double* y)
{
    rvAleRope* rope = object;
    double factor = rv_ale_port_factor(rope->ale);
    rv_ale_hold_clear(rope->ale);
    for (int row = 0; row < rope->rowCount; ++row)
        if (x[row] != 0.0)
            rv_ale_hold_add(rope->ale, &rope->ports[row], factor * x[row]);
    rv_ale_hold_solve(rope->ale, false);
    for (int row = 0; row < rope->rowCount; ++row)
        y[row] = rv_ale_hold_read(rope->ale, &rope->ports[row]);
    for (int row = 0; row < rope->touches.width; ++row)
        y[row] += rope->touches.more[row] * x[row];
    rv_ale_wheels_apply(rope, x, y);
}

void rv_ale_inside_stiffen(rvAleRope* rope, bool all, double soft)
{
    rvAle* ale = rope->ale;
    double factor = rv_ale_port_factor(ale);
    rv_ale_hold_begin(ale);
    for (int k = 0; k < rope->touches.list.count; ++k) {
        const rvFeTouch* touch = &rope->touches.list.items[k];
        if ((!touch->inside && !all) || !(touch->held[0] || touch->held[1] || touch->held[2]))
            continue;
        rv_touch_add_springs(touch, ale->falls[touch->fall].ancf, soft, factor, ale->falls[touch->fall].hold.slots);
        for (int part = 0; part < 3; ++part)
            if (touch->held[part])
                rv_ale_hold_spring(ale, &rope->ports[touch->row + part],
                                   factor * rv_touch_stiffness(touch, part, soft));
    }
    rv_ale_hold_factor(ale);
}

static const double* hold(void* object, const int8_t* masked, double soft)
{
    rvAleRope* rope = object;
    rvAleTouches* t = &rope->touches;
    double factor = rv_ale_port_factor(rope->ale);
    for (int k = 0; k < t->list.count; ++k)
        for (int part = 0; part < 3 && t->list.items[k].inside; ++part)
            t->list.items[k].held[part] = !masked[t->list.items[k].row + part];
    t->soft = soft;
    rv_ale_inside_stiffen(rope, false, soft);
    for (int j = 0; j < t->width; ++j) {
        rv_ale_hold_clear(rope->ale);
        rv_ale_hold_add(rope->ale, &rope->ports[j], factor);
        rv_ale_hold_solve(rope->ale, true);
        for (int i = 0; i < t->width; ++i)
            t->block[i * t->width + j] = rv_ale_hold_read(rope->ale, &rope->ports[i]);
        t->block[j * t->width + j] += t->more[j];
    }
    rv_ale_wheels_couple(rope, t->block, t->width);
    return t->block;
}

// What springs do whose rows have the right side r.
static void push_springs(rvAleRope* rope, const double* r)
{
    double factor = rv_ale_port_factor(rope->ale);
    for (int k = 0; k < rope->touches.list.count; ++k) {
        const rvFeTouch* touch = &rope->touches.list.items[k];
        for (int part = 0; part < 3 && touch->inside; ++part)
            if (touch->held[part])
                rv_ale_hold_add(rope->ale, &rope->ports[touch->row + part],
                                factor * rv_touch_stiffness(touch, part, rope->touches.soft) * r[touch->row + part]);
    }
}

static void reduce(void* object, double* right)
{
    rvAleRope* rope = object;
    rv_ale_hold_clear(rope->ale);
    push_springs(rope, right);
    rv_ale_hold_solve(rope->ale, true);
    for (int row = 0; row < rope->touches.width; ++row)
        right[row] -= rv_ale_hold_read(rope->ale, &rope->ports[row]);
}

static void complete(void* object, double* x)
{
    rvAleRope* rope = object;
    const rvAleTouches* t = &rope->touches;
    if (t->width > 0) {
        rv_ale_hold_clear(rope->ale);
        push_springs(rope, x);
        for (int row = 0; row < t->width; ++row)
            rv_ale_hold_add(rope->ale, &rope->ports[row], rv_ale_port_factor(rope->ale) * x[row]);
        rv_ale_hold_solve(rope->ale, true);
    }
    for (int k = 0; k < t->list.count; ++k) {
        const rvFeTouch* touch = &t->list.items[k];
        for (int part = 0; part < 3 && touch->inside; ++part) {
            double* y = &x[touch->row + part];
            double off = *y - rv_ale_hold_read(rope->ale, &rope->ports[touch->row + part]);
            *y = touch->held[part] ? rv_touch_stiffness(touch, part, t->soft) * off : 0.0;
        }
    }
}

void rv_ale_inside_number(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    rvAleTouches* t = &rope->touches;
    t->inside = (rvInside){.object = rope, .apply = apply, .hold = hold, .reduce = reduce, .complete = complete};
    int first = rope->rowCount - 3 * t->list.count;
    t->inside.count = rv_touches_number(&t->list, bodies, first, !cable->dense);
    if (rope->rowCount - t->inside.count > RV_ALE_WIDEST)
        t->inside.count = rv_touches_number(&t->list, bodies, first, false);
    t->width = rope->rowCount - t->inside.count;
    for (int k = 0; k < t->list.count; ++k)
        for (int part = 0; part < 3; ++part)
            rope->ports[t->list.items[k].row + part] =
                (rvAlePort){.fall = t->list.items[k].fall, .point = &t->points[3 * k + part]};
}

void rv_ale_inside_write(rvCable* cable, bool atRest, rvRows* rows)
{
    rvAleRope* rope = cable->rope;
    rvAleTouches* t = &rope->touches;
    rvRow* row = rv_group_rows(rows, cable->group);
    for (int k = 0; k < t->list.count; ++k) {
        rvFeTouch* touch = &t->list.items[k];
        const rvAncf* ancf = rope->ale->falls[touch->fall].ancf;
        if (!atRest)
            rv_touch_find_gives(touch, ancf, ancf->plain, rv_ale_port_factor(rope->ale));
        for (int part = 0; part < 3; ++part) {
            int r = touch->row + part;
            if (touch->inside)
                rope->places[r] = rv_ale_port_place(rope->ale, &rope->ports[r]);
            t->moved[3 * k + part] = rope->places[r];
            row[r].compliance = touch->gives[part];
        }
    }
    rows->groups[cable->group].inside = t->inside.count > 0 ? &t->inside : NULL;
}

void rv_ale_inside_take(rvAleRope* rope)
{
    if (rope->touches.inside.count == 0)
        return;
    rv_ale_hold_clear(rope->ale);
    for (int row = rope->touches.width; row < rope->rowCount; ++row)
        rv_ale_hold_add(rope->ale, &rope->ports[row], rope->forces[row]);
    rv_ale_hold_solve(rope->ale, false);
    rv_ale_hold_take(rope->ale);
}
