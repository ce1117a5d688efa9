/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Life and small arithmetic of plans.  No I/O; a finished plan is immutable and may
 * be shared between threads.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan.h"

enum { NS_PER_SECOND = 1000 * 1000 * 1000 };

static void
stream_clear(FmStream *stream)
{
    g_clear_pointer(&stream->id, g_free);
    g_clear_pointer(&stream->blocks, g_free);
}

static void
option_clear(FmOption *option)
{
    g_free(option->key);
    g_free(option->label);
    g_free(option->label_ko);
    g_free(option->value);
    g_free(option->default_value);
    g_free(option->minimum);
    g_free(option->maximum);
    g_strfreev(option->choices);
}

static void
phase_free_cb(gpointer data)
{
    fm_phase_free(data);
}

void
fm_phase_free(FmPhase *phase)
{
    if (phase == NULL) {
        return;
    }
    for (unsigned i = 0; i < phase->n_streams; i++) {
        stream_clear(&phase->streams[i]);
    }
    for (unsigned i = 0; i < phase->n_axes; i++) {
        g_free(phase->axes[i].target);
        g_free(phase->axes[i].values);
    }
    g_free(phase->streams);
    g_free(phase->axes);
    g_free(phase->id);
    g_free(phase->label);
    g_free(phase->label_ko);
    g_free(phase->workload);
    g_free(phase->instruction);
    g_free(phase->instruction_ko);
    g_free(phase->until_steady);
    g_free(phase->search_target);
    g_free(phase->limits);
    g_free(phase->rate_percents);
    g_clear_pointer(&phase->children, g_ptr_array_unref);
    g_free(phase);
}

static void
copy_streams(FmPhase *copy, const FmPhase *phase)
{
    copy->streams = g_memdup2(phase->streams, phase->n_streams * sizeof *phase->streams);
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *from = &phase->streams[i];
        copy->streams[i].id = g_strdup(from->id);
        copy->streams[i].blocks = g_memdup2(from->blocks, from->n_blocks * sizeof *from->blocks);
    }
}

static void
copy_axes(FmPhase *copy, const FmPhase *phase)
{
    copy->axes = g_memdup2(phase->axes, phase->n_axes * sizeof *phase->axes);
    for (unsigned i = 0; i < phase->n_axes; i++) {
        const FmSweepAxis *from = &phase->axes[i];
        copy->axes[i].target = g_strdup(from->target);
        copy->axes[i].values = g_memdup2(from->values, from->n_values * sizeof *from->values);
    }
}

FmPhase *
fm_phase_copy(const FmPhase *phase)
{
    FmPhase *copy = g_memdup2(phase, sizeof *phase);
    copy_streams(copy, phase);
    copy_axes(copy, phase);
    copy->id = g_strdup(phase->id);
    copy->label = g_strdup(phase->label);
    copy->label_ko = g_strdup(phase->label_ko);
    copy->workload = g_strdup(phase->workload);
    copy->instruction = g_strdup(phase->instruction);
    copy->instruction_ko = g_strdup(phase->instruction_ko);
    copy->until_steady = g_strdup(phase->until_steady);
    copy->search_target = g_strdup(phase->search_target);
    copy->limits = g_memdup2(phase->limits, phase->n_limits * sizeof *phase->limits);
    copy->rate_percents =
        g_memdup2(phase->rate_percents, phase->n_rate_percents * sizeof *phase->rate_percents);
    if (phase->children != NULL) {
        copy->children = g_ptr_array_new_with_free_func(phase_free_cb);
        for (guint i = 0; i < phase->children->len; i++) {
            g_ptr_array_add(copy->children, fm_phase_copy(phase->children->pdata[i]));
        }
    }
    return copy;
}

void
fm_plan_free(FmPlan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (unsigned i = 0; i < plan->n_options; i++) {
        option_clear(&plan->options[i]);
    }
    g_free(plan->options);
    g_free(plan->id);
    g_free(plan->name);
    g_free(plan->name_ko);
    g_free(plan->summary);
    g_free(plan->summary_ko);
    g_free(plan->edition);
    g_free(plan->workload);
    g_free(plan->canonical);
    fm_phase_free(plan->root);
    g_free(plan);
}

bool
fm_pacing_is_used(const FmPacing *pacing)
{
    return pacing->ios_per_second > 0 || pacing->bytes_per_second > 0 ||
           pacing->percent_of_peak > 0 || pacing->gap_every > 0;
}

bool
fm_plan_has_file_form(const FmPlan *plan)
{
    return plan->file_size.value > 0;
}

uint64_t
fm_extent_resolve(FmExtent extent, uint64_t target_size, uint64_t alignment)
{
    uint64_t bytes = extent.value;
    if (extent.relative) {
        bytes = (uint64_t)((unsigned __int128)target_size * extent.value / 1000000);
    }
    bytes = MIN(bytes, target_size);
    return bytes & ~(alignment - 1);
}

unsigned
fm_stream_threads(const FmStream *stream, unsigned cores)
{
    if (stream->threads != 0) {
        return stream->threads;
    }
    if (stream->in_flight <= 32) {
        return 1;
    }
    /* METHODOLOGY 19.1.17: a power of two that divides the depth, so that every
     * thread keeps the same number outstanding. */
    unsigned threads = cores >= 6 ? 4 : 2;
    while (stream->in_flight % threads != 0) {
        threads /= 2;
    }
    return threads;
}

/* "4KiB", "1MiB", "1536": the largest binary unit that divides @bytes. */
static char *
format_bytes(uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    while (unit + 1 < G_N_ELEMENTS(units) && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT "%s", bytes, units[unit]);
}

char *
fm_plan_dup_needs(const FmPlan *plan)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (uint32_t need = 1; need != 0 && need <= plan->needs; need <<= 1) {
        if ((plan->needs & need) != 0) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   fm_need_name((FmNeed)need));
        }
    }
    return g_strdup(text->str);
}

char *
fm_parameter_format(FmParameter parameter, uint64_t value)
{
    const char *name = fm_parameter_name(parameter);
    g_autofree char *bytes = NULL;
    switch (parameter) {
    case FM_PARAMETER_IN_FLIGHT:
    case FM_PARAMETER_THREADS:
        return g_strdup_printf("%s=%" G_GUINT64_FORMAT, name, value);
    case FM_PARAMETER_READ_SHARE:
        if (value % 100 != 0) {
            return g_strdup_printf("%s=%" G_GUINT64_FORMAT ".%02u%%", name, value / 100,
                                   (unsigned)(value % 100));
        }
        return g_strdup_printf("%s=%" G_GUINT64_FORMAT "%%", name, value / 100);
    case FM_PARAMETER_REGION_SIZE:
        if (value == FM_REGION_WHOLE) {
            return g_strdup_printf("%s=all", name);
        }
        /* fallthrough */
    case FM_PARAMETER_BLOCK_SIZE:
        bytes = format_bytes(value);
        return g_strdup_printf("%s=%s", name, bytes);
    case FM_PARAMETER_REST_TIME:
        if (value % NS_PER_SECOND == 0) {
            return g_strdup_printf("%s=%" G_GUINT64_FORMAT "s", name, value / NS_PER_SECOND);
        }
        return g_strdup_printf("%s=%" G_GUINT64_FORMAT "ns", name, value);
    }
    g_return_val_if_reached(NULL);
}
