// SPDX-License-Identifier: MIT
// Events and quantities in words, for the summary and for the viewer.
#pragma once

#include "reeve/reeve.h"

#include <stdio.h>

enum { RV_EVENT_TYPES = RV_EVENT_FALLBACK + 1 };

// "31.2 kN"
void rv_print_quantity(FILE* out, double value, const char* unit);

// A kind of event, as counted: "slack", "limits".
const char* rv_event_name(rvEventType type);

// What happened, without its time: "hoist went slack".
void rv_event_print(const rvEvent* event, const rvWorld* world, FILE* out);
