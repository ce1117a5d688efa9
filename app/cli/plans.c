/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plans: what can be run, what it needs and which options it takes.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/text.h"
#include "cli/cli.h"
#include "store/plan-files.h"

#include <glib/gi18n.h>

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

/* One plan with its options, for "plans ID". */
static void
print_plan(const FmPlan *plan)
{
    g_autoptr(FmTable) table = fm_table_new(3);
    g_autofree char *needs = fm_cli_dup_needs(plan);

    g_print("%s (%s)\n", fm_cli_choose(plan->name, plan->name_ko), plan->id);
    if (plan->summary != NULL) {
        g_print("%s\n", fm_cli_choose(plan->summary, plan->summary_ko));
    }
    if (*needs != '\0') {
        g_print(_("Needs: %s\n"), needs);
    }
    if (plan->n_options == 0) {
        return;
    }
    fm_table_add(table, _("Option"));
    fm_table_add(table, _("Default"));
    fm_table_add(table, _("Meaning"));
    for (unsigned i = 0; i < plan->n_options; i++) {
        const FmOption *option = &plan->options[i];
        fm_table_add(table, option->key);
        fm_table_add(table, option->default_value);
        fm_table_add(table, fm_cli_choose(option->label, option->label_ko));
    }
    g_autofree char *text = fm_table_format(table);
    g_print("\n%s", text);
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

static void
add_row(FmTable *table, const FmPlan *plan)
{
    g_autofree char *needs = fm_cli_dup_needs(plan);
    const char *summary = fm_cli_choose(plan->summary, plan->summary_ko);

    fm_table_add(table, plan->id);
    fm_table_add(table, *needs != '\0' ? needs : NULL);
    fm_table_add(table, summary != NULL ? summary : fm_cli_choose(plan->name, plan->name_ko));
}

static int
list_plans(bool is_json)
{
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    g_autoptr(FmTable) table = fm_table_new(3);
    json_t *array = json_array();
    int exit_code = FM_EXIT_OK;

    fm_table_add(table, _("Plan"));
    fm_table_add(table, _("Needs"));
    fm_table_add(table, _("What it measures"));
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = (const FmPlanFile *)g_ptr_array_index(files, i);
        g_autoptr(GError) error = NULL;
        g_autoptr(FmPlan) plan = fm_plan_files_load(file->id, NULL, &error);
        if (plan == NULL) {
            /* A broken plan of the user's own must not hide the others. */
            exit_code = fm_cli_fail(error);
            continue;
        }
        add_row(table, plan);
        json_array_append_new(array, plan_to_json(plan));
    }
    if (is_json) {
        fm_cli_print_json(array);
        return exit_code;
    }
    json_decref(array);
    g_autofree char *text = fm_table_format(table);
    g_print("%s", text);
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
