// SPDX-License-Identifier: MIT
#include "cases/wakamatsu_wire.h"

#include "cases/wakamatsu_loops.h"
#include "reeve/reeve.h"

#include <math.h>

// A wire of EI 0.1, 1 kg/m, 1 m, by a model, clamped level at one end and at rest, or pinned there and let go level;
// quarters of its length into `points`.
static bool lay_wire(rvCableModel model, int elements, bool falls, double until, double h, rvVec3 points[4])
{
    enum { PER_ELEMENT = 4, MOST_ELEMENTS = 160 };
    rvWorld* world = rv_wakamatsu_world(9.8);
    rvPlaceDef places[2] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvFreePlace(rvVec(1, 0, 0))};
    places[0].clamped = !falls;
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = 2;
    def.elements = elements;
    def.length = 1.0;
    def.bendingStiffness = 0.1;
    def.massPerLength = 1.0;
    def.straight = falls;
    if (model == RV_CABLE_ANCF)
        def.axialStiffness = 1e7; // stretches by 1e-6
    rvCableId id;
    bool good = world && rvCreateCable(world, &def, &id) == RV_OK;
    for (int i = 0; good && i < (int)(until / h + 0.5); i++)
        good = rvWorld_Step(world, h) == RV_OK;
    rvVec3 all[PER_ELEMENT * MOST_ELEMENTS + 1];
    good = good && rvCable_GetShape(world, id, all, PER_ELEMENT * MOST_ELEMENTS + 1) == PER_ELEMENT * elements + 1;
    for (int i = 0; good && i < 4; i++)
        points[i] = all[(i + 1) * elements];
    rvDestroyWorld(world);
    return good;
}

static void show_convergence(rvBench* bench, bool falls)
{
    enum { FEWEST = 5, HALVINGS = 3 };
    const char* what = falls ? "falling for 0.25 s" : "clamped level, at rest";
    double until = falls ? 0.25 : 0.0, h = bench->quick ? 1e-3 : 2e-4, away[HALVINGS + 1] = {0};
    int elements = bench->quick ? 40 : 80;
    rvVec3 truth[4], points[4];
    bool good = lay_wire(RV_CABLE_ANCF, elements, falls, until, h, truth);
    for (int k = 0; good && k <= HALVINGS; k++) {
        good = lay_wire(RV_CABLE_CURVE, FEWEST << k, falls, until, h, points);
        for (int i = 0; good && i < 4; i++)
            away[k] = fmax(away[k], rvDistance(points[i], truth[i]));
    }
    if (!good) {
        rv_bench_leave_out(bench, "Reeve", "a wire %s: failed", what);
        return;
    }
    for (int k = 0; k <= HALVINGS; k++)
        rv_bench_add(bench,
                     rv_bench_row("mm", 1e3 * away[k], RV_NO_NUMBER, "elements of model ancf that hardly stretch",
                                  "wire %s, %d intervals: farthest quarter point from %d elements", what, FEWEST << k,
                                  elements));
    rvBenchRow row = rv_bench_row("1", log2(away[0] / away[HALVINGS]) / HALVINGS, 2.0, "second order",
                                  "wire %s: order from %d to %d intervals", what, FEWEST, FEWEST << HALVINGS);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_OURS_AT_LEAST, 1.8));
}

void rv_bench_wakamatsu_wire(rvBench* bench)
{
    show_convergence(bench, false);
    show_convergence(bench, true);
}
