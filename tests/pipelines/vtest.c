/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All frames of a video decoded by libav: the metadata's histograms equal those
 * counted here.
 */

#include "pipeline.h"

#include <gst/video/video.h>
#include <string.h>

#define VIDEO OPENCV_DATA "vtest.avi"
#define N_FRAMES 795
#define WIDTH 768
#define HEIGHT 576

static const gchar *const channel_names[3] = { "luma", "u", "v" };

typedef struct
{
  guint32 bins[3][256]; /* of the frame that is in amphisto */
  guint n_arrived;
  guint n_measured;
} Count;

static void
count_plane (const GstVideoFrame *frame, guint p, guint32 bins[256])
{
  memset (bins, 0, 256 * sizeof *bins);
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, p); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);

    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (frame, p); x++)
      bins[row[x]]++;
  }
}

static GstPadProbeReturn
on_arrival (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Count *count = user_data;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoInfo video;
  GstVideoFrame frame;

  g_assert_true (gst_video_info_from_caps (&video, caps));
  g_assert_true (gst_video_frame_map (
      &frame, &video, GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ));
  for (guint p = 0; p < 3; p++)
    count_plane (&frame, p, count->bins[p]);
  gst_video_frame_unmap (&frame);
  count->n_arrived++;
  return GST_PAD_PROBE_OK;
}

static void
check_channel (
    const GstStructure *structure, const gchar *name, const guint32 *expected)
{
  const GValue *channel = gst_structure_get_value (structure, name);
  const GValue *value;
  gconstpointer bins;
  gsize size;

  g_assert_nonnull (channel);
  value = gst_structure_get_value (gst_value_get_structure (channel), "bins");
  bins = g_bytes_get_data (g_value_get_boxed (value), &size);
  g_assert_cmpuint (size, ==, 258 * sizeof *expected);
  g_assert_cmpmem (
      bins, 256 * sizeof *expected, expected, 256 * sizeof *expected);
}

static GstPadProbeReturn
on_departure (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Count *count = user_data;
  GstCustomMeta *meta = gst_buffer_get_custom_meta (
      GST_PAD_PROBE_INFO_BUFFER (info), "AmphistoHistogramMeta");
  GstStructure *structure;
  gint width, height;

  (void) pad;
  g_assert_nonnull (meta);
  structure = gst_custom_meta_get_structure (meta);
  g_assert_cmpstr (gst_structure_get_string (structure, "format"), ==, "I420");
  g_assert_true (gst_structure_get_int (structure, "width", &width));
  g_assert_true (gst_structure_get_int (structure, "height", &height));
  g_assert_cmpint (width, ==, WIDTH);
  g_assert_cmpint (height, ==, HEIGHT);
  for (guint c = 0; c < 3; c++)
    check_channel (structure, channel_names[c], count->bins[c]);
  count->n_measured++;
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *amphisto, const gchar *pad_name,
    GstPadProbeCallback callback, Count *count)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (amphisto, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, count, NULL);
}

static void
test_frames (void)
{
  const gchar *const elements[] = { "avidemux", "avdec_msmpeg4", NULL };
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) amphisto = NULL;
  Count count = { 0 };

  if (!pipeline_can_run (VIDEO, elements))
    return;
  pipeline =
      pipeline_new ("filesrc location=" VIDEO
                    " ! avidemux ! avdec_msmpeg4 ! video/x-raw,format=I420"
                    " ! amphisto name=amphisto channels=luma+chroma "
                    "qos=false ! fakesink");
  amphisto = gst_bin_get_by_name (GST_BIN (pipeline), "amphisto");
  add_probe (amphisto, "sink", on_arrival, &count);
  add_probe (amphisto, "src", on_departure, &count);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_finish (pipeline);
  g_assert_cmpuint (count.n_arrived, ==, N_FRAMES);
  g_assert_cmpuint (count.n_measured, ==, N_FRAMES);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vtest/frames", test_frames);
  return g_test_run ();
}
