// SPDX-License-Identifier: MIT
// The sides of contacts that a curve in a plane remembers, as they are saved: digits -1, 0, 1, 32 to a number.
#include "cable/curve/curve_kernel.h"

#include <string.h>

enum { TRITS = 32 };               // to a double: 3^32 < 2^53
#define NO_SIDES 926510094425920.0 // (3^32 - 1)/2: all digits are 1

static size_t packed_count(size_t count)
{
    return (count + TRITS - 1) / TRITS;
}

static size_t side_count(const rvCurve* curve, bool own)
{
    const rvPlaneContacts* c = &curve->plane->motion.contacts;
    size_t n = (size_t)c->intervals;
    if (own)
        return c->itself ? n * n : 0;
    return ((size_t)c->obstacleCount + (c->itself ? 2 : 0)) * n;
}

// Sides -1, 0, 1 as digits of numbers. Most are 0.
static void pack(const int8_t* sides, size_t count, uint8_t* out)
{
    static const int8_t none[TRITS];
    for (size_t i = 0; i < packed_count(count); ++i) {
        bool any = (i + 1) * TRITS > count || memcmp(sides + i * TRITS, none, TRITS) != 0;
        double sum = any ? 0.0 : NO_SIDES;
        for (size_t k = any ? TRITS : 0; k-- > 0;)
            sum = 3.0 * sum + (i * TRITS + k < count ? sides[i * TRITS + k] + 1 : 1);
        memcpy(out + i * sizeof sum, &sum, sizeof sum);
    }
}

static void unpack(const uint8_t* in, size_t count, int8_t* sides)
{
    for (size_t i = 0; i < packed_count(count); ++i) {
        double left;
        memcpy(&left, in + i * sizeof left, sizeof left);
        left = fmin(fmax(floor(left), 0.0), 1853020188851840.0); // 3^32 - 1
        for (size_t k = 0; k < TRITS; ++k) {
            double next = floor(left / 3.0);
            if (i * TRITS + k < count)
                sides[i * TRITS + k] = (int8_t)(left - 3.0 * next - 1.0);
            left = next;
        }
    }
}

void rv_plane_curve_visit_sides(rvCurve* curve, rvVisitor* v)
{
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    size_t count = side_count(curve, false), own = side_count(curve, true), at = packed_count(count) * sizeof(double);
    if (v->kind == RV_VISIT_WRITE) {
        pack(contacts->sides, count, v->to);
        pack(contacts->ownSides, own, v->to + at);
    }
    if (v->kind == RV_VISIT_READ) {
        unpack(v->from, count, contacts->sides);
        unpack(v->from + at, own, contacts->ownSides);
    }
    rv_visit_gap(v, at + packed_count(own) * sizeof(double));
}
