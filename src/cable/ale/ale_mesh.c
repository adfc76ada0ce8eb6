// SPDX-License-Identifier: MIT
// Splits and merges: the mesh of a fall follows the rope in it.
//
// Split: an element becomes two at its middle. Position, slope and all rates of the new node are those of the old cubic
// there, so every field is the same as before: mass, momentum, energy and tension to rounding.
//
// Merge: a node between two elements goes; those beside it keep position and slope. That changes the shape by what one
// cubic cannot hold of two, of order l^4 r''''. The velocity of the rope is projected: of all fields over the new mesh
// the one nearest to the old rope's, by the mass. So mass is kept to rounding, momentum too (where the ends are free),
// and kinetic energy falls by that of the difference alone. Tension: straight rope under its weight has r of second
// degree in p, which one cubic holds exactly. Slack rope that bends does not fit: one cubic in the place of two is
// stretched by the square of what it turns, times EA. So such a merge waits until the rope is straight again, or so
// short that nothing of it is left.
#include "cable/ale/ale_parts.h"

enum { VECTORS = 6 };

static void list_vectors(const rvAncf* cable, double* vectors[VECTORS])
{
    double* all[VECTORS] = {cable->q, cable->v, cable->a, cable->at, cable->qOld, cable->vOld};
    memcpy(vectors, all, sizeof all);
}

static void read_lengths(const rvAleFall* fall, double* lengths)
{
    for (int e = 0; e < fall->ancf->elementCount; e++)
        lengths[e] = fall->elements[e].length;
}

// Stored tensions are in the order of the mesh: those of the shape as it is.
void rv_ale_store_tensions(rvAle* ale, int f)
{
    rvAncf* cable = ale->falls[f].ancf;
    rv_ale_set_scale(ale, f, ale->flow[RV_ALE_P]);
    memset(cable->work[0], 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_elastic_matrix(cable, cable->q, NULL, &(rvAncfWish){.massFactor = 1.0}, cable->work[0]);
    memcpy(cable->stored, cable->tensions, (size_t)cable->slotCount * sizeof *cable->tensions);
}

void rv_ale_split(rvAle* ale, int f, int e)
{
    rv_ale_split_at(ale, f, e, 0.5);
}

void rv_ale_split_at(rvAle* ale, int f, int e, double share)
{
    rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    int count = cable->elementCount;
    double *vectors[VECTORS], lengths[RV_ALE_MESH], l = fall->elements[e].length, s[4], s1[4], x[6];
    list_vectors(cable, vectors);
    read_lengths(fall, lengths);
    rv_ancf_shape(share, l, s);
    rv_ancf_shape_slope(share, l, s1);
    for (int k = 0; k < VECTORS; k++) {
        rv_ancf_blend(vectors[k], e, s, x);
        rv_ancf_blend(vectors[k], e, s1, x + 3);
        double* at = vectors[k] + 6 * (e + 1);
        memmove(at + 6, at, 6 * (size_t)(count - e) * sizeof(double));
        memcpy(at, x, sizeof x);
    }
    double* pulls = cable->pulls + (size_t)RV_ANCF_PULLS * e;
    memmove(pulls + RV_ANCF_PULLS, pulls, RV_ANCF_PULLS * (size_t)(count - e) * sizeof(double));
    memmove(lengths + e + 1, lengths + e, (size_t)(count - e) * sizeof(double));
    lengths[e] = share * l;
    lengths[e + 1] = (1.0 - share) * l;
    rv_ale_lay_mesh(ale, f, lengths, count + 1);
    rv_ale_store_tensions(ale, f);
    // both have the pulls of the whole, and differ from these as their shapes do
    double g = rv_ale_fall_length(ale, f) / fall->mesh;
    double more = g * (rv_ancf_mean_pull(cable, e + 1) - rv_ancf_mean_pull(cable, e));
    for (int i = 0; i < RV_ANCF_PULLS; i++) {
        pulls[i] -= (1.0 - share) * more;
        pulls[RV_ANCF_PULLS + i] += share * more;
    }
}

// Values of two elements from node e on, before they become one.
typedef struct {
    double length[2], q[18], v[18];
} Old;

// rhs += integral of rho N^T (old velocity of the rope - the new one) over the new element e
static void add_difference(const rvAle* ale, int f, int e, const Old* old, double* rhs)
{
    const rvAncf* cable = ale->falls[f].ancf;
    double both = old->length[0] + old->length[1];
    rvAleFlow flow = rv_ale_flow_of(ale, f, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
    for (int part = 0; part < 2; part++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            double l = old->length[part], x = rv_ancf_gauss[g];
            double at = (part == 0 ? 0.0 : old->length[0]) + x * l; // along the new element
            double s[4], d[4], sn[4], dn[4], speed[3], slope[3], speedNew[3], slopeNew[3];
            rv_ancf_shape(x, l, s);
            rv_ancf_shape_slope(x, l, d);
            rv_ancf_blend(old->v, part, s, speed);
            rv_ancf_blend(old->q, part, d, slope);
            rv_ancf_shape(at / both, both, sn);
            rv_ancf_shape_slope(at / both, both, dn);
            rv_ancf_blend(cable->v, e, sn, speedNew);
            rv_ancf_blend(cable->q, e, dn, slopeNew);
            double share = (cable->places[e] + at) / ale->falls[f].mesh;
            double rate = (flow.rate[0] + share * (flow.rate[1] - flow.rate[0])) / flow.g;
            double w = ale->mass * l * rv_ancf_gauss_weight[g];
            for (int c = 0; c < 3; c++) {
                double gap = w * (speed[c] - speedNew[c] - rate * (slope[c] - slopeNew[c]));
                for (int i = 0; i < 4; i++)
                    rhs[6 * e + 3 * i + c] += sn[i] * gap;
            }
        }
}

// x = M^-1 x; ends with a body or a load keep their speed. The mass is that of the mesh: what the rope has more or less
// of it is a factor on both sides.
static void project(const rvAleFall* fall, double* x)
{
    rvError ignored = {0};
    bool held[2];
    for (int end = 0; end < 2; end++) {
        int node = rv_ale_end_node(fall, end);
        held[end] = !fall->ancf->held[node] && (fall->gripped[end] || fall->load[end] > 0.0);
        if (held[end])
            rv_ancf_hold(fall->ancf, node, RV_ANCF_PIN, &ignored);
    }
    rv_ancf_mass_solve(fall->ancf, x);
    for (int end = 0; end < 2; end++)
        if (held[end])
            rv_ancf_let_go(fall->ancf, rv_ale_end_node(fall, end));
}

void rv_ale_merge(rvAle* ale, int f, int e)
{
    rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    int count = cable->elementCount;
    double *vectors[VECTORS], lengths[RV_ALE_MESH];
    Old old = {.length = {fall->elements[e].length, fall->elements[e + 1].length}};
    memcpy(old.q, cable->q + 6 * e, sizeof old.q);
    memcpy(old.v, cable->v + 6 * e, sizeof old.v);
    list_vectors(cable, vectors);
    read_lengths(fall, lengths);
    for (int k = 0; k < VECTORS; k++) {
        double* at = vectors[k] + 6 * (e + 1);
        memmove(at, at + 6, 6 * (size_t)(count - e - 1) * sizeof(double));
    }
    double *pulls = cable->pulls + (size_t)RV_ANCF_PULLS * e, share = lengths[e + 1] / (lengths[e] + lengths[e + 1]);
    for (int i = 0; i < RV_ANCF_PULLS; i++)
        pulls[i] += share * (pulls[RV_ANCF_PULLS + i] - pulls[i]);
    memmove(pulls + RV_ANCF_PULLS, pulls + 2 * RV_ANCF_PULLS, RV_ANCF_PULLS * (size_t)(count - e - 2) * sizeof(double));
    lengths[e] += lengths[e + 1];
    memmove(lengths + e + 1, lengths + e + 2, (size_t)(count - e - 2) * sizeof(double));
    rv_ale_lay_mesh(ale, f, lengths, count - 1);
    double* rhs = cable->work[0];
    memset(rhs, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    add_difference(ale, f, e, &old, rhs);
    project(fall, rhs);
    for (int i = 0; i < cable->dofCount; i++)
        cable->v[i] += rhs[i];
    rv_ale_store_tensions(ale, f);
}

// Of elements that begin with the node q, over EA: integral of (d.d - g^2)^2/(8 g^3), less what those that give way do
// not hold (rv_ancf_elastic_energy).
static double stretch_of(const rvAle* ale, const double* q, const double* lengths, int count, double g)
{
    double sum = 0.0;
    for (int e = 0; e < count; e++) {
        double l = lengths[e], above = ale->buckles ? rv_ancf_euler_strain(ale->EA, ale->EI, l) : HUGE_VAL,
               squares = 0.0;
        for (int i = 0; i < RV_ANCF_POINTS; i++) {
            double slope[4], d[3];
            rv_ancf_shape_slope(rv_ancf_gauss[i], l, slope);
            rv_ancf_blend(q, e, slope, d);
            double strain = 0.5 * (rv_ancf_dot3(d, d) - g * g);
            above += rv_ancf_gauss_weight[i] * strain;
            squares += rv_ancf_gauss_weight[i] * strain * strain;
        }
        above = fmin(above, 0.0);
        sum += l * (squares - above * above);
    }
    return sum / (2.0 * g * g * g);
}

// Would elements e and e + 1 as one be stretched by no more than a little of what they are, or of what the fall weighs?
static bool fits_one(const rvAle* ale, int f, int e, double g)
{
    static const double LITTLE = 0.05;
    const rvAleFall* fall = &ale->falls[f];
    const double* q = fall->ancf->q + 6 * e;
    double lengths[2] = {fall->elements[e].length, fall->elements[e + 1].length}, both = lengths[0] + lengths[1],
           one[12];
    memcpy(one, q, 6 * sizeof(double));
    memcpy(one + 6, q + 12, 6 * sizeof(double));
    double weight = ale->mass * rvLength(ale->gravity) * g * fall->mesh / ale->EA;
    double old = stretch_of(ale, q, lengths, 2, g), least = 0.5 * weight * weight * g * both;
    return stretch_of(ale, one, &both, 1, g) - old <= LITTLE * LITTLE * fmax(old, least);
}

int rv_ale_adapt(rvAle* ale, double length, double* more)
{
    int changes = 0;
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        int count = fall->ancf->elementCount, longest = 0, shortest = -1;
        double g = rv_ale_fall_length(ale, f) / fall->mesh, least = HUGE_VAL;
        for (int e = 0; e < count; e++) {
            double l = fall->elements[e].length, two = e + 1 < count ? l + fall->elements[e + 1].length : HUGE_VAL;
            if (l > fall->elements[longest].length)
                longest = e;
            if (two < least) {
                least = two;
                shortest = e;
            }
        }
        if (g * fall->elements[longest].length > RV_ALE_LONG * length && count < fall->room) {
            rv_ale_split(ale, f, longest);
            changes++;
        } else if (count > 1 && g * least < RV_ALE_SHORT * length &&
                   (g * least < RV_ALE_CRUMB * length || fits_one(ale, f, shortest, g))) {
            double before = more ? rv_ale_energy(ale).total : 0.0;
            rv_ale_merge(ale, f, shortest);
            changes++;
            if (more)
                *more += rv_ale_energy(ale).total - before;
        }
    }
    return changes;
}
