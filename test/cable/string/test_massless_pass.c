// SPDX-License-Identifier: MIT
// Ends of ropes that run past their eye within a step, and loose rope that slides over friction and comes taut.
#include "world/machines.h"

#define STIFFNESS 1e4 // EA [N]
#define GUESS 0.01    // of the way past the eye, by which the last pass may be off (massless_pass.c)

static rvCableDef rope_of(rvCableModel model, const rvPlaceDef* places, int count, double mass)
{
    rvCableDef def = rvDefaultCableDef(model);
    def.places = places;
    def.placeCount = count;
    if (model == RV_CABLE_LAYERED)
        def.massPerLength = mass;
    return def;
}

static const rvCableModel models[] = {RV_CABLE_MASSLESS, RV_CABLE_LAYERED};

// A heavy ball draws a light one to an eye, through which it flies (on a rope with damping) or around which it flies,
// again and again.
static void EndThatRunsPastItsEyeMakesNoEnergy(void** state)
{
    (void)state;
    const double steps[] = {0.05, 1.0 / 30.0, 1.0 / 60.0}, asides[] = {0.0, 0.5, 0.5}, taus[] = {0.05, 0.0, 0.05};
    for (int i = 0; i < 18; ++i) {
        double h = steps[i / 2 % 3], aside = asides[i / 6], tau = taus[i / 6];
        rvWorld* world = make_world();
        rvBodyId light = add_ball(world, 1.0, 0.1, rvVec(aside, 0, -3));
        rvBodyId heavy = add_ball(world, 5.0, 0.1, rvVec(3, 0, -3));
        rvPlaceDef places[] = {rvAttachPlace(light, rvVec(0, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvEyePlace(RV_NULL_BODY, rvVec(3, 0, 0)), rvAttachPlace(heavy, rvVec(0, 0, 0))};
        rvCableDef def = rope_of(models[i % 2], places, 4, 0.1);
        def.axialStiffness = STIFFNESS;
        def.damping = tau;
        rvCableId cable = create_cable(world, &def);
        step_world(world, h, 1);
        double start = total_energy(world), books = energy_books(world), most = -HUGE_VAL, off = 0.0;
        double guessed = 0.0, fastest = 0.0;
        for (double t = 0.0; t < 3.0; t += h) {
            step_world(world, h, 1);
            double speed = rvLength(rvBody_GetVelocity(world, light));
            fastest = fmax(fastest, speed);
            if (rvLength(rvBody_GetCenter(world, light)) < 3.0 * h * speed) // it turns by 18 degrees and more
                guessed += GUESS * rvCable_GetTension(world, cable, 0) * h * speed;
            most = fmax(most, total_energy(world) - start);
            off = fmax(off, fabs(energy_books(world) - books));
        }
        // the row's damping goes by the speed at the end of a step: where the end flies around its eye k tau h v^2/4 of
        // its heat comes a step late. (Through the eye the rope is shortest when it is fastest, and slack.)
        double late = aside > 0.0 ? 0.25 * STIFFNESS / 9.0 * tau * h * fastest * fastest : 0.0;
        // rope with mass that runs along its span has no energy there (layered_ends.c)
        double running = i % 2 == 0 ? 0.0 : 0.5 * 0.1 * 3.0 * fastest * fastest;
        CHECK_BELOW(most, guessed + late + running);
        if (i < 6)
            CHECK_BELOW(off, guessed + running);
        rvDestroyWorld(world);
    }
}

// A load falls on a loose rope over an eye with friction, whose other end is fixed: rope slides over while it carries
// nothing, then it is taut at once. What friction takes is told for the way between the middles of two steps.
static void LooseRopeOverFrictionKeepsItsBooks(void** state)
{
    (void)state;
    const double steps[] = {1.0 / 30.0, 1.0 / 60.0, 0.005, 0.002};
    for (int i = 0; i < 8; ++i) {
        double h = steps[i / 2], slack = 1.0, mass = 100.0;
        rvWorld* world = make_world();
        rvBodyId load = add_ball(world, mass, 0.3, rvVec(0, 0, -1));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(-3, 0, 0)), rvEyePlace(RV_NULL_BODY, rvVec(0, 0, 0)),
                               rvAttachPlace(load, rvVec(0, 0, 0))};
        places[1].friction = 0.2;
        rvCableDef def = rope_of(models[i % 2], places, 3, 0.5);
        def.axialStiffness = 2e6;
        def.damping = 0.05;
        def.length = 4.0 + slack;
        create_cable(world, &def);
        step_world(world, h, 1);
        double start = energy_books(world), off = 0.0;
        for (double t = 0.0; t < 1.5; t += h) {
            step_world(world, h, 1);
            off = fmax(off, fabs(energy_books(world) - start));
        }
        double fallen = mass * GRAVITY * slack;
        // round-off of a few hundred steps; with mass the rope that runs along its span, by the speed of the load
        double running = i % 2 == 0 ? 0.0 : 0.5 * def.massPerLength * slack * 2.0 * GRAVITY * slack;
        CHECK_BELOW(off, 1e-9 * fallen + running);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EndThatRunsPastItsEyeMakesNoEnergy),
        cmocka_unit_test(LooseRopeOverFrictionKeepsItsBooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
