// SPDX-License-Identifier: MIT
// Gilbert, Johnson and Keerthi 1988: walk a simplex of points w = a - b of the difference of the two cores towards the
// origin. The nearest point of a simplex by Voronoi regions (Ericson, Real-Time Collision Detection, 5.1).
#include "contact/gjk.h"

#include <math.h>

typedef struct {
    rvVec3 w, a, b;
    double weight;
} vertex;

typedef struct {
    vertex v[4];
    int count;
} simplex;

static void keep(simplex* s, int count, const int* which, const double* weights)
{
    simplex kept = {.count = count};
    for (int i = 0; i < count; ++i) {
        kept.v[i] = s->v[which[i]];
        kept.v[i].weight = weights[i];
    }
    *s = kept;
}

static void nearest_on_line(simplex* s, int i, int k)
{
    rvVec3 a = s->v[i].w;
    rvVec3 ab = rvSub(s->v[k].w, a);
    double length2 = rvDot(ab, ab);
    double t = length2 > 0.0 ? -rvDot(a, ab) / length2 : 0.0;
    if (t <= 0.0)
        keep(s, 1, (int[]){i}, (double[]){1.0});
    else if (t >= 1.0)
        keep(s, 1, (int[]){k}, (double[]){1.0});
    else
        keep(s, 2, (int[]){i, k}, (double[]){1.0 - t, t});
}

static void nearest_on_triangle(simplex* s, int i, int j, int k)
{
    rvVec3 a = s->v[i].w, b = s->v[j].w, c = s->v[k].w;
    rvVec3 ab = rvSub(b, a), ac = rvSub(c, a);
    double d1 = -rvDot(ab, a), d2 = -rvDot(ac, a);
    double d3 = -rvDot(ab, b), d4 = -rvDot(ac, b);
    double d5 = -rvDot(ab, c), d6 = -rvDot(ac, c);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0)
        keep(s, 1, (int[]){i}, (double[]){1.0});
    else if (d3 >= 0.0 && d4 <= d3)
        keep(s, 1, (int[]){j}, (double[]){1.0});
    else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        nearest_on_line(s, i, j);
    else if (d6 >= 0.0 && d5 <= d6)
        keep(s, 1, (int[]){k}, (double[]){1.0});
    else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        nearest_on_line(s, i, k);
    else if (va <= 0.0 && d4 >= d3 && d5 >= d6)
        nearest_on_line(s, j, k);
    else {
        double sum = va + vb + vc;
        keep(s, 3, (int[]){i, j, k}, (double[]){va / sum, vb / sum, vc / sum});
    }
}

static rvVec3 point_of(const simplex* s)
{
    rvVec3 p = {0, 0, 0};
    for (int i = 0; i < s->count; ++i)
        p = rvMulAdd(p, s->v[i].weight, s->v[i].w);
    return p;
}

// The best of the sides that the origin is outside of; inside of all: the origin itself, four vertices.
static void nearest_on_tetrahedron(simplex* s)
{
    static const int sides[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    simplex best = *s;
    double least = HUGE_VAL;
    for (int i = 0; i < 4; ++i) {
        const int* v = sides[i];
        rvVec3 a = s->v[v[0]].w;
        rvVec3 n = rvCross(rvSub(s->v[v[1]].w, a), rvSub(s->v[v[2]].w, a));
        double inside = rvDot(n, rvSub(s->v[v[3]].w, a));
        if (-rvDot(n, a) * inside > 0.0)
            continue;
        simplex side = *s;
        nearest_on_triangle(&side, v[0], v[1], v[2]);
        rvVec3 p = point_of(&side);
        if (rvDot(p, p) < least) {
            least = rvDot(p, p);
            best = side;
        }
    }
    *s = best;
}

static vertex support(const rvConvex* a, const rvConvex* b, double shrink, rvVec3 n)
{
    vertex v = {
        .a = rv_convex_core_support(a, shrink, n), .b = rv_convex_core_support(b, shrink, rvNeg(n)), .weight = 1};
    v.w = rvSub(v.a, v.b);
    return v;
}

static bool holds(const simplex* s, rvVec3 w)
{
    for (int i = 0; i < s->count; ++i)
        if (s->v[i].w.x == w.x && s->v[i].w.y == w.y && s->v[i].w.z == w.z)
            return true;
    return false;
}

rvNearest rv_gjk(const rvConvex* a, const rvConvex* b, double shrink)
{
    simplex s = {.count = 1};
    rvVec3 toward = rvSub(b->p, a->p);
    s.v[0] = support(a, b, shrink, rvDot(toward, toward) > 0.0 ? toward : rvVec(0, 0, 1));
    rvVec3 v = s.v[0].w;
    double size2 = rvDot(v, v);
    for (int round = 0; round < 128; ++round) {
        double d2 = rvDot(v, v);
        if (d2 <= 1e-24 * size2 || s.count == 4)
            return (rvNearest){.distance = 0.0};
        vertex next = support(a, b, shrink, rvNeg(v));
        size2 = fmax(size2, rvDot(next.w, next.w));
        // 1e-14: the next point brings no more than round-off
        if (d2 - rvDot(v, next.w) <= 1e-14 * d2 || holds(&s, next.w))
            break;
        simplex grown = s;
        grown.v[grown.count++] = next;
        if (grown.count == 2)
            nearest_on_line(&grown, 0, 1);
        else if (grown.count == 3)
            nearest_on_triangle(&grown, 0, 1, 2);
        else
            nearest_on_tetrahedron(&grown);
        rvVec3 p = grown.count == 4 ? rvVec(0, 0, 0) : point_of(&grown);
        if (grown.count < 4 && rvDot(p, p) >= d2)
            break; // round-off: no nearer any more
        s = grown;
        v = p;
    }
    double distance = rvLength(v);
    if (!(distance > 1e-12 * sqrt(size2)))
        return (rvNearest){.distance = 0.0};
    rvNearest nearest = {.distance = distance, .normal = rvScale(-1.0 / distance, v), .size = sqrt(size2)};
    for (int i = 0; i < s.count; ++i) {
        nearest.onA = rvMulAdd(nearest.onA, s.v[i].weight, s.v[i].a);
        nearest.onB = rvMulAdd(nearest.onB, s.v[i].weight, s.v[i].b);
    }
    return nearest;
}
