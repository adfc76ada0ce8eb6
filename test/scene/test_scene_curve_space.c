// SPDX-License-Identifier: MIT
// What the scene of the wire in space shows.
#include "play.h"

enum { MOST_POINTS = 512 };

// The wire winds up on itself: strands lie on each other and not in each other, and twist that became turns of the coil has
// left the wire.
static void TwistedWireCoils(void** state)
{
    (void)state;
    Play p = play("wire_twisted");
    rvCableId wire = rvScene_FindCable(p.scene, "wire");
    play_until(&p, 3.0);
    double twisted = rvWorld_GetEnergy(p.world).elastic;
    // GJ (2 pi 3)^2/2 of the twist, which a helix makes less, and the bending
    assert_true(twisted > 0.8 * 1.5e-3 * 177.65 && twisted < 1.5e-3 * 177.65 + 0.0124);
    assert_int_equal(rvCable_GetContactCount(p.world, wire), 0);
    play_until(&p, 6.0);
    assert_true(rvCable_GetContactCount(p.world, wire) >= 2); // a whole turn of the coil
    assert_true(rvWorld_GetEnergy(p.world).elastic < 0.7 * twisted);
    rvVec3 points[MOST_POINTS];
    int count = rvCable_GetShape(p.world, wire, points, MOST_POINTS), apart = count / 5; // 0.2 m along the wire
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        for (int k = i + apart; k < count; ++k)
            least = fmin(least, rvDistance(points[i], points[k]));
    assert_true(least > 0.95 * 4e-3 && least < 2.0 * 4e-3); // rigid contact, to the softening of a thousandth
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(TwistedWireCoils)};
    return RUN_TESTS(tests);
}
