// SPDX-License-Identifier: MIT
// A run on record, for `reeve view DIR`: replay.bin holds "RVREPLAY", the length and the text of the description
// (filled up to a multiple of 4), then records with their lengths: frames, and events as JSON with the highest bit of
// the length set. A record is written as soon as there is one.
#pragma once

#include "support/folder.h"
#include "view/stage.h"

typedef struct {
    rvFile file;
    rvStage stage;
    rvBytes record;
    double every, next; // [s]
    uint32_t frames;
    long eventCount;
} rvRecord;

// Cuts off a last record that is not whole. False: these bytes are no recorded run, or one without frames.
bool rv_record_trim(rvBytes* bytes);

// False: errno says why. `until`: how long the run will be, which sets how often there is a frame.
bool rv_record_open(rvRecord* record, rvFolder* folder, rvScene* scene, rvWorld* world, double until);

// At the start and after each step.
bool rv_record_note(rvRecord* record, double time, double dt);
bool rv_record_close(rvRecord* record);
