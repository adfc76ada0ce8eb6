// SPDX-License-Identifier: MIT
// Water on rope that flows, by Gauss points: drag, added mass, buoyancy of a point are those of ANCF
// (ancf/ancf_water.c).
//
// A force F on the rope at a point of the mesh acts on all seven coordinates as gravity does, by the virtual
// displacement
//   dr = J (dq, dp_a, dp_b),   J = [N, -(1 - x) d/g, -x d/g],   d = dr/dlambda,   g lambda metres of rope
// so that rope which runs is slowed down along itself by the drag on its skin. Drag goes by the velocity of the rope
// itself,
//   v = N q' - (f/g) d;   with D = - dF/dv its part in the matrix of a step is J^T D J: symmetric and positive.
// Added mass m (I - t t^T), t along d, takes the acceleration of the rope across itself: of
//   a = N q'' - (2 f/g) d' + (f^2/g^2) d2r/dlambda2 + (...) d   nothing along d; so it is in no column of p.
// Buoyancy is a weight upwards: it grows with g as the weight does. Added mass that comes at the surface is taken along
// by a blow at the end of the step, across the rope, as of ANCF: (M + M_a)(v' - v) = -(more of M_a) (v - water's).
#include "cable/ale/ale_parts.h"

typedef struct {
    double s[4], r[3], d[3], t[3];
    double x, length; // share of the fall, rope [m]
} Point;

static Point point_of(const rvAleFall* fall, const double* q, double g, int e, int k)
{
    const rvAncf* cable = fall->ancf;
    double l = cable->elements[e].length, s1[4];
    Point p = {.length = g * l * rv_ancf_gauss_weight[k]};
    p.x = (cable->places[e] + rv_ancf_gauss[k] * l) / fall->mesh;
    rv_ancf_shape(rv_ancf_gauss[k], l, p.s);
    rv_ancf_shape_slope(rv_ancf_gauss[k], l, s1);
    rv_ancf_blend(q, e, p.s, p.r);
    rv_ancf_blend(q, e, s1, p.d);
    double size = sqrt(rv_ancf_dot3(p.d, p.d));
    for (int c = 0; c < 3; c++)
        p.t[c] = size > 0.0 ? p.d[c] / size : 0.0;
    return p;
}

// Of the rope.
static void speed_at(const Point* p, const double* v, int e, const rvAleFlow* flow, double speed[3])
{
    double f = (flow->rate[0] + p->x * (flow->rate[1] - flow->rate[0])) / flow->g;
    rv_ancf_blend(v, e, p->s, speed);
    for (int c = 0; c < 3; c++)
        speed[c] -= f * p->d[c];
}

// Of the rope across itself, all that is along d left out.
static void acceleration_at(const Point* p, const rvAleFall* fall, const rvAleState* at, int e, int k,
                            const rvAleFlow* flow, double accel[3])
{
    double f = (flow->rate[0] + p->x * (flow->rate[1] - flow->rate[0])) / flow->g, l = fall->ancf->elements[e].length;
    double s1[4], s2[4], turn[3], bend[3];
    rv_ancf_shape_slope(rv_ancf_gauss[k], l, s1);
    rv_ancf_shape_bend(rv_ancf_gauss[k], l, s2);
    rv_ancf_blend(at->a, e, p->s, accel);
    rv_ancf_blend(at->v, e, s1, turn);
    rv_ancf_blend(at->q, e, s2, bend);
    for (int c = 0; c < 3; c++)
        accel[c] += f * (f * bend[c] - 2.0 * turn[c]);
    double along = rv_ancf_dot3(accel, p->t);
    for (int c = 0; c < 3; c++)
        accel[c] -= along * p->t[c];
}

static double added_at(const rvAle* ale, const Point* p)
{
    return p->length * ale->water.addedMass * rv_water_displaced(&ale->water, ale->diameter, p->r[2]);
}

static void drag_at(const rvAle* ale, const Point* p, const double speed[3], double force[3], double d[3][3])
{
    rv_water_drag(&ale->water, ale->diameter, p->length, p->r, p->t, speed, force, d);
}

// By its tangent about v.
static void linear_drag_at(const rvAle* ale, const Point* p, const rvAleState* at, int e, const rvAleFlow* flow,
                           const double speed[3], double force[3], double d[3][3])
{
    double about[3];
    speed_at(p, at->v, e, flow, about);
    drag_at(ale, p, about, force, d);
    const double more[3] = {speed[0] - about[0], speed[1] - about[1], speed[2] - about[2]};
    for (int c = 0; c < 3; c++)
        force[c] -= rv_ancf_dot3(d[c], more);
}

static void spread(double* y, int e, const Point* p, double share, const double f[3])
{
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            y[6 * e + 3 * i + c] += share * p->s[i] * f[c];
}

static void push(rvAleFall* fall, int e, const Point* p, double g, const double f[3], double* force)
{
    double along = rv_ancf_dot3(p->d, f) / g;
    spread(force, e, p, 1.0, f);
    fall->forceP[0] -= (1.0 - p->x) * along;
    fall->forceP[1] -= p->x * along;
}

// Of J^T damping J what is not among nodes.
static void add_border(rvAleBorder* border, int e, const Point* p, double g, double damping[3][3])
{
    double on[3], y[2] = {-(1.0 - p->x) / g, -p->x / g};
    for (int c = 0; c < 3; c++)
        on[c] = rv_ancf_dot3(damping[c], p->d);
    double both = rv_ancf_dot3(p->d, on);
    for (int i = 0; i < 2; i++)
        spread(border->column[i], e, p, y[i], on);
    border->corner[0] += y[0] * y[0] * both;
    border->corner[1] += y[0] * y[1] * both;
    border->corner[2] += y[1] * y[1] * both;
}

// A fall with more rope is lifted more; at ends that bodies move half stands on either side, as of weight (ale_flow.c).
static void add_lift_column(rvAleFall* fall, int e, const Point* p, double g, double lift)
{
    const double f[3] = {0.0, 0.0, lift / (g * fall->mesh)};
    spread(fall->border.column[0], e, p, 1.0, f);
    spread(fall->border.column[1], e, p, -1.0, f);
}

static void add_end_lift(const rvAle* ale, rvAleFall* fall, const double* q)
{
    int last = 6 * rv_ale_end_node(fall, RV_ALE_END) + 2;
    fall->border.column[0][2] -= 0.5 * rv_ale_lift(ale, q[2]);
    fall->border.column[1][last] += 0.5 * rv_ale_lift(ale, q[last]);
}

void rv_ale_water(rvAle* ale, int index, const rvAleState* at, const rvAleFlow* flow, const rvAleWish* wish,
                  double* force)
{
    rvAleFall* fall = &ale->falls[index];
    const rvAncf* cable = fall->ancf;
    rvAleFlow rates = rv_ale_flow_of(ale, index, ale->rt.p, at->pd ? at->pd : ale->rt.v1, ale->rt.a1);
    bool heavier = wish && !wish->massOnly && !wish->weightless;
    for (int e = 0; e < cable->elementCount; e++) {
        double h[12][12] = {{0.0}};
        for (int k = 0; k < RV_ANCF_POINTS; k++) {
            Point p = point_of(fall, at->q, flow->g, e, k);
            double speed[3], accel[3], f[3], m[3][3], lift = p.length * rv_ale_lift(ale, p.r[2]);
            double added = wish && wish->still ? 0.0 : added_at(ale, &p);
            speed_at(&p, at->vd, e, &rates, speed);
            acceleration_at(&p, fall, at, e, k, flow, accel);
            if (at->aboutV)
                linear_drag_at(ale, &p, at, e, flow, speed, f, m);
            else
                drag_at(ale, &p, speed, f, m);
            for (int c = 0; c < 3; c++)
                f[c] -= added * accel[c];
            f[2] += lift;
            push(fall, e, &p, flow->g, f, force);
            if (!wish)
                continue;
            for (int i = 0; i < 9; i++)
                m[i / 3][i % 3] *= wish->dampFactor;
            add_border(&fall->border, e, &p, flow->g, m);
            if (heavier)
                add_lift_column(fall, e, &p, flow->g, lift);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    m[i][j] += wish->massFactor * added * ((i == j ? 1.0 : 0.0) - p.t[i] * p.t[j]);
            for (int i = 0; i < 12; i++)
                for (int j = 0; j < 12; j++)
                    h[i][j] += p.s[i / 3] * p.s[j / 3] * m[i % 3][j % 3];
        }
        if (wish)
            rv_ancf_add_element(cable, cable->slots, e, h);
    }
    if (heavier)
        add_end_lift(ale, fall, at->q);
}

double rv_ale_lift(const rvAle* ale, double height)
{
    return rvLength(ale->gravity) * rv_water_displaced(&ale->water, ale->diameter, height);
}

double rv_ale_lift_energy(const rvAle* ale, double height)
{
    // 0 at the origin as that of weight: a surface may be out of sight
    return rvLength(ale->gravity) * rv_water_lift_energy(&ale->water, ale->diameter, height);
}

void rv_ale_water_energy(const rvAle* ale, int index, const rvAleFlow* flow, double* kinetic, double* potential)
{
    const rvAleFall* fall = &ale->falls[index];
    const rvAncf* cable = fall->ancf;
    for (int e = 0; e < cable->elementCount; e++)
        for (int k = 0; k < RV_ANCF_POINTS; k++) {
            Point p = point_of(fall, cable->q, flow->g, e, k);
            double speed[3];
            rv_ancf_blend(cable->v, e, p.s, speed);
            double along = rv_ancf_dot3(speed, p.t);
            *kinetic += 0.5 * added_at(ale, &p) * (rv_ancf_dot3(speed, speed) - along * along);
            *potential += p.length * rv_ale_lift_energy(ale, p.r[2]);
        }
}

// By how much deeper a point of the mesh lies at the end of the step; what rope brings along that runs through it is
// not new.
bool rv_ale_water_blow(const rvAle* ale, int index, double* blow)
{
    const rvAleFall* fall = &ale->falls[index];
    const rvAncf* cable = fall->ancf;
    rvAleFlow flow = rv_ale_flow_of(ale, index, ale->rt.p, ale->rt.v1, ale->rt.a1);
    bool enters = false;
    memset(blow, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    for (int e = 0; e < cable->elementCount; e++)
        for (int k = 0; k < RV_ANCF_POINTS; k++) {
            Point p = point_of(fall, fall->rt.p, flow.g, e, k);
            double before[3], speed[3], f[3];
            rv_ancf_blend(cable->q, e, p.s, before);
            double more = added_at(ale, &p) -
                          p.length * ale->water.addedMass * rv_water_displaced(&ale->water, ale->diameter, before[2]);
            if (!(more > 0.0))
                continue;
            enters = true;
            speed_at(&p, fall->rt.v1, e, &flow, speed);
            rvVec3 water = rv_water_current(&ale->water, p.r[2]);
            speed[0] -= water.x;
            speed[1] -= water.y;
            speed[2] -= water.z;
            double along = rv_ancf_dot3(speed, p.t);
            for (int c = 0; c < 3; c++)
                f[c] = -more * (speed[c] - along * p.t[c]);
            spread(blow, e, &p, 1.0, f);
        }
    return enters;
}

bool rv_ale_is_driven(const rvAle* ale)
{
    for (int i = 0; ale->water.on && i < ale->water.currentCount; i++)
        if (rvLength(ale->water.currents[i].speed) > 0.0)
            return true;
    return false;
}

double rv_ale_current_power(const rvAle* ale)
{
    double sum = 0.0;
    for (int i = 0; rv_ale_is_driven(ale) && i < ale->fallCount; i++) {
        const rvAleFall* fall = &ale->falls[i];
        rvAleFlow flow = rv_ale_flow_of(ale, i, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
        for (int e = 0; e < fall->ancf->elementCount; e++)
            for (int k = 0; k < RV_ANCF_POINTS; k++) {
                Point p = point_of(fall, fall->ancf->q, flow.g, e, k);
                double speed[3], f[3];
                speed_at(&p, fall->ancf->v, e, &flow, speed);
                drag_at(ale, &p, speed, f, NULL);
                sum += rvDot(rvVec(f[0], f[1], f[2]), rv_water_current(&ale->water, p.r[2]));
            }
    }
    return sum;
}

double rv_ale_drag_work(const rvAle* ale)
{
    static const double still[3];
    double sum = 0.0;
    for (int i = 0; i < ale->fallCount; i++) {
        const rvAleFall* fall = &ale->falls[i];
        rvAleFlow moved = rv_ale_flow_of(ale, i, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
        memcpy(moved.rate, fall->dp, sizeof moved.rate);
        for (int e = 0; e < fall->ancf->elementCount; e++)
            for (int k = 0; k < RV_ANCF_POINTS; k++) {
                Point p = point_of(fall, fall->ancf->q, moved.g, e, k);
                double way[3], f[3];
                speed_at(&p, fall->rt.r, e, &moved, way);
                drag_at(ale, &p, still, f, NULL);
                sum += rv_ancf_dot3(f, way);
            }
    }
    return sum;
}
