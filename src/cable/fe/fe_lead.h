// SPDX-License-Identifier: MIT
// A cable of finite elements stepped by another integrator than `rt`; see fe_lead.c.
#pragma once

#include "cable/fe/fe.h"

// Of its definition; and of its places, once they are there.
rvStatus rv_fe_check_integrator(const rvCable* cable, const rvCableDef* def, rvError* error);
rvStatus rv_fe_check_led(const rvCable* cable, const rvBodyStore* bodies, rvError* error);
// Before the bodies move: where they lead it. And the step. False: not finite.
void rv_fe_begin_led(rvCable* cable, const rvBodyStore* bodies, double h);
bool rv_fe_step_led(rvCable* cable, double h);
