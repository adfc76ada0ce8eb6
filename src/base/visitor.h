// SPDX-License-Identifier: MIT
// One walk over a state, block by block in a fixed order, serves all that is done with it: it measures, writes, reads,
// checks and hashes. A type describes its state once, by a function that visits every number of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { RV_VISIT_SIZE, RV_VISIT_WRITE, RV_VISIT_READ, RV_VISIT_CHECK, RV_VISIT_HASH } rvVisit;

typedef struct {
    rvVisit kind;
    bool images;         // also what only images hold: a step leaves it untouched, so its backup does without
    uint8_t* to;         // of RV_VISIT_WRITE
    const uint8_t* from; // of RV_VISIT_READ and RV_VISIT_CHECK
    size_t size;         // visited so far
    uint64_t hash;
    int places;          // of RV_VISIT_CHECK: how many places the cable has in the image
    const char* unsound; // of RV_VISIT_CHECK: the first block that holds what no run can have; NULL: none does
} rvVisitor;

// A block of doubles. RV_VISIT_CHECK leaves them as they are, looks at the image instead and answers where they stand
// there, unaligned; all of them must be finite. Otherwise it answers where they are.
const void* rv_visit_numbers(rvVisitor* visitor, const char* name, void* numbers, size_t size);

// A block of any bytes, as indices; who visits checks them.
const void* rv_visit_bytes(rvVisitor* visitor, void* bytes, size_t size);

// Room that this state does not use: left as it is, and no part of the hash.
void rv_visit_gap(rvVisitor* visitor, size_t size);

// For checks beyond finite numbers.
void rv_visit_require(rvVisitor* visitor, const char* name, bool sound);
