// SPDX-License-Identifier: MIT
// Workers: processes that do runs one after the other and can be stopped in the midst of one.
//
// Each has a keeper, a process that does nothing but fork the worker, wait for its end and fork the next one. Keepers
// are forked before anything else is set up (files, MPI), so that a new worker is as clean as the first.
#pragma once

#include "sweep/record.h"
#include "sweep/study.h"

typedef struct rvPool rvPool;

// What becomes of runs. The bytes are a record.
typedef void rvPoolDone(void* context, const unsigned char* record, size_t size);

// Starts so many workers, which read the scene of the study when they get their first run. NULL: errno says why.
rvPool* rv_pool_start(const rvStudy* study, int workers);

// How many more runs it takes now: it keeps some for each worker, so that none waits.
int rv_pool_room(const rvPool* pool);
void rv_pool_give(rvPool* pool, int64_t run);

// Runs that were given and are not done.
int rv_pool_pending(const rvPool* pool);

// Waits at most so long [s] for runs to be done, and stops those beyond their time limit. False: no worker is left.
bool rv_pool_wait(rvPool* pool, double seconds, rvPoolDone* done, void* context);

// Ends all workers, whatever they do.
void rv_pool_stop(rvPool* pool);
