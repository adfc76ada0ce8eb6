// SPDX-License-Identifier: MIT
// The mark that a definition was started by its rvDefault... function.
#pragma once

#define RV_COOKIE 0x72656576u
