// SPDX-License-Identifier: MIT
// Rope that flows: ALE-ANCF in space. A cable is a chain of *falls* between places; the rope runs from one fall into
// the next through places that stay where they are (eyes, sheaves, edges, winches).
//
// Each node has seven coordinates: position r, slope and material coordinate p, the unstretched length from the rope's
// beginning. Within a fall p is spread evenly over the mesh, p = p_a + lambda (p_b - p_a)/Lambda with lambda the mesh's
// own length; so the mesh rides along with the fall, the p of its inner nodes are no unknowns of their own, and the
// matrix of a fall is that of ANCF with two columns more. Either the place of an end or its rope is held, never
// neither:
//   place held     position given (or by a body), p an unknown of the place: rope flows through
//   rope held      p given, position free: a free end; or given as well: an attached one
// docs/theory/ale.md has the equations. Units: m, kg, s, N.
#pragma once

#include "cable/ancf/ancf_step.h"

typedef struct rvAle rvAle;

enum { RV_ALE_MAX_FALLS = 128, RV_ALE_MESH = 1000 }; // RV_ALE_MESH: most elements of a fall

typedef struct {
    double length;    // of rope in it at the start, unstretched [m]
    int elementCount; // at the start
    int room;         // elements that it may be split into; at least elementCount
} rvAleFallDef;

typedef struct {
    int fallCount;
    const rvAleFallDef* falls;
    int fallRoom; // falls that it may be cut into; all have room for as many elements then. 0: as many as it has
    double EA, EI, massPerLength;
    double axialTime, bendTime; // Kelvin-Voigt [s]
    rvVec3 gravity;
    bool buckles;      // as in rvAncfDef
    double diameter;   // for water [m]
    rvAncfWater water; // copied; its drag is always in the matrix (ale_water.c)
} rvAleDef;

// Ends of a fall.
enum { RV_ALE_BEGIN, RV_ALE_END };

rvStatus rv_ale_create(const rvAleDef* def, rvMemory* memory, rvAle** ale, rvError* error);
void rv_ale_destroy(rvAle* ale);

// Before rv_ale_initialise. End `end` of a fall is held in its place: RV_ANCF_PIN or RV_ANCF_CLAMP.
rvStatus rv_ale_hold(rvAle* ale, int fall, int end, unsigned mask, rvError* error);
void rv_ale_let_go(rvAle* ale, int fall, int end);

// After shape and holds.
rvStatus rv_ale_initialise(rvAle* ale, const rvAncfOptions* options, rvError* error);
// The fall that the last step would have left without rope, -1: none. That is an event, no failure: the rope has left
// it.
int rv_ale_ran_out(const rvAle* ale);

// Reading.
double rv_ale_fall_length(const rvAle* ale, int fall); // of rope in it, unstretched
int rv_ale_element_count(const rvAle* ale, int fall);
// The rope of a fall at a share 0 to 1 of it; velocity: of the rope itself.
rvAncfPoint rv_ale_point(const rvAle* ale, int fall, double share);
rvAncfEnergy rv_ale_energy(const rvAle* ale);
rvVec3 rv_ale_momentum(const rvAle* ale);
rvVec3 rv_ale_angular_momentum(const rvAle* ale); // about the origin
double rv_ale_mass(const rvAle* ale);
// What the hold of an end gives it; stepped: by the tensions that the last real-time step was solved with. (Rates that
// were changed since, of what a contact stopped, would be damped, and strain that it left out would pull: kilonewtons.)
void rv_ale_reaction(rvAle* ale, int fall, int end, bool stepped, double force[6]);

// Elements shall be of `length` [m]: one that is longer than 1.5 times that is split in the middle, two that together
// are shorter than 1.2 times that become one (ale_mesh.c). At most one change a fall; answers how many. Between steps.
// What merges make or lose is added to `more`, which may be NULL [J]; splits do not.
int rv_ale_adapt(rvAle* ale, double length, double* more);
