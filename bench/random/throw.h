// SPDX-License-Identifier: MIT
// Random threads of model curve that fall and are thrown on pegs and thin plates, seeded: do they go through? The sweep
// of `reeve bench sweep --only throw` and of its test, through the public calls only.
#pragma once

#include "random/run.h"

typedef enum {
    RV_THROWN_ON_PEGS = 0, // cylinders across its plane
    RV_THROWN_ON_BOXES,
    RV_THROWN_ON_HULLS,
    RV_THROWN_ON_MESHES,
    RV_THROWN_ON_BARS,         // cylinders that lie in its plane
    RV_THROWN_ON_RODS,         // capsules that do
    RV_THROWN_ON_LEANING_BARS, // by anything in between
    RV_THROWN_ON_LEANING_RODS,
    RV_THROWN_KINDS,
} rvThrownOn;

typedef struct {
    double through;  // when it went through one [s]; negative: it did not
    rvGrowth growth; // beyond what it had and was given, of the largest kinetic energy
    double h;
    char error[256];
} rvThrown;

const char* rv_thrown_name(rvThrownOn kind);
// A thread of 0.5 to 2 m that is held at one end, and at the other a ball that is thrown at up to 10 m/s, or nothing;
// steps of 5 to 16 ms. It ends where the thread goes through.
#define RV_THROW_SECONDS 0.7 // until the throw is over, mostly
rvThrown rv_random_throw(uint64_t number, bool inSpace, rvThrownOn kind, rvRandomRun run);
