// SPDX-License-Identifier: MIT
// `reeve bench cranes`: what a step of the two cranes costs, over their whole work cycles.
//
// The scenes are those of scenes/; a cycle is run again and again from its start, and every step is timed alone,
// with the driver's commands for it. For real time it is not the mean that counts but the worst: the median, the time
// that one step in a thousand exceeds, and the worst are shown, beside the time that the step simulates.
//
// The worst of a million steps is mostly the machine's: other programs, the kernel, what runs under a virtual machine.
// So beside the worst by the clock on the wall stands the longest that a loop stood still which did nothing, in turns
// with the steps, and beside the steps above the goal how often that loop stood still for longer: no program does
// better. (It runs for a quarter of their time, or half of a run of a million steps would be spent on it.) Every
// cycle takes the same steps to the bit, so what is the program's own is in each of them: the worst step by the median
// and by the least of its times over the cycles is the program's, has the goal, and stands with what that step had to
// do. (A timer that tells how long the machine was away was tried: under a virtual machine its ticks cost 20 us each,
// and what happens between two of them it does not see.)
//
// The world's memory is touched when it is made, as by any allocator that is given to it, and the program is locked in
// memory where the system allows it: no step waits for a page.
#define _GNU_SOURCE // RUSAGE_THREAD
#include "bench.h"
#include "reeve/scene.h"
#include "support/clock.h"
#include "support/templates.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { DEFAULT_CYCLES = 3, QUICK_STEPS = 300, IDLE_PART = 4 };

typedef struct {
    rvScene* scene;
    rvWorld* world;
    long cycle; // steps in it
    double h;
    rvStepInfo* work; // of each step of a cycle
    double time;      // of the next step
    rvStatus status;
} Crane;

// What was measured, of each step and of all.
typedef struct {
    float* times; // of the processor [s]
    long count, faults;
    bool locked;           // in memory
    double worst, idle;    // by the clock on the wall, and of the loop beside [s]
    long above, idleAbove; // how often that was more than the goal
} Times;

static const double WORST_GOAL = 1000.0; // [us]

static void crane_release(Crane* crane)
{
    rvDestroyWorld(crane->world);
    rvScene_Destroy(crane->scene);
    free(crane->work);
}

typedef struct {
    const char *scene, *name, *model;
    const char* ropes[9]; // that get the model, ended by NULL
} Case;

static bool crane_create(Crane* crane, const Case* c, double h, char* error, size_t capacity)
{
    *crane = (Crane){.h = h};
    const rvTemplate* text = rv_template_find(c->scene);
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

static void* take(size_t size, void* context)
{
    (void)context;
    return malloc(size);
}

static void give(void* block, size_t size, void* context)
{
    (void)size, (void)context;
    free(block);
}

// The crane at the start of its work. What was hooked elsewhere is no part of a saved state, so it is built again.
static rvStatus crane_begin(Crane* crane, char* error, size_t capacity)
{
    rvDestroyWorld(crane->world);
    crane->world = NULL;
    rvWorldDef hooks = rvDefaultWorldDef();
    hooks.alloc = take;
    hooks.free = give;
    return rvScene_CreateWorld(crane->scene, &hooks, &crane->world, error, capacity);
}

static void crane_step(Crane* crane)
{
    crane->status = rvScene_Apply(crane->scene, crane->world, crane->time, crane->h);
    if (crane->status == RV_OK)
        crane->status = rvWorld_Step(crane->world, crane->h);
}

static long faults_so_far(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : 0;
}

// A loop that only asks for the time, for so many seconds: the longest that it stands still, and how often for longer
// than the goal.
static void stand_idle(Times* times, double seconds)
{
    double begin = rv_wall_clock(), last = begin;
    while (last - begin < seconds) {
        double now = rv_wall_clock(), stop = now - last;
        times->idle = fmax(times->idle, stop);
        times->idleAbove += 1e6 * stop > WORST_GOAL;
        last = now;
    }
}

// Times steps one by one.
static bool crane_time(const rvBench* bench, const char* name, Crane* crane, Times* times, char* error, size_t capacity)
{
    for (long i = 0; i < times->count; i++) {
        long k = i % crane->cycle;
        if (k == 0) {
            rv_bench_progress(bench, "%s: %ld %% of %ld steps", name, 100 * i / times->count, times->count);
            if (crane_begin(crane, error, capacity) != RV_OK)
                return false;
        }
        if (i == 0)
            times->locked = mlockall(MCL_CURRENT) == 0;
        crane->time = (double)k * crane->h;
        double wall = rv_wall_clock(), begin = rv_bench_clock();
        long faults = faults_so_far();
        crane_step(crane);
        times->faults += faults_so_far() - faults;
        times->times[i] = (float)(rv_bench_clock() - begin);
        wall = rv_wall_clock() - wall;
        times->worst = fmax(times->worst, wall);
        times->above += 1e6 * wall > WORST_GOAL;
        stand_idle(times, wall / IDLE_PART);
        if (crane->status != RV_OK) {
            snprintf(error, capacity, "%s", rvWorld_GetError(crane->world));
            return false;
        }
        if (i < crane->cycle)
            crane->work[k] = rvWorld_GetStepInfo(crane->world);
    }
    return true;
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

static void show(rvBench* bench, const Case* c, int rate, Times* times, const Crane* crane)
{
    const char* limit = "limit: the time that a step simulates";
    static const struct {
        const char* what;
        double share, goal;
    } shown[] = {{"median", 0.5, 100.0}, {"99.9 %", 0.999, 0.0}}; // goals [us]
    long count = times->count;
    rvBenchRow own[2];
    bool repeated = count >= DEFAULT_CYCLES * crane->cycle;
    if (repeated)
        find_own(c, rate, times->times, count, crane, own);
    qsort(times->times, (size_t)count, sizeof *times->times, by_size);
    for (int i = 0; i < 2; i++) {
        double time = 1e6 * (double)times->times[(long)(shown[i].share * (double)(count - 1))];
        rvBenchRow row = rv_bench_row("us", time, 1e6 / rate, limit, "%s, %s, 1/%d s: %s of %ld steps", c->name,
                                      c->model, rate, shown[i].what, count);
        if (shown[i].goal > 0.0)
            row = rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, shown[i].goal);
        rv_bench_add(bench, row);
    }
    rv_bench_add(bench, rv_bench_row("us", 1e6 * times->worst, 1e6 * times->idle,
                                     "longest stop of an empty loop beside, in a quarter of the time",
                                     "%s, %s, 1/%d s: worst, interruptions and all", c->name, c->model, rate));
    rv_bench_add(bench,
                 rv_bench_row("", (double)times->above, (double)times->idleAbove,
                              "stops of that loop that are longer, in a quarter of the time",
                              "%s, %s, 1/%d s: of %ld steps, above %g us", c->name, c->model, rate, count, WORST_GOAL));
    rvBenchRow row = rv_bench_row("", (double)times->faults, RV_NO_NUMBER, "",
                                  "%s, %s, 1/%d s: page faults in %ld steps", c->name, c->model, rate, count);
    rv_bench_add(bench, times->locked ? rv_bench_goal(row, RV_GOAL_OURS_AT_MOST, 0.0) : row);
    for (int i = 0; i < 2 && repeated; i++)
        rv_bench_add(bench, own[i]);
}

// False: it is not the one that is asked for.
static bool run_case(rvBench* bench, const Case* c, int rate)
{
    char error[1024] = "no memory", name[80];
    snprintf(name, sizeof name, "%s, %s, 1/%d s", c->name, c->model, rate);
    if (bench->only && !strstr(name, bench->only))
        return false;
    Crane crane;
    Times times = {0};
    if (crane_create(&crane, c, 1.0 / rate, error, sizeof error)) {
        times.count = bench->steps > 0 ? bench->steps : bench->quick ? QUICK_STEPS : DEFAULT_CYCLES * crane.cycle;
        times.times = calloc((size_t)times.count, sizeof *times.times);
    }
    bool good = times.times && crane_time(bench, name, &crane, &times, error, sizeof error);
    munlockall();
    if (good)
        show(bench, c, rate, &times, &crane);
    else
        rv_bench_leave_out(bench, "Reeve", "%s, %s: %.50s", c->name, c->model, error);
    free(times.times);
    crane_release(&crane);
    return true;
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
    bool any = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        any = run_case(bench, &cases[i], 60) || any;
        any = run_case(bench, &cases[i], 240) || any;
    }
    if (!any)
        rv_bench_leave_out(bench, "Reeve", "--only: no case has '%.40s' in its name", bench->only);
}
