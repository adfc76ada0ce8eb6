// SPDX-License-Identifier: MIT
// What others read of a curve in the world: energies, shape, what it carries.
#include "cable/curve_cable.h"

enum { PER_INTERVAL = 4 }; // points to draw it by

double rv_curve_elastic_energy(const rvCable* cable, double h)
{
    (void)h;
    const rvCurve* curve = rv_curve_of(cable);
    return rv_plane_elastic_energy(&curve->motion.plane, curve->run.q);
}

void rv_curve_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                       double* potential)
{
    (void)bodies;
    (void)h;
    rvCurve* curve = rv_curve_of(cable);
    double mass = cable->layer.mass * curve->motion.plane.length;
    *kinetic += rv_plane_kinetic_energy(&curve->motion.plane, curve->run.v);
    *potential += rv_plane_height_energy(&curve->motion.plane, rv_curve_flat(curve, gravity)) -
                  mass * rvDot(gravity, curve->origin);
}

double rv_curve_tension(const rvCable* cable, int span, int end)
{
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    const rvCurve* curve = rv_curve_of(cable);
    double at = rv_cable_rest_before(cable, span + end);
    rvPlaneSpot spot = rv_plane_spot(&curve->motion.plane, at);
    // an inner place may lie between two intervals: the one within the span
    bool before = end == 1 && spot.xi == 0.0 && spot.interval > 0;
    const double* t = curve->tension + 2 * (before ? spot.interval - 1 : spot.interval);
    double xi = before ? 1.0 : spot.xi;
    return (1.0 - xi) * t[0] + xi * t[1];
}

int rv_curve_shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, int capacity)
{
    (void)shapes;
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    int count = PER_INTERVAL * plane->intervals + 1;
    for (int i = 0; i < count && i < capacity; ++i) {
        int interval = i / PER_INTERVAL < plane->intervals ? i / PER_INTERVAL : plane->intervals - 1;
        rvPlaneSpot spot = rv_plane_spot_in(plane, interval, (double)(i - interval * PER_INTERVAL) / PER_INTERVAL);
        points[i] = rvAdd(curve->origin, rv_curve_up(curve, rv_plane_point(plane, &spot)));
    }
    return count;
}

void rv_curve_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                    rvVec3* speed)
{
    (void)bodies;
    (void)h;
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    double rest = cable->route.places[span].state.rest;
    rvPlaneSpot spot = rv_plane_spot(plane, rv_cable_rest_before(cable, span) + share * rest);
    *at = rvAdd(curve->origin, rv_curve_up(curve, rv_plane_point(plane, &spot)));
    *speed = rv_curve_up(curve, rv_plane_velocity(plane, curve->run.v, &spot));
}

int rv_curve_sections(const rvCable* cable, rvCableSection* sections, int capacity)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = &curve->motion.plane;
    int count = PER_INTERVAL * plane->intervals + 1;
    for (int i = 0; i < count && i < capacity; ++i) {
        int k = i / PER_INTERVAL < plane->intervals ? i / PER_INTERVAL : plane->intervals - 1;
        double xi = (double)(i - k * PER_INTERVAL) / PER_INTERVAL;
        const rvPlanePart* part = &plane->parts[k];
        double bent = rv_plane_curvature(plane, curve->run.q, k), rate = rv_plane_curvature(plane, curve->run.v, k);
        sections[i] = (rvCableSection){.tension = (1.0 - xi) * curve->tension[2 * k] + xi * curve->tension[2 * k + 1],
                                       .curvature = bent,
                                       .moment = part->rigidity * (bent - part->natural) + part->damping * rate};
    }
    return count;
}

bool rv_curve_rest(const rvCable* cable, rvCableRest* rest)
{
    const rvCurve* curve = rv_curve_of(cable);
    *rest = (rvCableRest){curve->rest.found, curve->rest.stable, curve->rest.residual};
    return curve->rest.rounds > 0;
}
