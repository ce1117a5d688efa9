/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes run files that a test of the window can't measure itself.
 *
 * Usage: make-run KIND PATH      cdm: a run of CrystalDiskMark's form, made elsewhere;
 *                                long: 432,000 rows of 100 ms, twelve hours;
 *                                hostile: names that are markup, right-to-left, 300 characters
 *                                long, of scripts without a font, or not there at all
 */
#define G_LOG_DOMAIN "fathom"

#include "run-fixture.h"

#include <stdio.h>
#include <string.h>

enum { LONG_NAME = 300 };

static void
add_long(FmRunFixture *fixture)
{
    fm_run_fixture_add_head(fixture, "e-tail-file");
    fm_run_fixture_add_step(fixture, &(FmFixtureStep){
                                         .path = "write",
                                         .label = "RND4K Q1T1",
                                         .is_write = true,
                                         .n_ios = 432000,
                                         .latency_us = 100000,
                                     });
    fm_run_fixture_add_end(fixture, "complete");
}

/* What a drive, a path and a label may be called; each was once too much for some program. */
static void
add_hostile(FmRunFixture *fixture)
{
    static const char *const labels[] = {
        "<b>bold</b> & <span size='99999'>huge",
        "\u202eevil\u202c \u0627\u0644\u0639\u0631\u0628 12 \u05e2\u05d1\u05e8",
        "\U00012000\U0001f574\u2603\u0d9a\u1780 \uffff",
        "%s%n%d\\ \"quoted\" 'single'\ttab",
        "",
    };
    g_autofree char *name = g_strnfill(LONG_NAME, 'W');
    g_autofree char *path = g_strdup_printf("/mnt/<i>%s</i>/&amp;\u202e", name);

    fm_run_fixture_add_head(fixture, "quick");
    fm_run_fixture_add(fixture, FM_FRAME_DRIVE,
                       g_variant_new_parsed("{'drive.model': <%s>, 'drive.serial': <%s>, "
                                            "'drive.firmware': <''>, 'drive.bus': <'<nvme>'>}",
                                            labels[0], name));
    fm_run_fixture_add(fixture, FM_FRAME_TARGET,
                       g_variant_new_parsed("{'kind': <'folder'>, 'path': <%s>, 'verdict': "
                                            "<'direct'>, 'verdict-reason': <%s>, 'facts': <@a{sv} "
                                            "{}>}",
                                            path, labels[1]));
    for (unsigned i = 0; i < G_N_ELEMENTS(labels); i++) {
        fm_run_fixture_add_step(fixture, &(FmFixtureStep){
                                             .number = i,
                                             .path = i == 3                 ? name
                                                     : labels[i][0] == '\0' ? "empty"
                                                                            : "step",
                                             .label = labels[i],
                                             .reason = labels[i],
                                             .n_ios = 2000,
                                         });
    }
    fm_run_fixture_add(fixture, FM_FRAME_NOTE,
                       g_variant_new_parsed("{'kind': <'warning'>, 'text': <%s>}", labels[0]));
    fm_run_fixture_add(
        fixture, FM_FRAME_USER_NOTE,
        g_variant_new_parsed("{'text': <%s>, 'tags': <[%s, %s]>}", labels[1], labels[2], name));
    fm_run_fixture_add_end(fixture, "complete");
}

int
main(int argc, char **argv)
{
    g_autoptr(FmRunFixture) fixture = NULL;
    g_autoptr(GError) error = NULL;

    if (argc != 3) {
        fputs("usage: make-run cdm|long|hostile PATH\n", stderr);
        return 2;
    }
    if (strcmp(argv[1], "cdm") == 0) {
        fixture = fm_run_fixture_new_cdm();
    } else {
        fixture = fm_run_fixture_new();
        if (strcmp(argv[1], "long") == 0) {
            add_long(fixture);
        } else {
            add_hostile(fixture);
        }
    }
    if (!g_file_set_contents(argv[2], (const char *)fixture->bytes->data, fixture->bytes->len,
                             &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    return 0;
}
