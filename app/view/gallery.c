// SPDX-License-Identifier: MIT
// The gallery: the scenes that come with the command, with a picture of each.
#include "view/gallery.h"

#include "output/picture.h"
#include "support/templates.h"

#include <stdlib.h>
#include <string.h>

void rv_gallery_describe(const char* mode, rvBytes* json)
{
    rv_bytes_printf(json, "{\"mode\":\"%s\",\"version\":\"%s\",\"scenes\":[", mode, rvVersion());
    for (int i = 0; i < rvTemplateCount; ++i) {
        char title[200];
        rv_template_title(&rvTemplates[i], title, sizeof title);
        rv_bytes_printf(json, "%s{\"name\":", i ? "," : "");
        rv_bytes_string(json, rvTemplates[i].name);
        rv_bytes_printf(json, ",\"title\":");
        rv_bytes_string(json, title);
        rv_bytes_u8(json, '}');
    }
    rv_bytes_printf(json, "]}");
}

// The scene at its start.
static void draw(const rvTemplate* template, rvBytes* picture)
{
    char error[200], *text = NULL;
    size_t size = 0;
    rvScene* scene = NULL;
    rvWorld* world = NULL;
    const char* source = (const char*)template->text;
    if (rvScene_LoadText(source, template->size, template->name, NULL, &scene, error, sizeof error) == RV_OK &&
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
