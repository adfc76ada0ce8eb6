// SPDX-License-Identifier: MIT
// docs/scene.schema.json from the table of fields: JSON schema (draft 7) for editors. The reader checks more than it.
#include "scene/fields.h"

#define NUMBER_PATTERN "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *[A-Za-z%(1].*$"

static void write_range(rvText* out, const rvRange* range)
{
    if (isfinite(range->lower)) {
        rv_text_add(out, range->open ? ", \"exclusiveMinimum\": " : ", \"minimum\": ");
        rv_text_add_number(out, range->lower);
    }
    if (isfinite(range->upper)) {
        rv_text_add(out, ", \"maximum\": ");
        rv_text_add_number(out, range->upper);
    }
}

// A number, or a text of a number and a unit.
static void write_number(rvText* out, const rvField* field)
{
    rv_text_add(out, "\"anyOf\": [{\"type\": \"number\"");
    write_range(out, &field->range);
    rv_text_add(out, "}");
    if (*field->unit)
        rv_text_add(out, ", {\"$ref\": \"#/definitions/quantity\"}");
    if (field->infinite)
        rv_text_add(out, ", {\"enum\": [\".inf\", \"-.inf\"]}");
    rv_text_add(out, "]");
}

static void write_numbers(rvText* out, const rvField* field, int count)
{
    rv_text_add(out, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {", count, count);
    write_number(out, field);
    rv_text_add(out, "}");
}

static void write_list(rvText* out, const rvField* field, int width)
{
    rv_text_add(out, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {");
    write_number(out, field);
    rv_text_add(out, width ? "}, \"minItems\": %d, \"maxItems\": %d}" : "}}", width, width);
}

static void write_choices(rvText* out, const rvChoice* choices)
{
    rv_text_add(out, "\"enum\": [");
    for (const rvChoice* c = choices; c->name; ++c)
        rv_text_add(out, "%s\"%s\"", c == choices ? "" : ", ", c->name);
    rv_text_add(out, "]");
}

static void write_type(rvText* out, const rvField* field)
{
    switch (field->type) {
    case RV_FIELD_NUMBER:
        write_number(out, field);
        break;
    case RV_FIELD_INTEGER:
    case RV_FIELD_BITS:
        rv_text_add(out, "\"type\": \"integer\"");
        write_range(out, &field->range);
        break;
    case RV_FIELD_BOOL:
        rv_text_add(out, "\"type\": \"boolean\"");
        break;
    case RV_FIELD_CHOICE:
        write_choices(out, field->choices);
        break;
    case RV_FIELD_VECTOR:
    case RV_FIELD_DIRECTION:
        write_numbers(out, field, 3);
        break;
    case RV_FIELD_LIMITS:
        write_numbers(out, field, 2);
        break;
    case RV_FIELD_ORIENTATION:
        rv_text_add(out, "\"$ref\": \"#/definitions/orientation\"");
        break;
    case RV_FIELD_INERTIA:
    case RV_FIELD_OUTPUTS:
        rv_text_add(out, "\"type\": \"array\"");
        break;
    case RV_FIELD_POINTS:
    case RV_FIELD_TRIANGLES:
        write_list(out, field, 3);
        break;
    case RV_FIELD_HEIGHTS:
        write_list(out, field, 0);
        break;
    case RV_FIELD_OBJECT:
        rv_text_add(out, "\"$ref\": \"#/definitions/%s\"", field->kind->name);
        break;
    case RV_FIELD_LIST:
        rv_text_add(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}", field->kind->name);
        break;
    case RV_FIELD_MAP:
        rv_text_add(out, "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/%s\"}",
                    field->kind->name);
        break;
    case RV_FIELD_COMMANDS:
        rv_text_add(out, "\"type\": \"object\"");
        break;
    default:
        rv_text_add(out, "\"type\": \"string\"");
        break;
    }
}

static void write_property(rvText* out, const char* name, const rvField* field, const char* help, bool first)
{
    rv_text_add(out, "%s\n        \"%s\": {\"description\": ", first ? "" : ",", name);
    char words[400];
    rvText description = {words, sizeof words, 0};
    rv_text_add(&description, "%s%s%s%s", help, *field->unit ? " [" : "", field->unit, *field->unit ? "]" : "");
    rv_text_add_quoted(out, words);
    rv_text_add(out, ", ");
    write_type(out, field);
    rv_text_add(out, "}");
}

static void write_kind(rvText* out, const rvKind* kind)
{
    bool first = true;
    rv_text_add(
        out, ",\n    \"%s\": {\n      \"type\": \"object\", \"additionalProperties\": false,\n      \"description\": ",
        kind->name);
    rv_text_add_quoted(out, kind->help);
    rv_text_add(out, ",\n      \"properties\": {");
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->type != RV_FIELD_PLACE) {
            write_property(out, field->name, field, field->help, first);
            first = false;
        }
        for (const rvChoice* c = field->choices; field->type == RV_FIELD_PLACE && c->name; ++c, first = false)
            write_property(out, c->name, field, c->help, first);
    }
    rv_text_add(out, "\n      },\n      \"required\": [");
    const char* between = "";
    for (int i = 0; i < kind->fieldCount; ++i) {
        // what only some types need is left to the reader, as is what "<<" may bring in
        if (kind->fields[i].needed != UINT32_MAX || kind->fields[i].type == RV_FIELD_PLACE)
            continue;
        rv_text_add(out, "%s\"%s\"", between, kind->fields[i].name);
        between = ", ";
    }
    rv_text_add(out, "]\n    }");
}

size_t rvScene_WriteSchema(char* text, size_t capacity)
{
    rvText out = {text, capacity, 0};
    rvLocale locale = rv_locale_enter();
    if (capacity)
        text[0] = '\0';
    rv_text_add(&out,
                "{\n"
                "  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                "  \"title\": \"Reeve scene\",\n"
                "  \"$ref\": \"#/definitions/scene\",\n"
                "  \"definitions\": {\n"
                "    \"quantity\": {\"description\": \"a number with a unit\", \"type\": \"string\", \"pattern\": ");
    rv_text_add_quoted(&out, NUMBER_PATTERN);
    rv_text_add(&out,
                "},\n"
                "    \"orientation\": {\"description\": \"[w, x, y, z], {axis: [x, y, z], angle: a} or "
                "{rpy: [roll, pitch, yaw]}\",\n"
                "      \"anyOf\": [{\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4}, {\"type\": \"object\"}]}");
    for (const rvKind* const* kind = rvSceneKinds; *kind; ++kind)
        write_kind(&out, *kind);
    rv_text_add(&out, "\n  }\n}\n");
    rv_locale_leave(locale);
    return out.length;
}
