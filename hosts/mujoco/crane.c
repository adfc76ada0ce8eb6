// SPDX-License-Identifier: MIT
// A crane in MuJoCo with the hoist rope of Reeve: a trolley on a rail, a two-fall hook block, a load on a sling.
//
// MuJoCo has the bodies and the rail (crane.xml), Reeve has the winch, the sheaves and the ropes. 60 steps a second.
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

    // the hoist rope: winch at the mast, down from the trolley, round the sheave of the hook, up again, to the jib's tip
    const rvVec3 axis = {0, 1, 0};
    rvPlaceDef hoist[] = {
        rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 30.25), 0.0), // a null body is the world
        rvSheavePlace(t, rvVec(-0.5, 0, 0), axis, 0.25), rvSheavePlace(b, rvVec(0, 0, 0.3), axis, 0.25),
        rvSheavePlace(t, rvVec(0.5, 0, 0), axis, 0.25), rvAttachPlace(RV_NULL_BODY, rvVec(20, 0, 30.25))};
    hoist[0].winch.acceleration = 0.5;
    rvPlaceDef sling[] = {rvAttachPlace(b, rvVec(0, 0, -0.3)), rvAttachPlace(l, rvVec(0, 0, 1.0))};
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_MASSLESS); // steel, 20 mm
    rope.damping = 0.05;
    rvCableId hoistRope;
    rope.places = hoist;
    rope.placeCount = 5;
    rvStatus status = rvCreateCable(link.world, &rope, &hoistRope);
    rope.places = sling;
    rope.placeCount = 2;
    if (status || rvCreateCable(link.world, &rope, NULL))
        return 1;

    // hoist at 0.5 m/s (1 m/s of rope in two falls) from 1 s on, down again from 9 s on; trolley at 1 m/s from 4 s to 8 s
    for (int i = 0; i <= 720 && !status; i++) {
        double time = data->time;
        if (i % 60 == 0)
            printf("%4.1f s: trolley at %5.2f m, hook at %5.2f m, rope pulls %5.1f kN\n", time, 5.0 + data->qpos[0],
                   data->qpos[3], 1e-3 * rvCable_GetTension(link.world, hoistRope, 0));
        rvCable_SetWinchSpeed(link.world, hoistRope, 0, time < 1.0 ? 0.0 : time < 9.0 ? -1.0 : 1.0);
        data->ctrl[0] = time >= 4.0 && time < 8.0 ? 1.0 : 0.0;
        status = rvMujoco_Step(&link); // MuJoCo's step with Reeve's in its middle
    }
    if (status)
        fprintf(stderr, "%s\n", rvWorld_GetError(link.world));
    rvMujoco_Close(&link);
    mj_deleteData(data);
    mj_deleteModel(model);
    return status;
}
