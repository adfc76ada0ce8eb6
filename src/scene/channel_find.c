// SPDX-License-Identifier: MIT
// Names of channels. A name is object.quantity[index].component, where index and component may be left out; of what a
// cable carries at a length along it object.quantity@length.component.
#include "scene/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* rv_channel_component(const rvChannel* channel, int component)
{
    static const char* const names[] = {"w", "x", "y", "z"};
    return names[component + (channel->width == 3)];
}

int rv_channel_columns(const rvChannelRef* ref)
{
    return ref->component >= 0 ? 1 : ref->channel->width;
}

static const rvChannel* find_quantity(rvNamedKind kind, const char* name, size_t length, bool command)
{
    for (int i = 0; i < rvChannelCount; ++i) {
        const rvChannel* c = &rvChannels[i];
        if (c->kind == kind && strlen(c->name) == length && memcmp(c->name, name, length) == 0 &&
            (command ? c->set != NULL : c->get != NULL))
            return c;
    }
    return NULL;
}

static bool unknown_quantity(rvNamedKind kind, const char* name, bool command, char* why, size_t capacity)
{
    const char* names[64] = {0};
    int count = 0;
    for (int i = 0; i < rvChannelCount && count < 63; ++i)
        if (rvChannels[i].kind == kind && (command ? rvChannels[i].set != NULL : rvChannels[i].get != NULL))
            names[count++] = rvChannels[i].name;
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%.*s", (int)strcspn(name, kind == RV_NAMED_WORLD ? "[" : ".[@"), name);
    if (quantity[0] == 0) {
        snprintf(why, capacity, "names no quantity, expected one after a dot, such as \".%s\"", names[0]);
        return false;
    }
    const char* nearest = rv_suggest(quantity, names);
    rvText out = {why, capacity, 0};
    rv_text_add(&out, "\"%s\" cannot be %s here", quantity, command ? "driven" : "written out");
    if (nearest)
        rv_text_add(&out, ", did you mean \"%s\"?", nearest);
    const size_t most = 220; // letters of a message, which has a place and a name before this
    int told = 0;
    for (; told < count && !nearest && out.length < most; ++told)
        rv_text_add(&out, "%s%s", told ? ", " : ", expected one of ", names[told]);
    if (told > 0 && told < count)
        rv_text_add(&out, ", ... (docs/scene.md)");
    return false;
}

// The index in brackets, or without one the first winch or sheave for a channel of theirs, or the first place.
static bool find_place(const rvScene* scene, rvChannelRef* ref, const char** rest, char* why, size_t capacity)
{
    ref->place = -1;
    const rvChannel* channel = ref->channel;
    if (channel->index == RV_INDEX_NONE)
        return true;
    const rvSceneCable* cable = rv_scene_cable(scene, ref->object); // only theirs are counted
    if (**rest == '[') {
        char* end;
        long place = strtol(*rest + 1, &end, 10);
        int count = channel->index == RV_INDEX_SPAN ? cable->route.count - 1 : cable->route.count;
        if (*end != ']' || end == *rest + 1 || place < 0 || place >= count) {
            const char* what = channel->index == RV_INDEX_SPAN ? "span" : "place";
            if (count < 1)
                snprintf(why, capacity, "the cable has no %s", what);
            else
                snprintf(why, capacity, "expected a number of 0 to %d in brackets, it has %d %s%s", count - 1, count,
                         what, count == 1 ? "" : "s");
            return false;
        }
        ref->place = (int)place;
        *rest = end + 1;
    }
    if (channel->index == RV_INDEX_PLACE && ref->place < 0)
        ref->place = 0;
    if (channel->index == RV_INDEX_SPAN || channel->index == RV_INDEX_PLACE)
        return true;
    static const struct {
        rvPlaceType type;
        const char* name;
    } kinds[] = {[RV_INDEX_WINCH] = {RV_PLACE_WINCH, "winch"},
                 [RV_INDEX_SHEAVE] = {RV_PLACE_SHEAVE, "sheave"},
                 [RV_INDEX_ATTACH] = {RV_PLACE_ATTACH, "attached place"}};
    rvPlaceType wanted = kinds[channel->index].type;
    for (int i = 0; ref->place < 0 && i < cable->route.count; ++i)
        if (rv_scene_place(cable, i)->def.type == wanted)
            ref->place = i;
    if (ref->place >= 0 && rv_scene_place(cable, ref->place)->def.type == wanted)
        return true;
    snprintf(why, capacity, "there is no %s %s \"%.60s\"", kinds[channel->index].name,
             ref->place >= 0 ? "at that place of" : "on the route of", cable->head.name);
    return false;
}

static bool pays_out(const rvScene* scene, const rvChannelRef* ref)
{
    const rvSceneCable* cable = rv_scene_cable(scene, ref->object);
    bool winch = false;
    for (int i = 0; i < cable->route.count; ++i)
        winch = winch || rv_scene_place(cable, i)->def.type == RV_PLACE_WINCH;
    return winch;
}

static void say_range(char* why, size_t capacity, double length)
{
    char most[40] = "";
    if (length > 0.0)
        snprintf(most, sizeof most, ", at most its %g m", length);
    snprintf(why, capacity, "expected a length along the cable after the @ [m], >= 0%s", most);
}

bool rv_channel_reaches(const rvScene* scene, const rvWorld* world, const rvChannelRef* ref, char* why, size_t capacity)
{
    if (ref->at < 0.0 || pays_out(scene, ref))
        return true;
    rvCableSection section;
    if (rvCable_GetSection(world, rv_scene_cable(scene, ref->object)->id, ref->at, &section))
        return true;
    say_range(why, capacity, rvCable_GetRestLength(world, rv_scene_cable(scene, ref->object)->id));
    return false;
}

// The length along a cable after an @. Those that a winch has still to pay out may be named.
static bool find_along(const rvScene* scene, rvChannelRef* ref, const char** rest, char* why, size_t capacity)
{
    ref->at = -1.0;
    rvAlong along = ref->channel->along;
    if (**rest != '@') {
        if (along == RV_ALONG_MUST)
            snprintf(why, capacity, "needs a length along the cable, such as \"%s@0.5\" [m]", ref->channel->name);
        return along != RV_ALONG_MUST;
    }
    if (along == RV_ALONG_NONE || ref->place >= 0) {
        snprintf(why, capacity, "\"%s\" takes no length along the cable%s", ref->channel->name,
                 along != RV_ALONG_NONE ? " beside a number in brackets" : "");
        return false;
    }
    char* end;
    double at = strtod(*rest + 1, &end), length = rv_scene_cable(scene, ref->object)->def.length;
    bool bounded = length > 0.0 && !pays_out(scene, ref), plain = strcspn(*rest, "xX") >= (size_t)(end - *rest);
    if (end > *rest + 1 && end[-1] == '.') // "@2.x": of a component
        end -= 1;
    if (end == *rest + 1 || !plain || !(at >= 0.0 && isfinite(at)) || (bounded && at > length)) {
        say_range(why, capacity, bounded ? length : 0.0);
        return false;
    }
    ref->at = at;
    *rest = end;
    return true;
}

static bool find_component(rvChannelRef* ref, const char* rest, bool command, char* why, size_t capacity)
{
    ref->component = -1;
    for (int i = 0; *rest == '.' && !command && ref->channel->width > 1 && i < ref->channel->width; ++i) {
        if (strcmp(rest + 1, rv_channel_component(ref->channel, i)) == 0) {
            ref->component = i;
            return true;
        }
    }
    if (command && *rest == '.' && ref->channel->width > 1)
        snprintf(why, capacity, "\"%.40s\" is driven as a whole, by %d numbers: [[time, [...]], ...]",
                 ref->channel->name, ref->channel->width);
    else if (*rest)
        snprintf(why, capacity, "\"%.40s\" has no part \"%.40s\"", ref->channel->name, rest);
    return !*rest;
}

static bool check_object(const rvScene* scene, const rvChannelRef* ref, bool command, char* why, size_t capacity)
{
    if (ref->channel->kind == RV_NAMED_JOINT && ref->channel->slot >= 0 &&
        rv_joint_axis(rv_scene_joint(scene, ref->object)->def.type, ref->channel->slot) < 0) {
        snprintf(why, capacity, "this type of joint has no \"%s\"", ref->channel->name);
        return false;
    }
    if (!command || ref->channel->kind != RV_NAMED_BODY)
        return true;
    bool pose = rv_channel_sets_pose(ref->channel);
    rvBodyType type = rv_scene_body(scene, ref->object)->def.type;
    if (type == (pose ? RV_BODY_KINEMATIC : RV_BODY_DYNAMIC))
        return true;
    snprintf(why, capacity, pose ? "only a kinematic body can be moved" : "only a dynamic body can be pushed");
    return false;
}

// Only places of a curve let go: of a cable that is one, or that an event may make one.
static bool check_model(const rvScene* scene, const rvChannelRef* ref, char* why, size_t capacity)
{
    const rvSceneCable* cable = rv_scene_cable(scene, ref->object);
    bool curve = cable->def.model == RV_CABLE_CURVE;
    for (int i = 0; !curve && i < scene->root.events.count; ++i) {
        const rvSceneEvent* event = (const rvSceneEvent*)scene->root.events.items + i;
        curve = *event->changed && event->model == RV_CABLE_CURVE && strcmp(event->changed, cable->head.name) == 0;
    }
    if (!curve)
        snprintf(why, capacity, "places of model %s always hold, only those of model curve let go",
                 rvCableModel_Name(cable->def.model));
    return curve;
}

// Only a wheel with a motor can be driven, only a curve let go.
static bool check_drive(const rvScene* scene, const rvChannelRef* ref, bool command, char* why, size_t capacity)
{
    if (command && ref->channel->index == RV_INDEX_ATTACH)
        return check_model(scene, ref, why, capacity);
    if (!command || ref->channel->index != RV_INDEX_SHEAVE)
        return true;
    const rvScenePlace* place = rv_scene_place(rv_scene_cable(scene, ref->object), ref->place);
    if (!(place->def.wheel.driveTorque > 0.0))
        snprintf(why, capacity, "that sheave has no motor: give it `drive_torque`");
    return place->def.wheel.driveTorque > 0.0;
}

bool rv_channel_find(const rvScene* scene, const char* name, bool command, rvChannelRef* ref, char* why,
                     size_t capacity)
{
    size_t length = strcspn(name, ".[");
    char object[64];
    snprintf(object, sizeof object, "%.*s", (int)(length < sizeof object ? length : 0), name);
    const rvNamed* named = rv_name_find(&scene->names, object);
    bool world = strcmp(object, "energy") == 0 || strcmp(object, "solver") == 0;
    if (!named && !world) {
        const char* nearest = rv_name_suggest(&scene->names, object, -1);
        snprintf(why, capacity, "there is nothing called \"%s\"%s%s%s", object, nearest ? ", did you mean \"" : "",
                 nearest ? nearest : "", nearest ? "\"?" : "");
        return false;
    }
    rvNamedKind kind = named ? named->kind : RV_NAMED_WORLD;
    const char* quantity = world ? name : name + length + (name[length] == '.');
    size_t quantityLength = world ? strcspn(name, "[") : strcspn(quantity, ".[@");
    ref->channel = find_quantity(kind, quantity, quantityLength, command);
    ref->object = named ? named->index : 0;
    if (!ref->channel)
        return unknown_quantity(kind, quantity, command, why, capacity);
    const char* rest = quantity + quantityLength;
    return check_object(scene, ref, command, why, capacity) && find_place(scene, ref, &rest, why, capacity) &&
           find_along(scene, ref, &rest, why, capacity) && check_drive(scene, ref, command, why, capacity) &&
           find_component(ref, rest, command, why, capacity);
}
