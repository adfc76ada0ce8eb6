// SPDX-License-Identifier: MIT
// Curves in space that meet each other: a thread between two hands is led down on to another one that crosses it.
#include "world/machines.h"

enum { MOST_POINTS = 512 };

typedef struct {
    double h, speed, angle; // angle: between the two, seen from above [rad]
    int elements[2];
    bool collides;
    double stiffness; // of its contacts with shapes; 0: they are rigid [N/m]
} Case;

typedef struct {
    rvWorld* world;
    rvBodyId hands[2];
    rvCableId lower, upper;
} Cross;

static const double LENGTH = 1.7, DENSITY = 0.1, HIGH = 0.3, LOW = -0.25, HALF = 0.7;

static void make_cross(Cross* cross, const Case* c)
{
    rvWorld* world = cross->world = make_world();
    rvVec3 d = rvVec(0.8 * sin(c->angle), 0.8 * cos(c->angle), 0);
    const rvPlaceDef below[2] = {rvAttachPlace(RV_NULL_BODY, rvNeg(d)), rvAttachPlace(RV_NULL_BODY, d)};
    rvCableDef def = thread(below, 2, LENGTH, true);
    def.elements = c->elements[0];
    def.diameter = 6e-3;
    def.bendingStiffness = 2e-3;
    def.torsionalStiffness = 1.6e-3;
    def.massPerLength = DENSITY;
    def.damping = 0.02;
    def.waveDamping = 2.0;
    def.friction = 0.3;
    def.maxContacts = 64;
    def.collides = c->collides;
    def.contactStiffness = c->stiffness;
    cross->lower = create_cable(world, &def);
    for (int k = 0; k < 2; ++k) {
        rvBodyDef hand = rvDefaultBodyDef();
        hand.type = RV_BODY_KINEMATIC;
        hand.pose.p = rvVec(k ? HALF : -HALF, 0, HIGH);
        cross->hands[k] = add_body(world, &hand);
    }
    const rvPlaceDef above[2] = {rvAttachPlace(cross->hands[0], rvVec(0, 0, 0)),
                                 rvAttachPlace(cross->hands[1], rvVec(0, 0, 0))};
    def.places = above;
    def.length = 1.45;
    def.elements = c->elements[1];
    cross->upper = create_cable(world, &def);
}

// With its hands led down; how often the upper one is above the other where they cross, seen from above, less how often
// it is below.
static int lead_down(Cross* cross, const Case* c, double until)
{
    for (int i = 0; i * c->h < until; ++i) {
        for (int k = 0; k < 2; ++k) {
            rvPose pose = rvPoseIdentity();
            pose.p = rvVec(k ? HALF : -HALF, 0, fmax(HIGH - c->speed * (i + 1) * c->h, LOW));
            CHECK_OK(cross->world, rvBody_MoveTo(cross->world, cross->hands[k], pose));
        }
        CHECK_OK(cross->world, rvWorld_Step(cross->world, c->h));
    }
    rvVec3 a[MOST_POINTS], b[MOST_POINTS];
    int n = rvCable_GetShape(cross->world, cross->upper, a, MOST_POINTS), above = 0;
    int m = rvCable_GetShape(cross->world, cross->lower, b, MOST_POINTS);
    for (int i = 1; i < n; ++i)
        for (int k = 1; k < m; ++k) {
            rvVec3 p = rvSub(a[i], a[i - 1]), q = rvSub(b[k], b[k - 1]), w = rvSub(b[k - 1], a[i - 1]);
            double whole = p.x * q.y - p.y * q.x, s = (w.x * q.y - w.y * q.x) / whole;
            double r = (w.x * p.y - w.y * p.x) / whole;
            if (s >= 0.0 && s < 1.0 && r >= 0.0 && r < 1.0)
                above += a[i - 1].z + s * p.z > b[k - 1].z + r * q.z ? 1 : -1;
        }
    return above;
}

// What one carries the other presses with, and both are in balance with what holds them; also where contacts with
// shapes give way.
static void check_lies(double stiffness)
{
    const Case c = {
        .h = 5e-3, .speed = 0.4, .angle = 0.4, .elements = {24, 20}, .collides = true, .stiffness = stiffness};
    Cross cross;
    make_cross(&cross, &c);
    assert_int_equal(lead_down(&cross, &c, 8.0), 1);
    rvCableCrossing over, under;
    assert_int_equal(rvCable_GetCrossings(cross.world, cross.upper, &over, 1), 1);
    assert_int_equal(rvCable_GetCrossings(cross.world, cross.lower, &under, 1), 1);
    assert_true(over.other.index1 == cross.lower.index1 && under.other.index1 == cross.upper.index1);
    CHECK_BELOW(rvLength(rvAdd(over.force, under.force)), 1e-12);
    rvCableSection first, last;
    assert_true(rvCable_GetSection(cross.world, cross.lower, 0.0, &first));
    assert_true(rvCable_GetSection(cross.world, cross.lower, LENGTH, &last));
    double carried = first.force.z - last.force.z, weight = DENSITY * LENGTH * GRAVITY;
    assert_true(over.force.z < -0.3 * weight);
    CHECK_NEAR(fabs(carried) / (weight + fabs(under.force.z)), 1.0, 2e-3); // what still swings after 7 s
    rvDestroyWorld(cross.world);
}

static void ThreadLiesOnThread(void** state)
{
    (void)state;
    check_lies(0.0);
    check_lies(1e4);
}

// Not at any speed and step; those that are not to collide do.
static void ThreadsDoNotPassThroughEachOther(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        Case c = {.h = k % 2 ? 0.016 : 0.004,
                  .speed = k % 4 < 2 ? 1.0 : 10.0,
                  .angle = k < 4 ? 0.2 : 1.0,
                  .elements = {12 + 3 * k, 30 - 2 * k},
                  .collides = true,
                  .stiffness = k % 3 == 2 ? 1e4 : 0.0};
        Cross cross;
        make_cross(&cross, &c);
        assert_int_equal(lead_down(&cross, &c, 1.0), 1);
        rvDestroyWorld(cross.world);
        c.collides = false;
        make_cross(&cross, &c);
        assert_int_equal(lead_down(&cross, &c, 1.0), -1);
        rvDestroyWorld(cross.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThreadLiesOnThread),
        cmocka_unit_test(ThreadsDoNotPassThroughEachOther),
    };
    return RUN_TESTS(tests);
}
