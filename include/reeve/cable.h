// SPDX-License-Identifier: MIT
// Cables: a route of places, filled by a span model.
//
// The places of a route are counted from 0; span i runs from place i to place i + 1.
#pragma once

#include "reeve/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What fills a span. Same route, same read-out, rising cost.
typedef enum {
    RV_CABLE_MASSLESS = 0, ///< elastic, without mass; straight between places
    RV_CABLE_LAYERED,      ///< with mass: a wave travels on each span, the rope sags, its weight counts
    RV_CABLE_ANCF,         ///< finite elements: stretches, bends, has mass; attached places and free ends only
    RV_CABLE_CURVE, ///< bends, stretches only where axialStiffness is given; attached places and free ends only. In a
                    ///< plane, or, where no `plane` is given, in space: if its places are in no plane or it resists
                    ///< twist
    RV_CABLE_ALE,   ///< finite elements that rope flows through: eyes, sheaves and winches too
} rvCableModel;

/// How the wave on a span is stepped.
typedef enum {
    RV_WAVE_MODAL = 0, ///< by its modes: stable at any tension, keeps the energy
    RV_WAVE_EXPLICIT,  ///< central differences, as published: straight and without sag where the step is too long;
                       ///< needs rvWorldDef.reference
} rvWaveScheme;

/// How a cable of model ancf is stepped (docs/theory/ancf.md). All but the first are for comparison: the cable must be
/// on the world, static and kinematic bodies only, and does not collide.
typedef enum {
    RV_INTEGRATOR_RT = 0,           ///< a real-time step with an energy guard; moves bodies, meets shapes
    RV_INTEGRATOR_SI_BE,            ///< the four of Westin and Irani: semi-implicit Euler,
    RV_INTEGRATOR_SI_BDF2,          ///< second-order backward differences,
    RV_INTEGRATOR_SI_NEWMARK,       ///< Newmark,
    RV_INTEGRATOR_SI_HHT,           ///< Hilber, Hughes and Taylor; held places by Baumgarte's equation, 10/s
    RV_INTEGRATOR_IMPLICIT_NEWMARK, ///< Newton's method with an adaptive step within that of the world
    RV_INTEGRATOR_IMPLICIT_HHT,
    RV_INTEGRATOR_VERLET, ///< explicit, by as many steps as its stiffness needs
    RV_INTEGRATOR_TAYLOR, ///< a series of order 12: the reference; no damping, fluid, curvature or places that move
} rvIntegrator;

/// "massless" and so on; NULL where there is no such model. They are counted from 0.
RV_API const char* rvCableModel_Name(rvCableModel model);

typedef enum {
    RV_PLACE_ATTACH = 0, ///< held by a body or the world: an end; of ancf, ale and curve also between the ends
    RV_PLACE_EYE,        ///< slides through a point of a body
    RV_PLACE_WINCH,      ///< an end that takes in and pays out
    RV_PLACE_FREE,       ///< a loose end: carries no tension
    RV_PLACE_SHEAVE,     ///< runs over a wheel
    RV_PLACE_CONTACT,    ///< put in by the program where the cable meets a shape; not for definitions
} rvPlaceType;

/// What a winch keeps.
typedef enum {
    RV_WINCH_SPEED = 0, ///< `speed` of the rope [m/s]
    RV_WINCH_DRUM,      ///< `speed` of the drum [rad/s]; the rope's follows from the layer that it lies in
    RV_WINCH_LENGTH,    ///< goes to `target`: rope out [m]
    RV_WINCH_TENSION,   ///< keeps `target`: tension [N], as far as maxSpeed allows
} rvWinchControl;

/// The drive of a winch. Rope is counted unstretched, pay-out is positive.
typedef struct {
    rvWinchControl control; ///< default RV_WINCH_SPEED
    double speed;           ///< wanted [m/s, or rad/s of the drum]
    double target;          ///< of control by length [m] or tension [N], >= 0, default 0
    double maxSpeed;        ///< of control by length or tension [m/s], > 0, default 1
    double acceleration;    ///< of the motor at most [m/s^2], > 0, default infinite; not of control by tension
    double compliance;      ///< drive compliance xi [m/(s N)]: the rate is speed + xi * tension; >= 0, default 0
    double maxForce;        ///< of the motor: the drum slips above it [N], > 0, default infinite
    bool brake;             ///< on: the motor is off and the brake holds; default false
    double brakeForce;      ///< the brake slips above it [N], > 0, default infinite
    double minLength;       ///< rope out at the inner stop [m], > 0, default 0.01
    double maxLength;       ///< rope out at the outer stop [m], default infinite. There the rope's end holds
    double stored;          ///< rope on the drum now [m], >= 0, default infinite; 0 is an outer stop too
    double capacity;        ///< rope that the drum can take [m], default infinite: an inner stop
    double width;           ///< of the drum between its flanges [m]: width/diameter turns make a layer, each layer one
                            ///< diameter further out; needs `stored`. 0: a single layer; default 0
} rvWinchDef;

/// A wheel: of a sheave, or the drum of a winch. A drum may have inertia: motor and brake then turn it with their force
/// at the rim, by the speed of the rim. Travelling along the cable one turns about `side` times `axis`.
typedef struct {
    rvVec3 axis;    ///< in the body's frame; default y
    double radius;  ///< [m]; 0 for a winch without a drum
    int side;       ///< 1 or -1; 0: found from the neighbours, the wheel lies inside the bend; default 0
    int turns;      ///< whole turns beyond the least wrap, which is -135..225 degrees (negative: beside it); default 0
    double bearing; ///< friction of the bearing: coefficient times bearing radius/wheel radius, 0..0.5; default 0
    double inertia; ///< [kg m^2]; 0: turns without inertia; default 0
    bool locked;    ///< does not turn; default false
    double driveSpeed;  ///< of its motor, against the body [rad/s]; default 0
    double driveTorque; ///< of its motor at most [N m]; 0: no motor; needs inertia; default 0
} rvWheelDef;

typedef struct {
    rvPlaceType type;
    rvBodyId body;    ///< null: the world
    rvVec3 point;     ///< in the body's frame (in the world where the body is null); of a wheel its centre
    double friction;  ///< of the cable against the eye or the groove (Coulomb), >= 0, default 0, of a sheave infinite
    double drag;      ///< viscous, of the cable through an eye, beside its friction [N s/m], >= 0, default 0; where it
                      ///< is too weak for the step the cable is damped with at least two steps
    bool clamped;     ///< of models ancf, ale and curve: an attached place holds its direction too; default false
    rvVec3 direction; ///< of travel along the cable there, in the body's frame; default x
    rvWheelDef wheel;
    rvWinchDef winch;
} rvPlaceDef;

/// What a cable of model curve or ancf is made of at a length along it. Between two points all of it varies linearly,
/// before the first and after the last it stays; two points at the same length are a jump. An interval, or an element,
/// has what is at its middle. rvProfileAt makes one that changes nothing.
typedef struct {
    double at; ///< rest length from place 0 [m], >= that of the point before
    double
        bending; ///< times bendingStiffness, of a curve in space times torsionalStiffness too; >= 0, of model ancf > 0
    double mass; ///< times massPerLength, > 0
    double curvature; ///< without load, added to that of the cable [1/m]
    double torsion;   ///< the same, of a curve in space [rad/m]
    double axial;     ///< of model ancf: times axialStiffness, > 0
} rvCableProfile;

/// Velocity of the fluid at a height (z): linear between two, the same below the first and above the last.
typedef struct {
    double height;   ///< [m], > that of the point before
    rvVec3 velocity; ///< [m/s]
} rvCableCurrent;

enum { RV_MAX_CURRENTS = 100 };

typedef struct {
    rvCableModel model;
    double diameter;       ///< [m], default 0.02
    double youngsModulus;  ///< [Pa], default 1e11; used where axialStiffness is 0
    double axialStiffness; ///< EA [N]; 0: from youngsModulus and diameter; default 0. A strain e pulls with EA e, of
                           ///< models ancf and ale with EA (e + e^2/2)(1 + e)
    double damping; ///< damping time of the stretch [s]; negative: the world's relaxation; default 0. A cable too stiff
                    ///< for the step gets at least half a step
    double torsionalStiffness; ///< GJ [N m^2], >= 0; 0: turns freely at its ends; default 0; see rvTorsionalStiffness
    double twistDamping;       ///< damping time of the twist [s], as `damping`; default 0
    double twist;  ///< at creation [rad]: the second end is turned further about the direction of travel; default 0
    double length; ///< rest length between the ends [m]; negative: as the route lies at creation; default -1
    bool pushes;   ///< behaves as a spring: also under compression; default false: a cable only pulls
    bool collides; ///< lies on shapes that it meets, but for those of the bodies at a span's ends; massless and layered
                   ///< cables
    ///< also hold each other where they cross, so do ancf and ale ones, and curves in space; others pass
    ///< through; default false
    double friction;         ///< of the rope against shapes; of a pair the geometric mean counts; >= 0, default 0.3
    int maxContacts;         ///< places where it can lie on shapes at once, 1..1000, default 32
    uint32_t group, mask;    ///< as of shapes: which it meets; default 1, all
    double massPerLength;    ///< [kg/m], > 0, where it has mass; default 0: steel, 7850 kg/m^3 over 0.6 of the circle
    int subdivisions;        ///< of a span, for its wave, 4..1000, default 20
    rvWaveScheme waveScheme; ///< default RV_WAVE_MODAL
    double waveDamping;      ///< of the motion across a span, in a fluid at rest [1/s], >= 0, default 0
    bool runningTerms;  ///< the terms of rope that runs through its spans, which the papers leave out; default false
    bool straight;      ///< at creation its spans are straight lines; default false: they hang at rest
    bool explicitForce; ///< tension from the state before the step, as published: for comparison; default false
    rvVec3 wind;        ///< of models layered, ancf, ale: velocity of the fluid around the rope [m/s], default 0
    const rvCableCurrent* current; ///< of models ancf, ale: added to wind, by height; copied; NULL: none
    int currentCount;              ///< of its points, 0 to RV_MAX_CURRENTS
    double fluidDensity;           ///< [kg/m^3], >= 0, default 0: no drag; air 1.2, water 1000
    double dragCoefficient;        ///< across the rope, on its diameter, >= 0, default 1.2
    double fluidLevel;  ///< of models ancf, ale: height of the fluid's surface [m], default infinite: everywhere
    double tangentDrag; ///< of models ancf, ale: along the cable, on its skin, >= 0, default 0.02
    double addedMass; ///< of models ancf, ale: fluid that moves along across it, of what it displaces, >= 0, default 1
    int elements; ///< of models ancf, ale and curve (2..1000), over all spans, 1..10000, default 10; a slack span of
                  ///< model ancf has at least two
    double bendingStiffness; ///< EI of models ancf, ale, curve [N m^2]; 0: of a round rod of that diameter; default 0
    double bendingDamping;   ///< damping time of the bending of models ancf, ale [s]; negative: as damping; default -1
    rvIntegrator integrator; ///< of model ancf; default RV_INTEGRATOR_RT
    bool exactCurvature;     ///< of model ancf: bends by |r' x r''|/|r'|^3, else by |r''|: the same but for stretch
    double curvature; ///< of model curve: without load, about the plane's normal; in space towards the bulge [1/m]; of
                      ///< model ancf its size: the cable is free to turn about itself
    double torsion;   ///< of model curve, in space: without load, about itself; with curvature it is a helix [rad/m]
    const rvCableProfile* profile; ///< of models curve, ancf: how it varies along it; copied; NULL: it does not
    int profileCount;              ///< of its points, >= 0
    rvVec3 plane; ///< of model curve: normal of its plane; zero: the plane of its places and clamps, upright
                  ///< where these lie on a line; default 0
    rvVec3 bulge; ///< of models curve, ancf: where it bends to at the start, if it is longer than its route or has a
                  ///< curvature of its own (ancf); it begins at rest, so that what would not stay there hangs
                  ///< down; default 0: down
    bool touchesItself;       ///< of model curve: it does not pass through itself; default false
    double contactStiffness;  ///< of model curve, at a contact [N/m]; 0: rigid and inelastic; default 0
    double contactDamping;    ///< of model curve, at a contact that is not rigid [N s/m], default 0
    double overload;          ///< tension above which there is an event [N], > 0, default infinite
    double breakForce;        ///< tension at which it breaks [N], > 0, default infinite
    const rvPlaceDef* places; ///< copied
    int placeCount;           ///< >= 2
    const char* name;         ///< for messages; copied; NULL: # and index1 of its id
    uint32_t cookie;
} rvCableDef;

RV_API rvCableDef rvDefaultCableDef(rvCableModel model);
/// GJ of a round rod [N m^2]: E pi d^4/(64 (1 + sigma)), sigma Poisson's ratio. Ropes have far less.
RV_API double rvTorsionalStiffness(double youngsModulus, double poissonRatio, double diameter);
RV_API rvCableProfile rvProfileAt(double at); ///< all factors 1
RV_API rvPlaceDef rvAttachPlace(rvBodyId body, rvVec3 point);
RV_API rvPlaceDef rvEyePlace(rvBodyId body, rvVec3 point);
RV_API rvPlaceDef rvSheavePlace(rvBodyId body, rvVec3 center, rvVec3 axis, double radius);
RV_API rvPlaceDef rvWinchPlace(rvBodyId body, rvVec3 point, double speed);
RV_API rvPlaceDef rvFreePlace(rvVec3 point);

RV_API rvStatus rvCreateCable(rvWorld* world, const rvCableDef* def, rvCableId* id);
RV_API rvStatus rvDestroyCable(rvWorld* world, rvCableId id);
RV_API bool rvCable_IsValid(const rvWorld* world, rvCableId id);
RV_API const char* rvCable_GetName(const rvWorld* world, rvCableId id);

RV_API rvCableModel rvCable_GetModel(const rvWorld* world, rvCableId id);
/// As it was made or last changed by rvCable_SetModel, without name, places, profile and current.
RV_API rvStatus rvCable_GetDef(const rvWorld* world, rvCableId id, rvCableDef* def);
/// Between steps: from now on the cable is filled by def->model, with the fields of `def` that belong to a model: mass
/// and fluid, waves, elements. All others are not read: stiffness, places, winches, contacts, rest length and twist
/// stay, and bodies move on as they did. Where both models have a shape it is taken over, with its motion; else the
/// rope hangs at rest by its rest length. A rope's mass, weight and energies come or go. A refused change leaves the
/// cable as it was: the error names the field that the model cannot have, or a place that has let go. An event of the
/// next step.
RV_API rvStatus rvCable_SetModel(rvWorld* world, rvCableId id, const rvCableDef* def);

/// The winch at place `place` (0 or the last).
RV_API rvStatus rvCable_SetWinch(rvWorld* world, rvCableId id, int place, const rvWinchDef* winch);
RV_API rvStatus rvCable_GetWinch(const rvWorld* world, rvCableId id, int place, rvWinchDef* winch); ///< as it is now
/// Each of these releases the brake and changes to its kind of control.
RV_API rvStatus rvCable_SetWinchSpeed(rvWorld* world, rvCableId id, int place, double speed);
RV_API rvStatus rvCable_SetWinchDrum(rvWorld* world, rvCableId id, int place, double speed); ///< [rad/s]
RV_API rvStatus rvCable_SetWinchLength(rvWorld* world, rvCableId id, int place, double length);
RV_API rvStatus rvCable_SetWinchTension(rvWorld* world, rvCableId id, int place, double tension);
/// On: motor off, the brake holds at once (emergency stop). Off: the motor goes on from standstill.
RV_API rvStatus rvCable_SetWinchBrake(rvWorld* world, rvCableId id, int place, bool on);
RV_API double rvCable_GetWinchSpeed(const rvWorld* world, rvCableId id, int place);  ///< true rate in the last step
RV_API double rvCable_GetWinchLength(const rvWorld* world, rvCableId id, int place); ///< rope out [m]
RV_API double rvCable_GetWinchStored(const rvWorld* world, rvCableId id, int place); ///< rope on the drum [m]
RV_API double rvCable_GetWinchForce(const rvWorld* world, rvCableId id, int place);  ///< tension at it, last step [N]
RV_API double rvCable_GetWinchPower(const rvWorld* world, rvCableId id, int place);  ///< of its motor, last step [W]
RV_API double rvCable_GetWinchWork(const rvWorld* world, rvCableId id, int place);   ///< of its motor so far [J]
RV_API double rvCable_GetWinchHeat(const rvWorld* world, rvCableId id, int place);   ///< in its slipping brake [J]
RV_API double rvCable_GetDrumAngle(const rvWorld* world, rvCableId id, int place);   ///< turned so far [rad]
RV_API double rvCable_GetDrumSpeed(const rvWorld* world, rvCableId id, int place);   ///< in the last step [rad/s]
RV_API double rvCable_GetDrumRadius(const rvWorld* world, rvCableId id, int place);  ///< of the layer in use [m]

/// The motor of the wheel at a place (a traction sheave): it keeps `speed` [rad/s] against its body with at most
/// `maxTorque` [N m], 0 switches it off; speed 0 is a brake. The wheel must have inertia.
RV_API rvStatus rvCable_SetWheelDrive(rvWorld* world, rvCableId id, int place, double speed, double maxTorque);
RV_API double rvCable_GetWheelTorque(const rvWorld* world, rvCableId id, int place); ///< of motor or bearing [N m]
RV_API double rvCable_GetWheelPower(const rvWorld* world, rvCableId id, int place);  ///< of its motor [W]
RV_API double rvCable_GetWheelWork(const rvWorld* world, rvCableId id, int place);   ///< of its motor so far [J]

RV_API int rvCable_GetPlaceCount(const rvWorld* world, rvCableId id);
RV_API rvVec3 rvCable_GetPlacePoint(const rvWorld* world, rvCableId id, int place); ///< in the world [m]
RV_API rvBodyId rvCable_GetPlaceBody(const rvWorld* world, rvCableId id,
                                     int place); ///< null: the world's, or a free end
/// Places are counted along the cable, and those behind a place that comes or goes count one more or less. The number
/// of a place stays: as it was counted at creation, and the next free one of a place that came later. -1: there is
/// none, or none any more.
RV_API int rvCable_GetPlaceNumber(const rvWorld* world, rvCableId id, int place);
RV_API int rvCable_FindPlace(const rvWorld* world, rvCableId id,
                             int number); ///< where the place with that number is now
RV_API void rvCable_GetTangents(const rvWorld* world, rvCableId id, int place, rvVec3* in,
                                rvVec3* out); ///< where the cable comes and goes, in the world [m]
RV_API double rvCable_GetWrapAngle(const rvWorld* world, rvCableId id, int place);  ///< on a wheel [rad]; 0: not on it
RV_API double rvCable_GetWheelSpeed(const rvWorld* world, rvCableId id, int place); ///< against its body [rad/s]
/// [N], last step; of a massless cable that was in none yet what its stretch and the velocities of its bodies make of
/// it
RV_API double rvCable_GetTension(const rvWorld* world, rvCableId id, int span);
/// At the beginning (end 0) and the end (end 1) of a span: with its weight the upper end of a rope carries more [N]. Of
/// models ancf and ale as rvCable_GetSection.
RV_API double rvCable_GetEndTension(const rvWorld* world, rvCableId id, int span, int end);
/// The largest of all spans, in them and at their ends [N]: what the rope must bear.
RV_API double rvCable_GetLargestTension(const rvWorld* world, rvCableId id);
RV_API double rvCable_GetSpanLength(const rvWorld* world, rvCableId id, int span); ///< [m]
/// Of the route [m]: spans and what lies on wheels. A free end of it is where it was laid.
RV_API double rvCable_GetLength(const rvWorld* world, rvCableId id);
RV_API double rvCable_GetRestLength(const rvWorld* world, rvCableId id); ///< unstretched length out [m]
/// Twist between the two end bodies [rad], over any number of turns: along the route, by parallel transport, from as
/// they stood at creation. Positive: the second end is turned further about the direction from place 0 on. A slack
/// cable carries torsion as well; one that is broken, has a free end or no torsional stiffness answers 0. Of model
/// curve what its torsion adds up to, less that which it has without load.
RV_API double rvCable_GetTwist(const rvWorld* world, rvCableId id);
RV_API double rvCable_GetTwistTorque(const rvWorld* world, rvCableId id); ///< in the cable [N m], last step; same sign
RV_API bool rvCable_IsTaut(const rvWorld* world, rvCableId id);
RV_API bool rvCable_IsBroken(const rvWorld* world, rvCableId id);

/// Changes of the route, between steps; a refused change leaves the cable as it was. Each is an event of the next step.
/// Hooks an end or an inner place elsewhere; the rope keeps its length. Detach an end with rvFreePlace, hook a load by
/// putting an end back on a body. Rope of models ancf and ale goes on as it lies and moves where the new place is near,
/// within a quarter of an element, and half of its thickness where it collides; else it hangs anew, at rest: lead it
/// there by a kinematic body first where it must not.
RV_API rvStatus rvCable_SetPlace(rvWorld* world, rvCableId id, int place, const rvPlaceDef* def);

/// Reeves the cable through a new eye or sheave, which becomes place `place` (1 up to the last). A cable of model curve
/// is attached there, see rvCable_Grasp.
RV_API rvStatus rvCable_InsertPlace(rvWorld* world, rvCableId id, int place, const rvPlaceDef* def);

/// Takes the cable out of an inner place.
RV_API rvStatus rvCable_RemovePlace(rvWorld* world, rvCableId id, int place);

/// Splices the last end of `id` to the first end of `other`, which is destroyed. Both must be of the same stiffness.
RV_API rvStatus rvCable_Splice(rvWorld* world, rvCableId id, rvCableId other);

/// An attached place of a cable of model curve, at an end or between them, lets go, or holds again what is within 1 %
/// of the length there, its direction too if it is clamped (in space its frame as it is then). Speeds jump by an
/// impulse in the next step. An event of it. A broken cable cannot be held; of one that is farther away the answer is
/// RV_MISSED, and RV_EVENT_MISSED once.
RV_API rvStatus rvCable_SetHeld(rvWorld* world, rvCableId id, int place, bool held);
RV_API bool rvCable_IsHeld(const rvWorld* world, rvCableId id,
                           int place); ///< also of other models: attached, not broken

/// A body (or the world) takes hold of the point of a cable of model curve that lies `at` along it, as it is, wherever
/// that is; clamped: of its direction (in space its frame) too. The point becomes an attached place, which may be asked
/// for; those behind it count one more (rvCable_GetPlaceNumber stays).
/// Speeds jump by an impulse in the next step. (rvCable_InsertPlace does the same with the point of the cable that is
/// nearest to that of the body, if it is within 1 % of the length, else the answer is RV_MISSED, and an
/// RV_EVENT_MISSED; so of rvCable_SetPlace at an end.)
RV_API rvStatus rvCable_Grasp(rvWorld* world, rvCableId id, double at, rvBodyId body, bool clamped, int* place);
/// It lets go: an end is free, a place between the ends is gone, and those behind it count one less.
RV_API rvStatus rvCable_LetGo(rvWorld* world, rvCableId id, int place);
/// All places by which a body (or the world) holds it let go. Where it holds none: RV_MISSED, and an RV_EVENT_MISSED.
RV_API rvStatus rvCable_LetGoOf(rvWorld* world, rvCableId id, rvBodyId body);

/// What the cable did to a body in the last step: force [N] and torque about the centre of mass [N m], in world axes.
/// Of a massless cable as the solver applied it: the body's change of momentum to round-off. Of models ancf, ale and
/// curve what they pull with where places hold them, at the end of the step; what a contact presses with is not in it.
/// Of a layered one by the tensions of the last step along the route as it lies now, and the weight of its spans.
RV_API void rvCable_GetForceOn(const rvWorld* world, rvCableId id, rvBodyId body, rvVec3* force, rvVec3* torque);

/// The energy of a cable at the middle of the last step, as the books of the world count it (rvWorld_GetEnergy) [J].
typedef struct {
    double stretch;   ///< stored in its stretch, and where it bends in that
    double twist;     ///< stored in its twist; of model curve at the end of the step
    double kinetic;   ///< of its rope and its wheels
    double potential; ///< of its rope
    double heat;      ///< so far: by damping and drag, friction at its places, brakes
    double work;      ///< of the motors of its winches and wheels so far, with the height of rope that broke off
} rvCableEnergy;

RV_API rvCableEnergy rvCable_GetEnergy(const rvWorld* world, rvCableId id); ///< all 0 where there is no such cable

/// Cuts the cable: it carries nothing from now on, what it stored becomes heat.
RV_API rvStatus rvCable_Break(rvWorld* world, rvCableId id);

/// How many times it lies on a shape or crosses a cable now.
RV_API int rvCable_GetContactCount(const rvWorld* world, rvCableId id);

/// Where a cable is deepest inside a shape that it collides with.
typedef struct {
    double depth;    ///< the least way out, of its middle line [m]
    rvVec3 point;    ///< in the world [m]
    rvShapeId shape; ///< of none of the bodies that its places are on
} rvCableDepth;

/// How deep a cable is inside shapes now. One that is created there does not come out at once, or not at all. A mesh
/// with a border has no inside. False: it is in none by more than 0.1 mm, or does not collide; all is 0.
RV_API bool rvCable_GetDepth(rvWorld* world, rvCableId id, rvCableDepth* depth);

/// Where two massless or layered cables that collide hold each other, or two of finite elements (ancf, ale), or two
/// curves in space. They come apart, which is an event, where they pull apart and where one slips off the end of the
/// other. Massless ones may be wound around each other, any number of turns, those with mass up to half a turn.
typedef struct {
    rvVec3 point;    ///< in the world
    rvCableId other; ///< the other cable; the cable itself where it crosses itself
    rvVec3 force;    ///< that this cable puts on the other, by the last step [N]
} rvCableCrossing;

/// Where it crosses cables now, from place 0 on. Copies at most `capacity`, answers how many there are.
RV_API int rvCable_GetCrossings(const rvWorld* world, rvCableId id, rvCableCrossing* crossings, int capacity);

/// Points to draw the cable by, from place 0 on. Copies at most `capacity`, answers how many there are.
RV_API int rvCable_GetShape(const rvWorld* world, rvCableId id, rvVec3* points, int capacity);

/// What a cable carries at a point: what its part beyond that does to its part before it.
typedef struct {
    double at;      ///< rest length from place 0 [m]
    rvVec3 point;   ///< where that is, in the world [m]
    rvVec3 tangent; ///< of travel along the cable, a unit vector
    rvVec3 force;   ///< in the world [N]
    rvVec3 couple;  ///< about the point, in the world [N m]
    double tension; ///< of the force, along the cable [N]; negative: it presses
    double shear;   ///< of the force, across it [N], >= 0; 0 of models massless and layered, and so is `moment`
    double strain;  ///< by which it is longer than without load; 0 where it does not stretch
    double
        curvature; ///< of a curve in a plane about its normal; else its size, >= 0; 0 of models massless, layered [1/m]
    double moment; ///< of the couple, that bends it, same sign [N m]
    double torsion; ///< of a curve in space: how its frame turns about it, else 0 [rad/m]
    double torque;  ///< of the couple, about the cable: it twists it [N m]
} rvCableSection;

/// At a rest length from place 0, 0 up to that of the cable, in the last step. Where a force or a moment acts on a
/// point of it (a place between its ends) both jump: just before it; at 0 just after it. Curvature of model curve is
/// that of its interval. False: there is no such cable or place along it, and all is 0. Tension of models ancf and ale
/// is by the forces that elements carry as a whole, on a line from the middle of one to that of the next (strains
/// within one that bends much swing by many times that); strain is what that tension makes at rest.
RV_API bool rvCable_GetSection(const rvWorld* world, rvCableId id, double at, rvCableSection* section);

/// The same at the points of rvCable_GetShape, of model curve. Copies at most `capacity`, answers how many there are: 0
/// for other models.
RV_API int rvCable_GetSections(const rvWorld* world, rvCableId id, rvCableSection* sections, int capacity);

/// How a cable of model curve came by its shape at the start.
typedef struct {
    bool found;      ///< it is at rest: forces balance
    bool stable;     ///< and its energy is least there, with its places held; in space it may roll
    double residual; ///< largest force that is not balanced [N]
} rvCableRest;

/// False: it is of another model, or was not asked to begin at rest.
RV_API bool rvCable_GetRest(const rvWorld* world, rvCableId id, rvCableRest* rest);

#ifdef __cplusplus
}
#endif
