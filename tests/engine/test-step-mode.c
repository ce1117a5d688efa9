/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One word for the queues of a step, unless that would hide what some of them did.
 */
#include "engine/step-mode.h"

static void
test_modes(void)
{
    static const struct {
        const char *modes[4];
        unsigned n;
        const char *said;
    } cases[] = {
        {{"polled"}, 1, "polled"},
        {{"sqpoll", "sqpoll", "sqpoll"}, 3, "sqpoll"},
        {{"polled", "interrupt", "polled", "polled"}, 4, "polled on 3 of 4 threads"},
        {{"polled", "interrupt", "interrupt"}, 3, "interrupt on 2 of 3 threads"},
        {{"interrupt", "polled"}, 2, "interrupt on 1 of 2 threads"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *said = fm_step_mode_dup(cases[i].modes, cases[i].n);
        g_assert_cmpstr(said, ==, cases[i].said);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/step-mode/queues-that-differ-are-told", test_modes);
    return g_test_run();
}
