// SPDX-License-Identifier: MIT
// A curve in the world, in the order of a step: predict, rows (curve_rows.c), forces, rates of what holds.
#include "cable/curve/curve_kernel.h"
#include "cable/route/route.h"

#include <string.h>

#define LARGEST_GAP 1e-6 // of the length: what rows may miss of where a body holds it, beyond it there is another pass
#define NOTICED 1e-3     // of the length
#define JUMP 0.5         // of a force, within a step
#define SETTLED 1e-3     // turn of a node in a pass with touches, beyond it there is another [rad]
#define UNSETTLED 0.05   // of one that touches nothing [rad]: the next pass would turn by its square
#define LEFT 1e-4        // of the energy: what passes may leave
#define LETS_GO 0.25     // of a force: what is left when a curve goes slack
enum { FIRST_PASSES = 3, TIRED = 6, MOST_TRIALS = 2 };

#define column rv_curve_column
#define dot rv_curve_dot

// ---- predict --------------------------------------------------------------------------------------------------------

// From the start of the step: the first of them goes all of its way.
static void begin_passes(rvCurve* curve)
{
    curve->share = 1.0;
    curve->turned = HUGE_VAL;
}

// By how much nodes may turn in the last pass: the next one would turn by its square d^2, so that points beside them
// are off by d^2 l, l an interval, and their rates by d^2 l/h; where it stretches its energy is EA L d^4/2.
static double find_loose(const rvCable* cable, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    double length = curve->now.length, mass = cable->massPerLength * length;
    double energy = 2.0 * LEFT * (curve->was[0] + curve->was[1]);
    double fall = 2.0 * LEFT * NOTICED * length * mass * rvLength(curve->gravity);
    double turn = sqrt(h * curve->now.intervals / length * sqrt((energy + fall) / mass));
    if (cable->def.axialStiffness > 0.0)
        turn = fmin(turn, sqrt(sqrt(energy / (cable->axialStiffness * length))));
    return fmax(turn, SETTLED);
}

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvCurve* curve = rv_curve_of(cable);
    rvVec3 g = curve->gravity;
    curve->gravity = context->gravity;
    if (g.x != curve->gravity.x || g.y != curve->gravity.y || g.z != curve->gravity.z)
        rv_curve_begin_books(cable);
    curve->passes = curve->ropeCount = 0;
    curve->again = curve->unsettled = curve->stopped = false;
    curve->looked = !curve->collides || cable->state.broken != 0.0;
    begin_passes(curve);
    curve->failure = rv_curve_find_too_heavy(cable, bodies) > 0.0 ? "it is too light for a body that it holds" : NULL;
    curve->torn = curve->failure == NULL;
    curve->leapt = false;
    curve->atRest = context->atRest;
    curve->hosted = cable->dense; // or at rest
    if (curve->atRest)
        rv_curve_begin_rest(cable, context->h);
    else {
        rv_curve_open_books(cable);
        curve->loose = find_loose(cable, context->h);
        bool euler = curve->fresh != 0.0 || curve->anew || rv_curve_starts_at_once(curve, bodies, context->h);
        curve->kernel->predict(curve, context->h, euler);
    }
}

// What bodies still get of past forces at grips and touches; sign -1: it is taken back.
static void add_past(const rvCurve* curve, rvBodyStore* bodies, double sign)
{
    rvPush pushes[RV_PUSHES];
    for (int k = 0; k < curve->gripCount; ++k) {
        double past[3][6];
        for (int i = 0; i < 18; ++i)
            past[i / 6][i % 6] = sign * curve->states[k].past[i / 6][i % 6];
        if (curve->grips[k].pushed)
            rv_grip_add_load(&bodies->items[curve->grips[k].body], past[0], true);
    }
    for (int k = 0; k < RV_PUSHES; ++k) {
        pushes[k] = curve->pushes[k];
        for (int i = 0; i < 18; ++i)
            pushes[k].past[i / 6][i % 6] *= sign;
    }
    rv_pushes_add_loads(pushes, bodies);
}

// What bodies that are led get of a step beside the new force; sign -1: it is taken back.
static void add_read(const rvCurve* curve, rvBodyStore* bodies, bool euler, double sign)
{
    for (int k = 0; k < curve->gripCount; ++k) {
        double mean[6], none[6] = {0};
        if (curve->grips[k].pushed || curve->grips[k].body < 0)
            continue;
        rv_curve_read_force(curve, k, none, euler, mean);
        for (int c = 0; c < 6; ++c)
            mean[c] *= sign;
        rv_grip_add_load(&bodies->items[curve->grips[k].body], mean, false);
    }
}

static void add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    rvCurve* curve = rv_curve_of(cable);
    bool any = !context->atRest && cable->state.broken == 0.0;
    if (any && curve->ropeCount > 0 && !curve->now.alpha->euler) { // as all do that touch each other
        curve->kernel->predict(curve, context->h, true);
        begin_passes(curve);
    }
    curve->hasPast = any && !curve->now.alpha->euler;
    if (curve->hasPast)
        add_past(curve, bodies, 1.0);
    if (any)
        add_read(curve, bodies, curve->now.alpha->euler, 1.0);
}

static void add_stiffness(rvCable* cable, rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->hasPast && curve->now.alpha->euler) {
        add_past(curve, bodies, -1.0);
        add_read(curve, bodies, false, -1.0);
        add_read(curve, bodies, true, 1.0);
        curve->hasPast = false;
    }
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].off)
            continue;
        else if (curve->grips[k].pushed && curve->passes > 0 && !curve->atRest)
            rv_grip_add_pass_stiffness(&curve->grips[k], bodies, curve->now.alpha->h, curve->now.alpha->cM, 1);
        else if (curve->grips[k].pushed)
            rv_grip_add_stiffness(&curve->grips[k], &curve->states[k], bodies);
}

// ---- forces ---------------------------------------------------------------------------------------------------------

rvVec3 rv_curve_touch_force(const rvCurve* curve, const rvCurveTouch* touch)
{
    rvVec3 force = rvScale(touch->force[0], touch->out);
    for (int way = 0; way < curve->dims - 1; ++way)
        force = rvMulAdd(force, touch->force[1 + way], touch->across[way]);
    return force;
}

// What a grip's rows hold, in the curve's coordinates.
static rvVec3 held_force(const rvCurve* curve, int k)
{
    if (curve->grips[k].off)
        return rvVec(0, 0, 0);
    const double* f = curve->held + curve->grips[k].row;
    return rvVec(f[0], f[1], curve->dims == 3 ? f[2] : 0.0);
}

static rvVec3 held_moment(const rvCurve* curve, int k)
{
    const double* f = curve->held + curve->grips[k].row + curve->dims;
    double all[3] = {0};
    bool turns = curve->grips[k].clamped && !curve->grips[k].off;
    for (int t = 0; turns && t < curve->turns; ++t)
        all[rv_curve_turn_axis(curve, t)] = f[t];
    return rvVec(all[0], all[1], all[2]);
}

// Forces of a pass as loads: their stiffness is in the matrix of the next.
static void keep_forces(rvCurve* curve)
{
    int n = 0;
    for (int k = 0; k < curve->gripCount; ++k)
        curve->forces[n++] =
            (rvCurveForce){curve->spots[k].interval + curve->spots[k].xi, held_force(curve, k), held_moment(curve, k)};
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (touch->force[0] == 0.0)
            continue;
        rvVec3 force = rv_curve_touch_force(curve, touch);
        curve->forces[n++] = (rvCurveForce){touch->spot.interval + touch->spot.xi, force, rvVec(0, 0, 0)};
        if (touch->both)
            curve->forces[n++] = (rvCurveForce){touch->other.interval + touch->other.xi, rvNeg(force), rvVec(0, 0, 0)};
    }
    curve->forceCount = n;
}

static double read_grips(rvCurve* curve)
{
    double most = 0.0;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        rvVec3 force = rv_curve_out(curve, held_force(curve, k));
        rvVec3 moment = rvAdd(rvCross(grip->arm, force), rv_curve_out(curve, held_moment(curve, k)));
        const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        memcpy(grip->force, all, sizeof all);
        most = fmax(most, rvLength(force));
    }
    return most;
}

static void read_touches(rvCurve* curve, const rvRow* row)
{
    curve->pressing = 0;
    for (int k = 0; k < curve->touchCount; ++k) {
        rvCurveTouch* touch = &curve->touches[k];
        bool rubs = touch->friction > 0.0, presses = row && row[touch->row].impulse > 0.0;
        touch->force[0] = -curve->held[touch->row]; // its row points inwards
        touch->holds[0] = presses;
        for (int way = 1; way < curve->dims; ++way) {
            touch->force[way] = rubs ? curve->held[touch->row + way] : 0.0;
            touch->holds[way] = presses && rubs && row[touch->row + way].mode == RV_ROW_FREE;
        }
        curve->pressing += presses;
        if (touch->rope)
            rv_curve_tell_rope(curve, touch);
    }
    rv_curve_keep_presses(curve);
    curve->folded = false;
    for (int k = 0; k < curve->foldCount; ++k) {
        curve->folds[k].holds = row && row[curve->folds[k].row].impulse > 0.0;
        curve->folded = curve->folded || curve->folds[k].holds;
    }
}

// Is it another force: different by more than half, and by more than moves the curve noticeably in a step?
static bool is_other(rvVec3 now, rvVec3 then, double noticed)
{
    double change = rvDistance(now, then);
    return change > noticed && change > JUMP * fmax(rvLength(now), rvLength(then));
}

// Did the forces of this pass, which are not kept yet, jump: from those that the matrix was made with, or at a body
// from those of the last step?
static void find_jumps(const rvCable* cable, double gravity, bool* misjudged, bool* jumped)
{
    const rvCurve* curve = rv_curve_of(cable);
    double length = curve->now.length, h = curve->now.alpha->h;
    double noticed = cable->massPerLength * length * fmax(gravity, NOTICED * length / (h * h));
    double stretched = 0.0; // by how much a curve that stretches pulls more or less as its ends go on, at most
    for (int k = 0; cable->def.axialStiffness > 0.0 && k < curve->gripCount; ++k)
        stretched += 2.0 * h * cable->axialStiffness / length * rvLength(rv_space_vec(curve->pasts[k].rate[0]));
    *misjudged = *jumped = false;
    for (int k = 0; k < curve->gripCount; ++k) {
        const double* p = curve->states[k].past[0];
        rvVec3 now = held_force(curve, k), then = rv_curve_in(curve, rvVec(p[0], p[1], p[2]));
        if (curve->grips[k].off)
            continue;
        *misjudged = *misjudged || is_other(now, curve->forces[k].force, noticed);
        double most = rvDot(now, then) < LETS_GO * rvDot(then, then) ? noticed : fmax(noticed, stretched);
        // between bodies that are led it comes taut
        bool taut = curve->grips[k].body >= 0 && rvLength(now) > rvLength(then);
        *jumped = *jumped || ((curve->grips[k].pushed || taut) && is_other(now, then, most));
    }
}

// Will there be another pass if it asks for one? What is begun again without it would have no forces.
static bool goes_on(const rvCurve* curve, const rvStepContext* context)
{
    int most = context->maxPasses + (context->maxPasses > 1 && curve->touchCount == 0 ? RV_EXTRA_PASSES : 0);
    return context->geometricStiffness > 0.0 && curve->passes < most;
}

// Did a body turn so far beyond what was expected of it that the rows miss where it holds the curve?
static bool leaves_arms(const rvCurve* curve, double h)
{
    double gap = 0.0;
    for (int k = 0; k < curve->gripCount && !curve->atRest; ++k)
        if (curve->grips[k].pushed && !curve->grips[k].off)
            gap = fmax(gap, rvLength(rv_grip_gap(&curve->grips[k], curve->bodies, h, false)));
    return gap > LARGEST_GAP * curve->now.length;
}

// Newton's passes on rows that hold or do not: where touches change between passes a pass may want back what the last
// one did, and they go to and fro for ever. A pass that wants to turn no less than the last one contradicts it, and
// goes half as far as that one did; one that wants to turn less goes twice as far, up to all of its way. What touches
// nothing, or was cut short, contradicts itself where it turns back; in space in the first passes it may, as a whip
// does that is straightened. (In a plane it is led by what holds it: see curve_plane.c.) What is left when a step ends
// is energy for the next: it goes on until it is small, or passes end.
bool rv_curve_find_share(rvCurve* curve, double turn, double largest)
{
    const rvCurveStep* now = &curve->now;
    bool touches = curve->touchCount + curve->foldCount > 0, led = !touches && !curve->space && curve->rowCount > 0;
    bool back = isfinite(curve->turned) && dot(now->step, curve->last, now->count) < 0.0 &&
                (curve->passes > FIRST_PASSES || !curve->space);
    curve->unsettled = turn > fmin(touches ? SETTLED : UNSETTLED, curve->loose) && !curve->atRest;
    if (touches && curve->turned <= largest) // of one that was cut short no less is to be expected
        back = turn >= curve->turned;
    if (curve->atRest || led || (!touches && !curve->unsettled))
        curve->share = 1.0;
    else if (isfinite(curve->turned))
        curve->share = back ? 0.5 * curve->share : fmin(1.0, 2.0 * curve->share);
    curve->turned = turn;
    memcpy(curve->last, now->step, (size_t)now->count * sizeof(double));
    double most = curve->atRest || turn <= largest ? 1.0 : largest / turn;
    curve->gone = fmin(curve->share, most);
    return curve->unsettled;
}

// Passes that do not settle contradict each other, and where they end is anywhere: what is begun anew is a step of
// implicit Euler, which makes no energy. (Not of one that stretches and is held by a body that is pushed: what passes
// leave is stretch, and Euler would take of a load that it catches.)
static void begin_anew(const rvCable* cable, rvCurve* curve, const rvStepContext* context)
{
    bool stretches = cable->def.axialStiffness > 0.0, pushed = false;
    for (int k = 0; k < curve->gripCount; ++k)
        pushed = pushed || (curve->grips[k].pushed && !curve->grips[k].off);
    if (!curve->again || (stretches && pushed) || curve->passes != TIRED || curve->now.alpha->euler ||
        !goes_on(curve, context))
        return;
    curve->kernel->predict(curve, context->h, true);
    begin_passes(curve);
}

static void read_pass(rvCable* cable, const rvStepContext* context, const rvRows* rows)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveStep* now = &curve->now;
    const rvRow* row = cable->group >= 0 ? rv_group_rows(rows, cable->group) : NULL;
    for (int r = 0; r < curve->rowCount; ++r) {
        curve->held[r] = row ? -now->alpha->cM * context->h * row[r].impulse : 0.0;
        for (int i = 0; r < curve->width && curve->held[r] != 0.0 && i < now->count; ++i)
            now->step[i] += curve->held[r] * column(curve, r)[i];
    }
    if (row && curve->width < curve->rowCount)
        rv_curve_push_inside(curve, curve->held, now->step);
    if (curve->failure)
        return;
    cable->peakTension = read_grips(curve);
    read_touches(curve, row);
    bool misjudged, jumped;
    find_jumps(cable, rvLength(context->gravity), &misjudged, &jumped);
    keep_forces(curve);
    bool euler = now->alpha->euler || jumped;
    curve->again = !curve->atRest && row && (euler != now->alpha->euler || (misjudged && curve->passes <= MOST_TRIALS));
    if (curve->again && goes_on(curve, context)) { // once more from the start of the step, with these forces
        curve->kernel->predict(curve, context->h, euler);
        begin_passes(curve);
    } else
        curve->again = curve->kernel->endPass(cable, row) || (row && leaves_arms(curve, context->h));
    if (row)
        begin_anew(cable, curve, context);
    while (!row && curve->again) { // nothing holds it: its passes are its own
        curve->passes += 1;
        if (!curve->kernel->linearise(curve)) {
            curve->failure = "no such step";
            return;
        }
        curve->again = curve->kernel->endPass(cable, NULL);
        begin_anew(cable, curve, context);
        rv_curve_find_folds(curve);
        if (curve->foldCount > 0 && goes_on(curve, context)) // what stops it is a row
            return;
    }
}

static rvPass read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows)
{
    (void)bodies;
    const rvCurve* curve = rv_curve_of(cable);
    read_pass(cable, context, rows);
    cable->account.held = rv_curve_is_held_fast(curve) ? 1 : -1;
    bool on = curve->touchCount == 0 || curve->unsettled || curve->stopped;
    return (rvPass){curve->again, curve->again && on ? RV_EXTRA_PASSES : 0};
}

// ---- end of the step ------------------------------------------------------------------------------------------------

// The pasts of grips and of touched bodies move on; after implicit Euler forces have none.
static void keep_grips(const rvCable* cable, const rvBodyStore* bodies)
{
    rvCurve* curve = rv_curve_of(cable);
    bool euler = cable->group >= 0 && curve->now.alpha->euler;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGripState* state = &curve->states[k];
        const double* f = curve->grips[k].force;
        memmove(state->past[1], state->past[0], 2 * sizeof state->past[0]);
        bool blow = curve->pasts[k].blow != 0.0;
        for (int c = 0; c < 6; ++c) {
            state->past[0][c] = cable->group >= 0 ? f[c] : 0.0;
            double mean = blow ? state->past[0][c] : 0.5 * (state->past[0][c] + state->past[1][c]);
            curve->pasts[k].unread[c] = curve->now.alpha->euler ? 0.0 : 0.5 * mean;
        }
        curve->pasts[k].blow = curve->now.alpha->euler;
        for (int i = 1; euler && i < 3; ++i)
            memcpy(state->past[i], state->past[0], sizeof state->past[i]);
        state->spin = curve->grips[k].spin;
        memcpy(curve->pasts[k].rate[1], curve->pasts[k].rate[0], sizeof curve->pasts[k].rate[0]);
        rv_curve_find_rates(curve, k, bodies, curve->pasts[k].rate[0]);
    }
    rv_pushes_shift(curve->pushes);
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec3 force = rv_curve_out(curve, rv_curve_touch_force(curve, touch));
        if (touch->body >= 0 && !touch->rope)
            rv_pushes_add(curve->pushes, touch->body, force, rvCross(touch->arm, force));
    }
    for (int k = 0; euler && k < RV_PUSHES; ++k)
        for (int i = 1; i < 3; ++i)
            memcpy(curve->pushes[k].past[i], curve->pushes[k].past[0], sizeof curve->pushes[k].past[i]);
}

static void advance(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvCurve* curve = rv_curve_of(cable);
    if (curve->failure)
        return;
    if (curve->atRest) {
        rv_curve_end_rest(cable, context->h);
        return;
    }
    curve->anew = false;
    bool finite = curve->kernel->endRates(curve);
    if (cable->group >= 0)
        rv_curve_set_rates(cable, bodies, context->h);
    else {
        rv_curve_take_back(curve, rv_curve_made(cable, bodies, context->h), 0);
        curve->kernel->endAccelerations(curve);
    }
    curve->leapt = finite && !curve->hosted && rv_curve_leaps(cable, bodies, context->h);
    curve->kernel->moveObstacles(curve, bodies, context->h);
    if (!finite || !curve->kernel->acceptStep(curve))
        curve->failure = "its shape is not finite";
    else if (cable->state.broken == 0.0)
        curve->failure = rv_curve_find_failure(cable, bodies);
    cable->needed = curve->plane ? rv_plane_curve_count_needed(curve) : 0;
    rv_curve_close_books(cable, bodies, context->h);
    keep_grips(cable, bodies);
    curve->fresh = curve->unsettled && curve->now.alpha->euler; // its accelerations balance nothing
    rv_curve_publish(cable);
    if (cable->loose) // its free end went on
        rv_route_update(&cable->route, bodies);
    cable->loosePull = cable->state.restLength * cable->massPerLength * rvLength(context->gravity);
    for (int i = 0; i < 2 * curve->now.intervals; ++i)
        cable->peakTension = fmax(cable->peakTension, curve->tension[i]);
}

static const char* end(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* step)
{
    const rvCurve* curve = rv_curve_of(cable);
    advance(cable, bodies, step);
    cable->account.excess = curve->left;
    cable->contactCount = curve->pressing;
    return curve->failure;
}

static int retry(rvCable* cable, const rvBodyStore* bodies, double* force)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->anew = curve->leapt;
    return curve->anew ? RV_SAME_HOLDS : rv_curve_slip(cable, bodies, force);
}

static bool collide(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes, double h, int pass)
{
    if (pass == 0) {
        rv_curve_of(cable)->kernel->broadPhase(cable, bodies, shapes, h);
        cable->line.pieces = cable->state.broken == 0.0 ? cable->line.room : 0; // it meets itself by its own contacts
    }
    return false;
}

// One that begins in a shape is pushed out by its contacts.
static double depth(rvCable* cable, const rvBodyStore* bodies, const rvShapeStore* shapes)
{
    (void)cable, (void)bodies, (void)shapes;
    return 0.0;
}

// ---- the table ------------------------------------------------------------------------------------------------------

static void load(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    if (pass == 0)
        add_loads(cable, bodies, step);
    if (step->geometricStiffness > 0.0)
        add_stiffness(cable, bodies);
}

static rvStatus create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error)
{
    rvStatus status = def ? rv_curve_create(cable, def, bodies, memory, error)
                          : rv_curve_reroute(cable, from->cable, bodies, memory, error);
    if (status != RV_OK)
        return status;
    const rvCurve* curve = rv_curve_of(cable);
    cable->line.room = curve->space && curve->collides ? RV_LINE_BLOCK * curve->now.intervals : 0;
    return def && !from ? rv_curve_check_reach(cable, error) : RV_OK;
}

static void place(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how)
{
    if (how->kind == RV_START_LIKE)
        rv_curve_take(cable, how->like, bodies, how->gravity, how->h);
    else
        rv_curve_hang(cable, bodies, how->gravity, how->kind == RV_START_STRAIGHT);
}

static void follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    if (change->kind == RV_CHANGE_BODIES)
        rv_curve_follow(cable, bodies);
}

static const rvModelLife life = {
    .create = create, .destroy = rv_curve_release, .place = place, .follow = follow, .visit = rv_curve_visit};

static const rvModelStep steps = {
    .begin = begin, .load = load, .write = rv_curve_write_rows, .read = read_rows, .end = end};

static const rvModelContact contacts = {.collide = collide, .depth = depth};

static const rvModelEquilibrium equilibrium = {.measure = rv_curve_measure_rest, .nudge = rv_curve_nudge};

static const rvModelHold holds = {.set = rv_curve_set_held, .retry = retry};

const rvModel rv_model_curve = {
    .name = "curve",
    .traits = RV_HAS_MASS | RV_KEEPS_PLACES | RV_OWN_LINES | RV_MAY_BUCKLE | RV_OWN_TORSION,
    .life = &life,
    .step = &steps,
    .read = &rv_curve_readings,
    .contact = &contacts,
    .equilibrium = &equilibrium,
    .hold = &holds,
    .line = &rv_curve_line,
};
