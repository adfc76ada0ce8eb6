// SPDX-License-Identifier: MIT
// Heaps in ODE: its own collision (hash space), contact joints with its pyramid of friction, by the direct step (dense,
// Dantzig) and by the iterative one. All settings are ODE's own.
#include "cases/heap.h"

#include <ode/ode.h>
#include <stdlib.h>

enum { POINTS_OF_PAIR = 8 };

typedef struct {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID* bodies;
    int count;
    double overlap; // of the last step
} OdeHeap;

// Its direct step complains of degenerate heaps ("LCP internal error") and goes on; the rows show what comes of it.
static void keep_quiet(int number, const char* format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
}

static void destroy(void* state)
{
    OdeHeap* heap = state;
    dSetMessageHandler(NULL);
    dJointGroupDestroy(heap->contacts);
    dSpaceDestroy(heap->space);
    dWorldDestroy(heap->world);
    dCloseODE();
    free(heap->bodies);
    free(heap);
}

static void add_body(OdeHeap* heap, const rvHeapBody* from)
{
    dGeomID geom = from->shape == RV_HEAP_BOX    ? dCreateBox(heap->space, from->sides.x, from->sides.y, from->sides.z)
                   : from->shape == RV_HEAP_BALL ? dCreateSphere(heap->space, from->radius)
                                                 : dCreateCapsule(heap->space, from->radius, from->length);
    if (from->mass > 0.0) {
        dBodyID body = dBodyCreate(heap->world);
        dMass mass;
        dMassSetParameters(&mass, from->mass, 0, 0, 0, from->moments.x, from->moments.y, from->moments.z, 0, 0, 0);
        dBodySetMass(body, &mass);
        dBodySetLinearVel(body, from->velocity.x, from->velocity.y, from->velocity.z);
        dGeomSetBody(geom, body);
        heap->bodies[heap->count++] = body;
    }
    dQuaternion turn = {from->pose.q.w, from->pose.q.x, from->pose.q.y, from->pose.q.z};
    dGeomSetPosition(geom, from->pose.p.x, from->pose.p.y, from->pose.p.z);
    dGeomSetQuaternion(geom, turn);
}

static void* create(const rvHeap* heap)
{
    OdeHeap* ode = calloc(1, sizeof *ode);
    dBodyID* bodies = calloc((size_t)heap->count, sizeof(dBodyID));
    if (!ode || !bodies) {
        free(ode);
        free(bodies);
        return NULL;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dSetMessageHandler(keep_quiet);
    ode->bodies = bodies;
    ode->world = dWorldCreate();
    ode->space = dHashSpaceCreate(NULL);
    ode->contacts = dJointGroupCreate(0);
    dWorldSetGravity(ode->world, 0, 0, -RV_HEAP_GRAVITY);
    dCreatePlane(ode->space, 0, 0, 1, 0);
    for (int i = 0; i < heap->count; i++)
        add_body(ode, &heap->bodies[i]);
    return ode;
}

static void touch(void* state, dGeomID a, dGeomID b)
{
    OdeHeap* heap = state;
    dContact contacts[POINTS_OF_PAIR];
    dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    if (!bodyA && !bodyB)
        return;
    int count = dCollide(a, b, POINTS_OF_PAIR, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = RV_HEAP_FRICTION};
        heap->overlap = fmax(heap->overlap, contacts[i].geom.depth);
        dJointAttach(dJointCreateContact(heap->world, heap->contacts, &contacts[i]), bodyA, bodyB);
    }
}

static void collide(OdeHeap* heap)
{
    dJointGroupEmpty(heap->contacts);
    heap->overlap = 0.0;
    dSpaceCollide(heap->space, heap, touch);
}

static bool step_direct(void* state, double h)
{
    collide(state);
    return dWorldStep(((OdeHeap*)state)->world, h) != 0;
}

static bool step_quick(void* state, double h)
{
    collide(state);
    return dWorldQuickStep(((OdeHeap*)state)->world, h) != 0;
}

static double overlap(void* state)
{
    return ((OdeHeap*)state)->overlap;
}

static double speed(void* state)
{
    OdeHeap* heap = state;
    double fastest = 0.0;
    for (int i = 0; i < heap->count; i++) {
        const dReal* v = dBodyGetLinearVel(heap->bodies[i]);
        fastest = fmax(fastest, rvLength(rvVec(v[0], v[1], v[2])));
    }
    return fastest;
}

extern const rvHeapEngine rv_heap_ode_direct, rv_heap_ode_quick;

const rvHeapEngine rv_heap_ode_direct = {
    .name = "ODE dWorldStep",
    .create = create,
    .destroy = destroy,
    .step = step_direct,
    .overlap = overlap,
    .speed = speed,
};

const rvHeapEngine rv_heap_ode_quick = {
    .name = "ODE dWorldQuickStep",
    .create = create,
    .destroy = destroy,
    .step = step_quick,
    .overlap = overlap,
    .speed = speed,
};
