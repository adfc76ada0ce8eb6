// SPDX-License-Identifier: MIT
// Equilibrium of an ANCF cable: Newton on the potential energy, with continuation in a mass-weighted damping.
//
//   (K + mu M) d = Q(q, 0)
// mu -> 0 as steps succeed and grows where the energy does not fall. A matrix that is not positive definite is replaced
// by its positive part (no pushing tension, no curvature that pulls itself flat): so the way leads downhill, from any
// shape.
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

bool rv_ancf_rest_factor(rvAncf* cable, const double* q, const double* still, double mu, bool kept, double* force)
{
    for (int positive = 0; positive < 2; positive++) {
        rvAncfWish wish = {
            .massFactor = mu, .stored = positive ? cable->nextStored : NULL, .positive = positive, .kept = kept};
        rv_ancf_linearise(cable, q, still, &wish, force);
        memcpy(cable->nextStored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
        rv_ancf_take_out(cable, cable->slots);
        rv_ancf_factor(cable, cable->slots);
        if (rv_ancf_negative_pivots(cable, cable->slots) == 0)
            return true;
    }
    return false;
}

// Size of a force over free dofs, each by its mass.
static double size_of(const rvAncf* cable, const double* force)
{
    double sum = 0.0;
    for (int i = 0; i < cable->dofCount; i++)
        if (!(cable->held[i / 6] >> i % 6 & 1))
            sum += force[i] * force[i] / cable->mass[i / 6].node[i % 6 < 3 ? 0 : 2];
    return sqrt(sum);
}

static void move_to(rvAncf* cable, const double* q, int steps)
{
    rv_ancf_copy(cable, cable->q, q);
    memset(cable->v, 0, (size_t)cable->dofCount * sizeof(double));
    cable->counts.passes = steps;
}

// Downhill in the energy: mu -> 0 as steps succeed, and grows where the energy does not fall.
static double go_downhill(rvAncf* cable, double mu, double unit, double tolerance)
{
    double *q = cable->work[0], *d = cable->work[1], *trial = cable->work[2], moved = 1.0;
    for (int n = 0; n < MAX_STEPS; n++) {
        bool falls = rv_ancf_rest_factor(cable, q, cable->work[4], mu, false, d);
        if (falls) {
            double before = rv_ancf_potential(cable, q);
            rv_ancf_solve(cable, cable->slots, d);
            moved = largest(cable, d);
            for (int i = 0; i < cable->dofCount; i++)
                trial[i] = q[i] + d[i];
            // near the end the gain is below the rounding of the energy
            falls = moved < 1e-8 || (moved < 0.5 && rv_ancf_potential(cable, trial) <= before);
        }
        if (!falls) {
            mu = mu > 0.0 ? 4.0 * mu : 1e-12 * unit;
            continue;
        }
        rv_ancf_copy(cable, q, trial);
        // a little mass left does not matter; motions that cost nothing (turning a curved cable) need it
        if (mu <= 1e-3 * unit && moved <= tolerance) {
            move_to(cable, q, n + 1);
            return 0.0;
        }
        mu = mu > 1e-12 * unit ? 0.1 * mu : 0.0;
    }
    return moved;
}

// With drag there is no energy and the matrix does not know how drag turns with the cable: mu falls while the force
// that is left falls, and stays above what made it grow.
static double relax(rvAncf* cable, double mu, double tolerance)
{
    double *q = cable->work[0], *d = cable->work[1], moved = 1.0, last = HUGE_VAL, least = 0.0;
    double first = 0.01 * size_of(cable, cable->weight); // it may begin at rest: then its weight is the measure
    for (int n = 0; n < 10 * MAX_STEPS; n++) {
        rv_ancf_water_update(cable, q);
        if (!rv_ancf_rest_factor(cable, q, cable->work[4], mu, false, d)) {
            mu *= 4.0;
            continue;
        }
        double size = size_of(cable, d);
        first = fmax(first, size);
        if (size > last) { // the last step was too long: never again as long
            least = fmax(least, mu);
            mu *= 2.0;
        } else
            mu = fmax(0.8 * mu, 1.2 * least);
        last = size;
        rv_ancf_solve(cable, cable->slots, d);
        moved = largest(cable, d);
        double share = fmin(1.0, 0.1 / moved);
        for (int i = 0; i < cable->dofCount; i++)
            q[i] += share * d[i];
        if (moved <= tolerance && size <= 1e-6 * first) {
            move_to(cable, q, n + 1);
            return 0.0;
        }
    }
    return moved;
}

rvStatus rv_ancf_settle(rvAncf* cable, double tolerance, rvError* error)
{
    double *q = cable->work[0], *force = cable->work[1], *rest = cable->work[4], sum = 0.0;
    if (cable->rows)
        return rv_fail(error, RV_BAD_INPUT, "the cable has rows; settle knows holds only");
    memset(rest, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_copy(cable, q, cable->q);
    if (cable->hasWater)
        rv_ancf_water_update(cable, q);
    rv_ancf_force(cable, q, rest, force);
    for (int i = 0; i < cable->dofCount; i += 6)
        sum += fabs(force[i]) + fabs(force[i + 1]) + fabs(force[i + 2]);
    double unit = sum / (cable->totalMass * rv_ancf_length(cable)); // [1/s^2]
    bool dragged = cable->hasWater && cable->water.currentCount > 0;
    double left = dragged ? relax(cable, 10.0 * unit, tolerance) : go_downhill(cable, 10.0 * unit, unit, tolerance);
    if (left > 0.0 && rv_ancf_is_finite(cable, q))
        move_to(cable, q, MAX_STEPS);
    if (left > 0.0)
        return rv_fail(error, RV_DIVERGED, "no equilibrium found; the last step still moved %g of the length", left);
    return RV_OK;
}
