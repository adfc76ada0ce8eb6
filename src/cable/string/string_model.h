// SPDX-License-Identifier: MIT
// Private state of the taut models, massless and layered: segments, and with mass the waves of spans.
#pragma once

#include "cable/core/model.h"
#include "cable/route/segment.h"
#include "cable/string/wave.h"

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

// What a span still owes the body of a shape that its curve touched.
typedef struct {
    double body; // index + 1; 0: none
    rvVec3 impulse, moment;
} rvSpanPress;

// What a span with mass carries beside its tension, in the record that its place names. Its amplitudes are in the
// cable's store. See model_layered.c.
typedef struct {
    double slot;                // 1 + where its wave is in the store; 0: it has none
    double arc;                 // of the wave: its length beyond the chord [m]
    double length;              // of its wave in the last step: its chord, or more where it hangs deep [m]
    double feels;               // share of gravity and of its ends' motion that the wave feels: less where it is longer
    double tension;             // along the chord in the last step [N]
    double offset;              // of `tension` from that of its segment, by weight [N]
    double known;               // 1: what follows holds for a step as the last one; -1: spans were joined to this one
    double nextArc, nextSlope;  // arc after the next step at `tension`, and its slope by the tension [m, m/N]
    double rest;                // rope in it [m]
    double filled;              // by it when the last step began: chord, arc and what is beyond [m]
    double held;                // energy that went into what a rope at rest has beyond the arc so far [J]
    double tank;                // energy that arcs which are no lines took so far; below 0: made, and owed [J]
    double beyond, beyondSlope; // of a rope at rest at `tension`: what it has beyond the wave's arc, its slope [m, m/N]
    double poised;              //   tension along the chord at which a rope at rest would have just that [N]
    double ends[2];             //   tension at its ends less that along the chord [N]
    double moving;              // 1: the velocities of its ends are known
    double suspended;           // 1: the explicit scheme stands still
    rvVec3 u, across;           // along it, and the first of the two directions across it
    rvVec3 points[2];           // where it began and ended [m]
    rvVec3 endSpeeds[2];        // in the last step [m/s]
    rvVec3 faster[2];           // acceleration of its ends then, as the wave felt it [m/s^2]
    rvVec3 owed[2];             // impulse that its ends did not get yet [N s]
    rvSpanPress presses[2];     // and bodies that its curve lies on
    double running, runs; // rope that runs past fixed places from here on, and its speed; see layered_run.c [kg, m/s]
    double lies;          // 1: its curve was pressed by a shape in the last step
    double floor;         // how high that is, against gravity [m]
    double along[2];      // mass of it that its ends took along its direction in the last step [kg]
    rvVec3 gravity;       // in which it hangs [m/s^2]
    rvVec3 pair;          // force on its first end, the opposite on its second: by what hangs deeper than the wave [N]
} rvSpanWave;

// Two spans become one, with the rope of both; its wave is made as long when the cable is matched.
static inline void rv_span_wave_join(rvSpanWave* wave, const rvSpanWave* next)
{
    wave->arc += next->arc;
    wave->length += next->length;
    wave->rest += next->rest;
    wave->filled += next->filled;
    wave->beyond += next->beyond;
    wave->held += next->held;
    wave->tank += next->tank;
    wave->owed[1] = next->owed[1];
    wave->faster[1] = next->faster[1];
    wave->endSpeeds[1] = next->endSpeeds[1];
    wave->along[1] = next->along[1];
    wave->known = wave->slot > 0.0 ? -1.0 : 0.0;
}

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

// What a layered cable has.
typedef struct {
    int subdivisions;
    rvWaveScheme scheme;
    double damping; // b [1/s]
    bool runs;      // the terms of rope that runs through its spans count
    bool untried;   // this step is its first: nobody counted yet what it runs with
    bool explicitForce;
    rvVec3 wind;
    double drag; // density of the fluid * drag coefficient * diameter/2 [kg/m^2]
    rvWaveTable table;
    rvSpanWave* spans; // records of the places; the first is none
    bool* taken;
    int spanRoom;
    double* room; // holds the table, the waves, the scratch and the work
    size_t roomSize;
    double* waves[2]; // of all spans, this step's and the next one's in turn: a failed step goes back for nothing
    double tau;       // damping time of the last rows [s]
    double brings[2]; // kinetic energy that a metre of rope from a winch is counted with [J/m]
    double* scratch;  // 6 * stride, then 2 for each place
    rvSpanWork* work;
    struct rvWaveTouch*
        touches;     // where curves touch shapes in this step, span by span; NULL: the cable does not collide
    double* columns; // of the contacts of a span
    int touchCount;
} rvLayer;

// What changes in a run; saved and restored.
typedef struct {
    double mode;        // of the stretch row
    double winchEnd;    // of two, the winch whose limit bounds the first row: 0 or 1
    double overStiff;   // 1: too stiff for the last step; see model_massless.c
    double stiffEnergy; // what it stored after the last step, where it was; else -1 [J]
    double waveSide;    // which of its two stores holds the waves now: 0 or 1
} rvStringState;

typedef struct rvString {
    rvStringState state;
    rvSegment* segments; // computed as a step begins
    int segmentCount, segmentRoom;
    double* block; // dense compliance of the rows where there is more than one segment
    size_t blockSize;
    bool asked;     // whether its stretch is paid for, in this step; see massless_unpaid.c
    bool firstPass; // of this step
    bool passes;    // an end runs past its eye in this pass
    rvLayer layer;  // of a layered one
} rvString;

// ---- string_model.c

rvStatus rv_string_create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, rvMemory* memory,
                          rvError* error);
void rv_string_destroy(rvCable* cable, rvMemory* memory);
void rv_string_visit(rvCable* cable, rvVisitor* visitor);
// Segments over changes that no row saw.
void rv_string_follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change);

// ---- stretch of segments: rates, energy, and how these follow a route that changed between rows

// Where rope can slip from a slack segment into a stretched one it does so without a pull, as when an end was hooked
// elsewhere.
void rv_segments_level(rvCable* cable);
// Stretch rates of segments without a past: by the velocities of the bodies and the winches.
void rv_segments_find_rates(rvCable* cable, const rvBodyStore* bodies);
// How fast the route from place first to last grows by the velocities of its bodies; `unexpected`: by what those that
// were moved have more than the step left them with.
double rv_segment_rate(const rvCable* cable, const rvBodyStore* bodies, int first, int last, bool unexpected);
// Adds factor times the length of each segment, as the route lies, to its stretch rate. `unexpected`: takes off how
// much faster it grows than the step expected.
void rv_segments_change_rates(rvCable* cable, const rvBodyStore* bodies, double factor, bool unexpected);
// Around a change of the route that no row saw, sign -1 before it and 1 after it: stretches at the middle of the step
// of h, by which energy is read and the next rows are biased, stay what they were. The bodies worked along the route as
// it was for the first half of the way between two middles and will along the new one for the second: what the route
// changed by beyond that is laid.
void rv_segments_keep_stretch(rvCable* cable, const rvBodyStore* bodies, double sign, double h);
// Does it pass a body of a host?
bool rv_cable_is_hosted(const rvCable* cable, const rvBodyStore* bodies);
// Is its turning within a step counted in its rates? See massless_advance.c. Not of rope with mass on bodies of a host,
// which go on from the middle of a step by the host's rule: its length counts there.
static inline bool rv_segments_count_turning(const rvCable* cable, const rvBodyStore* bodies)
{
    return rv_segments_persist(cable) && !(rv_cable_has(cable, RV_HAS_MASS) && rv_cable_is_hosted(cable, bodies));
}

// Of the segment that begins at place `first`, of this length, at the middle of the step of h: EA/N times its stretch
// [N].
double rv_segment_elastic_force(const rvCable* cable, int first, double length, double h);
double rv_segments_energy(const rvCable* cable, double h); // of the stretch, at the middle of the step of h [J]
