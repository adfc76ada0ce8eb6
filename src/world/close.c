// SPDX-License-Identifier: MIT
// Joint gaps that fast turning opened are closed after the bodies have moved.
//
// A row holds velocities, and along them a body that turns by w at arm r leaves its joint by the second order of the
// step, h^2/2 w x (w x r); and at the new pose its velocity opens it by h w x (w x r), of which the row lets a share
// through. The row's own correction closes that in some steps; in a whip it opens faster. So what a gap has beyond
// GAP_SHARE of the longer arm is closed at once, at most by h^2 w x (w x r) of both bodies: gaps from elsewhere (bodies
// that were put apart, joints that conflict) are left to the rows. Bodies move by y = M^-1 J^T x, J y = -gap, with the
// effective masses of the step; velocities stay. With the plain ones links turn rather than move, and chains that whip
// gain energy without end. Only bodies move that nothing but rigid joints acts on: a cable or a contact would answer by
// its stiffness; and only where something holds them: the angular momentum of free ones would change. What the way
// costs against gravity is told to the guard of the energy as made by the method.
#include "world/close.h"

#include "world/world.h"

#include <string.h>

#define GAP_SHARE 0.01
#define LEAST_TURN 0.05 // [rad] in a step: (h w)^2/2 of the arm is an eighth of GAP_SHARE, which the rows keep up with

bool rv_closing_reserve(rvClosing* closing, rvMemory* memory, const rvJointStore* joints, int bodyCount)
{
    int rows, groups, slots, entries;
    rv_joints_capacity(joints, &rows, &groups, &slots, &entries);
    return rv_rows_reserve(&closing->rows, memory, rows, groups, slots, entries) &&
           rv_memory_grow(memory, (void**)&closing->inverse, &closing->inverseCapacity, bodyCount,
                          sizeof *closing->inverse) &&
           rv_memory_grow(memory, (void**)&closing->way, &closing->wayCapacity, bodyCount, sizeof *closing->way);
}

void rv_closing_release(rvClosing* closing, rvMemory* memory)
{
    rv_rows_release(&closing->rows, memory);
    rv_memory_give(memory, closing->inverse, (size_t)closing->inverseCapacity * sizeof *closing->inverse);
    rv_memory_give(memory, closing->way, (size_t)closing->wayCapacity * sizeof *closing->way);
    *closing = (rvClosing){0};
}

static bool is_rigid_joint(const rvRowGroup* group)
{
    return group->kind == RV_GROUP_JOINT && group->ownCount == group->rowCount;
}

// The share of a joint's gap that is to be closed.
static double share_of(const rvJoint* joint, const rvBodyStore* bodies, double h)
{
    double opened, arm, gap, turn;
    rv_joint_error(joint, bodies, &gap, &turn);
    rv_joint_opening(joint, bodies, h, &opened, &arm);
    double excess = gap - GAP_SHARE * arm;
    return excess > 0.0 ? fmin(excess, opened) / gap : 0.0;
}

// Bodies that other rows than those of rigid joints act on stay, as does all that is not ours to move.
static void choose_bodies(rvWorld* world)
{
    rvClosing* closing = &world->closing;
    int count = world->bodies.pool.count;
    memcpy(closing->inverse, world->bodies.inverse, (size_t)count * sizeof *closing->inverse);
    memset(closing->way, 0, (size_t)count * sizeof *closing->way);
    for (int g = 0; g < world->rows.groupCount; ++g) {
        const rvRowGroup* group = &world->rows.groups[g];
        for (int i = group->firstSlot; i < group->firstSlot + group->slotCount && !is_rigid_joint(group); ++i)
            if (world->rows.slots[i].body < count)
                memset(closing->inverse[world->rows.slots[i].body], 0, sizeof *closing->inverse);
    }
    for (int i = 0; i < count; ++i)
        if (world->bodies.items[i].type != RV_BODY_DYNAMIC || world->bodies.items[i].ropeMass > 0.0 ||
            !rv_guard_holds(world, i))
            memset(closing->inverse[i], 0, sizeof *closing->inverse);
}

// Rows of all rigid joints; answers whether any has a gap to close.
static bool write_rows(rvWorld* world, double h)
{
    bool any = false;
    rv_rows_clear(&world->closing.rows);
    for (int g = 0; g < world->rows.groupCount; ++g) {
        if (!is_rigid_joint(&world->rows.groups[g]))
            continue;
        const rvJoint* joint = &world->joints.items[world->rows.groups[g].owner];
        double share = share_of(joint, &world->bodies, h);
        rv_joint_write_closing(joint, &world->bodies, share, &world->closing.rows);
        any = any || share > 0.0;
    }
    return any;
}

static void move(rvWorld* world, int index, const double way[6])
{
    const rvBody* body = &world->bodies.items[index];
    rvBodyState* s = &world->bodies.items[index].state;
    rvVec3 moved = rvVec(way[0], way[1], way[2]);
    s->x = rvAdd(s->x, moved);
    s->q = rvQuatNormalize(rvQuatMul(rvQuatFromRotation(rvVec(way[3], way[4], way[5])), s->q));
    rv_guard_add(world, index, -body->mass * rvDot(world->state.gravity, moved));
}

void rv_close_gaps(rvWorld* world, const rvStepContext* context, double fastest)
{
    if (!(context->h * fastest > LEAST_TURN) || context->stepper != RV_STEPPER_SPOOK || !write_rows(world, context->h))
        return;
    choose_bodies(world);
    rvClosing* closing = &world->closing;
    rvSolveBodies bodies = {world->bodies.pool.count, (const double(*)[7])closing->inverse, closing->way};
    if (rv_solver_solve(world->solver, &closing->rows, &bodies).fallbacks > 0)
        return;
    for (int i = 0; i < bodies.count; ++i)
        if (closing->inverse[i][0] > 0.0)
            move(world, i, closing->way[i]);
}
