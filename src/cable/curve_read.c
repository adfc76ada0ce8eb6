// SPDX-License-Identifier: MIT
// What others read of a curve in the world: energies, shape, what it carries.
#include "cable/curve_cable.h"

enum { PER_INTERVAL = 4 }; // points to draw it by

double rv_curve_elastic_energy(const rvCable* cable, double h)
{
    (void)h;
    double parts[3];
    rv_curve_middle(cable, rv_curve_of(cable)->gravity, parts);
    return parts[1];
}

void rv_curve_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                       double* potential)
{
    (void)bodies;
    (void)h;
    double parts[3];
    rv_curve_middle(cable, gravity, parts);
    *kinetic += parts[0];
    *potential += parts[2];
}

// Between the ends of an interval.
static double tension_at(const rvCurve* curve, int interval, double xi)
{
    const double* t = curve->tension + 2 * interval;
    return (1.0 - xi) * t[0] + xi * t[1];
}

double rv_curve_tension(const rvCable* cable, int span, int end)
{
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    const rvCurve* curve = rv_curve_of(cable);
    rvCurveSpot spot = curve->core->spotOf(cable, span + end);
    // an inner place may lie between two intervals: the one within the span
    bool before = end == 1 && spot.xi == 0.0 && spot.interval > 0;
    return before ? tension_at(curve, spot.interval - 1, 1.0) : tension_at(curve, spot.interval, spot.xi);
}

// Point i to draw it by: its interval, and where in it.
static int interval_of(const rvCurve* curve, int i, double* xi)
{
    int interval = i / PER_INTERVAL < curve->now.intervals ? i / PER_INTERVAL : curve->now.intervals - 1;
    *xi = (double)(i - interval * PER_INTERVAL) / PER_INTERVAL;
    return interval;
}

int rv_curve_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity)
{
    (void)shapes;
    const rvCurve* curve = rv_curve_of(cable);
    int count = PER_INTERVAL * curve->now.intervals + 1;
    for (int i = 0; i < count && i < capacity; ++i) {
        double xi;
        int interval = interval_of(curve, i, &xi);
        rvCurveSpot spot = curve->core->spotIn(curve, interval, xi);
        points[i] = rvAdd(curve->origin, rv_curve_out(curve, curve->core->point(curve, &spot)));
    }
    return count;
}

void rv_curve_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                    rvVec3* speed)
{
    (void)bodies;
    (void)h;
    rvCurve* curve = rv_curve_of(cable);
    double s = rv_cable_rest_before(cable, span) + share * cable->route.places[span].state.rest;
    rvCurveSpot spot = curve->core->spotAt(curve, s);
    *at = rvAdd(curve->origin, rv_curve_out(curve, curve->core->point(curve, &spot)));
    *speed = rv_curve_out(curve, curve->core->velocity(curve, &spot));
}

int rv_curve_sections(const rvCable* cable, rvCableSection* sections, int capacity)
{
    const rvCurve* curve = rv_curve_of(cable);
    int count = PER_INTERVAL * curve->now.intervals + 1;
    for (int i = 0; i < count && i < capacity; ++i) {
        double xi;
        int interval = interval_of(curve, i, &xi);
        sections[i] = (rvCableSection){.tension = tension_at(curve, interval, xi)};
        curve->core->bend(curve, interval, &sections[i]);
    }
    return count;
}

bool rv_curve_rest(const rvCable* cable, rvCableRest* rest)
{
    *rest = rv_curve_of(cable)->rest;
    return rv_curve_of(cable)->asked;
}
