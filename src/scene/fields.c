// SPDX-License-Identifier: MIT
// The tables of fields; those of cables are in fields_cable.c. Defaults are not in them: they are what
// rvDefault...Def() answers, read out where they are printed. To add a field: a member in model.h, a row here, its use
// in build.c, then `reeve docs`.
#include "scene/field_table.h"

#include <string.h>

// ---- world

static const rvChoice STEPPERS[] = {
    {"spook", "time-centred: no numerical damping, damping only by `relaxation`"},
    {"paper", "implicit Euler on each constraint: damps stiff vibrations"},
    {0},
};

static const rvField WORLD_FIELDS[] = {
    {"gravity", RV_FIELD_VECTOR, "m/s^2", .range = ANY, AT(rvSceneWorld, def.gravity),
     .help = "acceleration of free fall"},
    {"stepper", RV_FIELD_CHOICE, "", AT(rvSceneWorld, def.stepper), .choices = STEPPERS,
     .help = "how a constraint is carried over a step"},
    {"relaxation", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneWorld, def.relaxation),
     .help = "damping time of constraints that name none, in steps"},
    {"geometric_stiffness", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneWorld, def.geometricStiffness),
     .help = "weight of the geometric stiffness, which keeps light links under heavy loads stable; 0 switches it off"},
    {"max_passes", RV_FIELD_INTEGER, "", .range = WITHIN(1, 16), AT(rvSceneWorld, def.maxPasses),
     .help = "solves a step at most, where the tension changed much within it; up to thirty more where a rope of "
             "elements comes taut"},
    {"max_contacts", RV_FIELD_INTEGER, "", .range = WITHIN(0, 100000), AT(rvSceneWorld, def.maxContacts),
     .help = "contact points at once; more are dropped and counted"},
    {"max_events", RV_FIELD_INTEGER, "", .range = WITHIN(1, 100000), AT(rvSceneWorld, def.maxEvents),
     .help = "events kept in a step"},
};

static void start_world(void* object)
{
    ((rvSceneWorld*)object)->def = rvDefaultWorldDef();
}

const rvKind rvWorldKind = {.name = "world",
                            .help = "What holds for everything.",
                            .size = sizeof(rvSceneWorld),
                            FIELDS(WORLD_FIELDS),
                            .start = start_world};

// ---- shapes

static const rvChoice SHAPE_TYPES[] = {
    {"plane", "everything below z = 0 of its frame; on static bodies only"},
    {"sphere", "a ball of `radius`"},
    {"box", "full `sides`"},
    {"capsule", "`radius` about a straight part of `length` along z"},
    {"cylinder", "`radius` and `length` along z"},
    {"hull", "the convex hull of `points`"},
    {"mesh", "triangles, by `points` and `triangles` or from a `file`; on static and kinematic bodies only"},
    {"height_field", "`heights` on a grid of x and y over `size`; on static bodies only"},
    {0},
};

#define ROUND (BIT(RV_SHAPE_SPHERE) | BIT(RV_SHAPE_CAPSULE) | BIT(RV_SHAPE_CYLINDER))
#define LONG (BIT(RV_SHAPE_CAPSULE) | BIT(RV_SHAPE_CYLINDER))

static const rvField SHAPE_FIELDS[] = {
    {"type", RV_FIELD_CHOICE, "", AT(rvSceneShape, def.type), .choices = SHAPE_TYPES, .needed = ALL_TYPES,
     .otherwise = "-", .help = "which shape"},
    {"position", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneShape, def.frame.p),
     .help = "of the shape in the body's frame"},
    {"orientation", RV_FIELD_ORIENTATION, "", AT(rvSceneShape, def.frame.q),
     .help = "of the shape in the body's frame"},
    {"radius", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvSceneShape, def.radius), .types = ROUND, .needed = ROUND,
     .otherwise = "-", .help = "of the ball or of the round"},
    {"length", RV_FIELD_NUMBER, "m", .range = ABOVE(0), AT(rvSceneShape, def.length), .types = LONG, .needed = LONG,
     .otherwise = "-", .help = "along z; of a capsule without its caps"},
    {"sides", RV_FIELD_VECTOR, "m", .range = ABOVE(0), AT(rvSceneShape, def.sides), .types = BIT(RV_SHAPE_BOX),
     .needed = BIT(RV_SHAPE_BOX), .otherwise = "-", .help = "full lengths along x, y, z"},
    {"points", RV_FIELD_POINTS, "m", .range = ANY, AT(rvSceneShape, def.points),
     .types = BIT(RV_SHAPE_HULL) | BIT(RV_SHAPE_MESH), .needed = BIT(RV_SHAPE_HULL), .otherwise = "-",
     .help = "corners as [[x, y, z], ...]"},
    {"triangles", RV_FIELD_TRIANGLES, "", .range = FROM(0), AT(rvSceneShape, def.triangles),
     .types = BIT(RV_SHAPE_MESH), .otherwise = "-",
     .help = "numbers of three points each, from 0, counter-clockwise seen from outside"},
    {"file", RV_FIELD_TEXT, "", AT(rvSceneShape, file), .types = BIT(RV_SHAPE_MESH), .otherwise = "-",
     .help = "an OBJ file with the mesh, in metres; sought from the folder of the scene"},
    {"heights", RV_FIELD_HEIGHTS, "m", .range = ANY, AT(rvSceneShape, def.heights), .types = BIT(RV_SHAPE_HEIGHT_FIELD),
     .needed = BIT(RV_SHAPE_HEIGHT_FIELD), .otherwise = "-",
     .help = "rows of heights; a row runs along x, the rows follow each other along y"},
    {"size", RV_FIELD_VECTOR, "m", .range = ABOVE(0), AT(rvSceneShape, def.fieldSize),
     .types = BIT(RV_SHAPE_HEIGHT_FIELD), .needed = BIT(RV_SHAPE_HEIGHT_FIELD), .otherwise = "-",
     .help = "extent along x and y about the frame's origin, and the thickness below"},
    {"friction", RV_FIELD_NUMBER, "", .range = FROM(0), AT(rvSceneShape, def.friction),
     .help = "coefficient; of two shapes the geometric mean counts"},
    {"restitution", RV_FIELD_NUMBER, "", .range = WITHIN(0, 1), AT(rvSceneShape, def.restitution),
     .help = "share of the speed that a bounce keeps; of two shapes the larger counts"},
    {"compliance", RV_FIELD_NUMBER, "m/N", .range = FROM(0), AT(rvSceneShape, def.compliance),
     .help = "of a contact point; of two shapes the sum counts"},
    {"damping", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneShape, def.damping),
     .otherwise = "the world's relaxation", .help = "damping time of contacts"},
    {"group", RV_FIELD_BITS, "", .range = WITHIN(0, 4294967295.0), AT(rvSceneShape, def.group),
     .help = "bits; two shapes meet if each one's group is in the other's mask"},
    {"mask", RV_FIELD_BITS, "", .range = WITHIN(0, 4294967295.0), AT(rvSceneShape, def.mask),
     .help = "bits, see `group`"},
};

static void start_shape(void* object)
{
    ((rvSceneShape*)object)->def = rvDefaultShapeDef(RV_SHAPE_PLANE);
}

const rvKind rvShapeKind = {.name = "shape",
                            .help = "What collides. A body may have several.",
                            .size = sizeof(rvSceneShape),
                            FIELDS(SHAPE_FIELDS),
                            .typed = true,
                            .start = start_shape};

// ---- bodies

static const rvChoice BODY_TYPES[] = {
    {"static", "never moves"},
    {"kinematic", "moves as the commands `position` and `orientation` say; nothing pushes it"},
    {"dynamic", "moves by forces"},
    {"proxy", "moved by a host program"},
    {0},
};

#define MOVABLE (BIT(RV_BODY_DYNAMIC) | BIT(RV_BODY_PROXY))

static const rvField BODY_FIELDS[] = {
    {"type", RV_FIELD_CHOICE, "", AT(rvSceneBody, def.type), .choices = BODY_TYPES, .help = "how it moves"},
    {"position", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneBody, def.pose.p),
     .help = "of the body's frame at the start"},
    {"orientation", RV_FIELD_ORIENTATION, "", AT(rvSceneBody, def.pose.q), .help = "of the body's frame at the start"},
    {"velocity", RV_FIELD_VECTOR, "m/s", .range = ANY, AT(rvSceneBody, def.velocity), .types = MOVABLE,
     .help = "of the centre of mass at the start"},
    {"angular_velocity", RV_FIELD_VECTOR, "rad/s", .range = ANY, AT(rvSceneBody, def.angularVelocity), .types = MOVABLE,
     .help = "at the start, in world axes"},
    {"mass", RV_FIELD_NUMBER, "kg", .range = ABOVE(0), AT(rvSceneBody, def.mass), .types = MOVABLE,
     .needed = BIT(RV_BODY_DYNAMIC), .otherwise = "unknown to us (proxy)", .help = "of the whole body"},
    {"center_of_mass", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneBody, def.centerOfMass), .types = MOVABLE,
     .otherwise = "that of the shapes", .help = "in the body's frame"},
    {"inertia", RV_FIELD_INERTIA, "kg m^2", .range = ABOVE(0), AT(rvSceneBody, def.inertia), .types = MOVABLE,
     .otherwise = "that of the shapes, filled evenly; without shapes a ball of radius 0.5 m",
     .help = "about the centre of mass, in the body's axes: [xx, yy, zz] or three rows of three"},
    {"shapes", RV_FIELD_LIST, "", AT(rvSceneBody, shapes), .kind = &rvShapeKind, .otherwise = "none",
     .help = "what collides; without shapes the body touches nothing"},
};

static void start_body(void* object)
{
    ((rvSceneBody*)object)->def = rvDefaultBodyDef();
}

const rvKind rvBodyKind = {.name = "body",
                           .help = "A rigid body.",
                           .size = sizeof(rvSceneBody),
                           FIELDS(BODY_FIELDS),
                           .typed = true,
                           .start = start_body};

// ---- joints

static const rvField AXIS_FIELDS[] = {
    {"limits", RV_FIELD_LIMITS, "m", "rad", .range = ANY, .infinite = true, AT(rvSceneAxis, limits),
     .otherwise = "none", .help = "[lower, upper]: where it stops"},
    {"speed", RV_FIELD_NUMBER, "m/s", "rad/s", .range = ANY, AT(rvSceneAxis, speed), .otherwise = "no motor",
     .help = "a motor that keeps this speed"},
    {"position", RV_FIELD_NUMBER, "m", "rad", .range = ANY, AT(rvSceneAxis, position), .otherwise = "no motor",
     .help = "a motor that goes to this position"},
    {"max_speed", RV_FIELD_NUMBER, "m/s", "rad/s", .range = ABOVE(0), .infinite = true, AT(rvSceneAxis, def.maxSpeed),
     .help = "of a motor that goes to a position"},
    {"max_force", RV_FIELD_NUMBER, "N", "N m", .range = FROM(0), .infinite = true, AT(rvSceneAxis, def.maxForce),
     .help = "of the motor; on a turning axis its torque"},
    {"friction", RV_FIELD_NUMBER, "N", "N m", .range = FROM(0), AT(rvSceneAxis, def.friction), .help = "dry friction"},
};

static void start_axis(void* object)
{
    ((rvSceneAxis*)object)->def = rvDefaultJointDef(RV_JOINT_HINGE).axes[0];
}

#define AXIS_HELP "A free direction of a joint. Forward is b against a. Units for `slide`, then for `turn`."
const rvKind rvSlideKind = {
    .name = "axis", .help = AXIS_HELP, .size = sizeof(rvSceneAxis), FIELDS(AXIS_FIELDS), .start = start_axis};
const rvKind rvTurnKind = {.name = "axis",
                           .help = AXIS_HELP,
                           .size = sizeof(rvSceneAxis),
                           FIELDS(AXIS_FIELDS),
                           .turns = true,
                           .start = start_axis};

static const rvChoice JOINT_TYPES[] = {
    {"fixed", "holds everything"},
    {"ball", "holds a point; `turn` limits the swing of `axis`"},
    {"hinge", "turns about `axis`"},
    {"slider", "slides along `axis`"},
    {"cylindrical", "slides along and turns about `axis`"},
    {"universal", "turns about `axis` of a and about one across it of b (`turn2`)"},
    {"distance", "keeps the distance of `point` on a and `point_b` on b"},
    {0},
};

#define SLIDES (BIT(RV_JOINT_SLIDER) | BIT(RV_JOINT_CYLINDRICAL) | BIT(RV_JOINT_DISTANCE))
#define TURNS (BIT(RV_JOINT_BALL) | BIT(RV_JOINT_HINGE) | BIT(RV_JOINT_CYLINDRICAL) | BIT(RV_JOINT_UNIVERSAL))
#define DIRECTED (BIT(RV_JOINT_HINGE) | BIT(RV_JOINT_SLIDER) | BIT(RV_JOINT_CYLINDRICAL) | BIT(RV_JOINT_UNIVERSAL))

static const rvField JOINT_FIELDS[] = {
    {"type", RV_FIELD_CHOICE, "", AT(rvSceneJoint, def.type), .choices = JOINT_TYPES, .needed = ALL_TYPES,
     .otherwise = "-", .help = "which joint"},
    {"a", RV_FIELD_BODY, "", AT(rvSceneJoint, a), .help = "first body"},
    {"b", RV_FIELD_BODY, "", AT(rvSceneJoint, b), .help = "second body"},
    {"point", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneJoint, point), .needed = ALL_TYPES, .otherwise = "-",
     .help = "of the joint, in the world at the start"},
    {"point_b", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneJoint, def.frameB.p), .types = BIT(RV_JOINT_DISTANCE),
     .needed = BIT(RV_JOINT_DISTANCE), .otherwise = "-", .help = "where it holds b, in the world at the start"},
    {"axis", RV_FIELD_DIRECTION, "", .range = ANY, AT(rvSceneJoint, axis), .types = DIRECTED | BIT(RV_JOINT_BALL),
     .needed = DIRECTED, .help = "of the joint, in the world at the start"},
    {"slide", RV_FIELD_OBJECT, "", AT(rvSceneJoint, slide), .kind = &rvSlideKind, .types = SLIDES, .otherwise = "free",
     .help = "the motion along the axis; of a distance joint its length"},
    {"turn", RV_FIELD_OBJECT, "", AT(rvSceneJoint, turn), .kind = &rvTurnKind, .types = TURNS, .otherwise = "free",
     .help = "the turn about the axis"},
    {"turn2", RV_FIELD_OBJECT, "", AT(rvSceneJoint, turn2), .kind = &rvTurnKind, .types = BIT(RV_JOINT_UNIVERSAL),
     .otherwise = "free", .help = "the second turn of a universal joint"},
    {"length", RV_FIELD_NUMBER, "m", .range = FROM(0), AT(rvSceneJoint, def.length), .types = BIT(RV_JOINT_DISTANCE),
     .otherwise = "as it stands at the start", .help = "of a distance joint"},
    {"compliance", RV_FIELD_NUMBER, "m/N", .range = FROM(0), AT(rvSceneJoint, def.compliance),
     .help = "of what it holds; 0 is as stiff as the numbers allow"},
    {"angular_compliance", RV_FIELD_NUMBER, "rad/(N m)", .range = FROM(0), AT(rvSceneJoint, def.angularCompliance),
     .help = "of the turns that it holds"},
    {"damping", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneJoint, def.damping),
     .otherwise = "the world's relaxation", .help = "damping time"},
    {"collide", RV_FIELD_BOOL, "", AT(rvSceneJoint, def.collide),
     .help = "do the two bodies still collide with each other"},
};

static void start_joint(void* object)
{
    rvSceneJoint* joint = object;
    joint->def = rvDefaultJointDef(RV_JOINT_FIXED);
    joint->a = joint->b = "world";
    joint->axis = rvVec(0, 0, 1);
    start_axis(&joint->slide);
    start_axis(&joint->turn);
    start_axis(&joint->turn2);
}

const rvKind rvJointKind = {.name = "joint",
                            .help = "Holds two bodies together, or a body and the world.",
                            .size = sizeof(rvSceneJoint),
                            FIELDS(JOINT_FIELDS),
                            .typed = true,
                            .start = start_joint};

// ---- events and the scene

static const rvField EVENT_FIELDS[] = {
    {"at", RV_FIELD_NUMBER, "s", .range = FROM(0), AT(rvSceneEvent, at), .needed = ALL_TYPES, .otherwise = "-",
     .help = "when it happens"},
    {"break", RV_FIELD_CABLE, "", AT(rvSceneEvent, broken), .otherwise = "-", .help = "the cable that breaks"},
    {"hook", RV_FIELD_CABLE, "", AT(rvSceneEvent, hooked), .otherwise = "-",
     .help =
         "the cable whose last end is hooked elsewhere; its rope keeps its length; of models ancf and ale it goes on "
         "as "
         "it lies where that is near, else it hangs anew (rvCable_SetPlace); of model curve, if it is within 1 % of "
         "its length, else the run tells that it missed"},
    {"change", RV_FIELD_CABLE, "", AT(rvSceneEvent, changed), .otherwise = "-",
     .help = "the cable that another model fills from then on, with its own fields of that model"},
    {"grasp", RV_FIELD_CABLE, "", AT(rvSceneEvent, grasped), .otherwise = "-",
     .help =
         "the cable of model curve that `to` takes hold of at the length `along`, as it is; places keep the numbers "
         "that they have in the route"},
    {"let_go", RV_FIELD_CABLE, "", AT(rvSceneEvent, freed), .otherwise = "-",
     .help = "the cable of model curve that `to` lets go of, wherever it holds it; if it does not, the run tells it"},
    {"along", RV_FIELD_NUMBER, "m", .range = FROM(0), AT(rvSceneEvent, along),
     .help = "where `grasp` takes hold of it"},
    {"model", RV_FIELD_CHOICE, "", AT(rvSceneEvent, model), .choices = rvModelChoices, .help = "which, of `change`"},
    {"to", RV_FIELD_BODY, "", AT(rvSceneEvent, to), .help = "where `hook` puts it; what takes hold or lets go"},
    {"point", RV_FIELD_VECTOR, "m", .range = ANY, AT(rvSceneEvent, point),
     .help = "where `hook` puts it on that body, in its frame, or in the world"},
};

static void start_event(void* object)
{
    rvSceneEvent* event = object;
    event->broken = event->hooked = event->changed = event->grasped = event->freed = "";
    event->to = "world";
}

const rvKind rvEventKind = {
    .name = "event",
    .help =
        "Something that happens once: a cable breaks, is hooked, taken hold of or let go, or another model fills it.",
    .size = sizeof(rvSceneEvent),
    FIELDS(EVENT_FIELDS),
    .start = start_event};

static const rvField SCENE_FIELDS[] = {
    {"reeve", RV_FIELD_NUMBER, "", .range = WITHIN(1, 1), AT(rvSceneRoot, version), .needed = ALL_TYPES,
     .otherwise = "-", .help = "version of the format"},
    {"title", RV_FIELD_TEXT, "", AT(rvSceneRoot, title), .otherwise = "none", .help = "a line for people"},
    {"step", RV_FIELD_NUMBER, "s", .range = WITHIN(1e-9, 1), AT(rvSceneRoot, step), .help = "time step"},
    {"until", RV_FIELD_NUMBER, "s", .range = ABOVE_TO(0, 1e9), AT(rvSceneRoot, until), .help = "end of the run"},
    {"every", RV_FIELD_NUMBER, "s", .range = ABOVE(0), AT(rvSceneRoot, every),
     .help = "time between two samples of the results"},
    {"world", RV_FIELD_OBJECT, "", AT(rvSceneRoot, world), .kind = &rvWorldKind, .otherwise = "its defaults",
     .help = "what holds for everything"},
    {"ground", RV_FIELD_NUMBER, "m", .range = ANY, AT(rvSceneRoot, ground), .otherwise = "none",
     .help = "height of a level ground: short for a static body `ground` with a plane"},
    {"settle", RV_FIELD_BOOL, "", AT(rvSceneRoot, settle),
     .help = "begin at rest: before the run all bodies go to where they hang in balance, with brakes on and drives "
             "standing still"},
    {"settle_iterations", RV_FIELD_INTEGER, "", .range = WITHIN(1, 100000), AT(rvSceneRoot, settleDef.maxIterations),
     .help = "solves that it may take for that"},
    {"settle_tolerance", RV_FIELD_NUMBER, "", .range = ABOVE(0), AT(rvSceneRoot, settleDef.tolerance),
     .help = "unbalanced force that may be left on a body, as a share of what it carries"},
    {"bodies", RV_FIELD_MAP, "", AT(rvSceneRoot, bodies), .kind = &rvBodyKind, .otherwise = "none",
     .help = "rigid bodies by name"},
    {"joints", RV_FIELD_MAP, "", AT(rvSceneRoot, joints), .kind = &rvJointKind, .otherwise = "none",
     .help = "joints by name"},
    {"cables", RV_FIELD_MAP, "", AT(rvSceneRoot, cables), .kind = &rvCableKind, .otherwise = "none",
     .help = "cables by name"},
    {"commands", RV_FIELD_COMMANDS, "", AT(rvSceneRoot, commands), .otherwise = "none",
     .help = "what is driven over time: a channel, then a value or a table [[time, value], ...]"},
    {"events", RV_FIELD_LIST, "", AT(rvSceneRoot, events), .kind = &rvEventKind, .otherwise = "none",
     .help = "what happens once, at a time"},
    {"outputs", RV_FIELD_OUTPUTS, "", AT(rvSceneRoot, outputs),
     .otherwise = "positions of moving bodies, joint axes, tensions and lengths of cables, energies",
     .help = "channels that become columns of the results"},
};

static void start_scene(void* object)
{
    rvSceneRoot* root = object;
    root->title = "";
    root->step = 0.01;
    root->until = 10.0;
    root->every = 0.05;
    root->settleDef = rvDefaultSettleDef();
    start_world(&root->world);
}

const rvKind rvSceneKind = {.name = "scene",
                            .help = "The whole file.",
                            .size = sizeof(rvSceneRoot),
                            FIELDS(SCENE_FIELDS),
                            .start = start_scene};

const rvKind* const rvSceneKinds[] = {&rvSceneKind,   &rvWorldKind,   &rvBodyKind,  &rvShapeKind,
                                      &rvJointKind,   &rvSlideKind,   &rvCableKind, &rvPlaceKind,
                                      &rvProfileKind, &rvCurrentKind, &rvEventKind, NULL};

int rv_object_type(const rvKind* kind, const void* object)
{
    int type = 0;
    if (kind->typed)
        memcpy(&type, (const char*)object + kind->fields[0].offset, sizeof type);
    return type;
}

bool rv_object_has(const rvKind* kind, const void* object, const char* field)
{
    for (int i = 0; i < kind->fieldCount; ++i)
        if (strcmp(kind->fields[i].name, field) == 0)
            return ((const rvSceneHead*)object)->given >> i & 1;
    return false;
}

void rv_range_describe(rvText* out, const rvRange* range, const char* noun)
{
    rv_text_add(out, "%s", noun);
    if (isfinite(range->lower) && isfinite(range->upper)) {
        if (range->lower == range->upper) {
            rv_text_add(out, " that is ");
            rv_text_add_number(out, range->lower);
            return;
        }
        rv_text_add(out, range->open ? " above " : " of ");
        rv_text_add_number(out, range->lower);
        rv_text_add(out, range->open ? " up to " : " to ");
        rv_text_add_number(out, range->upper);
    } else if (isfinite(range->lower)) {
        rv_text_add(out, range->open ? " > " : " >= ");
        rv_text_add_number(out, range->lower);
    }
}

void rv_choices_describe(rvText* out, const rvChoice* choices)
{
    for (int i = 0; choices[i].name; ++i)
        rv_text_add(out, "%s%s", i ? ", " : "", choices[i].name);
}
