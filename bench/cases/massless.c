// SPDX-License-Identifier: MIT
// `reeve bench massless`: one cable through the eyes of 2 to 1000 bodies, like beads on a string, ends held by the
// world.
//
// No gravity; the cable is short by a part in a thousand, so it is taut and the beads, set a little off the line,
// vibrate. The whole cable is one row for the solver, however many bodies it passes. A step must at least read and
// write the state of the bodies once: that pass over as many bytes as a saved state has is the physical limit.
#include "bench.h"
#include "reeve/reeve.h"

#include <stdlib.h>

static const double STEP = 1.0 / 60.0;

typedef struct {
    rvWorld* world;
    int bodies;
    double* memory; // as large as the state
    size_t count;   // doubles in it
    double stepTime, passTime;
} String;

static void string_release(String* s)
{
    rvDestroyWorld(s->world);
    free(s->memory);
}

static rvStatus string_thread(String* s)
{
    rvPlaceDef* places = calloc((size_t)s->bodies + 2, sizeof(*places));
    if (!places)
        return RV_NO_MEMORY;
    rvStatus status = RV_OK;
    places[0] = rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0));
    places[s->bodies + 1] = rvAttachPlace(RV_NULL_BODY, rvVec(s->bodies + 1, 0, 0));
    for (int i = 0; i < s->bodies && status == RV_OK; i++) {
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = 10.0;
        def.pose.p = rvVec(i + 1, 0.001 * (i % 3), 0.001 * (i % 5)); // off the line: there is something to do
        rvBodyId bead;
        status = rvCreateBody(s->world, &def, &bead);
        places[i + 1] = rvEyePlace(bead, rvVec(0, 0, 0));
    }
    if (status == RV_OK) {
        rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
        def.axialStiffness = 1e4; // 10 N at the strain below: light against the beads, as in ordinary rigging
        def.length = 0.999 * (s->bodies + 1);
        def.places = places;
        def.placeCount = s->bodies + 2;
        rvCableId cable;
        status = rvCreateCable(s->world, &def, &cable);
    }
    free(places);
    return status;
}

static bool string_create(String* s, int bodies)
{
    *s = (String){.bodies = bodies, .stepTime = RV_NO_NUMBER, .passTime = RV_NO_NUMBER};
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, 0);
    if (rvCreateWorld(&def, &s->world, NULL, 0) != RV_OK)
        return false;
    size_t empty = rvWorld_Save(s->world, NULL, 0);
    if (string_thread(s) != RV_OK)
        return false;
    s->count = (rvWorld_Save(s->world, NULL, 0) - empty) / sizeof(double) + 1;
    s->memory = calloc(s->count, sizeof(double));
    return s->memory != NULL;
}

// One read and one write of all.
static void pass(double* memory, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory[i] = 0.999 * memory[i] + 1.0;
}

static void keep_least(double* least, double time)
{
    if (!(*least <= time))
        *least = time;
}

static bool measure(String* s, int block)
{
    double start = rv_bench_clock();
    for (int i = 0; i < block; i++)
        if (rvWorld_Step(s->world, STEP) != RV_OK)
            return false;
    keep_least(&s->stepTime, (rv_bench_clock() - start) / block);
    int passes = 16 * block; // a pass is short
    start = rv_bench_clock();
    for (int i = 0; i < passes; i++)
        pass(s->memory, s->count);
    keep_least(&s->passTime, (rv_bench_clock() - start) / passes);
    return true;
}

static void show(rvBench* bench, const String* s)
{
    int rows = rvWorld_GetStepInfo(s->world).rows;
    rvBenchRow r =
        rv_bench_row("1", rows, 1, "closed form: one stretch row", "%d bodies: rows of the solver", s->bodies);
    rv_bench_add(bench, rv_bench_goal(r, RV_GOAL_RATIO_WITHIN, 0.0));
    const char* limit = "limit: one pass over the state";
    rv_bench_add(bench,
                 rv_bench_row("us", 1e6 * s->stepTime, 1e6 * s->passTime, limit, "%d bodies: time a step", s->bodies));
    rv_bench_add(bench, rv_bench_row("ns", 1e9 * s->stepTime / s->bodies, 1e9 * s->passTime / s->bodies, limit,
                                     "%d bodies: time a step and body", s->bodies));
}

void rv_bench_massless(rvBench* bench)
{
    static const int sizes[] = {2, 10, 100, 1000};
    enum { MOST = sizeof(sizes) / sizeof(sizes[0]) };
    String strings[MOST];
    bool good[MOST];
    int count = bench->quick ? MOST - 1 : MOST, repeats = bench->quick ? 3 : 40;
    for (int i = 0; i < count; i++)
        good[i] = string_create(&strings[i], sizes[i]);
    for (int r = 0; r < repeats; r++) {
        rv_bench_progress(bench, "%d of %d", r + 1, repeats);
        for (int i = 0; i < count; i++)
            good[i] = good[i] && measure(&strings[i], 1 + 4000 / (10 + sizes[i]));
    }
    for (int i = 0; i < count; i++)
        if (good[i])
            show(bench, &strings[i]);
        else
            rv_bench_leave_out(bench, "Reeve", "%d bodies: %s", sizes[i],
                               strings[i].world ? rvWorld_GetError(strings[i].world) : "no memory");
    const String *large = &strings[count - 1], *small = &strings[count - 2]; // ten times the bodies
    rvBenchRow r = rv_bench_row("us", 1e6 * large->stepTime, 1e6 * small->stepTime, "ours with a tenth of the bodies",
                                "%d bodies: time a step, growth", large->bodies);
    rv_bench_add(bench, rv_bench_goal(r, RV_GOAL_RATIO_AT_MOST, 12.0));
    for (int i = 0; i < count; i++)
        string_release(&strings[i]);
}
