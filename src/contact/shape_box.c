// SPDX-License-Identifier: MIT
// Boxes. The feature of a direction n is the corner, edge or face whose axes n leans to.
#include "contact/shape_geometry.h"

#include <math.h>

static rvStatus check_box(const rvShapeCheck* check, const rvShapeDef* def)
{
    rvStatus status = rv_shape_check_positive(check, "sides.x", def->sides.x);
    status = status == RV_OK ? rv_shape_check_positive(check, "sides.y", def->sides.y) : status;
    return status == RV_OK ? rv_shape_check_positive(check, "sides.z", def->sides.z) : status;
}

// A box has its reach along every axis of the world at once: what its supports would give, to the bit.
static void bound_box(rvShape* shape)
{
    rvConvex box = rv_shape_convex(shape, rvVec(0, 0, 0));
    const double h[3] = {box.halves.x, box.halves.y, box.halves.z};
    shape->low = shape->high = box.p;
    for (int k = 0; k < 3; ++k) {
        rvVec3 reach = rvVec(h[k] * fabs(box.axes[k].x), h[k] * fabs(box.axes[k].y), h[k] * fabs(box.axes[k].z));
        shape->low = rvSub(shape->low, reach);
        shape->high = rvAdd(shape->high, reach);
    }
}

static rvVec3 box_core(const rvConvex* b, double shrink, rvVec3 n)
{
    double cut = shrink * fmin(b->halves.x, fmin(b->halves.y, b->halves.z));
    rvVec3 halves = rvVec(b->halves.x - cut, b->halves.y - cut, b->halves.z - cut);
    rvVec3 p = rvMulAdd(b->p, rvDot(n, b->axes[0]) < 0.0 ? -halves.x : halves.x, b->axes[0]);
    p = rvMulAdd(p, rvDot(n, b->axes[1]) < 0.0 ? -halves.y : halves.y, b->axes[1]);
    return rvMulAdd(p, rvDot(n, b->axes[2]) < 0.0 ? -halves.z : halves.z, b->axes[2]);
}

static void box_face(const rvConvex* b, rvVec3 n, rvFace* face)
{
    double halves[3] = {b->halves.x, b->halves.y, b->halves.z};
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(rvDot(n, b->axes[i])) > fabs(rvDot(n, b->axes[axis])))
            axis = i;
    double side = rvDot(n, b->axes[axis]) < 0.0 ? -1.0 : 1.0;
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    face->normal = rvScale(side, b->axes[axis]);
    face->count = 4;
    static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int i = 0; i < 4; ++i) {
        rvVec3 p = rvMulAdd(b->p, halves[axis], face->normal);
        p = rvMulAdd(p, corner[i][0] * halves[u], b->axes[u]);
        face->corners[i] = rvMulAdd(p, side * corner[i][1] * halves[v], b->axes[v]);
    }
}

static bool box_normal(const rvConvex* b, int i, rvVec3 toward, rvVec3* normal)
{
    (void)toward;
    *normal = b->axes[i < 3 ? i : 0];
    return i < 3;
}

static int box_edges(const rvConvex* b, rvVec3 directions[3])
{
    for (int i = 0; i < 3; ++i)
        directions[i] = b->axes[i];
    return 3;
}

const rvShapeGeometry rv_shape_box = {.name = "box",
                                      .bodies = RV_SHAPE_ON_ALL,
                                      .check = check_box,
                                      .take = rv_shape_take_geom,
                                      .bound = bound_box,
                                      .core = box_core,
                                      .face = box_face,
                                      .normal = box_normal,
                                      .edges = box_edges};
