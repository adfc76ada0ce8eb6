// SPDX-License-Identifier: MIT
// The models that the suite runs, and what each claims. A new model joins by one line in `models`.
#pragma once

#include "count_alloc.h"
#include "world/machines.h"

// What a model can be asked for.
enum {
    CAN_SLIDE = 1,        // runs through eyes and over sheaves
    CAN_REEL = 2,         // winches pay out and take in
    CAN_SLACKEN = 4,      // goes slack and comes taut
    CAN_TOUCH = 8,        // lies on shapes that it meets
    CAN_SETTLE = 16,      // begins at rest by rvWorld_Settle
    CAN_REHOOK = 32,      // ends are unhooked, and hooked where they are, while it runs
    CAN_LEAVE_PLANE = 64, // moves in space
    CAN_STRETCH = 128,    // takes over a rope that is stretched, and hands it on
    CAN_REACH = 256,      // ends are hooked where they are not: the rope hangs anew
    CAN_ALL = 511,
};

typedef struct {
    const char* name;
    rvCableModel type;
    unsigned claims;
    // The rope's weight as a share of the loads of the suite: by so much its physics differs from that of a massless
    // one.
    double share;
    bool green; // finite elements: stores EA L g^2/2 with Green's strain g = e + e^2/2 of a stretch e; else with e
    double condition; // of the matrix of its inside at EA = 1e8 N and 60 Hz: EA h^2 8/27/(mass of an element * l)
    double bead;      // distance of the points that meet shapes [m]; 0: it meets them all along
    void (*dress)(rvCableDef* def); // what its definition needs beyond stiffness; may be NULL
} Model;

// A metre of rope weighs 1e-6 of the lightest load. So light a rope follows its ends faster than any step can tell, and
// what it does by itself shall die away.
static void make_light(rvCableDef* def)
{
    def->massPerLength = 1e-5;
    def->waveDamping = 100.0;
}

// The same for ropes with inertia of their own. A rope of two grams would carry tension while it is flung straight, 7
// ms before a fall of a metre makes it taut: it is lighter, and so little damped that a catch loses a thousandth.
static void make_thread(rvCableDef* def)
{
    def->massPerLength = 3e-5;
    def->bendingStiffness = 1e-3;
    def->damping = 3e-5;
}

// The same for a curve in space.
static void make_thread_in_space(rvCableDef* def)
{
    make_thread(def);
    def->torsionalStiffness = 1e-3;
}

// And for one that does not stretch.
static void make_inextensible_thread_in_space(rvCableDef* def)
{
    make_thread_in_space(def);
    def->axialStiffness = 0.0;
}

static const Model models[] = {
    {"massless", RV_CABLE_MASSLESS, CAN_ALL, 0.0, false, 0.0, 0.0, NULL},
    {"layered", RV_CABLE_LAYERED, CAN_ALL, 1e-5, false, 0.0, 0.0, make_light},
    {"ancf", RV_CABLE_ANCF, CAN_ALL & ~(CAN_SLIDE | CAN_REEL), 3e-5, true, 2.7e8, 0.05, make_thread},
    {"curve", RV_CABLE_CURVE, CAN_SETTLE | CAN_SLACKEN | CAN_STRETCH | CAN_REHOOK, 3e-5, false, 2.7e8, 0.0,
     make_thread},
    {"curve in space", RV_CABLE_CURVE, CAN_SETTLE | CAN_SLACKEN | CAN_STRETCH | CAN_LEAVE_PLANE | CAN_REHOOK, 3e-5,
     false, 2.7e8, 0.0, make_thread_in_space},
    {"inextensible curve in space", RV_CABLE_CURVE, CAN_LEAVE_PLANE, 3e-5, false, 2.7e8, 0.0,
     make_inextensible_thread_in_space},
    {"ale", RV_CABLE_ALE, CAN_ALL, 3e-5, true, 2.7e8, 0.0, make_thread},
};

enum { MODEL_COUNT = sizeof models / sizeof models[0] };

// The stretch and the tension of a rope of that length at which it has stored the work of a weight that falls by `fall`
// before it is taut, and on as the rope gives.
static inline double catch_stretch(const Model* m, double axialStiffness, double length, double weight, double fall)
{
    double low = 0.0, high = length;
    for (int i = 0; i < 100; ++i) {
        double x = 0.5 * (low + high), e = x / length, g = m->green ? e + 0.5 * e * e : e;
        *(0.5 * axialStiffness * length * g * g < weight * (fall + x) ? &low : &high) = x;
    }
    return low;
}

static inline double stretch_tension(const Model* m, double axialStiffness, double e)
{
    return m->green ? axialStiffness * (e + 0.5 * e * e) * (1.0 + e) : axialStiffness * e;
}

// A rope of the model over the places; length < 0: as the route lies.
static inline rvCableDef rope_def(const Model* model, const rvPlaceDef* places, int count, double axialStiffness,
                                  double length)
{
    rvCableDef def = rvDefaultCableDef(model->type);
    def.places = places;
    def.placeCount = count;
    def.axialStiffness = axialStiffness;
    def.length = length;
    if (model->dress)
        model->dress(&def);
    return def;
}

static inline rvCableId add_rope(rvWorld* world, const Model* model, const rvPlaceDef* places, int count,
                                 double axialStiffness, double length)
{
    rvCableDef def = rope_def(model, places, count, axialStiffness, length);
    return create_cable(world, &def);
}

// Between a point of the world and the origin of a body.
static inline rvCableId hang(rvWorld* world, const Model* model, rvVec3 from, rvBodyId load, double axialStiffness,
                             double length)
{
    rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, from), rvAttachPlace(load, rvVec(0, 0, 0))};
    return add_rope(world, model, places, 2, axialStiffness, length);
}
