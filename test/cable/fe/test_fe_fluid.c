// SPDX-License-Identifier: MIT
#include "world/machines.h"

#define PI 3.14159265358979323846

// A limp line in a sheared current, a ball below it that the water does not touch: from the ball upwards
// T' = w sin a - f_t, T a' = w cos a - f_n, a the angle of the line above level, T and a of the ball M g and 90
// degrees.
typedef struct {
    double x, z, tension, angle;
} Line;

static double flow_at(double z)
{
    return z < -20.0 ? 0.0 : z > 0.0 ? 1.2 : 1.2 * (z + 20.0) / 20.0;
}

static Line slope_of(const Line* at, double weight, double drag, double skin, double EA)
{
    double c = cos(at->angle), s = sin(at->angle), u = flow_at(at->z), across = u * s, along = u * c;
    // the current goes along x; the normal (s, -c) is that way and down
    double normal = drag * fabs(across) * across + weight * c, tangent = skin * fabs(along) * along - weight * s;
    double longer = 1.0 + at->tension / EA;
    return (Line){longer * c, longer * s, -tangent, normal / at->tension};
}

static Line add(const Line* a, double h, const Line* d)
{
    return (Line){a->x + h * d->x, a->z + h * d->z, a->tension + h * d->tension, a->angle + h * d->angle};
}

// From the ball at depth `low` up along the line, by Runge and Kutta.
static Line integrate(double low, double length, double pull, double weight, double drag, double skin, double EA)
{
    Line at = {0.0, low, pull, 0.5 * PI};
    int n = 500;
    double h = length / n;
    for (int i = 0; i < n; ++i) {
        Line a = slope_of(&at, weight, drag, skin, EA), p = add(&at, 0.5 * h, &a);
        Line b = slope_of(&p, weight, drag, skin, EA), q = add(&at, 0.5 * h, &b);
        Line c = slope_of(&q, weight, drag, skin, EA), r = add(&at, h, &c);
        Line d = slope_of(&r, weight, drag, skin, EA);
        Line sum = {a.x + 2 * b.x + 2 * c.x + d.x, a.z + 2 * b.z + 2 * c.z + d.z,
                    a.tension + 2 * b.tension + 2 * c.tension + d.tension,
                    a.angle + 2 * b.angle + 2 * c.angle + d.angle};
        at = add(&at, h / 6.0, &sum);
    }
    return at;
}

static void LineHangsInAShearedCurrent(void** state)
{
    (void)state;
    const double length = 30.0, mass = 20.0, thick = 0.03, perMetre = 2.0, density = 1000.0, EA = 1e7;
    double weight = (perMetre - density * 0.25 * PI * thick * thick) * GRAVITY;
    double drag = 0.5 * density * thick * 1.2, skin = 0.5 * density * thick * PI * 0.02;
    double low = -length, high = 0.0;
    for (int i = 0; i < 60; ++i) { // how deep the ball is: its line ends at z = 0
        double z = 0.5 * (low + high);
        *(integrate(z, length, mass * GRAVITY, weight, drag, skin, EA).z < 0.0 ? &low : &high) = z;
    }
    Line top = integrate(low, length, mass * GRAVITY, weight, drag, skin, EA);
    for (int model = 0; model < 2; ++model) {
        rvWorld* world = make_world();
        rvBodyId ball = add_ball(world, mass, 0.2, rvVec(0, 0, -length));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(ball, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(model == 0 ? RV_CABLE_ANCF : RV_CABLE_ALE);
        def.length = length;
        def.elements = 40;
        def.diameter = thick;
        def.axialStiffness = EA;
        def.bendingStiffness = 0.1;
        def.massPerLength = perMetre;
        def.fluidDensity = density;
        def.wind = rvVec(0.2, 0, 0); // the rest is the current's
        const rvCableCurrent current[] = {{-20.0, rvVec(-0.2, 0, 0)}, {-10.0, rvVec(0.4, 0, 0)}, {0.0, rvVec(1, 0, 0)}};
        def.current = current;
        def.currentCount = 3;
        rvCableId line = add_cable_of(world, def, places, 2);
        rvSettleDef settle = rvDefaultSettleDef();
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, &settle, &report));
        // elements of 0.75 m by Gauss points: 1e-4 of the way; bending sqrt(EI/T) is a centimetre
        CHECK_NEAR(rvBody_GetPose(world, ball).p.x, -top.x, 1e-3 * length);
        CHECK_NEAR(rvBody_GetPose(world, ball).p.z, low, 1e-3 * length);
        CHECK_NEAR(rvCable_GetEndTension(world, line, 0, 0), top.tension, 1e-3 * top.tension);
        rvDestroyWorld(world);
    }
    CHECK_BELOW(top.x, -1.5); // it is drawn aside
}

static double tip_of(const rvWorld* world, rvCableId cable)
{
    rvCableSection section;
    assert_true(rvCable_GetSection(world, cable, 1.0, &section));
    return section.point.z;
}

// A cantilever that is let go: Kelvin and Voigt's time of bending takes pi tau w a swing of its first mode, w = 3.516
// sqrt(EI/(m L^4)). That of stretch has no part in it.
static void BendingIsDampedByItsOwnTime(void** state)
{
    (void)state;
    const struct {
        double damping, bending, expected;
    } cases[] = {{0.0, 0.01, 0.01}, {0.02, 0.0, 0.0}, {0.01, -1.0, 0.01}};
    for (int model = 0; model < 2; ++model)
        for (int k = 0; k < 3; ++k) {
            rvWorldDef worldDef = rvDefaultWorldDef();
            worldDef.gravity = rvVec(0, 0, -0.1);
            rvWorld* world = make_world_of(&worldDef);
            rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(1, 0, 0))};
            rvCableDef def = rvDefaultCableDef(model == 0 ? RV_CABLE_ANCF : RV_CABLE_ALE);
            def.length = 1.0;
            def.elements = 8;
            def.axialStiffness = 1e4;
            def.bendingStiffness = 8.0890; // w = 10 rad/s
            def.massPerLength = 1.0;
            def.straight = true;
            def.damping = cases[k].damping;
            def.bendingDamping = cases[k].bending;
            rvCableId beam = add_cable_of(world, def, places, 2);
            // lowest and highest places in turn, of the second to the fifth swing
            double extremes[12] = {0.0}, before = 0.0, now = 0.0;
            int count = 0;
            for (int i = 0; i < 1750 && count < 12; ++i) {
                step_world(world, 2e-3, 1);
                double next = tip_of(world, beam);
                if (i > 1 && (now - before) * (next - now) < 0.0)
                    extremes[count++] = now;
                before = now;
                now = next;
            }
            assert_true(count >= 10);
            double first = fabs(extremes[2] - extremes[3]), last = fabs(extremes[8] - extremes[9]);
            double swings = 3.0, taken = log(first / last) / swings;
            // second mode: 1/6 of the frequency's square of amplitude left; step: of third order in h w = 0.02
            CHECK_NEAR(taken, PI * cases[k].expected * 10.0, 0.02 * PI * 0.1 + 0.003);
            rvDestroyWorld(world);
        }
}

static void WhatAFluidCannotBeIsTold(void** state)
{
    (void)state;
    const rvCableCurrent falling[] = {{1.0, rvVec(0, 0, 0)}, {1.0, rvVec(1, 0, 0)}}, fast[] = {{0.0, rvVec(1e9, 0, 0)}};
    rvWorld* world = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(2, 0, 0))};
    for (int model = 0; model < 2; ++model)
        for (int k = 0; k < 4; ++k) {
            static const char* const words[] = {"current[1].height", "current[0].velocity", "currentCount",
                                                "bendingDamping"};
            rvCableDef def = rvDefaultCableDef(model == 0 ? RV_CABLE_ANCF : RV_CABLE_ALE);
            def.places = places;
            def.placeCount = 2;
            def.current = k == 0 ? falling : k == 1 ? fast : NULL;
            def.currentCount = k == 0 ? 2 : k < 3 ? 1 : 0;
            def.bendingDamping = k == 3 ? HUGE_VAL : -1.0;
            assert_int_equal(rvCreateCable(world, &def, NULL), RV_BAD_INPUT);
            assert_non_null(strstr(rvWorld_GetError(world), words[k]));
        }
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(LineHangsInAShearedCurrent),
                                       cmocka_unit_test(BendingIsDampedByItsOwnTime),
                                       cmocka_unit_test(WhatAFluidCannotBeIsTold)};
    return RUN_TESTS(tests);
}
