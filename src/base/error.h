// SPDX-License-Identifier: MIT
// The last failure, in words.
#pragma once

#include "reeve/base.h"

typedef struct {
    char text[512];
} rvError;

// Writes the text and answers the status, so that a caller can say: return rv_fail(...).
rvStatus rv_fail(rvError* error, rvStatus status, const char* format, ...) __attribute__((format(printf, 3, 4)));
