// SPDX-License-Identifier: MIT
// What a layered cable holds, read at the middle of the last step, and its part in the books of its island
// (world/guard.c).
//
// All that a step does is in them: bodies feel the rope as mass and as forces, which are known, rows as impulses; the
// rest is what waves, sag, running rope and stretch hold, heat of friction, work of winches and what fluid does to it.
// They are not all of it where its curve lies on a shape, which may lift it: there the guard leaves its island alone.
#include "cable/string/layered.h"

// At the middle of the last step, as of bodies.
static void find_energies(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, double* kinetic,
                          double* potential)
{
    *kinetic = *potential = 0.0;
    if (cable->state.broken != 0.0 || cable->loose || rv_layered_wave(cable, 0)->length == 0.0)
        return;
    const rvRoute* route = &cable->route;
    for (int i = 0; i < route->spanCount; ++i) {
        const rvSpanWave* wave = rv_layered_wave(cable, i);
        double mass = rv_layered_mass(cable, i), moving, hanging;
        rvWaveStep step = {0};
        rv_layered_set_load(&step, wave, gravity, (const rvVec3[2]){{0, 0, 0}, {0, 0, 0}});
        if (cable->string->layer.scheme == RV_WAVE_MODAL) {
            rv_wave_energy(&cable->string->layer.table, &step, rv_layered_amplitudes(cable, i, 0), &moving, &hanging);
            *kinetic += 0.5 * cable->massPerLength * wave->length * moving;
            *potential += 0.5 * cable->massPerLength * wave->length * hanging;
        }
        rvVec3 middle = rvScale(0.5, rvAdd(route->places[i].out, route->places[i + 1].in));
        middle = rvMulAdd(middle, -0.25 * h, rvAdd(wave->endSpeeds[0], wave->endSpeeds[1]));
        *potential -= mass * rvDot(gravity, middle);
        *potential += wave->held;
        *kinetic += rv_layered_ends_energy(cable, bodies, i);
    }
    rv_layered_wound_energy(cable, bodies, gravity, h, kinetic, potential);
    *kinetic += rv_layered_runs_energy(cable);
}

// With what the spans' own tensions store beside that of their segment.
static double elastic_energy(const rvCable* cable, double stretch, double h)
{
    double sum = stretch; // then by the places, as that
    double t = 0.0;
    for (int i = 0; i < cable->route.spanCount && cable->state.broken == 0.0 && !cable->loose; ++i) {
        if (i == 0 || cable->route.places[i].state.isJunction != 0.0)
            t = rv_segment_elastic_force(cable, i,
                                         rv_segment_length(&cable->route, i, rv_segment_end(&cable->route, i)), h);
        sum += (t + 0.5 * rv_layered_wave(cable, i)->offset) * rv_layered_own_stretch(cable, i);
    }
    return sum;
}

static bool is_known(const rvCable* cable)
{
    bool lies = false;
    for (int i = 0; i < cable->route.spanCount; ++i)
        lies = lies || rv_layered_wave(cable, i)->lies != 0.0;
    return cable->string->layer.scheme == RV_WAVE_MODAL && !cable->string->layer.explicitForce && !lies;
}

// Heights are read with the rope that was in the spans before the step. What an end does that comes to its eye, or runs
// past it, no row sees, nor where rope is put that leaves a wheel or comes to it: nothing is known then.
static double uncertainty(const rvCable* cable, rvVec3 gravity, double h)
{
    double weight = cable->massPerLength * rvLength(gravity), paid = 0.0, sum = 0.0;
    for (int i = 0; i < 2; ++i)
        paid += cable->winch[i].exists ? h * fabs(cable->winch[i].state.rate) : 0.0;
    for (int i = 0; i < cable->route.spanCount; ++i) {
        double moved = fabs(rv_layered_wave(cable, i)->rest - cable->string->layer.work[i].rest);
        sum += weight * fmax(paid, moved) * cable->route.spans[i].length;
        for (int e = 0; e < 2; ++e)
            sum = cable->route.places[i + e].on != cable->string->layer.work[i].on[e] ? HUGE_VAL : sum;
    }
    for (int e = 0; e < 2 && cable->route.spanCount > 1; ++e) {
        int span = e == 0 ? 0 : cable->route.spanCount - 1;
        double way = h * rvLength(rv_layered_wave(cable, span)->endSpeeds[e]);
        sum = cable->string->passes || cable->route.spans[span].length < 2.0 * way ? HUGE_VAL : sum;
    }
    return sum;
}

void rv_layered_energy(const rvCable* cable, const rvBodyStore* bodies, rvVec3 gravity, double h, rvRopeEnergy* energy)
{
    find_energies(cable, bodies, gravity, h, &energy->kinetic, &energy->potential);
    energy->stretch = rv_segments_energy(cable, h);
    energy->elastic = elastic_energy(cable, energy->stretch, h);
    energy->uncertainty = uncertainty(cable, gravity, h);
    energy->known = is_known(cable);
}

void rv_layered_slow(rvCable* cable, double share)
{
    for (int i = 0; i < cable->route.placeCount; ++i) // points of crossings
        if (rv_place_is_crossing(&cable->route.places[i]))
            cable->route.places[i].state.node.out = rvScale(share, cable->route.places[i].state.node.out);
    for (int i = 0; i < cable->route.spanCount; ++i) {
        rvSpanWave* wave = rv_layered_wave(cable, i);
        rv_wave_slow(&cable->string->layer.table, share, rv_layered_amplitudes(cable, i, 0));
        wave->runs *= share;
        wave->known = fmin(wave->known, 0.0);
    }
}

// The chord goes with its ends: the wave on it is not driven by that.
void rv_layered_move_ends(rvCable* cable, int body, rvVec3 v, rvVec3 w)
{
    for (int i = 0; i < cable->route.spanCount; ++i)
        for (int e = 0; e < 2; ++e) {
            const rvPlace* place = &cable->route.places[i + e];
            if (place->body == body && place->on)
                rv_layered_wave(cable, i)->endSpeeds[e] =
                    rvAdd(rv_layered_wave(cable, i)->endSpeeds[e],
                          rvAdd(v, rvCross(w, e == 0 ? place->armOut : place->armIn)));
        }
}
