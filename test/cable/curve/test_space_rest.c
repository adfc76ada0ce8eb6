// SPDX-License-Identifier: MIT
#include "cable/curve/space_motion.h"
#include "cable/curve/space_rest.h"

#include "rod.h"

#include <string.h>

static const rvSpaceSearch FROM_HERE = {.rounds = 200};

static rvSpaceHold clamp_at(int node)
{
    return (rvSpaceHold){
        .node = node, .grip = RV_GRIP_FRAME, .frame = along_x(), .place = rvVec(node ? 1.0 : 0.0, 0, 0)};
}

// Elastica of a cantilever with a dead load across it: P L^2/EI = 2 gives 0.49346 down and 0.16064 back.
static void CantileverIsAnElastica(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = clamp_at(0);
    make_rod(&run, &memory, 20, 1.0, rvVec(1, 1, 0.7), &clamp, 1);
    rvVec3 across = rvVec(0, 0.6, -0.8);
    run.loads[run.loadCount++] = (rvSpaceLoad){.node = 20, .force = rvScale(2.0, across)};
    rvSpaceRest rest = rv_space_run_rest(&run, FROM_HERE);
    assert_true(rest.found && rest.stability == RV_REST_STABLE);
    rvVec3 end = node_of(&run, 20);
    CHECK_NEAR(rvDot(end, across), 0.49346, 1e-3); // intervals of constant curvature: (1/20)^2/3
    CHECK_NEAR(1.0 - end.x, 0.16064, 1e-3);
    CHECK_NEAR(rvDot(end, rvCross(rvVec(1, 0, 0), across)), 0.0, 1e-9); // in its plane
    CHECK_NEAR(rvDistance(rvVec(run.forces[0], run.forces[1], run.forces[2]), rvScale(-2.0, across)), 0.0,
               1e-8); // the clamp carries it; what Newton leaves
    rv_space_run_release(&run, &memory);
    assert_true(memory.taken == 0);
}

// A moment that stays M along the whole rod: t turns about M at |M|/EI a metre, a helix.
static void EndMomentMakesAHelix(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = clamp_at(0);
    double error[2];
    for (int k = 0; k < 2; ++k) {
        int n = 10 << k;
        make_rod(&run, &memory, n, 1.0, rvVec(1, 1, 0.6), &clamp, 1);
        rvVec3 m = rvVec(2.0, 0.0, 3.0), axis = rvNormalizeOr(m, m);
        run.loads[run.loadCount++] = (rvSpaceLoad){.node = n, .moment = m};
        assert_true(rv_space_run_rest(&run, FROM_HERE).found);
        double k1 = rvLength(m), along = axis.x;
        rvVec3 across = rvSub(rvVec(1, 0, 0), rvScale(along, axis)), aside = rvCross(axis, across);
        rvVec3 end = rvMulAdd(rvMulAdd(rvScale(along, axis), sin(k1) / k1, across), (1.0 - cos(k1)) / k1, aside);
        error[k] = rvDistance(node_of(&run, n), end);
        rv_space_run_release(&run, &memory);
    }
    CHECK_BELOW(error[0], 5e-3); // curvature turns in the material by 1.3 rad a metre: (0.13)^2/12
    CHECK_NEAR(error[0] / error[1], 4.0, 0.4);
}

// ---- a straight rod, by all of its stiffness
// -------------------------------------------------------------------------------------------------------

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
            rv_space_place(space, rvVec(x[0], x[1], x[2]), frames, NULL);
            rv_space_clear_loads(space);
            rv_space_add_stresses(space, NULL);
            rv_space_sum_loads(space, forces[side]);
        }
        for (int i = 0; i < COUNT; ++i)
            a[i * size + d] = -0.5 / e * (forces[0][i] - forces[1][i]);
    }
    for (int i = 0; i <= N; ++i)
        frames[i] = rvQuatFromRotation(rvVec(0, 0, twist * i));
    rv_space_place(space, rvVec(0, 0, 0), frames, NULL);
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
    assert_true(rv_space_create(&space, &memory, N, false));
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

// ---- columns --------------------------------------------------------------------------------------------------------

typedef enum { PINNED, CLAMPED, CLAMPED_FREE } Column;

// A straight column, pushed by a force; its far end may come nearer. `stands`: its own weight pushes instead.
static void make_column(rvSpaceRun* run, rvMemory* memory, Column kind, double push, bool stands)
{
    enum { N = 24 };
    rvSpaceHold holds[2] = {clamp_at(0), clamp_at(N)};
    holds[1].loose = 1u;
    if (kind == PINNED)
        holds[0].grip = holds[1].grip = RV_GRIP_PIN;
    make_rod(run, memory, N, 1.0, rvVec(1, 1, 0.8), holds, kind == CLAMPED_FREE ? 1 : 2);
    if (stands)
        run->gravity = rvVec(-push, 0, 0);
    else
        run->loads[run->loadCount++] = (rvSpaceLoad){.node = N, .force = rvVec(-push, 0, 0)};
}

static double stiffness_at(Column kind, double push, bool stands)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    make_column(&run, &memory, kind, push, stands);
    rvSpaceRest rest = rv_space_run_rest(&run, FROM_HERE);
    assert_true(rest.found);
    rv_space_run_release(&run, &memory);
    return rest.least;
}

// The push at which the straight shape is not stable any more.
static double critical_push(Column kind, double from, double to, bool stands)
{
    for (int i = 0; i < 14; ++i) {
        double middle = 0.5 * (from + to);
        if (stiffness_at(kind, middle, stands) < -1e-5) // neutral below it: the pinned one may roll
            to = middle;
        else
            from = middle;
    }
    return 0.5 * (from + to);
}

// Euler's loads, and Greenhill's height of a column that stands by itself: w L^3/EI = 7.83735.
static void ColumnsBuckleInSpace(void** state)
{
    (void)state;
    // (k/24)^2/12 with k = pi, pi/2, 2 pi of the shape, and the bisection's 1e-4
    CHECK_NEAR(critical_push(PINNED, 8.0, 12.0, false) / (PI * PI), 1.0, 1.6e-3);
    CHECK_NEAR(critical_push(CLAMPED_FREE, 2.0, 3.0, false) / (0.25 * PI * PI), 1.0, 0.5e-3);
    CHECK_NEAR(critical_push(CLAMPED, 35.0, 45.0, false) / (4.0 * PI * PI), 1.0, 6e-3);
    CHECK_NEAR(critical_push(CLAMPED_FREE, 7.0, 9.0, true) / 7.83735, 1.0, 1.5e-3);
}

// Elastica of a pinned column whose ends lean by 60 degrees: P = (2 K/pi)^2 of Euler's load with K = K(1/2) = 1.685750,
// E = 1.467462: ends 2 E/K - 1 apart, the middle 0.5/K aside. The sign of `leave` chooses the side.
static void ColumnLeavesForTheElasticaOnTheSideThatIsAskedFor(void** state)
{
    (void)state;
    double k = 1.685750, e = 1.467462;
    rvVec3 middle[2];
    for (int side = 0; side < 2; ++side) {
        rvMemory memory = {0};
        rvSpaceRun run;
        make_column(&run, &memory, PINNED, 4.0 * k * k, false);
        rvSpaceRest rest = rv_space_run_rest(&run, FROM_HERE);
        assert_true(rest.found && rest.stability == RV_REST_UNSTABLE); // it stays straight, and says what that is
        CHECK_NEAR(node_of(&run, 24).x, 1.0, 1e-12);
        rest = rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 200, .leave = side ? -0.1 : 0.1});
        assert_true(rest.found && rest.stability == RV_REST_NEUTRAL); // it may roll about the line of its ends
        CHECK_NEAR(node_of(&run, 24).x, 2.0 * e / k - 1.0,
                   3e-3); // (pi/24)^2/12 of the load, which moves the end 2 times as much
        middle[side] = node_of(&run, 12);
        CHECK_NEAR(hypot(middle[side].y, middle[side].z), 0.5 / k, 3e-3);
        rv_space_run_release(&run, &memory);
    }
    CHECK_BELOW(rvDot(middle[0], middle[1]) - middle[0].x * middle[1].x, 0.0);
}

// ---- ring -----------------------------------------------------------------------------------------------------------

// A straight rod, bent to a ring and closed with so many turns of twist: does it stay flat?
static bool stays_flat(int n, double turns, double twisting)
{
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold holds[2] = {clamp_at(0), clamp_at(n)};
    holds[1].place = rvVec(0, 0, 0);
    holds[1].frame = rvQuatMul(rvQuatFromRotation(rvVec(2.0 * PI * turns, 0, 0)), along_x());
    make_rod(&run, &memory, n, 1.0, rvVec(1, 1, twisting), holds, 2);
    for (int i = 0; i <= n; ++i) {
        rvQuat round = rvQuatFromRotation(rvVec(0, 0, 2.0 * PI * i / n));
        run.frames[i] =
            rvQuatMul(rvQuatMul(round, along_x()), rvQuatFromRotation(rvVec(0, 0, 2.0 * PI * turns * i / n)));
    }
    rv_space_run_rest(&run, (rvSpaceSearch){.rounds = 100, .leave = 0.05});
    double flat = 2.0 * PI * PI * (1.0 + turns * turns * twisting);
    double energy = rv_space_run_elastic(&run); // it falls far as the ring coils
    rv_space_run_release(&run, &memory);
    return energy > 0.95 * flat;
}

// Michell: a closed ring coils at a twist of sqrt(3) EI/GJ turns.
static void TwistCoilsARing(void** state)
{
    (void)state;
    double twisting = 0.6, critical = sqrt(3.0) / twisting, error[2];
    for (int k = 0; k < 2; ++k) {
        int n = 20 << k;
        double from = 0.95, to = 1.15;
        for (int i = 0; i < 10; ++i) {
            double middle = 0.5 * (from + to);
            if (stays_flat(n, middle * critical, twisting))
                from = middle;
            else
                to = middle;
        }
        double angle = 2.0 * PI * critical / n; // of twist in an interval
        error[k] = 0.5 * (from + to) - 1.0;
        CHECK_NEAR(error[k], 0.0, angle * angle / 12.0);
    }
    CHECK_NEAR(error[0] / error[1], 4.0,
               0.8); // second order; fourth-order terms (angle^2/12 = 7 %) and the bisection, 1e-4
}

// ---- frequencies ----------------------------------------------------------------------------------------------------

// Frequency of motion k about rest.
static double frequency(rvSpaceRun* run, int k, double most)
{
    double low = 0.0, high = most;
    for (int i = 0; i < 40; ++i) {
        double middle = 0.5 * (low + high);
        if (rv_space_run_slower(run, middle) > k)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

// Each of them twice: in two directions. w = b^2 sqrt(EI/(rho L^4)), b = 1.875104, 4.694091, 7.854757.
static void CantileverSwingsAtItsFrequencies(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold clamp = clamp_at(0);
    enum { N = 24 };
    make_rod(&run, &memory, N, 1.0, rvVec(1, 1, 0.8), &clamp, 1);
    assert_true(rv_space_run_rest(&run, FROM_HERE).found);
    const double b[3] = {1.875104, 4.694091, 7.854757};
    for (int k = 0; k < 6; ++k)
        CHECK_NEAR(frequency(&run, k, 1e3) / (b[k / 2] * b[k / 2]), 1.0,
                   b[k / 2] * b[k / 2] / (12.0 * N * N)); // (b h)^2/12
    rv_space_run_release(&run, &memory);
}

// A chain without rigidity, hung from a pin: w = 1.20241, 2.76004, 4.32686 sqrt(g/L).
static void HangingChainSwingsAtItsFrequencies(void** state)
{
    (void)state;
    rvMemory memory = {0};
    rvSpaceRun run;
    rvSpaceHold pin = {.node = 0};
    enum { N = 24 };
    make_rod(&run, &memory, N, 1.0, rvVec(1e-7, 1e-7, 1e3), &pin, 1);
    run.gravity = rvVec(9.81, 0, 0);
    rvSpaceRest rest = rv_space_run_rest(&run, FROM_HERE);
    assert_true(rest.found && rest.stability == RV_REST_NEUTRAL); // it may turn about itself
    const double j[3] = {1.20241, 2.76004, 4.32686};
    for (int k = 0; k < 6;
         ++k) // the first motion is that turning, of no frequency; (2 j/N)^2/3: tangents linear in pieces
        CHECK_NEAR(frequency(&run, 1 + k, 100.0) / (j[k / 2] * sqrt(9.81)), 1.0,
                   4.0 * j[k / 2] * j[k / 2] / (3.0 * N * N));
    rv_space_run_release(&run, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CantileverIsAnElastica),
        cmocka_unit_test(EndMomentMakesAHelix),
        cmocka_unit_test(TwistBucklesAStraightRod),
        cmocka_unit_test(ColumnsBuckleInSpace),
        cmocka_unit_test(ColumnLeavesForTheElasticaOnTheSideThatIsAskedFor),
        cmocka_unit_test(TwistCoilsARing),
        cmocka_unit_test(CantileverSwingsAtItsFrequencies),
        cmocka_unit_test(HangingChainSwingsAtItsFrequencies),
    };
    return RUN_TESTS(tests);
}
