/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pins memory that others have allocated, where it lies, for a device with
 * memory of its own. A buffer is made of the memory, and no command ever uses
 * it: drivers pin the memory of such a buffer, and then copy from and to these
 * addresses as fast as from and to memory of their own (host.h). The device
 * can't write to the buffer, so the driver never writes to the memory.
 */

#pragma once

#include "opencl/device/device.h"

typedef struct _AmphistoClPin AmphistoClPin;

/* Pins `size` bytes from `data` on, a millisecond per 8 MiB. They count towards
 * AMPHISTO_CL_MAX_PINNED. The memory must stay valid until the pin is freed.
 * The pin holds no reference to the device, and is given up with it. Any thread
 * may make and free pins.
 *
 * Returns: (transfer full): the pin, or NULL if the driver refuses the memory
 * or the limit would be exceeded. */
AmphistoClPin *amphisto_cl_pin_new (
    AmphistoClDevice *device, gpointer data, gsize size);

/* Whether the memory is still pinned, for `device`. */
gboolean amphisto_cl_pin_is_for (
    const AmphistoClPin *pin, const AmphistoClDevice *device);

/* No command that uses the memory may be in flight. */
void amphisto_cl_pin_free (AmphistoClPin *pin);

/* For device.c: gives up all pins of the device. */
void amphisto_cl_pins_clear_device (AmphistoClDevice *device);
