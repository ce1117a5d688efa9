/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading attributes below /sys and /proc.  FATHOM_SYSFS_ROOT and FATHOM_PROC_ROOT put
 * recorded trees in their place, which is how the tests see drives this machine does
 * not have.  Values are made safe to show: bad UTF-8 and control characters replaced,
 * white space around them removed.  Any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/facts.h"

G_BEGIN_DECLS

/* Paths below the two roots; @format is relative ("class/block/%s/size"). */
char *plat_sysfs_path(const char *format, ...) G_GNUC_PRINTF(1, 2);
char *plat_proc_path(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* @text with control characters and bad bytes replaced and white space at both ends
 * removed.  Never NULL. */
char *plat_clean_text(const char *text);

/* Content of the file @directory/@name (or just @directory when @name is NULL); NULL
 * when it can't be read or is empty. */
char *plat_sysfs_read(const char *directory, const char *name);
bool plat_sysfs_read_uint(const char *directory, const char *name, uint64_t *value);

/* Stores the attribute as a fact: a value, or unknown with the reason. */
void plat_sysfs_fact_string(FmFacts *facts, const char *fact, const char *directory,
                            const char *name);
void plat_sysfs_fact_uint(FmFacts *facts, const char *fact, const char *directory,
                          const char *name);

/* The chosen word of a list such as "mq-deadline [none]"; the whole text without one. */
char *plat_bracketed_word(const char *text);

/* Sorted names in a folder; empty when it can't be read.  Free with g_strfreev. */
char **plat_sysfs_list(const char *directory);

G_END_DECLS
