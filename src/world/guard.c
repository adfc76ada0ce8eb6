// SPDX-License-Identifier: MIT
// The guard of the energy, for each island (bodies that rows tie together).
//
// A row's impulse x changes the kinetic energy by x J (v + v')/2, exactly; gravity and applied forces give their part
// of the same mean velocity. So the books of a step are closed, and what is left over is the method's own:
//   made = change of kinetic energy - gravity - applied forces - rows that are not the method's (contacts, motors,
//          limits, friction, joints that yield) + x J (v + v')/2 of prescribed bodies (their work, taken off)
//          + change of what cables hold: stretch, twist, wheels, heat of friction, less the work of their winches
//   own  = the same without cables: joints that should do no work, geometric stiffness, drag
// made > 0 is energy from nothing: directions turn within the step, stiffness changes while it is stretched. own < 0 is
// what these lose; it is given back where no cable is in the island: the loss of a cable may be its damping.
//
// Accounts. gain += made, never far below zero: a debt fades in FADE. It is for energy that is read too low and comes
// back. What drag took of turning (body/stiffness.c) does not, so where a cable is in the island it is no debt. Above
// TOLERANCE of the scale (the kinetic energy of the last seconds) all of it is taken out at once: v'' = v' - s d, d =
// v' less the island's rigid motion, which all rows allow as they allow v'. loss -= own, at most LARGEST_LOSS of the
// scale, fading in LOSS_FADE; above TOLERANCE it is given back in GIVE_TIME along the slow motion, d = the mean of v
// over SLOW_TIME less its rigid part: so the swing gets it and not the vibration that lost it. Islands that nothing
// holds keep momentum and angular momentum to round-off. Below TOLERANCE nothing is touched. Accounts live with the
// bodies, by their mass: islands come and go.
//
// Rope with mass that waves (cable/string/layered_books.c) is in these books: what it holds, weight and waves with it,
// and what it does to prescribed bodies beside its rows. Rope that comes or goes with another speed than it is counted
// with leaves that as heat, below zero or above, which is told. Of its rows' damping the heat counts as told, too: a
// damped rope that turns within the step holds more stretch than it has, and gives it back. Its waves are read to half
// a hundredth of what moves, so the tolerance is ROPE_TOLERANCE; what is taken is taken from its waves and its running
// too, all at the same share. Where nothing holds such an island its momentum is also that of the waves: it is left
// alone. Not guarded: the printed stepper, bodies of a host. Rope of elements has its own books (cable/fe/fe_guard.c),
// so have curves; what they made and cannot give back themselves is owed by their island, and counts as its gain.
#include "world/guard.h"

#include "math/extreme.h"
#include "math/sym3.h"
#include "world/world.h"

#define TOLERANCE 1e-3
#define ROPE_TOLERANCE 5e-3 // with rope that has mass
#define FADE 1.0            // [s]
#define SCALE_FADE 2.0      // [s]
#define SCALE_FALL 0.3      // [s] of free fall make the least kinetic energy that counts
#define MOST_TAKEN 0.7      // of the speed, in a step
#define LARGEST_LOSS 0.1    // of the scale
#define LARGEST_SHOCK 0.02  // of the scale, that counts as the method's loss in a step: more is a shock
#define LOSS_FADE 300.0     // [s]
#define GIVE_TIME 3.0       // [s]
#define MOST_GIVEN 0.05     // of the speed, in a second
#define SLOW_TIME 0.2       // [s]

bool rv_guard_reserve(rvGuard* guard, rvMemory* memory, int bodyCount, int cableCount)
{
    return rv_memory_grow(memory, (void**)&guard->parent, &guard->parentCapacity, bodyCount, sizeof(int)) &&
           rv_memory_grow(memory, (void**)&guard->islands, &guard->islandCapacity, bodyCount, sizeof(rvGuardIsland)) &&
           rv_memory_grow(memory, (void**)&guard->cables, &guard->cableCapacity, cableCount, sizeof(rvGuardCable));
}

void rv_guard_release(rvGuard* guard, rvMemory* memory)
{
    rv_memory_give(memory, guard->parent, (size_t)guard->parentCapacity * sizeof(int));
    rv_memory_give(memory, guard->islands, (size_t)guard->islandCapacity * sizeof(rvGuardIsland));
    rv_memory_give(memory, guard->cables, (size_t)guard->cableCapacity * sizeof(rvGuardCable));
    *guard = (rvGuard){0};
}

// What a cable holds and has turned into heat by friction, less what was put into it. The heat of its damping is left
// out.
static double stored(const rvCable* cable, const rvRopeEnergy* energy)
{
    const rvCableState* s = &cable->state;
    double sum = rv_rope_energy_sum(energy) + cable->winch[0].state.heat + cable->winch[1].state.heat -
                 cable->winch[0].state.work - cable->winch[1].state.work - s->weightWork;
    for (int i = 0; i < cable->route.placeCount; ++i)
        sum += cable->route.places[i].state.heat - cable->route.places[i].state.driveWork;
    return sum;
}

static bool is_guarded(const rvWorld* world)
{
    return world->def.stepper == RV_STEPPER_SPOOK;
}

// Taut models; finite elements and curves keep their own accounts.
static bool is_taut(const rvCable* cable)
{
    return rv_cable_has(cable, RV_SEGMENTS);
}

static bool is_taut_with_mass(const rvCable* cable)
{
    return rv_cable_has(cable, RV_SEGMENTS) && rv_cable_has(cable, RV_HAS_MASS);
}

static rvRopeEnergy energy_of(const rvWorld* world, const rvCable* cable, double h)
{
    return is_taut(cable) ? rv_cable_energy(cable, &world->bodies, world->state.gravity, h) : (rvRopeEnergy){0};
}

void rv_guard_begin(rvWorld* world)
{
    world->guard.strange = false;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        if (!rv_id_pool_alive(&world->cables.pool, i))
            continue;
        rvRopeEnergy energy = energy_of(world, cable, world->state.h);
        world->guard.strange = world->guard.strange || !energy.known;
        world->guard.cables[i].stored =
            energy.known && cable->state.fresh == 0.0 ? stored(cable, &energy) : (double)NAN;
    }
}

// ---- islands --------------------------------------------------------------------------------------------------------

static int find_root(int* parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static bool is_moved(const rvWorld* world, int solverBody)
{
    const double* m = world->bodies.inverse[solverBody];
    return m[0] != 0.0 || m[1] != 0.0 || m[4] != 0.0 || m[6] != 0.0;
}

// The island of a group, -1: nothing of it can be pushed.
static int root_of(const rvWorld* world, const rvRowGroup* group)
{
    const rvSlot* slots = world->rows.slots + group->firstSlot;
    for (int i = 0; i < group->slotCount; ++i)
        if (is_moved(world, slots[i].body))
            return find_root(world->guard.parent, slots[i].body);
    return -1;
}

// Islands by union; after it the parent of a body is the root of its island.
static void find_islands(rvWorld* world)
{
    rvGuard* guard = &world->guard;
    int count = world->bodies.pool.count + world->bodies.wheelCount;
    for (int i = 0; i < count; ++i)
        guard->parent[i] = i;
    for (int g = 0; g < world->rows.groupCount; ++g) {
        const rvRowGroup* group = &world->rows.groups[g];
        int first = root_of(world, group);
        for (int i = 0; i < group->slotCount; ++i) {
            int body = world->rows.slots[group->firstSlot + i].body;
            if (!is_moved(world, body))
                continue;
            int other = find_root(guard->parent, body); // the lower index stays
            guard->parent[other > first ? other : first] = other > first ? first : other;
            first = other > first ? first : other;
        }
    }
    for (int i = 0; i < count; ++i) {
        guard->parent[i] = guard->parent[guard->parent[i]]; // which is lower and has been seen to
        if (guard->parent[i] == i)
            guard->islands[i] = (rvGuardIsland){0};
    }
}

static bool is_counted(const rvWorld* world, int i)
{
    return rv_body_alive(&world->bodies, i) && rv_body_is_pushed(&world->bodies.items[i]);
}

static rvGuardIsland* island_of(rvWorld* world, int body)
{
    return &world->guard.islands[world->guard.parent[body]];
}

// ---- books ----------------------------------------------------------------------------------------------------------

static rvVec3 linear_of(const double v[6])
{
    return rvVec(v[0], v[1], v[2]);
}

static rvVec3 angular_of(const double v[6])
{
    return rvVec(v[3], v[4], v[5]);
}

static bool is_null(rvVec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

// As the body lies after the step.
static double energy_of_turning(const rvBody* body)
{
    rvVec3 w = rvRotateBack(rvQuatMul(body->state.q, body->principalAxes), body->state.w), inertia = body->principal;
    return 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
}

static bool is_roped(const rvBody* body)
{
    return body->ropeMass > 0.0 || !is_null(body->ropeForce);
}

// The kinetic energy of a kilogram that counts in any case.
static double least_of(const rvWorld* world)
{
    double fall = rvLength(world->state.gravity) * SCALE_FALL;
    return 0.5 * fall * fall;
}

static void count_body(rvWorld* world, int i, const rvStepContext* context, double least)
{
    double h = context->h;
    rvBody* body = &world->bodies.items[i];
    rvBodyState* s = &body->state;
    rvGuardIsland* island = island_of(world, i);
    rvVec3 v = linear_of(world->bodies.velocity[i]), w = angular_of(world->bodies.velocity[i]);
    rvVec3 way = rvAdd(v, body->lastV);
    // the mean velocity times the change of momentum that gravity and applied forces did not make
    rvVec3 push = rvMulAdd(rvMulAdd(rvScale(body->mass, rvSub(v, body->lastV)), -h * body->mass, world->state.gravity),
                           -h, body->appliedForce);
    double made = 0.5 * rvDot(way, push), turning = 0.0;
    if (!is_null(w) || !is_null(body->lastW)) {
        rvVec3 turn = rvAdd(w, body->lastW), spin = rv_sym3_vec(body->inertia, rvSub(w, body->lastW));
        made = 0.5 * (rvDot(way, push) + rvDot(turn, rvMulAdd(spin, -h, body->appliedTorque)));
        // free turning keeps the angular momentum, but the energy only as well as its split does
        turning = 0.5 * rvDot(w, rv_sym3_vec(body->inertia, w));
        made += energy_of_turning(body) - turning;
        island->owed += rv_body_lent_work(body, context, w);
        double byDrag; // where it drives the body that is no loss, but made
        world->state.turningHeat += rv_body_turning_loss(body, h, w, &byDrag);
        island->dragged += rv_larger(0.0, byDrag);
    }
    island->made += made;
    island->own += made;
    island->mass += body->mass;
    double kinetic = 0.5 * body->mass * rvDot(v, v) + turning;
    kinetic = rv_larger(kinetic, body->mass * least);
    s->guardScale = rv_larger(kinetic, s->guardScale * (1.0 - rv_smaller(1.0, h / SCALE_FADE)));
    island->scale += s->guardScale;
    island->gain += s->guardGain;
    island->loss += s->guardLoss;
    if (s->guardFresh != 0.0)
        island->shock = true;
    s->guardFresh = 0.0;
    double share = rv_smaller(1.0, h / SLOW_TIME);
    s->slowV = rvMulAdd(s->slowV, share, rvSub(s->v, s->slowV));
    s->slowW = rvMulAdd(s->slowW, share, rvSub(s->w, s->slowW));
    if (body->type == RV_BODY_PROXY)
        island->hosted = true;
    if (body->type == RV_BODY_PROXY || (world->guard.strange && is_roped(body)))
        island->unknown = true;
}

// What rope with mass does to a prescribed body beside its rows, on its way: a support's work. It is told to the island
// that hangs on it; of several nobody knows whose it was.
static void count_support(rvWorld* world, int i, double h)
{
    const rvBody* body = &world->bodies.items[i];
    rvVec3 v = linear_of(world->bodies.velocity[i]), w = angular_of(world->bodies.velocity[i]);
    if (!is_roped(body) || (is_null(v) && is_null(w) && is_null(body->lastV) && is_null(body->lastW)))
        return;
    rvVec3 push = rvMulAdd(rvScale(h, body->ropeForce), -body->ropeMass, rvSub(v, body->lastV));
    rvVec3 turn = rvSub(rvScale(h, body->ropeTorque), rv_sym3_vec(body->ropeInertia, rvSub(w, body->lastW)));
    double work = 0.5 * (rvDot(push, rvAdd(v, body->lastV)) + rvDot(turn, rvAdd(w, body->lastW)));
    int only = -1;
    for (int g = 0; g < world->rows.groupCount; ++g) {
        const rvRowGroup* group = &world->rows.groups[g];
        int root = group->kind == RV_GROUP_CABLE ? root_of(world, group) : -1;
        for (int slot = 0; root >= 0 && slot < group->slotCount; ++slot) {
            if (world->rows.slots[group->firstSlot + slot].body != i || root == only)
                continue;
            if (only >= 0)
                world->guard.islands[root].unknown = world->guard.islands[only].unknown = true;
            only = root;
        }
    }
    if (only >= 0)
        world->guard.islands[only].made += work;
}

// Rope with weight pulls at what it hangs on also where its rows have no tension.
static bool hangs_fast(const rvWorld* world, const rvCable* cable)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        if (place->on && !rv_place_is_crossing(place) && (place->body < 0 || !is_moved(world, place->body)))
            return true;
    }
    return false;
}

// Does some row of the group push the island against what is no body of it? Inertia of rope, which moves along, does
// not, nor does a curve that nothing holds.
static bool holds(const rvWorld* world, int group)
{
    const rvRowGroup* g = &world->rows.groups[group];
    if (g->kind == RV_GROUP_CABLE && world->cables.items[g->owner].group != group)
        return false;
    const rvCable* cable = g->kind == RV_GROUP_CABLE ? &world->cables.items[g->owner] : NULL;
    if (cable && cable->account.held != 0)
        return cable->account.held > 0;
    if (cable && is_taut_with_mass(cable))
        return hangs_fast(world, cable);
    const rvRow* rows = rv_group_rows(&world->rows, group);
    for (int r = 0; r < g->rowCount; ++r) {
        rvVec3 net = rvVec(0, 0, 0);
        double size = 0.0;
        for (int slot = 0; slot < g->slotCount && rows[r].impulse != 0.0; ++slot) {
            int index = world->rows.slots[g->firstSlot + slot].body;
            if (index >= world->bodies.pool.count)
                continue; // wheels are counted with their cables
            if (!is_moved(world, index))
                return true;
            rvVec3 linear = linear_of(rv_group_jacobian(&world->rows, group, slot)[r]);
            net = rvAdd(net, linear);
            size = rv_larger(size, rvDot(linear, linear));
        }
        if (rvDot(net, net) > 1e-18 * size)
            return true;
    }
    return false;
}

// The work of a group's rows on the body of one slot, x J (v + v')/2, into the books of island, joint and contacts.
static void count_slot(rvWorld* world, int g, int slot, rvGuardIsland* island)
{
    const rvRowGroup* group = &world->rows.groups[g];
    int index = world->rows.slots[group->firstSlot + slot].body;
    if (index >= world->bodies.pool.count)
        return; // wheels are counted with their cables
    bool moved = is_moved(world, index);
    if (moved && (group->ownCount == group->rowCount || group->kind == RV_GROUP_CABLE))
        return; // the method's own: what is left over; of cables what they hold is counted, and no loss is given back
    const rvRow* rows = rv_group_rows(&world->rows, g);
    const double(*j)[6] = (const double(*)[6])rv_group_jacobian(&world->rows, g, slot);
    const double* v = world->bodies.velocity[index];
    const rvBody* body = &world->bodies.items[index];
    rvVec3 way = rvAdd(linear_of(v), body->lastV), turn = rvAdd(angular_of(v), body->lastW);
    for (int r = 0; r < group->rowCount; ++r) {
        bool own = r >= group->firstOwn && r < group->firstOwn + group->ownCount;
        if (rows[r].impulse == 0.0 || (own && moved))
            continue;
        double work = 0.5 * rows[r].impulse * (rvDot(linear_of(j[r]), way) + rvDot(angular_of(j[r]), turn));
        if (group->kind == RV_GROUP_JOINT && !own)
            rv_joint_count_work(&world->joints.items[group->owner], r, work);
        if (group->kind == RV_GROUP_CONTACT)
            world->state.contactHeat -= work;
        if (own != moved)
            island->own += own ? work : -work;
        if ((own || group->kind == RV_GROUP_CABLE) != moved)
            island->made += moved ? -work : work;
    }
}

static void count_rows(rvWorld* world)
{
    for (int g = 0; g < world->rows.groupCount; ++g) {
        const rvRowGroup* group = &world->rows.groups[g];
        int root = root_of(world, group);
        if (root < 0)
            continue;
        rvGuardIsland* island = &world->guard.islands[root];
        if (group->kind == RV_GROUP_CABLE)
            island->roped = true;
        if (group->ownChanged && rv_joint_was_shut(&world->joints.items[group->owner], group->ownCount))
            island->shock = true;
        for (int slot = 0; slot < group->slotCount; ++slot)
            count_slot(world, g, slot, island);
        if (!island->held && holds(world, g))
            island->held = true;
    }
}

static void count_cables(rvWorld* world, double h)
{
    double least = least_of(world);
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        if (!rv_id_pool_alive(&world->cables.pool, i) || cable->group < 0)
            continue;
        int root = root_of(world, &world->rows.groups[cable->group]);
        if (root < 0)
            continue;
        rvGuardIsland* island = &world->guard.islands[root];
        island->owed += cable->account.excess;
        rvRopeEnergy energy = energy_of(world, cable, h);
        world->guard.cables[i].known = energy.known;
        if (is_taut_with_mass(cable)) {
            island->heavy = true;
            island->scale += cable->massPerLength * cable->state.restLength * least;
            island->uncertainty += energy.uncertainty;
            island->unknown = island->unknown || !isfinite(island->uncertainty);
            island->made += cable->account.entering + cable->account.blown;
            island->made += cable->account.rowHeat;
        }
        double change = energy.known ? stored(cable, &energy) - world->guard.cables[i].stored : (double)NAN;
        if (!isfinite(change))
            island->unknown = true;
        else
            island->made += change;
    }
}

// ---- correction -----------------------------------------------------------------------------------------------------

// Above the tolerance the gain goes out, else the loss comes back.
static void keep_accounts(rvGuardIsland* island, double h)
{
    island->unknown = island->unknown || (island->heavy && !island->held);
    double floor = (island->heavy ? ROPE_TOLERANCE : TOLERANCE) * island->scale + island->uncertainty,
           most = LARGEST_LOSS * island->scale;
    if (island->roped)
        island->loss = 0.0;
    else if (!island->shock)
        island->loss -= rv_larger(island->own, -LARGEST_SHOCK * island->scale);
    island->loss = rv_smaller(rv_larger(-most, island->loss), most) * (1.0 - rv_smaller(1.0, h / LOSS_FADE));
    double made = island->made;
    if (island->roped && made < 0.0)
        made = rv_smaller(0.0, made + island->dragged);
    island->gain += island->unknown ? island->owed : made;
    double debt = rv_smaller(0.0, -island->loss);
    if (island->gain < debt)
        island->gain += (debt - island->gain) * rv_smaller(1.0, h / FADE);
    if (island->unknown)
        island->loss = 0.0;
    if (island->hosted)
        island->gain = 0.0;
    island->give = island->gain <= floor && island->loss > floor;
    island->step = island->gain > floor || island->give ? 1.0 : 0.0;
}

static rvVec3 direction_of(const rvBody* body, const rvGuardIsland* island, rvVec3* turning)
{
    const rvBodyState* s = &body->state;
    *turning = rvSub(island->give ? s->slowW : s->w, island->spin);
    rvVec3 rigid = rvAdd(island->drift, rvCross(island->spin, rvSub(s->x, island->center)));
    return rvSub(island->give ? s->slowV : s->v, rigid);
}

// The inertia of a body as it lies after the step.
static void inertia_now(const rvBody* body, double inertia[6])
{
    rv_sym3_rotate_diagonal(rvQuatMul(body->state.q, body->principalAxes), body->principal, inertia);
}

// Of islands that nothing holds: the rigid motion of the same momentum and angular momentum. Held ones have none.
static void find_rigid_motion(rvWorld* world)
{
    int count = world->bodies.pool.count;
    for (int i = 0; i < count; ++i) {
        rvGuardIsland* island = is_counted(world, i) ? island_of(world, i) : NULL;
        if (!island || island->step == 0.0 || island->held)
            continue;
        const rvBody* body = &world->bodies.items[i];
        rvVec3 v = island->give ? body->state.slowV : body->state.v;
        island->center = rvMulAdd(island->center, body->mass / island->mass, body->state.x);
        island->drift = rvMulAdd(island->drift, body->mass / island->mass, v);
    }
    for (int i = 0; i < count; ++i) {
        rvGuardIsland* island = is_counted(world, i) ? island_of(world, i) : NULL;
        if (!island || island->step == 0.0 || island->held)
            continue;
        const rvBody* body = &world->bodies.items[i];
        double own[6];
        inertia_now(body, own);
        rvVec3 r = rvSub(body->state.x, island->center);
        rvVec3 v = rvSub(island->give ? body->state.slowV : body->state.v, island->drift);
        rvVec3 w = island->give ? body->state.slowW : body->state.w;
        island->spin = rvAdd(island->spin, rvMulAdd(rv_sym3_vec(own, w), body->mass, rvCross(r, v)));
        const double arms[6] = {r.y * r.y + r.z * r.z, -r.x * r.y, -r.x * r.z,
                                r.x * r.x + r.z * r.z, -r.y * r.z, r.x * r.x + r.y * r.y};
        for (int k = 0; k < 6; ++k)
            island->inertia[k] += own[k] + body->mass * arms[k];
    }
    for (int i = 0; i < count; ++i) {
        rvGuardIsland* island = &world->guard.islands[i];
        double inverse[6];
        if (world->guard.parent[i] != i || island->step == 0.0 || island->held || island->mass == 0.0)
            continue;
        rv_sym3_invert(island->inertia, inverse);
        island->spin = rv_sym3_vec(inverse, island->spin); // it was the angular momentum till now
    }
}

// The island of a cable with mass whose books are ours, NULL: it is none.
static rvGuardIsland* island_of_rope(const rvWorld* world, int c)
{
    const rvCable* cable = &world->cables.items[c];
    if (!rv_id_pool_alive(&world->cables.pool, c) || !is_taut_with_mass(cable) || cable->group < 0 ||
        !world->guard.cables[c].known)
        return NULL;
    int root = root_of(world, &world->rows.groups[cable->group]);
    return root >= 0 ? &world->guard.islands[root] : NULL;
}

// By how much the energy changes along the direction: cross and lift a unit of the way, square/2 a unit of its square.
// (Energies are read at the middle of the step: a change of velocity changes what is read of gravity, too.)
static void measure_directions(rvWorld* world, double h)
{
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        rvGuardIsland* island = is_counted(world, i) ? island_of(world, i) : NULL;
        if (!island || island->step == 0.0)
            continue;
        const rvBody* body = &world->bodies.items[i];
        double own[6];
        inertia_now(body, own);
        rvVec3 turning, moving = direction_of(body, island, &turning);
        rvVec3 angular = rv_sym3_vec(own, turning);
        island->cross += body->mass * rvDot(body->state.v, moving) + rvDot(body->state.w, angular);
        island->square += body->mass * rvDot(moving, moving) + rvDot(turning, angular);
        island->lift += 0.5 * h * body->mass * rvDot(world->state.gravity, moving);
    }
    for (int c = 0; c < world->cables.pool.count; ++c) { // of rope all speeds go along
        rvGuardIsland* island = island_of_rope(world, c);
        if (!island || island->step == 0.0 || island->give)
            continue;
        rvRopeEnergy energy = energy_of(world, &world->cables.items[c], h);
        double moving = energy.kinetic + energy.wheels;
        island->rope += moving;
        island->cross += 2.0 * moving;
        island->square += 2.0 * moving;
    }
}

// The way along the direction that takes or gives what the accounts say, and what is left on them. Answers what it
// takes.
static double choose_step(rvGuardIsland* island, double h)
{
    double slope = fmax(island->cross + island->lift, 0.5 * island->cross), square = island->square, s = 0.0;
    if (island->give && slope > 0.5 * square) {
        double wanted = (island->loss - TOLERANCE * island->scale) * fmin(1.0, h / GIVE_TIME);
        s = fmin(MOST_GIVEN * h, wanted / slope);
        island->loss -= s * (slope + 0.5 * s * square);
    } else if (!island->give && slope > 0.0) {
        double rest = slope * slope - 2.0 * square * island->gain;
        s = -fmin(MOST_TAKEN, rest > 0.0 ? 2.0 * island->gain / (slope + sqrt(rest)) : slope / square);
        island->gain += s * (slope + 0.5 * s * square);
    }
    island->step = s;
    return -s * (island->cross - 2.0 * island->rope + island->lift + 0.5 * s * (square - 2.0 * island->rope));
}

static void correct_wheels(rvWorld* world)
{
    for (int c = 0; c < world->cables.pool.count; ++c) {
        rvCable* cable = &world->cables.items[c];
        if (!rv_id_pool_alive(&world->cables.pool, c) || cable->group < 0 || cable->wheelCount == 0 ||
            rv_cable_has(cable, RV_TURNS_WHEELS)) // they are slowed down by what it pays itself
            continue;
        int root = root_of(world, &world->rows.groups[cable->group]);
        const rvGuardIsland* island = root >= 0 ? &world->guard.islands[root] : NULL;
        for (int i = 0; island && !island->give && i < cable->route.placeCount; ++i)
            cable->route.places[i].state.spin *= 1.0 + island->step;
    }
}

// The ends of rope with mass go with their body: nothing drives its waves by that.
static void move_ends(rvWorld* world, int body, rvVec3 v, rvVec3 w)
{
    for (int c = 0; c < world->cables.pool.count; ++c)
        if (rv_id_pool_alive(&world->cables.pool, c))
            rv_cable_follow(&world->cables.items[c], &world->bodies,
                            (rvChange){.kind = RV_CHANGE_ENDS, .body = body, .v = v, .w = w});
}

static void correct_bodies(rvWorld* world)
{
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        const rvGuardIsland* island = is_counted(world, i) ? island_of(world, i) : NULL;
        if (!island || island->step == 0.0)
            continue;
        rvBody* body = &world->bodies.items[i];
        rvBodyState* s = &body->state;
        rvVec3 turning, moving = direction_of(body, island, &turning), v = s->v, w = s->w;
        s->v = rvMulAdd(s->v, island->step, moving);
        s->w = rvMulAdd(s->w, island->step, turning);
        if (is_roped(body))
            move_ends(world, i, rvSub(s->v, v), rvSub(s->w, w));
    }
    correct_wheels(world);
}

// What rope holds of which the guard may take: before, and how much less it is after.
static void correct_rope(rvWorld* world, double h, bool after)
{
    for (int c = 0; c < world->cables.pool.count; ++c) {
        rvGuardIsland* island = island_of_rope(world, c);
        rvCable* cable = &world->cables.items[c];
        if (!island || island->step == 0.0)
            continue;
        if (after && !island->give)
            rv_cable_follow(cable, &world->bodies, (rvChange){.kind = RV_CHANGE_SPEEDS, .share = 1.0 + island->step});
        rvRopeEnergy energy = energy_of(world, cable, h);
        double held = rv_rope_energy_sum(&energy);
        if (after) {
            world->state.guardHeat += world->guard.cables[c].stored - held;
            island->taken += world->guard.cables[c].stored - held;
        }
        world->guard.cables[c].stored = held;
    }
}

static void correct(rvWorld* world, double h)
{
    correct_rope(world, h, false);
    correct_bodies(world);
    correct_rope(world, h, true);
}

// Accounts go back to the bodies. Of rope it counts what was taken, not what should have been.
static void share_accounts(rvWorld* world)
{
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        if (!is_counted(world, i))
            continue;
        rvBody* body = &world->bodies.items[i];
        const rvGuardIsland* island = island_of(world, i);
        double share = island->mass > 0.0 ? body->mass / island->mass : 0.0, s = island->step;
        double left = island->rope > 0.0 ? -2.0 * s * island->rope * (1.0 + 0.5 * s) - island->taken : 0.0;
        body->state.guardGain = share * (island->gain + left);
        body->state.guardLoss = share * island->loss;
    }
}

void rv_guard_count(rvWorld* world, const rvStepContext* context)
{
    double least = least_of(world);
    find_islands(world);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        if (is_counted(world, i))
            count_body(world, i, context, least);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        if (rv_body_alive(&world->bodies, i) && !is_counted(world, i))
            count_support(world, i, context->h);
    count_rows(world);
}

bool rv_guard_holds(const rvWorld* world, int body)
{
    return world->guard.islands[world->guard.parent[body]].held;
}

void rv_guard_add(rvWorld* world, int body, double made)
{
    rvGuardIsland* island = island_of(world, body);
    island->made += made;
    island->own += made;
}

void rv_guard_finish(rvWorld* world, const rvStepContext* context)
{
    double h = context->h;
    bool any = false;
    if (!is_guarded(world))
        return;
    count_cables(world, h);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        if (world->guard.parent[i] == i && world->guard.islands[i].mass > 0.0) {
            keep_accounts(&world->guard.islands[i], h);
            any = any || world->guard.islands[i].step != 0.0;
        }
    if (any) {
        find_rigid_motion(world);
        measure_directions(world, h);
        for (int i = 0; i < world->bodies.pool.count; ++i)
            if (world->guard.parent[i] == i && world->guard.islands[i].step != 0.0)
                world->state.guardHeat += choose_step(&world->guard.islands[i], h);
        correct(world, h);
    }
    share_accounts(world);
}
