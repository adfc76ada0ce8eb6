// SPDX-License-Identifier: MIT
// What a cable carries at a length along it: by its model where that knows more than the tension of a span.
#include "cable/driver/section.h"

#include "cable/driver/cables.h"
#include "cable/route/section.h"
#include "cable/string/layered.h"

// The span that holds a length of rope, and the share of it that lies before. Rope of models that count it by segments
// is spread over the spans as these are long. What lies on a wheel between two spans is counted with the second, and
// carries what the nearer of them does.
static int find_span(const rvCable* cable, double at, double* share)
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
    double wheel = rv_cable_ops(cable)->onPlace ? rv_cable_ops(cable)->onPlace(cable, span) : 0.0;
    if (span > 0 && at - before < 0.5 * wheel) {
        *share = 1.0;
        return span - 1;
    }
    *share = fmin(fmax((at - before - wheel) / fmax(own - wheel, 1e-300), 0.0), 1.0);
    return span;
}

// The force in a limp rope changes evenly along it, by its weight W: of |F|, T0 at one end and T1 at the other,
//   T(s)^2 = (1 - s) T0^2 + s T1^2 - s (1 - s) W^2
// whatever the direction; of a rope without weight it is the same everywhere.
static double tension_at(const rvCable* cable, const rvBodyStore* bodies, double gravity, int span, double share)
{
    double before = rv_cable_told_tension(cable, bodies, span, 0),
           after = rv_cable_told_tension(cable, bodies, span, 1);
    bool weighs = rv_cable_has(cable, RV_HAS_MASS) && rv_cable_has(cable, RV_SEGMENTS);
    double weight = weighs ? gravity * rv_layered_mass(cable, span) : 0.0;
    double square = (1.0 - share) * before * before + share * after * after - share * (1.0 - share) * weight * weight;
    return cable->state.broken == 0.0 ? sqrt(fmax(0.0, square)) : 0.0;
}

void rv_cable_section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, double at,
                      rvCableSection* section)
{
    const double TINY = 1e-4; // of a span: for the tangent
    const rvCableModelOps* ops = rv_cable_ops(cable);
    rvVec3 speed, ends[2];
    double share;
    int span = find_span(cable, at, &share);
    *section = (rvCableSection){.at = at};
    if (ops->section && cable->state.broken == 0.0) {
        ops->section(cable, span, share, section);
        section->torque += cable->state.twistTorque; // one in all of it (twist.h); elements have none of their own
        section->couple = rvMulAdd(section->couple, cable->state.twistTorque, section->tangent);
        return;
    }
    for (int i = 0; i < 2; ++i)
        rv_cable_point(cable, bodies, h, span, fmin(fmax(share + (i - 0.5) * TINY, 0.0), 1.0), &ends[i], &speed);
    rvVec3 way = rvSub(ends[1], ends[0]);
    double length = rvLength(way);
    rvVec3 tangent = length > 0.0 ? rvScale(1.0 / length, way) : rvVec(0, 0, 0);
    rv_cable_point(cable, bodies, h, span, share, &section->point, &speed);
    double tension = tension_at(cable, bodies, gravity, span, share);
    rv_section_take(section, tangent, rvScale(tension, tangent), rvScale(cable->state.twistTorque, tangent));
    section->strain = tension / cable->axialStiffness;
}
