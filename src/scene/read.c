// SPDX-License-Identifier: MIT
// Objects by the table of fields. Every mistake is reported and the reading goes on, so that one run shows them all.
#include "scene/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t rv_reader_enter(rvReader* reader, const char* format, ...)
{
    size_t before = reader->pathLength;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(reader->path + before, sizeof reader->path - before, format, arguments);
    va_end(arguments);
    reader->pathLength = before + (size_t)(added > 0 ? added : 0);
    if (reader->pathLength >= sizeof reader->path)
        reader->pathLength = sizeof reader->path - 1;
    return before;
}

void rv_reader_leave(rvReader* reader, size_t length)
{
    reader->pathLength = length;
    reader->path[length] = '\0';
}

bool rv_reader_mistake(rvReader* reader, const rvNode* node, const char* format, ...)
{
    char words[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const char* path = reader->path[0] == '.' ? reader->path + 1 : reader->path;
    rv_report(reader->report, node->file, node->line, node->column, path, "%s", words);
    return false;
}

// The field that a key names, or -1. The keys of a place's first field are its choices.
static int find_field(const rvKind* kind, const char* key)
{
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->type != RV_FIELD_PLACE && strcmp(field->name, key) == 0)
            return i;
        for (const rvChoice* c = field->choices; field->type == RV_FIELD_PLACE && c->name; ++c)
            if (strcmp(c->name, key) == 0)
                return i;
    }
    return -1;
}

static const char* article(const rvKind* kind)
{
    return strchr("aeiou", kind->name[0]) ? "an" : "a";
}

static bool is_type(const rvKind* kind, const char* key)
{
    const rvChoice* c = kind->typed && kind->fields[0].type == RV_FIELD_CHOICE ? kind->fields[0].choices : NULL;
    while (c && c->name && strcmp(c->name, key) != 0)
        ++c;
    return c && c->name;
}

// "a body, a shape": the kinds that have such a field, for one that was written at the wrong place.
static void list_owners(rvText* out, const char* key)
{
    const char* between = "";
    for (const rvKind* const* kind = rvSceneKinds; *kind; ++kind)
        if (find_field(*kind, key) >= 0) {
            rv_text_add(out, "%s%s %s", between, article(*kind), (*kind)->name);
            between = ", ";
        }
}

// The field whose help begins with this name: EI of `bending_stiffness`.
static const char* find_symbol(const rvKind* kind, const char* key)
{
    size_t length = strlen(key);
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->help && strncmp(field->help, key, length) == 0 && field->help[length] == ':')
            return field->name;
    }
    return NULL;
}

static void report_unknown(rvReader* reader, const rvKind* kind, const rvNode* item)
{
    enum { NAMES_MAX = 64 };
    const char* names[NAMES_MAX + 1] = {0};
    int count = 0;
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->type != RV_FIELD_PLACE && count < NAMES_MAX)
            names[count++] = field->name;
        for (const rvChoice* c = field->choices; field->type == RV_FIELD_PLACE && c->name && count < NAMES_MAX; ++c)
            names[count++] = c->name;
    }
    const char* symbol = find_symbol(kind, item->key);
    const char* nearest = symbol ? symbol : rv_suggest(item->key, names);
    rvNode key = *item;
    key.line = item->keyLine;
    key.column = item->keyColumn;
    size_t outer = rv_reader_enter(reader, ".%.60s", item->key);
    char elsewhere[160] = "";
    rvText out = {elsewhere, sizeof elsewhere, 0};
    list_owners(&out, item->key);
    if (is_type(kind, item->key))
        rv_reader_mistake(reader, &key, "unknown field of %s %s: it is a type, as in \"type: %s\"", article(kind),
                          kind->name, item->key);
    else if (nearest)
        rv_reader_mistake(reader, &key, "unknown field of %s %s, did you mean \"%s\"?", article(kind), kind->name,
                          nearest);
    else if (elsewhere[0])
        rv_reader_mistake(reader, &key, "unknown field of %s %s: it is one of %s", article(kind), kind->name,
                          elsewhere);
    else
        rv_reader_mistake(reader, &key, "unknown field of %s %s", article(kind), kind->name);
    rv_reader_leave(reader, outer);
}

static const char* type_name(const rvKind* kind, int type)
{
    return kind->typed ? kind->fields[0].choices[type].name : kind->name;
}

static bool read_item(rvReader* reader, const rvKind* kind, const rvNode* item, int index, void* object)
{
    const rvField* field = &kind->fields[index];
    rvSceneHead* head = object;
    int type = rv_object_type(kind, object);
    size_t outer = rv_reader_enter(reader, ".%.60s", item->key);
    bool good;
    if (head->given >> index & 1)
        good = rv_reader_mistake(reader, item, "a second one: a place is either attach, eye, winch, free or sheave");
    else if (field->types && !(field->types >> type & 1))
        good = rv_reader_mistake(reader, item, "does not belong to %s %s of type %s", article(kind), kind->name,
                                 type_name(kind, type));
    else
        good = rv_read_field(reader, kind, field, item, object);
    head->given |= (uint64_t)1 << index;
    rv_reader_leave(reader, outer);
    return good;
}

static void report_missing(rvReader* reader, const rvKind* kind, const rvNode* node, const void* object)
{
    const rvSceneHead* head = object;
    int type = rv_object_type(kind, object);
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        bool needed = field->needed >> type & 1;
        if (!needed || head->given >> i & 1)
            continue;
        if (field->type == RV_FIELD_PLACE) {
            rv_reader_mistake(reader, node, "is no place, expected one of attach, eye, winch, free, sheave");
            continue;
        }
        size_t outer = rv_reader_enter(reader, ".%s", field->name);
        if (kind->typed && i > 0)
            rv_reader_mistake(reader, node, "is missing, %s %s of type %s needs it", article(kind), kind->name,
                              type_name(kind, type));
        else if (field->type == RV_FIELD_CHOICE) {
            char all[200] = "";
            rvText out = {all, sizeof all, 0};
            rv_choices_describe(&out, field->choices);
            rv_reader_mistake(reader, node, "is missing, every %s needs it: one of %s", kind->name, all);
        } else
            rv_reader_mistake(reader, node, "is missing, every %s needs it", kind->name);
        rv_reader_leave(reader, outer);
        if (kind->typed && i == 0)
            return; // without a type nothing else can be said
    }
}

void rv_read_object(rvReader* reader, const rvKind* kind, const rvNode* node, void* object)
{
    rvSceneHead* head = object;
    memset(object, 0, kind->size);
    kind->start(object);
    head->node = node;
    head->name = node->key;
    bool empty = rv_node_is_null(node);
    if (node->kind != RV_NODE_MAP && !empty) {
        rv_reader_mistake(reader, node, "is %s, expected the fields of %s %s", rv_node_describe(node), article(kind),
                          kind->name);
        return;
    }
    // the type first: it decides which fields there are, and without it nothing can be said of them
    const rvNode* first = empty ? NULL : node->first;
    for (const rvNode* item = first; item && kind->typed; item = item->next)
        if (find_field(kind, item->key) == 0 && !read_item(reader, kind, item, 0, object)) {
            head->unread = true;
            return;
        }
    for (const rvNode* item = first; item; item = item->next) {
        int index = find_field(kind, item->key);
        if (index < 0)
            report_unknown(reader, kind, item);
        else if (!kind->typed || index > 0)
            read_item(reader, kind, item, index, object);
    }
    report_missing(reader, kind, node, object);
}
