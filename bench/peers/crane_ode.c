// SPDX-License-Identifier: MIT
// The crane of `reeve bench hosts` in ODE: its hinge and slider with their motors, ropes through hosts/ode/reeve_ode.h.
#include "cases/hosts.h"
#include "ode/reeve_ode.h"

#include <stdlib.h>

typedef struct {
    dWorldID host;
    dBodyID bodies[RV_CRANE_BODIES];
    dJointID slew, rail;
    rvOde link;
    rvCableId hoist;
    double h;
} Crane;

static void destroy(void* state)
{
    Crane* crane = state;
    rvOde_Close(&crane->link);
    dWorldDestroy(crane->host);
    free(crane);
}

static void build_host(Crane* crane)
{
    for (int i = 0; i < RV_CRANE_BODIES; i++) {
        const rvCraneBody* body = &rvCraneBodies[i];
        dMass mass;
        dMassSetBoxTotal(&mass, body->mass, body->sides.x, body->sides.y, body->sides.z);
        crane->bodies[i] = dBodyCreate(crane->host);
        dBodySetMass(crane->bodies[i], &mass);
        dBodySetPosition(crane->bodies[i], body->at.x, body->at.y, body->at.z);
    }
    crane->slew = dJointCreateHinge(crane->host, NULL);
    dJointAttach(crane->slew, crane->bodies[RV_CRANE_JIB], NULL);
    dJointSetHingeAnchor(crane->slew, 0, 0, rvCraneBodies[RV_CRANE_JIB].at.z);
    dJointSetHingeAxis(crane->slew, 0, 0, 1);
    dJointSetHingeParam(crane->slew, dParamFMax, 1e9);
    crane->rail = dJointCreateSlider(crane->host, NULL);
    dJointAttach(crane->rail, crane->bodies[RV_CRANE_TROLLEY], crane->bodies[RV_CRANE_JIB]);
    dJointSetSliderAxis(crane->rail, 1, 0, 0);
    dJointSetSliderParam(crane->rail, dParamFMax, 1e9);
}

static void* create(const rvCraneSetup* setup)
{
    Crane* crane = calloc(1, sizeof(*crane));
    if (!crane)
        return NULL;
    dInitODE2(0);
    crane->h = setup->h;
    crane->host = dWorldCreate();
    dWorldSetGravity(crane->host, 0, 0, -RV_CRANE_GRAVITY);
    build_host(crane);
    rvBodyId ids[RV_CRANE_BODIES];
    rvStatus status = rvOde_Open(&crane->link, crane->host);
    for (int i = 0; i < RV_CRANE_BODIES && status == RV_OK; i++)
        status = rvOde_Add(&crane->link, crane->bodies[i], i <= RV_CRANE_TROLLEY || !setup->known, &ids[i]);
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
    dJointSetHingeParam(crane->slew, dParamVel, drive->slew);
    dJointSetSliderParam(crane->rail, dParamVel, drive->trolley);
    rvCable_SetWinchSpeed(crane->link.world, crane->hoist, 0, drive->hoist);
    bool good = rvOde_Pull(&crane->link, crane->h) == RV_OK;
    if (good)
        dWorldStep(crane->host, crane->h);
    for (int i = 0; i < RV_CRANE_BODIES; i++)
        out->at[i] = rvOde_Vec(dBodyGetPosition(crane->bodies[i]));
    out->tension = rvCable_GetTension(crane->link.world, crane->hoist, 0);
    return good;
}

extern const rvCraneEngine rv_crane_ode;

const rvCraneEngine rv_crane_ode = {"ODE", create, step, destroy, true};
