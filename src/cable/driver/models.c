// SPDX-License-Identifier: MIT
#include "cable/driver/models.h"

static const rvCableModelOps* const models[] = {
    [RV_CABLE_MASSLESS] = &rv_model_massless, [RV_CABLE_LAYERED] = &rv_model_layered, [RV_CABLE_ANCF] = &rv_model_ancf,
    [RV_CABLE_CURVE] = &rv_model_curve,       [RV_CABLE_ALE] = &rv_model_ale,
};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

const rvCableModelOps* rv_model_ops(rvCableModel model)
{
    return (unsigned)model < MODEL_COUNT ? models[model] : NULL;
}

const char* rvCableModel_Name(rvCableModel model)
{
    const rvCableModelOps* ops = rv_model_ops(model);
    return ops ? ops->name : NULL;
}
