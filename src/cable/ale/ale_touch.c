// SPDX-License-Identifier: MIT
// Rope that flows against shapes that it sags onto (touch.h); what its chords meet are places of its route.
//
// The curve of a fall may not go into a shape: the row along the normal is on the point S q of its mesh. What rubs is
// the rope there, which flows through the mesh: the rows along the surface are on  S dq - (d/g) [(1 - x) dp_a + x
// dp_b],  d the slope, x the share of the fall. Both are ports of a point (ale/ale_port.h). Bodies that have a place of
// the route of their own, contacts apart, are not touched. What a contact stopped gets the velocity of the body, as
// with elements that do not flow.
#include "base/deal.h"
#include "cable/ale/ale_rope.h"

static void deal_out(rvAleTouches* t, const rvCable* cable, int room, rvDeal* d)
{
    size_t rows = 3 * (size_t)t->list.capacity, dofs = 6 * ((size_t)room + 2);
    t->list.items = rv_deal(d, (size_t)t->list.capacity, sizeof *t->list.items);
    t->list.slots = rv_deal(d, (size_t)cable->route.capacity + (size_t)t->list.capacity, sizeof(int));
    t->points = rv_deal(d, rows, sizeof *t->points);
    t->block = rv_deal(d, (size_t)RV_ALE_WIDEST * RV_ALE_WIDEST, sizeof(double));
    t->moved = rv_deal(d, rows, sizeof(double));
    t->more = rv_deal(d, RV_ALE_WIDEST, sizeof(double));
    t->list.guessCount = 2 * room + 1;
    t->list.guesses = rv_deal(d, (size_t)t->list.guessCount, sizeof *t->list.guesses);
    double* columns = rv_deal(d, rows * dofs, sizeof(double));
    for (size_t r = 0; t->points && r < rows; ++r)
        t->points[r].column = columns + r * dofs;
    for (int f = 0; f < cable->rope->ale->fallRoom; ++f) {
        rvAleFall* fall = &cable->rope->ale->falls[f];
        size_t slots = (size_t)room / 2 + 2;
        rvAncfSlot *plain = rv_deal(d, slots, sizeof *plain), *stiff = rv_deal(d, slots, sizeof *stiff);
        double* vectors = rv_deal(d, 5 * dofs, sizeof(double));
        if (!vectors)
            continue;
        fall->ancf->plain = plain;
        fall->hold.slots = stiff;
        for (int i = 0; i < 2; ++i) {
            fall->hold.border.column[i] = vectors + (size_t)i * dofs;
            fall->hold.border.solved[i] = vectors + (size_t)(2 + i) * dofs;
        }
        fall->hold.pushed = vectors + 4 * dofs;
    }
}

rvStatus rv_ale_touches_make(rvCable* cable, rvMemory* memory, rvError* error)
{
    rvAleTouches* t = &cable->rope->touches;
    int room = cable->rope->ale->falls[0].room;
    if (t->list.capacity == 0)
        return RV_OK;
    rvAleTouches shape = *t;
    rvDeal count = {0};
    deal_out(&shape, cable, room, &count);
    t->memory = rv_memory_take(memory, count.used);
    if (!t->memory)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    t->size = count.used;
    rvDeal real = {.at = t->memory};
    deal_out(t, cable, room, &real);
    return RV_OK;
}

void rv_ale_touches_release(rvAleTouches* touches, rvMemory* memory)
{
    rv_memory_give(memory, touches->memory, touches->size);
}

// Does the rope hold on to this body, by a place that is no contact?
static bool holds(const rvCable* cable, int body)
{
    for (int j = 0; j < cable->route.placeCount; ++j)
        if (cable->route.places[j].body == body && cable->route.places[j].type != RV_PLACE_CONTACT)
            return true;
    return false;
}

static void set_point(const rvAle* ale, const rvFeTouch* touch, int part, rvAlePoint* point)
{
    const rvAleFall* fall = &ale->falls[touch->fall];
    rvVec3 e = rv_touch_direction(touch, part);
    double g = rv_ale_fall_length(ale, touch->fall) / fall->mesh, x = touch->at / fall->mesh, s[4], d[3];
    double from = fall->ancf->places[touch->element], length = fall->ancf->places[touch->element + 1] - from;
    rv_ancf_shape_slope((touch->at - from) / length, length, s);
    rv_ancf_blend(fall->ancf->q, touch->element, s, d);
    double along = part == 0 ? 0.0 : -rvDot(e, rvVec(d[0], d[1], d[2])) / g;
    point->element = touch->element;
    memcpy(point->shape, touch->shape, sizeof point->shape);
    point->way[0] = e.x;
    point->way[1] = e.y;
    point->way[2] = e.z;
    point->flow[0] = (1.0 - x) * along;
    point->flow[1] = x * along;
}

static void add_ports(rvAleRope* rope, int touch)
{
    rvAleTouches* t = &rope->touches;
    for (int r = 3 * touch; r < 3 * touch + 3; ++r) {
        set_point(rope->ale, &t->list.items[touch], r % 3, &t->points[r]);
        rope->ports[rope->rowCount++] = (rvAlePort){.fall = t->list.items[touch].fall, .point = &t->points[r]};
    }
}

static int own_shape(const rvPlace* place)
{
    return place->type == RV_PLACE_CONTACT && !rv_place_is_crossing(place) ? place->state.node.shape : -1;
}

bool rv_ale_rope_sags(const rvAle* ale, int f)
{
    const rvAleFall* fall = &ale->falls[f];
    const double *a = fall->ancf->q, *b = a + 6 * rv_ale_end_node(fall, RV_ALE_END);
    double chord = rvDistance(rvVec(a[0], a[1], a[2]), rvVec(b[0], b[1], b[2]));
    return rv_ale_fall_length(ale, f) > (1.0 + RV_TAUT) * chord;
}

static rvTouchElements elements_of(const rvCable* cable, int f)
{
    const rvAleRope* rope = cable->rope;
    const rvAleFall* fall = &rope->ale->falls[f];
    const rvPlace* places = cable->route.places + f;
    bool free[2] = {places[0].type == RV_PLACE_FREE, places[1].type == RV_PLACE_FREE};
    bool sags = free[0] || free[1] || rv_ale_rope_sags(rope->ale, f);
    rvVec3 out = rvSub(rvAdd(places[0].arrive, places[1].arrive), rvAdd(places[0].leave, places[1].leave));
    return (rvTouchElements){.ancf = fall->ancf,
                             .expected = fall->rt.p,
                             .fall = f,
                             .skip = {!free[0], !free[1]},
                             .thin = !sags,
                             .loose = sags && !rope->resting,
                             .own = {own_shape(&places[0]), own_shape(&places[1])},
                             .out = out};
}

static void find_contacts(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvAleRope* rope = cable->rope;
    rvAleTouches* t = &rope->touches;
    if (t->list.capacity == 0 || cable->state.broken != 0.0)
        return;
    t->list.near = rope->met = false;
    t->list.firstPoint = 0;
    for (int f = 0; f < rope->ale->fallCount; ++f) {
        rvTouchElements elements = elements_of(cable, f);
        rv_touches_look(&t->list, cable, &elements, bodies, shapes, h, holds);
        t->list.firstPoint += 2 * elements.ancf->elementCount + 1;
    }
    t->first = rope->rowCount;
    for (int k = 0; k < t->list.count; ++k)
        add_ports(rope, k);
}

static bool add_contacts(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h)
{
    rvAleRope* rope = cable->rope;
    rvAleTouches* t = &rope->touches;
    int before = t->list.count, found = 0;
    if (t->list.capacity == 0 || cable->state.broken != 0.0)
        return false;
    if (t->list.near)
        rv_ale_rope_go_on(rope);
    t->list.firstPoint = 0;
    for (int f = 0; f < rope->ale->fallCount; ++f) {
        rvTouchElements elements = elements_of(cable, f);
        elements.more = true;
        found += elements.loose ? rv_touches_look(&t->list, cable, &elements, bodies, shapes, h, holds) : 0;
        t->list.firstPoint += 2 * elements.ancf->elementCount + 1;
    }
    for (int r = 0; r < 3 * before; ++r)
        if (t->list.items[r / 3].moved)
            set_point(rope->ale, &t->list.items[r / 3], r % 3, &t->points[r]);
    for (int k = before; k < t->list.count; ++k)
        add_ports(rope, k);
    rope->met = found > 0;
    return found > 0 || (t->list.near && rope->again && cable->group < 0); // in parts it may not go on by itself
}

// Of a line that other ropes touch. Falls of a tackle run beside each other: only one that is alone touches itself.
static void count_pieces(rvCable* cable)
{
    rvLineState* line = &cable->line;
    const rvAle* ale = cable->rope->ale;
    line->pieces = 0;
    for (int f = 0; cable->rope->laid && cable->state.broken == 0.0 && f < ale->fallCount; ++f)
        line->pieces += RV_LINE_BLOCK * ale->falls[f].ancf->elementCount;
    line->pieces = line->pieces < line->room ? line->pieces : line->room;
    line->folds = false;
    if (line->pieces > 0 && ale->fallCount == 1) {
        rvTouchElements fall = elements_of(cable, 0);
        line->folds = rv_touch_line_folds(&fall);
    }
}

bool rv_ale_touches_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass)
{
    if (pass > 0)
        return add_contacts(cable, bodies, shapes, h);
    find_contacts(cable, bodies, shapes, h);
    count_pieces(cable);
    return false;
}

double rv_ale_touches_depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes)
{
    const rvAleRope* rope = cable->rope;
    double depth = 0.0;
    if (rope->touches.list.capacity == 0 || cable->state.broken != 0.0)
        return 0.0;
    for (int f = 0; f < rope->ale->fallCount; ++f) {
        rvTouchElements elements = elements_of(cable, f);
        elements.expected = elements.ancf->q;
        depth = fmax(depth, rv_touches_depth(rope->touches.list, cable, &elements, bodies, shapes, holds));
    }
    return depth;
}

void rv_ale_touches_end(rvAleRope* rope, const rvBodyStore* bodies)
{
    rvAleTouches* t = &rope->touches;
    double factor = rv_ale_port_factor(rope->ale);
    if (rv_touches_hold(&t->list) == 0)
        return;
    rv_ale_inside_stiffen(rope, true, 0.0);
    for (int which = RV_ALE_RATE; which <= RV_ALE_ALGO; ++which) {
        rv_ale_hold_clear(rope->ale);
        for (int r = 0; r < 3 * t->list.count; ++r) {
            const rvFeTouch* touch = &t->list.items[r / 3];
            const rvAlePort* port = &rope->ports[touch->row + r % 3];
            double wanted = which == RV_ALE_RATE ? rv_touch_speed(touch, r % 3, bodies) : 0.0;
            if (touch->held[r % 3])
                rv_ale_hold_add(rope->ale, port,
                                factor * rv_touch_stiffness(touch, r % 3, 0.0) *
                                    (wanted - rv_ale_port_rate(rope->ale, port, which)));
        }
        rv_ale_hold_solve(rope->ale, true);
        rv_ale_hold_take_rate(rope->ale, which);
    }
}

double rv_ale_touches_work(const rvAleRope* rope, const rvBodyStore* bodies, double h)
{
    double work = 0.0;
    for (int k = 0; k < rope->touches.list.count; ++k) {
        const rvFeTouch* touch = &rope->touches.list.items[k];
        for (int part = 0; part < 3; ++part)
            work +=
                h * rvDot(touch->contact.force, rv_touch_direction(touch, part)) * rv_touch_speed(touch, part, bodies);
    }
    return work;
}

double rv_ale_touches_lift(const rvAleRope* rope)
{
    double work = 0.0;
    for (int k = 0; k < rope->touches.list.count; ++k) {
        const rvFeTouch* touch = &rope->touches.list.items[k];
        const rvAleFall* fall = &rope->ale->falls[touch->fall];
        double out = rvDot(touch->normal, rv_touch_at(touch, fall->rt.p)) - touch->start;
        double mass = 0.5 * rope->ale->mass * rv_ale_fall_length(rope->ale, touch->fall) / fall->ancf->elementCount;
        if (touch->depth > 0.0 && touch->contact.holds[0])
            work += fmax(0.0, -mass * rvDot(rope->ale->gravity, touch->normal) * out);
    }
    return work;
}

int rv_ale_touches_count(const rvCable* cable)
{
    return cable->rope ? rv_touches_count_holding(&cable->rope->touches.list) : 0;
}

// The fall of a span; -1: a place has come or gone beside it since the last step.
static int fall_in(const rvCable* cable, int span)
{
    const rvPlace* places = cable->route.places + span;
    bool known = cable->rope && cable->rope->laid && places[0].rank > 0 && places[1].rank == places[0].rank + 1;
    return known && places[1].rank <= cable->rope->ale->placeCount ? places[0].rank - 1 : -1;
}

// Over the points that touch shapes, planes apart; 0: none does.
static double touched_path(const rvCable* cable, int span, int f)
{
    rvVec3 at = cable->route.places[span].out;
    double way = 0.0;
    for (int k = 0; k < cable->rope->touches.list.count; ++k) {
        const rvFeTouch* touch = &cable->rope->touches.list.items[k];
        if (touch->fall != f || touch->plane || touch->isPoint)
            continue;
        rvVec3 next = rv_touch_at(touch, cable->rope->ale->falls[f].ancf->q);
        way += rvDistance(at, next);
        at = next;
    }
    return way > 0.0 ? way + rvDistance(at, cable->route.places[span + 1].in) : 0.0;
}

static double reach_of(const rvCable* cable, int end)
{
    static const double PART = 0.1; // of an element: twice what a stop leaves
    const rvAleRope* rope = cable->rope;
    const rvAleFall* fall = &rope->ale->falls[end == RV_ALE_BEGIN ? 0 : rope->ale->fallCount - 1];
    const double* v = fall->ancf->v + 6 * rv_ale_end_node(fall, end);
    double least = fmax(0.5 * cable->diameter, PART * rope->wished);
    return least + rope->h * sqrt(rv_ancf_dot3(v, v));
}

void rv_ale_rope_measure_span(const rvCable* cable, int span, rvSpanShape* shape)
{
    int f = fall_in(cable, span);
    *shape = (rvSpanShape){0};
    if (f >= 0) {
        shape->length = rv_ale_fall_length(cable->rope->ale, f);
        shape->touched = touched_path(cable, span, f);
    }
    if (span == 0)
        shape->reach[0] = reach_of(cable, RV_ALE_BEGIN);
    if (span == cable->route.spanCount - 1)
        shape->reach[1] = reach_of(cable, RV_ALE_END);
}

int rv_ale_rope_trace(const rvCable* cable, int span, rvVec3* was, rvVec3* points, int most)
{
    (void)was;
    int f = fall_in(cable, span), count = 0;
    if (f < 0)
        return 0;
    const rvAleFall* fall = &cable->rope->ale->falls[f];
    int pieces = 2 * fall->ancf->elementCount;
    pieces = pieces < most - 1 ? pieces : most - 1;
    for (int i = 0; i <= pieces; ++i)
        points[count++] = rv_ancf_point(fall->ancf, fall->mesh * i / pieces).position;
    points[0] = cable->route.places[span].out;
    points[count - 1] = cable->route.places[span + 1].in;
    return count;
}

// ---- ropes that it touches

// The fall of a piece; which it is of that one.
static rvTouchElements fall_of(const rvCable* cable, int* piece)
{
    const rvAleRope* rope = cable->rope;
    int f = 0;
    while (f + 1 < rope->ale->fallCount && *piece >= RV_LINE_BLOCK * rope->ale->falls[f].ancf->elementCount)
        *piece -= RV_LINE_BLOCK * rope->ale->falls[f++].ancf->elementCount;
    return elements_of(cable, f);
}

static void find_box(const rvCable* cable, int block, rvVec3 box[2])
{
    int piece = block * RV_LINE_BLOCK;
    rvTouchElements fall = fall_of(cable, &piece);
    rv_touch_line_box(&fall, piece / RV_LINE_BLOCK, 0.5 * cable->diameter, box);
}

static void find_point(const rvCable* cable, int piece, double share, rvLinePoint* point)
{
    rvTouchElements fall = fall_of(cable, &piece);
    rv_touch_on_piece(&fall, piece, share, &point->was, &point->now);
    double before = 0.0;
    for (int f = 0; f < fall.fall; ++f)
        before += cable->rope->ale->falls[f].mesh;
    point->along = before + rv_touch_piece_at(fall.ancf, piece, share);
}

static rvLineContact* touch_rope(rvCable* cable, int piece, double share, const rvRopeSide* side)
{
    rvAleRope* rope = cable->rope;
    rvTouches* list = &rope->touches.list;
    rvTouchElements fall = fall_of(cable, &piece);
    if (list->count == list->capacity) {
        cable->droppedContacts += 1;
        return NULL;
    }
    double xi = (piece % RV_LINE_BLOCK + share) / RV_LINE_BLOCK;
    rvFeTouch* touch = &list->items[list->count];
    *touch = rv_touch_of_rope(fall.ancf, piece / RV_LINE_BLOCK, xi, side);
    touch->fall = fall.fall;
    add_ports(rope, list->count);
    list->count += 1;
    return &touch->contact;
}

// Its first row.
static int row_of(const rvLineContact* contact)
{
    const char* touch = (const char*)contact - offsetof(rvFeTouch, contact);
    return ((const rvFeTouch*)touch)->row;
}

static const int RATES[] = {
    [RV_LINE_VELOCITY] = RV_ALE_RATE, [RV_LINE_ALGORITHMIC] = RV_ALE_ALGO, [RV_LINE_ACCELERATION] = RV_ALE_ACCEL};

// Its guard does not know yet what it gives too much: that is taken out of the rope.
static double find_rate(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel,
                        double* compliance)
{
    if (channel == RV_LINE_ENERGY)
        return HUGE_VAL;
    const rvAleRope* rope = cable->rope;
    int row = row_of(contact) + part;
    *compliance = rope->compliance[row * rope->touches.width + row] / rv_ale_port_factor(rope->ale);
    return rv_ale_port_rate(rope->ale, &rope->ports[row], RATES[channel]);
}

static void push(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel, double amount)
{
    rvAleRope* rope = cable->rope;
    if (channel == RV_LINE_ENERGY) {
        rope->lent += amount;
        return;
    }
    int row = row_of(contact) + part;
    rv_ale_port_change_rate(rope->ale, &rope->ports[row], rope->spread + row * rope->ale->unknownCount, RATES[channel],
                            amount);
}

const rvModelLine rv_ale_line = {
    .box = find_box, .at = find_point, .touch = touch_rope, .rate = find_rate, .push = push};
