// SPDX-License-Identifier: MIT
// Processes that work for another one and end with it.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// In a child: it ends when its parent does, however that ends, and leaves the answer to Ctrl-C to it.
static inline void rv_follow_parent(pid_t parent)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGTERM, &ignore, NULL); // mpirun sends it to all processes of a rank
    sigaction(SIGHUP, &ignore, NULL);
    if (getppid() != parent) // it was gone before
        _exit(0);
}
