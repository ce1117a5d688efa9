/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pushing labels apart.  Without the labels above it, label i would want to be at wanted[i] minus
 * their heights; those places only have to rise, and the rising sequence nearest to given numbers
 * is found by merging neighbours in the wrong order into blocks at their mean (isotonic
 * regression).  Clamping that to the range keeps it the nearest.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/labels.h"

#include <math.h>

static const double leader_from = 6; /* points */

/* Labels that touch each other and move as one. */
typedef struct {
    double sum; /* of the wanted places */
    unsigned n;
} Block;

static gint
compare_wanted_cb(gconstpointer a, gconstpointer b, gpointer data)
{
    const FmLineLabel *labels = data;
    unsigned first = *(const unsigned *)a;
    unsigned second = *(const unsigned *)b;

    if (labels[first].wanted != labels[second].wanted) {
        return labels[first].wanted < labels[second].wanted ? -1 : 1;
    }
    return first < second ? -1 : first > second;
}

static unsigned *
sort_by_wanted(FmLineLabel *labels, unsigned n)
{
    unsigned *order = g_new(unsigned, n);

    for (unsigned i = 0; i < n; i++) {
        order[i] = i;
    }
    g_qsort_with_data(order, (gint)n, sizeof(unsigned), compare_wanted_cb, labels);
    return order;
}

static double
get_mean(const Block *block)
{
    return block->sum / block->n;
}

/* Blocks whose means rise; returns how many. */
static unsigned
merge(const FmLineLabel *labels, const unsigned *order, unsigned n, Block *blocks)
{
    unsigned n_blocks = 0;
    double above = 0;

    for (unsigned i = 0; i < n; i++) {
        const FmLineLabel *label = &labels[order[i]];
        blocks[n_blocks++] = (Block){label->wanted - above - label->height / 2, 1};
        above += label->height;
        while (n_blocks > 1 && get_mean(&blocks[n_blocks - 2]) >= get_mean(&blocks[n_blocks - 1])) {
            n_blocks--;
            blocks[n_blocks - 1].sum += blocks[n_blocks].sum;
            blocks[n_blocks - 1].n += blocks[n_blocks].n;
        }
    }
    return n_blocks;
}

bool
fm_labels_place(FmLineLabel *labels, unsigned n, double top, double bottom)
{
    double total = 0;
    for (unsigned i = 0; i < n; i++) {
        total += labels[i].height;
    }
    if (!(total <= bottom - top)) {
        return false;
    }

    g_autofree unsigned *order = sort_by_wanted(labels, n);
    g_autofree Block *blocks = g_new(Block, n);
    unsigned n_blocks = merge(labels, order, n, blocks);
    double above = 0;
    unsigned i = 0;
    for (unsigned block = 0; block < n_blocks; block++) {
        double place = CLAMP(get_mean(&blocks[block]), top, bottom - total);
        for (unsigned k = 0; k < blocks[block].n; k++, i++) {
            FmLineLabel *label = &labels[order[i]];
            label->placed = place + above + label->height / 2;
            label->needs_leader = fabs(label->placed - label->wanted) > leader_from;
            above += label->height;
        }
    }
    return true;
}
