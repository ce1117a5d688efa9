/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hash follows what changes I/O and nothing else; the canonical text is the plan
 * itself.  Texts use ' for " to stay readable.
 */
#include "model/plan-reader.h"

#include <string.h>

/* Everything that may stand in a plan, once. */
static const char base[] =
    "{'fathom-plan': 1, 'id': 'p', 'name': {'en': 'Name', 'ko': '이름'}, 'summary': 'Summary.',"
    " 'workload': 'X-1', 'edition': '2025-11', 'needs': ['trace'], 'seed': '1',"
    " 'file-size': '1GiB', 'file-data': 'random', 'between': '5s',"
    " 'options': [{'key': 'depth', 'kind': 'count', 'default': '8'}], 'phases': ["
    "{'kind': 'sweep', 'id': 's', 'label': 'Label', 'between': '1s', 'axes': ["
    " {'vary': 'read', 'of': 'a', 'values': ['0%', '70%']}], 'phases': ["
    " {'kind': 'repeat', 'count': 3, 'max-count': 5, 'until-rse': '5%', 'discard': 1, 'phases': ["
    "  {'kind': 'measure', 'ramp': '2s', 'stop': {'time': '10s', 'bytes': '1GiB'}, 'streams': ["
    "   {'id': 'a', 'read': '100%', 'pattern': 'mixed', 'random': '80%', 'in-flight': '$depth',"
    "    'threads': 1, 'blocks': {'4KiB': 60, '64KiB': 40}, 'offset': '10%', 'region': '50%',"
    "    'sync': false, 'flush-every': 9, 'data': 'random',"
    "    'pacing': {'bytes-per-second': '15MiB', 'arrival': 'fixed'}},"
    "   {'id': 'b', 'trim': '100%', 'pattern': 'random', 'block': '128KiB', 'in-flight': 1}]}]}]},"
    "{'kind': 'bisect', 'id': 't', 'vary': 'in-flight', 'of': 'c', 'start': 4, 'limit': 64,"
    " 'times': ['30s', '60s', '120s'], 'confirmations': 3,"
    " 'limits': [{'percentile': '99.9%', 'latency': '50ms'}], 'phases': ["
    " {'kind': 'measure', 'stop': {'time': '30s'}, 'streams': ["
    "  {'id': 'c', 'read': '100%', 'pattern': 'sequential', 'block': '32KiB', 'in-flight': 4}]}]},"
    "{'kind': 'rate-curve', 'id': 'u', 'percents': ['10%', '100%'], 'phases': ["
    " {'kind': 'measure', 'stop': {'time': '31s'}, 'streams': ["
    "  {'read': '100%', 'pattern': 'strided', 'stride': '1MiB', 'block': '64KiB',"
    "   'in-flight': 4}]}]},"
    "{'kind': 'precondition', 'id': 'v', 'stop': {'steady': 'A', 'after-passes': 2,"
    "  'cap-passes': 23, 'cap-time': '48h'}, 'streams': ["
    "  {'write': '100%', 'pattern': 'permutation', 'block': '16KiB', 'in-flight': 4}]},"
    "{'kind': 'rest', 'id': 'w', 'time': '15min', 'skip-if': 'below-size', 'skip-value': '8GiB'},"
    "{'kind': 'trim', 'id': 'x', 'offset': '75%', 'region': '25%'},"
    "{'kind': 'external', 'id': 'y', 'instruction': 'Do it.'}]}";

/* @base with the one place of @from changed to @to. */
static FmPlan *
read_changed(const char *from, const char *to)
{
    const char *place = strstr(base, from);
    g_assert_nonnull(place);
    g_autoptr(GString) text = g_string_new_len(base, place - base);
    g_string_append(text, to);
    g_string_append(text, place + strlen(from));
    g_strdelimit(text->str, "'", '"');
    g_autoptr(GError) error = NULL;
    FmPlan *plan = fm_plan_read_canonical(text->str, &error);
    g_assert_no_error(error);
    return plan;
}

static void
test_kept(void)
{
    static const struct {
        const char *from;
        const char *to;
    } cases[] = {
        {"'id': 'p'", "'id': 'q'"},
        {"'en': 'Name'", "'en': 'Other'"},
        {"이름", "다른 이름"},
        {"'name': {'en': 'Name', 'ko': '이름'}", "'name': 'Name'"},
        {"Summary.", "Other."},
        {"X-1", "X-2"},
        {"2025-11", "2025-06"},
        {"['trace']", "['device', 'purge']"},
        {"'Label'", "{'en': 'Other', 'ko': '다른'}"},
        {"'Do it.'", "'Do that.'"},
        {"'key': 'depth'", "'label': 'Depth', 'key': 'depth'"},
        /* The same value in another spelling is the same I/O. */
        {"'5s'", "'5000ms'"},
        {"'1GiB'", "'1024MiB'"},
        {"'50%'", "'50.0%'"},
        {"{'4KiB': 60, '64KiB': 40}", "{'64KiB': 40, '4096B': 60}"},
        {"'sync': false, ", ""},
        {"'file-data': 'random', ", ""},
        {"'after-passes': 2,", "'after-passes': 2.0,"},
        {"'$depth'", "8"},
    };
    g_autoptr(FmPlan) plan = read_changed("", "");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmPlan) changed = read_changed(cases[i].from, cases[i].to);
        g_assert_cmpstr(changed->hash, ==, plan->hash);
    }
}

static void
test_changed(void)
{
    static const struct {
        const char *from;
        const char *to;
    } cases[] = {
        {"'seed': '1'", "'seed': '2'"},
        {"'file-size': '1GiB'", "'file-size': '2GiB'"},
        {"'file-data': 'random'", "'file-data': 'zero'"},
        {"'between': '5s'", "'between': '6s'"},
        {"'default': '8'", "'default': '16'"},
        {"'kind': 'sweep', 'id': 's'", "'kind': 'sweep', 'id': 'z'"},
        {"'between': '1s'", "'between': '2s'"},
        {"'70%'", "'71%'"},
        {"'count': 3", "'count': 4"},
        {"'max-count': 5", "'max-count': 6"},
        {"'until-rse': '5%'", "'until-rse': '4%'"},
        {"'discard': 1", "'discard': 0"},
        {"'ramp': '2s'", "'ramp': '3s'"},
        {"'ramp': '2s'", "'log-ios': true, 'ramp': '2s'"},
        {"'time': '10s'", "'time': '11s'"},
        {"'bytes': '1GiB'", "'bytes': '2GiB'"},
        {"'read': '100%', 'pattern': 'mixed'",
         "'read': '90%', 'write': 'rest', 'pattern': 'mixed'"},
        {"'random': '80%'", "'random': '81%'"},
        {"'threads': 1", "'threads': 2"},
        {"'4KiB': 60", "'4KiB': 61"},
        {"'64KiB': 40", "'32KiB': 40"},
        {"'offset': '10%'", "'offset': '11%'"},
        {"'region': '50%'", "'region': '51%'"},
        {"'sync': false", "'sync': true"},
        {"'sync': false", "'buffered': true"},
        {"'flush-every': 9", "'flush-every': 8"},
        {"'data': 'random',", "'data': 'zero',"},
        {"'data': 'random',", "'data': 'compressible', 'compressible': '0%',"},
        {"'15MiB'", "'16MiB'"},
        {"'arrival': 'fixed'", "'arrival': 'uniform'"},
        {"'arrival': 'fixed'", "'gap-every': 5, 'gap': '1ms'"},
        {"'arrival': 'fixed'", "'least-bytes-per-second': '5MB'"},
        {"'trim': '100%'", "'trim': '50%', 'write': 'rest'"},
        {"'start': 4", "'start': 5"},
        {"'limit': 64", "'limit': 65"},
        {"'60s'", "'61s'"},
        {"'confirmations': 3", "'confirmations': 2"},
        {"'99.9%'", "'99.99%'"},
        {"'50ms'", "'51ms'"},
        {"['10%', '100%']", "['10%', '110%']"},
        {"'stride': '1MiB'", "'stride': '2MiB'"},
        {"'steady': 'A'", "'steady': 'B'"},
        {"'after-passes': 2", "'after-passes': 3"},
        {"'cap-passes': 23", "'cap-passes': 22"},
        {"'48h'", "'47h'"},
        {"'15min'", "'16min'"},
        {"'8GiB'", "'9GiB'"},
        {"'below-size', 'skip-value': '8GiB'", "'file-target'"},
        {"'offset': '75%', 'region': '25%'", "'offset': '80%', 'region': '20%'"},
        {"'kind': 'precondition'", "'kind': 'measure'"},
    };
    g_autoptr(FmPlan) plan = read_changed("", "");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s -> %s", cases[i].from, cases[i].to);
        g_autoptr(FmPlan) changed = read_changed(cases[i].from, cases[i].to);
        g_assert_cmpstr(changed->hash, !=, plan->hash);
    }
}

static void
test_canonical(void)
{
    g_autoptr(FmPlan) plan = read_changed("", "");
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) again = fm_plan_read_canonical(plan->canonical, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(again->canonical, ==, plan->canonical);
    g_assert_cmpstr(again->hash, ==, plan->hash);
    g_assert_cmpuint(again->needs, ==, plan->needs);
    g_assert_cmpuint(again->n_options, ==, 0);
    g_assert_cmpstr(again->name_ko, ==, "이름");
    const FmPhase *sweep = again->root->children->pdata[0];
    const FmPhase *repeat = sweep->children->pdata[0];
    const FmPhase *step = repeat->children->pdata[0];
    g_assert_cmpstr(step->label, ==, "Label");
    g_assert_cmpstr(step->workload, ==, "X-1");
    g_assert_cmpuint(step->streams[0].in_flight, ==, 8);
}

/* The hash is stored in runs: it may not change under them. */
static void
test_stable(void)
{
    static const char text[] =
        "{\"fathom-plan\":1,\"id\":\"a\",\"name\":\"A\",\"phases\":[{\"kind\":"
        "\"rest\",\"id\":\"r\",\"time\":\"1s\"}]}";
    static const char identity[] = "{\"fathom-plan\":1,\"phases\":[{\"id\":\"r\",\"kind\":\"rest\","
                                   "\"time\":\"1s\"}],\"seed\":\"1\"}";
    g_autoptr(FmPlan) plan = fm_plan_read_canonical(text, NULL);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, identity, -1);
    g_assert_cmpstr(plan->hash, ==, hash);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/plan-hash/texts-for-people-keep-it", test_kept);
    g_test_add_func("/model/plan-hash/what-changes-io-changes-it", test_changed);
    g_test_add_func("/model/plan-hash/canonical-text-is-the-plan", test_canonical);
    g_test_add_func("/model/plan-hash/form-is-stable", test_stable);
    return g_test_run();
}
