// SPDX-License-Identifier: MIT
// Times work and tells how long the machine was away meanwhile: other programs, the kernel, what runs under a virtual machine.
//
// A timer ticks every `period`. Who computes cannot hold a tick up, so where none came for longer than that this thread did not
// run: of the time between two ticks at most a period is its own. No counter of the system is needed for that, and none
// would do: on virtual machines the clock of processor time jumps, and what is stolen is told in hundredths of a second, or not.
#pragma once

#include <stdbool.h>
#include <time.h>

typedef struct {
    timer_t timer;
    bool ticks; // there is a timer
    double period;
    volatile double last,
        away; // the last tick, or the beginning of the work; what it was away for since that began [s]
} rvWatch;

typedef struct {
    double wall; // [s]
    double own;  // at most, without what the machine was away for [s]
    long faults; // of pages
} rvWatched;

// The watch stays where it is until it is stopped. Where the system has no timer all time counts as own.
void rv_watch_start(rvWatch* watch, double period);
void rv_watch_stop(rvWatch* watch);

rvWatched rv_watch_work(rvWatch* watch, void (*work)(void* object), void* object);

// The longest that a loop stands still in so many seconds although it only asks for the time: what no program can do better.
double rv_watch_idle(double seconds);
