/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing the drive's traffic with ours.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/disturbance.h"

#include <string.h>

enum {
    TOLERATED_PERCENT = 2,
    TOLERATED_BYTES = 1 << 20,
};

bool
fm_disturbance_is_comparable(const FmTarget *target)
{
    const char *drives = fm_facts_get_string(target->facts, "stack.drives");
    const char *compression = fm_facts_get_string(target->facts, "fs.compression");
    bool is_copying = false;
    bool is_known = fm_facts_get_bool(target->facts, "fs.copy-on-write", &is_copying);

    return target->verdict == FM_VERDICT_DIRECT && drives != NULL && strchr(drives, ',') == NULL &&
           is_known && !is_copying && g_strcmp0(compression, "none") == 0;
}

static uint64_t
get_excess(uint64_t own, uint64_t counted)
{
    return counted > own ? counted - own : 0;
}

uint64_t
fm_disturbance_get_foreign(const FmTraffic *own, const FmTraffic *counted)
{
    return get_excess(own->read, counted->read) + get_excess(own->written, counted->written);
}

bool
fm_disturbance_is_notable(const FmTraffic *own, uint64_t foreign)
{
    uint64_t tolerated = (own->read + own->written) / 100 * TOLERATED_PERCENT;

    return foreign > MAX(tolerated, (uint64_t)TOLERATED_BYTES);
}
