// SPDX-License-Identifier: MIT
// Contacts at work in a world: friction angle, sliding, tipping, impact, resting on meshes and height fields.
#include "check.h"
#include "count_alloc.h"
#include "reeve/reeve.h"

#include <pthread.h>
#include <string.h>

static const double G = 9.81;
static const double Pi = 3.14159265358979323846;
static const double Dt = 1.0 / 60.0;

static rvWorld* make_world(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    rvWorld* world = NULL;
    char error[256] = "";
    if (rvCreateWorld(&def, &world, error, sizeof error) != RV_OK)
        fail_msg("%s", error);
    return world;
}

static rvBodyId add_body(rvWorld* world, rvBodyType type, rvPose pose, double mass, rvMat3 inertia)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.pose = pose;
    def.mass = mass;
    def.inertia = inertia;
    rvBodyId id = RV_NULL_BODY;
    if (rvCreateBody(world, &def, &id) != RV_OK)
        fail_msg("%s", rvWorld_GetError(world));
    return id;
}

static rvShapeId add_shape(rvWorld* world, rvBodyId body, const rvShapeDef* def)
{
    rvShapeId id = RV_NULL_SHAPE;
    if (rvCreateShape(world, body, def, &id) != RV_OK)
        fail_msg("%s", rvWorld_GetError(world));
    return id;
}

static rvBodyId add_box(rvWorld* world, rvPose pose, double mass, rvVec3 sides, double friction)
{
    rvBodyId body = add_body(world, RV_BODY_DYNAMIC, pose, mass, rvBoxInertia(mass, sides));
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_BOX);
    def.sides = sides;
    def.friction = friction;
    add_shape(world, body, &def);
    return body;
}

static rvBodyId add_plane(rvWorld* world, rvQuat tilt, double friction)
{
    rvBodyId ground = add_body(world, RV_BODY_STATIC, rvPoseIdentity(), 0.0, rvMat3Diagonal(0, 0, 0));
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_PLANE);
    def.frame.q = tilt;
    def.friction = friction;
    add_shape(world, ground, &def);
    return ground;
}

static void run(rvWorld* world, double seconds)
{
    int steps = (int)lround(seconds / Dt);
    for (int i = 0; i < steps; ++i)
        if (rvWorld_Step(world, Dt) != RV_OK)
            fail_msg("%s", rvWorld_GetError(world));
}

static rvPose at(double x, double y, double z)
{
    return (rvPose){{x, y, z}, {1, 0, 0, 0}};
}

// A plane falling by `slope` towards `azimuth`, and a box lying on it, turned by `yaw` about the plane's normal.
static rvWorld* make_incline(double slope, double azimuth, double yaw, double friction, rvVec3 sides, rvBodyId* box)
{
    rvWorld* world = make_world();
    rvQuat tilt = rvQuatFromRotation(rvScale(slope, rvVec(-sin(azimuth), cos(azimuth), 0)));
    add_plane(world, tilt, friction);
    rvPose pose = {rvRotate(tilt, rvVec(0, 0, 0.5 * sides.z)), rvQuatMul(tilt, rvQuatFromRotation(rvVec(0, 0, yaw)))};
    *box = add_box(world, pose, 1000.0, sides, friction);
    return world;
}

// 0.05 degrees below the friction angle the box stays, above it goes; for all directions and turns of the box.
static void BoxOnAnInclineKeepsToTheFrictionAngle(void** state)
{
    (void)state;
    const double friction = 0.4, margin = 0.05 * Pi / 180.0;
    for (int azimuth = 0; azimuth < 3; ++azimuth)
        for (int yaw = 0; yaw < 3; ++yaw)
            for (int side = -1; side <= 1; side += 2) {
                rvBodyId box;
                double slope = atan(friction) + side * margin;
                rvWorld* world = make_incline(slope, 0.9 * azimuth, 0.5 * yaw, friction, rvVec(2, 1, 0.5), &box);
                run(world, 0.5);
                rvVec3 start = rvBody_GetPose(world, box).p;
                run(world, 2.0);
                double moved = rvDistance(start, rvBody_GetPose(world, box).p);
                // free: 0.5 (g sin - mu g cos) t^2, with the speed that it has at the start, is 4.2 cm at 0.05 degrees
                if (side < 0)
                    CHECK_BELOW(moved, 1e-6); // at rest
                else
                    assert_true(moved > 0.01);
                rvDestroyWorld(world);
            }
}

// Held by friction just below the angle: no creep.
static void BoxOnAnInclineDoesNotCreep(void** state)
{
    (void)state;
    rvBodyId box;
    rvWorld* world = make_incline(0.3, 0.4, 0.2, 0.4, rvVec(2, 1, 0.5), &box);
    rvVec3 created = rvBody_GetPose(world, box).p;
    run(world, 10.0);
    CHECK_BELOW(rvDistance(created, rvBody_GetPose(world, box).p), 1e-4); // all of it: settling and ten seconds
    rvVec3 start = rvBody_GetPose(world, box).p;
    run(world, 10.0);
    CHECK_BELOW(rvDistance(start, rvBody_GetPose(world, box).p), 1e-9); // a spring holds it: round-off
    rvDestroyWorld(world);
}

static void SlidingBoxAcceleratesByTheory(void** state)
{
    (void)state;
    const double friction = 0.3;
    for (int i = 0; i < 6; ++i) {
        rvBodyId box;
        double slope = 0.4 + 0.03 * i;
        rvWorld* world = make_incline(slope, 0.5 * i, 0.4 * i, friction, rvVec(2, 1, 0.5), &box);
        run(world, 0.5);
        double before = rvLength(rvBody_GetVelocity(world, box));
        run(world, 1.0);
        double gained = rvLength(rvBody_GetVelocity(world, box)) - before;
        double theory = G * (sin(slope) - friction * cos(slope));
        CHECK_NEAR(gained, theory, 1e-3 * theory);                          // 0.1 %: wanted; in fact far better
        CHECK_BELOW(rvLength(rvBody_GetAngularVelocity(world, box)), 1e-6); // straight on
        rvDestroyWorld(world);
    }
}

// A tall box tips where its centre of mass passes over the lower edge: slope > width/height.
static void TallBoxTipsAtTheRightSlope(void** state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        rvBodyId box;
        double slope = atan(0.5 / 2.0) + side * 0.2 * Pi / 180.0; // 0.2 degrees: compliance shifts the edge by less
        rvWorld* world = make_incline(slope, 0.0, 0.0, 2.0, rvVec(0.5, 0.5, 2.0), &box);
        run(world, 6.0);
        rvVec3 up = rvRotate(rvBody_GetPose(world, box).q, rvVec(0, 0, 1));
        if (side < 0)
            CHECK_NEAR(up.z, cos(slope), 1e-4); // stands
        else
            assert_true(up.z < 0.5); // lies
        rvDestroyWorld(world);
    }
}

// A standing cylinder tips by its rim; the octagon that stands for it gives 2 % away at most (cos 22.5 degrees is 8 %
// of the radius between its corners).
static void TallCylinderTipsAtTheRightSlope(void** state)
{
    (void)state;
    for (int azimuth = 0; azimuth < 2; ++azimuth)
        for (int side = -1; side <= 1; side += 2) {
            double slope = atan((side < 0 ? 0.92 : 1.01) * 0.25 / 1.0);
            rvWorld* world = make_world();
            double direction = 0.2 * azimuth;
            rvQuat tilt = rvQuatFromRotation(rvScale(slope, rvVec(-sin(direction), cos(direction), 0)));
            add_plane(world, tilt, 2.0);
            rvPose pose = {rvRotate(tilt, rvVec(0, 0, 1.0)), tilt};
            rvBodyId body = add_body(world, RV_BODY_DYNAMIC, pose, 100, rvCylinderInertia(100, 0.25, 2.0));
            rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
            def.radius = 0.25;
            def.length = 2.0;
            def.friction = 2.0;
            add_shape(world, body, &def);
            run(world, 6.0);
            rvVec3 up = rvRotate(rvBody_GetPose(world, body).q, rvVec(0, 0, 1));
            if (side < 0)
                CHECK_NEAR(up.z, cos(slope), 1e-3); // stands
            else
                assert_true(up.z < 0.5); // lies
            rvDestroyWorld(world);
        }
}

// Pulled by a force: stays below mu m g, moves by (F - mu m g)/m above, in any direction.
static void DraggedBoxMovesByTheRest(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        rvWorld* world = make_world();
        add_plane(world, rvQuatIdentity(), 0.5);
        rvBodyId box = add_box(world, at(0, 0, 0.5), 200, rvVec(1, 1, 1), 0.5);
        run(world, 1.0);
        rvVec3 direction = rvVec(cos(0.4 * i), sin(0.4 * i), 0);
        rvVec3 start = rvBody_GetPose(world, box).p;
        for (int step = 0; step < 60; ++step) {
            rvBody_ApplyForce(world, box, rvScale(0.99 * 0.5 * 200 * G, direction), rvBody_GetCenter(world, box));
            run(world, Dt);
        }
        CHECK_BELOW(rvDistance(start, rvBody_GetPose(world, box).p), 1e-4); // elastic shear only
        for (int step = 0; step < 60; ++step) {
            rvBody_ApplyForce(world, box, rvScale(1.5 * 0.5 * 200 * G, direction), rvBody_GetCenter(world, box));
            run(world, Dt);
        }
        CHECK_NEAR(rvLength(rvBody_GetVelocity(world, box)), 0.25 * G, 0.01 * G); // one step of shear: 1/60 of it
        rvDestroyWorld(world);
    }
}

static rvBodyId add_ball(rvWorld* world, rvPose pose, double restitution)
{
    rvBodyId ball = add_body(world, RV_BODY_DYNAMIC, pose, 10, rvBallInertia(10, 0.5));
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_SPHERE);
    def.restitution = restitution;
    add_shape(world, ball, &def);
    return ball;
}

static void DroppedBallComesToRest(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId ball = add_ball(world, at(0, 0, 3.0), 0.0);
    double highest = 0.0;
    for (int i = 0; i < 240; ++i) {
        run(world, Dt);
        if (i * Dt > 1.0) // the fall takes 0.71 s
            highest = fmax(highest, rvBody_GetPose(world, ball).p.z);
    }
    CHECK_BELOW(highest, 0.5 + 1e-3);                       // inelastic
    CHECK_NEAR(rvBody_GetPose(world, ball).p.z, 0.5, 1e-4); // rests
    CHECK_BELOW(rvLength(rvBody_GetVelocity(world, ball)), 1e-9);
    rvDestroyWorld(world);
}

static void RestitutionGivesTheSpeedBack(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId ball = add_ball(world, at(0, 0, 3.0), 0.6);
    double fastest = 0.0, back = 0.0;
    for (int i = 0; i < 60; ++i) {
        run(world, Dt);
        double v = rvBody_GetVelocity(world, ball).z;
        fastest = fmax(fastest, -v);
        back = fmax(back, v);
    }
    CHECK_NEAR(back, 0.6 * fastest, 0.01 * fastest);
    run(world, 8.0);
    CHECK_NEAR(rvBody_GetPose(world, ball).p.z, 0.5, 1e-4); // bounces die out
    rvDestroyWorld(world);
}

// A ball set spinning grips: it rolls without slip at 2/7 of the rim's speed.
static void SpinningBallRolls(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId ball = add_ball(world, at(0, 0, 0.5), 0.0);
    run(world, 0.2);
    rvBody_SetVelocity(world, ball, rvVec(0, 0, 0), rvVec(0, 10, 0));
    run(world, 1.0);
    CHECK_NEAR(rvBody_GetVelocity(world, ball).x, 10 * 0.5 * 2.0 / 7.0, 1e-3); // momentum about the contact is kept
    CHECK_NEAR(rvBody_GetAngularVelocity(world, ball).y, 10 * 2.0 / 7.0, 2e-3);
    run(world, 2.0);
    CHECK_NEAR(rvBody_GetVelocity(world, ball).x, 10 * 0.5 * 2.0 / 7.0, 2e-3); // and rolling costs nothing
    rvDestroyWorld(world);
}

// A wheel's turn in a step is half a radian: it still rolls straight on at its speed.
static void FastBallKeepsRolling(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId ball = add_ball(world, at(0, 0, 0.49998), 0.0);
    run(world, 0.2);
    rvBody_SetVelocity(world, ball, rvVec(15, 0, 0), rvVec(0, 30, 0));
    run(world, 10.0);
    CHECK_NEAR(rvBody_GetVelocity(world, ball).x, 15.0, 1e-3); // rolling costs nothing
    CHECK_NEAR(rvBody_GetAngularVelocity(world, ball).y, 30.0, 2e-3);
    CHECK_NEAR(rvBody_GetPose(world, ball).p.y, 0.0, 1e-6);
    rvDestroyWorld(world);
}

// A box spun on the spot is braked by mu m g/4 at each corner, across its arm, and stops after w I/(mu m g r).
static void SpunBoxIsBrakedAtItsCorners(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId box = add_box(world, at(0, 0, 0.5), 100, rvVec(1, 1, 1), 0.5);
    run(world, 0.5);
    rvBody_SetVelocity(world, box, rvVec(0, 0, 0), rvVec(0, 0, 10));
    run(world, 0.25);
    double brake = 0.5 * 100 * G * sqrt(0.5) / (100.0 / 6.0);
    CHECK_NEAR(rvBody_GetAngularVelocity(world, box).z, 10 - 0.25 * brake, 1e-3 * 10); // exact but for the first step
    rvContactPoint points[4];
    assert_int_equal(rvWorld_GetContacts(world, points, 4), 4);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(rvLength(points[i].friction), 0.5 * points[i].force,
                   0.05 * points[i].force); // nothing wasted inward
    run(world, 0.5);
    CHECK_BELOW(rvLength(rvBody_GetAngularVelocity(world, box)), 1e-5); // stops: theory 0.48 s, and settles
    CHECK_BELOW(hypot(rvBody_GetPose(world, box).p.x, rvBody_GetPose(world, box).p.y), 1e-6); // on the spot
    rvDestroyWorld(world);
}

// What stands on a turning table turns with it, without creep.
static void BoxRidesATurningTable(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    rvBodyId table = add_body(world, RV_BODY_KINEMATIC, at(0, 0, -0.5), 0, rvMat3Diagonal(0, 0, 0));
    rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_BOX);
    def.sides = rvVec(4, 4, 1);
    add_shape(world, table, &def);
    rvBodyId box = add_box(world, at(1, 0, 0.5), 100, rvVec(1, 1, 1), 0.5);
    rvVec3 start = {0, 0, 0};
    for (int i = 0; i < 600; ++i) {
        double t = (i + 1) * Dt;
        double angle = t < 1.0 ? 0.25 * t * t : 0.5 * t - 0.25; // runs up within a second to 0.5 rad/s
        rvBody_MoveTo(world, table, (rvPose){{0, 0, -0.5}, rvQuatFromRotation(rvVec(0, 0, angle))});
        run(world, Dt);
        rvVec3 onTable = rvPosePointBack(rvBody_GetPose(world, table), rvBody_GetPose(world, box).p);
        if (i == 120)
            start = onTable;
        if (i > 120)
            CHECK_BELOW(rvDistance(onTable, start), 1e-6); // it sticks: 0.25 m/s^2 inward are far below mu g
    }
    rvDestroyWorld(world);
}

enum { GRID = 21 };

// Ground of 10 m x 10 m, rising along x by `slope`, as a mesh or a height field.
static rvBodyId add_ground(rvWorld* world, rvShapeType type, double slope)
{
    rvVec3 gridPoints[GRID * GRID];
    int gridTriangles[6 * (GRID - 1) * (GRID - 1)];
    double gridHeights[GRID * GRID];
    int n = 0;
    for (int k = 0; k < GRID; ++k)
        for (int i = 0; i < GRID; ++i) {
            double x = 0.5 * i - 5.0, y = 0.5 * k - 5.0;
            gridHeights[k * GRID + i] = slope * x;
            gridPoints[k * GRID + i] = rvVec(x, y, slope * x);
            if (i + 1 < GRID && k + 1 < GRID) {
                int p = k * GRID + i;
                int corners[6] = {p, p + 1, p + 1 + GRID, p, p + 1 + GRID, p + GRID};
                memcpy(gridTriangles + n, corners, sizeof corners);
                n += 6;
            }
        }
    rvBodyId ground = add_body(world, RV_BODY_STATIC, rvPoseIdentity(), 0, rvMat3Diagonal(0, 0, 0));
    rvShapeDef def = rvDefaultShapeDef(type);
    def.points = gridPoints;
    def.pointCount = GRID * GRID;
    def.triangles = gridTriangles;
    def.triangleCount = n / 3;
    def.heights = gridHeights;
    def.columns = def.rows = GRID;
    def.fieldSize = rvVec(10, 10, 5);
    def.friction = 0.3;
    add_shape(world, ground, &def);
    return ground;
}

static void BoxRestsOnMeshAndHeightField(void** state)
{
    (void)state;
    for (int type = RV_SHAPE_MESH; type <= RV_SHAPE_HEIGHT_FIELD; ++type) {
        rvWorld* world = make_world();
        add_ground(world, type, 0.0);
        rvPose pose = {{0.13, 0.21, 1.2}, rvQuatFromRotation(rvVec(0.2, 0.1, 0.5))};
        rvBodyId box = add_box(world, pose, 500, rvVec(1, 1.5, 1), 0.3);
        run(world, 5.0);
        rvVec3 start = rvBody_GetPose(world, box).p;
        CHECK_NEAR(start.z, 0.5, 1e-4); // flat on its side
        run(world, 5.0);
        CHECK_BELOW(rvDistance(start, rvBody_GetPose(world, box).p), 1e-6); // at rest
        rvDestroyWorld(world);
    }
}

// Over many inner edges the slide is that of one plane.
static void BoxSlidesOverInnerEdgesAsOverAPlane(void** state)
{
    (void)state;
    for (int type = RV_SHAPE_MESH; type <= RV_SHAPE_HEIGHT_FIELD; ++type) {
        double slope = atan(0.5);
        rvWorld* world = make_world();
        add_ground(world, type, 0.5);
        rvQuat tilt = rvQuatFromRotation(rvVec(0, -slope, 0));
        rvPose pose = {rvAdd(rvVec(3.1, 0.2, 1.55), rvRotate(tilt, rvVec(0, 0, 0.25))),
                       rvQuatMul(tilt, rvQuatFromRotation(rvVec(0, 0, 0.3)))};
        rvBodyId box = add_box(world, pose, 500, rvVec(1, 0.8, 0.5), 0.3);
        run(world, 0.3);
        double before = rvLength(rvBody_GetVelocity(world, box));
        run(world, 1.0);
        double gained = rvLength(rvBody_GetVelocity(world, box)) - before;
        double theory = G * (sin(slope) - 0.3 * cos(slope));
        CHECK_NEAR(gained, theory, 1e-3 * theory); // as on the plane
        CHECK_BELOW(rvLength(rvBody_GetAngularVelocity(world, box)), 1e-3);
        rvDestroyWorld(world);
    }
}

static void BoxDroppedOnAnEdgeOfABoxComesToRest(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    add_box(world, at(0, 0, 0.5), 1000, rvVec(2, 2, 1), 0.5);
    rvPose pose = {{0.9, 0.1, 2.5}, rvQuatFromRotation(rvVec(0.5, 0.4, 0.3))};
    rvBodyId box = add_box(world, pose, 300, rvVec(1, 1, 1), 0.5);
    run(world, 10.0);
    CHECK_BELOW(rvLength(rvBody_GetVelocity(world, box)), 1e-6); // at rest, wherever it fell
    rvVec3 p = rvBody_GetPose(world, box).p;
    assert_true(p.z > 0.49 && p.z < 2.0);
    rvDestroyWorld(world);
}

// A little of everything on a mesh, a plane below.
static rvWorld* make_heap(void)
{
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    add_ground(world, RV_SHAPE_MESH, 0.1);
    static const rvVec3 corners[6] = {{-0.5, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0},
                                      {0, -0.5, 0}, {0, 0, 0.4}, {0.1, 0.1, -0.4}};
    for (int i = 0; i < 20; ++i) {
        rvShapeDef def = rvDefaultShapeDef(RV_SHAPE_SPHERE + i % 5);
        def.radius = 0.3;
        def.length = 0.6;
        def.sides = rvVec(0.5, 0.6, 0.7);
        def.points = corners;
        def.pointCount = 6;
        rvPose pose = {{0.4 * (i % 3), 0.35 * (i % 4), 1.0 + 0.5 * i},
                       rvQuatFromRotation(rvVec(0.3 * i, 0.2 * i, 0.1))};
        rvBodyId body = add_body(world, RV_BODY_DYNAMIC, pose, 20.0 + i, rvBallInertia(20.0 + i, 0.35));
        add_shape(world, body, &def);
    }
    return world;
}

static void AFallingHeapTakesNoMemoryAndStaysWhole(void** state)
{
    (void)state;
    rvWorld* world = make_heap();
    count_alloc_begin();
    int most = 0, fallbacks = 0;
    for (int i = 0; i < 360; ++i) {
        if (rvWorld_Step(world, Dt) != RV_OK)
            break;
        rvStepInfo info = rvWorld_GetStepInfo(world);
        most = info.contacts > most ? info.contacts : most;
        fallbacks += info.fallbacks > 0;
    }
    assert_int_equal(count_alloc_end(), 0);
    assert_string_equal(rvWorld_GetError(world), "");
    assert_true(most > 40);                   // they did fall on each other
    assert_in_range(fallbacks, 0, 360 / 100); // bounds that do not settle are rare
    rvDestroyWorld(world);
}

static void* heap_on_thread(void* result)
{
    rvWorld* world = make_heap();
    for (int i = 0; i < 200; ++i)
        rvWorld_Step(world, Dt);
    *(uint64_t*)result = rvWorld_Hash(world);
    rvDestroyWorld(world);
    return NULL;
}

static void TwoThreadsGetTheSameResult(void** state)
{
    (void)state;
    uint64_t hashes[3] = {0, 1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, heap_on_thread, &hashes[i]), 0);
    heap_on_thread(&hashes[2]);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

static void RestoredHeapGoesOnBitForBit(void** state)
{
    (void)state;
    rvWorld* world = make_heap();
    run(world, 2.0);
    static char image[4 << 20];
    size_t size = rvWorld_Save(world, NULL, 0);
    assert_true(size <= sizeof image);
    assert_int_equal(rvWorld_Save(world, image, sizeof image), size);
    run(world, 1.0);
    uint64_t hash = rvWorld_Hash(world);
    assert_int_equal(rvWorld_Restore(world, image, size), RV_OK);
    run(world, 1.0);
    assert_true(rvWorld_Hash(world) == hash);
    rvDestroyWorld(world);
}

static void MeetingAndPartingAreTold(void** state)
{
    (void)state;
    rvWorld* world = make_world();
    add_plane(world, rvQuatIdentity(), 0.5);
    rvBodyId ball = add_ball(world, at(0, 0, 1.0), 0.0);
    int began = 0, ended = 0;
    for (int i = 0; i < 120; ++i) {
        if (i == 60)
            rvBody_SetVelocity(world, ball, rvVec(0, 0, 3), rvVec(0, 0, 0));
        run(world, Dt);
        rvEvent events[8];
        int count = rvWorld_GetEvents(world, events, 8);
        for (int k = 0; k < count; ++k) {
            began += events[k].type == RV_EVENT_CONTACT_BEGIN;
            ended += events[k].type == RV_EVENT_CONTACT_END;
            if (events[k].type == RV_EVENT_CONTACT_BEGIN || events[k].type == RV_EVENT_CONTACT_END)
                assert_true(rvShape_IsValid(world, events[k].shapes[0]) && rvShape_IsValid(world, events[k].shapes[1]));
        }
    }
    assert_int_equal(began, 2); // fell, was thrown up, fell
    assert_int_equal(ended, 1);
    rvDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxOnAnInclineKeepsToTheFrictionAngle),
        cmocka_unit_test(BoxOnAnInclineDoesNotCreep),
        cmocka_unit_test(SlidingBoxAcceleratesByTheory),
        cmocka_unit_test(TallBoxTipsAtTheRightSlope),
        cmocka_unit_test(TallCylinderTipsAtTheRightSlope),
        cmocka_unit_test(DraggedBoxMovesByTheRest),
        cmocka_unit_test(DroppedBallComesToRest),
        cmocka_unit_test(RestitutionGivesTheSpeedBack),
        cmocka_unit_test(SpinningBallRolls),
        cmocka_unit_test(FastBallKeepsRolling),
        cmocka_unit_test(SpunBoxIsBrakedAtItsCorners),
        cmocka_unit_test(BoxRidesATurningTable),
        cmocka_unit_test(BoxRestsOnMeshAndHeightField),
        cmocka_unit_test(BoxSlidesOverInnerEdgesAsOverAPlane),
        cmocka_unit_test(BoxDroppedOnAnEdgeOfABoxComesToRest),
        cmocka_unit_test(AFallingHeapTakesNoMemoryAndStaysWhole),
        cmocka_unit_test(TwoThreadsGetTheSameResult),
        cmocka_unit_test(RestoredHeapGoesOnBitForBit),
        cmocka_unit_test(MeetingAndPartingAreTold),
    };
    return RUN_TESTS(tests);
}
