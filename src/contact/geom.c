// SPDX-License-Identifier: MIT
// What of ODE is used, and why not more (0.16.2; test_geom.c shows it):
//   used      sphere with sphere, box, capsule, cylinder, plane; box with box, plane; capsule with capsule, plane.
//   not used  pairs that answer one point where a load needs several to stand on (convex with all but planes, capsule
//             lying on a box); cylinder on plane (four points, which do not turn with it: it tips at 71 % of its radius
//             in some directions) and the other flat sides of cylinders, so that one rule holds for all of them;
//             trimesh and height field, which take memory while colliding.
// The pairs used touch no thread data of ODE, so that a thread needs no call of dAllocateODEDataForThread.
#include "contact/geom.h"

#include "contact/shape_geometry.h"

#include <ode/ode.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_ode(void)
{
    dInitODE2(0);
}

static struct dxGeom* make_plane(const rvShapeDef* def)
{
    (void)def;
    return dCreatePlane(NULL, 0, 0, 1, 0);
}

static struct dxGeom* make_sphere(const rvShapeDef* def)
{
    return dCreateSphere(NULL, def->radius);
}

static struct dxGeom* make_box(const rvShapeDef* def)
{
    return dCreateBox(NULL, def->sides.x, def->sides.y, def->sides.z);
}

static struct dxGeom* make_capsule(const rvShapeDef* def)
{
    return dCreateCapsule(NULL, def->radius, def->length);
}

static struct dxGeom* make_cylinder(const rvShapeDef* def)
{
    return dCreateCylinder(NULL, def->radius, def->length);
}

enum { P = 1 << RV_SHAPE_PLANE, S = 1 << RV_SHAPE_SPHERE, B = 1 << RV_SHAPE_BOX, C = 1 << RV_SHAPE_CAPSULE };
enum { Y = 1 << RV_SHAPE_CYLINDER };

// What ODE has of a type of shape: nothing unless it stands here.
static const struct {
    struct dxGeom* (*make)(const rvShapeDef* def);
    int partners; // bits of the types it collides well with
} kinds[RV_SHAPE_TYPES] = {
    [RV_SHAPE_PLANE] = {make_plane, S | B | C}, [RV_SHAPE_SPHERE] = {make_sphere, P | S | B | C | Y},
    [RV_SHAPE_BOX] = {make_box, P | S | B},     [RV_SHAPE_CAPSULE] = {make_capsule, P | S | C},
    [RV_SHAPE_CYLINDER] = {make_cylinder, S},
};

struct dxGeom* rv_geom_create(const rvShapeDef* def)
{
    pthread_once(&once, start_ode);
    return kinds[def->type].make ? kinds[def->type].make(def) : NULL;
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
    return kinds[a].partners >> b & 1;
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
