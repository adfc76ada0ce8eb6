// SPDX-License-Identifier: MIT
// The wave on a span: both schemes against what is known of them in closed form.
#include "cable/string/wave.h"
#include "reference/wave_explicit.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 * 256 };

typedef struct {
    rvWaveTable table;
    double room[4 * 256 + 1024];
    double wave[ROOM], next[ROOM];
    double tension, rho, length;
    rvWaveStep step;
} Rig;

// A string as of VALIDATION.md: 20 kN, 1.5 kg/m, 20 m.
static Rig* new_rig(int intervals, double h, double tension)
{
    Rig* rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rv_wave_table_fill(&rig->table, intervals, rig->room);
    rig->tension = tension;
    rig->rho = 1.5;
    rig->length = 20.0;
    rig->step = (rvWaveStep){.h = h, .scaleY = 1.0, .scaleW = 1.0, .arc = intervals * intervals / rig->length};
    rig->step.nu2 = tension * h * h * intervals * intervals / (rig->rho * rig->length * rig->length);
    return rig;
}

// rho l/2 times the sums of the kernel.
static double energy_of(const Rig* rig, double* size)
{
    double kinetic, potential;
    rv_wave_energy(&rig->table, &rig->step, rig->wave, &kinetic, &potential);
    *size = fmax(*size, 0.5 * rig->rho * rig->length * fmax(kinetic, fabs(potential)));
    return 0.5 * rig->rho * rig->length * (kinetic + potential);
}

static double modal_step(Rig* rig)
{
    rvWaveNext next;
    return rv_wave_advance(&rig->table, &rig->step, rig->wave, rig->wave, &next);
}

static void explicit_step(Rig* rig)
{
    bool suspended;
    rv_wave_explicit(&rig->table, &rig->step, rig->wave, rig->next, &suspended);
    assert_false(suspended);
    memcpy(rig->wave, rig->next, sizeof rig->wave);
}

static void TransformsAreInverse(void** state)
{
    (void)state;
    Rig* rig = new_rig(37, 1e-3, 2e4);
    double points[64], modes[64], back[64];
    for (int j = 0; j < 36; ++j)
        points[j] = sin(3.0 * j * j);
    rv_wave_to_modes(&rig->table, points, modes);
    rv_wave_to_points(&rig->table, modes, back);
    for (int j = 0; j < 36; ++j)
        CHECK_NEAR(back[j], points[j], 1e-13); // round-off of sums of 36
    memcpy(rig->wave, modes, sizeof(double) * 36);
    double arc = rv_wave_arc(&rig->table, rig->step.arc, rig->wave);
    memset(rig->wave, 0, sizeof rig->wave);
    memcpy(rig->wave, points, sizeof(double) * 36);
    CHECK_NEAR(rv_wave_arc_points(&rig->table, rig->step.arc, rig->wave), arc, 1e-13 * arc); // round-off
    free(rig);
}

// sin(omega k/2) = nu sin(n pi/2M): one step turns the mode by omega k.
static void ExplicitSchemeHasItsDispersion(void** state)
{
    (void)state;
    for (int n = 1; n < 20; ++n) {
        Rig* rig = new_rig(20, 1e-3, 2e4);
        rig->step.nu2 = 0.49;
        double angle = 2.0 * asin(0.7 * sin(n * 3.14159265358979323846 / 40.0));
        for (int j = 1; j < 20; ++j) {
            rig->wave[j - 1] = rig->table.sines[n * j % 40];
            rig->wave[rig->table.stride + j - 1] = cos(angle) * rig->table.sines[n * j % 40];
        }
        for (int i = 1; i <= 1000; ++i) {
            explicit_step(rig);
            CHECK_NEAR(rig->wave[0], cos(i * angle) * rig->table.sines[n % 40], 1e-11); // round-off of 1000 steps
        }
        free(rig);
    }
}

static void ExplicitSchemeIsStableUpToOne(void** state)
{
    (void)state;
    // the highest mode, free of the suspension: q+ = (2 - 4 nu^2 s) q - q-, stable while |2 - 4 nu^2 s| <= 2
    Rig* rig = new_rig(20, 1e-3, 2e4);
    double s = rig->table.stiff[18];
    for (int k = 0; k < 18; ++k)
        assert_true(rig->table.stiff[k] < s);
    rig->step.nu2 = 0.4999;
    bool suspended;
    rig->wave[5] = 1e-3;
    rv_wave_explicit(&rig->table, &rig->step, rig->wave, rig->next, &suspended);
    assert_false(suspended);
    rig->step.nu2 = 0.5;
    double arc = rv_wave_explicit(&rig->table, &rig->step, rig->wave, rig->next, &suspended);
    assert_true(suspended);
    assert_true(arc == 0.0 && rig->next[5] == 0.0);
    // nu^2 s <= 1 keeps the amplitude, more makes it grow: both to round-off
    for (int above = 0; above < 2; ++above) {
        double nu2 = (above ? 1.0 + 1e-9 : 1.0) / s, q = 1.0, before = 1.0, largest = 0.0;
        for (int i = 0; i < 200000; ++i) {
            double next = (2.0 - 4.0 * nu2 * s) * q - before;
            before = q;
            q = next;
            if (i > 100000)
                largest = fmax(largest, fabs(q) / i);
        }
        if (above)
            assert_true(largest > 1e3); // exp(2 sqrt(1e-9) 2e5) = 3e5
        else
            assert_true(largest < 2.1); // at the bound itself the two roots meet: it grows as 2 i, not more
    }
    free(rig);
}

// tan(omega h/2) = nu sin(n pi/2M), at any nu.
static void ModalSchemeHasItsDispersion(void** state)
{
    (void)state;
    for (int n = 1; n < 20; ++n)
        for (int big = 0; big < 2; ++big) {
            Rig* rig = new_rig(20, 1e-3, 2e4);
            rig->step.nu2 = big ? 400.0 : 0.49;
            double half = atan(sqrt(rig->step.nu2 * rig->table.stiff[n - 1]));
            rig->wave[n - 1] = 1.0; // at rest at the middle of a step: w = 0 there
            for (int i = 1; i <= 1000; ++i) {
                modal_step(rig);
                CHECK_NEAR(rig->wave[n - 1], cos(2.0 * i * half), 1e-10); // round-off of 1000 steps
            }
            free(rig);
        }
}

// The frequency of mode n by both schemes falls to n sqrt(T/rho)/(2 l) with the square of both steps.
static void FrequenciesAreOfATautStringToSecondOrder(void** state)
{
    (void)state;
    double exact = 2.8867513459481287 * 2.0 * 3.14159265358979323846;
    for (int scheme = 0; scheme < 2; ++scheme) {
        double last[2] = {0, 0};
        for (int r = 0; r < 3; ++r) {
            int m = 10 << r;
            double h = scheme ? 5e-3 / (1 << r) : 2e-3 / (1 << r);
            Rig* rig = new_rig(m, h, 2e4);
            double nu = sqrt(rig->step.nu2 * rig->table.stiff[0]);
            double omega = 2.0 / h * (scheme ? atan(nu) : asin(nu));
            double error = fabs(omega / exact - 1.0);
            if (r > 0)
                CHECK_NEAR(last[scheme] / error, 4.0, 0.05); // fourth order terms, (pi/M)^2/10
            last[scheme] = error;
            free(rig);
        }
        CHECK_BELOW(last[scheme], 1e-3); // (pi/2M)^2/6 = 2.6e-4 in space, (omega h/2)^2/3 = 2.5e-5 in time
    }
}

// Second order as functions of time and place, not only of frequency: a plucked shape against d'Alembert's solution.
static void SolutionConvergesToSecondOrder(void** state)
{
    (void)state;
    double error[3];
    for (int r = 0; r < 3; ++r) {
        int m = 32 << r, steps = 128 << r;
        Rig* rig = new_rig(m, 0.1 / steps, 2e4);
        double points[256], modes[256], pi = 3.14159265358979323846;
        for (int j = 1; j < m; ++j)
            points[j - 1] = pow(sin(pi * j / m), 6.0);
        rv_wave_to_modes(&rig->table, points, modes);
        // from rest at time 0: the middle of the step before it is a quarter turn of phase back, w there by symmetry
        for (int k = 0; k < m - 1; ++k) {
            double half = atan(sqrt(rig->step.nu2 * rig->table.stiff[k]));
            rig->wave[k] = modes[k] * cos(half);
            rig->wave[rig->table.stride + k] = modes[k] * sin(half) * 2.0 / rig->step.h * tan(half);
        }
        for (int i = 0; i < steps; ++i)
            modal_step(rig);
        rv_wave_to_points(&rig->table, rig->wave, points);
        double shift = sqrt(2e4 / 1.5) / 20.0 * (0.1 - 0.5 * rig->step.h);
        error[r] = 0.0;
        for (int j = 1; j < m; ++j) {
            double x = (double)j / m, left = sin(pi * (x - shift)), right = sin(pi * (x + shift));
            double exact = 0.5 * (copysign(pow(left, 6.0), left) + copysign(pow(right, 6.0), right));
            error[r] = fmax(error[r], fabs(points[j - 1] - exact));
        }
        free(rig);
    }
    CHECK_NEAR(error[0] / error[1], 4.0, 0.4); // next order: (k pi/2M)^2 = 0.09 with k = 6 and M = 32, of 4
    CHECK_NEAR(error[1] / error[2], 4.0, 0.1);
}

// rho g l^2/(8 T) in the middle, the parabola at each grid point: a step from rest there stays there.
static void StaticSagIsExactAtTheGridPoints(void** state)
{
    (void)state;
    Rig* rig = new_rig(30, 0.01, 2e4);
    rig->step.load[0][0] = -9.81;
    rig->step.load[1][1] = 3.0; // linear along the span
    double points[64];
    for (int d = 0; d < 2; ++d) {
        for (int j = 1; j < 30; ++j) {
            double x = j / 30.0, c = 1.5 * 400.0 / 2e4;
            points[j - 1] =
                d == 0 ? -0.5 * c * 9.81 * x * (1.0 - x) : c * 3.0 * (x * (1.0 - x * x) / 6.0 - x * (1.0 - x) / 4.0);
        }
        rv_wave_to_modes(&rig->table, points, rig->wave + 2 * d * rig->table.stride);
    }
    CHECK_NEAR(-1.5 * 9.81 * 400.0 / (8.0 * 2e4), -0.5 * 1.5 * 400.0 / 2e4 * 9.81 * 0.25, 1e-15); // the same number
    memcpy(rig->next, rig->wave, sizeof rig->wave);
    for (int i = 0; i < 100; ++i)
        modal_step(rig);
    for (size_t k = 0; k < rv_wave_size(&rig->table); ++k)
        CHECK_NEAR(rig->wave[k], rig->next[k], 1e-12); // round-off of 100 steps at nu^2 = 3, amplitude 0.04
    // the explicit scheme stands still on it too
    rig->step.nu2 = 0.3;
    rig->step.h *= sqrt(0.3 / (2e4 * 1e-4 * 900.0 / (1.5 * 400.0)));
    memset(rig->wave, 0, sizeof rig->wave);
    for (int d = 0; d < 2; ++d) {
        rv_wave_to_points(&rig->table, rig->next + 2 * d * rig->table.stride, rig->wave + 2 * d * rig->table.stride);
        memcpy(rig->wave + (2 * d + 1) * rig->table.stride, rig->wave + 2 * d * rig->table.stride, 29 * sizeof(double));
    }
    memcpy(rig->next, rig->wave, sizeof rig->wave);
    for (int i = 0; i < 100; ++i)
        explicit_step(rig);
    double expected[64];
    rv_wave_to_points(&rig->table, rig->next, expected);
    for (int j = 1; j < 30; ++j)
        CHECK_NEAR(rig->wave[j - 1], -0.5 * 1.5 * 400.0 / 2e4 * 9.81 * (j / 30.0) * (1.0 - j / 30.0),
                   1e-11); // round-off of 100 steps grows with their square: 1e-16 * 1e4
    free(rig);
}

// What T does on the wave is T times the loss of arc length, whatever T does from step to step.
static void EnergyIsKeptAtAnyTension(void** state)
{
    (void)state;
    const double tensions[] = {0.0, 1.0, 2e4, 1e9}; // nu^2 from 0 to 2e7: all but the first two break the explicit one
    for (int i = 0; i < 4; ++i) {
        Rig* rig = new_rig(40, 0.02, tensions[i]);
        rig->step.load[0][0] = -9.81;
        rig->step.load[1][0] = 1.0;
        rig->step.load[1][1] = -2.0;
        for (int k = 0; k < 39; ++k) {
            rig->wave[k] = 0.1 * cos(k) / (1 + k);
            rig->wave[3 * rig->table.stride + k] = sin(2.0 * k) / (1 + k);
        }
        double arc = rv_wave_arc(&rig->table, rig->step.arc, rig->wave), size = 0.0, energy = energy_of(rig, &size);
        for (int n = 0; n < (i == 0 ? 100 : 2000); ++n) {        // what falls freely gets large
            double tension = tensions[i] * (1.0 + 0.5 * sin(n)); // varies at will
            rig->step.nu2 = tension * 4e-4 * 1600.0 / (1.5 * 400.0);
            double next = modal_step(rig);
            double now = energy_of(rig, &size);
            size = fmax(size, tension * fmax(arc, next));
            // round-off of a step: w is a difference of y over h, and loses the digits of |y|/(h w), up to 100
            CHECK_NEAR(now - energy, -tension * (next - arc), 1e-12 * size);
            arc = next;
            energy = now;
        }
        free(rig);
    }
}

static void PredictionIsTheStepAndItsSlope(void** state)
{
    (void)state;
    Rig* rig = new_rig(25, 0.01, 3000.0);
    rig->step.load[0][0] = -9.81;
    rig->step.load[1][1] = 4.0;
    rig->step.damping = 0.02;
    rig->step.scaleY = 1.01;
    rig->step.scaleW = 0.98;
    double more[64];
    for (int k = 0; k < 64; ++k)
        more[k] = k < rig->table.stride + 24 && k % rig->table.stride < 24 ? cos(5.0 * k) : 0.0;
    rig->step.more = more;
    for (int k = 0; k < 24; ++k)
        rig->wave[k] = 0.1 * cos(k) / (1 + k), rig->wave[rig->table.stride + k] = sin(k);
    double slope, unused, e = 1e-5;
    double arc = rv_wave_predict(&rig->table, &rig->step, rig->wave, &slope);
    rvWaveStep up = rig->step, down = rig->step;
    up.nu2 += e;
    down.nu2 -= e;
    double difference = (rv_wave_predict(&rig->table, &up, rig->wave, &unused) -
                         rv_wave_predict(&rig->table, &down, rig->wave, &unused)) /
                        (2.0 * e);
    CHECK_NEAR(slope, difference, 1e-8 * fabs(slope)); // e^2 and round-off 1e-16/e
    rvWaveNext next;
    CHECK_NEAR(rv_wave_advance(&rig->table, &rig->step, rig->wave, rig->next, &next), arc, 1e-14 * arc); // round-off
    rig->step.scaleY = rig->step.scaleW = 1.0;
    arc = rv_wave_predict(&rig->table, &rig->step, rig->next, &slope);
    CHECK_NEAR(next.arc, arc, 1e-14 * arc);
    CHECK_NEAR(next.slope, slope, 1e-13 * fabs(slope));
    free(rig);
}

// A damped mode falls by exp(-b t/2); (b h)^2 is the scheme's error.
static void DampingIsHalfOfB(void** state)
{
    (void)state;
    Rig* rig = new_rig(20, 1e-3, 2e4);
    double b = 2.0;
    rig->step.damping = 0.5 * b * rig->step.h;
    rig->wave[0] = 1.0;
    double energy = 0.0;
    for (int i = 0; i < 1000; ++i)
        modal_step(rig);
    double k = 4.0 * rig->step.nu2 / 1e-6 * rig->table.stiff[0];
    energy = rig->wave[rig->table.stride] * rig->wave[rig->table.stride] + k * rig->wave[0] * rig->wave[0];
    CHECK_NEAR(energy / k, exp(-b), exp(-b) * b / sqrt(k)); // it sways by b/omega within a period
    free(rig);
}

// A string that runs through its span with speed v has the frequencies (1 - v^2/c^2) of one at rest.
static void RunningRopeIsSlower(void** state)
{
    (void)state;
    int m = 40;
    Rig* rig = new_rig(m, 5e-4, 2e4);
    double c = sqrt(2e4 / 1.5), v[2] = {0.2 * c, 0.2 * c}, more[2 * 64], scratch[3 * 64];
    double period = 2.0 * 20.0 / c / (1.0 - 0.04), crossed = 0.0, last = 1.0;
    rig->wave[0] = 1.0;
    rig->step.more = more;
    int count = 0, n = 0;
    // crossings of the first mode from above; the running string's modes are its mixture with others
    for (; count < 9 && n < 20000; ++n) {
        memset(more, 0, sizeof more);
        rv_wave_add_flow(&rig->table, v, 20.0, rig->wave, rig->wave + rig->table.stride, more, scratch);
        modal_step(rig);
        if (last > 0.0 && rig->wave[0] <= 0.0) {
            if (count++ == 0)
                crossed = n + last / (last - rig->wave[0]);
            else if (count == 9)
                CHECK_NEAR((n + last / (last - rig->wave[0]) - crossed) * 5e-4 / 8.0, period,
                           0.01 * period); // the mixture shifts single crossings by (v/c)^2/8 of a period
        }
        last = rig->wave[0];
    }
    assert_int_equal(count, 9);
    free(rig);
}

static void FrameIsCarriedThroughTheVerticalWithoutAJump(void** state)
{
    (void)state;
    // a span that swings through the vertical, not quite in a plane
    rvVec3 u = rvNormalizeOr(rvVec(-1, 0.01, -1), rvVec(0, 0, 1)), e = rvAcross(u);
    for (int i = 1; i <= 2000; ++i) {
        double a = 2.0 * i / 2000.0 - 1.0;
        rvVec3 now = rvNormalizeOr(rvVec(a, 0.01 * cos(a), -1), u);
        rvVec3 next = rv_wave_transport(e, u, now);
        CHECK_BELOW(rvDistance(next, e), 1.1 * rvDistance(now, u) + 1e-15); // turns no more than the span
        CHECK_NEAR(rvDot(next, now), 0.0, 1e-15);
        CHECK_NEAR(rvLength(next), 1.0, 1e-15);
        e = next;
        u = now;
    }
    // a closed path leaves the turn by the solid angle, here of a cone: parallel transport, not a fixed direction
    u = rvVec(0.6, 0, 0.8);
    rvVec3 first = e = rvVec(0, 1, 0);
    for (int i = 1; i <= 20000; ++i) {
        double a = 2.0 * 3.14159265358979323846 * i / 20000.0;
        rvVec3 now = rvVec(0.6 * cos(a), 0.6 * sin(a), 0.8);
        e = rv_wave_transport(e, u, now);
        u = now;
    }
    CHECK_NEAR(rvDot(e, first), cos(2.0 * 3.14159265358979323846 * 0.2), 1e-6); // (step angle)^2 of the polygon
}

// A mode far beyond the step turns over, however tight the string; in a step that rests it lies down.
static void ModesBeyondTheStepComeToRest(void** state)
{
    (void)state;
    Rig* rig = new_rig(10, 1e-3, 2e10);
    rig->wave[0] = 0.5;
    rig->wave[2 * rig->table.stride] = -0.2; // the other direction
    double before = rv_wave_arc(&rig->table, rig->step.arc, rig->wave), beyond = rig->step.nu2 * rig->table.stiff[0];
    assert_true(beyond > 50.0);
    rvWaveNext next;
    double turned = rv_wave_advance(&rig->table, &rig->step, rig->wave, rig->next, &next);
    rig->step.rests = true;
    double rested = rv_wave_advance(&rig->table, &rig->step, rig->wave, rig->next, &next);
    CHECK_NEAR(turned, before, 4.0 / beyond * before); // y+ = (2/(1 + nu^2 s) - 1) y-
    CHECK_BELOW(rested, 1e-28 * before);               // y+ = 0 up to round-off
    free(rig);
}

// What such a step takes of the string beyond -T (S+ - S-) is lost; and its slope is that of differences.
static void StepThatRestsKeepsItsBooks(void** state)
{
    (void)state;
    Rig* rig = new_rig(16, 1e-3, 5e7);
    for (int k = 0; k < 15; ++k)
        for (int d = 0; d < 2; ++d) {
            rig->wave[2 * d * 16 + k] = 0.1 / (1 + k + d);
            rig->wave[(2 * d + 1) * 16 + k] = k % 3 - d;
        }
    rig->step.rests = true;
    rig->step.damping = 0.01;
    double size = 0.0, before = energy_of(rig, &size), arc = rv_wave_arc(&rig->table, rig->step.arc, rig->wave), slope,
           unused, high, low, by = 1e-4 * rig->step.nu2;
    double arcs = rv_wave_predict(&rig->table, &rig->step, rig->wave, &slope);
    rig->step.nu2 += by;
    high = rv_wave_predict(&rig->table, &rig->step, rig->wave, &unused);
    rig->step.nu2 -= 2.0 * by;
    low = rv_wave_predict(&rig->table, &rig->step, rig->wave, &unused);
    rig->step.nu2 += by;
    CHECK_NEAR(slope, (high - low) / (2.0 * by), 1e-6 * fabs(slope)); // by^2 of a function of nu^2 itself
    rvWaveNext next;
    double after = rv_wave_advance(&rig->table, &rig->step, rig->wave, rig->wave, &next);
    CHECK_NEAR(after, arcs, 1e-12 * arc); // the same sums
    double gained = energy_of(rig, &size) - before, heat = 0.5 * rig->rho * rig->length * next.lost;
    CHECK_NEAR(gained + heat, -rig->tension * (after - arc), 1e-9 * rig->tension * arc); // round-off of large terms
    assert_true(heat > 0.0);
    free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TransformsAreInverse),
        cmocka_unit_test(ExplicitSchemeHasItsDispersion),
        cmocka_unit_test(ExplicitSchemeIsStableUpToOne),
        cmocka_unit_test(ModalSchemeHasItsDispersion),
        cmocka_unit_test(FrequenciesAreOfATautStringToSecondOrder),
        cmocka_unit_test(SolutionConvergesToSecondOrder),
        cmocka_unit_test(StaticSagIsExactAtTheGridPoints),
        cmocka_unit_test(EnergyIsKeptAtAnyTension),
        cmocka_unit_test(PredictionIsTheStepAndItsSlope),
        cmocka_unit_test(DampingIsHalfOfB),
        cmocka_unit_test(RunningRopeIsSlower),
        cmocka_unit_test(FrameIsCarriedThroughTheVerticalWithoutAJump),
        cmocka_unit_test(ModesBeyondTheStepComeToRest),
        cmocka_unit_test(StepThatRestsKeepsItsBooks),
    };
    return RUN_TESTS(tests);
}
