// SPDX-License-Identifier: MIT
// Random machines, seeded: the sweep of `reeve bench sweep` and of its test, through the public calls only.
#pragma once

#include "random/run.h"

#define RV_RANDOM_PARTS 12 // loads and ropes of a machine that is re-routed, at most

typedef struct {
    rvWorld* world;
    uint64_t seed;
    double h;
    double lowest;    // energy with all bodies as low as their cables let them [J]
    rvBodyId support; // null: the world
    double shake, pace;
    rvCableId passing; // runs over places; null: none does
    bool blockHasWheel;
    double shapeWide; // shapes at the support are not farther than this from its y axis [m]; 0: there is none
    rvCableId hoist;  // its driver hauls in and pays out; null: there is none
    double topSpeed, nextCommand;
    bool reroutes;    // hands hook, reeve, splice and cut its ropes while it moves
    double stiffness; // of all ropes [N]; 0: each has its own
    double density;   // of a metre of rope, by the mass that it carries; 0: it has none
    double ropeMass;  // of all ropes [kg]
    double deepest;   // that a load can come to [m]
    double nextChange;
    rvBodyId loads[RV_RANDOM_PARTS];
    rvCableId ropes[RV_RANDOM_PARTS];
    int loadCount, ropeCount;
    bool failed; // a part could not be made or moved; the world's error says why
    char kind[64];
} rvRandomMachine;

// The machine of this number; destroy its world afterwards.
rvRandomMachine rv_random_machine(uint64_t number);
// The same on ropes with mass (model layered), a thousandth of what they carry a metre.
rvRandomMachine rv_random_heavy(uint64_t number);
// A load on a bridle: a rope without friction through an eye that is fixed in space, with both ends on the load or one
// held. 60 Hz, thrown from anywhere below the eye, turning, with slack; EA from 1e4 to 1e10 N.
rvRandomMachine rv_random_bridle(uint64_t number);
// A block of one to five falls on rope of finite elements with a winch (model ale): 10 kg to 10 t, falls of 3 to 60 m,
// rope of 50 g to 4 kg a metre, the block at up to 4 m/s, stops at once, steps of 1 to 33 ms. Wheels with bearing,
// inertia or friction, some locked.
rvRandomMachine rv_random_hoist(uint64_t number);
// A machine as the first family, with a second one beside it, whose ropes are all of one stiffness and are hooked,
// let go, reeved, unreeved, spliced and cut while all moves. Hands pull with no more than a fifth of what the
// heaviest load weighs.
rvRandomMachine rv_random_rerouting(uint64_t number);
// The growth of its energy, as a share of the energy above the lowest place in reach with the work done. One that is
// re-routed runs on where the scene has no
// sense any more: no step may fail there either. What its energy account jumps by in a change counts as growth.
rvGrowth rv_random_machine_run(rvRandomMachine* machine, rvRandomRun run);
