/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of figures as text: folded into units that fit (DESIGN 5.3, METHODOLOGY 1).  No
 * locale.  Any thread; callers free what they get.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

/* A unit as it is written: values are divided by @factor. */
typedef struct {
    double factor;
    const char *text; /* "MB/s"; "" = none */
} FmFold;

/* The unit for values up to @max. */
FmFold fm_fold_for(FmUnit unit, double max);

/* A number with just the decimals that multiples of @step need; true minus, thousands apart from
 * 10,000 on.  Both already divided by the factor. */
char *fm_value_dup_tick(double value, double step);
/* Seconds as "m:ss", "h:mm" or "h:mm:ss", as @step and @max ask for; @unit becomes what to write
 * after the last one. */
char *fm_value_dup_clock_tick(double seconds, double step, double max, const char **unit);
/* For people: "1412 MB/s", "64.8k IOPS", "184 µs", "99.9 %", with three digits and a thin space;
 * "–" when it is not a number. */
char *fm_value_dup(FmUnit unit, double value);

/* Words of the figure itself, in its language and not in that of the process. */
typedef enum {
    FM_WORD_MAX, /* a tick of the nines scale */
    FM_WORD_NO_ROOM,
    FM_WORD_NO_DATA,
} FmWord;

const char *fm_word(FmWord word, const char *language);

G_END_DECLS
