/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run's own voice and its sense of time.  Control thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/run-context.h"

#include "engine/backend-sim.h"
#include "engine/backends.h"
#include "model/frame.h"

#include <stdarg.h>
#include <time.h>

enum {
    REST_POLL_NS = 10000000,
};

void
fm_run_emit(FmRunContext *run, FmFrameKind kind, GVariant *dictionary)
{
    g_autoptr(GVariant) normal = fm_frame_normalise(dictionary);
    const FmSink *sink = &run->options->sink;

    sink->emit(sink->user_data, kind, g_variant_get_data(normal), g_variant_get_size(normal));
}

void
fm_run_note(FmRunContext *run, const char *kind, int64_t step, const char *format, ...)
{
    GVariantBuilder builder;
    va_list arguments;

    va_start(arguments, format);
    g_autoptr(FmMessage) text = fm_message_new_valist(format, arguments);
    va_end(arguments);

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "kind", g_variant_new_string(kind));
    fm_message_add(&builder, "text", text);
    if (step >= 0) {
        g_variant_builder_add(&builder, "{sv}", "step", g_variant_new_uint32((guint32)step));
    }
    fm_run_emit(run, FM_FRAME_NOTE, g_variant_builder_end(&builder));
}

static FmBackendTarget *
find_model(const FmRunContext *run)
{
    if (run->sim_target == NULL ||
        (fm_backend_get_caps(run->backend, run->below) & FM_CAP_VIRTUAL_TIME) == 0) {
        return NULL;
    }
    return fm_backend_get_bottom(run->backend, run->sim_target);
}

int64_t
fm_run_now_ns(FmRunContext *run)
{
    FmBackendTarget *model = find_model(run);
    return model != NULL ? (int64_t)fm_sim_now(model) : plat_clock_monotonic_ns();
}

bool
fm_run_rest(FmRunContext *run, int64_t ns)
{
    FmBackendTarget *model = find_model(run);

    if (model != NULL) {
        fm_sim_advance(model, (uint64_t)ns);
        return !atomic_load(&run->stop_requested);
    }
    int64_t deadline = plat_clock_monotonic_ns() + ns;
    while (!atomic_load(&run->stop_requested)) {
        int64_t left = deadline - plat_clock_monotonic_ns();
        if (atomic_load(&run->pause_requested)) {
            /* A pause is a rest too, but it does not shorten the planned one. */
            deadline += REST_POLL_NS;
        } else if (left <= 0) {
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = CLAMP(left, 1, REST_POLL_NS)}, NULL);
    }
    return false;
}
