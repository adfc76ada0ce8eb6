// SPDX-License-Identifier: MIT
// Equilibrium of an ANCF cable: Newton on the potential energy, with continuation in a mass-weighted damping.
//
//   (K + mu M) d = Q(q, 0)
// mu -> 0 as steps succeed and grows where the energy does not fall. A matrix that is not positive definite is replaced
// by its positive part (no pushing tension, no curvature that pulls itself flat): so the way leads downhill, from any shape. Drag has no energy: it is held fixed during a step and taken
// anew for the next.
#include "cable/ancf/ancf_parts.h"

enum { MAX_STEPS = 2000 };

// Largest motion: positions against the cable's length, slopes as they are.
static double largest(const rvAncf* cable, const double* d)
{
    double most = 0.0, length = rv_ancf_length(cable);
    for (int i = 0; i < cable->dofCount; i++)
        most = fmax(most, fabs(d[i]) / (i % 6 < 3 ? length : 1.0));
    return most;
}

static void put_drag(const rvAncf* cable, const double* q, double* drag)
{
    memset(drag, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    if (cable->hasWater) {
        memset(cable->work[5], 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        rv_ancf_water_force(cable, q, cable->work[5], drag);
    }
}

static double energy_of(const rvAncf* cable, const double* q, const double* drag)
{
    return rv_ancf_potential(cable, q) - rv_ancf_dot(cable, q, drag);
}

// The force at q and the factor of K + mu M; where that is not positive, of what is left of it with only what pulls back.
static bool factor_at(rvAncf* cable, const double* q, double mu, double* force)
{
    const double* rest = cable->work[4];
    for (int positive = 0; positive < 2; positive++) {
        rvAncfWish wish = {.massFactor = mu, .stored = positive ? cable->nextStored : NULL, .positive = positive};
        rv_ancf_linearise(cable, q, rest, &wish, force);
        memcpy(cable->nextStored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
        if (rv_ancf_negative_pivots(cable, cable->slots) == 0)
            return true;
    }
    return false;
}

rvStatus rv_ancf_settle(rvAncf* cable, double tolerance, rvError* error)
{
    double *q = cable->work[0], *d = cable->work[1], *trial = cable->work[2], *drag = cable->work[3];
    double *rest = cable->work[4], moved = 1.0;
    memset(rest, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_copy(cable, q, cable->q);
    double start = 0.0, mu;
    rv_ancf_force(cable, q, rest, d);
    for (int i = 0; i < cable->dofCount; i += 6)
        start += fabs(d[i]) + fabs(d[i + 1]) + fabs(d[i + 2]);
    double unit = start / (cable->totalMass * rv_ancf_length(cable));
    mu = 10.0 * unit;
    for (int n = 0; n < MAX_STEPS; n++) {
        if (cable->hasWater)
            rv_ancf_water_update(cable, q);
        put_drag(cable, q, drag);
        bool falls = factor_at(cable, q, mu, d);
        if (falls) {
            double before = energy_of(cable, q, drag);
            rv_ancf_solve(cable, cable->slots, d);
            moved = largest(cable, d);
            for (int i = 0; i < cable->dofCount; i++)
                trial[i] = q[i] + d[i];
            double after = energy_of(cable, trial, drag);
            // near the end the gain is below the rounding of the energy
            falls = moved < 1e-8 || (moved < 0.5 && after <= before);
        }
        if (!falls) {
            mu = mu > 0.0 ? 4.0 * mu : 1e-3 * unit;
            continue;
        }
        rv_ancf_copy(cable, q, trial);
        // a little mass left does not matter; motions that cost nothing (turning a curved cable) need it
        if (mu <= 1e-3 * unit && moved <= tolerance) {
            rv_ancf_copy(cable, cable->q, q);
            memset(cable->v, 0, (size_t)cable->dofCount * sizeof(double));
            cable->counts.passes = n + 1;
            return RV_OK;
        }
        mu = mu > 1e-4 * unit ? 0.25 * mu : 0.0;
    }
    return rv_fail(error, RV_DIVERGED, "no equilibrium after %d steps; the last one still moved %g of the length",
                   MAX_STEPS, moved);
}
