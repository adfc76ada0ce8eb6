// SPDX-License-Identifier: MIT
// Which elementary functions the C library takes. Their last bits differ between libraries, and inside of one by what
// the processor has (fused multiply-add), so golden numbers belong to one library with its plainest variants.
#pragma once

#include <stdbool.h>

// Starts this program again with the plainest variants of glibc, unless they are asked for already.
void golden_pin(char** argv);
// Are they those that the golden numbers were made with: GNU libc 2.36 for x86-64 without fused multiply-add? Asks the
// functions themselves, since names that a library does not know are ignored by it.
bool golden_is_pinned(void);
