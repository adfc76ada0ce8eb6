// SPDX-License-Identifier: MIT
// A curve in space in the world: creation, its shape at the start, its state.
//
// At the start it lies at rest without twist: Newton from an arc over each span that bends to the wanted side (space_rest.h).
// Of a span of length l over a chord c the arc has the angles A cos(pi u) about the chord, or A sin(2 pi u) where an end is
// clamped, u = 0..1; both have the chord l J0(A). Nodes lie at the places. A clamp takes the frame that it finds there.
#include "cable/curve_shared.h"
#include "cable/curve_space.h"

#include <string.h>

#define PI 3.14159265358979323846
#define IN_PLANE 1e-6                  // of the length: places lie in a plane within this
#define ROUND_ROD 0.769230769230769231 // GJ/EI of a round rod, 1/(1 + 0.3)
enum { REST_ROUNDS = 200 };

static rvVec3 world_direction(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 ? rvRotate(bodies->items[place->body].state.q, place->direction) : place->direction;
}

bool rv_space_curve_is_meant(const rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies)
{
    if (rvLength(def->plane) > 0.0)
        return false;
    if (def->torsionalStiffness > 0.0)
        return true;
    // a line among the directions that places and clamps have, the one most across it, and how far the rest is off
    rvVec3 line = rvVec(0, 0, 0), normal = rvVec(0, 0, 0);
    double off = 0.0;
    for (int pass = 0; pass < 3; ++pass)
        for (int i = 0; i < 2 * cable->route.placeCount; ++i) {
            const rvPlace* place = &cable->route.places[i / 2];
            if (i % 2 == 1 && !place->clamped)
                continue;
            rvVec3 d = i % 2 == 0 ? rvSub(place->point, cable->route.places[0].point) : world_direction(place, bodies);
            d = rvScale(1.0 / (i % 2 == 0 ? cable->state.restLength : rvLength(d)), d);
            if (pass == 0 && rvLength(d) > rvLength(line))
                line = d;
            else if (pass == 1 && rvLength(rvCross(line, d)) > rvLength(normal))
                normal = rvCross(line, d);
            else if (pass == 2)
                off = fmax(off, fabs(rvDot(rvNormalizeOr(normal, rvVec(0, 0, 0)), d)));
        }
    return off > IN_PLANE;
}

// ---- creation -------------------------------------------------------------------------------------------------------

static rvStatus check(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    if (def->axialStiffness > 0.0 && def->bendingStiffness > 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': axialStiffness: a curve in space does not stretch",
                       cable->name);
    if (def->twist != 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': twist: a curve in space begins without twist", cable->name);
    if (!rvIsFiniteVec(def->bulge))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': bulge: must be finite", cable->name);
    int least = cable->route.spanCount > 2 ? cable->route.spanCount : 2;
    return rv_curve_check(cable, def, least, 3, 3, RV_SPACE_MOST_ROWS, error);
}

// Lays the pieces from `room` on; answers how many bytes they take. With NULL it only counts.
static size_t lay_room(rvSpaceCurve* curve, uint8_t* room, int bodies)
{
    size_t at = 0, rows = (size_t)curve->rowCapacity, count = (size_t)curve->run.space.count;
    size_t touches = (size_t)curve->touchCapacity, grips = (size_t)curve->gripCount;
    curve->grips = rv_curve_piece(room, &at, grips, sizeof(rvGrip));
    curve->states = rv_curve_piece(room, &at, grips, sizeof(rvGripState));
    curve->pasts = rv_curve_piece(room, &at, grips, sizeof(rvSpacePast));
    curve->forces = rv_curve_piece(room, &at, grips + 2 * touches, sizeof(rvSpaceForce));
    curve->pushed = rv_curve_piece(room, &at, grips + 2 * touches, sizeof(rvSpacePush));
    curve->pegs = rv_curve_piece(room, &at, (size_t)curve->pegCapacity, sizeof(rvSpacePeg));
    curve->faces = rv_curve_piece(room, &at, curve->collides ? touches : 0, sizeof(rvSpaceFace));
    curve->touches = rv_curve_piece(room, &at, touches, sizeof(rvSpaceContact));
    curve->rows = rv_curve_piece(room, &at, rows, sizeof(rvSpaceRow));
    curve->gradients = rv_curve_piece(room, &at, rows * count, sizeof(double));
    curve->columns = rv_curve_piece(room, &at, rows * count, sizeof(double));
    curve->values = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->held = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->known = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->block = rv_curve_piece(room, &at, rows * rows, sizeof(double));
    curve->list = rv_curve_piece(room, &at, rows, sizeof(int));
    curve->targets = rv_curve_piece(room, &at, rows, sizeof *curve->targets);
    curve->stays = rv_curve_piece(room, &at, rows, sizeof(bool));
    curve->drift = rv_curve_piece(room, &at, count, sizeof(rvVec3));
    curve->slots = rv_curve_piece(room, &at, (size_t)bodies + touches, sizeof(int));
    return at;
}

static bool take_room(rvCable* cable, rvMemory* memory)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    curve->rowCapacity = curve->gripRows + 3 * curve->touchCapacity;
    curve->roomSize = lay_room(curve, NULL, cable->route.bodyCount);
    curve->room = rv_memory_take(memory, curve->roomSize);
    size_t rows = (size_t)curve->rowCapacity;
    rv_memory_give(memory, cable->block, cable->block ? cable->blockSize : 0);
    cable->blockSize = rows * rows * sizeof(double);
    cable->block = rv_memory_take(memory, cable->blockSize);
    if (curve->room)
        lay_room(curve, curve->room, cable->route.bodyCount);
    return curve->room && (cable->block || rows == 0);
}

// How many intervals lie before a place: as its rest length says, at least one to a span.
static int node_at(const rvCable* cable, int intervals, int place)
{
    double share = rv_cable_rest_before(cable, place) / cable->state.restLength;
    int node = (int)(share * intervals + 0.5), last = cable->route.placeCount - 1;
    node = node < place ? place : node;
    return node > intervals - (last - place) ? intervals - (last - place) : node;
}

// What the curve is made of; its holds, for the search for rest; its contacts and its step.
static bool make_curve(rvCable* cable, const rvCableDef* def, rvMemory* memory)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    rvSpaceHold holds[RV_SPACE_MOST_ROWS];
    int count = 0;
    bool clamped = false;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->type != RV_PLACE_ATTACH)
            continue;
        rvSpaceGrip grip = !place->clamped ? RV_GRIP_PIN : clamped ? RV_GRIP_AIM : RV_GRIP_FRAME; // without twist
        holds[count++] = (rvSpaceHold){.node = node_at(cable, def->elements, i), .grip = grip};
        clamped = clamped || place->clamped;
    }
    rvSpaceDef what = {.intervals = def->elements,
                       .holds = holds,
                       .holdCount = count,
                       .obstacleCount = curve->pegCapacity,
                       .itself = def->touchesItself};
    if (!rv_space_run_create(&curve->run, memory, &what))
        return false;
    double mass = cable->layer.mass, bending = rv_curve_bending(cable, def), twisting = def->torsionalStiffness;
    if (twisting == 0.0)
        twisting = ROUND_ROD * bending;
    rvSpace* space = &curve->run.space;
    double at = 0.0, sum = 0.0;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        int first = node_at(cable, def->elements, i), last = node_at(cable, def->elements, i + 1);
        for (int k = first; k < last; ++k) {
            double length = cable->route.places[i].state.rest / (last - first),
                   thick = fmax(def->diameter, 1e-2 * length);
            rvCableProfile here = rv_curve_profile(def, at + 0.5 * length);
            space->parts[k] = (rvSpacePart){.length = length,
                                            .density = here.mass * mass,
                                            .rigidity = rvScale(here.bending, rvVec(bending, bending, twisting)),
                                            .natural = rvVec(def->curvature + here.curvature, 0, 0),
                                            .damping = fmax(cable->damping, 0.0),
                                            .inertia = here.mass * mass * thick * thick / 8.0};
            at += length;
            sum += here.mass * length;
        }
    }
    cable->layer.mass = mass * (sum / at); // the mean: what weighs the whole asks for it
    rv_space_begin(space);
    rvSpaceContacts* contacts = &curve->run.contacts;
    curve->run.drag = cable->layer.damping;
    curve->rigid = def->contactStiffness == 0.0 && def->contactDamping == 0.0;
    contacts->spring = def->contactStiffness;
    contacts->damping = def->contactDamping;
    contacts->radius = 0.5 * def->diameter;
    return true;
}

rvStatus rv_space_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error)
{
    rvStatus status = check(cable, def, error);
    if (status != RV_OK)
        return status;
    rvSpaceCurve* curve = cable->inner = rv_memory_take(memory, sizeof(rvSpaceCurve));
    if (!curve)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    curve->collides = def->collides;
    cable->collides = false;         // not by places of the route
    cable->torsionalStiffness = 0.0; // it is the curve's
    curve->touchCapacity = def->collides || def->touchesItself ? def->maxContacts : 0;
    if (curve->touchCapacity > RV_SPACE_MOST_TOUCHES)
        curve->touchCapacity = RV_SPACE_MOST_TOUCHES;
    curve->pegCapacity = def->collides ? curve->touchCapacity : 0;
    curve->regular = 1e-11 / (cable->layer.mass * cable->state.restLength);
    curve->bulge = def->bulge;
    double per = cable->state.restLength / cable->route.length;
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->route.places[i].state.rest = per * cable->route.spans[i].length;
    for (int i = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            curve->gripCount += 1;
            curve->gripRows += 3 + 3 * cable->route.places[i].clamped;
        }
    if (!make_curve(cable, def, memory) || !take_room(cable, memory))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    for (int i = 0, k = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            rvGrip* grip = &curve->grips[k++];
            *grip = rv_grip_of(&cable->route.places[i], i, bodies);
            grip->at = rv_cable_rest_before(cable, i);
            grip->node = node_at(cable, def->elements, i);
        }
    return RV_OK;
}

void rv_space_curve_release(rvCable* cable, rvMemory* memory)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    if (curve->run.space.count > 0)
        rv_space_run_release(&curve->run, memory);
    rv_memory_give(memory, curve->room, curve->room ? curve->roomSize : 0);
    rv_memory_give(memory, curve, sizeof(rvSpaceCurve));
}

// ---- start ----------------------------------------------------------------------------------------------------------

// The frame, turned about its tangent so that curvature about its first axis bends it to that side.
static rvQuat turn_aside(rvQuat frame, rvVec3 t, rvVec3 side)
{
    rvVec3 have = rvRotate(frame, rvVec(1, 0, 0)), want = rvCross(t, side);
    double angle = atan2(rvDot(rvCross(have, want), t), rvDot(have, want));
    return rvQuatMul(rvQuatFromRotation(rvScale(angle, t)), frame);
}

// The start of the search: an arc over each span, without twist.
static void lay_shape(const rvCable* cable, rvVec3 gravity)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    const rvPlace* places = cable->route.places;
    rvSpaceRun* run = &curve->run;
    int n = run->space.intervals;
    rvVec3 side = rvLength(curve->bulge) > 0.0 ? curve->bulge : gravity, last = rvVec(0, 0, 1);
    rvQuat frame = rvQuatIdentity();
    memset(run->state, 0, (size_t)run->stateCount * sizeof(double));
    const double start[3] = {places[0].point.x, places[0].point.y, places[0].point.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0, span = 0; i <= n; ++i) {
        while (span + 1 < cable->route.spanCount && i >= node_at(cable, n, span + 1))
            span += 1;
        int first = node_at(cable, n, span), end = node_at(cable, n, span + 1);
        rvVec3 way = rvSub(places[span + 1].point, places[span].point), chord = rvNormalizeOr(way, rvVec(1, 0, 0));
        double share = rvLength(way) / places[span].state.rest, u = (double)(i - first) / (end - first);
        double bend = share < 1.0 ? rv_curve_bend(share) : 0.0;
        bool clamped = places[span].clamped || places[span + 1].clamped;
        rvVec3 across = rvNormalizeOr(rvMulAdd(side, -rvDot(side, chord), chord), rvAcross(chord));
        double angle = bend * (clamped ? sin(2.0 * PI * u) : cos(PI * u));
        rvVec3 t = rvAdd(rvScale(cos(angle), chord), rvScale(sin(angle), across));
        frame = rvQuatMul(rvQuatBetween(last, t), frame);
        if (i == 0)
            frame = turn_aside(frame, t, across);
        run->frames[i] = frame;
        last = t;
    }
    rv_space_align(run->frames, n + 1);
}

// Holds where the bodies are, moving as they do.
static void hold_grips(rvSpaceCurve* curve, const rvBodyStore* bodies)
{
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        rvSpaceHold* hold = &curve->run.holds[k];
        rvVec3 way = grip->direction;
        grip->arm = rvVec(0, 0, 0);
        hold->place = grip->local;
        hold->rate = hold->spin = rvVec(0, 0, 0);
        if (grip->body >= 0) {
            const rvBodyState* s = &bodies->items[grip->body].state;
            grip->arm = rvRotate(s->q, grip->local);
            hold->place = rvAdd(s->x, grip->arm);
            hold->spin = s->w;
            hold->rate = rvAdd(s->v, rvCross(s->w, grip->arm));
            way = rvRotate(s->q, grip->direction);
        }
        if (grip->clamped) { // the frame that is there, turned to the clamp
            rvQuat frame = curve->run.frames[grip->node];
            hold->frame = rvQuatMul(rvQuatBetween(rvRotate(frame, rvVec(0, 0, 1)), way), frame);
        }
        const double rate[6] = {hold->rate.x, hold->rate.y, hold->rate.z, hold->spin.x, hold->spin.y, hold->spin.z};
        for (int past = 0; past < 2; ++past)
            memcpy(curve->pasts[k].rate[past], rate, sizeof rate);
        curve->states[k].spin = hold->spin;
    }
}

// Clamps take the frames that are there, and the forces of the holds are those of the grips from now on.
static void take_forces(rvSpaceCurve* curve, const rvBodyStore* bodies)
{
    rvSpaceRun* run = &curve->run;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        const rvSpaceHold* hold = &run->holds[k];
        rvQuat body = grip->body >= 0 ? bodies->items[grip->body].state.q : rvQuatIdentity();
        curve->pasts[k].frame = rvQuatMul(rvQuatConj(body), run->frames[grip->node]);
        rvVec3 sums[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
        for (int r = 0; r < rv_space_hold_rows(hold); ++r) {
            bool turning;
            rvVec3 n = rv_space_hold_axis(hold, r, &turning);
            sums[turning] = rvMulAdd(sums[turning], run->forces[hold->row + r], n);
        }
        curve->forces[k] = (rvSpaceForce){grip->node, sums[0], sums[1]};
        rvVec3 moment = rvAdd(rvCross(grip->arm, sums[0]), sums[1]);
        const double all[6] = {sums[0].x, sums[0].y, sums[0].z, moment.x, moment.y, moment.z};
        for (int past = 0; past < 3; ++past)
            memcpy(curve->states[k].past[past], all, sizeof all);
    }
    curve->forceCount = curve->gripCount;
    curve->fresh = 1.0;
    memset(run->forces, 0, (size_t)run->rowCount * sizeof(double));
}

static void clear_pegs(rvSpaceCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i) {
        curve->pegs[i] = (rvSpacePeg){.body = -1};
        curve->run.contacts.obstacles[i] = (rvSpaceObstacle){.center = {1e150, 0, 0}, .axis = {0, 0, 1}};
    }
}

void rv_space_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    rvSpaceRun* run = &curve->run;
    run->gravity = gravity;
    clear_pegs(curve);
    lay_shape(cable, gravity);
    hold_grips(curve, bodies);
    curve->rest = (rvSpaceRest){0};
    curve->asked = !straight;
    if (!straight) {
        curve->rest = rv_space_run_rest(run, (rvSpaceSearch){.rounds = REST_ROUNDS, .leave = 0.05});
        if (!curve->rest.found) {
            lay_shape(cable, gravity);
            hold_grips(curve, bodies);
        }
    }
    rv_space_motion_project(run);
    rv_space_motion_solve(run, 0.0);
    memcpy(run->at, run->a, (size_t)run->space.count * sizeof(double));
    take_forces(curve, bodies);
    rv_space_run_reset(run);
    rv_space_contacts_remember(&run->contacts, &run->space);
    rv_space_curve_publish(cable);
}

void rv_space_curve_follow(rvCable* cable, const rvBodyStore* bodies)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    double gap = 0.0;
    rv_space_run_reset(&curve->run);
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        if (grip->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[grip->body].state;
        rvVec3 at = rvAdd(s->x, rvRotate(s->q, grip->local));
        gap = fmax(gap, rvDistance(at, curve->run.space.nodes[grip->node]));
    }
    if (gap > 1e-4 * cable->state.restLength)
        rv_space_curve_hang(cable, bodies, curve->run.gravity, false);
}

int rv_space_curve_pushes(rvSpaceCurve* curve)
{
    const rvSpace* space = &curve->run.space;
    int count = (int)curve->forceCount;
    for (int i = 0; i < count; ++i) {
        const rvSpaceForce* force = &curve->forces[i];
        int interval = (int)fmin(fmax(force->at, 0.0), space->intervals - 1);
        rvSpaceSpot spot = rv_space_spot_in(space, interval, fmin(fmax(force->at - interval, 0.0), 1.0));
        curve->pushed[i] = (rvSpacePush){spot, force->force, force->moment};
    }
    return count;
}

void rv_space_curve_publish(rvCable* cable)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    rvSpaceRun* run = &curve->run;
    rvSpace* space = &run->space;
    rv_space_run_reset(run);
    rv_space_run_load(run, run->v, run->forces);
    for (int i = 0, n = rv_space_curve_pushes(curve); i < n; ++i)
        rv_space_add_spot_force(space, &curve->pushed[i].spot, curve->pushed[i].force);
    rv_space_add_inertia(space, run->v, run->a);
    rv_space_run_tensions(run);
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->placeCount; ++i)
        if (route->places[i].type == RV_PLACE_FREE) // its place goes along with a free end
            route->places[i].local = space->nodes[i == 0 ? 0 : space->intervals];
    for (int i = 0; i < route->spanCount; ++i) {
        int first = node_at(cable, space->intervals, i), last = node_at(cable, space->intervals, i + 1);
        route->places[i].state.tension = 0.0;
        for (int k = first; k < last; ++k)
            route->places[i].state.tension += run->tension[k] / (last - first);
    }
}

// ---- state ----------------------------------------------------------------------------------------------------------

typedef struct {
    void* data;
    size_t size;
} Piece;

enum { PIECES = 8 };

static void list_pieces(rvSpaceCurve* curve, Piece pieces[PIECES])
{
    size_t grips = (size_t)curve->gripCount;
    const rvSpaceContacts* contacts = &curve->run.contacts;
    pieces[0] = (Piece){curve->run.state, (size_t)curve->run.stateCount * sizeof(double)};
    pieces[1] = (Piece){curve->states, grips * sizeof(rvGripState)};
    pieces[2] = (Piece){curve->pasts, grips * sizeof(rvSpacePast)};
    pieces[3] = (Piece){&curve->forceCount, sizeof(double)};
    pieces[4] = (Piece){curve->forces, (grips + 2 * (size_t)curve->touchCapacity) * sizeof(rvSpaceForce)};
    pieces[5] = (Piece){curve->pushes, sizeof curve->pushes};
    pieces[6] = (Piece){&curve->fresh, sizeof(double)};
    pieces[7] = (Piece){contacts->sides, (size_t)contacts->sideCount * sizeof(rvSpaceSide)};
}

size_t rv_space_curve_state_size(const rvCable* cable)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    size_t size = (size_t)curve->pegCapacity * sizeof(double);
    for (int i = 0; i < PIECES; ++i)
        size += pieces[i].size;
    return size;
}

void rv_space_curve_write_state(const rvCable* cable, uint8_t* bytes)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    for (int i = 0; i < PIECES; ++i) {
        if (pieces[i].size > 0)
            memcpy(bytes, pieces[i].data, pieces[i].size);
        bytes += pieces[i].size;
    }
    for (int i = 0; i < curve->pegCapacity; ++i, bytes += sizeof(double))
        memcpy(bytes, &curve->pegs[i].key, sizeof(double));
}

void rv_space_curve_read_state(rvCable* cable, const uint8_t* bytes)
{
    rvSpaceCurve* curve = rv_space_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    for (int i = 0; i < PIECES; ++i) {
        if (pieces[i].size > 0)
            memcpy(pieces[i].data, bytes, pieces[i].size);
        bytes += pieces[i].size;
    }
    int most = curve->gripCount + 2 * curve->touchCapacity;
    curve->forceCount = fmin(fmax(floor(curve->forceCount), 0.0), most);
    clear_pegs(curve);
    for (int i = 0; i < curve->pegCapacity; ++i, bytes += sizeof(double))
        memcpy(&curve->pegs[i].key, bytes, sizeof(double));
    rv_space_curve_publish(cable);
}
