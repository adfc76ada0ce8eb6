// SPDX-License-Identifier: MIT
// Section forces of finite elements.
//
// Finite elements that bend have strains that swing along them by many times the tension of a limp rope. What balances
// at the nodes is the force that works on the ends of an element against each other, F = integral of 6x(1-x) N r' and
// shear: at rest it changes from one middle to the next by the weight between. So F(p) is a line from middle to middle,
// of each span by itself, and the tension F.t.
#include "cable/fe/fe_section.h"

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
