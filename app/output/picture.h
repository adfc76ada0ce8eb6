// SPDX-License-Identifier: MIT
// One picture of the scene as SVG: bodies shaded, cables coloured by tension.
#pragma once

#include "support/folder.h"

#include "reeve/scene.h"

// False: errno says why.
bool rv_picture_print(FILE* file, const rvScene* scene, const rvWorld* world);
bool rv_picture_write(rvFolder* folder, const rvScene* scene, const rvWorld* world);
