/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be told before a host is started is told here, so that nobody waits for a test
 * file to be written only to be refused.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "host/request.h"

#include "base/error.h"
#include "platform/platform.h"

FmTarget *
fm_request_find_target(const char *text, GError **error)
{
    g_autoptr(FmTarget) target = fm_target_new_without_place(text);

    if (target == NULL) {
        g_autofree char *path = g_canonicalize_filename(text, NULL);
        target = plat_target_examine(path, error);
    }
    if (target != NULL && target->kind == FM_TARGET_DEVICE) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” is a whole drive; this version tests folders and files on it, "
                     "and never writes to a drive directly",
                     text);
        return NULL;
    }
    return g_steal_pointer(&target);
}

bool
fm_request_check_plan(const FmPlan *plan, GError **error)
{
    g_autofree char *needs = fm_plan_dup_needs(plan);

    if (*needs != '\0') {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "The plan “%s” needs what this version can't do: %s", plan->id, needs);
    }
    return *needs == '\0';
}

/* For the name of the run file; NULL = not known. */
static char *
dup_drive_model(const FmTarget *target)
{
    if (target->kind != FM_TARGET_FOLDER && target->kind != FM_TARGET_FILE) {
        return NULL;
    }
    g_autoptr(GPtrArray) drives = plat_target_drives(target->path);
    if (drives->len == 0) {
        return NULL;
    }
    const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, 0);
    return *drive->model != '\0' ? g_strdup(drive->model) : NULL;
}

FmSessionRequest *
fm_request_new(const FmPlan *plan, const FmTarget *target)
{
    FmSessionRequest *request = g_new0(FmSessionRequest, 1);

    request->plan_text = g_strdup(plan->canonical);
    request->plan_id = g_strdup(plan->id);
    request->target = fm_target_dup_text(target);
    request->drive = dup_drive_model(target);
    request->keep_free = G_MAXUINT64;
    return request;
}

void
fm_request_free(FmSessionRequest *request)
{
    if (request == NULL) {
        return;
    }
    g_free(request->plan_text);
    g_free(request->plan_id);
    g_strfreev(request->settings);
    g_free(request->target);
    g_free(request->backend);
    g_free(request->backend_options);
    g_free(request->output);
    g_free(request->drive);
    g_free(request);
}
