// SPDX-License-Identifier: MIT
#include "base/field.h"

#include "base/least.h"

#include <stdio.h>

static const unsigned SIGNED = RV_NOT_NEGATIVE | RV_POSITIVE;

static bool is_small(double x, rvRange range)
{
    return !(range & RV_ANY_SIZE) && rv_is_too_small(x, (range & SIGNED) != 0);
}

bool rv_is_in_range(double x, rvRange range)
{
    return !isnan(x) && !((range & RV_FINITE) && isinf(x)) && !((range & RV_NOT_NEGATIVE) && x < 0.0) &&
           !((range & RV_POSITIVE) && x <= 0.0) && !is_small(x, range);
}

static rvStatus refuse_small(rvError* error, const char* of, const rvField* f)
{
    return rv_fail(error, RV_BAD_INPUT, "%s%s: is %g%s%s, must be %sat least %g%s", of, f->name, f->value,
                   f->unit ? " " : "", f->unit ? f->unit : "", f->range & RV_POSITIVE ? "" : "0 or ",
                   f->range & SIGNED ? RV_LEAST_DIVISOR : DBL_MIN, f->range & SIGNED ? "" : " in size");
}

rvStatus rv_check_fields(rvError* error, const char* of, const rvField* fields, int count)
{
    for (int i = 0; i < count; ++i) {
        const rvField* f = &fields[i];
        if (rv_is_in_range(f->value, f->range))
            continue;
        if (is_small(f->value, f->range) && !((f->range & SIGNED) && f->value < 0.0))
            return refuse_small(error, of, f);
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

rvStatus rv_check_number(rvError* error, const char* kind, const char* name, rvField field)
{
    char of[256];
    snprintf(of, sizeof of, "%s '%s': ", kind, name);
    return rv_check_fields(error, of, &field, 1);
}
