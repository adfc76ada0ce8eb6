// SPDX-License-Identifier: MIT
// A cable of gradient-deficient ANCF elements in space: position r and slope r' = dr/dp at each node, cubic Hermite
// between, p the unstretched length along the cable.
//
//   strain     eps = (r'.r' - 1)/2, tension EA (eps + tau_a deps/dt)
//   curvature  kappa = |r''| (as Westin and Irani) or |r' x r''|/|r'|^3 (exact), moment EI (kappa - kappa0 + tau_b
//   dkappa/dt)
//   energy     integral of EA eps^2/2 + EI (kappa - kappa0)^2/2 - weight
//
// The cable stands alone: held nodes follow a prescribed motion, rows A q = b(t) tie any coordinates. State is one
// block of doubles, so that saving is a copy. docs/theory/ancf.md has the formulas and where they come from.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "reeve/math.h"

typedef struct rvAncf rvAncf;

enum { RV_ANCF_MAX_ELEMENTS = 100000 };

// Properties of one element.
typedef struct {
    double length;        // unstretched [m]
    double EA;            // [N]
    double EI;            // [N m^2]
    double massPerLength; // [kg/m]
    double diameter;      // for water and contact [m]; 0 where there is neither
    double axialTime;     // Kelvin-Voigt time of stretching [s]
    double bendTime;      // Kelvin-Voigt time of bending [s]
    double curvature; // initial curvature kappa0 [1/m], of no fixed direction: the cable is free to turn about itself
} rvAncfElement;

// Speed of the water at a height; linear between, constant beyond the ends.
typedef struct {
    double height; // [m]
    rvVec3 speed;  // [m/s]
} rvAncfCurrent;

typedef struct {
    bool on;
    double level;       // height of the surface, along z [m]
    double density;     // [kg/m^3]
    double normalDrag;  // C_n: force 1/2 rho d C_n |v_n| v_n a length
    double tangentDrag; // C_t: force 1/2 rho d pi C_t |v_t| v_t a length
    double addedMass;   // C_a: mass rho pi d^2/4 C_a a length, across the cable
    bool implicitDrag;  // drag in the step's matrix; else explicit, as in the paper
    bool takenAlong;    // rt: what it comes into is taken along by a blow; else added mass comes from nothing
    const rvAncfCurrent* currents; // rising heights
    int currentCount;
} rvAncfWater;

typedef struct {
    int elementCount;
    const rvAncfElement* elements;
    rvVec3 gravity; // [m/s^2]
    bool exactCurvature;
    bool buckles; // elements that are pressed beyond their own Euler load give way; else they are bars. Not with taylor
    rvAncfWater water;
} rvAncfDef;

// What of a node is held.
enum { RV_ANCF_PIN = 0x07, RV_ANCF_CLAMP = 0x3f };

// Where a held node is at a time: position and slope, their rates and accelerations. Only what is held is read.
typedef void (*rvAncfMotionFn)(void* context, int node, double time, double b[6], double rate[6], double accel[6]);

// What of a node a body holds that moves with the cable: its position, or its slope.
typedef struct {
    int node;
    bool slope;
} rvAncfPort;

// The cable at one place.
typedef struct {
    rvVec3 position, slope, velocity; // slope: dr/dp
    double strain;                    // Green: (r'.r' - 1)/2
    double tension;                   // [N], with damping
    double curvature;                 // [1/m]
    double moment;                    // [N m], with damping
    rvVec3 about;                     // both: by its length the share of them that bends it, 0 where it is straight
} rvAncfPoint;

typedef struct {
    double kinetic, stretch, bend, potential, total; // [J]
} rvAncfEnergy;

// Errors name the field. *cable is NULL where it fails.
rvStatus rv_ancf_create(const rvAncfDef* def, rvMemory* memory, rvAncf** cable, rvError* error);
void rv_ancf_destroy(rvAncf* cable);

// Before rv_ancf_initialise. A node can be held once.
rvStatus rv_ancf_hold(rvAncf* cable, int node, unsigned mask, rvError* error);
void rv_ancf_let_go(rvAncf* cable, int node);                                    // of a hold, at any time
rvStatus rv_ancf_set_mass(rvAncf* cable, int node, double mass, rvError* error); // [kg]
void rv_ancf_set_motion(rvAncf* cable, rvAncfMotionFn motion, void* context);    // NULL: held where it started

void rv_ancf_set_gravity(rvAncf* cable, rvVec3 gravity); // between steps [m/s^2]
// Between steps: a constant force on a node [N].
rvStatus rv_ancf_set_force(rvAncf* cable, int node, rvVec3 force, rvError* error);

// The shape: straight, unstretched from a place along a way.
void rv_ancf_lay_straight(rvAncf* cable, rvVec3 from, rvVec3 way);
double rv_ancf_length(const rvAncf* cable);

// Reading, anywhere along the cable: p from 0 to its length.
rvAncfPoint rv_ancf_point(const rvAncf* cable, double p);
// And at two sides of it, within its element, so far apart; its element is one of these (at a node either may be
// meant).
void rv_ancf_points_about(const rvAncf* cable, const int range[2], double p, rvAncfPoint points[3], double* apart);
rvAncfEnergy rv_ancf_energy(const rvAncf* cable);
void rv_ancf_reaction(rvAncf* cable, int node, double force[6]); // that the hold gives the cable
