// SPDX-License-Identifier: MIT
// Random machines: masses 1 : 100,000, EA from 1e3 to 1e10 N, steps of 1 to 33 ms. Strings of bodies held at their
// centres or by arms, blocks in a bight, ropes over wheels and eyes with friction, bearings and inertia, ropes over
// shapes; winches in and out, slack, supports that shake.
// Left out is what has no sense: ropes that their load would stretch to more than twice their length, and a scene from
// where a load comes within 1 m of the wheel that its rope runs over, or a block falls off its rope.
#include "random/machine.h"

#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY = 9.81;
static const double LARGEST_WHEEL = 0.4; // [m]

static void take(rvRandomMachine* s, rvStatus status)
{
    s->failed = s->failed || status != RV_OK;
}

static rvBodyId add_body(rvRandomMachine* s, const rvBodyDef* def)
{
    rvBodyId id = RV_NULL_BODY;
    take(s, rvCreateBody(s->world, def, &id));
    if (def->type == RV_BODY_DYNAMIC && s->loadCount < RV_RANDOM_PARTS)
        s->loads[s->loadCount++] = id;
    return id;
}

static double noise(rvRandomMachine* s)
{
    return rv_draw(&s->seed);
}

static bool chance(rvRandomMachine* s, double share)
{
    return rv_draw_chance(&s->seed, share);
}

static double between(rvRandomMachine* s, double from, double to)
{
    return rv_draw_between(&s->seed, from, to);
}

static double by_decades(rvRandomMachine* s, double from, double to)
{
    return rv_draw_by_decades(&s->seed, from, to);
}

static void note(rvRandomMachine* s, const char* what)
{
    size_t used = strlen(s->kind);
    snprintf(s->kind + used, sizeof s->kind - used, " %s", what);
}

// ---- parts ----------------------------------------------------------------------------------------------------------

static rvBodyId random_body(rvRandomMachine* s, double mass, rvVec3 at, double radius)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = chance(s, 0.5) ? rvBallInertia(mass, radius)
                                 : rvBoxInertia(mass, rvVec(radius, between(s, 0.3, 1.0) * radius, 2.0 * radius));
    def.pose.p = at;
    return add_body(s, &def);
}

// A cable that holds a weight: EA by decades, but not so soft that it stretches by more than its own length.
static rvCableId random_cable(rvRandomMachine* s, const rvPlaceDef* places, int count, double weight, double slack,
                              bool collides)
{
    rvCableDef def = rvDefaultCableDef(s->density > 0.0 ? RV_CABLE_LAYERED : RV_CABLE_MASSLESS);
    def.places = places;
    def.placeCount = count;
    def.massPerLength = s->density * weight / GRAVITY;
    def.axialStiffness = s->stiffness > 0.0 ? s->stiffness : by_decades(s, fmax(1e3, weight), 1e10);
    def.damping = chance(s, 0.3) ? by_decades(s, 1e-3, 0.1) : 0.0;
    def.collides = collides;
    def.friction = between(s, 0.0, 0.5);
    rvCableId id = RV_NULL_CABLE;
    take(s, rvCreateCable(s->world, &def, &id));
    if (slack > 1.0) {
        double length = slack * rvCable_GetLength(s->world, id);
        take(s, rvDestroyCable(s->world, id));
        def.length = length;
        take(s, rvCreateCable(s->world, &def, &id));
    }
    if (s->ropeCount < RV_RANDOM_PARTS)
        s->ropes[s->ropeCount++] = id;
    s->ropeMass += def.massPerLength * rvCable_GetRestLength(s->world, id);
    return id;
}

static double random_slack(rvRandomMachine* s)
{
    return chance(s, 0.3) ? between(s, 1.0, 1.3) : 1.0;
}

// The upper end of a cable: held or on a winch.
static rvPlaceDef random_top(rvRandomMachine* s, rvVec3 at)
{
    if (!chance(s, 0.3))
        return rvAttachPlace(s->support, at);
    note(s, "winch");
    rvPlaceDef place = rvWinchPlace(s->support, at, between(s, -0.5, 0.5));
    place.winch.acceleration = chance(s, 0.5) ? between(s, 0.2, 2.0) : HUGE_VAL;
    place.winch.minLength = 0.3;
    return place;
}

static rvPlaceDef random_passage(rvRandomMachine* s, rvBodyId body, rvVec3 at, double mass)
{
    double friction = chance(s, 0.3) ? 0.0 : between(s, 0.02, 0.5);
    if (chance(s, 0.3)) {
        rvPlaceDef eye = rvEyePlace(body, at);
        eye.friction = friction;
        if (friction == 0.0 && chance(s, 0.5))
            eye.drag = by_decades(s, 1.0, 1e4);
        note(s, eye.drag > 0.0 ? "dragging-eye" : "eye");
        return eye;
    }
    rvPlaceDef sheave = rvSheavePlace(body, at, rvVec(0, 1, 0), between(s, 0.05, LARGEST_WHEEL));
    if (chance(s, 0.6))
        sheave.friction = friction;
    sheave.wheel.bearing = chance(s, 0.5) ? between(s, 0.0, 0.2) : 0.0;
    sheave.wheel.locked = chance(s, 0.1);
    if (!sheave.wheel.locked && chance(s, 0.4))
        sheave.wheel.inertia = by_decades(s, 1e-4, 0.1) * fmin(mass, 1e3) * sheave.wheel.radius * sheave.wheel.radius;
    note(s, sheave.wheel.inertia > 0.0 ? "inert-sheave" : "sheave");
    return sheave;
}

static void add_low(rvRandomMachine* s, double mass, double depth)
{
    s->lowest -= mass * GRAVITY * depth;
    s->deepest = fmax(s->deepest, depth);
}

// ---- machines -------------------------------------------------------------------------------------------------------

// A string of bodies below a point, each hung on the one above.
static void make_string(rvRandomMachine* s, rvBodyId above, rvVec3 from, rvVec3 at, double depth, int count,
                        const double* masses)
{
    double below = 0.0;
    for (int i = 0; i < count; ++i)
        below += masses[i];
    for (int i = 0; i < count; ++i) {
        double length = by_decades(s, 0.5, 20.0), radius = between(s, 0.1, 1.0);
        double arm = chance(s, 0.5) ? radius : 0.0;
        double tilt = between(s, -1.5, 1.5), turn = between(s, 0.0, 6.28);
        rvVec3 u = rvVec(sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt));
        rvVec3 hold = rvMulAdd(at, length, u);
        rvBodyId body = random_body(s, masses[i], rvAdd(hold, rvVec(0, 0, -arm)), radius);
        rvPlaceDef places[] = {rvAttachPlace(above, from), rvAttachPlace(body, rvVec(0, 0, arm))};
        if (i == 0 && above.index1 == s->support.index1)
            places[0] = random_top(s, from);
        double slack = random_slack(s);
        random_cable(s, places, 2, below * GRAVITY, slack, false);
        depth += length * slack + 2.0 * arm;
        add_low(s, masses[i], depth);
        below -= masses[i];
        above = body;
        from = rvVec(0, 0, -arm);
        at = rvAdd(hold, rvVec(0, 0, -2.0 * arm));
    }
}

static int random_masses(rvRandomMachine* s, double* masses, int most)
{
    int count = 1 + (int)(most * 0.9999 * noise(s));
    for (int i = 0; i < count; ++i)
        masses[i] = by_decades(s, 1.0, 1e5);
    return count;
}

static void make_strings(rvRandomMachine* s)
{
    note(s, "string");
    double masses[5];
    int count = random_masses(s, masses, 5);
    make_string(s, s->support, rvVec(0, 0, 0), rvVec(0, 0, 0), 0.0, count, masses);
}

// A block in the bight of a cable, with a string of loads on it.
static void make_block(rvRandomMachine* s)
{
    note(s, "block");
    double masses[2], mass = by_decades(s, 1.0, 1e4), weight = mass;
    int count = random_masses(s, masses, 2);
    for (int i = 0; i < count; ++i)
        weight += masses[i];
    double width = between(s, 0.5, 4.0), depth = between(s, 2.0, 10.0), radius = between(s, 0.2, 0.6);
    rvVec3 at = rvVec(between(s, 0.0, width), 0, -depth);
    rvBodyId block = random_body(s, mass, at, radius);
    rvPlaceDef places[3] = {random_top(s, rvVec(0, 0, 0))};
    places[1] = random_passage(s, block, rvVec(0, 0, chance(s, 0.5) ? radius : 0.0), mass);
    s->blockHasWheel = places[1].type == RV_PLACE_SHEAVE;
    places[1].wheel.side = -1;
    places[2] = random_top(s, rvVec(width, 0, 0));
    double slack = random_slack(s);
    rvCableId cable = random_cable(s, places, 3, weight * GRAVITY, slack, false);
    s->passing = cable;
    double deep = rvCable_GetRestLength(s->world, cable);
    add_low(s, mass, deep);
    make_string(s, block, rvVec(0, 0, -radius), rvAdd(at, rvVec(0, 0, -radius)), deep, count, masses);
}

// Two bodies on a rope that runs over one to three wheels or eyes above, or over a shape.
static void make_atwood(rvRandomMachine* s, bool shape)
{
    note(s, shape ? "over-shape" : "atwood");
    double a = by_decades(s, 1.0, 1e5), b = by_decades(s, 1.0, 1e5), width = between(s, 1.5, 4.0);
    double left = between(s, 1.5, 10.0), right = between(s, 1.5, 10.0), off = between(s, -0.5, 0.5);
    rvBodyId one = random_body(s, a, rvVec(-width + off, 0, -left), 0.3);
    rvBodyId two = random_body(s, b, rvVec(width, shape ? 0.0 : off, -right), 0.3);
    double arm = chance(s, 0.5) ? 0.3 : 0.0;
    rvPlaceDef places[5] = {rvAttachPlace(one, rvVec(0, 0, arm))};
    int count = 1;
    if (shape) {
        rvShapeDef def = rvDefaultShapeDef(chance(s, 0.4)   ? RV_SHAPE_BOX
                                           : chance(s, 0.5) ? RV_SHAPE_CYLINDER
                                                            : RV_SHAPE_SPHERE);
        double high = between(s, 0.5, 2.0);
        def.sides = rvVec(between(s, 0.5, 2.0), 4.0, high);
        def.radius = between(s, 0.3, 1.0);
        def.length = 4.0;
        if (def.type == RV_SHAPE_CYLINDER)
            def.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.5707963267948966);
        def.friction = between(s, 0.0, 1.0);
        rvBodyDef bodyDef = rvDefaultBodyDef();
        bodyDef.type = RV_BODY_STATIC;
        rvBodyId held = s->support.index1 == RV_NULL_BODY.index1 ? add_body(s, &bodyDef) : s->support;
        rvShapeId made;
        take(s, rvCreateShape(s->world, held, &def, &made));
        double wide = def.type == RV_SHAPE_BOX ? 0.5 * hypot(def.sides.x, def.sides.z) : def.radius;
        s->shapeWide = fmax(s->shapeWide, wide);
    } else {
        int wheels = 1 + (int)(2.9999 * noise(s));
        for (int i = 0; i < wheels; ++i)
            places[count++] = random_passage(
                s, s->support,
                rvVec(width * (wheels > 1 ? 2.0 * i / (wheels - 1) - 1.0 : 0.0) * 0.8, 0, between(s, 0.5, 1.0)),
                fmin(a, b));
    }
    places[count++] = rvAttachPlace(two, rvVec(0, 0, arm));
    bool held = chance(s, 0.3);
    if (held) {
        note(s, "held");
        places[count - 1] = random_top(s, rvVec(width, 0, -right));
        take(s, rvDestroyBody(s->world, two));
        s->loadCount -= 1;
    }
    rvCableId cable = random_cable(s, places, count, fmax(a, b) * GRAVITY, random_slack(s), shape);
    s->passing = cable;
    double deep = rvCable_GetRestLength(s->world, cable);
    add_low(s, a, held ? right + deep : deep); // it may swing out from under what the rope runs over
    if (!held)
        add_low(s, b, deep);
}

static rvRandomMachine new_machine(uint64_t number)
{
    rvRandomMachine s = {.seed = number * 7919, .support = RV_NULL_BODY};
    rvWorldDef worldDef = rvDefaultWorldDef();
    s.failed = rvCreateWorld(&worldDef, &s.world, NULL, 0) != RV_OK;
    noise(&s);
    return s;
}

static rvVec3 random_vector(rvRandomMachine* s, double size)
{
    double x = between(s, -size, size), y = between(s, -size, size);
    return rvVec(x, y, between(s, -size, size));
}

rvRandomMachine rv_random_bridle(uint64_t number)
{
    rvRandomMachine s = new_machine(number);
    if (s.failed)
        return s;
    s.h = 1.0 / 60.0;
    bool both = chance(&s, 0.7);
    note(&s, both ? "bridle" : "load through an eye");
    double mass = by_decades(&s, 1.0, 1e3), reach = between(&s, 0.3, 2.0), up = between(&s, 0.0, 0.5);
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    // one after the other: compilers evaluate arguments in different orders
    double high = between(&s, 0.1, 1.0), deep = between(&s, 0.6, 2.0) * reach, wide = between(&s, 0.1, 1.0);
    def.inertia = rvBoxInertia(mass, rvVec(wide, deep, high));
    double below = between(&s, -2.0, -1.0);
    def.pose.p = rvAdd(random_vector(&s, 0.5), rvVec(0, 0, below));
    double angle = between(&s, 0.0, 1.0);
    def.pose.q = rvQuatFromAxisAngle(rvNormalizeOr(random_vector(&s, 1.0), rvVec(1, 0, 0)), angle);
    def.velocity = random_vector(&s, 2.0);
    def.angularVelocity = random_vector(&s, 2.0);
    rvBodyId load = add_body(&s, &def);
    rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, -reach, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                            rvAttachPlace(load, rvVec(0, both ? reach : 0.0, up))};
    if (both)
        places[0] = rvAttachPlace(load, rvVec(0, -reach, up));
    double weight = fmax(1e4, mass * GRAVITY), slack = between(&s, 1.001, 1.3);
    rvCableId cable = random_cable(&s, places, 3, weight, slack, false);
    add_low(&s, mass, rvCable_GetRestLength(s.world, cable));
    return s;
}

static void add_shaker(rvRandomMachine* s)
{
    note(s, "shaken");
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_KINEMATIC;
    s->support = add_body(s, &def);
    s->shake = between(s, 0.0, 0.5);
    s->pace = between(s, 0.5, 6.0);
}

static void make_any(rvRandomMachine* s)
{
    double kind = noise(s);
    if (kind < 0.4)
        make_strings(s);
    else if (kind < 0.6)
        make_block(s);
    else
        make_atwood(s, kind > 0.85);
}

// The support: the world, or a body that shakes.
static rvRandomMachine machine_of(uint64_t number, double density)
{
    rvRandomMachine s = new_machine(number);
    if (s.failed)
        return s;
    s.density = density;
    s.h = by_decades(&s, 1e-3, 33e-3);
    if (chance(&s, 0.25))
        add_shaker(&s);
    make_any(&s);
    add_low(&s, s.density > 0.0 ? s.ropeMass : 0.0, s.deepest);
    return s;
}

rvRandomMachine rv_random_machine(uint64_t number)
{
    return machine_of(number, 0.0);
}

rvRandomMachine rv_random_heavy(uint64_t number)
{
    return machine_of(number, 1e-3);
}

// ---- re-routing
// -----------------------------------------------------------------------------------------------------

static const double HEAVIEST = 1e5;      // [kg], of random_masses
static const double MOST_AT_WHEEL = 1.5; // [m] that a rope is longer by around one than through its middle

rvRandomMachine rv_random_rerouting(uint64_t number)
{
    rvRandomMachine s = new_machine(number);
    if (s.failed)
        return s;
    s.h = by_decades(&s, 1e-3, 33e-3);
    s.stiffness = by_decades(&s, 5.0 * HEAVIEST * GRAVITY, 1e10);
    if (chance(&s, 0.25))
        add_shaker(&s);
    make_any(&s);
    note(&s, "and");
    make_any(&s);
    s.passing = RV_NULL_CABLE;
    s.blockHasWheel = false;
    s.reroutes = true;
    rvEnergy e = rvWorld_GetEnergy(s.world);
    s.lowest = e.potential; // ropes that are let go hold nothing: what a fall of five metres is counts as the scale
    for (int i = 0; i < s.loadCount; ++i)
        add_low(&s, rvBody_GetMass(s.world, s.loads[i]), 5.0);
    return s;
}

// The rope's length along its places' points, with place `at` elsewhere (`insert`: before it), and all that wheels
// may add [m].
static double length_with(const rvRandomMachine* s, rvCableId rope, int at, bool insert, rvVec3 point)
{
    int count = rvCable_GetPlaceCount(s->world, rope) + insert;
    double length = 0.0;
    rvVec3 last = point;
    for (int i = 0; i < count; ++i) {
        int old = insert && i > at ? i - 1 : i;
        rvVec3 next = i == at ? point : rvCable_GetPlacePoint(s->world, rope, old);
        length += i > 0 ? rvDistance(last, next) : 0.0;
        if (i != at && rvCable_GetWrapAngle(s->world, rope, old) > 0.0)
            length += MOST_AT_WHEEL;
        last = next;
    }
    return length;
}

// Wheels that overlap their neighbours hold no rope.
static bool has_room(const rvRandomMachine* s, rvCableId rope, int at, rvVec3 point)
{
    return rvDistance(rvCable_GetPlacePoint(s->world, rope, at), point) > 1.0;
}

static rvBodyId random_holder(rvRandomMachine* s)
{
    return chance(s, 0.3) || s->loadCount == 0 ? s->support : s->loads[(int)(0.9999 * noise(s) * s->loadCount)];
}

static rvVec3 point_of(const rvRandomMachine* s, rvBodyId body, rvVec3 local)
{
    return RV_IS_NULL(body) ? local : rvBody_GetPoint(s->world, body, local);
}

// What a hand can stretch it to [m].
static double reach_of(rvRandomMachine* s, rvCableId rope)
{
    double pull = chance(s, 0.5) ? 0.0 : 0.2 * HEAVIEST * GRAVITY * noise(s);
    return rvCable_GetRestLength(s->world, rope) * (1.0 + pull / s->stiffness);
}

// An end is hooked to something in reach, or let go.
static void hook(rvRandomMachine* s, rvCableId rope)
{
    int end = chance(s, 0.5) ? 0 : rvCable_GetPlaceCount(s->world, rope) - 1;
    rvBodyId holder = random_holder(s);
    rvVec3 local = RV_IS_NULL(holder) ? rvAdd(rvCable_GetPlacePoint(s->world, rope, end), random_vector(s, 2.0))
                                      : random_vector(s, 0.3);
    rvPlaceDef def = rvAttachPlace(holder, local);
    if (chance(s, 0.2))
        def = rvFreePlace(rvCable_GetPlacePoint(s->world, rope, end));
    else if (!has_room(s, rope, end == 0 ? 1 : end - 1, point_of(s, holder, local)) ||
             length_with(s, rope, end, false, point_of(s, holder, local)) > reach_of(s, rope))
        return;
    rvCable_SetPlace(s->world, rope, end, &def);
}

static void reeve_through(rvRandomMachine* s, rvCableId rope)
{
    int at = 1 + (int)(0.9999 * noise(s) * (rvCable_GetPlaceCount(s->world, rope) - 1));
    rvBodyId holder = random_holder(s);
    rvVec3 a = rvCable_GetPlacePoint(s->world, rope, at - 1), b = rvCable_GetPlacePoint(s->world, rope, at);
    rvVec3 middle = rvMulAdd(a, between(s, 0.2, 0.8), rvSub(b, a)), local = random_vector(s, 0.3);
    if (RV_IS_NULL(holder))
        local = rvAdd(middle, random_vector(s, 0.3 * rvDistance(a, b)));
    rvPlaceDef def = random_passage(s, holder, local, 100.0);
    double wheel = def.type == RV_PLACE_SHEAVE ? MOST_AT_WHEEL : 0.0;
    rvVec3 point = point_of(s, holder, local);
    if (has_room(s, rope, at - 1, point) && has_room(s, rope, at, point) &&
        length_with(s, rope, at, true, point) + wheel <= reach_of(s, rope))
        rvCable_InsertPlace(s->world, rope, at, &def);
}

// The rope whose last end is where the first end of another one is, or any two.
static void splice(rvRandomMachine* s, int one)
{
    int other = (int)(0.9999 * noise(s) * s->ropeCount);
    rvCableId a = s->ropes[one], b = s->ropes[other];
    int last = rvCable_GetPlaceCount(s->world, a) - 1;
    rvVec3 from = rvCable_GetPlacePoint(s->world, a, last - 1), to = rvCable_GetPlacePoint(s->world, b, 1);
    double length = length_with(s, a, last, false, from) + length_with(s, b, 0, false, to) + rvDistance(from, to);
    if (one == other || !has_room(s, a, last - 1, to) || length > reach_of(s, a) + rvCable_GetRestLength(s->world, b))
        return;
    if (rvCable_Splice(s->world, a, b) == RV_OK)
        s->ropes[other] = s->ropes[--s->ropeCount];
}

// A change that is refused (an end on a winch that would be spliced) leaves all as it was.
static void reroute(rvRandomMachine* s, double time)
{
    if (!s->reroutes || time < s->nextChange || s->ropeCount == 0)
        return;
    s->nextChange = time + by_decades(s, 0.01, 2.0);
    int one = (int)(0.9999 * noise(s) * s->ropeCount);
    rvCableId rope = s->ropes[one];
    double what = noise(s);
    int count = rvCable_GetPlaceCount(s->world, rope);
    if (what < 0.35) {
        hook(s, rope);
    } else if (what < 0.65) {
        reeve_through(s, rope);
    } else if (what < 0.8) {
        int at = 1 + (int)(0.9999 * noise(s) * (count - 2));
        if (count > 2 && has_room(s, rope, at - 1, rvCable_GetPlacePoint(s->world, rope, at + 1)))
            rvCable_RemovePlace(s->world, rope, at);
    } else if (what < 0.95) {
        splice(s, one);
    } else {
        take(s, rvCable_Break(s->world, rope));
        s->ropes[one] = s->ropes[--s->ropeCount];
    }
}

// ---- hoists
// -----------------------------------------------------------------------------------------------------------

// Rope of finite elements that flows, EA so that its load stretches it by 1 % at most.
static rvCableId random_rope(rvRandomMachine* s, const rvPlaceDef* places, int count, double weight, double density)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ALE);
    def.places = places;
    def.placeCount = count;
    def.massPerLength = density;
    def.axialStiffness = by_decades(s, 100.0 * weight, 1e5 * weight);
    def.damping = chance(s, 0.6) ? by_decades(s, 1e-3, 0.05) : 0.0;
    def.bendingStiffness = chance(s, 0.3) ? by_decades(s, 1e-3, 1.0) : 1e-3;
    def.elements = (count - 1) * (1 + (int)(7.9999 * noise(s)));
    rvCableId id = RV_NULL_CABLE;
    take(s, rvCreateCable(s->world, &def, &id));
    return id;
}

// A fall's own wheel: turning freely, with a bearing, inertia or friction, or locked.
static rvPlaceDef random_wheel(rvRandomMachine* s, rvBodyId body, rvVec3 at, double radius, double mass)
{
    rvPlaceDef wheel = rvSheavePlace(body, at, rvVec(0, 1, 0), radius);
    double kind = noise(s);
    if (kind < 0.25)
        wheel.wheel.bearing = between(s, 0.0, 0.1);
    else if (kind < 0.45)
        wheel.wheel.inertia = by_decades(s, 1e-4, 0.1) * mass * radius * radius;
    else if (kind < 0.6)
        wheel.friction = between(s, 0.02, 0.1);
    wheel.wheel.locked = wheel.friction < 1.0 && chance(s, 0.5);
    return wheel;
}

static rvPlaceDef random_winch(rvRandomMachine* s, rvVec3 at, double weight)
{
    rvPlaceDef winch = rvWinchPlace(s->support, at, 0.0);
    winch.winch.acceleration = chance(s, 0.3) ? HUGE_VAL : by_decades(s, 0.5, 20.0);
    winch.winch.compliance = chance(s, 0.3) ? by_decades(s, 1e-3, 1e-1) / weight : 0.0;
    winch.winch.maxForce = between(s, 6.0, 12.0) * weight; // it lifts what friction at five wheels leaves of it
    winch.winch.minLength = 0.3;
    return winch;
}

// A block of one to five falls on rope of finite elements that runs from a winch at the left.
rvRandomMachine rv_random_hoist(uint64_t number)
{
    rvRandomMachine s = new_machine(number);
    if (s.failed)
        return s;
    s.h = by_decades(&s, 1e-3, 33e-3);
    if (chance(&s, 0.2))
        add_shaker(&s);
    int falls = 1 + (int)(4.9999 * noise(&s));
    double mass = by_decades(&s, 10.0, 1e4), weight = mass * GRAVITY / falls, radius = between(&s, 0.1, 0.4);
    double deep = by_decades(&s, 3.0, 60.0), lead = between(&s, 1.0, 20.0), rope = by_decades(&s, 0.05, 4.0);
    char text[48];
    snprintf(text, sizeof text, "%d falls of %.3g m", falls, deep);
    note(&s, text);
    rvBodyDef def = rvDefaultBodyDef();
    def.mass = mass;
    def.inertia = rvBoxInertia(mass, rvVec(2.0 * radius * falls, 0.3, 1.0));
    def.pose.p = rvVec(0, 0, -deep - 1.0);
    if (chance(&s, 0.3))
        def.velocity = random_vector(&s, 1.0);
    rvBodyId block = add_body(&s, &def);
    rvPlaceDef places[8] = {
        random_winch(&s, rvVec(-lead - radius * falls, 0, between(&s, -2.0, 0.5)), weight + rope * GRAVITY * deep)};
    int count = 1;
    for (int k = 0; k < falls; ++k) { // from the head, falls at every 2 r; the last ends on the block or at the head
        double x = radius * (2 * k - falls);
        places[count++] =
            random_wheel(&s, k % 2 ? block : s.support, rvVec(x, 0, k % 2 ? 1.0 : 0.0), radius, mass / falls);
    }
    double x = radius * (falls - 1);
    places[count++] = falls % 2 ? rvAttachPlace(block, rvVec(x, 0, 1.0)) : rvAttachPlace(s.support, rvVec(x, 0, 0));
    s.hoist = random_rope(&s, places, count, weight, rope);
    s.topSpeed = between(&s, 0.2, 4.0) * falls;
    add_low(&s, mass + rope * rvCable_GetRestLength(s.world, s.hoist), 2.0 * deep);
    return s;
}

static void shake(rvRandomMachine* s, double time)
{
    if (s->shake == 0.0)
        return;
    rvPose pose = rvPoseIdentity();
    double ramp = fmin(1.0, time);
    pose.p = rvVec(ramp * s->shake * sin(s->pace * time), 0, 0.5 * ramp * s->shake * sin(1.3 * s->pace * time));
    take(s, rvBody_MoveTo(s->world, s->support, pose));
}

// What its driver does next: another speed, a stop, the brake at once.
static void command(rvRandomMachine* s, double time)
{
    if (RV_IS_NULL(s->hoist) || time < s->nextCommand)
        return;
    s->nextCommand = time + between(s, 0.3, 4.0);
    double what = noise(s), speed = between(s, -1.0, 1.0) * s->topSpeed;
    if (what < 0.2)
        take(s, rvCable_SetWinchBrake(s->world, s->hoist, 0, true));
    else
        take(s, rvCable_SetWinchSpeed(s->world, s->hoist, 0, what < 0.4 ? 0.0 : speed));
}

// Has a rope that lies on shapes a wheel or an eye inside one, since it was spliced or reeved, or a load swung there?
static bool is_routed_inside(const rvRandomMachine* s, rvCableId rope)
{
    rvCableDef def;
    if (s->shapeWide == 0.0 || rvCable_GetDef(s->world, rope, &def) != RV_OK || !def.collides)
        return false;
    rvVec3 at = RV_IS_NULL(s->support) ? rvVec(0, 0, 0) : rvBody_GetCenter(s->world, s->support);
    for (int i = 1; i < rvCable_GetPlaceCount(s->world, rope) - 1; ++i) {
        rvVec3 point = rvSub(rvCable_GetPlacePoint(s->world, rope, i), at);
        if (hypot(point.x, point.z) < s->shapeWide + LARGEST_WHEEL)
            return true;
    }
    return false;
}

// Did a load meet the wheel that its rope runs over, or did a block fall off its rope? Nothing here would stop the one
// or catch the other: the scene has no sense from then on. Nor has it where a rope must both lie on a shape and pass
// through it.
static bool is_over(const rvRandomMachine* s)
{
    for (int i = 1; !RV_IS_NULL(s->hoist) && i < rvCable_GetPlaceCount(s->world, s->hoist) - 1; ++i)
        if (rvCable_GetSpanLength(s->world, s->hoist, i) < 1.0)
            return true;
    for (int k = 0; k < s->ropeCount && s->reroutes; ++k) {
        if (is_routed_inside(s, s->ropes[k]))
            return true;
        int last = rvCable_GetPlaceCount(s->world, s->ropes[k]) - 2;
        if (last > 0 && (rvCable_GetSpanLength(s->world, s->ropes[k], 0) < 1.0 ||
                         rvCable_GetSpanLength(s->world, s->ropes[k], last) < 1.0))
            return true;
    }
    if (RV_IS_NULL(s->passing))
        return false;
    int last = rvCable_GetPlaceCount(s->world, s->passing) - 2;
    return rvCable_GetSpanLength(s->world, s->passing, 0) < 1.0 ||
           rvCable_GetSpanLength(s->world, s->passing, last) < 1.0 ||
           (s->blockHasWheel && rvCable_GetWrapAngle(s->world, s->passing, 1) <= 0.0);
}

// Energy less the work, with the heat of friction and brakes. That of the cables' damping is what is missing in their
// energy account, more than there is where a stiff cable turns: it is not counted, nor what steps took of turning.
static double balance(const rvWorld* world, double* work)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    *work = fmax(*work, fabs(e.work));
    return e.kinetic + e.potential + e.elastic - e.work + e.heat - e.guard - e.turningHeat - e.dampingHeat;
}

// Energy account: what was there at the start is somewhere.
static double energy_account(const rvWorld* world)
{
    rvEnergy e = rvWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.heat - e.work;
}

rvGrowth rv_random_machine_run(rvRandomMachine* s, rvRandomRun run)
{
    double start = 0.0, work = 0.0;
    bool over = false;
    rvGrowth most = {0};
    rvGrowthWindow window = {0};
    if (s->failed)
        return rv_growth_failed(0.0);
    for (int i = 0; i < rv_random_steps(&run, s->h); ++i) {
        over = over || is_over(s);
        if (over && !s->reroutes)
            break;
        shake(s, (i + 1) * s->h);
        command(s, i * s->h);
        double before = s->reroutes ? energy_account(s->world) : 0.0;
        reroute(s, i * s->h);
        double made = s->reroutes ? fabs(energy_account(s->world) - before) : 0.0; // by hands, beside their work
        if (s->failed || rvWorld_Step(s->world, s->h) != RV_OK)
            return rv_growth_failed(i * s->h);
        rv_random_watch(&run, s->world);
        double energy = balance(s->world, &work);
        if (i == 0)
            start = energy;
        if (s->reroutes || s->density > 0.0) // what is let go, or slips off a shape with rope that has weight, falls on
            s->lowest = fmin(s->lowest, rvWorld_GetEnergy(s->world).potential);
        double grown = fmax(energy - start, made) / (start - s->lowest + work);
        if (over)
            continue;
        most.sustained = fmax(most.sustained, rv_growth_sustained(&window, grown));
        if (grown > most.grown) {
            most.grown = grown;
            most.when = i * s->h;
        }
    }
    return most;
}
