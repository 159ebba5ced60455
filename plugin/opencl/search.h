/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The search for a device: lists those that there are, and opens the one that
 * was chosen. Where none was chosen, the next is taken if one fails.
 */

#ifndef AMPHISTO_OPENCL_SEARCH_H
#define AMPHISTO_OPENCL_SEARCH_H

#include "opencl/device.h"

typedef struct _AmphistoClSearch AmphistoClSearch;

/* A platform or device is passed over; `text` names it and says why. */
typedef void (*AmphistoClPassOverFunc) (const char *text, gpointer user_data);

/* Lists the devices. Platforms and devices that fail then are passed over; the
 * others keep their numbers. `choice` is what to look for:
 *
 * - NULL or "": what AMPHISTO_DEVICE in the environment says; if that is unset
 *   too, the GPUs one after another, then the accelerators, then the CPUs
 * - "gpu", "accelerator", "cpu": the first of that type
 * - "P.D": device D of platform P, as numbered by `clinfo -l`
 * - else the first one with `choice` in its name or its platform's, in any case
 *
 * `on_pass_over`, or NULL, is called with `user_data` here and in the functions
 * below.
 *
 * Returns: (transfer full): the search, or NULL with CALL. */
AmphistoClSearch *amphisto_cl_search_new (const char *choice,
    AmphistoClPassOverFunc on_pass_over, gpointer user_data, GError **error);
void amphisto_cl_search_free (AmphistoClSearch *self);

/* Opens the next device that the choice allows, or refs it if it is open.
 *
 * Returns: (transfer full): the device, or NULL, when all have failed: with
 * NOT_FOUND if there is none, else with the code of a failure. The message's
 * first line lists the devices and why each failed; build logs follow. */
AmphistoClDevice *amphisto_cl_search_next (
    AmphistoClSearch *self, GError **error);

/* Says that the device opened last failed, and why. */
void amphisto_cl_search_reject (AmphistoClSearch *self, const GError *why);

/* Opens the first device that `choice` allows.
 *
 * Returns: (transfer full): the device, or NULL as above. */
AmphistoClDevice *amphisto_cl_device_get (const char *choice, GError **error);

#endif
