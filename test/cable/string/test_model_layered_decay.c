// SPDX-License-Identifier: MIT
// How a hook on a rope with mass comes to rest (Fig. 8 of Garcia-Fernandez et al. (Elevation)), against the linear
// theory of hook and waves.
//
// A jib span of length l at rest under tension T, its wave in odd modes with amplitudes a_k (static: A_k), k =
// stiffness of the whole rope, tau its damping time, b the waves', m the hook and half of the rope it hangs on, x its
// way down:
//   m x'' = -dT,   dT = k (1 + tau d/dt)(x + sum g_k a_k),   mu (a_k'' + b a_k' + w_k^2 a_k) = -g_k dT
//   mu = rho l/2,  c_k = 2 M^2 sin^2(k pi/2M)/l,  mu w_k^2 = T c_k,  g_k = c_k A_k
// so with K(s) = k (1 + tau s), Z(s) = sum g_k^2/(mu (s^2 + b s + w_k^2)) the motions e^(st) are the roots of
//   F(s) = m s^2 (1 + K Z) + K
// and a blow that gives the hook the speed v0 leads to v(t) = sum over the roots of v0 m (1 + K Z)/F' s e^(st).
// What the paper says, the same decay for all densities, cannot hold for each of them: the sag of a heavy rope is a
// spring in series, so that less of the motion goes into the stretch that is damped, and what goes into waves decays by
// b/2.
#include "world/machines.h"

#include <complex.h>

#define HOOK 500.0
#define STIFFNESS 2e6
#define LENGTH 45.0
#define DAMPING 0.02
#define WAVE_DAMPING 2.0
#define VISIBLE 8 // modes that count

typedef struct {
    double mass, mu;
    double g2[VISIBLE], w2[VISIBLE];
} Linear;

static double complex stiffness_at(double complex s)
{
    return STIFFNESS / LENGTH * (1.0 + DAMPING * s);
}

static double complex give_of_waves(const Linear* linear, double complex s, double complex* slope)
{
    double complex sum = 0.0;
    *slope = 0.0;
    for (int i = 0; i < VISIBLE; ++i) {
        double complex q = s * s + WAVE_DAMPING * s + linear->w2[i];
        sum += linear->g2[i] / (linear->mu * q);
        *slope -= linear->g2[i] * (2.0 * s + WAVE_DAMPING) / (linear->mu * q * q);
    }
    return sum;
}

// F and its derivative; m s^2 (1 + K Z) through *part.
static double complex evaluate(const Linear* linear, double complex s, double complex* derivative, double complex* part)
{
    double complex slope, z = give_of_waves(linear, s, &slope), k = stiffness_at(s),
                          rise = STIFFNESS / LENGTH * DAMPING;
    *part = linear->mass * s * s * (1.0 + k * z);
    *derivative = 2.0 * linear->mass * s * (1.0 + k * z) + linear->mass * s * s * (rise * z + k * slope) + rise;
    return *part + k;
}

// All roots above the real axis that Newton's rule finds from a grid.
static int find_roots(const Linear* linear, double complex* roots, int most)
{
    int count = 0;
    for (int i = 0; i < 8 * 400; ++i) {
        double complex s = -0.2 * (i % 8 + 1) + 0.1 * (i / 8 + 1) * (double complex)I, derivative, part, step = 1.0;
        for (int n = 0; n < 60 && cabs(step) > 1e-12; ++n) {
            step = evaluate(linear, s, &derivative, &part) / derivative;
            s -= step;
        }
        bool known = !(cabs(step) <= 1e-12) || cimag(s) < 0.1;
        for (int k = 0; k < count; ++k)
            known = known || cabs(roots[k] - s) < 1e-6;
        if (!known && count < most)
            roots[count++] = s;
    }
    return count;
}

static Linear linear_of(double rho, double tension, double hoist)
{
    // half of the fall moves with the hook, the other half and that of the jib run past the eye with its share of the
    // hook's speed
    double share = 30.0 / (30.0 + hoist), running = 0.5 * rho * (30.0 + hoist);
    Linear linear = {.mass = HOOK + 0.5 * rho * hoist + running * share * share, .mu = 15.0 * rho};
    for (int i = 0; i < VISIBLE; ++i) {
        double half = (2 * i + 1) * 3.14159265358979323846 / 40.0, c = 2.0 * 400.0 * sin(half) * sin(half) / 30.0;
        double still = linear.mu * GRAVITY * 0.1 / tan(half) / (tension * c);
        linear.w2[i] = tension * c / linear.mu;
        linear.g2[i] = c * c * still * still;
    }
    return linear;
}

static void HookAndWavesDecayAsTheirModesDo(void** state)
{
    (void)state;
    const double masses[] = {0.2, 0.5, 1.0, 2.0, 4.0}, h = 0.002, blow = 0.02;
    for (int i = 0; i < 5; ++i) {
        rvWorld* world = make_world();
        rvBodyId hook = add_ball(world, HOOK, 0.5, rvVec(30, 0, 5));
        rvPlaceDef places[] = {rvAttachPlace(RV_NULL_BODY, rvVec(0, 0, 20)), rvEyePlace(RV_NULL_BODY, rvVec(30, 0, 20)),
                               rvAttachPlace(hook, rvVec(0, 0, 0))};
        rvCableDef def = rvDefaultCableDef(RV_CABLE_LAYERED);
        def.axialStiffness = STIFFNESS;
        def.massPerLength = masses[i];
        def.length = LENGTH;
        def.straight = true;
        def.damping = DAMPING;
        def.waveDamping = WAVE_DAMPING;
        def.subdivisions = 20;
        def.places = places;
        def.placeCount = 3;
        rvCableId rope;
        CHECK_OK(world, rvCreateCable(world, &def, &rope));
        for (int n = 0; n < 8000; ++n) // to rest: exp(-0.8 * 16) of 1 m/s
            CHECK_OK(world, rvWorld_Step(world, h));
        Linear linear =
            linear_of(masses[i], rvCable_GetTension(world, rope, 0), 20.0 - rvBody_GetPose(world, hook).p.z);
        double complex roots[2 * VISIBLE];
        int count = find_roots(&linear, roots, 2 * VISIBLE);
        CHECK_OK(world, rvBody_SetVelocity(world, hook, rvVec(0, 0, -blow), rvVec(0, 0, 0)));
        double worst = 0.0;
        for (int n = 0; n < 2000; ++n) {
            CHECK_OK(world, rvWorld_Step(world, h));
            double expected = 0.0;
            for (int k = 0; k < count; ++k) {
                double complex derivative, part;
                evaluate(&linear, roots[k], &derivative, &part);
                expected += 2.0 * creal(blow * part / (roots[k] * derivative) * cexp(roots[k] * (n + 0.5) * h));
            }
            worst = fmax(worst, fabs(-rvBody_GetVelocity(world, hook).z - expected));
        }
        // the row damps by the rate at the end of the step, (h w/2) tau w = 0.002; the rope is linear but for the
        // bounce over the stretch, 0.02/(9.4 * 0.11), an eighth of it; a catenary is no parabola: (w l/2T)^2/4
        double weight = masses[i] * GRAVITY * 15.0 / rvCable_GetTension(world, rope, 0);
        CHECK_BELOW(worst, (0.0045 + 0.25 * weight * weight) * blow);
        rvDestroyWorld(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(HookAndWavesDecayAsTheirModesDo)};
    return RUN_TESTS(tests);
}
