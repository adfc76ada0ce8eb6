// SPDX-License-Identifier: MIT
// The chain in MuJoCo: reduced coordinates, a ball joint each, from a generated MJCF text. Default settings, no
// contact.
#include "cases/chain.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    mjModel* model;
    mjData* data;
    int load;
} MujocoChain;

// A lost state is seen by its warning count; nothing is to be printed or written to a file about it.
static void keep_quiet(const char* text)
{
    (void)text;
}

static void write_body(FILE* out, double z, double mass, rvVec3 moments, double center)
{
    fprintf(out,
            "<body pos='0 0 %.17g'><joint type='ball'/>"
            "<inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
            z, center, mass, moments.x, moments.y, moments.z);
}

// Debian's XML reader refuses 100 nested elements, so a chain is written as files of so many bodies, each of which
// includes the next one inside its last body.
enum { BODIES_A_FILE = 80, MAX_LINKS = 300 };

static void file_name(int file, char name[32])
{
    snprintf(name, 32, "chain%d.xml", file);
}

// Each body's frame sits at its upper joint; the chain of the text hangs straight down.
static void write_file(const rvChain* chain, int file, FILE* out)
{
    double l = rv_chain_link_length(chain), moment = rv_chain_load_inertia(chain);
    int first = file * BODIES_A_FILE;
    int last = first + BODIES_A_FILE - 1 < chain->links ? first + BODIES_A_FILE - 1 : chain->links;
    if (file == 0)
        fprintf(out,
                "<mujoco><compiler boundmass='0' boundinertia='0'/>"
                "<option gravity='0 0 %.17g'><flag contact='disable'/></option><worldbody>",
                -RV_CHAIN_GRAVITY);
    else
        fputs("<mujocoinclude>", out);
    for (int i = first; i <= last && i < chain->links; i++)
        write_body(out, i ? -l : 0.0, chain->linkMass, rv_chain_link_inertia(chain), -0.5 * l);
    if (last == chain->links)
        write_body(out, -l, chain->loadMass, rvVec(moment, moment, moment), 0.0);
    else {
        char next[32];
        file_name(file + 1, next);
        fprintf(out, "<include file='%s'/>", next);
    }
    for (int i = first; i <= last; i++)
        fputs("</body>", out);
    fputs(file == 0 ? "</worldbody></mujoco>" : "</mujocoinclude>", out);
}

static bool add_file(mjVFS* files, const rvChain* chain, int file)
{
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out)
        return false;
    write_file(chain, file, out);
    fclose(out);
    char name[32];
    file_name(file, name);
    bool added = mj_makeEmptyFileVFS(files, name, (int)size) == 0;
    if (added)
        memcpy(files->filedata[file], text, size);
    free(text);
    return added;
}

static mjModel* load_model(const rvChain* chain)
{
    int fileCount = chain->links / BODIES_A_FILE + 1; // links + 1 bodies
    mjVFS* files = calloc(1, sizeof(*files));         // too large for the stack
    if (!files)
        return NULL;
    mj_defaultVFS(files);
    bool added = true;
    for (int i = 0; i < fileCount && added; i++)
        added = add_file(files, chain, i);
    char name[32], error[256] = "";
    file_name(0, name);
    mjModel* model = added ? mj_loadXML(name, files, error, sizeof(error)) : NULL;
    mj_deleteVFS(files);
    free(files);
    return model;
}

static void destroy(void* state)
{
    MujocoChain* chain = state;
    mj_deleteData(chain->data);
    mj_deleteModel(chain->model);
    free(chain);
}

static void* create(const rvChain* chain)
{
    mju_user_warning = keep_quiet;
    MujocoChain* mujoco = calloc(1, sizeof(*mujoco));
    mjModel* model = mujoco ? load_model(chain) : NULL;
    if (!model) {
        free(mujoco);
        return NULL;
    }
    mujoco->model = model;
    mujoco->data = mj_makeData(model);
    mujoco->load = model->nbody - 1;
    rvQuat turn = rv_chain_turn(chain);
    const mjtNum q[4] = {turn.w, turn.x, turn.y, turn.z};
    mju_copy4(mujoco->data->qpos, q);
    mj_forward(model, mujoco->data);
    return mujoco;
}

static bool step(void* state, double h)
{
    MujocoChain* chain = state;
    chain->model->opt.timestep = h;
    mj_step(chain->model, chain->data);
    const mjWarningStat* warnings = chain->data->warning;
    return warnings[mjWARN_BADQPOS].number + warnings[mjWARN_BADQVEL].number + warnings[mjWARN_BADQACC].number == 0;
}

// Positions of bodies are those of the start of the step until they are computed again; a steady lag of one step.
static rvVec3 load(void* state)
{
    MujocoChain* chain = state;
    const mjtNum* p = chain->data->xipos + 3 * chain->load;
    return rvVec(p[0], p[1], p[2]);
}

static double gap(void* state)
{
    (void)state;
    return 0.0; // joints are exact in reduced coordinates
}

extern const rvChainEngine rv_peer_mujoco;

const rvChainEngine rv_peer_mujoco = {
    .name = "MuJoCo",
    .maxLinks = MAX_LINKS,
    .whyLimit = "its cost grows with the cube; compiling the model alone takes minutes",
    .create = create,
    .destroy = destroy,
    .step = step,
    .load = load,
    .gap = gap,
};
