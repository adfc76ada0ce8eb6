// SPDX-License-Identifier: MIT
// Reeve: cables, ropes and the machines that hang on them, in real time. Include this.
#pragma once

#include "reeve/base.h"
#include "reeve/body.h"
#include "reeve/cable.h"
#include "reeve/host.h"
#include "reeve/id.h"
#include "reeve/joint.h"
#include "reeve/math.h"
#include "reeve/settle.h"
#include "reeve/shape.h"
#include "reeve/world.h"
