// SPDX-License-Identifier: MIT
// Random cables never explode: strings of up to five bodies, masses 1 : 100,000, EA from 1e3 to 1e10 N, some slack, some
// with a winch, steps of 1 to 33 ms, 20 s. Attached at the bodies' centres; no cable is so soft that it stretches by more
// than a twentieth at rest.
#include "world/machines.h"

static double noise(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / (double)(1ull << 53);
}

static double between(uint64_t* seed, double from, double to)
{
    return from + (to - from) * noise(seed);
}

static double by_decades(uint64_t* seed, double from, double to)
{
    return from * pow(to / from, noise(seed));
}

// A string of bodies below the origin, each hung on the one above.
static rvWorld* make_scene(uint64_t* seed, double* lowest)
{
    rvWorld* world = make_world();
    int count = 1 + (int)(4.999 * noise(seed));
    rvBodyId above = RV_NULL_BODY;
    rvVec3 at = rvVec(0, 0, 0);
    double reach = 0.0, masses[5], below[6] = {0};
    *lowest = 0.0;
    for (int i = 0; i < count; ++i)
        masses[i] = by_decades(seed, 1.0, 1e5);
    for (int i = count - 1; i >= 0; --i)
        below[i] = below[i + 1] + masses[i];
    for (int i = 0; i < count; ++i) {
        double length = by_decades(seed, 0.5, 20.0), mass = by_decades(seed, 1.0, 1e5),
               radius = between(seed, 0.1, 1.0);
        double tilt = between(seed, -1.5, 1.5), turn = between(seed, 0.0, 6.28);
        rvVec3 next = rvAdd(at, rvScale(length, rvVec(sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt))));
        rvBodyId body = add_ball(world, mass, radius, next);
        double slack = noise(seed) < 0.3 ? between(seed, 1.0, 1.3) : 1.0,
               stiffness = by_decades(seed, fmax(1e3, 20.0 * below[i] * GRAVITY), 1e10);
        rvPlaceDef places[] = {rvAttachPlace(above, rvVec(0, 0, 0)), rvAttachPlace(body, rvVec(0, 0, 0))};
        if (i == 0 && noise(seed) < 0.3)
            places[0] = rvWinchPlace(RV_NULL_BODY, rvVec(0, 0, 0), between(seed, -0.3, 0.3));
        add_cable(world, places, 2, stiffness, length * slack);
        reach += length * slack;
        *lowest -= mass * GRAVITY * reach;
        above = body;
        at = next;
    }
    return world;
}

static void RandomCablesNeverExplode(void** state)
{
    (void)state;
    int failed = 0;
    for (uint64_t n = 1; n <= 200; ++n) {
        uint64_t seed = n * 7919;
        noise(&seed);
        double lowest, h = by_decades(&seed, 1e-3, 33e-3), start = 0.0, most = 0.0;
        rvWorld* world = make_scene(&seed, &lowest);
        for (int i = 0; i < lround(20.0 / h); ++i) {
            rvStatus status = rvWorld_Step(world, h);
            if (status != RV_OK) {
                print_error("scene %d, h %g: %s\n", (int)n, h, rvWorld_GetError(world));
                most = HUGE_VAL;
                break;
            }
            // without what is read from stretch, which stiff cables read too large while they turn
            rvEnergy e = rvWorld_GetEnergy(world);
            double energy = e.kinetic + e.potential + (i == 0 ? e.elastic : 0.0) - e.work;
            if (i == 0)
                start = energy;
            most = fmax(most, (energy - start) / (start - lowest));
        }
        // of the energy over the lowest place that the scene can reach with cables of their rest length
        if (most > 0.01) {
            failed += 1;
            print_error("scene %d, h %g: gained %g of its energy\n", (int)n, h, most);
        }
        rvDestroyWorld(world);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RandomCablesNeverExplode),
    };
    return RUN_TESTS(tests);
}
