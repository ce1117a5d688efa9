/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names are those of the file, so that what is found here can be looked for in exports.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/fact-list.h"

#include "base/label.h"
#include "base/text.h"
#include "ui/run-summary.h"

#include <glib/gi18n.h>

struct _FmFactRow {
    GObject parent_instance;
    char *name;
    char *value; /* NULL = a heading */
};

G_DEFINE_FINAL_TYPE(FmFactRow, fm_fact_row, G_TYPE_OBJECT)

static void
fm_fact_row_finalize(GObject *object)
{
    FmFactRow *row = FM_FACT_ROW(object);

    g_free(row->name);
    g_free(row->value);
    G_OBJECT_CLASS(fm_fact_row_parent_class)->finalize(object);
}

static void
fm_fact_row_class_init(FmFactRowClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = fm_fact_row_finalize;
}

static void
fm_fact_row_init(FmFactRow *row)
{
}

bool
fm_fact_row_is_heading(FmFactRow *row)
{
    g_return_val_if_fail(FM_IS_FACT_ROW(row), false);
    return row->value == NULL;
}

const char *
fm_fact_row_get_name(FmFactRow *row)
{
    g_return_val_if_fail(FM_IS_FACT_ROW(row), NULL);
    return row->name;
}

const char *
fm_fact_row_get_value(FmFactRow *row)
{
    g_return_val_if_fail(FM_IS_FACT_ROW(row), NULL);
    return row->value != NULL ? row->value : "";
}

/* --- Making a list ----------------------------------------------------------------------- */

static void
add_row(GListStore *list, const char *name, const char *value)
{
    g_autoptr(FmFactRow) row = g_object_new(FM_TYPE_FACT_ROW, NULL);

    row->name = fm_text_dup_printable(name);
    row->value = value != NULL ? fm_text_dup_printable(value) : NULL;
    g_list_store_append(list, row);
}

static void
add_heading(GListStore *list, const char *title)
{
    add_row(list, title, NULL);
}

static void
add_message(GListStore *list, const char *name, const FmMessage *message)
{
    g_autofree char *text = fm_message_dup_local(message);

    add_row(list, name, text);
}

static void
add_known(GListStore *list, const char *name, const char *value)
{
    add_row(list, name, value != NULL && *value != '\0' ? value : _("(unknown)"));
}

static void
add_number(GListStore *list, const char *name, uint64_t value)
{
    g_autofree char *text = fm_label_dup_grouped(value);

    add_row(list, name, value > 0 ? text : _("(unknown)"));
}

static void
add_fact_cb(const char *name, const char *text, bool known, gpointer user_data)
{
    g_autoptr(FmMessage) reason = fm_message_new_words(text);
    g_autofree char *said = fm_message_dup_local(reason);
    g_autofree char *unknown = known ? NULL : g_strdup_printf(_("(unknown: %s)"), said);

    add_row(user_data, name, known ? text : unknown);
}

static void
add_facts(GListStore *list, const char *title, const FmFacts *facts)
{
    add_heading(list, title);
    fm_facts_foreach(facts, add_fact_cb, list);
}

static void
add_run(GListStore *list, const FmRun *run)
{
    g_autofree char *start = fm_run_summary_dup_date(run->wall_us);
    g_autofree char *end = fm_run_summary_dup_date(run->end_wall_us);
    g_autofree char *settings =
        run->settings != NULL ? g_strjoinv(" ", run->settings) : g_strdup("");

    add_heading(list, _("Run"));
    add_known(list, "version", run->version);
    add_known(list, "plan.id", run->plan_id);
    add_known(list, "plan.name", run->plan_name);
    add_known(list, "plan.hash", run->plan_hash);
    add_row(list, "plan.settings", settings);
    add_number(list, "seed", run->seed);
    add_number(list, "sessions", run->n_sessions);
    add_row(list, "start", start);
    add_row(list, "end", end);
    add_known(list, "outcome", run->outcome);
    add_message(list, "reason", run->reason);
}

static void
add_target(GListStore *list, const FmRun *run)
{
    add_facts(list, _("Target"), run->target);
    add_known(list, "kind", run->target_kind);
    add_known(list, "path", run->target_path);
    add_number(list, "size", run->target_size);
    add_number(list, "block-size", run->block_size);
    add_known(list, "verdict", run->verdict);
    add_message(list, "verdict-reason", run->verdict_reason);
}

static void
add_notes(GListStore *list, const FmRun *run)
{
    if (run->notes->len > 0) {
        add_heading(list, _("Notes of the program"));
    }
    for (guint i = 0; i < run->notes->len; i++) {
        const FmRunNote *note = g_ptr_array_index(run->notes, i);
        g_autofree char *sentence = fm_run_summary_dup_sentence(note->details, "text");
        g_autofree char *name = note->step >= 0 ? g_strdup_printf("%s, %d", note->kind, note->step)
                                                : g_strdup(note->kind);
        add_row(list, name, sentence != NULL ? sentence : "");
    }
    if (run->damage->len > 0) {
        add_heading(list, _("Damage"));
    }
    for (guint i = 0; i < run->damage->len; i++) {
        add_message(list, "damage", g_ptr_array_index(run->damage, i));
    }
}

GListModel *
fm_fact_list_new(const FmRun *run)
{
    GListStore *list = g_list_store_new(FM_TYPE_FACT_ROW);

    add_run(list, run);
    add_facts(list, _("Drive"), run->drive);
    add_target(list, run);
    add_facts(list, _("Machine and system"), run->environment);
    add_notes(list, run);
    return G_LIST_MODEL(list);
}

char *
fm_fact_list_dup_text(GListModel *list)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < g_list_model_get_n_items(list); i++) {
        g_autoptr(FmFactRow) row = g_list_model_get_item(list, i);
        if (fm_fact_row_is_heading(row)) {
            g_string_append_printf(text, "%s%s\n", i > 0 ? "\n" : "", row->name);
        } else {
            g_string_append_printf(text, "%s: %s\n", row->name, row->value);
        }
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}
