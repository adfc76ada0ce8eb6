// SPDX-License-Identifier: MIT
// The process that hands out runs, keeps the journal and has the files built: all of `reeve sweep` on one machine, rank
// 0 under MPI.
#pragma once

#include "sweep/builder.h"
#include "sweep/pool.h"

typedef struct rvLead rvLead;

// Other ranks, seen from rank 0.
typedef struct {
    void* context;
    // Takes what they sent (rv_lead_take) and hands out (rv_lead_next). Answers whether there was anything.
    bool (*poll)(void* context, rvLead* lead);
    // Tells them to end, and takes what they had done until then.
    void (*stop)(void* context, rvLead* lead);
    int workers; // of all other ranks
} rvRemote;

typedef struct {
    const rvStudy* study;
    const char* identity;
    const char* command; // "reeve sweep study.yaml --set ...", for messages
    rvSweepPaths paths;
    char folder[1000];
    bool resume, restart;
    bool quiet, log; // log: a line for each run that is done
    double rebuild;  // the HDF5 file is built so often [s]
    rvPool* pool;
    rvBuilder* builder;
    rvRemote* remote; // or NULL
    int workers;      // of the pool
} rvLeadOptions;

// Does what is left of a study and ends the pool and the builder. The answer is an exit code of the command.
int rv_lead(const rvLeadOptions* options);

// For the remote: the number of the next run to do, -1: all are handed out or the sweep is to end.
int64_t rv_lead_next(rvLead* lead);
void rv_lead_take(rvLead* lead, const unsigned char* record, size_t size);
