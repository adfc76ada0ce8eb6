// SPDX-License-Identifier: MIT
// The core of a curve in a plane: what rows, forces and read-out need of plane.h.
#include "cable/curve/curve_cable.h"
#include "cable/route/profile.h"

#include "math/cholesky.h"

#include <string.h>

#define PI 3.14159265358979323846
#define IN_PLANE 1e-6    // of the length: places lie in the plane within this
#define LARGEST_GAP 1e-6 // of the length: what a pass may leave at a grip, beyond it there is another
#define LARGE_TURN 0.2   // of a node in a pass [rad]
#define LARGEST_TURN 0.3 // of a node in a round [rad]
#define SMALL_TURN 1e-6
#define LARGEST_BEND                                                                                                   \
    2.0             // of intervals under another turn: they are as long as the round that they lie on is wide [rad]
#define GROWTH 10.0 // of a force from pass to pass: a rope that comes taut must find its force before the passes end
enum { LEAST_PASSES = 2, MOST_PASSES = 16, MOST_ROUNDS = 20 };
enum { LEAST_ROOM = 256 }; // for touches

#define gradient rv_curve_gradient
#define column rv_curve_column
#define dot rv_curve_dot

static rvPlane* plane_of(const rvCurve* curve)
{
    return &curve->plane->motion.plane;
}

// ---- creation -------------------------------------------------------------------------------------------------------

static rvStatus check(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    if (def->torsionalStiffness > 0.0 || rv_curve_is_twisted(def))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': %s: a curve in a plane does not twist", cable->name,
                       def->torsionalStiffness > 0.0 ? "torsionalStiffness" : "torsion");
    return RV_OK;
}

// The normal that places and clamps have in common; upright where they lie on a line.
static rvVec3 find_normal(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvPlace* places = cable->route.places;
    rvVec3 line = rvVec(0, 0, 0), normal = rvVec(0, 0, 0);
    for (int i = 0; i < cable->route.placeCount; ++i)
        for (int way = 0; way < 2; ++way) {
            if (way == 1 && !places[i].clamped)
                continue;
            rvVec3 d = way == 0 ? rvSub(places[i].point, places[0].point) : rv_curve_clamp_way(&places[i], bodies);
            double size = rvLength(d);
            if (!(size > 1e-9))
                continue;
            d = rvScale(1.0 / size, d);
            rvVec3 across = rvCross(line, d);
            if (rvLength(line) == 0.0)
                line = d;
            else if (rvLength(across) > fmax(rvLength(normal), 1e-6))
                normal = across;
        }
    if (rvLength(normal) == 0.0)
        normal = rvCross(line, rvVec(0, 0, 1));
    return rvNormalizeOr(rvLength(normal) > 1e-6 ? normal : rvVec(0, 1, 0), rvVec(0, 1, 0));
}

static rvStatus lay_plane(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvError* error)
{
    rvCurve* curve = rv_curve_of(cable);
    rvVec3 normal = rvNormalizeOr(def->plane, find_normal(cable, bodies));
    rvVec3 up = rvMulAdd(rvVec(0, 0, 1), -normal.z, normal);
    if (rvLength(up) < 1e-3)
        up = rvMulAdd(rvVec(0, 1, 0), -normal.y, normal);
    curve->axis[2] = normal;
    curve->axis[1] = rvNormalizeOr(up, rvAcross(normal));
    curve->axis[0] = rvCross(curve->axis[1], normal);
    curve->origin = cable->route.places[0].point;
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        double off = rvDot(normal, rvSub(place->point, curve->origin));
        if (fabs(off) > IN_PLANE * cable->state.restLength)
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].point: is %g m out of the plane of the curve, must be in it",
                           cable->name, i, off);
        if (place->clamped && fabs(rvDot(normal, rv_curve_clamp_way(place, bodies))) > IN_PLANE)
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].direction: must lie in the plane of the curve",
                           cable->name, i);
    }
    return RV_OK;
}

// What it is made of.
static void fill_parts(rvCable* cable, const rvCableDef* def, rvPlane* plane)
{
    double bending = rv_curve_bending(cable, def), time = fmax(cable->damping, 0.0), mass = cable->massPerLength;
    double sum = 0.0;
    for (int i = 0; i < plane->intervals; ++i) {
        rvCableProfile here = rv_profile_at(def, (i + 0.5) * plane->step);
        plane->parts[i] = (rvPlanePart){.density = here.mass * mass,
                                        .rigidity = here.bending * bending,
                                        .natural = def->curvature + here.curvature,
                                        .damping = time * here.bending * bending,
                                        .stiffness = cable->axialStiffness,
                                        .stretching = time * cable->axialStiffness,
                                        .drag = cable->def.waveDamping * here.mass * mass};
        sum += here.mass;
    }
    cable->massPerLength = mass * (sum / plane->intervals); // the mean: what weighs the whole asks for it
    rv_plane_begin(plane);
}

// `old`: what it is made of; NULL: as the definition says.
static bool make_motion(rvCable* cable, const rvCableDef* def, const rvPlane* old, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane plane;
    rvPlaneContacts contacts;
    if (!rv_plane_create(&plane, memory, def->elements, cable->state.restLength, def->axialStiffness > 0.0))
        return false;
    if (old) {
        memcpy(plane.parts, old->parts, (size_t)plane.intervals * sizeof(rvPlanePart));
        rv_plane_begin(&plane);
    } else
        fill_parts(cable, def, &plane);
    int most = curve->touchCapacity > LEAST_ROOM ? curve->touchCapacity : LEAST_ROOM;
    if (!rv_plane_contacts_create(&contacts, memory, &plane, curve->pegCapacity, def->touchesItself, most)) {
        rv_plane_release(&plane, memory);
        return false;
    }
    contacts.spring = curve->spring;
    contacts.damping = curve->damping;
    contacts.thickness = def->diameter;
    contacts.rigid = curve->rigid;
    contacts.origin = curve->origin;
    memcpy(contacts.axis, curve->axis, sizeof contacts.axis);
    if (curve->rigid) // in the search for rest: stiffer than an interval is
        contacts.spring = 10.0 * rv_curve_bending(cable, def) / (plane.step * plane.step * plane.step);
    return rv_plane_motion_create(&curve->plane->motion, memory, &plane, &contacts);
}

static size_t pushed_size(const rvCurve* curve)
{
    return (size_t)(curve->gripCount + 2 * curve->touchCapacity) * sizeof(rvPlaneLoad);
}

static bool make_own(rvCable* cable, const rvCableDef* def, const rvPlane* old, rvMemory* memory)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlaneCurve* own = curve->plane = rv_memory_take(memory, sizeof(rvPlaneCurve));
    if (own)
        own->pushed = rv_memory_take(memory, pushed_size(curve));
    if (!own || (!own->pushed && pushed_size(curve) > 0) || !make_motion(cable, def, old, memory) ||
        !rv_plane_run_create(&own->run, memory, &own->motion))
        return false;
    const rvPlane* plane = &own->motion.plane;
    curve->now = (rvCurveStep){.count = plane->count,
                               .intervals = plane->intervals,
                               .length = plane->length,
                               .state = own->run.q,
                               .stateCount = 4 * (size_t)plane->count,
                               .matrix = &own->motion.matrix,
                               .alpha = &own->run.alpha,
                               .step = own->run.step,
                               .before = {own->run.v, own->run.a, own->run.at},
                               .rates = {own->run.v1, own->run.a1, own->run.at1}};
    return true;
}

static rvStatus make(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory, rvError* error)
{
    rvStatus status = lay_plane(cable, def, bodies, error);
    if (status == RV_OK && !make_own(cable, def, NULL, memory))
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    return status;
}

// Places may be anywhere along it.
static bool remake(rvCable* cable, const rvCable* old, rvCurveGrasp* grasp, rvMemory* memory)
{
    const rvCurve* before = rv_curve_of(old);
    grasp->interval = -1;
    if (!make_own(cable, &cable->def, plane_of(before), memory))
        return false;
    rvCurve* curve = rv_curve_of(cable);
    curve->plane->motion.gravity = before->plane->motion.gravity;
    memcpy(curve->now.state, before->now.state, before->now.stateCount * sizeof(double));
    return true;
}

static void release(rvCurve* curve, rvMemory* memory)
{
    rvPlaneCurve* own = curve->plane;
    if (!own)
        return;
    if (own->run.base)
        rv_plane_run_release(&own->run, memory);
    if (own->motion.plane.count > 0)
        rv_plane_motion_release(&own->motion, memory);
    rv_memory_give(memory, own->pushed, own->pushed ? pushed_size(curve) : 0);
    rv_memory_give(memory, own, sizeof(rvPlaneCurve));
}

// ---- start ----------------------------------------------------------------------------------------------------------

static rvCurveSpot spot_at(const rvCurve* curve, double s)
{
    return rv_plane_spot(plane_of(curve), s);
}

static rvCurveSpot spot_of(const rvCable* cable, int place)
{
    return spot_at(rv_curve_of(cable), rv_cable_rest_before(cable, place));
}

// The angle that is nearest to `near` among those that differ by whole turns.
static double nearest_turn(double angle, double near)
{
    return near + remainder(angle - near, 2.0 * PI);
}

static void lay(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    rvPlane* plane = plane_of(curve);
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

static void hold(rvCurve* curve, int k, const rvCurveHold* at)
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

static void find_rest(rvCurve* curve)
{
    rvPlaneRest rest = rv_plane_find_rest(&curve->plane->motion, curve->memory, curve->plane->run.q);
    curve->rest = (rvCableRest){rest.found, rest.stable, rest.residual};
}

// theta' = t x dv/ds; it is not stretched faster or slower at first.
static void take_motion(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = plane_of(curve);
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

static void begin(rvCurve* curve)
{
    rvPlaneMotion* motion = &curve->plane->motion;
    rvPlaneRun* run = &curve->plane->run;
    rv_plane_place(&motion->plane, run->q);
    rv_plane_motion_project(motion, run->q, run->v);
    rv_plane_motion_solve(motion, run->q, run->v, run->a);
    memcpy(run->at, run->a, (size_t)motion->plane.count * sizeof(double));
}

static void take_holds(rvCurve* curve, const rvBodyStore* bodies)
{
    (void)bodies;
    rvPlaneMotion* motion = &curve->plane->motion;
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
    rv_plane_place(plane_of(curve), curve->plane->run.q);
}

static void remember(rvCurve* curve)
{
    rv_plane_contacts_remember(&curve->plane->motion.contacts, plane_of(curve), curve->plane->run.q);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

static void predict(rvCurve* curve, double h, bool euler)
{
    rvPlaneRun* run = &curve->plane->run;
    curve->plane->motion.gravity = rv_curve_flat(curve, curve->gravity);
    rv_curve_begin_touches(curve);
    rv_plane_run_predict(run, h, euler);
    if (curve->looked)
        rv_curve_go_ahead(curve);
}

// The forces as loads of a pass.
static int push(const rvCurve* curve)
{
    int count = (int)curve->forceCount;
    for (int i = 0; i < count; ++i) {
        const rvCurveForce* force = &curve->forces[i];
        curve->plane->pushed[i] =
            (rvPlaneLoad){force->at * plane_of(curve)->step, rv_curve_cut(force->force), force->moment.z};
    }
    return count;
}

static bool linearise(rvCurve* curve)
{
    int count = push(curve);
    return rv_plane_run_linearise(&curve->plane->run, curve->plane->pushed, count);
}

static rvVec3 turn_in(const rvCurve* curve, int i, double* natural)
{
    const rvPlane* plane = plane_of(curve);
    const double* angle = curve->plane->run.p + rv_plane_angle(plane, i);
    *natural = plane->step * fabs(plane->parts[i].natural);
    return rvVec(0.0, 0.0, angle[plane->fields] - angle[0]);
}

static void write_row(const rvCurve* curve, const rvCurveRow* row, double* g)
{
    const rvPlane* plane = plane_of(curve);
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
    rv_plane_spot_columns(plane_of(curve), interval, spot ? spot->weight : rv_gauss_weight, columns);
    for (int end = 0; end < 2; ++end) {
        two[2 * end] = columns[end].x;
        two[2 * end + 1] = columns[end].y;
    }
}

static rvVec3 turn_of(const rvCurve* curve, int k)
{
    return rvVec(0.0, 0.0, rv_plane_angle_at(plane_of(curve), curve->plane->run.p, &curve->spots[k]));
}

static double turn_target(const rvCurve* curve, int k, double near)
{
    rvVec2 way = rv_curve_flat(curve, curve->grips[k].turned);
    return nearest_turn(atan2(way.y, way.x), near);
}

// The largest turn of a node in the step.
static double largest_turn(const rvCurve* curve)
{
    const rvPlane* plane = plane_of(curve);
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

static bool move_on(rvCable* cable, bool solved)
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

static bool find_rates(rvCurve* curve)
{
    return rv_plane_run_end(&curve->plane->run);
}

static void find_accelerations(rvCurve* curve)
{
    rv_plane_run_accelerate(&curve->plane->run);
}

static void find_drift(rvCurve* curve, int count)
{
    for (int i = 0; i < count; ++i) {
        const rvCurveRow* row = &curve->rows[curve->list[i]];
        if (curve->stays[i] || row->turns)
            continue;
        rvVec2 drift = rv_plane_drift(plane_of(curve), curve->now.rates[0], &row->spot);
        if (row->both)
            drift = rv_vec2_add(drift, -1.0, rv_plane_drift(plane_of(curve), curve->now.rates[0], &row->other));
        curve->drift[i] = rv_vec2_dot(rv_curve_cut(row->along), drift);
    }
}

static bool keep(rvCurve* curve)
{
    return rv_plane_run_keep(&curve->plane->run);
}

// How far intervals bend, their mean, where another turn lies on them: legs of a loop run against each other, half a
// turn apart; turns of a coil a whole one.
static double find_largest_bend(const rvCurve* curve)
{
    const rvPlane* plane = plane_of(curve);
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
    return rv_plane_contacts_lost(&curve->plane->motion.contacts, plane_of(curve)) ? RV_CURVE_WENT_THROUGH : NULL;
}

static int count_needed(const rvCurve* curve)
{
    double bend = find_largest_bend(curve);
    return bend > LARGEST_BEND ? (int)fmin(ceil(curve->now.intervals * bend / LARGEST_BEND), 1e6) : 0;
}

// ---- read-out -------------------------------------------------------------------------------------------------------

// All forces on the state, with the inertia of accelerations (NULL: none) as the last.
static void load(rvCurve* curve, const double* a)
{
    rvPlane* plane = plane_of(curve);
    const rvPlaneRun* run = &curve->plane->run;
    int count = push(curve);
    rv_plane_motion_load(&curve->plane->motion, run->q, run->v);
    rv_plane_add_loads(plane, curve->plane->pushed, count);
    rv_plane_add_inertia(plane, run->v, a);
}

static bool accelerate(rvCurve* curve, double* a)
{
    rvPlane* plane = plane_of(curve);
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
    rvPlane* plane = plane_of(curve);
    load(curve, curve->plane->run.a);
    for (int i = 0; i < plane->intervals; ++i)
        rv_plane_tension(plane, i, curve->tension + 2 * i);
}

static void find_line(rvCurve* curve, const double* a)
{
    rvPlane* plane = plane_of(curve);
    const rvPlaneRun* run = &curve->plane->run;
    load(curve, a);
    rv_plane_line_loads(plane, curve->plane->motion.gravity, run->v);
    for (int k = 0; k < plane->intervals * RV_PLANE_POINTS; ++k)
        curve->line[k] = rv_curve_raise(plane->line[k]);
}

static rvVec3 gauss_point(const rvCurve* curve, int interval, int m)
{
    return rv_curve_raise(plane_of(curve)->x[interval * RV_PLANE_POINTS + m]);
}

static rvVec3 tangent(const rvCurve* curve, const rvCurveSpot* spot)
{
    double angle = rv_plane_angle_at(plane_of(curve), curve->plane->run.q, spot);
    return rvVec(cos(angle), sin(angle), 0.0);
}

static rvVec3 point(const rvCurve* curve, const rvCurveSpot* spot)
{
    return rv_curve_raise(rv_plane_point(plane_of(curve), spot));
}

static rvVec3 velocity(rvCurve* curve, const rvCurveSpot* spot)
{
    return rv_curve_raise(rv_plane_velocity(plane_of(curve), curve->plane->run.v, spot));
}

static rvCurveSpot spot_in(const rvCurve* curve, int interval, double xi)
{
    return rv_plane_spot_in(plane_of(curve), interval, xi);
}

static double length_of(const rvCurve* curve, int interval)
{
    (void)interval;
    return plane_of(curve)->step;
}

static void find_bend(const rvCurve* curve, const rvCurveSpot* spot, rvCableSection* section)
{
    const rvPlane* plane = plane_of(curve);
    section->curvature = rv_plane_curvature(plane, curve->plane->run.q, spot->interval);
    if (plane->fields == 2) {
        const double* e = curve->plane->run.q + rv_plane_angle(plane, spot->interval) + 1;
        section->strain = (1.0 - spot->xi) * e[0] + spot->xi * e[2];
    }
}

static double elastic_energy(const rvCurve* curve)
{
    return rv_plane_elastic_energy(plane_of(curve), curve->plane->run.q);
}

static double height_energy(const rvCable* cable, rvVec3 gravity)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvPlane* plane = plane_of(curve);
    return rv_plane_height_energy(plane, rv_curve_flat(curve, gravity)) -
           cable->massPerLength * plane->length * rvDot(gravity, curve->origin);
}

static void energies(const rvCable* cable, rvVec3 gravity, double* kinetic, double* potential)
{
    const rvCurve* curve = rv_curve_of(cable);
    *kinetic = rv_plane_kinetic_energy(plane_of(curve), curve->plane->run.v);
    *potential = height_energy(cable, gravity);
}

static double end_kinetic(rvCurve* curve, const double* v)
{
    return rv_plane_kinetic_energy(plane_of(curve), v);
}

static double end_stored(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    return rv_plane_elastic_energy(plane_of(curve), curve->plane->run.p) + height_energy(cable, curve->gravity);
}

const rvCurveCore rv_curve_plane = {
    .dims = 2,
    .turns = 1,
    .mostRows = RV_PLANE_MOST_HOLDS,
    .mostPegs = INT_MAX,
    .check = check,
    .make = make,
    .remake = remake,
    .release = release,
    .spotOf = spot_of,
    .lay = lay,
    .hold = hold,
    .findRest = find_rest,
    .takeMotion = take_motion,
    .begin = begin,
    .takeHolds = take_holds,
    .place = place,
    .remember = remember,
    .sideCount = rv_curve_count_sides,
    .writeSides = rv_curve_write_sides,
    .readSides = rv_curve_read_sides,
    .forget = rv_curve_forget_peg,
    .predict = predict,
    .linearise = linearise,
    .turnIn = turn_in,
    .writeRow = write_row,
    .columns = find_columns,
    .turnOf = turn_of,
    .turnTarget = turn_target,
    .moveOn = move_on,
    .rates = find_rates,
    .accelerations = find_accelerations,
    .findDrift = find_drift,
    .keep = keep,
    .failure = failure,
    .countNeeded = count_needed,
    .settle = rv_plane_curve_settle,
    .measureRest = rv_plane_curve_measure_rest,
    .nudge = rv_plane_curve_nudge,
    .collide = rv_curve_collide,
    .findTouches = rv_curve_find_touches,
    .movePegs = rv_curve_move_pegs,
    .findTensions = find_tensions,
    .accelerate = accelerate,
    .findLine = find_line,
    .gaussPoint = gauss_point,
    .tangent = tangent,
    .point = point,
    .velocity = velocity,
    .spotAt = spot_at,
    .spotIn = spot_in,
    .lengthOf = length_of,
    .bend = find_bend,
    .elasticEnergy = elastic_energy,
    .energies = energies,
    .endKinetic = end_kinetic,
    .endStored = end_stored,
};
