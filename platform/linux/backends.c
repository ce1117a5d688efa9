/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backends of the Linux build, best first: the order in which a target tries
 * them.  Constant data.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/backends.h"

const FmBackend *const *
plat_backends(void)
{
    static const FmBackend *const backends[] = {
        &plat_backend_uring_polled, &plat_backend_uring, &plat_backend_uring_sqpoll,
        &plat_backend_aio,          &plat_backend_sync,  NULL,
    };

    return backends;
}
