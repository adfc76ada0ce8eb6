// SPDX-License-Identifier: MIT
// The scenes of scenes/, compiled into the command (cmake/templates.cmake).
#pragma once

typedef struct {
    const char* name;
    const unsigned char* text;
    unsigned size;
} rvTemplate;

extern const rvTemplate rvTemplates[];
extern const int rvTemplateCount;
