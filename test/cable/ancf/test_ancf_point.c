// SPDX-License-Identifier: MIT
// Forces that ANCF elements carry, against those of the holds.
#include "ancf_rig.h"

// A limp rope of few elements, which strains of hundreds of newtons bend, and one that is as stiff as a rod: at rest
// elements carry what the hold does less the weight to their middle, shear with it.
static void ElementsAtRestCarryWhatTheHoldDoes(void** state)
{
    (void)state;
    const double LENGTH = 5.0, MASS = 0.5, G = 9.81;
    for (int n = 5; n <= 8; ++n)
        for (int stiff = 0; stiff < 2; ++stiff) {
            rvAncf* cable =
                rig_uniform(n, LENGTH, (rvAncfElement){.EA = 1e7, .EI = stiff ? 20.0 : 1e-3, .massPerLength = MASS},
                            rvVec(0, 0, -G), false);
            rv_ancf_lay_straight(cable, rvVec(0, 0, 0), rvNormalizeOr(rvVec(1, 0, -0.5), rvVec(1, 0, 0)));
            assert_int_equal(rv_ancf_hold(cable, 0, RV_ANCF_CLAMP, &rigError), RV_OK);
            assert_int_equal(rv_ancf_set_force(cable, n, rvVec(4, 1, 12), &rigError), RV_OK);
            assert_int_equal(rv_ancf_settle(cable, 1e-11, &rigError), RV_OK);
            double reaction[6];
            rv_ancf_start(cable, &(rvAncfOptions){.rho = 0.5, .tolerance = 1, .largestStep = 1, .courant = 1},
                          &rigError);
            rv_ancf_reaction(cable, 0, reaction);
            for (int e = 0; e < n; ++e) {
                rvVec3 force = rv_ancf_element_force(cable, e, 1.0, 0.0);
                double before = MASS * G * LENGTH * (e + 0.5) / n;
                // steps end at 1e-11 m of a rope that gives 1e-7 m/N and less
                CHECK_NEAR(force.x, -reaction[0], 1e-4);
                CHECK_NEAR(force.y, -reaction[1], 1e-4);
                CHECK_NEAR(force.z, before - reaction[2], 1e-4);
            }
            CHECK_NEAR(reaction[0], -4.0, 1e-4); // what pulls at the end
            rv_ancf_destroy(cable);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ElementsAtRestCarryWhatTheHoldDoes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
