// SPDX-License-Identifier: MIT
// Fuzzes the state image of worlds with every model: bytes are laid over a good image, the checksum is put right, so
// that the fuzzer gets past it, and what is accepted runs a few steps. Nothing may crash; a state that no run can have
// is refused or the step fails.
//
// Input: a byte whose lowest bit, set, leaves the checksum wrong and whose others choose the world; then pairs of an
// offset (4 bytes) and a value (8 bytes), written one after the other.
#include "base/hash.h"
#include "fuzz.h"
#include "world/yard.h"

// Where the header ends, where its checksum stands, and what the checksum begins with (src/world/save.c).
enum { HEADER = 40, CHECKSUM_AT = 32 };
static const uint64_t MAGIC = 0x3152455645455252ull;

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

// A world at work, made once, and its good image.
typedef struct {
    rvWorld* world;
    uint8_t *good, *image;
    size_t size;
} Base;

static void finish_base(Base* base)
{
    for (int i = 0; i < 20; ++i)
        require(rvWorld_Step(base->world, 1.0 / 60.0) == RV_OK);
    base->size = rvWorld_Save(base->world, NULL, 0);
    base->good = malloc(base->size);
    base->image = malloc(base->size);
    require(base->good && base->image);
    rvWorld_Save(base->world, base->good, base->size);
}

// Contacts, tension, a moving door.
static Base make_yard_base(void)
{
    rvWorldDef def = yard_world_def();
    def.maxContacts = 64;
    Base base;
    Yard yard;
    require(rvCreateWorld(&def, &base.world, NULL, 0) == RV_OK && try_yard(base.world, &yard) == RV_OK);
    finish_base(&base);
    return base;
}

// A load on a rope of the model, another rope across it, a third one that lies on the ground.
static const char ROPES[] =
    "reeve: 1\nstep: 0.01\nground: -4\n"
    "bodies:\n  load: {mass: 20, position: [1, 0, -2], shapes: [{type: sphere, radius: 0.3}]}\n"
    "cables:\n"
    "  a: {model: %s, diameter: 10 mm, EA: 1e5, bending_stiffness: 0.1, elements: 4, collides: true,\n"
    "      route: [{%s: world, point: [-1, 0, 0]},%s {attach: load, point: [0, 0, 0.3]}]}\n"
    "  b: {model: %s, diameter: 10 mm, EA: 1e5, bending_stiffness: 0.1, elements: 4, GJ: %g,\n"
    "      collides: true, mass_per_length: 1,\n"
    "      route: [{attach: world, point: [0, -1, -1]}, {attach: world, point: [0, 1, -1.2]}]}\n";

static Base make_rope_base(const char* model, bool runs, double torsion)
{
    char text[2000], error[1000];
    snprintf(text, sizeof text, ROPES, model, runs ? "winch" : "attach",
             runs ? " {sheave: world, point: [0.8, 0, 0.5], radius: 0.2}," : "", model, torsion);
    rvScene* scene = load(text, strlen(text), NULL);
    require(scene != NULL);
    Base base;
    if (rvScene_CreateWorld(scene, NULL, &base.world, error, sizeof error) != RV_OK) {
        fprintf(stderr, "%s\n", error);
        abort();
    }
    finish_base(&base);
    rvScene_Destroy(scene);
    return base;
}

enum { BASES = 7, CURVE_IN_SPACE = 6 };

static Base make_base(int which)
{
    switch (which) {
    case 1:
        return make_rope_base("massless", true, 0.0);
    case 2:
        return make_rope_base("layered", true, 0.0);
    case 3:
        return make_rope_base("ancf", false, 0.0);
    case 4:
        return make_rope_base("ale", true, 0.0);
    case 5:
        return make_rope_base("curve", false, 0.0);
    case CURVE_IN_SPACE:
        return make_rope_base("curve", false, 0.1);
    default:
        return make_yard_base();
    }
}

// `keeps`: a step that fails leaves the state as it was. Curves in space do not, where an image was forged: contacts
// that they had are not those of the numbers in it.
static void run_what_was_restored(rvWorld* world, bool keeps)
{
    for (int i = 0; i < 3; ++i) {
        uint64_t kept = rvWorld_Hash(world);
        require(rvWorld_Step(world, 1.0 / 60.0) == RV_OK || rvWorld_Hash(world) == kept || !keeps);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static Base bases[BASES];
    if (size < 1)
        return 0;
    int which = (data[0] >> 1) % BASES;
    Base* base = &bases[which];
    if (!base->world)
        *base = make_base(which);
    require(rvWorld_Restore(base->world, base->good, base->size) == RV_OK);
    uint64_t before = rvWorld_Hash(base->world);
    memcpy(base->image, base->good, base->size);
    lay_over(base->image, base->size, data + 1, size - 1);
    if (!(data[0] & 1)) {
        uint64_t sum = rv_hash_bytes(MAGIC, base->image + HEADER, base->size - HEADER);
        memcpy(base->image + CHECKSUM_AT, &sum, sizeof sum);
    }
    if (rvWorld_Restore(base->world, base->image, base->size) == RV_OK)
        run_what_was_restored(base->world, which != CURVE_IN_SPACE);
    else
        require(rvWorld_Hash(base->world) == before);
    return 0;
}
