/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures and figure: what a run can be shown as, and those figures as files.  Figures are made
 * in the language asked for, which need not be the one this program speaks.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/figures.h"

#include "base/error.h"
#include "base/language.h"
#include "cli/cli.h"
#include "platform/platform.h"
#include "plot/export.h"
#include "plot/text.h"
#include "store/run-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

static const char *const languages[] = {"en", "ko"};

/* NULL when there are no figures in it. */
static const char *
find_language(const char *name)
{
    if (name == NULL) {
        name = fm_language_of_process();
    }
    for (gsize i = 0; i < G_N_ELEMENTS(languages); i++) {
        /* "ko_KR" is Korean too. */
        if (strncmp(name, languages[i], 2) == 0 && (name[2] == '\0' || name[2] == '_')) {
            return languages[i];
        }
    }
    return NULL;
}

static bool
read_log(gpointer path, unsigned step, FmFigureLogEach each, gpointer user_data, GError **error)
{
    return fm_run_file_read_log(path, step, each, user_data, error);
}

static FmRun *
load_run(const char *name, char **path, GError **error)
{
    *path = fm_cli_find_run(name, error);
    return *path != NULL ? fm_run_file_load(*path, error) : NULL;
}

/* --- figures ------------------------------------------------------------------------- */

static void
print_json(const GPtrArray *entries)
{
    json_t *array = json_array();

    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = (const FmFigureEntry *)entries->pdata[i];
        json_t *object = json_object();
        json_object_set_new(object, "id", fm_cli_json_text(entry->id));
        json_object_set_new(object, "title", fm_cli_json_text(entry->title));
        json_object_set_new(object, "detail", json_boolean(entry->is_detail));
        json_array_append_new(array, object);
    }
    fm_cli_print_json(array);
}

static void
print_entries(const GPtrArray *entries, bool has_details)
{
    g_autoptr(FmCliTable) table = fm_cli_table_new(2);
    guint n_hidden = 0;

    fm_cli_table_add(table, _("Id"));
    fm_cli_table_add(table, _("Figure"));
    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = (const FmFigureEntry *)entries->pdata[i];
        if (entry->is_detail && !has_details) {
            n_hidden++;
            continue;
        }
        fm_cli_table_add(table, entry->id);
        fm_cli_table_add(table, entry->title);
    }
    fm_cli_table_print(table);
    if (n_hidden > 0) {
        g_print("\n");
        g_print(_("%u more show single steps; “--all” lists them."), n_hidden);
        g_print("\n");
    }
}

static int
run_figures(const FmCommand *command, int argc, char **argv)
{
    g_autofree char *language = NULL;
    gboolean is_json = FALSE;
    gboolean has_details = FALSE;
    const GOptionEntry entries[] = {
        {"all", 'a', 0, G_OPTION_ARG_NONE, &has_details, N_("Also list figures of single steps"),
         NULL},
        {"language", 0, 0, G_OPTION_ARG_STRING, &language, N_("Titles in English or Korean"),
         "en|ko"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &is_json, N_("Print JSON"), NULL},
        {NULL},
    };
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    FmFigureOptions options = {.language = find_language(language), .read_log = read_log};
    if (options.language == NULL) {
        return fm_cli_fail_usage(command, _("There are no figures in “%s”; there are en and ko."),
                                 language);
    }
    g_autoptr(FmRun) run = load_run(argv[1], &path, &error);
    if (run == NULL) {
        return fm_cli_fail(error);
    }
    options.log_data = path;
    g_autoptr(GPtrArray) list = fm_figures_list(run, &options);
    if (is_json) {
        print_json(list);
    } else if (list->len == 0) {
        g_print("%s\n", _("Nothing was measured in this run, so there is nothing to show."));
    } else {
        print_entries(list, has_details);
    }
    return FM_EXIT_OK;
}

const FmCommand fm_command_figures = {
    .name = "figures",
    .arguments = N_("RUN"),
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = N_("lists the figures and tables that a saved run can be shown as"),
    .details = N_("RUN is a file, a name from “list”, or “last”."),
    .examples = {{"figures last", N_("What there is of the newest run.")},
                 {"figures last --all", N_("Also of each of its steps.")},
                 {"figures r.fathom --json", N_("The same for scripts.")}},
    .run = run_figures,
};

/* --- figure -------------------------------------------------------------------------- */

/* What was asked for. */
typedef struct {
    char **ids; /* NULL = all that are no details */
    char *output;
    char *theme;
    char *language;
    char *size;
    char *format;
    double scale;
    gboolean is_review;
    gboolean hide_title;
    gboolean hide_caption;

    bool is_folder;
    GHashTable *stems; /* of the runs so far */
    FmFormat file_format;
    FmFigureOptions figure;
    FmExportOptions export;
} Request;

static void
request_clear(Request *request)
{
    g_hash_table_unref(request->stems);
    g_strfreev(request->ids);
    g_free(request->output);
    g_free(request->theme);
    g_free(request->language);
    g_free(request->size);
    g_free(request->format);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

/* "1200x675". */
static bool
parse_pixels(const char *text, unsigned *width, unsigned *height)
{
    enum { MAX_PIXELS = 20000 };
    g_auto(GStrv) parts = g_strsplit(text, "x", 3);
    guint64 values[2];

    if (g_strv_length(parts) != 2) {
        return false;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        if (!g_ascii_string_to_unsigned(parts[i], 10, 1, MAX_PIXELS, &values[i], NULL)) {
            return false;
        }
    }
    *width = (unsigned)values[0];
    *height = (unsigned)values[1];
    return true;
}

static bool
check_look(const FmCommand *command, Request *request, int *exit_code)
{
    FmExportOptions *export = &request->export;

    export->theme = fm_theme_by_name(request->theme != NULL ? request->theme : "print");
    if (export->theme == NULL) {
        *exit_code = fm_cli_fail_usage(
            command, _("“%s” is no theme; there are light, dark and print."), request->theme);
        return false;
    }
    request->figure.language = find_language(request->language);
    if (request->figure.language == NULL) {
        *exit_code = fm_cli_fail_usage(
            command, _("There are no figures in “%s”; there are en and ko."), request->language);
        return false;
    }
    if (request->size != NULL && !fm_preset_from_name(request->size, &export->preset) &&
        !parse_pixels(request->size, &export->width_px, &export->height_px)) {
        *exit_code = fm_cli_fail_usage(command,
                                       _("“%s” is no size; write natural, wide, tail, cdm, bars, "
                                         "old, or pixels up to 20000 such as 1920x1080."),
                                       request->size);
        return false;
    }
    if (request->scale != 0 && !(request->scale >= 1 && request->scale <= 3)) {
        *exit_code = fm_cli_fail_usage(command, "%s", _("The scale goes from 1 to 3."));
        return false;
    }
    export->scale = request->scale;
    export->hide_title = request->hide_title;
    export->hide_caption = request->hide_caption;
    request->figure.is_review = request->is_review;
    request->figure.read_log = read_log;
    return true;
}

static bool
find_format(const char *name, FmFormat *format)
{
    for (unsigned i = 0; i < FM_N_FORMATS; i++) {
        *format = (FmFormat)i;
        if (strcmp(name, fm_format_name(*format)) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the figures go: one into a file, several into a folder. */
static bool
check_place(const FmCommand *command, Request *request, int n_runs, int *exit_code)
{
    const char *output = request->output;
    bool is_one = n_runs == 1 && request->ids != NULL && g_strv_length(request->ids) == 1;

    if (output == NULL || *output == '\0') {
        *exit_code = fm_cli_fail_usage(
            command, "%s",
            _("Where the figure goes is missing: -o FILE, or -o FOLDER/ for several."));
        return false;
    }
    request->is_folder =
        g_str_has_suffix(output, G_DIR_SEPARATOR_S) || g_file_test(output, G_FILE_TEST_IS_DIR);
    if (!is_one && !request->is_folder) {
        *exit_code = fm_cli_fail_usage(command,
                                       request->ids == NULL
                                           ? _("“%s” is one file; say which figure with --id, or "
                                               "write -o FOLDER/ for all of them.")
                                           : _("“%s” is one file, and there are several figures; "
                                               "write -o FOLDER/."),
                                       output);
        return false;
    }
    if (request->format != NULL && !request->is_folder) {
        *exit_code = fm_cli_fail_usage(
            command, _("“--format” is for folders; of “%s” the ending says the format."), output);
        return false;
    }
    request->file_format = FM_FORMAT_PNG;
    bool is_known = request->format != NULL
                        ? find_format(request->format, &request->file_format)
                        : request->is_folder || fm_format_from_path(output, &request->file_format);
    if (!is_known) {
        *exit_code =
            fm_cli_fail_usage(command, _("“%s” is no format; there are png, svg, pdf and csv."),
                              request->format != NULL ? request->format : output);
    }
    return is_known;
}

/* "r" of "folder/r.fathom". */
static char *
dup_stem(const char *run_path)
{
    char *base = g_path_get_basename(run_path);

    if (g_str_has_suffix(base, ".fathom")) {
        base[strlen(base) - strlen(".fathom")] = '\0';
    }
    return base;
}

/* "F80:tail/read=70%/read" of "r.fathom" is "r-F80-tail_read=70pct_read.png".  Ids have no "_". */
static char *
dup_file_name(const Request *request, const char *run_path, const char *id)
{
    g_autofree char *stem = dup_stem(run_path);
    GString *name = g_string_new(stem);

    g_string_append_c(name, '-');
    for (const char *letter = id; *letter != '\0'; letter++) {
        if (*letter == '%') {
            g_string_append(name, "pct");
        } else {
            bool is_plain = g_ascii_isalnum(*letter) || *letter == '-' || *letter == '=';
            g_string_append_c(name, is_plain ? *letter : *letter == ':' ? '-' : '_');
        }
    }
    g_string_append_printf(name, ".%s", fm_format_name(request->file_format));
    char *path = g_build_filename(request->output, name->str, NULL);
    g_string_free(name, TRUE);
    return path;
}

static bool
write_figure(const Request *request, const FmRun *run, const char *run_path, const char *id,
             GError **error)
{
    g_autoptr(FmFigure) figure = fm_figures_build(run, id, &request->figure, error);

    if (figure == NULL) {
        return false;
    }
    g_autofree char *path =
        request->is_folder ? dup_file_name(request, run_path, id) : g_strdup(request->output);
    if (fm_run_file_is_run(path)) {
        fm_error_set(error, FM_ERROR_UNSAFE, "“%s” is a run, and a figure never overwrites one",
                     path);
        return false;
    }
    if (!fm_export_figure_to_file(figure, path, &request->export, error)) {
        return false;
    }
    if (request->is_folder) {
        fm_cli_print_raw(path);
        fm_cli_print_raw("\n");
    }
    return true;
}

/* Figures in a folder are called after their runs: two of one name would replace each other. */
static bool
remember_stem(Request *request, const char *run_path, GError **error)
{
    g_autofree char *stem = dup_stem(run_path);

    if (request->is_folder && g_hash_table_contains(request->stems, stem)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "Two of the runs are called “%s”, and so would be their figures: rename "
                     "one, or give each a folder of its own",
                     stem);
        return false;
    }
    g_hash_table_add(request->stems, g_steal_pointer(&stem));
    return true;
}

/* All figures of one run.  One that can't be made does not keep the others from being made; the
 * first failure decides the exit code. */
static int
write_run(Request *request, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    g_autoptr(FmRun) run = load_run(name, &path, &error);
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
    int exit_code = FM_EXIT_OK;

    if (run == NULL || !remember_stem(request, path, &error)) {
        return fm_cli_fail(error);
    }
    request->figure.log_data = path;
    for (char **id = request->ids; id != NULL && *id != NULL; id++) {
        g_ptr_array_add(ids, g_strdup(*id));
    }
    if (request->ids == NULL) {
        g_autoptr(GPtrArray) entries = fm_figures_list(run, &request->figure);
        for (guint i = 0; i < entries->len; i++) {
            const FmFigureEntry *entry = (const FmFigureEntry *)entries->pdata[i];
            if (!entry->is_detail) {
                g_ptr_array_add(ids, g_strdup(entry->id));
            }
        }
    }
    for (guint i = 0; i < ids->len; i++) {
        g_autoptr(GError) problem = NULL;
        if (!write_figure(request, run, path, ids->pdata[i], &problem)) {
            int code = fm_cli_fail(problem);
            exit_code = exit_code == FM_EXIT_OK ? code : exit_code;
        }
    }
    return exit_code;
}

/*
 * Our own face; and on a bare server, where fontconfig has no configuration and would complain
 * on stderr, an empty one of ours.
 */
static void
set_up_fonts(void)
{
    g_autofree char *data_folder = plat_find_data_dir();
    g_autofree char *empty = g_build_filename(data_folder, "fonts", "fonts.conf", NULL);

    fm_text_set_data_dir(data_folder);
    if (!g_file_test("/etc/fonts/fonts.conf", G_FILE_TEST_EXISTS)) {
        g_setenv("FONTCONFIG_FILE", empty, FALSE);
    }
}

static int
write_runs(Request *request, int n_runs, char **names)
{
    g_autoptr(GError) error = NULL;
    int exit_code = FM_EXIT_OK;

    set_up_fonts();
    if (request->is_folder && g_mkdir_with_parents(request->output, 0777) != 0) {
        fm_error_set_errno(&error, errno, "The folder “%s” can't be made", request->output);
        return fm_cli_fail(error);
    }
    for (int i = 0; i < n_runs; i++) {
        int code = write_run(request, names[i]);
        exit_code = exit_code == FM_EXIT_OK ? code : exit_code;
    }
    return exit_code;
}

static int
run_figure(const FmCommand *command, int argc, char **argv)
{
    g_auto(Request) request = {.stems =
                                   g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    const GOptionEntry entries[] = {
        {"id", 'i', 0, G_OPTION_ARG_STRING_ARRAY, &request.ids,
         N_("Which figure, as “figures” lists them; may be repeated"), N_("ID")},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &request.output,
         N_("Where to: a file, whose ending says the format, or a folder"), N_("FILE")},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &request.format, N_("Format of files in a folder"),
         "png|svg|pdf|csv"},
        {"theme", 0, 0, G_OPTION_ARG_STRING, &request.theme, N_("Colours; print unless given"),
         "light|dark|print"},
        {"language", 0, 0, G_OPTION_ARG_STRING, &request.language,
         N_("Language of the figure, whatever the program speaks"), "en|ko"},
        {"size", 0, 0, G_OPTION_ARG_STRING, &request.size,
         N_("natural, wide, tail, cdm, bars, old, or pixels such as 1920x1080"), N_("SIZE")},
        {"scale", 0, 0, G_OPTION_ARG_DOUBLE, &request.scale,
         N_("Pixels per point of the natural size: 1 to 3, 2 unless given"), N_("NUMBER")},
        {"review", 0, 0, G_OPTION_ARG_NONE, &request.is_review,
         N_("As reviews print it: names as titles, fixed axes, published rounding"), NULL},
        {"no-title", 0, 0, G_OPTION_ARG_NONE, &request.hide_title, N_("Without title and subtitle"),
         NULL},
        {"no-caption", 0, 0, G_OPTION_ARG_NONE, &request.hide_caption,
         N_("Without the caption that says what was tested and how"), NULL},
        {NULL},
    };
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code) ||
        !check_look(command, &request, &exit_code) ||
        !check_place(command, &request, argc - 1, &exit_code)) {
        return exit_code;
    }
    return write_runs(&request, argc - 1, argv + 1);
}

const FmCommand fm_command_figure = {
    .name = "figure",
    .arguments = N_("RUN…"),
    .min_arguments = 1,
    .max_arguments = 1000,
    .summary = N_("makes figures of saved runs: PNG, SVG, PDF or the plotted numbers as CSV"),
    .details =
        N_("RUN is a file, a name from “list”, or “last”. In a folder files are called after "
           "the run and the figure; their names are printed. Figures of simulated drives "
           "say so and can't be made not to."),
    .examples = {{"figure last --id T8 -o result.png", N_("The result table of the newest run.")},
                 {"figure last -o figures/", N_("All its figures but those of single steps.")},
                 {"figure a.fathom b.fathom --id F80 -o tails/ --format svg --language ko",
                  N_("One figure of several runs, in Korean.")},
                 {"figure last --id F80 -o tail.png --review --size tail",
                  N_("The size, axes and rounding that reviews publish.")}},
    .run = run_figure,
};
