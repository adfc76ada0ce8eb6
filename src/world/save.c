// SPDX-License-Identifier: MIT
// The state as bytes: backup of a step, images, hash.
//
// Image: header, then the state in a fixed order: world, bodies, joints, cables, contacts. The header holds a signature
// of the structure (what exists, of which type, with which generation), so that an image goes back only into a world
// that was built the same way, and a checksum of the bytes. A checksum can be forged, so numbers that no run can have
// (not finite, beyond their range) are refused as well; contacts look after their own part.
#include "base/hash.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/winch.h"
#include "cable/taut/cable_contact.h"
#include "world/world.h"

#include <string.h>

#define IMAGE_MAGIC 0x3152455645455252ull // "RREEVER1"
enum { IMAGE_VERSION = 1 };

typedef struct {
    uint64_t magic, version, signature, size, checksum;
} ImageHeader;

static uint64_t hash_pool(uint64_t hash, const rvIdPool* pool)
{
    hash = rv_hash_number(hash, (uint64_t)pool->count);
    return rv_hash_bytes(hash, pool->generations, (size_t)pool->count * sizeof(uint32_t));
}

// The inner state of a cable: what a step changes is behind its places; what a step keeps is behind all the rest, since
// the backup has none of it.
static const rvModelState* inner_of(const rvCable* cable)
{
    return &rv_cable_ops(cable)->state;
}

static const rvModelState* kept_of(const rvCable* cable)
{
    return &rv_cable_ops(cable)->kept;
}

static size_t size_of(const rvModelState* part, const rvCable* cable)
{
    return cable->inner && part->size ? part->size(cable) : 0;
}

static uint64_t signature_of(const rvWorld* world)
{
    uint64_t hash = RV_HASH_SEED;
    hash = hash_pool(hash, &world->bodies.pool);
    hash = hash_pool(hash, &world->joints.pool);
    hash = hash_pool(hash, &world->shapes.pool);
    hash = hash_pool(hash, &world->cables.pool);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        hash = rv_hash_number(hash, (uint64_t)world->bodies.items[i].type);
    for (int i = 0; i < world->joints.pool.count; ++i)
        hash = rv_hash_number(hash, (uint64_t)world->joints.items[i].type);
    for (int i = 0; i < world->cables.pool.count; ++i)
        hash = rv_hash_number(hash, (uint64_t)world->cables.items[i].definedCount << 32 |
                                        (uint64_t)world->cables.items[i].route.capacity);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        hash = rv_hash_number(hash, size_of(inner_of(cable), cable) + size_of(kept_of(cable), cable));
        hash = rv_hash_number(hash, (uint64_t)cable->model);
    }
    return rv_hash_number(hash, (uint64_t)world->def.maxContacts);
}

static size_t cable_size(const rvCable* cable)
{
    return sizeof(rvCableState) + (size_t)cable->route.capacity * sizeof(rvPlaceState) +
           size_of(inner_of(cable), cable);
}

// Where ropes touch ropes, behind the cables.
static size_t ropes_size(const rvWorld* world)
{
    return (size_t)rv_rope_points_room(&world->cables) * sizeof(rvRopeMemory);
}

size_t rv_world_state_size(const rvWorld* world)
{
    size_t cables = 0;
    for (int i = 0; i < world->cables.pool.count; ++i)
        cables += cable_size(&world->cables.items[i]);
    return cables + ropes_size(world) + sizeof(rvWorldState) + (size_t)world->bodies.pool.count * RV_BODY_SAVED +
           (size_t)world->joints.pool.count * sizeof(rvJointState) + rv_contacts_state_size(world->contacts);
}

static void put(uint8_t** bytes, const void* from, size_t size)
{
    memcpy(*bytes, from, size);
    *bytes += size;
}

static void get(const uint8_t** bytes, void* to, size_t size)
{
    memcpy(to, *bytes, size);
    *bytes += size;
}

static const uint8_t* saved_of(const rvBody* body)
{
    return (const uint8_t*)body + offsetof(rvBody, mass);
}

// With the number of places, which the cable knows elsewhere.
static rvCableState state_of(const rvCable* cable)
{
    rvCableState state = cable->state;
    state.places = cable->route.placeCount;
    return state;
}

void rv_world_write_state(const rvWorld* world, uint8_t* bytes)
{
    put(&bytes, &world->state, sizeof world->state);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        put(&bytes, saved_of(&world->bodies.items[i]), RV_BODY_SAVED);
    for (int i = 0; i < world->joints.pool.count; ++i)
        put(&bytes, &world->joints.items[i].state, sizeof(rvJointState));
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        double places = cable->route.placeCount; // its first number, which the cable knows elsewhere
        put(&bytes, &cable->state, sizeof(rvCableState));
        memcpy(bytes - sizeof(rvCableState), &places, sizeof places);
        size_t each = rv_cable_place_size(cable);
        for (int k = 0; k < cable->route.placeCount; ++k)
            memcpy(bytes + (size_t)k * sizeof(rvPlaceState), &cable->route.places[k].state, each);
        bytes += (size_t)cable->route.capacity * sizeof(rvPlaceState);
        size_t inner = size_of(inner_of(cable), cable);
        if (inner > 0)
            inner_of(cable)->write(cable, bytes);
        bytes += inner;
    }
    size_t ropes = ropes_size(world);
    if (ropes > 0)
        put(&bytes, world->cables.ropeMemories, ropes);
    rv_contacts_save(world->contacts, bytes);
}

static void read_cable(rvWorld* world, int index, const uint8_t** bytes)
{
    rvCable* cable = &world->cables.items[index];
    get(bytes, &cable->state, sizeof(rvCableState));
    rv_cable_read_places(cable, &world->bodies, world->cables.spare, *bytes, (int)cable->state.places);
    *bytes += (size_t)cable->route.capacity * sizeof(rvPlaceState);
    size_t inner = size_of(inner_of(cable), cable);
    if (inner > 0)
        inner_of(cable)->read(cable, *bytes);
    *bytes += inner;
}

void rv_world_put_back_cable(rvWorld* world, int index, const uint8_t* bytes)
{
    bytes += sizeof(rvWorldState) + (size_t)world->bodies.pool.count * RV_BODY_SAVED +
             (size_t)world->joints.pool.count * sizeof(rvJointState);
    for (int i = 0; i < index; ++i)
        bytes += cable_size(&world->cables.items[i]);
    read_cable(world, index, &bytes);
    rv_cables_lay(&world->cables, &world->bodies);
}

static void read_state(rvWorld* world, const uint8_t* bytes)
{
    get(&bytes, &world->state, sizeof world->state);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        get(&bytes, (uint8_t*)&world->bodies.items[i] + offsetof(rvBody, mass), RV_BODY_SAVED);
    for (int i = 0; i < world->joints.pool.count; ++i)
        get(&bytes, &world->joints.items[i].state, sizeof(rvJointState));
    for (int i = 0; i < world->cables.pool.count; ++i)
        read_cable(world, i, &bytes);
    if (ropes_size(world) > 0)
        get(&bytes, world->cables.ropeMemories, ropes_size(world));
    rv_contacts_restore(world->contacts, bytes);
}

void rv_world_put_back(rvWorld* world, const uint8_t* bytes)
{
    world->begun = 0.0;
    read_state(world, bytes);
    rv_cables_lay(&world->cables, &world->bodies);
}

static size_t image_size(const rvWorld* world)
{
    size_t size = rv_world_state_size(world);
    for (int i = 0; i < world->cables.pool.count; ++i)
        size += size_of(kept_of(&world->cables.items[i]), &world->cables.items[i]);
    return size;
}

size_t rvWorld_Save(const rvWorld* world, void* image, size_t capacity)
{
    size_t stateSize = image_size(world);
    size_t size = sizeof(ImageHeader) + stateSize;
    if (!image || capacity < size)
        return size;
    uint8_t* bytes = image;
    memset(bytes, 0, size);
    rv_world_write_state(world, bytes + sizeof(ImageHeader));
    uint8_t* behind = bytes + sizeof(ImageHeader) + rv_world_state_size(world);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        size_t kept = size_of(kept_of(cable), cable);
        if (kept > 0)
            kept_of(cable)->write(cable, behind);
        behind += kept;
    }
    ImageHeader header = {IMAGE_MAGIC, IMAGE_VERSION, signature_of(world), stateSize,
                          rv_hash_bytes(IMAGE_MAGIC, bytes + sizeof(ImageHeader), stateSize)};
    memcpy(bytes, &header, sizeof header);
    return size;
}

static bool all_finite(const void* doubles, size_t size)
{
    for (size_t i = 0; i < size / sizeof(double); ++i) {
        double number;
        memcpy(&number, (const uint8_t*)doubles + i * sizeof number, sizeof number);
        if (!isfinite(number))
            return false;
    }
    return true;
}

static bool is_mode(double mode)
{
    return mode == RV_ROW_FREE || mode == RV_ROW_LOWER || mode == RV_ROW_UPPER;
}

// Its mass, as check_mass of body.c has it.
static bool mass_is_sound(const rvBody* body, rvBodyType type)
{
    rvQuat q = body->principalAxes;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    bool may = type == RV_BODY_DYNAMIC || type == RV_BODY_PROXY, must = type == RV_BODY_DYNAMIC;
    bool sound = body->mass > 0.0 ? may && body->mass <= RV_LARGEST_MASS : body->mass == 0.0 && !must;
    bool turns = body->principal.x > 0.0 && body->principal.y > 0.0 && body->principal.z > 0.0;
    return sound && (turns || body->mass == 0.0) && fabs(norm - 1.0) < 1e-6;
}

static bool body_is_sound(const uint8_t* bytes, rvBodyType type)
{
    rvBody body = {0};
    if (!all_finite(bytes, RV_BODY_SAVED))
        return false;
    memcpy((uint8_t*)&body + offsetof(rvBody, mass), bytes, RV_BODY_SAVED);
    rvBodyState s = body.state;
    double norm = s.q.w * s.q.w + s.q.x * s.q.x + s.q.y * s.q.y + s.q.z * s.q.z;
    // a step of at most 1 s goes beyond the last position that was checked
    double farthest = RV_LARGEST_POSITION + RV_LARGEST_SPEED;
    return mass_is_sound(&body, type) && rvLength(s.x) <= farthest && rvLength(s.v) <= RV_LARGEST_SPEED &&
           rvLength(s.w) <= RV_LARGEST_SPIN && fabs(norm - 1.0) < 1e-6;
}

// The axes' bytes are looked at before they become a bool and an enum.
static bool joint_is_sound(const uint8_t* bytes)
{
    rvJointState s;
    for (int i = 0; i < 2; ++i) {
        const uint8_t* axis = bytes + offsetof(rvJointState, axes) + (size_t)i * sizeof(rvJointAxis);
        unsigned motor;
        memcpy(&motor, axis + offsetof(rvJointAxis, motor), sizeof motor);
        if (axis[offsetof(rvJointAxis, limited)] > 1 || motor > RV_MOTOR_POSITION)
            return false;
    }
    memcpy(&s, bytes, sizeof s);
    bool sound = all_finite(&s, offsetof(rvJointState, axes)) && all_finite(s.atLimit, sizeof s.atLimit) &&
                 isfinite(s.work) && s.length >= 0.0;
    for (int i = 0; i < RV_JOINT_MAX_ROWS; ++i)
        sound = sound && is_mode(s.mode[i]);
    for (int i = 0; i < 2; ++i) {
        const rvJointAxis* axis = &s.axes[i];
        sound = sound && (!axis->limited || axis->lower <= axis->upper) && isfinite(axis->target) &&
                axis->maxSpeed > 0.0 && axis->maxForce >= 0.0 && axis->friction >= 0.0;
    }
    return sound;
}

// The numbers of a place but for its node, which holds integers.
static bool place_is_sound(const rvPlaceState* s, const rvWorld* world)
{
    bool sound = all_finite(s, offsetof(rvPlaceState, node)) &&
                 all_finite(&s->localIn, sizeof *s - offsetof(rvPlaceState, localIn)) && is_mode(s->mode) &&
                 is_mode(s->bearingMode) && is_mode(s->motorMode) && s->rest >= 0.0 && fabs(s->angle) < 1e6 &&
                 s->driveTorque >= 0.0;
    return sound && (s->contact == 0.0 || rv_cable_contact_is_sound(s, &world->shapes));
}

static bool cable_is_sound(const uint8_t* bytes, const rvCable* cable, const rvWorld* world)
{
    rvCableState s;
    memcpy(&s, bytes, sizeof s);
    rvError ignored;
    bool sound = s.restLength > 0.0 && is_mode(s.mode) && fabs(s.twist) < 1e9 && s.twistTurns == round(s.twistTurns) &&
                 all_finite(&s, offsetof(rvCableState, winch)) &&
                 all_finite(s.winchRate, sizeof s - offsetof(rvCableState, winchRate));
    sound = sound && (s.winchEnd == 0.0 || s.winchEnd == 1.0);
    for (int i = 0; i < 2; ++i) {
        if (!cable->hasWinch[i])
            continue; // a place that is no winch may carry any numbers of one: nothing reads them
        rvWinchDef def;
        double radius = cable->route.places[rv_cable_winch_place(cable, i)].radius;
        sound = sound && rv_winch_to_def(&s.winch[i], &def) &&
                rv_winch_check(&ignored, "", 0, &def, radius, cable->diameter) == RV_OK;
    }
    sound = sound && s.places >= cable->definedCount && s.places <= cable->route.capacity;
    bytes += sizeof s;
    sound = sound && (s.waveSide == 0.0 || s.waveSide == 1.0);
    sound = sound && s.stopped >= 0.0 && s.stopped <= cable->definedCount && s.stopped == round(s.stopped);
    int count = sound ? (int)s.places : 0, defined = 0;
    for (int i = 0; i < count; ++i, bytes += sizeof(rvPlaceState)) {
        rvPlaceState place;
        memcpy(&place, bytes, sizeof place);
        bool end = i == 0 || i == count - 1;
        sound = sound && place_is_sound(&place, world) && !(end && place.contact != 0.0);
        sound = sound && rv_cable_place_is_sound(cable, &place, i < count - 1);
        defined += place.contact == 0.0;
    }
    return sound && defined == cable->definedCount;
}

// Could a run have these numbers?
static bool state_is_sound(const rvWorld* world, const uint8_t* bytes)
{
    rvWorldState state;
    memcpy(&state, bytes, sizeof state);
    bool sound = isfinite(state.time) && rvIsFiniteVec(state.gravity) && state.h >= 0.0 && state.h <= 1.0 &&
                 isfinite(state.work) && isfinite(state.contactHeat) && isfinite(state.turningHeat) &&
                 isfinite(state.goneHeat) && isfinite(state.guardHeat);
    bytes += sizeof(rvWorldState);
    for (int i = 0; i < world->bodies.pool.count; ++i, bytes += RV_BODY_SAVED)
        sound = sound && (!rv_body_alive(&world->bodies, i) || body_is_sound(bytes, world->bodies.items[i].type));
    for (int i = 0; i < world->joints.pool.count; ++i, bytes += sizeof(rvJointState))
        sound = sound && (!rv_id_pool_alive(&world->joints.pool, i) || joint_is_sound(bytes));
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        sound = sound && (!rv_id_pool_alive(&world->cables.pool, i) || cable_is_sound(bytes, cable, world));
        bytes += sizeof(rvCableState) + (size_t)cable->route.capacity * sizeof(rvPlaceState);
        size_t inner = size_of(inner_of(cable), cable);
        sound = sound && all_finite(bytes, inner);
        bytes += inner;
    }
    for (int i = 0; i < rv_rope_points_room(&world->cables); ++i, bytes += sizeof(rvRopeMemory)) {
        rvRopeMemory entry;
        memcpy(&entry, bytes, sizeof entry);
        sound = sound && rv_rope_memory_is_sound(&world->cables, &entry);
    }
    bytes += rv_contacts_state_size(world->contacts);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        size_t kept = size_of(kept_of(&world->cables.items[i]), &world->cables.items[i]);
        sound = sound && all_finite(bytes, kept);
        bytes += kept;
    }
    return sound;
}

rvStatus rvWorld_Restore(rvWorld* world, const void* image, size_t size)
{
    ImageHeader header;
    if (!image || size < sizeof header)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is %zu bytes, too short for a header of %zu", size,
                       sizeof header);
    memcpy(&header, image, sizeof header);
    const uint8_t* bytes = (const uint8_t*)image + sizeof header;
    if (header.magic != IMAGE_MAGIC)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is no saved state");
    if (header.version != IMAGE_VERSION)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: has version %llu, this library reads %d",
                       (unsigned long long)header.version, IMAGE_VERSION);
    if (header.signature != signature_of(world))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is of a world that was built otherwise");
    if (header.size != size - sizeof header || header.size != image_size(world))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is %zu bytes, its header says %llu", size,
                       (unsigned long long)(header.size + sizeof header));
    if (header.checksum != rv_hash_bytes(IMAGE_MAGIC, bytes, (size_t)header.size))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is damaged (the checksum does not fit)");
    if (!state_is_sound(world, bytes))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: holds numbers that no run can have");
    rv_world_put_back(world, bytes);
    bytes += rv_world_state_size(world);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        rvCable* cable = &world->cables.items[i];
        size_t kept = size_of(kept_of(cable), cable);
        if (kept > 0)
            kept_of(cable)->read(cable, bytes);
        bytes += kept;
    }
    return RV_OK;
}

// Field by field where the compiler may leave gaps in a struct.
static uint64_t hash_joint(uint64_t hash, const rvJointState* s)
{
    hash = rv_hash_bytes(hash, s, offsetof(rvJointState, axes));
    for (int i = 0; i < 2; ++i) {
        const rvJointAxis* axis = &s->axes[i];
        const double numbers[] = {axis->lower,    axis->upper,    axis->target,
                                  axis->maxSpeed, axis->maxForce, axis->friction};
        hash = rv_hash_number(hash, (uint64_t)axis->limited | (uint64_t)axis->motor << 1);
        hash = rv_hash_bytes(hash, numbers, sizeof numbers);
    }
    return rv_hash_bytes(hash, s->atLimit, sizeof(rvJointState) - offsetof(rvJointState, atLimit));
}

uint64_t rvWorld_Hash(const rvWorld* world)
{
    uint64_t hash = rv_hash_bytes(IMAGE_MAGIC, &world->state, sizeof world->state);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        hash = rv_hash_bytes(hash, saved_of(&world->bodies.items[i]), RV_BODY_SAVED);
    for (int i = 0; i < world->joints.pool.count; ++i)
        hash = hash_joint(hash, &world->joints.items[i].state);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        rvCableState state = state_of(cable);
        hash = rv_hash_bytes(hash, &state, sizeof state);
        for (int k = 0; k < cable->route.placeCount; ++k)
            hash = rv_hash_bytes(hash, &cable->route.places[k].state, sizeof(rvPlaceState));
        if (cable->inner)
            hash = rv_cable_ops(cable)->hash(cable, hash);
    }
    if (ropes_size(world) > 0)
        hash = rv_hash_bytes(hash, world->cables.ropeMemories, ropes_size(world));
    return rv_contacts_hash(world->contacts, hash);
}
