/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of files that figures are saved as: speaking, safe everywhere, and never those of a file
 * that nobody was asked about.
 */
#include "ui/figure-output.h"

#include "base/error.h"
#include "demo-figure.h"

#include <glib/gstdio.h>

static void
test_names(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    g_free(figure->id);
    g_free(figure->name);
    figure->id = g_strdup("F80:tail/read=70%/all");
    figure->name = g_strdup("tail-latency");
    g_autofree char *with_stem = fm_figure_dup_file_name(figure, "2026 quick", FM_FORMAT_SVG);
    g_autofree char *alone = fm_figure_dup_file_name(figure, NULL, FM_FORMAT_PNG);

    g_assert_cmpstr(with_stem, ==, "2026-quick-F80-tail-read-70--all-tail-latency.svg");
    g_assert_cmpstr(alone, ==, "F80-tail-read-70--all-tail-latency.png");
}

static void
test_endings(void)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-output-XXXXXX", NULL);
    g_autofree char *plain = g_build_filename(folder, "a", NULL);
    g_autofree char *full = g_build_filename(folder, "a.png", NULL);
    g_autoptr(GError) error = NULL;

    g_autofree char *added = fm_figure_dup_path(plain, FM_FORMAT_PNG, &error);
    g_assert_cmpstr(added, ==, full);
    g_autofree char *kept = fm_figure_dup_path(full, FM_FORMAT_PDF, &error);
    g_assert_cmpstr(kept, ==, full);

    g_assert_true(g_file_set_contents(full, "a picture", -1, NULL));
    /* Of this one the dialog has asked. */
    g_autofree char *again = fm_figure_dup_path(full, FM_FORMAT_PNG, &error);
    g_assert_cmpstr(again, ==, full);
    g_assert_no_error(error);
    g_assert_null(fm_figure_dup_path(plain, FM_FORMAT_PNG, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_remove(full);
    g_rmdir(folder);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/figure-output/names-are-safe-everywhere", test_names);
    g_test_add_func("/ui/figure-output/an-ending-is-added-but-replaces-nothing", test_endings);
    return g_test_run();
}
