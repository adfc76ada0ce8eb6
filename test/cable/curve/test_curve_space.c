// SPDX-License-Identifier: MIT
#include "world/machines.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// A wire that is in space because its torsional stiffness counts.
static rvCableDef wire_def(const rvPlaceDef* places, int count, double length, double bending, double twisting)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = count;
    def.length = length;
    def.bendingStiffness = bending;
    def.torsionalStiffness = twisting;
    def.massPerLength = 0.01;
    def.diameter = 4e-3;
    def.elements = 12;
    return def;
}

// Level out of a clamp, its outer half f times as stiff and twice as heavy. The moment is that of the load beyond,
// q (1 - s)^2 in the outer half, q ((1 - s)^2 - (1/2 - s)^2/2) in the inner one; the tip's angle is the integral of
// M/EI.
static void StiffnessAndMassVaryAlongIt(void** state)
{
    (void)state;
    const double rigidity = 2.0, f = 0.25, mass = 1e-3, q = mass * GRAVITY;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(1, 0, 0))};
    const rvCableProfile profile[] = {{.at = 0.5, .bending = 1.0, .mass = 1.0}, {.at = 0.5, .bending = f, .mass = 2.0}};
    rvCableDef def = wire_def(places, 2, 1.0, rigidity, 1.5);
    def.massPerLength = mass;
    def.elements = 20;
    def.profile = profile;
    def.profileCount = 2;
    rvCableId id = create_cable(world, &def);
    rvVec3 points[128];
    rvCableSection sections[128];
    int count = rvCable_GetShape(world, id, points, 128);
    assert_int_equal(rvCable_GetSections(world, id, sections, 128), count);
    rvVec3 last = rvSub(points[count - 1], points[count - 2]);
    double inner = q / (6.0 * rigidity) * (2.0 * 0.875 - 0.125), outer = 2.0 * q / (6.0 * rigidity * f) * 0.125;
    // as in the plane: the last quarter of an interval is bent by less than 1e-4 of the tip's angle
    CHECK_NEAR(-last.z / last.x, inner + outer, 1e-4 * (inner + outer));
    // off by what the chords of arcs leave of the lever arms: (h curvature)^2
    CHECK_NEAR(mean_moment(sections) / sections[2].curvature, rigidity, 1e-6 * rigidity);
    CHECK_NEAR(mean_moment(sections + 52) / sections[54].curvature, f * rigidity, 1e-6 * f * rigidity);
    double s = 0.025, there = 0.5 * q * (2.0 * (1.0 - s) * (1.0 - s) - (0.5 - s) * (0.5 - s));
    CHECK_NEAR(sections[2].moment, there, 1e-4 * there);
    rvDestroyWorld(world);
}

// Without load each interval has the natural curvature of its middle, and no moment.
static void NaturalCurvatureVariesAlongIt(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
    const rvCableProfile profile[] = {{.at = 0.0, .bending = 1.0, .mass = 1.0},
                                      {.at = 2.0, .bending = 1.0, .mass = 1.0, .curvature = 1.0}};
    rvCableDef def = wire_def(places, 2, 2.0, 1.0, 0.8);
    def.elements = 10;
    def.curvature = 0.5;
    def.bulge = rvVec(0, 0, 1);
    def.profile = profile;
    def.profileCount = 2;
    rvCableId id = create_cable(world, &def);
    rvCableSection sections[128];
    int count = rvCable_GetSections(world, id, sections, 128);
    assert_int_equal(count, 41);
    for (int i = 0; i < count - 1; ++i) {
        CHECK_NEAR(sections[i].curvature, 0.5 + 0.5 * (0.2 * (i / 4) + 0.1),
                   1e-8); // 1e-10 of the forces, ten intervals
        CHECK_NEAR(sections[i].moment, 0.0, 1e-8);
    }
    rvDestroyWorld(world);
}

// Without load a wire of constant curvature k and torsion t is a helix of radius k/(k^2 + t^2) and pitch 2 pi t/(k^2 +
// t^2); it carries nothing.
static void NaturalTorsionMakesAHelix(void** state)
{
    (void)state;
    const double k = 4.0, t = 1.5, w = hypot(k, t);
    rvWorld* world = make_weightless_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
    rvCableDef def = wire_def(places, 2, 2.0, 1.0, 0.0); // in space because of its torsion
    def.curvature = k;
    def.torsion = t;
    def.elements = 20;
    rvCableId id = create_cable(world, &def);
    rvVec3 points[128];
    rvCableSection sections[128];
    int count = rvCable_GetShape(world, id, points, 128);
    assert_int_equal(rvCable_GetSections(world, id, sections, 128), count);
    // of two points a length s apart: d^2 = (2 r sin(w s/2))^2 + (t s/w)^2, w s the turn
    double r = k / (w * w), s = 2.0 / (count - 1);
    for (int i = 0; i < count; i += 4) { // nodes: between them the shape is a polynomial
        double along = t * i * s / w, across = 2.0 * r * sin(0.5 * w * i * s);
        // 1e-10 of the forces, over its length; Gauss' rule leaves (w/10)^8
        CHECK_NEAR(rvDistance(points[i], points[0]), hypot(along, across), 1e-8);
        CHECK_NEAR(sections[i].curvature, k, 1e-8);
        CHECK_NEAR(sections[i].torsion, t, 1e-8);
        CHECK_NEAR(sections[i].torque, 0.0, 1e-8);
    }
    // it winds to the right, as a screw does: (a x b) . c > 0 of three chords
    assert_true(rvDot(rvCross(points[10], points[20]), points[30]) > 0.0);
    rvDestroyWorld(world);
    world = make_weightless_world();
    def.plane = rvVec(0, 1, 0);
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "torsion: a curve in a plane does not twist"));
    rvDestroyWorld(world);
}

// A load of 1 kg on a wire of 1 m, sent round at 30 degrees: w^2 = g/(L cos 30), r = L/2. `def`: without places.
static rvBodyId add_pendulum(rvWorld* world, rvCableDef def, double* w, rvCableId* wire)
{
    double angle = PI / 6.0, r = sin(angle);
    *w = sqrt(9.81 / cos(angle));
    rvBodyId load = add_ball(world, 1.0, 0.02, rvVec(r, 0, -cos(angle)));
    CHECK_OK(world, rvBody_SetVelocity(world, load, rvVec(0, *w * r, 0), rvVec(0, 0, 0)));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    def.places = places;
    def.placeCount = 2;
    *wire = create_cable(world, &def);
    return load;
}

static void LoadGoesRoundAsAConicalPendulum(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvCableDef def = wire_def(NULL, 0, 1.0, 1e-6, 1e-6);
    def.massPerLength = 1e-4;
    rvCableId wire;
    double w, r = 0.5;
    rvBodyId load = add_pendulum(world, def, &w, &wire);
    double h = 1e-3, turn = h * (double)lround(2.0 * PI / (w * h));
    run_world(world, h, 0.1); // the first step, of implicit Euler, takes some energy
    double energy = total_energy(world);
    run_world(world, h, turn - 0.1);
    rvVec3 x = rvBody_GetPose(world, load).p;
    CHECK_NEAR(hypot(x.x, x.y), r, 1e-3 * r);                      // the wire's mass, 1e-4, and (w h)^2
    CHECK_NEAR(atan2(x.y, x.x), w * turn - 2.0 * PI, 2e-3);        // the same, over a turn
    CHECK_NEAR(total_energy(world), energy, 1e-6 * w * w * r * r); // what the passes leave of the length
    rvDestroyWorld(world);
}

// Places that lie in no plane: the wire hangs there at rest, and what holds it carries its weight.
static void WireBetweenPlacesOfNoPlaneHangsAtRest(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    rvBodyId wall = add_body(world, &fixed);
    rvPlaceDef places[] = {rvAttachPlace(wall, rvVec(0, 0, 0)), rvAttachPlace(wall, rvVec(0.4, 0.2, -0.1)),
                           clamp(wall, rvVec(0.6, -0.3, 0.1), rvVec(0, 0, 1))};
    rvCableDef def = wire_def(places, 3, 1.5, 1e-3, 0.0); // in space because of the places
    rvCableRest rest;
    assert_true(rvCable_GetRest(world, create_cable(world, &def), &rest) && rest.found && rest.stable);
    double before = total_energy(world);
    run_world(world, 1e-3, 0.5);
    CHECK_NEAR(total_energy(world), before, 1e-6 * 1.5 * 0.01 * 9.81); // of its weight: what Newton left
    CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, 0.0, 1e-8);
    rvDestroyWorld(world);
}

// A straight wire whose ends are clamped a turn apart: torsion angle/L, and what twists it is GJ angle/L.
static void WireBeginsTwisted(void** state)
{
    (void)state;
    const double twist = 2.0 * PI;
    rvWorld* world = make_weightless_world();
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                           clamp(RV_NULL_BODY, rvVec(2, 0, 0), rvVec(1, 0, 0))};
    rvCableDef def = wire_def(places, 2, 2.0, 1.0, 0.5); // buckles at 2 x 4.49 EI/L, here it is a third of that
    def.twist = twist;
    rvCableId id = create_cable(world, &def);
    run_world(world, 1e-3, 0.1);
    rvCableSection sections[64];
    int count = rvCable_GetSections(world, id, sections, 64);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(sections[i].torsion, 0.5 * twist, 1e-8); // 1e-10 of the forces
        CHECK_NEAR(sections[i].torque, 0.25 * twist, 1e-8);
        CHECK_NEAR(sections[i].curvature, 0.0, 1e-8);
    }
    CHECK_NEAR(rvCable_GetTwist(world, id), twist, 1e-8);
    CHECK_NEAR(rvCable_GetEnergy(world, id).twist, 0.5 * 0.25 * twist * twist, 1e-7); // GJ angle^2/(2 L)
    CHECK_NEAR(rvCable_GetEnergy(world, id).stretch, 0.0, 1e-7);
    places[1] = rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0));
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "twist: a curve keeps it between ends that are clamped"));
    rvDestroyWorld(world);
}

// A load on three light wires that lie in no plane settles: it hangs still from then on, and what the wires read at
// once carries it.
static void LoadSettlesBetweenWires(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 0.5, 0.02, rvVec(0.2, 0.1, -0.4));
    const rvVec3 hooks[] = {{0, 0, 0}, {1, 0.1, 0}, {0.3, 0.9, 0.2}};
    rvCableId wires[3];
    for (int i = 0; i < 3; ++i) {
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, hooks[i]), rvAttachPlace(load, rvVec(0, 0, 0))};
        rvCableDef def = wire_def(places, 2, 1.1, 1e-4, 1e-4);
        wires[i] = create_cable(world, &def);
    }
    rvSettleReport report;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    assert_true(report.settled);
    rvVec3 at = rvBody_GetPose(world, load).p;
    double lift = 0.0;
    for (int i = 0; i < 3; ++i)
        lift += rvCable_GetTension(world, wires[i], 0) * (hooks[i].z - at.z) / rvDistance(hooks[i], at);
    // the wires' own weight, 0.01 kg each: half of it hangs on the load's end, and they sag by a like share of 1 m
    CHECK_NEAR(lift, 0.515 * GRAVITY, 0.015 * GRAVITY);
    run_world(world, 1e-3, 0.2);
    // what settling leaves, 1e-9 of the load, moves it by that share of g t^2/2
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, load).p, at), 0.0, 1e-9 * 0.5 * GRAVITY * 0.04);
    rvDestroyWorld(world);
}

// A clamp that turns about the wire twists it: moment GJ angle/L on what turns it.
static void ClampThatTurnsTwistsTheWire(void** state)
{
    (void)state;
    rvWorld* world = make_weightless_world();
    rvBodyId hand = add_box(world, 1.0, rvVec(0.1, 0.1, 0.1), rvVec(1, 0, 0));
    rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                           clamp(hand, rvVec(0, 0, 0), rvVec(1, 0, 0))};
    rvCableDef def = wire_def(places, 2, 1.0, 0.5, 0.3);
    def.diameter = 0.02;
    create_cable(world, &def);
    double inertia = 1.0 / 600.0; // m s^2/6
    CHECK_OK(world, rvBody_SetVelocity(world, hand, rvVec(0, 0, 0), rvVec(1, 0, 0)));
    // it turns to and fro at sqrt(GJ/(L I)), and back through where it was after half a period; the wire's own inertia
    // of turning, rho d^2/8, adds a third of itself
    double w = sqrt(0.3 / (inertia + 0.01 * 0.02 * 0.02 / 24.0)), h = 1e-4, last = 0.0, t = 0.0;
    for (int i = 0; i < 10000; ++i) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double now = rvBody_GetAngularVelocity(world, hand).x;
        rvQuat q = rvBody_GetPose(world, hand).q;
        double angle = 2.0 * atan2(q.x, q.w);
        t += h;
        if (angle < 0.0 && last > 0.0) {
            t -= h * angle / (angle - last);
            CHECK_NEAR(now, -1.0, 2.0 * w * h); // energy comes back, but for the first step, of implicit Euler: w h
            break;
        }
        last = angle;
    }
    CHECK_NEAR(t * w / PI, 1.0, 1e-3); // (w h)^2 and the wire's own waves, (I wire/I)^2
    CHECK_NEAR(rvDistance(rvBody_GetPose(world, hand).p, rvVec(1, 0, 0)), 0.0, 1e-6); // nothing else moves
    rvDestroyWorld(world);
}

static rvWorld* make_tangle(rvBodyId* load, rvCableId* wire)
{
    rvWorld* world = make_world();
    rvBodyDef fixed = rvDefaultBodyDef();
    fixed.type = RV_BODY_STATIC;
    fixed.pose.p = rvVec(0.3, 0.02, -0.3);
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CAPSULE);
    shape.radius = 0.05;
    shape.length = 0.6;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0.2, 0), 0.5 * PI);
    add_shape(world, add_body(world, &fixed), &shape);
    *load = add_ball(world, 0.2, 0.03, rvVec(0.9, 0, 0));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(*load, rvVec(0, 0, 0))};
    rvCableDef def = wire_def(places, 2, 1.0, 1e-3, 1e-3);
    def.collides = def.touchesItself = true;
    def.elements = 20;
    *wire = create_cable(world, &def);
    return world;
}

// The wire falls on a bar and its load swings round it: it stays above the bar, energy is not made.
static void WireFallsOnABar(void** state)
{
    (void)state;
    rvBodyId load;
    rvCableId wire;
    rvWorld* world = make_tangle(&load, &wire);
    double before = total_energy(world);
    int contacts = 0;
    for (int i = 0; i < 800; ++i) {
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        CHECK_BELOW(total_energy(world), before + 0.02 * 0.2 * 9.81); // of the fall's energy: impacts at 1 ms
        contacts += rvCable_GetContactCount(world, wire) > 0;
    }
    assert_true(contacts > 100);
    rvDestroyWorld(world);
}

// A layered rope goes round with its load; a curve in its place goes on as it did. A sixth of a rope's mass times
// the load's speed squared is its energy: it would be missing if the curve began at rest.
static void CurveTakesOverTheMotionOfARope(void** state)
{
    (void)state;
    const double mass = 0.3;
    rvWorld* world = make_world();
    rvCableDef def = wire_def(NULL, 0, 1.0, 1e-4, 1e-4);
    def.model = RV_CABLE_LAYERED;
    def.massPerLength = mass;
    def.youngsModulus = 1e10;
    def.damping = 0.01;
    rvCableId id;
    double w, r = 0.5;
    rvBodyId load = add_pendulum(world, def, &w, &id);
    run_world(world, 1e-3, 0.5);
    double before = rvWorld_GetEnergy(world).kinetic;
    def.model = RV_CABLE_CURVE;
    CHECK_OK(world, rvCable_SetModel(world, id, &def));
    // the curve begins as it hangs at rest and not bent by its going round: by mass/load/8 of its length, twice that
    // share of its energy, which is mass/3 of the whole
    CHECK_NEAR(rvWorld_GetEnergy(world).kinetic, before, mass / 4.0 * mass / 3.0 * before);
    run_world(world, 1e-3, 0.2);
    rvVec3 v = rvBody_GetVelocity(world, load);
    CHECK_NEAR(rvLength(v), w * r, 0.05 * w * r); // it goes on; the rope's mass makes it swing by a twentieth
    rvDestroyWorld(world);
}

// Saved, gone on, restored and gone on again is the same, bit by bit.
static void RestoredWireGoesOnAsItDid(void** state)
{
    (void)state;
    rvBodyId load;
    rvCableId wire;
    rvWorld* world = make_tangle(&load, &wire);
    run_world(world, 1e-3, 0.4);
    size_t size = rvWorld_Save(world, NULL, 0);
    void* image = malloc(size);
    assert_non_null(image);
    assert_true(rvWorld_Save(world, image, size) == size);
    run_world(world, 1e-3, 0.2);
    uint64_t hash = rvWorld_Hash(world);
    CHECK_OK(world, rvWorld_Restore(world, image, size));
    run_world(world, 1e-3, 0.2);
    assert_true(rvWorld_Hash(world) == hash);
    free(image);
    rvDestroyWorld(world);
}

// Two kilograms on a wire that stretches by 4 %, aside: they swing and bounce, and the wire stays taut. In space or in
// the plane of the swing.
static rvWorld* make_bouncing(bool plane, rvBodyId* load, rvCableId* wire)
{
    rvWorld* world = make_world();
    *load = add_ball(world, 2.0, 0.05, rvVec(0.3, 0, -1));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(*load, rvVec(0, 0, 0))};
    rvCableDef def = wire_def(places, 2, 1.0, 1e-3, plane ? 0.0 : 1e-3);
    def.axialStiffness = 500.0;
    def.elements = 8;
    def.plane = plane ? rvVec(0, 1, 0) : rvVec(0, 0, 0);
    *wire = create_cable(world, &def);
    return world;
}

static void WireThatStretchesIsInSpaceAsInThePlane(void** state)
{
    (void)state;
    rvBodyId load[2];
    rvCableId wire[2];
    rvWorld* world[2];
    for (int k = 0; k < 2; ++k)
        world[k] = make_bouncing(k == 1, &load[k], &wire[k]);
    double books = energy_books(world[0]);
    for (int i = 0; i < 10; ++i) {
        rvCableSection section[2];
        for (int k = 0; k < 2; ++k) {
            run_world(world[k], 1e-3, 0.05);
            assert_true(rvCable_GetSection(world[k], wire[k], 0.4, &section[k]));
        }
        // the inertia of turning, 1e-8 of that of the wire, and what passes leave of a step
        CHECK_NEAR(rvDistance(rvBody_GetCenter(world[0], load[0]), rvBody_GetCenter(world[1], load[1])), 0.0, 1e-7);
        CHECK_NEAR(section[0].strain, section[1].strain, 1e-7);
        CHECK_NEAR(energy_books(world[0]), books, 1e-10); // round-off of 10 J, heat counted
    }
    for (int k = 0; k < 2; ++k)
        rvDestroyWorld(world[k]);
}

// It settles where its strain carries the load and what of it hangs below; then it bounces at sqrt(EA/(L (M + m L/3))).
static void LoadBouncesOnAWireThatStretches(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId load = add_ball(world, 1.0, 0.05, rvVec(0, 0, -1));
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef def = wire_def(places, 2, 1.0, 1e-3, 1e-3);
    const double stiffness = 1000.0, mass = 0.01, h = 1e-3;
    def.axialStiffness = stiffness;
    rvCableId wire = create_cable(world, &def);
    rvSettleDef settle = rvDefaultSettleDef();
    CHECK_OK(world, rvWorld_Settle(world, &settle, NULL));
    double sag = GRAVITY * (1.0 + 0.5 * mass) / stiffness;
    CHECK_NEAR(rvBody_GetCenter(world, load).z, -1.0 - sag, 1e-8); // of settling
    rvCableSection section;
    assert_true(rvCable_GetSection(world, wire, 0.25, &section));
    CHECK_NEAR(section.strain, GRAVITY * (1.0 + 0.75 * mass) / stiffness, 1e-8);
    rvBody_SetVelocity(world, load, rvVec(0, 0, 0.1), rvVec(0, 0, 0));
    double t = 0.0, first = -1.0, last = 0.0, before = 0.0;
    int crossings = 0;
    for (int i = 0; i < 2000; ++i, t += h) {
        CHECK_OK(world, rvWorld_Step(world, h));
        double z = rvBody_GetCenter(world, load).z + 1.0 + sag;
        if (i > 0 && before < 0.0 && z >= 0.0) {
            last = t + h * before / (before - z);
            first = first < 0.0 ? last : first;
            crossings += 1;
        }
        before = z;
    }
    double w = sqrt(stiffness / (1.0 + mass / 3.0));
    // wave in the wire: (m/M)^2/45; the step (h w)^2/12 and below
    CHECK_NEAR(2.0 * PI * (crossings - 1) / (last - first), w, 5e-4 * w);
    rvDestroyWorld(world);
}

// What it cannot be is told by its field.
// A wire that is bent between two hands is pressed by them: without its holds it is not stable, and its matrix is not
// positive. Its passes settle all the same, and what the hand feels is what it feels in short steps.
static void PressedWireSettlesInLongSteps(void** state)
{
    (void)state;
    static const double steps[2] = {2e-3, 0.028};
    rvVec3 force[2], torque;
    for (int k = 0; k < 2; ++k) {
        int most = 0;
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(0.4, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = wire_def(places, 2, 1.0, 0.04, 0.032);
        def.massPerLength = 2e-3;
        def.elements = 29;
        def.waveDamping = 2.0;
        create_cable(world, &def);
        for (int i = 0; i < lround(8.0 / steps[k]); ++i) {
            double time = fmin((i + 1) * steps[k], 1.0); // it comes nearer, to the side
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(0.4 + 0.05 * time, 0.2 * time, 0);
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, steps[k]));
            most = rvWorld_GetStepInfo(world).passes > most ? rvWorld_GetStepInfo(world).passes : most;
        }
        assert_in_range(most, 1, 8); // 16 where they do not settle
        rvBody_GetWrench(world, hand, &force[k], &torque);
        rvDestroyWorld(world);
    }
    CHECK_NEAR(rvDistance(force[0], force[1]), 0.0, 1e-3 * rvLength(force[0])); // the sway that is left after 8 s
}

// A wire is twisted by three turns and coils up on itself as its hand comes nearer. Strands that slide on each other
// without friction come to rest, as far apart as they are thick, and no hand lets go; in long steps, too, where inertia
// does not hold their normals.
static void CoilWithoutFrictionComesToRest(void** state)
{
    (void)state;
    static const double steps[] = {5e-3, 12e-3, 16e-3};
    for (int k = 0; k < 3; ++k) {
        rvWorld* world = make_weightless_world();
        rvBodyId hand = add_hand(world, rvVec(0.85, 0, 0));
        rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)),
                               clamp(hand, rvVec(0, 0, 0), rvVec(1, 0, 0))};
        rvCableDef def = wire_def(places, 2, 1.0, 2e-3, 1.5e-3);
        def.massPerLength = 0.02;
        def.elements = 40;
        def.damping = 0.01;
        def.waveDamping = 3.0;
        def.touchesItself = true;
        def.friction = 0.0;
        def.maxContacts = 64;
        def.bulge = rvVec(0, 0, -1);
        rvCableId id = create_cable(world, &def);
        for (int i = 0; i < lround(10.0 / steps[k]); ++i) {
            double time = (i + 1) * steps[k], turned = fmin(fmax((time - 0.5) / 2.4, 0.0), 1.0);
            rvPose pose = {.p = rvVec(0.85 - 0.14 * fmin(fmax(time - 3.0, 0.0), 2.5), 0, 0),
                           .q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 6.0 * PI * turned)};
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, steps[k]));
        }
        rvEnergy e = rvWorld_GetEnergy(world);
        CHECK_BELOW(e.kinetic, 1e-6 * e.elastic);      // that of a hundredth of a millimetre a second
        CHECK_NEAR(e.elastic, 0.1529, 0.005 * 0.1529); // at 1 ms; coils that lie otherwise differ by 0.3 %
        assert_true(rvCable_IsHeld(world, id, 0) && rvCable_IsHeld(world, id, 1));
        rvVec3 points[512];
        int count = rvCable_GetShape(world, id, points, 512);
        double least = HUGE_VAL;
        for (int i = 0; i < count; ++i)
            for (int j = i + 8; j < count; ++j)
                least = fmin(least, rvDistance(points[i], points[j]));
        CHECK_BELOW(0.9 * def.diameter, least); // rows give way by a thousandth of how the curve does
        rvDestroyWorld(world);
    }
}

// A hand sways it by a millimetre: where the second pass turns hardly anything there is no third one; where it sways by
// decimetres there is. What passes leave is no energy from nothing.
static void EvenMotionTakesTwoPasses(void** state)
{
    (void)state;
    static const double ways[2] = {1e-3, 0.2};
    double mean[2];
    for (int k = 0; k < 2; ++k) {
        rvWorld* world = make_world();
        rvBodyId hand = add_hand(world, rvVec(0.6, 0, 0));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
        rvCableDef def = wire_def(places, 2, 1.0, 1e-3, 8e-4);
        def.elements = 30;
        create_cable(world, &def);
        double h = 1e-3, begun = total_energy(world), scale = 0.0;
        long passes = 0;
        for (int i = 0; i < 500; ++i) {
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(0.6, ways[k] * sin(6.0 * (i + 1) * h), 0);
            CHECK_OK(world, rvBody_MoveTo(world, hand, pose));
            CHECK_OK(world, rvWorld_Step(world, h));
            passes += rvWorld_GetStepInfo(world).passes;
            scale = fmax(scale, rvWorld_GetEnergy(world).kinetic);
        }
        mean[k] = (double)passes / 500.0;
        rvEnergy e = rvWorld_GetEnergy(world);
        CHECK_BELOW(total_energy(world) - begun - e.work, 1e-3 * scale); // the guard allows five times that
        rvDestroyWorld(world);
    }
    CHECK_BELOW(mean[0], 2.05); // all but the first steps
    CHECK_BELOW(2.5, mean[1]);
}

static void BadDefinitionsAreRefused(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(1, 0, 0))};
    rvCableDef def = wire_def(places, 2, 1.2, 1e-3, 1e-3);
    rvCableId id;
    def.elements = 5000;
    assert_int_equal(rvCreateCable(world, &def, &id), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(world), "elements"));
    rvDestroyWorld(world);
}

// Slack and upright, at heights h where h (1/h) is 1 and where it is not: then a direction across the chord that is
// made of gravity is rounding alone.
static void UprightSlackCurvesBeginBesideTheirChord(void** state)
{
    (void)state;
    for (int k = 0; k < 100; ++k) {
        double height = 1.0 + 0.01 * k, off = 0.0;
        rvWorld* world = make_world();
        rvBodyId low = add_mass(world, RV_BODY_DYNAMIC, 200, 10, rvVec(0, 0, 0)),
                 high = add_mass(world, RV_BODY_DYNAMIC, 20, 1, rvVec(0, 0, height));
        rvPlaceDef places[] = {rvAttachPlace(low, rvVec(0, 0, 0)), rvAttachPlace(high, rvVec(0, 0, 0))};
        rvCableDef def = wire_def(places, 2, 1.2 * height, 100.0, 1.0);
        rvCableId id = create_cable(world, &def);
        rvVec3 points[128];
        int count = rvCable_GetShape(world, id, points, 128);
        for (int i = 0; i < count; ++i)
            off = fmax(off, hypot(points[i].x, points[i].y));
        assert_true(off > 0.2 * height); // an arc that is 1.2 times as long as its chord rises by 0.27 of it
        CHECK_OK(world, rvWorld_Step(world, 1e-3));
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(UprightSlackCurvesBeginBesideTheirChord),
        cmocka_unit_test(StiffnessAndMassVaryAlongIt),
        cmocka_unit_test(NaturalCurvatureVariesAlongIt),
        cmocka_unit_test(LoadGoesRoundAsAConicalPendulum),
        cmocka_unit_test(WireBetweenPlacesOfNoPlaneHangsAtRest),
        cmocka_unit_test(NaturalTorsionMakesAHelix),
        cmocka_unit_test(WireBeginsTwisted),
        cmocka_unit_test(LoadSettlesBetweenWires),
        cmocka_unit_test(ClampThatTurnsTwistsTheWire),
        cmocka_unit_test(WireFallsOnABar),
        cmocka_unit_test(CurveTakesOverTheMotionOfARope),
        cmocka_unit_test(RestoredWireGoesOnAsItDid),
        cmocka_unit_test(WireThatStretchesIsInSpaceAsInThePlane),
        cmocka_unit_test(LoadBouncesOnAWireThatStretches),
        cmocka_unit_test(PressedWireSettlesInLongSteps),
        cmocka_unit_test(CoilWithoutFrictionComesToRest),
        cmocka_unit_test(EvenMotionTakesTwoPasses),
        cmocka_unit_test(BadDefinitionsAreRefused),
    };
    return RUN_TESTS(tests);
}
