/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours for amounts: from the faintest that is still seen on paper through a role's colour to
 * ink, in even steps of lightness, so that a grey print says the same.  Pure; any thread.
 */
#pragma once

#include <glib.h>

#include "plot/theme.h"

G_BEGIN_DECLS

/* @n colours, the faintest first; @n is at least 2. */
void fm_ramp_fill(const FmTheme *theme, FmRole role, FmColor *colors, unsigned n);
/* CIE 1976 L*: 0 black, 100 white. */
double fm_color_get_lightness(FmColor color);

G_END_DECLS
