// SPDX-License-Identifier: MIT
// The gallery: the scenes that come with the command, with a picture of each.
#include "view/gallery.h"

#include "command.h"
#include "output/picture.h"
#include "support/json.h"

#include <stdlib.h>
#include <string.h>

void rv_gallery_describe(const char* mode, rvBytes* json)
{
    rv_json_open(json, NULL, '{');
    rv_json_text(json, "mode", mode);
    rv_json_text(json, "version", rvVersion());
    rv_json_open(json, "scenes", '[');
    for (int i = 0; i < rvTemplateCount; ++i) {
        char title[200];
        rv_template_title(&rvTemplates[i], title, sizeof title);
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "name", rvTemplates[i].name);
        rv_json_text(json, "title", title);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
    rv_json_close(json, '}');
}

// The scene at its start.
static void draw(const rvTemplate* template, rvBytes* picture)
{
    char error[200], *text = NULL;
    size_t size = 0;
    rvScene* scene = NULL;
    rvWorld* world = NULL;
    if (rv_load_template(template, &scene, error, sizeof error) == RV_OK &&
        rvScene_CreateWorld(scene, NULL, &world, error, sizeof error) == RV_OK) {
        FILE* out = open_memstream(&text, &size);
        bool good = out && rv_picture_print(out, scene, world);
        if (out)
            fclose(out);
        if (good)
            rv_bytes_add(picture, text, size);
        free(text);
        rvDestroyWorld(world);
    }
    rvScene_Destroy(scene);
}

const rvBytes* rv_gallery_picture(rvGallery* gallery, const char* path)
{
    if (!gallery->pictures)
        gallery->pictures = calloc((size_t)rvTemplateCount + 1, sizeof *gallery->pictures);
    for (int i = 0; gallery->pictures && i < rvTemplateCount; ++i) {
        char wanted[200];
        snprintf(wanted, sizeof wanted, "picture/%s.svg", rvTemplates[i].name);
        if (strcmp(path, wanted) != 0)
            continue;
        if (gallery->pictures[i].size == 0)
            draw(&rvTemplates[i], &gallery->pictures[i]);
        return gallery->pictures[i].size > 0 ? &gallery->pictures[i] : NULL;
    }
    return NULL;
}

void rv_gallery_release(rvGallery* gallery)
{
    for (int i = 0; gallery->pictures && i < rvTemplateCount; ++i)
        rv_bytes_release(&gallery->pictures[i]);
    free(gallery->pictures);
}
