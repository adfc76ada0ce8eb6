// SPDX-License-Identifier: MIT
// Rows: the one format in which joints, contacts and cables speak to the solver.
//
//   J v' + C x = bias,    x the impulse [N s or N m s] that J^T x gives the bodies,
//   lower(x) <= x <= upper(x)
//
// A row inside its bounds has residual  J v' + C x - bias = 0, at the lower bound it is >= 0, at the upper <= 0.
// Bounds may lean on other impulses of the same group (friction on the normal, rope friction on the tension):
//   lower(x) = lower + leanLower * s,  upper(x) = upper + leanUpper * s,
//   s = sum of x over the rows leanFirst .. leanFirst + leanCount - 1  +  leanExtraWeight * x[leanExtra]
// (indices within the group). C is diagonal (row.compliance) unless the group has a dense symmetric block.
//
// Rows that share their bodies stand together in a *group*: a joint, the contacts of a pair of bodies, a cable.
// A *slot* is one body of a group, with its rowCount x 6 Jacobian (velocity, then angular velocity; world axes).
// Static bodies have no slot. Prescribed bodies have one: their inverse mass is zero but their velocity counts.
#pragma once

#include "base/memory.h"

enum { RV_ROW_FREE = 0, RV_ROW_LOWER = -1, RV_ROW_UPPER = 1 }; // mode: inside the bounds, at the lower, at the upper

typedef struct {
    double bias;
    double compliance; // >= 0
    double lower, upper;
    double leanLower, leanUpper;
    double leanExtraWeight;
    int16_t leanFirst, leanCount, leanExtra; // leanCount 0 and leanExtraWeight 0: constant bounds
    int16_t mode;                            // in: guess, out: where the row came to rest
    double impulse;                          // x; in: guess, out: solution
} rvRow;

// Rows that stay inside what made them. The last rows of a group may be on no body that is pushed, and there may be
// hundreds of them, each felt by each (contacts along a rope): a dense block of them would cost the cube of their
// number. C of all rows of such a group is A G A^T, G the inverse of a matrix that its owner solves in the time of a
// band; he keeps it, and does with it what the solver asks for. Rows are counted within the group; the others come
// first.
typedef struct {
    void* object;
    int count;  // of the rows inside
    bool exact; // what `reduce` and `complete` find is the solution, to rounding: springs yield by no more than C says
    // y = C x, of all rows
    void (*apply)(void* object, const double* x, double* y);
    // Rows inside that are not masked are held from now on; answers C of the other rows then, dense. Those whose
    // bounds lean yield by `soft` times their compliance.
    const double* (*hold)(void* object, const int8_t* masked, double soft);
    // Of a right side, 0 on masked rows: what the held rows do is taken off that of the other rows. And once these have
    // their impulses, those of the held rows in place of their right side.
    void (*reduce)(void* object, double* right);
    void (*complete)(void* object, double* x);
} rvInside;

typedef enum { RV_GROUP_JOINT = 0, RV_GROUP_CONTACT, RV_GROUP_CABLE, RV_GROUP_KINK } rvGroupKind;

typedef struct {
    rvGroupKind kind;
    int owner; // index of the joint, pair, cable or (kink) body in its store: for messages
    int firstRow, rowCount;
    int firstSlot, slotCount;
    const double* block; // dense rowCount x rowCount compliance instead of the rows' own, or NULL
    const rvInside*
        inside; // of the last rows, or NULL; `compliance` of all rows is then C_ii, of those inside about that
    int firstOwn, ownCount; // rows that should do no work: joints that do not yield, geometric stiffness
    bool ownChanged;        // of a joint: they are more or fewer than in the step before
} rvRowGroup;

typedef struct {
    int body;       // index in the solver's bodies
    int firstEntry; // Jacobian: rowCount x 6 doubles, by rows
} rvSlot;

typedef struct {
    rvRow* rows;
    rvRowGroup* groups;
    rvSlot* slots;
    double* entries;
    int rowCount, rowCapacity;
    int groupCount, groupCapacity;
    int slotCount, slotCapacity;
    int entryCount, entryCapacity;
} rvRows;

// Room for so many; between steps only.
bool rv_rows_reserve(rvRows* rows, rvMemory* memory, int rowCount, int groupCount, int slotCount, int entryCount);
void rv_rows_release(rvRows* rows, rvMemory* memory);
void rv_rows_clear(rvRows* rows);

// A new group over `bodyCount` distinct bodies, rows unbounded and zero, Jacobians zero. -1: no room.
int rv_rows_add(rvRows* rows, rvGroupKind kind, int owner, int rowCount, const int* bodies, int bodyCount);

static inline rvRow* rv_group_rows(const rvRows* rows, int group)
{
    return rows->rows + rows->groups[group].firstRow;
}

// Rows that are not inside.
static inline int rv_group_width(const rvRowGroup* group)
{
    return group->rowCount - (group->inside ? group->inside->count : 0);
}

// The Jacobian of slot `slot` of a group: J[row][0..5].
static inline double (*rv_group_jacobian(const rvRows* rows, int group, int slot))[6]
{
    return (double(*)[6])(rows->entries + rows->slots[rows->groups[group].firstSlot + slot].firstEntry);
}
