/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan needs and whether it has a form for files is only known by reading it.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/plan-list.h"

#include "store/plan-files.h"

#include <glib/gi18n.h>
#include <string.h>

static void
entry_free_cb(gpointer data)
{
    FmPlanEntry *entry = (FmPlanEntry *)data;

    g_free(entry->id);
    g_free(entry->path);
    g_clear_pointer(&entry->plan, fm_plan_free);
    g_clear_error(&entry->error);
    g_free(entry);
}

static FmPlanGroup
find_group(const FmPlanEntry *entry)
{
    const FmPlan *plan = entry->plan;

    if (plan != NULL && (plan->needs != 0 || !fm_plan_has_file_form(plan))) {
        return FM_PLAN_GROUP_LATER;
    }
    if (entry->path != NULL) {
        return FM_PLAN_GROUP_OWN;
    }
    bool is_first = strcmp(entry->id, "quick") == 0 || g_str_has_prefix(entry->id, "cdm-");
    return is_first ? FM_PLAN_GROUP_FIRST : FM_PLAN_GROUP_FOLDER;
}

/* The order within a group: what most people run, then by name. */
static gint
compare_entries_cb(gconstpointer a, gconstpointer b)
{
    static const char *const first[] = {"quick", "cdm-default", "cdm-nvme"};
    const FmPlanEntry *const entries[] = {*(const FmPlanEntry *const *)a,
                                          *(const FmPlanEntry *const *)b};
    gsize ranks[G_N_ELEMENTS(entries)];

    if (entries[0]->group != entries[1]->group) {
        return entries[0]->group < entries[1]->group ? -1 : 1;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(entries); i++) {
        ranks[i] = 0;
        while (ranks[i] < G_N_ELEMENTS(first) && strcmp(first[ranks[i]], entries[i]->id) != 0) {
            ranks[i]++;
        }
    }
    return ranks[0] != ranks[1] ? (ranks[0] < ranks[1] ? -1 : 1)
                                : strcmp(entries[0]->id, entries[1]->id);
}

const char *
fm_plan_group_get_title(FmPlanGroup group)
{
    static const char *const titles[FM_N_PLAN_GROUPS] = {
        [FM_PLAN_GROUP_OWN] = N_("Your own"),
        [FM_PLAN_GROUP_FIRST] = N_("To begin with"),
        [FM_PLAN_GROUP_FOLDER] = N_("More that runs in a folder"),
        [FM_PLAN_GROUP_LATER] = N_("Not in this version yet"),
    };

    return _(titles[group]);
}

GPtrArray *
fm_plan_list_load(void)
{
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    GPtrArray *entries = g_ptr_array_new_with_free_func(entry_free_cb);

    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = (const FmPlanFile *)g_ptr_array_index(files, i);
        FmPlanEntry *entry = g_new0(FmPlanEntry, 1);
        entry->id = g_strdup(file->id);
        entry->path = g_strdup(file->path);
        entry->plan = fm_plan_files_load(file->id, NULL, &entry->error);
        entry->group = find_group(entry);
        g_ptr_array_add(entries, entry);
    }
    g_ptr_array_sort(entries, compare_entries_cb);
    return entries;
}
