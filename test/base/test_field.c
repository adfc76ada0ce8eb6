// SPDX-License-Identifier: MIT
#include "base/field.h"
#include "check.h"

#include <float.h>
#include <math.h>

static const char* told(double value, rvRange range, const char* unit)
{
    static rvError error;
    rvField fields[] = {{"speed", 1.0, RV_FINITE_POSITIVE, "m/s"}, {"width", value, range, unit}};
    error.text[0] = 0;
    rvStatus status = RV_CHECK_FIELDS(&error, "drum 'a': ", fields);
    assert_int_equal(status, error.text[0] ? RV_BAD_INPUT : RV_OK);
    return error.text;
}

static void TellsTheFieldItsValueAndWhatItMustBe(void** state)
{
    (void)state;
    assert_string_equal(told(-1.0, RV_FINITE_NOT_NEGATIVE, "m"), "drum 'a': width: is -1 m, must be finite and >= 0");
    assert_string_equal(told(0.0, RV_POSITIVE, NULL), "drum 'a': width: is 0, must be > 0");
    assert_string_equal(told(HUGE_VAL, RV_FINITE, "m"), "drum 'a': width: is inf m, must be finite");
}

static void EachRangeHasItsBorders(void** state)
{
    (void)state;
    static const rvRange ranges[] = {RV_FINITE, RV_NOT_NEGATIVE, RV_POSITIVE, RV_FINITE_NOT_NEGATIVE,
                                     RV_FINITE_POSITIVE};
    static const double values[] = {-HUGE_VAL, -1.0, 0.0, 1.0, HUGE_VAL};
    static const char good[5][6] = {"-+++-", "--+++", "---++", "--++-", "---+-"};
    for (int r = 0; r < 5; ++r) {
        for (int v = 0; v < 5; ++v)
            assert_int_equal(told(values[v], ranges[r], NULL)[0] == 0, good[r][v] == '+');
        assert_true(told((double)NAN, ranges[r], NULL)[0] != 0);
    }
}

static void NumbersTooCloseToZeroAreRefused(void** state)
{
    (void)state;
    static const rvRange ranges[] = {RV_FINITE, RV_NOT_NEGATIVE, RV_POSITIVE, RV_FINITE_NOT_NEGATIVE,
                                     RV_FINITE_POSITIVE};
    for (int r = 0; r < 5; ++r) {
        bool divides = ranges[r] != RV_FINITE;
        assert_true(told(1e-320, ranges[r], NULL)[0] != 0);
        assert_true(told(-1e-320, ranges[r], NULL)[0] != 0);
        assert_int_equal(told(1e-101, ranges[r], NULL)[0] != 0, divides);
        assert_true(told(1e-100, ranges[r], NULL)[0] == 0);
        assert_true(told(DBL_MIN, RV_FINITE, NULL)[0] == 0);
    }
    assert_string_equal(told(1e-310, RV_POSITIVE, "kg"), "drum 'a': width: is 1e-310 kg, must be at least 1e-100");
    assert_string_equal(told(1e-101, RV_FINITE_NOT_NEGATIVE, NULL),
                        "drum 'a': width: is 1e-101, must be 0 or at least 1e-100");
    assert_string_equal(told(-1e-310, RV_FINITE, NULL),
                        "drum 'a': width: is -1e-310, must be 0 or at least 2.22507e-308 in size");
    assert_string_equal(told(-1e-310, RV_POSITIVE, NULL), "drum 'a': width: is -1e-310, must be > 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TellsTheFieldItsValueAndWhatItMustBe),
        cmocka_unit_test(EachRangeHasItsBorders),
        cmocka_unit_test(NumbersTooCloseToZeroAreRefused),
    };
    return RUN_TESTS(tests);
}
