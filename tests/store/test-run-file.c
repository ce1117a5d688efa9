/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run files: whatever happens to the writer or to the bytes, what was written before
 * can be read.
 */
#include "store/run-file.h"

#include "base/error.h"
#include "model/tick.h"
#include "run-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder of its own for each test. */
typedef struct {
    char *dir;
    char *path;
    char *other;
} Place;

static void
set_up(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    place->dir = g_dir_make_tmp("fathom-run-file-XXXXXX", &error);
    g_assert_no_error(error);
    place->path = g_build_filename(place->dir, "run.fathom", NULL);
    place->other = g_build_filename(place->dir, "other.fathom", NULL);
}

static void
tear_down(Place *place, gconstpointer data)
{
    g_unlink(place->path);
    g_unlink(place->other);
    g_assert_cmpint(g_rmdir(place->dir), ==, 0);
    g_free(place->dir);
    g_free(place->path);
    g_free(place->other);
}

/* Offsets at which the frames of @bytes end. */
static GArray *
frame_ends(const GByteArray *bytes)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(gsize));
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();

    fm_frame_reader_push(reader, bytes->data, bytes->len);
    for (;;) {
        g_auto(FmFrame) frame = {0};
        if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
            return ends;
        }
        gsize end = (gsize)fm_frame_reader_get_good_offset(reader);
        g_array_append_val(ends, end);
    }
}

static void
append_all(FmRunFile *file, const GByteArray *bytes)
{
    g_autoptr(GArray) ends = frame_ends(bytes);
    gsize begin = 0;

    for (guint i = 0; i < ends->len; i++) {
        gsize end = g_array_index(ends, gsize, i);
        fm_run_file_append(file, bytes->data + begin, end - begin);
        begin = end;
    }
}

/* HELLO, PLAN, one step with two rows: every kind of payload in few bytes. */
static FmRunFixture *
tiny_fixture(void)
{
    FmRunFixture *fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 3, .path = "a"};

    fm_run_fixture_add_text(fixture, FM_FRAME_HELLO, "{'version': <'1'>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PLAN, "{'id': <'tiny'>}");
    fm_run_fixture_add_step(fixture, &step);
    return fixture;
}

static guint64
file_size(const char *path)
{
    GStatBuf status;

    g_assert_cmpint(g_stat(path, &status), ==, 0);
    return (guint64)status.st_size;
}

/* --- Writing --------------------------------------------------------------------- */

static void
test_round_trip(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autoptr(GError) error = NULL;
    FmRunFile *file = fm_run_file_open(place->path, false, &error);

    g_assert_no_error(error);
    append_all(file, fixture->bytes);
    g_assert_true(fm_run_file_flush(file, false, &error));
    g_assert_cmpuint(fm_run_file_get_written(file), ==, fixture->bytes->len);
    g_assert_true(fm_run_file_close(file, &error));

    g_autofree char *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(place->path, &text, &length, NULL));
    g_assert_cmpmem(text, length, fixture->bytes->data, fixture->bytes->len);
    g_autoptr(FmRun) run = fm_run_file_load(place->path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(run->steps->len, ==, 36);
    g_assert_cmpstr(run->outcome, ==, "complete");
    g_assert_false(run->damaged);
}

static void
test_never_overwrites(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(place->path, "mine", -1, NULL));
    g_assert_null(fm_run_file_open(place->path, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_cmpuint(file_size(place->path), ==, 4);
}

static void
test_foreign_file_is_left_alone(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(place->path, "no run at all", -1, NULL));
    g_assert_null(fm_run_file_open(place->path, true, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
    g_assert_cmpuint(file_size(place->path), ==, strlen("no run at all"));
    g_clear_error(&error);
    g_assert_null(fm_run_file_load(place->path, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
    g_clear_error(&error);
    g_assert_null(fm_run_file_load(place->other, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_GONE);
    g_clear_error(&error);
    g_assert_null(fm_run_file_load(place->dir, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
}

static void
test_end_of_step_is_written(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GArray) ends = frame_ends(fixture->bytes);
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);
    gsize before_last = g_array_index(ends, gsize, ends->len - 2);

    for (guint i = 0; i + 1 < ends->len; i++) {
        gsize begin = i == 0 ? 0 : g_array_index(ends, gsize, i - 1);
        fm_run_file_append(file, fixture->bytes->data + begin,
                           g_array_index(ends, gsize, i) - begin);
    }
    g_assert_cmpuint(file_size(place->path), ==, 0);
    fm_run_file_append(file, fixture->bytes->data + before_last, fixture->bytes->len - before_last);
    g_assert_cmpuint(file_size(place->path), ==, fixture->bytes->len);
    g_assert_true(fm_run_file_close(file, NULL));
}

static void
test_memory_is_bounded(Place *place, gconstpointer data)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();
    g_autofree char *payload = g_malloc0(1024 * 1024);
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);

    fm_frame_encode(frame, FM_FRAME_LATENCY_LOG, 0, payload, 1024 * 1024);
    for (int i = 0; i < 5; i++) {
        fm_run_file_append(file, frame->data, frame->len);
    }
    g_assert_cmpuint(file_size(place->path), >=, 4 * 1024 * 1024);
    g_assert_true(fm_run_file_close(file, NULL));
}

static void
add_log(FmRunFixture *fixture, uint32_t step, uint64_t latency_ns)
{
    g_autoptr(GByteArray) payload = g_byte_array_new();
    FmLatencyLogKey key = {.step = step, .base_ns = 5000};
    const uint64_t words[] = {fm_latency_log_pack(latency_ns, 1, FM_OP_READ),
                              fm_latency_log_pack(latency_ns + 1, 2, FM_OP_READ)};

    fm_latency_log_encode(payload, &key, words, G_N_ELEMENTS(words));
    fm_frame_encode(fixture->bytes, FM_FRAME_LATENCY_LOG, 0, payload->data, payload->len);
}

static void
collect_cb(const FmLoggedIo *ios, gsize n_ios, gpointer user_data)
{
    GArray *all = user_data;

    if (ios == NULL) {
        g_array_set_size(all, 0);
        return;
    }
    g_array_append_vals(all, ios, (guint)n_ios);
}

static void
test_log_is_read_for_one_step(Place *place, gconstpointer data)
{
    g_autoptr(GArray) ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo));
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GError) error = NULL;
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);

    add_log(fixture, 0, 100);
    add_log(fixture, 1, 200);
    add_log(fixture, 0, 300);
    append_all(file, fixture->bytes);
    g_assert_true(fm_run_file_close(file, NULL));
    g_assert_true(fm_run_file_read_log(place->path, 0, collect_cb, ios, &error));
    g_assert_cmpuint(ios->len, ==, 4);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 0).latency_ns, ==, 100);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 3).latency_ns, ==, 301);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 3).completed_ns, ==, 7000);

    /* A resumed run ran the step anew: what the first session logged does not count. */
    g_autoptr(FmRunFixture) again = tiny_fixture();
    add_log(again, 0, 400);
    file = fm_run_file_open(place->path, true, NULL);
    append_all(file, again->bytes);
    g_assert_true(fm_run_file_close(file, NULL));
    g_assert_true(fm_run_file_read_log(place->path, 0, collect_cb, ios, &error));
    g_assert_cmpuint(ios->len, ==, 2);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 0).latency_ns, ==, 400);
    g_assert_false(fm_run_file_read_log("/nonexistent", 0, collect_cb, ios, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_GONE);
}

static void
test_lock_tells_who_writes(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);

    append_all(file, fixture->bytes);
    g_assert_true(fm_run_file_is_busy(place->path));
    g_assert_null(fm_run_file_open(place->path, true, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_BUSY);
    /* Reading does not disturb it. */
    g_autoptr(FmRun) run = fm_run_file_load(place->path, NULL);
    g_assert_nonnull(run);
    g_assert_true(fm_run_file_is_busy(place->path));
    g_assert_true(fm_run_file_close(file, NULL));
    g_assert_false(fm_run_file_is_busy(place->path));
}

static void
test_descriptors_do_not_leak_into_children(Place *place, gconstpointer data)
{
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);
    int n_open = 0;

    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char link[64];
        g_snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        g_autofree char *target = g_file_read_link(link, NULL);
        if (g_strcmp0(target, place->path) == 0) {
            n_open++;
            g_assert_cmpint(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, !=, 0);
        }
    }
    g_assert_cmpint(n_open, ==, 1);
    g_assert_true(fm_run_file_close(file, NULL));
}

/* --- Failure --------------------------------------------------------------------- */

/* Sets the file size limit of this process; EFBIG stands for a full disk here. */
static void
limit_size(rlim_t size)
{
    struct rlimit limit;

    g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &limit), ==, 0);
    limit.rlim_cur = MIN(size, limit.rlim_max);
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &limit), ==, 0);
}

static void
test_full_disk(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) first = tiny_fixture();
    g_autoptr(FmRunFixture) more = fm_run_fixture_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) again = NULL;
    FmFixtureStep step = {.number = 1, .n_ios = 2000};

    signal(SIGXFSZ, SIG_IGN);
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);
    append_all(file, first->bytes);
    limit_size(first->bytes->len + 500);
    fm_run_fixture_add_step(more, &step);
    append_all(file, more->bytes);
    g_assert_false(fm_run_file_flush(file, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
    g_assert_nonnull(strstr(error->message, "can't grow beyond"));
    g_assert_false(fm_run_file_flush(file, true, &again));

    /* What was written before is whole. */
    g_assert_cmpuint(file_size(place->path), ==, first->bytes->len);
    limit_size(RLIM_INFINITY);
    /* Sticky: a disk that has space again does not make a hole in the run. */
    g_assert_false(fm_run_file_flush(file, true, NULL));

    /* Elsewhere it goes on without loss. */
    g_assert_true(fm_run_file_move(file, place->other, NULL));
    fm_run_fixture_add_end(more, "failed");
    g_autoptr(GArray) ends = frame_ends(more->bytes);
    gsize begin = g_array_index(ends, gsize, ends->len - 2);
    fm_run_file_append(file, more->bytes->data + begin, more->bytes->len - begin);
    g_assert_true(fm_run_file_close(file, NULL));
    g_autoptr(FmRun) run = fm_run_file_load(place->other, NULL);
    g_assert_false(run->damaged);
    g_assert_cmpuint(run->steps->len, ==, 2);
    g_assert_cmpstr(run->outcome, ==, "failed");
    for (guint i = 0; i < run->steps->len; i++) {
        g_autoptr(FmMessage) sentence = fm_run_step_check(g_ptr_array_index(run->steps, i));
        g_assert_cmpstr(fm_message_get_text(sentence), ==, "");
    }
}

/* Somebody tidies up while the run goes on: nothing is lost as long as the file is open. */
static void
test_removed_file(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GError) error = NULL;
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);

    append_all(file, fixture->bytes);
    g_assert_true(fm_run_file_flush(file, false, NULL));
    g_assert_cmpint(g_unlink(place->path), ==, 0);
    g_assert_false(fm_run_file_flush(file, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_GONE);
    g_assert_true(fm_run_file_move(file, place->other, NULL));
    g_assert_true(fm_run_file_close(file, NULL));
    g_assert_cmpuint(file_size(place->other), ==, fixture->bytes->len);
}

static void
test_move_does_not_overwrite(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GError) error = NULL;
    FmRunFile *file = fm_run_file_open(place->path, false, NULL);

    append_all(file, fixture->bytes);
    g_assert_true(g_file_set_contents(place->other, "mine", -1, NULL));
    g_assert_false(fm_run_file_move(file, place->other, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_cmpuint(file_size(place->other), ==, 4);
    /* The old place still works. */
    append_all(file, fixture->bytes);
    g_assert_true(fm_run_file_close(file, NULL));
    g_assert_cmpuint(file_size(place->path), ==, 2 * fixture->bytes->len);
}

/* --- Damage ---------------------------------------------------------------------- */

static void
test_cut_at_every_byte(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GArray) ends = frame_ends(fixture->bytes);
    g_autoptr(FmRunFixture) next = fm_run_fixture_new();

    fm_run_fixture_add_end(next, "stopped");
    for (gsize cut = 1; cut <= fixture->bytes->len; cut++) {
        g_autoptr(GError) error = NULL;
        guint n_whole = 0;
        while (n_whole < ends->len && g_array_index(ends, gsize, n_whole) <= cut) {
            n_whole++;
        }
        int descriptor = g_open(place->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        g_assert_cmpint(write(descriptor, fixture->bytes->data, cut), ==, (gssize)cut);
        close(descriptor);

        FmRunFile *file = fm_run_file_open(place->path, true, &error);
        if (n_whole == 0) {
            g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
            g_assert_cmpuint(file_size(place->path), ==, cut);
            continue;
        }
        g_assert_no_error(error);
        gsize good = g_array_index(ends, gsize, n_whole - 1);
        g_assert_cmpuint(file_size(place->path), ==, good);
        append_all(file, next->bytes);
        g_assert_cmpuint(file_size(place->path), ==, good + next->bytes->len);
        g_autoptr(FmRun) run = fm_run_file_load(place->path, NULL);
        g_assert_false(run->damaged);
        g_assert_cmpstr(run->outcome, ==, "stopped");
        g_assert_cmpuint(run->steps->len, ==, n_whole >= 3);
        if (run->steps->len > 0) {
            const FmRunStep *step = g_ptr_array_index(run->steps, 0);
            g_assert_cmpint(step->ended, ==, n_whole == ends->len);
        }
        g_assert_true(fm_run_file_close(file, NULL));
    }
}

/* A file that was appended to without being repaired. */
static void
test_cut_in_the_middle(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GArray) ends = frame_ends(fixture->bytes);
    g_autoptr(FmRunFixture) next = fm_run_fixture_new();

    fm_run_fixture_add_end(next, "stopped");
    for (gsize cut = g_array_index(ends, gsize, 0); cut < fixture->bytes->len; cut++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_autoptr(FmRun) run = fm_run_new();
        g_byte_array_append(bytes, fixture->bytes->data, (guint)cut);
        g_byte_array_append(bytes, next->bytes->data, next->bytes->len);
        g_assert_true(fm_run_read(run, bytes->data, bytes->len, NULL));
        g_assert_cmpstr(run->outcome, ==, "stopped");
    }
}

static void
test_random_bit_flips(Place *place, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = tiny_fixture();
    g_autoptr(GArray) ends = frame_ends(fixture->bytes);

    for (int round = 0; round < 3000; round++) {
        g_autofree uint8_t *bytes = g_memdup2(fixture->bytes->data, fixture->bytes->len);
        gsize first = fixture->bytes->len;
        for (int n_flips = g_test_rand_int_range(1, 5); n_flips > 0; n_flips--) {
            gsize at = (gsize)g_test_rand_int_range(0, (gint32)fixture->bytes->len);
            bytes[at] ^= (uint8_t)(1 << g_test_rand_int_range(0, 8));
            first = MIN(first, at);
        }
        g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
        guint n_frames = 0;
        fm_frame_reader_push(reader, bytes, fixture->bytes->len);
        for (;;) {
            g_auto(FmFrame) frame = {0};
            if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
                break;
            }
            n_frames++;
        }
        guint n_expected = 0;
        while (n_expected < ends->len && g_array_index(ends, gsize, n_expected) <= first) {
            n_expected++;
        }
        g_assert_cmpuint(n_frames, >=, n_expected);
        g_autoptr(FmRun) run = fm_run_new();
        g_assert_cmpint(fm_run_read(run, bytes, fixture->bytes->len, NULL), >=, n_expected > 0);
    }
}

/* Appends steps as fast as it can until it is killed. */
static G_GNUC_NORETURN void
write_for_ever(const char *path)
{
    FmRunFile *file = fm_run_file_open(path, false, NULL);

    for (unsigned number = 0;; number++) {
        g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
        FmFixtureStep step = {.number = number, .n_ios = 40};
        if (file == NULL) {
            _exit(1);
        }
        fm_run_fixture_add_step(fixture, &step);
        append_all(file, fixture->bytes);
    }
}

static void
test_killed_writer(Place *place, gconstpointer data)
{
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            write_for_ever(place->path);
        }
        g_assert_cmpint(child, >, 0);
        g_usleep(3000 + (gulong)g_test_rand_int_range(0, 5000));
        while (g_access(place->path, F_OK) != 0 || file_size(place->path) == 0) {
            g_usleep(1000);
        }
        g_assert_cmpint(kill(child, SIGKILL), ==, 0);
        g_assert_cmpint(waitpid(child, NULL, 0), ==, child);

        g_autoptr(FmRun) run = fm_run_file_load(place->path, NULL);
        g_assert_nonnull(run);
        g_assert_false(run->damaged);
        g_assert_false(run->ended);
        g_assert_false(fm_run_file_is_busy(place->path));
        FmRunFile *file = fm_run_file_open(place->path, true, NULL);
        g_assert_nonnull(file);
        g_assert_true(fm_run_file_close(file, NULL));
        g_assert_cmpint(g_unlink(place->path), ==, 0);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/store/run-file/" path, Place, NULL, set_up, test, tear_down)
    ADD("round-trip-is-byte-for-byte", test_round_trip);
    ADD("never-overwrites", test_never_overwrites);
    ADD("foreign-file-is-left-alone", test_foreign_file_is_left_alone);
    ADD("end-of-step-is-written-at-once", test_end_of_step_is_written);
    ADD("memory-is-bounded", test_memory_is_bounded);
    ADD("log-is-read-for-one-step", test_log_is_read_for_one_step);
    ADD("lock-tells-who-writes", test_lock_tells_who_writes);
    ADD("descriptors-do-not-leak-into-children", test_descriptors_do_not_leak_into_children);
    ADD("full-disk-keeps-what-was-written", test_full_disk);
    ADD("removed-file-is-told-and-can-move", test_removed_file);
    ADD("move-does-not-overwrite", test_move_does_not_overwrite);
    ADD("cut-at-every-byte-is-repaired", test_cut_at_every_byte);
    ADD("cut-in-the-middle-loses-one-frame", test_cut_in_the_middle);
    ADD("random-bit-flips-keep-what-stands-before", test_random_bit_flips);
    ADD("killed-writer-leaves-a-readable-run", test_killed_writer);
#undef ADD
    return g_test_run();
}
