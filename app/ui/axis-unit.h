/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unit in which numbers of an axis are listed and typed: one for each quantity, so that
 * a column can be sorted by eye and copied into a sheet.  Figures choose theirs by size; here
 * it is always the same.  Pure.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

/* "MB/s", "µs" ...; "" for plain numbers.  Not translated. */
const char *fm_axis_unit_get_symbol(FmUnit unit);
/* The number alone, up to six significant digits, no exponent; "" for NaN.  Caller frees. */
char *fm_axis_unit_dup_text(FmUnit unit, double value);
/* "1500", in that unit, or with a unit of its own: "1.5 GB/s", "250 µs", "1:30:00".  Empty text
 * is NaN.  FM_ERROR_INVALID quotes what it is not. */
bool fm_axis_unit_parse(FmUnit unit, const char *text, double *value, GError **error);

G_END_DECLS
