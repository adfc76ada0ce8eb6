// SPDX-License-Identifier: MIT
// The list of span models.
#include "cable/cable_model.h"

const rvCableModelOps* const rv_cable_models[] = {
    [RV_CABLE_MASSLESS] = &rv_model_massless, [RV_CABLE_LAYERED] = &rv_model_layered, [RV_CABLE_ANCF] = &rv_model_ancf,
    [RV_CABLE_CURVE] = &rv_model_curve,       [RV_CABLE_ALE] = &rv_model_ale,
};
enum { MODEL_COUNT = sizeof rv_cable_models / sizeof rv_cable_models[0] };

const rvCableModelOps* rv_model_ops(rvCableModel model)
{
    return (unsigned)model < MODEL_COUNT ? rv_cable_models[model] : NULL;
}

const char* rvCableModel_Name(rvCableModel model)
{
    const rvCableModelOps* ops = rv_model_ops(model);
    return ops ? ops->name : NULL;
}

size_t rv_cable_place_size(const rvCable* cable)
{
    if (rv_cable_ops(cable)->placeIsSound)
        return sizeof(rvPlaceState);
    return cable->collides ? offsetof(rvPlaceState, wave) : offsetof(rvPlaceState, contact);
}

bool rv_cable_place_is_sound(const rvCable* cable, const rvPlaceState* state, bool span)
{
    if (span && rv_cable_ops(cable)->placeIsSound)
        return rv_cable_ops(cable)->placeIsSound(cable, state);
    return state->wave.slot == 0.0 && state->wave.extra == 0.0;
}
