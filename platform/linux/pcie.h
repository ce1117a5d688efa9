/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCI Express link of a device: speed and width now and at best, payload sizes.
 * Any thread.
 */
#pragma once

#include "model/facts.h"

G_BEGIN_DECLS

/* @directory: a sysfs device folder without symbolic links; the nearest PCI Express
 * device at or above it is described.  Adds nothing when there is none. */
void plat_pcie_add_facts(FmFacts *facts, const char *directory);

G_END_DECLS
