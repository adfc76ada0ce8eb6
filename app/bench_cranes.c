// SPDX-License-Identifier: MIT
// `reeve bench cranes`: what a step of the two cranes costs, over their whole work cycles.
//
// The scenes are those of scenes/; a cycle is run again and again from its start, and every step is timed alone,
// with the driver's commands for it. For real time it is not the mean that counts but the worst: the median, the time
// that one step in a thousand exceeds, and the worst are shown, beside the time that the step simulates. All are
// processor time, as in all benchmarks: what interrupts the thread (the kernel, the machine under a virtual one) is still
// counted in the worst. Since every cycle takes the same steps to the bit, what is the program's own is in each of them: the
// worst step by the median and by the least of its times over the cycles is shown too, the latter with what that step had
// to do.
#include "bench.h"
#include "reeve/scene.h"
#include "templates.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CYCLES = 3, QUICK_STEPS = 300 };

typedef struct {
    rvScene* scene;
    rvWorld* world;
    long cycle; // steps in it
    double h;
    rvStepInfo* work; // of each step of a cycle
} Crane;

static void crane_release(Crane* crane)
{
    rvDestroyWorld(crane->world);
    rvScene_Destroy(crane->scene);
    free(crane->work);
}

static const rvTemplate* find_template(const char* name)
{
    for (int i = 0; i < rvTemplateCount; i++)
        if (!strcmp(rvTemplates[i].name, name))
            return &rvTemplates[i];
    return NULL;
}

typedef struct {
    const char *scene, *name, *model;
    const char* ropes[9]; // that get the model, ended by NULL
} Case;

static bool crane_create(Crane* crane, const Case* c, double h, char* error, size_t capacity)
{
    *crane = (Crane){.h = h};
    const rvTemplate* text = find_template(c->scene);
    if (!text) {
        snprintf(error, capacity, "the scene is not compiled in");
        return false;
    }
    rvStatus status =
        rvScene_LoadText((const char*)text->text, text->size, c->scene, NULL, &crane->scene, error, capacity);
    for (int i = 0; c->ropes[i] && status == RV_OK; i++) {
        char assignment[80];
        snprintf(assignment, sizeof assignment, "cables.%s.model=%s", c->ropes[i], c->model);
        status = rvScene_Set(crane->scene, assignment, error, capacity);
    }
    if (status != RV_OK)
        return false;
    crane->cycle = (long)ceil(rvScene_GetUntil(crane->scene) / h);
    crane->work = calloc((size_t)crane->cycle, sizeof *crane->work);
    return crane->work;
}

// The crane at the start of its work. What was hooked elsewhere is no part of a saved state, so it is built again.
static rvStatus crane_begin(Crane* crane, char* error, size_t capacity)
{
    rvDestroyWorld(crane->world);
    crane->world = NULL;
    return rvScene_CreateWorld(crane->scene, NULL, &crane->world, error, capacity);
}

// Times `count` steps one by one [s].
static bool crane_time(Crane* crane, float* times, long count, char* error, size_t capacity)
{
    rvStatus status = RV_OK;
    for (long i = 0; i < count && status == RV_OK; i++) {
        long k = i % crane->cycle;
        if (k == 0)
            status = crane_begin(crane, error, capacity);
        double begin = rv_bench_clock();
        if (status == RV_OK)
            status = rvScene_Apply(crane->scene, crane->world, (double)k * crane->h, crane->h);
        if (status == RV_OK)
            status = rvWorld_Step(crane->world, crane->h);
        times[i] = (float)(rv_bench_clock() - begin);
        if (status == RV_OK && i < crane->cycle)
            crane->work[k] = rvWorld_GetStepInfo(crane->world);
        if (status != RV_OK && crane->world)
            snprintf(error, capacity, "%s", rvWorld_GetError(crane->world));
    }
    return status == RV_OK;
}

static int by_size(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// A step of the cycle and its time in all of them [s].
typedef struct {
    long step;
    double time;
} Worst;

// Of the steps of a cycle, each by what `share` of its times over the cycles does not exceed, the longest.
static Worst worst_of_cycle(const float* times, long count, long cycle, double share)
{
    long cycles = count / cycle;
    Worst worst = {0, 0.0};
    float* own = calloc((size_t)cycles, sizeof *own);
    for (long k = 0; own && k < cycle; k++) {
        for (long i = 0; i < cycles; i++)
            own[i] = times[k + i * cycle];
        qsort(own, (size_t)cycles, sizeof *own, by_size);
        double time = (double)own[(long)(share * (double)(cycles - 1))];
        if (time > worst.time)
            worst = (Worst){k, time};
    }
    free(own);
    return worst;
}

static const double WORST_GOAL = 1000.0; // [us]

// The program's own: once with the median of the cycles, once with the least of them.
static void find_own(const Case* c, int rate, const float* times, long count, const Crane* crane, rvBenchRow rows[2])
{
    for (int least = 0; least < 2; least++) {
        Worst worst = worst_of_cycle(times, count, crane->cycle, least ? 0.0 : 0.5);
        const rvStepInfo* work = &crane->work[worst.step];
        rvBenchRow row = rv_bench_row("us", 1e6 * worst.time, 1e6 / rate, "", "%s, %s, 1/%d s: worst, %s of %ld cycles",
                                      c->name, c->model, rate, least ? "least" : "median", count / crane->cycle);
        snprintf(row.source, sizeof row.source, "limit; at %.3f s: %d passes, %d pivots, %d rows",
                 (double)worst.step * crane->h, work->passes, work->pivots, work->rows);
        rows[least] = rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, WORST_GOAL);
    }
}

static void show(rvBench* bench, const Case* c, int rate, float* times, long count, const Crane* crane)
{
    const char* limit = "limit: the time that a step simulates";
    static const struct {
        const char* what;
        double share, goal;
    } shown[] = {{"median", 0.5, 100.0},
                 {"99.9 %", 0.999, 0.0},
                 {"worst, interruptions and all,", 1.0, WORST_GOAL}}; // goals [us]
    rvBenchRow own[2];
    bool repeated = count >= DEFAULT_CYCLES * crane->cycle;
    if (repeated)
        find_own(c, rate, times, count, crane, own);
    qsort(times, (size_t)count, sizeof *times, by_size);
    for (int i = 0; i < 3; i++) {
        double time = 1e6 * (double)times[(long)(shown[i].share * (double)(count - 1))];
        rvBenchRow row = rv_bench_row("us", time, 1e6 / rate, limit, "%s, %s, 1/%d s: %s of %ld steps", c->name,
                                      c->model, rate, shown[i].what, count);
        if (shown[i].goal > 0.0)
            row = rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, shown[i].goal);
        rv_bench_add(bench, row);
    }
    for (int i = 0; i < 2 && repeated; i++)
        rv_bench_add(bench, own[i]);
}

static void run_case(rvBench* bench, const Case* c, int rate)
{
    char error[1024] = "no memory";
    Crane crane;
    float* times = NULL;
    rv_bench_progress(bench, "%s, %s, 1/%d s", c->name, c->model, rate);
    bool good = crane_create(&crane, c, 1.0 / rate, error, sizeof error);
    long count = bench->steps > 0 ? bench->steps : bench->quick ? QUICK_STEPS : DEFAULT_CYCLES * crane.cycle;
    if (good)
        times = calloc((size_t)count, sizeof *times);
    if (times && crane_time(&crane, times, count, error, sizeof error))
        show(bench, c, rate, times, count, &crane);
    else
        rv_bench_leave_out(bench, "Reeve", "%s, %s: %.50s", c->name, c->model, error);
    free(times);
    crane_release(&crane);
}

void rv_bench_cranes(rvBench* bench)
{
    static const Case cases[] = {
        {"tower_crane", "tower crane", "massless", {"hoist", NULL}},
        {"tower_crane", "tower crane", "layered", {"hoist", NULL}},
        {"gantry_crane", "gantry crane", "massless", {"rope1", "rope2", "rope3", "rope4", NULL}},
        {"gantry_crane", "gantry crane", "layered", {"rope1", "rope2", "rope3", "rope4", NULL}},
        {"gantry_crane_eight", "gantry crane on eight", "massless", {NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_case(bench, &cases[i], 60);
        run_case(bench, &cases[i], 240);
    }
}
