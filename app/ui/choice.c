/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every look at disk, system or plan files is a task in a thread; its result counts only
 * if nothing newer was asked for meanwhile.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/choice.h"

#include "base/error.h"
#include "base/label.h"
#include "base/text.h"
#include "host/request.h"
#include "store/plan-files.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

/* What a thread found out about a target. */
typedef struct {
    char *text; /* may have moved to another mount point */
    FmTarget *target;
    GError *error;
    GPtrArray *drives; /* of FmDriveInfo, those below the target */
    bool is_on_battery;
} Look;

/* What a thread is asked to look at. */
typedef struct {
    char *text;
    FmSavedTarget saved; /* path NULL = @text is meant as it stands */
} LookRequest;

typedef struct {
    char *id;
    char **settings;
} PlanRequest;

struct _FmChoice {
    GObject parent_instance;
    FmSettings *settings;

    char *target_text;
    Look *look; /* NULL until the first is done */
    unsigned look_serial; /* of the newest task */
    bool is_looking;
    bool allow_buffered;

    char *plan_id;
    FmPlan *plan;
    GError *plan_error;
    GHashTable *options; /* key -> text as typed */
    unsigned plan_serial;
    bool is_loading;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmChoice, fm_choice, G_TYPE_OBJECT)

static void
tell(FmChoice *choice)
{
    g_signal_emit(choice, signals[CHANGED], 0);
}

/* --- Looking at the target ------------------------------------------------------------------ */

static void
look_free(Look *look)
{
    if (look == NULL) {
        return;
    }
    g_free(look->text);
    fm_target_free(look->target);
    g_clear_error(&look->error);
    g_clear_pointer(&look->drives, g_ptr_array_unref);
    g_free(look);
}

static void
look_request_free(LookRequest *request)
{
    g_free(request->text);
    fm_saved_target_clear(&request->saved);
    g_free(request);
}

/* "model serial" of @drive; "" when that names no one drive. */
static char *
dup_identity(const FmDriveInfo *drive)
{
    return *drive->serial != '\0' ? g_strdup_printf("%s %s", drive->model, drive->serial)
                                  : g_strdup("");
}

/* The mount point of @drive that @path lies below: the longest, since they nest. */
static const char *
find_mount(const FmDriveInfo *drive, const char *path)
{
    const char *found = NULL;

    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        gsize length = strlen(mount->path);
        bool is_below =
            strcmp(mount->path, "/") == 0 ||
            (g_str_has_prefix(path, mount->path) && (path[length] == '/' || path[length] == '\0'));
        if (is_below && (found == NULL || length > strlen(found))) {
            found = mount->path;
        }
    }
    return found;
}

static bool
is_mounted_at(const FmDriveInfo *drive, const char *path)
{
    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        if (strcmp(mount->path, path) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Where the remembered place is now.  Its drive may be mounted elsewhere, and another drive
 * may have taken its mount point, in which case the place is gone: NULL.
 */
static char *
find_saved(const FmSavedTarget *saved)
{
    if (*saved->drive == '\0' || *saved->mount == '\0' ||
        !g_str_has_prefix(saved->path, saved->mount)) {
        return g_strdup(saved->path);
    }
    g_autoptr(GPtrArray) drives = plat_drives();
    for (guint i = 0; i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, i);
        g_autofree char *identity = dup_identity(drive);
        if (strcmp(identity, saved->drive) != 0 || drive->mounts->len == 0) {
            continue;
        }
        if (is_mounted_at(drive, saved->mount)) {
            return g_strdup(saved->path);
        }
        const FmMountInfo *first = (const FmMountInfo *)g_ptr_array_index(drive->mounts, 0);
        return g_build_filename(first->path, saved->path + strlen(saved->mount), NULL);
    }
    return NULL;
}

static bool
is_on_battery(void)
{
    g_autoptr(FmFacts) facts = plat_environment();

    return g_strcmp0(fm_facts_get_string(facts, "power.source"), "battery") == 0;
}

static void
look_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    const LookRequest *request = (const LookRequest *)task_data;
    Look *look = g_new0(Look, 1);

    look->text =
        request->saved.path != NULL ? find_saved(&request->saved) : g_strdup(request->text);
    if (look->text != NULL) {
        look->target = fm_request_find_target(look->text, &look->error);
        look->drives = look->target != NULL ? plat_target_drives(look->target->path) : NULL;
    } else {
        look->text = g_strdup(request->saved.path);
        fm_error_set(&look->error, FM_ERROR_GONE, "The drive of “%s” is not there any more",
                     look->text);
    }
    look->is_on_battery = is_on_battery();
    g_task_return_pointer(task, look, (GDestroyNotify)look_free);
}

/* Once it was seen, since only then its drive is known. */
static void
remember_target(FmChoice *choice)
{
    const FmDriveInfo *drive = fm_choice_get_drive(choice);
    const char *mount = drive != NULL ? find_mount(drive, choice->target_text) : NULL;
    g_autofree char *identity = drive != NULL ? dup_identity(drive) : g_strdup("");

    fm_settings_set_target(choice->settings, choice->target_text, identity,
                           mount != NULL ? mount : "");
}

static void
looked_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmChoice *choice = FM_CHOICE(source);
    Look *look = (Look *)g_task_propagate_pointer(G_TASK(result), NULL);

    if (GPOINTER_TO_UINT(user_data) != choice->look_serial) {
        look_free(look); /* something newer was asked for */
        return;
    }
    look_free(choice->look);
    choice->look = look;
    choice->is_looking = false;
    g_free(choice->target_text);
    choice->target_text = g_strdup(look->text);
    if (look->target != NULL) {
        remember_target(choice);
    }
    tell(choice);
}

static void
look(FmChoice *choice, LookRequest *request)
{
    choice->is_looking = true;
    choice->look_serial++;
    g_autoptr(GTask) task =
        g_task_new(choice, NULL, looked_cb, GUINT_TO_POINTER(choice->look_serial));
    g_task_set_task_data(task, request, (GDestroyNotify)look_request_free);
    g_task_run_in_thread(task, look_thread);
}

static void
look_at_text(FmChoice *choice, const char *text)
{
    LookRequest *request = g_new0(LookRequest, 1);

    request->text = g_strdup(text);
    look(choice, request);
}

static void
begin_target(FmChoice *choice)
{
    LookRequest *request = g_new0(LookRequest, 1);

    if (!fm_settings_get_target(choice->settings, &request->saved)) {
        fm_saved_target_clear(&request->saved);
        request->text = g_strdup(g_get_home_dir());
    }
    look(choice, request);
}

void
fm_choice_set_target(FmChoice *choice, const char *text)
{
    g_return_if_fail(text != NULL);
    g_free(choice->target_text);
    choice->target_text = g_strdup(text);
    choice->allow_buffered = false;
    g_clear_pointer(&choice->look, look_free);
    look_at_text(choice, text);
    tell(choice);
}

void
fm_choice_refresh(FmChoice *choice)
{
    if (choice->target_text != NULL && !choice->is_looking) {
        look_at_text(choice, choice->target_text);
    }
}

const char *
fm_choice_get_target_text(FmChoice *choice)
{
    return choice->target_text;
}

const FmTarget *
fm_choice_get_target(FmChoice *choice)
{
    return choice->look != NULL ? choice->look->target : NULL;
}

const GError *
fm_choice_get_target_error(FmChoice *choice)
{
    return choice->look != NULL ? choice->look->error : NULL;
}

const FmDriveInfo *
fm_choice_get_drive(FmChoice *choice)
{
    GPtrArray *drives = choice->look != NULL ? choice->look->drives : NULL;

    return drives != NULL && drives->len > 0 ? (const FmDriveInfo *)g_ptr_array_index(drives, 0)
                                             : NULL;
}

char *
fm_choice_dup_target_title(FmChoice *choice)
{
    const FmDriveInfo *drive = fm_choice_get_drive(choice);
    g_autofree char *place =
        choice->target_text != NULL ? fm_text_dup_printable(choice->target_text) : NULL;

    if (place == NULL) {
        return g_strdup(_("Choose a folder"));
    }
    if (strcmp(place, "null") == 0) {
        return g_strdup(_("Nothing (what Fathom itself costs)"));
    }
    if (g_str_has_prefix(place, "sim:")) {
        return g_strdup_printf(_("Simulated drive “%s”"), place + strlen("sim:"));
    }
    if (drive != NULL && *drive->model != '\0') {
        g_autofree char *model = fm_text_dup_printable(drive->model);
        return g_strdup_printf("%s – %s", model, place);
    }
    return g_steal_pointer(&place);
}

bool
fm_choice_is_on_battery(FmChoice *choice)
{
    return choice->look != NULL && choice->look->is_on_battery;
}

bool
fm_choice_get_allow_buffered(FmChoice *choice)
{
    return choice->allow_buffered;
}

void
fm_choice_set_allow_buffered(FmChoice *choice, bool allow)
{
    choice->allow_buffered = allow;
    tell(choice);
}

/* --- Reading the plan ------------------------------------------------------------------------ */

static void
plan_request_free(PlanRequest *request)
{
    g_free(request->id);
    g_strfreev(request->settings);
    g_free(request);
}

static gint
compare_settings_cb(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "key=value" of what was set, in order of keys.  Caller frees. */
static char **
dup_settings(FmChoice *choice)
{
    g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
    GHashTableIter iter;
    gpointer key;
    gpointer value;

    g_hash_table_iter_init(&iter, choice->options);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        g_ptr_array_add(settings, g_strdup_printf("%s=%s", (char *)key, (char *)value));
    }
    g_ptr_array_sort(settings, compare_settings_cb);
    g_ptr_array_add(settings, NULL);
    return (char **)g_ptr_array_steal(settings, NULL);
}

static void
plan_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    const PlanRequest *request = (const PlanRequest *)task_data;
    GError *error = NULL;
    FmPlan *plan = fm_plan_files_load(request->id, (const char *const *)request->settings, &error);

    if (plan != NULL) {
        g_task_return_pointer(task, plan, (GDestroyNotify)fm_plan_free);
    } else {
        g_task_return_error(task, error);
    }
}

static void
plan_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmChoice *choice = FM_CHOICE(source);
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = (FmPlan *)g_task_propagate_pointer(G_TASK(result), &error);

    if (GPOINTER_TO_UINT(user_data) != choice->plan_serial) {
        return;
    }
    choice->is_loading = false;
    g_clear_pointer(&choice->plan, fm_plan_free);
    g_clear_error(&choice->plan_error);
    choice->plan = g_steal_pointer(&plan);
    choice->plan_error = g_steal_pointer(&error);
    tell(choice);
}

static void
read_plan(FmChoice *choice)
{
    PlanRequest *request = g_new0(PlanRequest, 1);

    request->id = g_strdup(choice->plan_id);
    request->settings = dup_settings(choice);
    choice->is_loading = true;
    choice->plan_serial++;
    g_autoptr(GTask) task =
        g_task_new(choice, NULL, plan_read_cb, GUINT_TO_POINTER(choice->plan_serial));
    g_task_set_task_data(task, request, (GDestroyNotify)plan_request_free);
    g_task_run_in_thread(task, plan_thread);
}

static void
begin_plan(FmChoice *choice, const char *id)
{
    g_auto(GStrv) saved = fm_settings_dup_plan_options(choice->settings, id);

    g_free(choice->plan_id);
    choice->plan_id = g_strdup(id);
    g_clear_pointer(&choice->plan, fm_plan_free);
    g_clear_error(&choice->plan_error);
    g_hash_table_remove_all(choice->options);
    for (char **setting = saved; *setting != NULL; setting++) {
        const char *equals = strchr(*setting, '=');
        if (equals != NULL) {
            g_hash_table_insert(choice->options, g_strndup(*setting, (gsize)(equals - *setting)),
                                g_strdup(equals + 1));
        }
    }
    read_plan(choice);
}

void
fm_choice_set_plan(FmChoice *choice, const char *id_or_path)
{
    g_return_if_fail(id_or_path != NULL);
    if (g_strcmp0(choice->plan_id, id_or_path) == 0 && choice->plan_error == NULL) {
        return;
    }
    begin_plan(choice, id_or_path);
    fm_settings_set_plan(choice->settings, id_or_path);
    tell(choice);
}

const char *
fm_choice_get_plan_id(FmChoice *choice)
{
    return choice->plan_id;
}

const FmPlan *
fm_choice_get_plan(FmChoice *choice)
{
    return choice->plan;
}

const GError *
fm_choice_get_plan_error(FmChoice *choice)
{
    return choice->plan_error;
}

/* The default of option @key of the plan, or NULL. */
static const char *
get_default(FmChoice *choice, const char *key)
{
    for (unsigned i = 0; choice->plan != NULL && i < choice->plan->n_options; i++) {
        if (strcmp(choice->plan->options[i].key, key) == 0) {
            return choice->plan->options[i].default_value;
        }
    }
    return NULL;
}

static void
options_changed(FmChoice *choice)
{
    g_auto(GStrv) settings = dup_settings(choice);

    fm_settings_set_plan_options(choice->settings, choice->plan_id, (const char *const *)settings);
    read_plan(choice);
    tell(choice);
}

void
fm_choice_set_option(FmChoice *choice, const char *key, const char *text)
{
    const char *old = fm_choice_get_option(choice, key);
    bool is_default = text == NULL || g_strcmp0(text, get_default(choice, key)) == 0;

    if (g_strcmp0(old, is_default ? NULL : text) == 0) {
        return;
    }
    if (is_default) {
        g_hash_table_remove(choice->options, key);
    } else {
        g_hash_table_insert(choice->options, g_strdup(key), g_strdup(text));
    }
    options_changed(choice);
}

void
fm_choice_reset_options(FmChoice *choice)
{
    g_hash_table_remove_all(choice->options);
    options_changed(choice);
}

bool
fm_choice_has_options(FmChoice *choice)
{
    return g_hash_table_size(choice->options) > 0;
}

const char *
fm_choice_get_option(FmChoice *choice, const char *key)
{
    return (const char *)g_hash_table_lookup(choice->options, key);
}

/* --- Both together ---------------------------------------------------------------------------- */

static bool
is_file_target(const FmTarget *target)
{
    return target->kind == FM_TARGET_FOLDER || target->kind == FM_TARGET_FILE;
}

bool
fm_choice_is_busy(FmChoice *choice)
{
    return choice->is_looking || choice->is_loading;
}

bool
fm_choice_get_cost(FmChoice *choice, FmPlanCost *cost)
{
    const FmTarget *target = fm_choice_get_target(choice);

    if (choice->plan == NULL) {
        return false;
    }
    FmCostBasis basis = {
        .block_size = target != NULL ? target->block_size : 0,
        .is_file = target == NULL || is_file_target(target),
    };
    *cost = fm_plan_cost(choice->plan, &basis);
    return true;
}

/* The test file, if its size is known before the start; else 0. */
static uint64_t
get_file_size(const FmPlan *plan)
{
    return plan->file_size.relative ? 0 : plan->file_size.value;
}

static char *
dup_space_blocker(FmChoice *choice, const FmTarget *target)
{
    uint64_t needed = get_file_size(choice->plan);

    if (!is_file_target(target) || needed <= target->free_bytes) {
        return NULL;
    }
    g_autofree char *need = fm_label_dup_capacity(needed, true);
    g_autofree char *available = fm_label_dup_capacity(target->free_bytes, true);
    return g_strdup_printf(_("The test file takes %s, but only %s can be written here."), need,
                           available);
}

static char *
dup_sentence(const GError *error)
{
    g_autofree char *text = fm_error_dup_local(error);

    return g_strdup_printf("%s%s", text, g_str_has_suffix(text, ".") ? "" : ".");
}

static char *
dup_plan_blocker(FmChoice *choice)
{
    g_autoptr(GError) error = NULL;

    if (choice->plan_error != NULL) {
        return dup_sentence(choice->plan_error);
    }
    if (choice->plan == NULL) {
        return g_strdup(_("The plan is being read."));
    }
    return fm_request_check_plan(choice->plan, &error) ? NULL : dup_sentence(error);
}

char *
fm_choice_dup_blocker(FmChoice *choice)
{
    const FmTarget *target = fm_choice_get_target(choice);
    char *plan_blocker = dup_plan_blocker(choice);

    if (plan_blocker != NULL) {
        return plan_blocker;
    }
    if (fm_choice_get_target_error(choice) != NULL) {
        return dup_sentence(fm_choice_get_target_error(choice));
    }
    if (target == NULL) {
        return g_strdup(_("The target is being looked at."));
    }
    if (is_file_target(target) && !fm_plan_has_file_form(choice->plan)) {
        return g_strdup(_("This plan is for whole drives; it has no form for files."));
    }
    if (target->verdict == FM_VERDICT_MEMORY && !choice->allow_buffered) {
        return g_strdup(_("This place is memory, not a drive."));
    }
    return dup_space_blocker(choice, target);
}

static void
add_target_warnings(FmChoice *choice, const FmTarget *target, GPtrArray *warnings)
{
    /* Before it is allowed, it is what stands in the way, and said there. */
    if ((target->verdict == FM_VERDICT_MEMORY && choice->allow_buffered) ||
        target->verdict == FM_VERDICT_MAY_BE_CACHED) {
        g_ptr_array_add(warnings,
                        g_strdup(_("What is measured here is memory, not what a drive can do.")));
    }
    if (is_file_target(target) && choice->plan != NULL &&
        get_file_size(choice->plan) > target->free_bytes / 2) {
        g_ptr_array_add(warnings,
                        g_strdup(_("The test file fills more than half of the space left; a "
                                   "drive that full may be slower than it is otherwise.")));
    }
    if (target->kind == FM_TARGET_MODEL) {
        g_ptr_array_add(warnings, g_strdup(_("This drive is simulated; its numbers say nothing "
                                             "about a real one.")));
    }
}

char **
fm_choice_dup_warnings(FmChoice *choice)
{
    const FmTarget *target = fm_choice_get_target(choice);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new();

    if (fm_choice_is_on_battery(choice)) {
        g_ptr_array_add(warnings, g_strdup(_("On battery: the machine may save power, and that "
                                             "slows drives down.")));
    }
    if (target != NULL) {
        add_target_warnings(choice, target, warnings);
    }
    g_ptr_array_add(warnings, NULL);
    return (char **)g_ptr_array_steal(warnings, NULL);
}

FmSessionRequest *
fm_choice_build_request(FmChoice *choice)
{
    g_autofree char *blocker = fm_choice_dup_blocker(choice);

    if (blocker != NULL || fm_choice_is_busy(choice)) {
        return NULL;
    }
    FmSessionRequest *request = fm_request_new(choice->plan, choice->look->target);
    request->settings = dup_settings(choice);
    request->allow_buffered = choice->allow_buffered;
    return request;
}

/* --- GObject ---------------------------------------------------------------------------------- */

static void
fm_choice_finalize(GObject *object)
{
    FmChoice *choice = FM_CHOICE(object);

    look_free(choice->look);
    g_clear_pointer(&choice->plan, fm_plan_free);
    g_clear_error(&choice->plan_error);
    g_hash_table_unref(choice->options);
    g_free(choice->plan_id);
    g_free(choice->target_text);
    g_object_unref(choice->settings);
    G_OBJECT_CLASS(fm_choice_parent_class)->finalize(object);
}

static void
fm_choice_class_init(FmChoiceClass *class)
{
    G_OBJECT_CLASS(class)->finalize = fm_choice_finalize;
    signals[CHANGED] = g_signal_new("changed", FM_TYPE_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
}

static void
fm_choice_init(FmChoice *choice)
{
    choice->options = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

FmChoice *
fm_choice_new(FmSettings *settings)
{
    FmChoice *choice = g_object_new(FM_TYPE_CHOICE, NULL);
    g_autofree char *plan = fm_settings_dup_plan(settings);

    choice->settings = g_object_ref(settings);
    begin_plan(choice, plan != NULL && *plan != '\0' ? plan : FM_CHOICE_DEFAULT_PLAN);
    begin_target(choice);
    return choice;
}
