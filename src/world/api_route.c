// SPDX-License-Identifier: MIT
// The public calls that change the places of a cable, between steps.
#include "cable/route/grip.h"
#include "cable/taut/cable_contact.h"
#include "world/world.h"

// The cable and, where `def` is given, the body behind it, for a change at `place`.
static rvStatus find_change(rvWorld* world, rvCableId id, int place, int first, int last, const rvPlaceDef* def,
                            const char* call, int* index, int* body)
{
    rvCable* cable = rv_world_find_cable(world, id, call);
    if (!cable)
        return RV_BAD_ID;
    *index = (int)(cable - world->cables.items);
    int count = cable->definedCount;
    if (place < first || place > count - 1 - last)
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: cable '%s': place: is %d, must be %d to %d", call, cable->name,
                       place, first, count - 1 - last);
    if (def && !RV_IS_NULL(def->body)) {
        *body = rv_world_find_body(world, def->body, call);
        if (*body < 0)
            return RV_BAD_ID;
    }
    return RV_OK;
}

// A change, as it began.
typedef struct {
    int index, place;
    int number;     // that the place keeps, or NOW: of the one that is there after it
    double tension; // there [N]
    double books;   // of the cable [J]
    double moved;   // how far an end was carried [m]
    bool kept;      // its contacts stay
} Change;
enum { NOW = -2 };

// Contacts go while places change, unless they are kept: they come back after it. `span`: whose tension is told.
static Change begin_change(rvWorld* world, int index, int place, int span, bool kept)
{
    Change change = {.index = index, .place = place, .number = NOW, .kept = kept};
    change.books = rv_world_cable_books(world, index);
    rvCable* cable = &world->cables.items[index];
    if (!kept)
        rv_cable_strip_contacts(cable, &world->bodies, world->cables.spare);
    change.tension = rv_cable_tension(cable, span < cable->route.spanCount ? span : span - 1);
    return change;
}

// Is an end of a rope of falls attached where it is? Then it goes on as it lies. (Without its contacts two falls over a
// drum were one for a moment, with the rope on the drum as an element of it: 700 J of a rope of 20 N.)
static bool stays_there(const rvWorld* world, const rvCable* cable, bool end, rvVec3 from, const rvPlaceDef* def,
                        int body)
{
    rvVec3 to = def->point;
    if (body >= 0)
        to = rvPosePoint((rvPose){world->bodies.items[body].state.x, world->bodies.items[body].state.q},
                         rvSub(to, world->bodies.items[body].center));
    return end && def->type == RV_PLACE_ATTACH && rv_cable_has(cable, RV_MEETS_BY_CURVE) && cable->collides &&
           cable->state.broken == 0.0 && rvDistance(from, to) <= 0.5 * cable->diameter;
}

static int number_of(const rvWorld* world, int index, int place)
{
    return rvCable_GetPlaceNumber(world, rv_world_cable_id(world, index), place);
}

// Rope that sags off its chord and whose end is carried elsewhere hangs anew: its old curve on the new chord would be
// metres too long or too short, and pull as if it were stretched by that. Elements begin on what they meet.
static rvStatus hang_anew(rvWorld* world, int index, double moved)
{
    const double ELSEWHERE = 0.01; // of its length
    rvCable* cable = &world->cables.items[index];
    if (cable->hangsAnew)
        return rv_world_hang_cable(world, index, false);
    if (rv_cable_has(cable, RV_SEGMENTS) && moved > ELSEWHERE * cable->state.restLength)
        rv_cable_hang(cable, &world->bodies, world->state.gravity, false);
    return RV_OK;
}

// After a change: room for the new rows, the books, and an event.
static rvStatus finish_change(rvWorld* world, rvStatus status, Change change)
{
    if (status == RV_OK)
        status = rv_world_reserve(world);
    if (!change.kept)
        rv_cable_begin_contacts(&world->cables, change.index, &world->bodies, &world->shapes);
    if (status == RV_OK)
        status = hang_anew(world, change.index, change.moved);
    rvCable* cable = &world->cables.items[change.index];
    rvEvent event = {.type = RV_EVENT_REROUTED, .cable = rv_world_cable_id(world, change.index), .place = change.place};
    event.number = change.number == NOW ? number_of(world, change.index, change.place) : change.number;
    event.value = change.tension;
    if (status == RV_MISSED) {
        event.type = RV_EVENT_MISSED;
        event.value = cable->tooFar;
    }
    if (status == RV_OK) {
        rv_cable_follow(cable, &world->bodies, (rvChange){.kind = RV_CHANGE_RESTART});
        rv_world_book_change(world, change.index, change.books);
    }
    if (status == RV_OK || status == RV_MISSED)
        rv_world_tell(world, event);
    return status;
}

// Of a place that comes or changes. What a model attaches between the ends is checked as an end is: it is no eye.
static rvStatus check_def(rvWorld* world, int index, int place, bool end, const rvPlaceDef* def, const char* call)
{
    const rvCable* cable = &world->cables.items[index];
    if (!def)
        return rv_fail(&world->error, RV_BAD_INPUT, "%s: cable '%s': def: is NULL", call, cable->name);
    bool attached = cable->model->hold && def->type == RV_PLACE_ATTACH;
    return rv_cable_check_place(&world->error, cable->name, place, end || attached, def, cable->diameter);
}

rvStatus rvCable_SetPlace(rvWorld* world, rvCableId id, int place, const rvPlaceDef* def)
{
    int index, body = -1;
    rvStatus status = find_change(world, id, place, 0, 0, def, "rvCable_SetPlace", &index, &body);
    if (status != RV_OK)
        return status;
    bool end = place == 0 || place == world->cables.items[index].definedCount - 1;
    status = check_def(world, index, place, end, def, "rvCable_SetPlace");
    if (status != RV_OK)
        return status;
    rvVec3 from = rvCable_GetPlacePoint(world, id, place);
    const rvCable* cable = &world->cables.items[index];
    bool kept = stays_there(world, cable, end, from, def, body);
    Change change = begin_change(world, index, place, place, kept);
    int at = kept && place > 0 ? cable->route.spanCount : place;
    status = rv_cable_set_place(&world->cables, index, &world->bodies, &world->memory, &world->error, at, def, body);
    change.moved = rvDistance(from, rvCable_GetPlacePoint(world, id, place));
    return finish_change(world, status, change);
}

rvStatus rvCable_InsertPlace(rvWorld* world, rvCableId id, int place, const rvPlaceDef* def)
{
    int index, body = -1;
    rvStatus status = find_change(world, id, place, 1, 0, def, "rvCable_InsertPlace", &index, &body);
    if (status == RV_OK)
        status = check_def(world, index, place, false, def, "rvCable_InsertPlace");
    if (status != RV_OK)
        return status;
    Change change = begin_change(world, index, place, place - 1, false);
    status =
        rv_cable_insert_place(&world->cables, index, &world->bodies, &world->memory, &world->error, place, def, body);
    change.number = status == RV_OK ? NOW : -1;
    return finish_change(world, status, change);
}

rvStatus rvCable_RemovePlace(rvWorld* world, rvCableId id, int place)
{
    int index, body = -1;
    rvStatus status = find_change(world, id, place, 1, 1, NULL, "rvCable_RemovePlace", &index, &body);
    if (status != RV_OK)
        return status;
    int number = number_of(world, index, place);
    Change change = begin_change(world, index, place, place, false);
    change.number = number;
    status = rv_cable_remove_place(&world->cables, index, &world->bodies, &world->memory, &world->error, place);
    return finish_change(world, status, change);
}

// Where along its rope a place is attached [m].
static double along_of(const rvCable* cable, int place)
{
    return rv_cable_rest_before(cable, rv_cable_index_of(cable, place));
}

rvStatus rvCable_Grasp(rvWorld* world, rvCableId id, double at, rvBodyId body, bool clamped, int* place)
{
    const double SAME = 1e-6; // of the length: it is a place that is there
    const rvCable* cable = rv_world_find_cable(world, id, "rvCable_Grasp");
    if (!cable || (!RV_IS_NULL(body) && rv_world_find_body(world, body, "rvCable_Grasp") < 0))
        return RV_BAD_ID;
    double length = cable->state.restLength;
    if (!cable->model->hold || cable->state.broken != 0.0)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_Grasp: cable '%s': %s", cable->name,
                       cable->state.broken != 0.0 ? "is broken" : "only one of model curve can be taken hold of");
    if (!(at >= 0.0 && at <= length * (1.0 + SAME))) // lengths that were added up are off by round-off
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_Grasp: cable '%s': at: is %g m, must be 0 to %g",
                       cable->name, at, length);
    rvCableSection section;
    at = fmin(at, length);
    rvCable_GetSection(world, id, at, &section);
    rvPose pose = RV_IS_NULL(body) ? rvPoseIdentity() : rvBody_GetPose(world, body);
    rvPlaceDef def = rvAttachPlace(body, rvRotateBack(pose.q, rvSub(section.point, pose.p)));
    def.clamped = clamped;
    def.direction = rvRotateBack(pose.q, section.tangent);
    int i = 0;
    while (i < cable->definedCount - 1 && along_of(cable, i) < at - SAME * length)
        i += 1;
    if (place)
        *place = i;
    return along_of(cable, i) <= at + SAME * length ? rvCable_SetPlace(world, id, i, &def)
                                                    : rvCable_InsertPlace(world, id, i, &def);
}

rvStatus rvCable_LetGo(rvWorld* world, rvCableId id, int place)
{
    const rvCable* cable = rv_world_find_cable(world, id, "rvCable_LetGo");
    if (!cable)
        return RV_BAD_ID;
    if (!cable->model->hold)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_LetGo: cable '%s': places of model %s always hold",
                       cable->name, cable->model->name);
    if (place < 0 || place >= cable->definedCount)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_LetGo: cable '%s': place: is %d, must be 0 to %d",
                       cable->name, place, cable->definedCount - 1);
    if (place > 0 && place < cable->definedCount - 1)
        return rvCable_RemovePlace(world, id, place);
    rvPlaceDef loose = rvFreePlace(rvCable_GetPlacePoint(world, id, place));
    return rvCable_SetPlace(world, id, place, &loose);
}

rvStatus rvCable_LetGoOf(rvWorld* world, rvCableId id, rvBodyId body)
{
    const rvCable* cable = rv_world_find_cable(world, id, "rvCable_LetGoOf");
    if (!cable || (!RV_IS_NULL(body) && rv_world_find_body(world, body, "rvCable_LetGoOf") < 0))
        return RV_BAD_ID;
    rvStatus status = RV_OK;
    int count = 0;
    for (int i = cable->definedCount - 1; i >= 0 && status == RV_OK; --i) {
        rvBodyId by = rvCable_GetPlaceBody(world, id, i);
        if (!rvCable_IsHeld(world, id, i) || by.index1 != body.index1 || by.generation != body.generation)
            continue;
        status = rvCable_LetGo(world, id, i);
        count += 1;
    }
    if (status != RV_OK || count > 0)
        return status;
    rv_world_tell(world, (rvEvent){.type = RV_EVENT_MISSED, .cable = id, .place = -1, .number = -1, .body = body});
    return rv_fail(&world->error, RV_MISSED, "rvCable_LetGoOf: cable '%s': is not held by '%s'", cable->name,
                   RV_IS_NULL(body) ? "world" : rvBody_GetName(world, body));
}

rvStatus rvCable_Splice(rvWorld* world, rvCableId id, rvCableId other)
{
    rvCable* a = rv_world_find_cable(world, id, "rvCable_Splice");
    rvCable* b = a ? rv_world_find_cable(world, other, "rvCable_Splice: other") : NULL;
    if (!a || !b)
        return RV_BAD_ID;
    if (a == b)
        return rv_fail(&world->error, RV_BAD_INPUT, "rvCable_Splice: cable '%s': cannot be spliced to itself", a->name);
    if (a->axialStiffness != b->axialStiffness || a->model != b->model)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvCable_Splice: cables '%s' and '%s' differ: axial stiffness %g and %g N", a->name, b->name,
                       a->axialStiffness, b->axialStiffness);
    if (a->state.broken != 0.0 || b->state.broken != 0.0 || a->winch[1].exists || b->winch[0].exists)
        return rv_fail(&world->error, RV_BAD_INPUT,
                       "rvCable_Splice: cables '%s' and '%s': broken cables and ends on a winch cannot be spliced",
                       a->name, b->name);
    int last = (int)(b - world->cables.items);
    int place = a->definedCount - 1;
    Change change = begin_change(world, (int)(a - world->cables.items), place, place, false);
    Change joined = begin_change(world, last, 0, 0, false);
    change.books += joined.books;
    change.tension = fmax(change.tension, joined.tension);
    rvStatus status =
        rv_cable_splice(&world->cables, change.index, last, &world->bodies, &world->memory, &world->error);
    if (status == RV_OK) {
        rv_cable_destroy(&world->cables, &world->memory, last);
        world->begun = 0.0;
    } else {
        rv_cable_begin_contacts(&world->cables, last, &world->bodies, &world->shapes);
    }
    return finish_change(world, status, change);
}
