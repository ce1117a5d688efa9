/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a program and says when its window was on the screen, when it was first painted whole,
 * and what the process cost until then and in the seconds after.  Sees it from outside, through
 * the X server, so that a program is not asked about itself.
 *
 * Usage: first-frame SECONDS PROGRAM [ARGUMENT]…
 * Prints one line of JSON: mapped_ms and painted_ms since the start; pss_kb, cpu_ms (until
 * SECONDS after painting) and idle_cpu_ms (within these) of the process.  Ends the program.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 20000,
    MIN_SIDE = 200, /* smaller windows are not the one we wait for */
};

typedef struct {
    Display *display;
    int damage_event;
    Window window; /* None = not there yet */
    double started_ms;
    double mapped_ms;
    double painted_ms;
    unsigned n_whole; /* times the window was painted whole */
} Watch;

static double
now_ms(void)
{
    return (double)g_get_monotonic_time() / 1000.0;
}

/* The process may be gone meanwhile; asking about its windows is then an error to ignore. */
static int
ignore_error_cb(Display *display, XErrorEvent *event)
{
    return 0;
}

static void
handle_map(Watch *watch, Window window)
{
    XWindowAttributes attributes;

    if (watch->window != None || !XGetWindowAttributes(watch->display, window, &attributes) ||
        attributes.override_redirect || attributes.width < MIN_SIDE ||
        attributes.height < MIN_SIDE) {
        return;
    }
    watch->window = window;
    watch->mapped_ms = now_ms() - watch->started_ms;
}

/* The server itself paints the window whole when it is mapped; the next time it is the program. */
static void
handle_damage(Watch *watch, const XDamageNotifyEvent *event)
{
    bool is_whole = event->area.width * 2 > event->geometry.width &&
                    event->area.height * 2 > event->geometry.height;

    if (event->drawable != watch->window || !is_whole) {
        return;
    }
    watch->n_whole++;
    if (watch->n_whole == 2) {
        watch->painted_ms = now_ms() - watch->started_ms;
    }
}

static void
handle_event(Watch *watch, XEvent *event)
{
    if (event->type == CreateNotify &&
        event->xcreatewindow.parent == DefaultRootWindow(watch->display)) {
        XDamageCreate(watch->display, event->xcreatewindow.window, XDamageReportRawRectangles);
    } else if (event->type == MapNotify) {
        handle_map(watch, event->xmap.window);
    } else if (event->type == watch->damage_event + XDamageNotify) {
        handle_damage(watch, (const XDamageNotifyEvent *)event);
    }
}

static bool
wait_painted(Watch *watch)
{
    struct pollfd server = {.fd = ConnectionNumber(watch->display), .events = POLLIN};

    while (watch->painted_ms == 0 && now_ms() - watch->started_ms < PATIENCE_MS) {
        while (XPending(watch->display) > 0) {
            XEvent event;
            XNextEvent(watch->display, &event);
            handle_event(watch, &event);
        }
        poll(&server, 1, 50);
    }
    return watch->painted_ms > 0;
}

/* User and system time of a process, in milliseconds. */
static double
read_cpu_ms(pid_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return 0;
    }
    /* Field 2 is the name, which may hold blanks; 14 and 15 count from there. */
    g_auto(GStrv) fields = g_strsplit(strrchr(text, ')') + 2, " ", 0);
    double ticks = g_ascii_strtod(fields[11], NULL) + g_ascii_strtod(fields[12], NULL);
    return ticks * 1000.0 / (double)sysconf(_SC_CLK_TCK);
}

static long
read_pss_kb(pid_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/smaps_rollup", (int)pid);
    g_autofree char *text = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return 0;
    }
    const char *line = strstr(text, "\nPss:");
    return line != NULL ? strtol(line + strlen("\nPss:"), NULL, 10) : 0;
}

int
main(int argc, char **argv)
{
    Watch watch = {0};
    int damage_error = 0;

    if (argc < 3) {
        fputs("usage: first-frame SECONDS PROGRAM [ARGUMENT]...\n", stderr);
        return 2;
    }
    watch.display = XOpenDisplay(NULL);
    if (watch.display == NULL ||
        !XDamageQueryExtension(watch.display, &watch.damage_event, &damage_error)) {
        fputs("there is no X server, or it has no DAMAGE\n", stderr);
        return 77;
    }
    XSetErrorHandler(ignore_error_cb);
    XSelectInput(watch.display, DefaultRootWindow(watch.display), SubstructureNotifyMask);
    XSync(watch.display, False);

    watch.started_ms = now_ms();
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    bool is_painted = wait_painted(&watch);
    double cpu_ms = read_cpu_ms(pid);
    usleep((useconds_t)(g_ascii_strtod(argv[1], NULL) * 1e6));
    double cpu_after_ms = read_cpu_ms(pid);
    printf("{\"mapped_ms\": %.1f, \"painted_ms\": %.1f, \"pss_kb\": %ld, \"cpu_ms\": %.0f, "
           "\"idle_cpu_ms\": %.0f}\n",
           watch.mapped_ms, watch.painted_ms, read_pss_kb(pid), cpu_after_ms,
           cpu_after_ms - cpu_ms);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    return is_painted ? 0 : 1;
}
