// SPDX-License-Identifier: MIT
// Parent, keeper and worker talk through one socket that keeps messages whole, so that a worker that is killed leaves
// no half of one behind. Messages carry the generation of the worker: those of or for an earlier one are dropped.
#define _GNU_SOURCE // ppoll: waits of less than a millisecond
#include "sweep/pool.h"

#include "sweep/process.h"
#include "sweep/run.h"

#include "support/clock.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUEUE = 4, PART_BYTES = 60000, KEPT_BYTES = 1 << 25 };

typedef enum { HELLO, PART, LAST, GONE } Kind;

typedef struct {
    uint32_t generation, kind;
    int64_t value; // HELLO: process id, GONE: wait status, down to the worker: number of the run
} Head;

typedef struct {
    Head head;
    unsigned char bytes[PART_BYTES];
} Message;

typedef struct {
    pid_t keeper, worker; // worker 0: none is there
    int socket;           // -1: the keeper is gone
    uint32_t generation;
    int64_t queue[QUEUE]; // given to the worker, the one that it does first
    int queueCount;
    double since;     // when it began the first of them
    int64_t stopped;  // the run for which the worker was killed, -1: none
    rvBytes incoming; // parts of a record
} Slot;

struct rvPool {
    const rvStudy* study;
    Slot* slots;
    int count;
    struct pollfd* polls;
    Message* message;
    rvBytes lost; // scratch: the record of a run without results
};

// ---- keeper and worker

static void send_record(int out, uint32_t generation, const rvBytes* record, Message* message)
{
    for (size_t at = 0; at < record->size || at == 0;) {
        size_t part = record->size - at < PART_BYTES ? record->size - at : PART_BYTES;
        message->head = (Head){.generation = generation, .kind = at + part < record->size ? PART : LAST};
        memcpy(message->bytes, record->data + at, part);
        if (send(out, message, sizeof message->head + part, MSG_NOSIGNAL) < 0 && errno != EINTR)
            _exit(1); // the parent is gone
        at += part;
    }
}

// Does runs until it is killed. A scene that cannot be read again makes runs that failed, with its message.
static void work(const rvStudy* study, int socket, uint32_t generation)
{
    static Message message;
    rvBytes record = {0};
    char error[RV_MESSAGE_MAX + 1] = "";
    rvRunner* runner = NULL;
    Head order;
    // worlds come and go: their memory is kept for the next one instead of being returned and mapped again
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    for (;;) {
        ssize_t size = recv(socket, &order, sizeof order, 0);
        if (size < 0 && errno == EINTR)
            continue;
        if (size != sizeof order)
            _exit(0);
        if (order.generation != generation)
            continue;
        if (!runner)
            runner = rv_runner_open(study, error, sizeof error);
        if (runner)
            rv_runner_do(runner, order.value, &record);
        else
            rv_record_lost(&record, order.value, RV_RUN_FAILED, 0.0, study->figureCount, error);
        if (record.failed)
            _exit(1);
        send_record(socket, generation, &record, &message);
    }
}

static void keep(const rvStudy* study, int socket)
{
    pid_t self = getpid();
    for (uint32_t generation = 1;; ++generation) {
        pid_t worker = fork();
        if (worker == 0) {
            rv_follow_parent(self);
            work(study, socket, generation);
        }
        if (worker < 0)
            _exit(1);
        Head hello = {.generation = generation, .kind = HELLO, .value = worker};
        int status = 0;
        if (send(socket, &hello, sizeof hello, MSG_NOSIGNAL) < 0)
            _exit(0);
        while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
            continue;
        Head gone = {.generation = generation, .kind = GONE, .value = status};
        if (send(socket, &gone, sizeof gone, MSG_NOSIGNAL) < 0)
            _exit(0);
    }
}

// ---- the parent

static bool start_slot(rvPool* pool, int index)
{
    int ends[2];
    pid_t self = getpid();
    Slot* slot = &pool->slots[index];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL); // or the child has it, too
    slot->keeper = fork();
    if (slot->keeper == 0) {
        rv_follow_parent(self);
        for (int i = 0; i < pool->count; ++i)
            if (pool->slots[i].socket >= 0)
                close(pool->slots[i].socket);
        close(ends[0]);
        keep(pool->study, ends[1]);
    }
    close(ends[1]);
    if (slot->keeper < 0) {
        close(ends[0]);
        return false;
    }
    slot->socket = ends[0];
    slot->stopped = -1;
    return true;
}

rvPool* rv_pool_start(const rvStudy* study, int workers)
{
    rvPool* pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->study = study;
    pool->slots = calloc((size_t)workers + 1, sizeof *pool->slots);
    pool->polls = calloc((size_t)workers + 1, sizeof *pool->polls);
    pool->message = malloc(sizeof *pool->message);
    bool good = pool->slots && pool->polls && pool->message;
    for (; good && pool->count < workers; ++pool->count) {
        pool->slots[pool->count].socket = -1;
        good = start_slot(pool, pool->count);
    }
    if (good)
        return pool;
    int reason = errno;
    rv_pool_stop(pool);
    errno = reason;
    return NULL;
}

// Ends a worker and waits until its keeper has seen it, so that its processor time counts as that of this program.
static void end_worker(rvPool* pool, Slot* slot)
{
    uint32_t generation = slot->generation;
    kill(slot->worker, SIGKILL);
    for (;;) {
        ssize_t size = recv(slot->socket, pool->message, sizeof *pool->message, 0);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < (ssize_t)sizeof(Head) ||
            (pool->message->head.kind == GONE && pool->message->head.generation == generation))
            return;
    }
}

void rv_pool_stop(rvPool* pool)
{
    for (int i = 0; i < pool->count; ++i) {
        Slot* slot = &pool->slots[i];
        if (slot->socket >= 0) {
            if (slot->worker)
                end_worker(pool, slot);
            kill(slot->keeper, SIGKILL); // the next worker follows its keeper
            waitpid(slot->keeper, NULL, 0);
            close(slot->socket);
        }
        rv_bytes_release(&slot->incoming);
    }
    rv_bytes_release(&pool->lost);
    free(pool->message);
    free(pool->polls);
    free(pool->slots);
    free(pool);
}

int rv_pool_room(const rvPool* pool)
{
    int room = 0;
    for (int i = 0; i < pool->count; ++i)
        if (pool->slots[i].socket >= 0)
            room += QUEUE - pool->slots[i].queueCount;
    return room;
}

int rv_pool_pending(const rvPool* pool)
{
    int pending = 0;
    for (int i = 0; i < pool->count; ++i)
        pending += pool->slots[i].queueCount;
    return pending;
}

static void order(Slot* slot, int64_t run)
{
    Head head = {.generation = slot->generation, .value = run};
    // a worker that is gone gets the run again when the next one says hello
    if (slot->worker)
        (void)!send(slot->socket, &head, sizeof head, MSG_NOSIGNAL);
}

void rv_pool_give(rvPool* pool, int64_t run)
{
    Slot* least = NULL;
    for (int i = 0; i < pool->count; ++i)
        if (pool->slots[i].socket >= 0 && (!least || pool->slots[i].queueCount < least->queueCount))
            least = &pool->slots[i];
    if (!least || least->queueCount == QUEUE)
        return; // there was no room: see rv_pool_room
    if (least->queueCount == 0)
        least->since = rv_wall_clock();
    least->queue[least->queueCount++] = run;
    order(least, run);
}

static void drop_first(Slot* slot)
{
    memmove(slot->queue, slot->queue + 1, (size_t)--slot->queueCount * sizeof *slot->queue);
    slot->since = rv_wall_clock();
}

// The first run of a worker that is gone: it was stopped for it, or the run broke it.
static void report_lost(rvPool* pool, Slot* slot, int status, rvPoolDone* done, void* context)
{
    char message[200];
    int64_t run = slot->queue[0];
    double wall = rv_wall_clock() - slot->since;
    bool stopped = slot->stopped == run;
    if (!stopped && slot->stopped >= 0)
        return; // it came to its end just before it was killed: the next one is not to blame
    if (stopped)
        snprintf(message, sizeof message, "stopped at its time limit of %g s", pool->study->timeLimit);
    else if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "its process was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(message, sizeof message, "its process ended with code %d", WEXITSTATUS(status));
    drop_first(slot);
    rv_record_lost(&pool->lost, run, stopped ? RV_RUN_TIME_LIMIT : RV_RUN_FAILED, wall, pool->study->figureCount,
                   message);
    done(context, pool->lost.data, pool->lost.size);
}

static void on_message(rvPool* pool, Slot* slot, size_t size, rvPoolDone* done, void* context)
{
    const Head* head = &pool->message->head;
    if (head->kind == HELLO) {
        slot->worker = (pid_t)head->value;
        slot->generation = head->generation;
        slot->incoming.size = 0;
        slot->stopped = -1;
        slot->since = rv_wall_clock();
        for (int i = 0; i < slot->queueCount; ++i)
            order(slot, slot->queue[i]);
    } else if (head->kind == GONE) {
        slot->worker = 0;
        if (slot->queueCount > 0)
            report_lost(pool, slot, (int)head->value, done, context);
        slot->stopped = -1;
    } else if (head->generation == slot->generation) {
        rv_bytes_add(&slot->incoming, pool->message->bytes, size - sizeof *head);
        if (head->kind != LAST)
            return;
        if (slot->queueCount > 0)
            drop_first(slot);
        done(context, slot->incoming.data, slot->incoming.size);
        slot->incoming.size = 0;
    }
}

// The keeper is gone, and its worker with it: another one takes over what waited.
static void replace_keeper(rvPool* pool, int index, rvPoolDone* done, void* context)
{
    Slot* slot = &pool->slots[index];
    close(slot->socket);
    waitpid(slot->keeper, NULL, 0);
    slot->socket = -1;
    slot->worker = 0;
    slot->stopped = -1;
    if (slot->queueCount > 0)
        report_lost(pool, slot, SIGKILL, done, context);
    if (start_slot(pool, index))
        return;
    while (slot->queueCount > 0)
        report_lost(pool, slot, SIGKILL, done, context);
}

static void read_slot(rvPool* pool, int index, rvPoolDone* done, void* context)
{
    Slot* slot = &pool->slots[index];
    for (;;) {
        ssize_t size = recv(slot->socket, pool->message, sizeof *pool->message, MSG_DONTWAIT);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (size < (ssize_t)sizeof(Head)) {
            replace_keeper(pool, index, done, context);
            return;
        }
        on_message(pool, slot, (size_t)size, done, context);
    }
}

static void stop_late(rvPool* pool, double now)
{
    for (int i = 0; i < pool->count; ++i) {
        Slot* slot = &pool->slots[i];
        if (!slot->worker || slot->queueCount == 0 || slot->stopped >= 0 || now - slot->since < pool->study->timeLimit)
            continue;
        slot->stopped = slot->queue[0];
        kill(slot->worker, SIGKILL);
    }
}

bool rv_pool_wait(rvPool* pool, double seconds, rvPoolDone* done, void* context)
{
    double now = rv_wall_clock(), wait = seconds;
    int left = 0;
    for (int i = 0; i < pool->count; ++i) {
        const Slot* slot = &pool->slots[i];
        pool->polls[i] = (struct pollfd){.fd = slot->socket, .events = POLLIN};
        left += slot->socket >= 0;
        double remaining = slot->since + pool->study->timeLimit - now;
        if (slot->worker && slot->queueCount > 0 && slot->stopped < 0 && remaining < wait)
            wait = remaining > 0.0 ? remaining : 0.0;
    }
    struct timespec timeout = {.tv_sec = (time_t)wait, .tv_nsec = (long)((wait - (double)(time_t)wait) * 1e9)};
    if (ppoll(pool->polls, (nfds_t)pool->count, &timeout, NULL) > 0)
        for (int i = 0; i < pool->count; ++i)
            if (pool->polls[i].revents && pool->slots[i].socket >= 0)
                read_slot(pool, i, done, context);
    stop_late(pool, rv_wall_clock());
    return left > 0;
}
