/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for files and messages that is the same under every locale.  How numbers look
 * to people is in units.h.  Any thread may call it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * @text as valid UTF-8 without control characters and without those that turn the direction of
 * text: every byte of them, and of what is no UTF-8, becomes "\xNN".  For names of drives, paths
 * and quoted input, which may hold anything, even commands to the terminal they are printed on.
 * Doing it twice changes nothing more. Caller frees.
 */
char *fm_text_dup_printable(const char *text);

/* The shortest decimal text, of 15 digits or more, that reads back as the same finite @value
 * ("0.1", "1e+20", never "-0").  Caller frees. */
char *fm_text_dup_double(double value);

G_END_DECLS
