// SPDX-License-Identifier: MIT
// What does not change while a world runs, as JSON: shapes, cables, wheels, controls, outputs.
#include "output/surface.h"
#include "support/json.h"
#include "view/stage.h"

static void put_vec(rvBytes* json, const char* name, rvVec3 v)
{
    rv_json_numbers(json, name, (const double[]){v.x, v.y, v.z}, 3);
}

// Shapes that a page cannot make by itself come as triangles, in the frame of the body.
static void put_surface(rvBytes* json, const rvShapeDef* shape)
{
    rvSurface surface;
    if (!rv_surface_make(&surface, shape)) {
        json->failed = true;
        return;
    }
    rv_json_open(json, "points", '[');
    for (int i = 0; i < surface.pointCount; ++i) {
        rv_json_number(json, NULL, surface.points[i].x);
        rv_json_number(json, NULL, surface.points[i].y);
        rv_json_number(json, NULL, surface.points[i].z);
    }
    rv_json_close(json, ']');
    rv_json_open(json, "triangles", '[');
    for (int i = 0; i < 3 * surface.triangleCount; ++i)
        rv_json_integer(json, NULL, surface.triangles[i]);
    rv_json_close(json, ']');
    rv_surface_release(&surface);
}

static void put_shape(rvBytes* json, const rvShapeDef* shape)
{
    static const char* const names[] = {"plane", "sphere", "box", "capsule", "cylinder", "mesh", "mesh", "mesh"};
    rv_json_open(json, NULL, '{');
    rv_json_text(json, "type", names[shape->type]);
    put_vec(json, "p", shape->frame.p);
    rvQuat q = shape->frame.q;
    rv_json_numbers(json, "q", (const double[]){q.w, q.x, q.y, q.z}, 4);
    if (shape->type >= RV_SHAPE_HULL) {
        put_surface(json, shape);
    } else if (shape->type == RV_SHAPE_BOX) {
        put_vec(json, "sides", shape->sides);
    } else {
        rv_json_number(json, "radius", shape->radius);
        rv_json_number(json, "length", shape->length);
    }
    rv_json_close(json, '}');
}

static void put_bodies(rvBytes* json, const rvStage* stage)
{
    static const char* const types[] = {"static", "kinematic", "dynamic", "proxy"};
    rv_json_open(json, "bodies", '[');
    for (int i = 0; i < rvScene_GetBodyCount(stage->scene); ++i) {
        rvBodyId id = rvScene_GetBody(stage->scene, i);
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "name", rvScene_GetBodyName(stage->scene, i));
        rv_json_text(json, "type", types[rvBody_GetType(stage->world, id)]);
        rv_json_number(json, "mass", rvBody_GetMass(stage->world, id));
        rv_json_open(json, "shapes", '[');
        for (int k = 0; k < rvScene_GetShapeCount(stage->scene, i); ++k)
            put_shape(json, rvScene_GetShape(stage->scene, i, k));
        rv_json_close(json, ']');
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
}

static void put_places(rvBytes* json, const rvStage* stage, int cable)
{
    static const char* const types[] = {"attach", "eye", "winch", "free", "sheave", "contact"};
    rv_json_open(json, "places", '[');
    for (int i = 0; i < rvScene_GetPlaceCount(stage->scene, cable); ++i) {
        rvPlaceDef place;
        int body;
        if (!rvScene_GetPlace(stage->scene, cable, i, &place, &body))
            continue;
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "type", types[place.type]);
        rv_json_integer(json, "body", body);
        put_vec(json, "p", place.point);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
}

static void put_cables(rvBytes* json, const rvStage* stage)
{
    rv_json_open(json, "cables", '[');
    for (int i = 0; i < rvScene_GetCableCount(stage->scene); ++i) {
        const rvCableDef* def = rvScene_GetCableDef(stage->scene, i);
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "name", rvScene_GetCableName(stage->scene, i));
        rv_json_number(json, "diameter", def->diameter);
        rv_json_number(json, "breakForce", def->breakForce);
        rv_json_number(json, "overload", def->overload);
        put_places(json, stage, i);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
}

static void put_wheels(rvBytes* json, const rvStage* stage)
{
    rv_json_open(json, "wheels", '[');
    for (int i = 0; i < stage->wheelCount; ++i) {
        const rvViewWheel* wheel = &stage->wheels[i];
        rv_json_open(json, NULL, '{');
        rv_json_integer(json, "cable", wheel->cable);
        rv_json_integer(json, "place", wheel->place);
        rv_json_integer(json, "body", wheel->body);
        rv_json_bool(json, "drum", wheel->drum);
        put_vec(json, "center", wheel->center);
        put_vec(json, "axis", wheel->wheel.axis);
        rv_json_number(json, "radius", wheel->wheel.radius);
        rv_json_number(json, "width", wheel->width);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
}

static void put_controls(rvBytes* json, const rvStage* stage)
{
    static const char* const kinds[] = {"winch", "wheel", "motor", "body"};
    rv_json_open(json, "controls", '[');
    for (int i = 0; i < stage->controlCount; ++i) {
        const rvControl* control = &stage->controls[i];
        rv_json_open(json, NULL, '{');
        rv_json_integer(json, "object", control->object);
        rv_json_integer(json, "part", control->part);
        rv_json_integer(json, "gang", control->gang);
        rv_json_text(json, "name", control->name);
        rv_json_text(json, "kind", kinds[control->kind]);
        rv_json_text(json, "unit", control->unit);
        rv_json_number(json, "max", control->maxSpeed);
        rv_json_number(json, "lower", control->lower);
        rv_json_number(json, "upper", control->upper);
        rv_json_number(json, "maxForce", control->maxForce);
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
}

void rv_stage_describe(const rvStage* stage, rvBytes* json)
{
    json->size = 0;
    rv_json_open(json, NULL, '{');
    rv_json_open(json, "scene", '{');
    rv_json_text(json, "title", rvScene_GetTitle(stage->scene));
    rv_json_number(json, "step", rvScene_GetStep(stage->scene));
    rv_json_number(json, "until", rvScene_GetUntil(stage->scene));
    rv_json_open(json, "models", '[');
    for (int i = 0; rvCableModel_Name((rvCableModel)i); ++i)
        rv_json_text(json, NULL, rvCableModel_Name((rvCableModel)i));
    rv_json_close(json, ']');
    put_bodies(json, stage);
    put_cables(json, stage);
    put_wheels(json, stage);
    put_controls(json, stage);
    rv_json_open(json, "outputs", '[');
    for (int i = 0; i < rvScene_GetOutputCount(stage->scene); ++i) {
        rv_json_open(json, NULL, '{');
        rv_json_text(json, "name", rvScene_GetOutputName(stage->scene, i));
        rv_json_text(json, "unit", rvScene_GetOutputUnit(stage->scene, i));
        rv_json_close(json, '}');
    }
    rv_json_close(json, ']');
    rv_json_close(json, '}');
    rv_json_close(json, '}');
}
