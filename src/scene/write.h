// SPDX-License-Identifier: MIT
// Values as YAML.
#pragma once

#include "scene/fields.h"

// The value of a field of `object`, in SI units.
void rv_write_value(rvText* out, const rvField* field, const void* object);
