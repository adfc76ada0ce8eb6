// SPDX-License-Identifier: MIT
#include "cable/line/crossing_elements.h"

#include "cable/taut/obstacle.h"
#include "contact/manifold.h"
#include "math/extreme.h"

enum { MOST_MET = 8, SWEEPS = 40, ROUNDS = 6 }; // touches of a rope; rounds of pushes; of nearest points
// Ropes rub a little in any case. A limp rope is bent around another by about its thickness, and its elements are
// longer: without friction it slides on in a step by more than the bend is long, and off the other.
#define LEAST_FRICTION 0.05
#define PARALLEL 0.1 // sine of an angle below which ropes lie along each other
#define LIGHT 1e-5   // of the mass of a rope, that of the point
#define APART 1e-9   // [m]: below, ropes are on no side of each other
#define TINY 1e-4    // of a piece, for slopes
#define DEEPEST 4.0  // times as thick as they are: farther through each other they are apart
#define QUIET 1e-12  // of the largest push: what is left to do

static const rvModelLine* line_of(const rvCableStore* store, int index)
{
    const rvCable* cable = &store->items[index];
    return rv_id_pool_alive(&store->pool, index) && cable->line.pieces > 0 ? cable->model->line : NULL;
}

static int most_pieces(const rvCableStore* store, int index)
{
    return rv_id_pool_alive(&store->pool, index) ? store->items[index].line.room : 0;
}

int rv_rope_points_room(const rvCableStore* store)
{
    int ropes = 0;
    for (int i = 0; i < store->pool.count; ++i)
        ropes += most_pieces(store, i) > 0;
    return MOST_MET * ropes;
}

bool rv_rope_points_reserve(rvCableStore* store, rvMemory* memory)
{
    int most = 0;
    for (int i = 0; i < store->pool.count; ++i) {
        int pieces = most_pieces(store, i);
        most = pieces > most ? pieces : most;
    }
    int room = rv_rope_points_room(store);
    return rv_memory_grow(memory, (void**)&store->ropeMemories, &store->ropeMemoryCapacity, room,
                          sizeof(rvRopeMemory)) &&
           rv_memory_grow(memory, (void**)&store->crossingChanges, &store->crossingChangeCapacity,
                          room > 0 ? 2 * (rv_crossings_room(store) + room) : 0, sizeof(rvCrossingChange)) &&
           rv_memory_grow(memory, (void**)&store->ropePoints, &store->ropePointCapacity, room, sizeof(rvRopePoint)) &&
           rv_memory_grow(memory, (void**)&store->lines, &store->lineCapacity,
                          room > 0 ? 2 * (store->pool.count + most / RV_LINE_BLOCK + 1) : 0, sizeof(rvVec3));
}

// ---- where they meet

// A straight piece at the start of the step and at its end.
typedef struct {
    rvVec3 was[2], now[2];
} Piece;

typedef struct {
    rvVec3 low, high;
} Box;

typedef struct {
    int piece[2];
    double share[2], along[2];
    rvVec3 normal;
    double apart; // as the step begins [m]
    double held;  // by memory
    bool known;   // it is of the memory
} Meeting;

typedef struct {
    rvCableStore* store;
    int cable[2];
    const rvModelLine* line[2];
    double radius[2];
    int pieces[2];
    Meeting met[MOST_MET];
    int count;
} Pair;

static const Box NOTHING = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static Box* boxes_of(const rvCableStore* store)
{
    return (Box*)store->lines;
}

// Within reach of it; ropes have their thickness in theirs.
static Box wider(Box box)
{
    const rvVec3 by = {RV_CONTACT_MARGIN, RV_CONTACT_MARGIN, RV_CONTACT_MARGIN};
    return (Box){rvSub(box.low, by), rvAdd(box.high, by)};
}

static bool boxes_meet(const Box* a, const Box* b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool pieces_near(const Piece* a, const Piece* b, double reach)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < 8; ++k) {
            const Piece* piece = k < 4 ? a : b;
            double x = rv_along_axis(k % 4 < 2 ? piece->was[k % 2] : piece->now[k % 2], axis);
            low[k / 4] = rv_smaller(low[k / 4], x);
            high[k / 4] = rv_larger(high[k / 4], x);
        }
        if (low[0] > high[1] + reach || low[1] > high[0] + reach)
            return false;
    }
    return true;
}

static Piece piece_of(const Pair* pair, int r, int k)
{
    Piece piece;
    const rvCable* cable = &pair->store->items[pair->cable[r]];
    for (int e = 0; e < 2; ++e) {
        rvLinePoint point;
        pair->line[r]->at(cable, k, e, &point);
        piece.was[e] = point.was;
        piece.now[e] = point.now;
    }
    return piece;
}

static rvVec3 between(const rvVec3 ends[2], double s)
{
    return rvMulAdd(ends[0], s, rvSub(ends[1], ends[0]));
}

static double clamped(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

// Shares of two segments where they are nearest.
static void nearest(const rvVec3 a[2], const rvVec3 b[2], double s[2])
{
    rvVec3 da = rvSub(a[1], a[0]), db = rvSub(b[1], b[0]), w = rvSub(a[0], b[0]);
    double aa = rvDot(da, da), bb = rvDot(db, db), ab = rvDot(da, db), aw = rvDot(da, w), bw = rvDot(db, w);
    double det = aa * bb - ab * ab;
    s[0] = det > 1e-12 * aa * bb ? clamped((ab * bw - bb * aw) / det) : 0.5;
    s[1] = bb > 0.0 ? clamped((ab * s[0] + bw) / bb) : 0.0;
    s[0] = aa > 0.0 ? clamped((ab * s[1] - aw) / aa) : 0.0;
}

// The curves themselves at u, in pieces: point and slope, at the start of the step or at its end.
static void curve_at(const Pair* pair, int r, double u, bool end, rvVec3* x, rvVec3* slope)
{
    const rvCable* cable = &pair->store->items[pair->cable[r]];
    int k = (int)fmin(fmax(u, 0.0), pair->pieces[r] - 1.0);
    double from = clamped(u - k - TINY), to = clamped(u - k + TINY);
    rvLinePoint at, before, after;
    pair->line[r]->at(cable, k, clamped(u - k), &at);
    pair->line[r]->at(cable, k, from, &before);
    pair->line[r]->at(cable, k, to, &after);
    *x = end ? at.now : at.was;
    *slope = rvScale(1.0 / (to - from), end ? rvSub(after.now, before.now) : rvSub(after.was, before.was));
}

// From near u on to where the curves are nearest, by their tangents: that goes by thickness over radius of curvature a
// round.
static void come_nearest(const Pair* pair, bool end, double u[2])
{
    double around[2] = {u[0], u[1]};
    for (int round = 0; round < ROUNDS; ++round) {
        rvVec3 x[2], d[2];
        for (int r = 0; r < 2; ++r)
            curve_at(pair, r, u[r], end, &x[r], &d[r]);
        rvVec3 w = rvSub(x[1], x[0]);
        double aa = rvDot(d[0], d[0]), bb = rvDot(d[1], d[1]), ab = rvDot(d[0], d[1]), det = aa * bb - ab * ab;
        if (!(det > PARALLEL * PARALLEL * aa * bb))
            return;
        u[0] += (rvDot(w, d[0]) * bb - rvDot(w, d[1]) * ab) / det;
        u[1] += (rvDot(w, d[0]) * ab - rvDot(w, d[1]) * aa) / det;
        for (int r = 0; r < 2; ++r)
            u[r] = fmin(fmax(u[r], fmax(around[r] - 1.0, 0.0)), fmin(around[r] + 1.0, pair->pieces[r]));
    }
}

// The normal at the start of the step: across both curves, on the side where the second one is, or where it was
// (`known`, else NULL). Where they lie along each other it is from one to the other. False: they are on no side.
static bool find_normal(const Pair* pair, const double u[2], const rvVec3* known, rvVec3* normal)
{
    rvVec3 x[2], d[2];
    for (int r = 0; r < 2; ++r) {
        curve_at(pair, r, u[r], false, &x[r], &d[r]);
        d[r] = rvNormalizeOr(d[r], rvVec(0, 0, 0));
    }
    rvVec3 w = rvSub(x[1], x[0]), n = rvCross(d[0], d[1]);
    if (!(rvLength(n) > PARALLEL))
        n = w;
    double side = known ? rvDot(n, *known) : rvDot(n, w);
    *normal = rvNormalizeOr(side < 0.0 ? rvNeg(n) : n, rvVec(0, 0, 0));
    return fabs(side) > APART * rvLength(n);
}

static void place(const Pair* pair, const double u[2], Meeting* met)
{
    for (int r = 0; r < 2; ++r) {
        const rvCable* cable = &pair->store->items[pair->cable[r]];
        met->piece[r] = (int)fmin(u[r], pair->pieces[r] - 1.0);
        met->share[r] = clamped(u[r] - met->piece[r]);
        rvLinePoint point;
        pair->line[r]->at(cable, met->piece[r], met->share[r], &point);
        met->along[r] = point.along;
    }
}

// Do two pieces pass through each other, or are they within reach of each other as the step begins or ends? Where, in
// pieces, and the normal.
static bool pieces_meet(const Pair* pair, const Piece* a, const Piece* b, Meeting* met)
{
    double reach = pair->radius[0] + pair->radius[1] + RV_CONTACT_MARGIN, s[2];
    double u[2] = {met->piece[0], met->piece[1]};
    nearest(a->was, b->was, s);
    bool near = rvDistance(between(a->was, s[0]), between(b->was, s[1])) < reach, end = false;
    rvRopeCross cross;
    if (!near && rv_rope_cross(a->was, a->now, b->was, b->now, &cross) && cross.separation < 0.0) {
        u[0] += cross.s[0];
        u[1] += cross.s[1];
    } else {
        if (!near) {
            nearest(a->now, b->now, s);
            end = rvDistance(between(a->now, s[0]), between(b->now, s[1])) < reach;
        }
        if (!near && !end)
            return false;
        u[0] += s[0];
        u[1] += s[1];
        come_nearest(pair, end, u);
    }
    place(pair, u, met);
    return find_normal(pair, u, NULL, &met->normal);
}

// One touch at a place: where they were nearest as the step began.
static void keep(Pair* pair, const Meeting* found, double near)
{
    int k = 0;
    while (k < pair->count && (fabs(pair->met[k].along[0] - found->along[0]) > near ||
                               fabs(pair->met[k].along[1] - found->along[1]) > near))
        k += 1;
    if (k == MOST_MET || (k < pair->count && (pair->met[k].known || pair->met[k].apart <= found->apart)))
        return;
    pair->met[k] = *found;
    pair->count += k == pair->count;
}

// A bend of a rope with itself is no closer than its half circle.
static bool is_bend(const Pair* pair, const Meeting* met)
{
    double reach = pair->radius[0] + pair->radius[1] + RV_CONTACT_MARGIN;
    return pair->cable[0] == pair->cable[1] && met->along[1] - met->along[0] < 2.0 * reach;
}

static void look_at_pieces(Pair* pair, const Piece* a, int i, const Piece* b, int k)
{
    double reach = pair->radius[0] + pair->radius[1] + RV_CONTACT_MARGIN;
    Meeting met = {.piece = {i, k}};
    if (!pieces_near(a, b, reach) || !pieces_meet(pair, a, b, &met))
        return;
    rvLinePoint at[2];
    for (int r = 0; r < 2; ++r)
        pair->line[r]->at(&pair->store->items[pair->cable[r]], met.piece[r], met.share[r], &at[r]);
    if (is_bend(pair, &met))
        return;
    met.apart = rvDistance(at[0].was, at[1].was);
    double near = fmax(reach, 2.0 * fmin(rvDistance(a->was[0], a->was[1]), rvDistance(b->was[0], b->was[1])));
    keep(pair, &met, near);
}

static int blocks_of(const Pair* pair, int r)
{
    return pair->pieces[r] / RV_LINE_BLOCK;
}

static Box block_box(const Pair* pair, int r, int block)
{
    rvVec3 box[2] = {NOTHING.low, NOTHING.high};
    pair->line[r]->box(&pair->store->items[pair->cable[r]], block, box);
    return (Box){box[0], box[1]};
}

static void look_at_blocks(Pair* pair, int i, int k)
{
    Piece own[RV_LINE_BLOCK], other[RV_LINE_BLOCK];
    bool self = pair->cable[0] == pair->cable[1];
    for (int m = 0; m < RV_LINE_BLOCK; ++m) {
        own[m] = piece_of(pair, 0, i * RV_LINE_BLOCK + m);
        other[m] = piece_of(pair, 1, k * RV_LINE_BLOCK + m);
    }
    for (int m = 0; m < RV_LINE_BLOCK; ++m)
        for (int n = 0; n < RV_LINE_BLOCK; ++n) {
            int a = i * RV_LINE_BLOCK + m, b = k * RV_LINE_BLOCK + n;
            if (!self || b > a + 1)
                look_at_pieces(pair, &own[m], a, &other[n], b);
        }
}

// Where along a rope, in pieces.
static double piece_at(const Pair* pair, int r, double along)
{
    const rvCable* cable = &pair->store->items[pair->cable[r]];
    rvLinePoint from, to;
    int k = 0;
    for (pair->line[r]->at(cable, k, 1.0, &to); k + 1 < pair->pieces[r] && to.along < along;)
        pair->line[r]->at(cable, ++k, 1.0, &to);
    pair->line[r]->at(cable, k, 0.0, &from);
    return k + clamped((along - from.along) / fmax(to.along - from.along, APART));
}

// Places where the two were near each other after the last step, until they are apart, or are through each other by
// far.
static void recall(Pair* pair)
{
    const rvCableStore* store = pair->store;
    double thick = pair->radius[0] + pair->radius[1];
    for (int k = 0; k < store->ropeMemoryCapacity && pair->count < MOST_MET; ++k) {
        const rvRopeMemory* near = &store->ropeMemories[k];
        if (near->cable[0] != pair->cable[0] + 1.0 || near->cable[1] != pair->cable[1] + 1.0)
            continue;
        Meeting met = {.held = near->held, .known = true};
        double u[2] = {piece_at(pair, 0, near->along[0]), piece_at(pair, 1, near->along[1])};
        come_nearest(pair, false, u);
        if (!find_normal(pair, u, &near->normal, &met.normal))
            continue;
        place(pair, u, &met);
        if (is_bend(pair, &met)) // the two came to one point
            continue;
        rvVec3 x[2], d;
        for (int r = 0; r < 2; ++r)
            curve_at(pair, r, u[r], false, &x[r], &d);
        met.apart = rvDot(met.normal, rvSub(x[1], x[0]));
        if (met.apart < thick + RV_CONTACT_MARGIN && rvDistance(x[0], x[1]) < DEEPEST * thick + RV_CONTACT_MARGIN)
            pair->met[pair->count++] = met;
    }
}

static void add_point(Pair* pair, const Meeting* met, double h)
{
    rvCableStore* store = pair->store;
    rvLinePoint at;
    rvCable* first = &store->items[pair->cable[0]];
    rvCable* second = &store->items[pair->cable[1]];
    pair->line[0]->at(first, met->piece[0], met->share[0], &at);
    rvRopePoint point = {.cable = {pair->cable[0], pair->cable[1]},
                         .solverBody = store->firstRopePoint + store->ropePointCount,
                         .normal = met->normal,
                         .along = {met->along[0], met->along[1]},
                         .held = met->held};
    point.at = rvMulAdd(at.was, pair->radius[0], met->normal);
    point.velocity = rvScale(1.0 / h, rvSub(at.now, at.was));
    point.mass =
        LIGHT * fmin(first->massPerLength * first->state.restLength, second->massPerLength * second->state.restLength);
    rvRopeSide side = {.point = point.at, .body = point.solverBody, .welded = true, .normal = rvNeg(met->normal)};
    side.friction = fmax(LEAST_FRICTION, sqrt(first->friction * second->friction));
    side.along[0] = rvAcross(met->normal);
    side.along[1] = rvCross(met->normal, side.along[0]);
    for (int r = 0; r < 2; ++r) {
        side.radius = pair->radius[r];
        point.contact[r] = pair->line[r]->touch(r ? second : first, met->piece[r], met->share[r], &side);
        if (!point.contact[r]) // no room: the first one then takes a point along that nothing touches
            break;
        side.normal = met->normal;
        side.welded = false;
    }
    store->ropePoints[store->ropePointCount++] = point;
}

static void look_at_pair(rvCableStore* store, int c, int d, double h)
{
    Pair pair = {.store = store, .cable = {c, d}};
    for (int r = 0; r < 2; ++r) {
        const rvCable* cable = &store->items[pair.cable[r]];
        pair.line[r] = line_of(store, pair.cable[r]);
        pair.pieces[r] = cable->line.pieces;
        pair.radius[r] = 0.5 * cable->diameter;
    }
    const Box* whole = boxes_of(store);
    Box* blocks = boxes_of(store) + store->pool.count;
    for (int k = 0; k < blocks_of(&pair, 1); ++k)
        blocks[k] = block_box(&pair, 1, k);
    recall(&pair);
    for (int i = 0; i < blocks_of(&pair, 0); ++i) {
        Box box = wider(block_box(&pair, 0, i));
        for (int k = c == d ? i : 0; (c == d || boxes_meet(&box, &whole[d])) && k < blocks_of(&pair, 1); ++k)
            if (boxes_meet(&box, &blocks[k]))
                look_at_blocks(&pair, i, k);
    }
    for (int k = 0; k < pair.count && store->ropePointCount < store->ropePointCapacity; ++k)
        add_point(&pair, &pair.met[k], h);
}

static void box_ropes(const rvCableStore* store)
{
    Box* boxes = boxes_of(store);
    for (int c = 0; c < store->pool.count; ++c) {
        const rvModelLine* line = line_of(store, c);
        int blocks = line ? store->items[c].line.pieces / RV_LINE_BLOCK : 0;
        rvVec3 box[2] = {NOTHING.low, NOTHING.high};
        for (int k = 0; k < blocks; ++k)
            line->box(&store->items[c], k, box);
        boxes[c] = (Box){box[0], box[1]};
    }
}

static bool may_meet(const rvCableStore* store, int c, int d)
{
    const rvCable *a = &store->items[c], *b = &store->items[d];
    if (c == d)
        return a->line.folds;
    if (a->model != b->model && (rv_cable_has(a, RV_OWN_LINES) || rv_cable_has(b, RV_OWN_LINES)))
        return false;
    Box box = wider(boxes_of(store)[c]);
    return (a->shapeGroup & b->mask) && (b->shapeGroup & a->mask) && boxes_meet(&box, &boxes_of(store)[d]);
}

void rv_rope_points_find(rvCableStore* store, double h)
{
    store->ropePointCount = 0;
    int ropes = 0;
    for (int c = 0; store->ropePointCapacity > 0 && !store->hosted && c < store->pool.count; ++c)
        ropes += line_of(store, c) != NULL;
    if (ropes > 1)
        box_ropes(store);
    for (int c = 0; c < store->pool.count; ++c)
        store->items[c].line.beside = false;
    for (int c = 0; ropes > 0 && c < store->pool.count; ++c)
        for (int d = c; line_of(store, c) && d < (ropes > 1 ? store->pool.count : c + 1); ++d)
            if (line_of(store, d) && may_meet(store, c, d)) {
                store->items[c].line.beside = store->items[c].line.beside || c != d;
                store->items[d].line.beside = store->items[d].line.beside || c != d;
                look_at_pair(store, c, d, h);
            }
}

// ---- what they do to each other

void rv_rope_points_predict(const rvCableStore* store, rvBodyStore* bodies)
{
    for (int k = 0; k < store->ropePointCount; ++k) {
        const rvRopePoint* point = &store->ropePoints[k];
        const double inverse[6] = {1.0 / point->mass, 0.0, 0.0, 1.0 / point->mass, 0.0, 1.0 / point->mass};
        rv_bodies_set_point(bodies, point->solverBody, inverse, point->velocity);
    }
}

// The rows of both point the same way along the surface, and against each other along the normal.
static double level(rvCableStore* store, const rvRopePoint* point, int part, rvLineChannel channel)
{
    rvCable* cable[2] = {&store->items[point->cable[0]], &store->items[point->cable[1]]};
    double sign = part == 0 ? -1.0 : 1.0, compliance[2], rate[2];
    for (int r = 0; r < 2; ++r)
        rate[r] = cable[r]->model->line->rate(cable[r], point->contact[r], part, channel, &compliance[r]);
    double faster = rate[0] - sign * rate[1], all = compliance[0] + compliance[1];
    double push = all > 0.0 ? -faster / all : 0.0;
    cable[0]->model->line->push(cable[0], point->contact[0], part, channel, push);
    cable[1]->model->line->push(cable[1], point->contact[1], part, channel, -sign * push);
    return fabs(push);
}

// What one line has too much by its account of the work between them the other one gave.
static void share_energy(rvCableStore* store, const rvRopePoint* point)
{
    double headroom[2];
    rvCable* cable[2];
    for (int r = 0; r < 2; ++r) {
        cable[r] = &store->items[point->cable[r]];
        headroom[r] = cable[r]->model->line->rate(cable[r], point->contact[r], 0, RV_LINE_ENERGY, NULL);
    }
    int poor = headroom[0] < 0.0 ? 0 : 1;
    if (!(headroom[poor] < 0.0 && headroom[1 - poor] > 0.0))
        return;
    double given = fmin(-headroom[poor], headroom[1 - poor]);
    cable[poor]->model->line->push(cable[poor], point->contact[poor], 0, RV_LINE_ENERGY, given);
    cable[1 - poor]->model->line->push(cable[1 - poor], point->contact[1 - poor], 0, RV_LINE_ENERGY, -given);
}

// Velocities and accelerations of points that hold each other.
static void level_rates(rvCableStore* store)
{
    for (int channel = 0; channel < RV_LINE_CHANNELS; ++channel) {
        double most = 0.0, last = HUGE_VAL;
        for (int sweep = 0; sweep < SWEEPS && last > QUIET * most; ++sweep) {
            last = 0.0;
            for (int k = 0; k < store->ropePointCount; ++k) {
                const rvRopePoint* point = &store->ropePoints[k];
                for (int part = 0; point->pressed && part < 3; ++part)
                    if (point->contact[1]->holds[part])
                        last = fmax(last, level(store, point, part, (rvLineChannel)channel));
            }
            most = fmax(most, last);
        }
    }
}

// Does a point of this step go on from this entry?
static bool goes_on(const rvCableStore* store, const rvRopeMemory* entry)
{
    for (int k = 0; k < store->ropePointCount; ++k) {
        const rvRopePoint* point = &store->ropePoints[k];
        if (point->held != 0.0 && entry->cable[0] == point->cable[0] + 1.0 && entry->cable[1] == point->cable[1] + 1.0)
            return true;
    }
    return false;
}

static void remember(rvCableStore* store, const rvBodyStore* bodies, double h)
{
    int room = rv_rope_points_room(store);
    for (int k = 0; k < room; ++k) {
        const rvRopeMemory* entry = &store->ropeMemories[k];
        if (entry->held != 0.0 && !goes_on(store, entry))
            rv_cables_note_crossing(store, (int)entry->cable[0] - 1, (int)entry->cable[1] - 1, false);
    }
    for (int k = 0; k < room; ++k) {
        store->ropeMemories[k] = (rvRopeMemory){0};
        if (k >= store->ropePointCount)
            continue;
        const rvRopePoint* point = &store->ropePoints[k];
        const double* v = bodies->velocity[point->solverBody];
        rvRopeMemory entry = {.cable = {point->cable[0] + 1.0, point->cable[1] + 1.0},
                              .along = {point->along[0], point->along[1]},
                              .held = point->held != 0.0 || point->pressed ? 1.0 : 0.0,
                              .normal = point->normal,
                              .point = rvMulAdd(point->at, h, rvVec(v[3], v[4], v[5]))};
        if (point->pressed)
            entry.force = point->contact[1]->force;
        if (point->pressed && point->held == 0.0)
            rv_cables_note_crossing(store, point->cable[0], point->cable[1], true);
        store->ropeMemories[k] = entry;
    }
}

void rv_rope_points_settle(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    bool pressing = false;
    for (int k = 0; k < store->ropePointCount; ++k) {
        rvRopePoint* point = &store->ropePoints[k];
        rvLineContact *first = point->contact[0], *second = point->contact[1];
        for (int part = 0; first && part < 3; ++part)
            first->holds[part] = second && second->holds[part];
        point->pressed = second && second->holds[0];
        pressing = pressing || point->pressed;
    }
    if (pressing && !context->atRest) {
        level_rates(store);
        for (int k = 0; k < store->ropePointCount; ++k)
            if (store->ropePoints[k].pressed && store->ropePoints[k].cable[0] != store->ropePoints[k].cable[1])
                share_energy(store, &store->ropePoints[k]);
    }
    // entries are one behind the other
    if (store->ropeMemoryCapacity > 0 && (store->ropePointCount > 0 || store->ropeMemories[0].cable[0] != 0.0))
        remember(store, bodies, context->h);
}

void rv_rope_points_forget(rvCableStore* store, int cable)
{
    int count = 0;
    store->ropePointCount = 0;
    for (int k = 0; k < store->ropeMemoryCapacity; ++k) {
        rvRopeMemory entry = store->ropeMemories[k];
        store->ropeMemories[k] = (rvRopeMemory){0};
        if (entry.cable[0] != 0.0 && entry.cable[0] != cable + 1.0 && entry.cable[1] != cable + 1.0)
            store->ropeMemories[count++] = entry;
    }
}

bool rv_rope_memory_is_sound(const rvCableStore* store, const rvRopeMemory* entry)
{
    bool sound = (entry->held == 0.0 || entry->held == 1.0) && rvIsFiniteVec(entry->normal) &&
                 rvIsFiniteVec(entry->point) && rvIsFiniteVec(entry->force);
    for (int r = 0; r < 2; ++r) {
        double number = entry->cable[r];
        sound = sound && isfinite(entry->along[r]) && number >= 0.0 && number <= store->pool.count &&
                number == floor(number) && (number == 0.0) == (entry->cable[0] == 0.0);
        sound = sound && (number == 0.0 || most_pieces(store, (int)number - 1) > 0);
    }
    return sound && (entry->cable[0] > 0.0 || entry->held == 0.0);
}
