// SPDX-License-Identifier: MIT
// The crane of `reeve bench hosts` in MuJoCo: hinge and slide joints with stiff velocity actuators (hence the implicit
// integrator), ropes through hosts/mujoco/reeve_mujoco.h.
#include "cases/hosts.h"
#include "mujoco/reeve_mujoco.h"
#include "peers/mujoco_text.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    mjModel* model;
    mjData* data;
    int bodies[RV_CRANE_BODIES];
    rvMujoco link;
    rvCableId hoist;
} Crane;

static void destroy(void* state)
{
    Crane* crane = state;
    rvMujoco_Close(&crane->link);
    mj_deleteData(crane->data);
    mj_deleteModel(crane->model);
    free(crane);
}

// A body is left open: the trolley stands within the jib.
static void write_body(FILE* out, int i, rvVec3 from, const char* joint)
{
    const rvCraneBody* b = &rvCraneBodies[i];
    rvVec3 p = rvSub(b->at, from);
    fprintf(out,
            "<body name='%s' pos='%.17g %.17g %.17g'>%s"
            "<geom type='box' size='%.17g %.17g %.17g' mass='%.17g'/>",
            b->name, p.x, p.y, p.z, joint, 0.5 * b->sides.x, 0.5 * b->sides.y, 0.5 * b->sides.z, b->mass);
}

static void write_model(FILE* out, double h)
{
    const rvVec3 world = {0, 0, 0};
    fprintf(out,
            "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' integrator='implicit'>"
            "<flag contact='disable'/></option><worldbody>",
            h, -RV_CRANE_GRAVITY);
    write_body(out, RV_CRANE_JIB, world, "<joint name='slew' type='hinge' axis='0 0 1'/>");
    write_body(out, RV_CRANE_TROLLEY, rvCraneBodies[RV_CRANE_JIB].at, "<joint name='rail' type='slide' axis='1 0 0'/>");
    fputs("</body></body>", out);
    for (int i = RV_CRANE_HOOK; i < RV_CRANE_BODIES; i++) {
        write_body(out, i, world, "<freejoint/>");
        fputs("</body>", out);
    }
    fputs(
        "</worldbody><actuator><velocity joint='slew' kv='1e10'/><velocity joint='rail' kv='1e8'/></actuator></mujoco>",
        out);
}

static mjModel* load_model(double h)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    write_model(out, h);
    fclose(out);
    mjModel* model = rv_mujoco_from_text(text, size);
    free(text);
    return model;
}

static void* create(const rvCraneSetup* setup)
{
    Crane* crane = calloc(1, sizeof(*crane));
    if (!crane)
        return NULL;
    crane->model = load_model(setup->h);
    crane->data = crane->model ? mj_makeData(crane->model) : NULL;
    rvBodyId ids[RV_CRANE_BODIES];
    rvStatus status = crane->data ? rvMujoco_Open(&crane->link, crane->model, crane->data) : RV_NO_MEMORY;
    for (int i = 0; i < RV_CRANE_BODIES && status == RV_OK; i++) {
        const char* name = rvCraneBodies[i].name;
        crane->bodies[i] = mj_name2id(crane->model, mjOBJ_BODY, name);
        status = rvMujoco_Add(&crane->link, name, i <= RV_CRANE_TROLLEY || !setup->known, &ids[i]);
    }
    if (status == RV_OK)
        status = rv_crane_reeve(crane->link.world, ids, setup, &crane->hoist);
    if (status == RV_OK)
        return crane;
    destroy(crane);
    return NULL;
}

static bool step(void* state, const rvCraneDrive* drive, rvCraneState* out)
{
    Crane* crane = state;
    crane->data->ctrl[0] = drive->slew;
    crane->data->ctrl[1] = drive->trolley;
    rvCable_SetWinchSpeed(crane->link.world, crane->hoist, 0, drive->hoist);
    bool good = rvMujoco_Step(&crane->link) == RV_OK;
    mj_kinematics(crane->model, crane->data); // poses after the step
    for (int i = 0; i < RV_CRANE_BODIES; i++)
        out->at[i] = rvMujoco_Vec(crane->data->xpos + 3 * crane->bodies[i]);
    out->tension = rvCable_GetTension(crane->link.world, crane->hoist, 0);
    return good;
}

extern const rvCraneEngine rv_crane_mujoco;

const rvCraneEngine rv_crane_mujoco = {"MuJoCo", create, step, destroy, true};
