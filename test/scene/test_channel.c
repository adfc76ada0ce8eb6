// SPDX-License-Identifier: MIT
// Commands and outputs.
#include "scene_text.h"

static void run_until(rvScene* scene, rvWorld* world, double until)
{
    double h = rvScene_GetStep(scene);
    int steps = (int)(until / h + 0.5);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, i * h, h), RV_OK);
        assert_int_equal(rvWorld_Step(world, h), RV_OK);
    }
}

static double value_of(const rvScene* scene, const rvWorld* world, const char* name)
{
    double values[64];
    int count = rvScene_Evaluate(scene, world, values, 64);
    for (int i = 0; i < count && i < 64; ++i)
        if (strcmp(rvScene_GetOutputName(scene, i), name) == 0)
            return values[i];
    fail_msg("no output %s", name);
    return 0.0;
}

static void PrescribedBodiesFollowTheirTable(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nbodies:\n  m: {type: kinematic}\n"
                               "commands:\n  m.position: [[0, [1, 0, 0]], [1, [3, 0, 0]]]\n"
                               "  m.orientation: [[0, [1, 0, 0, 0]], [2, {axis: [0, 0, 1], angle: 1}]]\n"
                               "outputs: [m.position, m.orientation, m.velocity.x, m.angular_velocity.z]\n");
    rvWorld* world = build_good(scene);
    CHECK_NEAR(value_of(scene, world, "m.position.x"), 1.0, 0.0); // starts on its table
    run_until(scene, world, 0.5);
    CHECK_NEAR(value_of(scene, world, "m.position.x"), 2.0, 1e-9);           // rounding over 50 steps
    CHECK_NEAR(value_of(scene, world, "m.velocity.x"), 2.0, 1e-9);           // differences of positions
    CHECK_NEAR(value_of(scene, world, "m.angular_velocity.z"), 0.5, 1e-9);   // differences of angles
    CHECK_NEAR(value_of(scene, world, "m.orientation.z"), sin(0.125), 1e-9); // a quarter of a radian
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void ForcesPush(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nworld: {gravity: [0, 0, 0]}\nbodies:\n  m: {mass: 2, inertia: [1, 1, 1]}\n"
                               "commands:\n  m.force: [[0, [0, 0, 0]], [1, [4, 0, 0]]]\n  m.torque: [0, 0, 3]\n"
                               "outputs: [m.velocity, m.angular_velocity]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 1.0);
    CHECK_NEAR(value_of(scene, world, "m.velocity.x"), 1.0, 1e-12); // the impulse of the ramp is 2 N s; rounding
    CHECK_NEAR(value_of(scene, world, "m.angular_velocity.z"), 3.0, 1e-12); // rounding
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void MotorsTurnAndSlide(void** state)
{
    (void)state;
    rvScene* scene = load_good(
        "reeve: 1\nworld: {gravity: [0, 0, 0]}\nbodies:\n  arm: {mass: 2}\n  car: {mass: 1, position: [0, 5, 0]}\n"
        "joints:\n  h: {type: hinge, b: arm, point: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  s: {type: slider, b: car, point: [0, 5, 0], axis: [1, 0, 0]}\n"
        "commands:\n  h.angular_speed: [[0, 0], [0.5, 20 deg/s]]\n  s.position: [[0, 0], [1, 2]]\n"
        "outputs: [h.angle, h.angular_speed, s.position, s.speed]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 1.0);
    double full = 20.0 * 3.14159265358979 / 180.0;
    CHECK_NEAR(value_of(scene, world, "h.angular_speed"), full, 1e-6); // a motor without limit keeps its speed
    CHECK_NEAR(value_of(scene, world, "h.angle"), 0.75 * full, 2e-3);  // the ramp's mean; the start-up of one step
    CHECK_NEAR(value_of(scene, world, "s.position"), 2.0, 0.1);        // follows with a lag of a few steps of 20 mm
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void WinchesTakeInTheArea(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nbodies:\n  m: {mass: 100, position: [0, 0, -10]}\ncables:\n  c:\n    EA: 10 MN\n"
                  "    route: [{winch: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]\n"
                  "commands:\n  c.winch_speed: [[0, 0], [0.335, -1]]\n"
                  "outputs: [c.rest_length, c.winch_speed, c.tension, \"c.tension[0]\", c.taut]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 1.0);
    // the table's area, also where a step is cut by its kink
    CHECK_NEAR(value_of(scene, world, "c.rest_length"), 10.0 - 0.335 / 2 - 0.665, 1e-9);          // rounding
    CHECK_NEAR(value_of(scene, world, "c.winch_speed"), -1.0, 1e-9);                              // rounding
    CHECK_NEAR(value_of(scene, world, "c.tension"), value_of(scene, world, "c.tension[0]"), 0.0); // one span
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void EventsBreakCables(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nbodies:\n  m: {mass: 100, position: [0, 0, -10]}\ncables:\n  c:\n"
                               "    route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]\n"
                               "events: [{at: 0.5, break: c}]\noutputs: [c.broken]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 0.49);
    CHECK_NEAR(value_of(scene, world, "c.broken"), 0.0, 0.0); // yes or no
    double h = rvScene_GetStep(scene);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, 0.49 + i * h, h), RV_OK);
        assert_int_equal(rvWorld_Step(world, h), RV_OK);
    }
    CHECK_NEAR(value_of(scene, world, "c.broken"), 1.0, 0.0); // yes or no
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void EventsHookCables(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nsettle: true\nbodies:\n  m: {mass: 100, position: [0, 0, -10]}\n"
                               "  n: {type: static, position: [1, 0, -5]}\ncables:\n  c:\n"
                               "    route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]\n"
                               "events: [{at: 0.5, hook: c, to: n, point: [0, 2, 0]}]\noutputs: [c.rest_length]\n");
    rvWorld* world = build_good(scene);
    rvBodyId load = rvScene_FindBody(scene, "m");
    run_until(scene, world, 0.5);
    CHECK_BELOW(rvLength(rvBody_GetVelocity(world, load)), 1e-8); // it begins at rest
    double h = rvScene_GetStep(scene);
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, 0.5 + i * h, h), RV_OK);
        assert_int_equal(rvWorld_Step(world, h), RV_OK);
    }
    CHECK_NEAR(rvBody_GetVelocity(world, load).z, -9.81 * 0.5, 1e-8); // and falls freely from 0.5 s on
    rvVec3 end = rvCable_GetPlacePoint(world, rvScene_FindCable(scene, "c"), 1);
    CHECK_NEAR(rvDistance(end, rvVec(1, 2, -5)), 0.0, 1e-12);         // round-off
    CHECK_NEAR(value_of(scene, world, "c.rest_length"), 10.0, 1e-12); // the rope is the same
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void EventsChangeModels(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nsettle: true\nbodies: {m: {mass: 100, position: [0, 0, -10]}}\ncables:\n  c:\n"
                  "    elements: 3\n"
                  "    route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]\n"
                  "events: [{at: 0.5, change: c, model: layered}, {at: 1.0, change: c, model: ancf}]\n");
    rvWorld* world = build_good(scene);
    rvCableId rope = rvScene_FindCable(scene, "c");
    rvCableDef def;
    double h = rvScene_GetStep(scene);
    for (int i = 0; i < 150; ++i) {
        assert_int_equal(rvScene_Apply(scene, world, i * h, h), RV_OK);
        rvCableModel now = rvCable_GetModel(world, rope);
        assert_int_equal(now, i * h < 0.495 ? RV_CABLE_MASSLESS : i * h < 0.995 ? RV_CABLE_LAYERED : RV_CABLE_ANCF);
        assert_int_equal(rvWorld_Step(world, h), RV_OK);
    }
    assert_int_equal(rvCable_GetDef(world, rope, &def), RV_OK);
    assert_int_equal(def.elements, 3); // with its own fields
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
    expect_refused("reeve: 1\nevents: [{at: 1, change: d, model: layered}]\n",
                   "t.yaml:2:26: events[0].change: there is no cable \"d\"");
}

// A load on a rope that runs level over the edge of a block; `fields` are those of the rope.
static void expect_contacts(const char* fields, double contacts)
{
    char text[1000];
    snprintf(text, sizeof text,
             "reeve: 1\nbodies:\n  block: {type: static, shapes: [{type: box, sides: [2, 2, 2], group: 2}]}\n"
             "  m: {mass: 100, position: [2, 0, 1]}\n"
             "cables:\n  c:\n    EA: 10 MN\n    damping: 0.1\n%s"
             "    route: [{attach: world, point: [-2, 0, 1.5]}, {attach: m, point: [0, 0, 0]}]\n"
             "outputs: [c.contacts]\n",
             fields);
    rvScene* scene = load_good(text);
    rvWorld* world = build_good(scene);
    run_until(scene, world, 0.5);
    CHECK_NEAR(value_of(scene, world, "c.contacts"), contacts, 0.0); // a count
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void CablesMeetShapesWhereTheirFieldsSaySo(void** state)
{
    (void)state;
    expect_contacts("", 0.0);
    expect_contacts("    collides: true\n    friction: 0.1\n    max_contacts: 4\n", 1.0);
    expect_contacts("    collides: true\n    mask: 4\n", 0.0);
    expect_contacts("    collides: true\n    group: 0\n", 0.0);
    expect_refused("reeve: 1\ncables:\n  c:\n    max_contacts: 0\n"
                   "    route: [{attach: world, point: [0, 0, 0]}, {attach: world, point: [1, 0, 0]}]\n",
                   "t.yaml:4:19: cables.c.max_contacts: is 0, expected a number of 1 to 1000");
}

static void ThereIsASensibleSetOfOutputs(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nground: 0\nbodies:\n  m: {mass: 100, position: [0, 0, -10]}\n"
                               "joints:\n  h: {type: hinge, b: m, point: [0, 0, 0], axis: [0, 0, 1]}\ncables:\n  c:\n"
                               "    route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]\n");
    static const char* const names[] = {"m.position.x",   "m.position.y",  "m.position.z",   "h.angle",
                                        "c.tension",      "c.rest_length", "energy.kinetic", "energy.potential",
                                        "energy.elastic", "energy.work"};
    static const char* const units[] = {"m", "m", "m", "rad", "N", "m", "J", "J", "J", "J"};
    assert_int_equal(rvScene_GetOutputCount(scene), 10);
    for (int i = 0; i < 10; ++i) {
        assert_string_equal(rvScene_GetOutputName(scene, i), names[i]);
        assert_string_equal(rvScene_GetOutputUnit(scene, i), units[i]);
    }
    rvScene_Destroy(scene);
}

static void UnknownChannelsAreRefused(void** state)
{
    (void)state;
    const char* bodies = "reeve: 1\nbodies:\n  m: {mass: 1}\n  k: {type: kinematic}\n"
                         "joints:\n  h: {type: hinge, b: m, point: [0, 0, 0], axis: [0, 0, 1]}\n";
    static const char* const cases[][2] = {
        {"outputs: [m.positon.z]\n",
         "t.yaml:7:11: outputs[0]: is \"m.positon.z\": \"positon\" cannot be written out here, did "
         "you mean \"position\"?"},
        {"outputs: [m]\n", "t.yaml:7:11: outputs[0]: is \"m\": names no quantity, expected one after a dot, such as "
                           "\".position\""},
        {"outputs: [n.position]\n", "t.yaml:7:11: outputs[0]: is \"n.position\": there is nothing called \"n\""},
        {"outputs: [m.position.w]\n", "t.yaml:7:11: outputs[0]: is \"m.position.w\": \"position\" has no part \".w\""},
        {"outputs: [h.position]\n",
         "t.yaml:7:11: outputs[0]: is \"h.position\": this type of joint has no \"position\""},
        {"commands:\n  m.position: [0, 0, 0]\n", "t.yaml:8:3: commands.m.position: only a kinematic body can be moved"},
        {"commands:\n  k.position.x: 1\n", "t.yaml:8:3: commands.k.position.x: \"position\" is driven as a whole, by 3 "
                                           "numbers: [[time, [...]], ...]"},
        {"commands:\n  k.force: [0, 0, 0]\n", "t.yaml:8:3: commands.k.force: only a dynamic body can be pushed"},
        {"commands:\n  h.angle: 3 m\n", "t.yaml:8:12: commands.h.angle: is \"3 m\", a wrong unit: expected rad"},
        {"commands:\n  h.angle: [[1, 0], [0, 1]]\n",
         "t.yaml:8:21: commands.h.angle[1]: its time is before that of the row above"},
        {"outputs: [m.position@2]\n",
         "t.yaml:7:11: outputs[0]: is \"m.position@2\": \"position\" takes no length along the cable"},
        {"cables: {c: {length: 2, route: [{attach: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "outputs: [c.tension@2.5]\n",
         "t.yaml:8:11: outputs[0]: is \"c.tension@2.5\": expected a length along the cable after the @ [m], >= 0, "
         "at most its 2 m"},
        {"cables: {c: {length: 2, route: [{attach: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "outputs: [c.tension@0x1]\n",
         "t.yaml:8:11: outputs[0]: is \"c.tension@0x1\": expected a length along the cable after the @ [m], >= 0, at "
         "most its 2 m"},
        {"cables: {c: {length: 2, route: [{attach: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "outputs: [c.held@1]\n",
         "t.yaml:8:11: outputs[0]: is \"c.held@1\": \"held\" takes no length along the cable"},
        {"cables: {c: {length: 2, route: [{attach: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "commands:\n  c.held: 0\n",
         "t.yaml:9:3: commands.c.held: places of model massless always hold, only those of model curve let go"},
        {"cables: {c: {route: [{attach: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "outputs: [c.point]\n",
         "t.yaml:8:11: outputs[0]: is \"c.point\": needs a length along the cable, such as \"point@0.5\" [m]"},
        {"commands:\n  m.velocity.x: 1\n",
         "t.yaml:8:3: commands.m.velocity.x: \"velocity\" cannot be driven here, expected one of "
         "position, orientation, force, torque"},
        {"cables: {c: {route: [{winch: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "commands:\n  c.winch_speed: [0, 3]\n",
         "t.yaml:9:18: commands.c.winch_speed: is a list of numbers, expected a number in m/s or rows [[time, value], "
         "...]"},
        {"cables: {c: {route: [{winch: k, point: [0, 0, 0]}, {attach: m, point: [0, 0, -1]}]}}\n"
         "commands:\n  c.winch_speed: []\n",
         "t.yaml:9:18: commands.c.winch_speed: is an empty list, expected a number in m/s or rows [[time, value], "
         "...]"},
        {"commands:\n  energy.kinetic: 3\n",
         "t.yaml:8:3: commands.energy.kinetic: \"energy.kinetic\" cannot be driven here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", bodies, cases[i][0]);
        expect_refused(text, cases[i][1]);
    }
}

// A cable whose length is not said gets that of its route, in the world.
static void LengthBeyondTheCableIsRefusedWhereItIsKnown(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nbodies: {m: {mass: 1, position: [0, 0, -2]}}\n"
                  "cables: {c: {route: [{attach: world, point: [0, 0, 0]}, {attach: m, point: [0, 0, 0]}]}}\n"
                  "outputs: [c.tension@1, c.tension@2.5]\n");
    char error[500];
    rvWorld* world;
    assert_int_equal(rvScene_CreateWorld(scene, NULL, &world, error, sizeof error), RV_BAD_INPUT);
    assert_null(world);
    assert_non_null(strstr(error, "t.yaml:4:24: outputs[1]: is \"c.tension@2.5\": expected a length along the cable "
                                  "after the @ [m], >= 0, at most its 2 m"));
    rvScene_Destroy(scene);
}

// A straight wire that begins twisted by a turn over 2 m: torsion pi, torque GJ pi.
static void CurvesTellTheirTwist(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nworld: {gravity: [0, 0, 0]}\ncables:\n"
                  "  wire: {model: curve, length: 2, elements: 10, bending_stiffness: 1, GJ: 0.5, diameter: 0.004,\n"
                  "         mass_per_length: 0.1, twist: -6.283185307179586,\n"
                  "         route: [{attach: world, point: [0, 0, 0], clamped: true, direction: [1, 0, 0]},\n"
                  "                 {attach: world, point: [2, 0, 0], clamped: true, direction: [1, 0, 0]}]}\n"
                  "outputs: [wire.torsion, wire.twist_torque, wire.curvature]\n");
    rvWorld* world = build_good(scene);
    CHECK_NEAR(value_of(scene, world, "wire.torsion"), -3.141592653589793, 1e-8); // 1e-10 of the forces, by the search
    CHECK_NEAR(value_of(scene, world, "wire.twist_torque"), -0.5 * 3.141592653589793, 1e-8);
    CHECK_NEAR(value_of(scene, world, "wire.curvature"), 0.0, 1e-8);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

// A level wire out of a clamp, at lengths along it: shear w (L - s), moment w (L - s)^2/2, about -y: down.
static void CablesTellWhatTheyCarryAlong(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\ncables:\n"
                  "  wire: {model: curve, length: 2, elements: 10, bending_stiffness: 1000, mass_per_length: 0.1,\n"
                  "         route: [{attach: world, point: [0, 0, 0], clamped: true, direction: [1, 0, 0]},\n"
                  "                 {free: world, point: [2, 0, 0]}]}\n"
                  "outputs: [wire.moment@0, wire.shear@0.5, wire.inner_force@1, wire.couple@1.5.y, wire.point@2.x,\n"
                  "          wire.tension@2, wire.strain@1, wire.shear]\n");
    rvWorld* world = build_good(scene);
    double w = 0.1 * 9.81, close = 1e-4 * w; // slopes are below w L^3/(6 EI) = 0.0013: their square
    CHECK_NEAR(fabs(value_of(scene, world, "wire.moment@0")), 2.0 * w, close);
    CHECK_NEAR(value_of(scene, world, "wire.shear@0.5"), 1.5 * w, close);
    CHECK_NEAR(value_of(scene, world, "wire.shear"), 2.0 * w, close);
    CHECK_NEAR(value_of(scene, world, "wire.inner_force@1.z"), -w, close);
    CHECK_NEAR(value_of(scene, world, "wire.couple@1.5.y"), 0.125 * w, close);
    CHECK_NEAR(value_of(scene, world, "wire.point@2.x"), 2.0, 1e-4);
    CHECK_NEAR(value_of(scene, world, "wire.tension@2"), 0.0, close);
    CHECK_NEAR(value_of(scene, world, "wire.strain@1"), 0.0, 0.0);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

// A wire over a peg of the world between its ends lets go of it on command, and hangs lower.
// A load at rest on a rope over a sheave, that a rail keeps from turning half a turn back: pull, tangents and energies
// by hand.
static void CablesTellTangentsPullsAndEnergies(void** state)
{
    (void)state;
    rvScene* scene = load_good(
        "reeve: 1\nsettle: true\nstep: 5 ms\n"
        "bodies:\n  m: {mass: 100, position: [0.5, 0, -4]}\n"
        "joints:\n  rail: {type: slider, a: world, b: m, point: [0.5, 0, -4], axis: [0, 0, 1]}\n"
        "cables:\n  r: {EA: 1e5, GJ: 20, twist: 180 deg, route: [{winch: world, point: [-0.5, 0, -4], brake: true},\n"
        "      {sheave: world, point: [0, 0, 0], radius: 0.5}, {attach: m, point: [0, 0, 0]}]}\n"
        "outputs: [\"r.tangent_in[1]\", \"r.tangent_out[1]\", \"r.force[2]\", \"r.torque[2].z\", r.force.z,\n"
        "  r.stretch_energy, r.twist_energy, r.heat, r.winch_heat, energy.elastic, m.reaction.z, r.rest_length]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 0.01);
    double weight = 100.0 * 9.81, rest = value_of(scene, world, "r.rest_length");
    CHECK_NEAR(value_of(scene, world, "r.tangent_in[1].x"), -0.5, 1e-9); // falls hang plumb: rounding of settling
    CHECK_NEAR(value_of(scene, world, "r.tangent_out[1].x"), 0.5, 1e-9);
    CHECK_NEAR(value_of(scene, world, "r.tangent_out[1].z"), 0.0, 1e-9);
    CHECK_NEAR(value_of(scene, world, "r.force[2].z"), weight, 1e-6 * weight); // settle's tolerance is 1e-9 of the load
    CHECK_NEAR(value_of(scene, world, "r.force[2].z"), value_of(scene, world, "m.reaction.z"), 1e-9 * weight);
    CHECK_NEAR(value_of(scene, world, "r.force.z"), 0.0, 0.0); // on the world
    double torque = 20.0 * 3.14159265358979 / rest;
    CHECK_NEAR(fabs(value_of(scene, world, "r.torque[2].z")), torque, 1e-9 * torque);
    double stretch = value_of(scene, world, "r.stretch_energy"), twist = value_of(scene, world, "r.twist_energy");
    CHECK_NEAR(stretch, 0.5 * weight * weight * rest / 1e5, 1e-6 * stretch);
    CHECK_NEAR(twist, 0.5 * torque * 3.14159265358979, 1e-6 * twist);
    CHECK_NEAR(value_of(scene, world, "energy.elastic"), stretch + twist, 1e-12 * stretch);
    CHECK_NEAR(value_of(scene, world, "r.heat"), 0.0, 1e-6);
    CHECK_NEAR(value_of(scene, world, "r.winch_heat"), 0.0, 0.0); // the brake holds
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static void PlacesLetGoOnCommand(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nstep: 0.01\ncables:\n"
                  "  wire: {model: curve, length: 2.2, elements: 10, bending_stiffness: 0.1, mass_per_length: 0.1,\n"
                  "         plane: [0, 1, 0], route: [{attach: world, point: [0, 0, 0]},\n"
                  "         {attach: world, point: [1, 0, 0]}, {attach: world, point: [2, 0, 0]}]}\n"
                  "commands: {\"wire.held[1]\": [[0, 1], [0.2, 1], [0.2, 0]], wire.held: 1}\n"
                  "outputs: [\"wire.held[1]\", \"wire.held\", wire.point@1.1]\n");
    rvWorld* world = build_good(scene);
    run_until(scene, world, 0.2);
    CHECK_NEAR(value_of(scene, world, "wire.held[1]"), 1.0, 0.0);
    CHECK_NEAR(value_of(scene, world, "wire.point@1.1.z"), 0.0, 1e-6);
    run_until(scene, world, 0.5);
    CHECK_NEAR(value_of(scene, world, "wire.held[1]"), 0.0, 0.0);
    CHECK_NEAR(value_of(scene, world, "wire.held"), 1.0, 0.0);
    assert_true(value_of(scene, world, "wire.point@1.1.z") < -0.05);
    assert_int_equal(rvCable_Break(world, rvScene_GetCable(scene, 0)), RV_OK); // commands for it stop nothing
    run_until(scene, world, 0.6);
    CHECK_NEAR(value_of(scene, world, "wire.held"), 0.0, 0.0);
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

static int count_missed(const rvWorld* world, int place)
{
    rvEvent events[16];
    int count = rvWorld_GetEvents(world, events, 16), missed = 0;
    for (int i = 0; i < count && i < 16; ++i)
        missed += events[i].type == RV_EVENT_MISSED && events[i].place == place;
    return missed;
}

// A hand takes hold between places of the route: these keep their numbers in commands and outputs. A hook that is too
// far away and a hand that lets go of what it does not hold are told, and the run goes on.
static void GraspsKeepTheNumbersOfTheRoute(void** state)
{
    (void)state;
    rvScene* scene = load_good(
        "reeve: 1\nstep: 0.01\n"
        "bodies: {hand: {type: kinematic, position: [0.5, 0, 0]}, far: {type: kinematic, position: [3, 0, 1]}}\n"
        "cables:\n"
        "  wire: {model: curve, length: 2.2, elements: 20, bending_stiffness: 0.1, mass_per_length: 0.1,\n"
        "         damping: 0.01, plane: [0, 1, 0], route: [{attach: world, point: [0, 0, 0]},\n"
        "         {attach: world, point: [1, 0, 0]}, {attach: world, point: [2, 0, 0]}]}\n"
        "events:\n"
        "- {at: 0.05, grasp: wire, along: 0.5, to: hand}\n"
        "- {at: 0.2, let_go: wire, to: hand}\n"
        "- {at: 0.25, hook: wire, to: far}\n"
        "- {at: 0.3, let_go: wire, to: far}\n"
        "commands: {\"wire.held[1]\": [[0, 1], [0.1, 1], [0.1, 0]], \"wire.held[2]\": 1}\n"
        "outputs: [\"wire.held[1]\", \"wire.held[2]\", \"wire.tension[1]\", \"wire.length[0]\"]\n");
    rvWorld* world = build_good(scene);
    rvCableId wire = rvScene_GetCable(scene, 0);
    run_until(scene, world, 0.15); // places of the cable: the route's first, the hand's, the route's second and third
    assert_int_equal(rvCable_GetPlaceCount(world, wire), 4);
    assert_true(rvCable_IsHeld(world, wire, 1));
    assert_false(rvCable_IsHeld(world, wire, 2));
    CHECK_NEAR(value_of(scene, world, "wire.held[1]"), 0.0, 0.0);
    CHECK_NEAR(value_of(scene, world, "wire.held[2]"), 1.0, 0.0);
    CHECK_NEAR(value_of(scene, world, "wire.tension[1]"), rvCable_GetTension(world, wire, 2), 0.0);
    int hooked = 0, freed = 0;
    for (double t = 0.15; t < 0.4; t += 0.01) {
        run_until(scene, world, t + 0.01);
        hooked += count_missed(world, 2);
        freed += count_missed(world, -1);
    }
    assert_int_equal(rvCable_GetPlaceCount(world, wire), 3);
    assert_int_equal(hooked, 1);
    assert_int_equal(freed, 1);
    assert_true(rvCable_IsHeld(world, wire, 2)); // what held it before
    rvDestroyWorld(world);
    rvScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PrescribedBodiesFollowTheirTable),
        cmocka_unit_test(LengthBeyondTheCableIsRefusedWhereItIsKnown),
        cmocka_unit_test(CurvesTellTheirTwist),
        cmocka_unit_test(CablesTellWhatTheyCarryAlong),
        cmocka_unit_test(CablesTellTangentsPullsAndEnergies),
        cmocka_unit_test(PlacesLetGoOnCommand),
        cmocka_unit_test(GraspsKeepTheNumbersOfTheRoute),
        cmocka_unit_test(ForcesPush),
        cmocka_unit_test(MotorsTurnAndSlide),
        cmocka_unit_test(WinchesTakeInTheArea),
        cmocka_unit_test(EventsBreakCables),
        cmocka_unit_test(EventsHookCables),
        cmocka_unit_test(EventsChangeModels),
        cmocka_unit_test(CablesMeetShapesWhereTheirFieldsSaySo),
        cmocka_unit_test(ThereIsASensibleSetOfOutputs),
        cmocka_unit_test(UnknownChannelsAreRefused),
    };
    return RUN_TESTS(tests);
}
