// SPDX-License-Identifier: MIT
// A hash of bytes: for state hashes and checksums, not for secrets.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RV_HASH_SEED 0xcbf29ce484222325ull

// FNV-1a over 8 bytes at a time, then over what is left.
static inline uint64_t rv_hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const uint8_t* p = (const uint8_t*)bytes;
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = (hash ^ word) * 0x100000001b3ull;
        hash ^= hash >> 29;
        p += 8;
        size -= 8;
    }
    while (size-- > 0)
        hash = (hash ^ *p++) * 0x100000001b3ull;
    return hash;
}

static inline uint64_t rv_hash_number(uint64_t hash, uint64_t number)
{
    return rv_hash_bytes(hash, &number, sizeof number);
}
