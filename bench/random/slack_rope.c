// SPDX-License-Identifier: MIT
// Random slack ropes: loads of 0.1 kg to 10 t on 0.3 to 20 m of rope of a millionth to a third of their mass, that
// their weight stretches by 1e-5 to 1e-2, in 4 to 16 elements. They begin anywhere within reach, a third of them within
// a hundredth of it, where the rope is folded on itself; half of them are thrown. A load on a rope from a support, two
// loads one under the other, or a load in the middle of a rope between two supports.
//
// Random hooks: 0.1 to 100 kg, half a metre of arm, between a rope of 9.8 m that is longer than its span by 0.1 to 10 %
// and a sling with a load of two tons, EA from 0.1 to 100 MN. The load falls, snaps the rope taut, bounces and swings.
#include "random/slack_rope.h"
#include "support/random.h"

#include <math.h>

static const double GRAVITY = 9.81;

static rvVec3 direction(rvSlackRope* s)
{
    double up = 2.0 * rv_draw(&s->seed) - 1.0, around = 6.283185307179586 * rv_draw(&s->seed),
           aside = sqrt(1.0 - up * up);
    return rvVec(aside * cos(around), aside * sin(around), up);
}

static rvVec3 within_reach(rvSlackRope* s, double reach)
{
    double share = 0.98 * rv_draw(&s->seed);
    rvVec3 towards = direction(s); // before the next number is drawn: arguments have no order in C
    return rvScale(reach * (rv_draw(&s->seed) < 0.3 ? 0.01 * share : share), towards);
}

static rvBodyId add_load(rvSlackRope* s, double mass, rvVec3 at, double lowest)
{
    rvBodyDef def = rvDefaultBodyDef();
    rvBodyId id = RV_NULL_BODY;
    double speed = rv_draw(&s->seed) < 0.5 ? 0.0 : rv_draw_by_decades(&s->seed, 0.1, 5.0);
    def.mass = mass;
    def.pose.p = at;
    def.velocity = rvScale(speed, direction(s));
    s->failed = rvCreateBody(s->world, &def, &id) != RV_OK || s->failed;
    s->scale += mass * GRAVITY * (at.z - lowest) + 0.5 * mass * speed * speed;
    return id;
}

// load: of all that it carries.
static void add_rope(rvSlackRope* s, const rvPlaceDef* places, int count, double load, double length)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.places = places;
    def.placeCount = count;
    def.length = length;
    def.axialStiffness = load * GRAVITY / rv_draw_by_decades(&s->seed, 1e-5, 1e-2);
    def.bendingStiffness = rv_draw_by_decades(&s->seed, 1e-6, 1e-3) * load * GRAVITY * length * length;
    def.massPerLength = rv_draw_by_decades(&s->seed, 1e-6, 0.3) * load / length;
    def.elements = (count - 1) * (4 + (int)(13.0 * rv_draw(&s->seed)));
    s->failed = rvCreateCable(s->world, &def, NULL) != RV_OK || s->failed;
    s->scale += 0.3 * load * GRAVITY * length; // at least, of what begins low
}

rvSlackRope rv_slack_rope(uint64_t number)
{
    static const char* const kinds[] = {"a load", "two loads", "a load between supports"};
    rvSlackRope s = {.seed = number * 0xD1342543DE82EF95u, .h = 1.0 / 60.0};
    rvWorldDef def = rvDefaultWorldDef();
    s.failed = rvCreateWorld(&def, &s.world, NULL, 0) != RV_OK;
    if (s.failed)
        return s;
    double mass = rv_draw_by_decades(&s.seed, 0.1, 1e4), length = rv_draw_by_decades(&s.seed, 0.3, 20.0),
           kind = rv_draw(&s.seed);
    s.kind = kinds[kind < 0.6 ? 0 : kind < 0.8 ? 1 : 2];
    if (kind < 0.8) {
        rvVec3 at = within_reach(&s, length);
        rvBodyId load = add_load(&s, mass, at, -length);
        const rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
        double other = kind < 0.6 ? 0.0 : rv_draw_by_decades(&s.seed, 0.1, 10.0) * mass;
        add_rope(&s, places, 2, mass + other, length);
        if (other > 0.0) {
            rvBodyId second = add_load(&s, other, rvAdd(at, within_reach(&s, length)), -2.0 * length);
            const rvPlaceDef ends[2] = {rvAttachPlace(load, rvVec(0, 0, 0)), rvAttachPlace(second, rvVec(0, 0, 0))};
            add_rope(&s, ends, 2, other, length);
        }
    } else {
        // about as far from either, so that either span has its elements: one element cannot be folded
        double apart = 0.9 * length * rv_draw(&s.seed), reach = sqrt(0.25 * (length * length - apart * apart));
        rvVec3 across = within_reach(&s, reach), at = rvVec(0.5 * apart, across.y, across.z);
        rvBodyId load = add_load(&s, mass, at, -0.5 * length);
        const rvPlaceDef places[3] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0)),
                                      rvAttachPlace(RV_NULL_BODY, rvVec(apart, 0, 0))};
        add_rope(&s, places, 3, mass, length);
    }
    return s;
}

// A rope between these places, of this stiffness [N] and mass [kg/m], this much longer than its span.
static void add_hook_rope(rvSlackRope* s, rvCableModel model, const rvPlaceDef* places, double length, double stiffness,
                          double mass, double damping)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = 2;
    def.length = length;
    def.diameter = 0.02;
    def.axialStiffness = stiffness;
    def.massPerLength = mass;
    def.damping = damping;
    s->failed = rvCreateCable(s->world, &def, NULL) != RV_OK || s->failed;
}

static rvBodyId add_box(rvSlackRope* s, double mass, rvVec3 sides, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    rvBodyId id = RV_NULL_BODY;
    def.mass = mass;
    def.inertia = rvBoxInertia(mass, sides);
    def.pose.p = at;
    s->failed = rvCreateBody(s->world, &def, &id) != RV_OK || s->failed;
    return id;
}

rvSlackRope rv_slack_hook(uint64_t number, rvCableModel model)
{
    static const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0}, dampings[] = {0.0, 1e-3, 1e-2};
    static const double LOAD = 2000.0, ROPE = 9.8, SLING = 4.3;
    rvSlackRope s = {.seed = number * 0xD1342543DE82EF95u, .kind = "a hook"};
    rvWorldDef def = rvDefaultWorldDef();
    s.failed = rvCreateWorld(&def, &s.world, NULL, 0) != RV_OK;
    if (s.failed)
        return s;
    double mass = rv_draw_by_decades(&s.seed, 0.1, 100.0), slack = rv_draw_by_decades(&s.seed, 1e-3, 0.1),
           stiffness = rv_draw_by_decades(&s.seed, 1e5, 1e8);
    s.h = steps[(int)(3.0 * rv_draw(&s.seed))];
    double damping = dampings[(int)(3.0 * rv_draw(&s.seed))], aside = 0.5 * rv_draw(&s.seed);
    rvBodyId hook = add_box(&s, mass, rvVec(0.3, 0.3, 0.4), rvVec(0, 0, 0));
    rvBodyId load = add_box(&s, LOAD, rvVec(4, 2, 1), rvVec(0, 0, -SLING - 0.7));
    const rvPlaceDef hoist[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(aside, 0, ROPE + 0.2)),
                                 rvAttachPlace(hook, rvVec(0, 0, 0.2))};
    const rvPlaceDef sling[2] = {rvAttachPlace(hook, rvVec(0, 0, -0.2)), rvAttachPlace(load, rvVec(0, 0, 0.5))};
    double length = (1.0 + slack) * sqrt(aside * aside + ROPE * ROPE);
    add_hook_rope(&s, model, hoist, length, stiffness, 2.0, damping);
    add_hook_rope(&s, model, sling, SLING, stiffness, 2.0, damping);
    // what the load falls: the slack, twice its stretch, and at least a hundredth of its ropes
    double weight = LOAD * GRAVITY, stretch = weight * (ROPE + SLING) / stiffness;
    s.scale = weight * (length - ROPE + 2.0 * stretch + 0.01 * (ROPE + SLING));
    return s;
}

rvGrowth rv_slack_rope_run(rvSlackRope* rope, rvRandomRun run)
{
    double start = 0.0;
    rvGrowth most = {0};
    rvGrowthWindow window = {0};
    for (int i = 0; i < rv_random_steps(&run, rope->h); ++i) {
        if (rope->failed || rvWorld_Step(rope->world, rope->h) != RV_OK)
            return rv_growth_failed(i * rope->h);
        rv_random_watch(&run, rope->world);
        rvEnergy e = rvWorld_GetEnergy(rope->world);
        double energy = e.kinetic + e.potential + e.elastic;
        start = i == 0 ? energy : start;
        double grown = (energy - start) / rope->scale;
        most.sustained = fmax(most.sustained, rv_growth_sustained(&window, grown));
        if (grown > most.grown) {
            most.grown = grown;
            most.when = i * rope->h;
        }
    }
    return most;
}
