// SPDX-License-Identifier: MIT
// JSON text, value by value.
#include "support/json.h"

#include <math.h>

static void put_quoted(rvBytes* json, const char* text)
{
    rv_bytes_u8(json, '"');
    for (const unsigned char* c = (const unsigned char*)text; *c; ++c) {
        if (*c == '"' || *c == '\\')
            rv_bytes_printf(json, "\\%c", *c);
        else if (*c < 0x20 || *c == '<') // '<' too: a report holds JSON inside of HTML
            rv_bytes_printf(json, "\\u%04x", *c);
        else
            rv_bytes_u8(json, *c);
    }
    rv_bytes_u8(json, '"');
}

// The comma behind the value before, and the name.
static void begin(rvBytes* json, const char* name)
{
    unsigned char last = json->size > 0 ? json->data[json->size - 1] : '[';
    if (last != '{' && last != '[')
        rv_bytes_u8(json, ',');
    if (name) {
        put_quoted(json, name);
        rv_bytes_u8(json, ':');
    }
}

void rv_json_open(rvBytes* json, const char* name, char bracket)
{
    begin(json, name);
    rv_bytes_u8(json, (unsigned char)bracket);
}

void rv_json_close(rvBytes* json, char bracket)
{
    rv_bytes_u8(json, (unsigned char)bracket);
}

void rv_json_text(rvBytes* json, const char* name, const char* text)
{
    begin(json, name);
    put_quoted(json, text);
}

void rv_json_number(rvBytes* json, const char* name, double value)
{
    begin(json, name);
    if (isfinite(value))
        rv_bytes_printf(json, "%.9g", value);
    else
        rv_bytes_printf(json, "null");
}

void rv_json_numbers(rvBytes* json, const char* name, const double* values, int count)
{
    rv_json_open(json, name, '[');
    for (int i = 0; i < count; ++i)
        rv_json_number(json, NULL, values[i]);
    rv_json_close(json, ']');
}

void rv_json_integer(rvBytes* json, const char* name, long value)
{
    begin(json, name);
    rv_bytes_printf(json, "%ld", value);
}

void rv_json_bool(rvBytes* json, const char* name, bool value)
{
    begin(json, name);
    rv_bytes_printf(json, value ? "true" : "false");
}

void rv_json_null(rvBytes* json, const char* name)
{
    begin(json, name);
    rv_bytes_printf(json, "null");
}
