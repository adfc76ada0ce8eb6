// SPDX-License-Identifier: MIT
// Places of a cable and the spans between them: the route, as every model has it. Its geometry is in route/route.h.
#pragma once

#include "body/body.h"
#include "cable/core/rope_node.h"
#include "reeve/cable.h"

// What changes in a run at a place; saved and restored as bytes. What a step reads of every place comes first, and what
// only cables that collide or have mass need comes last: a step goes over all places many times, and of a thousand the
// cache holds no more than that.
typedef struct {
    double isJunction; // 1 where the cable can slip with friction: a segment begins here
    double rest;       // of the segment that begins here: unstretched length [m]
    double rate;       //   its stretch rate [m/s]
    double tension;    //   its tension [N]
    double endTension; //   of rope that flows: that at the end of the last step, which `tension` is a mean with [N]
    double unpaid;     //   what of its stretch is set apart, see massless_unpaid.c [m]
    double heldBack;   //   what its stretch pulls with more, where damping holds it back; with mass: or less [N]
    double laid;       //   what looks at shapes made of its length since the last step: no row saw it [m]
    double sag;        // rope beyond the chord of the span that begins here, as the stretch sees it [m]
    double stiff;      // 1 where the span from here on has transverse rows
    double tank;       // energy that they took so far and did not give back [J]; see span_stiffness.c
    double heat;       // turned into heat by friction here so far [J]
    double driveWork;  // done by the drive of a wheel so far [J]
    double angle;      // wrap angle of a wheel, unwrapped [rad]; negative: the cable has left it
    rvVec3 pullForce, pullTorque; // on its body in the last step, of a massless cable: see wrench.c [N, N m]
    double inAngle;               // from the wheel's mark to the way in, unwrapped [rad]
    rvVec3 mark;                  // direction in the carrier at which the arc of a wheel is split between its segments
    rvVec3 in, out;               // directions from the wheel's centre to the tangent points, in body axes
    double mode;                  // of the junction: 0 sticks, 1 and -1 slips
    double slip;                  // rest length a second that slips over the junction into the segment after it [m/s]
    double spin;                  // of a wheel with inertia, about its axis, absolute [rad/s]
    double bearingMode;           // of the bearing row
    double wheelSpeed;            // of a wheel against its carrier in the last step [rad/s]
    double turned;                // by the wheel against its carrier so far [rad]
    double wheelImpulse;          // of the bearing in the last step [N m s]
    double motorMode;             // of the row of its motor or brake
    double motorImpulse;          //   in the last step [N m s]
    double driveSpeed, driveTorque; // commanded, of a wheel with inertia; torque 0: no drive [rad/s, N m]
    double wound;                   // rope on its wheel or shape, of a layered cable: spans have the rest [m]
    double contact;                 // 1: a contact, put in where the cable meets a shape; see cable_contact.c
    double shapeBody;               // its body
    double grip;                    // its friction
    rvRopeNode node;                // where it is on the shape
    rvVec3 localIn, localOut;       // of a contact: way in and out, relative to the centre of mass in body axes
    rvVec3 wasIn, wasOut;           // of the others: where the rope was when shapes were last looked at, world
    rvVec3 crossIn, crossOut;       // where it was when ropes that cross were last looked at, world
    rvVec3 crossLoad; // of a crossing: what the rope did to its point beside its tension in the last step [N]
    double crossGap,
        crossOpening; //   of ropes with mass: how far apart they would be, and how fast they would part [m, m/s]
} rvPlaceState;

// In the order of how often a step reads it, as its state.
typedef struct {
    rvPlaceType type;      // set at creation, as all that is not said to be computed
    int body;              // -1: the world
    int slot;              // computed: of its body among the route's bodies, -1 where it does not move
    int wheelSlot;         // computed: of its spin, -1: none
    int before, after;     // computed: neighbouring places that the cable touches; -1 at the ends
    int sweptIn, sweptOut; // computed: the sweep that last changed a tangent point of a wheel, 0: none did
    bool on;               // computed: the cable touches it
    bool locked;           // the wheel does not turn
    bool clamped;          // holds the direction of the cable too, where the model can
    bool isNew;            // until rv_route_begin has seen it
    int record;            // where a model keeps what it has of the span that begins here; 0: nowhere
    bool released;         // the program told what is attached here to let go
    double radius;         // 0: an eye; of a drum that of the layer in use
    double inertia;        // of the wheel [kg m^2]
    double drag;           // viscous, of the cable through the place [N s/m]
    double friction;       // of the cable against the place (Coulomb)
    rvVec3 local;          // relative to the centre of mass in body axes; in the world where there is no body
    // computed by rv_route_update
    double arcBefore, arcAfter; // arc length up to the mark and from it on [m]
    rvVec3 in, out;             // tangent points in the world
    rvVec3 armIn, armOut;       // from the body's centre of mass
    rvVec3 guess;               // speed of the span's end against its start after the step: see massless_pass.c [m/s]
    double passed;              // length of the cable before this place at the start of the step [m]
    double turn;                // wrap angle of a wheel that is on, else the angle between the two spans [rad]
    rvVec3 point;               // in the world; the wheel's centre
    double taken;               // energy that the rows of the span from here on took in the last solve [J]
    rvPlaceState state;
    double kept;                  // share of the transverse speed that those rows keep
    rvVec3 axis;                  // in the world
    struct rvCrossing* crossing;  // of a crossing: what moves its point; NULL outside a step's rows
    int crossingSide;             // 0 or 1: which of the two ropes this one is
    rvVec3 carriedIn, carriedOut; // of a contact: where its body carried it, before shapes were looked at
    rvVec3 wasArrive, wasLeave;   //   along the rope there, unit; zero where the span has no length
    rvVec3 arrive, leave;         //   since shapes were looked at
    // set at creation
    rvVec3 localAxis;
    double core;       // of a drum: radius of its first layer
    double side;       // 1 or -1
    double bearing;    // friction of the wheel's bearing, as a share of the load on it at the rim
    double extraTurns; // whole turns beyond the least wrap, at creation
    rvVec3 direction;  // of travel where it is clamped, in body axes
    int number;        // 1 + the one that it keeps while others come and go; 0: it has none yet
    int rank;          // for a model with a list of its own: 1 + its number there; 0: it does not know it yet
} rvPlace;

typedef struct {
    rvVec3 u;      // unit vector towards the next place; zero where the span has no length
    double length; // [m]
} rvSpan;

typedef struct {
    rvPlace* places;
    rvSpan* spans;
    int* bodies; // the moving bodies that it passes, each once
    int placeCount, spanCount, bodyCount;
    int capacity;
    double length; // [m]
} rvRoute;

// The arm of a wheel's carrier to a point in the world.
static inline rvVec3 rv_wheel_arm_to(const rvPlace* wheel, rvVec3 point)
{
    return rvAdd(rvSub(wheel->armIn, wheel->in), point);
}

// How fast its body moves at a point [m/s].
static inline rvVec3 rv_place_speed(const rvBodyStore* bodies, const rvPlace* place, rvVec3 point)
{
    if (place->body < 0)
        return rvVec(0, 0, 0);
    const rvBodyState* s = &bodies->items[place->body].state;
    return rvAdd(s->v, rvCross(s->w, rvSub(point, s->x)));
}

static inline bool rv_place_is_wheel(const rvPlace* place)
{
    return place->radius > 0.0;
}

// Contacts are on a shape and its body; where two ropes cross they are on none (crossing.h). Of the node a crossing has
// `feature`: the number that its two places share, `t`: how thick the ropes are, `in`: the direction in which the first
// rope presses on the second, `out`: the velocity of the point.
static inline bool rv_place_is_crossing(const rvPlace* place)
{
    return place->type == RV_PLACE_CONTACT && place->body < 0;
}

// The force that tensions before and after a place give its body, as a force on the way in and one on the way out.
static inline rvVec3 rv_route_force_in(const rvRoute* route, int place, double tension)
{
    return place > 0 ? rvScale(-tension, route->spans[place - 1].u) : rvVec(0, 0, 0);
}

static inline rvVec3 rv_route_force_out(const rvRoute* route, int place, double tension)
{
    return place < route->spanCount ? rvScale(tension, route->spans[place].u) : rvVec(0, 0, 0);
}

// Where the chord of a span is at a share of it, 0 to 1, and how fast.
static inline void rv_route_chord_point(const rvRoute* route, const rvBodyStore* bodies, int span, double share,
                                        rvVec3* at, rvVec3* velocity)
{
    const rvPlace *a = &route->places[span], *b = a + 1;
    rvVec3 first = rv_place_speed(bodies, a, a->out), last = rv_place_speed(bodies, b, b->in);
    *at = rvMulAdd(a->out, share, rvSub(b->in, a->out));
    *velocity = rvMulAdd(first, share, rvSub(last, first));
}
