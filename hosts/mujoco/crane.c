// SPDX-License-Identifier: MIT
// A crane in MuJoCo with the hoist rope of Reeve: a trolley on a rail, a two-fall hook block, a load on a sling.
//
// MuJoCo has the bodies and the rail (crane.xml), Reeve has the winch, the sheaves and the ropes. 60 steps a second.
#include "../crane_ropes.h"
#include "reeve_mujoco.h"

#include <stdio.h>

int main(int argc, char** argv)
{
    char error[256] = "";
    mjModel* model = mj_loadXML(argc > 1 ? argv[1] : "crane.xml", NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData* data = mj_makeData(model);

    // Reeve beside it: which bodies ropes touch
    rvMujoco link;
    rvBodyId t, b, l;
    if (rvMujoco_Open(&link, model, data) || rvMujoco_Add(&link, "trolley", true, &t) ||
        rvMujoco_Add(&link, "hook", false, &b) || rvMujoco_Add(&link, "load", false, &l))
        return 1;

    // its ropes
    rvCableId hoistRope;
    rvStatus status = lay_ropes(link.world, t, b, l, &hoistRope);
    for (int i = 0; i <= 720 && !status; i++) {
        double time = data->time;
        if (i % 60 == 0)
            printf("%4.1f s: trolley at %5.2f m, hook at %5.2f m, rope pulls %5.1f kN\n", time, 5.0 + data->qpos[0],
                   data->qpos[3], 1e-3 * rvCable_GetTension(link.world, hoistRope, 0));
        rvCable_SetWinchSpeed(link.world, hoistRope, 0, hoist_speed(time));
        data->ctrl[0] = trolley_speed(time);
        status = rvMujoco_Step(&link); // MuJoCo's step with Reeve's in its middle
    }
    if (status)
        fprintf(stderr, "%s\n", rvWorld_GetError(link.world));
    rvMujoco_Close(&link);
    mj_deleteData(data);
    mj_deleteModel(model);
    return status;
}
