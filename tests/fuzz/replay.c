/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeds every kept input of a fuzz target to it, so that what the fuzzer found once is
 * tested for ever without a fuzzer.  Usage: fuzz-NAME FILE-OR-FOLDER...
 * Fails when there is no input at all: an empty corpus would test nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include <glib.h>
#include <stdint.h>

/* The one function of a fuzz target; the name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the number of inputs fed. */
static unsigned
replay_file(const char *path)
{
    g_autofree char *data = NULL;
    gsize size = 0;
    g_autoptr(GError) error = NULL;

    if (!g_file_get_contents(path, &data, &size, &error)) {
        g_error("%s", error->message);
    }
    /* An exact copy, so that a sanitizer sees one byte too many. */
    g_autofree uint8_t *exact = g_memdup2(data, size);
    LLVMFuzzerTestOneInput(exact, size);
    return 1;
}

static unsigned
replay_folder(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    unsigned n_inputs = 0;

    if (folder == NULL) {
        return replay_file(path);
    }
    for (const char *name; (name = g_dir_read_name(folder)) != NULL;) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        n_inputs += replay_file(file);
    }
    return n_inputs;
}

int
main(int argc, char **argv)
{
    unsigned n_inputs = 0;

    for (int i = 1; i < argc; i++) {
        n_inputs += replay_folder(argv[i]);
    }
    g_print("%u inputs\n", n_inputs);
    return n_inputs > 0 ? 0 : 1;
}
