// SPDX-License-Identifier: MIT
// Rows of touches that stay inside a cable of finite elements (row.h, touch.h): those on bodies that nothing pushes,
// the ground most of all. What the solver asks for is a solve of the elements each, so a rope that lies costs as many
// elements as it has, and not the cube.
#include "cable/fe/fe.h"

static double* vector_of(const rvFe* fe, int i)
{
    return fe->columns + (size_t)(3 * fe->touchCapacity + i) * (size_t)(fe->ancf->dofCount + 6);
}

static double* held_column(const rvFe* fe, int row)
{
    return fe->heldColumns + (size_t)row * (size_t)(fe->ancf->dofCount + 6);
}

// x += A^T y of the rows that are not inside, and of touches inside.
static void add_row(const rvFe* fe, int row, double y, double* x)
{
    if (row < fe->rowCount) {
        x[rv_ancf_port_dof(fe->ancf, row)] += y;
        return;
    }
    const rvFeTouch* touch = &fe->touches[fe->outer[(row - fe->rowCount) / 3]];
    rv_touch_spread(touch, rvScale(y, rv_touch_direction(touch, (row - fe->rowCount) % 3)), x);
}

static double read_row(const rvFe* fe, int row, const double* x)
{
    if (row < fe->rowCount)
        return x[rv_ancf_port_dof(fe->ancf, row)];
    const rvFeTouch* touch = &fe->touches[fe->outer[(row - fe->rowCount) / 3]];
    return rvDot(rv_touch_direction(touch, (row - fe->rowCount) % 3), rv_touch_at(touch, x));
}

static void apply(void* object, const double* x, double* y)
{
    const rvFe* fe = object;
    double *u = vector_of(fe, 0), factor = rv_ancf_port_factor(fe->ancf);
    memset(u, 0, (size_t)(fe->ancf->dofCount + 6) * sizeof(double));
    for (int row = 0; row < fe->width; ++row)
        add_row(fe, row, x[row], u);
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        if (!touch->inside)
            continue;
        rvVec3 force = rvVec(0, 0, 0);
        for (int part = 0; part < 3; ++part)
            force = rvMulAdd(force, x[touch->row + part], rv_touch_direction(touch, part));
        rv_touch_spread(touch, force, u);
    }
    rv_ancf_solve(fe->ancf, fe->ancf->slots, u);
    for (int row = 0; row < fe->width; ++row)
        y[row] = factor * read_row(fe, row, u);
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        rvVec3 at = rv_touch_at(touch, u);
        for (int part = 0; part < 3 && touch->inside; ++part)
            y[touch->row + part] = factor * rvDot(rv_touch_direction(touch, part), at);
    }
}

void rv_fe_stiffen(rvFe* fe, bool all, double soft)
{
    const rvAncf* ancf = fe->ancf;
    double factor = rv_ancf_port_factor(ancf);
    memcpy(fe->stiff, ancf->plain, ((size_t)ancf->slotCount + 1) * sizeof *fe->stiff);
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        if ((touch->inside || all) && (touch->held[0] || touch->held[1] || touch->held[2]))
            rv_touch_add_springs(touch, ancf, soft, factor, fe->stiff);
    }
    rv_ancf_factor(ancf, fe->stiff);
}

static const double* hold(void* object, const int8_t* masked, double soft)
{
    rvFe* fe = object;
    double factor = rv_ancf_port_factor(fe->ancf);
    for (int k = 0; k < fe->touchCount; ++k)
        for (int part = 0; part < 3 && fe->touches[k].inside; ++part)
            fe->touches[k].held[part] = !masked[fe->touches[k].row + part];
    fe->soft = soft;
    rv_fe_stiffen(fe, false, soft);
    int n = fe->width;
    for (int j = 0; j < n; j += RV_ANCF_SOLVED) {
        double* x[RV_ANCF_SOLVED];
        int count = n - j < RV_ANCF_SOLVED ? n - j : RV_ANCF_SOLVED;
        for (int i = 0; i < count; ++i) {
            x[i] = held_column(fe, j + i);
            memset(x[i], 0, (size_t)(fe->ancf->dofCount + 6) * sizeof(double));
            add_row(fe, j + i, 1.0, x[i]);
        }
        rv_ancf_solve_several(fe->ancf, fe->stiff, x, x, count);
        for (int i = 0; i < count; ++i)
            for (int row = 0; row < n; ++row)
                fe->widthBlock[row * n + j + i] = factor * read_row(fe, row, x[i]);
    }
    return fe->widthBlock;
}

static void reduce(void* object, double* right)
{
    const rvFe* fe = object;
    double *u = vector_of(fe, 1), factor = rv_ancf_port_factor(fe->ancf);
    memset(u, 0, (size_t)(fe->ancf->dofCount + 6) * sizeof(double));
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        if (!touch->inside)
            continue;
        rvVec3 force = rvVec(0, 0, 0);
        for (int part = 0; part < 3; ++part)
            if (touch->held[part])
                force = rvMulAdd(force, factor * rv_touch_stiffness(touch, part, fe->soft) * right[touch->row + part],
                                 rv_touch_direction(touch, part));
        rv_touch_spread(touch, force, u);
    }
    rv_ancf_solve(fe->ancf, fe->stiff, u);
    for (int row = 0; row < fe->width; ++row)
        right[row] -= read_row(fe, row, u);
}

static void complete(void* object, double* x)
{
    const rvFe* fe = object;
    double *u = vector_of(fe, 1), factor = rv_ancf_port_factor(fe->ancf);
    for (int row = 0; row < fe->width; ++row) {
        const double* column = held_column(fe, row);
        for (int i = 0; x[row] != 0.0 && i < fe->ancf->dofCount; ++i)
            u[i] += factor * x[row] * column[i];
    }
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        rvVec3 at = rv_touch_at(touch, u);
        for (int part = 0; part < 3 && touch->inside; ++part) {
            double* y = &x[touch->row + part];
            double off = *y - rvDot(rv_touch_direction(touch, part), at);
            *y = touch->held[part] ? rv_touch_stiffness(touch, part, fe->soft) * off : 0.0;
        }
    }
}

void rv_fe_write_compliance(const rvCable* cable, rvRows* rows)
{
    const rvFe* fe = cable->fe;
    rvRow* row = rv_group_rows(rows, cable->group);
    for (int i = 0; i < fe->width; ++i)
        row[i].compliance = cable->fe->block[i * fe->width + i];
    for (int k = 0; k < fe->touchCount; ++k)
        for (int part = 0; part < 3 && fe->touches[k].inside; ++part)
            row[fe->touches[k].row + part].compliance = fe->touches[k].gives[part];
    rows->groups[cable->group].block = cable->fe->block;
    rows->groups[cable->group].inside = fe->inside.count > 0 ? &fe->inside : NULL;
}

int rv_fe_number_rows(rvCable* cable, const rvBodyStore* bodies)
{
    rvFe* fe = cable->fe;
    rvTouches touches = {.items = fe->touches, .count = fe->touchCount};
    int all = fe->rowCount + 3 * fe->touchCount;
    fe->inside = (rvInside){.object = fe, .apply = apply, .hold = hold, .reduce = reduce, .complete = complete};
    fe->inside.count = rv_touches_number(&touches, bodies, fe->rowCount, !cable->dense);
    if (all - fe->inside.count > RV_FE_WIDEST)
        fe->inside.count = rv_touches_number(&touches, bodies, fe->rowCount, false);
    fe->width = all - fe->inside.count;
    for (int k = 0; k < fe->touchCount; ++k)
        if (!fe->touches[k].inside)
            fe->outer[(fe->touches[k].row - fe->rowCount) / 3] = k;
    return all;
}
