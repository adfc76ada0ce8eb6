// SPDX-License-Identifier: MIT
// What the files of the layered cable share: its spans.
#pragma once

#include "cable/string/catenary.h"
#include "cable/string/massless.h"
#include "cable/string/string_read.h"

static inline rvSpanWave* rv_layered_wave(const rvCable* cable, int span)
{
    return &cable->string->layer.spans[cable->route.places[span].record];
}

// The amplitudes of a span as they are (next 0), or where those of the next step go (next 1).
static inline double* rv_layered_amplitudes(const rvCable* cable, int span, int next)
{
    int side = (cable->string->state.waveSide != 0.0) != (next != 0);
    int slot = (int)rv_layered_wave(cable, span)->slot - 1;
    return cable->string->layer.waves[side] + (size_t)slot * rv_wave_size(&cable->string->layer.table);
}

// Tensions of neighbouring spans meet as of ropes bent up to this; beyond it the tension at the ends of a span falls
// with that along it, and rope would run from one to the other in no time.
#define RV_LARGEST_LEVEL_BEND 1.0

// A span in the field of gravity: horizontal and vertical part of its chord, weight of a metre.
typedef struct {
    double d, z, weight;
    double largest; // bend of a rope that hangs in it
    rvVec3 up;
    bool lies; // on a shape, by its curve
} rvSpanLie;

rvSpanLie rv_layered_lie(const rvCable* cable, int span, rvVec3 gravity);

// The length of a span's wave: its chord, or more where it hangs deep.
double rv_layered_length(const rvCable* cable, int span, rvVec3 gravity);

// How far that may change in a step of h: as fast as a rope swings. One that falls freely has no tension and no sag
// yet, and the catenary of a steep rope without tension is long beyond measure.
double rv_layered_reach(const rvCable* cable, int span, double h, rvVec3 gravity);
// Beside that it falls by what is drawn out of the spans of segment k: by their ends, which move apart, by rope that
// slips over the junctions beside it, that wheels with inertia carry over them (bodies NULL: as in the last step), and
// by winches. A body lighter than the rope does not draw it straight so fast: the share of layered_ends.c.
void rv_layered_find_drawn(rvCable* cable, int k, const rvBodyStore* bodies, double h);

typedef struct {
    double from, by, drawn;
    double poised; // tension that belongs to `from` [N]
} rvReach;

// What a rope at rest at this tension along its chord has beyond the arc of the wave at rest, stretch and all, within
// reach; its slope by the tension in *slope.
double rv_layered_beyond(const rvCable* cable, const rvSpanLie* lie, double tension, rvReach reach, double* slope);

// Tension along the chord of a rope at rest.
static inline double rv_layered_along(const rvCatenary* c, const rvSpanLie* lie)
{
    return (c->horizontal * lie->d + c->vertical * lie->z) / sqrt(lie->d * lie->d + lie->z * lie->z);
}

// The arc of the wave at rest: a parabola, between grid points a polygon.
double rv_layered_arc_at_rest(const rvCable* cable, const rvSpanLie* lie, double tension);

// How much tighter its ends are; and those of one that is bent no more than tensions of neighbouring spans meet by.
void rv_layered_tighter(const rvCatenary* c, const rvSpanLie* lie, double ends[2]);
void rv_layered_level_ends(const rvCable* cable, const rvSpanLie* lie, double tension, double ends[2]);

// The mean over D, what it has beyond, of the tension of a rope at rest on its way from D[0] at T[0] to D[1] at T[1].
double rv_layered_mean_tension(const double D[2], const double T[2]);

// The span's sag at the tension along its chord: beyond, ends.
void rv_layered_sag(rvCable* cable, int span, double tension, rvReach reach, rvVec3 gravity);

// Mass of a span [kg].
static inline double rv_layered_mass(const rvCable* cable, int span)
{
    return cable->massPerLength * rv_layered_wave(cable, span)->rest;
}

// The step of a span's wave under this tension along its chord; without load.
rvWaveStep rv_layered_step(const rvCable* cable, int span, double tension, double h);
// What drives the wave in its two directions: the field, and the acceleration of the ends, which the chord takes along.
void rv_layered_set_load(rvWaveStep* step, const rvSpanWave* wave, rvVec3 field, const rvVec3 faster[2]);

// The ends of a span; see layered_ends.c.
void rv_layered_keep_momentum(rvCable* cable, const rvBodyStore* bodies, int span); // before its frame is carried along
void rv_layered_find_entered(rvCable* cable, double h);                             // once its rope is shared
void rv_layered_begin_ends(rvCable* cable, const rvBodyStore* bodies, int span);
void rv_layered_add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context);
void rv_layered_write_ends(const rvCable* cable, const rvBodyStore* bodies, rvRows* rows, int owner);
void rv_layered_find_motion(rvCable* cable, const rvBodyStore* bodies, int span, double h);
void rv_layered_settle_ends(rvCable* cable, const rvBodyStore* bodies, int span, double h);
// Work of the fluid's push on what the wave moved by in this step. (What it takes by drag is among the wave's losses.)
double rv_layered_blow(const rvCable* cable, int span);
double rv_layered_ends_energy(const rvCable* cable, const rvBodyStore* bodies, int span);
// Of rope on wheels and shapes, at the middle of the last step of h: added.
void rv_layered_wound_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                             double* potential);

// Inertia of rope that runs past fixed places; see layered_run.c.
void rv_layered_write_runs(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                           int owner);
void rv_layered_read_runs(rvCable* cable, const rvRows* rows);
void rv_layered_advance_runs(rvCable* cable, double h);
double rv_layered_runs_energy(const rvCable* cable);
// What a metre of rope that a winch pays out brings into the books by its speed [J/m].
double rv_layered_run_energy(const rvCable* cable, const rvBodyStore* bodies, int winch);

// A point of a span's curve that touches a shape; see layered_contact.c.
enum { RV_WAVE_TOUCHES = 200 };
typedef struct rvWaveTouch {
    int span, point, body;
    rvVec3 normal, along; // out of the shape; across the rope along its surface
    rvVec3 at;            // on the surface
    double gap, friction;
    double part[2][2]; // both, in the two directions of the wave
    double speed[2];   // without impulse; the first with what the gap allows [m/s]
    double impulse[2]; // [N s]
    double carried[2]; // speed with which the ends, and a body that is pushed, take that on [m/s]
} rvWaveTouch;

bool rv_layered_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass);
int rv_layered_touching(const rvCable* cable);
// Once the wave of a span took its step; and what the ends and shapes get of it.
void rv_layered_touch(rvCable* cable, const rvBodyStore* bodies, int span, double tension,
                      const rvStepContext* context);
void rv_layered_react(rvCable* cable, const rvBodyStore* bodies, int span);

// Offsets of all spans' tensions from their segments' by weight; see model_layered.c.
void rv_layered_weigh(rvCable* cable, rvVec3 gravity);
// These at a junction: where the span before it ends and where the one behind it begins [N].
void rv_layered_at_junction(const rvCable* cable, int i, double sides[2]);

// How much more a span is stretched than its segment's tension says [m].
double rv_layered_own_stretch(const rvCable* cable, int span);

// Rope of each place and span: what lies on wheels and shapes there, the rest by what the spans hold. Of a loose one
// the chord changes although no rope comes or goes: the offset worked on that, not on the height of any rope.
void rv_layered_share_rope(rvCable* cable);

// Rope on the wheel or shape at a place moves with its body and weighs on it: at its middle, in the world.
rvVec3 rv_layered_wound_at(const rvCable* cable, const rvBodyStore* bodies, int place);

// Waves for spans that have none, and as long as they are said to be where spans were cut or joined.
void rv_layered_match(rvCable* cable, const rvBodyStore* bodies);
// At rest under their weight, as the rest length says; at creation.
void rv_layered_hang(rvCable* cable, rvVec3 gravity, bool straight);

// A wave as amplitudes of its modes, or as points of the explicit scheme; see layered_shape.c: its arc beyond the
// chord (unit: M^2/l), a row of it from M - 1 points, a row's displacement at point j = 1 .. M - 1.
double rv_layered_wave_arc(const rvCable* cable, double unit, const double* wave);
void rv_layered_take_row(const rvCable* cable, const double* points, double* row);
double rv_layered_at_point(const rvCable* cable, const double* row, int j);

// The curve of a rope at rest, and what the wave is off from its own; see layered_shape.c.
typedef struct {
    rvCatenary rest; // by the rope in the span
    rvSpanLie lie;
    rvVec3 level;     // horizontal, along the span
    rvVec3 chord;     // from end to end [m]
    rvVec3 sag;       // of the wave at rest: u = sag x (1 - x) [m]
    double stiffness; // EA [N]
    double share;     // of its sag that the rope has come to; 0: it is as the wave says
    double carried;   // of what hangs in that sag, by its ends
    double deeper;    // how much further than its wave it is off its rest
} rvSpanHung;

rvSpanHung rv_layered_hung(const rvCable* cable, int span);
// At the share x of the rope: how far it is off the curve of the wave, which is off the chord by u there.
rvVec3 rv_layered_hung_at(const rvSpanHung* hung, double x, rvVec3 u);
// Tensions at the ends of a span by that along its chord; of a deep rope they are more than what the tensions of
// neighbouring spans meet by.
void rv_layered_end_tensions(const rvCable* cable, int span, double along, double ends[2]);
// What the body of a place gets of the rope beside the tensions along its chords: weight, at rest.
void rv_layered_load_on(const rvCable* cable, const rvBodyStore* bodies, int place, rvVec3* force, rvVec3* torque);
int rv_layered_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                     int capacity);

// Shape and motion, for another model and from one; see layered_take.c.
void rv_layered_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                      rvVec3* speed);
void rv_layered_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h);

// Where it crosses ropes; see layered_cross.c. Of what a rope at rest has beyond its chord l, S + D: the arc of its
// wave. By the series of a catenary D = 3 S^2/(10 l), but for the sixth power of the slope; beyond 0: it has no D.
static inline double rv_layered_arc_of(double all, double length, double beyond)
{
    double share = 0.6 * fmax(0.0, all) / fmax(length, 1e-6);
    return beyond != 0.0 ? 2.0 * fmax(0.0, all) / (1.0 + sqrt(1.0 + 2.0 * share)) : fmax(0.0, all);
}
int rv_layered_trace(const rvCable* cable, int span, rvVec3* was, rvVec3* now, int most);
void rv_layered_measure_span(const rvCable* cable, int span, rvSpanShape* shape);
void rv_layered_unite(rvCable* cable, int first, int last);

// What it holds; see layered_books.c.
void rv_layered_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* energy);
void rv_layered_slow(rvCable* cable, double share);
void rv_layered_move_ends(rvCable* cable, int body, rvVec3 v, rvVec3 w);

// Private state; see layered_state.c.
rvStatus rv_layered_create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                           rvMemory* memory, rvError* error);
void rv_layered_destroy(rvCable* cable, rvMemory* memory);
void rv_layered_visit(rvCable* cable, rvVisitor* visitor);
// The record of the span that begins at a place.
void rv_layered_take_record(const rvCable* cable, rvPlace* place);
void rv_layered_drop_record(const rvCable* cable, rvPlace* place);
void rv_layered_join_records(const rvCable* cable, rvPlace* into, const rvPlace* from);

// ---- layered_tension.c: the tension of a segment in a step

// The stretch that a segment has without the arcs of its spans at the middle of this step, and with them at that of the
// last one.
typedef struct {
    double before, base; // [m]
    double give;         // of the base by the tension, where the bodies have not moved yet [m/N]
    double compliance;   // [m/N]
    double share;        // tau/h
    double lead; // what the row's damping sees beyond the way from before to after: its rate is that of the end [m]
} rvLayeredStretch;

rvReach rv_layered_reach_of(const rvCable* cable, int span);
// d nu^2/d T of a span.
double rv_layered_nu2_by_tension(const rvCable* cable, int span, double h);
// Speed of the rope past a place, along the direction of travel [m/s].
void rv_layered_find_flow(const rvCable* cable, double h, double* flow);
rvWaveStep rv_layered_driven_step(rvCable* cable, int i, double tension, bool snaps, const double* flow,
                                  const rvStepContext* context);
// `grown`: what the chords and the winches make of it in this step.
rvLayeredStretch rv_layered_stretch_of(const rvCable* cable, int k, double grown, double h);
// As the row saw it, wheels included, once the bodies have moved; winches have not yet. See massless_advance.c.
double rv_layered_growth_of(const rvCable* cable, const rvBodyStore* bodies, int k, const rvStepContext* context);
// The tension that changes the stretch's energy V = max(0, p)^2/(2 eps) from the one stretch to the other:
// (V+ - V-)/(p+ - p-), and damping. t: with which the bodies will move; extra: what the spans have beyond their chords.
double rv_layered_tension_between(const rvLayeredStretch* stretch, double t, double extra);
// The tension of a segment that slips along with the first of its group, which has t.
double rv_layered_tension_in(const rvCable* cable, int k, double t);
// What all spans of segments k up to `end` have beyond their chords after the step with tension t of the first of them,
// and its slope.
double rv_layered_extra_with(rvCable* cable, int k, int end, double t, const double* flow, const rvStepContext* context,
                             double* slope);
// Where the tension is that of the stretch which it makes itself. The row knew the arcs as lines only; where they were
// not, the waves step with this tension, so that they neither win nor lose what the bodies do not give or take.
double rv_layered_settle_tension(rvCable* cable, int k, int end, const rvLayeredStretch* stretch, const double* flow,
                                 const rvStepContext* context);
