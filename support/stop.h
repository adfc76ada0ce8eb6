// SPDX-License-Identifier: MIT
// Signals that ask a program to end: SIGINT (Ctrl-C), SIGTERM, SIGHUP.
#pragma once

#include <signal.h>
#include <stdbool.h>

enum { RV_STOP_SIGNALS = 3 };

typedef struct {
    struct sigaction before[RV_STOP_SIGNALS];
} rvStop;

// From now on the first of them is noted, and the next one ends the program. One that was ignored before, as by nohup,
// stays so.
void rv_stop_begin(rvStop* stop);
bool rv_stop_is_asked(void);
void rv_stop_end(const rvStop* stop);
