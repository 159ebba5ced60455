/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The drivers that the OpenCL loader is told to load.
 */

#pragma once

#include <glib.h>

/* Tries to load all drivers that the loader (ocl-icd) would load: it says
 * nothing about drivers that can't be loaded.
 *
 * Returns: (transfer full): one line that names the file of each driver that
 * can't be loaded, and says why; or NULL if there is none. */
char *amphisto_cl_vendors_problem (void);
