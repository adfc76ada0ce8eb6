// SPDX-License-Identifier: MIT
// Round shapes. A rope on a cylinder runs over its side as a helix and over its ends as a straight line, and bends at
// the rims. On a capsule it runs over the side and the round ends and passes the seams without a bend: there a node
// stands between the two wraps. A rope on a sphere has no memory: it is where it is shortest.
#include "cable/taut/obstacle_parts.h"

#include <math.h>

static bool is_kind(const rvRopePath* path, int i, int shape, rvRopeKind kind)
{
    return i >= 0 && i < path->count && path->nodes[i].shape == shape && path->nodes[i].kind == (int32_t)kind;
}

static bool is_end(const rvRopePath* path, int i, int shape)
{
    return is_kind(path, i, shape, RV_ROPE_RIM) || is_kind(path, i, shape, RV_ROPE_SEAM);
}

bool rv_rope_span_is_on(const rvRopePath* path, const rvShape* shapes, int s, int shape)
{
    const rvRopeNode* before = s > 0 && path->nodes[s - 1].shape == shape ? &path->nodes[s - 1] : NULL;
    const rvRopeNode* after = s < path->count && path->nodes[s].shape == shape ? &path->nodes[s] : NULL;
    if ((before && rv_rope_is_wrap(before)) || (after && rv_rope_is_wrap(after)))
        return true;
    return before && after && rv_rope_share_face(&shapes[shape], before, after);
}

// Does the line p - n pass through the ball or the round end that comes first in it; which end.
static bool meets_ball(const rvShape* shape, rvVec3 p, rvVec3 n, rvRopeNode* node)
{
    rvVec3 deepest, normal;
    double depth = rv_rope_deepest(shape, p, n, &deepest, &normal);
    bool round = shape->type == RV_SHAPE_SPHERE || fabs(deepest.z) >= shape->half;
    if (!(depth > RV_ROPE_DEEP) || !round)
        return false;
    rvVec3 none;
    bool free = rv_rope_deepest(shape, p, p, &none, &none) < RV_ROPE_DEEP &&
                rv_rope_deepest(shape, n, n, &none, &none) < RV_ROPE_DEEP;
    *node = (rvRopeNode){.kind = RV_ROPE_SPHERE, .side = shape->type == RV_SHAPE_SPHERE ? 0 : deepest.z > 0 ? 1 : -1};
    node->in = node->out = deepest;
    return free;
}

static bool boxes_meet(const rvShape* shape, rvVec3 p, rvVec3 n)
{
    return fmin(p.x, n.x) <= shape->high.x && fmax(p.x, n.x) >= shape->low.x && fmin(p.y, n.y) <= shape->high.y &&
           fmax(p.y, n.y) >= shape->low.y && fmin(p.z, n.z) <= shape->high.z && fmax(p.z, n.z) >= shape->low.z;
}

bool rv_rope_meet_sphere(rvRopePath* path, const rvObstacles* obstacles, int s, int index)
{
    const rvShape* shape = &obstacles->shapes[index];
    rvVec3 p = s > 0 ? path->touches[s - 1].out : path->ends[0];
    rvVec3 n = s < path->count ? path->touches[s].in : path->ends[1];
    rvRopeNode node;
    if ((shape->type != RV_SHAPE_SPHERE && shape->type != RV_SHAPE_CAPSULE) || !boxes_meet(shape, p, n) ||
        rv_rope_span_is_on(path, obstacles->shapes, s, index) ||
        !meets_ball(shape, rvPosePointBack(shape->pose, p), rvPosePointBack(shape->pose, n), &node))
        return false;
    node.shape = index;
    return rv_rope_insert(path, obstacles->shapes, s, &node);
}

// A rim or a seam at an angle, of the end on a side.
static rvRopeNode end_node(const rvShape* shape, int index, int end, double angle)
{
    rvRopeNode node = {.shape = index, .side = end, .t = angle};
    node.kind = shape->type == RV_SHAPE_CAPSULE ? RV_ROPE_SEAM : RV_ROPE_RIM;
    node.in = node.out = rvVec(shape->radius * cos(angle), shape->radius * sin(angle), end * shape->half);
    return node;
}

// The wrap on the side runs beyond an end of it: before (-1) or after (1) what lies on the side.
static bool pass_end(rvRopePath* path, const rvShape* shapes, int i, int step)
{
    rvRopeNode* node = &path->nodes[i];
    const rvShape* shape = &shapes[node->shape];
    double z = step < 0 ? node->in.z : node->out.z, other = step < 0 ? node->out.z : node->in.z;
    int end = z > 0.0 ? 1 : -1;
    if (is_end(path, i + step, node->shape) || !(end * z > shape->half + 1e-12))
        return false;
    bool capsule = shape->type == RV_SHAPE_CAPSULE;
    if (is_end(path, i - step, node->shape) && path->nodes[i - step].side == end) {
        // nothing is left on the side
        int low = capsule && step > 0 ? i - 1 : i;
        rv_rope_remove(path, low);
        if (capsule)
            rv_rope_remove(path, low);
        return true;
    }
    double share = (end * shape->half - node->in.z) / (node->out.z - node->in.z);
    if (!(end * other < shape->half)) {
        rvRopeNode next =
            end_node(shape, node->shape, end, atan2(node->in.y, node->in.x) + node->side * 0.5 * node->turn);
        if (capsule)
            next.kind = RV_ROPE_SPHERE;
        rv_rope_remove(path, i);
        rv_rope_insert(path, shapes, i, &next);
        return true;
    }
    rvRopeNode stop =
        end_node(shape, node->shape, end, atan2(node->in.y, node->in.x) + node->side * share * node->turn);
    node->turn *= step < 0 ? 1.0 - share : share;
    if (capsule) {
        rvRopeNode ball = stop;
        ball.kind = RV_ROPE_SPHERE;
        if (!rv_rope_insert(path, shapes, step < 0 ? i : i + 1, &ball))
            return false;
        if (step < 0)
            i += 1;
    }
    return rv_rope_insert(path, shapes, step < 0 ? i : i + 1, &stop);
}

// Does the wrap at i touch its shape no more?
static bool is_over(const rvRopePath* path, int i)
{
    const rvRopeNode* node = &path->nodes[i];
    bool held = node->kind == RV_ROPE_CYLINDER && is_end(path, i - 1, node->shape) && is_end(path, i + 1, node->shape);
    return rv_rope_is_wrap(node) && !held && !(node->turn > 0.0);
}

// Removes all wraps that are over, and the seams beside them: as they were in nobody's way, the others stay as they
// are.
static bool drop_wraps(rvRopePath* path)
{
    int kept = 0, count = path->count;
    bool gone = false; // the node before was a wrap that goes
    for (int i = 0; i < count; ++i) {
        bool over = is_over(path, i);
        bool seam = path->nodes[i].kind == RV_ROPE_SEAM &&
                    ((gone && path->nodes[i - 1].shape == path->nodes[i].shape) ||
                     (i + 1 < count && path->nodes[i + 1].shape == path->nodes[i].shape && is_over(path, i + 1)));
        path->released += over;
        gone = over;
        if (over || seam)
            continue;
        path->nodes[kept] = path->nodes[i];
        path->touches[kept++] = path->touches[i];
    }
    path->count = kept;
    return kept < count;
}

static bool turn_cylinder(rvRopePath* path, const rvShape* shapes, int i)
{
    return pass_end(path, shapes, i, -1) || pass_end(path, shapes, i, 1);
}

static int way_round(rvVec3 at, rvVec3 along)
{
    return at.x * along.y - at.y * along.x >= 0.0 ? 1 : -1;
}

// The wrap on the round end of a capsule runs below the seam, before (-1) or after (1) what lies on the end.
static bool pass_seam(rvRopePath* path, const rvShape* shapes, int i, int step)
{
    rvRopeNode* node = &path->nodes[i];
    const rvShape* shape = &shapes[node->shape];
    rvVec3 edge = step < 0 ? node->in : node->out, other = step < 0 ? node->out : node->in;
    if (is_kind(path, i + step, node->shape, RV_ROPE_SEAM) || !(node->side * edge.z < shape->half - 1e-12))
        return false;
    rvRopeTouch* touch = &path->touches[i];
    rvVec3 along = rvRotateBack(shape->pose.q, step < 0 ? touch->arrive : touch->leave);
    rvRopeNode wrap = {.shape = node->shape, .kind = RV_ROPE_CYLINDER, .side = way_round(edge, along)};
    if (is_kind(path, i - step, node->shape, RV_ROPE_SEAM)) {
        // nothing is left on the end: the wrap beyond the seam goes on
        rv_rope_remove(path, step < 0 ? i : i - 1);
        rv_rope_remove(path, step < 0 ? i : i - 1);
        return true;
    }
    if (node->side * other.z < shape->half) {
        wrap.in = wrap.out = rvScale(0.5, rvAdd(edge, other));
        rv_rope_remove(path, i);
        return rv_rope_insert(path, shapes, i, &wrap) || true;
    }
    rvVec3 first = rvRotateBack(shape->pose.q, touch->normalIn), ahead = rvRotateBack(shape->pose.q, touch->arrive);
    double angle = atan2(-first.z, ahead.z);
    angle = angle < 0.0 ? angle + 3.141592653589793 : angle;
    rvVec3 at = rvMulAdd(rvScale(cos(angle), first), sin(angle), ahead);
    rvRopeNode seam = end_node(shape, node->shape, node->side, atan2(at.y, at.x));
    wrap.in = wrap.out = seam.in;
    int place = step < 0 ? i : i + 1;
    if (path->count + 2 > path->capacity)
        return false;
    rv_rope_insert(path, shapes, place, step < 0 ? &seam : &wrap);
    rv_rope_insert(path, shapes, place, step < 0 ? &wrap : &seam);
    return true;
}

static bool turn_sphere(rvRopePath* path, const rvShape* shapes, int i)
{
    return path->nodes[i].side != 0 && (pass_seam(path, shapes, i, -1) || pass_seam(path, shapes, i, 1));
}

// Two nodes on one rim that have met or passed each other: the rope leaves the end of the cylinder, one node stays.
static bool join_rims(rvRopePath* path, int i)
{
    if (!is_kind(path, i + 1, path->nodes[i].shape, RV_ROPE_RIM) || path->nodes[i + 1].side != path->nodes[i].side)
        return false;
    rvVec3 chord = rvSub(path->touches[i + 1].in, path->touches[i].in);
    if (rvLength(chord) > 1e-7 && rvDot(chord, rvAdd(path->touches[i].arrive, path->touches[i + 1].leave)) > 0.0)
        return false;
    rv_rope_remove(path, i);
    path->released += 1;
    return true;
}

// Two wraps on one shape that have become neighbours because what was between them left: they go on in each other.
static bool join_wraps(rvRopePath* path, const rvShape* shapes, int i)
{
    rvRopeNode a = path->nodes[i];
    if (i + 1 == path->count || path->nodes[i + 1].shape != a.shape || !rv_rope_is_wrap(&path->nodes[i + 1]))
        return false;
    rvRopeNode b = path->nodes[i + 1];
    const rvShape* shape = &shapes[a.shape];
    if (a.kind == b.kind && a.kind == RV_ROPE_CYLINDER) {
        double turn = a.turn + a.side * b.side * b.turn;
        path->nodes[i].turn = fabs(turn);
        path->nodes[i].side = turn < 0.0 ? -a.side : a.side;
        rv_rope_remove(path, i + 1);
    } else if (a.kind == b.kind && a.side == b.side) {
        rv_rope_remove(path, i + 1);
    } else if (a.kind == b.kind) {
        // on both ends of a capsule: along its side in between
        rvRopeNode wrap = {.shape = a.shape, .kind = RV_ROPE_CYLINDER, .side = 1, .in = a.out, .out = a.out};
        return rv_rope_insert(path, shapes, i + 1, &wrap);
    } else {
        const rvRopeNode* side = a.kind == RV_ROPE_CYLINDER ? &a : &b;
        rvVec3 at = a.kind == RV_ROPE_CYLINDER ? a.out : b.in;
        rvRopeNode seam = end_node(shape, a.shape, side == &a ? b.side : a.side, atan2(at.y, at.x));
        return rv_rope_insert(path, shapes, i + 1, &seam);
    }
    return true;
}

bool rv_rope_turn_round(rvRopePath* path, const rvShape* shapes)
{
    bool changed = drop_wraps(path);
    for (int i = 0; i < path->count; ++i) {
        int kind = path->nodes[i].kind, count = path->count;
        if (!(rv_rope_is_wrap(&path->nodes[i]) && join_wraps(path, shapes, i)) &&
            !(kind == RV_ROPE_CYLINDER && turn_cylinder(path, shapes, i)) &&
            !(kind == RV_ROPE_SPHERE && turn_sphere(path, shapes, i)) && !(kind == RV_ROPE_RIM && join_rims(path, i)))
            continue;
        // what was found of the neighbours is no longer true after a change: they wait for the next round
        changed = true;
        i += (path->count > count ? path->count - count : 0) + 1;
    }
    return changed;
}
