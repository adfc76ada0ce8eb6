// SPDX-License-Identifier: MIT
// Single values: numbers with units, vectors, orientations, inertia, names, lists of points.
#include "scene/read.h"

#include "base/least.h"
#include "scene/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rvRange FREE_RANGE = {-HUGE_VAL, HUGE_VAL, false};

// ---- numbers

// `rest` is what stands behind the number, if there is one.
static bool wrong_number(rvReader* reader, const rvNode* node, const char* unit, const char* rest)
{
    if (node->kind != RV_NODE_SCALAR || rv_node_is_null(node))
        return rv_reader_mistake(reader, node, "is %s, expected a number%s%s", rv_node_describe(node),
                                 *unit ? " in " : "", unit);
    if (!*unit)
        return rv_reader_mistake(reader, node, "is \"%.60s\", expected a number", node->text);
    char unknown[64] = "";
    if (rest)
        snprintf(unknown, sizeof unknown, ", \"%.40s\" is no unit", rest);
    return rv_reader_mistake(reader, node,
                             "is \"%.60s\"%s, expected a number in %s or one with a unit, such as \"3 %s\"", node->text,
                             unknown, unit, unit);
}

static bool out_of_range(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, bool bare)
{
    char expected[120] = "";
    rvText out = {expected, sizeof expected, 0};
    rv_range_describe(&out, range, "a number");
    return rv_reader_mistake(reader, node, "is %.60s%s%s, expected %s", node->text, bare && *unit ? " " : "",
                             bare ? unit : "", expected);
}

bool rv_read_number(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, bool infinite,
                    double* value)
{
    double number = 0.0;
    const char* rest;
    if (node->kind != RV_NODE_SCALAR || !rv_number_read(node->text, &number, &rest))
        return wrong_number(reader, node, unit, NULL);
    bool bare = *rest == '\0';
    while (*rest == ' ')
        ++rest;
    rvUnit written, wanted;
    if (!bare) {
        if (!rv_unit_read(rest, &written))
            return wrong_number(reader, node, unit, rest);
        rv_unit_read(unit, &wanted);
        if (!rv_unit_same_kind(&written, &wanted))
            return rv_reader_mistake(reader, node, "is \"%.60s\", a wrong unit: expected %s", node->text,
                                     *unit ? unit : "a number without a unit");
        number *= written.factor;
    }
    if (isnan(number) || (isinf(number) && !infinite))
        return rv_reader_mistake(reader, node, "is %.60s, expected a finite number", node->text);
    if (number < range->lower || number > range->upper || (range->open && number == range->lower))
        return out_of_range(reader, node, unit, range, bare);
    bool divides = range->lower >= 0.0;
    if (rv_is_too_small(number, divides))
        return rv_reader_mistake(reader, node, "is %.60s%s%s, expected %sa number of at least %g%s%s%s", node->text,
                                 bare && *unit ? " " : "", bare ? unit : "", range->open ? "" : "0 or ",
                                 divides ? RV_LEAST_DIVISOR : DBL_MIN, *unit ? " " : "", unit,
                                 divides ? "" : " in size");
    *value = number;
    return true;
}

bool rv_read_numbers(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, double* values,
                     int count)
{
    if (node->kind != RV_NODE_LIST || node->count != count) {
        if (node->kind == RV_NODE_LIST)
            return rv_reader_mistake(reader, node, "has %d values, expected %d numbers%s%s", node->count, count,
                                     *unit ? " in " : "", unit);
        return rv_reader_mistake(reader, node, "is %s, expected a list of %d numbers%s%s", rv_node_describe(node),
                                 count, *unit ? " in " : "", unit);
    }
    bool good = true;
    int i = 0;
    for (const rvNode* item = node->first; item; item = item->next, ++i) {
        size_t outer = rv_reader_enter(reader, "[%d]", i);
        good = rv_read_number(reader, item, unit, range, false, &values[i]) && good;
        rv_reader_leave(reader, outer);
    }
    return good;
}

static bool read_vector(rvReader* reader, const rvNode* node, const char* unit, const rvRange* range, rvVec3* vector)
{
    double v[3] = {0};
    if (!rv_read_numbers(reader, node, unit, range, v, 3))
        return false;
    *vector = rvVec(v[0], v[1], v[2]);
    return true;
}

static bool read_direction(rvReader* reader, const rvNode* node, rvVec3* direction)
{
    if (!read_vector(reader, node, "", &FREE_RANGE, direction))
        return false;
    double length = rvLength(*direction);
    if (!(length > 1e-9 && length < 1e9))
        return rv_reader_mistake(reader, node, "has no direction, expected a vector that is not zero");
    return true;
}

static bool read_limits(rvReader* reader, const rvNode* node, const char* unit, rvLimits* limits)
{
    if (node->kind != RV_NODE_LIST || node->count != 2)
        return rv_reader_mistake(reader, node, "expected [lower, upper] in %s", unit);
    if (!rv_read_number(reader, node->first, unit, &FREE_RANGE, true, &limits->lower) ||
        !rv_read_number(reader, node->first->next, unit, &FREE_RANGE, true, &limits->upper))
        return false;
    if (limits->lower > limits->upper)
        return rv_reader_mistake(reader, node, "the lower limit is above the upper one");
    return true;
}

static bool read_whole(rvReader* reader, const rvNode* node, const rvRange* range, double* value)
{
    char* end = NULL;
    if (node->kind == RV_NODE_SCALAR && strncmp(node->text, "0x", 2) == 0) {
        *value = (double)strtoul(node->text, &end, 16);
        if (*end == '\0' && *value <= range->upper)
            return true;
    }
    if (!rv_read_number(reader, node, "", range, false, value))
        return false;
    if (*value != floor(*value))
        return rv_reader_mistake(reader, node, "is %.60s, expected a whole number", node->text);
    return true;
}

// ---- orientation and inertia

// Turns about x, then y, then z of the world.
static rvQuat from_rpy(const double rpy[3])
{
    rvQuat x = rvQuatFromAxisAngle(rvVec(1, 0, 0), rpy[0]);
    rvQuat y = rvQuatFromAxisAngle(rvVec(0, 1, 0), rpy[1]);
    rvQuat z = rvQuatFromAxisAngle(rvVec(0, 0, 1), rpy[2]);
    return rvQuatMul(z, rvQuatMul(y, x));
}

bool rv_read_orientation(rvReader* reader, const rvNode* node, rvQuat* q)
{
    const rvNode* rpy = rv_node_find(node, "rpy");
    const rvNode *axis = rv_node_find(node, "axis"), *angle = rv_node_find(node, "angle");
    if (rpy && node->count == 1) {
        double angles[3] = {0};
        if (!rv_read_numbers(reader, rpy, "rad", &FREE_RANGE, angles, 3))
            return false;
        *q = from_rpy(angles);
        return true;
    }
    if (axis && angle && node->count == 2) {
        rvVec3 direction;
        double turn = 0.0;
        if (!read_direction(reader, axis, &direction) ||
            !rv_read_number(reader, angle, "rad", &FREE_RANGE, false, &turn))
            return false;
        *q = rvQuatFromAxisAngle(direction, turn);
        return true;
    }
    double v[4] = {0};
    if (node->kind != RV_NODE_LIST || node->count != 4)
        return rv_reader_mistake(reader, node,
                                 "expected [w, x, y, z], {axis: [x, y, z], angle: a} or {rpy: [roll, pitch, yaw]}");
    if (!rv_read_numbers(reader, node, "", &FREE_RANGE, v, 4))
        return false;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(fabs(length - 1.0) < 1e-3))
        return rv_reader_mistake(reader, node, "has length %g, expected a quaternion of length 1", length);
    rvQuat written = {v[0], v[1], v[2], v[3]};
    // a unit quaternion stays as it is, so that what was written reads back bit for bit
    *q = fabs(length - 1.0) < 1e-15 ? written : rvQuatNormalize(written);
    return true;
}

// A body can have the inertia I if its second moments P = (tr I / 2) 1 - I = sum m x x^T are not negative: for
// principal moments that is the triangle inequality. Checked by the principal minors of P, with room for rounding.
static bool is_possible_inertia(const rvMat3* inertia)
{
    double trace = inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2], p[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            p[i][j] = ((i == j ? 0.5 * trace : 0.0) - inertia->m[i][j]) / trace;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        if (!(p[i][i] >= -1e-9) || !(p[i][i] * p[j][j] - p[i][j] * p[j][i] >= -1e-9))
            return false;
    }
    double det = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) - p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                 p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    return det >= -1e-9;
}

static bool read_inertia(rvReader* reader, const rvNode* node, const rvField* field, rvMat3* inertia)
{
    memset(inertia, 0, sizeof *inertia);
    if (node->kind == RV_NODE_LIST && node->count == 3 && node->first->kind == RV_NODE_LIST) {
        const rvNode* row = node->first;
        for (int i = 0; i < 3; ++i, row = row->next)
            if (!rv_read_numbers(reader, row, field->unit, &FREE_RANGE, inertia->m[i], 3))
                return false;
        for (int i = 0; i < 3; ++i)
            if (fabs(inertia->m[i][(i + 1) % 3] - inertia->m[(i + 1) % 3][i]) > 1e-9 * fabs(inertia->m[i][i]))
                return rv_reader_mistake(reader, node, "is not symmetric");
    } else {
        double diagonal[3] = {0};
        if (!rv_read_numbers(reader, node, field->unit, &field->range, diagonal, 3))
            return false;
        *inertia = rvMat3Diagonal(diagonal[0], diagonal[1], diagonal[2]);
    }
    for (int i = 0; i < 3; ++i)
        if (!(inertia->m[i][i] > 0.0))
            return rv_reader_mistake(reader, node, "has %g on its diagonal, expected numbers > 0", inertia->m[i][i]);
    if (!is_possible_inertia(inertia))
        return rv_reader_mistake(
            reader, node, "breaks the triangle inequality: no principal moment may exceed the sum of the others");
    return true;
}

// ---- choices, names

static bool read_choice(rvReader* reader, const rvNode* node, const rvChoice* choices, int* value)
{
    const char* names[24] = {0};
    char all[200] = "";
    rvText out = {all, sizeof all, 0};
    rv_choices_describe(&out, choices);
    for (int i = 0; choices[i].name && i < 23; ++i) {
        names[i] = choices[i].name;
        if (node->kind == RV_NODE_SCALAR && strcmp(node->text, choices[i].name) == 0) {
            *value = i;
            return true;
        }
    }
    if (node->kind != RV_NODE_SCALAR)
        return rv_reader_mistake(reader, node, "is %s, expected one of %s", rv_node_describe(node), all);
    const char* nearest = rv_suggest(node->text, names);
    return rv_reader_mistake(reader, node, "is \"%.60s\", expected one of %s%s%s%s", node->text, all,
                             nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static bool read_text(rvReader* reader, const rvNode* node, const char* what, const char** text)
{
    if (node->kind != RV_NODE_SCALAR || rv_node_is_null(node))
        return rv_reader_mistake(reader, node, "is %s, expected %s", rv_node_describe(node), what);
    *text = node->text;
    return true;
}

static bool read_bool(rvReader* reader, const rvNode* node, bool* value)
{
    bool text = node->kind == RV_NODE_SCALAR && !rv_node_is_null(node);
    bool yes = text && strcmp(node->text, "true") == 0;
    if (!yes && (!text || strcmp(node->text, "false") != 0))
        return rv_reader_mistake(reader, node, "is %s%.60s%s, expected true or false", text ? "\"" : "",
                                 text ? node->text : rv_node_describe(node), text ? "\"" : "");
    *value = yes;
    return true;
}

static bool read_place(rvReader* reader, const rvField* field, const rvNode* node, rvScenePlace* place)
{
    int type = 0;
    while (strcmp(field->choices[type].name, node->key) != 0)
        ++type;
    place->def.type = (rvPlaceType)type;
    if (place->def.type == RV_PLACE_SHEAVE)
        place->def.friction = rvSheavePlace(RV_NULL_BODY, rvVec(0, 0, 0), rvVec(0, 1, 0), 1.0).friction;
    return read_text(reader, node, "the name of a body, or world", &place->body);
}

// ---- lists

static bool expect_list(rvReader* reader, const rvNode* node, int least, const char* what)
{
    if (node->kind == RV_NODE_LIST && node->count >= least)
        return true;
    if (node->kind == RV_NODE_LIST)
        return rv_reader_mistake(reader, node, "has %d entries, expected %s", node->count, what);
    return rv_reader_mistake(reader, node, "is %s, expected %s", rv_node_describe(node), what);
}

static bool read_points(rvReader* reader, const rvNode* node, const char* unit, rvShapeDef* def)
{
    if (!expect_list(reader, node, 3, "at least 3 points [[x, y, z], ...]"))
        return false;
    rvVec3* points = rv_arena_take_array(&reader->scene->arena, (size_t)node->count, sizeof *points);
    bool good = points != NULL;
    int i = 0;
    for (const rvNode* item = node->first; item && points; item = item->next, ++i) {
        size_t outer = rv_reader_enter(reader, "[%d]", i);
        good = read_vector(reader, item, unit, &FREE_RANGE, &points[i]) && good;
        rv_reader_leave(reader, outer);
    }
    def->points = points;
    def->pointCount = points ? node->count : 0;
    return good;
}

static bool read_triangles(rvReader* reader, const rvNode* node, rvShapeDef* def)
{
    static const rvRange indices = {0, 2147483647.0, false};
    if (!expect_list(reader, node, 1, "triangles [[0, 1, 2], ...]"))
        return false;
    int* triangles = rv_arena_take_array(&reader->scene->arena, 3 * (size_t)node->count, sizeof *triangles);
    bool good = triangles != NULL;
    int i = 0;
    for (const rvNode* item = node->first; item && triangles; item = item->next, ++i) {
        double corners[3] = {0, 0, 0};
        size_t outer = rv_reader_enter(reader, "[%d]", i);
        good = rv_read_numbers(reader, item, "", &indices, corners, 3) && good;
        rv_reader_leave(reader, outer);
        for (int k = 0; k < 3; ++k)
            triangles[3 * i + k] = (int)corners[k];
    }
    def->triangles = triangles;
    def->triangleCount = triangles ? node->count : 0;
    return good;
}

static bool read_heights(rvReader* reader, const rvNode* node, const char* unit, rvShapeDef* def)
{
    if (!expect_list(reader, node, 2, "at least 2 rows of heights"))
        return false;
    int columns = node->first->kind == RV_NODE_LIST ? node->first->count : 0;
    if (columns < 2)
        return rv_reader_mistake(reader, node->first, "expected a row of at least 2 heights");
    // before memory is taken: one long row must not count for all
    for (const rvNode* row = node->first; row; row = row->next)
        if (row->kind != RV_NODE_LIST || row->count != columns)
            return rv_reader_mistake(reader, row, "expected a row of %d heights, as the first one", columns);
    double* heights =
        rv_arena_take_array(&reader->scene->arena, (size_t)node->count * (size_t)columns, sizeof *heights);
    bool good = heights != NULL;
    int i = 0;
    for (const rvNode* row = node->first; row && good; row = row->next, ++i) {
        size_t outer = rv_reader_enter(reader, "[%d]", i);
        good = rv_read_numbers(reader, row, unit, &FREE_RANGE, heights + (size_t)i * (size_t)columns, columns);
        rv_reader_leave(reader, outer);
    }
    def->heights = heights;
    def->columns = columns;
    def->rows = node->count;
    return good;
}

// Objects of a kind, in a list or by name in a map. One place is left over, for a body that is added (the ground).
static bool read_objects(rvReader* reader, const rvField* field, const rvNode* node, rvSceneList* list)
{
    bool map = field->type == RV_FIELD_MAP;
    if (rv_node_is_null(node))
        return true;
    if (node->kind != (map ? RV_NODE_MAP : RV_NODE_LIST))
        return rv_reader_mistake(reader, node, "is %s, expected %s", rv_node_describe(node),
                                 map ? "a map of names" : "a list");
    list->items = rv_arena_take_array(&reader->scene->arena, (size_t)node->count + 1, field->kind->size);
    list->count = list->items ? node->count : 0;
    int i = 0;
    for (const rvNode* item = node->first; item && list->items; item = item->next, ++i) {
        size_t outer = map ? rv_reader_enter(reader, ".%.60s", item->key) : rv_reader_enter(reader, "[%d]", i);
        rv_read_object(reader, field->kind, item, (char*)list->items + (size_t)i * field->kind->size);
        rv_reader_leave(reader, outer);
    }
    return true;
}

// Commands and outputs: kept as names until all objects are known.
static bool read_channels(rvReader* reader, const rvField* field, const rvNode* node, rvSceneList* list)
{
    bool commands = field->type == RV_FIELD_COMMANDS;
    if (rv_node_is_null(node))
        return true;
    if (node->kind != (commands ? RV_NODE_MAP : RV_NODE_LIST))
        return rv_reader_mistake(reader, node, "is %s, expected %s", rv_node_describe(node),
                                 commands ? "a map of channels" : "a list of channels");
    rvSceneChannel* items = rv_arena_take_array(&reader->scene->arena, (size_t)node->count, sizeof *items);
    list->items = items;
    for (const rvNode* item = node->first; item && items; item = item->next) {
        size_t outer = rv_reader_enter(reader, "[%d]", list->count);
        const char* name = commands ? item->key : "";
        if (commands || read_text(reader, item, "the name of a channel", &name)) {
            items[list->count].head.node = item;
            items[list->count++].head.name = name;
        }
        rv_reader_leave(reader, outer);
    }
    return true;
}

// ---- fields

static bool read_simple(rvReader* reader, const rvKind* kind, const rvField* field, const rvNode* node, void* at)
{
    const char* unit = rv_field_unit(kind, field);
    double number = 0.0;
    switch (field->type) {
    case RV_FIELD_NUMBER:
        return rv_read_number(reader, node, unit, &field->range, field->infinite, at);
    case RV_FIELD_INTEGER:
        if (!read_whole(reader, node, &field->range, &number))
            return false;
        *(int*)at = (int)number;
        return true;
    case RV_FIELD_BITS:
        if (!read_whole(reader, node, &field->range, &number))
            return false;
        *(uint32_t*)at = (uint32_t)number;
        return true;
    case RV_FIELD_BOOL:
        return read_bool(reader, node, at);
    case RV_FIELD_TEXT:
        return read_text(reader, node, "a text", at);
    case RV_FIELD_CHOICE:
        return read_choice(reader, node, field->choices, at);
    case RV_FIELD_VECTOR:
        return read_vector(reader, node, unit, &field->range, at);
    case RV_FIELD_DIRECTION:
        return read_direction(reader, node, at);
    case RV_FIELD_LIMITS:
        return read_limits(reader, node, unit, at);
    case RV_FIELD_ORIENTATION:
        return rv_read_orientation(reader, node, at);
    case RV_FIELD_INERTIA:
        return read_inertia(reader, node, field, at);
    case RV_FIELD_BODY:
        return read_text(reader, node, "the name of a body, or world", at);
    default:
        return read_text(reader, node, "the name of a cable", at);
    }
}

bool rv_read_field(rvReader* reader, const rvKind* kind, const rvField* field, const rvNode* node, void* object)
{
    void* at = rv_field_at(field, object);
    switch (field->type) {
    case RV_FIELD_PLACE:
        return read_place(reader, field, node, object);
    case RV_FIELD_POINTS:
        return read_points(reader, node, field->unit, &((rvSceneShape*)object)->def);
    case RV_FIELD_TRIANGLES:
        return read_triangles(reader, node, &((rvSceneShape*)object)->def);
    case RV_FIELD_HEIGHTS:
        return read_heights(reader, node, field->unit, &((rvSceneShape*)object)->def);
    case RV_FIELD_OBJECT:
        rv_read_object(reader, field->kind, node, at);
        return true;
    case RV_FIELD_LIST:
    case RV_FIELD_MAP:
        return read_objects(reader, field, node, at);
    case RV_FIELD_COMMANDS:
    case RV_FIELD_OUTPUTS:
        return read_channels(reader, field, node, at);
    default:
        return read_simple(reader, kind, field, node, at);
    }
}
