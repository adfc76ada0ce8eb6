// SPDX-License-Identifier: MIT
// Fuzzes the state image: bytes are laid over a good image, the checksum is put right, so that the fuzzer gets past it,
// and what is accepted runs a few steps. Nothing may crash; a state that no run can have is refused or the step fails.
//
// Input: pairs of an offset (4 bytes) and a value (8 bytes), written one after the other; the first byte's lowest bit
// set: the checksum is left wrong.
#include "base/hash.h"
#include "world/yard.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { HEADER = 40, CHECKSUM_AT = 32 };

static void lay_over(uint8_t* image, size_t imageSize, const uint8_t* data, size_t size)
{
    for (; size >= 12; data += 12, size -= 12) {
        uint32_t at;
        memcpy(&at, data, sizeof at);
        // whole numbers most of the time: that is where the meaning is
        size_t where = at & 0x80000000u ? at % (imageSize - 8) : at % (imageSize / 8) * 8;
        memcpy(image + where, data + 4, 8);
    }
}

// The yard at work, made once: contacts, tension, a moving door; and its good image.
typedef struct {
    rvWorld* world;
    uint8_t *good, *image;
    size_t size;
} Base;

static Base make_base(void)
{
    rvWorldDef def = yard_world_def();
    def.maxContacts = 64;
    Base base;
    Yard yard;
    if (rvCreateWorld(&def, &base.world, NULL, 0) != RV_OK || try_yard(base.world, &yard) != RV_OK)
        abort();
    for (int i = 0; i < 20; ++i)
        if (rvWorld_Step(base.world, 1.0 / 60.0) != RV_OK)
            abort();
    base.size = rvWorld_Save(base.world, NULL, 0);
    base.good = malloc(base.size);
    base.image = malloc(base.size);
    if (!base.good || !base.image)
        abort();
    rvWorld_Save(base.world, base.good, base.size);
    return base;
}

static void run_what_was_restored(rvWorld* world)
{
    for (int i = 0; i < 3; ++i) {
        uint64_t kept = rvWorld_Hash(world);
        if (rvWorld_Step(world, 1.0 / 60.0) != RV_OK && rvWorld_Hash(world) != kept)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static Base base;
    if (!base.world)
        base = make_base();
    if (size < 1)
        return 0;
    if (rvWorld_Restore(base.world, base.good, base.size) != RV_OK)
        abort();
    uint64_t before = rvWorld_Hash(base.world);
    memcpy(base.image, base.good, base.size);
    lay_over(base.image, base.size, data + 1, size - 1);
    if (!(data[0] & 1)) {
        // the magic number is the seed of the checksum
        uint64_t sum = rv_hash_bytes(0x3152455645455252ull, base.image + HEADER, base.size - HEADER);
        memcpy(base.image + CHECKSUM_AT, &sum, sizeof sum);
    }
    if (rvWorld_Restore(base.world, base.image, base.size) == RV_OK)
        run_what_was_restored(base.world);
    else if (rvWorld_Hash(base.world) != before)
        abort();
    return 0;
}
