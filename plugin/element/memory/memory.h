/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstMemory for frames that are copied to and from a device; pinned if that
 * makes the copies faster. Other elements see ordinary system memory.
 */

#pragma once

#include <gst/gst.h>

#include "opencl/device/device.h"

/* All memory is aligned to pages of 4096 bytes. */
#define GST_AMPHISTO_PAGE_MASK 4095

/* Allocates host memory for one device, which it references. Memory keeps its
 * allocator alive, and stays valid after the device is lost. Any thread may use
 * the allocator. */
#define GST_TYPE_AMPHISTO_ALLOCATOR (gst_amphisto_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstAmphistoAllocator, gst_amphisto_allocator, GST,
    AMPHISTO_ALLOCATOR, GstAllocator)

/* Returns: (transfer full): an allocator for the device. */
GstAllocator *gst_amphisto_allocator_new (AmphistoClDevice *device);

/* Whether pinning failed since the last call, on a device that pins memory. */
gboolean gst_amphisto_allocator_was_refused (GstAmphistoAllocator *self);

/* Whether all memory of the buffer, of any allocator, is pinned for `device`;
 * see also pins.h. Shared memory of this allocator is pinned if its parent is.
 */
gboolean gst_amphisto_buffer_is_pinned (
    GstBuffer *buffer, const AmphistoClDevice *device);
