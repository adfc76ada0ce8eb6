// SPDX-License-Identifier: MIT
// What a step must not leave behind: velocities that are not finite or too large, rows that the solver missed, cables
// that are in no possible state. The error names the body, joint or cable.
#include "math/extreme.h"
#include "world/world.h"

// Of a row, relative to the speeds around. Where bounds did not settle (a heap that falls together) the solver's
// fallback keeps to the bounds and misses some rows: the step counts, and is told as an event with its residual, as
// long as what is missed is of the order of the speeds.
#define LARGEST_RESIDUAL 1e-3
#define LARGEST_FALLBACK_RESIDUAL 100.0

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
