/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the worker needs from the system besides backends: time, CPUs, I/O memory and
 * opening targets.  Only the worker links this.  Implemented once per system
 * (link-time twins).
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "platform/backend.h"

G_BEGIN_DECLS

/* --- Clock (ENGINE 2.6) -------------------------------------------------------
 * Ticks are the invariant cycle counter where the machine has a trustworthy one, else
 * nanoseconds of the monotonic clock ("coarse clock"). */

/* Reads the cycle counter.  Valid only if plat_clock_has_counter(). */
static inline uint64_t
plat_counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return 0;
#endif
}

/* Must be called once before threads start; finds out whether the counter is
 * invariant and agrees across CPUs. */
void plat_clock_init(void);
bool plat_clock_has_counter(void);
/* Why there is no counter ("kernel clock source is hpet"), or NULL. */
const char *plat_clock_get_reason(void);
/* Monotonic time in ns that is not slewed (CLOCK_MONOTONIC_RAW). */
int64_t plat_clock_monotonic_ns(void);
/* How long the machine has been suspended since it was started, in ns. */
int64_t plat_clock_suspended_ns(void);

/* A (counter, monotonic ns) pair; the tightest of several tries. */
typedef struct {
    uint64_t ticks;
    int64_t ns;
} FmClockPair;

FmClockPair plat_clock_pair(void);

/* Sleeps until the monotonic instant @deadline_ns; returns early on a signal. */
void plat_clock_sleep_until(int64_t deadline_ns);

/* --- CPUs ------------------------------------------------------------------- */

/* Physical cores this process may use. */
unsigned plat_cpu_count_cores(void);
/*
 * CPU number for I/O thread @index of @n: one thread a physical performance core,
 * near NUMA node @node (-1 = any), CPU 0 last.  Returns -1 where the threads
 * outnumber the CPUs (then nothing is pinned).
 */
int plat_cpu_choose(unsigned index, unsigned n, int node);
/* Pins the calling thread and raises its priority as far as permitted.  Returns
 * whether it is pinned. */
bool plat_cpu_pin(int cpu);
/* CPU time of the calling thread in ns. */
int64_t plat_cpu_thread_time_ns(void);
/* How often the calling thread was taken off its CPU against its will. */
uint64_t plat_cpu_thread_preemptions(void);
/* Busy share of CPU @cpu since the last call with the same @state, in per mille, or
 * FM_CPU_UNKNOWN.  @state is two words, zeroed at first. */
uint16_t plat_cpu_busy_permille(int cpu, uint64_t state[2]);

/* --- I/O memory --------------------------------------------------------------- */

typedef struct {
    void *data; /* page aligned, touched, locked if permitted */
    size_t size;
    bool locked;
    bool huge;
} FmIoMemory;

/* Fails with FM_ERROR_NO_SPACE only when memory is really short; a missing lock
 * permission is recorded in @memory, not an error. */
bool plat_io_memory_new(FmIoMemory *memory, size_t size, GError **error);
void plat_io_memory_free(FmIoMemory *memory);

/* --- Status codes of completions ---------------------------------------------- */

/* English text of a native status code (positive), such as "Input/output error". */
const char *plat_status_text(int code);
/* The FmErrorCode it folds to. */
int plat_status_fold(int code);

/* --- Threads blocked in the kernel -------------------------------------------- */

/* Installs the no-op signal that makes blocking calls return early. */
void plat_wake_init(void);
/* Identity of the calling thread for plat_wake_thread(). */
uint64_t plat_wake_self(void);
void plat_wake_thread(uint64_t thread);

G_END_DECLS
