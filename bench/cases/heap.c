// SPDX-License-Identifier: MIT
// What heaps and stacks consist of, and ours that holds them.
#include "cases/heap.h"
#include "reeve/reeve.h"
#include "support/random.h"

#include <stdlib.h>

static const double DENSITY = 500.0; // of thrown bodies [kg/m^3]
static const double PITCH = 0.75;    // of the grid that they are thrown from: more than any of them is wide [m]
static const double PI = 3.14159265358979323846;

static rvVec3 random_vector(uint64_t* seed, double size)
{
    double x = rv_draw(seed) - 0.5, y = rv_draw(seed) - 0.5, z = rv_draw(seed) - 0.5;
    return rvVec(2.0 * size * x, 2.0 * size * y, 2.0 * size * z);
}

static rvVec3 diagonal_of(rvMat3 m)
{
    return rvVec(m.m[0][0], m.m[1][1], m.m[2][2]);
}

static void set_box(rvHeapBody* body, rvVec3 sides, double mass)
{
    body->shape = RV_HEAP_BOX;
    body->sides = sides;
    body->mass = mass;
    body->moments = diagonal_of(rvBoxInertia(mass, sides));
}

static void set_round(rvHeapBody* body, double radius, double length)
{
    body->shape = length > 0.0 ? RV_HEAP_CAPSULE : RV_HEAP_BALL;
    body->radius = radius;
    body->length = length;
    body->mass = DENSITY * PI * radius * radius * (length + 4.0 / 3.0 * radius);
    body->moments = diagonal_of(length > 0.0 ? rvCylinderInertia(body->mass, radius, length + radius)
                                             : rvBallInertia(body->mass, radius));
}

static void add_walls(rvHeapBody* walls, double width)
{
    const double thick = 0.5, high = 6.0, far = 0.5 * (width + thick);
    for (int i = 0; i < 4; i++) {
        double side = i % 2 ? 1.0 : -1.0;
        bool alongX = i < 2;
        set_box(&walls[i], alongX ? rvVec(width + 2 * thick, thick, high) : rvVec(thick, width + 2 * thick, high), 0.0);
        walls[i].pose =
            (rvPose){alongX ? rvVec(0, side * far, 0.5 * high) : rvVec(side * far, 0, 0.5 * high), rvQuatIdentity()};
    }
}

rvHeap rv_heap_throw(int count)
{
    rvHeap heap = {calloc((size_t)count + 4, sizeof(rvHeapBody)), count + 4};
    if (!heap.bodies)
        return (rvHeap){0};
    uint64_t seed = 12345;
    int across = (int)ceil(cbrt(0.5 * count)); // twice as high as wide when they are let go
    double width = PITCH * across + 0.1;
    add_walls(heap.bodies, width);
    for (int i = 0; i < count; i++) {
        rvHeapBody* body = &heap.bodies[i + 4];
        int layer = i / (across * across), line = i / across % across, place = i % across;
        double middle = 0.5 * (across - 1);
        rvVec3 at = rvVec((place - middle) * PITCH, (line - middle) * PITCH, 0.5 + layer * PITCH);
        double a = rv_draw(&seed), b = rv_draw(&seed), c = rv_draw(&seed);
        if (i % 3 == 0) {
            rvVec3 sides = rvVec(0.25 + 0.15 * a, 0.25 + 0.15 * b, 0.25 + 0.15 * c);
            set_box(body, sides, DENSITY * sides.x * sides.y * sides.z);
        } else {
            set_round(body, 0.12 + 0.08 * a, i % 3 == 1 ? 0.0 : 0.15 + 0.15 * b);
        }
        body->pose = (rvPose){rvAdd(at, random_vector(&seed, 0.02)), rvQuatFromRotation(random_vector(&seed, 1.5))};
        body->velocity = random_vector(&seed, 1.0);
    }
    return heap;
}

rvHeap rv_heap_stack(int count, double mass, rvVec3 sides)
{
    rvHeap heap = {calloc((size_t)count, sizeof(rvHeapBody)), count};
    if (!heap.bodies)
        return (rvHeap){0};
    for (int i = 0; i < count; i++) {
        set_box(&heap.bodies[i], sides, mass);
        heap.bodies[i].pose = (rvPose){rvVec(0, 0, sides.z * (i + 0.5)), rvQuatIdentity()};
    }
    return heap;
}

void rv_heap_release(rvHeap* heap)
{
    free(heap->bodies);
    *heap = (rvHeap){0};
}

// ---- ours -----------------------------------------------------------------------------------------------------------

enum { MOST_POINTS = 8192 };

typedef struct {
    rvWorld* world;
    rvBodyId* bodies;
    int count;
    rvContactPoint points[MOST_POINTS];
} OurHeap;

static void our_destroy(void* state)
{
    OurHeap* heap = state;
    rvDestroyWorld(heap->world);
    free(heap->bodies);
    free(heap);
}

static rvStatus our_add(OurHeap* ours, const rvHeapBody* from)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = from->mass > 0.0 ? RV_BODY_DYNAMIC : RV_BODY_STATIC;
    def.mass = from->mass;
    def.inertia = rvMat3Diagonal(from->moments.x, from->moments.y, from->moments.z);
    def.pose = from->pose;
    def.velocity = from->velocity;
    rvBodyId* id = &ours->bodies[ours->count++];
    rvStatus status = rvCreateBody(ours->world, &def, id);
    static const rvShapeType types[] = {RV_SHAPE_BOX, RV_SHAPE_SPHERE, RV_SHAPE_CAPSULE};
    rvShapeDef shape = rvDefaultShapeDef(types[from->shape]);
    shape.sides = from->sides;
    shape.radius = from->radius;
    shape.length = from->length;
    shape.friction = RV_HEAP_FRICTION;
    rvShapeId shapeId;
    return status == RV_OK ? rvCreateShape(ours->world, *id, &shape, &shapeId) : status;
}

static void* our_create(const rvHeap* heap)
{
    OurHeap* ours = calloc(1, sizeof *ours);
    rvBodyId* bodies = calloc((size_t)heap->count + 1, sizeof *bodies);
    if (!ours || !bodies) {
        free(ours);
        free(bodies);
        return NULL;
    }
    ours->bodies = bodies;
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, -RV_HEAP_GRAVITY);
    def.maxContacts = MOST_POINTS;
    rvStatus status = rvCreateWorld(&def, &ours->world, NULL, 0);
    rvBodyDef ground = rvDefaultBodyDef();
    ground.type = RV_BODY_STATIC;
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    plane.friction = RV_HEAP_FRICTION;
    rvShapeId id;
    if (status == RV_OK)
        status = rvCreateBody(ours->world, &ground, &ours->bodies[ours->count++]);
    if (status == RV_OK)
        status = rvCreateShape(ours->world, ours->bodies[0], &plane, &id);
    for (int i = 0; i < heap->count && status == RV_OK; i++)
        status = our_add(ours, &heap->bodies[i]);
    if (status == RV_OK)
        return ours;
    our_destroy(ours);
    return NULL;
}

static bool our_step(void* state, double h)
{
    return rvWorld_Step(((OurHeap*)state)->world, h) == RV_OK;
}

static double our_overlap(void* state)
{
    OurHeap* heap = state;
    int count = rvWorld_GetContacts(heap->world, heap->points, MOST_POINTS);
    double deepest = 0.0;
    for (int i = 0; i < count && i < MOST_POINTS; i++)
        deepest = fmax(deepest, heap->points[i].depth);
    return deepest;
}

static double our_speed(void* state)
{
    OurHeap* heap = state;
    double fastest = 0.0;
    for (int i = 0; i < heap->count; i++)
        fastest = fmax(fastest, rvLength(rvBody_GetVelocity(heap->world, heap->bodies[i])));
    return fastest;
}

static bool our_fell_back(void* state)
{
    return rvWorld_GetStepInfo(((OurHeap*)state)->world).fallbacks > 0;
}

const rvHeapEngine rv_heap_ours = {
    .name = "Reeve",
    .create = our_create,
    .destroy = our_destroy,
    .step = our_step,
    .overlap = our_overlap,
    .speed = our_speed,
    .fellBack = our_fell_back,
};
