/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything is told by the run itself: its rows, its plan and its notes.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/run-progress.h"

#include "model/tick.h"

enum {
    SPEED_ROWS = 10, /* speed is shown over the last second */
};

bool
fm_run_step_get_speed(const FmRunStep *step, FmRunSpeed *speed)
{
    guint n_rows = MIN(step->ticks->len, (guint)SPEED_ROWS);
    double seconds = n_rows * (FM_TICK_INTERVAL_MS / 1000.0);
    uint64_t bytes = 0;
    uint64_t ios = 0;

    if (n_rows == 0) {
        return false;
    }
    for (guint i = step->ticks->len - n_rows; i < step->ticks->len; i++) {
        const FmTick *tick = &g_array_index(step->ticks, FmTick, i);
        bytes += tick->read.bytes + tick->write.bytes;
        ios += (uint64_t)tick->read_ios + tick->write_ios + tick->trim_ios + tick->flush_ios;
    }
    speed->bytes_per_second = (double)bytes / seconds;
    speed->ios_per_second = (double)ios / seconds;
    return true;
}

int64_t
fm_run_get_passed_ns(const FmRun *run)
{
    if (run->steps->len == 0) {
        return 0;
    }
    const FmRunStep *first = (const FmRunStep *)g_ptr_array_index(run->steps, 0);
    const FmRunStep *last = (const FmRunStep *)g_ptr_array_index(run->steps, run->steps->len - 1);
    int64_t passed = last->start_ns - first->start_ns;

    if (last->ticks->len > 0) {
        const FmTick *tick = &g_array_index(last->ticks, FmTick, last->ticks->len - 1);
        passed += (int64_t)tick->end_ns;
        passed += (tick->flags & FM_TICK_RAMP) != 0 ? 0 : last->ramp_ns;
    }
    return passed;
}

/* The last decision that begins with one of @words; NULL = none of them was taken. */
static const char *
find_decision(const FmRun *run, const char *const *words)
{
    for (guint i = run->notes->len; i > 0; i--) {
        const FmRunNote *note = (const FmRunNote *)g_ptr_array_index(run->notes, i - 1);
        const char *text = fm_message_get_text(note->text);
        for (gsize j = 0; g_strcmp0(note->kind, "decision") == 0 && words[j] != NULL; j++) {
            if (g_str_has_prefix(text, words[j])) {
                return words[j];
            }
        }
    }
    return NULL;
}

static const char *const decisions[] = {"paused", "resumed", "stopping", NULL};

bool
fm_run_is_paused(const FmRun *run)
{
    return g_strcmp0(find_decision(run, decisions), "paused") == 0;
}

bool
fm_run_is_stopping(const FmRun *run)
{
    return g_strcmp0(find_decision(run, decisions), "stopping") == 0;
}
