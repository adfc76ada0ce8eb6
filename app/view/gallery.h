// SPDX-License-Identifier: MIT
// The gallery: the scenes that come with the command, with a picture of each.
#pragma once

#include "support/bytes.h"

typedef struct {
    rvBytes* pictures; // of each scene; empty: not drawn yet
} rvGallery;

// {"mode": ..., "version": ..., "scenes": [{"name": ..., "title": ...}]}
void rv_gallery_describe(const char* mode, rvBytes* json);

// The picture behind a path "picture/NAME.svg", drawn when it is first asked for. NULL: there is none.
const rvBytes* rv_gallery_picture(rvGallery* gallery, const char* path);
void rv_gallery_release(rvGallery* gallery);
