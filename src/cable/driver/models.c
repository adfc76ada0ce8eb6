// SPDX-License-Identifier: MIT
#include "cable/driver/models.h"

static const rvModel* const models[] = {
    [RV_CABLE_MASSLESS] = &rv_model_massless, [RV_CABLE_LAYERED] = &rv_model_layered, [RV_CABLE_ANCF] = &rv_model_ancf,
    [RV_CABLE_CURVE] = &rv_model_curve,       [RV_CABLE_ALE] = &rv_model_ale,
};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

const rvModel* rv_model_of(rvCableModel model)
{
    return (unsigned)model < MODEL_COUNT ? models[model] : NULL;
}

const char* rvCableModel_Name(rvCableModel model)
{
    const rvModel* known = rv_model_of(model);
    return known ? known->name : NULL;
}
