/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL's cache of compiled kernels, without which it has no device or builds
 * nothing. It does not say so itself.
 */

#ifndef AMPHISTO_OPENCL_CACHE_H
#define AMPHISTO_OPENCL_CACHE_H

#include <glib.h>

/* Returns: (transfer full): the folder that PoCL (3.1 to 6) chooses. */
char *amphisto_cl_cache_folder (void);

/* Looks for a reason why the process can't write to the folder, or to those in
 * it: they belong to another user, for instance.
 *
 * Returns: (transfer full): a sentence without a full stop, or NULL. */
char *amphisto_cl_cache_problem (const char *folder);

#endif
