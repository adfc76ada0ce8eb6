// SPDX-License-Identifier: MIT
// A curve on the way to rest: its part of an iteration of settling (src/world/settle.c), a step of implicit Euler from
// rest over all that hangs together, (M/h^2 + K) d = Q + g^T l, with the rows of a step, cM = 1/h^2 and no past.
#include "cable/curve/curve_cable.h"

#include <string.h>

static bool hangs(const rvCable* cable)
{
    return rv_curve_of(cable)->gripCount > 0 && cable->state.broken == 0.0;
}

void rv_curve_begin_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int i = 0; i < 3; ++i)
        memset(curve->now.before[i], 0, (size_t)curve->now.count * sizeof(double));
    memset(curve->pushes, 0, sizeof curve->pushes);
    curve->core->predict(curve, h, true);
}

void rv_curve_end_rest(rvCable* cable, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->core->settle(curve, hangs(cable) ? h / curve->now.alpha->h : 0.0); // all of it goes as far as the bodies go
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGripState* s = &curve->states[k];
        for (int i = 0; i < 3 && cable->group >= 0; ++i)
            memcpy(s->past[i], curve->grips[k].force, sizeof s->past[i]);
        for (int c = 0; c < 6; ++c)
            curve->pasts[k].unread[c] = 0.5 * s->past[0][c];
        s->spin = rvVec(0, 0, 0);
        memset(curve->pasts[k].rate, 0, sizeof curve->pasts[k].rate);
    }
    curve->fresh = 1.0;
    curve->core->place(curve);
    curve->core->remember(curve);
    rv_curve_begin_books(cable);
    rv_curve_publish(cable);
}

double rv_curve_measure_rest(const rvCable* cable, double gravity, double* way, double* turn, double* carried)
{
    const rvCurve* curve = rv_curve_of(cable);
    *way = *turn = 0.0;
    *carried = cable->layer.mass * curve->now.length * gravity;
    if (!hangs(cable))
        return 0.0;
    for (int k = 0; k < curve->gripCount; ++k)
        *carried += rvLength(rv_space_vec(curve->grips[k].force));
    return curve->core->measureRest(curve, way, turn);
}
