// SPDX-License-Identifier: MIT
// No pass leads a curve in a plane through a shape, as none does in space (space_solid.h): its points not through
// faces, its chords not through what is round and through corners (plane_sweep.c). Faces are looked at as a step
// begins, as far as the curve gets by its rates; one that is jerked along gets farther, and meets here what it had not
// seen.
#include "cable/curve/curve_cable.h"

#include "math/extreme.h"

#include <string.h>

#define LEAST_SLOPE 0.2 // of a normal in the plane: faces that are flatter do not hold the curve
#define SAME_FACE 1e-6
enum { MOST_HALVES = 6 }; // of a pass

void rv_curve_see_solid(const rvCurveLook* look)
{
    rvCurve* curve = look->curve;
    const rvShape* shape = look->shape;
    if (!curve->rigid || shape->type == RV_SHAPE_PLANE) // contacts that give remember sides; a plane has but one
        return;
    if (curve->solidCount == curve->pegCapacity) {
        look->cable->droppedContacts += 1;
        return;
    }
    static const rvBodyState rests;
    const rvBodyState* s = look->body >= 0 ? &look->bodies->items[look->body].state : &rests;
    rvVec3 arm, v = rv_curve_look_velocity(look, shape->pose.p, &arm), w = s->w;
    double far = look->h * (rvLength(v) + rvLength(w) * rvDistance(shape->low, shape->high));
    rvCurveSolid* solid = &curve->solids[curve->solidCount++];
    *solid = (rvCurveSolid){.shape = shape, .body = look->body, .friction = look->friction, .was = shape->pose};
    solid->middle = s->x;
    solid->velocity = s->v;
    solid->spin = w;
    solid->is = (rvPose){rvMulAdd(shape->pose.p, look->h, v),
                         rvQuatMul(rvQuatFromRotation(rvScale(look->h, w)), shape->pose.q)};
    solid->low = rvSub(shape->low, rvVec(far, far, far));
    solid->high = rvAdd(shape->high, rvVec(far, far, far));
}

// The face at a point of the surface in the frame of the shape, for a point of the curve. False: it does not hold it.
static bool add_face(rvCurve* curve, const rvCurveSolid* solid, const rvCurveSpot* spot, rvVec3 at, rvVec3 out)
{
    rvVec3 x = rvPosePoint(solid->is, at);
    rvVec2 n = rv_curve_flat(curve, rvRotate(solid->is.q, out));
    double slope = sqrt(rv_vec2_dot(n, n));
    if (slope < LEAST_SLOPE)
        return false;
    n = rv_vec2(n.x / slope, n.y / slope);
    rvCurveFace face = {.spot = *spot,
                        .out = rv_curve_raise(n),
                        .offset = rv_vec2_dot(n, rv_curve_down(curve, x)) + curve->radius / slope,
                        .body = solid->body,
                        .friction = solid->friction};
    if (solid->body >= 0) {
        face.arm = rvSub(x, solid->middle);
        face.velocity = rv_curve_raise(rv_curve_flat(curve, rvAdd(solid->velocity, rvCross(solid->spin, face.arm))));
    }
    for (int i = 0; i < curve->faceCount; ++i) {
        const rvCurveFace* other = &curve->faces[i];
        if (other->spot.interval == spot->interval && other->spot.xi == spot->xi &&
            rvDot(other->out, face.out) > 1.0 - SAME_FACE &&
            fabs(other->offset - face.offset) < SAME_FACE * curve->now.length)
            return true;
    }
    if (curve->faceCount < curve->touchCapacity)
        curve->faces[curve->faceCount++] = face;
    return true;
}

static bool is_apart(const rvCurveSolid* solid, rvVec3 a, rvVec3 b)
{
    return rv_larger(a.x, b.x) < solid->low.x || rv_smaller(a.x, b.x) > solid->high.x ||
           rv_larger(a.y, b.y) < solid->low.y || rv_smaller(a.y, b.y) > solid->high.y ||
           rv_larger(a.z, b.z) < solid->low.z || rv_smaller(a.z, b.z) > solid->high.z;
}

static int sweep_faces(rvCurve* curve, const rvCurveSolid* solid, bool* sunk)
{
    const rvPlane* plane = &curve->plane->motion.plane;
    const rvPlaneContacts* contacts = &curve->plane->motion.contacts;
    int count = rv_plane_trail_count(plane->intervals), found = 0;
    double sink = rv_space_solid_sink(solid->shape, curve->radius);
    for (int i = 0; i < count; ++i) {
        rvVec3 from = rvAdd(curve->origin, rv_curve_up(curve, contacts->trail[i]));
        rvVec3 to = rvAdd(curve->origin, rv_curve_up(curve, contacts->trail[count + i])), at, out;
        if (is_apart(solid, from, to))
            continue;
        rvSpacePassing passing =
            rv_space_solid_pass_point(solid->shape, rvPosePointBack(contacts->arrived ? solid->is : solid->was, from),
                                      rvPosePointBack(solid->is, to), sink, &at, &out);
        int interval = i / RV_PLANE_CHORDS < plane->intervals ? i / RV_PLANE_CHORDS : plane->intervals - 1;
        rvCurveSpot spot =
            rv_plane_spot_in(plane, interval, (i - RV_PLANE_CHORDS * interval) / (double)RV_PLANE_CHORDS);
        *sunk = *sunk || passing == RV_SPACE_SUNK;
        found += passing == RV_SPACE_THROUGH && add_face(curve, solid, &spot, at, out);
    }
    return found;
}

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
    for (int k = 0; k < curve->solidCount; ++k)
        found += sweep_faces(curve, &curve->solids[k], &sunk);
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
    double gone = share;
    move(curve, share);
    for (int half = 1; half <= MOST_HALVES && sweep(curve) > 0; ++half) {
        double next = half < MOST_HALVES ? 0.5 * gone : 0.0;
        move(curve, next - gone);
        gone = next;
    }
    curve->stopped = gone < share;
}

void rv_curve_go_ahead(rvCurve* curve)
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
