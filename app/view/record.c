// SPDX-License-Identifier: MIT
// A run on record. 30 frames a second, less often in runs longer than 100 s, so that a file holds 3000 frames at most.
#include "view/record.h"

#include "output/event.h"
#include "support/json.h"

#include <errno.h>

enum { EVENTS = 2000 }; // kept at most

static void put_record(rvRecord* record, const rvBytes* bytes, uint32_t mark)
{
    uint32_t size = (uint32_t)bytes->size | mark;
    fwrite(&size, sizeof size, 1, record->file);
    fwrite(bytes->data, 1, bytes->size, record->file);
}

bool rv_record_open(rvRecord* record, const char* path, rvScene* scene, rvWorld* world, double until)
{
    *record = (rvRecord){.every = fmax(1.0 / 30.0, until / 3000.0)};
    rvBytes json = {0};
    if (!rv_stage_open(&record->stage, scene, world)) {
        rv_stage_release(&record->stage);
        errno = ENOMEM;
        return false;
    }
    record->file = fopen(path, "wb");
    if (!record->file) {
        rv_stage_release(&record->stage);
        return false;
    }
    rv_stage_describe(&record->stage, &json);
    while (json.size % 4)
        rv_bytes_u8(&json, ' ');
    fwrite("RVREPLAY", 1, 8, record->file);
    put_record(record, &json, 0);
    rv_bytes_release(&json);
    return true;
}

static void note_events(rvRecord* record)
{
    enum { MOST = 16 };
    rvEvent events[MOST];
    int count = rvWorld_GetEvents(record->stage.world, events, MOST);
    for (int i = 0; i < count && i < MOST && record->eventCount < EVENTS; ++i, ++record->eventCount)
        rv_event_json(&events[i], record->stage.world, &record->events);
}

void rv_record_note(rvRecord* record, double time, double dt)
{
    if (dt > 0.0) {
        rv_stage_turn(&record->stage, dt);
        note_events(record);
    }
    if (time < record->next - 0.5 * dt)
        return;
    while (record->next <= time + 0.5 * dt)
        record->next += record->every;
    rvFrameHead head = {
        .number = record->frames++, .time = time, .pace = 1.0, .budget = rvScene_GetStep(record->stage.scene)};
    rv_stage_frame(&record->stage, &head, NULL, &record->frame);
    put_record(record, &record->frame, 0);
}

bool rv_record_close(rvRecord* record)
{
    rvBytes json = {0};
    rv_json_open(&json, NULL, '{');
    rv_json_open(&json, "events", '[');
    rv_bytes_add(&json, record->events.data, record->events.size);
    rv_json_close(&json, ']');
    rv_json_close(&json, '}');
    put_record(record, &json, 0x80000000u);
    bool good = !ferror(record->file) && !json.failed && !record->events.failed && !record->frame.failed;
    good = fclose(record->file) == 0 && good;
    rv_bytes_release(&json);
    rv_bytes_release(&record->frame);
    rv_bytes_release(&record->events);
    rv_stage_release(&record->stage);
    return good;
}
