/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Log-linear histogram of 64-bit values (ticks or nanoseconds).
 *
 * Every octave is cut into 2^bits equal bins; values below 2^(bits+1) are exact.  A
 * bin is at most 1/2^bits of its lower edge wide, so with 10 bits the upper edge,
 * which is what a percentile reports, is never more than 0.098 % above a value in
 * the bin.  Minimum, maximum, sum and count are kept exactly beside the bins.
 *
 * One thread records; anybody may read after that thread is done.  Recording never
 * allocates and handles the whole 64-bit range, so nothing is ever clamped.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
    FM_HIST_PHASE_BITS = 10, /* 1024 bins per octave: a whole step */
    FM_HIST_INTERVAL_BITS = 6, /* 64 per octave: short intervals, fio's resolution */
};

typedef struct {
    unsigned bits;
    unsigned n_bins;
    uint64_t count;
    uint64_t min; /* UINT64_MAX while empty */
    uint64_t max;
    uint64_t sum; /* 2^64 ns of latency is 584 years; at QD 1024 and 4 GHz it lasts 51 days */
    uint64_t *bins;
} FmHist;

/* Allocates and clears the bins, touching every page, so that recording can't fault. */
void fm_hist_init(FmHist *hist, unsigned bits);
/* Frees the bins and zeroes the struct. */
void fm_hist_clear(FmHist *hist);
/* Empties the histogram and keeps its memory. */
void fm_hist_reset(FmHist *hist);
/* Adds @other into @hist; both must have the same bits. */
void fm_hist_merge(FmHist *hist, const FmHist *other);
/* A copy re-binned to @bits per octave (not more than it has), with the exact
 * minimum, maximum, sum and count kept.  @coarse is initialised by the call. */
void fm_hist_rebin(const FmHist *hist, unsigned bits, FmHist *coarse);

/* A copy with all values multiplied by @factor and @bits per octave, for adding up runs
 * whose clocks ticked differently.  Costs one more rounding to a bin.  @scaled is
 * initialised by the call. */
void fm_hist_rescale(const FmHist *hist, double factor, unsigned bits, FmHist *scaled);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmHist, fm_hist_clear)

/* Bin of @value. */
static inline unsigned
fm_hist_bin(uint64_t value, unsigned bits)
{
    /* 63 ^ n is 63 - n here, and one instruction where the CPU finds the bit itself. */
    unsigned shift = (63u ^ (unsigned)__builtin_clzll(value | (1ull << bits))) - bits;
    return (shift << bits) + (unsigned)(value >> shift);
}

static inline void
fm_hist_record(FmHist *hist, uint64_t value)
{
    hist->bins[fm_hist_bin(value, hist->bits)]++;
    hist->count++;
    hist->sum += value;
    hist->min = value < hist->min ? value : hist->min;
    hist->max = value > hist->max ? value : hist->max;
}

/* Smallest and largest value that fall into bin @index. */
uint64_t fm_hist_bin_lower(unsigned index, unsigned bits);
uint64_t fm_hist_bin_upper(unsigned index, unsigned bits);

/*
 * Value at nearest rank max(1, ceil(p n)) for p = @per_billion / 10^9 (1..10^9): the
 * upper edge of the bin that holds the rank, never above the exact maximum nor below
 * the exact minimum.  10^9 gives the maximum.  Returns 0 for an empty histogram, so
 * check count first.
 */
uint64_t fm_hist_get_percentile(const FmHist *hist, uint32_t per_billion);

/* Mean of the exact sum; NaN when empty. */
double fm_hist_get_mean(const FmHist *hist);
/* Standard deviation from bin middles (n - 1); NaN below two values. */
double fm_hist_get_deviation(const FmHist *hist);

/*
 * Whether n (1 - p) >= 10, the number of samples above a percentile that makes it
 * worth drawing (METHODOLOGY 2.3).  The maximum is always sufficient.
 */
bool fm_hist_is_sufficient(uint64_t count, uint32_t per_billion);

G_END_DECLS
