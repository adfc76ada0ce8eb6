// SPDX-License-Identifier: MIT
// `reeve bench contact`: heaps of 10, 30 and 100 bodies thrown into a pit and stacks of containers, side by side with
// the direct and the iterative step of ODE and with Bullet (heap.h). Each engine finds its own contacts; finding
// them is part of the step.
//
// Every step of the same run is timed alone (processor time): the median and the worst. The heap is the same at the
// start and another one soon, as impacts of many bodies are chaotic: look at the size of the numbers, not at their
// digits. The overlap is the deepest of the last second, when all lies still; what is asked of ours is that hardly any
// step is left to the solver's fallback, and that nothing sinks.
#include "bench.h"
#include "cases/heap.h"

#include <stdlib.h>

static const double STEP = 1.0 / 60.0;
static const double MOST_SECONDS = 30.0; // of processor time that a peer may take for a case

// Some engines are not in every build.
#ifdef REEVE_HAVE_ODE_HEAP_PEER
extern const rvHeapEngine rv_heap_ode_direct, rv_heap_ode_quick;
#define ODE_DIRECT &rv_heap_ode_direct
#define ODE_QUICK &rv_heap_ode_quick
#else
#define ODE_DIRECT NULL
#define ODE_QUICK NULL
#endif
#ifdef REEVE_HAVE_BULLET_HEAP_PEER
extern const rvHeapEngine rv_heap_bullet;
#define BULLET &rv_heap_bullet
#else
#define BULLET NULL
#endif

static const struct {
    const char* name;
    const rvHeapEngine* engine;
} peers[] = {{"ODE dWorldStep", ODE_DIRECT}, {"ODE dWorldQuickStep", ODE_QUICK}, {"Bullet", BULLET}};

enum { PEER_COUNT = sizeof peers / sizeof peers[0] };

typedef struct {
    double median, worst; // time a step [s]
    double overlap;       // deepest of the last second [m]
    double speed;         // of the fastest body at the end [m/s]
    double fellBack;      // share of the steps
    bool finished;        // all steps were taken
} Run;

static int compare_times(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static Run run_heap(const rvHeap* heap, const rvHeapEngine* engine, int steps)
{
    Run run = {RV_NO_NUMBER, RV_NO_NUMBER, RV_NO_NUMBER, RV_NO_NUMBER, 0.0, false};
    double* times = calloc((size_t)steps, sizeof *times);
    void* state = times ? engine->create(heap) : NULL;
    double sum = 0.0, overlap = 0.0;
    int done = 0, fellBack = 0;
    for (; state && done < steps && sum < MOST_SECONDS; done++) {
        double begin = rv_bench_clock();
        if (!engine->step(state, STEP))
            break;
        times[done] = rv_bench_clock() - begin;
        sum += times[done];
        fellBack += engine->fellBack && engine->fellBack(state);
        if (done >= steps - 60)
            overlap = fmax(overlap, engine->overlap(state));
    }
    if (done > 0) {
        run.finished = done == steps;
        run.overlap = run.finished ? overlap : RV_NO_NUMBER;
        run.speed = run.finished ? engine->speed(state) : RV_NO_NUMBER;
        run.fellBack = (double)fellBack / done;
        qsort(times, (size_t)done, sizeof *times, compare_times);
        run.median = times[done / 2];
        run.worst = times[done - 1];
    }
    if (state)
        engine->destroy(state);
    free(times);
    return run;
}

static void compare_with_peers(rvBench* bench, const char* what, const rvHeap* heap, const Run* ours, int steps)
{
    for (int i = 0; i < PEER_COUNT; i++) {
        if (!peers[i].engine)
            continue;
        rv_bench_progress(bench, "%s: %s", what, peers[i].name);
        Run peer = run_heap(heap, peers[i].engine, steps);
        const char* name = peers[i].name;
        rv_bench_add(bench, rv_bench_row("us", 1e6 * ours->median, 1e6 * peer.median, name, "%s: median step", what));
        rv_bench_add(bench, rv_bench_row("us", 1e6 * ours->worst, 1e6 * peer.worst, name, "%s: worst step", what));
        if (!peer.finished) {
            rv_bench_leave_out(bench, name, "%s: the end of the run, beyond %g s of processor time", what,
                               MOST_SECONDS);
            continue;
        }
        rv_bench_add(bench,
                     rv_bench_row("mm", 1e3 * ours->overlap, 1e3 * peer.overlap, name, "%s: deepest overlap", what));
        rv_bench_add(bench,
                     rv_bench_row("mm/s", 1e3 * ours->speed, 1e3 * peer.speed, name, "%s: fastest at the end", what));
    }
}

static void show_heap(rvBench* bench, int count)
{
    char what[48];
    snprintf(what, sizeof what, "heap of %d", count);
    rvHeap heap = rv_heap_throw(count);
    int steps = bench->quick ? 90 : 360;
    rv_bench_progress(bench, "%s", what);
    Run ours = run_heap(&heap, &rv_heap_ours, steps);
    rvBenchRow fallback =
        rv_bench_row("%", 100.0 * ours.fellBack, RV_NO_NUMBER, "", "%s: steps left to the fallback", what);
    rv_bench_add(bench, rv_bench_goal(fallback, RV_GOAL_OURS_AT_MOST, 1.0));
    compare_with_peers(bench, what, &heap, &ours, steps);
    rv_heap_release(&heap);
}

static void show_stack(rvBench* bench, int count, double mass)
{
    char what[48];
    snprintf(what, sizeof what, "%d containers of %g t", count, 1e-3 * mass);
    rvHeap heap = rv_heap_stack(count, mass, rvVec(6.06, 2.44, 2.6));
    int steps = bench->quick ? 90 : 600;
    rv_bench_progress(bench, "%s", what);
    Run ours = run_heap(&heap, &rv_heap_ours, steps);
    rvBenchRow overlap = rv_bench_row("mm", 1e3 * ours.overlap, RV_NO_NUMBER, "", "%s: deepest overlap", what);
    rv_bench_add(bench, rv_bench_goal(overlap, RV_GOAL_OURS_AT_MOST, 1.0));
    compare_with_peers(bench, what, &heap, &ours, steps);
    rv_heap_release(&heap);
}

void rv_bench_contact(rvBench* bench)
{
    static const int counts[] = {10, 30, 100};
    for (int i = 0; i < PEER_COUNT; i++)
        if (!peers[i].engine)
            rv_bench_leave_out(bench, peers[i].name, "not installed when this program was built");
    for (int i = 0; i < (bench->quick ? 1 : 3); i++)
        show_heap(bench, counts[i]);
    show_stack(bench, 10, 4000.0);
    if (!bench->quick)
        show_stack(bench, 10, 30000.0);
}
