// SPDX-License-Identifier: MIT
// A crane in ODE with the hoist rope of Reeve: a trolley on a rail, a two-fall hook block, a load on a sling.
//
// ODE has the bodies and the rail, Reeve has the winch, the sheaves and the ropes. 60 steps a second, steel rope.
#include "../crane_ropes.h"
#include "reeve_ode.h"

#include <stdio.h>

static dBodyID add_box(dWorldID world, double mass, double side, double x, double z)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, side, side, side);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, 0, z);
    return body;
}

int main(void)
{
    const double h = 1.0 / 60.0;
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);

    // your machine: bodies and a rail with a motor, as in any program for ODE
    dBodyID trolley = add_box(world, 2000, 1.0, 5, 30), hook = add_box(world, 300, 0.6, 5, 15);
    dBodyID load = add_box(world, 5000, 2.0, 5, 11);
    dJointID rail = dJointCreateSlider(world, NULL);
    dJointAttach(rail, trolley, NULL);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointSetSliderParam(rail, dParamFMax, 1e6);

    // Reeve beside it: which bodies ropes touch
    rvOde link;
    rvBodyId t, b, l;
    if (rvOde_Open(&link, world) || rvOde_Add(&link, trolley, true, &t) || rvOde_Add(&link, hook, false, &b) ||
        rvOde_Add(&link, load, false, &l))
        return 1;

    // its ropes
    rvCableId hoistRope;
    rvStatus status = lay_ropes(link.world, t, b, l, &hoistRope);
    for (int i = 0; i <= 720 && !status; i++) {
        double time = i * h;
        if (i % 60 == 0)
            printf("%4.1f s: trolley at %5.2f m, hook at %5.2f m, rope pulls %5.1f kN\n", time,
                   (double)dBodyGetPosition(trolley)[0], (double)dBodyGetPosition(hook)[2],
                   1e-3 * rvCable_GetTension(link.world, hoistRope, 0));
        rvCable_SetWinchSpeed(link.world, hoistRope, 0, hoist_speed(time));
        dJointSetSliderParam(rail, dParamVel, trolley_speed(time));
        status = rvOde_Pull(&link, h); // Reeve's step
        dWorldStep(world, h);          // ODE's step
    }
    if (status)
        fprintf(stderr, "%s\n", rvWorld_GetError(link.world));
    rvOde_Close(&link);
    dWorldDestroy(world);
    dCloseODE();
    return status;
}
