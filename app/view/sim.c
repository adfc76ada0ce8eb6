// SPDX-License-Identifier: MIT
// The simulation behind a viewer.
//
// Every 1/60 s the thread takes the orders, does the steps that are due and publishes a frame. At most 0.1 s are due:
// what does not fit into the time is dropped and reported as being behind, so that a slow world runs slower and never
// falls into a spiral of ever more steps. The world is touched by this thread alone; the lock is held for copies
// only.
#include "view/sim.h"

#include "command.h"
#include "output/event.h"
#include "support/clock.h"
#include "support/json.h"
#include "view/machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDERS = 256, EVENTS = 256 };

static const double tick = 1.0 / 60.0, mostDue = 0.1;

typedef struct {
    double time;
    char kind[32], text[200];
} Note;

struct rvSim {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakeUp;
    void (*wake)(void* context);
    void* context;
    // under the lock
    bool quit;
    rvOrder orders[ORDERS];
    int orderCount;
    rvBytes frame, description;
    uint32_t frameNumber, descriptionNumber, noteCount;
    Note notes[EVENTS];
    // of the thread alone
    rvMachine machine;
    rvBytes draft;
    bool paused, behind;
    int singleSteps;
    double speed, due;
    double paceSince, paceTime; // clock and world time at the start of the measured stretch
    double pace, cost, worst, worstBefore;
};

// ---- telling

static void tell(rvSim* sim, const char* kind, const char* text)
{
    pthread_mutex_lock(&sim->lock);
    Note* note = &sim->notes[sim->noteCount++ % EVENTS];
    note->time = sim->machine.world ? rvWorld_GetTime(sim->machine.world) : 0.0;
    snprintf(note->kind, sizeof note->kind, "%s", kind);
    snprintf(note->text, sizeof note->text, "%.199s", text); // what is longer is cut
    pthread_mutex_unlock(&sim->lock);
}

static void tell_events(rvSim* sim)
{
    enum { MOST = 16 }; // a step: a heap of bodies must not flood the list
    rvEvent events[MOST];
    int count = rvWorld_GetEvents(sim->machine.world, events, MOST);
    for (int i = 0; i < count && i < MOST; ++i) {
        char text[200];
        rv_event_text(&events[i], sim->machine.world, text, sizeof text);
        tell(sim, rv_event_name(events[i].type, 1), text);
    }
}

static void publish(rvSim* sim)
{
    rvMachine* machine = &sim->machine;
    rvFrameHead head = {.number = sim->frameNumber + 1,
                        .time = rvWorld_GetTime(machine->world),
                        .pace = sim->pace,
                        .cost = sim->cost,
                        .worst = fmax(sim->worst, sim->worstBefore),
                        .budget = rvScene_GetStep(machine->scene)};
    head.flags = (sim->paused ? RV_FRAME_PAUSED : 0) | (sim->behind ? RV_FRAME_BEHIND : 0) |
                 (machine->manual ? RV_FRAME_MANUAL : 0) | (machine->failed ? RV_FRAME_FAILED : 0) |
                 (machine->saved.size > 0 ? RV_FRAME_SAVED : 0);
    rv_stage_frame(&machine->stage, &head, machine->levers, &sim->draft);
    bool whole = !sim->draft.failed;
    sim->draft.failed = false;
    if (!whole)
        return; // without memory this frame is left out
    pthread_mutex_lock(&sim->lock);
    rvBytes old = sim->frame;
    sim->frame = sim->draft;
    sim->draft = old;
    sim->frameNumber = head.number;
    pthread_mutex_unlock(&sim->lock);
    sim->wake(sim->context);
}

static void publish_description(rvSim* sim)
{
    rvBytes json = {0};
    rv_stage_describe(&sim->machine.stage, &json);
    if (json.failed) {
        rv_bytes_release(&json);
        tell(sim, "notice", "out of memory: the scene cannot be described");
        return;
    }
    pthread_mutex_lock(&sim->lock);
    rv_bytes_release(&sim->description);
    sim->description = json;
    sim->descriptionNumber++;
    pthread_mutex_unlock(&sim->lock);
}

// ---- orders

static void open_scene(rvSim* sim, int index)
{
    char error[2048];
    rvScene* scene = NULL;
    if (index < 0 || index >= rvTemplateCount)
        return;
    rvMachine next;
    if (rv_load_template(&rvTemplates[index], &scene, error, sizeof error) != RV_OK ||
        !rv_machine_open(&next, scene, error, sizeof error)) {
        tell(sim, "notice", error);
        return;
    }
    rv_machine_release(&sim->machine);
    sim->machine = next;
    publish_description(sim);
}

static void obey(rvSim* sim, const rvOrder* order)
{
    char why[200] = "";
    switch (order->type) {
    case RV_ORDER_PAUSE:
        sim->paused = order->a != 0;
        sim->due = 0.0;
        break;
    case RV_ORDER_STEP:
        sim->paused = true;
        sim->singleSteps++;
        break;
    case RV_ORDER_SPEED:
        if (order->x[0] >= 0.01 && order->x[0] <= 4.0)
            sim->speed = order->x[0];
        break;
    case RV_ORDER_OPEN:
        open_scene(sim, order->a);
        sim->paceTime = 0.0;
        sim->paused = false;
        break;
    default:
        rv_machine_obey(&sim->machine, order, why, sizeof why);
        sim->paceTime = rvWorld_GetTime(sim->machine.world);
        sim->paceSince = rv_wall_clock();
    }
    if (why[0])
        tell(sim, "notice", why);
}

static void take_orders(rvSim* sim)
{
    rvOrder orders[ORDERS];
    pthread_mutex_lock(&sim->lock);
    int count = sim->orderCount;
    memcpy(orders, sim->orders, (size_t)count * sizeof *orders);
    sim->orderCount = 0;
    pthread_mutex_unlock(&sim->lock);
    for (int i = 0; i < count; ++i)
        obey(sim, &orders[i]);
}

// ---- stepping

static bool step_once(rvSim* sim)
{
    if (rv_machine_step(&sim->machine)) {
        tell_events(sim);
        return true;
    }
    char text[300];
    snprintf(text, sizeof text, "stopped: %s", rvWorld_GetError(sim->machine.world));
    tell(sim, "failed", text);
    sim->paused = true;
    return false;
}

// How fast it really goes, over half a second.
static void measure_pace(rvSim* sim, double now)
{
    double time = rvWorld_GetTime(sim->machine.world);
    if (now - sim->paceSince < 0.5)
        return;
    sim->pace = (time - sim->paceTime) / (now - sim->paceSince);
    sim->behind = !sim->paused && sim->pace < 0.95 * sim->speed;
    sim->paceSince = now;
    sim->paceTime = time;
    sim->worstBefore = sim->worst;
    sim->worst = 0.0;
}

// The steps that are due, as many as fit until `deadline`; at least one, so that it goes on.
static void advance(rvSim* sim, double elapsed, double deadline)
{
    double h = rvScene_GetStep(sim->machine.scene), start = rv_wall_clock(), before = start;
    int steps = 0;
    if (sim->paused) {
        for (; sim->singleSteps > 0 && steps < 100; sim->singleSteps--, steps++)
            step_once(sim);
        sim->singleSteps = 0;
        return;
    }
    sim->due = fmin(sim->due + sim->speed * elapsed, fmax(mostDue, h));
    while (sim->due >= h && (steps == 0 || before < deadline) && step_once(sim)) {
        double now = rv_wall_clock();
        sim->worst = fmax(sim->worst, now - before);
        before = now;
        sim->due -= h;
        steps++;
    }
    if (steps > 0)
        sim->cost = (before - start) / steps;
}

static void sleep_until(rvSim* sim, double time)
{
    struct timespec when = {.tv_sec = (time_t)time};
    when.tv_nsec = (long)(1e9 * (time - (double)when.tv_sec));
    pthread_mutex_lock(&sim->lock);
    while (!sim->quit && pthread_cond_timedwait(&sim->wakeUp, &sim->lock, &when) == 0) {
    }
    pthread_mutex_unlock(&sim->lock);
}

static bool is_over(rvSim* sim)
{
    pthread_mutex_lock(&sim->lock);
    bool quit = sim->quit;
    pthread_mutex_unlock(&sim->lock);
    return quit;
}

static void* run(void* argument)
{
    rvSim* sim = argument;
    double last = rv_wall_clock(), next = last;
    sim->paceSince = last;
    while (!is_over(sim)) {
        double now = rv_wall_clock();
        take_orders(sim);
        next = fmax(next + tick, now - 3.0 * tick); // what came late is made up for, but not for long
        advance(sim, now - last, fmax(next, now + 0.5 * tick));
        last = now;
        measure_pace(sim, now);
        publish(sim);
        sleep_until(sim, next);
    }
    return NULL;
}

// ---- from outside

static void release(rvSim* sim)
{
    rv_machine_release(&sim->machine);
    rv_bytes_release(&sim->frame);
    rv_bytes_release(&sim->draft);
    rv_bytes_release(&sim->description);
    pthread_mutex_destroy(&sim->lock);
    pthread_cond_destroy(&sim->wakeUp);
    free(sim);
}

static int load(rvSim* sim, const rvSimDef* def)
{
    char error[2048] = "";
    rvScene* scene = NULL;
    if (def->path) {
        int code = rv_load_scene(def->path, def->sets, def->setCount, &scene);
        if (code != RV_EXIT_OK)
            return code;
    } else
        rv_load_template(&rvTemplates[def->gallery], &scene, error, sizeof error);
    if (scene && rv_machine_open(&sim->machine, scene, error, sizeof error)) {
        if (def->path)
            rv_warn_of_starts(def->path, scene, sim->machine.world);
        return RV_EXIT_OK;
    }
    fprintf(stderr, "%s\n", *error ? error : "reeve view: out of memory");
    return strstr(error, "no memory") || !*error ? RV_EXIT_MEMORY : RV_EXIT_SCENE;
}

rvSim* rv_sim_start(const rvSimDef* def, int* exitCode)
{
    rvSim* sim = calloc(1, sizeof *sim);
    *exitCode = RV_EXIT_MEMORY;
    if (!sim)
        return NULL;
    sim->wake = def->wake;
    sim->context = def->context;
    sim->paused = def->paused;
    sim->speed = sim->pace = 1.0;
    pthread_mutex_init(&sim->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&sim->wakeUp, &attributes);
    pthread_condattr_destroy(&attributes);
    *exitCode = load(sim, def);
    if (*exitCode == RV_EXIT_OK) {
        publish_description(sim);
        if (pthread_create(&sim->thread, NULL, run, sim) == 0)
            return sim;
        *exitCode = RV_EXIT_MEMORY;
    }
    release(sim);
    return NULL;
}

void rv_sim_stop(rvSim* sim)
{
    pthread_mutex_lock(&sim->lock);
    sim->quit = true;
    pthread_cond_signal(&sim->wakeUp);
    pthread_mutex_unlock(&sim->lock);
    pthread_join(sim->thread, NULL);
    release(sim);
}

bool rv_sim_order(rvSim* sim, const rvOrder* order)
{
    pthread_mutex_lock(&sim->lock);
    bool room = sim->orderCount < ORDERS;
    if (room)
        sim->orders[sim->orderCount++] = *order;
    pthread_mutex_unlock(&sim->lock);
    return room;
}

static bool copy_newer(rvSim* sim, const rvBytes* from, const uint32_t* current, uint32_t* number, rvBytes* to)
{
    pthread_mutex_lock(&sim->lock);
    bool newer = *number != *current && from->size > 0;
    to->size = 0;
    if (newer) {
        rv_bytes_add(to, from->data, from->size);
        newer = to->size == from->size;
    }
    if (newer)
        *number = *current;
    pthread_mutex_unlock(&sim->lock);
    return newer;
}

bool rv_sim_description(rvSim* sim, uint32_t* number, rvBytes* json)
{
    return copy_newer(sim, &sim->description, &sim->descriptionNumber, number, json);
}

bool rv_sim_frame(rvSim* sim, uint32_t* number, rvBytes* frame)
{
    return copy_newer(sim, &sim->frame, &sim->frameNumber, number, frame);
}

bool rv_sim_events(rvSim* sim, uint32_t* number, rvBytes* json)
{
    json->size = 0;
    pthread_mutex_lock(&sim->lock);
    uint32_t first = sim->noteCount - *number > EVENTS ? sim->noteCount - EVENTS : *number;
    bool any = first != sim->noteCount;
    rv_json_open(json, NULL, '{');
    rv_json_open(json, "events", '[');
    for (uint32_t i = first; i != sim->noteCount; ++i) {
        const Note* note = &sim->notes[i % EVENTS];
        rv_notice_json(note->time, note->kind, note->text, json);
    }
    rv_json_close(json, ']');
    rv_json_close(json, '}');
    *number = sim->noteCount;
    pthread_mutex_unlock(&sim->lock);
    return any;
}
