/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three kinds of work run in threads: the whole list once, single files that changed, and
 * headlines one at a time.  Only their results touch the list, on the main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/library-model.h"

#include "store/run-file.h"
#include "ui/run-summary.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    /* A running host appends every 10 s; nobody needs to see that at once. */
    MONITOR_LIMIT_MS = 1000,
};

struct _FmLibraryItem {
    GObject parent_instance;
    FmLibraryEntry *entry;
    char *headline;
    char *haystack; /* all words of the row, folded, for the filter; NULL until asked for */
    bool is_requested;
};

struct _FmLibraryModel {
    GObject parent_instance;
    GPtrArray *items; /* of FmLibraryItem */
    GFileMonitor *monitor;
    bool is_loading;
    GQueue *requests; /* of FmLibraryItem: headlines to read */
    bool is_reading; /* one of them */
    GHashTable *refreshing; /* paths that are being looked at */
    GHashTable *stale; /* paths that changed while they, or the whole list, were being read */
};

/* --- Items ------------------------------------------------------------------------------- */

enum { ITEM_PROP_0, ITEM_PROP_HEADLINE, N_ITEM_PROPS };
static GParamSpec *item_props[N_ITEM_PROPS];

G_DEFINE_FINAL_TYPE(FmLibraryItem, fm_library_item, G_TYPE_OBJECT)

static void
fm_library_item_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    if (id == ITEM_PROP_HEADLINE) {
        g_value_set_string(value, FM_LIBRARY_ITEM(object)->headline);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void
fm_library_item_finalize(GObject *object)
{
    FmLibraryItem *item = FM_LIBRARY_ITEM(object);

    fm_library_entry_free(item->entry);
    g_free(item->headline);
    g_free(item->haystack);
    G_OBJECT_CLASS(fm_library_item_parent_class)->finalize(object);
}

static void
fm_library_item_class_init(FmLibraryItemClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = fm_library_item_get_property;
    object_class->finalize = fm_library_item_finalize;
    item_props[ITEM_PROP_HEADLINE] = g_param_spec_string("headline", NULL, NULL, NULL,
                                                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_ITEM_PROPS, item_props);
}

static void
fm_library_item_init(FmLibraryItem *item)
{
}

/* Takes @entry. */
static FmLibraryItem *
item_new(FmLibraryEntry *entry)
{
    FmLibraryItem *item = g_object_new(FM_TYPE_LIBRARY_ITEM, NULL);

    item->entry = entry;
    return item;
}

const FmLibraryEntry *
fm_library_item_get_entry(FmLibraryItem *item)
{
    g_return_val_if_fail(FM_IS_LIBRARY_ITEM(item), NULL);
    return item->entry;
}

const char *
fm_library_item_get_headline(FmLibraryItem *item)
{
    g_return_val_if_fail(FM_IS_LIBRARY_ITEM(item), NULL);
    return item->headline;
}

/* Folded for comparison; "" for NULL and for what is not UTF-8. */
static char *
dup_folded(const char *text)
{
    g_autofree char *normal =
        text != NULL ? g_utf8_normalize(text, -1, G_NORMALIZE_ALL_COMPOSE) : NULL;

    return g_utf8_casefold(normal != NULL ? normal : "", -1);
}

static const char *
get_haystack(FmLibraryItem *item)
{
    const FmLibraryEntry *entry = item->entry;

    if (item->haystack == NULL) {
        g_autofree char *date = fm_run_summary_dup_date(entry->wall_us);
        g_autofree char *tags = entry->tags != NULL ? g_strjoinv(" ", entry->tags) : NULL;
        const char *const parts[] = {entry->name,
                                     entry->plan_id,
                                     entry->plan_name,
                                     entry->plan_name_ko,
                                     entry->drive,
                                     entry->target_path,
                                     date,
                                     fm_run_summary_get_outcome(entry->outcome),
                                     entry->note,
                                     tags};
        g_autoptr(GString) text = g_string_new(NULL);
        for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
            g_autofree char *folded = dup_folded(parts[i]);
            g_string_append_printf(text, "%s\n", folded);
        }
        item->haystack = g_string_free(g_steal_pointer(&text), FALSE);
    }
    return item->haystack;
}

bool
fm_library_item_matches(FmLibraryItem *item, const char *filter)
{
    g_return_val_if_fail(FM_IS_LIBRARY_ITEM(item), false);
    g_autofree char *folded = dup_folded(filter);
    g_auto(GStrv) words = g_strsplit_set(folded, " \t", -1);

    for (gsize i = 0; words[i] != NULL; i++) {
        if (strstr(get_haystack(item), words[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* --- The list model ---------------------------------------------------------------------- */

static GType
get_item_type(GListModel *model)
{
    return FM_TYPE_LIBRARY_ITEM;
}

static guint
get_n_items(GListModel *model)
{
    return FM_LIBRARY_MODEL(model)->items->len;
}

static gpointer
get_item(GListModel *model, guint position)
{
    GPtrArray *items = FM_LIBRARY_MODEL(model)->items;

    return position < items->len ? g_object_ref(g_ptr_array_index(items, position)) : NULL;
}

static void
list_model_init(GListModelInterface *interface)
{
    interface->get_item_type = get_item_type;
    interface->get_n_items = get_n_items;
    interface->get_item = get_item;
}

enum { PROP_0, PROP_IS_LOADING, N_PROPS };
static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE_WITH_CODE(FmLibraryModel, fm_library_model, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

/* Of paths. */
static GHashTable *
new_set(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static bool
find(FmLibraryModel *model, const char *path, guint *position)
{
    for (guint i = 0; i < model->items->len; i++) {
        FmLibraryItem *item = g_ptr_array_index(model->items, i);
        if (strcmp(item->entry->path, path) == 0) {
            *position = i;
            return true;
        }
    }
    return false;
}

static void
remove_path(FmLibraryModel *model, const char *path)
{
    guint position;

    if (find(model, path, &position)) {
        g_ptr_array_remove_index(model->items, position);
        g_list_model_items_changed(G_LIST_MODEL(model), position, 1, 0);
    }
}

static bool
is_running(const FmLibraryEntry *entry)
{
    return g_strcmp0(entry->outcome, "running") == 0;
}

/* Whether nothing that is shown differs.  A run that goes on grows all the time: its row stays as
 * it is, selected or not, until the run has ended. */
static bool
is_same(const FmLibraryEntry *a, const FmLibraryEntry *b)
{
    return (a->size == b->size || is_running(a)) && a->wall_us == b->wall_us &&
           g_strcmp0(a->outcome, b->outcome) == 0 && g_strcmp0(a->note, b->note) == 0 &&
           g_strcmp0(a->plan_name, b->plan_name) == 0 && g_strcmp0(a->drive, b->drive) == 0;
}

/* Puts @entry where it belongs, in place of what was known of the file.  Takes it. */
static void
put_entry(FmLibraryModel *model, FmLibraryEntry *entry)
{
    guint position;
    guint n_removed = 0;

    if (find(model, entry->path, &position)) {
        FmLibraryItem *old = g_ptr_array_index(model->items, position);
        if (is_same(old->entry, entry)) {
            fm_library_entry_free(entry);
            return;
        }
        n_removed = old->entry->wall_us == entry->wall_us ? 1 : 0;
        if (n_removed == 0) {
            remove_path(model, entry->path);
        } else {
            g_ptr_array_remove_index(model->items, position);
        }
    }
    if (n_removed == 0) {
        position = 0;
        while (position < model->items->len) {
            FmLibraryItem *other = g_ptr_array_index(model->items, position);
            if (fm_library_entry_compare(entry, other->entry) < 0) {
                break;
            }
            position++;
        }
    }
    g_ptr_array_insert(model->items, (int)position, item_new(entry));
    g_list_model_items_changed(G_LIST_MODEL(model), position, n_removed, 1);
}

/* --- Single files ------------------------------------------------------------------------ */

static void
read_entry_cb(GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
    FmLibraryEntry *entry = fm_library_read(path);

    /* Looked for last: a file that went while it was read is gone, not unreadable. */
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_clear_pointer(&entry, fm_library_entry_free);
    }
    g_task_return_pointer(task, entry, (GDestroyNotify)fm_library_entry_free);
}

static void
entry_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLibraryModel *model = FM_LIBRARY_MODEL(source);
    const char *path = g_task_get_task_data(G_TASK(result));
    FmLibraryEntry *entry = g_task_propagate_pointer(G_TASK(result), NULL);

    g_hash_table_remove(model->refreshing, path);
    if (entry != NULL) {
        put_entry(model, entry);
    } else {
        remove_path(model, path);
    }
    if (g_hash_table_remove(model->stale, path)) {
        fm_library_model_refresh(model, path);
    }
}

void
fm_library_model_refresh(FmLibraryModel *model, const char *path)
{
    g_return_if_fail(FM_IS_LIBRARY_MODEL(model));
    g_autofree char *name = g_path_get_basename(path);

    if (!fm_library_is_run_name(name)) {
        return;
    }
    if (model->is_loading || !g_hash_table_add(model->refreshing, g_strdup(path))) {
        g_hash_table_add(model->stale, g_strdup(path));
        return;
    }
    g_autoptr(GTask) task = g_task_new(model, NULL, entry_read_cb, NULL);
    g_task_set_task_data(task, g_strdup(path), g_free);
    g_task_run_in_thread(task, read_entry_cb);
}

static void
monitor_cb(GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
           gpointer user_data)
{
    g_autofree char *path = g_file_get_path(file);
    g_autofree char *other_path = other != NULL ? g_file_get_path(other) : NULL;

    if (path != NULL) {
        fm_library_model_refresh(FM_LIBRARY_MODEL(user_data), path);
    }
    if (other_path != NULL) {
        fm_library_model_refresh(FM_LIBRARY_MODEL(user_data), other_path);
    }
}

static void
watch(FmLibraryModel *model)
{
    g_autofree char *path = fm_library_dir();
    g_autoptr(GFile) folder = g_file_new_for_path(path);

    /* A folder that can't be watched is still listed. */
    model->monitor = g_file_monitor_directory(folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
    if (model->monitor != NULL) {
        g_file_monitor_set_rate_limit(model->monitor, MONITOR_LIMIT_MS);
        g_signal_connect(model->monitor, "changed", G_CALLBACK(monitor_cb), model);
    }
}

/* --- The whole list ---------------------------------------------------------------------- */

static void
read_all_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    g_task_return_pointer(task, fm_library_list(), (GDestroyNotify)g_ptr_array_unref);
}

/* Files that came, went or changed while the list was read. */
static void
refresh_stale(FmLibraryModel *model)
{
    g_autoptr(GHashTable) stale = g_steal_pointer(&model->stale);
    g_autofree gpointer *paths = g_hash_table_get_keys_as_array(stale, NULL);

    model->stale = new_set();
    for (gsize i = 0; paths[i] != NULL; i++) {
        fm_library_model_refresh(model, paths[i]);
    }
}

static void
all_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLibraryModel *model = FM_LIBRARY_MODEL(source);
    g_autoptr(GPtrArray) entries = g_task_propagate_pointer(G_TASK(result), NULL);

    g_ptr_array_set_free_func(entries, NULL);
    for (guint i = 0; i < entries->len; i++) {
        g_ptr_array_add(model->items, item_new(g_ptr_array_index(entries, i)));
    }
    model->is_loading = false;
    g_list_model_items_changed(G_LIST_MODEL(model), 0, 0, model->items->len);
    g_object_notify_by_pspec(G_OBJECT(model), props[PROP_IS_LOADING]);
    refresh_stale(model);
}

static void
load(FmLibraryModel *model)
{
    g_autoptr(GTask) task = g_task_new(model, NULL, all_read_cb, NULL);

    model->is_loading = true;
    g_task_run_in_thread(task, read_all_cb);
}

/* --- Headlines --------------------------------------------------------------------------- */

/* Rows of time are most of a long run and say nothing about its headline. */
static void
drop_rows(FmRun *run, gpointer user_data)
{
    for (guint i = 0; i < run->steps->len; i++) {
        FmRunStep *step = g_ptr_array_index(run->steps, i);
        g_array_set_size(step->ticks, 0);
    }
}

static void
read_headline_cb(GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
    g_autoptr(FmRun) run = fm_run_file_load_in_parts(path, drop_rows, NULL, NULL);

    g_task_return_pointer(task, run != NULL ? fm_run_summary_dup_headline(run) : g_strdup(""),
                          g_free);
}

static void read_next_headline(FmLibraryModel *model);

static void
headline_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLibraryModel *model = FM_LIBRARY_MODEL(source);
    FmLibraryItem *item = user_data;

    item->headline = g_task_propagate_pointer(G_TASK(result), NULL);
    g_object_notify_by_pspec(G_OBJECT(item), item_props[ITEM_PROP_HEADLINE]);
    g_object_unref(item);
    model->is_reading = false;
    read_next_headline(model);
}

static void
read_next_headline(FmLibraryModel *model)
{
    FmLibraryItem *item = NULL;

    if (model->is_reading || (item = g_queue_pop_head(model->requests)) == NULL) {
        return;
    }
    model->is_reading = true;
    g_autoptr(GTask) task = g_task_new(model, NULL, headline_read_cb, item);
    g_task_set_task_data(task, g_strdup(item->entry->path), g_free);
    g_task_run_in_thread(task, read_headline_cb);
}

void
fm_library_model_request_headline(FmLibraryModel *model, FmLibraryItem *item)
{
    g_return_if_fail(FM_IS_LIBRARY_MODEL(model) && FM_IS_LIBRARY_ITEM(item));
    /* Of a run that goes on there is none yet, and reading all of it would disturb it. */
    if (item->is_requested || is_running(item->entry)) {
        return;
    }
    item->is_requested = true;
    g_queue_push_tail(model->requests, g_object_ref(item));
    read_next_headline(model);
}

/* --- Object ------------------------------------------------------------------------------ */

static void
fm_library_model_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    if (id == PROP_IS_LOADING) {
        g_value_set_boolean(value, FM_LIBRARY_MODEL(object)->is_loading);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void
fm_library_model_dispose(GObject *object)
{
    FmLibraryModel *model = FM_LIBRARY_MODEL(object);

    if (model->monitor != NULL) {
        g_file_monitor_cancel(model->monitor);
        g_signal_handlers_disconnect_by_data(model->monitor, model);
        g_clear_object(&model->monitor);
    }
    g_queue_clear_full(model->requests, g_object_unref);
    G_OBJECT_CLASS(fm_library_model_parent_class)->dispose(object);
}

static void
fm_library_model_finalize(GObject *object)
{
    FmLibraryModel *model = FM_LIBRARY_MODEL(object);

    g_ptr_array_unref(model->items);
    g_queue_free(model->requests);
    g_hash_table_unref(model->refreshing);
    g_hash_table_unref(model->stale);
    G_OBJECT_CLASS(fm_library_model_parent_class)->finalize(object);
}

static void
fm_library_model_class_init(FmLibraryModelClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = fm_library_model_get_property;
    object_class->dispose = fm_library_model_dispose;
    object_class->finalize = fm_library_model_finalize;
    props[PROP_IS_LOADING] = g_param_spec_boolean("is-loading", NULL, NULL, FALSE,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, props);
}

static void
fm_library_model_init(FmLibraryModel *model)
{
    model->items = g_ptr_array_new_with_free_func(g_object_unref);
    model->requests = g_queue_new();
    model->refreshing = new_set();
    model->stale = new_set();
}

FmLibraryModel *
fm_library_model_new(void)
{
    FmLibraryModel *model = g_object_new(FM_TYPE_LIBRARY_MODEL, NULL);

    watch(model);
    load(model);
    return model;
}

bool
fm_library_model_is_loading(FmLibraryModel *model)
{
    g_return_val_if_fail(FM_IS_LIBRARY_MODEL(model), false);
    return model->is_loading;
}

FmLibraryItem *
fm_library_model_find(FmLibraryModel *model, const char *path)
{
    g_return_val_if_fail(FM_IS_LIBRARY_MODEL(model), NULL);
    guint position;

    return find(model, path, &position) ? g_ptr_array_index(model->items, position) : NULL;
}
