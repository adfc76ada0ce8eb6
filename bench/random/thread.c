// SPDX-License-Identifier: MIT
#include "random/thread.h"

#include "support/block.h"
#include "support/random.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
#define RESTING 1e-9 // of what is stored: less is no motion

static void take(rvRandomThread* s, rvStatus status)
{
    s->failed = s->failed || status != RV_OK;
}

static void note(rvRandomThread* s, const char* what)
{
    size_t used = strlen(s->kind);
    snprintf(s->kind + used, sizeof s->kind - used, " %s", what);
}

// ---- parts ----------------------------------------------------------------------------------------------------------

static rvRandomThread new_thread(uint64_t number, double length)
{
    rvRandomThread s = {.seed = number * 7919, .thread = RV_NULL_CABLE, .length = length, .nextGrasp = HUGE_VAL};
    rvWorldDef worldDef = rvDefaultWorldDef();
    s.failed = rvCreateWorld(&worldDef, &s.world, NULL, 0) != RV_OK;
    for (int i = 0; i < 3; ++i)
        rv_draw(&s.seed);
    s.h = rv_draw_by_decades(&s.seed, 1e-3, 33e-3);
    s.inSpace = rv_draw_chance(&s.seed, 0.5);
    note(&s, s.inSpace ? "space" : "plane");
    return s;
}

// Across the plane there is nothing in a plane.
static double aside(rvRandomThread* s, double size)
{
    double y = rv_draw_between(&s->seed, -size, size);
    return s->inSpace ? y : 0.0;
}

// Draws one after the other: in which order arguments are found is the compiler's affair.
static rvVec3 random_vec(rvRandomThread* s, const double x[2], double size, const double z[2])
{
    double up = rv_draw_between(&s->seed, z[0], z[1]), y = aside(s, size);
    return rvVec(x[0] < x[1] ? rv_draw_between(&s->seed, x[0], x[1]) : x[0], y, up);
}

static rvBodyId add_body(rvRandomThread* s, rvBodyType type, double mass, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    rvBodyId id = RV_NULL_BODY;
    def.type = type;
    def.mass = mass;
    def.inertia = rvBallInertia(mass, 0.1);
    def.pose.p = at;
    take(s, rvCreateBody(s->world, &def, &id));
    return id;
}

static void add_hand(rvRandomThread* s, int k, rvVec3 at)
{
    rvRandomHand* hand = &s->hands[k];
    double kind = rv_draw(&s->seed), mass = rv_draw_by_decades(&s->seed, 0.03, 5.0);
    *hand = (rvRandomHand){.at = at};
    if (kind < (s->draws ? 0.2 : 0.5)) {
        note(s, "ball");
        hand->body = add_body(s, RV_BODY_DYNAMIC, mass, at);
        return;
    }
    hand->body = add_body(s, RV_BODY_KINEMATIC, 1.0, at);
    if (kind < 0.4 || !s->draws) {
        note(s, "rest");
        return;
    }
    note(s, "driven");
    hand->driven = true;
    hand->swing = random_vec(s, (double[]){0.0, 0.4}, 0.4, (double[]){0.0, 0.4});
    hand->pace = rv_draw_by_decades(&s->seed, 0.5, 8.0);
    hand->turn = s->inSpace ? 0.0 : rv_draw_between(&s->seed, -1.0, 1.0);
}

// A thread with so many places, stiff or soft, light or heavy.
static rvCableDef random_def(rvRandomThread* s, const rvPlaceDef* places, int count)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = count;
    def.length = s->length;
    def.elements = 8 + (int)rv_draw_between(&s->seed, 0, 17);
    def.diameter = rv_draw_by_decades(&s->seed, 0.002, 0.01);
    def.massPerLength = rv_draw_by_decades(&s->seed, 0.02, 0.5);
    def.bendingStiffness = rv_draw_by_decades(&s->seed, 1e-3, 0.5);
    def.torsionalStiffness = s->inSpace ? 0.8 * def.bendingStiffness : 0.0;
    def.plane = s->inSpace ? rvVec(0, 0, 0) : rvVec(0, 1, 0);
    def.damping = rv_draw_chance(&s->seed, 0.5) ? rv_draw_by_decades(&s->seed, 1e-3, 0.03) : 0.0;
    if (rv_draw_chance(&s->seed, 0.25)) {
        note(s, "stretches");
        def.axialStiffness = rv_draw_by_decades(&s->seed, 500.0, 5e4);
    }
    return def;
}

static void add_thread(rvRandomThread* s, const rvCableDef* def)
{
    take(s, rvCreateCable(s->world, def, &s->thread));
}

// ---- grasps ---------------------------------------------------------------------------------------------------------

static rvRandomThread new_grasp(uint64_t number, bool draws)
{
    rvRandomThread s = new_thread(number, 2.0);
    s.draws = draws;
    if (s.failed)
        return s;
    add_hand(&s, 0, random_vec(&s, (double[]){0.5, 0.5}, 0.3, (double[]){-0.3, 0.3}));
    add_hand(&s, 1, random_vec(&s, (double[]){1.2, 1.2}, 0.3, (double[]){-0.6, 0.0}));
    s.clamps = rv_draw_chance(&s.seed, 0.5) ? 0.0 : 0.5;
    if (s.clamps > 0.0)
        note(&s, "clamps");
    double across = aside(&s, 0.2), wide = rv_draw_between(&s.seed, 1.0, 1.95);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(wide, across, 0))};
    rvCableDef def = random_def(&s, places, 2);
    add_thread(&s, &def);
    s.nextGrasp = 0.0;
    return s;
}

rvRandomThread rv_random_grasp(uint64_t number)
{
    return new_grasp(number, false);
}

rvRandomThread rv_random_draw(uint64_t number)
{
    return new_grasp(number, true);
}

// A hand takes hold, or one of the places lets go. Refused where one holds already.
static void grasp(rvRandomThread* s, double time)
{
    if (time < s->nextGrasp)
        return;
    s->nextGrasp = time + rv_draw_by_decades(&s->seed, 0.01, 0.1);
    int count = rvCable_GetPlaceCount(s->world, s->thread), op = (int)(6.0 * rv_draw(&s->seed));
    if (op < 2 && count < 6) {
        double at = s->length * rv_draw(&s->seed);
        rvCable_Grasp(s->world, s->thread, at, s->hands[op].body, rv_draw_chance(&s->seed, s->clamps), NULL);
    } else if (op < 5)
        rvCable_LetGo(s->world, s->thread, (int)(count * rv_draw(&s->seed)));
    else {
        bool held = rv_draw_chance(&s->seed, 0.5);
        rvCable_SetHeld(s->world, s->thread, (int)(count * rv_draw(&s->seed)), held);
    }
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// A box; in space some are a hull of its corners, or, where they do not move by forces, a mesh, and some are thin.
static void make_block(rvRandomThread* s, rvShapeDef* shape, double kind, bool free, rvVec3 points[BLOCK_CORNERS])
{
    bool hull = s->inSpace && kind >= 0.2 && (kind < 0.35 || free), mesh = s->inSpace && kind >= 0.35 && !free;
    if (s->inSpace && kind >= 0.1 && kind < 0.3) {
        note(s, "thin");
        shape->sides.z *= 0.1;
    }
    *shape = block_shape(hull ? RV_SHAPE_HULL : mesh ? RV_SHAPE_MESH : RV_SHAPE_BOX, shape->sides, points);
    note(s, hull ? "hull" : mesh ? "mesh" : "box");
}

// A box, peg or ball below the thread; pegs lie across, in space anyhow.
static void add_obstacle(rvRandomThread* s, rvVec3 at, double size, double friction)
{
    double kind = rv_draw(&s->seed), motion = rv_draw(&s->seed), angle = rv_draw_between(&s->seed, -PI, PI);
    rvShapeDef shape = rvDefaultShapeDef(kind < 0.5   ? RV_SHAPE_BOX
                                         : kind < 0.7 ? RV_SHAPE_CYLINDER
                                         : kind < 0.8 ? RV_SHAPE_CAPSULE
                                                      : RV_SHAPE_SPHERE);
    rvVec3 corners[BLOCK_CORNERS];
    double thick = rv_draw_between(&s->seed, 0.5, 2.0) * size;
    shape.sides = rvVec(rv_draw_between(&s->seed, 0.5, 2.0) * size, 2.0, thick);
    if (kind < 0.5)
        make_block(s, &shape, kind, motion >= 0.85, corners);
    else
        note(s, kind < 0.8 ? "peg" : "ball");
    shape.radius = size;
    shape.length = 2.0;
    shape.friction = friction;
    shape.group = 2; // the thread meets it, other shapes do not
    shape.mask = ~2u;
    rvQuat tilt = rvQuatFromAxisAngle(rvVec(0, 0, 1), aside(s, 0.7));
    shape.frame.q = rvQuatMul(tilt, kind < 0.5 ? rvQuatFromAxisAngle(rvVec(0, 1, 0), angle)
                                               : rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI));
    rvBodyId body;
    if (motion < 0.7)
        body = add_body(s, RV_BODY_STATIC, 1.0, at);
    else if (motion < 0.85) {
        note(s, "driven");
        body = add_body(s, RV_BODY_KINEMATIC, 1.0, at);
        rvRandomHand* hand = &s->hands[s->hands[0].driven];
        if (!hand->driven) {
            *hand = (rvRandomHand){.body = body, .at = at, .driven = true};
            hand->swing = random_vec(s, (double[]){-0.2, 0.2}, 0.0, (double[]){-0.2, 0.2});
            hand->pace = rv_draw_by_decades(&s->seed, 0.5, 8.0);
        }
    } else {
        note(s, "free");
        body = add_body(s, RV_BODY_DYNAMIC, rv_draw_by_decades(&s->seed, 0.05, 5.0), at);
    }
    rvShapeId made;
    take(s, rvCreateShape(s->world, body, &shape, &made));
}

// Held at one end; at the other a weight that is thrown, a hand's, or nothing.
rvRandomThread rv_random_hit(uint64_t number)
{
    rvRandomThread s = new_thread(number, 0.0);
    if (s.failed)
        return s;
    s.length = rv_draw_between(&s.seed, 0.5, 2.0);
    double far = rv_draw_between(&s.seed, 0.6, 1.0) * s.length, friction = rv_draw_between(&s.seed, 0.0, 0.6);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(s.length, 0, 0))};
    rvBodyId weight = RV_NULL_BODY;
    if (rv_draw_chance(&s.seed, 0.2)) { // the first end is free, too, or held
        note(&s, "loose");
        places[0] = rvFreePlace(rvVec(0, 0, 0));
    } else if (rv_draw_chance(&s.seed, 0.5)) {
        note(&s, "weight");
        weight = add_body(&s, RV_BODY_DYNAMIC, rv_draw_by_decades(&s.seed, 0.02, 2.0), rvVec(s.length, 0, 0));
        places[1] = rvAttachPlace(weight, rvVec(0, 0, 0));
    } else if (rv_draw_chance(&s.seed, 0.3)) {
        note(&s, "held");
        places[1] = rvAttachPlace(RV_NULL_BODY, rvVec(far, 0, 0));
    }
    rvCableDef def = random_def(&s, places, 2);
    def.elements = 15 + (int)rv_draw_between(&s.seed, 0, 26);
    def.collides = true;
    def.straight = places[1].type != RV_PLACE_ATTACH || !RV_IS_NULL(weight);
    def.friction = friction;
    def.maxContacts = 64;
    add_thread(&s, &def);
    double interval = s.length / def.elements;
    int count = 1 + (int)(2.999 * rv_draw(&s.seed));
    for (int i = 0; i < count; ++i) {
        double size = rv_draw_between(&s.seed, fmax(0.6 * interval, 0.01), fmax(0.7 * interval, 0.1));
        double sag = def.straight ? 0.0 : 0.5 * s.length;
        double depth = sag + rv_draw_between(&s.seed, 0.05, 0.3) * s.length + 1.5 * size + def.diameter;
        double along = rv_draw_between(&s.seed, (i + 0.2) / count, (i + 0.8) / count) * s.length;
        add_obstacle(&s, rvVec(along, 0, -depth), size, friction);
    }
    if (!RV_IS_NULL(weight)) {
        rvVec3 speed = random_vec(&s, (double[]){0.0, 0.0}, 3.0, (double[]){-10.0, 0.0});
        take(&s, rvBody_SetVelocity(s.world, weight, speed, rvVec(0, 0, 0)));
    }
    return s;
}

// ---- loops ----------------------------------------------------------------------------------------------------------

rvRandomThread rv_random_loop(uint64_t number)
{
    rvRandomThread s = new_thread(number, 1.0);
    if (s.failed)
        return s;
    double wide = rv_draw_between(&s.seed, 0.35, 0.6); // below that the arc that it starts with crosses itself
    for (int k = 0; k < 2; ++k) {
        rvRandomHand* hand = &s.hands[k];
        *hand = (rvRandomHand){.at = rvVec(k ? 0.5 * wide : -0.5 * wide, 0, 0), .driven = true};
        hand->body = add_body(&s, RV_BODY_KINEMATIC, 1.0, hand->at);
        hand->swing = random_vec(&s, (double[]){-0.25, 0.25}, 0.2, (double[]){-0.25, 0.25});
        hand->pace = rv_draw_by_decades(&s.seed, 0.5, 6.0);
        hand->turn = rv_draw_between(&s.seed, -3.0, 3.0);
    }
    bool clamped = rv_draw_chance(&s.seed, 0.7);
    note(&s, clamped ? "clamps" : "pins");
    rvPlaceDef places[2] = {rvAttachPlace(s.hands[0].body, rvVec(0, 0, 0)),
                            rvAttachPlace(s.hands[1].body, rvVec(0, 0, 0))};
    for (int k = 0; k < 2; ++k) {
        places[k].clamped = clamped;
        places[k].direction = rvVec(1, 0, 0);
    }
    rvCableDef def = random_def(&s, places, 2);
    def.elements = 20 + (int)rv_draw_between(&s.seed, 0, 31);
    def.massPerLength *= 0.1;
    def.bendingStiffness *= 0.1;
    def.torsionalStiffness *= 0.1;
    def.touchesItself = true;
    def.friction = rv_draw_chance(&s.seed, 0.5) ? 0.0 : rv_draw_between(&s.seed, 0.0, 0.6);
    def.maxContacts = 128;
    add_thread(&s, &def);
    return s;
}

// ---- the run --------------------------------------------------------------------------------------------------------

static void lead(rvRandomThread* s, double time)
{
    for (int k = 0; k < 2; ++k) {
        const rvRandomHand* hand = &s->hands[k];
        if (!hand->driven)
            continue;
        double along = sin(hand->pace * time), across = sin(1.3 * hand->pace * time);
        rvPose pose = {
            .p = rvAdd(hand->at, rvVec(hand->swing.x * along, hand->swing.y * across, hand->swing.z * across)),
            .q = rvQuatFromAxisAngle(rvVec(0, 1, 0), hand->turn * along)};
        take(s, rvBody_MoveTo(s->world, hand->body, pose));
    }
}

// The least and the largest of the last readings.
static void find_extremes(const double* readings, double* low, double* high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < RV_GROWTH_WINDOW; ++i) {
        *low = fmin(*low, readings[i]);
        *high = fmax(*high, readings[i]);
    }
}

rvGrowth rv_random_thread_run(rvRandomThread* s, rvRandomRun run)
{
    double readings[RV_GROWTH_WINDOW], least = HUGE_VAL, grown = 0.0, when = 0.0, scale = 0.0, low, high;
    for (int i = 0; i < rv_random_steps(&run, s->h); ++i) {
        lead(s, (i + 1) * s->h);
        grasp(s, i * s->h);
        if (s->failed || rvWorld_Step(s->world, s->h) != RV_OK)
            return rv_growth_failed(i * s->h);
        rv_random_watch(&run, s->world);
        rvEnergy e = rvWorld_GetEnergy(s->world);
        readings[i % RV_GROWTH_WINDOW] = e.kinetic + e.potential + e.elastic - e.work;
        // of a thread that hangs at rest and meets nothing the readings are rounding
        scale = fmax(scale, e.kinetic + fabs(e.work) + RESTING * (fabs(e.potential) + e.elastic));
        if (i < RV_GROWTH_WINDOW - 1)
            continue;
        find_extremes(readings, &low, &high);
        least = fmin(least, high);
        if (low - least > grown) {
            grown = low - least;
            when = i * s->h;
        }
    }
    return (rvGrowth){grown / scale, grown / scale, when};
}
