// SPDX-License-Identifier: MIT
// What the scene of the wire in space shows.
#include "play.h"

#include <string.h>

enum { MOST_POINTS = 512 };

// The angle under which a chord is seen from another, as a share of all directions and with the sign of their crossing.
static double seen(rvVec3 a, rvVec3 b, rvVec3 c, rvVec3 d)
{
    rvVec3 ways[5] = {rvSub(c, a), rvSub(d, a), rvSub(d, b), rvSub(c, b), rvSub(c, a)}, normals[5];
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
        normals[i] = rvNormalizeOr(rvCross(ways[i], ways[i + 1]), rvVec(0, 0, 0));
    normals[4] = normals[0];
    for (int i = 0; i < 4; ++i)
        sum += asin(fmin(fmax(rvDot(normals[i], normals[i + 1]), -1.0), 1.0));
    double side = rvDot(rvCross(rvSub(d, c), rvSub(b, a)), ways[0]);
    return side > 0.0 ? sum / 12.566370614359172 : -sum / 12.566370614359172;
}

// Changes steadily with the shape, and by two where the wire goes through itself.
static double writhe(const rvVec3* points, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count - 1; ++i)
        for (int k = i + 2; k < count - 1; ++k)
            sum += 2.0 * seen(points[i], points[i + 1], points[k], points[k + 1]);
    return sum;
}

// Plays to the end, or until a step fails: how far the writhe changed at most in a step.
static double most_change(Play* p, rvStatus* status)
{
    rvCableId wire = rvScene_FindCable(p->scene, "wire");
    double h = rvScene_GetStep(p->scene), before = 0.0, most = 0.0;
    *status = RV_OK;
    while (*status == RV_OK && (p->steps + 0.5) * h < 6.0) {
        assert_int_equal(rvScene_Apply(p->scene, p->world, p->steps * h, h), RV_OK);
        *status = rvWorld_Step(p->world, h);
        p->steps += 1;
        if (p->steps * h < 5.0) // no loop yet
            continue;
        rvVec3 points[MOST_POINTS];
        double now = writhe(points, rvCable_GetShape(p->world, wire, points, MOST_POINTS));
        most = before == 0.0 ? 0.0 : fmax(most, fabs(now - before));
        before = now;
    }
    return most;
}

// At steps of a frame the loop that snaps shut is faster than its thickness a step. It coils as at short ones, and
// strands do not go through each other.
static void WireDoesNotGoThroughItself(void** state)
{
    (void)state;
    static const char* const steps[] = {"step=33.3333333333 ms", "step=16.6666666667 ms", "step=5 ms"};
    Play p = play("wire_twisted");
    for (int i = 0; i < 3; ++i) {
        rvStatus status;
        play_with(&p, steps[i]);
        CHECK_BELOW(most_change(&p, &status), 1.0); // half of what a passage does
        if (status != RV_OK)
            print_error("%s: %s\n", steps[i], rvWorld_GetError(p.world));
        assert_int_equal(status, RV_OK);
        assert_true(rvCable_GetContactCount(p.world, rvScene_FindCable(p.scene, "wire")) >= 2);
    }
    stop(&p);
}

// The wire winds up on itself: strands lie on each other and not in each other, and twist that became turns of the coil
// has left the wire.
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

// Without friction strands slide on each other, and touches come and go. A hand that rests has no part in what such
// steps make: it does not slip.
static void SlidingStrandsLetNoHandSlip(void** state)
{
    (void)state;
    Play p = play("wire_twisted");
    play_with(&p, "cables.wire.friction=0");
    play_with(&p, "step=20 ms");
    play_until(&p, 6.0);
    assert_true(rvCable_IsHeld(p.world, rvScene_FindCable(p.scene, "wire"), 1));
    stop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(WireDoesNotGoThroughItself),
                                       cmocka_unit_test(SlidingStrandsLetNoHandSlip),
                                       cmocka_unit_test(TwistedWireCoils)};
    return RUN_TESTS(tests);
}
