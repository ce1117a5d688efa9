/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All backends by name.  Looks things up and nothing else: opening a target and
 * choosing among them is the engine's.  Constant data, any thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/backends.h"

#include "base/error.h"
#include "engine/backend-filter.h"

#include <string.h>

static const FmBackend *const extras[] = {
    &fm_backend_null, &fm_backend_sim, &fm_backend_fault, &fm_backend_record, NULL,
};

static bool
is_filter(const FmBackend *backend)
{
    return backend == &fm_backend_fault || backend == &fm_backend_record;
}

static const FmBackend *
find(const FmBackend *const *list, const char *name)
{
    for (; *list; list++) {
        if (strcmp((*list)->name, name) == 0) {
            return *list;
        }
    }
    return NULL;
}

const FmBackend *
fm_backend_find(const char *name)
{
    const FmBackend *backend = find(plat_backends(), name);

    return backend ? backend : find(extras, name);
}

const FmBackend *
fm_backend_parse(const char *text, const FmBackend **below, GError **error)
{
    g_auto(GStrv) names = g_strsplit(text, ":", 2);
    const FmBackend *backend = names[0] ? fm_backend_find(names[0]) : NULL;

    *below = names[0] && names[1] ? fm_backend_find(names[1]) : NULL;
    if (!backend || (names[1] && !*below)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no backend “%s” in this build of the program",
                     backend ? names[1] : text);
        return NULL;
    }
    if (is_filter(backend) != (*below != NULL) || (*below && is_filter(*below))) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” is not a backend: only a filter stands over another, as in “fault:sync”",
                     text);
        return NULL;
    }
    return backend;
}

const FmBackend *const *
fm_backend_probe_order(void)
{
    return plat_backends();
}

uint32_t
fm_backend_get_caps(const FmBackend *backend, const FmBackend *below)
{
    return below ? backend->caps & below->caps : backend->caps;
}

FmBackendTarget *
fm_backend_get_bottom(const FmBackend *backend, FmBackendTarget *target)
{
    return is_filter(backend) ? ((FmFilter *)target)->target : target;
}
