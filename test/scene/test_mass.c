// SPDX-License-Identifier: MIT
// Masses from shapes.
#include "scene_text.h"

#include "scene/model.h"

static rvBodyDef body_of(rvScene* scene)
{
    return rv_scene_body(scene, 0)->def;
}

static void OneBoxHasItsOwnInertia(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nbodies:\n  b: {mass: 12, shapes: [{type: box, sides: [1, 2, 3], "
                               "position: [5, 0, 0], orientation: {axis: [0, 0, 1], angle: 90 deg}}]}\n");
    rvBodyDef def = body_of(scene);
    CHECK_NEAR(def.centerOfMass.x, 5.0, 1e-15);             // rounding
    CHECK_NEAR(def.inertia.m[0][0], 12.0 / 12 * 10, 1e-13); // x and y are swapped by the turn; rounding
    CHECK_NEAR(def.inertia.m[1][1], 12.0 / 12 * 13, 1e-13); // rounding
    CHECK_NEAR(def.inertia.m[2][2], 12.0 / 12 * 5, 1e-13);  // rounding
    rvScene_Destroy(scene);
}

// A box cut in two is still that box.
static void PartsMakeTheWhole(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nbodies:\n  b: {mass: 7, shapes: [{type: box, sides: [1, 2, 3], position: [-0.5, 1, "
                  "0]}, {type: box, sides: [3, 2, 3], position: [1.5, 1, 0]}]}\n");
    rvBodyDef def = body_of(scene);
    rvMat3 whole = rvBoxInertia(7, rvVec(4, 2, 3));
    CHECK_NEAR(def.centerOfMass.x, 1.0, 1e-15); // rounding
    CHECK_NEAR(def.centerOfMass.y, 1.0, 1e-15); // rounding
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            CHECK_NEAR(def.inertia.m[i][j], whole.m[i][j], 1e-13); // rounding
    rvScene_Destroy(scene);
}

// A short capsule is nearly a ball, a thin one nearly a rod.
static void CapsulesLieBetweenBallAndRod(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nbodies:\n  b: {mass: 3, shapes: [{type: capsule, radius: 2, length: 1 um}]}\n");
    CHECK_NEAR(body_of(scene).inertia.m[0][0], 0.4 * 3 * 4, 1e-5); // the part of length 1e-6
    CHECK_NEAR(body_of(scene).inertia.m[2][2], 0.4 * 3 * 4, 1e-5); // the part of length 1e-6
    rvScene_Destroy(scene);
    scene = load_good("reeve: 1\nbodies:\n  b: {mass: 3, shapes: [{type: capsule, radius: 1 um, length: 2}]}\n");
    CHECK_NEAR(body_of(scene).inertia.m[0][0], 3.0 * 4 / 12, 1e-5); // the caps of 1e-6
    rvScene_Destroy(scene);
}

// A capsule's inertia by summing discs: I_zz = sum m r^2/2, I_xx = sum m (r^2/4 + z^2).
static void CapsulesAreIntegratedRight(void** state)
{
    (void)state;
    rvScene* scene =
        load_good("reeve: 1\nbodies:\n  b: {mass: 3, shapes: [{type: capsule, radius: 0.5, length: 0.8}]}\n");
    double volume = 0, zz = 0, xx = 0;
    int n = 200000;
    for (int i = 0; i < n; ++i) {
        double z = (i + 0.5) / n * 0.9; // half of it
        double above = z > 0.4 ? z - 0.4 : 0.0, r2 = 0.25 - above * above;
        volume += r2;
        zz += r2 * r2 / 2;
        xx += r2 * (r2 / 4 + z * z);
    }
    CHECK_NEAR(body_of(scene).inertia.m[2][2], 3 * zz / volume, 1e-8); // midpoint rule with 2e5 discs: about 1e-10
    CHECK_NEAR(body_of(scene).inertia.m[0][0], 3 * xx / volume, 1e-8); // the same
    rvScene_Destroy(scene);
}

static void GivenValuesStay(void** state)
{
    (void)state;
    rvScene* scene = load_good("reeve: 1\nbodies:\n  b: {mass: 12, inertia: [7, 8, 9], center_of_mass: [1, 0, 0], "
                               "shapes: [{type: sphere, radius: 1}]}\n");
    CHECK_NEAR(body_of(scene).inertia.m[1][1], 8.0, 0.0); // copied
    CHECK_NEAR(body_of(scene).centerOfMass.x, 1.0, 0.0);  // copied
    rvScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(OneBoxHasItsOwnInertia),
        cmocka_unit_test(PartsMakeTheWhole),
        cmocka_unit_test(CapsulesLieBetweenBallAndRod),
        cmocka_unit_test(CapsulesAreIntegratedRight),
        cmocka_unit_test(GivenValuesStay),
    };
    return RUN_TESTS(tests);
}
