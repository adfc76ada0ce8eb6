// SPDX-License-Identifier: MIT
// reeve-sweep-mpi: `reeve sweep` under mpirun, which starts this program in its place. Rank 0 hands out runs and keeps
// the journal; each rank has its own workers, forked before MPI begins, and passes on what they do.
//
// READY (a checksum of the study, room for so many runs) and DONE (a record) go to rank 0; RUNS (their numbers) and
// STOP come from it; BYE answers STOP. A rank that has sent DONE gets the next run, so its workers always have some
// waiting.
#include "sweep/sweep.h"

#include "command.h"
#include "sweep/journal.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { READY = 1, DONE, RUNS, STOP, BYE };
enum { RUNS_MAX = 1024, MESSAGES_MAX = 256 };

typedef struct {
    uint64_t study; // a checksum
    int64_t room;
} Hello;

static rvRemote others;
static const char* studyIdentity;
static int rank, rankCount;
static unsigned char* buffer; // of the message that came last
static size_t bufferSize;

static uint64_t checksum(const char* text)
{
    return (uint64_t)strlen(text) << 32 | rv_crc32(0, text, strlen(text));
}

static void give_up(const char* what)
{
    fprintf(stderr, "reeve sweep: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, RV_EXIT_IO);
    exit(RV_EXIT_IO);
}

static void start(int* rankOut, int* countOut)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rankCount);
    *rankOut = rank;
    *countOut = rankCount;
}

static void end(void)
{
    free(buffer);
    MPI_Finalize();
}

// Receives a message that was seen by a probe, into `buffer`.
static size_t receive(const MPI_Status* status)
{
    int size = 0;
    MPI_Get_count(status, MPI_BYTE, &size);
    if ((size_t)size > bufferSize) {
        unsigned char* larger = realloc(buffer, (size_t)size);
        if (!larger)
            give_up("no memory");
        buffer = larger;
        bufferSize = (size_t)size;
    }
    MPI_Recv(buffer, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (size_t)size;
}

// ---- rank 0

static void hand_out(rvLead* lead, int target, int64_t room)
{
    int64_t runs[RUNS_MAX];
    int count = 0;
    while (count < room && count < RUNS_MAX && (runs[count] = rv_lead_next(lead)) >= 0)
        ++count;
    if (count > 0)
        MPI_Send(runs, count * (int)sizeof *runs, MPI_BYTE, target, RUNS, MPI_COMM_WORLD);
}

static void answer(rvLead* lead, const MPI_Status* status, size_t size)
{
    if (status->MPI_TAG == READY && size == sizeof(Hello)) {
        Hello hello;
        memcpy(&hello, buffer, sizeof hello);
        if (hello.study != checksum(studyIdentity))
            give_up("another rank reads another study or scene: all must see the same files");
        hand_out(lead, status->MPI_SOURCE, hello.room);
    } else if (status->MPI_TAG == DONE) {
        rv_lead_take(lead, buffer, size);
        hand_out(lead, status->MPI_SOURCE, 1);
    }
}

static bool poll_others(void* context, rvLead* lead)
{
    (void)context;
    int count = 0;
    for (; count < MESSAGES_MAX; ++count) { // the own workers must not wait for ever
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            break;
        answer(lead, &status, receive(&status));
    }
    return count > 0;
}

static void stop_others(void* context, rvLead* lead)
{
    (void)context;
    for (int r = 1; r < rankCount; ++r)
        MPI_Send(NULL, 0, MPI_BYTE, r, STOP, MPI_COMM_WORLD);
    for (int left = rankCount - 1; left > 0;) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        size_t size = receive(&status);
        if (status.MPI_TAG == DONE)
            rv_lead_take(lead, buffer, size);
        left -= status.MPI_TAG == BYE;
    }
}

static rvRemote* remote(const char* identity, int workersPerRank)
{
    studyIdentity = identity;
    others = (rvRemote){.poll = poll_others, .stop = stop_others, .workers = (rankCount - 1) * workersPerRank};
    return &others;
}

// ---- the other ranks

static void send_done(void* context, const unsigned char* record, size_t size)
{
    (void)context;
    MPI_Send(record, (int)size, MPI_BYTE, 0, DONE, MPI_COMM_WORLD);
}

// Gives the runs that came to the workers. False: it is over.
static bool take_runs(rvPool* pool)
{
    for (;;) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there)
            return true;
        size_t size = receive(&status);
        if (status.MPI_TAG == STOP)
            return false;
        for (size_t i = 0; i + sizeof(int64_t) <= size; i += sizeof(int64_t)) {
            int64_t run;
            memcpy(&run, buffer + i, sizeof run);
            rv_pool_give(pool, run);
        }
    }
}

static int serve(const char* identity, rvPool* pool)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}; // rank 0 answers, and sends STOP to the others
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGTERM, &ignore, NULL);
    Hello hello = {.study = checksum(identity), .room = rv_pool_room(pool)};
    MPI_Send(&hello, sizeof hello, MPI_BYTE, 0, READY, MPI_COMM_WORLD);
    // a wait ends when a run is done; new runs are urgent only where workers have none waiting
    while (take_runs(pool))
        if (!rv_pool_wait(pool, rv_pool_pending(pool) > hello.room / 4 ? 2e-3 : 100e-6, send_done, NULL))
            give_up("no worker process could be started again");
    MPI_Send(NULL, 0, MPI_BYTE, 0, BYE, MPI_COMM_WORLD);
    rv_pool_stop(pool);
    return RV_EXIT_OK;
}

int main(int argc, char** argv)
{
    static const rvTransport transport = {.start = start, .remote = remote, .serve = serve, .end = end};
    return rv_sweep_command(argc, argv, &transport);
}
