// SPDX-License-Identifier: MIT
// The step and nothing else. It reads top to bottom as docs/step.md; the words are the same.
#include "cable/string/span_stiffness.h"
#include "cable/taut/cable_contact.h"
#include "math/extreme.h"
#include "world/world.h"

// Of a row, relative to the speeds around. Where bounds did not settle (a heap that falls together) the solver's
// fallback keeps to the bounds and misses some rows: the step counts, and is told as an event with its residual, as
// long as what is missed is of the order of the speeds.
#define LARGEST_RESIDUAL 1e-3
#define LARGEST_FALLBACK_RESIDUAL 100.0

rvStepContext rv_world_context(const rvWorld* world, double dt)
{
    return (rvStepContext){.h = dt,
                           .time = world->state.time,
                           .gravity = world->state.gravity,
                           .stepper = world->def.stepper,
                           .relaxation = world->def.relaxation,
                           .geometricStiffness = world->def.geometricStiffness,
                           .maxPasses = world->def.maxPasses};
}

// Known forces on the bodies, before the first pass, and their geometric stiffness, before each.
static void load(rvWorld* world, const rvStepContext* context, int pass)
{
    if (pass == 0)
        rv_bodies_clear_rope(&world->bodies);
    rv_bodies_clear_stiffness(&world->bodies);
    if (context->geometricStiffness > 0.0)
        rv_joints_add_stiffness(&world->joints, &world->bodies, context);
    rv_cables_load(&world->cables, &world->bodies, context, pass);
}

static void write_rows(rvWorld* world, const rvStepContext* context)
{
    rv_rows_clear(&world->rows);
    rv_joints_write_rows(&world->joints, &world->bodies, context, &world->rows);
    rv_contacts_write_rows(world->contacts, &world->bodies, context, &world->rows);
    rv_cables_write_rows(&world->cables, &world->bodies, context, &world->rows);
}

// Answers whether forces changed so much that another pass may be worth it.
static bool read_rows(rvWorld* world, const rvStepContext* context)
{
    bool joints = rv_joints_read_rows(&world->joints, &world->rows);
    rv_contacts_read_rows(world->contacts, &world->rows);
    bool cables = rv_cables_read_rows(&world->cables, &world->bodies, context, &world->rows);
    return joints || cables;
}

// Is another pass allowed? A limit of one is kept in any case.
static bool may_go_on(const rvWorld* world)
{
    int passes = world->info.passes, most = world->def.maxPasses;
    return passes < most || (most > 1 && passes < most + rv_cables_insist(&world->cables));
}

// Predict, rows, solve; again with the new tensions where they changed much within the step.
void rv_world_solve_passes(rvWorld* world, const rvStepContext* context)
{
    rvStepInfo* info = &world->info;
    info->passes = info->pivots = 0;
    load(world, context, 0);
    for (bool again = true; again;) {
        rv_bodies_predict(&world->bodies, context);
        rv_cables_predict(&world->cables, &world->bodies, context);
        write_rows(world, context);
        rvSolveBodies bodies = rv_bodies_for_solver(&world->bodies);
        rvSolveReport report = rv_solver_solve(world->solver, &world->rows, &bodies);
        info->pivots += report.pivots;
        if (report.undone > 0) {
            rv_cables_give_all_rows(&world->cables);
            continue;
        }
        bool changed = read_rows(world, context);
        info->passes += 1;
        info->islands = report.islands;
        info->fallbacks = report.fallbacks;
        info->residual = report.residual;
        info->rows = world->rows.rowCount;
        world->worstGroup = report.worstGroup;
        again = false;
        bool more = may_go_on(world) && context->geometricStiffness > 0.0;
        bool met = more && !context->atRest &&
                   rv_cables_collide_again(&world->cables, &world->bodies, &world->shapes, context->h, info->passes);
        if ((changed || met) && more) {
            bool cables = rv_cables_changed(&world->cables, &world->bodies, context);
            load(world, context, info->passes);
            again = met || cables || rv_bodies_stiffness_changed(&world->bodies, context);
        }
    }
}

static const char* group_name(const rvWorld* world, int group, const char** kind)
{
    static const char* const kinds[] = {"joint", "contact", "cable", "body"};
    const rvRowGroup* g = &world->rows.groups[group];
    *kind = kinds[g->kind];
    switch (g->kind) {
    case RV_GROUP_JOINT:
        return world->joints.items[g->owner].name;
    case RV_GROUP_CABLE:
        return world->cables.items[g->owner].name;
    case RV_GROUP_KINK:
        return world->bodies.items[g->owner].name;
    case RV_GROUP_CONTACT:
        break;
    }
    return "";
}

static rvStatus too_fast(rvWorld* world, double time, const rvBody* body, const char* what, double value,
                         const char* unit)
{
    world->failedBody = (int)(body - world->bodies.items);
    if (isnan(value))
        return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: body '%s': %s is no longer a number", time,
                       body->name, what);
    return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: body '%s': %s would be %g %s", time, body->name, what,
                   value, unit);
}

static bool is_within(rvVec3 v, double largest)
{
    return rvDot(v, v) <= largest * largest;
}

// Every velocity finite and sane, residuals small: before anything moves.
rvStatus rv_world_check_solution(rvWorld* world)
{
    double fastest = 1.0;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        if (!rv_body_alive(&world->bodies, i))
            continue;
        const rvBody* body = &world->bodies.items[i];
        const double* v = world->bodies.velocity[i];
        rvVec3 linear = rvVec(v[0], v[1], v[2]), angular = rvVec(v[3], v[4], v[5]);
        if (!is_within(linear, RV_LARGEST_SPEED))
            return too_fast(world, world->state.time, body, "speed", rvLength(linear), "m/s");
        if (!is_within(angular, RV_LARGEST_SPIN))
            return too_fast(world, world->state.time, body, "spin", rvLength(angular), "rad/s");
        if (!is_within(body->state.x, RV_LARGEST_POSITION))
            return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: body '%s': is %g m away from the origin",
                           world->state.time, body->name, rvLength(body->state.x));
        fastest = rv_larger(fastest, rvDot(linear, linear));
    }
    fastest = sqrt(fastest);
    double limit = world->info.fallbacks > 0 ? LARGEST_FALLBACK_RESIDUAL : LARGEST_RESIDUAL;
    if (!(world->info.residual <= limit * fastest)) {
        const char* kind = "row";
        const char* name = world->worstGroup >= 0 ? group_name(world, world->worstGroup, &kind) : "";
        if (world->worstGroup >= 0 && world->rows.groups[world->worstGroup].kind == RV_GROUP_CABLE)
            world->failedCable = world->rows.groups[world->worstGroup].owner;
        return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: %s '%s': the solver left a residual of %g m/s",
                       world->state.time, kind, name, world->info.residual);
    }
    return RV_OK;
}

// What moves on by its own rules: a tumbling body may turn faster than the solution said, and no part of a cable may
// have run out of rope.
rvStatus rv_world_check_advanced(rvWorld* world, double time)
{
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        const rvBody* body = &world->bodies.items[i];
        if (rv_body_alive(&world->bodies, i) && !is_within(body->state.w, RV_LARGEST_SPIN))
            return too_fast(world, time, body, "spin", rvLength(body->state.w), "rad/s");
    }
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        if (!rv_id_pool_alive(&world->cables.pool, i))
            continue;
        if (cable->failure) {
            world->failedCable = i;
            return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: cable '%s': %s", time, cable->name,
                           cable->failure);
        }
        double books = cable->state.heat + cable->state.restLength;
        for (int k = 0; k < 2; ++k)
            books += cable->winch[k].state.work + cable->winch[k].state.heat;
        if (!isfinite(books))
            return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: cable '%s': its books are not finite", time,
                           cable->name);
        for (int k = 0; k < cable->route.placeCount; ++k) {
            double rest = cable->route.places[k].state.rest, heat = cable->route.places[k].state.heat;
            if (!(rest >= 0.0 && isfinite(rest)))
                return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: cable '%s': %g m of rope after place %d",
                               time, cable->name, rest, k);
            if (!isfinite(heat))
                return rv_fail(&world->error, RV_DIVERGED, "step at %.9g s: cable '%s': %g J of heat at place %d", time,
                               cable->name, heat, k);
        }
    }
    return RV_OK;
}

static rvStatus step_back(rvWorld* world, rvStatus status)
{
    rv_world_put_back(world, world->backup);
    return status;
}

// Pushed, and not by applied forces.
static bool is_left_alone(const rvBody* body)
{
    rvVec3 f = body->state.force, t = body->state.torque;
    return rv_body_is_pushed(body) && f.x == 0.0 && f.y == 0.0 && f.z == 0.0 && t.x == 0.0 && t.y == 0.0 && t.z == 0.0;
}

// Work of applied forces and prescribed bodies. The energy is read at the middle of steps, so the way of the force is
// that between the middles: by the mean of the velocities before and after.
static double outside_work(const rvWorld* world, double h)
{
    double work = 0.0;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        const rvBody* body = &world->bodies.items[i];
        if (!rv_body_alive(&world->bodies, i) || body->type == RV_BODY_STATIC || is_left_alone(body))
            continue;
        const double* v = world->bodies.velocity[i];
        rvVec3 linear = rvScale(0.5, rvAdd(body->lastV, rvVec(v[0], v[1], v[2])));
        rvVec3 angular = rvScale(0.5, rvAdd(body->lastW, rvVec(v[3], v[4], v[5])));
        if (rv_body_is_pushed(body))
            work += h * (rvDot(body->state.force, linear) + rvDot(body->state.torque, angular));
        else
            work -= h * (rvDot(body->wrenchForce, linear) + rvDot(body->wrenchTorque, angular));
    }
    return work;
}

static rvStatus check_dt(rvWorld* world, double dt)
{
    if (!(dt > 0.0 && dt <= 1.0))
        return rv_fail(&world->error, RV_BAD_INPUT, "step: dt: is %g s, must be > 0 and at most 1", dt);
    return RV_OK;
}

// latch, route, collide
static void begin(rvWorld* world, const rvStepContext* context)
{
    world->begun = 0.0;
    world->failedCable = world->failedBody = -1;
    rv_world_write_state(world, world->backup);
    rv_guard_begin(world);

    // latch
    rv_bodies_latch(&world->bodies, context);
    // route
    rv_cables_route(&world->cables, &world->bodies, context);
    // collide
    rv_contacts_collide(world->contacts, &world->shapes, &world->bodies, &world->joints, context);
    rv_cables_remember(&world->cables, &world->shapes);
    rv_cables_touch(&world->cables, &world->bodies, &world->shapes, context->h);
}

// check, advance, publish
static rvStatus finish(rvWorld* world, const rvStepContext* context)
{
    // check
    rvStatus status = rv_world_check_solution(world);
    if (status != RV_OK)
        return step_back(world, status);
    // advance
    rv_bodies_collect_wrench(&world->bodies, context, &world->rows);
    rv_cables_collect_wrench(&world->cables, &world->bodies, context, &world->rows);
    world->state.work += outside_work(world, context->h);
    double fastest = rv_bodies_advance(&world->bodies, context);
    rv_guard_count(world, context);
    rv_close_gaps(world, context, fastest);
    rv_cables_advance(&world->cables, &world->bodies, context);
    status = rv_world_check_advanced(world, context->time);
    if (status != RV_OK)
        return step_back(world, status);
    rv_cables_collide(&world->cables, &world->bodies, &world->shapes, context);
    world->state.time += context->h;
    world->state.stepCount += 1;
    world->state.h = context->h;
    // publish
    rv_joints_publish(&world->joints, &world->bodies, context);
    rv_guard_finish(world, context);
    rv_world_publish(world);
    return RV_OK;
}

rvStatus rvWorld_Step(rvWorld* world, double dt)
{
    rvStatus status = check_dt(world, dt);
    if (status != RV_OK)
        return status;
    rvStepContext context = rv_world_context(world, dt);
    world->cables.hosted = false;
    do { // again where a hold slips that it cannot be made with
        begin(world, &context);
        // predict, rows, solve
        rv_world_solve_passes(world, &context);
        status = finish(world, &context);
    } while (status == RV_DIVERGED && rv_world_let_slip(world));
    return status;
}

// A host can solve only what moves its own bodies.
static rvStatus check_hosted(rvWorld* world)
{
    for (int i = 0; i < world->bodies.pool.count; ++i)
        if (rv_body_alive(&world->bodies, i) && world->bodies.items[i].type == RV_BODY_DYNAMIC)
            return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_BeginStep: body '%s': is dynamic, must be a proxy",
                           world->bodies.items[i].name);
    for (int i = 0; i < world->cables.pool.count; ++i)
        if (rv_id_pool_alive(&world->cables.pool, i) && world->cables.items[i].wheelCount > 0)
            return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_BeginStep: cable '%s': a wheel has inertia",
                           world->cables.items[i].name);
    return RV_OK;
}

rvStatus rvWorld_BeginStep(rvWorld* world, double dt)
{
    rvStatus status = check_dt(world, dt);
    if (status == RV_OK)
        status = check_hosted(world);
    if (status != RV_OK)
        return status;
    rvStepContext context = rv_world_context(world, dt);
    context.maxPasses = 1; // by the host
    world->cables.hosted = true;
    begin(world, &context);
    load(world, &context, 0);
    rv_rows_clear(&world->rows);                 // joints and contacts are among the host's bodies: it has them itself
    rv_bodies_predict(&world->bodies, &context); // with the rope: what cables expect of the step
    rv_bodies_write_rope(&world->bodies, &context, &world->rows);
    rv_cables_write_rows(&world->cables, &world->bodies, &context, &world->rows);
    world->begun = dt;
    return RV_OK;
}

// The host's bodies go where it says, and cables along with them.
static void take_moved(rvWorld* world, const rvProxyState* moved, int count)
{
    for (int i = 0; i < count; ++i) {
        int index = (int)moved[i].body.index1 - 1;
        rvVec3 v = moved[i].velocity, w = moved[i].angularVelocity;
        const double velocity[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        for (int k = 0; k < 6; ++k)
            world->bodies.velocity[index][k] = velocity[k];
        world->bodies.items[index].state.target = moved[i].pose;
        world->bodies.items[index].state.hasTarget = 1.0;
    }
}

static void keep_moved(rvWorld* world, const rvProxyState* moved, int count)
{
    for (int i = 0; i < count; ++i) {
        rvBodyState* s = &world->bodies.items[moved[i].body.index1 - 1].state;
        s->v = moved[i].velocity;
        s->w = moved[i].angularVelocity;
        s->hasTarget = 0.0;
    }
}

rvStatus rvWorld_EndStep(rvWorld* world, const double* impulses, int count, const rvProxyState* moved, int movedCount)
{
    if (!(world->begun > 0.0))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_EndStep: no step was begun");
    if (count != world->rows.rowCount || (count > 0 && !impulses))
        return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_EndStep: count: is %d, must be %d", count,
                       world->rows.rowCount);
    for (int i = 0; i < count; ++i)
        if (!isfinite(impulses[i]))
            return rv_fail(&world->error, RV_BAD_INPUT, "rvWorld_EndStep: impulses[%d]: must be finite", i);
    rvStatus status = rv_world_check_proxies(world, "rvWorld_EndStep", moved, movedCount);
    if (status != RV_OK)
        return status;
    rvStepContext context = rv_world_context(world, world->begun);
    context.maxPasses = 1;
    world->begun = 0.0;
    rvSolveBodies bodies = rv_bodies_for_solver(&world->bodies);
    rv_rows_take_solution(&world->rows, &bodies, impulses);
    take_moved(world, moved, movedCount);
    rv_cables_read_rows(&world->cables, &world->bodies, &context, &world->rows);
    world->info = (rvStepInfo){.rows = world->rows.rowCount};
    world->worstGroup = -1;
    status = finish(world, &context);
    if (status == RV_OK)
        keep_moved(world, moved, movedCount);
    return status;
}
