// SPDX-License-Identifier: MIT
// Ports: a rigid load on a cable in a plane, stepped as COUPLING says, against its check numbers.
#include "ancf_rig.h"
#include "cable/ancf/ancf_port.h"

// A load in the x-z plane that hangs by an anchor; angles from x towards z.
typedef struct {
    double m, I, x[2], angle, v[2], w, accel[2], turn; // accel, turn: of the last step
    double arm[2];                                     // of the anchor at angle 0
    double W[3][3]; // forces and moment that the cable took: now, before, before that
    double port[2]; // force on the cable
} Load;

static void turn_arm(const Load* load, double angle, double r[2])
{
    r[0] = cos(angle) * load->arm[0] - sin(angle) * load->arm[1];
    r[1] = sin(angle) * load->arm[0] + cos(angle) * load->arm[1];
}

static void solve2(double a[2][2], const double b[2], double x[2])
{
    double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    x[0] = (b[0] * a[1][1] - b[1] * a[0][1]) / det;
    x[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
}

static const double GRAVITY = 9.81;

// The acceleration of the port at the start without its force, and P M^-1 P^T.
static void read_start(rvAncf* cable, double accel[3], double mobility[9], double columns[3][72])
{
    rv_ancf_accelerate(cable, cable->q, cable->v, cable->a);
    for (int j = 0; j < 3; j++) {
        memset(columns[j], 0, sizeof columns[j]);
        columns[j][rv_ancf_port_dof(cable, j)] = 1.0;
        rv_ancf_mass_solve(cable, columns[j]);
        accel[j] = cable->a[rv_ancf_port_dof(cable, j)];
        for (int i = 0; i < 3; i++)
            mobility[3 * i + j] = columns[j][rv_ancf_port_dof(cable, i)];
    }
}

static void load_start(Load* load, rvAncf* cable, double h)
{
    double accel[3], mobility[9], columns[3][72], r[2];
    read_start(cable, accel, mobility, columns);
    turn_arm(load, load->angle, r);
    // cable accel + mobility l = body accel of the anchor, at rest: (-l/m + g) + turn x r, turn = -(r x l)/I
    double a[2][2] = {{mobility[0] + 1 / load->m + r[1] * r[1] / load->I, mobility[2] - r[0] * r[1] / load->I},
                      {mobility[6] - r[0] * r[1] / load->I, mobility[8] + 1 / load->m + r[0] * r[0] / load->I}};
    double b[2] = {-accel[0], -GRAVITY - accel[2]}, l[2];
    solve2(a, b, l);
    for (int i = 0; i < cable->dofCount; i++)
        cable->a[i] += l[0] * columns[0][i] + l[1] * columns[2][i];
    rv_ancf_copy(cable, cable->at, cable->a);
    double moment = r[0] * l[1] - r[1] * l[0];
    for (int i = 0; i < 3; i++) {
        load->W[i][0] = l[0];
        load->W[i][1] = l[1];
        load->W[i][2] = moment;
    }
    load->accel[0] = -l[0] / load->m;
    load->accel[1] = -GRAVITY - l[1] / load->m;
    load->turn = -moment / load->I;
    load->v[0] = -0.5 * h * load->accel[0];
    load->v[1] = -0.5 * h * load->accel[1];
    load->w = -0.5 * h * load->turn;
    memcpy(load->port, l, sizeof l);
}

static void load_step(Load* load, rvAncf* cable, double h)
{
    double places[3], compliance[9], r[2], f[3] = {0, -load->m * GRAVITY, 0};
    rv_ancf_port_begin(cable, h);
    double cM = rv_ancf_port_factor(cable);
    rv_ancf_port_pass(cable, places, compliance);
    // the arm at the end, with the stiffness that the port force gives it
    turn_arm(load, load->angle, r);
    double K = fmax(0.0, -(r[0] * load->port[0] + r[1] * load->port[1]));
    double w = load->w + h * load->I / (load->I + K / cM) * load->turn;
    turn_arm(load, load->angle + h * w, r);
    K = fmax(0.0, -(r[0] * load->port[0] + r[1] * load->port[1]));
    double I = load->I + K / cM, m[3] = {load->m, load->m, I}, free[3] = {load->v[0], load->v[1], load->w};
    for (int i = 0; i < 3; i++)
        free[i] += (h * f[i] - h / 27.0 * (12.0 * load->W[0][i] + 6.0 * load->W[1][i] + load->W[2][i]) +
                    (i == 2 ? K / cM * (w - load->w) : 0.0)) /
                   m[i];
    // G = [1 0 -r1; 0 1 r0]
    double a[2][2] = {{cM * compliance[0] + 1 / load->m + r[1] * r[1] / I, cM * compliance[2] - r[0] * r[1] / I},
                      {cM * compliance[6] - r[0] * r[1] / I, cM * compliance[8] + 1 / load->m + r[0] * r[0] / I}};
    double b[2] = {(places[0] - load->x[0] - r[0] - h * w * r[1]) / h - (free[0] - r[1] * free[2]),
                   (places[2] - load->x[1] - r[1] + h * w * r[0]) / h - (free[1] + r[0] * free[2])};
    double J[2];
    solve2(a, b, J);
    double l[2] = {-cM * h * J[0], -cM * h * J[1]};
    rv_ancf_port_take(cable, (double[]){l[0], 0, l[1]}, HUGE_VAL);
    assert_true(rv_ancf_port_end(cable));
    load->v[0] = free[0] + J[0] / load->m;
    load->v[1] = free[1] + J[1] / load->m;
    load->w = free[2] + (r[0] * J[1] - r[1] * J[0]) / I;
    load->x[0] += h * load->v[0];
    load->x[1] += h * load->v[1];
    load->angle += h * load->w;
    memcpy(load->W[2], load->W[1], sizeof load->W[1]);
    memcpy(load->W[1], load->W[0], sizeof load->W[1]);
    load->W[0][0] = l[0];
    load->W[0][1] = l[1];
    load->W[0][2] = r[0] * l[1] - r[1] * l[0] + K * h * (load->w - w);
    for (int i = 0; i < 2; i++)
        load->accel[i] = (f[i] - (2.0 * load->W[0][i] + load->W[1][i]) / 3.0) / load->m;
    load->turn = -(2.0 * load->W[0][2] + load->W[1][2]) / 3.0 / load->I;
    memcpy(load->port, l, sizeof l);
}

static rvAncf* hanging(void)
{
    rvAncf* cable = rig_uniform(10, 1.0, (rvAncfElement){.EA = 7853.981634, .EI = 1.0, .massPerLength = 3.926990817e-4},
                                rvVec(0, 0, -GRAVITY), false);
    double angle = -0.5 * PI + 0.8;
    rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvVec(cos(angle), 0, sin(angle)));
    assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_PIN, &rigError), RV_OK);
    assert_int_equal(rv_ancf_set_ports(cable, (rvAncfPort[]){{.node = 10}}, 1, &rigError), RV_OK);
    rig_start(cable, RV_ANCF_RT);
    return cable;
}

static Load load_at(const rvAncf* cable)
{
    Load load = {.m = 0.3926990817, .I = 0.005 * 0.3926990817, .arm = {0.0, 0.1}};
    load.x[0] = cable->q[60];
    load.x[1] = cable->q[62] - 0.1;
    return load;
}

static void RigidLoadMovesAsTheCheckNumbersSay(void** state)
{
    (void)state;
    rvAncf* cable = hanging();
    Load load = load_at(cable);
    double h = 1.0 / 240.0;
    load_start(&load, cable, h);
    static const struct {
        int step;
        double x, z, angle;
    } expected[] = {{1, .7173524741, -.7967883580, .0000723363},
                    {2, .7173311297, -.7970231161, .0004991376},
                    {120, .1012432424, -1.0752358155, -.5288435923}};
    for (int n = 1, k = 0; n <= 120; n++) {
        load_step(&load, cable, h);
        if (n == 1) { // printed to eight digits
            CHECK_NEAR(load.port[0], .27611003, 1e-8);
            CHECK_NEAR(load.port[1], -.26777295, 1e-8);
        }
        if (n != expected[k].step)
            continue;
        CHECK_NEAR(load.x[0], expected[k].x, 2e-10); // printed to ten digits
        CHECK_NEAR(load.x[1], expected[k].z, 2e-10);
        CHECK_NEAR(load.angle, expected[k].angle, 2e-10);
        k++;
    }
    rv_ancf_destroy(cable);
}

static void PortsCloseAndKeepEnergy(void** state)
{
    (void)state;
    rvAncf* cable = hanging();
    Load load = load_at(cable);
    double h = 1e-3, lowest = 0.0;
    load_start(&load, cable, h);
    double start = rv_ancf_energy(cable).total + load.m * GRAVITY * load.x[1];
    for (int n = 0; n < 4000; n++) {
        double before[3] = {load.v[0], load.v[1], load.w};
        load_step(&load, cable, h);
        double r[2];
        turn_arm(&load, load.angle, r);
        // the arm is a predictor's: the gap is of third order in the step, (h w)^2 of the error of w*
        CHECK_NEAR(hypot(load.x[0] + r[0] - cable->q[60], load.x[1] + r[1] - cable->q[62]), 0.0, 1e-8);
        double v[3] = {load.v[0], load.v[1], load.w}, kinetic = 0.0; // speeds at the end: 1.5 v' - 0.5 v
        for (int i = 0; i < 3; i++) {
            double u = 1.5 * v[i] - 0.5 * before[i];
            kinetic += 0.5 * (i < 2 ? load.m : load.I) * u * u;
        }
        double energy = kinetic + load.m * GRAVITY * load.x[1] + rv_ancf_energy(cable).total;
        lowest = fmin(lowest, energy - start);
        CHECK_BELOW(energy - start, 0.02); // of 1.2 J that the swing exchanges: ripple of the extrapolated speed
    }
    CHECK_BELOW(-lowest, 0.02); // COUPLING: below .01 J in 60 s
    rv_ancf_destroy(cable);
}

static void BadPortsAreNamed(void** state)
{
    (void)state;
    rvAncf* cable = rig_pendulum(1e8, 4);
    assert_int_equal(rv_ancf_set_ports(cable, (rvAncfPort[]){{.node = 0}}, 1, &rigError), RV_BAD_INPUT);
    assert_non_null(strstr(rigError.text, "node 0 is held"));
    assert_int_equal(rv_ancf_set_ports(cable, (rvAncfPort[]){{.node = 2}, {.node = 2}}, 2, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_set_ports(cable, (rvAncfPort[]){{.node = 5}}, 1, &rigError), RV_BAD_INPUT);
    assert_int_equal(rv_ancf_set_ports(cable, NULL, 0, &rigError), RV_BAD_INPUT);
    rv_ancf_destroy(cable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RigidLoadMovesAsTheCheckNumbersSay),
        cmocka_unit_test(PortsCloseAndKeepEnergy),
        cmocka_unit_test(BadPortsAreNamed),
    };
    return RUN_TESTS(tests);
}
