// SPDX-License-Identifier: MIT
// The chain in our own engine, and what is measured on a chain in any engine.
#include "cases/chain.h"

#include "bench.h"
#include "reeve/reeve.h"

#include <stdlib.h>

// The peers; each is compiled in where its library was found.
#ifdef REEVE_HAVE_ODE_PEER
extern const rvChainEngine rv_peer_ode_direct, rv_peer_ode_quick;
#define ODE_DIRECT &rv_peer_ode_direct
#define ODE_QUICK &rv_peer_ode_quick
#else
#define ODE_DIRECT NULL
#define ODE_QUICK NULL
#endif
#ifdef REEVE_HAVE_MUJOCO_PEER
extern const rvChainEngine rv_peer_mujoco;
#define MUJOCO &rv_peer_mujoco
#else
#define MUJOCO NULL
#endif
#ifdef REEVE_HAVE_BULLET_PEER
extern const rvChainEngine rv_peer_bullet;
#define BULLET &rv_peer_bullet
#else
#define BULLET NULL
#endif

static const struct {
    const char* name;
    const rvChainEngine* engine;
} peerTable[] = {
    {"ODE dWorldStep", ODE_DIRECT},
    {"ODE dWorldQuickStep", ODE_QUICK},
    {"MuJoCo", MUJOCO},
    {"Bullet btMultiBody", BULLET},
};

enum { PEER_COUNT = sizeof(peerTable) / sizeof(peerTable[0]) };

int rv_chain_peers(const rvChainEngine** peers, int capacity)
{
    int count = 0;
    for (int i = 0; i < PEER_COUNT; i++)
        if (peerTable[i].engine && count < capacity)
            peers[count++] = peerTable[i].engine;
    return count;
}

int rv_chain_missing(const char** names, int capacity)
{
    int count = 0;
    for (int i = 0; i < PEER_COUNT; i++)
        if (!peerTable[i].engine && count < capacity)
            names[count++] = peerTable[i].name;
    return count;
}

typedef struct {
    rvWorld* world;
    rvBodyId load;
} OurChain;

static void our_destroy(void* state)
{
    OurChain* chain = state;
    rvDestroyWorld(chain->world);
    free(chain);
}

// Hangs a body by a ball joint at `below` of the body above (null: the world).
static rvStatus hang(rvWorld* world, rvBodyId above, rvVec3 below, rvBodyId body, rvVec3 top)
{
    rvJointDef def = rvDefaultJointDef(RV_JOINT_BALL);
    def.bodyA = above;
    def.bodyB = body;
    def.frameA.p = below;
    def.frameB.p = top;
    rvJointId id;
    return rvCreateJoint(world, &def, &id);
}

static rvStatus our_build(rvWorld* world, const rvChain* chain, rvBodyId* load)
{
    double half = 0.5 * rv_chain_link_length(chain);
    rvVec3 moments = rv_chain_link_inertia(chain);
    rvBodyId above = RV_NULL_BODY;
    rvVec3 below = rvVec(0, 0, 0);
    for (int i = 0; i < chain->links; i++) {
        rvBodyDef def = rvDefaultBodyDef();
        def.mass = chain->linkMass;
        def.inertia = rvMat3Diagonal(moments.x, moments.y, moments.z);
        def.pose.p = rv_chain_point(chain, (2 * i + 1) * half);
        def.pose.q = rv_chain_turn(chain);
        rvBodyId link;
        rvStatus status = rvCreateBody(world, &def, &link);
        if (status == RV_OK)
            status = hang(world, above, below, link, rvVec(0, 0, half));
        if (status != RV_OK)
            return status;
        above = link;
        below = rvVec(0, 0, -half);
    }
    rvBodyDef def = rvDefaultBodyDef();
    double moment = rv_chain_load_inertia(chain);
    def.mass = chain->loadMass;
    def.inertia = rvMat3Diagonal(moment, moment, moment);
    def.pose.p = rv_chain_point(chain, chain->length);
    rvStatus status = rvCreateBody(world, &def, load);
    return status == RV_OK ? hang(world, above, below, *load, rvVec(0, 0, 0)) : status;
}

static void* our_create(const rvChain* chain)
{
    OurChain* our = calloc(1, sizeof(*our));
    rvWorldDef def = rvDefaultWorldDef();
    def.gravity = rvVec(0, 0, -RV_CHAIN_GRAVITY);
    if (!our || rvCreateWorld(&def, &our->world, NULL, 0) != RV_OK ||
        our_build(our->world, chain, &our->load) != RV_OK) {
        if (our)
            our_destroy(our);
        return NULL;
    }
    return our;
}

static bool our_step(void* state, double h)
{
    OurChain* chain = state;
    return rvWorld_Step(chain->world, h) == RV_OK;
}

static rvVec3 our_load(void* state)
{
    OurChain* chain = state;
    return rvBody_GetCenter(chain->world, chain->load);
}

static double our_energy(void* state)
{
    OurChain* chain = state;
    rvEnergy energy = rvWorld_GetEnergy(chain->world);
    return energy.kinetic + energy.potential;
}

static double our_gap(void* state)
{
    OurChain* chain = state;
    return rvWorld_GetStepInfo(chain->world).worstGap;
}

const rvChainEngine rv_chain_ours = {
    .name = "Reeve",
    .maxLinks = 1000000,
    .whyLimit = "",
    .create = our_create,
    .destroy = our_destroy,
    .step = our_step,
    .load = our_load,
    .energy = our_energy,
    .gap = our_gap,
};

double rv_chain_period(const rvChain* chain)
{
    double L = chain->length, links = chain->links * chain->linkMass;
    double inertia = (chain->loadMass + links / 3.0) * L * L;
    double moment = (chain->loadMass + links / 2.0) * RV_CHAIN_GRAVITY * L;
    double a = 1.0, b = cos(0.5 * chain->angle); // arithmetic-geometric mean: the complete elliptic integral
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * acos(-1.0) * sqrt(inertia / moment) / a;
}

double rv_chain_rest_energy(const rvChain* chain, double angle)
{
    double links = chain->links * chain->linkMass;
    return -(chain->loadMass + 0.5 * links) * RV_CHAIN_GRAVITY * chain->length * cos(angle);
}

double rv_chain_step_limit(const rvChain* chain)
{
    double tension = chain->loadMass * RV_CHAIN_GRAVITY;
    return 2.0 / sqrt(12.0 * tension / (chain->linkMass * rv_chain_link_length(chain)));
}

// Times one block of steps; false where the engine lost the state.
static bool time_block(rvChainTiming* item, void* state, int block, double* seconds)
{
    bool good = true;
    double start = rv_bench_clock();
    for (int k = 0; k < block && good; k++)
        good = item->engine->step(state, item->h);
    *seconds = (rv_bench_clock() - start) / block;
    if (good && !(item->seconds <= *seconds))
        item->seconds = *seconds;
    return good;
}

void rv_chain_time(rvChainTiming* items, int count, int repeats)
{
    void* states[RV_CHAIN_MAX_ENGINES] = {0};
    int blocks[RV_CHAIN_MAX_ENGINES];
    const double blockTime = 0.003; // long against the clock, short against what disturbs it
    for (int i = 0; i < count; i++) {
        items[i].seconds = RV_NO_NUMBER;
        blocks[i] = 1;
        states[i] = items[i].engine->create(&items[i].chain);
    }
    for (int r = -2; r < repeats; r++) { // the first two blocks warm up and find the block's length
        for (int i = 0; i < count; i++) {
            double time;
            if (!states[i])
                continue;
            bool done = !time_block(&items[i], states[i], blocks[i], &time) || time > 1.0; // one such step tells enough
            if (r < 0)
                blocks[i] = time < blockTime ? (int)(blockTime / (time + 1e-7)) + 1 : 1;
            if (done) {
                items[i].engine->destroy(states[i]);
                states[i] = NULL;
            }
        }
    }
    for (int i = 0; i < count; i++)
        if (states[i])
            items[i].engine->destroy(states[i]);
}

rvChainRun rv_chain_run(const rvChain* chain, const rvChainEngine* engine, double h, double duration, double off)
{
    rvChainRun run = {.held = 0, .period = RV_NO_NUMBER, .gap = RV_NO_NUMBER, .energy = RV_NO_NUMBER};
    void* state = engine->create(chain);
    if (!state)
        return run;
    double before = rv_chain_point(chain, chain->length).x;
    double first = RV_NO_NUMBER, last = RV_NO_NUMBER; // crossings of the vertical
    int crossings = 0;
    int stepCount = (int)ceil(duration / h - 1e-9);
    for (int n = 1; n <= stepCount; n++) {
        if (!engine->step(state, h))
            break;
        rvVec3 load = engine->load(state);
        double arc = fabs(rvLength(load) - chain->length);
        if (!(arc <= off * chain->length))
            break;
        if (n % 16 == 0 || n == stepCount)
            run.gap = fmax(run.gap, engine->gap(state));
        run.held = n * h;
        if (before * load.x < 0.0) {
            last = h * (n - load.x / (load.x - before));
            first = crossings++ ? first : last;
        }
        before = load.x;
    }
    if (engine->energy) {
        double lowest = rv_chain_rest_energy(chain, 0.0);
        run.energy = (engine->energy(state) - lowest) / (rv_chain_rest_energy(chain, chain->angle) - lowest);
    }
    engine->destroy(state);
    if (crossings > 1)
        run.period = 2.0 * (last - first) / (crossings - 1);
    return run;
}

static bool holds_load(const rvChain* chain, const rvChainEngine* engine, double h)
{
    const double duration = 3.0;
    return rv_chain_run(chain, engine, h, duration, 0.01).held > duration - 0.5 * h;
}

double rv_chain_largest_step(const rvChain* chain, const rvChainEngine* engine, double low, double high)
{
    if (holds_load(chain, engine, high))
        return high;
    double bottom = low;
    while (high > 1.05 * low) {
        double middle = sqrt(low * high);
        if (holds_load(chain, engine, middle))
            low = middle;
        else
            high = middle;
    }
    return low > bottom || holds_load(chain, engine, low) ? low : RV_NO_NUMBER;
}
