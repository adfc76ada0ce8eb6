// SPDX-License-Identifier: MIT
// Finite elements against shapes (touch.h): the rows of contacts and ports share the dense block cM P H^-1 P^T. A row
// on positions makes the elements' rule throw back what it stops (its velocity would change by gam/bet, 1.9 times): so
// where a contact holds, velocity and accelerations of the point are then set to those of the body, by forces at the
// points that hold: impacts are inelastic.
#include "cable/fe/fe.h"

static rvTouches touches_of(const rvFe* fe)
{
    return (rvTouches){.items = fe->touches,
                       .count = fe->touchCount,
                       .capacity = fe->touchCapacity,
                       .slots = fe->slots,
                       .guesses = fe->guesses,
                       .guessCount = fe->guessCount};
}

static bool grips(const rvCable* cable, int body)
{
    const rvFe* fe = cable->fe;
    for (int k = 0; k < fe->gripCount; ++k)
        if (fe->grips[k].body == body)
            return true;
    return false;
}

// An end that a led body holds is where that has it, also where that is in a shape: a contact there could not give way,
// and would throw a body that cannot either.
static rvTouchElements line_of(const rvCable* cable)
{
    const rvAncf* ancf = cable->fe->ancf;
    return (rvTouchElements){
        .ancf = ancf,
        .expected = ancf->rt.p,
        .skip = {(ancf->held[0] & RV_ANCF_PIN) != 0, (ancf->held[ancf->nodeCount - 1] & RV_ANCF_PIN) != 0},
        .loose = true,
        .own = {-1, -1}};
}

static void find_contacts(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvFe* fe = cable->fe;
    int before = fe->touchCount - rv_fe_touches_ropes(fe);
    fe->touchCount = 0;
    fe->near = fe->met = false;
    if (!fe->collides || cable->state.broken != 0.0)
        return;
    rvTouches touches = touches_of(fe);
    rvTouchElements elements = line_of(cable);
    rv_touches_look(&touches, cable, &elements, bodies, shapes, h, grips);
    fe->touchCount = touches.count;
    fe->near = touches.near;
    cable->touched = fe->touchCount > before ? fe->touchCount - before : 0;
    cable->left = before > fe->touchCount ? before - fe->touchCount : 0;
}

static bool add_contacts(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvFe* fe = cable->fe;
    if (!fe->collides || cable->state.broken != 0.0)
        return false;
    rvTouches touches = touches_of(fe);
    rvTouchElements elements = line_of(cable);
    elements.more = true;
    int found = rv_touches_look(&touches, cable, &elements, bodies, shapes, h, grips);
    cable->touched += touches.count - fe->touchCount;
    fe->touchCount = touches.count;
    fe->met = found > 0;
    return found > 0 || (fe->near && fe->again && cable->group < 0); // it may not go on by itself
}

// Its ends are where they are held.
bool rv_fe_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass)
{
    if (pass > 0)
        return add_contacts(cable, bodies, shapes, h);
    find_contacts(cable, bodies, shapes, h);
    cable->line.pieces = cable->state.broken == 0.0 ? cable->line.room : 0;
    if (cable->line.pieces > 0) {
        rvTouchElements line = line_of(cable);
        cable->line.folds = rv_touch_line_folds(&line);
    }
    return false;
}

double rv_fe_depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes)
{
    const rvFe* fe = cable->fe;
    if (!fe->collides || cable->state.broken != 0.0)
        return 0.0;
    rvTouchElements elements = {.ancf = fe->ancf, .expected = fe->ancf->q, .skip = {true, true}, .own = {-1, -1}};
    return rv_touches_depth(touches_of(fe), cable, &elements, bodies, shapes, grips);
}

static double* column(const rvFe* fe, int row)
{
    return fe->columns + (size_t)row * (size_t)(fe->ancf->dofCount + 6);
}

static double* clear(const rvFe* fe, double* x)
{
    return memset(x, 0, (size_t)(fe->ancf->dofCount + 6) * sizeof(double));
}

// One of three more vectors behind the columns, all 0.
static double* empty_vector(const rvFe* fe, int i)
{
    return clear(fe, column(fe, 3 * fe->touchCapacity + i));
}

static double read_along(const rvFeTouch* touch, rvVec3 e, const double* x)
{
    return rvDot(e, rv_touch_at(touch, x));
}

// Rows of touch k against the ports and the touches before it, by what unit forces along its rows do.
static void fill_rows(rvCable* cable, int k, double* const x[3], double factor)
{
    const rvFe* fe = cable->fe;
    int ports = fe->rowCount, n = fe->width, first = fe->touches[k].row;
    double* block = cable->fe->block;
    for (int i = 0; i < ports; ++i)
        for (int part = 0; part < 3; ++part)
            block[i * n + first + part] = block[(first + part) * n + i] =
                factor * x[part][rv_ancf_port_dof(fe->ancf, i)];
    for (int j = 0; j <= k; ++j) {
        const rvFeTouch* other = &fe->touches[j];
        rvVec3 moved[3] = {rv_touch_at(other, x[0]), rv_touch_at(other, x[1]), rv_touch_at(other, x[2])};
        for (int q = 0; q < 3 && !other->inside; ++q)
            for (int part = j < k ? 0 : q; part < 3; ++part) {
                int i = other->row + q;
                block[i * n + first + part] = block[(first + part) * n + i] =
                    factor * rvDot(rv_touch_direction(other, q), moved[part]);
            }
    }
}

void rv_fe_condense_touches(rvCable* cable, double factor)
{
    rvFe* fe = cable->fe;
    int ports = fe->rowCount, n = fe->width;
    for (int i = 0; i < ports; ++i) // round-off apart it is symmetric
        for (int j = 0; j < ports; ++j)
            cable->fe->block[i * n + j] =
                0.5 * (factor * fe->portBlock[i * ports + j] + factor * fe->portBlock[j * ports + i]);
    for (int k = 0; k < fe->touchCount; ++k) {
        rvFeTouch* touch = &fe->touches[k];
        if (!cable->dense || !fe->ancf->rt.atRest)
            rv_touch_find_gives(touch, fe->ancf, fe->plain, factor);
        if (touch->inside)
            continue;
        double* x[3];
        for (int part = 0; part < 3; ++part) {
            x[part] = clear(fe, column(fe, 3 * k + part));
            rv_touch_spread(touch, rv_touch_direction(touch, part), x[part]);
        }
        rv_ancf_solve_several(fe->ancf, fe->ancf->slots, x, x, 3);
        fill_rows(cable, k, x, factor);
    }
}

int rv_fe_list_slots(rvCable* cable)
{
    rvTouches touches = touches_of(cable->fe);
    return rv_touches_list_slots(&touches, cable);
}

void rv_fe_write_touches(const rvCable* cable, double h, rvRows* rows, int group)
{
    const rvFe* fe = cable->fe;
    rvTouches touches = touches_of(fe);
    for (int r = 0; r < 3 * fe->touchCount; ++r) {
        const rvFeTouch* touch = &fe->touches[r / 3];
        rvVec3 end = rvAdd(rv_touch_at(touch, fe->ancf->rt.p), rv_touch_at(touch, fe->ancf->rt.r));
        fe->moved[r] = rvDot(rv_touch_direction(touch, r % 3), rvSub(end, rv_touch_at(touch, fe->ancf->q)));
    }
    rv_touches_write(&touches, fe->moved, h, rows, group);
}

void rv_fe_read_touches(rvCable* cable, double factor, const rvRows* rows)
{
    rvFe* fe = cable->fe;
    rvTouches touches = touches_of(fe);
    rv_touches_read(&touches, rows, cable->group, factor);
    double* x = fe->touchCount > 0 ? empty_vector(fe, 0) : NULL;
    for (int k = 0; k < fe->touchCount; ++k)
        rv_touch_spread(&fe->touches[k], fe->touches[k].contact.force, x);
    if (x)
        rv_ancf_solve(fe->ancf, fe->ancf->slots, x);
    for (int i = 0; x && i < fe->ancf->dofCount; ++i)
        fe->ancf->rt.r[i] += x[i];
}

// x += a k (what the body does less what the rope does) of the rows that hold.
static void add_pulls(const rvFe* fe, const rvBodyStore* bodies, bool speeds, const double* rate, double* x)
{
    double factor = rv_ancf_port_factor(fe->ancf);
    for (int k = 0; k < fe->touchCount; ++k) {
        const rvFeTouch* touch = &fe->touches[k];
        rvVec3 force = rvVec(0, 0, 0), at = rv_touch_at(touch, rate);
        for (int part = 0; part < 3; ++part) {
            rvVec3 e = rv_touch_direction(touch, part);
            double off = (speeds ? rv_touch_speed(touch, part, bodies) : 0.0) - rvDot(e, at);
            if (touch->held[part])
                force = rvMulAdd(force, factor * rv_touch_stiffness(touch, part, 0.0) * off, e);
        }
        rv_touch_spread(touch, force, x);
    }
}

void rv_fe_hold_touches(rvCable* cable, const rvBodyStore* bodies)
{
    rvFe* fe = cable->fe;
    rvTouches touches = touches_of(fe);
    if (rv_touches_hold(&touches) == 0)
        return;
    rv_fe_stiffen(fe, true, 0.0);
    double *rates[3] = {fe->ancf->rt.v1, fe->ancf->rt.at1, fe->ancf->rt.a1}, *x[3];
    for (int which = 0; which < 3; ++which) {
        x[which] = empty_vector(fe, which);
        add_pulls(fe, bodies, which == 0, rates[which], x[which]);
    }
    rv_ancf_solve_several(fe->ancf, fe->stiff, x, x, 3);
    for (int which = 0; which < 3; ++which)
        for (int k = 0; k < fe->ancf->dofCount; ++k)
            rates[which][k] += x[which][k];
}

void rv_fe_keep_pushes(rvFe* fe)
{
    rv_pushes_shift(fe->pushes);
    rvTouches touches = touches_of(fe);
    rv_touches_keep_pushes(&touches, fe->pushes);
    rv_touches_keep_guesses(&touches);
}

int rv_fe_touches_ropes(const rvFe* fe)
{
    rvTouches touches = touches_of(fe);
    return rv_touches_count_points(&touches);
}

int rv_fe_touching(const rvCable* cable)
{
    if (!cable->fe)
        return 0;
    rvTouches touches = touches_of(cable->fe);
    return rv_touches_count_holding(&touches);
}

static void find_box(const rvCable* cable, int block, rvVec3 box[2])
{
    rvTouchElements line = line_of(cable);
    rv_touch_line_box(&line, block, 0.5 * cable->diameter, box);
}

static void find_point(const rvCable* cable, int piece, double share, rvLinePoint* point)
{
    rvTouchElements line = line_of(cable);
    rv_touch_on_piece(&line, piece, share, &point->was, &point->now);
    point->along = rv_touch_piece_at(cable->fe->ancf, piece, share);
}

static rvLineContact* touch_rope(rvCable* cable, int piece, double share, const rvRopeSide* side)
{
    rvFe* fe = cable->fe;
    if (fe->touchCount == fe->touchCapacity) {
        cable->droppedContacts += 1;
        return NULL;
    }
    double xi = (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK;
    fe->touches[fe->touchCount] = rv_touch_of_rope(fe->ancf, piece / RV_LINE_BLOCK, xi, side);
    return &fe->touches[fe->touchCount++].contact;
}

static int index_of(const rvFe* fe, const rvLineContact* contact)
{
    const char* touch = (const char*)contact - offsetof(rvFeTouch, contact);
    return (int)((const rvFeTouch*)touch - fe->touches);
}

static double* rate_of(const rvFe* fe, rvLineChannel channel)
{
    double* const channels[] = {[RV_LINE_VELOCITY] = fe->ancf->rt.v1,
                                [RV_LINE_ALGORITHMIC] = fe->ancf->rt.at1,
                                [RV_LINE_ACCELERATION] = fe->ancf->rt.a1};
    return channels[channel];
}

static double find_rate(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel,
                        double* compliance)
{
    if (channel == RV_LINE_ENERGY)
        return rv_fe_guard_spare(cable);
    int k = index_of(cable->fe, contact);
    const rvFeTouch* touch = &cable->fe->touches[k];
    rvVec3 direction = rv_touch_direction(touch, part);
    *compliance = read_along(touch, direction, column(cable->fe, 3 * k + part));
    return read_along(touch, direction, rate_of(cable->fe, channel));
}

static void push(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel, double amount)
{
    rvFe* fe = cable->fe;
    if (channel == RV_LINE_ENERGY) {
        rv_fe_guard_lend(cable, amount);
        return;
    }
    const double* x = column(fe, 3 * index_of(fe, contact) + part);
    double* rate = rate_of(fe, channel);
    for (int k = 0; k < fe->ancf->dofCount; ++k)
        rate[k] += amount * x[k];
}

const rvModelLine rv_fe_line = {
    .box = find_box, .at = find_point, .touch = touch_rope, .rate = find_rate, .push = push};
