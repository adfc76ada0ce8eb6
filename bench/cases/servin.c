// SPDX-License-Identifier: MIT
// `reeve bench servin`: the tests of Servin and Lacoursiere, section 5.1 (Figs. 5 to 8): two boxes of 1000 kg and 2 m
// on a cable of 4 m, no gravity, h = 10 ms, set off against each other along the cable (stretch) or about it (twist).
//
// Closed forms, w^2 = c/m with the reduced mass 500 kg or the reduced inertia 333.3 kg m^2, v the speed at the start:
//   printed stepper  phi_n = (v/w) rho^n sin(n theta),  rho = (1 + h^2 w^2)^(-1/2),  theta = atan(h w)
//   SPOOK, tau = 0   phi_n = phi_1 sin(n theta)/sin(theta),  theta = 2 atan(h w/2), energy constant
// and the force is c phi. Errors are shares of v/w.
#include "bench.h"
#include "reeve/reeve.h"
#include "reeve/reference.h"

static const double STEP = 0.01, PI = 3.14159265358979323846;

typedef struct {
    bool twists;
    double c;     // [N/m] or [N m/rad]
    double start; // relative speed at the start [m/s] or [rad/s]
    rvVec3 way;   // of the cable
    const char* note;
} Case;

typedef struct {
    const Case* test;
    rvWorld* world;
    rvCableId cable;
    rvBodyId boxes[2];
    double w, theta, rho; // closed form
} Rig;

static const char* kind_of(const Case* test)
{
    return test->twists ? "twist" : "stretch";
}

static rvStatus add_boxes(Rig* rig)
{
    const Case* t = rig->test;
    rvStatus status = RV_OK;
    for (int i = 0; i < 2 && status == RV_OK; i++) {
        double side = i == 0 ? -1.0 : 1.0;
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = 1000.0;
        def.inertia = rvMat3Diagonal(2000.0 / 3.0, 2000.0 / 3.0, 2000.0 / 3.0);
        def.pose.p = rvScale(3.0 * side, t->way);
        rvVec3 speed = rvScale(0.5 * side * t->start, t->way);
        *(t->twists ? &def.angularVelocity : &def.velocity) = speed;
        status = rvCreateBody(rig->world, &def, &rig->boxes[i]);
    }
    return status;
}

static bool rig_create(Rig* rig, const Case* test, rvStepper stepper)
{
    *rig = (Rig){.test = test, .w = sqrt(test->c / (test->twists ? 1000.0 / 3.0 : 500.0))};
    bool paper = stepper == RV_STEPPER_PAPER;
    rig->theta = paper ? atan(STEP * rig->w) : 2.0 * atan(0.5 * STEP * rig->w);
    rig->rho = paper ? 1.0 / sqrt(1.0 + STEP * STEP * rig->w * rig->w) : 1.0;
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, 0);
    def.stepper = stepper;
    def.reference = rvReference_GetMethods();
    if (rvCreateWorld(&def, &rig->world, NULL, 0) != RV_OK || add_boxes(rig) != RV_OK)
        return false;
    rvPlaceDef places[2] = {rvAttachPlace(rig->boxes[0], test->way), rvAttachPlace(rig->boxes[1], rvNeg(test->way))};
    rvCableDef cable = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cable.pushes = true; // the paper's stretch test goes both ways
    cable.axialStiffness = 4.0 * (test->twists ? 1e3 : test->c);
    cable.torsionalStiffness = test->twists ? 4.0 * test->c : 0.0;
    cable.places = places;
    cable.placeCount = 2;
    return rvCreateCable(rig->world, &cable, &rig->cable) == RV_OK;
}

static double phi_of(const Rig* rig)
{
    return rig->test->twists ? rvCable_GetTwist(rig->world, rig->cable)
                             : rvCable_GetLength(rig->world, rig->cable) - 4.0;
}

static double force_of(const Rig* rig)
{
    return rig->test->twists ? rvCable_GetTwistTorque(rig->world, rig->cable)
                             : rvCable_GetTension(rig->world, rig->cable, 0);
}

static double energy_of(const Rig* rig)
{
    rvEnergy e = rvWorld_GetEnergy(rig->world);
    return e.kinetic + e.elastic;
}

// Sum of the boxes' momenta along the cable, as a share of one box's at the start.
static double momentum_of(const Rig* rig)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        sum += rvDot(rig->test->way, rig->test->twists ? rvBody_GetAngularVelocity(rig->world, rig->boxes[i])
                                                       : rvBody_GetVelocity(rig->world, rig->boxes[i]));
    return fabs(sum) / (0.5 * rig->test->start);
}

static void refuse(rvBench* bench, Rig* rig)
{
    rv_bench_leave_out(bench, "Reeve", "%s, c = %g: %s", kind_of(rig->test), rig->test->c,
                       rig->world ? rvWorld_GetError(rig->world) : "no memory");
    rvDestroyWorld(rig->world);
}

// The whole curve against the closed form over some periods; the force against c phi.
static void run_printed(rvBench* bench, const Case* test)
{
    Rig rig;
    if (!rig_create(&rig, test, RV_STEPPER_PAPER)) {
        refuse(bench, &rig);
        return;
    }
    double size = test->start / rig.w, worst = 0.0, force = 0.0, most = 0.0, momentum = 0.0;
    int steps = (int)ceil(6.0 * PI / rig.theta); // three periods
    for (int n = 1; n <= steps; n++) {
        if (rvWorld_Step(rig.world, STEP) != RV_OK) {
            refuse(bench, &rig);
            return;
        }
        double phi = phi_of(&rig);
        worst = fmax(worst, fabs(phi - size * pow(rig.rho, n) * sin(n * rig.theta)) / size);
        force = fmax(force, fabs(force_of(&rig) / test->c - phi) / size);
        most = fmax(most, fabs(phi));
        momentum = fmax(momentum, momentum_of(&rig));
    }
    const char* source = "goal: closed form of implicit Euler to 1e-9";
    rvBenchRow row = rv_bench_row("1", worst, 1e-9, source, "%s, c = %g%s, printed: error of the curve", kind_of(test),
                                  test->c, test->note);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    row = rv_bench_row("1", force, 1e-9, "goal: force is c phi to 1e-9", "%s, c = %g%s, printed: error of the force",
                       kind_of(test), test->c, test->note);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    row = rv_bench_row("1", momentum, 1e-12, "goal: round-off", "%s, c = %g%s, printed: momentum", kind_of(test),
                       test->c, test->note);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    if (test->twists)
        rv_bench_add(bench, rv_bench_row("turn", most / (2.0 * PI), 1.0, "one turn", "%s, c = %g%s: largest twist",
                                         kind_of(test), test->c, test->note));
    rvDestroyWorld(rig.world);
}

// Counts upward passages through zero and answers the mean period; NaN where the run failed.
static double measure_period(Rig* rig, int periods)
{
    double before = 0.0, first = 0.0, last = 0.0;
    int count = 0, limit = (int)((periods + 2) * 2.0 * PI / rig->theta);
    for (int n = 1; n <= limit && count <= periods; n++) {
        if (rvWorld_Step(rig->world, STEP) != RV_OK)
            return RV_NO_NUMBER;
        double phi = phi_of(rig);
        if (before < 0.0 && phi >= 0.0) {
            last = STEP * (n - phi / (phi - before));
            if (count++ == 0)
                first = last;
        }
        before = phi;
    }
    return count > 1 ? (last - first) / (count - 1) : RV_NO_NUMBER;
}

static void run_periods(rvBench* bench, const Case* test)
{
    static const char* const names[] = {"SPOOK", "printed"};
    double exact = 2.0 * PI * sqrt((test->twists ? 1000.0 / 3.0 : 500.0) / test->c);
    for (int k = 0; k < 2; k++) {
        Rig rig;
        rvStepper stepper = k == 0 ? RV_STEPPER_SPOOK : RV_STEPPER_PAPER;
        if (!rig_create(&rig, test, stepper)) {
            refuse(bench, &rig);
            continue;
        }
        double period = measure_period(&rig, bench->quick ? 4 : 40);
        // the method's own error: x/atan(x) < 1 + x^2/3 with x = h w/2 or h w
        double x = (k == 0 ? 0.5 : 1.0) * STEP * rig.w;
        rvBenchRow row = rv_bench_row("s", period, exact, "closed form: 2 pi sqrt(m/c)", "%s, c = %g, %s: period",
                                      kind_of(test), test->c, names[k]);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, x * x / 3.0 + 1e-5));
        rvDestroyWorld(rig.world);
    }
}

static void run_spook(rvBench* bench, const Case* test)
{
    Rig rig;
    if (!rig_create(&rig, test, RV_STEPPER_SPOOK)) {
        refuse(bench, &rig);
        return;
    }
    int steps = bench->quick ? 2000 : 100000;
    double size = test->start / rig.w, worst = 0.0, drift = 0.0, start = 0.0, first = 0.0;
    for (int n = 1; n <= steps; n++) {
        if (rvWorld_Step(rig.world, STEP) != RV_OK) {
            refuse(bench, &rig);
            return;
        }
        double phi = phi_of(&rig), energy = energy_of(&rig);
        if (n == 1) {
            start = energy;
            first = phi;
        }
        drift = fmax(drift, fabs(energy / start - 1.0));
        worst = fmax(worst, fabs(phi - first * sin(n * rig.theta) / sin(rig.theta)) / size);
    }
    rvBenchRow row = rv_bench_row("1", drift, 1e-10, "goal: round-off", "%s, c = %g, SPOOK, %d steps: change of energy",
                                  kind_of(test), test->c, steps);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    row = rv_bench_row("1", worst, 1e-9, "goal: closed form of SPOOK to 1e-9",
                       "%s, c = %g, SPOOK, %d steps: error of the curve", kind_of(test), test->c, steps);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    rvDestroyWorld(rig.world);
}

// Kinetic and elastic energy at the end of step n by the closed form, in units of m (v/w)^2/2: v = (phi_n - phi_n-1)/h.
static double printed_energy(const Rig* rig, int n)
{
    double phi = pow(rig->rho, n) * sin(n * rig->theta), before = pow(rig->rho, n - 1) * sin((n - 1) * rig->theta);
    double speed = (phi - before) / (STEP * rig->w);
    return speed * speed + phi * phi;
}

// Figs. 6 and 8: how much of its energy the printed stepper keeps over a period.
static void run_damping(rvBench* bench, const Case* test)
{
    Rig rig;
    if (!rig_create(&rig, test, RV_STEPPER_PAPER)) {
        refuse(bench, &rig);
        return;
    }
    int period = (int)lround(2.0 * PI / rig.theta);
    double energy[2] = {0.0, 0.0};
    for (int n = 1; n <= 2 * period; n++) {
        if (rvWorld_Step(rig.world, STEP) != RV_OK) {
            refuse(bench, &rig);
            return;
        }
        if (n % period == 0) {
            double phi = phi_of(&rig);
            energy[n / period - 1] = rvWorld_GetEnergy(rig.world).kinetic + 0.5 * test->c * phi * phi;
        }
    }
    rvBenchRow row = rv_bench_row(
        "1", energy[1] / energy[0], printed_energy(&rig, 2 * period) / printed_energy(&rig, period),
        "closed form of implicit Euler", "%s, c = %g, printed: energy kept over a period", kind_of(test), test->c);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 1e-8));
    rvDestroyWorld(rig.world);
}

void rv_bench_servin(rvBench* bench)
{
    static const Case tests[] = {
        {false, 10, 0.2, {1, 0, 0}, ""}, {false, 1e3, 0.2, {1, 0, 0}, ""}, {false, 1e6, 0.2, {1, 0, 0}, ""},
        {true, 10, 2, {1, 0, 0}, ""},    {true, 1e3, 2, {1, 0, 0}, ""},    {true, 1e6, 2, {1, 0, 0}, ""},
    };
    static const Case turned[] = {
        {true, 10, 2, {0, 0, 1}, ", upright"},
        {true, 10, 2, {0, 0, -1}, ", upside down"},
        {true, 10, 8, {0, 0, -1}, ", seven turns"},
        {false, 10, 0.2, {0, 0, -1}, ", upside down"},
    };
    enum { COUNT = sizeof(tests) / sizeof(tests[0]), TURNED = sizeof(turned) / sizeof(turned[0]) };
    for (int i = 0; i < COUNT; i++) {
        rv_bench_progress(bench, "%s, c = %g", kind_of(&tests[i]), tests[i].c);
        run_printed(bench, &tests[i]);
        run_damping(bench, &tests[i]);
        run_periods(bench, &tests[i]);
        run_spook(bench, &tests[i]);
    }
    for (int i = 0; i < TURNED; i++)
        run_printed(bench, &turned[i]);
}
