/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL's cache of compiled kernels. If PoCL can't write to it, PoCL has no
 * device or builds no kernels, and does not say why.
 */

#pragma once

#include <glib.h>

/* Returns: (transfer full): the folder that PoCL (3.1 to 6) chooses. */
char *amphisto_cl_cache_folder (void);

/* Looks for a reason why the process can't write to the folder or its
 * subfolders, which may belong to another user.
 *
 * Returns: (transfer full): a sentence without a full stop, or NULL. */
char *amphisto_cl_cache_problem (const char *folder);
