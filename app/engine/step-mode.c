/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A queue can fall back alone, for example where the memory that may be locked is used up.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step-mode.h"

#include <string.h>

static unsigned
count_same(const char *const *modes, unsigned n, const char *mode)
{
    unsigned n_same = 0;

    for (unsigned i = 0; i < n; i++) {
        n_same += strcmp(modes[i], mode) == 0;
    }
    return n_same;
}

char *
fm_step_mode_dup(const char *const *modes, unsigned n)
{
    const char *commonest = modes[0];
    unsigned n_most = count_same(modes, n, commonest);

    for (unsigned i = 1; i < n; i++) {
        unsigned n_same = count_same(modes, n, modes[i]);
        if (n_same > n_most) {
            commonest = modes[i];
            n_most = n_same;
        }
    }
    return n_most == n ? g_strdup(commonest)
                       : g_strdup_printf("%s on %u of %u threads", commonest, n_most, n);
}
