// SPDX-License-Identifier: MIT
// Solids: volume V, centre c, inertia I about it for the mass m, all in the body's frame; then for all shapes
//
//   m_i = m V_i / sum V,   c = sum m_i c_i / m,   I = sum R_i I_i R_i^T + m_i (d_i^2 1 - d_i d_i^T),  d_i = c_i - c.
#include "scene/mass.h"

#include <string.h>

#define PI 3.14159265358979323846

// The box around points: its middle and sides.
static rvVec3 bounds(const rvShapeDef* shape, rvVec3* sides)
{
    rvVec3 low = shape->points[0], high = low;
    for (int i = 1; i < shape->pointCount; ++i) {
        rvVec3 p = shape->points[i];
        low = rvVec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = rvVec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *sides = rvSub(high, low);
    return rvScale(0.5, rvAdd(low, high));
}

// ---- volume of solid shapes; *middle: theirs in the shape's frame, where it is not the origin

static double no_volume(const rvShapeDef* shape, rvVec3* middle)
{
    (void)shape;
    (void)middle;
    return 0.0;
}

static double sphere_volume(const rvShapeDef* shape, rvVec3* middle)
{
    (void)middle;
    double r = shape->radius;
    return 4.0 / 3.0 * PI * r * r * r;
}

static double box_volume(const rvShapeDef* shape, rvVec3* middle)
{
    (void)middle;
    return shape->sides.x * shape->sides.y * shape->sides.z;
}

static double capsule_volume(const rvShapeDef* shape, rvVec3* middle)
{
    (void)middle;
    double r = shape->radius;
    return PI * r * r * (shape->length + 4.0 / 3.0 * r);
}

static double cylinder_volume(const rvShapeDef* shape, rvVec3* middle)
{
    (void)middle;
    double r = shape->radius;
    return PI * r * r * shape->length;
}

static double hull_volume(const rvShapeDef* shape, rvVec3* middle)
{
    rvVec3 sides;
    if (shape->pointCount < 1)
        return 0.0;
    *middle = bounds(shape, &sides);
    return sides.x * sides.y * sides.z;
}

// ---- inertia

static rvMat3 sphere_inertia(const rvShapeDef* shape, double mass)
{
    return rvBallInertia(mass, shape->radius);
}

static rvMat3 box_inertia(const rvShapeDef* shape, double mass)
{
    return rvBoxInertia(mass, shape->sides);
}

// A capsule is a cylinder and two half balls, each with its centre 3/8 r beyond the cylinder's end.
static rvMat3 capsule_inertia(const rvShapeDef* shape, double mass)
{
    double r = shape->radius, length = shape->length;
    double share = length / (length + 4.0 / 3.0 * r);
    double caps = (1.0 - share) * mass;
    rvMat3 inertia = rvCylinderInertia(share * mass, r, length);
    double along = 0.4 * caps * r * r;
    double across = caps * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
    inertia.m[0][0] += across;
    inertia.m[1][1] += across;
    inertia.m[2][2] += along;
    return inertia;
}

static rvMat3 cylinder_inertia(const rvShapeDef* shape, double mass)
{
    return rvCylinderInertia(mass, shape->radius, shape->length);
}

static rvMat3 hull_inertia(const rvShapeDef* shape, double mass)
{
    rvVec3 sides;
    bounds(shape, &sides);
    return rvBoxInertia(mass, sides);
}

// Planes and surfaces have no volume: they weigh nothing.
static const struct {
    double (*volume)(const rvShapeDef* shape, rvVec3* middle);
    rvMat3 (*inertia)(const rvShapeDef* shape, double mass);
} kinds[] = {
    [RV_SHAPE_PLANE] = {no_volume, NULL},
    [RV_SHAPE_SPHERE] = {sphere_volume, sphere_inertia},
    [RV_SHAPE_BOX] = {box_volume, box_inertia},
    [RV_SHAPE_CAPSULE] = {capsule_volume, capsule_inertia},
    [RV_SHAPE_CYLINDER] = {cylinder_volume, cylinder_inertia},
    [RV_SHAPE_HULL] = {hull_volume, hull_inertia},
    [RV_SHAPE_MESH] = {no_volume, NULL},
    [RV_SHAPE_HEIGHT_FIELD] = {no_volume, NULL},
};

static double volume(const rvShapeDef* shape, rvVec3* middle)
{
    *middle = rvVec(0, 0, 0);
    return kinds[shape->type].volume(shape, middle);
}

// to += R I R^T + m (d^2 1 - d d^T)
static void add_inertia(rvMat3* to, const rvMat3* inertia, rvQuat q, double mass, rvVec3 d)
{
    rvMat3 r = rvMat3FromQuat(q);
    double arm[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = mass * ((i == j ? rvDot(d, d) : 0.0) - arm[i] * arm[j]);
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    sum += r.m[i][k] * inertia->m[k][l] * r.m[j][l];
            to->m[i][j] += sum;
        }
    }
}

void rv_scene_mass(rvSceneBody* body, bool hasCenter, bool hasInertia)
{
    double total = 0.0;
    rvVec3 moment = rvVec(0, 0, 0), middle;
    for (int i = 0; i < body->shapes.count; ++i) {
        const rvShapeDef* shape = &rv_scene_shape(body, i)->def;
        double v = volume(shape, &middle);
        total += v;
        moment = rvMulAdd(moment, v, rvPosePoint(shape->frame, middle));
    }
    if (!(total > 0.0) || !isfinite(total))
        return;
    if (!hasCenter)
        body->def.centerOfMass = rvScale(1.0 / total, moment);
    if (hasInertia)
        return;
    rvMat3 sum;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < body->shapes.count; ++i) {
        const rvShapeDef* shape = &rv_scene_shape(body, i)->def;
        double mass = body->def.mass * volume(shape, &middle) / total;
        if (!(mass > 0.0))
            continue;
        rvMat3 own = kinds[shape->type].inertia(shape, mass);
        rvVec3 arm = rvSub(rvPosePoint(shape->frame, middle), body->def.centerOfMass);
        add_inertia(&sum, &own, shape->frame.q, mass, arm);
    }
    // rounding must not leave it lopsided
    for (int i = 0; i < 3; ++i)
        sum.m[(i + 1) % 3][i] = sum.m[i][(i + 1) % 3];
    body->def.inertia = sum;
}
