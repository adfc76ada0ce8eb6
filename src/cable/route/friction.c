// SPDX-License-Identifier: MIT
#include "cable/route/friction.h"

#define LARGEST_WRAP 9.0 // mu theta: e^9 holds 8000 : 1

double rv_place_ratio(const rvPlace* place)
{
    bool turns = rv_place_is_wheel(place) && !place->locked && !(place->inertia > 0.0);
    if (turns && !(place->bearing > 0.0)) // it turns by itself, whatever the rope's friction
        return 1.0;
    double rope = place->friction > 0.0 ? exp(fmin(place->friction * place->turn, LARGEST_WRAP)) : 1.0;
    if (isinf(place->friction))
        rope = HUGE_VAL;
    if (!turns)
        return rope;
    double k = place->bearing * sin(0.5 * fmin(place->turn, 3.14159265358979323846));
    return fmin(rope, (1.0 + k) / (1.0 - k));
}
