// SPDX-License-Identifier: MIT
// What a run has to say at its end.
#include "summary.h"

#include <stdlib.h>
#include <string.h>

bool rv_summary_start(rvSummary* summary, const rvScene* scene)
{
    memset(summary, 0, sizeof *summary);
    summary->cableCount = rvScene_GetCableCount(scene);
    summary->peaks = calloc((size_t)summary->cableCount + 1, sizeof *summary->peaks);
    return summary->peaks != NULL;
}

void rv_summary_release(rvSummary* summary)
{
    free(summary->peaks);
    free(summary->stepEvents);
}

static void note_tension(rvPeak* peak, double tension, double time)
{
    if (tension > peak->tension)
        *peak = (rvPeak){.tension = tension, .time = time};
}

// The events of the last step into stepEvents; without memory as many as fit.
static int read_events(rvSummary* summary, const rvWorld* world)
{
    int count = rvWorld_GetEvents(world, NULL, 0);
    if (count > summary->stepCapacity) {
        rvEvent* larger = realloc(summary->stepEvents, (size_t)count * sizeof *larger);
        if (larger) {
            summary->stepEvents = larger;
            summary->stepCapacity = count;
        }
    }
    rvWorld_GetEvents(world, summary->stepEvents, summary->stepCapacity);
    return count < summary->stepCapacity ? count : summary->stepCapacity;
}

void rv_summary_note(rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    rvStepInfo info = rvWorld_GetStepInfo(world);
    summary->steps++;
    summary->worstGap = fmax(summary->worstGap, info.worstGap);
    for (int i = 0; i < summary->cableCount; ++i) {
        rvCableId cable = rvScene_GetCable(scene, i);
        int spans = rvCable_GetPlaceCount(world, cable) - 1;
        for (int span = 0; span < spans; ++span)
            note_tension(&summary->peaks[i], rvCable_GetTension(world, cable, span), info.time);
    }
    int count = read_events(summary, world);
    const rvEvent* events = summary->stepEvents;
    for (int i = 0; i < count; ++i) {
        bool contact = events[i].type == RV_EVENT_CONTACT_BEGIN || events[i].type == RV_EVENT_CONTACT_END;
        summary->eventCounts[events[i].type]++;
        // a cable that broke carries nothing after the step; the event knows what it carried
        for (int k = 0; events[i].type == RV_EVENT_BROKEN && k < summary->cableCount; ++k)
            if (RV_ID_EQUALS(rvScene_GetCable(scene, k), events[i].cable))
                note_tension(&summary->peaks[k], events[i].value, info.time);
        if (!contact && summary->eventCount < RV_EVENTS_KEPT)
            summary->events[summary->eventCount++] = events[i];
    }
}

// "31.2 kN"
static void print_quantity(FILE* out, double value, const char* unit)
{
    static const struct {
        double factor;
        const char* prefix;
    } scales[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}};
    int i = 0;
    while (i < 4 && fabs(value) < 0.9999 * scales[i].factor)
        ++i;
    if (fabs(value) < 1e-6)
        fprintf(out, "0 %s", unit);
    else
        fprintf(out, "%.4g %s%s", value / scales[i].factor, scales[i].prefix, unit);
}

static void print_event(const rvEvent* event, const rvWorld* world, FILE* out)
{
    const char* cable = rvCable_GetName(world, event->cable);
    fprintf(out, "  %9.3f s   ", event->time);
    switch (event->type) {
    case RV_EVENT_SLACK:
        fprintf(out, "%s went slack\n", cable);
        break;
    case RV_EVENT_TAUT:
        fprintf(out, "%s came taut\n", cable);
        break;
    case RV_EVENT_BROKEN:
        fprintf(out, "%s broke at ", cable);
        print_quantity(out, event->value, "N");
        fputc('\n', out);
        break;
    case RV_EVENT_LIMIT:
        fprintf(out, "%s reached a limit\n", rvJoint_GetName(world, event->joint));
        break;
    case RV_EVENT_WINCH_LIMIT:
        fprintf(out, "the winch of %s slips at ", cable);
        print_quantity(out, event->value, "N");
        fputc('\n', out);
        break;
    case RV_EVENT_WINCH_STOP:
        fprintf(out, "the winch of %s stopped at %.4g m of rope\n", cable, event->value);
        break;
    case RV_EVENT_CABLE_TOUCH:
        fprintf(out, "%s met a shape\n", cable);
        break;
    case RV_EVENT_CABLE_LEAVE:
        fprintf(out, "%s left a shape\n", cable);
        break;
    case RV_EVENT_OVERLOAD:
        fprintf(out, "%s is overloaded: ", cable);
        print_quantity(out, event->value, "N");
        fputc('\n', out);
        break;
    case RV_EVENT_REROUTED:
        fprintf(out, "%s was rerouted at place %d\n", cable, event->place);
        break;
    default:
        fprintf(out, "the bounds of an island did not settle, residual %.3g\n", event->value);
        break;
    }
}

static void print_events(const rvSummary* summary, const rvWorld* world, FILE* out)
{
    static const char* const names[RV_EVENT_TYPES] = {[RV_EVENT_SLACK] = "slack",
                                                      [RV_EVENT_TAUT] = "taut",
                                                      [RV_EVENT_BROKEN] = "broken",
                                                      [RV_EVENT_CONTACT_BEGIN] = "contacts begun",
                                                      [RV_EVENT_CONTACT_END] = "contacts ended",
                                                      [RV_EVENT_LIMIT] = "limits",
                                                      [RV_EVENT_WINCH_LIMIT] = "winch slips",
                                                      [RV_EVENT_WINCH_STOP] = "winch stops",
                                                      [RV_EVENT_CABLE_TOUCH] = "cables met shapes",
                                                      [RV_EVENT_CABLE_LEAVE] = "cables left shapes",
                                                      [RV_EVENT_REROUTED] = "changes of routes",
                                                      [RV_EVENT_OVERLOAD] = "overloads",
                                                      [RV_EVENT_FALLBACK] = "unsettled bounds"};
    const char* between = "events         ";
    long all = 0;
    for (int i = 0; i < RV_EVENT_TYPES; ++i) {
        all += summary->eventCounts[i];
        if (summary->eventCounts[i] == 0)
            continue;
        fprintf(out, "%s%ld %s", between, summary->eventCounts[i], names[i]);
        between = ", ";
    }
    fputs(all ? "\n" : "events         none\n", out);
    for (int i = 0; i < summary->eventCount; ++i)
        print_event(&summary->events[i], world, out);
    if (summary->eventCount == RV_EVENTS_KEPT)
        fprintf(out, "  (the first %d that are no contacts)\n", RV_EVENTS_KEPT);
}

// How the run began, where the scene asks for rest.
static void print_settled(const rvScene* scene, const rvWorld* world, FILE* out)
{
    rvSettleReport report;
    if (!rvScene_GetSettled(scene, &report))
        return;
    if (report.settled) {
        fprintf(out, "at rest        after %d solves, %.2g of its load unbalanced on a body\n", report.iterations,
                report.unbalance);
        return;
    }
    fprintf(out, "not at rest    after %d solves: ", report.iterations);
    print_quantity(out, report.force, "N");
    fprintf(out, " (%.2g of its load) unbalanced on %s", report.unbalance, rvBody_GetName(world, report.body));
    if (!RV_IS_NULL(report.cable))
        fprintf(out, ", which %s pulls", rvCable_GetName(world, report.cable));
    if (!RV_IS_NULL(report.joint))
        fprintf(out, "; %s is open by %.2g m or rad", rvJoint_GetName(world, report.joint), report.gap);
    fprintf(out, report.held ? "; left where they are: %d\n" : "\n", report.held);
}

void rv_summary_print(const rvSummary* summary, const rvScene* scene, const rvWorld* world, FILE* out)
{
    const char* title = rvScene_GetTitle(scene);
    double simulated = (double)summary->steps * summary->step;
    if (*title)
        fprintf(out, "%s\n", title);
    fprintf(out, "simulated      %.6g s in %llu steps of %.4g ms\n", simulated, (unsigned long long)summary->steps,
            1e3 * summary->step);
    print_settled(scene, world, out);
    fprintf(out, "wall time      %.3g s, %.3g times real time\n", summary->wallTime,
            summary->wallTime > 0.0 ? simulated / summary->wallTime : 0.0);
    for (int i = 0; i < summary->cableCount; ++i) {
        fputs(i ? "               " : "peak tension   ", out);
        fprintf(out, "%-12s ", rvScene_GetCableName(scene, i));
        print_quantity(out, summary->peaks[i].tension, "N");
        fprintf(out, " at %.4g s\n", summary->peaks[i].time);
    }
    rvEnergy energy = rvWorld_GetEnergy(world);
    fputs("energy         kinetic ", out);
    print_quantity(out, energy.kinetic, "J");
    fputs(", potential ", out);
    print_quantity(out, energy.potential, "J");
    fputs(", elastic ", out);
    print_quantity(out, energy.elastic, "J");
    fputs(", work of drives ", out);
    print_quantity(out, energy.work, "J");
    fprintf(out, "\nworst gap      %.3g m in a joint\n", summary->worstGap);
    print_events(summary, world, out);
}
