// SPDX-License-Identifier: MIT
// Vectors, quaternions and poses: plain values with inline functions. Right-handed, quaternions w first.
#pragma once

#include "reeve/base.h"

#include <math.h>

typedef struct {
    double x, y, z;
} rvVec3;

/// A rotation; unit length. {1, 0, 0, 0} is none.
typedef struct {
    double w, x, y, z;
} rvQuat;

/// A frame: position p and orientation q.
typedef struct {
    rvVec3 p;
    rvQuat q;
} rvPose;

/// A 3 x 3 matrix by rows.
typedef struct {
    double m[3][3];
} rvMat3;

static inline rvVec3 rvVec(double x, double y, double z)
{
    rvVec3 v = {x, y, z};
    return v;
}

static inline rvVec3 rvAdd(rvVec3 a, rvVec3 b)
{
    return rvVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline rvVec3 rvSub(rvVec3 a, rvVec3 b)
{
    return rvVec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline rvVec3 rvScale(double s, rvVec3 a)
{
    return rvVec(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline rvVec3 rvMulAdd(rvVec3 a, double s, rvVec3 b)
{
    return rvVec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline rvVec3 rvNeg(rvVec3 a)
{
    return rvVec(-a.x, -a.y, -a.z);
}

static inline double rvDot(rvVec3 a, rvVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rvVec3 rvCross(rvVec3 a, rvVec3 b)
{
    return rvVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double rvLength(rvVec3 a)
{
    return sqrt(rvDot(a, a));
}

static inline double rvDistance(rvVec3 a, rvVec3 b)
{
    return rvLength(rvSub(a, b));
}

/// Unit vector along a, or `otherwise` where a has no direction.
static inline rvVec3 rvNormalizeOr(rvVec3 a, rvVec3 otherwise)
{
    double length = rvLength(a);
    return length > 0.0 ? rvScale(1.0 / length, a) : otherwise;
}

/// Some unit vector across the unit vector a.
static inline rvVec3 rvAcross(rvVec3 a)
{
    rvVec3 other = fabs(a.x) < 0.6 ? rvVec(1, 0, 0) : rvVec(0, 1, 0);
    return rvNormalizeOr(rvCross(a, other), rvVec(0, 0, 1));
}

static inline bool rvIsFiniteVec(rvVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline rvQuat rvQuatIdentity(void)
{
    rvQuat q = {1, 0, 0, 0};
    return q;
}

static inline rvQuat rvQuatMul(rvQuat a, rvQuat b)
{
    rvQuat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}

static inline rvQuat rvQuatConj(rvQuat q)
{
    rvQuat c = {q.w, -q.x, -q.y, -q.z};
    return c;
}

/// Unit length again; the identity where there is no length.
static inline rvQuat rvQuatNormalize(rvQuat q)
{
    double n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    // All but unit already: by its series. Division by sqrt(n2), which is rounded down below 1 and not above, would
    // make such a quaternion longer by 5e-17 on average, and what it turns step after step with it.
    double off = 0.5 * (1.0 - n2);
    if (off > -1e-8 && off < 1e-8) {
        rvQuat near = {q.w + off * q.w, q.x + off * q.x, q.y + off * q.y, q.z + off * q.z};
        return near;
    }
    double n = sqrt(n2);
    if (!(n > 0.0))
        return rvQuatIdentity();
    rvQuat u = {q.w / n, q.x / n, q.y / n, q.z / n};
    return u;
}

/// Turn by |v| radians about v.
static inline rvQuat rvQuatFromRotation(rvVec3 v)
{
    double angle2 = rvDot(v, v);
    double angle = sqrt(angle2);
    // sin(a/2)/a by its series where a is too small to divide by
    double s = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle2 / 48.0;
    rvQuat q = {cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
    return q;
}

static inline rvQuat rvQuatFromAxisAngle(rvVec3 axis, double angle)
{
    return rvQuatFromRotation(rvScale(angle, rvNormalizeOr(axis, rvVec(0, 0, 1))));
}

/// The rotation vector of q, shortest way round.
static inline rvVec3 rvQuatToRotation(rvQuat q)
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double f = s > 1e-8 ? 2.0 * atan2(s, sign * q.w) / s : 2.0;
    return rvVec(sign * f * q.x, sign * f * q.y, sign * f * q.z);
}

static inline rvVec3 rvRotate(rvQuat q, rvVec3 v)
{
    rvVec3 u = rvVec(q.x, q.y, q.z);
    rvVec3 t = rvScale(2.0, rvCross(u, v));
    return rvAdd(rvMulAdd(v, q.w, t), rvCross(u, t));
}

static inline rvVec3 rvRotateBack(rvQuat q, rvVec3 v)
{
    return rvRotate(rvQuatConj(q), v);
}

/// The shortest rotation that takes the unit vector a to the unit vector b.
static inline rvQuat rvQuatBetween(rvVec3 a, rvVec3 b)
{
    double c = rvDot(a, b);
    if (c < -0.999999999) {
        rvVec3 n = rvAcross(a);
        rvQuat half = {0, n.x, n.y, n.z};
        return half;
    }
    rvVec3 n = rvCross(a, b);
    rvQuat q = {1.0 + c, n.x, n.y, n.z};
    return rvQuatNormalize(q);
}

static inline rvPose rvPoseIdentity(void)
{
    rvPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    return pose;
}

static inline rvVec3 rvPosePoint(rvPose frame, rvVec3 local)
{
    return rvAdd(frame.p, rvRotate(frame.q, local));
}

static inline rvVec3 rvPosePointBack(rvPose frame, rvVec3 world)
{
    return rvRotateBack(frame.q, rvSub(world, frame.p));
}

static inline rvPose rvPoseMul(rvPose a, rvPose b)
{
    rvPose c = {rvPosePoint(a, b.p), rvQuatMul(a.q, b.q)};
    return c;
}

static inline rvMat3 rvMat3FromQuat(rvQuat q)
{
    rvMat3 r = {{{1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y)},
                 {2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x)},
                 {2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)}}};
    return r;
}

static inline rvMat3 rvMat3Diagonal(double x, double y, double z)
{
    rvMat3 d = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
    return d;
}

static inline rvVec3 rvMat3Vec(const rvMat3* a, rvVec3 v)
{
    return rvVec(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                 a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                 a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}
