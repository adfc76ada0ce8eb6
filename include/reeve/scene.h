// SPDX-License-Identifier: MIT
// Scenes: worlds as text. YAML 1.2 (so JSON too), every field checked, SI units or numbers with a unit ("20 mm").
// The fields are listed in docs/scene.md. A part of its own (libreeve-scene): the core does not need it.
//
// A scene may be used by one thread at a time. Worlds made from it live on their own.
#pragma once

#include "reeve/reeve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rvScene rvScene;

/// What a reader may take. Start from rvDefaultSceneLimits().
typedef struct {
    size_t maxBytes; ///< of a scene or a mesh file, default 64 MB
    int maxNodes;    ///< values in a scene, aliases counted as often as they are used, default 2,000,000
    int maxDepth;    ///< lists and maps inside each other, default 16
} rvSceneLimits;

RV_API rvSceneLimits rvDefaultSceneLimits(void);

/// Reads a scene. `limits` may be NULL. On failure *scene is NULL and `error` holds a line for each mistake (20 at
/// most):
///   crane.yaml:12:11: bodies.load.mass: is -3 kg, expected a number > 0
/// RV_IO: the file cannot be read; RV_BAD_INPUT: it is not a scene.
RV_API rvStatus rvScene_LoadFile(const char* path, const rvSceneLimits* limits, rvScene** scene, char* error,
                                 size_t errorCapacity);

/// The same from memory. `name` stands in messages; mesh files are sought in the folder of `name`.
RV_API rvStatus rvScene_LoadText(const char* text, size_t size, const char* name, const rvSceneLimits* limits,
                                 rvScene** scene, char* error, size_t errorCapacity);

/// Its worlds, those of rvScene_TryEvents too, have the methods of the papers: rvReference_GetMethods() of
/// reeve/reference.h. Without, a scene that asks for one (`stepper: paper`, `integrator:`, `wave_scheme: explicit`) can
/// be read, but makes no world.
RV_API void rvScene_SetReference(rvScene* scene, const rvReference* reference);

/// What the scene gives and nothing makes use of, or can hardly be meant, in lines as of mistakes; answers how many
/// there are:
///   crane.yaml:40:15: cables.hoist.elements: is not used: it is for ancf, the model is massless
RV_API int rvScene_GetWarnings(const rvScene* scene, char* text, size_t capacity);
RV_API void rvScene_Destroy(rvScene* scene);

/// Changes one value, as if it had been written in the file: "bodies.load.mass=3 t", "cables.hoist.route[0].speed=-1".
/// Fields that are absent are added, in bodies, joints and cables that there are. A value that does not fit is refused
/// and the scene stays as it was. For worlds that are created later; those of before are no longer known to the scene.
RV_API rvStatus rvScene_Set(rvScene* scene, const char* assignment, char* error, size_t errorCapacity);
/// The same with several values at once, for those that fit only together: all of them, or none.
RV_API rvStatus rvScene_SetAll(rvScene* scene, const char* const* assignments, int count, char* error,
                               size_t errorCapacity);

/// The scene as YAML that reads back to the same world. Copies at most `capacity` bytes with a closing 0 and answers
/// the length of the whole text without it.
RV_API size_t rvScene_Write(const rvScene* scene, char* text, size_t capacity);

/// Builds the world, and settles it where the scene says so. `hooks` (may be NULL) gives allocator and log; its other
/// fields are not looked at.
/// Worlds built from one scene have the same ids.
RV_API rvStatus rvScene_CreateWorld(rvScene* scene, const rvWorldDef* hooks, rvWorld** world, char* error,
                                    size_t errorCapacity);

/// Tries the scene's events, in the order of their times, on a world of their own, where bodies stand as at the start.
/// A mistake for each that can never happen, as of a scene that cannot be read; what depends on where bodies will be by
/// then is not looked at:
///   crane.yaml:60:5: events[0].change: cable 'hoist': route[0].type: the material of model ancf does not run ...
RV_API rvStatus rvScene_TryEvents(rvScene* scene, char* error, size_t errorCapacity);

/// How settling went for the world created last; false: the scene does not ask for it. What could not be balanced is in
/// words in rvWorld_GetError, until something else fails.
RV_API bool rvScene_GetSettled(const rvScene* scene, rvSettleReport* report);

/// Latches the scene's commands and events for the step from `time` to `time + dt`. Call it before every step.
/// A winch or motor gets the mean of its speed over the step, a prescribed body its pose at the end of it.
RV_API rvStatus rvScene_Apply(const rvScene* scene, rvWorld* world, double time, double dt);

RV_API const char* rvScene_GetTitle(const rvScene* scene); ///< "" if none
RV_API double rvScene_GetStep(const rvScene* scene);       ///< [s]
RV_API double rvScene_GetUntil(const rvScene* scene);      ///< [s]
RV_API double rvScene_GetEvery(const rvScene* scene);      ///< time between samples [s]

/// What is in it, by number, in the order of the file.
RV_API int rvScene_GetBodyCount(const rvScene* scene);
RV_API int rvScene_GetJointCount(const rvScene* scene);
RV_API int rvScene_GetCableCount(const rvScene* scene);
RV_API int rvScene_GetCommandCount(const rvScene* scene);
RV_API const char* rvScene_GetBodyName(const rvScene* scene, int index); ///< "" where there is none
RV_API const char* rvScene_GetJointName(const rvScene* scene, int index);
RV_API const char* rvScene_GetCableName(const rvScene* scene, int index);

/// Ids, once a world was created; null where there is none.
RV_API rvBodyId rvScene_GetBody(const rvScene* scene, int index);
RV_API rvJointId rvScene_GetJoint(const rvScene* scene, int index);
RV_API rvCableId rvScene_GetCable(const rvScene* scene, int index);
RV_API rvBodyId rvScene_FindBody(const rvScene* scene, const char* name);
RV_API rvJointId rvScene_FindJoint(const rvScene* scene, const char* name);
RV_API rvCableId rvScene_FindCable(const rvScene* scene, const char* name);

/// Shapes of a body, to draw them; NULL where there is none. Valid until the next rvScene_Set.
RV_API int rvScene_GetShapeCount(const rvScene* scene, int body);
RV_API const rvShapeDef* rvScene_GetShape(const rvScene* scene, int body, int shape);

/// Places of a cable as the scene has them, with `body` its number in the scene (-1: the world); false: there is none.
RV_API int rvScene_GetPlaceCount(const rvScene* scene, int cable);
RV_API bool rvScene_GetPlace(const rvScene* scene, int cable, int place, rvPlaceDef* def, int* body);

/// What a cable is made of (without its places); NULL where there is none. Valid until the next rvScene_Set.
RV_API const rvCableDef* rvScene_GetCableDef(const rvScene* scene, int cable);

/// Controls: what a person can drive, each by its speed. Winches, wheels with a motor, axes of joints that have a motor
/// or a command, prescribed bodies along x, y and z.
typedef enum { RV_CONTROL_WINCH = 0, RV_CONTROL_WHEEL, RV_CONTROL_MOTOR, RV_CONTROL_BODY } rvControlKind;

typedef struct {
    rvControlKind kind;
    int object;          ///< number of the cable, joint or body in the scene
    int part;            ///< place of the cable; of a joint 0 slide, 1 turn, 2 second turn; of a body 0..2 for x, y, z
    char name[96];       ///< "hoist.winch_speed", "slew.angular_speed", "ship.velocity.x"
    const char* unit;    ///< of the speed
    bool commanded;      ///< the scene's commands drive it
    int gang;            ///< the first control that is commanded by the same curve; its own number: none is
    double maxSpeed;     ///< > 0: what the scene asks of it at most, else a fair one
    double lower, upper; ///< limits of its position: rope out, or the joint's value; infinite where there is none
    double maxForce;     ///< of its motor [N or N m]; infinite where there is no limit
} rvControl;

typedef struct {
    double speed, position, force; ///< in the last step
    bool brake;                    ///< of a winch: is on
} rvControlState;

/// Copies at most `capacity`, answers how many there are.
RV_API int rvScene_GetControls(const rvScene* scene, rvControl* controls, int capacity);
RV_API rvControlState rvControl_GetState(const rvScene* scene, const rvWorld* world, const rvControl* control);

/// Drives controls for the next step, of `dt`; those of one body stand together. Call it after rvScene_Apply, whose
/// commands it replaces.
RV_API rvStatus rvScene_Drive(const rvScene* scene, rvWorld* world, const rvControl* controls, const double* speeds,
                              int count, double dt);

/// The columns that the scene's `outputs` ask for (time is not among them).
RV_API int rvScene_GetOutputCount(const rvScene* scene);
RV_API const char* rvScene_GetOutputName(const rvScene* scene, int index); ///< "load.position.z"
RV_API const char* rvScene_GetOutputUnit(const rvScene* scene, int index); ///< "m"

/// Their values now. Writes at most `capacity`, answers how many there are.
RV_API int rvScene_Evaluate(const rvScene* scene, const rvWorld* world, double* values, int capacity);

/// What the table of fields says, for people (Markdown) and for editors (JSON schema). As rvScene_Write.
RV_API size_t rvScene_WriteReference(char* text, size_t capacity);
RV_API size_t rvScene_WriteSchema(char* text, size_t capacity);

#ifdef __cplusplus
}
#endif
