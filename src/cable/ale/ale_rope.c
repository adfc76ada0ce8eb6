// SPDX-License-Identifier: MIT
// A rope that flows, in the world: creation, grips, the shape at the start, rest.
#include "cable/ale/ale_rope.h"

#include "base/deal.h"
#include "cable/fe/fe.h"
#include "cable/fe/fe_section.h"
#include "cable/fe/start_curve.h"
#include "cable/route/friction.h"
#include "cable/route/start_speed.h"

enum { MOST_ROOM = 256 }; // elements that a fall may be split into
enum { MOST_TRIES = 2 };  // each with a quarter of the step: settling gives up after the third
enum { ARC_PASSES = 3 };  // tension and stretch of the rope on wheels, in turn

static rvStatus check(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    if (def->elements < 1 || def->elements > RV_ALE_MESH)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': elements: is %d, must be 1 to %d", cable->name, def->elements,
                       RV_ALE_MESH);
    if (cable->route.capacity > RV_ALE_MAX_FALLS + 1)
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': places: there may be %d with contacts (maxContacts); model ale has at most %d",
                       cable->name, cable->route.capacity, RV_ALE_MAX_FALLS + 1);
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->clamped && !(rvIsFiniteVec(place->direction) && rvLength(place->direction) > 0.0))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].direction: must be finite and not zero",
                           cable->name, i);
    }
    return rv_fe_check_fluid(def, cable->name, error);
}

double rv_ale_rope_arc(const rvPlace* place)
{
    return place->on ? place->arcBefore + place->arcAfter : 0.0;
}

double rv_ale_rope_slide(const rvCable* cable, int j, const rvBodyStore* bodies, rvVec3 now)
{
    const rvPlace* place = &cable->route.places[j];
    rvVec3 way = rvSub(now, cable->rope->slides[2 * j - 1].was);
    if (place->body >= 0)
        way = rvRotate(bodies->items[place->body].state.q, way);
    return rvDot(way, cable->route.spans[j - 1].u);
}

// By the tensions beside it.
double rv_ale_rope_tension_share(rvAleRope* rope, int j)
{
    const double* mean = rv_ale_rope_means(rope) + 2 * j;
    return 1.0 / (1.0 + rv_section_strain(0.5 * (mean[0] + mean[1]), rope->ale->EA));
}

// Friction holds the rope on a place as it came there.
static bool rubs(const rvPlace* place)
{
    return place->on && rv_place_ratio(place) > 1.0 + 1e-9;
}

double rv_ale_rope_arc_share(const rvCable* cable, int j)
{
    rvAleRope* rope = cable->rope;
    return j == 0 || j == cable->route.spanCount ? rope->arcShare : rv_ale_rope_shares(rope)[j];
}

// How much of it follows the tensions beside it in a step. What an arc gives to a fall lowers its tension, by arc/fall
// times what the arc has followed; that is of the last step, and comes at a speed that damping feels: so a loop of gain
// arc/fall (h + tau)/RV_ALE_SMOOTH. It has to stay far below 1.
static double following(const rvAle* ale, int j, double h)
{
    static const double GAIN = 0.1;
    double arc = ale->flow[RV_ALE_P][ale->placeCount + j];
    double fall = fmin(rv_ale_fall_length(ale, j - 1), rv_ale_fall_length(ale, j));
    double gain = arc / fmax(fall, 1e-300) * (h + ale->axialTime) / RV_ALE_SMOOTH;
    return gain > GAIN ? GAIN / gain : 1.0;
}

void rv_ale_rope_exchange_arcs(rvCable* cable, const double* before, double h)
{
    rvAle* ale = cable->rope->ale;
    double* shares = rv_ale_rope_shares(cable->rope);
    for (int j = 1; j < ale->fallCount; ++j) {
        double rope = ale->flow[RV_ALE_P][ale->placeCount + j], part = 1.0;
        if (before && rubs(&cable->route.places[j]))
            part = fmin(1.0, fabs(ale->flow[RV_ALE_P][j] - before[j]) / fmax(rope, 1e-300));
        else if (before)
            part = following(ale, j, h);
        if (part > 0.0)
            shares[j] += part * (rv_ale_rope_tension_share(cable->rope, j) - shares[j]);
    }
}

// ---- grips

rvVec3 rv_ale_rope_local(const rvCable* cable, int k, const rvBodyStore* bodies)
{
    const rvPlace* place = &cable->route.places[k / 2 + k % 2];
    rvVec3 point = k % 2 == RV_ALE_BEGIN ? place->out : place->in;
    if (place->body < 0)
        return point;
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvRotateBack(s->q, rvSub(point, s->x));
}

static unsigned mask_of(const rvGrip* grip)
{
    return grip->clamped ? RV_ANCF_CLAMP : RV_ANCF_PIN;
}

static unsigned char held_at(const rvAleRope* rope, int k)
{
    const rvAleFall* fall = &rope->ale->falls[k / 2];
    return fall->ancf->held[rv_ale_end_node(fall, k % 2)];
}

static void set_hold(rvAleRope* rope, int k, bool hold)
{
    rvError ignored = {0};
    if (hold && !held_at(rope, k))
        rv_ale_hold(rope->ale, k / 2, k % 2, mask_of(&rope->grips[k]), &ignored);
    else if (!hold && held_at(rope, k))
        rv_ale_let_go(rope->ale, k / 2, k % 2);
}

void rv_ale_rope_match(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    bool broken = cable->state.broken != 0.0;
    if (rope->gripCount != 2 * cable->route.spanCount) // its state was put back
        rv_ale_rope_name_grips(cable, bodies);
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGrip* grip = &rope->grips[k];
        const rvPlace* place = &cable->route.places[grip->place];
        grip->off = broken || place->type == RV_PLACE_FREE;
        // settling holds bodies for a while, and it may have been named then
        grip->pushed = rv_grip_is_pushed(place, bodies);
        grip->local = rv_ale_rope_local(cable, k, bodies);
        if (grip->clamped) { // slopes of the mesh are g times those of the rope
            double g = rv_ale_fall_length(rope->ale, k / 2) / rope->ale->falls[k / 2].mesh;
            grip->direction = rvScale(g / rvLength(place->direction), place->direction);
        }
        if (grip->off)
            memset(&rope->states[k], 0, sizeof rope->states[k]);
        set_hold(rope, k, !grip->off && !grip->pushed);
        rope->ale->falls[k / 2].gripped[k % 2] = rv_ale_is_port(grip);
        rope->falls[k / 2].slides[k % 2] = rv_ale_slides(place);
    }
    for (int j = 0; j < cable->route.placeCount; ++j) {
        const rvPlace* place = &cable->route.places[j];
        rope->ale->flowHeld[j] = broken || place->type == RV_PLACE_ATTACH || place->type == RV_PLACE_FREE;
        rope->ale->flowRate[j] = 0.0;
        bool sticks = place->inertia > 0.0 && place->on && place->state.mode == 0.0;
        rope->ale->inertia[j] = sticks ? place->inertia / (place->radius * place->radius) : 0.0;
    }
}

void rv_ale_rope_hold_ports(rvAleRope* rope)
{
    for (int k = 0; k < rope->gripCount; ++k)
        if (rv_ale_is_port(&rope->grips[k]))
            set_hold(rope, k, true);
}

void rv_ale_rope_let_ports_go(rvAleRope* rope)
{
    for (int k = 0; k < rope->gripCount; ++k)
        if (rv_ale_is_port(&rope->grips[k]))
            set_hold(rope, k, false);
}

// Of a place that slides along its body: as fast as it gets there. Else the mesh would move and its rates would not,
// and what the rope flows through it for that would be damped as if it were stretched.
void rv_ale_rope_aim(const rvAleRope* rope, int k, const rvBodyStore* bodies, double h, double b[6], double rate[6])
{
    const rvAleFall* fall = &rope->ale->falls[k / 2];
    const double* q = fall->ancf->q + 6 * rv_ale_end_node(fall, k % 2);
    double accel[6];
    rv_grip_aim(&rope->grips[k], bodies, h, b, rate, accel);
    for (int c = 0; c < 3 && h > 0.0 && rope->falls[k / 2].slides[k % 2]; ++c)
        rate[c] = (b[c] - q[c]) / h;
}

// Where a held end is at the end of the step, and how fast.
static void aim(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    (void)time;
    const rvAleFallOf* of = context;
    const rvAleRope* rope = of->rope;
    int k = 2 * of->fall + (node == 0 ? RV_ALE_BEGIN : RV_ALE_END);
    rv_ale_rope_aim(rope, k, rope->bodies, rope->h, b, rate);
    memset(accel, 0, 6 * sizeof(double));
}

void rv_ale_rope_read_force(rvAleRope* rope, int k, const rvBodyStore* bodies, bool stepped, double wrench[6])
{
    const rvAle* ale = rope->ale;
    double f[6], passing[3] = {0.0, 0.0, 0.0};
    rvAleFlow flow = rv_ale_flow_of(ale, k / 2, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
    rv_ale_reaction(rope->ale, k / 2, k % 2, stepped, f);
    rv_ale_add_passing(&ale->falls[k / 2], k % 2, ale->falls[k / 2].ancf->q, &flow, passing);
    for (int c = 0; c < 3; ++c)
        f[c] -= passing[c];
    rv_grip_wrench(&rope->grips[k], bodies, f, wrench);
}

// ---- creation

// Answers for how many rows there is room.
static int deal_out(rvAleRope* rope, const rvCable* cable, rvDeal* d)
{
    size_t places = (size_t)cable->route.capacity, falls = places - 1;
    size_t touches = (size_t)rope->touches.list.capacity;
    size_t rows = 2 + 7 * falls + 5 * places + 3 * touches +
                  6 * (size_t)cable->definedCount; // slopes are held at attached places only
    rope->grips = rv_deal(d, 2 * falls, sizeof *rope->grips);
    rope->states = rv_deal(d, 2 * falls, sizeof *rope->states);
    rope->slides = rv_deal(d, 2 * falls, sizeof *rope->slides);
    rope->carries = rv_deal(d, 2 * falls, sizeof *rope->carries);
    rope->holds = rv_deal(d, places, sizeof *rope->holds);
    rope->rims = rv_deal(d, places, sizeof *rope->rims);
    rope->couples = rv_deal(d, 3 * places, sizeof *rope->couples);
    rope->stops = rv_deal(d, falls, sizeof *rope->stops);
    rope->pressed = rv_deal(d, places, sizeof *rope->pressed);
    rope->arcs = rv_deal(d, RV_ALE_ARC_NUMBERS(places), sizeof *rope->arcs);
    rope->falls = rv_deal(d, falls, sizeof *rope->falls);
    rope->ports = rv_deal(d, rows, sizeof *rope->ports);
    rope->places = rv_deal(d, rows, sizeof(double));
    rope->forces = rv_deal(d, rows, sizeof(double));
    rope->spread = rv_deal(d, rows * 2 * places, sizeof(double));
    rope->compliance = rv_deal(d, rows * rows, sizeof(double));
    rope->placeRoom = (int)places;
    return (int)rows;
}

// The longest that the rope out can get, as far as that is known.
static double longest(const rvCable* cable)
{
    double more = 0.0, rest = cable->state.restLength;
    for (int i = 0; i < 2; ++i)
        if (cable->winch[i].exists) {
            const rvWinchSettings* winch = &cable->winch[i].settings;
            more += fmax(0.0, fmin(winch->stored, winch->maxLength - rest));
        }
    return rest + fmin(more, 9.0 * rest);
}

// As much rope as there is between the places, by the lengths of the spans, with what lies on wheels.
static bool share_rope(const rvCable* cable, rvAleFallDef* falls)
{
    rvAleRope* rope = cable->rope;
    const rvRoute* route = &cable->route;
    // on wheels the rope is stretched as all of it is, but never pressed together
    double stretch = fmax(1.0, route->length / cable->state.restLength), wheels = 0.0, spans = 0.0;
    for (int j = 0; j < route->placeCount; ++j) {
        wheels += rv_ale_rope_arc(&route->places[j]) / stretch;
        spans += j < route->spanCount ? route->spans[j].length : 0.0;
    }
    double per = (cable->state.restLength - wheels) / spans;
    rope->arcShare = 1.0 / stretch;
    for (int i = 0; i < route->spanCount; ++i) {
        double length = per * route->spans[i].length;
        int count = (int)fmax(1.0, round(length / rope->wished)), most = rope->ale ? rope->ale->falls[i].room : count;
        falls[i] = (rvAleFallDef){length, count < most ? count : most, 0};
    }
    return per > 0.0;
}

void rv_ale_rope_lay_falls(rvCable* cable)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    const rvRoute* route = &cable->route;
    rvAleFallDef falls[RV_ALE_MAX_FALLS];
    share_rope(cable, falls);
    rv_ale_lay_falls(ale, falls, route->spanCount);
    double *p = ale->flow[RV_ALE_P], at = 0.0;
    for (int j = 0; j < route->placeCount; ++j) {
        double arc = rv_ale_rope_arc(&route->places[j]) * rope->arcShare;
        bool last = j >= route->spanCount;
        p[j] = last ? at + arc : at;
        p[route->placeCount + j] = ale->arcAim[j] = arc;
        rv_ale_rope_shares(rope)[j] = rope->arcShare;
        at += arc + (last ? 0.0 : falls[j].length);
    }
}

static rvStatus create_elements(rvCable* cable, const rvCableDef* def, rvMemory* memory, rvError* error,
                                const rvAleRope* like)
{
    rvAleRope* rope = cable->rope;
    rvAleFallDef falls[RV_ALE_MAX_FALLS];
    const rvRoute* route = &cable->route;
    rope->wished = like ? like->wished : cable->state.restLength / def->elements;
    if (!share_rope(cable, falls))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': length: is %g m, all of it would lie on wheels", cable->name,
                       cable->state.restLength);
    int most = (int)fmin(MOST_ROOM, ceil(1.4 * longest(cable) / rope->wished) + 6.0);
    for (int i = 0; i < route->spanCount; ++i)
        most = falls[i].elementCount > most ? falls[i].elementCount : most;
    most = like ? like->ale->falls[0].room : most;
    for (int i = 0; i < route->spanCount; ++i) {
        falls[i].room = most;
        falls[i].elementCount = falls[i].elementCount < most ? falls[i].elementCount : most;
    }
    rvAncfCurrent currents[RV_MAX_CURRENTS];
    double bending = def->bendingStiffness;
    rope->wheelEI = bending; // that of a rod would not lie on a sheave
    if (bending == 0.0)      // of a round rod of that diameter
        bending = cable->axialStiffness * def->diameter * def->diameter / 16.0;
    rvAleDef ale = {.fallCount = route->spanCount,
                    .falls = falls,
                    .fallRoom = route->capacity - 1,
                    .EA = cable->axialStiffness,
                    .EI = bending,
                    .massPerLength = cable->massPerLength,
                    .axialTime = cable->damping,
                    .bendTime = rv_fe_bend_time(cable, def),
                    .buckles = true,
                    .diameter = def->diameter,
                    .water = like ? like->ale->water : rv_fe_water(def, currents)};
    rvStatus status = rv_ale_create(&ale, memory, &rope->ale, error);
    if (status == RV_OK)
        rv_ale_rope_lay_falls(cable);
    return status;
}

rvStatus rv_ale_rope_make(rvCable* cable, const rvCableDef* def, rvMemory* memory, rvError* error,
                          const rvAleRope* like)
{
    rvStatus status = check(cable, def, error);
    if (status != RV_OK)
        return status;
    rvAleRope shape = {.touches.list.capacity = def->collides ? def->maxContacts : 0};
    rvDeal count = {0};
    rv_deal(&count, 1, sizeof(rvAleRope));
    deal_out(&shape, cable, &count);
    char* block = rv_memory_take(memory, count.used);
    if (!block)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rvDeal real = {.at = block};
    rvAleRope* rope = cable->rope = rv_deal(&real, 1, sizeof(rvAleRope));
    rope->touches.list.capacity = shape.touches.list.capacity;
    cable->roomRows = deal_out(rope, cable, &real);
    cable->roomSlots = rope->touches.list.capacity;
    rope->block = block;
    rope->blockSize = count.used;
    status = create_elements(cable, def, memory, error, like);
    if (status == RV_OK)
        status = rv_ale_touches_make(cable, memory, error);
    if (status != RV_OK)
        return status;
    for (int f = 0; f < rope->ale->fallRoom; ++f) {
        rope->falls[f] = (rvAleFallOf){.rope = rope, .fall = f};
        rv_ancf_set_motion(rope->ale->falls[f].ancf, aim, &rope->falls[f]);
    }
    return RV_OK;
}

rvStatus rv_ale_rope_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                            rvError* error)
{
    rvStatus status = rv_ale_rope_make(cable, def, memory, error, NULL);
    if (status == RV_OK)
        rv_ale_rope_follow_route(cable, bodies);
    return status;
}

void rv_ale_rope_release(rvCable* cable, rvMemory* memory)
{
    rvAleRope* rope = cable->rope;
    if (!rope)
        return;
    rv_ale_touches_release(&rope->touches, memory);
    rv_ale_destroy(rope->ale);
    rv_memory_give(memory, rope->block, rope->blockSize);
    cable->rope = NULL;
}

// ---- start

static void lay_shape(rvCable* cable, rvVec3 gravity)
{
    rvAle* ale = cable->rope->ale;
    rvVec3 down = rvNormalizeOr(gravity, rvVec(0, 0, -1));
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        double length = rv_ale_fall_length(ale, f), mesh = ale->falls[f].mesh;
        rvStartCurve curve;
        cable->route.places[f].state.rest = length;
        rv_start_curve_draw(&curve, cable, f, length, down);
        for (int n = 0; n < ancf->nodeCount; ++n)
            rv_fe_lay_node(ancf, n, &curve, ancf->places[n] / mesh, mesh);
    }
}

static void put_held(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; ++f)
        rv_fe_put_held(ale->falls[f].ancf);
}

// Is the rope beside a place in the middle pressed together, by the shape that it has? Nothing rubs there.
static bool is_pressed(const rvAleRope* rope, int j)
{
    return rv_ale_rope_end_tension(rope, j - 1, RV_ALE_END) < 0.0 &&
           rv_ale_rope_end_tension(rope, j, RV_ALE_BEGIN) < 0.0;
}

// Rope does not flow over places with friction or past winches while it comes to rest; `drawn`: it has no shape of its
// own yet.
static void hold_flows(const rvCable* cable, bool* held, bool drawn)
{
    rvAle* ale = cable->rope->ale;
    for (int j = 0; j < ale->placeCount; ++j) {
        bool end = j == 0 || j == ale->fallCount;
        held[j] = ale->flowHeld[j];
        ale->flowHeld[j] = held[j] || end || (rubs(&cable->route.places[j]) && (drawn || !is_pressed(cable->rope, j)));
    }
}

// Pull that friction at a place cannot hold, with the rope at rest there [N]; *before: the pull before it.
static double excess_at(const rvCable* cable, int j, double* before)
{
    const rvPlace* place = &cable->route.places[j];
    double behind, e = rubs(place) ? rv_place_ratio(place) : HUGE_VAL;
    *before = 0.0;
    if (isinf(e) || place->inertia > 0.0)
        return 0.0;
    rv_ale_pulls(cable->rope->ale, j, before, &behind);
    return fmax(0.0, fmax(*before - e * fmax(0.0, behind), behind - e * fmax(0.0, *before)));
}

// The most of it: the rows of the iteration let it slip. Notes what presses it together.
static double excess_of(const rvCable* cable)
{
    double most = 0.0, before;
    for (int j = 1; j < cable->rope->ale->fallCount; ++j) {
        most = fmax(most, excess_at(cable, j, &before));
        cable->rope->pressed[j] = fmin(before, 0.0);
    }
    return most;
}

// Rope that hangs where it was drawn slips where friction cannot hold it. (Held there, bodies got the difference of
// both pulls for most of the first step, which the rope has given up long before: a trolley was thrown by it.)
static void let_slip(const rvCable* cable)
{
    rvAle* ale = cable->rope->ale;
    double before;
    for (int j = 1; j < ale->fallCount; ++j)
        if (excess_at(cable, j, &before) > 0.0)
            ale->flowHeld[j] = false;
}

static void keep_forces(rvAleRope* rope, const rvBodyStore* bodies)
{
    for (int k = 0; k < rope->gripCount; ++k) {
        rvGripState* s = &rope->states[k];
        if (rope->grips[k].off)
            continue;
        for (int i = 0; i < 3; ++i)
            rv_ale_rope_read_force(rope, k, bodies, false, s->past[i]);
    }
}

static void keep_route(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    for (int k = 0; k < rope->gripCount; ++k)
        rope->slides[k] =
            (rvAleSlide){.was = rv_ale_rope_local(cable, k, bodies), .now = rv_ale_rope_local(cable, k, bodies)};
    for (int j = 0; j < cable->route.placeCount; ++j)
        rope->arcs[j] = rope->arcs[rope->placeRoom + j] = rv_ale_rope_arc(&cable->route.places[j]);
    for (int i = 0; i < 6; ++i)
        rope->drawn[i / 3][i % 3] = rv_ale_rope_end_tension(rope, i < 3 ? 0 : rope->ale->fallCount - 1, i / 3);
    memset(rope->quicker, 0, sizeof rope->quicker);
    rv_ale_rope_smooth(rope, 1.0);
    rv_ale_wheels_start(cable);
    rv_ale_rope_note_energies(cable);
    memset(rope->ale->above, 0, RV_ALE_GUARD_NUMBERS * sizeof(double));
}

static bool is_finite(const rvAle* ale)
{
    bool good = true;
    for (int f = 0; good && f < ale->fallCount; ++f)
        good = rv_ancf_is_finite(ale->falls[f].ancf, ale->falls[f].ancf->q);
    for (int j = 0; good && j < ale->placeCount; ++j)
        good = isfinite(ale->flow[RV_ALE_P][j]);
    return good;
}

// What lies on wheels is stretched as the rope beside it.
static void stretch_arcs(rvCable* cable)
{
    rvAle* ale = cable->rope->ale;
    rv_ale_rope_exchange_arcs(cable, NULL, 0.0);
    for (int j = 1; j < ale->fallCount; ++j)
        ale->flow[RV_ALE_P][ale->placeCount + j] = ale->arcAim[j] =
            rv_ale_rope_arc(&cable->route.places[j]) * rv_ale_rope_arc_share(cable, j);
}

// It hangs at rest but for its speeds: what is left of the forces is round-off, though it may be much for a light rope.
static void stop_accelerating(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; ++f) {
        rvAncf* ancf = ale->falls[f].ancf;
        memset(ancf->a, 0, (size_t)ancf->dofCount * sizeof(double));
        memset(ancf->at, 0, (size_t)ancf->dofCount * sizeof(double));
    }
    for (int i = RV_ALE_ACCEL; i <= RV_ALE_ALGO; ++i)
        memset(ale->flow[i], 0, 2 * (size_t)ale->placeCount * sizeof(double));
}

// `old`, where it is not NULL: the model that was, by which it moves after a last step of h.
static void start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight,
                  double h)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    rvError ignored = {0};
    bool held[RV_ALE_MAX_FALLS + 1];
    if (!rope->laid) // contacts may have come, and rope to lie on them
        rv_ale_rope_lay_falls(cable);
    rope->laid = true;
    rv_ale_rope_match(cable, bodies);
    rope->bodies = bodies;
    rope->h = 0.0;
    ale->gravity = gravity;
    rv_ale_join_flows(ale);
    rv_ale_rope_hold_ports(rope);
    hold_flows(cable, held, true);
    lay_shape(cable, gravity);
    rv_ale_rest(ale);
    put_held(ale);
    bool rests = !straight && cable->state.broken == 0.0 && rv_cable_can_rest(cable, gravity);
    for (int i = 0; i < ARC_PASSES && rests; ++i) {
        if (i > 0) {
            stretch_arcs(cable);
            let_slip(cable);
        }
        // what has not come to rest to the last digit is nearer to it than what was drawn: bent rope may turn about its
        // chord at no cost, so that no iteration ends there
        if (rv_ale_settle(ale, 1e-9, &ignored) != RV_OK && !is_finite(ale)) {
            lay_shape(cable, gravity);
            put_held(ale);
            break;
        }
        rv_ale_rope_smooth(rope, 1.0);
    }
    if (old && rv_cable_has(old, RV_HAS_MASS))
        rv_ale_rope_take_motion(cable, old, bodies, h);
    else if (rv_start_speed_any(cable, bodies))
        rv_ale_rope_move_along(cable, bodies, old);
    rvAncfOptions options = rv_ancf_rt_options();
    rv_ale_initialise(ale, &options, &ignored);
    if (old && rests)
        stop_accelerating(ale);
    for (int i = 0; i < cable->route.bodyCount; ++i) { // energies that move are those of the bodies too
        const rvBody* body = &bodies->items[cable->route.bodies[i]];
        if (rv_body_is_pushed(body))
            *ale->floor += 0.01 * body->mass * rvLength(gravity) * cable->state.restLength;
    }
    keep_forces(rope, bodies);
    keep_route(cable, bodies);
    if (old && rests)
        rv_ale_guard_at_once(ale);
    memcpy(ale->flowHeld, held, (size_t)ale->placeCount * sizeof(bool));
    rv_ale_rope_let_ports_go(rope);
    rv_ale_rope_note_tensions(cable, true);
    rope->bodies = NULL;
}

void rv_ale_rope_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    start(cable, NULL, bodies, gravity, straight, 0.0);
}

void rv_ale_rope_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h)
{
    start(cable, old, bodies, gravity, false, h);
}

static double mean_tension(const rvAleRope* rope, int fall, int end, const rvPair* stored)
{
    const rvAleFall* f = &rope->ale->falls[fall];
    const rvAncf* ancf = f->ancf;
    double g = rv_ale_fall_length(rope->ale, fall) / f->mesh, sum = 0.0;
    int e = end == RV_ALE_BEGIN ? 0 : ancf->elementCount - 1;
    for (int k = 0; k < ancf->slotCount; ++k)
        for (int lane = 0; lane < 2; ++lane) {
            int a = ancf->fold[k][lane], b = ancf->inner[k][lane];
            if (a < ancf->nodeCount && (a < b ? a : b) == e)
                for (int i = 0; i < RV_ANCF_POINTS; ++i)
                    sum += rv_ancf_gauss_weight[i] * stored[RV_ANCF_STORED * k + i][lane];
        }
    double n = g * sum / f->elements[e].length; // EA eps
    return n * sqrt(fmax(0.0, 1.0 + 2.0 * n / rope->ale->EA));
}

double rv_ale_rope_end_tension(const rvAleRope* rope, int fall, int end)
{
    return mean_tension(rope, fall, end, rope->ale->falls[fall].ancf->stored);
}

double rv_ale_rope_next_tension(const rvAleRope* rope, int fall, int end)
{
    return mean_tension(rope, fall, end, rope->ale->falls[fall].ancf->nextStored);
}

void rv_ale_rope_smooth(rvAleRope* rope, double share)
{
    double* mean = rv_ale_rope_means(rope);
    for (int j = 1; j < rope->ale->fallCount; ++j)
        for (int side = 0; side < 2; ++side) {
            double now = side == 0 ? rv_ale_rope_end_tension(rope, j - 1, RV_ALE_END)
                                   : rv_ale_rope_end_tension(rope, j, RV_ALE_BEGIN);
            mean[2 * j + side] += share * (fmax(0.0, now) - mean[2 * j + side]);
        }
}

static double span_tension(const rvAle* ale, int f, bool told)
{
    const rvAleFall* fall = &ale->falls[f];
    const rvAncf* ancf = fall->ancf;
    double g = rv_ale_fall_length(ale, f) / fall->mesh, sum = 0.0;
    for (int e = 0; e < ancf->elementCount; ++e)
        sum += (told ? rv_ancf_told_pull(ancf, e) : g * rv_ancf_mean_pull(ancf, e)) * fall->elements[e].length;
    double n = sum / fall->mesh;
    return n * sqrt(fmax(0.0, 1.0 + 2.0 * n / ale->EA));
}

void rv_ale_rope_note_tensions(rvCable* cable, bool anew)
{
    const rvAle* ale = cable->rope->ale;
    for (int f = 0; f < ale->fallCount; ++f)
        rv_ancf_note_pulls(ale->falls[f].ancf, rv_ale_fall_length(ale, f) / ale->falls[f].mesh, anew);
    rv_ale_rope_tensions(cable);
}

void rv_ale_rope_tensions(rvCable* cable)
{
    const rvAle* ale = cable->rope->ale;
    for (int f = 0; f < ale->fallCount; ++f) {
        rvPlaceState* s = &cable->route.places[f].state;
        s->tension = cable->state.broken != 0.0 ? 0.0 : span_tension(ale, f, true);
        s->endTension = cable->state.broken != 0.0 ? 0.0 : span_tension(ale, f, false);
        s->rest = rv_ale_fall_length(ale, f) + ale->flow[RV_ALE_P][ale->placeCount + f];
    }
    for (int i = 0; i < 2; ++i) { // what winches read: at their end of the rope
        int span = i == 0 ? 0 : ale->fallCount - 1;
        double mean = cable->route.places[span].state.tension;
        cable->winch[i].state.offset = cable->winch[i].exists ? rv_ale_rope_tension(cable, NULL, span, i) - mean : 0.0;
    }
}

// ---- rest: as fe_rest.c

// By itself, between its ports.
static void come_to_rest(rvCable* cable, const rvBodyStore* bodies)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    rvError ignored = {0};
    bool held[RV_ALE_MAX_FALLS + 1];
    rv_ale_rope_hold_ports(rope);
    hold_flows(cable, held, false);
    rv_ale_settle(ale, 1e-12, &ignored);
    rope->excess = excess_of(cable);
    keep_forces(rope, bodies);
    memcpy(ale->flowHeld, held, (size_t)ale->placeCount * sizeof(bool)); // what rubs slips by its row, as in a step
    rv_ale_rope_let_ports_go(rope);
}

// Rope that sags onto shapes goes with the bodies only: by itself it would fall through them, also between two edges
// that its route lies on. Where the solver finds no way there it comes to rest as if there were none, and what that
// leaves is told.
void rv_ale_rope_begin_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvAleRope* rope = cable->rope;
    rvAle* ale = rope->ale;
    rope->bodies = bodies;
    rope->h = 0.0;
    rope->excess = 0.0;
    rope->tries += rope->tries <= MOST_TRIES;
    rope->lies = rope->tries <= MOST_TRIES && (rope->lies || context->ontoShapes || rope->touches.list.count > 0);
    if (cable->state.broken == 0.0) {
        for (int f = 0; f < ale->fallCount; ++f) {
            rvAncf* ancf = ale->falls[f].ancf;
            rvVec3 a = rv_ale_rope_gap(cable, 2 * f), b = rv_ale_rope_gap(cable, 2 * f + 1);
            for (int n = 0; n < ancf->nodeCount; ++n) {
                rvVec3 move = rvMulAdd(a, ancf->places[n] / ale->falls[f].mesh, rvSub(b, a));
                double* q = ancf->q + 6 * n;
                q[0] += move.x;
                q[1] += move.y;
                q[2] += move.z;
            }
        }
        rv_ale_rope_exchange_arcs(cable, NULL, 0.0);
        for (int j = 0; j < ale->placeCount; ++j) { // as much rope as lies on the wheels now
            double* arc = &ale->flow[RV_ALE_P][ale->placeCount + j];
            double now = rv_ale_rope_arc(&cable->route.places[j]);
            *arc = ale->arcAim[j] = now * rv_ale_rope_arc_share(cable, j);
            rope->arcs[j] = rope->arcs[rope->placeRoom + j] = now;
        }
        if (!rope->lies)
            come_to_rest(cable, bodies);
    }
    rope->h = context->h;
    rv_ale_port_begin_rest(ale, context->h);
    rope->bodies = NULL;
}

// Wheels that rub roll along the rope as their bodies move.
static void roll_at_rest(rvCable* cable, const rvBodyStore* bodies)
{
    rvAle* ale = cable->rope->ale;
    for (int j = 1; j < ale->fallCount; ++j)
        if (rubs(&cable->route.places[j]) && rv_ale_slides(&cable->route.places[j]))
            ale->flow[RV_ALE_P][j] += rv_ale_rope_slide(cable, j, bodies, rv_ale_rope_local(cable, 2 * j - 1, bodies));
}

// How far an iteration moves the nodes, and turns slopes.
static void measure_way(const rvAle* ale, double* way, double* turn)
{
    *way = *turn = 0.0;
    for (int f = 0; f < ale->fallCount; ++f) {
        const rvAleFall* fall = &ale->falls[f];
        double g = rv_ale_fall_length(ale, f) / fall->mesh;
        for (int i = 0; i < fall->ancf->dofCount; ++i) {
            double moved = fabs(fall->rt.p[i] - fall->ancf->q[i]), *most = i % 6 < 3 ? way : turn;
            *most = fmax(*most, i % 6 < 3 ? moved : moved / g);
        }
    }
}

// How much of an iteration the rope makes, of the share that all bodies go. Where that turns slopes by more than its
// linear equations can tell it stays as it is: it follows its ends, and comes to rest between them; of one that lies on
// shapes the share of all is cut so far.
static double share_of_rest(const rvAleRope* rope, double share)
{
    static const double FAR = 0.3;
    double way, turn;
    measure_way(rope->ale, &way, &turn);
    if (!rope->lies)
        return turn < FAR ? share : 0.0;
    return isfinite(turn) ? fmin(share, FAR / fmax(turn, FAR)) : 0.0;
}

void rv_ale_rope_keep_targets(rvAleRope* rope)
{
    for (int j = 0; j < rope->ale->placeCount; ++j) {
        const rvAleHold* hold = &rope->holds[j];
        if (rv_ale_sticks(hold))
            rope->ale->rt.p[j] = rv_ale_stuck_at(hold);
    }
}

void rv_ale_rope_end_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvAleRope* rope = cable->rope;
    bool hangs = cable->state.broken == 0.0;
    rope->tries = rope->tries > MOST_TRIES ? rope->tries : 0;
    rv_ale_rope_keep_targets(rope);
    rv_ale_port_end_rest(rope->ale, hangs ? share_of_rest(rope, context->h / rope->h) : 0.0);
    for (int k = 0; hangs && k < rope->gripCount; ++k) {
        double force[6];
        if (rope->grips[k].off)
            continue;
        rv_ale_rope_read_force(rope, k, bodies, false, force);
        for (int i = 0; i < 3; ++i)
            memcpy(rope->states[k].past[i], rope->grips[k].pushed ? rope->grips[k].force : force, sizeof force);
    }
    if (hangs)
        roll_at_rest(cable, bodies);
    for (int j = 0; j < cable->route.placeCount; ++j)
        cable->route.places[j].state.spin = 0.0;
    keep_route(cable, bodies);
}

void rv_ale_rope_measure_rest(const rvCable* cable, double gravity, rvBalance* balance)
{
    const rvAleRope* rope = cable->rope;
    measure_way(rope->ale, &balance->displacement, &balance->turn);
    // but for what slips it is at rest with its ports as they are, and follows its bodies
    if (!rope->lies || cable->state.broken != 0.0)
        balance->displacement = balance->turn = 0.0;
    for (int j = 1; j < rope->ale->fallCount; ++j)
        if (rope->holds[j].row >= 0 && rope->holds[j].slips)
            balance->displacement =
                fmax(balance->displacement, fabs(rope->ale->rt.p[j] - rope->ale->flow[RV_ALE_P][j]));
    balance->load = cable->state.restLength * cable->massPerLength * gravity;
    for (int k = 0; k < rope->gripCount; ++k) {
        const double* f = rope->states[k].past[0];
        balance->load += sqrt(rv_ancf_dot3(f, f));
    }
    if (cable->state.broken == 0.0)
        balance->force = fmax(rope->excess, rv_ale_port_measure_rest(rope->ale));
}
