/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The caption: recorded facts, in the language asked for; what is not known is called so.
 */
#include "figures-fixture.h"

#include "figures/figures.h"

#include <string.h>

static char *
make(const FmRun *run, const char *language)
{
    FmFigureOptions options = {.language = language};

    return fm_caption_dup(run, &options);
}

static void
assert_has(const char *text, const char *const *parts)
{
    for (; *parts != NULL; parts++) {
        if (strstr(text, *parts) == NULL) {
            g_test_message("“%s” is not in “%s”", *parts, text);
            g_test_fail();
        }
    }
}

static void
test_facts(void)
{
    static const char *const english[] = {"Samsung SSD 990 PRO 2TB, 2 TB, firmware 4B2QJXD7",
                                          "bus nvme",
                                          "LBA unknown",
                                          "file of 1 GiB on ext4, verdict direct",
                                          "fill level unknown",
                                          "preconditioned 4.9×",
                                          "31–56 °C",
                                          "backend uring interrupt",
                                          "driver unknown",
                                          "Debian GNU/Linux 12, 6.1.0-18",
                                          "Fathom 0.1.0, figures@aaaaaaaa",
                                          "2026-08-22",
                                          "n = 1 to 3 runs",
                                          NULL};
    static const char *const korean[] = {"펌웨어 4B2QJXD7", "LBA 모름",
                                         "드라이버 모름",   "ext4 위의 1 GiB 파일, 판정 직접",
                                         "n = 1~3회",       NULL};
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autofree char *first = make(run, "en");
    g_autofree char *second = make(run, "ko");
    g_autofree char *third = make(run, NULL);

    assert_has(first, english);
    assert_has(second, korean);
    g_assert_cmpstr(third, ==, first);
    g_assert_null(strchr(first, '\n'));
}

static void
test_link(void)
{
    static const struct {
        const char *speed;
        const char *text;
    } cases[] = {{"16.0 GT/s PCIe", "PCIe 4.0 ×4"},
                 {"8.0 GT/s PCIe", "PCIe 3.0 ×4"},
                 {"2.5 GT/s PCIe", "PCIe 1.0 ×4"},
                 {"32.0 GT/s PCIe", "PCIe 5.0 ×4"},
                 {"Unknown", "PCIe Unknown ×4"}};

    g_autoptr(FmRun) run = figures_fixture_new();

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const parts[] = {cases[i].text, "LBA 4096 B", "driver nvme", "volume 25 % full",
                                     NULL};
        fm_facts_set_string(run->drive, "pcie.speed", cases[i].speed);
        fm_facts_set_uint(run->drive, "pcie.width", 4);
        fm_facts_set_string(run->drive, "pcie.driver", "nvme");
        fm_facts_set_uint(run->drive, "drive.logical-block", 4096);
        fm_facts_set_uint(run->target, "fs.size-bytes", 1000);
        fm_facts_set_uint(run->target, "fs.available-bytes", 750);
        g_autofree char *text = make(run, "en");
        assert_has(text, parts);
    }
}

/* An empty run has nothing but unknowns, and no crash. */
static void
test_unknown(void)
{
    static const char *const parts[] = {"Drive of unknown model, unknown, firmware unknown",
                                        "bus unknown",
                                        "verdict unknown",
                                        "temperature unknown",
                                        "backend unknown",
                                        "date unknown",
                                        NULL};
    g_autoptr(FmRun) run = fm_run_new();
    g_autofree char *text = make(run, "en");

    assert_has(text, parts);
}

static void
test_simulated(void)
{
    static const char *const model[] = {"Model drive “/mnt/bench”, simulated", NULL};
    static const char *const nothing[] = {"No drive: what the program itself costs", NULL};
    g_autoptr(FmRun) run = figures_fixture_new_simulated();
    g_autofree char *first = make(run, "en");
    g_free(run->target_kind);
    run->target_kind = g_strdup("null");
    g_autofree char *second = make(run, "en");

    assert_has(first, model);
    assert_has(second, nothing);
    g_assert_null(strstr(first, "Samsung"));
    g_assert_null(strstr(second, "Samsung"));
}

static void
test_hostile(void)
{
    g_autoptr(FmRun) run = figures_fixture_new_hostile();
    g_autofree char *text = make(run, "ko");

    g_assert_true(g_utf8_validate(text, -1, NULL));
    g_assert_null(strchr(text, '\x1b'));
    g_assert_nonnull(strstr(text, "<b>&amp;bold</b> %s %n %d"));
    g_assert_nonnull(strstr(text, "\\x1B[31mred\\x07"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    figures_fixture_bind_catalogues();
    g_test_add_func("/figures/caption/facts-are-told-in-both-languages", test_facts);
    g_test_add_func("/figures/caption/link-is-named-by-its-generation", test_link);
    g_test_add_func("/figures/caption/unknown-is-called-so", test_unknown);
    g_test_add_func("/figures/caption/model-never-passes-for-a-drive", test_simulated);
    g_test_add_func("/figures/caption/hostile-facts-are-harmless", test_hostile);
    return g_test_run();
}
