// SPDX-License-Identifier: MIT
// sections.csv: what each cable carries along its length, as it is.
#pragma once

#include "support/folder.h"

#include "reeve/scene.h"

// False: errno says why.
bool rv_sections_write(rvFolder* folder, const rvScene* scene, const rvWorld* world);
