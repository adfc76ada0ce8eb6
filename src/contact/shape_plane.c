// SPDX-License-Identifier: MIT
// Planes: half spaces, which have no box around them and are no convex pieces of finite size.
#include "contact/shape_geometry.h"

static rvStatus check_plane(const rvShapeCheck* check, const rvShapeDef* def)
{
    (void)check;
    (void)def;
    return RV_OK;
}

static void bound_plane(rvShape* shape)
{
    (void)shape;
}

const rvShapeGeometry rv_shape_plane = {.name = "plane",
                                        .bodies = 1 << RV_BODY_STATIC,
                                        .bodyNames = "static",
                                        .check = check_plane,
                                        .take = rv_shape_take_geom,
                                        .bound = bound_plane,
                                        .core = rv_shape_point_core,
                                        .face = rv_shape_point_face,
                                        .normal = rv_shape_no_normal,
                                        .edges = rv_shape_no_edges};
