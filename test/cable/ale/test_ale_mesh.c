// SPDX-License-Identifier: MIT
#include "check.h"
#include "reference/parts.h"

static rvMemory memory;
static const double GRAVITY = 9.81, PER_METRE = 1.5, EA = 1e6, LOAD = 50.0;

static rvAle* create(double length, int elements, int room)
{
    rvAleFallDef fall = {length, elements, room};
    rvAleDef def = {
        .fallCount = 1, .falls = &fall, .EA = EA, .EI = 10.0, .massPerLength = PER_METRE, .gravity = {0, 0, -GRAVITY}};
    rvAle* ale;
    rvError error;
    assert_int_equal(rv_ale_create(&def, &memory, &ale, &error), RV_OK);
    return ale;
}

// |r'| of rope under a tension: T = EA (s^2 - 1) s/2, by Newton.
static double stretch_of(double tension)
{
    double s = 1.0;
    for (int i = 0; i < 20; i++)
        s -= (0.5 * EA * (s * s - 1.0) * s - tension) / (0.5 * EA * (3.0 * s * s - 1.0));
    return s;
}

static double tension_at(double below) // of rope with so much rope and the load below
{
    return (LOAD + PER_METRE * below) * GRAVITY;
}

// How long rope of rest length L is that hangs at rest with the load, by Simpson's rule: exact to rounding here.
static double hanging(double length)
{
    int n = 200;
    double sum = 0.0;
    for (int i = 0; i <= n; i++)
        sum += (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) * stretch_of(tension_at(length * i / n));
    return sum * length / (3.0 * n);
}

// Hangs at rest, or moves at the speed that a winch gives it which pays out `rate`.
static rvAle* hang(double length, int elements, int room, double rate)
{
    rvAle* ale = create(length, elements, room);
    rvAncf* cable = ale->falls[0].ancf;
    rvError error;
    double whole = hanging(length), speed = rate * stretch_of(tension_at(length));
    for (int i = 0; i < cable->nodeCount; i++) {
        double below = length - cable->places[i], share = cable->places[i] / length;
        double *q = cable->q + 6 * i, *v = cable->v + 6 * i;
        double s = stretch_of(tension_at(below)), z = -(whole - hanging(below));
        q[0] = q[1] = q[3] = q[4] = 0.0;
        q[2] = z;
        q[5] = -s;
        // the rope moves as one: dr/dt on the mesh is that and what the mesh moves along it
        v[2] = -speed + rate * (1.0 - share) * s;
        v[5] = -rate / length * s - rate * (1.0 - share) * PER_METRE * GRAVITY / (0.5 * EA * (3.0 * s * s - 1.0));
    }
    rv_ale_set_load(ale, 0, RV_ALE_END, LOAD);
    rv_ale_hold(ale, 0, RV_ALE_BEGIN, RV_ANCF_PIN, &error);
    rv_ale_set_flow(ale, 0, -rate);
    rvAncfOptions options = rv_ancf_default_options(RV_ANCF_RT);
    assert_int_equal(rv_ale_start(ale, &options, &error), RV_OK);
    return ale;
}

static double rope_speed_z(const rvAle* ale)
{
    return rv_ale_momentum(ale).z / rv_ale_mass(ale);
}

// A bent, moving fall.
static rvAle* wriggle(void)
{
    rvAle* ale = create(4.0, 4, 8);
    rvAncf* cable = ale->falls[0].ancf;
    rv_ale_lay(ale, 0, rvVec(0, 0, 0), rvVec(3.9, 0.1, -0.4));
    for (int i = 0; i < cable->dofCount; i++) {
        cable->q[i] += 0.02 * sin(1.7 * i);
        cable->v[i] = 0.5 * cos(0.9 * i);
    }
    ale->flow[RV_ALE_RATE][0] = 1.5;
    ale->flow[RV_ALE_RATE][1] = 0.7;
    return ale;
}

static void SplitChangesNothing(void** state)
{
    (void)state;
    rvAle* ale = wriggle();
    rvAncfEnergy before = rv_ale_energy(ale);
    rvVec3 momentum = rv_ale_momentum(ale), angular = rv_ale_angular_momentum(ale);
    rvAncfPoint point = rv_ale_point(ale, 0, 0.31);
    rv_ale_split(ale, 0, 1);
    rv_ale_split(ale, 0, 0);
    rvAncfEnergy after = rv_ale_energy(ale);
    assert_int_equal(rv_ale_element_count(ale, 0), 6);
    CHECK_NEAR(after.kinetic, before.kinetic, 1e-13 * before.total); // all of these: rounding
    CHECK_NEAR(after.stretch, before.stretch, 1e-13 * before.total);
    CHECK_NEAR(after.bend, before.bend, 1e-13 * before.total);
    CHECK_NEAR(rvDistance(rv_ale_momentum(ale), momentum), 0.0, 1e-12);
    CHECK_NEAR(rvDistance(rv_ale_angular_momentum(ale), angular), 0.0, 1e-12);
    CHECK_NEAR(rvDistance(rv_ale_point(ale, 0, 0.31).position, point.position), 0.0, 1e-14);
    CHECK_NEAR(rvDistance(rv_ale_point(ale, 0, 0.31).velocity, point.velocity), 0.0, 1e-14);
    rv_ale_destroy(ale);
}

static void MergeUndoesASplitAndKeepsMomentum(void** state)
{
    (void)state;
    rvAle* ale = wriggle();
    rvAncfEnergy before = rv_ale_energy(ale);
    rv_ale_split(ale, 0, 1);
    rv_ale_merge(ale, 0, 1);
    CHECK_NEAR(rv_ale_energy(ale).total, before.total, 1e-12 * before.total); // rounding: one cubic holds it
    // and of an element that was not one: what is kept and what is lost
    rvVec3 momentum = rv_ale_momentum(ale);
    double kinetic = rv_ale_energy(ale).kinetic, mass = rv_ale_mass(ale);
    rv_ale_merge(ale, 0, 1);
    CHECK_NEAR(rvDistance(rv_ale_momentum(ale), momentum), 0.0, 1e-12 * rvLength(momentum)); // rounding
    CHECK_NEAR(rv_ale_mass(ale), mass, 1e-14 * mass);                                        // rounding
    CHECK_BELOW(rv_ale_energy(ale).kinetic, kinetic);                                        // a projection only takes
    assert_int_equal(rv_ale_element_count(ale, 0), 3);
    rv_ale_destroy(ale);
}

// Rope that bends is left as it is while one element would be stretched in the place of two, and becomes one when it is
// straight, or a crumb.
static void MergeWaitsUntilTheRopeIsStraight(void** state)
{
    (void)state;
    rvAle* ale = create(4.0, 4, 8);
    const double R = 1.5;
    for (int n = 0; n <= 4; n++) { // an arc, not stretched
        const double node[6] = {R * sin(n / R), 0, R * cos(n / R), cos(n / R), 0, -sin(n / R)};
        memcpy(ale->falls[0].ancf->q + 6 * n, node, sizeof node);
    }
    int count = rv_ale_element_count(ale, 0);
    double length = rv_ale_fall_length(ale, 0), per = length / count, before = rv_ale_energy(ale).stretch;
    assert_int_equal(rv_ale_adapt(ale, 2.0 * per, NULL), 0); // two are shorter than 1.2 of that
    CHECK_NEAR(rv_ale_energy(ale).stretch, before, 0.0);
    assert_true(rv_ale_adapt(ale, 20.0 * per, NULL) >= 1);
    rv_ale_destroy(ale);
}

// The winch pays out or hauls in at a constant rate: rope and load move as one, the tension at the winch carries them
// all, and what enters brings its momentum along: d(momentum)/dt = weight - T + (mass a second) (speed).
static void reel(double rate, double from, double seconds)
{
    double h = 2e-3, per = 1.0;
    rvAle* ale = hang(from, (int)from, 60, rate);
    int changes = 0;
    double worstTension = 0.0, worstPlace = 0.0, worstBalance = 0.0, worstJump = 0.0, worstEnergy = 0.0,
           last = tension_at(from);
    double momentum = rv_ale_momentum(ale).z;
    for (int i = 0; i < (int)lround(seconds / h); i++) {
        assert_int_equal(rv_ale_step(ale, h), RV_OK);
        double length = from + rate * rv_ale_time(ale), force[6];
        CHECK_NEAR(rv_ale_mass(ale), LOAD + PER_METRE * length, 1e-9); // rounding of the sum of steps
        rv_ale_reaction(ale, 0, RV_ALE_BEGIN, false, force);
        worstTension = fmax(worstTension, fabs(force[2] - tension_at(length)));
        worstJump = fmax(worstJump, fabs(force[2] - last));
        last = force[2];
        worstPlace = fmax(worstPlace, fabs(rv_ale_point(ale, 0, 1.0).position.z + hanging(length)));
        double now = rv_ale_momentum(ale).z, weight = -rv_ale_mass(ale) * GRAVITY;
        double inflow = PER_METRE * rate * rope_speed_z(ale);
        worstBalance = fmax(worstBalance, fabs((now - momentum) / h - (weight + force[2] + inflow)));
        momentum = now;
        double energy = rv_ale_energy(ale).total, told = 0.0;
        changes += rv_ale_adapt(ale, per, &told);
        double made = rv_ale_energy(ale).total - energy;
        worstEnergy = fmax(worstEnergy, fabs(made));
        CHECK_NEAR(told, made, 1e-10); // rounding, of 10 kJ
    }
    assert_true(changes >= 8);
    // The rope enters at its stretch under the winch, so its speed changes by rate^2 rho g/EA: a mass of 70 kg times
    // that is 5e-3 N. At rest it begins between the elements' cubics and the exact shape: strain of fifth order, below
    // 1e-9 EA.
    CHECK_BELOW(worstTension, 0.02);
    CHECK_BELOW(worstJump, 0.02 + fabs(rate) * PER_METRE * GRAVITY * h); // no spike: of 700 N
    CHECK_BELOW(worstPlace, 2e-6);                                       // second order: h^2 w^2 of that change
    // of 6 kJ: a split changes no field; a merge leaves out waves of that speed, which have rho L v^2/2 = 1e-9 J
    CHECK_BELOW(worstEnergy, 1e-8);
    CHECK_BELOW(worstBalance, 0.05); // a difference over one step, of a force that moves by that jump
    rv_ale_destroy(ale);
}

static void PayingOutMeetsTheClosedFormOverManySplits(void** state)
{
    (void)state;
    reel(2.0, 10.0, 5.0);
}

static void HaulingInMeetsTheClosedFormOverManyMerges(void** state)
{
    (void)state;
    reel(-2.0, 20.0, 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SplitChangesNothing),
        cmocka_unit_test(MergeUndoesASplitAndKeepsMomentum),
        cmocka_unit_test(MergeWaitsUntilTheRopeIsStraight),
        cmocka_unit_test(PayingOutMeetsTheClosedFormOverManySplits),
        cmocka_unit_test(HaulingInMeetsTheClosedFormOverManyMerges),
    };
    return RUN_TESTS(tests);
}
