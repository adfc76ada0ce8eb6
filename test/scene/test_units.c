// SPDX-License-Identifier: MIT
// Units and numbers.
#include "check.h"

#include "scene/units.h"

#include <string.h>

static void UnitsHaveTheirFactor(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double factor;
        int m, kg, s, rad;
    } cases[] = {
        {"mm", 1e-3, 1, 0, 0, 0},
        {"t", 1e3, 0, 1, 0, 0},
        {"kg", 1.0, 0, 1, 0, 0},
        {"kN", 1e3, 1, 1, -2, 0},
        {"GPa", 1e9, -1, 1, -2, 0},
        {"km/h", 1.0 / 3.6, 1, 0, -1, 0},
        {"deg", 3.14159265358979 / 180, 0, 0, 0, 1},
        {"rpm", 3.14159265358979 / 30, 0, 0, -1, 1},
        {"kg m^2", 1.0, 2, 1, 0, 0},
        {"m/(s N)", 1.0, 0, -1, 1, 0},
        {"rad/(N m)", 1.0, -2, -1, 2, 1},
        {"m/s^2", 1.0, 1, 0, -2, 0},
        {"1/s", 1.0, 0, 0, -1, 0},
        {"%", 0.01, 0, 0, 0, 0},
        {"MN*m", 1e6, 2, 1, -2, 0},
        {"ms", 1e-3, 0, 0, 1, 0},
        {"min", 60, 0, 0, 1, 0},
        {"m^-1", 1.0, -1, 0, 0, 0},
        {"", 1.0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        rvUnit unit;
        assert_true(rv_unit_read(cases[i].text, &unit));
        CHECK_NEAR(unit.factor / cases[i].factor, 1.0, 1e-14); // rounding of the factors
        rvUnit expected = {0, cases[i].m, cases[i].kg, cases[i].s, cases[i].rad};
        assert_true(rv_unit_same_kind(&unit, &expected));
    }
}

static void NonsenseIsNoUnit(void** state)
{
    (void)state;
    static const char* const cases[] = {"furlong", "kkg",           "m^",   "m^9", "m/", "(m", "m)",
                                        "/s",      "((((((m))))))", "kmin", "3"};
    rvUnit unit;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_false(rv_unit_read(cases[i], &unit));
}

static void NumbersAreThoseOfYaml(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double value;
        const char* rest;
    } cases[] = {{"3", 3, ""},         {"-2.5e3", -2500, ""}, {".5 mm", 0.5, " mm"}, {"1.", 1, ""},
                 {"+4e-1x", 0.4, "x"}, {"5 e3", 5, " e3"},    {"3e", 3, "e"},        {"-.inf", -HUGE_VAL, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double value;
        const char* rest;
        assert_true(rv_number_read(cases[i].text, &value, &rest));
        assert_true(value == cases[i].value);
        assert_string_equal(rest, cases[i].rest);
    }
    static const char* const wrong[] = {"", "-", "x", ".", "inf", "nan", "0x", "e5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        double value;
        const char* rest;
        bool number = rv_number_read(wrong[i], &value, &rest);
        assert_false(number && *rest == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(UnitsHaveTheirFactor),
        cmocka_unit_test(NonsenseIsNoUnit),
        cmocka_unit_test(NumbersAreThoseOfYaml),
    };
    return RUN_TESTS(tests);
}
