// SPDX-License-Identifier: MIT
// The crane that our own world and other engines drive for a minute; see hosts.h.
#include "cases/hosts.h"

#include <stdlib.h>

#define SECONDS 60.0
#define DRIVEN 34.0 // from here on it only swings

// steel, 20 mm
#define STIFFNESS (1e11 * 0.25 * 3.14159265358979323846 * 0.02 * 0.02)
#define SLING 3.0 // [m]

const rvCraneBody rvCraneBodies[RV_CRANE_BODIES] = {
    {"jib", 8000.0, {40, 2, 2}, {0, 0, RV_CRANE_HEIGHT}},
    {"trolley", 1500.0, {2, 2, 1}, {18, 0, RV_CRANE_HEIGHT}},
    {"hook", 400.0, {0.8, 0.8, 0.8}, {18, 0, 15}},
    {"load", 4000.0, {2, 2, 2}, {18, 0, 10.6}},
};

// Created as it lies, then as much shorter as `tension` stretches it, so that the crane begins at rest.
static rvStatus lay(rvWorld* world, rvCableDef* def, double tension, rvCableId* id)
{
    def->length = -1.0;
    rvStatus status = rvCreateCable(world, def, id);
    if (status != RV_OK)
        return status;
    def->length = rvCable_GetLength(world, *id) / (1.0 + tension / STIFFNESS);
    status = rvDestroyCable(world, *id);
    return status == RV_OK ? rvCreateCable(world, def, id) : status;
}

rvStatus rv_crane_reeve(rvWorld* world, const rvBodyId* bodies, const rvCraneSetup* setup, rvCableId* hoist)
{
    rvBodyId jib = bodies[RV_CRANE_JIB], trolley = bodies[RV_CRANE_TROLLEY], hook = bodies[RV_CRANE_HOOK];
    rvVec3 axis = {0, 1, 0};
    // as on a tower crane: from the winch along the jib, down, up and on to the tip, so that the trolley keeps its
    // height
    rvPlaceDef falls[] = {rvWinchPlace(jib, rvVec(1, 0, 0.25), 0.0),
                          rvSheavePlace(trolley, rvVec(-0.5, 0, 0), axis, 0.25),
                          rvSheavePlace(hook, rvVec(0, 0, 0.3), axis, 0.25),
                          rvSheavePlace(trolley, rvVec(0.5, 0, 0), axis, 0.25), rvAttachPlace(jib, rvVec(35, 0, 0.25))};
    rvPlaceDef sling[] = {rvAttachPlace(hook, rvVec(0, 0, -0.4)),
                          rvAttachPlace(bodies[RV_CRANE_LOAD], rvVec(0, 0, 1.0))};
    rvCableDef def = rvDefaultCableDef(setup->model);
    def.axialStiffness = STIFFNESS;
    def.damping = setup->damping;
    def.places = falls;
    def.placeCount = 5;
    double load = RV_CRANE_GRAVITY * rvCraneBodies[RV_CRANE_LOAD].mass;
    rvCableId slung;
    rvStatus status = lay(world, &def, 0.5 * (load + RV_CRANE_GRAVITY * rvCraneBodies[RV_CRANE_HOOK].mass), hoist);
    def.places = sling;
    def.placeCount = 2;
    return status == RV_OK ? lay(world, &def, load, &slung) : status;
}

// ---- our own world --------------------------------------------------------------------------------------------------

typedef struct {
    rvWorld* world;
    rvBodyId bodies[RV_CRANE_BODIES];
    rvJointId slew, rail;
    rvCableId hoist;
    double h;
} Own;

static void own_destroy(void* state)
{
    Own* own = state;
    rvDestroyWorld(own->world);
    free(own);
}

static rvStatus join(Own* own, rvJointType type, rvBodyId a, rvBodyId b, rvVec3 point, rvVec3 axis, rvJointId* id)
{
    rvJointDef def = rvDefaultJointDef(type);
    rvStatus status = rvJointDef_Place(own->world, &def, a, b, point, axis);
    return status == RV_OK ? rvCreateJoint(own->world, &def, id) : status;
}

static void* own_create(const rvCraneSetup* setup)
{
    Own* own = calloc(1, sizeof(*own));
    rvWorldDef world = rvDefaultWorldDef();
    world.gravity = rvVec(0, 0, -RV_CRANE_GRAVITY);
    if (!own || rvCreateWorld(&world, &own->world, NULL, 0) != RV_OK) {
        free(own);
        return NULL;
    }
    own->h = setup->h;
    rvStatus status = RV_OK;
    for (int i = 0; i < RV_CRANE_BODIES && status == RV_OK; i++) {
        const rvCraneBody* body = &rvCraneBodies[i];
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = body->mass;
        def.inertia = rvBoxInertia(body->mass, body->sides);
        def.pose.p = body->at;
        def.name = body->name;
        status = rvCreateBody(own->world, &def, &own->bodies[i]);
    }
    rvBodyId jib = own->bodies[RV_CRANE_JIB], trolley = own->bodies[RV_CRANE_TROLLEY];
    if (status == RV_OK)
        status =
            join(own, RV_JOINT_HINGE, RV_NULL_BODY, jib, rvCraneBodies[RV_CRANE_JIB].at, rvVec(0, 0, 1), &own->slew);
    if (status == RV_OK)
        status =
            join(own, RV_JOINT_SLIDER, jib, trolley, rvCraneBodies[RV_CRANE_TROLLEY].at, rvVec(1, 0, 0), &own->rail);
    if (status == RV_OK)
        status = rv_crane_reeve(own->world, own->bodies, setup, &own->hoist);
    if (status == RV_OK)
        return own;
    own_destroy(own);
    return NULL;
}

static bool own_step(void* state, const rvCraneDrive* drive, rvCraneState* out)
{
    Own* own = state;
    rvJoint_SetMotor(own->world, own->slew, 0, RV_MOTOR_SPEED, drive->slew, HUGE_VAL);
    rvJoint_SetMotor(own->world, own->rail, 0, RV_MOTOR_SPEED, drive->trolley, HUGE_VAL);
    rvCable_SetWinchSpeed(own->world, own->hoist, 0, drive->hoist);
    bool good = rvWorld_Step(own->world, own->h) == RV_OK;
    for (int i = 0; i < RV_CRANE_BODIES; i++)
        out->at[i] = rvBody_GetCenter(own->world, own->bodies[i]);
    out->tension = rvCable_GetTension(own->world, own->hoist, 0);
    return good;
}

static const rvCraneEngine ownEngine = {"Reeve", own_create, own_step, own_destroy, false};

// ---- the engines ----------------------------------------------------------------------------------------------------

#ifdef REEVE_HAVE_CRANE_ODE_PEER
extern const rvCraneEngine rv_crane_ode;
#endif
#ifdef REEVE_HAVE_CRANE_MUJOCO_PEER
extern const rvCraneEngine rv_crane_mujoco;
#endif
#ifdef REEVE_HAVE_CRANE_BULLET_PEER
extern const rvCraneEngine rv_crane_bullet, rv_crane_bullet_rows;
#endif

const rvCraneEngine* const* rv_crane_engines(int* count)
{
    static const rvCraneEngine* const engines[] = {
        &ownEngine,
#ifdef REEVE_HAVE_CRANE_ODE_PEER
        &rv_crane_ode,
#endif
#ifdef REEVE_HAVE_CRANE_MUJOCO_PEER
        &rv_crane_mujoco,
#endif
#ifdef REEVE_HAVE_CRANE_BULLET_PEER
        &rv_crane_bullet, &rv_crane_bullet_rows,
#endif
    };
    *count = sizeof(engines) / sizeof(engines[0]);
    return engines;
}

// ---- a minute of driving --------------------------------------------------------------------------------------------

// From 0 up to 1 within `ramp`, and down again.
static double stroke(double time, double begin, double end, double ramp)
{
    return fmax(0.0, fmin(1.0, fmin(time - begin, end - time) / ramp));
}

static rvCraneDrive drive_at(double time)
{
    return (rvCraneDrive){.slew = 0.06 * stroke(time, 14, 28, 3),
                          .trolley = 0.8 * stroke(time, 8, 18, 2),
                          .hoist = 0.8 * stroke(time, 24, DRIVEN, 1) - stroke(time, 2, 14, 1)};
}

// Times at which the load swings through under the trolley, along the jib, by linear interpolation.
typedef struct {
    double before, first, last;
    int count;
} Swing;

static void watch_swing(Swing* swing, double time, double h, const rvCraneState* s)
{
    rvVec3 along = s->at[RV_CRANE_TROLLEY], off = rvSub(s->at[RV_CRANE_LOAD], along);
    along.z = 0.0;
    double now = rvDot(off, along) / rvLength(along);
    if (swing->before * now < 0.0) {
        swing->last = time - h * now / (now - swing->before);
        if (swing->count++ == 0)
            swing->first = swing->last;
    }
    swing->before = now;
}

int rv_crane_steps(const rvCraneSetup* setup)
{
    return (int)lround(SECONDS / setup->h);
}

rvCraneRun rv_crane_run(const rvCraneEngine* engine, const rvCraneSetup* setup, rvCraneState* record, bool compare)
{
    rvCraneRun run = {.good = true};
    Swing swing = {0};
    int steps = rv_crane_steps(setup);
    void* crane = engine->create(setup);
    run.refused = !crane;
    run.good = crane != NULL;
    for (int i = 0; run.good && i < steps; i++) {
        rvCraneDrive drive = drive_at(i * setup->h);
        rvCraneState now;
        run.good = engine->step(crane, &drive, &now);
        if (compare) {
            rvCraneState* ours = &record[i];
            run.heightOff = fmax(run.heightOff, fabs(now.at[RV_CRANE_HOOK].z - ours->at[RV_CRANE_HOOK].z));
            run.loadOff = fmax(run.loadOff, rvDistance(now.at[RV_CRANE_LOAD], ours->at[RV_CRANE_LOAD]));
        } else {
            record[i] = now;
        }
        run.endHeight = now.at[RV_CRANE_HOOK].z;
        run.meanHeight += run.endHeight / steps;
        run.meanTension += now.tension / steps;
        if (i * setup->h > DRIVEN)
            watch_swing(&swing, (i + 1) * setup->h, setup->h, &now);
    }
    run.period = swing.count > 1 ? 2.0 * (swing.last - swing.first) / (swing.count - 1) : (double)NAN;
    if (crane)
        engine->destroy(crane);
    return run;
}

// ---- the largest step -----------------------------------------------------------------------------------------------

// It begins at rest and stays within a metre for ten seconds.
static bool hangs_still(const rvCraneEngine* engine, const rvCraneSetup* setup)
{
    static const rvCraneDrive still = {0.0, 0.0, 0.0};
    void* crane = engine->create(setup);
    bool good = crane != NULL;
    for (int i = 0; good && i < lround(10.0 / setup->h); i++) {
        rvCraneState now;
        good = engine->step(crane, &still, &now) &&
               rvDistance(now.at[RV_CRANE_LOAD], rvCraneBodies[RV_CRANE_LOAD].at) < 1.0;
    }
    if (crane)
        engine->destroy(crane);
    return good;
}

double rv_crane_largest_step(const rvCraneEngine* engine, const rvCraneSetup* setup, double most)
{
    rvCraneSetup at = *setup;
    double low = 1e-3, high = most;
    at.h = most;
    if (hangs_still(engine, &at))
        return most;
    while (high - low > 1e-3 * high) {
        at.h = 0.5 * (low + high);
        if (hangs_still(engine, &at))
            low = at.h;
        else
            high = at.h;
    }
    return low;
}

// Hook and load up and down: the falls pull on the hook with 4 EA/L, the sling ties it to the load. Leapfrog: h <
// 2/omega.
double rv_crane_explicit_limit(void)
{
    double a = rvCraneBodies[RV_CRANE_HOOK].mass, b = rvCraneBodies[RV_CRANE_LOAD].mass;
    double sling = STIFFNESS / SLING, drop = 24.7, rope = 33.0 + 2.0 * drop + 1.6; // along the jib, falls, arcs
    double falls = 4.0 * STIFFNESS / rope;
    double p = (falls + sling) / a + sling / b, q = falls * sling / (a * b);
    return 2.0 / sqrt(0.5 * p + sqrt(0.25 * p * p - q));
}
