// SPDX-License-Identifier: MIT
#include "cable/route/profile.h"

#include "base/field.h"

rvStatus rv_profile_check(const rvCable* cable, const rvCableDef* def, rvError* error)
{
    bool elements = rv_cable_has(cable, RV_ELEMENTS);
    if (def->profileCount < 0 || (def->profileCount > 0 && !def->profile))
        return rv_fail(error, RV_BAD_INPUT, "cable '%s': profileCount: is %d, must be that of the points in profile",
                       cable->name, def->profileCount);
    for (int i = 0; i < def->profileCount; ++i) {
        const rvCableProfile* p = &def->profile[i];
        double before = i > 0 ? p[-1].at : 0.0;
        if (!(p->at >= before && isfinite(p->at)))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].at: is %g m, must be finite and >= %g",
                           cable->name, i, p->at, before);
        const struct {
            const char* name;
            double value;
            bool positive, counts;
        } factors[] = {{"bending", p->bending, elements, true},
                       {"mass", p->mass, true, true},
                       {"axial", p->axial, true, elements}};
        for (int k = 0; k < 3; ++k) {
            double x = factors[k].value;
            bool good = rv_is_in_range(x, factors[k].positive ? RV_FINITE_POSITIVE : RV_FINITE_NOT_NEGATIVE);
            if (factors[k].counts && !good)
                return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].%s: is %g, must be finite and %s",
                               cable->name, i, factors[k].name, x, factors[k].positive ? "> 0" : ">= 0");
        }
        if (!(fabs(p->curvature) <= 1e9 && fabs(p->torsion) <= 1e9))
            return rv_fail(error, RV_BAD_INPUT, "cable '%s': profile[%d].%s: is %g, must be within 1e9", cable->name, i,
                           fabs(p->curvature) <= 1e9 ? "torsion" : "curvature",
                           fabs(p->curvature) <= 1e9 ? p->torsion : p->curvature);
    }
    return RV_OK;
}

rvCableProfile rv_profile_at(const rvCableDef* def, double s)
{
    if (def->profileCount == 0)
        return rvProfileAt(s);
    int next = 0;
    while (next < def->profileCount && def->profile[next].at <= s)
        next += 1;
    if (next == 0 || next == def->profileCount)
        return def->profile[next == 0 ? 0 : next - 1];
    const rvCableProfile *a = &def->profile[next - 1], *b = a + 1;
    double u = (s - a->at) / (b->at - a->at);
    return (rvCableProfile){.at = s,
                            .bending = a->bending + u * (b->bending - a->bending),
                            .mass = a->mass + u * (b->mass - a->mass),
                            .curvature = a->curvature + u * (b->curvature - a->curvature),
                            .torsion = a->torsion + u * (b->torsion - a->torsion),
                            .axial = a->axial + u * (b->axial - a->axial)};
}
