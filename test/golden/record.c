// SPDX-License-Identifier: MIT
#include "record.h"

#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { HASH_SIZE = 6, POINTS = 4096 };

typedef struct {
    double values[GOLDEN_VALUES];
    int count;
    uint64_t hash;
} Sample;

static void hash_one(Sample* sample, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; ++k)
        sample->hash = (sample->hash ^ (bits >> 8 * k & 0xff)) * 0x100000001b3ull;
}

static void add(Sample* sample, double value)
{
    hash_one(sample, value);
    if (sample->count < GOLDEN_VALUES)
        sample->values[sample->count++] = value;
}

static void add_vec(Sample* sample, rvVec3 v)
{
    add(sample, v.x);
    add(sample, v.y);
    add(sample, v.z);
}

static rvGoldenObject* find_object(rvGolden* golden, const char* name)
{
    for (int i = 0; i < golden->objectCount; ++i)
        if (strcmp(golden->objects[i].name, name) == 0)
            return &golden->objects[i];
    if (golden->objectCount == GOLDEN_OBJECTS) {
        golden->failed = true;
        return NULL;
    }
    rvGoldenObject* object = &golden->objects[golden->objectCount++];
    snprintf(object->name, sizeof object->name, "%s", name);
    return object;
}

static void put_hash(rvGoldenObject* object, int sample, uint32_t hash)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    char text[HASH_SIZE];
    while (object->hashes.size < (size_t)sample * HASH_SIZE)
        rv_bytes_add(&object->hashes, "......", HASH_SIZE);
    for (int k = 0; k < HASH_SIZE; ++k)
        text[k] = digits[hash >> 6 * k & 63];
    rv_bytes_add(&object->hashes, text, HASH_SIZE);
}

static void take(rvGolden* golden, const char* name, const Sample* sample)
{
    rvGoldenObject* object = find_object(golden, name);
    if (!object)
        return;
    if (golden->printed == golden->steps) {
        printf("%s", name);
        for (int i = 0; i < sample->count; ++i)
            printf(" %.17g", sample->values[i]);
        printf("\n");
    }
    put_hash(object, golden->samples, (uint32_t)(sample->hash ^ sample->hash >> 32));
    memcpy(object->last, sample->values, sizeof object->last);
    object->lastCount = sample->count;
}

static void note_bodies(rvGolden* golden, rvWorld* world)
{
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        if (!rv_id_pool_alive(&world->bodies.pool, i))
            continue;
        rvBodyId id = {(uint32_t)i + 1, world->bodies.pool.generations[i]};
        char name[64];
        Sample sample = {.hash = 0xcbf29ce484222325ull};
        rvPose pose = rvBody_GetPose(world, id);
        add_vec(&sample, pose.p);
        add(&sample, pose.q.w);
        add_vec(&sample, rvVec(pose.q.x, pose.q.y, pose.q.z));
        add_vec(&sample, rvBody_GetVelocity(world, id));
        add_vec(&sample, rvBody_GetAngularVelocity(world, id));
        snprintf(name, sizeof name, "body%d", i);
        take(golden, name, &sample);
    }
}

static void note_cables(rvGolden* golden, rvWorld* world)
{
    static rvVec3 points[POINTS];
    for (int i = 0; i < world->cables.pool.count; ++i) {
        if (!rv_id_pool_alive(&world->cables.pool, i))
            continue;
        rvCableId id = rv_world_cable_id(world, i);
        char name[64];
        Sample sample = {.hash = 0xcbf29ce484222325ull};
        for (int k = 0; k < rvCable_GetPlaceCount(world, id) - 1; ++k)
            add(&sample, rvCable_GetTension(world, id, k));
        add(&sample, rvCable_GetLength(world, id));
        add(&sample, rvCable_GetRestLength(world, id));
        rvCableEnergy e = rvCable_GetEnergy(world, id);
        add(&sample, e.stretch);
        add(&sample, e.twist);
        add(&sample, e.kinetic);
        add(&sample, e.potential);
        add(&sample, e.heat);
        add(&sample, e.work);
        add(&sample, rvCable_GetTwistTorque(world, id));
        int count = rvCable_GetShape(world, id, points, POINTS);
        for (int k = 0; k < count && k < POINTS; ++k) {
            hash_one(&sample, points[k].x);
            hash_one(&sample, points[k].y);
            hash_one(&sample, points[k].z);
        }
        snprintf(name, sizeof name, "cable%d", i);
        take(golden, name, &sample);
    }
}

static void note_energy(rvGolden* golden, rvWorld* world)
{
    Sample sample = {.hash = 0xcbf29ce484222325ull};
    rvEnergy e = rvWorld_GetEnergy(world);
    add(&sample, e.kinetic);
    add(&sample, e.potential);
    add(&sample, e.elastic);
    add(&sample, e.heat);
    add(&sample, e.work);
    add(&sample, e.dampingHeat);
    add(&sample, e.jointHeat);
    add(&sample, e.contactHeat);
    add(&sample, e.turningHeat);
    add(&sample, e.guard);
    take(golden, "energy", &sample);
}

void golden_note(void* context, rvWorld* world)
{
    rvGolden* golden = context;
    golden->steps += 1;
    if ((golden->steps - 1) % GOLDEN_EVERY != 0)
        return;
    note_bodies(golden, world);
    note_cables(golden, world);
    note_energy(golden, world);
    golden->samples += 1;
}

void golden_write(rvGolden* golden, const char* run, bool failed, rvBytes* text)
{
    rv_bytes_printf(text, "run %s\nended %d %s\n", run, golden->steps, failed ? "failed" : "ok");
    for (int i = 0; i < golden->objectCount; ++i) {
        rvGoldenObject* object = &golden->objects[i];
        rv_bytes_printf(text, "hash %s ", object->name);
        rv_bytes_add(text, object->hashes.data, object->hashes.size);
        rv_bytes_printf(text, "\nlast %s", object->name);
        for (int k = 0; k < object->lastCount; ++k) {
            uint64_t bits;
            memcpy(&bits, &object->last[k], sizeof bits);
            rv_bytes_printf(text, " %llx", (unsigned long long)bits);
        }
        rv_bytes_printf(text, "\n");
        text->failed = text->failed || object->hashes.failed;
        rv_bytes_release(&object->hashes);
    }
    text->failed = text->failed || golden->failed;
    memset(golden, 0, sizeof *golden);
}
