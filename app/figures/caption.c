/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The caption below every figure: what was tested, how, where, when (DESIGN 5.4).  Recorded
 * facts alone; what the run does not know is called unknown.  Never guesses.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/label.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

typedef struct {
    const FmBuilder *builder;
    GString *text;
} Caption;

static void
append_part(Caption *caption, const char *part)
{
    g_autofree char *printable = fm_text_dup_printable(part);

    g_string_append_printf(caption->text, "%s%s", caption->text->len > 0 ? " · " : "", printable);
}

static const char *
say_unknown(const Caption *caption)
{
    return fm_say(caption->builder, "unknown");
}

/* The fact, or "unknown". */
static const char *
get_fact(const Caption *caption, const FmFacts *facts, const char *name)
{
    const char *value = fm_facts_get_string(facts, name);

    return value != NULL && *value != '\0' ? value : say_unknown(caption);
}

/* --- The drive --------------------------------------------------------------------- */

/* "16.0 GT/s PCIe" and 4 lanes are "PCIe 4.0 ×4".  NULL when the link is not known. */
static char *
dup_link(const FmRun *run)
{
    static const struct {
        double speed;
        const char *generation;
    } links[] = {{2.5, "1.0"}, {5, "2.0"}, {8, "3.0"}, {16, "4.0"}, {32, "5.0"}, {64, "6.0"}};
    const char *speed = fm_facts_get_string(run->drive, "pcie.speed");
    uint64_t width;

    if (speed == NULL || !fm_facts_get_uint(run->drive, "pcie.width", &width)) {
        return NULL;
    }
    double gigatransfers = g_ascii_strtod(speed, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(links); i++) {
        if (fabs(gigatransfers - links[i].speed) < 0.01) {
            return g_strdup_printf("PCIe %s ×%" G_GUINT64_FORMAT, links[i].generation, width);
        }
    }
    return g_strdup_printf("PCIe %s ×%" G_GUINT64_FORMAT, speed, width);
}

static void
append_drive(Caption *caption)
{
    const FmBuilder *builder = caption->builder;
    const FmRun *run = builder->run;
    g_autofree char *link = dup_link(run);
    uint64_t size;
    uint64_t block;

    bool has_size = fm_facts_get_uint(run->drive, "drive.size-bytes", &size);
    g_autofree char *capacity =
        has_size ? fm_label_dup_capacity(size, true) : g_strdup(say_unknown(caption));
    const char *model = fm_facts_get_string(run->drive, "drive.model");
    g_autofree char *named =
        model != NULL ? g_strdup(model) : g_strdup(fm_say(builder, "Drive of unknown model"));
    g_autofree char *drive =
        g_strdup_printf(fm_say(builder, "%s, %s, firmware %s"), named, capacity,
                        get_fact(caption, run->drive, "drive.firmware"));
    append_part(caption, drive);

    const char *bus = get_fact(caption, run->drive, "drive.bus");
    g_autofree char *bus_text =
        link != NULL ? g_strdup(link) : g_strdup_printf(fm_say(builder, "bus %s"), bus);
    append_part(caption, bus_text);

    bool has_block = fm_facts_get_uint(run->drive, "drive.logical-block", &block);
    g_autofree char *lba = has_block ? g_strdup_printf("LBA %" G_GUINT64_FORMAT " B", block)
                                     : g_strdup_printf("LBA %s", say_unknown(caption));
    append_part(caption, lba);
}

/* --- The machine ------------------------------------------------------------------- */

static void
append_system(Caption *caption)
{
    const FmBuilder *builder = caption->builder;
    const FmRun *run = builder->run;
    const char *kernel = get_fact(caption, run->environment, "kernel.release");
    g_autofree char *driver =
        g_strdup_printf(fm_say(builder, "driver %s"), get_fact(caption, run->drive, "pcie.driver"));
    g_autofree char *system =
        g_strdup_printf("%s, %s", get_fact(caption, run->environment, "os.name"), kernel);

    if (g_strcmp0(run->target_kind, "model") != 0 && g_strcmp0(run->target_kind, "null") != 0) {
        append_part(caption, driver);
    }
    append_part(caption, system);
    append_part(caption, get_fact(caption, run->environment, "cpu.model"));
}

/* Backends and modes that were used, each once. */
static void
append_engine(Caption *caption)
{
    enum { MAX_NAMES = 3 };
    const FmRun *run = caption->builder->run;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < run->steps->len && names->len <= MAX_NAMES; i++) {
        const FmRunStep *step = run->steps->pdata[i];
        if (step->backend == NULL) {
            continue;
        }
        g_autofree char *name = step->mode != NULL
                                    ? g_strdup_printf("%s %s", step->backend, step->mode)
                                    : g_strdup(step->backend);
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
            g_ptr_array_add(names, names->len < MAX_NAMES ? g_steal_pointer(&name) : g_strdup("…"));
        }
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *joined = g_strjoinv(", ", (char **)names->pdata);
    g_autofree char *text = g_strdup_printf(fm_say(caption->builder, "backend %s"),
                                            *joined != '\0' ? joined : say_unknown(caption));
    append_part(caption, text);
}

/* --- The target -------------------------------------------------------------------- */

static const char *
say_verdict(const Caption *caption)
{
    const char *verdict = caption->builder->run->verdict;

    if (g_strcmp0(verdict, "direct") == 0) {
        return fm_say(caption->builder, "direct");
    }
    if (g_strcmp0(verdict, "may-be-cached") == 0) {
        return fm_say(caption->builder, "may be cached");
    }
    if (g_strcmp0(verdict, "memory") == 0) {
        return fm_say(caption->builder, "memory");
    }
    return say_unknown(caption);
}

static void
append_target(Caption *caption)
{
    const FmBuilder *builder = caption->builder;
    const FmRun *run = builder->run;
    g_autofree char *size =
        run->target_size > 0 ? fm_units_dup_size(run->target_size) : g_strdup(say_unknown(caption));
    g_autofree char *text =
        g_strcmp0(run->target_kind, "device") == 0
            ? g_strdup_printf(fm_say(builder, "whole device, verdict %s"), say_verdict(caption))
            : g_strdup_printf(fm_say(builder, "file of %s on %s, verdict %s"), size,
                              get_fact(caption, run->target, "fs.type"), say_verdict(caption));

    append_part(caption, text);
}

/* How often the target was written before the first score, from the steps that say so. */
static double
get_preconditioned_passes(const FmRun *run)
{
    double bytes = 0;

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = run->steps->pdata[i];
        if (g_strcmp0(step->kind, "precondition") == 0) {
            bytes += (double)step->bytes[FM_OP_WRITE];
        }
    }
    return run->target_size > 0 ? bytes / (double)run->target_size : NAN;
}

static void
append_state(Caption *caption)
{
    const FmBuilder *builder = caption->builder;
    const FmRun *run = builder->run;
    double passes = get_preconditioned_passes(run);
    uint64_t size;
    uint64_t available;

    if (fm_facts_get_uint(run->target, "fs.size-bytes", &size) && size > 0 &&
        fm_facts_get_uint(run->target, "fs.available-bytes", &available)) {
        double full = 1 - MIN(1, (double)available / (double)size);
        g_autofree char *number = fm_label_dup_decimal(full * 100, 0);
        g_autofree char *text = g_strdup_printf(fm_say(builder, "volume %s %% full"), number);
        append_part(caption, text);
    } else {
        g_autofree char *text =
            g_strdup_printf(fm_say(builder, "fill level %s"), say_unknown(caption));
        append_part(caption, text);
    }
    if (passes > 0) {
        g_autofree char *number = fm_label_dup_decimal(passes, 1);
        g_autofree char *text = g_strdup_printf(fm_say(builder, "preconditioned %s×"), number);
        append_part(caption, text);
    } else {
        append_part(caption, fm_say(builder, "not preconditioned in this run"));
    }
}

/* The range of the whole run. */
static void
append_temperature(Caption *caption)
{
    const FmRun *run = caption->builder->run;
    int least = G_MAXINT;
    int most = G_MININT;

    for (guint i = 0; i < run->steps->len; i++) {
        const GArray *ticks = ((const FmRunStep *)run->steps->pdata[i])->ticks;
        /* A drive's sensor is read far less often than ten times a second. */
        for (guint k = 0; k < ticks->len; k += 10) {
            int now = g_array_index(ticks, FmTick, k).temperature_dc;
            if (now != FM_TEMPERATURE_UNKNOWN) {
                least = MIN(least, now);
                most = MAX(most, now);
            }
        }
    }
    g_autofree char *text =
        most < least
            ? g_strdup_printf(fm_say(caption->builder, "temperature %s"), say_unknown(caption))
        : most - least < 10 ? g_strdup_printf("%.0f °C", most / 10.0)
                            : g_strdup_printf("%.0f–%.0f °C", least / 10.0, most / 10.0);
    append_part(caption, text);
}

/* --- The run ----------------------------------------------------------------------- */

static void
append_run(Caption *caption)
{
    const FmRun *run = caption->builder->run;
    const char *hash = run->plan_hash;
    g_autoptr(GDateTime) date =
        run->wall_us > 0 ? g_date_time_new_from_unix_utc(run->wall_us / G_USEC_PER_SEC) : NULL;
    g_autofree char *program = g_strdup_printf(
        "Fathom %s, %s@%.8s", run->version != NULL ? run->version : say_unknown(caption),
        run->plan_id != NULL ? run->plan_id : say_unknown(caption),
        hash != NULL && *hash != '\0' ? hash : "?");
    append_part(caption, program);

    g_autofree char *day =
        date != NULL
            ? g_strdup_printf("%04d-%02d-%02d", g_date_time_get_year(date),
                              g_date_time_get_month(date), g_date_time_get_day_of_month(date))
            : g_strdup_printf(fm_say(caption->builder, "date %s"), say_unknown(caption));
    append_part(caption, day);
}

/* How often each row was measured. */
static void
append_repeats(Caption *caption)
{
    const GPtrArray *rows = caption->builder->table->rows;
    unsigned least = G_MAXUINT;
    unsigned most = 0;

    for (guint i = 0; i < rows->len; i++) {
        const FmCdmRow *row = rows->pdata[i];
        if (row->n_results > 0) {
            least = MIN(least, row->n_results);
            most = MAX(most, row->n_results);
        }
    }
    if (most > 0) {
        g_autofree char *text = fm_builder_dup_runs(caption->builder, least, most);
        append_part(caption, text);
    }
}

char *
fm_builder_dup_caption(const FmBuilder *builder)
{
    Caption caption = {builder, g_string_new(NULL)};
    const FmRun *run = builder->run;
    const char *path = run->target_path != NULL ? run->target_path : "?";

    if (g_strcmp0(run->target_kind, "null") == 0) {
        append_part(&caption, fm_say(builder, "No drive: what the program itself costs"));
    } else if (g_strcmp0(run->target_kind, "model") == 0) {
        g_autofree char *size = run->target_size > 0 ? fm_units_dup_size(run->target_size)
                                                     : g_strdup(say_unknown(&caption));
        g_autofree char *text = g_strdup_printf(
            fm_say(builder, "Model drive “%s”, simulated; %s of it used"), path, size);
        append_part(&caption, text);
    } else {
        append_drive(&caption);
        append_target(&caption);
        append_state(&caption);
        append_temperature(&caption);
    }
    append_engine(&caption);
    append_system(&caption);
    append_run(&caption);
    append_repeats(&caption);
    return g_string_free(caption.text, FALSE);
}

char *
fm_caption_dup(const FmRun *run, const FmFigureOptions *options)
{
    g_auto(FmBuilder) builder = {0};

    fm_builder_init(&builder, run, options);
    return fm_builder_dup_caption(&builder);
}
