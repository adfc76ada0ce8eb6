// SPDX-License-Identifier: MIT
// Cables: a route, a span model that fills it, winches at its ends. The types; see route/, and driver/cables.h for what
// is done with all of them.
#pragma once

#include "cable/core/interval.h"
#include "cable/core/place.h"
#include "cable/string/wave.h"
#include "contact/shape.h"

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
    double mode;       // of the stretch row
    double broken;     // 0 or 1; RV_RAN_OFF and one more: it ran off its place beside its first or its last end
    double heat;       // by its damping, drag and the step's own loss so far [J]
    double owed[3];    // of a curve, after the last steps: what they made and was not taken back [J], see curve_books.c
    double made;       // the same after the last step, from its start to its end, where no body that is pushed feels it
    double lively;     // of a curve: what moved it of late, kinetic energy and work [J]
    double weightWork; // of rope that broke off: what its weight had is taken along [J]
    double winchEnd;   // of two, the winch whose limit bounds the first row: 0 or 1
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
    double overStiff;                              // 1: too stiff for the last step; see model_massless.c
    double stiffEnergy;                            // what it stored after the last step, where it was; else -1 [J]
    double waveSide;                               // which of its two stores holds the waves now: 0 or 1
    double fresh; // 1: stretch rates are not known and come from the bodies' velocities at the next step;
                  // RV_UNTRIED: nor did it take part in a step yet
} rvCableState;

// A run of spans between two junctions (or ends): one tension in it. Computed each step from the places.
typedef struct {
    int first, last;   // places at its ends
    double length;     // with the arcs of its inner wheels and its parts of the arcs at its ends [m]
    double stretch;    // length - rest length at the start of the step [m]
    int head;          // first segment of its chain, of those that rope can slip between
    double ahead;      // stretch of its chain from it on at the end of the step if nothing held the bodies back [m]
    double joined;     //   the most of it and of chains beside it over wheels that turn, together [m]
    double correction; // of its rate, where it was slack [m/s]
    double stored;     // in its stretch before the step, where damping may hold it back [J]
    double ratio;      // e of the junction before it: T_tight <= e T_slack
    double drag;       //   and its viscous drag; none where all comes to rest [N s/m]
    // scratch of massless_advance.c
    double phi, loose, weight, flow;
    double extraStrain;        // of the segment beyond weight times that of the group's first
    double seen;               // rate of its length by the gradient of its row and the solved velocities [m/s]
    double seenBefore;         //   and by those of the last step
    double turning;            // what it grew by in this step beyond that [m]
    double unread;             // of its rate: where the winch lets go it counts for the books alone [m/s]
    double middle, restBefore; // stretch at the middle of the last step, rest length at the start of this one [m]
    double carried;            // rest length that the wheel before it carried into it [m]
    double drumStretch;        // of the way of a drum with inertia at its end: what its rope was stretched by [m]
    double energyOfRope;       // e: energy that a metre of rest length brings along [J/m]
    int stuck;
    // of a cable with mass, else 0; see model_layered.c
    double shift, softness;    // what the spans add to stretch [m] and compliance [m/N] of the row
    double chainMobility;      // of the length from it to the end of its chain [1/kg]
    double mobility, freeRate; // of its length [1/kg], without tension [m/s]
    double begun;              // tension at the start of the step [N]
    bool snaps;                // it comes taut in this step
    double rise;               // of the spans' arcs in the next step [m]
    bool swings;               // they rise, and what holds them is heavier than they are
    double atJunction[2];      // how much tighter the rope is at the junction before it than the tension of the segment
                               //   before it, and than its own [N]
    double grown;              // of what the spans add to the length in this step [m]
    double way;                // of its stretch between the middles of the last step and this one, without them [m]
    double past, pastLaid;     // what massless_pass.c counts for its stretch, and as laid, in this pass [m]
} rvSegment;

// What a span with mass needs within a step.
typedef struct {
    double chord;      // at the start of the step [m]
    double length;     // of the string that waves: the chord, or half of the rope where that is more [m]
    double anchor;     // tension at which its arc was made linear [N]
    double arc, slope; // after this step, at the anchor [m, m/N]
    double rest;       // rope in it, before this step [m]
    double wound;      //   and on the place where it begins
    double entered[2]; // rope that came in at its ends since the last step [m]
    double beyond;     // of its rope at rest, before this step [m]
    double poised;     // tension that belongs to it [N]
    double reach;      // how far that may change in it [m]
    double drawn;      // how much further down, by what is drawn out of the span [m]
    double apart;      // how far its ends move apart in the step [m]
    double deeper;     // mean tension at its ends less that along the chord, before this step [N]
    double coupled;    // share of the ends' motion that the wave feels, and gives back
    double heavy[2];   // mass that its ends feel [kg]
    double stiffer[2]; //   and how much more along it
    rvVec3 swung[2];   // momentum of the wave that counts at them, before this step [kg m/s]
    rvVec3 given[2];   // impulse of the wave that they get in this step [N s]
    double drag;       // rate at which the fluid slows it down [1/s]
    rvVec3 push;       // acceleration by the fluid [m/s^2]
    rvVec3 blown[2];   // its force on the ends [N]
    rvVec3 pair;       // that of what hangs deeper than the wave on the first of them [N]
    double lost;       // by the damping of its wave [J]
    bool on[2];        // the places at its ends held it when the step began
    bool slowed;       // its wave was slowed down after the step
    bool stands;       // its wave: it owes all of its speed
    int runGroup;      // row of rope that runs past the place where it begins, -1: none; see layered_run.c
    double running, runShare, runBefore, runImpulse; // its mass, share of the cable before it, speed before, impulse
} rvSpanWork;

// What a cable with mass has; all 0 where it has none.
typedef struct {
    double mass; // a metre of rest length [kg/m]
    int subdivisions;
    rvWaveScheme scheme;
    double damping; // b [1/s]
    bool runs;      // the terms of rope that runs through its spans count
    bool untried;   // this step is its first: nobody counted yet what it runs with
    bool explicitForce;
    bool straight; // at creation
    rvVec3 wind;
    double drag; // density of the fluid * drag coefficient * diameter/2 [kg/m^2]
    rvWaveTable table;
    size_t roomSize;  // of cable->inner, which holds the table, the waves, the scratch and the work
    double* waves[2]; // of all spans, this step's and the next one's in turn: a failed step goes back for nothing
    double tau;       // damping time of the last rows [s]
    double carried;   // heat of this step: speed that rope which came or went has less than it is counted with [J]
    double blown;     // and what the fluid took from it, less than none where it drives it [J]
    double brings[2]; // kinetic energy that a metre of rope from a winch is counted with [J/m]
    double* scratch;  // 6 * stride, then 2 for each place
    rvSpanWork* work;
    struct rvWaveTouch*
        touches;     // where curves touch shapes in this step, span by span; NULL: the cable does not collide
    double* columns; // of the contacts of a span
    int touchCount;
} rvLayer;

// What a cable's last step leaves to those around it.
typedef struct {
    double excess; // energy that it made and could not take back from itself: the bodies around owe it [J]
    int held;      // 1: by something that does not move freely, -1: by nothing, 0: its rows tell
} rvAccount;

typedef struct {
    // set at creation
    rvCableDef def; // without name and places
    rvCableModel model;
    const struct rvCableModelOps* ops; // of the model; see model.h
    char* name;
    double axialStiffness; // EA [N]
    double diameter;       // [m]
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
    rvLayer layer;
    union {
        void* inner;            // what its model keeps beside all this, NULL: nothing; see cable_model.h
        struct rvFe* fe;        // of finite elements; see fe.h
        struct rvAleRope* rope; // of finite elements that rope flows through; see ale_rope.h
    };
    rvRoute route;
    rvCableState state;
    rvWinch winch[2]; // at place 0, at the last place
    // computed by rv_cables_route
    rvSegment* segments;
    int segmentCount;
    double* block; // dense compliance of the rows where there is more than one segment
    size_t blockSize;
    int* slots; // solver bodies of the rows: the route's, then its wheels', then those of its crossings
    int slotCount;
    size_t slotRoom;
    int firstWheel; // solver body of the first wheel
    // computed by rv_cables_collide
    double drift;        // of the points where it crosses ropes, by the pulls as they are: largest speed [m/s]
    bool again;          // by its model after the last pass: it should be made again
    int more;            //   and on how many passes beyond the world's limit it insists
    const char* failure; // what of the last step cannot be; NULL: nothing
    bool dense;          // in this step all of its rows are for the solver, none stay inside
    int touched, left, droppedContacts; // contacts that came, went and found no room in the last step
    int contactCount;                   // contacts of its own that press, after the last step
    rvAccount account;
    rvCableRest start;       // how its static shape at the start was found
    bool startAsked;         //   and whether it was asked for
    int tracePoints;         // of a span's polyline, at most
    int roomRows, roomSlots; // of its group: rows at most, and bodies beyond those of the route
    int needed;              // elements, by the last step, where it has too few; 0: it has enough
    // computed by rows
    int group;          // of the last rows, -1: none
    int stiffCount;     // spans with transverse rows
    bool asked;         // whether its stretch is paid for, in this step; see massless_unpaid.c
    bool firstPass;     // of this step
    bool passes;        // an end runs past its eye in this pass
    bool besideRope;    // where a rope of elements may come to in this step there may be another
    int limitingWinch;  // the one whose limit bounds the solve
    double usedTension; // largest tension that the geometric stiffness of this pass was made with [N]
    double peakTension; // largest tension of the last solve [N]
    double rowHeat;     // of the damping of its rows in the last step [J]
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
    rvCable* items;
    int capacity;
    rvIdPool pool;
    int spanCount; // of all cables together, at most
    int colliding; // cables that collide
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
