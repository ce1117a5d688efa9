/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small figures for tests of what shows them: known points, nothing measured.
 */
#pragma once

#include "plot/figure.h"

G_BEGIN_DECLS

/* Two lines of five points, latency over queue depth; the second has no value at its third. */
FmFigure *fm_demo_figure_new_lines(void);
/* One panel of samples every 0.1 s and below it a table of two rows. */
FmFigure *fm_demo_figure_new_samples(unsigned n_samples);

G_END_DECLS
