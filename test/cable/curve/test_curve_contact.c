// SPDX-License-Identifier: MIT
// Contacts of curves at random: threads that fall and are thrown on pegs and thin plates, seeded.
#include "cable/curve/block.h"
#include "world/machines.h"

#define PI 3.14159265358979323846
enum { MOST_PEGS = 3, MOST_POINTS = 512 };

static double share(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static double within(uint64_t* seed, double low, double high)
{
    return low + (high - low) * share(seed);
}

typedef enum { PEGS = 0, BOXES, HULLS, MESHES, BARS, KINDS } Kind;

typedef struct {
    rvVec3 at;
    double radius;        // no part of it is farther away
    double seen, ends[2]; // how far the thread turns as seen from it, and where its ends are [rad]
} Peg;

// A plate of 4 to 20 mm, or a round one that lies in the plane of the thread, turned about y by anything.
static void add_plate(rvWorld* world, rvBodyId body, Kind kind, double wide, double friction, uint64_t* seed)
{
    const rvShapeType types[] = {RV_SHAPE_CYLINDER, RV_SHAPE_BOX, RV_SHAPE_HULL, RV_SHAPE_MESH, RV_SHAPE_CYLINDER};
    double thick = within(seed, 0.004, 0.02), angle = within(seed, -PI, PI);
    rvVec3 points[BLOCK_CORNERS];
    rvShapeDef shape = block_shape(types[kind], rvVec(2.0 * wide, 10.0, thick), points);
    if (kind == BARS) {
        shape.radius = 0.5 * thick;
        shape.length = 2.0 * wide;
    }
    shape.friction = friction;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(0, 1, 0), angle);
    add_shape(world, body, &shape);
}

// Pegs below a thread that lies straight from the origin along x, apart from it and from each other; or plates.
static int add_pegs(rvWorld* world, Kind kind, double length, double interval, double diameter, double friction,
                    uint64_t* seed, Peg* pegs)
{
    int count = 1 + (int)(MOST_PEGS * share(seed));
    for (int i = 0; i < count; ++i) {
        double radius = within(seed, fmax(0.5 * interval, 0.01), fmax(0.6 * interval, 0.08));
        double depth = within(seed, 0.05, 0.3) * length + radius + diameter;
        pegs[i] = (Peg){rvVec(within(seed, (i + 0.2) / count, (i + 0.8) / count) * length, 0, -depth), radius, 0, {0}};
        rvBodyDef def = rvDefaultBodyDef();
        def.type = RV_BODY_STATIC;
        def.pose.p = pegs[i].at;
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        shape.radius = radius;
        shape.length = 10.0;
        shape.friction = friction;
        shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
        rvBodyId body = add_body(world, &def);
        if (kind == PEGS)
            add_shape(world, body, &shape);
        else
            add_plate(world, body, kind, radius, friction, seed);
    }
    return count;
}

// Did the thread go through a peg since it was last looked at? As seen from the peg it turns by as much as its ends
// moved around it. False too where an end came near: it may go around.
static bool went_through(Peg* peg, const rvVec3* points, int count, bool first, double near)
{
    double seen = 0.0, ends[2];
    for (int i = 1; i < count; ++i) {
        rvVec3 a = rvSub(points[i - 1], peg->at), b = rvSub(points[i], peg->at); // pegs are long along y
        seen += atan2(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z);
    }
    bool away = true;
    for (int end = 0; end < 2; ++end) {
        rvVec3 d = rvSub(points[end * (count - 1)], peg->at);
        d.y = 0.0;
        ends[end] = atan2(d.z, d.x);
        away = away && rvLength(d) > peg->radius + near;
    }
    double moved = remainder(ends[1] - peg->ends[1], 2.0 * PI) - remainder(ends[0] - peg->ends[0], 2.0 * PI);
    bool through = !first && away && fabs(seen - peg->seen - moved) > PI;
    peg->seen = seen;
    memcpy(peg->ends, ends, sizeof ends);
    return through;
}

// One thread, held at one end; at the other a ball that is thrown down, or nothing.
static void drop(uint64_t seed, bool inSpace, Kind kind)
{
    for (int i = 0; i < 10; ++i)
        share(&seed);
    rvWorld* world = make_world();
    double length = within(&seed, 0.5, 2.0), h = within(&seed, 0.005, 0.016), diameter = within(&seed, 0.002, 0.01);
    int elements = (int)within(&seed, 15, 40);
    bool ball = share(&seed) < 0.5;
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(length, 0, 0))};
    rvBodyId body = add_ball(world, 0.02 * exp(4.6 * share(&seed)), 0.01, rvVec(length, 0, 0));
    if (ball)
        places[1] = rvAttachPlace(body, rvVec(0, 0, 0));
    rvCableDef def = thread(places, 2, length, inSpace);
    def.elements = elements;
    def.diameter = diameter;
    def.bendingStiffness = 1e-4 * exp(6.9 * share(&seed)) * length * length;
    def.torsionalStiffness = inSpace ? 0.8 * def.bendingStiffness : 0.0;
    def.massPerLength = 0.01 * exp(3.4 * share(&seed));
    def.damping = 0.02;
    def.collides = def.straight = true;
    def.maxContacts = 64;
    def.friction = within(&seed, 0, 0.6);
    Peg pegs[MOST_PEGS];
    int count = add_pegs(world, kind, length, length / elements, diameter, def.friction, &seed, pegs);
    rvCableId id = create_cable(world, &def);
    double down = within(&seed, 0, 10), across = inSpace ? within(&seed, -3, 3) : 0.0;
    CHECK_OK(world, rvBody_SetVelocity(world, body, rvVec(0, across, -down), rvVec(0, 0, 0)));
    double largest = 0.0;
    for (int i = 0; (i + 1) * h < 0.7; ++i) {
        rvVec3 points[MOST_POINTS];
        CHECK_OK(world, rvWorld_Step(world, h));
        rvEnergy energy = rvWorld_GetEnergy(world);
        largest = fmax(largest, energy.kinetic);
        CHECK_BELOW(-energy.heat, 0.05 * largest); // the bound of the guard of a curve that whips
        int n = rvCable_GetShape(world, id, points, MOST_POINTS);
        for (int k = 0; k < count; ++k)
            assert_false(went_through(&pegs[k], points, n, i == 0, 12.0 * h)); // an end's way in a step at 12 m/s
    }
    rvDestroyWorld(world);
}

static void ThrownThreadsDoNotPassThroughPegs(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        drop(seed, false, PEGS);
}

static void ThrownThreadsDoNotPassThroughPegsInSpace(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        drop(seed, true, PEGS);
}

static void ThrownThreadsDoNotPassThroughPlates(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        drop(seed, true, BOXES + (Kind)(seed % 3));
}

static void ThrownThreadsDoNotPassThroughPlatesInAPlane(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed)
        drop(seed, false, BOXES + (Kind)(seed % (KINDS - BOXES)));
}

// A bow of five intervals rocks on a box: where it is lowest wanders along it, between nodes and middles, by which
// alone it would sink in by a 32nd of an interval and of its turn, 3 mm.
static void BowDoesNotSinkInBetweenNodes(void** state)
{
    (void)state;
    const double radius = 2e-3;
    rvWorld* world = make_world();
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(10, 10, 1);
    box.frame.p = rvVec(0, 0, -0.5);
    add_shape(world, add_body(world, &ground), &box);
    const rvPlaceDef places[2] = {rvFreePlace(rvVec(0, 0, 0.2)), rvFreePlace(rvVec(0.8, 0, 0.4))};
    rvCableDef def = thread(places, 2, 1.0, false);
    def.elements = 5;
    def.diameter = 2.0 * radius;
    def.bendingStiffness = 10.0;
    def.curvature = -2.5;
    def.bulge = rvVec(0, 0, -1);
    def.plane = rvVec(0, 1, 0);
    def.damping = 0.01;
    def.collides = true;
    rvCableId id = create_cable(world, &def);
    double lowest = HUGE_VAL;
    int between = 0;
    for (int i = 0; i < 1000; ++i) {
        rvVec3 points[MOST_POINTS];
        CHECK_OK(world, rvWorld_Step(world, 2e-3));
        int n = rvCable_GetShape(world, id, points, MOST_POINTS), at = 0;
        for (int k = 0; k < n; ++k)
            at = points[k].z < points[at].z ? k : at;
        lowest = fmin(lowest, points[at].z);
        between += points[at].z < 1.2 * radius && at % 2 == 1; // of four points to an interval
    }
    assert_true(between > 50);
    CHECK_BELOW(radius - lowest, 0.3e-3); // a tenth of that: it turns as it goes on in the step
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPegs),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPegsInSpace),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPlates),
        cmocka_unit_test(ThrownThreadsDoNotPassThroughPlatesInAPlane),
        cmocka_unit_test(BowDoesNotSinkInBetweenNodes),
    };
    return RUN_TESTS(tests);
}
