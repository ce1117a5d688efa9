/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a drive was really polled can only be proved by the interrupts it did not
 * send: kernels up to 6.6 accept polled I/O on a drive without poll queues and use
 * interrupts silently (ENGINE 1.5).  Only NVMe names its vectors after itself; of any
 * other drive the count is unknown.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/interrupts.h"

#include "platform/linux/place.h"
#include "platform/linux/sysfs.h"
#include "platform/platform.h"

#include <string.h>

char *
plat_interrupts_controller(const char *drive)
{
    gsize digits = strlen("nvme");

    if (!g_str_has_prefix(drive, "nvme")) {
        return NULL;
    }
    while (g_ascii_isdigit(drive[digits])) {
        digits++;
    }
    return digits > strlen("nvme") ? g_strndup(drive, digits) : NULL;
}

/* A line is "  45:  0  1234  IR-PCI-MSIX-... 1-edge  nvme0q1": numbers a CPU, then words,
 * the last of which is the vector's name. */
static bool
is_io_queue(const char *line, const char *controller)
{
    const char *name = strrchr(line, ' ');

    if (name == NULL || !g_str_has_prefix(++name, controller)) {
        return false;
    }
    name += strlen(controller);
    return name[0] == 'q' && g_ascii_isdigit(name[1]) && strcmp(name, "q0") != 0;
}

static uint64_t
sum_line(const char *line)
{
    const char *at = strchr(line, ':');
    uint64_t sum = 0;

    if (at == NULL) {
        return 0;
    }
    at++;
    for (;;) {
        char *end;
        uint64_t value = g_ascii_strtoull(at, &end, 10);
        /* The first word that is no plain number ends the columns of the CPUs. */
        if (end == at || (*end != ' ' && *end != '\0')) {
            return sum;
        }
        sum += value;
        at = end;
    }
}

bool
plat_interrupts_add(const char *text, const char *controller, uint64_t *count)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool found = false;

    for (unsigned i = 0; lines[i] != NULL; i++) {
        if (is_io_queue(g_strchomp(lines[i]), controller)) {
            *count += sum_line(lines[i]);
            found = true;
        }
    }
    return found;
}

bool
plat_target_interrupts(const char *path, uint64_t *count)
{
    g_autoptr(FmPlace) place = plat_place_new(path, NULL);
    g_autofree char *file = plat_proc_path("interrupts");
    g_autofree char *text = NULL;

    *count = 0;
    if (place == NULL || !g_file_get_contents(file, &text, NULL, NULL)) {
        return false;
    }
    g_autoptr(GPtrArray) drives = plat_place_list_drives(place);
    for (guint i = 0; i < drives->len; i++) {
        g_autofree char *controller = plat_interrupts_controller(drives->pdata[i]);
        if (controller == NULL || !plat_interrupts_add(text, controller, count)) {
            return false;
        }
    }
    return drives->len > 0;
}
