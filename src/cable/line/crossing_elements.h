// SPDX-License-Identifier: MIT
// Ropes of finite elements that touch ropes: each other, and themselves.
//
// Where two lines would pass through each other in a step, or are nearer than they are thick, they touch at a point P
// between them. P is on the surface of the first one and goes along with it; the second stays off it: with the normal n
// from the first to the second, by the rows of touch.h
//   P' = x_a' + R_a n (three rows),   n . (x_b' - P') >= R_b,   |y| <= mu y_n in two directions along the surface.
// n is across both tangents, on the side on which they met: that is remembered, for ropes that bend sharply may come
// nearer than they are thick. P is a body of the solver of next to no mass: so what the ropes do to each other is equal
// and opposite, in this step and, as both take forces by the same rule, in those to come.
//
// Rows on positions would make the elements throw back what they stop (touch.h). So after the solve velocities and
// accelerations of the two points become the same along the rows that hold, by equal and opposite pushes, one row after
// the other until nothing changes: momentum stays, and impacts are inelastic.
#pragma once

#include "cable/core/model.h"

// In a step.
struct rvRopePoint {
    int cable[2];
    rvLineContact* contact[2]; // of both; NULL: there was no room for it
    int solverBody;
    double mass;
    rvVec3 at, velocity; // as the step begins, and as it is expected
    rvVec3 normal;
    double along[2]; // the ropes [m]
    double held;     // they did before
    bool pressed;    // after the solve
};

// Where two ropes are near each other after a step. Saved and restored as bytes, all doubles.
struct rvRopeMemory {
    double cable[2]; // index + 1; 0: no entry
    double along[2];
    double held;                 // they have pressed on each other since they came near
    rvVec3 normal, point, force; // force of the first on the point [N]
};

int rv_rope_points_room(const rvCableStore* store); // at most, of both
bool rv_rope_points_reserve(rvCableStore* store, rvMemory* memory);
// Once a step is predicted and shapes were looked at.
void rv_rope_points_find(rvCableStore* store, double h);
void rv_rope_points_predict(const rvCableStore* store, rvBodyStore* bodies);
// After the last solve, before ropes go on.
void rv_rope_points_settle(rvCableStore* store, const rvBodyStore* bodies, const rvStepContext* context);
void rv_rope_points_forget(rvCableStore* store, int cable);                         // it is no more
bool rv_rope_memory_is_sound(const rvCableStore* store, const rvRopeMemory* entry); // could a run have this?
