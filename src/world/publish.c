// SPDX-License-Identifier: MIT
// What a step tells: events and figures.
#include "cable/route/winch.h"
#include "world/world.h"

void rv_world_tell(rvWorld* world, rvEvent event)
{
    // what the last step told has been read by now
    if (world->toldCount == 0)
        world->eventCount = 0;
    event.time = world->state.time;
    if (world->eventCount < world->def.maxEvents)
        world->events[world->eventCount++] = event;
    world->toldCount = world->eventCount;
}

static void add_event(rvWorld* world, rvEvent event)
{
    if (world->eventCount < world->def.maxEvents) {
        event.time = world->state.time;
        world->events[world->eventCount++] = event;
    }
}

rvEvent rv_world_break_event(const rvWorld* world, int cable)
{
    const rvCable* broken = &world->cables.items[cable];
    int span = rv_cable_tightest(broken), place = 0;
    while (place + 1 < broken->definedCount - 1 && rv_cable_index_of(broken, place + 1) <= span)
        place += 1;
    rvEvent event = {.type = RV_EVENT_BROKEN, .cable = rv_world_cable_id(world, cable), .place = place};
    event.number = rvCable_GetPlaceNumber(world, event.cable, place);
    event.value = rv_cable_published_tension(broken, &world->bodies, span, -1);
    return event;
}

static rvEvent run_off_event(const rvWorld* world, int cable)
{
    const rvCable* off = &world->cables.items[cable];
    int place = off->state.broken == RV_RAN_OFF ? 1 : off->definedCount - 2;
    rvEvent event = {.type = RV_EVENT_RAN_OFF, .cable = rv_world_cable_id(world, cable), .place = place};
    event.number = rvCable_GetPlaceNumber(world, event.cable, place);
    return event;
}

static void publish_cable(rvWorld* world, int index)
{
    rvCable* cable = &world->cables.items[index];
    rvCableState* s = &cable->state;
    rvEvent event = {.cable = rv_world_cable_id(world, index)};
    double tension = cable->peakTension;
    double taut = rv_cable_is_taut(cable) ? 1.0 : 0.0;
    if (s->broken != 0.0 && s->toldBroken == 0.0) {
        bool off = s->broken >= RV_RAN_OFF;
        rvEvent broken = off ? run_off_event(world, index) : rv_world_break_event(world, index);
        broken.value = off ? 0.0 : tension;
        rv_cable_drop_pull(cable);
        add_event(world, broken);
    } else if (taut != s->taut) {
        event.type = taut != 0.0 ? RV_EVENT_TAUT : RV_EVENT_SLACK;
        event.value = tension;
        add_event(world, event);
    }
    double over = taut != 0.0 && tension > cable->overload ? 1.0 : 0.0;
    if (over != 0.0 && s->toldOverload == 0.0) {
        event.type = RV_EVENT_OVERLOAD;
        event.value = tension;
        add_event(world, event);
    }
    s->toldOverload = over;
    // a winch that keeps a tension slips at it all the time
    const rvWinchSettings* winch = &cable->winch[cable->limitingWinch].settings;
    bool keeps = winch->control == RV_WINCH_TENSION && winch->brake == 0.0 && winch->target <= winch->maxForce;
    double slips = s->slipping != 0.0 && !keeps ? 1.0 : 0.0;
    if (slips != 0.0 && s->toldSlipping == 0.0) {
        event.type = RV_EVENT_WINCH_LIMIT;
        event.place = cable->limitingWinch == 0 ? 0 : cable->definedCount - 1;
        event.value = rv_winch_tension(cable, cable->limitingWinch);
        add_event(world, event);
    }
    for (int i = 0; i < 2; ++i) {
        if (cable->winch[i].state.stop != 0.0 && cable->winch[i].state.toldStop != cable->winch[i].state.stop) {
            event.type = RV_EVENT_WINCH_STOP;
            event.place = i == 0 ? 0 : cable->definedCount - 1;
            event.value = s->restLength;
            add_event(world, event);
        }
        cable->winch[i].state.toldStop = cable->winch[i].state.stop;
    }
    if (s->stopped != 0.0 && s->stopped != s->toldStopped) {
        event.type = RV_EVENT_CABLE_STOP;
        event.place = (int)s->stopped - 1;
        event.number = rvCable_GetPlaceNumber(world, event.cable, event.place);
        event.value = s->stopPull;
        add_event(world, event);
    }
    s->toldStopped = s->stopped;
    double full = cable->droppedContacts > 0 ? 1.0 : 0.0;
    if (full != 0.0 && s->toldFull == 0.0) {
        event.type = RV_EVENT_CONTACTS_FULL;
        event.place = event.number = 0;
        event.value = cable->def.maxContacts;
        add_event(world, event);
    }
    s->toldFull = full;
    double coarse = cable->needed > 0 ? 1.0 : 0.0;
    if (coarse != 0.0 && s->toldCoarse == 0.0) {
        event.type = RV_EVENT_COARSE;
        event.place = event.number = 0;
        event.value = cable->needed;
        add_event(world, event);
        s->toldCoarse = coarse; // once
    }
    if (cable->touched > 0)
        add_event(world, (rvEvent){.type = RV_EVENT_CABLE_TOUCH, .cable = event.cable, .value = cable->touched});
    if (cable->left > 0)
        add_event(world, (rvEvent){.type = RV_EVENT_CABLE_LEAVE, .cable = event.cable, .value = cable->left});
    s->taut = taut;
    s->toldBroken = s->broken;
    s->toldSlipping = slips;
}

static void publish_crossings(rvWorld* world)
{
    const rvCableStore* cables = &world->cables;
    for (int i = 0; i < cables->crossingChangeCount; ++i) {
        const rvCrossingChange* change = &cables->crossingChanges[i];
        add_event(world, (rvEvent){.type = change->began ? RV_EVENT_CABLES_CROSS : RV_EVENT_CABLES_PART,
                                   .cable = rv_world_cable_id(world, change->cable[0]),
                                   .other = rv_world_cable_id(world, change->cable[1])});
    }
}

static void publish_contacts(rvWorld* world)
{
    const rvContactChange* changes;
    int count = rv_contacts_changes(world->contacts, &changes);
    for (int i = 0; i < count; ++i) {
        rvEvent event = {.type = changes[i].began ? RV_EVENT_CONTACT_BEGIN : RV_EVENT_CONTACT_END};
        event.shapes[0] = rv_world_shape_id(world, changes[i].shapeA);
        event.shapes[1] = rv_world_shape_id(world, changes[i].shapeB);
        add_event(world, event);
    }
}

void rv_world_publish(rvWorld* world, bool contacts)
{
    world->eventCount = world->toldCount;
    world->toldCount = 0;
    for (int i = 0; i < world->cables.pool.count; ++i)
        if (rv_id_pool_alive(&world->cables.pool, i))
            publish_cable(world, i);
    if (world->cables.meeting > 0)
        publish_crossings(world);
    if (contacts)
        publish_contacts(world);
    if (world->info.fallbacks > 0)
        add_event(world, (rvEvent){.type = RV_EVENT_FALLBACK, .value = world->info.residual});
    world->info.contacts = contacts ? rv_contacts_count(world->contacts) : 0;
    world->info.dropped = contacts ? rv_contacts_dropped(world->contacts) : 0;
    for (int i = 0; world->joints.limitReached && i < world->joints.pool.count; ++i) {
        if (!rv_id_pool_alive(&world->joints.pool, i))
            continue;
        const rvJoint* joint = &world->joints.items[i];
        for (int axis = 0; axis < 2; ++axis)
            if (rv_joint_reached_limit(joint, axis))
                add_event(world,
                          (rvEvent){.type = RV_EVENT_LIMIT, .joint = rv_world_joint_id(world, i), .value = axis});
    }
}
