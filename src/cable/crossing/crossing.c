// SPDX-License-Identifier: MIT
// The point where two ropes cross, in a step: which places belong together, its share of the rows, its motion. How
// crossings begin and end is in crossing_find.c.
#include "cable/crossing/crossing.h"

#include "cable/route/route.h"
#include "cable/route/segment.h"
#include "cable/route/twist.h"
#include "cable/taut/cable_contact.h"
#include "cable/taut/obstacle.h"
#include "math/sym3.h"

// Of the largest tension at the point: what each rope counts for at least, so that the point stays defined.
#define LEAST_SHARE 1e-6
// Of its stiffness across: what a span has along itself, for ropes that are nearly parallel.
#define ALONG 1e-3
// A rope that is just not taut counts as if it were stretched by this strain, a slack one for less: the more slack it
// has, the less it moves the point.
#define LEAST_STRAIN 1e-6
#define LEANS 3.0 // ropes thick: crossings that are nearer lean on each other
// A bend below this is none [rad].
#define LEAST_BEND 1e-9
#define SHORTEST 1e-6   // span for a stiffness across it [m]
#define SLUNG 0.02      // bend of a rope with mass that is led around another [rad]
#define BENT 0.5        // bends of two ropes around each other that tell in which direction they press [rad]
#define PARALLEL 1e-3   // sine of an angle: two ropes do not tell what is across them
#define LEAST_REACH 0.5 // of two unit vectors to the ends of a rope: what tells its direction
#define PI 3.14159265358979323846
#define STRAIGHT 1e-15 // of their moments: keeps the turning of neighbours that lie on one line defined

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
        store->crossings[store->crossingCount++] = (rvCrossing){.cable = {cable, -1}, .place = {i, -1}, .group = -1};
    rvCrossing* crossing = &store->crossings[k];
    crossing->cable[known] = cable;
    crossing->place[known] = i;
    place->crossingSide = known;
}

static bool is_whole(const rvCableStore* store, const rvCrossing* crossing)
{
    if (crossing->cable[1] < 0 || store->hosted)
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
            rv_cables_note_crossing(store, crossing->cable[0], crossing->cable[1], false);
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

// The neighbour of a place in a direction that a body carries: past other crossings and wheels that were left.
static const rvPlace* carrier(const rvRoute* route, int place, int step)
{
    int k = place + step;
    while (k > 0 && k < route->spanCount && (rv_place_is_crossing(&route->places[k]) || !route->places[k].on))
        k += step;
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
            const rvPlace* place = carrier(route, crossing->place[i / 2], i % 2 ? 1 : -1);
            bool moves = place->body >= 0 && rv_body_moves(&bodies->items[place->body]);
            crossing->body[i] = moves ? place->body : -1;
            crossing->arm[i] = i % 2 ? place->armIn : place->armOut;
            crossing->reach[i] = rvSub(i % 2 ? place->in : place->out, route->places[crossing->place[i / 2]].point);
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
    bool crosses[4]; // the neighbour is a crossing too
    bool taut;       // one of the ropes is
} surroundings;

double rv_crossing_weight(const rvCable* cable, int span, double h)
{
    double tension = rv_cable_tension(cable, span), strain = cable->route.length / cable->state.restLength - 1.0;
    double slack = LEAST_STRAIN * LEAST_STRAIN / (LEAST_STRAIN + fmax(0.0, -strain));
    // a slack one that comes taut within the step pulls by then: as if it had no weight the point would give way
    // without end, and the rope would not come taut at all
    for (int i = 0; i < cable->route.spanCount && !(tension > 0.0); ++i)
        strain += h * cable->route.places[i].state.rate / cable->state.restLength;
    if (!(tension > 0.0))
        slack = fmax(slack, strain);
    return fmax(tension, cable->axialStiffness * slack);
}

// By what they pull, those that are slack by what they will after a time h.
static surroundings look_around(const rvCableStore* store, const rvCrossing* crossing, double h)
{
    surroundings around = {.taut = false};
    double largest = 0.0;
    for (int i = 0; i < 4; ++i) {
        const rvCable* cable = &store->items[crossing->cable[i / 2]];
        int place = crossing->place[i / 2];
        const rvPlace* here = &cable->route.places[place];
        rvVec3 d = rvSub(i % 2 ? here[1].in : here[-1].out, here->point);
        around.crosses[i] = rv_place_is_crossing(i % 2 ? &here[1] : &here[-1]);
        around.length[i] = rvLength(d);
        around.toward[i] = rvNormalizeOr(d, rvVec(0, 0, 0));
        around.weight[i] = rv_crossing_weight(cable, i % 2 ? place : place - 1, h);
        around.taut = around.taut || rv_cable_tension(cable, i % 2 ? place : place - 1) > 0.0;
        largest = fmax(largest, around.weight[i]);
    }
    for (int i = 0; i < 4; ++i)
        around.weight[i] = fmax(around.weight[i], LEAST_SHARE * largest);
    return around;
}

// Adds  rate ((1 + ALONG) - p p^T).
void rv_crossing_add_stiffness(double s[6], double rate, rvVec3 p)
{
    s[0] += rate * (1.0 + ALONG - p.x * p.x);
    s[1] -= rate * p.x * p.y;
    s[2] -= rate * p.x * p.z;
    s[3] += rate * (1.0 + ALONG - p.y * p.y);
    s[4] -= rate * p.y * p.z;
    s[5] += rate * (1.0 + ALONG - p.z * p.z);
}

static rvMat3 mat_of(const double s[6])
{
    return (rvMat3){{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
}

static rvMat3 transposed(rvMat3 a)
{
    rvMat3 b;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            b.m[i][j] = a.m[j][i];
    return b;
}

static rvMat3 product(rvMat3 a, rvMat3 b)
{
    rvMat3 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

static rvMat3 add_mat(rvMat3 a, double factor, rvMat3 b)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] += factor * b.m[i][j];
    return a;
}

// The inverse of a symmetric positive definite matrix.
static rvMat3 inverse_of(rvMat3 a)
{
    const double six[6] = {a.m[0][0], a.m[0][1], a.m[0][2], a.m[1][1], a.m[1][2], a.m[2][2]};
    double inverse[6];
    rv_sym3_invert(six, inverse);
    return mat_of(inverse);
}

// w -> w x r
static rvMat3 turning_at(rvVec3 r)
{
    return (rvMat3){{{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}}};
}

// A_i of the rigid motion that fits best:  K v + D w = sum k_i v_i,  D^T v + R w = sum N_i^T k_i v_i,  N_i w = w x r_i.
static void share_motion(rvCrossing* crossing, const surroundings* around)
{
    rvMat3 k[4], turned[4], sum = rvMat3Diagonal(0, 0, 0), d = sum, moment = sum;
    for (int i = 0; i < 4; ++i) {
        double length = rvLength(crossing->reach[i]), six[6] = {0};
        rv_crossing_add_stiffness(six, around->weight[i] / fmax(length, SHORTEST),
                                  rvScale(1.0 / fmax(length, SHORTEST), crossing->reach[i]));
        rvMat3 n = turning_at(crossing->reach[i]);
        k[i] = mat_of(six);
        turned[i] = product(transposed(n), k[i]);
        sum = add_mat(sum, 1.0, k[i]);
        d = add_mat(d, 1.0, transposed(turned[i]));
        moment = add_mat(moment, 1.0, product(turned[i], n));
    }
    double least = STRAIGHT * (moment.m[0][0] + moment.m[1][1] + moment.m[2][2]);
    rvMat3 fit = product(d, inverse_of(add_mat(moment, 1.0, rvMat3Diagonal(least, least, least))));
    rvMat3 inverse = inverse_of(add_mat(sum, -1.0, product(fit, transposed(d))));
    for (int i = 0; i < 4; ++i)
        crossing->share[i] = crossing->carry[i] = product(inverse, add_mat(k[i], -1.0, product(fit, turned[i])));
}

void rv_crossings_predict(rvCableStore* store, rvBodyStore* bodies, double h)
{
    for (int k = 0; k < store->crossingCount; ++k)
        for (int s = 0; s < 2; ++s)
            store->items[store->crossings[k].cable[s]].drift = 0.0;
    for (int k = 0; k < store->crossingCount; ++k) {
        rvCrossing* crossing = &store->crossings[k];
        surroundings around = look_around(store, crossing, h);
        share_motion(crossing, &around);
        double inverse[6];
        rvVec3 pull = {0, 0, 0};
        for (int c = 0; c < 6; ++c)
            crossing->mass[c] = 0.0;
        for (int i = 0; i < 4; ++i) {
            pull = rvMulAdd(pull, around.weight[i], around.toward[i]);
            double rate = around.weight[i] / fmax(around.length[i], SHORTEST);
            rv_crossing_add_stiffness(crossing->mass, h * h * rate * (around.crosses[i] ? 2.0 : 1.0), around.toward[i]);
        }
        rv_sym3_invert(crossing->mass, inverse);
        crossing->h = h;
        rvVec3 own = rv_crossing_add_mass(store, crossing, inverse);
        // where it is drawn to by ropes that pull; two slack ones do not make each other taut
        double drift = around.taut ? rvLength(rv_sym3_vec(inverse, rvScale(h, pull))) : 0.0;
        for (int s = 0; s < 2; ++s) {
            rvCable* cable = &store->items[crossing->cable[s]];
            cable->drift = fmax(cable->drift, drift);
        }
        rv_bodies_set_point(bodies, crossing->solverBody, inverse, own);
    }
}

static rvVec3 solved_velocity(const rvBodyStore* bodies, int body, rvVec3 arm)
{
    const double* v = bodies->velocity[body];
    return rvAdd(rvVec(v[0], v[1], v[2]), rvCross(rvVec(v[3], v[4], v[5]), arm));
}

// The velocity with which its neighbours carry a crossing, by their shares.
static rvVec3 carried_velocity(const rvBodyStore* bodies, const rvCrossing* crossing, const rvMat3 share[4])
{
    rvVec3 velocity = {0, 0, 0};
    for (int i = 0; i < 4; ++i)
        if (crossing->body[i] >= 0)
            velocity =
                rvAdd(velocity, rvMat3Vec(&share[i], solved_velocity(bodies, crossing->body[i], crossing->arm[i])));
    return velocity;
}

// Would the point, moving like this, pass one of the places beside it? Then it slips off there. Another crossing holds
// it back.
static bool passes_end(const rvCrossing* crossing, const surroundings* around, const rvBodyStore* bodies,
                       rvVec3 velocity, double thick)
{
    for (int i = 0; i < 4; ++i) {
        rvVec3 beside =
            crossing->body[i] < 0 ? rvVec(0, 0, 0) : solved_velocity(bodies, crossing->body[i], crossing->arm[i]);
        double nearer = crossing->h * rvDot(around->toward[i], rvSub(velocity, beside));
        if (!around->crosses[i] && nearer > around->length[i] - 0.5 * thick)
            return true;
    }
    return false;
}

void rv_crossings_advance(rvCableStore* store, const rvBodyStore* bodies)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        const rvPlace* place = &store->items[crossing->cable[0]].route.places[crossing->place[0]];
        surroundings around = look_around(store, crossing, 0.0);
        const double* solved = bodies->velocity[crossing->solverBody];
        rvVec3 velocity = rvVec(solved[3], solved[4], solved[5]);
        velocity = rvAdd(velocity, carried_velocity(bodies, crossing, crossing->share));
        // the push that went into its own motion is nowhere stored
        rvVec3 own = rvSub(velocity, carried_velocity(bodies, crossing, crossing->carry));
        double heat = rvDot(own, rv_sym3_vec(crossing->mass, own));
        rv_crossing_keep_load(store, crossing, velocity);
        bool ends = passes_end(crossing, &around, bodies, velocity, place->state.node.t);
        rvVec3 point = ends ? place->point : rvMulAdd(place->point, crossing->h, velocity);
        for (int s = 0; s < 2; ++s) {
            rvPlaceState* state = &store->items[crossing->cable[s]].route.places[crossing->place[s]].state;
            state->localIn = state->localOut = point;
            state->node.out = velocity;
            state->heat += 0.5 * heat;
            state->node.feature = ends ? 0 : state->node.feature;
        }
        if (ends)
            rv_cables_note_crossing(store, crossing->cable[0], crossing->cable[1], false);
    }
    rv_crossings_relax(store, bodies);
}

// Is span i between two crossings?
static bool is_between(const rvRoute* route, int i)
{
    return rv_place_is_crossing(&route->places[i]) && rv_place_is_crossing(&route->places[i + 1]);
}

int rv_crossings_apart_count(const rvCable* cable)
{
    int count = 0;
    for (int i = 1; cable->route.placeCount > cable->definedCount && i < cable->route.spanCount - 1; ++i)
        count += is_between(&cable->route, i);
    return count;
}

void rv_crossings_apart_write(const rvCable* cable, double h, const rvRows* rows, int group, int first)
{
    const rvRoute* route = &cable->route;
    for (int i = 1; i < route->spanCount - 1; ++i) {
        if (!is_between(route, i))
            continue;
        const rvPlace *a = &route->places[i], *b = a + 1;
        double gap = route->spans[i].length - fmax(a->state.node.t, b->state.node.t);
        rvRow* row = &rv_group_rows(rows, group)[first];
        row->bias = -gap / h;
        row->lower = 0.0;
        row->upper = HUGE_VAL;
        row->mode = RV_ROW_LOWER;
        rv_crossing_add(a, -1.0, route->spans[i].u, rows, group, first);
        rv_crossing_add(b, 1.0, route->spans[i].u, rows, group, first++);
    }
}

// The pull of the first rope on the point, were it where both ropes come to rest without friction: what tells whether
// they hold each other, however the point swings in a step.
static rvVec3 press(const rvCableStore* store, const rvCrossing* crossing, const surroundings* around)
{
    rvVec3 a[2], b[2], pull = {0, 0, 0};
    if (rv_crossing_is_heavy(store, crossing)) // rope with mass goes by its own motion: as it is, what both say of it
        return rvScale(0.5, rvSub(rv_crossing_force(&store->items[crossing->cable[0]], crossing->place[0]),
                                  rv_crossing_force(&store->items[crossing->cable[1]], crossing->place[1])));
    for (int i = 0; i < 4; ++i) {
        const rvRoute* route = &store->items[crossing->cable[i / 2]].route;
        const rvPlace* here = &route->places[crossing->place[i / 2]];
        rvVec3 to = rvScale(around->length[i], around->toward[i]);
        // one that leans on this one tells nothing of the way that the rope would take
        if (around->crosses[i] && around->length[i] < LEANS * here->state.node.t) {
            const rvPlace* beyond = carrier(route, crossing->place[i / 2], i % 2 ? 1 : -1);
            to = rvSub(i % 2 ? beyond->in : beyond->out, here->point);
        }
        *(i < 2 ? &a[i] : &b[i - 2]) = to;
    }
    double first = 0.5 * (around->weight[0] + around->weight[1]),
           second = 0.5 * (around->weight[2] + around->weight[3]);
    rvVec3 x = rv_rope_cross_point(a, b, first, second, rvVec(0, 0, 0));
    for (int i = 0; i < 2; ++i)
        pull = rvMulAdd(pull, first, rvNormalizeOr(rvSub(a[i], x), rvVec(0, 0, 0)));
    return pull;
}

// Are both ropes bent around each other, or one without mass around one that has it? Then they hold on, slack or not: a
// line would be elsewhere, and two curves cannot come apart before they have straightened.
static bool is_slung(const rvCableStore* store, const rvCrossing* crossing, const surroundings* around)
{
    int slung = 0;
    bool light = false;
    rvVec3 side = store->items[crossing->cable[0]].route.places[crossing->place[0]].state.node.in;
    for (int s = 0; s < 2 && rv_crossing_is_heavy(store, crossing); ++s) {
        rvVec3 bend = rvAdd(around->toward[2 * s], around->toward[2 * s + 1]);
        bool massless = !rv_cable_has(&store->items[crossing->cable[s]], RV_HAS_MASS);
        double pulls = s == 0 ? rvDot(bend, side) : -rvDot(bend, side);
        slung += pulls > (massless ? LEAST_BEND : SLUNG);
        light = light || (massless && pulls > LEAST_BEND);
    }
    return light || slung == 2;
}

// How far rope s bends about the direction of the other one, signed, without whole turns.
static double bend_about(const surroundings* around, int s)
{
    rvVec3 axis = rvNormalizeOr(rvSub(around->toward[3 - 2 * s], around->toward[2 - 2 * s]), rvVec(0, 0, 0));
    rvVec3 in = rvNeg(around->toward[2 * s]), out = around->toward[2 * s + 1];
    in = rvMulAdd(in, -rvDot(in, axis), axis);
    out = rvMulAdd(out, -rvDot(out, axis), axis);
    return atan2(rvDot(axis, rvCross(in, out)), rvDot(in, out));
}

// Counted on from step to step; a rope that turns about the other by more than a quarter in a step is not followed, nor
// about one that is bent so far back that it has no direction.
static void count_turns(const surroundings* around, int s, rvRopeNode* node)
{
    rvVec3 other = rvSub(around->toward[3 - 2 * s], around->toward[2 - 2 * s]);
    double bend = bend_about(around, s), way = remainder(bend - node->turn, 2.0 * PI);
    node->turn += fabs(way) < 0.5 * PI && rvLength(other) > LEAST_REACH ? way : 0.0;
}

// Is one wound around the other by more than half a turn? Then the pull turns round on the way, and they hold on.
static bool is_wound(const rvCableStore* store, const rvCrossing* crossing)
{
    bool wound = false;
    for (int s = 0; s < 2; ++s)
        wound = wound || fabs(store->items[crossing->cable[s]].route.places[crossing->place[s]].state.node.turn) > PI;
    return wound;
}

// Ropes with mass that lie on each other tremble: they come apart once those that pull apart would be as far from each
// other as they are thick, m x'' = -press, m of both against each other.
static bool has_opened(const rvCableStore* store, const rvCrossing* crossing, const surroundings* around,
                       double pressed, double h)
{
    double slow = 0.0; // 1/m
    for (int s = 0; s < 2; ++s) {
        double rope = 0.5 * (around->length[2 * s] + around->length[2 * s + 1]);
        slow += 1.0 / (store->items[crossing->cable[s]].massPerLength * rope);
    }
    rvPlaceState* state = &store->items[crossing->cable[0]].route.places[crossing->place[0]].state;
    if (!isfinite(slow)) // one has none
        return pressed < -LEAST_BEND * around->weight[0];
    state->crossOpening -= h * slow * pressed;
    state->crossGap += h * state->crossOpening;
    if (!(state->crossGap > 0.0))
        state->crossGap = state->crossOpening = 0.0;
    return state->crossGap > state->node.t;
}

// Has the press turned against what it was, or has one rope come to the end of the other's span and slips off it? Ropes
// may also lie on each other without a bend.
static bool pulls_apart(const rvCableStore* store, const rvCrossing* crossing, double h)
{
    surroundings around = look_around(store, crossing, 0.0);
    const rvPlace* place = &store->items[crossing->cable[0]].route.places[crossing->place[0]];
    for (int i = 0; i < 4; ++i)
        if (around.length[i] < place->state.node.t && !around.crosses[i])
            return true;
    if (is_wound(store, crossing))
        return false;
    double pressed = rvDot(press(store, crossing, &around), place->state.node.in);
    if (rv_crossing_is_heavy(store, crossing))
        return !is_slung(store, crossing, &around) && has_opened(store, crossing, &around, pressed, h);
    return pressed < -LEAST_BEND * around.weight[0];
}

// Rope with mass presses across both ropes, on the side where it was, or, where they are bent around each other, along
// their bends: forces of ropes that only lie on each other tell nothing.
static rvVec3 across_both(const surroundings* around, bool slung, rvVec3 was)
{
    rvVec3 bend = rvSub(rvAdd(around->toward[0], around->toward[1]), rvAdd(around->toward[2], around->toward[3]));
    rvVec3 a = rvNormalizeOr(rvSub(around->toward[1], around->toward[0]), rvVec(0, 0, 0));
    rvVec3 b = rvNormalizeOr(rvSub(around->toward[3], around->toward[2]), rvVec(0, 0, 0)), n = rvCross(a, b);
    if (slung && rvDot(bend, was) > BENT)
        n = bend;
    else if (!(rvLength(n) > PARALLEL))
        return was;
    return rvNormalizeOr(rvDot(n, was) < 0.0 ? rvNeg(n) : n, was);
}

void rv_crossings_measure(rvCableStore* store)
{
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        surroundings around = look_around(store, crossing, 0.0);
        rvVec3 now = press(store, crossing, &around);
        for (int s = 0; s < 2; ++s) {
            rvPlace* place = &store->items[crossing->cable[s]].route.places[crossing->place[s]];
            if (rv_crossing_is_heavy(store, crossing))
                place->state.node.in = across_both(&around, is_slung(store, crossing, &around), place->state.node.in);
            else if (rvLength(now) > LEAST_BEND * around.weight[0])
                place->state.node.in = rvNormalizeOr(now, place->state.node.in);
            rvVec3 in = rvNeg(around.toward[2 * s]), out = around.toward[2 * s + 1];
            place->turn = place->state.angle = atan2(rvLength(rvCross(in, out)), rvDot(in, out));
            count_turns(&around, s, &place->state.node);
            if (fabs(place->state.node.turn) > PI)
                place->turn = place->state.angle = fabs(place->state.node.turn);
        }
    }
}

rvVec3 rv_crossing_force(const rvCable* cable, int place)
{
    const rvRoute* route = &cable->route;
    rvVec3 pull = rvAdd(rv_route_force_in(route, place, rv_cable_tension(cable, place - 1)),
                        rv_route_force_out(route, place, rv_cable_tension(cable, place)));
    return rvAdd(pull, route->places[place].state.crossLoad);
}

bool rv_crossings_let_go(rvCableStore* store, double h)
{
    bool any = false;
    for (int k = 0; k < store->crossingCount; ++k) {
        const rvCrossing* crossing = &store->crossings[k];
        if (!pulls_apart(store, crossing, h))
            continue;
        any = true;
        rv_cables_note_crossing(store, crossing->cable[0], crossing->cable[1], false);
        for (int s = 0; s < 2; ++s)
            store->items[crossing->cable[s]].route.places[crossing->place[s]].state.node.feature = 0;
    }
    return any;
}

bool rv_crossing_is_sound(const rvPlaceState* s)
{
    const rvRopeNode* node = &s->node;
    return node->shape == -1 && node->kind == RV_ROPE_EDGE && node->feature >= 0 && s->shapeBody == -1.0 &&
           s->grip >= 0.0 && isfinite(s->grip) && node->t >= 0.0 && isfinite(node->t) && isfinite(node->turn) &&
           rvIsFiniteVec(node->in) && rvIsFiniteVec(node->out) && rvLength(s->localIn) <= 2.0 * RV_LARGEST_POSITION;
}
