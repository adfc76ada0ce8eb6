// SPDX-License-Identifier: MIT
// The finite-element cable in the world (Westin and Irani): ANCF elements, condensed to the nodes that bodies hold.
//
// The elements step by generalised-alpha (rho = 1/2), bodies by x' = x + h v'. A body's velocity lives at the middle of
// steps, and a force in a step belongs to its beginning; the elements' force belongs to its middle. So a body gets the
// mean of the port's forces on the cable that makes it move exactly as a node of the cable would,
//   J = -(h/27) (8 l(n+1) + 12 l(n) + 6 l(n-1) + l(n-2)),    cM = 27/(8 h^2)
// (anything else drains the swing: half of its energy in a minute). What is known of J is a load on the body; the rest
// is the impulse y of three rows at each port, which close its position at the end of the step:
//   G v' + C y = (P (p + d) - x - r + h w x r)/h,   C = cM P H^-1 P^T dense over all ports,   l(n+1) = -cM h y
// with r the arm as it is expected after the step with the expected turning w, G = [1, -[r]x]; for a clamped slope the
// same without x and the 1. H is the elements' matrix, linearised at p; d their motion without any force at the ports.
// Where the linearisation leaves out too much strain energy the world makes another pass from the new p.
// A cable that breaks lets go at once: no more of the past forces reaches the bodies.
#include "cable/core/reference.h"
#include "cable/fe/fe.h"
#include "cable/fe/fe_section.h"
#include "cable/route/twist.h"

static void begin(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    rvFe* fe = cable->fe;
    rv_fe_match_grips(cable);
    fe->bodies = bodies;
    fe->h = context->h;
    fe->again = fe->failed = false;
    fe->passes = 0;
    rvVec3 g = fe->ancf->gravity;
    if (g.x != context->gravity.x || g.y != context->gravity.y || g.z != context->gravity.z) {
        rv_ancf_set_gravity(fe->ancf, context->gravity);
        rv_ancf_begin_books(fe->ancf);
    }
    if (context->atRest) {
        rv_fe_begin_rest(cable, bodies, context);
        return;
    }
    if (rv_fe_is_led(fe)) {
        cable->reference->begin(cable, bodies, context->h);
        fe->bodies = NULL;
        return;
    }
    double gained = rv_fe_jump(cable, bodies, context->h);
    fe->guard.before = rv_ancf_port_begin(fe->ancf, context->h) - 0.5 * gained; // the middle before is without it
    fe->bodies = NULL;
}

// What the past forces of the ports still give their bodies; of a prescribed body it is the wrench that is read.
static void add_loads(rvCable* cable, rvBodyStore* bodies, const rvStepContext* context)
{
    const rvFe* fe = cable->fe;
    for (int k = 0; k < fe->gripCount; ++k) {
        const rvGrip* grip = &fe->grips[k];
        if (grip->body < 0 || grip->off || (grip->pushed && context->atRest))
            continue;
        rv_grip_add_load(&bodies->items[grip->body], fe->states[k].past[0], grip->pushed);
        if (!grip->pushed && !context->atRest)
            rv_fe_add_kick(grip, bodies, context->h);
    }
    rv_pushes_add_loads(fe->pushes, bodies);
}

static void load(rvCable* cable, rvBodyStore* bodies, const rvStepContext* step, int pass)
{
    if (pass == 0)
        add_loads(cable, bodies, step);
    const rvFe* fe = cable->fe;
    for (int k = 0; k < fe->gripCount && step->geometricStiffness > 0.0; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            rv_grip_add_hold(&fe->grips[k], &fe->states[k], bodies, fe->h, rv_ancf_port_factor(fe->ancf), fe->passes);
}

static int slot_of(const rvCable* cable, const rvGrip* grip)
{
    return cable->route.places[grip->place].slot;
}

static void write_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, rvRows* rows, int owner)
{
    rvFe* fe = cable->fe;
    cable->group = -1;
    fe->bodies = bodies;
    if (rv_fe_is_led(fe) && !context->atRest)
        return;
    // relaxed by itself it would let go of what it touches
    if (fe->passes >= RV_FE_PATIENCE && !context->atRest && fe->touchCount == 0)
        rv_ancf_port_relax(fe->ancf, rv_fe_guard_enough(fe));
    rv_ancf_port_pass(fe->ancf, fe->places, fe->portBlock);
    int n = rv_fe_number_rows(cable, bodies);
    if (n == 0 || cable->state.broken != 0.0) // it falls
        return;
    int slots = rv_fe_list_slots(cable);
    cable->group = rv_rows_add(rows, RV_GROUP_CABLE, owner, n, fe->slots, slots);
    rv_fe_condense_touches(cable, rv_ancf_port_factor(fe->ancf));
    rv_fe_write_compliance(cable, rows);
    for (int k = 0; k < fe->gripCount; ++k) {
        rvGrip* grip = &fe->grips[k];
        if (!rv_fe_is_port(grip))
            continue;
        rv_grip_expect_port(grip, bodies, context->h);
        rv_grip_write_rows(grip, bodies, fe->places, context->h, rows, cable->group, slot_of(cable, grip));
    }
    rv_fe_write_touches(cable, context->h, rows, cable->group);
}

// What a pass left out of the turning of the arms at its ports.
static double left_at_arms(const rvCable* cable, double h)
{
    const rvFe* fe = cable->fe;
    int n = fe->width;
    double left = 0.0;
    for (int k = 0; k < fe->gripCount && cable->group >= 0; ++k)
        if (rv_fe_is_port(&fe->grips[k]))
            left += rv_grip_left_out(&fe->grips[k], fe->bodies, h, cable->fe->block, n, rv_ancf_port_factor(fe->ancf));
    return left;
}

static rvPass pass_of(const rvFe* fe)
{
    // contacts with shapes that come and go would not settle by it
    if (fe->again && fe->touchCount == rv_fe_touches_ropes(fe))
        return (rvPass){true, fe->touchCount > 0 ? RV_EXTRA_PASSES : 3 * RV_EXTRA_PASSES}; // few steps need that many
    return (rvPass){fe->again, fe->met ? RV_EXTRA_PASSES : 0};
}

static rvPass read_rows(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context, const rvRows* rows)
{
    (void)bodies;
    rvFe* fe = cable->fe;
    if (rv_fe_is_led(fe) && !context->atRest) {
        fe->guard.given = rv_fe_support_work(fe, fe->bodies, context->h);
        cable->peakTension = 0.0;
        return pass_of(fe);
    }
    double factor = -rv_ancf_port_factor(fe->ancf) * context->h, most = 0.0;
    for (int r = 0; r < fe->rowCount; ++r)
        fe->forces[r] = cable->group >= 0 ? factor * rv_group_rows(rows, cable->group)[r].impulse : 0.0;
    for (int k = 0; k < fe->gripCount; ++k) {
        rvGrip* grip = &fe->grips[k];
        if (!rv_fe_is_port(grip))
            continue;
        most = fmax(most, rv_grip_take_force(grip, fe->forces));
    }
    if (cable->group >= 0)
        rv_fe_read_touches(cable, factor, rows);
    // a pass that stays where it was needs another one
    bool more = fe->passes + 2 < context->maxPasses && context->geometricStiffness > 0.0 && !context->atRest;
    rv_ancf_port_set_retries(fe->ancf, more && fe->passes < RV_ANCF_RETRIES ? 1 : 0);
    double left = rv_ancf_port_take(fe->ancf, fe->forces, rv_fe_guard_enough(fe));
    cable->peakTension = most;
    fe->again =
        !context->atRest && rv_fe_guard_asks(cable, fe->bodies, context->h, left + left_at_arms(cable, context->h));
    return pass_of(fe);
}

static void end_step(rvCable* cable, const rvBodyStore* bodies, double h)
{
    rvFe* fe = cable->fe;
    if (cable->group >= 0)
        rv_fe_hold_touches(cable, bodies);
    if (rv_fe_is_led(fe))
        fe->failed = !cable->reference->step(cable, h);
    else
        fe->failed = !rv_fe_guard_close(cable, bodies, h) || !rv_ancf_port_end(fe->ancf);
    for (int k = 0; k < fe->gripCount; ++k) {
        const rvGrip* grip = &fe->grips[k];
        if (grip->off)
            continue;
        if (grip->pushed)
            rv_grip_keep_force(grip, &fe->states[k], bodies, fe->forces);
        else
            rv_fe_read_force(fe, k, bodies, fe->states[k].past[0]);
    }
    rv_fe_keep_pushes(fe);
}

static const char* end(rvCable* cable, const rvBodyStore* bodies, const rvStepContext* context)
{
    if (context->atRest)
        rv_fe_end_rest(cable, bodies, context);
    else {
        cable->peakTension = rv_grips_pull(cable->fe->grips, cable->fe->states, cable->fe->gripCount);
        end_step(cable, bodies, context->h);
    }
    rv_fe_note_tensions(cable, context->atRest || cable->fe->jumped ||
                                   rv_fe_is_led(cable->fe)); // of others it is that of the end
    cable->loosePull = cable->state.restLength * cable->massPerLength * rvLength(context->gravity);
    for (int i = 0; i < cable->route.spanCount; ++i)
        cable->peakTension = fmax(cable->peakTension, cable->route.places[i].state.tension);
    cable->account.excess = cable->fe->guard.debt;
    cable->contactCount = rv_fe_touching(cable);
    return cable->fe->failed ? "its elements would be farther or faster than bodies may be" : NULL;
}

static void energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* out)
{
    (void)bodies, (void)gravity, (void)h;
    rvAncfEnergy energy = rv_ancf_port_energy(cable->fe->ancf);
    out->elastic = energy.stretch + energy.bend;
    out->kinetic = energy.kinetic;
    out->potential = energy.potential;
}

static rvElementSpan elements_of(const rvCable* cable, int span)
{
    const rvFe* fe = cable->fe;
    rvElementSpan out = {.ancf = fe->ancf, .last = fe->elementCount - 1, .elastic = 1.0, .fill = 1.0};
    while (out.first < out.last && fe->spans[out.first] < span)
        out.first += 1;
    while (out.last > out.first && fe->spans[out.last] > span)
        out.last -= 1;
    const rvAncfElement* element = &fe->ancf->elements[out.first];
    double height = 0.5 * (fe->ancf->q[6 * out.first + 2] + fe->ancf->q[6 * out.first + 8]);
    double lifted =
        fe->ancf->hasWater ? rv_water_displaced(&fe->ancf->water, element->diameter, height) : 0.0; // [kg/m]
    out.load = rvScale(element->massPerLength - lifted, fe->ancf->gravity);
    return out;
}

static void section_at(const rvCable* cable, int span, double share, rvCableSection* out)
{
    double p = rv_cable_rest_before(cable, span) + share * cable->route.places[span].state.rest, apart;
    rvElementSpan elements = elements_of(cable, span);
    rvAncfPoint points[3];
    elements.EA = elements.ancf->elements[rv_ancf_element_at(elements.ancf, p)].EA;
    rv_ancf_points_about(elements.ancf, (const int[2]){elements.first, elements.last}, p, points, &apart);
    out->point = points[1].position;
    rv_section_of_elements(&elements, p, points, apart, out);
}

static void section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h, rvCableSection* out)
{
    (void)gravity;
    rv_section_by(cable, bodies, h, section_at, NULL, out);
}

static double tension(const rvCable* cable, const rvBodyStore* bodies, int span, int end)
{
    (void)bodies;
    return rv_section_tension(cable, span, end, section_at);
}

// By the forces of its grips at the end of the last step.
static void force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvVec3* force, rvVec3* torque)
{
    (void)h;
    rv_grips_force_on(cable->fe->grips, cable->fe->states, cable->fe->gripCount, body, force, torque);
    rv_twist_force_on(cable, bodies, body, force, torque);
}

static int shape(const rvCable* cable, const rvShapeStore* shapes, rvVec3* points, rvCableSection* sections,
                 int capacity)
{
    (void)shapes;
    enum { PER_ELEMENT = 4 };
    if (sections)
        return 0;
    const rvAncf* ancf = cable->fe->ancf;
    int count = PER_ELEMENT * ancf->elementCount + 1;
    for (int i = 0; i < count && i < capacity; ++i) {
        int e = i / PER_ELEMENT < ancf->elementCount ? i / PER_ELEMENT : ancf->elementCount - 1;
        double share = (double)(i - e * PER_ELEMENT) / PER_ELEMENT;
        points[i] = rv_ancf_point(ancf, ancf->places[e] + share * (ancf->places[e + 1] - ancf->places[e])).position;
    }
    return count;
}

static rvStatus create(rvCable* cable, const rvCableDef* def, const rvOrigin* from, const rvBodyStore* bodies,
                       rvMemory* memory, rvError* error)
{
    rvStatus status = def ? rv_fe_create(cable, def, bodies, memory, error)
                          : rv_fe_reroute(cable, from->cable, bodies, memory, error);
    if (status == RV_OK)
        cable->line.room = cable->fe->collides ? RV_LINE_BLOCK * cable->fe->ancf->elementCount : 0;
    return status;
}

static void place(rvCable* cable, const rvBodyStore* bodies, const rvPlacement* how)
{
    if (how->kind == RV_START_LIKE)
        rv_fe_take(cable, how->like, bodies, how->gravity, how->h);
    else
        rv_fe_begin(cable, bodies, how->gravity, how->kind == RV_START_STRAIGHT);
}

static void follow(rvCable* cable, const rvBodyStore* bodies, const rvChange* change)
{
    if (change->kind == RV_CHANGE_BODIES)
        rv_fe_follow(cable, bodies);
}

static const rvModelLife life = {
    .create = create, .destroy = rv_fe_release, .place = place, .follow = follow, .visit = rv_fe_visit};

static const rvModelStep steps = {.begin = begin, .load = load, .write = write_rows, .read = read_rows, .end = end};

static const rvModelRead readings = {.energy = energy,
                                     .tension = tension,
                                     .section = section,
                                     .point = rv_fe_point,
                                     .shape = shape,
                                     .forceOn = force_on};

static const rvModelContact contacts = {.collide = rv_fe_collide, .depth = rv_fe_depth};

static const rvModelEquilibrium equilibrium = {.measure = rv_fe_measure_rest, .nudge = rv_model_is_stable};

const rvModel rv_model_ancf = {
    .name = "ancf",
    .traits = RV_HAS_MASS | RV_KEEPS_PLACES | RV_ELEMENTS,
    .life = &life,
    .step = &steps,
    .read = &readings,
    .contact = &contacts,
    .equilibrium = &equilibrium,
    .line = &rv_fe_line,
};
