// SPDX-License-Identifier: MIT
// The world: stores of everything, and the buffers of a step.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "body/joint.h"
#include "cable/driver/cables.h"
#include "contact/contact.h"
#include "reeve/reeve.h"
#include "world/close.h"
#include "world/guard.h"

// What changes in a run beside the stores; saved and restored as bytes.
typedef struct {
    double time;
    uint64_t stepCount;
    rvVec3 gravity;
    double h;           // of the last step: energies are those of its middle
    double work;        // by applied forces, prescribed bodies, hands that hooked cables, and cables that are gone [J]
    double contactHeat; // of contacts so far [J]
    double turningHeat; // taken by stiffness and drag of turning, less what they gave back; see body/stiffness.c [J]
    double goneHeat;    // of cables that were taken away, with what they held [J]
    double proxyLead; // from where hosts say that their bodies are to where they are here, see rvWorld_SetHostSteps [s]
    double guardHeat; // taken out by the guard of the energy, less what it gave back [J]
} rvWorldState;

struct rvWorld {
    rvWorldDef def;
    rvMemory memory;
    rvError error;
    rvWorldState state;
    rvBodyStore bodies;
    rvJointStore joints;
    rvShapeStore shapes;
    rvContactStore* contacts;
    rvCableStore cables;
    rvRows rows;
    rvSolver* solver;
    rvGuard guard;
    rvClosing closing;
    // the state before the step, put back when the step fails
    uint8_t* backup;
    int backupCapacity;
    // published by the step
    rvEvent* events;
    int eventCount;
    int toldCount; // events at the front of the list that happened since the last step
    rvStepInfo info;
    int worstGroup;              // of the last solve, -1: none
    int failedCable, failedBody; // of the last step, -1: none
    double begun;                // length of a step that waits for its host's impulses [s]; 0: none
};

// Room in all step buffers for what the world holds now. Called after everything that is created.
rvStatus rv_world_reserve(rvWorld* world);

// The state as bytes, without a header: for the backup and for images.
size_t rv_world_state_size(const rvWorld* world);
void rv_world_write_state(const rvWorld* world, uint8_t* bytes);
void rv_world_put_back(rvWorld* world, const uint8_t* bytes);
void rv_world_put_back_cable(rvWorld* world, int index, const uint8_t* bytes); // of all that state only one cable

// Parts of a step that settle.c takes too; see step.c.
rvStepContext rv_world_context(const rvWorld* world, double dt);
void rv_world_begin(rvWorld* world, const rvStepContext* step);
void rv_world_load(rvWorld* world, const rvStepContext* step, int pass);
void rv_world_solve_passes(rvWorld* world, const rvStepContext* step);
rvStatus rv_world_advance(rvWorld* world, const rvStepContext* step);
rvStatus rv_world_finish(rvWorld* world, const rvStepContext* step);
rvStatus rv_world_check_dt(rvWorld* world, double dt);
// See check.c.
rvStatus rv_world_check_solution(rvWorld* world);
rvStatus rv_world_check_advanced(rvWorld* world, double time);

// After a step that failed: a hold by a led body of what failed lets go, which is an event. False: there is none.
bool rv_world_let_slip(rvWorld* world);

// Hangs a cable, or lays it straight; where it would hang inside shapes it lies on them. See settle.c.
rvStatus rv_world_hang_cable(rvWorld* world, int index, bool straight);

// What a cable holds and has turned into heat, less the work put into it [J]. What a change between steps made of it is
// the work of a hand that stretched the rope, or heat.
double rv_world_cable_books(const rvWorld* world, int cable);
void rv_world_book_change(rvWorld* world, int cable, double before);
// Another model fills it; hung: what its weight had. That comes and goes with the rope, as work: by where zero is it
// may be anything, which heat is not. So it does where the rope goes; what it held else is heat then.
void rv_world_book_model(rvWorld* world, int cable, double before, double hung);
void rv_world_book_end(rvWorld* world, int cable);

// Events and figures of the step just taken.
// contacts: bodies may touch.
void rv_world_publish(rvWorld* world, bool contacts);
rvEvent rv_world_break_event(const rvWorld* world, int cable); // it breaks where it is pulled most
// An event between steps: it is told with those of the next one.
void rv_world_tell(rvWorld* world, rvEvent event);

// Ids of living objects by index.
rvCable* rv_world_find_cable(rvWorld* world, rvCableId id, const char* call); // NULL and an error where there is none
// Contacts of the last step end in the next one, even where all shapes are gone.
static inline bool rv_world_has_contacts(const rvWorld* world)
{
    return world->shapes.pool.count > 0 || world->info.contacts > 0;
}

// NULL: there is none.
static inline const rvCable* rv_world_read_cable(const rvWorld* world, rvCableId id)
{
    int index = rv_id_pool_find(&world->cables.pool, id.index1, id.generation);
    return index < 0 ? NULL : &world->cables.items[index];
}

static inline rvCableId rv_world_cable_id(const rvWorld* world, int index)
{
    return (rvCableId){(uint32_t)index + 1, world->cables.pool.generations[index]};
}
rvJointId rv_world_joint_id(const rvWorld* world, int index);
rvShapeId rv_world_shape_id(const rvWorld* world, int index);

// Are these states of proxies that a run can have? `call` is for the message.
rvStatus rv_world_check_proxies(rvWorld* world, const char* call, const rvProxyState* states, int count);

// The index behind an id, or -1 with the error set.
int rv_world_find_body(rvWorld* world, rvBodyId id, const char* field);
