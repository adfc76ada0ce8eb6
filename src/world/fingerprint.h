// SPDX-License-Identifier: MIT
// What an image does not hold and a run does not change: how each object was made, as one number an object. An image
// goes back only where all of these agree; where one does not, its object can be named.
#pragma once

#include "world/world.h"

int rv_world_fingerprint_count(const rvWorld* world); // places of all stores, live and free ones, and the world itself
uint64_t rv_world_fingerprint(const rvWorld* world, int index);
// For messages: "cable 'hoist'".
void rv_world_fingerprint_name(const rvWorld* world, int index, char* text, size_t capacity);
