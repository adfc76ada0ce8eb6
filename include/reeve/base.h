// SPDX-License-Identifier: MIT
// Version, export macro, status codes and hooks. Everything else includes this.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RV_VERSION_MAJOR 0
#define RV_VERSION_MINOR 2
#define RV_VERSION_PATCH 0

#if defined(RV_BUILD_SHARED)
#define RV_API __attribute__((visibility("default")))
#else
#define RV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call answers. Everything but RV_OK leaves the world as it was, and rvWorld_GetError says what was wrong.
typedef enum {
    RV_OK = 0,
    RV_BAD_INPUT, ///< a value is missing, not finite or out of range; the error names the field
    RV_BAD_ID,    ///< an id is null, stale or of another world
    RV_NO_MEMORY, ///< the allocator answered NULL
    RV_FULL,      ///< a fixed capacity is used up; the error names the field of rvWorldDef that raises it
    RV_DIVERGED,  ///< the step gave numbers that are not finite or too large; the state before the step is kept
    RV_BAD_IMAGE, ///< a saved state does not fit this world or is damaged; nothing was changed
    RV_IO,        ///< a file could not be read or written
    RV_MISSED,    ///< what was to hold a cable is too far from it, or does not hold it; nothing was changed
} rvStatus;

/// A short name for a status, for logs: "ok", "bad input", ...
RV_API const char* rvStatus_Name(rvStatus status);

/// Of the linked library: "major.minor.patch".
RV_API const char* rvVersion(void);

/// Memory hooks. Both or neither must be set; `size` on free is the size that was asked for.
typedef void* (*rvAllocFn)(size_t size, void* context);
typedef void (*rvFreeFn)(void* memory, size_t size, void* context);

/// Messages meant for a person, a line each. Never called inside a step.
typedef void (*rvLogFn)(const char* text, void* context);

#ifdef __cplusplus
}
#endif
