// SPDX-License-Identifier: MIT
// `reeve bench change`: what a load feels when another model fills its rope (rvCable_SetModel), for every pair of
// models.
//
// A tonne on 10 m of steel rope of 20 mm (1.5 kg/m), steps of 1/240 s. It hangs at rest: the largest acceleration of
// the load in the second after the change, beside that of half the rope's weight, which is what comes or goes at its
// end. It swings from 0.5 rad and is changed past its lowest point: how far it is off a run that was not changed, two
// seconds later. A rope of 20.2 m sags between points that are 20 m apart: its tension after the change, beside that
// before it; a massless one has none, since it keeps its length.
#include "bench.h"
#include "reeve/reeve.h"

static const double STEP = 1.0 / 240.0, MASS = 1000.0, LENGTH = 10.0, EA = 3e7, GRAVITY = 9.81;

typedef struct {
    rvWorld* world;
    rvBodyId load;
    rvCableId rope;
} Rig;

static rvCableDef rope_of(rvCableModel model)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.axialStiffness = EA;
    def.massPerLength = 1.5;
    def.bendingStiffness = 10.0; // of a rope, not of a rod
    def.damping = 0.01;
    return def;
}

// A load at an angle from the vertical; where `sags` a rope without one.
static bool create(Rig* rig, rvCableModel model, double angle, bool sags)
{
    *rig = (Rig){0};
    rvWorldDef world = rvDefaultWorldDef();
    if (rvCreateWorld(&world, &rig->world, NULL, 0) != RV_OK)
        return false;
    rvBodyDef body = rvDefaultBodyDef();
    double length = LENGTH * (1.0 + MASS * GRAVITY * cos(angle) / EA);
    body.mass = MASS;
    body.inertia = rvBallInertia(MASS, 0.3);
    body.pose.p = rvVec(length * sin(angle), 0, -length * cos(angle));
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                            rvAttachPlace(RV_NULL_BODY, rvVec(2.0 * LENGTH, 0, 0))};
    if (!sags) {
        if (rvCreateBody(rig->world, &body, &rig->load) != RV_OK)
            return false;
        places[1] = rvAttachPlace(rig->load, rvVec(0, 0, 0));
    }
    rvCableDef def = rope_of(model);
    def.places = places;
    def.placeCount = 2;
    def.length = sags ? 2.02 * LENGTH : LENGTH;
    return rvCreateCable(rig->world, &def, &rig->rope) == RV_OK;
}

static bool run(const Rig* rig, double seconds)
{
    for (long i = 0; i < lround(seconds / STEP); ++i)
        if (rvWorld_Step(rig->world, STEP) != RV_OK)
            return false;
    return true;
}

static bool change(const Rig* rig, rvCableModel model)
{
    rvCableDef def = rope_of(model);
    return rvCable_SetModel(rig->world, rig->rope, &def) == RV_OK;
}

static bool hang(rvBench* bench, Rig* rig, rvCableModel a, rvCableModel b, const char* names)
{
    if (!create(rig, a, 0.0, false) || !run(rig, 2.0) || !change(rig, b))
        return false;
    double most = 0.0;
    rvVec3 before = rvBody_GetVelocity(rig->world, rig->load);
    for (int i = 0; i < 240; ++i) {
        if (!run(rig, STEP))
            return false;
        rvVec3 now = rvBody_GetVelocity(rig->world, rig->load);
        most = fmax(most, rvDistance(now, before) / STEP);
        before = now;
    }
    double half = 0.5 * 1.5 * LENGTH * GRAVITY / MASS;
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("mm/s^2", 1e3 * most, 1e3 * half, "half the rope's weight",
                                                   "%s, hangs: largest acceleration of the load", names),
                                      RV_GOAL_RATIO_AT_MOST, 1.5));
    return true;
}

static bool swing(rvBench* bench, Rig* rig, Rig* twin, rvCableModel a, rvCableModel b, const char* names)
{
    if (!create(rig, a, 0.5, false) || !create(twin, a, 0.5, false) || !run(rig, 2.0) || !run(twin, 2.0))
        return false;
    if (!change(rig, b) || !run(rig, 2.0) || !run(twin, 2.0))
        return false;
    double off = rvDistance(rvBody_GetPose(rig->world, rig->load).p, rvBody_GetPose(twin->world, twin->load).p);
    rv_bench_add(bench, rv_bench_goal(rv_bench_row("mm", 1e3 * off, RV_NO_NUMBER, "",
                                                   "%s, swings: off an unchanged run after 2 s", names),
                                      RV_GOAL_OURS_AT_MOST, 100.0));
    return true;
}

static bool sag(rvBench* bench, Rig* rig, rvCableModel a, rvCableModel b, const char* names)
{
    if (!create(rig, a, 0.0, true) || !run(rig, 1.0))
        return false;
    double before = rvCable_GetTension(rig->world, rig->rope, 0);
    if (!change(rig, b) || !run(rig, STEP))
        return false;
    double after = rvCable_GetTension(rig->world, rig->rope, 0);
    rv_bench_add(bench, rv_bench_row("N", after, before, "before the change", "%s, sags: tension after it", names));
    return true;
}

static void refuse(rvBench* bench, const Rig* rig, const char* names, const char* what)
{
    rv_bench_leave_out(bench, "Reeve", "%s, %s: %.60s", names, what,
                       rig->world ? rvWorld_GetError(rig->world) : "no memory");
}

static void pair(rvBench* bench, rvCableModel a, rvCableModel b)
{
    char names[64];
    snprintf(names, sizeof names, "%s to %s", rvCableModel_Name(a), rvCableModel_Name(b));
    rv_bench_progress(bench, "%s", names);
    Rig rigs[4] = {0};
    if (!hang(bench, &rigs[0], a, b, names))
        refuse(bench, &rigs[0], names, "hangs");
    if (!swing(bench, &rigs[1], &rigs[2], a, b, names))
        refuse(bench, &rigs[1], names, "swings");
    if (a != RV_CABLE_MASSLESS && !sag(bench, &rigs[3], a, b, names)) // whose rope does not sag
        refuse(bench, &rigs[3], names, "sags");
    for (int i = 0; i < 4; ++i)
        rvDestroyWorld(rigs[i].world);
}

void rv_bench_change(rvBench* bench)
{
    for (int a = 0; rvCableModel_Name((rvCableModel)a); ++a)
        for (int b = 0; rvCableModel_Name((rvCableModel)b); ++b)
            if (a != b)
                pair(bench, (rvCableModel)a, (rvCableModel)b);
}
