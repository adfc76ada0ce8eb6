// SPDX-License-Identifier: MIT
// Worlds, bodies, cables and chains that several tests build, through the public calls only; C++ can read it too.
#pragma once

#include "check.h"
#include "reeve/reeve.h"
#include "reeve/reference.h"

#include <string.h>

#define GRAVITY 9.81

// Stops the test with the world's own words.
#define CHECK_OK(world, call) check_ok_((world), (call), #call, __FILE__, __LINE__)

static inline void check_ok_(const rvWorld* world, rvStatus status, const char* what, const char* file, int line)
{
    if (status != RV_OK) {
        print_error("%s:%d: %s: %s: %s\n", file, line, what, rvStatus_Name(status), rvWorld_GetError(world));
        _fail(file, line);
    }
}

static inline rvWorld* make_world_of(const rvWorldDef* def)
{
    rvWorld* world;
    rvWorldDef whole = *def;
    char error[256] = "";
    whole.reference = rvReference_GetMethods();
    if (rvCreateWorld(&whole, &world, error, sizeof error) != RV_OK) {
        print_error("%s\n", error);
        fail();
    }
    return world;
}

static inline rvWorld* make_world(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    return make_world_of(&def);
}

static inline rvWorld* make_weightless_world(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, 0);
    return make_world_of(&def);
}

static inline rvBodyId add_body(rvWorld* world, const rvBodyDef* def)
{
    rvBodyId id;
    CHECK_OK(world, rvCreateBody(world, def, &id));
    return id;
}

// What is led and not pushed.
static inline rvBodyId add_hand(rvWorld* world, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    def.pose.p = at;
    return add_body(world, &def);
}

// A solid box of full sides.
static inline rvBodyId add_box(rvWorld* world, double mass, rvVec3 sides, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = rvBoxInertia(mass, sides);
    def.pose.p = at;
    return add_body(world, &def);
}

static inline rvBodyId add_ball(rvWorld* world, double mass, double radius, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = rvBallInertia(mass, radius);
    def.pose.p = at;
    return add_body(world, &def);
}

static inline rvShapeId add_shape(rvWorld* world, rvBodyId body, const rvShapeDef* def)
{
    rvShapeId id;
    CHECK_OK(world, rvCreateShape(world, body, def, &id));
    return id;
}

static inline rvShapeId add_box_shape(rvWorld* world, rvBodyId body, rvVec3 sides)
{
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_BOX);
    def.sides = sides;
    return add_shape(world, body, &def);
}

// A smooth drum about the y axis.
static inline void add_drum(rvWorld* world, double radius)
{
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = radius;
    shape.length = 2.0;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.57079632679489662); // along y
    shape.friction = 0.0;
    add_shape(world, add_body(world, &fixed), &shape);
}

// A static plane z = 0.
static inline rvBodyId add_ground(rvWorld* world)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    def.name = "ground";
    rvBodyId body = add_body(world, &def);
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    add_shape(world, body, &plane);
    return body;
}

// A cable as the definition has it, over these places.
static inline rvCableId add_cable_of(rvWorld* world, rvCableDef def, const rvPlaceDef* places, int count)
{
    def.places = places;
    def.placeCount = count;
    rvCableId id;
    CHECK_OK(world, rvCreateCable(world, &def, &id));
    return id;
}

// A massless cable over the places, of stiffness EA; length < 0: as the route lies.
static inline rvCableId add_cable(rvWorld* world, const rvPlaceDef* places, int count, double axialStiffness,
                                  double length)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = axialStiffness;
    def.length = length;
    return add_cable_of(world, def, places, count);
}

// Between a point of the world and the origin of a body.
static inline rvCableId hang_on_cable(rvWorld* world, rvVec3 from, rvBodyId load, double axialStiffness, double length)
{
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, from), rvAttachPlace(load, rvVec(0, 0, 0))};
    return add_cable(world, places, 2, axialStiffness, length);
}

static inline rvCableDef layered_rope(const rvPlaceDef* places, int count, double axialStiffness, double massPerLength,
                                      double length)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.axialStiffness = axialStiffness;
    def.massPerLength = massPerLength;
    def.length = length;
    def.places = places;
    def.placeCount = count;
    return def;
}

// An attached place that holds the direction of the cable too.
static inline rvPlaceDef clamp(rvBodyId body, rvVec3 at, rvVec3 direction)
{
    rvPlaceDef place = rvAttachPlace(body, at);
    place.clamped = true;
    place.direction = direction;
    return place;
}

// A curve that holds itself little: half a newton metre squared, half a kilogram a metre.
static inline rvCableDef thread(const rvPlaceDef* places, int count, double length, bool inSpace)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = count;
    def.length = length;
    def.elements = 16;
    def.diameter = 0.01;
    def.bendingStiffness = 0.5;
    def.massPerLength = 0.5;
    def.torsionalStiffness = inSpace ? 0.4 : 0.0;
    def.plane = inSpace ? rvVec(0, 0, 0) : rvVec(0, 1, 0);
    return def;
}

static inline rvCableId create_cable(rvWorld* world, const rvCableDef* def)
{
    return add_cable_of(world, *def, def->places, def->placeCount);
}

// Two metres of a thread behind a hand at the origin, straight, its other end free.
static inline rvCableId add_thread_behind(rvWorld* world, rvBodyId hand, bool inSpace)
{
    rvPlaceDef places[2] = {rvAttachPlace(hand, rvVec(0, 0, 0)), rvFreePlace(rvVec(-2, 0, 0))};
    rvCableDef def = thread(places, 2, 2.0, inSpace);
    return create_cable(world, &def);
}

// Of the moments over an interval of a curve, by Simpson's rule through its sections: what its one curvature goes by.
static inline double mean_moment(const rvCableSection* s)
{
    return (s[0].moment + 4.0 * s[1].moment + 2.0 * s[2].moment + 4.0 * s[3].moment + s[4].moment) / 12.0;
}

// Holds point `at` (in the world) of two bodies together.
static inline rvJointId join_ball(rvWorld* world, rvBodyId a, rvBodyId b, rvVec3 at)
{
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    rvJointId id;
    CHECK_OK(world, rvJointDef_Place(world, &def, a, b, at, rvVec(0, 0, 1)));
    CHECK_OK(world, rvCreateJoint(world, &def, &id));
    return id;
}

// A massless cable as the route lies, of stiffness EA, with a damping time.
static inline rvCableId add_damped(rvWorld* world, const rvPlaceDef* places, int count, double axialStiffness,
                                   double damping)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = axialStiffness;
    def.damping = damping;
    return add_cable_of(world, def, places, count);
}

// A body of a type; inertia: 0 of a ball of half a metre, else that of all axes.
static inline rvBodyId add_mass(rvWorld* world, rvBodyType type, double mass, double inertia, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.mass = mass;
    def.inertia = rvMat3Diagonal(inertia, inertia, inertia);
    def.pose.p = at;
    return add_body(world, &def);
}

static inline void step_world(rvWorld* world, double h, long steps)
{
    for (long i = 0; i < steps; ++i)
        CHECK_OK(world, rvWorld_Step(world, h));
}

static inline void run_world(rvWorld* world, double h, double seconds)
{
    step_world(world, h, lround(seconds / h));
}

// How the route's length grows as a body is moved along (axes 0 to 2) or turned about (3 to 5) an axis of the world: a
// central difference.
static inline double length_slope(rvWorld* world, rvCableId rope, rvBodyId body, int axis, double step)
{
    rvPose pose = rvBody_GetPose(world, body);
    double length[2];
    for (int side = 0; side < 2; ++side) {
        double d = side ? step : -step;
        rvVec3 way = rvVec(axis % 3 == 0 ? d : 0.0, axis % 3 == 1 ? d : 0.0, axis % 3 == 2 ? d : 0.0);
        rvPose moved = pose;
        if (axis < 3)
            moved.p = rvAdd(pose.p, way);
        else
            moved.q = rvQuatMul(rvQuatFromRotation(way), pose.q);
        CHECK_OK(world, rvBody_SetPose(world, body, moved));
        length[side] = rvCable_GetLength(world, rope);
    }
    CHECK_OK(world, rvBody_SetPose(world, body, pose));
    return (length[1] - length[0]) / (2.0 * step);
}

// The same slope as a row tells it.
static inline double row_slope(const rvRowBody* body, int axis)
{
    rvVec3 part = axis < 3 ? body->linear : body->angular;
    return -(axis % 3 == 0 ? part.x : axis % 3 == 1 ? part.y : part.z);
}

// What does not change: energy, heat, less the work of drives.
static inline double energy_books(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work;
}

static inline double total_energy(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

// How many events of a type the last step gave; the last of them through *event, which may be NULL.
static inline int count_events(const rvWorld* world, rvEventType type, rvEvent* event)
{
    rvEvent events[64];
    int all = rvWorld_GetEvents(world, events, 64), count = 0;
    for (int i = 0; i < all && i < 64; ++i)
        if (events[i].type == type) {
            count += 1;
            if (event)
                *event = events[i];
        }
    return count;
}

// ---- pendulums ------------------------------------------------------------------------------------------------------

// Exact period over that of small swings, amplitude in rad: 1/M(1, cos(a/2)), M the arithmetic-geometric mean.
static inline double large_swing(double amplitude)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    while (fabs(a - b) > 1e-15) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 1.0 / a;
}

// Times at which a value rises through zero, by linear interpolation.
typedef struct {
    double last, lastTime, first, latest;
    int count;
} Crossings;

static inline void watch(Crossings* c, double time, double value)
{
    if (c->last < 0.0 && value >= 0.0) {
        c->latest = c->lastTime + (time - c->lastTime) * c->last / (c->last - value);
        if (c->count++ == 0)
            c->first = c->latest;
    }
    c->last = value;
    c->lastTime = time;
}

static inline double mean_period(const Crossings* c)
{
    return c->count < 2 ? -1.0 : (c->latest - c->first) / (c->count - 1);
}

// ---- chains ---------------------------------------------------------------------------------------------------------

enum { MAX_LINKS = 128 };

// A straight chain of thin rods on ball joints, hung at the origin, a point load at its end.
typedef struct {
    int links;
    double length, linkMass, loadMass;
    double angle; // from the vertical, in the plane of x and z [rad]
    double whirl; // turning about the vertical at the start, as one rigid body [rad/s]
} ChainDef;

typedef struct {
    rvWorld* world;
    rvBodyId links[MAX_LINKS], load;
    double lowest; // potential energy of the chain hanging straight down
} Chain;

static inline rvBodyId add_chain_body(Chain* chain, const ChainDef* def, double along, double mass, rvMat3 inertia)
{
    rvBodyDef body = rvDefaultBodyDef();
    body.mass = mass;
    body.inertia = inertia;
    // the rod's z axis points up the chain
    body.pose.q = rvQuatFromAxisAngle(rvVec(0, 1, 0), -def->angle);
    body.pose.p = rvVec(along * sin(def->angle), 0, -along * cos(def->angle));
    body.angularVelocity = rvVec(0, 0, def->whirl);
    body.velocity = rvCross(body.angularVelocity, body.pose.p);
    chain->lowest -= mass * GRAVITY * along;
    return add_body(chain->world, &body);
}

static inline Chain make_chain(const rvWorldDef* worldDef, const ChainDef* def)
{
    Chain chain;
    memset(&chain, 0, sizeof chain);
    chain.world = make_world_of(worldDef);
    double l = def->length / def->links;
    rvBodyId above = RV_NULL_BODY;
    rvMat3 rod = rvBoxInertia(def->linkMass, rvVec(0.05, 0.05, l));
    for (int i = 0; i <= def->links; ++i) {
        bool isLoad = i == def->links;
        rvBodyId body = isLoad
                            ? add_chain_body(&chain, def, def->length, def->loadMass, rvBallInertia(def->loadMass, 0.5))
                            : add_chain_body(&chain, def, (i + 0.5) * l, def->linkMass, rod);
        rvVec3 at = rvVec(i * l * sin(def->angle), 0, -i * l * cos(def->angle));
        join_ball(chain.world, above, body, at);
        if (!isLoad)
            chain.links[i] = body;
        above = chain.load = body;
    }
    return chain;
}

// Period of the straight chain as one rigid pendulum, swinging by def->angle.
static inline double chain_period(const ChainDef* def)
{
    double chainMass = def->links * def->linkMass;
    double inertia = def->loadMass * def->length * def->length + chainMass * def->length * def->length / 3.0 +
                     chainMass * 0.05 * 0.05 / 12.0;
    double moment = (def->loadMass + 0.5 * chainMass) * GRAVITY * def->length;
    return 2.0 * 3.14159265358979323846 * sqrt(inertia / moment) * large_swing(def->angle);
}

// What a run of a chain showed.
typedef struct {
    double period, gap, kept, most; // most: the largest share of the first energy; kept: the last
    bool stable;
} ChainRun;

static inline ChainRun run_chain(Chain* chain, double h, double seconds)
{
    ChainRun run;
    Crossings crossings;
    memset(&run, 0, sizeof run);
    memset(&crossings, 0, sizeof crossings);
    run.stable = true;
    double start = 0.0;
    long steps = lround(seconds / h);
    for (long i = 0; i < steps; ++i) {
        if (rvWorld_Step(chain->world, h) != RV_OK) {
            print_error("step %ld: %s\n", i, rvWorld_GetError(chain->world));
            run.stable = false;
            break;
        }
        double energy = total_energy(chain->world) - chain->lowest;
        if (i == 0)
            start = energy;
        run.kept = energy / start;
        run.most = fmax(run.most, run.kept);
        if (i % 16 == 0)
            run.gap = fmax(run.gap, rvWorld_GetStepInfo(chain->world).worstGap);
        watch(&crossings, rvWorld_GetTime(chain->world), rvBody_GetCenter(chain->world, chain->load).x);
    }
    run.period = mean_period(&crossings);
    return run;
}
