/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in mapped buffers.
 */

#pragma once

#include <gst/video/video.h>

#include "core/pixels/frame.h"
#include "element/memory/crop.h"

/* For `reads` and `writes` of GstAmphistoMap. */
#define GST_AMPHISTO_ALL_PLANES ((1u << AMPHISTO_N_PLANES) - 1)

/* The planes of a buffer that are mapped. */
typedef struct
{
  /*< public >*/
  /* to be set before: planes to map for reading, for writing, or both; bit p
   * for plane p */
  guint reads;
  guint writes;
  /* to be set before: writing fails if GStreamer replaces other memory than the
   * system's by a copy in system memory, which the caps would deny */
  gboolean keeps_memory;
  GstAmphistoCrop crop; /* of `buffer`; to be set before */

  /* after: planes that are stored from the bottom up */
  guint bottom_up;

  /*< private >*/
  GstBuffer *buffer;  /* not referenced */
  GstVideoMeta *meta; /* NULL: one mapping for all planes, the first one */
  guint planes;       /* mapped */
  GstMapInfo memory[GST_VIDEO_MAX_PLANES];
  guint8 *data[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  /* bottom-up planes as they are stored, with the picture's last row first; and
   * upright copies in a packed frame, owned */
  AmphistoPlane stored[AMPHISTO_N_PLANES];
  AmphistoFrame upright;
  guint8 *copy;
} GstAmphistoMap;

/* Maps the planes of `buffer` that `map` asks for, and other planes in the same
 * memory. Sets `frame` to the part of these planes that begins at the crop. The
 * other planes get NULL as data: mapping memory of a GPU downloads it, and
 * writing uploads it. `layout` is the one for `info` and must outlive the
 * frame. `buffer` must outlive the map, which the caller clears; after that,
 * the frame is invalid.
 *
 * Planes with a negative stride are stored from the bottom up. `frame` gets
 * upright copies of them; see gst_amphisto_map_write_back().
 *
 * Returns: FALSE with nothing mapped. GST_RESOURCE_ERROR_READ: the buffer can't
 * be mapped, its GstVideoMeta contradicts `info`, or its memory is too small
 * for its planes. GST_RESOURCE_ERROR_NO_SPACE_LEFT: no memory for copies.
 * GST_RESOURCE_ERROR_WRITE: see `keeps_memory`. */
gboolean gst_amphisto_frame_map (GstAmphistoMap *map, AmphistoFrame *frame,
    const AmphistoLayout *layout, const GstVideoInfo *info, GstBuffer *buffer,
    GError **error);

/* Copies the rows of written bottom-up planes back to the buffer. To be called
 * when the frame is complete. */
void gst_amphisto_map_write_back (const GstAmphistoMap *map);

/* Unmaps the planes. */
void gst_amphisto_map_clear (GstAmphistoMap *map);
