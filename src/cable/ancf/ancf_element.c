// SPDX-License-Identifier: MIT
// Stretching of ANCF elements, two at a time, and the constant matrices of mass and linear bending.
//
// From the outer node (o) to the inner one (i), x in (0, 1), side = +-1/l:
//   r' = b u + g t_o + d t_i,  u = side (r_i - r_o),  b = 6x(1-x),  g = 1-4x+3x^2,  d = 3x^2-2x
//   energy   sum of w l EA eps^2/2
//   force    sum of w N l r' on u, t_o, t_i by b, g, d
//   tangent  sum of w l (EA r' r'^T + N I) by the six products of b, g, d
// Linear bending, EI |r''|^2/2 integrated, by the slopes against the chord, e_o = t_o - u and e_i = t_i - u:
//   energy   2 EI/l (e_o.e_o + e_o.e_i + e_i.e_i)
//   force    m_o = 2 EI/l (2 e_o + e_i) on t_o, m_i likewise, -(m_o + m_i) on u
// which loses nothing to rounding, far from the origin too.
// The lower half is run through backwards: that only turns the sign of `side`.
//
// An element that is pressed bends out between its nodes, where no cubic can follow, beyond its Euler load pi^2 EI/l^2:
// a limp rope is no bar. So of its mean strain m = sum of w eps (five points, exactly) no more than e = pi^2 EI/(EA
// l^2) is pressed, and what is above it is  s = m + e:
//   energy   EA l (sum of w eps^2 - min(s, 0)^2)/2:   equal to that above for s > 0, linear in m below
//   tension  N - EA min(s + tau ds/dt, 0) at all points: the mean of N is no less than -EA e. With damping that
//            takes away from the energy at any rate, and pulls a little before the rope is straight
//   tangent  EA (sum of w a a^T - A A^T), a = r'.dr', A = sum of w a: not negative, its mean is taken out
// Only the mean: eps at points within a bent element has both signs and means nothing. Resolved shapes never come
// there, n elements carry n^2 times the Euler load of all of them. Where rope flows, g^2 e is constant: with S = g^2 s,
// K = EA l/g^3
//   on g     -g dU/dg: c (sum of w |d|^2 + 2 g^2 e) + K S^2/2, c = -K S, of the negative part of S
#include "cable/ancf/ancf_parts.h"

#define INLINE static inline __attribute__((always_inline)) // into each clone
#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

#define X1 0.04691007703066800360
#define X2 0.23076534494715845448
#define W1 0.11846344252809454376
#define W2 0.23931433524968323402
#define W3 0.28444444444444444444

const double rv_ancf_gauss[RV_ANCF_POINTS] = {X1, X2, 0.5, 1.0 - X2, 1.0 - X1};
const double rv_ancf_gauss_weight[RV_ANCF_POINTS] = {W1, W2, W3, W2, W1};

#define B(x) (6.0 * (x) * (1.0 - (x)))
#define G(x) (1.0 - (x) * (4.0 - 3.0 * (x)))
#define D(x) ((x) * (3.0 * (x)-2.0))
#define FIVE(f)                                                                                                        \
    {                                                                                                                  \
        f(X1), f(X2), f(0.5), f(1.0 - X2), f(1.0 - X1)                                                                 \
    }

static const double BETA[] = FIVE(B), GAMMA[] = FIVE(G), DELTA[] = FIVE(D);

// weight times product of two shape functions
#define WBB(w, x) ((w)*B(x) * B(x))
#define WBG(w, x) ((w)*B(x) * G(x))
#define WBD(w, x) ((w)*B(x) * D(x))
#define WGG(w, x) ((w)*G(x) * G(x))
#define WGD(w, x) ((w)*G(x) * D(x))
#define WDD(w, x) ((w)*D(x) * D(x))
#define FIVE_W(f)                                                                                                      \
    {                                                                                                                  \
        f(W1, X1), f(W2, X2), f(W3, 0.5), f(W2, 1.0 - X2), f(W1, 1.0 - X1)                                             \
    }

enum { BB, BG, BD, GG, GD, DD };
static const double PRODUCT[6][RV_ANCF_POINTS] = {FIVE_W(WBB), FIVE_W(WBG), FIVE_W(WBD),
                                                  FIVE_W(WGG), FIVE_W(WGD), FIVE_W(WDD)};

// u, t_o and t_i of a slot's element pair
INLINE void load(const rvAncf* cable, int k, const double* q, rvPair u[3], rvPair to[3], rvPair ti[3])
{
    const double *o0 = q + 6 * cable->fold[k][0], *o1 = q + 6 * cable->fold[k][1];
    const double *i0 = q + 6 * cable->inner[k][0], *i1 = q + 6 * cable->inner[k][1];
    for (int c = 0; c < 3; c++) {
        u[c] = ((rvPair){i0[c], i1[c]} - (rvPair){o0[c], o1[c]}) * cable->spans[k].side;
        to[c] = (rvPair){o0[3 + c], o1[3 + c]};
        ti[c] = (rvPair){i0[3 + c], i1[3 + c]};
    }
}

INLINE void slope(int g, const rvPair u[3], const rvPair to[3], const rvPair ti[3], rvPair r[3])
{
    for (int c = 0; c < 3; c++)
        r[c] = BETA[g] * u[c] + GAMMA[g] * to[c] + DELTA[g] * ti[c];
}

INLINE rvPair dot(const rvPair a[3], const rvPair b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What stretching gives the nodes of a slot's element pair: sums by b, g and d.
INLINE void store_force(const rvAncf* cable, int k, rvPair fu[3], const rvPair fo[3], const rvPair fi[3], double* force)
{
    double *o0 = force + 6 * cable->fold[k][0], *o1 = force + 6 * cable->fold[k][1];
    double *i0 = force + 6 * cable->inner[k][0], *i1 = force + 6 * cable->inner[k][1];
    for (int c = 0; c < 3; c++) {
        rvPair f = fu[c] * cable->spans[k].side;
        o0[c] += f[0];
        o1[c] += f[1];
        i0[c] -= f[0];
        i1[c] -= f[1];
        o0[3 + c] -= fo[c][0];
        o1[3 + c] -= fo[c][1];
        i0[3 + c] -= fi[c][0];
        i1[3 + c] -= fi[c][1];
    }
}

INLINE void add_force(int g, rvPair n, const rvPair r[3], rvPair fu[3], rvPair fo[3], rvPair fi[3])
{
    rvPair w = rv_ancf_gauss_weight[g] * n;
    for (int c = 0; c < 3; c++) {
        rvPair f = w * r[c];
        fu[c] += BETA[g] * f;
        fo[c] += GAMMA[g] * f;
        fi[c] += DELTA[g] * f;
    }
}

INLINE void add_bending(rvPair bend, const rvPair u[3], const rvPair to[3], const rvPair ti[3], rvPair fu[3],
                        rvPair fo[3], rvPair fi[3])
{
    for (int c = 0; c < 3; c++) {
        rvPair eo = to[c] - u[c], ei = ti[c] - u[c], sum = eo + ei;
        rvPair mo = bend * (sum + eo), mi = bend * (sum + ei);
        fo[c] += mo;
        fi[c] += mi;
        fu[c] -= mo + mi;
    }
}

void rv_ancf_pair_slopes(const rvAncf* cable, int k, const double* x, rvPair out[RV_ANCF_POINTS][3])
{
    rvPair u[3], to[3], ti[3];
    load(cable, k, x, u, to, ti);
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        slope(g, u, to, ti, out[g]);
}

void rv_ancf_pair_forces(const rvAncf* cable, int k, const double* x, rvPair forces[RV_ANCF_POINTS][3], double* y)
{
    rvPair u[3], to[3], ti[3], fu[3] = {0}, fo[3] = {0}, fi[3] = {0}, one = {1.0, 1.0};
    load(cable, k, x, u, to, ti);
    add_bending(cable->spans[k].bend * cable->elastic, u, to, ti, fu, fo, fi);
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        add_force(g, one, forces[g], fu, fo, fi);
    store_force(cable, k, fu, fo, fi, y);
}

// How the fill g of a flowing rope's elements enters, see rvAncfGrowth: linear bending, then what each Gauss point
// adds.
INLINE void begin_growth(rvPair bend, const rvPair u[3], const rvPair to[3], const rvPair ti[3], rvAncfGrowth* growth,
                         rvPair sums[2])
{
    rvPair eo[3], ei[3];
    for (int c = 0; c < 3; c++) {
        eo[c] = to[c] - u[c];
        ei[c] = ti[c] - u[c];
    }
    rvPair energy = bend * (dot(eo, eo) + dot(eo, ei) + dot(ei, ei));
    sums[0] = 3.0 * energy;
    sums[1] = 4.0 * growth->bending * energy;
}

INLINE void add_growth(int g, rvPair elastic, rvPair n, rvPair square, rvPair strain, rvPair* sum)
{
    *sum += rv_ancf_gauss_weight[g] * (n * square - 0.5 * elastic * strain * strain);
}

INLINE bool any_negative(rvPair x)
{
    return x[0] < 0.0 || x[1] < 0.0;
}

INLINE rvPair only(rvPair x, rvPairMask which)
{
    return (rvPair)((rvPairMask)x & which);
}

// What more rope does to the energy of elements that give way, s as in the head.
INLINE rvPair growth_pressed(const rvAncfSpan* span, rvPair elastic, rvPair s)
{
    return elastic * s * (0.5 * s - 2.0 * span->euler);
}

static const rvPair NEARLY = {-1e-300, -1e-300}; // a strain that is as good as none, but gives way

// growing: a constant where it is inlined; else growth is NULL.
INLINE void elastic_force(const rvAncf* cable, const double* q, const double* v, bool growing, rvAncfGrowth* growth,
                          double* force)
{
    rvPair onGrowth = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++) {
        const rvAncfSpan* span = &cable->spans[k];
        rvPair u[3], to[3], ti[3], vu[3], vo[3], vi[3], r[3], rate[3], sums[2];
        rvPair fu[3] = {0}, fo[3] = {0}, fi[3] = {0}, elastic = span->stiffness * cable->elastic;
        load(cable, k, q, u, to, ti);
        if (v)
            load(cable, k, v, vu, vo, vi);
        add_bending(span->bend * cable->elastic, u, to, ti, fu, fo, fi);
        if (growing)
            begin_growth(span->bend * cable->elastic, u, to, ti, growth, sums);
        rvPair above = span->euler, still = span->euler;
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            slope(g, u, to, ti, r);
            rvPair square = dot(r, r), strain = 0.5 * (square - cable->restSquare), all = strain;
            if (v) {
                slope(g, vu, vo, vi, rate);
                all += span->axialTime * dot(r, rate);
            }
            above += rv_ancf_gauss_weight[g] * all;
            add_force(g, elastic * all, r, fu, fo, fi);
            if (growing) {
                still += rv_ancf_gauss_weight[g] * strain;
                add_growth(g, elastic, elastic * all, square, strain, &sums[0]);
            }
        }
        if (any_negative(above)) {
            rvPair c = -elastic * rv_ancf_negative_part(above);
            for (int g = 0; g < RV_ANCF_POINTS; g++) {
                slope(g, u, to, ti, r);
                add_force(g, c, r, fu, fo, fi);
                if (growing)
                    sums[0] += rv_ancf_gauss_weight[g] * c * dot(r, r);
            }
        }
        if (growing && any_negative(still))
            sums[0] += growth_pressed(span, elastic, rv_ancf_negative_part(still));
        store_force(cable, k, fu, fo, fi, force);
        if (growing)
            onGrowth += sums[0];
    }
    if (growing)
        growth->force = onGrowth[0] + onGrowth[1];
}

RV_ANCF_CLONED void rv_ancf_elastic_force(const rvAncf* cable, const double* q, const double* v, double* force)
{
    elastic_force(cable, q, v, false, NULL, force);
}

RV_ANCF_CLONED void rv_ancf_growing_force(const rvAncf* cable, const double* q, const double* v, rvAncfGrowth* growth,
                                          double* force)
{
    elastic_force(cable, q, v, true, growth, force);
}

void rv_ancf_stretch_damping(const rvAncf* cable, const double* q, const double* x, double* y)
{
    for (int k = 0; k < cable->slotCount; k++) {
        rvPair u[3], to[3], ti[3], xu[3], xo[3], xi[3], r[3], rate[3];
        rvPair fu[3] = {0}, fo[3] = {0}, fi[3] = {0};
        load(cable, k, q, u, to, ti);
        load(cable, k, x, xu, xo, xi);
        rvPair viscosity =
            -(cable->spans[k].stiffness * cable->elastic * cable->spans[k].axialTime); // store_force takes away
        rvPair along[RV_ANCF_POINTS];
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            slope(g, u, to, ti, r);
            slope(g, xu, xo, xi, rate);
            along[g] = viscosity * dot(r, rate);
        }
        rv_ancf_leave_mean_out(cable, k, along);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            slope(g, u, to, ti, r);
            add_force(g, along[g], r, fu, fo, fi);
        }
        store_force(cable, k, fu, fo, fi, y);
    }
}

RV_ANCF_CLONED void rv_ancf_elastic_energy(const rvAncf* cable, const double* q, double* stretch, double* bend)
{
    rvPair sum = {0.0, 0.0}, bent = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++) {
        rvPair u[3], to[3], ti[3], r[3], part = {0.0, 0.0}, above = cable->spans[k].euler;
        load(cable, k, q, u, to, ti);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            slope(g, u, to, ti, r);
            rvPair strain = 0.5 * (dot(r, r) - cable->restSquare);
            above += rv_ancf_gauss_weight[g] * strain;
            part += rv_ancf_gauss_weight[g] * (strain * strain);
        }
        above = rv_ancf_negative_part(above);
        sum += cable->spans[k].stiffness * (part - above * above);
        rvPair eo[3], ei[3];
        for (int c = 0; c < 3; c++) {
            eo[c] = to[c] - u[c];
            ei[c] = ti[c] - u[c];
        }
        bent += cable->spans[k].bend * (dot(eo, eo) + dot(eo, ei) + dot(ei, ei));
    }
    *stretch = 0.5 * cable->elastic * (sum[0] + sum[1]);
    *bend = cable->elastic * (bent[0] + bent[1]);
}

// The tangent of a pair: from the point matrices w l (EA r r^T + N I), six numbers each, into the slots.
INLINE void store_matrix(const rvAncfSpan* span, rvPair point[6][RV_ANCF_POINTS], rvAncfSlot* out, rvAncfSlot* in)
{
    static const int ROW[6] = {0, 1, 2, 1, 2, 2}, COL[6] = {0, 0, 0, 1, 1, 2};
    rvPair s = span->side, s2 = s * s;
    for (int e = 0; e < 6; e++) {
        rvPair sum[6];
        for (int p = 0; p < 6; p++) {
            const double* w = PRODUCT[p];
            const rvPair* m = point[e];
            sum[p] = ((w[0] * m[0] + w[4] * m[4]) + (w[1] * m[1] + w[3] * m[3])) + w[2] * m[2];
        }
        rvPair bb = s2 * sum[BB], bg = s * sum[BG], bd = s * sum[BD];
        int i = ROW[e], j = COL[e];
        out->d[AT(i, j)] += bb;
        in->d[AT(i, j)] = bb;
        out->d[AT(3 + i, j)] -= bg;
        in->d[AT(3 + i, j)] = bd;
        out->d[AT(3 + i, 3 + j)] += sum[GG];
        in->d[AT(3 + i, 3 + j)] = sum[DD];
        out->c[6 * i + j] = -bb;
        out->c[6 * i + 3 + j] = bg;
        out->c[6 * (3 + i) + j] = -bd;
        out->c[6 * (3 + i) + 3 + j] = sum[GD];
        if (i == j)
            continue;
        out->d[AT(3 + j, i)] -= bg;
        in->d[AT(3 + j, i)] = bd;
        out->c[6 * j + i] = -bb;
        out->c[6 * j + 3 + i] = bg;
        out->c[6 * (3 + j) + i] = -bd;
        out->c[6 * (3 + j) + 3 + i] = sum[GD];
    }
}

// slot += factor mass + elastic bend
INLINE void add_iso(rvAncfSlot* slot, const rvAncfIsoPair* mass, double factor, const rvAncfIsoPair* bend,
                    double elastic, bool coupled)
{
    rvPair node[3], edge[4];
    for (int i = 0; i < 3; i++)
        node[i] = factor * mass->node[i] + elastic * bend->node[i];
    for (int i = 0; i < 4; i++)
        edge[i] = factor * mass->edge[i] + elastic * bend->edge[i];
    for (int c = 0; c < 3; c++) {
        slot->d[AT(c, c)] += node[0];
        slot->d[AT(3 + c, c)] += node[1];
        slot->d[AT(3 + c, 3 + c)] += node[2];
        if (!coupled)
            continue;
        slot->c[6 * c + c] += edge[0];
        slot->c[6 * c + 3 + c] += edge[1];
        slot->c[6 * (3 + c) + c] += edge[2];
        slot->c[6 * (3 + c) + 3 + c] += edge[3];
    }
}

INLINE rvPair pair_tensions(const rvAncf* cable, int k, rvPair damped, const rvPair more[RV_ANCF_POINTS],
                            rvPair* stored)
{
    rvPair elastic = cable->spans[k].stiffness * cable->elastic, stiffness = elastic * damped, mean = {0.0, 0.0};
    const rvPair* at = cable->tensions[k];
    rvPairMask gives = cable->gives[k];
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        mean += rv_ancf_gauss_weight[g] * more[g];
    mean *= damped;
    rvPair now = at[RV_ANCF_POINTS] + mean, missed = (rvPair)((rvPairMask)now & (gives ^ (rvPairMask)(now < 0.0)));
    rvPair all = (rvPair)(((rvPairMask)(missed - mean) & gives) | ((rvPairMask)-missed & ~gives));
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        stored[g] = at[g] + stiffness * more[g] + elastic * all;
    stored[RV_ANCF_POINTS] = now;
    return 0.5 * elastic * missed * missed;
}

rvPair rv_ancf_pair_tensions(const rvAncf* cable, int k, rvPair damped, const rvPair more[RV_ANCF_POINTS],
                             rvPair* stored)
{
    return pair_tensions(cable, k, damped, more, stored);
}

// growing: a constant where it is inlined.
INLINE rvAncfLeft take_tensions(const rvAncf* cable, const double* d, double dampFactor, bool growing, double growth,
                                rvPair* stored)
{
    rvPair left = {0.0, 0.0}, missed = {0.0, 0.0};
    for (int k = 0; k < cable->slotCount; k++) {
        const rvAncfSpan* span = &cable->spans[k];
        rvPair u[3], to[3], ti[3], w[3], more[RV_ANCF_POINTS], part = {0.0, 0.0};
        load(cable, k, d, u, to, ti);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const rvPair* r = cable->slopes[k][g];
            slope(g, u, to, ti, w);
            for (int c = 0; c < 3 && growing; c++)
                w[c] -= growth * r[c];
            more[g] = dot(r, w);
            rvPair square = dot(w, w);
            part += rv_ancf_gauss_weight[g] * (square * square);
        }
        left += 0.125 * cable->elastic * span->stiffness * part;
        missed += pair_tensions(cable, k, 1.0 + dampFactor * span->axialTime, more, &stored[RV_ANCF_STORED * k]);
    }
    return (rvAncfLeft){left[0] + left[1], missed[0] + missed[1]};
}

RV_ANCF_CLONED rvAncfLeft rv_ancf_take_tensions(const rvAncf* cable, const double* d, double dampFactor, double growth,
                                                rvPair* stored)
{
    if (growth == 0.0)
        return take_tensions(cable, d, dampFactor, false, 0.0, stored);
    return take_tensions(cable, d, dampFactor, true, growth, stored);
}

void rv_ancf_keep_giving(rvAncf* cable, const rvPair* stored)
{
    for (int k = 0; k < cable->slotCount; k++)
        cable->gives[k] = stored[RV_ANCF_STORED * k + RV_ANCF_POINTS] < 0.0;
}

void rv_ancf_keep_straight(const rvAncf* cable, rvPair* stored)
{
    for (int k = 0; k < cable->slotCount; k++, stored += RV_ANCF_STORED) {
        rvPair pressed = only(rv_ancf_negative_part(stored[RV_ANCF_POINTS]), ~cable->gives[k]);
        stored[RV_ANCF_POINTS] -= pressed;
        for (int g = 0; g < RV_ANCF_POINTS; g++)
            stored[g] += cable->spans[k].stiffness * cable->elastic * pressed;
    }
}

void rv_ancf_leave_mean_out(const rvAncf* cable, int k, rvPair along[RV_ANCF_POINTS])
{
    rvPair mean = {0.0, 0.0};
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        mean += rv_ancf_gauss_weight[g] * along[g];
    mean = only(mean, cable->gives[k]);
    for (int g = 0; g < RV_ANCF_POINTS; g++)
        along[g] -= mean;
}

// slots -= stiffness A A^T of a pair, A on u, t_o and t_i.
static void take_mean_out(const rvAncfSpan* span, rvPair stiffness, rvPair a[9], rvAncfSlot* out, rvAncfSlot* in)
{
    rvPair outer[6], inner[6];
    for (int c = 0; c < 3; c++) {
        inner[c] = span->side * a[c];
        outer[c] = -inner[c];
        outer[3 + c] = a[3 + c];
        inner[3 + c] = a[6 + c];
    }
    for (int i = 0; i < 6; i++) {
        rvPair o = stiffness * outer[i], n = stiffness * inner[i];
        for (int j = 0; j <= i; j++) {
            out->d[AT(i, j)] -= o * outer[j];
            in->d[AT(i, j)] -= n * inner[j];
        }
        for (int j = 0; j < 6; j++)
            out->c[6 * i + j] -= n * outer[j];
    }
}

// A of a pair on u, t_o and t_i, and the mean of |r'|^2.
static void mean_of(const rvAncf* cable, int k, rvPair a[9], rvPair* square)
{
    static const rvPair one = {1.0, 1.0}, none = {0.0, 0.0};
    for (int i = 0; i < 9; i++)
        a[i] = none;
    *square = none;
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        const rvPair* r = cable->slopes[k][g];
        add_force(g, one, r, a, a + 3, a + 6);
        *square += rv_ancf_gauss_weight[g] * dot(r, r);
    }
}

// A pair of which one gives way, after its matrix was stored: the mean is taken out of that and of the columns; of an
// exact matrix with how the Euler load changes with g.
static void give_way(rvAncf* cable, int k, const rvAncfWish* wish, rvPair above, rvAncfGrowth* growth, rvPair* tangent)
{
    const rvAncfSpan* span = &cable->spans[k];
    rvPair elastic = only(span->stiffness * cable->elastic, cable->gives[k]), a[9], square;
    rvPair stiffness = elastic * (1.0 + wish->dampFactor * span->axialTime);
    mean_of(cable, k, a, &square);
    take_mean_out(span, stiffness, a, &cable->slots[k], &cable->slots[k + 1]);
    if (!growth)
        return;
    rvPair onColumn = -stiffness * square;
    *tangent -= stiffness * square * square;
    if (!wish->stored) {
        rvPair euler = elastic * span->euler;
        onColumn -= 2.0 * euler;
        *tangent -= euler * (4.0 * (square + span->euler) + 2.0 * above);
    }
    for (int i = 0; i < 9; i++)
        growth->columns[k][i] += onColumn * a[i];
}

// The tension c that a pair which gives way is relieved of; exact: in its matrix too. growing as in elastic_force.
INLINE void relieve(rvAncf* cable, int k, rvPair c, bool exact, bool growing, rvPair fu[3], rvPair fo[3], rvPair fi[3],
                    rvPair point[6][RV_ANCF_POINTS], rvPair both[RV_ANCF_POINTS], rvPair sums[2])
{
    rvPair a[9], square;
    mean_of(cable, k, a, &square);
    for (int i = 0; i < 3; i++) {
        fu[i] += c * a[i];
        fo[i] += c * a[3 + i];
        fi[i] += c * a[6 + i];
    }
    for (int g = 0; g < RV_ANCF_POINTS; g++) {
        cable->tensions[k][g] += c;
        for (int i = 0; i < 6 && exact; i += i == 0 ? 3 : 2) // the diagonal
            point[i][g] += c;
        if (growing && exact)
            both[g] += c;
    }
    if (growing)
        sums[0] += c * square;
    if (growing && exact)
        sums[1] += c * square;
}

// As elastic_force.
INLINE void elastic_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish, bool growing,
                           rvAncfGrowth* growth, double* force)
{
    rvPair onGrowth = {0.0, 0.0}, tangent = {0.0, 0.0};
    memset(cable->slots[0].d, 0, sizeof cable->slots[0].d);
    for (int k = 0; k < cable->slotCount; k++) {
        const rvAncfSpan* span = &cable->spans[k];
        rvPair u[3], to[3], ti[3], vu[3], vo[3], vi[3], rate[3], point[6][RV_ANCF_POINTS], sums[2];
        rvPair fu[3] = {0}, fo[3] = {0}, fi[3] = {0}, both[RV_ANCF_POINTS], column[9];
        rvPair elastic = span->stiffness * cable->elastic;
        rvPair stiffness = elastic * (1.0 + wish->dampFactor * span->axialTime);
        load(cable, k, q, u, to, ti);
        if (v)
            load(cable, k, v, vu, vo, vi);
        add_bending(span->bend * cable->elastic, u, to, ti, fu, fo, fi);
        if (growing) {
            begin_growth(span->bend * cable->elastic, u, to, ti, growth, sums);
            for (int c = 0; c < 3; c++) {
                column[c] = growth->bending * fu[c];
                column[3 + c] = growth->bending * fo[c];
                column[6 + c] = growth->bending * fi[c];
            }
        }
        rvPair above = span->euler, still = span->euler;
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            rvPair* r = cable->slopes[k][g];
            slope(g, u, to, ti, r);
            rvPair square = dot(r, r), strain = 0.5 * (square - cable->restSquare), all = strain;
            if (v) {
                slope(g, vu, vo, vi, rate);
                all += span->axialTime * dot(r, rate);
            }
            above += rv_ancf_gauss_weight[g] * all;
            rvPair n = elastic * all, along = stiffness;
            cable->tensions[k][g] = n;
            add_force(g, n, r, fu, fo, fi);
            rvPair pull = wish->stored ? rv_ancf_positive_part(wish->stored[RV_ANCF_STORED * k + g]) : n;
            if (growing) {
                still += rv_ancf_gauss_weight[g] * strain;
                add_growth(g, elastic, n, square, strain, &sums[0]);
                both[g] = stiffness * square + pull;
                sums[1] += rv_ancf_gauss_weight[g] * both[g] * square;
            }
            rvPair rx = along * r[0], ry = along * r[1];
            point[0][g] = rx * r[0] + pull;
            point[1][g] = rx * r[1];
            point[2][g] = rx * r[2];
            point[3][g] = ry * r[1] + pull;
            point[4][g] = ry * r[2];
            point[5][g] = along * r[2] * r[2] + pull;
        }
        rvPairMask gives = (wish->stored ? wish->stored[RV_ANCF_STORED * k + RV_ANCF_POINTS] : above) < 0.0;
        gives = wish->bars ? gives & 0 : wish->kept ? cable->gives[k] : gives;
        cable->gives[k] = gives;
        cable->tensions[k][RV_ANCF_POINTS] = wish->kept ? only(NEARLY, gives) : above;
        if (gives[0] | gives[1])
            relieve(cable, k, only(-elastic * above, gives), !wish->stored, growing, fu, fo, fi, point, both, sums);
        if (growing && (gives[0] | gives[1]))
            sums[0] += growth_pressed(span, elastic, only(still, gives));
        store_force(cable, k, fu, fo, fi, force);
        store_matrix(span, point, &cable->slots[k], &cable->slots[k + 1]);
        add_iso(&cable->slots[k], &cable->massPair[k], wish->massFactor, &cable->bendPair[k], cable->elastic, true);
        if (growing) {
            for (int g = 0; g < RV_ANCF_POINTS; g++)
                add_force(g, both[g], cable->slopes[k][g], column, column + 3, column + 6);
            memcpy(growth->columns[k], column, sizeof column);
            onGrowth += sums[0];
            tangent += sums[1];
        }
        if (gives[0] | gives[1])
            give_way(cable, k, wish, above, growing ? growth : NULL, &tangent);
    }
    int middle = cable->slotCount;
    add_iso(&cable->slots[middle], &cable->massPair[middle], wish->massFactor, &cable->bendPair[middle], cable->elastic,
            false);
    if (growing) {
        growth->force = onGrowth[0] + onGrowth[1];
        growth->tangent = tangent[0] + tangent[1];
    }
}

RV_ANCF_CLONED void rv_ancf_elastic_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish,
                                           double* force)
{
    elastic_matrix(cable, q, v, wish, false, NULL, force);
}

RV_ANCF_CLONED void rv_ancf_growing_matrix(rvAncf* cable, const double* q, const double* v, const rvAncfWish* wish,
                                           rvAncfGrowth* growth, double* force)
{
    elastic_matrix(cable, q, v, wish, true, growth, force);
}

void rv_ancf_mass_matrix(rvAncf* cable, rvAncfSlot* slots)
{
    memset(slots, 0, (size_t)(cable->slotCount + 1) * sizeof *slots);
    static const rvAncfIsoPair none;
    for (int k = 0; k <= cable->slotCount; k++)
        add_iso(&slots[k], &cable->massPair[k], 1.0, &none, 1.0, k < cable->slotCount);
}

// x and y are not the same vector: a row is summed before it is written.
void rv_ancf_iso_product(const rvAncf* cable, const rvAncfIso* restrict matrix, const double* restrict x,
                         double* restrict y)
{
    int last = cable->nodeCount - 1;
    for (int i = 0; i <= last; i++) {
        const double *m = matrix[i].node, *xi = x + 6 * i;
        double sum[6];
        for (int c = 0; c < 3; c++) {
            sum[c] = m[0] * xi[c] + m[1] * xi[3 + c];
            sum[3 + c] = m[1] * xi[c] + m[2] * xi[3 + c];
        }
        if (i < last) {
            const double *e = matrix[i].edge, *xn = xi + 6;
            for (int c = 0; c < 3; c++) {
                sum[c] += e[0] * xn[c] + e[2] * xn[3 + c];
                sum[3 + c] += e[1] * xn[c] + e[3] * xn[3 + c];
            }
        }
        if (i > 0) {
            const double *e = matrix[i - 1].edge, *xp = xi - 6;
            for (int c = 0; c < 3; c++) {
                sum[c] += e[0] * xp[c] + e[1] * xp[3 + c];
                sum[3 + c] += e[2] * xp[c] + e[3] * xp[3 + c];
            }
        }
        memcpy(y + 6 * i, sum, sizeof sum);
    }
}
