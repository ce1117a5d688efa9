/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a figure with the keyboard: a place in its series that moves from point to point
 * and from series to series.  Needs no display.  Main thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/layout.h"

G_BEGIN_DECLS

typedef struct {
    bool is_active; /* below means something */
    unsigned panel;
    unsigned series;
    unsigned point;
} FmFigureReader;

typedef enum {
    FM_READER_PREVIOUS,
    FM_READER_NEXT,
    FM_READER_PREVIOUS_SERIES,
    FM_READER_NEXT_SERIES,
} FmReaderStep;

typedef struct {
    FmReaderStep step;
    bool is_fine; /* the very next point, also where there are thousands */
} FmReaderMove;

/*
 * Moves to the next point that is shown; the first step goes to the first one, from the left
 * or, with FM_READER_PREVIOUS, from the right.  False when there is none that way; the place stays.
 */
bool fm_figure_reader_step(FmFigureReader *reader, const FmFigure *figure, const FmLayout *layout,
                           const FmReaderMove *move, FmReading *reading);

G_END_DECLS
