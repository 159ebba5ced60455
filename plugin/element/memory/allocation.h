/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory of frames: answers to ALLOCATION queries, whether to work in place,
 * and which metadata a new buffer keeps.
 */

#pragma once

#include <gst/video/video.h>

#include "opencl/device/device.h"

/* Memory of the frames that a device processes. CPU devices work on any host
 * memory, so downstream's pools are used. For other devices the element
 * proposes pools of its own, whose memory is pinned or can be imported; for
 * frames in system memory only. All-zero before the start. */
typedef struct
{
  /*< public >*/
  const gchar *memory; /* of the caps; NULL: system memory (caps.h) */

  /*< private >*/
  AmphistoClDevice *device; /* referenced */
  GstAllocator *allocator;  /* NULL: the device is a CPU */
  gboolean has_warned;
} GstAmphistoAllocation;

/* Sets the device that processes the frames from now on. May be called again
 * with another device. */
void gst_amphisto_allocation_start (
    GstAmphistoAllocation *self, AmphistoClDevice *device);

/* Releases the device. Memory and pools that are in use elsewhere stay
 * valid. */
void gst_amphisto_allocation_stop (GstAmphistoAllocation *self);

/* Completes downstream's answer to an ALLOCATION query, from upstream or of the
 * element itself. Raises the alignment to the device's, and the minimum number
 * of buffers by `n_others`, the number of frames that are in flight beside a
 * new one, up to a pool's limit. For devices other than CPUs, the element's
 * pool and allocator come first, unless downstream names an allocator, whose
 * memory it may need. The pool's layout is aligned for importing if the device
 * imports host memory and downstream supports GstVideoMeta; otherwise it is the
 * default one. For frames in other memory than the system's, only the number of
 * buffers changes. */
void gst_amphisto_allocation_complete (
    const GstAmphistoAllocation *self, GstQuery *query, guint n_others);

/* Whether the query is about frames in other memory than the system's. */
gboolean gst_amphisto_allocation_is_of_other_memory (GstQuery *query);

/* Warns, once between start and stop, if memory could not be pinned. */
void gst_amphisto_allocation_warn (
    GstAmphistoAllocation *self, GstElement *element);

/* Removes from downstream's answer to an ALLOCATION query the metas that
 * upstream must not attach, since the element measures and changes the
 * frames. */
void gst_amphisto_allocation_remove_metas (GstQuery *query);

/* Whether `meta` describes the picture, or its memory: it does not belong to a
 * frame that shows something else. Metas of time codes, captions and the like
 * have no tags. */
gboolean gst_amphisto_allocation_is_of_picture (const GstMeta *meta);

/* Returns: (transfer full): an active pool for frames of `info` that the device
 * writes, with GstVideoMeta, or NULL if memory runs out. */
GstBufferPool *gst_amphisto_allocation_new_pool (
    const GstAmphistoAllocation *self, const GstVideoInfo *info);

/* Notes that a buffer has come whose memory the device will copy. Memory that
 * comes again is pinned if that makes copies faster; see pins.h. */
void gst_amphisto_allocation_note (
    const GstAmphistoAllocation *self, GstBuffer *buffer);

/* Whether to change the buffer's pixels in place: the memory is writable,
 * nobody else sees it, and it is no slower than a new buffer's. */
gboolean gst_amphisto_allocation_is_in_place (
    const GstAmphistoAllocation *self, GstBuffer *buffer);

/* Copies a frame to new memory of the same kind.
 *
 * Returns: (transfer full): the copy, or NULL with GST_RESOURCE_ERROR_WRITE if
 * it is in other memory than the system's, and the allocator can't make more,
 * or the copy could not be written in that memory either. */
GstBuffer *gst_amphisto_allocation_copy (
    const GstAmphistoAllocation *self, GstBuffer *buffer, GError **error);
