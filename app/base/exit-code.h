/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all our programs tell by their exit code.  Documented in --help; scripts rely on
 * the numbers.
 */
#pragma once

enum {
    FM_EXIT_OK = 0,
    FM_EXIT_FAILED = 1, /* what was measured until then is kept */
    FM_EXIT_USAGE = 2, /* the command line or the command stream makes no sense */
    FM_EXIT_REFUSED = 3, /* nothing was touched */
    FM_EXIT_STOPPED = 4, /* on request; what was measured is kept */
};
