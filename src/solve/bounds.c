// SPDX-License-Identifier: MIT
// Bounds by pivoting on the factor.
//
// Which rows are free and which at a bound are their modes; with these given the solution is exact (modes.c).
//
// Modes, all rows at once (primal-dual active set): t = x - r/S_ii; below the lower bound: lower; above the upper:
// upper; between: free; within a tie tolerance the mode stays. What round-off leaves on free rows is no reason to
// change a mode, either. If the number of violated rows does not fall for a few turns, only the last violated row is
// changed until it does (block principal pivoting, Judice and Pires 1994).
// Should that not settle either:
//   constant bounds: an interior way (S is positive definite: x is the minimum of x S x / 2 - right x in a box). With
//     prices p, q >= 0 of the lower and upper bound,  r = p - q,  p (x - lower) = q (upper - x) = m,  m -> 0:
//       (S + p/(x - lower) + q/(upper - x)) dx = -r + m/(x - lower) - m/(upper - x)
//     This ends in some 20 factorisations however degenerate the bounds are, and leaves the modes for pivoting.
//   leaning bounds: sweep (sweep.c) from the guess, which comes near the solution, and pivot from there; sweep on for
//     longer where that does not settle (but for large blocks, whose sweeps cost as much as the next). Then freeze the
//     bounds at the swept x, solve that (constant bounds), try from its modes with exact bounds, else go half the way
//     to its solution and again.
// Few random impacts with friction are left to the last resort then; test_bounds.c counts them.
#include "solve/system.h"

#include <limits.h>
#include <string.h>

enum {
    PATIENCE = 4,       // turns without fewer violated rows before rows are changed one by one
    EXACT_TURNS = 4,    // of pivoting from the guess, before something else is tried
    BLOCK_TURNS = 12,   // the same with a large block: fifty sweeps cost as much as several factors there
    GUESS_SWEEPS = 50,  // where pivoting goes astray; twice as many in each round that follows
    SWEEP_ROUNDS = 7,   // of sweeps and pivoting
    SWEPT_TURNS = 4,    // of pivoting from the swept impulses
    FROZEN_TURNS = 10,  // the same with constant bounds
    INSIDE_TURNS = 40,  // of the interior way, and of pivoting with rows inside at the end
    FROZEN_ROUNDS = 30, // halvings towards the frozen solution
    FROZEN_TRIES = 6,   // turns with exact bounds from its modes
    MOST_PIVOTS = 200,  // factorisations of an island in all
    SOFT_TURNS = 6,     // of pivoting with rows inside, from the guess and with each of the softnesses
};
// Residual of leaning sums over their size, where it is to be seen which rows to change; where rows are inside.
static const double leanCoarse = 1e-6, leanModes = 1e-6;
static const double softest = 1e5, hardest = 1e-3; // what leaning rows inside yield, over S_ii
static const double settledBelow = 1e-9;           // violation over speed at which a cycle of ties counts as settled

static int8_t wanted_mode(const rvSolver* solver, int i, rvBounds b)
{
    return rv_wanted_mode(solver->x[i], solver->residual[i], solver->inverseDiagonal[i],
                          solver->speed + solver->left / RV_TIE, solver->mode[i], b);
}

// Fills `wanted`; answers how many rows are to change and which comes last.
static int judge(rvSolver* solver, const rvIsland* island, bool frozen, int* last)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    int count = 0;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            const rvRow* row = &solver->rows->rows[i];
            solver->wanted[i] = RV_ROW_FREE;
            if (!rv_row_is_bounded(row))
                continue;
            double sum = frozen ? solver->leanAt[i] : rv_row_lean(row, solver->x + c->firstRow);
            rvBounds b = rv_row_bounds(row, sum);
            solver->wanted[i] = wanted_mode(solver, i, b);
            // hundreds of rows that move together go too far: from one bound to the other by way of none
            if (solver->inside && solver->mode[i] * solver->wanted[i] < 0 && b.lower < b.upper)
                solver->wanted[i] = RV_ROW_FREE;
            if (solver->wanted[i] == solver->mode[i])
                continue;
            // two bounds at one value: which of them is only a name
            if (b.lower == b.upper && solver->wanted[i] != RV_ROW_FREE && solver->mode[i] != RV_ROW_FREE &&
                solver->sourceOf[i] < 0) {
                solver->mode[i] = solver->wanted[i];
                continue;
            }
            ++count;
            *last = i;
        }
    return count;
}

static bool is_settled(const rvSolver* solver, const rvIsland* island)
{
    int group;
    return rv_system_violation(solver, island, &group) <= settledBelow * solver->speed;
}

static bool has_large_block(const rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        if (rv_has_large_block(solver->rows, c))
            return true;
    return false;
}

static double violation_of(const rvSolver* solver, const rvColumn* c, int i)
{
    const rvRow* row = &solver->rows->rows[i];
    return rv_row_violation(row, solver->x[i], solver->residual[i], solver->diagonal[i], solver->inverseDiagonal[i],
                            rv_row_bounds(row, rv_row_lean(row, solver->x + c->firstRow)));
}

// Of the rows that are to change those that are violated by at least half as much as the worst: of hundreds of rows
// along a rope one at a time would take for ever.
static void change_worst(rvSolver* solver, const rvIsland* island)
{
    const rvColumn *first = solver->structure.columns + island->firstColumn, *end = first + island->columnCount;
    double worst = 0.0;
    for (int turn = 0; turn < 2; ++turn)
        for (const rvColumn* c = first; c < end; ++c)
            for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
                if (solver->wanted[i] == solver->mode[i])
                    continue;
                double violation = violation_of(solver, c, i);
                if (turn == 0)
                    worst = fmax(worst, violation);
                else if (violation >= 0.5 * worst)
                    solver->mode[i] = solver->wanted[i];
            }
}

// Pivots until no row is to change. A rope that lies on many points of its elements holds itself by them in more ways
// than one: what each carries, and which of them are at a bound, is known to rounding only, and changes without end.
// There it is enough that nothing is violated by more than free rows may be. So it is of any rows at the end of the
// turns: two that share a tension, the one from below and the other from above, changed places for ever by its last
// digit.
static bool settle(rvSolver* solver, const rvIsland* island, bool frozen, int turns, int pivotLimit)
{
    int best = INT_MAX;
    int patience = PATIENCE;
    bool fine = false, many = !frozen && has_large_block(solver, island);
    for (int turn = 0; turn < turns && solver->pivots < pivotLimit; ++turn) {
        int last = 0;
        double precision = fine ? rv_modes_finest(solver) : solver->inside ? leanModes : leanCoarse;
        if (!rv_modes_solve(solver, island, frozen, &precision))
            return false;
        int violated = judge(solver, island, frozen, &last);
        if (violated == 0 && precision == rv_modes_finest(solver))
            return true;
        bool enough = many || (!frozen && turn + 1 == turns);
        if (enough && is_settled(solver, island))
            return true;
        fine = violated == 0;
        if (fine)
            continue;
        bool all = violated < best || patience > 0;
        patience = violated < best ? PATIENCE : patience - 1;
        best = violated < best ? violated : best;
        const rvColumn* c = solver->structure.columns + island->firstColumn;
        for (const rvColumn* end = c + island->columnCount; all && c < end; ++c)
            memcpy(solver->mode + c->firstRow, solver->wanted + c->firstRow, (size_t)c->rowCount);
        if (!all && solver->inside)
            change_worst(solver, island);
        else if (!all)
            solver->mode[last] = solver->wanted[last];
    }
    return false;
}

// Modes of bounds that are not there are free.
static void check_modes(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            const rvRow* row = &solver->rows->rows[i];
            if ((solver->mode[i] == RV_ROW_LOWER && !(row->lower > -HUGE_VAL)) ||
                (solver->mode[i] == RV_ROW_UPPER && !(row->upper < HUGE_VAL)))
                solver->mode[i] = RV_ROW_FREE;
        }
}

// A start strictly between the bounds at leanAt; rows whose bounds meet are masked. Prices begin at the island's speed.
static void start_inside(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            rvBounds b = rv_row_bounds(&solver->rows->rows[i], solver->leanAt[i]);
            double unit = solver->speed * solver->inverseDiagonal[i];
            double gap = b.upper - b.lower > 2.0 * unit ? unit : 0.5 * (b.upper - b.lower);
            solver->masked[i] = !(gap > RV_TIE * unit);
            solver->mode[i] = solver->masked[i] ? RV_ROW_LOWER : RV_ROW_FREE;
            double x = solver->masked[i] ? b.lower : solver->x[i];
            x = x < b.lower + gap ? b.lower + gap : x > b.upper - gap ? b.upper - gap : x;
            solver->x[i] = solver->masked[i] ? b.lower : x;
            solver->priceLower[i] = b.lower > -HUGE_VAL && !solver->masked[i] ? solver->speed : 0.0;
            solver->priceUpper[i] = b.upper < HUGE_VAL && !solver->masked[i] ? solver->speed : 0.0;
        }
}

// Right side, shift of the diagonal and mean product of price and distance of one turn inside.
static double set_turn(rvSolver* solver, const rvIsland* island, double product)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    double sum = 0.0;
    int count = 0;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            rvBounds b = rv_row_bounds(&solver->rows->rows[i], solver->leanAt[i]);
            solver->shift[i] = 0.0;
            solver->work[i] = solver->masked[i] ? 0.0 : -solver->residual[i];
            if (solver->priceLower[i] > 0.0) {
                double distance = solver->x[i] - b.lower;
                solver->shift[i] += solver->priceLower[i] / distance;
                solver->work[i] += product / distance;
                sum += solver->priceLower[i] * distance;
                ++count;
            }
            if (solver->priceUpper[i] > 0.0) {
                double distance = b.upper - solver->x[i];
                solver->shift[i] += solver->priceUpper[i] / distance;
                solver->work[i] -= product / distance;
                sum += solver->priceUpper[i] * distance;
                ++count;
            }
        }
    return count > 0 ? sum / count : 0.0;
}

// How far (of 1) a value may go by `change` and stay positive.
static double reach(double value, double change, double way)
{
    return change < 0.0 && -change * way > 0.995 * value ? 0.995 * value / -change : way;
}

// Goes along `work`, as far as distances and prices stay positive.
static void take_turn(rvSolver* solver, const rvIsland* island, double product)
{
    const rvColumn* first = solver->structure.columns + island->firstColumn;
    const rvColumn* end = first + island->columnCount;
    double way = 1.0;
    for (int pass = 0; pass < 2; ++pass)
        for (const rvColumn* c = first; c < end; ++c)
            for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
                rvBounds b = rv_row_bounds(&solver->rows->rows[i], solver->leanAt[i]);
                double dx = solver->masked[i] ? 0.0 : solver->work[i];
                double low = solver->x[i] - b.lower, high = b.upper - solver->x[i];
                double *priceLow = &solver->priceLower[i], *priceHigh = &solver->priceUpper[i];
                double dLow = *priceLow > 0.0 ? (product - *priceLow * dx) / low - *priceLow : 0.0;
                double dHigh = *priceHigh > 0.0 ? (product + *priceHigh * dx) / high - *priceHigh : 0.0;
                if (pass == 0) {
                    way = *priceLow > 0.0 ? reach(*priceLow, dLow, reach(low, dx, way)) : way;
                    way = *priceHigh > 0.0 ? reach(*priceHigh, dHigh, reach(high, -dx, way)) : way;
                } else {
                    solver->x[i] += way * dx;
                    *priceLow += way * dLow;
                    *priceHigh += way * dHigh;
                }
            }
}

// Modes by which of distance and price has vanished.
static void round_modes(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            rvBounds b = rv_row_bounds(&solver->rows->rows[i], solver->leanAt[i]);
            if (solver->masked[i])
                continue;
            if (solver->priceLower[i] > solver->diagonal[i] * (solver->x[i] - b.lower))
                solver->mode[i] = RV_ROW_LOWER;
            else if (solver->priceUpper[i] > solver->diagonal[i] * (b.upper - solver->x[i]))
                solver->mode[i] = RV_ROW_UPPER;
        }
}

// The interior way, for bounds frozen at leanAt.
static bool pass_inside(rvSolver* solver, const rvIsland* island, int pivotLimit)
{
    double product = 0.0, begin = 0.0;
    start_inside(solver, island);
    for (int turn = 0; turn < INSIDE_TURNS && solver->pivots < pivotLimit; ++turn) {
        rv_system_residual(solver, island);
        double mean = set_turn(solver, island, product);
        if (turn == 0) {
            begin = mean;
            product = 0.1 * mean;
            set_turn(solver, island, product);
        }
        if (!(mean > 1e-14 * begin))
            break;
        rv_system_factor_shifted(solver, island);
        rv_factor_solve(&solver->structure, island, &solver->factor, solver->work);
        take_turn(solver, island, product);
        product = 0.1 * mean;
    }
    round_modes(solver, island);
    return settle(solver, island, true, FROZEN_TURNS, pivotLimit);
}

static void move_lean(rvSolver* solver, const rvIsland* island, double way)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            double sum = rv_row_lean(&solver->rows->rows[i], solver->x + c->firstRow);
            solver->leanAt[i] = way < 1.0 ? solver->leanAt[i] + way * (sum - solver->leanAt[i]) : sum;
        }
}

static void copy_rows(const rvSolver* solver, const rvIsland* island, const double* from, double* to)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        memcpy(to + c->firstRow, from + c->firstRow, (size_t)c->rowCount * sizeof(double));
}

// Sweeps come near the solution, whatever came before: pivot from there, else sweep on for twice as long. A sweep costs
// little beside a factor, but where there is a large block.
static bool settle_by_sweeps(rvSolver* solver, const rvIsland* island, int rounds, int limit)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i)
            solver->x[i] = isfinite(solver->rows->rows[i].impulse) ? solver->rows->rows[i].impulse : 0.0;
    double* swept = solver->shift;
    for (int round = 0, count = GUESS_SWEEPS; round < rounds; ++round, count *= 2) {
        rv_sweep(solver, island, count);
        copy_rows(solver, island, solver->x, swept);
        if (settle(solver, island, false, SWEPT_TURNS, limit))
            return true;
        copy_rows(solver, island, swept, solver->x);
    }
    return false;
}

// Rows inside that slip or stick in a long line: what sticks takes all of the force by its first row, so that
// pivoting moves the end of what slips on by a row a turn. Where rows with leaning bounds yield much, the force is
// spread and many find their modes at once; then they yield less and less.
static bool settle_softly(rvSolver* solver, const rvIsland* island, int limit)
{
    for (double soft = softest; soft > hardest; soft *= 0.03) {
        solver->soft = soft;
        solver->factored = false;
        settle(solver, island, false, SOFT_TURNS, limit);
    }
    solver->soft = 0.0;
    solver->factored = false;
    return settle(solver, island, false, INSIDE_TURNS, limit);
}

// The problem with bounds frozen at leanAt.
static bool solve_frozen(rvSolver* solver, const rvIsland* island, int limit)
{
    return settle(solver, island, true, FROZEN_TURNS, limit) || pass_inside(solver, island, limit);
}

// Without bounds there is nothing to pivot, and no guess is needed.
static void solve_unbounded(rvSolver* solver, const rvIsland* island)
{
    const rvColumn* c = solver->structure.columns + island->firstColumn;
    for (const rvColumn* end = c + island->columnCount; c < end; ++c)
        for (int i = c->firstRow; i < c->firstRow + c->rowCount; ++i) {
            solver->mode[i] = RV_ROW_FREE;
            solver->masked[i] = 0;
            solver->x[i] = solver->right[i];
        }
    rv_system_factor(solver, island);
    rv_factor_solve(&solver->structure, island, &solver->factor, solver->x);
    if (rv_system_residual(solver, island) > RV_REFINE_ABOVE * solver->speed)
        rv_modes_refine(solver, island);
}

bool rv_bounds_solve(rvSolver* solver, const rvIsland* island)
{
    if (!solver->bounded) {
        solve_unbounded(solver, island);
        return true;
    }
    int limit = solver->pivots + MOST_PIVOTS;
    check_modes(solver, island);
    bool blocked = has_large_block(solver, island);
    int turns = !solver->leaning ? FROZEN_TURNS : solver->inside ? SOFT_TURNS : blocked ? BLOCK_TURNS : EXACT_TURNS;
    if (settle(solver, island, false, turns, limit))
        return true;
    if (solver->inside) // what follows needs its rows one by one
        return settle_softly(solver, island, limit);
    move_lean(solver, island, 1.0);
    if (!solver->leaning)
        return pass_inside(solver, island, limit) || is_settled(solver, island);
    if (settle_by_sweeps(solver, island, blocked ? 1 : SWEEP_ROUNDS, limit))
        return true;
    rv_sweep(solver, island, 1); // the modes that belong to the swept impulses
    move_lean(solver, island, 1.0);
    for (int round = 0; round < FROZEN_ROUNDS && solver->pivots < limit; ++round) {
        if (!solve_frozen(solver, island, limit))
            break;
        if (is_settled(solver, island))
            return true;
        move_lean(solver, island, 0.5);
        if (settle(solver, island, false, FROZEN_TRIES, limit) || is_settled(solver, island))
            return true;
    }
    if (blocked && settle_by_sweeps(solver, island, SWEEP_ROUNDS, limit))
        return true;
    solve_frozen(solver, island, limit + INSIDE_TURNS);
    return is_settled(solver, island);
}
