// SPDX-License-Identifier: MIT
// A cable of falls: checking, memory, meshes, holds, shape, reading.
#include "base/deal.h"
#include "base/field.h"
#include "cable/ale/ale_parts.h"
#include "cable/ale/ale_port.h"

static int fall_room(const rvAleDef* def)
{
    return def->fallRoom > def->fallCount ? def->fallRoom : def->fallCount;
}

static rvStatus check(const rvAleDef* def, rvError* error)
{
    const rvField fields[] = {
        {"EA", def->EA, RV_FINITE_POSITIVE, "N"},
        {"EI", def->EI, RV_FINITE_POSITIVE, "N m^2"},
        {"massPerLength", def->massPerLength, RV_FINITE_POSITIVE, "kg/m"},
        {"axialTime", def->axialTime, RV_FINITE_NOT_NEGATIVE, "s"},
        {"bendTime", def->bendTime, RV_FINITE_NOT_NEGATIVE, "s"},
    };
    rvStatus status = RV_CHECK_FIELDS(error, "", fields);
    if (status != RV_OK)
        return status;
    if (def->fallCount < 1 || fall_room(def) > RV_ALE_MAX_FALLS || !def->falls)
        return rv_fail(error, RV_BAD_INPUT, "fallCount is %d, with room for %d; expected 1 to %d", def->fallCount,
                       fall_room(def), RV_ALE_MAX_FALLS);
    if (!rvIsFiniteVec(def->gravity))
        return rv_fail(error, RV_BAD_INPUT, "gravity is not finite");
    for (int f = 0; f < def->fallCount; f++) {
        const rvAleFallDef* fall = &def->falls[f];
        if (!(fall->length > 0.0) || !isfinite(fall->length))
            return rv_fail(error, RV_BAD_INPUT, "falls[%d].length is %g; expected a positive number", f, fall->length);
        if (fall->elementCount < 1 || fall->room < fall->elementCount || fall->room > RV_ALE_MESH)
            return rv_fail(error, RV_BAD_INPUT, "falls[%d]: %d elements and room for %d; expected 1 to %d", f,
                           fall->elementCount, fall->room, RV_ALE_MESH);
    }
    if (def->water.on && !(def->diameter > 0.0))
        return rv_fail(error, RV_BAD_INPUT, "diameter is %g; expected a positive number in water", def->diameter);
    return RV_OK;
}

// ---- memory: counted first, then dealt out

// Of fall f, or of one that may come: like the first.
static rvAleFallDef fall_def(const rvAleDef* def, int f)
{
    if (f < def->fallCount)
        return def->falls[f];
    return (rvAleFallDef){.length = def->falls[0].length, .elementCount = 1, .room = def->falls[0].room};
}

static void deal_out(rvAle* ale, const rvAleDef* def, rvDeal* d)
{
    size_t places = (size_t)fall_room(def) + 1, count = 2 * RV_ALE_VECTORS * places + 5 + RV_ALE_GUARD_NUMBERS;
    ale->falls = rv_deal(d, places - 1, sizeof *ale->falls);
    ale->flowHeld = rv_deal(d, places, sizeof(bool));
    ale->parted = rv_deal(d, places, sizeof(bool));
    ale->before = rv_deal(d, places, sizeof(int));
    ale->behind = rv_deal(d, places, sizeof(int));
    double** vectors[] = {&ale->flowRate,     &ale->arcAim,     &ale->inertia,   &ale->diagonal,
                          &ale->lower,        &ale->plainLower, &ale->heldLower, &ale->plainDiagonal,
                          &ale->heldDiagonal, &ale->pushedFlows};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = rv_deal(d, 2 * places, sizeof(double));
    ale->flowForce = rv_deal(d, 2 * places, sizeof(double));
    for (int i = 0; i < RV_ALE_FLOW_WORK; i++)
        ale->flowWork[i] = rv_deal(d, 2 * places, sizeof(double));
    for (int f = 0; f < fall_room(def); f++)
        count += 1 + (size_t)fall_def(def, f).room;
    ale->stateCount = (int)count;
    ale->state = rv_deal(d, count, sizeof(double));
    ale->saved = rv_deal(d, count, sizeof(double));
    if (ale->state) {
        for (int i = 0; i < RV_ALE_VECTORS; i++)
            ale->flow[i] = ale->state + 2 * places * (size_t)i;
        ale->kinetic = ale->state + 2 * RV_ALE_VECTORS * places;
        ale->floor = ale->kinetic + 1;
        ale->was = ale->floor + 1;
        ale->above = ale->was + 3;
    }
    double* mesh = ale->state ? ale->above + RV_ALE_GUARD_NUMBERS : NULL;
    for (int f = 0; f < fall_room(def); f++) {
        size_t room = (size_t)fall_def(def, f).room;
        rvAleSpan* spans = rv_deal(d, room / 2 + 1, sizeof *spans);
        rvPair(*growth)[9] = rv_deal(d, room / 2 + 1, sizeof *growth);
        rvAncfElement* elements = rv_deal(d, room, sizeof *elements);
        double* ports = rv_deal(d, 72 * (room + 2), sizeof *ports);
        if (!mesh)
            continue;
        rvAleFall* fall = &ale->falls[f];
        fall->spans = spans;
        fall->growth = growth;
        fall->elements = elements;
        fall->meshState = mesh;
        mesh += 1 + room;
        for (size_t i = 0; i < 12; i++)
            fall->ports[i] = ports + 6 * (room + 2) * i;
    }
}

static rvStatus create_fall(rvAle* ale, int f, const rvAleFallDef* def, rvError* error)
{
    rvAleFall* fall = &ale->falls[f];
    fall->room = def->room;
    for (int e = 0; e < def->room; e++)
        fall->elements[e] = (rvAncfElement){.length = def->length / def->elementCount,
                                            .EA = ale->EA,
                                            .EI = ale->EI,
                                            .massPerLength = ale->mass,
                                            .diameter = ale->diameter,
                                            .axialTime = ale->axialTime,
                                            .bendTime = ale->bendTime};
    rvAncfDef ancf = {
        .elementCount = def->room, .elements = fall->elements, .buckles = ale->buckles, .water = ale->water};
    rvStatus status = rv_ancf_create(&ancf, ale->memory, &fall->ancf, error);
    if (status)
        return status;
    fall->ancf->hasWater = false; // that of rope which does not flow
    for (int i = 0; i < 2; i++) {
        fall->border.column[i] = fall->ancf->work[8 + i];
        fall->border.solved[i] = fall->ancf->work[10 + i];
    }
    double* lengths = fall->ancf->work[0];
    for (int e = 0; e < def->elementCount; e++)
        lengths[e] = def->length / def->elementCount;
    rv_ale_lay_mesh(ale, f, lengths, def->elementCount);
    return RV_OK;
}

rvStatus rv_ale_create(const rvAleDef* def, rvMemory* memory, rvAle** out, rvError* error)
{
    *out = NULL;
    rvStatus status = check(def, error);
    if (status)
        return status;
    rvAle shape = {0};
    rvDeal count = {0};
    rv_deal(&count, 1, sizeof(rvAle));
    deal_out(&shape, def, &count);
    size_t size = count.used + 64;
    char* block = rv_memory_take(memory, size);
    if (!block)
        return rv_fail(error, RV_NO_MEMORY, "no memory for a cable of %d falls", def->fallCount);
    rvDeal real = {.at = block + (64 - (uintptr_t)block % 64) % 64};
    rvAle* ale = rv_deal(&real, 1, sizeof(rvAle));
    *ale = (rvAle){.memory = memory,
                   .block = block,
                   .size = size,
                   .fallCount = def->fallCount,
                   .placeCount = def->fallCount + 1,
                   .fallRoom = fall_room(def),
                   .EA = def->EA,
                   .EI = def->EI,
                   .mass = def->massPerLength,
                   .axialTime = def->axialTime,
                   .bendTime = def->bendTime,
                   .gravity = def->gravity,
                   .buckles = def->buckles,
                   .diameter = def->diameter,
                   .water = def->water};
    deal_out(ale, def, &real);
    for (int f = 0; f < ale->fallRoom && status == RV_OK; f++) {
        rvAleFallDef fall = fall_def(def, f);
        status = create_fall(ale, f, &fall, error);
        if (f < def->fallCount)
            ale->flow[RV_ALE_P][f + 1] = ale->flow[RV_ALE_P][f] + fall.length;
        else
            memset(ale->falls[f].meshState, 0, (1 + (size_t)fall.room) * sizeof(double));
    }
    if (status) {
        rv_ale_destroy(ale);
        return status;
    }
    ale->water.currents = ale->falls[0].ancf->water.currents;
    ale->flowHeld[0] = ale->flowHeld[def->fallCount] = true;
    rv_ale_count_flows(ale);
    *out = ale;
    return RV_OK;
}

void rv_ale_destroy(rvAle* ale)
{
    if (!ale)
        return;
    for (int f = 0; f < ale->fallRoom; f++)
        rv_ancf_destroy(ale->falls[f].ancf);
    rv_memory_give(ale->memory, ale->march, ale->marchSize);
    rv_memory_give(ale->memory, ale->block, ale->size);
}

// ---- mesh, holds, shape

void rv_ale_lay_mesh(rvAle* ale, int f, const double* lengths, int count)
{
    rvAleFall* fall = &ale->falls[f];
    rvAncf* cable = fall->ancf;
    unsigned last = cable->held[cable->nodeCount - 1];
    rvError ignored = {0};
    fall->meshState[0] = count;
    for (int e = 0; e < count; e++)
        fall->elements[e].length = fall->meshState[1 + e] = lengths[e];
    if (last)
        rv_ancf_let_go(cable, cable->nodeCount - 1);
    rv_ancf_lay_mesh(cable, fall->elements, count);
    if (last)
        rv_ancf_hold(cable, cable->nodeCount - 1, last, &ignored);
    rv_ale_lay_spans(fall, ale->mass);
    // nothing is left of nodes that are no more: the dummy is at rest at the origin
    size_t dofs = 6 * ((size_t)fall->room + 2), used = (size_t)cable->dofCount;
    double* states[] = {cable->q,    cable->v,    cable->a,    cable->at,
                        cable->qOld, cable->vOld, cable->pull, cable->pullMean};
    for (int i = 0; i < 8; i++)
        memset(states[i] + used, 0, (dofs - used) * sizeof(double));
    for (int i = 0; i < RV_ANCF_WORK_COUNT; i++)
        memset(cable->work[i] + used, 0, (dofs - used) * sizeof(double));
    memset(cable->pulls + (size_t)RV_ANCF_PULLS * count, 0,
           RV_ANCF_PULLS * (size_t)(fall->room - count) * sizeof(double));
}

rvStatus rv_ale_hold(rvAle* ale, int fall, int end, unsigned mask, rvError* error)
{
    return rv_ancf_hold(ale->falls[fall].ancf, rv_ale_end_node(&ale->falls[fall], end), mask, error);
}

void rv_ale_let_go(rvAle* ale, int fall, int end)
{
    rv_ancf_let_go(ale->falls[fall].ancf, rv_ale_end_node(&ale->falls[fall], end));
}

// ---- reading

double rv_ale_fall_length(const rvAle* ale, int fall)
{
    const double* p = ale->flow[RV_ALE_P];
    return rv_ale_end_of(ale, p, fall) - rv_ale_begin_of(ale, p, fall);
}

int rv_ale_element_count(const rvAle* ale, int fall)
{
    return ale->falls[fall].ancf->elementCount;
}

static rvAleFlow flow_now(const rvAle* ale, int fall)
{
    return rv_ale_flow_of(ale, fall, ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL]);
}

rvAncfPoint rv_ale_point(const rvAle* ale, int f, double share)
{
    const rvAleFall* fall = &ale->falls[f];
    rvAleFlow flow = flow_now(ale, f);
    // slopes of the mesh: g times those of the rope
    rvAncfPoint out = rv_ancf_point(fall->ancf, share * fall->mesh);
    double i = 1.0 / flow.g, rate = flow.rate[0] + share * (flow.rate[1] - flow.rate[0]);
    out.slope = rvScale(i, out.slope);
    out.velocity = rvMulAdd(out.velocity, -rate, out.slope);
    double size = rvLength(out.slope);
    out.strain = 0.5 * (size * size - 1.0);
    out.tension = ale->EA * out.strain * size;
    out.curvature *= i * i;
    out.moment = ale->EI * out.curvature;
    return out;
}

rvAncfEnergy rv_ale_energy(const rvAle* ale)
{
    rvAncfEnergy out = {0};
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        rvAleFlow flow = flow_now(ale, f);
        double stretch, bend, elastic = cable->elastic, square = cable->restSquare;
        cable->elastic = 1.0 / (flow.g * flow.g * flow.g);
        cable->restSquare = flow.g * flow.g;
        rv_ancf_elastic_energy(cable, cable->q, &stretch, &bend);
        cable->elastic = elastic;
        cable->restSquare = square;
        out.kinetic += rv_ale_motion(fall, cable->q, cable->v, &flow).kinetic;
        out.stretch += stretch;
        out.bend += bend;
        if (ale->water.on)
            rv_ale_water_energy(ale, f, &flow, &out.kinetic, &out.potential);
        if (fall->slow > 0.0)
            continue;
        // the weight of the rope is that of the mesh times g
        double* x = cable->work[RV_ANCF_WORK_COUNT - 2];
        double* y = cable->work[RV_ANCF_WORK_COUNT - 1];
        memset(x, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
        for (int i = 0; i < cable->nodeCount; i++) {
            x[6 * i] = ale->gravity.x;
            x[6 * i + 1] = ale->gravity.y;
            x[6 * i + 2] = ale->gravity.z;
        }
        rv_ancf_iso_product(cable, cable->mass, x, y);
        out.potential -= flow.g * rv_ancf_dot(cable, y, cable->q);
        for (int end = 0; end < 2; end++) {
            const double* r = cable->q + 6 * rv_ale_end_node(fall, end);
            out.potential -= fall->load[end] * rvDot(ale->gravity, rvVec(r[0], r[1], r[2]));
        }
    }
    out.total = out.kinetic + out.stretch + out.bend + out.potential;
    return out;
}

static rvAleMotion motion_of(const rvAle* ale)
{
    rvAleMotion sum = {0};
    for (int f = 0; f < ale->fallCount; f++) {
        const rvAncf* cable = ale->falls[f].ancf;
        rvAleFlow flow = flow_now(ale, f);
        rvAleMotion one = rv_ale_motion(&ale->falls[f], cable->q, cable->v, &flow);
        sum.mass += one.mass;
        sum.momentum = rvAdd(sum.momentum, one.momentum);
        sum.angular = rvAdd(sum.angular, one.angular);
    }
    return sum;
}

double rv_ale_mass(const rvAle* ale)
{
    return motion_of(ale).mass;
}

rvVec3 rv_ale_momentum(const rvAle* ale)
{
    return motion_of(ale).momentum;
}

rvVec3 rv_ale_angular_momentum(const rvAle* ale)
{
    return motion_of(ale).angular;
}

// What is left of the equations at the state as it is; stepped: with the tensions of the last step.
static void leave(rvAle* ale, int first, int last, bool stepped)
{
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    ale->rt.p = ale->flowWork[1];
    ale->rt.v1 = ale->flowWork[4];
    ale->rt.a1 = ale->flowWork[5];
    memcpy(ale->rt.p, ale->flow[RV_ALE_P], size);
    memcpy(ale->rt.v1, ale->flow[RV_ALE_RATE], size);
    memcpy(ale->rt.a1, ale->flow[RV_ALE_ACCEL], size);
    for (int f = first; f <= last; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        ale->falls[f].rt.p = cable->q;
        rvAleState at = {.q = cable->q, .v = cable->v, .vd = cable->v, .a = cable->a};
        at.told = stepped ? cable->stored : NULL;
        rv_ale_residual(ale, f, &at, NULL, cable->work[0]);
    }
}

void rv_ale_pulls(rvAle* ale, int place, double* before, double* behind)
{
    leave(ale, place - 1, place, false);
    double weight = rv_ale_arc_weight(ale, place); // half of it on either side
    *before = ale->falls[place - 1].forceP[1] + 0.5 * weight;
    *behind = -ale->falls[place].forceP[0] - 0.5 * weight;
}

void rv_ale_reaction(rvAle* ale, int f, int end, bool stepped, double force[6])
{
    leave(ale, f, f, stepped);
    const double* left = ale->falls[f].ancf->work[0] + 6 * rv_ale_end_node(&ale->falls[f], end);
    for (int i = 0; i < 6; i++)
        force[i] = -left[i];
}
