// SPDX-License-Identifier: MIT
#include "cable/ancf/ancf_rig.h"
#include "world/machines.h"

static rvCableDef curled(double length, double curvature)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.elements = 24;
    def.length = length;
    def.axialStiffness = 1e4;
    def.bendingStiffness = 2.0;
    def.massPerLength = 1.0;
    def.curvature = curvature;
    return def;
}

// A cable whose own curvature is 2 pi/L is a circle without load, and stays one; so is one that is free at both ends.
static void CableOfOneTurnClosesToACircle(void** state)
{
    (void)state;
    const double length = 4.0, radius = length / (2.0 * PI);
    for (int kind = 0; kind < 4; ++kind) {
        rvWorld* world = make_weightless_world();
        rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(1, 2, 3), rvVec(1, 0, 0)), rvFreePlace(rvVec(5, 2, 3))};
        if (kind >= 2)
            places[0] = rvFreePlace(rvVec(1, 2, 3));
        rvCableDef def = curled(length, kind == 1 ? -2.0 * PI / length : 2.0 * PI / length);
        def.exactCurvature = kind % 2 == 1;
        def.bulge = rvVec(1, 1, 0);
        rvCableId cable = add_cable_of(world, def, places, 2);
        for (int steps = 0; steps < 2; ++steps) {
            rvVec3 points[97];
            assert_int_equal(rvCable_GetShape(world, cable, points, 97), 97);
            CHECK_NEAR(rvDistance(points[0], points[96]), 0.0, 4e-3); // as test_ancf_static, of twice the length
            for (int i = 0; i < 97; ++i)
                CHECK_NEAR(rvDistance(points[i], rvVec(1, 2 + radius, 3)), radius, 2e-3); // the same
            rvCableSection section;
            assert_true(rvCable_GetSection(world, cable, 0.5 * length, &section));
            CHECK_NEAR(section.curvature, 2.0 * PI / length, 6e-3 * 2.0 * PI / length); // (kappa l)^2/12 at a node
            // EI/2 L (kappa error)^2, a mean square of half the largest
            CHECK_BELOW(rvCable_GetEnergy(world, cable).stretch, 2e-4);
            step_world(world, 0.01, 50);
        }
        rvDestroyWorld(world);
    }
}

// Half a circle between points that are a diameter apart pulls at neither; nearer together or farther apart it does.
static void ArcOfItsOwnCurvaturePullsAtNoEnd(void** state)
{
    (void)state;
    const double length = 2.0, apart = 2.0 * length / PI;
    for (int i = -1; i <= 1; ++i) {
        rvWorld* world = make_weightless_world();
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(RV_NULL_BODY, rvVec((1.0 + 0.1 * i) * apart, 0, 0))};
        rvCableDef def = curled(length, PI / length);
        def.bulge = rvVec(0, 0, 1);
        rvCableId cable = add_cable_of(world, def, places, 2);
        rvCableSection section;
        assert_true(rvCable_GetSection(world, cable, 0.5 * length, &section));
        assert_true(section.point.z > 0.5 * apart * 0.8);
        // a half circle gives way by (pi/2) R^3/EI: a tenth of its diameter by 0.1 2 R EI/((pi/2) R^3) = 0.6 N
        double pull = rvDot(section.force, rvVec(1, 0, 0)), radius = 0.5 * apart;
        CHECK_NEAR(pull, i * 0.2 * 2.0 / (0.5 * PI * radius * radius), 0.2); // and a third of that, it is no small part
        rvDestroyWorld(world);
    }
}

// A soft cable that hangs from a clamp, stretched by half: by which curvature it bends makes it another shape, that of
// the elements alone.
static void CurvatureIsTheOneThatWasChosen(void** state)
{
    (void)state;
    const double length = 1.0;
    double tips[2];
    for (int exact = 0; exact < 2; ++exact) {
        rvWorld* world = make_world();
        rvPlaceDef places[] = {clamp(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(1, 0, 0)), rvFreePlace(rvVec(length, 0, 0))};
        rvCableDef def = curled(length, 0.0);
        def.elements = 12;
        def.axialStiffness = 20.0;
        def.bendingStiffness = 0.3;
        def.exactCurvature = exact;
        rvCableId cable = add_cable_of(world, def, places, 2);
        rvCableSection tip;
        assert_true(rvCable_GetSection(world, cable, length, &tip));
        rvDestroyWorld(world);

        rvAncfElement element = {.EA = 20.0, .EI = 0.3, .massPerLength = 1.0, .diameter = 0.02};
        rvAncf* ancf = rig_uniform(12, length, element, rvVec(0, 0, -GRAVITY), exact);
        rvError error = {0};
        rv_ancf_lay_straight(ancf, rvVec(0, 0, 0), rvVec(1, 0, 0));
        assert_int_equal(rv_ancf_hold(ancf, 0, RV_ANCF_CLAMP, &error), RV_OK);
        assert_int_equal(rv_ancf_settle(ancf, 1e-10, &error), RV_OK);
        rvVec3 point = rv_ancf_point(ancf, length).position;
        CHECK_NEAR(rvDistance(point, tip.point), 0.0, 1e-7); // what settling leaves, 1e-9 of the length a step
        tips[exact] = point.z;
        rv_ancf_destroy(ancf);
    }
    assert_true(fabs(tips[1] - tips[0]) > 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(CableOfOneTurnClosesToACircle),
                                       cmocka_unit_test(ArcOfItsOwnCurvaturePullsAtNoEnd),
                                       cmocka_unit_test(CurvatureIsTheOneThatWasChosen)};
    return RUN_TESTS(tests);
}
