// SPDX-License-Identifier: MIT
// The ropes of the example cranes: they know Reeve's bodies and nothing of the engine that has them.
#pragma once

#include <reeve/reeve.h>

// The hoist rope: winch at the mast, down from the trolley, round the sheave of the hook, up again, to the jib's tip;
// and the sling from the hook to the load.
static inline rvStatus lay_ropes(rvWorld* world, rvBodyId trolley, rvBodyId hook, rvBodyId load, rvCableId* hoistRope)
{
    const rvVec3 axis = rvVec(0, 1, 0);
    const rvBodyId none = {0, 0}; // a null body is the world
    rvPlaceDef hoist[] = {
        rvWinchPlace(none, rvVec(0, 0, 30.25), 0.0), rvSheavePlace(trolley, rvVec(-0.5, 0, 0), axis, 0.25),
        rvSheavePlace(hook, rvVec(0, 0, 0.3), axis, 0.25), rvSheavePlace(trolley, rvVec(0.5, 0, 0), axis, 0.25),
        rvAttachPlace(none, rvVec(20, 0, 30.25))};
    hoist[0].winch.acceleration = 0.5;
    rvPlaceDef sling[] = {rvAttachPlace(hook, rvVec(0, 0, -0.3)), rvAttachPlace(load, rvVec(0, 0, 1.0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_MASSLESS); // steel, 20 mm
    rope.damping = 0.05;
    rope.places = hoist;
    rope.placeCount = 5;
    rvStatus status = rvCreateCable(world, &rope, hoistRope);
    rope.places = sling;
    rope.placeCount = 2;
    rvCableId slingRope;
    return status == RV_OK ? rvCreateCable(world, &rope, &slingRope) : status;
}

// Hoist at 0.5 m/s (1 m/s of rope in two falls) from 1 s on, down again from 9 s on.
static inline double hoist_speed(double time)
{
    return time < 1.0 ? 0.0 : time < 9.0 ? -1.0 : 1.0;
}

// The trolley at 1 m/s from 4 s to 8 s.
static inline double trolley_speed(double time)
{
    return time >= 4.0 && time < 8.0 ? 1.0 : 0.0;
}
