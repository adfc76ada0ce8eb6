// SPDX-License-Identifier: MIT
// One picture of the scene as SVG: bodies shaded, cables coloured by tension.
#pragma once

#include "reeve/scene.h"

#include <stdio.h>

// False: errno says why.
bool rv_picture_print(FILE* file, const rvScene* scene, const rvWorld* world);
bool rv_picture_write(const char* path, const rvScene* scene, const rvWorld* world);
