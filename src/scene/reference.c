// SPDX-License-Identifier: MIT
// docs/scene.md from the tables of fields and channels. Defaults are read out of freshly started objects.
#include "scene/channel.h"
#include "scene/units.h"
#include "scene/write.h"

#include <stddef.h>
#include <string.h>

static const char* type_words(const rvField* field)
{
    static const char* const words[] = {
        [RV_FIELD_NUMBER] = "number",
        [RV_FIELD_INTEGER] = "whole number",
        [RV_FIELD_BITS] = "32 bits",
        [RV_FIELD_BOOL] = "true, false",
        [RV_FIELD_TEXT] = "text",
        [RV_FIELD_VECTOR] = "[x, y, z]",
        [RV_FIELD_DIRECTION] = "[x, y, z], not zero",
        [RV_FIELD_LIMITS] = "[lower, upper]",
        [RV_FIELD_ORIENTATION] = "[orientation](#orientations)",
        [RV_FIELD_INERTIA] = "3 or 3 x 3 numbers",
        [RV_FIELD_BODY] = "name of a body, or `world`",
        [RV_FIELD_CABLE] = "name of a cable",
        [RV_FIELD_PLACE] = "name of a body, or `world`",
        [RV_FIELD_POINTS] = "list of [x, y, z]",
        [RV_FIELD_TRIANGLES] = "list of [i, j, k]",
        [RV_FIELD_HEIGHTS] = "list of rows",
        [RV_FIELD_COMMANDS] = "map of [channels](#channels)",
        [RV_FIELD_OUTPUTS] = "list of [channels](#channels)",
    };
    return words[field->type];
}

static void write_type(rvText* out, const rvField* field)
{
    if (field->type == RV_FIELD_CHOICE) {
        for (const rvChoice* c = field->choices; c->name; ++c)
            rv_text_add(out, "%s`%s`", c == field->choices ? "" : ", ", c->name);
    } else if (field->kind) {
        const char* name = field->kind->name;
        rv_text_add(out, "%s[%s](#%s)",
                    field->type == RV_FIELD_LIST  ? "list of "
                    : field->type == RV_FIELD_MAP ? "map of "
                                                  : "",
                    name, name);
    } else {
        rv_text_add(out, "%s", type_words(field));
    }
    bool bounded = isfinite(field->range.lower) && field->type != RV_FIELD_BITS;
    if (field->type <= RV_FIELD_INTEGER || field->type == RV_FIELD_VECTOR || field->type == RV_FIELD_INERTIA)
        if (bounded)
            rv_range_describe(out, &field->range, "");
}

// For a field that only some types have: "box", "sphere, capsule".
static void write_types(rvText* out, const rvKind* kind, uint32_t types)
{
    const char* between = "";
    for (int i = 0; kind->fields[0].choices[i].name; ++i) {
        if (!(types >> i & 1))
            continue;
        rv_text_add(out, "%s%s", between, kind->fields[0].choices[i].name);
        between = ", ";
    }
}

static void write_row(rvText* out, const rvKind* kind, const rvField* field, const char* name, const char* help,
                      const void* fresh)
{
    rv_text_add(out, "| `%s` | ", name);
    write_type(out, field);
    rv_text_add(out, " | %s", field->unit);
    if (field->turnUnit)
        rv_text_add(out, ", %s", field->turnUnit);
    rv_text_add(out, " | ");
    if (field->otherwise)
        rv_text_add(out, "%s", field->otherwise);
    else
        rv_write_value(out, field, fresh);
    rv_text_add(out, " | %s", help);
    bool all = field->needed == UINT32_MAX;
    if (field->types) {
        rv_text_add(out, " (");
        write_types(out, kind, field->types);
        rv_text_add(out, ")");
    }
    if (field->models) { // the first field of cables says which
        rv_text_add(out, " (");
        write_types(out, &rvCableKind, field->models);
        rv_text_add(out, ")");
    }
    if (field->needed && field->type != RV_FIELD_PLACE)
        rv_text_add(out, all || field->needed == field->types ? "; **needed**" : "; **needed** for ");
    if (field->needed && !all && field->needed != field->types)
        write_types(out, kind, field->needed);
    rv_text_add(out, " |\n");
}

enum { LARGEST_KIND = 16384 }; // an object of it [bytes]

static void write_kind(rvText* out, const rvKind* kind)
{
    _Alignas(max_align_t) unsigned char fresh[LARGEST_KIND] = {0};
    if (kind->size > sizeof fresh)
        return;
    kind->start(fresh);
    rv_text_add(out, "\n## %s\n\n%s\n\n| field | type | unit | default | what it is |\n|---|---|---|---|---|\n",
                kind->name, kind->help);
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->type != RV_FIELD_PLACE)
            write_row(out, kind, field, field->name, field->help, fresh);
        for (const rvChoice* c = field->choices; field->type == RV_FIELD_PLACE && c->name; ++c)
            write_row(out, kind, field, c->name, c->help, fresh);
    }
    for (int i = 0; i < kind->fieldCount; ++i) {
        const rvField* field = &kind->fields[i];
        if (field->type != RV_FIELD_CHOICE)
            continue;
        rv_text_add(out, "\n`%s` is one of\n\n", field->name);
        for (const rvChoice* c = field->choices; c->name; ++c)
            rv_text_add(out, "- `%s`: %s\n", c->name, c->help);
    }
}

static void write_channels(rvText* out)
{
    static const char* const owners[] = {"a body", "a joint", "a cable", "the world"};
    static const char* const widths[] = {"", "", "", ".x .y .z", ".w .x .y .z"};
    rv_text_add(
        out,
        "\n## Channels\n\nA channel is `name.quantity`, such as `load.position.z`, `hoist.tension[0]`, `boom.angle`"
        " or `energy.kinetic`.\n`outputs` lists channels; of a vector without a component all are written."
        " `commands` drives them: a value, or a table\n`[[time, value], ...]` with straight lines between its rows"
        " (two rows make a ramp, two rows at one time a jump) and\nconstant ends. A vector is driven as a whole:"
        " `hand.position: [[0, [6, 0, 1]], [2, [8, 0, 1]]]`. In a list in brackets names\nwith brackets need quotes:"
        " `outputs: [\"hoist.tension[0]\", load.position]`.\n\n"
        "| of | channel | parts | unit | output | command | what it is |\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < rvChannelCount; ++i) {
        const rvChannel* c = &rvChannels[i];
        rv_text_add(out, "| %s | `%s%s` | %s | %s | %s | %s | %s |\n", owners[c->kind], c->name,
                    c->along == RV_ALONG_MUST   ? "@s"
                    : c->index == RV_INDEX_NONE ? ""
                                                : "[i]",
                    widths[c->width], c->unit, c->get ? "yes" : "", c->set ? "yes" : "", c->help);
    }
}

static void write_introduction(rvText* out)
{
    rvSceneLimits limits = rvDefaultSceneLimits();
    rv_text_add(
        out,
        "<!-- Generated by `reeve docs scene` from src/scene/fields.c and src/scene/channel.c. Do not edit. -->\n"
        "# Scenes\n\n"
        "A scene is a YAML 1.2 file (JSON is YAML too) that says what there is, what happens and what is written out.\n"
        "`reeve new NAME` writes one to start from, `reeve check` looks it over, `reeve run` runs it. Editors that "
        "know\n"
        "JSON schema check it while you write, by [scene.schema.json](scene.schema.json).\n\n"
        "Anchors, aliases and the merge key `<<` work. Limits: %.0f MB, %d values (aliases counted as often as they "
        "are\n"
        "used), %d lists and maps inside each other. z is up, frames are right-handed.\n\n",
        (double)limits.maxBytes / 1e6, limits.maxNodes, limits.maxDepth);
    rv_text_add(out, "## Units\n\n"
                     "Plain numbers are in the unit of the table. With a unit they are converted: `20 mm`, `3 t`, `45 "
                     "deg`, `2 kN`,\n"
                     "`1 GPa`, `5 km/h`, `12 rpm`, `30 kN/m`. A unit that does not fit is refused. Known are");
    for (int i = 0; rv_unit_symbol(i); ++i)
        rv_text_add(out, "%s %s", i ? "," : "", rv_unit_symbol(i));
    rv_text_add(out,
                " and the usual ones with a prefix n, u, m, c, d, k, M, G or T.\n\n"
                "## Orientations\n\n"
                "A unit quaternion `[w, x, y, z]`, an axis and an angle `{axis: [0, 0, 1], angle: 30 deg}`, or roll,\n"
                "pitch and yaw `{rpy: [0, 0, 30 deg]}`: turns about x, then y, then z of the world.\n");
}

size_t rvScene_WriteReference(char* text, size_t capacity)
{
    rvText out = {text, capacity, 0};
    rvLocale locale = rv_locale_enter();
    if (capacity)
        text[0] = '\0';
    write_introduction(&out);
    for (const rvKind* const* kind = rvSceneKinds; *kind; ++kind)
        write_kind(&out, *kind);
    write_channels(&out);
    rv_locale_leave(locale);
    return out.length;
}
