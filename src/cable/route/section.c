// SPDX-License-Identifier: MIT
#include "cable/route/section.h"

void rv_section_take(rvCableSection* section, rvVec3 tangent, rvVec3 force, rvVec3 couple)
{
    section->tangent = tangent;
    section->force = force;
    section->couple = couple;
    section->tension = rvDot(tangent, force);
    section->shear = rvLength(rvMulAdd(force, -section->tension, tangent));
    section->torque = rvDot(tangent, couple);
    section->moment = rvLength(rvMulAdd(couple, -section->torque, tangent));
}

double rv_section_tension(const rvCable* cable, int span, int end)
{
    if (end < 0 || cable->state.broken != 0.0)
        return cable->route.places[span].state.tension;
    rvCableSection section = {0};
    rv_cable_ops(cable)->section(cable, span, end, &section);
    return section.tension;
}
