// SPDX-License-Identifier: MIT
// Finite elements against shapes: nodes and middles of elements are balls of the cable's thickness, and so is the point
// between two of them that is nearest to a convex shape, a bar or an edge (of rope that flows where it hangs off its
// chord). Both go along the way of the step: what
// would be beyond the shape at its end is met where it comes to it. What a pass leads through is met by the next one.
// What is the same for rope that keeps to its nodes (fe_contact.c) and rope that flows (ale_touch.c).
//
// A contact at the point S q of the cable, S the shape functions there, with the normal n out of the shape: the gap at
// the end of the step is n.(S q1) - R - n.(surface + h v'). With y >= 0 the impulse on the body along -n and the force
// on the cable
// l = cM h y along n, as at a port (model_ancf.c), the row is
//   -n.v' + C y - bias = gap/h >= 0,   bias = (R + n.surface - n.S(p + d))/h
// and two rows along the surface, |y| <= mu y_n, that hold the point where it was: bias = t.(way of the rope there)/h.
// A body that is touched gets the force's mean over four steps (of a prescribed one that is the wrench that is read);
// what is still to come stays in a list by body, and runs out when the contact is gone.
#pragma once

#include "cable/ancf/ancf_parts.h"
#include "cable/core/model.h"
#include "cable/route/grip.h"

// What the solve found of a point, to begin the next one with: without it pivoting begins anew, and all points that lie
// do not press. Saved and restored as bytes.
typedef struct {
    double known; // 1: it touched
    double impulse[3], mode[3];
} rvTouchGuess;

// A point of the cable on a shape, within a step.
typedef struct rvFeTouch {
    int fall, element; // fall: of rope that flows, else 0
    int sample;        // which of its points; -1: between two of them
    int point;         // the same, of all elements
    int shapeIndex;    // of the shape that is touched
    bool plane;        // it is a plane
    bool moved;        // along the elements since the step began
    double at;         // along the elements [m]
    double shape[4];   // shape functions there
    int body;          // that moves; -1: none
    bool isPoint;      // the body is a point between two ropes, see crossing_elements.c
    bool welded;       //   that this rope takes along
    int slot;
    int row;                 // its first one in the group
    rvVec3 normal, along[2]; // out of the shape, and along it
    rvVec3 arm;              // of the contact from the body's centre of mass
    double radius;           // of the cable there: how far it stays off the surface [m]
    double surface;          // n . (point of the surface) at the start of the step [m]
    double start;            // n . (point of the cable) there [m]
    double depth;            // by which it began inside, where that is more than a contact has; else 0 [m]
    double kept;             // what of that it has at the end of the step [m]
    double friction;
    rvLineContact contact; // of the last solve
    bool inside;           // its rows stay in the cable in this pass, and which of them the solver holds there
    bool held[3];
    double gives[3]; // about how far a unit impulse along a row moves it there, of bodies apart
    rvTouchGuess guess;
} rvFeTouch;

typedef struct {
    rvFeTouch* items;
    int count, capacity;
    int* slots;            // bodies of the rows: the route's, then those that are touched
    rvTouchGuess* guesses; // by points, two an element and one; NULL: none are kept
    int guessCount;
    int firstPoint; // of the elements that are looked at
    int found;      // by looks so far
    bool near;      // a shape is where they may come to in the step
} rvTouches;

// Elements with where they are expected at the end of the step.
typedef struct {
    const rvAncf* ancf;
    const double* expected;
    int fall;
    bool skip[2]; // the first, the last node is not looked at: something else says where it is
    bool thin;    // taut: meets shapes as a line, as its route does, all but planes and its own
    bool loose;   // meets edges and bars between its points, too
    int own[2];   // shapes that its route lies on at its ends, half of its thickness off them; -1: none
    rvVec3 out;   // where it is one shape: out of it, where it lies
    bool more;    // only what they would pass through and do not touch yet
} rvTouchElements;

// Adds what touches, answers how many; `holds`: does the cable hold on to that body? Such a one is not touched.
int rv_touches_look(rvTouches* touches, rvCable* cable, const rvTouchElements* elements, const rvBodyStore* bodies,
                    const rvShapeStore* shapes, double h, bool (*holds)(const rvCable* cable, int body));
// How deep the elements are inside shapes as they are now, at most [m]; no less than a contact may be. Adds nothing.
double rv_touches_depth(rvTouches touches, rvCable* cable, const rvTouchElements* elements, const rvBodyStore* bodies,
                        const rvShapeStore* shapes, bool (*holds)(const rvCable* cable, int body));
int rv_touches_list_slots(rvTouches* touches, const rvCable* cable); // answers how many there are
// Numbers the rows, three a touch, from `first` on; with `inside` those on bodies that nothing pushes come last.
// Answers how many do.
int rv_touches_number(rvTouches* touches, const rvBodyStore* bodies, int first, bool inside);
// Writes them; moved: how far the rope would go without new forces, along the direction of each row.
void rv_touches_write(const rvTouches* touches, const double* moved, double h, rvRows* rows, int group);
// What the solve found; factor: of the impulses, to forces on the cable along the directions.
void rv_touches_read(rvTouches* touches, const rvRows* rows, int group, double factor);
// After the step: the guesses of the next one.
void rv_touches_keep_guesses(const rvTouches* touches);
void rv_touches_keep_pushes(const rvTouches* touches, rvPush* pushes);
int rv_touches_count_points(const rvTouches* touches); // those with ropes
int rv_touches_count_holding(const rvTouches* touches);
int rv_touches_hold(rvTouches* touches); // rows that hold as `held`, of ropes none; answers how many

// Rows that hold as springs in the matrix of the elements (touch_hold.c). With a the row's S^T e, C = cM a H^-1 a^T,
// and k the stiffness of its spring,
//   (H + cM sum of k a a^T) u = cM (P^T y + sum of k r a),   y = k (r - a.u)
// is what rows that hold with the right side r do together with other impulses y at P: each touch is within an
// element, so the band does not grow. A spring yields RV_TOUCH_YIELDS of what the rope does: so much is left of r,
// and the solver refines that. More would lose digits in a.u, less in r.
#define RV_TOUCH_YIELDS 1e-8
// gives: by the blocks of the nodes in the matrix before it is factored, times cM: no more than about.
void rv_touch_find_gives(rvFeTouch* touch, const rvAncf* ancf, const rvAncfSlot* plain, double factor);
// k; 0: it gives nothing. soft: what rows along the surface yield more
double rv_touch_stiffness(const rvFeTouch* touch, int part, double soft);
void rv_touch_add_springs(const rvFeTouch* touch, const rvAncf* ancf, double soft, double factor, rvAncfSlot* slots);
void rv_touch_spread(const rvFeTouch* touch, rvVec3 force, double* x); // x += S^T force
// The speed of the touched body along row `part`, after the solve.
double rv_touch_speed(const rvFeTouch* touch, int part, const rvBodyStore* bodies);

// A touch with another rope, at a share of an element.
rvFeTouch rv_touch_of_rope(const rvAncf* ancf, int element, double xi, const rvRopeSide* side);
// Elements as a line of straight pieces, a block of them each: where one is; a box around an element as it is and as it
// is expected, added to one; may they turn back? (Where every slope goes on along the chord they do not.)
void rv_touch_on_piece(const rvTouchElements* elements, int piece, double share, rvVec3* was, rvVec3* now);
double rv_touch_piece_at(const rvAncf* ancf, int piece, double share);
void rv_touch_line_box(const rvTouchElements* elements, int element, double radius, rvVec3 box[2]);
bool rv_touch_line_folds(const rvTouchElements* elements);

// Direction in which row `part` of a touch pushes a body.
static inline rvVec3 rv_touch_direction(const rvFeTouch* touch, int part)
{
    return part == 0 ? rvNeg(touch->normal) : touch->along[part - 1];
}

static inline rvVec3 rv_touch_at(const rvFeTouch* touch, const double* q)
{
    double x[3];
    rv_ancf_blend(q, touch->element, touch->shape, x);
    return rvVec(x[0], x[1], x[2]);
}
