/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error fold: a failure keeps its meaning and never looks like success.
 */
#include "base/error.h"

#include <errno.h>

static void
test_fold(void)
{
    static const struct {
        int os_code;
        FmErrorCode code;
    } cases[] = {
        {EACCES, FM_ERROR_DENIED},          {EBUSY, FM_ERROR_BUSY},     {ENODEV, FM_ERROR_GONE},
        {EOPNOTSUPP, FM_ERROR_UNSUPPORTED}, {EIO, FM_ERROR_IO},         {ENOSPC, FM_ERROR_NO_SPACE},
        {EDQUOT, FM_ERROR_NO_SPACE},        {EFBIG, FM_ERROR_NO_SPACE}, {EINVAL, FM_ERROR_INVALID},
        {ECANCELED, FM_ERROR_CANCELLED},    {12345, FM_ERROR_IO},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(fm_error_from_errno(cases[i].os_code), ==, cases[i].code);
    }
}

static void
test_message_names_object_and_reason(void)
{
    g_autoptr(GError) error = NULL;

    fm_error_set_errno(&error, ENOENT, "The folder “%s” can't be opened", "/nowhere");
    g_assert_error(error, FM_ERROR, FM_ERROR_GONE);
    g_assert_cmpstr(error->message, ==,
                    "The folder “/nowhere” can't be opened: No such file or directory");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/error/fold-keeps-the-meaning", test_fold);
    g_test_add_func("/base/error/message-names-object-and-reason",
                    test_message_names_object_and_reason);
    return g_test_run();
}
