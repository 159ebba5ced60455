/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory: what the element asks upstream for, what it may write to, and which
 * metadata hold for the frames in it.
 */

#ifndef AMPHISTO_ELEMENT_ALLOCATION_H
#define AMPHISTO_ELEMENT_ALLOCATION_H

#include <gst/video/video.h>

#include "opencl/device.h"

G_BEGIN_DECLS

/* Memory for frames on a device. CPUs work on any memory where it lies: there,
 * downstream's pools are used. Other devices get frames in memory of the
 * element's own pools: pinned, or such that it can be imported. Zeros before
 * the start. */
typedef struct
{
  /*< private >*/
  AmphistoClDevice *device; /* referenced */
  GstAllocator *allocator;  /* NULL: the device is a CPU */
  gboolean has_warned;
} GstAmphistoAllocation;

/* Frames are to be processed by `device`, from now on: it may be called again
 * for another. */
void gst_amphisto_allocation_start (
    GstAmphistoAllocation *self, AmphistoClDevice *device);

/* Memory and pools that others have stay valid. */
void gst_amphisto_allocation_stop (GstAmphistoAllocation *self);

/* Completes downstream's answer to upstream's ALLOCATION query, or to the
 * element's own. The device's alignment is added to the parameters, and
 * `n_held`, the number of frames that the element holds back, to that of
 * buffers. For devices that are no CPU, the element's pool and allocator come
 * first, unless downstream names an allocator, whose memory it may need. The
 * pool's layout is made for importing if the device does that and downstream
 * supports GstVideoMeta; else it is the default one. */
void gst_amphisto_allocation_complete (
    const GstAmphistoAllocation *self, GstQuery *query, guint n_held);

/* Warns, once between start and stop, if memory could not be pinned. */
void gst_amphisto_allocation_warn (
    GstAmphistoAllocation *self, GstElement *element);

/* Removes metadata from downstream's answer to an ALLOCATION query that must
 * not come from upstream, because frames are measured and changed here. */
void gst_amphisto_allocation_remove_metas (GstQuery *query);

/* Whether `meta` holds for a new buffer too, whose frame has the size of the
 * caps. */
gboolean gst_amphisto_allocation_keeps_meta (const GstMeta *meta);

/* Whether to change the buffer's pixels in place: its memory may be written to
 * without anyone else seeing it, and is no slower than a new buffer's. */
gboolean gst_amphisto_allocation_is_in_place (
    const GstAmphistoAllocation *self, GstBuffer *buffer);

G_END_DECLS

#endif
