// SPDX-License-Identifier: MIT
// Linear rows A q = b(t) on a cable: Baumgarte's multipliers for the semi-implicit steps of Westin and Irani, equation
// (25).
//
// A step without rows solves H d = R, H factored already. With rows, and their forces f along A^T,
//   H d = R + A^T s,  A d = g,  s = f/(1 + alpha)
//   g = [b''(t1) - 2 a1 (A v - b') - a2^2 (A q - b) - A ac]/cA
// is two parts: X = H^-1 A^T, one solve a row, and the small dense (A X) s = g - A d0; then d = d0 + X s. Speeds that
// jump and accelerations of the start are the same with M instead of H. Rows that others imply, or that are all on held
// coordinates, get a pivot of 0 in A X and no force. The paper's lambda is -f.
#include "math/cholesky.h"
#include "reference/parts.h"

typedef struct {
    int count;
    rvAncfTerm terms[RV_ANCF_MAX_TERMS];
    bool aimed; // b was given; else it is A q of the start
} Row;

struct rvAncfRows {
    int count;
    Row rows[RV_ANCF_MAX_ROWS];
    double b[RV_ANCF_MAX_ROWS], rate[RV_ANCF_MAX_ROWS], accel[RV_ANCF_MAX_ROWS];
    double force[RV_ANCF_MAX_ROWS]; // of the last step
    rvAncfRowsFn aim;
    void* context;
    size_t size;      // of all this
    int room;         // doubles of a column
    double columns[]; // X, one a row
};

// ---- rows

static rvStatus check_terms(const rvAncf* cable, const rvAncfTerm* terms, int count, rvError* error)
{
    if (count < 1 || count > RV_ANCF_MAX_TERMS || !terms)
        return rv_fail(error, RV_BAD_INPUT, "a row has %d terms; expected 1 to %d", count, RV_ANCF_MAX_TERMS);
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (terms[i].node < 0 || terms[i].node >= cable->nodeCount)
            return rv_fail(error, RV_BAD_INPUT, "terms[%d].node is %d; expected 0 to %d", i, terms[i].node,
                           cable->nodeCount - 1);
        if (terms[i].component < 0 || terms[i].component > 5)
            return rv_fail(error, RV_BAD_INPUT, "terms[%d].component is %d; expected 0 to 5", i, terms[i].component);
        if (!isfinite(terms[i].factor))
            return rv_fail(error, RV_BAD_INPUT, "terms[%d].factor is %g; expected a number", i, terms[i].factor);
        any = any || terms[i].factor != 0.0;
    }
    return any ? RV_OK : rv_fail(error, RV_BAD_INPUT, "all factors of a row are 0");
}

static rvStatus make_rows(rvAncf* cable, rvError* error)
{
    if (cable->rows)
        return RV_OK;
    size_t room = (size_t)cable->dofCount + 6; // and the dummy node
    size_t size = sizeof(rvAncfRows) + RV_ANCF_MAX_ROWS * room * sizeof(double);
    cable->rows = rv_memory_take(cable->memory, size);
    if (!cable->rows)
        return rv_fail(error, RV_NO_MEMORY, "no memory for rows on %d nodes", cable->nodeCount);
    cable->reference = &rv_reference_methods;
    cable->rows->size = size;
    cable->rows->room = (int)room;
    return RV_OK;
}

rvStatus rv_ancf_add_row(rvAncf* cable, const rvAncfTerm* terms, int count, int* row, rvError* error)
{
    rvStatus status = check_terms(cable, terms, count, error);
    if (!status)
        status = make_rows(cable, error);
    if (status)
        return status;
    rvAncfRows* rows = cable->rows;
    if (rows->count == RV_ANCF_MAX_ROWS)
        return rv_fail(error, RV_BAD_INPUT, "the cable has %d rows; expected no more", RV_ANCF_MAX_ROWS);
    Row* r = &rows->rows[rows->count];
    *r = (Row){.count = count};
    memcpy(r->terms, terms, (size_t)count * sizeof *terms);
    if (row)
        *row = rows->count;
    rows->count++;
    return RV_OK;
}

void rv_ancf_clear_rows(rvAncf* cable)
{
    if (cable->rows)
        rv_memory_give(cable->memory, cable->rows, cable->rows->size);
    cable->rows = NULL;
}

int rv_ancf_row_count(const rvAncf* cable)
{
    return cable->rows ? cable->rows->count : 0;
}

static bool has_row(const rvAncf* cable, int row)
{
    return row >= 0 && row < rv_ancf_row_count(cable);
}

rvStatus rv_ancf_aim_row(rvAncf* cable, int row, double b, double rate, double accel, rvError* error)
{
    if (!has_row(cable, row))
        return rv_fail(error, RV_BAD_INPUT, "row is %d; the cable has %d rows", row, rv_ancf_row_count(cable));
    if (!isfinite(b) || !isfinite(rate) || !isfinite(accel))
        return rv_fail(error, RV_BAD_INPUT, "b of row %d is %g, rate %g, acceleration %g; expected numbers", row, b,
                       rate, accel);
    rvAncfRows* rows = cable->rows;
    rows->b[row] = b;
    rows->rate[row] = rate;
    rows->accel[row] = accel;
    rows->rows[row].aimed = true;
    return RV_OK;
}

rvStatus rv_ancf_aim_rows(rvAncf* cable, rvAncfRowsFn aim, void* context, rvError* error)
{
    if (rv_ancf_row_count(cable) == 0)
        return rv_fail(error, RV_BAD_INPUT, "the cable has no rows to aim");
    cable->rows->aim = aim;
    cable->rows->context = context;
    return RV_OK;
}

double rv_ancf_row_force(const rvAncf* cable, int row)
{
    return has_row(cable, row) ? cable->rows->force[row] : 0.0;
}

static double row_of(const Row* row, const double* x)
{
    double sum = 0.0;
    for (int i = 0; i < row->count; i++)
        sum += row->terms[i].factor * x[6 * row->terms[i].node + row->terms[i].component];
    return sum;
}

static void add_row(const Row* row, double f, double* y)
{
    for (int i = 0; i < row->count; i++)
        y[6 * row->terms[i].node + row->terms[i].component] += f * row->terms[i].factor;
}

double rv_ancf_row_gap(const rvAncf* cable, int row)
{
    if (!has_row(cable, row))
        return 0.0;
    return row_of(&cable->rows->rows[row], cable->q) - cable->rows->b[row];
}

void rv_ancf_rows_add_force(const rvAncf* cable, double* force)
{
    for (int i = 0; i < rv_ancf_row_count(cable); i++)
        add_row(&cable->rows->rows[i], cable->rows->force[i], force);
}

static void aim_at(rvAncfRows* rows, double time)
{
    if (rows->aim)
        rows->aim(rows->context, time, rows->b, rows->rate, rows->accel);
}

// ---- multipliers

// x += B^-1 A^T s so that A x = want. B: the mass, or the factor of the step.
static void bring(rvAncf* cable, bool mass, const double* want, double* x, double* s)
{
    rvAncfRows* rows = cable->rows;
    int n = rows->count;
    double dense[RV_ANCF_MAX_ROWS * RV_ANCF_MAX_ROWS];
    for (int j = 0; j < n; j++) {
        double* column = rows->columns + j * rows->room;
        memset(column, 0, (size_t)rows->room * sizeof(double));
        add_row(&rows->rows[j], 1.0, column);
        if (mass)
            rv_ancf_mass_solve(cable, column);
        else
            rv_ancf_solve(cable, cable->slots, column);
        for (int i = j; i < n; i++)
            dense[i * n + j] = row_of(&rows->rows[i], column);
        s[j] = want[j] - row_of(&rows->rows[j], x);
    }
    rv_cholesky_factor(dense, n);
    rv_cholesky_solve(dense, n, s);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < cable->dofCount; i++)
            x[i] += s[j] * rows->columns[j * rows->room + i];
}

void rv_ancf_rows_step(rvAncf* cable, const rvAncfRule* rule, double h, double* d)
{
    rvAncfRows* rows = cable->rows;
    double want[RV_ANCF_MAX_ROWS], s[RV_ANCF_MAX_ROWS];
    double time = cable->scalars[RV_ANCF_TIME], a1 = cable->options.baumgarte[0], a2 = cable->options.baumgarte[1];
    aim_at(rows, time);
    for (int i = 0; i < rows->count; i++) {
        const Row* row = &rows->rows[i];
        want[i] = -2.0 * a1 * (row_of(row, cable->v) - rows->rate[i]) - a2 * a2 * (row_of(row, cable->q) - rows->b[i]) -
                  row_of(row, rule->ac);
    }
    aim_at(rows, time + h);
    for (int i = 0; i < rows->count; i++)
        want[i] = (want[i] + rows->accel[i]) / rule->cA;
    bring(cable, false, want, d, s);
    if (rv_ancf_is_finite(cable, d))
        for (int i = 0; i < rows->count; i++)
            rows->force[i] = (1.0 + rule->alpha) * s[i];
}

void rv_ancf_rows_accelerate(rvAncf* cable, double* a)
{
    bring(cable, true, cable->rows->accel, a, cable->rows->force);
}

void rv_ancf_rows_jump(rvAncf* cable)
{
    double impulse[RV_ANCF_MAX_ROWS];
    aim_at(cable->rows, cable->scalars[RV_ANCF_TIME]);
    bring(cable, true, cable->rows->rate, cable->v, impulse);
}

rvStatus rv_ancf_rows_start(rvAncf* cable, rvError* error)
{
    rvAncfRows* rows = cable->rows;
    for (int i = 0; i < rows->count; i++)
        if (!rows->rows[i].aimed) {
            rows->b[i] = row_of(&rows->rows[i], cable->q);
            rows->rate[i] = rows->accel[i] = 0.0;
        }
    aim_at(rows, 0.0);
    for (int i = 0; i < rows->count; i++) {
        const Row* row = &rows->rows[i];
        double size = 0.0, gap = rv_ancf_row_gap(cable, i);
        for (int k = 0; k < row->count; k++)
            size += fabs(row->terms[k].factor) * (row->terms[k].component < 3 ? rv_ancf_length(cable) : 1.0);
        if (!(fabs(gap) <= 1e-6 * size))
            return rv_fail(error, RV_BAD_INPUT, "row %d starts %g from its b", i, gap);
    }
    if (cable->hasWater)
        rv_ancf_water_update(cable, cable->q);
    double impulse[RV_ANCF_MAX_ROWS];
    bring(cable, true, rows->rate, cable->v, impulse);
    return RV_OK;
}
