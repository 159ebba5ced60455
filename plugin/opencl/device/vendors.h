/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The drivers that the OpenCL loader is told to load.
 */

#pragma once

#include <glib.h>

/* Called for a driver. file: the file that names the library, or the library.
 * library: NULL if it is not known; `why` then says why. */
typedef void (*AmphistoClVendorFunc) (
    const char *file, const char *library, const char *why, gpointer user_data);

/* Calls `func` for each driver that the loader (ocl-icd) would load. */
void amphisto_cl_vendors_foreach (
    AmphistoClVendorFunc func, gpointer user_data);

/* Tries to load all drivers that the loader (ocl-icd) would load: it says
 * nothing about drivers that can't be loaded.
 *
 * Returns: (transfer full): one line that names the file of each driver that
 * can't be loaded, and says why; or NULL if there is none. */
char *amphisto_cl_vendors_problem (void);
