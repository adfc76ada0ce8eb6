// SPDX-License-Identifier: MIT
// Bytes are compiled into a scene that is nearly right: bodies, joints and ropes of every model over eyes, sheaves and
// winches, with commands and events. So the fuzzer gets past the reader, to what building and stepping do with strange
// but well-formed machines.
#include "fuzz.h"

#include <stdarg.h>

enum { BODIES = 4, JOINTS = 3, CABLES = 3 };

static const char* const MODELS[] = {"massless", "layered", "ancf", "curve", "ale"};

typedef struct {
    Bytes from;
    char text[16384];
    size_t length;
    int bodies, cables;
} Draft;

static void put(Draft* draft, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void put(Draft* draft, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(draft->text + draft->length, sizeof draft->text - draft->length, format, arguments);
    va_end(arguments);
    require(length >= 0 && draft->length + (size_t)length < sizeof draft->text);
    draft->length += (size_t)length;
}

static unsigned choose(Draft* draft, unsigned count)
{
    return take_byte(&draft->from) % count;
}

// Mostly near 0, in quarters; sometimes off by what rounding leaves, or ten times as far.
static double coordinate(Draft* draft)
{
    unsigned byte = take_byte(&draft->from);
    double x = 0.25 * ((int)(byte & 0x3f) - 32);
    return byte < 0xc0 ? x : byte < 0xf0 ? 1e-7 * x : 10 * x;
}

static void put_point(Draft* draft, const char* name)
{
    double x = coordinate(draft), y = coordinate(draft), z = coordinate(draft);
    put(draft, ", %s: [%g, %g, %g]", name, x, y, z);
}

// Of five decades: a rope of a kilometre across overflows, and shows nothing.
static double amount(Draft* draft)
{
    static const double decades[] = {1, 1, 1, 10, 100, 0.1, 0.01};
    double decade = decades[choose(draft, 7)];
    return decade * (1 + choose(draft, 9));
}

static void put_holder(Draft* draft)
{
    unsigned body = choose(draft, (unsigned)draft->bodies + 2);
    if (body < (unsigned)draft->bodies)
        put(draft, "b%u", body);
    else
        put(draft, "world");
}

static void put_body(Draft* draft, int i)
{
    static const char* const types[] = {"dynamic", "dynamic", "dynamic", "kinematic", "static"};
    unsigned type = choose(draft, 5);
    put(draft, "  b%d: {type: %s", i, types[type]);
    if (type < 3)
        put(draft, ", mass: %g", amount(draft));
    put_point(draft, "position");
    if (type < 3 && choose(draft, 2))
        put_point(draft, "velocity");
    switch (choose(draft, 5)) {
    case 0:
        put(draft, ", shapes: [{type: sphere, radius: %g}]", amount(draft));
        break;
    case 1:
        put(draft, ", shapes: [{type: box, sides: [%g, %g, %g]}]", amount(draft), amount(draft), amount(draft));
        break;
    case 2:
        put(draft, ", shapes: [{type: capsule, radius: %g, length: %g}, {type: cylinder, radius: %g, length: %g}]",
            amount(draft), amount(draft), amount(draft), amount(draft));
        break;
    default:
        break;
    }
    put(draft, "}\n");
}

static void put_joint(Draft* draft, int i)
{
    static const char* const types[] = {"fixed", "ball", "hinge", "slider", "cylindrical", "universal", "distance"};
    unsigned type = choose(draft, 7);
    put(draft, "  j%d: {type: %s, a: ", i, types[type]);
    put_holder(draft);
    put(draft, ", b: ");
    put_holder(draft);
    put_point(draft, "point");
    if (type >= 2 && type <= 5)
        put_point(draft, "axis");
    if (type == 6)
        put_point(draft, "point_b");
    if (type == 2 && choose(draft, 2))
        put(draft, ", turn: {limits: [%g, 1], speed: %g}", -amount(draft), coordinate(draft));
    put(draft, "}\n");
}

static void put_place(Draft* draft, bool isEnd)
{
    static const char* const ends[] = {"attach", "attach", "attach", "winch", "free"};
    static const char* const inner[] = {"eye", "sheave", "attach"};
    const char* type = isEnd ? ends[choose(draft, 5)] : inner[choose(draft, 3)];
    put(draft, "      - {%s: ", type);
    if (strcmp(type, "free") == 0)
        put(draft, "world");
    else
        put_holder(draft);
    put_point(draft, "point");
    if (strcmp(type, "sheave") == 0)
        put(draft, ", radius: %g", amount(draft));
    if (strcmp(type, "winch") == 0 && choose(draft, 2))
        put(draft, ", speed: %g, stored: %g", coordinate(draft), amount(draft));
    put(draft, "}\n");
}

static void put_cable(Draft* draft, int i)
{
    put(draft, "  c%d:\n    model: %s\n    diameter: %g mm\n", i, MODELS[choose(draft, 5)], amount(draft));
    unsigned wanted = take_byte(&draft->from);
    if (wanted & 1)
        put(draft, "    EA: %g\n", 1e3 * amount(draft));
    if (wanted & 2)
        put(draft, "    mass_per_length: %g\n", amount(draft));
    if (wanted & 4)
        put(draft, "    bending_stiffness: %g\n", amount(draft));
    if (wanted & 8)
        put(draft, "    GJ: %g\n", amount(draft));
    if (wanted & 16)
        put(draft, "    collides: true\n");
    if (wanted & 32)
        put(draft, "    length: %g\n", amount(draft));
    if (wanted & 64)
        put(draft, "    breaks_at: %g\n", 100 * amount(draft));
    put(draft, "    elements: %u\n    route:\n", 2 + choose(draft, 6));
    unsigned places = 2 + choose(draft, 3);
    for (unsigned k = 0; k < places; ++k)
        put_place(draft, k == 0 || k + 1 == places);
}

static void put_events(Draft* draft)
{
    static const char* const acts[] = {"break", "change", "hook", "grasp", "let_go"};
    unsigned count = choose(draft, 3), act;
    put(draft, count > 0 ? "events:\n" : "");
    for (unsigned i = 0; i < count; ++i) {
        act = choose(draft, 5);
        put(draft, "  - {at: %g, %s: c%u", 0.01 * (1 + choose(draft, 4)), acts[act],
            choose(draft, (unsigned)draft->cables));
        if (act == 1)
            put(draft, ", model: %s", MODELS[choose(draft, 5)]);
        if (act >= 2) {
            put(draft, ", to: ");
            put_holder(draft);
        }
        if (act == 2)
            put_point(draft, "point");
        if (act == 3)
            put(draft, ", along: %g", amount(draft));
        put(draft, "}\n");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static Draft draft;
    draft.from = (Bytes){data, size};
    draft.length = 0;
    draft.bodies = 1 + (int)choose(&draft, BODIES);
    draft.cables = 1 + (int)choose(&draft, CABLES);
    put(&draft, "reeve: 1\nstep: 0.01\n%sbodies:\n", choose(&draft, 2) ? "ground: -3\n" : "");
    for (int i = 0; i < draft.bodies; ++i)
        put_body(&draft, i);
    int joints = (int)choose(&draft, JOINTS + 1);
    put(&draft, joints > 0 ? "joints:\n" : "");
    for (int i = 0; i < joints; ++i)
        put_joint(&draft, i);
    put(&draft, "cables:\n");
    for (int i = 0; i < draft.cables; ++i)
        put_cable(&draft, i);
    put_events(&draft);
    rvSceneLimits limits = small_limits();
    rvScene* scene = load(draft.text, draft.length, &limits);
    if (getenv("FUZZ_PRINT"))
        fprintf(stderr, "%s%s", draft.text, scene ? "" : "(refused)\n");
    if (!scene)
        return 0;
    check_round_trip(scene);
    run_scene(scene, 5);
    rvScene_Destroy(scene);
    return 0;
}
