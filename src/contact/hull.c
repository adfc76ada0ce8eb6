// SPDX-License-Identifier: MIT
// The hull grows point by point from a tetrahedron: the point farthest outside any face is added, the triangles that
// see it go, and the rim of the hole is joined to it. Points closer to a face than `flat` are on it. In the end
// triangles in one plane are joined to one face, so that a box given by points has six faces of four corners.
#include "contact/hull.h"

#include <math.h>
#include <string.h>

enum { MAX_TRIANGLES = 2 * RV_HULL_MAX_POINTS, MAX_EDGES = 3 * MAX_TRIANGLES };

typedef struct {
    int v[3];
    rvVec3 normal;
    double offset;
    int face; // after joining; -1 before
} triangle;

typedef struct {
    const rvVec3* points;
    int pointCount;
    double flat; // points this close to a plane are on it [m]
    triangle triangles[MAX_TRIANGLES];
    int triangleCount;
    int edges[MAX_EDGES][2];
    int edgeCount;
    bool used[RV_HULL_MAX_POINTS];
} builder;

static bool add_triangle(builder* b, int i, int j, int k)
{
    if (b->triangleCount == MAX_TRIANGLES)
        return false;
    rvVec3 p = b->points[i];
    rvVec3 n = rvCross(rvSub(b->points[j], p), rvSub(b->points[k], p));
    triangle* t = &b->triangles[b->triangleCount++];
    *t = (triangle){{i, j, k}, rvNormalizeOr(n, rvVec(0, 0, 1)), 0.0, -1};
    t->offset = rvDot(t->normal, p);
    return true;
}

static double height(const triangle* t, rvVec3 p)
{
    return rvDot(t->normal, p) - t->offset;
}

// Four points that span a volume, or false.
static bool start(builder* b)
{
    const rvVec3* p = b->points;
    int v[4] = {0, 0, 0, 0};
    double best = 0.0;
    for (int i = 1; i < b->pointCount; ++i) {
        double d = rvDistance(p[i], p[0]);
        if (d > best) {
            best = d;
            v[1] = i;
        }
    }
    b->flat = 1e-9 * best;
    if (!(best > 0.0))
        return false;
    rvVec3 along = rvScale(1.0 / best, rvSub(p[v[1]], p[0]));
    best = 1e-6 * best;
    for (int i = 1; i < b->pointCount; ++i) {
        double d = rvLength(rvCross(along, rvSub(p[i], p[0])));
        if (d > best) {
            best = d;
            v[2] = i;
        }
    }
    if (v[2] == 0)
        return false;
    rvVec3 n = rvNormalizeOr(rvCross(along, rvSub(p[v[2]], p[0])), rvVec(0, 0, 1));
    best = 1e3 * b->flat;
    for (int i = 1; i < b->pointCount; ++i) {
        double d = fabs(rvDot(n, rvSub(p[i], p[0])));
        if (d > best) {
            best = d;
            v[3] = i;
        }
    }
    if (v[3] == 0)
        return false;
    if (rvDot(n, rvSub(p[v[3]], p[0])) > 0.0) {
        int swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
    return add_triangle(b, v[0], v[1], v[2]) && add_triangle(b, v[0], v[3], v[1]) &&
           add_triangle(b, v[1], v[3], v[2]) && add_triangle(b, v[2], v[3], v[0]);
}

// An edge seen once is the rim of the hole, an edge seen from both sides is gone.
static void toggle_edge(builder* b, int from, int to)
{
    for (int i = 0; i < b->edgeCount; ++i)
        if (b->edges[i][0] == to && b->edges[i][1] == from) {
            b->edgeCount -= 1;
            b->edges[i][0] = b->edges[b->edgeCount][0];
            b->edges[i][1] = b->edges[b->edgeCount][1];
            return;
        }
    b->edges[b->edgeCount][0] = from;
    b->edges[b->edgeCount][1] = to;
    b->edgeCount += 1;
}

static bool add_point(builder* b, int point)
{
    b->edgeCount = 0;
    int kept = 0;
    for (int i = 0; i < b->triangleCount; ++i) {
        triangle t = b->triangles[i];
        if (height(&t, b->points[point]) > b->flat) {
            for (int k = 0; k < 3; ++k)
                toggle_edge(b, t.v[k], t.v[(k + 1) % 3]);
        } else {
            b->triangles[kept++] = t;
        }
    }
    b->triangleCount = kept;
    for (int i = 0; i < b->edgeCount; ++i)
        if (!add_triangle(b, b->edges[i][0], b->edges[i][1], point))
            return false;
    return true;
}

// The point farthest outside; -1: all are inside.
static int farthest(const builder* b)
{
    int best = -1;
    double most = b->flat;
    for (int i = 0; i < b->pointCount; ++i)
        for (int k = 0; !b->used[i] && k < b->triangleCount; ++k) {
            double d = height(&b->triangles[k], b->points[i]);
            if (d > most) {
                most = d;
                best = i;
            }
        }
    return best;
}

static bool shares_edge(const triangle* s, const triangle* t)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (s->v[i] == t->v[(k + 1) % 3] && s->v[(i + 1) % 3] == t->v[k])
                return true;
    return false;
}

static bool in_plane(const builder* b, const triangle* plane, const triangle* t)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        most = fmax(most, fabs(height(plane, b->points[t->v[k]])));
    return most <= 100.0 * b->flat;
}

// Gives each triangle its face, growing from a seed over shared edges; answers how many faces there are.
static int join_faces(builder* b)
{
    int faceCount = 0;
    int grown[MAX_TRIANGLES];
    for (int seed = 0; seed < b->triangleCount; ++seed) {
        if (b->triangles[seed].face >= 0)
            continue;
        b->triangles[seed].face = faceCount;
        int count = 0;
        grown[count++] = seed;
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < b->triangleCount; ++k) {
                triangle* next = &b->triangles[k];
                if (next->face < 0 && shares_edge(&b->triangles[grown[i]], next) &&
                    in_plane(b, &b->triangles[seed], next)) {
                    next->face = faceCount;
                    grown[count++] = k;
                }
            }
        faceCount += 1;
    }
    return faceCount;
}

// The rim of a face as a loop of point indices; answers its length.
static int face_loop(builder* b, int face, int* loop)
{
    b->edgeCount = 0;
    for (int i = 0; i < b->triangleCount; ++i)
        for (int k = 0; b->triangles[i].face == face && k < 3; ++k)
            toggle_edge(b, b->triangles[i].v[k], b->triangles[i].v[(k + 1) % 3]);
    int count = 0;
    int at = loop[0] = b->edges[0][0];
    for (int step = 0; step < b->edgeCount; ++step) {
        loop[count++] = at;
        for (int i = 0; i < b->edgeCount; ++i)
            if (b->edges[i][0] == at) {
                at = b->edges[i][1];
                break;
            }
        if (at == loop[0])
            break;
    }
    return count;
}

// Newell's normal: robust for long thin faces.
static rvVec3 loop_normal(const rvVec3* points, const int* loop, int count)
{
    rvVec3 n = {0, 0, 0};
    for (int i = 0; i < count; ++i)
        n = rvAdd(
            n, rvCross(rvSub(points[loop[i]], points[loop[0]]), rvSub(points[loop[(i + 1) % count]], points[loop[0]])));
    return rvNormalizeOr(n, rvVec(0, 0, 1));
}

static void measure(rvHull* hull)
{
    hull->center = rvVec(0, 0, 0);
    for (int i = 0; i < hull->pointCount; ++i)
        hull->center = rvMulAdd(hull->center, 1.0 / hull->pointCount, hull->points[i]);
    hull->inradius = HUGE_VAL;
    for (int i = 0; i < hull->faceCount; ++i)
        hull->inradius = fmin(hull->inradius, hull->faces[i].offset - rvDot(hull->faces[i].normal, hull->center));
}

// The edges of all faces, each from its lower to its higher corner, with the face on the other side.
static void join_edges(rvHull* hull)
{
    hull->edgeCount = 0;
    for (int f = 0; f < hull->faceCount; ++f)
        for (int i = 0; i < hull->faces[f].count; ++i) {
            const int* loop = hull->corners + hull->faces[f].first;
            int from = loop[i], to = loop[(i + 1) % hull->faces[f].count];
            if (from < to && hull->edgeCount < hull->cornerCount / 2)
                hull->edges[hull->edgeCount++] = (rvHullEdge){{from, to}, {f, f}};
        }
    for (int f = 0; f < hull->faceCount; ++f)
        for (int i = 0; i < hull->faces[f].count; ++i) {
            const int* loop = hull->corners + hull->faces[f].first;
            int from = loop[i], to = loop[(i + 1) % hull->faces[f].count];
            for (int e = 0; from > to && e < hull->edgeCount; ++e)
                if (hull->edges[e].points[0] == to && hull->edges[e].points[1] == from)
                    hull->edges[e].faces[1] = f;
        }
}

static rvHullResult write_hull(builder* b, rvHull* hull, rvMemory* memory)
{
    int faceCount = join_faces(b);
    int loop[MAX_EDGES];
    int total = 0;
    int place[RV_HULL_MAX_POINTS];
    memset(b->used, 0, sizeof b->used);
    for (int f = 0; f < faceCount; ++f) {
        int count = face_loop(b, f, loop);
        if (count < 3)
            return RV_HULL_FLAT; // a face without a rim: round-off joined all around it
        total += count;
        for (int i = 0; i < count; ++i)
            b->used[loop[i]] = true;
    }
    for (int i = 0; i < b->pointCount; ++i)
        if (b->used[i])
            place[i] = hull->pointCount++;
    hull->faceCount = faceCount;
    hull->cornerCount = total;
    hull->points = rv_memory_take(memory, (size_t)hull->pointCount * sizeof(rvVec3));
    hull->faces = rv_memory_take(memory, (size_t)faceCount * sizeof(rvHullFace));
    hull->corners = rv_memory_take(memory, (size_t)total * sizeof(int));
    hull->edges = rv_memory_take(memory, (size_t)total / 2 * sizeof(rvHullEdge));
    if (!hull->points || !hull->faces || !hull->corners || !hull->edges) {
        rv_hull_release(hull, memory);
        return RV_HULL_NO_MEMORY;
    }
    for (int i = 0; i < b->pointCount; ++i)
        if (b->used[i])
            hull->points[place[i]] = b->points[i];
    int first = 0;
    for (int f = 0; f < faceCount; ++f) {
        int count = face_loop(b, f, loop);
        rvHullFace* face = &hull->faces[f];
        *face = (rvHullFace){loop_normal(b->points, loop, count), 0.0, first, count};
        face->offset = rvDot(face->normal, b->points[loop[0]]);
        for (int i = 0; i < count; ++i)
            hull->corners[first + i] = place[loop[i]];
        first += count;
    }
    join_edges(hull);
    measure(hull);
    return RV_HULL_OK;
}

rvHullResult rv_hull_build(rvHull* hull, rvMemory* memory, const rvVec3* points, int pointCount)
{
    *hull = (rvHull){0};
    builder* b = rv_memory_take(memory, sizeof *b);
    if (!b)
        return RV_HULL_NO_MEMORY;
    b->points = points;
    b->pointCount = pointCount;
    rvHullResult result = RV_HULL_FLAT;
    if (start(b)) {
        bool fits = true;
        for (int next = farthest(b); fits && next >= 0; next = farthest(b)) {
            b->used[next] = true;
            fits = add_point(b, next);
        }
        result = fits ? write_hull(b, hull, memory) : RV_HULL_FLAT;
    }
    rv_memory_give(memory, b, sizeof *b);
    return result;
}

void rv_hull_release(rvHull* hull, rvMemory* memory)
{
    rv_memory_give(memory, hull->points, (size_t)hull->pointCount * sizeof(rvVec3));
    rv_memory_give(memory, hull->faces, (size_t)hull->faceCount * sizeof(rvHullFace));
    rv_memory_give(memory, hull->corners, (size_t)hull->cornerCount * sizeof(int));
    rv_memory_give(memory, hull->edges, (size_t)hull->cornerCount / 2 * sizeof(rvHullEdge));
    *hull = (rvHull){0};
}
