// SPDX-License-Identifier: MIT
#include "contact/shape_geometry.h"

rvConvex rv_convex_triangle(rvVec3 a, rvVec3 b, rvVec3 c)
{
    rvConvex convex = {.type = RV_SHAPE_MESH, .corners = {a, b, c}};
    convex.p = rvScale(1.0 / 3.0, rvAdd(a, rvAdd(b, c)));
    convex.normal = rvNormalizeOr(rvCross(rvSub(b, a), rvSub(c, a)), rvVec(0, 0, 1));
    return convex;
}

rvVec3 rv_convex_core_support(const rvConvex* c, double shrink, rvVec3 n)
{
    return rv_shape_geometries[c->type]->core(c, shrink, n);
}

rvVec3 rv_convex_support(const rvConvex* c, rvVec3 n)
{
    rvVec3 core = rv_convex_core_support(c, 0.0, n);
    return rv_convex_is_round(c) ? rvMulAdd(core, c->radius, rvNormalizeOr(n, rvVec(0, 0, 1))) : core;
}

void rv_convex_face(const rvConvex* c, rvVec3 n, rvFace* face)
{
    face->normal = n;
    rv_shape_geometries[c->type]->face(c, n, face);
}
