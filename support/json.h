// SPDX-License-Identifier: MIT
// JSON text, value by value; commas come by themselves.
//
// A value has a name inside of an object; inside of an array, and at the top, it is NULL. Text is UTF-8.
#pragma once

#include "support/bytes.h"

// An object '{' or an array '[', and its end.
void rv_json_open(rvBytes* json, const char* name, char bracket);
void rv_json_close(rvBytes* json, char bracket);

void rv_json_text(rvBytes* json, const char* name, const char* text);
// Nine digits; null where it is not finite.
void rv_json_number(rvBytes* json, const char* name, double value);
void rv_json_numbers(rvBytes* json, const char* name, const double* values, int count);
void rv_json_integer(rvBytes* json, const char* name, long value);
void rv_json_bool(rvBytes* json, const char* name, bool value);
void rv_json_null(rvBytes* json, const char* name);
