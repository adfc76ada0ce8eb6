// SPDX-License-Identifier: MIT
// The chain in ODE: maximal coordinates, ball joints, by the direct step (dense) and by the iterative one.
// All settings are ODE's own; no damping.
#include "cases/chain.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct {
    dWorldID world;
    dBodyID load;
    dJointID* joints;
    int jointCount;
} OdeChain;

static void destroy(void* state)
{
    OdeChain* chain = state;
    dWorldDestroy(chain->world);
    dCloseODE();
    free(chain->joints);
    free(chain);
}

static dBodyID make_body(dWorldID world, double mass, rvVec3 moments, rvVec3 p, rvQuat q)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, moments.x, moments.y, moments.z, 0, 0, 0);
    dBodySetMass(body, &m);
    dBodySetPosition(body, p.x, p.y, p.z);
    dQuaternion turn = {q.w, q.x, q.y, q.z};
    dBodySetQuaternion(body, turn);
    return body;
}

static dJointID hang(dWorldID world, dBodyID above, dBodyID body, rvVec3 point)
{
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, body, above);
    dJointSetBallAnchor(joint, point.x, point.y, point.z);
    return joint;
}

static void* create(const rvChain* chain)
{
    OdeChain* ode = calloc(1, sizeof(*ode));
    dJointID* joints = calloc((size_t)chain->links + 1, sizeof(dJointID));
    if (!ode || !joints) {
        free(ode);
        free(joints);
        return NULL;
    }
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    ode->joints = joints;
    ode->jointCount = chain->links + 1;
    ode->world = dWorldCreate();
    dWorldSetGravity(ode->world, 0, 0, -RV_CHAIN_GRAVITY);
    double l = rv_chain_link_length(chain);
    rvQuat turn = rv_chain_turn(chain);
    dBodyID above = NULL;
    for (int i = 0; i < chain->links; i++) {
        dBodyID link = make_body(ode->world, chain->linkMass, rv_chain_link_inertia(chain),
                                 rv_chain_point(chain, (i + 0.5) * l), turn);
        joints[i] = hang(ode->world, above, link, rv_chain_point(chain, i * l));
        above = link;
    }
    double moment = rv_chain_load_inertia(chain);
    rvVec3 end = rv_chain_point(chain, chain->length);
    ode->load = make_body(ode->world, chain->loadMass, rvVec(moment, moment, moment), end, rvQuatIdentity());
    joints[chain->links] = hang(ode->world, above, ode->load, end);
    return ode;
}

static bool step_direct(void* state, double h)
{
    OdeChain* chain = state;
    return dWorldStep(chain->world, h) != 0;
}

static bool step_quick(void* state, double h)
{
    OdeChain* chain = state;
    return dWorldQuickStep(chain->world, h) != 0;
}

static rvVec3 load(void* state)
{
    OdeChain* chain = state;
    const dReal* p = dBodyGetPosition(chain->load);
    return rvVec(p[0], p[1], p[2]);
}

static double gap(void* state)
{
    OdeChain* chain = state;
    double worst = 0.0;
    for (int i = 0; i < chain->jointCount; i++) {
        dVector3 a, b;
        dJointGetBallAnchor(chain->joints[i], a);
        dJointGetBallAnchor2(chain->joints[i], b);
        worst = fmax(worst, rvDistance(rvVec(a[0], a[1], a[2]), rvVec(b[0], b[1], b[2])));
    }
    return worst;
}

extern const rvChainEngine rv_peer_ode_direct, rv_peer_ode_quick;

const rvChainEngine rv_peer_ode_direct = {
    .name = "ODE dWorldStep",
    .maxLinks = 1000,
    .whyLimit = "cost grows with the cube",
    .create = create,
    .destroy = destroy,
    .step = step_direct,
    .load = load,
    .gap = gap,
};

const rvChainEngine rv_peer_ode_quick = {
    .name = "ODE dWorldQuickStep",
    .maxLinks = 100000,
    .whyLimit = "not tried",
    .create = create,
    .destroy = destroy,
    .step = step_quick,
    .load = load,
    .gap = gap,
};
