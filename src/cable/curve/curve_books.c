// SPDX-License-Identifier: MIT
// The books of a curve: what bodies gave it in a step and is not in its energy is heat.
//
// A body's velocity lives at the middle of steps, and what it gives by the impulses J that it got is known exactly, as
// the world counts it for its own kinetic energy and for prescribed bodies: -J . (v + v')/2. By grips and touches
//   J = -(h/27) (8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2)),   in a step of implicit Euler -h l(n+1)
// of which touches have only the 8/27 in their rows: the rest are pushes. With Euler all is in the rows.
//
// A body that is led goes its way whatever it gets, so what is read of it is what the curve got: its energy is known at
// the ends of steps, and its force l there. A step takes h v' L, L = (l(n) + l(n+1))/2 (after a blow l(n+1)), and as E
// is read as the mean of both ends, so are the works of two steps, J = -(h/2) (L(n-1) + L(n)), each with its own
// velocity (beside_mean). A blow, a step of implicit Euler, is read at once, -h l(n+1), what jumps of it while the body
// is between its velocities before and after. The mean of four would count a blow while its hand goes on, and count on
// when it has let go. A grip that takes hold where the curve is not draws it there, which is work as well.
// So
//   heat = E(n-1/2) + sum of -J . (v + v')/2 - E(n+1/2)
// holds all that is lost, and the books close: damping of bending and drag, friction, impacts and the damper of
// contacts, what projections at jumps take, and the step's own loss. E at the middle of a step, where velocities of
// bodies live, is the mean of both ends, and so it is read. A contact that gives stores k gap^2/2: by its force f = -k
// gap - b gap' with the rate at the end of the step.
//
// The guard. Steps whip no energy up (plane_step.h), but contacts that come and go and blows of implicit Euler can make
// some. A step of implicit Euler must make none: bodies feel it at once, and what E at its end is above E at its start
// and what they gave is taken. Of others what they made is owed, less what was lost since, once it has been owed for
// three steps: bodies feel a blow over four, and until then its books are not whole. (Where no body that is pushed
// feels it they are, at the end of each step, by the forces at its start and its end.) What was lost counts against the
// next step only: E is a mean of two, in which a jump is halved. But a step that ends with more than LEAP of what there
// is above its start, and what bodies gave, did not follow what it should, be it read or not: it is made again, as one
// of implicit Euler (world/slip.c); where its passes did not settle, already above GUARDED. Above GUARDED of the scale,
// that of the curve and of the bodies that it carries, it is taken. It is taken from the rates at the end, along all
// that rows at prescribed bodies and touches allow. What is left of a step of implicit Euler was made as rates of rows
// were set, which may contradict each other (three places of one body within an interval): they are set by less. What
// is left after that threw a body, and is owed by its island (world/guard.h).
#include "cable/curve/curve_kernel.h"

#include "cable/route/force_filter.h"

#include <string.h>

#define GUARDED 0.005 // of the scale: what steps may make
#define LEAP 0.03     // of what there is: what a step may make that is not of implicit Euler
#define OF_LATE 1.0   // [s]
#define LIFELESS 1e-6 // of what is stored: what moves by less rests
#define NOTICED 1e-3  // of the length: a fall by it counts as little

static double work_of(const rvBodyStore* bodies, int body, rvVec3 force, rvVec3 moment, double h)
{
    double mean[6];
    rv_grip_mean_velocity(bodies, body, mean);
    return h * (mean[0] * force.x + mean[1] * force.y + mean[2] * force.z + mean[3] * moment.x + mean[4] * moment.y +
                mean[5] * moment.z);
}

// What it takes to draw the curve to a grip that takes hold of it where it is not.
static double drawing(const rvCurve* curve, int k)
{
    const rvCurvePast* past = &curve->pasts[k];
    const rvCurveForce* f = &curve->forces[k];
    return curve->grips[k].off ? 0.0 : rvDot(f->force, past->drawn) + f->moment.z * past->turned;
}

void rv_curve_read_force(const rvCurve* curve, int k, const double now[6], bool euler, double read[6])
{
    const rvCurvePast* past = &curve->pasts[k];
    const double* before = past->blow != 0.0 ? now : curve->states[k].past[0];
    for (int c = 0; c < 6; ++c)
        read[c] = past->unread[c] + (euler ? now[c] : 0.25 * (before[c] + now[c]));
}

// How much of a force was there in the last step: what is in both.
static double find_standing(const double now[3], const double before[3])
{
    double both = rvDot(rv_space_vec(now), rv_space_vec(before)), all = rvDot(rv_space_vec(now), rv_space_vec(now));
    return both <= 0.0 ? 0.0 : both < all ? both / all : 1.0;
}

// The world reads the work of a led body by the mean of its last two velocities and that of two works' forces. But work
// is (h/2) (v L(n-1) + v' L(n)): what that is more, (h/4) (v' - v) . (L(n) - L(n-1)), is read beside it. In a blow it
// is (h/2) v L(n-1) + h (v' l0 + (l(n+1) - l0) (v + v')/2): what stood before, l0, acts along the way of the step, what
// jumps with the hand while that jumps. A hand that jumped away and slipped off does the first of it alone.
static double beside_mean(const rvCable* cable, int k, const rvBodyStore* bodies, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvGrip* grip = &curve->grips[k];
    const double *unread = curve->pasts[k].unread, *before = curve->states[k].past[0];
    double mean[6], now[6] = {0}, read[6], work = 0.0;
    if (grip->body < 0 || grip->pushed)
        return 0.0;
    if (cable->group >= 0)
        memcpy(now, grip->force, sizeof now);
    rv_grip_mean_velocity(bodies, grip->body, mean);
    rv_curve_read_force(curve, k, now, false, read);
    const double stood[2] = {find_standing(now, before), find_standing(now + 3, before + 3)};
    for (int c = 0; c < 6; ++c) {
        double more = curve->now.alpha->euler ? stood[c / 3] * now[c] - unread[c] : read[c] - 2.0 * unread[c];
        work += h * (bodies->velocity[grip->body][c] - mean[c]) * more;
    }
    return work;
}

double rv_curve_unread(const rvCurve* curve, int k, const rvBodyStore* bodies)
{
    const rvGrip* grip = &curve->grips[k];
    if (grip->pushed || grip->body < 0)
        return 0.0;
    const rvBodyState* s = &bodies->items[grip->body].state;
    const double* f = curve->pasts[k].unread;
    return curve->now.alpha->h * (rvDot(rv_space_vec(f), s->v) + rvDot(rv_space_vec(f + 3), s->w));
}

// In a step of implicit Euler the end of the curve goes as far as its body does, h v', so l v' h is what it gets there.
// Of that a body that is pushed loses m (v' - v)^2/2 itself, by the same rule: once, however many places hold it. (By
// its mean velocity it would lag behind a hand that starts, by half of what its weight does in that step: lowering a
// load made l v' h/2.)
static double given_by_euler(const rvCurve* curve, int k, const rvBodyStore* bodies, double h)
{
    const rvGrip* grip = &curve->grips[k];
    const rvBody* body = &bodies->items[grip->body];
    rvVec3 force = rv_space_vec(grip->force), v = rv_space_vec(bodies->velocity[grip->body]);
    rvVec3 jump = rvSub(v, body->lastV);
    bool first = true;
    for (int i = 0; i < k; ++i)
        first = first && (curve->grips[i].off || curve->grips[i].body != grip->body);
    return work_of(bodies, grip->body, rvVec(0, 0, 0), rv_space_vec(grip->force + 3), h) + h * rvDot(force, v) +
           (first ? 0.5 * body->mass * rvDot(jump, jump) : 0.0);
}

// What the body of a grip gives in this step. `own`: by the way and the forces of the step itself.
static double given_by(const rvCable* cable, int k, const rvBodyStore* bodies, double h, bool own)
{
    const rvCurve* curve = rv_curve_of(cable);
    const rvGrip* grip = &curve->grips[k];
    bool held = cable->group >= 0, euler = curve->now.alpha->euler;
    double mean[6], f[6] = {0};
    if (grip->body < 0)
        return 0.0;
    if (held)
        memcpy(f, grip->force, sizeof f);
    rv_grip_mean_velocity(bodies, grip->body, mean);
    if (grip->pushed && !(held && euler))
        return rv_grip_body_work(mean, held ? f : NULL, (const double(*)[6])curve->states[k].past, h);
    if (grip->pushed && own)
        return given_by_euler(curve, k, bodies, h);
    if (own) {
        const double* v = bodies->velocity[grip->body];
        return h * (rvDot(rv_space_vec(f), rv_space_vec(v)) + rvDot(rv_space_vec(f + 3), rv_space_vec(v + 3)));
    }
    if (!grip->pushed)
        rv_curve_read_force(curve, k, f, euler, f);
    return work_of(bodies, grip->body, rv_space_vec(f), rv_space_vec(f + 3), h) + beside_mean(cable, k, bodies, h);
}

// What bodies give in this step, before the pasts of grips and pushes move on; own: as above.
static double given(const rvCable* cable, const rvBodyStore* bodies, double h, bool own)
{
    const rvCurve* curve = rv_curve_of(cable);
    bool held = cable->group >= 0, euler = curve->now.alpha->euler;
    double work = 0.0;
    if (cable->state.broken != 0.0)
        return 0.0;
    for (int k = 0; k < curve->gripCount; ++k)
        work += given_by(cable, k, bodies, h, own) + drawing(curve, k);
    for (int k = 0; held && k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec3 force = rv_curve_out(curve, rv_curve_touch_force(curve, touch));
        if (touch->rope)
            work += h * rvDot(force, rv_space_vec(bodies->velocity[touch->body] + 3));
        else if (touch->body >= 0)
            work += (euler ? 1.0 : rv_force_tap[0] / RV_FORCE_TAP_SUM) *
                    work_of(bodies, touch->body, force, rvCross(touch->arm, force), h);
    }
    return work + (curve->hasPast ? rv_pushes_work(curve->pushes, bodies, h) : 0.0);
}

// In the springs of contacts that give.
static double pressed(const rvCurve* curve)
{
    double energy = 0.0;
    for (int k = 0; curve->spring > 0.0 && k < curve->touchCount; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        if (rv_curve_is_rigid(curve, touch))
            continue;
        double damping = touch->gap < 0.0 ? curve->damping : 0.0;
        double rate = -rv_curve_dot(rv_curve_gradient(curve, touch->row), curve->now.rates[0], curve->now.count) -
                      rvDot(touch->out, touch->velocity);
        double push = touch->force[0] + damping * rate;
        if (touch->force[0] > 0.0 && push > 0.0)
            energy += 0.5 * push * push / curve->spring;
    }
    return energy;
}

// Kinetic, elastic, potential, of the state as placed.
static void find_parts(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    const rvCurve* curve = rv_curve_of(cable);
    curve->kernel->energies(cable, gravity, parts);
    parts[1] += curve->pressed;
}

void rv_curve_middle(const rvCable* cable, rvVec3 gravity, double parts[3])
{
    find_parts(cable, gravity, parts);
    for (int i = 0; i < 3; ++i)
        parts[i] = 0.5 * (parts[i] + rv_curve_of(cable)->was[i]);
}

static double energy_of(const rvCable* cable)
{
    double parts[3];
    rv_curve_middle(cable, rv_curve_of(cable)->gravity, parts);
    return parts[0] + parts[1] + parts[2];
}

void rv_curve_begin_books(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->pressed = 0.0;
    curve->excess = (rvCurveExcess){0};
    find_parts(cable, curve->gravity, curve->was);
}

void rv_curve_open_books(rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    double parts[3];
    curve->kernel->place(curve);
    find_parts(cable, curve->gravity, parts);
    curve->before = 0.0;
    for (int i = 0; i < 3; ++i) {
        curve->before += 0.5 * (parts[i] + curve->was[i]);
        curve->was[i] = parts[i];
    }
}

// ---- the guard
// --------------------------------------------------------------------------------------------------------

// What counts as much: what moves it of late, at least what it falls by a little, and what bends it by that. Energy of
// a bend that is held is none of it.
static double own_scale(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    double length = curve->now.length, weight = rvLength(curve->gravity) * cable->massPerLength * length;
    double lively = fmax(curve->excess.lively, LIFELESS * curve->was[1]) + NOTICED * length * weight;
    return curve->was[0] + fmin(curve->was[1], lively) + NOTICED * length * weight;
}

// and what is carried.
static double scale_of(const rvCable* cable, const rvBodyStore* bodies)
{
    const rvCurve* curve = rv_curve_of(cable);
    double scale = own_scale(cable);
    for (int k = 0; k < curve->gripCount; ++k)
        if (curve->grips[k].pushed && !curve->grips[k].off)
            scale += bodies->items[curve->grips[k].body].state.guardScale;
    return scale;
}

// Takes the mean motion of all of the curve off d: its momentum along an axis e is e M d, and the first rates move it
// as a whole. `scratch`: room for as many rates.
static void keep_momentum(rvCurve* curve, double* d, double* scratch)
{
    size_t size = (size_t)curve->now.count * sizeof(double);
    for (int k = 0; k < curve->dims; ++k) {
        memset(scratch, 0, size);
        scratch[k] = 1.0;
        double whole = curve->kernel->endKinetic(curve, scratch), kinetic = curve->kernel->endKinetic(curve, d);
        memcpy(scratch, d, size);
        scratch[k] -= 1.0;
        d[k] -= 0.5 * (kinetic + whole - curve->kernel->endKinetic(curve, scratch)) / whole;
    }
}

// Rates along which energy is taken, into curve->now.step: all but those of the rows; where none is of what stands fast
// momentum is kept.
static void find_free(rvCurve* curve, int rows)
{
    const rvCurveStep* now = &curve->now;
    const double* v = now->rates[0];
    rv_curve_read_rates(curve, rows, v);
    memcpy(now->step, v, (size_t)now->count * sizeof(double));
    rv_curve_meet_rates(curve, rows, now->step, -1.0);
    bool free = true;
    for (int i = 0; i < rows; ++i)
        free = free && curve->stays[i];
    if (free)
        keep_momentum(curve, now->step, curve->last);
}

// v - x d has the kinetic energy K - x b + x^2 c with b = d M v, c = d M d/2.
void rv_curve_take_back(rvCurve* curve, double made, int rows)
{
    const rvCurveStep* now = &curve->now;
    double *v = now->rates[0], *d = now->step;
    curve->left = 0.0;
    if (!(made > 0.0))
        return;
    double kinetic = curve->kernel->endKinetic(curve, v);
    find_free(curve, rows);
    for (int i = 0; i < now->count; ++i)
        v[i] -= d[i];
    double c = curve->kernel->endKinetic(curve, d), b = kinetic + c - curve->kernel->endKinetic(curve, v), share = 0.0;
    if (b > 0.0 && c > 0.0) {
        double most = fmin(1.0, 0.5 * b / c), root = b * b - 4.0 * c * made;
        share = root > 0.0 ? fmin(most, 2.0 * made / (b + sqrt(root))) : most;
    }
    for (int i = 0; i < now->count; ++i)
        v[i] += (1.0 - share) * d[i];
    if (now->alpha->euler)
        curve->left = fmax(0.0, made - share * (b - share * c));
}

void rv_curve_go_back(rvCurve* curve, const double* before)
{
    const rvCurveStep* now = &curve->now;
    double *v = now->rates[0], *d = now->step;
    double last = curve->kernel->endKinetic(curve, v), drop = last - curve->kernel->endKinetic(curve, before);
    if (!(curve->left > 0.0 && drop > 0.0))
        return;
    for (int i = 0; i < now->count; ++i)
        d[i] = before[i] - v[i];
    double c = curve->kernel->endKinetic(curve, d), b = drop + c, share = 1.0; // it loses x b - x^2 c
    if (drop > curve->left)
        share = 2.0 * curve->left / (b + sqrt(b * b - 4.0 * c * curve->left));
    for (int i = 0; i < now->count; ++i)
        v[i] += share * d[i];
    curve->left = fmax(0.0, curve->left - share * (b - share * c));
}

// At the end of the step, before it is kept.
static double end_energy(const rvCable* cable)
{
    rvCurve* curve = rv_curve_of(cable);
    return curve->kernel->endKinetic(curve, curve->now.rates[0]) + curve->kernel->endStored(cable) +
           (cable->group >= 0 ? pressed(curve) : 0.0);
}

// Of moving bodies, from the start of the step to its end.
typedef struct {
    double work;  // what they give, by the forces at both [J]
    double led;   // its size, of those that are led
    double scale; // what counts as much in this step
} Within;

static void add_grip_work(const rvCurve* curve, int k, const rvBodyStore* bodies, double h, Within* within)
{
    const rvGrip* grip = &curve->grips[k];
    const double *v = bodies->velocity[grip->body], *was = curve->states[k].past[0];
    double share = curve->now.alpha->euler || curve->pasts[k].blow != 0.0 ? 0.0 : 0.5;
    double own = drawing(curve, k), f[6];
    for (int c = 0; c < 6; ++c) {
        f[c] = (1.0 - share) * grip->force[c] + share * was[c];
        own += h * v[c] * f[c];
    }
    within->work += own;
    within->scale += fabs(own);
    if (grip->pushed) // how it turns within the step is not known
        within->scale += h * (rvLength(rv_space_vec(f)) * rvLength(rv_space_vec(v)) +
                              rvLength(rv_space_vec(f + 3)) * rvLength(rv_space_vec(v + 3)));
    else
        within->led += fabs(own);
}

static Within find_within(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    Within within = {.scale = own_scale(cable)};
    for (int k = 0; k < curve->gripCount && cable->group >= 0; ++k)
        if (curve->grips[k].body >= 0)
            add_grip_work(curve, k, bodies, h, &within);
    for (int k = 0; k < curve->touchCount && cable->group >= 0; ++k) {
        const rvCurveTouch* touch = &curve->touches[k];
        rvVec3 force = rv_curve_out(curve, rv_curve_touch_force(curve, touch));
        if (touch->body < 0)
            continue;
        const double* v = bodies->velocity[touch->body];
        if (touch->rope)
            within.work += h * rvDot(force, rv_space_vec(v + 3));
        else
            within.work += h * (rvDot(force, rv_space_vec(v)) + rvDot(rvCross(touch->arm, force), rv_space_vec(v + 3)));
    }
    return within;
}

// Are the books whole at once: does no body that is pushed feel it, over four steps?
static bool is_told(const rvCable* cable)
{
    const rvCurve* curve = rv_curve_of(cable);
    bool told = true;
    for (int k = 0; k < curve->gripCount; ++k)
        told = told && (!curve->grips[k].pushed || curve->grips[k].off);
    for (int k = 0; k < curve->touchCount; ++k)
        told = told && curve->touches[k].body < 0;
    for (int k = 0; k < RV_PUSHES; ++k)
        told = told && curve->pushes[k].body == 0.0;
    return told;
}

double rv_curve_made(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    double start = curve->was[0] + curve->was[1] + curve->was[2],
           work = given(cable, bodies, h, curve->now.alpha->euler);
    double end = end_energy(cable);
    if (curve->now.alpha->euler)
        return end - start - work;
    const double* owed = curve->excess.late;
    double now = owed[0] - curve->before - work + 0.5 * (start + end);
    double allowed = GUARDED * scale_of(cable, bodies), late = fmin(fmin(now, owed[0]), fmin(owed[1], owed[2]));
    if (!is_told(cable))
        return late - allowed;
    double net = end - start - find_within(cable, bodies, h).work;
    return fmax(late, curve->excess.step + net) - allowed;
}

bool rv_curve_leaps(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    if (curve->now.alpha->euler)
        return false;
    Within within = find_within(cable, bodies, h);
    double start = curve->was[0] + curve->was[1] + curve->was[2], most = curve->unsettled ? GUARDED : LEAP;
    return end_energy(cable) - start - within.work > most * within.scale;
}

// By hands that give and take as much, or so much that nothing else can be. Hands that rest give and take nothing: but
// where passes did not settle and it touches nothing else, there is nothing else that they could contradict. Touches
// that do not settle make a share of all that is stored.
bool rv_curve_is_unreal(const rvCable* cable, const rvBodyStore* bodies, double h)
{
    const rvCurve* curve = rv_curve_of(cable);
    double left = curve->left;
    if (left <= 0.0)
        return false;
    Within within = find_within(cable, bodies, h);
    bool theirs = within.led > 0.5 * left || (curve->unsettled && curve->touchCount == 0);
    double all = within.scale + (curve->pressing > 0 ? curve->was[1] : 0.0);
    return left > all || (left > LEAP * all && theirs);
}

// From the start of the step to its end, and how much moves.
static void keep_made(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    rvCurveExcess* excess = &curve->excess;
    Within within = find_within(cable, bodies, h);
    double parts[3];
    find_parts(cable, curve->gravity, parts);
    double net = -within.work;
    for (int i = 0; i < 3; ++i)
        net += parts[i] - curve->was[i];
    excess->step = is_told(cable) ? fmax(excess->step + net, fmin(net, 0.0)) : 0.0;
    excess->lively = fmax(parts[0], excess->lively * fmax(0.0, 1.0 - h / OF_LATE) + fabs(within.work));
}

void rv_curve_close_books(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvCurve* curve = rv_curve_of(cable);
    curve->pressed = cable->group >= 0 ? pressed(curve) : 0.0;
    double lost = curve->before + given(cable, bodies, h, false) - energy_of(cable), *owed = curve->excess.late;
    cable->state.heat += lost;
    keep_made(cable, bodies, h);
    for (int k = 0; k < curve->gripCount && cable->state.broken == 0.0; ++k) {
        cable->winch[0].state.work += drawing(curve, k) + beside_mean(cable, k, bodies, h);
        curve->pasts[k].drawn = rvVec(0, 0, 0);
        curve->pasts[k].turned = 0.0;
    }
    memmove(owed + 1, owed, 2 * sizeof owed[0]);
    lost += curve->left; // its island owes that
    owed[0] = fmax(owed[0] - lost, fmin(-lost, 0.0));
}
