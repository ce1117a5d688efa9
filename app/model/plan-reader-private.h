/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the plan reader: one reader per text, which knows where in the text it
 * is.  The first mistake found is kept and placed; everything read after it is thrown
 * away, so that the parts need not check each other.  Only plan-reader*.c include this.
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "model/plan-reader.h"
#include "model/plan.h"

G_BEGIN_DECLS

enum {
    FM_PLAN_MAX_TEXT = 4 * 1024 * 1024, /* bytes, all includes together */
    FM_PLAN_MAX_VALUES = 256, /* of one axis, list of rates or list of choices */
    FM_PLAN_MAX_STREAMS = 64,
    FM_PLAN_MAX_BLOCKS = 32,
    FM_PLAN_MAX_AXES = 4,
    FM_PLAN_MAX_OPTIONS = 64,
    FM_PLAN_MAX_ID = 64, /* characters of an id */
    FM_PLAN_MAX_LABEL = 1000, /* bytes of a text for people */
    FM_SHARE_STEP = 100, /* parts per million in one part per 10,000 */
};

#define FM_PLAN_DEFAULT_SEED UINT64_C(1)
#define FM_PLAN_MAX_SIZE (UINT64_C(1) << 50) /* 1 PiB */
#define FM_PLAN_MAX_TIME (UINT64_C(10000) * 3600 * 1000000000) /* 10,000 h */

/* What one call of fm_plan_read shares with the includes it follows. */
typedef struct {
    FmPlanLookup lookup;
    gpointer user_data;
    GPtrArray *including; /* ids from the outermost plan to this one */
    GPtrArray *axes; /* FmAxisUse*, outermost first: what enclosing drivers vary */
    unsigned n_phases;
    gsize n_bytes;
    uint32_t needs; /* that included plans name */
} FmPlanReading;

/* An axis of a sweep, or the range of a bisection, over the phases below it. */
typedef struct {
    const FmSweepAxis *axis;
    FmSweepAxis *own; /* the same where it was made for a bisection, else NULL */
    bool is_range; /* every value between the two given ones may come up */
    bool is_used; /* something below is varied by it */
} FmAxisUse;

typedef struct {
    const char *origin;
    const char *text;
    gsize length;
    GString *path; /* of the value being read, as fm_json_locate wants it */
    FmPlan *plan; /* being built; its options are there before its phases */
    FmPlanReading *reading;
    unsigned depth; /* of phases in phases, from the outermost plan's root */
    bool is_misset; /* the mistake is in the settings, not in the text */
    GError *error; /* the first mistake */
} FmPlanReader;

typedef struct {
    uint64_t fallback;
    uint64_t minimum;
    uint64_t maximum;
} FmRange;

/* --- Places and mistakes (plan-reader.c) ---------------------------------------- */

/* Goes down to a member or an element; what is returned takes it back. */
gsize fm_reader_enter(FmPlanReader *reader, const char *key);
gsize fm_reader_enter_index(FmPlanReader *reader, size_t index);
void fm_reader_leave(FmPlanReader *reader, gsize mark);

/* Keeps a mistake at the current value, at a member of it, or at the member's key. */
void fm_reader_fail(FmPlanReader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);
void fm_reader_fail_at(FmPlanReader *reader, const char *key, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void fm_reader_fail_key(FmPlanReader *reader, const char *key, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* --- Values (plan-reader-value.c) ------------------------------------------------ */

/* The current value must be an object with these keys only; @what (taken) names it. */
bool fm_reader_check_object(FmPlanReader *reader, const json_t *json, const char *const *keys,
                            FmMessage *what);
/* The member @key, which must be an array of @minimum to @maximum elements; NULL when it
 * is missing or wrong (and then, if wrong or @minimum > 0, a mistake). */
const json_t *fm_reader_array(FmPlanReader *reader, const json_t *object, const char *key,
                              size_t minimum, size_t maximum);

/* The value at the current place. */
uint64_t fm_reader_value_size(FmPlanReader *reader, const json_t *value, FmRange range);
uint64_t fm_reader_value_time(FmPlanReader *reader, const json_t *value, FmRange range);
uint64_t fm_reader_value_count(FmPlanReader *reader, const json_t *value, FmRange range);
/* Parts per million divided by @step; FM_SHARE_STEP gives parts per 10,000. */
uint64_t fm_reader_value_share(FmPlanReader *reader, const json_t *value, unsigned step,
                               FmRange range);
/* "8GiB", or "25%" of the target. */
FmExtent fm_reader_value_extent(FmPlanReader *reader, const json_t *value);

/* The member @key of @object, or the fallback where it is missing.  Shares are parts per
 * 10,000. */
uint64_t fm_reader_size(FmPlanReader *reader, const json_t *object, const char *key, FmRange range);
int64_t fm_reader_time(FmPlanReader *reader, const json_t *object, const char *key, FmRange range);
uint64_t fm_reader_count(FmPlanReader *reader, const json_t *object, const char *key,
                         FmRange range);
uint32_t fm_reader_share(FmPlanReader *reader, const json_t *object, const char *key,
                         FmRange range);
double fm_reader_number(FmPlanReader *reader, const json_t *object, const char *key,
                        double maximum);
bool fm_reader_switch(FmPlanReader *reader, const json_t *object, const char *key);
FmExtent fm_reader_extent(FmPlanReader *reader, const json_t *object, const char *key,
                          FmExtent fallback);
/* Place of the word in @names. */
int fm_reader_word(FmPlanReader *reader, const json_t *object, const char *key,
                   const char *const *names, int fallback);
/* A string as it stands, without "$option"; NULL where it is missing.  Caller frees. */
char *fm_reader_dup_string(FmPlanReader *reader, const json_t *object, const char *key);
/* The same, which must be [a-z0-9-]+. */
char *fm_reader_dup_id(FmPlanReader *reader, const json_t *object, const char *key);
/* Text for people: a string, or {"en": ..., "ko": ...}; "${option}" is filled in. */
void fm_reader_label(FmPlanReader *reader, const json_t *object, const char *key, char **english,
                     char **korean);

/* --- Options (plan-reader-option.c) ----------------------------------------------- */

bool fm_reader_is_id(const char *text);
FmOption *fm_reader_find_option(const FmPlanReader *reader, const char *key);
void fm_reader_options(FmPlanReader *reader, const json_t *object);
/* Replaces defaults by "key=value" texts; a mistake in them has no place in the file. */
bool fm_reader_apply_settings(FmPlanReader *reader, const char *const *settings, GError **error);
/* Whether "when" of a phase holds: "option" is not off, or "option=value". */
bool fm_reader_when(FmPlanReader *reader, const json_t *object);

/* --- Streams, stop rules, phases --------------------------------------------------- */

void fm_reader_streams(FmPlanReader *reader, const json_t *object, FmPhase *phase);
FmStopRule fm_reader_stop(FmPlanReader *reader, const json_t *object);
/* The drivers' own keys (axes, search, limits, rates), without their children. */
void fm_reader_axes(FmPlanReader *reader, const json_t *object, FmPhase *phase);
void fm_reader_bisect(FmPlanReader *reader, const json_t *object, FmPhase *phase);
void fm_axis_use_free_cb(gpointer data);
/* Makes the axes (or the search) of @phase known to everything read next, and takes them
 * back; one that varied nothing is a mistake. */
void fm_reader_push_axes(FmPlanReader *reader, const FmPhase *phase);
void fm_reader_pop_axes(FmPlanReader *reader, const FmPhase *phase);
void fm_reader_rate_curve(FmPlanReader *reader, const json_t *object, FmPhase *phase);
/* Notes that a rest called @id is below the axes that vary rests. */
void fm_reader_use_rest(FmPlanReader *reader, const char *id);
/* Reads "phases" of @object into @phase, which becomes their parent. */
void fm_reader_children(FmPlanReader *reader, const json_t *object, FmPhase *phase);

/* Reads the plan that an "include" names and gives its root; NULL after a mistake. */
FmPhase *fm_reader_include(FmPlanReader *reader, const json_t *object);

G_END_DECLS
