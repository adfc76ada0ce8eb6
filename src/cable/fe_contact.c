// SPDX-License-Identifier: MIT
// Finite elements against shapes: nodes and middles of elements are balls of the cable's thickness.
//
// A contact at the point S q of the cable, S the shape functions there, with the normal n out of the shape: the gap at the end
// of the step is n.(S q1) - R - n.(surface + h v'). With y >= 0 the impulse on the body along -n and the force on the cable
// l = cM h y along n, as at a port (model_ancf.c), the row is
//   -n.v' + C y - bias = gap/h >= 0,   bias = (R + n.surface - n.S(p + d))/h
// and two rows along the surface, |y| <= mu y_n, that hold the point where it was: bias = t.S(p + d - q)/h. The rows of
// contacts and ports share the dense block cM P H^-1 P^T. A row on positions makes the elements' rule throw back what it
// stops (its velocity would change by gam/bet, 1.9 times): so where a contact holds, velocity and accelerations of the point
// are then set to those of the body, by the same columns H^-1 P^T: impacts are inelastic. A body that is touched gets the
// force's mean over four steps (of a prescribed one that is the wrench that is read); what is still to come stays in a list by
// body, and runs out when the contact is gone.
#include "cable/fe.h"

#include "contact/narrow.h"
#include "math/cholesky.h"

// Points of the cable: nodes, and middles of elements.
static int sample_count(const rvFe* fe)
{
    return 2 * fe->ancf->elementCount + 1;
}

static void place_sample(rvFeTouch* touch, const rvAncf* ancf, int i)
{
    touch->element = i / 2 < ancf->elementCount ? i / 2 : ancf->elementCount - 1;
    double xi = 0.5 * (i - 2 * touch->element);
    rv_ancf_shape(xi, ancf->elements[touch->element].length, touch->shape);
}

static rvVec3 at(const rvFeTouch* touch, const double* q)
{
    double x[3];
    rv_ancf_blend(q, touch->element, touch->shape, x);
    return rvVec(x[0], x[1], x[2]);
}

static bool grips(const rvFe* fe, int body)
{
    for (int k = 0; k < fe->gripCount; ++k)
        if (fe->grips[k].body == body && body >= 0)
            return true;
    return false;
}

static bool is_apart(const rvShape* shape, rvVec3 x, double reach)
{
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    return x.x + reach < shape->low.x || x.x - reach > shape->high.x || x.y + reach < shape->low.y ||
           x.y - reach > shape->high.y || x.z + reach < shape->low.z || x.z - reach > shape->high.z;
}

static void add_touch(rvCable* cable, const rvBodyStore* bodies, const rvShape* shape, rvFeTouch touch,
                      const rvTouch* where, double radius)
{
    rvFe* fe = cable->fe;
    if (fe->touchCount == fe->touchCapacity) {
        cable->droppedContacts += 1;
        return;
    }
    const rvBody* body = shape->body >= 0 ? &bodies->items[shape->body] : NULL;
    bool moves = body && rv_body_moves(body);
    touch.normal = where->normal;
    rvVec3 center = at(&touch, fe->ancf->rt.p);
    touch.surface = rvDot(touch.normal, center) - radius + where->depth; // n . surface
    rvVec3 point = rvMulAdd(center, touch.surface - rvDot(touch.normal, center), touch.normal);
    touch.body = moves ? shape->body : -1;
    touch.arm = moves ? rvSub(point, body->state.x) : rvVec(0, 0, 0);
    touch.along[0] = rvAcross(touch.normal);
    touch.along[1] = rvCross(touch.normal, touch.along[0]);
    touch.friction = sqrt(cable->friction * shape->friction);
    fe->touches[fe->touchCount++] = touch;
}

void rv_fe_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvFe* fe = cable->fe;
    int before = fe->touchCount;
    fe->touchCount = cable->droppedContacts = 0;
    if (!fe->collides || cable->state.broken != 0.0)
        return;
    double radius = 0.5 * cable->diameter;
    for (int i = 0; i < sample_count(fe); ++i) {
        rvFeTouch touch = {0};
        place_sample(&touch, fe->ancf, i);
        rvVec3 center = at(&touch, fe->ancf->rt.p);
        double reach = radius + RV_CONTACT_MARGIN + h * rvLength(at(&touch, fe->ancf->v));
        for (int k = 0; k < shapes->pool.count; ++k) {
            const rvShape* shape = &shapes->items[k];
            if (!rv_id_pool_alive(&shapes->pool, k) || !(shape->group & cable->mask) ||
                !(cable->shapeGroup & shape->mask) || grips(fe, shape->body) || is_apart(shape, center, reach))
                continue;
            rvManifold manifold;
            rv_narrow_ball(shape, center, radius, &manifold);
            for (int t = 0; t < manifold.count; ++t)
                add_touch(cable, bodies, shape, touch, &manifold.touches[t], radius);
        }
    }
    cable->touched = fe->touchCount > before ? fe->touchCount - before : 0;
    cable->left = before > fe->touchCount ? before - fe->touchCount : 0;
}

static double* column(const rvFe* fe, int row)
{
    return fe->columns + (size_t)row * (size_t)(fe->ancf->dofCount + 6);
}

// Direction in which row `part` of a touch pushes a body.
static rvVec3 direction(const rvFeTouch* touch, int part)
{
    return part == 0 ? rvNeg(touch->normal) : touch->along[part - 1];
}

// S^T e into a vector of all dofs.
static void spread(const rvFeTouch* touch, rvVec3 e, double* x)
{
    const double c[3] = {e.x, e.y, e.z};
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i)
            x[6 * touch->element + 3 * k + i] = touch->shape[k] * c[i];
}

static double read_along(const rvFeTouch* touch, rvVec3 e, const double* x)
{
    return rvDot(e, at(touch, x));
}

void rv_fe_condense_touches(rvCable* cable, double factor)
{
    rvFe* fe = cable->fe;
    const rvAncf* ancf = fe->ancf;
    int ports = fe->rowCount, n = ports + 3 * fe->touchCount;
    for (int i = 0; i < ports; ++i)
        for (int j = 0; j < ports; ++j)
            cable->block[i * n + j] = factor * fe->portBlock[i * ports + j];
    for (int k = 0; k < fe->touchCount; ++k)
        for (int part = 0; part < 3; ++part) {
            const rvFeTouch* touch = &fe->touches[k];
            int row = ports + 3 * k + part;
            double* x = column(fe, row - ports);
            memset(x, 0, (size_t)(ancf->dofCount + 6) * sizeof(double));
            spread(touch, direction(touch, part), x);
            rv_ancf_solve(ancf, ancf->slots, x);
            for (int i = 0; i < ports; ++i)
                cable->block[i * n + row] = cable->block[row * n + i] = factor * x[rv_ancf_port_dof(ancf, i)];
            for (int i = ports; i <= row; ++i) {
                const rvFeTouch* other = &fe->touches[(i - ports) / 3];
                cable->block[i * n + row] = cable->block[row * n + i] =
                    factor * read_along(other, direction(other, (i - ports) % 3), x);
            }
        }
}

static int slot_for(rvFe* fe, int* count, int body)
{
    int slot = 0;
    while (slot < *count && fe->slots[slot] != body)
        slot += 1;
    if (slot == *count)
        fe->slots[(*count)++] = body;
    return slot;
}

int rv_fe_list_slots(rvCable* cable)
{
    rvFe* fe = cable->fe;
    int count = cable->route.bodyCount;
    memcpy(fe->slots, cable->slots, (size_t)count * sizeof(int));
    for (int k = 0; k < fe->touchCount; ++k)
        fe->touches[k].slot = fe->touches[k].body >= 0 ? slot_for(fe, &count, fe->touches[k].body) : -1;
    return count;
}

void rv_fe_write_touches(const rvCable* cable, double h, rvRows* rows, int group)
{
    const rvFe* fe = cable->fe;
    const double *p = fe->ancf->rt.p, *d = fe->ancf->rt.r;
    double radius = 0.5 * cable->diameter;
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        rvVec3 end = rvAdd(at(touch, p), at(touch, d)), moved = rvSub(end, at(touch, fe->ancf->q));
        for (int part = 0; part < 3; ++part) {
            int r = fe->rowCount + 3 * k + part;
            rvRow* row = &rv_group_rows(rows, group)[r];
            rvVec3 e = direction(touch, part);
            if (touch->slot >= 0) {
                rvVec3 turning = rvCross(touch->arm, e);
                const double entries[6] = {e.x, e.y, e.z, turning.x, turning.y, turning.z};
                memcpy(rv_group_jacobian(rows, group, touch->slot)[r], entries, sizeof entries);
            }
            row->lower = row->upper = 0.0;
            if (part == 0) {
                row->upper = HUGE_VAL;
                row->bias = (radius + touch->surface - rvDot(touch->normal, end)) / h;
                row->mode = row->bias > 0.0 ? RV_ROW_FREE : RV_ROW_LOWER;
            } else {
                row->bias = rvDot(e, moved) / h;
                row->leanFirst = (int16_t)(fe->rowCount + 3 * k);
                row->leanCount = 1;
                row->leanLower = -touch->friction;
                row->leanUpper = touch->friction;
            }
        }
    }
}

void rv_fe_read_touches(rvCable* cable, double factor, const rvRows* rows)
{
    rvFe* fe = cable->fe;
    double* d = fe->ancf->rt.r;
    for (int k = 0; k < fe->touchCount; ++k) {
        rvFeTouch* touch = &fe->touches[k];
        touch->force = rvVec(0, 0, 0);
        for (int part = 0; part < 3; ++part) {
            const rvRow* row = &rv_group_rows(rows, cable->group)[fe->rowCount + 3 * k + part];
            double l = factor * row->impulse;
            touch->holds[part] = part == 0 ? row->impulse > 0.0 : touch->holds[0] && row->mode == RV_ROW_FREE;
            const double* x = column(fe, 3 * k + part);
            for (int i = 0; l != 0.0 && i < fe->ancf->dofCount; ++i)
                d[i] += l * x[i];
            touch->force = rvMulAdd(touch->force, l, direction(touch, part));
        }
    }
}

void rv_fe_hold_touches(rvCable* cable, const rvBodyStore* bodies, double factor)
{
    rvFe* fe = cable->fe;
    int m = 0, n = fe->rowCount + 3 * fe->touchCount;
    for (int r = 0; r < 3 * fe->touchCount; ++r)
        if (fe->touches[r / 3].holds[r % 3])
            fe->held[m++] = r;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            fe->heldBlock[i * m + j] =
                cable->block[(fe->rowCount + fe->held[i]) * n + fe->rowCount + fe->held[j]] / factor;
    rv_cholesky_factor_to(fe->heldBlock, m, 1e-10); // more rows than the cable has freedoms are implied
    double* vectors[3] = {fe->ancf->rt.v1, fe->ancf->rt.at1, fe->ancf->rt.a1};
    for (int which = 0; which < 3; ++which) {
        for (int i = 0; i < m; ++i) {
            const rvFeTouch* touch = &fe->touches[fe->held[i] / 3];
            rvVec3 e = direction(touch, fe->held[i] % 3), speed = rvVec(0, 0, 0);
            if (which == 0 && touch->body >= 0) {
                const double* v = bodies->velocity[touch->body];
                speed = rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), touch->arm));
            }
            fe->heldForce[i] = rvDot(e, speed) - read_along(touch, e, vectors[which]);
        }
        rv_cholesky_solve(fe->heldBlock, m, fe->heldForce);
        for (int i = 0; i < m; ++i) {
            const double* x = column(fe, fe->held[i]);
            for (int k = 0; k < fe->ancf->dofCount; ++k)
                vectors[which][k] += fe->heldForce[i] * x[k];
        }
    }
}

void rv_fe_keep_pushes(rvFe* fe)
{
    rv_pushes_shift(fe->pushes);
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        if (touch->body >= 0)
            rv_pushes_add(fe->pushes, touch->body, touch->force, rvCross(touch->arm, touch->force));
    }
}

int rv_fe_touching(const rvCable* cable)
{
    int count = 0;
    for (int k = 0; cable->fe && k < cable->fe->touchCount; ++k)
        count += cable->fe->touches[k].holds[0];
    return count;
}
