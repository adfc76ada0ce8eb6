// SPDX-License-Identifier: MIT
// What a run has to say at its end.
#include "output/summary.h"

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

// The events of the last step into stepEvents; answers their number, -1 without memory.
static int read_events(rvSummary* summary, const rvWorld* world)
{
    int count = rvWorld_GetEvents(world, NULL, 0);
    if (count > summary->stepCapacity) {
        rvEvent* larger = realloc(summary->stepEvents, (size_t)count * sizeof *larger);
        if (!larger)
            return -1;
        summary->stepEvents = larger;
        summary->stepCapacity = count;
    }
    rvWorld_GetEvents(world, summary->stepEvents, summary->stepCapacity);
    return count;
}

bool rv_summary_note(rvSummary* summary, const rvScene* scene, const rvWorld* world)
{
    rvStepInfo info = rvWorld_GetStepInfo(world);
    summary->steps++;
    summary->worstGap = fmax(summary->worstGap, info.worstGap);
    for (int i = 0; i < summary->cableCount; ++i) {
        rvCableId cable = rvScene_GetCable(scene, i);
        note_tension(&summary->peaks[i], rvCable_GetLargestTension(world, cable), info.time);
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
    return count >= 0;
}

static void print_events(const rvSummary* summary, const rvWorld* world, FILE* out)
{
    const char* between = "events         ";
    long all = 0;
    for (int i = 0; i < RV_EVENT_TYPES; ++i) {
        all += summary->eventCounts[i];
        if (summary->eventCounts[i] == 0)
            continue;
        fprintf(out, "%s%ld %s", between, summary->eventCounts[i],
                rv_event_name((rvEventType)i, summary->eventCounts[i]));
        between = ", ";
    }
    fputs(all ? "\n" : "events         none\n", out);
    for (int i = 0; i < summary->eventCount; ++i) {
        fprintf(out, "  %9.3f s   ", summary->events[i].time);
        rv_event_print(&summary->events[i], world, out);
        fputc('\n', out);
    }
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
        fprintf(out, "at rest        after %d solves, %.2g of its load unbalanced on a body", report.iterations,
                report.unbalance);
        if (report.left > 0)
            fprintf(out, "; balances left that were not stable: %d", report.left);
        fprintf(out, report.stable ? "\n" : "; it may not be stable\n");
        return;
    }
    fprintf(out, "not at rest    after %d solves: ", report.iterations);
    rv_print_quantity(out, report.force, "N");
    bool onRope = RV_IS_NULL(report.body) && !RV_IS_NULL(report.cable); // its own nodes are out of balance
    fprintf(out, " (%.2g of its load) unbalanced on %s", report.unbalance,
            onRope ? rvCable_GetName(world, report.cable) : rvBody_GetName(world, report.body));
    if (!onRope && !RV_IS_NULL(report.cable))
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
        rv_print_quantity(out, summary->peaks[i].tension, "N");
        fprintf(out, " at %.4g s\n", summary->peaks[i].time);
    }
    rvEnergy energy = rvWorld_GetEnergy(world);
    fputs("energy         kinetic ", out);
    rv_print_quantity(out, energy.kinetic, "J");
    fputs(", potential ", out);
    rv_print_quantity(out, energy.potential, "J");
    fputs(", elastic ", out);
    rv_print_quantity(out, energy.elastic, "J");
    fputs(", work of drives ", out);
    rv_print_quantity(out, energy.work, "J");
    fputs(", heat ", out);
    rv_print_quantity(out, energy.heat, "J");
    fputs("\n", out);
    if (rvScene_GetJointCount(scene) > 0) {
        fputs("worst gap      ", out);
        rv_print_quantity(out, summary->worstGap, "m");
        fputs(" in a joint\n", out);
    }
    print_events(summary, world, out);
}
