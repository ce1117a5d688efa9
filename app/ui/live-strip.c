/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step is found in the plan by its path without what drivers add to it ("run=2").
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/live-strip.h"

#include "base/message.h"
#include "base/text.h"
#include "model/plan-reader.h"
#include "store/run-text.h"

#include <stdbool.h>
#include <string.h>

/* Something with steps in the plan. */
typedef struct {
    char *path; /* ids joined by "/" */
    char *name;
    bool is_looped; /* runs several times with others in between: what comes next is open */
} Entry;

struct FmLiveSequence {
    GPtrArray *entries; /* in order */
};

static void
entry_free_cb(gpointer data)
{
    Entry *entry = (Entry *)data;

    g_free(entry->path);
    g_free(entry->name);
    g_free(entry);
}

/* --- The plan ------------------------------------------------------------------------------- */

/* Where a walk through the plan is. */
typedef struct {
    GPtrArray *entries;
    const char *path;
    const char *group; /* name of the nearest group, or NULL */
    const char *label; /* of a driver above that has one, or NULL */
    bool is_looped;
} Walk;

static bool
is_driver(const FmPhase *phase)
{
    return phase->children != NULL && phase->kind != FM_PHASE_GROUP;
}

static void
add_entry(const Walk *walk, const char *path, const char *label)
{
    Entry *entry = g_new0(Entry, 1);
    const char *own = label != NULL ? label : path;
    g_autofree char *name =
        walk->group != NULL ? g_strjoin(" · ", walk->group, own, NULL) : g_strdup(own);

    entry->path = g_strdup(path);
    entry->name = fm_text_dup_printable(name);
    entry->is_looped = walk->is_looped;
    g_ptr_array_add(walk->entries, entry);
}

static void
walk_phase(const Walk *walk, const FmPhase *phase)
{
    g_autofree char *path = phase->id == NULL     ? g_strdup(walk->path)
                            : *walk->path == '\0' ? g_strdup(phase->id)
                                                  : g_strjoin("/", walk->path, phase->id, NULL);
    const char *own =
        phase->label != NULL ? fm_message_choose(phase->label, phase->label_ko) : NULL;
    Walk below = *walk;

    below.path = path;
    if (phase->kind == FM_PHASE_GROUP) {
        below.group = own != NULL ? own : walk->group;
        below.label = NULL;
    } else if (own != NULL) {
        below.label = own;
    }
    if (phase->n_streams > 0) {
        add_entry(&below, path, below.label);
    }
    below.is_looped =
        walk->is_looped ||
        (is_driver(phase) && (phase->children->len > 1 ||
                              ((const FmPhase *)phase->children->pdata[0])->children != NULL));
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        walk_phase(&below, (const FmPhase *)phase->children->pdata[i]);
    }
}

FmLiveSequence *
fm_live_sequence_new(const FmRun *run)
{
    g_autoptr(FmPlan) plan =
        run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL;

    if (plan == NULL) {
        return NULL;
    }
    FmLiveSequence *sequence = g_new0(FmLiveSequence, 1);
    sequence->entries = g_ptr_array_new_with_free_func(entry_free_cb);
    Walk walk = {.entries = sequence->entries, .path = ""};
    for (guint i = 0; i < plan->root->children->len; i++) {
        walk_phase(&walk, (const FmPhase *)plan->root->children->pdata[i]);
    }
    return sequence;
}

void
fm_live_sequence_free(FmLiveSequence *sequence)
{
    if (sequence != NULL) {
        g_ptr_array_unref(sequence->entries);
        g_free(sequence);
    }
}

/* --- The run -------------------------------------------------------------------------------- */

/* @path without the parts that drivers add: those with "=", and a curve's "peak". */
static char *
dup_plain_path(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path != NULL ? path : "", "/", -1);
    g_autoptr(GString) plain = g_string_new(NULL);

    for (char **part = parts; *part != NULL; part++) {
        if (strchr(*part, '=') == NULL && strcmp(*part, "peak") != 0) {
            g_string_append_printf(plain, "%s%s", plain->len > 0 ? "/" : "", *part);
        }
    }
    return g_strdup(plain->str);
}

static int
find_entry(const FmLiveSequence *sequence, const FmRunStep *step)
{
    g_autofree char *path = dup_plain_path(step->path);

    for (guint i = 0; sequence != NULL && i < sequence->entries->len; i++) {
        if (strcmp(((const Entry *)sequence->entries->pdata[i])->path, path) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static char *
dup_name(const FmLiveSequence *sequence, int index, const FmRunStep *step)
{
    return index >= 0 ? g_strdup(((const Entry *)sequence->entries->pdata[index])->name)
                      : fm_run_text_dup_step_name(step);
}

/* The newest step that is another thing than the one at @index. */
static char *
dup_done(const FmLiveSequence *sequence, const FmRun *run, int index)
{
    for (guint i = run->steps->len; i > 0; i--) {
        const FmRunStep *step = (const FmRunStep *)run->steps->pdata[i - 1];
        int other = find_entry(sequence, step);
        if (step->ended && (index < 0 || other != index)) {
            return dup_name(sequence, other, step);
        }
    }
    return NULL;
}

static char *
dup_next(const FmLiveSequence *sequence, int index)
{
    if (index < 0 || (guint)index + 1 >= sequence->entries->len ||
        ((const Entry *)sequence->entries->pdata[index])->is_looped) {
        return NULL;
    }
    return g_strdup(((const Entry *)sequence->entries->pdata[index + 1])->name);
}

FmLiveStrip
fm_live_strip_build(const FmLiveSequence *sequence, const FmRun *run)
{
    FmLiveStrip strip = {0};

    if (run->steps->len == 0) {
        bool has_first = sequence != NULL && sequence->entries->len > 0;
        strip.next =
            has_first ? g_strdup(((const Entry *)sequence->entries->pdata[0])->name) : NULL;
        return strip;
    }
    const FmRunStep *step = (const FmRunStep *)run->steps->pdata[run->steps->len - 1];
    int index = find_entry(sequence, step);
    strip.done = dup_done(sequence, run, index);
    strip.now = dup_name(sequence, index, step);
    strip.detail = fm_run_text_dup_workload(step);
    strip.next = dup_next(sequence, index);
    return strip;
}

void
fm_live_strip_clear(FmLiveStrip *strip)
{
    g_clear_pointer(&strip->done, g_free);
    g_clear_pointer(&strip->now, g_free);
    g_clear_pointer(&strip->detail, g_free);
    g_clear_pointer(&strip->next, g_free);
}
