// SPDX-License-Identifier: MIT
// Events and quantities in words.
#include "output/event.h"

#include "support/json.h"

// "31.2 kN"
void rv_print_quantity(FILE* out, double value, const char* unit)
{
    static const struct {
        double factor;
        const char* prefix;
    } scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
    int i = 0;
    while (i < 6 && fabs(value) < 0.9999 * scales[i].factor)
        ++i;
    if (fabs(value) < 1e-9)
        fprintf(out, "0 %s", unit);
    else
        fprintf(out, "%.4g %s%s", value / scales[i].factor, scales[i].prefix, unit);
}

static const struct {
    const char *one, *many;
} names[RV_EVENT_TYPES] = {
    [RV_EVENT_SLACK] = {"slack", "slack"},
    [RV_EVENT_TAUT] = {"taut", "taut"},
    [RV_EVENT_BROKEN] = {"broken", "broken"},
    [RV_EVENT_CONTACT_BEGIN] = {"contact begun", "contacts begun"},
    [RV_EVENT_CONTACT_END] = {"contact ended", "contacts ended"},
    [RV_EVENT_LIMIT] = {"limit", "limits"},
    [RV_EVENT_WINCH_LIMIT] = {"winch slip", "winch slips"},
    [RV_EVENT_WINCH_STOP] = {"winch stop", "winch stops"},
    [RV_EVENT_CABLE_TOUCH] = {"cable met a shape", "cables met shapes"},
    [RV_EVENT_CABLE_LEAVE] = {"cable left a shape", "cables left shapes"},
    [RV_EVENT_REROUTED] = {"change of a route", "changes of routes"},
    [RV_EVENT_OVERLOAD] = {"overload", "overloads"},
    [RV_EVENT_FALLBACK] = {"unsettled bound", "unsettled bounds"},
    [RV_EVENT_CABLES_CROSS] = {"pair of cables crossed", "pairs of cables crossed"},
    [RV_EVENT_CABLES_PART] = {"pair of cables came apart", "pairs of cables came apart"},
    [RV_EVENT_MODEL] = {"change of a model", "changes of models"},
    [RV_EVENT_CABLE_STOP] = {"stop at a place", "stops at places"},
    [RV_EVENT_MISSED] = {"missed cable", "missed cables"},
    [RV_EVENT_SLIPPED] = {"hold that slipped", "holds that slipped"},
    [RV_EVENT_CONTACTS_FULL] = {"cable with more contacts than max_contacts",
                                "times that a cable had more contacts than max_contacts"},
    [RV_EVENT_RAN_OFF] = {"rope that ran off", "ropes that ran off"},
    [RV_EVENT_COARSE] = {"cable with too few elements", "cables with too few elements"},
};

const char* rv_event_name(rvEventType type, long count)
{
    return count == 1 ? names[type].one : names[type].many;
}

void rv_event_print(const rvEvent* event, const rvWorld* world, FILE* out)
{
    const char* cable = rvCable_GetName(world, event->cable);
    switch (event->type) {
    case RV_EVENT_SLACK:
        fprintf(out, "%s went slack", cable);
        break;
    case RV_EVENT_TAUT:
        fprintf(out, "%s came taut", cable);
        break;
    case RV_EVENT_BROKEN:
        fprintf(out, "%s broke at ", cable);
        rv_print_quantity(out, event->value, "N");
        break;
    case RV_EVENT_LIMIT:
        fprintf(out, "%s reached a limit", rvJoint_GetName(world, event->joint));
        break;
    case RV_EVENT_WINCH_LIMIT:
        fprintf(out, "the winch of %s slips at ", cable);
        rv_print_quantity(out, event->value, "N");
        break;
    case RV_EVENT_WINCH_STOP:
        fprintf(out, "the winch of %s stopped at %.4g m of rope", cable, event->value);
        break;
    case RV_EVENT_CABLE_TOUCH:
        fprintf(out, "%s met a shape", cable);
        break;
    case RV_EVENT_CABLE_LEAVE:
        fprintf(out, "%s left a shape", cable);
        break;
    case RV_EVENT_OVERLOAD:
        fprintf(out, "%s is overloaded: ", cable);
        rv_print_quantity(out, event->value, "N");
        break;
    case RV_EVENT_CABLES_CROSS:
        fprintf(out, "%s crosses %s", cable, rvCable_GetName(world, event->other));
        break;
    case RV_EVENT_CABLES_PART:
        fprintf(out, "%s and %s came apart", cable, rvCable_GetName(world, event->other));
        break;
    case RV_EVENT_REROUTED:
        fprintf(out, "%s was rerouted at place %d", cable, event->number);
        break;
    case RV_EVENT_MODEL:
        fprintf(out, "%s became %s", cable, rvCableModel_Name((rvCableModel)event->value));
        break;
    case RV_EVENT_CABLE_STOP:
        fprintf(out, "%s is stopped at place %d, with ", cable, event->number);
        rv_print_quantity(out, event->value, "N");
        break;
    case RV_EVENT_MISSED:
        if (event->place < 0) {
            fprintf(out, "%s was to let go of %s, but does not hold it",
                    RV_IS_NULL(event->body) ? "world" : rvBody_GetName(world, event->body), cable);
            break;
        }
        fprintf(out, "place %d cannot hold %s: it is away by ", event->number, cable);
        rv_print_quantity(out, event->value, "m");
        break;
    case RV_EVENT_SLIPPED:
        fprintf(out, "%s slipped off at place %d, held with ", cable, event->number);
        rv_print_quantity(out, event->value, "N");
        break;
    case RV_EVENT_CONTACTS_FULL:
        fprintf(out, "%s has no room for more than %.0f contacts (max_contacts) and sinks into what it lies on", cable,
                event->value);
        break;
    case RV_EVENT_RAN_OFF:
        fprintf(out, "%s ran off place %d", cable, event->number);
        break;
    case RV_EVENT_COARSE:
        fprintf(out, "%s has turns that are too tight for its elements: it needs %.0f", cable, event->value);
        break;
    case RV_EVENT_CONTACT_BEGIN:
    case RV_EVENT_CONTACT_END:
        fprintf(out, "%s %s %s", rvShape_GetName(world, event->shapes[0]),
                event->type == RV_EVENT_CONTACT_BEGIN ? "touches" : "parts from",
                rvShape_GetName(world, event->shapes[1]));
        break;
    default:
        fprintf(out, "the bounds of an island did not settle, residual %.3g", event->value);
        break;
    }
}

bool rv_event_text(const rvEvent* event, const rvWorld* world, char* text, size_t capacity)
{
    text[0] = '\0';
    FILE* out = fmemopen(text, capacity, "w");
    if (!out)
        return false;
    rv_event_print(event, world, out);
    fclose(out);
    return true;
}

void rv_notice_json(double time, const char* kind, const char* text, rvBytes* json)
{
    rv_json_open(json, NULL, '{');
    rv_json_number(json, "time", time);
    rv_json_text(json, "kind", kind);
    rv_json_text(json, "text", text);
    rv_json_close(json, '}');
}

void rv_event_json(const rvEvent* event, const rvWorld* world, rvBytes* json)
{
    char text[200];
    json->failed = !rv_event_text(event, world, text, sizeof text) || json->failed;
    rv_notice_json(event->time, rv_event_name(event->type, 1), text, json);
}
