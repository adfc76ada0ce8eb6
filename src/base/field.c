// SPDX-License-Identifier: MIT
#include "base/field.h"

#include <math.h>

static bool is_good(const rvField* field)
{
    double x = field->value;
    return !isnan(x) && !((field->range & RV_FINITE) && isinf(x)) && !((field->range & RV_NOT_NEGATIVE) && x < 0.0) &&
           !((field->range & RV_POSITIVE) && x <= 0.0);
}

rvStatus rv_check_fields(rvError* error, const char* of, const rvField* fields, int count)
{
    for (int i = 0; i < count; ++i) {
        const rvField* f = &fields[i];
        if (is_good(f))
            continue;
        const char* sign = f->range & RV_POSITIVE ? "> 0" : f->range & RV_NOT_NEGATIVE ? ">= 0" : "";
        bool finite = f->range & RV_FINITE;
        return rv_fail(error, RV_BAD_INPUT, "%s%s: is %g%s%s, must be %s%s%s", of, f->name, f->value,
                       f->unit ? " " : "", f->unit ? f->unit : "",
                       finite  ? "finite"
                       : *sign ? ""
                               : "a number",
                       finite && *sign ? " and " : "", sign);
    }
    return RV_OK;
}
