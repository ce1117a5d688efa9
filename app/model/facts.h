/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts recorded with a run: an ordered dictionary of names and typed values that
 * may be unknown.  A value that could not be read is stored as such, with the
 * reason; it is never 0 and never left out.  Facts become a{sv} payloads of
 * ENVIRONMENT, DRIVE and TARGET frames: known ones as s, t (unsigned), x (signed),
 * d or b; unknown ones as (s) holding the reason.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct FmFacts FmFacts;

FmFacts *fm_facts_new(void);
void fm_facts_free(FmFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmFacts, fm_facts_free)

/* Later values of the same name replace earlier ones.  Names are "area.name" in
 * lower case ("kernel.release", "fs.type"). Strings are copied; invalid UTF-8 and control
 * characters become "\xNN", so hostile identity strings are stored and shown safely; NULL
 * and doubles that are not finite are stored as unknown. */
void fm_facts_set_string(FmFacts *facts, const char *name, const char *value);
void fm_facts_set_uint(FmFacts *facts, const char *name, uint64_t value);
void fm_facts_set_int(FmFacts *facts, const char *name, int64_t value);
void fm_facts_set_double(FmFacts *facts, const char *name, double value);
void fm_facts_set_bool(FmFacts *facts, const char *name, bool value);
/* @reason is English, shown through fm_message_new_words(). */
void fm_facts_set_unknown(FmFacts *facts, const char *name, const char *reason);

/* NULL / false when absent, unknown or of another type. */
const char *fm_facts_get_string(const FmFacts *facts, const char *name);
bool fm_facts_get_uint(const FmFacts *facts, const char *name, uint64_t *value);
bool fm_facts_get_int(const FmFacts *facts, const char *name, int64_t *value);
bool fm_facts_get_double(const FmFacts *facts, const char *name, double *value);
bool fm_facts_get_bool(const FmFacts *facts, const char *name, bool *value);
/* Reason of an unknown fact, or NULL. */
const char *fm_facts_get_reason(const FmFacts *facts, const char *name);

/* Copies every fact of @other into @facts. */
void fm_facts_merge(FmFacts *facts, const FmFacts *other);

/* A floating a{sv}; and back.  Entries of other types are kept as they are printed. */
GVariant *fm_facts_to_variant(const FmFacts *facts);
FmFacts *fm_facts_from_variant(GVariant *dictionary);

/* Calls @each for every fact in order of names, with its value as text; @known tells
 * whether it is a value or a reason. */
typedef void (*FmFactCallback)(const char *name, const char *text, bool known, gpointer user_data);
void fm_facts_foreach(const FmFacts *facts, FmFactCallback each, gpointer user_data);

G_END_DECLS
