// SPDX-License-Identifier: MIT
// The solution of an island for given modes of its rows.
//
// F are the free rows, U the rows at a bound. A bound may lean on impulses of its group, x_U = m + a s, s_k = c_k . x
// (several rows may lean on the same sum, as two friction rows do on one normal). Exact for given modes: with
//   X_l = the solution for  x_U = a_l, no right side        x^0 = the solution for  x_U = m
// the sums follow from a small unsymmetric system, (I - [c_k . X_l]) s = [c_k . x^0]: one back-substitution for each
// sum that is not known already (a parted contact: s = 0), none for constant bounds. More than a few sums are found by
// GMRES, one back-substitution for each direction: near the solution the bounds of a heap hardly feel each other.
#include "solve/system.h"

#include <string.h>

enum {
    LEAN_RESTARTS = 4,  // of the Krylov method
    FOLLOW_TURNS = 3,   // of leaning sums and free rows, where round-off is left in them
    INSIDE_REFINED = 3, // times, where rows are inside: their owner holds them by very stiff springs
};
static const double leanFine = 1e-13;  // residual of leaning sums over their size, for the solution
static const double leanInside = 1e-9; // the same where rows are inside: as exact as their solves are
static const double leftBelow = 1e-5;  // residual of free rows over speed that is round-off: more is a bad set of modes

static double lean_weight(const rvSolver* solver, int i)
{
    const rvRow* row = &solver->rows->rows[i];
    return solver->mode[i] == RV_ROW_LOWER ? row->leanLower : row->leanUpper;
}

static bool is_known(const rvSolver* solver, int i)
{
    return solver->mode[i] != RV_ROW_FREE && solver->sourceOf[i] < 0;
}

// Are all impulses that row r of a column leans on known before row r itself?
static bool lean_is_known(const rvSolver* solver, const rvColumn* c, int r)
{
    const rvRow* row = &solver->rows->rows[c->firstRow + r];
    if (row->leanFirst + row->leanCount > r || (row->leanExtraWeight != 0.0 && row->leanExtra >= r))
        return false;
    for (int i = row->leanFirst; i < row->leanFirst + row->leanCount; ++i)
        if (!is_known(solver, c->firstRow + i))
            return false;
    return row->leanExtraWeight == 0.0 || is_known(solver, c->firstRow + row->leanExtra);
}

// The sum that row i leans on, as one of the unknown sums: an earlier one of its group, or a new one. -1: too many.
static int find_source(rvSolver* solver, const rvColumn* c, int i, int* count)
{
    const rvRow* row = &solver->rows->rows[i];
    for (int k = *count - 1; k >= 0 && solver->sources[2 * k + 1] == c->firstRow; --k) {
        const rvRow* other = &solver->rows->rows[solver->sources[2 * k]];
        if (other->leanFirst == row->leanFirst && other->leanCount == row->leanCount &&
            other->leanExtra == row->leanExtra && other->leanExtraWeight == row->leanExtraWeight)
            return k;
    }
    if (*count == solver->leanCapacity)
        return -1;
    solver->sources[2 * *count] = i;
    solver->sources[2 * *count + 1] = c->firstRow;
    return (*count)++;
}

// The mask and the values of rows at a bound (their constant part where the sum is unknown). Counts unknown sums.
static bool set_values(rvSolver* solver, const rvIsland* island, bool frozen, int* sourceCount)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    *sourceCount = 0;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int r = 0; r < c->rowCount; ++r) {
            int i = c->firstRow + r;
            const rvRow* row = &solver->rows->rows[i];
            int8_t masked = solver->mode[i] != RV_ROW_FREE;
            solver->factored = solver->factored && solver->masked[i] == masked;
            solver->masked[i] = masked;
            solver->sourceOf[i] = -1;
            if (!masked)
                continue;
            bool lower = solver->mode[i] == RV_ROW_LOWER;
            if (!rv_row_leans(row) || lean_weight(solver, i) == 0.0 || frozen || lean_is_known(solver, c, r)) {
                rvBounds b = rv_row_bounds(row, frozen ? solver->leanAt[i] : rv_row_lean(row, solver->x + c->firstRow));
                solver->value[i] = lower ? b.lower : b.upper;
            } else {
                solver->value[i] = lower ? row->lower : row->upper;
                solver->sourceOf[i] = find_source(solver, c, i, sourceCount);
                if (solver->sourceOf[i] < 0)
                    return false;
            }
            solver->x[i] = solver->value[i];
        }
    return true;
}

// x of the rows at a bound: the value where `constant`, and what the sums give, if given.
static void set_bound_rows(rvSolver* solver, const rvIsland* island, bool constant, const double* lean)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            if (!solver->masked[i])
                continue;
            int of = solver->sourceOf[i];
            solver->x[i] =
                (constant ? solver->value[i] : 0.0) + (of >= 0 && lean ? lean_weight(solver, i) * lean[of] : 0.0);
        }
}

// What is left of the free rows is solved for once more: rows inside are held by springs, which yield a little.
static void solve_rest(rvSolver* solver, const rvIsland* island, bool withRight)
{
    const rvColumn* first = solver->structure.columns + island->firstColumn;
    const rvColumn* end = first + island->columnCount;
    rv_system_push(solver, island, solver->x, RV_PUSH_ALL);
    rv_system_apply(solver, island, solver->x, RV_PUSH_ALL, solver->work);
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            double left = (withRight ? solver->right[i] : 0.0) - solver->work[i];
            solver->work[i] = solver->masked[i] ? 0.0 : left;
        }
    rv_system_solve(solver, island, solver->work);
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            if (!solver->masked[i])
                solver->x[i] += solver->work[i];
}

// x_F = S_FF^-1 (right - S_FU x_U), with or without the right side.
static void solve_free(rvSolver* solver, const rvIsland* island, bool withRight)
{
    const rvColumn* first = solver->structure.columns + island->firstColumn;
    const rvColumn* end = first + island->columnCount;
    bool moved = false;
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            moved = moved || (solver->masked[i] && solver->x[i] != 0.0);
    if (moved) {
        rv_system_push(solver, island, solver->x, RV_PUSH_BOUND);
        rv_system_apply(solver, island, solver->x, RV_PUSH_BOUND, solver->work);
    }
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            double right = (withRight ? solver->right[i] : 0.0) - (moved ? solver->work[i] : 0.0);
            solver->work[i] = solver->masked[i] ? 0.0 : right;
        }
    rv_system_solve(solver, island, solver->work);
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            if (!solver->masked[i])
                solver->x[i] = solver->work[i];
    if (solver->inexact)
        solve_rest(solver, island, withRight);
}

// Gauss with row exchange; b becomes the solution. False: singular.
static bool solve_dense(double* a, double* b, int n)
{
    for (int j = 0; j < n; ++j) {
        int p = j;
        for (int i = j + 1; i < n; ++i)
            if (fabs(a[i * n + j]) > fabs(a[p * n + j]))
                p = i;
        if (!(fabs(a[p * n + j]) > 1e-13))
            return false;
        for (int k = 0; p != j && k < n; ++k) {
            double t = a[p * n + k];
            a[p * n + k] = a[j * n + k];
            a[j * n + k] = t;
        }
        double t = b[p];
        b[p] = b[j];
        b[j] = t;
        for (int i = j + 1; i < n; ++i) {
            double f = a[i * n + j] / a[j * n + j];
            for (int k = j + 1; f != 0.0 && k < n; ++k)
                a[i * n + k] -= f * a[j * n + k];
            b[i] -= f * b[j];
        }
    }
    for (int j = n - 1; j >= 0; --j) {
        for (int k = j + 1; k < n; ++k)
            b[j] -= a[j * n + k] * b[k];
        b[j] /= a[j * n + j];
    }
    return true;
}

static double source_sum(const rvSolver* solver, int source)
{
    const rvRow* row = &solver->rows->rows[solver->sources[2 * source]];
    return rv_row_lean(row, solver->x + solver->sources[2 * source + 1]);
}

// The sums that follow when the bounds lean on `lean`.
static void follow_lean(rvSolver* solver, const rvIsland* island, bool constant, const double* lean, double* sums,
                        int count)
{
    set_bound_rows(solver, island, constant, lean);
    solve_free(solver, island, constant);
    for (int k = 0; k < count; ++k)
        sums[k] = source_sum(solver, k);
}

// x of the rows at a bound in four lanes: lane k has the unit sum first + k, the one after the last sum the constants.
static void set_bound_lanes(rvSolver* solver, const rvIsland* island, int first, int count)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            if (!solver->masked[i])
                continue;
            rvFour unit = {0.0};
            if (solver->sourceOf[i] >= 0)
                unit = rv_in_lane(lean_weight(solver, i), solver->sourceOf[i] - first);
            solver->four[i] = unit + rv_in_lane(solver->value[i], count - first);
        }
}

static double lane_sum(const rvSolver* solver, int source, int lane)
{
    const rvRow* row = &solver->rows->rows[solver->sources[2 * source]];
    const rvFour* x = solver->four + solver->sources[2 * source + 1];
    double sum = 0.0;
    for (int i = row->leanFirst; i < row->leanFirst + row->leanCount; ++i)
        sum += x[i][lane];
    return row->leanExtraWeight != 0.0 ? sum + row->leanExtraWeight * x[row->leanExtra][lane] : sum;
}

static void take_lane(rvSolver* solver, const rvIsland* island, int lane)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            solver->x[i] = solver->four[i][lane];
}

// Few sums: the matrix, four columns at a time.
static bool solve_lean_dense(rvSolver* solver, const rvIsland* island, int count)
{
    for (int first = 0; first <= count; first += 4) {
        set_bound_lanes(solver, island, first, count);
        rv_four_solve_free(solver, island, count - first < 4 ? count - first : -1);
        for (int k = 0; k < count; ++k)
            for (int l = first; l < count && l < first + 4; ++l)
                solver->leanMatrix[k * count + l] = (k == l ? 1.0 : 0.0) - lane_sum(solver, k, l - first);
    }
    take_lane(solver, island, count % 4);
    for (int k = 0; k < count; ++k)
        solver->lean[k] = source_sum(solver, k);
    return solve_dense(solver->leanMatrix, solver->lean, count);
}

static double dot_of(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

// One direction more: q[j + 1] from q[j], its column of h (rotated so far by cs, sn) and the rest that is left.
static void extend_directions(rvSolver* solver, const rvIsland* island, int count, int j, double* column, double* cs,
                              double* sn, double* rest)
{
    double *q = solver->leanMatrix, *next = q + (ptrdiff_t)(j + 1) * count;
    const double* last = q + (ptrdiff_t)j * count;
    follow_lean(solver, island, false, last, next, count);
    for (int k = 0; k < count; ++k)
        next[k] = last[k] - next[k];
    for (int i = 0; i <= j; ++i) {
        const double* direction = q + (ptrdiff_t)i * count;
        column[i] = dot_of(direction, next, count);
        for (int k = 0; k < count; ++k)
            next[k] -= column[i] * direction[k];
    }
    double length = sqrt(dot_of(next, next, count));
    for (int k = 0; length > 0.0 && k < count; ++k)
        next[k] /= length;
    for (int i = 0; i < j; ++i) {
        double t = cs[i] * column[i] + sn[i] * column[i + 1];
        column[i + 1] = cs[i] * column[i + 1] - sn[i] * column[i];
        column[i] = t;
    }
    double size = sqrt(column[j] * column[j] + length * length);
    cs[j] = size > 0.0 ? column[j] / size : 1.0;
    sn[j] = size > 0.0 ? length / size : 0.0;
    column[j] = size;
    rest[j + 1] = -sn[j] * rest[j];
    rest[j] *= cs[j];
}

// Many sums: GMRES, one back-substitution a direction; some ten directions do for hundreds of sliding contacts.
static bool solve_lean_krylov(rvSolver* solver, const rvIsland* island, int count, double leanBelow)
{
    enum { MOST = RV_LEAN_DIRECTIONS };
    double *q = solver->leanMatrix, *h = q + (ptrdiff_t)(MOST + 1) * count;
    double cs[MOST], sn[MOST], rest[MOST + 1], y[MOST];
    for (int k = 0; k < count; ++k)
        solver->lean[k] = isfinite(source_sum(solver, k)) ? source_sum(solver, k) : 0.0;
    for (int restart = 0; restart < LEAN_RESTARTS; ++restart) {
        follow_lean(solver, island, true, solver->lean, q, count);
        double scale = sqrt(dot_of(q, q, count));
        for (int k = 0; k < count; ++k)
            q[k] -= solver->lean[k];
        rest[0] = sqrt(dot_of(q, q, count));
        if (rest[0] <= leanBelow * scale)
            return true;
        for (int k = 0; k < count; ++k)
            q[k] /= rest[0];
        int used = 0;
        for (; used < MOST && fabs(rest[used]) > leanBelow * scale; ++used)
            extend_directions(solver, island, count, used, h + (ptrdiff_t)used * MOST, cs, sn, rest);
        for (int i = used - 1; i >= 0; --i) {
            y[i] = rest[i];
            for (int j = i + 1; j < used; ++j)
                y[i] -= h[(ptrdiff_t)j * MOST + i] * y[j];
            if (!(fabs(h[(ptrdiff_t)i * MOST + i]) > 0.0))
                return false;
            y[i] /= h[(ptrdiff_t)i * MOST + i];
        }
        for (int j = 0; j < used; ++j)
            for (int k = 0; k < count; ++k)
                solver->lean[k] += y[j] * q[(ptrdiff_t)j * count + k];
    }
    return false;
}

// The leaning sums, as the head of this file says.
static bool solve_lean(rvSolver* solver, const rvIsland* island, int count, double leanBelow)
{
    bool solved = count <= RV_LEAN_DENSE && !solver->inside ? solve_lean_dense(solver, island, count)
                                                            : solve_lean_krylov(solver, island, count, leanBelow);
    if (solved)
        set_bound_rows(solver, island, true, solver->lean);
    return solved;
}

double rv_modes_refine(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* first = solver->structure.columns + island->firstColumn;
    const rvColumn* end = first + island->columnCount;
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            solver->work[i] = solver->masked[i] ? 0.0 : -solver->residual[i];
    rv_system_solve(solver, island, solver->work);
    for (const rvColumn* c = first; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            if (!solver->masked[i])
                solver->x[i] += solver->work[i];
    return rv_system_residual(solver, island);
}

// Do rows at a bound miss what it leans on now by more than free rows may be off?
static bool misses_lean(rvSolver* solver, const rvIsland* island, int count)
{
    for (int k = 0; k < count; ++k)
        solver->lean[k] = source_sum(solver, k);
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            if (!solver->masked[i] || solver->sourceOf[i] < 0)
                continue;
            double bound = solver->value[i] + lean_weight(solver, i) * solver->lean[solver->sourceOf[i]];
            if (fabs(solver->x[i] - bound) * solver->diagonal[i] > RV_REFINE_ABOVE * solver->speed)
                return true;
        }
    return false;
}

// What round-off leaves in the sums counts where a wheel of milligrams leans on meganewtons.
static double follow_lean_again(rvSolver* solver, const rvIsland* island, int count, double left)
{
    for (int turn = 0; turn < FOLLOW_TURNS && misses_lean(solver, island, count); ++turn) {
        set_bound_rows(solver, island, true, solver->lean);
        rv_system_residual(solver, island);
        left = rv_modes_refine(solver, island);
    }
    return left;
}

double rv_modes_finest(const rvSolver* solver)
{
    return solver->inside ? leanInside : leanFine;
}

bool rv_modes_solve(rvSolver* solver, const rvIsland* island, bool frozen, double* precision)
{
    int count;
    if (!set_values(solver, island, frozen, &count))
        return false;
    rv_system_factor(solver, island);
    if (count == 0 || (count <= RV_LEAN_DENSE && !solver->inside))
        *precision = rv_modes_finest(solver);
    if (count > 0 && !solve_lean(solver, island, count, *precision))
        return false;
    solve_free(solver, island, true);
    solver->left = rv_system_residual(solver, island);
    for (int n = 0; n < (solver->inside ? INSIDE_REFINED : 1) && solver->left > RV_REFINE_ABOVE * solver->speed; ++n)
        solver->left = fmin(rv_modes_refine(solver, island), leftBelow * solver->speed);
    if (count > 0 && count <= RV_LEAN_DENSE)
        solver->left = fmin(follow_lean_again(solver, island, count, solver->left), leftBelow * solver->speed);
    return true;
}
