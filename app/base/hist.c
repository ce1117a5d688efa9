/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything of the histogram that is not recording: memory, merging, re-binning and
 * the numbers read out of it.  Runs after the recording thread is done, on any thread;
 * nothing here is fast enough for the hot loop, and nothing needs to be.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/hist.h"

#include <math.h>
#include <string.h>

enum {
    PER_BILLION = 1000 * 1000 * 1000,
    SAMPLES_ABOVE = 10, /* METHODOLOGY 2.3 */
};

static double
bin_middle(const FmHist *hist, unsigned index)
{
    uint64_t lower = fm_hist_bin_lower(index, hist->bits);
    uint64_t upper = fm_hist_bin_upper(index, hist->bits);
    /* The outer bins hold nothing beyond the exact extremes, so that a histogram of
     * one value has no deviation. */
    lower = MAX(lower, hist->min);
    upper = MIN(upper, hist->max);
    return (double)lower + (double)(upper - lower) / 2.0;
}

void
fm_hist_init(FmHist *hist, unsigned bits)
{
    g_return_if_fail(bits >= 1 && bits <= 16);

    unsigned n_bins = (65u - bits) << bits;
    *hist = (FmHist){
        .bits = bits,
        .n_bins = n_bins,
        .bins = g_new(uint64_t, n_bins),
    };
    /* Written rather than allocated as zeroes: the first I/O of a step must not pay
     * for a page fault. */
    fm_hist_reset(hist);
}

void
fm_hist_clear(FmHist *hist)
{
    g_free(hist->bins);
    *hist = (FmHist){0};
}

void
fm_hist_reset(FmHist *hist)
{
    memset(hist->bins, 0, hist->n_bins * sizeof *hist->bins);
    hist->count = 0;
    hist->min = UINT64_MAX;
    hist->max = 0;
    hist->sum = 0;
}

void
fm_hist_merge(FmHist *hist, const FmHist *other)
{
    g_return_if_fail(hist->bits == other->bits);

    for (unsigned i = 0; i < hist->n_bins; i++) {
        hist->bins[i] += other->bins[i];
    }
    hist->count += other->count;
    hist->sum += other->sum;
    hist->min = MIN(hist->min, other->min);
    hist->max = MAX(hist->max, other->max);
}

void
fm_hist_rebin(const FmHist *hist, unsigned bits, FmHist *coarse)
{
    g_return_if_fail(bits <= hist->bits);

    fm_hist_init(coarse, bits);
    for (unsigned i = 0; i < hist->n_bins; i++) {
        /* A fine bin lies inside one coarse bin, so its lower edge speaks for it. */
        coarse->bins[fm_hist_bin(fm_hist_bin_lower(i, hist->bits), bits)] += hist->bins[i];
    }
    coarse->count = hist->count;
    coarse->sum = hist->sum;
    coarse->min = hist->min;
    coarse->max = hist->max;
}

static uint64_t
multiply(double value, double factor)
{
    const double limit = 18446744073709551616.0; /* 2^64 */
    double product = round(value * factor);
    return product >= limit ? UINT64_MAX : (uint64_t)product;
}

void
fm_hist_rescale(const FmHist *hist, double factor, unsigned bits, FmHist *scaled)
{
    g_return_if_fail(factor > 0 && isfinite(factor));

    fm_hist_init(scaled, bits);
    if (hist->count == 0) {
        return;
    }
    for (unsigned i = 0; i < hist->n_bins; i++) {
        if (hist->bins[i] > 0) {
            uint64_t value = multiply(bin_middle(hist, i), factor);
            scaled->bins[fm_hist_bin(value, bits)] += hist->bins[i];
        }
    }
    scaled->count = hist->count;
    scaled->sum = multiply((double)hist->sum, factor);
    scaled->min = multiply((double)hist->min, factor);
    scaled->max = multiply((double)hist->max, factor);
}

uint64_t
fm_hist_bin_lower(unsigned index, unsigned bits)
{
    unsigned octave = index >> bits;
    unsigned shift = octave > 0 ? octave - 1 : 0;
    return (uint64_t)(index - (shift << bits)) << shift;
}

uint64_t
fm_hist_bin_upper(unsigned index, unsigned bits)
{
    unsigned octave = index >> bits;
    unsigned shift = octave > 0 ? octave - 1 : 0;
    return fm_hist_bin_lower(index, bits) + ((1ull << shift) - 1);
}

uint64_t
fm_hist_get_percentile(const FmHist *hist, uint32_t per_billion)
{
    g_return_val_if_fail(per_billion >= 1 && per_billion <= PER_BILLION, 0);

    if (hist->count == 0) {
        return 0;
    }
    if (per_billion == PER_BILLION) {
        return hist->max;
    }

    /* Integers all the way: in doubles 0.99 x 100 is above 99 and would give rank 100. */
    unsigned __int128 product = (unsigned __int128)hist->count * per_billion;
    uint64_t rank = (uint64_t)((product + (PER_BILLION - 1)) / PER_BILLION);
    uint64_t below = 0;
    for (unsigned i = 0; i < hist->n_bins; i++) {
        below += hist->bins[i];
        if (below >= rank) {
            return CLAMP(fm_hist_bin_upper(i, hist->bits), hist->min, hist->max);
        }
    }
    return hist->max;
}

double
fm_hist_get_mean(const FmHist *hist)
{
    return hist->count > 0 ? (double)hist->sum / (double)hist->count : NAN;
}

double
fm_hist_get_deviation(const FmHist *hist)
{
    if (hist->count < 2) {
        return NAN;
    }

    /* Two passes: squares of nanoseconds would lose the small differences of a slow
     * drive in one. */
    double count = (double)hist->count;
    double sum = 0;
    for (unsigned i = 0; i < hist->n_bins; i++) {
        if (hist->bins[i] > 0) {
            sum += bin_middle(hist, i) * (double)hist->bins[i];
        }
    }
    double mean = sum / count;

    double squares = 0;
    for (unsigned i = 0; i < hist->n_bins; i++) {
        if (hist->bins[i] > 0) {
            double difference = bin_middle(hist, i) - mean;
            squares += difference * difference * (double)hist->bins[i];
        }
    }
    return sqrt(squares / (count - 1));
}

bool
fm_hist_is_sufficient(uint64_t count, uint32_t per_billion)
{
    if (per_billion >= PER_BILLION) {
        return count > 0;
    }
    unsigned __int128 above = (unsigned __int128)count * (uint32_t)(PER_BILLION - per_billion);
    return above >= (unsigned __int128)SAMPLES_ABOVE * PER_BILLION;
}
