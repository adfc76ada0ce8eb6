// SPDX-License-Identifier: MIT
// Stands in for archive.c where HDF5 is not installed (cmake/sweep.cmake): the journal holds all results.
#include "sweep/archive.h"

#include <stdio.h>
#include <string.h>

rvArchiveStatus rv_archive_write(const char* path, rvRunTable* results, const char* identity, char* error,
                                 size_t capacity)
{
    (void)results, (void)identity;
    snprintf(error, capacity,
             "%s was not written: this reeve was built without HDF5. Install libhdf5-dev, build again and run the same "
             "command with --resume: the journal holds all results",
             path);
    return RV_ARCHIVE_LEFT_OUT;
}

// The signature that an HDF5 file begins with.
rvArchiveKind rv_archive_kind_of(const char* path, const char* identity)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[8] = {0};
    (void)identity;
    FILE* file = fopen(path, "rb");
    if (!file)
        return RV_ARCHIVE_NONE;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return size == sizeof bytes && memcmp(bytes, signature, sizeof bytes) == 0 ? RV_ARCHIVE_UNKNOWN
                                                                               : RV_ARCHIVE_NO_HDF5;
}
