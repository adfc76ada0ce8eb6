// SPDX-License-Identifier: MIT
// Contacts of taut cables with shapes: places that come and go. See cable_contact.c.
#pragma once

#include "cable/core/cable.h"
#include "contact/shape.h"

// The route of a cable among the shapes as they are now: contacts come and go. `begin`: it has no past.
void rv_taut_find_contacts(rvCableStore* store, rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes,
                           bool begin);
// Rope slides over the contacts that moved along it in a step of h.
void rv_taut_slide(rvCable* cable, double h);
bool rv_place_is_on_shape(const rvPlace* place);
int rv_route_next_end(const rvRoute* route, int p);                            // the next place that is on no shape
void rv_taut_strip(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare); // of its contacts with shapes
void rv_cable_strip_contacts(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare);
void rv_cable_drop_crossings(rvCable* cable, const rvBodyStore* bodies, rvPlace* spare); // those with the number 0
void rv_cables_remember(rvCableStore* store, const rvShapeStore* shapes); // where shapes are before the bodies move
// Could a run have such a contact?
bool rv_taut_contact_is_sound(const rvPlaceState* s, const rvShapeStore* shapes);
