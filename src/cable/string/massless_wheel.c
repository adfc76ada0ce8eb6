// SPDX-License-Identifier: MIT
// Rows of wheels with inertia on a massless cable: bearing and motor.
#include "cable/string/massless.h"

// The spin of a wheel with inertia against its carrier.
static void write_spin(const rvPlace* place, rvRows* rows, int group, int r)
{
    double* spin = rv_group_jacobian(rows, group, place->wheelSlot)[r];
    spin[3] = place->axis.x;
    spin[4] = place->axis.y;
    spin[5] = place->axis.z;
    if (place->slot >= 0) {
        double* j = rv_group_jacobian(rows, group, place->slot)[r];
        j[3] = -place->axis.x;
        j[4] = -place->axis.y;
        j[5] = -place->axis.z;
    }
}

static void write_motor(const rvCable* cable, int i, double h, rvRows* rows, int group, int r)
{
    const rvPlace* place = &cable->route.places[i];
    rvRow* row = &rv_group_rows(rows, group)[r];
    int drum = rv_massless_drum(cable, i);
    double torque = place->state.driveTorque;
    row->bias = place->state.driveSpeed;
    if (drum >= 0) {
        row->bias = rv_massless_drum_sign(cable, drum) * cable->winch[drum].step.motorSpeed / place->radius;
        row->compliance = cable->winch[drum].step.motorCompliance / (h * place->radius * place->radius);
        torque = cable->winch[drum].step.motorLimit * place->radius;
    }
    row->lower = -h * torque;
    row->upper = h * torque;
    row->mode = (int16_t)place->state.motorMode;
    write_spin(place, rows, group, r);
}

// Friction of a bearing leans on the tensions beside it.
static void write_bearing(const rvCable* cable, int i, rvRows* rows, int group, int r)
{
    const rvPlace* place = &cable->route.places[i];
    rvRow* row = &rv_group_rows(rows, group)[r];
    write_spin(place, rows, group, r);
    row->lower = row->upper = 0.0;
    row->mode = (int16_t)place->state.bearingMode;
    if (!place->on)
        return;
    bool drum = i == 0 || i == cable->route.spanCount; // pulled from one side
    double turn = drum ? 0.0 : 0.5 * fmin(place->turn, 3.14159265358979323846);
    double lean = place->bearing * place->radius * (drum ? 1.0 : 2.0 * sin(turn));
    int k = 0;
    while (k < cable->string->segmentCount - 1 &&
           !(cable->string->segments[k].first < i && i < cable->string->segments[k].last) &&
           !(drum && rv_massless_holds(&cable->string->segments[k], i)) && rv_massless_junction(cable, k + 1) != place)
        k += 1;
    // (P before + P after)/2: the sum up to the segment before, and half of the junction's own step, or half of both
    // where a chain begins at the wheel
    row->leanFirst = (int16_t)cable->string->segments[k].head;
    row->leanCount = (int16_t)(k + 1 - cable->string->segments[k].head);
    if (!drum && k + 1 < cable->string->segmentCount && rv_massless_junction(cable, k + 1) == place) {
        bool parted = rv_massless_ends_chain(cable, k);
        row->leanExtra = (int16_t)(k + 1);
        row->leanExtraWeight = parted ? 1.0 : 0.5;
        lean *= parted ? 0.5 : 1.0;
    }
    row->leanLower = -lean;
    row->leanUpper = lean;
}

int rv_massless_count_wheel_rows(const rvCable* cable)
{
    int count = 0;
    for (int i = 0; i < cable->route.placeCount; ++i)
        count += rv_massless_wheel_rows(cable, i);
    return count;
}

void rv_massless_write_wheels(const rvCable* cable, double h, rvRows* rows, int group)
{
    for (int i = 0, r = cable->string->segmentCount; i < cable->route.placeCount; ++i) {
        int count = rv_massless_wheel_rows(cable, i);
        bool motor = rv_massless_has_motor(cable, i);
        if (count == 2 || (count == 1 && !motor))
            write_bearing(cable, i, rows, group, r++);
        if (count > 0 && motor)
            write_motor(cable, i, h, rows, group, r++);
    }
}

void rv_massless_read_wheels(rvCable* cable, const rvRow* row)
{
    for (int i = 0, r = cable->string->segmentCount; i < cable->route.placeCount; ++i) {
        int count = row ? rv_massless_wheel_rows(cable, i) : 0; // without a rope wheels turn on by themselves
        bool motor = rv_massless_has_motor(cable, i), bearing = count == 2 || (count == 1 && !motor);
        rvPlaceState* s = &cable->route.places[i].state;
        s->wheelImpulse = bearing ? row[r].impulse : 0.0;
        s->bearingMode = bearing ? row[r].mode : 0.0;
        r += bearing;
        s->motorImpulse = count > 0 && motor ? row[r].impulse : 0.0;
        s->motorMode = count > 0 && motor ? row[r].mode : 0.0;
        r += count > 0 && motor;
    }
}
