// SPDX-License-Identifier: MIT
// What a cable carries at a length along it: by its model where that knows more than the tension of a span.
//
// Finite elements that bend have strains that swing along them by many times the tension of a limp rope. What balances
// at the nodes is the force that works on the ends of an element against each other, F = integral of 6x(1-x) N r' and
// shear: at rest it changes from one middle to the next by the weight between. So F(p) is a line from middle to middle,
// of each span by itself, and the tension F.t.
#include "cable/section.h"

#include "cable/layered/layered.h"

// The span that holds a length of rope, and the share of it that lies before. Rope of models that count it by segments
// is spread over the spans as these are long. What lies on a wheel between two spans is counted with the second, and
// carries what the nearer of them does.
static int find_span(const rvCable* cable, double at, double* share)
{
    const rvRoute* route = &cable->route;
    bool counts = rv_cable_ops(cable)->countsSpans || rv_cable_ops(cable)->keepsPlaces;
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

static double middle(const rvAncf* ancf, int e)
{
    return 0.5 * (ancf->places[e] + ancf->places[e + 1]);
}

// As bodies feel it.
static rvVec3 element_force(const rvElementSpan* span, int e)
{
    double more = rv_ancf_told_change(span->ancf, e, span->fill) / span->fill;
    return rv_ancf_element_force(span->ancf, e, span->elastic, more);
}

// By the forces of the elements, each at its middle, on a line from one to the next and on beyond the outer ones; of a
// single one by its weight.
static rvVec3 force_at(const rvElementSpan* span, double p)
{
    const rvAncf* ancf = span->ancf;
    int e = rv_ancf_element_at(ancf, p), last = span->last - 1;
    if (last < span->first)
        return rvMulAdd(element_force(span, span->first), middle(ancf, span->first) - p, span->load);
    e -= e > 0 && p < middle(ancf, e);
    e = e < span->first ? span->first : e > last ? last : e;
    double from = middle(ancf, e), share = (p - from) / (middle(ancf, e + 1) - from);
    return rvMulAdd(rvScale(1.0 - share, element_force(span, e)), share, element_force(span, e + 1));
}

double rv_section_strain(double tension, double EA)
{
    const double LEAST = -0.4; // Green's law presses hardest at 1/sqrt(3) - 1
    double t = tension / EA, e = fmax(t, LEAST);
    for (int i = 0; i < 3; ++i)
        e = fmax(e - ((e + 0.5 * e * e) * (1.0 + e) - t) / (1.0 + 3.0 * e + 1.5 * e * e), LEAST);
    return e;
}

void rv_section_of_elements(const rvElementSpan* span, double p, const rvAncfPoint points[3], double apart,
                            rvCableSection* section)
{
    const rvAncfPoint* at = &points[1];
    rvVec3 tangent = rvScale(1.0 / fmax(rvLength(at->slope), 1e-300), at->slope);
    rvVec3 change = rvSub(rvScale(points[2].moment, points[2].about), rvScale(points[0].moment, points[0].about));
    rvVec3 across =
        apart > 0.0 ? rvCross(tangent, rvScale(1.0 / (apart * rvLength(at->slope)), change)) : rvVec(0, 0, 0);
    double tension = rvDot(tangent, force_at(span, p));
    rv_section_take(section, tangent, rvMulAdd(across, tension, tangent), rvScale(at->moment, at->about));
    section->strain = rv_section_strain(tension, span->EA);
    section->curvature = at->curvature * rvLength(at->about);
}

double rv_section_tension(const rvCable* cable, int span, int end)
{
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    rvCableSection section = {0};
    rv_cable_ops(cable)->section(cable, span, end, &section);
    return section.tension;
}

// The force in a limp rope changes evenly along it, by its weight W: of |F|, T0 at one end and T1 at the other,
//   T(s)^2 = (1 - s) T0^2 + s T1^2 - s (1 - s) W^2
// whatever the direction; of a rope without weight it is the same everywhere.
static double tension_at(const rvCable* cable, const rvBodyStore* bodies, double gravity, int span, double share)
{
    double before = rv_cable_told_tension(cable, bodies, span, 0),
           after = rv_cable_told_tension(cable, bodies, span, 1);
    bool weighs = rv_cable_ops(cable)->hasMass && rv_cable_ops(cable)->hasSegments;
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
