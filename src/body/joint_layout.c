// SPDX-License-Identifier: MIT
// The coordinates of joints and the table of types.
//
// Written with a, b the joint frames, d = p_b - p_a, r the arms, and a turn g in a's axes meaning turnB = R_a g,
// turnA = -R_a g (then d phi/dt = g . R_a^T (w_B - w_A)):
//
//   move    phi = e_i . d                              turnB = r_B x e_i,  turnA = -r_A x e_i
//   slide   phi = n . d, n axis i of a                 turnB = r_B x n,    turnA = -(r_A + d) x n
//   turn    phi = theta_i, the rotation vector of b    g = e_i + theta x e_i/2 + c theta x (theta x e_i),
//           seen from a (the shortest way round)           c = (1 - (t/2) cot(t/2))/t^2, t = |theta|
//   tilt    phi = (angle) (z x b)/|z x b|, b the z     g = b x grad phi
//           axis of frame b seen from a: components x, y
//   twist   phi = 2 atan2(q.z, q.w)                    g = (wy + zx, zy - wx, w^2 + z^2)/(w^2 + z^2)
//   cardan  R = Rx(alpha) Rz(gamma) Ry(beta)           axes e1 = x, e2 = Rx z, e3 = y of b; e1.e3 = -sin gamma:
//           g = (e1 + s e3)/c^2, (e3 + s e1)/c^2, e2 for alpha, beta, gamma, with s, c of gamma
//   swing   phi = angle between the z axes             g = (z x b)/|z x b|
//   length  phi = |d|                                  turnB = r_B x n, turnA = -r_A x n, n = d/|d|
//
// Turn and tilt are angles and not sines, so that 180 degrees is the largest error and not a second zero.
#include "body/joint_layout.h"

static const rvVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Below this sine of the angle a direction across two axes is not to be had; a fixed one stands in.
static const double leastSine = 1e-3;

static rvJointLine push(const rvJointFrames* frames, double value, rvVec3 direction, rvVec3 armA)
{
    rvJointLine line = {value, direction, rvCross(direction, armA), rvCross(frames->armB, direction)};
    return line;
}

static rvJointLine twist_about(const rvJointFrames* frames, double value, rvVec3 local)
{
    rvVec3 g = rvRotate(frames->a.q, local);
    rvJointLine line = {value, {0, 0, 0}, rvNeg(g), g};
    return line;
}

static rvJointLine measure_move(const rvJointFrames* frames, int i)
{
    return push(frames, rvDot(unit[i], frames->offset), unit[i], frames->armA);
}

static rvJointLine measure_slide(const rvJointFrames* frames, int i)
{
    rvVec3 n = rvRotate(frames->a.q, unit[i]);
    return push(frames, rvDot(n, frames->offset), n, rvAdd(frames->armA, frames->offset));
}

static rvJointLine measure_turn(const rvJointFrames* frames, int i)
{
    rvVec3 theta = rvQuatToRotation(frames->turn);
    double t2 = rvDot(theta, theta);
    double half = 0.5 * sqrt(t2);
    double c = t2 > 1e-4 ? (1.0 - half * cos(half) / sin(half)) / t2 : 1.0 / 12.0 + t2 / 720.0;
    rvVec3 across = rvCross(theta, unit[i]);
    rvVec3 g = rvMulAdd(rvMulAdd(unit[i], 0.5, across), c, rvCross(theta, across));
    return twist_about(frames, i == 0 ? theta.x : i == 1 ? theta.y : theta.z, g);
}

static rvJointLine measure_tilt(const rvJointFrames* frames, int i)
{
    rvVec3 b = rvRotate(frames->turn, unit[2]);
    double s = sqrt(b.x * b.x + b.y * b.y);
    if (b.z < 0.0 && s < leastSine) {
        b = s > 0.0 ? rvScale(leastSine / s, b) : rvVec(leastSine, 0, 0);
        b.z = -sqrt(1.0 - leastSine * leastSine);
        s = leastSine;
    }
    double angle = atan2(s, b.z);
    double a2 = angle * angle;
    // stretch = angle/sine, and its derivative by the cosine; by series where they cannot be divided out
    double stretch = angle > 1e-3 ? angle / s : 1.0 + a2 / 6.0;
    double slope = angle > 1e-3 ? -(s - angle * b.z) / (s * s * s) : -1.0 / 3.0 - 2.0 * a2 / 15.0;
    rvVec3 gradient = i == 0 ? rvVec(0, -stretch, -slope * b.y) : rvVec(stretch, 0, slope * b.x);
    return twist_about(frames, i == 0 ? -stretch * b.y : stretch * b.x, rvCross(b, gradient));
}

static rvJointLine measure_twist(const rvJointFrames* frames, int i)
{
    (void)i;
    rvQuat q = frames->turn;
    double n = fmax(q.w * q.w + q.z * q.z, leastSine * leastSine);
    rvVec3 g = rvVec((q.w * q.y + q.z * q.x) / n, (q.z * q.y - q.w * q.x) / n, 1.0);
    return twist_about(frames, 2.0 * atan2(q.z, q.w), g);
}

static rvJointLine measure_cardan(const rvJointFrames* frames, int i)
{
    rvMat3 r = rvMat3FromQuat(frames->turn);
    double c = sqrt(r.m[1][1] * r.m[1][1] + r.m[2][1] * r.m[2][1]);
    // (alpha, gamma, beta) and (alpha + pi, pi - gamma, beta + pi) are the same pose: take the one nearer to the last
    // values. Their cosines differ in sign.
    double alpha = atan2(r.m[2][1], r.m[1][1]);
    double beta = atan2(r.m[0][2], r.m[0][0]);
    double near = cos(alpha - frames->last[0]) + cos(beta - frames->last[1]) + c;
    double side = near < 0.0 ? -1.0 : 1.0;
    if (i == 2) {
        rvVec3 e2 = c > 0.0 ? rvVec(0, -side * r.m[2][1] / c, side * r.m[1][1] / c) : unit[2];
        return twist_about(frames, atan2(-r.m[0][1], side * c), e2);
    }
    rvVec3 e3 = rvVec(r.m[0][1], r.m[1][1], r.m[2][1]);
    double s = -r.m[0][1];
    double scale = 1.0 / fmax(c * c, leastSine * leastSine);
    if (i == 0)
        return twist_about(frames, atan2(side * r.m[2][1], side * r.m[1][1]), rvScale(scale, rvMulAdd(unit[0], s, e3)));
    return twist_about(frames, atan2(side * r.m[0][2], side * r.m[0][0]), rvScale(scale, rvMulAdd(e3, s, unit[0])));
}

static rvJointLine measure_swing(const rvJointFrames* frames, int i)
{
    (void)i;
    rvVec3 b = rvRotate(frames->turn, unit[2]);
    double s = sqrt(b.x * b.x + b.y * b.y);
    rvVec3 g = s > 0.0 ? rvVec(-b.y / s, b.x / s, 0) : unit[0];
    return twist_about(frames, atan2(s, b.z), g);
}

static rvJointLine measure_length(const rvJointFrames* frames, int i)
{
    (void)i;
    rvVec3 n = rvNormalizeOr(frames->offset, rvRotate(frames->a.q, unit[2]));
    return push(frames, rvLength(frames->offset), n, frames->armA);
}

// A turn about a world axis: has a speed, no value.
static rvJointLine measure_spin(const rvJointFrames* frames, int i)
{
    (void)frames;
    rvJointLine line = {0.0, {0, 0, 0}, rvNeg(unit[i]), unit[i]};
    return line;
}

// clang-format off
#define MOVE(i)   {.measure = measure_move, .component = (i), .gap = true}
#define SLIDE(i)  {.measure = measure_slide, .component = (i), .turnsWithA = true}
#define TURN(i)   {.measure = measure_turn, .component = (i), .angular = true}
#define TILT(i)   {.measure = measure_tilt, .component = (i), .angular = true}
#define TWIST     {.measure = measure_twist, .angular = true, .turns = true}
#define CARDAN(i) {.measure = measure_cardan, .component = (i), .angular = true, .turns = true}
#define SWING     {.measure = measure_swing, .angular = true, .nonNegative = true}
#define LENGTH    {.measure = measure_length, .nonNegative = true}
#define SPIN(i)   {.measure = measure_spin, .component = (i), .angular = true}

static const rvJointLayout layouts[] = {
    [RV_JOINT_FIXED]       = {.name = "fixed", .mainAxis = {0, 0, 1},
                              .heldCount = 6, .held = {MOVE(0), MOVE(1), MOVE(2), TURN(0), TURN(1), TURN(2)}},
    [RV_JOINT_BALL]        = {.name = "ball", .mainAxis = {0, 0, 1},
                              .heldCount = 3, .held = {MOVE(0), MOVE(1), MOVE(2)},
                              .axisCount = 1, .axes = {SWING}, .noMotor = true,
                              .dragCount = 3, .drag = {SPIN(0), SPIN(1), SPIN(2)}},
    [RV_JOINT_HINGE]       = {.name = "hinge", .mainAxis = {0, 0, 1},
                              .heldCount = 5, .held = {MOVE(0), MOVE(1), MOVE(2), TILT(0), TILT(1)},
                              .axisCount = 1, .axes = {TWIST}},
    [RV_JOINT_SLIDER]      = {.name = "slider", .mainAxis = {0, 0, 1},
                              .heldCount = 5, .held = {SLIDE(0), SLIDE(1), TURN(0), TURN(1), TURN(2)},
                              .axisCount = 1, .axes = {SLIDE(2)}},
    [RV_JOINT_CYLINDRICAL] = {.name = "cylindrical", .mainAxis = {0, 0, 1},
                              .heldCount = 4, .held = {SLIDE(0), SLIDE(1), TILT(0), TILT(1)},
                              .axisCount = 2, .axes = {SLIDE(2), TWIST}},
    [RV_JOINT_UNIVERSAL]   = {.name = "universal", .mainAxis = {1, 0, 0},
                              .heldCount = 4, .held = {MOVE(0), MOVE(1), MOVE(2), CARDAN(2)},
                              .axisCount = 2, .axes = {CARDAN(0), CARDAN(1)}},
    [RV_JOINT_DISTANCE]    = {.name = "distance", .mainAxis = {0, 0, 1},
                              .heldCount = 1, .held = {LENGTH},
                              .axisCount = 1, .axes = {LENGTH}, .yields = true},
};
// clang-format on

const rvJointLayout* rv_joint_layout(rvJointType type)
{
    return (unsigned)type < sizeof layouts / sizeof layouts[0] ? &layouts[type] : NULL;
}
