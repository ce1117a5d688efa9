/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom-cli on drives of our own: what it says it moved is what the kernel counted for
 * the device, and what it does where a drive, a file system or a limit says no (BUGS 13,
 * 18, 20, 23, 25, 26, 35).  Needs the right to mount; everything is gone afterwards.
 */
#include "cli/cli.h"
#include "model/tick.h"
#include "platform/platform.h"
#include "tests/platform/tree.h"
#include "tests/platform/volume.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define EXT4 "mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0"
#define SHORT "--keep-free 0 --set size=16MiB --set measure=1s --set count=1 --set interval=0s"

enum {
    ORDINARY_USER = 65534,
    SECTOR = 512,
};

/* What a command gave. */
typedef struct {
    int exit_code;
    char *output;
    char *errors;
} Result;

static char *root; /* results and state; removed at the end */

static void
result_clear(Result *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->errors, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

static void
volumes_clear(Volumes *volumes)
{
    volumes_tear_down(volumes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Volumes, volumes_clear)

/* --- Processes ------------------------------------------------------------------------ */

/* How a command is to run. */
typedef struct {
    const char *variables[7]; /* names and values, NULL at the end */
    void (*limit)(gpointer user_data); /* in the child, before the program; may be NULL */
} How;

static GSubprocess *
start(const How *how, const char *line)
{
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *full = g_strdup_printf("'%s' %s", program, line);
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);

    g_assert_true(g_shell_parse_argv(full, NULL, &words, NULL));
    g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv(launcher, "LANGUAGE", "en", TRUE);
    for (gsize i = 0; how->variables[i] != NULL; i += 2) {
        g_subprocess_launcher_setenv(launcher, how->variables[i], how->variables[i + 1], TRUE);
    }
    g_subprocess_launcher_set_cwd(launcher, root);
    if (how->limit != NULL) {
        g_subprocess_launcher_set_child_setup(launcher, how->limit, NULL, NULL);
    }
    GSubprocess *process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)words, &error);
    g_assert_no_error(error);
    return process;
}

static Result
finish(GSubprocess *process)
{
    Result result = {0};
    g_autoptr(GError) error = NULL;

    g_assert_true(
        g_subprocess_communicate_utf8(process, NULL, NULL, &result.output, &result.errors, &error));
    g_assert_no_error(error);
    g_assert_true(g_subprocess_get_if_exited(process));
    result.exit_code = g_subprocess_get_exit_status(process);
    return result;
}

static Result run_as(const How *how, const char *format, ...) G_GNUC_PRINTF(2, 3);

static Result
run_as(const How *how, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autoptr(GSubprocess) process = start(how, line);
    Result result = finish(process);

    g_test_message("%s: exit code %d\n%s", line, result.exit_code, result.errors);
    return result;
}

static const How plainly;

static json_t *
export_json(const char *name)
{
    g_auto(Result) result = run_as(&plainly, "export %s.fathom --format json", name);
    json_t *json = json_loads(result.output, 0, NULL);

    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(json);
    return json;
}

/* A volume of our own with @point on it, or a skipped test. */
static char *
set_up_drive(Volumes *volumes, unsigned mib)
{
    return volumes_set_up(volumes) ? volumes_add(volumes, mib, EXT4, "rw", true) : NULL;
}

/* --- Totals --------------------------------------------------------------------------- */

/* Bytes that the kernel counted for the drive below @point. */
static void
read_counters(const char *point, double *read_bytes, double *written_bytes)
{
    struct stat status;
    unsigned long long sectors[2];
    g_autofree char *text = NULL;

    g_assert_cmpint(stat(point, &status), ==, 0);
    g_autofree char *path =
        g_strdup_printf("/sys/dev/block/%u:%u/stat", major(status.st_dev), minor(status.st_dev));
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpint(sscanf(text, "%*u %*u %llu %*u %*u %*u %llu", &sectors[0], &sectors[1]), ==, 2);
    *read_bytes = (double)sectors[0] * SECTOR;
    *written_bytes = (double)sectors[1] * SECTOR;
}

static double
get_number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    g_assert_nonnull(value);
    return json_is_string(value) ? g_ascii_strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

/* Reads and writes of all steps of a run, also those outside of the measured time. */
static void
sum_steps(const json_t *run, double sums[2])
{
    static const char *const names[] = {"bytes", "outside-bytes"};
    const json_t *step;
    size_t i;

    json_array_foreach(json_object_get(run, "steps"), i, step)
    {
        const json_t *end = json_object_get(step, "end");
        for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
            const json_t *counts = json_object_get(end, names[k]);
            sums[0] += json_number_value(json_array_get(counts, 0));
            sums[1] += json_number_value(json_array_get(counts, 1));
        }
    }
}

static void
assert_within(double value, double counted, double share)
{
    g_test_message("%.0f said, %.0f counted, %+.4f %%", value, counted,
                   (value / counted - 1) * 100);
    g_assert_cmpfloat(value, >=, counted * (1 - share));
    g_assert_cmpfloat(value, <=, counted * (1 + share));
}

static void
assert_exports(const char *name)
{
    static const char *const formats[] = {"json", "csv", "csv --ticks", "text", "cdm"};

    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_auto(Result) result = run_as(&plainly, "export %s.fathom -f %s", name, formats[i]);
        g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
        g_assert_cmpuint(strlen(result.output), >, 200);
    }
}

static void
test_totals(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 512);
    double before[2];
    double after[2];
    double sums[2] = {0};

    if (point == NULL) {
        return;
    }
    g_assert_true(volumes_run("sync --file-system '%s'", point));
    read_counters(point, &before[0], &before[1]);
    g_auto(Result) result = run_as(&plainly,
                                   "run cdm-default '%s' --set size=64MiB --set measure=1s "
                                   "--set count=2 --set interval=0s --keep-free 0 "
                                   "--output totals.fathom",
                                   point);
    g_assert_true(volumes_run("sync --file-system '%s'", point));
    read_counters(point, &after[0], &after[1]);
    g_assert_cmpuint(volumes_count_files(point), ==, 0);
    if (result.exit_code == FM_EXIT_REFUSED) {
        g_test_skip("no direct loop device on a drive can be had here");
        return;
    }
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    assert_exports("totals");

    json_t *run = export_json("totals");
    const json_t *facts = json_object_get(json_object_get(run, "target"), "facts");
    /* What the guard moved before, both ways, and the filling of the test file. */
    double probe = get_number(facts, "guard.probe-bytes");
    if (get_number(facts, "guard.tries") > 1) {
        g_test_skip("others use loop devices of ours");
    } else {
        sum_steps(run, sums);
        assert_within(sums[0] + probe, after[0] - before[0], 0.001);
        assert_within(sums[1] + probe + 64 * 1024 * 1024, after[1] - before[1], 0.001);
    }
    json_decref(run);
}

/* --- Others on the drive -------------------------------------------------------------- */

/* "disturbed" of the only step of the run kept as @name, and what others moved. */
static bool
find_disturbance(const char *name, double *foreign)
{
    json_t *run = export_json(name);
    const json_t *step = json_array_get(json_object_get(run, "steps"), 0);
    const json_t *disturbed = json_object_get(step, "disturbed");
    bool is_disturbed = json_is_true(disturbed);

    g_assert_true(json_is_boolean(disturbed));
    *foreign = get_number(step, "foreign-bytes");
    json_decref(run);
    return is_disturbed;
}

/* The same second twice: alone, and while another program writes to the drive. */
static void
test_disturbed(void)
{
    static const char plan[] =
        "{\"fathom-plan\": 1, \"id\": \"alone\", \"name\": \"Alone\", \"file-size\": \"8MiB\","
        " \"phases\": [{\"kind\": \"measure\", \"id\": \"m\","
        " \"streams\": [{\"read\": \"100%\", \"pattern\": \"random\","
        " \"block\": \"4KiB\", \"in-flight\": 1}], \"stop\": {\"time\": \"1s\"}}]}";
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 128);
    double foreign;

    if (point == NULL) {
        return;
    }
    g_autofree char *path = g_build_filename(root, "alone.json", NULL);
    g_assert_true(g_file_set_contents(path, plan, -1, NULL));
    g_autofree char *line = g_strdup_printf("run ./alone.json '%s' --keep-free 0 --output", point);
    g_auto(Result) alone = run_as(&plainly, "%s alone.fathom", line);
    if (alone.exit_code == FM_EXIT_REFUSED) {
        g_test_skip("no direct loop device on a drive can be had here");
        return;
    }
    g_assert_false(find_disturbance("alone", &foreign));
    g_test_message("%.0f bytes of others when alone", foreign);

    /* 100 times 1 MiB, 50 ms apart, so that some of it falls into the second. */
    g_autofree char *writer = g_strdup_printf(
        "for i in $(seq 100); do dd if=/dev/urandom of='%s/other' bs=1M count=1 oflag=direct "
        "conv=notrunc 2>/dev/null; sleep 0.05; done",
        point);
    const char *argv[] = {"sh", "-c", writer, NULL};
    g_autoptr(GSubprocess) other = g_subprocess_newv(argv, G_SUBPROCESS_FLAGS_NONE, NULL);
    g_auto(Result) disturbed = run_as(&plainly, "%s disturbed.fathom --yes-cached", line);
    g_subprocess_force_exit(other);
    g_subprocess_wait(other, NULL, NULL);
    g_assert_cmpint(disturbed.exit_code, ==, FM_EXIT_OK);
    if (strstr(disturbed.output, "direct: the numbers") == NULL) {
        g_test_skip("the writer kept the guard from its proof");
        return;
    }
    g_assert_true(find_disturbance("disturbed", &foreign));
    g_assert_cmpfloat(foreign, >, 1024 * 1024);
    g_assert_nonnull(strstr(disturbed.output, "\no  "));
}

/* --- Ticks (BUGS 13) ------------------------------------------------------------------ */

/* Column @name of the row of cells @cells; -1 = empty. */
static double
get_cell(char **head, char **cells, const char *name)
{
    for (guint i = 0; head[i] != NULL; i++) {
        if (strcmp(head[i], name) == 0) {
            return *cells[i] != '\0' ? g_ascii_strtod(cells[i], NULL) : -1;
        }
    }
    g_assert_not_reached();
}

static void
test_mixed_ticks(void)
{
    static const char plan[] =
        "{\"fathom-plan\": 1, \"id\": \"mix\", \"name\": \"Mix\", \"file-size\": \"16MiB\","
        " \"phases\": [{\"kind\": \"measure\", \"id\": \"m\","
        " \"streams\": [{\"read\": \"70%\", \"write\": \"30%\", \"pattern\": \"random\","
        " \"block\": \"4KiB\", \"in-flight\": 8}], \"stop\": {\"time\": \"1050ms\"}}]}";
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 128);
    double sums[2] = {0};
    unsigned n_partial = 0;

    if (point == NULL) {
        return;
    }
    g_autofree char *path = g_build_filename(root, "mix.json", NULL);
    g_assert_true(g_file_set_contents(path, plan, -1, NULL));
    g_auto(Result) result = run_as(
        &plainly, "run ./mix.json '%s' --yes-cached --keep-free 0 --output mix.fathom", point);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_auto(Result) ticks = run_as(&plainly, "export mix.fathom --format csv --ticks");
    g_auto(GStrv) lines = g_strsplit(ticks.output, "\r\n", -1);
    g_auto(GStrv) head = g_strsplit(lines[0], ",", -1);
    guint n = 1;
    for (; lines[n] != NULL && *lines[n] != '\0'; n++) {
        /* One row holds reads and writes of one slot: they can't be shifted. */
        g_auto(GStrv) cells = g_strsplit(lines[n], ",", -1);
        bool is_partial = get_cell(head, cells, "partial") > 0;
        sums[0] += get_cell(head, cells, "read_bytes");
        sums[1] += get_cell(head, cells, "write_bytes");
        n_partial += is_partial;
        g_assert_true(is_partial == (lines[n + 1] == NULL || *lines[n + 1] == '\0'));
    }
    g_assert_cmpuint(n, >=, 1050 / FM_TICK_INTERVAL_MS);
    g_assert_cmpuint(n_partial, ==, 1);

    json_t *run = export_json("mix");
    const json_t *step = json_array_get(json_object_get(run, "steps"), 0);
    const json_t *bytes = json_object_get(json_object_get(step, "end"), "bytes");
    g_assert_cmpfloat(sums[0], ==, json_number_value(json_array_get(bytes, 0)));
    g_assert_cmpfloat(sums[1], ==, json_number_value(json_array_get(bytes, 1)));
    g_assert_cmpfloat(sums[0], >, sums[1]);
    g_assert_cmpfloat(sums[1], >, 0);
    json_decref(run);
}

/* --- Locales (BUGS 18) ---------------------------------------------------------------- */

static void
test_locales(void)
{
    static const char *const locales[] = {"ko_KR", "de_DE", "tr_TR"};
    static const char *const formats[] = {"json", "csv", "csv --ticks", "cdm"};
    unsigned n_compared = 0;

    g_auto(Result) made =
        run_as(&plainly, "run cdm-default sim:tlc --output locale.fathom --set size=64MiB "
                         "--set measure=1s --set count=1 --set interval=0s");
    g_assert_cmpint(made.exit_code, ==, FM_EXIT_OK);
    for (gsize i = 0; i < G_N_ELEMENTS(locales); i++) {
        g_autofree char *name = g_strdup_printf("%s.UTF-8", locales[i]);
        if (!volumes_run("localedef -i %s -f UTF-8 '%s/%s'", locales[i], root, name)) {
            continue;
        }
        How how = {.variables = {"LOCPATH", root, "LC_ALL", name}};
        for (gsize k = 0; k < G_N_ELEMENTS(formats); k++) {
            g_auto(Result) plain = run_as(&plainly, "export locale.fathom -f %s", formats[k]);
            g_auto(Result) local = run_as(&how, "export locale.fathom -f %s", formats[k]);
            g_assert_cmpint(plain.exit_code, ==, FM_EXIT_OK);
            g_assert_cmpuint(strlen(plain.output), >, 200);
            g_assert_cmpstr(local.output, ==, plain.output);
            n_compared++;
        }
    }
    if (n_compared == 0) {
        g_test_skip("localedef can't make locales here");
    }
}

/* --- Memory (BUGS 20) ----------------------------------------------------------------- */

static void
test_memory(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_mount(&volumes, "tmpfs", "tmpfs", "size=64m") : NULL;

    if (point == NULL) {
        return;
    }
    g_auto(Result) refused =
        run_as(&plainly, "run cdm-demo '%s' --output memory.fathom " SHORT, point);
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
    g_assert_nonnull(strstr(refused.errors, "is memory, not a drive; add --yes-cached"));
    g_assert_cmpuint(volumes_count_files(point), ==, 0);

    g_auto(Result) allowed =
        run_as(&plainly, "run cdm-demo '%s' --yes-cached --output memory.fathom " SHORT, point);
    g_assert_cmpint(allowed.exit_code, ==, FM_EXIT_OK);
    static const char *const formats[] = {"json", "csv", "text", "cdm"};
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_auto(Result) result = run_as(&plainly, "export memory.fathom -f %s", formats[i]);
        g_assert_nonnull(strstr(result.output, "memory"));
    }
    g_assert_cmpuint(volumes_count_files(point), ==, 0);
}

/* --- Full (BUGS 23) ------------------------------------------------------------------- */

/* Where the run file goes is full: the run goes on, what it gave is kept elsewhere. */
static void
test_full_results_folder(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_mount(&volumes, "tmpfs", "tmpfs", "size=8k") : NULL;

    if (point == NULL) {
        return;
    }
    g_auto(Result) result =
        run_as(&plainly, "run cdm-demo sim:ideal --output '%s/r.fathom' " SHORT, point);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_FAILED);
    g_assert_nonnull(strstr(result.errors, "the run goes on in “"));
    const char *kept = strstr(result.output, "Kept in “");
    g_assert_nonnull(kept);
    kept += strlen("Kept in “");
    g_autofree char *path = g_strndup(kept, (gsize)(strstr(kept, "”") - kept));
    g_auto(Result) exported = run_as(&plainly, "export '%s'", path);
    g_assert_cmpint(exported.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(exported.output, "complete"));
}

static void
limit_files_cb(gpointer user_data)
{
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 5120, .rlim_max = 5120});
}

/* No file may grow: no place takes the run, so it must not end as if all were well. */
static void
test_file_size_limit(void)
{
    How limited = {.limit = limit_files_cb};
    g_auto(Result) result =
        run_as(&limited, "run cdm-demo sim:ideal --output limited.fathom " SHORT);

    g_assert_cmpint(result.exit_code, ==, FM_EXIT_FAILED);
    g_assert_nonnull(strstr(result.errors, "kept only up to here"));
    g_auto(Result) exported = run_as(&plainly, "export limited.fathom");
    g_assert_cmpint(exported.exit_code, ==, FM_EXIT_OK);
}

/* Somebody removes the run file: it is not said to be there. */
static void
test_removed_run_file(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 64);

    if (point == NULL) {
        return;
    }
    g_autofree char *line =
        g_strdup_printf("run cdm-demo '%s' --yes-cached --output removed.fathom " SHORT, point);
    g_autofree char *path = g_build_filename(root, "removed.fathom", NULL);
    g_autoptr(GSubprocess) process = start(&plainly, line);
    for (unsigned i = 0; i < 500 && !g_file_test(path, G_FILE_TEST_EXISTS); i++) {
        g_usleep(10000);
    }
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_auto(Result) result = finish(process);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_FAILED);
    g_assert_nonnull(strstr(result.errors, "was removed; the run goes on in “"));
}

/* --- Ways of I/O (BUGS 25, 26) -------------------------------------------------------- */

static void
test_polling(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 64);

    if (point == NULL) {
        return;
    }
    g_auto(Result) result = run_as(
        &plainly,
        "run cdm-demo '%s' --yes-cached --backend uring-polled --output polled.fathom " SHORT,
        point);
    g_autofree char *path = g_build_filename(root, "polled.fathom", NULL);
    /* One sentence that says what, why, and what to do. */
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_REFUSED);
    g_assert_nonnull(strstr(result.errors, point));
    g_assert_nonnull(strstr(result.errors, "no poll queues"));
    g_assert_nonnull(strstr(result.errors, "nvme.poll_queues"));
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_assert_cmpuint(volumes_count_files(point), ==, 0);
}

/* As the filters of containers do: the call is not permitted. */
static void
forbid_uring_cb(gpointer user_data)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = G_N_ELEMENTS(program), .filter = program};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void
test_forbidden_uring(void)
{
    How forbidden = {.limit = forbid_uring_cb};
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 64);

    if (point == NULL) {
        return;
    }
    g_auto(Result) result = run_as(
        &forbidden, "run cdm-demo '%s' --yes-cached --output forbidden.fathom " SHORT, point);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(result.errors, "Fallback: I/O goes through “"));
    g_assert_nonnull(strstr(result.errors, "Operation not permitted"));
    g_assert_null(strstr(result.output, "uring interrupt"));
    json_t *run = export_json("forbidden");
    const json_t *step = json_array_get(json_object_get(run, "steps"), 0);
    g_assert_cmpstr(json_string_value(json_object_get(step, "backend")), !=, "uring");
    json_decref(run);
    g_auto(Result) refused =
        run_as(&forbidden,
               "run cdm-demo '%s' --yes-cached --backend uring --output none.fathom " SHORT, point);
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
    g_assert_nonnull(strstr(refused.errors, "kernel.io_uring_disabled"));
}

static void
become_ordinary_cb(gpointer user_data)
{
    if (setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){0}) != 0 || setgroups(0, NULL) != 0 ||
        setgid(ORDINARY_USER) != 0 || setuid(ORDINARY_USER) != 0) {
        _exit(99);
    }
}

/* An ordinary user who may lock no memory at all. */
static void
test_no_locked_memory(void)
{
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 64);

    if (point == NULL) {
        return;
    }
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *home = g_build_filename(point, "home", NULL);
    How ordinary = {
        .variables = {"XDG_STATE_HOME", home, "XDG_DATA_HOME", home},
        .limit = become_ordinary_cb,
    };
    if (!volumes_run("setpriv --reuid %d --regid %d --clear-groups test -x '%s'", ORDINARY_USER,
                     ORDINARY_USER, program)) {
        g_test_skip("ordinary users can't reach the programs of this build");
        return;
    }
    g_assert_cmpint(g_chmod(point, 0777), ==, 0);
    g_assert_cmpint(g_chmod(volumes.root, 0755), ==, 0);
    g_auto(Result) result = run_as(&ordinary, "run cdm-demo '%s' --yes-cached " SHORT, point);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(result.output, "Engine"));
    g_assert_cmpuint(volumes_count_files(point), ==, 1); /* home */
}

/* --- A slow stick (BUGS 35) ----------------------------------------------------------- */

static double
get_seconds_since(gint64 begin)
{
    return (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC;
}

static char *
get_status(void)
{
    g_auto(Result) result = run_as(&plainly, "status");

    return g_steal_pointer(&result.output);
}

static void
test_slow_drive(void)
{
    static const char plan[] =
        "{\"fathom-plan\": 1, \"id\": \"slow\", \"name\": \"Slow\", \"file-size\": \"1MiB\","
        " \"phases\": [{\"kind\": \"measure\", \"id\": \"rnd4k-q32t16\","
        " \"streams\": [{\"read\": \"100%\", \"pattern\": \"random\", \"block\": \"4KiB\","
        " \"in-flight\": 512, \"threads\": 16}], \"stop\": {\"time\": \"60s\"}}]}";
    g_auto(Volumes) volumes = {0};
    g_autofree char *point = set_up_drive(&volumes, 64);
    g_autofree char *status = NULL;

    if (point == NULL || !volumes_slow_down(&volumes, point, 20)) {
        return;
    }
    g_autofree char *path = g_build_filename(root, "slow.json", NULL);
    g_assert_true(g_file_set_contents(path, plan, -1, NULL));
    g_auto(Result) begun = run_as(&plainly,
                                  "run ./slow.json '%s' --yes-cached --keep-free 0 --detach "
                                  "--output slow.fathom",
                                  point);
    g_assert_cmpint(begun.exit_code, ==, FM_EXIT_OK);
    for (unsigned i = 0; i < 600; i++) {
        g_clear_pointer(&status, g_free);
        status = get_status();
        if (strstr(status, "IOPS") != NULL) {
            break;
        }
        g_usleep(50000);
    }
    g_test_message("%s", status);
    g_assert_nonnull(strstr(status, " left"));
    gint64 begin = g_get_monotonic_time();
    g_autoptr(GSubprocess) stopping = start(&plainly, "stop");
    g_autoptr(GDataInputStream) lines =
        g_data_input_stream_new(g_subprocess_get_stderr_pipe(stopping));
    g_autofree char *answer = g_data_input_stream_read_line(lines, NULL, NULL, NULL);
    g_test_message("answered after %.2f s: %s", get_seconds_since(begin), answer);
    g_assert_nonnull(answer);
    g_assert_nonnull(strstr(answer, "is stopping"));
    /* It still answers while the drive works off what it was given. */
    gint64 asked = g_get_monotonic_time();
    g_autofree char *during = get_status();
    g_test_message("while stopping, after %.2f s: %s", get_seconds_since(asked), during);
    g_auto(Result) stopped = finish(stopping);
    g_test_message("stopped after %.1f s: %s", get_seconds_since(begin), stopped.output);
    g_assert_cmpint(stopped.exit_code, ==, FM_EXIT_OK);
    g_assert_cmpuint(volumes_count_files(point), ==, 0);

    json_t *run = export_json("slow");
    const json_t *step = json_array_get(json_object_get(run, "steps"), 0);
    const json_t *end = json_object_get(step, "end");
    const json_t *ios = json_object_get(end, "ios");
    g_assert_cmpstr(json_string_value(json_object_get(run, "outcome")), ==, "stopped");
    g_assert_cmpfloat(json_number_value(json_array_get(ios, 0)), >, 0);
    json_decref(run);
}

/* -------------------------------------------------------------------------------------- */

static void
make_root(void)
{
    static const char *const variables[] = {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"};
    /* Not in /tmp, which is memory on many systems. */
    root = g_mkdtemp(g_strdup("/var/tmp/fathom-drive-XXXXXX"));
    g_assert_nonnull(root);
    for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
        g_autofree char *folder = g_build_filename(root, variables[i], NULL);
        g_setenv(variables[i], folder, TRUE);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    make_root();
    g_test_add_func("/cli/drive/totals-are-what-the-kernel-counted", test_totals);
    g_test_add_func("/cli/drive/others-on-it-are-told", test_disturbed);
    g_test_add_func("/cli/drive/slots-of-a-mixed-run-add-up", test_mixed_ticks);
    g_test_add_func("/cli/drive/exports-are-the-same-in-every-locale", test_locales);
    g_test_add_func("/cli/drive/memory-needs-a-yes-and-is-marked", test_memory);
    g_test_add_func("/cli/drive/full-results-folder-moves-the-run", test_full_results_folder);
    g_test_add_func("/cli/drive/a-run-that-is-not-kept-is-a-failure", test_file_size_limit);
    g_test_add_func("/cli/drive/removed-run-file-is-told", test_removed_run_file);
    g_test_add_func("/cli/drive/polling-that-is-not-there-is-refused", test_polling);
    g_test_add_func("/cli/drive/forbidden-io-uring-has-a-label", test_forbidden_uring);
    g_test_add_func("/cli/drive/runs-without-locked-memory", test_no_locked_memory);
    g_test_add_func("/cli/drive/stop-answers-on-a-slow-drive", test_slow_drive);
    int result = g_test_run();
    tree_remove(root);
    g_free(root);
    return result;
}
