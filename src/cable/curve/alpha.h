// SPDX-License-Identifier: MIT
// Coefficients of a step of generalised-alpha, of the curve in a plane and of the one in space.
//
//   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gam = 1/2 + af - am, bet = (gam + 1/2)^2/4
//   x1 = x + h v + h^2 ((1/2 - bet) at + bet at1),   v1 = v + h ((1 - gam) at + gam at1)
//   (1 - am) at1 + am at = (1 - af) a1 + af a
// d(a1)/d(x1) = cM, d(v1)/d(x1) = cV. Implicit Euler: am = af = 0, gam = bet = 1, and at does not count.
#pragma once

#include <stdbool.h>

typedef struct {
    double h, am, af, gam, bet, cM, cV;
    bool euler;
} rvAlpha;

// rho: what is kept of the highest frequency a step, 0..1.
static inline rvAlpha rv_alpha_begin(double h, double rho, bool euler)
{
    rvAlpha t = {.h = h, .euler = euler};
    t.am = euler ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
    t.af = euler ? 0.0 : rho / (rho + 1.0);
    t.gam = euler ? 1.0 : 0.5 + t.af - t.am;
    t.bet = euler ? 1.0 : 0.25 * (t.gam + 0.5) * (t.gam + 0.5);
    t.cM = (1.0 - t.am) / ((1.0 - t.af) * t.bet * h * h);
    t.cV = t.gam / (t.bet * h);
    return t;
}

// v1 and a1 of an unknown, by its at1.
static inline void rv_alpha_rates(const rvAlpha* t, double v, double a, double at, double at1, double* v1, double* a1)
{
    *v1 = v + t->h * ((1.0 - t->gam) * at + t->gam * at1);
    *a1 = ((1.0 - t->am) * at1 + t->am * at - t->af * a) / (1.0 - t->af);
}
