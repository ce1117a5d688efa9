/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounded numbers for people: labels of figures and tables as METHODOLOGY 1, 8, 15.1
 * and 19.1.1 write them.  Text with a value that is not a finite number is "–", never 0.
 * No locale.  Whatever has to read back exactly uses units.h.  Any thread may call it;
 * callers free what they get.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FM_LABEL_UNKNOWN "–"

typedef enum {
    FM_LABEL_NATIVE, /* the exact percentile, rounded to nearest */
    /* As published reviews, which show fio's numbers: the middle of a bin of 64 per octave,
     * rounded up to the microsecond (METHODOLOGY 19.1.1). */
    FM_LABEL_REVIEW,
} FmLabelRule;

typedef struct {
    FmLabelRule rule;
    bool spaced; /* "1412 MB/s @ 184 µs" instead of "1412MB/s@184µs" */
} FmLabelStyle;

/* One point of a curve: a rate and, if known, the latency it came with. */
typedef struct {
    bool is_iops; /* else bytes per second */
    double rate;
    bool has_latency;
    uint64_t latency_ns;
} FmLabelPoint;

/* --- Latency -------------------------------------------------------------------- */

/* Microseconds of @ns by @rule.  The review rule never gives 0, the native one does below
 * 500 ns. */
uint64_t fm_label_latency_us(uint64_t ns, FmLabelRule rule);
/* "184µs", "1139µs"; "<1µs" rather than 0. */
char *fm_label_dup_latency(uint64_t ns, FmLabelStyle style);
/* Tail latency: "67µs" below 1 ms, "13.698ms" from there. */
char *fm_label_dup_tail(uint64_t ns, FmLabelStyle style);
/* "10.98 µs" with any number of decimals, to nearest. */
char *fm_label_dup_microseconds(double ns, unsigned decimals);

/* --- Rates and points ----------------------------------------------------------- */

/* "1412MB/s". */
char *fm_label_dup_throughput(double bytes_per_second, FmLabelStyle style);
/* "1116.75 MB/s" with any number of decimals. */
char *fm_label_dup_megabytes(double bytes_per_second, unsigned decimals);
/* "330k IOPS", "64.8k IOPS", "69k IOPS"; "450 IOPS" below 1000. */
char *fm_label_dup_iops(double iops);
/* "1412MB/s@184µs", "330k IOPS@11µs", or the rate alone. */
char *fm_label_dup_point(const FmLabelPoint *point, FmLabelStyle style);
/* Reads such a label, of either style; FM_ERROR_INVALID when it is none. */
bool fm_label_parse_point(const char *text, FmLabelPoint *point, GError **error);

/* --- Other numbers -------------------------------------------------------------- */

/* A block size as workload names have it: "512B", "4k", "128k", "1M". */
char *fm_label_dup_block(uint64_t bytes);
/* Decimal, three digits, no zeros at the end: "118 GB", "2 TB", "1.92 TB"; "184GB". */
char *fm_label_dup_capacity(uint64_t bytes, bool spaced);
/* "SEQ 128k R95:W05", "RND 512B Read", "RND 4k Write".  @read_share is in parts per 10,000. */
char *fm_label_dup_workload(bool is_random, uint64_t block, uint32_t read_share);
/* A fixed number of decimals: "570.7". */
char *fm_label_dup_decimal(double value, unsigned decimals);
/* "7%", "6.5%". */
char *fm_label_dup_percent(double percent, unsigned decimals);
/* Three at a time: "1,416,092". */
char *fm_label_dup_grouped(uint64_t value);
/* h:mm:ss, to the nearest second; negative is unknown. */
char *fm_label_dup_clock(int64_t ns);

/* --- CrystalDiskMark's number forms (METHODOLOGY 8) ------------------------------ */

typedef enum {
    FM_CDM_PANEL_MB, /* %.2f; a whole number from 1,000,000 on */
    FM_CDM_PANEL_GB, /* %.3f */
    FM_CDM_PANEL_IOPS, /* %.2f */
    FM_CDM_PANEL_US, /* %.2f */
    FM_CDM_TEXT_MB, /* %9.3f */
    FM_CDM_TEXT_IOPS, /* %9.1f */
    FM_CDM_TEXT_US, /* %9.2f */
} FmCdmForm;

/* @value is in bytes per second, I/Os per second or nanoseconds. */
char *fm_label_dup_cdm(double value, FmCdmForm form);

/* --- Figures -------------------------------------------------------------------- */

typedef enum {
    FM_QUANTITY_TIME, /* ns */
    FM_QUANTITY_THROUGHPUT, /* bytes per second */
    FM_QUANTITY_IOPS,
    FM_QUANTITY_CAPACITY, /* bytes */
    FM_QUANTITY_PERCENT,
    FM_QUANTITY_NUMBER,
} FmQuantity;

/* @digits significant digits without exponent: "1.50", "15.0", "1230".  True minus. */
char *fm_label_dup_significant(double value, unsigned digits);
/* Three significant digits, prefix and unit after a thin space: "1.50 GB/s", "184 µs". */
char *fm_label_dup_figure(double value, FmQuantity quantity);

G_END_DECLS
