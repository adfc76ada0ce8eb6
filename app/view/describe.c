// SPDX-License-Identifier: MIT
// What does not change while a world runs, as JSON: shapes, cables, wheels, controls, outputs.
#include "output/surface.h"
#include "view/stage.h"

static void put_vec(rvBytes* json, const char* name, rvVec3 v)
{
    rv_bytes_printf(json, "\"%s\":[%.9g,%.9g,%.9g],", name, v.x, v.y, v.z);
}

static void put_number(rvBytes* json, const char* name, double value)
{
    rv_bytes_printf(json, "\"%s\":", name);
    rv_bytes_number(json, value);
    rv_bytes_u8(json, ',');
}

static void put_string(rvBytes* json, const char* name, const char* value)
{
    rv_bytes_printf(json, "\"%s\":", name);
    rv_bytes_string(json, value);
    rv_bytes_u8(json, ',');
}

// Ends a list or an object that was written with commas behind all of its parts.
static void close_with(rvBytes* json, char bracket)
{
    if (json->size > 0 && json->data[json->size - 1] == ',')
        json->size--;
    rv_bytes_u8(json, (unsigned char)bracket);
    rv_bytes_u8(json, ',');
}

// Shapes that a page cannot make by itself come as triangles, in the frame of the body.
static void put_surface(rvBytes* json, const rvShapeDef* shape)
{
    rvSurface surface;
    if (!rv_surface_make(&surface, shape))
        return;
    rv_bytes_printf(json, "\"points\":[");
    for (int i = 0; i < surface.pointCount; ++i)
        rv_bytes_printf(json, "%.6g,%.6g,%.6g,", surface.points[i].x, surface.points[i].y, surface.points[i].z);
    close_with(json, ']');
    rv_bytes_printf(json, "\"triangles\":[");
    for (int i = 0; i < 3 * surface.triangleCount; ++i)
        rv_bytes_printf(json, "%d,", surface.triangles[i]);
    close_with(json, ']');
    rv_surface_release(&surface);
}

static void put_shape(rvBytes* json, const rvShapeDef* shape)
{
    static const char* const names[] = {"plane", "sphere", "box", "capsule", "cylinder", "mesh", "mesh", "mesh"};
    rv_bytes_u8(json, '{');
    put_string(json, "type", names[shape->type]);
    put_vec(json, "p", shape->frame.p);
    rvQuat q = shape->frame.q;
    rv_bytes_printf(json, "\"q\":[%.9g,%.9g,%.9g,%.9g],", q.w, q.x, q.y, q.z);
    if (shape->type >= RV_SHAPE_HULL) {
        put_surface(json, shape);
    } else if (shape->type == RV_SHAPE_BOX) {
        put_vec(json, "sides", shape->sides);
    } else {
        put_number(json, "radius", shape->radius);
        put_number(json, "length", shape->length);
    }
    close_with(json, '}');
}

static void put_bodies(rvBytes* json, const rvStage* stage)
{
    static const char* const types[] = {"static", "kinematic", "dynamic", "proxy"};
    rv_bytes_printf(json, "\"bodies\":[");
    for (int i = 0; i < rvScene_GetBodyCount(stage->scene); ++i) {
        rvBodyId id = rvScene_GetBody(stage->scene, i);
        rv_bytes_u8(json, '{');
        put_string(json, "name", rvScene_GetBodyName(stage->scene, i));
        put_string(json, "type", types[rvBody_GetType(stage->world, id)]);
        put_number(json, "mass", rvBody_GetMass(stage->world, id));
        rv_bytes_printf(json, "\"shapes\":[");
        for (int k = 0; k < rvScene_GetShapeCount(stage->scene, i); ++k)
            put_shape(json, rvScene_GetShape(stage->scene, i, k));
        close_with(json, ']');
        close_with(json, '}');
    }
    close_with(json, ']');
}

static void put_places(rvBytes* json, const rvStage* stage, int cable)
{
    static const char* const types[] = {"attach", "eye", "winch", "free", "sheave", "contact"};
    rv_bytes_printf(json, "\"places\":[");
    for (int i = 0; i < rvScene_GetPlaceCount(stage->scene, cable); ++i) {
        rvPlaceDef place;
        int body;
        if (!rvScene_GetPlace(stage->scene, cable, i, &place, &body))
            continue;
        rv_bytes_printf(json, "{\"type\":\"%s\",\"body\":%d,", types[place.type], body);
        put_vec(json, "p", place.point);
        close_with(json, '}');
    }
    close_with(json, ']');
}

static void put_cables(rvBytes* json, const rvStage* stage)
{
    rv_bytes_printf(json, "\"cables\":[");
    for (int i = 0; i < rvScene_GetCableCount(stage->scene); ++i) {
        const rvCableDef* def = rvScene_GetCableDef(stage->scene, i);
        rv_bytes_u8(json, '{');
        put_string(json, "name", rvScene_GetCableName(stage->scene, i));
        put_number(json, "diameter", def->diameter);
        put_number(json, "breakForce", def->breakForce);
        put_number(json, "overload", def->overload);
        put_places(json, stage, i);
        close_with(json, '}');
    }
    close_with(json, ']');
}

static void put_wheels(rvBytes* json, const rvStage* stage)
{
    rv_bytes_printf(json, "\"wheels\":[");
    for (int i = 0; i < stage->wheelCount; ++i) {
        const rvViewWheel* wheel = &stage->wheels[i];
        rv_bytes_printf(json, "{\"cable\":%d,\"place\":%d,\"body\":%d,\"drum\":%s,", wheel->cable, wheel->place,
                        wheel->body, wheel->drum ? "true" : "false");
        put_vec(json, "center", wheel->center);
        put_vec(json, "axis", wheel->wheel.axis);
        put_number(json, "radius", wheel->wheel.radius);
        put_number(json, "width", wheel->width);
        close_with(json, '}');
    }
    close_with(json, ']');
}

static void put_controls(rvBytes* json, const rvStage* stage)
{
    static const char* const kinds[] = {"winch", "wheel", "motor", "body"};
    rv_bytes_printf(json, "\"controls\":[");
    for (int i = 0; i < stage->controlCount; ++i) {
        const rvControl* control = &stage->controls[i];
        rv_bytes_printf(json, "{\"object\":%d,\"part\":%d,\"gang\":%d,", control->object, control->part, control->gang);
        put_string(json, "name", control->name);
        put_string(json, "kind", kinds[control->kind]);
        put_string(json, "unit", control->unit);
        put_number(json, "max", control->maxSpeed);
        put_number(json, "lower", control->lower);
        put_number(json, "upper", control->upper);
        put_number(json, "maxForce", control->maxForce);
        close_with(json, '}');
    }
    close_with(json, ']');
}

void rv_stage_describe(const rvStage* stage, rvBytes* json)
{
    json->size = 0;
    rv_bytes_printf(json, "{\"scene\":{");
    put_string(json, "title", rvScene_GetTitle(stage->scene));
    put_number(json, "step", rvScene_GetStep(stage->scene));
    put_number(json, "until", rvScene_GetUntil(stage->scene));
    rv_bytes_printf(json, "\"models\":[");
    for (int i = 0; rvCableModel_Name((rvCableModel)i); ++i)
        rv_bytes_printf(json, "\"%s\",", rvCableModel_Name((rvCableModel)i));
    close_with(json, ']');
    put_bodies(json, stage);
    put_cables(json, stage);
    put_wheels(json, stage);
    put_controls(json, stage);
    rv_bytes_printf(json, "\"outputs\":[");
    for (int i = 0; i < rvScene_GetOutputCount(stage->scene); ++i) {
        rv_bytes_u8(json, '{');
        put_string(json, "name", rvScene_GetOutputName(stage->scene, i));
        put_string(json, "unit", rvScene_GetOutputUnit(stage->scene, i));
        close_with(json, '}');
    }
    close_with(json, ']');
    close_with(json, '}');
    json->size--; // the comma
    rv_bytes_u8(json, '}');
}
