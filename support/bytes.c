// SPDX-License-Identifier: MIT
// A buffer that grows. It copies numbers as the machine has them, so the machine must be little-endian, as frames are.
#include "support/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are written as the machine has its numbers");

static bool reserve(rvBytes* bytes, size_t more)
{
    if (bytes->size + more <= bytes->capacity)
        return true;
    size_t larger = bytes->capacity > 0 ? bytes->capacity : 1024;
    while (larger < bytes->size + more)
        larger *= 2;
    unsigned char* data = realloc(bytes->data, larger);
    if (!data) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = larger;
    return true;
}

void rv_bytes_add(rvBytes* bytes, const void* data, size_t size)
{
    if (size == 0 || !reserve(bytes, size))
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void rv_bytes_u8(rvBytes* bytes, unsigned value)
{
    unsigned char v = (unsigned char)value;
    rv_bytes_add(bytes, &v, sizeof v);
}

void rv_bytes_u16(rvBytes* bytes, unsigned value)
{
    uint16_t v = (uint16_t)value;
    rv_bytes_add(bytes, &v, sizeof v);
}

void rv_bytes_u32(rvBytes* bytes, uint32_t value)
{
    rv_bytes_add(bytes, &value, sizeof value);
}

void rv_bytes_f32(rvBytes* bytes, double value)
{
    float v = (float)value;
    rv_bytes_add(bytes, &v, sizeof v);
}

void rv_bytes_f64(rvBytes* bytes, double value)
{
    rv_bytes_add(bytes, &value, sizeof value);
}

void rv_bytes_printf(rvBytes* bytes, const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0 && reserve(bytes, (size_t)length + 1)) {
        vsnprintf((char*)bytes->data + bytes->size, (size_t)length + 1, format, again);
        bytes->size += (size_t)length;
    }
    va_end(again);
}

void rv_bytes_release(rvBytes* bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}
