/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plans: what can be run, what it needs and which options it takes.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/label.h"
#include "base/message.h"
#include "base/text-table.h"
#include "base/text.h"
#include "cli/cli.h"
#include "model/plan-cost.h"
#include "store/plan-files.h"
#include "store/plan-list.h"

#include <glib/gi18n.h>
#include <string.h>

static json_t *
needs_to_json(const FmPlan *plan)
{
    json_t *array = json_array();

    for (uint32_t need = 1; need != 0 && need <= plan->needs; need <<= 1) {
        if ((plan->needs & need) != 0) {
            json_array_append_new(array, json_string(fm_need_name((FmNeed)need)));
        }
    }
    return array;
}

static json_t *
options_to_json(const FmPlan *plan)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < plan->n_options; i++) {
        const FmOption *option = &plan->options[i];
        json_t *choices = json_array();
        for (char **choice = option->choices; choice != NULL && *choice != NULL; choice++) {
            json_array_append_new(choices, json_string(*choice));
        }
        json_array_append_new(array, json_pack("{s:s, s:s?, s:s, s:s?, s:s?, s:o}", "key",
                                               option->key, "label", option->label, "default",
                                               option->default_value, "minimum", option->minimum,
                                               "maximum", option->maximum, "choices", choices));
    }
    return array;
}

static json_t *
plan_to_json(const FmPlan *plan)
{
    return json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:b, s:s, s:o, s:o}", "id", plan->id, "name",
                     plan->name, "summary", plan->summary, "edition", plan->edition, "workload",
                     plan->workload, "files", (int)fm_plan_has_file_form(plan), "hash", plan->hash,
                     "needs", needs_to_json(plan), "options", options_to_json(plan));
}

/* --- One plan ---------------------------------------------------------------------------- */

/* "16 MiB to 64 GiB", "random, zero", "10% to 90%, off"; "" = anything of its kind. */
static char *
dup_possible(const FmOption *option)
{
    g_autoptr(GString) text = g_string_new(NULL);

    if (option->choices != NULL) {
        g_autofree char *choices = g_strjoinv(", ", option->choices);
        g_string_append(text, choices);
    } else if (option->kind == FM_OPTION_SWITCH) {
        g_string_append(text, "on, off");
    } else if (option->minimum != NULL && option->maximum != NULL) {
        g_string_append_printf(text, _("%s to %s"), option->minimum, option->maximum);
    } else if (option->minimum != NULL) {
        g_string_append_printf(text, _("from %s"), option->minimum);
    } else if (option->maximum != NULL) {
        g_string_append_printf(text, _("up to %s"), option->maximum);
    }
    if (option->can_be_off) {
        g_string_append_printf(text, "%soff", text->len > 0 ? ", " : "");
    }
    return g_strdup(text->str);
}

static void
print_options(const FmPlan *plan)
{
    static const char *const headings[] = {N_("Option"), N_("Default"), N_("Possible"),
                                           N_("Meaning")};
    g_autoptr(FmCliTable) table = fm_cli_table_new(G_N_ELEMENTS(headings));

    for (gsize i = 0; i < G_N_ELEMENTS(headings); i++) {
        fm_cli_table_add(table, _(headings[i]));
    }
    for (unsigned i = 0; i < plan->n_options; i++) {
        const FmOption *option = &plan->options[i];
        g_autofree char *possible = dup_possible(option);
        fm_cli_table_add(table, option->key);
        fm_cli_table_add(table, option->default_value);
        fm_cli_table_add(table, *possible != '\0' ? possible : NULL);
        fm_cli_table_add(table, fm_message_choose(option->label, option->label_ko));
    }
    g_print("\n");
    fm_cli_table_print(table);
}

static void
print_wrapped(const char *text)
{
    g_autofree char *printable = fm_text_dup_printable(text);
    g_autoptr(GString) wrapped = g_string_new(NULL);

    fm_text_append_wrapped(wrapped, printable, 0, fm_cli_get_columns());
    g_print("%s\n", wrapped->str);
}

/* One plan with its options, for "plans ID". */
static void
print_plan(const FmPlan *plan)
{
    g_autofree char *needs = fm_plan_dup_needs(plan);

    g_print("%s (%s)\n", fm_message_choose(plan->name, plan->name_ko), plan->id);
    if (plan->summary != NULL) {
        print_wrapped(fm_message_choose(plan->summary, plan->summary_ko));
    }
    if (*needs != '\0') {
        g_print(_("Needs what this version can't do: %s\n"), needs);
    }
    if (plan->n_options > 0) {
        print_options(plan);
    }
}

static int
show_plan(const char *name, bool is_json)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = fm_plan_files_load(name, NULL, &error);

    if (plan == NULL) {
        return fm_cli_fail(error);
    }
    if (is_json) {
        fm_cli_print_json(plan_to_json(plan));
    } else {
        print_plan(plan);
    }
    return FM_EXIT_OK;
}

/* --- All plans --------------------------------------------------------------------------- */

/* "0:01:22"; "≥ 0:10:00" where it ends by itself. */
static char *
dup_duration(const FmPlan *plan)
{
    const FmCostBasis basis = {.is_file = true};
    FmPlanCost cost = fm_plan_cost(plan, &basis);
    g_autofree char *clock = fm_label_dup_clock(cost.time_ns);

    return g_strdup_printf("%s%s", cost.time_is_open ? "≥ " : "", clock);
}

static void
add_row(FmCliTable *table, const FmPlan *plan)
{
    const char *summary = fm_message_choose(plan->summary, plan->summary_ko);
    const char *name = fm_message_choose(plan->name, plan->name_ko);
    g_autofree char *text = fm_cli_dup_first_sentence(summary != NULL ? summary : name);
    g_autofree char *duration = dup_duration(plan);

    fm_cli_table_add(table, plan->id);
    fm_cli_table_add(table, duration);
    fm_cli_table_add(table, text);
}

static void
add_later_row(FmCliTable *table, const FmPlan *plan)
{
    g_autofree char *needs = fm_plan_dup_needs(plan);

    fm_cli_table_add(table, plan->id);
    fm_cli_table_add(table, fm_message_choose(plan->name, plan->name_ko));
    fm_cli_table_add(table, *needs != '\0' ? needs : fm_need_name(FM_NEED_RAW_DEVICE));
}

/* The plans of @group, if there are any. */
static void
print_group(GPtrArray *entries, FmPlanGroup group)
{
    g_autoptr(FmCliTable) table = fm_cli_table_new(3);
    bool is_empty = true;

    fm_cli_table_add(table, _("Plan"));
    fm_cli_table_add(table, group == FM_PLAN_GROUP_LATER ? _("Name") : _("Takes"));
    fm_cli_table_add(table, group == FM_PLAN_GROUP_LATER ? _("Needs") : _("What it measures"));
    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        if (entry->plan == NULL || entry->group != group) {
            continue;
        }
        is_empty = false;
        if (group == FM_PLAN_GROUP_LATER) {
            add_later_row(table, entry->plan);
        } else {
            add_row(table, entry->plan);
        }
    }
    if (!is_empty) {
        g_print("%s\n\n", fm_plan_group_get_title(group));
        fm_cli_table_print(table);
        g_print("\n");
    }
}

static void
print_list(GPtrArray *entries)
{
    for (unsigned group = 0; group < FM_N_PLAN_GROUPS; group++) {
        print_group(entries, (FmPlanGroup)group);
    }
    print_wrapped(_("“fathom-cli plans PLAN” tells more about one and lists its options; a new "
                    "plan is a JSON file."));
}

static int
list_plans(bool is_json)
{
    g_autoptr(GPtrArray) entries = fm_plan_list_load();
    json_t *array = json_array();
    int exit_code = FM_EXIT_OK;

    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        if (entry->plan != NULL) {
            json_array_append_new(array, plan_to_json(entry->plan));
        } else {
            /* A broken plan of the user's own must not hide the others. */
            exit_code = fm_cli_fail(entry->error);
        }
    }
    if (is_json) {
        fm_cli_print_json(json_incref(array));
    } else {
        print_list(entries);
    }
    json_decref(array);
    return exit_code;
}

static int
run_plans(const FmCommand *command, int argc, char **argv)
{
    gboolean is_json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &is_json, N_("Print JSON"), NULL},
        {NULL},
    };
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    return argc > 1 ? show_plan(argv[1], is_json) : list_plans(is_json);
}

const FmCommand fm_command_plans = {
    .name = "plans",
    .arguments = N_("[PLAN]"),
    .max_arguments = 1,
    .summary = N_("lists the benchmarks there are, or the options of one"),
    .examples = {{"plans", N_("All plans.")},
                 {"plans cdm-default", N_("One plan and the options that --set takes.")},
                 {"plans --json", N_("Everything about them, for scripts.")}},
    .run = run_plans,
};
