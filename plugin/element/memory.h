/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GstMemory of host memory for copies to a device: pinned where that makes them
 * faster. To everybody else it is ordinary system memory.
 */

#ifndef AMPHISTO_ELEMENT_MEMORY_H
#define AMPHISTO_ELEMENT_MEMORY_H

#include <gst/gst.h>

#include "opencl/device.h"

G_BEGIN_DECLS

/* All memory begins at a page, 4096 bytes. */
#define GST_AMPHISTO_PAGE_MASK 4095

/* Allocates memory of one device, which it references. The memory outlives the
 * allocator's other users, and the device's loss. Any thread may use it. */
#define GST_TYPE_AMPHISTO_ALLOCATOR (gst_amphisto_allocator_get_type ())
G_DECLARE_FINAL_TYPE (GstAmphistoAllocator, gst_amphisto_allocator, GST,
    AMPHISTO_ALLOCATOR, GstAllocator)

/* Returns: (transfer full): an allocator for the device. */
GstAllocator *gst_amphisto_allocator_new (AmphistoClDevice *device);

/* Whether memory could not be pinned since this was called last, though the
 * device pins memory. */
gboolean gst_amphisto_allocator_was_refused (GstAmphistoAllocator *self);

/* Whether `memory`, of any kind, is pinned for `device`; that a part of other
 * memory is, if the whole is. */
gboolean gst_amphisto_memory_is_pinned (
    GstMemory *memory, const AmphistoClDevice *device);

/* Whether all memory of the buffer is. */
gboolean gst_amphisto_buffer_is_pinned (
    GstBuffer *buffer, const AmphistoClDevice *device);

G_END_DECLS

#endif
