// SPDX-License-Identifier: MIT
// Text that is built up into a caller's buffer.
#include "scene/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rv_text_add(rvText* out, const char* format, ...)
{
    size_t room = out->length < out->capacity ? out->capacity - out->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(room ? out->text + out->length : NULL, room, format, arguments);
    va_end(arguments);
    if (written > 0)
        out->length += (size_t)written;
}

void rv_text_add_number(rvText* out, double value)
{
    if (isinf(value)) {
        rv_text_add(out, value > 0.0 ? ".inf" : "-.inf");
        return;
    }
    char digits[40];
    for (int precision = 15; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    // 1e+11 for 100000000000
    for (int precision = 1; precision <= 6; ++precision) {
        char few[40];
        snprintf(few, sizeof few, "%.*g", precision, value);
        if (strtod(few, NULL) == value && strlen(few) < strlen(digits))
            snprintf(digits, sizeof digits, "%s", few);
    }
    rv_text_add(out, "%s", digits);
}

void rv_text_add_quoted(rvText* out, const char* text)
{
    rv_text_add(out, "\"");
    for (const unsigned char* c = (const unsigned char*)text; *c; ++c) {
        if (*c == '"' || *c == '\\')
            rv_text_add(out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            rv_text_add(out, "\\u%04x", *c);
        else
            rv_text_add(out, "%c", *c);
    }
    rv_text_add(out, "\"");
}

rvLocale rv_locale_enter(void)
{
    rvLocale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (locale.plain)
        locale.before = uselocale(locale.plain);
    return locale;
}

void rv_locale_leave(rvLocale locale)
{
    if (!locale.plain)
        return;
    uselocale(locale.before);
    freelocale(locale.plain);
}
