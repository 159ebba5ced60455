/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=global of grey frames equals OpenCV's equalizeHist(), byte for
 * byte. The element cvequalizehist of gstreamer1.0-opencv ignores the padding
 * of rows, so all widths here are multiples of 4.
 */

#include "pipeline.h"

#include <gst/app/app.h>
#include <gst/video/video.h>

#define END_TIMEOUT (20 * GST_SECOND)
#define GRAY "video/x-raw,format=GRAY8"

/* Both branches get the same buffers, which amphisto must not change. */
#define SHARED                                                                 \
  " ! videoconvert ! " GRAY " ! tee name=t"                                    \
  " t. ! queue ! amphisto equalization=global qos=false ! "                    \
  "appsink name=ours sync=false"                                               \
  " t. ! queue ! cvequalizehist ! appsink name=theirs sync=false"

/* Each branch gets its own buffers, which amphisto changes in place. */
#define SEPARATE                                                               \
  " ! tee name=t"                                                              \
  " t. ! queue ! videoconvert ! " GRAY                                         \
  " ! amphisto equalization=global qos=false ! appsink name=ours sync=false"   \
  " t. ! queue ! videoconvert ! " GRAY                                         \
  " ! cvequalizehist ! appsink name=theirs sync=false"

static const gchar *const peers[] = { "cvequalizehist", "avidemux",
  "avdec_msmpeg4", "jpegdec", "pngdec", NULL };

/* Compares all frames of both branches of a playing pipeline. */
static void
compare_branches (GstElement *pipeline, guint n_frames)
{
  for (guint i = 0; i < n_frames; i++)
    g_assert_cmpint (
        pipeline_pull_difference (pipeline, "ours", "theirs"), ==, 0);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) sink =
        gst_bin_get_by_name (GST_BIN (pipeline), i == 0 ? "ours" : "theirs");

    g_assert_null (
        gst_app_sink_try_pull_sample (GST_APP_SINK (sink), END_TIMEOUT));
  }
  pipeline_finish (pipeline);
}

static void
compare_file (const gchar *path, const gchar *decoder, const gchar *branches,
    guint n_frames)
{
  g_autofree gchar *description = NULL;
  g_autoptr (GstElement) pipeline = NULL;

  if (!pipeline_can_run (path, peers))
    return;
  description =
      g_strdup_printf ("filesrc location=%s ! %s %s", path, decoder, branches);
  pipeline = pipeline_new (description);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  compare_branches (pipeline, n_frames);
}

static void
test_video (void)
{
  compare_file (
      OPENCV_DATA "vtest.avi", "avidemux ! avdec_msmpeg4", SEPARATE, 795);
}

static void
test_photograph (gconstpointer name)
{
  g_autofree gchar *path = g_strconcat (OPENCV_DATA, name, NULL);
  const gchar *decoder = g_str_has_suffix (name, ".png") ? "pngdec" : "jpegdec";

  compare_file (path, decoder, SHARED, 1);
  compare_file (path, decoder, SEPARATE, 1);
}

/* --- drawn frames --- */

typedef struct
{
  const gchar *name;
  guint8 (*value) (gint x, gint y); /* NULL: `flat` everywhere */
  guint8 flat;
} Drawing;

/* One pixel in 16 is lighter. */
static guint8
value_two (gint x, gint y)
{
  return x % 4 == 1 && y % 4 == 2 ? 200 : 199;
}

static guint8
value_extremes (gint x, gint y)
{
  return (x ^ y) & 1 ? 255 : 0;
}

static guint8
value_gradient (gint x, gint y)
{
  (void) y;
  return x / 3;
}

/* Darker values are rarer. Cumulative counts are rounded up and down. */
static guint8
value_skewed (gint x, gint y)
{
  return 255 - (x * y) % 251 * ((x + y) % 7) / 7;
}

static const Drawing drawings[] = { { "black", NULL, 0 }, { "grey", NULL, 77 },
  { "white", NULL, 255 }, { "two-values", value_two, 0 },
  { "extremes", value_extremes, 0 }, { "gradient", value_gradient, 0 },
  { "skewed", value_skewed, 0 } };

static GstBuffer *
draw (const GstVideoInfo *info, const Drawing *drawing)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (GST_VIDEO_INFO_SIZE (info));
  GstVideoFrame frame;

  GST_BUFFER_PTS (buffer) = 0;
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < info->height; y++) {
    guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (gint x = 0; x < info->width; x++)
      row[x] = drawing->value != NULL ? drawing->value (x, y) : drawing->flat;
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

static void
compare_drawing (const Drawing *drawing, gint width, gint height)
{
  g_autoptr (GstElement) pipeline =
      pipeline_new ("appsrc name=source format=time" SHARED);
  g_autoptr (GstElement) source =
      gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstCaps) caps = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  info.fps_n = 25;
  caps = gst_video_info_to_caps (&info);
  gst_app_src_set_caps (GST_APP_SRC (source), caps);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_cmpint (
      gst_app_src_push_buffer (GST_APP_SRC (source), draw (&info, drawing)), ==,
      GST_FLOW_OK);
  g_assert_cmpint (
      gst_app_src_end_of_stream (GST_APP_SRC (source)), ==, GST_FLOW_OK);
  compare_branches (pipeline, 1);
}

static void
test_drawing (gconstpointer drawing)
{
  if (!pipeline_can_run (NULL, peers))
    return;
  compare_drawing (drawing, 640, 480);
  compare_drawing (drawing, 644, 483);
  compare_drawing (drawing, 8, 1);
  compare_drawing (drawing, 4, 3);
}

int
main (int argc, char **argv)
{
  static const gchar *const photographs[] = { "fruits.jpg", "baboon.jpg",
    "building.jpg", "left01.jpg", "starry_night.jpg", "chicky_512.png",
    "box.png", "gradient.png" };

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cvequalizehist/video", test_video);
  for (gsize i = 0; i < G_N_ELEMENTS (photographs); i++) {
    g_autofree gchar *path =
        g_strconcat ("/cvequalizehist/photograph/", photographs[i], NULL);

    g_test_add_data_func (path, photographs[i], test_photograph);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (drawings); i++) {
    g_autofree gchar *path =
        g_strconcat ("/cvequalizehist/drawing/", drawings[i].name, NULL);

    g_test_add_data_func (path, &drawings[i], test_drawing);
  }
  return g_test_run ();
}
