// SPDX-License-Identifier: MIT
// `reeve sweep`, alone or as a rank of MPI.
#pragma once

#include "sweep/lead.h"

// How ranks talk. reeve-sweep-mpi has one; `reeve` itself knows no MPI.
typedef struct {
    // Called after all processes were forked.
    void (*start)(int* rank, int* rankCount);
    // Rank 0: the others, seen from there.
    rvRemote* (*remote)(const char* identity, int workersPerRank);
    // The others: do runs until rank 0 says that it is over.
    int (*serve)(const char* identity, rvPool* pool);
    void (*end)(void);
} rvTransport;

// The command; `transport` is NULL on one machine.
int rv_sweep_command(int argc, char** argv, const rvTransport* transport);

// `reeve check STUDY`.
int rv_sweep_check(const char* path, char* const* sets, int setCount);
