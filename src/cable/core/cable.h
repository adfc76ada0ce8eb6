// SPDX-License-Identifier: MIT
// Cables: a route, a model that fills it, winches at its ends. The types; see route/, and driver/cables.h for what
// is done with all of them.
#pragma once

#include "cable/core/interval.h"
#include "cable/core/place.h"
#include "contact/shape.h"
#include "reeve/world.h"

// A winch as it is commanded: rvWinchDef in doubles alone, so that its bytes have no gaps.
typedef struct {
    double control, brake; // rvWinchControl; 0 or 1
    double speed, target, maxSpeed, acceleration, compliance, maxForce, brakeForce;
    double minLength, maxLength, stored, capacity, width;
} rvWinchSettings;

// What changes of a winch in a run; saved and restored, as its settings.
typedef struct {
    double rate;      // rest length paid out a second in the last step [m/s]
    double commanded; // what its motor was told to do in the last step [m/s]
    double work;      // done by its motor on the rest of the world so far [J]
    double heat;      // of its slipping brake so far [J]
    double angle;     // turned by its drum so far, positive pays out [rad]
    double drumSpeed; // in the last step [rad/s]
    double stop;      // -1 at the inner stop, 1 at the outer, else 0
    double radius;    // of the layer that the route leaves the drum from [m]
    double overrun;   // 1 while control by tension pays out at its largest speed
    double offset;    // tension at it less that of its segment, by the rope's weight [N]
    double toldStop;  // the stop that an event has reported
} rvWinchState;

// A winch within a step; set as the step begins.
typedef struct {
    double driveSpeed;      // stops taken into account [m/s]
    double driveCompliance; // [m/(s N)]
    double driveLimit;      // tension at which it slips [N]
    double motorSpeed;      // of the motor at a drum with inertia: of the rim [m/s]
    double motorCompliance; // [m/(s N)]
    double motorLimit;      // force at the rim [N]
    double motorWork;       // of it in the last step [J]
    double drumTorque;      // of the rope's weight on a drum with inertia, about its axis [N m]
    double height;          // potential energy that a metre of rope brings along from it [J/m]
    double lastRate;        // in the step before [m/s]
} rvWinchStep;

// A winch at an end of a cable; see route/winch.h.
typedef struct {
    bool exists;
    rvWinchSettings settings;
    rvWinchState state;
    rvWinchStep step;
} rvWinch;

#define RV_UNTRIED 2.0
#define RV_MOST_RUNS 8 // of a cable, that have a row each; see layered_run.c

enum { RV_RAN_OFF = 2 };

// What changes in a run beside the places' own state; saved and restored as bytes.
typedef struct {
    double places;     // how many there are, contacts counted; set when it is saved
    double restLength; // unstretched length out, all segments together [m]
    double broken;     // 0 or 1; RV_RAN_OFF and one more: it ran off its place beside its first or its last end
    double heat;       // by its damping, drag and the step's own loss so far [J]
    double weightWork; // of rope that broke off: what its weight had is taken along [J]
    double slipping;   // 1 while a winch slips at its limit
    double stopped,
        stopPull; // 1 + the place, of its definition, where a span without rope is stopped, else 0; tension there [N]
    double toldStopped;                            // what events have said of it
    double toldFull;                               // 1: they said that it has no room for a contact
    double toldCoarse;                             // 1: they said that it needs more elements
    double toldBroken, toldSlipping, toldOverload; // what events have said already
    double taut;                                   // 1 while it carries tension
    double twist;                                  // between the ends [rad], any number of turns; see twist.h
    double twistRate;                              // [rad/s]
    double twistTorque;                            // [N m]
    double twistZero;                              // twist of the directors' angle 0, without its whole turns [rad]
    double twistTurns;                             // whole turns
    double twistFresh;                             // as `fresh`, of the twist
    double fresh; // 1: stretch rates are not known and come from the bodies' velocities at the next step;
                  // RV_UNTRIED: nor did it take part in a step yet
} rvCableState;

// What a cable's last step leaves to those around it.
typedef struct {
    double excess;   // energy that it made and could not take back from itself: the bodies around owe it [J]
    double entering; // heat of rope with mass that came or went: velocity that it has less than it is counted with [J]
    double blown;    // what a fluid took from it; negative where it drives it [J]
    double rowHeat;  // of the damping of its rows, where it is known [J]
    int held;        // 1: by something that does not move freely, -1: by nothing, 0: its rows tell
} rvAccount;

// As a line that other lines touch.
typedef struct {
    int room;    // pieces, at any time
    int pieces;  // in this step; 0: it touches no other
    bool folds;  // it may touch itself
    bool beside; // where it may come to in this step there may be another
} rvLineState;

typedef struct {
    // set at creation
    rvCableDef def;              // without name and places
    const struct rvModel* model; // see model.h
    char* name;
    const rvReference* reference; // methods of the papers; NULL: it has none. See reference.h
    double axialStiffness;        // EA [N]
    double diameter;              // [m]
    double damping;
    double torsionalStiffness; // GJ [N m^2]; 0: no torsion
    double twistDamping;
    double overload, breakForce;
    bool pushes;
    bool collides;
    double friction; // against shapes
    uint32_t shapeGroup, mask;
    int definedCount;                     // places of the definition; the others are contacts
    int numbered;                         // places so far: the next one gets this number
    bool hangsAnew;                       // as if nothing were there: a change of its places was too far for its shape
    double tooFar;                        // was a place that was to hold it, in the last change of its places [m]
    bool loose;                           // an end is free: it carries nothing
    int wheelCount;                       // wheels with inertia
    rvVec3 endTangent[2], endDirector[2]; // along the cable and across it, in the axes of the end bodies; see twist.h
    double massPerLength;                 // of rope with mass [kg/m]
    union {
        void* inner;             // private state of its model
        struct rvString* string; // of taut models; see string_model.h
        struct rvFe* fe;         // of finite elements; see fe.h
        struct rvAleRope* rope;  // of finite elements that rope flows through; see ale_rope.h
    };
    rvRoute route;
    rvCableState state;
    rvWinch winch[2]; // at place 0, at the last place
    // set as a step begins
    int* slots; // solver bodies of the rows: the route's, then its wheels', then those of its crossings
    int slotCount;
    size_t slotRoom;
    // of the last step
    double drift;        // of the points where it crosses ropes, by the pulls as they are: largest speed [m/s]
    bool again;          // by its model after the last pass: it should be made again
    int more;            //   and on how many passes beyond the world's limit it insists
    const char* failure; // what of the last step cannot be; NULL: nothing
    bool dense;          // in this step all of its rows are for the solver, none stay inside
    int touched, left, droppedContacts; // contacts that came, went and found no room in the last step
    rvLineState line;
    int contactCount; // contacts of its own that press, after the last step
    rvAccount account;
    rvCableRest start; // how its static shape at the start was found
    bool startAsked;   //   and whether it was asked for
    int needed;        // elements, where it has too few; 0: it has enough
    // set with its room
    int tracePoints;         // of a span's polyline, at most
    int roomRows, roomSlots; // of its group: rows at most, and bodies beyond those of the route
    // computed by rows
    int group;          // of the last rows, -1: none
    int stiffCount;     // spans with transverse rows
    int limitingWinch;  // the one whose limit bounds the solve
    double usedTension; // largest tension that the geometric stiffness of this pass was made with [N]
    double peakTension; // largest tension of the last solve [N]
    double loosePull;   // tension up to which it hangs loose: 0, or the weight of finite elements [N]
    int twistGroup;     // of the last rows, -1: none
    double twistSpeed;  // twist's rate by the solved velocities [rad/s]
} rvCable;

// Two ropes that hold each other, within a step: see crossing/crossing.h.
typedef struct rvCrossing {
    int cable[2], place[2]; // where it stands in both routes
    int solverBody;
    double h;
    int body[4]; // at its neighbours; -1: it does not move
    rvVec3 arm[4];
    rvVec3 reach[4]; // to the ends of their spans [m]
    rvMat3 carry[4]; // A_i
    rvMat3 share[4]; // of their velocities in that of the point beside its own part: A_i, less where ropes have mass
    double mass[6];  // h^2 K
    int slot[2][5];  // in the rows of either rope: of the four bodies and of its own; -1: none
    // of ropes with mass, see crossing_mass.c
    double ropeMass[2];  // of either rope at the point [kg]
    rvVec3 ropeForce[2]; // on the point, beside its tension [N]
    rvVec3 ropePull[2];  //   of that what is in the tensions of its spans
    int group;           // of the rows of that mass, -1: none
    double block[9];     // compliance of these
    rvVec3 goes;         // velocity of the point, were there no tensions [m/s]
} rvCrossing;

// What began or ended in the last step.
typedef struct {
    int cable[2];
    bool began;
} rvCrossingChange;

typedef struct rvRopePoint rvRopePoint; // see crossing_elements.h
typedef struct rvRopeMemory rvRopeMemory;

// An end of a span at a body; see span_stiffness.c.
typedef struct {
    int cable, span;
    int atStart; // the body is at the span's first place
    int next;    // next end at the same body, -1: none
} rvSpanEnd;

typedef struct {
    const rvReference* reference; // of its world
    rvCable* items;
    int capacity;
    rvIdPool pool;
    int spanCount; // of all cables together, at most
    int colliding; // cables that collide
    int meeting;   // cables that collide or whose model has contacts of its own: without any no rope meets anything
    // scratch of cable_contact.c
    rvRopeNode* nodes;
    rvRopeTouch* touches;
    rvPlace* spare;
    rvPose* before; // pose of each shape at the start of the step
    int* near;
    rvInterval* sorted; // shapes, or spans of a rope, along an axis
    int nodeCapacity, touchCapacity, spareCapacity, beforeCapacity, nearCapacity, sortedCapacity;
    int wheelCount; // with inertia, of all cables together
    // where ropes cross now; see crossing.h
    rvCrossing* crossings;
    rvCrossingChange* crossingChanges; // of the last step
    rvRopePoint* ropePoints;           // where ropes of elements touch ropes in this step; see crossing_elements.h
    rvRopeMemory* ropeMemories;        //   and where they are near each other now
    rvVec3* lines;                     // scratch of that: a line at the start of the step and at its end
    bool hosted; // rows of this step go to a host, which knows no points between ropes: none hold each other
    int ropePointCount, ropePointCapacity, ropeMemoryCapacity, firstRopePoint, lineCapacity;
    rvVec3* traces; // scratch of crossing_find.c: polylines of two spans, as they were and as they are
    int traceCapacity;
    rvVec3 (*ropeBoxes)[2]; // scratch of crossing_find.c: around each cable and where it was
    int crossingCount, crossingCapacity, crossingChangeCount, crossingChangeCapacity, ropeBoxCapacity;
    // scratch of span_stiffness.c
    rvSpanEnd* ends;
    int* firstEnd; // by body
    int* kinkBodies;
    int endCapacity, firstEndCapacity, kinkCapacity;
} rvCableStore;

// By the last step.
static inline bool rv_cable_is_taut(const rvCable* cable)
{
    return cable->peakTension > cable->loosePull && cable->state.broken == 0.0;
}

// Are they of groups that meet?
static inline bool rv_cable_may_touch(const rvCable* cable, const rvShape* shape)
{
    return (shape->group & cable->mask) && (cable->shapeGroup & shape->mask);
}

static inline void rv_cables_note_crossing(rvCableStore* store, int cableA, int cableB, bool began)
{
    if (store->crossingChangeCount < store->crossingChangeCapacity)
        store->crossingChanges[store->crossingChangeCount++] = (rvCrossingChange){{cableA, cableB}, began};
}

enum { RV_MOST_CROSSINGS = 16 }; // of one cable

// How many crossings a cable may have.
static inline int rv_crossing_room(const rvCable* cable)
{
    int contacts = cable->collides ? cable->route.capacity - cable->definedCount : 0;
    return contacts < RV_MOST_CROSSINGS ? contacts : RV_MOST_CROSSINGS;
}

// Solver bodies of all crossings together, at most.
static inline int rv_crossings_room(const rvCableStore* store)
{
    int room = 0;
    for (int i = 0; store->colliding > 0 && i < store->pool.count; ++i)
        room += rv_id_pool_alive(&store->pool, i) ? rv_crossing_room(&store->items[i]) : 0;
    return room / 2; // each stands in two places
}
