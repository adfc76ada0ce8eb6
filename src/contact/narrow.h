// SPDX-License-Identifier: MIT
// The narrow phase: where two shapes touch.
#pragma once

#include "contact/manifold.h"
#include "contact/shape.h"

// Fills the manifold with the points where a and b overlap or are nearer than RV_CONTACT_MARGIN, normals from a to b,
// thinned out. Planes, meshes and height fields meet convex shapes only.
void rv_narrow(const rvShape* a, const rvShape* b, rvManifold* manifold);
// The same for a shape and a ball that is no shape itself; normals towards the ball.
void rv_narrow_ball(const rvShape* shape, rvVec3 center, double radius, rvManifold* manifold);
