// SPDX-License-Identifier: MIT
// Fields, numbers and texts of a study, with their mistakes.
#include "sweep/read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t rv_study_enter(rvStudyReader* reader, const char* name)
{
    size_t before = reader->pathLength, room = sizeof reader->path - before;
    int added = snprintf(reader->path + before, room, "%s%.80s", before ? "." : "", name);
    reader->pathLength = before + (added > 0 && (size_t)added < room ? (size_t)added : room - 1);
    return before;
}

void rv_study_leave(rvStudyReader* reader, size_t length)
{
    reader->pathLength = length;
    reader->path[length] = '\0';
}

bool rv_study_mistake(rvStudyReader* reader, const rvNode* node, const char* format, ...)
{
    char words[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    rv_report(reader->report, node->file, node->line, node->column, reader->path, "%s", words);
    return false;
}

static bool report_unknown(rvStudyReader* reader, const rvStudyKind* kind, const rvNode* item)
{
    enum { NAMES_MAX = 32 };
    const char* names[NAMES_MAX + 1] = {0};
    for (int i = 0; i < kind->count && i < NAMES_MAX; ++i)
        names[i] = kind->fields[i].name;
    const char* nearest = rv_suggest(item->key, names);
    char known[300] = "";
    rvText out = {known, sizeof known, 0};
    for (int i = 0; i < kind->count && !nearest; ++i)
        rv_text_add(&out, "%s%s", i ? ", " : ", expected one of ", names[i]);
    rvNode key = *item;
    key.line = item->keyLine;
    key.column = item->keyColumn;
    size_t outer = rv_study_enter(reader, item->key);
    if (nearest)
        rv_study_mistake(reader, &key, "unknown field of a %s, did you mean \"%s\"?", kind->name, nearest);
    else
        rv_study_mistake(reader, &key, "unknown field of a %s%s", kind->name, known);
    rv_study_leave(reader, outer);
    return false;
}

bool rv_study_fields(rvStudyReader* reader, const rvStudyKind* kind, const rvNode* node)
{
    if (node->kind != RV_NODE_MAP)
        return rv_study_mistake(reader, node, "is %s, expected the fields of a %s", rv_node_describe(node), kind->name);
    bool good = true;
    for (const rvNode* item = node->first; item; item = item->next) {
        bool known = false;
        for (int i = 0; i < kind->count; ++i)
            known = known || strcmp(kind->fields[i].name, item->key) == 0;
        good = (known || report_unknown(reader, kind, item)) && good;
    }
    for (int i = 0; i < kind->count; ++i) {
        if (!kind->fields[i].needed || rv_node_find(node, kind->fields[i].name))
            continue;
        size_t outer = rv_study_enter(reader, kind->fields[i].name);
        good = rv_study_mistake(reader, node, "is missing, every %s needs it: %s", kind->name, kind->fields[i].help);
        rv_study_leave(reader, outer);
    }
    return good;
}

const rvNode* rv_study_field(rvStudyReader* reader, const rvNode* map, const char* name, size_t* outer)
{
    const rvNode* node = rv_node_find(map, name);
    if (node)
        *outer = rv_study_enter(reader, name);
    return node;
}

bool rv_study_text(rvStudyReader* reader, const rvNode* node, const char* what, const char** text)
{
    if (node->kind != RV_NODE_SCALAR || rv_node_is_null(node))
        return rv_study_mistake(reader, node, "is %s, expected %s", rv_node_describe(node), what);
    *text = node->text;
    return true;
}

bool rv_study_number(rvStudyReader* reader, const rvNode* node, rvWritten* number)
{
    const char* end;
    if (node->kind != RV_NODE_SCALAR || rv_node_is_null(node))
        return rv_study_mistake(reader, node, "is %s, expected a number", rv_node_describe(node));
    if (!rv_number_read(node->text, &number->value, &end))
        return rv_study_mistake(reader, node, "is \"%.60s\", expected a number", node->text);
    while (*end == ' ')
        ++end;
    number->unit = end;
    if (!rv_unit_read(end, &number->kind))
        return rv_study_mistake(reader, node, "is \"%.60s\", there is no unit \"%.40s\"", node->text, end);
    if (!isfinite(number->value))
        return rv_study_mistake(reader, node, "is %.60s, expected a finite number", node->text);
    return true;
}

bool rv_study_number_in(rvStudyReader* reader, const rvNode* node, const char* unit, double* value)
{
    rvWritten number = {.unit = ""};
    rvUnit wanted;
    if (!rv_study_number(reader, node, &number))
        return false;
    bool known = rv_unit_read(unit, &wanted);
    if (*number.unit == '\0' || !known) {
        *value = number.value;
        return true;
    }
    if (!rv_unit_same_kind(&number.kind, &wanted))
        return rv_study_mistake(reader, node, "is \"%.60s\", expected a number%s%s", node->text, *unit ? " in " : "",
                                unit);
    *value = number.value * number.kind.factor / wanted.factor;
    return true;
}

bool rv_study_whole(rvStudyReader* reader, const rvNode* node, int64_t least, int64_t* value)
{
    double number = 0.0;
    if (!rv_study_number_in(reader, node, "", &number))
        return false;
    if (number != floor(number) || number < (double)least || number > 9e15)
        return rv_study_mistake(reader, node, "is %.60s, expected a whole number >= %lld", node->text,
                                (long long)least);
    *value = (int64_t)number;
    return true;
}

bool rv_study_get_number(rvStudyReader* reader, const rvNode* map, const char* name, const char* unit, double* value)
{
    size_t outer;
    const rvNode* node = rv_study_field(reader, map, name, &outer);
    if (!node)
        return true;
    bool good = rv_study_number_in(reader, node, unit, value);
    rv_study_leave(reader, outer);
    return good;
}

bool rv_study_get_whole(rvStudyReader* reader, const rvNode* map, const char* name, int64_t least, int64_t* value)
{
    size_t outer;
    const rvNode* node = rv_study_field(reader, map, name, &outer);
    if (!node)
        return true;
    bool good = rv_study_whole(reader, node, least, value);
    rv_study_leave(reader, outer);
    return good;
}

bool rv_study_name(rvStudyReader* reader, const rvNode* node)
{
    if (*node->key && !strchr(node->key, '/') && strcmp(node->key, ".") != 0 && strcmp(node->key, "..") != 0)
        return true;
    return rv_study_mistake(reader, node, "the name is \"%.60s\", expected one that is not empty and has no /",
                            node->key);
}

// ---- text

// A plain word of a block may hold what means something else inside of brackets.
static bool needs_quotes(const rvNode* node)
{
    return node->quoted || strpbrk(node->text, ",[]{}#\"\n") || strstr(node->text, ": ");
}

static void put_yaml(rvBytes* out, const rvNode* node)
{
    if (node->kind == RV_NODE_SCALAR) {
        if (!needs_quotes(node)) {
            rv_bytes_printf(out, "%s", rv_node_is_null(node) ? "null" : node->text);
            return;
        }
        size_t room = 6 * strlen(node->text) + 3;
        char* quoted = malloc(room);
        rvText text = {quoted, quoted ? room : 0, 0};
        rv_text_add_quoted(&text, node->text);
        if (quoted)
            rv_bytes_add(out, quoted, text.length);
        free(quoted);
        return;
    }
    bool map = node->kind == RV_NODE_MAP;
    rv_bytes_u8(out, map ? '{' : '[');
    for (const rvNode* item = node->first; item; item = item->next) {
        if (item != node->first)
            rv_bytes_printf(out, ", ");
        if (map)
            rv_bytes_printf(out, "\"%s\": ", item->key);
        put_yaml(out, item);
    }
    rv_bytes_u8(out, map ? '}' : ']');
}

const char* rv_study_yaml(rvStudyReader* reader, const rvNode* node)
{
    rvBytes out = {0};
    put_yaml(&out, node);
    const char* text = rv_arena_copy(&reader->study->arena, out.data ? (const char*)out.data : "", out.size);
    reader->study->arena.failed |= out.failed;
    rv_bytes_release(&out);
    return text;
}

const char* rv_study_print(rvStudy* study, const char* format, ...)
{
    char text[501];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rv_arena_copy(&study->arena, text, strlen(text));
}

void rv_study_put_number(rvText* out, double value, const char* unit)
{
    rv_text_add_number(out, value);
    rv_text_add(out, *unit ? " %s" : "%s", unit);
}
