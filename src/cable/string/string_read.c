// SPDX-License-Identifier: MIT
#include "cable/string/string_read.h"

#include "cable/route/section.h"
#include "cable/string/layered.h"

// The force in a limp rope changes evenly along it, by its weight W: of |F|, T0 at one end and T1 at the other,
//   T(s)^2 = (1 - s) T0^2 + s T1^2 - s (1 - s) W^2
// whatever the direction; of a rope without weight it is the same everywhere.
static double tension_at(const rvCable* cable, const rvBodyStore* bodies, double gravity, int span, double share)
{
    double before = cable->model->read->tension(cable, bodies, span, 0),
           after = cable->model->read->tension(cable, bodies, span, 1);
    double weight = rv_cable_has(cable, RV_HAS_MASS) ? gravity * rv_layered_mass(cable, span) : 0.0;
    double square = (1.0 - share) * before * before + share * after * after - share * (1.0 - share) * weight * weight;
    return cable->state.broken == 0.0 ? sqrt(fmax(0.0, square)) : 0.0;
}

void rv_string_section(const rvCable* cable, const rvBodyStore* bodies, double gravity, double h,
                       rvCableSection* section)
{
    double share;
    int span = rv_section_span(cable, section->at, NULL, &share);
    rv_section_along(cable, bodies, h, span, share, tension_at(cable, bodies, gravity, span, share), section);
}

void rv_string_force_on(const rvCable* cable, const rvBodyStore* bodies, int body, double h, rvStringLoad* load,
                        rvVec3* force, rvVec3* torque)
{
    const rvRoute* route = &cable->route;
    rvVec3 center = bodies->items[body].state.x;
    for (int i = 0; i < route->placeCount; ++i) {
        const rvPlace* place = &route->places[i];
        if (place->body != body || !place->on)
            continue;
        double before = i > 0 ? cable->model->read->tension(cable, bodies, i - 1, -1) : 0.0;
        double after = i < route->spanCount ? cable->model->read->tension(cable, bodies, i, -1) : 0.0;
        rvVec3 in = rv_route_force_in(route, i, before), out = rv_route_force_out(route, i, after);
        *force = rvAdd(*force, rvAdd(in, out));
        *torque = rvAdd(*torque, rvCross(rvSub(place->in, center), in));
        *torque = rvAdd(*torque, rvCross(rvSub(place->out, center), out));
        if (load)
            load(cable, bodies, i, force, torque);
        if (!(place->inertia > 0.0 && h > 0.0) || rv_cable_is_untried(cable))
            continue;
        // about its axis the rope turns the wheel, and the body feels only what bearing and motor do
        double rim = place->side * place->radius * (after - before);
        double axial = -rim - (place->state.wheelImpulse + place->state.motorImpulse) / h;
        *torque = rvMulAdd(*torque, axial, place->axis);
    }
}
