/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fold: frames become the run they came from, in whatever state they arrive.
 */
#include "model/run.h"

#include "base/error.h"
#include "model/tick.h"
#include "run-fixture.h"

#include <math.h>

/* A run of one step of @n_ios reads. */
static FmRunFixture *
small_fixture(uint32_t n_ios)
{
    FmRunFixture *fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = n_ios, .path = "only", .in_flight = 4};

    fm_run_fixture_add_head(fixture, "cdm-default");
    fm_run_fixture_add_step(fixture, &step);
    return fixture;
}

static FmRunStep *
step_at(const FmRun *run, guint index)
{
    g_assert_cmpuint(index, <, run->steps->len);
    return g_ptr_array_index(run->steps, index);
}

/* --- What frames say --------------------------------------------------------------- */

static void
test_head_is_told(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(100);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);

    g_assert_cmpstr(run->version, ==, "0.1.0");
    g_assert_cmpuint(run->n_sessions, ==, 1);
    g_assert_cmpstr(run->plan_id, ==, "cdm-default");
    g_assert_cmpuint(run->seed, ==, UINT64_MAX);
    g_assert_cmpuint(g_strv_length(run->settings), ==, 4);
    g_assert_cmpstr(run->verdict, ==, "direct");
    g_assert_cmpuint(run->block_size, ==, 512);
    g_assert_cmpstr(fm_facts_get_string(run->drive, "drive.model"), ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpstr(fm_facts_get_string(run->target, "fs.type"), ==, "ext4");
    g_assert_cmpstr(fm_facts_get_reason(run->environment, "board.name"), ==, "needs root");
    g_assert_false(run->ended);
    g_assert_null(run->outcome);
    g_assert_false(run->damaged);
}

static void
test_step_is_told(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(10000);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    const FmRunStep *step = step_at(run, 0);
    g_auto(FmHist) hist = {0};

    g_assert_true(step == fm_run_get_step(run, 0));
    g_assert_cmpuint(step->n_streams, ==, 1);
    g_assert_cmpuint(step->in_flight, ==, 4);
    g_assert_cmpuint(fm_run_step_get_block(step), ==, 4096);
    g_assert_true(step->ended);
    g_assert_cmpuint(step->ios[FM_OP_READ], ==, 10000);
    g_assert_cmpuint(step->bytes[FM_OP_READ], ==, 10000 * 4096);
    g_assert_cmpint(step->cpu_ns, ==, 10000 * 1500);
    g_assert_true(fm_run_step_get_latency(step, FM_OP_READ, &hist));
    g_assert_cmpuint(hist.count, ==, 10000);
    /* 3 GHz. */
    g_assert_cmpuint(fm_run_step_ticks_to_ns(step, 3000), ==, 1000);
    g_assert_cmpuint(fm_run_step_ticks_to_ns(step, 1), ==, 0);
    g_assert_cmpuint(fm_run_step_ticks_to_ns(step, 2), ==, 1);
    g_assert_cmpuint(fm_run_step_ticks_to_ns(step, UINT64_MAX), ==, UINT64_MAX / 3);
    g_auto(FmHist) none = {0};
    g_assert_false(fm_run_step_get_latency(step, FM_OP_WRITE, &none));
    g_assert_null(none.bins);
}

static void
test_unknown_stays_unknown(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_END, "{'step': <uint32 0>}");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    const FmRunStep *step = step_at(run, 0);
    g_assert_true(step->ended);
    g_assert_cmpint(step->cpu_ns, ==, -1);
    g_assert_true(isnan(step->in_flight_mean));
    g_assert_null(step->outcome);
    g_assert_true(isnan(run->progress));
    g_assert_cmpint(run->wall_us, ==, 0);
    g_assert_false(run->damaged);
}

static void
test_ops_merge(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 5000, .write_share = 3000};
    g_auto(FmHist) all = {0};
    g_auto(FmHist) reads = {0};
    g_auto(FmHist) writes = {0};

    fm_run_fixture_add_step(fixture, &step);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_true(fm_run_step_get_latency(step_at(run, 0), FM_N_OPS, &all));
    g_assert_true(fm_run_step_get_latency(step_at(run, 0), FM_OP_READ, &reads));
    g_assert_true(fm_run_step_get_latency(step_at(run, 0), FM_OP_WRITE, &writes));
    g_assert_cmpuint(all.count, ==, 5000);
    g_assert_cmpuint(reads.count + writes.count, ==, 5000);
    g_assert_cmpuint(writes.count, >, 1000);
    g_assert_cmpuint(all.max, ==, MAX(reads.max, writes.max));
    g_assert_cmpuint(all.sum, ==, reads.sum + writes.sum);
}

/* One histogram of @value for the stream @stream of step 0. */
static void
add_histogram(FmRunFixture *fixture, uint32_t stream, unsigned bits, uint64_t value)
{
    g_auto(FmHist) hist = {0};
    g_autoptr(GByteArray) payload = g_byte_array_new();
    FmHistKey key = {.stream = stream,
                     .op = FM_OP_READ,
                     .ns_per_tick_numerator = 1,
                     .ns_per_tick_denominator = 1};

    fm_hist_init(&hist, bits);
    fm_hist_record(&hist, value);
    fm_hist_encode(payload, &key, &hist);
    fm_frame_encode(fixture->bytes, FM_FRAME_HISTOGRAM, 0, payload->data, payload->len);
}

static void
test_streams_merge(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    g_auto(FmHist) each = {0};
    g_auto(FmHist) all = {0};

    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>}");
    add_histogram(fixture, 0, FM_HIST_PHASE_BITS, 100);
    add_histogram(fixture, 1, FM_HIST_INTERVAL_BITS, 300);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_true(fm_run_step_get_latency(step_at(run, 0), FM_OP_READ, &each));
    g_assert_cmpuint(each.count, ==, 2);
    g_assert_cmpuint(each.bits, ==, FM_HIST_INTERVAL_BITS);
    g_assert_cmpuint(each.max, ==, 300);

    /* The histogram of all streams holds theirs already. */
    add_histogram(fixture, FM_HIST_ALL_STREAMS, FM_HIST_PHASE_BITS, 200);
    g_autoptr(FmRun) again = fm_run_fixture_fold(fixture);
    g_assert_true(fm_run_step_get_latency(step_at(again, 0), FM_OP_READ, &all));
    g_assert_cmpuint(all.count, ==, 1);
}

static void
test_notes_and_progress(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(10);

    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE,
                            "{'kind': <'progress'>, 'fraction': <0.5>, 'remaining-ns': <int64 7>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE,
                            "{'kind': <'error'>, 'text': <'Broken'>, 'step': <uint32 3>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, "{'kind': <'warning'>, 'text': <'Hot'>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_USER_NOTE, "{'text': <'one'>, 'tags': <['a']>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_USER_NOTE, "{'text': <'two'>, 'tags': <['b', 'c']>}");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_cmpfloat(run->progress, ==, 0.5);
    g_assert_cmpint(run->remaining_ns, ==, 7);
    g_assert_cmpuint(run->notes->len, ==, 2);
    const FmRunNote *error = g_ptr_array_index(run->notes, 0);
    const FmRunNote *warning = g_ptr_array_index(run->notes, 1);
    g_assert_cmpint(error->step, ==, 3);
    g_assert_cmpint(warning->step, ==, FM_RUN_NO_STEP);
    g_assert_cmpstr(run->user_text, ==, "two");
    g_assert_cmpuint(g_strv_length(run->tags), ==, 2);
}

/* A sentence keeps what it was made of; an older file has only the text. */
static void
test_messages(void)
{
    static const struct {
        const char *note;
        const char *message;
    } cases[] = {
        {"{'text': <'“a” is 1'>, 'text-message': <[<'“%s” is %u'>, <'a'>, <'1'>]>}",
         "[<'“%s” is %u'>, <'a'>, <'1'>]"},
        {"{'text': <'“a” is 1'>}", "[<'%s'>, <'“a” is 1'>]"},
        {"{'text': <'“a” is 1'>, 'text-message': <[<'“%s” is %n'>, <'a'>, <'1'>]>}",
         "[<'%s'>, <'“a” is 1'>]"},
        {"{'kind': <'error'>}", "[<''>]"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
        fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, cases[i].note);
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        const FmRunNote *note = g_ptr_array_index(run->notes, 0);
        g_autoptr(GVariant) message = g_variant_ref_sink(fm_message_to_variant(note->text));
        g_autofree char *printed = g_variant_print(message, FALSE);
        g_assert_cmpstr(printed, ==, cases[i].message);
    }
}

/* --- Sessions ---------------------------------------------------------------------- */

static void
test_resumed_run(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep first = {.number = 0, .n_ios = 50};
    FmFixtureStep cut = {.number = 1, .n_ios = 50, .is_cut = true};
    FmFixtureStep again = {.number = 1, .n_ios = 70};

    fm_run_fixture_add_head(fixture, "fill");
    fm_run_fixture_add_step(fixture, &first);
    fm_run_fixture_add_step(fixture, &cut);
    fm_run_fixture_add_text(fixture, FM_FRAME_HELLO, "{'version': <'0.2'>, 'pid': <uint32 9>}");
    fm_run_fixture_add_step(fixture, &again);
    fm_run_fixture_add_end(fixture, "complete");

    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_false(run->damaged);
    g_assert_cmpuint(run->n_sessions, ==, 2);
    g_assert_cmpuint(run->steps->len, ==, 3);
    g_assert_false(step_at(run, 1)->ended);
    g_assert_cmpuint(step_at(run, 1)->ticks->len, ==, 1);
    g_assert_true(fm_run_get_step(run, 1) == step_at(run, 2));
    g_assert_cmpuint(step_at(run, 2)->session, ==, 1);
    g_assert_cmpuint(step_at(run, 2)->ios[FM_OP_READ], ==, 70);
    g_assert_cmpstr(run->outcome, ==, "complete");
}

/* --- Bad streams ------------------------------------------------------------------- */

static void
test_told_twice_changes_nothing(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(20000);
    g_autoptr(GByteArray) twice = g_byte_array_new();
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();

    fm_frame_reader_push(reader, fixture->bytes->data, fixture->bytes->len);
    for (;;) {
        g_auto(FmFrame) frame = {0};
        if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
            break;
        }
        gsize length;
        const void *data = g_bytes_get_data(frame.payload, &length);
        fm_frame_encode(twice, frame.kind, frame.sequence, data, length);
        fm_frame_encode(twice, frame.kind, frame.sequence, data, length);
    }

    g_autoptr(FmRun) run = fm_run_new();
    g_assert_true(fm_run_read(run, twice->data, twice->len, NULL));
    g_assert_false(run->damaged);
    g_assert_cmpuint(run->n_sessions, ==, 1);
    g_assert_cmpuint(run->steps->len, ==, 1);
    g_autoptr(FmMessage) sentence = fm_run_step_check(step_at(run, 0));
    g_assert_null(sentence);
}

static void
add_tick(FmRunFixture *fixture, uint64_t end_ns, uint16_t flags)
{
    g_autoptr(GByteArray) payload = g_byte_array_new();
    FmTick tick = {.end_ns = end_ns, .read = {.bytes = 512}, .read_ios = 1, .flags = flags};

    fm_tick_encode(payload, 0, &tick, 1);
    fm_frame_encode(fixture->bytes, FM_FRAME_TICK, 0, payload->data, payload->len);
}

static void
test_rows_are_sorted(void)
{
    static const struct {
        uint64_t end_ns;
        uint16_t flags;
    } given[] = {{300, 0}, {100, 0}, {200, 0}, {200, FM_TICK_RAMP}, {100, FM_TICK_RAMP}, {200, 0}};
    static const uint64_t expected[] = {100, 200, 100, 200, 300};
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>}");
    for (gsize i = 0; i < G_N_ELEMENTS(given); i++) {
        add_tick(fixture, given[i].end_ns, given[i].flags);
    }
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    const GArray *ticks = step_at(run, 0)->ticks;
    g_assert_cmpuint(ticks->len, ==, G_N_ELEMENTS(expected));
    for (guint i = 0; i < ticks->len; i++) {
        g_assert_cmpuint(g_array_index(ticks, FmTick, i).end_ns, ==, expected[i]);
        g_assert_cmpint((g_array_index(ticks, FmTick, i).flags & FM_TICK_RAMP) != 0, ==, i < 2);
    }
    g_assert_false(run->damaged);
}

static void
test_contradictions_are_damage(void)
{
    static const struct {
        FmFrameKind kind;
        const char *text;
    } cases[] = {
        {FM_FRAME_PHASE_BEGIN, "@a{sv} {}"},
        {FM_FRAME_PHASE_BEGIN, "{'step': <'zero'>}"},
        {FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>, 'path': <'another'>}"},
        {FM_FRAME_PHASE_END, "{'step': <uint32 99>}"},
        {FM_FRAME_PHASE_END, "{'step': <uint32 0>, 'outcome': <'failed'>}"},
        {FM_FRAME_END, "@a{sv} {}"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRunFixture) fixture = small_fixture(10);
        fm_run_fixture_add_text(fixture, cases[i].kind, cases[i].text);
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        g_assert_true(run->damaged);
        g_assert_cmpuint(run->damage->len, ==, 1);
        g_assert_cmpuint(run->steps->len, ==, 1);
        g_assert_cmpstr(step_at(run, 0)->outcome, ==, "complete");
    }
}

static void
test_foreign_frames(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(10);

    /* Unknown kinds and commands are skipped; bad payloads are damage. */
    fm_frame_encode(fixture->bytes, 40, 0, "new", 3);
    fm_frame_encode(fixture->bytes, FM_FRAME_STOP, 0, NULL, 0);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_false(run->damaged);
    for (FmFrameKind kind = FM_FRAME_HELLO; kind <= FM_FRAME_END; kind++) {
        fm_frame_encode(fixture->bytes, kind, 0, "rubbish", 7);
    }
    g_autoptr(FmRun) rubbish = fm_run_fixture_fold(fixture);
    g_assert_true(rubbish->damaged);
    g_assert_cmpuint(rubbish->damage->len, ==, 14);
}

static void
test_log_is_told(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(10);
    const uint64_t words[] = {fm_latency_log_pack(80000, 1, FM_OP_READ)};

    g_autoptr(FmRun) without = fm_run_fixture_fold(fixture);
    g_assert_false(step_at(without, 0)->has_log);
    for (uint32_t number = 0; number < 2; number++) {
        g_autoptr(GByteArray) payload = g_byte_array_new();
        FmLatencyLogKey key = {.step = number};
        fm_latency_log_encode(payload, &key, words, G_N_ELEMENTS(words));
        fm_frame_encode(fixture->bytes, FM_FRAME_LATENCY_LOG, 0, payload->data, payload->len);
        /* The second is of a step nobody began. */
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        g_assert_true(step_at(run, 0)->has_log);
        g_assert_cmpint(run->damaged, ==, number == 1);
    }
}

static void
test_damage_is_bounded(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    for (unsigned i = 0; i < 1000; i++) {
        fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_END, "@a{sv} {}");
    }
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_cmpuint(run->damage->len, ==, FM_RUN_MAX_DAMAGE);
}

static void
test_cut_is_not_damage(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(1000);
    g_autoptr(GError) error = NULL;

    g_autoptr(FmRun) cut = fm_run_new();
    g_assert_true(fm_run_read(cut, fixture->bytes->data, fixture->bytes->len - 5, NULL));
    g_assert_false(cut->damaged);
    g_assert_false(step_at(cut, 0)->ended);
    g_assert_cmpuint(step_at(cut, 0)->ticks->len, >, 0);

    g_autoptr(FmRun) damaged = fm_run_new();
    fixture->bytes->data[30] ^= 1;
    g_assert_true(fm_run_read(damaged, fixture->bytes->data, fixture->bytes->len, NULL));
    g_assert_true(damaged->damaged);
    g_assert_cmpuint(damaged->steps->len, ==, 1);

    g_autoptr(FmRun) nothing = fm_run_new();
    g_assert_false(fm_run_read(nothing, "no run", 6, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
}

/* --- Sums -------------------------------------------------------------------------- */

static void
test_sums_agree(void)
{
    static const uint32_t numbers[] = {0, 1, 3, 99, 100, 9999, 50000};

    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
        FmFixtureStep mixed = {.n_ios = numbers[i], .write_share = 5000};
        fm_run_fixture_add_step(fixture, &mixed);
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        g_autoptr(FmMessage) sentence = fm_run_step_check(step_at(run, 0));
        g_assert_cmpstr(fm_message_get_text(sentence), ==, "");
    }
}

static void
test_sums_disagree(void)
{
    enum { ROW_LOST, ROW_EXTRA, BYTES, HISTOGRAM, PARTIAL, N_CASES };
    static const char *const expected[N_CASES] = {"*reads of the ticks*", "*not the last one*",
                                                  "*read bytes of the ticks*",
                                                  "*reads of the histogram*", "*not the last one*"};

    for (int i = 0; i < N_CASES; i++) {
        g_autoptr(FmRunFixture) fixture = small_fixture(20000);
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        FmRunStep *step = step_at(run, 0);
        FmTick extra = {.end_ns = UINT64_MAX, .read_ios = 1};

        g_assert_cmpuint(step->ticks->len, >, 2);
        if (i == ROW_LOST) {
            g_array_remove_index(step->ticks, 1);
        } else if (i == ROW_EXTRA) {
            g_array_append_val(step->ticks, extra);
        } else if (i == BYTES) {
            step->bytes[FM_OP_READ] += 512;
        } else if (i == HISTOGRAM) {
            g_ptr_array_set_size(step->histograms, 0);
        } else {
            g_array_index(step->ticks, FmTick, 0).flags |= FM_TICK_PARTIAL;
        }
        g_autoptr(FmMessage) sentence = fm_run_step_check(step);
        g_assert_nonnull(sentence);
        g_assert_true(g_pattern_match_simple(expected[i], fm_message_get_text(sentence)));
    }
}

static void
test_ramp_is_not_counted(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture(10);

    add_tick(fixture, 100, FM_TICK_RAMP);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_assert_cmpuint(step_at(run, 0)->ticks->len, ==, 2);
    g_autoptr(FmMessage) sentence = fm_run_step_check(step_at(run, 0));
    g_assert_cmpstr(fm_message_get_text(sentence), ==, "");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/model/run/" path, test)
    ADD("head-is-told", test_head_is_told);
    ADD("step-is-told", test_step_is_told);
    ADD("unknown-stays-unknown", test_unknown_stays_unknown);
    ADD("all-ops-merge", test_ops_merge);
    ADD("streams-merge-unless-there-is-a-total", test_streams_merge);
    ADD("notes-and-progress-are-told", test_notes_and_progress);
    ADD("messages-keep-what-they-were-made-of", test_messages);
    ADD("resumed-run-keeps-both-sessions", test_resumed_run);
    ADD("told-twice-changes-nothing", test_told_twice_changes_nothing);
    ADD("rows-are-sorted-and-unique", test_rows_are_sorted);
    ADD("contradictions-are-damage", test_contradictions_are_damage);
    ADD("unknown-frames-are-skipped-bad-ones-noted", test_foreign_frames);
    ADD("logged-ios-are-told-not-kept", test_log_is_told);
    ADD("damage-is-bounded", test_damage_is_bounded);
    ADD("cut-is-not-damage", test_cut_is_not_damage);
    ADD("sums-agree", test_sums_agree);
    ADD("sums-that-disagree-are-told", test_sums_disagree);
    ADD("ramp-is-not-counted", test_ramp_is_not_counted);
#undef ADD
    return g_test_run();
}
