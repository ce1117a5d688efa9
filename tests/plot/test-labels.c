/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random labels keep what is promised of them: no overlap, in range, in order, moved no more than
 * needed.
 */
#include "plot/labels.h"

#include <math.h>

enum { MAX_LABELS = 12 };

static const double precision = 1e-9;

static void
assert_places(const FmLineLabel *labels, const double *wanted, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        g_assert_cmpfloat_with_epsilon(labels[i].placed, wanted[i], precision);
        g_assert_true(labels[i].needs_leader == (fabs(labels[i].placed - labels[i].wanted) > 6));
    }
}

static void
test_stays(void)
{
    FmLineLabel labels[] = {{90, 10}, {10, 10}, {50, 10}};

    g_assert_true(fm_labels_place(labels, 3, 0, 100));
    assert_places(labels, (const double[]){90, 10, 50}, 3);
}

static void
test_pushes(void)
{
    FmLineLabel labels[] = {{50, 10}, {50, 10}, {50, 10}};

    g_assert_true(fm_labels_place(labels, 3, 0, 100));
    assert_places(labels, (const double[]){40, 50, 60}, 3);
    g_assert_true(labels[0].needs_leader && !labels[1].needs_leader && labels[2].needs_leader);
}

static void
test_stays_inside(void)
{
    FmLineLabel labels[] = {{-20, 10}, {0, 20}, {105, 10}};

    g_assert_true(fm_labels_place(labels, 3, 0, 100));
    assert_places(labels, (const double[]){5, 20, 95}, 3);
}

static void
test_says_no(void)
{
    FmLineLabel labels[] = {{10, 10, .placed = 7}, {50, 10}, {90, 10}};

    g_assert_false(fm_labels_place(labels, 3, 0, 29.5));
    g_assert_cmpfloat(labels[0].placed, ==, 7);
    g_assert_true(fm_labels_place(labels, 3, 0, 30));
    g_assert_false(fm_labels_place(labels, 3, 30, 0));
    g_assert_true(fm_labels_place(NULL, 0, 0, 30));
}

static double
sum_moves(const FmLineLabel *labels, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += pow(labels[i].placed - labels[i].wanted, 2);
    }
    return sum;
}

static void
assert_promises(const FmLineLabel *labels, unsigned n, double top, double bottom)
{
    for (unsigned i = 0; i < n; i++) {
        const FmLineLabel *a = &labels[i];
        g_assert_cmpfloat(a->placed - a->height / 2, >=, top - precision);
        g_assert_cmpfloat(a->placed + a->height / 2, <=, bottom + precision);
        for (unsigned k = i + 1; k < n; k++) {
            const FmLineLabel *b = &labels[k];
            /* Of equal wishes the one given first is above. */
            double apart = a->wanted <= b->wanted ? b->placed - a->placed : a->placed - b->placed;
            g_assert_cmpfloat(apart, >=, (a->height + b->height) / 2 - precision);
        }
    }
}

/* Nudging any run of neighbours by a little, where there is room, must not bring them nearer to
 * where they want to be. */
static void
assert_nearest(FmLineLabel *labels, unsigned n, double top, double bottom)
{
    static const double nudges[] = {-0.01, 0.01};
    double sum = sum_moves(labels, n);

    for (unsigned mask = 1; mask < 1u << n; mask++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(nudges); k++) {
            FmLineLabel nudged[MAX_LABELS];
            bool is_allowed = true;
            for (unsigned i = 0; i < n; i++) {
                nudged[i] = labels[i];
                nudged[i].placed += mask & 1u << i ? nudges[k] : 0;
                is_allowed = is_allowed && nudged[i].placed - nudged[i].height / 2 >= top &&
                             nudged[i].placed + nudged[i].height / 2 <= bottom;
            }
            for (unsigned i = 0; is_allowed && i + 1 < n; i++) {
                is_allowed = nudged[i + 1].placed - nudged[i].placed >=
                             (nudged[i].height + nudged[i + 1].height) / 2;
            }
            g_assert_true(!is_allowed || sum_moves(nudged, n) >= sum - precision);
        }
    }
}

static void
test_random(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    unsigned n_placed = 0;

    for (unsigned round = 0; round < 5000; round++) {
        FmLineLabel labels[MAX_LABELS];
        unsigned n = (unsigned)g_rand_int_range(random, 1, MAX_LABELS + 1);
        double spread = g_rand_double_range(random, 1, 250);
        double total = 0;
        for (unsigned i = 0; i < n; i++) {
            double wanted = floor(g_rand_double_range(random, 100 - spread, 100 + spread));
            labels[i] = (FmLineLabel){wanted, g_rand_double_range(random, 1, 25)};
            total += labels[i].height;
        }
        double top = g_rand_double_range(random, -20, 50);
        double bottom = top + g_rand_double_range(random, 20, 220);
        bool is_placed = fm_labels_place(labels, n, top, bottom);
        g_assert_true(is_placed == (total <= bottom - top));
        if (is_placed) {
            n_placed++;
            assert_promises(labels, n, top, bottom);
        }
    }
    g_assert_cmpuint(n_placed, >, 1000);
}

static void
test_nearest(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(2);

    for (unsigned round = 0; round < 500; round++) {
        enum { N = 7 };
        FmLineLabel labels[N];
        double wanted = 0;
        for (unsigned i = 0; i < N; i++) {
            wanted += g_rand_double_range(random, 0, 20);
            labels[i] = (FmLineLabel){wanted, g_rand_double_range(random, 5, 15)};
        }
        if (fm_labels_place(labels, N, 10, 110)) {
            assert_nearest(labels, N, 10, 110);
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/labels/what-fits-stays-where-it-is", test_stays);
    g_test_add_func("/plot/labels/equal-ones-are-pushed-apart", test_pushes);
    g_test_add_func("/plot/labels/stay-in-range", test_stays_inside);
    g_test_add_func("/plot/labels/says-when-they-do-not-fit", test_says_no);
    g_test_add_func("/plot/labels/random-ones-keep-order-and-distance", test_random);
    g_test_add_func("/plot/labels/no-other-place-is-nearer", test_nearest);
    return g_test_run();
}
