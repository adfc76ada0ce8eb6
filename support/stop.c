// SPDX-License-Identifier: MIT
#include "support/stop.h"

#include <stddef.h>

static const int SIGNALS[RV_STOP_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t asked;

static void on_signal(int signal)
{
    (void)signal;
    asked = 1;
}

void rv_stop_begin(rvStop* stop)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    asked = 0;
    for (int i = 0; i < RV_STOP_SIGNALS; ++i) {
        sigaction(SIGNALS[i], &action, &stop->before[i]);
        if (stop->before[i].sa_handler == SIG_IGN)
            sigaction(SIGNALS[i], &stop->before[i], NULL);
    }
}

bool rv_stop_is_asked(void)
{
    return asked != 0;
}

void rv_stop_end(const rvStop* stop)
{
    for (int i = 0; i < RV_STOP_SIGNALS; ++i)
        sigaction(SIGNALS[i], &stop->before[i], NULL);
}
