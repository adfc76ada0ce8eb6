// SPDX-License-Identifier: MIT
#include "cable/route/segment.h"

double rv_segment_length(const rvRoute* route, int first, int last)
{
    double length = route->places[first].arcAfter + route->places[last].arcBefore;
    for (int i = first; i < last; ++i) {
        length += route->spans[i].length + route->places[i].state.sag - route->places[i].state.unpaid;
        if (i > first)
            length += route->places[i].arcBefore + route->places[i].arcAfter;
    }
    return length;
}
