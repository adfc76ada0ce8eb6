// SPDX-License-Identifier: MIT
// What the two halves of the contacts share: finding and keeping them (contact.c), writing them as rows
// (contact_rows.c).
#pragma once

#include "contact/broad.h"
#include "contact/contact.h"

// A contact point. Body A has the lower index.
typedef struct {
    // found by collide; saved and restored as bytes
    int32_t shapeA, shapeB, bodyA, bodyB;
    rvVec3 point, normal;  // world
    double depth;          // [m], negative: a gap
    rvVec3 localA, localB; // the point in the bodies' frames: how it is known again in the next step
    // carried from step to step
    double mode[3];         // of the rows: normal, along the slip, across it
    double normalImpulse;   // of the last solve
    rvVec3 frictionImpulse; // of the last solve, on B, world
    // The *carrier* is the body that the contact is seen from: the one that nothing pushes, else the one whose centre
    // is farther away. The other body's motion seen from it tells how far a point slipped, also where the other one
    // rolls.
    double carrierIsB; // 0 or 1
    rvPose other;      // of the other body's centre, seen from the carrier, at collide
    rvVec3 stick; // shear of the two surfaces before the step, of a sliding point after it; carrier's axes, on B [m]
} rvContactState;

typedef struct {
    rvContactState state;
    rvQuat carrierTurn; // at collide
    // of the step before; zero for a new contact
    double lastNormal;
    rvVec3 lastFriction; // world
    rvVec3 shearBefore;  // of the two surfaces at the start of the step, world [m]
    // of the two shapes
    double friction, restitution, compliance, damping;
    // computed by write_rows
    int group, row; // group -1: no rows
    double give[2]; // compliance in force along the normal and across it [m/N]
    rvVec3 slip, across;
    double shear[2]; // along both, at the start of the step
} rvContact;

typedef struct {
    rvContact* items; // sorted by bodies, then shapes
    int count, capacity;
} rvContactList;

// A point as found, before it is sorted.
typedef struct {
    rvVec3 point, normal;
    double depth;
    int shapeA, shapeB, bodyA, bodyB;
    int number; // within its pair
} rvFoundContact;

// Do the shapes touch here, or are they only near each other.
static inline bool rv_contact_touches(const rvContactState* state)
{
    return state->depth > 0.0 || state->normalImpulse > 0.0;
}

struct rvContactStore {
    int maxContacts;
    int shapeCount; // places in the shape store
    int room;       // contacts that fit: grows with the shapes up to maxContacts
    rvContactList now, before;
    rvFoundContact* found;
    int* order;                                        // of found
    int foundCapacity, orderCapacity, changesCapacity; // each at least room
    int foundCount;
    int dropped;
    rvContactChange* changes; // room for each contact of now and before
    int changeCount;
    rvBroad broad;
    double h; // of the step whose rows were written
};

// Tells which pairs of shapes began and ended to touch, after a solve.
void rv_contacts_find_changes(rvContactStore* store);
