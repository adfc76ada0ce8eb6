// SPDX-License-Identifier: MIT
// Units by a small grammar:
//
//   unit   = factor { [ " " | "*" ] factor | "/" factor }
//   factor = ( symbol | "1" | "(" unit ")" ) [ "^" integer ]
//   symbol = [ prefix ] base
#include "scene/units.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char* symbol;
    rvUnit unit;
    bool prefixed; // takes k, M, m, ...
} BaseUnit;

#define PI 3.14159265358979323846

// Angles keep a dimension of their own, so that "3 m" for an angle is seen. The tonne is "t", the gram carries kg.
static const BaseUnit BASE_UNITS[] = {
    {"m", {1.0, 1, 0, 0, 0}, true},
    {"g", {1e-3, 0, 1, 0, 0}, true},
    {"t", {1e3, 0, 1, 0, 0}, true},
    {"s", {1.0, 0, 0, 1, 0}, true},
    {"min", {60.0, 0, 0, 1, 0}, false},
    {"h", {3600.0, 0, 0, 1, 0}, false},
    {"rad", {1.0, 0, 0, 0, 1}, true},
    {"deg", {PI / 180.0, 0, 0, 0, 1}, false},
    {"rev", {2.0 * PI, 0, 0, 0, 1}, false},
    {"rpm", {2.0 * PI / 60.0, 0, 0, -1, 1}, false},
    {"Hz", {1.0, 0, 0, -1, 0}, true},
    {"N", {1.0, 1, 1, -2, 0}, true},
    {"Pa", {1.0, -1, 1, -2, 0}, true},
    {"bar", {1e5, -1, 1, -2, 0}, true},
    {"J", {1.0, 2, 1, -2, 0}, true},
    {"W", {1.0, 2, 1, -3, 0}, true},
    {"in", {0.0254, 1, 0, 0, 0}, false},
    {"ft", {0.3048, 1, 0, 0, 0}, false},
    {"lb", {0.45359237, 0, 1, 0, 0}, false},
    {"kip", {4448.2216152605, 1, 1, -2, 0}, false},
    {"lbf", {4.4482216152605, 1, 1, -2, 0}, false},
    {"%", {0.01, 0, 0, 0, 0}, false},
};

static const struct {
    char letter;
    double factor;
} PREFIXES[] = {{'k', 1e3},  {'M', 1e6},  {'G', 1e9},  {'T', 1e12}, {'c', 1e-2},
                {'d', 1e-1}, {'m', 1e-3}, {'u', 1e-6}, {'n', 1e-9}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

static const BaseUnit* find_base(const char* text, size_t length, bool prefixed)
{
    for (size_t i = 0; i < COUNT(BASE_UNITS); ++i) {
        const BaseUnit* base = &BASE_UNITS[i];
        if (strlen(base->symbol) == length && memcmp(base->symbol, text, length) == 0 && (!prefixed || base->prefixed))
            return base;
    }
    return NULL;
}

static bool read_symbol(const char** cursor, rvUnit* unit)
{
    const char* start = *cursor;
    size_t length = 0;
    while (is_letter(start[length]))
        ++length;
    *cursor = start + length;
    const BaseUnit* base = find_base(start, length, false);
    if (base) {
        *unit = base->unit;
        return true;
    }
    for (size_t i = 0; length > 1 && i < COUNT(PREFIXES); ++i) {
        base = start[0] == PREFIXES[i].letter ? find_base(start + 1, length - 1, true) : NULL;
        if (base) {
            *unit = base->unit;
            unit->factor *= PREFIXES[i].factor;
            return true;
        }
    }
    return false;
}

static void multiply(rvUnit* unit, const rvUnit* by, int power)
{
    unit->factor *= pow(by->factor, power);
    unit->m += power * by->m;
    unit->kg += power * by->kg;
    unit->s += power * by->s;
    unit->rad += power * by->rad;
}

static bool read_unit(const char** cursor, rvUnit* unit, int depth);

static bool read_factor(const char** cursor, rvUnit* unit, int depth)
{
    rvUnit base = {1.0, 0, 0, 0, 0};
    if (**cursor == '(') {
        ++*cursor;
        if (depth >= 4 || !read_unit(cursor, &base, depth + 1) || **cursor != ')')
            return false;
        ++*cursor;
    } else if (**cursor == '1') {
        ++*cursor;
    } else if (!read_symbol(cursor, &base)) {
        return false;
    }
    int power = 1;
    if (**cursor == '^') {
        ++*cursor;
        int sign = **cursor == '-' ? -1 : 1;
        if (sign < 0)
            ++*cursor;
        if (**cursor < '1' || **cursor > '4')
            return false;
        power = sign * (**cursor - '0');
        ++*cursor;
    }
    rvUnit one = {1.0, 0, 0, 0, 0};
    *unit = one;
    multiply(unit, &base, power);
    return true;
}

static bool read_unit(const char** cursor, rvUnit* unit, int depth)
{
    rvUnit one = {1.0, 0, 0, 0, 0};
    *unit = one;
    int power = 1;
    for (int factors = 0; factors < 16; ++factors) {
        rvUnit factor;
        if (!read_factor(cursor, &factor, depth))
            return false;
        multiply(unit, &factor, power);
        while (**cursor == ' ' || **cursor == '*')
            ++*cursor;
        if (**cursor == '\0' || **cursor == ')')
            return true;
        power = **cursor == '/' ? -1 : 1;
        if (power < 0)
            ++*cursor;
        while (**cursor == ' ')
            ++*cursor;
    }
    return false;
}

bool rv_unit_read(const char* text, rvUnit* unit)
{
    rvUnit one = {1.0, 0, 0, 0, 0};
    *unit = one;
    return *text == '\0' || (read_unit(&text, unit, 0) && *text == '\0');
}

const char* rv_unit_symbol(int index)
{
    return index < (int)COUNT(BASE_UNITS) ? BASE_UNITS[index].symbol : NULL;
}

bool rv_unit_same_kind(const rvUnit* a, const rvUnit* b)
{
    return a->m == b->m && a->kg == b->kg && a->s == b->s && a->rad == b->rad;
}

static const char* skip_digits(const char* text)
{
    while (*text >= '0' && *text <= '9')
        ++text;
    return text;
}

// [-+]? ( digits [ "." digits? ] | "." digits ) ( [eE] [-+]? digits )?   or   [-+]? .inf   or   .nan
bool rv_number_read(const char* text, double* value, const char** end)
{
    const char* digits = text + (*text == '-' || *text == '+');
    if (strncmp(digits, ".inf", 4) == 0) {
        *value = *text == '-' ? -HUGE_VAL : HUGE_VAL;
        *end = digits + 4;
        return true;
    }
    if (strncmp(text, ".nan", 4) == 0) {
        *value = (double)NAN;
        *end = text + 4;
        return true;
    }
    const char* cursor = skip_digits(digits);
    bool any = cursor != digits;
    if (*cursor == '.') {
        const char* fraction = skip_digits(cursor + 1);
        any = any || fraction != cursor + 1;
        cursor = fraction;
    }
    if (!any)
        return false;
    if (*cursor == 'e' || *cursor == 'E') {
        const char* exponent = cursor + 1 + (cursor[1] == '-' || cursor[1] == '+');
        if (skip_digits(exponent) != exponent)
            cursor = skip_digits(exponent);
    }
    *value = strtod(text, NULL);
    *end = cursor;
    return true;
}
