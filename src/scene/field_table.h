// SPDX-License-Identifier: MIT
// How rows of the tables of fields are written: fields.c, fields_cable.c.
#pragma once

#include "scene/fields.h"

#define ANY                                                                                                            \
    {                                                                                                                  \
        -HUGE_VAL, HUGE_VAL, false                                                                                     \
    }
#define ABOVE(x)                                                                                                       \
    {                                                                                                                  \
        (x), HUGE_VAL, true                                                                                            \
    }
#define FROM(x)                                                                                                        \
    {                                                                                                                  \
        (x), HUGE_VAL, false                                                                                           \
    }
#define WITHIN(x, y)                                                                                                   \
    {                                                                                                                  \
        (x), (y), false                                                                                                \
    }
#define ABOVE_TO(x, y)                                                                                                 \
    {                                                                                                                  \
        (x), (y), true                                                                                                 \
    }
#define BIT(type) (1u << (type))
#define ALL_TYPES UINT32_MAX
#define AT(type, member) .offset = offsetof(type, member)
#define FIELDS(array) .fields = (array), .fieldCount = (int)(sizeof(array) / sizeof((array)[0]))

extern const rvChoice rvModelChoices[]; // of cables
