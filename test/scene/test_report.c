// SPDX-License-Identifier: MIT
// Suggestions.
#include "check.h"

#include "scene/report.h"

static const char* const NAMES[] = {"position", "orientation", "mass", "inertia", "geometric_stiffness", NULL};

static void SlipsOfTheHandAreUnderstood(void** state)
{
    (void)state;
    assert_string_equal(rv_suggest("postion", NAMES), "position");              // a letter lost
    assert_string_equal(rv_suggest("poistion", NAMES), "position");             // two swapped
    assert_string_equal(rv_suggest("masss", NAMES), "mass");                    // one too many
    assert_string_equal(rv_suggest("Inertia", NAMES), "inertia");               // one changed
    assert_string_equal(rv_suggest("geometric", NAMES), "geometric_stiffness"); // the beginning
}

static void NothingIsSuggestedForNothingLikeIt(void** state)
{
    (void)state;
    assert_null(rv_suggest("colour", NAMES));
    assert_null(rv_suggest("x", NAMES));
    assert_null(rv_suggest("", NAMES));
    assert_null(rv_suggest("a very long word that is longer than any name could ever be", NAMES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SlipsOfTheHandAreUnderstood),
        cmocka_unit_test(NothingIsSuggestedForNothingLikeIt),
    };
    return RUN_TESTS(tests);
}
