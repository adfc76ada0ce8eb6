// SPDX-License-Identifier: MIT
// Equilibrium of a cable of falls: Newton on its potential energy with a mass-weighted damping, nodes and flows at
// once.
//
//   (K + mu M) d = forces,   mu -> 0 as steps succeed and grows where the energy does not fall
// as for ANCF (ancf_static.c). Drag of water that moves is no energy: a step may gain what the drag at its start would
// do on it. How drag turns with the rope is not in the matrix: where more force is left than before, mu grows. Rope
// runs through places without friction until the tensions there agree; flows that are held stay.
#include "cable/ale/ale_parts.h"
#include "cable/ale/ale_port.h"

enum { MAX_STEPS = 2000, CALM_STEPS = 12 };

void rv_ale_lay_out(rvAle* ale, double massFactor)
{
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        fall->rt = rv_ancf_rt_of(cable, 0.5, ale->time, 1.0);
        fall->rt.cM = massFactor;
        fall->rt.cV = 0.0;
        rv_ancf_copy(cable, fall->rt.p, cable->q);
        memset(fall->rt.v1, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        memset(fall->rt.a1, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    }
    ale->rt = ale->falls[0].rt;
    double** vectors[] = {&ale->rt.qh, &ale->rt.p,  &ale->rt.r,  &ale->rt.product,
                          &ale->rt.v1, &ale->rt.a1, &ale->rt.at1};
    for (int i = 0; i < 7; i++)
        *vectors[i] = ale->flowWork[i];
    memcpy(ale->rt.p, ale->flow[RV_ALE_P], size);
    memset(ale->rt.v1, 0, size);
    memset(ale->rt.a1, 0, size);
}

// Is the factor that of a positive matrix?
static bool is_positive(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        if (rv_ancf_negative_pivots(ale->falls[f].ancf, ale->falls[f].ancf->slots) != 0)
            return false;
    for (int j = 0; j < ale->unknownCount; j++)
        if (!(ale->diagonal[j] > 0.0))
            return false;
    return true;
}

bool rv_ale_rest_factor(rvAle* ale, double massFactor)
{
    // exact; with what pulls only; and without what more weight does: mass, stretch and bending alone are positive
    for (int positive = 0; positive < 3; positive++) {
        for (int f = 0; f < ale->fallCount; f++) {
            rvAleFall* fall = &ale->falls[f];
            rvAncf* cable = fall->ancf;
            rvAleWish wish = {.massFactor = massFactor,
                              .stored = positive ? cable->nextStored : NULL,
                              .weightless = positive == 2,
                              .still = true};
            rvAleState at = {.q = fall->rt.p, .v = fall->rt.v1, .vd = fall->rt.v1, .a = fall->rt.a1};
            rv_ale_residual(ale, f, &at, &wish, fall->rt.r);
            rv_ancf_copy(cable, fall->rt.product, fall->rt.r);
            memcpy(cable->nextStored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
        }
        rv_ale_finish_flows(ale, massFactor, true);
        rv_ale_factor_flows(ale);
        if (is_positive(ale))
            return true;
    }
    return false;
}

static double potential(rvAle* ale)
{
    rvAncfEnergy energy = rv_ale_energy(ale);
    return energy.total - energy.kinetic;
}

// Adds share times the motion that was solved; answers the largest of it, by the rope's length and by slopes.
static double move(rvAle* ale, double share)
{
    double most = 0.0, length = ale->flow[RV_ALE_P][ale->placeCount - 1] - ale->flow[RV_ALE_P][0];
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++) {
            cable->q[i] += share * ale->falls[f].rt.r[i];
            most = fmax(most, fabs(ale->falls[f].rt.r[i]) / (i % 6 < 3 ? length : 1.0));
        }
    }
    for (int j = 0; j < ale->placeCount; j++) {
        ale->flow[RV_ALE_P][j] += share * ale->flowForce[j];
        most = fmax(most, fabs(ale->flowForce[j]) / length);
    }
    return most;
}

static bool falls_have_rope(const rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        if (!(rv_ale_fall_length(ale, f) > RV_ALE_SHORTEST * ale->falls[f].mesh))
            return false;
    return true;
}

void rv_ale_rest(rvAle* ale)
{
    rv_ale_lay_out(ale, 1.0);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        double* still[] = {cable->v, cable->a, cable->at, cable->vOld};
        for (int i = 0; i < 4; i++)
            memset(still[i], 0, (size_t)cable->dofCount * sizeof(double));
        rv_ancf_copy(cable, cable->qOld, cable->q);
        rv_ale_set_scale(ale, f, ale->flow[RV_ALE_P]);
        memset(cable->work[0], 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        rv_ancf_elastic_matrix(cable, cable->q, NULL, &(rvAncfWish){.massFactor = 1.0}, cable->work[0]);
        memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
    }
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    memset(ale->flow[RV_ALE_RATE], 0, size);
    memset(ale->flow[RV_ALE_ACCEL], 0, size);
    memset(ale->flow[RV_ALE_ALGO], 0, size);
    memcpy(ale->flow[RV_ALE_OLD], ale->flow[RV_ALE_P], size);
    memset(ale->flow[RV_ALE_OLD_RATE], 0, size);
    *ale->kinetic = 0.0;
}

// Forces on the nodes as they are, by the mass and the length of the rope: the unit of the damping [1/s^2].
static double force_unit(rvAle* ale)
{
    double length = ale->flow[RV_ALE_P][ale->placeCount - 1] - ale->flow[RV_ALE_P][0], sum = 0.0;
    rv_ale_lay_out(ale, 1.0);
    rv_ale_rest_factor(ale, 1.0);
    for (int f = 0; f < ale->fallCount; f++)
        for (int i = 0; i < ale->falls[f].ancf->dofCount; i += 6)
            for (int c = 0; c < 3; c++)
                sum += fabs(ale->falls[f].rt.product[i + c]);
    return fmax(rvLength(ale->gravity), sum / (ale->mass * length)) / length;
}

// What is left of the forces on all that is free, after rv_ale_rest_factor [N].
static double left_of(const rvAle* ale)
{
    double sum = 0.0;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++)
            if (i % 6 < 3 && !(cable->held[i / 6] >> i % 6 & 1))
                sum += fabs(ale->falls[f].rt.product[i]);
    }
    for (int j = 0; j < ale->placeCount; j++)
        sum += ale->flowHeld[j] ? 0.0 : fabs(ale->flowForce[ale->before[j]]);
    return sum;
}

rvStatus rv_ale_settle(rvAle* ale, double tolerance, rvError* error)
{
    rv_ale_rest(ale);
    double unit = force_unit(ale), mu = 10.0 * unit, moved = 1.0; // [1/s^2]
    double left = 0.0, last = HUGE_VAL;
    bool driven = rv_ale_is_driven(ale);
    for (int n = 0; n < MAX_STEPS; n++) {
        double before = potential(ale);
        rv_ale_lay_out(ale, mu);
        bool falls = rv_ale_rest_factor(ale, mu);
        if (falls) {
            left = left_of(ale);
            rv_ale_solve(ale);
            before += driven ? rv_ale_drag_work(ale) : 0.0;
            moved = move(ale, 1.0);
            falls = falls_have_rope(ale) && moved < 0.5;
            // near the end the gain is below the rounding of the energy
            falls = falls && (moved < 1e-8 || potential(ale) <= before);
            if (!falls)
                move(ale, -1.0);
        }
        if (!falls) {
            if (!(mu < 1e30))
                break;
            mu = mu > 0.0 ? 4.0 * mu : 1e-12 * unit;
            continue;
        }
        if (driven ? moved * (1.0 + mu / unit) <= tolerance : mu <= 1e-3 * unit && moved <= tolerance) {
            rv_ale_rest(ale);
            return RV_OK;
        }
        double less = driven ? 0.8 : 0.1;
        mu = mu > 1e-12 * unit ? less * mu : 0.0;
        if (driven && left > last) // the step before was too long
            mu = fmax(2.0 * mu, 1e-6 * unit);
        last = left;
    }
    rv_ale_rest(ale);
    return rv_fail(error, RV_DIVERGED, "no equilibrium found; the last step still moved %g of the length", moved);
}

// ---- downhill

void rv_ale_port_calm(rvAle* ale, double wanted, double h)
{
    double before = potential(ale), now = before, mu = 1.0 / (h * h);
    rv_ale_join_flows(ale);
    for (int n = 0; n < CALM_STEPS && before - now < wanted; n++, mu *= 0.25) {
        rv_ale_lay_out(ale, mu);
        if (!rv_ale_rest_factor(ale, mu))
            break;
        rv_ale_solve(ale);
        double fallen = now;
        for (double share = 1.0; share > 0.01 && !(fallen < now); share *= 0.5) {
            move(ale, share);
            fallen = falls_have_rope(ale) ? potential(ale) : HUGE_VAL;
            if (!(fallen < now))
                move(ale, -share);
        }
        if (!(fallen < now))
            break;
        now = fallen;
    }
    for (int f = 0; f < ale->fallCount; f++) { // it stands: no accelerations of the inside, tensions by the shape
        rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++)
            if (!(cable->held[i / 6] >> i % 6 & 1))
                cable->a[i] = cable->at[i] = 0.0;
        rv_ale_store_tensions(ale, f);
    }
    for (int j = 0; j < ale->placeCount; j++)
        if (!ale->flowHeld[j])
            ale->flow[RV_ALE_ACCEL][j] = ale->flow[RV_ALE_ALGO][j] = 0.0;
}

// ---- an iteration towards rest

void rv_ale_port_begin_rest(rvAle* ale, double h)
{
    rv_ale_lay_out(ale, 1.0 / (h * h));
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        if (cable->motion) {
            rv_ancf_aim(cable, ale->time);
            rv_ancf_set_held(cable, cable->aim, ale->falls[f].rt.p);
        }
    }
    ale->rt.atRest = true;
}

double rv_ale_port_measure_rest(rvAle* ale)
{
    double force = 0.0;
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        double *d = fall->rt.at1, *product = fall->rt.product;
        for (int i = 0; i < cable->dofCount; i++)
            d[i] = fall->rt.p[i] - cable->q[i];
        rv_ancf_mass_product(cable, d, product);
        for (int n = 0; n < cable->nodeCount; n++)
            force += fall->rt.cM * sqrt(rv_ancf_dot3(product + 6 * n, product + 6 * n));
    }
    return force;
}

void rv_ale_port_end_rest(rvAle* ale, double share)
{
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        for (int i = 0; i < cable->dofCount; i++)
            cable->q[i] += share * (ale->falls[f].rt.p[i] - cable->q[i]);
    }
    for (int j = 0; j < 2 * ale->placeCount; j++)
        ale->flow[RV_ALE_P][j] += share * (ale->rt.p[j] - ale->flow[RV_ALE_P][j]);
    rv_ale_rest(ale);
}
