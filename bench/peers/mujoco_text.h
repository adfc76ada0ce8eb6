// SPDX-License-Identifier: MIT
// A model of MuJoCo from text in memory: MuJoCo reads files only, also where they are its own.
#pragma once

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

// NULL where MuJoCo refuses it.
static inline mjModel* rv_mujoco_from_text(const char* text, size_t size)
{
    static const char name[] = "model.xml";
    char error[256] = "";
    mjVFS* files = calloc(1, sizeof(*files)); // too large for the stack
    mjModel* model = NULL;
    if (!files)
        return NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, name, (int)size) == 0) {
        memcpy(files->filedata[0], text, size);
        model = mj_loadXML(name, files, error, sizeof(error));
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}
