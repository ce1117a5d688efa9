/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export and dump: a saved run as text for people and other programs.  What comes out
 * never depends on the locale.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/export.h"

#include "base/error.h"
#include "cli/cli.h"
#include "platform/process.h"
#include "store/run-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 100 };

static char *
export_table(const FmRun *run, GError **error)
{
    unsigned columns = plat_process_get_columns(STDOUT_FILENO);

    return fm_export_text(run, columns > 0 ? columns : DEFAULT_COLUMNS, error);
}

typedef char *(*Exporter)(const FmRun *run, GError **error);

static Exporter
find_exporter(const char *format)
{
    static const struct {
        const char *format;
        Exporter exporter;
    } exporters[] = {
        {"json", fm_export_json},
        {"csv", fm_export_csv},
        {"text", export_table},
        {"cdm", fm_export_cdm},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(exporters); i++) {
        if (strcmp(format, exporters[i].format) == 0) {
            return exporters[i].exporter;
        }
    }
    return NULL;
}

/* A file is replaced as a whole; a link, a pipe or a device is written into, since to replace
 * it would take it away from everybody else. */
static bool
write_file(const char *text, const char *path, GError **error)
{
    GStatBuf status;

    if (g_lstat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        return g_file_set_contents(path, text, -1, error);
    }
    FILE *file = g_fopen(path, "we");
    bool is_written = file != NULL && fputs(text, file) >= 0;
    int code = errno;
    if (file != NULL && fclose(file) != 0 && is_written) {
        is_written = false;
        code = errno;
    }
    if (!is_written) {
        fm_error_set_errno(error, code, "“%s” can't be written", path);
    }
    return is_written;
}

/* To @path, or to standard output. */
static int
write_out(const char *text, const char *path)
{
    g_autoptr(GError) error = NULL;

    if (path == NULL) {
        fm_cli_print_raw(text);
        return FM_EXIT_OK;
    }
    if (!write_file(text, path, &error)) {
        fm_cli_fail(error);
        return FM_EXIT_FAILED;
    }
    return FM_EXIT_OK;
}

/* --- Rows of every 100 ms: a run of days has millions, so they pass through ----------- */

typedef struct {
    const char *path; /* NULL = standard output */
    FILE *file; /* NULL until there is something to write */
    GString *text;
    bool is_failed;
    int code; /* of the system */
} Passage;

static void
pass_on(Passage *passage)
{
    if (passage->file == NULL && !passage->is_failed) {
        passage->file = passage->path != NULL ? g_fopen(passage->path, "we") : stdout;
        passage->is_failed = passage->file == NULL;
        passage->code = errno;
    }
    if (!passage->is_failed &&
        fwrite(passage->text->str, 1, passage->text->len, passage->file) != passage->text->len) {
        passage->is_failed = true;
        passage->code = errno;
    }
    g_string_truncate(passage->text, 0);
}

static void
part_cb(FmRun *run, gpointer user_data)
{
    Passage *passage = (Passage *)user_data;

    fm_export_take_ticks(passage->text, run, false);
    pass_on(passage);
}

static int
export_ticks(const char *path, const char *output)
{
    Passage passage = {.path = output, .text = g_string_new(fm_export_get_ticks_head())};
    g_autoptr(GError) error = NULL;
    g_autoptr(FmRun) run = fm_run_file_load_in_parts(path, part_cb, &passage, &error);

    if (run != NULL) {
        fm_export_take_ticks(passage.text, run, true);
        pass_on(&passage);
    }
    g_string_free(passage.text, TRUE);
    if (passage.file != NULL && passage.file != stdout && fclose(passage.file) != 0 &&
        !passage.is_failed) {
        passage.is_failed = true;
        passage.code = errno;
    }
    /* Of standard output main() tells. */
    if (run != NULL && passage.is_failed && output != NULL) {
        fm_error_set_errno(&error, passage.code, "“%s” can't be written", output);
    }
    if (error != NULL) {
        fm_cli_fail(error);
        return FM_EXIT_FAILED;
    }
    return FM_EXIT_OK;
}

static int
run_export(const FmCommand *command, int argc, char **argv)
{
    g_autofree char *format = NULL;
    g_autofree char *output = NULL;
    gboolean has_ticks = FALSE;
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format, N_("json, csv, text or cdm"),
         N_("FORMAT")},
        {"ticks", 0, 0, G_OPTION_ARG_NONE, &has_ticks, N_("As csv, the rows of every 100 ms"),
         NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
         N_("Write to FILE instead of standard output"), N_("FILE")},
        {NULL},
    };
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    if (format == NULL) {
        format = g_strdup(has_ticks ? "csv" : "text");
    }
    Exporter exporter = find_exporter(format);
    if (has_ticks && strcmp(format, "csv") != 0) {
        return fm_cli_fail_usage(command, "%s", _("The rows of every 100 ms come as csv only."));
    }
    if (exporter == NULL) {
        return fm_cli_fail_usage(
            command, _("“%s” is no format; there are json, csv, text and cdm."), format);
    }
    if (output != NULL && fm_run_file_is_run(output)) {
        fm_error_set(&error, FM_ERROR_UNSAFE, "“%s” is a run, and an export never overwrites one",
                     output);
        return fm_cli_fail(error);
    }
    g_autofree char *path = fm_cli_find_run(argv[1], &error);
    if (path != NULL && has_ticks) {
        return export_ticks(path, output);
    }
    g_autoptr(FmRun) run = path != NULL ? fm_run_file_load(path, &error) : NULL;
    g_autofree char *text = run != NULL ? exporter(run, &error) : NULL;
    if (text == NULL) {
        fm_cli_fail(error);
        return FM_EXIT_FAILED;
    }
    return write_out(text, output);
}

static int
run_dump(const FmCommand *command, int argc, char **argv)
{
    const GOptionEntry entries[] = {{NULL}};
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autofree char *path = fm_cli_find_run(argv[1], &error);
    if (path != NULL && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        fm_error_set(&error, FM_ERROR_PROTOCOL, "“%s” is no file, so it holds no run", path);
        g_clear_pointer(&path, g_free);
    }
    g_autoptr(GMappedFile) file = path != NULL ? g_mapped_file_new(path, FALSE, &error) : NULL;
    g_autofree char *text = file != NULL ? fm_export_dump(g_mapped_file_get_contents(file),
                                                          g_mapped_file_get_length(file), &error)
                                         : NULL;
    if (text == NULL) {
        fm_cli_fail(error);
        return FM_EXIT_FAILED;
    }
    fm_cli_print_raw(text);
    return FM_EXIT_OK;
}

const FmCommand fm_command_export = {
    .name = "export",
    .arguments = N_("RUN"),
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = N_("prints a saved run as text, JSON, CSV or in CrystalDiskMark's layout"),
    .details = N_("RUN is a file, a name from “list”, or “last”."),
    .examples = {{"export last", N_("The newest run as a table with tail latency.")},
                 {"export r.fathom --format json --output r.json",
                  N_("Everything the run holds, for other programs.")},
                 {"export last --format csv --ticks", N_("Every 100 ms of the newest run.")},
                 {"export last --format cdm", N_("A text to paste into a forum.")}},
    .run = run_export,
};

const FmCommand fm_command_dump = {
    .name = "dump",
    .arguments = N_("RUN"),
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = N_("prints every frame of a saved run, also of a damaged one"),
    .details = N_("RUN is a file, a name from “list”, or “last”."),
    .examples = {{"dump last", N_("What really stands in the newest run.")}},
    .run = run_dump,
};
