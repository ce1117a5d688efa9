/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time on Linux.  The cycle counter is used only where CPUID calls it invariant, the
 * kernel itself trusts it, and it agrees across CPUs (ENGINE 2.6).
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform-io.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum {
    PAIR_TRIES = 16,
    ORDER_ROUNDS = 3,
};

/* The clock scale is the one global state of the worker; written once before threads
 * start. */
static bool has_counter;
static const char *reason = N_("the clock was not initialised");

static int64_t
clock_ns(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
plat_clock_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC_RAW);
}

int64_t
plat_clock_suspended_ns(void)
{
    return clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
}

static bool
counter_is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

static bool
kernel_trusts_counter(void)
{
    static const char *const trusted[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                          "arch_sys_counter"};
    g_autofree char *source = NULL;

    if (!g_file_get_contents("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                             &source, NULL, NULL)) {
        return false;
    }
    g_strstrip(source);
    for (gsize i = 0; i < G_N_ELEMENTS(trusted); i++) {
        if (strcmp(source, trusted[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* One thread visits every CPU in turn and carries the newest reading along: a reading
 * older than the one before proves that the counters differ. */
typedef struct {
    uint64_t newest;
    bool failed;
} OrderTest;

static void *
visit_cpus_cb(void *data)
{
    OrderTest *test = data;
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return NULL;
    }
    for (unsigned round = 0; round < ORDER_ROUNDS; round++) {
        for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
            cpu_set_t one;
            if (!CPU_ISSET(cpu, &allowed)) {
                continue;
            }
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            if (sched_setaffinity(0, sizeof one, &one) != 0) {
                continue;
            }
            uint64_t now = plat_counter();
            test->failed = test->failed || now < test->newest;
            test->newest = now;
        }
    }
    return NULL;
}

static bool
counter_agrees_across_cpus(void)
{
    OrderTest test = {0};
    pthread_t thread;

    /* A thread of its own, because it changes its affinity. */
    if (pthread_create(&thread, NULL, visit_cpus_cb, &test) != 0) {
        return false;
    }
    pthread_join(thread, NULL);
    return !test.failed;
}

void
plat_clock_init(void)
{
    has_counter = false;
    if (!counter_is_invariant()) {
        reason = N_("this CPU has no invariant cycle counter");
    } else if (!kernel_trusts_counter()) {
        reason = N_("the kernel does not use the cycle counter as its clock source");
    } else if (!counter_agrees_across_cpus()) {
        reason = N_("the cycle counters of the CPUs differ");
    } else {
        has_counter = true;
        reason = NULL;
    }
}

bool
plat_clock_has_counter(void)
{
    return has_counter;
}

const char *
plat_clock_get_reason(void)
{
    return reason;
}

FmClockPair
plat_clock_pair(void)
{
    FmClockPair best = {0};
    uint64_t narrowest = UINT64_MAX;

    if (!has_counter) {
        int64_t now = plat_clock_monotonic_ns();
        return (FmClockPair){.ticks = (uint64_t)now, .ns = now};
    }
    for (unsigned i = 0; i < PAIR_TRIES; i++) {
        uint64_t before = plat_counter();
        int64_t ns = plat_clock_monotonic_ns();
        uint64_t width = plat_counter() - before;
        if (width < narrowest) {
            narrowest = width;
            best = (FmClockPair){.ticks = before + width / 2, .ns = ns};
        }
    }
    return best;
}

void
plat_clock_sleep_until(int64_t deadline_ns)
{
    int64_t left = deadline_ns - plat_clock_monotonic_ns();

    if (left > 0) {
        /* CLOCK_MONOTONIC_RAW can't be slept on; the difference over one sleep is
         * below a microsecond a second. */
        struct timespec span = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
    }
}
