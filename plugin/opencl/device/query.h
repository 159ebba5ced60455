/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a device and its driver can do, for device.c.
 */

#pragma once

#include "opencl/device/device.h"

/* Stores the limits and quirks of the device, whose id and name are set. Call
 * with amphisto_cl_drivers_lock held.
 *
 * Returns: FALSE with NOT_FOUND, if the device can't be used, or CALL. */
gboolean amphisto_cl_query (
    AmphistoClDevice *device, const AmphistoClDeviceId *which, GError **error);

/* Logs what decides how fast the device can be. */
void amphisto_cl_query_log (const AmphistoClDevice *device);
