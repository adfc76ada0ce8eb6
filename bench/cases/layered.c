// SPDX-License-Identifier: MIT
// `reeve bench layered`: what a cable with mass costs: N spans of M subdivisions, waves in two directions.
//
// The waves of all spans, one step, as the world takes it: from one store to another, with the arcs of the step after;
// beside a loop that reads and writes the same numbers and does one multiply-add on each (the streaming kernel), in the
// same run; and the bare step in its place. Then a whole step of a world with such a cable between fixed points, beside
// the paper's table (which is for one direction, on a machine of 2008), and beside a chain of as many bodies in ODE.
// And what the terms are worth that Garcia-Fernandez et al. leave out for rope that runs through its span, how fast a
// hook comes to rest on ropes of several densities, and what a load keeps of its energy that a loose rope catches again
// and again.
#include "bench.h"
#include "cable/string/wave.h"
#include "cases/chain.h"
#include "reeve/reeve.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 1e-3;

typedef struct {
    int spans, subdivisions;
    rvWaveTable table;
    double *room, *stores, *waves, *next;
    rvWorld* world;
    double kernel, ahead, stream, step; // least times [s]
} Rig;

static void keep_least(double* least, double time)
{
    if (!(*least <= time))
        *least = time;
}

static bool create_world(Rig* rig)
{
    rvWorldDef def = rvDefaultWorldDef();
    rvPlaceDef* places = calloc((size_t)rig->spans + 1, sizeof *places);
    bool good = places && rvCreateWorld(&def, &rig->world, NULL, 0) == RV_OK;
    for (int i = 0; good && i <= rig->spans; i++) {
        rvVec3 at = rvVec(10.0 * i, 0, i % 2);
        places[i] = i == 0 || i == rig->spans ? rvAttachPlace(RV_NULL_BODY, at) : rvEyePlace(RV_NULL_BODY, at);
    }
    rvCableDef rope = rvDefaultCableDef(RV_CABLE_LAYERED);
    rope.massPerLength = 1.0;
    rope.subdivisions = rig->subdivisions;
    rope.places = places;
    rope.placeCount = rig->spans + 1;
    good = good && rvCreateCable(rig->world, &rope, NULL) == RV_OK;
    free(places);
    return good;
}

static bool create(Rig* rig, int spans, int subdivisions)
{
    *rig = (Rig){spans,
                 subdivisions,
                 .kernel = RV_NO_NUMBER,
                 .ahead = RV_NO_NUMBER,
                 .stream = RV_NO_NUMBER,
                 .step = RV_NO_NUMBER};
    rig->room = calloc(rv_wave_table_size(subdivisions), sizeof(double));
    if (!rig->room)
        return false;
    rv_wave_table_fill(&rig->table, subdivisions, rig->room);
    size_t size = (size_t)spans * rv_wave_size(&rig->table);
    rig->stores = calloc(2 * size + RV_WAVE_ALIGN - 1, sizeof(double));
    if (!rig->stores)
        return false;
    rig->waves = rv_wave_align(rig->stores);
    rig->next = rig->waves + size;
    for (size_t i = 0; i < size; i++)
        rig->waves[i] = 1e-3 * (double)(i % 7);
    return create_world(rig);
}

static void release(Rig* rig)
{
    rvDestroyWorld(rig->world);
    free(rig->room);
    free(rig->stores);
}

static void swap(Rig* rig)
{
    double* waves = rig->waves;
    rig->waves = rig->next;
    rig->next = waves;
}

// The waves of all spans: in their place, or from one store to another with the arcs of the step after, as a world does
// it.
static double run_waves(Rig* rig, int block, bool asWorld)
{
    size_t size = rv_wave_size(&rig->table);
    rvWaveStep step = {.h = 1e-2, .nu2 = 3.0, .arc = 1.0, .scaleY = 1.0, .scaleW = 1.0, .load = {{-9.81, 0}, {1, 0}}};
    rvWaveNext next;
    double start = rv_bench_clock();
    for (int n = 0; n < block; n++) {
        for (int i = 0; i < rig->spans; i++) {
            double* wave = rig->waves + (size_t)i * size;
            rv_wave_advance(&rig->table, &step, wave, asWorld ? rig->next + (size_t)i * size : wave,
                            asWorld ? &next : NULL);
        }
        if (asWorld)
            swap(rig);
    }
    return (rv_bench_clock() - start) / block;
}

// Reads and writes the same numbers.
static double run_stream(Rig* rig, int block)
{
    size_t all = rv_wave_size(&rig->table) * (size_t)rig->spans;
    double start = rv_bench_clock();
    for (int n = 0; n < block; n++) {
        const double* restrict from = rig->waves; // as wide as the compiler makes it
        double* restrict to = rig->next;
        for (size_t i = 0; i < all; i++)
            to[i] = 0.999 * from[i] + 1e-9;
        swap(rig);
    }
    return (rv_bench_clock() - start) / block;
}

static bool measure(Rig* rig, int block)
{
    // the first rounds of each fetch what the others pushed out of the cache
    keep_least(&rig->kernel, run_waves(rig, 4 * block, false));
    keep_least(&rig->ahead, run_waves(rig, 4 * block, true));
    keep_least(&rig->stream, run_stream(rig, 4 * block));
    double start = rv_bench_clock();
    for (int n = 0; n < block; n++)
        if (rvWorld_Step(rig->world, STEP) != RV_OK)
            return false;
    keep_least(&rig->step, (rv_bench_clock() - start) / block);
    return true;
}

static void show(rvBench* bench, const Rig* rig)
{
    int n = rig->spans, m = rig->subdivisions;
    bool largest = n == 100 && m == 100;
    rvBenchRow row = rv_bench_row("us", 1e6 * rig->ahead, 1e6 * rig->stream, "streaming kernel, same run",
                                  "%d x %d: a step of the waves as in a world, two directions", n, m);
    rv_bench_add(bench, largest ? rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 3.0) : row);
    if (largest)
        rv_bench_add(bench,
                     rv_bench_goal(rv_bench_row("us", 1e6 * rig->ahead, 20.0, "goal",
                                                "%d x %d: a step of the waves as in a world, two directions", n, m),
                                   RV_GOAL_RATIO_AT_MOST, 1.0));
    rv_bench_add(bench, rv_bench_row("us", 1e6 * rig->kernel, RV_NO_NUMBER, "",
                                     "%d x %d: the same in its place, without the arcs of the step after", n, m));
    double paper = largest ? 1300.0 : n == 10 && m == 10 ? 20.0 : RV_NO_NUMBER;
    row = rv_bench_row("us", 1e6 * rig->step, paper, paper > 0.0 ? "Elevation, one direction" : "",
                       "%d x %d: a whole step of the world", n, m);
    rv_bench_add(bench, paper > 0.0 ? rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0) : row);
}

// As many bodies as there are grid points, in ODE: Garcia-Fernandez et al. (Mixed) claim that this takes 10 to 50 times
// longer.
static void show_chain(rvBench* bench, const Rig* rig)
{
    const rvChainEngine* peers[RV_CHAIN_MAX_ENGINES];
    int count = rv_chain_peers(peers, RV_CHAIN_MAX_ENGINES), links = rig->spans * rig->subdivisions;
    for (int i = 0; i < count; i++) {
        bool direct = !strcmp(peers[i]->name, "ODE dWorldStep");
        if (strncmp(peers[i]->name, "ODE", 3) != 0 || (direct && links > 100))
            continue;
        rvChainTiming item = {
            .chain = {.links = links, .length = 10.0 * rig->spans, .linkMass = 1.0, .loadMass = 100.0},
            .engine = peers[i],
            .h = STEP};
        rv_chain_time(&item, 1, bench->quick ? 1 : 3);
        rv_bench_add(bench, rv_bench_row("us", 1e6 * rig->step, 1e6 * item.seconds, peers[i]->name,
                                         "%d x %d: a whole step, beside a chain of %d bodies", rig->spans,
                                         rig->subdivisions, links));
    }
}

// The first frequency of a string that runs through its span at `share` of its wave speed, against 1 - share^2.
static double running_frequency(double share, bool terms)
{
    enum { M = 40 };
    double room[4 * M + 200], wave[4 * M + 16] = {0}, more[2 * M + 16], scratch[3 * M + 24];
    rvWaveTable table;
    rv_wave_table_fill(&table, M, room);
    double h = 5e-4, c = 100.0, l = 20.0, v[2] = {share * c, share * c}, first = 0.0, last = 1.0;
    rvWaveStep step = {.h = h, .nu2 = c * c * h * h * M * M / (l * l), .arc = 1.0, .scaleY = 1.0, .scaleW = 1.0};
    step.more = more;
    wave[0] = 1.0;
    rvWaveNext next;
    for (int n = 0, count = 0; n < 100000; n++) {
        memset(more, 0, sizeof more);
        if (terms)
            rv_wave_add_flow(&table, v, l, wave, wave + table.stride, more, scratch);
        rv_wave_advance(&table, &step, wave, wave, &next);
        if (last > 0.0 && wave[0] <= 0.0) {
            double at = n + last / (last - wave[0]);
            if (count++ == 0)
                first = at;
            else if (count == 17)
                return 16.0 / ((at - first) * h) / (c / (2.0 * l));
        }
        last = wave[0];
    }
    return RV_NO_NUMBER;
}

static void show_running(rvBench* bench)
{
    static const double shares[] = {0.003, 0.03, 0.1, 0.2};
    for (int i = 0; i < 4; i++)
        for (int terms = 0; terms < 2; terms++)
            rv_bench_add(bench, rv_bench_row("", running_frequency(shares[i], terms), 1.0 - shares[i] * shares[i],
                                             "a running string, closed form",
                                             "rope at %g of the wave speed, terms %s: first frequency", shares[i],
                                             terms ? "counted" : "left out"));
}

// A hook of 500 kg on a rope over the end of a jib, straight at first as in Fig. 8: it comes to rest, then gets a blow.
// The rate at which its energy decays, by the squares of its speed over two periods and four periods later [1/s].
static double decay_rate(double rho)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world;
    if (rvCreateWorld(&worldDef, &world, NULL, 0) != RV_OK)
        return RV_NO_NUMBER;
    rvBodyDef hook = rvDefaultBodyDef();
    hook.mass = 500.0;
    hook.inertia = rvBallInertia(500.0, 0.5);
    hook.pose.p = rvVec(30, 0, 5);
    rvBodyId id = RV_NULL_BODY;
    bool good = rvCreateBody(world, &hook, &id) == RV_OK;
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 20)), rvEyePlace(RV_NULL_BODY, rvVec(30, 0, 20)),
                           rvAttachPlace(id, rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(rho > 0.0 ? RV_CABLE_LAYERED : RV_CABLE_MASSLESS);
    rope.axialStiffness = 2e6;
    rope.massPerLength = rho > 0.0 ? rho : rope.massPerLength;
    rope.length = 45.0;
    rope.straight = true;
    rope.damping = 0.02;
    rope.waveDamping = 2.0;
    rope.places = places;
    rope.placeCount = 3;
    good = good && rvCreateCable(world, &rope, NULL) == RV_OK;
    double squares[2] = {0.0, 0.0};
    for (int n = 0; good && n < 10010; n++) {
        if (n == 8000)
            good = rvBody_SetVelocity(world, id, rvVec(0, 0, -0.02), rvVec(0, 0, 0)) == RV_OK;
        good = good && rvWorld_Step(world, 0.002) == RV_OK;
        double speed = rvBody_GetVelocity(world, id).z;
        if (n >= 8000 && (n - 8000) / 670 != 1)
            squares[n >= 9340] += speed * speed;
    }
    rvDestroyWorld(world);
    return good ? log(squares[0] / squares[1]) / (1340 * 0.002) : RV_NO_NUMBER;
}

// Linear theory of hook and waves (test_model_layered_decay) says the same; why it is not one rate is in the docs.
static void show_decay(rvBench* bench)
{
    static const double masses[] = {0.05, 0.2, 0.5, 1.0, 2.0, 4.0};
    double massless = decay_rate(0.0);
    for (int i = 0; i < 6; i++)
        rv_bench_add(bench, rv_bench_row("1/s", decay_rate(masses[i]), massless, "the rope without mass",
                                         "Fig. 8, rope of %g kg/m: decay of the hook's energy", masses[i]));
}

// 100 kg on 10 m of loose rope, let go 3.6 m from its upper end and aside: it falls, is caught, flies up, again and
// again. The share of its energy above the lowest point that is left after so many seconds, at steps of h.
// elements: of a limp rope of ancf; 0: the model's own, as stiff as a rod
static double kept_when_caught(rvCableModel model, double rho, double stiffness, double seconds, double h, int elements)
{
    rvWorldDef worldDef = rvDefaultWorldDef();
    rvWorld* world;
    if (rvCreateWorld(&worldDef, &world, NULL, 0) != RV_OK)
        return RV_NO_NUMBER;
    rvBodyDef load = rvDefaultBodyDef();
    load.mass = 100.0;
    load.inertia = rvBallInertia(100.0, 0.1);
    load.pose.p = rvVec(3, 0, -2);
    rvBodyId id = RV_NULL_BODY;
    bool good = rvCreateBody(world, &load, &id) == RV_OK;
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 0)), rvAttachPlace(id, rvVec(0, 0, 0))};
    rvCableDef rope = rvDefaultCableDef(model);
    rope.axialStiffness = stiffness;
    rope.massPerLength = rho > 0.0 ? rho : rope.massPerLength;
    rope.length = 10.0;
    if (elements > 0) {
        rope.elements = elements;
        rope.bendingStiffness = 1.0;
    }
    rope.places = places;
    rope.placeCount = 2;
    good = good && rvCreateCable(world, &rope, NULL) == RV_OK;
    double start = 0.0, left = RV_NO_NUMBER;
    for (int n = 0; good && n < (int)(seconds / h); n++) {
        good = rvWorld_Step(world, h) == RV_OK;
        rvEnergy e = rvWorld_GetEnergy(world);
        left = e.kinetic + e.potential + e.elastic + 100.0 * 9.81 * 10.0;
        start = n == 0 ? left : start;
    }
    rvDestroyWorld(world);
    return good ? left / start : RV_NO_NUMBER;
}

static void show_caught(rvBench* bench)
{
    static const double masses[] = {1e-5, 1e-3, 0.1}, stiffness[] = {1e5, 1e6, 1e7};
    double seconds = bench->quick ? 0.5 : 20.0;
    for (int i = 0; i < 3; i++) {
        double massless = kept_when_caught(RV_CABLE_MASSLESS, 0.0, stiffness[i], seconds, STEP, 0);
        for (int k = 0; k < 4; k++) {
            rvCableModel model = k < 3 ? RV_CABLE_LAYERED : RV_CABLE_ANCF;
            double rho = masses[k < 3 ? k : 2];
            rv_bench_add(bench,
                         rv_bench_row("", kept_when_caught(model, rho, stiffness[i], seconds, STEP, 0), massless,
                                      "the rope without mass", "caught for %g s, EA %g N, %s %g kg/m: energy kept",
                                      seconds, stiffness[i], k < 3 ? "rope of" : "ancf", rho));
        }
    }
    double massless = kept_when_caught(RV_CABLE_MASSLESS, 0.0, 1e7, seconds, 0.25 * STEP, 0);
    for (int k = 0; k < 3; k++)
        rv_bench_add(bench,
                     rv_bench_row("", kept_when_caught(RV_CABLE_LAYERED, masses[k], 1e7, seconds, 0.25 * STEP, 0),
                                  massless, "the rope without mass",
                                  "caught for %g s, EA 1e7 N, rope of %g kg/m, 0.25 ms: energy kept", seconds,
                                  masses[k]));
    for (int n = 10; n <= 40; n *= 2)
        rv_bench_add(bench,
                     rv_bench_row("", kept_when_caught(RV_CABLE_ANCF, 0.1, 1e7, seconds, STEP, n), RV_NO_NUMBER, "",
                                  "caught for %g s, EA 1e7 N, ancf, limp, %d elements: energy kept", seconds, n));
}

void rv_bench_layered(rvBench* bench)
{
    static const int sizes[][2] = {{10, 10}, {10, 100}, {100, 10}, {32, 32}, {100, 100}};
    enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    Rig rigs[SIZES];
    bool good[SIZES];
    for (int i = 0; i < SIZES; i++)
        good[i] = create(&rigs[i], sizes[i][0], sizes[i][1]);
    int repeats = bench->quick ? 3 : 60;
    for (int r = 0; r < repeats; r++) {
        rv_bench_progress(bench, "%d of %d", r + 1, repeats);
        for (int i = 0; i < SIZES; i++)
            good[i] = good[i] && measure(&rigs[i], 1 + 20000 / (sizes[i][0] * sizes[i][1]));
    }
    for (int i = 0; i < SIZES; i++) {
        if (good[i])
            show(bench, &rigs[i]);
        else
            rv_bench_leave_out(bench, "Reeve", "%d x %d: %s", sizes[i][0], sizes[i][1],
                               rigs[i].world ? rvWorld_GetError(rigs[i].world) : "no memory");
        if (good[i] && sizes[i][0] * sizes[i][1] <= (bench->quick ? 100 : 1000))
            show_chain(bench, &rigs[i]);
        release(&rigs[i]);
    }
    show_running(bench);
    show_decay(bench);
    show_caught(bench);
}
