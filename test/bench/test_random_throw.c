// SPDX-License-Identifier: MIT
// Threads that fall and are thrown on pegs and thin plates, seeded: none goes through. Thousands by `reeve bench random
// --only throw`.
#include "check.h"

#include "random/throw.h"

static void check_throw(uint64_t number, bool inSpace, rvThrownOn kind)
{
    rvThrown told = rv_random_throw(number, inSpace, kind, (rvRandomRun){.seconds = RV_THROW_SECONDS});
    if (told.through >= 0.0 || !(told.growth.grown < 0.05))
        print_error("throw %llu on %s, h %.12g: through at %g s, grows by %g%s\n", (unsigned long long)number,
                    rv_thrown_name(kind), told.h, told.through, told.growth.grown, told.error);
    assert_true(told.through < 0.0);
    CHECK_BELOW(told.growth.grown, 0.05); // the bound of the guard of a curve that whips
}

static void ThrownThreadsDoNotPassThroughPegs(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        check_throw(seed, false, RV_THROWN_ON_PEGS);
}

static void ThrownThreadsDoNotPassThroughPegsInSpace(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        check_throw(seed, true, RV_THROWN_ON_PEGS);
}

static void ThrownThreadsDoNotPassThroughPlates(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        check_throw(seed, true, RV_THROWN_ON_BOXES + (rvThrownOn)(seed % 3));
}

static void ThrownThreadsDoNotPassThroughPlatesInAPlane(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        check_throw(seed, false, RV_THROWN_ON_BOXES + (rvThrownOn)(seed % (RV_THROWN_KINDS - RV_THROWN_ON_BOXES)));
}

// Passes that contradict each other, and what a ball jerks along faster than its own rates tell, led through corners
// and faces in a plane.
static void NoPassLeadsThroughAShapeInAPlane(void** state)
{
    (void)state;
    check_throw(61, false, RV_THROWN_ON_MESHES);
    check_throw(307, false, RV_THROWN_ON_BARS);
    check_throw(79, false, RV_THROWN_ON_RODS);
    check_throw(2388, false, RV_THROWN_ON_BOXES);
    check_throw(2475, false, RV_THROWN_ON_PEGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPegs),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPegsInSpace),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPlates),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPlatesInAPlane),
        cmocka_unit_test(NoPassLeadsThroughAShapeInAPlane),
    };
    return RUN_TESTS(tests);
}
