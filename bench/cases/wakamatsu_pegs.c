// SPDX-License-Identifier: MIT
// A cable routed around three pegs and drawn tight, as in scenes/cable_around_pegs.yaml but without friction and
// with Voigt contacts: the force that the hand holds at the end, by Runge-Kutta-Fehlberg and by steps in the world.
//
// Without friction rope that has come to rest has one tension along it, and which does not depend on how it got there:
// so the two must agree, but for what still moves. With friction it depends on the last slide (docs/theory/curve.md).
#include "cases/wakamatsu_pegs.h"

#include "cable/curve/plane_rest.h"
#include "peers/fehlberg.h"
#include "reeve/reeve.h"

#include <math.h>
#include <string.h>

enum { ELEMENTS = 40, PEGS = 3, CORNERS = 9, MOST = 2 * (ELEMENTS + 3) };

static const double LENGTH = 1.6, DENSITY = 0.1, RIGIDITY = 0.01, DRAG = 5.0, DAMPING = 10e-3, DIAMETER = 8e-3,
                    RADIUS = 30e-3, SPRING = 2e4, DAMPER = 20.0, UNTIL = 9.0;

static const double pegs[PEGS][2] = {{0.3, 0.1}, {0.6, -0.1}, {0.9, 0.1}};

// The way of the hand: time, place.
static const double way[CORNERS][3] = {{0, 0.1, 0.5},    {1, 0.45, 0.3},  {2, 0.45, -0.3},
                                       {3, 0.75, -0.35}, {4, 0.75, 0.35}, {5, 1.1, 0.3},
                                       {6, 1.1, -0.1},   {7, 1.2, -0.2},  {100, 1.2, -0.2}};

static rvVec2 hand_at(double t, int leg, rvVec2* rate)
{
    const double *a = way[leg], *b = way[leg + 1];
    *rate = rv_vec2((b[1] - a[1]) / (b[0] - a[0]), (b[2] - a[2]) / (b[0] - a[0]));
    return rv_vec2(a[1] + (t - a[0]) * rate->x, a[2] + (t - a[0]) * rate->y);
}

#ifdef REEVE_HAVE_SUNDIALS_PEER
typedef struct {
    rvMemory memory;
    rvPlaneMotion motion;
    int leg;
    double q[MOST], v[MOST];
} Rig;

// Holds of both ends: x and y of the first, x and y of the one in the hand.
static void aim(Rig* rig, double t)
{
    rvVec2 rate, at = hand_at(t, rig->leg, &rate);
    const double value[4] = {0.0, 0.0, at.x, at.y}, speed[4] = {0.0, 0.0, rate.x, rate.y};
    for (int k = 0; k < 4; k++)
        rig->motion.holds[k] = (rvPlaneHold){.kind = k % 2 == 0 ? RV_HOLD_X : RV_HOLD_Y,
                                             .s = k < 2 ? 0.0 : LENGTH,
                                             .value = value[k],
                                             .rate = speed[k],
                                             .closing = 1000.0};
    rig->motion.holdCount = 4;
}

static void remember(Rig* rig, const double* q)
{
    rv_plane_place(&rig->motion.plane, q);
    rv_plane_contacts_remember(&rig->motion.contacts, &rig->motion.plane, q);
}

static bool rig_create(Rig* rig)
{
    *rig = (Rig){.leg = 0};
    rvPlane plane;
    rvPlaneContacts contacts;
    if (!rv_plane_create(&plane, &rig->memory, ELEMENTS, LENGTH, false))
        return false;
    for (int i = 0; i < ELEMENTS; i++)
        plane.parts[i] = (rvPlanePart){
            .density = DENSITY, .rigidity = RIGIDITY, .damping = DAMPING * RIGIDITY, .drag = DRAG * DENSITY};
    rv_plane_begin(&plane);
    if (!rv_plane_contacts_create(&contacts, &rig->memory, &plane, PEGS, false, RV_PLANE_MOST_TOUCHES)) {
        rv_plane_release(&plane, &rig->memory);
        return false;
    }
    contacts.spring = SPRING;
    contacts.damping = DAMPER;
    for (int k = 0; k < PEGS; k++)
        contacts.obstacles[k] =
            (rvPlaneObstacle){.center = rv_vec2(pegs[k][0], pegs[k][1]), .radius = RADIUS + 0.5 * DIAMETER};
    if (!rv_plane_motion_create(&rig->motion, &rig->memory, &plane, &contacts))
        return false;
    aim(rig, 0.0);
    double chord = atan2(way[0][2], way[0][1]); // an arc to the left of it, away from the pegs
    for (int i = 0; i <= ELEMENTS; i++)
        rig->q[2 + i] = chord + 1.9 * cos(3.14159265358979323846 * i / ELEMENTS);
    remember(rig, rig->q);
    rvPlaneRest rest = rv_plane_find_rest(&rig->motion, &rig->memory, rig->q);
    remember(rig, rig->q);
    return rest.found && rest.stable;
}

static bool rates(void* context, double t, const double* y, double* dy)
{
    Rig* rig = context;
    int n = rig->motion.plane.count;
    aim(rig, t);
    memcpy(dy, y + n, (size_t)n * sizeof(double));
    return rv_plane_motion_solve(&rig->motion, y, y + n, dy + n);
}

static void kept(void* context, double t, const double* y)
{
    (void)t;
    remember(context, y);
}

// The force of the hand on the cable at the end, or no number. Corners of its way are impulses.
static double held_by_fehlberg(rvBench* bench)
{
    Rig rig;
    double force = RV_NO_NUMBER, y[2 * MOST];
    long steps = 0, calls = 0;
    bool good = rig_create(&rig);
    int n = rig.motion.plane.count;
    size_t size = (size_t)n * sizeof(double);
    for (; good && rig.leg < CORNERS - 1; rig.leg++) {
        double from = way[rig.leg][0], to = fmin(way[rig.leg + 1][0], UNTIL);
        rv_bench_progress(bench, "pegs, rkf45: %.0f s", from);
        aim(&rig, from);
        good = rv_plane_motion_project(&rig.motion, rig.q, rig.v);
        memcpy(y, rig.q, size);
        memcpy(y + n, rig.v, size);
        rvFehlberg method = {2 * n, rates, kept, &rig, 1e-6, 1e-6};
        good = good && rv_fehlberg_run(&method, from, to, y, &steps, &calls);
        memcpy(rig.q, y, size);
        memcpy(rig.v, y + n, size);
        if (to < UNTIL)
            continue;
        double a[MOST];
        aim(&rig, to);
        if (good && rv_plane_motion_solve(&rig.motion, rig.q, rig.v, a))
            force = hypot(rig.motion.holds[2].force, rig.motion.holds[3].force);
        break;
    }
    rv_plane_motion_release(&rig.motion, &rig.memory);
    return force;
}
#endif

// The same in the world.
static double held_by_steps(double h)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    worldDef.gravity = rvVec(0, 0, 0);
    rvWorld* world;
    if (rvCreateWorld(&worldDef, &world, NULL, 0) != RV_OK)
        return RV_NO_NUMBER;
    for (int k = 0; k < PEGS; k++) {
        rvBodyDef body = rvDefaultBodyDef();
        body.type = RV_BODY_STATIC;
        body.pose.p = rvVec(pegs[k][0], pegs[k][1], 0);
        rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        shape.radius = RADIUS;
        shape.length = 0.1;
        rvBodyId peg;
        rvShapeId id;
        rvCreateBody(world, &body, &peg);
        rvCreateShape(world, peg, &shape, &id);
    }
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_KINEMATIC;
    body.pose.p = rvVec(way[0][1], way[0][2], 0);
    rvBodyId hand;
    rvCreateBody(world, &body, &hand);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(hand, rvVec(0, 0, 0))};
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    def.places = places;
    def.placeCount = 2;
    def.plane = rvVec(0, 0, 1);
    def.elements = ELEMENTS;
    def.length = LENGTH;
    def.diameter = DIAMETER;
    def.bendingStiffness = RIGIDITY;
    def.massPerLength = DENSITY;
    def.waveDamping = DRAG;
    def.damping = DAMPING;
    def.bulge = rvVec(-1, 0, 0);
    def.collides = true;
    def.friction = 0.0;
    def.maxContacts = 48;
    def.contactStiffness = SPRING;
    def.contactDamping = DAMPER;
    rvCableId cable;
    bool good = rvCreateCable(world, &def, &cable) == RV_OK;
    rvVec3 force = rvVec(0, 0, 0), torque;
    int leg = 0;
    for (long i = 1; good && i <= lround(UNTIL / h); i++) {
        double t = (double)i * h;
        while (t > way[leg + 1][0] + 1e-9)
            leg += 1;
        rvVec2 rate, at = hand_at(t, leg, &rate);
        rvPose pose = rvPoseIdentity();
        pose.p = rvVec(at.x, at.y, 0);
        rvBody_MoveTo(world, hand, pose);
        good = rvWorld_Step(world, h) == RV_OK;
    }
    rvBody_GetWrench(world, hand, &force, &torque);
    rvDestroyWorld(world);
    return good ? rvLength(force) : RV_NO_NUMBER;
}

void rv_bench_wakamatsu_pegs(rvBench* bench)
{
    static const double step[] = {4e-3, 2e-3, 1e-3, 5e-4};
    double reference = RV_NO_NUMBER;
#ifdef REEVE_HAVE_SUNDIALS_PEER
    reference = held_by_fehlberg(bench);
    if (!(reference == reference))
        rv_bench_leave_out(bench, "SUNDIALS", "pegs: the integrator gave up");
#endif
    for (int k = 0; k < 4; k++) {
        rv_bench_progress(bench, "pegs, steps of %g ms", 1e3 * step[k]);
        rvBenchRow row =
            rv_bench_row("N", held_by_steps(step[k]), reference, "rkf45, as well with Voigt's contacts",
                         "Around pegs without friction, steps of %g ms: force that is held", 1e3 * step[k]);
        // both are at rest, to 1e-16 J: what is left is the tolerance of the reference
        rv_bench_add(bench, reference == reference ? rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 1e-4) : row);
    }
}
