// SPDX-License-Identifier: MIT
// Reading an ANCF cable: what it is like at a place, energies, momentum, what the holds carry.
#include "cable/ancf/ancf_parts.h"
#include "cable/core/reference.h"

#include "cable/route/force_filter.h"

// The element that holds p, by halving; the last one at the end.
int rv_ancf_element_at(const rvAncf* cable, double p)
{
    int low = 0, high = cable->elementCount - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (p < cable->places[middle + 1])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static rvVec3 vec(const double x[3])
{
    return rvVec(x[0], x[1], x[2]);
}

static rvAncfPoint point_of(const rvAncf* cable, int e, double p)
{
    const rvAncfElement* element = &cable->elements[e];
    double l = element->length, x = fmin(fmax((p - cable->places[e]) / l, 0.0), 1.0);
    double s[4], s1[4], s2[4], r[3], a[3], b[3], v[3], va[3], vb[3];
    rv_ancf_shape(x, l, s);
    rv_ancf_shape_slope(x, l, s1);
    rv_ancf_shape_bend(x, l, s2);
    rv_ancf_blend(cable->q, e, s, r);
    rv_ancf_blend(cable->q, e, s1, a);
    rv_ancf_blend(cable->q, e, s2, b);
    rv_ancf_blend(cable->v, e, s, v);
    rv_ancf_blend(cable->v, e, s1, va);
    rv_ancf_blend(cable->v, e, s2, vb);
    rvAncfPoint out = {.position = vec(r), .slope = vec(a), .velocity = vec(v)};
    out.strain = 0.5 * (rv_ancf_dot3(a, a) - 1.0);
    // EA eps is work-conjugate to the Green strain; the force in the cable is that times |r'|
    out.tension = element->EA * (out.strain + element->axialTime * rv_ancf_dot3(a, va)) * sqrt(rv_ancf_dot3(a, a));
    out.curvature = rv_ancf_curvature(cable, a, b);
    out.moment = element->EI *
                 (out.curvature - element->curvature + element->bendTime * rv_ancf_curvature_rate(cable, a, b, va, vb));
    // |r''| is also of rope that stretches more and more: only what is across r' bends, the couple is EI r' x r''
    rvVec3 normal = rvCross(out.slope, vec(b));
    double size = cable->exactCurvature ? rvLength(normal) : rvLength(out.slope) * sqrt(rv_ancf_dot3(b, b));
    out.about = size > 0.0 ? rvScale(1.0 / size, normal) : rvVec(0, 0, 0);
    return out;
}

rvAncfPoint rv_ancf_point(const rvAncf* cable, double p)
{
    return point_of(cable, rv_ancf_element_at(cable, p), p);
}

void rv_ancf_points_about(const rvAncf* cable, const int range[2], double p, rvAncfPoint points[3], double* apart)
{
    int e = rv_ancf_element_at(cable, p);
    e = e < range[0] ? range[0] : e > range[1] ? range[1] : e;
    double from = cable->places[e], to = cable->places[e + 1], tiny = 1e-3 * (to - from);
    double before = fmax(p - tiny, from + 1e-9 * (to - from)), after = fmin(p + tiny, to - 1e-9 * (to - from));
    points[0] = point_of(cable, e, before);
    points[1] = point_of(cable, e, p);
    points[2] = point_of(cable, e, after);
    *apart = after - before;
}

// The factor b of u in r' of ancf_element.c is 6x(1-x), its mean is 1: what works on the ends of the element against
// each other.
// ---- tensions as they are told
//
// The tension at the end of a step is not what moves anything. A held point that is stopped or jerked by a blow on its
// body has the speed v + (gam/bet) (way/h - v) then, 15/8 of the change, and damping pulls by that; the next step
// throws it back. Points of the rope, and the bodies that hold them (grip.h), go by a mean of the last four,
//   x(n+1) - 2 x(n) + x(n-1) = h^2/(27 m) (8 N(n+1) + 12 N(n) + 6 N(n-1) + N(n-2))
// from one middle of a step to the next, where the velocities of bodies are: that is the pull that is read, and breaks
// a rope. (By that of the end a load that met a wall had twice the pull, for a step, that its speed shows.) Where the
// rope itself is made to jump at the start of a step, by an implicit solve, nothing throws it: then it has no past.

double rv_ancf_mean_pull(const rvAncf* cable, int e)
{
    bool ahead = e < cable->slotCount;
    const int* place = cable->slotOf[ahead ? e : e + 1];
    double sum = 0.0;
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        sum += rv_ancf_gauss_weight[g] * cable->stored[RV_ANCF_STORED * place[0] + g][place[1]];
    return sum / cable->elements[e].length;
}

double rv_ancf_told_pull(const rvAncf* cable, int e)
{
    const double* n = cable->pulls + (size_t)RV_ANCF_PULLS * e;
    return rv_force_sum(n[0], n + 1, 1) / RV_FORCE_TAP_SUM;
}

double rv_ancf_told_change(const rvAncf* cable, int e, double fill)
{
    return rv_ancf_told_pull(cable, e) - fill * rv_ancf_mean_pull(cable, e);
}

void rv_ancf_note_pulls(rvAncf* cable, double fill, bool anew)
{
    for (int e = 0; e < cable->elementCount; e++) {
        double *n = cable->pulls + (size_t)RV_ANCF_PULLS * e, now = fill * rv_ancf_mean_pull(cable, e);
        for (int i = RV_ANCF_PULLS - 1; i > 0; i--)
            n[i] = anew ? now : n[i - 1];
        n[0] = now;
    }
}

rvVec3 rv_ancf_element_force(const rvAncf* cable, int e, double elastic, double more)
{
    bool ahead = e < cable->slotCount; // from its outer node on
    const int* place = cable->slotOf[ahead ? e : e + 1];
    const rvPair* stored = cable->stored + RV_ANCF_STORED * place[0];
    const double *q = cable->q + 6 * e, l = cable->elements[e].length;
    double bend = 3.0 * elastic * cable->spans[place[0]].bend[place[1]] / l, force[3];
    for (int c = 0; c < 3; c++)
        force[c] = -bend * (q[3 + c] + q[9 + c] - 2.0 * (q[6 + c] - q[c]) / l);
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        double x = ahead ? rv_ancf_gauss[g] : 1.0 - rv_ancf_gauss[g], s1[4], slope[3];
        rv_ancf_shape_slope(x, l, s1);
        rv_ancf_blend(cable->q, e, s1, slope);
        double n = rv_ancf_gauss_weight[g] * 6.0 * x * (1.0 - x) * (stored[g][place[1]] / l + more);
        for (int c = 0; c < 3; c++)
            force[c] += n * slope[c];
    }
    if (cable->hasBending)
        rv_ancf_bending_pull(cable, e, force);
    return vec(force);
}

rvAncfEnergy rv_ancf_energy(const rvAncf* cable)
{
    rvAncfEnergy out = {.kinetic = rv_ancf_kinetic(cable, cable->v)};
    rv_ancf_elastic_energy(cable, cable->q, &out.stretch, &out.bend);
    out.bend += rv_ancf_bending_energy(cable, cable->q);
    out.potential = rv_ancf_potential(cable, cable->q) - out.stretch - out.bend;
    out.total = out.kinetic + out.stretch + out.bend + out.potential;
    return out;
}

static void read_reaction(rvAncf* cable, int node, const rvPair* stored, double force[6])
{
    double *inertia = cable->work[0], *given = cable->work[1];
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    rv_ancf_mass_product(cable, cable->a, inertia);
    if (stored)
        rv_ancf_stepped_force(cable, cable->q, cable->v, stored, given);
    else
        rv_ancf_force(cable, cable->q, cable->v, given);
    if (cable->rows)
        cable->reference->addRowForces(cable, given);
    for (int i = 0; i < 6; i++)
        force[i] = cable->held[node] >> i & 1 ? inertia[6 * node + i] - given[6 * node + i] : 0.0;
}

void rv_ancf_reaction(rvAncf* cable, int node, double force[6])
{
    read_reaction(cable, node, NULL, force);
}

void rv_ancf_step_reaction(rvAncf* cable, int node, double force[6])
{
    read_reaction(cable, node, cable->stored, force);
}
