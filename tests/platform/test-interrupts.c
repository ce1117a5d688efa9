/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting a drive's interrupts in recorded texts of /proc/interrupts.
 */
#include "platform/linux/interrupts.h"

static const char text[] =
    "            CPU0       CPU1       \n"
    "  24:          5          0  IR-PCI-MSIX-0000:01:00.0    0-edge      nvme0q0\n"
    "  25:        100          7  IR-PCI-MSIX-0000:01:00.0    1-edge      nvme0q1\n"
    "  26:          0       1000  IR-PCI-MSIX-0000:01:00.0    2-edge      nvme0q2\n"
    "  27:         11         12  IR-PCI-MSIX-0000:02:00.0    1-edge      nvme1q1\n"
    "  28:          9          9  PCI-MSI 512000-edge      ahci[0000:00:1f.2]\n"
    " NMI:          0          0   Non-maskable interrupts\n";

static void
test_counts_io_queues_only(void)
{
    uint64_t count = 0;

    g_assert_true(plat_interrupts_add(text, "nvme0", &count));
    g_assert_cmpuint(count, ==, 1107);
    count = 0;
    g_assert_true(plat_interrupts_add(text, "nvme1", &count));
    g_assert_cmpuint(count, ==, 23);
    g_assert_false(plat_interrupts_add(text, "nvme", &count));
    g_assert_false(plat_interrupts_add(text, "nvme2", &count));
}

static void
test_names_the_controller(void)
{
    static const struct {
        const char *drive;
        const char *controller;
    } cases[] = {
        {"nvme0n1", "nvme0"}, {"nvme12n3", "nvme12"}, {"nvme0c1n1", "nvme0"},
        {"sda", NULL},        {"nvme", NULL},         {"vda", NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *controller = plat_interrupts_controller(cases[i].drive);
        g_assert_cmpstr(controller, ==, cases[i].controller);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/platform/interrupts/counts-io-queues-only", test_counts_io_queues_only);
    g_test_add_func("/platform/interrupts/names-the-controller", test_names_the_controller);
    return g_test_run();
}
