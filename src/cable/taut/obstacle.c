// SPDX-License-Identifier: MIT
// An update of a taut rope:
//   1. shapes and ends move, nodes stay on their shapes: spans are swept in the frame of each shape, nodes come;
//   2. until nothing changes: nodes slide to where the rope is shortest, the spans are swept along, nodes come; nodes
//      that do not press leave, nodes past the end of their edge are passed on.
// Every move of a span is cut into triangles, and what a triangle meets becomes nodes (see obstacle_cut.c). A node that
// leaves sweeps the triangle between its neighbours; a node past the end of its edge goes on along the edge's line
// through the air and leaves there: so it finds the edges around the corner, whichever they are.
#include "cable/taut/obstacle_parts.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 60, MOST_PARTS = 64 };

// Of the least extent of a shape: how far a rope moves in one part of an update.
#define SHARE 0.05

// Spans that moved less than this are not swept [m].
#define STILL 1e-12

bool rv_rope_insert(rvRopePath* path, const rvShape* shapes, int at, const rvRopeNode* node)
{
    if (path->count == path->capacity) {
        path->dropped += 1;
        return false;
    }
    size_t rest = (size_t)(path->count - at);
    memmove(path->nodes + at + 1, path->nodes + at, rest * sizeof(rvRopeNode));
    memmove(path->touches + at + 1, path->touches + at, rest * sizeof(rvRopeTouch));
    path->nodes[at] = *node;
    rvRopeTouch* touch = &path->touches[at];
    *touch = (rvRopeTouch){.arc = 0.0};
    touch->in = touch->wasIn = rvPosePoint(shapes[node->shape].pose, node->in);
    touch->out = touch->wasOut = rvPosePoint(shapes[node->shape].pose, node->out);
    path->count += 1;
    path->inserted += 1;
    return true;
}

void rv_rope_remove(rvRopePath* path, int at)
{
    size_t rest = (size_t)(path->count - at - 1);
    memmove(path->nodes + at, path->nodes + at + 1, rest * sizeof(rvRopeNode));
    memmove(path->touches + at, path->touches + at + 1, rest * sizeof(rvRopeTouch));
    path->count -= 1;
}

// What an update carries along.
typedef struct {
    rvRopePath* path;
    const rvObstacles* obstacles;
    rvVec3 wasEnds[2];
    rvRopeNode outer[2]; // what the ends are on, where the path is a piece of another; shape -1: nothing
} update;

static const rvRopeNode nowhere = {.shape = -1};

static rvRopeNode node_before(const update* u, int s)
{
    return s > 0 ? u->path->nodes[s - 1] : u->outer[0];
}

static rvRopeNode node_after(const update* u, int s)
{
    return s < u->path->count ? u->path->nodes[s] : u->outer[1];
}

// The ends of span s, the one before node s: now, and where they were.
typedef struct {
    rvVec3 p, n, wasP, wasN;
} span;

static span get_span(const update* u, int s)
{
    const rvRopePath* path = u->path;
    span a = {path->ends[0], path->ends[1], u->wasEnds[0], u->wasEnds[1]};
    if (s > 0) {
        a.p = path->touches[s - 1].out;
        a.wasP = path->touches[s - 1].wasOut;
    }
    if (s < path->count) {
        a.n = path->touches[s].in;
        a.wasN = path->touches[s].wasIn;
    }
    return a;
}

static void include(rvVec3* low, rvVec3* high, rvVec3 p)
{
    *low = rvVec(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = rvVec(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

static rvPose pose_before(const rvObstacles* obstacles, int shape)
{
    return obstacles->before ? obstacles->before[shape] : obstacles->shapes[shape].pose;
}

// How far any point of a shape moved since the last update, at most.
static double moved_by(const rvShape* shape, rvPose before)
{
    double size = rvDistance(shape->low, shape->high);
    rvQuat d = rvQuatMul(shape->pose.q, rvQuatConj(before.q));
    return rvDistance(shape->pose.p, before.p) + 2.0 * size * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static bool may_meet(const rvShape* shape, double margin, rvVec3 low, rvVec3 high)
{
    return shape->type != RV_SHAPE_PLANE && low.x <= shape->high.x + margin && high.x >= shape->low.x - margin &&
           low.y <= shape->high.y + margin && high.y >= shape->low.y - margin && low.z <= shape->high.z + margin &&
           high.z >= shape->low.z - margin;
}

void rv_obstacles_sort(rvObstacles* obstacles, int axis, rvInterval* room)
{
    for (int k = 0; k < obstacles->nearCount; ++k) {
        const rvShape* shape = &obstacles->shapes[obstacles->near[k]];
        double margin = moved_by(shape, pose_before(obstacles, obstacles->near[k]));
        room[k] =
            (rvInterval){rv_along_axis(shape->low, axis) - margin, rv_along_axis(shape->high, axis) + margin, 0.0, k};
    }
    rv_intervals_sort(room, obstacles->nearCount);
    obstacles->sorted = room;
    obstacles->axis = axis;
}

enum { MOST_FOUND = 32 };

// Those of the shapes around that a box may meet, by their place in `near`.
typedef struct {
    int found[MOST_FOUND];
    int count;
    bool all;
} around;

static around find_around(const rvObstacles* obstacles, rvVec3 low, rvVec3 high)
{
    around a = {.count = -1};
    if (obstacles->sorted)
        a.count = rv_intervals_find(obstacles->sorted, obstacles->nearCount, rv_along_axis(low, obstacles->axis),
                                    rv_along_axis(high, obstacles->axis), a.found, MOST_FOUND);
    a.all = a.count < 0;
    if (a.all)
        a.count = obstacles->nearCount;
    return a;
}

static int place_near(const around* a, int i)
{
    return a->all ? i : a->found[i];
}

// Does something with a span and a shape; answers how many nodes came.
typedef int visit(update* u, int s, int shape);

// All shapes from place `from` in `near` on that span s may meet, where it is and where it was. Where nodes come the
// parts of the span go on with the shapes that follow.
static int visit_span(update* u, int s, int from, visit* look)
{
    span a = get_span(u, s);
    rvVec3 low = a.p, high = a.p;
    include(&low, &high, a.n);
    include(&low, &high, a.wasP);
    include(&low, &high, a.wasN);
    around shapes = find_around(u->obstacles, low, high);
    for (int i = 0; i < shapes.count; ++i) {
        int k = place_near(&shapes, i);
        int came = k >= from ? look(u, s, u->obstacles->near[k]) : 0;
        if (came == 0)
            continue;
        int more = 0;
        for (int part = came; part >= 0; --part) // from behind: what comes shifts only what was seen to
            more += visit_span(u, s + part, k + 1, look);
        return came + more;
    }
    return 0;
}

static bool visit_all(update* u, visit* look)
{
    int came = 0;
    for (int s = 0, more; s <= u->path->count; s += 1 + more)
        came += more = visit_span(u, s, 0, look);
    return came > 0;
}

static void take_chain(update* u, rvRopeCut* cut, int at, int* inserted)
{
    rv_rope_cut_chain(cut);
    for (int i = 0; i < cut->count; ++i)
        if (rv_rope_insert(u->path, u->obstacles->shapes, at + *inserted, &cut->corners[i].node))
            *inserted += 1;
}

// A triangle of a sweep that happens while nothing else moves, all shapes at once. Nodes go in at place `at`.
// skip: nodes at from, apex and to. A node that slides along its own rim sweeps nothing of its own shape: the triangle
// would cut off the bulge of the rim.
static int sweep_triangle(update* u, int at, rvVec3 from, rvVec3 apex, rvVec3 to, const rvRopeNode* const skip[3],
                          const rvRopeNode* slides)
{
    rvVec3 low = from, high = from;
    include(&low, &high, apex);
    include(&low, &high, to);
    rvRopeCut cut;
    rv_rope_cut_begin(&cut, skip);
    const rvRopeNode* a = skip[0];
    const rvRopeNode* b = skip[2];
    around shapes = find_around(u->obstacles, low, high);
    for (int i = 0; i < shapes.count; ++i) {
        int index = u->obstacles->near[place_near(&shapes, i)];
        const rvShape* shape = &u->obstacles->shapes[index];
        bool onA = a && a->shape == index, onB = b && b->shape == index;
        bool slid = slides && slides->shape == index && slides->kind == RV_ROPE_RIM;
        if (slid || !may_meet(shape, 0.0, low, high) || (onA && rv_rope_is_wrap(a)) || (onB && rv_rope_is_wrap(b)) ||
            (onA && onB && rv_rope_share_face(shape, a, b)))
            continue;
        rv_rope_cut_shape(&cut, shape, index, rvPosePointBack(shape->pose, from), rvPosePointBack(shape->pose, apex),
                          rvPosePointBack(shape->pose, to));
    }
    int inserted = 0;
    if (cut.count > 0)
        take_chain(u, &cut, at, &inserted);
    return inserted;
}

// Span s went from where it was to where it is. Answers how many nodes came.
static int sweep_still(update* u, int s)
{
    span a = get_span(u, s);
    double movedP = rvDistance(a.p, a.wasP), movedN = rvDistance(a.n, a.wasN);
    if (movedP < STILL && movedN < STILL)
        return 0;
    rvRopeNode before = node_before(u, s), after = node_after(u, s);
    const rvRopeNode* skip[3] = {&before, NULL, &after};
    int first = sweep_triangle(u, s, a.p, a.wasP, a.wasN, skip, &before);
    rvRopeNode last = before;
    rvVec3 from = a.p;
    if (first > 0) {
        last = u->path->nodes[s + first - 1];
        from = u->path->touches[s + first - 1].out;
    }
    skip[0] = &last;
    return first + sweep_triangle(u, s + first, from, a.wasN, a.n, skip, &after);
}

static bool sweep_all_still(update* u)
{
    int inserted = 0;
    for (int s = 0; s <= u->path->count; ++s) {
        int came = sweep_still(u, s);
        inserted += came;
        s += came;
    }
    return inserted > 0;
}

// One triangle of a sweep in the frame of one shape.
static int cut_moving(update* u, int at, int index, const rvVec3 corner[3], const rvRopeNode* before,
                      const rvRopeNode* after)
{
    rvRopeCut cut;
    rv_rope_cut_begin(&cut, (const rvRopeNode* [3]){before, NULL, after});
    rv_rope_cut_shape(&cut, &u->obstacles->shapes[index], index, corner[0], corner[1], corner[2]);
    int inserted = 0;
    if (cut.count > 0)
        take_chain(u, &cut, at, &inserted);
    return inserted;
}

// Span s while the shape moved too. New nodes were on the old span, in proportion.
static int sweep_moving(update* u, int s, int index)
{
    const rvShape* shape = &u->obstacles->shapes[index];
    span a = get_span(u, s);
    rvPose was = pose_before(u->obstacles, index);
    rvVec3 p = rvPosePointBack(shape->pose, a.p), n = rvPosePointBack(shape->pose, a.n);
    rvVec3 wasP = rvPosePointBack(was, a.wasP), wasN = rvPosePointBack(was, a.wasN);
    rvRopeNode before = node_before(u, s), after = node_after(u, s);
    int came = cut_moving(u, s, index, (rvVec3[3]){p, wasP, wasN}, &before, &after);
    rvRopeNode last = came > 0 ? u->path->nodes[s + came - 1] : before;
    came += cut_moving(u, s + came, index, (rvVec3[3]){came > 0 ? last.out : p, wasN, n}, &last, &after);
    rvVec3 d = rvSub(a.n, a.p);
    for (int i = s; i < s + came; ++i) {
        rvRopeTouch* t = &u->path->touches[i];
        double f = rvDot(rvSub(t->in, a.p), d) / fmax(rvDot(d, d), 1e-30);
        t->wasIn = t->wasOut = rvMulAdd(a.wasP, f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f, rvSub(a.wasN, a.wasP));
    }
    return came;
}

static int meet_moving(update* u, int s, int index)
{
    const rvShape* shape = &u->obstacles->shapes[index];
    span a = get_span(u, s);
    rvVec3 low = a.p, high = a.p;
    include(&low, &high, a.n);
    include(&low, &high, a.wasP);
    include(&low, &high, a.wasN);
    bool meets = may_meet(shape, moved_by(shape, pose_before(u->obstacles, index)), low, high);
    return meets && !rv_rope_span_is_on(u->path, u->obstacles->shapes, s, index) ? sweep_moving(u, s, index) : 0;
}

static int meet_sphere(update* u, int s, int index)
{
    return rv_rope_meet_sphere(u->path, u->obstacles, s, index) ? 1 : 0;
}

static void settle(update* u)
{
    u->wasEnds[0] = u->path->ends[0];
    u->wasEnds[1] = u->path->ends[1];
    for (int i = 0; i < u->path->count; ++i) {
        u->path->touches[i].wasIn = u->path->touches[i].in;
        u->path->touches[i].wasOut = u->path->touches[i].out;
    }
}

// Takes node i away: its neighbours come together over the triangle between them.
static void straighten(update* u, int i)
{
    rvRopePath* path = u->path;
    rvRopeNode gone = path->nodes[i], before = node_before(u, i), after = node_after(u, i + 1);
    rvVec3 x = path->touches[i].in;
    rvVec3 p = i > 0 ? path->touches[i - 1].out : path->ends[0];
    rvVec3 n = i + 1 < path->count ? path->touches[i + 1].in : path->ends[1];
    rv_rope_remove(path, i);
    path->released += 1;
    sweep_triangle(u, i, p, x, n, (const rvRopeNode* [3]){&before, &gone, &after}, NULL);
}

// Nodes first..last are all at one corner of a shape.
typedef struct {
    int first, last;
    rvVec3 point;
} corner;

static bool is_at(const rvRopePath* path, int i, int shape, rvVec3 point)
{
    return i >= 0 && i < path->count && path->nodes[i].kind == RV_ROPE_EDGE && path->nodes[i].shape == shape &&
           rvDistance(path->touches[i].in, point) < 1e-7;
}

// Is node i drawn beyond the end of its edge, or one of several at a corner.
static bool at_corner(const update* u, int i, corner* c)
{
    const rvRopePath* path = u->path;
    const rvRopeNode* node = &path->nodes[i];
    if (node->kind != RV_ROPE_EDGE)
        return false;
    const rvShape* shape = &u->obstacles->shapes[node->shape];
    rvRopeEdge edge = rv_rope_edge(shape, node->feature);
    int end = node->t > 0.5;
    c->first = c->last = i;
    c->point = rvPosePoint(shape->pose, edge.ends[end]);
    if (!is_at(path, i, node->shape, c->point))
        return false;
    while (is_at(path, c->first - 1, node->shape, c->point))
        c->first -= 1;
    while (is_at(path, c->last + 1, node->shape, c->point))
        c->last += 1;
    if (c->last > c->first)
        return true;
    rvVec3 along = rvRotate(shape->pose.q, rvSub(edge.ends[1], edge.ends[0]));
    double rise = rvDot(along, rvSub(path->touches[i].arrive, path->touches[i].leave));
    return end ? rise < 0.0 : rise > 0.0;
}

// A point far off from which the line p - n (in the shape's frame), inside at `at`, can be let down on the shape: the
// nearest way out across the line, or the first beside it from which both ends are seen.
static bool way_out(const rvShape* shape, rvVec3 p, rvVec3 n, rvVec3 at, rvVec3 normal, rvVec3* apex)
{
    rvVec3 u = rvNormalizeOr(rvSub(n, p), rvVec(1, 0, 0)), none;
    rvVec3 first = rvNormalizeOr(rvMulAdd(normal, -rvDot(normal, u), u), rvAcross(u)), second = rvCross(u, first);
    double far = 4.0 * (rvDistance(shape->low, shape->high) + rvDistance(p, n));
    for (int k = 0; k < 16; ++k) {
        // 0, 1, -1, 2, -2 ... sixteenths of a turn
        int sixteenth = (k + 1) / 2 * (k % 2 ? 1 : -1);
        double angle = sixteenth * (6.283185307179586 / 16.0);
        *apex = rvMulAdd(at, far, rvMulAdd(rvScale(cos(angle), first), sin(angle), second));
        if (rv_rope_deepest(shape, p, *apex, &none, &none) < RV_ROPE_DEEP &&
            rv_rope_deepest(shape, *apex, n, &none, &none) < RV_ROPE_DEEP)
            return true;
    }
    return false;
}

// A span that is inside a convex shape all the same, because it was laid there or crept in: out by the nearest way.
static int free_span(update* u, int s, int index)
{
    const rvShape* shape = &u->obstacles->shapes[index];
    if (rv_shape_is_surface(shape) || shape->type == RV_SHAPE_SPHERE)
        return 0;
    span a = get_span(u, s);
    rvVec3 low = a.p, high = a.p;
    include(&low, &high, a.n);
    if (!may_meet(shape, 0.0, low, high) || rv_rope_span_is_on(u->path, u->obstacles->shapes, s, index))
        return 0;
    rvVec3 p = rvPosePointBack(shape->pose, a.p), n = rvPosePointBack(shape->pose, a.n), at, normal, apex;
    if (!(rv_rope_deepest(shape, p, n, &at, &normal) > RV_ROPE_DEEP) || !way_out(shape, p, n, at, normal, &apex))
        return 0;
    rvRopeNode before = node_before(u, s), after = node_after(u, s);
    return cut_moving(u, s, index, (rvVec3[3]){p, apex, n}, &before, &after);
}

enum { TRIAL_NODES = 32 };

typedef struct {
    rvRopePath path;
    rvRopeNode nodes[TRIAL_NODES];
    rvRopeTouch touches[TRIAL_NODES];
} trial;

// A rope from p to n that went over x, pulled taut.
static void try_over(const update* u, trial* t, rvVec3 p, rvVec3 x, rvVec3 n, const rvRopeNode* before,
                     const rvRopeNode* after)
{
    t->path = (rvRopePath){.nodes = t->nodes, .touches = t->touches, .capacity = TRIAL_NODES, .ends = {p, n}};
    update alone = {.path = &t->path, .obstacles = u->obstacles, .outer = {*before, *after}};
    sweep_triangle(&alone, 0, p, x, n, (const rvRopeNode* [3]){before, NULL, after}, NULL);
    for (int round = 0; round < 6; ++round) {
        settle(&alone);
        rv_rope_relax(&t->path, u->obstacles->shapes);
        if (!sweep_all_still(&alone) && !visit_all(&alone, free_span))
            break;
    }
}

// Away from the edges that a rope at a corner lies on, through the air beyond their ends.
static rvVec3 beyond_edges(const update* u, const rvRopePath* path, rvVec3 point)
{
    rvVec3 sum = {0, 0, 0};
    for (int i = 0; i < path->count; ++i) {
        const rvRopeTouch* touch = &path->touches[i];
        if (path->nodes[i].kind != RV_ROPE_EDGE || rvDistance(touch->in, point) > 1e-7)
            continue;
        const rvShape* shape = &u->obstacles->shapes[path->nodes[i].shape];
        rvRopeEdge edge = rv_rope_edge(shape, path->nodes[i].feature);
        rvVec3 along = rvRotate(shape->pose.q, rvSub(edge.ends[1], edge.ends[0]));
        along = rvNormalizeOr(along, along);
        sum = rvMulAdd(sum, path->nodes[i].t > 0.5 ? 1.0 : -1.0, along);
    }
    return rvNormalizeOr(sum, rvVec(0, 0, 0));
}

// A corner with the rope over it.
typedef struct {
    rvVec3 p, n;              // neighbours
    rvRopeNode before, after; // what they are on
    rvVec3 point;
    double lift;
} lifted;

// The rope is lifted off a little in a direction and laid down again. Not so far that it meets the shape in the air.
static void try_direction(const update* u, const rvShape* shape, const lifted* at, trial* t, rvVec3 out, rvVec3 aside)
{
    rvVec3 x = at->point;
    double share = rv_shape_is_surface(shape) ? 0.1 : 1.0;
    while (share > 0.01) {
        x = rvMulAdd(at->point, at->lift, rvMulAdd(out, share, aside));
        if (rv_rope_depth(shape, at->p, x) <= RV_ROPE_DEEP && rv_rope_depth(shape, x, at->n) <= RV_ROPE_DEEP)
            break;
        share *= 0.5;
    }
    try_over(u, t, at->p, x, at->n, &at->before, &at->after);
}

// At a corner the rope may pass on either side. It is lifted off, to one side and to the other of the plane in which it
// bends; where that ends at the corner again, on from there beyond the edges on which it came. The first that makes it
// shorter than over the corner itself stays.
static bool leave_corner(update* u, const corner* c)
{
    rvRopePath* path = u->path;
    const rvShape* shape = &u->obstacles->shapes[path->nodes[c->first].shape];
    lifted at = {.before = node_before(u, c->first), .after = node_after(u, c->last + 1), .point = c->point};
    at.p = c->first > 0 ? path->touches[c->first - 1].out : path->ends[0];
    at.n = c->last + 1 < path->count ? path->touches[c->last + 1].in : path->ends[1];
    rvVec3 toP = rvSub(at.p, at.point), toN = rvSub(at.n, at.point), none = {0, 0, 0};
    double near = rvLength(toP), far = rvLength(toN);
    at.lift = 0.1 * fmin(fmin(near, far), rvLength(path->touches[c->first].slope));
    rvVec3 out = rvNormalizeOr(rvNeg(rvAdd(rvNormalizeOr(toP, none), rvNormalizeOr(toN, none))), none);
    rvVec3 across = rvNormalizeOr(rvCross(toP, toN), none);
    if (!(rvLength(out) > 0.0) || !(rvLength(across) > 0.0))
        return false;
    trial sides[2], further;
    const trial* best = NULL;
    for (int attempt = 0; attempt < 3 && !(best && best->path.length < near + far - 1e-13); ++attempt) {
        at.lift *= attempt > 0 ? 0.2 : 1.0;
        try_direction(u, shape, &at, &sides[0], out, across);
        try_direction(u, shape, &at, &sides[1], out, rvNeg(across));
        best = sides[0].path.length <= sides[1].path.length ? &sides[0] : &sides[1];
        for (int k = 0; k < 2 && !(best->path.length < near + far - 1e-13); ++k) {
            rvVec3 beyond = beyond_edges(u, &sides[k].path, at.point);
            if (rvLength(beyond) > 0.0) {
                try_direction(u, shape, &at, &further, beyond, none);
                best = &further;
            }
        }
    }
    if (!(best->path.length < near + far - 1e-13))
        return false;
    for (int i = c->last; i >= c->first; --i)
        rv_rope_remove(path, i);
    path->released += c->last - c->first + 1;
    for (int i = 0; i < best->path.count; ++i)
        rv_rope_insert(path, u->obstacles->shapes, c->first + i, &best->nodes[i]);
    return true;
}

// Lets nodes go that do not press, and passes on those at the end of their edge. Neighbours wait for the next round.
static bool let_go(update* u)
{
    rvRopePath* path = u->path;
    bool changed = false;
    for (int i = 0; i < path->count; ++i) {
        const rvRopeNode* node = &path->nodes[i];
        if (rv_rope_is_wrap(node) || node->kind == RV_ROPE_SEAM)
            continue;
        const rvRopeTouch* touch = &path->touches[i];
        int after = path->count - i - 1;
        corner c;
        if (at_corner(u, i, &c)) {
            after = path->count - c.last - 1;
            if (!leave_corner(u, &c)) {
                i = c.last;
                continue;
            }
        } else if (!rv_rope_holds(&u->obstacles->shapes[node->shape], node, touch->arrive, touch->leave)) {
            straighten(u, i);
        } else {
            continue;
        }
        changed = true;
        i = path->count - after; // the node after, which is left for the next round
    }
    return changed;
}

static void pull_taut(update* u)
{
    rvRopePath* path = u->path;
    for (path->rounds = 1; path->rounds <= MOST_ROUNDS; ++path->rounds) {
        bool done = rv_rope_relax(path, u->obstacles->shapes);
        bool changed = rv_rope_turn_round(path, u->obstacles->shapes);
        changed |= sweep_all_still(u);
        changed |= visit_all(u, meet_sphere);
        settle(u);
        if (!changed)
            changed = visit_all(u, free_span);
        if (!changed && done && path->rounds < MOST_ROUNDS)
            changed = let_go(u);
        if (!changed && done)
            break;
        settle(u);
    }
}

static void update_once(rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b)
{
    update u = {
        .path = path, .obstacles = obstacles, .wasEnds = {path->ends[0], path->ends[1]}, .outer = {nowhere, nowhere}};
    path->ends[0] = a;
    path->ends[1] = b;
    for (int i = 0; i < path->count; ++i) {
        const rvRopeNode* node = &path->nodes[i];
        rvRopeTouch* touch = &path->touches[i];
        rvPose was = pose_before(obstacles, node->shape), now = obstacles->shapes[node->shape].pose;
        touch->wasIn = rvPosePoint(was, node->in);
        touch->wasOut = rvPosePoint(was, node->out);
        touch->in = rvPosePoint(now, node->in);
        touch->out = rvPosePoint(now, node->out);
    }
    visit_all(&u, meet_moving);
    settle(&u);
    pull_taut(&u);
}

// In how many parts a motion of the ends is looked at. A rope that comes to lie on a small shape in one long move may
// slide around it where in short ones it is caught by the next edge; so no part is longer than a share of what is in
// the way.
static int parts_of(const rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b)
{
    double motion = fmax(rvDistance(a, path->ends[0]), rvDistance(b, path->ends[1])), limit = HUGE_VAL;
    rvVec3 inner[2] = {path->ends[1], path->ends[0]}; // where the spans at the two ends go
    for (int end = 0; end < 2 && path->count > 0; ++end) {
        const rvRopeNode* node = &path->nodes[end ? path->count - 1 : 0];
        inner[end] = rvPosePoint(obstacles->shapes[node->shape].pose, end ? node->out : node->in);
    }
    for (int k = 0; k < obstacles->nearCount && motion > 0.0; ++k) {
        const rvShape* shape = &obstacles->shapes[obstacles->near[k]];
        if (moved_by(shape, pose_before(obstacles, obstacles->near[k])) > STILL)
            return 1; // shapes move in one piece
        rvVec3 size = rvSub(shape->high, shape->low);
        double least = SHARE * fmin(size.x, fmin(size.y, size.z));
        for (int end = 0; end < 2 && motion > least && least < limit; ++end) {
            rvVec3 low = path->ends[end], high = low;
            include(&low, &high, end ? b : a);
            include(&low, &high, inner[end]);
            if (path->count == 0)
                include(&low, &high, end ? a : b);
            if (may_meet(shape, 0.0, low, high))
                limit = least;
        }
    }
    return (int)fmin(fmax(ceil(motion / limit), 1.0), MOST_PARTS);
}

void rv_rope_update(rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b)
{
    path->inserted = path->released = path->dropped = 0;
    rvVec3 was[2] = {path->ends[0], path->ends[1]};
    int parts = parts_of(path, obstacles, a, b);
    for (int i = 1; i < parts; ++i) {
        double share = (double)i / parts;
        update_once(path, obstacles, rvMulAdd(was[0], share, rvSub(a, was[0])),
                    rvMulAdd(was[1], share, rvSub(b, was[1])));
    }
    update_once(path, obstacles, a, b);
}

void rv_rope_begin(rvRopePath* path, const rvObstacles* obstacles, rvVec3 a, rvVec3 b)
{
    path->count = path->inserted = path->released = path->dropped = 0;
    path->ends[0] = a;
    path->ends[1] = b;
    update u = {.path = path, .obstacles = obstacles, .wasEnds = {a, b}, .outer = {nowhere, nowhere}};
    pull_taut(&u);
}

static rvVec3 lead_out(const rvObstacles* obstacles, rvVec3 x)
{
    static const double CLEAR = 1e-6; // [m]
    for (int k = 0; k < obstacles->nearCount; ++k) {
        const rvShape* shape = &obstacles->shapes[obstacles->near[k]];
        rvVec3 local = rvPosePointBack(shape->pose, x), at, normal;
        double depth = rv_rope_deepest(shape, local, local, &at, &normal);
        if (depth > -CLEAR)
            x = rvPosePoint(shape->pose, rvMulAdd(local, depth + CLEAR, normal));
    }
    return x;
}

// Its end goes along the line, and what it draws along is taut at every point: so it goes around all that the line goes
// around.
void rv_rope_follow(rvRopePath* path, const rvObstacles* obstacles, rvVec3* points, int count)
{
    rvObstacles still = *obstacles;
    still.before = NULL;
    for (int i = 1; i + 1 < count; ++i)
        points[i] = lead_out(&still, points[i]);
    rv_rope_begin(path, &still, points[0], points[1]);
    int dropped = path->dropped;
    for (int i = 2; i < count; ++i) {
        rv_rope_update(path, &still, points[0], points[i]);
        dropped += path->dropped;
    }
    path->inserted = path->count;
    path->released = 0;
    path->dropped = dropped;
}
