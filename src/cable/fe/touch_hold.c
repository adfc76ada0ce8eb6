// SPDX-License-Identifier: MIT
// Rows of touches that hold, as springs in the matrix of the elements (touch.h).
#include "cable/fe/touch.h"

#include "math/sym3.h"

#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

// One of the four of an element that S blends: r1, t1, r2, t2. Is it held, by any of its directions?
static bool is_held(const rvAncf* ancf, int element, int k)
{
    return ancf->held[element + k / 2] >> 3 * (k % 2) & 7;
}

// Its own block of 3 x 3, as symmetric matrices are kept: xx xy xz yy yz zz.
static void own_block(const rvAncf* ancf, const rvAncfSlot* plain, int node, int first, double m[6])
{
    const int* at = ancf->slotOf[node];
    bool middle = at[0] == ancf->slotCount;
    const rvPair* d = plain[at[0]].d;
    int next = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            rvPair both = d[AT(first + j, first + i)];
            m[next++] = middle ? both[0] + both[1] : both[at[1]];
        }
}

void rv_touch_find_gives(rvFeTouch* touch, const rvAncf* ancf, const rvAncfSlot* plain, double factor)
{
    for (int part = 0; part < 3; ++part)
        touch->gives[part] = 0.0;
    for (int k = 0; k < 4; ++k) {
        double m[6], inverse[6], s = touch->shape[k];
        if (s == 0.0 || is_held(ancf, touch->element, k))
            continue;
        own_block(ancf, plain, touch->element + k / 2, 3 * (k % 2), m);
        rv_sym3_invert(m, inverse);
        for (int part = 0; part < 3; ++part) {
            rvVec3 e = rv_touch_direction(touch, part);
            touch->gives[part] += factor * s * s * rvDot(e, rv_sym3_vec(inverse, e));
        }
    }
}

double rv_touch_stiffness(const rvFeTouch* touch, int part, double soft)
{
    double yields = part == 0 ? RV_TOUCH_YIELDS : RV_TOUCH_YIELDS + soft;
    return touch->gives[part] > 0.0 ? 1.0 / (yields * touch->gives[part]) : 0.0;
}

void rv_touch_add_springs(const rvFeTouch* touch, const rvAncf* ancf, double soft, double factor, rvAncfSlot* slots)
{
    double n[3][3] = {{0.0}}, h[12][12] = {{0.0}};
    for (int part = 0; part < 3; ++part) {
        rvVec3 e = rv_touch_direction(touch, part);
        const double c[3] = {e.x, e.y, e.z};
        double stiffness = touch->held[part] ? factor * rv_touch_stiffness(touch, part, soft) : 0.0;
        for (int i = 0; i < 3 && stiffness > 0.0; ++i)
            for (int j = 0; j < 3; ++j)
                n[i][j] += stiffness * c[i] * c[j];
    }
    for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) {
            double s = touch->shape[k] * touch->shape[l];
            if (s == 0.0 || is_held(ancf, touch->element, k) || is_held(ancf, touch->element, l))
                continue;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    h[3 * k + i][3 * l + j] = s * n[i][j];
        }
    rv_ancf_add_element(ancf, slots, touch->element, h);
}

void rv_touch_spread(const rvFeTouch* touch, rvVec3 force, double* x)
{
    const double c[3] = {force.x, force.y, force.z};
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i)
            x[6 * touch->element + 3 * k + i] += touch->shape[k] * c[i];
}
