// SPDX-License-Identifier: MIT
// No pass leads a curve in a plane through a shape or through itself, as none does in space (plane_sweep.c,
// plane_passage.c).
#include "cable/curve/curve_kernel.h"

#include <limits.h>
#include <string.h>

enum { MOST_HALVES = 6 }; // of a pass

// Is there anything that it could go through?
static bool is_swept(const rvCurve* curve)
{
    return curve->pegCapacity > 0 || curve->plane->motion.contacts.itself;
}

// From where the step begins, or from where it last was outside, to where it is placed: how often did it? What it went
// through touches it from then on.
static int sweep(rvCurve* curve)
{
    bool sunk;
    if (!curve->rigid || !is_swept(curve) || curve->atRest)
        return 0;
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    int found = rv_plane_contacts_sweep(contacts, &curve->plane->motion.plane, &sunk);
    found += rv_plane_contacts_sweep_itself(contacts, &curve->plane->motion.plane);
    if (found == 0 && !sunk) // else the next look is from where it was outside
        rv_plane_contacts_arrive(contacts);
    return found;
}

static void move(rvCurve* curve, double share)
{
    for (int c = 0; c < curve->now.count; ++c)
        curve->plane->run.p[c] += share * curve->now.step[c];
    rv_plane_place(&curve->plane->motion.plane, curve->plane->run.p);
}

void rv_curve_go(rvCurve* curve, double share)
{
    rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    double gone = share, best = share, led = contacts->led, left = 1.0 - led;
    int least = INT_MAX, found = 0;
    move(curve, share);
    rv_plane_contacts_lead(contacts, 1.0);
    if (left > 0.0 && share < 1.0 && sweep(curve) > 0)
        rv_plane_contacts_lead(contacts, led + share * left);
    for (int half = 1; (found = sweep(curve)) > 0; ++half) {
        if (found < least) {
            least = found;
            best = gone;
        }
        if (half > MOST_HALVES)
            break;
        double next = half < MOST_HALVES ? 0.5 * gone : 0.0;
        move(curve, next - gone);
        rv_plane_contacts_lead(contacts, led + next * left);
        gone = next;
    }
    if (found > 0) { // a shape came through it: it stays where that is least so
        move(curve, best - gone);
        rv_plane_contacts_lead(contacts, led + best * left);
        gone = best;
    }
    curve->stopped = gone < share || found > 0 || contacts->led < 1.0;
}

void rv_plane_curve_go_ahead(rvCurve* curve)
{
    rvPlaneRun* run = &curve->plane->run;
    rv_plane_place(&curve->plane->motion.plane, run->q);
    if (is_swept(curve))
        rv_plane_contacts_begin(&curve->plane->motion.contacts, &curve->plane->motion.plane);
    for (int i = 0; i < curve->now.count; ++i)
        curve->now.step[i] = run->p[i] - run->q[i];
    memcpy(run->p, run->q, (size_t)curve->now.count * sizeof(double));
    rv_curve_go(curve, 1.0);
}
