// SPDX-License-Identifier: MIT
// The kernel of a curve in a plane: what rows, forces and read-out need of plane.h.
#include "cable/curve/curve_kernel.h"

#include "math/cholesky.h"

#include <string.h>

#define PI 3.14159265358979323846
#define LARGEST_GAP 1e-6 // of the length: what a pass may leave at a grip, beyond it there is another
#define LARGE_TURN 0.2   // of a node in a pass [rad]
#define LARGEST_TURN 0.3 // of a node in a round [rad]
#define SMALL_TURN 1e-6
#define LARGEST_BEND                                                                                                   \
    2.0             // of intervals under another turn: they are as long as the round that they lie on is wide [rad]
#define GROWTH 10.0 // of a force from pass to pass: a rope that comes taut must find its force before the passes end
enum { LEAST_PASSES = 2, MOST_PASSES = 16, MOST_ROUNDS = 20 };

#define gradient rv_curve_gradient
#define column rv_curve_column
#define dot rv_curve_dot

// ---- start ----------------------------------------------------------------------------------------------------------

static rvCurveSpot spot_at(const rvCurve* curve, double s)
{
    return rv_plane_spot(rv_plane_of(curve), s);
}

// The angle that is nearest to `near` among those that differ by whole turns.
static double nearest_turn(double angle, double near)
{
    return near + remainder(angle - near, 2.0 * PI);
}

static void initialise(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = rv_plane_of(curve);
    const rvPlace* places = cable->route.places;
    double *q = curve->plane->run.q, angle = 0.0, last = 0.0;
    curve->plane->motion.gravity = rv_curve_flat(curve, curve->gravity);
    rvVec2 side = rv_curve_flat(curve, rvLength(curve->bulge) > 0.0 ? curve->bulge : curve->gravity);
    rvVec2 first = rv_curve_down(curve, places[0].point), chord = rv_vec2(1, 0);
    memset(q, 0, 4 * (size_t)plane->count * sizeof(double));
    q[0] = first.x;
    q[1] = first.y;
    for (int i = 0, span = -1; i <= plane->intervals; ++i) {
        double at = i * plane->step;
        while (span + 1 < cable->route.spanCount &&
               (span < 0 || at >= rv_cable_rest_before(cable, span + 1) - 1e-9 * plane->length)) {
            span += 1;
            chord = rv_curve_flat(curve, rvSub(places[span + 1].point, places[span].point));
            last = angle = nearest_turn(atan2(chord.y, chord.x), last);
        }
        double u = fmin((at - rv_cable_rest_before(cable, span)) / places[span].state.rest, 1.0);
        double arc = rv_curve_arc(cable, span, sqrt(rv_vec2_dot(chord, chord)), u);
        q[rv_plane_angle(plane, i)] = angle + (rv_vec2_dot(rv_vec2(-chord.y, chord.x), side) < 0.0 ? -arc : arc);
        if (plane->fields > 1)
            q[rv_plane_angle(plane, i) + 1] = rv_curve_reach(cable, span, sqrt(rv_vec2_dot(chord, chord)));
    }
    rv_plane_place(plane, q);
    rv_plane_contacts_remember(&curve->plane->motion.contacts, plane, q);
}

static void set_grip(rvCurve* curve, int k, const rvCurveHold* at)
{
    rvPlaneMotion* motion = &curve->plane->motion;
    rvVec2 x = rv_curve_down(curve, at->place), d = rv_curve_flat(curve, at->way);
    rvVec2 rate = rv_curve_flat(curve, at->rate);
    rvCurveSpot spot = curve->spots[k];
    double angle = nearest_turn(atan2(d.y, d.x), rv_plane_angle_at(&motion->plane, curve->plane->run.q, &spot));
    const rvPlaneHold holds[3] = {{.kind = RV_HOLD_X, .value = x.x, .rate = rate.x},
                                  {.kind = RV_HOLD_Y, .value = x.y, .rate = rate.y},
                                  {.kind = RV_HOLD_ANGLE, .value = angle, .rate = rvDot(curve->axis[2], at->spin)}};
    if (k == 0)
        motion->holdCount = 0;
    for (int r = 0; r < rv_curve_rows_of(curve, &curve->grips[k]); ++r) {
        motion->holds[motion->holdCount] = holds[r];
        motion->holds[motion->holdCount++].s = curve->grips[k].at;
    }
}

static void find_equilibrium(rvCurve* curve)
{
    rvPlaneRest rest = rv_plane_find_rest(&curve->plane->motion, curve->memory, curve->plane->run.q);
    curve->rest = (rvCableRest){rest.found, rest.stable, rest.residual};
}

// theta' = t x dv/ds; it is not stretched faster or slower at first.
static void take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = rv_plane_of(curve);
    double *v = curve->plane->run.v, *q = curve->plane->run.q;
    memset(v, 0, (size_t)plane->count * sizeof(double));
    rvVec2 first = rv_curve_flat(curve, rv_curve_old_speed(cable, old, bodies, h, 0.0));
    v[0] = first.x;
    v[1] = first.y;
    for (int i = 0; i <= plane->intervals; ++i) {
        double from = fmax(i - 1, 0) * plane->step, to = fmin(i + 1, plane->intervals) * plane->step;
        double angle = q[rv_plane_angle(plane, i)];
        rvVec2 change = rv_curve_flat(curve, rvSub(rv_curve_old_speed(cable, old, bodies, h, to),
                                                   rv_curve_old_speed(cable, old, bodies, h, from)));
        v[rv_plane_angle(plane, i)] = (cos(angle) * change.y - sin(angle) * change.x) / (to - from);
    }
}

static void start(rvCurve* curve, const rvBodyStore* bodies)
{
    (void)bodies;
    rvPlaneMotion* motion = &curve->plane->motion;
    rvPlaneRun* run = &curve->plane->run;
    rv_plane_place(&motion->plane, run->q);
    rv_plane_motion_project(motion, run->q, run->v);
    rv_plane_motion_solve(motion, run->q, run->v, run->a);
    memcpy(run->at, run->a, (size_t)motion->plane.count * sizeof(double));
    for (int k = 0, i = 0; k < curve->gripCount; ++k) {
        double f[3] = {0};
        for (int r = 0; r < rv_curve_rows_of(curve, &curve->grips[k]); ++r)
            f[r] = motion->holds[i++].force;
        curve->forces[k].force = rvVec(f[0], f[1], 0.0);
        curve->forces[k].moment = rvVec(0.0, 0.0, f[2]);
    }
    motion->holdCount = 0;
}

// ---- state ----------------------------------------------------------------------------------------------------------

static void place(rvCurve* curve)
{
    rv_plane_place(rv_plane_of(curve), curve->plane->run.q);
}

static void cache_sides(rvCurve* curve)
{
    rv_plane_contacts_remember(&curve->plane->motion.contacts, rv_plane_of(curve), curve->plane->run.q);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static void predict(rvCurve* curve, double h, bool euler)
{
    rvPlaneRun* run = &curve->plane->run;
    curve->plane->motion.gravity = rv_curve_flat(curve, curve->gravity);
    rv_plane_curve_begin_touches(curve);
    rv_plane_run_predict(run, h, euler);
    if (curve->looked)
        rv_plane_curve_go_ahead(curve);
}

// The forces as loads of a pass.
static int push(const rvCurve* curve)
{
    int count = (int)curve->forceCount;
    for (int i = 0; i < count; ++i) {
        const rvCurveForce* force = &curve->forces[i];
        curve->plane->pushed[i] =
            (rvPlaneLoad){force->at * rv_plane_of(curve)->step, rv_curve_cut(force->force), force->moment.z};
    }
    return count;
}

static bool linearise(rvCurve* curve)
{
    int count = push(curve);
    return rv_plane_run_linearise(&curve->plane->run, curve->plane->pushed, count);
}

static rvVec3 turn_of_interval(const rvCurve* curve, int i, double* natural)
{
    const rvPlane* plane = rv_plane_of(curve);
    const double* angle = curve->plane->run.p + rv_plane_angle(plane, i);
    *natural = plane->step * fabs(plane->parts[i].natural);
    return rvVec(0.0, 0.0, angle[plane->fields] - angle[0]);
}

static void write_row(const rvCurve* curve, const rvCurveRow* row, double* g)
{
    const rvPlane* plane = rv_plane_of(curve);
    rvVec2 along = rv_curve_cut(row->along);
    memset(g, 0, (size_t)plane->count * sizeof(double));
    if (row->turns) {
        int a = rv_plane_angle(plane, row->spot.interval);
        g[a] = row->both ? -row->along.z : 1.0 - row->spot.xi;
        g[a + plane->fields] = row->both ? row->along.z : row->spot.xi;
        return;
    }
    rv_plane_add_row(plane, &row->spot, along, g);
    if (row->both)
        rv_plane_add_row(plane, &row->other, rv_vec2(-along.x, -along.y), g);
}

static void find_columns(const rvCurve* curve, int interval, const rvCurveSpot* spot, double* two)
{
    rvVec2 columns[2];
    rv_plane_spot_columns(rv_plane_of(curve), interval, spot ? spot->weight : rv_gauss_weight, columns);
    for (int end = 0; end < 2; ++end) {
        two[2 * end] = columns[end].x;
        two[2 * end + 1] = columns[end].y;
    }
}

static rvVec3 turn_at_grip(const rvCurve* curve, int k)
{
    return rvVec(0.0, 0.0, rv_plane_angle_at(rv_plane_of(curve), curve->plane->run.p, &curve->spots[k]));
}

static double turn_target(const rvCurve* curve, int k, double near)
{
    rvVec2 way = rv_curve_flat(curve, curve->grips[k].turned);
    return nearest_turn(atan2(way.y, way.x), near);
}

// The largest turn of a node in the step.
static double largest_turn(const rvCurve* curve)
{
    const rvPlane* plane = rv_plane_of(curve);
    double most = 0.0;
    for (int i = 0; i <= plane->intervals; ++i)
        most = fmax(most, fabs(curve->now.step[rv_plane_angle(plane, i)]));
    return most;
}

// How far the grips' places are from where the pass wants them, at p as placed.
static double gap_of(const rvCurve* curve)
{
    double gap = 0.0;
    for (int r = 0; r < curve->gripRows; ++r)
        if (!curve->rows[r].turns)
            gap = fmax(gap, fabs(rv_curve_value(curve, r) - curve->values[r]));
    return gap;
}

// A round of `go_along`: from p by at most a limited turn; forces of the grips into curve->held. False: it cannot.
static bool go_on(rvCurve* curve)
{
    double* step = curve->now.step;
    int count = curve->now.count, n = curve->gripRows;
    if (!linearise(curve))
        return false;
    for (int i = curve->gripCount; i < (int)curve->forceCount; ++i) { // what presses goes on pressing
        const rvPlaneLoad* load = &curve->plane->pushed[i];
        rvCurveRow row = {.spot = spot_at(curve, load->s), .along = curve->forces[i].force};
        double* g = gradient(curve, n);
        write_row(curve, &row, g);
        rv_separable_solve(curve->now.matrix, g);
        for (int c = 0; c < count; ++c)
            step[c] += g[c];
    }
    for (int r = 0; r < n; ++r) {
        write_row(curve, &curve->rows[r], gradient(curve, r));
        memcpy(column(curve, r), gradient(curve, r), (size_t)count * sizeof(double));
        rv_separable_solve(curve->now.matrix, column(curve, r));
        for (int k = 0; k <= r; ++k)
            curve->block[r * n + k] = dot(gradient(curve, r), column(curve, k), count);
        curve->block[r * n + r] += curve->regular / curve->now.alpha->cM;
        curve->held[r] = curve->values[r] - rv_curve_value(curve, r) - dot(gradient(curve, r), step, count);
    }
    rv_cholesky_factor(curve->block, n);
    rv_cholesky_solve(curve->block, n, curve->held);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < count; ++c)
            step[c] += curve->held[r] * column(curve, r)[c];
    double turn = largest_turn(curve);
    rv_curve_go(curve, turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0);
    return isfinite(turn);
}

// A pass that turns the curve far is no good where it ends: the curve follows its grips by itself, to where the pass
// wants them, in rounds of a limited turn. So a straight rope that is pressed gives way in the same step, and no gap is
// left that later steps would have to close. The forces are those that the next pass is made with, where it can follow.
static bool go_along(rvCurve* curve)
{
    bool good = true;
    double strongest = 0.0;
    for (int k = 0; k < curve->gripCount; ++k)
        strongest = fmax(strongest, rvLength(rv_space_vec(curve->grips[k].force)));
    for (int round = 0; good && round < MOST_ROUNDS; ++round) {
        good = go_on(curve);
        for (int k = 0; good && k < curve->gripCount; ++k) {
            if (curve->grips[k].off)
                continue;
            const double* f = curve->held + curve->grips[k].row;
            rvVec2 force = rv_vec2(f[0], f[1]);
            double size = sqrt(rv_vec2_dot(force, force)), most = GROWTH * strongest;
            if (size > most) // out of reach
                force = rv_vec2(force.x * most / size, force.y * most / size);
            curve->forces[k].force = rv_curve_raise(force);
        }
        if (largest_turn(curve) < SMALL_TURN)
            break;
    }
    return good && largest_turn(curve) < LARGEST_TURN;
}

// The same, or, where it leads nowhere, a limited turn of the pass itself.
static void go_far(rvCurve* curve, double turn)
{
    size_t size = (size_t)curve->now.count * sizeof(double);
    double* p = curve->plane->run.p;
    memcpy(curve->last, curve->now.step, size);
    memcpy(curve->balanced, p, size); // room that sections need later
    memcpy(curve->carried, curve->forces, (size_t)curve->gripCount * sizeof *curve->forces);
    if (go_along(curve))
        return;
    memcpy(curve->forces, curve->carried, (size_t)curve->gripCount * sizeof *curve->forces);
    memcpy(curve->now.step, curve->last, size);
    memcpy(p, curve->balanced, size);
    rv_curve_go(curve, LARGEST_TURN / fmax(turn, LARGEST_TURN));
}

static bool end_pass(rvCable* cable, bool solved)
{
    rvCurve* curve = rv_curve_of(cable);
    for (int r = 0; solved && r < curve->gripRows; ++r) // where it should come to lie
        curve->values[r] = rv_curve_value(curve, r) + dot(gradient(curve, r), curve->now.step, curve->now.count);
    double turn = largest_turn(curve);
    bool presses = curve->pressing > 0 || curve->folded;
    if (!curve->atRest && solved && turn > LARGE_TURN && !presses) {
        go_far(curve, turn);
        curve->unsettled = true;
        return true;
    }
    bool unsettled = rv_curve_find_share(curve, turn, presses ? LARGEST_TURN : HUGE_VAL);
    rv_curve_go(curve, curve->gone);
    bool apart = solved && gap_of(curve) > LARGEST_GAP * curve->now.length;
    return !curve->atRest &&
           (curve->passes < LEAST_PASSES || (curve->passes < MOST_PASSES && (unsettled || apart || curve->stopped)));
}

static bool find_end_rates(rvCurve* curve)
{
    return rv_plane_run_end(&curve->plane->run);
}

static void find_end_accelerations(rvCurve* curve)
{
    rv_plane_run_accelerate(&curve->plane->run);
}

static void find_drift(rvCurve* curve, int count)
{
    for (int i = 0; i < count; ++i) {
        const rvCurveRow* row = &curve->rows[curve->list[i]];
        if (curve->stays[i] || row->turns)
            continue;
        rvVec2 drift = rv_plane_drift(rv_plane_of(curve), curve->now.rates[0], &row->spot);
        if (row->both)
            drift = rv_vec2_add(drift, -1.0, rv_plane_drift(rv_plane_of(curve), curve->now.rates[0], &row->other));
        curve->drift[i] = rv_vec2_dot(rv_curve_cut(row->along), drift);
    }
}

static bool accept_step(rvCurve* curve)
{
    return rv_plane_run_keep(&curve->plane->run);
}

// How far intervals bend, their mean, where another turn lies on them: legs of a loop run against each other, half a
// turn apart; turns of a coil a whole one.
static double find_largest_bend(const rvCurve* curve)
{
    const rvPlane* plane = rv_plane_of(curve);
    const double* q = curve->plane->run.q;
    double most = 0.0;
    for (int i = 0; i < curve->touchCount; ++i) {
        const rvCurveTouch* touch = &curve->touches[i];
        if (!touch->both || !touch->holds[0])
            continue;
        int at = touch->other.interval, low = at > 2 ? at - 2 : 0,
            high = at + 3 < plane->intervals ? at + 3 : plane->intervals;
        double bend = q[rv_plane_angle(plane, high)] - q[rv_plane_angle(plane, low)];
        double turn = rv_plane_angle_at(plane, q, &touch->spot) - rv_plane_angle_at(plane, q, &touch->other);
        if (fabs(turn) > 1.5 * PI)
            most = fmax(most, fabs(bend) / (high - low));
    }
    return most;
}

// Rigid contacts make energy where an interval is longer than the round that it lies on is wide.
static bool bends_too_tight(const rvCurve* curve)
{
    bool tight = false;
    const rvPlaneMotion* motion = &curve->plane->motion;
    for (int i = 0; i < curve->pegCapacity && curve->rigid; ++i)
        tight = tight || (curve->pegs[i].key != 0.0 && 2.0 * motion->contacts.obstacles[i].radius < motion->plane.step);
    return tight;
}

static const char* failure(const rvCurve* curve, double gap)
{
    if (gap > RV_CURVE_REACH * curve->now.length)
        return bends_too_tight(curve) ? "its intervals are longer than what they are bent around is wide: it needs "
                                        "more elements, or a contactStiffness"
                                      : NULL;
    return rv_plane_contacts_lost(&curve->plane->motion.contacts, rv_plane_of(curve)) ? RV_CURVE_WENT_THROUGH : NULL;
}

int rv_plane_curve_count_needed(const rvCurve* curve)
{
    double bend = find_largest_bend(curve);
    return bend > LARGEST_BEND ? (int)fmin(ceil(curve->now.intervals * bend / LARGEST_BEND), 1e6) : 0;
}

// ---- read-out -------------------------------------------------------------------------------------------------------

// All forces on the state, with the inertia of accelerations (NULL: none) as the last.
static void load(rvCurve* curve, const double* a)
{
    rvPlane* plane = rv_plane_of(curve);
    const rvPlaneRun* run = &curve->plane->run;
    int count = push(curve);
    rv_plane_motion_load(&curve->plane->motion, run->q, run->v);
    rv_plane_add_loads(plane, curve->plane->pushed, count);
    rv_plane_add_inertia(plane, run->v, a);
}

static bool balance(rvCurve* curve, double* a)
{
    rvPlane* plane = rv_plane_of(curve);
    rvSeparable* matrix = &curve->plane->motion.matrix;
    load(curve, NULL);
    rv_plane_sum_loads(plane, a);
    rv_plane_matrix(plane, (rvPlaneWish){.mass = 1.0}, matrix);
    if (!rv_separable_factor(matrix))
        return false;
    rv_separable_solve(matrix, a);
    return true;
}

static void find_tensions(rvCurve* curve)
{
    rvPlane* plane = rv_plane_of(curve);
    load(curve, curve->plane->run.a);
    for (int i = 0; i < plane->intervals; ++i)
        rv_plane_tension(plane, i, curve->tension + 2 * i);
}

static void find_line_loads(rvCurve* curve, const double* a)
{
    rvPlane* plane = rv_plane_of(curve);
    const rvPlaneRun* run = &curve->plane->run;
    load(curve, a);
    rv_plane_line_loads(plane, curve->plane->motion.gravity, run->v);
    for (int k = 0; k < plane->intervals * RV_PLANE_POINTS; ++k) {
        curve->line[k] = rv_curve_raise(plane->line[k]);
        curve->gauss[k] = rv_curve_raise(plane->x[k]);
    }
}

static rvVec3 point(const rvCurve* curve, const rvCurveSpot* spot)
{
    return rv_curve_raise(rv_plane_point(rv_plane_of(curve), spot));
}

static rvCurveSpot spot_in(const rvCurve* curve, int interval, double xi)
{
    return rv_plane_spot_in(rv_plane_of(curve), interval, xi);
}

static void find_frame(const rvCurve* curve, const rvCurveSpot* spot, rvCurveFrame* out)
{
    const rvPlane* plane = rv_plane_of(curve);
    const double* q = curve->plane->run.q;
    double angle = rv_plane_angle_at(plane, q, spot);
    out->tangent = rvVec(cos(angle), sin(angle), 0.0);
    if (out->moves)
        out->velocity = rv_curve_raise(rv_plane_velocity(rv_plane_of(curve), curve->plane->run.v, spot));
    out->curvature = rv_plane_curvature(plane, q, spot->interval);
    if (plane->fields == 2) {
        const double* e = q + rv_plane_angle(plane, spot->interval) + 1;
        out->strain = (1.0 - spot->xi) * e[0] + spot->xi * e[2];
    }
}

static double height_energy(const rvCable* cable, rvVec3 gravity)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = rv_plane_of(curve);
    return rv_plane_height_energy(plane, rv_curve_flat(curve, gravity)) -
           cable->massPerLength * plane->length * rvDot(gravity, curve->origin);
}

static void energies(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    const rvCurve* curve = rv_curve_of(cable);
    parts[0] = rv_plane_kinetic_energy(rv_plane_of(curve), curve->plane->run.v);
    parts[1] = rv_plane_elastic_energy(rv_plane_of(curve), curve->plane->run.q);
    parts[2] = height_energy(cable, gravity);
}

static double end_kinetic(rvCurve* curve, const double* v)
{
    return rv_plane_kinetic_energy(rv_plane_of(curve), v);
}

static double end_stored(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    return rv_plane_elastic_energy(rv_plane_of(curve), curve->plane->run.p) + height_energy(cable, curve->gravity);
}

const rvCurveKernel rv_plane_curve_kernel = {
    .checkDefinition = rv_plane_curve_check_definition,
    .create = rv_plane_curve_create,
    .createWithNode = rv_plane_curve_create_with_node,
    .release = rv_plane_curve_release,
    .initialise = initialise,
    .setGrip = set_grip,
    .findEquilibrium = find_equilibrium,
    .takeMotion = take_motion,
    .start = start,
    .place = place,
    .cacheSides = cache_sides,
    .visitSides = rv_plane_curve_visit_sides,
    .dropObstacle = rv_plane_curve_drop_obstacle,
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
    .relax = rv_plane_curve_relax,
    .measureResidual = rv_plane_curve_measure_residual,
    .perturb = rv_plane_curve_perturb,
    .broadPhase = rv_plane_curve_broad_phase,
    .narrowPhase = rv_plane_curve_narrow_phase,
    .moveObstacles = rv_plane_curve_move_obstacles,
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
