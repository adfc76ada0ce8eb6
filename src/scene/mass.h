// SPDX-License-Identifier: MIT
// Centre of mass and inertia of a body from its shapes.
#pragma once

#include "scene/model.h"

// Fills in what the scene does not give. The shapes are taken as filled evenly; where they overlap they count twice.
// A hull counts as the box around it. Bodies without solid shapes are left alone.
void rv_scene_mass(rvSceneBody* body, bool hasCenter, bool hasInertia);
