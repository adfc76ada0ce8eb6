// SPDX-License-Identifier: MIT
// The two cranes work: they lift, carry, set down, unhook, and on the way their ropes carry what statics says.
#include "play.h"

#define GRAVITY 9.81

// At the beginning (end 0) or end (end 1) of a span: the rope's own weight is not in it there.
static double pull_at(const Play* p, const char* cable, int span, int end)
{
    return rvCable_GetEndTension(p->world, rvScene_FindCable(p->scene, cable), span, end);
}

static double speed(const Play* p, const char* body)
{
    return rvLength(rvBody_GetVelocity(p->world, rvScene_FindBody(p->scene, body)));
}

// How far the body's axes are turned from the world's.
static double turned(const Play* p, const char* body)
{
    rvQuat q = rvBody_GetPose(p->world, rvScene_FindBody(p->scene, body)).q;
    return 2.0 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w));
}

typedef struct {
    int slack, taut, hooked, other; // of cables; other: breaks, slipping winches, limits, unsettled bounds, overloads
    double sway;                    // largest distance of the load from below the trolley [m]
    double residual;
} Watch;

// Plays on and counts what happens.
static void watch_until(Play* p, double time, Watch* w)
{
    while ((p->steps + 0.5) * rvScene_GetStep(p->scene) < time) {
        play_step(p);
        rvEvent events[64];
        int count = rvWorld_GetEvents(p->world, events, 64);
        assert_true(count <= 64);
        for (int i = 0; i < count; ++i) {
            rvEventType type = events[i].type;
            w->slack += type == RV_EVENT_SLACK;
            w->taut += type == RV_EVENT_TAUT;
            w->hooked += type == RV_EVENT_REROUTED;
            w->other += type == RV_EVENT_BROKEN || type == RV_EVENT_WINCH_LIMIT || type == RV_EVENT_LIMIT ||
                        type == RV_EVENT_FALLBACK || type == RV_EVENT_OVERLOAD || type == RV_EVENT_WINCH_STOP;
        }
        rvVec3 away = rvSub(position(p, "container"), position(p, "trolley"));
        w->sway = fmax(w->sway, hypot(away.x, away.y));
        w->residual = fmax(w->residual, rvWorld_GetStepInfo(p->world).residual);
    }
}

static void TowerCraneStacksAContainer(void** state)
{
    (void)state;
    const double weight = (8000.0 + 280.0 + 60.0) * GRAVITY;
    Play p = play("tower_crane");
    Watch lift = {0}, carry = {0}, lower = {0}, away = {0};
    watch_until(&p, 28.0, &lift);
    assert_int_equal(lift.taut, 4); // the slings, once each; the hoist is taut from the start
    assert_int_equal(lift.slack + lift.hooked + lift.other, 0);
    CHECK_BELOW(1.0, position(&p, "container").z - 3.885); // clear of the one it is set on
    rvEnergy energy = rvWorld_GetEnergy(p.world);
    // measured from rest: what is stored in the ropes at the start is not the winch's
    double raised = weight * (position(&p, "container").z - 1.295);
    // five bearings of 0.5 % on the way; the rope's stretch, its weight (50 kg of 8340) and what takes its sag away
    CHECK_NEAR(energy.work / raised, 1.04, 0.03);

    watch_until(&p, 71.0, &carry);
    assert_int_equal(carry.taut + carry.slack + carry.hooked + carry.other, 0);
    CHECK_BELOW(carry.sway, 2.0); // of 24 m of rope: a tenth of a radian at a ramp's middle
    // hanging still: each fall carries half, but for the bearings, which may hold 0.5 % of it each
    double left = pull_at(&p, "hoist", 3, 1), right = pull_at(&p, "hoist", 4, 0);
    CHECK_NEAR(left + right, weight, 2e-3 * weight); // what is left of the swing: (0.2 m/24 m)^2, and of the bounce
    CHECK_NEAR(left, 0.5 * weight, 0.01 * weight);
    // the rope's end pulls the jib's tip as the last fall is pulled, but for one bearing and the weight of 17 m of rope
    CHECK_NEAR(pull_at(&p, "hoist", 5, 1), right, 0.015 * right);

    watch_until(&p, 102.5, &lower);
    assert_int_equal(lower.slack - lower.taut, 4); // the slings, once it stands; the hook may bounce on its rope
    assert_int_equal(lower.hooked, 4);             // they are taken off
    assert_int_equal(lower.other, 0);
    watch_until(&p, 115.0, &away);
    assert_int_equal(away.taut + away.slack + away.hooked + away.other, 0);
    rvVec3 end = position(&p, "container");
    CHECK_NEAR(end.x, 0.0, 0.25); // a quarter turn, 32 m out; the swing that is left when it touches
    CHECK_NEAR(end.y, 32.0, 0.25);
    CHECK_NEAR(end.z, 3.885, 1e-3);                   // stands on the other one: four contact points of 1e-10 m/N
    CHECK_BELOW(turned(&p, "container"), 0.05);       // the swivel let it keep its direction
    CHECK_BELOW(speed(&p, "container"), 1e-6);        // and at rest
    CHECK_BELOW(5.5, position(&p, "hook").z - end.z); // the hook is above where it was
    // back to the next one, which hangs on the same slings at the end
    Watch back = {0}, next = {0};
    watch_until(&p, 165.0, &back);
    assert_int_equal(back.hooked, 4);
    assert_int_equal(back.taut + back.slack + back.other, 0);
    watch_until(&p, 190.0, &next);
    assert_int_equal(next.taut - next.slack, 4); // a sling may come taut twice: it is hooked a little aside
    assert_int_equal(next.hooked + next.other, 0);
    CHECK_BELOW(8.0, position(&p, "container3").z - 1.295);
    CHECK_NEAR(position(&p, "container").z, 3.885, 1e-3); // the first one stands where it was put
    left = pull_at(&p, "hoist", 3, 1), right = pull_at(&p, "hoist", 4, 0);
    CHECK_NEAR(left + right, weight, 2e-3 * weight); // as above: it weighs the same
    CHECK_BELOW(lift.residual + carry.residual + lower.residual + away.residual + back.residual + next.residual,
                1e-6); // of metres a second
    stop(&p);
}

// Both reevings of the gantry crane do the same work.
static void stack_by_gantry(Play* p, Watch* carry)
{
    Watch lift = {0}, lower = {0}, away = {0};
    watch_until(p, 29.9, &lift);
    assert_int_equal(lift.taut, 4); // the locks; the ropes carry the spreader from the start
    assert_int_equal(lift.slack + lift.hooked + lift.other, 0);
    CHECK_BELOW(1.0, position(p, "container").z - 1.295 - 2 * 2.59); // clear of the stack of two
    watch_until(p, 61.9, carry);
    assert_int_equal(carry->taut + carry->slack + carry->hooked + carry->other, 0);
    watch_until(p, 94.0, &lower);
    assert_int_equal(lower.slack, 4);
    assert_int_equal(lower.hooked, 4);
    assert_int_equal(lower.taut + lower.other, 0);
    watch_until(p, 110.0, &away);
    assert_int_equal(away.taut + away.slack + away.hooked + away.other, 0);
    rvVec3 end = position(p, "container");
    CHECK_NEAR(end.x, 14.0, 0.05); // where gantry and trolley went; the swing that is left when it touches
    CHECK_NEAR(end.y, 5.0, 0.05);
    CHECK_NEAR(end.z, 3.885, 1e-3); // stands on the other one
    CHECK_BELOW(turned(p, "container"), 0.01);
    CHECK_BELOW(speed(p, "container"), 1e-6);
    CHECK_BELOW(3.0, position(p, "spreader").z - end.z);
    CHECK_BELOW(lift.residual + carry->residual + lower.residual + away.residual, 1e-6); // of metres a second
}

static void GantryCraneStacksAContainer(void** state)
{
    (void)state;
    Play p = play("gantry_crane");
    play_until(&p, 29.9);
    double weight = (24000.0 + 9000.0) * GRAVITY, sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        char rope[8];
        snprintf(rope, sizeof rope, "rope%d", i + 1);
        // upright falls, nothing moves: an eighth each; a bearing holds back 0.5 % of it; and the bounce
        double in = pull_at(&p, rope, 0, 1), out = pull_at(&p, rope, 1, 0);
        CHECK_NEAR(in, weight / 8.0, 6e-3 * weight / 8.0);
        sum += in + out;
    }
    CHECK_NEAR(sum, weight, 1e-3 * weight); // what is left of the bounce
    stop(&p);
    p = play("gantry_crane");
    Watch carry = {0};
    stack_by_gantry(&p, &carry);
    // it swings by a ramp's acceleration: x = 2 a/omega^2, omega^2 = g/10.1 m, both ways 0.21 m/s^2 at most
    CHECK_BELOW(0.1, carry.sway);
    CHECK_BELOW(carry.sway, 2.0 * 0.21 / (GRAVITY / 10.1));
    stop(&p);
}

static void EightLeaningRopesHoldTheLoadUnderTheTrolley(void** state)
{
    (void)state;
    Play p = play("gantry_crane_eight");
    play_until(&p, 29.9);
    // each leans by 1.8 m over its height: an eighth of the weight upright
    double height = position(&p, "trolley").z - position(&p, "spreader").z - 0.7, length = hypot(height, 1.8);
    double expected = (24000.0 + 9000.0) * GRAVITY / 8.0 * length / height;
    for (int i = 0; i < 8; ++i) {
        char rope[8];
        snprintf(rope, sizeof rope, "rope%d", i + 1);
        CHECK_NEAR(pull_at(&p, rope, 0, 1), expected, 1e-3 * expected); // what is left of the bounce
    }
    stop(&p);
    p = play("gantry_crane_eight");
    Watch carry = {0};
    stack_by_gantry(&p, &carry);
    CHECK_BELOW(carry.sway, 0.12); // drives that start 1.6 times faster, and far less sway than with upright falls
    stop(&p);
}

// Until a drive moves, nothing does: no bounce, no event, each rope carries its share.
static void CranesStartAtRest(void** state)
{
    (void)state;
    static const char* const cranes[] = {"tower_crane", "gantry_crane", "gantry_crane_eight"};
    for (int i = 0; i < 3; ++i) {
        Play p = play(cranes[i]);
        rvSettleReport report;
        assert_true(rvScene_GetSettled(p.scene, &report));
        assert_true(report.settled);
        CHECK_BELOW(report.unbalance, 1e-7); // what the scenes ask for
        Watch watch = {0};
        double first = rvCable_GetTension(p.world, rvScene_GetCable(p.scene, 0), 0);
        for (int k = 0; k < 99; ++k) { // the winches start at 1 s
            watch_until(&p, (k + 1) * 0.01, &watch);
            for (int b = 0; b < rvScene_GetBodyCount(p.scene); ++b) {
                rvVec3 v = rvBody_GetVelocity(p.world, rvScene_GetBody(p.scene, b));
                CHECK_BELOW(rvLength(v), 1e-6); // 1e-7 of what it carries, for a second
            }
            CHECK_NEAR(rvCable_GetTension(p.world, rvScene_GetCable(p.scene, 0), 0), first,
                       1e-2 * first); // the last of its waves between fixed points
        }
        assert_int_equal(watch.taut + watch.slack + watch.hooked + watch.other, 0);
        stop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CranesStartAtRest),
        cmocka_unit_test(TowerCraneStacksAContainer),
        cmocka_unit_test(GantryCraneStacksAContainer),
        cmocka_unit_test(EightLeaningRopesHoldTheLoadUnderTheTrolley),
    };
    return RUN_TESTS(tests);
}
