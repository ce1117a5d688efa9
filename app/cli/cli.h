/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the commands of fathom-cli share.  A command is one file and one row of the
 * table in cli-main.c.  Results go to standard output, everything else (progress,
 * warnings, one-sentence errors) to standard error.
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/exit-code.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    const char *line; /* as it is typed, without "fathom-cli" */
    const char *purpose; /* translatable */
} FmExample;

typedef struct FmCommand FmCommand;

struct FmCommand {
    const char *name;
    const char *arguments; /* "PLAN TARGET", as usage shows it; NULL = none */
    unsigned min_arguments;
    unsigned max_arguments;
    const char *summary; /* translatable */
    const char *details; /* translatable, or NULL */
    FmExample examples[4];
    /* @argv[0] is the command's name.  Returns an exit code. */
    int (*run)(const FmCommand *command, int argc, char **argv);
};

extern const FmCommand fm_command_attach;
extern const FmCommand fm_command_drives;
extern const FmCommand fm_command_dump;
extern const FmCommand fm_command_export;
extern const FmCommand fm_command_figure;
extern const FmCommand fm_command_figures;
extern const FmCommand fm_command_list;
extern const FmCommand fm_command_pause;
extern const FmCommand fm_command_plans;
extern const FmCommand fm_command_resume;
extern const FmCommand fm_command_run;
extern const FmCommand fm_command_selfcheck;
extern const FmCommand fm_command_status;
extern const FmCommand fm_command_stop;

/*
 * Reads options (@entries ends with { NULL }) and checks the number of arguments.  On
 * false the command is over with *@exit_code: help was shown, or a usage error told.
 */
bool fm_cli_parse(const FmCommand *command, const GOptionEntry *entries, int *argc, char ***argv,
                  int *exit_code);

/* Prints @error as one sentence; returns the exit code that fits it. */
int fm_cli_fail(const GError *error);
/* Tells a usage error of @command in one sentence; returns FM_EXIT_USAGE. */
int fm_cli_fail_usage(const FmCommand *command, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Prints to standard output as it is, whatever the locale. */
void fm_cli_print_raw(const char *text);

/* Prints and releases @value. */
void fm_cli_print_json(json_t *value);

/* @text as JSON, made valid UTF-8, which jansson insists on; null for NULL and "". */
json_t *fm_cli_json_text(const char *text);

/* Full path of a saved run: a path, a name in the library, or "last". */
char *fm_cli_find_run(const char *name, GError **error);

/* --- Text for people ----------------------------------------------------------------- */

/* @text without what follows its first sentence.  Caller frees. */
char *fm_cli_dup_first_sentence(const char *text);
/* Width of the terminal that standard output is; 0 = it is none. */
unsigned fm_cli_get_columns(void);
/* Columns that @text takes on a terminal. */
unsigned fm_cli_get_width(const char *text);
/* Local date and time of @wall_us; "unknown" for 0.  Caller frees. */
char *fm_cli_dup_date(int64_t wall_us);

/* Rows of cells; the first row is the heading. */
typedef struct FmCliTable FmCliTable;

FmCliTable *fm_cli_table_new(unsigned n_columns);
void fm_cli_table_free(FmCliTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmCliTable, fm_cli_table_free)
/* Adds the next cell; NULL is shown as "–".  @text is made printable. */
void fm_cli_table_add(FmCliTable *table, const char *text);
/* Left-aligned columns, two blanks apart; the last one wraps where the table is wider than
 * @columns (0 = any).  Caller frees. */
char *fm_cli_table_format(const FmCliTable *table, unsigned columns);
/* Where the table is wider than its place, cells of @column lose their middle. */
void fm_table_set_elastic(FmCliTable *table, unsigned column);
/* The same for standard output: as wide as its terminal, or any width without one. */
void fm_cli_table_print(const FmCliTable *table);

/* --- Commands that list things ------------------------------------------------------- */

typedef struct {
    GPtrArray *(*load)(void); /* owned */
    const char *none; /* translatable: what is said when there is nothing */
    const char *const *headings; /* translatable, NULL at the end */
    unsigned elastic; /* column, see fm_table_set_elastic() */
    void (*add_row)(FmCliTable *table, gconstpointer item);
    json_t *(*to_json)(gconstpointer item); /* never NULL */
} FmListing;

/* The whole of such a command, with its --json.  Returns an exit code. */
int fm_cli_list(const FmCommand *command, const FmListing *listing, int argc, char **argv);

G_END_DECLS
