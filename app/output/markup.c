// SPDX-License-Identifier: MIT
#include "output/markup.h"

#include <string.h>

ssize_t rv_markup_write(void* out, const char* text, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '&')
            fputs("&amp;", out);
        else
            fputc(c < 0x20 && c != '\t' && c != '\n' && c != '\r' ? '?' : c, out);
    }
    return (ssize_t)size;
}

void rv_markup_text(FILE* out, const char* text)
{
    rv_markup_write(out, text, strlen(text));
}
