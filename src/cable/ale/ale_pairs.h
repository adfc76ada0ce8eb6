// SPDX-License-Identifier: MIT
// Two elements of a fall at a time, for the kernels of what flows (ale_flow.c, ale_tangent.c).
//
// A cubic on an element is what it and its slope are at the nodes, slopes times the signed length l (the second lane is
// run through backwards). With d = dr/dlambda, l b = l d2r/dlambda2, and for functions f and c that are linear on the
// element
//   c d:   c d,   (c_i - c_o) d + c (l b)
//   f^2 b: f^2 b, (2 f (f_i - f_o) b + f^2 (b_i - b_o))
// at either node. The integral of a product of two cubics is that by the mass of the Hermite element.
#pragma once

#include "cable/ale/ale_parts.h"

#define INLINE static inline __attribute__((always_inline)) // into each clone

// Nodes of a pair: r and slope of the outer and the inner one, and u = (r_i - r_o)/l.
typedef struct {
    rvPair ro[3], to[3], ri[3], ti[3], u[3];
} Nodes;

typedef struct {
    rvPair vo[3], so[3], vi[3], si[3];
} Cubic;

// l times the second derivative at the outer and the inner node.
typedef struct {
    rvPair o[3], i[3];
} Bent;

INLINE void load(const rvAncf* cable, int k, const double* q, Nodes* n)
{
    const double *o0 = q + 6 * cable->fold[k][0], *o1 = q + 6 * cable->fold[k][1];
    const double *i0 = q + 6 * cable->inner[k][0], *i1 = q + 6 * cable->inner[k][1];
    for (int c = 0; c < 3; c++) {
        n->ro[c] = (rvPair){o0[c], o1[c]};
        n->to[c] = (rvPair){o0[3 + c], o1[3 + c]};
        n->ri[c] = (rvPair){i0[c], i1[c]};
        n->ti[c] = (rvPair){i0[3 + c], i1[3 + c]};
        n->u[c] = (n->ri[c] - n->ro[c]) * cable->spans[k].side;
    }
}

INLINE void bend_of(const Nodes* n, Bent* bent)
{
    for (int c = 0; c < 3; c++) {
        rvPair eo = n->to[c] - n->u[c], ei = n->ti[c] - n->u[c];
        bent->o[c] = -4.0 * eo - 2.0 * ei;
        bent->i[c] = 2.0 * eo + 4.0 * ei;
    }
}

INLINE rvPair dot(const rvPair a[3], const rvPair b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE rvPair cubic_dot(const Cubic* a, const Cubic* b)
{
    return (dot(a->vo, b->vo) + dot(a->vi, b->vi)) + (dot(a->so, b->so) + dot(a->si, b->si));
}

// y = M x, m the element's mass: by sums and differences of both nodes.
INLINE void mass_times(rvPair m, const Cubic* x, Cubic* y)
{
    rvPair part = (1.0 / 840.0) * m;
    for (int c = 0; c < 3; c++) {
        rvPair sum = x->vo[c] + x->vi[c], difference = x->vo[c] - x->vi[c];
        rvPair slopes = x->so[c] + x->si[c], turn = x->so[c] - x->si[c];
        rvPair even = 210.0 * sum + 35.0 * turn, odd = 102.0 * difference + 9.0 * slopes;
        rvPair evenSlope = 35.0 * sum + 7.0 * turn, oddSlope = 9.0 * difference + slopes;
        y->vo[c] = part * (even + odd);
        y->vi[c] = part * (even - odd);
        y->so[c] = part * (oddSlope + evenSlope);
        y->si[c] = part * (oddSlope - evenSlope);
    }
}

// y += factor times forces on the nodes; on slopes l times those of the data.
INLINE void store(const rvAncf* cable, int k, double factor, rvPair length, const Cubic* f, double* y)
{
    double *o0 = y + 6 * cable->fold[k][0], *o1 = y + 6 * cable->fold[k][1];
    double *i0 = y + 6 * cable->inner[k][0], *i1 = y + 6 * cable->inner[k][1];
    rvPair slope = factor * length;
    for (int c = 0; c < 3; c++) {
        rvPair vo = factor * f->vo[c], vi = factor * f->vi[c], so = slope * f->so[c], si = slope * f->si[c];
        o0[c] += vo[0];
        o1[c] += vo[1];
        i0[c] += vi[0];
        i1[c] += vi[1];
        o0[3 + c] += so[0];
        o1[3 + c] += so[1];
        i0[3 + c] += si[0];
        i1[3 + c] += si[1];
    }
}

// Factors of the rope's acceleration at the nodes of a pair: f/g, and that of d.
typedef struct {
    rvPair f[2], onSlope[2];
    rvPair more, moreSlope; // from the outer node to the inner one
    rvPair side;
} Carried;

INLINE Carried carried_by(const rvAleSpan* span, rvPair side, const rvAleFlow* flow, double mesh)
{
    Carried by = {.side = side};
    double i = 1.0 / flow->g, growth = (flow->rate[1] - flow->rate[0]) / mesh;
    for (int n = 0; n < 2; n++) {
        by.f[n] = i * (flow->rate[0] + span->share[n] * (flow->rate[1] - flow->rate[0]));
        rvPair accel = i * (flow->accel[0] + span->share[n] * (flow->accel[1] - flow->accel[0]));
        by.onSlope[n] = 2.0 * growth * i * by.f[n] - accel;
    }
    by.more = by.f[1] - by.f[0];
    by.moreSlope = by.onSlope[1] - by.onSlope[0];
    return by;
}

// a - gravity of the rope; bent: of places and rates.
INLINE void rope_acceleration(const Carried* by, rvPair length, const Nodes* q, const Nodes* v, const Nodes* a,
                              const Bent bent[2], const double weight[3], Cubic* out)
{
    rvPair bo = by->f[0] * by->f[0] * by->side, bi = by->f[1] * by->f[1] * by->side, turn = 2.0 * by->more * by->side;
    rvPair so = by->onSlope[0] + turn * by->f[0] - bo, si = by->onSlope[1] + turn * by->f[1] + bi;
    rvPair ro = -2.0 * by->f[0], ri = -2.0 * by->f[1], rs = -2.0 * by->more;
    for (int c = 0; c < 3; c++) {
        rvPair o = bent[0].o[c], i = bent[0].i[c];
        out->vo[c] = (a->ro[c] - weight[c]) + by->onSlope[0] * q->to[c] + ro * v->to[c] + bo * o;
        out->vi[c] = (a->ri[c] - weight[c]) + by->onSlope[1] * q->ti[c] + ri * v->ti[c] + bi * i;
        out->so[c] = length * a->to[c] + by->moreSlope * q->to[c] + rs * v->to[c] + ro * bent[1].o[c] + so * o + bo * i;
        out->si[c] = length * a->ti[c] + by->moreSlope * q->ti[c] + rs * v->ti[c] + ri * bent[1].i[c] + si * i - bi * o;
    }
}

// Forces along (1 - x) d and x d are added to those on p_a and p_b.
INLINE void along_both(const rvAleSpan* span, const Nodes* q, const Bent* bent, const Cubic* f, rvPair* onA,
                       rvPair* onB)
{
    rvPair outer = dot(q->to, f->vo) + dot(bent->o, f->so), inner = dot(q->ti, f->vi) + dot(bent->i, f->si);
    rvPair last = span->share[0] * outer + span->share[1] * inner +
                  (span->share[1] - span->share[0]) * (dot(q->to, f->so) + dot(q->ti, f->si));
    *onB += last;
    *onA += (outer + inner) - last;
}
