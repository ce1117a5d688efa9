/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the machine over a replayed tree, and on whatever machine runs this.
 */
#include "platform/platform.h"
#include "tests/platform/tree.h"

static const TreeEntry sysfs[] = {
    {"devices/system/cpu/online", "0-3\n"},
    {"devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n"},
    {"devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n"},
    {"devices/system/cpu/cpu2/topology/thread_siblings_list", "2\n"},
    {"devices/system/cpu/cpu3/topology/thread_siblings_list", "3\n"},
    {"devices/system/cpu/cpu0/topology/physical_package_id", "0\n"},
    {"devices/system/cpu/cpu2/topology/physical_package_id", "0\n"},
    {"devices/system/cpu/smt/control", "on\n"},
    {"devices/system/cpu/intel_pstate/no_turbo", "1\n"},
    {"devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n"},
    {"devices/system/cpu/cpufreq/policy2/scaling_governor", "powersave\n"},
    {"devices/system/cpu/cpufreq/policy0/scaling_driver", "intel_pstate\n"},
    {"devices/cpu_core/cpus", "0-1\n"},
    {"devices/cpu_atom/cpus", "2-3\n"},
    {"devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
    {"class/dmi/id/board_name", "ROG STRIX B850-I\n"},
    {"class/dmi/id/board_vendor", "ASUSTeK\n"},
    {"class/dmi/id/bios_version", "1087\n"},
    {"class/dmi/id/sys_vendor", "QEMU\n"},
    {"class/power_supply/BAT0/type", "Battery\n"},
    {"class/power_supply/BAT0/status", "Discharging\n"},
    {"class/power_supply/AC/type", "Mains\n"},
    {"class/power_supply/AC/online", "0\n"},
    {"module/nvme/parameters/poll_queues", "4\n"},
    {"module/pcie_aspm/parameters/policy", "default [performance] powersave\n"},
    {"kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
};

static const TreeEntry proc[] = {
    {"cpuinfo", "processor\t: 0\nmodel name\t: AMD Ryzen 5 9600X\nflags\t\t: fpu hypervisor x\n"},
    {"meminfo", "MemTotal:       65536000 kB\nMemFree: 1 kB\n"},
    {"uptime", "350735.47 234388.90\n"},
    {"loadavg", "0.20 0.18 0.12 1/80 11206\n"},
    {"sys/kernel/io_uring_disabled", "2\n"},
};

static void
assert_text(const FmFacts *facts, const char *name, const char *expected)
{
    g_assert_cmpstr(fm_facts_get_string(facts, name), ==, expected);
}

static void
assert_number(const FmFacts *facts, const char *name, uint64_t expected)
{
    uint64_t value = 0;
    g_assert_true(fm_facts_get_uint(facts, name, &value));
    g_assert_cmpuint(value, ==, expected);
}

static void
test_replay(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, sysfs, G_N_ELEMENTS(sysfs));
    tree_add(tree.proc, proc, G_N_ELEMENTS(proc));

    g_autoptr(FmFacts) facts = plat_environment();
    assert_text(facts, "cpu.model", "AMD Ryzen 5 9600X");
    assert_text(facts, "cpu.smt", "on");
    assert_text(facts, "cpu.governor", "performance, powersave");
    assert_text(facts, "board.name", "ROG STRIX B850-I");
    assert_text(facts, "bios.version", "1087");
    assert_text(facts, "machine.virtual", "qemu");
    assert_text(facts, "power.source", "battery");
    assert_text(facts, "clock.source", "tsc");
    assert_text(facts, "pcie.aspm-policy", "performance");
    assert_text(facts, "memory.transparent-huge-pages", "madvise");
    assert_number(facts, "cpu.threads", 4);
    assert_number(facts, "cpu.cores", 3);
    assert_number(facts, "cpu.sockets", 1);
    assert_number(facts, "cpu.performance-threads", 2);
    assert_number(facts, "cpu.efficiency-threads", 2);
    assert_number(facts, "memory.bytes", 67108864000);
    assert_number(facts, "nvme.poll-queues", 4);
    assert_number(facts, "kernel.io-uring-disabled", 2);
    bool turbo = true;
    g_assert_true(fm_facts_get_bool(facts, "cpu.turbo", &turbo));
    g_assert_false(turbo);
    double load;
    g_assert_true(fm_facts_get_double(facts, "system.load-1min", &load));
    g_assert_cmpfloat_with_epsilon(load, 0.20, 1e-9);
    tree_tear_down(&tree);
}

static void
test_nothing_readable(void)
{
    Tree tree;
    tree_set_up(&tree);
    g_autoptr(FmFacts) facts = plat_environment();
    static const char *const unknown[] = {
        "cpu.model",        "cpu.threads",  "cpu.cores",        "memory.bytes",
        "board.name",       "clock.source", "nvme.poll-queues", "kernel.io-uring-disabled",
        "system.load-1min", "cpu.governor", "pcie.aspm-policy",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(unknown); i++) {
        g_assert_nonnull(fm_facts_get_reason(facts, unknown[i]));
    }
    tree_tear_down(&tree);
}

static void
test_this_machine(void)
{
    g_autoptr(FmFacts) facts = plat_environment();
    uint64_t value = 0;
    g_assert_true(fm_facts_get_uint(facts, "memory.bytes", &value) && value > 0);
    g_assert_true(fm_facts_get_uint(facts, "cpu.threads", &value) && value > 0);
    g_assert_nonnull(fm_facts_get_string(facts, "kernel.release"));
    g_assert_nonnull(fm_facts_get_string(facts, "program.version"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/platform/osinfo/replayed-machine-is-told-whole", test_replay);
    g_test_add_func("/platform/osinfo/unreadable-is-unknown-with-a-reason", test_nothing_readable);
    g_test_add_func("/platform/osinfo/this-machine-has-memory-and-a-kernel", test_this_machine);
    return g_test_run();
}
