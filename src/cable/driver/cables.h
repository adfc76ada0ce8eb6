// SPDX-License-Identifier: MIT
// All cables of a world: creation, changes of their route and model, the parts of a step, and what they publish.
#pragma once

#include "cable/core/model.h"

// A new cable that begins on shapes has as much rope as it takes to lie on them.
void rv_cable_lay_unstretched(rvCable* cable);
// Where place `place` of the definition stands among all places; -1: there is none.
int rv_cable_index_of(const rvCable* cable, int place);
rvStatus rv_cable_create(rvCableStore* store, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                         const rvCableDef* def, const int* placeBodies, int* index);
rvStatus rv_cable_check(rvError* error, const rvCableDef* def); // places and winches, before bodies are looked up
// What the store counts of a cable that comes (sign 1) or goes (-1).
void rv_cables_count(rvCableStore* store, const rvCable* cable, int sign);
void rv_cable_destroy(rvCableStore* store, rvMemory* memory, int index);
void rv_cables_release(rvCableStore* store, rvMemory* memory);
bool rv_cables_reserve(rvCableStore* store, rvMemory* memory, int bodyCount, int shapeCount);
void rv_cables_capacity(const rvCableStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount);
int rv_cables_solver_bodies(const rvCableStore* store);   // wheels with inertia and crossings, at most
bool rv_cables_pass(const rvCableStore* store, int body); // does any cable touch this body

// One place of a definition, as rv_cable_check does it for all. `end`: it is the first or the last.
rvStatus rv_cable_check_place(rvError* error, const char* name, int i, bool end, const rvPlaceDef* place,
                              double diameter);

rvStatus rv_wheel_drive_check(rvError* error, const char* name, int place, double speed, double torque, bool spins);

// Places and room; see reroute.c.
void rv_cable_lay_place(rvCable* cable, int i, const rvPlaceDef* def, int body, const rvBodyStore* bodies);
rvStatus rv_cable_lay_route(rvCable* cable, const rvBodyStore* bodies, rvError* error);
int rv_cable_most_rows(const rvCable* cable);
// A copy with places of its own and room for `more`; it has no buffers, and shares the name.
bool rv_cable_copy(rvCable* copy, const rvCable* cable, rvMemory* memory, int more);
bool rv_cable_take_room(rvCable* cable, rvMemory* memory);
void rv_cable_give_room(rvCable* cable, rvMemory* memory);
// Material and model of a definition: checks them and sets them in the cable; see definition.c.
rvStatus rv_cable_check_material(rvError* error, const rvCableDef* def, rvCable* cable);

// Changes of the route between steps; places and bodies are checked by the caller.
rvStatus rv_cable_set_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory, rvError* error,
                            int place, const rvPlaceDef* def, int body);
rvStatus rv_cable_insert_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, int place, const rvPlaceDef* def, int body);
rvStatus rv_cable_remove_place(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, int place);
// The end of one cable is spliced to the beginning of the other; the other is left for the caller to destroy.
rvStatus rv_cable_splice(rvCableStore* store, int index, int other, const rvBodyStore* bodies, rvMemory* memory,
                         rvError* error);

// Another model fills the cable from now on; see change_model.c. What it was is in *old until rv_cable_end_change keeps
// the new one or takes it back.
rvStatus rv_cable_begin_change(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory,
                               rvError* error, const rvCableDef* def, rvCable* old);
void rv_cable_end_change(rvCableStore* store, int index, const rvBodyStore* bodies, rvMemory* memory, rvVec3 gravity,
                         double h, rvCable* old, bool keep);

// The steps of a step. Routes are as the bodies are between steps: whoever moves a body or changes a place updates
// them.
void rv_cables_route(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
void rv_cables_lay(rvCableStore* store, const rvBodyStore* bodies);     // routes, after their state was restored
void rv_cables_refresh(rvCableStore* store, const rvBodyStore* bodies); // routes, after bodies were moved from outside
void rv_cables_forget_rates(rvCableStore* store);                       // a velocity or pose was set from outside
// Routes and rates of the cables at bodies that are `moved`: they are elsewhere than the step of h expected.
void rv_cables_follow(rvCableStore* store, const rvBodyStore* bodies, double h);
// Before a pass: known forces (in pass 0) and geometric stiffness of the bodies.
void rv_cables_load(rvCableStore* store, rvBodyStore* bodies, const rvStepContext* step, int pass);
// What the cables have in the solver beside the bodies: spins of wheels, points of crossings.
void rv_cables_predict(rvCableStore* store, rvBodyStore* bodies, const rvStepContext* context);
int rv_cables_insist(const rvCableStore* store);   // on how many passes beyond the world's limit
bool rv_cables_give_all_rows(rvCableStore* store); // to the solver, for the rest of the step; true: the pass again
void rv_cables_write_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows);
// What the rows of the last pass did to bodies, kept at the places; see wrench.c.
void rv_cables_collect_wrench(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                              const rvRows* rows);
bool rv_cables_read_rows(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context,
                         const rvRows* rows);
void rv_cables_advance(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);

int rv_cable_tightest(const rvCable* cable); // the span that is pulled most, by the last step
// It carries nothing from now on; what it held becomes heat where it was pulled most.
void rv_cable_break(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h);
void rv_cable_drop_pull(rvCable* cable); // once that was told
// Of its model, with the twist between its ends (in `elastic`) and its wheels.
rvRopeEnergy rv_cable_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h);
double rv_rope_energy_sum(const rvRopeEnergy* energy);

// ---- contacts

void rv_cable_begin_contacts(rvCableStore* store, int index, const rvBodyStore* bodies, rvShapeStore* shapes);
void rv_cables_forget_shape(rvCableStore* store, const rvBodyStore* bodies, int shape);
bool rv_cable_contact_is_sound(const rvPlaceState* s, const rvShapeStore* shapes); // could a run have it?
// Where cables that have contacts of their own touch shapes, once a step is predicted.
void rv_cables_touch(rvCableStore* store, const rvBodyStore* bodies, const rvShapeStore* shapes, double h);
// After a pass: adds contacts that it leads into; are there any?
bool rv_cables_collide_again(rvCableStore* store, const rvBodyStore* bodies, const rvShapeStore* shapes, double h,
                             int pass);
void rv_cables_collide(rvCableStore* store, const rvBodyStore* bodies, rvShapeStore* shapes,
                       const rvStepContext* context);
