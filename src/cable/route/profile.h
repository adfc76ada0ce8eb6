// SPDX-License-Identifier: MIT
// What a cable is made of along it: the points of its definition, linear between two.
#pragma once

#include "cable/core/model.h"

rvStatus rv_profile_check(const rvCable* cable, const rvCableDef* def, rvError* error);
// At a rest length from place 0; without points what changes nothing.
rvCableProfile rv_profile_at(const rvCableDef* def, double s);
