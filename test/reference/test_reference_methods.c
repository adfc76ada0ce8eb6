// SPDX-License-Identifier: MIT
// The methods of the papers belong to libreeve-reference: a world that was not given them refuses each by its name.
#include "world/machines.h"

#include <stdio.h>

static const char MEANS[] =
    "is a method of libreeve-reference, which this program has not given to the world: expected "
    "rvWorldDef.reference = rvReference_GetMethods() of reeve/reference.h";

// As a program makes it that links the core alone.
static rvWorld* make_core_world(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    assert_null(def.reference);
    rvWorld* world;
    assert_int_equal(rvCreateWorld(&def, &world, NULL, 0), RV_OK);
    return world;
}

static void check_cable(rvWorld* world, const rvCableDef* def, const char* what)
{
    char expected[400];
    rvCableId id;
    snprintf(expected, sizeof expected, "cable 'rope': %s %s", what, MEANS);
    assert_int_equal(rvCreateCable(world, def, &id), RV_BAD_INPUT);
    assert_string_equal(rvWorld_GetError(world), expected);
}

static void CoreRefusesThePrintedStepper(void** state)
{
    (void)state;
    char error[400], expected[400];
    rvWorld* world;
    rvWorldDef def = rvDefaultWorldDef();
    def.stepper = RV_STEPPER_PAPER;
    assert_int_equal(rvCreateWorld(&def, &world, error, sizeof error), RV_BAD_INPUT);
    assert_null(world);
    snprintf(expected, sizeof expected, "world: stepper: paper %s", MEANS);
    assert_string_equal(error, expected);
    rvDestroyWorld(make_world_of(&def)); // which has them
}

static void CoreRefusesOtherIntegrators(void** state)
{
    (void)state;
    static const char* const names[] = {"si-be",        "si-bdf2", "si-newmark", "si-hht", "implicit-newmark",
                                        "implicit-hht", "verlet",  "taylor"};
    rvWorld *core = make_core_world(), *whole = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(0, 0, -2))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.name = "rope";
    def.places = places;
    def.placeCount = 2;
    rvCableId id;
    CHECK_OK(core, rvCreateCable(core, &def, &id));
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); ++i) {
        char what[80];
        def.integrator = (rvIntegrator)(i + 1);
        def.bendingStiffness = 100.0; // so stiff that no element buckles
        snprintf(what, sizeof what, "integrator: %s", names[i]);
        check_cable(core, &def, what);
        CHECK_OK(whole, rvCreateCable(whole, &def, &id));
    }
    rvDestroyWorld(core);
    rvDestroyWorld(whole);
}

static void CoreRefusesTheExplicitWave(void** state)
{
    (void)state;
    rvWorld *core = make_core_world(), *whole = make_world();
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(RV_NULL_BODY, rvVec(2, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.name = "rope";
    def.places = places;
    def.placeCount = 2;
    rvCableId id;
    CHECK_OK(core, rvCreateCable(core, &def, &id));
    def.waveScheme = RV_WAVE_EXPLICIT;
    check_cable(core, &def, "waveScheme: explicit");
    CHECK_OK(whole, rvCreateCable(whole, &def, &id));
    // a cable that is there may not become one either
    def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.name = "rope";
    def.places = places;
    def.placeCount = 2;
    CHECK_OK(core, rvCreateCable(core, &def, &id));
    def = rvDefaultCableDef(RV_CABLE_LAYERED);
    def.waveScheme = RV_WAVE_EXPLICIT;
    assert_int_equal(rvCable_SetModel(core, id, &def), RV_BAD_INPUT);
    assert_non_null(strstr(rvWorld_GetError(core), MEANS));
    assert_int_equal(rvCable_GetModel(core, id), RV_CABLE_MASSLESS);
    rvDestroyWorld(core);
    rvDestroyWorld(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CoreRefusesThePrintedStepper),
        cmocka_unit_test(CoreRefusesOtherIntegrators),
        cmocka_unit_test(CoreRefusesTheExplicitWave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
