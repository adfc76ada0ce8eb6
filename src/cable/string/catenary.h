// SPDX-License-Identifier: MIT
// The elastic catenary in closed form: a rope of rest length N, weight w a metre of it and stiffness EA hangs from one
// point to another, d away and z higher.
//
// With H the horizontal part of the tension and F the vertical part halfway along the rope (V = F + w N/2 at the second
// end) the stretch takes H N/EA off d and F N/EA off z; what is left, d' and z', is spanned by an inextensible rope:
//   p = w d'/(2 H),   F = (w z'/2) coth p,   N^2 = z'^2 + d'^2 (sinh p/p)^2
// which are the two equations of the elastic catenary written so that nothing cancels, down to H = 0 (p infinite) and
// up to the straight line (p = 0).
#pragma once

#include "reeve/math.h"

typedef struct {
    double length;     // N, unstretched [m]
    double horizontal; // H [N]
    double vertical;   // F, upwards along the direction of travel [N]
    double bend;       // p
    double slope;      // d N/d tension of the inextensible rope at this chord, <= 0 [m/N]
} rvCatenary;

// By the tension along the chord, H d/l + F z/l = tension. Where that is less than the least that a hanging rope has,
// or the bend would be more than `largest`, the bend is that.
rvCatenary rv_catenary_by_tension(double d, double z, double weight, double stiffness, double tension, double largest);
// Is rope of this rest length bent by more than `bend`?
bool rv_catenary_is_bent(double d, double z, double weight, double stiffness, double length, double bend);
// By its rest length.
rvCatenary rv_catenary_by_length(double d, double z, double weight, double stiffness, double length);

// Tension at the first and the second end [N].
static inline double rv_catenary_end(const rvCatenary* c, double weight, int end)
{
    double v = c->vertical + (end ? 0.5 : -0.5) * weight * c->length;
    return sqrt(c->horizontal * c->horizontal + v * v);
}

// How much the ends pull across the chord, d and z as before: F d/l - H z/l, upwards on the first, downwards on the
// second.
double rv_catenary_across(const rvCatenary* c, double d, double z, double weight, double stiffness);

// Height of the rope over its first end at the share s of its rest length, and how far along d.
void rv_catenary_point(const rvCatenary* c, double weight, double stiffness, double s, double* along, double* height);
