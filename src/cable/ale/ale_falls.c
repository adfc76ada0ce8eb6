// SPDX-License-Identifier: MIT
// Falls that come and go: a place is put into a fall, or taken out from between two.
//
// Cut: an element is split where the place is, every field stays the same cubic, the flow at the place is that of the
// mesh there: mass, momentum, energy and tension are kept to rounding (but where a short rest of the element becomes
// one with the next, see ale_mesh.c). Rope that the place takes on its arc is left out of both falls.
//
// Join: two meshes become one with g = 1. Shape and motion of the rope stay: the mesh moves along it otherwise, by
//   dv = (df/g) dr/dlambda,  df what the rate of its flow differs by at each node.
// The node between them has the mean of the two ends, by the lengths of the elements beside it: slopes, and how fast
// they turn, bulge an element by its length. Rope that lay on the place is an element of its own, or, where it is
// short, stretches the mesh.
#include "cable/ale/ale_parts.h"

#define CRUMB 0.3 // of the element beside it

enum { VECTORS = 6 };

static void list_vectors(const rvAncf* cable, double* vectors[VECTORS])
{
    double* all[VECTORS] = {cable->q, cable->v, cable->a, cable->at, cable->qOld, cable->vOld};
    memcpy(vectors, all, sizeof all);
}

static int read_lengths(const rvAleFall* fall, double* lengths)
{
    for (int e = 0; e < fall->ancf->elementCount; e++)
        lengths[e] = fall->elements[e].length;
    return fall->ancf->elementCount;
}

static void let_ends_go(rvAle* ale)
{
    for (int f = 0; f < ale->fallCount; f++)
        for (int end = 0; end < 2; end++)
            rv_ale_let_go(ale, f, end);
}

void rv_ale_set_falls(rvAle* ale, int count)
{
    ale->fallCount = count;
    ale->placeCount = count + 1;
    rv_ale_join_flows(ale);
}

static void copy_fall(rvAle* ale, int from, int to)
{
    const rvAleFall* a = &ale->falls[from];
    rvAleFall* b = &ale->falls[to];
    double lengths[RV_ALE_MESH];
    int count = read_lengths(a, lengths);
    rv_ale_lay_mesh(ale, to, lengths, count);
    memcpy(b->ancf->state, a->ancf->state, (size_t)a->ancf->stateCount * sizeof(double));
    for (int end = 0; end < 2; end++) {
        b->load[end] = a->load[end];
        b->gripped[end] = a->gripped[end];
    }
    b->friction = a->friction;
    b->slow = a->slow;
}

// Places from `at` on move on by one (more = 1), or those after it back (-1); arcs lie behind the places.
static void move_places(rvAle* ale, int at, int more)
{
    int n = ale->placeCount;
    for (int i = 0; i < RV_ALE_VECTORS; i++) {
        double* x = ale->flow[i];
        double old[2 * (RV_ALE_MAX_FALLS + 1)];
        memcpy(old, x, 2 * (size_t)n * sizeof(double));
        memset(x, 0, 2 * (size_t)(ale->fallRoom + 1) * sizeof(double));
        for (int part = 0; part < 2; part++)
            for (int j = 0; j < n; j++) {
                int to = j >= at ? j + more : j;
                if (!(more < 0 && j == at))
                    x[part * (n + more) + to] = old[part * n + j];
            }
    }
    rv_ale_set_falls(ale, ale->fallCount + more);
}

// The mesh of a fall in lengths of rope: g = 1.
static void scale_mesh(rvAle* ale, int f)
{
    const rvAleFall* fall = &ale->falls[f];
    double g = rv_ale_fall_length(ale, f) / fall->mesh, lengths[RV_ALE_MESH], *vectors[VECTORS];
    int count = read_lengths(fall, lengths);
    for (int e = 0; e < count; e++)
        lengths[e] *= g;
    list_vectors(fall->ancf, vectors);
    for (int k = 0; k < VECTORS; k++)
        for (int n = 0; n <= count; n++)
            for (int c = 3; c < 6; c++)
                vectors[k][6 * n + c] /= g;
    rv_ale_lay_mesh(ale, f, lengths, count);
}

// d2r/dlambda2 at a node, the mean of both sides.
static void second_at(const rvAncf* cable, int n, double out[3])
{
    int sides = 0;
    memset(out, 0, 3 * sizeof(double));
    for (int e = n - 1; e <= n; e++)
        if (e >= 0 && e < cable->elementCount) {
            double s[4], x[3];
            rv_ancf_shape_bend(e < n ? 1.0 : 0.0, cable->places[e + 1] - cable->places[e], s);
            rv_ancf_blend(cable->q, e, s, x);
            for (int c = 0; c < 3; c++)
                out[c] += x[c];
            sides++;
        }
    for (int c = 0; c < 3; c++)
        out[c] /= sides;
}

void rv_ale_lead_mesh(rvAle* ale, int f, double first, double last)
{
    const rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    double per = fall->mesh / rv_ale_fall_length(ale, f);
    for (int n = 0; n < cable->nodeCount; n++) {
        double more = per * (first + (last - first) * cable->places[n] / fall->mesh), second[3];
        second_at(cable, n, second);
        for (int c = 0; c < 3; c++) {
            double d = cable->q[6 * n + 3 + c];
            cable->v[6 * n + c] += more * d;
            cable->v[6 * n + 3 + c] += per * (last - first) / fall->mesh * d + more * second[c];
        }
    }
}

// An element of a fall ends at `at` along its mesh; answers its last node. Two others become one where there is no
// room.
static int part_at(rvAle* ale, int f, double at)
{
    const rvAleFall* fall = &ale->falls[f];
    const rvAncf* cable = fall->ancf;
    if (cable->elementCount == fall->room)
        rv_ale_merge(ale, f, at < 0.5 * fall->mesh ? cable->elementCount - 2 : 0);
    int e = 0;
    while (e + 1 < cable->elementCount && cable->places[e + 1] < at)
        e++;
    rv_ale_split_at(ale, f, e, (at - cable->places[e]) / (cable->places[e + 1] - cable->places[e]));
    return e + 1;
}

// A cut may leave next to nothing of an element; that would shake in any step: it becomes one with the next.
static void merge_crumb(rvAle* ale, int f, int end)
{
    const rvAleFall* fall = &ale->falls[f];
    int count = fall->ancf->elementCount, e = end == RV_ALE_BEGIN ? 0 : count - 1;
    if (count > 1 && fall->elements[e].length < CRUMB * fall->elements[end == RV_ALE_BEGIN ? 1 : count - 2].length)
        rv_ale_merge(ale, f, end == RV_ALE_BEGIN ? 0 : count - 2);
}

bool rv_ale_cut(rvAle* ale, int f, double from, double to)
{
    rvAleFall* fall = &ale->falls[f];
    int count = fall->ancf->elementCount, arc = to > from ? 1 : 0;
    if (ale->fallCount == ale->fallRoom || fall->room < 4)
        return false;
    let_ends_go(ale);
    double lengths[RV_ALE_MESH], mesh = fall->mesh, *old[VECTORS], *vectors[VECTORS];
    int first = part_at(ale, f, from * mesh), second = arc ? part_at(ale, f, to * mesh) : first;
    if (arc && second <= first)
        second = first;
    for (int i = ale->fallCount - 1; i > f; i--)
        copy_fall(ale, i, i + 1);
    double g = rv_ale_fall_length(ale, f) / mesh, begin[RV_ALE_VECTORS], end[RV_ALE_VECTORS];
    for (int i = 0; i < RV_ALE_VECTORS; i++) {
        begin[i] = rv_ale_begin_of(ale, ale->flow[i], f);
        end[i] = rv_ale_end_of(ale, ale->flow[i], f);
    }
    move_places(ale, f + 1, 1);
    for (int i = 0; i < RV_ALE_VECTORS; i++)
        ale->flow[i][f + 1] = begin[i] + from * (end[i] - begin[i]);
    const int positions[2] = {RV_ALE_P, RV_ALE_OLD};
    for (int i = 0; i < 2 && arc; i++)
        ale->flow[positions[i]][ale->placeCount + f + 1] = g * (to - from) * mesh;
    count = read_lengths(fall, lengths);
    rv_ale_lay_mesh(ale, f + 1, lengths + second, count - second);
    list_vectors(fall->ancf, old);
    list_vectors(ale->falls[f + 1].ancf, vectors);
    for (int k = 0; k < VECTORS; k++)
        memcpy(vectors[k], old[k] + 6 * second, 6 * (size_t)(count - second + 1) * sizeof(double));
    memcpy(ale->falls[f + 1].ancf->pulls, fall->ancf->pulls + (size_t)RV_ANCF_PULLS * second,
           RV_ANCF_PULLS * (size_t)(count - second) * sizeof(double));
    rv_ale_lay_mesh(ale, f, lengths, first);
    for (int i = f; i <= f + 1; i++)
        rv_ale_store_tensions(ale, i);
    merge_crumb(ale, f, RV_ALE_END);
    merge_crumb(ale, f + 1, RV_ALE_BEGIN);
    return true;
}

// The elements of two falls and those nodes that both share as one fall, the first; `between`: rope that lay on the
// place.
static void put_together(rvAle* ale, int f, double between)
{
    rvAleFall *a = &ale->falls[f], *b = &ale->falls[f + 1];
    double lengths[RV_ALE_MESH], *to[VECTORS], *from[VECTORS];
    int first = read_lengths(a, lengths), extra = between > 0.0 ? 1 : 0, nodes = b->ancf->nodeCount;
    lengths[first] = between;
    int count = first + extra + read_lengths(b, lengths + first + extra);
    double share = lengths[first + extra] / (lengths[first - 1] + lengths[first + extra]);
    list_vectors(a->ancf, to);
    list_vectors(b->ancf, from);
    for (int k = 0; k < VECTORS; k++) {
        double *at = to[k] + 6 * first, *next = from[k];
        if (!extra)
            for (int i = 0; i < 6; i++)
                at[i] += share * (next[i] - at[i]);
        memcpy(at + 6, next + (extra ? 0 : 6), 6 * (size_t)(nodes - !extra) * sizeof(double));
    }
    double *pulls = a->ancf->pulls + (size_t)RV_ANCF_PULLS * first, *next = b->ancf->pulls;
    for (int i = 0; i < RV_ANCF_PULLS && extra; i++)
        pulls[i] = 0.5 * (pulls[i - RV_ANCF_PULLS] + next[i]);
    memcpy(pulls + extra * RV_ANCF_PULLS, next, RV_ANCF_PULLS * (size_t)(count - first - extra) * sizeof(double));
    rv_ale_lay_mesh(ale, f, lengths, count);
}

void rv_ale_join(rvAle* ale, int j, double shortest)
{
    int f = j - 1;
    rvAleFall *a = &ale->falls[f], *b = &ale->falls[j];
    let_ends_go(ale);
    while (a->ancf->elementCount + b->ancf->elementCount + 1 > a->room) {
        int longer = a->ancf->elementCount > b->ancf->elementCount ? f : j;
        rv_ale_merge(ale, longer, 0);
    }
    double on = ale->flow[RV_ALE_P][ale->placeCount + j], *rate = ale->flow[RV_ALE_RATE];
    double before = rv_ale_fall_length(ale, f), all = before + on + rv_ale_fall_length(ale, j);
    double first = rv_ale_begin_of(ale, rate, f), last = rv_ale_end_of(ale, rate, j), slope = (last - first) / all;
    rv_ale_lead_mesh(ale, f, 0.0, first + slope * before - rv_ale_end_of(ale, rate, f));
    rv_ale_lead_mesh(ale, j, first + slope * (before + on) - rv_ale_begin_of(ale, rate, j), 0.0);
    scale_mesh(ale, f);
    scale_mesh(ale, j);
    put_together(ale, f, on > shortest ? on : 0.0);
    for (int i = j; i + 1 < ale->fallCount; i++)
        copy_fall(ale, i + 1, i);
    rvAleFall* spare = &ale->falls[ale->fallCount - 1];
    memset(spare->meshState, 0, (1 + (size_t)spare->room) * sizeof(double));
    move_places(ale, j, -1);
    rv_ale_store_tensions(ale, f);
}

void rv_ale_lay_falls(rvAle* ale, const rvAleFallDef* falls, int count)
{
    let_ends_go(ale);
    rv_ale_set_falls(ale, count);
    for (int i = 0; i < RV_ALE_VECTORS; i++)
        memset(ale->flow[i], 0, 2 * (size_t)(ale->fallRoom + 1) * sizeof(double));
    for (int f = 0; f < ale->fallRoom; f++) {
        rvAleFall* fall = &ale->falls[f];
        double lengths[RV_ALE_MESH];
        for (int e = 0; f < count && e < falls[f].elementCount; e++)
            lengths[e] = falls[f].length / falls[f].elementCount;
        if (f < count) {
            rv_ale_lay_mesh(ale, f, lengths, falls[f].elementCount);
            ale->flow[RV_ALE_P][f + 1] = ale->flow[RV_ALE_P][f] + falls[f].length;
        } else
            memset(fall->meshState, 0, (1 + (size_t)fall->room) * sizeof(double));
    }
}
