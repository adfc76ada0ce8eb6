// SPDX-License-Identifier: MIT
// A run on record, for `reeve view DIR`: replay.bin holds "RVREPLAY", the length and the text of the description
// (filled up to a multiple of 4), then frames with their lengths, then the events as JSON with the highest bit of the
// length set.
#pragma once

#include "view/stage.h"

#include <stdio.h>

typedef struct {
    FILE* file;
    rvStage stage;
    rvBytes frame, events;
    double every, next; // [s]
    uint32_t frames;
    long eventCount;
} rvRecord;

// False: errno says why. `until`: how long the run will be, which sets how often there is a frame.
bool rv_record_open(rvRecord* record, const char* path, rvScene* scene, rvWorld* world, double until);

// At the start and after each step.
void rv_record_note(rvRecord* record, double time, double dt);

// False where something could not be written.
bool rv_record_close(rvRecord* record);
