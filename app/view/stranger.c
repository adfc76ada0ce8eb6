// SPDX-License-Identifier: MIT
#include "view/stranger.h"

#include <string.h>

static const lws_usec_t patience = 2 * LWS_US_PER_SEC;

static void drop_first(rvStrangers* strangers)
{
    lws_set_timeout(strangers->items[0].wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    rv_stranger_left(strangers, strangers->items[0].wsi);
}

static void on_timer(lws_sorted_usec_list_t* timer)
{
    rvStrangers* strangers = lws_container_of(timer, rvStrangers, timer);
    while (strangers->count > 0 && strangers->items[0].until <= lws_now_usecs())
        drop_first(strangers);
    if (strangers->count > 0)
        lws_sul_schedule(strangers->context, 0, timer, on_timer, strangers->items[0].until - lws_now_usecs() + 1);
}

void rv_stranger_came(rvStrangers* strangers, struct lws* wsi)
{
    if (strangers->count == RV_STRANGERS)
        drop_first(strangers);
    if (strangers->count == 0) {
        strangers->context = lws_get_context(wsi);
        lws_sul_schedule(strangers->context, 0, &strangers->timer, on_timer, patience + 1);
    }
    strangers->items[strangers->count].wsi = wsi;
    strangers->items[strangers->count++].until = lws_now_usecs() + patience;
}

void rv_stranger_left(rvStrangers* strangers, const struct lws* wsi)
{
    int i = 0;
    while (i < strangers->count && strangers->items[i].wsi != wsi)
        ++i;
    if (i == strangers->count)
        return;
    memmove(&strangers->items[i], &strangers->items[i + 1],
            (size_t)(strangers->count - i - 1) * sizeof strangers->items[0]);
    strangers->count--;
}
