// SPDX-License-Identifier: MIT
// One step. Reads top to bottom as docs/step.md, in the same words. What does not exist in a world is not visited: no
// joints, no shapes, no cables that meet anything.
#include "base/field.h"
#include "cable/string/span_stiffness.h"
#include "cable/taut/cable_contact.h"
#include "world/world.h"

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

static bool has_joints(const rvWorld* world)
{
    return world->joints.pool.count > 0;
}

// ---- begin, collide -------------------------------------------------------------------------------------------------

void rv_world_begin(rvWorld* world, const rvStepContext* step)
{
    world->begun = 0.0;
    world->failedCable = world->failedBody = -1;
    rv_world_write_state(world, world->backup);            // all state -> backup
    rv_guard_begin(world);                                 // energies as they are
    rv_bodies_latch(&world->bodies, step);                 // targets -> velocities of kinematic bodies
    rv_cables_route(&world->cables, &world->bodies, step); // settings of winches -> their speeds; model->step->begin
    if (rv_world_has_contacts(world))                      // poses -> pairs -> contact points; known ones keep impulses
        rv_contacts_collide(world->contacts, &world->shapes, &world->bodies, &world->joints, step);
    if (world->cables.meeting > 0) {
        rv_cables_remember(&world->cables, &world->shapes);
        rv_cables_touch(&world->cables, &world->bodies, &world->shapes, step->h); // expected lines -> their contacts
    }
}

// ---- passes ---------------------------------------------------------------------------------------------------------

void rv_world_load(rvWorld* world, const rvStepContext* step, int pass)
{
    if (pass == 0)
        rv_bodies_clear_rope(&world->bodies);
    rv_bodies_clear_stiffness(&world->bodies);
    if (step->geometricStiffness > 0.0 && has_joints(world))
        rv_joints_add_stiffness(&world->joints, &world->bodies, step);
    rv_cables_load(&world->cables, &world->bodies, step, pass);
}

static void predict(rvWorld* world, const rvStepContext* step)
{
    rv_bodies_predict(&world->bodies, step);
    rv_cables_predict(&world->cables, &world->bodies, step);
}

static void write_rows(rvWorld* world, const rvStepContext* step)
{
    rv_rows_clear(&world->rows);
    if (has_joints(world))
        rv_joints_write_rows(&world->joints, &world->bodies, step, &world->rows);
    if (rv_world_has_contacts(world))
        rv_contacts_write_rows(world->contacts, &world->bodies, step, &world->rows);
    rv_cables_write_rows(&world->cables, &world->bodies, step, &world->rows);
}

static rvSolveReport solve(rvWorld* world)
{
    rvSolveBodies bodies = rv_bodies_for_solver(&world->bodies);
    rvSolveReport report = rv_solver_solve(world->solver, &world->rows, &bodies);
    world->info.pivots += report.pivots;
    return report;
}

static void note(rvWorld* world, const rvSolveReport* report)
{
    rvStepInfo* info = &world->info;
    info->passes += 1;
    info->islands = report->islands;
    info->fallbacks = report->fallbacks;
    info->residual = report->residual;
    info->rows = world->rows.rowCount;
    world->worstGroup = report->worstGroup;
}

// Is another pass allowed? A limit of one is kept in any case.
static bool may_go_on(const rvWorld* world)
{
    int passes = world->info.passes, most = world->def.maxPasses;
    return passes < most || (most > 1 && passes < most + rv_cables_insist(&world->cables));
}

// Impulses -> tensions. Answers whether forces changed so much within the step that it should be made again with them:
// then contacts that it led into and the loads of the next pass are there.
static bool read_rows(rvWorld* world, const rvStepContext* step, const rvSolveReport* report)
{
    bool joints = has_joints(world) && rv_joints_read_rows(&world->joints, &world->rows);
    if (rv_world_has_contacts(world))
        rv_contacts_read_rows(world->contacts, &world->rows);
    bool changed = rv_cables_read_rows(&world->cables, &world->bodies, step, &world->rows) || joints;
    note(world, report);
    if (!may_go_on(world) || !(step->geometricStiffness > 0.0))
        return false;
    bool met = !step->atRest && world->cables.meeting > 0 &&
               rv_cables_collide_again(&world->cables, &world->bodies, &world->shapes, step->h, world->info.passes);
    if (!changed && !met)
        return false;
    bool cables = rv_cables_changed(&world->cables, &world->bodies, step);
    rv_world_load(world, step, world->info.passes);
    return met || cables || rv_bodies_stiffness_changed(&world->bodies, step);
}

void rv_world_solve_passes(rvWorld* world, const rvStepContext* step)
{
    world->info.passes = world->info.pivots = 0;
    rv_world_load(world, step, 0); // tensions -> known forces, geometric stiffness: model->step->load
    for (bool again = true; again;) {
        predict(world, step);                // velocities, forces, stiffness -> free velocities, effective masses
        write_rows(world, step);             // joints, contacts, cables (model->step->write) -> rows
        rvSolveReport report = solve(world); // rows, free velocities -> impulses, velocities
        again = report.undone > 0 ? rv_cables_give_all_rows(&world->cables) // the pass again, no rows inside of cables
                                  : read_rows(world, step, &report);        // impulses -> tensions: model->step->read
    }
}

// ---- advance --------------------------------------------------------------------------------------------------------

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

rvStatus rv_world_advance(rvWorld* world, const rvStepContext* step)
{
    rv_bodies_collect_wrench(&world->bodies, step, &world->rows);
    rv_cables_collect_wrench(&world->cables, &world->bodies, step, &world->rows);
    world->state.work += outside_work(world, step->h);
    double fastest = rv_bodies_advance(&world->bodies, step); // velocities -> poses
    rv_guard_count(world, step);
    if (has_joints(world))
        rv_close_gaps(world, step, fastest);
    rv_cables_advance(&world->cables, &world->bodies, step); // routes, then model->step->end
    return rv_world_check_advanced(world, step->time);
}

// ---- publish --------------------------------------------------------------------------------------------------------

static void publish(rvWorld* world, const rvStepContext* step)
{
    if (world->cables.colliding > 0) // contacts of routes come and go
        rv_cables_collide(&world->cables, &world->bodies, &world->shapes, step);
    world->state.time += step->h;
    world->state.stepCount += 1;
    world->state.h = step->h;
    if (has_joints(world))
        rv_joints_publish(&world->joints, &world->bodies, step);
    rv_guard_finish(world, step);                          // energy that the method made -> taken out
    rv_world_publish(world, rv_world_has_contacts(world)); // events, figures
}

// ---- the step -------------------------------------------------------------------------------------------------------

rvStatus rv_world_finish(rvWorld* world, const rvStepContext* step)
{
    rvStatus status = rv_world_check_solution(world); // velocities finite and sane, residuals small
    if (status == RV_OK)
        status = rv_world_advance(world, step);
    if (status == RV_OK)
        publish(world, step);
    else
        rv_world_put_back(world, world->backup); // backup -> all state
    return status;
}

rvStatus rv_world_check_dt(rvWorld* world, double dt)
{
    const rvField fields[] = {{"dt", dt, RV_POSITIVE, "s"}};
    if (dt > 1.0)
        return rv_fail(&world->error, RV_BAD_INPUT, "step: dt: is %g s, must be at most 1", dt);
    return RV_CHECK_FIELDS(&world->error, "step: ", fields);
}

rvStatus rvWorld_Step(rvWorld* world, double dt)
{
    rvStatus status = rv_world_check_dt(world, dt);
    if (status != RV_OK)
        return status;
    rvStepContext step = rv_world_context(world, dt);
    world->cables.hosted = false;
    do { // again where a hold slips that it cannot be made with
        rv_world_begin(world, &step);
        rv_world_solve_passes(world, &step);
        status = rv_world_finish(world, &step);
    } while (status == RV_DIVERGED && rv_world_let_slip(world));
    return status;
}
