// SPDX-License-Identifier: MIT
// An ANCF cable: checking, memory, constant matrices, holds, shape.
//
// Constant matrices of an element, the same for x, y, z, on (r1, t1, r2, t2):
//   mass  rho A l/420 [156, 22l, 54, -13l; 4l^2, 13l, -3l^2; 156, -22l; 4l^2]
//   bend  EI/l^3 [12, 6l, -12, 6l; 4l^2, -6l, 2l^2; 12, -6l; 4l^2]
#include "base/deal.h"
#include "base/field.h"
#include "cable/ancf/ancf_parts.h"
#include "cable/core/reference.h"

#include <stdio.h>

// ---- checking

static rvStatus check_element(const rvAncfElement* e, int i, rvError* error)
{
    const rvField fields[] = {
        {"length", e->length, RV_FINITE_POSITIVE, "m"},
        {"EA", e->EA, RV_FINITE_POSITIVE, "N"},
        {"EI", e->EI, RV_FINITE_POSITIVE, "N m^2"},
        {"massPerLength", e->massPerLength, RV_FINITE_POSITIVE, "kg/m"},
        {"diameter", e->diameter, RV_FINITE_NOT_NEGATIVE, "m"},
        {"axialTime", e->axialTime, RV_FINITE_NOT_NEGATIVE, "s"},
        {"bendTime", e->bendTime, RV_FINITE_NOT_NEGATIVE, "s"},
        {"curvature", e->curvature, RV_FINITE_NOT_NEGATIVE, "1/m"},
    };
    char of[32];
    snprintf(of, sizeof of, "elements[%d].", i);
    return RV_CHECK_FIELDS(error, of, fields);
}

static rvStatus check_water(const rvAncfWater* w, const rvAncfDef* def, rvError* error)
{
    const rvField fields[] = {
        {"density", w->density, RV_FINITE_NOT_NEGATIVE, "kg/m^3"},
        {"normalDrag", w->normalDrag, RV_FINITE_NOT_NEGATIVE, NULL},
        {"tangentDrag", w->tangentDrag, RV_FINITE_NOT_NEGATIVE, NULL},
        {"addedMass", w->addedMass, RV_FINITE_NOT_NEGATIVE, NULL},
    };
    rvStatus status = RV_CHECK_FIELDS(error, "water.", fields);
    if (status != RV_OK)
        return status;
    if (!isfinite(w->level))
        return rv_fail(error, RV_BAD_INPUT, "water.level is %g; expected a height [m]", w->level);
    if (w->currentCount < 0 || (w->currentCount > 0 && !w->currents))
        return rv_fail(error, RV_BAD_INPUT, "water.currentCount is %d; expected the number of water.currents",
                       w->currentCount);
    for (int i = 0; i < w->currentCount; i++) {
        if (!isfinite(w->currents[i].height) || !rvIsFiniteVec(w->currents[i].speed))
            return rv_fail(error, RV_BAD_INPUT, "water.currents[%d] is not finite", i);
        if (i > 0 && !(w->currents[i].height > w->currents[i - 1].height))
            return rv_fail(error, RV_BAD_INPUT, "water.currents[%d].height is %g; expected more than %g", i,
                           w->currents[i].height, w->currents[i - 1].height);
    }
    for (int i = 0; i < def->elementCount; i++)
        if (def->elements[i].diameter == 0.0)
            return rv_fail(error, RV_BAD_INPUT, "elements[%d].diameter is 0; expected a positive number in water", i);
    return RV_OK;
}

static rvStatus check(const rvAncfDef* def, rvError* error)
{
    if (def->elementCount < 1 || def->elementCount > RV_ANCF_MAX_ELEMENTS)
        return rv_fail(error, RV_BAD_INPUT, "elementCount is %d; expected 1 to %d", def->elementCount,
                       RV_ANCF_MAX_ELEMENTS);
    if (!def->elements)
        return rv_fail(error, RV_BAD_INPUT, "elements is NULL; expected %d elements", def->elementCount);
    if (!rvIsFiniteVec(def->gravity))
        return rv_fail(error, RV_BAD_INPUT, "gravity is not finite");
    for (int i = 0; i < def->elementCount; i++) {
        rvStatus status = check_element(&def->elements[i], i, error);
        if (status)
            return status;
    }
    return def->water.on ? check_water(&def->water, def, error) : RV_OK;
}

// ---- memory: one block, counted first, then dealt out

static void deal_out(rvAncf* c, rvDeal* d, int currentCount)
{
    size_t n = (size_t)c->elementCount, m = (size_t)c->nodeCount, t = (size_t)c->slotCount, dofs = 6 * (m + 1);
    c->elements = rv_deal(d, n, sizeof *c->elements);
    c->places = rv_deal(d, m, sizeof *c->places);
    c->fold = rv_deal(d, t + 1, sizeof *c->fold);
    c->inner = rv_deal(d, t + 1, sizeof *c->inner);
    c->slotOf = rv_deal(d, m, sizeof *c->slotOf);
    c->currents = rv_deal(d, (size_t)currentCount, sizeof *c->currents);
    c->mass = rv_deal(d, m, sizeof *c->mass);
    c->bend = rv_deal(d, m, sizeof *c->bend);
    c->massPair = rv_deal(d, t + 1, sizeof *c->massPair);
    c->bendPair = rv_deal(d, t + 1, sizeof *c->bendPair);
    c->spans = rv_deal(d, t, sizeof *c->spans);
    c->weight = rv_deal(d, dofs, sizeof(double));
    c->applied = rv_deal(d, dofs, sizeof(double));
    c->held = rv_deal(d, m, sizeof *c->held);
    c->heldNodes = rv_deal(d, m, sizeof *c->heldNodes);
    c->gaps = rv_deal(d, 6 * (m + 3), sizeof *c->gaps);
    c->aim = rv_deal(d, dofs, sizeof(double));
    c->aimRate = rv_deal(d, dofs, sizeof(double));
    c->aimAccel = rv_deal(d, dofs, sizeof(double));
    // the state: vectors, tensions, scalars, with nothing between that is not state
    size_t tensions = (size_t)RV_ANCF_STORED * t * 2;
    c->stateCount = (int)(8 * dofs + tensions + RV_ANCF_SCALAR_COUNT + RV_ANCF_PULLS * n);
    c->state = rv_deal(d, (size_t)c->stateCount, sizeof(double));
    if (c->state) {
        double** vectors[] = {&c->q, &c->v, &c->a, &c->at, &c->qOld, &c->vOld, &c->pull, &c->pullMean};
        for (size_t i = 0; i < 8; i++)
            *vectors[i] = c->state + i * dofs;
        c->stored = (rvPair*)(c->state + 8 * dofs);
        c->scalars = c->state + 8 * dofs + tensions;
        c->pulls = c->scalars + RV_ANCF_SCALAR_COUNT;
    }
    c->slots = rv_deal(d, t + 1, sizeof *c->slots);
    c->massSlots = rv_deal(d, t + 1, sizeof *c->massSlots);
    c->slopes = rv_deal(d, t, sizeof *c->slopes);
    c->tensions = rv_deal(d, t, sizeof *c->tensions);
    c->gives = rv_deal(d, t, sizeof *c->gives);
    c->saved = rv_deal(d, (size_t)c->stateCount, sizeof(double));
    c->nextStored = rv_deal(d, t * RV_ANCF_STORED, sizeof *c->nextStored);
    c->folded = rv_deal(d, RV_ANCF_SOLVED * (t + 1), sizeof *c->folded);
    c->wet = rv_deal(d, n, sizeof *c->wet);
    for (int i = 0; i < RV_ANCF_WORK_COUNT; i++)
        c->work[i] = rv_deal(d, dofs, sizeof(double));
}

// ---- constant parts

static void fold_nodes(rvAncf* c)
{
    int m = c->nodeCount, middle = c->slotCount, skip = m % 2 == 0; // even: the lower half starts a slot later
    for (int k = 0; k < middle; k++) {
        c->fold[k][0] = k;
        c->fold[k][1] = k < skip ? m : m - 1 - (k - skip);
    }
    c->fold[middle][0] = middle;
    c->fold[middle][1] = m;
    for (int k = 0; k < middle; k++)
        for (int lane = 0; lane < 2; lane++)
            c->inner[k][lane] = k + 1 < middle ? c->fold[k + 1][lane] : middle;
    for (int k = 0; k <= middle; k++)
        for (int lane = 0; lane < 2; lane++)
            if (c->fold[k][lane] < m) {
                c->slotOf[c->fold[k][lane]][0] = k;
                c->slotOf[c->fold[k][lane]][1] = lane;
            }
}

static void add_iso_element(rvAncfIso* at, double f, const double m[10])
{
    for (int i = 0; i < 3; i++) {
        static const int first[3] = {0, 1, 4}, second[3] = {7, 8, 9};
        at[0].node[i] += f * m[first[i]];
        at[1].node[i] += f * m[second[i]];
    }
    at[0].edge[0] = f * m[2]; // r2 r1
    at[0].edge[1] = f * m[5]; // r2 t1
    at[0].edge[2] = f * m[3]; // t2 r1
    at[0].edge[3] = f * m[6]; // t2 t1
}

static void fill_pairs(rvAncf* c, const rvAncfIso* from, rvAncfIsoPair* to)
{
    memset(to, 0, (size_t)(c->slotCount + 1) * sizeof *to);
    for (int k = 0; k <= c->slotCount; k++)
        for (int lane = 0; lane < 2; lane++) {
            int node = c->fold[k][lane];
            if (node == c->nodeCount)
                continue;
            for (int i = 0; i < 3; i++)
                to[k].node[i][lane] = from[node].node[i];
            if (k == c->slotCount)
                continue;
            const double* edge = from[lane ? node - 1 : node].edge;
            to[k].edge[0][lane] = edge[0];
            to[k].edge[1][lane] = edge[lane ? 2 : 1];
            to[k].edge[2][lane] = edge[lane ? 1 : 2];
            to[k].edge[3][lane] = edge[3];
        }
}

static void clear_matrices(rvAncf* c)
{
    size_t m = (size_t)c->nodeCount, t = (size_t)c->slotCount;
    memset(c->mass, 0, m * sizeof *c->mass);
    memset(c->bend, 0, m * sizeof *c->bend);
    memset(c->spans, 0, t * sizeof *c->spans);
    memset(c->weight, 0, 6 * (m + 1) * sizeof(double));
    c->totalMass = c->places[0] = c->stiffest = 0.0;
    c->massFactored = false;
}

static const double NEVER = 1e30; // strain at which what is no element, or a bar, gives way

static void fill_matrices(rvAncf* c)
{
    for (int i = 0; i < c->elementCount; i++) {
        const rvAncfElement* e = &c->elements[i];
        double l = e->length, l2 = l * l, m = e->massPerLength * l;
        add_iso_element(&c->mass[i], m / 420.0,
                        (double[]){156, 22 * l, 54, -13 * l, 4 * l2, 13 * l, -3 * l2, 156, -22 * l, 4 * l2});
        if (!c->exactCurvature && e->curvature == 0.0)
            add_iso_element(&c->bend[i], e->EI / (l2 * l),
                            (double[]){12, 6 * l, -12, 6 * l, 4 * l2, -6 * l, 2 * l2, 12, -6 * l, 4 * l2});
        double g[3] = {c->gravity.x, c->gravity.y, c->gravity.z};
        for (int k = 0; k < 3; k++) {
            c->weight[6 * i + k] += 0.5 * m * g[k];
            c->weight[6 * i + 3 + k] += m * l / 12.0 * g[k];
            c->weight[6 * i + 6 + k] += 0.5 * m * g[k];
            c->weight[6 * i + 9 + k] -= m * l / 12.0 * g[k];
        }
        c->totalMass += m;
        c->stiffest = fmax(c->stiffest, e->EI / (e->massPerLength * l * l * l * l));
        c->places[i + 1] = c->places[i] + l;
        c->hasBending = c->hasBending || c->exactCurvature || e->curvature > 0.0 || e->bendTime > 0.0;
        c->hasDamping = c->hasDamping || e->axialTime > 0.0 || e->bendTime > 0.0;
    }
    fill_pairs(c, c->mass, c->massPair);
    fill_pairs(c, c->bend, c->bendPair);
    for (int k = 0; k < c->slotCount; k++)
        for (int lane = 0; lane < 2; lane++) {
            int node = c->fold[k][lane];
            c->spans[k].euler[lane] = NEVER;
            if (node == c->nodeCount)
                continue;
            const rvAncfElement* e = &c->elements[lane ? node - 1 : node];
            if (c->buckles)
                c->spans[k].euler[lane] = rv_ancf_euler_strain(e->EA, e->EI, e->length);
            c->spans[k].side[lane] = (lane ? -1.0 : 1.0) / e->length;
            c->spans[k].stiffness[lane] = e->EA * e->length;
            c->spans[k].axialTime[lane] = e->axialTime;
            c->spans[k].bend[lane] = c->exactCurvature || e->curvature > 0.0 ? 0.0 : 2.0 * e->EI / e->length;
        }
}

static void list_gaps(rvAncf* c)
{
    c->gapCount = 0;
    for (int k = 0; k <= c->slotCount; k++)
        for (int lane = 0; lane < 2; lane++) {
            int node = c->fold[k][lane];
            bool middle = k == c->slotCount;
            if (middle && lane == 1)
                node = c->fold[k][0]; // both lanes lead to the middle
            for (int dof = 0; dof < 6; dof++)
                if (node == c->nodeCount || (c->held[node] >> dof & 1))
                    c->gaps[c->gapCount++] =
                        (rvAncfGap){k, lane, dof, middle && lane == 1 ? 0.0 : 1.0, node == c->nodeCount};
        }
}

rvStatus rv_ancf_create(const rvAncfDef* def, rvMemory* memory, rvAncf** cable, rvError* error)
{
    *cable = NULL;
    rvStatus status = check(def, error);
    if (status)
        return status;
    rvAncf shape = {.memory = memory, .elementCount = def->elementCount, .nodeCount = def->elementCount + 1};
    shape.slotCount = shape.nodeCount / 2;
    shape.dofCount = 6 * shape.nodeCount;
    int currentCount = def->water.on ? def->water.currentCount : 0;
    rvDeal count = {0};
    rv_deal(&count, 1, sizeof(rvAncf));
    deal_out(&shape, &count, currentCount);
    size_t size = count.used + 64;
    char* block = rv_memory_take(memory, size);
    if (!block)
        return rv_fail(error, RV_NO_MEMORY, "no memory for a cable of %d elements", def->elementCount);
    rvDeal real = {.at = block + (64 - (uintptr_t)block % 64) % 64};
    rvAncf* c = rv_deal(&real, 1, sizeof(rvAncf));
    *c = shape;
    deal_out(c, &real, currentCount);
    c->block = block;
    c->size = size;
    memcpy(c->elements, def->elements, (size_t)def->elementCount * sizeof *c->elements);
    if (currentCount > 0)
        memcpy(c->currents, def->water.currents, (size_t)currentCount * sizeof *c->currents);
    c->gravity = def->gravity;
    c->exactCurvature = def->exactCurvature;
    c->buckles = def->buckles;
    c->hasWater = def->water.on;
    c->water = def->water;
    c->water.currents = c->currents;
    c->water.currentCount = currentCount;
    c->elastic = c->restSquare = 1.0;
    fold_nodes(c);
    fill_matrices(c);
    list_gaps(c);
    c->options = rv_ancf_rt_options();
    rv_ancf_lay_straight(c, rvVec(0, 0, 0), rvVec(1, 0, 0));
    *cable = c;
    return RV_OK;
}

void rv_ancf_lay_mesh(rvAncf* cable, const rvAncfElement* elements, int count)
{
    clear_matrices(cable); // all of what is used now
    if (cable->rows)
        cable->reference->clearRows(cable);
    cable->elementCount = count;
    cable->nodeCount = count + 1;
    cable->slotCount = cable->nodeCount / 2;
    cable->dofCount = 6 * cable->nodeCount;
    clear_matrices(cable);
    memmove(cable->elements, elements, (size_t)count * sizeof *elements);
    fold_nodes(cable);
    fill_matrices(cable);
    list_gaps(cable);
}

void rv_ancf_destroy(rvAncf* cable)
{
    if (cable) {
        rvMemory* memory = cable->memory;
        if (cable->rows)
            cable->reference->clearRows(cable);
        rv_memory_give(memory, cable->series, cable->seriesSize);
        rv_memory_give(memory, cable->ports, cable->portsSize);
        rv_memory_give(memory, cable->block, cable->size);
    }
}

// ---- holds, masses, forces

static rvStatus check_node(const rvAncf* cable, int node, rvError* error)
{
    if (node < 0 || node >= cable->nodeCount)
        return rv_fail(error, RV_BAD_INPUT, "node is %d; expected 0 to %d", node, cable->nodeCount - 1);
    return RV_OK;
}

rvStatus rv_ancf_hold(rvAncf* cable, int node, unsigned mask, rvError* error)
{
    rvStatus status = check_node(cable, node, error);
    if (status)
        return status;
    if (mask == 0 || mask > RV_ANCF_CLAMP)
        return rv_fail(error, RV_BAD_INPUT, "mask is %u; expected 1 to %d", mask, RV_ANCF_CLAMP);
    if (cable->held[node])
        return rv_fail(error, RV_BAD_INPUT, "node %d is held already", node);
    cable->held[node] = (unsigned char)mask;
    cable->heldNodes[cable->heldCount++] = node;
    list_gaps(cable);
    cable->massFactored = false;
    return RV_OK;
}

void rv_ancf_let_go(rvAncf* cable, int node)
{
    rv_ancf_hold_dofs(cable, node, 0);
}

static void unlist(rvAncf* cable, int node)
{
    int kept = 0;
    for (int i = 0; i < cable->heldCount; i++)
        if (cable->heldNodes[i] != node)
            cable->heldNodes[kept++] = cable->heldNodes[i];
    cable->heldCount = kept;
}

void rv_ancf_hold_dofs(rvAncf* cable, int node, unsigned mask)
{
    if (cable->held[node] == 0 && mask != 0)
        cable->heldNodes[cable->heldCount++] = node;
    if (mask == 0)
        unlist(cable, node);
    cable->held[node] = (unsigned char)mask;
    list_gaps(cable);
    cable->massFactored = false;
}

void rv_ancf_set_gravity(rvAncf* cable, rvVec3 gravity)
{
    // the weight is the mass times a motion of all points by g
    double* x = cable->work[0];
    memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int i = 0; i < cable->nodeCount; i++) {
        x[6 * i] = gravity.x;
        x[6 * i + 1] = gravity.y;
        x[6 * i + 2] = gravity.z;
    }
    rv_ancf_iso_product(cable, cable->mass, x, cable->weight);
    cable->gravity = gravity;
}

rvStatus rv_ancf_set_mass(rvAncf* cable, int node, double mass, rvError* error)
{
    rvStatus status = check_node(cable, node, error);
    if (status)
        return status;
    if (!isfinite(mass) || mass < 0.0)
        return rv_fail(error, RV_BAD_INPUT, "mass of node %d is %g; expected 0 or more", node, mass);
    cable->mass[node].node[0] += mass;
    double g[3] = {cable->gravity.x, cable->gravity.y, cable->gravity.z};
    for (int c = 0; c < 3; c++)
        cable->weight[6 * node + c] += mass * g[c];
    cable->totalMass += mass;
    fill_pairs(cable, cable->mass, cable->massPair);
    cable->massFactored = false;
    return RV_OK;
}

void rv_ancf_set_motion(rvAncf* cable, rvAncfMotionFn motion, void* context)
{
    cable->motion = motion;
    cable->motionContext = context;
}

rvStatus rv_ancf_set_force(rvAncf* cable, int node, rvVec3 force, rvError* error)
{
    rvStatus status = check_node(cable, node, error);
    if (status)
        return status;
    if (!rvIsFiniteVec(force))
        return rv_fail(error, RV_BAD_INPUT, "force on node %d is not finite", node);
    double f[3] = {force.x, force.y, force.z}, *old = cable->applied + 6 * node;
    for (int c = 0; c < 3; c++) {
        // the force has a potential -f.r, so a new force shifts the energy that the guard allows
        double shift = (f[c] - old[c]) * cable->q[6 * node + c];
        cable->scalars[RV_ANCF_BUDGET] -= shift;
        cable->scalars[RV_ANCF_ENERGY] -= shift;
        old[c] = f[c];
    }
    return RV_OK;
}

// Where nothing moves them, held dofs stay where they are.
void rv_ancf_aim(rvAncf* cable, double time)
{
    if (!cable->motion)
        return;
    for (int i = 0; i < cable->heldCount; i++) {
        int node = cable->heldNodes[i];
        cable->motion(cable->motionContext, node, time, cable->aim + 6 * node, cable->aimRate + 6 * node,
                      cable->aimAccel + 6 * node);
    }
}

// ---- shape

void rv_ancf_lay_straight(rvAncf* cable, rvVec3 from, rvVec3 way)
{
    rvVec3 t = rvNormalizeOr(way, rvVec(1, 0, 0));
    for (int i = 0; i < cable->nodeCount; i++) {
        rvVec3 r = rvMulAdd(from, cable->places[i], t);
        const double x[6] = {r.x, r.y, r.z, t.x, t.y, t.z};
        memcpy(cable->q + 6 * i, x, sizeof x);
    }
    memset(cable->v, 0, (size_t)cable->dofCount * sizeof(double));
}

double rv_ancf_length(const rvAncf* cable)
{
    return cable->places[cable->nodeCount - 1];
}
