// SPDX-License-Identifier: MIT
// Files read whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// The contents closed by 0, to be freed, or NULL and the reason in `why`. Reads no more than `limit` bytes; devices and
// pipes only where `special` allows them.
char* rv_file_read(const char* path, bool special, size_t limit, size_t* size, char* why, size_t capacity);
