// SPDX-License-Identifier: MIT
// The program of somebody who installed Reeve: 50 kg at rest on a rope. WITH_REFERENCE: with the methods of the papers,
// which are refused without.
#include <reeve/reeve.h>
#include <reeve/reference.h>
#include <stdio.h>
#include <string.h>

static int try_printed_stepper(void)
{
    rvWorldDef def = rvDefaultWorldDef();
    rvWorld* world;
    char error[300] = "";
    def.stepper = RV_STEPPER_PAPER;
#ifdef WITH_REFERENCE
    def.reference = rvReference_GetMethods();
    if (rvCreateWorld(&def, &world, error, sizeof error))
        return 1;
    rvDestroyWorld(world);
    return 0;
#else
    return !rvCreateWorld(&def, &world, error, sizeof error) ||
           !strstr(error, "stepper: paper is a method of libreeve-reference");
#endif
}

int main(void)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvBodyDef bodyDef = rvDefaultBodyDef();
    bodyDef.mass = 50.0;
    rvWorld* world;
    rvBodyId body;
    rvCableId cable;
    if (try_printed_stepper() || rvCreateWorld(&worldDef, &world, NULL, 0) || rvCreateBody(world, &bodyDef, &body))
        return 1;
    rvPlaceDef route[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 3)), rvAttachPlace(body, rvVec(0, 0, 0))};
    rvCableDef cableDef = rvDefaultCableDef(RV_CABLE_MASSLESS);
    cableDef.places = route;
    cableDef.placeCount = 2;
    if (rvCreateCable(world, &cableDef, &cable))
        return 1;
    for (int i = 0; i < 300; ++i)
        if (rvWorld_Step(world, 0.01))
            return 1;
    printf("reeve %s: the rope pulls with %.1f N\n", rvVersion(), rvCable_GetTension(world, cable, 0));
    rvDestroyWorld(world);
    return 0;
}
