// SPDX-License-Identifier: MIT
// A buffer that grows: binary values, little-endian, and text.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    unsigned char* data;
    size_t size, capacity;
    bool failed; // without memory: what was added since is lost
} rvBytes;

void rv_bytes_add(rvBytes* bytes, const void* data, size_t size);
void rv_bytes_u8(rvBytes* bytes, unsigned value);
void rv_bytes_u16(rvBytes* bytes, unsigned value);
void rv_bytes_u32(rvBytes* bytes, uint32_t value);
void rv_bytes_f32(rvBytes* bytes, double value);
void rv_bytes_f64(rvBytes* bytes, double value);
void rv_bytes_printf(rvBytes* bytes, const char* format, ...) __attribute__((format(printf, 2, 3)));
void rv_bytes_release(rvBytes* bytes);
