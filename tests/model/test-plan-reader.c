/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every mistake in a plan is refused with its place; what is right is read as written.
 * Texts use ' for " to stay readable.
 */
#include "base/error.h"
#include "model/plan-reader.h"

#include <string.h>

/* The text with ' as ".  Caller frees. */
static char *
json(const char *text)
{
    return g_strdelimit(g_strdup(text), "'", '"');
}

static char *
look_up_cb(const char *id, gpointer user_data, GError **error)
{
    static const struct {
        const char *id;
        const char *text;
    } plans[] = {
        {"small", "{'fathom-plan': 1, 'id': 'small', 'name': {'en': 'Small', 'ko': '작음'},\n"
                  " 'workload': 'X-1', 'needs': ['device'],\n"
                  " 'options': [{'key': 'size', 'kind': 'size', 'default': '1GiB',\n"
                  "  'max': '2GiB'}],\n"
                  " 'phases': [{'kind': 'measure', 'id': 'm', 'stop': {'bytes': '$size'},\n"
                  "  'streams': [{'read': '100%', 'pattern': 'random', 'block': '4KiB',\n"
                  "   'in-flight': 4, 'threads': 2}]}]}"},
        {"bad", "{'fathom-plan': 1, 'id': 'bad', 'name': 'Bad',\n 'phases': []}"},
        {"loop", "{'fathom-plan': 1, 'id': 'loop', 'name': 'Loop', 'phases':\n"
                 " [{'kind': 'include', 'plan': 'ring'}]}"},
        {"ring", "{'fathom-plan': 1, 'id': 'ring', 'name': 'Ring', 'phases':\n"
                 " [{'kind': 'include', 'plan': 'loop'}]}"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(plans); i++) {
        if (strcmp(id, plans[i].id) == 0) {
            return json(plans[i].text);
        }
    }
    g_set_error(error, FM_ERROR, FM_ERROR_INVALID, "There is none.");
    return NULL;
}

static FmPlan *
read_text(const char *text, const char *const *settings, GError **error)
{
    FmPlanSource source = {
        .text = text,
        .length = -1,
        .origin = "p.json",
        .lookup = look_up_cb,
    };
    return fm_plan_read(&source, settings, error);
}

/* Reads @text, which must be right. */
static FmPlan *
read_good(const char *text, const char *const *settings)
{
    g_autofree char *quoted = json(text);
    g_autoptr(GError) error = NULL;
    FmPlan *plan = read_text(quoted, settings, &error);
    g_assert_no_error(error);
    return plan;
}

/* Sentences here are written with ', as jansson's own words are. */
static char *
with_straight_quotes(const char *message)
{
    GString *text = g_string_new(message);

    g_string_replace(text, "“", "\"", 0);
    g_string_replace(text, "”", "\"", 0);
    g_string_replace(text, "'", "\"", 0);
    return g_string_free(text, FALSE);
}

static void
assert_mistake(const char *text, const char *const *settings, const char *message)
{
    g_autofree char *quoted = json(text);
    g_autofree char *expected = with_straight_quotes(message);
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = read_text(quoted, settings, &error);
    g_assert_null(plan);
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_autofree char *message_got = with_straight_quotes(error->message);
    g_assert_cmpstr(message_got, ==, expected);
}

/* --- Mistakes in the plan as a whole ------------------------------------------------- */

#define PLAN "{'fathom-plan': 1, 'id': 'p', 'name': 'P',\n"
#define REST "'phases': [{'kind': 'rest', 'id': 'r', 'time': '1s'}]}"

static void
test_plan_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "p.json:1:1: This is not valid JSON: '[' or '{' expected near end of file."},
        {"[]", "p.json:1:1: A plan must be an object."},
        {"{'id': 'p'}", "p.json:1:1: This is not a plan: the key 'fathom-plan' is missing."},
        {"{'fathom-plan': 2,\n'id': 'p'}",
         "p.json:1:17: This version of the program reads plans of version 1."},
        {"{'fathom-plan': 1}", "p.json:1:1: The key 'id' is missing here."},
        {"{'fathom-plan': 1, 'id': 'p'}", "p.json:1:1: The key 'name' is missing here."},
        {"{'fathom-plan': 1, 'id': 'P!'}", "p.json:1:26: 'id' must be made of small letters, "
                                           "digits and '-', 64 at most."},
        {"{'fathom-plan': 1, 'id': ''}", "p.json:1:26: 'id' must be a text of 1 to 1000 bytes."},
        {"{'fathom-plan': 1, 'id': 7}", "p.json:1:26: 'id' must be a text."},
        {"{'fathom-plan': 1, 'id': 'p',\n  'id': 'q'}",
         "p.json:2:6: This is not valid JSON: duplicate object key near ''id''."},
        {"{'fathom-plan': 1, 'id': 'p', 'name': {'ko': '피'}}",
         "p.json:1:39: The key 'en' is missing here."},
        {"{'fathom-plan': 1, 'id': 'p', 'name': {'en': 'P', 'de': 'P'}}",
         "p.json:1:51: A text in two languages has no key 'de'."},
        {PLAN REST "x", "p.json:2:55: This is not valid JSON: end of file expected near 'x'."},
        {PLAN "'colour': 1, " REST, "p.json:2:1: A plan has no key 'colour'."},
        {PLAN "'seed': 'x', " REST, "p.json:2:9: A seed is a whole number in quotes, such as '1'."},
        {PLAN "'needs': ['luck'], " REST,
         "p.json:2:11: This is not a need; possible are device, purge, pacing, trace, trim, "
         "external, fill-level."},
        {PLAN "'file-size': '64M', " REST,
         "p.json:2:14: '64M' does not name its unit, such as KiB or MB."},
        {PLAN "'file-data': 'compressible', " REST,
         "p.json:2:14: A test file holds random data or zeros."},
        {PLAN "'between': 5, " REST, "p.json:2:12: This must be a text such as '5s'."},
        {PLAN "'between': '20000h', " REST, "p.json:2:12: '20000h' is out of range: 0s to 10000h."},
        {PLAN "'phases': {}}", "p.json:2:11: 'phases' must be a list."},
        {PLAN "'phases': []}", "p.json:2:11: 'phases' must have 1 to 10000 entries."},
        {"{'fathom-plan': 1, 'id': 'p', 'name': 'P'}",
         "p.json:1:1: The key 'phases' is missing here."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_mistake(cases[i].text, NULL, cases[i].message);
    }
}

/* --- Options --------------------------------------------------------------------------- */

#define OPTION(text) PLAN "'options': [" text "],\n" REST

static void
test_option_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {OPTION("{}"), "p.json:2:13: The key 'key' is missing here."},
        {OPTION("{'key': 'a'}"), "p.json:2:13: The key 'kind' is missing here."},
        {OPTION("{'key': 'a', 'kind': 'colour'}"),
         "p.json:2:34: 'colour' is not known here; possible are size, time, count, percent, "
         "choice, switch."},
        {OPTION("{'key': 'a', 'kind': 'size'}"), "p.json:2:13: The key 'default' is missing here."},
        {OPTION("{'key': 'a', 'kind': 'switch', 'default': 'yes'}"),
         "p.json:2:55: 'yes' is not possible for a: on, off."},
        {OPTION("{'key': 'a', 'kind': 'choice', 'default': 'b'}"),
         "p.json:2:13: The key 'choices' is missing here."},
        {OPTION("{'key': 'a', 'kind': 'choice', 'default': 'b', 'choices': ['c', 'd']}"),
         "p.json:2:55: 'b' is not possible for a: c, d."},
        {OPTION("{'key': 'a', 'kind': 'count', 'default': '3', 'choices': ['c']}"),
         "p.json:2:59: Only an option of kind 'choice' has choices."},
        {OPTION("{'key': 'a', 'kind': 'count', 'default': '3', 'max': '2'}"),
         "p.json:2:54: a must be at most 2."},
        {OPTION("{'key': 'a', 'kind': 'count', 'default': '3', 'min': '4', 'max': '2'}"),
         "p.json:2:78: a must be at least 4."},
        {OPTION("{'key': 'a', 'kind': 'switch', 'default': 'on'},\n"
                "{'key': 'a', 'kind': 'switch', 'default': 'on'}"),
         "p.json:3:9: There are two options 'a'."},
        {PLAN "'file-size': '$size', " REST, "p.json:2:14: '$size' is not an option of this plan."},
        {PLAN "'options': [{'key': 'a', 'kind': 'time', 'default': '5s'}],\n"
              "'file-size': '$a', " REST,
         "p.json:3:14: “5s” is not a size; write it like 64MiB, 64MB or 4096."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].text);
        assert_mistake(cases[i].text, NULL, cases[i].message);
    }
}

#define OPTIONS                                                                                    \
    PLAN "'options': [{'key': 'size', 'kind': 'size', 'default': '1GiB', 'min': '16MiB'},"         \
         "{'key': 'mix', 'kind': 'percent', 'default': 'off', 'off': true, 'max': '90%'},"         \
         "{'key': 'wait', 'kind': 'time', 'default': '5s'},"                                       \
         "{'key': 'n', 'kind': 'count', 'default': '3'}],"                                         \
         "'file-size': '$size', 'between': '$wait', 'phases': [{'kind': 'repeat', 'id': 'r',"      \
         "'count': '$n', 'phases': [{'kind': 'rest', 'id': 'x', 'time': '1s'},"                    \
         "{'kind': 'rest', 'id': 'y', 'time': '1s', 'when': 'mix=70%'},"                           \
         "{'kind': 'rest', 'id': 'z', 'time': '1s', 'when': 'mix',"                                \
         " 'label': 'Mix ${mix} of ${size}'}]}]}"

static void
test_settings(void)
{
    const char *const settings[] = {"size=64M", "mix=70", "wait=0", "n=9", NULL};
    g_autoptr(FmPlan) plan = read_good(OPTIONS, settings);
    const FmPhase *repeat = plan->root->children->pdata[0];
    g_assert_cmpuint(plan->file_size.value, ==, 64 << 20);
    g_assert_cmpint(plan->root->between_ns, ==, 0);
    g_assert_cmpuint(repeat->count, ==, 9);
    g_assert_cmpuint(repeat->children->len, ==, 3);
    const FmPhase *last = repeat->children->pdata[2];
    g_assert_cmpstr(last->label, ==, "Mix 70% of 64 MiB");
    g_assert_cmpuint(plan->n_options, ==, 4);
    g_assert_cmpstr(plan->options[0].value, ==, "64 MiB");
    g_assert_cmpstr(plan->options[0].default_value, ==, "1 GiB");
    g_assert_cmpstr(plan->options[1].value, ==, "70%");
}

static void
test_defaults(void)
{
    g_autoptr(FmPlan) plan = read_good(OPTIONS, NULL);
    const FmPhase *repeat = plan->root->children->pdata[0];
    g_assert_cmpuint(plan->file_size.value, ==, 1 << 30);
    g_assert_cmpint(plan->root->between_ns, ==, 5000000000);
    g_assert_cmpuint(repeat->children->len, ==, 1);
}

static void
test_setting_mistakes(void)
{
    static const struct {
        const char *setting;
        const char *message;
    } cases[] = {
        {"size", "The setting 'size' must be written key=value."},
        {"depth=3", "The plan p has no option 'depth'; it has size, mix, wait, n."},
        {"size=1MiB", "Setting size: size must be at least 16 MiB."},
        {"size=big", "Setting size: “big” is not a size; write it like 64MiB, 64MB or 4096."},
        {"mix=95", "Setting mix: mix must be at most 90%."},
        {"size=off", "Setting size: “off” is not a size; write it like 64MiB, 64MB or 4096."},
        {"wait=5", "Setting wait: “5” is not a time; write it like 500ms, 5s, 2min or 1h."},
        {"n=three", "Setting n: “three” is not a whole number; write it like 32."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const settings[] = {cases[i].setting, NULL};
        assert_mistake(OPTIONS, settings, cases[i].message);
    }
}

/* --- Streams ------------------------------------------------------------------------------ */

#define STEP(stream)                                                                               \
    PLAN "'phases': [{'kind': 'measure', 'id': 'm', 'stop': {'time': '1s'}, 'streams': [\n" stream \
         "]}]}"
#define READ "'read': '100%', 'pattern': 'random', 'block': '4KiB', "

static void
test_stream_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {STEP(""), "p.json:2:78: 'streams' must have 1 to 64 entries."},
        {STEP("7"), "p.json:3:1: A stream must be an object."},
        {STEP("{'colour': 1}"), "p.json:3:2: A stream has no key 'colour'."},
        {STEP("{'pattern': 'random'}"),
         "p.json:3:1: The shares of this stream add up to 0%, not to 100%."},
        {STEP("{'read': '70%', 'write': '20%'}"),
         "p.json:3:1: The shares of this stream add up to 90%, not to 100%."},
        {STEP("{'read': 'rest', 'write': 'rest'}"), "p.json:3:27: Only one share can be 'rest'."},
        {STEP("{'read': '70.001%', 'write': 'rest'}"),
         "p.json:3:10: '70.001%' has too many decimals."},
        {STEP("{'read': '120%'}"), "p.json:3:10: '120%' is out of range: 0% to 100%."},
        {STEP("{'read': 1}"), "p.json:3:10: This must be a text such as '70%'."},
        {STEP("{'read': '100%'}"), "p.json:3:1: The key 'pattern' is missing here."},
        {STEP("{'read': '100%', 'pattern': 'zigzag'}"),
         "p.json:3:29: 'zigzag' is not known here; possible are sequential, random, permutation, "
         "mixed, strided."},
        {STEP("{'read': '100%', 'pattern': 'mixed'}"),
         "p.json:3:18: 'random' and the pattern 'mixed' go together."},
        {STEP("{" READ "'random': '50%'}"),
         "p.json:3:56: 'random' and the pattern 'mixed' go together."},
        {STEP("{'read': '100%', 'pattern': 'random'}"),
         "p.json:3:1: A stream needs either 'block' or 'blocks'."},
        {STEP("{'read': '100%', 'pattern': 'random', 'block': '1000B'}"),
         "p.json:3:48: This must be a multiple of 512 bytes."},
        {STEP("{'read': '100%', 'pattern': 'random', 'block': '256B'}"),
         "p.json:3:48: '256B' is out of range: 512 B to 8 MiB."},
        {STEP("{'read': '100%', 'pattern': 'random', 'block': '16MiB'}"),
         "p.json:3:48: '16MiB' is out of range: 512 B to 8 MiB."},
        {STEP("{'read': '100%', 'pattern': 'random', 'blocks': {'4KiB': 0}}"),
         "p.json:3:58: '0' is out of range: 1 to 1000000."},
        {STEP("{'read': '100%', 'pattern': 'random', 'blocks': {'4KiB': 1, '4096B': 1}}"),
         "p.json:3:49: One size stands here twice."},
        {STEP("{'read': '100%', 'pattern': 'random', 'block': '4KiB'}"),
         "p.json:3:1: A stream needs either 'in-flight' or 'per-thread'."},
        {STEP("{" READ "'in-flight': 0}"), "p.json:3:69: '0' is out of range: 1 to 1024."},
        {STEP("{" READ "'in-flight': 1025}"), "p.json:3:69: '1025' is out of range: 1 to 1024."},
        {STEP("{" READ "'in-flight': '8'}"), "p.json:3:69: This must be a whole number."},
        {STEP("{" READ "'in-flight': 8.5}"), "p.json:3:69: This must be a whole number."},
        {STEP("{" READ "'in-flight': -8}"), "p.json:3:69: This must be a whole number."},
        {STEP("{" READ "'in-flight': 8, 'threads': 3}"),
         "p.json:3:1: A depth of 8 cannot be shared evenly by 3 threads."},
        {STEP("{" READ "'in-flight': 2, 'threads': 4}"),
         "p.json:3:1: A depth of 2 cannot be shared evenly by 4 threads."},
        {STEP("{" READ "'per-thread': 8}"), "p.json:3:1: 'per-thread' needs 'threads' beside it."},
        {STEP("{" READ "'per-thread': 512, 'threads': 4}"),
         "p.json:3:70: All threads together keep 2048 I/Os in flight; 1024 are possible."},
        {STEP("{" READ "'in-flight': 1, 'offset': '60%', 'region': '50%'}"),
         "p.json:3:99: The region reaches beyond the end of the target."},
        {STEP("{" READ "'in-flight': 1, 'region': '0%'}"),
         "p.json:3:1: The region of this stream is empty."},
        {STEP("{" READ "'in-flight': 1, 'data': 'compressible'}"),
         "p.json:3:72: 'compressible' and the data 'compressible' go together."},
        {STEP("{" READ "'in-flight': 1, 'sync': 'yes'}"),
         "p.json:3:80: This must be true or false, or an option that is on or off."},
        {STEP("{" READ "'in-flight': 1, 'pacing': {'gap-every': 3}}"),
         "p.json:3:82: 'gap-every' and 'gap' go together."},
        {STEP("{'read': '100%', 'pattern': 'permutation', 'blocks': {'4KiB': 1, '8KiB': 1}, "
              "'in-flight': 1}"),
         "p.json:3:54: The pattern 'permutation' needs a single block size."},
        {STEP("{'read': '100%', 'pattern': 'strided', 'stride': '64KiB', 'block': '1MiB', "
              "'in-flight': 1}"),
         "p.json:3:50: The stride is smaller than the block."},
        {STEP("{" READ "'in-flight': 1}, {" READ "'in-flight': 1}"),
         "p.json:2:78: Two streams are called 'main'; give each its own 'id'."},
        {STEP("{" READ "'in-flight': 1000}, {" READ "'in-flight': 25, 'id': 'b'}"),
         "p.json:2:78: All streams together may keep 1024 I/Os in flight on 64 threads, not "
         "more."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].text);
        assert_mistake(cases[i].text, NULL, cases[i].message);
    }
}

/* --- Phases --------------------------------------------------------------------------------- */

#define PHASE(phase) PLAN "'phases': [\n" phase "]}"
#define STREAM "'streams': [{'id': 'a', " READ "'in-flight': 8, 'threads': 2}]"
#define MEASURE "{'kind': 'measure', 'stop': {'time': '1s'}, " STREAM "}"

static void
test_phase_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {PHASE("1"), "p.json:3:1: A phase must be an object."},
        {PHASE("{'id': 'm'}"), "p.json:3:1: The key 'kind' is missing here."},
        {PHASE("{'kind': 'dance'}"),
         "p.json:3:10: 'dance' is not known here; possible are measure, precondition, rest, idle, "
         "settle, purge, trim, external, group, sweep, repeat, bisect, rate-curve."},
        {PHASE("{'kind': 'rest', 'id': 'r'}"), "p.json:3:1: The key 'time' is missing here."},
        {PHASE("{'kind': 'rest', 'id': 'r', 'time': '5'}"),
         "p.json:3:37: “5” is not a time; write it like 500ms, 5s, 2min or 1h."},
        {PHASE("{'kind': 'rest', 'id': 'r', 'time': '1s', 'streams': []}"),
         "p.json:3:43: A phase of kind 'rest' has no key 'streams'."},
        {PHASE("{'kind': 'rest', 'time': '1s'}"), "p.json:2:11: Every phase here needs an 'id'."},
        {PHASE("{'kind': 'purge', 'id': 'a'}, {'kind': 'trim', 'id': 'a'}"),
         "p.json:2:11: Two phases here are called 'a'."},
        {PHASE("{'kind': 'measure', 'id': 'm', " STREAM "}"),
         "p.json:3:1: The key 'stop' is missing here."},
        {PHASE("{'kind': 'measure', 'id': 'm', 'stop': {}, " STREAM "}"),
         "p.json:3:40: Nothing would end this step."},
        {PHASE("{'kind': 'measure', 'id': 'm', 'stop': {'steady': 'A'}, " STREAM "}"),
         "p.json:3:40: A steady state may never come: 'cap-time' is missing here."},
        {PHASE("{'kind': 'measure', 'id': 'm', 'stop': {'passes': -1}, " STREAM "}"),
         "p.json:3:51: This is out of range; 0 to 1000 is possible."},
        {PHASE("{'kind': 'rest', 'id': 'r', 'time': '1s', 'when': 'mix'}"),
         "p.json:3:51: 'mix' is not an option of this plan."},
        {PHASE("{'kind': 'rest', 'id': 'r', 'time': '1s', 'skip-if': 'below-size'}"),
         "p.json:3:43: 'skip-value' and 'below-size' go together."},
        {PHASE("{'kind': 'external', 'id': 'e'}"),
         "p.json:3:1: The key 'instruction' is missing here."},
        {PHASE("{'kind': 'group', 'id': 'g'}"), "p.json:3:1: The key 'phases' is missing here."},
        {PHASE("{'kind': 'sweep', 'id': 's', 'phases': [" MEASURE "]}"),
         "p.json:3:1: The key 'axes' is missing here."},
        {PHASE("{'kind': 'sweep', 'id': 's', 'axes': [{'vary': 'in-flight', 'values': [2, 3]}], "
               "'phases': [\n" MEASURE "]}"),
         "p.json:4:57: A depth of 3 cannot be shared evenly by 2 threads."},
        {PHASE("{'kind': 'sweep', 'id': 's', 'axes': [{'vary': 'in-flight', 'values': [2, 2]}], "
               "'phases': [\n" MEASURE "]}"),
         "p.json:3:75: This value stands here twice."},
        {PHASE("{'kind': 'sweep', 'id': 's', 'axes': [{'vary': 'in-flight', 'of': 'b', 'values': "
               "[2]}], 'phases': [\n" MEASURE "]}"),
         "p.json:3:1: Nothing below is varied by 'in-flight' of 'b'."},
        {PHASE("{'kind': 'sweep', 'id': 's', 'axes': [{'vary': 'rest', 'values': ['1s']}], "
               "'phases': [\n" MEASURE "]}"),
         "p.json:3:1: Nothing below is varied by 'rest'."},
        {PHASE("{'kind': 'repeat', 'id': 's', 'phases': [\n" MEASURE "]}"),
         "p.json:3:1: The key 'count' is missing here."},
        {PHASE("{'kind': 'repeat', 'id': 's', 'count': 5, 'max-count': 3, 'phases': [\n" MEASURE
               "]}"),
         "p.json:3:1: 'max-count' is smaller than 'count'."},
        {PHASE("{'kind': 'repeat', 'id': 's', 'count': 5, 'until-rse': '5%', 'phases': [\n" MEASURE
               "]}"),
         "p.json:3:1: 'until-rse' and 'until-steady' need 'max-count'."},
        {PHASE("{'kind': 'repeat', 'id': 's', 'count': 5, 'max-count': 9, 'phases': [\n" MEASURE
               "]}"),
         "p.json:3:43: 'max-count' needs 'until-rse' or 'until-steady'."},
        {PHASE("{'kind': 'rate-curve', 'id': 's', 'percents': ['10%'], 'phases': ["
               "{'kind': 'rest', 'time': '1s'}]}"),
         "p.json:3:66: A phase of kind 'rate-curve' has one child, a 'measure'."},
        {PHASE("{'kind': 'bisect', 'id': 's', 'vary': 'in-flight', 'times': ['1s', '1s', '1s'], "
               "'limits': [{'percentile': '99%', 'latency': '1ms'}], 'phases': [\n" MEASURE "]}"),
         "p.json:4:57: A search over the depth needs streams without 'threads'."},
        {PHASE("{'kind': 'bisect', 'id': 's', 'times': ['1s']}"),
         "p.json:3:40: 'times' must have 3 to 3 entries."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].text);
        assert_mistake(cases[i].text, NULL, cases[i].message);
    }
}

/* --- Limits of the whole ------------------------------------------------------------------- */

static void
test_nesting(void)
{
    g_autoptr(GString) text = g_string_new(PLAN "'phases': [");
    for (unsigned i = 0; i < FM_MAX_DEPTH; i++) {
        g_string_append(text, "\n{'kind': 'group', 'id': 'g', 'phases': [");
    }
    g_autofree char *start = g_strdup(text->str);
    g_string_append(text, "\n{'kind': 'purge', 'id': 'p'}");
    for (unsigned i = 0; i < FM_MAX_DEPTH + 1; i++) {
        g_string_append(text, "]}");
    }
    assert_mistake(text->str, NULL, "p.json:19:1: Phases are nested more than 16 deep.");
    g_assert_true(g_str_has_prefix(text->str, start));
}

static void
test_too_many_phases(void)
{
    g_autoptr(GString) text = g_string_new(PLAN "'phases': [");
    for (unsigned half = 0; half < 2; half++) {
        g_string_append_printf(text, "%s\n{'kind': 'group', 'id': 'g%u', 'phases': [",
                               half > 0 ? "," : "", half);
        for (unsigned i = 0; i < FM_MAX_PHASES / 2; i++) {
            g_string_append_printf(text, "%s\n{'kind': 'purge', 'id': 'p%u'}", i > 0 ? "," : "", i);
        }
        g_string_append(text, "]}");
    }
    g_string_append(text, "]}");
    assert_mistake(text->str, NULL, "p.json:10003:1: The plan has more than 10000 phases.");
}

static void
test_too_many_steps(void)
{
    assert_mistake(PHASE("{'kind': 'repeat', 'id': 's', 'count': 100000, 'discard': 1, "
                         "'phases': [\n" MEASURE "]}"),
                   NULL, "p.json:1:1: The plan has more than 100000 steps.");
    /* So many rests end no sooner, and each point of a curve is a step. */
    assert_mistake(PHASE("{'kind': 'repeat', 'id': 's', 'count': 100000, 'discard': 1, "
                         "'phases': [\n{'kind': 'rest', 'time': '1s'}]}"),
                   NULL, "p.json:1:1: The plan has more than 100000 steps.");
    assert_mistake(PHASE("{'kind': 'repeat', 'id': 's', 'count': 40000, 'phases': ["
                         "{'kind': 'rate-curve', 'percents': ['10%', '20%'], "
                         "'phases': [\n" MEASURE "]}]}"),
                   NULL, "p.json:1:1: The plan has more than 100000 steps.");
}

/* --- Includes --------------------------------------------------------------------------------- */

static void
test_include(void)
{
    g_autoptr(FmPlan) plan = read_good(
        PLAN "'options': [{'key': 'much', 'kind': 'size', 'default': '1MiB'}], 'phases': ["
             "{'kind': 'include', 'plan': 'small'},"
             "{'kind': 'include', 'plan': 'small', 'id': 'again', 'label': 'Again',"
             " 'workload': 'X-2', 'set': {'size': '$much'}}]}",
        NULL);
    const FmPhase *first = plan->root->children->pdata[0];
    const FmPhase *second = plan->root->children->pdata[1];
    const FmPhase *step = second->children->pdata[0];
    g_assert_cmpstr(first->id, ==, "small");
    g_assert_cmpstr(first->label, ==, "Small");
    g_assert_cmpstr(first->label_ko, ==, "작음");
    g_assert_cmpstr(first->workload, ==, "X-1");
    g_assert_cmpstr(second->id, ==, "again");
    g_assert_cmpstr(second->label, ==, "Again");
    g_assert_null(second->label_ko);
    g_assert_cmpstr(step->workload, ==, "X-2");
    g_assert_cmpuint(step->stop.bytes, ==, 1 << 20);
    g_assert_cmpuint(plan->needs, ==, FM_NEED_RAW_DEVICE);
}

static void
test_include_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {PHASE("{'kind': 'include'}"), "p.json:3:1: The key 'plan' is missing here."},
        {PHASE("{'kind': 'include', 'plan': 'small', 'phases': []}"),
         "p.json:3:38: A phase of kind 'include' has no key 'phases'."},
        {PHASE("{'kind': 'include', 'plan': 'none'}"),
         "p.json:3:29: The plan none was not found: There is none."},
        {PHASE("{'kind': 'include', 'plan': 'bad'}"),
         "bad.json:2:12: 'phases' must have 1 to 10000 entries."},
        {PHASE("{'kind': 'include', 'plan': 'loop'}"),
         "ring.json:2:31: The plan loop includes itself."},
        {PHASE("{'kind': 'include', 'plan': 'small', 'set': {'depth': '1'}}"),
         "p.json:3:45: The plan small has no option 'depth'; it has size."},
        {PHASE("{'kind': 'include', 'plan': 'small', 'set': {'size': '4GiB'}}"),
         "p.json:3:45: Setting size: size must be at most 2 GiB."},
        {PHASE("{'kind': 'include', 'plan': 'small', 'set': {'size': '$x'}}"),
         "p.json:3:54: This must be a text, or an option of this plan."},
        /* An axis of the includer must fit what is included, too. */
        {PHASE("{'kind': 'sweep', 'id': 's', 'axes': [{'vary': 'in-flight', 'values': [1]}], "
               "'phases': [{'kind': 'include', 'plan': 'small'}]}"),
         "small.json:6:15: A depth of 1 cannot be shared evenly by 2 threads."},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_mistake(cases[i].text, NULL, cases[i].message);
    }
}

/* --- What follows ------------------------------------------------------------------------------
 */

static void
test_needs(void)
{
    static const struct {
        const char *text;
        uint32_t needs;
        bool destructive;
    } cases[] = {
        {PHASE("{'kind': 'rest', 'id': 'r', 'time': '1s'}"), 0, false},
        {PHASE("{'kind': 'purge', 'id': 'r'}"), FM_NEED_PURGE, true},
        {PHASE("{'kind': 'trim', 'id': 'r'}"), FM_NEED_TRIM, true},
        {PHASE("{'kind': 'trim', 'id': 'r', 'skip-if': 'no-trim'}"), 0, true},
        {PHASE("{'kind': 'external', 'id': 'r', 'instruction': 'Do it.'}"), FM_NEED_EXTERNAL,
         false},
        {STEP("{" READ "'in-flight': 1}"), 0, false},
        {STEP("{'read': '99%', 'write': 'rest', 'pattern': 'random', 'block': '4KiB', "
              "'in-flight': 1}"),
         0, true},
        {STEP("{'trim': '100%', 'pattern': 'random', 'block': '4KiB', 'in-flight': 1}"),
         FM_NEED_TRIM, true},
        {STEP("{" READ "'in-flight': 1, 'pacing': {'bytes-per-second': '5MB'}}"), FM_NEED_PACING,
         false},
        {PHASE("{'kind': 'rate-curve', 'id': 's', 'percents': ['10%'], 'phases': [" MEASURE "]}"),
         FM_NEED_PACING, false},
        {PLAN "'file-size': '75%', " REST, FM_NEED_FILL_LEVEL, false},
        {PLAN "'needs': ['device', 'trace'], " REST, FM_NEED_RAW_DEVICE | FM_NEED_TRACE, false},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmPlan) plan = read_good(cases[i].text, NULL);
        g_assert_cmpuint(plan->needs, ==, cases[i].needs);
        g_assert_true(plan->destructive_on_raw == cases[i].destructive);
    }
}

static void
test_stream_values(void)
{
    g_autoptr(FmPlan) plan = read_good(
        STEP("{'id': 'w', 'read': '12.5%', 'flush': '0.5%', 'write': 'rest', 'pattern': 'mixed', "
             "'random': '80%', 'blocks': {'64KiB': 1, '4KiB': 3}, 'per-thread': 32, 'threads': "
             "16, 'offset': '25%', 'region': '8GB', 'sync': true, 'flush-every': 7, 'data': "
             "'compressible', 'compressible': '40%', 'pacing': {'ios-per-second': 0.5, 'arrival': "
             "'uniform', 'gap-every': 2, 'gap': '3ms'}}"),
        NULL);
    const FmPhase *step = plan->root->children->pdata[0];
    const FmStream *stream = &step->streams[0];
    g_assert_cmpuint(stream->op_share[FM_OP_READ], ==, 1250);
    g_assert_cmpuint(stream->op_share[FM_OP_WRITE], ==, 8700);
    g_assert_cmpuint(stream->op_share[FM_OP_FLUSH], ==, 50);
    g_assert_cmpuint(stream->random_share, ==, 8000);
    g_assert_cmpuint(stream->blocks[0].size, ==, 4096);
    g_assert_cmpuint(stream->blocks[0].weight, ==, 3);
    g_assert_cmpuint(stream->in_flight, ==, 512);
    g_assert_cmpuint(stream->threads, ==, 16);
    g_assert_true(stream->region_offset.relative && !stream->region_size.relative);
    g_assert_cmpuint(stream->region_size.value, ==, 8000000000);
    g_assert_true(stream->sync);
    g_assert_cmpuint(stream->flush_every, ==, 7);
    g_assert_cmpuint(stream->compressible_share, ==, 4000);
    g_assert_cmpfloat(stream->pacing.ios_per_second, ==, 0.5);
    g_assert_cmpint(stream->pacing.arrival, ==, FM_ARRIVAL_UNIFORM);
    g_assert_cmpint(stream->pacing.gap_ns, ==, 3000000);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/plan-reader/plan-mistakes-have-a-place", test_plan_mistakes);
    g_test_add_func("/model/plan-reader/option-mistakes-have-a-place", test_option_mistakes);
    g_test_add_func("/model/plan-reader/settings-replace-defaults", test_settings);
    g_test_add_func("/model/plan-reader/defaults-hold-without-settings", test_defaults);
    g_test_add_func("/model/plan-reader/setting-mistakes-are-sentences", test_setting_mistakes);
    g_test_add_func("/model/plan-reader/stream-mistakes-have-a-place", test_stream_mistakes);
    g_test_add_func("/model/plan-reader/stream-values-are-read-as-written", test_stream_values);
    g_test_add_func("/model/plan-reader/phase-mistakes-have-a-place", test_phase_mistakes);
    g_test_add_func("/model/plan-reader/nesting-ends-at-16", test_nesting);
    g_test_add_func("/model/plan-reader/phases-end-at-10000", test_too_many_phases);
    g_test_add_func("/model/plan-reader/steps-end-at-100000", test_too_many_steps);
    g_test_add_func("/model/plan-reader/include-becomes-a-group", test_include);
    g_test_add_func("/model/plan-reader/include-mistakes-have-a-place", test_include_mistakes);
    g_test_add_func("/model/plan-reader/needs-follow-from-phases", test_needs);
    return g_test_run();
}
