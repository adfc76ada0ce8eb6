// SPDX-License-Identifier: MIT
// Contacts: found by broad phase (ours) and narrow phase (ODE), kept from step to step, written as rows.
#pragma once

#include "base/visitor.h"
#include "body/joint.h"
#include "contact/shape.h"

typedef struct rvContactStore rvContactStore; // see contact.c

rvContactStore* rv_contacts_create(rvMemory* memory, int maxContacts);
void rv_contacts_destroy(rvContactStore* store, rvMemory* memory);

// Room for the pairs of so many shapes; between steps only.
bool rv_contacts_reserve(rvContactStore* store, rvMemory* memory, const rvShapeStore* shapes);
void rv_contacts_capacity(const rvContactStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount);

// How many contacts fit, and to take back what was reserved when something else found no memory.
int rv_contacts_room(const rvContactStore* store);
void rv_contacts_limit(rvContactStore* store, int room);

// A shape is gone: forget its contacts.
void rv_contacts_forget_shape(rvContactStore* store, int shape);

// The steps of a step.
void rv_contacts_collide(rvContactStore* store, rvShapeStore* shapes, const rvBodyStore* bodies,
                         const rvJointStore* joints, const rvStepContext* context);
void rv_contacts_write_rows(rvContactStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                            rvRows* rows);
void rv_contacts_read_rows(rvContactStore* store, const rvRows* rows);

// Read-out of the last step. Ids are filled in as shape indices by the caller.
typedef struct {
    int shapeA, shapeB;
    rvVec3 point, normal; // normal from A to B
    double depth;
    double normalImpulse;
    rvVec3 frictionImpulse; // on B
} rvContactView;
int rv_contacts_count(const rvContactStore* store);
int rv_contacts_dropped(const rvContactStore* store);
rvContactView rv_contacts_view(const rvContactStore* store, int index);

// Pairs of shapes that began and ended to touch in the last step: began 1, ended 0.
typedef struct {
    int shapeA, shapeB;
    bool began;
} rvContactChange;
int rv_contacts_changes(const rvContactStore* store, const rvContactChange** changes);

// Warm-start data of all contacts, and room for all that there can be.
void rv_contacts_visit(rvContactStore* store, rvVisitor* visitor);
