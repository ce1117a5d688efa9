/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any text is a plan or an error with a place, and a plan's canonical text is the same
 * plan.  An include is answered with the text itself, or with a small plan.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "model/plan-cost.h"
#include "model/plan-reader.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char small_plan[] =
    "{\"fathom-plan\":1,\"id\":\"small\",\"name\":\"Small\",\"options\":[{\"key\":\"size\","
    "\"kind\":\"size\",\"default\":\"1GiB\"}],\"file-size\":\"$size\",\"phases\":[{\"kind\":"
    "\"rest\",\"id\":\"rest\",\"time\":\"1s\"}]}";

typedef struct {
    const char *text;
    size_t size;
} Input;

static char *
look_up_cb(const char *id, gpointer user_data, GError **error)
{
    const Input *input = user_data;
    if (strcmp(id, "small") == 0) {
        return g_strdup(small_plan);
    }
    if (strcmp(id, "self") == 0) {
        return g_strndup(input->text, input->size);
    }
    g_set_error(error, FM_ERROR, FM_ERROR_INVALID, "There is none.");
    return NULL;
}

static void
check_again(const FmPlan *plan)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) again = fm_plan_read_canonical(plan->canonical, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(again->canonical, ==, plan->canonical);
    g_assert_cmpstr(again->hash, ==, plan->hash);
    g_assert_cmpuint(again->needs, ==, plan->needs);
    g_autoptr(FmPhase) copy = fm_phase_copy(plan->root);
    g_assert_cmpuint(copy->children->len, ==, plan->root->children->len);
}

/* What any plan that was read may be asked: it ends, and its steps lie within its time. */
static void
check_cost(const FmPlan *plan)
{
    FmCostBasis basis = {.target_size = UINT64_C(1) << 40, .is_file = true, .is_filled = true};
    FmPlanCost cost = fm_plan_cost(plan, &basis);
    g_autoptr(GArray) steps = fm_plan_cost_list(plan, &basis);

    /* Sums in another order round in another way. */
    double latest = (double)cost.time_ns * (1 + 1e-9) + 1000;
    g_assert_cmpuint(steps->len, <=, FM_MAX_STEPS);
    g_assert_cmpint(cost.time_ns, >=, 0);
    for (guint i = 0; i < steps->len; i++) {
        const FmStepCost *step = &g_array_index(steps, FmStepCost, i);
        g_assert_cmpfloat((double)step->begin_ns, <=, latest);
        g_assert_cmpfloat((double)step->time_ns, <=, latest);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const settings[] = {"size=64M", NULL};
    Input input = {(const char *)data, size};
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        FmPlanSource source = {
            .text = (const char *)data,
            .length = (gssize)size,
            .origin = "fuzz.json",
            .lookup = look_up_cb,
            .user_data = &input,
        };
        g_autoptr(FmPlan) plan = fm_plan_read(&source, i > 0 ? settings : NULL, &error);
        g_assert((plan == NULL) == (error != NULL));
        if (error != NULL) {
            g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
            g_assert_true(g_utf8_validate(error->message, -1, NULL));
        } else {
            check_again(plan);
            check_cost(plan);
        }
    }
    return 0;
}
