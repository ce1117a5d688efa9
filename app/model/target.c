/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Life of an FmTarget and the names of verdicts.  It never looks at a disk: platform/
 * finds the facts out and the worker's guard judges.  One thread at a time.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/target.h"

#include <string.h>

#define NULL_NAME "null"
#define MODEL_PREFIX "sim:"

static const char *const verdict_names[] = {
    [FM_VERDICT_UNKNOWN] = "unknown",
    [FM_VERDICT_DIRECT] = "direct",
    [FM_VERDICT_MAY_BE_CACHED] = "may-be-cached",
    [FM_VERDICT_MEMORY] = "memory",
};

static bool
has_path(FmTargetKind kind)
{
    return kind == FM_TARGET_FOLDER || kind == FM_TARGET_FILE || kind == FM_TARGET_DEVICE;
}

FmTarget *
fm_target_new(FmTargetKind kind, const char *path)
{
    FmTarget *target = g_new0(FmTarget, 1);
    target->kind = kind;
    if (path != NULL && has_path(kind)) {
        target->path = g_canonicalize_filename(path, NULL);
    } else {
        target->path = g_strdup(path != NULL ? path : "");
    }
    target->facts = fm_facts_new();
    return target;
}

FmTarget *
fm_target_new_without_place(const char *text)
{
    if (strcmp(text, NULL_NAME) == 0) {
        return fm_target_new(FM_TARGET_NULL, text);
    }
    if (g_str_has_prefix(text, MODEL_PREFIX)) {
        return fm_target_new(FM_TARGET_MODEL, text + strlen(MODEL_PREFIX));
    }
    return NULL;
}

char *
fm_target_dup_text(const FmTarget *target)
{
    switch (target->kind) {
    case FM_TARGET_NULL:
        return g_strdup(NULL_NAME);
    case FM_TARGET_MODEL:
        return g_strconcat(MODEL_PREFIX, target->path, NULL);
    case FM_TARGET_FOLDER:
    case FM_TARGET_FILE:
    case FM_TARGET_DEVICE:
        break;
    }
    return g_strdup(target->path);
}

void
fm_target_free(FmTarget *target)
{
    if (target == NULL) {
        return;
    }
    g_free(target->path);
    fm_message_unref(target->verdict_reason);
    fm_facts_free(target->facts);
    g_free(target);
}

const char *
fm_verdict_name(FmVerdict verdict)
{
    g_return_val_if_fail((unsigned)verdict < G_N_ELEMENTS(verdict_names), "unknown");
    return verdict_names[verdict];
}

FmVerdict
fm_verdict_from_name(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(verdict_names); i++) {
        if (g_strcmp0(name, verdict_names[i]) == 0) {
            return (FmVerdict)i;
        }
    }
    return FM_VERDICT_UNKNOWN;
}

uint64_t
fm_target_reserve(uint64_t volume_bytes)
{
    const uint64_t gibibyte = 1ull << 30;
    return MAX(gibibyte, volume_bytes / 50);
}
