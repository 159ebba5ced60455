/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "harnesses.h"

#include <string.h>

static GstBuffer *
describe (GstBuffer *buffer, const Picture *picture)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };

  for (guint p = 0; p < picture->n_planes; p++) {
    offset[p] = picture->offset[p];
    stride[p] = picture->stride[p];
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      gst_video_format_from_string (picture->format->name), picture->width,
      picture->height, picture->n_planes, offset, stride);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

GstBuffer *
picture_wrap (Picture *picture)
{
  return describe (gst_buffer_new_wrapped_full (0, picture->data, picture->size,
                       0, picture->size, NULL, NULL),
      picture);
}

GstBuffer *
picture_wrap_planes (Picture *picture, GstMemoryFlags flags)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize begin = 0;

  for (guint p = 0; p < picture->n_planes; p++) {
    const gsize end =
        p + 1 < picture->n_planes ? picture->offset[p + 1] : picture->size;

    gst_buffer_append_memory (buffer,
        gst_memory_new_wrapped (flags, picture->data + begin, end - begin, 0,
            end - begin, NULL, NULL));
    begin = end;
  }
  return describe (buffer, picture);
}

GstBuffer *
picture_wrap_nth (Picture *picture, guint n)
{
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
  return buffer;
}

GstBuffer *
gap_new (void)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  return buffer;
}

static void
frame_info (GstVideoInfo *info, const Picture *picture)
{
  fail_unless (gst_video_info_set_format (info,
      gst_video_format_from_string (picture->format->name), picture->width,
      picture->height));
}

static guint8 *
frame_row (GstVideoFrame *frame, guint p, guint y)
{
  return (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p)
      + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);
}

void
picture_read (Picture *picture, GstBuffer *buffer)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  frame_info (&info, picture);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint p = 0; p < picture->n_planes; p++)
    for (guint y = 0; y < picture_plane_rows (picture, p); y++)
      memmove (picture_row (picture, p, y), frame_row (&frame, p, y),
          picture->row_bytes[p]);
  gst_video_frame_unmap (&frame);
}

void
picture_write (const Picture *picture, GstBuffer *buffer)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  frame_info (&info, picture);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (guint p = 0; p < picture->n_planes; p++)
    for (guint y = 0; y < picture_plane_rows (picture, p); y++)
      memcpy (frame_row (&frame, p, y), picture_row (picture, p, y),
          picture->row_bytes[p]);
  gst_video_frame_unmap (&frame);
}

GstBuffer *
picture_fill_proposed (const Picture *picture, GstHarness *h)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  frame_info (&info, picture);
  buffer = gst_harness_create_buffer (h, GST_VIDEO_INFO_SIZE (&info));
  picture_write (picture, buffer);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

GstBuffer *
picture_fill_pooled (const Picture *picture, GstBufferPool *pool, guint n)
{
  GstBuffer *buffer = pool_acquire (pool);

  picture_write (picture, buffer);
  GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
  return buffer;
}

Picture *
picture_small (const gchar *format)
{
  return picture_new (format, 16, 8, PICTURE_TIGHT, 40, 120, 1);
}

void
assert_pixels (GstBuffer *buffer, const Picture *picture)
{
  g_autoptr (Picture) actual = picture_copy (picture);

  picture_read (actual, buffer);
  fail_unless_same_picture (actual, picture);
}

/* --- metadata --- */

void
buffer_add_metas (GstBuffer *buffer)
{
  static const guint8 caption[] = { 0xfc, 0x94, 0x2c };
  g_autoptr (GstCaps) reference =
      gst_caps_new_empty_simple ("timestamp/x-test");

  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  gst_buffer_add_video_time_code_meta_full (
      buffer, 25, 1, NULL, GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 2, 3, 4, 0);
  gst_buffer_add_video_caption_meta (
      buffer, GST_VIDEO_CAPTION_TYPE_CEA608_RAW, caption, sizeof caption);
  gst_buffer_add_video_afd_meta (
      buffer, 1, GST_VIDEO_AFD_SPEC_ATSC_A53, GST_VIDEO_AFD_4_3_FULL_16_9_FULL);
  gst_buffer_add_reference_timestamp_meta (buffer, reference, 5, 6);
}

void
assert_metas (GstBuffer *buffer)
{
  const GstVideoTimeCodeMeta *time_code =
      gst_buffer_get_video_time_code_meta (buffer);
  const GstVideoCaptionMeta *caption =
      gst_buffer_get_video_caption_meta (buffer);
  const GstReferenceTimestampMeta *reference =
      gst_buffer_get_reference_timestamp_meta (buffer, NULL);

  fail_unless (time_code != NULL && time_code->tc.minutes == 2);
  fail_unless (caption != NULL && caption->size == 3);
  fail_unless_equals_int (caption->data[1], 0x94);
  fail_unless (reference != NULL && reference->timestamp == 5);
}

GstBuffer *
picture_wrap_regions (Picture *picture, guint n)
{
  GstBuffer *buffer = picture_wrap (picture);

  for (guint i = 0; i < n; i++)
    gst_buffer_add_video_region_of_interest_meta (
        buffer, "face", i % 16, i / 16 % 8, 1, 1)
        ->id = i;
  return buffer;
}
