/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The card is made of facts: one that is not known says why, and none is left out
 * because it looks bad.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/card.h"

#include "base/label.h"
#include "base/message.h"
#include "base/units.h"
#include "cli/cli.h"
#include "model/plan-cost.h"

#include <glib/gi18n.h>
#include <string.h>

static void
add_row(FmCliTable *table, const char *name, const char *value)
{
    fm_cli_table_add(table, name);
    fm_cli_table_add(table, value);
}

/* The value of a fact, or "unknown (reason)"; NULL when nobody looked. */
static char *
dup_fact(const FmFacts *facts, const char *name)
{
    const char *value = fm_facts_get_string(facts, name);
    const char *reason = fm_facts_get_reason(facts, name);

    if (value != NULL) {
        return g_strdup(value);
    }
    if (reason == NULL) {
        return NULL;
    }
    g_autoptr(FmMessage) message = fm_message_new_words(reason);
    g_autofree char *said = fm_message_dup_local(message);
    return g_strdup_printf(_("unknown (%s)"), said);
}

static void
add_fact_row(FmCliTable *table, const char *title, const FmFacts *facts, const char *name)
{
    g_autofree char *value = dup_fact(facts, name);

    if (value != NULL) {
        add_row(table, title, value);
    }
}

/* What is known about trust before the run has probed it. */
static char *
dup_verdict(const FmTarget *target)
{
    static const char *const titles[] = {
        [FM_VERDICT_UNKNOWN] = N_("not known yet; the run finds out before it measures"),
        [FM_VERDICT_DIRECT] = N_("direct: the numbers are the drive's"),
        [FM_VERDICT_MAY_BE_CACHED] = N_("may be cached: the numbers may not be the drive's"),
        [FM_VERDICT_MEMORY] = N_("memory: this is not a drive"),
    };
    const char *title = _(titles[target->verdict]);
    g_autofree char *reason = fm_message_dup_local(target->verdict_reason);

    return *reason != '\0' ? g_strdup_printf("%s (%s)", title, reason) : g_strdup(title);
}

static void
add_target(FmCliTable *table, const FmTarget *target)
{
    switch (target->kind) {
    case FM_TARGET_NULL:
        add_row(table, _("Target"), _("nothing: measures what Fathom itself costs"));
        break;
    case FM_TARGET_MODEL: {
        g_autofree char *text =
            g_strdup_printf(_("model drive “%s” (simulated, no real drive)"), target->path);
        add_row(table, _("Target"), text);
        break;
    }
    case FM_TARGET_FOLDER:
    case FM_TARGET_FILE:
    case FM_TARGET_DEVICE: {
        g_autofree char *available = fm_label_dup_capacity(target->free_bytes, true);
        g_autofree char *verdict = dup_verdict(target);
        add_row(table, _("Target"), target->path);
        add_fact_row(table, _("File system"), target->facts, "fs.summary");
        add_fact_row(table, _("Stored on"), target->facts, "stack.description");
        add_row(table, _("Available"), available);
        add_row(table, _("Verdict"), verdict);
        break;
    }
    }
}

/* "64M" is shown as the "64 MiB" it is taken for. */
static char *
dup_option_value(const FmOption *option)
{
    uint64_t bytes;
    g_autofree char *spelling = NULL;

    if (option->kind == FM_OPTION_SIZE &&
        fm_units_parse_size(option->value, &bytes, &spelling, NULL)) {
        return g_steal_pointer(&spelling);
    }
    return g_strdup(option->value);
}

static char *
dup_options(const FmPlan *plan)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (unsigned i = 0; i < plan->n_options; i++) {
        g_autofree char *value = dup_option_value(&plan->options[i]);
        g_string_append_printf(text, "%s%s=%s", i > 0 ? ", " : "", plan->options[i].key, value);
    }
    return g_strdup(text->str);
}

/* What is measured for a time writes the more the faster the drive is. */
static char *
dup_written(const FmPlanCost *cost, const FmTarget *target)
{
    g_autofree char *capacity = fm_label_dup_capacity(cost->bytes_written, true);

    if (target->kind == FM_TARGET_NULL || target->kind == FM_TARGET_MODEL) {
        return g_strdup(_("nothing"));
    }
    if (!cost->bytes_is_estimate) {
        return g_strdup_printf(_("at most %s"), capacity);
    }
    g_autofree char *speed = fm_label_dup_capacity(FM_COST_BYTES_PER_SECOND, true);
    return g_strdup_printf(_("about %s; more where the drive writes faster than %s/s"), capacity,
                           speed);
}

static void
add_plan(FmCliTable *table, const FmPlan *plan, const FmTarget *target)
{
    g_autofree char *name =
        g_strdup_printf("%s (%s)", fm_message_choose(plan->name, plan->name_ko), plan->id);
    FmCostBasis basis = {
        .block_size = target->block_size,
        .is_file = target->kind == FM_TARGET_FOLDER || target->kind == FM_TARGET_FILE,
    };
    FmPlanCost cost = fm_plan_cost(plan, &basis);
    g_autofree char *duration = fm_label_dup_clock(cost.time_ns);
    g_autofree char *about =
        g_strdup_printf(cost.time_is_open ? _("at least %s") : _("about %s"), duration);
    g_autofree char *written = dup_written(&cost, target);

    add_row(table, _("Plan"), name);
    if (plan->n_options > 0) {
        g_autofree char *options = dup_options(plan);
        add_row(table, _("Options"), options);
    }
    add_row(table, _("Takes"), about);
    add_row(table, _("Writes"), written);
}

char *
fm_card_dup(const FmPlan *plan, const FmTarget *target)
{
    g_autoptr(FmCliTable) table = fm_cli_table_new(2);

    add_target(table, target);
    add_plan(table, plan, target);
    return fm_cli_table_format(table, fm_cli_get_columns());
}
