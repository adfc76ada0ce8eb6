// SPDX-License-Identifier: MIT
#include "cable/curve/space_pair.h"

#include "math/extreme.h"

#include <math.h>

#define CLOSE 1e-12 // of an interval
#define MOST_ROUNDS 20
#define MOST_CUTS 6

static double within(double share)
{
    return rv_smaller(rv_larger(share, 0.0), 1.0);
}

// Nearest points of two chords, as shares of them.
static void meet_chords(rvVec3 a, rvVec3 da, rvVec3 b, rvVec3 db, double* u, double* w)
{
    rvVec3 r = rvSub(a, b);
    double aa = rvDot(da, da), bb = rvDot(db, db), ab = rvDot(da, db), ar = rvDot(da, r), br = rvDot(db, r);
    double whole = aa * bb - ab * ab;
    *u = whole > 1e-12 * aa * bb ? within((ab * br - bb * ar) / whole) : 0.5;
    *w = within((ab * *u + br) / bb);
    *u = within((ab * *w - ar) / aa);
}

static void look_at(const rvSpace* space, int i, int j, rvSpacePair* pair)
{
    for (int k = 0; k < 2; ++k) {
        pair->spot[k] = rv_space_spot_in(space, k == 0 ? i : j, pair->xi[k]);
        pair->x[k] = rv_space_point(space, &pair->spot[k]);
        pair->t[k] = rv_space_tangent(space, &pair->spot[k]);
    }
    pair->d = rvSub(pair->x[1], pair->x[0]);
}

// Newton's step towards the nearest points from where they are, or that of steepest descent; 0 where an end is in the
// way.
static void find_move(const rvSpace* space, const rvSpacePair* pair, double move[2])
{
    double g[2], hess[2], length[2];
    bool fixed[2];
    for (int k = 0; k < 2; ++k) {
        int i = pair->spot[k].interval;
        double sign = k == 0 ? -1.0 : 1.0;
        length[k] = space->parts[i].length;
        g[k] = sign * length[k] * rvDot(pair->d, pair->t[k]);
        hess[k] = length[k] * (length[k] + sign * rvDot(pair->d, rvCross(space->pieces[i].turn, pair->t[k])));
        fixed[k] = (pair->xi[k] <= 0.0 && g[k] > 0.0) || (pair->xi[k] >= 1.0 && g[k] < 0.0);
    }
    double cross = -length[0] * length[1] * rvDot(pair->t[0], pair->t[1]), whole = hess[0] * hess[1] - cross * cross;
    bool curved = hess[0] > 0.0 && hess[1] > 0.0;
    for (int k = 0; k < 2; ++k)
        move[k] = fixed[k] ? 0.0 : -g[k] / (curved ? hess[k] : length[k] * length[k]);
    if (!fixed[0] && !fixed[1] && curved && whole > 1e-9 * hess[0] * hess[1]) { // parallel ones stay
        move[0] = -(hess[1] * g[0] - cross * g[1]) / whole;
        move[1] = -(hess[0] * g[1] - cross * g[0]) / whole;
    }
}

bool rv_space_find_pair(const rvSpace* space, int i, int j, rvSpacePair* pair)
{
    meet_chords(space->nodes[i], rvSub(space->nodes[i + 1], space->nodes[i]), space->nodes[j],
                rvSub(space->nodes[j + 1], space->nodes[j]), &pair->xi[0], &pair->xi[1]);
    look_at(space, i, j, pair);
    double most = 1.0;
    for (int round = 0; round < MOST_ROUNDS && most > CLOSE; ++round) {
        double move[2], share = 1.0, before = rvDot(pair->d, pair->d);
        find_move(space, pair, move);
        for (int cut = 0; cut < MOST_CUTS; ++cut, share *= 0.5) {
            rvSpacePair next = {.xi = {within(pair->xi[0] + share * move[0]), within(pair->xi[1] + share * move[1])}};
            look_at(space, i, j, &next);
            most = fmax(fabs(next.xi[0] - pair->xi[0]), fabs(next.xi[1] - pair->xi[1]));
            if (cut < MOST_CUTS - 1 && rvDot(next.d, next.d) > before * (1.0 + 1e-14))
                continue;
            *pair = next;
            break;
        }
    }
    for (int k = 0; k < 2; ++k) { // the last end of an interval is the first one of the next
        int at = pair->spot[k].interval;
        double slope = (k == 0 ? -1.0 : 1.0) * rvDot(pair->d, pair->t[k]);
        if ((pair->xi[k] <= 0.0 && at > 0 && slope > 0.0) || (pair->xi[k] >= 1.0 && at < space->intervals - 1))
            return false;
    }
    return true;
}

// Arcs are off their chords by an eighth of how far they turn, or a bit more where they turn far.
bool rv_space_is_far_pair(const rvSpace* space, int i, int j, double distance)
{
    const rvVec3 *a = space->nodes + i, *b = space->nodes + j;
    double length[2] = {space->parts[i].length, space->parts[j].length}, reach = distance + length[0] + length[1];
    rvVec3 d = rvSub(rvAdd(a[0], a[1]), rvAdd(b[0], b[1])); // twice that of their middles
    if (rvDot(d, d) > 4.0 * reach * reach)
        return true;
    rvVec3 da = rvSub(a[1], a[0]), db = rvSub(b[1], b[0]);
    double u, w,
        off = 0.25 * (length[0] * rvLength(space->pieces[i].turn) + length[1] * rvLength(space->pieces[j].turn));
    meet_chords(a[0], da, b[0], db, &u, &w);
    d = rvSub(rvMulAdd(a[0], u, da), rvMulAdd(b[0], w, db));
    return rvDot(d, d) > (distance + off) * (distance + off);
}

double rv_space_find_stride(const rvSpace* space)
{
    double most = 0.0, longest = 1.0;
    for (int i = 0; i < space->intervals; ++i) {
        most = rv_larger(most, space->parts[i].length);
        for (int m = 0; space->stretches && m < RV_GAUSS_POINTS; ++m)
            longest = rv_larger(longest, fabs(space->lambda[i][m]));
    }
    return (1.0 + 1e-6) * longest * most;
}

static rvVec3 middle(const rvSpace* space, int i)
{
    return rvScale(0.5, rvAdd(space->nodes[i], space->nodes[i + 1]));
}

int rv_space_next_near(const rvSpace* space, double stride, int i, int j, double distance)
{
    rvVec3 x = middle(space, i);
    for (int skip = 1; j < space->intervals; j += skip) {
        rvVec3 d = rvSub(middle(space, j), x);
        skip = rv_curve_skip(rvDot(d, d), distance + 2.0 * stride, stride);
        if (skip == 0)
            break;
    }
    return j;
}
