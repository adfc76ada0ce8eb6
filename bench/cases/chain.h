// SPDX-License-Identifier: MIT
// The chain that every engine must carry, and the engines that carry it: ours and the peers.
//
// `links` thin rods on ball joints hang from the origin, the first held by the world; at the lower end a load hangs on
// a ball joint at its centre. All is released at rest, straight, at `angle` from the vertical in the x-z plane.
// A heavy load keeps the chain straight, so it swings as one physical pendulum:
//   I = M L^2 + m L^2/3,  D = (M + m/2) g L,  T = 2 pi sqrt(I/D) / agm(1, cos(angle/2)),  m the mass of all links.
#pragma once

#include "reeve/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int links;
    double length;   // of all links [m]
    double linkMass; // of one [kg]
    double loadMass; // [kg]
    double angle;    // [rad]
} rvChain;

// One engine that can carry the chain.
typedef struct {
    const char* name;
    int maxLinks;                          // longer chains are left out
    const char* whyLimit;                  // and this is why
    void* (*create)(const rvChain* chain); // NULL: it cannot
    void (*destroy)(void* state);
    bool (*step)(void* state, double h); // false: the engine itself says that it lost the state
    rvVec3 (*load)(void* state);         // where the load is [m]
    double (*energy)(void* state);       // kinetic and potential, zero at rest at z = 0 [J]; NULL: not read
    double (*gap)(void* state);          // largest distance of two points that a joint holds together [m]
} rvChainEngine;

// Ours, and the peers of this build; `missing` lists the names of those that are not in it.
extern const rvChainEngine rv_chain_ours;
int rv_chain_peers(const rvChainEngine** peers, int capacity);
int rv_chain_missing(const char** names, int capacity);

enum { RV_CHAIN_MAX_ENGINES = 8 };

static const double RV_CHAIN_GRAVITY = 9.81;

static inline double rv_chain_link_length(const rvChain* chain)
{
    return chain->length / chain->links;
}

// Moments of a link, z along it: a round rod of radius l/20.
static inline rvVec3 rv_chain_link_inertia(const rvChain* chain)
{
    double l = rv_chain_link_length(chain), r = l / 20.0, m = chain->linkMass;
    double across = m * (l * l / 12.0 + r * r / 4.0);
    return rvVec(across, across, m * r * r / 2.0);
}

// Of the load, a ball of radius 0.5 m; it hangs by its centre, so it does not turn.
static inline double rv_chain_load_inertia(const rvChain* chain)
{
    return 0.4 * chain->loadMass * 0.25;
}

// How all links are turned at the start: their z axis points up along the chain.
static inline rvQuat rv_chain_turn(const rvChain* chain)
{
    return rvQuatFromAxisAngle(rvVec(0, 1, 0), -chain->angle);
}

// The point of the straight chain at distance s from the anchor.
static inline rvVec3 rv_chain_point(const rvChain* chain, double s)
{
    return rvRotate(rv_chain_turn(chain), rvVec(0, 0, -s));
}

// Period of the physical pendulum above [s].
double rv_chain_period(const rvChain* chain);

// Energy of hanging at rest at an angle from the vertical, zero for z = 0 [J].
double rv_chain_rest_energy(const rvChain* chain, double angle);

// Largest step of an engine without geometric stiffness: 2/sqrt(12 T/(m l)), T the tension of the load at rest.
double rv_chain_step_limit(const rvChain* chain);

// Time a step of several chains and engines, each with its own step, interleaved; the least of `repeats` blocks.
typedef struct {
    rvChain chain;
    const rvChainEngine* engine;
    double h;       // [s]
    double seconds; // out: time a step, RV_NO_NUMBER if the engine cannot
} rvChainTiming;
void rv_chain_time(rvChainTiming* items, int count, int repeats);

// What a run showed. The load is lost when it leaves its circle by more than the part `off` of the length; a run ends
// there.
typedef struct {
    double held;   // time until the load was lost, or the whole run [s]
    double period; // from crossings of the vertical; RV_NO_NUMBER: fewer than two
    double gap;    // largest joint gap, looked at every 16 steps [m]
    double energy; // of the swing at the end, as a part of that at the start; RV_NO_NUMBER: not read
} rvChainRun;
rvChainRun rv_chain_run(const rvChain* chain, const rvChainEngine* engine, double h, double duration, double off);

// Largest step that holds the load for 3 s, by bisection between `low` and `high`, to 5 %. RV_NO_NUMBER if none
// does.
double rv_chain_largest_step(const rvChain* chain, const rvChainEngine* engine, double low, double high);

#ifdef __cplusplus
}
#endif
