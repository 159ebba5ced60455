/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The search for a device: lists the devices, and opens the chosen one. If none
 * was chosen and a device fails, the next one is taken.
 */

#pragma once

#include "opencl/device/device.h"

typedef struct _AmphistoClSearch AmphistoClSearch;

/* Lists the devices. Platforms and devices that fail then are skipped, which
 * the log says; the others keep their numbers. `choice` is one of:
 *
 * - NULL or "": the choice in AMPHISTO_DEVICE in the environment; if that is
 *   unset too, all GPUs, then the accelerators, then the CPUs
 * - "gpu", "accelerator", "cpu": the first of that type
 * - "P.D": device D of platform P, as numbered by `clinfo -l`
 * - other text: the first device with this text in its name or its platform's,
 *   in upper or lower case
 *
 * Returns: (transfer full): the search, or NULL with CALL. */
AmphistoClSearch *amphisto_cl_search_new (const char *choice, GError **error);
void amphisto_cl_search_free (AmphistoClSearch *self);

/* Opens the next device that the choice allows.
 *
 * Returns: (transfer full): the device, to be closed, or NULL if all have
 * failed: with NOT_FOUND if there is none, otherwise with the code of a
 * failure. The message's first line lists the devices and why each failed;
 * build logs follow. */
AmphistoClDevice *amphisto_cl_search_next (
    AmphistoClSearch *self, GError **error);

/* Reports that the device opened last failed, and why. */
void amphisto_cl_search_reject (AmphistoClSearch *self, const GError *why);
