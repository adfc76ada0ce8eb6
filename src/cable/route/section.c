// SPDX-License-Identifier: MIT
#include "cable/route/section.h"

void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple)
{
    section->tangent = tangent;
    section->force = force;
    section->couple = couple;
    section->tension = rvDot(tangent, force);
    section->shear = rvLength(rvMulAdd(force, -section->tension, tangent));
    section->torque = rvDot(tangent, couple);
    section->moment = rvLength(rvMulAdd(couple, -section->torque, tangent));
}

void rv_section_add_twist(const rvCable* cable, rvCableSection* section)
{
    section->torque += cable->state.twistTorque;
    section->couple = rvMulAdd(section->couple, cable->state.twistTorque, section->tangent);
}

// The span that holds a length of rope, and the share of it that lies before. Rope of models that count it by segments
// is spread over the spans as these are long. What lies on a wheel between two spans is counted with the second, and
// carries what the nearer of them does.
int rv_section_span(const rvCable* cable, double at, const double* onPlace, double* share)
{
    const rvRoute* route = &cable->route;
    bool counts = !rv_cable_has(cable, RV_SEGMENTS);
    double all = 0.0, before = 0.0, own = 0.0;
    for (int i = 0; !counts && i < route->spanCount; ++i)
        all += route->spans[i].length;
    at *= counts ? 1.0 : all / fmax(cable->state.restLength, 1e-300);
    int span = 0;
    for (;; ++span) {
        own = counts ? route->places[span].state.rest : route->spans[span].length;
        if (span + 1 >= route->spanCount || at <= before + own)
            break;
        before += own;
    }
    double wheel = onPlace ? onPlace[span] : 0.0;
    if (span > 0 && at - before < 0.5 * wheel) {
        *share = 1.0;
        return span - 1;
    }
    *share = fmin(fmax((at - before - wheel) / fmax(own - wheel, 1e-300), 0.0), 1.0);
    return span;
}

void rv_section_along(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, double tension,
                      rvCableSection* section)
{
    const double TINY = 1e-4; // of a span: for the tangent
    rvVec3 velocity, ends[2];
    for (int i = 0; i < 2; ++i)
        rv_cable_point(cable, bodies, h, span, fmin(fmax(share + (i - 0.5) * TINY, 0.0), 1.0), &ends[i], &velocity);
    rvVec3 way = rvSub(ends[1], ends[0]);
    double length = rvLength(way);
    rvVec3 tangent = length > 0.0 ? rvScale(1.0 / length, way) : rvVec(0, 0, 0);
    rv_cable_point(cable, bodies, h, span, share, &section->point, &velocity);
    rv_section_take(section, tangent, rvScale(tension, tangent), rvScale(cable->state.twistTorque, tangent));
    section->strain = tension / cable->axialStiffness;
}

void rv_section_by(const rvCable* cable, const rvBodyStore* bodies, double h, rvSectionAt* sectionAt,
                   const double* onPlace, rvCableSection* section)
{
    double share;
    int span = rv_section_span(cable, section->at, onPlace, &share);
    if (cable->state.broken != 0.0) {
        rv_section_along(cable, bodies, h, span, share, 0.0, section);
        return;
    }
    sectionAt(cable, span, share, section);
    rv_section_add_twist(cable, section);
}

double rv_section_tension(const rvCable* cable, int span, int end, rvSectionAt* sectionAt)
{
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    rvCableSection section = {0};
    sectionAt(cable, span, end, &section);
    return section.tension;
}
