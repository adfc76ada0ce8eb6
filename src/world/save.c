// SPDX-License-Identifier: MIT
// The state: backup of a step, images, hash.
//
// One walk (visit_world) goes over the state in a fixed order: world, bodies, joints, cables, where ropes touch ropes,
// contacts. An image is a header, a fingerprint of how each object was made (fingerprint.h), so that an image goes back
// only into a world that was made the same way, and the numbers of that walk. Its checksum can be forged, so numbers
// that no run can have (not finite, beyond their range) are refused as well; contacts drop those of their own.
#include "base/hash.h"
#include "cable/line/crossing_elements.h"
#include "cable/route/route.h"
#include "cable/route/winch.h"
#include "cable/taut/cable_contact.h"
#include "world/fingerprint.h"
#include "world/world.h"

#include <string.h>

#define IMAGE_MAGIC 0x3152455645455252ull // "RREEVER1"
enum { IMAGE_VERSION = 2 };

typedef struct {
    uint64_t magic, version, prints, size, checksum; // prints: how many fingerprints come next; size: of all that does
} ImageHeader;

// ---- checks: could a run have these numbers?

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

static void check_world(rvVisitor* v, const void* bytes)
{
    rvWorldState s;
    memcpy(&s, bytes, sizeof s);
    rv_visit_require(v, "world",
                     isfinite(s.time) && rvIsFiniteVec(s.gravity) && s.h >= 0.0 && s.h <= 1.0 && isfinite(s.work) &&
                         isfinite(s.contactHeat) && isfinite(s.turningHeat) && isfinite(s.goneHeat) &&
                         isfinite(s.guardHeat) && s.proxyLead >= 0.0 && s.proxyLead <= 0.5);
}

static void check_body(rvVisitor* v, const void* bytes, rvBodyType type)
{
    rvBody body = {0};
    memcpy((uint8_t*)&body + offsetof(rvBody, mass), bytes, RV_BODY_SAVED);
    rvBodyState s = body.state;
    double norm = s.q.w * s.q.w + s.q.x * s.q.x + s.q.y * s.q.y + s.q.z * s.q.z;
    // a step of at most 1 s goes beyond the last position that was checked
    double farthest = RV_LARGEST_POSITION + RV_LARGEST_SPEED;
    rv_visit_require(v, "body",
                     mass_is_sound(&body, type) && rvLength(s.x) <= farthest && rvLength(s.v) <= RV_LARGEST_SPEED &&
                         rvLength(s.w) <= RV_LARGEST_SPIN && fabs(norm - 1.0) < 1e-6);
}

static bool axis_is_sound(const rvJointAxis* axis)
{
    return (!axis->limited || axis->lower <= axis->upper) && isfinite(axis->target) && axis->maxSpeed > 0.0 &&
           axis->maxForce >= 0.0 && axis->friction >= 0.0;
}

// The numbers of a place but for its node, which holds integers.
static void check_place(rvVisitor* v, const rvPlaceState* s, const rvWorld* world)
{
    bool sound = is_mode(s->mode) && is_mode(s->bearingMode) && is_mode(s->motorMode) && s->rest >= 0.0 &&
                 fabs(s->angle) < 1e6 && s->driveTorque >= 0.0;
    sound = sound && (s->contact == 0.0 || rv_cable_contact_is_sound(s, &world->shapes));
    rv_visit_require(v, "place", sound);
}

// Answers how many places it has.
static int check_cable(rvVisitor* v, const void* bytes, const rvCable* cable)
{
    rvCableState s;
    memcpy(&s, bytes, sizeof s);
    bool sound = s.restLength > 0.0 && fabs(s.twist) < 1e9 && s.twistTurns == round(s.twistTurns);
    sound = sound && s.stopped >= 0.0 && s.stopped <= cable->definedCount && s.stopped == round(s.stopped);
    rv_visit_require(v, "cable", sound);
    sound = s.places >= cable->definedCount && s.places <= cable->route.capacity;
    rv_visit_require(v, "places", sound);
    v->places = sound ? (int)s.places : 0;
    return v->places;
}

// ---- the walk

static void visit_world_state(rvVisitor* v, rvWorldState* s)
{
    const void* at = rv_visit_bytes(v, s, sizeof *s);
    if (v->kind == RV_VISIT_CHECK)
        check_world(v, at);
}

static void visit_bodies(rvVisitor* v, rvBodyStore* bodies)
{
    for (int i = 0; i < bodies->pool.count; ++i) {
        rvBody* body = &bodies->items[i];
        if (!rv_body_alive(bodies, i))
            continue;
        const void* at = rv_visit_numbers(v, "body", (uint8_t*)body + offsetof(rvBody, mass), RV_BODY_SAVED);
        if (v->kind == RV_VISIT_CHECK)
            check_body(v, at, body->type);
    }
}

// An axis holds a bool and an enum, so it is visited as numbers of their own.
static void visit_axis(rvVisitor* v, rvJointAxis* axis)
{
    double numbers[] = {axis->limited, axis->motor,    axis->lower,    axis->upper,
                        axis->target,  axis->maxSpeed, axis->maxForce, axis->friction};
    const void* at = rv_visit_bytes(v, numbers, sizeof numbers);
    if (v->kind != RV_VISIT_READ && v->kind != RV_VISIT_CHECK)
        return;
    memcpy(numbers, at, sizeof numbers);
    bool known = numbers[0] == 0.0 || numbers[0] == 1.0;
    known = known && numbers[1] >= 0.0 && numbers[1] <= RV_MOTOR_POSITION && numbers[1] == floor(numbers[1]);
    rvJointAxis read = {.limited = known && numbers[0] != 0.0,
                        .motor = known ? (rvMotorMode)numbers[1] : RV_MOTOR_OFF,
                        .lower = numbers[2],
                        .upper = numbers[3],
                        .target = numbers[4],
                        .maxSpeed = numbers[5],
                        .maxForce = numbers[6],
                        .friction = numbers[7]};
    rv_visit_require(v, "joint axis", known && axis_is_sound(&read));
    if (v->kind == RV_VISIT_READ)
        *axis = read;
}

static void visit_joints(rvVisitor* v, rvJointStore* joints)
{
    for (int i = 0; i < joints->pool.count; ++i) {
        rvJointState *s = &joints->items[i].state, read;
        if (!rv_id_pool_alive(&joints->pool, i))
            continue;
        const void* at = rv_visit_numbers(v, "joint", s, offsetof(rvJointState, axes));
        if (v->kind == RV_VISIT_CHECK) {
            memcpy(&read, at, offsetof(rvJointState, axes));
            bool sound = read.length >= 0.0;
            for (int k = 0; k < RV_JOINT_MAX_ROWS; ++k)
                sound = sound && is_mode(read.mode[k]);
            rv_visit_require(v, "joint", sound);
        }
        visit_axis(v, &s->axes[0]);
        visit_axis(v, &s->axes[1]);
        rv_visit_numbers(v, "joint", s->atLimit, sizeof *s - offsetof(rvJointState, atLimit));
    }
}

// What a run can change of a place: nothing of contacts where the cable has none.
static void visit_place(rvVisitor* v, const rvCable* cable, rvPlaceState* s, rvPlaceState* checked)
{
    size_t size = rv_cable_place_size(cable), node = offsetof(rvPlaceState, node), in = offsetof(rvPlaceState, localIn);
    uint8_t* bytes = (uint8_t*)s;
    size_t first = size < node ? size : node;
    const void* at[3] = {rv_visit_numbers(v, "place", bytes, first)};
    if (size > node) {
        at[1] = rv_visit_bytes(v, &s->node, in - node);
        at[2] = rv_visit_numbers(v, "place", bytes + in, size - in);
    }
    if (!checked)
        return;
    *checked = (rvPlaceState){0};
    memcpy(checked, at[0], first);
    if (size > node) {
        memcpy(&checked->node, at[1], in - node);
        memcpy((uint8_t*)checked + in, at[2], size - in);
    }
}

static void check_places(rvVisitor* v, const rvCable* cable, const rvWorld* world, int count)
{
    int defined = 0;
    for (int i = 0; i < count; ++i) {
        rvPlaceState s = {0};
        visit_place(v, cable, &s, &s);
        check_place(v, &s, world);
        bool end = i == 0 || i == count - 1;
        rv_visit_require(v, "place", !(end && s.contact != 0.0) && fabs(s.sag) <= RV_LARGEST_POSITION);
        defined += s.contact == 0.0;
    }
    rv_visit_require(v, "places", defined == cable->definedCount);
}

// Contacts come and go in a run, so places are made again where an image has others.
static void read_places(rvVisitor* v, rvWorld* world, rvCable* cable, int count)
{
    rvPlace* spare = world->cables.spare;
    rvRoute* route = &cable->route;
    if (count == cable->definedCount && route->placeCount == count) {
        for (int i = 0; i < count; ++i)
            visit_place(v, cable, &route->places[i].state, NULL);
        return;
    }
    int defined = 0;
    for (int i = 0; i < route->placeCount; ++i)
        if (route->places[i].type != RV_PLACE_CONTACT)
            spare[defined++] = route->places[i];
    defined = 0;
    for (int i = 0; i < count; ++i) {
        rvPlaceState s = {0};
        visit_place(v, cable, &s, NULL);
        if (s.contact != 0.0)
            route->places[i] = (rvPlace){.type = RV_PLACE_CONTACT, .body = (int)s.shapeBody, .friction = s.grip};
        else
            route->places[i] = spare[defined++];
        route->places[i].state = s;
    }
    route->placeCount = count;
    route->spanCount = count - 1;
    rv_route_collect_bodies(route, &world->bodies);
}

// Settings may be infinite. A place that is no winch may carry any numbers of one: nothing reads them.
static void visit_winch(rvVisitor* v, rvCable* cable, int i)
{
    rvWinch* winch = &cable->winch[i];
    const void* at = rv_visit_bytes(v, &winch->settings, sizeof winch->settings);
    if (v->kind == RV_VISIT_CHECK && winch->exists) {
        rvError ignored;
        rvWinchDef def;
        rvWinchSettings settings;
        memcpy(&settings, at, sizeof settings);
        double radius = cable->route.places[rv_cable_winch_place(cable, i)].radius;
        rv_visit_require(v, "winch",
                         rv_winch_to_def(&settings, &def) &&
                             rv_winch_check(&ignored, "", 0, &def, radius, cable->diameter) == RV_OK);
    }
    rv_visit_numbers(v, "winch", &winch->state, sizeof winch->state);
}

static void visit_cable(rvVisitor* v, rvWorld* world, rvCable* cable)
{
    bool checks = v->kind == RV_VISIT_CHECK;
    rvCableState state = cable->state;
    state.places = cable->route.placeCount; // the route counts them
    const void* at = rv_visit_numbers(v, "cable", &state, sizeof state);
    if (v->kind == RV_VISIT_READ)
        cable->state = state;
    int count = checks ? check_cable(v, at, cable) : (int)state.places;
    visit_winch(v, cable, 0);
    visit_winch(v, cable, 1);
    size_t begun = v->size;
    if (checks)
        check_places(v, cable, world, count);
    else if (v->kind == RV_VISIT_READ)
        read_places(v, world, cable, count);
    else
        for (int i = 0; i < count; ++i)
            visit_place(v, cable, &cable->route.places[i].state, NULL);
    rv_visit_gap(v, (size_t)cable->route.capacity * rv_cable_place_size(cable) - (v->size - begun));
    if (cable->inner)
        cable->model->life->visit(cable, v);
}

static void visit_rope_memories(rvVisitor* v, rvCableStore* cables)
{
    for (int i = 0; i < rv_rope_points_room(cables); ++i) {
        rvRopeMemory entry;
        const void* at = rv_visit_bytes(v, &cables->ropeMemories[i], sizeof entry);
        if (v->kind != RV_VISIT_CHECK)
            continue;
        memcpy(&entry, at, sizeof entry);
        rv_visit_require(v, "rope contact", rv_rope_memory_is_sound(cables, &entry));
    }
}

static void visit_all(rvVisitor* v, rvWorld* world)
{
    visit_world_state(v, &world->state);
    visit_bodies(v, &world->bodies);
    visit_joints(v, &world->joints);
    for (int i = 0; i < world->cables.pool.count; ++i)
        if (rv_id_pool_alive(&world->cables.pool, i))
            visit_cable(v, world, &world->cables.items[i]);
    if (world->cables.meeting > 0)
        visit_rope_memories(v, &world->cables);
    if (v->images || rv_world_has_contacts(world))
        rv_contacts_visit(world->contacts, v);
}

// Only RV_VISIT_READ changes the world.
static rvVisitor visit_world(const rvWorld* world, rvVisitor visitor)
{
    visit_all(&visitor, (rvWorld*)world);
    return visitor;
}

// ---- backup

size_t rv_world_state_size(const rvWorld* world)
{
    return visit_world(world, (rvVisitor){.kind = RV_VISIT_SIZE}).size;
}

void rv_world_write_state(const rvWorld* world, uint8_t* bytes)
{
    visit_world(world, (rvVisitor){.kind = RV_VISIT_WRITE, .to = bytes});
}

void rv_world_put_back(rvWorld* world, const uint8_t* bytes)
{
    world->begun = 0.0;
    visit_world(world, (rvVisitor){.kind = RV_VISIT_READ, .from = bytes});
    rv_cables_lay(&world->cables, &world->bodies);
}

void rv_world_put_back_cable(rvWorld* world, int index, const uint8_t* bytes)
{
    rvVisitor v = {.kind = RV_VISIT_SIZE};
    visit_world_state(&v, &world->state);
    visit_bodies(&v, &world->bodies);
    visit_joints(&v, &world->joints);
    for (int i = 0; i < index; ++i)
        if (rv_id_pool_alive(&world->cables.pool, i))
            visit_cable(&v, world, &world->cables.items[i]);
    v = (rvVisitor){.kind = RV_VISIT_READ, .from = bytes + v.size};
    visit_cable(&v, world, &world->cables.items[index]);
    rv_cables_lay(&world->cables, &world->bodies);
}

// ---- images

size_t rvWorld_Save(const rvWorld* world, void* image, size_t capacity)
{
    size_t stateSize = visit_world(world, (rvVisitor){.kind = RV_VISIT_SIZE, .images = true}).size;
    size_t prints = (size_t)rv_world_fingerprint_count(world), printSize = prints * sizeof(uint64_t);
    size_t size = sizeof(ImageHeader) + printSize + stateSize;
    if (!image || capacity < size)
        return size;
    uint8_t* behind = (uint8_t*)image + sizeof(ImageHeader);
    memset(image, 0, size);
    for (size_t i = 0; i < prints; ++i) {
        uint64_t print = rv_world_fingerprint(world, (int)i);
        memcpy(behind + i * sizeof print, &print, sizeof print);
    }
    visit_world(world, (rvVisitor){.kind = RV_VISIT_WRITE, .images = true, .to = behind + printSize});
    ImageHeader header = {IMAGE_MAGIC, IMAGE_VERSION, prints, printSize + stateSize,
                          rv_hash_bytes(IMAGE_MAGIC, behind, printSize + stateSize)};
    memcpy(image, &header, sizeof header);
    return size;
}

// Was this world made as the one of the image?
static rvStatus check_fingerprints(rvWorld* world, const uint8_t* bytes, uint64_t count)
{
    if (count != (uint64_t)rv_world_fingerprint_count(world))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is of a world with other objects");
    for (int i = 0; i < (int)count; ++i) {
        uint64_t print;
        char name[128];
        memcpy(&print, bytes + (size_t)i * sizeof print, sizeof print);
        if (print == rv_world_fingerprint(world, i))
            continue;
        rv_world_fingerprint_name(world, i, name, sizeof name);
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: %s is not as it was when the image was saved", name);
    }
    return RV_OK;
}

// What can be told without this world: is it an image, and whole?
static rvStatus check_header(rvWorld* world, const ImageHeader* header, const uint8_t* behind, size_t size)
{
    if (header->magic != IMAGE_MAGIC)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is no saved state");
    if (header->version != IMAGE_VERSION)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: has version %llu, this library reads %d",
                       (unsigned long long)header->version, IMAGE_VERSION);
    if (header->size != size - sizeof *header || header->prints > header->size / sizeof(uint64_t))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is %zu bytes, its header says %llu", size,
                       (unsigned long long)(header->size + sizeof *header));
    if (header->checksum != rv_hash_bytes(IMAGE_MAGIC, behind, (size_t)header->size))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is damaged (the checksum does not fit)");
    return RV_OK;
}

rvStatus rvWorld_Restore(rvWorld* world, const void* image, size_t size)
{
    ImageHeader header;
    if (!image || size < sizeof header)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is %zu bytes, too short for a header of %zu", size,
                       sizeof header);
    memcpy(&header, image, sizeof header);
    const uint8_t* bytes = (const uint8_t*)image + sizeof header;
    rvStatus status = check_header(world, &header, bytes, size);
    if (status == RV_OK)
        status = check_fingerprints(world, bytes, header.prints);
    if (status != RV_OK)
        return status;
    if (size != rvWorld_Save(world, NULL, 0))
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: is %zu bytes, must be %zu", size,
                       rvWorld_Save(world, NULL, 0));
    bytes += header.prints * sizeof(uint64_t);
    const char* unsound =
        visit_world(world, (rvVisitor){.kind = RV_VISIT_CHECK, .images = true, .from = bytes}).unsound;
    if (unsound)
        return rv_fail(&world->error, RV_BAD_IMAGE, "image: holds numbers that no run can have (%s)", unsound);
    world->begun = 0.0;
    visit_world(world, (rvVisitor){.kind = RV_VISIT_READ, .images = true, .from = bytes});
    rv_cables_lay(&world->cables, &world->bodies);
    return RV_OK;
}

uint64_t rvWorld_Hash(const rvWorld* world)
{
    return visit_world(world, (rvVisitor){.kind = RV_VISIT_HASH, .images = true, .hash = IMAGE_MAGIC}).hash;
}
