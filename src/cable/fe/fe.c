// SPDX-License-Identifier: MIT
// Creation of a cable of finite elements: elements along its spans, grips, its shape at the start; its state.
#include "cable/fe/fe.h"

#include "base/hash.h"
#include "cable/core/reference.h"
#include "cable/route/profile.h"
#include "cable/route/start_speed.h"

// Elements of a span, in proportion to its length, at least one; two where it is slack. A cubic cannot fold: where it
// turns back its slope goes through zero, and the strain of that is energy which throws the load (57 J of a metre of EA
// = 10 kN whose ends are half a metre apart; within 5 % of taut its strain is below a thousandth).
static int elements_of(const rvCable* cable, int total, int span)
{
    double share = cable->route.length > 0.0 ? cable->route.spans[span].length / cable->route.length : 1.0;
    int count = (int)(total * share + 0.5), least = cable->state.restLength > 1.05 * cable->route.length ? 2 : 1;
    return count < least ? least : count;
}

static rvStatus check_integrator(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    _Static_assert((int)RV_INTEGRATOR_TAYLOR == (int)RV_ANCF_TAYLOR, "they are counted alike");
    if ((unsigned)def->integrator > RV_INTEGRATOR_TAYLOR)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': integrator: %d is none", cable->name, (int)def->integrator);
    const char* name = rv_ancf_method_name((rvAncfMethod)def->integrator);
    if (def->integrator != RV_INTEGRATOR_RT && !cable->reference)
        return rv_fail_without_reference(error, "cable", cable->name, "integrator", name);
    if (def->integrator != RV_INTEGRATOR_RT && def->collides)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': integrator: %s meets no shapes; expected rt where it collides",
                       cable->name, name);
    return RV_OK;
}

static rvStatus check(const rvCable* cable, rvError* error, const rvCableDef* def)
{
    if (def->elements < 1 || def->elements > 10000)
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': elements: is %d, must be 1 to 10000", cable->name,
                       def->elements);
    if (!(def->damping >= 0.0))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': damping: is %g s, must be >= 0 of model ancf", cable->name,
                       def->damping);
    if (!(fabs(def->curvature) <= 1e9))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': curvature: is %g 1/m, must be within 1e9", cable->name,
                       def->curvature);
    if (!rvIsFiniteVec(def->bulge))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': bulge: must be finite", cable->name);
    rvStatus status = rv_profile_check(cable, def, error);
    if (status == RV_OK)
        status = check_integrator(cable, def, error);
    return status == RV_OK ? rv_fe_check_fluid(def, cable->name, error) : status;
}

// Where a held node is at the end of the step, and how fast.
static void aim(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    (void)time;
    const rvFe* fe = context;
    int k = 0;
    while (fe->grips[k].node != node)
        k += 1;
    rv_grip_aim(&fe->grips[k], fe->bodies, fe->h, b, rate, accel);
}

void rv_fe_set_motion(rvFe* fe)
{
    rv_ancf_set_motion(fe->ancf, fe->method == RV_ANCF_TAYLOR ? NULL : aim, fe);
}

static bool take_room(rvCable* cable, rvMemory* memory, int grips, int elements)
{
    cable->fe = rv_memory_take(memory, sizeof(rvFe));
    if (!cable->fe)
        return false;
    rvFe* fe = cable->fe;
    fe->gripCount = grips;
    fe->elementCount = elements;
    fe->spans = rv_memory_take(memory, (size_t)elements * sizeof(int));
    fe->grips = rv_memory_take(memory, (size_t)grips * sizeof(rvGrip));
    fe->states = rv_memory_take(memory, (size_t)grips * sizeof(rvGripState));
    fe->leads = rv_memory_take(memory, (size_t)grips * sizeof(rvAncfLead));
    return fe->spans && (grips == 0 || (fe->grips && fe->states && fe->leads));
}

// The node at a place: its elements are those of the spans before it.
static int node_at(const rvFe* fe, int place)
{
    int node = 0;
    while (node < fe->elementCount && fe->spans[node] < place)
        node += 1;
    return node;
}

// A grip for each attached place: nodes that are held, and ports.
static rvStatus lay_grips(rvCable* cable, const rvBodyStore* bodies, rvError* error)
{
    rvFe* fe = cable->fe;
    rvAncfPort ports[RV_ANCF_MAX_PORTS];
    rvStatus status = RV_OK;
    int grip = 0, count = 0;
    for (int i = 0; i < cable->route.placeCount && status == RV_OK; ++i) {
        if (cable->route.places[i].type != RV_PLACE_ATTACH)
            continue;
        rvGrip* g = &fe->grips[grip++];
        *g = rv_grip_of(&cable->route.places[i], i, bodies);
        g->node = node_at(fe, i);
        if (!g->pushed)
            status = rv_ancf_hold(fe->ancf, g->node, g->clamped ? RV_ANCF_CLAMP : RV_ANCF_PIN, error);
        else if (count + 2 > RV_ANCF_MAX_PORTS)
            status = rv_fail(error, RV_BAD_INPUT, "cable '%s': places: more than %d are attached to bodies",
                             cable->name, RV_ANCF_MAX_PORTS / 2);
        else {
            g->row = 3 * count;
            ports[count++] = (rvAncfPort){.node = g->node};
            if (g->clamped)
                ports[count++] = (rvAncfPort){.node = g->node, .slope = true};
        }
    }
    fe->rowCount = 3 * count;
    if (status == RV_OK && rv_fe_is_led(fe))
        status = cable->reference->accept(cable, bodies, error);
    if (status == RV_OK && count > 0)
        status = rv_ancf_set_ports(fe->ancf, ports, count, error);
    return status;
}

// An element in the middle of which p metres of rope lie before it.
static rvAncfElement element_at(const rvCable* cable, const rvCableDef* def, double bending, double p, double length)
{
    rvCableProfile here = rv_profile_at(def, p);
    return (rvAncfElement){.length = length,
                           .EA = here.axial * cable->axialStiffness,
                           .EI = here.bending * bending,
                           .massPerLength = here.mass * cable->massPerLength,
                           .diameter = def->diameter,
                           .axialTime = cable->damping,
                           .bendTime = rv_fe_bend_time(cable, def),
                           .curvature = fabs(def->curvature + here.curvature)};
}

// Elements span by span, and the grips.
static rvStatus fill(rvCable* cable, rvMemory* memory, rvError* error, const rvCableDef* def, const rvBodyStore* bodies,
                     rvAncfElement* elements, const int* counts, int total)
{
    rvFe* fe = cable->fe;
    double d = def->diameter, per = cable->state.restLength / cable->route.length;
    double bending = def->bendingStiffness;
    if (bending == 0.0)
        bending = cable->axialStiffness * d * d / 16.0; // of a round rod of that diameter
    if (!(bending > 0.0))
        return rv_fail(error, RV_BAD_INPUT,
                       "cable '%s': bendingStiffness: is %g N m^2 of a diameter of %g m, must be > 0", cable->name,
                       bending, d);
    double p = 0.0;
    for (int i = 0, e = 0; i < cable->route.spanCount; ++i)
        for (int k = 0; k < counts[i]; ++k, ++e) {
            double length = per * cable->route.spans[i].length / counts[i];
            fe->spans[e] = i;
            elements[e] = element_at(cable, def, bending, p + 0.5 * length, length);
            p += length;
        }
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->route.places[i].state.rest = per * cable->route.spans[i].length;
    fe->bulge = def->bulge;
    fe->method = (rvAncfMethod)def->integrator;
    rvAncfCurrent currents[RV_MAX_CURRENTS];
    rvAncfDef ancf = {.elementCount = total,
                      .elements = elements,
                      .exactCurvature = def->exactCurvature,
                      .buckles = def->integrator != RV_INTEGRATOR_TAYLOR &&
                                 rv_fe_is_limp(bending, cable->massPerLength, cable->state.restLength / total),
                      .water = rv_fe_water(def, currents)};
    rvStatus status = rv_ancf_create(&ancf, memory, &fe->ancf, error);
    return status == RV_OK ? lay_grips(cable, bodies, error) : status;
}

// Room of the rows: of ports, and of so many touches.
typedef struct {
    size_t places, block, touches, columns, slots, springs, held, guesses;
} Sizes;

static Sizes sizes_of(const rvCable* cable)
{
    const rvFe* fe = cable->fe;
    size_t ports = (size_t)fe->rowCount, touches = (size_t)fe->touchCapacity, rows = ports + 3 * touches;
    size_t dofs = fe->ancf ? (size_t)fe->ancf->dofCount + 6 : 0;
    return (Sizes){.places = (2 * ports + ports * ports) * sizeof(double),
                   .block = rows * rows * sizeof(double),
                   .touches = touches * sizeof(rvFeTouch),
                   .columns = touches > 0 ? 3 * (touches + 1) * dofs * sizeof(double) : 0,
                   .springs = touches > 0 && fe->ancf ? 2 * ((size_t)fe->ancf->slotCount + 1) * sizeof(rvAncfSlot) : 0,
                   .held = touches > 0 ? (3 * touches + RV_FE_WIDEST * (dofs + RV_FE_WIDEST)) * sizeof(double) +
                                             touches * sizeof(int)
                                       : 0,
                   .slots = ((size_t)cable->route.capacity + touches) * sizeof(int),
                   .guesses = (size_t)fe->guessCount * sizeof(rvTouchGuess)};
}

static bool take_rows(rvCable* cable, rvMemory* memory, int touches)
{
    rvFe* fe = cable->fe;
    fe->touchCapacity = touches;
    fe->guessCount = touches > 0 ? 2 * fe->elementCount + 1 : 0;
    cable->roomRows = fe->rowCount + 3 * touches;
    cable->roomSlots = touches;
    Sizes size = sizes_of(cable);
    fe->block = rv_memory_take(memory, size.block);
    fe->places = rv_memory_take(memory, size.places);
    if (fe->places) {
        fe->forces = fe->places + fe->rowCount;
        fe->portBlock = fe->forces + fe->rowCount;
    }
    fe->touches = rv_memory_take(memory, size.touches);
    fe->columns = rv_memory_take(memory, size.columns);
    fe->guesses = rv_memory_take(memory, size.guesses);
    fe->slots = rv_memory_take(memory, size.slots);
    fe->plain = rv_memory_take(memory, size.springs);
    fe->moved = rv_memory_take(memory, size.held);
    if (fe->plain && fe->moved) {
        fe->ancf->plain = fe->plain;
        fe->stiff = fe->plain + fe->ancf->slotCount + 1;
        fe->widthBlock = fe->moved + 3 * (size_t)touches;
        fe->heldColumns = fe->widthBlock + RV_FE_WIDEST * RV_FE_WIDEST;
        fe->outer = (int*)(fe->heldColumns + RV_FE_WIDEST * (size_t)(fe->ancf->dofCount + 6));
    }
    return (fe->block || size.block == 0) && (fe->places || size.places == 0) && (fe->touches || size.touches == 0) &&
           (fe->guesses || size.guesses == 0) && (fe->columns || size.columns == 0) && fe->slots &&
           ((fe->plain && fe->moved) || touches == 0);
}

static void give_rows(rvCable* cable, rvMemory* memory)
{
    rvFe* fe = cable->fe;
    Sizes size = sizes_of(cable);
    rv_memory_give(memory, fe->block, fe->block ? size.block : 0);
    rv_memory_give(memory, fe->places, fe->places ? size.places : 0);
    rv_memory_give(memory, fe->touches, fe->touches ? size.touches : 0);
    rv_memory_give(memory, fe->columns, fe->columns ? size.columns : 0);
    rv_memory_give(memory, fe->guesses, fe->guesses ? size.guesses : 0);
    rv_memory_give(memory, fe->slots, fe->slots ? size.slots : 0);
    rv_memory_give(memory, fe->plain, fe->plain ? size.springs : 0);
    rv_memory_give(memory, fe->moved, fe->moved ? size.held : 0);
}

static int count_grips(const rvCable* cable)
{
    int grips = 0;
    for (int i = 0; i < cable->route.placeCount; ++i)
        grips += cable->route.places[i].type == RV_PLACE_ATTACH;
    return grips;
}

// Places that can hold elements: attached ones, and free ends.
static rvStatus check_places(const rvCable* cable, rvError* error)
{
    for (int i = 0; i < cable->route.placeCount; ++i) {
        const rvPlace* place = &cable->route.places[i];
        bool end = i == 0 || i == cable->route.placeCount - 1;
        if (place->type != RV_PLACE_ATTACH && !(end && place->type == RV_PLACE_FREE))
            return rv_fail(error, RV_BAD_INPUT,
                           "cable '%s': places[%d].type: the material of model ancf does not run through places: only "
                           "attached ones and free ends",
                           cable->name, i);
        if (place->clamped && !(rvIsFiniteVec(place->direction) && rvLength(place->direction) > 0.0))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': places[%d].direction: must be finite and not zero",
                           cable->name, i);
    }
    return RV_OK;
}

// Clamps at both ends of one element that both point against it would turn it inside out.
static rvStatus check_clamps(const rvCable* cable, const rvBodyStore* bodies, rvError* error)
{
    const rvFe* fe = cable->fe;
    for (int k = 0; k + 1 < fe->gripCount; ++k) {
        const rvGrip *a = &fe->grips[k], *b = a + 1;
        if (!a->clamped || !b->clamped || b->node != a->node + 1)
            continue;
        rvVec3 way = rvSub(cable->route.places[b->place].in, cable->route.places[a->place].out);
        bool against = true;
        for (int i = 0; i < 2; ++i) {
            rvQuat q = a[i].body >= 0 ? bodies->items[a[i].body].state.q : rvQuatIdentity();
            against = against && rvDot(rvRotate(q, a[i].direction), way) < 0.0;
        }
        if (against)
            return rv_fail(
                error, RV_BAD_INPUT,
                "cable '%s': places[%d].direction: points against the cable, as that of places[%d] does: the "
                "element between them would be inside out",
                cable->name, b->place, a->place);
    }
    return RV_OK;
}

rvStatus rv_fe_create(rvCable* cable, const rvCableDef* def, const rvBodyStore* bodies, rvMemory* memory,
                      rvError* error)
{
    rvStatus status = check(cable, error, def);
    if (status == RV_OK)
        status = check_places(cable, error);
    if (status != RV_OK)
        return status;
    int grips = 0, total = 0, spans = cable->route.spanCount;
    size_t countSize = (size_t)spans * sizeof(int);
    int* counts = rv_memory_take(memory, countSize);
    for (int i = 0; counts && i < spans; ++i)
        total += counts[i] = elements_of(cable, def->elements, i);
    grips = count_grips(cable);
    size_t elementSize = (size_t)total * sizeof(rvAncfElement);
    rvAncfElement* elements = rv_memory_take(memory, elementSize);
    if (counts && elements && take_room(cable, memory, grips, total))
        status = fill(cable, memory, error, def, bodies, elements, counts, total);
    else
        status = rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rv_memory_give(memory, elements, elementSize);
    rv_memory_give(memory, counts, counts ? countSize : 0);
    if (status == RV_OK)
        status = check_clamps(cable, bodies, error);
    if (status != RV_OK)
        return status;
    rvFe* fe = cable->fe;
    fe->collides = def->collides;
    cable->collides = false; // not by places of the route
    if (!take_rows(cable, memory, def->collides ? def->maxContacts : 0))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rv_fe_set_motion(fe);
    return RV_OK;
}

rvStatus rv_fe_reroute(rvCable* copy, const rvCable* cable, const rvBodyStore* bodies, rvMemory* memory, rvError* error)
{
    const rvFe* old = cable->fe;
    const rvAncf* before = old->ancf;
    rvStatus status = check_places(copy, error);
    if (status != RV_OK)
        return status;
    if (!take_room(copy, memory, count_grips(copy), old->elementCount))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rvFe* fe = copy->fe;
    memcpy(fe->spans, old->spans, (size_t)old->elementCount * sizeof(int));
    rvAncfDef def = {.elementCount = before->elementCount,
                     .elements = before->elements,
                     .gravity = before->gravity,
                     .exactCurvature = before->exactCurvature,
                     .buckles = before->buckles,
                     .water = before->water};
    fe->method = old->method;
    status = rv_ancf_create(&def, memory, &fe->ancf, error);
    if (status == RV_OK)
        status = lay_grips(copy, bodies, error);
    if (status == RV_OK)
        status = check_clamps(copy, bodies, error);
    if (status != RV_OK)
        return status;
    fe->collides = old->collides;
    fe->bulge = old->bulge;
    if (!take_rows(copy, memory, old->touchCapacity))
        return rv_fail(error, RV_NO_MEMORY, "cable '%s': no memory", cable->name);
    rv_fe_set_motion(fe);
    // it goes on as it moved
    fe->ancf->options = before->options;
    memcpy(fe->ancf->state, before->state, (size_t)before->stateCount * sizeof(double));
    memcpy(fe->pushes, old->pushes, sizeof fe->pushes);
    if (fe->guessCount > 0)
        memcpy(fe->guesses, old->guesses, (size_t)fe->guessCount * sizeof(rvTouchGuess));
    for (int k = 0; k < fe->gripCount; ++k)
        for (int i = 0; i < old->gripCount; ++i)
            if (old->grips[i].place == fe->grips[k].place && old->grips[i].body == fe->grips[k].body)
                fe->states[k] = old->states[i];
    if (count_grips(copy) > count_grips(cable))
        fe->ancf->scalars[RV_ANCF_SCALE] = 0.0; // the guard begins anew
    rv_fe_follow(copy, bodies);
    return RV_OK;
}

void rv_fe_release(rvCable* cable, rvMemory* memory)
{
    rvFe* fe = cable->fe;
    give_rows(cable, memory);
    rv_ancf_destroy(fe->ancf);
    rv_memory_give(memory, fe->spans, fe->spans ? (size_t)fe->elementCount * sizeof(int) : 0);
    rv_memory_give(memory, fe->grips, fe->grips ? (size_t)fe->gripCount * sizeof(rvGrip) : 0);
    rv_memory_give(memory, fe->states, fe->states ? (size_t)fe->gripCount * sizeof(rvGripState) : 0);
    rv_memory_give(memory, fe->leads, fe->leads ? (size_t)fe->gripCount * sizeof(rvAncfLead) : 0);
    rv_memory_give(memory, fe, sizeof(rvFe));
}

void rv_fe_note_tensions(rvCable* cable, bool anew)
{
    const rvAncf* ancf = cable->fe->ancf;
    rv_ancf_note_pulls(cable->fe->ancf, 1.0, anew);
    rvRoute* route = &cable->route;
    for (int i = 0; i < route->spanCount; ++i)
        route->places[i].state.tension = 0.0;
    for (int k = 0; k < ancf->slotCount && cable->state.broken == 0.0; ++k)
        for (int lane = 0; lane < 2; ++lane) {
            int a = ancf->fold[k][lane], b = ancf->inner[k][lane];
            if (a >= ancf->nodeCount || b >= ancf->nodeCount)
                continue;
            int e = a < b ? a : b, span = cable->fe->spans[e];
            double sum = 0.0, more = rv_ancf_told_change(ancf, e, 1.0) * ancf->elements[e].length;
            for (int g = 0; g < RV_ANCF_POINTS; ++g) { // N |r'| times the element's length
                double n = ancf->stored[RV_ANCF_STORED * k + g][lane] + more;
                double stretch = sqrt(fmax(0.0, 1.0 + 2.0 * n / ancf->spans[k].stiffness[lane]));
                sum += rv_ancf_gauss_weight[g] * n * stretch;
            }
            route->places[span].state.tension += sum / route->places[span].state.rest;
        }
}

// ---- start ----------------------------------------------------------------------------------------------------------

static void lay_shape(rvCable* cable, rvVec3 gravity)
{
    rvAncf* ancf = cable->fe->ancf;
    rvStartCurve curve;
    rvVec3 down = rvNormalizeOr(cable->fe->bulge, rvNormalizeOr(gravity, rvVec(0, 0, -1)));
    int span = -1;
    for (int n = 0; n < ancf->nodeCount; ++n) {
        double p = ancf->places[n];
        while (span < 0 || (span + 1 < cable->route.spanCount && p >= rv_cable_rest_before(cable, span + 1) - 1e-9)) {
            span += 1;
            rv_start_curve_draw(&curve, cable, span, cable->route.places[span].state.rest, down);
        }
        double start = rv_cable_rest_before(cable, span), rest = cable->route.places[span].state.rest;
        rv_fe_lay_node(ancf, n, &curve, fmin(fmax((p - start) / rest, 0.0), 1.0), rest);
    }
    rv_fe_curl(cable, gravity);
    memset(ancf->v, 0, (size_t)ancf->dofCount * sizeof(double));
}

void rv_fe_lay_node(rvAncf* ancf, int n, const rvStartCurve* curve, double share, double mesh)
{
    rvVec3 way, at = rv_start_curve_point(curve, share, &way);
    rvVec3 t = rvScale(rv_start_curve_length(curve) / mesh, way);
    const double x[6] = {at.x, at.y, at.z, t.x, t.y, t.z};
    memcpy(ancf->q + 6 * n, x, sizeof x);
}

void rv_fe_put_held(rvAncf* ancf)
{
    rv_ancf_copy(ancf, ancf->aim, ancf->q);
    rv_ancf_copy(ancf, ancf->aimRate, ancf->v);
    rv_ancf_aim(ancf, 0.0);
    rv_ancf_set_held(ancf, ancf->aim, ancf->q);
    rv_ancf_set_held(ancf, ancf->aimRate, ancf->v);
}

void rv_fe_read_force(rvFe* fe, int k, const rvBodyStore* bodies, double wrench[6])
{
    double f[6];
    rv_ancf_step_reaction(fe->ancf, fe->grips[k].node, f);
    rv_grip_wrench(&fe->grips[k], bodies, f, wrench);
}

// All of it moves as the bodies at its ends do.
static void move_with_ends(rvCable* cable, const rvBodyStore* bodies)
{
    rvAncf* ancf = cable->fe->ancf;
    bool stretches = false;
    for (int n = 0; n < ancf->nodeCount; ++n) {
        int span = cable->fe->spans[n > 0 ? n - 1 : 0];
        double rest = cable->route.places[span].state.rest,
               before = ancf->places[n] - rv_cable_rest_before(cable, span);
        rvStartSpeed speed = rv_start_speed_of(cable, bodies, span);
        rv_start_speed_lay(&speed, before / rest, rest, ancf->q + 6 * n, ancf->v + 6 * n);
        stretches = stretches || speed.stretches;
    }
    rv_fe_put_held(ancf);
    if (stretches)
        rv_ancf_lead_speeds(ancf, RV_FE_QUICK);
}

// As the old one did, where there is one and that fits, or its ends do.
static void move_along(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, double h)
{
    if (!old || !rv_fe_take_motion(cable, old, bodies, h))
        move_with_ends(cable, bodies);
}

// It hangs at rest, or would if its ends stood still.
static void begin_rest(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, bool moves, double h)
{
    rvAncf* ancf = cable->fe->ancf;
    rv_ancf_rest(ancf); // what is left of the forces is round-off, though it may be much for a light rope
    if (!moves)
        return;
    move_along(cable, old, bodies, h);
    rv_ancf_copy(ancf, ancf->vOld, ancf->v);
    if (ancf->hasWater) {
        rv_ancf_accelerate(ancf, ancf->q, ancf->v, ancf->a);
        rv_ancf_copy(ancf, ancf->at, ancf->a);
    }
    ancf->scalars[RV_ANCF_KINETIC] = rv_ancf_kinetic(ancf, ancf->v);
    rv_ancf_begin_books(ancf);
}

// The guard has the first step, too, which may be a wild one: the rope moves as another did that lay otherwise.
static void guard_at_once(rvAncf* ancf)
{
    double* s = ancf->scalars;
    s[RV_ANCF_SCALE] = s[RV_ANCF_FLOOR];
    s[RV_ANCF_BUDGET] = s[RV_ANCF_ENERGY];
}

void rv_fe_start(rvCable* cable, const rvCable* old, const rvBodyStore* bodies, rvVec3 gravity, bool straight, double h)
{
    rvFe* fe = cable->fe;
    rvError ignored = {0};
    bool rests = !straight && rv_cable_can_rest(cable, gravity), changed = old;
    if (old && !rv_cable_has(old, RV_HAS_MASS)) // one without a shape moves as its ends do
        old = NULL;
    bool moves = old || rv_start_speed_any(cable, bodies);
    rv_fe_match_grips(cable);
    fe->bodies = bodies;
    fe->h = 0.0;
    rv_fe_hold_ports(fe); // until it has begun
    rv_ancf_set_gravity(fe->ancf, gravity);
    rv_ancf_set_motion(fe->ancf, aim, fe);
    lay_shape(cable, gravity);
    rv_fe_put_held(fe->ancf);
    if (rests)
        rv_ancf_settle(fe->ancf, 1e-9, &ignored);
    if (moves)
        move_along(cable, old, bodies, h);
    rv_fe_set_motion(fe);
    if (rv_fe_is_led(fe))
        cable->reference->start(cable);
    else {
        rvAncfOptions options = rv_ancf_rt_options();
        options.guarded = false; // the energy is that of the whole machine
        options.rho = 0.5;       // the shares of a port's force are those of this one
        rv_ancf_initialise(fe->ancf, &options, &ignored);
    }
    fe->ancf->scalars[RV_ANCF_SCALE] = 0.0; // the guard begins with the next step
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            fe->ancf->scalars[RV_ANCF_FLOOR] +=
                0.01 * bodies->items[fe->grips[k].body].mass * rvLength(gravity) * cable->state.restLength;
    if (rests)
        begin_rest(cable, old, bodies, moves, h);
    if (rests && changed)
        guard_at_once(fe->ancf);
    for (int k = 0; k < fe->gripCount; ++k) {
        rvGripState* s = &fe->states[k];
        for (int i = 0; i < 3; ++i)
            rv_fe_read_force(fe, k, bodies, s->past[i]);
        memcpy(s->rate, fe->ancf->v + 6 * fe->grips[k].node, sizeof s->rate);
        memset(s->change, 0, sizeof s->change);
    }
    rv_fe_let_ports_go(fe);
    fe->bodies = NULL;
    rv_fe_note_tensions(cable, true); // read before a step, too
}

void rv_fe_begin(rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, bool straight)
{
    rv_fe_start(cable, NULL, bodies, gravity, straight, 0.0);
}

void rv_fe_hold_ports(rvFe* fe)
{
    rvError ignored = {0};
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            rv_ancf_hold(fe->ancf, fe->grips[k].node, fe->grips[k].clamped ? RV_ANCF_CLAMP : RV_ANCF_PIN, &ignored);
}

void rv_fe_let_ports_go(rvFe* fe)
{
    for (int k = 0; k < fe->gripCount; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            rv_ancf_let_go(fe->ancf, fe->grips[k].node);
}

void rv_fe_match_grips(rvCable* cable)
{
    rvFe* fe = cable->fe;
    rvError ignored = {0};
    bool broken = cable->state.broken != 0.0;
    for (int k = 0; k < fe->gripCount; ++k) {
        rvGrip* grip = &fe->grips[k];
        if (broken)
            memset(&fe->states[k], 0, sizeof fe->states[k]);
        if (grip->off == broken)
            continue;
        grip->off = broken;
        if (!grip->pushed && broken)
            rv_ancf_let_go(fe->ancf, grip->node);
        else if (!grip->pushed)
            rv_ancf_hold(fe->ancf, grip->node, grip->clamped ? RV_ANCF_CLAMP : RV_ANCF_PIN, &ignored);
    }
}

rvVec3 rv_fe_grip_gap(const rvFe* fe, int k, const rvBodyStore* bodies)
{
    const rvGrip* grip = &fe->grips[k];
    const double* q = fe->ancf->q + 6 * grip->node;
    rvVec3 at = grip->local;
    if (grip->body >= 0) {
        const rvBodyState* s = &bodies->items[grip->body].state;
        at = rvAdd(s->x, rvRotate(s->q, grip->local));
    }
    return rvSub(at, rvVec(q[0], q[1], q[2]));
}

double rv_fe_near(const rvAncf* ancf, int node, double most)
{
    const double PART = 0.25; // of an element: it turns by no more than that
    double least = most;
    for (int e = node - 1; e <= node; ++e)
        if (e >= 0 && e < ancf->elementCount)
            least = fmin(least, PART * ancf->elements[e].length);
    return least;
}

// The way of each held node to its place, into `way`: false where one is not near.
static bool lay_way(const rvCable* cable, const rvBodyStore* bodies, double most, double* way)
{
    const rvFe* fe = cable->fe;
    bool near = true;
    memset(way, 0, (size_t)(fe->ancf->dofCount + 6) * sizeof(double));
    for (int k = 0; k < fe->gripCount; ++k) {
        if (fe->grips[k].off)
            continue;
        rvVec3 gap = rv_fe_grip_gap(fe, k, bodies);
        int node = fe->grips[k].node;
        near = near && rvLength(gap) <= rv_fe_near(fe->ancf, node, most);
        way[6 * node] = gap.x;
        way[6 * node + 1] = gap.y;
        way[6 * node + 2] = gap.z;
    }
    return near;
}

// Ends that are elsewhere, but near, draw it along.
static bool draw(rvCable* cable, const rvBodyStore* bodies)
{
    rvFe* fe = cable->fe;
    double *way = fe->ancf->work[1], most = fe->collides ? 0.5 * cable->diameter : HUGE_VAL;
    if (!lay_way(cable, bodies, most, way))
        return false;
    rv_fe_hold_ports(fe);
    bool drawn = rv_ancf_draw(fe->ancf, way, most);
    rv_fe_let_ports_go(fe);
    if (drawn)
        rv_ancf_begin_books(fe->ancf);
    return drawn;
}

void rv_fe_follow(rvCable* cable, const rvBodyStore* bodies)
{
    const rvFe* fe = cable->fe;
    double gap = 0.0;
    for (int k = 0; k < fe->gripCount; ++k)
        if (!fe->grips[k].off)
            gap = fmax(gap, rvLength(rv_fe_grip_gap(fe, k, bodies)));
    cable->hangsAnew = gap > 1e-6 * cable->state.restLength && !draw(cable, bodies);
    if (cable->hangsAnew)
        rv_fe_begin(cable, bodies, fe->ancf->gravity, false);
}

// ---- state ----------------------------------------------------------------------------------------------------------

void rv_fe_visit(rvCable* cable, rvVisitor* v)
{
    rvFe* fe = cable->fe;
    rv_visit_numbers(v, "elements", fe->ancf->state, (size_t)fe->ancf->stateCount * sizeof(double));
    rv_visit_numbers(v, "forces of its grips", fe->states, (size_t)fe->gripCount * sizeof(rvGripState));
    rv_visit_numbers(v, "forces on shapes", fe->pushes, sizeof fe->pushes);
    rv_visit_numbers(v, "contact forces", fe->guesses, (size_t)fe->guessCount * sizeof(rvTouchGuess));
    if (v->kind == RV_VISIT_READ && fe->ancf->hasWater)
        rv_ancf_water_update(fe->ancf, fe->ancf->q);
}
