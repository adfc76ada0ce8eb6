// SPDX-License-Identifier: MIT
// The stage: frames, and the wheels that turn in them.
#include "view/stage.h"

#include <stdlib.h>
#include <string.h>

static bool is_wheel(const rvPlaceDef* place)
{
    return place->type == RV_PLACE_SHEAVE || (place->type == RV_PLACE_WINCH && place->wheel.radius > 0.0);
}

// Counts the wheels, or with room fills them in.
static int collect_wheels(const rvScene* scene, rvViewWheel* wheels)
{
    int count = 0;
    for (int c = 0; c < rvScene_GetCableCount(scene); ++c) {
        for (int i = 0; i < rvScene_GetPlaceCount(scene, c); ++i) {
            rvPlaceDef place;
            int body;
            if (!rvScene_GetPlace(scene, c, i, &place, &body) || !is_wheel(&place))
                continue;
            if (wheels)
                wheels[count] = (rvViewWheel){.cable = c,
                                              .place = i,
                                              .body = body,
                                              .drum = place.type == RV_PLACE_WINCH,
                                              .wheel = place.wheel,
                                              .center = place.point,
                                              .width = place.winch.width};
            ++count;
        }
    }
    return count;
}

bool rv_stage_open(rvStage* stage, rvScene* scene, rvWorld* world)
{
    *stage = (rvStage){.scene = scene, .world = world};
    stage->controlCount = rvScene_GetControls(scene, NULL, 0);
    stage->wheelCount = collect_wheels(scene, NULL);
    stage->controls = calloc((size_t)stage->controlCount + 1, sizeof *stage->controls);
    stage->wheels = calloc((size_t)stage->wheelCount + 1, sizeof *stage->wheels);
    stage->values = calloc((size_t)rvScene_GetOutputCount(scene) + 1, sizeof *stage->values);
    if (!stage->controls || !stage->wheels || !stage->values)
        return false;
    rvScene_GetControls(scene, stage->controls, stage->controlCount);
    collect_wheels(scene, stage->wheels);
    return true;
}

void rv_stage_release(rvStage* stage)
{
    free(stage->controls);
    free(stage->wheels);
    free(stage->values);
    rv_rope_line_release(&stage->line);
    *stage = (rvStage){0};
}

void rv_stage_turn(rvStage* stage, double dt)
{
    for (int i = 0; i < stage->wheelCount; ++i) {
        rvViewWheel* wheel = &stage->wheels[i];
        if (!wheel->drum)
            wheel->angle +=
                dt * rvCable_GetWheelSpeed(stage->world, rvScene_GetCable(stage->scene, wheel->cable), wheel->place);
    }
}

static void put_vec(rvBytes* frame, rvVec3 v)
{
    rv_bytes_f32(frame, v.x);
    rv_bytes_f32(frame, v.y);
    rv_bytes_f32(frame, v.z);
}

static void put_bodies(const rvStage* stage, rvBytes* frame)
{
    for (int i = 0; i < rvScene_GetBodyCount(stage->scene); ++i) {
        rvPose pose = rvBody_GetPose(stage->world, rvScene_GetBody(stage->scene, i));
        put_vec(frame, pose.p);
        rv_bytes_f32(frame, pose.q.w);
        rv_bytes_f32(frame, pose.q.x);
        rv_bytes_f32(frame, pose.q.y);
        rv_bytes_f32(frame, pose.q.z);
    }
}

static void put_spans(const rvStage* stage, rvCableId id, int spans, rvBytes* frame)
{
    for (int i = 0, at = 0; i < spans; ++i) {
        at = rv_rope_line_begin(&stage->line, stage->world, id, i, at);
        rv_bytes_u16(frame, (unsigned)at);
    }
    if (spans % 2) // what follows stands at a multiple of four
        rv_bytes_u16(frame, 0);
    for (int i = 0; i < spans; ++i)
        rv_bytes_f32(frame, rvCable_GetTension(stage->world, id, i));
}

enum { CABLE_TAUT = 1, CABLE_BROKEN = 2 };

static void put_cables(rvStage* stage, rvBytes* frame)
{
    for (int c = 0; c < rvScene_GetCableCount(stage->scene); ++c) {
        rvCableId id = rvScene_GetCable(stage->scene, c);
        frame->failed = !rv_rope_line_fetch(&stage->line, stage->world, id) || frame->failed;
        int count = stage->line.count, points = count < 0xffff ? count : 0xffff;
        int places = rvCable_GetPlaceCount(stage->world, id), spans = places > 1 ? places - 1 : 0;
        rv_bytes_u16(frame, (unsigned)points);
        rv_bytes_u16(frame, (unsigned)spans);
        rv_bytes_u32(frame, (rvCable_IsTaut(stage->world, id) ? CABLE_TAUT : 0) |
                                (rvCable_IsBroken(stage->world, id) ? CABLE_BROKEN : 0) |
                                (uint32_t)rvCable_GetModel(stage->world, id) << 8);
        rv_bytes_f32(frame, rvCable_GetRestLength(stage->world, id));
        put_spans(stage, id, spans, frame);
        for (int i = 0; i < points; ++i)
            put_vec(frame, stage->line.points[i]);
    }
}

static void put_wheels(const rvStage* stage, rvBytes* frame)
{
    for (int i = 0; i < stage->wheelCount; ++i) {
        const rvViewWheel* wheel = &stage->wheels[i];
        rvCableId id = rvScene_GetCable(stage->scene, wheel->cable);
        if (wheel->drum) {
            // paying out, rope goes along the cable at the first end and against it at the last; along it the wheel
            // turns about `side` times its axis
            double sense = (wheel->place == 0 ? 1.0 : -1.0) * (wheel->wheel.side < 0 ? -1.0 : 1.0);
            rv_bytes_f32(frame, sense * rvCable_GetDrumAngle(stage->world, id, wheel->place));
            rv_bytes_f32(frame, rvCable_GetDrumRadius(stage->world, id, wheel->place));
        } else {
            rv_bytes_f32(frame, wheel->angle);
            rv_bytes_f32(frame, wheel->wheel.radius);
        }
    }
}

static void put_controls(const rvStage* stage, const double* levers, rvBytes* frame)
{
    for (int i = 0; i < stage->controlCount; ++i) {
        rvControlState state = rvControl_GetState(stage->scene, stage->world, &stage->controls[i]);
        rv_bytes_f32(frame, levers ? levers[i] : 0.0);
        rv_bytes_f32(frame, state.speed);
        rv_bytes_f32(frame, state.position);
        rv_bytes_f32(frame, state.force);
        rv_bytes_u32(frame, state.brake);
    }
}

static void put_values(const rvStage* stage, rvBytes* frame)
{
    rvEnergy energy = rvWorld_GetEnergy(stage->world);
    rv_bytes_f32(frame, energy.kinetic);
    rv_bytes_f32(frame, energy.potential);
    rv_bytes_f32(frame, energy.elastic);
    rv_bytes_f32(frame, energy.work);
    rv_bytes_f32(frame, energy.heat);
    int outputs = rvScene_GetOutputCount(stage->scene);
    rvScene_Evaluate(stage->scene, stage->world, stage->values, outputs);
    for (int i = 0; i < outputs; ++i)
        rv_bytes_f32(frame, stage->values[i]);
}

void rv_stage_frame(rvStage* stage, const rvFrameHead* head, const double* levers, rvBytes* frame)
{
    frame->size = 0;
    rv_bytes_add(frame, "RVF1", 4);
    rv_bytes_u32(frame, head->number);
    rv_bytes_f64(frame, head->time);
    rv_bytes_u32(frame, head->flags);
    rv_bytes_f32(frame, head->pace);
    rv_bytes_f32(frame, head->cost);
    rv_bytes_f32(frame, head->worst);
    rv_bytes_f32(frame, head->budget);
    rv_bytes_u32(frame, (uint32_t)rvWorld_GetStepInfo(stage->world).contacts);
    put_bodies(stage, frame);
    put_cables(stage, frame);
    put_wheels(stage, frame);
    put_controls(stage, levers, frame);
    put_values(stage, frame);
}
