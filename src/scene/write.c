// SPDX-License-Identifier: MIT
// A scene back to YAML: what was given, in SI units, an object a line.
#include "scene/write.h"
#include "scene/channel.h"
#include "scene/fields.h"

#include <string.h>

// A word that needs no quotes.
static bool is_word(const char* text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return *text && strchr(letters, *text) && text[length] == '\0' && strcmp(text, "null") != 0;
}

static void write_word(rvText* out, const char* text)
{
    if (is_word(text))
        rv_text_add(out, "%s", text);
    else
        rv_text_add_quoted(out, text);
}

static void write_numbers(rvText* out, const double* values, int count)
{
    rv_text_add(out, "[");
    for (int i = 0; i < count; ++i) {
        rv_text_add(out, i ? ", " : "");
        rv_text_add_number(out, values[i]);
    }
    rv_text_add(out, "]");
}

static void write_inertia(rvText* out, const rvMat3* inertia)
{
    const double diagonal[3] = {inertia->m[0][0], inertia->m[1][1], inertia->m[2][2]};
    bool plain = true;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            plain = plain && (i == j || inertia->m[i][j] == 0.0);
    if (plain) {
        write_numbers(out, diagonal, 3);
        return;
    }
    for (int i = 0; i < 3; ++i) {
        rv_text_add(out, i ? ", " : "[");
        write_numbers(out, inertia->m[i], 3);
    }
    rv_text_add(out, "]");
}

static void write_mesh_part(rvText* out, rvFieldType type, const rvShapeDef* def)
{
    int count = type == RV_FIELD_POINTS ? def->pointCount : type == RV_FIELD_TRIANGLES ? def->triangleCount : def->rows;
    for (int i = 0; i < count; ++i) {
        rv_text_add(out, i ? ", " : "[");
        if (type == RV_FIELD_POINTS)
            write_numbers(out, &def->points[i].x, 3);
        else if (type == RV_FIELD_HEIGHTS)
            write_numbers(out, def->heights + (size_t)i * (size_t)def->columns, def->columns);
        else
            rv_text_add(out, "[%d, %d, %d]", def->triangles[3 * i], def->triangles[3 * i + 1],
                        def->triangles[3 * i + 2]);
    }
    rv_text_add(out, "]");
}

static void write_object(rvText* out, const rvKind* kind, const void* object);

static void write_list(rvText* out, const rvKind* kind, const rvSceneList* list)
{
    rv_text_add(out, "[");
    for (int i = 0; i < list->count; ++i) {
        rv_text_add(out, i ? ", " : "");
        write_object(out, kind, (const char*)list->items + (size_t)i * kind->size);
    }
    rv_text_add(out, "]");
}

void rv_write_value(rvText* out, const rvField* field, const void* object)
{
    const void* at = (const char*)object + field->offset;
    switch (field->type) {
    case RV_FIELD_NUMBER:
        rv_text_add_number(out, *(const double*)at);
        break;
    case RV_FIELD_INTEGER:
        rv_text_add(out, "%d", *(const int*)at);
        break;
    case RV_FIELD_BITS:
        rv_text_add(out, "%u", *(const uint32_t*)at);
        break;
    case RV_FIELD_BOOL:
        rv_text_add(out, *(const bool*)at ? "true" : "false");
        break;
    case RV_FIELD_TEXT:
        rv_text_add_quoted(out, *(const char* const*)at);
        break;
    case RV_FIELD_CHOICE:
        rv_text_add(out, "%s", field->choices[*(const int*)at].name);
        break;
    case RV_FIELD_VECTOR:
    case RV_FIELD_DIRECTION:
        write_numbers(out, at, 3);
        break;
    case RV_FIELD_LIMITS:
        write_numbers(out, at, 2);
        break;
    case RV_FIELD_ORIENTATION:
        write_numbers(out, at, 4);
        break;
    case RV_FIELD_INERTIA:
        write_inertia(out, at);
        break;
    case RV_FIELD_BODY:
    case RV_FIELD_CABLE:
        write_word(out, *(const char* const*)at);
        break;
    case RV_FIELD_PLACE:
        write_word(out, ((const rvScenePlace*)object)->body);
        break;
    case RV_FIELD_POINTS:
    case RV_FIELD_TRIANGLES:
    case RV_FIELD_HEIGHTS:
        write_mesh_part(out, field->type, &((const rvSceneShape*)object)->def);
        break;
    case RV_FIELD_OBJECT:
        write_object(out, field->kind, at);
        break;
    case RV_FIELD_LIST:
        write_list(out, field->kind, at);
        break;
    default:
        break;
    }
}

static void write_object(rvText* out, const rvKind* kind, const void* object)
{
    const rvSceneHead* head = object;
    const char* between = "";
    rv_text_add(out, "{");
    for (int i = 0; i < kind->fieldCount; ++i) {
        if (!(head->given >> i & 1))
            continue;
        const rvField* field = &kind->fields[i];
        const char* name =
            field->type == RV_FIELD_PLACE ? field->choices[rv_object_type(kind, object)].name : field->name;
        rv_text_add(out, "%s%s: ", between, name);
        rv_write_value(out, field, object);
        between = ", ";
    }
    rv_text_add(out, "}");
}

static void write_curve_value(rvText* out, const rvCurve* curve, const double* value)
{
    if (curve->width == 1)
        rv_text_add_number(out, *value);
    else
        write_numbers(out, value, curve->width);
}

static void write_commands(rvText* out, const rvSceneList* list)
{
    const rvSceneChannel* commands = list->items;
    for (int i = 0; i < list->count; ++i) {
        const rvCurve* curve = &commands[i].curve;
        rv_text_add(out, "\n  ");
        rv_text_add_quoted(out, commands[i].head.name);
        rv_text_add(out, ": ");
        if (curve->count == 1) {
            write_curve_value(out, curve, curve->rows + 1);
            continue;
        }
        for (int row = 0; row < curve->count; ++row) {
            const double* values = curve->rows + (size_t)row * (size_t)(1 + curve->width);
            rv_text_add(out, row ? ", [" : "[[");
            rv_text_add_number(out, values[0]);
            rv_text_add(out, ", ");
            write_curve_value(out, curve, values + 1);
            rv_text_add(out, "]");
        }
        rv_text_add(out, "]");
    }
}

// Objects by name, a line each. What was not written (the ground, which has its own field) is left out.
static void write_map(rvText* out, const rvKind* kind, const rvSceneList* list)
{
    for (int i = 0; i < list->count; ++i) {
        const rvSceneHead* head = (const rvSceneHead*)((const char*)list->items + (size_t)i * kind->size);
        if (!head->given)
            continue;
        rv_text_add(out, "\n  ");
        write_word(out, head->name);
        rv_text_add(out, ": ");
        write_object(out, kind, head);
    }
}

static void write_outputs(rvText* out, const rvSceneList* list)
{
    const rvSceneChannel* outputs = list->items;
    for (int i = 0; i < list->count; ++i) {
        rv_text_add(out, "\n  - ");
        rv_text_add_quoted(out, outputs[i].head.name);
    }
    if (list->count == 0)
        rv_text_add(out, " []");
}

size_t rvScene_Write(const rvScene* scene, char* text, size_t capacity)
{
    rvText out = {text, capacity, 0};
    const rvSceneRoot* root = &scene->root;
    rvLocale locale = rv_locale_enter();
    if (capacity)
        text[0] = '\0';
    for (int i = 0; i < rvSceneKind.fieldCount; ++i) {
        const rvField* field = &rvSceneKind.fields[i];
        const void* at = (const char*)root + field->offset;
        if (!(root->head.given >> i & 1))
            continue;
        rv_text_add(&out, "%s:", field->name);
        if (field->type == RV_FIELD_MAP) {
            write_map(&out, field->kind, at);
        } else if (field->type == RV_FIELD_COMMANDS) {
            write_commands(&out, at);
        } else if (field->type == RV_FIELD_OUTPUTS) {
            write_outputs(&out, at);
        } else {
            rv_text_add(&out, " ");
            rv_write_value(&out, field, root);
        }
        rv_text_add(&out, "\n");
    }
    rv_locale_leave(locale);
    return out.length;
}
