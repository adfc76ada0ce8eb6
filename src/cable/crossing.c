// SPDX-License-Identifier: MIT
// The point where two ropes cross, in a step: which places belong together, its share of the rows, its motion. How
// crossings begin and end is in crossing_find.c.
#include "cable/crossing.h"

#include "cable/twist.h"
#include "math/sym3.h"

// Of the largest tension at the point: what each rope counts for at least, so that the point stays defined.
#define LEAST_SHARE 1e-6
// Of its stiffness across: what a span has along itself, for ropes that are nearly parallel.
#define ALONG 1e-3
// A rope that is just not taut counts as if it were stretched by this strain, a slack one for less: the more slack it has,
// the less it moves the point.
#define LEAST_STRAIN 1e-6
// Where in the step the pulls balance: 1/2 keeps the energy of a point that moves, but the point then swings to and fro.
#define IMPLICIT 0.6
// A bend below this is none [rad].
#define LEAST_BEND 1e-9
#define SHORTEST 1e-6 // span for a stiffness across it [m]

int rv_crossing_room(const rvCable* cable)
{
    int contacts = cable->collides ? cable->route.capacity - cable->definedCount : 0;
    return contacts < RV_MOST_CROSSINGS ? contacts : RV_MOST_CROSSINGS;
}

int rv_crossings_room(const rvCableStore* store)
{
    int room = 0;
    for (int i = 0; store->colliding > 0 && i < store->pool.count; ++i)
        room += rv_id_pool_alive(&store->pool, i) ? rv_crossing_room(&store->items[i]) : 0;
    return room / 2; // each stands in two places
}

void rv_crossings_tell(rvCableStore* store, int cableA, int cableB, bool began)
{
    if (store->crossingChangeCount < store->crossingChangeCapacity)
        store->crossingChanges[store->crossingChangeCount++] = (rvCrossingChange){{cableA, cableB}, began};
}

// Places of one number that are not the two sides of one crossing, or are on a broken rope, are given the number 0.
static void pair_place(rvCableStore* store, int cable, int i, int* own)
{
    rvPlace* place = &store->items[cable].route.places[i];
    rvRopeNode* node = &place->state.node;
    place->crossing = NULL;
    if (node->feature == 0)
        return;
    int k = 0;
    while (k < store->crossingCount &&
           store->items[store->crossings[k].cable[0]].route.places[store->crossings[k].place[0]].state.node.feature !=
               node->feature)
        k += 1;
    bool known = k < store->crossingCount;
    bool fits = known ? store->crossings[k].cable[1] < 0 : k < store->crossingCapacity;
    *own += 1;
    if (!fits || *own > rv_crossing_room(&store->items[cable])) {
        node->feature = 0;
        return;
    }
    if (!known)
        store->crossings[store->crossingCount++] = (rvCrossing){.cable = {cable, -1}, .place = {i, -1}};
    rvCrossing* crossing = &store->crossings[k];
    crossing->cable[known] = cable;
    crossing->place[known] = i;
    place->crossingSide = known;
}

static bool is_whole(const rvCableStore* store, const rvCrossing* crossing)
{
    if (crossing->cable[1] < 0)
        return false;
    bool broken = false;
    for (int s = 0; s < 2; ++s)
        broken = broken || store->items[crossing->cable[s]].state.broken != 0.0;
    return !broken;
}

// Lists the crossings; false: places were marked that must go.
static bool list_crossings(rvCableStore* store)
{
    bool sound = true;
    store->crossingCount = 0;
    for (int c = 0; c < store->pool.count; ++c) {
        rvCable* cable = &store->items[c];
        int own = 0;
        cable->drift = 0.0;
        if (!rv_id_pool_alive(&store->pool, c) || !cable->collides)
            continue;
        for (int i = 1; i < cable->route.spanCount; ++i)
            if (rv_place_is_crossing(&cable->route.places[i])) {
                pair_place(store, c, i, &own);
                sound = sound && cable->route.places[i].state.node.feature != 0;
            }
    }
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        if (is_whole(store, crossing))
            continue;
        for (int s = 0; s < 2 && crossing->cable[s] >= 0; ++s)
            store->items[crossing->cable[s]].route.places[crossing->place[s]].state.node.feature = 0;
        if (crossing->cable[1] >= 0)
            rv_crossings_tell(store, crossing->cable[0], crossing->cable[1], false);
        sound = false;
    }
    return sound;
}

void rv_crossings_collect(rvCableStore* store, const rvBodyStore* bodies)
{
    store->crossingCount = 0;
    if (store->colliding == 0 || list_crossings(store))
        return;
    for (int c = 0; c < store->pool.count; ++c)
        if (rv_id_pool_alive(&store->pool, c) && store->items[c].collides)
            rv_cable_drop_crossings(&store->items[c], bodies, store->spare);
    // with a place the twist may have got another turn to count by
    for (int c = 0; c < store->pool.count; ++c)
        if (rv_id_pool_alive(&store->pool, c) && store->items[c].collides)
            rv_twist_refresh(&store->items[c], bodies);
    list_crossings(store);
}

// The neighbour of a place in a direction that a body carries: past other crossings and wheels that were left. Tells how
// far it is.
static const rvPlace* carrier(const rvRoute* route, int place, int step, double* length)
{
    int k = place + step;
    *length = route->spans[step > 0 ? place : place - 1].length;
    while (k > 0 && k < route->spanCount && (rv_place_is_crossing(&route->places[k]) || !route->places[k].on)) {
        *length += route->spans[step > 0 ? k : k - 1].length;
        k += step;
    }
    return &route->places[k];
}

static int add_slot(rvCable* cable, int body)
{
    for (int slot = 0; slot < cable->slotCount; ++slot)
        if (cable->slots[slot] == body)
            return slot;
    cable->slots[cable->slotCount] = body;
    return cable->slotCount++;
}

void rv_crossings_number(rvCableStore* store, const rvBodyStore* bodies, int first)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        rvCrossing* crossing = &store->crossings[k];
        crossing->solverBody = first + k;
        for (int i = 0; i < 4; ++i) {
            const rvRoute* route = &store->items[crossing->cable[i / 2]].route;
            const rvPlace* place = carrier(route, crossing->place[i / 2], i % 2 ? 1 : -1, &crossing->reach[i]);
            bool moves = place->body >= 0 && rv_body_moves(&bodies->items[place->body]);
            crossing->body[i] = moves ? place->body : -1;
            crossing->arm[i] = i % 2 ? place->armIn : place->armOut;
        }
        for (int s = 0; s < 2; ++s) {
            rvCable* cable = &store->items[crossing->cable[s]];
            cable->route.places[crossing->place[s]].crossing = crossing;
            for (int i = 0; i < 4; ++i)
                crossing->slot[s][i] = crossing->body[i] >= 0 ? add_slot(cable, crossing->body[i]) : -1;
            crossing->slot[s][4] = add_slot(cable, crossing->solverBody);
        }
    }
}

// Unit vectors from the point to its four neighbours, distances, and the tensions on the way, of which a slack one
// counts for a little.
typedef struct {
    rvVec3 toward[4];
    double length[4], weight[4];
} surroundings;

double rv_crossing_weight(const rvCable* cable, int span)
{
    // a rope between two fixed points has no rows before it is crossed: its strain tells
    double strain = cable->route.length / cable->state.restLength - 1.0;
    double slack = LEAST_STRAIN * LEAST_STRAIN / (LEAST_STRAIN + fmax(0.0, -strain));
    return fmax(rv_cable_tension(cable, span), cable->axialStiffness * fmax(strain, slack));
}

static surroundings look_around(const rvCableStore* store, const rvCrossing* crossing)
{
    surroundings around;
    double largest = 0.0;
    for (int i = 0; i < 4; ++i) {
        const rvCable* cable = &store->items[crossing->cable[i / 2]];
        int place = crossing->place[i / 2];
        const rvPlace* here = &cable->route.places[place];
        rvVec3 d = rvSub(i % 2 ? here[1].in : here[-1].out, here->point);
        around.length[i] = rvLength(d);
        around.toward[i] = rvNormalizeOr(d, rvVec(0, 0, 0));
        around.weight[i] = rv_crossing_weight(cable, i % 2 ? place : place - 1);
        largest = fmax(largest, around.weight[i]);
    }
    for (int i = 0; i < 4; ++i)
        around.weight[i] = fmax(around.weight[i], LEAST_SHARE * largest);
    return around;
}

// Adds  rate ((1 + ALONG) - p p^T).
static void add_stiffness(double s[6], double rate, rvVec3 p)
{
    s[0] += rate * (1.0 + ALONG - p.x * p.x);
    s[1] -= rate * p.x * p.y;
    s[2] -= rate * p.x * p.z;
    s[3] += rate * (1.0 + ALONG - p.y * p.y);
    s[4] -= rate * p.y * p.z;
    s[5] += rate * (1.0 + ALONG - p.z * p.z);
}

void rv_crossings_predict(rvCableStore* store, rvBodyStore* bodies, double h)
{
    for (int k = 0; k < store->crossingCount; ++k)
        for (int s = 0; s < 2; ++s)
            store->items[store->crossings[k].cable[s]].drift = 0.0;
    for (int k = 0; k < store->crossingCount; ++k) {
        rvCrossing* crossing = &store->crossings[k];
        surroundings around = look_around(store, crossing);
        double sum[6] = {0}, inverse[6];
        rvVec3 pull = {0, 0, 0};
        for (int i = 0; i < 4; ++i) {
            pull = rvMulAdd(pull, around.weight[i], around.toward[i]);
            double* s = crossing->stiffness[i];
            for (int c = 0; c < 6; ++c)
                s[c] = 0.0;
            add_stiffness(s, around.weight[i] / fmax(crossing->reach[i], SHORTEST), around.toward[i]);
            for (int c = 0; c < 6; ++c)
                sum[c] += s[c];
        }
        rv_sym3_invert(sum, crossing->inverse);
        for (int c = 0; c < 6; ++c) {
            crossing->mass[c] = IMPLICIT * h * h * sum[c];
            inverse[c] = crossing->inverse[c] / (IMPLICIT * h * h);
        }
        crossing->h = h;
        double drift = rvLength(rv_sym3_vec(inverse, rvScale(h, pull)));
        for (int s = 0; s < 2; ++s) {
            rvCable* cable = &store->items[crossing->cable[s]];
            cable->drift = fmax(cable->drift, drift);
        }
        rv_bodies_set_point(bodies, crossing->solverBody, inverse);
    }
}

void rv_crossing_add(const rvPlace* place, double factor, rvVec3 u, const rvRows* rows, int group, int row)
{
    const rvCrossing* crossing = place->crossing;
    const int* slot = crossing->slot[place->crossingSide];
    double* own = rv_group_jacobian(rows, group, slot[4])[row];
    own[3] += factor * u.x;
    own[4] += factor * u.y;
    own[5] += factor * u.z;
    rvVec3 w = rv_sym3_vec(crossing->inverse, u);
    for (int i = 0; i < 4; ++i)
        if (slot[i] >= 0) {
            rvPlace carried = {.slot = slot[i]};
            rv_place_add_force(&carried, crossing->arm[i], factor, rv_sym3_vec(crossing->stiffness[i], w), rows, group,
                               row);
        }
}

static rvVec3 solved_velocity(const rvBodyStore* bodies, int body, rvVec3 arm)
{
    const double* v = bodies->velocity[body];
    return rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), arm));
}

// Would the point, moving like this, pass one of the places beside it? Then it slips off there.
static bool passes_end(const rvCrossing* crossing, const surroundings* around, const rvVec3 beside[4], rvVec3 velocity,
                       double thick)
{
    for (int i = 0; i < 4; ++i)
        if (crossing->h * rvDot(around->toward[i], rvSub(velocity, beside[i])) > around->length[i] - 0.5 * thick)
            return true;
    return false;
}

void rv_crossings_advance(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        const rvPlace* place = &store->items[crossing->cable[0]].route.places[crossing->place[0]];
        surroundings around = look_around(store, crossing);
        const double* solved = bodies->velocity[crossing->solverBody];
        rvVec3 carried = {0, 0, 0}, beside[4], own = rvVec(solved[3], solved[4], solved[5]);
        for (int i = 0; i < 4; ++i) {
            beside[i] = rvVec(0, 0, 0);
            if (crossing->body[i] >= 0)
                beside[i] = solved_velocity(bodies, crossing->body[i], crossing->arm[i]);
            carried = rvAdd(carried, rv_sym3_vec(crossing->stiffness[i], beside[i]));
        }
        // the push that went into its motion against its neighbours is nowhere stored
        double heat = rvDot(own, rv_sym3_vec(crossing->mass, own));
        rvVec3 velocity = rvAdd(rv_sym3_vec(crossing->inverse, carried), own);
        bool ends = passes_end(crossing, &around, beside, velocity, place->state.node.t);
        rvVec3 point = ends ? place->point : rvMulAdd(place->point, crossing->h, velocity);
        for (int s = 0; s < 2; ++s) {
            rvPlaceState* state = &store->items[crossing->cable[s]].route.places[crossing->place[s]].state;
            state->localIn = state->localOut = point;
            state->node.out = velocity;
            state->heat += 0.5 * heat;
            state->node.feature = ends ? 0 : state->node.feature;
        }
        if (ends)
            rv_crossings_tell(store, crossing->cable[0], crossing->cable[1], false);
    }
}

// The pull of the first rope on the point, were it where both ropes come to rest without friction: what tells whether they
// hold each other, however the point swings in a step.
static rvVec3 press(const surroundings* around)
{
    rvVec3 a[2], b[2], pull = {0, 0, 0};
    for (int i = 0; i < 4; ++i)
        *(i < 2 ? &a[i] : &b[i - 2]) = rvScale(around->length[i], around->toward[i]);
    double first = 0.5 * (around->weight[0] + around->weight[1]),
           second = 0.5 * (around->weight[2] + around->weight[3]);
    rvVec3 x = rv_rope_cross_point(a, b, first, second, rvVec(0, 0, 0));
    for (int i = 0; i < 2; ++i)
        pull = rvMulAdd(pull, first, rvNormalizeOr(rvSub(a[i], x), rvVec(0, 0, 0)));
    return pull;
}

// Has the press turned against what it was, or has one rope come to the end of the other's span and slips off it? Ropes
// may also lie on each other without a bend.
static bool pulls_apart(const rvCableStore* store, const rvCrossing* crossing)
{
    surroundings around = look_around(store, crossing);
    const rvPlace* place = &store->items[crossing->cable[0]].route.places[crossing->place[0]];
    for (int i = 0; i < 4; ++i)
        if (around.length[i] < place->state.node.t)
            return true;
    return rvDot(press(&around), place->state.node.in) < -LEAST_BEND * around.weight[0];
}

void rv_crossings_measure(rvCableStore* store)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        surroundings around = look_around(store, crossing);
        rvVec3 now = press(&around);
        for (int s = 0; s < 2; ++s) {
            rvPlace* place = &store->items[crossing->cable[s]].route.places[crossing->place[s]];
            if (rvLength(now) > LEAST_BEND * around.weight[0])
                place->state.node.in = rvNormalizeOr(now, place->state.node.in);
            rvVec3 in = rvNeg(around.toward[2 * s]), out = around.toward[2 * s + 1];
            place->turn = place->state.angle = atan2(rvLength(rvCross(in, out)), rvDot(in, out));
        }
    }
}

rvVec3 rv_crossing_force(const rvCable* cable, int place)
{
    const rvRoute* route = &cable->route;
    return rvAdd(rv_route_force_in(route, place, rv_cable_tension(cable, place - 1)),
                 rv_route_force_out(route, place, rv_cable_tension(cable, place)));
}

bool rv_crossings_let_go(rvCableStore* store)
{
    bool any = false;
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        if (!pulls_apart(store, crossing))
            continue;
        any = true;
        rv_crossings_tell(store, crossing->cable[0], crossing->cable[1], false);
        for (int s = 0; s < 2; ++s)
            store->items[crossing->cable[s]].route.places[crossing->place[s]].state.node.feature = 0;
    }
    return any;
}

bool rv_crossing_is_sound(const rvPlaceState* s)
{
    const rvRopeNode* node = &s->node;
    return node->shape == -1 && node->kind == RV_ROPE_EDGE && node->feature >= 0 && s->shapeBody == -1.0 &&
           s->grip >= 0.0 && isfinite(s->grip) && node->t >= 0.0 && isfinite(node->t) && rvIsFiniteVec(node->in) &&
           rvIsFiniteVec(node->out) && rvLength(s->localIn) <= 2.0 * RV_LARGEST_POSITION;
}
