/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user is to know before a run begins: what is tested, with what, for how long,
 * and how much will be written.
 */
#pragma once

#include <glib.h>

#include "model/plan.h"
#include "model/target.h"

G_BEGIN_DECLS

/* Rows of "name  value"; caller frees. */
char *fm_card_dup(const FmPlan *plan, const FmTarget *target);

G_END_DECLS
