// SPDX-License-Identifier: MIT
// What one step calls: a load on a winch with a massless cable, 200 steps, then one more whose functions are noted.
// Prints an address and a count a line. tools/call_walk.py builds it with the library and resolves the addresses.
#include <reeve/reeve.h>

#include <stdio.h>

#define NOT_NOTED __attribute__((no_instrument_function))

enum { ROOM = 16384 };

static struct {
    void* function;
    long count;
} calls[ROOM];
static int noting;

void NOT_NOTED __cyg_profile_func_enter(void* function, void* from);
void NOT_NOTED __cyg_profile_func_exit(void* function, void* from);

void __cyg_profile_func_enter(void* function, void* from)
{
    (void)from;
    if (!noting)
        return;
    unsigned long slot = ((unsigned long)function >> 4) * 2654435761u % ROOM;
    while (calls[slot].function && calls[slot].function != function)
        slot = (slot + 1) % ROOM;
    calls[slot].function = function;
    calls[slot].count += 1;
}

void __cyg_profile_func_exit(void* function, void* from)
{
    (void)function, (void)from;
}

int NOT_NOTED main(void)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world;
    rvCreateWorld(&worldDef, &world, NULL, 0);
    rvBodyDef loadDef = rvDefaultBodyDef();
    loadDef.mass = 1000.0;
    rvBodyId load;
    rvCreateBody(world, &loadDef, &load);
    rvPlaceDef route[] = {rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 10), -0.05), rvAttachPlace(load, rvVec(0, 0, 0))};
    rvCableDef ropeDef = rvDefaultCableDef(RV_CABLE_MASSLESS);
    ropeDef.places = route;
    ropeDef.placeCount = 2;
    ropeDef.damping = 0.05;
    rvCableId rope;
    if (rvCreateCable(world, &ropeDef, &rope) != RV_OK)
        return 1;
    rvStatus status = RV_OK;
    for (int i = 0; i <= 200 && status == RV_OK; ++i) {
        noting = i == 200;
        status = rvWorld_Step(world, 1.0 / 60.0);
    }
    noting = 0;
    for (int i = 0; i < ROOM; ++i)
        if (calls[i].function)
            printf("%p %ld\n", calls[i].function, calls[i].count);
    rvDestroyWorld(world);
    return status != RV_OK;
}
