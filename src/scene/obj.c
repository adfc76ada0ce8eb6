// SPDX-License-Identifier: MIT
// Meshes from OBJ files: vertices ("v x y z") and faces ("f 1 2 3", "f 1/2/3 ...", negative numbers count from the
// end). Faces with more than three corners are cut into a fan. All else in the file is passed over.
#include "scene/file.h"
#include "scene/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int points, triangles; // counted in the first pass, filled in the second
    rvVec3* point;
    int* triangle;
    int line;
    const char* wrong;
} Obj;

static bool read_vertex(Obj* obj, const char* text)
{
    double v[3];
    for (int i = 0; i < 3; ++i) {
        char* end;
        text += strspn(text, " \t\r"); // strtod would take a number of the next line
        v[i] = strtod(text, &end);
        if (end == text || *text == '\n' || !isfinite(v[i]))
            return false;
        text = end;
    }
    if (obj->point)
        obj->point[obj->points] = rvVec(v[0], v[1], v[2]);
    obj->points++;
    return true;
}

static bool read_face(Obj* obj, const char* text)
{
    long corners[3];
    int count = 0;
    for (;;) {
        while (*text == ' ' || *text == '\t' || *text == '\r')
            ++text;
        if (*text == '\0' || *text == '\n')
            break;
        char* end;
        long corner = strtol(text, &end, 10);
        if (end == text)
            return false;
        corner = corner < 0 ? obj->points + corner : corner - 1;
        if (corner < 0 || corner >= obj->points)
            return false;
        text = end + strcspn(end, " \t\r\n");
        corners[count < 2 ? count : 2] = corner;
        if (++count < 3)
            continue;
        for (int k = 0; k < 3 && obj->triangle; ++k)
            obj->triangle[3 * obj->triangles + k] = (int)corners[k];
        obj->triangles++;
        corners[1] = corners[2];
    }
    return count >= 3;
}

static bool walk(Obj* obj, const char* text)
{
    obj->points = obj->triangles = 0;
    for (obj->line = 1; *text; ++obj->line) {
        bool vertex = strncmp(text, "v ", 2) == 0, face = strncmp(text, "f ", 2) == 0;
        if ((vertex && !read_vertex(obj, text + 2)) || (face && !read_face(obj, text + 2))) {
            obj->wrong = vertex ? "expected \"v x y z\"" : "expected \"f\" with at least three corners that exist";
            return false;
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return true;
}

bool rv_read_obj(rvReader* reader, const rvNode* node, rvSceneShape* shape)
{
    rvScene* scene = reader->scene;
    const char* slash = strrchr(scene->file, '/');
    bool absolute = shape->file[0] == '/' || !slash;
    char path[1024], why[200];
    snprintf(path, sizeof path, "%.*s%s", absolute ? 0 : (int)(slash - scene->file + 1), scene->file, shape->file);
    size_t size;
    char* text = rv_file_read(path, false, scene->limits.maxBytes, &size, why, sizeof why);
    scene->arena.failed = scene->arena.failed || (!text && errno == ENOMEM);
    if (!text)
        return rv_reader_mistake(reader, node, "the mesh \"%.200s\": %s", path, why);
    Obj obj = {0};
    bool good = walk(&obj, text);
    if (!good) {
        rv_reader_mistake(reader, node, "the mesh \"%.160s\", line %d: %s", path, obj.line, obj.wrong);
    } else if (obj.triangles == 0) {
        good = rv_reader_mistake(reader, node, "the mesh \"%.200s\" has no faces", path);
    } else {
        obj.point = rv_arena_take_array(&scene->arena, (size_t)obj.points, sizeof *obj.point);
        obj.triangle = rv_arena_take_array(&scene->arena, 3 * (size_t)obj.triangles, sizeof *obj.triangle);
        good = obj.point && obj.triangle && walk(&obj, text);
    }
    free(text);
    if (!good)
        return false;
    shape->def.points = obj.point;
    shape->def.pointCount = obj.points;
    shape->def.triangles = obj.triangle;
    shape->def.triangleCount = obj.triangles;
    return true;
}
