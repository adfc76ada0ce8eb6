// SPDX-License-Identifier: MIT
// How far an interval can be bent. It is one piece of a helix: in space the shortest way between its two frames turns
// over where it has come to a whole turn, and jumps to its other side; in a plane the four Gauss points no longer tell
// its length. A thread that is whipped, or pushed together between two hands, comes there, and energy is made in such a
// jump. So an interval that has turned by most of a turn is stopped, as a touch is: with n = Phi/|Phi|
//   d|Phi|/dt = n . (w(i+1) - w(i)),   |Phi| + n . (theta(i+1) - theta(i)) <= FOLD
// is a row with a bound, and what comes there does so without a rebound. Rows are there from AHEAD before it on: in a
// pass nodes turn by half a radian at most.
#include "cable/curve/curve_kernel.h"

#define FOLD 5.0  // [rad]: four Gauss points tell the length to 2e-4 of the interval, the series of space.h to 1e-14
#define AHEAD 1.0 // [rad]

// Without room the one that is bent most takes the place of the one that is bent least.
static void add_fold(rvCurve* curve, rvCurveFold fold)
{
    if (curve->foldCount < RV_CURVE_FOLDS) {
        curve->folds[curve->foldCount++] = fold;
        return;
    }
    int least = 0;
    for (int k = 1; k < RV_CURVE_FOLDS; ++k)
        if (curve->folds[k].gap > curve->folds[least].gap)
            least = k;
    if (fold.gap < curve->folds[least].gap)
        curve->folds[least] = fold;
}

void rv_curve_find_folds(rvCurve* curve)
{
    curve->foldCount = 0;
    for (int i = 0; i < curve->now.intervals; ++i) {
        double natural;
        rvVec3 turn = curve->kernel->turnOfInterval(curve, i, &natural);
        double size = rvLength(turn);
        if (size > FOLD - AHEAD && natural < FOLD - AHEAD) // what is made so is not stopped
            add_fold(curve, (rvCurveFold){.interval = i, .along = rvScale(1.0 / size, turn), .gap = FOLD - size});
    }
}
