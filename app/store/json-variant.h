/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a run as JSON values.  All return a new reference; unknown is null.
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

#include "model/facts.h"

G_BEGIN_DECLS

/* A string, or null for NULL. */
json_t *fm_json_text(const char *text);
/* A counter: a string of digits. */
json_t *fm_json_count(uint64_t value);
/* A number up to 2^53, which every reader keeps; beyond that a string. */
json_t *fm_json_integer(int64_t value);
json_t *fm_json_ns(uint64_t value);
/* A number, or null where it is not finite. */
json_t *fm_json_number(double value);
/* ISO 8601 in UTC with microseconds, or null for 0. */
json_t *fm_json_time(int64_t wall_us);
/* Any value out of a frame; NULL is null. */
json_t *fm_json_variant(GVariant *value);
/* An object of all facts; unknown ones are null, with their reasons in "unknown". */
json_t *fm_json_facts(const FmFacts *facts);

G_END_DECLS
