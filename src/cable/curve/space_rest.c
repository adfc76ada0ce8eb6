// SPDX-License-Identifier: MIT
#include "cable/curve/space_rest.h"

#include <string.h>

#define dot rv_curve_dot
#define LARGEST_TURN 0.5 // of a node in a round [rad]
#define BALANCED 1e-10   // of the largest forces, and of lengths: what Newton leaves
#define HELD 1e4         // stiffness of the holds, of the largest of the curve
#define NEUTRAL 1e-5     // of the first modes' stiffness, 10: round-off of HELD times a condition of some 1e6
#define FALLS 1e-4       // share of what a step promises that it must keep
#define START_SHIFT 1.0  // a tenth of the first modes' stiffness
#define FIRST_SHIFT 1e-2
#define LEAST_SHIFT 1e-6 // below it: none
#define MOST_CUTS 10     // of a step, by half
#define MOST_TRIES 12    // of a round, with more shift
#define MOST_LEFT 4      // shapes that are not stable, left one after another
#define SOFTEST_ROUNDS 60
#define MOST_TURNED (3 * RV_SPACE_MOST_LOADS)

// ---- matrix ---------------------------------------------------------------------------------------------------------

static double largest_rigidity(const rvSpace* space)
{
    double most = 0.0;
    for (int i = 0; i < space->intervals; ++i) {
        rvVec3 d = space->parts[i].rigidity;
        most = fmax(most, fmax(d.x, fmax(d.y, d.z)));
    }
    return most;
}

// A force that is typical for the curve [N].
static double scale_of(const rvSpaceRun* run)
{
    const rvSpace* space = &run->space;
    double l = space->length, mass = space->tail[0] + space->parts[0].density * space->parts[0].length;
    double sum = largest_rigidity(space) / (l * l) + mass * rvLength(run->gravity);
    for (int i = 0; i < run->loadCount; ++i)
        sum += rvLength(run->loads[i].force) + rvLength(run->loads[i].moment) / l;
    return sum;
}

// N of a rate, for s = 1.
static double metric_of(const rvSpace* space, double scale, int rate)
{
    int at = rate - rv_space_stretch(space, 0), i = at < 0 ? rate / 3 - 1 : at; // its node
    if (i < 0)
        return scale / space->length;
    double before = i > 0 ? space->parts[i - 1].length : 0.0,
           after = i < space->intervals ? space->parts[i].length : 0.0;
    return 0.5 * scale * (before + after);
}

void rv_space_run_shift(rvSpaceRun* run, double shift)
{
    double scale = scale_of(run);
    for (int k = 0; k < run->space.count; ++k) {
        int slot = rv_space_slot(&run->space, k);
        *rv_separable_at(&run->matrix, slot, slot) += shift * metric_of(&run->space, scale, k);
    }
}

// Of a symmetric 3 x 3 block on a node's spin: factor (a b^T + b a^T)/2.
static void add_spin_pair(rvSpaceRun* run, int node, double factor, rvVec3 a, rvVec3 b)
{
    const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    int k = rv_space_slot(&run->space, rv_space_spin(node));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c <= r; ++c)
            *rv_separable_at(&run->matrix, k + r, k + c) += 0.5 * factor * (x[r] * y[c] + x[c] * y[r]);
}

// What the forces of an aim do as the node turns: second derivative of -n . (t0 x t) where t is t0.
static void add_aim(rvSpaceRun* run, const rvSpaceHold* hold, rvVec3 moment)
{
    rvVec3 t0 = rvRotate(hold->frame, rvVec(0, 0, 1));
    add_spin_pair(run, hold->node, -1.0, t0, rvCross(moment, t0));
}

// Adds the holds' squares; answers mu of each row.
static void add_holds(rvSpaceRun* run, double* mu)
{
    double stiff = HELD * rv_space_largest_spin(&run->space, &run->matrix);
    for (int k = 0; k < run->holdCount; ++k) {
        const rvSpaceHold* hold = &run->holds[k];
        double place = stiff / rv_space_lever(&run->space, hold->node);
        rv_space_add_squares(
            &run->space, hold->node,
            rvVec(hold->loose & 1u ? 0.0 : place, hold->loose & 2u ? 0.0 : place, hold->loose & 4u ? 0.0 : place),
            &run->matrix);
        rvVec3 moment = rvVec(0, 0, 0);
        for (int r = 0; r < rv_space_hold_rows(hold); ++r) {
            bool turning;
            rvVec3 n = rv_space_hold_axis(hold, r, &turning);
            mu[hold->row + r] = turning ? stiff : place;
            if (!turning)
                continue;
            moment = rvMulAdd(moment, run->force1[hold->row + r], n);
            rvVec3 g = n;
            if (hold->grip == RV_GRIP_AIM) {
                rvVec3 t0 = rvRotate(hold->frame, rvVec(0, 0, 1)),
                       t = rvRotate(run->frames1[hold->node], rvVec(0, 0, 1));
                g = rvSub(rvScale(rvDot(t0, t), n), rvScale(rvDot(n, t), t0));
            }
            add_spin_pair(run, hold->node, stiff, g, g);
        }
        if (hold->grip == RV_GRIP_AIM)
            add_aim(run, hold, moment);
    }
}

// A with the loads as gathered (holds' forces force1).
static void build(rvSpaceRun* run, double shift, double mass, double* mu)
{
    rv_space_matrix(&run->space, (rvSpaceWish){.stiffness = 1.0, .mass = mass}, &run->matrix);
    rv_space_run_shift(run, shift);
    add_holds(run, mu);
}

// ---- a round --------------------------------------------------------------------------------------------------------

typedef struct {
    double shift;                     // s
    double scale;                     // of forces [N]
    double mu[RV_SPACE_MOST_ROWS];    // of the rows
    double nu[RV_SPACE_MOST_ROWS];    // what an error costs
    double error[RV_SPACE_MOST_ROWS]; // c
    double force[RV_SPACE_MOST_ROWS]; // lambda that the step asks for
    double* residual;                 // f
    double energy, missed;            // V; nu . |c|
} Search;

static double potential(const rvSpaceRun* run)
{
    double energy = rv_space_elastic_energy(&run->space) + rv_space_height_energy(&run->space, run->gravity);
    for (int i = 0; i < run->loadCount; ++i)
        energy -= rvDot(run->loads[i].force, run->space.nodes[run->loads[i].node]);
    return energy;
}

static double work_of_moments(const rvSpaceRun* run, double share, const double* d)
{
    double work = 0.0;
    for (int i = 0; i < run->loadCount; ++i)
        work += share * rvDot(run->loads[i].moment, rv_space_vec(d + rv_space_spin(run->loads[i].node)));
    return work;
}

static double find_errors(const rvSpaceRun* run, double* error)
{
    double most = 0.0;
    for (int r = 0; r < run->rowCount; ++r) {
        error[r] = rv_space_run_error(run, r);
        most = fmax(most, fabs(error[r]));
    }
    return most;
}

static double cost_of(const rvSpaceRun* run, const Search* search, const double* error)
{
    double sum = 0.0;
    for (int r = 0; r < run->rowCount; ++r)
        sum += search->nu[r] * fabs(error[r]);
    return sum;
}

// Balance and errors at frames1; residual relative to the scale.
static void look(rvSpaceRun* run, Search* search, rvSpaceRest* rest)
{
    int count = run->space.count;
    rv_space_run_load(run, NULL, run->force1);
    rv_space_sum_loads(&run->space, search->residual);
    rest->residual = 0.0;
    for (int i = 0; i < count; ++i)
        rest->residual = fmax(rest->residual, fabs(search->residual[i]) / (i < 3 ? 1.0 : run->space.length));
    double strain = 0.0; // moments that balance one another
    for (int i = 0; i < run->space.intervals; ++i) {
        rvVec3 k = rvSub(rv_space_curvature(&run->space, i), run->space.parts[i].natural),
               d = run->space.parts[i].rigidity;
        strain = fmax(strain, rvLength(rvVec(k.x * d.x, k.y * d.y, k.z * d.z)) / run->space.length);
    }
    rest->force = rest->residual;
    rest->residual /= search->scale + strain;
    rest->gap = find_errors(run, search->error);
    search->energy = potential(run);
}

// x with a x = b, in place, by elimination with pivots.
static void solve_small(int n, double a[MOST_TURNED][MOST_TURNED], double* b)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i][k]) > fabs(a[best][k]))
                best = i;
        for (int j = 0; j < n && best != k; ++j) {
            double other = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = other;
        }
        double right = b[best];
        b[best] = b[k];
        b[k] = right;
        for (int i = k + 1; i < n; ++i) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

// What a dead moment's spin index answers to: step and forces of the rows, with the holds met.
static void answer_turn(rvSpaceRun* run, int at, double* step, double* force)
{
    const double still[RV_SPACE_MOST_ROWS] = {0};
    size_t size = (size_t)run->space.count * sizeof(double), rowSize = (size_t)run->rowCount * sizeof(double);
    memcpy(run->v1, run->step, size);
    memcpy(force, run->force1, rowSize);
    memset(run->step, 0, size);
    memset(run->force1, 0, rowSize);
    run->step[at] = 1.0;
    rv_separable_solve(&run->matrix, run->step);
    rv_space_run_meet(run, still);
    memcpy(step, run->step, size);
    memcpy(run->step, run->v1, size);
    for (int r = 0; r < run->rowCount; ++r) {
        double answer = run->force1[r];
        run->force1[r] = force[r];
        force[r] = answer;
    }
}

// Dead moments: A is not symmetric with B = -[m]x/2 at their nodes. With X the answers to unit moments there and y the
// step's turning there: y = y0 - X B y, and the step changes by -X B y.
static void add_moments(rvSpaceRun* run)
{
    int count = run->space.count, n = 0, at[MOST_TURNED];
    double b[MOST_TURNED][MOST_TURNED] = {{0}}, a[MOST_TURNED][MOST_TURNED], y[MOST_TURNED] = {0};
    double force[MOST_TURNED][RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->loadCount; ++i) {
        rvVec3 m = rvScale(-0.5, run->loads[i].moment);
        const double cross[3][3] = {{0, -m.z, m.y}, {m.z, 0, -m.x}, {-m.y, m.x, 0}};
        for (int c = 0; c < 3 && rvLength(m) > 0.0; ++c, ++n) {
            at[n] = rv_space_spin(run->loads[i].node) + c;
            for (int k = 0; k < 3; ++k)
                b[n][n - c + k] = cross[c][k];
        }
    }
    for (int k = 0; k < n; ++k)
        answer_turn(run, at[k], run->turned + k * count, force[k]);
    for (int i = 0; i < n; ++i) {
        y[i] = run->step[at[i]];
        for (int j = 0; j < n; ++j) {
            a[i][j] = i == j;
            for (int k = 0; k < n; ++k)
                a[i][j] += run->turned[k * count + at[i]] * b[k][j];
        }
    }
    solve_small(n, a, y);
    for (int k = 0; k < n; ++k) {
        double by = dot(b[k], y, n);
        for (int i = 0; i < count; ++i)
            run->step[i] -= by * run->turned[k * count + i];
        for (int r = 0; r < run->rowCount; ++r)
            run->force1[r] -= by * force[k][r];
    }
}

static bool factor_at(rvSpaceRun* run, double shift, double* mu)
{
    build(run, shift, 0.0, mu);
    return rv_separable_factor(&run->matrix);
}

// The step of a round into run->step and the forces that it asks for; the shift grows until the matrix is positive.
static bool find_step(rvSpaceRun* run, Search* search)
{
    while (!factor_at(run, search->shift, search->mu)) {
        search->shift = fmax(4.0 * search->shift, FIRST_SHIFT);
        if (!(search->shift < 1e12))
            return false;
    }
    memcpy(run->step, search->residual, (size_t)run->space.count * sizeof(double));
    rv_separable_solve(&run->matrix, run->step);
    rv_space_run_condense(run, false);
    double right[RV_SPACE_MOST_ROWS];
    for (int i = 0; i < run->rowCount; ++i)
        right[i] = -search->error[i];
    rv_space_run_meet(run, right);
    add_moments(run);
    for (int r = 0; r < run->rowCount; ++r) {
        search->force[r] = run->force1[r] + search->mu[r] * search->error[r];
        run->force1[r] = run->forces[r];
        search->nu[r] = fmax(search->nu[r], 2.0 * fabs(search->force[r]));
    }
    return isfinite(dot(run->step, run->step, run->space.count));
}

static double largest_turn(const rvSpaceRun* run)
{
    double most = 0.0;
    for (int i = 3; i < run->space.count; ++i)
        most = fmax(most, fabs(run->step[i]));
    return most;
}

// frames1 at a share of the step from the state; answers what V + nu . |c| became less by.
static double try_step(rvSpaceRun* run, const Search* search, double share, const double* step, double* error)
{
    rv_space_run_reset(run);
    for (int i = 0; i < run->space.count; ++i)
        run->v1[i] = share * step[i];
    rv_space_run_move(run, run->v1);
    find_errors(run, error);
    double before = search->energy + cost_of(run, search, search->error);
    return before - potential(run) + work_of_moments(run, share, step) - cost_of(run, search, error);
}

// The errors that the full step left, closed too (it is run->step that changes).
static void close_errors(rvSpaceRun* run, const double* error)
{
    double right[RV_SPACE_MOST_ROWS], kept[RV_SPACE_MOST_ROWS];
    int count = run->space.count;
    memcpy(kept, run->force1, (size_t)run->rowCount * sizeof(double));
    for (int i = 0; i < run->rowCount; ++i)
        right[i] = dot(run->rows + i * count, run->step, count) - error[i];
    rv_space_run_meet(run, right);
    memcpy(run->force1, kept, (size_t)run->rowCount * sizeof(double));
}

// Goes on by the step, or by less of it. Answers the share; 0: it does not go down.
static double walk(rvSpaceRun* run, const Search* search)
{
    int count = run->space.count;
    double error[RV_SPACE_MOST_ROWS], falls = dot(search->residual, run->step, count); // -slope of V + nu . |c|
    for (int r = 0; r < run->rowCount; ++r)
        falls += run->force1[r] * search->error[r] + search->nu[r] * fabs(search->error[r]);
    double noise = 1e-13 * (fabs(search->energy) + search->scale * run->space.length);
    double turn = largest_turn(run), share = turn > LARGEST_TURN ? LARGEST_TURN / turn : 1.0;
    memcpy(run->a1, run->step, (size_t)count * sizeof(double));
    for (int i = 0; i < MOST_CUTS; ++i, share *= 0.5) {
        double gain = try_step(run, search, share, run->a1, error);
        if (gain >= FALLS * share * falls || (fabs(falls) < noise && isfinite(gain)))
            return share;
        if (i > 0 || share < 1.0)
            continue;
        close_errors(run, error);
        if (largest_turn(run) <= 2.0 * LARGEST_TURN &&
            try_step(run, search, share, run->step, error) >= FALLS * share * falls)
            return share;
    }
    return 0.0;
}

// The state, placed, with its forces gathered.
static void return_to(rvSpaceRun* run)
{
    rv_space_run_reset(run);
    memcpy(run->force1, run->forces, (size_t)run->rowCount * sizeof(double));
    rv_space_run_load(run, NULL, run->force1);
}

// One round; false: it is stuck.
static bool descend(rvSpaceRun* run, Search* search)
{
    for (int i = 0; i < MOST_TRIES; ++i) {
        if (!find_step(run, search))
            break;
        double share = walk(run, search);
        if (share > 0.0) {
            rv_space_run_keep(run);
            for (int r = 0; r < run->rowCount; ++r)
                run->forces[r] += share * (search->force[r] - run->forces[r]);
            search->shift *= share == 1.0 ? 0.1 : share < 0.2 ? 4.0 : 1.0;
            if (search->shift < LEAST_SHIFT)
                search->shift = 0.0;
            return true;
        }
        search->shift = fmax(10.0 * search->shift, FIRST_SHIFT);
        return_to(run);
    }
    return false;
}

// ---- stability ------------------------------------------------------------------------------------------------------

// Softest motion that the holds allow into run->step, 1 rad where it turns most; its stiffness: inverse iteration with
// a shift just below it.
static double find_softest(rvSpaceRun* run, double shift, double* mu)
{
    int count = run->space.count;
    const double still[RV_SPACE_MOST_ROWS] = {0};
    double scale = scale_of(run), stiffness = -shift;
    if (!factor_at(run, shift, mu))
        return stiffness;
    rv_space_run_condense(run, false);
    for (int i = 0; i < count; ++i)
        run->step[i] = sin(1.0 + 1.7 * i); // nothing is orthogonal to it by symmetry
    for (int round = 0; round < SOFTEST_ROUNDS; ++round) {
        for (int i = 0; i < count; ++i)
            run->step[i] = run->v1[i] = metric_of(&run->space, scale, i) * run->step[i];
        rv_separable_solve(&run->matrix, run->step);
        rv_space_run_meet(run, still);
        double turn = 0.0, above = dot(run->v1, run->step, count), below = 0.0, largest = 0.0;
        for (int i = 0; i < count; ++i) {
            below += metric_of(&run->space, scale, i) * run->step[i] * run->step[i];
            if (i >= 3 && fabs(run->step[i]) > largest) {
                turn = run->step[i];
                largest = fabs(turn);
            }
        }
        if (!(largest > 0.0))
            break;
        stiffness = above / below - shift;
        for (int i = 0; i < count; ++i)
            run->step[i] /= turn;
    }
    memcpy(run->force1, run->forces, (size_t)run->rowCount * sizeof(double));
    return stiffness;
}

double rv_space_run_stiffness(rvSpaceRun* run)
{
    double mu[RV_SPACE_MOST_ROWS], low = -1.0, high = 0.0; // eigenvalue between them
    return_to(run);
    if (factor_at(run, 0.0, mu)) {
        low = 0.0;
        for (high = 1.0; factor_at(run, -high, mu) && high < 1e12; high *= 4.0)
            low = high;
    } else {
        while (!factor_at(run, -low, mu) && low > -1e12) {
            high = low;
            low *= 4.0;
        }
    }
    for (int i = 0; i < 60 && high - low > 1e-9 * fmax(1.0, fabs(low)); ++i) {
        double middle = 0.5 * (low + high);
        if (factor_at(run, -middle, mu))
            low = middle;
        else
            high = middle;
    }
    // the bisection's answer is too small by what mu leaves
    return find_softest(run, -low + 1e-8 * fmax(1.0, fabs(low)), mu);
}

int rv_space_run_slower(rvSpaceRun* run, double w)
{
    double mu[RV_SPACE_MOST_ROWS];
    return_to(run);
    build(run, 0.0, -w * w, mu);
    return rv_separable_negative(&run->matrix);
}

// ---- search ---------------------------------------------------------------------------------------------------------

static void go_down(rvSpaceRun* run, Search* search, int rounds, rvSpaceRest* rest)
{
    search->shift = START_SHIFT;
    for (; rest->rounds < rounds; ++rest->rounds) {
        return_to(run);
        look(run, search, rest);
        rest->found = rest->residual < BALANCED && rest->gap < BALANCED * fmax(1.0, run->space.length);
        if (rest->found || !descend(run, search))
            break;
    }
}

rvSpaceRest rv_space_run_rest(rvSpaceRun* run, rvSpaceSearch wish)
{
    rvSpaceRest rest = {0};
    size_t size = (size_t)run->space.count * sizeof(double);
    Search search = {.scale = scale_of(run), .residual = run->at1};
    memset(run->v, 0, size);
    memset(run->forces, 0, (size_t)run->rowCount * sizeof(double));
    for (int left = 0; left <= MOST_LEFT; ++left) {
        go_down(run, &search, wish.rounds, &rest);
        rest.least = rv_space_run_stiffness(run);
        rest.stability = rest.least > NEUTRAL    ? RV_REST_STABLE
                         : rest.least < -NEUTRAL ? RV_REST_UNSTABLE
                                                 : RV_REST_NEUTRAL;
        if (!rest.found || wish.leave == 0.0 || rest.stability != RV_REST_UNSTABLE)
            break;
        for (int i = 0; i < run->space.count; ++i)
            run->step[i] *= wish.leave;
        rv_space_run_move(run, run->step);
        rv_space_run_keep(run);
        rest.found = false;
    }
    return_to(run);
    rv_space_run_tensions(run);
    return rest;
}
