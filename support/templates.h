// SPDX-License-Identifier: MIT
// The scenes of scenes/, compiled into the command (cmake/templates.cmake).
#pragma once

#include <stddef.h>

typedef struct {
    const char* name;
    const unsigned char* text;
    unsigned size;
} rvTemplate;

extern const rvTemplate rvTemplates[];
extern const int rvTemplateCount;

// The one of that name; NULL: there is none.
const rvTemplate* rv_template_find(const char* name);
// The text behind "title:"; "" if there is none.
void rv_template_title(const rvTemplate* template, char* title, size_t capacity);
