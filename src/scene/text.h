// SPDX-License-Identifier: MIT
// Text that is built up into a caller's buffer: writers and messages. What does not fit is counted and left out.
#pragma once

#include <locale.h>
#include <stddef.h>

typedef struct {
    char* text; // may be NULL when capacity is 0
    size_t capacity;
    size_t length; // of the whole text, also where it did not fit
} rvText;

void rv_text_add(rvText* out, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The shortest decimal that reads back to the same double; ".inf" where it is infinite.
void rv_text_add_number(rvText* out, double value);

// As a JSON (and so YAML) string with its quotes.
void rv_text_add_quoted(rvText* out, const char* text);

// Numbers are read and written with a point, whatever the country of the host program. Only this thread is changed.
typedef struct {
    locale_t plain, before;
} rvLocale;

rvLocale rv_locale_enter(void);
void rv_locale_leave(rvLocale locale);
