// SPDX-License-Identifier: MIT
// Finds a scene among those that are compiled in.
#include "support/templates.h"

#include <stdio.h>
#include <string.h>

const rvTemplate* rv_template_find(const char* name)
{
    for (int i = 0; i < rvTemplateCount; ++i)
        if (strcmp(rvTemplates[i].name, name) == 0)
            return &rvTemplates[i];
    return NULL;
}

void rv_template_title(const rvTemplate* template, char* title, size_t capacity)
{
    const char* found = strstr((const char*)template->text, "\ntitle: ");
    snprintf(title, capacity, "%.*s", found ? (int)strcspn(found + 8, "\n") : 0, found ? found + 8 : "");
}
