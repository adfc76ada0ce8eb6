// SPDX-License-Identifier: MIT
// The step of a host that solves the rows itself, cut in two: rvWorld_BeginStep ends with the rows of the cables,
// rvWorld_EndStep goes on with the impulses and velocities of the host.
#include "world/world.h"

// A host can solve only what moves its own bodies.
static rvStatus check_hosted(rvWorld* world)
{
    if (world->state.proxyLead > 0.0)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvWorld_BeginStep: rvWorld_SetHostSteps was called with a count that is not 1");
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
    rvStatus status = rv_world_check_dt(world, dt);
    if (status == RV_OK)
        status = check_hosted(world);
    if (status != RV_OK)
        return status;
    rvStepContext context = rv_world_context(world, dt);
    context.maxPasses = 1; // by the host
    world->cables.hosted = true;
    rv_world_begin(world, &context);
    rv_world_load(world, &context, 0);
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
    status = rv_world_finish(world, &context);
    if (status == RV_OK)
        keep_moved(world, moved, movedCount);
    return status;
}
