// SPDX-License-Identifier: MIT
// A world without shapes: what the step calls where collision is not built.
#include "contact/contact.h"

struct rvContactStore {
    int unused;
};

rvShapeDef rvDefaultShapeDef(rvShapeType type)
{
    return (rvShapeDef){.type = type};
}

rvStatus rv_shape_create(rvShapeStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvShapeDef* def, int bodyIndex, int* index)
{
    (void)store, (void)bodies, (void)memory, (void)def, (void)bodyIndex, (void)index;
    return rv_fail(error, RV_BAD_INPUT, "shape: this build has no collision");
}

void rv_shape_destroy(rvShapeStore* store, rvMemory* memory, int index)
{
    (void)store, (void)memory, (void)index;
}

void rv_shapes_release(rvShapeStore* store, rvMemory* memory)
{
    (void)store, (void)memory;
}

int rv_shape_body(const rvShapeStore* store, int index)
{
    (void)store, (void)index;
    return -1;
}

const char* rv_shape_name(const rvShapeStore* store, int index)
{
    (void)store, (void)index;
    return "";
}

rvContactStore* rv_contacts_create(rvMemory* memory, int maxContacts)
{
    (void)maxContacts;
    return rv_memory_take(memory, sizeof(rvContactStore));
}

void rv_contacts_destroy(rvContactStore* store, rvMemory* memory)
{
    rv_memory_give(memory, store, sizeof(rvContactStore));
}

bool rv_contacts_reserve(rvContactStore* store, rvMemory* memory, const rvShapeStore* shapes)
{
    (void)store, (void)memory, (void)shapes;
    return true;
}

void rv_contacts_capacity(const rvContactStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    (void)store;
    *rowCount = *groupCount = *slotCount = *entryCount = 0;
}

void rv_contacts_forget_shape(rvContactStore* store, int shape)
{
    (void)store, (void)shape;
}

void rv_contacts_collide(rvContactStore* store, rvShapeStore* shapes, const rvBodyStore* bodies,
                         const rvJointStore* joints, const rvStepContext* context)
{
    (void)store, (void)shapes, (void)bodies, (void)joints, (void)context;
}

void rv_contacts_write_rows(rvContactStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                            rvRows* rows)
{
    (void)store, (void)bodies, (void)context, (void)rows;
}

void rv_contacts_read_rows(rvContactStore* store, const rvRows* rows)
{
    (void)store, (void)rows;
}

int rv_contacts_count(const rvContactStore* store)
{
    (void)store;
    return 0;
}

int rv_contacts_dropped(const rvContactStore* store)
{
    (void)store;
    return 0;
}

rvContactView rv_contacts_view(const rvContactStore* store, int index)
{
    (void)store, (void)index;
    return (rvContactView){0};
}

int rv_contacts_changes(const rvContactStore* store, const rvContactChange** changes)
{
    (void)store, (void)changes;
    return 0;
}

size_t rv_contacts_state_size(const rvContactStore* store)
{
    (void)store;
    return 0;
}

void rv_contacts_save(const rvContactStore* store, void* bytes)
{
    (void)store, (void)bytes;
}

void rv_contacts_restore(rvContactStore* store, const void* bytes)
{
    (void)store, (void)bytes;
}

uint64_t rv_contacts_hash(const rvContactStore* store, uint64_t hash)
{
    (void)store;
    return hash;
}
