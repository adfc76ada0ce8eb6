// SPDX-License-Identifier: MIT
// Water on a cable: Morison drag, added mass, buoyancy; at a point, and on an ANCF cable by Gauss points. (On rope that
// flows: ale/ale_water.c.)
//
// With w the speed of the water less that of the cable, t the tangent, w_t = t (t.w), w_n = w - w_t, a length:
//   drag      1/2 rho d (C_n |w_n| w_n + pi C_t |w_t| w_t)
//   mass      rho pi d^2/4 C_a (I - t t^T), at the start of the step
//   buoyancy  rho pi d^2/4 |g| upwards (z)
// all times the share of the section under water, which falls from 1 to 0 over a diameter at the surface.
//
// Where a cable comes into the water its added mass grows. Water that was at rest is then taken along, by a blow that
// keeps the momentum, d(m v)/dt = 0 of m = m_cable + m_added: the force -v dm/dt; what goes out leaves its water behind
// with its speed, and feels nothing. Either way energy v^2 |dm|/2 is lost (spray). Lagrange's force, -v^2/2 dm/dz both
// ways, would be without loss: water that is left behind would push. As the surface is a diameter thick, which a step
// may cross, the real-time step makes it a jump of speeds at its end, by what was added in it: (M + M_a1)(v' - v) =
// -(M_a1 - M_a0)^+ (v - water's). That is exact for any step and cannot raise the energy. (The other methods leave it
// out, as the paper does; rope that flows has it too.)
#include "cable/ancf/ancf_parts.h"

static const double PI = 3.14159265358979323846;

rvVec3 rv_water_current(const rvAncfWater* water, double height)
{
    int n = water->currentCount;
    const rvAncfCurrent* c = water->currents;
    if (n == 0)
        return rvVec(0, 0, 0);
    if (height <= c[0].height)
        return c[0].speed;
    for (int i = 1; i < n; i++)
        if (height < c[i].height) {
            double x = (height - c[i - 1].height) / (c[i].height - c[i - 1].height);
            return rvMulAdd(c[i - 1].speed, x, rvSub(c[i].speed, c[i - 1].speed));
        }
    return c[n - 1].speed;
}

// What of the section is wet, by the depth of its middle in diameters.
static double share_of(double depth)
{
    return fmin(fmax(depth + 0.5, 0.0), 1.0);
}

static double full_section(const rvAncfWater* water, double diameter)
{
    return water->density * 0.25 * PI * diameter * diameter;
}

double rv_water_displaced(const rvAncfWater* water, double diameter, double height)
{
    return full_section(water, diameter) * share_of((water->level - height) / diameter);
}

// Integral of the share up to a depth, in diameters.
static double sum_of_shares(double depth)
{
    double share = share_of(depth);
    return depth < 0.5 ? 0.5 * share * share : depth;
}

double rv_water_lift_energy(const rvAncfWater* water, double diameter, double height)
{
    double depth = (water->level - height) / diameter, zero = water->level / diameter;
    // far below the surface nothing is left of the level, which may be very high: its digits would be those of the
    // motion
    double rise = depth > 0.5 && zero > 0.5 ? -height / diameter : sum_of_shares(depth) - sum_of_shares(zero);
    return full_section(water, diameter) * diameter * rise;
}

void rv_water_drag(const rvAncfWater* water, double diameter, double length, const double r[3], const double t[3],
                   const double speed[3], double force[3], double d[3][3])
{
    double w[3], n[3];
    rvVec3 current = rv_water_current(water, r[2]);
    const double flow[3] = {current.x, current.y, current.z};
    for (int c = 0; c < 3; c++)
        w[c] = flow[c] - speed[c];
    double along = rv_ancf_dot3(w, t);
    for (int c = 0; c < 3; c++)
        n[c] = w[c] - along * t[c];
    double across = sqrt(rv_ancf_dot3(n, n));
    double f = length * 0.5 * water->density * diameter * share_of((water->level - r[2]) / diameter);
    double fn = f * water->normalDrag, ft = f * PI * water->tangentDrag;
    for (int i = 0; i < 3; i++) {
        force[i] = fn * across * n[i] + ft * fabs(along) * along * t[i];
        for (int j = 0; d && j < 3; j++)
            d[i][j] =
                fn * (across * ((i == j ? 1.0 : 0.0) - t[i] * t[j]) + (across > 0.0 ? n[i] * n[j] / across : 0.0)) +
                2.0 * ft * fabs(along) * t[i] * t[j];
    }
}

// ---- on an ANCF cable

// A Gauss point: shape functions, place, weight.
typedef struct {
    double s[4], r[3], weight;
} Point;

static Point point_of(const rvAncf* cable, const double* q, int e, int g)
{
    Point p = {.weight = cable->elements[e].length * rv_ancf_gauss_weight[g]};
    rv_ancf_shape(rv_ancf_gauss[g], cable->elements[e].length, p.s);
    rv_ancf_blend(q, e, p.s, p.r);
    return p;
}

static void spread(double* force, int e, const Point* p, const double f[3])
{
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            force[6 * e + 3 * i + c] += p->s[i] * f[c];
}

void rv_ancf_water_update(rvAncf* cable, const double* q)
{
    const rvAncfWater* water = &cable->water;
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            rvAncfWet* wet = &cable->wet[e][g];
            Point p = point_of(cable, q, e, g);
            double s1[4], a[3];
            rv_ancf_shape_slope(rv_ancf_gauss[g], cable->elements[e].length, s1);
            rv_ancf_blend(q, e, s1, a);
            double length = sqrt(rv_ancf_dot3(a, a));
            for (int c = 0; c < 3; c++)
                wet->t[c] = length > 0.0 ? a[c] / length : 0.0;
            wet->added = p.weight * water->addedMass * rv_water_displaced(water, cable->elements[e].diameter, p.r[2]);
        }
}

void rv_ancf_water_begin(rvAncf* cable, const double* q)
{
    rv_ancf_water_update(cable, q);
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++)
            cable->wet[e][g].start = cable->wet[e][g].added;
}

void rv_ancf_water_update_before(rvAncf* cable, const double* q)
{
    rv_ancf_water_update(cable, q);
    for (int e = 0; cable->water.takenAlong && e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++)
            cable->wet[e][g].added = fmin(cable->wet[e][g].added, cable->wet[e][g].start);
}

bool rv_ancf_water_enter(rvAncf* cable, const double* q, double* v)
{
    double* jump = cable->work[7];
    bool enters = false;
    rv_ancf_water_update(cable, q);
    memset(jump, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const rvAncfWet* wet = &cable->wet[e][g];
            double more = wet->added - wet->start, u[3];
            if (!(more > 0.0) || !cable->water.takenAlong)
                continue;
            enters = true;
            Point p = point_of(cable, q, e, g);
            rv_ancf_blend(v, e, p.s, u);
            rvVec3 flow = rv_water_current(&cable->water, p.r[2]);
            const double speed[3] = {u[0] - flow.x, u[1] - flow.y, u[2] - flow.z};
            double along = rv_ancf_dot3(wet->t, speed), f[3];
            for (int c = 0; c < 3; c++)
                f[c] = -more * (speed[c] - along * wet->t[c]);
            spread(jump, e, &p, f);
        }
    if (!enters)
        return false;
    rv_ancf_mass_solve(cable, jump);
    for (int i = 0; i < cable->dofCount; i++)
        v[i] += jump[i];
    return true;
}

// The drag at a point and, where wanted, minus its derivative by the speed of the cable.
static void drag_at(const rvAncf* cable, int e, int g, const Point* p, const double* v, double force[3], double d[3][3])
{
    double speed[3];
    rv_ancf_blend(v, e, p->s, speed);
    rv_water_drag(&cable->water, cable->elements[e].diameter, p->weight, p->r, cable->wet[e][g].t, speed, force, d);
}

void rv_ancf_water_force(const rvAncf* cable, const double* q, const double* v, double* force)
{
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            double f[3];
            drag_at(cable, e, g, &p, v, f, NULL);
            spread(force, e, &p, f);
        }
}

void rv_ancf_buoyancy_force(const rvAncf* cable, const double* q, double* force)
{
    double g0 = rvLength(cable->gravity);
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            double lift = p.weight * g0 * rv_water_displaced(&cable->water, cable->elements[e].diameter, p.r[2]);
            spread(force, e, &p, (double[]){0.0, 0.0, lift});
        }
}

double rv_ancf_buoyancy_energy(const rvAncf* cable, const double* q)
{
    double sum = 0.0, g0 = rvLength(cable->gravity);
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            sum += p.weight * g0 * rv_water_lift_energy(&cable->water, cable->elements[e].diameter, p.r[2]);
        }
    return sum;
}

// m (x - t (t.x))
static void across(const rvAncfWet* wet, const double x[3], double out[3])
{
    double along = rv_ancf_dot3(wet->t, x);
    for (int c = 0; c < 3; c++)
        out[c] = wet->added * (x[c] - along * wet->t[c]);
}

void rv_ancf_water_mass(const rvAncf* cable, const double* x, double* y)
{
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p;
            double u[3], f[3];
            rv_ancf_shape(rv_ancf_gauss[g], cable->elements[e].length, p.s);
            rv_ancf_blend(x, e, p.s, u);
            across(&cable->wet[e][g], u, f);
            spread(y, e, &p, f);
        }
}

void rv_ancf_water_matrix(rvAncf* cable, rvAncfSlot* slots, const double* q, const double* v, const rvAncfWish* wish)
{
    bool damped = cable->water.implicitDrag && wish->dampFactor > 0.0;
    for (int e = 0; e < cable->elementCount; e++) {
        double h[12][12] = {{0.0}};
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            const rvAncfWet* wet = &cable->wet[e][g];
            double m[3][3] = {{0.0}}, f[3];
            if (damped)
                drag_at(cable, e, g, &p, v, f, m);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    m[i][j] = wish->dampFactor * m[i][j] +
                              wish->massFactor * wet->added * ((i == j ? 1.0 : 0.0) - wet->t[i] * wet->t[j]);
            for (int i = 0; i < 12; i++)
                for (int j = 0; j < 12; j++)
                    h[i][j] += p.s[i / 3] * p.s[j / 3] * m[i % 3][j % 3];
        }
        rv_ancf_add_element(cable, slots, e, h);
    }
}

void rv_ancf_water_damping(const rvAncf* cable, const double* q, const double* v, const double* x, double* y)
{
    for (int e = 0; e < cable->elementCount; e++)
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            Point p = point_of(cable, q, e, g);
            double d[3][3], f[3], u[3], out[3];
            drag_at(cable, e, g, &p, v, f, d);
            rv_ancf_blend(x, e, p.s, u);
            for (int c = 0; c < 3; c++)
                out[c] = rv_ancf_dot3(d[c], u);
            spread(y, e, &p, out);
        }
}
