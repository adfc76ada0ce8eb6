// SPDX-License-Identifier: MIT
// Ropes that cross. Two straight spans pass through each other where they come to lie in one plane,
//   v(t) = (a1 - a0) x (b1 - b0) . (b0 - a0) = 0,
// with the crossing point inside both. All ends move evenly, so v is a cubic in t; its first root with both places
// inside is the crossing. The two then hold each other at one point x, where
//   f = Ta (|x - a0| + |x - a1|) + Tb (|x - b0| + |x - b1|)
// is least: with tensions for weights that is where their pulls balance.
#include "cable/taut/obstacle_parts.h"
#include "math/sym3.h"

#include <math.h>

static rvVec3 at_time(rvVec3 was, rvVec3 now, double t)
{
    return rvMulAdd(was, t, rvSub(now, was));
}

typedef struct {
    rvVec3 a[2], b[2];
} lines;

static lines lines_at(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2], double t)
{
    lines l;
    for (int k = 0; k < 2; ++k) {
        l.a[k] = at_time(aWas[k], aNow[k], t);
        l.b[k] = at_time(bWas[k], bNow[k], t);
    }
    return l;
}

static double volume(const lines* l)
{
    return rvDot(rvCross(rvSub(l->a[1], l->a[0]), rvSub(l->b[1], l->b[0])), rvSub(l->b[0], l->a[0]));
}

// Places of the nearest points of the two lines; false where they are parallel.
static bool nearest(const lines* l, double s[2])
{
    rvVec3 da = rvSub(l->a[1], l->a[0]), db = rvSub(l->b[1], l->b[0]), w = rvSub(l->b[0], l->a[0]);
    double aa = rvDot(da, da), bb = rvDot(db, db), ab = rvDot(da, db);
    double det = aa * bb - ab * ab;
    if (!(det > 1e-18 * aa * bb))
        return false;
    s[0] = (rvDot(w, da) * bb - rvDot(w, db) * ab) / det;
    s[1] = (rvDot(w, da) * ab - rvDot(w, db) * aa) / det;
    return true;
}

// The root of v between two times of opposite sign.
static double bisect(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2], double low,
                     double high, double vLow)
{
    for (int i = 0; i < 60 && high - low > 0.0; ++i) {
        double middle = 0.5 * (low + high);
        lines l = lines_at(aWas, aNow, bWas, bNow, middle);
        if ((volume(&l) < 0.0) == (vLow < 0.0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// Times between which the cubic through four values has at most one root: 0, its turning points, 1.
static int monotone_times(const double v[4], double times[4])
{
    // v at 0, 1/3, 2/3, 1 -> v0 + c1 t + c2 t^2 + c3 t^3
    double c1 = -5.5 * v[0] + 9.0 * v[1] - 4.5 * v[2] + v[3];
    double c2 = 9.0 * v[0] - 22.5 * v[1] + 18.0 * v[2] - 4.5 * v[3];
    double c3 = -4.5 * v[0] + 13.5 * v[1] - 13.5 * v[2] + 4.5 * v[3];
    int count = 0;
    times[count++] = 0.0;
    double a = 3.0 * c3, b = 2.0 * c2, root[2];
    int roots = 0;
    double disc = b * b - 4.0 * a * c1;
    if (disc > 0.0) {
        double q = -0.5 * (b + (b < 0.0 ? -sqrt(disc) : sqrt(disc)));
        if (a != 0.0)
            root[roots++] = q / a;
        if (q != 0.0)
            root[roots++] = c1 / q;
        if (roots == 2 && root[0] > root[1]) {
            double swap = root[0];
            root[0] = root[1];
            root[1] = swap;
        }
    }
    for (int i = 0; i < roots; ++i)
        if (root[i] > 0.0 && root[i] < 1.0)
            times[count++] = root[i];
    times[count++] = 1.0;
    return count;
}

// What is told of a crossing at a time, where both lines are `l`; `before`: volume before it. False: it is outside a
// span, by more than rounding: a rope that is met where two of its pieces join is met by one of them.
static bool tell_cross(const lines* l, const lines* end, double time, double before, rvRopeCross* cross)
{
    static const double ROUNDING = 1e-9;
    if (!nearest(l, cross->s))
        return false;
    for (int r = 0; r < 2; ++r) {
        if (!(cross->s[r] >= -ROUNDING && cross->s[r] <= 1.0 + ROUNDING))
            return false;
        cross->s[r] = fmin(fmax(cross->s[r], 0.0), 1.0);
    }
    rvVec3 da = rvSub(l->a[1], l->a[0]), db = rvSub(l->b[1], l->b[0]);
    cross->time = time;
    cross->normal = rvNormalizeOr(rvScale(before < 0.0 ? -1.0 : 1.0, rvCross(da, db)), rvVec(0, 0, 1));
    cross->points[0] = at_time(end->a[0], end->a[1], cross->s[0]);
    cross->points[1] = at_time(end->b[0], end->b[1], cross->s[1]);
    cross->separation = rvDot(cross->normal, rvSub(cross->points[1], cross->points[0]));
    return true;
}

bool rv_rope_touch(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2], double apart,
                   rvRopeCross* cross)
{
    lines first = lines_at(aWas, aNow, bWas, bNow, 0.0), end = lines_at(aWas, aNow, bWas, bNow, 1.0);
    return tell_cross(&end, &end, 1.0, volume(&first), cross) && fabs(cross->separation) <= apart;
}

bool rv_rope_cross(const rvVec3 aWas[2], const rvVec3 aNow[2], const rvVec3 bWas[2], const rvVec3 bNow[2],
                   rvRopeCross* cross)
{
    double v[4], times[4];
    for (int k = 0; k < 4; ++k) {
        lines l = lines_at(aWas, aNow, bWas, bNow, k / 3.0);
        v[k] = volume(&l);
    }
    int count = monotone_times(v, times);
    lines first = lines_at(aWas, aNow, bWas, bNow, 0.0);
    double before = volume(&first);
    for (int k = 1; k < count; ++k) {
        lines l = lines_at(aWas, aNow, bWas, bNow, times[k]);
        double after = volume(&l);
        if ((before < 0.0) != (after < 0.0)) {
            double time = bisect(aWas, aNow, bWas, bNow, times[k - 1], times[k], before);
            l = lines_at(aWas, aNow, bWas, bNow, time);
            lines end = lines_at(aWas, aNow, bWas, bNow, 1.0);
            if (tell_cross(&l, &end, time, before, cross))
                return true;
        }
        before = after;
    }
    return false;
}

typedef struct {
    rvVec3 ends[4];
    double weights[4];
} pulls;

static double length_of(const pulls* p, rvVec3 x)
{
    double sum = 0.0;
    for (int k = 0; k < 4; ++k)
        sum += p->weights[k] * rvDistance(x, p->ends[k]);
    return sum;
}

// f is convex. Newton's step where it makes f smaller, else Weiszfeld's, the weighted mean of the ends, which always
// does.
rvVec3 rv_rope_cross_point(const rvVec3 a[2], const rvVec3 b[2], double weightA, double weightB, rvVec3 start)
{
    pulls p = {{a[0], a[1], b[0], b[1]}, {weightA, weightA, weightB, weightB}};
    rvVec3 x = start;
    double least = length_of(&p, x);
    for (int pass = 0; pass < 60; ++pass) {
        rvVec3 force = {0, 0, 0}, sum = {0, 0, 0};
        double h[6] = {0}, inverse[6], total = 0.0;
        for (int k = 0; k < 4; ++k) {
            rvVec3 d = rvSub(p.ends[k], x);
            double l = fmax(rvLength(d), 1e-12), rate = p.weights[k] / l;
            rvVec3 u = rvScale(1.0 / l, d);
            force = rvMulAdd(force, p.weights[k], u);
            sum = rvMulAdd(sum, rate, d);
            total += rate;
            const double part[6] = {1 + 1e-9 - u.x * u.x, -u.x * u.y, -u.x * u.z,
                                    1 + 1e-9 - u.y * u.y, -u.y * u.z, 1 + 1e-9 - u.z * u.z};
            for (int c = 0; c < 6; ++c)
                h[c] += rate * part[c];
        }
        rv_sym3_invert(h, inverse);
        rvVec3 step = rv_sym3_vec(inverse, force);
        double now = length_of(&p, rvAdd(x, step));
        if (!(now < least)) {
            step = rvScale(1.0 / total, sum);
            now = length_of(&p, rvAdd(x, step));
        }
        if (!(now < least))
            break;
        x = rvAdd(x, step);
        least = now;
    }
    return x;
}
