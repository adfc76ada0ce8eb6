// SPDX-License-Identifier: MIT
// Of `reeve bench ancf`: what a step of a rope of elements costs that lies on the ground or is dragged along it by a
// hand, beside the same rope that hangs. It touches with all nodes and middles of its elements.
#include "cases/ancf.h"
#include "reeve/reeve.h"

#include <stdlib.h>

typedef enum { HANGS, LIES, DRAGGED } Way;

static void need(rvWorld* world, rvStatus status)
{
    if (status == RV_OK)
        return;
    fprintf(stderr, "reeve bench: %s\n", world ? rvWorld_GetError(world) : "no memory");
    exit(EXIT_FAILURE);
}

static void add_ground(rvWorld* world)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    rvBodyId body;
    need(world, rvCreateBody(world, &def, &body));
    rvShapeDef plane = rvDefaultShapeDef(RV_SHAPE_PLANE);
    plane.friction = 0.4;
    need(world, rvCreateShape(world, body, &plane, NULL));
}

// Ten metres, 1 kg/m.
static rvWorld* make(Way way, rvCableModel model, int elements)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world = NULL;
    char text[256];
    need(NULL, rvCreateWorld(&worldDef, &world, text, sizeof text));
    if (way != HANGS)
        add_ground(world);
    rvBodyDef hand = rvDefaultBodyDef();
    hand.type = RV_BODY_KINEMATIC;
    hand.pose.p = rvVec(0, 0, way == HANGS ? 20.0 : 0.01);
    rvBodyId body;
    need(world, rvCreateBody(world, &hand, &body));
    rvPlaceDef places[2] = {rvAttachPlace(body, rvVec(0, 0, 0)), rvFreePlace(rvVec(-10, 0, 0.01))};
    if (way == HANGS)
        places[1] = rvFreePlace(rvVec(0, 0, 10));
    if (way == LIES)
        places[1] = rvAttachPlace(RV_NULL_BODY, rvVec(-9.8, 0, 0.01));
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = 2;
    def.length = 10.0;
    def.elements = elements;
    def.axialStiffness = 1e6;
    def.bendingStiffness = 1.0;
    def.massPerLength = 1.0;
    def.diameter = 0.02;
    def.damping = 0.01;
    def.friction = 0.4;
    def.collides = true;
    def.maxContacts = 2 * elements + 8;
    def.straight = way != LIES;
    need(world, rvCreateCable(world, &def, NULL));
    if (way == DRAGGED)
        need(world, rvBody_SetVelocity(world, body, rvVec(0.3, 0.05, 0), rvVec(0, 0, 0)));
    return world;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Median of so many steps of 1/120 s after as many [us].
static double median(Way way, rvCableModel model, int elements, int steps)
{
    rvWorld* world = make(way, model, elements);
    double* times = calloc((size_t)steps, sizeof *times);
    need(NULL, times ? RV_OK : RV_NO_MEMORY);
    for (int i = 0; i < 2 * steps; i++) {
        double start = rv_bench_clock();
        need(world, rvWorld_Step(world, 1.0 / 120.0));
        times[i % steps] = rv_bench_clock() - start;
    }
    qsort(times, (size_t)steps, sizeof *times, by_size);
    double found = 1e6 * times[steps / 2];
    free(times);
    rvDestroyWorld(world);
    return found;
}

void rv_bench_ground(rvBench* bench)
{
    static const char* const names[] = {"hangs", "lies flat on the ground", "is dragged along the ground"};
    double half[DRAGGED + 1] = {0.0};
    for (int m = 0; m < 2; m++)
        for (int n = 20; n <= (bench->quick ? 20 : 40); n *= 2) {
            rvCableModel model = m ? RV_CABLE_ALE : RV_CABLE_ANCF;
            int steps = bench->quick ? 5 : 60;
            rv_bench_progress(bench, "rope of %d elements on the ground", n);
            double hanging = median(HANGS, model, n, steps);
            for (Way way = LIES; way <= DRAGGED; way++) {
                double took = median(way, model, n, steps);
                rv_bench_add(bench,
                             rv_bench_row("us", took, hanging, "the same rope hanging",
                                          "%s, %d elements, %s: median step", m ? "ale" : "ancf", n, names[way]));
                if (n > 20) // as many elements as it has, no more
                    rv_bench_add(bench, rv_bench_goal(rv_bench_row("us", took, half[way], "half as many elements",
                                                                   "%s, %s: median step, growth", m ? "ale" : "ancf",
                                                                   names[way]),
                                                      RV_GOAL_RATIO_AT_MOST, 2.5));
                half[way] = took;
            }
        }
}
