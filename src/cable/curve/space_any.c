// SPDX-License-Identifier: MIT
#include "cable/curve/space_kernels.h"
#include "cable/curve/space_parts.h"

#include <string.h>

#define TABLE rv_space_any
#include "cable/curve/space_lanes.h"
