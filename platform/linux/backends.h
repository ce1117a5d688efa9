/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every backend of the Linux build, each from a backend-*.c of its own.  Internal to
 * platform/linux: others ask plat_backends().
 */
#pragma once

#include "platform/backend.h"

G_BEGIN_DECLS

extern const FmBackend plat_backend_aio;
extern const FmBackend plat_backend_sync;
extern const FmBackend plat_backend_uring;
extern const FmBackend plat_backend_uring_polled;
extern const FmBackend plat_backend_uring_sqpoll;

G_END_DECLS
