// SPDX-License-Identifier: MIT
// Rows of a pass of a curve: which there are, what they are of, their block, and what the solver gets of them.
//
// Row r with gradient g has J v' + C y = bias, C = cM g H^-1 g^T over all rows of a pass (curve_cable.h). Grips come
// first, then touches and folds; rows of touches that stay inside the curve (curve_inside.c) come last.
#include "cable/curve/curve_kernel.h"
#include "math/cholesky.h"

#include <float.h>
#include <string.h>

#define AT_REST 1e-4    // softening of touches on the way to rest
#define TWICE 1e3       // so much more rows give way of a body that holds it in several places
#define SAME_PLACE 0.05 // intervals: a touch of the last pass
#define SLIPS 0.999999  // of what friction holds: beyond it a touch slides
enum { MOST_GRIP_ROWS = 6 };

#define gradient rv_curve_gradient
#define column rv_curve_column
#define dot rv_curve_dot
#define part rv_curve_part
#define rows_of rv_curve_rows_of

static rvVec3 unit(int i)
{
    return rvVec(i == 0, i == 1, i == 2);
}

void rv_curve_project(const rvCurve* curve, rvVec3 v, rvVec3 w, double rows[MOST_GRIP_ROWS])
{
    rvVec3 in = rv_curve_in(curve, v);
    int dims = curve->dims;
    for (int r = 0; r < dims; ++r)
        rows[r] = part(in, r);
    for (int t = 0; t < curve->turns; ++t)
        rows[dims + t] = rvDot(curve->axis[rv_curve_turn_axis(curve, t)], w);
}

static int list_touches(rvCurve* curve, int n, bool inside)
{
    for (int k = 0; k < curve->touchCount; ++k) {
        rvCurveTouch* touch = &curve->touches[k];
        if (touch->inside != inside)
            continue;
        rvCurveRow row = {.spot = touch->spot, .other = touch->other, .both = touch->both};
        touch->row = n;
        row.along = rvNeg(touch->out);
        curve->rows[n++] = row;
        for (int way = 0; way < rv_curve_touch_rows(curve, touch) - 1; ++way) {
            row.along = touch->across[way];
            curve->rows[n++] = row;
        }
    }
    return n;
}

static void list_rows(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    int n = 0, dims = curve->dims;
    for (int k = 0; k < curve->gripCount; ++k) {
        rvGrip* grip = &curve->grips[k];
        grip->row = n;
        for (int r = 0; r < rows_of(curve, grip); ++r)
            curve->rows[n++] = (rvCurveRow){.spot = curve->spots[k],
                                            .grip = k,
                                            .turns = r >= dims,
                                            .along = unit(r < dims ? r : rv_curve_turn_axis(curve, r - dims))};
    }
    curve->gripRows = n;
    rv_curve_choose_inside(cable);
    n = list_touches(curve, n, false);
    for (int k = 0; k < curve->foldCount; ++k) {
        rvCurveFold* fold = &curve->folds[k];
        fold->row = n;
        curve->rows[n++] = (rvCurveRow){.spot = curve->kernel->spotIn(curve, fold->interval, 1.0),
                                        .other = curve->kernel->spotIn(curve, fold->interval, 0.0),
                                        .both = true,
                                        .turns = true,
                                        .along = fold->along};
    }
    curve->width = n;
    curve->rowCount = list_touches(curve, n, true);
}

// Rows of one body that holds it in several places may say the same twice, and not agree: rounding would be the answer.
static double find_regular(const rvCurve* curve)
{
    for (int k = 0; k < curve->gripCount; ++k)
        for (int j = 0; j < k && curve->grips[k].body >= 0 && !curve->grips[k].off; ++j)
            if (curve->grips[j].body == curve->grips[k].body && !curve->grips[j].off)
                return TWICE * curve->regular;
    return curve->regular;
}

// Steps towards rest are so long that all of a curve gives way without bound: touches are soft by a share of what its
// grips leave of that. (By a share of all of it a thread under a load went into its drum, and through it.)
static void soften_at_rest(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    int n = curve->rowCount, held = curve->gripRows;
    for (int r = 0; r < held; ++r)
        memcpy(curve->block + r * held, curve->rowBlock + r * n, (size_t)held * sizeof(double));
    bool good = rv_cholesky_factor(curve->block, held);
    for (int r = held; r < n; ++r) {
        const double* row = curve->rowBlock + r * n;
        double give = row[r];
        memcpy(curve->held, row, (size_t)held * sizeof(double));
        if (good)
            rv_cholesky_solve(curve->block, held, curve->held);
        for (int k = 0; good && k < held; ++k)
            give -= curve->held[k] * row[k];
        curve->rowBlock[r * n + r] += AT_REST * fmax(give, 0.0) + DBL_EPSILON * row[r];
    }
}

// Gradients, columns, the block, and where the grips' rows would be without forces.
static void condense(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveStep* now = &curve->now;
    int n = curve->width, count = now->count;
    double regular = find_regular(curve);
    for (int r = 0; r < n; ++r)
        curve->kernel->writeRow(curve, &curve->rows[r], gradient(curve, r));
    rv_curve_solve_rows(curve, n);
    for (int r = 0; r < n; ++r) {
        for (int k = 0; k <= r; k += 4) {
            double sums[4];
            int few = r + 1 - k < 4 ? r + 1 - k : 4;
            if (few == 4)
                rv_curve_dot_four(gradient(curve, k), column(curve, r), count, sums);
            for (int i = 0; i < few; ++i)
                curve->rowBlock[(k + i) * n + r] = curve->rowBlock[r * n + k + i] =
                    now->alpha->cM * (few == 4 ? sums[i] : dot(gradient(curve, k + i), column(curve, r), count));
        }
        curve->values[r] = dot(gradient(curve, r), now->step, count);
        double own = curve->rowBlock[r * n + r];
        double size = curve->rows[r].turns ? 12.0 / (now->length * now->length) : 1.0;
        curve->rowBlock[r * n + r] += regular * size * (curve->atRest ? fmin(1.0, 1e-6 * now->alpha->cM) : 1.0);
        if (r >= curve->gripRows && curve->rigid && !curve->atRest) // more points touch than the curve can tell apart
            curve->rowBlock[r * n + r] *= 1.0 + RV_CURVE_SOFTENING;
        if (curve->inner.ops.count > 0)
            curve->inner.extra[r] = curve->rowBlock[r * n + r] - own;
    }
    if (curve->inner.ops.count > 0) {
        rv_curve_lay_inside(curve, regular);
        rv_curve_read_inside(curve, now->step, curve->values);
    }
    if (curve->rigid && curve->atRest)
        soften_at_rest(cable);
    for (int r = 0; r < curve->gripRows; ++r)
        curve->values[r] += rv_curve_value(curve, r);
}

double rv_curve_value(const rvCurve* curve, int r)
{
    const rvCurveRow* row = &curve->rows[r];
    return rvDot(row->along,
                 row->turns ? curve->kernel->turnAtGrip(curve, row->grip) : curve->kernel->point(curve, &row->spot));
}

static int list_slots(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    int count = cable->route.bodyCount;
    memcpy(curve->slots, cable->slots, (size_t)count * sizeof(int));
    for (int k = 0; k < curve->touchCount; ++k) {
        int body = curve->touches[k].body, slot = 0;
        while (slot < count && curve->slots[slot] != body)
            slot += 1;
        if (body >= 0 && slot == count)
            curve->slots[count++] = body;
        curve->touches[k].slot = body >= 0 ? slot : -1;
    }
    return count;
}

static void write_row(rvRows* rows, int group, int slot, int row, rvVec3 e, rvVec3 turning)
{
    const double entries[6] = {e.x, e.y, e.z, turning.x, turning.y, turning.z};
    if (slot >= 0)
        memcpy(rv_group_jacobian(rows, group, slot)[row], entries, sizeof entries);
}

// Where a grip is from which its rows' velocities take it on.
static rvVec3 find_start(const rvGrip* grip, const rvBodyStore* bodies, double h)
{
    if (grip->body < 0)
        return grip->local;
    rvVec3 at = rvAdd(bodies->items[grip->body].state.x, grip->arm);
    return rvMulAdd(at, -h, rvCross(grip->expected, grip->arm));
}

// Where a grip, and a clamp's frame, are expected after the step.
static void expect(rvCurve* curve, int k, const rvBodyStore* bodies, double h)
{
    rvGrip* grip = &curve->grips[k];
    rvQuat q = rvQuatIdentity();
    if (grip->body >= 0) {
        rv_grip_expect(grip, &curve->states[k], bodies, h, grip->pushed && curve->passes > 1 && !curve->atRest);
        q = rv_grip_turned(&bodies->items[grip->body], grip->expected, h);
    } else {
        grip->arm = grip->spin = grip->expected = rvVec(0, 0, 0);
        grip->turned = grip->direction;
    }
    curve->frames[k] = rvQuatMul(q, curve->pasts[k].frame);
    rvVec3 from = find_start(grip, bodies, h);
    if (grip->body >= 0 && !grip->pushed) {
        const rvBodyState* s = &bodies->items[grip->body].state;
        from = rvMulAdd(from, h, rvAdd(s->v, rvCross(s->w, grip->arm)));
    }
    curve->aims[k] = rv_curve_in(curve, rvSub(from, curve->origin));
}

// How much of what the rows of a grip do its body feels in this step; of one that is led what is read (curve_books.c).
static double felt_share(const rvCurve* curve, int k)
{
    const rvAlpha* t = curve->now.alpha;
    double share = curve->pasts[k].blow != 0.0 ? 0.5 : 0.25;
    return curve->grips[k].pushed || t->euler ? 1.0 : share * t->cM * t->h * t->h;
}

static void write_grip(const rvCable* cable, int k, const rvBodyStore* bodies, double h, rvRows* rows)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvGrip* grip = &curve->grips[k];
    int slot = cable->route.places[grip->place].slot, dims = curve->dims;
    double felt = felt_share(curve, k);
    rvVec3 speed = rvVec(0, 0, 0), spin = speed; // of which its rows do not know
    if (slot >= 0 && felt != 1.0) {
        spin = rvScale(1.0 - felt, bodies->items[grip->body].state.w);
        speed = rvMulAdd(rvCross(spin, grip->arm), 1.0 - felt, bodies->items[grip->body].state.v);
    }
    rvVec3 start = rv_curve_in(curve, rvSub(find_start(grip, bodies, h), curve->origin));
    for (int r = 0; r < rows_of(curve, grip); ++r) {
        int i = grip->row + r;
        rvRow* row = &rv_group_rows(rows, cable->group)[i];
        if (r < dims) {
            rvVec3 e = curve->axis[r];
            row->bias = (curve->values[i] - part(start, r)) / h - rvDot(e, speed);
            write_row(rows, cable->group, slot, i, rvScale(felt, e), rvScale(felt, rvCross(grip->arm, e)));
        } else {
            rvVec3 e = curve->axis[rv_curve_turn_axis(curve, r - dims)];
            double target = curve->kernel->turnTarget(curve, k, curve->values[i]);
            row->bias = (curve->values[i] - target) / h + (slot >= 0 ? rvDot(e, grip->expected) : 0.0) - rvDot(e, spin);
            write_row(rows, cable->group, slot, i, rvVec(0, 0, 0), rvScale(felt, e));
        }
    }
}

// A point between two curves moves as the solver's bodies turn.
static void write_touch_row(rvRows* rows, int group, const rvCurveTouch* touch, int row, rvVec3 e)
{
    write_row(rows, group, touch->slot, row, touch->rope ? rvVec(0, 0, 0) : e,
              touch->rope ? e : rvCross(touch->arm, e));
}

// A touch inside begins with the force that was there in the last pass, or step: what presses and sticks is mostly as
// it was. Forces come in the order of touches: `next` is where the last one was found.
static void guess_touch(const rvCurve* curve, const rvCurveTouch* touch, double h, rvRow* row, int* next)
{
    int first = curve->gripCount, count = (int)curve->forceCount - first, found = -1;
    double at = touch->spot.interval + touch->spot.xi, per = 1.0 / (curve->now.alpha->cM * h);
    for (int i = 0; i < count && found < 0; ++i) {
        int k = first + (*next + i) % count;
        if (fabs(curve->forces[k].at - at) < SAME_PLACE)
            found = k;
    }
    for (int way = 0; way < rv_curve_touch_rows(curve, touch); ++way)
        row[way].mode = found < 0 ? RV_ROW_LOWER : RV_ROW_FREE;
    if (found < 0)
        return;
    *next = found - first + 1;
    rvVec3 force = curve->forces[found].force;
    row[0].impulse = per * rvDot(touch->out, force);
    for (int way = 0; way < rv_curve_touch_rows(curve, touch) - 1; ++way) {
        double x = -per * rvDot(touch->across[way], force), most = touch->friction * row[0].impulse;
        row[1 + way].impulse = x;
        row[1 + way].mode = (int16_t)(fabs(x) < SLIPS * most ? RV_ROW_FREE : x < 0.0 ? RV_ROW_LOWER : RV_ROW_UPPER);
    }
}

static void write_touch(rvCable* cable, const rvCurveTouch* touch, double h, rvRows* rows)
{
    const rvCurve* curve = rv_curve_of(cable);
    int n = curve->width, i = touch->row;
    rvRow* row = &rv_group_rows(rows, cable->group)[i];
    rvVec3 e = rv_curve_out(curve, curve->rows[i].along);
    double gap = touch->gap + rv_curve_find_sunk(curve, touch, h), speed = rvDot(touch->out, touch->velocity);
    if (!rv_curve_is_rigid(curve, touch)) { // eps (k gap + b rate) in place of the gap; the rate is of where it is
        double rate = -dot(gradient(curve, i), curve->now.rates[0], curve->now.count) - speed;
        double damping = gap < 0.0 ? curve->damping : 0.0; // a damper does not act from afar
        double eps = 1.0 / fmax(curve->spring + damping * curve->now.alpha->cV, 1e-100);
        gap = eps * (curve->spring * gap + damping * rate);
        curve->rowBlock[i * n + i] += curve->now.alpha->cM * eps;
    }
    bool welded = touch->rope && touch->rope->side.welded; // it takes the point along
    write_touch_row(rows, cable->group, touch, i, e);
    row->lower = welded ? -HUGE_VAL : 0.0;
    row->upper = HUGE_VAL;
    row->bias = (curve->values[i] - gap) / h - speed;
    row->mode = row->bias > 0.0 || welded ? RV_ROW_FREE : RV_ROW_LOWER;
    for (int way = 0; way < curve->dims - 1 && touch->friction > 0.0; ++way) {
        i += 1;
        row += 1;
        e = rv_curve_out(curve, curve->rows[i].along);
        write_touch_row(rows, cable->group, touch, i, e);
        row->lower = welded ? -HUGE_VAL : 0.0;
        row->upper = -row->lower;
        row->bias = (curve->values[i] + rvDot(curve->rows[i].along, touch->moved)) / h;
        if (welded)
            continue;
        row->leanFirst = (int16_t)touch->row;
        row->leanCount = 1;
        row->leanLower = -touch->friction;
        row->leanUpper = touch->friction;
    }
}

static void write_fold(const rvCable* cable, const rvCurveFold* fold, double h, rvRows* rows)
{
    rvRow* row = &rv_group_rows(rows, cable->group)[fold->row];
    row->lower = 0.0;
    row->upper = HUGE_VAL;
    row->bias = (rv_curve_of(cable)->values[fold->row] - fold->gap) / h;
    row->mode = row->bias > 0.0 ? RV_ROW_FREE : RV_ROW_LOWER;
}

void rv_curve_write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows,
                         int owner)
{
    rvCurve* curve = rv_curve_of(cable);
    cable->group = -1;
    curve->bodies = bodies;
    curve->passes += 1;
    curve->kernel->narrowPhase(cable);
    rv_curve_find_folds(curve);
    for (int k = 0; k < curve->gripCount; ++k)
        expect(curve, k, bodies, context->h);
    curve->tied = !curve->atRest && cable->state.broken == 0.0;
    if (!curve->kernel->linearise(curve)) {
        curve->failure = "no such step: it may be too short for the bodies that hold it";
        return;
    }
    list_rows(cable);
    int n = curve->rowCount, width = curve->width;
    if (n == 0 || cable->state.broken != 0.0)
        return;
    condense(cable);
    cable->group = rv_rows_add(rows, RV_GROUP_CABLE, owner, n, curve->slots, list_slots(cable));
    for (int k = 0; k < curve->gripCount; ++k)
        write_grip(cable, k, bodies, context->h, rows);
    for (int k = 0, next = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        write_touch(cable, touch, context->h, rows);
        if (touch->inside)
            guess_touch(curve, touch, context->h, &rv_group_rows(rows, cable->group)[touch->row], &next);
    }
    for (int k = 0; k < curve->foldCount; ++k)
        write_fold(cable, &curve->folds[k], context->h, rows);
    for (int i = 0; i < n; ++i)
        rv_group_rows(rows, cable->group)[i].compliance =
            i < width ? curve->rowBlock[i * width + i] : curve->inner.compliance[i];
    rows->groups[cable->group].block = curve->rowBlock;
    rows->groups[cable->group].inside = curve->inner.ops.count > 0 ? &curve->inner.ops : NULL;
}
