// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // RUSAGE_THREAD, SIGEV_THREAD_ID
#include "bench_watch.h"

#include "command.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id // the C library has the field, but not always its name
#define sigev_notify_thread_id _sigev_un._tid
#endif

// Of the time since the last tick at most a period was this thread's.
static double away_since(const rvWatch* watch, double now)
{
    return fmax(0.0, now - watch->last - watch->period);
}

static void tick(int number, siginfo_t* info, void* context)
{
    (void)number, (void)context;
    rvWatch* watch = info->si_value.sival_ptr;
    if (info->si_code != SI_TIMER || !watch)
        return;
    double now = rv_wall_clock();
    watch->away = watch->away + away_since(watch, now);
    watch->last = now;
}

void rv_watch_start(rvWatch* watch, double period)
{
    *watch = (rvWatch){.period = period};
    struct sigaction action = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    // to this thread: while it is away others would take its ticks
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM, .sigev_value.sival_ptr = watch};
    event.sigev_notify_thread_id = gettid();
    struct timespec step = {0, (long)(1e9 * period)};
    if (sigaction(SIGALRM, &action, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, &watch->timer) != 0)
        return;
    watch->ticks = timer_settime(watch->timer, 0, &(struct itimerspec){step, step}, NULL) == 0;
    if (!watch->ticks)
        timer_delete(watch->timer);
}

void rv_watch_stop(rvWatch* watch)
{
    // first deaf, so that a tick on its way finds no handler, nor ends the program
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigaction(SIGALRM, &action, NULL);
    if (watch->ticks)
        timer_delete(watch->timer);
    watch->ticks = false;
}

static long faults_of(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : 0;
}

rvWatched rv_watch_work(rvWatch* watch, void (*work)(void* object), void* object)
{
    long faults = faults_of();
    watch->away = 0.0;
    double begin = watch->last = rv_wall_clock();
    work(object);
    double away = watch->away; // a tick after this one counts as own
    double end = rv_wall_clock(), wall = end - begin;
    if (watch->ticks)
        away += away_since(watch, end);
    return (rvWatched){wall, fmax(0.0, wall - away), faults_of() - faults};
}

double rv_watch_idle(double seconds)
{
    double begin = rv_wall_clock(), last = begin, longest = 0.0;
    while (last - begin < seconds) {
        double now = rv_wall_clock();
        longest = fmax(longest, now - last);
        last = now;
    }
    return longest;
}
