// SPDX-License-Identifier: MIT
// The list of models.
#pragma once

#include "cable/core/model.h"

extern const rvModel rv_model_massless, rv_model_layered, rv_model_ancf, rv_model_curve, rv_model_ale;

// The table of a model, NULL: there is none.
const rvModel* rv_model_of(rvCableModel model);
