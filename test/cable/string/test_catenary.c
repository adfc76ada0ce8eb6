// SPDX-License-Identifier: MIT
// The elastic catenary against its two equations, in both directions and at its limits.
#include "cable/string/catenary.h"

#include "check.h"

// What the two equations of the elastic catenary say of a solution: the chord that it spans.
static void chord_of(const rvCatenary* c, double w, double ea, double* d, double* z)
{
    double h = c->horizontal, n = c->length, v = c->vertical + 0.5 * w * n;
    *d = h * n / ea + h / w * (asinh(v / h) - asinh((v - w * n) / h));
    *z = n / ea * (v - 0.5 * w * n) +
         h / w * (sqrt(1 + v / h * (v / h)) - sqrt(1 + (v - w * n) / h * ((v - w * n) / h)));
}

static void LevelExampleHasItsTension(void** state)
{
    (void)state;
    rvCatenary c = rv_catenary_by_length(100.0, 0.0, 14.715, 1e7, 105.0);
    CHECK_NEAR(c.horizontal, 1351.076, 5e-4);                                                        // the digits given
    CHECK_NEAR(rv_catenary_end(&c, 14.715, 1), sqrt(1351.076 * 1351.076 + 772.538 * 772.538), 1e-3); // the same
    double d, z;
    chord_of(&c, 14.715, 1e7, &d, &z);
    CHECK_NEAR(d, 100.0, 1e-10); // round-off of asinh times H/w = 92, relative 1e-14
    CHECK_NEAR(z, 0.0, 1e-10);
}

static void BothDirectionsAgreeWithTheEquations(void** state)
{
    (void)state;
    const double chords[][2] = {{100, 0}, {100, 60}, {100, -60}, {1, 40}, {0.1, -40}, {30, 1}};
    const double lengths[] = {0.999, 1.0, 1.001, 1.05, 1.5, 4.0};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            for (int soft = 0; soft < 2; ++soft) {
                double d = chords[i][0], z = chords[i][1], ea = soft ? 1e5 : 1e8, l = sqrt(d * d + z * z);
                rvCatenary c = rv_catenary_by_length(d, z, 10.0, ea, lengths[k] * l);
                double toD, toZ;
                chord_of(&c, 10.0, ea, &toD, &toZ);
                // a bend is between others that are a millionth off; bisection ends at 4e-16
                assert_true(rv_catenary_is_bent(d, z, 10.0, ea, lengths[k] * l, c.bend * (1.0 - 1e-6)));
                assert_false(rv_catenary_is_bent(d, z, 10.0, ea, lengths[k] * l, c.bend * (1.0 + 1e-6)));
                // the printed equations cancel: round-off 1e-16 times (T/w)/l, T/w up to 1e-3 EA/w = 1e4 m
                CHECK_NEAR(toD, d, 1e-9 * l);
                CHECK_NEAR(toZ, z, 1e-9 * l);
                double along = (c.horizontal * d + c.vertical * z) / l;
                rvCatenary back = rv_catenary_by_tension(d, z, 10.0, ea, along, 300.0);
                // a rope in a loop has the same tension along the chord at any length
                if (c.bend < 3.0)
                    CHECK_NEAR(back.length, c.length, 1e-9 * l);
            }
}

// Rope that its own weight stretches by up to a half, from taut to in a loop: still the two equations, whatever is
// asked.
static void SoftHeavyRopeKeepsToTheEquations(void** state)
{
    (void)state;
    for (int i = 0; i < 9; ++i)
        for (int k = 0; k < 24; ++k) {
            double d = 100.0, z = 25.0 * (i - 4), w = 10.0, ea = 2e3 * (1 + k % 4), l = sqrt(d * d + z * z);
            double tension = 0.05 * w * l * exp2(k / 4);
            rvCatenary c = rv_catenary_by_tension(d, z, w, ea, tension, 6.0);
            double toD, toZ;
            chord_of(&c, w, ea, &toD, &toZ);
            CHECK_NEAR(toD, d, 1e-12 * (l + c.length)); // round-off of asinh and of (V/H)^2, H/w of the order of l
            CHECK_NEAR(toZ, z, 1e-12 * (l + c.length));
            if (c.bend < 6.0)
                CHECK_NEAR((c.horizontal * d + c.vertical * z) / l, tension, 1e-12 * tension); // round-off
        }
}

static void SlopeIsThatOfTheLength(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        double d = 50.0, z = 20.0 * i, t = 600.0, e = 1e-2;
        rvCatenary c = rv_catenary_by_tension(d, z, 10.0, 1e14, t, 50.0); // as good as inextensible
        double up = rv_catenary_by_tension(d, z, 10.0, 1e14, t + e, 50.0).length;
        double down = rv_catenary_by_tension(d, z, 10.0, 1e14, t - e, 50.0).length;
        CHECK_NEAR(c.slope, (up - down) / (2.0 * e), 1e-6 * fabs(c.slope)); // (e/t)^2, and round-off 1e-14/e/slope
    }
}

static void VerticalRopeIsTautOrALoop(void** state)
{
    (void)state;
    // own weight and load: 0.105458 m in VALIDATION's example
    rvCatenary c = rv_catenary_by_tension(0.0, -100.105458, 14.715, 1e7, 9810.0 + 14.715 * 50.0, 50.0);
    CHECK_NEAR(c.length, 100.0, 1e-6);                        // the digits given
    CHECK_NEAR(rv_catenary_end(&c, 14.715, 1), 9810.0, 1e-5); // w times the metres given
    CHECK_NEAR(rv_catenary_end(&c, 14.715, 0), 9810.0 + 1471.5, 1e-5);
    // a loop: the upper leg is (N + z)/2 long
    c = rv_catenary_by_length(0.0, 3.0, 10.0, 1e12, 5.0);
    CHECK_NEAR(rv_catenary_end(&c, 10.0, 1), 40.0, 1e-9); // w N/EA = 5e-11 of it
    CHECK_NEAR(rv_catenary_end(&c, 10.0, 0), 10.0, 1e-9);
}

static void PointsLieOnTheCurve(void** state)
{
    (void)state;
    const double rises[] = {0.0, 7.0, -12.0};
    for (int i = 0; i < 3; ++i) {
        rvCatenary c = rv_catenary_by_length(20.0, rises[i], 15.0, 1e6, 26.0);
        double x, z, lowX, lowZ;
        rv_catenary_point(&c, 15.0, 1e6, 1.0, &x, &z);
        CHECK_NEAR(x, 20.0, 1e-9);
        CHECK_NEAR(z, rises[i], 1e-9);
        double s = (0.5 * 15.0 * 26.0 - c.vertical) / (15.0 * 26.0); // where the tension is horizontal
        rv_catenary_point(&c, 15.0, 1e6, s, &x, &z);
        rv_catenary_point(&c, 15.0, 1e6, s + 1e-3, &lowX, &lowZ);
        CHECK_NEAR(lowZ - z, 0.5 * (lowX - x) * (lowX - x) * 15.0 / c.horizontal, 1e-6); // parabola of its curvature
    }
}

// Of long steep rope the stretch by its own weight says more of the tension along the chord than the bend does.
static void LongSteepRopeIsFoundByItsTension(void** state)
{
    (void)state;
    for (int i = 0; i < 60; ++i) {
        double turn = (1 + i % 6) * 0.25, d = 2.0 * cos(turn), z = 2.0 * sin(turn),
               length = 2.0 * (1.5 + 10.0 * (i / 6));
        rvCatenary c = rv_catenary_by_length(d, z, 15.0, 1e6, length);
        double along = 0.5 * (c.horizontal * d + c.vertical * z);
        rvCatenary found = rv_catenary_by_tension(d, z, 15.0, 1e6, along, c.bend + 2.0);
        // round-off of the tension over its slope by the length, of which the steepest have 2e-4 of w or less
        CHECK_NEAR(found.length, length, 1e-9 * length);
        CHECK_NEAR(found.bend, c.bend, 1e-9 * c.bend);
    }
}

// By H and F where these tell: they cancel for straight ropes, of which the closed form is w^2 z d/(12 T).
static void EndsPullAcrossTheChord(void** state)
{
    (void)state;
    for (int i = 0; i < 24; ++i) {
        double turn = (i % 4 - 1) * 0.4, d = 2.0 * cos(turn), z = 2.0 * sin(turn);
        double length = i < 12 ? 2.0 * (1.2 + i / 4 * i / 4) : 2.0 - 1e-6 * i;
        rvCatenary c = rv_catenary_by_length(d, z, 15.0, 1e6, length);
        double across = 0.5 * (c.vertical * d - c.horizontal * z), along = 0.5 * (c.horizontal * d + c.vertical * z);
        double found = rv_catenary_across(&c, d, z, 15.0, 1e6);
        CHECK_NEAR(found, across, 1e-9 * (fabs(c.vertical) + c.horizontal)); // round-off, and that of the bend
        if (c.bend < 0.1)                                                    // p^2/15, and the strain, twice
            CHECK_NEAR(found, 225.0 * z * d / (12.0 * along), fabs(found) * (c.bend * c.bend + 4.0 * along / 1e6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LevelExampleHasItsTension),        cmocka_unit_test(BothDirectionsAgreeWithTheEquations),
        cmocka_unit_test(SoftHeavyRopeKeepsToTheEquations), cmocka_unit_test(SlopeIsThatOfTheLength),
        cmocka_unit_test(VerticalRopeIsTautOrALoop),        cmocka_unit_test(PointsLieOnTheCurve),
        cmocka_unit_test(LongSteepRopeIsFoundByItsTension), cmocka_unit_test(EndsPullAcrossTheChord),
    };
    return RUN_TESTS(tests);
}
