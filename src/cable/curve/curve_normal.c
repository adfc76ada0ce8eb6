// SPDX-License-Identifier: MIT
// How the normals of a curve on itself turn, in space (space_normal.h). It ties nodes that are far from each other, so
// it is no band as H is, but of rank four a touch, H' = H + U D U^T, and
//   H'^-1 x = H^-1 x - Z (D^-1 + U^T Z)^-1 U^T H^-1 x,   Z = H^-1 U
// What stiffens is added first; what softens as far as H' stays positive. Without it passes do not settle where the
// step is so long that inertia is softer than f/d.
#include "cable/curve/curve_cable.h"

#include "math/cholesky.h"

#include <string.h>

#define LEAST_APART 0.5  // of the thickness: nearer ones have no direction
#define LEAST_SHARE 0.05 // of what softens: with less it is left out
#define POSITIVE 1e-3    // of a pivot: what must be left of it

// Rows that are added to H with a weight each, behind those of the pass.
typedef struct {
    rvCurve* curve;
    int first, count, most;
    double weights[RV_CURVE_NORMAL_ROWS];
} Added;

static void solve(rvCurve* curve, int first, int count)
{
    size_t size = (size_t)count * (size_t)curve->now.count * sizeof(double);
    memcpy(rv_curve_column(curve, first), rv_curve_gradient(curve, first), size);
    rv_separable_solve_many(curve->now.matrix, rv_curve_column(curve, first), count);
}

static void list_rows(Added* added, bool soft)
{
    const rvCurve* curve = added->curve;
    const rvSpace* space = &curve->space->run.space;
    double least = LEAST_APART * 2.0 * curve->radius;
    for (int k = 0; k < curve->pressCount && added->count + 2 <= added->most; ++k) {
        double *rows = rv_curve_gradient(curve, added->first + added->count), *weights = added->weights + added->count;
        bool any = soft ? rv_space_softening(space, &curve->presses[k], least, rows, weights)
                        : rv_space_stiffening(space, &curve->presses[k], least, rows, weights);
        if (soft)
            weights[1] = weights[0];
        added->count += any ? 2 : 0;
    }
}

// The columns of the first `rows` rows and the step become those of H + U D U^T, with as much of D as leaves it
// positive.
static void apply(const Added* added, int rows, bool soft)
{
    rvCurve* curve = added->curve;
    int count = curve->now.count, m = added->count;
    double whole[RV_CURVE_NORMAL_ROWS * RV_CURVE_NORMAL_ROWS], block[RV_CURVE_NORMAL_ROWS * RV_CURVE_NORMAL_ROWS];
    double dots[RV_CURVE_NORMAL_ROWS], sign = soft ? -1.0 : 1.0;
    bool good = false;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            whole[i * m + j] = sign * rv_curve_dot(rv_curve_gradient(curve, added->first + i),
                                                   rv_curve_column(curve, added->first + j), count);
    for (double share = 1.0; share > LEAST_SHARE && !good; share *= 0.5) {
        memcpy(block, whole, (size_t)(m * m) * sizeof(double));
        for (int i = 0; i < m; ++i)
            block[i * m + i] += 1.0 / (share * added->weights[i]);
        good = rv_cholesky_factor_to(block, m, POSITIVE);
    }
    for (int r = -1; good && r < rows; ++r) {
        double* x = r < 0 ? curve->now.step : rv_curve_column(curve, r);
        for (int j = 0; j < m; ++j)
            dots[j] = sign * rv_curve_dot(rv_curve_gradient(curve, added->first + j), x, count);
        rv_cholesky_solve(block, m, dots);
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < count; ++i)
                x[i] -= dots[j] * rv_curve_column(curve, added->first + j)[i];
    }
}

void rv_curve_keep_presses(rvCurve* curve)
{
    curve->pressCount = 0;
    for (int k = 0; k < curve->touchCount && curve->space; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (touch->both && touch->holds[0] && curve->pressCount < RV_CURVE_PRESSES)
            curve->presses[curve->pressCount++] =
                (rvSpacePress){{touch->spot, touch->other}, touch->force[0], touch->kept};
    }
}

static void turn_normals(rvCurve* curve, int rows)
{
    int most = (curve->rowCapacity - rows) / 2;
    most = most < RV_CURVE_NORMAL_ROWS ? most : RV_CURVE_NORMAL_ROWS;
    Added soft = {.curve = curve, .first = rows, .most = most};
    list_rows(&soft, true);
    Added stiff = {.curve = curve, .first = rows + soft.count, .most = most};
    list_rows(&stiff, false);
    if (soft.count == 0)
        return;
    solve(curve, rows, soft.count + stiff.count);
    if (stiff.count > 0)
        apply(&stiff, stiff.first, false);
    apply(&soft, rows, true);
}

void rv_curve_solve_rows(rvCurve* curve, int rows)
{
    solve(curve, 0, rows);
    if (curve->pressCount > 0 && curve->unsettled && isfinite(curve->turned))
        turn_normals(curve, rows);
}
