// SPDX-License-Identifier: MIT
// A curve in a plane and obstacles that are not round: see plane_contact.h, of which these are a part, and meet.h.
#pragma once

#include "cable/curve/plane_contact.h"
#include "cable/curve/space_near.h"

// Of an interval: over an edge nearest points wander by so much from look to look, and are one.
#define RV_PLANE_ONE_EDGE 0.05

// All as placed; k: the obstacle; stride: rv_plane_stride.
void rv_plane_solid_find(rvPlaneContacts* contacts, const rvPlane* plane, int k, double margin, double stride);
void rv_plane_solid_remember(rvPlaneContacts* contacts, const rvPlane* plane, int k, double stride);
// A touch of an earlier look, by the distance of its point. False: it is none any more.
bool rv_plane_solid_find_again(const rvPlaneContacts* contacts, const rvPlane* plane, double margin,
                               rvPlaneTouch* touch);
// Does chord i of the trail go through it? *at: with which share of it; *out: where it came from.
rvSpacePassing rv_plane_solid_pass(const rvPlaneContacts* contacts, int k, const rvSpaceSwept* swept, int i, double* at,
                                   rvVec2* out);

// ---- plane_contact.c

void rv_plane_contacts_touch(rvPlaneContacts* contacts, const rvPlaneTouch* touch); // is one of this look
