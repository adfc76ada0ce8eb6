// SPDX-License-Identifier: MIT
// Where the plane of a curve cuts the world's shapes: pegs.
//
// Balls, and cylinders and capsules that stand across the plane, are cut in circles; so are the round ends of a capsule
// that leans or lies in it. All else is a solid, and so is a cylinder or capsule that leans: it is cut in an ellipse,
// of which the largest circle in it and those that touch its ends best are pegs beside the solid. So are corners, of no
// radius of their own: where rims of cylinders, sharp outer edges of meshes and their borders go through the plane. The
// curve keeps to the side of a peg on which it came, however deep it comes: a mesh has nothing inside.
#include "cable/curve/curve_cable.h"

#define ACROSS 1e-9      // a cylinder stands across the plane, or lies in it, within this
#define FLAT 0.995       // cosine of the angle below which an edge of a surface is no corner (0.1 rad)
#define CORNERS 67108864 // 2^26: room for those of a shape in a key

// Can a part of the curve come so near to a corner in the step that it remembers its side?
static bool is_near(const rvCurveCut* look, rvVec2 c, double radius, double way)
{
    const rvPlane* plane = &look->at.curve->plane->motion.plane;
    double reach = radius + 3.0 * plane->step + look->way + way;
    bool near = false;
    for (int i = 0; i <= plane->intervals && !near; ++i) {
        rvVec2 d = rv_vec2_add(plane->nodes[i], -1.0, c);
        near = rv_vec2_dot(d, d) < reach * reach;
    }
    return near;
}

// `number`: of those of its shape; `radius`: with that of the curve, which is all that a corner has.
static void put_peg(const rvCurveCut* look, int number, rvVec3 center, double radius)
{
    rvCurve* curve = look->at.curve;
    bool corner = radius == curve->radius;
    rvVec2 c = rv_curve_down(curve, center);
    rvVec3 arm, v = rv_curve_look_velocity(&look->at, center, &arm);
    double way = look->at.h * rvLength(v), reach = radius + curve->plane->motion.plane.step + way;
    if (c.x + reach < look->low.x || c.x - reach > look->high.x || c.y + reach < look->low.y ||
        c.y - reach > look->high.y || (number > 0 && !is_near(look, c, radius, way)))
        return;
    double key = 1.0 + (double)look->at.index * CORNERS + number;
    int slot = rv_curve_peg_slot(&look->at, key);
    if (slot < 0)
        return;
    rvCurvePeg* peg = &curve->pegs[slot];
    *peg = (rvCurvePeg){
        .key = key, .body = look->at.body, .seen = true, .center = rv_curve_raise(c), .friction = look->at.friction};
    peg->arm = arm;
    peg->velocity = v;
    curve->plane->motion.contacts.obstacles[slot] =
        (rvPlaneObstacle){.center = rv_vec2_add(c, look->at.h, rv_curve_flat(curve, v)), // where it will be
                          .radius = radius,
                          .was = c,
                          .way = rv_vec2_add(rv_vec2(0, 0), look->at.h, rv_curve_flat(curve, v)),
                          .corner = corner};
}

static bool is_rod(const rvShape* shape)
{
    return shape->type == RV_SHAPE_CYLINDER || shape->type == RV_SHAPE_CAPSULE;
}

// How far the axis of a cylinder or capsule stands across the plane.
static double find_across(const rvCurveCut* look)
{
    return rvDot(look->at.curve->axis[2], rvRotate(look->at.shape->pose.q, rvVec(0, 0, 1)));
}

// Circles.
static bool cut_round(const rvCurveCut* look)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    rvVec3 center = shape->pose.p;
    double off = rvDot(curve->axis[2], rvSub(center, curve->origin)), radius = shape->radius + curve->radius;
    if (shape->type != RV_SHAPE_SPHERE) {
        if (!is_rod(shape) || fabs(find_across(look)) < 1.0 - ACROSS)
            return false;
        off = copysign(fmax(0.0, fabs(off) - shape->half), off); // beyond its straight part
        if (shape->type == RV_SHAPE_CYLINDER && off != 0.0)
            return true; // the plane passes beside it
    }
    if (fabs(off) < radius)
        put_peg(look, 0, center, sqrt(radius * radius - off * off));
    return true;
}

// ---- meshes

static void cut_edge(const rvCurveCut* look, int number, rvVec3 a, rvVec3 b)
{
    const rvCurve* curve = look->at.curve;
    double u = rvDot(curve->axis[2], rvSub(a, curve->origin)), w = rvDot(curve->axis[2], rvSub(b, curve->origin));
    if ((u < 0.0) != (w < 0.0))
        put_peg(look, 1 + number, rvMulAdd(a, u / (u - w), rvSub(b, a)), curve->radius);
}

static bool is_before(rvVec3 a, rvVec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Edges of a triangle that stick out, each of one of the two that share it.
static void cut_facet(const rvFacet* facet, void* context)
{
    const rvCurveCut* look = context;
    const rvVec3* c = facet->corners;
    rvVec3 none = rvVec(0, 0, 0), n = rvNormalizeOr(rvCross(rvSub(c[1], c[0]), rvSub(c[2], c[0])), none);
    for (int k = 0; k < 3; ++k) {
        rvVec3 a = c[k], b = c[(k + 1) % 3], beyond = facet->beyond[k];
        if (facet->hasBeyond[k]) {
            rvVec3 other = rvNormalizeOr(rvCross(rvSub(a, b), rvSub(beyond, b)), none);
            if (!is_before(a, b) || rvDot(n, rvSub(beyond, a)) >= 0.0 || rvDot(n, other) > FLAT)
                continue;
        }
        rvPose pose = look->at.shape->pose;
        cut_edge(look, 3 * facet->index + k, rvPosePoint(pose, a), rvPosePoint(pose, b));
    }
}

static void cut_mesh(const rvCurveCut* look)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    rvVec3 low = rvVec(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = rvNeg(low);
    for (int i = 0; i < 4; ++i) {
        rvVec2 corner = rv_vec2(i & 1 ? look->high.x : look->low.x, i & 2 ? look->high.y : look->low.y);
        rvVec3 x = rvPosePointBack(shape->pose, rvAdd(curve->origin, rv_curve_up(curve, corner)));
        low = rvVec(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = rvVec(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    rv_mesh_visit(&shape->mesh, low, high, cut_facet, (void*)look);
}

// ---- cylinders and capsules that do not stand across the plane

// Around where the axis goes through the plane, s along it: an ellipse, half as wide as the radius r is and r/across
// long. In it the largest circle, and at its two ends, where they are there, those that touch it best, of r across.
static void cut_axis(const rvCurveCut* look, rvVec3 axis, double across, double off)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    double s = -off / across, left = shape->half - fabs(s), lean = sqrt(1.0 - across * across);
    if (!(left > 0.0)) // it does not, also where it lies along the plane
        return;
    double radius = shape->type == RV_SHAPE_CAPSULE ? shape->radius : fmin(shape->radius, left / lean);
    rvVec3 center = rvMulAdd(shape->pose.p, s, axis),
           along = rvScale(1.0 / lean, rvMulAdd(axis, -across, curve->axis[2]));
    put_peg(look, 1, center, radius + curve->radius);
    double longest = shape->radius / fabs(across), tight = shape->radius * fabs(across);
    for (int side = -1; side <= 1; side += 2)
        if (fabs(s + side * longest * lean) < shape->half)
            put_peg(look, 7 + side, rvMulAdd(center, side * (longest - tight), along), tight + curve->radius);
}

// Where the plane cuts the ends: the rim of a cylinder in up to two points, the ball of a capsule in a circle.
static void cut_end(const rvCurveCut* look, int end, rvVec3 center, double across, double off)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    bool capsule = shape->type == RV_SHAPE_CAPSULE;
    double lean = capsule ? 1.0 : sqrt(1.0 - across * across), far = -off / lean; // from the middle of the end
    double radius = shape->radius + (capsule ? curve->radius : 0.0),
           wide = sqrt(fmax(radius * radius - far * far, 0.0));
    if (!(fabs(far) < radius))
        return;
    if (capsule) {
        put_peg(look, 2 + end, center, wide);
        return;
    }
    rvVec3 axis = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    rvVec3 up = rvScale(1.0 / lean, rvMulAdd(curve->axis[2], -across, axis)), aside = rvCross(axis, up);
    for (int side = 0; side < 2; ++side)
        put_peg(look, 2 + 2 * end + side, rvMulAdd(rvMulAdd(center, far, up), side ? wide : -wide, aside),
                curve->radius);
}

static void cut_tilted(const rvCurveCut* look)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    rvVec3 axis = rvRotate(shape->pose.q, rvVec(0, 0, 1));
    double across = find_across(look), off = rvDot(curve->axis[2], rvSub(shape->pose.p, curve->origin));
    cut_axis(look, axis, across, off);
    for (int end = 0; end < 2; ++end) {
        double s = end ? shape->half : -shape->half;
        cut_end(look, end, rvMulAdd(shape->pose.p, s, axis), across, off + s * across);
    }
}

// Is a shape away from the curve, wherever the two go in the step?
static bool is_apart(const rvCurveCut* look)
{
    const rvCurve* curve = look->at.curve;
    const rvShape* shape = look->at.shape;
    if (shape->type == RV_SHAPE_PLANE)
        return false;
    double way = rv_curve_look_way(&look->at);
    rvSpaceBox box = rv_space_box_widened((rvSpaceBox){shape->low, shape->high}, way), all = {0};
    for (int i = 0; i < 4; ++i) {
        rvVec2 corner = rv_vec2(i & 1 ? look->high.x : look->low.x, i & 2 ? look->high.y : look->low.y);
        rvVec3 x = rvAdd(curve->origin, rv_curve_up(curve, corner));
        all = i == 0 ? (rvSpaceBox){x, x} : rv_space_box_with(all, x);
    }
    return rv_space_boxes_apart(&box, &all);
}

static void put_solid(const rvCurveCut* look)
{
    rvCurve* curve = look->at.curve;
    if (is_apart(look))
        return;
    int slot = rv_curve_peg_slot(&look->at, 1.0 + (double)look->at.index * CORNERS);
    if (slot < 0)
        return;
    rv_curve_put_solid(&look->at, 1.0 + (double)look->at.index * CORNERS, RV_SPACE_SOLID, &curve->pegs[slot],
                       &curve->plane->motion.contacts.obstacles[slot].solid);
    curve->plane->motion.contacts.obstacles[slot].radius = curve->radius;
}

void rv_curve_cut_shape(const rvCurveCut* look)
{
    if (cut_round(look))
        return;
    if (is_rod(look->at.shape))
        cut_tilted(look);
    else if (look->at.shape->type == RV_SHAPE_MESH)
        cut_mesh(look);
    put_solid(look);
}
