// SPDX-License-Identifier: MIT
// Handing out runs, in the order of their numbers, to whoever has room. A run is done once its record is in the
// journal.
#include "sweep/lead.h"

#include "command.h"
#include "sweep/journal.h"

#include "support/clock.h"
#include "support/folder.h"
#include "support/stop.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct rvLead {
    const rvLeadOptions* options;
    const rvStudy* study;
    rvJournal journal;
    unsigned char* done; // a bit for each run
    int64_t next;        // runs below are handed out or done
    int64_t doneCount, newCount, counts[RV_RUN_STATUS_COUNT];
    bool full; // the journal cannot be written
    char error[1300];
    bool named, other; // the journal has its first record; it is of another study
    double start, shown, built, synced;
    bool progress, terminal;
    bool archiveFailed; // an early build failed, which was said
};

static bool is_done(const rvLead* lead, int64_t run)
{
    return lead->done[run / 8] >> (run % 8) & 1;
}

int64_t rv_lead_next(rvLead* lead)
{
    while (lead->next < lead->study->runCount && is_done(lead, lead->next))
        lead->next++;
    return lead->next < lead->study->runCount && !rv_stop_is_asked() && !lead->full ? lead->next++ : -1;
}

static void note_done(rvLead* lead, const rvRecord* record)
{
    lead->done[record->run / 8] |= (unsigned char)(1 << (record->run % 8));
    lead->doneCount++;
    lead->counts[record->status]++;
}

void rv_lead_take(rvLead* lead, const unsigned char* bytes, size_t size)
{
    rvRecord record;
    if (lead->full || lead->journal.file < 0 || !rv_record_read(bytes, size, &record) ||
        record.run >= lead->study->runCount || is_done(lead, record.run))
        return;
    if (!rv_journal_add(&lead->journal, RV_JOURNAL_RUN, bytes, size)) {
        snprintf(lead->error, sizeof lead->error, "%s: %s", lead->options->paths.journal, strerror(errno));
        lead->full = true;
        return;
    }
    note_done(lead, &record);
    lead->newCount++;
    if (lead->options->log) {
        printf("run %lld: %s%s%.*s\n", (long long)record.run, rv_status_name(record.status),
               record.messageLength ? ": " : "", (int)record.messageLength, record.message);
        fflush(stdout);
    }
}

static void take_from_pool(void* context, const unsigned char* record, size_t size)
{
    rv_lead_take(context, record, size);
}

// ---- the journal

static bool on_journal_record(void* context, rvJournalKind kind, int64_t offset, const unsigned char* bytes,
                              size_t size)
{
    rvLead* lead = context;
    rvRecord record;
    (void)offset;
    if (kind == RV_JOURNAL_STUDY) {
        const char* identity = lead->options->identity;
        lead->named = true;
        lead->other = size != strlen(identity) || memcmp(bytes, identity, size) != 0;
        if (!lead->other)
            return true;
        // the first line that differs says what was changed
        size_t at = 0, line = 0;
        while (at < size && identity[at] && bytes[at] == (unsigned char)identity[at]) {
            line = bytes[at] == '\n' ? at + 1 : line;
            ++at;
        }
        const char* was = (const char*)bytes + line;
        const char* end = memchr(was, '\n', size - line);
        int length = (int)((end ? (size_t)(end - was) : size - line));
        snprintf(lead->error, sizeof lead->error, "was \"%.*s\", is \"%.*s\"", length < 200 ? length : 200, was,
                 (int)strcspn(identity + line, "\n") < 200 ? (int)strcspn(identity + line, "\n") : 200,
                 identity + line);
        return false;
    }
    if (kind == RV_JOURNAL_RUN && rv_record_read(bytes, size, &record) && record.run < lead->study->runCount &&
        !is_done(lead, record.run))
        note_done(lead, &record);
    return lead->named; // runs of an unknown study are of no use
}

static int refuse(const char* path, const char* format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(const char* path, const char* format, ...)
{
    va_list arguments;
    fprintf(stderr, "reeve sweep: %s", path);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return RV_EXIT_IO;
}

static int resume_journal(rvLead* lead)
{
    const char* path = lead->options->paths.journal;
    rvJournalState state = {0};
    bool opened = rv_journal_open(&lead->journal, path, on_journal_record, lead, &state);
    if (opened && lead->named) {
        if (state.damaged > 0 || state.leftOver > 0)
            fprintf(stderr,
                    "reeve sweep: %s: %lld damaged or unfinished records were left out: their runs are repeated\n",
                    path, (long long)(state.damaged + (state.leftOver > 0)));
        return RV_EXIT_OK;
    }
    if (lead->other)
        return refuse(path,
                      " is of another study or scene: %s\nUse another folder (--out), or --restart to begin again.",
                      lead->error);
    if (opened)
        rv_journal_close(&lead->journal);
    if (!lead->named && (opened || state.records > 0))
        return refuse(path, " is damaged where it names its study: it cannot be resumed");
    if (errno == EBADMSG)
        return refuse(path, " is no journal of reeve sweep");
    if (errno == EAGAIN)
        return refuse(path, " is in use by another reeve sweep");
    return refuse(path, ": %s", strerror(errno));
}

// Never overwrites what may be the work of days.
static int check_archive(const rvLead* lead)
{
    const rvLeadOptions* o = lead->options;
    switch (rv_archive_kind_of(o->paths.archive, o->identity)) {
    case RV_ARCHIVE_NO_HDF5:
        return refuse(o->paths.archive, " is no HDF5 file, and is not overwritten: move it away or use --out");
    case RV_ARCHIVE_OTHER:
        if (o->restart)
            return RV_EXIT_OK;
        return refuse(o->paths.archive, " is of another study, and is not overwritten: use --out, or --restart");
    default:
        return RV_EXIT_OK;
    }
}

static int open_journal(rvLead* lead)
{
    const rvLeadOptions* o = lead->options;
    bool there = access(o->paths.journal, F_OK) == 0;
    if (o->resume && !there)
        return refuse(o->folder, ": there is no journal to resume from");
    if (there && !o->resume && !o->restart)
        return refuse(o->folder, " holds runs of a sweep already: --resume continues it, --restart begins again");
    if (!rv_make_folders(o->folder))
        return refuse(o->folder, ": %s", strerror(errno));
    int code = o->resume ? resume_journal(lead) : RV_EXIT_OK;
    if (code == RV_EXIT_OK)
        code = check_archive(lead);
    if (code == RV_EXIT_OK && !o->resume && !rv_journal_create(&lead->journal, o->paths.journal, o->identity))
        code = refuse(o->paths.journal, ": %s", strerror(errno));
    return code;
}

// ---- progress

static void print_duration(FILE* out, double seconds)
{
    if (seconds < 100.0)
        fprintf(out, "%.0f s", seconds);
    else if (seconds < 6000.0)
        fprintf(out, "%.0f min", seconds / 60.0);
    else
        fprintf(out, "%.1f h", seconds / 3600.0);
}

static void print_failures(FILE* out, const rvLead* lead)
{
    const char* between = "";
    for (int i = RV_RUN_DIVERGED; i < RV_RUN_STATUS_COUNT; ++i) {
        if (lead->counts[i] == 0)
            continue;
        fprintf(out, "%s%lld %s", between, (long long)lead->counts[i], rv_status_name((rvRunStatus)i));
        between = ", ";
    }
}

static void show_progress(rvLead* lead, double now)
{
    double rate = (double)lead->newCount / fmax(now - lead->start, 1e-9);
    int64_t left = lead->study->runCount - lead->doneCount;
    fprintf(stderr, "%s%lld of %lld runs  %3.0f %%  %.3g runs/s", lead->terminal ? "\r" : "",
            (long long)lead->doneCount, (long long)lead->study->runCount,
            100.0 * (double)lead->doneCount / (double)lead->study->runCount, rate);
    if (lead->newCount > 0) {
        fputs("  ", stderr);
        print_duration(stderr, (double)left / rate);
        fputs(" left", stderr);
    }
    if (lead->doneCount > lead->counts[RV_RUN_OK]) {
        fputs("  ", stderr);
        print_failures(stderr, lead);
    }
    fputs(lead->terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    lead->shown = now;
}

// ---- the loop

static void tend_files(rvLead* lead, double now)
{
    const rvLeadOptions* o = lead->options;
    rvBuilt built;
    if (rv_builder_ended(o->builder, false, &built)) {
        lead->built = now;
        if (built.archive == RV_ARCHIVE_FAILED && !lead->archiveFailed) {
            fprintf(stderr, "%sreeve sweep: %s (runs go on: the journal keeps their results)\n",
                    lead->terminal ? "\r\033[K" : "", built.error);
            lead->archiveFailed = true;
        }
    }
    if (now - lead->built > o->rebuild && lead->newCount > 0)
        rv_builder_begin(o->builder, false);
    if (now - lead->synced > 5.0) {
        rv_journal_sync(&lead->journal);
        lead->synced = now;
    }
}

static void hand_out(rvLead* lead)
{
    for (int room = rv_pool_room(lead->options->pool); room > 0; --room) {
        int64_t run = rv_lead_next(lead);
        if (run < 0)
            return;
        rv_pool_give(lead->options->pool, run);
    }
}

// Messages of other ranks do not end a wait, so it is short where they come often. Each of their workers has some runs
// waiting, so it need not be shorter.
static double next_pause(double pause, bool moved)
{
    const double shortest = 500e-6, longest = 2e-3;
    return moved ? shortest : fmin(fmax(2.0 * pause, shortest), longest);
}

static void run_all(rvLead* lead)
{
    const rvLeadOptions* o = lead->options;
    double pause = 0.0;
    while (lead->doneCount < lead->study->runCount && !rv_stop_is_asked() && !lead->full) {
        int64_t before = lead->doneCount;
        bool moved = o->remote && o->remote->poll(o->remote->context, lead);
        hand_out(lead);
        bool workers = rv_pool_wait(o->pool, o->remote ? pause : 0.2, take_from_pool, lead);
        hand_out(lead);
        pause = next_pause(pause, moved || lead->doneCount != before);
        double now = rv_wall_clock();
        if (lead->progress && now - lead->shown > (lead->terminal ? 0.5 : 60.0))
            show_progress(lead, now);
        tend_files(lead, now);
        if (!workers && o->workers > 0) {
            snprintf(lead->error, sizeof lead->error, "no worker process could be started again");
            lead->full = true;
        }
    }
}

// ---- the end

static void print_limits(const rvLead* lead)
{
    const rvStudy* study = lead->study;
    rvRunTable results;
    double* values = malloc((size_t)study->runCount * sizeof *values);
    if (rv_run_table_open(&results, study, lead->options->identity, lead->options->paths.journal) && values)
        for (int i = 0; i < study->limitCount; ++i) {
            rv_run_table_figure(&results, study->limits[i].figure, values);
            rvLimitCount count = rv_limit_count(study, &study->limits[i], values, &results);
            printf("%s%-16s %lld of %lld runs: %.4g (%.4g to %.4g)\n", i ? "               " : "limits         ",
                   study->limits[i].name, (long long)count.hits, (long long)count.runs, count.probability, count.low,
                   count.high);
        }
    rv_run_table_close(&results);
    free(values);
}

static void print_end(const rvLead* lead, double seconds, const rvBuilt* built)
{
    const rvLeadOptions* o = lead->options;
    int workers = o->workers + (o->remote ? o->remote->workers : 0);
    printf("runs           %lld of %lld done, %lld now, in %.3g s by %d worker%s: %.4g runs/s\n",
           (long long)lead->doneCount, (long long)lead->study->runCount, (long long)lead->newCount, seconds, workers,
           workers == 1 ? "" : "s", (double)lead->newCount / fmax(seconds, 1e-9));
    printf("               %lld ok", (long long)lead->counts[RV_RUN_OK]);
    if (lead->doneCount > lead->counts[RV_RUN_OK])
        fputs(", ", stdout);
    print_failures(stdout, lead);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double processor = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
                       (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
    printf("\nhanding out    %.3g ms of processor time per run, %.3g MB\n",
           1e3 * processor / (double)(lead->newCount > 0 ? lead->newCount : 1), (double)usage.ru_maxrss / 1024.0);
    print_limits(lead);
    if (built->archive == RV_ARCHIVE_OK)
        printf("results        %s\n", o->paths.archive);
    printf("journal        %s\n", o->paths.journal);
    if (built->report)
        printf("report         %s\n", o->paths.report);
}

static int finish(rvLead* lead)
{
    const rvLeadOptions* o = lead->options;
    double seconds = rv_wall_clock() - lead->start;
    rvBuilt built;
    if (lead->progress && lead->terminal)
        fputs("\r\033[K", stderr);
    if (lead->full)
        fprintf(stderr, "reeve sweep: %s\n%lld runs are in the journal. Continue with:\n  %s --resume\n", lead->error,
                (long long)lead->doneCount, o->command);
    rv_journal_sync(&lead->journal);
    rv_builder_ended(o->builder, true, &built); // one that was begun before
    rv_builder_begin(o->builder, true);
    rv_builder_ended(o->builder, true, &built);
    if (*built.error)
        fprintf(stderr, "reeve sweep: %s\n", built.error);
    if (!o->quiet)
        print_end(lead, seconds, &built);
    if (rv_stop_is_asked() && lead->doneCount < lead->study->runCount)
        fprintf(stderr, "reeve sweep: stopped after %lld of %lld runs. Continue with:\n  %s --resume\n",
                (long long)lead->doneCount, (long long)lead->study->runCount, o->command);
    if (lead->full || built.archive == RV_ARCHIVE_FAILED || !built.report)
        return RV_EXIT_IO;
    return lead->doneCount < lead->study->runCount ? RV_EXIT_INTERRUPTED : RV_EXIT_OK;
}

int rv_lead(const rvLeadOptions* options)
{
    rvLead lead = {.options = options, .study = options->study, .journal = {.file = -1}};
    rvStop stop;
    rv_stop_begin(&stop); // Ctrl-C, or mpirun on its behalf
    lead.done = calloc((size_t)options->study->runCount / 8 + 1, 1);
    int code = lead.done ? open_journal(&lead) : RV_EXIT_MEMORY;
    if (code == RV_EXIT_OK) {
        lead.start = lead.built = lead.synced = lead.shown = rv_wall_clock();
        lead.terminal = isatty(STDERR_FILENO);
        lead.progress = !options->quiet && !options->log;
        run_all(&lead);
    }
    if (options->remote)
        options->remote->stop(options->remote->context, &lead);
    rv_pool_stop(options->pool); // before files are written: it takes the processor from them
    if (code == RV_EXIT_OK) {
        code = finish(&lead);
        rv_journal_close(&lead.journal);
    }
    rv_builder_stop(options->builder);
    rv_stop_end(&stop);
    free(lead.done);
    return code;
}
