// SPDX-License-Identifier: MIT
// Joints as rows: one group a joint, rows in the order of their roles, the same every step until a command changes.
//
//   role          row                                                        bounds of x
//   0..5          held: position row phi = 0                                 none
//   6 + 3 axis    limit, of the side that the value is nearer to             0..inf (lower), -inf..0 (upper)
//                 inside the range:  J v' + C x = (limit - value)/h: arrives, does not pass, does not bounce
//                 outside: position row of phi = value - limit, with the joint's compliance
//                 lower = upper: that position row, unbounded
//   7 + 3 axis    motor: J v' = target, or (target - value)/h up to maxSpeed  -h maxForce..h maxForce
//                 never told to go beyond a limit, so that a motor without a force limit and a limit cannot conflict
//   8 + 3 axis    friction: J v' + (creep/(h friction)) x = 0                 -h friction..h friction
//                 (of a ball joint: 8, 9, 10, about the world's axes)
//
// Friction and motor share J and may both rest inside their bounds, as may the friction of three hinges of one door:
// which takes how much would then be open. So friction is a very steep slope and not a jump: it is full at a
// creep of 1e-6 m/s or rad/s.
#include "body/joint.h"

#include "body/joint_layout.h"

#include <assert.h>
#include <string.h>

static const double creepSpeed = 1e-6;

enum { FIRST_AXIS_ROLE = RV_JOINT_MAX_HELD, ROLES_OF_AXIS = 3, ROLE_LIMIT = 0, ROLE_MOTOR = 1, ROLE_FRICTION = 2 };

static_assert(FIRST_AXIS_ROLE + ROLES_OF_AXIS * RV_JOINT_MAX_AXES == RV_JOINT_MAX_ROWS, "a role for every row");
static_assert(FIRST_AXIS_ROLE + ROLE_FRICTION + RV_JOINT_MAX_DRAG <= RV_JOINT_MAX_ROWS, "room for a ball's friction");

typedef enum { WORK_HELD, WORK_LIMIT, WORK_MOTOR, WORK_FRICTION } Work;

typedef struct {
    const rvJointCoordinate* coordinate;
    int role, axis;
    Work work;
} Plan;

// All that the rows of one joint need.
typedef struct {
    const rvJoint* joint;
    const rvStepContext* context;
    rvJointFrames frames;
    const rvRow* limit[RV_JOINT_MAX_AXES]; // the axis' limit row, written before its motor row
    int side[RV_JOINT_MAX_AXES];           // of that limit: -1 lower, 1 upper, 0 both
} Writer;

static int axis_role(int axis, int role)
{
    return FIRST_AXIS_ROLE + ROLES_OF_AXIS * axis + role;
}

static bool has_lower(const rvJointCoordinate* coordinate, const rvJointAxis* axis)
{
    return isfinite(axis->lower) && !(coordinate->nonNegative && axis->lower <= 0.0);
}

// The rows that the joint has by its definition and its commands.
static int plan_rows(const rvJoint* joint, Plan plan[RV_JOINT_MAX_ROWS])
{
    const rvJointLayout* layout = rv_joint_layout(joint->type);
    const rvJointAxis* first = &joint->state.axes[0];
    bool held = !(layout->yields && (first->limited || first->motor != RV_MOTOR_OFF));
    int count = 0;
    for (int i = 0; held && i < layout->heldCount; ++i)
        plan[count++] = (Plan){&layout->held[i], i, 0, WORK_HELD};
    if (held && layout->yields)
        return count; // its only axis is held
    for (int i = 0; i < layout->axisCount; ++i) {
        const rvJointAxis* axis = &joint->state.axes[i];
        const rvJointCoordinate* coordinate = &layout->axes[i];
        if (axis->limited && (isfinite(axis->upper) || has_lower(coordinate, axis)))
            plan[count++] = (Plan){coordinate, axis_role(i, ROLE_LIMIT), i, WORK_LIMIT};
        if (axis->motor != RV_MOTOR_OFF)
            plan[count++] = (Plan){coordinate, axis_role(i, ROLE_MOTOR), i, WORK_MOTOR};
        if (axis->friction > 0.0 && layout->dragCount == 0)
            plan[count++] = (Plan){coordinate, axis_role(i, ROLE_FRICTION), i, WORK_FRICTION};
    }
    for (int i = 0; first->friction > 0.0 && i < layout->dragCount; ++i)
        plan[count++] = (Plan){&layout->drag[i], axis_role(0, ROLE_FRICTION) + i, 0, WORK_FRICTION};
    return count;
}

static rvVec3 place_now(const rvBodyStore* bodies, int body, rvVec3 local, rvVec3* arm)
{
    *arm = rvVec(0, 0, 0);
    if (body < 0)
        return local;
    const rvBodyState* state = &bodies->items[body].state;
    *arm = rvRotate(state->q, local);
    return rvAdd(state->x, *arm);
}

static rvQuat orientation_now(const rvBodyStore* bodies, int body, rvQuat local)
{
    return body < 0 ? local : rvQuatMul(bodies->items[body].state.q, local);
}

// Where the two frames are; how they stand is left out where no coordinate asks for it.
static void find_places(rvJointFrames* frames, const rvJoint* joint, const rvBodyStore* bodies)
{
    frames->a.p = place_now(bodies, joint->bodyA, joint->frameA.p, &frames->armA);
    frames->b.p = place_now(bodies, joint->bodyB, joint->frameB.p, &frames->armB);
    frames->offset = rvSub(frames->b.p, frames->a.p);
}

static void find_orientations(rvJointFrames* frames, const rvJoint* joint, const rvBodyStore* bodies)
{
    frames->a.q = orientation_now(bodies, joint->bodyA, joint->frameA.q);
    frames->b.q = orientation_now(bodies, joint->bodyB, joint->frameB.q);
    frames->turn = rvQuatMul(rvQuatConj(frames->a.q), frames->b.q);
    for (int i = 0; i < RV_JOINT_MAX_AXES; ++i)
        frames->last[i] = joint->state.value[i];
}

static rvJointFrames frames_now(const rvJoint* joint, const rvBodyStore* bodies)
{
    rvJointFrames frames;
    find_places(&frames, joint, bodies);
    find_orientations(&frames, joint, bodies);
    return frames;
}

// J v with the bodies' velocities as they stand.
static double line_speed(const rvJointLine* line, const rvJoint* joint, const rvBodyStore* bodies)
{
    double speed = 0.0;
    if (joint->bodyA >= 0) {
        const rvBodyState* a = &bodies->items[joint->bodyA].state;
        speed += rvDot(line->turnA, a->w) - rvDot(line->linear, a->v);
    }
    if (joint->bodyB >= 0) {
        const rvBodyState* b = &bodies->items[joint->bodyB].state;
        speed += rvDot(line->linear, b->v) + rvDot(line->turnB, b->w);
    }
    return speed;
}

static double counted(const rvJointCoordinate* coordinate, double value, double last)
{
    static const double turn = 6.283185307179586;
    return coordinate->turns ? last + remainder(value - last, turn) : value;
}

// Of the two limits the one that is passed or else will be nearer after the step.
static int near_side(const rvJointCoordinate* coordinate, const rvJointAxis* axis, double value, double ahead)
{
    if (!has_lower(coordinate, axis))
        return 1;
    if (axis->lower == axis->upper)
        return 0;
    if (value < axis->lower || value > axis->upper)
        return value < axis->lower ? -1 : 1;
    return ahead - axis->lower <= axis->upper - ahead ? -1 : 1;
}

static double compliance_of(const rvJoint* joint, const rvJointCoordinate* coordinate)
{
    return coordinate->angular ? joint->angularCompliance : joint->compliance;
}

static void write_held(Writer* writer, const Plan* plan, rvRow* row, double value, double speed)
{
    const rvJoint* joint = writer->joint;
    double rest = rv_joint_layout(joint->type)->yields ? joint->state.length : 0.0;
    rv_row_set_position(row, writer->context, value - rest, speed, compliance_of(joint, plan->coordinate),
                        rv_damping_time(writer->context, joint->damping));
}

static void write_limit(Writer* writer, const Plan* plan, rvRow* row, double value, double speed)
{
    const rvJoint* joint = writer->joint;
    const rvStepContext* context = writer->context;
    const rvJointAxis* axis = &joint->state.axes[plan->axis];
    int side = near_side(plan->coordinate, axis, value, value + context->h * speed);
    double phi = value - (side > 0 ? axis->upper : axis->lower);
    double compliance = compliance_of(joint, plan->coordinate);
    // a rigid stop takes the speed at once: what comes in shall not go on at a part of its speed
    double rate = compliance > 0.0 || side == 0 ? speed : 0.0;
    rv_row_set_position(row, context, phi, rate, compliance, rv_damping_time(context, joint->damping));
    if (side * phi < 0.0)
        row->bias = -phi / context->h;
    row->lower = side < 0 ? 0.0 : -HUGE_VAL;
    row->upper = side > 0 ? 0.0 : HUGE_VAL;
    writer->limit[plan->axis] = row;
    writer->side[plan->axis] = side;
}

static void write_motor(Writer* writer, const Plan* plan, rvRow* row, double value, double speed)
{
    (void)speed;
    double h = writer->context->h;
    const rvJointAxis* axis = &writer->joint->state.axes[plan->axis];
    double command = axis->target;
    if (axis->motor == RV_MOTOR_POSITION)
        command = fmin(fmax((axis->target - value) / h, -axis->maxSpeed), axis->maxSpeed);
    const rvRow* limit = writer->limit[plan->axis];
    if (limit) {
        int side = writer->side[plan->axis];
        command = fmin(command, side >= 0 ? limit->bias : (axis->upper - value) / h);
        command = fmax(command, side <= 0 ? limit->bias : (axis->lower - value) / h);
    }
    rv_row_set_velocity(row, writer->context, command, 0.0);
    row->lower = -h * axis->maxForce;
    row->upper = h * axis->maxForce;
}

static void write_friction(Writer* writer, const Plan* plan, rvRow* row, double value, double speed)
{
    (void)value;
    (void)speed;
    double friction = writer->joint->state.axes[plan->axis].friction;
    rv_row_set_velocity(row, writer->context, 0.0, creepSpeed / friction);
    row->lower = -writer->context->h * friction;
    row->upper = writer->context->h * friction;
}

// Last step's answer as the guess, brought into the bounds of this step.
static void warm_start(rvRow* row, const rvJointState* state, int role)
{
    row->impulse = fmin(fmax(state->impulse[role], row->lower), row->upper);
    row->mode = (int16_t)state->mode[role];
    if (row->lower == 0.0 || row->upper == 0.0) {
        // a limit: its side may have changed, so what counts is whether it carries
        int idle = row->lower == 0.0 ? RV_ROW_LOWER : RV_ROW_UPPER;
        row->mode = (int16_t)(row->impulse != 0.0 ? RV_ROW_FREE : idle);
    } else if ((row->mode == RV_ROW_LOWER && !isfinite(row->lower)) ||
               (row->mode == RV_ROW_UPPER && !isfinite(row->upper))) {
        row->mode = RV_ROW_FREE;
    }
}

static void put_jacobian(double entry[6], rvVec3 linear, rvVec3 turn)
{
    entry[0] = linear.x;
    entry[1] = linear.y;
    entry[2] = linear.z;
    entry[3] = turn.x;
    entry[4] = turn.y;
    entry[5] = turn.z;
}

static rvVec3 point_speed(const rvBody* body, rvVec3 arm)
{
    return body ? rvAdd(body->state.v, rvCross(body->state.w, arm)) : rvVec(0, 0, 0);
}

// The Jacobian of sign * (the point at `arm`), all three world components.
static void put_point(double entry[3][6], double sign, rvVec3 arm)
{
    for (int i = 0; i < 3; ++i)
        entry[i][i] = sign;
    entry[0][4] = sign * arm.z;
    entry[0][5] = -sign * arm.y;
    entry[1][3] = -sign * arm.z;
    entry[1][5] = sign * arm.x;
    entry[2][3] = sign * arm.y;
    entry[2][4] = -sign * arm.x;
}

// The three rows of a closed gap at once: what most joints consist of.
static void write_gap(const Writer* writer, const rvBody* a, const rvBody* b, rvRow* row, double (*entryA)[6],
                      double (*entryB)[6])
{
    const rvJoint* joint = writer->joint;
    const rvJointFrames* frames = &writer->frames;
    rvVec3 speed = rvSub(point_speed(b, frames->armB), point_speed(a, frames->armA));
    double tau = rv_damping_time(writer->context, joint->damping);
    rv_row_set_position(&row[0], writer->context, frames->offset.x, speed.x, joint->compliance, tau);
    rv_row_set_position(&row[1], writer->context, frames->offset.y, speed.y, joint->compliance, tau);
    rv_row_set_position(&row[2], writer->context, frames->offset.z, speed.z, joint->compliance, tau);
    for (int i = 0; i < 3; ++i)
        row[i].impulse = joint->state.impulse[i];
    if (entryA)
        put_point(entryA, -1.0, frames->armA);
    if (entryB)
        put_point(entryB, 1.0, frames->armB);
}

static void write_coordinate(Writer* writer, const Plan* plan, rvJoint* joint, const rvBodyStore* bodies, rvRow* row,
                             double* entryA, double* entryB)
{
    static void (*const writers[])(Writer*, const Plan*, rvRow*, double, double) = {[WORK_HELD] = write_held,
                                                                                    [WORK_LIMIT] = write_limit,
                                                                                    [WORK_MOTOR] = write_motor,
                                                                                    [WORK_FRICTION] = write_friction};
    rvJointLine line = plan->coordinate->measure(&writer->frames, plan->coordinate->component);
    double speed = line_speed(&line, joint, bodies);
    bool ofAxis = plan->work != WORK_HELD;
    double value = ofAxis ? counted(plan->coordinate, line.value, joint->state.value[plan->axis]) : line.value;
    writers[plan->work](writer, plan, row, value, speed);
    warm_start(row, &joint->state, plan->role);
    if (entryA)
        put_jacobian(entryA, rvNeg(line.linear), line.turnA);
    if (entryB)
        put_jacobian(entryB, line.linear, line.turnB);
}

static void write_joint(rvJoint* joint, int index, const rvBodyStore* bodies, const rvStepContext* context,
                        rvRows* rows)
{
    joint->group = -1;
    const rvBody* a = joint->bodyA >= 0 ? &bodies->items[joint->bodyA] : NULL;
    const rvBody* b = joint->bodyB >= 0 ? &bodies->items[joint->bodyB] : NULL;
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan);
    if (count == 0 || !((a && rv_body_is_pushed(a)) || (b && rv_body_is_pushed(b))))
        return;
    int slots[2], slotCount = 0;
    int slotA = a && rv_body_moves(a) ? slotCount : -1;
    if (slotA >= 0)
        slots[slotCount++] = joint->bodyA;
    int slotB = b && rv_body_moves(b) ? slotCount : -1;
    if (slotB >= 0)
        slots[slotCount++] = joint->bodyB;
    int group = rv_rows_add(rows, RV_GROUP_JOINT, index, count, slots, slotCount);
    if (group < 0)
        return;
    joint->group = group;
    // held rows come first; of a joint that yields they store energy
    while (joint->compliance == 0.0 && joint->angularCompliance == 0.0 && rows->groups[group].ownCount < count &&
           plan[rows->groups[group].ownCount].work == WORK_HELD)
        rows->groups[group].ownCount += 1;
    rows->groups[group].ownChanged = rows->groups[group].ownCount != joint->state.held;
    Writer writer;
    writer.joint = joint;
    writer.context = context;
    find_places(&writer.frames, joint, bodies);
    rvRow* row = rv_group_rows(rows, group);
    double(*entryA)[6] = slotA >= 0 ? rv_group_jacobian(rows, group, slotA) : NULL;
    double(*entryB)[6] = slotB >= 0 ? rv_group_jacobian(rows, group, slotB) : NULL;
    int first = 0;
    if (plan[0].coordinate->gap) {
        write_gap(&writer, a, b, row, entryA, entryB);
        first = 3;
    }
    if (first < count) {
        find_orientations(&writer.frames, joint, bodies);
        memset(writer.limit, 0, sizeof writer.limit);
        memset(writer.side, 0, sizeof writer.side);
    }
    for (int i = first; i < count; ++i)
        write_coordinate(&writer, &plan[i], joint, bodies, &row[i], entryA ? entryA[i] : NULL,
                         entryB ? entryB[i] : NULL);
}

void rv_joints_write_rows(rvJointStore* store, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows)
{
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            write_joint(&store->items[i], i, bodies, context, rows);
}

void rv_joint_opening(const rvJoint* joint, const rvBodyStore* bodies, double h, double* opened, double* arm)
{
    rvJointFrames frames;
    find_places(&frames, joint, bodies);
    const rvVec3 arms[2] = {frames.armA, frames.armB};
    const int ends[2] = {joint->bodyA, joint->bodyB};
    *opened = *arm = 0.0;
    for (int i = 0; i < 2; ++i) {
        if (ends[i] < 0)
            continue;
        rvVec3 w = bodies->items[ends[i]].state.w;
        *opened += h * h * rvLength(rvCross(w, rvCross(w, arms[i])));
        *arm = fmax(*arm, rvLength(arms[i]));
    }
}

void rv_joint_write_closing(const rvJoint* joint, const rvBodyStore* bodies, double share, rvRows* rows)
{
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan), slots[2], slotCount = 0;
    const int ends[2] = {joint->bodyA, joint->bodyB};
    for (int i = 0; i < 2; ++i)
        if (ends[i] >= 0 && rv_body_moves(&bodies->items[ends[i]]))
            slots[slotCount++] = ends[i];
    int group = rv_rows_add(rows, RV_GROUP_JOINT, 0, count, slots, slotCount);
    if (group < 0)
        return;
    rvJointFrames frames = frames_now(joint, bodies);
    double rest = rv_joint_layout(joint->type)->yields ? joint->state.length : 0.0;
    for (int k = 0; k < count; ++k) {
        rvJointLine line = plan[k].coordinate->measure(&frames, plan[k].coordinate->component);
        if (!plan[k].coordinate->angular)
            rv_group_rows(rows, group)[k].bias = -share * (line.value - rest);
        for (int i = 0; i < slotCount; ++i) {
            bool isB = slots[i] == joint->bodyB;
            put_jacobian(rv_group_jacobian(rows, group, i)[k], isB ? line.linear : rvNeg(line.linear),
                         isB ? line.turnB : line.turnA);
        }
    }
}

// Answers whether the push changed by a sizeable share of what the pass assumed.
static bool read_joint(rvJoint* joint, const rvRows* rows)
{
    rvJointState* state = &joint->state;
    rvVec3 assumed = rvAdd(state->push, state->pushWithA);
    memset(state->impulse, 0, sizeof state->impulse);
    memset(state->mode, 0, sizeof state->mode);
    state->push = state->pushWithA = rvVec(0, 0, 0);
    if (joint->group < 0)
        return false;
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan);
    const rvRow* row = rv_group_rows(rows, joint->group);
    const double(*jacobian)[6] = (const double(*)[6])rv_group_jacobian(rows, joint->group, 0);
    double sign = rows->slots[rows->groups[joint->group].firstSlot].body == joint->bodyB ? 1.0 : -1.0;
    for (int k = 0; k < count; ++k) {
        state->impulse[plan[k].role] = row[k].impulse;
        state->mode[plan[k].role] = row[k].mode;
        rvVec3* push = plan[k].coordinate->turnsWithA ? &state->pushWithA : &state->push;
        *push = rvMulAdd(*push, sign * row[k].impulse, rvVec(jacobian[k][0], jacobian[k][1], jacobian[k][2]));
    }
    rvVec3 change = rvSub(rvAdd(state->push, state->pushWithA), assumed);
    double share = 0.5 * RV_PASS_TOLERANCE;
    return rvDot(change, change) > share * share * rvDot(assumed, assumed);
}

void rv_joint_count_work(rvJoint* joint, int row, double work)
{
    Plan plan[RV_JOINT_MAX_ROWS];
    plan_rows(joint, plan);
    if (plan[row].work == WORK_MOTOR)
        joint->state.work += work;
    else
        joint->state.taken -= work;
}

bool rv_joint_was_shut(rvJoint* joint, int held)
{
    bool shut = held > joint->state.held;
    joint->state.held = held;
    return shut;
}

bool rv_joints_read_rows(rvJointStore* store, const rvRows* rows)
{
    bool changed = false;
    for (int i = 0; i < store->pool.count; ++i)
        if (rv_id_pool_alive(&store->pool, i))
            changed = read_joint(&store->items[i], rows) || changed;
    return changed;
}

void rv_joints_capacity(const rvJointStore* store, int* rowCount, int* groupCount, int* slotCount, int* entryCount)
{
    *rowCount = *groupCount = *slotCount = *entryCount = 0;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        const rvJointLayout* layout = rv_joint_layout(store->items[i].type);
        int count = layout->heldCount + ROLES_OF_AXIS * layout->axisCount + layout->dragCount;
        *rowCount += count;
        *groupCount += 1;
        *slotCount += 2;
        *entryCount += 2 * 6 * count;
    }
}

bool rv_joint_reached_limit(const rvJoint* joint, int axis)
{
    return joint->state.atLimit[axis] != 0.0 && joint->wasAtLimit[axis] != joint->state.atLimit[axis];
}

// Which limit the axis rests against or has passed: -1, 0, 1.
static int limit_reached(const rvJoint* joint, const rvJointCoordinate* coordinate, int i)
{
    const rvJointAxis* axis = &joint->state.axes[i];
    double impulse = joint->state.impulse[axis_role(i, ROLE_LIMIT)];
    double value = joint->state.value[i];
    if (!axis->limited)
        return 0;
    if (has_lower(coordinate, axis) && (value <= axis->lower || impulse > 0.0))
        return -1;
    return value >= axis->upper || impulse < 0.0 ? 1 : 0;
}

void rv_joints_publish(rvJointStore* store, const rvBodyStore* bodies, const rvStepContext* context)
{
    (void)context;
    store->limitReached = false;
    for (int i = 0; i < store->pool.count; ++i) {
        if (!rv_id_pool_alive(&store->pool, i))
            continue;
        rvJoint* joint = &store->items[i];
        const rvJointLayout* layout = rv_joint_layout(joint->type);
        for (int k = 0; k < layout->axisCount; ++k) {
            const rvJointCoordinate* coordinate = &layout->axes[k];
            const rvJointAxis* axis = &joint->state.axes[k];
            joint->wasAtLimit[k] = joint->state.atLimit[k];
            joint->state.atLimit[k] = 0.0;
            if (!coordinate->turns && !axis->limited && axis->motor == RV_MOTOR_OFF)
                continue; // nothing to remember: long chains of balls have no use for their angles
            rvJointFrames frames = frames_now(joint, bodies);
            rvJointLine line = coordinate->measure(&frames, coordinate->component);
            joint->state.value[k] = counted(coordinate, line.value, frames.last[k]);
            joint->state.atLimit[k] = limit_reached(joint, coordinate, k);
            store->limitReached = store->limitReached || rv_joint_reached_limit(joint, k);
        }
    }
}

static rvJointLine axis_line(const rvJoint* joint, const rvBodyStore* bodies, int axis)
{
    const rvJointLayout* layout = rv_joint_layout(joint->type);
    if (axis < 0 || axis >= layout->axisCount)
        return (rvJointLine){0};
    rvJointFrames frames = frames_now(joint, bodies);
    rvJointLine line = layout->axes[axis].measure(&frames, layout->axes[axis].component);
    line.value = counted(&layout->axes[axis], line.value, frames.last[axis]);
    return line;
}

double rv_joint_value(const rvJoint* joint, const rvBodyStore* bodies, int axis)
{
    return axis_line(joint, bodies, axis).value;
}

double rv_joint_speed(const rvJoint* joint, const rvBodyStore* bodies, int axis)
{
    rvJointLine line = axis_line(joint, bodies, axis);
    return line_speed(&line, joint, bodies);
}

// As for cables the middle of the step is read, where the time-centred rule keeps the energy.
double rv_joint_elastic_energy(const rvJoint* joint, const rvBodyStore* bodies, double h)
{
    double energy = 0.0;
    if (joint->compliance == 0.0 && joint->angularCompliance == 0.0)
        return energy;
    rvJointFrames frames = frames_now(joint, bodies);
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan);
    double rest = rv_joint_layout(joint->type)->yields ? joint->state.length : 0.0;
    for (int k = 0; k < count && plan[k].work == WORK_HELD; ++k) {
        double compliance = compliance_of(joint, plan[k].coordinate);
        rvJointLine line = plan[k].coordinate->measure(&frames, plan[k].coordinate->component);
        double phi = line.value - rest - 0.5 * h * line_speed(&line, joint, bodies);
        energy += compliance > 0.0 ? 0.5 * phi * phi / compliance : 0.0;
    }
    return energy;
}

double rv_joint_motor_impulse(const rvJoint* joint, int axis)
{
    bool exists = axis >= 0 && axis < rv_joint_layout(joint->type)->axisCount;
    bool on = exists && joint->state.axes[axis].motor != RV_MOTOR_OFF;
    return on ? joint->state.impulse[axis_role(axis, ROLE_MOTOR)] : 0.0;
}

void rv_joint_impulse_on_b(const rvJoint* joint, const rvBodyStore* bodies, rvVec3* linear, rvVec3* angular)
{
    *linear = *angular = rvVec(0, 0, 0);
    rvJointFrames frames = frames_now(joint, bodies);
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan);
    for (int k = 0; k < count; ++k) {
        rvJointLine line = plan[k].coordinate->measure(&frames, plan[k].coordinate->component);
        double x = joint->state.impulse[plan[k].role];
        *linear = rvMulAdd(*linear, x, line.linear);
        *angular = rvMulAdd(*angular, x, rvSub(line.turnB, rvCross(frames.armB, line.linear)));
    }
}

void rv_joint_error(const rvJoint* joint, const rvBodyStore* bodies, double* translation, double* rotation)
{
    *translation = *rotation = 0.0;
    rvJointFrames frames = frames_now(joint, bodies);
    Plan plan[RV_JOINT_MAX_ROWS];
    int count = plan_rows(joint, plan);
    double rest = rv_joint_layout(joint->type)->yields ? joint->state.length : 0.0;
    for (int k = 0; k < count && plan[k].work == WORK_HELD; ++k) {
        rvJointLine line = plan[k].coordinate->measure(&frames, plan[k].coordinate->component);
        double* error = plan[k].coordinate->angular ? rotation : translation;
        *error = hypot(*error, line.value - rest);
    }
}
