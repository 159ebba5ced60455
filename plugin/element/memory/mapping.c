/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/mapping.h"

#include "core/pixels/block.h"

#include <string.h>

/* Sets the error, in a printf format. Returns: FALSE. */
#define REFUSE(error, format, ...)                                             \
  (g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,            \
       "The frame can't be read: " format ".", __VA_ARGS__),                   \
      FALSE)

/* --- maps --- */

/* Whether the GstVideoMeta, if any, agrees with `info`. */
static gboolean
check_meta (const GstVideoInfo *info, GstBuffer *buffer, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (meta == NULL)
    return TRUE;
  if (meta->format != GST_VIDEO_INFO_FORMAT (info))
    return REFUSE (error, "its GstVideoMeta has the format %s, its caps %s",
        gst_video_format_to_string (meta->format), GST_VIDEO_INFO_NAME (info));
  if (meta->n_planes != GST_VIDEO_INFO_N_PLANES (info))
    return REFUSE (error, "its GstVideoMeta has %u planes, its caps %u",
        meta->n_planes, GST_VIDEO_INFO_N_PLANES (info));
  if (meta->width < (guint) info->width)
    return REFUSE (error, "its GstVideoMeta has a width of %u, its caps %d",
        meta->width, info->width);
  if (meta->height < (guint) info->height)
    return REFUSE (error, "its GstVideoMeta has a height of %u, its caps %d",
        meta->height, info->height);
  return TRUE;
}

/* Whether a frame that no GstVideoMeta describes has all bytes of GStreamer's
 * own layout. */
static gboolean
check_size (const GstVideoInfo *info, GstBuffer *buffer, GError **error)
{
  const gsize size = gst_buffer_get_size (buffer);

  if (gst_buffer_get_video_meta (buffer) != NULL
      || size >= GST_VIDEO_INFO_SIZE (info))
    return TRUE;
  return REFUSE (error,
      "it has %" G_GSIZE_FORMAT " bytes, and %s of %dx%d needs %" G_GSIZE_FORMAT
      ", in rows of %d bytes; pad the rows, or describe them by a GstVideoMeta",
      size, GST_VIDEO_INFO_NAME (info), info->width, info->height,
      GST_VIDEO_INFO_SIZE (info), GST_VIDEO_INFO_PLANE_STRIDE (info, 0));
}

/* Returns: a mask of the memories in which plane `p` begins: one; if it begins
 * in none of them, all. */
static guint
plane_memories (const GstVideoMeta *meta, guint p)
{
  guint index, length;
  gsize skip;

  return gst_buffer_find_memory (
             meta->buffer, meta->offset[p], 1, &index, &length, &skip)
      ? 1u << index
      : G_MAXUINT;
}

/* Adds the planes in the same memories: mapping them costs nothing, and tells
 * whether they are within the memory. */
static guint
add_neighbours (const GstVideoMeta *meta, guint planes)
{
  guint memories = 0;

  for (guint p = 0; p < meta->n_planes; p++)
    if (planes & 1u << p)
      memories |= plane_memories (meta, p);
  for (guint p = 0; p < meta->n_planes; p++)
    if (plane_memories (meta, p) & memories)
      planes |= 1u << p;
  return planes;
}

static GstMapFlags
plane_flags (const GstAmphistoMap *map, guint p)
{
  if (!(map->writes & 1u << p))
    return GST_MAP_READ;
  return map->reads & 1u << p ? GST_MAP_READWRITE : GST_MAP_WRITE;
}

static gboolean
map_planes (GstAmphistoMap *map, guint planes)
{
  for (guint p = 0; p < map->meta->n_planes; p++) {
    gpointer data;

    if (!(planes & 1u << p))
      continue;
    if (!gst_video_meta_map (map->meta, p, &map->memory[p], &data,
            &map->stride[p], plane_flags (map, p)))
      return FALSE;
    map->data[p] = data;
    map->planes |= 1u << p;
  }
  return TRUE;
}

/* Without a GstVideoMeta, the planes lie one behind the other. */
static gboolean
map_whole (GstAmphistoMap *map, const GstVideoInfo *info)
{
  if (!gst_buffer_map (map->buffer, &map->memory[0],
          (map->reads ? GST_MAP_READ : 0) | (map->writes ? GST_MAP_WRITE : 0)))
    return FALSE;
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    map->data[p] = map->memory[0].data + GST_VIDEO_INFO_PLANE_OFFSET (info, p);
    map->stride[p] = GST_VIDEO_INFO_PLANE_STRIDE (info, p);
    map->planes |= 1u << p;
  }
  return TRUE;
}

/* Memory that is mapped can be mapped again for less, not for more: the planes
 * to write come first. */
static gboolean
map_buffer (GstAmphistoMap *map, const GstVideoInfo *info)
{
  guint planes = map->reads | map->writes;

  if (map->meta == NULL)
    return map_whole (map, info);
  planes = add_neighbours (map->meta, planes);
  return map_planes (map, planes & map->writes)
      && map_planes (map, planes & ~map->writes);
}

/* GStreamer replaces the memories of a writable buffer by a copy of all if they
 * have to be mapped as one. A frame that is only read keeps its memories. */
static gboolean
map_safely (GstAmphistoMap *map, const GstVideoInfo *info)
{
  gboolean ok;

  if (map->writes == 0)
    gst_buffer_ref (map->buffer);
  ok = map_buffer (map, info);
  if (map->writes == 0)
    gst_buffer_unref (map->buffer);
  return ok;
}

static gboolean
has_system_memory (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (gst_memory_is_type (
            gst_buffer_peek_memory (buffer, i), GST_ALLOCATOR_SYSMEM))
      return TRUE;
  return FALSE;
}

/* Maps the buffer, and unmaps it if that fails. */
static gboolean
map_or_clear (GstAmphistoMap *map, const GstVideoInfo *info, GError **error)
{
  GstBuffer *buffer = map->buffer;
  const gboolean had_system_memory = has_system_memory (buffer);

  if (!map_safely (map, info)) {
    gst_amphisto_map_clear (map);
    return REFUSE (error,
        "its memory of %" G_GSIZE_FORMAT " bytes can't be "
        "mapped as a frame of %s, %dx%d",
        gst_buffer_get_size (buffer), GST_VIDEO_INFO_NAME (info), info->width,
        info->height);
  }
  if (!map->keeps_memory || had_system_memory || !has_system_memory (buffer))
    return TRUE;
  gst_amphisto_map_clear (map);
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
      "The frame can't be changed: its memory can't be mapped for writing.");
  return FALSE;
}

void
gst_amphisto_map_clear (GstAmphistoMap *map)
{
  for (guint p = 0; p < GST_VIDEO_MAX_PLANES && map->meta != NULL; p++)
    if (map->planes & 1u << p)
      gst_video_meta_unmap (map->meta, p, &map->memory[p]);
  if (map->planes != 0 && map->meta == NULL)
    gst_buffer_unmap (map->buffer, &map->memory[0]);
  map->planes = 0;
  map->bottom_up = 0;
  g_clear_pointer (&map->copy, g_free);
}

/* --- planes --- */

static const GstMapInfo *
plane_memory (const GstAmphistoMap *map, guint p)
{
  return &map->memory[map->meta != NULL ? p : 0];
}

/* Stores the stride of plane `p`, where it begins in its memory, and the size
 * of that memory. The plane may be unmapped if there is a GstVideoMeta. */
static void
locate_plane (const GstAmphistoMap *map, guint p, gint *stride, gint64 *before,
    gsize *size)
{
  const GstMapInfo *memory = plane_memory (map, p);
  guint index, length;
  gsize skip;

  if (map->planes & 1u << p) {
    *stride = map->stride[p];
    *before = map->data[p] - memory->data;
    *size = memory->size;
    return;
  }
  if (!gst_buffer_find_memory (
          map->buffer, map->meta->offset[p], 1, &index, &length, &skip))
    g_assert_not_reached (); /* it would have been mapped */
  *stride = map->meta->stride[p];
  *before = skip;
  *size = gst_buffer_peek_memory (map->buffer, index)->size;
}

/* before: where the frame's first row begins in memory of `size` bytes. */
static gboolean
set_fit_error (const AmphistoPlaneLayout *plane, guint p, gint stride,
    gint64 before, gsize size, GError **error)
{
  if (stride < 0)
    return REFUSE (error,
        "the rows of plane %u are %d bytes apart, and %u of them from byte "
        "%" G_GINT64_FORMAT " on do not fit into %" G_GSIZE_FORMAT
        " bytes of memory",
        p, stride, plane->rows, before, size);
  return REFUSE (error,
      "plane %u with %u rows of %d bytes does not fit into %" G_GSIZE_FORMAT
      " bytes of memory",
      p, plane->rows, stride,
      before > (gint64) size ? 0 : size - (gsize) before);
}

/* Checks that all of plane `p` is in its memory. If it is mapped, sets it in
 * `frame`: its rows in the order of their addresses. */
static gboolean
set_plane (AmphistoFrame *frame, GstAmphistoMap *map,
    const GstVideoFormatInfo *format, guint p, GError **error)
{
  const AmphistoPlaneLayout *plane = &frame->layout->plane[p];
  gint64 before, begin = -1;
  guint64 distance, span, last;
  gint stride;
  gsize byte, size;
  guint row;

  locate_plane (map, p, &stride, &before, &size);
  gst_amphisto_crop_find_corner (&map->crop, format, p, &row, &byte);
  distance = ABS ((gint64) stride);
  span = amphisto_plane_span (frame->layout, p, (guint32) distance);
  last = (guint64) row + plane->rows - 1;
  if (plane->rows > 1 && distance < byte + plane->row_bytes)
    return REFUSE (error,
        "the rows of plane %u are %d bytes apart and hold %" G_GSIZE_FORMAT
        " bytes each",
        p, stride, byte + plane->row_bytes);
  if (last == 0 || distance <= size / last)
    begin =
        before + (gint64) byte + (gint64) (stride < 0 ? last : row) * stride;
  if (begin < 0 || (guint64) begin > size || size - (guint64) begin < span)
    return set_fit_error (plane, p, stride, before, size, error);
  if (span > AMPHISTO_MAX_BLOCK_SIZE)
    return REFUSE (error,
        "plane %u spans %" G_GUINT64_FORMAT " bytes, 4 GiB or more", p, span);
  if (!(map->planes & 1u << p))
    return TRUE;
  frame->plane[p] = (AmphistoPlane){ plane_memory (map, p)->data + begin,
    (guint32) distance };
  if (stride < 0 && plane->rows > 1)
    map->bottom_up |= 1u << p;
  return TRUE;
}

/* Whether the memory includes the padding of plane `p`'s last row, and no other
 * plane lies in that padding. Planes that are not mapped lie in other memory.
 */
static gboolean
is_padded (const AmphistoFrame *frame, const GstAmphistoMap *map, guint p)
{
  const AmphistoPlane *plane = &frame->plane[p];
  const GstMapInfo *memory = plane_memory (map, p);
  const gsize before = plane->data - memory->data;
  const guint64 size = (guint64) plane->stride * frame->layout->plane[p].rows;

  if (size > memory->size - before || size > AMPHISTO_MAX_BLOCK_SIZE)
    return FALSE;
  for (guint q = 0; q < frame->layout->n_planes; q++) {
    AmphistoBlock other;

    if (q == p || !(map->planes & 1u << q))
      continue;
    other = amphisto_plane_block (frame, q);
    if (other.begin < plane->data + size && other.end > plane->data)
      return FALSE;
  }
  return TRUE;
}

/* Returns: a mask of the planes whose last row has padding in the memory. Such
 * a plane can be imported in whole rows, since its padding belongs to the
 * frame. */
static guint
padded_planes (const AmphistoFrame *frame, const GstAmphistoMap *map)
{
  guint planes = 0;

  for (guint p = 0; p < frame->layout->n_planes; p++)
    if (map->planes & 1u << p && is_padded (frame, map, p))
      planes |= 1u << p;
  return planes;
}

/* --- bottom-up planes --- */

static void
copy_reversed (const AmphistoPlaneLayout *plane, const AmphistoPlane *from,
    const AmphistoPlane *to)
{
  for (gsize y = 0; y < plane->rows; y++)
    memcpy (to->data + (plane->rows - 1 - y) * to->stride,
        from->data + y * from->stride, plane->row_bytes);
}

/* Replaces bottom-up planes in `frame` by upright copies, with padding of their
 * own. */
static gboolean
turn_planes (GstAmphistoMap *map, AmphistoFrame *frame, GError **error)
{
  const AmphistoLayout *layout = frame->layout;

  if (map->bottom_up == 0)
    return TRUE;
  map->copy = g_try_malloc (amphisto_packed_size (layout, layout->n_planes));
  if (map->copy == NULL) {
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "There is no memory for an upright copy of the bottom-up frame.");
    return FALSE;
  }
  map->upright = amphisto_packed_frame (layout, map->copy);
  for (guint p = 0; p < layout->n_planes; p++) {
    if (!(map->bottom_up & 1u << p))
      continue;
    map->stored[p] = frame->plane[p];
    frame->plane[p] = map->upright.plane[p];
    frame->padded_planes |= 1u << p;
    if (plane_flags (map, p) & GST_MAP_READ)
      copy_reversed (&layout->plane[p], &map->stored[p], &frame->plane[p]);
  }
  return TRUE;
}

void
gst_amphisto_map_write_back (const GstAmphistoMap *map)
{
  const AmphistoFrame *frame = &map->upright;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (map->bottom_up & map->writes & 1u << p)
      copy_reversed (
          &frame->layout->plane[p], &frame->plane[p], &map->stored[p]);
}

/* Sets the frame to planes that are mapped. */
static gboolean
set_planes (GstAmphistoMap *map, AmphistoFrame *frame, const GstVideoInfo *info,
    GError **error)
{
  for (guint p = 0; p < frame->layout->n_planes; p++)
    if (!set_plane (frame, map, info->finfo, p, error))
      return FALSE;
  /* beside a cropped frame lie pixels of the buffer, not padding */
  if (!gst_amphisto_crop_is_shifted (&map->crop))
    frame->padded_planes = padded_planes (frame, map);
  return turn_planes (map, frame, error);
}

gboolean
gst_amphisto_frame_map (GstAmphistoMap *map, AmphistoFrame *frame,
    const AmphistoLayout *layout, const GstVideoInfo *info, GstBuffer *buffer,
    GError **error)
{
  if (!check_meta (info, buffer, error) || !check_size (info, buffer, error))
    return FALSE;
  map->buffer = buffer;
  map->meta = gst_buffer_get_video_meta (buffer);
  map->planes = 0;
  map->bottom_up = 0;
  if (!map_or_clear (map, info, error))
    return FALSE;

  *frame = (AmphistoFrame){ .layout = layout };
  if (set_planes (map, frame, info, error))
    return TRUE;
  gst_amphisto_map_clear (map);
  return FALSE;
}
