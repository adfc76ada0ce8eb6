// SPDX-License-Identifier: MIT
// Rates of what holds a curve: those of the bodies, and those of the curve there at the end of a step. A row on
// positions throws back 1.9 times what it stops, so they are set.
#include "cable/curve/curve_kernel.h"
#include "math/cholesky.h"
#include "math/sym3.h"

#include <string.h>

#define LOOSE 1e12 // so much more a body gives way that holds nothing
#define EVEN 0.5   // of the change of a rate in a step: it may change by so much
#define JUMP 0.5   // of a rate, within a step
enum { MOST_GRIP_ROWS = 6 };

#define gradient rv_curve_gradient
#define column rv_curve_column
#define dot rv_curve_dot
#define rows_of rv_curve_rows_of

void rv_curve_find_rates(const rvCurve* curve, int k, const rvBodyStore* bodies, double rate[MOST_GRIP_ROWS])
{
    const rvGrip* grip = &curve->grips[k];
    memset(rate, 0, MOST_GRIP_ROWS * sizeof rate[0]);
    if (grip->body < 0 || !rv_body_moves(&bodies->items[grip->body]))
        return;
    const rvBodyState* s = &bodies->items[grip->body].state;
    rv_curve_project(curve, rvAdd(s->v, rvCross(s->w, grip->arm)), s->w, rate);
}

bool rv_curve_starts_at_once(const rvCurve* curve, const rvBodyStore* bodies, double h)
{
    int dims = curve->dims;
    double interval = curve->now.length / curve->now.intervals, little = h * rvLength(curve->gravity);
    for (int k = 0; k < curve->gripCount; ++k) {
        double rate[MOST_GRIP_ROWS], size[2] = {0}, past[2] = {0}, change[2] = {0}, before[2] = {0};
        if (curve->grips[k].pushed || curve->grips[k].off)
            continue;
        rv_curve_find_rates(curve, k, bodies, rate);
        for (int r = 0; r < rows_of(curve, &curve->grips[k]); ++r) { // 0: of its place, 1: of its turning
            const double *last = curve->pasts[k].rate[0], *first = curve->pasts[k].rate[1];
            double scale = r < dims ? 1.0 : interval;
            size[r >= dims] += scale * scale * rate[r] * rate[r];
            past[r >= dims] += scale * scale * last[r] * last[r];
            change[r >= dims] += scale * scale * (rate[r] - last[r]) * (rate[r] - last[r]);
            before[r >= dims] += scale * scale * (last[r] - first[r]) * (last[r] - first[r]);
        }
        for (int i = 0; i < 2; ++i)
            if (change[i] > JUMP * JUMP * fmax(size[i], past[i]) && change[i] > 4.0 * before[i] &&
                change[i] > little * little)
                return true;
    }
    return false;
}

// Of two changes that agree in their sign the lesser, else 0.
static double least(double a, double b)
{
    return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b;
}

// Rate and acceleration at the end of the step of a body whose rate at the middles of the last three steps is given,
// the last one first: the parabola through them, where they go on evenly; where they jump the lesser change, or none.
static void extrapolate(double now, double past, double before, double h, double target[2])
{
    double last = now - past, first = past - before, more = last - first, change = least(last, first);
    bool even = fabs(more) <= EVEN * fmax(fabs(last), fabs(first));
    target[0] = now + (even ? 0.5 * last + 0.375 * more : 0.5 * change);
    target[1] = (even ? last + more : change) / h;
}

// The same of touches, those inside or the others.
static int list_touches(rvCurve* curve, const rvBodyStore* bodies, bool inside, int m)
{
    for (int k = 0; k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (touch->inside != inside || !rv_curve_is_rigid(curve, touch))
            continue;
        rvVec3 speed = rvVec(0, 0, 0);
        if (touch->rope)
            speed = rv_space_vec(bodies->velocity[touch->body] + 3);
        else if (touch->body >= 0) {
            const rvBodyState* s = &bodies->items[touch->body].state;
            speed = rv_curve_in(curve, rvAdd(s->v, rvCross(s->w, touch->arm)));
        }
        for (int way = 0; way < curve->dims; ++way) {
            if (!touch->holds[way])
                continue;
            curve->targets[m][0] = rvDot(curve->rows[touch->row + way].along, speed);
            curve->targets[m][1] = 0.0;
            curve->stays[m] = false;
            curve->list[m++] = touch->row + way;
        }
    }
    return m;
}

// Rows that hold, with their targets of rate and acceleration. Of grips at bodies that are pushed the rates stay as
// they are.
static int list_held(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    int m = 0;
    for (int k = 0; k < curve->gripCount; ++k) {
        double rate[MOST_GRIP_ROWS];
        rv_curve_find_rates(curve, k, bodies, rate);
        for (int r = 0; r < rows_of(curve, &curve->grips[k]); ++r) {
            const double* past0 = curve->pasts[k].rate[0];
            extrapolate(rate[r], past0[r], curve->pasts[k].rate[1][r], h, curve->targets[m]);
            curve->stays[m] = curve->grips[k].pushed;
            curve->list[m++] = curve->grips[k].row + r;
        }
    }
    m = list_touches(curve, bodies, false, m);
    for (int k = 0; k < curve->foldCount; ++k)
        if (curve->folds[k].holds) {
            curve->targets[m][0] = curve->targets[m][1] = 0.0;
            curve->stays[m] = false;
            curve->list[m++] = curve->folds[k].row;
        }
    curve->outerHeld = m;
    return list_touches(curve, bodies, true, m);
}

// How a grip's body gives way along a row [1/kg].
static double body_gives(const rvCurve* curve, const rvCurveRow* row, const rvBodyStore* bodies)
{
    const rvGrip* grip = &curve->grips[row->grip];
    const double* inverse = bodies->inverse[grip->body];
    rvVec3 e = rv_curve_out(curve, row->along), turning = row->turns ? e : rvCross(grip->arm, e);
    return (row->turns ? 0.0 : inverse[0]) + rvDot(turning, rv_sym3_vec(inverse + 1, turning));
}

// The block of the listed rows that are not inside; bodies that are pushed give way so many times more than they do.
static void factor_held(rvCable* cable, const rvBodyStore* bodies, int m, double more)
{
    rvCurve* curve = rv_curve_of(cable);
    const double* block = curve->width < curve->rowCount ? curve->inner.block : rv_curve_of(cable)->rowBlock;
    int n = curve->width;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j <= i; ++j)
            curve->block[i * m + j] = block[curve->list[i] * n + curve->list[j]];
        if (curve->stays[i])
            curve->block[i * m + i] += more * body_gives(curve, &curve->rows[curve->list[i]], bodies);
    }
    rv_cholesky_factor(curve->block, m);
}

void rv_curve_meet_rates(const rvCurve* curve, int rows, double* rates, double sign)
{
    const rvCurveStep* now = &curve->now;
    if (curve->width < curve->rowCount && rows > 0) {
        rv_curve_meet_inside(curve, curve->outerHeld, rows, rates, sign);
        return;
    }
    rv_cholesky_solve(curve->block, rows, curve->held);
    for (int i = 0; i < rows; ++i)
        for (int c = 0; c < now->count; ++c)
            rates[c] += sign * now->alpha->cM * curve->held[i] * column(curve, curve->list[i])[c];
}

void rv_curve_read_rates(const rvCurve* curve, int rows, const double* v)
{
    if (curve->width < curve->rowCount && rows > 0)
        rv_curve_read_inside(curve, v, curve->inner.right);
    for (int i = 0; i < rows; ++i) {
        int r = curve->list[i];
        curve->held[i] = r < curve->width ? dot(gradient(curve, r), v, curve->now.count) : curve->inner.right[r];
    }
}

// A straight curve moves along itself as a whole: with one end led, the rate of the other cannot stay as it is, and
// where the curve is bent ever so little it would be whipped aside to let it. So a body that is pushed gives way as it
// does in the solve.
void rv_curve_set_rates(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    const rvCurveStep* now = &curve->now;
    int m = list_held(cable, bodies, h), outer = curve->outerHeld;
    if (curve->width < curve->rowCount)
        rv_curve_hold_rates(curve, m);
    factor_held(cable, bodies, outer, 1.0);
    memcpy(curve->balanced, now->rates[0], (size_t)now->count * sizeof(double)); // room that sections need later
    for (int which = 0; which < 3; ++which) {                                    // the rate, and twice the acceleration
        if (which == 1) {
            double made = rv_curve_made(cable, bodies, h);
            if (made > 0.0)
                factor_held(cable, bodies, outer, LOOSE);
            rv_curve_take_back(curve, made, m);
            rv_curve_go_back(curve, curve->balanced);
            if (made > 0.0)
                factor_held(cable, bodies, outer, 1.0);
            curve->kernel->endAccelerations(curve);
            curve->kernel->findDrift(curve, m);
        }
        rv_curve_read_rates(curve, m, now->rates[which]);
        for (int i = 0; i < m; ++i) {
            double have = curve->held[i];
            if (which > 0 && !curve->rows[curve->list[i]].turns)
                have += curve->drift[i];
            curve->held[i] = curve->stays[i] ? 0.0 : curve->targets[i][which > 0] - have;
        }
        rv_curve_meet_rates(curve, m, now->rates[which], 1.0);
    }
}
