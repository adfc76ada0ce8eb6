// SPDX-License-Identifier: MIT
// The methods of the papers as they print them, to compare with. A library of its own (libreeve-reference, static, to
// be linked with the static libreeve), for studies, tests and benchmarks; a product does not need it.
//
//     rvWorldDef def = rvDefaultWorldDef();
//     def.reference = rvReference_GetMethods();
//
// In such a world the definitions of a world and of its cables may ask for
//     RV_STEPPER_PAPER                 implicit Euler on each constraint (Servin and Lacoursiere)
//     RV_INTEGRATOR_... but RT         of model ancf: semi-implicit, adaptive, explicit, Taylor (Westin and Irani)
//     RV_WAVE_EXPLICIT                 of model layered: central differences (Garcia-Fernandez et al. (Elevation))
// In another world they are refused: RV_BAD_INPUT, and the error names this library.
#pragma once

#include "reeve/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For rvWorldDef.reference, and rvScene_SetReference. Constant, valid for ever.
RV_API const rvReference* rvReference_GetMethods(void);

#ifdef __cplusplus
}
#endif
