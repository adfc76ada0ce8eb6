// SPDX-License-Identifier: MIT
// The server of `reeve view`: the page by HTTP, frames and orders by WebSocket.
#pragma once

#include "view/sim.h"

typedef struct {
    const char* address; // to listen on; NULL: loopback
    int port;            // 0: a free one
    const char* replay;  // path of a recorded run; NULL: live
    bool gallery;        // starts with the gallery
} rvServerDef;

typedef struct rvServer rvServer;

// NULL: what was wrong is printed.
rvServer* rv_server_open(const rvServerDef* def);

// The address of the page, with its token.
const char* rv_server_url(const rvServer* server);

// Wakes the server, from any thread: there is something new to send.
void rv_server_wake(void* server);

// Serves until `stop` says so. `sim` is NULL for a replay.
void rv_server_run(rvServer* server, rvSim* sim, bool (*stop)(void));
void rv_server_close(rvServer* server);
