// SPDX-License-Identifier: MIT
// The rope over wheels in MuJoCo: a spatial tendon over cylinders, an elastic one, with a site half way between two
// wheels, which it demands; the rope passes there anyway. Default settings, no contact.
#include "cases/route.h"
#include "peers/mujoco_text.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    mjModel* model;
    mjData* data;
} Rope;

static void write_site(FILE* out, const char* name, int number, rvVec3 p)
{
    fprintf(out, "<site name='%s%d' pos='%.17g %.17g %.17g'/>", name, number, p.x, p.y, p.z);
}

static void write_model(int sheaves, double h, double rest, FILE* out)
{
    rvVec3 load = rv_zigzag_load(sheaves);
    fprintf(out,
            "<mujoco><option timestep='%.17g' gravity='0 0 -9.81'><flag contact='disable'/></option><worldbody>"
            "<body name='load' pos='%.17g %.17g %.17g'><freejoint/>"
            "<inertial pos='0 0 0' mass='%.17g' diaginertia='10 10 10'/><site name='load0'/></body>",
            h, load.x, load.y, load.z, RV_ZIGZAG_MASS);
    write_site(out, "start", 0, rv_zigzag_start());
    for (int i = 0; i < sheaves; i++) {
        rvVec3 c = rv_zigzag_wheel(sheaves, i), next = rv_zigzag_wheel(sheaves, i + 1);
        fprintf(out, "<geom name='wheel%d' type='cylinder' size='%.17g 0.1' pos='%.17g 0 %.17g' euler='90 0 0'/>", i,
                RV_ZIGZAG_RADIUS, c.x, c.z);
        // on the outer side, where the rope is to pass
        double outwards = rv_zigzag_is_upper(sheaves, i) ? 1.5 * RV_ZIGZAG_RADIUS : -1.5 * RV_ZIGZAG_RADIUS;
        write_site(out, "side", i, rvVec(c.x, 0.0, c.z + outwards));
        if (i + 1 < sheaves)
            write_site(out, "between", i, rvScale(0.5, rvAdd(c, next)));
    }
    fprintf(out,
            "</worldbody><tendon><spatial name='rope' stiffness='%.17g' springlength='%.17g' damping='100'>"
            "<site site='start0'/>",
            RV_ZIGZAG_STIFFNESS / rest, rest);
    for (int i = 0; i < sheaves; i++) {
        fprintf(out, "<geom geom='wheel%d' sidesite='side%d'/>", i, i);
        if (i + 1 < sheaves)
            fprintf(out, "<site site='between%d'/>", i);
    }
    fputs("<site site='load0'/></spatial></tendon></mujoco>", out);
}

static mjModel* load_model(int sheaves, double h, double rest)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_model(sheaves, h, rest, out);
    fclose(out);
    mjModel* model = rv_mujoco_from_text(text, size);
    free(text);
    return model;
}

static void* create(int sheaves, double h)
{
    Rope* rope = calloc(1, sizeof(*rope));
    // once to ask for the length as it lies, once with it
    double rest = 1.0;
    for (int round = 0; rope && round < 2; round++) {
        if (rope->model) {
            mj_deleteData(rope->data);
            mj_deleteModel(rope->model);
        }
        rope->model = load_model(sheaves, h, rest);
        if (!rope->model) {
            free(rope);
            return NULL;
        }
        rope->data = mj_makeData(rope->model);
        mj_forward(rope->model, rope->data);
        rest = rope->data->ten_length[0];
    }
    return rope;
}

static void step(void* state)
{
    Rope* rope = state;
    mj_step(rope->model, rope->data);
}

static double length(const void* state)
{
    return ((const Rope*)state)->data->ten_length[0];
}

static void destroy(void* state)
{
    Rope* rope = state;
    mj_deleteData(rope->data);
    mj_deleteModel(rope->model);
    free(rope);
}

extern const rvRopeEngine rv_peer_mujoco_rope;

const rvRopeEngine rv_peer_mujoco_rope = {.create = create, .step = step, .length = length, .destroy = destroy};
