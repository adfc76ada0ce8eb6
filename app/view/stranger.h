// SPDX-License-Identifier: MIT
// Connections that have not shown the token yet. There are few of them at a time and each has little time, so that they
// can neither use up the descriptors of the program nor keep others out: a new one takes the place of the oldest.
#pragma once

#include <libwebsockets.h>

enum { RV_STRANGERS = 64 };

typedef struct {
    lws_sorted_usec_list_t timer; // for the oldest
    struct lws_context* context;
    struct {
        struct lws* wsi;
        lws_usec_t until;
    } items[RV_STRANGERS]; // the oldest first
    int count;
} rvStrangers;

// A connection came.
void rv_stranger_came(rvStrangers* strangers, struct lws* wsi);

// It has shown the token, or is gone.
void rv_stranger_left(rvStrangers* strangers, const struct lws* wsi);
