// SPDX-License-Identifier: MIT
// Shapes as triangles. Round shapes are rings of points about z, joined by strips.
#include "output/surface.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { AROUND = 24, HALF_RINGS = 6, HULL_MAX = 64 };

static bool reserve(rvSurface* s, int points, int triangles)
{
    s->points = malloc((size_t)points * sizeof *s->points);
    s->triangles = malloc(3 * (size_t)triangles * sizeof *s->triangles);
    if (s->points && s->triangles)
        return true;
    rv_surface_release(s);
    return false;
}

static int add_point(rvSurface* s, rvVec3 p)
{
    s->points[s->pointCount] = p;
    return s->pointCount++;
}

static void add_triangle(rvSurface* s, int a, int b, int c)
{
    int* t = s->triangles + 3 * s->triangleCount++;
    t[0] = a, t[1] = b, t[2] = c;
}

// Rings of radius r[i] at height z[i], from the bottom to the top, closed by a point at each end.
static bool make_rings(rvSurface* s, const double* r, const double* z, int rings)
{
    if (!reserve(s, rings * AROUND + 2, 2 * AROUND * rings))
        return false;
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < AROUND; ++k) {
            double angle = 2.0 * PI * k / AROUND;
            add_point(s, rvVec(r[i] * cos(angle), r[i] * sin(angle), z[i]));
        }
    }
    int bottom = add_point(s, rvVec(0, 0, z[0])), top = add_point(s, rvVec(0, 0, z[rings - 1]));
    for (int k = 0; k < AROUND; ++k) {
        int next = (k + 1) % AROUND;
        add_triangle(s, bottom, next, k);
        for (int i = 0; i + 1 < rings; ++i) {
            int low = i * AROUND, high = low + AROUND;
            add_triangle(s, low + k, low + next, high + next);
            add_triangle(s, low + k, high + next, high + k);
        }
        add_triangle(s, top, (rings - 1) * AROUND + k, (rings - 1) * AROUND + next);
    }
    return true;
}

// A ball, or with a length a capsule.
static bool make_ball(rvSurface* s, double radius, double length)
{
    double r[2 * HALF_RINGS + 2], z[2 * HALF_RINGS + 2];
    int count = 2 * HALF_RINGS + 2;
    for (int i = 0; i < count; ++i) {
        bool upper = i > HALF_RINGS;
        double angle = 0.5 * PI * ((upper ? i - 1 : i) - HALF_RINGS) / HALF_RINGS;
        r[i] = radius * cos(angle);
        z[i] = radius * sin(angle) + (upper ? 0.5 : -0.5) * length;
    }
    return make_rings(s, r, z, count);
}

static bool make_block(rvSurface* s, rvVec3 low, rvVec3 high)
{
    static const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    if (!reserve(s, 8, 12))
        return false;
    for (int i = 0; i < 8; ++i)
        add_point(s, rvVec(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z));
    for (int i = 0; i < 12; ++i)
        add_triangle(s, corners[i][0], corners[i][1], corners[i][2]);
    return true;
}

// Is the triangle a face: are all points on its inner side?
static bool is_face(const rvShapeDef* shape, int a, int b, int c)
{
    rvVec3 p = shape->points[a];
    rvVec3 normal = rvCross(rvSub(shape->points[b], p), rvSub(shape->points[c], p));
    double size = rvLength(normal);
    if (!(size > 0.0))
        return false;
    for (int i = 0; i < shape->pointCount; ++i)
        if (rvDot(normal, rvSub(shape->points[i], p)) > 1e-9 * size)
            return false;
    return true;
}

static bool make_hull(rvSurface* s, const rvShapeDef* shape)
{
    int n = shape->pointCount;
    rvVec3 low = shape->points[0], high = low;
    for (int i = 1; i < n; ++i) {
        rvVec3 p = shape->points[i];
        low = rvVec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = rvVec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    if (n > HULL_MAX)
        return make_block(s, low, high);
    if (!reserve(s, n, n * n * n / 3 + 1))
        return false;
    for (int i = 0; i < n; ++i)
        add_point(s, shape->points[i]);
    // each triangle once, by its smallest corner; both turning senses
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b)
            for (int c = a + 1; c < n; ++c)
                if (c != b && is_face(shape, a, b, c))
                    add_triangle(s, a, b, c);
    return true;
}

static bool make_mesh(rvSurface* s, const rvShapeDef* shape)
{
    if (!reserve(s, shape->pointCount, shape->triangleCount))
        return false;
    memcpy(s->points, shape->points, (size_t)shape->pointCount * sizeof *s->points);
    memcpy(s->triangles, shape->triangles, 3 * (size_t)shape->triangleCount * sizeof *s->triangles);
    s->pointCount = shape->pointCount;
    s->triangleCount = shape->triangleCount;
    return true;
}

static bool make_field(rvSurface* s, const rvShapeDef* shape)
{
    int columns = shape->columns, rows = shape->rows;
    if (!reserve(s, columns * rows, 2 * (columns - 1) * (rows - 1)))
        return false;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            add_point(s, rvVec(shape->fieldSize.x * ((double)i / (columns - 1) - 0.5),
                               shape->fieldSize.y * ((double)j / (rows - 1) - 0.5), shape->heights[j * columns + i]));
    for (int j = 0; j + 1 < rows; ++j) {
        for (int i = 0; i + 1 < columns; ++i) {
            int here = j * columns + i;
            add_triangle(s, here, here + 1, here + columns + 1);
            add_triangle(s, here, here + columns + 1, here + columns);
        }
    }
    return true;
}

static bool make_plane(rvSurface* s, const rvShapeDef* shape)
{
    (void)shape;
    if (!reserve(s, 4, 2))
        return false;
    for (int i = 0; i < 4; ++i)
        add_point(s, rvVec(i & 1 ? 50 : -50, i & 2 ? 50 : -50, 0));
    add_triangle(s, 0, 1, 3);
    add_triangle(s, 0, 3, 2);
    return true;
}

static bool make_sphere(rvSurface* s, const rvShapeDef* shape)
{
    return make_ball(s, shape->radius, 0.0);
}

static bool make_capsule(rvSurface* s, const rvShapeDef* shape)
{
    return make_ball(s, shape->radius, shape->length);
}

static bool make_cylinder(rvSurface* s, const rvShapeDef* shape)
{
    double half = 0.5 * shape->length;
    const double r[2] = {shape->radius, shape->radius}, z[2] = {-half, half};
    return make_rings(s, r, z, 2);
}

static bool make_box(rvSurface* s, const rvShapeDef* shape)
{
    return make_block(s, rvScale(-0.5, shape->sides), rvScale(0.5, shape->sides));
}

// Of each type of shape, in its own frame.
static bool (*const makers[])(rvSurface* s, const rvShapeDef* shape) = {
    [RV_SHAPE_PLANE] = make_plane,     [RV_SHAPE_SPHERE] = make_sphere,      [RV_SHAPE_BOX] = make_box,
    [RV_SHAPE_CAPSULE] = make_capsule, [RV_SHAPE_CYLINDER] = make_cylinder,  [RV_SHAPE_HULL] = make_hull,
    [RV_SHAPE_MESH] = make_mesh,       [RV_SHAPE_HEIGHT_FIELD] = make_field,
};

bool rv_surface_make(rvSurface* surface, const rvShapeDef* shape)
{
    memset(surface, 0, sizeof *surface);
    if (!makers[shape->type](surface, shape))
        return false;
    for (int i = 0; i < surface->pointCount; ++i)
        surface->points[i] = rvPosePoint(shape->frame, surface->points[i]);
    return true;
}

void rv_surface_release(rvSurface* surface)
{
    free(surface->points);
    free(surface->triangles);
    memset(surface, 0, sizeof *surface);
}
