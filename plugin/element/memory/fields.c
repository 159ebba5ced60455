/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/fields.h"

#include <string.h>

gboolean
gst_amphisto_fields_are_in (const GstVideoInfo *info, GstBuffer *buffer)
{
  const GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (info);

  return mode == GST_VIDEO_INTERLACE_MODE_INTERLEAVED
      || (mode == GST_VIDEO_INTERLACE_MODE_MIXED
          && GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED));
}

/* The bytes of a buffer from `begin` to below `end`. */
typedef struct
{
  gint64 begin;
  gint64 end;
} Bytes;

/* The bytes of row `y` of plane `p` of the frame, which begins at the corner
 * `crop`. */
static Bytes
bytes_of_row (const GstVideoMeta *meta, const AmphistoLayout *layout,
    const GstVideoFormatInfo *format, const GstAmphistoCrop *crop, guint p,
    guint y)
{
  guint64 begin; /* modulo 2^64: metas of hostile planes are refused later */
  gsize byte;
  guint row;

  gst_amphisto_crop_find_corner (crop, format, p, &row, &byte);
  begin = meta->offset[p] + byte
      + ((guint64) row + y) * (guint64) (gint64) meta->stride[p];
  return (
      Bytes){ (gint64) begin, (gint64) (begin + layout->plane[p].row_bytes) };
}

/* Whether the bytes are in the memory in which plane `p` begins. */
static gboolean
are_in_memory (const GstVideoMeta *meta, guint p, const Bytes *bytes)
{
  guint index, length;
  gsize skip;
  gint64 first;

  if (!gst_buffer_find_memory (
          meta->buffer, meta->offset[p], 1, &index, &length, &skip))
    return FALSE;
  first = (gint64) (meta->offset[p] - skip);
  return bytes->begin >= first
      && bytes->end
      <= first + (gint64) gst_buffer_peek_memory (meta->buffer, index)->size;
}

/* The bytes of a plane's rows, bottom-up or not. */
static Bytes
bytes_of_rows (const GstVideoMeta *meta, const AmphistoLayout *layout,
    const GstVideoFormatInfo *format, const GstAmphistoCrop *crop, guint p)
{
  const Bytes first = bytes_of_row (meta, layout, format, crop, p, 0);
  const Bytes last =
      bytes_of_row (meta, layout, format, crop, p, layout->plane[p].rows - 1);

  return (Bytes){ MIN (first.begin, last.begin), MAX (first.end, last.end) };
}

static gboolean
overlap (const Bytes *a, const Bytes *b)
{
  return a->begin < b->end && b->begin < a->end;
}

/* Whether the row behind the last one of plane `p` is in the plane's memory,
 * and in no other plane. The row behind another plane, which has one in `all`,
 * may be the same if one of them is stored from the bottom up. */
static gboolean
holds_next_row (const GstVideoMeta *meta, const AmphistoLayout *layout,
    const AmphistoLayout *all, const GstVideoFormatInfo *format,
    const GstAmphistoCrop *crop, guint p)
{
  const Bytes own = bytes_of_rows (meta, layout, format, crop, p);
  const Bytes next =
      bytes_of_row (meta, layout, format, crop, p, layout->plane[p].rows);

  /* single rows may have any stride */
  if (overlap (&next, &own) || !are_in_memory (meta, p, &next))
    return FALSE;
  for (guint q = 0; q < layout->n_planes; q++) {
    const guint rows = layout->plane[q].rows;
    const Bytes other = bytes_of_rows (meta, layout, format, crop, q);
    const Bytes behind = bytes_of_row (meta, layout, format, crop, q, rows);

    if (q != p
        && (overlap (&next, &other)
            || (all->plane[q].rows > rows && overlap (&next, &behind))))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_amphisto_fields_have_all_rows (const AmphistoLayout *layout,
    const GstVideoInfo *info, GstBuffer *buffer, const GstAmphistoCrop *crop)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  AmphistoLayout all = *layout, least = *layout;

  /* a GstVideoMeta of other planes is refused later */
  if (!GST_VIDEO_INFO_IS_INTERLACED (info) || meta == NULL
      || meta->n_planes != layout->n_planes)
    return TRUE;
  amphisto_layout_set_interlaced (&all, TRUE, TRUE);
  amphisto_layout_set_interlaced (&least, TRUE, FALSE);
  for (guint p = 0; p < layout->n_planes; p++)
    if (all.plane[p].rows > least.plane[p].rows
        && !holds_next_row (meta, &least, &all, info->finfo, crop, p))
      return FALSE;
  return TRUE;
}

void
gst_amphisto_fields_complete (const AmphistoFrame *frame)
{
  AmphistoLayout all = *frame->layout;

  amphisto_layout_set_interlaced (&all, TRUE, TRUE);
  for (guint p = 0; p < all.n_planes; p++) {
    const guint rows = frame->layout->plane[p].rows;

    if (all.plane[p].rows > rows)
      memcpy (amphisto_frame_row (frame, p, rows),
          amphisto_frame_row (frame, p, MAX (rows, 2) - 2),
          all.plane[p].row_bytes);
  }
}
