// SPDX-License-Identifier: MIT
// Pulls a path taut with its features as they are.
//
// Unknown is t of every curve node X(t). With unit vectors u along the rope
//   g = dl/dt = X' . (u_arriving - u_leaving)
//   d2l/dt2   = X' . (H_before + H_after) X' + X'' . (u_arriving - u_leaving)
// where H = (1 - u u^T)/L for a straight span L to the next node, and behind a wrap  H = n n^T/a + b b^T j'/j:
// a is the straight part, n the surface normal where it ends, b across the rope in the surface, and j how far two
// neighbouring ropes part that start together at the other end: a helix unrolls, j = l; on a sphere, with straight
// parts a, c and angle w,  j = a cos w + r sin w + c j',  j' = cos w - a/r sin w. Two neighbours share -1/j (spans:
// -1/L). Newton's method on the tridiagonal matrix; steps are cut until the path gets shorter; t stays on its edge.
//
// Wraps between P and N in the frame of the shape:
//   sphere: in the plane of P, N and the centre;  w = angle(P, N) - acos(r/|P|) - acos(r/|N|)
//   cylinder: along the axis the path rises evenly over its length m seen from above,
//     m = sqrt(p^2 - r^2) + r w + sqrt(n^2 - r^2),  l = sqrt(m^2 + dz^2)
// Neighbouring wraps see each other's nearest point and are placed in turn.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

enum { MOST_PASSES = 60, MOST_CUTS = 12 };

#define FULL_TURN 6.283185307179586
#define MOST_ROUND 0.1 // that a node goes around a rim before it is looked what it meets [rad]

// X, X', X'' of a curve node, world.
static void curve_point(const rvShape* shape, const rvRopeNode* node, const rvRopeTouch* touch, rvVec3* x,
                        rvVec3* slope, rvVec3* bend)
{
    if (node->kind == RV_ROPE_EDGE) {
        *x = rvMulAdd(touch->origin, node->t, touch->slope);
        *slope = touch->slope;
        *bend = rvVec(0, 0, 0);
        return;
    }
    double c = shape->radius * cos(node->t), s = shape->radius * sin(node->t);
    *x = rvPosePoint(shape->pose, rvVec(c, s, node->side * shape->half));
    *slope = rvRotate(shape->pose.q, rvVec(-s, c, 0));
    *bend = rvRotate(shape->pose.q, rvVec(-c, -s, 0));
}

static void find_edges(rvRopePath* path, const rvShape* shapes)
{
    for (int i = 0; i < path->count; ++i) {
        const rvRopeNode* node = &path->nodes[i];
        if (node->kind != RV_ROPE_EDGE)
            continue;
        rvRopeEdge edge = rv_rope_edge(&shapes[node->shape], node->feature);
        path->touches[i].origin = rvPosePoint(shapes[node->shape].pose, edge.ends[0]);
        path->touches[i].slope = rvRotate(shapes[node->shape].pose.q, rvSub(edge.ends[1], edge.ends[0]));
    }
}

static rvVec3 point_before(const rvRopePath* path, int i)
{
    return i > 0 ? path->touches[i - 1].out : path->ends[0];
}

static rvVec3 point_after(const rvRopePath* path, int i)
{
    return i + 1 < path->count ? path->touches[i + 1].in : path->ends[1];
}

// A wrap that does not touch: the straight line from p to n, with the node at its share f.
static void place_straight(rvRopeNode* node, rvRopeTouch* touch, rvVec3 p, rvVec3 n, double f)
{
    rvVec3 d = rvSub(n, p);
    node->in = node->out = rvMulAdd(p, f, d);
    double l = rvLength(d);
    touch->arrive = touch->leave = rvNormalizeOr(d, rvVec(0, 0, 0));
    touch->arc = touch->turn = 0.0;
    touch->spanIn = f * l;
    touch->spanOut = (1.0 - f) * l;
    touch->before = touch->after = touch->cross = l > 1e-12 ? 1.0 / l : 0.0;
}

static double clamp01(double v)
{
    return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
}

// All in the frame of the shape; turned to the world by the caller.
static void place_sphere(const rvShape* shape, rvRopeNode* node, rvRopeTouch* touch, rvVec3 p, rvVec3 n)
{
    double r = shape->radius;
    rvVec3 c = rvVec(0, 0, node->side * shape->half);
    p = rvSub(p, c);
    n = rvSub(n, c);
    double dp = fmax(rvLength(p), r), dn = fmax(rvLength(n), r);
    rvVec3 axis = rvCross(p, n);
    double sine = rvLength(axis);
    double angle = atan2(sine, rvDot(p, n));
    axis = sine > 1e-14 * dp * dn ? rvScale(1.0 / sine, axis) : rvNormalizeOr(rvCross(p, rvAcross(p)), rvVec(0, 0, 1));
    double before = acos(r / dp), after = acos(r / dn);
    double w = angle - before - after;
    node->turn = w;
    if (!(w > 0.0)) {
        rvVec3 d = rvSub(n, p);
        double f = clamp01(-rvDot(p, d) / fmax(rvDot(d, d), 1e-30));
        place_straight(node, touch, p, n, f);
        touch->normalIn = touch->normalOut = rvNormalizeOr(node->in, rvVec(0, 0, 1));
    } else {
        rvVec3 toP = rvScale(1.0 / dp, p), toN = rvScale(1.0 / dn, n);
        touch->normalIn = rvMulAdd(rvScale(cos(before), toP), sin(before), rvCross(axis, toP));
        touch->normalOut = rvMulAdd(rvScale(cos(after), toN), -sin(after), rvCross(axis, toN));
        node->in = rvScale(r, touch->normalIn);
        node->out = rvScale(r, touch->normalOut);
        touch->arrive = rvCross(axis, touch->normalIn);
        touch->leave = rvCross(axis, touch->normalOut);
        touch->turn = w;
        touch->arc = r * w;
        double a = touch->spanIn = sqrt(fmax(0.0, dp * dp - r * r));
        double b = touch->spanOut = sqrt(fmax(0.0, dn * dn - r * r));
        double slope = cos(w) - a / r * sin(w);
        double j = fmax(a * cos(w) + r * sin(w) + b * slope, 1e-9);
        touch->after = slope / j;
        touch->before = (cos(w) - b / r * sin(w)) / j;
        touch->cross = 1.0 / j;
    }
    node->in = rvAdd(node->in, c);
    node->out = rvAdd(node->out, c);
}

static bool is_on(const rvRopePath* path, int i, int shape)
{
    return i >= 0 && i < path->count && path->nodes[i].shape == shape && rv_rope_is_round_end(&path->nodes[i]);
}

static void place_cylinder(const rvShape* shape, rvRopeNode* node, rvRopeTouch* touch, rvVec3 p, rvVec3 n, bool held)
{
    double r = shape->radius;
    double dp = fmax(hypot(p.x, p.y), r), dn = fmax(hypot(n.x, n.y), r);
    double from = atan2(p.y, p.x) + node->side * acos(r / dp), to = atan2(n.y, n.x) - node->side * acos(r / dn);
    double w = node->side * (to - from);
    w += FULL_TURN * floor((node->turn - w) / FULL_TURN + 0.5);
    if (held && w < 0.0) {
        w = -w;
        node->side = -node->side;
    }
    node->turn = w;
    if (!(w > 0.0) && !held) {
        rvVec3 d = rvSub(n, p);
        double across = d.x * d.x + d.y * d.y;
        double f = across > 0.0 ? clamp01(-(p.x * d.x + p.y * d.y) / across) : 0.5;
        place_straight(node, touch, p, n, f);
        double size = fmax(hypot(node->in.x, node->in.y), 1e-300);
        touch->normalIn = touch->normalOut = rvVec(node->in.x / size, node->in.y / size, 0.0);
        return;
    }
    double before = sqrt(fmax(0.0, dp * dp - r * r)), after = sqrt(fmax(0.0, dn * dn - r * r));
    double m = before + r * w + after, dz = n.z - p.z, l = hypot(m, dz);
    double level = l > 0.0 ? m / l : 1.0, rise = l > 0.0 ? dz / l : 0.0, slope = m > 0.0 ? dz / m : 0.0;
    touch->normalIn = rvVec(cos(from), sin(from), 0);
    touch->normalOut = rvVec(cos(from + node->side * w), sin(from + node->side * w), 0);
    node->in = rvVec(r * touch->normalIn.x, r * touch->normalIn.y, m > 0.0 ? p.z + slope * before : p.z);
    node->out = rvVec(r * touch->normalOut.x, r * touch->normalOut.y, m > 0.0 ? n.z - slope * after : n.z);
    double s = level * node->side;
    touch->arrive = rvVec(-s * touch->normalIn.y, s * touch->normalIn.x, rise);
    touch->leave = rvVec(-s * touch->normalOut.y, s * touch->normalOut.x, rise);
    touch->turn = w * level;
    touch->arc = m > 0.0 ? l * (r * w / m) : l;
    touch->spanIn = m > 0.0 ? l * (before / m) : 0.0;
    touch->spanOut = m > 0.0 ? l * (after / m) : 0.0;
    touch->before = touch->after = touch->cross = l > 1e-12 ? 1.0 / l : 0.0;
}

// A wrap that does not touch is in nobody's way: its neighbours look past it.
static bool is_loose(const rvRopePath* path, int i)
{
    return rv_rope_is_wrap(&path->nodes[i]) && !(path->nodes[i].turn > 0.0);
}

// Between the nodes `before` and `after`; -1 and path->count are the ends.
static void place_wrap(rvRopePath* path, const rvShape* shapes, int i, int before, int after)
{
    rvRopeNode* node = &path->nodes[i];
    rvRopeTouch* touch = &path->touches[i];
    const rvShape* shape = &shapes[node->shape];
    rvVec3 p = rvPosePointBack(shape->pose, point_before(path, before + 1));
    rvVec3 n = rvPosePointBack(shape->pose, point_after(path, after - 1));
    if (node->kind == RV_ROPE_SPHERE)
        place_sphere(shape, node, touch, p, n);
    else
        place_cylinder(shape, node, touch, p, n, is_on(path, i - 1, node->shape) && is_on(path, i + 1, node->shape));
    touch->in = rvPosePoint(shape->pose, node->in);
    touch->out = rvPosePoint(shape->pose, node->out);
    touch->arrive = rvRotate(shape->pose.q, touch->arrive);
    touch->leave = rvRotate(shape->pose.q, touch->leave);
    touch->normalIn = rvRotate(shape->pose.q, touch->normalIn);
    touch->normalOut = rvRotate(shape->pose.q, touch->normalOut);
}

// Places the nodes by their t and the wraps by their neighbours; answers the length.
static double place(rvRopePath* path, const rvShape* shapes)
{
    rvVec3 slope, bend;
    for (int i = 0; i < path->count; ++i) {
        const rvRopeNode* node = &path->nodes[i];
        rvRopeTouch* touch = &path->touches[i];
        if (rv_rope_is_wrap(node))
            continue;
        curve_point(&shapes[node->shape], node, touch, &touch->in, &slope, &bend);
        touch->out = touch->in;
        touch->arc = 0.0;
    }
    for (int i = 0, before = -1, after = 0; i < path->count; ++i) {
        if (after <= i)
            for (after = i + 1; after < path->count && is_loose(path, after);)
                after += 1;
        if (rv_rope_is_wrap(&path->nodes[i]))
            place_wrap(path, shapes, i, before, after);
        if (!is_loose(path, i))
            before = i;
    }
    double length = 0.0;
    for (int i = 0; i <= path->count; ++i) {
        rvVec3 p = point_before(path, i), n = i < path->count ? path->touches[i].in : path->ends[1];
        length += rvDistance(p, n) + (i < path->count ? path->touches[i].arc : 0.0);
    }
    return length;
}

// What one side of a curve node gives to its row.
typedef struct {
    rvVec3 u;       // along the rope, away from the node
    double second;  // X' . H X'
    rvVec3 coupled; // H X' as the neighbour beyond feels it; zero: there is none
} side;

// Towards the next node (step 1) or the last (step -1).
static side look(const rvRopePath* path, int i, int step, rvVec3 slope)
{
    side s = {.second = 0.0};
    int k = i + step;
    const rvRopeTouch* t = k >= 0 && k < path->count ? &path->touches[k] : NULL;
    if (t && rv_rope_is_wrap(&path->nodes[k])) {
        s.u = step > 0 ? t->arrive : rvNeg(t->leave);
        rvVec3 normal = step > 0 ? t->normalIn : t->normalOut;
        double straight = step > 0 ? t->spanIn : t->spanOut;
        double acrossSlope = rvDot(slope, rvCross(normal, s.u)), normalSlope = rvDot(slope, normal);
        s.second = acrossSlope * acrossSlope * (step > 0 ? t->before : t->after);
        if (straight > 1e-9)
            s.second += normalSlope * normalSlope / straight;
        // across directions on both sides of the wrap are the same rope's: b = n x u with u along the rope
        rvVec3 far = step > 0 ? rvCross(t->normalOut, t->leave) : rvCross(t->normalIn, rvNeg(t->arrive));
        s.coupled = rvScale(acrossSlope * t->cross, far);
        return s;
    }
    rvVec3 x = path->touches[i].in;
    rvVec3 other = t ? (step > 0 ? t->in : t->out) : path->ends[step > 0];
    rvVec3 d = rvSub(other, x);
    double l = rvLength(d);
    s.u = l > 0.0 ? rvScale(1.0 / l, d) : rvVec(0, 0, 0);
    rvVec3 across = rvMulAdd(slope, -rvDot(slope, s.u), s.u);
    s.coupled = rvScale(1.0 / fmax(l, 1e-12), across);
    s.second = rvDot(s.coupled, slope);
    return s;
}

enum { BLOCK = 64 };

// A run of curve nodes, linearised.
typedef struct {
    int node[BLOCK];
    double g[BLOCK], d[BLOCK], off[BLOCK], step[BLOCK], t[BLOCK];
    int count;
} rows;

// The next curve node after i with at most one wrap in between, or -1.
static int partner(const rvRopePath* path, int i)
{
    int k = i + 1;
    if (k < path->count && rv_rope_is_wrap(&path->nodes[k]))
        k += 1;
    return k < path->count && !rv_rope_is_wrap(&path->nodes[k]) ? k : -1;
}

static void linearise(const rvRopePath* path, const rvShape* shapes, rows* r, int first)
{
    r->count = 0;
    int expected = -1;
    rvVec3 coupled = {0, 0, 0};
    for (int i = first; i < path->count && r->count < BLOCK; ++i) {
        const rvRopeNode* node = &path->nodes[i];
        if (rv_rope_is_wrap(node))
            continue;
        int n = r->count++;
        rvVec3 x, slope, bend;
        curve_point(&shapes[node->shape], node, &path->touches[i], &x, &slope, &bend);
        side before = look(path, i, -1, slope), after = look(path, i, 1, slope);
        rvVec3 pull = rvNeg(rvAdd(before.u, after.u));
        double scale = rvDot(slope, slope);
        r->node[n] = i;
        r->t[n] = node->t;
        r->g[n] = rvDot(slope, pull);
        double d = before.second + after.second + rvDot(bend, pull);
        r->d[n] = fmax(d, 1e-3 * scale / fmax(path->length, 1e-9));
        if (n > 0)
            r->off[n - 1] = expected == i ? -rvDot(coupled, slope) : 0.0;
        bool stopped =
            node->kind == RV_ROPE_EDGE && ((node->t <= 0.0 && r->g[n] > 0.0) || (node->t >= 1.0 && r->g[n] < 0.0));
        if (stopped) {
            r->d[n] = 1.0;
            r->g[n] = 0.0;
            if (n > 0)
                r->off[n - 1] = 0.0;
        }
        expected = stopped ? -1 : partner(path, i);
        coupled = after.coupled;
    }
}

// Thomas' algorithm; where the matrix is not positive the off-diagonal is left away, which keeps the step downhill.
static void solve(rows* r)
{
    double d[BLOCK];
    for (int i = 0; i < r->count; ++i) {
        d[i] = r->d[i];
        r->step[i] = -r->g[i];
        if (i > 0) {
            double f = r->off[i - 1] / d[i - 1];
            if (d[i] - f * r->off[i - 1] > 1e-6 * d[i]) {
                d[i] -= f * r->off[i - 1];
                r->step[i] -= f * r->step[i - 1];
            } else {
                r->off[i - 1] = 0.0;
            }
        }
    }
    for (int i = r->count - 1; i >= 0; --i) {
        if (i + 1 < r->count)
            r->step[i] -= r->off[i] * r->step[i + 1];
        r->step[i] /= d[i];
    }
}

static void move(rvRopePath* path, const rows* r, double share)
{
    for (int i = 0; i < r->count; ++i) {
        rvRopeNode* node = &path->nodes[r->node[i]];
        double step = share * r->step[i];
        if (node->kind == RV_ROPE_EDGE)
            node->t = clamp01(r->t[i] + step);
        else
            node->t = r->t[i] + fmin(fmax(step, -MOST_ROUND), MOST_ROUND);
    }
}

// One step of Newton's method for up to BLOCK nodes from `first` on; answers how far t moved at most, and adds up how
// far nodes went around rims and seams.
static double newton(rvRopePath* path, const rvShape* shapes, int first, int* next, double* round)
{
    rows r;
    linearise(path, shapes, &r, first);
    *next = r.count == BLOCK ? r.node[BLOCK - 1] + 1 : path->count;
    if (r.count == 0)
        return 0.0;
    solve(&r);
    double fall = 0.0;
    for (int i = 0; i < r.count; ++i)
        fall += r.g[i] * r.step[i];
    double before = path->length, share = 1.0;
    int cut = 0;
    for (; cut < MOST_CUTS; ++cut, share *= cut < 3 ? 0.5 : 0.1) {
        move(path, &r, share);
        path->length = place(path, shapes);
        // near the end the fall is below what the length can show
        if (path->length <= before + 1e-4 * share * fall || -fall < 1e-14 * before)
            break;
    }
    if (cut == MOST_CUTS) {
        move(path, &r, 0.0);
        path->length = place(path, shapes);
    }
    double most = 0.0, mostRound = 0.0;
    for (int i = 0; i < r.count; ++i) {
        const rvRopeNode* node = &path->nodes[r.node[i]];
        most = fmax(most, fabs(node->t - r.t[i]));
        if (node->kind != RV_ROPE_EDGE)
            mostRound = fmax(mostRound, fabs(node->t - r.t[i]));
    }
    *round += mostRound;
    // what is left to gain is below what the length can show
    return -fall < 1e-15 * before ? 0.0 : most;
}

static void finish(rvRopePath* path, const rvShape* shapes)
{
    for (int i = 0; i < path->count; ++i) {
        rvRopeNode* node = &path->nodes[i];
        if (rv_rope_is_wrap(node))
            continue;
        rvRopeTouch* touch = &path->touches[i];
        node->in = node->out = rvPosePointBack(shapes[node->shape].pose, touch->in);
        side before = look(path, i, -1, rvVec(0, 0, 0)), after = look(path, i, 1, rvVec(0, 0, 0));
        touch->arrive = rvNeg(before.u);
        touch->leave = after.u;
        rvVec3 f = rvSub(touch->leave, touch->arrive);
        rvVec3 bend = rvCross(touch->arrive, touch->leave);
        touch->turn = atan2(rvLength(bend), rvDot(touch->arrive, touch->leave));
        touch->normalIn = touch->normalOut = rvNeg(rvNormalizeOr(f, rvVec(0, 0, 0)));
    }
    for (int end = 0; end < 2; ++end) {
        int i = end ? path->count - 1 : 0;
        rvVec3 other = path->count == 0 ? path->ends[!end] : end ? path->touches[i].out : path->touches[i].in;
        path->leave[end] = rvNormalizeOr(rvSub(path->ends[end], other), rvVec(0, 0, 0));
    }
}

bool rv_rope_relax(rvRopePath* path, const rvShape* shapes)
{
    find_edges(path, shapes);
    path->length = place(path, shapes);
    double round = 0.0, shortest = path->length;
    bool done = false;
    int stalled = 0; // passes that did not make it shorter: nodes together at a corner never come to rest
    for (int pass = 0; pass < MOST_PASSES && round < MOST_ROUND && !done; ++pass) {
        double before = path->length, most = 0.0;
        bool inTurn = false; // do wraps depend on each other
        for (int i = 0, next; i < path->count; i = next)
            most = fmax(most, newton(path, shapes, i, &next, &round));
        for (int i = 1; i < path->count; ++i)
            inTurn |= rv_rope_is_wrap(&path->nodes[i]) && rv_rope_is_wrap(&path->nodes[i - 1]);
        if (inTurn)
            path->length = place(path, shapes);
        stalled = path->length < shortest - 1e-15 * shortest ? 0 : stalled + 1;
        shortest = fmin(shortest, path->length);
        done = (most < 1e-12 || stalled > 2) && (!inTurn || fabs(path->length - before) < 1e-15 * before);
    }
    finish(path, shapes);
    return done;
}
