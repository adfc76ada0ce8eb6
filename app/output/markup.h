// SPDX-License-Identifier: MIT
// Text inside of XML and HTML.
#pragma once

#include <stdio.h>

// With <, > and & as entities (`]]>` may not stand in text of XML), and what XML has no character for as "?".
void rv_markup_text(FILE* out, const char* text);

// The same as the write function of a stream (fopencookie) whose cookie is the FILE to write to.
ssize_t rv_markup_write(void* out, const char* text, size_t size);
