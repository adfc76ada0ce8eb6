// SPDX-License-Identifier: MIT
// All forces of an ANCF cable together, the matrix of a step, mass and energies.
#include "cable/ancf/ancf_parts.h"
#include "cable/core/reference.h"

static void start_force(const rvAncf* cable, double* force)
{
    for (int i = 0; i < cable->dofCount; i++)
        force[i] = cable->weight[i] + cable->applied[i];
    memset(force + cable->dofCount, 0, 6 * sizeof(double));
}

static void finish_force(const rvAncf* cable, const double* q, const double* v, double* force)
{
    if (cable->hasBending)
        rv_ancf_bending_force(cable, q, v, force);
    if (cable->hasWater) {
        rv_ancf_buoyancy_force(cable, q, force);
        rv_ancf_water_force(cable, q, v, force);
    }
}

void rv_ancf_force(const rvAncf* cable, const double* q, const double* v, double* force)
{
    start_force(cable, force);
    rv_ancf_elastic_force(cable, q, cable->hasDamping ? v : NULL, force);
    finish_force(cable, q, v, force);
}

void rv_ancf_stored_force(const rvAncf* cable, const double* q, const rvPair* stored, double* force)
{
    rvPair slopes[RV_ANCF_POINTS][3];
    for (int k = 0; k < cable->slotCount; k++) {
        rv_ancf_pair_slopes(cable, k, q, slopes);
        for (int g = 0; g < RV_ANCF_POINTS; g++)
            for (int c = 0; c < 3; c++)
                slopes[g][c] *= stored[RV_ANCF_STORED * k + g];
        rv_ancf_pair_forces(cable, k, q, slopes, force);
    }
}

void rv_ancf_stepped_force(const rvAncf* cable, const double* q, const double* v, const rvPair* stored, double* force)
{
    start_force(cable, force);
    rv_ancf_stored_force(cable, q, stored, force);
    finish_force(cable, q, v, force);
}

void rv_ancf_linearise(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish, double* force)
{
    start_force(cable, force);
    rv_ancf_elastic_matrix(cable, q, cable->hasDamping ? v : NULL, wish, force);
    if (cable->hasBending)
        rv_ancf_bending_matrix(cable, q, v, wish);
    if (cable->hasWater)
        rv_ancf_water_matrix(cable, cable->slots, q, v, wish);
    finish_force(cable, q, v, force);
}

void rv_ancf_mass_product(const rvAncf* cable, const double* x, double* y)
{
    rv_ancf_iso_product(cable, cable->mass, x, y);
    if (cable->hasWater)
        rv_ancf_water_mass(cable, x, y);
}

void rv_ancf_damping_product(const rvAncf* cable, const double* q, const double* v, const double* x, double* y)
{
    memset(y, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    if (cable->hasDamping) {
        rv_ancf_stretch_damping(cable, q, x, y);
        rv_ancf_bending_damping(cable, q, x, y);
    }
    if (cable->hasWater && cable->water.implicitDrag)
        rv_ancf_water_damping(cable, q, v, x, y);
}

double rv_ancf_kinetic(const rvAncf* cable, const double* v)
{
    double* y = cable->work[RV_ANCF_WORK_COUNT - 1];
    rv_ancf_mass_product(cable, v, y);
    return 0.5 * rv_ancf_dot(cable, v, y);
}

double rv_ancf_potential(const rvAncf* cable, const double* q)
{
    double stretch, bend;
    rv_ancf_elastic_energy(cable, q, &stretch, &bend);
    double sum = stretch + bend - (rv_ancf_dot(cable, q, cable->weight) + rv_ancf_dot(cable, q, cable->applied));
    if (cable->hasBending)
        sum += rv_ancf_bending_energy(cable, q);
    if (cable->hasWater)
        sum += rv_ancf_buoyancy_energy(cable, q);
    return sum;
}

void rv_ancf_mass_solve(rvAncf* cable, double* x)
{
    if (!cable->massFactored || cable->hasWater) {
        rv_ancf_mass_matrix(cable, cable->massSlots);
        if (cable->hasWater)
            rv_ancf_water_matrix(cable, cable->massSlots, cable->q, cable->v, &(rvAncfWish){.massFactor = 1.0});
        rv_ancf_take_out(cable, cable->massSlots);
        rv_ancf_factor(cable, cable->massSlots);
        cable->massFactored = true;
    }
    rv_ancf_solve(cable, cable->massSlots, x);
}

// Held dofs take the accelerations of their motion.
void rv_ancf_set_held(const rvAncf* cable, const double* from, double* to)
{
    for (int i = 0; i < cable->heldCount; i++)
        for (int dof = 0, node = cable->heldNodes[i]; dof < 6; dof++)
            if (cable->held[node] >> dof & 1)
                to[6 * node + dof] = from[6 * node + dof];
}

void rv_ancf_accelerate(rvAncf* cable, const double* q, const double* v, double* a)
{
    double* pull = cable->work[RV_ANCF_WORK_COUNT - 2];
    if (cable->hasWater)
        rv_ancf_water_update(cable, q);
    rv_ancf_force(cable, q, v, a);
    if (cable->motion) {
        double* known = cable->work[RV_ANCF_WORK_COUNT - 1];
        memset(known, 0, (size_t)cable->dofCount * sizeof(double));
        rv_ancf_set_held(cable, cable->aimAccel, known);
        rv_ancf_mass_product(cable, known, pull);
        for (int i = 0; i < cable->dofCount; i++)
            a[i] -= pull[i];
    }
    rv_ancf_mass_solve(cable, a);
    if (cable->motion)
        rv_ancf_set_held(cable, cable->aimAccel, a);
    if (cable->rows)
        cable->reference->accelerateRows(cable, a);
}
