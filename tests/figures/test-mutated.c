/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run files come from strangers, and a checksum is no promise.  Whatever numbers a run that folds
 * may hold, every figure on its list is made by the laws or refused with a sentence.  Numbers of a
 * good run are overwritten, always in the same way.  With -m thorough there are more of them.
 */
#include "figures/figures.h"

#include "base/rng.h"
#include "plot/export.h"
#include "run-fixture.h"

#include <string.h>

enum { N_ROUNDS = 12, N_THOROUGH = 400 };

static const FmFigureOptions options[] = {
    {.language = "en"},
    {.language = "en", .is_review = true},
};

/* What overflows, divides by zero or has no sign where it is expected. */
static const uint64_t values[] = {
    0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT32_MAX, INT32_MAX, UINT64_C(1) << 53,
};

/* The run of which some frames are not what they were. */
static GByteArray *
new_mutated(const FmRunFixture *fixture, FmRng *rng)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    GByteArray *out = g_byte_array_new();

    fm_frame_reader_push(reader, fixture->bytes->data, fixture->bytes->len);
    for (uint32_t sequence = 0;; sequence++) {
        g_auto(FmFrame) frame = {0};
        if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
            return out;
        }
        gsize length = 0;
        const void *payload = g_bytes_get_data(frame.payload, &length);
        g_autofree uint8_t *copy = g_memdup2(payload, length);
        for (unsigned n = fm_rng_next(rng) % 4; n > 1 && length > 8; n--) {
            uint64_t value = values[fm_rng_next(rng) % G_N_ELEMENTS(values)];
            gsize size = (gsize)1 << fm_rng_next(rng) % 4;
            memcpy(copy + fm_rng_next(rng) % (length - size) / size * size, &value, size);
        }
        fm_frame_encode(out, frame.kind, sequence, copy, length);
    }
}

static void
build_all(const FmRun *run, const FmFigureOptions *how)
{
    g_autoptr(GPtrArray) entries = fm_figures_list(run, how);

    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = entries->pdata[i];
        g_autoptr(GError) error = NULL;
        g_autoptr(FmFigure) figure = fm_figures_build(run, entry->id, how, &error);
        if (figure == NULL) {
            g_assert_nonnull(error);
            continue;
        }
        g_autofree char *broken = fm_figure_check(figure);
        g_assert_cmpstr(broken, ==, NULL);
        g_autofree char *csv = fm_export_figure_csv(figure);
        g_assert_true(g_utf8_validate(csv, -1, NULL));
        if (g_test_thorough()) {
            g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
            g_assert_cmpfloat(fm_layout_get_height(layout), >, 0);
        }
    }
    /* A live run comes from our own host; its figure must do no harm. */
    g_autoptr(FmFigure) live = fm_figures_build_live(run, how);
    g_assert_true(live == NULL || live->panels->len > 0);
}

static void
test_numbers(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    unsigned n_rounds = g_test_thorough() ? N_THOROUGH : N_ROUNDS;
    unsigned n_steps = 0;

    for (unsigned round = 0; round < n_rounds; round++) {
        FmRng rng;
        fm_rng_init(&rng, round);
        g_autoptr(GByteArray) bytes = new_mutated(fixture, &rng);
        g_autoptr(FmRun) run = fm_run_new();
        fm_run_read(run, bytes->data, bytes->len, NULL);
        n_steps += run->steps->len;
        build_all(run, &options[round % G_N_ELEMENTS(options)]);
    }
    g_assert_cmpuint(n_steps, >, n_rounds);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/figures/mutated/any-number-makes-a-figure-or-a-sentence", test_numbers);
    return g_test_run();
}
