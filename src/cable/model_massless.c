// SPDX-License-Identifier: MIT
// The massless cable (paper 000): one stretch row over any number of bodies.
//
//   phi = l - L,  eps = L/EA,  T = phi/eps >= 0.   Force on the bodies: -G^T T, G = dl/dq (route.h).
//   row: J = -G, x = h T,   -G v' + (4 g eps/h^2 + xi/h) x = (4 g/h) phi - g d - w,   0 <= x <= h F
// with d the stretch rate dphi/dt, w the winches' rate of rest length, xi their compliance, F their force limit
// (CAPSTAN rules: the error in print of the sign of w is corrected). Slack is the bound x = 0: exact, no pushing.
// A cable too stiff for the step, h^2 G M^-1 G^T > 4 eps, is damped with at least tau = h/2: with less, a snap makes energy.
// A slack cable that stays slack in this step has its bounds closed: its damping must not pull before it is taut.
#include "cable/cable_model.h"

static double compliance_of(const rvCable* cable)
{
    return cable->state.restLength / cable->axialStiffness;
}

static double point_speed(const double v[6], rvVec3 arm, rvVec3 along)
{
    rvVec3 turning = rvCross(arm, along);
    return along.x * v[0] + along.y * v[1] + along.z * v[2] + turning.x * v[3] + turning.y * v[4] + turning.z * v[5];
}

// Writes -G into the group's Jacobians; answers G M^-1 G^T and, through *freeRate, G v of the free velocities.
static double write_stretch(const rvCable* cable, const rvBodyStore* bodies, rvRows* rows, int group, double* freeRate)
{
    const rvRoute* route = &cable->route;
    *freeRate = 0.0;
    for (int i = 0; i < route->placeCount; ++i) {
        const rvPlace* place = &route->places[i];
        if (place->slot < 0)
            continue;
        rvVec3 g = rv_route_gradient(route, i);
        rvVec3 turning = rvCross(place->arm, g);
        double* j = rv_group_jacobian(rows, group, place->slot)[0];
        j[0] -= g.x;
        j[1] -= g.y;
        j[2] -= g.z;
        j[3] -= turning.x;
        j[4] -= turning.y;
        j[5] -= turning.z;
        *freeRate += point_speed(bodies->freeVelocity[place->body], place->arm, g);
    }
    double mobility = 0.0;
    for (int slot = 0; slot < route->bodyCount; ++slot) {
        const double* j = rv_group_jacobian(rows, group, slot)[0];
        const double* m = bodies->inverse[route->bodies[slot]];
        mobility += m[0] * (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) + m[1] * j[3] * j[3] + m[4] * j[4] * j[4] +
                    m[6] * j[5] * j[5] + 2.0 * (m[2] * j[3] * j[4] + m[3] * j[3] * j[5] + m[5] * j[4] * j[5]);
    }
    return mobility;
}

// SPOOK's force is the mean of the stretch p at the middle of the last step and that of this step, n. While the cable was
// slack p < 0 is no stretch: counted in full, a snap gains p^2/(2 eps); not counted, it loses |p| n/(2 eps). Counted as
// a p with a = n/(n + |p|) it keeps its energy; n is taken too small here rather than too large: as if nothing held back
// the bodies.
static double rate_when_taut(const rvCable* cable, double h, double stiffness, double freeRate)
{
    double p = cable->stretch - 0.5 * h * cable->state.stretchRate;
    if (p >= 0.0)
        return cable->state.stretchRate;
    double n = fmax(0.0, (cable->stretch + 0.5 * h * freeRate) / (1.0 + 0.25 * stiffness));
    return 2.0 / h * (cable->stretch - n / (n - p) * p);
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    cable->group = -1;
    rvCableState* s = &cable->state;
    const rvRoute* route = &cable->route;
    if (s->broken != 0.0 || cable->loose || route->bodyCount == 0)
        return;
    int stiff = rv_span_stiffness_count(cable, bodies, context);
    int group = rv_rows_add(rows, RV_GROUP_CABLE, owner, 1 + 2 * stiff, route->bodies, route->bodyCount);
    if (group < 0)
        return;
    cable->group = group;
    double freeRate;
    double mobility = write_stretch(cable, bodies, rows, group, &freeRate);
    double h = context->h;
    double phi = cable->stretch;
    double eps = compliance_of(cable);
    double tau = rv_damping_time(context, cable->damping);
    if (h * h * mobility > 4.0 * eps)
        tau = fmax(tau, 0.5 * h);

    rvRow* row = rv_group_rows(rows, group);
    double rate = s->stretchRate;
    if (!cable->pushes)
        rate = rate_when_taut(cable, h, h * h * mobility / eps, freeRate - cable->driveSpeed);
    rv_row_set_position(row, context, -phi, -rate, eps, tau);
    row->bias -= cable->driveSpeed;
    row->compliance += cable->driveCompliance / h;
    row->lower = cable->pushes ? -HUGE_VAL : 0.0;
    row->upper = h * cable->driveForce;
    bool staysSlack = s->tension <= 0.0 && phi + h * (freeRate - cable->driveSpeed) <= 0.0;
    if (staysSlack && !cable->pushes)
        row->upper = 0.0;
    row->mode = staysSlack && !cable->pushes ? RV_ROW_LOWER : (int16_t)s->mode;
    row->impulse = h * s->tension;
    if (stiff > 0)
        rv_span_stiffness_write(cable, bodies, context, rows, group, 1);
}

static void read_rows(rvCable* cable, const rvStepContext* context, const rvRows* rows)
{
    rvCableState* s = &cable->state;
    if (cable->group < 0) {
        s->tension = 0.0;
        s->mode = RV_ROW_LOWER;
        return;
    }
    const rvRow* row = rv_group_rows(rows, cable->group);
    s->tension = row->impulse / context->h;
    s->mode = row->mode;
}

static void advance(rvCable* cable, const rvStepContext* context)
{
    rvCableState* s = &cable->state;
    s->restLength += rv_winch_advance(cable, context);
    double phi = cable->route.length - s->restLength;
    bool slips = cable->group >= 0 && s->mode == RV_ROW_UPPER && s->tension > 0.0;
    s->slipping = slips ? 1.0 : 0.0;
    if (slips) {
        // T = F fixes the stretch: the drum lets the rest go
        double more = phi - cable->driveForce * compliance_of(cable);
        if (more > 0.0) {
            int weaker = !cable->hasWinch[0] || (cable->hasWinch[1] && s->winch[1].maxForce < s->winch[0].maxForce);
            s->restLength += more;
            s->winchWork[weaker] -= more * s->tension;
            s->winchRate[weaker] += more / context->h;
            phi -= more;
        }
    }
    s->stretchRate = slips ? 0.0 : (phi - cable->stretch) / context->h;
}

// Stretch at the middle of the step, where the time-centred rule keeps the energy.
static double elastic_energy(const rvCable* cable, double h)
{
    double phi = cable->route.length - cable->state.restLength - 0.5 * h * cable->state.stretchRate;
    if (cable->state.broken != 0.0 || cable->loose || (phi < 0.0 && !cable->pushes))
        return 0.0;
    return 0.5 * phi * phi / compliance_of(cable);
}

static double tension(const rvCable* cable, int span)
{
    (void)span; // without friction all spans pull alike
    return cable->state.tension;
}

static int shape(const rvCable* cable, rvVec3* points, int capacity)
{
    for (int i = 0; i < cable->route.placeCount && i < capacity; ++i)
        points[i] = cable->route.places[i].point;
    return cable->route.placeCount;
}

const rvCableModelOps rv_model_massless = {"massless", write_rows, read_rows, advance, elastic_energy, tension, shape};
