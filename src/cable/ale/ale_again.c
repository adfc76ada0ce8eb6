// SPDX-License-Identifier: MIT
// A step of a cable of falls once more, in halves: where rope crumples or snaps taut its passes do not settle.
//
// Ends that are held or that bodies move are led along cubics from where they were, with their speeds, to where the
// step has them; flows that are held go there evenly, as the rope on arcs does. All else is free. Each part is a
// real-time step, which is made in halves again while it leaves out too much strain energy.
#include "cable/ale/ale_parts.h"
#include "cable/ale/ale_port.h"

enum { HALVINGS = 6, PASSES = 8, RELAXES = 10, FINE_RELAXES = 30 };
static const double RHO = 0.5, REMAINDER = 1e-5;

static void follow(void* context, int node, double time, double b[6], double rate[6], double accel[6])
{
    const rvAleFall* fall = context;
    const rvAncfLead* lead = &fall->leads[node == 0 ? RV_ALE_BEGIN : RV_ALE_END];
    rv_ancf_follow_cubic(time, lead, b, rate, accel);
}

// Where the ends of a fall were and go.
static void lead_ends(rvAleFall* fall, double time, double h)
{
    for (int end = 0; end < 2; end++) {
        int i = 6 * rv_ale_end_node(fall, end);
        rvAncfLead* lead = &fall->leads[end];
        lead->time = time;
        lead->h = h;
        for (int c = 0; c < 6; c++) {
            lead->q[c] = fall->ancf->q[i + c];
            lead->v[c] = fall->ancf->v[i + c];
            lead->end[c] = fall->rt.p[i + c];
            lead->endRate[c] = fall->rt.v1[i + c];
        }
        memcpy(lead->rates[0], fall->rt.a1 + i, sizeof lead->rates[0]);
        memcpy(lead->rates[1], fall->rt.at1 + i, sizeof lead->rates[1]);
    }
}

// Parts of a step that is led: what it began and ends with.
typedef struct {
    double h;
    double from[RV_ALE_MAX_FALLS + 1], to[RV_ALE_MAX_FALLS + 1]; // rope on the arcs
} Way;

// Flows that are held and rope on arcs go evenly, from the first part on.
static void lead_flows(rvAle* ale, Way* way)
{
    int places = ale->placeCount;
    for (int j = 0; j < places; j++) {
        way->from[j] = ale->flow[RV_ALE_P][places + j];
        way->to[j] = ale->arcAim[j];
        ale->flowRate[j] = (ale->rt.p[j] - ale->flow[RV_ALE_P][j]) / way->h;
        for (int k = ale->flowHeld[j] ? j : places + j; k <= places + j; k += places) {
            ale->flow[RV_ALE_RATE][k] = k == j ? ale->flowRate[j] : (way->to[j] - way->from[j]) / way->h;
            ale->flow[RV_ALE_ACCEL][k] = ale->flow[RV_ALE_ALGO][k] = 0.0;
        }
    }
}

static bool go(rvAle* ale, const Way* way, double h, int halvings)
{
    double share = (ale->time + h) / way->h, left = HUGE_VAL;
    for (int j = 0; j < ale->placeCount; j++)
        ale->arcAim[j] = way->from[j] + share * (way->to[j] - way->from[j]);
    rv_ale_begin(ale, RHO, h);
    for (int pass = 0; pass < PASSES && (ale->stays || left > REMAINDER * rv_ale_scale(ale)); pass++) {
        rv_ale_pass(ale);
        left = rv_ale_take(ale);
    }
    if (halvings > 0 && !(left <= REMAINDER * rv_ale_scale(ale))) {
        ale->counts.halvings++;
        return go(ale, way, 0.5 * h, halvings - 1) && go(ale, way, 0.5 * h, halvings - 1);
    }
    return rv_ale_finish(ale);
}

// Tensions of the step: of its end, with the damping of its mean rates. (Those of the last part have that of what rings
// in it, a part may be a hundredth of the step.)
static void mean_tensions(rvAle* ale, int f, double h)
{
    rvAncf* cable = ale->falls[f].ancf;
    const double *end = ale->falls[f].rt.p, *p = ale->rt.p, *old = ale->flow[RV_ALE_P];
    double *rates = cable->work[12], *force = cable->work[13];
    double before = rv_ale_end_of(ale, old, f) - rv_ale_begin_of(ale, old, f);
    double after = rv_ale_end_of(ale, p, f) - rv_ale_begin_of(ale, p, f), growth = (after - before) / (h * after);
    for (int i = 0; i < cable->dofCount + 6; i++)
        rates[i] = (end[i] - cable->q[i]) / h - growth * end[i];
    rv_ale_set_scale(ale, f, p);
    memset(force, 0, (size_t)(cable->dofCount + 6) * sizeof(double));
    rv_ancf_elastic_matrix(cable, end, cable->hasDamping ? rates : NULL, &(rvAncfWish){.massFactor = 1.0}, force);
    // the mean rate of stretch is (d + d before).(d - d before)/(2 h); d itself would count what turns
    for (int k = 0; k < cable->slotCount; k++) {
        rvPair moved[RV_ANCF_POINTS][3], more[RV_ANCF_POINTS], half = 0.5 * h * cable->spans[k].axialTime;
        rv_ancf_pair_slopes(cable, k, rates, moved);
        for (int g = 0; g < RV_ANCF_POINTS; g++) {
            const rvPair* m = moved[g];
            more[g] = -half * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        }
        rv_ancf_pair_tensions(cable, k, (rvPair){1.0, 1.0}, more, &cable->nextStored[RV_ANCF_STORED * k]);
    }
}

// The state is that of the end: it becomes that of the step that ports are in, and the old one comes back.
static void give_back(rvAle* ale, double time, double h)
{
    size_t size = 2 * (size_t)ale->placeCount * sizeof(double);
    for (int f = 0; f < ale->fallCount; f++) {
        rvAleFall* fall = &ale->falls[f];
        rvAncf* cable = fall->ancf;
        fall->rt = rv_ancf_rt_of(cable, RHO, time, h);
        rv_ancf_copy(cable, fall->rt.p, cable->q);
        rv_ancf_copy(cable, fall->rt.v1, cable->v);
        rv_ancf_copy(cable, fall->rt.a1, cable->a);
        rv_ancf_copy(cable, fall->rt.at1, cable->at);
        memcpy(cable->state, cable->saved, (size_t)cable->stateCount * sizeof(double));
        for (int end = 0; end < 2; end++) { // as the bodies have them
            int i = 6 * rv_ale_end_node(fall, end), count = fall->gripped[end] ? 3 : 0;
            memcpy(fall->rt.v1 + i, fall->leads[end].endRate, (size_t)count * sizeof(double));
            memcpy(fall->rt.a1 + i, fall->leads[end].rates[0], (size_t)count * sizeof(double));
            memcpy(fall->rt.at1 + i, fall->leads[end].rates[1], (size_t)count * sizeof(double));
        }
    }
    const double* from[] = {ale->flow[RV_ALE_P], ale->flow[RV_ALE_RATE], ale->flow[RV_ALE_ACCEL],
                            ale->flow[RV_ALE_ALGO]};
    double* to[] = {ale->rt.p, ale->rt.v1, ale->rt.a1, ale->rt.at1};
    for (int i = 0; i < 4; i++)
        memcpy(to[i], from[i], size);
    memcpy(ale->state, ale->saved, (size_t)ale->stateCount * sizeof(double));
    for (int f = 0; f < ale->fallCount; f++)
        mean_tensions(ale, f, h);
    ale->rt.h = h;
    ale->time = time;
    ale->owed = 0.0;
}

bool rv_ale_port_relax(rvAle* ale, double remainder)
{
    bool parted[RV_ALE_MAX_FALLS + 1];
    size_t size = (size_t)ale->placeCount * sizeof(bool);
    double left = HUGE_VAL;
    int most = remainder < REMAINDER ? FINE_RELAXES : RELAXES, retries = ale->retries;
    memcpy(parted, ale->parted, size);
    rv_ale_join_flows(ale);
    ale->retries = RV_ANCF_RETRIES;
    for (int pass = 0; pass < most && left > remainder * rv_ale_scale(ale); pass++) {
        rv_ale_pass(ale);
        left = rv_ale_take(ale);
    }
    ale->retries = retries; // with new ones no pass after this would make its motion
    memcpy(ale->parted, parted, size);
    rv_ale_count_flows(ale);
    return !ale->stays && left <= REMAINDER * rv_ale_scale(ale);
}

void rv_ale_port_again(rvAle* ale)
{
    int places = ale->placeCount;
    double h = ale->rt.h, time = ale->time;
    rvAncfMotionFn motions[RV_ALE_MAX_FALLS];
    void* contexts[RV_ALE_MAX_FALLS];
    Way way = {.h = h};
    rv_ale_join_flows(ale);
    memcpy(ale->saved, ale->state, (size_t)ale->stateCount * sizeof(double));
    lead_flows(ale, &way);
    ale->time = 0.0; // parts do not depend on how long it has run
    for (int f = 0; f < ale->fallCount; f++) {
        rvAncf* cable = ale->falls[f].ancf;
        memcpy(cable->saved, cable->state, (size_t)cable->stateCount * sizeof(double));
        lead_ends(&ale->falls[f], 0.0, h);
        motions[f] = cable->motion;
        contexts[f] = cable->motionContext;
        rv_ancf_set_motion(cable, follow, &ale->falls[f]);
    }
    if (go(ale, &way, 0.5 * h, HALVINGS))
        go(ale, &way, 0.5 * h, HALVINGS);
    for (int f = 0; f < ale->fallCount; f++)
        rv_ancf_set_motion(ale->falls[f].ancf, motions[f], contexts[f]);
    give_back(ale, time, h);
    memcpy(ale->arcAim, way.to, (size_t)places * sizeof(double));
}
