/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing, pinning and watching CPUs on Linux.  Topology comes from sysfs.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/tick.h"
#include "platform/platform-io.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    MAX_CPUS = CPU_SETSIZE,
    WORKER_NICE = -20,
};

typedef struct {
    int cpu;
    bool first_sibling; /* of its physical core */
    bool near; /* on the wanted NUMA node */
    uint64_t max_khz; /* 0 = unknown; efficiency cores have less */
} CpuChoice;

static bool
read_number(const char *path, uint64_t *value)
{
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return false;
    }
    return g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, G_MAXUINT64, value, NULL);
}

static bool
is_first_sibling(int cpu)
{
    g_autofree char *path =
        g_strdup_printf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return true;
    }
    return strtol(text, NULL, 10) == cpu;
}

static bool
is_on_node(int cpu, int node)
{
    g_autofree char *path = g_strdup_printf("/sys/devices/system/node/node%d/cpu%d", node, cpu);
    return node < 0 || g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Best first: a core of its own, near the drive, fast; CPU 0 last among equals,
 * because the system's own work tends to run there. */
static int
compare_choices_cb(const void *first, const void *second)
{
    const CpuChoice *a = first;
    const CpuChoice *b = second;

    if (a->first_sibling != b->first_sibling) {
        return a->first_sibling ? -1 : 1;
    }
    if (a->near != b->near) {
        return a->near ? -1 : 1;
    }
    if (a->max_khz != b->max_khz) {
        return a->max_khz > b->max_khz ? -1 : 1;
    }
    if ((a->cpu == 0) != (b->cpu == 0)) {
        return a->cpu == 0 ? 1 : -1;
    }
    return a->cpu - b->cpu;
}

static unsigned
list_choices(int node, CpuChoice *choices)
{
    cpu_set_t allowed;
    unsigned n = 0;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return 0;
    }
    for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
        if (!CPU_ISSET((unsigned)cpu, &allowed)) {
            continue;
        }
        g_autofree char *path =
            g_strdup_printf("/sys/devices/system/cpu/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
        CpuChoice *choice = &choices[n++];
        *choice = (CpuChoice){
            .cpu = cpu,
            .first_sibling = is_first_sibling(cpu),
            .near = is_on_node(cpu, node),
        };
        read_number(path, &choice->max_khz);
    }
    qsort(choices, n, sizeof *choices, compare_choices_cb);
    return n;
}

unsigned
plat_cpu_count_cores(void)
{
    g_autofree CpuChoice *choices = g_new(CpuChoice, MAX_CPUS);
    unsigned n = list_choices(-1, choices);
    unsigned cores = 0;

    while (cores < n && choices[cores].first_sibling) {
        cores++;
    }
    return MAX(cores, 1);
}

int
plat_cpu_choose(unsigned index, unsigned n, int node)
{
    g_autofree CpuChoice *choices = g_new(CpuChoice, MAX_CPUS);
    unsigned n_choices = list_choices(node, choices);

    if (n > n_choices || index >= n_choices) {
        return -1;
    }
    return choices[index].cpu;
}

bool
plat_cpu_pin(int cpu)
{
    cpu_set_t set;

    /* Not SCHED_FIFO: a spinning FIFO thread meets the real-time throttle and can
     * hang a small machine (ENGINE 2.7).  Without permission nice stays as it is. */
    setpriority(PRIO_PROCESS, 0, WORKER_NICE);
    if (cpu < 0) {
        return false;
    }
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

int64_t
plat_cpu_thread_time_ns(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t
plat_cpu_thread_preemptions(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_THREAD, &usage);
    return (uint64_t)usage.ru_nivcsw;
}

uint16_t
plat_cpu_busy_permille(int cpu, uint64_t state[2])
{
    g_autofree char *text = NULL;
    g_autofree char *name = g_strdup_printf("\ncpu%d ", cpu);
    uint64_t fields[8] = {0};

    if (cpu < 0 || !g_file_get_contents("/proc/stat", &text, NULL, NULL)) {
        return FM_CPU_UNKNOWN;
    }
    const char *line = strstr(text, name);
    if (line == NULL ||
        sscanf(line + strlen(name), "%lu %lu %lu %lu %lu %lu %lu %lu", &fields[0], &fields[1],
               &fields[2], &fields[3], &fields[4], &fields[5], &fields[6], &fields[7]) != 8) {
        return FM_CPU_UNKNOWN;
    }
    uint64_t idle = fields[3] + fields[4];
    uint64_t total = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        total += fields[i];
    }
    uint64_t passed = total - state[0];
    uint64_t rested = idle - state[1];
    bool first = state[0] == 0;
    state[0] = total;
    state[1] = idle;
    if (first || passed == 0) {
        return FM_CPU_UNKNOWN;
    }
    return (uint16_t)(1000 * (passed - MIN(rested, passed)) / passed);
}
