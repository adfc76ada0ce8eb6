// SPDX-License-Identifier: MIT
#include "world/machines.h"

#define PI 3.14159265358979323846

static const double LENGTH = 500.0, DEEP = 100.0, THICK = 0.1, PER_METRE = 150.0, DENSITY = 1025.0, EA = 5e8,
                    HIGH = 0.5;

static double weight_of(void)
{
    return (PER_METRE - DENSITY * 0.25 * PI * THICK * THICK) * GRAVITY;
}

// A line on a smooth bed from its anchor to where it leaves it, then an elastic catenary: with s of it up there
//   x = H/w asinh(w s/H) + H s/EA,   z = H/w (sqrt(1 + (w s/H)^2) - 1) + w s^2/(2 EA)
typedef struct {
    double H, top,
        leaves; // pull along the bed and at the vessel [N], where it is HIGH above the bed [m from the anchor]
} Line;

static double length_to(double H, double height)
{
    double w = weight_of(), low = 0.0, high = LENGTH;
    for (int i = 0; i < 100; ++i) {
        double s = 0.5 * (low + high), u = w * s / H;
        *(H / w * (sqrt(1.0 + u * u) - 1.0) + w * s * s / (2.0 * EA) < height ? &low : &high) = s;
    }
    return low;
}

static Line find_line(double span)
{
    double w = weight_of(), low = 1.0, high = 1e8;
    Line line = {0};
    for (int i = 0; i < 100; ++i) {
        double H = 0.5 * (low + high), s = length_to(H, DEEP - 0.5 * THICK), first = length_to(H, HIGH);
        double lies = (LENGTH - s) * (1.0 + H / EA), x = H / w * asinh(w * s / H) + H * s / EA;
        line = (Line){H, hypot(H, w * s), lies + H / w * asinh(w * first / H) + H * first / EA};
        *(lies + x < span ? &low : &high) = H;
    }
    return line;
}

static rvCableId moor(rvWorld* world, double span, double current, rvBodyId* vessel)
{
    rvBodyDef bed = rvDefaultBodyDef();
    bed.type = RV_BODY_STATIC;
    bed.pose.p = rvVec(0, 0, -DEEP);
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    plane.friction = 0.0;
    add_shape(world, add_body(world, &bed), &plane);
    *vessel = add_hand(world, rvVec(span, 0, 0));
    rvCableDef def = rvDefaultCableDef(RV_CABLE_ANCF);
    def.elements = 50;
    def.maxContacts = 150;
    def.diameter = THICK;
    def.axialStiffness = EA;
    def.bendingStiffness = 1e3;
    def.massPerLength = PER_METRE;
    def.length = LENGTH;
    def.collides = true;
    def.fluidDensity = DENSITY;
    def.fluidLevel = 0.0;
    const rvCableCurrent flow[] = {{-DEEP, rvVec(0, 0, 0)}, {0.0, rvVec(0, current, 0)}};
    def.current = flow;
    def.currentCount = 2;
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0.5 * THICK - DEEP)),
                           rvAttachPlace(*vessel, rvVec(0, 0, 0))};
    return add_cable_of(world, def, places, 2);
}

// Where the line is so high above where it lies.
static double leaves_at(const rvWorld* world, rvCableId line)
{
    double low = 0.0, high = LENGTH;
    rvCableSection section = {0};
    for (int i = 0; i < 60; ++i) {
        double s = 0.5 * (low + high);
        assert_true(rvCable_GetSection(world, line, s, &section));
        *(section.point.z < 0.5 * THICK - DEEP + HIGH ? &low : &high) = s;
    }
    return section.point.x;
}

// Slack by 4 to 18 % of its length, most of it on the bed: it comes to rest from where it is drawn, all 100 m of the
// way.
static void SlackMooringLineSettlesOnTheSeabed(void** state)
{
    (void)state;
    const double spans[] = {480.0, 470.0, 455.0, 440.0, 410.0};
    for (int k = 0; k < 5; ++k) {
        rvWorld* world = make_world();
        rvBodyId vessel;
        rvCableId line = moor(world, spans[k], 0.0, &vessel);
        rvSettleReport report;
        CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
        CHECK_BELOW(report.unbalance, 1e-7); // rows of what just touches come and go below 1e-9 of a speed
        Line expected = find_line(spans[k]);
        // where it leaves the bed within an element of 10 m is known to a twentieth of it, so is its weight; and
        // Green's law, 3/2 of the strain, of the fifth of the line that is straight
        double pull = weight_of() * 10.0 / 20.0 + 0.2 * 1.5 * expected.top / EA * expected.top;
        CHECK_NEAR(rvCable_GetEndTension(world, line, 0, 1), expected.top, pull);
        // that twentieth; where its radius H/w is less than an element it turns within it, and a quarter of that
        double turns = expected.H < weight_of() * 10.0 ? 2.5 : 0.0;
        CHECK_NEAR(leaves_at(world, line), expected.leaves, 0.5 + turns);
        rvDestroyWorld(world);
    }
}

// A current across it: no energy falls any more, and all that hangs goes aside.
static void MooringLineSettlesInACurrent(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId vessel;
    rvCableId line = moor(world, 455.0, 1.0, &vessel);
    rvSettleReport report;
    rvVec3 force, torque;
    CHECK_OK(world, rvWorld_Settle(world, NULL, &report));
    CHECK_BELOW(report.unbalance,
                1e-6); // the matrix does not know how drag turns with the line: it comes to rest by shares
    rvCableSection section;
    assert_true(rvCable_GetSection(world, line, 450.0, &section));
    assert_true(section.point.y > 0.1);
    step_world(world, 0.01, 1);
    rvCable_GetForceOn(world, line, vessel, &force, &torque);
    assert_true(force.y > 0.0);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(SlackMooringLineSettlesOnTheSeabed),
                                       cmocka_unit_test(MooringLineSettlesInACurrent)};
    return RUN_TESTS(tests);
}
