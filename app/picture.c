// SPDX-License-Identifier: MIT
// Orthographic view from the front, a little from the left and above. Triangles that face us are painted from far to near, cables
// over them, so that a thin rope is always seen. The ground is not part of the frame: it fills what it meets.
#include "picture.h"

#include "event.h"
#include "surface.h"

#include <errno.h>
#include <stdlib.h>

enum { WIDTH = 960, HEIGHT = 640, MARGIN = 40, LEGEND = 60, COLOURS = 6 };

typedef struct {
    double x, y, depth;
} Spot;

typedef struct {
    Spot corners[3];
    double depth, light;
    int body;
} Facet;

typedef struct {
    rvVec3 right, up, towards; // of the viewer
    Facet* facets;
    int facetCount, facetCapacity;
    double left, bottom, scale; // view units to pixels
    double low[2], high[2];     // frame of what is to be seen, in view units
    double tension;             // largest [N]
} View;

// From slack to the largest tension; told apart by lightness as well as by hue.
static const char* const colours[COLOURS] = {"#8a8f98", "#3b528b", "#21808c", "#35a96b", "#e0b31a", "#d1351b"};
// Bodies in turn: hue, saturation in percent.
static const int hues[][2] = {{210, 12}, {40, 75}, {205, 45}, {20, 65}, {15, 55}, {150, 35}};

static const int wheelHue[2] = {215, 10}; // and darker
enum { WHEEL = -1 };                      // in the place of a body

static View front_view(void)
{
    View view = {.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}};
    view.towards = rvNormalizeOr(rvVec(-0.45, -1.0, 0.28), rvVec(0, -1, 0));
    view.right = rvNormalizeOr(rvCross(rvVec(0, 0, 1), view.towards), rvVec(1, 0, 0));
    view.up = rvCross(view.towards, view.right);
    return view;
}

static Spot look(const View* view, rvVec3 p)
{
    Spot spot = {rvDot(view->right, p), rvDot(view->up, p), rvDot(view->towards, p)};
    return spot;
}

static void frame(View* view, Spot s)
{
    view->low[0] = fmin(view->low[0], s.x);
    view->low[1] = fmin(view->low[1], s.y);
    view->high[0] = fmax(view->high[0], s.x);
    view->high[1] = fmax(view->high[1], s.y);
}

static bool add_facet(View* view, const rvVec3 p[3], int body)
{
    rvVec3 normal = rvCross(rvSub(p[1], p[0]), rvSub(p[2], p[0]));
    normal = rvNormalizeOr(normal, view->towards);
    if (rvDot(normal, view->towards) <= 0.0)
        return true;
    if (view->facetCount == view->facetCapacity) {
        int larger = view->facetCapacity > 0 ? 2 * view->facetCapacity : 256;
        Facet* facets = realloc(view->facets, (size_t)larger * sizeof *facets);
        if (!facets)
            return false;
        view->facets = facets;
        view->facetCapacity = larger;
    }
    rvVec3 sun = rvNormalizeOr(rvVec(-0.3, -0.5, 0.8), normal);
    Facet* facet = &view->facets[view->facetCount++];
    *facet = (Facet){.body = body, .light = 0.45 + 0.55 * fmax(0.0, rvDot(normal, sun))};
    for (int i = 0; i < 3; ++i) {
        facet->corners[i] = look(view, p[i]);
        facet->depth += facet->corners[i].depth / 3.0;
        frame(view, facet->corners[i]);
    }
    return true;
}

static bool add_shape(View* view, const rvShapeDef* shape, rvPose pose, int body)
{
    rvSurface surface;
    if (!rv_surface_make(&surface, shape))
        return false;
    bool room = true;
    for (int t = 0; room && t < surface.triangleCount; ++t) {
        rvVec3 p[3];
        for (int i = 0; i < 3; ++i)
            p[i] = rvPosePoint(pose, surface.points[surface.triangles[3 * t + i]]);
        room = add_facet(view, p, body);
    }
    rv_surface_release(&surface);
    return room;
}

// Sheaves and drums, as disks.
static bool add_wheels(View* view, const rvScene* scene, const rvWorld* world, int cable)
{
    for (int i = 0; i < rvScene_GetPlaceCount(scene, cable); ++i) {
        rvPlaceDef place;
        int body;
        if (!rvScene_GetPlace(scene, cable, i, &place, &body))
            continue;
        bool drum = place.type == RV_PLACE_WINCH;
        if ((place.type != RV_PLACE_SHEAVE && !drum) || !(place.wheel.radius > 0.0))
            continue;
        rvShapeDef disk = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        disk.radius = place.wheel.radius;
        disk.length = fmax(drum ? place.winch.width : 0.0, drum ? disk.radius : 0.3 * disk.radius);
        disk.frame.p = place.point;
        disk.frame.q = rvQuatBetween(rvVec(0, 0, 1), rvNormalizeOr(place.wheel.axis, rvVec(0, 1, 0)));
        rvPose pose = body >= 0 ? rvBody_GetPose(world, rvScene_GetBody(scene, body)) : rvPoseIdentity();
        if (!add_shape(view, &disk, pose, WHEEL))
            return false;
    }
    return true;
}

static bool collect(View* view, const rvScene* scene, const rvWorld* world)
{
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body) {
        rvPose pose = rvBody_GetPose(world, rvScene_GetBody(scene, body));
        for (int i = 0; i < rvScene_GetShapeCount(scene, body); ++i) {
            const rvShapeDef* shape = rvScene_GetShape(scene, body, i);
            if (shape->type != RV_SHAPE_PLANE && !add_shape(view, shape, pose, body))
                return false;
        }
    }
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c) {
        rvCableId id = rvScene_GetCable(scene, c);
        if (!add_wheels(view, scene, world, c))
            return false;
        for (int i = 0; i < rvCable_GetPlaceCount(world, id); ++i)
            view->tension = fmax(view->tension, rvCable_GetTension(world, id, i));
        int count = rvCable_GetShape(world, id, NULL, 0);
        rvVec3* points = calloc((size_t)count + 1, sizeof *points);
        if (!points)
            return false;
        rvCable_GetShape(world, id, points, count);
        for (int i = 0; i < count; ++i)
            frame(view, look(view, points[i]));
        free(points);
    }
    return true;
}

static void fit(View* view)
{
    if (!(view->low[0] <= view->high[0])) {
        view->low[0] = view->low[1] = -1.0;
        view->high[0] = view->high[1] = 1.0;
    }
    double w = fmax(view->high[0] - view->low[0], 0.1), h = fmax(view->high[1] - view->low[1], 0.1);
    view->scale = fmin((WIDTH - 2 * MARGIN) / w, (HEIGHT - 2 * MARGIN - LEGEND) / h);
    view->left = 0.5 * (WIDTH - view->scale * w) - view->scale * view->low[0];
    view->bottom = HEIGHT - LEGEND - MARGIN + view->scale * view->low[1];
}

static double pixel_x(const View* view, double x)
{
    return view->left + view->scale * x;
}

static double pixel_y(const View* view, double y)
{
    return view->bottom - view->scale * y;
}

static int far_first(const void* a, const void* b)
{
    double d = ((const Facet*)a)->depth - ((const Facet*)b)->depth;
    return (d > 0.0) - (d < 0.0);
}

static void paint_bodies(FILE* file, View* view)
{
    if (view->facetCount > 0) // qsort refuses NULL, which a scene without shapes has
        qsort(view->facets, (size_t)view->facetCount, sizeof *view->facets, far_first);
    for (int i = 0; i < view->facetCount; ++i) {
        const Facet* f = &view->facets[i];
        const int* hue = f->body == WHEEL ? wheelHue : hues[(size_t)f->body % (sizeof hues / sizeof hues[0])];
        int light = (int)((f->body == WHEEL ? 12.0 : 30.0) + 42.0 * f->light);
        fprintf(file,
                "<path d='M%.1f %.1fL%.1f %.1fL%.1f %.1fZ' fill='hsl(%d,%d%%,%d%%)' stroke='hsl(%d,%d%%,%d%%)' "
                "stroke-width='.6'/>\n",
                pixel_x(view, f->corners[0].x), pixel_y(view, f->corners[0].y), pixel_x(view, f->corners[1].x),
                pixel_y(view, f->corners[1].y), pixel_x(view, f->corners[2].x), pixel_y(view, f->corners[2].y), hue[0],
                hue[1], light, hue[0], hue[1], light);
    }
}

static const char* colour_of(const View* view, double tension)
{
    if (!(tension > 0.0) || !(view->tension > 0.0))
        return colours[0];
    int step = 1 + (int)(tension / view->tension * (COLOURS - 1));
    return colours[step < COLOURS ? step : COLOURS - 1];
}

static void paint_cables(FILE* file, const View* view, const rvScene* scene, const rvWorld* world)
{
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c) {
        rvCableId id = rvScene_GetCable(scene, c);
        if (rvCable_IsBroken(world, id))
            continue;
        int count = rvCable_GetShape(world, id, NULL, 0);
        rvVec3* points = calloc((size_t)count + 1, sizeof *points);
        if (!points)
            continue;
        rvCable_GetShape(world, id, points, count);
        double most = 0.0;
        for (int i = 0; i + 1 < rvCable_GetPlaceCount(world, id); ++i)
            most = fmax(most, rvCable_GetTension(world, id, i));
        fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='1.8' points='", colour_of(view, most));
        for (int i = 0; i < count; ++i) {
            Spot s = look(view, points[i]);
            fprintf(file, "%.1f,%.1f ", pixel_x(view, s.x), pixel_y(view, s.y));
        }
        fputs("'/>\n", file);
        free(points);
    }
}

static void paint_ground(FILE* file, const View* view, const rvScene* scene)
{
    for (int body = 0; body < rvScene_GetBodyCount(scene); ++body)
        for (int i = 0; i < rvScene_GetShapeCount(scene, body); ++i) {
            const rvShapeDef* shape = rvScene_GetShape(scene, body, i);
            if (shape->type != RV_SHAPE_PLANE)
                continue;
            // seen from above, the ground reaches from its far edge down
            double reach = view->high[0] - view->low[0];
            Spot far = look(view, rvMulAdd(rvVec(0, 0, shape->frame.p.z), -0.7 * reach, rvVec(0, -1, 0)));
            double y = fmin(fmax(pixel_y(view, far.y), 0.0), HEIGHT);
            fprintf(file, "<rect y='%.1f' width='%d' height='%.1f' fill='#dfe3dc'/>\n", y, WIDTH, HEIGHT - y);
            return;
        }
}

static void paint_legend(FILE* file, const View* view, const rvWorld* world, const char* title)
{
    fprintf(file, "<g font-family='sans-serif' font-size='14' fill='#222'><text x='%d' y='%d'>", MARGIN, HEIGHT - 42);
    for (const char* p = title; *p; ++p) {
        if (*p == '<')
            fputs("&lt;", file);
        else if (*p == '&')
            fputs("&amp;", file);
        else
            fputc(*p, file);
    }
    fprintf(file, "</text><text x='%d' y='%d' fill='#555'>t = %.2f s</text>\n", MARGIN, HEIGHT - 20,
            rvWorld_GetTime(world));
    for (int i = 1; i < COLOURS; ++i)
        fprintf(file, "<rect x='%d' y='%d' width='40' height='10' fill='%s'/>", WIDTH - 260 + 40 * i, HEIGHT - 52,
                colours[i]);
    fprintf(file, "\n<text x='%d' y='%d'>0</text><text x='%d' y='%d' text-anchor='end'>", WIDTH - 220, HEIGHT - 24,
            WIDTH - 20, HEIGHT - 24);
    rv_print_quantity(file, view->tension, "N");
    fprintf(file, "</text>\n<text x='%d' y='%d' text-anchor='middle'>tension</text></g>\n", WIDTH - 120, HEIGHT - 24);
}

bool rv_picture_print(FILE* file, const rvScene* scene, const rvWorld* world)
{
    View view = front_view();
    if (!collect(&view, scene, world)) {
        free(view.facets);
        errno = ENOMEM;
        return false;
    }
    fit(&view);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n"
            "<rect width='%d' height='%d' fill='#f3f6fa'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    paint_ground(file, &view, scene);
    paint_bodies(file, &view);
    paint_cables(file, &view, scene, world);
    paint_legend(file, &view, world, rvScene_GetTitle(scene));
    fputs("</svg>\n", file);
    free(view.facets);
    return true;
}

bool rv_picture_write(const char* path, const rvScene* scene, const rvWorld* world)
{
    FILE* file = fopen(path, "w");
    if (!file)
        return false;
    bool written = rv_picture_print(file, scene, world) && !ferror(file);
    return fclose(file) == 0 && written;
}
