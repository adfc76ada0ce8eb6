// SPDX-License-Identifier: MIT
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define TO_TEXT_(x) #x
#define TO_TEXT(x) TO_TEXT_(x)

rvStatus rv_fail(rvError* error, rvStatus status, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

const char* rvStatus_Name(rvStatus status)
{
    static const char* const names[] = {"ok",        "bad input",          "bad id", "no memory", "full", "diverged",
                                        "bad image", "input/output error", "missed"};
    return (unsigned)status < sizeof names / sizeof names[0] ? names[status] : "unknown status";
}

const char* rvVersion(void)
{
    return TO_TEXT(RV_VERSION_MAJOR) "." TO_TEXT(RV_VERSION_MINOR) "." TO_TEXT(RV_VERSION_PATCH);
}
