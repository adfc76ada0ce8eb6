// SPDX-License-Identifier: MIT
// A cable of finite elements in the world: which of its nodes bodies hold, and what passes there.
//
// Each attached place grips a node (grip.h). At the world, a static or a prescribed body the node is held inside the
// cable, at where that body will be. At a body that is pushed it is a *port*: three rows for its position, three more
// for its slope where it is clamped; see model_ancf.c.
#pragma once

#include "cable/ancf/ancf_parts.h"
#include "cable/ancf/ancf_port.h"
#include "cable/core/model.h"
#include "cable/fe/start_curve.h"
#include "cable/fe/touch.h"
#include "cable/route/grip.h"

enum { RV_FE_PATIENCE = 3 }; // passes, before the inside of the cable is relaxed between them
enum { RV_FE_WIDEST = 48 };  // rows beside those that stay inside
#define RV_FE_QUICK 0.01     // [s]: what takes up within that how its ends go apart does so at once

// What the energy guard found of the last pass; see fe_guard.c [J].
typedef struct {
    double work, energy, kinetic, scale, excess;
    double before;  // energy at the middle of the last step, as it is read
    double given;   // what bodies gave it since then, as the books of the world count it
    double reading; // how far the middle of the step lies below the mean of its ends
    double debt;    // what the bodies around owe
    bool fits, settled;
} rvFeGuard;

typedef struct rvFe {
    rvAncf* ancf;
    int* spans; // of the elements
    rvGrip* grips;
    rvGripState* states;
    int elementCount, gripCount, rowCount;
    rvAncfMethod method;
    rvAncfLead* leads;       // of the grips, of another method than rt
    double *places, *forces; // of the rows: where the ports would be without new forces, and those forces
    double* portBlock;       // compliance of the ports among themselves
    bool collides;
    rvVec3 bulge; // where it bends to at the start; zero: down
    rvFeTouch* touches;
    double* block; // dense compliance of the rows
    int touchCount, touchCapacity;
    bool near;             // a shape is where it may come to in this step
    bool met;              // the last pass led through one
    rvTouchGuess* guesses; // of its points, where it collides
    int guessCount;
    double* columns; // three a touch: what a unit force along its rows moves; and three more
    double* moved;   // by rows of touches
    // rows that stay inside (fe_inside.c)
    rvInside inside;
    int width;                        // rows that do not
    double soft;                      // what rows along surfaces yield more, as the solver asked for
    int* outer;                       // touches of these
    rvAncfSlot *plain, *stiff;        // the matrix before it is factored; with springs of what holds, factored
    double *heldColumns, *widthBlock; // of the rows that are not inside, with springs
    int* slots;                       // bodies of the rows: the route's, then those that are touched
    rvPush pushes[RV_PUSHES];         // what touched bodies still get
    const rvBodyStore* bodies;        // where held nodes look for their bodies, within a call
    double h;
    rvFeGuard guard;
    int passes;  // of this step
    bool again;  // another pass is wanted
    bool jumped; // its speeds, at the start of the step
    bool failed; // the last step gave numbers that are not finite
} rvFe;

rvStatus rv_fe_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                      rvError* error);
void rv_fe_release(rvCable* cable, rvMemory* memory);
// Of a copy of the cable with an end elsewhere: the same elements, as they move; where a new grip is not at its node
// they are drawn there, or hang anew (rv_fe_follow).
rvStatus rv_fe_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory,
                       rvError* error);
// Its shape between its places as they lie, at rest under its weight or straight; forces of the grips.
void rv_fe_begin(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight);

// The same; `old`, where it is not NULL: the model that was, by which its nodes move after a last step of h.
void rv_fe_start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight,
                 double h);

// What is around a cable of elements, and how its bending is damped, as its definition has it (fe_fluid.c);
// `currents` are kept by the caller.
rvStatus rv_fe_check_fluid(const rvCableDef* def, const char* name, rvError* error);
rvAncfWater rv_fe_water(const rvCableDef* def, rvAncfCurrent currents[RV_MAX_CURRENTS]);
double rv_fe_bend_time(const rvCable* cable, const rvCableDef* def); // [s]
// Do elements of this length buckle, see ancf_element.c? Where they weigh more than their Euler load, pi^2 EI/l^2 < m g
// l: shorter ones follow by their own shape how the rope bends, and stand as struts where it is stiff.
bool rv_fe_is_limp(double EI, double massPerLength, double length);

// A shape from which a cable with a curvature of its own finds it (fe_curl.c).
void rv_fe_curl(rvCable* cable, rvVec3 gravity);

// Shape and motion, for another model and from one; see fe_take.c.
// The nodes move as the points of another model did: slopes as their neighbours say, then no speeds that stretch it.
// False where it would have to go twice as fast for that: what was taken does not fit its shape.
bool rv_fe_take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h);
void rv_fe_smooth_speeds(rvAncf* ancf);
bool rv_fe_lead_speeds(rvAncf* ancf);
// Of any elements: a node moves as the point of a span of another model does; lies on a drawn curve at a share of it,
// stretched as that is over so much of the mesh; what is held is where its bodies have it.
void rv_fe_take_node(rvAncf* ancf, int node, const rvCable* old, const rvBodyStore* bodies, double h, int span,
                     double share);
void rv_fe_lay_node(rvAncf* ancf, int node, const rvStartCurve* curve, double share, double mesh);
void rv_fe_put_held(rvAncf* ancf);
void rv_fe_point(const rvCable* cable, const rvBodyStore* bodies, double h, int span, double share, rvVec3* at,
                 rvVec3* speed);
void rv_fe_take(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, double h);

// How far from its place a node may be for the cable to be drawn there as it is [m]: a quarter of an element, no more
// than `most`. (Rope that collides goes no further at once than half of its thickness: so it stays on its side of all
// that it touches.)
double rv_fe_near(const rvAncf* ancf, int node, double most);
// A body was moved from outside: where its grip is elsewhere now, but near, the cable is drawn there, and keeps its
// motion; else it hangs anew.
void rv_fe_follow(rvCable* cable, const rvBodyStore* bodies);

// An iteration towards rest (fe_rest.c). How far its nodes would go [m] and turn [rad] by themselves, what it carries
// [N]; answers the force that a step would find unbalanced [N].
void rv_fe_begin_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_fe_end_rest(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context);
void rv_fe_measure_rest(const rvCable* cable, double gravity, rvBalance* balance);

// The energy guard, after each pass: whether it asks for another; left: energy of the strain that the pass left out.
// And at the end of the step. False: not finite.
bool rv_fe_guard_asks(rvCable* cable, const rvBodyStore* bodies, double h, double left);
bool rv_fe_guard_close(rvCable* cable, const rvBodyStore* bodies, double h);
// Between ropes that touch, before it is closed; see core/model.h.
double rv_fe_guard_spare(rvCable* cable);
void rv_fe_guard_lend(rvCable* cable, double energy);
// What prescribed bodies give through held nodes, as the world counts it.
double rv_fe_support_work(const rvFe* fe, const rvBodyStore* bodies, double h);
double rv_fe_guard_enough(const rvFe* fe); // strain energy that a pass may leave out

// Bodies that lead it and start at once, before a step; answers the energy that it gained [J]. And what they feel of
// it.
double rv_fe_jump(rvCable* cable, const rvBodyStore* bodies, double h);
// How the rates of a held node jump, of position and slope; goesOn: some of its change goes on as before. False: most
// does.
bool rv_fe_jump_of(const double rate[6], rvGripState* state, double jump[6], bool* goesOn);
void rv_fe_add_kick(const rvGrip* grip, rvBodyStore* bodies, double h);

// Held nodes are where their bodies will be after fe->h; with taylor where they began.
void rv_fe_set_motion(rvFe* fe);
static inline bool rv_fe_is_led(const rvFe* fe) // by its places alone: it is stepped by another method than rt
{
    return fe->method != RV_ANCF_RT;
}

// From node to where its body has it.
rvVec3 rv_fe_grip_gap(const rvFe* fe, int k, const rvBodyStore* bodies);
// Ports as held nodes, and as ports again.
void rv_fe_hold_ports(rvFe* fe);
void rv_fe_let_ports_go(rvFe* fe);
// A broken cable has let go everywhere: its grips and holds follow its state.
void rv_fe_match_grips(rvCable* cable);
static inline bool rv_fe_is_port(const rvGrip* grip)
{
    return grip->pushed && !grip->off;
}

// The force that grip k's hold gives the cable, and its moment about the body's centre of mass.
void rv_fe_read_force(rvFe* fe, int k, const rvBodyStore* bodies, double wrench[6]);

// The mean tension of each span as it is told (rv_ancf_told_pull), into its first place. After a step, or anew, without
// a past.
void rv_fe_note_tensions(rvCable* cable, bool anew);

// Contacts, in the order of a step: where the predicted cable touches shapes; its rows' compliance (beside the ports'),
// the bodies of the rows (answers how many), the rows, their forces, and what bodies still get.
bool rv_fe_collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass);
double rv_fe_depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes);
int rv_fe_number_rows(rvCable* cable,
                      const rvBodyStore* bodies); // which of them stay inside; answers how many there are
void rv_fe_condense_touches(rvCable* cable, double factor);
void rv_fe_write_compliance(const rvCable* cable, rvRows* rows);
// The factor of the elements with springs for what `held` of the touches inside says, or of all.
void rv_fe_stiffen(rvFe* fe, bool all, double soft);
int rv_fe_list_slots(rvCable* cable);
void rv_fe_write_touches(const rvCable* cable, double h, rvRows* rows, int group);
void rv_fe_read_touches(rvCable* cable, double factor, const rvRows* rows);
void rv_fe_hold_touches(rvCable* cable,
                        const rvBodyStore* bodies); // rates of points that are held: after the last pass
void rv_fe_keep_pushes(rvFe* fe);
extern const rvModelLine rv_fe_line;      // ropes that it touches
int rv_fe_touches_ropes(const rvFe* fe);  // how many
int rv_fe_touching(const rvCable* cable); // points that press on a shape, after a step

// What of it is state, behind that of the cable.
void rv_fe_visit(rvCable* cable, rvVisitor* visitor);
