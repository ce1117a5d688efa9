/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says only what the run itself recorded.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/run-summary.h"

#include "base/label.h"
#include "base/message.h"
#include "base/text.h"
#include "store/run-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* --- Names ------------------------------------------------------------------------------- */

char *
fm_run_summary_dup_date(gint64 wall_us)
{
    g_autoptr(GDateTime) date =
        wall_us > 0 ? g_date_time_new_from_unix_local(wall_us / G_USEC_PER_SEC) : NULL;

    /* Not g_date_time_format(): its digits are the locale's. */
    return date == NULL
               ? g_strdup(_("unknown"))
               : g_strdup_printf("%04d-%02d-%02d %02d:%02d", g_date_time_get_year(date),
                                 g_date_time_get_month(date), g_date_time_get_day_of_month(date),
                                 g_date_time_get_hour(date), g_date_time_get_minute(date));
}

const char *
fm_run_summary_get_outcome(const char *outcome)
{
    static const struct {
        const char *outcome;
        const char *title;
    } titles[] = {
        {"complete", N_("complete")},     {"stopped", N_("stopped")}, {"failed", N_("failed")},
        {"refused", N_("refused")},       {"cut off", N_("cut off")}, {"running", N_("running")},
        {"unreadable", N_("unreadable")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(titles); i++) {
        if (g_strcmp0(outcome, titles[i].outcome) == 0) {
            return _(titles[i].title);
        }
    }
    return outcome != NULL ? outcome : "";
}

/* What was tested: the drive, or the place where it is not known. */
static const char *
get_subject(const FmRun *run)
{
    const char *drive = fm_facts_get_string(run->drive, "drive.model");

    return drive != NULL && *drive != '\0' ? drive : run->target_path;
}

char *
fm_run_summary_dup_title(const FmRun *run)
{
    g_autofree char *plan = fm_run_text_dup_plan(run);
    const char *subject = get_subject(run);
    g_autofree char *title = plan != NULL && subject != NULL
                                 ? g_strdup_printf("%s – %s", plan, subject)
                                 : g_strdup(plan != NULL      ? plan
                                            : subject != NULL ? subject
                                                              : _("Run without a name"));

    return fm_text_dup_printable(title);
}

char *
fm_run_summary_dup_stem(const FmRun *run)
{
    g_autofree char *date = fm_run_summary_dup_date(run->wall_us);
    const char *subject = get_subject(run);
    g_autofree char *text =
        g_strdup_printf("%s-%s-%s", run->wall_us > 0 ? date : "",
                        run->plan_id != NULL ? run->plan_id : "", subject != NULL ? subject : "");
    g_autoptr(GString) stem = g_string_new(NULL);

    for (const char *at = text; *at != '\0'; at++) {
        bool is_plain = g_ascii_isalnum(*at) || *at == '.' || *at == '_' || (*at & 0x80) != 0;
        if (*at == ':') {
            continue;
        }
        if (is_plain) {
            g_string_append_c(stem, *at);
        } else if (stem->len > 0 && stem->str[stem->len - 1] != '-') {
            g_string_append_c(stem, '-');
        }
    }
    while (stem->len > 0 && stem->str[stem->len - 1] == '-') {
        g_string_truncate(stem, stem->len - 1);
    }
    /* The text may hold anything, but half a letter must not become a file name. */
    return g_utf8_make_valid(stem->str, (gssize)stem->len);
}

/* --- Headline ---------------------------------------------------------------------------- */

static bool
counts(const FmRunStep *step)
{
    return step->ended && !step->discard && step->measured_ns > 0 &&
           g_strcmp0(step->kind, "measure") == 0 && g_strcmp0(step->outcome, "complete") == 0;
}

/* Whole MB/s as reviews have them, but never 0 for what is only slow. */
static char *
dup_rate(double bytes_per_second)
{
    const FmLabelStyle style = {.spaced = true};

    return bytes_per_second >= 10e6 ? fm_label_dup_throughput(bytes_per_second, style)
                                    : fm_label_dup_figure(bytes_per_second, FM_QUANTITY_THROUGHPUT);
}

char *
fm_run_summary_dup_headline(const FmRun *run)
{
    double read = 0;
    double write = 0;

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        if (counts(step)) {
            double seconds = (double)step->measured_ns / 1e9;
            read = MAX(read, (double)step->bytes[FM_OP_READ] / seconds);
            write = MAX(write, (double)step->bytes[FM_OP_WRITE] / seconds);
        }
    }
    g_autofree char *read_text = dup_rate(read);
    g_autofree char *write_text = dup_rate(write);
    if (read > 0 && write > 0) {
        return g_strdup_printf(_("read %s, write %s"), read_text, write_text);
    }
    if (read > 0) {
        return g_strdup_printf(_("read %s"), read_text);
    }
    return write > 0 ? g_strdup_printf(_("write %s"), write_text) : g_strdup("");
}

/* --- Remarks ----------------------------------------------------------------------------- */

void
fm_run_remark_free(FmRunRemark *remark)
{
    if (remark != NULL) {
        g_free(remark->text);
        g_free(remark);
    }
}

/* Takes @text. */
static void
add(GPtrArray *remarks, bool is_serious, char *text)
{
    FmRunRemark *remark = g_new0(FmRunRemark, 1);

    remark->is_serious = is_serious;
    remark->text = text;
    g_ptr_array_add(remarks, remark);
}

char *
fm_run_summary_dup_sentence(GVariant *dictionary, const char *key)
{
    g_autoptr(FmMessage) message = dictionary != NULL ? fm_message_lookup(dictionary, key) : NULL;
    g_autofree char *text = message != NULL ? fm_message_dup_local(message) : NULL;

    return text != NULL && *text != '\0' ? g_steal_pointer(&text) : NULL;
}

/* @sentence with a reason, where there is one, behind it. */
static char *
dup_with_reason(const char *sentence, const FmMessage *reason)
{
    g_autofree char *said = fm_message_dup_local(reason);
    g_autofree char *printable = fm_text_dup_printable(said);

    return *printable != '\0' ? g_strdup_printf("%s (%s)", sentence, printable)
                              : g_strdup(sentence);
}

static void
add_target(GPtrArray *remarks, const FmRun *run)
{
    if (g_strcmp0(run->target_kind, "model") == 0) {
        add(remarks, true, g_strdup(_("Simulated: this is a model drive, not a real one.")));
        return;
    }
    if (g_strcmp0(run->target_kind, "null") == 0) {
        add(remarks, true, g_strdup(_("No drive: this is what the program itself costs.")));
        return;
    }
    if (g_strcmp0(run->verdict, "memory") == 0) {
        add(remarks, true,
            dup_with_reason(_("Memory: these numbers say nothing about a drive."),
                            run->verdict_reason));
    } else if (g_strcmp0(run->verdict, "may-be-cached") == 0) {
        add(remarks, true,
            dup_with_reason(_("May be cached: something before the drive may have kept data."),
                            run->verdict_reason));
    } else if (g_strcmp0(run->verdict, "direct") != 0 && run->steps->len > 0) {
        add(remarks, false,
            dup_with_reason(_("Nothing proves that the drive itself did the work."),
                            run->verdict_reason));
    }
}

static bool
is_buffered(const FmRunStep *step)
{
    for (unsigned i = 0; i < step->n_streams; i++) {
        if (step->streams[i].buffered) {
            return true;
        }
    }
    return false;
}

static void
add_outcome(GPtrArray *remarks, const FmRun *run, bool is_busy)
{
    if (is_busy) {
        add(remarks, false, g_strdup(_("This run is still going on; what came so far is shown.")));
    } else if (!run->ended) {
        add(remarks, true,
            g_strdup(_("Cut off: the run has no end. What was measured before is whole.")));
    } else if (g_strcmp0(run->outcome, "stopped") == 0) {
        add(remarks, false, dup_with_reason(_("Stopped on request before its end."), run->reason));
    } else if (g_strcmp0(run->outcome, "failed") == 0) {
        add(remarks, true, dup_with_reason(_("The run failed."), run->reason));
    } else if (g_strcmp0(run->outcome, "refused") == 0) {
        add(remarks, true, dup_with_reason(_("The run was refused."), run->reason));
    }
}

static void
add_steps(GPtrArray *remarks, const FmRun *run)
{
    unsigned n_buffered = 0;
    unsigned n_limited = 0;
    unsigned n_disturbed = 0;
    uint64_t n_errors = 0;

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        n_buffered += is_buffered(step) ? 1 : 0;
        n_limited += step->host_limited ? 1 : 0;
        n_disturbed += step->is_disturbed ? 1 : 0;
        n_errors += step->errors;
    }
    if (n_buffered > 0) {
        add(remarks, true,
            g_strdup_printf(_("Buffered: in %u of %u steps the system's cache took part."),
                            n_buffered, run->steps->len));
    }
    if (n_errors > 0) {
        add(remarks, true,
            g_strdup_printf(_("%ju I/Os failed; they count in no number."), (uintmax_t)n_errors));
    }
    if (n_disturbed > 0) {
        add(remarks, false,
            g_strdup_printf(_("Disturbed: in %u of %u steps others used the drive, too."),
                            n_disturbed, run->steps->len));
    }
    if (n_limited > 0) {
        add(remarks, false,
            g_strdup_printf(_("In %u of %u steps this computer, not the drive, set the limit."),
                            n_limited, run->steps->len));
    }
}

static int
compare_serious_first(gconstpointer a, gconstpointer b)
{
    const FmRunRemark *one = *(FmRunRemark *const *)a;
    const FmRunRemark *other = *(FmRunRemark *const *)b;

    return (int)other->is_serious - (int)one->is_serious;
}

GPtrArray *
fm_run_summary_list_remarks(const FmRun *run, bool is_busy)
{
    GPtrArray *remarks = g_ptr_array_new_with_free_func((GDestroyNotify)fm_run_remark_free);

    add_target(remarks, run);
    add_outcome(remarks, run, is_busy);
    add_steps(remarks, run);
    if (run->damaged) {
        add(remarks, true,
            g_strdup(_("A part of the file can't be read; what is readable is shown.")));
    }
    g_ptr_array_sort(remarks, compare_serious_first); /* stable in GLib */
    return remarks;
}
