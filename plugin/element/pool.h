/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A GstVideoBufferPool of memory that a device takes fastest.
 */

#ifndef AMPHISTO_ELEMENT_POOL_H
#define AMPHISTO_ELEMENT_POOL_H

#include <gst/video/gstvideopool.h>

G_BEGIN_DECLS

#define GST_TYPE_AMPHISTO_POOL (gst_amphisto_pool_get_type ())
G_DECLARE_FINAL_TYPE (
    GstAmphistoPool, gst_amphisto_pool, GST, AMPHISTO_POOL, GstVideoBufferPool)

/* Makes a pool whose memory is the allocator's, whatever it is configured with.
 * Where it is configured with GST_BUFFER_POOL_OPTION_VIDEO_META, planes begin
 * at multiples of `alignment` bytes, a power of two up to a page, and so do
 * their rows; but if it is configured with a GstVideoAlignment too, as that
 * says. An `alignment` of 0 stands for the default layout, with GstVideoMeta
 * too: many elements configure that without asking if everybody downstream
 * looks at it.
 *
 * Returns: (transfer full): the pool. */
GstBufferPool *gst_amphisto_pool_new (GstAllocator *allocator, gsize alignment);

G_END_DECLS

#endif
