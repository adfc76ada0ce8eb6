// SPDX-License-Identifier: MIT
// What a model of a cable is: a name, traits and a few small tables of calls. The other files call these and know no
// model by name.
//
// Each table is whole or absent, no call of it is NULL. life, step and read are those that every model has; contact,
// line, span, equilibrium and hold are NULL where a model has none of that. A model joins by its own file
// model_NAME.c, a line in the list of driver/models.c and a number in rvCableModel. What it keeps beside the cable and
// its places hangs on cable->inner, made by life->create and described once, by life->visit.
#pragma once

#include "base/visitor.h"
#include "cable/core/cable.h"

#include <stddef.h>

// One of two ropes that touch each other, at a point between them.
typedef struct {
    rvVec3 point;            // on the surface of the first one
    rvVec3 normal, along[2]; // towards this rope, and across that
    int body;                // of the solver: the point
    double radius, friction;
    bool welded; // the point goes along with it: the first one
} rvRopeSide;

// By so little longer than its chord rope hangs by less than a hundredth of it off it: it is where its chord is.
#define RV_TAUT 1e-4

// A contact as the line of a cable has it, after a solve.
typedef struct {
    rvVec3 force;  // on the cable
    bool holds[3]; // it presses, and sticks along the surface
} rvLineContact;

// What of a line's motion is made equal where two lines press on each other: the velocity, the algorithmic acceleration
// that the generalised-alpha rule goes on with, and the acceleration itself, the same for every model. Energy is what
// one line may take from its guard and give to the other.
typedef enum {
    RV_LINE_VELOCITY,
    RV_LINE_ALGORITHMIC,
    RV_LINE_ACCELERATION,
    RV_LINE_CHANNELS,
    RV_LINE_ENERGY
} rvLineChannel;

enum { RV_LINE_BLOCK = 4 };

// A point of a line.
typedef struct {
    rvVec3 was, now; // as the step begins, and as it is expected to end
    double along;    // rest length before it [m]
} rvLinePoint;

// A line of material that other lines touch, in straight pieces one after the other; see crossing_elements.h. How many
// there are is in cable->line, set by the narrow phase of its contacts.
typedef struct {
    // a box around RV_LINE_BLOCK pieces, as the step begins and as it is expected to end, added to one
    void (*box)(const rvCable* cable, int block, rvVec3 box[2]);
    void (*at)(const rvCable* cable, int piece, double share, rvLinePoint* point);
    // it touches another line there, in this step; NULL: no room
    rvLineContact* (*touch)(rvCable* cable, int piece, double share, const rvRopeSide* side);
    // of a row of a contact: how fast its point goes by a channel, and what a unit push changes of that. Energy: what
    // it has less than its guard allows, negative: more [J]
    double (*rate)(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel, double* compliance);
    void (*push)(rvCable* cable, const rvLineContact* contact, int part, rvLineChannel channel, double amount);
} rvModelLine;

// What holds for a model as a whole.
enum {
    RV_HAS_MASS = 1,        // the fields of rope with mass count and are checked
    RV_SEGMENTS = 2,        // taut from junction to junction: rest length by segment, crossings, no inner attachment
    RV_KEEPS_PLACES = 4,    // its places are fixed to the material
    RV_TURNS_WHEELS = 8,    // its wheels turn by its own state, and their energy is among the model's
    RV_MEETS_BY_CURVE = 16, // it hangs off its chord and meets shapes by its curve
    RV_OWN_LINES = 32,      // its lines touch lines of its own model only
    RV_MAY_BUCKLE = 64,     // an equilibrium of it may be unstable
    RV_ELEMENTS = 128,      // a bending stiffness of 0 is none
    RV_OWN_TORSION = 256,   // its torsion is its own, not that of its ends by route/twist.h
};

// What a cable that is made over other places goes on with.
typedef struct {
    const rvCable* cable;   // stays as it is until the new one takes its place
    const rvCable* spliced; // whose places, but for its first, are the last of the new one; NULL: none
    int removed;            // the place whose span joins the one before it; 0: none
    bool newEnd;            // an end is another place
} rvOrigin;

typedef enum { RV_START_HANGING, RV_START_STRAIGHT, RV_START_LIKE } rvStart;

// Shape and velocities of a cable without history.
typedef struct {
    rvStart kind;
    rvVec3 gravity;
    const rvCable* like; // of RV_START_LIKE: the cable of another model whose place it takes
    double h;            //   and the length of its last step
} rvPlacement;

typedef enum {
    RV_CHANGE_JOIN,     // the places between `first` and `last` are about to go: the curve there becomes that of a span
    RV_CHANGE_DROP,     // place `from` goes: the rope of its span joins that of place `into`
    RV_CHANGE_PLACES,   // places came or went
    RV_CHANGE_CONTACTS, // before and after contacts are looked for, at the end of a step of h
    RV_CHANGE_CARRIED,  // before and after its bodies are put elsewhere than a step of h expected
    RV_CHANGE_BODIES,   // bodies were set from outside
    RV_CHANGE_RESTART,  // between steps it got another route
    RV_CHANGE_EQUILIBRIUM, // it was brought to rest
    RV_CHANGE_SPEEDS,      // all of its own velocities become `share` of what they are
    RV_CHANGE_ENDS,        // its ends on a body became faster by v and w
} rvChangeKind;

// What changed that no row saw.
typedef struct {
    rvChangeKind kind;
    bool before;
    double h;
    int first, last;
    rvPlace* into;
    const rvPlace* from;
    double share;
    int body;
    rvVec3 v, w;
} rvChange;

// Existence.
typedef struct {
    // its private state, once places and rest length are known. New: by def; def NULL: what `from` holds, over other
    // places; both: another model takes the place of `from`
    rvStatus (*create)(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error);
    void (*destroy)(rvCable* cable, rvMemory* memory); // also of one half made
    void (*place)(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how);
    void (*follow)(rvCable* cable, const rvBodyStore* bodies, const rvChange* change);
    void (*visit)(rvCable* cable, rvVisitor* visitor); // every number of its private state, in a fixed order
} rvModelLife;

// What a model says after a pass.
typedef struct {
    bool again; // the solution is too far from where its rows hold: the pass should be made again
    int more;   // on how many passes beyond the world's limit it insists
} rvPass;

// A step, in the order in which it is called.
typedef struct {
    // the route is known
    void (*begin)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step);
    // before each pass: in pass 0 the known forces on the bodies; in all of them geometric stiffness, if asked for
    void (*load)(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass);
    // its rows; sets cable->group
    void (*write)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step, rvRows* rows, int owner);
    // tensions of the places, cable->peakTension
    rvPass (*read)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step, const rvRows* rows);
    // to the end of the step, after the bodies moved and the route was updated; fills cable->account. Answers why the
    // state cannot be, NULL: it can
    const char* (*end)(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step);
} rvModelStep;

// What a cable holds at the middle of the last step [J]; the twist between its ends is not in it (route/twist.h).
typedef struct {
    double elastic;            // of stretch and bending, own torsion included
    double stretch;            // of segments, in `elastic`; 0 where a model has none
    double torsion, twist;     // that torsion, and its angle between the ends [rad]
    double kinetic, potential; // of the rope
    double wheels;             // kinetic, of wheels that turn by its route
    double uncertainty;        // how far these may be off while rope comes and goes, HUGE_VAL: by any amount
    bool known;                // they, heat of friction and work are all that the step did
} rvRopeEnergy;

// Read-out between steps; h: of the last one.
typedef struct {
    void (*energy)(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* energy);
    // at an end of a span, 0 or 1; -1: along its chord. With bodies a cable without history has one by its stretch
    double (*tension)(const rvCable* cable, const rvBodyStore* bodies, int span, int end);
    // internal forces at section->at, a rest length
    void (*section)(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, rvCableSection* section);
    // where the rope of a span is at a share of it, 0 to 1, and how fast
    void (*point)(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                  rvVec3* velocity);
    // points to draw it by, and the sections there; either may be NULL. Answers how many there are; 0 where the model
    // has no sections at these points and they are asked for
    int (*shape)(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                 int capacity);
    // adds force and torque (about its centre of mass) on a body
    void (*forceOn)(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force, rvVec3* torque);
} rvModelRead;

// Its own contacts with shapes.
typedef struct {
    // narrow phase; pass 0: once a step is predicted; later ones add contacts that the pass leads into, and answer
    // whether there are any
    bool (*collide)(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass);
    // how deep it is inside shapes, at most [m]
    double (*depth)(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes);
} rvModelContact;

// The rope of a span off its chord.
typedef struct {
    double length;   // of the rope in it [m]; 0: not known
    double touched;  // of the path over its points on shapes, planes apart [m]; 0: it touches none
    double reach[2]; // from an attached end at which the route lies on no shape: the end is drawn over it [m]
    double bulge;    // off its chord, at most [m]
} rvSpanShape;

// How the route and crossings see rope that hangs off its chord.
typedef struct {
    void (*measure)(const rvCable* cable, int span, rvSpanShape* shape);
    // polyline at the start of the last step and now, points between the ends of the span or with them, `most` at most;
    // was: may be NULL. Answers how many
    int (*trace)(const rvCable* cable, int span, rvVec3* was, rvVec3* now, int most);
} rvModelSpan;

// What an iteration towards equilibrium (step->atRest) has left of a cable.
typedef struct {
    double force;              // that a step would find unbalanced [N]
    double load;               // what it carries [N]
    double displacement, turn; // of its points by themselves [m, rad]
    double farthest;           // that they may go in one iteration: no farther than it looks for shapes [m]
} rvBalance;

// The search for equilibrium moves the inside of the cable; without this table it is placed hanging in each iteration.
typedef struct {
    void (*measure)(const rvCable* cable, double gravity, rvBalance* balance);
    bool (*nudge)(rvCable* cable); // is bent by a hair where its balance may be unstable; false: it is stable
} rvModelEquilibrium;

enum { RV_NOTHING_SLIPS = -1, RV_SAME_HOLDS = -2 };

// Places that attach and release while it runs.
typedef struct {
    // *missed: how far the place is away, where that is too far for the first time, else 0
    rvStatus (*set)(rvCable* cable, const rvBodyStore* bodies, int place, bool held, double* missed, rvError* error);
    // of a step that it fails in: the place that releases it and its force [N]; RV_SAME_HOLDS: none does, but it wants
    // to make the step in another way; RV_NOTHING_SLIPS
    int (*retry)(rvCable* cable, const rvBodyStore* bodies, double* force);
} rvModelHold;

typedef struct rvModel {
    const char* name;
    uint32_t traits; // RV_HAS_MASS and its like
    const rvModelLife* life;
    const rvModelStep* step;
    const rvModelRead* read;
    // from here on NULL: it has none
    const rvModelContact* contact;
    const rvModelLine* line;
    const rvModelSpan* span;
    const rvModelEquilibrium* equilibrium;
    const rvModelHold* hold;
} rvModel;

// For models whose equilibrium is always stable.
static inline bool rv_model_is_stable(rvCable* cable)
{
    (void)cable;
    return false;
}

// Of the cable's model.
static inline bool rv_cable_has(const rvCable* cable, uint32_t trait)
{
    return (cable->model->traits & trait) != 0;
}

// As the last step left it.
static inline double rv_cable_tension(const rvCable* cable, int span)
{
    return cable->model->read->tension(cable, NULL, span, -1);
}

// As users read it, at an end of a span (0, 1) or along its chord (-1).
static inline double rv_cable_published_tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    return cable->model->read->tension(cable, bodies, span, end);
}

// A massless one that took part in no step yet: its tension is by its stretch.
static inline bool rv_cable_is_untried(const rvCable* cable)
{
    return cable->state.fresh == RV_UNTRIED && !rv_cable_has(cable, RV_HAS_MASS);
}

static inline void rv_cable_follow(rvCable* cable, const rvBodyStore* bodies, rvChange change)
{
    cable->model->life->follow(cable, bodies, &change);
}

// Places came or went.
static inline void rv_cable_match(rvCable* cable, const rvBodyStore* bodies)
{
    rv_cable_follow(cable, bodies, (rvChange){.kind = RV_CHANGE_PLACES});
}

static inline void rv_cable_place(rvCable* cable, const rvBodyStore* bodies, rvPlacement how)
{
    cable->contactCount = 0;
    cable->model->life->place(cable, bodies, &how);
}

// Rope with mass, at rest or in straight lines.
static inline void rv_cable_hang(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    rv_cable_place(cable, bodies, (rvPlacement){straight ? RV_START_STRAIGHT : RV_START_HANGING, gravity, NULL, 0.0});
}

// Where the rope of a span is at a share of it, and how fast.
static inline void rv_cable_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share,
                                  rvVec3* at, rvVec3* speed)
{
    cable->model->read->point(cable, bodies, h, span, share, at, speed);
}

static inline int rv_cable_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity)
{
    return cable->model->read->shape(cable, shapes, points, NULL, capacity);
}

// What its rope holds beside the stretch of its segments [J].
static inline double rv_cable_rope_energy(const rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step)
{
    rvRopeEnergy energy = {0};
    if (!rv_cable_has(cable, RV_HAS_MASS))
        return 0.0;
    cable->model->read->energy(cable, bodies, step->gravity, step->h, &energy);
    return energy.kinetic + energy.potential + energy.elastic - energy.stretch;
}

// How much of the state of a place a run can change: nothing of contacts where the cable has none.
static inline size_t rv_cable_place_size(const rvCable* cable)
{
    return cable->collides ? sizeof(rvPlaceState) : offsetof(rvPlaceState, contact);
}
