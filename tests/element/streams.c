/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "streams.h"

#define N_FRAMES 4

GstHarness *
stream_new (const gchar *launch, guint width, guint height)
{
  GstHarness *h = gst_harness_new_parse (launch);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=I420,width=%u,height=%u,framerate=30/1", width,
      height);

  gst_harness_set_src_caps_str (h, caps);
  return h;
}

static gsize
frame_size (GstHarness *h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  return GST_VIDEO_INFO_SIZE (&info);
}

static GstBuffer *
frame_new (GstHarness *h, guint i)
{
  GstBuffer *buffer = gst_harness_create_buffer (h, frame_size (h));
  GstMapInfo map;
  guint32 random = i + 1;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize k = 0; k < map.size; k++) {
    random = random * 1103515245 + 12345;
    map.data[k] = (guint8) (k / 11 % 160 + i * 8 + (random >> 27));
  }
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * GST_SECOND / 30;
  return buffer;
}

static void
add_frame (GChecksum *sum, GstBuffer *out)
{
  g_autofree gchar *text = NULL;
  GstCustomMeta *meta;
  GstMapInfo map;

  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  g_checksum_update (sum, map.data, (gssize) map.size);
  gst_buffer_unmap (out, &map);
  meta = gst_buffer_get_custom_meta (out, "AmphistoHistogramMeta");
  fail_unless (meta != NULL);
  text = gst_structure_to_string (gst_custom_meta_get_structure (meta));
  g_checksum_update (sum, (const guchar *) text, -1);
}

gchar *
stream_run (GstHarness *h)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *out = gst_harness_push_and_pull (h, frame_new (h, i));

    fail_unless (out != NULL);
    add_frame (sum, out);
    gst_buffer_unref (out);
  }
  return g_strdup (g_checksum_get_string (sum));
}
