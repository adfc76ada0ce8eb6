// SPDX-License-Identifier: MIT
// A curve in the world: creation, its shape at the start, its state.
//
// At the start it lies at rest: the constrained minimum of bending and height, downhill from an arc that bends to the wanted
// side (plane_rest.h). Of a span of length l over a chord c the arc has the angles A cos(pi u) about the chord, or
// A sin(2 pi u) where an end is clamped, u = 0..1; both have the chord l J0(A).
#include "cable/curve_cable.h"
#include "cable/curve_shared.h"

#include <string.h>

#define PI 3.14159265358979323846
#define IN_PLANE 1e-6 // of the length: places lie in the plane within this

// ---- the plane ------------------------------------------------------------------------------------------------------

static rvVec3 world_direction(const rvPlace* place, const rvBodyStore* bodies)
{
    return place->body >= 0 ? rvRotate(bodies->items[place->body].state.q, place->direction) : place->direction;
}

// The normal that places and clamps have in common; upright where they lie on a line.
static rvVec3 find_normal(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvPlace* places = cable->route.places;
    rvVec3 line = rvVec(0, 0, 0), normal = rvVec(0, 0, 0);
    for (int i = 0; i < cable->route.placeCount; ++i)
        for (int way = 0; way < 2; ++way) {
            if (way == 1 && !places[i].clamped)
                continue;
            rvVec3 d = way == 0 ? rvSub(places[i].point, places[0].point) : world_direction(&places[i], bodies);
            double size = rvLength(d);
            if (!(size > 1e-9))
                continue;
            d = rvScale(1.0 / size, d);
            rvVec3 across = rvCross(line, d);
            if (rvLength(line) == 0.0)
                line = d;
            else if (rvLength(across) > fmax(rvLength(normal), 1e-6))
                normal = across;
        }
    if (rvLength(normal) == 0.0)
        normal = rvCross(line, rvVec(0, 0, 1));
    return rvNormalizeOr(rvLength(normal) > 1e-6 ? normal : rvVec(0, 1, 0), rvVec(0, 1, 0));
}

static rvStatus lay_plane(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvError* error)
{
    rvCurve* curve = rv_curve_of(cable);
    if (!rvIsFiniteVec(def->plane) || !rvIsFiniteVec(def->bulge))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: must be finite", cable->name,
                       rvIsFiniteVec(def->plane) ? "bulge" : "plane");
    curve->normal = rvNormalizeOr(def->plane, find_normal(cable, bodies));
    rvVec3 up = rvMulAdd(rvVec(0, 0, 1), -curve->normal.z, curve->normal);
    if (rvLength(up) < 1e-3)
        up = rvMulAdd(rvVec(0, 1, 0), -curve->normal.y, curve->normal);
    curve->axis[1] = rvNormalizeOr(up, rvAcross(curve->normal));
    curve->axis[0] = rvCross(curve->axis[1], curve->normal);
    curve->origin = cable->route.places[0].point;
    curve->bulge = def->bulge;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        double off = rvDot(curve->normal, rvSub(place->point, curve->origin));
        if (fabs(off) > IN_PLANE * cable->state.restLength)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: is %g m out of the plane of the curve, must be in it",
                           cable->name, i, off);
        if (place->clamped && fabs(rvDot(curve->normal, world_direction(place, bodies))) > IN_PLANE)
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].direction: must lie in the plane of the curve",
                           cable->name, i);
    }
    return RV_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------------

static rvStatus check(const rvCable* cable, rvError* error, const rvCableDef* def)
{
    if (def->torsionalStiffness > 0.0)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': torsionalStiffness: a curve in a plane does not twist",
                       cable->name);
    return rv_curve_check(cable, def, 2, 2, 1, RV_PLANE_MOST_HOLDS, error);
}

// Lays the pieces from `room` on; answers how many bytes they take. With NULL it only counts.
static size_t lay_room(rvCurve* curve, uint8_t* room, int bodies)
{
    size_t at = 0, rows = (size_t)curve->rowCapacity, count = (size_t)curve->motion.plane.count;
    size_t touches = (size_t)curve->touchCapacity, grips = (size_t)curve->gripCount;
    curve->grips = rv_curve_piece(room, &at, grips, sizeof(rvGrip));
    curve->states = rv_curve_piece(room, &at, grips, sizeof(rvGripState));
    curve->pasts = rv_curve_piece(room, &at, grips, sizeof(rvCurvePast));
    curve->loads = rv_curve_piece(room, &at, grips + 2 * touches, sizeof(rvPlaneLoad));
    curve->pegs = rv_curve_piece(room, &at, (size_t)curve->pegCapacity, sizeof(rvCurvePeg));
    curve->faces = rv_curve_piece(room, &at, curve->collides ? touches : 0, sizeof(rvCurveFace));
    curve->touches = rv_curve_piece(room, &at, touches, sizeof(rvCurveTouch));
    curve->rows = rv_curve_piece(room, &at, rows, sizeof(rvCurveRow));
    curve->gradients = rv_curve_piece(room, &at, (rows + 1) * count, sizeof(double));
    curve->columns = rv_curve_piece(room, &at, rows * count, sizeof(double));
    curve->values = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->held = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->known = rv_curve_piece(room, &at, rows, sizeof(double));
    curve->block = rv_curve_piece(room, &at, rows * rows, sizeof(double));
    curve->list = rv_curve_piece(room, &at, rows, sizeof(int));
    curve->targets = rv_curve_piece(room, &at, rows, sizeof *curve->targets);
    curve->stays = rv_curve_piece(room, &at, rows, sizeof(bool));
    curve->slots = rv_curve_piece(room, &at, (size_t)bodies + touches, sizeof(int));
    curve->tension = rv_curve_piece(room, &at, 2 * (size_t)curve->motion.plane.intervals, sizeof(double));
    return at;
}

static bool take_room(rvCable* cable, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->rowCapacity = curve->gripRows + 2 * curve->touchCapacity;
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

// What the curve is made of; its contacts and its step.
static bool make_curve(rvCable* cable, const rvCableDef* def, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane plane;
    rvPlaneContacts contacts;
    bool stretches = def->axialStiffness > 0.0;
    if (!rv_plane_create(&plane, memory, def->elements, cable->state.restLength, stretches))
        return false;
    double bending = rv_curve_bending(cable, def), time = fmax(cable->damping, 0.0), mass = cable->layer.mass;
    double sum = 0.0;
    for (int i = 0; i < plane.intervals; ++i) {
        rvCableProfile here = rv_curve_profile(def, (i + 0.5) * plane.step);
        plane.parts[i] = (rvPlanePart){.density = here.mass * mass,
                                       .rigidity = here.bending * bending,
                                       .natural = def->curvature + here.curvature,
                                       .damping = time * here.bending * bending,
                                       .stiffness = cable->axialStiffness,
                                       .stretching = time * cable->axialStiffness,
                                       .drag = cable->layer.damping * here.mass * mass};
        sum += here.mass;
    }
    cable->layer.mass = mass * (sum / plane.intervals); // the mean: what weighs the whole asks for it
    rv_plane_begin(&plane);
    if (!rv_plane_contacts_create(&contacts, memory, &plane, curve->pegCapacity, def->touchesItself)) {
        rv_plane_release(&plane, memory);
        return false;
    }
    curve->rigid = def->contactStiffness == 0.0 && def->contactDamping == 0.0;
    contacts.spring = def->contactStiffness;
    contacts.damping = def->contactDamping;
    contacts.thickness = def->diameter;
    if (curve->rigid) // in the search for rest: stiffer than an interval is
        contacts.spring = 10.0 * bending / (plane.step * plane.step * plane.step);
    if (!rv_plane_motion_create(&curve->motion, memory, &plane, &contacts))
        return false;
    return rv_plane_run_create(&curve->run, memory, &curve->motion);
}

rvStatus rv_curve_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error)
{
    rvStatus status = check(cable, error, def);
    if (status != RV_OK)
        return status;
    rvCurve* curve = cable->inner = rv_memory_take(memory, sizeof(rvCurve));
    if (!curve)
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    curve->memory = memory;
    curve->radius = 0.5 * def->diameter;
    curve->collides = def->collides;
    cable->collides = false; // not by places of the route
    curve->touchCapacity = def->collides || def->touchesItself ? def->maxContacts : 0;
    curve->pegCapacity = def->collides ? def->maxContacts : 0;
    curve->regular = 1e-11 / (cable->layer.mass * cable->state.restLength);
    for (int i = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            curve->gripCount += 1;
            curve->gripRows += 2 + cable->route.places[i].clamped;
        }
    status = lay_plane(cable, def, bodies, error);
    if (status == RV_OK && (!make_curve(cable, def, memory) || !take_room(cable, memory)))
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    if (status != RV_OK)
        return status;
    double per = cable->state.restLength / cable->route.length;
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->route.places[i].state.rest = per * cable->route.spans[i].length;
    for (int i = 0, k = 0; i < cable->route.placeCount; ++i)
        if (cable->route.places[i].type == RV_PLACE_ATTACH) {
            curve->grips[k] = rv_grip_of(&cable->route.places[i], i, bodies);
            curve->grips[k++].at = rv_cable_rest_before(cable, i);
        }
    return RV_OK;
}

void rv_curve_release(rvCable* cable, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->run.base)
        rv_plane_run_release(&curve->run, memory);
    if (curve->motion.plane.count > 0)
        rv_plane_motion_release(&curve->motion, memory);
    rv_memory_give(memory, curve->room, curve->room ? curve->roomSize : 0);
    rv_memory_give(memory, curve, sizeof(rvCurve));
}

// ---- start ----------------------------------------------------------------------------------------------------------

static double nearest_turn(double angle, double near)
{
    return near + remainder(angle - near, 2.0 * PI);
}

// The start of the search: an arc over each span.
static void lay_shape(const rvCable* cable, rvVec3 gravity)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    const rvPlace* places = cable->route.places;
    double *q = curve->run.q, angle = 0.0, last = 0.0;
    rvVec2 side = rv_curve_flat(curve, rvLength(curve->bulge) > 0.0 ? curve->bulge : gravity);
    rvVec2 first = rv_curve_down(curve, places[0].point), chord = rv_vec2(1, 0);
    memset(q, 0, 4 * (size_t)plane->count * sizeof(double));
    q[0] = first.x;
    q[1] = first.y;
    for (int i = 0, span = -1; i <= plane->intervals; ++i) {
        double at = i * plane->step;
        while (span + 1 < cable->route.spanCount &&
               (span < 0 || at >= rv_cable_rest_before(cable, span + 1) - 1e-9 * plane->length)) {
            span += 1;
            chord = rv_curve_flat(curve, rvSub(places[span + 1].point, places[span].point));
            last = angle = nearest_turn(atan2(chord.y, chord.x), last);
        }
        double rest = places[span].state.rest, share = sqrt(rv_vec2_dot(chord, chord)) / rest;
        double bend = share < 1.0 ? rv_curve_bend(share) : 0.0;
        if (rv_vec2_dot(rv_vec2(-chord.y, chord.x), side) < 0.0)
            bend = -bend;
        double u = fmin((at - rv_cable_rest_before(cable, span)) / rest, 1.0);
        bool clamped = places[span].clamped || places[span + 1].clamped;
        q[rv_plane_angle(plane, i)] = angle + bend * (clamped ? sin(2.0 * PI * u) : cos(PI * u));
    }
}

// Holds where the bodies are, moving as they do.
static void hold_grips(rvCurve* curve, const rvBodyStore* bodies)
{
    rvPlaneMotion* motion = &curve->motion;
    motion->holdCount = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        rvVec3 at = grip->local, way = grip->direction, v = rvVec(0, 0, 0), w = rvVec(0, 0, 0);
        grip->arm = rvVec(0, 0, 0);
        if (grip->body >= 0) {
            const rvBodyState* s = &bodies->items[grip->body].state;
            grip->arm = rvRotate(s->q, grip->local);
            at = rvAdd(s->x, grip->arm);
            way = rvRotate(s->q, grip->direction);
            w = s->w;
            v = rvAdd(s->v, rvCross(w, grip->arm));
        }
        rvVec2 x = rv_curve_down(curve, at), d = rv_curve_flat(curve, way), rate = rv_curve_flat(curve, v);
        rvPlaneSpot spot = rv_plane_spot(&motion->plane, grip->at);
        double angle = nearest_turn(atan2(d.y, d.x), rv_plane_angle_at(&motion->plane, curve->run.q, &spot));
        const rvPlaneHold holds[3] = {{.kind = RV_HOLD_X, .value = x.x, .rate = rate.x},
                                      {.kind = RV_HOLD_Y, .value = x.y, .rate = rate.y},
                                      {.kind = RV_HOLD_ANGLE, .value = angle, .rate = rvDot(curve->normal, w)}};
        for (int r = 0; r < (grip->clamped ? 3 : 2); ++r) {
            motion->holds[motion->holdCount] = holds[r];
            motion->holds[motion->holdCount++].s = grip->at;
        }
        memset(&curve->pasts[k], 0, sizeof curve->pasts[k]);
        for (int r = 0; r < 3; ++r)
            curve->pasts[k].rate[0][r] = curve->pasts[k].rate[1][r] = holds[r].rate;
        curve->states[k].spin = w;
    }
}

// The forces of the holds are those of the grips from now on.
static void take_forces(rvCurve* curve)
{
    rvPlaneMotion* motion = &curve->motion;
    for (int k = 0, i = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        double f[3] = {0};
        for (int r = 0; r < (grip->clamped ? 3 : 2); ++r)
            f[r] = motion->holds[i++].force;
        curve->loads[k] = (rvPlaneLoad){grip->at, rv_vec2(f[0], f[1]), f[2]};
        rvVec3 force = rv_curve_up(curve, rv_vec2(f[0], f[1]));
        rvVec3 moment = rvMulAdd(rvCross(grip->arm, force), f[2], curve->normal);
        const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        for (int past = 0; past < 3; ++past)
            memcpy(curve->states[k].past[past], all, sizeof all);
    }
    curve->loadCount = curve->gripCount;
    curve->fresh = 1.0;
    motion->holdCount = 0;
}

// No shape is near.
static void clear_pegs(rvCurve* curve)
{
    for (int i = 0; i < curve->pegCapacity; ++i) {
        curve->pegs[i] = (rvCurvePeg){.body = -1};
        curve->motion.contacts.obstacles[i] = RV_CURVE_NO_PEG;
    }
}

void rv_curve_start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight,
                    double h)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlaneMotion* motion = &curve->motion;
    rvPlaneRun* run = &curve->run;
    motion->gravity = rv_curve_flat(curve, gravity);
    clear_pegs(curve);
    lay_shape(cable, gravity);
    hold_grips(curve, bodies);
    rv_plane_place(&motion->plane, run->q);
    rv_plane_contacts_remember(&motion->contacts, &motion->plane, run->q);
    curve->rest = (rvPlaneRest){0};
    if (!straight) {
        curve->rest = rv_plane_find_rest(motion, curve->memory, run->q);
        if (!curve->rest.found) {
            lay_shape(cable, gravity);
            hold_grips(curve, bodies);
        }
    }
    rv_plane_place(&motion->plane, run->q);
    if (old)
        rv_curve_take_motion(cable, old, bodies, h);
    rv_plane_motion_project(motion, run->q, run->v);
    rv_plane_motion_solve(motion, run->q, run->v, run->a);
    memcpy(run->at, run->a, (size_t)motion->plane.count * sizeof(double));
    take_forces(curve);
    rv_plane_place(&motion->plane, run->q);
    rv_plane_contacts_remember(&motion->contacts, &motion->plane, run->q);
    rv_curve_publish(cable);
}

void rv_curve_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    rv_curve_start(cable, NULL, bodies, gravity, straight, 0.0);
}

void rv_curve_follow(rvCable* cable, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    double gap = 0.0;
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvGrip* grip = &curve->grips[k];
        if (grip->body < 0)
            continue;
        const rvBodyState* s = &bodies->items[grip->body].state;
        rvPlaneSpot spot = rv_plane_spot(&curve->motion.plane, grip->at);
        rvVec2 at = rv_curve_down(curve, rvAdd(s->x, rvRotate(s->q, grip->local)));
        rvVec2 d = rv_vec2_add(at, -1.0, rv_plane_point(&curve->motion.plane, &spot));
        gap = fmax(gap, sqrt(rv_vec2_dot(d, d)));
    }
    rvVec3 gravity = rv_curve_up(curve, curve->motion.gravity);
    if (gap > 1e-4 * cable->state.restLength)
        rv_curve_hang(cable, bodies, gravity, false);
}

void rv_curve_publish(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = &curve->motion.plane;
    rv_plane_motion_load(&curve->motion, curve->run.q, curve->run.v);
    rv_plane_add_loads(plane, curve->loads, (int)curve->loadCount);
    rv_plane_add_inertia(plane, curve->run.v, curve->run.a);
    for (int i = 0; i < plane->intervals; ++i)
        rv_plane_tension(plane, i, curve->tension + 2 * i);
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->placeCount; ++i)
        if (route->places[i].type == RV_PLACE_FREE) { // its place goes along with a free end
            rvVec2 tip = plane->nodes[i == 0 ? 0 : plane->intervals];
            route->places[i].local = rvAdd(curve->origin, rv_curve_up(curve, tip));
        }
    for (int i = 0; i < route->spanCount; ++i)
        route->places[i].state.tension = 0.0;
    for (int i = 0, span = 0; i < plane->intervals && cable->state.broken == 0.0; ++i) {
        double middle = (i + 0.5) * plane->step;
        while (span + 1 < route->spanCount && middle > rv_cable_rest_before(cable, span + 1))
            span += 1;
        route->places[span].state.tension +=
            0.5 * (curve->tension[2 * i] + curve->tension[2 * i + 1]) * plane->step / route->places[span].state.rest;
    }
}

// ---- state ----------------------------------------------------------------------------------------------------------

enum { TRITS = 32 }; // to a double: 3^32 < 2^53

static size_t packed_count(size_t count)
{
    return (count + TRITS - 1) / TRITS;
}

static size_t side_count(const rvCurve* curve, bool own)
{
    const rvPlaneContacts* c = &curve->motion.contacts;
    size_t n = (size_t)c->intervals;
    if (own)
        return c->itself ? n * n : 0;
    return ((size_t)c->obstacleCount + (c->itself ? 2 : 0)) * n;
}

// Sides -1, 0, 1 as digits of numbers.
static void pack(const int8_t* sides, size_t count, uint8_t* out)
{
    for (size_t i = 0; i < packed_count(count); ++i) {
        double sum = 0.0;
        for (size_t k = TRITS; k-- > 0;)
            sum = 3.0 * sum + (i * TRITS + k < count ? sides[i * TRITS + k] + 1 : 1);
        memcpy(out + i * sizeof sum, &sum, sizeof sum);
    }
}

static void unpack(const uint8_t* in, size_t count, int8_t* sides)
{
    for (size_t i = 0; i < packed_count(count); ++i) {
        double left;
        memcpy(&left, in + i * sizeof left, sizeof left);
        left = fmin(fmax(floor(left), 0.0), 1853020188851840.0); // 3^32 - 1
        for (size_t k = 0; k < TRITS; ++k) {
            double next = floor(left / 3.0);
            if (i * TRITS + k < count)
                sides[i * TRITS + k] = (int8_t)(left - 3.0 * next - 1.0);
            left = next;
        }
    }
}

// The pieces of the state, in their order.
typedef struct {
    void* data;
    size_t size;
} Piece;

enum { PIECES = 10 };

static void list_pieces(rvCurve* curve, Piece pieces[PIECES])
{
    size_t grips = (size_t)curve->gripCount;
    pieces[0] = (Piece){curve->run.q, 4 * (size_t)curve->motion.plane.count * sizeof(double)};
    pieces[1] = (Piece){curve->states, grips * sizeof(rvGripState)};
    pieces[2] = (Piece){curve->pasts, grips * sizeof(rvCurvePast)};
    pieces[3] = (Piece){&curve->loadCount, sizeof(double)};
    pieces[4] = (Piece){curve->loads, (grips + 2 * (size_t)curve->touchCapacity) * sizeof(rvPlaneLoad)};
    pieces[5] = (Piece){curve->pushes, sizeof curve->pushes};
    pieces[6] = (Piece){&curve->fresh, sizeof(double)};
    // the plane of the places when it was made: another world of the same build may have been made elsewhere
    pieces[7] = (Piece){&curve->origin, sizeof curve->origin};
    pieces[8] = (Piece){curve->axis, sizeof curve->axis};
    pieces[9] = (Piece){&curve->normal, sizeof curve->normal};
}

size_t rv_curve_state_size(const rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    size_t size = 0;
    for (int i = 0; i < PIECES; ++i)
        size += pieces[i].size;
    return size + ((size_t)curve->pegCapacity + packed_count(side_count(curve, false)) +
                   packed_count(side_count(curve, true))) *
                      sizeof(double);
}

void rv_curve_write_state(const rvCable* cable, uint8_t* bytes)
{
    rvCurve* curve = rv_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    for (int i = 0; i < PIECES; ++i) {
        if (pieces[i].size > 0)
            memcpy(bytes, pieces[i].data, pieces[i].size);
        bytes += pieces[i].size;
    }
    for (int i = 0; i < curve->pegCapacity; ++i, bytes += sizeof(double)) {
        double key = curve->pegs[i].key;
        memcpy(bytes, &key, sizeof key);
    }
    size_t count = side_count(curve, false);
    pack(curve->motion.contacts.sides, count, bytes);
    pack(curve->motion.contacts.ownSides, side_count(curve, true), bytes + packed_count(count) * sizeof(double));
}

void rv_curve_read_state(rvCable* cable, const uint8_t* bytes)
{
    rvCurve* curve = rv_curve_of(cable);
    Piece pieces[PIECES];
    list_pieces(curve, pieces);
    for (int i = 0; i < PIECES; ++i) {
        if (pieces[i].size > 0)
            memcpy(pieces[i].data, bytes, pieces[i].size);
        bytes += pieces[i].size;
    }
    int most = curve->gripCount + 2 * curve->touchCapacity;
    curve->loadCount = fmin(fmax(floor(curve->loadCount), 0.0), most);
    clear_pegs(curve);
    for (int i = 0; i < curve->pegCapacity; ++i, bytes += sizeof(double))
        memcpy(&curve->pegs[i].key, bytes, sizeof(double));
    size_t count = side_count(curve, false);
    unpack(bytes, count, curve->motion.contacts.sides);
    unpack(bytes + packed_count(count) * sizeof(double), side_count(curve, true), curve->motion.contacts.ownSides);
    rv_plane_place(&curve->motion.plane, curve->run.q);
    rv_curve_publish(cable);
}
