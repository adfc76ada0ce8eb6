// SPDX-License-Identifier: MIT
// Random threads of model curve, seeded: hands take hold of them and let go, they are thrown on shapes, they touch
// themselves. The sweep of `reeve bench sweep` and of its test, through the public calls only.
#pragma once

#include "random/run.h"

// A hand: prescribed and resting, moved along a Lissajous figure, or a ball.
typedef struct {
    rvBodyId body;
    rvVec3 at, swing;  // middle and size of its way [m]
    double pace, turn; // [rad/s], [rad]
    bool driven;
} rvRandomHand;

typedef struct {
    rvWorld* world;
    uint64_t seed;
    double h;
    rvCableId thread;
    double length;
    rvRandomHand hands[2];
    bool inSpace;
    bool draws;       // hands are driven
    double clamps;    // share of grasps that are clamps
    double nextGrasp; // when one of the hands does something [s]; HUGE_VAL: never
    bool failed;      // a part could not be made or moved; the world's error says why
    char kind[96];
} rvRandomThread;

// A thread of 2 m that falls and swings: two hands take hold of it anywhere, at any time, and let go. In a plane and in
// space, some of them stretch; steps of 1 to 33 ms.
rvRandomThread rv_random_grasp(uint64_t number);
// The same with hands that are moved on, whether it can follow or not.
rvRandomThread rv_random_draw(uint64_t number);
// A thread that is thrown on boxes, pegs and balls, some of which move.
rvRandomThread rv_random_hit(uint64_t number);
// A thread that touches itself, between two hands that wind it up and pull it tight.
rvRandomThread rv_random_loop(uint64_t number);
// The most that its energy grew, less the work, above the least that it had before, both for five steps on end: a body
// that yields feels an impact over four. As a share of the largest kinetic energy with the work.
rvGrowth rv_random_thread_run(rvRandomThread* thread, rvRandomRun run);
