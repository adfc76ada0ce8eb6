// SPDX-License-Identifier: MIT
// The kernel of a curve in space: what rows, forces and read-out need of space_run.h. Nodes lie at the places.
#include "cable/curve/curve_kernel.h"
#include "math/direction.h"

#include <string.h>

#define LARGEST_GAP 1e-6 // of the length: what a pass may leave at a grip, beyond it there is another
#define LARGEST_TURN 0.5 // of a node in a pass [rad]
#define EVEN 1e-6        // turn of a node in the second pass [rad]: the third would do next to nothing
enum { EVEN_PASSES = 2, LEAST_PASSES = 3, MOST_PASSES = 16, REST_ROUNDS = 200 };

static int node_of(const rvCurveSpot* spot)
{
    return spot->interval + (spot->xi > 0.5);
}

// ---- start ----------------------------------------------------------------------------------------------------------

// The frame, turned about its tangent so that curvature about its first axis bends it to that side.
static rvQuat turn_aside(rvQuat frame, rvVec3 t, rvVec3 side)
{
    rvVec3 have = rvRotate(frame, rvVec(1, 0, 0)), want = rvCross(t, side);
    double angle = atan2(rvDot(rvCross(have, want), t), rvDot(have, want));
    return rvQuatMul(rvQuatFromRotation(rvScale(angle, t)), frame);
}

// Twisted evenly along it.
static void initialise(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlace* places = cable->route.places;
    rvSpaceRun* run = &curve->space->run;
    int n = run->space.intervals;
    rvVec3 side = rvLength(curve->bulge) > 0.0 ? curve->bulge : curve->gravity, last = rvVec(0, 0, 1);
    rvQuat frame = rvQuatIdentity();
    double at = 0.0;
    run->gravity = curve->gravity;
    memset(run->state, 0, (size_t)run->stateCount * sizeof(double));
    const double start[3] = {places[0].point.x, places[0].point.y, places[0].point.z};
    memcpy(run->start, start, sizeof start);
    for (int i = 0, span = 0; i <= n; ++i) {
        while (span + 1 < cable->route.spanCount && i >= rv_space_curve_node_of_place(cable, span + 1))
            span += 1;
        int first = rv_space_curve_node_of_place(cable, span), end = rv_space_curve_node_of_place(cable, span + 1);
        rvVec3 way = rvSub(places[span + 1].point, places[span].point), chord = rvNormalizeOr(way, rvVec(1, 0, 0));
        rvVec3 across = rv_across_axis(side, chord);
        double angle = rv_curve_arc(cable, span, rvLength(way), (double)(i - first) / (end - first));
        rvVec3 t = rvAdd(rvScale(cos(angle), chord), rvScale(sin(angle), across));
        frame = rvQuatMul(rvQuatBetween(last, t), frame);
        if (i == 0)
            frame = turn_aside(frame, t, across);
        if (run->stretch)
            run->stretch[i] = rv_curve_reach(cable, span, rvLength(way));
        double twist = cable->def.twist * at / run->space.length;
        run->frames[i] = rvQuatMul(frame, rvQuatFromRotation(rvVec(0, 0, twist)));
        at += i < n ? run->space.parts[i].length : 0.0;
        last = t;
    }
    rv_space_align(run->frames, n + 1);
}

static void set_grip(rvCurve* curve, int k, const rvCurveHold* at)
{
    rvSpaceRun* run = &curve->space->run;
    rvSpaceHold* hold = &run->holds[k];
    hold->off = curve->grips[k].off;
    hold->loose = hold->off ? 7 : 0;
    hold->row = k == 0 ? 0 : hold[-1].row + rv_space_hold_rows(hold - 1);
    run->rowCount = hold->row + rv_space_hold_rows(hold);
    hold->place = at->place;
    hold->rate = at->rate;
    hold->spin = at->spin;
    if (curve->grips[k].clamped) { // the frame that is there, turned to the clamp
        rvQuat frame = curve->space->run.frames[hold->node];
        hold->frame = rvQuatMul(rvQuatBetween(rvRotate(frame, rvVec(0, 0, 1)), at->way), frame);
    }
}

static void find_equilibrium(rvCurve* curve)
{
    rvSpaceRest rest = rv_space_run_rest(&curve->space->run, (rvSpaceSearch){.rounds = REST_ROUNDS, .leave = 0.05});
    curve->rest = (rvCableRest){rest.found, rest.stability != RV_REST_UNSTABLE, rest.force};
}

// w = t x dv/ds; it is not twisted or stretched faster or slower at first.
static void take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    int n = run->space.intervals;
    rvVec3 first = rv_curve_old_speed(cable, old, bodies, h, 0.0);
    const double start[3] = {first.x, first.y, first.z};
    memcpy(run->v, start, sizeof start);
    double at = 0.0;
    for (int i = 0; i <= n; ++i) {
        double from = i > 0 ? at - run->space.parts[i - 1].length : 0.0;
        double to = i < n ? at + run->space.parts[i].length : at;
        rvVec3 change =
            rvSub(rv_curve_old_speed(cable, old, bodies, h, to), rv_curve_old_speed(cable, old, bodies, h, from));
        rvVec3 w = rvScale(1.0 / (to - from), rvCross(rvRotate(run->frames[i], rvVec(0, 0, 1)), change));
        const double spin[3] = {w.x, w.y, w.z};
        memcpy(run->v + rv_space_spin(i), spin, sizeof spin);
        at = to;
    }
}

void rv_space_curve_take_frame(rvCurve* curve, int k, rvQuat body)
{
    const rvSpaceRun* run = &curve->space->run;
    curve->pasts[k].frame = rvQuatMul(rvQuatConj(body), run->frames[run->holds[k].node]);
}

// Clamps take the frames that are there.
static void start(rvCurve* curve, const rvBodyStore* bodies)
{
    rvSpaceRun* run = &curve->space->run;
    rv_space_motion_project(run);
    rv_space_motion_solve(run, 0.0);
    memcpy(run->at, run->a, (size_t)run->space.count * sizeof(double));
    for (int k = 0; k < curve->gripCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        int body = curve->grips[k].body;
        rvQuat q = body >= 0 ? bodies->items[body].state.q : rvQuatIdentity();
        rv_space_curve_take_frame(curve, k, q);
        rvVec3 sums[2] = {rvVec(0, 0, 0), rvVec(0, 0, 0)};
        for (int r = 0; r < rv_space_hold_rows(hold); ++r) {
            bool turning;
            rvVec3 n = rv_space_hold_axis(hold, r, &turning);
            sums[turning] = rvMulAdd(sums[turning], run->forces[hold->row + r], n);
        }
        curve->forces[k].force = sums[0];
        curve->forces[k].moment = sums[1];
    }
    memset(run->forces, 0, (size_t)run->rowCount * sizeof(double));
}

// ---- state ----------------------------------------------------------------------------------------------------------

static void place(rvCurve* curve)
{
    rv_space_run_reset(&curve->space->run);
}

static void cache_sides(rvCurve* curve)
{
    rv_space_contacts_remember(&curve->space->run.contacts, rv_space_of(curve));
}

// Of obstacles that give: it goes through neither itself nor those that do not, and has no sides there.
static void visit_sides(rvCurve* curve, rvVisitor* v)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    size_t count = contacts->rigid ? 0 : (size_t)(contacts->obstacleCount * contacts->intervals);
    size_t size = count * sizeof(rvSpaceSide);
    if (v->kind == RV_VISIT_WRITE && size > 0)
        memcpy(v->to, contacts->sides, size);
    if (v->kind == RV_VISIT_READ && size > 0)
        memcpy(contacts->sides, v->from, size);
    rv_visit_gap(v, size);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// Pairs of its points that pressed on each other: of the last step, or, where the step begins once more, of its last
// pass. The nearest ones alone do not hold what lies along itself, and at rest each step would look for the others
// anew. They are among the forces, one after the other.
static void keep_pairs(rvCurve* curve)
{
    rvSpaceContacts* contacts = &curve->space->run.contacts;
    for (int i = curve->gripCount; contacts->itself && !curve->atRest && i + 1 < (int)curve->forceCount; ++i) {
        const rvCurveForce *one = &curve->forces[i], *two = one + 1;
        if (rvLength(rvAdd(one->force, two->force)) > 0.0)
            continue;
        rv_space_contacts_keep(contacts, rv_space_of(curve), one->at, two->at);
        i += 1;
    }
}

void rv_space_curve_go_ahead(rvCurve* curve)
{
    rv_space_run_go_ahead(&curve->space->run);
    keep_pairs(curve);
}

static void predict(rvCurve* curve, double h, bool euler)
{
    rvSpaceRun* run = &curve->space->run;
    run->gravity = curve->gravity;
    run->resting = curve->atRest;
    rv_space_curve_begin_touches(curve);
    rv_space_run_predict(run, h, euler);
    if (curve->looked)
        rv_space_curve_go_ahead(curve);
}

// The forces as loads of a pass.
static int push(const rvCurve* curve)
{
    const rvSpace* space = rv_space_of(curve);
    int count = (int)curve->forceCount;
    for (int i = 0; i < count; ++i) {
        const rvCurveForce* force = &curve->forces[i];
        int interval = (int)fmin(fmax(force->at, 0.0), space->intervals - 1);
        rvCurveSpot spot = rv_space_spot_in(space, interval, fmin(fmax(force->at - interval, 0.0), 1.0));
        curve->space->pushed[i] = (rvSpacePush){spot, force->force, force->moment};
    }
    return count;
}

// Away from the clamp's frame as it is expected.
static rvVec3 turn_at_grip(const rvCurve* curve, int k)
{
    rvQuat frame = curve->space->run.frames1[node_of(&curve->spots[k])];
    return rvQuatToRotation(rvQuatMul(frame, rvQuatConj(curve->frames[k])));
}

// Grips of bodies that are led, or rest: how far they take the curve in this pass.
static int tie(const rvCurve* curve)
{
    int count = 0;
    for (int k = 0; k < curve->gripCount && curve->tied; ++k) {
        const rvGrip* grip = &curve->grips[k];
        if (grip->pushed || grip->off)
            continue;
        rvSpaceTie* tie = &curve->space->ties[count++];
        *tie = (rvSpaceTie){.node = node_of(&curve->spots[k]), .clamped = grip->clamped};
        tie->way = rvSub(curve->aims[k], rv_space_of(curve)->nodes[tie->node]);
        if (grip->clamped)
            tie->turn = rvNeg(turn_at_grip(curve, k));
    }
    return count;
}

static bool linearise(rvCurve* curve)
{
    int count = push(curve), ties = tie(curve);
    return rv_space_run_linearise(&curve->space->run, curve->space->pushed, count, curve->space->ties, ties);
}

static void put_vec(double* three, rvVec3 v)
{
    three[0] = v.x;
    three[1] = v.y;
    three[2] = v.z;
}

static rvVec3 turn_of_interval(const rvCurve* curve, int i, double* natural)
{
    const rvSpace* space = rv_space_of(curve);
    *natural = space->parts[i].length * rvLength(space->parts[i].natural);
    return space->pieces[i].turn;
}

static void write_row(const rvCurve* curve, const rvCurveRow* row, double* g)
{
    const rvSpace* space = rv_space_of(curve);
    memset(g, 0, (size_t)space->count * sizeof(double));
    if (row->turns) {
        put_vec(g + rv_space_spin(node_of(&row->spot)), row->along);
        if (row->both)
            put_vec(g + rv_space_spin(node_of(&row->other)), rvNeg(row->along));
        return;
    }
    rv_space_add_spot_row(space, &row->spot, row->along, g);
    if (row->both)
        rv_space_add_spot_row(space, &row->other, rvNeg(row->along), g);
}

static void find_columns(const rvCurve* curve, int interval, const rvCurveSpot* spot, double* two)
{
    if (spot)
        rv_space_spot_columns(rv_space_of(curve), spot, two);
    else
        rv_space_last_columns(rv_space_of(curve), interval, two);
}

static double turn_target(const rvCurve* curve, int k, double near)
{
    (void)curve;
    (void)k;
    (void)near;
    return 0.0;
}

// By the step, or by less where it turns too far.
static bool end_pass(rvCable* cable, bool solved)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveStep* now = &curve->now;
    double gap = 0.0, turn = 0.0;
    for (int i = 3; i < now->count; ++i)
        turn = fmax(turn, fabs(now->step[i]));
    bool unsettled = rv_curve_find_share(curve, turn, LARGEST_TURN);
    for (int i = 0; curve->gone < 1.0 && i < now->count; ++i)
        now->step[i] *= curve->gone;
    for (int r = 0; solved && r < curve->gripRows; ++r) // where it should come to lie
        curve->values[r] = rv_curve_value(curve, r) + rv_curve_dot(rv_curve_gradient(curve, r), now->step, now->count);
    rv_space_run_go(&curve->space->run, now->step, curve->gone);
    for (int r = 0; solved && r < curve->gripRows; ++r)
        if (!curve->rows[r].turns)
            gap = fmax(gap, fabs(rv_curve_value(curve, r) - curve->values[r]));
    if (turn > LARGEST_TURN)
        gap = now->length;
    curve->stopped = curve->space->run.stopped;
    bool more = curve->stopped || unsettled || (solved && gap > LARGEST_GAP * now->length);
    int least = turn > EVEN ? LEAST_PASSES : EVEN_PASSES;
    return !curve->atRest && (curve->passes < least || (curve->passes < MOST_PASSES && more));
}

static bool find_end_rates(rvCurve* curve)
{
    return rv_space_run_end(&curve->space->run);
}

static void find_end_accelerations(rvCurve* curve)
{
    rv_space_run_accelerate(&curve->space->run);
}

static rvVec3 between(const rvCurve* curve, const rvCurveSpot* spot)
{
    rvVec3 a = curve->space->drift[spot->interval], b = curve->space->drift[spot->interval + 1];
    return rvAdd(a, rvScale(spot->xi, rvSub(b, a)));
}

static void find_drift(rvCurve* curve, int count)
{
    rv_space_node_drift(rv_space_of(curve), curve->now.rates[0], curve->space->drift);
    for (int i = 0; i < count; ++i) {
        const rvCurveRow* row = &curve->rows[curve->list[i]];
        rvVec3 drift = between(curve, &row->spot);
        if (row->both)
            drift = rvSub(drift, between(curve, &row->other));
        curve->drift[i] = rvDot(row->along, drift);
    }
}

static bool accept_step(rvCurve* curve)
{
    bool finite = rv_space_run_finish(&curve->space->run);
    cache_sides(curve);
    return finite;
}

// Stopped where it would have gone through itself, in its last pass, it is still held within what a hand takes hold of:
// what is left of the pass is as that of one that did not settle. Farther away it was stopped from following what holds
// it.
static const char* failure(const rvCurve* curve, double gap)
{
    double length = curve->now.length;
    bool left = curve->stopped && gap > RV_CURVE_GRASP * length && gap <= RV_CURVE_REACH * length;
    return left ? RV_CURVE_WENT_THROUGH : NULL;
}

// ---- read-out -------------------------------------------------------------------------------------------------------

// All forces on the state, with the inertia of accelerations as the last.
static void load(rvCurve* curve, const double* a)
{
    rvSpaceRun* run = &curve->space->run;
    rv_space_run_reset(run);
    rv_space_run_load(run, run->v, run->forces);
    rv_space_run_push(run, curve->space->pushed, push(curve));
    rv_space_run_add_inertia(run, run->v, a);
}

static bool balance(rvCurve* curve, double* a)
{
    rvSpaceRun* run = &curve->space->run;
    memset(a, 0, (size_t)run->space.count * sizeof(double));
    load(curve, a);
    rv_space_sum_loads(&run->space, a);
    rv_space_matrix(&run->space, (rvSpaceWish){.mass = 1.0}, &run->matrix);
    if (!rv_separable_factor(&run->matrix))
        return false;
    rv_separable_solve(&run->matrix, a);
    return true;
}

static void find_tensions(rvCurve* curve)
{
    rvSpaceRun* run = &curve->space->run;
    load(curve, run->a);
    rv_space_run_tensions(run);
    for (int i = 0; i < run->space.intervals; ++i)
        curve->tension[2 * i] = curve->tension[2 * i + 1] = run->tension[i];
}

static void find_line_loads(rvCurve* curve, const double* a)
{
    rvSpaceRun* run = &curve->space->run;
    load(curve, a);
    rv_space_line_loads(&run->space, run->gravity, run->slowed, curve->line, curve->turning);
    for (int k = 0; k < run->space.intervals * RV_GAUSS_POINTS; ++k)
        curve->gauss[k] = rv_space_gauss_point(&run->space, k / RV_GAUSS_POINTS, k % RV_GAUSS_POINTS);
}

static rvVec3 point(const rvCurve* curve, const rvCurveSpot* spot)
{
    const rvSpace* space = rv_space_of(curve);
    bool node = spot->xi == 0.0 || spot->xi == 1.0;
    return node ? space->nodes[node_of(spot)] : rv_space_point(space, spot);
}

static rvCurveSpot spot_at(const rvCurve* curve, double s)
{
    return rv_space_spot(rv_space_of(curve), s);
}

static rvCurveSpot spot_in(const rvCurve* curve, int interval, double xi)
{
    return rv_space_spot_in(rv_space_of(curve), interval, xi);
}

static void find_frame(const rvCurve* curve, const rvCurveSpot* spot, rvCurveFrame* out)
{
    out->tangent = rv_space_tangent(rv_space_of(curve), spot);
    if (out->moves) {
        rv_space_node_rates(rv_space_of(curve), curve->space->run.v, curve->space->drift);
        out->velocity = between(curve, spot);
    }
    rvVec3 bent = rv_space_curvature(rv_space_of(curve), spot->interval);
    out->curvature = hypot(bent.x, bent.y);
    out->torsion = bent.z;
    const double* e = curve->space->run.stretch;
    if (e)
        out->strain = (1.0 - spot->xi) * e[spot->interval] + spot->xi * e[spot->interval + 1];
}

double rv_space_curve_twist(const rvCurve* curve, double* energy)
{
    const rvSpace* space = rv_space_of(curve);
    double twist = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        const rvSpacePart* part = &space->parts[i];
        double more = rv_space_curvature(space, i).z - part->natural.z;
        twist += part->length * more;
        *energy += 0.5 * part->length * part->rigidity.z * more * more;
    }
    return twist;
}

static void energies(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    rvSpaceRun* run = &rv_curve_of(cable)->space->run;
    parts[0] = rv_space_run_kinetic(run);
    parts[1] = rv_space_run_elastic(run);
    parts[2] = rv_space_height_energy(&run->space, gravity);
}

static double end_kinetic(rvCurve* curve, const double* v)
{
    return rv_space_kinetic_energy(rv_space_of(curve), v);
}

static double end_stored(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    return rv_space_elastic_energy(rv_space_of(curve)) + rv_space_height_energy(rv_space_of(curve), curve->gravity);
}

const rvCurveKernel rv_space_curve_kernel = {
    .checkDefinition = rv_space_curve_check_definition,
    .create = rv_space_curve_create,
    .createWithNode = rv_space_curve_create_with_node,
    .release = rv_space_curve_release,
    .initialise = initialise,
    .setGrip = set_grip,
    .findEquilibrium = find_equilibrium,
    .takeMotion = take_motion,
    .start = start,
    .place = place,
    .cacheSides = cache_sides,
    .visitSides = visit_sides,
    .dropObstacle = rv_space_curve_drop_obstacle,
    .predict = predict,
    .linearise = linearise,
    .turnOfInterval = turn_of_interval,
    .writeRow = write_row,
    .columns = find_columns,
    .turnAtGrip = turn_at_grip,
    .turnTarget = turn_target,
    .endPass = end_pass,
    .endRates = find_end_rates,
    .endAccelerations = find_end_accelerations,
    .findDrift = find_drift,
    .acceptStep = accept_step,
    .failure = failure,
    .relax = rv_space_curve_relax,
    .measureResidual = rv_space_curve_measure_residual,
    .perturb = rv_space_curve_perturb,
    .broadPhase = rv_space_curve_broad_phase,
    .narrowPhase = rv_space_curve_narrow_phase,
    .moveObstacles = rv_space_curve_move_obstacles,
    .findTensions = find_tensions,
    .balance = balance,
    .findLineLoads = find_line_loads,
    .point = point,
    .spotAt = spot_at,
    .spotIn = spot_in,
    .frame = find_frame,
    .energies = energies,
    .endKinetic = end_kinetic,
    .endStored = end_stored,
};
