// SPDX-License-Identifier: MIT
// The tables of fields of cables, and of what belongs to one: places, profile, current. See fields.c.
#include "scene/field_table.h"

static const rvChoice PLACE_TYPES[] = {
    {"attach", "an end, held by a body or the world"},      {"eye", "slides through a point of a body or the world"},
    {"winch", "an end that takes in and pays out"},         {"free", "a loose end in the world: carries no tension"},
    {"sheave", "runs over a wheel on a body or the world"}, {0},
};

static const rvChoice WINCH_CONTROLS[] = {
    {"speed", "keeps `speed` of the rope"},
    {"drum", "keeps `drum_speed`"},
    {"length", "goes to `target_length` of rope out"},
    {"tension", "keeps `target_tension`, as far as `max_speed` allows"},
    {0},
};

#define WINCH BIT(RV_PLACE_WINCH)
#define SHEAVE BIT(RV_PLACE_SHEAVE)
#define EYE BIT(RV_PLACE_EYE)
#define ATTACH BIT(RV_PLACE_ATTACH)

// Models that make use of a field; one to come has all that is not of a single one.
#define LAYERED BIT(RV_CABLE_LAYERED)
#define CURVE BIT(RV_CABLE_CURVE)
#define ANCF BIT(RV_CABLE_ANCF)
#define WITH_MASS (~BIT(RV_CABLE_MASSLESS))
#define ELEMENTS (WITH_MASS & ~LAYERED)
#define IN_FLUID (WITH_MASS & ~CURVE)
#define ELEMENTS_IN_FLUID (WITH_MASS & ~LAYERED & ~CURVE)

static const rvField PLACE_FIELDS[] = {
    {"place", RV_FIELD_PLACE, "", AT(rvScenePlace, def.type), .choices = PLACE_TYPES, .needed = ALL_TYPES,
     .otherwise = "-", .help = "the body, or `world`"},
    {"point", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvScenePlace, def.point), .needed = ALL_TYPES, .otherwise = "-",
     .help = "in the body's frame"},
    {"friction", RV_FIELD_NUMBER, "", .range = FROM(0), .infinite = true, AT(rvScenePlace, def.friction),
     .types = EYE | SHEAVE, .otherwise = "0 at an eye; over a sheave the rope does not slip",
     .help = "of the rope against the eye or the groove (Coulomb)"},
    {"clamped", RV_FIELD_BOOL, "", AT(rvScenePlace, def.clamped), .types = ATTACH, .models = ELEMENTS,
     .help = "the cable keeps its `direction` there too"},
    {"direction", RV_FIELD_DIRECTION, "", .range = ANY, AT(rvScenePlace, def.direction), .types = ATTACH,
     .models = ELEMENTS, .help = "of a clamped place: along the cable from its first place on, in the body's frame"},
    {"drag", RV_FIELD_NUMBER, "N s/m", .range = FROM(0), AT(rvScenePlace, def.drag), .types = EYE,
     .help = "viscous, of the rope through an eye, beside its friction"},
    {"axis", RV_FIELD_DIRECTION, "", .range = ANY, AT(rvScenePlace, def.wheel.axis), .types = SHEAVE | WINCH,
     .help = "of the wheel or drum, in the body's frame"},
    {"radius", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvScenePlace, def.wheel.radius), .types = SHEAVE | WINCH,
     .needed = SHEAVE, .otherwise = "a winch without a drum",
     .help = "to the rope's middle; of a drum in its first layer"},
    {"side", RV_FIELD_INTEGER, "", .range = WITHIN(-1, 1), AT(rvScenePlace, def.wheel.side), .types = SHEAVE | WINCH,
     .help = "travelling along the cable one turns about `side` times `axis`; 0: the wheel lies inside the bend"},
    {"turns", RV_FIELD_INTEGER, "", .range = WITHIN(0, 1000), AT(rvScenePlace, def.wheel.turns), .types = SHEAVE,
     .help = "whole turns beyond the least wrap"},
    {"bearing", RV_FIELD_NUMBER, "", .range = WITHIN(0, 0.5), AT(rvScenePlace, def.wheel.bearing),
     .types = SHEAVE | WINCH, .help = "friction of the bearing: coefficient times bearing radius over wheel radius"},
    {"inertia", RV_FIELD_NUMBER, "kg m^2", .range = FROM(0), AT(rvScenePlace, def.wheel.inertia),
     .types = SHEAVE | WINCH, .help = "of the wheel or the drum"},
    {"locked", RV_FIELD_BOOL, "", AT(rvScenePlace, def.wheel.locked), .types = SHEAVE,
     .help = "the wheel does not turn"},
    {"drive_speed", RV_FIELD_NUMBER, "rad/s", .range = ANY, AT(rvScenePlace, def.wheel.driveSpeed), .types = SHEAVE,
     .help = "of the wheel's motor; needs `inertia` and `drive_torque`"},
    {"drive_torque", RV_FIELD_NUMBER, "N m", .range = FROM(0), AT(rvScenePlace, def.wheel.driveTorque), .types = SHEAVE,
     .help = "of the wheel's motor at most; 0: no motor"},
    {"control", RV_FIELD_CHOICE, "", AT(rvScenePlace, def.winch.control), .choices = WINCH_CONTROLS, .types = WINCH,
     .help = "what the motor keeps; commands change it to what they drive"},
    {"speed", RV_FIELD_NUMBER, "m/s", .range = ANY, AT(rvScenePlace, def.winch.speed), .types = WINCH,
     .help = "wanted rate of rope, positive pays out"},
    {"drum_speed", RV_FIELD_NUMBER, "rad/s", .range = ANY, AT(rvScenePlace, drumSpeed), .types = WINCH,
     .help = "wanted speed of the drum, positive pays out"},
    {"target_length", RV_FIELD_NUMBER, "m", .range = FROM(0), AT(rvScenePlace, targetLength), .types = WINCH,
     .help = "wanted rope out"},
    {"target_tension", RV_FIELD_NUMBER, "N", .range = FROM(0), AT(rvScenePlace, targetTension), .types = WINCH,
     .help = "wanted tension"},
    {"max_speed", RV_FIELD_NUMBER, "m/s", .range = ABOVE(0), AT(rvScenePlace, def.winch.maxSpeed), .types = WINCH,
     .help = "of control by length or tension"},
    {"acceleration", RV_FIELD_NUMBER, "m/s^2", .range = ABOVE(0), .infinite = true,
     AT(rvScenePlace, def.winch.acceleration), .types = WINCH,
     .help = "of the motor at most; not of control by tension"},
    {"compliance", RV_FIELD_NUMBER, "m/(s N)", .range = FROM(0), AT(rvScenePlace, def.winch.compliance), .types = WINCH,
     .help = "the drive gives way: the rate is speed + compliance * tension"},
    {"max_force", RV_FIELD_NUMBER, "N", .range = ABOVE(0), .infinite = true, AT(rvScenePlace, def.winch.maxForce),
     .types = WINCH, .help = "of the motor: the drum slips above it"},
    {"brake", RV_FIELD_BOOL, "", AT(rvScenePlace, def.winch.brake), .types = WINCH,
     .help = "on: the motor is off and the brake holds"},
    {"brake_force", RV_FIELD_NUMBER, "N", .range = ABOVE(0), .infinite = true, AT(rvScenePlace, def.winch.brakeForce),
     .types = WINCH, .help = "the brake slips above it"},
    {"min_length", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvScenePlace, def.winch.minLength), .types = WINCH,
     .help = "rope out at the inner stop"},
    {"max_length", RV_FIELD_NUMBER, "m", .range = ABOVE(0), .infinite = true, AT(rvScenePlace, def.winch.maxLength),
     .types = WINCH, .help = "rope out at the outer stop"},
    {"stored", RV_FIELD_NUMBER, "m", .range = FROM(0), .infinite = true, AT(rvScenePlace, def.winch.stored),
     .types = WINCH, .help = "rope on the drum at the start; an empty drum is a stop"},
    {"capacity", RV_FIELD_NUMBER, "m", .range = FROM(0), .infinite = true, AT(rvScenePlace, def.winch.capacity),
     .types = WINCH, .help = "rope that the drum can take: a stop"},
    {"drum_width", RV_FIELD_NUMBER, "m", .range = FROM(0), AT(rvScenePlace, def.winch.width), .types = WINCH,
     .help = "between the flanges: width/diameter turns make a layer, each a diameter further out; needs `radius` and "
             "`stored`; 0: a single layer"},
};

static void start_place(void* object)
{
    rvScenePlace* place = object;
    place->def = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), 0.0);
    place->def.type = RV_PLACE_ATTACH;
    place->body = "world";
}

const rvKind rvPlaceKind = {.name = "place",
                            .help = "A place that a cable passes.",
                            .size = sizeof(rvScenePlace),
                            FIELDS(PLACE_FIELDS),
                            .typed = true,
                            .start = start_place};

static const rvField PROFILE_FIELDS[] = {
    {"at", RV_FIELD_NUMBER, "m", .range = FROM(0), AT(rvSceneProfile, def.at), .needed = ALL_TYPES, .otherwise = "-",
     .help = "rest length from the first end, not below that of the point before; twice the same: a jump"},
    {"bending", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneProfile, def.bending),
     .help = "times the cable's `bending_stiffness`, of a curve in space times its `GJ` too; of model ancf > 0"},
    {"mass", RV_FIELD_NUMBER, "", .range = ABOVE(0), AT(rvSceneProfile, def.mass),
     .help = "times the cable's `mass_per_length`"},
    {"curvature", RV_FIELD_NUMBER, "1/m", .range = ANY, AT(rvSceneProfile, def.curvature),
     .help = "without load, added to the cable's `curvature`"},
    {"torsion", RV_FIELD_NUMBER, "rad/m", .range = ANY, AT(rvSceneProfile, def.torsion), .models = CURVE,
     .help = "without load, added to the cable's `torsion`"},
    {"axial", RV_FIELD_NUMBER, "", .range = ABOVE(0), AT(rvSceneProfile, def.axial), .models = ANCF,
     .help = "times the cable's `EA`"},
};

static void start_profile(void* object)
{
    ((rvSceneProfile*)object)->def = rvProfileAt(0.0);
}

const rvKind rvProfileKind = {.name = "profile",
                              .help = "What a cable of model curve or ancf is made of at a length along it; linear "
                                      "between two, of elements by their middles.",
                              .size = sizeof(rvSceneProfile),
                              FIELDS(PROFILE_FIELDS),
                              .start = start_profile};

static const rvField CURRENT_FIELDS[] = {
    {"height", RV_FIELD_NUMBER, "m", .range = ANY, AT(rvSceneCurrent, def.height), .needed = ALL_TYPES,
     .otherwise = "-", .help = "z, above that of the point before"},
    {"velocity", RV_FIELD_VECTOR, "m/s", .range = WITHIN(-1e6, 1e6), AT(rvSceneCurrent, def.velocity),
     .help = "of the fluid there, added to `wind`"},
};

static void start_current(void* object)
{
    ((rvSceneCurrent*)object)->def = (rvCableCurrent){0};
}

const rvKind rvCurrentKind = {.name = "current",
                              .help = "How the fluid around a cable of elements flows at a height; linear between two, "
                                      "the same below and above them.",
                              .size = sizeof(rvSceneCurrent),
                              FIELDS(CURRENT_FIELDS),
                              .start = start_current};

const rvChoice rvModelChoices[] = {
    {"massless", "one elastic length for the whole cable"},
    {"layered", "with mass: the rope sags and waves travel on its spans"},
    {"ancf", "finite elements that stretch and bend; `attach` (also inner) and `free` only"},
    {"curve",
     "bends, and stretches only where `EA` is given, in a plane or in space: wires, threads; `attach` (also inner) and "
     "`free` only"},
    {"ale", "finite elements that rope flows through: eyes, sheaves and winches too"},
    {0}};
static const rvChoice INTEGRATORS[] = {
    {"rt", "a real-time step with an energy guard; moves bodies, meets shapes"},
    {"si-be",
     "Westin and Irani: semi-implicit Euler; this and the next three hold places by Baumgarte's equation, 10/s"},
    {"si-bdf2", "Westin and Irani: second-order backward differences"},
    {"si-newmark", "Westin and Irani: Newmark"},
    {"si-hht", "Westin and Irani: Hilber, Hughes and Taylor"},
    {"implicit-newmark", "Newton's method with an adaptive step within that of the world"},
    {"implicit-hht", "the same with numerical damping"},
    {"verlet", "explicit, by as many steps as its stiffness needs"},
    {"taylor", "a series of order 12, the reference; no damping, fluid, curvature or places that move"},
    {0}};
static const rvChoice WAVE_SCHEMES[] = {
    {"modal", "by modes: stable at any tension, keeps the energy"},
    {"explicit", "central differences, straight where the step is too long for them"},
    {0}};

static const rvField CABLE_FIELDS[] = {
    {"model", RV_FIELD_CHOICE, "", AT(rvSceneCable, def.model), .choices = rvModelChoices,
     .help = "what fills the spans"},
    {"diameter", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvSceneCable, def.diameter), .help = "of the rope"},
    {"E", RV_FIELD_NUMBER, "Pa", .range = ABOVE(0), AT(rvSceneCable, def.youngsModulus),
     .help = "Young's modulus over the full circle of `diameter`"},
    {"EA", RV_FIELD_NUMBER, "N", .range = ABOVE(0), AT(rvSceneCable, def.axialStiffness),
     .otherwise = "from `E` and `diameter`; a cable of model curve then does not stretch",
     .help = "axial stiffness: a small strain e pulls with EA e. Models massless and layered keep to that at any "
             "strain; ancf and ale, by Green's strain, pull with EA (e + e^2/2)(1 + e): at e = 0.1 with 1.155 of it"},
    {"length", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvSceneCable, def.length),
     .otherwise = "as the route lies at the start", .help = "unstretched, between the ends"},
    {"damping", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneCable, def.damping),
     .help = "damping time of the stretch; a cable too stiff for the step gets at least half a step"},
    {"GJ", RV_FIELD_NUMBER, "N m^2", .range = FROM(0), AT(rvSceneCable, def.torsionalStiffness),
     .help = "torsional stiffness between its ends; 0: it turns freely. A cable of model curve with it is in space"},
    {"twist_damping", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneCable, def.twistDamping),
     .help = "damping time of the twist; as `damping`"},
    {"twist", RV_FIELD_NUMBER, "rad", .range = WITHIN(-1e6, 1e6), AT(rvSceneCable, def.twist),
     .help = "at the start: its last end is turned further about the direction of travel"},
    {"pushes", RV_FIELD_BOOL, "", AT(rvSceneCable, def.pushes),
     .help = "acts as a spring, also under compression; a cable only pulls"},
    {"collides", RV_FIELD_BOOL, "", AT(rvSceneCable, def.collides),
     .help =
         "lies on the shapes that it meets, but for those of the bodies at the ends of a span; massless and layered "
         "cables hold each other where they cross, ancf and ale ones hold each other (and themselves, in one span), "
         "curves in space hold each other, all others pass through each other; ancf ones meet the edges "
         "of meshes and height fields with nodes and "
         "middles of elements only"},
    {"friction", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneCable, def.friction),
     .help = "coefficient against shapes that it lies on; of rope and shape, or of two ropes, the geometric mean "
             "counts (of "
             "ropes of elements that cross 0.05 at least)"},
    {"max_contacts", RV_FIELD_INTEGER, "", .range = WITHIN(1, 1000), AT(rvSceneCable, def.maxContacts),
     .help =
         "places at once where it can lie on shapes; where there are more it sinks into them, which is an event; of "
         "model ale at most 128 with its own"},
    {"group", RV_FIELD_BITS, "", .range = WITHIN(0, 4294967295.0), AT(rvSceneCable, def.group),
     .help = "bits; cable and shape meet if each one's group is in the other's mask"},
    {"mask", RV_FIELD_BITS, "", .range = WITHIN(0, 4294967295.0), AT(rvSceneCable, def.mask),
     .help = "bits, see `group`"},
    {"mass_per_length", RV_FIELD_NUMBER, "kg/m", .range = ABOVE(0), AT(rvSceneCable, def.massPerLength),
     .models = WITH_MASS, .otherwise = "steel, 7850 kg/m^3 over 0.6 of the circle of `diameter`",
     .help = "of a cable with mass"},
    {"elements", RV_FIELD_INTEGER, "", .range = WITHIN(1, 10000), AT(rvSceneCable, def.elements), .models = ELEMENTS,
     .help =
         "over all its spans; a cable of model curve has 2 to 1000, a span of model ale up to 1000, a slack span of "
         "model ancf at least two"},
    {"bending_stiffness", RV_FIELD_NUMBER, "N m^2", .range = ABOVE(0), AT(rvSceneCable, def.bendingStiffness),
     .models = ELEMENTS, .otherwise = "that of a round rod of `diameter` and the stiffness of the stretch",
     .help = "EI: its resistance to bending"},
    {"bending_damping", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneCable, def.bendingDamping),
     .models = ELEMENTS_IN_FLUID, .otherwise = "as `damping`",
     .help = "damping time of the bending of cables of elements"},
    {"integrator", RV_FIELD_CHOICE, "", AT(rvSceneCable, def.integrator), .choices = INTEGRATORS, .models = ANCF,
     .help =
         "how its elements are stepped; all but rt are for comparison: of cables on the world, static and kinematic "
         "bodies only, that do not collide"},
    {"exact_curvature", RV_FIELD_BOOL, "", AT(rvSceneCable, def.exactCurvature), .models = ANCF,
     .help = "bends by its true curvature, else by r'' as Westin and Irani have it, which is the same but for stretch"},
    {"curvature", RV_FIELD_NUMBER, "1/m", .range = ANY, AT(rvSceneCable, def.curvature), .models = CURVE | ANCF,
     .help = "without load; of a cable of model curve about the normal of its plane, in space towards the bulge; of "
             "model ancf its size: it is free to turn about itself"},
    {"torsion", RV_FIELD_NUMBER, "rad/m", .range = ANY, AT(rvSceneCable, def.torsion), .models = CURVE,
     .help = "of a cable of model curve in space without load, about itself; with `curvature` it is a helix"},
    {"profile", RV_FIELD_LIST, "", AT(rvSceneCable, profile), .kind = &rvProfileKind, .models = CURVE | ANCF,
     .otherwise = "the same all along",
     .help = "how bending stiffness, mass, curvature, of model curve torsion and of model ancf `EA` vary along it"},
    {"plane", RV_FIELD_VECTOR, "", .range = ANY, AT(rvSceneCable, def.plane), .models = CURVE,
     .otherwise = "that of its places and clamps, upright where these lie on a line; in space where there is none or "
                  "`GJ` is given",
     .help = "of a cable of model curve: the normal of its plane"},
    {"bulge", RV_FIELD_VECTOR, "", .range = ANY, AT(rvSceneCable, def.bulge), .models = CURVE | ANCF,
     .otherwise = "down",
     .help = "where it bends to at the start, if it is longer than its route or, of model ancf, has a `curvature`; it "
             "begins at rest, so that what would not stay there hangs down"},
    {"touches_itself", RV_FIELD_BOOL, "", AT(rvSceneCable, def.touchesItself), .models = CURVE,
     .help = "a cable of model curve does not pass through itself"},
    {"contact_stiffness", RV_FIELD_NUMBER, "N/m", .range = FROM(0), AT(rvSceneCable, def.contactStiffness),
     .models = CURVE, .otherwise = "rigid and inelastic", .help = "of a cable of model curve, at a contact"},
    {"contact_damping", RV_FIELD_NUMBER, "N s/m", .range = FROM(0), AT(rvSceneCable, def.contactDamping),
     .models = CURVE, .help = "of a cable of model curve, at a contact that is not rigid"},
    {"subdivisions", RV_FIELD_INTEGER, "", .range = WITHIN(4, 1000), AT(rvSceneCable, def.subdivisions),
     .models = LAYERED, .help = "of each span of a layered cable, for its wave"},
    {"wave_scheme", RV_FIELD_CHOICE, "", AT(rvSceneCable, def.waveScheme), .models = LAYERED, .choices = WAVE_SCHEMES,
     .help = "how the waves of a layered cable are stepped"},
    {"wave_damping", RV_FIELD_NUMBER, "1/s", .range = FROM(0), AT(rvSceneCable, def.waveDamping),
     .models = LAYERED | CURVE,
     .help = "of the motion of a layered cable across its spans; of a cable of model curve in all directions"},
    {"running_terms", RV_FIELD_BOOL, "", AT(rvSceneCable, def.runningTerms), .models = LAYERED,
     .help = "of a layered cable that runs through its spans: the terms that Garcia-Fernandez et al. leave out"},
    {"straight", RV_FIELD_BOOL, "", AT(rvSceneCable, def.straight), .models = WITH_MASS,
     .help = "the spans of a cable with mass are straight lines at the start; otherwise they hang at rest"},
    {"explicit_force", RV_FIELD_BOOL, "", AT(rvSceneCable, def.explicitForce), .models = LAYERED,
     .help = "tension of a layered cable from the state before the step, as published: for comparison"},
    {"wind", RV_FIELD_VECTOR, "m/s", .range = WITHIN(-1e6, 1e6), AT(rvSceneCable, def.wind), .models = IN_FLUID,
     .help = "velocity of the fluid around the cable"},
    {"current", RV_FIELD_LIST, "", AT(rvSceneCable, current), .kind = &rvCurrentKind, .models = ELEMENTS_IN_FLUID,
     .otherwise = "none", .help = "how the fluid flows at heights, beside `wind`; at most 100 points"},
    {"fluid_density", RV_FIELD_NUMBER, "kg/m^3", .range = FROM(0), AT(rvSceneCable, def.fluidDensity),
     .models = IN_FLUID, .refused = CURVE, .help = "of what is around the cable: 0 no drag, air 1.2, water 1000"},
    {"drag_coefficient", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneCable, def.dragCoefficient),
     .models = IN_FLUID, .help = "across the cable, on its diameter"},
    {"fluid_level", RV_FIELD_NUMBER, "m", .range = ANY, .infinite = true, AT(rvSceneCable, def.fluidLevel),
     .models = ELEMENTS_IN_FLUID, .help = "height of the fluid's surface; .inf: it is everywhere"},
    {"tangent_drag", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneCable, def.tangentDrag),
     .models = ELEMENTS_IN_FLUID, .help = "along the cable, on its skin"},
    {"added_mass", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneCable, def.addedMass), .models = ELEMENTS_IN_FLUID,
     .help = "fluid that moves along across the cable, as a share of what it displaces"},
    {"overload", RV_FIELD_NUMBER, "N", .range = ABOVE(0), .infinite = true, AT(rvSceneCable, def.overload),
     .help = "tension above which a run reports it"},
    {"breaks_at", RV_FIELD_NUMBER, "N", .range = ABOVE(0), .infinite = true, AT(rvSceneCable, def.breakForce),
     .help = "tension that breaks it"},
    {"route", RV_FIELD_LIST, "", AT(rvSceneCable, route), .kind = &rvPlaceKind, .needed = ALL_TYPES, .otherwise = "-",
     .help = "the places that it passes, from end to end, at least two"},
};

static void start_cable(void* object)
{
    ((rvSceneCable*)object)->def = rvDefaultCableDef(RV_CABLE_MASSLESS);
}

const rvKind rvCableKind = {.name = "cable",
                            .help = "A cable along a route of places.",
                            .size = sizeof(rvSceneCable),
                            FIELDS(CABLE_FIELDS),
                            .start = start_cable};
