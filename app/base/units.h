/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes, times and rates as text that means exactly one number: what people type and
 * what files hold (METHODOLOGY 1).  No locale, no rounding: every value written here
 * reads back as itself.  Rounded numbers for people are in label.h.  Any thread may
 * call it.
 *
 * The parsers take a decimal number with a dot, optional spaces and a unit in any case,
 * and nothing else: no sign, no exponent, no text before or after.  A value that would
 * have to be rounded or does not fit is an error.  Errors are FM_ERROR_INVALID and quote
 * the text; what a parser was to fill in stays as it was.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/* "64 MiB": the largest binary unit that needs no fraction.  Caller frees. */
char *fm_units_dup_size(uint64_t bytes);
/* "500ms": the largest of ns, us, ms, s, min, h that needs no fraction; "0s".  @ns must
 * not be negative.  Caller frees. */
char *fm_units_dup_duration(int64_t ns);
/* "12.5%" from parts per million.  Caller frees. */
char *fm_units_dup_percent(uint32_t per_million);

/*
 * "64MiB", "64MB", "64M" (which is MiB), "4k", "512B", "1.5 GiB", "4096" (bytes).
 * @spelling, if not NULL, becomes the size as it was understood ("64 MiB"), to be shown
 * to whoever typed it, and freed by the caller.
 */
bool fm_units_parse_size(const char *text, uint64_t *bytes, char **spelling, GError **error);
/* "1s", "500ms", "2min", "1h", "1.5 d", "250us", "250µs", "10ns"; only 0 needs no unit. */
bool fm_units_parse_duration(const char *text, int64_t *ns, GError **error);
/* "25%", "0.5 %", "120%" as parts per million. */
bool fm_units_parse_percent(const char *text, uint32_t *per_million, GError **error);
/* "32": a whole number without a unit. */
bool fm_units_parse_count(const char *text, uint64_t *count, GError **error);
/* "600MB/s", "1.5 GiB/s". */
bool fm_units_parse_throughput(const char *text, uint64_t *bytes_per_second, GError **error);
/* "330k IOPS", "64.8k IOPS", "1.5M IOPS", "450 IOPS". */
bool fm_units_parse_iops(const char *text, uint64_t *iops, GError **error);

G_END_DECLS
