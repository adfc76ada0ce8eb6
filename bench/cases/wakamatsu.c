// SPDX-License-Identifier: MIT
// `reeve bench wakamatsu`: the three simulations of Wakamatsu et al. (Figs. 3, 4 and 5) with its parameters, by
// Runge-Kutta-Fehlberg as there and by our own fixed step of 1 ms: nodes at the paper's times, first contacts, energy,
// time a step.
//
// All: length 1, 10 intervals, g = 9.8. Fig. 3: rigidity 10, density 10, ends level and 0.6 apart, the right one pushed
// to 0.3 at 3 m/s. Fig. 4: rigidity 0.1, density 1, falls from the horizontal on to a peg. Fig. 5: rigidity 0.02,
// density 0.006, ends 0.3 apart, pushed to 0.1 at 1.5 m/s: the legs meet. A hand that starts or stops is an impulse.
//
// The same three in the world, through the public calls: the hand is a kinematic body, the peg a cylinder. And the
// curve against finite elements that hardly stretch (model ancf), at rest and falling: the shapes approach each other
// with the number of intervals, at second order, as an angle that is linear along an interval can.
#include "cable/curve/plane_rest.h"
#include "cable/curve/plane_step.h"
#include "cases/wakamatsu_loops.h"
#include "cases/wakamatsu_pegs.h"
#include "cases/wakamatsu_space.h"
#include "cases/wakamatsu_wire.h"
#include "peers/fehlberg.h"
#include "reeve/reeve.h"
#include "reference/curve_run.h"

#include <string.h>

enum { INTERVALS = 10, NODES = INTERVALS + 1, MOST_UNKNOWNS = 256, FRAMES = 12 };

static const double PI = 3.14159265358979323846, STEP = 1e-3;

typedef struct {
    int figure;
    double rigidity, density;
    double apart, speed, pushed; // ends apart at the start [m], of the hand [m/s], until [s]; no hands where apart is 0
    double frame;                // time between frames (a) to (l) [s]
    double contact;              // the frame that shows the first contact [s]; 0: none
} Figure;

static const Figure FIGURES[] = {
    {3, 10.0, 10.0, 0.6, -3.0, 0.1, 0.03, 0.0},
    {4, 0.1, 1.0, 0.0, 0.0, 0.0, 0.1, 0.3},
    {5, 0.02, 0.006, 0.3, -1.5, 0.133, 0.04, 0.12},
};

typedef struct {
    const Figure* figure;
    rvMemory memory;
    rvPlaneMotion motion;
    rvPlaneHold* hand; // NULL: none
    bool pushing;
    double firstContact; // [s], NaN: none
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    double work, heat; // of the hand on the curve, its impulses with it; of the contacts [J]
    long steps, calls;
    double seconds;
} Rig;

static void add_hold(Rig* rig, rvPlaneHoldKind kind, double s, double value)
{
    rig->motion.holds[rig->motion.holdCount++] = (rvPlaneHold){.kind = kind, .s = s, .value = value, .closing = 1000.0};
}

// Holds of the ends, then the shape at rest on the upward branch.
static bool hold_ends(Rig* rig)
{
    add_hold(rig, RV_HOLD_X, 0.0, 0.0);
    add_hold(rig, RV_HOLD_Y, 0.0, 0.0);
    int n = rig->motion.plane.intervals;
    if (rig->figure->apart == 0.0) {
        for (int i = 0; i <= n; i++)
            rig->q[2 + i] = PI;
        return true;
    }
    add_hold(rig, RV_HOLD_ANGLE, 0.0, 0.0);
    add_hold(rig, RV_HOLD_ANGLE, 1.0, 0.0);
    add_hold(rig, RV_HOLD_Y, 1.0, 0.0);
    add_hold(rig, RV_HOLD_X, 1.0, rig->figure->apart);
    rig->hand = &rig->motion.holds[rig->motion.holdCount - 1];
    for (int i = 0; i <= n; i++)
        rig->q[2 + i] = 1.5 * sin(2.0 * PI * i / n);
    rvPlaneRest rest = rv_plane_find_rest(&rig->motion, &rig->memory, rig->q);
    return rest.found && rest.stable;
}

static bool rig_create(Rig* rig, const Figure* figure, int intervals)
{
    *rig = (Rig){.figure = figure, .firstContact = RV_NO_NUMBER};
    rvPlane plane;
    rvPlaneContacts contacts;
    if (!rv_plane_create(&plane, &rig->memory, intervals, 1.0, false))
        return false;
    for (int i = 0; i < intervals; i++)
        plane.parts[i] = (rvPlanePart){.density = figure->density, .rigidity = figure->rigidity};
    rv_plane_begin(&plane);
    if (!rv_plane_contacts_create(&contacts, &rig->memory, &plane, figure->figure == 4, figure->figure == 5,
                                  RV_PLANE_MOST_TOUCHES)) {
        rv_plane_release(&plane, &rig->memory);
        return false;
    }
    contacts.spring = 1000.0;
    contacts.damping = 100.0;
    if (figure->figure == 4)
        contacts.obstacles[0] = (rvPlaneObstacle){.center = rv_vec2(-0.3, -0.35), .radius = 0.01};
    if (!rv_plane_motion_create(&rig->motion, &rig->memory, &plane, &contacts))
        return false;
    rig->motion.gravity = rv_vec2(0, -9.8);
    if (!hold_ends(rig))
        return false;
    rv_plane_place(&rig->motion.plane, rig->q);
    rv_plane_contacts_remember(&rig->motion.contacts, &rig->motion.plane, rig->q);
    return true;
}

static void rig_release(Rig* rig)
{
    rv_plane_motion_release(&rig->motion, &rig->memory);
}

// Where the hand is at a time; it pushes before figure->pushed and rests then.
static void aim(Rig* rig, double t)
{
    if (!rig->hand)
        return;
    const Figure* f = rig->figure;
    rig->hand->value = f->apart + f->speed * (rig->pushing ? t : f->pushed);
    rig->hand->rate = rig->pushing ? f->speed : 0.0;
}

static void note_contact(Rig* rig, double t)
{
    if (!(rig->firstContact >= 0.0) && rig->motion.contacts.touchCount > 0)
        rig->firstContact = t;
}

// ---- Runge-Kutta-Fehlberg -------------------------------------------------------------------------------------------

#ifdef REEVE_HAVE_SUNDIALS_PEER
static const double TOLERANCE = 1e-9;

// What the contacts turn to heat: their force less that of their springs, whose energy counts where they overlap.
static double heating(Rig* rig, const double* v)
{
    const rvPlaneContacts* contacts = &rig->motion.contacts;
    double sum = 0.0;
    for (int i = 0; i < contacts->touchCount; i++) {
        double gap = contacts->touches[i].gap,
               opening = rv_plane_touch_rate(&rig->motion.plane, &contacts->touches[i], v);
        double force = fmax(0.0, -contacts->spring * gap - contacts->damping * opening);
        sum -= (force + contacts->spring * gap) * opening;
    }
    return sum;
}

// Angles, rates, then the work of the hand and the heat of the contacts.
static bool rates(void* context, double t, const double* y, double* dy)
{
    Rig* rig = context;
    int n = rig->motion.plane.count;
    aim(rig, t);
    memcpy(dy, y + n, (size_t)n * sizeof(double));
    if (!rv_plane_motion_solve(&rig->motion, y, y + n, dy + n))
        return false;
    dy[2 * n] = rig->hand ? rig->hand->force * rig->hand->rate : 0.0;
    dy[2 * n + 1] = heating(rig, y + n);
    return true;
}

static void kept(void* context, double t, const double* y)
{
    Rig* rig = context;
    rv_plane_place(&rig->motion.plane, y);
    rv_plane_contacts_remember(&rig->motion.contacts, &rig->motion.plane, y);
    rv_plane_contacts_find(&rig->motion.contacts, &rig->motion.plane, y, 0.0);
    note_contact(rig, t);
}

static bool march(Rig* rig, double from, double to)
{
    double y[2 * MOST_UNKNOWNS + 2];
    int n = rig->motion.plane.count;
    size_t size = (size_t)n * sizeof(double);
    memcpy(y, rig->q, size);
    memcpy(y + n, rig->v, size);
    y[2 * n] = rig->work;
    y[2 * n + 1] = rig->heat;
    rvFehlberg method = {2 * n + 2, rates, kept, rig, TOLERANCE, TOLERANCE};
    double start = rv_bench_clock();
    bool good = rv_fehlberg_run(&method, from, to, y, &rig->steps, &rig->calls);
    rig->seconds += rv_bench_clock() - start;
    memcpy(rig->q, y, size);
    memcpy(rig->v, y + n, size);
    rig->work = y[2 * n];
    rig->heat = y[2 * n + 1];
    return good;
}

// A hand that starts or stops: what its impulse changes is its work.
static bool jerk(Rig* rig)
{
    double before = rv_plane_kinetic_energy(&rig->motion.plane, rig->v);
    if (!rv_plane_motion_project(&rig->motion, rig->q, rig->v))
        return false;
    rig->work += rv_plane_kinetic_energy(&rig->motion.plane, rig->v) - before;
    return true;
}

// To a time, with the hand's stop between where it lies there.
static bool march_to(Rig* rig, double from, double to)
{
    double stop = rig->figure->pushed;
    if (rig->hand && from == 0.0) {
        rig->pushing = true;
        aim(rig, 0.0);
        if (!jerk(rig))
            return false;
    }
    if (rig->pushing && to >= stop) {
        if (!march(rig, from, stop))
            return false;
        rig->pushing = false;
        aim(rig, stop);
        return jerk(rig) && (to <= stop || march(rig, stop, to));
    }
    return march(rig, from, to);
}
#endif

// ---- rows -----------------------------------------------------------------------------------------------------------

static void show_contact(rvBench* bench, const Rig* rig, const char* method)
{
    const Figure* f = rig->figure;
    if (f->contact == 0.0)
        return;
    rvBenchRow row = rv_bench_row("s", rig->firstContact, f->contact, "the paper's first frame with contact",
                                  "Fig. %d, %s: first contact", f->figure, method);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    row = rv_bench_row("s", rig->firstContact, f->contact - f->frame, "the paper's last frame without",
                       "Fig. %d, %s: first contact", f->figure, method);
    rv_bench_add(bench, row);
}

#ifdef REEVE_HAVE_SUNDIALS_PEER
static void show_nodes(rvBench* bench, Rig* rig, double t)
{
    rv_plane_place(&rig->motion.plane, rig->q);
    for (int i = 0; i < NODES; i++) {
        rvVec2 x = rig->motion.plane.nodes[i];
        rvBenchRow row =
            rv_bench_row("m", x.x, RV_NO_NUMBER, "", "Fig. %d, t = %.2f s: node %d, x", rig->figure->figure, t, i);
        row.detail = true;
        rv_bench_add(bench, row);
        row = rv_bench_row("m", x.y, RV_NO_NUMBER, "", "Fig. %d, t = %.2f s: node %d, y", rig->figure->figure, t, i);
        row.detail = true;
        rv_bench_add(bench, row);
    }
}

// Energies by part, at a frame. Answers all of them.
static double show_energies(rvBench* bench, Rig* rig, double t)
{
    rvPlaneMotion* motion = &rig->motion;
    double whole = rv_plane_motion_energy(motion, rig->q, rig->v); // places it, looks at the contacts
    const struct {
        const char* name;
        double value;
    } parts[4] = {{"kinetic", rv_plane_kinetic_energy(&motion->plane, rig->v)},
                  {"flexural", rv_plane_elastic_energy(&motion->plane, rig->q)},
                  {"gravitational", rv_plane_height_energy(&motion->plane, motion->gravity)},
                  {"of contact", motion->contacts.energy}};
    for (int i = 0; i < 4; i++) {
        rvBenchRow row = rv_bench_row("J", parts[i].value, RV_NO_NUMBER, "", "Fig. %d, t = %.2f s: energy, %s",
                                      rig->figure->figure, t, parts[i].name);
        row.detail = true;
        rv_bench_add(bench, row);
    }
    return whole;
}

static void run_fehlberg(rvBench* bench, const Figure* figure, rvVec2 nodes[FRAMES][NODES])
{
    Rig rig;
    if (!rig_create(&rig, figure, INTERVALS)) {
        rv_bench_leave_out(bench, "Reeve", "Fig. %d: no memory or no shape at rest", figure->figure);
        rig_release(&rig);
        return;
    }
    int n = INTERVALS;
    double energy = RV_NO_NUMBER, drift = 0.0, most = 0.0, off = 0.0;
    show_nodes(bench, &rig, 0.0);
    double start = show_energies(bench, &rig, 0.0);
    for (int i = 1; i < FRAMES; i++) {
        double from = (i - 1) * figure->frame, to = i * figure->frame;
        rv_bench_progress(bench, "Fig. %d: %.2f s", figure->figure, to);
        if (!march_to(&rig, from, to)) {
            rv_bench_leave_out(bench, "Reeve", "Fig. %d: the integrator gave up after %g s", figure->figure, from);
            break;
        }
        show_nodes(bench, &rig, to);
        memcpy(nodes[i], rig.motion.plane.nodes, (size_t)(n + 1) * sizeof(rvVec2));
        // what is not pushed and does not touch keeps its energy
        double now = show_energies(bench, &rig, to);
        most = fmax(most, fabs(now - start) + fabs(rig.heat));
        off = fmax(off, fabs(now + rig.heat - rig.work - start));
        bool free = !rig.pushing && !(rig.firstContact >= 0.0);
        if (free && energy == energy)
            drift = fmax(drift, fabs(now - energy) / (figure->density * 9.8)); // of its weight times its length
        energy = free ? now : RV_NO_NUMBER;
    }
    rvBenchRow row =
        rv_bench_row("1", off / most, TOLERANCE * (double)rig.steps, "goal: the tolerance of a step, 1e-9, over all",
                     "Fig. %d, rkf45: energy without work of the hand or heat of contacts", figure->figure);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    if (figure->figure != 5) {
        row = rv_bench_row("1", drift, 1e-6, "goal: the tolerance of a step, 1e-9, over a thousand of them",
                           "Fig. %d, rkf45: energy lost or made while free", figure->figure);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    }
    show_contact(bench, &rig, "rkf45");
    row = rv_bench_row("us", 1e6 * rig.seconds / (double)rig.steps, 1e8, "paper: about 100 s a step",
                       "Fig. %d, rkf45: time a step (%ld of them, %.1f right sides each)", figure->figure, rig.steps,
                       (double)rig.calls / (double)rig.steps);
    rv_bench_add(bench, row);
    rig_release(&rig);
}
#endif

static bool step_to(Rig* rig, rvPlaneRun* run, double* t, double until)
{
    int count = (int)((until - *t) / STEP + 0.5);
    double start = rv_bench_clock(), from = *t;
    for (int i = 1; i <= count; i++) {
        double end = from + i * STEP;
        bool stops = rig->pushing && end >= rig->figure->pushed - 1e-9;
        if (stops)
            rig->pushing = false;
        aim(rig, end);
        if (!rv_plane_run_step(run, STEP) || (stops && !rv_plane_run_begin(run)))
            return false;
        rig->steps += 1;
        rv_plane_contacts_find(&rig->motion.contacts, &rig->motion.plane, run->q, 0.0);
        note_contact(rig, end);
    }
    rig->seconds += rv_bench_clock() - start;
    *t = until;
    return true;
}

static void run_steps(rvBench* bench, const Figure* figure, rvVec2 nodes[FRAMES][NODES], bool compare)
{
    Rig rig;
    rvPlaneRun run = {0};
    if (!rig_create(&rig, figure, INTERVALS) || !rv_plane_run_create(&run, &rig.memory, &rig.motion)) {
        rv_bench_leave_out(bench, "Reeve", "Fig. %d: no memory or no shape at rest", figure->figure);
        rig_release(&rig);
        return;
    }
    memcpy(run.q, rig.q, (size_t)rig.motion.plane.count * sizeof(double));
    rig.pushing = rig.hand != NULL;
    aim(&rig, 0.0);
    double t = 0.0, away = 0.0;
    bool good = rv_plane_run_begin(&run);
    for (int i = 1; good && i < FRAMES / 2; i++) {
        good = step_to(&rig, &run, &t, i * figure->frame);
        for (int k = 0; good && k < NODES; k++) {
            rvVec2 x = rig.motion.plane.nodes[k];
            away = fmax(away, hypot(x.x - nodes[i][k].x, x.y - nodes[i][k].y));
        }
    }
    if (!good)
        rv_bench_leave_out(bench, "Reeve", "Fig. %d: the step of 1 ms failed after %g s", figure->figure, t);
    if (good && compare) {
        rvBenchRow row =
            rv_bench_row("mm", 1e3 * away, RV_NO_NUMBER, "rkf45, same run",
                         "Fig. %d, step of 1 ms: farthest node from rkf45, frames (b) to (f)", figure->figure);
        rv_bench_add(bench, row);
    }
    if (good) {
        show_contact(bench, &rig, "step of 1 ms");
        rvBenchRow row = rv_bench_row("us", 1e6 * rig.seconds / (double)rig.steps, 1e3, "real time: 1 ms",
                                      "Fig. %d, step of 1 ms: time a step", figure->figure);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    }
    rv_plane_run_release(&run, &rig.memory);
    rig_release(&rig);
}

// ---- in the world ---------------------------------------------------------------------------------------------------

static void add_peg(rvWorld* world, double radius)
{
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_STATIC;
    body.pose.p = rvVec(-0.3, 0, -0.35);
    rvBodyId id;
    rvShapeId shapeId;
    rvShapeDef shape = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
    shape.radius = radius;
    shape.length = 0.1;
    shape.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 0.5 * PI);
    shape.friction = 0.0;
    if (rvCreateBody(world, &body, &id) == RV_OK)
        rvCreateShape(world, id, &shape, &shapeId);
}

// Figure `f` in a world; the hand is a kinematic body.
static rvWorld* make_figure(const Figure* f, rvBodyId* hand, rvCableId* cable)
{
    rvWorld* world = rv_wakamatsu_world(9.8);
    rvBodyDef body = rvDefaultBodyDef();
    body.type = RV_BODY_KINEMATIC;
    body.pose.p = rvVec(f->apart, 0, 0);
    rvCableDef def = rvDefaultCableDef(RV_CABLE_CURVE);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(-1, 0, 0))};
    *hand = RV_NULL_BODY;
    if (world && f->apart > 0.0) {
        rvCreateBody(world, &body, hand);
        places[1] = rvAttachPlace(*hand, rvVec(0, 0, 0));
        places[0].clamped = places[1].clamped = true; // along x, as is the default
    }
    if (world && f->figure == 4)
        add_peg(world, 0.01 - 0.5e-4);
    def.places = places;
    def.placeCount = 2;
    def.elements = INTERVALS;
    def.length = 1.0;
    def.diameter = 1e-4;
    def.bendingStiffness = f->rigidity;
    def.massPerLength = f->density;
    def.straight = f->apart == 0.0;
    def.bulge = rvVec(0, 0, 1);
    def.collides = f->figure == 4;
    def.touchesItself = f->figure == 5;
    def.friction = 0.0;
    if (f->figure > 3) {
        def.contactStiffness = 1000.0;
        def.contactDamping = 100.0;
    }
    if (world && rvCreateCable(world, &def, cable) == RV_OK)
        return world;
    rvDestroyWorld(world);
    return NULL;
}

static void run_world(rvBench* bench, const Figure* f, rvVec2 nodes[FRAMES][NODES], bool compare)
{
    enum { PER_INTERVAL = 4 };
    rvBodyId hand;
    rvCableId cable;
    rvWorld* world = make_figure(f, &hand, &cable);
    double away = 0.0, seconds = 0.0, met = RV_NO_NUMBER;
    bool good = world != NULL;
    int steps = 0;
    for (int i = 1; good && i < FRAMES / 2; i++) {
        while (good && steps < (int)(i * f->frame / STEP + 0.5)) {
            rvPose pose = rvPoseIdentity();
            pose.p.x = f->apart + f->speed * fmin((steps + 1) * STEP, f->pushed);
            if (f->apart > 0.0)
                rvBody_MoveTo(world, hand, pose);
            double start = rv_bench_clock();
            good = rvWorld_Step(world, STEP) == RV_OK;
            seconds += rv_bench_clock() - start;
            steps += 1;
            if (!(met >= 0.0) && rvCable_GetContactCount(world, cable) > 0)
                met = steps * STEP;
        }
        rvVec3 points[PER_INTERVAL * INTERVALS + 1];
        int count = rvCable_GetShape(world, cable, points, PER_INTERVAL * INTERVALS + 1);
        for (int k = 0; good && k < NODES && count == PER_INTERVAL * INTERVALS + 1; k++)
            away = fmax(away,
                        hypot(points[PER_INTERVAL * k].x - nodes[i][k].x, points[PER_INTERVAL * k].z - nodes[i][k].y));
    }
    if (!good) {
        rv_bench_leave_out(bench, "Reeve", "Fig. %d in the world: %s", f->figure,
                           world ? rvWorld_GetError(world) : "no memory");
        rvDestroyWorld(world);
        return;
    }
    if (compare) {
        rvBenchRow row =
            rv_bench_row("mm", 1e3 * away, 2.0, "rkf45, same run; goal: 0.2 % of the length",
                         "Fig. %d, in the world, 1 ms: farthest node from rkf45, frames (b) to (f)", f->figure);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    }
    if (f->contact > 0.0) {
        rvBenchRow row = rv_bench_row("s", met, f->contact, "the paper's first frame with contact",
                                      "Fig. %d, in the world, 1 ms: first contact", f->figure);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    }
    rvBenchRow row = rv_bench_row("us", 1e6 * seconds / steps, 1e3, "real time: 1 ms",
                                  "Fig. %d, in the world, 1 ms: time a step", f->figure);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    rvDestroyWorld(world);
}

#ifdef REEVE_HAVE_SUNDIALS_PEER
// The hand of Fig. 3 starts with a jump of its speed v. An inextensible curve answers with an impulse p: the peak of
// the force is p/h and has no limit, what the force does in a time has. Reference: p = 2 T/v, T the energy that the
// projection yields, and then rkf45: J = W/v + p/2 by the work W.
static void show_impulse(rvBench* bench)
{
    static const double UNTIL = 0.01, steps[] = {2e-3, 1e-3, 5e-4, 2.5e-4};
    const Figure* f = &FIGURES[0];
    Rig rig;
    bool good = rig_create(&rig, f, INTERVALS);
    rig.pushing = good;
    aim(&rig, 0.0);
    good = good && jerk(&rig);
    double jump = 2.0 * rig.work / f->speed;
    good = good && march(&rig, 0.0, UNTIL);
    double whole = rig.work / f->speed + 0.5 * jump;
    rig_release(&rig);
    for (int k = 0; good && k < 4; k++) {
        rvBodyId hand;
        rvCableId cable;
        rvWorld* world = make_figure(f, &hand, &cable);
        double sum = 0.0, most = 0.0, h = steps[k];
        for (int i = 1; world && i <= (int)(UNTIL / h + 0.5); i++) {
            rvPose pose = rvPoseIdentity();
            rvVec3 force, torque;
            pose.p.x = f->apart + f->speed * i * h;
            rvBody_MoveTo(world, hand, pose);
            good = good && rvWorld_Step(world, h) == RV_OK;
            rvBody_GetWrench(world, hand, &force, &torque);
            sum -= h * force.x;
            most = fmax(most, fabs(force.x));
        }
        rvDestroyWorld(world);
        // half of it is the force that stays, which is read half a step late
        rvBenchRow row = rv_bench_row("N s", sum, whole, "rkf45 with impulsive projection",
                                      "Fig. 3, start of the hand, steps of %g ms: impulse in 10 ms", 1e3 * h);
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 0.25 * h / UNTIL));
        rv_bench_add(bench, rv_bench_row("N", most, fabs(jump) / h, "its impulse by the step",
                                         "Fig. 3, start of the hand, steps of %g ms: peak of its force", 1e3 * h));
    }
}
#endif

// Frequencies of a cantilever and of a hanging chain of length 1, 1 kg/m, by 40 intervals.
static void show_frequencies(rvBench* bench)
{
    enum { FINE = 40 };
    const double b = 4.6940911, j = 5.5200781;
    for (int chain = 0; chain < 2; chain++) {
        Figure figure = {.figure = 0, .rigidity = chain ? 1e-7 : 1.0, .density = 1.0};
        Rig rig;
        if (!rig_create(&rig, &figure, FINE)) {
            rig_release(&rig);
            return;
        }
        memset(rig.q, 0, sizeof rig.q); // along x
        rig.motion.gravity = rv_vec2(chain ? 9.8 : 0.0, 0);
        if (!chain)
            add_hold(&rig, RV_HOLD_ANGLE, 0.0, 0.0);
        double low = 0.0, high = 1e3, exact = chain ? 0.5 * j * sqrt(9.8) : b * b;
        for (int i = 0; i < 50; i++) {
            double middle = 0.5 * (low + high);
            if (rv_plane_slower(&rig.motion, rig.q, middle) > 1)
                high = middle;
            else
                low = middle;
        }
        rvBenchRow row = rv_bench_row("rad/s", low, exact, "closed form", "%d intervals: second frequency of a %s",
                                      FINE, chain ? "hanging chain" : "cantilever");
        double within = chain ? j * j / (3.0 * FINE * FINE) : b * b / (12.0 * FINE * FINE); // of second order
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, within));
        rig_release(&rig);
    }
}

// The right side by itself: with nothing near, and with the curve lying on the peg.
static void time_right_side(rvBench* bench, bool touching)
{
    Rig rig;
    if (!rig_create(&rig, &FIGURES[1], INTERVALS)) {
        rig_release(&rig);
        return;
    }
    if (touching) { // lies on the peg, 5 mm deep
        rig.q[0] = -0.3 + 0.43;
        rig.q[1] = -0.345;
        rv_plane_place(&rig.motion.plane, rig.q);
        rv_plane_contacts_remember(&rig.motion.contacts, &rig.motion.plane, rig.q);
    }
    double a[MOST_UNKNOWNS], best = RV_NO_NUMBER;
    int rounds = bench->quick ? 3 : 30, block = bench->quick ? 100 : 2000;
    for (int k = 0; k < rounds; k++) {
        double start = rv_bench_clock();
        for (int i = 0; i < block; i++)
            rv_plane_motion_solve(&rig.motion, rig.q, rig.v, a);
        double time = (rv_bench_clock() - start) / block;
        best = best <= time ? best : time;
    }
    bool met = rig.motion.contacts.touchCount > 0;
    if (met == touching) {
        rvBenchRow row = rv_bench_row("us", 1e6 * best, touching ? 10.0 : 5.0, "goal", "10 intervals: a right side, %s",
                                      touching ? "with contact" : "without contact");
        rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
    }
    rig_release(&rig);
}

static void time_growth(rvBench* bench)
{
    double before = RV_NO_NUMBER;
    for (int intervals = 10; intervals <= 100; intervals *= 10) {
        Rig rig;
        rvPlaneRun run = {0};
        if (rig_create(&rig, &FIGURES[1], intervals) && rv_plane_run_create(&run, &rig.memory, &rig.motion)) {
            memcpy(run.q, rig.q, (size_t)rig.motion.plane.count * sizeof(double));
            bool good = rv_plane_run_begin(&run);
            double best = RV_NO_NUMBER;
            for (int k = 0; good && k < 20; k++) {
                double start = rv_bench_clock();
                for (int i = 0; good && i < 10; i++)
                    good = rv_plane_run_step(&run, STEP);
                double time = (rv_bench_clock() - start) / 10;
                best = best <= time ? best : time;
            }
            rvBenchRow row =
                rv_bench_row("us", 1e6 * best, 1e3, "real time: 1 ms", "%d intervals: a step of 1 ms", intervals);
            rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0));
            if (before == before)
                rv_bench_add(bench,
                             rv_bench_row("1", best / before, 10.0, "linear", "growth from 10 to 100 intervals"));
            before = best;
        }
        rv_plane_run_release(&run, &rig.memory);
        rig_release(&rig);
    }
}

void rv_bench_wakamatsu(rvBench* bench)
{
    bool compare = false;
    for (int i = 0; i < (int)(sizeof(FIGURES) / sizeof(FIGURES[0])); i++) {
        rvVec2 nodes[FRAMES][NODES] = {{{0}}};
#ifdef REEVE_HAVE_SUNDIALS_PEER
        if (!bench->quick) {
            run_fehlberg(bench, &FIGURES[i], nodes);
            compare = true;
        }
#endif
        run_steps(bench, &FIGURES[i], nodes, compare);
        run_world(bench, &FIGURES[i], nodes, compare);
    }
#ifdef REEVE_HAVE_SUNDIALS_PEER
    show_impulse(bench);
#endif
    rv_bench_wakamatsu_wire(bench);
#ifndef REEVE_HAVE_SUNDIALS_PEER
    rv_bench_leave_out(bench, "SUNDIALS", "not installed: no rkf45");
#endif
    show_frequencies(bench);
    time_right_side(bench, false);
    time_right_side(bench, true);
    time_growth(bench);
    rv_bench_wakamatsu_space(bench);
    rv_bench_wakamatsu_loops(bench);
    if (!bench->quick)
        rv_bench_wakamatsu_pegs(bench);
}
