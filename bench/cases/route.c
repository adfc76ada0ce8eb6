// SPDX-License-Identifier: MIT
// `reeve bench route`: what the places of a route cost, for each kind of place.
//
// Eyes and sheaves stand in a zigzag in the world, a load hangs on the rope's end. Setting the load's pose updates the
// route once; the same call in a world without the rope is taken off. Contacts come of round posts in an arch, over
// which the rope is laid: their time is that of a whole step, in which they are looked for, with and without their
// coming and going. A whole step over sheaves stands beside MuJoCo's, whose spatial tendon knows cylinders. The random
// walk at the end is in walk.c.
#include "cases/route.h"

#include "bench.h"

#include <stdlib.h>

static const double STEP = 1e-3;

#ifdef REEVE_HAVE_MUJOCO_ROPE_PEER
extern const rvRopeEngine rv_peer_mujoco_rope;
static const rvRopeEngine* const PEER = &rv_peer_mujoco_rope;
#else
static const rvRopeEngine* const PEER = NULL;
#endif

typedef struct {
    rvWorld* world;
    rvBodyId load; // of posts: the end that moves
    rvCableId cable;
    void* peer;
    int count;                                // of places
    double update, step, lifted, bare, other; // least times [s]
} Rig;

static const Rig EMPTY = {
    .update = RV_NO_NUMBER, .step = RV_NO_NUMBER, .lifted = RV_NO_NUMBER, .bare = RV_NO_NUMBER, .other = RV_NO_NUMBER};

static void keep_least(double* least, double time)
{
    if (!(*least <= time))
        *least = time;
}

static bool add_body(Rig* rig, rvBodyType type, rvVec3 at)
{
    rvBodyDef def = rvDefaultBodyDef();
    def.type = type;
    def.mass = RV_ZIGZAG_MASS;
    def.pose.p = at;
    return rvCreateBody(rig->world, &def, &rig->load) == RV_OK;
}

static bool add_cable(Rig* rig, const rvPlaceDef* places, int count, int contacts)
{
    rvCableDef def = rvDefaultCableDef(RV_CABLE_MASSLESS);
    def.axialStiffness = RV_ZIGZAG_STIFFNESS;
    def.damping = 0.01;
    def.collides = contacts > 0;
    def.friction = 0.0;
    def.maxContacts = contacts > 0 ? contacts : def.maxContacts;
    def.places = places;
    def.placeCount = count;
    return rvCreateCable(rig->world, &def, &rig->cable) == RV_OK;
}

static bool new_world(Rig* rig, int count)
{
    *rig = EMPTY;
    rig->count = count;
    rvWorldDef def = rvDefaultWorldDef();
    return rvCreateWorld(&def, &rig->world, NULL, 0) == RV_OK;
}

static bool zigzag_create(Rig* rig, rvPlaceType type, int count)
{
    rvPlaceDef* places = calloc((size_t)count + 2, sizeof(*places));
    bool good = places && new_world(rig, count) && add_body(rig, RV_BODY_DYNAMIC, rv_zigzag_load(count));
    for (int i = 0; good && i < count; i++) {
        rvVec3 center = rv_zigzag_wheel(count, i);
        places[i + 1] = type == RV_PLACE_EYE ? rvEyePlace(RV_NULL_BODY, center)
                                             : rvSheavePlace(RV_NULL_BODY, center, rvVec(0, 1, 0), RV_ZIGZAG_RADIUS);
    }
    if (good) {
        places[0] = rvAttachPlace(RV_NULL_BODY, rv_zigzag_start());
        places[count + 1] = rvAttachPlace(rig->load, rvVec(0, 0, 0));
        good = add_cable(rig, places, count + 2, 0);
    }
    free(places);
    return good;
}

// Posts of radius 0.1 m, one metre apart, their tops on a flat parabola: a rope between the feet touches all of them.
static bool posts_create(Rig* rig, int count)
{
    bool good = new_world(rig, count);
    for (int i = 0; good && i < count; i++) {
        double s = (i + 1.0) / (count + 1.0);
        rvShapeDef post = rvDefaultShapeDef(RV_SHAPE_CYLINDER);
        post.radius = 0.1;
        post.length = 1.0;
        post.friction = 0.0;
        post.frame.q = rvQuatFromAxisAngle(rvVec(1, 0, 0), 1.5707963267948966);
        good = add_body(rig, RV_BODY_STATIC, rvVec(i + 1, 0, 0.04 * count * s * (1.0 - s))) &&
               rvCreateShape(rig->world, rig->load, &post, NULL) == RV_OK;
    }
    // both ends on one body: they move together, and it has no shape
    good = good && add_body(rig, RV_BODY_KINEMATIC, rvVec(0, 0, 1.0 + 0.04 * count));
    rvPlaceDef places[2] = {rvAttachPlace(rig->load, rvVec(0, 0, 0)), rvAttachPlace(rig->load, rvVec(count + 1, 0, 0))};
    return good && add_cable(rig, places, 2, 2 * count + 8);
}

static bool measure_update(Rig* rig, const Rig* bare, int block)
{
    rvPose pose = rvBody_GetPose(rig->world, rig->load), there = pose;
    there.p.x += 1e-4; // about as far as it moves in a step
    double start = rv_bench_clock();
    for (int i = 0; i < block; i++)
        rvBody_SetPose(rig->world, rig->load, i % 2 ? pose : there);
    double middle = rv_bench_clock();
    for (int i = 0; i < block; i++)
        rvBody_SetPose(bare->world, bare->load, i % 2 ? pose : there);
    double end = rv_bench_clock();
    rvBody_SetPose(rig->world, rig->load, pose);
    keep_least(&rig->update, (middle - start) / block);
    keep_least(&rig->bare, (end - middle) / block);
    return true;
}

static bool measure_step(Rig* rig, int block)
{
    double start = rv_bench_clock();
    for (int i = 0; i < block; i++)
        if (rvWorld_Step(rig->world, STEP) != RV_OK)
            return false;
    keep_least(&rig->step, (rv_bench_clock() - start) / block);
    start = rv_bench_clock();
    for (int i = 0; PEER && rig->peer && i < block; i++)
        PEER->step(rig->peer);
    if (rig->peer)
        keep_least(&rig->other, (rv_bench_clock() - start) / block);
    return true;
}

// The ends go down, so that the rope meets all posts, and up again, where it leaves them.
static bool measure_posts(Rig* rig, int block)
{
    rvPose up = rvBody_GetPose(rig->world, rig->load), down = up;
    down.p.z = 0.0;
    double lifted = 0.0;
    for (int i = 0; i < block; i++) {
        double start = rv_bench_clock();
        rvBody_MoveTo(rig->world, rig->load, i % 2 ? up : down);
        if (rvWorld_Step(rig->world, STEP) != RV_OK)
            return false;
        lifted += rv_bench_clock() - start;
        if (i % 2 == 0 && rvCable_GetContactCount(rig->world, rig->cable) != rig->count)
            return false;
    }
    keep_least(&rig->lifted, lifted / block);
    rvBody_MoveTo(rig->world, rig->load, down);
    bool good = rvWorld_Step(rig->world, STEP) == RV_OK;
    rvBody_SetVelocity(rig->world, rig->load, rvVec(0, 0, 0), rvVec(0, 0, 0));
    good = good && measure_step(rig, block);
    rvBody_MoveTo(rig->world, rig->load, up);
    return rvWorld_Step(rig->world, STEP) == RV_OK && good;
}

static void show_update(rvBench* bench, const Rig* rig, const char* kind)
{
    double time = 1e6 * (rig->update - rig->bare);
    bool goal = rig->count == 10;
    rvBenchRow row = rv_bench_row("us", time, goal ? 1.0 : RV_NO_NUMBER, goal ? "goal for ten sheaves" : "",
                                  "%d %s: time of a route update", rig->count, kind);
    rv_bench_add(bench, goal ? rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0) : row);
    bool beside = rig->other > 0.0;
    row = rv_bench_row("us", 1e6 * rig->step, 1e6 * rig->other, beside ? "MuJoCo: spatial tendon, same run" : "",
                       "%d %s: time of a whole step", rig->count, kind);
    rv_bench_add(bench, beside ? rv_bench_goal(row, RV_GOAL_RATIO_AT_MOST, 1.0) : row);
}

static void show_posts(rvBench* bench, const Rig* rig)
{
    rv_bench_add(
        bench, rv_bench_row("us", 1e6 * rig->step, RV_NO_NUMBER, "", "%d contacts: time of a whole step", rig->count));
    rv_bench_add(bench, rv_bench_row("us", 1e6 * rig->lifted, 1e6 * rig->step, "ours, contacts that stay",
                                     "%d contacts: time of a whole step in which all come or go", rig->count));
}

// Ten times the contacts cost ten times the time, and not much more.
static void show_growth(rvBench* bench, const Rig* few, const Rig* many)
{
    double each = 1e6 * few->lifted / few->count;
    rv_bench_add(
        bench,
        rv_bench_goal(rv_bench_row("us", 1e6 * many->lifted / many->count, each, "ours, each of the fewer contacts",
                                   "%d contacts for %d: time for each that comes or goes", many->count, few->count),
                      RV_GOAL_RATIO_AT_MOST, 2.0));
}

static void release(Rig* rig)
{
    rvDestroyWorld(rig->world);
    if (PEER && rig->peer)
        PEER->destroy(rig->peer);
}

// The two ropes are the same: their lengths as they are laid.
static void add_peer(rvBench* bench, Rig* rig)
{
    rig->peer = PEER ? PEER->create(rig->count, STEP) : NULL;
    if (!rig->peer) {
        rv_bench_leave_out(bench, "MuJoCo", "%d sheaves: %s", rig->count, PEER ? "refuses the model" : "not installed");
        return;
    }
    rvBenchRow row = rv_bench_row("m", rvCable_GetLength(rig->world, rig->cable), PEER->length(rig->peer),
                                  "MuJoCo: spatial tendon, same run", "%d sheaves: length of the rope", rig->count);
    rv_bench_add(bench, rv_bench_goal(row, RV_GOAL_RATIO_WITHIN, 1e-9));
}

typedef enum { EYES, SHEAVES, POSTS, KINDS } Kind;

static bool create(Rig* rig, Kind kind, int count)
{
    if (kind == POSTS)
        return posts_create(rig, count);
    return zigzag_create(rig, kind == EYES ? RV_PLACE_EYE : RV_PLACE_SHEAVE, count);
}

static bool measure(const rvBench* bench, Rig* rig, Kind kind, const Rig* bare)
{
    int block = 20 + 4000 / (5 + rig->count);
    if (kind == POSTS)
        return measure_posts(rig, bench->quick ? 2 : 2 + 200 / rig->count * 2);
    return measure_update(rig, bare, block) && measure_step(rig, block);
}

void rv_bench_route(rvBench* bench)
{
    if (bench->walk > 0) {
        rv_bench_walk(bench, bench->walk);
        return;
    }
    static const int sizes[] = {1, 8, 10, 100};
    static const char* const names[] = {"eyes", "sheaves", "contacts"};
    enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    Rig rigs[KINDS][SIZES], bare;
    bool good[KINDS][SIZES];
    bool ready = new_world(&bare, 0) && add_body(&bare, RV_BODY_DYNAMIC, rvVec(0, 0, 0));
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < SIZES; i++) {
            good[k][i] = create(&rigs[k][i], (Kind)k, sizes[i]) && ready;
            if (good[k][i] && k == SHEAVES)
                add_peer(bench, &rigs[k][i]);
        }
    int repeats = bench->quick ? 3 : 40;
    for (int r = 0; r < repeats; r++) {
        rv_bench_progress(bench, "%d of %d", r + 1, repeats);
        for (int k = 0; k < KINDS; k++)
            for (int i = 0; i < SIZES; i++)
                good[k][i] = good[k][i] && measure(bench, &rigs[k][i], (Kind)k, &bare);
    }
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < SIZES; i++) {
            if (!good[k][i])
                rv_bench_leave_out(bench, "Reeve", "%d %s: %s", sizes[i], names[k],
                                   rigs[k][i].world ? rvWorld_GetError(rigs[k][i].world) : "no memory");
            else if (k == POSTS)
                show_posts(bench, &rigs[k][i]);
            else
                show_update(bench, &rigs[k][i], names[k]);
        }
    if (good[POSTS][SIZES - 2] && good[POSTS][SIZES - 1])
        show_growth(bench, &rigs[POSTS][SIZES - 2], &rigs[POSTS][SIZES - 1]);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < SIZES; i++)
            release(&rigs[k][i]);
    release(&bare);
    rv_bench_walk(bench, bench->quick ? 500 : 10000);
}
