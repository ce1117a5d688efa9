/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts in a language that is named, for what is made in one language while the program speaks
 * another: English figures in a Korean window.  gettext() can't: it asks the process, and only
 * languages whose locale this system has.  The same catalogues are read here, from the folder
 * that bindtextdomain() was given, so texts are marked with N_() and translated once.  Any thread
 * may call it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * @text in @language ("ko"); @text itself where the language is NULL, English or has no
 * catalogue, or the catalogue no such text.  Belongs to the program and is never freed.
 */
const char *fm_language_translate(const char *language, const char *text) G_GNUC_FORMAT(2);

/* The language this process speaks, if there is a catalogue of it, else "en". */
const char *fm_language_of_process(void);

G_END_DECLS
