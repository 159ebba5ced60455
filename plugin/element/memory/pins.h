/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pins system memory of other elements when it comes again. Pools recycle a few
 * memories, so a stream soon has all of its frames in pinned memory. Memory
 * that comes once is not pinned, since that takes longer than it saves.
 */

#pragma once

#include <gst/gst.h>

#include "opencl/device/device.h"

/* Notes that the buffer's memory has come, and pins memory that came before,
 * for all contexts of `device`, until the memory is freed or the device has no
 * user any more. Does nothing for memory that is read-only, small, not ordinary
 * system memory, pinned for another device, or refused by the driver before.
 * Other elements may note the same memory. */
void gst_amphisto_pins_note (GstBuffer *buffer, AmphistoClDevice *device);

/* Whether gst_amphisto_pins_note() has pinned `memory` for `device`. */
gboolean gst_amphisto_pins_have (
    GstMemory *memory, const AmphistoClDevice *device);
