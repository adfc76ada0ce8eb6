// SPDX-License-Identifier: MIT
// The process that builds files from the journal.
#include "sweep/builder.h"

#include "sweep/process.h"
#include "sweep/report.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct rvBuilder {
    pid_t process;
    int socket;
    bool busy;
};

static void build(const rvStudy* study, const char* identity, const rvSweepPaths* paths, const char* command,
                  bool report, rvBuilt* built)
{
    rvRunTable results;
    memset(built, 0, sizeof *built);
    if (!rv_run_table_open(&results, study, identity, paths->journal)) {
        built->archive = RV_ARCHIVE_FAILED;
        snprintf(built->error, sizeof built->error, "%s: %s", paths->journal,
                 results.other ? "is of another study" : strerror(errno));
    } else {
        built->archive = rv_archive_write(paths->archive, &results, identity, built->error, sizeof built->error);
        built->report = report && rv_sweep_report_write(paths->report, &results, command);
        if (report && !built->report && built->archive != RV_ARCHIVE_FAILED)
            snprintf(built->error, sizeof built->error, "%s: %s", paths->report, strerror(errno));
    }
    rv_run_table_close(&results);
}

rvBuilder* rv_builder_start(const rvStudy* study, const char* identity, const rvSweepPaths* paths, const char* command)
{
    int ends[2];
    pid_t parent = getpid();
    rvBuilder* builder = calloc(1, sizeof *builder);
    if (!builder || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        free(builder);
        return NULL;
    }
    fflush(NULL);
    builder->process = fork();
    builder->socket = ends[0];
    if (builder->process != 0) {
        close(ends[1]);
        if (builder->process > 0)
            return builder;
        close(ends[0]);
        free(builder);
        return NULL;
    }
    rv_follow_parent(parent);
    close(ends[0]);
    char report;
    while (recv(ends[1], &report, 1, 0) == 1) {
        static rvBuilt built;
        build(study, identity, paths, command, report != 0, &built);
        if (send(ends[1], &built, sizeof built, MSG_NOSIGNAL) < 0)
            break;
    }
    _exit(0); // not exit: HDF5 would try once more to write what it could not
}

bool rv_builder_begin(rvBuilder* builder, bool report)
{
    char request = report;
    if (builder->busy)
        return false;
    builder->busy = true;
    (void)!send(builder->socket, &request, 1, MSG_NOSIGNAL); // where it is gone, rv_builder_ended says so
    return true;
}

bool rv_builder_ended(rvBuilder* builder, bool wait, rvBuilt* built)
{
    if (!builder->busy)
        return false;
    ssize_t size;
    do
        size = recv(builder->socket, built, sizeof *built, wait ? 0 : MSG_DONTWAIT);
    while (size < 0 && errno == EINTR);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    builder->busy = false;
    if (size == (ssize_t)sizeof *built)
        return true;
    memset(built, 0, sizeof *built);
    built->archive = RV_ARCHIVE_FAILED;
    snprintf(built->error, sizeof built->error, "the process that writes the HDF5 file and the report has crashed");
    return true;
}

void rv_builder_stop(rvBuilder* builder)
{
    kill(builder->process, SIGKILL);
    waitpid(builder->process, NULL, 0);
    close(builder->socket);
    free(builder);
}
