/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The saved runs as a list that follows the folder: read in a thread, changed file by file.
 * A list model of FmLibraryItem, newest first.  What a run amounts to in one line is read only
 * for the rows that ask for it.  Needs no display.  Main thread.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "store/library.h"

G_BEGIN_DECLS

#define FM_TYPE_LIBRARY_ITEM (fm_library_item_get_type())
G_DECLARE_FINAL_TYPE(FmLibraryItem, fm_library_item, FM, LIBRARY_ITEM, GObject)

/* Never changes: a file that changed is another item. */
const FmLibraryEntry *fm_library_item_get_entry(FmLibraryItem *item);
/* The property "headline": what the run amounts to; NULL until it is known. */
const char *fm_library_item_get_headline(FmLibraryItem *item);
/* Whether every word of @filter is in anything that the list shows of the run, in any case. */
bool fm_library_item_matches(FmLibraryItem *item, const char *filter);

#define FM_TYPE_LIBRARY_MODEL (fm_library_model_get_type())
G_DECLARE_FINAL_TYPE(FmLibraryModel, fm_library_model, FM, LIBRARY_MODEL, GObject)

/* Begins to read at once.  The property "is-loading" tells until when. */
FmLibraryModel *fm_library_model_new(void);
bool fm_library_model_is_loading(FmLibraryModel *model);

/* Has the headline of @item read, after those that were asked for before. */
void fm_library_model_request_headline(FmLibraryModel *model, FmLibraryItem *item);
/* Looks at one file now, without waiting to be told by the system. */
void fm_library_model_refresh(FmLibraryModel *model, const char *path);
/* The one at @path, or NULL. */
FmLibraryItem *fm_library_model_find(FmLibraryModel *model, const char *path);

G_END_DECLS
