// SPDX-License-Identifier: MIT
// What of ODE is used, and why not more (0.16.2; test_geom.c shows it):
//   used      sphere with sphere, box, capsule, cylinder, plane; box with box, plane; capsule with capsule, plane.
//   not used  pairs that answer one point where a load needs several to stand on (convex with all but planes, capsule
//             lying on a box); cylinder on plane (four points, which do not turn with it: it tips at 71 % of its radius
//             in some directions) and the other flat sides of cylinders, so that one rule holds for all of them;
//             trimesh and height field, which take memory while colliding.
// The pairs used touch no thread data of ODE, so that a thread needs no call of dAllocateODEDataForThread.
#include "contact/geom.h"

#include <ode/ode.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_ode(void)
{
    dInitODE2(0);
}

struct dxGeom* rv_geom_create(const rvShapeDef* def)
{
    pthread_once(&once, start_ode);
    switch (def->type) {
    case RV_SHAPE_PLANE:
        return dCreatePlane(NULL, 0, 0, 1, 0);
    case RV_SHAPE_SPHERE:
        return dCreateSphere(NULL, def->radius);
    case RV_SHAPE_BOX:
        return dCreateBox(NULL, def->sides.x, def->sides.y, def->sides.z);
    case RV_SHAPE_CAPSULE:
        return dCreateCapsule(NULL, def->radius, def->length);
    case RV_SHAPE_CYLINDER:
        return dCreateCylinder(NULL, def->radius, def->length);
    default:
        return NULL;
    }
}

void rv_geom_destroy(struct dxGeom* geom)
{
    if (geom)
        dGeomDestroy(geom);
}

void rv_geom_place(struct dxGeom* geom, rvShapeType type, rvPose pose)
{
    if (type == RV_SHAPE_PLANE) {
        rvVec3 n = rvRotate(pose.q, rvVec(0, 0, 1));
        dGeomPlaneSetParams(geom, n.x, n.y, n.z, rvDot(n, pose.p));
        return;
    }
    dQuaternion q = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    dGeomSetPosition(geom, pose.p.x, pose.p.y, pose.p.z);
    dGeomSetQuaternion(geom, q);
}

bool rv_geom_knows(rvShapeType a, rvShapeType b)
{
    enum { P = 1 << RV_SHAPE_PLANE, S = 1 << RV_SHAPE_SPHERE, B = 1 << RV_SHAPE_BOX, C = 1 << RV_SHAPE_CAPSULE };
    enum { Y = 1 << RV_SHAPE_CYLINDER };
    static const int partners[] = {
        [RV_SHAPE_PLANE] = S | B | C, [RV_SHAPE_SPHERE] = P | S | B | C | Y,
        [RV_SHAPE_BOX] = P | S | B,   [RV_SHAPE_CAPSULE] = P | S | C,
        [RV_SHAPE_CYLINDER] = S,      [RV_SHAPE_HEIGHT_FIELD] = 0,
    };
    return partners[a] >> b & 1;
}

void rv_geom_collide(struct dxGeom* a, struct dxGeom* b, rvManifold* manifold)
{
    enum { MOST = 8 }; // corners that two rectangles can have in common
    dContactGeom found[MOST];
    int count = dCollide(a, b, MOST, found, sizeof found[0]);
    for (int i = 0; i < count; ++i) {
        // ODE's normal pushes a, ours points from a to b
        rvTouch touch = {rvVec(found[i].pos[0], found[i].pos[1], found[i].pos[2]),
                         rvVec(-found[i].normal[0], -found[i].normal[1], -found[i].normal[2]), found[i].depth};
        if (touch.depth > 0.0)
            rv_manifold_add(manifold, touch);
    }
}
