// SPDX-License-Identifier: MIT
#include "cable/curve/passage.h"

#include "math/root.h"

#include <math.h>

#define CORNER 1e-9    // of a chord: what meets at the end of one counts for both
#define PARALLEL 1e-24 // square of the sine between two chords that have no volume
#define NOTHING 1e-14  // of the largest term of a volume: it is rounding

// Two chords: where they are, and how they move on.
typedef struct {
    rvVec3 a[2], first[2], second[2]; // b - a, A, B: at t = 0, and by how much they change
    double volume[4];                 // coefficients in t
    double from, to;                  // of a piece of t
    bool flat;                        // a point, which is the second, and a chord of one plane
} Pair;

static double triple(rvVec3 a, rvVec3 b, rvVec3 c)
{
    return rvDot(rvCross(a, b), c);
}

static double volume(const Pair* pair, double t)
{
    const double* c = pair->volume;
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

static double volume_in(const void* context, double u)
{
    const Pair* pair = context;
    return volume(pair, pair->from + u * (pair->to - pair->from));
}

// Coefficients of the volume, or of the area; false: it is of one sign.
static bool find_volume(Pair* pair)
{
    double* c = pair->volume;
    double most = 0.0;
    for (int i = 0; i < 4; ++i)
        c[i] = 0.0;
    for (int i = 0; i < (pair->flat ? 4 : 8); ++i) {
        rvVec3 first = pair->first[i & 1];
        double part =
            pair->flat ? rvCross(first, pair->a[i >> 1]).z : triple(first, pair->second[i >> 1 & 1], pair->a[i >> 2]);
        c[(i & 1) + (i >> 1 & 1) + (i >> 2)] += part;
        most = fmax(most, fabs(part));
    }
    // its polygon of Bezier
    double b[4] = {c[0], c[0] + c[1] / 3.0, c[0] + (2.0 * c[1] + c[2]) / 3.0, c[0] + c[1] + c[2] + c[3]};
    double low = fmin(fmin(b[0], b[1]), fmin(b[2], b[3])), high = fmax(fmax(b[0], b[1]), fmax(b[2], b[3]));
    return low < 0.0 && high > 0.0 && high - low > NOTHING * most;
}

static bool is_within(double share)
{
    return share >= -CORNER && share <= 1.0 + CORNER;
}

// Where the two meet at t, as shares of them; false: they do not.
static bool meet(const Pair* pair, double t, double share[2], rvVec3* normal)
{
    rvVec3 a = rvMulAdd(pair->first[0], t, pair->first[1]), b = rvMulAdd(pair->second[0], t, pair->second[1]);
    rvVec3 d = rvMulAdd(pair->a[0], t, pair->a[1]);
    if (pair->flat) {
        *normal = rvVec(-a.y, a.x, 0.0);
        share[0] = rvDot(d, a) / rvDot(a, a);
        share[1] = 0.0;
        return is_within(share[0]);
    }
    *normal = rvCross(a, b);
    double whole = rvDot(*normal, *normal);
    if (!(whole > PARALLEL * rvDot(a, a) * rvDot(b, b)))
        return false;
    share[0] = triple(d, b, *normal) / whole;
    share[1] = triple(d, a, *normal) / whole;
    return is_within(share[0]) && is_within(share[1]);
}

// Extremes of the volume within 0..1, in order.
static int find_extremes(const Pair* pair, double at[2])
{
    double a = 3.0 * pair->volume[3], b = pair->volume[2], c = pair->volume[1], root = b * b - a * c;
    int count = 0;
    if (!(root > 0.0))
        return 0;
    double w = -(b + copysign(sqrt(root), b)), x[2] = {w / a, c / w}; // a x^2 + 2 b x + c, without cancellation
    for (int i = 0; i < 2; ++i)
        if (x[i] > 0.0 && x[i] < 1.0)
            at[count++] = x[i];
    if (count == 2 && at[0] > at[1]) {
        at[0] = x[1];
        at[1] = x[0];
    }
    return count;
}

// Do they go through each other, and not back?
static bool cross(Pair* pair, double share[2], rvVec3* out)
{
    double ends[4] = {0.0};
    int met = 0, pieces = 1;
    if (!find_volume(pair))
        return false;
    pieces += find_extremes(pair, ends + 1);
    ends[pieces] = 1.0;
    for (int i = 0; i < pieces; ++i) {
        pair->from = ends[i];
        pair->to = ends[i + 1];
        double first = volume(pair, pair->from), last = volume(pair, pair->to), there[2];
        rvVec3 normal;
        if ((first < 0.0) == (last < 0.0))
            continue;
        double t = pair->from + rv_root_between(volume_in, pair, first, last) * (pair->to - pair->from);
        if (!meet(pair, t, there, &normal))
            continue;
        if (met++ == 0) {
            share[0] = fmin(fmax(there[0], 0.0), 1.0);
            share[1] = fmin(fmax(there[1], 0.0), 1.0);
            *out = rvNormalizeOr(first < 0.0 ? rvNeg(normal) : normal, normal);
        }
    }
    return met % 2 == 1;
}

// Two chords by their ends, before and after; flat: a chord and a point.
static Pair pair_of(const rvVec3* a, const rvVec3* a1, const rvVec3* b, const rvVec3* b1, bool flat)
{
    rvVec3 first = rvSub(a[1], a[0]), d = rvSub(b[0], a[0]);
    Pair pair = {
        .a = {d, rvSub(rvSub(b1[0], a1[0]), d)}, .first = {first, rvSub(rvSub(a1[1], a1[0]), first)}, .flat = flat};
    if (!flat) {
        pair.second[0] = rvSub(b[1], b[0]);
        pair.second[1] = rvSub(rvSub(b1[1], b1[0]), pair.second[0]);
    }
    return pair;
}

bool rv_find_passage(const rvVec3 from[2], const rvVec3 to[2], const rvVec3 axisFrom[2], const rvVec3 axisTo[2],
                     double* at, rvVec3* out)
{
    Pair pair = pair_of(axisFrom, axisTo, from, to, false);
    double share[2] = {0.0, 0.0};
    bool through = cross(&pair, share, out);
    *at = share[1];
    return through;
}

void rv_passage_find_boxes(const rvVec3* from, const rvVec3* to, int count, rvSpaceBox* boxes)
{
    rvSpaceBox* blocks = boxes + count - 1;
    for (int i = 0; i < count - 1; ++i) {
        rvSpaceBox* block = blocks + i / RV_PASSAGE_BLOCK;
        rvSpaceBox box = rv_space_box_with((rvSpaceBox){from[i], from[i]}, from[i + 1]);
        boxes[i] = rv_space_box_with(rv_space_box_with(box, to[i]), to[i + 1]);
        *block = i % RV_PASSAGE_BLOCK == 0 ? boxes[i] : rv_space_box_both(*block, boxes[i]);
    }
}

int rv_passage_boxes(int count)
{
    return count + count / RV_PASSAGE_BLOCK;
}

// Do chords from one to before another all go forwards along one direction, before and after? Then they do in between,
// too, and none of them can meet another.
static bool run_on(const rvVec3* from, const rvVec3* to, int first, int end)
{
    rvVec3 way = rvAdd(rvSub(from[end], from[first]), rvSub(to[end], to[first]));
    bool on = true;
    for (int i = first; i < end && on; ++i)
        on = rvDot(way, rvSub(from[i + 1], from[i])) > 0.0 && rvDot(way, rvSub(to[i + 1], to[i])) > 0.0;
    return on;
}

typedef struct {
    const rvVec3 *from, *to;
    int count;
    bool flat;
    double apart;
    rvPassage* found;
    int capacity, foundCount;
} Search;

static bool is_behind(const rvPassage* a, const rvPassage* b)
{
    return floor(a->at[0]) > floor(b->at[0]) || (floor(a->at[0]) == floor(b->at[0]) && a->at[1] > b->at[1]);
}

// They are kept in their order along the line.
static void keep(Search* search, rvPassage passage)
{
    if (passage.at[1] - passage.at[0] <= search->apart)
        return;
    int at = search->foundCount < search->capacity ? search->foundCount : search->capacity;
    for (; at > 0 && is_behind(&search->found[at - 1], &passage); --at)
        if (at < search->capacity)
            search->found[at] = search->found[at - 1];
    if (at < search->capacity)
        search->found[at] = passage;
    search->foundCount += 1;
}

// In a plane: point p and chord i.
static void look_at_point(Search* search, int p, int i)
{
    const rvVec3 *from = search->from, *to = search->to;
    Pair pair = pair_of(from + i, to + i, from + p, to + p, true);
    rvPassage passage;
    double share[2] = {0.0, 0.0};
    if (!cross(&pair, share, &passage.out))
        return;
    passage.at[p < i] = i + share[0];
    passage.at[p > i] = p;
    if (p < i)
        passage.out = rvNeg(passage.out);
    keep(search, passage);
}

static void look_at(Search* search, int i, int k)
{
    const rvVec3 *from = search->from, *to = search->to;
    if (search->flat) { // the first end of each chord; of the last one the other, too
        look_at_point(search, i, k);
        look_at_point(search, k, i);
        if (k + 2 == search->count)
            look_at_point(search, k + 1, i);
        return;
    }
    Pair pair = pair_of(from + i, to + i, from + k, to + k, false);
    rvPassage passage;
    double share[2] = {0.0, 0.0};
    if (!cross(&pair, share, &passage.out))
        return;
    passage.at[0] = i + share[0];
    passage.at[1] = k + share[1];
    keep(search, passage);
}

static int find_passages(Search search, const rvSpaceBox* boxes)
{
    const rvVec3 *from = search.from, *to = search.to;
    enum { BLOCK = RV_PASSAGE_BLOCK };
    int chords = search.count - 1;
    const rvSpaceBox* blocks = boxes + chords;
    for (int a = 0; a < chords; a += BLOCK)
        for (int b = a; b < chords; b += BLOCK) {
            int endA = a + BLOCK < chords ? a + BLOCK : chords, endB = b + BLOCK < chords ? b + BLOCK : chords;
            const rvSpaceBox *one = blocks + a / BLOCK, *two = blocks + b / BLOCK;
            if (b - a > BLOCK ? rv_space_boxes_apart(one, two) : run_on(from, to, a, endB))
                continue;
            for (int i = a; i < endA; ++i)
                for (int k = i + 2 > b ? i + 2 : b; !rv_space_boxes_apart(boxes + i, two) && k < endB; ++k)
                    if (!rv_space_boxes_apart(boxes + i, boxes + k))
                        look_at(&search, i, k);
        }
    return search.foundCount;
}

int rv_find_passages(const rvVec3* from, const rvVec3* to, int count, double apart, const rvSpaceBox* boxes,
                     rvPassage* found, int capacity)
{
    return find_passages((Search){from, to, count, false, apart, found, capacity, 0}, boxes);
}

int rv_find_flat_passages(const rvVec3* from, const rvVec3* to, int count, double apart, const rvSpaceBox* boxes,
                          rvPassage* found, int capacity)
{
    return find_passages((Search){from, to, count, true, apart, found, capacity, 0}, boxes);
}
