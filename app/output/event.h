// SPDX-License-Identifier: MIT
// Events and quantities in words, for the summary and for the viewer.
#pragma once

#include "support/bytes.h"

#include "reeve/reeve.h"

#include <stdio.h>

enum { RV_EVENT_TYPES = RV_EVENT_COARSE + 1 };

// "31.2 kN"
void rv_print_quantity(FILE* out, double value, const char* unit);

// A kind of event, for so many of them: "limit", "limits".
const char* rv_event_name(rvEventType type, long count);

// What happened, without its time: "hoist went slack".
void rv_event_print(const rvEvent* event, const rvWorld* world, FILE* out);

// The same as a JSON object with time, kind and text; json->failed without memory.
void rv_event_json(const rvEvent* event, const rvWorld* world, rvBytes* json);
void rv_notice_json(double time, const char* kind, const char* text, rvBytes* json);

// In words, cut to the capacity. False: no memory.
bool rv_event_text(const rvEvent* event, const rvWorld* world, char* text, size_t capacity);
