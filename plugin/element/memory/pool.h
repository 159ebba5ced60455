/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A GstVideoBufferPool whose memory and layout suit a device: it copies or
 * imports the frames fastest.
 */

#pragma once

#include <gst/video/video.h>

#define GST_TYPE_AMPHISTO_POOL (gst_amphisto_pool_get_type ())
G_DECLARE_FINAL_TYPE (
    GstAmphistoPool, gst_amphisto_pool, GST, AMPHISTO_POOL, GstVideoBufferPool)

/* Makes a pool that always uses `allocator`, even if it is configured with
 * another. `alignment`: planes and rows begin at multiples of it, in bytes; a
 * power of two up to a page, or 0 for the default layout. It applies if the
 * pool is configured with GST_BUFFER_POOL_OPTION_VIDEO_META; a configured
 * GstVideoAlignment takes precedence, except one of zeros.
 *
 * Use 0 unless everybody downstream supports GstVideoMeta: many elements
 * configure that option without asking.
 *
 * Returns: (transfer full): the pool. */
GstBufferPool *gst_amphisto_pool_new (GstAllocator *allocator, gsize alignment);
