// SPDX-License-Identifier: MIT
#include "random/throw.h"

#include "support/block.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { MOST_PEGS = 3, MOST_POINTS = 512 };

typedef struct {
    rvVec3 at;
    double radius;        // no part of it is farther away
    double seen, ends[2]; // how far the thread turns as seen from it, and where its ends are [rad]
} Peg;

typedef struct {
    rvWorld* world;
    uint64_t seed;
    bool failed; // a part could not be made
    rvThrownOn kind;
    rvCableId thread;
    rvBodyId ball;
    double length, interval, diameter, friction;
    Peg pegs[MOST_PEGS];
    int pegCount;
} Throw;

static double between(Throw* t, double low, double high)
{
    return rv_draw_between(&t->seed, low, high);
}

static void take(Throw* t, rvStatus status)
{
    t->failed = t->failed || status != RV_OK;
}

const char* rv_thrown_name(rvThrownOn kind)
{
    static const char* const names[RV_THROWN_KINDS] = {"pegs", "boxes", "hulls",        "meshes",
                                                       "bars", "rods",  "leaning bars", "leaning rods"};
    return names[kind];
}

// A plate of 4 to 20 mm, or a round one, turned about y by anything. No part of it is farther away than `wide` and half
// of its thickness.
static void add_plate(Throw* t, rvBodyId body, double wide)
{
    const rvShapeType types[RV_THROWN_KINDS] = {RV_SHAPE_CYLINDER, RV_SHAPE_BOX,      RV_SHAPE_HULL,
                                                RV_SHAPE_MESH,     RV_SHAPE_CYLINDER, RV_SHAPE_CAPSULE,
                                                RV_SHAPE_CYLINDER, RV_SHAPE_CAPSULE};
    double thick = between(t, 0.004, 0.02), angle = between(t, -PI, PI);
    rvVec3 points[BLOCK_CORNERS];
    rvShapeDef shape = block_shape(types[t->kind], rvVec(2.0 * wide, 10.0, thick), points);
    shape.friction = t->friction;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(0, 1, 0), angle);
    if (t->kind >= RV_THROWN_ON_BARS) {
        shape.radius = 0.5 * thick;
        shape.length = types[t->kind] == RV_SHAPE_CAPSULE ? fmax(2.0 * wide - thick, 1e-3) : 2.0 * wide;
    }
    if (t->kind >= RV_THROWN_ON_LEANING_BARS) {
        double lean = between(t, 0.02, 1.55);
        shape.radius = fmin(shape.radius, wide * cos(lean)); // where it stands the plane cuts no more of it
        shape.frame.q = rvQuatMul(shape.frame.q, rvQuatFromAxisAngle(rvVec(1, 0, 0), lean));
    }
    rvShapeId id;
    take(t, rvCreateShape(t->world, body, &shape, &id));
}

// Pegs below a thread that lies straight from the origin along x, apart from it and from each other; or plates.
static void add_pegs(Throw* t)
{
    t->pegCount = 1 + (int)(MOST_PEGS * rv_draw(&t->seed));
    for (int i = 0; i < t->pegCount; ++i) {
        double radius = between(t, fmax(0.5 * t->interval, 0.01), fmax(0.6 * t->interval, 0.08));
        double depth = between(t, 0.05, 0.3) * t->length + radius + t->diameter;
        double along = between(t, (i + 0.2) / t->pegCount, (i + 0.8) / t->pegCount) * t->length;
        t->pegs[i] = (Peg){.at = rvVec(along, 0, -depth), .radius = radius};
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_STATIC;
        def.pose.p = t->pegs[i].at;
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        shape.radius = radius;
        shape.length = 10.0;
        shape.friction = t->friction;
        shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
        rvBodyId body;
        rvShapeId id;
        take(t, rvCreateBody(t->world, &def, &body));
        if (t->kind == RV_THROWN_ON_PEGS)
            take(t, rvCreateShape(t->world, body, &shape, &id));
        else
            add_plate(t, body, radius);
    }
}

// Did the thread go through a peg since it was last looked at? As seen from the peg it turns by as much as its ends
// moved around it. False too where an end came near: it may go around.
static bool went_through(Peg* peg, const rvVec3* points, int count, bool first, double near)
{
    double seen = 0.0, ends[2];
    for (int i = 1; i < count; ++i) {
        rvVec3 a = rvSub(points[i - 1], peg->at), b = rvSub(points[i], peg->at); // pegs are long along y
        seen += atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z);
    }
    bool away = true;
    for (int end = 0; end < 2; ++end) {
        rvVec3 d = rvSub(points[end * (count - 1)], peg->at);
        d.y = 0.0;
        ends[end] = atan2(d.z, d.x);
        away = away && rvLength(d) > peg->radius + near;
    }
    double moved = remainder(ends[1] - peg->ends[1], 2.0 * PI) - remainder(ends[0] - peg->ends[0], 2.0 * PI);
    bool through = !first && away && fabs(seen - peg->seen - moved) > PI;
    peg->seen = seen;
    memcpy(peg->ends, ends, sizeof ends);
    return through;
}

static void make(Throw* t, bool inSpace, double* h)
{
    t->length = between(t, 0.5, 2.0);
    *h = between(t, 0.005, 0.016);
    t->diameter = between(t, 0.002, 0.01);
    int elements = (int)between(t, 15, 40);
    bool ball = rv_draw(&t->seed) < 0.5;
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(t->length, 0, 0))};
    rvBodyDef body = rvDefaultBodyDef();
    body.mass = 0.02 * exp(4.6 * rv_draw(&t->seed));
    body.inertia = rvBallInertia(body.mass, 0.01);
    body.pose.p = rvVec(t->length, 0, 0);
    take(t, rvCreateBody(t->world, &body, &t->ball));
    if (ball)
        places[1] = rvAttachPlace(t->ball, rvVec(0, 0, 0));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = 2;
    def.length = t->length;
    def.plane = inSpace ? rvVec(0, 0, 0) : rvVec(0, 1, 0);
    def.elements = elements;
    def.diameter = t->diameter;
    def.bendingStiffness = 1e-4 * exp(6.9 * rv_draw(&t->seed)) * t->length * t->length;
    def.torsionalStiffness = inSpace ? 0.8 * def.bendingStiffness : 0.0;
    def.massPerLength = 0.01 * exp(3.4 * rv_draw(&t->seed));
    def.damping = 0.02;
    def.collides = def.straight = true;
    def.maxContacts = 64;
    def.friction = t->friction = between(t, 0, 0.6);
    t->interval = t->length / elements;
    add_pegs(t);
    take(t, rvCreateCable(t->world, &def, &t->thread));
    double down = between(t, 0, 10), across = inSpace ? between(t, -3, 3) : 0.0;
    take(t, rvBody_SetVelocity(t->world, t->ball, rvVec(0, across, -down), rvVec(0, 0, 0)));
}

rvThrown rv_random_throw(uint64_t number, bool inSpace, rvThrownOn kind, rvRandomRun run)
{
    Throw t = {.seed = number, .kind = kind};
    rvThrown result = {.through = -1.0};
    rvWorldDef def = rvDefaultWorldDef();
    if (rvCreateWorld(&def, &t.world, result.error, sizeof result.error) != RV_OK) {
        result.growth = rv_growth_failed(0.0);
        return result;
    }
    for (int i = 0; i < 10; ++i)
        rv_draw(&t.seed);
    make(&t, inSpace, &result.h);
    double largest = 0.0, h = result.h;
    rvGrowthWindow window = {0};
    for (int i = 0; !t.failed && result.through < 0.0 && (run.steps > 0 ? i < run.steps : (i + 1) * h < run.seconds);
         ++i) {
        rvVec3 points[MOST_POINTS];
        take(&t, rvWorld_Step(t.world, h));
        rv_random_watch(&run, t.world);
        rvEnergy energy = rvWorld_GetEnergy(t.world);
        largest = fmax(largest, energy.kinetic);
        if (-energy.heat > result.growth.grown * largest) {
            result.growth.grown = -energy.heat / largest;
            result.growth.when = (i + 1) * h;
        }
        result.growth.sustained =
            fmax(result.growth.sustained, rv_growth_sustained(&window, largest > 0.0 ? -energy.heat / largest : 0.0));
        int n = rvCable_GetShape(t.world, t.thread, points, MOST_POINTS);
        for (int k = 0; k < t.pegCount; ++k)
            if (went_through(&t.pegs[k], points, n, i == 0, 12.0 * h)) // an end's way in a step at 12 m/s
                result.through = (i + 1) * h;
    }
    if (t.failed) {
        snprintf(result.error, sizeof result.error, ": %s", rvWorld_GetError(t.world));
        result.growth = rv_growth_failed(result.growth.when);
    }
    rvDestroyWorld(t.world);
    return result;
}
