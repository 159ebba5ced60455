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

G_BEGIN_DECLS

/* Adds `alignment`, in bytes, a power of two, to the allocation parameters of
 * an ALLOCATION query. */
void gst_amphisto_allocation_add_alignment (GstQuery *query, gsize alignment);

/* Removes metadata from downstream's answer to an ALLOCATION query that must
 * not come from upstream, because frames are measured and changed here. */
void gst_amphisto_allocation_remove_metas (GstQuery *query);

/* Whether `meta` holds for a new buffer too, whose frame has the size of the
 * caps. */
gboolean gst_amphisto_allocation_keeps_meta (const GstMeta *meta);

/* Whether the buffer's memory may be written to without anyone else seeing it.
 */
gboolean gst_amphisto_allocation_is_own (GstBuffer *buffer);

G_END_DECLS

#endif
