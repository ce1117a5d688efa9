/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom-cli: the command line.  Finds the command and hands over; also the run host
 * when a viewer starts it as such.  No display, no GTK.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/error.h"
#include "base/text-table.h"
#include "base/text.h"
#include "cli/cli.h"
#include "host/host.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "store/library.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const FmCommand *const commands[] = {
    &fm_command_run,       &fm_command_plans,   &fm_command_drives, &fm_command_status,
    &fm_command_attach,    &fm_command_pause,   &fm_command_resume, &fm_command_stop,
    &fm_command_list,      &fm_command_figures, &fm_command_figure, &fm_command_export,
    &fm_command_selfcheck, &fm_command_dump,
};

/* --- Help ------------------------------------------------------------------------------ */

/* Paragraphs of @text, each wrapped to the terminal. */
static void
append_wrapped(GString *out, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        fm_text_append_wrapped(out, *line, 0, fm_cli_get_columns());
        g_string_append_c(out, '\n');
    }
}

static void
append_examples(GString *text, const FmCommand *command)
{
    g_string_append(text, _("Examples:"));
    for (gsize i = 0; i < G_N_ELEMENTS(command->examples); i++) {
        const FmExample *example = &command->examples[i];
        if (example->line != NULL) {
            g_string_append_printf(text, "\n  fathom-cli %s\n      %s", example->line,
                                   _(example->purpose));
        }
    }
}

static void
append_exit_codes(GString *text)
{
    g_string_append(text, _("Exit codes:\n"
                            "  0  it went well\n"
                            "  1  it failed; what was measured until then is kept\n"
                            "  2  the command line makes no sense\n"
                            "  3  it was refused; nothing was touched\n"
                            "  4  it was stopped on request; what was measured is kept\n"));
}

static int
show_help(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(FmCliTable) table = fm_cli_table_new(2);

    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autofree char *name = g_strdup_printf("  %s", commands[i]->name);
        fm_cli_table_add(table, name);
        fm_cli_table_add(table, _(commands[i]->summary));
    }
    fm_cli_table_add(table, "  help");
    fm_cli_table_add(table, _("shows this, or the help of a command"));
    fm_cli_table_add(table, "  --version");
    fm_cli_table_add(table, _("shows which version this is"));
    g_autofree char *rows = fm_cli_table_format(table, fm_cli_get_columns());

    g_string_append(text, _("Usage:"));
    g_string_append(text, "\n  fathom-cli ");
    g_string_append(text, _("COMMAND [OPTION…] [ARGUMENT…]"));
    g_string_append(text, "\n\n");
    append_wrapped(text, _("Fathom measures solid-state drives. It writes only to its own test "
                           "file in the folder you name, and removes it."));
    g_string_append_c(text, '\n');
    g_string_append(text, _("Commands:"));
    g_string_append_printf(text, "\n%s\n", rows);
    append_examples(text, &fm_command_run);
    g_string_append(text, "\n\n");
    append_exit_codes(text);
    g_print("%s", text->str);
    return FM_EXIT_OK;
}

static int
show_version(void)
{
    g_print("fathom-cli %s\n", FM_VERSION);
    return FM_EXIT_OK;
}

/* --- Shared with the commands ----------------------------------------------------------- */

bool
fm_cli_parse(const FmCommand *command, const GOptionEntry *entries, int *argc, char ***argv,
             int *exit_code)
{
    g_autoptr(GOptionContext) context =
        g_option_context_new(command->arguments != NULL ? _(command->arguments) : NULL);
    g_autoptr(GString) description = g_string_new(NULL);
    g_autofree char *program = g_strdup_printf("fathom-cli %s", command->name);
    g_autoptr(GError) error = NULL;

    if (command->details != NULL) {
        append_wrapped(description, _(command->details));
        g_string_append_c(description, '\n');
    }
    append_examples(description, command);
    g_string_append(description, "\n\n");
    append_exit_codes(description);
    g_set_prgname(program);
    g_option_context_set_summary(context, _(command->summary));
    g_option_context_set_description(context, description->str);
    g_option_context_add_main_entries(context, entries, GETTEXT_PACKAGE);

    if (!g_option_context_parse(context, argc, argv, &error)) {
        *exit_code = fm_cli_fail_usage(command, "%s", error->message);
        return false;
    }
    unsigned n_arguments = (unsigned)(*argc - 1);
    if (n_arguments < command->min_arguments) {
        /* Arguments come in the order of their names. */
        g_auto(GStrv) names = g_strsplit(_(command->arguments), " ", -1);
        unsigned n_given = MIN(n_arguments, g_strv_length(names) - 1);
        *exit_code = fm_cli_fail_usage(command, _("%s is missing."), names[n_given]);
        return false;
    }
    if (n_arguments > command->max_arguments) {
        *exit_code = fm_cli_fail_usage(command, _("“%s” is one argument too many."),
                                       (*argv)[command->max_arguments + 1]);
        return false;
    }
    for (unsigned i = 1; i <= n_arguments; i++) {
        /* A variable that is not set; never the folder one happens to be in. */
        if (*(*argv)[i] == '\0') {
            *exit_code = fm_cli_fail_usage(command, _("Argument %u is empty."), i);
            return false;
        }
    }
    return true;
}

/* Ends a sentence that may come without a full stop. */
static void
print_sentence(const char *text)
{
    g_autofree char *printable = fm_text_dup_printable(text);
    bool is_ended = g_str_has_suffix(printable, ".");

    g_printerr("fathom-cli: %s%s\n", printable, is_ended ? "" : ".");
}

int
fm_cli_fail(const GError *error)
{
    g_autofree char *text = fm_error_dup_local(error);

    print_sentence(text);
    if (error->domain != FM_ERROR) {
        return FM_EXIT_FAILED;
    }
    switch ((FmErrorCode)error->code) {
    case FM_ERROR_INVALID:
        return FM_EXIT_USAGE;
    case FM_ERROR_DENIED:
    case FM_ERROR_BUSY:
    case FM_ERROR_GONE:
    case FM_ERROR_UNSAFE:
    case FM_ERROR_UNSUPPORTED:
    case FM_ERROR_NO_SPACE:
        return FM_EXIT_REFUSED;
    case FM_ERROR_CANCELLED:
        return FM_EXIT_STOPPED;
    case FM_ERROR_IO:
    case FM_ERROR_PROTOCOL:
        return FM_EXIT_FAILED;
    }
    return FM_EXIT_FAILED;
}

int
fm_cli_fail_usage(const FmCommand *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    bool is_ended = g_str_has_suffix(text, ".");
    g_autofree char *full =
        command == NULL
            ? g_strdup_printf(_("%s%s See “fathom-cli help”."), text, is_ended ? "" : ".")
            : g_strdup_printf(_("%s%s See “fathom-cli %s --help”."), text, is_ended ? "" : ".",
                              command->name);

    print_sentence(full);
    return FM_EXIT_USAGE;
}

void
fm_cli_print_raw(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

void
fm_cli_print_json(json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_ENCODE_ANY);

    fm_cli_print_raw(text);
    fm_cli_print_raw("\n");
    free(text);
    json_decref(value);
}

json_t *
fm_cli_json_text(const char *text)
{
    g_autofree char *valid = text != NULL && *text != '\0' ? g_utf8_make_valid(text, -1) : NULL;

    return valid != NULL ? json_string(valid) : json_null();
}

static char *
find_last_run(GError **error)
{
    g_autoptr(GPtrArray) entries = fm_library_list();

    if (entries->len == 0) {
        fm_error_set(error, FM_ERROR_GONE, "No run is saved yet");
        return NULL;
    }
    return g_strdup(((const FmLibraryEntry *)g_ptr_array_index(entries, 0))->path);
}

char *
fm_cli_find_run(const char *name, GError **error)
{
    if (g_file_test(name, G_FILE_TEST_EXISTS)) {
        return g_strdup(name);
    }
    if (strcmp(name, "last") == 0) {
        return find_last_run(error);
    }
    g_autofree char *dir = fm_library_dir();
    g_autofree char *with_suffix = g_strdup_printf("%s.fathom", name);
    const char *const names[] = {name, with_suffix};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(dir, names[i], NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            return g_steal_pointer(&path);
        }
    }
    fm_error_set(error, FM_ERROR_GONE, "There is no run “%s”, neither as a file nor in the library",
                 name);
    return NULL;
}

/* --- Main --------------------------------------------------------------------------------- */

static void
set_up_locale(void)
{
    g_autofree char *folder = plat_find_locale_dir();

    setlocale(LC_ALL, "");
    bindtextdomain(GETTEXT_PACKAGE, folder);
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);
}

static const FmCommand *
find_command(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int
run_command(const char *name, int argc, char **argv)
{
    const FmCommand *command = find_command(name);

    if (command == NULL) {
        return fm_cli_fail_usage(NULL, _("There is no command “%s”."), name);
    }
    return command->run(command, argc, argv);
}

static int
run_help(int argc, char **argv)
{
    if (argc < 3) {
        return show_help();
    }
    char help[] = "--help";
    char *arguments[] = {argv[2], help, NULL};
    return run_command(argv[2], 2, arguments);
}

/* @exit_code, unless what was printed did not arrive: a full disk behind a redirection. */
static int
check_printed(int exit_code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return exit_code;
    }
    print_sentence(_("Standard output takes no more, so what was printed is not whole; send it to "
                     "a place with more space"));
    return exit_code == FM_EXIT_OK ? FM_EXIT_FAILED : exit_code;
}

static int
run_named(const char *name, int argc, char **argv)
{
    if (strcmp(name, "--version") == 0) {
        return show_version();
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return run_help(argc, argv);
    }
    return run_command(name, argc - 1, argv + 1);
}

int
main(int argc, char **argv)
{
    plat_process_hold_stdio();
    /* Started by a viewer, never by people: see host/host.h.  It speaks English, as the run
     * file does, and knows only how this system writes file names. */
    if (argc > 1 && strcmp(argv[1], "host-run") == 0) {
        setlocale(LC_CTYPE, "");
        return fm_host_main();
    }
    set_up_locale();
    if (argc < 2) {
        show_help();
        return check_printed(FM_EXIT_USAGE);
    }
    return check_printed(run_named(argv[1], argc, argv));
}
