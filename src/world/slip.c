// SPDX-License-Identifier: MIT
// A step that fails because a body is led on which holds a cable that cannot follow: the hold slips, and the step is
// made again. So is one that a cable wants to make in another way.
#include "world/world.h"

// Does the body hold the cable, or does the cable fail by itself?
static bool fails(const rvWorld* world, int index)
{
    const rvCable* cable = &world->cables.items[index];
    if (!rv_id_pool_alive(&world->cables.pool, index) || !cable->model->hold)
        return false;
    for (int k = 0; k < cable->route.placeCount; ++k)
        if (world->failedBody >= 0 && cable->route.places[k].body == world->failedBody)
            return true;
    return index == world->failedCable;
}

bool rv_world_let_slip(rvWorld* world)
{
    for (int i = 0; i < world->cables.pool.count; ++i) {
        double force;
        if (!fails(world, i))
            continue;
        rvCable* cable = &world->cables.items[i];
        int place = cable->model->hold->retry(cable, &world->bodies, &force);
        if (place == RV_SAME_HOLDS) {
            world->error = (rvError){0};
            return true;
        }
        if (place < 0)
            continue;
        rvEvent event = {.type = RV_EVENT_SLIPPED, .cable = rv_world_cable_id(world, i), .value = force};
        event.place = place;
        event.number = rvCable_GetPlaceNumber(world, event.cable, event.place);
        rv_world_tell(world, event);
        world->error = (rvError){0};
        return true;
    }
    return false;
}
