// SPDX-License-Identifier: MIT
#include "cable/curve/space_step.h"

#include "check.h"

#include <string.h>

#define PI 3.14159265358979323846
#define MOST 160

// Of one stuff, 1 m long, along x from the origin; tangent: third axis.
static void make(rvSpaceRun* run, rvMemory* memory, int intervals, double density, rvVec3 rigidity,
                 const rvSpaceHold* holds, int count)
{
    assert_true(rv_space_run_create(run, memory, intervals, holds, count));
    assert_true(run->space.count <= MOST);
    for (int i = 0; i < intervals; ++i)
        run->space.parts[i] = (rvSpacePart){
            .length = 1.0 / intervals, .density = density, .rigidity = rigidity, .inertia = 1e-6 * density};
    rv_space_begin(&run->space);
    for (int i = 0; i <= intervals; ++i)
        run->frames[i] = rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI);
}

static rvVec3 node(rvSpaceRun* run, int i)
{
    rv_space_place(&run->space, rvVec(run->start[0], run->start[1], run->start[2]), run->frames);
    return run->space.nodes[i];
}

static const rvSpaceHold pin = {.node = 0};

// Figures of a rod that cannot bend, from horizontal to vertical: 0.483580 s (L = 1 m, g = 9.8 m/s^2).
static void StiffRodSwingsAsARigidOne(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    make(&run, &memory, 4, 1.0, rvVec(1e4, 1e4, 1e4), &pin, 1);
    run.gravity = rvVec(0, 0, -9.8);
    assert_true(rv_space_run_begin(&run));
    double h = 1e-3, t = 0.0, before = 1.0, x = 1.0;
    for (; x > 0.0; t += h) {
        before = x;
        assert_true(rv_space_run_step(&run, h));
        x = node(&run, 4).x;
    }
    CHECK_NEAR(t - h * x / (x - before), 0.483580, 2e-5); // bends by 1e-4; step (h w)^2/10
    rv_space_run_release(&run, &memory);
    assert_true(memory.taken == 0);
}

// Thrown about in space: the end after 0.2 s, with steps of 0.2/n s.
static rvVec3 throw(int steps, double* lost)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    make(&run, &memory, 6, 1.0, rvVec(0.3, 0.3, 0.2), &pin, 1);
    run.gravity = rvVec(0, 0, -9.8);
    for (int i = 0; i <= 6; ++i) {
        run.v[rv_space_spin(i) + 2] = 3.0 * sin(0.7 * i);
        run.v[rv_space_spin(i)] = 2.0 * cos(0.4 * i);
    }
    assert_true(rv_space_run_begin(&run));
    double before = rv_space_run_kinetic(&run) + rv_space_run_elastic(&run) + rv_space_run_height(&run);
    for (int i = 0; i < steps; ++i)
        assert_true(rv_space_run_step(&run, 0.2 / steps));
    *lost = before - rv_space_run_kinetic(&run) - rv_space_run_elastic(&run) - rv_space_run_height(&run);
    rvVec3 end = node(&run, 6);
    rv_space_run_release(&run, &memory);
    return end;
}

static void StepIsOfSecondOrderAndKeepsEnergy(void** state)
{
    (void)state;
    double lost, little;
    rvVec3 a = throw(200, &lost), b = throw(400, &little), c = throw(800, &little);
    double ratio = rvDistance(a, b) / rvDistance(b, c);
    CHECK_BELOW(3.5, ratio);                     // at least of second order, 4; it is 5 to 6 at these steps
    CHECK_BELOW(fabs(little), 0.3 * fabs(lost)); // as h^2 or better: a quarter or less at half of half the step
    CHECK_BELOW(fabs(little), 1e-3);             // of 4 J
}

// Elastica of a cantilever with a dead load across it: P L^2/EI = 2 gives 0.49346 down and 0.16064 back.
static void CantileverIsAnElastica(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = {.node = 0, .turns = true, .frame = rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI)};
    make(&run, &memory, 20, 1.0, rvVec(1, 1, 0.7), &clamp, 1);
    rvVec3 across = rvVec(0, 0.6, -0.8);
    run.loads[run.loadCount++] = (rvSpaceLoad){.node = 20, .force = rvScale(2.0, across)};
    CHECK_BELOW(rv_space_run_rest(&run, 300), 1e-8);
    rvVec3 end = node(&run, 20);
    CHECK_NEAR(rvDot(end, across), 0.49346, 1e-3); // intervals of constant curvature: (1/20)^2/3
    CHECK_NEAR(1.0 - end.x, 0.16064, 1e-3);
    CHECK_NEAR(rvDot(end, rvCross(rvVec(1, 0, 0), across)), 0.0, 1e-9); // in its plane
    assert_true(rv_space_run_begin(&run));
    CHECK_NEAR(rvDistance(rvVec(run.forces[0], run.forces[1], run.forces[2]), rvScale(-2.0, across)), 0.0,
               1e-4); // the clamp carries it; twist settles last
    rv_space_run_release(&run, &memory);
}

// A moment that stays M along the whole rod: t turns about M at |M|/EI a metre, a helix.
static void EndMomentMakesAHelix(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = {.node = 0, .turns = true, .frame = rvQuatFromAxisAngle(rvVec(0, 1, 0), 0.5 * PI)};
    double error[2];
    for (int k = 0; k < 2; ++k) {
        int n = 10 << k;
        make(&run, &memory, n, 1.0, rvVec(1, 1, 0.6), &clamp, 1);
        rvVec3 m = rvVec(2.0, 0.0, 3.0), axis = rvNormalizeOr(m, m);
        run.loads[run.loadCount++] = (rvSpaceLoad){.node = n, .moment = m};
        CHECK_BELOW(rv_space_run_rest(&run, 500), 1e-8);
        double k1 = rvLength(m), along = axis.x;
        rvVec3 across = rvSub(rvVec(1, 0, 0), rvScale(along, axis)), aside = rvCross(axis, across);
        rvVec3 end = rvMulAdd(rvMulAdd(rvScale(along, axis), sin(k1) / k1, across), (1.0 - cos(k1)) / k1, aside);
        error[k] = rvDistance(node(&run, n), end);
        rv_space_run_release(&run, &memory);
    }
    CHECK_BELOW(error[0], 5e-3); // curvature turns in the material by 1.3 rad a metre: (0.13)^2/12
    CHECK_NEAR(error[0] / error[1], 4.0, 0.4);
}

// ---- buckling -------------------------------------------------------------------------------------------------------

// log of |det|, by elimination with pivots.
static double log_determinant(double* a, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
                best = i;
        for (int j = 0; j < n && best != k; ++j) {
            double other = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = other;
        }
        sum += log(fabs(a[k * n + k]));
        for (int i = k + 1; i < n; ++i) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; ++j)
                a[i * n + j] -= f * a[k * n + j];
        }
    }
    return sum;
}

// A straight rod under the axial moment m, ends on its axis, free to come nearer: how stiff it still is.
static double stiffness_left(rvSpace* space, double m, bool clamped)
{
    enum { N = 24, COUNT = 3 * N + 6, MOST_ROWS = 12 };
    static double a[(COUNT + MOST_ROWS) * (COUNT + MOST_ROWS)];
    double forces[2][COUNT], e = 1e-5, twist = m / space->parts[0].rigidity.z / N;
    rvQuat frames[N + 1];
    int rows = clamped ? 11 : 6, size = COUNT + rows;
    memset(a, 0, sizeof a);
    for (int d = 0; d < COUNT; ++d) {
        for (int side = 0; side < 2; ++side) {
            double x[COUNT] = {0};
            x[d] = side ? -e : e;
            for (int i = 0; i <= N; ++i)
                frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(x[3 + 3 * i], x[4 + 3 * i], x[5 + 3 * i])),
                                      rvQuatFromRotation(rvVec(0, 0, twist * i)));
            rv_space_place(space, rvVec(x[0], x[1], x[2]), frames);
            rv_space_clear_loads(space);
            rv_space_add_stresses(space, NULL);
            rv_space_sum_loads(space, forces[side]);
        }
        for (int i = 0; i < COUNT; ++i)
            a[i * size + d] = -0.5 / e * (forces[0][i] - forces[1][i]);
    }
    for (int i = 0; i <= N; ++i)
        frames[i] = rvQuatFromRotation(rvVec(0, 0, twist * i));
    rv_space_place(space, rvVec(0, 0, 0), frames);
    for (int r = 0; r < rows; ++r) { // first end, the other end across, and spins that are held
        double row[COUNT] = {0};
        if (r == 3 || r == 4)
            rv_space_add_row(space, N, rvVec(r == 3, r == 4, 0), row);
        else if (r < 3)
            row[r] = 1.0;
        else if (clamped)
            row[r < 8 ? rv_space_spin(0) + r - 5 : rv_space_spin(N) + r - 8] = 1.0;
        else
            row[rv_space_spin(0) + 2] = 1.0;
        for (int j = 0; j < COUNT; ++j)
            a[(COUNT + r) * size + j] = a[j * size + COUNT + r] = row[j];
    }
    return log_determinant(a, size);
}

// The moment at which stiffness is least, between two [EI/L].
static double critical(bool clamped, double from, double to)
{
    rvMemory memory = {0};
    rvSpace space;
    enum { N = 24 };
    assert_true(rv_space_create(&space, &memory, N));
    for (int i = 0; i < N; ++i)
        space.parts[i] = (rvSpacePart){.length = 1.0 / N, .density = 1.0, .rigidity = rvVec(1, 1, 0.8), .inertia = 1.0};
    rv_space_begin(&space);
    double best = from, least = HUGE_VAL;
    for (int i = 0; i <= 80; ++i) {
        double m = from + (to - from) * i / 80, left = stiffness_left(&space, m, clamped);
        if (left < least) {
            least = left;
            best = m;
        }
    }
    rv_space_release(&space, &memory);
    return best;
}

// Greenhill: 2 pi EI/L where the ends turn freely; where they are clamped tan(x) = x with x = M L/(2 EI), x = 4.49341.
static void TwistBucklesAStraightRod(void** state)
{
    (void)state;
    CHECK_NEAR(critical(false, 5.0, 8.0) / (2.0 * PI), 1.0, 0.012);     // (2 pi/24)^2/12 = 0.6 %, the scan's grid 0.6 %
    CHECK_NEAR(critical(true, 7.0, 11.0) / (2.0 * 4.49341), 1.0, 0.02); // (9/24)^2/12 = 1.2 %, the grid 0.6 %
}

// ---- ports ----------------------------------------------------------------------------------------------------------

// A port whose force is solved for so that it goes where a hold would be, is that hold.
static void PortThatIsHeldIsAHold(void** state)
{
    (void)state;
    enum { N = 6, ROWS = 6 };
    rvMemory memory = {0};
    rvSpaceRun run[2];
    rvSpaceHold holds[2] = {pin, {.node = 4, .turns = true}};
    for (int k = 0; k < 2; ++k) {
        holds[1].port = k == 1;
        make(&run[k], &memory, N, 1.0, rvVec(0.3, 0.3, 0.2), holds, 2);
        run[k].gravity = rvVec(0, 0, -9.8);
        // bent in a plane: twist has next to no inertia, and what is out of balance would fly off
        for (int i = 0; i <= N; ++i)
            run[k].frames[i] = rvQuatMul(rvQuatFromRotation(rvVec(0, 0.05 * i, 0)), run[k].frames[i]);
        assert_true(rv_space_run_begin(&run[k]));
    }
    rvVec3 from = node(&run[0], 4);
    rvQuat turned = run[0].frames[4];
    for (int step = 1; step <= 50; ++step) {
        rvVec3 place = rvAdd(from, rvScale(1e-6 * step * step, rvVec(-2, 4, 1)));
        rvQuat frame = rvQuatMul(rvQuatFromRotation(rvScale(1e-6 * step * step, rvVec(4, 0, 6))), turned);
        run[0].holds[1].place = place;
        run[0].holds[1].frame = frame;
        assert_true(rv_space_run_step(&run[0], 2e-3));
        double places[ROWS], c[ROWS * ROWS], b[ROWS], forces[ROWS];
        rv_space_port_begin(&run[1], 2e-3);
        for (int pass = 0; pass < 2; ++pass) { // the second one from where the first one led
            assert_true(rv_space_port_pass(&run[1], places, c));
            rvVec3 turn = rvQuatToRotation(rvQuatMul(frame, rvQuatConj(run[1].frames1[4])));
            const double target[ROWS] = {place.x, place.y, place.z, turn.x, turn.y, turn.z};
            for (int i = 0; i < ROWS; ++i) {
                b[i] = target[i] - places[i];
                forces[i] = run[1].force1[3 + i];
            }
            for (int k = 0; k < ROWS; ++k) { // Gauss; it is positive definite
                for (int i = k + 1; i < ROWS; ++i) {
                    double f = c[i * ROWS + k] / c[k * ROWS + k];
                    for (int j = k; j < ROWS; ++j)
                        c[i * ROWS + j] -= f * c[k * ROWS + j];
                    b[i] -= f * b[k];
                }
            }
            for (int k = ROWS - 1; k >= 0; --k) {
                for (int j = k + 1; j < ROWS; ++j)
                    b[k] -= c[k * ROWS + j] * b[j];
                b[k] /= c[k * ROWS + k];
                forces[k] += b[k];
            }
            rv_space_port_take(&run[1], forces);
        }
        assert_true(rv_space_port_end(&run[1]));
    }
    CHECK_NEAR(rvDistance(node(&run[0], 4), node(&run[1], 4)), 0.0, 1e-7); // what two solves leave, d^2
    CHECK_NEAR(rvDistance(node(&run[0], N), node(&run[1], N)), 0.0, 1e-3); // one has a pass more: d^2 of a step, summed
    for (int k = 0; k < 2; ++k)
        rv_space_run_release(&run[k], &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StiffRodSwingsAsARigidOne), cmocka_unit_test(StepIsOfSecondOrderAndKeepsEnergy),
        cmocka_unit_test(CantileverIsAnElastica),    cmocka_unit_test(EndMomentMakesAHelix),
        cmocka_unit_test(TwistBucklesAStraightRod),  cmocka_unit_test(PortThatIsHeldIsAHold),
    };
    return RUN_TESTS(tests);
}
