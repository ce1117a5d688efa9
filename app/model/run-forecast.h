/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a run that is going on will still take: what its plan was thought to take, put
 * right by what it took so far.  The thread that owns the run.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "model/run.h"

G_BEGIN_DECLS

typedef struct FmRunForecast FmRunForecast;

/* When TARGET and PLAN have come; NULL where nothing can be said. */
FmRunForecast *fm_run_forecast_new(const FmRun *run);
void fm_run_forecast_free(FmRunForecast *forecast);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmRunForecast, fm_run_forecast_free)

/*
 * Time left of @run at @now_us (wall clock, UTC), from its first step on; the writing of the
 * test file tells about itself.  Never negative; 0 when the run has ended.
 */
int64_t fm_run_forecast_get_left_ns(FmRunForecast *forecast, const FmRun *run, int64_t now_us);

G_END_DECLS
