// SPDX-License-Identifier: MIT
// Start at rest: where everything hangs in balance, by the rows and the solver of the step.
//
// Pseudo-transient continuation. Each iteration is an implicit Euler step from rest (v = 0), with c = 4 so that the
// geometric stiffness K counts in full; its way d = h v' solves
//   (M/h^2 + K) d = f + J^T x/h,    eps x/h = -(phi + J d),    bounds as in a step.
// For h to 0 that is steepest descent; as h grows it becomes Newton's method for  f + J^T lambda = 0. So h grows while
// the iteration goes well, and shrinks where it overshoots: K leaves out some of the turning of bodies. A way that is
// too long is cut, all of it alike, so that joints stay closed. What little mass is left at the largest h decides where
// a body goes that nothing holds in some direction.
//
// At large h contact rows are softened against the bodies' masses, so the iterations end in a few at RV_POLISH_STEP,
// where stiff directions settle at once and soft ones hardly move. Both in turn are a *cycle*; where one is not enough,
// h may grow half as far in the next. At RV_POLISH_STEP  m v'/h  is the force that a step from here would find
// unbalanced: the measure of it all, against the sum of the forces that the body carries.
//
// A *group* is what joints and cables hold together. One that touches nothing and hangs on nothing would fall: it is
// held where it is, told, and the rest settles without it. So is, in another round, one that turned out to have no
// balance (a box on a slope that is too steep).
//
// A balance is where forces are, not where energy is least: a column that stands straight under more than Euler's load
// is one. Cables that can be pressed know when theirs may not stay (`nudge`). They are bent by a hair, and all settles
// again: what was stable is put back as it was, what goes away from there goes on to where it rests, and is told.
//
// A new rope of elements knows no shapes as it hangs. Where it would hang inside them it begins level or as an arch, as
// if gravity pulled it aside or up, and goes down onto them by the same iterations, with all bodies held.
#include "world/settle_hold.h"

#include "base/cookie.h"
#include "base/field.h"
#include "cable/taut/cable_contact.h"
#include "reeve/settle.h"

#include <float.h>
#include <string.h>

#define FIRST_STEP 0.05
#define LARGEST_STEP 10.0
#define SMALLEST_STEP 1e-3
#define LONGEST_WAY 0.2    // of a body in an iteration [m]
#define LONGEST_SHARE 0.02 // of a cable's own length, where that is more
#define LARGEST_TURN 0.1   // [rad]
#define SMALL_WAY 1e-11    // there Newton has done what it can [m]
#define LARGEST_GAP 1e-6   // of a joint that counts as closed [m or rad]
#define NO_BALANCE 1e-3    // share of what it carries: beyond it a group has none
#define GONE 10.0          // times as far as it was nudged: it does not come back
enum {
    MOST_ITERATIONS = 100000,
    MOST_ROUNDS = 4,
    MOST_CYCLES = 60,
    POLISHES = 12,
    STALE = 50,
    MOST_DOWN = 500,
    MOST_LEFT = 4,
    NUDGED = 300
};

rvSettleDef rvDefaultSettleDef(void)
{
    return (rvSettleDef){.maxIterations = 1000, .tolerance = 1e-9, .cookie = RV_COOKIE};
}

static rvStatus check_def(rvError* error, const rvSettleDef* def)
{
    if (def->cookie != RV_COOKIE)
        return rv_fail(error, RV_BAD_INPUT, "settle: definition was not made by rvDefaultSettleDef");
    if (def->maxIterations < 1 || def->maxIterations > MOST_ITERATIONS)
        return rv_fail(error, RV_BAD_INPUT, "settle: maxIterations: is %d, must be 1 to %d", def->maxIterations,
                       MOST_ITERATIONS);
    const rvField fields[] = {{"tolerance", def->tolerance, RV_FINITE_POSITIVE, NULL}};
    return RV_CHECK_FIELDS(error, "settle: ", fields);
}

// ---- iterations

static double gyration(const rvBody* body)
{
    return sqrt(fmax(body->principal.x, fmax(body->principal.y, body->principal.z)) / body->mass);
}

static bool moves(const rvSettle* s, int i)
{
    return rv_body_alive(&s->world->bodies, i) && s->world->bodies.items[i].type == RV_BODY_DYNAMIC;
}

// What a cable whose inside moves on its way to equilibrium has left, and carries; nothing of other cables.
static rvBalance measure_cable(const rvSettle* s, int i)
{
    const rvCableStore* cables = &s->world->cables;
    const rvCable* cable = &cables->items[i];
    rvBalance balance = {.farthest = HUGE_VAL};
    if (rv_id_pool_alive(&cables->pool, i) && cable->model->equilibrium)
        cable->model->equilibrium->measure(cable, rvLength(s->world->state.gravity), &balance);
    return balance;
}

static rvStatus solve(rvSettle* s, rvStepContext* context, double h)
{
    rvWorld* world = s->world;
    *context = rv_world_context(world, h);
    context->stepper = RV_STEPPER_PAPER;
    context->geometricStiffness = 4.0;
    context->atRest = true;
    context->ontoShapes = s->down;
    rv_settle_stop_all(s);
    s->iterations += 1;
    for (int i = 0; i < world->cables.pool.count; ++i)
        if (rv_id_pool_alive(&world->cables.pool, i) && !world->cables.items[i].model->equilibrium)
            rv_cable_hang(&world->cables.items[i], &world->bodies, world->state.gravity, false);
    rv_cables_route(&world->cables, &world->bodies, context);
    rv_contacts_collide(world->contacts, &world->shapes, &world->bodies, &world->joints, context);
    rv_cables_remember(&world->cables, &world->shapes);
    rv_cables_touch(&world->cables, &world->bodies, &world->shapes, context->h);
    rv_world_solve_passes(world, context);
    return rv_world_check_solution(world);
}

static rvStatus advance(rvSettle* s, const rvStepContext* context)
{
    rvWorld* world = s->world;
    rv_bodies_advance(&world->bodies, context);
    rv_cables_advance(&world->cables, &world->bodies, context);
    rvStatus status = rv_world_check_advanced(world, context->time);
    rv_cables_collide(&world->cables, &world->bodies, &world->shapes, context);
    rv_joints_publish(&world->joints, &world->bodies, context);
    return status;
}

// How an iteration went.
typedef struct {
    double way;    // of the body that goes farthest [m]
    double cosine; // between this way and the last one
    bool cut;
} Progress;

// The share of the way that is gone, how far that is, and the way remembered.
static double measure_way(rvSettle* s, double h, Progress* progress)
{
    double farthest = 0.0, turn = 0.0, now = 0.0, before = 0.0, dot = 0.0, share = 1.0, inside = 0.0;
    for (int i = 0; i < s->world->bodies.pool.count; ++i) {
        if (!moves(s, i))
            continue;
        const double* v = s->world->bodies.velocity[i];
        double arm = gyration(&s->world->bodies.items[i]), mass = s->world->bodies.items[i].mass;
        double spin = rvLength(rvVec(v[3], v[4], v[5]));
        farthest = fmax(farthest, h * fmax(rvLength(rvVec(v[0], v[1], v[2])), arm * spin));
        turn = fmax(turn, h * spin);
        for (int k = 0; k < 6; ++k) {
            double way = (k < 3 ? 1.0 : arm) * h * v[k];
            now += mass * way * way;
            before += mass * s->way[i][k] * s->way[i][k];
            dot += mass * way * s->way[i][k];
            s->way[i][k] = way;
        }
    }
    for (int i = 0; i < s->world->cables.pool.count; ++i) {
        rvBalance balance = measure_cable(s, i);
        double way = balance.displacement;
        // a mooring line of 500 m has 100 m to go
        const rvCable* cable = &s->world->cables.items[i];
        double longest = fmax(LONGEST_WAY, LONGEST_SHARE * cable->state.restLength);
        longest = fmin(longest, balance.farthest);
        share = fmin(share, longest / fmax(way, 1e-300));
        inside = fmax(inside, way);
        turn = fmax(turn, balance.turn);
    }
    share = fmin(share, fmin(LONGEST_WAY / fmax(farthest, 1e-300), LARGEST_TURN / fmax(turn, 1e-300)));
    farthest = fmax(farthest, inside);
    *progress = (Progress){.way = share * farthest,
                           .cosine = now > 0.0 && before > 0.0 ? dot / sqrt(now * before) : 0.0,
                           .cut = share < 1.0};
    return share;
}

// Newton's iterations, from the step that the caller had last; ends where the way is nothing, does not shrink, or leads
// to where no step can go (a rope that has run out of its sheave).
static void approach(rvSettle* s, double* h, double largest)
{
    double best = HUGE_VAL, last = HUGE_VAL;
    for (int stale = 0; s->iterations < s->most && stale < STALE;) {
        rvStepContext context;
        Progress progress;
        rv_world_write_state(s->world, s->world->backup);
        rvStatus status = solve(s, &context, *h);
        if (status == RV_OK) {
            context.h *= measure_way(s, *h, &progress);
            status = advance(s, &context);
        }
        if (status != RV_OK) {
            // too far: back, with a smaller step
            rv_world_put_back(s->world, s->world->backup);
            *h *= 0.25;
            if (*h < SMALLEST_STEP)
                return;
            continue;
        }
        if (progress.way < SMALL_WAY)
            return;
        bool overshot = progress.cosine < -0.2 && progress.way > 0.5 * last;
        if (overshot)
            *h = fmax(SMALLEST_STEP, 0.5 * *h);
        else if (!progress.cut)
            *h = fmin(largest, (progress.cosine > 0.0 || last > 4.0 * progress.way ? 2.0 : 1.2) * *h);
        stale = progress.way < 0.5 * best || progress.cut ? 0 : stale + 1;
        best = fmin(best, progress.way);
        last = progress.way;
    }
}

// The sum of the forces that rows give each body, and its weight.
static void sum_carried(rvSettle* s, double h)
{
    const rvWorld* world = s->world;
    double g = rvLength(world->state.gravity);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        s->carried[i] = world->bodies.items[i].mass * g + rvLength(world->bodies.items[i].state.force);
    for (int k = 0; k < world->rows.groupCount; ++k) {
        const rvRowGroup* group = &world->rows.groups[k];
        const rvRow* row = rv_group_rows(&world->rows, k);
        for (int slot = 0; slot < group->slotCount; ++slot) {
            int body = world->rows.slots[group->firstSlot + slot].body;
            const double(*j)[6] = (const double(*)[6])rv_group_jacobian(&world->rows, k, slot);
            for (int r = 0; r < group->rowCount && body < world->bodies.pool.count; ++r)
                s->carried[body] += fabs(row[r].impulse) / h * rvLength(rvVec(j[r][0], j[r][1], j[r][2]));
        }
    }
}

// What round-off makes of a cable's stretch [N]: where nothing is carried, a force is no share of anything.
static double round_off(const rvCable* cable)
{
    return 8.0 * DBL_EPSILON * cable->axialStiffness;
}

// A body feels that of its cables.
static void forgive_round_off(rvSettle* s)
{
    const rvCableStore* cables = &s->world->cables;
    for (int i = 0; i < cables->pool.count; ++i)
        for (int k = 0; rv_id_pool_alive(&cables->pool, i) && k < cables->items[i].route.bodyCount; ++k)
            s->force[cables->items[i].route.bodies[k]] -= round_off(&cables->items[i]);
}

// What the solve found unbalanced, by body; answers the largest share.
static double measure_forces(rvSettle* s, double h)
{
    double worst = 0.0;
    sum_carried(s, h);
    for (int i = 0; i < s->world->bodies.pool.count; ++i) {
        s->share[i] = s->force[i] = 0.0;
        if (!moves(s, i))
            continue;
        const double* v = s->world->bodies.velocity[i];
        const rvBody* body = &s->world->bodies.items[i];
        double speed = fmax(rvLength(rvVec(v[0], v[1], v[2])), gyration(body) * rvLength(rvVec(v[3], v[4], v[5])));
        s->force[i] = body->mass * speed / h;
    }
    forgive_round_off(s);
    for (int i = 0; i < s->world->bodies.pool.count; ++i) {
        s->force[i] = fmax(s->force[i], 0.0);
        s->share[i] = s->force[i] > 0.0 ? s->force[i] / s->carried[i] : 0.0;
        worst = fmax(worst, s->share[i]);
    }
    for (int i = 0; i < s->world->cables.pool.count; ++i) {
        rvBalance balance = measure_cable(s, i);
        s->cableForce[i] = fmax(0.0, balance.force - round_off(&s->world->cables.items[i]));
        s->cableShare[i] = s->cableForce[i] > 0.0 ? s->cableForce[i] / balance.load : 0.0;
        worst = fmax(worst, s->cableShare[i]);
    }
    return worst;
}

// A few iterations at the small step, as long as they gain much; ends with a solve whose forces are measured.
static rvStatus polish(rvSettle* s, double tolerance, double* worst)
{
    for (int i = 0;; ++i) {
        rvStepContext context;
        Progress progress;
        rv_world_write_state(s->world, s->world->backup);
        double before = i > 0 ? *worst : HUGE_VAL;
        rvStatus status = solve(s, &context, RV_POLISH_STEP);
        *worst = measure_forces(s, RV_POLISH_STEP);
        bool slow = *worst > 0.5 * before && i > 1;
        if (status != RV_OK || *worst <= 0.1 * tolerance || slow || i == POLISHES || s->iterations >= s->most)
            return status;
        context.h *= measure_way(s, RV_POLISH_STEP, &progress);
        if (advance(s, &context) != RV_OK) {
            rv_world_put_back(s->world, s->world->backup);
            return RV_OK;
        }
    }
}

// One round, with what is held now.
static rvStatus run_round(rvSettle* s, double tolerance, double* worst)
{
    double h = FIRST_STEP, largest = LARGEST_STEP;
    rv_settle_hold_drives(s);
    memset(s->way, 0, (size_t)s->world->bodies.pool.count * sizeof *s->way);
    for (int cycle = 1;; ++cycle) {
        approach(s, &h, largest);
        rvStatus status = polish(s, tolerance, worst);
        if ((status == RV_OK && *worst <= tolerance) || s->iterations >= s->most || cycle == MOST_CYCLES)
            return status;
        if (status != RV_OK) // too far from rest for the small step: back
            rv_world_put_back(s->world, s->world->backup);
        // where the step decides a little where rest is, the next cycle comes nearer to that of the small step
        largest = fmax(FIRST_STEP, 0.5 * largest);
        h = fmin(fmax(h, SMALLEST_STEP), largest);
    }
}

// Holds the groups that have no balance. False: there is none.
static bool hold_unbalanced(rvSettle* s)
{
    bool found = false;
    for (int i = 0; i < s->world->bodies.pool.count; ++i)
        if (moves(s, i) && s->share[i] > NO_BALANCE)
            s->held[rv_settle_first_of(s, i)] = found = true;
    for (int i = 0; i < s->world->bodies.pool.count; ++i)
        if (s->types[i] == RV_BODY_DYNAMIC && s->held[rv_settle_first_of(s, i)] != 0.0)
            s->held[i] = 1.0;
    return found;
}

// ---- balances that do not stay

// How far cables that may be nudged are from s->points, at most; `keep`: s->points are where they are.
static double measure_points(rvSettle* s, bool keep)
{
    rvWorld* world = s->world;
    rvVec3 *at = s->points, *now = s->moved;
    double farthest = 0.0;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        int count = rv_settle_points(world, i, NULL, 0);
        rv_settle_points(world, i, keep ? at : now, count);
        for (int k = 0; !keep && k < count; ++k)
            farthest = fmax(farthest, rvDistance(now[k], at[k]));
        at += count;
    }
    return farthest;
}

// Answers whether any balance may not stay; that which there is is in s->rest.
static bool nudge_all(rvSettle* s)
{
    bool any = false;
    for (int i = 0; i < s->world->cables.pool.count; ++i) {
        rvCable* cable = &s->world->cables.items[i];
        if (!rv_id_pool_alive(&s->world->cables.pool, i) || !rv_cable_has(cable, RV_MAY_BUCKLE))
            continue;
        if (!any)
            rv_world_write_state(s->world, s->rest);
        any = cable->model->equilibrium->nudge(cable) || any;
    }
    return any;
}

// From rest to where it is stable, too, as long as there are iterations; s->stable: it is known to be.
static void leave_unstable(rvSettle* s, const rvSettleDef* def, double* worst)
{
    for (; s->left < MOST_LEFT; ++s->left) {
        double rests = *worst;
        measure_points(s, true);
        if (!nudge_all(s)) {
            s->stable = true;
            return;
        }
        double nudged = measure_points(s, false);
        s->most = s->iterations + NUDGED < def->maxIterations ? s->iterations + NUDGED : def->maxIterations;
        s->stable = s->iterations < s->most && run_round(s, def->tolerance, worst) == RV_OK;
        if (!s->stable || measure_points(s, false) < GONE * nudged) {
            rv_world_put_back(s->world, s->rest);
            *worst = rests;
            return;
        }
        s->stable = false;
        s->most = def->maxIterations;
        if (*worst > def->tolerance && (run_round(s, def->tolerance, worst) != RV_OK || *worst > def->tolerance)) {
            s->left += 1;
            return;
        }
    }
}

// ---- what is told

static rvCableId cable_pulling(const rvWorld* world, int body)
{
    rvCableId found = RV_NULL_CABLE;
    double most = 0.0;
    for (int i = 0; i < world->cables.pool.count; ++i) {
        const rvCable* cable = &world->cables.items[i];
        if (!rv_id_pool_alive(&world->cables.pool, i))
            continue;
        for (int k = 0; k < cable->route.placeCount; ++k)
            if (cable->route.places[k].body == body && cable->peakTension > most) {
                most = cable->peakTension;
                found = rv_world_cable_id(world, i);
            }
    }
    return found;
}

static void find_gap(const rvWorld* world, rvSettleReport* report)
{
    for (int i = 0; i < world->joints.pool.count; ++i) {
        double translation, rotation;
        if (!rv_id_pool_alive(&world->joints.pool, i))
            continue;
        rv_joint_error(&world->joints.items[i], &world->bodies, &translation, &rotation);
        double gap = fmax(translation, rotation);
        if (gap > report->gap) {
            report->gap = gap;
            report->joint = rv_world_joint_id(world, i);
        }
    }
}

// From the last solve, with all bodies free.
static rvSettleReport make_report(rvSettle* s, double tolerance)
{
    rvWorld* world = s->world;
    rvSettleReport report = {.iterations = s->iterations};
    int worst = -1;
    for (int i = 0; i < world->bodies.pool.count; ++i) {
        report.held += s->held[i] != 0.0;
        if (s->share[i] > report.unbalance) {
            report.unbalance = s->share[i];
            worst = i;
        }
    }
    int loose = -1;
    for (int i = 0; i < world->cables.pool.count; ++i)
        if (s->cableShare[i] > report.unbalance) {
            report.unbalance = s->cableShare[i];
            loose = i;
        }
    find_gap(world, &report);
    report.settled = report.unbalance <= tolerance && report.gap <= LARGEST_GAP;
    report.stable = report.settled && s->stable;
    report.left = s->left;
    if (loose >= 0) {
        report.force = s->cableForce[loose];
        report.cable = rv_world_cable_id(world, loose);
    } else if (worst >= 0) {
        report.force = s->force[worst];
        report.body = (rvBodyId){(uint32_t)worst + 1, world->bodies.pool.generations[worst]};
        report.cable = cable_pulling(world, worst);
    }
    if (report.unbalance > tolerance && loose >= 0)
        rv_fail(&world->error, RV_OK, "settle: cable '%s': %.3g N are not balanced, %.2g of what it carries",
                world->cables.items[loose].name, report.force, report.unbalance);
    else if (report.unbalance > tolerance)
        rv_fail(&world->error, RV_OK, "settle: body '%s': %.3g N are not balanced, %.2g of what it carries%s",
                world->bodies.items[worst].name, report.force, report.unbalance,
                s->held[worst] != 0.0 ? "; it was left where it is" : "");
    else if (!report.settled)
        rv_fail(&world->error, RV_OK, "settle: joint '%s': is open by %.3g m or rad",
                rvJoint_GetName(world, report.joint), report.gap);
    return report;
}

static rvStatus settle(rvSettle* s, const rvSettleDef* def, rvSettleReport* report)
{
    rvWorld* world = s->world;
    rvStatus status = RV_OK;
    double worst = 0.0;
    rv_settle_remember(s);
    rv_settle_hold_falling(s);
    for (int round = 1; status == RV_OK; ++round) {
        int left = def->maxIterations - s->iterations;
        s->most = round == MOST_ROUNDS ? def->maxIterations : s->iterations + (left + 1) / 2;
        status = run_round(s, def->tolerance, &worst);
        bool again = status == RV_OK && worst > NO_BALANCE && round < MOST_ROUNDS && s->iterations < def->maxIterations;
        if (!again)
            break;
        bool holds = hold_unbalanced(s);
        rv_settle_free_types(s);
        if (holds)
            rv_world_put_back(world, s->start);
        else // a cable that is on its way: it goes on with all that is left
            round = MOST_ROUNDS - 1;
    }
    if (status == RV_OK && worst <= def->tolerance)
        leave_unstable(s, def, &worst);
    rv_settle_free_types(s);
    if (status != RV_OK) {
        rv_world_put_back(world, s->start);
        for (int i = 0; i < world->cables.pool.count; ++i)
            world->cables.items[i].breakForce = s->breakForce[i];
        rvError why = world->error;
        return rv_fail(&world->error, status, "settle: %.400s", why.text);
    }
    rvStepContext context;
    solve(s, &context, RV_POLISH_STEP); // with all bodies free: it moves nothing
    measure_forces(s, RV_POLISH_STEP);
    *report = make_report(s, def->tolerance);
    rv_bodies_collect_wrench(&world->bodies, &context, &world->rows);
    rv_settle_free_drives(s);
    world->state.h = RV_POLISH_STEP; // forces are read by it
    return RV_OK;
}

rvStatus rvWorld_Settle(rvWorld* world, const rvSettleDef* def, rvSettleReport* report)
{
    rvSettleDef defaults = rvDefaultSettleDef();
    rvSettleReport own;
    def = def ? def : &defaults;
    report = report ? report : &own;
    *report = (rvSettleReport){0};
    rvStatus status = check_def(&world->error, def);
    if (status != RV_OK)
        return status;
    world->begun = 0.0; // a step that a host began is given up
    rvSettle s = {.world = world};
    rvError before = world->error; // iterations that went too far leave words behind
    size_t size = rv_settle_lay_pieces(&s, NULL);
    uint8_t* block = rv_memory_take(&world->memory, size);
    if (!block)
        return rv_fail(&world->error, RV_NO_MEMORY, "settle: no memory");
    rv_settle_lay_pieces(&s, block);
    status = settle(&s, def, report);
    if (report->settled)
        world->error = before;
    rv_memory_give(&world->memory, block, size);
    return status;
}

// ---- rope that begins on shapes

static double depth_of(rvWorld* world, rvCable* cable)
{
    return cable->model->contact->depth(cable, &world->bodies, &world->shapes);
}

// Hangs the cable as gravity has it, or level, or like an arch, where that is less deep inside shapes by half. Answers
// whether it is so.
static bool lay_level(rvWorld* world, rvCable* cable, double deep)
{
    rvVec3 gravity = world->state.gravity, chord = {0, 0, 0};
    for (int i = 0; i < cable->route.spanCount; ++i)
        chord = rvMulAdd(chord, cable->route.spans[i].length, cable->route.spans[i].u);
    rvVec3 down = rvNormalizeOr(gravity, rvVec(0, 0, -1));
    rvVec3 aside = rvNormalizeOr(rvCross(chord, down), rvAcross(down)), ahead = rvCross(down, aside);
    rvVec3 ways[] = {aside, rvNeg(aside), ahead, rvNeg(ahead), rvNeg(down)};
    double least = 0.5 * deep;
    int best = -1;
    for (int i = 0; i < 5 && least > 0.0; ++i) {
        rv_cable_hang(cable, &world->bodies, rvScale(rvLength(gravity), ways[i]), false);
        double depth = depth_of(world, cable);
        if (depth < least) {
            least = depth;
            best = i;
        }
    }
    rv_cable_hang(cable, &world->bodies, best < 0 ? gravity : rvScale(rvLength(gravity), ways[best]), false);
    return best >= 0;
}

// With all bodies held, and nothing changed but this cable. One that finds no way stays as it was laid.
static rvStatus go_down(rvSettle* s, int index, uint8_t* image, size_t size)
{
    rvWorld* world = s->world;
    rvError before = world->error;
    double worst, depth = depth_of(world, &world->cables.items[index]);
    rvWorld_Save(world, image, size);
    rv_settle_remember(s);
    for (int i = 0; i < world->bodies.pool.count; ++i)
        s->held[i] = 1.0;
    s->most = MOST_DOWN;
    s->down = true;
    rvStatus status = run_round(s, rvDefaultSettleDef().tolerance, &worst);
    rv_settle_free_types(s);
    rv_settle_free_drives(s);
    bool lies = status == RV_OK && worst < NO_BALANCE && depth_of(world, &world->cables.items[index]) <= depth;
    rv_world_write_state(world, world->backup);
    world->error = before;
    status = rvWorld_Restore(world, image, size);
    if (status == RV_OK && lies)
        rv_world_put_back_cable(world, index, world->backup);
    return status;
}

rvStatus rv_world_hang_cable(rvWorld* world, int index, bool straight)
{
    rvCable* cable = &world->cables.items[index];
    rv_cable_hang(cable, &world->bodies, world->state.gravity, straight);
    if (straight || !cable->model->contact || rvLength(world->state.gravity) == 0.0)
        return RV_OK;
    rv_shapes_place(&world->shapes, &world->bodies);
    double deep = depth_of(world, cable);
    if (deep == 0.0 || !lay_level(world, cable, deep))
        return RV_OK;
    rvSettle s = {.world = world};
    size_t own = rv_settle_lay_pieces(&s, NULL), size = rvWorld_Save(world, NULL, 0);
    uint8_t* block = rv_memory_take(&world->memory, own + size);
    if (!block)
        return rv_fail(&world->error, RV_NO_MEMORY, "cable: no memory");
    rv_settle_lay_pieces(&s, block);
    rvStatus status = go_down(&s, index, block + own, size);
    rv_memory_give(&world->memory, block, own + size);
    return status;
}
