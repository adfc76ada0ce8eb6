// SPDX-License-Identifier: MIT
// Orthographic view from the front, a little from the left and above. Triangles that face us are painted from far to
// near, cables over them, pale where a body hides them, so that a thin rope is always seen; dots are where they are
// held by the world. The ground is not part of the frame: it fills what it meets.
#include "output/picture.h"

#include "output/event.h"
#include "output/markup.h"
#include "output/picture_rope.h"
#include "output/surface.h"

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
    rvPictureRopes ropes;
    float* near; // by pixel: depth of the nearest facet
} View;

// From slack to the largest tension; which differ in lightness as well as in hue.
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

// Room for one more; NULL: no memory.
static Facet* new_facet(View* view)
{
    if (view->facetCount == view->facetCapacity) {
        int larger = view->facetCapacity > 0 ? 2 * view->facetCapacity : 256;
        Facet* facets = realloc(view->facets, (size_t)larger * sizeof *facets);
        if (!facets)
            return NULL;
        view->facets = facets;
        view->facetCapacity = larger;
    }
    return &view->facets[view->facetCount++];
}

static double middle_depth(const Facet* facet)
{
    return (facet->corners[0].depth + facet->corners[1].depth + facet->corners[2].depth) / 3.0;
}

static bool add_facet(View* view, const rvVec3 p[3], int body)
{
    rvVec3 normal = rvCross(rvSub(p[1], p[0]), rvSub(p[2], p[0]));
    normal = rvNormalizeOr(normal, view->towards);
    if (rvDot(normal, view->towards) <= 0.0)
        return true;
    Facet* facet = new_facet(view);
    if (!facet)
        return false;
    rvVec3 sun = rvNormalizeOr(rvVec(-0.3, -0.5, 0.8), normal);
    *facet = (Facet){.body = body, .light = 0.45 + 0.55 * fmax(0.0, rvDot(normal, sun))};
    for (int i = 0; i < 3; ++i) {
        facet->corners[i] = look(view, p[i]);
        frame(view, facet->corners[i]);
    }
    facet->depth = middle_depth(facet);
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
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c)
        if (!add_wheels(view, scene, world, c))
            return false;
    if (!rv_picture_ropes_make(&view->ropes, scene, world))
        return false;
    for (int c = 0; c < view->ropes.count; ++c)
        for (int i = 0; i < view->ropes.items[c].line.count; ++i)
            frame(view, look(view, view->ropes.items[c].line.points[i]));
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
    view->bottom = 0.5 * (HEIGHT - LEGEND + view->scale * h) + view->scale * view->low[1];
}

static Spot part_way(Spot a, Spot b, double s)
{
    return (Spot){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.depth + s * (b.depth - a.depth)};
}

// Facets are painted by the depth of their middles, which says little of a long one that leads away from us: halves it
// along its deepest edge until none reaches farther than 40 pixels.
static bool split_deep(View* view)
{
    for (int i = 0; i < view->facetCount;) {
        Facet whole = view->facets[i];
        int deepest = 0;
        double depths[3];
        for (int k = 0; k < 3; ++k) {
            depths[k] = fabs(whole.corners[(k + 1) % 3].depth - whole.corners[k].depth);
            deepest = depths[k] > depths[deepest] ? k : deepest;
        }
        if (depths[deepest] * view->scale <= 40.0) {
            ++i;
            continue;
        }
        Facet* half = new_facet(view);
        if (!half)
            return false;
        Spot middle = part_way(whole.corners[deepest], whole.corners[(deepest + 1) % 3], 0.5);
        *half = whole;
        half->corners[deepest] = middle;
        view->facets[i].corners[(deepest + 1) % 3] = middle;
        half->depth = middle_depth(half);
        view->facets[i].depth = middle_depth(&view->facets[i]);
    }
    return true;
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
                "stroke-width='1.1' stroke-linejoin='round'/>\n",
                pixel_x(view, f->corners[0].x), pixel_y(view, f->corners[0].y), pixel_x(view, f->corners[1].x),
                pixel_y(view, f->corners[1].y), pixel_x(view, f->corners[2].x), pixel_y(view, f->corners[2].y), hue[0],
                hue[1], light, hue[0], hue[1], light);
    }
}

// The depth of the nearest facet at each pixel.
static bool find_near(View* view)
{
    view->near = malloc(sizeof *view->near * WIDTH * HEIGHT);
    for (int i = 0; view->near && i < WIDTH * HEIGHT; ++i)
        view->near[i] = -HUGE_VALF;
    for (int i = 0; view->near && i < view->facetCount; ++i) {
        double x[3], y[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = pixel_x(view, view->facets[i].corners[k].x);
            y[k] = pixel_y(view, view->facets[i].corners[k].y);
        }
        double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        int left = (int)fmin(x[0], fmin(x[1], x[2])), right = (int)fmax(x[0], fmax(x[1], x[2])) + 1;
        int top = (int)fmin(y[0], fmin(y[1], y[2])), bottom = (int)fmax(y[0], fmax(y[1], y[2])) + 1;
        for (int v = top; v <= bottom && area != 0.0; ++v)
            for (int u = left; u <= right; ++u) {
                double b = ((u - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (v - y[0])) / area;
                double c = ((x[1] - x[0]) * (v - y[0]) - (u - x[0]) * (y[1] - y[0])) / area;
                if (b < 0.0 || c < 0.0 || b + c > 1.0 || u < 0 || u >= WIDTH || v < 0 || v >= HEIGHT)
                    continue;
                const Spot* at = view->facets[i].corners;
                float depth = (float)(at[0].depth + b * (at[1].depth - at[0].depth) + c * (at[2].depth - at[0].depth));
                view->near[v * WIDTH + u] = fmaxf(view->near[v * WIDTH + u], depth);
            }
    }
    return view->near != NULL;
}

// A body lies between it and us, by more than a rope on its surface is off.
static bool is_hidden(const View* view, Spot s)
{
    int u = (int)lround(pixel_x(view, s.x)), v = (int)lround(pixel_y(view, s.y));
    bool seen = u >= 0 && u < WIDTH && v >= 0 && v < HEIGHT;
    return seen && (double)view->near[v * WIDTH + u] > s.depth + 4.0 / view->scale;
}

static const char* colour_of(const View* view, const rvPictureRope* rope, double tension)
{
    double low = view->ropes.low, range = view->ropes.high - low;
    if (!(range > 0.0) || rope->cut || (tension == 0.0 && !rope->bends))
        return colours[0];
    int step = 1 + (int)((tension - low) / range * (COLOURS - 1));
    return colours[step < COLOURS ? step : COLOURS - 1];
}

typedef struct {
    const char* colour;
    bool hidden;
} Stroke;

static void put_spot(FILE* file, const View* view, Spot s)
{
    fprintf(file, "%.1f,%.1f ", pixel_x(view, s.x), pixel_y(view, s.y));
}

// One stroke ends and the next begins.
static void change_stroke(FILE* file, const View* view, Stroke* last, Stroke stroke, bool cut, Spot at)
{
    if (last->colour) {
        put_spot(file, view, at);
        fputs("'/>\n", file);
    }
    fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='1.8'%s%s points='", stroke.colour,
            stroke.hidden ? " stroke-opacity='.35'" : "", cut ? " stroke-dasharray='5 4'" : "");
    put_spot(file, view, at);
    *last = stroke;
}

static void paint_rope(FILE* file, const View* view, const rvPictureRope* rope)
{
    Stroke last = {NULL, false};
    for (int i = 0; i + 1 < rope->line.count; ++i) {
        Spot a = look(view, rope->line.points[i]), b = look(view, rope->line.points[i + 1]);
        int parts = 1 + (int)(view->scale * hypot(b.x - a.x, b.y - a.y) / 3.0); // of three pixels
        for (int k = 0; k < parts; ++k) {
            Stroke stroke = {colour_of(view, rope, rope->tension[i]),
                             is_hidden(view, part_way(a, b, (k + 0.5) / parts))};
            if (stroke.colour != last.colour || stroke.hidden != last.hidden)
                change_stroke(file, view, &last, stroke, rope->cut, part_way(a, b, (double)k / parts));
        }
        put_spot(file, view, b);
    }
    if (last.colour)
        fputs("'/>\n", file);
}

// Where the world itself holds a rope there is no body to be seen.
static void paint_dots(FILE* file, const View* view, const rvScene* scene)
{
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c)
        for (int i = 0; i < rvScene_GetPlaceCount(scene, c); ++i) {
            rvPlaceDef place;
            int body;
            if (!rvScene_GetPlace(scene, c, i, &place, &body) || body >= 0 || place.type == RV_PLACE_FREE ||
                place.type == RV_PLACE_SHEAVE || (place.type == RV_PLACE_WINCH && place.wheel.radius > 0.0))
                continue;
            Spot s = look(view, place.point);
            fprintf(file, "<circle cx='%.1f' cy='%.1f' r='3.2' fill='#444'/>\n", pixel_x(view, s.x),
                    pixel_y(view, s.y));
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

// From the least tension, 0 where none presses, to the largest; slack is grey.
static void paint_scale(FILE* file, const rvPictureRopes* ropes)
{
    bool slack = !(ropes->high > ropes->low);
    for (int i = slack ? COLOURS - 1 : 1; i < COLOURS; ++i)
        fprintf(file, "<rect x='%d' y='%d' width='40' height='10' fill='%s'/>", WIDTH - MARGIN + 40 * (i - COLOURS),
                HEIGHT - 52, colours[slack ? 0 : i]);
    fprintf(file, "\n<text x='%d' y='%d' text-anchor='end'>", WIDTH - MARGIN - (slack ? 50 : 210), HEIGHT - 42);
    fputs(slack ? "slack</text>" : ropes->low < 0.0 ? "pressure to tension</text>" : "tension</text>", file);
    for (int end = 0; end < 2 && !slack; ++end) {
        fprintf(file, "<text x='%d' y='%d'%s>", WIDTH - MARGIN - (end ? 0 : 200), HEIGHT - 24,
                end ? " text-anchor='end'" : "");
        rv_print_quantity(file, end ? ropes->high : ropes->low, "N");
        fputs("</text>", file);
    }
    fputc('\n', file);
}

static void paint_legend(FILE* file, const View* view, const rvWorld* world, const char* title)
{
    fprintf(file, "<g font-family='sans-serif' font-size='14' fill='#222'><text x='%d' y='%d'>", MARGIN, HEIGHT - 42);
    rv_markup_text(file, title);
    fprintf(file, "</text><text x='%d' y='%d' fill='#555'>t = %.2f s</text>\n", MARGIN, HEIGHT - 20,
            rvWorld_GetTime(world));
    if (view->ropes.count > 0)
        paint_scale(file, &view->ropes);
    fputs("</g>\n", file);
}

static void release(View* view)
{
    rv_picture_ropes_release(&view->ropes);
    free(view->facets);
    free(view->near);
}

bool rv_picture_print(FILE* file, const rvScene* scene, const rvWorld* world)
{
    View view = front_view();
    bool made = collect(&view, scene, world);
    if (made) {
        fit(&view);
        made = split_deep(&view) && find_near(&view);
    }
    if (!made) {
        release(&view);
        errno = ENOMEM;
        return false;
    }
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n"
            "<rect width='%d' height='%d' fill='#f3f6fa'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    paint_ground(file, &view, scene);
    paint_bodies(file, &view);
    for (int c = 0; c < view.ropes.count; ++c)
        paint_rope(file, &view, &view.ropes.items[c]);
    paint_dots(file, &view, scene);
    paint_legend(file, &view, world, rvScene_GetTitle(scene));
    fputs("</svg>\n", file);
    release(&view);
    return true;
}

bool rv_picture_write(rvFolder* folder, const rvScene* scene, const rvWorld* world)
{
    rvFile file;
    return rv_folder_begin(folder, "picture.svg", &file) &&
           rv_file_close(&file, rv_picture_print(file.out, scene, world));
}
