// SPDX-License-Identifier: MIT
// The watch of the benchmarks: time without ticks is not the thread's own. Nothing here depends on how fast the machine is.
#include "bench_watch.h"
#include "check.h"
#include "command.h"

#include <signal.h>

static const double PERIOD = 1e-3;

static void loop(void* object)
{
    double end = rv_wall_clock() + *(const double*)object;
    while (rv_wall_clock() < end)
        ;
}

// As where the thread does not run: no tick reaches it.
static void loop_without_ticks(void* object)
{
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, &before);
    loop(object);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void TimeWithoutTicksIsNotOwn(void** state)
{
    (void)state;
    rvWatch watch;
    double length = 50.0 * PERIOD;
    rv_watch_start(&watch, PERIOD);
    assert_true(watch.ticks);
    rvWatched watched = rv_watch_work(&watch, loop_without_ticks, &length);
    rv_watch_stop(&watch);
    CHECK_BELOW(0.99 * length, watched.wall); // the loop goes by the same clock
    CHECK_BELOW(watched.own, 3.0 * PERIOD);   // a period each for what lies before, between and behind the loop
}

static void OwnTimeIsWithinTheTimeOfTheWall(void** state)
{
    (void)state;
    rvWatch watch;
    double length = 20.0 * PERIOD;
    rv_watch_start(&watch, PERIOD);
    rvWatched watched = rv_watch_work(&watch, loop, &length);
    rv_watch_stop(&watch);
    CHECK_BELOW(watched.own, watched.wall + 1e-9); // [s] round-off of sums
    assert_true(watched.own > 0.0);
    assert_true(watched.faults >= 0);
}

static void WatchThatIsStoppedCountsAllAsOwn(void** state)
{
    (void)state;
    rvWatch watch;
    double length = 5.0 * PERIOD;
    rv_watch_start(&watch, PERIOD);
    rv_watch_stop(&watch);
    rvWatched watched = rv_watch_work(&watch, loop, &length);
    assert_true(watched.own == watched.wall);
}

static void IdleLoopTellsItsLongestStop(void** state)
{
    (void)state;
    double length = 5.0 * PERIOD, begin = rv_wall_clock(), longest = rv_watch_idle(length);
    assert_true(longest > 0.0);
    CHECK_BELOW(longest, rv_wall_clock() - begin + 1e-9); // [s] round-off
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TimeWithoutTicksIsNotOwn),
        cmocka_unit_test(OwnTimeIsWithinTheTimeOfTheWall),
        cmocka_unit_test(WatchThatIsStoppedCountsAllAsOwn),
        cmocka_unit_test(IdleLoopTellsItsLongestStop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
