// SPDX-License-Identifier: MIT
// A curve that lies slack on a shape touches it with all nodes and middles, and their rows stay inside it.
#include "cable/curve/curve_cable.h"
#include "world/machines.h"
#include "world/world.h"

#include <stdlib.h>

enum { INTERVALS = 100 };

static const double STEP = 1e-3;

typedef struct {
    rvWorld* world;
    rvCableId wire;
    double weight;
    int full; // steps in which there was no room for a contact
} Rig;

// Two metres of wire that fall on a box by 2 cm, one end held above it.
static Rig drop_wire(bool inSpace, double friction)
{
    Rig rig = {.world = make_world()};
    rvBodyDef def = rvDefaultBodyDef();
    def.type = RV_BODY_STATIC;
    rvShapeDef box = rvDefaultShapeDef(RV_SHAPE_BOX);
    box.sides = rvVec(3, 3, 1);
    box.frame.p = rvVec(1, 0, -0.5);
    box.friction = friction;
    add_shape(rig.world, add_body(rig.world, &def), &box);
    const rvPlaceDef places[2] = {rvAttachPlace(add_hand(rig.world, rvVec(0, 0, 0.02)), rvVec(0, 0, 0)),
                                  rvFreePlace(rvVec(2, 0, 0.02))};
    rvCableDef wire = thread(places, 2, 2.0, inSpace);
    wire.elements = INTERVALS;
    wire.bendingStiffness = 0.01;
    wire.torsionalStiffness = inSpace ? 8e-3 : 0.0;
    wire.massPerLength = 0.1;
    wire.damping = 0.01;
    wire.friction = friction;
    wire.collides = wire.straight = true;
    wire.maxContacts = 2 * INTERVALS + 8;
    rig.wire = create_cable(rig.world, &wire);
    rig.weight = wire.massPerLength * wire.length * GRAVITY;
    return rig;
}

static void step(Rig* rig)
{
    rvEvent events[16];
    CHECK_OK(rig->world, rvWorld_Step(rig->world, STEP));
    int count = rvWorld_GetEvents(rig->world, events, 16);
    for (int i = 0; i < count; ++i)
        rig->full += events[i].type == RV_EVENT_CONTACTS_FULL;
}

static const rvCurve* curve_of(const Rig* rig)
{
    return rv_curve_of(&rig->world->cables.items[0]);
}

// There is room for all of its touches; they carry its weight, but what its hand does; and at rest each pass finds
// which of them press and stick at once, as the last one had it.
static void LyingCurveTakesFewPassesAndPivots(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        Rig rig = drop_wire(k % 2, k / 2 ? 0.3 : 0.0);
        for (int i = 0; i < 600; ++i)
            step(&rig);
        int passes = 0, pivots = 0;
        for (int i = 0; i < 50; ++i) {
            step(&rig);
            passes += rvWorld_GetStepInfo(rig.world).passes;
            pivots += rvWorld_GetStepInfo(rig.world).pivots;
        }
        assert_int_equal(rig.full, 0);
        CHECK_BELOW(passes, 2.5 * 50.0);
        CHECK_BELOW(pivots, 2.5 * passes); // without friction it still slides to and fro
        const rvCurve* curve = curve_of(&rig);
        double up = 0.0;
        for (int i = 0; i < (int)curve->forceCount; ++i)
            up += k % 2 ? curve->forces[i].force.z : rv_curve_out(curve, curve->forces[i].force).z;
        CHECK_NEAR(up, rig.weight, 0.02 * rig.weight); // it still moves a little where nothing rubs
        assert_true(curve->inner.ops.count > INTERVALS);
        rvDestroyWorld(rig.world);
    }
}

// What the solver asks of rows that stay inside is what their dense block would say: held rows are solved for, and the
// block of the others is what is left of it then.
static void RowsInsideAreThoseOfTheBlock(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        Rig rig = drop_wire(k % 2, k / 2 ? 0.3 : 0.0);
        for (int i = 0; i < 120; ++i)
            step(&rig);
        rvCurve* curve = rv_curve_of(&rig.world->cables.items[0]);
        const rvInside* inside = &curve->inner.ops;
        int n = curve->rowCount, width = curve->width;
        assert_true(inside->count > 0 && n == width + inside->count);
        rv_separable_copy(&curve->inner.plain, curve->now.matrix); // as it was in the last pass
        assert_true(rv_separable_factor(curve->now.matrix));
        int8_t* masked = calloc((size_t)n, sizeof *masked);
        double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y),
               *right = calloc((size_t)n, sizeof *x);
        double largest = 0.0;
        for (int i = 0; i < n; ++i) {
            masked[i] = i >= width && i % 3 == 1;
            right[i] = x[i] = masked[i] || i < width ? 0.0 : sin(1.0 + 7.0 * i);
        }
        const double* block = inside->hold(curve, masked, 0.0);
        inside->reduce(curve, x);
        double other[16]; // of the rows that are not inside: that all of them get impulses
        assert_true(width <= 16);
        for (int i = 0; i < width; ++i) {
            other[i] = x[i];
            x[i] = 1.0 + i;
        }
        inside->complete(curve, x);
        inside->apply(curve, x, y);
        for (int i = width; i < n; ++i)
            largest = fmax(largest, masked[i] ? 0.0 : fabs(y[i] - right[i]));
        CHECK_BELOW(largest, 1e-8); // of 1: rounding over 300 unknowns, springs 1e3 times stiffer than the curve
        for (int i = 0; i < width; ++i) {
            double sum = -other[i];
            for (int j = 0; j < width; ++j)
                sum += block[i * width + j] * x[j];
            CHECK_NEAR(y[i], sum, 1e-8 * fabs(sum) + 1e-8); // the same
        }
        free(masked);
        free(x);
        free(y);
        free(right);
        rvDestroyWorld(rig.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(LyingCurveTakesFewPassesAndPivots),
                                       cmocka_unit_test(RowsInsideAreThoseOfTheBlock)};
    return RUN_TESTS(tests);
}
