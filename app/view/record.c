// SPDX-License-Identifier: MIT
// A run on record. 30 frames a second, less often in runs longer than 100 s, so that a file holds 3000 frames at most.
#include "view/record.h"

#include "output/event.h"
#include "support/json.h"

#include <errno.h>
#include <string.h>

enum { EVENTS = 2000, FRAME_HEAD = 40 }; // events kept at most; bytes of the least frame
static const char MAGIC[8] = "RVREPLAY";
static const uint32_t IS_EVENTS = 0x80000000u;

// Adds what stands in `record` to the file. False: errno says why.
static bool put_record(rvRecord* record, uint32_t mark)
{
    uint32_t size = (uint32_t)record->record.size | mark;
    if (record->record.failed) {
        errno = ENOMEM;
        return false;
    }
    fwrite(&size, sizeof size, 1, record->file.out);
    fwrite(record->record.data, 1, record->record.size, record->file.out);
    return rv_file_end_row(&record->file);
}

// The length of a record at `at` with its mark; false where it is not whole.
static bool read_length(const rvBytes* bytes, size_t at, uint32_t* length)
{
    if (bytes->size < at + sizeof *length)
        return false;
    memcpy(length, bytes->data + at, sizeof *length);
    return bytes->size - at - sizeof *length >= (*length & ~IS_EVENTS);
}

bool rv_record_trim(rvBytes* bytes)
{
    uint32_t length;
    long frames = 0;
    if (bytes->size < sizeof MAGIC || memcmp(bytes->data, MAGIC, sizeof MAGIC) != 0 ||
        !read_length(bytes, sizeof MAGIC, &length) || length % 4 != 0 || (length & IS_EVENTS))
        return false;
    size_t at = sizeof MAGIC + sizeof length + length;
    for (; read_length(bytes, at, &length); at += sizeof length + (length & ~IS_EVENTS)) {
        if (length & IS_EVENTS)
            continue;
        if (length < FRAME_HEAD || memcmp(bytes->data + at + sizeof length, "RVF1", 4) != 0)
            return false;
        ++frames;
    }
    bytes->size = at;
    return frames > 0;
}

static void release(rvRecord* record)
{
    rv_bytes_release(&record->record);
    rv_stage_release(&record->stage);
}

static bool put_description(rvRecord* record)
{
    rv_stage_describe(&record->stage, &record->record);
    while (record->record.size % 4)
        rv_bytes_u8(&record->record, ' ');
    fwrite(MAGIC, 1, sizeof MAGIC, record->file.out);
    return put_record(record, 0);
}

bool rv_record_open(rvRecord* record, rvFolder* folder, rvScene* scene, rvWorld* world, double until)
{
    *record = (rvRecord){.every = fmax(1.0 / 30.0, until / 3000.0)};
    bool staged = rv_stage_open(&record->stage, scene, world);
    if (!staged)
        errno = ENOMEM;
    if (staged && rv_folder_begin(folder, "replay.bin", &record->file)) {
        if (put_description(record))
            return true;
        rv_file_close(&record->file, false);
    }
    release(record);
    return false;
}

static bool note_events(rvRecord* record)
{
    enum { MOST = 16 };
    rvEvent events[MOST];
    int count = rvWorld_GetEvents(record->stage.world, events, MOST), kept = 0;
    rvBytes* json = &record->record;
    json->size = 0;
    rv_json_open(json, NULL, '{');
    rv_json_open(json, "events", '[');
    for (; kept < count && kept < MOST && record->eventCount < EVENTS; ++kept, ++record->eventCount)
        rv_event_json(&events[kept], record->stage.world, json);
    rv_json_close(json, ']');
    rv_json_close(json, '}');
    return kept == 0 || put_record(record, IS_EVENTS);
}

bool rv_record_note(rvRecord* record, double time, double dt)
{
    if (dt > 0.0) {
        rv_stage_turn(&record->stage, dt);
        if (!note_events(record))
            return false;
    }
    if (time < record->next - 0.5 * dt)
        return true;
    while (record->next <= time + 0.5 * dt)
        record->next += record->every;
    rvFrameHead head = {
        .number = record->frames++, .time = time, .pace = 1.0, .budget = rvScene_GetStep(record->stage.scene)};
    rv_stage_frame(&record->stage, &head, NULL, &record->record);
    return put_record(record, 0);
}

bool rv_record_close(rvRecord* record)
{
    release(record);
    return rv_file_close(&record->file, true);
}
