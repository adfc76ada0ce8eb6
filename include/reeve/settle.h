// SPDX-License-Identifier: MIT
// Start at rest: finds where everything hangs in balance.
#pragma once

#include "reeve/cable.h"
#include "reeve/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from rvDefaultSettleDef().
typedef struct {
    int maxIterations; ///< solves at most, beside two that measure; 1..100000, default 1000
    double tolerance;  ///< largest unbalanced force on a body as a share of what it carries, > 0, default 1e-9
    uint32_t cookie;
} rvSettleDef;

RV_API rvSettleDef rvDefaultSettleDef(void);

typedef struct {
    bool settled;     ///< every body is balanced to the tolerance and no joint is open
    bool stable;      ///< and curves are where they stay: none leaves its balance by itself. Bodies are not asked
    int left;         ///< balances that did not stay, as a column's that buckles, and were left for others
    int iterations;   ///< solves taken
    int held;         ///< bodies that hang on nothing and touch nothing: they would fall, and were left where they are
    double unbalance; ///< largest unbalanced force on a body, as a share of what it carries
    double force;     ///< that force [N]; of a torque, over the body's radius of gyration
    rvBodyId body;    ///< the body it acts on, or null
    rvCableId cable;  ///< the cable that pulls most at that body, or null
    double gap;       ///< largest error of a joint [m or rad]
    rvJointId joint;  ///< that joint, or null
} rvSettleReport;

/// Moves all bodies to where they rest, as an elastic structure does that is let down slowly, and stops them. Time
/// stands still meanwhile, nothing breaks, and there are no events. Prescribed bodies and proxies are held, brakes of
/// winches are on, motors that keep a speed hold; forces applied for the next step act and stay applied. Friction holds
/// what it can. `def` may be NULL (the defaults), `report` too.
///
/// Always returns, after maxIterations solves at most. What could not be balanced is in the report, and in words in
/// rvWorld_GetError; the rest is settled all the same, and the answer is RV_OK. RV_DIVERGED: the world is as it was.
RV_API rvStatus rvWorld_Settle(rvWorld* world, const rvSettleDef* def, rvSettleReport* report);

#ifdef __cplusplus
}
#endif
