// SPDX-License-Identifier: MIT
// ODE's geoms for the pairs of simple shapes that ODE collides exactly and without taking memory.
#pragma once

#include "base/memory.h"
#include "contact/manifold.h"

struct dxGeom; // ODE's

// A geom for a plane, sphere, box, capsule or cylinder; NULL: no memory.
// ODE takes the few hundred bytes of a geom by malloc, not through the world's hooks.
struct dxGeom* rv_geom_create(const rvShapeDef* def);
void rv_geom_destroy(struct dxGeom* geom);

void rv_geom_place(struct dxGeom* geom, rvShapeType type, rvPose pose);

// Does ODE do this pair well.
bool rv_geom_knows(rvShapeType a, rvShapeType b);
void rv_geom_collide(struct dxGeom* a, struct dxGeom* b, rvManifold* manifold);
