// SPDX-License-Identifier: MIT
// What the files of the massless cable share, and the layered one uses of it: its segments.
#pragma once

#include "cable/core/model.h"
#include "cable/route/winch.h"
#include "cable/string/string_model.h"

// Segments are counted from the winch on, of two from the one nearer to its limit; from place 0 where there is none.
static inline bool rv_massless_reversed(const rvCable* cable)
{
    return cable->winch[1].exists && (!cable->winch[0].exists || cable->string->state.winchEnd != 0.0);
}

// The place between segments k - 1 and k.
static inline rvPlace* rv_massless_junction(const rvCable* cable, int k)
{
    const rvSegment* segment = &cable->string->segments[k];
    return &cable->route.places[rv_massless_reversed(cable) ? segment->last : segment->first];
}

// Does rope that slips over junction k feel viscous drag, alone or beside friction?
static inline bool rv_massless_drags(const rvCable* cable, int k)
{
    return cable->string->segments[k].drag > 0.0 && isfinite(cable->string->segments[k].ratio);
}

// Rest length, rate and tension of segment k live at its first place.
static inline rvPlaceState* rv_massless_state(const rvCable* cable, int k)
{
    return &cable->route.places[cable->string->segments[k].first].state;
}

static inline bool rv_massless_holds(const rvSegment* segment, int place)
{
    return segment->first == place || segment->last == place;
}

// 0 or 1 for a winch at place i whose drum has inertia, -1: none.
static inline int rv_massless_drum(const rvCable* cable, int i)
{
    return cable->route.places[i].inertia > 0.0 ? rv_cable_winch_at(cable, i) : -1;
}

// Has the wheel at place i a motor or a brake of its own?
static inline bool rv_massless_has_motor(const rvCable* cable, int i)
{
    return cable->route.places[i].state.driveTorque > 0.0 || rv_massless_drum(cable, i) >= 0;
}

// Rows of a wheel with inertia: one for its bearing, and one for its motor; without a bearing that alone.
static inline int rv_massless_wheel_rows(const rvCable* cable, int i)
{
    const rvPlace* place = &cable->route.places[i];
    return place->wheelSlot < 0 ? 0 : place->bearing > 0.0 && rv_massless_has_motor(cable, i) ? 2 : 1;
}

// The drum of winch i pays out with this sign times its spin.
static inline double rv_massless_drum_sign(const rvCable* cable, int i)
{
    double side = cable->route.places[rv_cable_winch_place(cable, i)].side;
    return i == 0 ? side : -side;
}

// How fast a wheel with inertia turns against its carrier, by the solved velocities [rad/s].
static inline double rv_massless_spin(const rvCable* cable, const rvPlace* place, const rvBodyStore* bodies)
{
    const double* v = bodies->velocity[cable->slots[place->wheelSlot]];
    double spin = rvDot(place->axis, rvVec(v[3], v[4], v[5]));
    if (place->body < 0)
        return spin;
    const double* c = bodies->velocity[place->body];
    return spin - rvDot(place->axis, rvVec(c[3], c[4], c[5]));
}

// Rows of all wheels with inertia: how many, and the rows themselves in the group; what the solver found of them.
// Only of a cable that has wheels with inertia.
int rv_massless_count_wheel_rows(const rvCable* cable);
void rv_massless_write_wheels(const rvCable* cable, double h, rvRows* rows, int group);
void rv_massless_read_wheels(rvCable* cable, const rvRow* row);

// Does the segment after k belong to another chain, or is there none?
static inline bool rv_massless_ends_chain(const rvCable* cable, int k)
{
    return k == cable->string->segmentCount - 1 || cable->string->segments[k + 1].head == k + 1;
}

// Called with the damping time of the rows before the stretch is written: sets shift and softness of the segments.
// Answers the damping time to use.
typedef double rvMasslessPrepare(rvCable* cable, const rvStepContext* context, double tau);

void rv_massless_begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
// `prepare`: NULL where the cable has no mass.
void rv_massless_write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                            int owner, rvMasslessPrepare* prepare);
rvPass rv_massless_read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context,
                             const rvRows* rows);
// How fast the segments grow by the rows and the solved velocities, before the bodies move.
void rv_massless_see(rvCable* cable, const rvBodyStore* bodies, const rvRows* rows);
// And in this step?
static inline bool rv_massless_saw_turning(const rvCable* cable, const rvBodyStore* bodies,
                                           const rvStepContext* context)
{
    return !context->atRest && cable->group >= 0 && rv_segments_count_turning(cable, bodies);
}
// Sets apart what the segments are stretched by without work, and lets it come back; see massless_unpaid.c. The rows
// hold the segments' own gradients.
void rv_massless_set_apart(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows);
// Where an end runs past its eye within the step its row goes by another direction; see massless_pass.c. The second:
// did the solved velocities lead elsewhere than that was made for?
void rv_massless_run_past(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
bool rv_massless_missed(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
// What damping holds back of the pull of the segments, see massless_unpaid.c: what they store before a step, then after
// it.
void rv_massless_note_stored(rvCable* cable, const rvStepContext* context);
void rv_massless_find_held_back(rvCable* cable, const rvStepContext* context);
// Where damping lasts longer than what a stiff cable has in any case, it may hold most of what the stretch pulls
// with.
bool rv_massless_is_held_back(const rvCable* cable, const rvStepContext* context);
// What is set apart stays less than the segments are long, see massless_unpaid.c.
void rv_massless_spread_unpaid(rvCable* cable);
#define RV_MASSLESS_SHORTEST 1e-9 // of a segment: rope that lies at an eye or a wheel has a length too [m]
// What a wheel may take over of the rope of a segment at once: where it has run out the wheel slips on its end [m].
static inline double rv_massless_spare(double rest)
{
    return fmax(0.0, 0.9 * rest - RV_MASSLESS_SHORTEST);
}
// Is the winch before the first segment at the limit of its force, as the rows say?
static inline bool rv_massless_yields(const rvCable* cable)
{
    return cable->group >= 0 && cable->string->state.mode == RV_ROW_UPPER && rv_massless_state(cable, 0)->tension > 0.0;
}
// Do the segments before and after junction k slip into each other, their tensions in the ratio of its friction?
bool rv_massless_slips(const rvCable* cable, int k);
// Of segments first..last that do, or whose rope is dragged over an eye: T_k = weight_k T_first + EA extraStrain_k.
void rv_massless_weigh_group(rvCable* cable, int first, int last);
// After the bodies moved: rest lengths and rates of segments that slip into each other; of a cable that is slack.
void rv_massless_share_taut(rvCable* cable, const rvStepContext* context);
void rv_massless_share_slack(rvCable* cable, double h);
double rv_massless_carried(const rvCable* cable, int k, const rvBodyStore* bodies, double h); // over junction k [m]
void rv_massless_advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
