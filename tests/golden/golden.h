/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts held against files in folders beside this one.  With FM_GOLDEN_UPDATE=1 in the
 * environment the files are made anew instead.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

bool golden_is_updating(void);
/* Caller frees. */
char *golden_dup_path(const char *folder, const char *name);
/* Fails the test at the first line that differs. */
void golden_check(const char *folder, const char *name, const char *text);
