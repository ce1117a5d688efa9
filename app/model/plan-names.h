/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of plan files, as NULL-terminated tables in the order of the enums, so
 * that the reader and the writer of plans look them up in the same place.  Only
 * app/model includes this.
 */
#pragma once

#include <stdbool.h>

#include "model/plan.h"

extern const char *const fm_names_pattern[];
extern const char *const fm_names_data[];
extern const char *const fm_names_arrival[];
extern const char *const fm_names_phase[]; /* without "include" */
extern const char *const fm_names_parameter[];
extern const char *const fm_names_skip[];
extern const char *const fm_names_op[];
extern const char *const fm_names_option[];
extern const char *const fm_names_need[]; /* by bit number */

/* Place of @word in @names, or -1. */
int fm_names_find(const char *const *names, const char *word);
