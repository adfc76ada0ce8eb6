// SPDX-License-Identifier: MIT
// The world: owns bodies, joints, shapes and cables and steps them together. SI units, z up, doubles.
// One thread at a time may use a world; any number of worlds may run on any number of threads.
#pragma once

#include "reeve/id.h"
#include "reeve/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rvWorld rvWorld;
typedef struct rvReference rvReference; ///< methods of the papers; see reeve/reference.h

/// How a constraint is carried over a step.
typedef enum {
    RV_STEPPER_SPOOK = 0, ///< time-centred: no numerical damping, damping only by `relaxation` (default)
    RV_STEPPER_PAPER,     ///< implicit Euler on each constraint, as published (Servin): damps stiff vibrations; needs
                          ///< rvWorldDef.reference
} rvStepper;

/// Start from rvDefaultWorldDef(). Nothing is kept by pointer but the hooks.
typedef struct {
    rvVec3 gravity;            ///< [m/s^2], default (0, 0, -9.81)
    rvStepper stepper;         ///< default RV_STEPPER_SPOOK
    double relaxation;         ///< damping time of constraints that name none, in steps, >= 0, default 2
    double geometricStiffness; ///< weight c of the geometric stiffness, 0 switches it off, default 4
    int maxPasses;             ///< solves a step at most, where tension changed much within it, 1..16, default 6; up to
                               ///< thirty more where it is not 1 and a rope of elements comes taut
    int maxContacts;     ///< contact points at once, more are dropped and counted, >= 0, default 2048. Room is taken
                         ///< as shapes come, 32 points a shape and at least 128, up to this
    int maxEvents;       ///< events kept a step, >= 1, default 256
    size_t solverMemory; ///< bytes for the factor; an island that needs more is solved iteratively; 0: chosen
    rvAllocFn alloc;     ///< NULL: malloc
    rvFreeFn free;       ///< NULL: free
    rvLogFn log;         ///< NULL: silent
    void* context;       ///< handed to the hooks
    const rvReference*
        reference;   ///< rvReference_GetMethods() of libreeve-reference; default NULL: methods of the papers
                     ///< are refused
    uint32_t cookie; ///< set by rvDefaultWorldDef; do not touch
} rvWorldDef;

RV_API rvWorldDef rvDefaultWorldDef(void);

/// Creates a world. On failure *world is NULL and `error` (may be NULL) holds the reason. All other calls take a
/// world that was created and not destroyed: it must not be NULL (but for rvDestroyWorld). Null and stale ids are
/// detected, a pointer cannot be. What is read out goes where a pointer says; NULL there: it is not wanted.
RV_API rvStatus rvCreateWorld(const rvWorldDef* def, rvWorld** world, char* error, size_t errorCapacity);
RV_API void rvDestroyWorld(rvWorld* world);

/// The last failure, in words, with the field at fault; "" if there was none.
RV_API const char* rvWorld_GetError(const rvWorld* world);

/// Moves the world on by dt [s], 0 < dt <= 1. Takes no memory, prints nothing, reads no clock.
/// On RV_DIVERGED the state is that of before the step, bit for bit, and the error says which object failed and why.
RV_API rvStatus rvWorld_Step(rvWorld* world, double dt);

/// What the last step did.
typedef struct {
    double time;        ///< [s] since the start
    uint64_t stepCount; ///< steps taken
    int bodies;         ///< bodies alive
    int rows;           ///< rows of the last solve
    int contacts;       ///< contact points of the last step
    int dropped;        ///< contact points that did not fit, last step
    int islands;        ///< sets of bodies solved together
    int passes;         ///< solves that the step took (geometric stiffness)
    int pivots;         ///< factorisations of the last step, all islands
    int fallbacks;      ///< islands whose bounds did not settle by pivoting in the last step
    double residual;    ///< largest residual of a row after the solve [m/s or rad/s]
    double worstGap;    ///< largest position error of a joint [m or rad]
    size_t memory;      ///< bytes taken from the allocator
} rvStepInfo;

RV_API rvStepInfo rvWorld_GetStepInfo(const rvWorld* world);

/// The energy books. Potential, kinetic and elastic energy are those of the half step, where they are exact for the
/// time-centred stepper; work and losses are summed since the start.
typedef struct {
    double kinetic;   ///< [J]
    double potential; ///< by gravity, zero at z = 0 of the world (or at the origin for other directions)
    double elastic;   ///< stretched and twisted cables, joints that yield
    double heat;      ///< all that was turned into heat so far: by cables and brakes, and the rest below
    double work;      ///< done by winches, motors, applied forces, prescribed bodies and hands that hook ropes so far,
        ///< with the height of rope that comes and goes: as another model, when it breaks or is taken away
    double
        dampingHeat;  ///< of that, by cables: damping, drag, what they held when they went, and what else is missing in
                      ///< their books; may be < 0
    double jointHeat; ///< of that, by friction, limits and damping of joints
    double contactHeat; ///< of that, by contacts: friction and impacts
    double turningHeat; ///< of that, what steps took of turning that they cannot follow, less what they gave back
    double guard; ///< of that, taken by the guard of the energy, less what it gave back (docs/theory/energy_guard.md)
} rvEnergy;

RV_API rvEnergy rvWorld_GetEnergy(const rvWorld* world);

RV_API rvVec3 rvWorld_GetGravity(const rvWorld* world);
RV_API rvStatus rvWorld_SetGravity(rvWorld* world, rvVec3 gravity);
RV_API double rvWorld_GetTime(const rvWorld* world);

/// What happened in the last step.
typedef enum {
    RV_EVENT_SLACK = 0,     ///< a cable lost its tension
    RV_EVENT_TAUT,          ///< a cable came taut; value: tension [N]
    RV_EVENT_BROKEN,        ///< a cable broke; place: where the span begins that was pulled most; value: tension [N]
    RV_EVENT_CONTACT_BEGIN, ///< two shapes met
    RV_EVENT_CONTACT_END,   ///< two shapes parted
    RV_EVENT_LIMIT,         ///< a joint reached a limit; value: which axis
    RV_EVENT_WINCH_LIMIT,   ///< a winch slips at its force limit; value: force [N]
    RV_EVENT_WINCH_STOP,    ///< a winch reached the end of its rope; value: length out [m]
    RV_EVENT_CABLE_TOUCH,   ///< a cable met a shape; value: places that came
    RV_EVENT_CABLE_LEAVE,   ///< a cable left a shape; value: places that went
    RV_EVENT_REROUTED,      ///< a place of a cable was hooked elsewhere, added or taken out; value: tension there [N]
    RV_EVENT_OVERLOAD,      ///< a cable is pulled more than its overload; value: tension [N]
    RV_EVENT_FALLBACK,      ///< bounds of an island did not settle; value: residual
    RV_EVENT_CABLES_CROSS,  ///< two cables met and hold each other
    RV_EVENT_CABLES_PART,   ///< two cables that crossed came apart
    RV_EVENT_MODEL,         ///< another model fills a cable; value: which, rvCableModel
    RV_EVENT_CABLE_STOP,    ///< a span of a cable has no more rope, what it holds is stopped at a place; value: tension
                            ///< [N]
    RV_EVENT_MISSED,  ///< a place was to hold a cable that is too far from it; value: how far [m]. Place -1: who was to
                      ///< let go of it did not hold it
    RV_EVENT_SLIPPED, ///< a led body moved on where a cable of model curve could not follow: its hold slipped off;
                      ///< value: with how much it held before [N]
    RV_EVENT_CONTACTS_FULL, ///< a cable has no room for another contact, and sinks into what it lies on there; value:
                            ///< its maxContacts
    RV_EVENT_RAN_OFF, ///< the free end of a cable of model ale came to its last place and is off it: nothing holds the
                      ///< cable any more, it counts as broken
    RV_EVENT_COARSE,  ///< turns of a cable of model curve, in a plane, lie on each other and are tighter than its
                      ///< elements follow: its motion is coarse; value: how many it needs. Told once
} rvEventType;

typedef struct {
    rvEventType type;
    double time;         ///< [s]
    rvCableId cable;     ///< the cable, or null
    rvCableId other;     ///< of two cables that cross the other one, or null
    rvJointId joint;     ///< the joint, or null
    rvShapeId shapes[2]; ///< the shapes that met or parted, or null
    int place;           ///< place in the cable's route
    int number;          ///< of BROKEN, REROUTED, MISSED, SLIPPED, RAN_OFF and CABLE_STOP: the one that place keeps
                         ///< (rvCable_GetPlaceNumber), or -1
    rvBodyId body;       ///< of MISSED with place -1: who was to let go; null: the world
    double value;        ///< see rvEventType
} rvEvent;

/// Events of the last step, oldest first. Copies at most `capacity`, answers how many there are.
RV_API int rvWorld_GetEvents(const rvWorld* world, rvEvent* events, int capacity);

/// The state as bytes: with image NULL answers the size needed. The image fits worlds built by the same calls.
RV_API size_t rvWorld_Save(const rvWorld* world, void* image, size_t capacity);

/// Puts a saved state back; ids keep their meaning and the run goes on bit for bit as it did.
/// A damaged image or one of another world is refused and changes nothing.
RV_API rvStatus rvWorld_Restore(rvWorld* world, const void* image, size_t size);

/// Equal states have equal hashes.
RV_API uint64_t rvWorld_Hash(const rvWorld* world);

#ifdef __cplusplus
}
#endif
